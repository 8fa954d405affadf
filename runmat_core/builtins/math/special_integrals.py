"""Special functions defined by integrals and equations: elliptic, exponential, Legendre."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import floating, integer, option, scalar
from runmat_core.builtins.lift import expand, value_of
from runmat_core.builtins.math import jacobi
from runmat_core.builtins.math.exponential_integral import expint_complex, expint_negative
from runmat_core.builtins.math.extended import WIDER, long
from runmat_core.builtins.math.special import real_operand
from runmat_core.values import from_numpy

Operand = NDArray[Any]


# -- elliptic ------------------------------------------------------------------------------------


def _modulus(value: Any, name: str) -> Operand:
    m = real_operand(floating(value, name), name)
    if (m > 1).any() or (name == "ellipj" and (m < 0).any()):
        bounds = "0 <= M <= 1" if name == "ellipj" else "M <= 1"
        raise MatlabError(f"MATLAB:{name}:MOutOfRange", f"M must be in the range {bounds}.")
    return m


def _positive(value: Any, name: str) -> None:
    if value is not None and not scalar(value, "TOL") > 0:
        raise MatlabError(f"MATLAB:{name}:NegativeTolerance", "TOL must be a positive scalar.")


@builtin("ellipke", family="math/special", nargout=2, needs=("nargout",), effects="pure")
def ellipke(m: Any, tol: Any = None, *, nargout: int) -> Any:
    """Complete elliptic integrals of the first and second kind, with parameter M = k^2.

    K = ellipke(M), [K, E] = ellipke(M), [K, E] = ellipke(M, TOL); results are always to full
    precision

    Examples:
        >> [k, e] = ellipke(0.5)
        k =
            1.8541
        e =
            1.3506

    See also: ellipj, besselj.
    """
    a = _modulus(m, "ellipke")
    _positive(tol, "ellipke")
    special = libraries.special()
    first, second = np.array(special.ellipk(a), float), np.array(special.ellipe(a), float)
    # SciPy's are right to two units from zero to one
    regular = (a < 0) & (a > -1e300)
    if WIDER and regular.any():
        first[regular], second[regular] = jacobi.ellipke(a[regular])
    outputs = tuple(from_numpy(np.asarray(f, a.dtype)) for f in (first, second))
    return outputs if nargout > 1 else outputs[0]


@builtin("ellipj", family="math/special", nargout=3, needs=("nargout",), effects="pure")
def ellipj(u: Any, m: Any, tol: Any = None, *, nargout: int) -> Any:
    """Jacobi elliptic functions with parameter M = k^2.

    [SN, CN, DN] = ellipj(U, M), [SN, CN, DN] = ellipj(U, M, TOL); results are always to full
    precision

    Examples:
        >> [sn, cn, dn] = ellipj(0.5, 0.5)
        sn =
            0.4708
        cn =
            0.8823
        dn =
            0.9430

    See also: ellipke, asin.
    """
    a = real_operand(floating(u, "ellipj"), "ellipj")
    _positive(tol, "ellipj")
    a, b = expand([a, _modulus(m, "ellipj")])
    with np.errstate(all="ignore"):
        found = jacobi.ellipj(a, b) if WIDER else libraries.special().ellipj(a, b)
    outputs = tuple(from_numpy(np.asarray(f).astype(a.dtype)) for f in found[:3])
    return outputs[:nargout] if nargout > 1 else outputs[0]


# -- exponential integral ------------------------------------------------------------------------


@builtin("expint", family="math/special", effects="pure")
def expint(x: Any) -> Any:
    """Exponential integral: the integral of exp(-t)/t from X to infinity.

    Y = expint(X); negative X give complex results, with imaginary part -pi

    Examples:
        >> expint(1)
        ans =
            0.2194
        >> expint(-1)
        ans =
          -1.8951 - 3.1416i

    See also: gammainc, exp, log.
    """
    a = floating(x, "expint")
    single = a.dtype.char in "fF"
    special = libraries.special()
    with np.errstate(all="ignore"):
        if a.dtype.kind == "c":
            result = expint_complex(a.astype(np.complex128))
        elif (a < 0).any():
            below = a < 0
            wide = a.astype(np.float64)
            ahead = special.exp1(np.where(below, 1, wide))
            behind = expint_negative(np.where(below, -wide, 1)) - 1j * math.pi
            result = np.where(below, behind, ahead)
        else:
            result = np.asarray(special.exp1(a))
    if single:
        result = result.astype(np.complex64 if result.dtype.kind == "c" else np.float32)
    return value_of(result)


# -- Legendre ------------------------------------------------------------------------------------

#: Beyond this degree the recurrence loses the functions of the highest orders to underflow.
_MOST = 2048


def _normalized_legendre(n: int, x: Operand) -> Operand:
    """Fully normalised functions of degree `n` and orders 0 to n, one below the other.

    sqrt((n + 1/2)(n - m)!/(n + m)!) P_n^m(x) without the sign (-1)^m, by recurrence in the degree,
    which is stable: W. H. Press et al., "Numerical Recipes", section 6.7.
    """
    x = long(x)  # between zeros of opposite sign the last bits count
    root = np.sqrt(np.maximum((1 - x) * (1 + x), 0))
    result = np.zeros((n + 1, x.size), np.longdouble)
    diagonal = np.full(x.size, np.sqrt(np.longdouble(0.5)))
    for m in range(n + 1):
        before, current = np.zeros_like(x), diagonal
        for degree in range(m + 1, n + 1):
            a = _root(4 * degree * degree - 1, degree * degree - m * m)
            b = _root((degree - 1) ** 2 - m * m, 4 * (degree - 1) ** 2 - 1)
            before, current = current, a * (x * current - b * before)
        result[m] = current
        diagonal = diagonal * root * _root(2 * m + 3, 2 * m + 2)
    return result


def _root(numerator: int, denominator: int) -> np.longdouble:
    return np.longdouble(np.sqrt(np.longdouble(numerator) / np.longdouble(denominator)))


@builtin("legendre", family="math/special", effects="pure")
def legendre(n: Any, x: Any, normalization: Any = None) -> Any:
    """Associated Legendre functions of degree N and orders 0 to N, along the first dimension.

    P = legendre(N, X) for -1 <= X <= 1, with the sign (-1)^M
    P = legendre(N, X, "sch") has Schmidt's seminormalisation
    P = legendre(N, X, "norm") is fully normalised, without the sign

    For a vector X the result is (N+1)-by-numel(X), else (N+1)-by-size(X).

    Examples:
        >> legendre(1, [0 0.6])
        ans =
                 0    0.6000
           -1.0000   -0.8000

    See also: besselj, polyval.
    """
    degree = integer(n, "N")
    if not 0 <= degree <= _MOST:
        raise MatlabError(
            "MATLAB:legendre:InvalidN", "N must be a nonnegative integer scalar (2048 at most)."
        )
    a = real_operand(floating(x, "legendre"), "legendre")
    if (np.abs(a) > 1).any():
        raise MatlabError("MATLAB:legendre:XOutOfRange", "X must be in the range (-1,1).")
    word = "unnorm" if normalization is None else option(normalization)
    if word not in {"unnorm", "sch", "norm"}:
        raise MatlabError(
            "MATLAB:legendre:InvalidNormalize",
            'Normalization option must be "unnorm", "sch", or "norm".',
        )
    p = _normalized_legendre(degree, a.ravel(order="F").astype(np.float64))
    orders = np.arange(degree + 1)
    signs = np.where(orders % 2, -1.0, 1.0)
    if word == "sch":
        scale = np.where(orders == 0, 1, signs * _root(2, 1)) * _root(2, 2 * degree + 1)
        p *= scale[:, None]
    elif word == "unnorm":
        with np.errstate(all="ignore"):
            p *= (signs * _factors(degree))[:, None]
    vector = a.ndim == 2 and 1 in a.shape
    shape = (degree + 1, a.size) if vector else (degree + 1, *a.shape)
    return from_numpy(p.reshape(shape, order="F").astype(a.dtype))


def _factors(n: int) -> Operand:
    """sqrt((n + m)!/((n + 1/2)(n - m)!)) for m from 0 to n."""
    factors = np.empty(n + 1, np.longdouble)
    factors[0] = _root(2, 2 * n + 1)
    for m in range(1, n + 1):
        factors[m] = factors[m - 1] * _root((n + m) * (n - m + 1), 1)
    return factors
