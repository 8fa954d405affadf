"""Routines of LAPACK and BLAS by the element type of matrices, and what is made of several."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.interrupts import stoppable
from runmat_core.api.libraries import extension
from runmat_core.api.threads import by_work

Matrix = NDArray[Any]
Rule = TypeVar("Rule", bound=Callable[..., Any])

_PREFIX = {"f": "s", "d": "d", "F": "c", "D": "z"}
#: Routines for unitary matrices, which have another name where matrices are real.
_UNITARY = {"orgqr": "ungqr", "ormqr": "unmqr"}


@cache
def lapack(name: str, kind: np.dtype[Any]) -> Any:
    """Return the LAPACK routine for matrices of an element type, such as ``dgetrf``.

    What is unitary goes by the name that it has for real matrices.
    """
    if kind.kind == "c":
        name = _UNITARY.get(name, name)
    routines = extension("scipy.linalg._flapack", "scipy.linalg.lapack")
    return getattr(routines, _PREFIX[kind.char] + name)


@cache
def blas(name: str, kind: np.dtype[Any]) -> Any:
    """Return the BLAS routine for matrices of an element type, such as ``dtrsm``."""
    return getattr(extension("scipy.linalg._fblas", "scipy.linalg.blas"), _PREFIX[kind.char] + name)


#: A matrix with fewer elements is never worth several threads by itself.
SMALL = 1 << 14


def _shared(rule: Rule) -> Rule:
    """Return a rule for a matrix on as many threads as serve its order."""

    @wraps(rule)
    def run(a: Matrix, *args: Any, **options: Any) -> Any:
        if a.size < SMALL:
            return rule(a, *args, **options)
        count = a.size * min(a.shape[-2:])
        with by_work(count):
            return stoppable(count, rule, a, *args, **options)

    return cast(Rule, run)


inv = _shared(np.linalg.inv)
det = _shared(np.linalg.det)
lower_cholesky = _shared(np.linalg.cholesky)
unpivoted_qr = _shared(np.linalg.qr)


def floating_kind(*operands: Matrix) -> np.dtype[Any]:
    """Return the element type of LAPACK's that operands are computed in together."""
    kind = np.result_type(np.float32, *operands)
    return kind if kind.char in _PREFIX else np.dtype(np.float64)


def _with_workspace(routine: Any, *args: Any) -> tuple[Any, ...]:
    """Return the results of a routine that is asked first how much memory it works best with."""
    wanted = int(routine(*args, lwork=-1)[-2][0].real)
    return tuple(routine(*args, lwork=wanted)[:-2])


@_shared
def qr(a: Matrix, economic: bool) -> tuple[Matrix, Matrix]:
    """Q and R with ``Q R = a``; `economic` with as few columns as `a` has, where it is tall."""
    if not a.size:
        return _empty(a, economic)
    packed, tau = _with_workspace(lapack("geqrf", a.dtype), a)
    return _orthogonal(packed, tau, economic), _upper(packed, economic)


@_shared
def pivoted_qr(a: Matrix, economic: bool) -> tuple[Matrix, Matrix, NDArray[np.intp]]:
    """Q, R and an order of columns with ``Q R = a[:, order]`` and a diagonal that decreases."""
    if not a.size:
        return *_empty(a, economic), np.arange(a.shape[1])
    packed, order, tau = _with_workspace(lapack("geqp3", a.dtype), a)
    return _orthogonal(packed, tau, economic), _upper(packed, economic), order.astype(np.intp) - 1


def _empty(a: Matrix, economic: bool) -> tuple[Matrix, Matrix]:
    m, n = a.shape
    count = min(m, n) if economic else m
    return np.eye(m, count, dtype=a.dtype), np.zeros((count, n), a.dtype)


def _upper(packed: Matrix, economic: bool) -> Matrix:
    m, n = packed.shape
    return np.triu(packed[:n] if economic and m > n else packed)


def _orthogonal(packed: Matrix, tau: Matrix, economic: bool) -> Matrix:
    """Return the orthogonal factor of reflections that lie below a triangle."""
    m, n = packed.shape
    if m < n:
        packed = packed[:, :m]
    elif not economic and m > n:
        packed = np.concatenate([packed, np.zeros((m, m - n), packed.dtype)], axis=1)
    return np.asarray(_with_workspace(lapack("orgqr", packed.dtype), packed, tau)[0])


def solve_triangle(a: Matrix, b: Matrix, lower: bool = False, trans: int = 0) -> Matrix:
    """X with ``a X = b``, 1 as `trans` for the transpose of `a` and 2 for its adjoint.

    Raises:
        numpy.linalg.LinAlgError: there is a zero on the diagonal.
    """
    kind = floating_kind(a, b)
    if not b.size:
        return np.zeros(b.shape, kind)
    if not a.flags.f_contiguous and trans != 2:
        a, lower, trans = a.T, not lower, 1 - trans
    x, status = lapack("trtrs", kind)(a, b, lower=int(lower), trans=trans)
    if status:
        raise np.linalg.LinAlgError("singular triangle")
    return np.asarray(x)


def bandwidth(a: Matrix) -> tuple[int, int]:
    """How many diagonals below and above the main one have elements that are not zero."""
    return _reach(a), _reach(a.T)


#: Columns that are looked at together.
_TOGETHER = 64


def _reach(a: Matrix) -> int:
    """How many diagonals below the main one have elements that are not zero."""
    reach, rows = 0, len(a)
    for k in range(0, min(a.shape), _TOGETHER):
        # what lies nearer to the diagonal than an element of another column makes no difference
        below = a[k + 1 + reach :, k : k + _TOGETHER]
        if not below.size:
            break
        if below[-1, 0]:
            return rows - 1 - k
        width = below.shape[1]
        # of the first rows a part is that near, and of those beneath nothing is
        first = below[: width - 1]
        if below[width - 1 :].any() or (first.astype(bool) & _beneath(*first.shape)).any():
            down, across = below.nonzero()
            reach += max(0, int((down - across).max()) + 1)
    return reach


@lru_cache(128)
def _beneath(rows: int, columns: int) -> Matrix:
    """Where the diagonal of a matrix is, and what lies below it."""
    return np.tri(rows, columns, dtype=bool)


@_shared
def lu_factor(a: Matrix) -> tuple[Matrix, NDArray[np.intc]]:
    """L and U with ``L U = P a``, packed, and the interchanges of rows that P stands for."""
    if not a.size:
        return a, np.zeros(0, np.intc)
    packed, pivots, _ = lapack("getrf", a.dtype)(a)
    return packed, pivots


def lu_solve(factors: tuple[Matrix, NDArray[np.intc]], b: Matrix, trans: int = 0) -> Matrix:
    """X with ``a X = b`` by the factors of `a`; 2 as `trans` for the adjoint."""
    lu, pivots = factors
    if not b.size:
        return np.zeros(b.shape, floating_kind(lu, b))
    return np.asarray(lapack("getrs", floating_kind(lu, b))(lu, pivots, b, trans=trans)[0])
