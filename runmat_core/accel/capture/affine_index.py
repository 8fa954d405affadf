"""Subscripts at equal distances: ``:``, numbers, ranges that are pending or on the host.

`affine_index` gives what they select as an address, for arrays of any rank. All else is left to
`spans`: lists of positions, what is no subscript, and the errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph.node import Node, Shape
from runmat_core.values.array import Array
from runmat_core.values.base import COLON
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.spans import Span
from runmat_core.values.subscript import folded

#: Start, step and number of places, from zero.
Progression = tuple[int, int, int]
#: Offset, strides and size, as a view has them.
Region = tuple[int, tuple[int, ...], Shape]

#: Subscripts on the host up to this size are known again by their elements.
FEW = 256
#: What these came to; forgotten all at once beyond so many.
_met: dict[bytes, Progression | None] = {}
_MOST = 4096


#: Subscripts that are nothing but their numbers.
PLAIN = frozenset({float, Span, COLON.__class__})


def affine_index(shape: Shape, subs: Sequence[Any], lists: bool) -> Region | None:
    """Return what subscripts select of an array of `shape`.

    Return None where that takes more analysis, and where nothing is selected.

    Args:
        lists: whether there are others than `PLAIN` ones.
    """
    return _found(shape, subs) if lists else _known(shape, tuple(subs))


def _found(shape: Shape, subs: Sequence[Any]) -> Region | None:
    """`affine_index`, worked out."""
    if len(subs) == 1:
        return _linear(shape, subs[0])
    if len(subs) != len(shape):
        shape = folded(shape, len(subs))
    offset, distance = 0, 1
    strides: list[int] = []
    extents: list[int] = []
    for sub, extent in zip(subs, shape, strict=True):
        if sub is COLON:
            step, count = 1, extent
        else:
            found = progression(sub, extent)
            if found is None:
                return None
            start, step, count = found
            offset += start * distance
        strides.append(step * distance if count != 1 else 0)
        extents.append(count)
        distance *= extent
    while len(extents) > 2 and extents[-1] == 1:
        extents.pop()
        strides.pop()
    return (offset, tuple(strides), tuple(extents)) if distance else None


_known = lru_cache(maxsize=_MOST)(_found)


def _linear(shape: Shape, sub: Any) -> Region | None:
    """Return what one subscript selects of all elements in order."""
    size = 1
    for extent in shape:
        size *= extent
    if not size:
        return None
    if sub is COLON:
        return 0, (1 if size != 1 else 0, 0), (size, 1)
    found = progression(sub, size)
    if found is None:
        return None
    start, step, count = found
    if len(shape) == 2 and 1 in shape:
        column = shape[1] == 1
    else:
        column = sub.__class__ in (Array, Deferred) and sub.shape[0] != 1
    if count == 1:
        return start, (0, 0), (1, 1)
    return (start, (step, 0), (count, 1)) if column else (start, (0, step), (1, count))


def progression(sub: Any, extent: int) -> Progression | None:
    """Return the positions that a subscript selects of a number of elements at equal distances."""
    kind = sub.__class__
    if kind is float:
        return (int(sub) - 1, 1, 1) if 1.0 <= sub <= extent and sub.is_integer() else None
    if kind is Span:
        start, step, count = sub
    elif kind is Deferred:
        node: Node = promise_of(sub).node
        if node.data is not None or node.op.kind != "range":
            return None
        first, by = node.inputs
        if not (first.is_integer() and by.is_integer()):
            return None
        start, step = int(first) - 1, int(by)
        rows, columns = node.shape
        count = rows * columns
    elif kind is Array:
        found = _on_host(sub.data)
        if found is None:
            return None
        start, step, count = found
    else:
        return None
    last = start + step * (count - 1)
    return (start, step, count) if 0 <= start < extent and 0 <= last < extent else None


def _on_host(data: NDArray[Any]) -> Progression | None:
    """Start, step and number of the places in a vector of doubles."""
    if data.dtype.char != "d" or data.ndim != 2 or 1 not in data.shape or not data.size:
        return None
    if data.size > FEW:
        return _told(data)
    key = data.tobytes()
    try:
        return _met[key]
    except KeyError:
        if len(_met) >= _MOST:
            _met.clear()
        found = _met[key] = _told(data)
        return found


def _told(data: NDArray[Any]) -> Progression | None:
    flat = data.reshape(-1, order="A")
    first, count = flat[0].item(), flat.size
    step = flat[1].item() - first if count > 1 else 1.0
    # the ends tell most lists from ranges
    if not (first.is_integer() and step.is_integer() and step) or (
        flat[-1] != first + step * (count - 1)
    ):
        return None
    # whole numbers are counted exactly, and none of those that count is a zero
    numbers = np.arange(first, first + step * (count - 0.5), step)
    if numbers.size != count:
        return None
    numbers -= flat
    if numbers.any():
        return None
    return int(first) - 1, int(step), count
