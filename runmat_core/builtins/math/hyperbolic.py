"""Hyperbolic functions and their inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.fusion import Map
from runmat_core.api.ir.complexes import outside
from runmat_core.builtins.lift import complex_where

Operand = NDArray[Any]


def _no_side(x: Any) -> Any:
    """Return the imaginary part of real elements, in kernel IR: it decides no angle."""
    return x.builder.const(0.0, x.dtype)


def _bounded(function: Any) -> Any:
    """Return `function` of `math` where it cannot overflow."""

    def rule(x: float) -> Any:
        return function(x) if -700.0 < x < 700.0 else NotImplemented

    return rule


@builtin(
    "sinh",
    family="math/trigonometry",
    lift="map",
    scalar=_bounded(math.sinh),
    effects="pure",
    fusion=Map(lambda x: ir.sinh(x), of_complex=Map(lambda z: ir.sinh(z), "complex")),
)
def sinh(x: Operand) -> Operand:
    """Hyperbolic sine.

    Y = sinh(X)

    Examples:
        >> sinh(1)
        ans =
            1.1752

    See also: asinh, cosh, sin.
    """
    return np.sinh(x)


@builtin(
    "cosh",
    family="math/trigonometry",
    lift="map",
    scalar=_bounded(math.cosh),
    effects="pure",
    fusion=Map(lambda x: ir.cosh(x), of_complex=Map(lambda z: ir.cosh(z), "complex")),
)
def cosh(x: Operand) -> Operand:
    """Hyperbolic cosine.

    Y = cosh(X)

    Examples:
        >> cosh(0)
        ans =
             1

    See also: acosh, sinh, cos.
    """
    return np.cosh(x)


@builtin(
    "tanh",
    family="math/trigonometry",
    lift="map",
    scalar=math.tanh,
    effects="pure",
    fusion=Map(lambda x: ir.tanh(x), of_complex=Map(lambda z: ir.tanh(z), "complex")),
)
def tanh(x: Operand) -> Operand:
    """Hyperbolic tangent.

    Y = tanh(X)

    Examples:
        >> tanh([-Inf 0 Inf])
        ans =
            -1     0     1

    See also: atanh, sinh, cosh.
    """
    return np.tanh(x)


@builtin(
    "asinh",
    family="math/trigonometry",
    lift="map",
    scalar=math.asinh,
    effects="pure",
    fusion=Map(lambda x: ir.asinh(x), of_complex=Map(lambda z: ir.asinh(z), "complex")),
)
def asinh(x: Operand) -> Operand:
    """Inverse hyperbolic sine.

    Y = asinh(X)

    Examples:
        >> asinh(1)
        ans =
            0.8814

    See also: sinh, acosh.
    """
    return np.arcsinh(x)


@builtin(
    "acosh",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=Map(
        lambda x: ir.acosh(x),
        domain=(1.0, math.inf),
        of_complex=Map(lambda z: ir.acosh(z), "complex", guard=outside(1.0, math.inf)),
    ),
)
def acosh(x: Operand) -> Operand:
    """Inverse hyperbolic cosine.

    Y = acosh(X)

    Elements below 1 have complex results.

    Examples:
        >> acosh(0.5)
        ans =
           0.0000 + 1.0472i

    See also: cosh, asinh.
    """
    return np.asarray(np.arccosh(complex_where(x, x < 1)))


@builtin(
    "atanh",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=Map(
        lambda x: ir.atanh(x),
        domain=(-1.0, 1.0),
        of_complex=Map(lambda z: ir.atanh(z), "complex", guard=outside(-1.0, 1.0)),
        side=_no_side,
    ),
)
def atanh(x: Operand) -> Operand:
    """Inverse hyperbolic tangent.

    Y = atanh(X)

    Elements outside [-1, 1] have complex results.

    Examples:
        >> atanh(0.5)
        ans =
            0.5493

    See also: tanh, asinh.
    """
    return np.asarray(np.arctanh(complex_where(x, np.abs(x) > 1)))


@builtin(
    "sech",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: 1.0 / ir.cosh(x),
)
def sech(x: Operand) -> Operand:
    """Hyperbolic secant.

    Y = sech(X)

    Examples:
        >> sech(0)
        ans =
             1

    See also: cosh, asech.
    """
    return 1 / np.cosh(x)


@builtin(
    "csch",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: 1.0 / ir.sinh(x),
)
def csch(x: Operand) -> Operand:
    """Hyperbolic cosecant.

    Y = csch(X)

    Examples:
        >> csch(1)
        ans =
            0.8509

    See also: sinh, acsch.
    """
    return 1 / np.sinh(x)


@builtin(
    "coth",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: 1.0 / ir.tanh(x),
)
def coth(x: Operand) -> Operand:
    """Hyperbolic cotangent.

    Y = coth(X)

    Examples:
        >> coth(1)
        ans =
            1.3130

    See also: tanh, acoth.
    """
    return 1 / np.tanh(x)


@builtin("asech", family="math/trigonometry", lift="map", effects="pure")
def asech(x: Operand) -> Operand:
    """Inverse hyperbolic secant.

    Y = asech(X)

    Examples:
        >> asech(1)
        ans =
             0

    See also: sech, acosh.
    """
    if x.dtype.kind != "c" and ((x >= 0) & (x <= 1) | np.isnan(x)).all():
        above = (1 - x) / x  # exact near one, where 1/x is not
        return np.asarray(np.log1p(above + np.sqrt(above) * np.sqrt(above + 2)))
    inverse = 1 / x
    return np.asarray(np.arccosh(complex_where(inverse, inverse < 1)))


@builtin(
    "acsch",
    family="math/trigonometry",
    lift="map",
    effects="pure",
    fusion=lambda x: ir.asinh(1.0 / x),
)
def acsch(x: Operand) -> Operand:
    """Inverse hyperbolic cosecant.

    Y = acsch(X)

    Examples:
        >> acsch(1)
        ans =
            0.8814

    See also: csch, asinh.
    """
    return np.arcsinh(1 / x)


@builtin("acoth", family="math/trigonometry", lift="map", effects="pure")
def acoth(x: Operand) -> Operand:
    """Inverse hyperbolic cotangent.

    Y = acoth(X)

    Examples:
        >> acoth(2)
        ans =
            0.5493

    See also: coth, atanh.
    """
    if x.dtype.kind != "c" and not (np.abs(x) < 1).any():
        # x - 1 is exact near one, where 1/x is not
        return np.copysign(np.log1p(2 / (np.abs(x) - 1)) / 2, x)
    inverse = 1 / x
    return np.asarray(np.arctanh(complex_where(inverse, np.abs(inverse) > 1)))
