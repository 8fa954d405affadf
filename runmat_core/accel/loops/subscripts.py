"""Subscripts in a trace: parts of arrays that move with the variable of the loop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from runmat_core.accel.capture import computed
from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.capture.complexes import as_complex
from runmat_core.accel.capture.computed import is_computed
from runmat_core.accel.capture.generators import FILL
from runmat_core.accel.capture.spans import Span, select
from runmat_core.accel.capture.stored import suits
from runmat_core.accel.capture.subscripts import UPDATE
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Shape
from runmat_core.accel.loops import selected
from runmat_core.accel.loops.leaves import Refused
from runmat_core.accel.planning.addressing import steps_of
from runmat_core.values.base import COLON
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.deferred import Deferred
from runmat_core.values.subscript import folded, is_vector, trimmed

_OUTSIDE = "a subscript leaves the array in a later trip"


class Part(NamedTuple):
    """What subscripts select: counts along each, the address over them, and how it moves.

    Attributes:
        axes: those whose subscripts move.
    """

    counts: Shape
    offset: int
    strides: tuple[int, ...]
    advance: int
    shapes: tuple[Shape, ...]
    axes: tuple[int, ...]


def _part(graph: Any, shape: Shape, subs: Sequence[Any]) -> Part:
    """The part of an array of `shape` (folded to as many axes as there are subscripts)."""
    counts, strides, shapes, axes = [], [], [], []
    offset = advance = 0
    step = 1
    for axis, (sub, extent) in enumerate(zip(subs, shape, strict=True)):
        line = graph.affine(sub)
        if line is not None:
            first, move = line[0] - 1, line[1]
            last = first + move * (graph.trips - 1)
            if not (min(first, last) >= 0 and max(first, last) < extent):
                raise Refused(_OUTSIDE)
            span = Span(first, 1, 1, (1, 1))
            advance += move * step
            axes += [axis] if move else []
        else:
            found = select(sub, extent, None if len(subs) == 1 else axis)
            if not isinstance(found, Span):
                raise Refused("a subscript is computed")
            if sub is not COLON and found.end > extent:
                raise Refused(_OUTSIDE)
            span = found
        counts.append(span.count)
        shapes.append(span.shape)
        offset += span.start * step
        strides.append(span.step * step if span.count != 1 else 0)
        step *= extent
    return Part(tuple(counts), offset, tuple(strides), advance, tuple(shapes), tuple(axes))


def _shape_of(part: Part, shape: Shape) -> Shape:
    """The size of what is read from an array of `shape`; as `capture.subscripts` has it."""
    if len(part.counts) > 1:
        return trimmed(part.counts)
    given = part.shapes[0]
    whole = given == (math.prod(shape), 1) and part.strides[0] == 1
    if is_vector(given) and is_vector(shape) and math.prod(shape) != 1 and not whole:
        return (1, part.counts[0]) if shape[0] == 1 else (part.counts[0], 1)
    return given


def index(graph: Any, value: Any, subs: Sequence[Any]) -> Any:
    """``value(subs...)`` in a trace; NotImplemented where it is the ordinary rules' affair.

    Raises:
        Refused: it takes elements that only a run can know.
    """
    if not isinstance(value, Deferred) or value.promise.node.graph is not graph:
        return NotImplemented
    node: Node = value.promise.node
    chosen = selected.selection(graph, node, subs)
    if chosen is not None:
        return chosen
    part = _part(graph, folded(node.shape, len(subs)), subs)
    if 0 in part.counts:
        raise Refused("a part without elements")
    shape = _shape_of(part, node.shape)
    strides = part.strides
    if len(part.counts) == 1:
        one = part.strides[0] or 1
        strides = tuple([step * one for step in steps_of(shape)])
    if part.advance:
        node, whole = _unwritten(node, part, shape)
        if whole:
            return deferred(node)
        # further axes have extent 1
        return deferred(graph.slice(node, shape, part.offset, strides[: len(shape)], part.advance))
    return view_of(graph, node, "subsref", shape, part.offset, strides)


def _unwritten(node: Node, part: Part, shape: Shape) -> tuple[Node, bool]:
    """The array in which a part is what it is in `node`, without writes elsewhere, and False; the
    elements themselves, and True, where they were written in this trip.
    """
    reach = sum([abs(s) * (n - 1) for s, n in zip(part.strides, part.counts, strict=True)])
    while node.data is None and node.op is UPDATE:
        written = [node.option(name) for name in ("region", "strides", "advance")]
        if written != [part.counts, part.strides, part.advance]:
            break
        distance = part.offset - node.option("offset")
        source = node.inputs[1]
        if not distance and source.__class__ is Node and source.shape == shape:
            return source, True
        if not distance or distance % part.advance or reach >= abs(part.advance):
            break
        node = node.inputs[0]
    return node, False


def assign(graph: Any, value: Any, subs: Sequence[Any], rhs: Any) -> Any:
    """``value(subs...) = rhs`` in a trace.

    Raises:
        Refused: the part does not move with the loop, or the right side does not fit it as it is.
    """
    node: Any = value.promise.node
    if node.graph is not graph:
        return NotImplemented
    if rhs.__class__ is selected.Selected:
        return selected.stored(graph, node, subs, rhs)
    if not suits(rhs, node.cls):
        raise Refused("an assignment converts what it stores")
    if any(map(is_computed, subs)):
        found = computed.written(graph, value, subs, rhs)
        if found is NotImplemented:
            raise Refused("a subscript is computed")
        return found
    part = _part(graph, folded(node.shape, len(subs)), subs)
    if len(part.axes) > 1:
        raise Refused("it writes along a diagonal")
    of_complex = node.cls in COMPLEX_CLASSES
    source = as_complex(graph, rhs, node.cls) if of_complex else node_of(graph, rhs)
    if source is None:
        raise Refused("an assignment makes a real array complex")
    extents = [n for n in source.shape if n != 1] if source.__class__ is Node else []
    if part.advance and not extents:
        # parts that move are told element by element
        source = _spread(graph, source, part.counts, node.cls)
    elif extents and extents != [n for n in part.counts if n != 1]:
        raise Refused("an assignment expands what it stores")
    static = (
        ("advance", part.advance),
        ("axis", part.axes[0] if part.axes else -1),
        ("offset", part.offset),
        ("region", part.counts),
        ("strides", part.strides),
    )
    return deferred(graph.append(UPDATE, (node, source), static, node.shape, node.cls))


def _spread(graph: Any, source: Any, counts: Shape, cls: str) -> Any:
    """One element as all those of a part."""
    shape = counts if len(counts) > 1 else (*counts, 1)
    if math.prod(shape) == 1 or 0 in shape:
        return source
    if cls in COMPLEX_CLASSES or (source.__class__ is not Node and cls not in FLOAT_CLASSES):
        raise Refused("an assignment expands what it stores")
    if source.__class__ is not Node:
        return graph.append(FILL, (source,), (), trimmed(shape), cls)
    found = view_of(graph, source, "repmat", shape, 0, (0,) * len(shape))
    if found is NotImplemented:
        raise Refused("an assignment expands what it stores")
    return found.promise.node
