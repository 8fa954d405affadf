"""Sines and cosines of large angles, reduced by as many bits of pi as it takes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runmat_core.builtins.math.extended import Long

PI = np.longdouble("3.14159265358979323846264338327950288")

#: Quotients below this one times 34 bits of pi/2 are exact in 64 bits.
_FEW = 2.0**30

#: Bits of pi for the largest arguments, and those that an angle gets.
_MOST, _KEPT = 1400, 160


@cache
def pi_bits(count: int) -> int:
    """floor(pi*2^count), by J. Machin's formula."""
    one = 1 << (count + 32)
    return (4 * (4 * _inverse_arctangent(5, one) - _inverse_arctangent(239, one))) >> 32


def _inverse_arctangent(n: int, one: int) -> int:
    """arctan(1/n) in units of 1/one."""
    power, total, k = one // n, 0, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return total


@cache
def _half_turn_parts() -> tuple[Any, ...]:
    """pi/2 as a sum of two numbers of 34 bits and one of 64."""
    bits = pi_bits(300)  # pi/2 is bits*2^-301
    head = bits >> (302 - 34)
    middle = (bits >> (302 - 68)) - (head << 34)
    tail = (bits >> (302 - 132)) - (((head << 34) + middle) << 64)
    scale = np.longdouble(2)
    return tuple(
        np.longdouble(part) * scale**exponent
        for part, exponent in ((head, -33), (middle, -67), (tail, -131))
    )


def reduced(x: Long) -> tuple[Long, Any]:
    """`x` less a multiple of pi/2, and that multiple modulo four."""
    count = np.rint(x * (2 / PI))
    head, middle, tail = _half_turn_parts()
    rest = ((x - count * head) - count * middle) - count * tail
    count = np.fmod(count, 4)
    for at in np.flatnonzero(np.abs(x) >= _FEW):
        rest[at], count[at] = _reduced_exactly(x[at])
    return rest, count


def _reduced_exactly(x: Any) -> tuple[Any, int]:
    mantissa, exponent = np.frexp(x)
    whole, shift = int(np.ldexp(mantissa, 64)), int(exponent) - 64
    bits = _KEPT + max(shift, 0)  # angles in units of 2^-bits
    half = pi_bits(_MOST) >> (_MOST + 1 - bits)
    count, rest = divmod(whole << (bits + shift), half)
    if 2 * rest > half:
        count, rest = count + 1, rest - half
    return _scaled(rest, -bits), count % 4


def _scaled(n: int, exponent: int) -> Any:
    """n*2^exponent, rounded to the widest numbers."""
    extra = max(n.bit_length() - 64, 0)
    return np.ldexp(np.longdouble(n >> extra), exponent + extra)


def waves(x: Long, turns: Long, rest: Long | None = None) -> tuple[Long, Long]:
    """Cosine and sine of x + rest + turns*pi, with errors relative to 1."""
    angle, count = reduced(x)
    if rest is not None:
        angle = angle + rest
    turns = np.fmod(turns, 2)
    half = np.rint(2 * turns)
    angle = angle + (turns - half / 2) * PI
    cosine, sine = np.cos(angle), np.sin(angle)
    quarter = np.fmod(count + half + 8, 4)
    odd = quarter % 2 == 1
    cosine, sine = np.where(odd, -sine, cosine), np.where(odd, cosine, sine)
    back = quarter >= 2
    return np.where(back, -cosine, cosine), np.where(back, -sine, sine)
