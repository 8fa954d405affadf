"""Affine addresses: where in an array the points of an iteration space find their element.

An address over a space is ``(offset, strides)``: the element number, column-major, is
``offset + sum(strides[k] * point[k])``. A broadcasting operand has strides 0, a transpose has them
swapped, a flip has negative ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

from runmat_core.accel.graph.node import Shape

Strides = tuple[int, ...]
StridedLayout = tuple[int, Strides]


def size_of(shape: Sequence[int]) -> int:
    """Return the number of elements of a shape."""
    size = 1
    for extent in shape:
        size *= extent
    return size


def dense_strides(shape: Sequence[int]) -> Strides:
    """Strides of an array without gaps; 0 along axes of extent 1."""
    steps = []
    step = 1
    for extent in shape:
        steps.append(step if extent != 1 else 0)
        step *= extent
    return tuple(steps)


def expansion(shape: Shape, into: Shape) -> Strides:
    """Strides over the axes of `into` for an array of `shape` that expands to it.

    Args:
        shape: each extent is that of `into`, or 1; trailing ones may be missing.
    """
    steps = dense_strides(shape)
    return steps[: len(into)] + (0,) * (len(into) - len(steps))


def compose(
    outer: StridedLayout, extents: Shape, shape: Shape, inner: StridedLayout
) -> StridedLayout | None:
    """Return the address of ``inner`` at the places that ``outer`` gives.

    Args:
        outer: over a space of `extents`, giving element numbers of an array of `shape`.
        inner: over the axes of `shape`.

    Returns:
        The address over the space; None where the composition is not affine.
    """
    offset, strides = outer
    into, steps = inner
    if not any(steps):
        return into, (0,) * len(strides)
    scale = _scale(shape, steps)
    if scale is not None:
        return into + scale * offset, tuple([scale * stride for stride in strides])
    axes, low, high, moves = _merged(shape, steps)
    bases = [1]
    for extent in axes:
        bases.append(bases[-1] * extent)
    if not 0 <= offset < bases[-1]:
        return None
    start = into
    for k, step in enumerate(moves):
        digit = offset // bases[k] % axes[k]
        low[k] = high[k] = digit
        start += digit * step
    result = []
    for stride, extent in zip(strides, extents, strict=True):
        total = 0
        if stride and extent != 1:
            sign = 1 if stride > 0 else -1
            rest = abs(stride)
            for k in range(len(axes) - 1, -1, -1):
                digit, rest = divmod(rest, bases[k])
                reach = sign * digit * (extent - 1)
                if reach > 0:
                    high[k] += reach
                else:
                    low[k] += reach
                total += sign * digit * moves[k]
        result.append(total)
    # no place may run over the end of an axis: there the numbering of `inner` turns
    if any(low[k] < 0 or high[k] >= axes[k] for k in range(len(axes))):
        return None
    return start, tuple(result)


def is_linear(shape: Shape, strides: Strides) -> bool:
    """Whether a view numbers its elements in the order of what it shows, at a constant distance."""
    return _scale(shape, strides) is not None


def _scale(shape: Shape, strides: Strides) -> int | None:
    """Return the distance of neighbours where `strides` are a multiple of those without gaps."""
    scale = None
    step = 1
    for extent, stride in zip(shape, strides, strict=True):
        if extent != 1:
            if scale is None:
                scale = stride
            if stride != scale * step:
                return None
            step *= extent
    return 1 if scale is None else scale


def _merged(shape: Shape, strides: Strides) -> tuple[list[int], list[int], list[int], list[int]]:
    """Extents and strides with axes joined that run through without a turn; room for bounds."""
    axes: list[int] = []
    moves: list[int] = []
    for extent, stride in zip(shape, strides, strict=True):
        if extent == 1:
            continue
        if axes and stride == moves[-1] * axes[-1]:
            axes[-1] *= extent
        else:
            axes.append(extent)
            moves.append(stride)
    return axes, [0] * len(axes), [0] * len(axes), moves


@lru_cache(maxsize=4096)
def is_part(shape: Shape, base: Shape) -> bool:
    """Whether a view of `shape` leaves out elements of what has `base`, whatever it shows."""
    return 0 < prod(shape) < prod(base)
