"""From AST to text."""

from __future__ import annotations

from typing import Any


def unparse(node: Any) -> str:
    """MATLAB text that parses to `node`."""
    raise NotImplementedError


def unparse_expression(node: Any) -> str:
    """The text of an expression as ``func2str`` prints it."""
    raise NotImplementedError
