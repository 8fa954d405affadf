"""Code for arrays made of parts: concatenation, and the replacement of a region.

Each point of the space takes its element from one of the parts. Where a part begins and ends is
told by views that number the points, so that sizes stay out of the code: ``point - start`` is an
address like any other. Parts lie in memory, because at points outside of them there is nothing to
compute; loads by number give 0 there.
"""

from __future__ import annotations

from typing import Protocol

from runmat_core.accel.graph.addressing import Address, size_of
from runmat_core.accel.graph.fragments import stores_parts
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.api.ir import Builder, V, cast, where

#: Positions are compared in this type.
POSITION = "i32"


class Work(Protocol):
    """What this module asks of a lowering."""

    builder: Builder

    def numbered(self, address: Address, shape: Shape, inner: Address) -> V: ...
    def loaded(self, i: int, number: V) -> V: ...


def joined(
    work: Work, node: Node, address: Address, parts: list[V | int], shapes: list[Shape]
) -> V:
    """The element of a concatenation at `address`.

    Args:
        parts: values that are the same everywhere, or numbers of nodes to load.
    """
    rank = len(node.shape)
    axis: int = node.option("axis")
    along = tuple([int(k == axis) for k in range(rank)])
    start = 0
    result: V | None = None
    for part, shape in zip(parts, shapes, strict=True):
        full = shape + (1,) * (rank - len(shape))
        if isinstance(part, V):
            value = part
        else:
            steps = _steps(full)
            place = (-start * steps[axis], steps)
            value = work.loaded(part, work.numbered(address, node.shape, place))
        if result is None:
            result = value
        else:
            inside = _reached(work, address, node.shape, (-start, along))
            result = where(inside, value, result)
        start += full[axis]
    assert result is not None
    return result


def replaced(work: Work, node: Node, address: Address, old: V, new: V | int) -> V:
    """The element of an array with a replaced region at `address`.

    Args:
        new: a value for all of the region, or the number of the node to load.
    """
    folded, spans = region_of(node)
    rank = len(folded)
    inside: V | None = None
    offset = 0
    strides = []
    step = 1
    for k, (start, direction, count) in enumerate(spans):
        strides.append(direction * step)
        offset -= start * direction * step
        step *= count
        if count == folded[k]:
            continue
        low = start if direction > 0 else start - count + 1
        along = tuple([int(j == k) for j in range(rank)])
        back = tuple([-int(j == k) for j in range(rank)])
        for bound in ((-low, along), (low + count - 1, back)):
            test = _reached(work, address, folded, bound)
            inside = test if inside is None else inside & test
    if isinstance(new, V):
        value = new
    else:
        value = work.loaded(new, work.numbered(address, folded, (offset, tuple(strides))))
    return value if inside is None else where(inside, value, old)


def region_of(node: Node) -> tuple[Shape, list[tuple[int, int, int]]]:
    """The shape that the region of an update is told in, and start, direction and count by axis.

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
    """What of a node takes part in the space that it is computed in: a part where it has some."""
    part: Node = node.inputs[0] if stores_parts(node) else node
    return part


def part_places(node: Node) -> list[Address]:
    """Where the parts of a concatenation of equal ones lie in it, over the axes of a part."""
    shape = node.inputs[0].shape
    rank = max(len(shape), len(node.shape))
    steps = _steps(node.shape + (1,) * (rank - len(node.shape)))
    axis: int = node.option("axis")
    extent = shape[axis] if axis < len(shape) else 1
    strides = tuple([step if n != 1 else 0 for step, n in zip(steps, shape, strict=False)])
    return [(k * extent * steps[axis], strides) for k in range(len(node.inputs))]


def is_dense(node: Node) -> bool:
    """Whether the region of an update has no gaps, so that `replaced` can write it."""
    return all(abs(direction) == 1 for _, direction, _ in region_of(node)[1])


def _reached(work: Work, address: Address, shape: Shape, bound: Address) -> V:
    """Whether the number that `bound` gives is not negative."""
    return cast(work.numbered(address, shape, bound), POSITION) >= 0


def _steps(shape: Shape) -> Shape:
    steps = [1]
    for extent in shape[:-1]:
        steps.append(steps[-1] * extent)
    return tuple(steps)
