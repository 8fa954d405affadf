"""Elementwise rules of two operands, one of them sparse, at the elements that decide the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values import compressed
from runmat_core.values.array import to_numpy
from runmat_core.values.base import Value
from runmat_core.values.sparse import SparseArray, no_pages

#: A rule of two floating arrays that NumPy can broadcast.
Rule = Callable[[Any, Any], Any]


def of_pair(rule: Rule, a: Any, b: Any) -> SparseArray:
    """``rule(a, b)`` as a sparse matrix.

    A matrix without elements gives ``rule(0, 0)`` everywhere, so only where that is zero the places
    without elements can be left out. Full operands may be anything: what an infinity or a NaN of
    theirs makes of a zero is there.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch; MATLAB:sparse:ndArraysNotSupported, one has
            more than two dimensions.
    """
    if isinstance(a, SparseArray):
        if isinstance(b, SparseArray) and a.shape == b.shape:
            return _of_one_size(rule, a, b)
        if _spreads(b, a):
            return _with_vector(rule, a, full(b))
    if isinstance(b, SparseArray) and _spreads(a, b):
        return _with_vector(lambda x, y: rule(y, x), b, full(a))
    x, y = full(a), full(b)
    if x.ndim > 2 or y.ndim > 2:
        raise no_pages()
    try:
        return SparseArray.from_dense(rule(x, y))
    except ValueError:
        raise errors.incompatible_sizes() from None


def full(value: Any) -> NDArray[Any]:
    """Return the elements of a value as a floating array; logical and char count as double."""
    return floating(value.full() if isinstance(value, SparseArray) else to_numpy(value))


def floating(array: NDArray[Any]) -> NDArray[Any]:
    return array if array.dtype.kind in "fc" else array.astype(np.float64)


def _spreads(value: Any, matrix: SparseArray) -> bool:
    """Whether `value` is a scalar, a row or a column that goes with every line of `matrix`."""
    shape = value.shape if isinstance(value, Value) else (1, 1)
    if len(shape) > 2 or shape == matrix.shape:
        return False
    return all(n in (1, m) for n, m in zip(shape, matrix.shape, strict=True))


def _of_one_size(rule: Rule, a: SparseArray, b: SparseArray) -> SparseArray:
    zero = np.zeros(1)
    if rule(zero, zero)[0] != 0:
        return SparseArray.from_dense(rule(full(a), full(b)))
    rows, starts, x, y = compressed.paired(a.data, b.data)
    values = rule(floating(x), floating(y))
    return SparseArray(compressed.without_zeros(values, rows, starts, a.shape))


def _with_vector(rule: Rule, a: SparseArray, vector: NDArray[Any]) -> SparseArray:
    """Return the rule of a matrix and a scalar, a row or a column."""
    matrix = a.data
    # the lines in which zeros do not stay zeros
    lines = np.flatnonzero(rule(np.zeros((1, 1)), vector) != 0)
    if lines.size == vector.size:
        return SparseArray.from_dense(rule(full(a), vector))
    across = vector.shape[0] == 1
    line_of = compressed.columns_of(matrix) if across else matrix.indices
    given = vector[0, 0] if vector.size == 1 else vector.ravel()[line_of]
    values = rule(floating(matrix.data), given)
    made = compressed.without_zeros(values, matrix.indices, matrix.indptr, a.shape)
    if lines.size:
        everything = np.arange(a.shape[1 - across])
        taken = (compressed.columns if across else compressed.rows)(matrix, lines)
        block = rule(floating(taken.toarray()), vector[:, lines] if across else vector[lines])
        new = compressed.compressed(block)
        entries = new.indices, compressed.columns_of(new), new.data
        rows, columns = (everything, lines) if across else (lines, everything)
        wide = made.astype(np.result_type(values, block))
        made = compressed.written(wide, rows, columns, entries)
    return SparseArray(made)
