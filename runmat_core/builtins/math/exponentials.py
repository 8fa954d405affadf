"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.api.ir import complexes
from runmat_core.api.ir.complexes import outside
from runmat_core.builtins.arguments import (
    as_float,
    floating,
    numeric,
)
from runmat_core.builtins.lift import complex_where, expand, value_of
from runmat_core.values import from_numpy, power
from runmat_core.values.classes import silent

Operand = NDArray[Any]


def _exp(x: float) -> Any:
    return math.exp(x) if -745.0 < x < 709.0 else NotImplemented


@builtin(
    "exp",
    family="math/elementwise",
    lift="map",
    scalar=_exp,
    effects="pure",
    fusion=Map(lambda x: ir.exp(x), of_complex=Map(lambda z: ir.exp(z), "complex")),
)
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


@builtin(
    "expm1",
    family="math/elementwise",
    lift="map",
    scalar=_expm1,
    effects="pure",
    fusion=Map(
        lambda x: ir.expm1(x),
        of_complex=Map(complexes.expm1, "complex", guard=complexes.beside_nan(complexes.expm1)),
    ),
)
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


def _with_angles(x: Operand) -> Operand:
    """`x` as complex numbers if any of it is negative, zeros without a sign: they have no angle."""
    wide = complex_where(x, x < 0)
    return wide if wide is x else np.asarray(wide + 0.0)


@builtin(
    "log",
    family="math/elementwise",
    lift="map",
    scalar=_log,
    effects="pure",
    fusion=Map(
        lambda x: ir.log(x),
        domain=(0.0, math.inf),
        of_complex=Map(lambda z: ir.log(z), "complex", guard=outside(0.0, math.inf, closed=False)),
    ),
)
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
    return np.asarray(np.log(_with_angles(x)))


@builtin(
    "reallog",
    family="math/elementwise",
    lift="map",
    scalar=_log,
    effects="pure",
    fusion=Map(lambda x: ir.log(x), domain=(0.0, math.inf), refuses="outside"),
)
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


@builtin(
    "log1p",
    family="math/elementwise",
    lift="map",
    scalar=_log1p,
    effects="pure",
    fusion=Map(
        lambda x: ir.log1p(x),
        domain=(-1.0, math.inf),
        of_complex=Map(complexes.log1p, "complex", guard=outside(-1.0, math.inf)),
    ),
)
def log1p(x: Operand) -> Operand:
    """log(1 + X), accurate near zero.

    Y = log1p(X)

    Examples:
        >> log1p(0)
        ans =
             0

    See also: log, expm1.
    """
    z = complex_where(x, x < -1)
    if z.dtype.kind != "c":
        return np.asarray(np.log1p(z))
    # NumPy takes the logarithm of a rounded modulus, which loses small results
    more = z.real * (z.real + 2) + z.imag * z.imag
    far = np.hypot(z.real + 1, z.imag)
    y = np.empty_like(z)
    y.real = np.where(np.abs(more) < 0.5, 0.5 * np.log1p(more), np.log(far))
    y.imag = np.arctan2(z.imag, z.real + 1)
    return y


def _log10(x: float) -> Any:
    return math.log10(x) if x > 0.0 else NotImplemented


@builtin(
    "log10",
    family="math/elementwise",
    lift="map",
    scalar=_log10,
    effects="pure",
    fusion=Map(
        lambda x: ir.log10(x),
        domain=(0.0, math.inf),
        of_complex=Map(
            complexes.scaled_log(1 / math.log(10.0)),
            "complex",
            guard=outside(0.0, math.inf, closed=False),
        ),
    ),
)
def log10(x: Operand) -> Operand:
    """Base 10 logarithm.

    Y = log10(X)

    Examples:
        >> log10([1 10 1000])
        ans =
             0     1     3

    See also: log, log2.
    """
    return np.asarray(np.log10(_with_angles(x)))


@builtin(
    "log2",
    family="math/elementwise",
    nargout=2,
    needs=("nargout",),
    effects="pure",
    fusion=Map(
        lambda x: ir.log2(x),
        domain=(0.0, math.inf),
        of_complex=Map(
            complexes.scaled_log(1 / math.log(2.0)),
            "complex",
            guard=outside(0.0, math.inf, closed=False),
        ),
    ),
)
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
    with silent():
        return value_of(np.log2(_with_angles(a)))


def _power_of_two(x: Any) -> Any:
    return ir.power(2.0, x)


@builtin(
    "pow2",
    family="math/elementwise",
    effects="pure",
    fusion=Map(
        _power_of_two,
        of_complex=Map(_power_of_two, "complex", guard=complexes.beside_nan(_power_of_two)),
    ),
)
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
    with silent():
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
