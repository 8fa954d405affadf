"""The error function and its relatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir, libraries
from runmat_core.api.builtin import builtin
from runmat_core.builtins.math import error_series
from runmat_core.builtins.math.special import real_operand

Operand = NDArray[Any]


@builtin(
    "erf",
    family="math/special",
    lift="map",
    scalar=math.erf,
    effects="pure",
    fusion=lambda x: ir.erf(x),
)
def erf(x: Operand) -> Operand:
    """Error function.

    Y = erf(X)

    Examples:
        >> erf(0.5)
        ans =
            0.5205

    See also: erfc, erfinv, erfcx.
    """
    return np.asarray(libraries.special().erf(real_operand(x, "erf")))


@builtin(
    "erfc",
    family="math/special",
    lift="map",
    scalar=math.erfc,
    effects="pure",
    fusion=lambda x: ir.erfc(x),
)
def erfc(x: Operand) -> Operand:
    """Complementary error function, 1 - erf(X) without cancellation.

    Y = erfc(X)

    Examples:
        >> erfc(0.5)
        ans =
            0.4795

    See also: erf, erfcinv, erfcx.
    """
    plain = np.asarray(libraries.special().erfc(real_operand(x, "erfc")))
    tail = (x >= error_series.NEAR) & (x < 28)
    if x.dtype != np.float64 or not tail.any():
        return plain
    if tail.all():
        return error_series.erfc(x)
    result = np.array(plain)
    result[tail] = error_series.erfc(x[tail])
    return result


@builtin("erfcx", family="math/special", lift="map", effects="pure")
def erfcx(x: Operand) -> Operand:
    """Scaled complementary error function, exp(X^2)*erfc(X).

    Y = erfcx(X)

    Examples:
        >> erfcx(1)
        ans =
            0.4276

    See also: erfc, erf.
    """
    plain = np.asarray(libraries.special().erfcx(real_operand(x, "erfcx")))
    near = (x < 50) & (x > -26.6)  # SciPy has the limits
    if x.dtype != np.float64 or not near.any():
        return plain
    result = np.array(plain)
    result[near] = error_series.erfcx(x[near], libraries.special().erfc)
    return result


@builtin("erfinv", family="math/special", lift="map", effects="pure", fusion=lambda x: ir.erfinv(x))
def erfinv(y: Operand) -> Operand:
    """Inverse error function; NaN outside [-1, 1].

    X = erfinv(Y)

    Examples:
        >> erfinv([0 0.5 1])
        ans =
                 0    0.4769       Inf

    See also: erf, erfcinv.
    """
    y = real_operand(y, "erfinv")
    # scipy's is zero at both zeros
    return np.asarray(np.copysign(libraries.special().erfinv(y), y))


@builtin("erfcinv", family="math/special", lift="map", effects="pure")
def erfcinv(y: Operand) -> Operand:
    """Inverse complementary error function; NaN outside [0, 2].

    X = erfcinv(Y)

    Examples:
        >> erfcinv(0.5)
        ans =
            0.4769

    See also: erfc, erfinv.
    """
    plain = np.asarray(libraries.special().erfcinv(real_operand(y, "erfcinv")))
    if y.dtype != np.float64:
        return plain
    middle = np.abs(y - 1) <= 0.5
    least = np.where(y > 1, 2 - y, y)  # erfc of the result's magnitude
    outer = (least > 1e-307) & ~middle
    result = np.where(middle, -libraries.special().erfinv(np.where(middle, y - 1, 0)), plain)
    if outer.any():
        result[outer] = error_series.erfcinv(least[outer], np.abs(plain[outer]))
        result = np.where(outer & (y > 1), -result, result)
    return result
