"""The error function and its relatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.builtins.math.special import real_operand, scipy_special

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
    return np.asarray(scipy_special().erf(real_operand(x, "erf")))


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
    plain = np.asarray(scipy_special().erfc(real_operand(x, "erfc")))
    tail = (x > 0.5) & (x < 28)
    if x.dtype != np.float64 or not tail.any():
        return plain
    far = x[tail]
    result = np.array(plain)
    with np.errstate(under="ignore"):
        result[tail] = _exp_square(far, -1) * scipy_special().erfcx(far)
    return result


def _exp_square(x: Operand, sign: int) -> Operand:
    """exp(sign*x^2), whose relative error would be that of x^2 times x^2.

    The square of the leading half of the bits is exact.
    """
    leading = np.round(x * 2.0**20) / 2.0**20
    rest = (x - leading) * (x + leading)
    return np.asarray(np.exp(sign * leading * leading) * np.exp(sign * rest))


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
    plain = np.asarray(scipy_special().erfcx(real_operand(x, "erfcx")))
    if x.dtype != np.float64:
        return plain
    result = np.array(plain)
    below, near = (x < -0.5) & (x > -26.7), np.abs(x) <= 0.5
    behind, few = x[below], x[near]
    result[below] = 2 * _exp_square(behind, 1) - scipy_special().erfcx(-behind)
    result[near] = np.exp(few * few) * scipy_special().erfc(few)
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
    return np.asarray(scipy_special().erfinv(real_operand(y, "erfinv")))


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
    return np.asarray(scipy_special().erfcinv(real_operand(y, "erfcinv")))
