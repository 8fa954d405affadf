"""Circular functions of angles in radians, and their inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.api.ir.complexes import outside
from runmat_core.builtins.lift import complex_where

Operand = NDArray[Any]


def _finite(function: Any) -> Any:
    """Return `function` of `math` for finite floats; it raises for others."""

    def rule(x: float) -> Any:
        return function(x) if x - x == 0.0 else NotImplemented

    return rule


def _within_one(function: Any) -> Any:
    """Return `function` of `math` on [-1, 1], outside of which the result is complex."""

    def rule(x: float) -> Any:
        return function(x) if -1.0 <= x <= 1.0 else NotImplemented

    return rule


def _above_cut(x: Operand, outside: NDArray[np.bool_]) -> Operand:
    """Complex where needed, on the side of the branch cuts that MATLAB takes.

    That is below the cut for x > 1 and above it for x < -1.
    """
    z = complex_where(x, outside)
    if z is x:
        return x
    z.imag[...] = np.where(x > 1, -0.0, 0.0)
    return z


def _below_cut(x: Any) -> Any:
    """Return the imaginary part that `_above_cut` gives real elements, in kernel IR."""
    zero = x.builder.const
    return ir.where(x > 1.0, zero(-0.0, x.dtype), zero(0.0, x.dtype))


@builtin(
    "sin",
    family="math/trigonometry",
    lift="map",
    scalar=_finite(math.sin),
    effects="pure",
    fusion=Map(lambda x: ir.sin(x), of_complex=Map(lambda z: ir.sin(z), "complex")),
)
def sin(x: Operand) -> Operand:
    """Sine of angles in radians.

    Y = sin(X)

    Examples:
        >> sin([0 pi/2])
        ans =
             0     1

    See also: asin, sind, cos, sinpi.
    """
    return np.sin(x)


@builtin(
    "cos",
    family="math/trigonometry",
    lift="map",
    scalar=_finite(math.cos),
    effects="pure",
    fusion=Map(lambda x: ir.cos(x), of_complex=Map(lambda z: ir.cos(z), "complex")),
)
def cos(x: Operand) -> Operand:
    """Cosine of angles in radians.

    Y = cos(X)

    Examples:
        >> cos([0 pi])
        ans =
             1    -1

    See also: acos, cosd, sin, cospi.
    """
    return np.cos(x)


@builtin(
    "tan",
    family="math/trigonometry",
    lift="map",
    scalar=_finite(math.tan),
    effects="pure",
    fusion=Map(lambda x: ir.tan(x), of_complex=Map(lambda z: ir.tan(z), "complex")),
)
def tan(x: Operand) -> Operand:
    """Tangent of angles in radians.

    Y = tan(X)

    Examples:
        >> tan(pi/4)
        ans =
            1.0000

    See also: atan, tand, sin, cos.
    """
    return np.tan(x)


@builtin(
    "asin",
    family="math/trigonometry",
    lift="map",
    scalar=_within_one(math.asin),
    effects="pure",
    fusion=Map(
        lambda x: ir.asin(x),
        domain=(-1.0, 1.0),
        of_complex=Map(lambda z: ir.asin(z), "complex", guard=outside(-1.0, 1.0)),
        side=_below_cut,
    ),
)
def asin(x: Operand) -> Operand:
    """Inverse sine in radians.

    Y = asin(X)

    Elements outside [-1, 1] have complex results.

    Examples:
        >> asin(1)
        ans =
            1.5708
        >> asin(2)
        ans =
           1.5708 - 1.3170i

    See also: sin, asind, acos.
    """
    return np.arcsin(_above_cut(x, np.abs(x) > 1))


@builtin(
    "acos",
    family="math/trigonometry",
    lift="map",
    scalar=_within_one(math.acos),
    effects="pure",
    fusion=Map(
        lambda x: ir.acos(x),
        domain=(-1.0, 1.0),
        of_complex=Map(lambda z: ir.acos(z), "complex", guard=outside(-1.0, 1.0)),
        side=_below_cut,
    ),
)
def acos(x: Operand) -> Operand:
    """Inverse cosine in radians.

    Y = acos(X)

    Elements outside [-1, 1] have complex results.

    Examples:
        >> acos(-1)
        ans =
            3.1416
        >> acos(2)
        ans =
           0.0000 + 1.3170i

    See also: cos, acosd, asin.
    """
    return np.arccos(_above_cut(x, np.abs(x) > 1))


@builtin(
    "atan",
    family="math/trigonometry",
    lift="map",
    scalar=math.atan,
    effects="pure",
    fusion=Map(lambda x: ir.atan(x), of_complex=Map(lambda z: ir.atan(z), "complex")),
)
def atan(x: Operand) -> Operand:
    """Inverse tangent in radians.

    Y = atan(X)

    Examples:
        >> atan(1)
        ans =
            0.7854

    See also: atan2, tan, atand.
    """
    return np.arctan(x)


def _real(y: Operand, x: Operand) -> tuple[Operand, Operand]:
    if y.dtype.kind == "c" or x.dtype.kind == "c":
        raise MatlabError("MATLAB:atan2:complexArgument", "Inputs must be real.")
    return y, x


@builtin(
    "atan2",
    family="math/trigonometry",
    lift="map",
    scalar=math.atan2,
    effects="pure",
    fusion=lambda y, x: ir.atan2(y, x),
)
def atan2(y: Operand, x: Operand) -> Operand:
    """Four-quadrant inverse tangent in radians.

    Y = atan2(Y, X)

    The angle of the point (X, Y), in [-pi, pi].

    Examples:
        >> atan2(1, -1)
        ans =
            2.3562

    See also: atan, angle, atan2d.
    """
    return np.arctan2(*_real(y, x))


@builtin(
    "sec", family="math/trigonometry", lift="map", effects="pure", fusion=lambda x: 1.0 / ir.cos(x)
)
def sec(x: Operand) -> Operand:
    """Secant of angles in radians.

    Y = sec(X)

    Examples:
        >> sec(0)
        ans =
             1

    See also: cos, asec, secd.
    """
    return 1 / np.cos(x)


@builtin(
    "csc", family="math/trigonometry", lift="map", effects="pure", fusion=lambda x: 1.0 / ir.sin(x)
)
def csc(x: Operand) -> Operand:
    """Cosecant of angles in radians.

    Y = csc(X)

    Examples:
        >> csc(pi/2)
        ans =
             1

    See also: sin, acsc, cscd.
    """
    return 1 / np.sin(x)


@builtin(
    "cot", family="math/trigonometry", lift="map", effects="pure", fusion=lambda x: 1.0 / ir.tan(x)
)
def cot(x: Operand) -> Operand:
    """Cotangent of angles in radians.

    Y = cot(X)

    Examples:
        >> cot(pi/4)
        ans =
            1.0000

    See also: tan, acot, cotd.
    """
    return 1 / np.tan(x)


@builtin("asec", family="math/trigonometry", lift="map", effects="pure")
def asec(x: Operand) -> Operand:
    """Inverse secant in radians.

    Y = asec(X)

    Examples:
        >> asec(-1)
        ans =
            3.1416

    See also: sec, acos.
    """
    if x.dtype.kind != "c" and not (np.abs(x) < 1).any():
        return np.where(np.isinf(x), np.pi / 2, np.arctan2(_leg(x), np.sign(x)))
    inverse = 1 / x
    return np.arccos(_above_cut(inverse, np.abs(inverse) > 1))


def _leg(x: Operand) -> Operand:
    """sqrt(x^2 - 1): the differences are exact near one, where 1/x is not."""
    size = np.abs(x)
    return np.asarray(np.sqrt(size - 1) * np.sqrt(size + 1))


@builtin("acsc", family="math/trigonometry", lift="map", effects="pure")
def acsc(x: Operand) -> Operand:
    """Inverse cosecant in radians.

    Y = acsc(X)

    Examples:
        >> acsc(1)
        ans =
            1.5708

    See also: csc, asin.
    """
    if x.dtype.kind != "c" and not (np.abs(x) < 1).any():
        return np.arctan2(np.sign(x), _leg(x))
    inverse = 1 / x
    return np.arcsin(_above_cut(inverse, np.abs(inverse) > 1))


@builtin(
    "acot",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: ir.atan(1.0 / x),
)
def acot(x: Operand) -> Operand:
    """Inverse cotangent in radians.

    Y = acot(X)

    Examples:
        >> acot(1)
        ans =
            0.7854

    See also: cot, atan.
    """
    return np.arctan(1 / x)
