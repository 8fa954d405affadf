"""Sums, products and extremes of the numbers that share a place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package
from runmat_core.values.kept_positions import narrowed

Places = NDArray[np.intp]
Numbers = NDArray[np.float64]

#: Elements of a part whose places and values the second cache still has after NumPy checked them.
_PART = 1 << 15
#: Elements from which a compiled product takes less time, and after which, in all calls together,
#: the time to load it has been saved.
_MANY, _PAYS = 1 << 14, 1 << 26

#: Elements that were added without the compiled product.
_added = 0


def _product_is_loaded(size: int) -> bool:
    """Whether sums go through scipy, which is loaded once it has paid for that."""
    global _added
    if size < _MANY:
        return False
    if "scipy.sparse" in sys.modules:
        return True
    _added += size
    return _added > _PAYS


def _at(rule: np.ufunc, found: Numbers, at: Places, values: Numbers) -> None:
    """``rule.at``, in parts."""
    for start in range(0, at.size, _PART):
        rule.at(found, at[start : start + _PART], values[start : start + _PART])


def summed(at: Places, values: Numbers, count: int) -> Numbers:
    """Return the sum of the values at each of `count` places, added in their order."""
    if not _product_is_loaded(at.size):
        sums = np.zeros(count)
        _at(np.add, sums, at, values)
        return sums
    # one column times one: its rows need be neither in order nor distinct, and are not looked at
    narrow = narrowed(at)
    rows = np.ascontiguousarray(at) if narrow is None else narrow
    column = copy(_column(count))
    column.data, column.indices = np.ascontiguousarray(values), rows
    column.indptr = np.array([0, at.size], rows.dtype)
    product: Numbers = column @ _ONE
    return product


_ONE = np.ones(1)


@lru_cache(8)
def _column(rows: int) -> Any:
    """Return a sparse column without elements; copies of it are given theirs."""
    csc_array = package("scipy.sparse").csc_array

    return csc_array((rows, 1))


def _multiplied(at: Places, values: Numbers, count: int) -> Numbers:
    products = np.ones(count)
    _at(np.multiply, products, at, values)
    return products


def _given(at: Places, count: int) -> NDArray[np.bool_]:
    given = np.zeros(count, np.bool_)
    given[at] = True
    return given


def _extremes(
    at: Places, values: Numbers, count: int, filler: float, largest: bool
) -> NDArray[np.float64]:
    """Return the largest or smallest value at each place; NaN gives way to any number."""
    quicker, opposite = (np.maximum, np.min) if largest else (np.minimum, np.max)
    beyond = -np.inf if largest else np.inf
    found = np.full(count, beyond)
    _at(quicker, found, at, values)
    if np.isnan(found).any():
        return _extremes_beside_nan(at, values, count, filler, largest)
    empty = found == beyond
    # so are places of nothing but such values
    if at.size and empty.any() and opposite(values) == beyond:
        empty = ~_given(at, count)
    np.putmask(found, empty, filler)
    return found


def _extremes_beside_nan(
    at: Places, values: Numbers, count: int, filler: float, largest: bool
) -> Numbers:
    found = np.full(count, np.nan)
    _at(np.fmax if largest else np.fmin, found, at, values)
    found[~_given(at, count)] = filler
    return found


def _filled(rule: Callable[[Places, Numbers, int], Numbers], empty: float) -> Any:
    def accumulated(at: Places, values: Numbers, count: int, filler: float) -> Numbers:
        found = rule(at, values, count)
        if filler != empty:
            found[~_given(at, count)] = filler
        return found

    return accumulated


def _counted(at: Places, values: Numbers, count: int) -> Numbers:
    return np.bincount(at, minlength=count).astype(np.float64)


def _averaged(at: Places, values: Numbers, count: int, filler: float) -> Numbers:
    counts = _counted(at, values, count)
    found = summed(at, values, count)
    np.divide(found, counts, out=found, where=counts > 0)
    found[counts == 0] = filler
    return found


#: What is computed without calling the function for each group: of places, values, the number of
#: places and what stands where there are no values.
ACCUMULATED: dict[str, Callable[[Places, Numbers, int, float], Numbers]] = {
    "sum": _filled(summed, 0.0),
    "numel": _filled(_counted, 0.0),
    "mean": _averaged,
    "prod": _filled(_multiplied, 1.0),
    "max": lambda at, v, count, filler: _extremes(at, v, count, filler, largest=True),
    "min": lambda at, v, count, filler: _extremes(at, v, count, filler, largest=False),
}
