"""Numbers of about 120 bits as pairs: a rounded number in extended precision, and what is missing.

Sums are D. E. Knuth's, products T. J. Dekker's.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runmat_core.builtins.math.extended import Long
from runmat_core.builtins.math.turns import pi_bits

Pair = tuple[Any, Any]


def exact_sum(a: Any, b: Any) -> Pair:
    """Return a + b."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def exact_product(a: Any, b: Any) -> Pair:
    """a*b."""
    scale = np.longdouble(2**32 + 1)

    def halves(x: Long) -> tuple[Long, Long]:
        high = scale * x - (scale * x - x)
        return high, x - high

    (a_high, a_low), (b_high, b_low) = halves(a), halves(b)
    product = a * b
    rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, rest


def plus(a: Pair, b: Pair) -> Pair:
    total, rest = exact_sum(a[0], b[0])
    return exact_sum(total, rest + a[1] + b[1])


def times(a: Pair, b: Pair) -> Pair:
    product, rest = exact_product(a[0], b[0])
    return exact_sum(product, rest + a[0] * b[1] + a[1] * b[0])


def over(a: Pair, b: Pair) -> Pair:
    quotient = a[0] / b[0]
    product = times(b, (quotient, np.zeros_like(quotient)))
    rest = plus(a, (-product[0], -product[1]))
    return exact_sum(quotient, rest[0] / b[0])


def root(a: Pair) -> Pair:
    """Return the square root of positive `a`."""
    first = np.sqrt(a[0])
    square = exact_product(first, first)
    rest = plus(a, (-square[0], -square[1]))
    return exact_sum(first, rest[0] / (2 * first))


@cache
def pi() -> Pair:
    bits = pi_bits(200)
    head = bits >> (202 - 64)
    tail = (bits - (head << 138)) >> 74
    two = np.longdouble(2)
    return np.longdouble(head) * two**-62, np.longdouble(tail) * two**-126
