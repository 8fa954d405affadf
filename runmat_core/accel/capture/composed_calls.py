"""Calls of builtins that are made of captured operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import lazy, node_of
from runmat_core.accel.capture.recipes import Recipes
from runmat_core.accel.graph.node import Node


def _several(name: str) -> Callable[..., Any] | None:
    """Return ``rule(graph, node, *args, nargout=…)`` of a builtin with several outputs."""
    if name in ("median", "mode", "prctile", "quantile", "unique"):
        from runmat_core.accel.capture import ordered

        return ordered.RULES[name]
    if name == "accumarray":
        from runmat_core.accel.capture import grouped

        return grouped.accumarray
    return None


@cache
def calling(name: str) -> Callable[[tuple[Any, ...], int], Any]:
    """Return ``call(args, nargout)`` for a builtin that is made of captured operations.

    It gives NotImplemented where nothing is captured.
    """
    rule = _several(name)
    if rule is None:
        # these look at no elements
        return Recipes(lambda args, nargout: views.call(name, args)).call

    def call(args: tuple[Any, ...], nargout: int) -> Any:
        graph = lazy(*args)
        if graph is None or 0 in args[0].shape:
            return NotImplemented
        node = node_of(graph, args[0])
        if not isinstance(node, Node):
            return NotImplemented
        return rule(graph, node, *args[1:], nargout=max(nargout, 1))

    return call
