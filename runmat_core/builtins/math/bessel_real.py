"""Bessel functions of real orders and real arguments, right to the last bits of a double.

What `bessel_kernels` computes has errors of a few units of extended precision relative to the
modulus hypot(J, Y). Where a result is so much smaller that the last bits of a double suffer, which
is near zeros, `bessel_decimal` computes it again.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math import bessel_decimal, bessel_kernels
from runmat_core.builtins.math.extended import Long, long
from runmat_core.builtins.math.turns import PI, waves

Operand = NDArray[Any]
Rule = Callable[[Decimal, Decimal], Decimal]

#: Recurrence takes as many steps as the order has units.
GREATEST_ORDER = 1e5

#: Arguments that are worked on together.
_BLOCK = 2048

#: Error of a kernel relative to the modulus, and what a result may have of it relative to itself.
_ERROR, _ALLOWED = 2.0**-61, 2.0**-52


def exact(x: Any) -> Decimal:
    """Return a number of the widest kind as a decimal."""
    head, rest = float(x), float(x - np.longdouble(float(x)))
    return Decimal(head) + Decimal(rest) if rest else Decimal(head)


def rounded(value: Decimal) -> Any:
    """Return a decimal as one of the widest numbers."""
    with localcontext(Context(prec=25)):
        return np.longdouble(str(+value))


def _again(rule: Rule, nu: Long, x: Long) -> list[Any]:
    return [rounded(rule(exact(n), exact(z))) for n, z in zip(nu, x, strict=True)]


def _mend(rule: Rule, found: Long, scale: Long, nu: Long, x: Long) -> Long:
    """`found`, computed again by `rule` where the error of terms as large as `scale` shows."""
    steps = bessel_kernels.split(np.abs(nu), x)[1]
    error = _ERROR * (1 + 0.7 * np.sqrt(steps)) * scale
    lost = (error > _ALLOWED * np.abs(found)) & np.isfinite(found) & (scale > 1e-400)
    if lost.any():
        found = found.copy()
        found[lost] = _again(rule, nu[lost], x[lost])
    return found


def cylinder(nu: Long, x: Long, parts: str = "jy") -> tuple[Long, Long]:
    """J and Y of positive `x`; only those among `parts` are right near their zeros."""
    a = np.abs(nu)
    (j, _), (y, y_up) = bessel_kernels.hankel(a, x)
    quiet = x <= np.maximum(a, 0.5)
    if quiet.any():
        j[quiet] = bessel_kernels.first_j(a[quiet], x[quiet], y[quiet], y_up[quiet])
    whole = np.hypot(j, y)
    j_scale, y_scale = np.where(quiet, np.abs(j), whole), whole
    below = nu < 0
    if below.any():
        cosine, sine = waves(np.zeros_like(a), np.where(below, a, 0))
        j, y = _turned(j, y, cosine, -sine), _turned(y, j, cosine, sine)
        c, s = np.abs(cosine), np.abs(sine)
        j_scale, y_scale = _turned(j_scale, y_scale, c, s), _turned(y_scale, j_scale, c, s)
    if "j" in parts:
        j = _mend(bessel_decimal.first, j, j_scale, nu, x)
    if "y" in parts:
        y = _mend(bessel_decimal.second, y, y_scale, nu, x)
    return j, y


def _turned(a: Long, b: Long, cosine: Long, sine: Long) -> Long:
    """a*cosine + b*sine, where a factor of zero takes away infinities, too."""
    return np.where(cosine == 0, 0, a * cosine) + np.where(sine == 0, 0, b * sine)


def modified(nu: Long, x: Long, parts: str = "ik") -> tuple[Long, Long]:
    """I times exp(-x), where it is among `parts`, and K times exp(x), of positive `x`."""
    a = np.abs(nu)
    k, k_up = bessel_kernels.macdonald(a, x)
    i = np.zeros_like(k)
    if "i" not in parts:
        return i, k
    far = bessel_kernels.split(a, x)[1] == 0
    far &= x >= bessel_kernels.FAR
    if far.any():
        i[far] = bessel_kernels.far_i(a[far], x[far])
    if not far.all():
        near = ~far
        i[near] = bessel_kernels.first_i(a[near], x[near], k[near], k_up[near])
    below = (nu < 0) & (nu != np.rint(nu))
    if below.any():
        sine = waves(np.zeros_like(a), a)[1]
        other = np.where(below, 2 / PI * sine * k * np.exp(-2 * x), 0)
        i, scale = i + other, np.abs(i) + np.abs(other)
        i = _mend(bessel_decimal.modified_first, i, np.where(below, scale, 0), nu, x)
    return i, k


# -- arguments of either sign --------------------------------------------------------------------


def _circular(kind: str, nu: Long, x: Long, scaled: bool) -> Any:
    """J, Y or a Hankel function."""
    size = np.abs(x)
    j, y = cylinder(nu, size, kind if kind in "jy" and (x > 0).all() else "jy")
    if (x < 0).any():
        cosine, sine = waves(np.zeros_like(x), nu)
        ahead, turn = x > 0, cosine + 1j * sine
        behind = _product(turn.conj(), y) + 1j * _product(2 * cosine, j)
        j, y = np.where(ahead, j, _product(turn, j)), np.where(ahead, y, behind)
    if kind in "jy":
        return j if kind == "j" else y
    if np.iscomplexobj(y):
        return (j + 1j * y if kind == "h1" else j - 1j * y) * _unwound(kind, x, scaled)
    result = np.empty(x.shape, np.clongdouble)
    result.real, result.imag = j, (y if kind == "h1" else -y)
    return result * _unwound(kind, x, scaled) if scaled else result


def _product(turn: Any, value: Any) -> Any:
    """turn*value by parts, a part of zero in `turn` being zero in the product, too."""
    result = np.empty(value.shape, np.clongdouble)
    result.real = np.where(turn.real == 0, 0, turn.real * value)
    result.imag = np.where(turn.imag == 0, 0, turn.imag * value)
    return result


def _unwound(kind: str, x: Long, scaled: bool) -> Any:
    if not scaled:
        return 1
    cosine, sine = waves(x, np.zeros_like(x))
    return cosine - 1j * sine if kind == "h1" else cosine + 1j * sine


def _exponential(kind: str, nu: Long, x: Long, scaled: bool) -> Any:
    """I or K."""
    size = np.abs(x)
    behind = x < 0
    i, k = modified(nu, size, "ik" if kind == "i" or behind.any() else "k")
    if kind == "i":
        grown = i if scaled else i * np.exp(size)
        if not behind.any():
            return grown
        cosine, sine = waves(np.zeros_like(x), np.where(behind, nu, 0))
        return _product(cosine + 1j * sine, grown)
    less = k if scaled else k * np.exp(-size)
    if not behind.any():
        return less
    if scaled:
        less = np.where(behind, k * np.exp(-2 * size), k)
    cosine, sine = waves(np.zeros_like(x), np.where(behind, nu, 0))
    grown = np.where(behind, i if scaled else i * np.exp(size), 0)
    return _product(cosine - 1j * sine, less) - 1j * (PI * grown)


def regular(nu: Operand, x: Operand) -> Operand:
    """Where these functions are computed here."""
    return np.asarray(np.isfinite(x) & (x != 0) & (np.abs(nu) <= GREATEST_ORDER))


def bessel(kind: str, nu: Operand, x: Operand, scaled: bool) -> Operand:
    """Return the function `kind` (j, y, i, k, h1 or h2) of vectors of doubles that are regular.

    Results are complex where one of them is.
    """
    behind = x < 0
    turned = behind if kind in "yk" else behind & (nu != np.rint(nu))
    plain = kind in "jyik" and not turned.any()
    result = np.empty(x.size, np.float64 if plain else np.complex128)
    rule = _exponential if kind in "ik" else _circular
    order = np.argsort(np.abs(x))  # arguments of one region together
    with np.errstate(all="ignore"):
        for start in range(0, x.size, _BLOCK):
            part = order[start : start + _BLOCK]
            found = rule(kind, long(nu[part]), long(x[part]), scaled)
            result[part] = found.real if plain else found
    return result
