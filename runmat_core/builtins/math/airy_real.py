"""Airy functions of real arguments, right to the last bits of a double.

They are Bessel functions of the orders 1/3 and 2/3 at 2/3*|x|^(3/2): NIST Digital Library of
Mathematical Functions, 9.6.
"""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math import bessel_decimal, bessel_kernels
from runmat_core.builtins.math.bessel_real import modified, rounded
from runmat_core.builtins.math.extended import Long, long
from runmat_core.builtins.math.pairs import exact_product
from runmat_core.builtins.math.turns import PI, waves

Operand = NDArray[Any]

#: Beyond, the phase of what oscillates has no digits in extended precision.
_MOST = 2.0**40

_BLOCK = 2048
THIRD = np.longdouble(1) / 3
ROOT_3 = np.sqrt(np.longdouble(3))

#: Factors of J and Y in units of 1 and 1/sqrt(3), and the sign of both, for negative arguments.
_FACTORS = {0: (1, 0, 0, -1), 1: (1, 0, 0, 1), 2: (0, -1, -1, 0), 3: (0, 1, -1, 0)}


def phase(x: Long) -> tuple[Long, Long]:
    """2/3*x^(3/2) of positive `x`, and what is missing in it."""
    root = np.sqrt(x)
    square, rest = exact_product(root, root)
    missing = ((x - square) - rest) / (2 * root)
    product, rest = exact_product(x, root)
    result = product / 3 * 2
    third, small = exact_product(result / 2, np.full_like(x, 3))
    rest = ((product - third) - small + rest + x * missing) * 2 / 3
    return result, rest


def _behind(k: int, x: Long) -> Any:
    """Return the function `k` of -x, which oscillates, for positive `x`."""
    argument, rest = phase(x)
    order = np.full_like(x, THIRD * (1 if k % 2 == 0 else 2))
    (j, _), (y, y_up) = bessel_kernels.hankel(order, argument, rest)
    quiet = argument < 0.7
    if quiet.any():
        j[quiet] = bessel_kernels.first_j(order[quiet], argument[quiet], y[quiet], y_up[quiet])
    j_whole, j_part, y_whole, y_part = _FACTORS[k]
    factor = np.sqrt(x) / 2 if k % 2 == 0 else x / 2
    result = (j_whole + j_part / ROOT_3) * j + (y_whole + y_part / ROOT_3) * y
    lost = np.abs(result) < 2.0**-8 * np.hypot(j, y)
    result = factor * result
    for at in np.flatnonzero(lost):
        result[at] = rounded(_behind_decimal(k, Decimal(float(x[at]))))
    return result


def _behind_decimal(k: int, x: Decimal) -> Decimal:
    digits = 80 + max(2 * x.adjusted(), 0)
    with localcontext(Context(prec=digits)):
        argument = 2 * x * x.sqrt() / 3
        order = Decimal(1 if k % 2 == 0 else 2) / 3
        j, y = bessel_decimal.first(order, argument), bessel_decimal.second(order, argument)
        root = 1 / Decimal(3).sqrt()
        j_whole, j_part, y_whole, y_part = _FACTORS[k]
        factor = x.sqrt() / 2 if k % 2 == 0 else x / 2
        return factor * ((j_whole + j_part * root) * j + (y_whole + y_part * root) * y)


def _ahead(k: int, x: Long, scaled: bool) -> Any:
    """Return the function `k` of positive `x`."""
    argument, rest = phase(x)
    order = np.full_like(x, THIRD * (1 if k % 2 == 0 else 2))
    first, second = modified(order, argument, "k" if k < 2 else "ik")
    factor = np.sqrt(x / 3) if k % 2 == 0 else x / ROOT_3
    if k < 2:
        less = 1 if scaled else np.exp(-argument) * (1 - rest)
        return factor / PI * second * less * (1 if k == 0 else -1)
    result = factor * (2 * first + ROOT_3 / PI * second * np.exp(-2 * argument))
    return result if scaled else result * np.exp(argument) * (1 + rest)


def regular(x: Operand) -> Operand:
    """Where these functions are computed here."""
    return np.asarray((x != 0) & np.isfinite(x) & (x > -(_MOST ** (2 / 3))))


def airy(k: int, x: Operand, scaled: bool) -> Operand:
    """Ai, its derivative, Bi or its derivative of doubles that are regular.

    Results are complex where one of them is: Ai and its derivative of negative numbers, scaled.
    """
    turned = scaled and k < 2 and bool((x < 0).any())
    result = np.empty(x.size, np.complex128 if turned else np.float64)
    order = np.argsort(np.abs(x))
    with np.errstate(all="ignore"):
        for start in range(0, x.size, _BLOCK):
            part = order[start : start + _BLOCK]
            points = long(x[part])
            ahead = points > 0
            found = np.empty(points.shape, np.clongdouble if turned else np.longdouble)
            if ahead.any():
                found[ahead] = _ahead(k, points[ahead], scaled)
            if not ahead.all():
                found[~ahead] = _behind(k, -points[~ahead]) * _unwound(-points[~ahead], turned)
            result[part] = found
    return result


def _unwound(x: Long, turned: bool) -> Any:
    """exp(2/3*z*sqrt(z)) at z = -x, where it is asked for."""
    if not turned:
        return 1
    argument, rest = phase(x)
    cosine, sine = waves(argument, np.zeros_like(x), rest)
    return cosine - 1j * sine
