"""Airy functions of complex arguments in extended precision.

They are sums of Bessel functions I and K of the orders 1/3 and 2/3 at w = 2/3*z^(3/2), or at -w
where that is in the left half-plane: NIST Digital Library of Mathematical Functions, 9.6 and 10.34.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math import bessel_complex
from runmat_core.builtins.math.airy_real import ROOT_3, THIRD
from runmat_core.builtins.math.pairs import exact_product
from runmat_core.builtins.math.turns import PI

Operand = NDArray[Any]

_BLOCK = 2048


def _total(*terms: Any) -> Any:
    """Return the sum of numbers that cancel, with the rounding errors of the partial sums."""
    total, missing = terms[0], 0
    for term in terms[1:]:
        after = total + term
        part = after - total
        missing = missing + ((total - (after - part)) + (term - part))
        total = after
    return total + missing


def _parts(real: Any, imaginary: Any) -> Any:
    result = np.empty(real.shape, np.clongdouble)
    result.real, result.imag = real, imaginary
    return result


def _less_product(value: Any, a: Any, b: Any) -> Any:
    """value - a*b of numbers that are almost the same."""
    (rr, rr_), (ii, ii_) = exact_product(a.real, b.real), exact_product(a.imag, b.imag)
    (ri, ri_), (ir, ir_) = exact_product(a.real, b.imag), exact_product(a.imag, b.real)
    return _parts(_total(value.real, -rr, ii, -rr_, ii_), _total(value.imag, -ri, -ir, -ri_, -ir_))


def phase(z: Any) -> tuple[Any, Any]:
    """2/3*z^(3/2), and what is missing in it."""
    root = np.sqrt(z)
    product = z * root
    missing = z * _less_product(z, root, root) / (2 * root) - _less_product(product, z, root)
    result = product / 3 * 2
    three = np.full(z.shape, 3, np.longdouble)
    rest = _parts(
        *(
            _total(2 * whole, *(-part for part in exact_product(two_thirds, three)))
            for whole, two_thirds in (
                (product.real, result.real),
                (product.imag, result.imag),
            )
        )
    )
    return result, (rest + 2 * missing) / 3


def _value(k: int, z: Any, scaled: bool) -> Any:
    argument, rest = phase(z)
    behind = z.real < np.abs(z) / 2
    side = np.where(z.imag < 0, -1, 1)
    turn = np.where(behind, -1, 1)
    w, rest = turn * argument, turn * rest
    order = np.full(z.shape, THIRD * (1 if k % 2 == 0 else 2))
    first, second = bessel_complex.pair(order, w)
    second_turn = np.where(behind, bessel_complex.turn(-side * order), 1)
    # exp(w) without its modulus, and that
    wave, grow = bessel_complex.spin(w.imag), w.real
    wave = wave * (1 + (1j * rest.imag if scaled else rest))
    fallen = second * second_turn * np.exp(-2 * grow) / wave
    factor = np.sqrt(z / 3) if k % 2 == 0 else z / ROOT_3
    if k >= 2:
        share = np.where(behind, 1 if k == 2 else -1, 2)
        result = factor * (share * first * wave + ROOT_3 / PI * fallen)
        return result if scaled else result * np.exp(grow)
    factor = factor / PI * (1 if k == 0 else -1)
    back = -1j * side * PI * first
    if scaled:
        return factor * np.where(behind, fallen / wave + back, second)
    return factor * np.where(
        behind, (fallen + back * wave) * np.exp(grow), second / wave * np.exp(-grow)
    )


def regular(z: Operand) -> Operand:
    """Where these functions are computed here."""
    size = np.abs(z)
    return np.asarray((size > 0) & (size < 1e6))


def airy(k: int, z: Operand, scaled: bool) -> NDArray[np.complex128]:
    """Ai, its derivative, Bi or its derivative of a vector that is regular."""
    result = np.empty(z.size, np.complex128)
    order = np.argsort(np.abs(z))
    with np.errstate(all="ignore"):
        for start in range(0, z.size, _BLOCK):
            part = order[start : start + _BLOCK]
            result[part] = _value(k, z[part].astype(np.clongdouble), scaled)
    return result
