"""Roots, exponentials, logarithms, magnitudes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import as_float, floating, numeric
from runmat_core.builtins.lift import complex_where, expand, value_of
from runmat_core.values import from_numpy, power

Operand = NDArray[Any]


@builtin("abs", family="math/elementwise", lift="map", scalar=abs, integers=True, effects="pure")
def abs_(x: Operand) -> Operand:
    """Absolute value, and magnitude of complex numbers.

    Y = abs(X)

    Integer classes saturate: abs(int8(-128)) is 127.

    Examples:
        >> abs([-2 0 3.5])
        ans =
            2.0000         0    3.5000
        >> abs(3 + 4i)
        ans =
             5

    See also: sign, angle, hypot, norm.
    """
    if x.dtype.kind == "i":
        return np.where(x == np.iinfo(x.dtype).min, np.iinfo(x.dtype).max, np.abs(x))
    return np.abs(x)


def _sign(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else x


@builtin("sign", family="math/elementwise", lift="map", scalar=_sign, integers=True, effects="pure")
def sign(x: Operand) -> Operand:
    """Sign of each element: -1, 0 or 1; z/abs(z) for complex numbers.

    Y = sign(X)

    Examples:
        >> sign([-3 0 7])
        ans =
            -1     0     1

    See also: abs, angle.
    """
    if x.dtype.kind == "c":
        size = np.abs(x)
        return np.where(size == 0, 0, x / np.where(size == 0, 1, size))
    return np.sign(x)


def _sqrt(x: float) -> Any:
    return math.sqrt(x) if x >= 0.0 else NotImplemented


@builtin("sqrt", family="math/elementwise", lift="map", scalar=_sqrt, effects="pure")
def sqrt(x: Operand) -> Operand:
    """Square root.

    Y = sqrt(X)

    Negative elements have imaginary roots; realsqrt refuses them.

    Examples:
        >> sqrt([4 9])
        ans =
             2     3
        >> sqrt(-1)
        ans =
           0.0000 + 1.0000i

    See also: realsqrt, nthroot, sqrtm, power.
    """
    return np.asarray(np.sqrt(complex_where(x, x < 0)))


@builtin("realsqrt", family="math/elementwise", lift="map", scalar=_sqrt, effects="pure")
def realsqrt(x: Operand) -> Operand:
    """Square root of nonnegative real numbers.

    Y = realsqrt(X)

    A negative or complex element is an error.

    Examples:
        >> realsqrt(16)
        ans =
             4

    See also: sqrt, reallog, realpow.
    """
    if x.dtype.kind == "c" or (x < 0).any():
        raise MatlabError("MATLAB:realsqrt:complexResult", "Realsqrt produced complex result.")
    return np.sqrt(x)


@builtin("nthroot", family="math/elementwise", effects="pure")
def nthroot(x: Any, n: Any) -> Any:
    """Real n-th root of real numbers.

    Y = nthroot(X, N)

    Odd roots of negative numbers are negative, where the power X.^(1/N) would be complex.

    Examples:
        >> nthroot(-27, 3)
        ans =
            -3

    See also: sqrt, power.
    """
    a, k = expand([floating(x, "nthroot"), floating(n, "nthroot")])
    if a.dtype.kind == "c" or k.dtype.kind == "c":
        raise MatlabError("MATLAB:nthroot:ComplexInput", "Both X and N must be real.")
    with np.errstate(all="ignore"):
        odd = np.abs(k % 2) == 1
    if ((a < 0) & ~odd).any():
        raise MatlabError(
            "MATLAB:nthroot:NegXNotOddIntegerN",
            "If X is negative, then N must be an odd integer.",
        )
    with np.errstate(all="ignore"):
        y = np.sign(a) * np.abs(a) ** (1 / k)
        # one Newton step, so that roots of perfect powers are exact
        better = y - (y**k - a) / (k * y ** (k - 1))
    y = np.where(np.isfinite(better) & (y != 0), better, y)
    return from_numpy(y.astype(a.dtype, copy=False))


def _exp(x: float) -> Any:
    return math.exp(x) if -745.0 < x < 709.0 else NotImplemented


@builtin("exp", family="math/elementwise", lift="map", scalar=_exp, effects="pure")
def exp(x: Operand) -> Operand:
    """Exponential, e to the power of each element.

    Y = exp(X)

    Examples:
        >> exp(1)
        ans =
            2.7183
        >> exp([0 1 -Inf])
        ans =
            1.0000    2.7183         0

    See also: expm1, log, expm, power.
    """
    return np.exp(x)


def _expm1(x: float) -> Any:
    return math.expm1(x) if x < 709.0 else NotImplemented


@builtin("expm1", family="math/elementwise", lift="map", scalar=_expm1, effects="pure")
def expm1(x: Operand) -> Operand:
    """exp(X) - 1, accurate near zero.

    Y = expm1(X)

    Examples:
        >> expm1(0)
        ans =
             0

    See also: exp, log1p.
    """
    return np.expm1(x)


def _log(x: float) -> Any:
    return math.log(x) if x > 0.0 else NotImplemented


@builtin("log", family="math/elementwise", lift="map", scalar=_log, effects="pure")
def log(x: Operand) -> Operand:
    """Natural logarithm.

    Y = log(X)

    The logarithm of zero is -Inf, that of a negative number is complex.

    Examples:
        >> log([1 exp(2) 0])
        ans =
             0     2  -Inf
        >> log(-1)
        ans =
           0.0000 + 3.1416i

    See also: log1p, log2, log10, exp, reallog, logm.
    """
    return np.asarray(np.log(complex_where(x, x < 0)))


@builtin("reallog", family="math/elementwise", lift="map", scalar=_log, effects="pure")
def reallog(x: Operand) -> Operand:
    """Natural logarithm of nonnegative real numbers.

    Y = reallog(X)

    A negative or complex element is an error.

    Examples:
        >> reallog(1)
        ans =
             0

    See also: log, realsqrt, realpow.
    """
    if x.dtype.kind == "c" or (x < 0).any():
        raise MatlabError("MATLAB:reallog:complexResult", "Reallog produced complex result.")
    return np.log(x)


def _log1p(x: float) -> Any:
    return math.log1p(x) if x > -1.0 else NotImplemented


@builtin("log1p", family="math/elementwise", lift="map", scalar=_log1p, effects="pure")
def log1p(x: Operand) -> Operand:
    """log(1 + X), accurate near zero.

    Y = log1p(X)

    Examples:
        >> log1p(0)
        ans =
             0

    See also: log, expm1.
    """
    return np.asarray(np.log1p(complex_where(x, x < -1)))


def _log10(x: float) -> Any:
    return math.log10(x) if x > 0.0 else NotImplemented


@builtin("log10", family="math/elementwise", lift="map", scalar=_log10, effects="pure")
def log10(x: Operand) -> Operand:
    """Base 10 logarithm.

    Y = log10(X)

    Examples:
        >> log10([1 10 1000])
        ans =
             0     1     3

    See also: log, log2.
    """
    return np.asarray(np.log10(complex_where(x, x < 0)))


@builtin("log2", family="math/elementwise", nargout=2, needs=("nargout",), effects="pure")
def log2(x: Any, *, nargout: int) -> Any:
    """Base 2 logarithm, or mantissa and exponent.

    Y = log2(X)
    [F, E] = log2(X) gives X = F.*2.^E with 0.5 <= abs(F) < 1

    Examples:
        >> log2([1 8 1024])
        ans =
             0     3    10
        >> [f, e] = log2(10)
        f =
            0.6250
        e =
             4

    See also: log, log10, pow2, nextpow2.
    """
    if nargout > 1:
        fraction, exponent = np.frexp(floating(x, "log2").real)
        return from_numpy(fraction), from_numpy(exponent.astype(fraction.dtype))
    if x.__class__ is float and x > 0.0:
        return math.log2(x)
    a = floating(x, "log2")
    with np.errstate(all="ignore"):
        return value_of(np.log2(complex_where(a, a < 0)))


@builtin("pow2", family="math/elementwise", effects="pure")
def pow2(x: Any, e: Any = None) -> Any:
    """Power of two, or scaling by one.

    Y = pow2(X) is 2.^X
    Y = pow2(F, E) is F.*2.^E

    Examples:
        >> pow2(5)
        ans =
            32
        >> pow2(0.625, 4)
        ans =
            10

    See also: log2, power, nextpow2.
    """
    if e is None:
        return power(2.0, x)
    fraction, exponent = expand([floating(x, "pow2"), floating(e, "pow2")])
    with np.errstate(all="ignore"):
        return from_numpy(np.ldexp(fraction.real, np.trunc(exponent.real).astype(np.int64)))


@builtin("nextpow2", family="math/elementwise", effects="pure")
def nextpow2(x: Any) -> Any:
    """Exponent of the next power of two: the smallest p with 2^p >= abs(x).

    P = nextpow2(X)

    Examples:
        >> nextpow2([1 5 100])
        ans =
             0     3     7

    See also: log2, pow2.
    """
    a = np.abs(as_float(numeric(x, "nextpow2"))).astype(np.float64)
    fraction, exponent = np.frexp(a)
    p = np.where(fraction == 0.5, exponent - 1, exponent).astype(np.float64)
    return from_numpy(np.where(np.isfinite(a), p, a))


def _hypot(x: float, y: float) -> float:
    return math.hypot(x, y)


@builtin("hypot", family="math/elementwise", lift="map", scalar=_hypot, effects="pure")
def hypot(x: Operand, y: Operand) -> Operand:
    """Square root of the sum of squares, without overflow.

    C = hypot(A, B) is sqrt(abs(A).^2 + abs(B).^2)

    Sizes must be compatible.

    Examples:
        >> hypot(3, 4)
        ans =
             5

    See also: abs, norm, sqrt.
    """
    return np.hypot(np.abs(x), np.abs(y))


@builtin("realpow", family="math/elementwise", effects="pure")
def realpow(x: Any, y: Any) -> Any:
    """Power of real numbers with a real result.

    Z = realpow(X, Y) is X.^Y; a complex result is an error.

    Examples:
        >> realpow(-2, 3)
        ans =
            -8

    See also: power, realsqrt, reallog.
    """
    result = power(x, y)
    if numeric(result, "realpow").dtype.kind == "c":
        raise MatlabError("MATLAB:realpow:complexResult", "Realpow produced complex result.")
    return result
