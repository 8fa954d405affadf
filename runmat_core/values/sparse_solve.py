"""Systems of linear equations with a sparse matrix, solved by the structure of that.

A diagonal is divided by; bands, triangles, and triangles whose rows or columns are permuted have
routines of their own; what is symmetric with a positive diagonal is factored without interchanges,
as by Cholesky; everything else by LU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package
from runmat_core.values import compressed
from runmat_core.values.lapack import lapack
from runmat_core.values.notices import warn_singular
from runmat_core.values.solve import solve
from runmat_core.values.superlu import splu

#: A scipy.sparse.csc_array of float64 or complex128.
Matrix = Any
Dense = NDArray[Any]

_EPSILON = float(np.finfo(np.float64).eps)
#: Up to this order, a full matrix takes less than looking for a structure does; so does one of any
#: order with a quarter of its elements stored.
_SMALL = 32
#: The part of a band that is stored from which on the whole band is worth storing.
_BAND_DENSITY = 0.5
#: Pivots whose ratio is below this are looked at by an estimate of the condition, which costs
#: several solutions.
_SUSPICIOUS = 1e-8


def solve_sparse(A: Matrix, B: Dense) -> Dense:
    """X with ``A X = B``, for a square sparse A and a full B of floating elements.

    Returns:
        n-by-k; with Inf and NaN where A is singular, after a warning.
    """
    kind = np.dtype(np.complex128 if "c" in (A.dtype.kind, B.dtype.kind) else np.float64)
    if A.dtype != kind:
        A = compressed.assembled(A.data.astype(kind), A.indices, A.indptr, A.shape)
    B = np.asarray(B, kind, order="F")
    if not B.size:
        return np.zeros(B.shape, kind, order="F")
    if A.shape[0] <= _SMALL or 4 * A.nnz > A.shape[0] ** 2:
        return solve(A.toarray(order="F"), B)
    below, above = _bandwidths(A)
    if not (below or above):
        return _diagonal(A, B)
    if not (below and above):
        return _triangle(A, B, lower=below > 0)
    if not np.isfinite(A.data).all():
        warn_singular(np.nan)
        return np.full(B.shape, np.nan, kind, order="F")
    for factor in _FACTORS:
        solved = factor(A, B, below, above)
        if solved is not None:
            return solved
    raise AssertionError("LU takes any matrix")


def _bandwidths(A: Matrix) -> tuple[int, int]:
    """How many diagonals below and above the main one have elements."""
    starts = A.indptr
    first, beyond = starts[:-1], starts[1:]
    columns = np.arange(first.size, dtype=starts.dtype)
    some = beyond > first
    if not some.all():
        first, beyond, columns = first[some], beyond[some], columns[some]
    if not columns.size:
        return 0, 0
    # the rows of a column ascend
    below = int((A.indices[beyond - 1] - columns).max())
    above = int((columns - A.indices[first]).max())
    return max(below, 0), max(above, 0)


def _warn_of(rcond: float) -> None:
    if not rcond >= _EPSILON:
        warn_singular(rcond)


def _ratio(pivots: Dense) -> float:
    """Return the smallest magnitude as a part of the largest: the estimate that costs nothing."""
    sizes = np.abs(pivots)
    largest = float(sizes.max())
    return float(sizes.min()) / largest if largest else 0.0


def _warn_by_pivots(A: Matrix, pivots: Dense, solved: Callable[[Dense, str], Dense]) -> None:
    """Warn where a factored matrix is nearly singular.

    Args:
        pivots: of the factorization, none of them zero.
        solved: the solution for a right-hand side, of the matrix ("N") or of its adjoint ("H").
    """
    ratio = _ratio(pivots)
    if not ratio < _SUSPICIOUS:
        return
    LinearOperator = package("scipy.sparse.linalg").LinearOperator
    onenormest = package("scipy.sparse.linalg").onenormest

    inverse = LinearOperator(
        A.shape,
        matvec=lambda x: solved(x.reshape(-1, 1), "N").ravel(),
        rmatvec=lambda x: solved(x.reshape(-1, 1), "H").ravel(),
        dtype=A.dtype,
    )
    norm = float(np.bincount(compressed.columns_of(A), np.abs(A.data)).max())
    # one column at a time draws no random numbers
    _warn_of(1 / (norm * float(onenormest(inverse, t=1))))


def _diagonal(A: Matrix, B: Dense) -> Dense:
    pivots = A.diagonal()
    _warn_of(_ratio(pivots))
    return np.asfortranarray(B / pivots[:, None])


# -- triangles ------------------------------------------------------------------------------------


def _triangle(A: Matrix, B: Dense, lower: bool) -> Dense:
    """Substitution; what meets a zero pivot is infinite or NaN."""
    pivots = A.diagonal()
    with np.errstate(all="ignore"):
        scales = 1 / pivots
    if not np.isfinite(scales).all() or not np.isfinite(A.data).all():
        # infinite, NaN and zero pivots spread as in the full matrix, by columns
        _warn_of(0.0 if not pivots.all() else _ratio(pivots))
        return _by_columns(A, B, pivots, lower)
    below, above = _bandwidths(A)
    width = below + above
    if A.nnz > _BAND_DENSITY * A.shape[0] * (width + 1):
        band = _band(A, below, above)

        def by_band(b: Dense, adjoint: str) -> Dense:
            routine = lapack("tbtrs", A.dtype)
            x, _ = routine(band, b, uplo="L" if lower else "U", trans=_TRANS[adjoint])
            return np.asarray(x)

        solved: Callable[[Dense, str], Dense] = by_band
    else:
        solved = _substitution(A, pivots, lower)
    _warn_by_pivots(A, pivots, solved)
    return solved(B, "N")


_TRANS = {"N": "N", "H": "C"}


def _substitution(A: Matrix, pivots: Dense, lower: bool) -> Callable[[Dense, str], Dense]:
    spsolve_triangular = package("scipy.sparse.linalg").spsolve_triangular

    columns = compressed.columns_of(A)
    # division keeps what is exact, where a product with a reciprocal does not
    unit = compressed.assembled(A.data / pivots[columns], A.indices, A.indptr, A.shape)

    def solved(b: Dense, adjoint: str) -> Dense:
        if adjoint == "N":
            y = spsolve_triangular(unit, b, lower=lower, unit_diagonal=True)
            return np.asarray(y / pivots[:, None])
        turned = unit.conj().T.tocsc()
        y = b / pivots.conj()[:, None]
        return np.asarray(spsolve_triangular(turned, y, lower=not lower, unit_diagonal=True))

    return solved


def _by_columns(A: Matrix, B: Dense, pivots: Dense, lower: bool) -> Dense:
    """Substitution that divides by whatever the pivots are."""
    X = B.copy(order="F")
    n, starts = A.shape[0], A.indptr.tolist()
    with np.errstate(all="ignore"):
        for k in range(n) if lower else range(n - 1, -1, -1):
            X[k] /= pivots[k]
            held = slice(starts[k], starts[k + 1])
            rows = A.indices[held]
            others = rows != k
            X[rows[others]] -= A.data[held][others, None] * X[k]
    return X


def _permuted(A: Matrix, B: Dense, below: int, above: int) -> Dense | None:
    """Return the solution with a triangle whose rows or whose columns are permuted."""
    n, starts = A.shape[0], A.indptr
    if A.nnz > n * (n + 1) // 2 or not (starts[1:] > starts[:-1]).all():
        return None
    for rows, lower in ((A.indices[starts[:-1]], True), (A.indices[starts[1:] - 1], False)):
        # the first element of each column, or the last, is on the diagonal of what it belongs to
        if _is_permutation(rows):
            order = np.empty(n, np.intp)
            order[rows] = np.arange(n)
            X = np.empty_like(B)
            X[order] = _triangle(compressed.columns(A, order), B, lower)
            return X
    columns = compressed.columns_of(A)
    for backwards in (False, True):
        last = np.full(n, -1, np.intp)
        step = -1 if backwards else 1
        last[A.indices[::step]] = columns[::step]
        if _is_permutation(last):
            order = np.empty(n, np.intp)
            order[last] = np.arange(n)
            places = last.astype(A.indices.dtype)[A.indices]
            # sorted in place: the elements must be its own
            moved = type(A)((A.data.copy(), places, starts), shape=A.shape)
            moved.sort_indices()
            return _triangle(moved, B[order], lower=not backwards)
    return None


def _is_permutation(places: NDArray[Any]) -> bool:
    if places.min() < 0:
        return False
    return bool(np.bincount(places, minlength=places.size).max() == 1)


# -- bands ----------------------------------------------------------------------------------------


def _band(A: Matrix, below: int, above: int, room: int = 0) -> Dense:
    """Return the diagonals as LAPACK stores them, under `room` rows for fill-in."""
    height = room + above + below + 1
    band = np.zeros((height, A.shape[1]), A.dtype, order="F")
    corners = (below * (below + 1) + above * (above + 1)) // 2
    if A.nnz == A.shape[1] * (below + above + 1) - corners:
        _full_band(A, below, above, band[room:])
        return band
    columns = compressed.columns_of(A).astype(np.int64)
    columns *= height - 1
    columns += A.indices
    columns += room + above
    band.ravel(order="K")[columns] = A.data
    return band


def _full_band(A: Matrix, below: int, above: int, band: Dense) -> None:
    """Fill in a band without zeros: only its corners are missing among the stored elements."""
    n = A.shape[1]
    for column in (*range(min(above, n)), *range(max(n - below, min(above, n)), n)):
        held = slice(A.indptr[column], A.indptr[column + 1])
        band[A.indices[held] - column + above, column] = A.data[held]
    first, last = A.indptr[above], A.indptr[n - below]
    if last > first:
        band[:, above : n - below] = A.data[first:last].reshape((below + above + 1, -1), order="F")


def _is_definite_candidate(A: Matrix, pivots: Dense) -> bool:
    """Whether a matrix is Hermitian with a positive diagonal."""
    if not (pivots.real > 0).all() or pivots.imag.any():
        return False
    turned = compressed.transposed(A)
    if not np.array_equal(turned.indptr, A.indptr):
        return False
    same = np.array_equal(turned.indices, A.indices)
    return same and np.array_equal(turned.data.conj(), A.data)


def _tridiagonal(A: Matrix, B: Dense, below: int, above: int) -> Dense | None:
    if below != 1 or above != 1 or 4 * A.nnz < 3 * A.shape[0]:
        return None
    if A.nnz == 3 * A.shape[0] - 2:
        # without a zero among them, the three diagonals take turns
        main, lower, upper = (A.data[k::3].copy() for k in range(3))
    else:
        band = _band(A, 1, 1)
        upper, main, lower = band[0, 1:].copy(), band[1].copy(), band[2, :-1].copy()
    kind = A.dtype
    hermitian = np.array_equal(upper, lower.conj()) and not main.imag.any()
    if hermitian and (main.real > 0).all():
        pivots, factor, failed = lapack("pttrf", kind)(main.real, lower)
        if not failed:

            def solved(b: Dense, adjoint: str) -> Dense:
                options = {"lower": 1} if kind.kind == "c" else {}
                return np.asarray(lapack("pttrs", kind)(pivots, factor, b, **options)[0])

            _warn_by_pivots(A, pivots, solved)
            return solved(B, "N")
    factors = lapack("gttrf", kind)(lower, main, upper)
    *factored, singular = factors

    def substituted(b: Dense, adjoint: str) -> Dense:
        return np.asarray(lapack("gttrs", kind)(*factored, b, trans=_TRANS[adjoint])[0])

    return _warned(A, B, factored[1], singular, substituted)


def _warned(
    A: Matrix, B: Dense, pivots: Dense, singular: int, solved: Callable[[Dense, str], Dense]
) -> Dense:
    """Return the solution by factors, after a warning where they are singular or nearly so."""
    if singular:
        warn_singular(0.0)
    else:
        _warn_by_pivots(A, pivots, solved)
    # substitution through a zero pivot gives the Inf and NaN that MATLAB shows
    return solved(B, "N")


def _banded(A: Matrix, B: Dense, below: int, above: int) -> Dense | None:
    n, kind = A.shape[0], A.dtype
    if A.nnz <= _BAND_DENSITY * n * (below + above + 1):
        return None
    if below == above and _is_definite_candidate(A, A.diagonal()):
        upper = _band(A, below, above)[: above + 1]
        factor, failed = lapack("pbtrf", kind)(upper, lower=0)
        if not failed:

            def solved(b: Dense, adjoint: str) -> Dense:
                return np.asarray(lapack("pbtrs", kind)(factor, b, lower=0)[0])

            _warn_by_pivots(A, factor[above].real ** 2, solved)
            return solved(B, "N")
    band = _band(A, below, above, room=below)
    packed, order, singular = lapack("gbtrf", kind)(band, below, above)

    def substituted(b: Dense, adjoint: str) -> Dense:
        trans = {"N": 0, "H": 2}[adjoint]
        routine = lapack("gbtrs", kind)
        return np.asarray(routine(packed, below, above, b, order, trans=trans)[0])

    return _warned(A, B, packed[below + above], singular, substituted)


# -- everything else ------------------------------------------------------------------------------


def _definite(A: Matrix, B: Dense, below: int, above: int) -> Dense | None:
    """Elimination without interchanges, which is Cholesky's; None where A is not definite."""
    if not _is_definite_candidate(A, A.diagonal()):
        return None
    options = {"SymmetricMode": True}
    try:
        factors = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    except RuntimeError:
        return None
    # a definite matrix needs no interchange and has positive pivots, and no other has
    pivots = factors.U.diagonal()
    if not np.array_equal(factors.perm_r, factors.perm_c) or not (pivots.real > 0).all():
        return None
    _warn_by_pivots(A, pivots, lambda b, adjoint: factors.solve(b, adjoint))
    return np.asarray(factors.solve(B))


def _general(A: Matrix, B: Dense, below: int, above: int) -> Dense:
    try:
        factors = splu(A)
    except RuntimeError:
        # exactly singular
        warn_singular(0.0)
        return np.full(B.shape, np.inf, B.dtype, order="F")
    _warn_by_pivots(A, factors.U.diagonal(), lambda b, adjoint: factors.solve(b, adjoint))
    return np.asarray(factors.solve(B))


#: In the order in which they are tried; each gives None where the structure is another.
_FACTORS = (_tridiagonal, _banded, _permuted, _definite, _general)
