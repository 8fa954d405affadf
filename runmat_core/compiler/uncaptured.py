"""The loops of a file that are never captured, for those who ask why (``runmat explain``)."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from runmat_core.accel.loops.whiles import ON_HOST
from runmat_core.compiler import loops
from runmat_core.compiler.conditional import conditional, until_break
from runmat_core.compiler.counted import counted
from runmat_core.compiler.scopes import Scope, function_scope, script_scope, walk
from runmat_core.syntax import ast, parse
from runmat_core.values.hooks import HOOKS


@attrs.frozen
class Uncaptured:
    """A loop that is never captured.

    Attributes:
        first, last: its lines.
        reason: why, a phrase for people.
        line: that is the reason.
    """

    first: int
    last: int
    reason: str
    line: int


def uncaptured(source: str, dialect: str = "matlab") -> list[Uncaptured]:
    """Return the loops of a file that its text alone keeps from being captured, in order."""
    module = parse(source, dialect=dialect)
    found = [*_in_block(module.body, script_scope(module.body, "script", ()))]
    for function in module.functions:
        for scope in function_scope(function).nest():
            assert scope.node is not None
            found += _in_block(scope.node.body, scope)
    return sorted(found, key=lambda one: one.first)


def _in_block(body: ast.Block, scope: Scope) -> Iterator[Uncaptured]:
    caught = {id(inner) for one in walk(body) if isinstance(one, ast.Try) for inner in walk([one])}
    for one in walk(body):
        if not isinstance(one, ast.For | ast.While):
            continue
        found = _refusal(one, scope)
        if found is None and id(one) in caught:
            found = loops.Refusal("errors in it are caught around it", one.span.line)
        if found is not None:
            yield Uncaptured(one.span.line, one.span.end_line, found.reason, found.line)


def _refusal(node: ast.For | ast.While, scope: Scope) -> loops.Refusal | None:
    line, runs_ahead = node.span.line, False
    if isinstance(node, ast.While):
        counter = counted(node)
        ahead = conditional(node) if counter is None else counter.loop
        if ahead is None:
            why = "its condition is neither that of a counter nor made of comparisons alone"
            return loops.Refusal(why, line)
        node, runs_ahead = ahead, counter is None
    else:
        broken = until_break(node)
        node, runs_ahead = broken or node, broken is not None
    found = loops.screen(node, scope)
    if isinstance(found, loops.Refusal):
        return found
    return loops.Refusal(ON_HOST, line) if runs_ahead and not HOOKS.ahead else None
