"""The complementary error function and its inverse, to two units in the last place.

``erfcx(x)*(1 + 2*x)`` varies little between 0 and infinity, so a polynomial in (x - 3)/(x + 3) is
right everywhere: M. Shepherd, J. Laframboise, "Chebyshev approximation of (1 + 2x)exp(x^2)erfc x",
Mathematics of Computation 36 (1981). Its terms here come from a Chebyshev series with 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Operand = NDArray[Any]
Doubles = NDArray[np.float64]

_CENTRE = 3.0
_TERMS = (
    1.2530080582697296,
    -0.1356211061245812,
    -0.04756229435345109,
    0.1296451587027629,
    -0.11927366341528023,
    0.06830802734391057,
    -0.023770514919506852,
    0.0025293918169509407,
    0.0018886903716907627,
    -0.0007798322781262303,
    -0.00010515990108729849,
    0.00012509937456456623,
    4.949988662264347e-06,
    -2.0100605325083817e-05,
    -7.33143259743597e-07,
    3.472390115145775e-06,
    3.603910925712771e-07,
    -6.163869055512103e-07,
    -1.4683175494120584e-07,
    1.0126845607238986e-07,
    4.6950946691614734e-08,
    -1.2581767405545219e-08,
    -1.1734464137789657e-08,
    4.4817555029519333e-10,
    2.0626322959832455e-09,
    2.1675048969615204e-10,
    -1.881936630944858e-10,
    -3.722451327004375e-11,
)

#: Below this, erfc is near one and its own series is better.
NEAR = 0.25
#: Elements that are worked on together: what a few arrays of them need stays in the cache.
_BLOCK = 8192


def _in_blocks(rule: Callable[..., Doubles], *operands: Operand) -> Doubles:
    flat = [np.ravel(operand) for operand in operands]
    result = np.empty(flat[0].size)
    with np.errstate(all="ignore"):
        for start in range(0, result.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            result[part] = rule(*(operand[part] for operand in flat))
    return result.reshape(operands[0].shape)


def _scaled(x: Doubles) -> Doubles:
    """exp(x^2)*erfc(x) from `NEAR` on."""
    t = (x - _CENTRE) / (x + _CENTRE)
    total = np.full_like(x, _TERMS[-1])
    for term in reversed(_TERMS[:-1]):
        total *= t
        total += term
    total /= 1 + 2 * x
    return total


def _exponential(x: Doubles, sign: float) -> Doubles:
    """exp(sign*x^2), where the square would be rounded to more than a unit of the result."""
    high = x.astype(np.float32).astype(np.float64)  # its square is exact
    low = sign * ((x - high) * (x + high))
    power = np.exp(sign * (high * high))
    # the rest is at most 1e-4
    return np.asarray(power + power * (low * (1 + low * (0.5 + low / 6))))


def erfc(x: Operand) -> Doubles:
    """erfc of numbers from `NEAR` on."""
    return _in_blocks(_tail, x)


def _tail(x: Doubles) -> Doubles:
    return np.asarray(_exponential(x, -1.0) * _scaled(x))


def erfcx(x: Operand, near: Callable[[Operand], Operand]) -> Doubles:
    """exp(x^2)*erfc(x).

    Args:
        near: erfc of numbers below `NEAR`.
    """

    def rule(x: Doubles) -> Doubles:
        size = np.abs(x)
        small = size < NEAR
        result = _scaled(np.where(small, NEAR, size))
        if (x < 0).any():
            result = np.where(x < 0, 2 * _exponential(x, 1.0) - result, result)
        if small.any():
            part = x[small]
            result[small] = np.exp(part * part) * near(part)
        return result

    return _in_blocks(rule, x)


def erfcinv(y: Operand, guess: Operand) -> Doubles:
    """Where erfc is `y`, less than 1/2, after a Newton step from a near guess."""

    def step(x: Doubles, y: Doubles) -> Doubles:
        return np.asarray(x + (_tail(x) - y) * (_exponential(x, 1.0) * (np.sqrt(np.pi) / 2)))

    return _in_blocks(step, guess, y)
