"""Order, differences and spread of sparse matrices, from their stored elements alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.arguments import dimension, first_axis, scalar, split_options
from runmat_core.values import SparseArray, compressed, from_numpy, numel_of, size_of
from runmat_core.values.sparse import from_triplets

Values = NDArray[Any]


def in_order(x: SparseArray, dim: Any, descending: bool) -> SparseArray:
    """Return the elements of each column, or of each row, in order; complex ones by magnitude."""
    axis = first_axis(x.shape) if dim is None else dimension(dim)
    if axis > 1:
        return x.share()
    matrix = x.data if axis == 0 else compressed.transposed(x.data)
    values, columns, _ = _ordered(matrix)
    size = matrix.shape[0]
    counts = np.diff(matrix.indptr)
    places = np.arange(values.size) - matrix.indptr[columns]
    # what is not stored lies between negative elements and the others, NaN among them
    below = values < 0 if values.dtype.kind == "f" else np.zeros(values.size, np.bool_)
    places += np.where(below, 0, size - counts[columns])
    if descending:
        places = size - 1 - places
    down, across = (places, columns) if axis == 0 else (columns, places)
    return from_triplets(down, across, values, x.shape)


def _ordered(matrix: Any) -> tuple[Values, Values, Values]:
    """Return stored elements in order within columns, these, and how many are negative."""
    columns = compressed.columns_of(matrix).astype(np.intp)
    keys: tuple[Values, ...] = (matrix.data,)
    if matrix.dtype.kind == "c":
        keys = (np.angle(matrix.data), np.abs(matrix.data))
    values = matrix.data[np.lexsort((*keys, columns))]
    if values.dtype.kind != "f":
        return values, columns, np.zeros(matrix.shape[1], np.intp)
    return values, columns, np.bincount(columns[values < 0], minlength=matrix.shape[1])


def differences(x: SparseArray, order: int, dim: int | None) -> SparseArray:
    """``diff`` along one of the two dimensions, or along the first that has neighbours."""
    matrix = x.data.astype(np.result_type(x.data.dtype, np.float64))
    for _ in range(order):
        if dim is None and matrix.shape == (1, 1):
            matrix = matrix[:0, :0]
            break
        axis = first_axis(matrix.shape) if dim is None else dim
        if matrix.shape[axis]:
            matrix = matrix[1:] - matrix[:-1] if axis == 0 else matrix[:, 1:] - matrix[:, :-1]
    return SparseArray(matrix)


def spread(x: SparseArray, args: Sequence[Any]) -> tuple[SparseArray, SparseArray] | None:
    """Variances and means of columns or rows; None where the full rule is to be used."""
    given, options = split_options(args)
    weight = given[0] if given and numel_of(given[0]) else 0.0
    if options or len(given) > 2 or numel_of(weight) != 1 or scalar(weight) not in (0, 1):
        return None
    axis = first_axis(x.shape)
    if len(given) > 1:
        if numel_of(given[1]) != 1 or dimension(given[1]) > 1:
            return None
        axis = dimension(given[1])
    matrix = x.data if axis == 0 else compressed.transposed(x.data)
    size = matrix.shape[0]
    if not size or not matrix.shape[1]:
        return None
    columns = compressed.columns_of(matrix).astype(np.intp)
    stored = matrix.data.astype(np.result_type(matrix.dtype, np.float64))
    with np.errstate(all="ignore"):
        centre = _sums(stored, columns, matrix.shape[1]) / size
        # each element that is not stored is as far from the mean as zero is
        absent = size - np.diff(matrix.indptr)
        total = _sums(np.abs(stored - centre[columns]) ** 2, columns, matrix.shape[1])
        total = total + np.where(absent > 0, absent * np.abs(centre) ** 2, 0)
        found = total / (size if scalar(weight) or size == 1 else size - 1)
    return _line(found.real, axis), _line(centre, axis)


def _sums(values: Values, columns: Values, count: int) -> Values:
    if values.dtype.kind == "c":
        return _sums(values.real, columns, count) + 1j * _sums(values.imag, columns, count)
    return np.bincount(columns, values, minlength=count)


def _line(values: Values, axis: int) -> SparseArray:
    """Return a row for what was found of columns, a column for what was found of rows."""
    return SparseArray.from_dense(values.reshape((1, -1) if axis == 0 else (-1, 1)))


def like(x: Any, found: Values) -> Any:
    """Return an array as a value that is sparse where `x` is."""
    return SparseArray.from_dense(found) if isinstance(x, SparseArray) else from_numpy(found)


def middle(x: SparseArray, args: Sequence[Any]) -> SparseArray | None:
    """Medians of columns or rows; None where the full rule is to be used."""
    given, options = split_options(args)
    if options or len(given) > 1 or x.data.dtype.kind == "c" or 0 in size_of(x):
        return None
    if given and (numel_of(given[0]) != 1 or dimension(given[0]) > 1):
        return None
    axis = dimension(given[0]) if given else first_axis(x.shape)
    matrix = x.data if axis == 0 else compressed.transposed(x.data)
    values, columns, negative = _ordered(matrix)
    size, starts = matrix.shape[0], matrix.indptr[:-1].astype(np.intp)
    counts = np.diff(matrix.indptr)

    def ranked(rank: int) -> Values:
        low, high = rank < negative, rank >= size - (counts - negative)
        at = np.where(low, starts + rank, starts + counts - (size - rank))
        found = np.zeros(matrix.shape[1])
        found[low | high] = values[at[low | high]]
        return found

    first, second = ranked((size - 1) // 2), ranked(size // 2)
    with np.errstate(all="ignore"):
        found = np.where(first == second, first, first + (second - first) / 2)
    if values.dtype != np.bool_:
        found[columns[np.isnan(values)]] = np.nan
    return _line(found, axis)
