"""Subscripts that are still to be computed, or on a device, alone and among others.

What they select is told by nodes (`selections`): masks choose or are counted, places are checked
where they are used. Subscripts that are known lie beside them along their own axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture import selections
from runmat_core.accel.capture.boundary import any_node_of, deferred, node_of, pending
from runmat_core.accel.capture.spans import Positions, Range, Selection, check, select
from runmat_core.accel.capture.stored import as_complex, source_of, suits, suits_complex
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Shape
from runmat_core.accel.ops.complexes import widened
from runmat_core.accel.ops.views import GATHER
from runmat_core.api.errors import MatlabError
from runmat_core.api.ir import COMPLEX_CLASS, COMPLEX_OF
from runmat_core.values.array import Array
from runmat_core.values.base import COLON
from runmat_core.values.deferred import Deferred
from runmat_core.values.subscript import folded, linear, trimmed

#: A region is captured when it is at least this part of its array: a write copies the array.
PART = 8


def is_dynamic(sub: Any) -> bool:
    """Whether a subscript is several elements that are still to be computed, or on a device."""
    if sub.__class__ is not Deferred or sub.shape == (1, 1) or not pending(sub):
        return False
    node: Node = sub.promise.node
    return node.data is not None or node.op.kind != "range"


def is_list(sub: Any) -> bool:
    """Whether a subscript on the host is a logical array, or numbers that are no range."""
    return is_mask(sub) or (sub.__class__ is Array and scattered([sub]))


def is_mask(sub: Any) -> bool:
    """Whether a subscript is a logical array on the host."""
    return sub.__class__ is Array and sub.data.dtype.kind == "b" and sub.data.size > 1


def scattered(subs: Sequence[Any]) -> bool:
    """Whether the first elements of a subscript and its last show that it is no range."""
    for sub in subs:
        if sub.__class__ is Array and sub.data.size > 2 and sub.data.dtype.kind in "fiu":
            flat = linear(sub.data)
            first, step = float(flat[0]), float(flat[1]) - float(flat[0])
            if flat[2] - flat[1] != step or flat[-1] != first + (flat.size - 1) * step:
                return True
    return False


def column_strides(shape: Shape) -> list[int]:
    """Return the distance of neighbours along each axis, whatever the extents."""
    steps = [1]
    for extent in shape[:-1]:
        steps.append(steps[-1] * extent)
    return steps


# -- reading ---------------------------------------------------------------------------------------


def read(graph: Graph, value: Any, subs: Sequence[Any], shape: Shape) -> Any:
    """Return what is read where a subscript is computed."""
    node = any_node_of(graph, value)
    if node.__class__ is not Node:
        return NotImplemented
    if len(subs) == 1:
        sub = node_of(graph, subs[0])
        if sub.__class__ is not Node:
            return NotImplemented
        if sub.cls == "logical":
            return selections.masked(graph, node, sub)
        return selections.gathered(graph, node, sub, GATHER)
    parts = _along_axes(graph, subs, shape)
    if parts is None:
        return NotImplemented
    result = trimmed(tuple([part.size for part in parts]))
    if 0 in result:
        return NotImplemented
    places = selections.combined(graph, parts, column_strides(shape), result)
    made = graph.append(GATHER, (node, places), (), result, node.cls)
    return selections.sure(parts, made)


def _along_axes(graph: Graph, subs: Sequence[Any], shape: Shape) -> list[Node] | None:
    """For each of several subscripts its places from zero, along its axis."""
    if math.prod(shape) >= 1 << 31:
        return None
    parts: list[Node] = []
    for axis, (sub, extent) in enumerate(zip(subs, shape, strict=True)):
        if is_dynamic(sub):
            node = node_of(graph, sub)
            part = selections.along(graph, node, extent, axis) if isinstance(node, Node) else None
        else:
            one = select(sub, extent, axis)
            if one is None:
                return None
            if sub is not COLON:
                check(one, extent, sub, axis)
            part = _places(graph, one, axis)
        if part is None:
            return None
        parts.append(part)
    return parts


def _places(graph: Graph, one: Selection, axis: int) -> Node:
    """Return what is selected along an axis as places from zero."""
    if isinstance(one, Range):
        return selections.spread(graph, one.start, one.step, one.count, axis)
    lying = one.where.astype(np.int32).reshape(selections.lying(one.count, axis))
    return graph.source(np.asfortranarray(lying), "int32")


def gathered(
    graph: Graph, node: Node, found: Sequence[Selection], shape: Shape, result: Shape
) -> Any:
    """Return the elements that known subscripts select, or NotImplemented.

    Args:
        shape: that of the array, folded to as many axes as there are subscripts.
        result: the size of what is selected.
    """
    if math.prod(shape) >= 1 << 31:
        return NotImplemented
    if len(found) == 1:
        (only,) = found
        where = (
            only.where
            if isinstance(only, Positions)
            else only.start + only.step * np.arange(only.count)
        )
        at = np.asfortranarray(where.astype(np.int32).reshape(result, order="F"))
        return deferred(
            graph.append(GATHER, (node, graph.source(at, "int32")), (), result, node.cls)
        )
    parts = [_places(graph, one, axis) for axis, one in enumerate(found)]
    places = selections.combined(graph, parts, column_strides(shape), result)
    return deferred(graph.append(GATHER, (node, places), (), result, node.cls))


# -- writing ---------------------------------------------------------------------------------------


def written(graph: Graph, value: Any, subs: Sequence[Any], rhs: Any) -> Any:
    """``value(subs...) = rhs`` where a subscript is computed, or a list beside a pending array."""
    if len(subs) == 1:
        return _linearly(graph, value, subs[0], rhs)
    node = node_of(graph, value)
    if not isinstance(node, Node) or not suits(rhs, node.cls):
        return NotImplemented
    shape = folded(node.shape, len(subs))
    scalar = node_of(graph, rhs)
    if scalar is None:
        return NotImplemented  # as below
    lone = [axis for axis, sub in enumerate(subs) if sub is not COLON]
    if len(lone) == 1 and (scalar.__class__ is not Node or scalar.shape == (1, 1)):
        mask = node_of(graph, subs[lone[0]])
        if isinstance(mask, Node) and mask.cls == "logical" and shape == node.shape:
            return selections.filled_along(graph, node, mask, lone[0], scalar)
    try:
        parts = _along_axes(graph, subs, shape)
    except MatlabError:
        return NotImplemented  # the array grows, or the ordinary rules have the error
    if parts is None:
        return NotImplemented
    counts = tuple([part.size for part in parts])
    source = source_of(graph, rhs, counts, node.cls) if 0 not in counts else None
    if source is None:
        return NotImplemented
    places = selections.combined(graph, parts, column_strides(shape), trimmed(counts))
    return selections.scattered(graph, node, places, source, parts)


def _of_complex(graph: Graph, whole: Node, mask: Any, rhs: Any, of_real: bool) -> Any:
    """Return what a masked write leaves of which either side is complex, or NotImplemented.

    A real array becomes complex: where all that is written turns out to be real, it is real when it
    is read. A complex array that real elements are written to stays complex, which no node can
    say.

    Args:
        of_real: whether `rhs` is real.
    """
    dtype = COMPLEX_OF.get(whole.dtype, whole.dtype)
    if not isinstance(mask, Node) or mask.cls != "logical" or dtype not in COMPLEX_CLASS:
        return NotImplemented
    cls = COMPLEX_CLASS[dtype]
    source = as_complex(graph, rhs, cls) if suits_complex(rhs, cls) else None
    if source is None or (whole.cls == cls and of_real and source.shape != (1, 1)):
        return NotImplemented
    return selections.filled(graph, widened(graph, whole, cls), mask, source)


def _linearly(graph: Graph, value: Any, sub: Any, rhs: Any) -> Any:
    """Return what one subscript that is a mask or a list of places leaves."""
    node, where, source = any_node_of(graph, value), node_of(graph, sub), node_of(graph, rhs)
    if isinstance(node, Node) and (node.cls in COMPLEX_CLASSES or source is None):
        return _of_complex(graph, node, where, rhs, source is not None)
    if not isinstance(node, Node) or not isinstance(where, Node) or not suits(rhs, node.cls):
        return NotImplemented
    if where.cls == "logical":
        return selections.filled(graph, node, where, source)
    if where.size * PART < node.size and not is_dynamic(sub):
        return NotImplemented
    places = selections.places_of(graph, where, node.size)
    if places is None:
        return NotImplemented
    return selections.scattered(graph, node, places, source, [places])
