"""Reductions of sparse matrices that never make them full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.builtins.arguments import first_axis, reduction_axes, split_options
from runmat_core.values import SparseArray

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
