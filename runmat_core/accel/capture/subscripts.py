"""Subscripts of pending and of large arrays: views, gathers, and writing of regions.

What a subscript selects is known at once, and so are its errors, which are raised where it stands.
Subscripts that are still to be computed are for `computed`. Reading a second element asks for all
of them and is left to the ordinary rules; so is everything small of an array that is there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture import computed, few, pieces, selections
from runmat_core.accel.capture.affine_index import PLAIN, affine_index
from runmat_core.accel.capture.boundary import any_node_of, deferred, pending
from runmat_core.accel.capture.computed import (
    PART,
    column_strides,
    is_dynamic,
    is_list,
    is_mask,
    scattered,
)
from runmat_core.accel.capture.direct import plain
from runmat_core.accel.capture.spans import (
    Positions,
    Range,
    Selection,
    selections_of,
)
from runmat_core.accel.capture.stored import fitting, source_of, suits
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.context import CaptureContext, get
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, ONE_ARRAY, TWO_ARRAYS, Node, Shape
from runmat_core.accel.ops.parts import UPDATE
from runmat_core.accel.ops.views import AXES, GATHER, form_of, view_op
from runmat_core.accel.running import writes
from runmat_core.accel.running.at_once import runs_at_once
from runmat_core.values.array import Array
from runmat_core.values.base import COLON, place_of
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.hooks import HOOKS
from runmat_core.values.subscript import at_most, folded, is_vector, trimmed

#: So many writes from the host leave an array on its device.
FROM_HOST = 64

#: So many small parts of a pending array are written where it is made.
CHOICES = 4

_ONE = (1, 1)
_SCALARS = frozenset({float, bool})
_SUBSREF = view_op("subsref")


# -- reading ---------------------------------------------------------------------------------------


def index(value: Any, subs: Sequence[Any]) -> Any:
    """``value(subs...)`` as a node, or NotImplemented.

    Raises:
        MatlabError: a subscript is none, or selects what is not there.
    """
    seat = get()
    if seat is not None and seat.tracing:
        return seat.graph.index(value, subs)
    if seat is None or not subs or (seat.at_once and _at_once(value, subs)):
        return NotImplemented
    graph: Graph = seat.graph
    if _plain(subs):
        return few.element(seat, value, subs)
    if len(subs) == 1 and subs[0].__class__ is Deferred:
        masked = _by_mask(seat, graph, value, subs[0])
        if masked is not NotImplemented:
            return masked
    waits = _waits(value)
    if waits and promise_of(value).node.graph is not graph:
        return NotImplemented
    lists = not PLAIN.issuperset(map(type, subs))
    if waits and few.had_at_once(seat, value, subs):
        return NotImplemented
    if lists and waits:
        if (listed := _listed(seat, graph, value, subs)) is not None:
            return listed
    elif lists and at_most(value.shape, subs) < seat.threshold:
        return NotImplemented  # lists may be long: they are not looked at where they select little
    made = _by_address(seat, graph, value, subs, waits, lists)
    if made is not None:
        return made
    shape = folded(value.shape, len(subs))
    if not waits and (scattered(subs) or any(map(is_mask, subs))):
        return NotImplemented  # host rules look at the subscripts' elements, and need do so once
    if any(map(is_dynamic, subs)):
        return computed.read(graph, value, subs, shape)
    found = selections_of(shape, subs, True)
    if found is None:
        return NotImplemented
    count = math.prod([one.count for one in found])
    if (not waits and count < seat.threshold) or count == 1:
        return NotImplemented
    node = any_node_of(graph, value)
    if node.__class__ is not Node:
        return NotImplemented
    result = shape_of(found, value.shape)
    spans = [one for one in found if one.__class__ is Range]
    if len(spans) < len(found):
        if not waits:
            return NotImplemented
        made = pieces.joined(graph, node, found, shape, result)
        if made is not NotImplemented:
            return made
        key = _key_of(value.shape, subs) if math.prod(result) <= FEW_PLACES else None
        return _gathered(graph, node, _places_of(found, shape, result), key)
    offset = 0
    strides = []
    step = 1
    for one, extent in zip(spans, shape, strict=True):
        offset += one.start * step
        strides.append(one.step * step)
        step *= extent
    if len(spans) == 1:
        strides = [strides[0] * step for step in column_strides(result)]
    return view_of(graph, node, "subsref", result, offset if count else 0, tuple(strides))


def part(value: Any, subs: Sequence[Any]) -> Any:
    """`index` where ranges of whole numbers are among the subscripts and all is there."""
    seat = get()
    if seat is None or seat.tracing or (seat.at_once and _at_once(value, subs)):
        return NotImplemented
    waits = value.__class__ is Deferred and _waits(value)
    if waits and promise_of(value).node.graph is not seat.graph:
        return NotImplemented
    if waits and few.had_at_once(seat, value, subs):
        return NotImplemented
    lists = not PLAIN.issuperset(map(type, subs))
    made = _by_address(seat, seat.graph, value, subs, waits, lists)
    return NotImplemented if made is None else made


def _at_once(value: Any, subs: Sequence[Any]) -> bool:
    """Whether elements of an array are taken at once here: nothing is pending."""
    if value.__class__ is Array and Deferred not in map(type, subs):
        return runs_at_once(value.data.size)
    if _waits(value) or any(map(pending, subs)):
        return False
    return runs_at_once(math.prod(value.shape))


def _is_away(value: Any) -> bool:
    """Whether the elements of an array are on a device, or are to be there."""
    if value.__class__ is not Deferred:
        return False
    promise = promise_of(value)
    return promise.pinned or promise.node.data.__class__ not in (np.ndarray, type(None))


def _by_address(
    seat: CaptureContext, graph: Graph, value: Any, subs: Sequence[Any], waits: bool, lists: bool
) -> Any:
    """Return what subscripts at equal distances select; None where it takes more looking.

    Args:
        lists: whether there are others than `PLAIN` ones.
    """
    held = value.data if value.__class__ is Array else promise_of(value)
    region = affine_index(held.shape, subs, lists)
    if region is None:
        return None
    offset, strides, shape = region
    if shape == _ONE or (not waits and math.prod(shape) < seat.threshold):
        return NotImplemented
    node = plain(seat, graph, value)
    if node is None:
        return None
    all_of_it = shape == node.shape and not offset
    if (node.data is None and node.op.kind == "view") or all_of_it or len(shape) > AXES:
        return view_of(graph, node, "subsref", shape, offset, strides)
    static = (("offset", offset), ("strides", strides))
    form = form_of(node.shape, shape, static)
    return graph.grow(_SUBSREF, (node,), ONE_ARRAY, static, shape, node.cls, form=form)


def _by_mask(seat: CaptureContext, graph: Graph, value: Any, sub: Any) -> Any:
    """Return what a mask that is not on the host selects of a large array, by the shortest way."""
    mask = plain(seat, graph, sub)
    if mask is None or mask.cls != "logical" or mask.data.__class__ is np.ndarray:
        return NotImplemented
    node = plain(seat, graph, value)
    if node is None or node.cls in COMPLEX_CLASSES:
        return NotImplemented
    return selections.masked(graph, node, mask)


def _waits(value: Any) -> bool:
    """Whether an array is not on the host yet, or is on the device by the program's wish."""
    if value.__class__ is not Deferred:
        return False
    promise = promise_of(value)
    return promise.node.data.__class__ is not np.ndarray or promise.pinned


def _plain(subs: Sequence[Any]) -> bool:
    """Whether every subscript is one number."""
    return _SCALARS.issuperset(map(type, subs))


def shape_of(found: Sequence[Selection], shape: Shape) -> Shape:
    """Return the size of what is read from an array of `shape`."""
    if len(found) > 1:
        return trimmed(tuple([one.count for one in found]))
    only = found[0]
    given = only.shape
    whole = isinstance(only, Range) and given == (math.prod(shape), 1) and only.step == 1
    if is_vector(given) and is_vector(shape) and math.prod(shape) != 1 and not whole:
        return (1, only.count) if shape[0] == 1 else (only.count, 1)
    return given


#: The places of so many short lists are kept, so that they need not be brought to a device again.
LISTS, FEW_PLACES = 256, 4096
_places: dict[Any, NDArray[Any]] = {}


def _gathered(graph: Graph, node: Node, places: NDArray[Any], key: Any) -> Any:
    """Elements at arbitrary places, whose numbers become a source of their own.

    Args:
        key: what these places are known by; None where they are not to be kept.
    """
    if key is not None:
        if len(_places) >= LISTS:
            _places.clear()
        _places[key] = places
    source = graph.source(places, "int32" if places.dtype.char == "i" else "int64")
    return deferred(graph.append(GATHER, (node, source), (), places.shape, node.cls))


def _listed(seat: CaptureContext, graph: Graph, value: Any, subs: Sequence[Any]) -> Any:
    """Return what subscripts that were met before select; None where that takes more looking."""
    key = _key_of(value.shape, subs)
    places = None if key is None else _places.get(key)
    node = None if places is None else plain(seat, graph, value)
    if node is None or places is None:
        return None
    source = graph.source(places, "int32" if places.dtype.char == "i" else "int64")
    return graph.grow(GATHER, (node, source), TWO_ARRAYS, (), places.shape, node.cls)


def _key_of(shape: Shape, subs: Sequence[Any]) -> Any:
    """Return the signature of short lists, numbers and colons; None if there are others."""
    key: list[Any] = [shape]
    for sub in subs:
        if sub.__class__ is Array:
            data = sub.data
            if data.size > FEW_PLACES or data.dtype.char not in "df?":
                return None
            key.append((data.shape, data.dtype.char, data.tobytes()))
        elif sub is COLON or sub.__class__ is float:
            key.append(sub)
        else:
            return None
    return tuple(key)


def _places_of(found: Sequence[Selection], shape: Shape, result: Shape) -> NDArray[Any]:
    """Return the places, from zero, of all combinations of what is selected along each axis."""
    kind = np.int32 if math.prod(shape) < 2**31 else np.int64
    places = np.zeros((1,) * len(found), kind)
    for axis, (one, step) in enumerate(zip(found, column_strides(shape), strict=True)):
        where = (
            one.where
            if isinstance(one, Positions)
            else np.arange(one.count, dtype=np.int64) * one.step + one.start
        )
        along = [1] * len(found)
        along[axis] = one.count
        places = places + (where * step).astype(kind).reshape(along)
    return np.asfortranarray(places.reshape(result, order="F"))


# -- writing ---------------------------------------------------------------------------------------


def assign(value: Any, subs: Sequence[Any], rhs: Any) -> Any:
    """``value(subs...) = rhs`` as a node, or NotImplemented; an array that is there is written to.

    Raises:
        MatlabError: a subscript is none.
    """
    seat = get()
    if seat is not None and seat.tracing:
        return seat.graph.assign(value, subs, rhs)
    if value.__class__ is Array and Deferred not in map(type, subs):
        return NotImplemented  # everything is there, but for what is written
    if seat is None or not subs:
        return NotImplemented
    if _plain(subs):
        return _put(seat, value, subs, rhs)
    if seat.at_once and not _is_away(value) and runs_at_once(math.prod(value.shape)):
        return NotImplemented
    graph: Graph = seat.graph
    if any(map(is_dynamic, subs)) or (len(subs) == 1 and pending(value) and is_list(subs[0])):
        return computed.written(graph, value, subs, rhs)
    if not _waits(value) or value.promise.node.graph is not graph:
        return NotImplemented
    target = _target(graph, value, subs, rhs)
    if target is None:
        return NotImplemented
    place, source = target
    there = writes.resident(seat.engine, value)
    if there and _stays(value, source) and writes.write(seat.engine, value, place, source):
        return value
    node: Node = value.promise.node
    # what is on the device is copied there where it has to be; few elements, and those of an array
    # in the host's memory, are written where they lie
    count = math.prod(place.counts)
    few_of_it = count < seat.threshold or count * PART < node.size
    if not there and few_of_it and not _is_chosen(seat, node, count):
        return NotImplemented
    if not pending(value) or few.in_host_memory(node):
        return NotImplemented
    static = (("offset", place.offset), ("region", place.counts), ("strides", place.strides))
    return deferred(graph.append(UPDATE, (node, source), static, node.shape, node.cls))


def _is_chosen(seat: CaptureContext, node: Node, count: int) -> bool:
    """Whether a small part of a pending array is written by a choice in the kernel that makes it.

    Such are the edges of a grid: the array would come from a device, and go back, for it.
    """
    if node.data is not None or count < 2 or not few.has_device(seat):
        return False
    for _ in range(CHOICES):
        if node.op is not UPDATE or node.data is not None:
            return True
        node = node.inputs[0]
    return False


def _put(seat: CaptureContext, value: Any, subs: Sequence[Any], rhs: Any) -> Any:
    """One element of an array that the program put on a device, or NotImplemented."""
    if value.__class__ is not Deferred or not value.promise.pinned:
        return NotImplemented
    if value.promise.node.graph is not seat.graph or not _is_element(rhs, value.promise.node.cls):
        return NotImplemented
    place = place_of(value.shape, subs)
    if place is None or not writes.put(seat.engine, value, place, rhs):
        return NotImplemented
    return value


def _is_element(rhs: Any, cls: str) -> bool:
    """Whether a value is one real element that goes into an array of a class as it is."""
    return rhs.__class__ in _SCALARS and cls not in COMPLEX_CLASSES and suits(rhs, cls)


def _target(graph: Graph, value: Any, subs: Sequence[Any], rhs: Any) -> Any:
    """Return the region that a write selects and the input that goes there.

    Return None where the ordinary rules have to see it.
    """
    node: Node = value.promise.node
    rhs = fitting(graph, rhs, node.cls)
    if not suits(rhs, node.cls):
        return None
    shape = folded(node.shape, len(subs))
    found = selections_of(shape, subs, False)
    if found is None:
        return None
    spans = [one for one in found if isinstance(one, Range)]
    if len(spans) < len(found) or any(
        one.end > extent for one, extent in zip(spans, shape, strict=True)
    ):
        return None
    counts = tuple([one.count for one in spans])
    if 0 in counts or any(one.step == 0 and one.count > 1 for one in spans):
        return None
    source = source_of(graph, rhs, counts, node.cls)
    if source is None:
        return None
    steps = column_strides(shape)
    offset = sum(one.start * step for one, step in zip(spans, steps, strict=True))
    strides = tuple(
        [one.step * step if one.count != 1 else 0 for one, step in zip(spans, steps, strict=True)]
    )
    return writes.Region(counts, offset, strides), source


def _stays(value: Any, source: Any) -> bool:
    """Whether an array had better stay on the device where something is written to it.

    What is written from the host again and again brings it there, unless the program placed it.
    """
    node: Node = value.promise.node
    if node.pinned or (source.__class__ is Node and source.data.__class__ is not np.ndarray):
        return True
    node.meets += 1
    return node.meets <= FROM_HOST


def install() -> None:
    """Let subscripts be captured."""
    HOOKS.index = index
    HOOKS.part = part
    HOOKS.assign = assign
