"""The buffers of arrays: becoming their only owner, growing with spare room, shrinking.

An array that grows along its last axis lies at the start of a larger `Room`, so that appending in
a loop takes amortised constant time. Size and contents of a value change in one store of its
`data`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.base import Value, is_sole_owner
from runmat_core.values.hooks import HOOKS

Shape = tuple[int, ...]


class Room(np.ndarray[Any, Any]):
    """A one-dimensional buffer that a value's `data` is the start of.

    The class marks the base of such a view: no other view has a base of it, since NumPy lets
    views of views share a base only where the classes are the same.
    """


def own(holder: Value) -> None:
    """Make the buffer the holder's own: copied when anything else holds it."""
    if holder.data.size >= HOOKS.captured and not is_sole_owner(holder):
        HOOKS.settle(holder.data)
    if not is_sole_owner(holder) or not holder.data.flags.writeable:
        holder.data = holder.data.copy(order="F")


def grow(holder: Value, shape: Shape, fill: Any) -> None:
    """Grow ``holder.data`` to `shape` (no extent shrinks), new elements set to `fill`."""
    if _starts(holder.data.shape, shape):
        _extend(holder, shape, fill)
        return
    old = holder.data.shape
    grown = np.empty(shape, holder.data.dtype, order="F")
    put(grown.ravel("K"), 0, grown.size, fill)
    padded = old + (1,) * (len(shape) - len(old))
    grown[tuple(slice(n) for n in padded)] = holder.data.reshape(padded, order="F")
    holder.data = grown


def _starts(old: Shape, shape: Shape) -> bool:
    """Whether the elements of an array come first, in their order, where it grows to `shape`."""
    if 0 in old:
        return True
    last = len(shape) - 1
    while last and shape[last] == 1:
        last -= 1
    old = old + (1,) * (len(shape) - len(old))
    return old[:last] == shape[:last]


def _extend(holder: Value, shape: Shape, fill: Any) -> None:
    size, needed = holder.data.size, math.prod(shape)
    if holder.data.base.__class__ is Room and is_sole_owner(holder):
        room = _room_of(holder.data)
        if room.size >= needed:
            put(room, size, needed, fill)
            holder.data = window(room, shape)
            return
    holder.data = _roomier(holder.data, needed, shape, fill)


def _roomier(data: NDArray[Any], needed: int, shape: Shape, fill: Any) -> NDArray[Any]:
    """Return a copy of `data` at the start of a new room, grown to `shape`."""
    # a first growth may be the only one: spare room comes with the second
    spare = needed // 2 + 8 if data.size else 0
    room = Room((needed + spare,), data.dtype)
    room[: data.size] = data.ravel("F")
    put(room, data.size, needed, fill)
    return window(room, shape)


def append(holder: Value, element: Any) -> bool:
    """Append to a vector that nothing else holds, where it has room; whether it had."""
    data = holder.data
    room: Any = data.base
    if room.__class__ is not Room or data.ndim != 2:
        return False
    if room.base is not None:
        room = room.base
    size = data.size
    if room.size <= size:
        return False
    if len(data) == 1:
        shape = (1, size + 1)
    elif data.shape[1] == 1:
        shape = (size + 1, 1)
    else:
        return False
    room[size] = element
    kind = room.dtype
    if kind.hasobject:
        holder.data = window(room, shape)
    else:
        # what `window` does: this is the inner step of growth in a loop
        holder.data = np.ndarray(shape, kind, room)
    return True


def shrink(holder: Value, shape: Shape) -> None:
    """Drop the last elements, in constant time when it is done again and again."""
    size, count = holder.data.size, math.prod(shape)
    if holder.data.base.__class__ is Room and is_sole_owner(holder):
        room = _room_of(holder.data)
        if 4 * count >= room.size:
            if room.dtype.hasobject:
                put(room, count, size, None)
            holder.data = window(room, shape)
            return
    holder.data = _roomier(holder.data.ravel("F")[:count], count, shape, None)


def _room_of(data: NDArray[Any]) -> NDArray[Any]:
    base: Any = data.base
    return base if base.base is None else base.base  # type: ignore[no-any-return]


def window(room: NDArray[Any], shape: Shape) -> NDArray[Any]:
    """Return the start of a room as a column-major array of `shape`."""
    if room.dtype.hasobject:
        return room[: math.prod(shape)].reshape(shape, order="F").view(np.ndarray)
    return np.ndarray(shape, room.dtype, room, order="F")


def put(flat: NDArray[Any], start: int, stop: int, fill: Any) -> None:
    """Set a range of a one-dimensional buffer, never taking `fill` apart."""
    if stop > start:
        flat[start:stop].fill(fill)
