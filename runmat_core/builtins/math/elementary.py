"""Roots, magnitudes, signs."""

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
from runmat_core.builtins.arguments import floating, numeric
from runmat_core.builtins.lift import complex_where, expand
from runmat_core.values import from_numpy, power
from runmat_core.values.classes import silent

Operand = NDArray[Any]


def _magnitude(x: Any) -> Any:
    """abs in kernel IR: the least integer has no opposite."""
    if x.dtype in ir.FLOATS:
        return ir.abs_(x)
    if x.dtype[0] == "u":
        return x
    least = -(2 ** (8 * ir.ITEMSIZE[x.dtype] - 1))
    return ir.where(x == least, -(least + 1), ir.where(x < 0, 0 - x, x))


def _signum(x: Any) -> Any:
    """sign in kernel IR."""
    if x.dtype in ir.FLOATS:
        return ir.sign(x)
    zero = x - x
    negative = zero if x.dtype[0] == "u" else ir.where(x < 0, zero - 1, zero)
    return ir.where(x > 0, zero + 1, negative)


def _root(a: Any, k: Any) -> Any:
    """nthroot of nonnegative numbers in kernel IR, with one Newton step."""
    y = ir.abs_(a) ** (1.0 / k)
    y = ir.where(a < 0.0, -y, y)
    better = y - (y**k - a) / (k * y ** (k - 1.0))
    return ir.where(ir.isfinite(better) & (y != 0.0), better, y)


@builtin(
    "abs",
    family="math/elementwise",
    lift="map",
    scalar=abs,
    integers=True,
    effects="pure",
    fusion=Map(_magnitude, "same", of_complex=Map(lambda x: abs(x), "part")),
)
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
    return 1.0 if x > 0 else -1.0 if x < 0 else x + 0.0


@builtin(
    "sign",
    family="math/elementwise",
    lift="map",
    scalar=_sign,
    integers=True,
    effects="pure",
    fusion=Map(
        _signum,
        "same",
        of_complex=Map(complexes.sign, "complex", guard=complexes.beside_nan(complexes.sign)),
    ),
)
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


@builtin(
    "sqrt",
    family="math/elementwise",
    lift="map",
    scalar=_sqrt,
    effects="pure",
    fusion=Map(
        lambda x: ir.sqrt(x),
        domain=(0.0, math.inf),
        of_complex=Map(lambda z: ir.sqrt(z), "complex", guard=outside(0.0, math.inf)),
    ),
)
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


@builtin(
    "realsqrt",
    family="math/elementwise",
    lift="map",
    scalar=_sqrt,
    effects="pure",
    fusion=Map(lambda x: ir.sqrt(x), domain=(0.0, math.inf), refuses="outside"),
)
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


@builtin(
    "nthroot",
    family="math/elementwise",
    effects="pure",
    fusion=Map(_root, domain=(0.0, math.inf), refuses="outside"),
)
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
    with silent():
        odd = np.abs(k % 2) == 1
    if ((a < 0) & ~odd).any():
        raise MatlabError(
            "MATLAB:nthroot:NegXNotOddIntegerN",
            "If X is negative, then N must be an odd integer.",
        )
    with silent():
        y = np.abs(a) ** (1 / k)
        y = np.where(a < 0, -y, y)
        # one Newton step, so that roots of perfect powers are exact
        better = y - (y**k - a) / (k * y ** (k - 1))
        y = np.where(np.isfinite(better) & (y != 0), better, y)
        # that step has powers that overflow, or have few bits
        hard = ((k < 0) | (np.abs(a) < 1e-290)) & ~np.isnan(a)
        if hard.any():
            wide = np.power(np.abs(a).astype(np.longdouble), np.longdouble(1) / k)
            y = np.where(hard, np.where(a < 0, -wide, wide).astype(y.dtype), y)
    return from_numpy(y.astype(a.dtype, copy=False))


def _hypot(x: float, y: float) -> float:
    return math.hypot(x, y)


@builtin(
    "hypot",
    family="math/elementwise",
    lift="map",
    scalar=_hypot,
    effects="pure",
    fusion=lambda x, y: ir.hypot(x, y),
)
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
