"""Which numbers are among others, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
#: What `members` gives: whether each is there, and its first place from one, zero where it is not.
Found = tuple[NDArray[np.bool_], NDArray[np.intp]]

#: A table of all numbers between the least and the largest may be this often as long as both sets.
_SPREAD = 4
#: Whole numbers up to here are exact in double and in the type of places.
_EXACT = 2.0**53


def members(wanted: Numbers, known: Numbers, places: bool) -> Found:
    """Whether each element of `wanted` is in `known`, in column-major order, and where first.

    NaN is nowhere. Without `places`, the second result means nothing.
    """
    flat, others = wanted.ravel(order="F"), known.ravel(order="F")
    if not flat.size or not others.size:
        return np.zeros(flat.size, np.bool_), np.zeros(flat.size, np.intp)
    limits = _whole_limits(others, flat.size + others.size)
    if limits is not None and flat.dtype.kind in "fb":
        return _by_table(flat, others.astype(np.intp), *limits)
    if not places:
        return np.isin(flat, others), np.zeros(0, np.intp)
    return _by_order(flat, others)


def _whole_limits(known: Numbers, count: int) -> tuple[int, int] | None:
    """The least and the largest of whole numbers that lie close together; else None."""
    if known.dtype.kind not in "fb":
        return None
    low, high = float(known.min()), float(known.max())
    if not (low > -_EXACT and high < _EXACT and high - low <= _SPREAD * count):
        return None
    return (int(low), int(high)) if bool((known == np.floor(known)).all()) else None


def _by_table(wanted: Numbers, known: NDArray[np.intp], low: int, high: int) -> Found:
    """By a table of the first place of each whole number from `low` to `high`."""
    # an entry more than there are numbers, zero, for what is none of them
    table = np.zeros(high - low + 2, np.intp)
    # of equal subscripts the last is stored, which is the first place
    table[known[::-1] - low] = np.arange(known.size, 0, -1)
    numbers = wanted.astype(np.float64, copy=False)
    with np.errstate(invalid="ignore"):
        at = numbers.astype(np.intp)
    outside = (at != numbers) | (at < low) | (at > high)
    at -= low
    at[outside] = high - low + 1
    found = table[at]
    return found > 0, found


def _by_order(wanted: Numbers, known: Numbers) -> Found:
    order = np.argsort(known, kind="stable")
    ordered = known[order]
    # numbers in order are found faster, as the search stays in the cache
    queue = np.argsort(wanted)
    asked = wanted[queue]
    place = np.searchsorted(ordered, asked)
    place[place == ordered.size] = 0
    there = ordered[place] == asked
    location = np.zeros(wanted.size, np.intp)
    location[queue] = np.where(there, order[place] + 1, 0)
    return location > 0, location
