"""Sparse matrices with their elements at other places, and rules of single elements.

None makes a full matrix, which for a mesh or a graph would be larger than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values import SparseArray, compressed
from runmat_core.values.sparse import ordered


def flipped(x: SparseArray, axis: int) -> SparseArray:
    """Return the rows or the columns in reverse order."""
    if axis > 1:
        return x.share()
    return _taken(x, axis, np.arange(x.shape[axis])[::-1])


def shifted(x: SparseArray, axes: Sequence[int], shifts: Sequence[int]) -> SparseArray:
    """Rows and columns shifted around the end."""
    made = x
    for axis, amount in zip(axes, shifts, strict=True):
        if axis < 2 and x.shape[axis]:
            made = _taken(made, axis, np.roll(np.arange(x.shape[axis]), amount % x.shape[axis]))
    return made.share()


def tiled(x: SparseArray, times: tuple[int, int]) -> SparseArray:
    """So many copies below and beside each other."""
    made = x
    for axis, count in enumerate(times):
        made = _taken(made, axis, np.tile(np.arange(x.shape[axis]), count))
    return made


def turned(x: SparseArray, quarters: int) -> SparseArray:
    """Rotated counterclockwise by quarter turns."""
    made = ordered(compressed.transposed(x.data)) if quarters % 2 else x.share()
    for axis in ((), (0,), (0, 1), (1,))[quarters % 4]:
        made = flipped(made, axis)
    return made


def transposed(x: SparseArray) -> SparseArray:
    return ordered(compressed.transposed(x.data))


def _taken(x: SparseArray, axis: int, places: NDArray[Any]) -> SparseArray:
    return ordered((compressed.columns if axis else compressed.rows)(x.data, places))


def mapped(rule: Callable[[NDArray[Any]], NDArray[Any]], x: SparseArray) -> SparseArray:
    """Return a rule that keeps zeros, of the nonzero elements."""
    matrix = x.data
    with np.errstate(all="ignore"):
        values = rule(matrix.data)
    return SparseArray(
        compressed.without_zeros(values, matrix.indices, matrix.indptr, x.shape)
    )  # fmt: skip


def is_equal(x: SparseArray, conjugate: bool, skew: bool = False) -> bool:
    """Whether a matrix is its transpose, or its conjugate transpose; or what is opposite to it."""
    if x.shape[0] != x.shape[1]:
        return False
    matrix = x.data
    other = compressed.transposed(matrix)
    values = other.data.conj() if conjugate else other.data
    if skew:
        values = -values.astype(np.result_type(values, np.float64))
    return bool(
        np.array_equal(matrix.indptr, other.indptr)
        and np.array_equal(matrix.indices, other.indices)
        and np.array_equal(matrix.data, values)
    )
