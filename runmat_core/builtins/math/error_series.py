"""The complementary error function and its inverse in extended precision.

A series about zero and a continued fraction: M. Abramowitz, I. A. Stegun, "Handbook of
Mathematical Functions", 7.1.6 and 7.1.14.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math.extended import EPSILON, Long, in_blocks
from runmat_core.builtins.math.turns import PI

Operand = NDArray[Any]

#: The series costs seven bits here, the fraction seventy terms.
_FAR = 2


def _series(x: Long) -> Any:
    """exp(x^2)*erfc(x) near zero and of negative numbers that are not far."""
    square = x * x
    total: Any = np.ones_like(x)
    term: Any = total
    for k in range(1, 80):
        term = term * 2 * square / (2 * k + 1)
        total = total + term
        if (term < EPSILON / 4 * total).all():
            break
    return np.exp(square) - 2 / np.sqrt(PI) * x * total


def _fraction(x: Long) -> Any:
    total: Any = np.zeros_like(x)
    for k in range(10 + int(280 / float(x.min()) ** 2), 0, -1):
        total = (k / np.longdouble(2)) / (x + total)
    return 1 / (np.sqrt(PI) * (x + total))


def _scaled(x: Long) -> Long:
    size = np.abs(x)
    result = np.empty_like(x)
    far = size >= _FAR
    if far.any():
        part = _fraction(size[far])
        result[far] = np.where(x[far] > 0, part, 2 * np.exp(x[far] * x[far]) - part)
    if not far.all():
        result[~far] = _series(x[~far])
    return result


def erfcx(x: Operand) -> NDArray[np.float64]:
    """exp(x^2)*erfc(x)."""
    return in_blocks(_scaled, x)


def _tail(x: Long) -> Any:
    return np.exp(-x * x) * _scaled(x)


def erfc(x: Operand) -> NDArray[np.float64]:
    """erfc of positive numbers."""
    return in_blocks(_tail, x)


def erfcinv(y: Operand, guess: Operand) -> NDArray[np.float64]:
    """Where erfc is `y`, less than 1/2, after a Newton step from a near guess."""

    def step(x: Long, y: Long) -> Any:
        return x + (_tail(x) - y) * np.exp(x * x) * np.sqrt(PI) / 2

    return in_blocks(step, guess, y)
