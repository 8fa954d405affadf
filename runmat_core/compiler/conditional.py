"""Loops that go on as long as what they compute says so: what they are as a ``for`` without end.

These are ``while`` loops and ``for`` loops over ranges with one ``if …, break, end``.
"""

from __future__ import annotations

from runmat_core.compiler.runtime.loops import FLAGS, TRIP
from runmat_core.syntax import ast

#: What gives one logical where its operands are numbers.
_COMPARES = frozenset({"<", "<=", ">", ">=", "==", "~=", "!="})
_ELEMENTS = {"&&": "&", "||": "|"}


def conditional(node: ast.While) -> ast.For | None:
    """Return a loop each iteration of which notes first whether the condition holds.

    Return None if the condition is neither a comparison nor several.
    """
    test = _elementwise(node.condition)
    if test is None:
        return None
    return _over_trips((_flag(test), *node.body), node)


def until_break(node: ast.For) -> ast.For | None:
    """Return the same of a ``for`` over a range with one break.

    Each iteration moves the variable and notes that it does not leave the loop.
    """
    if not isinstance(node.iterable, ast.Range) or not isinstance(node.target, ast.Name):
        return None
    step = node.iterable.step or ast.Number(1.0)
    leaving = [one for one in node.body if _test_of(one) is not None]
    if node.parallel or node.key is not None or len(leaving) != 1:
        return None
    number = step.operand if isinstance(step, ast.Unary) and step.op == "-" else step
    if not isinstance(number, ast.Number) or not isinstance(number.value, float):
        return None
    test = _test_of(leaving[0])
    assert test is not None
    stays = _flag(ast.Unary("~", test, span=test.span))
    body = [stays if one is leaving[0] else one for one in node.body]
    moved = ast.Binary("+", node.target, step)
    return _over_trips((ast.Assign(node.target, moved, True, span=node.span), *body), node)


def _test_of(one: ast.Stmt) -> ast.Expr | None:
    """Return the condition of an ``if`` that does nothing but leave the loop."""
    if not isinstance(one, ast.If) or len(one.clauses) != 1 or one.orelse is not None:
        return None
    ((test, body),) = one.clauses
    if len(body) != 1 or not isinstance(body[0], ast.Break):
        return None
    return _elementwise(test)


def _flag(test: ast.Expr) -> ast.Stmt:
    span = test.span
    flag = ast.Index(ast.Name(FLAGS, span=span), "()", (ast.Name(TRIP, span=span),), span=span)
    return ast.Assign(flag, test, True, span=span)


def _over_trips(body: ast.Block, node: ast.Stmt) -> ast.For:
    return ast.For(ast.Name(TRIP), ast.Name(FLAGS), body, span=node.span)


def _elementwise(test: ast.Expr) -> ast.Expr | None:
    """Return a condition without short cuts; None where it may be other than logical."""
    if isinstance(test, ast.Binary):
        if test.op in _COMPARES:
            return test
        if test.op in _ELEMENTS:
            left, right = _elementwise(test.left), _elementwise(test.right)
            if left is None or right is None:
                return None
            return ast.Binary(_ELEMENTS[test.op], left, right, span=test.span)
    return None
