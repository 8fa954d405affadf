"""``while`` loops that count: what they are as a ``for`` over their counter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from runmat_core.compiler.loops import targets, written
from runmat_core.compiler.scopes import walk
from runmat_core.syntax import ast

#: Relations of a counter to its bound, each with that of the bound to the counter.
_RELATIONS = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "~=": "~="}
#: Operators of bounds that are computed.
_ARITHMETIC = frozenset("+-*/")
#: Functions of an array that depend on its size alone, with how many numbers they take besides.
_SIZES = {"numel": 0, "length": 0, "height": 0, "width": 0, "size": 1}

#: A bound in which sizes of arrays stand, for those who know the variables: a number, the name of
#: one, (operator, left, right), or (function, name of an array, numbers besides).
Told = float | str | tuple[Any, ...]


@attrs.frozen
class Counted:
    """A ``while`` whose first or last statement moves a counter by what is the same in every trip.

    Attributes:
        loop: the same as a ``for`` over the counter, without that statement.
        step: by which the counter moves: a number, or the name of one, also negative.
        relation, bound: of the condition.
        ahead: whether it moves before the other statements.
        told: the bound where it depends on sizes of arrays; else None.
    """

    loop: ast.For
    step: ast.Expr
    relation: str
    bound: ast.Expr
    ahead: bool
    told: Told | None = None


def counted(node: ast.While) -> Counted | None:
    """Return a ``while`` that counts, else None."""
    found = _compared(node.condition, node.body)
    if found is None:
        return None
    name, relation, bound = found
    ahead = _step(node.body[-1], name) is None
    step = _step(node.body[0 if ahead else -1], name)
    if step is None:
        return None
    body = node.body[1:] if ahead else node.body[:-1]
    assignments = [target for one in walk(body) for target in targets(one)]
    assigned = {written(target) for target in assignments}
    fixed, sized = _names((bound, step)), _sized(bound)
    if fixed is None or name in assigned or fixed & {*assigned, name}:
        return None
    # what is written to by subscripts keeps its size, or the loop is not captured
    if sized & {name, *[one.id for one in assignments if isinstance(one, ast.Name)]}:
        return None
    loop = ast.For(ast.Name(name), bound, body, span=node.span)
    return Counted(loop, step, relation, bound, ahead, _told(bound) if sized else None)


def _compared(test: ast.Expr, body: ast.Block) -> tuple[str, str, ast.Expr] | None:
    """Return the counter of a condition, its relation to the bound, and the bound."""
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
    """Return what ``name = name + step`` adds, a number or a variable; None for anything else."""
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
    """Return the variables of arithmetic; None where it is anything else."""
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
        elif not isinstance(one, ast.Number) and _size(one) is None:
            return None
    return names


def _size(one: Any) -> Told | None:
    """``numel(v)``, ``size(v, 2)`` and the like; None for anything else."""
    if not isinstance(one, ast.Index) or one.kind != "()" or not isinstance(one.base, ast.Name):
        return None
    numbers = _SIZES.get(one.base.id)
    if numbers is None or len(one.args) != 1 + numbers or not isinstance(one.args[0], ast.Name):
        return None
    besides = [arg.value for arg in one.args[1:] if isinstance(arg, ast.Number)]
    if len(besides) < numbers or not all(isinstance(value, float) for value in besides):
        return None
    return one.base.id, one.args[0].id, *besides


def _sized(bound: ast.Expr) -> set[str]:
    """Return the arrays whose sizes arithmetic depends on."""
    found = [_size(one) for one in walk([bound])]
    return {one[1] for one in found if isinstance(one, tuple)}


def _told(one: ast.Expr) -> Told | None:
    """Return a bound as `Told`; None where it has numbers that are not real."""
    if isinstance(one, ast.Number):
        return one.value if isinstance(one.value, float) else None
    if isinstance(one, ast.Name):
        return one.id
    if isinstance(one, ast.Unary):
        one = ast.Binary("-", ast.Number(0.0), one.operand)
    if not isinstance(one, ast.Binary):
        return _size(one)
    sides = _told(one.left), _told(one.right)
    return None if None in sides else (one.op, *sides)
