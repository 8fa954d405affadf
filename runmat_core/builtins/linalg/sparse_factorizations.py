"""Factorisations of sparse matrices, by SuperLU where it has the rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.linalg.support import matrix
from runmat_core.values import SparseArray, from_numpy, size_of, to_numpy
from runmat_core.values.superlu import splu

Order = NDArray[Any]


def pattern_of(x: Any, name: str) -> Any:
    """Where a matrix has nonzero elements: ones in a sparse matrix of SciPy by columns.

    Args:
        name: the builtin whose argument `x` is.
    """
    csc_array = package("scipy.sparse").csc_array

    source = x.data if isinstance(x, SparseArray) else csc_array(matrix(x, name))
    return (source != 0).astype(np.int8).tocsc()


def square_pattern_of(x: Any, name: str) -> Any:
    """`pattern_of` a square matrix.

    Raises:
        MatlabError: MATLAB:square.
    """
    pattern = pattern_of(x, name)
    if pattern.shape[0] != pattern.shape[1]:
        raise MatlabError("MATLAB:square", "Matrix must be square.")
    return pattern


def permutation(order: Order, as_vector: bool, rows: bool) -> Any:
    """`order` as a vector, or as the sparse matrix that permutes rows (P*A) or columns (A*P)."""
    if as_vector:
        return from_numpy(order.reshape(1, -1) + 1.0)
    csc_array = package("scipy.sparse").csc_array

    at = np.arange(order.size)
    places = (at, order) if rows else (order, at)
    return SparseArray(csc_array((np.ones(order.size), places), shape=(order.size, order.size)))


def diagonal(numbers: Order) -> SparseArray:
    """Return the sparse matrix with these numbers on its diagonal."""
    csc_array = package("scipy.sparse").csc_array

    at = np.arange(numbers.size)
    return SparseArray(csc_array((numbers, (at, at)), shape=(numbers.size, numbers.size)))


def cholesky(x: SparseArray, lower: bool, reorder: bool) -> tuple[SparseArray, Order] | None:
    """Return the Cholesky factor of ``A(order, order)``, and that order.

    Return None unless positive definite.

    Args:
        x: a square sparse matrix, of which one triangle is read.
        lower: whether the factor, and the triangle that is read, is the lower one.
        reorder: whether to look for an order with few new nonzero elements.
    """
    sparse = package("scipy.sparse")

    size = x.shape[0]
    if size == 0:
        return x, np.arange(0)
    half = sparse.tril(x.data, -1) if lower else sparse.triu(x.data, 1)
    diagonal = x.data.diagonal()
    whole = (half + half.conj().T + sparse.diags_array(diagonal)).tocsc()
    if np.iscomplexobj(diagonal) and diagonal.imag.any():
        return None
    try:
        factors = splu(
            whole.astype(np.result_type(whole.dtype, np.float64)),
            permc_spec="MMD_AT_PLUS_A" if reorder else "NATURAL",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:  # exactly singular
        return None
    pivots = factors.U.diagonal().real
    order = np.argsort(factors.perm_c)
    if not (pivots > 0).all() or not np.array_equal(factors.perm_r, factors.perm_c):
        return None
    left = factors.L @ sparse.diags_array(np.sqrt(pivots))
    return SparseArray(left.tocsc() if lower else left.conj().T.tocsc()), order


def lu_of_square(
    x: SparseArray, reorder: bool, threshold: float = 1.0
) -> tuple[SparseArray, SparseArray, Order, Order] | None:
    """Factors and orders with ``A(rows, columns) = L*U``; None unless A is square and regular.

    Args:
        x: a sparse matrix.
        reorder: whether to look for an order of columns with few new nonzero elements.
        threshold: an element on the diagonal is the pivot where it is at least this many times
            the largest of its column.
    """
    if x.shape[0] != x.shape[1] or x.shape[0] == 0:
        return None
    matrix = x.data.astype(np.result_type(x.data.dtype, np.float64))
    try:
        order = "COLAMD" if reorder else "NATURAL"
        factors = splu(matrix, permc_spec=order, diag_pivot_thresh=threshold)
    except RuntimeError:  # exactly singular
        return None
    rows, columns = np.argsort(factors.perm_r), np.argsort(factors.perm_c)
    return SparseArray(factors.L.tocsc()), SparseArray(factors.U.tocsc()), rows, columns


def made_sparse(outputs: Any) -> Any:
    """Return the factors of a full matrix as those of a sparse one.

    Orders that are vectors stay full.
    """
    several = outputs if isinstance(outputs, tuple) else (outputs,)
    made = tuple(
        v if k == 2 and size_of(v)[0] == 1 else SparseArray.from_dense(to_numpy(v))
        for k, v in enumerate(several)
    )
    return made if isinstance(outputs, tuple) else made[0]
