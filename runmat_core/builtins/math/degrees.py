"""Circular functions of angles in degrees or half turns, and conversions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.builtins.lift import complex_where

Operand = NDArray[Any]


def _quarter_turns(x: Operand, turn: float) -> tuple[Operand, Operand]:
    """Each angle as a number of quarter turns and a rest of at most an eighth of a turn.

    `turn` is the full turn in the unit of `x`. The reduction is exact, so multiples of a quarter
    turn give exact sines and cosines.
    """
    rest = np.fmod(x.real, turn)
    quarters = np.round(rest / (turn / 4))
    return quarters.astype(np.float64) % 4, rest - quarters * (turn / 4)


def _sine(x: Operand, turn: float, shift: int) -> Operand:
    """Sine of `x` + `shift` quarter turns."""
    if x.dtype.kind == "c":
        result = np.empty_like(x)
        across = x.imag * (2 * math.pi / turn)
        result.real = _sine(x.real, turn, shift) * np.cosh(across)
        result.imag = _sine(x.real, turn, shift + 1) * np.sinh(across)
        return result
    quarters, rest = _quarter_turns(x, turn)
    quarters = (quarters + shift) % 4
    angle = rest * (2 * math.pi / turn)
    y = np.where(quarters % 2 == 0, np.sin(angle), np.cos(angle))
    y = np.where(quarters >= 2, -y, y) + 0.0
    return np.where(np.isnan(quarters), np.nan, y).astype(x.real.dtype)


def _tangent(x: Operand, shift: int) -> Operand:
    """Tangent of angles in degrees and `shift` quarter turns."""
    sine, cosine = _sine(x.real, 360.0, shift), _sine(x.real, 360.0, shift + 1)
    if x.dtype.kind != "c":
        return sine / cosine
    # beyond 300 nothing changes, and squares overflow
    across = np.clip(x.imag * (math.pi / 180), -300, 300)
    size = cosine**2 + np.sinh(across) ** 2
    result = np.empty_like(x)
    result.real = sine * cosine / size
    result.imag = np.sinh(across) * np.cosh(across) / size
    return result


def _cotangent(x: Operand) -> Operand:
    return -_tangent(x, 1) if x.dtype.kind == "c" else _sine(x, 360.0, 1) / _sine(x, 360.0, 0)


def _wave(x: Any, turn: float, shift: int) -> Any:
    """`_sine` in kernel IR."""
    rest = ir.rem(x, turn)
    turned = rest / (turn / 4)
    below = ir.floor(turned)
    excess = turned - below
    # halves go to the even neighbour
    is_odd = below != 2.0 * ir.floor(below / 2.0)
    quarters = ir.where((excess > 0.5) | ((excess == 0.5) & is_odd), below + 1.0, below)
    angle = (rest - quarters * (turn / 4)) * (2 * math.pi / turn)
    quarters = quarters + float(shift)
    place = quarters - 4.0 * ir.floor(quarters / 4.0)
    is_even = (place == 0.0) | (place == 2.0)
    y = ir.where(is_even, ir.sin(angle), ir.cos(angle))
    return ir.where(place >= 2.0, -y, y) + 0.0


@builtin(
    "sind",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: _wave(x, 360.0, 0),
)
def sind(x: Operand) -> Operand:
    """Sine of angles in degrees, exact at multiples of 90.

    Y = sind(X)

    Examples:
        >> sind([0 30 90 180])
        ans =
                 0    0.5000    1.0000         0

    See also: asind, sin, cosd.
    """
    return _sine(x, 360.0, 0)


@builtin(
    "cosd",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: _wave(x, 360.0, 1),
)
def cosd(x: Operand) -> Operand:
    """Cosine of angles in degrees, exact at multiples of 90.

    Y = cosd(X)

    Examples:
        >> cosd([0 60 90])
        ans =
            1.0000    0.5000         0

    See also: acosd, cos, sind.
    """
    return _sine(x, 360.0, 1)


@builtin(
    "tand",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: _wave(x, 360.0, 0) / _wave(x, 360.0, 1),
)
def tand(x: Operand) -> Operand:
    """Tangent of angles in degrees.

    Y = tand(X)

    Odd multiples of 90 give Inf and -Inf.

    Examples:
        >> tand([0 90])
        ans =
             0   Inf

    See also: atand, tan.
    """
    return _tangent(x, 0)


@builtin(
    "secd",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: 1.0 / _wave(x, 360.0, 1),
)
def secd(x: Operand) -> Operand:
    """Secant of angles in degrees.

    Y = secd(X)

    Examples:
        >> secd([0 90])
        ans =
             1   Inf

    See also: cosd, sec.
    """
    return 1 / _sine(x, 360.0, 1)


@builtin(
    "cscd",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: 1.0 / _wave(x, 360.0, 0),
)
def cscd(x: Operand) -> Operand:
    """Cosecant of angles in degrees.

    Y = cscd(X)

    Examples:
        >> cscd(90)
        ans =
             1

    See also: sind, csc.
    """
    return 1 / _sine(x, 360.0, 0)


@builtin(
    "cotd",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: _wave(x, 360.0, 1) / _wave(x, 360.0, 0),
)
def cotd(x: Operand) -> Operand:
    """Cotangent of angles in degrees.

    Y = cotd(X)

    Examples:
        >> cotd([0 90])
        ans =
           Inf     0

    See also: tand, cot.
    """
    return _cotangent(x)


@builtin(
    "asind",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=Map(lambda x: ir.asin(x) * (180 / math.pi), domain=(-1.0, 1.0)),
)
def asind(x: Operand) -> Operand:
    """Inverse sine in degrees.

    Y = asind(X)

    Examples:
        >> asind(1)
        ans =
            90

    See also: sind, asin.
    """
    return np.asarray(np.arcsin(complex_where(x, np.abs(x) > 1)) * (180 / math.pi))


@builtin(
    "acosd",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=Map(lambda x: ir.acos(x) * (180 / math.pi), domain=(-1.0, 1.0)),
)
def acosd(x: Operand) -> Operand:
    """Inverse cosine in degrees.

    Y = acosd(X)

    Examples:
        >> acosd([0 1])
        ans =
            90     0

    See also: cosd, acos.
    """
    return np.asarray(np.arccos(complex_where(x, np.abs(x) > 1)) * (180 / math.pi))


@builtin(
    "atand",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: ir.atan(x) * (180 / math.pi),
)
def atand(x: Operand) -> Operand:
    """Inverse tangent in degrees.

    Y = atand(X)

    Examples:
        >> atand(1)
        ans =
            45

    See also: tand, atan, atan2d.
    """
    return np.arctan(x) * (180 / math.pi)


@builtin(
    "atan2d",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda y, x: ir.atan2(y, x) * (180 / math.pi),
)
def atan2d(y: Operand, x: Operand) -> Operand:
    """Four-quadrant inverse tangent in degrees.

    Y = atan2d(Y, X)

    The angle of the point (X, Y), in [-180, 180].

    Examples:
        >> atan2d(1, -1)
        ans =
           135

    See also: atan2, atand.
    """
    if y.dtype.kind == "c" or x.dtype.kind == "c":
        raise MatlabError("MATLAB:atan2d:complexArgument", "Inputs must be real.")
    return np.arctan2(y, x) * (180 / math.pi)


@builtin(
    "sinpi",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: _wave(x, 2.0, 0),
)
def sinpi(x: Operand) -> Operand:
    """sin(X*pi), exact at integers.

    Y = sinpi(X)

    Examples:
        >> sinpi([0 0.5 1])
        ans =
             0     1     0

    See also: cospi, sin.
    """
    return _sine(x, 2.0, 0)


@builtin(
    "cospi",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: _wave(x, 2.0, 1),
)
def cospi(x: Operand) -> Operand:
    """cos(X*pi), exact at half integers.

    Y = cospi(X)

    Examples:
        >> cospi([0 0.5 1])
        ans =
             1     0    -1

    See also: sinpi, cos.
    """
    return _sine(x, 2.0, 1)


@builtin(
    "deg2rad",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: x * (math.pi / 180),
)
def deg2rad(x: Operand) -> Operand:
    """Degrees to radians.

    Y = deg2rad(X)

    Examples:
        >> deg2rad(180)
        ans =
            3.1416

    See also: rad2deg, sind.
    """
    return x * (math.pi / 180)


@builtin(
    "rad2deg",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: x * (180 / math.pi),
)
def rad2deg(x: Operand) -> Operand:
    """Radians to degrees.

    Y = rad2deg(X)

    Examples:
        >> rad2deg(pi)
        ans =
           180

    See also: deg2rad, sin.
    """
    return x * (180 / math.pi)
