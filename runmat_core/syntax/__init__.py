"""MATLAB text to AST and back.

`parse` makes a `Module`, `unparse` makes text of any node, `is_incomplete` tells a line editor
whether a block or bracket is still open. They are imported on first use: a program that comes from
the code cache needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runmat_core.syntax.errors import MatlabSyntaxError
    from runmat_core.syntax.parser import is_incomplete, parse
    from runmat_core.syntax.unparse import unparse, unparse_expression

__all__ = ["MatlabSyntaxError", "is_incomplete", "parse", "unparse", "unparse_expression"]

_HOME = {
    "MatlabSyntaxError": "errors",
    "is_incomplete": "parser",
    "parse": "parser",
    "unparse": "unparse",
    "unparse_expression": "unparse",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value
