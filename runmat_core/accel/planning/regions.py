"""Code for arrays made of parts: concatenation, and the replacement of a region.

Each point of the space takes its element from one of the parts. Where a part begins and ends is
told by views that number the points, so that sizes stay out of the code: ``point - start`` is an
address like any other. Parts lie in memory, because at points outside of them there is nothing to
compute; loads by number give 0 there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runmat_core.accel.graph.addressing import StridedLayout, size_of
from runmat_core.accel.graph.fragments import stores_parts
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.api.ir import Builder, V, cast, mod, quot, where

#: Shape, offset and strides of what is shown of an array.
View = tuple[Shape, int, tuple[int, ...]]
#: Positions are compared in this type.
POSITION = "i32"


class Work(Protocol):
    """What this module asks of a lowering."""

    builder: Builder

    def numbered(self, address: StridedLayout, shape: Shape, inner: StridedLayout) -> V:
        """Return the number that `inner` gives at the points of `address`."""

    def loaded(self, i: int, number: V) -> V:
        """Return the element of input `i` that has a number."""


def joined(
    work: Work, node: Node, address: StridedLayout, parts: list[V | int], shown: Sequence[View]
) -> V:
    """Return the element of a concatenation at `address`.

    Args:
        parts: values that are the same everywhere, or numbers of nodes to load.
        shown: the views of these nodes that are the parts.
    """
    rank = len(node.shape)
    axis: int = node.option("axis")
    along = tuple([int(k == axis) for k in range(rank)])
    runs: list[tuple[V | int, list[tuple[int, View]]]] = []
    start, last = 0, None
    for part, view in zip(parts, shown, strict=True):
        if last is None or isinstance(part, V) or part != last:
            runs.append((part, []))
        last = None if isinstance(part, V) else part
        runs[-1][1].append((start, view))
        start += view[0][axis] if axis < len(view[0]) else 1
    result: V | None = None
    for part, views in runs:
        value = part if isinstance(part, V) else None
        number: V | None = None
        for start, (_, offset, strides) in () if isinstance(part, V) else views:
            padded = (*strides, *[0] * (rank - len(strides)))
            there = (offset - start * padded[axis], padded)
            here = work.numbered(address, node.shape, there)
            if number is None:
                number = here
            else:
                # of one array: where to look is a choice, and then there is one load
                inside = _reached(work, address, node.shape, (-start, along))
                number = where(inside, cast(here, POSITION), cast(number, POSITION))
        if value is None:
            assert number is not None
            assert not isinstance(part, V)
            value = work.loaded(part, number)
        if result is not None:
            inside = _reached(work, address, node.shape, (-views[0][0], along))
            value = where(inside, value, result)
        result = value
    assert result is not None
    return result


def replaced(work: Work, node: Node, address: StridedLayout, old: V, new: V | int) -> V:
    """Return the element of an array with a replaced region at `address`.

    Args:
        new: a value for all of the region, or the number of the node to load.
    """
    folded, spans = region_of(node)
    rank = len(folded)
    inside: V | None = None
    offset, strides = 0, [0] * rank
    part: View | None = node.option("part")
    if part is not None:
        offset = part[1]
    gaps: list[V] = []
    steps = _new_steps([count for _, _, count in spans], part)
    for k, (start, direction, count) in enumerate(spans):
        step = steps[k]
        sign, gap = (1 if direction > 0 else -1), abs(direction)
        along = tuple([sign * int(j == k) for j in range(rank)])
        first = -sign * start
        if gap == 1:
            strides[k] = sign * step
            offset += first * step
        else:
            wide = _place(work, address, folded, (0, (0,) * rank), gap)
            here = _place(work, address, folded, (first, along), 0)
            on = mod(here, wide) == 0
            inside = on if inside is None else inside & on
            if not isinstance(new, V):
                whole = tuple([step * one for one in along])
                gaps.append(quot(_place(work, address, folded, (first * step, whole), 0), wide))
        if count == folded[k]:
            continue
        back = tuple([-one for one in along])
        for bound in ((first, along), (gap * (count - 1) - first, back)):
            test = _reached(work, address, folded, bound)
            inside = test if inside is None else inside & test
    if isinstance(new, V):
        value = new
    else:
        number = work.numbered(address, folded, (offset, tuple(strides)))
        for more in gaps:
            number = cast(number, POSITION) + more
        value = work.loaded(new, number)
    return value if inside is None else where(inside, value, old)


def _new_steps(counts: list[int], part: View | None) -> Sequence[int]:
    """From one position of a region to the next, along each axis, in what is written there."""
    if part is None:
        found, step = [], 1
        for count in counts:
            found.append(step)
            step *= count
        return found
    shape, _, strides = part
    left = [s for n, s in zip(shape, strides, strict=True) if n != 1]
    return [left.pop(0) if count != 1 else 0 for count in counts]


def region_of(node: Node) -> tuple[Shape, list[tuple[int, int, int]]]:
    """Return the shape that describes the region of an update; start, direction and count by axis.

    The direction is 1, -1, or more where the region has gaps.
    """
    region: Shape = node.option("region")
    strides: Shape = node.option("strides")
    rank = len(region)
    shape = node.shape + (1,) * (rank - len(node.shape))
    folded = (*shape[: rank - 1], size_of(shape[rank - 1 :]))
    offset: int = node.option("offset")
    spans = []
    for extent, count, stride, step in zip(folded, region, strides, _steps(folded), strict=True):
        direction = stride // step if count != 1 else 1
        spans.append((offset // step % extent, direction, count))
    return folded, spans


def part_of(node: Node) -> Node:
    """Return the part of a node that takes part in the space that it is computed in."""
    part: Node = node.inputs[0] if stores_parts(node) else node
    return part


def part_places(node: Node) -> list[StridedLayout]:
    """Where the parts of a concatenation of equal ones lie in it, over the axes of a part."""
    shape = node.inputs[0].shape
    rank = max(len(shape), len(node.shape))
    steps = _steps(node.shape + (1,) * (rank - len(node.shape)))
    axis: int = node.option("axis")
    extent = shape[axis] if axis < len(shape) else 1
    strides = tuple([step if n != 1 else 0 for step, n in zip(steps, shape, strict=False)])
    return [(k * extent * steps[axis], strides) for k in range(len(node.inputs))]


def _place(work: Work, address: StridedLayout, shape: Shape, inner: StridedLayout, more: int) -> V:
    """Return a position that `inner` gives, moved by `more`."""
    offset, strides = inner
    return cast(work.numbered(address, shape, (offset + more, strides)), POSITION)


def _reached(work: Work, address: StridedLayout, shape: Shape, bound: StridedLayout) -> V:
    """Whether the number that `bound` gives is not negative."""
    return cast(work.numbered(address, shape, bound), POSITION) >= 0


def _steps(shape: Shape) -> Shape:
    steps = [1]
    for extent in shape[:-1]:
        steps.append(steps[-1] * extent)
    return tuple(steps)
