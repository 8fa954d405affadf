"""Test matrices: hadamard, pascal, rosser, wilkinson, invhilb and compan."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, check_size, integer, numeric, option
from runmat_core.builtins.lift import value_of
from runmat_core.values import DTYPE, from_numpy

Matrix = NDArray[Any]


def order_of(value: Any, least: int = 0) -> int:
    """Return the order of a square matrix, negative ones as zero."""
    n = max(integer(value, "N"), least)
    check_size((n, n), 8)
    return n


def floating_class(value: Any, name: str) -> Any:
    """Return the element type that a class name asks for: "double" (the default) or "single"."""
    word = "double" if value is None else option(value)
    if word not in {"double", "single"}:
        raise MatlabError(f"MATLAB:{name}:notSupportedClass", "Class must be 'double' or 'single'.")
    return DTYPE[word]


_TWELVE = "-+-+++---+-", "--+---+++-+"
_TWENTY = "--++----+-+-++++--+", "+--++----+-+-++++--"


def _signs(text: str) -> Matrix:
    return np.array([1.0 if c == "+" else -1.0 for c in text])


def _bordered(core: Matrix) -> Matrix:
    return np.pad(core, ((1, 0), (1, 0)), constant_values=1.0)


def _hadamard_core(n: int) -> tuple[Matrix, int]:
    """Return a Hadamard matrix of order 1, 12 or 20, and how often to double it for order `n`."""
    for base in (1, 12, 20):
        times, rest = divmod(n, base)
        if n >= 1 and not rest and times & (times - 1) == 0:
            break
    else:
        raise MatlabError(
            "MATLAB:hadamard:InvalidInput",
            "n must be an integer and n, n/12 or n/20 must be a power of 2.",
        )
    k = np.arange(base - 1)
    core = np.ones((1, 1))
    if base == 12:
        row, column = _signs(_TWELVE[0]), _signs(_TWELVE[1])
        away = k[:, None] - k[None, :]
        core = _bordered(np.where(away >= 0, column[abs(away)], row[abs(away)]))
    elif base == 20:
        ends = np.concatenate([_signs(_TWENTY[0]), _signs(_TWENTY[1])[1:]])
        core = _bordered(ends[k[:, None] + k[None, :]])
    return core, times.bit_length() - 1


@builtin("hadamard", family="arrays/special", effects="pure")
def hadamard(n: Any, cls: Any = None) -> Any:
    """Hadamard matrix: elements 1 and -1, and orthogonal columns.

    H = hadamard(N) where N, N/12 or N/20 is a power of two; H = hadamard(N, CLASSNAME)

    Examples:
        >> hadamard(4)
        ans =
             1     1     1     1
             1    -1     1    -1
             1     1    -1    -1
             1    -1    -1     1

    See also: compan, hilb, pascal.
    """
    h, doublings = _hadamard_core(order_of(n))
    for _ in range(doublings):
        h = np.block([[h, h], [h, -h]])
    return from_numpy(h.astype(floating_class(cls, "hadamard")))


@builtin("pascal", family="arrays/special", effects="pure")
def pascal(n: Any, kind: Any = None, cls: Any = None) -> Any:
    """Pascal matrix: symmetric, of binomial coefficients.

    P = pascal(N)
    P = pascal(N, 1) is lower triangular, its own inverse, with P*P' = pascal(N)
    P = pascal(N, 2) is a cube root of the identity
    P = pascal(…, CLASSNAME)

    Examples:
        >> pascal(4)
        ans =
             1     1     1     1
             1     2     3     4
             1     3     6    10
             1     4    10    20

    See also: hadamard, hilb, invhilb.
    """
    if option(kind if kind is not None else 0.0) is not None:
        kind, cls = None, kind
    size, which = order_of(n), 0 if kind is None else integer(kind, "K")
    if which not in (0, 1, 2):
        raise MatlabError("MATLAB:pascal:InvalidK", "K must be 0, 1, or 2.")
    dtype = floating_class(cls, "pascal")
    if size > 2048:
        raise MatlabError("MATLAB:pascal:TooLarge", "The elements would be beyond all numbers.")
    p = np.zeros((size, size))
    p[:, :1] = 1
    with np.errstate(all="ignore"):
        for j in range(1, size):
            p[j, 1 : j + 1] = p[j - 1, 1 : j + 1] - p[j - 1, :j]
        if which == 0:
            p = np.abs(p)
            p = p @ p.T
    if which == 2:
        p = np.rot90(p, 3) * (1 if size % 2 else -1)
    return from_numpy(p.astype(dtype))


@builtin("rosser", family="arrays/special", effects="pure")
def rosser(cls: Any = None) -> Any:
    """Rosser's symmetric 8-by-8 matrix, a test of eigenvalue algorithms.

    A = rosser, A = rosser(CLASSNAME)

    Its eigenvalues are a pair, three that nearly agree, zero, a small one, and opposite ones.

    Examples:
        >> trace(rosser)
        ans =
                4040

    See also: wilkinson, eig.
    """
    rows = (
        "611 196 -192 407 -8 -52 -49 29", "196 899 113 -192 -71 -43 -8 -44",
        "-192 113 899 196 61 49 8 52", "407 -192 196 611 8 44 59 -23",
        "-8 -71 61 8 411 -599 208 208", "-52 -43 49 44 -599 411 208 208",
        "-49 -8 8 59 208 208 99 -911", "29 -44 52 -23 208 208 -911 99",
    )  # fmt: skip
    return from_numpy(np.array([r.split() for r in rows], floating_class(cls, "rosser")))


@builtin("wilkinson", family="arrays/special", effects="pure")
def wilkinson(n: Any, cls: Any = None) -> Any:
    """Wilkinson's tridiagonal matrix, with pairs of nearly equal eigenvalues.

    W = wilkinson(N), W = wilkinson(N, CLASSNAME)

    Examples:
        >> wilkinson(3)
        ans =
             1     1     0
             1     0     1
             0     1     1

    See also: rosser, pascal, eig.
    """
    size = order_of(n)
    w = np.diag(np.abs(np.arange(size) - (size - 1) / 2))
    if size > 1:
        w = w + np.eye(size, k=1) + np.eye(size, k=-1)
    return from_numpy(w.astype(floating_class(cls, "wilkinson")))


@builtin("invhilb", family="arrays/special", effects="pure")
def invhilb(n: Any, cls: Any = None) -> Any:
    """Inverse of the Hilbert matrix, exact for orders below 15.

    H = invhilb(N), H = invhilb(N, CLASSNAME)

    Examples:
        >> invhilb(3)
        ans =
             9   -36    30
           -36   192  -180
            30  -180   180

    See also: hilb, pascal.
    """
    from math import comb

    size = order_of(n)
    if size > 512:
        raise MatlabError("MATLAB:invhilb:TooLarge", "The elements would be beyond all numbers.")
    h = np.zeros((size, size))
    for i in range(1, size + 1):
        for j in range(i, size + 1):
            value = (-1) ** (i + j) * (i + j - 1) * comb(size + i - 1, size - j)
            value *= comb(size + j - 1, size - i) * comb(i + j - 2, i - 1) ** 2
            h[i - 1, j - 1] = h[j - 1, i - 1] = _rounded(value)
    return from_numpy(h.astype(floating_class(cls, "invhilb")))


def _rounded(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


@builtin("compan", family="arrays/special", effects="pure")
def compan(u: Any) -> Any:
    """Companion matrix, whose eigenvalues are the roots of a polynomial.

    A = compan(U)

    Examples:
        >> compan([1 0 -7 6])
        ans =
             0     7    -6
             1     0     0
             0     1     0

    See also: roots, poly, eig.
    """
    p = as_float(numeric(u, "compan"))
    if p.ndim > 2 or (p.size and 1 not in p.shape):
        raise MatlabError("MATLAB:compan:NeedVectorInput", "Input argument must be a vector.")
    p = p.ravel()
    if p.size < 2:
        return from_numpy(np.zeros((0, 0)))
    check_size((p.size, p.size), p.itemsize)
    a = np.eye(p.size - 1, k=-1, dtype=p.dtype)
    with np.errstate(all="ignore"):
        a[0] = -p[1:] / p[0]
    return value_of(np.where(a == 0, np.zeros((), a.dtype), a))
