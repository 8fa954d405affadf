"""What MATLAB takes for a name, and which names a pattern stands for."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence

#: Words that cannot be variables; contextual words (``arguments``, ``properties``) can.
KEYWORDS = frozenset(
    "break case catch classdef continue else elseif end for function global if otherwise parfor "
    "persistent return spmd switch try while".split()
)
#: ``namelengthmax``
LONGEST_NAME = 63

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def matching(names: Iterable[str], words: Sequence[str]) -> list[str]:
    """Return the `names` that one of `words` stands for: ``x*``, or ``-regexp`` and expressions."""
    if words and words[0] == "-regexp":
        return expressed(names, words[1:])
    return [name for name in names if any(fnmatch.fnmatchcase(name, word) for word in words)]


def expressed(names: Iterable[str], expressions: Sequence[str]) -> list[str]:
    """Return the `names` in which one of the regular expressions matches.

    Raises:
        MatlabError: MATLAB:regexp:invalidExpression.
    """
    from runmat_core.builtins.text.regex_syntax import compile_expression

    tests = [compile_expression(expression) for expression in expressions]
    return [name for name in names if any(test.search(name) for test in tests)]


def is_variable_name(name: str) -> bool:
    """Whether `name` may be a variable: a letter, letters, digits and underscores, no keyword."""
    return len(name) <= LONGEST_NAME and bool(_NAME.match(name)) and name not in KEYWORDS
