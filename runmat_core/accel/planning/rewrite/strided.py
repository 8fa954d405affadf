"""Arithmetic of views: which element of an array each element of a view is.

A view is a shape, an offset and a stride for each axis, in elements of the array below, numbered
column-major. The stride of an axis of extent 1 means nothing.
"""

from __future__ import annotations

from math import prod
from typing import Any

from runmat_core.accel.graph import addressing
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.api.tuples import NamedTuple


class Strided(NamedTuple):
    """Elements ``offset + sum(strides[k] * point[k])`` for all points of `shape`."""

    shape: Shape
    offset: int
    strides: tuple[int, ...]


def natural(shape: Shape) -> tuple[int, ...]:
    """Strides of a column-major array."""
    strides, step = [], 1
    for extent in shape:
        strides.append(step)
        step *= extent
    return tuple(strides)


def whole(shape: Shape) -> Strided:
    """Return an array as a view of itself, or of another shape of as many elements."""
    return Strided(shape, 0, natural(shape))


def view_of(node: Node) -> Strided:
    """Return what a node of kind ``view`` selects."""
    facts: dict[str, Any] = dict(node.static)
    steps = zip(node.shape, facts["strides"], strict=True)
    return Strided(node.shape, facts["offset"], tuple([0 if n == 1 else s for n, s in steps]))


def static_of(view: Strided) -> tuple[tuple[str, object], ...]:
    """Return the static facts of a node that is this view."""
    return (("offset", view.offset), ("strides", view.strides))


def same(a: Strided, b: Strided) -> bool:
    """Whether two views have the same shape and select the same elements."""
    return (
        a.shape == b.shape
        and a.offset == b.offset
        and all(
            s == t or extent == 1
            for extent, s, t in zip(a.shape, a.strides, b.strides, strict=True)
        )
    )


def is_reshape(view: Strided, source: Shape) -> bool:
    """Whether the view has the elements of the array in their order, whatever its shape."""
    return prod(view.shape) == prod(source) and same(view, whole(view.shape))


def is_transpose(view: Strided, source: Shape) -> bool:
    """Whether the view is the transpose of the whole matrix."""
    if len(source) != 2 or view.shape != (source[1], source[0]):
        return False
    return same(view, Strided(view.shape, 0, (source[0], 1)))


def is_expansion(view: Strided, source: Shape) -> bool:
    """Whether the view only repeats the array along axes where it has extent 1."""
    if view.offset or len(source) > len(view.shape):
        return False
    extents = source + (1,) * (len(view.shape) - len(source))
    for extent, stride, below, step in zip(
        view.shape, view.strides, extents, natural(extents), strict=True
    ):
        if extent != 1 and stride != (step if below == extent else 0):
            return False
        if below not in (1, extent):
            return False
    return True


def compose(outer: Strided, source: Shape, inner: Strided) -> Strided | None:
    """Return the view of the array below `inner` that `outer`, a view of `inner`, comes to.

    None where the elements do not lie at even steps, or there are none.
    """
    if not prod(outer.shape):
        return None
    found = addressing.compose(
        (outer.offset, outer.strides), outer.shape, source, (inner.offset, inner.strides)
    )
    return None if found is None else Strided(outer.shape, *found)
