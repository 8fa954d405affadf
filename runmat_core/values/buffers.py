"""The buffers of arrays: becoming their only owner, growing with spare room, shrinking.

A vector that grows lies at the start of a larger `Room`, so that appending in a loop takes
amortised constant time. Size and contents of a value change in one store of its `data`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.base import Value, is_sole_owner

Shape = tuple[int, ...]


class Room(np.ndarray[Any, Any]):
    """A one-dimensional buffer that a value's `data` is the start of.

    The class marks the base of such a view: no other view has a base of it, since NumPy lets
    views of views share a base only where the classes are the same.
    """


def own(holder: Value) -> None:
    """Make the buffer the holder's own: copied when anything else holds it."""
    if not is_sole_owner(holder) or not holder.data.flags.writeable:
        holder.data = holder.data.copy(order="F")


def grow(holder: Value, shape: Shape, fill: Any) -> None:
    """Grow ``holder.data`` to `shape` (no extent shrinks), new elements set to `fill`."""
    old = holder.data.shape
    if len(shape) == 2 and 1 in shape and (0 in old or (len(old) == 2 and 1 in old)):
        _grow_vector(holder, shape, fill)
        return
    grown = np.empty(shape, holder.data.dtype, order="F")
    put(grown.T.reshape(-1), 0, grown.size, fill)
    if 0 not in old:
        padded = old + (1,) * (len(shape) - len(old))
        grown[tuple(slice(n) for n in padded)] = holder.data.reshape(padded, order="F")
    holder.data = grown


def _grow_vector(holder: Value, shape: Shape, fill: Any) -> None:
    size, needed = holder.data.size, shape[0] * shape[1]
    if holder.data.base.__class__ is Room and is_sole_owner(holder):
        room = _room_of(holder.data)
        if room.size >= needed:
            put(room, size, needed, fill)
            holder.data = window(room, shape)
            return
    holder.data = _roomier(holder.data, needed, shape, fill)


def _roomier(data: NDArray[Any], needed: int, shape: Shape, fill: Any) -> NDArray[Any]:
    """A copy of `data` at the start of a new room, grown to `shape`."""
    # a first growth may be the only one: spare room comes with the second
    spare = needed // 2 + 8 if data.size else 0
    room = Room((needed + spare,), data.dtype)
    room[: data.size] = data.reshape(-1, order="F")
    put(room, data.size, needed, fill)
    return window(room, shape)


def append(holder: Value, element: Any) -> bool:
    """Append to a row that nothing else holds, where it has room; whether it had."""
    data = holder.data
    room: Any = data.base
    if room.__class__ is not Room:
        return False
    if room.base is not None:
        room = room.base
    size = data.size
    if room.size <= size:
        return False
    room[size] = element
    kind = room.dtype
    if kind.hasobject:
        holder.data = window(room, (1, size + 1))
    else:
        # what `window` does: this is the inner step of growth in a loop
        holder.data = np.ndarray((1, size + 1), kind, room)
    return True


def shrink(holder: Value, shape: Shape) -> None:
    """Drop the last elements of a vector, in constant time when it is done again and again."""
    size, count = holder.data.size, shape[0] * shape[1]
    if holder.data.base.__class__ is Room and is_sole_owner(holder):
        room = _room_of(holder.data)
        if 4 * count >= room.size:
            if room.dtype.hasobject:
                put(room, count, size, None)
            holder.data = window(room, shape)
            return
    kept = holder.data.reshape(-1, order="F")[:count]
    holder.data = _roomier(kept, count, shape, None)


def _room_of(data: NDArray[Any]) -> NDArray[Any]:
    base: Any = data.base
    return base if base.base is None else base.base  # type: ignore[no-any-return]


def window(room: NDArray[Any], shape: Shape) -> NDArray[Any]:
    """The start of a room as an array of `shape`."""
    if room.dtype.hasobject:
        return room[: shape[0] * shape[1]].reshape(shape).view(np.ndarray)
    return np.ndarray(shape, room.dtype, room)


def put(flat: NDArray[Any], start: int, stop: int, fill: Any) -> None:
    """Set a span of a one-dimensional buffer, never taking `fill` apart."""
    if flat.dtype.hasobject:
        for k in range(start, stop):
            flat[k] = fill
    elif stop > start:
        flat[start:stop] = fill
