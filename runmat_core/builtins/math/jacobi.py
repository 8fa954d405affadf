"""Jacobi's elliptic functions and complete elliptic integrals in extended precision.

Arguments are reduced to half of the quarter period K, with K in more digits than a result has, so
that functions have them beside far zeros too (22.4 of the NIST Digital Library of Mathematical
Functions). Gauss's transformation takes the parameter to zero, where they are circular functions;
all its steps are sums of positive terms (22.7).
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math import pairs
from runmat_core.builtins.math.extended import EPSILON, Long, in_blocks, long
from runmat_core.builtins.math.turns import PI, pi_bits

Operand = NDArray[Any]

_BLOCK = 4096

#: Up to here a pair has the digits of an argument less its multiple of K; decimal numbers beyond.
_FAR = 2.0**60


def _functions(u: Long, m: Long) -> tuple[Any, Any, Any]:
    rest = np.sqrt(1 - m)  # of the modulus k, and always more precise than it
    modulus = np.sqrt(m)
    steps: list[tuple[Long, Long]] = []
    while (modulus > EPSILON / 4).any() and len(steps) < 20:
        after = modulus / (1 + rest)
        lower = after * after
        steps.append((lower, 2 * rest / (1 + rest)))
        u = u / (1 + lower)
        rest = 2 * np.sqrt(rest) / (1 + rest)
        modulus = lower
    sn, cn, dn = np.sin(u), np.cos(u), np.ones_like(u)
    for k, without in reversed(steps):  # `without` is 1 - k
        square = k * sn * sn
        # 1 - k*sn^2 is cn^2 + (1 - k)*sn^2
        least = cn * cn + without * sn * sn
        sn, cn, dn = (1 + k) * sn / (1 + square), cn * dn / (1 + square), least / (1 + square)
    return sn, cn, dn


def _complete(m: Long) -> tuple[Any, Any]:
    """K and E by the arithmetic-geometric mean."""
    a, b = np.ones_like(m), np.sqrt(1 - m)
    total, weight = 1 - m / 2, 1
    for _ in range(40):
        a, b, difference = (a + b) / 2, np.sqrt(a * b), (a - b) / 2
        total = total - weight * difference * difference
        weight *= 2
        if (np.abs(difference) <= EPSILON * a).all():
            break
    first = PI / (2 * a)
    return first, first * total


def _quarter(m: Long) -> pairs.Pair:
    """K of parameters below 1."""
    none = np.zeros_like(m)
    a, b = (np.ones_like(m), none), pairs.root(pairs.exact_sum(np.ones_like(m), -m))
    for _ in range(40):
        if (np.abs(a[0] - b[0]) <= EPSILON * a[0]).all():
            break
        total, product = pairs.plus(a, b), pairs.times(a, b)
        a, b = (total[0] / 2, total[1] / 2), pairs.root(product)
    total = pairs.plus(a, b)  # of two that agree to half the digits: twice their mean
    return pairs.over(pairs.pi(), total)


def _reduced(u: Long, m: Long) -> tuple[Long, Long]:
    """`u` less a multiple of K, and that multiple modulo four."""
    quarter = _quarter(m)
    count = np.rint(u / quarter[0])
    whole = pairs.times(quarter, (count, np.zeros_like(count)))
    rest = pairs.plus((u, np.zeros_like(u)), (-whole[0], -whole[1]))[0]
    count = np.fmod(count, 4)
    for at in np.flatnonzero(np.isfinite(u) & np.isfinite(m) & (np.abs(u) > _FAR)):
        rest[at], count[at] = _reduced_exactly(Decimal(float(u[at])), Decimal(float(m[at])))
    return rest, np.mod(count, 4)


def _reduced_exactly(u: Decimal, m: Decimal) -> tuple[Any, int]:
    with localcontext() as context:
        context.prec = u.adjusted() + 60
        a, b = Decimal(1), (1 - m).sqrt()
        while abs(a - b) > a.scaleb(4 - context.prec):
            a, b = (a + b) / 2, (a * b).sqrt()
        bits = int(context.prec * 3.33)
        quarter = Decimal(pi_bits(bits)) / (1 << bits) / (2 * a)
        count = (u / quarter).to_integral_value()
        return np.longdouble(str(u - count * quarter)), int(count % 4)


def _shifted(u: Long, m: Long) -> tuple[Any, Any, Any]:
    """Return the functions of `u` from those of what is left of it without quarter periods."""
    rest, count = _reduced(u, m)
    sn, cn, dn = _functions(rest, m)
    other = np.sqrt(1 - m)
    odd, back = count % 2 == 1, count >= 2
    sn, cn, dn = (
        np.where(odd, cn / dn, sn),
        np.where(odd, -other * sn / dn, cn),
        np.where(odd, other / dn, dn),
    )
    return np.where(back, -sn, sn), np.where(back, -cn, cn), dn


def ellipke(m: Operand) -> tuple[Operand, Operand]:
    """Complete integrals of the first and the second kind of parameters below 1."""
    return (
        in_blocks(lambda m: _complete(m)[0], m),
        in_blocks(lambda m: _complete(m)[1], m),
    )


def ellipj(u: Operand, m: Operand) -> tuple[Operand, ...]:
    """sn, cn and dn of parameters from 0 to 1."""
    shape = np.broadcast_shapes(u.shape, m.shape)
    flat, parameter = (np.broadcast_to(a, shape).ravel() for a in (u, m))
    results = tuple(np.empty(flat.size) for _ in range(3))
    with np.errstate(all="ignore"):
        for start in range(0, flat.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            x, p = long(flat[part]), long(parameter[part])
            # of the parameter one they are hyperbolic functions
            last = 1 / np.cosh(x)
            found = _shifted(x, np.where(p == 1, 0, p))
            for result, value, end in zip(results, found, (np.tanh(x), last, last), strict=True):
                result[part] = np.where(p == 1, end, value)
    return tuple(result.reshape(shape) for result in results)
