"""What MATLAB takes for a name."""

from __future__ import annotations

import re

#: Words that cannot be variables; contextual words (``arguments``, ``properties``) can.
KEYWORDS = frozenset(
    "break case catch classdef continue else elseif end for function global if otherwise parfor "
    "persistent return spmd switch try while".split()
)
#: ``namelengthmax``
LONGEST_NAME = 63

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def is_variable_name(name: str) -> bool:
    """Whether `name` may be a variable: a letter, letters, digits and underscores, no keyword."""
    return len(name) <= LONGEST_NAME and bool(_NAME.match(name)) and name not in KEYWORDS
