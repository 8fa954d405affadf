"""Reductions of sparse matrices, and rules of two operands, that never make them full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.arguments import first_axis, reduction_axes, split_options
from runmat_core.values import SparseArray, from_numpy, numel_of, to_numpy

Rule = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]

#: Options under which the rules below still hold: nothing is left out, the result is double.
_HARMLESS = frozenset({"includenan", "includemissing", "default", "double", "all"})


def reduced(name: str, x: SparseArray, args: Sequence[Any]) -> SparseArray | None:
    """sum, any, all, max or min of a sparse matrix; None where the full rule is to be used."""
    dims, options = split_options(args)
    harmless = {"all"} if name in {"any", "all"} else _HARMLESS
    if len(dims) > 1 or not harmless.issuperset(options) or x.shape == (0, 0):
        return None
    axes = reduction_axes(x, dims[0]) if dims else (first_axis(x.shape),)
    if "all" in options:
        axes = (0, 1)
    if any(axis > 1 or x.shape[axis] == 0 for axis in axes):
        return None
    matrix = x.data
    for axis in axes:
        matrix = _along(name, matrix, axis)
    return SparseArray(matrix)


def _along(name: str, matrix: Any, axis: int) -> Any:
    from scipy.sparse import csc_array

    shape = (1, matrix.shape[1]) if axis == 0 else (matrix.shape[0], 1)
    if name == "sum":
        line = matrix.sum(axis=axis, dtype=np.result_type(matrix.dtype, np.float64))
    elif name in {"any", "all"}:
        counted = matrix.copy()
        counted.data = ~np.isnan(matrix.data) if name == "any" else np.ones(matrix.nnz, np.bool_)
        hits = counted.sum(axis=axis, dtype=np.intp)
        line = hits > 0 if name == "any" else hits == matrix.shape[axis]
    else:
        best = matrix.nanmax(axis=axis) if name == "max" else matrix.nanmin(axis=axis)
        line = best.toarray()
    return csc_array(np.asarray(line).reshape(shape))


def of_two(rule: Rule, x: Any, y: Any) -> Any:
    """An elementwise rule of double operands, at least one of them sparse.

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
    """The rule where either matrix has an element; it makes zero of two zeros."""
    from scipy.sparse import coo_array

    places = (x.astype(np.bool_) + y.astype(np.bool_)).nonzero()
    values = rule(*(_floating(np.asarray(matrix[places])).ravel() for matrix in (x, y)))
    return coo_array((values, places), shape=x.shape).tocsc()


def _floating(a: NDArray[Any]) -> NDArray[Any]:
    return a if a.dtype.kind in "fc" else a.astype(np.float64)
