"""Factors of a full matrix that are kept to solve several systems of equations with it.

Each class is one kind of factorization. `FACTORS` names them as MATLAB does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from runmat_core.builtins.linalg.support import Matrix
from runmat_core.values.lapack import bandwidth, blas, lapack, pivoted_qr, qr, solve_triangle


class NoFactors(Exception):  # noqa: N818 - no fault: the matrix is not of this kind
    """A matrix does not have the factors that were asked for."""


class Factors(ABC):
    """What solves systems with a matrix and with its conjugate transpose.

    Attributes:
        shape, dtype: of the matrix.
        sizes: its 1-norm and that of its transpose.
    """

    #: whether the rank tells how good the matrix is, and not its reciprocal condition
    by_rank = False

    def __init__(self, a: Any) -> None:
        self.shape: tuple[int, int] = a.shape
        self.dtype = a.dtype
        size = abs(a)
        self.sizes = tuple(
            float(size.sum(axis=axis).max()) if 0 not in a.shape else 0.0 for axis in (0, 1)
        )
        self._rcond: dict[bool, float] = {}

    @abstractmethod
    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        """X with ``A X = B`` or ``A' X = B``, all of one element type."""

    def solve(self, b: Matrix, adjoint: bool = False) -> Matrix:
        """`_solve` of a right-hand side of any floating type; complex ones in their parts."""
        with np.errstate(all="ignore"):
            if b.dtype.kind == "c" and self.dtype.kind != "c":
                real, imaginary = (self.solve(part, adjoint) for part in (b.real, b.imag))
                return real + 1j * imaginary
            return self._solve(np.asarray(b, self.dtype, order="F"), adjoint)

    def rcond(self, adjoint: bool = False) -> float:
        """Return an estimate of the reciprocal condition in the 1-norm."""
        if adjoint not in self._rcond:
            self._rcond[adjoint] = self._condition(adjoint)
        return self._rcond[adjoint]

    def _condition(self, adjoint: bool) -> float:
        size = self.sizes[adjoint]
        if 0 in self.shape:
            return float("inf")
        if not np.isfinite(size):
            return float("nan")
        inverse = estimate_of_inverse(self, adjoint)
        return 1 / (size * inverse) if np.isfinite(inverse) and size else 0.0


def estimate_of_inverse(factors: Factors, adjoint: bool) -> float:
    """Return a lower bound of the 1-norm of an inverse (N. J. Higham, ACM TOMS 14, 1988)."""
    count = factors.shape[0]
    x: Matrix = np.full((count, 1), 1 / count, factors.dtype)
    found, last = 0.0, -1
    for _ in range(5):
        y = factors.solve(x, adjoint)
        fresh = float(np.abs(y).sum())
        if not np.isfinite(fresh):
            return float("inf")
        if fresh <= found:
            break
        found = fresh
        length = np.abs(y)
        phase = np.where(length > 0, y / np.where(length > 0, length, 1), 1)
        ahead = np.abs(factors.solve(phase, not adjoint))
        at = int(np.argmax(ahead))
        if at == last:
            break
        x, last = np.zeros_like(x), at
        x[at] = 1
    # what cancels in such sums does not in one of growing terms with alternating signs
    steps = np.arange(count)
    ladder = (1 + steps / max(count - 1, 1)) * (-1.0) ** steps
    other = factors.solve(ladder.reshape(-1, 1).astype(factors.dtype), adjoint)
    return max(found, 2 * float(np.abs(other).sum()) / (3 * count))


class Diagonal(Factors):
    def __init__(self, a: Any, lower: bool) -> None:
        super().__init__(a)
        self.diagonal = np.asarray(a.diagonal()).reshape(-1, 1)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        return np.asarray(b / (self.diagonal.conj() if adjoint else self.diagonal))


class Triangular(Factors):
    """Substitution; `lower` tells which triangle of the matrix is read."""

    def __init__(self, a: Matrix, lower: bool) -> None:
        half = np.tril(a) if lower else np.triu(a)
        super().__init__(half)
        self.half, self.lower = np.asfortranarray(half), lower

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        # TRSM divides by zeros of the diagonal, where TRTRS does nothing
        rule = blas("trsm", self.half.dtype)
        trans = 2 if adjoint else 0
        return np.asarray(rule(1.0, self.half, b, lower=int(self.lower), trans_a=trans))


class PermutedTriangular(Factors):
    def __init__(self, a: Matrix, lower: bool) -> None:
        super().__init__(a)
        orders = triangular_orders(a != 0)
        if orders is None:
            raise NoFactors
        self.rows, self.columns = orders
        self.inner = Triangular(a[self.rows][:, self.columns], lower=True)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        before, after = (self.columns, self.rows) if adjoint else (self.rows, self.columns)
        found = np.empty_like(b)
        found[after] = self.inner.solve(b[before], adjoint)
        return found


def triangular_orders(filled: Matrix) -> tuple[Matrix, Matrix] | None:
    """Orders of rows and columns that make a square pattern a lower triangle, or None.

    The first row of a triangle has one element; without that row and its column it is one again.
    """
    counts = filled.sum(axis=1)
    rows, columns = [], []
    left = np.ones(filled.shape[1], bool)
    for _ in range(filled.shape[0]):
        row = int(np.argmax(counts == 1))
        if counts[row] != 1:
            return None
        column = int(np.argmax(filled[row] & left))
        rows.append(row)
        columns.append(column)
        left[column] = False
        counts = counts - filled[:, column]
        counts[rows] = -1
    return np.array(rows, np.intp), np.array(columns, np.intp)


class Cholesky(Factors):
    def __init__(self, a: Matrix, lower: bool) -> None:
        super().__init__(_whole(a, lower))
        if np.iscomplexobj(a) and a.diagonal().imag.any():
            raise NoFactors
        self.factor, failed = lapack("potrf", a.dtype)(a, lower=int(lower), clean=1)
        if failed:
            raise NoFactors
        self.lower = lower

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        return np.asarray(lapack("potrs", self.dtype)(self.factor, b, lower=int(self.lower))[0])


def _whole(a: Matrix, lower: bool) -> Matrix:
    """Return the Hermitian matrix of which one triangle is given."""
    half = np.tril(a, -1) if lower else np.triu(a, 1)
    return np.asarray(half + half.conj().T + np.diag(a.diagonal()))


class BunchKaufman(Factors):
    """L*D*L' with blocks of order 1 and 2 in D."""

    def __init__(self, a: Matrix, lower: bool) -> None:
        super().__init__(_whole(a, lower))
        self.name = "he" if a.dtype.kind == "c" else "sy"
        if np.iscomplexobj(a) and a.diagonal().imag.any():
            raise NoFactors
        self.lower = int(lower)
        self.factor, self.pivots, _ = lapack(self.name + "trf", a.dtype)(
            a, lower=self.lower, lwork=64 * len(a)
        )

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        rule = lapack(self.name + "trs", self.dtype)
        return np.asarray(rule(self.factor, self.pivots, b, lower=self.lower)[0])


class LowerUpper(Factors):
    def __init__(self, a: Matrix, lower: bool) -> None:
        super().__init__(a)
        self.factor, self.pivots, _ = lapack("getrf", a.dtype)(a)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        trans = 2 if adjoint else 0
        rule = lapack("getrs", self.dtype)
        return np.asarray(rule(self.factor, self.pivots, b, trans=trans)[0])


class Banded(Factors):
    """Elimination within the band: of a Hessenberg matrix that is one row below each pivot."""

    def __init__(self, a: Any, lower: bool) -> None:
        super().__init__(a)
        full = a if isinstance(a, np.ndarray) else None
        if full is not None:
            self.below, self.above = bandwidth(full)
        else:
            parts = a.tocoo()
            apart = parts.row.astype(int) - parts.col
            self.below, self.above = max(int(apart.max()), 0), max(-int(apart.min()), 0)
        count = a.shape[0]
        band = np.zeros((2 * self.below + self.above + 1, count), a.dtype, order="F")
        for k in range(-self.below, self.above + 1):
            line = a.diagonal(k)
            start = max(k, 0)
            band[self.below + self.above - k, start : start + line.size] = line
        self.factor, self.pivots, _ = lapack("gbtrf", a.dtype)(band, self.below, self.above)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        rule = lapack("gbtrs", self.dtype)
        trans = 2 if adjoint else 0
        return np.asarray(rule(self.factor, self.below, self.above, b, self.pivots, trans=trans)[0])


class Orthogonal(Factors):
    """Pivoted QR: a basic solution in the sense of least squares.

    Attributes:
        rank: how many diagonal elements of R are above `tolerance`.
    """

    by_rank = True

    def __init__(self, a: Matrix, lower: bool, tolerance: float | None = None) -> None:
        super().__init__(a)
        self.q, self.r, self.order = pivoted_qr(a, economic=True)
        diagonal = np.abs(self.r.diagonal())
        largest = float(diagonal[0]) if diagonal.size else 0.0
        epsilon = float(np.finfo(self.dtype).eps)
        self.tolerance = max(a.shape) * epsilon * largest if tolerance is None else tolerance
        self.rank = int((diagonal > self.tolerance).sum())
        self._given, self._asked = a, tolerance

    @cached_property
    def _turned(self) -> Orthogonal:
        """The factors of the conjugate transpose: basic solutions need other pivots."""
        return Orthogonal(self._given.conj().T, False, self._asked)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        if adjoint:
            return self._turned._solve(b, False)
        if not np.isfinite(self.sizes[0]):
            return np.full((self.shape[1], b.shape[1]), np.nan, self.dtype, order="F")
        x = np.zeros((self.shape[1], b.shape[1]), self.dtype, order="F")
        top, kept = self.r[: self.rank, : self.rank], self.order[: self.rank]
        x[kept] = solve_triangle(top, self.q[:, : self.rank].conj().T @ b)
        return x


class CompleteOrthogonal(Orthogonal):
    """The solution of least norm: R is made a triangle on both sides."""

    def __init__(self, a: Matrix, lower: bool, tolerance: float | None = None) -> None:
        super().__init__(a, lower, tolerance)
        self.across, self.triangle = qr(self.r[: self.rank].conj().T, economic=True)
        self.undo = np.argsort(self.order)

    def _solve(self, b: Matrix, adjoint: bool) -> Matrix:
        # A = Q*(across*triangle)'*P', with Q of `rank` columns
        if not np.isfinite(self.sizes[0]):
            return np.full((self.shape[0 if adjoint else 1], b.shape[1]), np.nan, self.dtype)
        left, right = self.q[:, : self.rank], self.across[self.undo]
        if adjoint:
            middle = solve_triangle(self.triangle, right.conj().T @ b)
            return np.asarray(left @ middle)
        middle = solve_triangle(self.triangle, left.conj().T @ b, trans=2)
        return np.asarray(right @ middle)


#: By the name of the type.
FACTORS: dict[str, Any] = {
    "qr": Orthogonal,
    "cod": CompleteOrthogonal,
    "lu": LowerUpper,
    "ldl": BunchKaufman,
    "chol": Cholesky,
    "triangular": Triangular,
    "permutedTriangular": PermutedTriangular,
    "banded": Banded,
    "hessenberg": Banded,
    "diagonal": Diagonal,
}
