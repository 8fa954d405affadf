"""Positions from zero that arrays of whole doubles stand for, found in one pass and kept.

A program that uses an array as subscripts mostly does so again and again. The second time its
positions are kept beside the array, as long as it lives. The array is made read-only then, so that
a write to it, which every value does in place only where NumPy allows it, goes to a copy.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.tuples import NamedTuple
from runmat_core.values.chunks import chunks

#: Elements from which positions are kept; looking for them takes as long as finding a few.
_SMALLEST = 4096
#: Bytes of positions that are kept at most, of all arrays.
_MOST_BYTES = 1 << 29
#: Arrays that are remembered to have been used once.
_REMEMBERED = 32


class Places(NamedTuple):
    """Positions from zero.

    Attributes:
        where: one axis, in column-major order. Nothing writes to it; it is not marked so, because
            NumPy's ``take`` copies places that are read-only.
        stop: one past the largest, 0 where there are none.
    """

    where: NDArray[np.intp]
    stop: int


_kept: dict[int, tuple[ref[Any], Places]] = {}
_used: dict[int, ref[Any]] = {}
#: The same in half the bytes, by what is kept.
_narrow: dict[int, tuple[ref[Any], NDArray[np.int32]]] = {}


def places_of(data: NDArray[Any]) -> Places | None:
    """Return the positions that a column-major array of real doubles or singles stands for.

    None where an element is no whole number from one upward.
    """
    if data.size < _SMALLEST:
        return _converted(data)
    key = id(data)
    entry = _kept.get(key)
    if entry is not None and entry[0]() is data:
        return entry[1]
    found = _converted(data)
    if found is not None and _is_lasting(data):
        before = _used.pop(key, None)
        if before is not None and before() is data:
            _keep(data, found)
        else:
            if len(_used) >= _REMEMBERED:
                _used.clear()
            _used[key] = ref(data)
    return found


def _is_lasting(data: NDArray[Any]) -> bool:
    """Whether nothing but `data` itself leads to its memory.

    A view made of it later is read-only, too, and holds what it is a view of, so that no value
    writes through the view in place.
    """
    if data.__class__ is not np.ndarray or not data.flags.writeable:
        return False
    base: Any = data.base
    if base is None:
        return data.flags.owndata
    # `base`, the slot and the reference that the call pushes
    return base.__class__ is np.ndarray and base.flags.owndata and getrefcount(base) <= 3


def _keep(data: NDArray[Any], found: Places) -> None:
    size = _bytes(found)
    if size > _MOST_BYTES:
        return
    while _kept and size + sum(_bytes(places) for _, places in _kept.values()) > _MOST_BYTES:
        del _kept[next(iter(_kept))]
    key = id(data)

    def forget(gone: ref[Any]) -> None:
        entry = _kept.get(key)
        if entry is not None and entry[0] is gone:
            del _kept[key]

    data.flags.writeable = False
    _kept[key] = ref(data, forget), found


def _bytes(places: Places) -> int:
    """Return what positions take at most, with those of `narrowed`."""
    return places.where.nbytes * 3 // 2


def narrowed(where: NDArray[np.intp]) -> NDArray[np.int32] | None:
    """Positions of `places_of` in half the bytes, which is less to read again and again.

    None where they are not kept, or where one is too large.
    """
    key = id(where)
    entry = _narrow.get(key)
    if entry is not None and entry[0]() is where:
        return entry[1]
    kept = next((places for _, places in _kept.values() if places.where is where), None)
    if kept is None or kept.stop > np.iinfo(np.int32).max:
        return None

    def forget(gone: ref[Any]) -> None:
        entry = _narrow.get(key)
        if entry is not None and entry[0] is gone:
            del _narrow[key]

    found = where.astype(np.int32)
    _narrow[key] = ref(where, forget), found
    return found


def _converted(data: NDArray[Any]) -> Places | None:
    numbers = data.T.reshape(-1)
    where = np.empty(numbers.size, np.intp)
    stop = 0
    with np.errstate(invalid="ignore"):
        for at in chunks(numbers.size):
            given, part = numbers[at], where[at]
            np.copyto(part, given, casting="unsafe")
            # what is infinite or NaN has no whole number that is equal
            if part.min() < 1 or not np.equal(part, given).all():
                return None
            stop = max(stop, int(part.max()))
            part -= 1
    return Places(where, stop)
