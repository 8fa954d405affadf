"""Builtins that look at sorted elements: medians, modes, quantiles, distinct elements.

Each sorts by the library call of the device and picks what it wants from there. What is counted on
the way, such as how many elements are no NaN, stays on the device: the elements are taken at
computed places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import deferred, pending
from runmat_core.accel.capture.calls import call_op, capture_call, offered
from runmat_core.accel.capture.reductions import capture_reduction, capture_scan
from runmat_core.accel.capture.selections import lying, masked, scattered
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Op
from runmat_core.accel.ops.generators import FILL, RANGE
from runmat_core.accel.ops.reductions import reduce_op, reduced_shape, scan_op
from runmat_core.accel.ops.views import GATHER
from runmat_core.api import ir
from runmat_core.api.fusion import Reduction, Requested, Scan
from runmat_core.api.ir import FLOATS, Fragment, Known, V, reducers
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.text import is_text, text

#: Most quantiles at once.
QUANTILES = 64


# -- what they share -------------------------------------------------------------------------------


def mapping(name: str, function: Callable[..., Any], host: Callable[..., Any]) -> Op:
    """Return an elementwise operation of nodes and scalars, from a function over IR values.

    Args:
        host: the same of NumPy arrays.
    """

    @cache
    def fragment(
        dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Any = ()
    ) -> Fragment:
        return ir.trace(function, dtypes, known)

    def rule(node: Node, *values: Any) -> Any:
        rank = len(node.shape)
        arrays = [to_numpy(value) for value in values]
        found = host(*[a.reshape(a.shape + (1,) * (rank - a.ndim)) for a in arrays])
        return from_numpy(np.asarray(found), node.cls)

    return Op(name, "map", rule, fragment)


def _node(value: Any) -> Node:
    node: Node = value.promise.node
    return node


def _sorted(graph: Graph, node: Node, axis: int, places: bool = False) -> list[Node]:
    """Return the elements in order along an axis, and where they stood."""
    outputs = ((node.shape, node.cls), (node.shape, "double"))[: 1 + places]
    bounds = (None, (1, node.shape[axis]))
    attributes = (("axis", axis), ("descending", False))
    request = Requested(attributes, outputs, bounds=bounds)
    found = capture_call(graph, call_op("sort", _sort), (node,), request)
    return [_node(one) for one in (found if isinstance(found, tuple) else (found,))]


def _sort(node: Node, x: Any) -> Any:
    axis = dict(node.option("attributes"))["axis"]
    data = to_numpy(x)
    if node.option("outputs", 1) == 1:
        return from_numpy(np.sort(data, axis=axis, kind="stable"))
    order = np.argsort(data, axis=axis, kind="stable")
    return from_numpy(np.take_along_axis(data, order, axis)), from_numpy(order + 1.0)


def _lines(
    graph: Graph, node: Node, args: Sequence[Any], words: Sequence[str] = ()
) -> tuple[Node, int, set[str]] | None:
    """Return the array, the axis and the words of a call; None for other arguments."""
    axis: int | None = None
    said: set[str] = set()
    for value in args:
        word = text(value).lower() if is_text(value) else ""
        if word == "all":
            shape = (node.size, 1)
            node, axis = _node(view_of(graph, node, "reshape", shape, 0, dense_strides(shape))), 0
        elif word in words and word:
            said.add(word)
        elif value.__class__ is float and value.is_integer() and value >= 1 and axis is None:
            axis = int(value) - 1
        else:
            return None
    if axis is None:
        axis = next((k for k, extent in enumerate(node.shape) if extent != 1), 0)
    if axis >= len(node.shape) or node.shape[axis] < 2 or not offered("sort"):
        return None
    return node, axis, said


def _part(graph: Graph, node: Node, axis: int, k: int) -> Node:
    """Element number `k` of each line."""
    steps = dense_strides(node.shape)
    shape = reduced_shape(node.shape, (axis,))
    return _node(view_of(graph, node, "subsref", shape, k * steps[axis], steps[: len(shape)]))


def _at(graph: Graph, node: Node, axis: int, numbers: Node) -> Node:
    """Return the elements of each line at places from zero, which are known to be there."""
    lines = reduced_shape(node.shape, (axis,))
    count, inner = math.prod(lines), math.prod(node.shape[:axis])
    order = graph.append(RANGE, (0.0, 1.0), (), (1, count), "double")
    line = _node(view_of(graph, order, "reshape", lines, 0, dense_strides(lines)))
    inputs = (line, numbers, float(inner), float(node.shape[axis]))
    places = graph.append(PLACE, inputs, (), numbers.shape, "int32")
    return graph.append(GATHER, (node, places), (), numbers.shape, node.cls)


def _place(line: V, number: V, inner: V, extent: V) -> V:
    outer = ir.floor(line / inner)
    return ir.cast(line - outer * inner + (outer * extent + number) * inner, "i32")


def _place_on_host(line: Any, number: Any, inner: Any, extent: Any) -> Any:
    outer = np.floor(line / inner)
    return (line - outer * inner + (outer * extent + number) * inner).astype(np.int32)


PLACE = mapping("subsref", _place, _place_on_host)


def _count_there(node: Node, x: Any) -> Any:
    return from_numpy((~np.isnan(to_numpy(x))).sum(node.option("axes"), keepdims=True) * 1.0)


def _there(dtypes: Any, known: Any, options: Any = ()) -> Fragment:
    def function(x: V) -> Any:
        return ir.reduce(reducers.sum_("f64"), ir.cast(~ir.isnan(x), "f64"))[0]

    return ir.trace(function, dtypes, known, reduces=True)


THERE = Op("sum", "reduce", _count_there, cache(_there))


def _numbers_there(graph: Graph, node: Node, axis: int) -> Node:
    shape = reduced_shape(node.shape, (axis,))
    static = (("axes", (axis,)), ("options", ()))
    return graph.append(THERE, (node,), static, shape, "double")


# -- medians and quantiles -------------------------------------------------------------------------


def median(graph: Graph, node: Node, *args: Any, nargout: int = 1) -> Any:
    """``median`` of floating arrays; NaN where a line has one, or left out."""
    found = _lines(graph, node, args, ("omitnan", "includenan"))
    if found is None or node.cls not in FLOAT_CLASSES or nargout > 1:
        return NotImplemented
    x, axis, words = found
    ordered, n = _sorted(graph, x, axis)[0], x.shape[axis]
    shape = reduced_shape(x.shape, (axis,))
    if "omitnan" in words:
        count = _numbers_there(graph, x, axis)
        half = [graph.append(op, (count,), (), shape, "double") for op in (LOWER, UPPER)]
        low, high = (_at(graph, ordered, axis, k) for k in half)
        return deferred(graph.append(MIDDLE, (low, high, count), (), shape, x.cls))
    low, high = _part(graph, ordered, axis, (n - 1) // 2), _part(graph, ordered, axis, n // 2)
    # NaN is the largest
    last = _part(graph, ordered, axis, n - 1)
    return deferred(graph.append(MIDDLE_OF_ALL, (low, high, last), (), shape, x.cls))


def _between(low: V, high: V) -> V:
    return ir.where(low == high, low, low + (high - low) / 2.0)


def _middle(low: Any, high: Any) -> Any:
    return np.where(low == high, low, low + (high - low) / 2)


LOWER = mapping(
    "median",
    lambda n: ir.maximum(ir.floor((n - 1.0) / 2.0), 0.0),
    lambda n: np.maximum(np.floor((n - 1) / 2), 0),
)
UPPER = mapping(
    "median",
    lambda n: ir.maximum(ir.minimum(ir.floor(n / 2.0), n - 1.0), 0.0),
    lambda n: np.maximum(np.minimum(np.floor(n / 2), n - 1), 0),
)
MIDDLE = mapping(
    "median",
    lambda low, high, count: ir.where(count == 0.0, math.nan, _between(low, high)),
    lambda low, high, count: np.where(count == 0, np.nan, _middle(low, high)),
)
MIDDLE_OF_ALL = mapping(
    "median",
    lambda low, high, last: ir.where(ir.isnan(last), math.nan, _between(low, high)),
    lambda low, high, last: np.where(np.isnan(last), np.nan, _middle(low, high)),
)


def _quantiles(scale: float) -> Callable[..., Any]:
    """``quantile`` and ``prctile`` of doubles along a dimension, NaN left out."""

    def rule(graph: Graph, node: Node, p: Any = None, *args: Any, nargout: int = 1) -> Any:
        found = _lines(graph, node, args)
        wanted = np.array([p]) if p.__class__ is float else getattr(p, "data", None)
        if found is None or node.cls != "double" or nargout > 1 or pending(p):
            return NotImplemented
        if not isinstance(wanted, np.ndarray) or wanted.dtype.char != "d":
            return NotImplemented
        if not 0 < wanted.size <= QUANTILES or not ((wanted >= 0) & (wanted <= scale)).all():
            return NotImplemented
        x, axis, _ = found
        ordered, count = _sorted(graph, x, axis)[0], _numbers_there(graph, x, axis)
        shape = tuple([wanted.size if k == axis else n for k, n in enumerate(x.shape)])
        along = np.asfortranarray(wanted.reshape(lying(wanted.size, axis)) / scale)
        inputs = (graph.source(along, "double"), count)
        low, high = (graph.append(op, inputs, (), shape, "double") for op in (BELOW, ABOVE))
        ends = [_at(graph, ordered, axis, k) for k in (low, high)]
        return deferred(graph.append(QUANTILE, (*inputs, *ends), (), shape, "double"))

    return rule


def _position(p: Any, n: Any) -> Any:
    """Where a quantile lies among the sorted elements, from zero."""
    return p * n - 0.5


BELOW = mapping(
    "quantile",
    lambda p, n: ir.maximum(ir.minimum(ir.floor(_position(p, n)), n - 1.0), 0.0),
    lambda p, n: np.maximum(np.minimum(np.floor(_position(p, n)), n - 1), 0),
)
ABOVE = mapping(
    "quantile",
    lambda p, n: ir.maximum(ir.minimum(ir.floor(_position(p, n)) + 1.0, n - 1.0), 0.0),
    lambda p, n: np.maximum(np.minimum(np.floor(_position(p, n)) + 1, n - 1), 0),
)


def _quantile(p: V, n: V, low: V, high: V) -> V:
    at = _position(p, n)
    part = at - ir.floor(at)
    inside = ir.where((low == high) | (part == 0.0), low, low + (high - low) * part)
    return ir.where(n == 0.0, math.nan, inside)


def _quantile_on_host(p: Any, n: Any, low: Any, high: Any) -> Any:
    at = _position(p, n)
    part = at - np.floor(at)
    inside = np.where((low == high) | (part == 0), low, low + (high - low) * part)
    return np.where(n == 0, np.nan, inside)


QUANTILE = mapping("quantile", _quantile, _quantile_on_host)


# -- runs of equal elements ------------------------------------------------------------------------


def _starts(graph: Graph, ordered: Node, axis: int) -> Node:
    """Whether each of the sorted elements differs from the one before; NaN always does."""
    shape = ordered.shape
    count = graph.append(RANGE, (0.0, 1.0), (), (1, ordered.size), "double")
    number = _node(view_of(graph, count, "reshape", shape, 0, dense_strides(shape)))
    along = graph.append(RANGE, (0.0, 1.0), (), lying(shape[axis], axis), "double")
    inputs = (number, along, float(math.prod(shape[:axis])))
    places = graph.append(PREVIOUS, inputs, (), shape, "int32")
    before = graph.append(GATHER, (ordered, places), (), shape, ordered.cls)
    return graph.append(STARTS, (ordered, before, along), (), shape, "logical")


PREVIOUS = mapping(
    "subsref",
    lambda number, along, inner: ir.cast(ir.where(along > 0.0, number - inner, number), "i32"),
    lambda number, along, inner: np.where(along > 0, number - inner, number).astype(np.int32),
)
STARTS = mapping(
    "unique",
    lambda x, before, along: (along == 0.0) | (x != before),
    lambda x, before, along: (along == 0) | (x != before),
)


def unique(graph: Graph, node: Node, *args: Any, nargout: int = 1) -> Any:
    """Return ``unique`` of all elements in order, with first occurrences and element numbers."""
    if args or node.size < 2 or node.data.__class__ is np.ndarray:
        return NotImplemented
    if not offered("sort") or not offered("compact") or (nargout > 2 and not offered("scatter")):
        return NotImplemented
    column = (node.size, 1)
    x = _node(view_of(graph, node, "reshape", column, 0, dense_strides(column)))
    ordered, *order = _sorted(graph, x, 0, places=nargout > 1)
    starts = _starts(graph, ordered, 0)
    found = masked(graph, ordered, starts)
    row = len(node.shape) == 2 and node.shape[0] == 1
    if row:
        shape = (1, found.shape[0])
        found = view_of(graph, _node(found), "reshape", shape, 0, dense_strides(shape))
    if nargout < 2:
        return found
    first = masked(graph, order[0], starts)
    if nargout < 3:
        return found, first
    number = capture_scan(graph, NUMBER, _NUMBER, starts, 0, False, ())
    zeros = graph.append(FILL, (0.0,), (), column, "double")
    places = graph.append(LESS, (order[0],), (), column, "int32")
    return found, first, scattered(graph, zeros, places, _node(number), ())


LESS = mapping("unique", lambda k: ir.cast(k - 1.0, "i32"), lambda k: (k - 1).astype(np.int32))
_NUMBER = Scan(lambda x, reverse=False: ir.scan(reducers.sum_("f64"), x, reverse=reverse)[0])
NUMBER = scan_op(
    "cumsum", _NUMBER, lambda node, x: from_numpy(to_numpy(x).cumsum(0, dtype=np.float64))
)


def mode(graph: Graph, node: Node, *args: Any, nargout: int = 1) -> Any:
    """``mode`` and its frequency: the value where the longest run ends first."""
    found = _lines(graph, node, args)
    if found is None or nargout > 2 or node.cls == "logical":
        return NotImplemented
    x, axis, _ = found
    ordered = _sorted(graph, x, axis)[0]
    place = graph.append(RANGE, (1.0, 1.0), (), lying(x.shape[axis], axis), "double")
    inputs = (_starts(graph, ordered, axis), place)
    begun = graph.append(BEGUN, inputs, (), x.shape, "double")
    start = _node(capture_scan(graph, LATEST, _LATEST, begun, axis, False, ()))
    run = graph.append(LENGTH[x.dtype in FLOATS], (ordered, place, start), (), x.shape, "double")
    longest, at = capture_reduction(graph, LONGEST, _LONGEST, run, (axis,), (("outputs", 2),))
    value = deferred(_at(graph, ordered, axis, _node(at)))
    return (value, longest) if nargout > 1 else value


BEGUN = mapping(
    "mode", lambda first, k: ir.where(first, k, 0.0), lambda first, k: np.where(first, k, 0.0)
)
LENGTH = [
    mapping("mode", lambda x, k, start: k - start + 1.0, lambda x, k, start: k - start + 1),
    mapping(
        "mode",
        lambda x, k, start: ir.where(ir.isnan(x), 0.0, k - start + 1.0),
        lambda x, k, start: np.where(np.isnan(x), 0, k - start + 1),
    ),
]
_LATEST = Scan(
    lambda x, reverse=False: ir.scan(reducers.maximum(x.dtype), x, reverse=reverse)[0], "same"
)
LATEST = scan_op(
    "cummax",
    _LATEST,
    lambda node, x: from_numpy(np.maximum.accumulate(to_numpy(x), node.option("axis"))),
)


def _longest(x: V, outputs: int = 1) -> Any:
    return tuple(ir.reduce(reducers.extremum(x.dtype, largest=True), x))


def _longest_on_host(node: Node, x: Any) -> Any:
    data, (axis,) = to_numpy(x), node.option("axes")
    at = data.argmax(axis, keepdims=True)
    best = np.take_along_axis(data, at, axis)
    return from_numpy(best.reshape(node.shape)), from_numpy((at * 1.0).reshape(node.shape))


_LONGEST = Reduction(_longest, result="same", outputs=2)
LONGEST = reduce_op("max", _LONGEST, _longest_on_host)

#: Rules that are told how many outputs are wanted.
RULES: dict[str, Callable[..., Any]] = {
    "median": median,
    "mode": mode,
    "prctile": _quantiles(100.0),
    "quantile": _quantiles(1.0),
    "unique": unique,
}
