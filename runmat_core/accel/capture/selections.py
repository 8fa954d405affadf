"""Subscripts whose elements are still to be computed, or on a device: masks and computed places.

What a mask selects is as large as it has true elements, which are counted and read. Computed places
need no look: where nothing is known of them, the kernel that uses them watches that they are
places, and what they are no places of is left to the ordinary rules, which have the error or let
the array grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.calls import (
    Form,
    call_op,
    capture_call,
    capture_form,
    form_of_arrays,
    offered,
)
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph import facts
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Op, Shape
from runmat_core.accel.ops import complexes
from runmat_core.accel.ops.counts import count_of
from runmat_core.accel.ops.generators import FILL, RANGE
from runmat_core.api import ir
from runmat_core.api.errors import MatlabError, bad_index
from runmat_core.api.fusion import Requested
from runmat_core.api.ir import FLOATS, Fragment, Known, V
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.deferred import Deferred
from runmat_core.values.subscript import is_vector, linear, trimmed

#: Arrays with more elements are left alone: places are numbers of 32 bits.
_WORD = 1 << 31
#: Element types that places may come in.
_NUMBERS = frozenset({"f32", "f64", "i8", "i16", "i32", "u8", "u16"})
_VALUES = (("gives", ("values",)),)
#: Most operations that are done on all elements rather than on those that a mask selects.
OPERATIONS = 16


def oriented(given: Shape, shape: Shape, count: int) -> Shape:
    """Return the size of what one subscript of size `given` selects of an array of `shape`."""
    if is_vector(given) and is_vector(shape) and shape != (1, 1):
        return (1, count) if shape[0] == 1 else (count, 1)
    return given


# -- masks -----------------------------------------------------------------------------------------


def masked(graph: Graph, node: Node, mask: Node) -> Any:
    """``x(mask)`` for a mask with as many elements, or NotImplemented."""
    if (mask.shape != node.shape and mask.size != node.size) or not offered("compact"):
        return NotImplemented
    if node.cls in COMPLEX_CLASSES:
        count_of(graph, mask, node)
        return _by_parts(graph, lambda part: masked(graph, part, mask), node)
    form = _compact(mask.shape, node.shape, node.cls, count_of(graph, mask, node))
    return capture_form(graph, call_op("compact", _masked), (mask, node), form, True)


@lru_cache(maxsize=256)
def _compact(mask: Shape, shape: Shape, cls: str, count: int) -> Form:
    """Return the call that takes a number of elements of an array by a mask."""
    row = len(mask) == 2 and mask[0] == 1
    taken = oriented((1, count) if row else (count, 1), shape, count)
    extents = (math.prod(mask), 1, 0, count)
    return form_of_arrays(Requested(_VALUES, ((taken, cls),), extents=extents), 2)


def _masked(node: Node, mask: Any, x: Any) -> Any:
    # twice as fast as a mask is as a subscript
    found = linear(to_numpy(x))[np.flatnonzero(linear(to_numpy(mask)))]
    return from_numpy(found.reshape(node.shape, order="F"))


def filled(graph: Graph, node: Node, mask: Node, value: Any) -> Any:
    """``x(mask) = value`` for a mask of the same size, or NotImplemented.

    Args:
        value: of the class of `x`: a node or a scalar.
    """
    if mask.shape != node.shape:
        return NotImplemented
    if value.__class__ is Node and value.shape != (1, 1):
        # x(m) = f(x(m), y(m)) chooses between f(x, y) and x: what y(m) would be is not needed
        whole = _unselected(graph, value, mask, node.shape)
        if whole is not None:
            return _chosen(graph, node, mask, whole)
        if not offered("expand") or value.size != count_of(graph, mask, node, value):
            return NotImplemented
        if node.cls in COMPLEX_CLASSES:
            return _by_parts(graph, lambda x, v: filled(graph, x, mask, v), node, value)
        request = Requested((), ((node.shape, node.cls),), extents=(node.size, value.size))
        return capture_call(graph, call_op("expand", _expanded), (node, mask, value), request)
    return _chosen(graph, node, mask, value)


def _by_parts(graph: Graph, rule: Callable[..., Any], *nodes: Node) -> Any:
    """Apply a rule that moves elements to complex nodes, as library calls move real ones."""
    real, imag = zip(*[complexes.parts_of(graph, node) for node in nodes], strict=True)
    made = [rule(*parts) for parts in (real, imag)]
    if any(one is NotImplemented for one in made):
        return NotImplemented
    return deferred(complexes.joined(graph, *[one.promise.node for one in made]))


def _chosen(graph: Graph, node: Node, mask: Node, value: Any) -> Any:
    return deferred(graph.append(CHOOSE, (node, mask, value), (), node.shape, node.cls))


def filled_along(graph: Graph, node: Node, mask: Node, axis: int, value: Any) -> Any:
    """``x(:, mask, :) = value`` for a mask along an axis, all of it; or NotImplemented.

    Args:
        value: of the class of `x`: a scalar, or a node with one element.
    """
    if mask.size != node.shape[axis]:
        return NotImplemented
    shape = lying(mask.size, axis)
    if mask.shape != shape:
        turned = view_of(graph, mask, "reshape", shape, 0, dense_strides(shape))
        mask = turned.promise.node
    return _chosen(graph, node, mask, value)


def _unselected(graph: Graph, value: Node, mask: Node, shape: Shape) -> Node | None:
    """Return an array of size `shape` that has `value` where the mask is true, in few operations.

    None of these operations may leave the reals where the mask is false.
    """
    done: dict[int, Node] = {}
    stack = [value]
    while stack:
        node = stack[-1]
        if id(node) in done:
            stack.pop()
        elif node.shape == (1, 1):
            done[id(node)] = stack.pop()
        elif node.data is not None or len(done) > OPERATIONS:
            return None
        elif node.op is call_op("compact", _masked):
            if node.inputs[0] is not mask or node.inputs[1].shape != shape:
                return None
            done[id(node)] = stack.pop().inputs[1]
        elif node.op.kind != "map" or node.guarded or node.static or node.shape != value.shape:
            return None
        else:
            missing = [v for v in node.inputs if v.__class__ is Node and id(v) not in done]
            if missing:
                stack += missing
                continue
            inputs = tuple([done[id(v)] if v.__class__ is Node else v for v in node.inputs])
            done[id(node)] = graph.append(stack.pop().op, inputs, (), shape, node.cls)
    return done[id(value)]


def _expanded(node: Node, x: Any, mask: Any, values: Any) -> Any:
    data, new = _taking(x, values)
    linear(data)[np.flatnonzero(linear(to_numpy(mask)))] = linear(new)
    return from_numpy(data)


def _taking(x: Any, values: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return a copy of `x` that takes elements of `values`, which may have turned out complex.

    These.
    """
    data, new = to_numpy(x), to_numpy(values)
    wide = np.result_type(data, new) if new.dtype.kind == "c" else data.dtype
    return np.array(data, wide, order="F"), new


def _either(node: Node, x: Any, mask: Any, value: Any) -> Any:
    found = to_numpy(value)
    # complex elements that are all real come as real ones
    data = to_numpy(x)
    wide = np.result_type(data, found) if found.dtype.kind == "c" else data.dtype
    data = np.array(data, wide, order="F")
    where = to_numpy(mask)
    where = where.reshape(where.shape + (1,) * (data.ndim - where.ndim), order="F")
    np.copyto(data, found, casting="unsafe", where=where)
    return from_numpy(data)


@cache
def _choosing(
    dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Any = ()
) -> Fragment:
    return ir.trace(lambda x, m, v: ir.where(m, ir.cast(v, x.dtype), x), dtypes, known)


CHOOSE = Op("subsasgn", "map", _either, _choosing)


# -- computed places -------------------------------------------------------------------------------


def gathered(graph: Graph, node: Node, numbers: Node, gather: Op) -> Any:
    """``x(numbers)``, or NotImplemented where that may not be.

    Args:
        gather: the operation that takes elements at places from zero.
    """
    places = places_of(graph, numbers, node.size)
    if places is None:
        return NotImplemented
    shape = oriented(numbers.shape, node.shape, numbers.size)
    return sure([places], graph.append(gather, (node, places), (), shape, node.cls))


def scattered(graph: Graph, node: Node, places: Node, value: Any, checks: Sequence[Node]) -> Any:
    """`x` with ``value`` at places from zero, or NotImplemented.

    Args:
        value: of the class of `x`: a scalar, or a node with one element or as many as places.
        checks: nodes whose guards tell whether these are places of `x`.
    """
    if not offered("scatter"):
        return NotImplemented
    if value.__class__ is not Node:
        value = graph.append(FILL, (value,), (), (1, 1), node.cls)
    if value.size not in (1, places.size):
        return NotImplemented
    extents = (node.size, places.size, value.size)
    request = Requested((), ((node.shape, node.cls),), extents=extents)
    made = capture_call(graph, call_op("scatter", _scattered), (node, places, value), request)
    assert isinstance(made, Deferred)
    return sure(checks, made.promise.node)


def _scattered(node: Node, x: Any, places: Any, values: Any) -> Any:
    data, new = _taking(x, values)
    new = linear(new)
    linear(data)[linear(to_numpy(places))] = new if new.size > 1 else new[0]
    return from_numpy(data)


def places_of(graph: Graph, numbers: Node, size: int) -> Node | None:
    """Numbers from one as places from zero; guarded where they may be none of so many."""
    if numbers.dtype not in _NUMBERS or numbers.size < 2 or size >= _WORD:
        return None
    if numbers.dtype == "f32" and size >= 1 << 24:
        return None
    known = facts.facts_of(numbers)
    sure = known.whole and not known.nan and known.low >= 1 and known.high <= size
    inputs = (numbers, float(size))
    return graph.append(PLACES, inputs, (), numbers.shape, "int32", not sure)


def sure(checks: Sequence[Node], made: Node) -> Any:
    """Return a value for `made`; NotImplemented where a guard of `checks` says that it is none."""
    value = deferred(made)
    if any(node.guarded for node in checks):
        try:
            made.graph.evaluate([made])  # type: ignore[attr-defined]
        except MatlabError:
            return NotImplemented
    return value


def differs(value: Any, number: float) -> bool:
    """Return whether a pending double differs from a number; a trace watches that.

    Args:
        value: a `Deferred` of one element.
    """
    graph: Graph = value.promise.node.graph
    inputs = (value.promise.node, number)
    watched = graph.append(DIFFERENT, inputs, (), (1, 1), "double", True)
    return sure([watched], watched) is not NotImplemented


def _different(node: Node, value: Any, number: float) -> Any:
    if float(to_numpy(value).item()) == number:
        raise MatlabError("RunMat:accel:different", "A value is not what was expected.")
    return value


def _checked(node: Node, numbers: Any, size: Any) -> Any:
    data = to_numpy(numbers)
    if not ((data >= 1) & (data <= size) & (data == np.floor(data))).all():
        raise bad_index()
    return from_numpy((data - 1).astype(np.int32))


def _placing(function: Callable[..., Any]) -> Callable[..., Fragment]:
    @cache
    def fragment(
        dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Any = ()
    ) -> Fragment:
        return ir.trace(function, dtypes, known)

    return fragment


def _no_place(number: V, size: V) -> V:
    if number.dtype in FLOATS:
        there = (number >= 1.0) & (number <= size) & (ir.floor(number) == number)
    else:
        whole = ir.cast(number, "i32")
        there = (whole >= 1) & (whole <= ir.cast(size, "i32"))
    return ir.logical_not(there)


DIFFERENT = Op(
    "ne",
    "map",
    _different,
    _placing(lambda value, number: value + number * 0.0),
    lambda value, number: value == number,
)
PLACES = Op(
    "subsref",
    "map",
    _checked,
    _placing(lambda number, size: ir.cast(number, "i32") - 1),
    _no_place,
)


# -- several subscripts ----------------------------------------------------------------------------


def along(graph: Graph, sub: Node, extent: int, axis: int) -> Node | None:
    """Return the places of a computed subscript, along its axis; None where they cannot be told."""
    numbers: Node | None = sub
    if sub.cls == "logical":
        if sub.size > extent or not offered("compact"):
            return None
        count = count_of(graph, sub)
        request = Requested(
            (("gives", ("places",)),),
            (((count, 1), "double"),),
            extents=(sub.size, 1, 0, count),
            bounds=((1, extent),),
        )
        found = capture_call(graph, call_op("compact", _found), (sub,), request)
        assert isinstance(found, Deferred)
        numbers = found.promise.node
    assert numbers is not None
    shape = lying(numbers.size, axis)
    if numbers.shape != shape:
        turned = view_of(graph, numbers, "reshape", shape, 0, dense_strides(shape))
        bounds, numbers = numbers.facts, turned.promise.node
        numbers.facts = bounds
    return places_of(graph, numbers, extent)


def lying(count: int, axis: int) -> Shape:
    """Return the size of a number of elements along an axis."""
    return trimmed(tuple([count if k == axis else 1 for k in range(max(axis + 1, 2))]))


def _found(node: Node, mask: Any) -> Any:
    at = np.flatnonzero(linear(to_numpy(mask))) + 1.0
    return from_numpy(at.reshape(node.shape))


def spread(graph: Graph, start: int, step: int, count: int, axis: int) -> Node:
    """Places from zero at equal distances, along an axis."""
    return graph.append(RANGE, (float(start), float(step)), (), lying(count, axis), "double")


def combined(graph: Graph, parts: Sequence[Node], steps: Sequence[int], shape: Shape) -> Node:
    """Return the places of all combinations of places along each axis.

    Args:
        parts: for each axis a node that lies along it.
        steps: how far apart neighbours along each axis are.
    """
    inputs = (*parts, *[float(step) for step in steps])
    return graph.append(COMBINE, inputs, (), shape, "int32")


def _combined(node: Node, *values: Any) -> Any:
    half = len(values) // 2
    total: Any = 0
    for part, step in zip(values[:half], values[half:], strict=True):
        places = to_numpy(part).astype(np.int64) * int(step)
        total = total + places.reshape(places.shape + (1,) * (len(node.shape) - places.ndim))
    return from_numpy(total.astype(np.int32).reshape(node.shape, order="F"))


def _combining(*values: V) -> V:
    half = len(values) // 2
    terms = [
        ir.cast(part, "i32") * ir.cast(step, "i32")
        for part, step in zip(values[:half], values[half:], strict=True)
    ]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


COMBINE = Op("subsref", "map", _combined, _placing(_combining))
