r"""Systems of linear equations, solved by the structure of their matrix, as ``\`` does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.interrupts import stoppable
from runmat_core.api.threads import by_work
from runmat_core.values.classes import DOUBLE, silent
from runmat_core.values.lapack import SMALL, bandwidth, blas, lapack, pivoted_qr, solve_triangle
from runmat_core.values.notices import warn, warn_singular

Matrix = NDArray[Any]


def solve(A: Matrix, B: Matrix) -> Matrix:
    """X with ``A X = B``: by substitution, Cholesky or LU where A is square, else least squares.

    Args:
        A: m-by-n.
        B: m-by-k.

    Returns:
        n-by-k; with Inf and NaN where A is singular, after a warning.
    """
    kind = DOUBLE if A.dtype is DOUBLE and B.dtype is DOUBLE else _common(A.dtype, B.dtype)
    if 0 in A.shape or 0 in B.shape:
        return np.zeros((A.shape[1], B.shape[1]), kind, order="F")
    A, B = np.asarray(A, kind, order="F"), np.asarray(B, kind, order="F")
    if A.shape[0] == A.shape[1] and A.size + B.size < SMALL:
        return _square(A, B)
    count = A.size * (min(A.shape) / 3 + B.shape[1])
    with by_work(count):
        if A.shape[0] == A.shape[1]:
            return stoppable(count, _square, A, B)
        with silent():
            return stoppable(count, least_squares, A, B)


def _common(first: np.dtype[Any], second: np.dtype[Any]) -> np.dtype[Any]:
    """Return the element type of a solution."""
    if first.kind in "iu" or second.kind in "iu":
        raise MatlabError(
            "MATLAB:mldivide:integerNotSupported",
            "MLDIVIDE (\\) is not supported for integer classes.",
        )
    kind = np.result_type(first, second, np.float32)
    if "f" in (first.char, second.char) or "F" in (first.char, second.char):
        kind = np.dtype(np.complex64 if kind.kind == "c" else np.float32)
    return kind


#: The precision of an element type.
EPSILON = {char: float(np.finfo(char).eps) for char in "fdFD"}
#: Up to this order, Python's lists tell what a matrix is like faster than passes of NumPy do.
_LISTED = 16


def _square(A: Matrix, B: Matrix) -> Matrix:
    listed = A.dtype is DOUBLE and len(A) <= _LISTED
    structure, norm = _listed_structure(A) if listed else _structure(A)
    if structure == "upper" or structure == "lower":
        return _triangular(A, B, lower=structure == "lower")
    if listed and norm - norm != 0:
        norm = norm_1(A)  # the sum may overflow alone
    if norm - norm != 0:  # infinite or NaN
        warn_singular(np.nan)
        return np.full(B.shape, np.nan, A.dtype, order="F")
    if structure == "hermitian":
        factor, failed = lapack("potrf", A.dtype)(A, lower=0, clean=0)
        if not failed:
            if not (listed and len(A) <= _BOUNDED and _harmless(norm, factor, twice=True)):
                exact = norm_1(A) if listed else norm
                _check_condition(lapack("pocon", A.dtype)(factor, exact)[0], A.dtype)
            if B.shape[1] > 1 and len(B) <= _SMALL:
                lower = np.asfortranarray(factor.conj().T)
                return _substitute(factor, _substitute(lower, B, lower=1), lower=0)
            return lapack("potrs", A.dtype)(factor, B, lower=0)[0]  # type: ignore[no-any-return]
    lu, pivots, singular = lapack("getrf", A.dtype)(A)
    if not (listed and len(A) <= _BOUNDED and _harmless(norm, lu, twice=False)):
        exact = norm_1(A) if listed else norm
        rcond = 0.0 if singular else lapack("gecon", A.dtype)(lu, exact)[0]
        _check_condition(rcond, A.dtype)
    # substitution through a zero pivot gives the Inf and NaN that MATLAB shows
    if B.shape[1] > 1 and len(B) <= _SMALL:
        X = B[_rows(pivots)].copy(order="F")
        return _substitute(lu, _substitute(lu, X, lower=1, unit=1), lower=0)
    return lapack("getrs", A.dtype)(lu, pivots, B)[0]  # type: ignore[no-any-return]


#: Up to this order a bound of the condition from the factors nearly always says enough.
_BOUNDED = 6


def _harmless(norm: float, factor: Matrix, twice: bool) -> bool:
    """Whether the factors of a small matrix show that its condition is no reason for a warning.

    The norm of the inverse of a triangle is at most (1 + m)^(n-1)/d, with d the least pivot and m*d
    the largest element. Multipliers are at most one, so for L of LU it is at most 2^(n-1); of
    Cholesky's factors, one is the other's transpose.

    Args:
        norm: of the matrix, or more.
        factor: its upper triangle is one factor; what is below only loosens the bound.
        twice: whether the other factor is the transpose.
    """
    n = len(factor)
    elements: list[float] = factor.ravel("K").tolist()
    least = min(map(abs, elements[:: n + 1]))
    largest = max(max(elements), -min(elements))
    # products of what is within these limits do not overflow
    if not (1e-100 < least <= largest < least * _HARMLESS and norm < 1e100):
        return False
    inverse = (1 + largest / least) ** (n - 1) / least
    return norm * inverse * (inverse if twice else 2.0 ** (n - 1)) < _HARMLESS


#: A condition that is surely no reason for a warning.
_HARMLESS = 1e14


def _structure(A: Matrix) -> tuple[str, float]:
    """Return what decides how a square matrix is factored, and its norm unless it is a triangle.

    Returns:
        "upper", "lower", "hermitian" with a positive diagonal, or "full"; the largest sum of
        magnitudes of a column.
    """
    below, above = bandwidth(A)
    if not (below and above):
        return "lower" if below else "upper", 0.0
    norm = norm_1(A)
    with silent():
        hermitian = (A.diagonal().real > 0).all() and (A == A.conj().T).all()
    return "hermitian" if hermitian else "full", norm


def _listed_structure(A: Matrix) -> tuple[str, float]:
    """`_structure` of a small matrix of real doubles; the norm is the sum of all magnitudes."""
    n = len(A)
    elements: list[float] = A.ravel("F").tolist()
    last, first = elements[n - 1], elements[-n]  # in the corners below and above the diagonal
    if not (last and first) or n == 1:
        below = above = False
        for k in range(n):
            column = elements[k * n : k * n + n]
            below = below or any(column[k + 1 :])
            above = above or any(column[:k])
            if below and above:
                break
        else:
            return "lower" if below else "upper", 0.0
    hermitian = last == first and min(elements[:: n + 1]) > 0 and A.ravel("C").tolist() == elements
    return "hermitian" if hermitian else "full", sum(map(abs, elements))


def _largest_sum(columns: list[list[float]]) -> float:
    """Return the largest sum of magnitudes of a column; NaN where an element is."""
    sums = [sum(map(abs, column)) for column in columns]
    total = sum(sums)
    # what is NaN compares with nothing
    return max(sums) if total == total else total


def norm_1(A: Matrix) -> float:
    """Return the largest sum of magnitudes of a column; NaN where an element is."""
    if A.dtype is DOUBLE and len(A) <= _LISTED and A.shape[1] <= _LISTED:
        return _largest_sum(A.T.tolist())
    with silent():
        return float(np.abs(A).sum(axis=0).max())


#: Up to this order, systems with several right-hand sides are solved by TRSM: OpenBLAS gives each
#: column of GETRS and TRTRS to a thread whatever its length, which takes milliseconds on a busy
#: machine, and knows from which size on that pays for TRSM alone.
_SMALL = 64


def _rows(pivots: NDArray[Any]) -> list[int]:
    """Return the order of rows after the interchanges of a factorization."""
    rows = list(range(len(pivots)))
    for k, other in enumerate(pivots.tolist()):
        rows[k], rows[other] = rows[other], rows[k]
    return rows


#: Up to this order, rows of many right-hand sides are combined one by one: what a thread of TRSM
#: would get is less than waking it takes.
_TINY = 6
_MANY = 128


def _substitute(A: Matrix, B: Matrix, lower: int, unit: int = 0) -> Matrix:
    if len(A) <= _TINY and B.shape[1] >= _MANY:
        with silent():
            return _by_rows(A, B, bool(lower), bool(unit))
    return blas("trsm", A.dtype)(1.0, A, B, lower=lower, diag=unit)  # type: ignore[no-any-return]


def _by_rows(A: Matrix, B: Matrix, lower: bool, unit: bool) -> Matrix:
    """Substitution by the rows of a triangle."""
    n = len(A)
    X = np.array(B, order="C")
    order = range(n) if lower else range(n - 1, -1, -1)
    for k in order:
        for done in range(k) if lower else range(n - 1, k, -1):
            X[k] -= A[k, done] * X[done]
        if not unit:
            X[k] /= A[k, k]
    return np.asfortranarray(X)


def _triangular(A: Matrix, B: Matrix, lower: bool) -> Matrix:
    if np.count_nonzero(A.diagonal()) < len(A):
        warn_singular(0.0)
        with silent():
            return _substitution(A, B, lower)
    rcond, _ = lapack("trcon", A.dtype)(A, uplo="L" if lower else "U")
    _check_condition(rcond, A.dtype)
    if B.shape[1] > 1 and len(B) <= _SMALL:
        return _substitute(A, B, int(lower))
    return lapack("trtrs", A.dtype)(A, B, lower=int(lower))[0]  # type: ignore[no-any-return]


def _substitution(A: Matrix, B: Matrix, lower: bool) -> Matrix:
    """Substitution that divides by zero pivots."""
    n = A.shape[0]
    X = B.copy(order="F")
    for k in range(n) if lower else range(n - 1, -1, -1):
        done = slice(0, k) if lower else slice(k + 1, n)
        X[k] = (X[k] - A[k, done] @ X[done]) / A[k, k]
    return X


def _check_condition(rcond: float, kind: np.dtype[Any]) -> None:
    """Warn when an estimate of the reciprocal condition is below the precision."""
    if not rcond >= EPSILON[kind.char]:
        warn_singular(float(rcond))


def least_squares(A: Matrix, B: Matrix) -> Matrix:
    """Return a least-squares solution with at most rank(A) non-zeros a column, by pivoted QR."""
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        return np.full((A.shape[1], B.shape[1]), np.nan, A.dtype, order="F")
    Q, R, pivots = pivoted_qr(A, economic=True)
    diagonal = np.abs(np.diag(R))
    tolerance = max(A.shape) * float(np.finfo(R.dtype).eps) * float(diagonal[0])
    rank = int((diagonal > tolerance).sum())
    if rank < min(A.shape):
        warn(
            "MATLAB:rankDeficientMatrix",
            f"Rank deficient, rank = {rank}, tol = {tolerance:13.6e}.",
        )
    X = np.zeros((A.shape[1], B.shape[1]), A.dtype, order="F")
    projected = (Q.conj().T @ B)[:rank]
    X[pivots[:rank]] = solve_triangle(R[:rank, :rank], projected)
    return X
