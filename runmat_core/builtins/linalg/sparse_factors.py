"""Factors of a sparse matrix that are kept, by SuperLU."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from runmat_core.api.libraries import package
from runmat_core.builtins.linalg.factors import Factors, NoFactors
from runmat_core.builtins.linalg.support import Matrix
from runmat_core.values.superlu import splu


class SparseFactors(Factors):
    """What SuperLU makes of a matrix; where that is singular, solutions are infinite.

    Args:
        a: a `csc_array` of floating elements.
        order: which order of columns SuperLU looks for.
        options: of SuperLU.
    """

    def __init__(self, a: Any, order: str, **options: Any) -> None:
        super().__init__(a)
        self.factors: Any = None
        with suppress(RuntimeError):  # exactly singular
            self.factors = splu(a.tocsc(), permc_spec=order, **options)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        if self.factors is None:
            return np.full(b.shape, np.inf, b.dtype)
        return np.asarray(self.factors.solve(b, "H" if adjoint else "N"))


def _lower_upper(a: Any, lower: bool, pivot: float | None) -> Factors:
    return SparseFactors(a, "COLAMD", diag_pivot_thresh=pivot)


def _triangular(a: Any, lower: bool, pivot: float | None) -> Factors:
    tril = package("scipy.sparse").tril
    triu = package("scipy.sparse").triu

    # with the order and the pivots of the matrix itself, elimination is substitution
    half = (tril if lower else triu)(a).tocsc()
    return SparseFactors(half, "NATURAL", diag_pivot_thresh=0.0)


def _permuted(a: Any, lower: bool, pivot: float | None) -> Factors:
    if not is_permuted_triangle(a):
        raise NoFactors
    return SparseFactors(a, "COLAMD")


def is_permuted_triangle(a: Any) -> bool:
    """Whether some order of rows and columns makes `a` a triangle."""
    rows, columns = (a != 0).tocsr(), (a != 0).tocsc()
    counts = np.diff(rows.indptr)
    ready = np.flatnonzero(counts == 1).tolist()
    left = np.ones(a.shape[1], bool)
    for _ in range(a.shape[0]):
        while ready and counts[ready[-1]] != 1:
            ready.pop()
        if not ready:
            return False
        row = ready.pop()
        among = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
        column = among[left[among]][0]
        left[column] = False
        touched = columns.indices[columns.indptr[column] : columns.indptr[column + 1]]
        counts[touched] -= 1
        ready += touched[counts[touched] == 1].tolist()
    return True


def _symmetric(a: Any, lower: bool, pivot: float | None) -> Factors:
    diags_array = package("scipy.sparse").diags_array
    tril = package("scipy.sparse").tril
    triu = package("scipy.sparse").triu

    half = tril(a, -1) if lower else triu(a, 1)
    whole = (half + half.conj().T + diags_array(a.diagonal())).tocsc()
    return SparseFactors(whole, "MMD_AT_PLUS_A", diag_pivot_thresh=pivot)


def _cholesky(a: Any, lower: bool, pivot: float | None) -> Factors:
    diags_array = package("scipy.sparse").diags_array
    tril = package("scipy.sparse").tril
    triu = package("scipy.sparse").triu

    diagonal = a.diagonal()
    if not (diagonal.real > 0).all() or (np.iscomplexobj(diagonal) and diagonal.imag.any()):
        raise NoFactors
    half = tril(a, -1) if lower else triu(a, 1)
    whole = (half + half.conj().T + diags_array(diagonal)).tocsc()
    options = {"SymmetricMode": True}
    made = SparseFactors(whole, "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    # without interchanges, the pivots of a definite matrix are positive, and of no other
    found = made.factors
    if found is None or not np.array_equal(found.perm_r, found.perm_c):
        raise NoFactors
    if not (found.U.diagonal().real > 0).all():
        raise NoFactors
    return made


#: By the name of the type, where sparse matrices have factors of their own.
SPARSE_FACTORS: dict[str, Any] = {
    "lu": _lower_upper,
    "ldl": _symmetric,
    "chol": _cholesky,
    "triangular": _triangular,
    "permutedTriangular": _permuted,
}
