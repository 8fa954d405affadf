"""Jacobi's elliptic functions and complete elliptic integrals in extended precision.

Gauss's transformation takes the parameter to zero, where they are circular functions; all its
steps are sums of positive terms: NIST Digital Library of Mathematical Functions, 22.7.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math.extended import EPSILON, Long, in_blocks, long
from runmat_core.builtins.math.turns import PI

Operand = NDArray[Any]

_BLOCK = 4096


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
            found = _functions(x, np.where(p == 1, 0, p))
            for result, value, end in zip(results, found, (np.tanh(x), last, last), strict=True):
                result[part] = np.where(p == 1, end, value)
    return tuple(result.reshape(shape) for result in results)
