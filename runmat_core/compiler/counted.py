"""``while`` loops that count: what they are as a ``for`` over their counter."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from runmat_core.compiler.loops import targets, written
from runmat_core.compiler.scopes import walk
from runmat_core.syntax import ast

#: Relations of a counter to its bound, each with that of the bound to the counter.
_RELATIONS = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "~=": "~="}
#: Operators of bounds that are computed.
_ARITHMETIC = frozenset("+-*/")


@attrs.frozen
class Counted:
    """A ``while`` whose first or last statement moves a counter by what is the same in every trip.

    Attributes:
        loop: the same as a ``for`` over the counter, without that statement.
        step: by which the counter moves: a number, or the name of one, also negative.
        relation, bound: of the condition.
        ahead: whether it moves before the other statements.
    """

    loop: ast.For
    step: ast.Expr
    relation: str
    bound: ast.Expr
    ahead: bool


def counted(node: ast.While) -> Counted | None:
    """A ``while`` that counts, else None."""
    found = _compared(node.condition, node.body)
    if found is None:
        return None
    name, relation, bound = found
    ahead = _step(node.body[-1], name) is None
    step = _step(node.body[0 if ahead else -1], name)
    if step is None:
        return None
    body = node.body[1:] if ahead else node.body[:-1]
    assigned = {written(t) for one in walk(body) for t in targets(one)}
    fixed = _names((bound, step))
    if fixed is None or name in assigned or fixed & {*assigned, name}:
        return None
    loop = ast.For(ast.Name(name), bound, body, span=node.span)
    return Counted(loop, step, relation, bound, ahead)


def _compared(test: ast.Expr, body: ast.Block) -> tuple[str, str, ast.Expr] | None:
    """The counter of a condition, its relation to the bound, and the bound."""
    if not body or not isinstance(test, ast.Binary) or test.op not in _RELATIONS:
        return None
    for counter, relation, bound in (
        (test.left, test.op, test.right),
        (test.right, _RELATIONS[test.op], test.left),
    ):
        if isinstance(counter, ast.Name):
            steps = (_step(body[0], counter.id), _step(body[-1], counter.id))
            if any(step is not None for step in steps):
                return counter.id, relation, bound
    return None


def _step(last: ast.Stmt, name: str) -> ast.Expr | None:
    """What ``name = name + step`` adds, a number or a variable; None for anything else."""
    if isinstance(last, ast.OpAssign):
        value: ast.Expr = ast.Binary(last.op, last.target, last.value)
        target = last.target
    elif isinstance(last, ast.Assign):
        value, target = last.value, last.target
    else:
        return None
    if not (isinstance(value, ast.Binary) and value.op in ("+", "-") and last.silent):
        return None
    counter, step = value.left, value.right
    if value.op == "+" and step == ast.Name(name):
        counter, step = step, counter
    if target != ast.Name(name) or counter != ast.Name(name):
        return None
    if isinstance(step, ast.Number) and isinstance(step.value, float):
        return ast.Number(-step.value) if value.op == "-" else step
    if not isinstance(step, ast.Name):
        return None
    return step if value.op == "+" else ast.Unary("-", step)


def _names(expressions: Iterable[ast.Expr]) -> set[str] | None:
    """The variables of arithmetic; None where it is anything else."""
    names: set[str] = set()
    stack = [*expressions]
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Name):
            names.add(one.id)
        elif isinstance(one, ast.Binary) and one.op in _ARITHMETIC:
            stack += [one.left, one.right]
        elif isinstance(one, ast.Unary) and one.op == "-":
            stack.append(one.operand)
        elif not isinstance(one, ast.Number):
            return None
    return names
