"""``while`` loops that go on as long as what they compute says so: what they are as a ``for``."""

from __future__ import annotations

from runmat_core.compiler.runtime.loops import FLAGS, TRIP
from runmat_core.syntax import ast

#: What gives one logical where its operands are numbers.
_COMPARES = frozenset({"<", "<=", ">", ">=", "==", "~=", "!="})
_ELEMENTS = {"&&": "&", "||": "|"}


def conditional(node: ast.While) -> ast.For | None:
    """A loop over trips, each of which writes down first whether the condition holds; None where
    the condition is no comparison, nor several.
    """
    test = _elementwise(node.condition)
    if test is None:
        return None
    span = node.condition.span
    flag = ast.Index(ast.Name(FLAGS, span=span), "()", (ast.Name(TRIP, span=span),), span=span)
    body = (ast.Assign(flag, test, True, span=span), *node.body)
    return ast.For(ast.Name(TRIP), ast.Name(FLAGS), body, span=node.span)


def _elementwise(test: ast.Expr) -> ast.Expr | None:
    """A condition without short cuts; None where it may be other than logical."""
    if isinstance(test, ast.Binary):
        if test.op in _COMPARES:
            return test
        if test.op in _ELEMENTS:
            left, right = _elementwise(test.left), _elementwise(test.right)
            if left is None or right is None:
                return None
            return ast.Binary(_ELEMENTS[test.op], left, right, span=test.span)
    return None
