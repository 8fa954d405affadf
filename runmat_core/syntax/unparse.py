"""From AST to text: ``parse(unparse(tree)) == tree``."""

from __future__ import annotations

from typing import Any

from runmat_core.syntax import ast, unparse_expressions, unparse_statements
from runmat_core.syntax.writer import write

_ = unparse_expressions, unparse_statements  # imported for the writers that they register


def unparse(node: Any) -> str:
    """MATLAB text that parses to `node`: a module, a statement, an expression."""
    text = write(node, " ")
    return text + "\n" if isinstance(node, ast.Module) and text else text


def unparse_expression(node: ast.Expr) -> str:
    """Return the text of an expression as ``func2str`` prints it, without blanks.

    An anonymous function that was parsed keeps the spelling of its source.
    """
    if isinstance(node, ast.AnonymousFunction) and node.text:
        return node.text
    return write(node, "")
