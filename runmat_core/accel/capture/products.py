"""Products of pending and of large matrices, as library calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runmat_core.accel.capture.boundary import deferred, lazy, node_of
from runmat_core.accel.graph.node import Node, Op
from runmat_core.api import errors
from runmat_core.values import dispatch
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.deferred import settled


def _product(node: Node, a: Any, b: Any) -> Any:
    return dispatch.HOST_RULES["mtimes"](a, b)


MATMUL = Op("matmul", "call", _product)


def _mtimes(own: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def rule(a: Any, b: Any) -> Any:
        graph = lazy(a, b)
        if graph is None:
            return own(settled(a), settled(b))
        x, y = node_of(graph, a), node_of(graph, b)
        if x.__class__ is not Node or y.__class__ is not Node:
            return own(a, b)
        if (1, 1) in (x.shape, y.shape) or len(x.shape) > 2 or len(y.shape) > 2:
            return own(a, b)
        if x.cls != y.cls or x.cls not in FLOAT_CLASSES or 0 in x.shape or 0 in y.shape:
            return own(a, b)
        if x.shape[1] != y.shape[0]:
            raise errors.inner_dimensions()
        static = (("attributes", ()),)
        shape = (x.shape[0], y.shape[1])
        return deferred(graph.append(MATMUL, (x, y), static, shape, x.cls))

    return rule


#: The rule of products, made with the first `install`.
_rule: list[Callable[[Any, Any], Any]] = []


def install() -> None:
    """Put the rule before that of products with scalars, which is in place by then."""
    if not _rule:
        _rule.append(_mtimes(dispatch.OPERATORS["mtimes"]))
    dispatch.OPERATORS["mtimes"] = _rule[0]
