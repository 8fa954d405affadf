"""Names of variables made of any text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runmat_core.builtins.tables.support import new_names

_WORDS = frozenset(
    "break case catch classdef continue else elseif end for function global if otherwise parfor "
    "persistent return spmd switch try while".split()
)


def valid_name(name: str, default: str = "Var") -> str:
    """`name` as MATLAB makes it a valid name: words joined, other characters as underscores."""
    name = name.strip()
    if re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) and name not in _WORDS:
        return name
    name = re.sub(r"\s+([a-z])", lambda m: m[1].upper(), name)
    name = re.sub(r"\s+", "", name)
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not name:
        return default
    if name in _WORDS:
        return f"x{name.capitalize()}"
    return name if name[0].isalpha() else f"x{name}"


def valid_names(names: Sequence[str]) -> list[str]:
    """Return valid names that are all different."""
    return new_names([valid_name(name) for name in names], [])
