"""Elements by groups: sums of those that share a subscript, and counts of those in bins.

Subscripts that are no places are told by a guard of the library call, and the host rule then says
so; where the size is not given, the greatest subscripts are read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add, and_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture.boundary import deferred, lazy, node_of, pending
from runmat_core.accel.capture.calls import call_op, capture_call, offered
from runmat_core.accel.capture.compositions import elementwise
from runmat_core.accel.capture.ordered import mapping
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.ops.elementwise import ITEM
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.ops.reductions import reduce_op
from runmat_core.api import ir
from runmat_core.api.errors import MatlabError, bad_index
from runmat_core.api.fusion import Reduction, Requested
from runmat_core.api.ir import V, reducers
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.accumulation import ACCUMULATED
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.bins import binned, counted, edge_reached
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.handle import FunctionHandle, builtin_named
from runmat_core.values.kept_positions import places_of
from runmat_core.values.subscript import linear, trimmed

#: Results with more elements are the host rule's affair.
MOST = 1 << 31
#: Most columns of subscripts.
COLUMNS = 8
#: Multiples of whole numbers up to here are the sums of so many of them.
EXACT = 1 << 21


# -- sums ------------------------------------------------------------------------------------------


def accumarray(
    graph: Graph,
    subs: Node,
    vals: Any = None,
    size: Any = None,
    function: Any = None,
    fill: Any = None,
    *rest: Any,
    nargout: int = 1,
) -> Any:
    """``accumarray`` by sums, greatest or least elements, of floating or logical values."""
    by = _function(function)
    given = node_of(graph, vals)
    if by is None or rest or given is None or not _nothing(fill) or not offered("accumulate"):
        return NotImplemented
    values = given if isinstance(given, Node) else None
    waits = subs.data.__class__ is not np.ndarray or pending(vals)
    if not waits or len(subs.shape) != 2 or subs.shape[0] < 2 or subs.shape[1] > COLUMNS:
        return NotImplemented
    if values is not None and (
        values.size not in (1, subs.shape[0]) or values.cls not in (*FLOAT_CLASSES, "logical")
    ):
        return NotImplemented
    shape = _shape(graph, subs, size, values)
    if shape is None:
        return NotImplemented
    if subs.shape[1] > 1:
        numbered = _numbered(graph, subs, shape)
        if numbered is None:
            return NotImplemented
        subs = numbered
    try:
        return _accumulated(graph, subs, given, shape, by)
    except MatlabError:
        return NotImplemented  # the host rule has the error


def _accumulated(graph: Graph, places: Node, given: Any, shape: Shape, by: str) -> Any:
    n, bins = places.size, math.prod(shape)
    extents = (n, 0, bins)
    if not isinstance(given, Node):
        number = float(given)
        if by == "sum" and number.is_integer() and abs(number) * n < EXACT * float(EXACT):
            request = Requested((("by", "count"),), ((shape, "double"),), True, extents)
            counts = capture_call(graph, call_op("accumulate", _grouped), (places,), request)
            return counts if number == 1 else _times(graph, counts, number)
        given = graph.append(FILL, (number,), (), (1, 1), "double")
    elif given.cls == "logical":
        given = graph.append(NUMBER, (given,), (), given.shape, "double")
    extents = (n, given.size, bins)
    request = Requested((("by", by),), ((shape, given.cls),), True, extents)
    return capture_call(graph, call_op("accumulate", _grouped), (places, given), request)


def _times(graph: Graph, counts: Any, number: float) -> Any:
    return deferred(elementwise(graph, "times", counts.promise.node, number))


NUMBER = mapping("double", lambda x: ir.cast(x, "f64"), lambda x: x.astype(np.float64))


def _function(function: Any) -> str | None:
    """Return what a function handle makes of a group, where a library has it."""
    if _nothing(function):
        return "sum"
    if not isinstance(function, FunctionHandle):
        return None
    name = builtin_named(function)
    return name if name in ("sum", "max", "min") else None


def _nothing(value: Any) -> bool:
    """Whether an argument is left out, ``[]`` or the zero that would be there without it."""
    if value is None or (value.__class__ is float and value == 0):
        return True
    return getattr(value, "shape", None) == (0, 0)


def _shape(graph: Graph, subs: Node, size: Any, values: Node | None) -> Shape | None:
    """Return the size of the result: as it is given, or of the greatest subscripts."""
    columns = subs.shape[1]
    if size is None or _nothing(size):
        request = (("axes", (0,)), ("options", ()))
        most = graph.append(MOST_OF, (subs,), request, (1, columns), "double")
        others = [one for one in (subs, values) if one is not None and one.data is None]
        graph.evaluate([most, *others])
        found = graph.elements(most).ravel()
        if not ((found >= 1) & (found < MOST)).all():
            return None
        shape = tuple([int(n) for n in found])
        shape = (shape[0], 1) if columns == 1 else trimmed(shape)
    else:
        told = None if pending(size) else getattr(size, "data", None)
        if not isinstance(told, np.ndarray) or told.dtype.char != "d" or told.size < 2:
            return None
        if not ((told >= 1) & (told == np.floor(told)) & (told < MOST)).all():
            return None
        shape = tuple([int(n) for n in told.ravel(order="F")])
        fits = len(shape) == 2 and 1 in shape if columns == 1 else len(shape) == columns
        if not fits or shape != trimmed(shape):
            return None
    return shape if math.prod(shape) < MOST else None


def _most(x: V) -> Any:
    return ir.reduce(reducers.maximum(x.dtype), x)[0]


MOST_OF = reduce_op(
    "max",
    Reduction(_most, result="double"),
    lambda node, x: from_numpy(np.fmax.reduce(to_numpy(x) * 1.0, axis=0, keepdims=True)),
)


def _numbered(graph: Graph, subs: Node, shape: Shape) -> Node | None:
    """Rows of subscripts as numbers of elements; 0, which is none, where one of them is outside."""
    if subs.cls != "double":
        return None
    n, columns = subs.shape
    steps, step = [], 1
    extents = shape + (1,) * (columns - len(shape))
    for extent in extents:
        steps.append(float(step))
        step *= extent
    parts = []
    for k in range(columns):
        part = view_of(graph, subs, "subsref", (n, 1), k * n, dense_strides((n, 1)))
        parts.append(part.promise.node)
    inputs = (*parts, *map(float, extents), *steps)
    return graph.append(NUMBERED, inputs, (), (n, 1), "double")


def _number(floor: Callable[[Any], Any], choose: Callable[..., Any]) -> Callable[..., Any]:
    def function(*values: Any) -> Any:
        count = len(values) // 3
        parts, extents, steps = (values[k * count : (k + 1) * count] for k in range(3))
        terms = [(part - 1.0) * step for part, step in zip(parts, steps, strict=True)]
        inside = [
            (part >= 1.0) & (part <= extent) & (floor(part) == part)
            for part, extent in zip(parts, extents, strict=True)
        ]
        return choose(reduce(and_, inside), reduce(add, terms) + 1.0, 0.0)

    return function


NUMBERED = mapping("accumarray", _number(ir.floor, ir.where), _number(np.floor, np.where))


def _grouped(node: Node, places: Any, values: Any = 1.0) -> Any:
    """Return what the library does; raise an error where something is no position."""
    data, bins = to_numpy(places), node.size
    known = places_of(data if data.dtype.kind == "f" else data.astype(np.float64))
    if known is None or known.stop > bins:
        raise bad_index()
    by, at = dict(node.option("attributes"))["by"], known.where
    given = to_numpy(values)
    if by == "count":
        found = np.bincount(at, minlength=bins).astype(np.float64)
    else:
        weights = linear(given).astype(np.float64, copy=False)
        found = ACCUMULATED[by](at, np.broadcast_to(weights, at.shape), bins, 0.0)
    return from_numpy(found.astype(given.dtype).reshape(node.shape, order="F"))


# -- bins ------------------------------------------------------------------------------------------


class Measures(NamedTuple):
    """What bins are chosen by, of the elements that are finite.

    Attributes:
        size: how many these are.
        spread: their standard deviation, 0 for one.
        whole: whether all are whole numbers.
    """

    size: int
    low: float
    high: float
    spread: float
    whole: bool


def measures(x: Any) -> Measures | None:
    """Those of a floating array that is pending or on a device; None for others."""
    graph, node = _array(x)
    if node is None or graph is None or node.cls not in FLOAT_CLASSES:
        return None
    axes = tuple(range(len(node.shape)))
    static = (("axes", axes), ("options", ()), ("outputs", 5))
    whole = graph.append(MEASURE, (node,), static, (1, 1), "double")
    parts = [graph.append(ITEM, (whole,), (("output", k),), (1, 1), "double") for k in range(5)]
    graph.evaluate([*parts, *([] if node.data is not None else [node])])
    count, low, high, squares, same = [graph.elements(part).item() for part in parts]
    spread = math.sqrt(squares / (count - 1)) if count > 1 else 0.0
    return Measures(int(count), low, high, spread, bool(same))


def _measured(x: V) -> Any:
    x = ir.cast(x, "f64")
    finite = ir.isfinite(x)
    count = ir.reduce(reducers.sum_("f64"), ir.cast(finite, "f64"))[0]
    mean = ir.reduce(reducers.sum_("f64"), ir.where(finite, x, 0.0))[0] / count
    off = ir.where(finite, x - mean, 0.0)
    there = ir.where(finite, x, math.nan)
    whole = ir.logical_not(finite) | (ir.floor(x) == x)
    return (
        count,
        ir.reduce(reducers.minimum("f64"), there)[0],
        ir.reduce(reducers.maximum("f64"), there)[0],
        ir.reduce(reducers.sum_("f64"), off * off)[0],
        ir.cast(ir.reduce(reducers.all_(), whole)[0], "f64"),
    )


def _measured_on_host(node: Node, x: Any) -> Any:
    data = to_numpy(x).astype(np.float64)
    data = data[np.isfinite(data)]
    if not data.size:
        return 0.0, math.nan, math.nan, 0.0, 1.0
    squares = float(((data - data.mean()) ** 2).sum())
    whole = float((data == np.round(data)).all())
    return float(data.size), float(data.min()), float(data.max()), squares, whole


MEASURE = reduce_op(
    "histcounts", Reduction(_measured, result="double", outputs=5), _measured_on_host
)


def histogram(
    x: Any, edges: NDArray[Any], shape: Shape, closed: bool, bins: bool
) -> Sequence[Any] | None:
    """Count between edges as an array of `shape`, and the bin of each element if it is wanted.

    Args:
        edges: of doubles, which do not decrease; two at least.
        closed: whether the last bin has its upper edge, too.

    Returns:
        None where `x` is not on a device, or no provider has the library call.
    """
    graph, node = _array(x)
    if node is None or graph is None or not offered("histogram"):
        return None
    limits = graph.source(np.asfortranarray(edges.reshape(-1, 1)), "double")
    outputs = ((shape, "double"), (node.shape, "double"))[: 1 + bins]
    bounds = (None, (0, edges.size))
    extents = (node.size, edges.size)
    request = Requested((("closed", closed),), outputs, False, extents, bounds)
    found = capture_call(graph, call_op("histogram", _binned), (node, limits), request)
    return found if isinstance(found, tuple) else (found,)


def _array(x: Any) -> tuple[Graph | None, Node | None]:
    """Return the node of a real array of some elements that is pending or on a device."""
    graph = lazy(x)
    if graph is None or not pending(x) or x.shape == (1, 1) or 0 in x.shape:
        return None, None
    node = node_of(graph, x)
    return graph, node if isinstance(node, Node) else None


def _binned(node: Node, x: Any, limits: Any) -> Any:
    data, edges = to_numpy(x).astype(np.float64), linear(to_numpy(limits))
    closed = dict(node.option("attributes"))["closed"]
    if closed and node.option("outputs", 1) == 1:
        return from_numpy(counted(data, edges).reshape(node.shape))
    at = binned(data, edges) if closed else edge_reached(data, edges)
    counts = np.bincount(at.ravel(), minlength=edges.size + 1)[1 : node.size + 1]
    found = from_numpy(counts.astype(np.float64).reshape(node.shape))
    if node.option("outputs", 1) == 1:
        return found
    return found, from_numpy(at.astype(np.float64))
