"""Searches in sorted arrays as operations of elements (`builtins.composed`).

A search is a few looks at the sorted array for each element, as many as its size has bits, in one
kernel with what makes the elements and with what is done with what was found.
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel import context
from runmat_core.accel.capture.boundary import deferred, lazy, node_of
from runmat_core.accel.capture.selections import PLACES, differs
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.views import GATHER
from runmat_core.builtins.composed import call, is_real
from runmat_core.values import and_, ge, le, plus, rdivide, times
from runmat_core.values.deferred import Deferred
from runmat_core.values.subscript import is_vector

#: Sorted arrays with more elements have places that singles do not hold.
LONGEST = 1 << 24


def discretize(x: Any, edges: Any, *args: Any, nargout: int = 1) -> Any:
    """``discretize(X, EDGES)`` of real arrays of one class, where a device computes."""
    if args or nargout > 1 or not is_real(x) or not is_real(edges) or not _on_device():
        return NotImplemented
    graph: Any = lazy(x, edges)
    if graph is None or x.class_name != edges.class_name or not is_vector(edges.shape):
        return NotImplemented
    limits, count = node_of(graph, edges), edges.shape[0] * edges.shape[1]
    if limits.__class__ is not Node or not 2 <= count < LONGEST:
        return NotImplemented
    low, high = (_part(graph, limits, start, count - 1) for start in (0, 1))
    # NaN among them is no order either
    ordered = call("all", ge(high, low))
    sorted_ = plus(ordered, 0.0)
    if sorted_.__class__ is not Deferred or not differs(sorted_, 0.0):
        return NotImplemented
    found = not_above(graph, x, limits, count)
    last = _part(graph, limits, count - 1, 1)
    valid = and_(ge(found, 1.0), le(x, last))
    return plus(call("min", found, float(count - 1)), rdivide(0.0, valid))


def not_above(graph: Any, x: Any, limits: Node, count: int) -> Any:
    """How many of `count` sorted elements are not above each element of `x`."""
    found: Any = None
    left = count
    while left > 1:
        half = left // 2
        probe = _part(graph, limits, half - 1, 1)
        if found is not None:
            probe = _at(graph, limits, plus(found, float(half)))
        more = times(le(probe, x), float(half))
        found = more if found is None else plus(found, more)
        left -= half
    return plus(found, le(_at(graph, limits, plus(found, 1.0)), x))


def _on_device() -> bool:
    """Whether there is a provider with memory of its own; others search by tables."""
    seat: Any = context.get()
    if seat is None:
        return False
    places = seat.engine.places
    return bool(places.any) and places.device is not None


def _at(graph: Any, limits: Node, numbers: Any) -> Any:
    """Elements at numbers from one that are known to be there."""
    node: Node = numbers.promise.node
    inputs = (node, float(limits.size))
    places = graph.append(PLACES, inputs, (), node.shape, "int32")
    return deferred(graph.append(GATHER, (limits, places), (), node.shape, limits.cls))


def _part(graph: Any, limits: Node, start: int, count: int) -> Any:
    """Neighbours of a vector, as a column."""
    return view_of(graph, limits, "subsref", (count, 1), start, (int(count > 1), 0))
