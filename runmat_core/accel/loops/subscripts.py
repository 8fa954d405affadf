"""Subscripts in a trace: parts of arrays that move with the variable of the loop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture import computed, pieces
from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.capture.computed import gathered, is_dynamic, is_list
from runmat_core.accel.capture.spans import Range, select, selections_of
from runmat_core.accel.capture.stored import as_complex, fitting, suits
from runmat_core.accel.capture.subscripts import shape_of
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import ELEMENTS
from runmat_core.accel.graph.leaves import Refused
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Shape
from runmat_core.accel.loops import selected
from runmat_core.accel.ops.generators import FILL, RANGE
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.accel.ops.parts import UPDATE
from runmat_core.api.ir import known_class
from runmat_core.api.tuples import NamedTuple
from runmat_core.values import plus, share
from runmat_core.values.array import from_numpy
from runmat_core.values.base import COLON
from runmat_core.values.classes import FLOAT_CLASSES
from runmat_core.values.deferred import Deferred
from runmat_core.values.subscript import folded, is_vector, trimmed

_PLUS = OPERATIONS["plus"].op
_OUTSIDE = "a subscript leaves the array in a later iteration"


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
    """Return the part of an array of `shape` (folded to as many axes as there are subscripts)."""
    counts, strides, shapes, axes = [], [], [], []
    offset = advance = 0
    step = 1
    for axis, (sub, extent) in enumerate(zip(subs, shape, strict=True)):
        moving = _moving(graph, sub)
        if moving is not None:
            span, move = moving
            ends = (span.start, span.start + span.step * (span.count - 1))
            last = move * (graph.trips - 1)
            if not (min(ends) + min(last, 0) >= 0 and max(ends) + max(last, 0) < extent):
                raise Refused(_OUTSIDE)
            advance += move * step
            axes += [axis] if move else []
        else:
            found = select(sub, extent, None if len(subs) == 1 else axis)
            if not isinstance(found, Range):
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


def _moving(graph: Any, sub: Any) -> tuple[Range, int] | None:
    """Return what a subscript selects in the first iteration, and by how much it moves.

    It is a number, or several at equal distances; None for anything else.
    """
    line = graph.affine(sub)
    if line is not None:
        return Range(line[0] - 1, 1, 1, (1, 1)), line[1]
    node = sub.promise.node if sub.__class__ is Deferred else None
    if node is None or node.op is not _PLUS or node.data is not None:
        return None
    for number, row in (node.inputs, node.inputs[::-1]):
        span = _constant(row)
        line = None if span is None else graph.affine(number)
        if span is not None and line is not None:
            return Range(line[0] + span.start - 1, span.step, span.count, span.shape), line[1]
    return None


def _constant(row: Any) -> Range | None:
    """Whole numbers at equal distances that are the same in every trip, as they are."""
    if row.__class__ is not Node or row.size < 2 or row.cls != "double":
        return None
    if row.op is RANGE:
        first, step = row.inputs
        return Range(int(first), int(step), row.size, row.shape)
    if row.data.__class__ is not np.ndarray:
        return None
    flat = row.data.ravel(order="F")
    steps = np.diff(flat)
    if not (flat[0] % 1 == 0 == steps[0] % 1 and (steps == steps[0]).all()):
        return None
    return Range(int(flat[0]), int(steps[0]), row.size, row.shape)


def ranged(graph: Any, first: Any, step: Any, last: Any) -> Any:
    """Return ``first:step:last`` if both ends move alike with the loop's variable.

    Return NotImplemented for any other range.
    """
    start, by, stop = [graph.affine(one) for one in (first, step, last)]
    if start is None or stop is None or by is None:
        return NotImplemented
    if by[1] or not by[0]:
        return NotImplemented
    if start[1] != stop[1]:
        raise Refused("a range is longer in some iterations than in others")
    count = (stop[0] - start[0]) // by[0] + 1
    if count > ELEMENTS:
        return NotImplemented
    if count < 2:
        return share(first) if count == 1 else from_numpy(np.empty((1, 0)))
    inputs = (0.0, float(by[0]))
    kinds = tuple([known_class(one) for one in inputs])
    return plus(first, graph.grow(RANGE, inputs, kinds, (), (1, count), "double"))


def _shape_of(part: Part, shape: Shape) -> Shape:
    """Return the size of what is read from an array of `shape`; as `capture.subscripts` has it."""
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
    if any(map(is_dynamic, subs)) and all(_moving(graph, sub) is None for sub in subs):
        made = computed.read(graph, value, subs, folded(node.shape, len(subs)))
        if made is not NotImplemented:
            return made
    if any(map(is_list, subs)):
        listed = _listed(graph, node, subs)
        if listed is not NotImplemented:
            return listed
    part = _part(graph, folded(node.shape, len(subs)), subs)
    if 0 in part.counts:
        raise Refused("a part without elements")
    shape = _shape_of(part, node.shape)
    strides = part.strides
    if len(part.counts) == 1:
        one = part.strides[0] or 1
        strides = tuple([step * one for step in dense_strides(shape)])
    if part.advance:
        node, whole = _unwritten(node, part, shape)
        if whole:
            return deferred(node)
        # further axes have extent 1
        return deferred(graph.slice(node, shape, part.offset, strides[: len(shape)], part.advance))
    return view_of(graph, node, "subsref", shape, part.offset, strides)


def _listed(graph: Any, node: Node, subs: Sequence[Any]) -> Any:
    """Return what lists select that are the same in every iteration.

    Return NotImplemented if another subscript moves with the loop, or nothing is listed.

    Raises:
        MatlabError: a subscript is none.
    """
    shape = folded(node.shape, len(subs))
    if any(sub.__class__ is Deferred for sub in subs):
        return NotImplemented
    found = selections_of(shape, subs, True)
    if found is None or all(isinstance(one, Range) for one in found):
        return NotImplemented
    result = shape_of(found, node.shape)
    if 0 in result:
        return NotImplemented
    made = pieces.joined(graph, node, found, shape, result)
    return gathered(graph, node, found, shape, result) if made is NotImplemented else made


def _unwritten(node: Node, part: Part, shape: Shape) -> tuple[Node, bool]:
    """Return the array in which a part is what it is in `node`, unwritten elsewhere, and False.

    Return the elements themselves, and True, if they were written in this iteration.
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
    rhs = fitting(graph, rhs, node.cls)
    if not suits(rhs, node.cls):
        raise Refused("an assignment converts what it stores")
    if any(map(is_dynamic, subs)):
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
