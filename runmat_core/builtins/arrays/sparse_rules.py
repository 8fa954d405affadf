"""Reductions of sparse matrices, and rules of two operands, that never make them full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import first_axis, reduction_axes, split_options
from runmat_core.values import SparseArray, compressed, from_numpy, numel_of, to_numpy
from runmat_core.values.sparse import from_triplets, ordered

Rule = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]

#: Options under which the rules below still hold: nothing is left out, the result is double.
_HARMLESS = frozenset({"includenan", "includemissing", "default", "double", "all"})


def reduced(name: str, x: SparseArray, args: Sequence[Any]) -> SparseArray | None:
    """Return a reduction by name of a sparse matrix; None where the full rule is to be used."""
    dims, options = split_options(args)
    harmless = {"all"} if name in {"any", "all"} else _HARMLESS
    if len(dims) > 1 or not harmless.issuperset(options) or x.shape == (0, 0):
        return None
    axes = reduction_axes(x, dims[0]) if dims else (first_axis(x.shape),)
    if "all" in options:
        axes = (0, 1)
    if any(axis > 1 or x.shape[axis] == 0 for axis in axes):
        return None
    if name in {"max", "min"} and x.data.dtype.kind == "c":
        return None
    matrix = x.data
    for axis in axes:
        matrix = _along(name, matrix, axis)
    return SparseArray(matrix)


def _along(name: str, matrix: Any, axis: int) -> Any:
    """Return the reduction of every column, or of every row: a matrix of one row or one column."""
    if axis == 1:
        if name == "sum" and matrix.dtype.kind != "c":
            # one pass over the elements as they lie
            line = np.bincount(matrix.indices, matrix.data, minlength=matrix.shape[0])
            return compressed.compressed(line.reshape(-1, 1))
        turned = compressed.transposed(matrix)
        return compressed.transposed(_along(name, turned, 0))
    starts = matrix.indptr
    counts = starts[1:] - starts[:-1]
    if name == "all":
        return compressed.compressed((counts == matrix.shape[0]).reshape(1, -1))
    values = ~np.isnan(matrix.data) if name == "any" else matrix.data
    if name in {"sum", "prod"} and values.dtype == np.bool_:
        values = values.astype(np.float64)
    line = np.zeros(counts.size, values.dtype)
    some = np.flatnonzero(counts)
    if some.size:
        # what lies between two of these starts are the elements of one column
        line[some] = _FOLD[name].reduceat(values, starts[some])
    if name in {"max", "min", "prod"}:
        # a column that is not full has zeros as well
        partial = counts < matrix.shape[0]
        line[partial] = _FOLD[name](line[partial], np.zeros(1, line.dtype))
    return compressed.compressed(line.reshape(1, -1))


_FOLD: dict[str, np.ufunc] = {
    "sum": np.add,
    "prod": np.multiply,
    "any": np.logical_or,
    "max": np.fmax,
    "min": np.fmin,
}


def found(x: SparseArray, count: int | None, last: bool) -> tuple[NDArray[Any], ...]:
    """Places, rows, columns (from zero) and values of the nonzero elements, or of some of them."""
    rows, columns, values = x.triplets()
    kept = slice(None) if count is None else slice(-count, None) if last else slice(count)
    rows, columns, values = rows[kept], columns[kept], values[kept]
    return columns.astype(np.int64) * x.shape[0] + rows, rows, columns, values


def triangle(x: SparseArray, k: int, upper: bool) -> SparseArray:
    """Return the elements on and above, or on and below the k-th diagonal."""
    rows, columns, _ = x.triplets()
    offsets = columns.astype(np.int64) - rows
    kept = offsets >= k if upper else offsets <= k
    return ordered(compressed.kept(x.data, kept))


def diagonal(x: SparseArray, k: int) -> SparseArray:
    """Return a sparse vector on the k-th diagonal of a matrix, or that diagonal of a matrix."""
    rows, columns, values = x.triplets()
    if 1 in x.shape:
        at = (rows + columns).astype(np.int64)
        n = max(x.shape) + abs(k)
        return from_triplets(at + max(-k, 0), at + max(k, 0), values, (n, n))
    on = np.flatnonzero(columns.astype(np.int64) - rows == k)
    count = max(min(x.shape[0] + min(k, 0), x.shape[1] - max(k, 0)), 0)
    return from_triplets(rows[on] + min(k, 0), np.zeros(on.size, np.intp), values[on], (count, 1))


def of_two(rule: Rule, x: Any, y: Any) -> Any:
    """Return an elementwise rule of double operands, at least one of them sparse.

    The result is sparse unless one operand is a full matrix. Zeros are not computed where the rule
    makes zero of them.
    """
    if isinstance(x, SparseArray) and isinstance(y, SparseArray) and x.shape == y.shape:
        return SparseArray(_at_elements(rule, x.data, y.data))
    for matrix, other, swapped in ((x, y, False), (y, x, True)):
        if isinstance(matrix, SparseArray) and numel_of(other) == 1 < numel_of(matrix):
            number, zero = _floating(to_numpy(other)).reshape(1), np.zeros(1)
            if (rule(number, zero) if swapped else rule(zero, number))[0] == 0:
                made = matrix.data.copy()
                given = _floating(made.data)
                made.data = rule(number, given) if swapped else rule(given, number)
                return SparseArray(made)
    result = rule(_floating(to_numpy(x)), _floating(to_numpy(y)))
    sparse = all(isinstance(value, SparseArray) or numel_of(value) == 1 for value in (x, y))
    return SparseArray.from_dense(result) if sparse else from_numpy(result)


def _at_elements(rule: Rule, x: Any, y: Any) -> Any:
    """Return the rule where either matrix has an element; it makes zero of two zeros."""
    coo_array = package("scipy.sparse").coo_array

    places = (x.astype(np.bool_) + y.astype(np.bool_)).nonzero()
    values = rule(*(_floating(np.asarray(matrix[places])).ravel() for matrix in (x, y)))
    return coo_array((values, places), shape=x.shape).tocsc()


def _floating(a: NDArray[Any]) -> NDArray[Any]:
    return a if a.dtype.kind in "fc" else a.astype(np.float64)
