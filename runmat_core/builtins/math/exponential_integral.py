"""The exponential integral, right to the last bits of a double where extended precision is there.

A series about zero and a continued fraction: M. Abramowitz, I. A. Stegun, "Handbook of
Mathematical Functions", 5.1.11 and 5.1.22.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.builtins.math.extended import EPSILON, EULER, WIDER, in_blocks

Operand = NDArray[Any]

#: The zero of Ei, and what is missing in it.
_ZERO = (
    np.longdouble("0.3725074107813666344619918665801191335"),
    np.longdouble("-5.76792700071306141232647e-21"),
)


def expint_negative(x: Operand) -> NDArray[np.float64]:
    """Return the real part of expint(-x) for positive `x`."""
    expi = libraries.special().expi

    result = -np.asarray(expi(x), np.float64)
    regular = (x > 0) & (x < 1000)
    if WIDER and regular.any():
        result[regular] = in_blocks(_behind, x[regular])
    return result


def _behind(x: Any) -> Any:
    """-Ei(x): all terms of the series are positive, so it costs no bits."""
    few = np.minimum(x, 50)
    total, term, k = np.zeros_like(x), np.ones_like(x), 0
    while k < 250:
        k += 1
        term = term * few / k
        total = total + term / k
        if (term < EPSILON * total).all():
            break
    near = EULER + np.log(few) + total
    beside = np.abs(x - _ZERO[0]) < 0.06
    if beside.any():
        near[beside] = _beside_zero(x[beside])
    many = np.maximum(x, 50)
    total, term = np.ones_like(x), np.ones_like(x)
    for k in range(1, 50):
        term = term * k / many
        total = total + term
    return -np.where(x < 50, near, np.exp(x) / many * total)


def _beside_zero(x: Any) -> Any:
    """Ei(x) as the integral of exp(t)/t from its zero on, of terms of one sign."""
    zero = _ZERO[0]
    distance = (x - zero) - _ZERO[1]
    total = np.log1p(distance / zero)
    part, power, factorial = np.ones_like(x), zero, 1  # (x^k - zero^k)/(x - zero), zero^k, k!
    for k in range(1, 25):
        total = total + distance * part / (k * factorial)
        part, power = x * part + power, power * zero
        factorial *= k + 1
    return total


def expint_complex(z: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """expint of complex numbers."""
    exp1 = libraries.special().exp1

    result = np.array(exp1(z), np.complex128)
    size = np.abs(z)
    # the fraction converges slowly near the negative axis, where the series has no cancellation
    behind = (z.real < 0) & (np.abs(z.imag) < -z.real / 2)
    series = (size > 0) & ((size < 2) | behind & (size < 40))
    fraction = ~behind & (size >= 2) & (size < 600)
    if WIDER:
        with np.errstate(all="ignore"):
            result[series] = _series(z[series].astype(np.clongdouble))
            result[fraction] = _fraction(z[fraction].astype(np.clongdouble))
    return result


def _series(z: Any) -> Any:
    total, term, k = np.zeros_like(z), np.ones_like(z), 0
    while z.size and k < 250:
        k += 1
        term = term * -z / k
        total = total + term / k
        if (np.abs(term) < EPSILON * np.abs(total)).all():
            break
    return -EULER - np.log(z) - total


def _fraction(z: Any) -> Any:
    """Lentz's method for the even part of the continued fraction."""
    b = z + 1
    c, d = np.full_like(z, np.longdouble("1e4000")), 1 / b
    result, k = d, 0
    while z.size and k < 5000:
        k += 1
        b = b + 2
        d = 1 / (b - k * k * d)
        c = b - k * k / c
        result = result * (c * d)
        if (np.abs(c * d - 1) < 4 * EPSILON).all():
            break
    return result * np.exp(-z)
