"""Bessel functions of real orders and complex arguments in extended precision.

K comes first, in the right half of the plane, as for real arguments, but between the series and
the expansions from a continued fraction (N. M. Temme, J. Comput. Phys. 19 (1975) 324); I follows
from K, and the others are these two functions of an argument that is turned: NIST Digital Library
of Mathematical Functions, 10.27, 10.34 and 10.40. Errors are relative to the modulus of a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.math import bessel_kernels as kernels
from runmat_core.builtins.math import bessel_real
from runmat_core.builtins.math.extended import EPSILON, Long, long
from runmat_core.builtins.math.turns import PI, waves

Operand = NDArray[Any]

#: Temme's series serves below, Hankel's expansions from `kernels.FAR` on.
_NEAR = 2

_BLOCK = 2048


def turn(half_turns: Any) -> Any:
    """exp(i*pi*half_turns), whose parts are exact where they are zero or one."""
    cosine, sine = waves(np.zeros_like(half_turns), half_turns)
    return cosine + 1j * sine


def spin(angle: Long, turns: Any = 0) -> Any:
    """exp(i*(angle + pi*turns)) of large angles, too."""
    cosine, sine = waves(angle, np.zeros_like(angle) + turns)
    return cosine + 1j * sine


def _fraction(mu: Long, z: Any) -> tuple[Any, Any]:
    """K at orders mu and mu + 1, times exp(z), from the continued fraction and its sum."""
    first = 0.25 - mu * mu
    a, b = -first, 2 * (1 + z)
    d = 1 / b
    step = total = d
    before, current = np.zeros_like(z), np.ones_like(z)
    factor = weight = first + np.zeros_like(z)
    scale = 1 + weight * step
    for k in range(2, 2000):
        a = a - 2 * (k - 1)
        factor = -factor * a / k
        before, current = current, (before - b * current) / a
        weight = weight + factor * current
        b = b + 2
        d = 1 / (b + a * d)
        step = (b * d - 1) * step
        total = total + step
        change = weight * step
        scale = scale + change
        if (np.abs(change) < EPSILON / 4 * np.abs(scale)).all():
            break
    value = np.sqrt(PI / (2 * z)) / scale
    return value, value * (mu + z + 0.5 - first * total) / z


def macdonald(nu: Long, z: Any) -> tuple[Any, Any]:
    """K at orders `nu` >= 0 and one above, times exp(z), of `z` in the right half-plane."""
    size = np.abs(z)
    mu, steps = kernels.split(nu, size)
    value, up = np.empty_like(z), np.empty_like(z)
    near, far = size < _NEAR, size >= kernels.FAR
    for rule, where in (
        (kernels.near_k, near),
        (_fraction, ~near & ~far),
        (kernels.far_k, far),
    ):
        if where.any():
            value[where], up[where] = rule(mu[where], z[where])
    most = int(steps.max(initial=0))
    for k in range(1, most + 1):
        going = steps >= k
        above = 2 * (mu + k) / z * up + value
        value, up = np.where(going, up, value), np.where(going, above, up)
    return value, up


def first_kind(nu: Long, z: Any, k: Any, k_up: Any) -> Any:
    """I times exp(-z) of order `nu` >= 0, from K."""
    result = np.empty_like(z)
    far = (np.abs(z) >= kernels.FAR) & (kernels.split(nu, np.abs(z))[1] == 0)
    near = ~far
    if near.any():
        part = z[near]
        ratio = kernels.ratio(nu[near], part, 1)
        result[near] = 1 / (part * (k_up[near] + ratio * k[near]))
    if far.any():
        part, order = z[far], nu[far]
        even, odd = kernels.expansion(order, part, 1)
        side = np.where(part.imag < 0, -1, 1)
        other = np.exp(-2 * part.real) * spin(-2 * part.imag, side * (order + 0.5))
        result[far] = (even - odd + other * (even + odd)) / np.sqrt(2 * PI * part)
    return result


def pair(nu: Long, w: Any) -> tuple[Any, Any]:
    """I times exp(-w) and K times exp(w) at order `nu` >= 0 in the right half-plane."""
    k, k_up = macdonald(nu, w)
    return first_kind(nu, w, k, k_up), k


# -- the functions -------------------------------------------------------------------------------


def _modified(kind: str, nu: Long, z: Any, scaled: bool) -> Any:
    """I or K: at -w, where w is in the right half-plane, both are sums of both at w."""
    behind = z.real < 0
    w = np.where(behind, -z, z)
    side = np.where(z.imag < 0, -1, 1)
    a = np.abs(nu)
    i, k = pair(a, w)
    grow, wave = w.real, spin(w.imag)
    if kind == "i":
        if (nu < 0).any():
            sine = np.where(nu < 0, turn(a).imag, 0)
            i = i + 2 / PI * sine * k * np.exp(-2 * grow) / (wave * wave)
        result = i * wave * np.where(behind, turn(side * nu), 1)
        return result if scaled else result * np.exp(grow)
    less = k / wave * np.where(behind, turn(-side * a), 1)
    more = np.where(behind, -1j * side * PI * i * wave, 0)
    if not scaled:
        return less * np.exp(-grow) + np.where(behind, more * np.exp(grow), 0)
    unwound = spin(z.imag)
    shrink = np.where(behind, np.exp(-2 * grow), 1)
    return (less * shrink + more) * unwound


def _circular(kind: str, nu: Long, z: Any, scaled: bool) -> Any:
    """J, Y or a Hankel function, from I and K at -i*z above the real axis, at i*z below it."""
    below = z.imag < 0
    side = np.where(below, -1, 1)
    w = np.empty_like(z)
    w.real, w.imag = side * z.imag, -side * z.real
    a = np.abs(nu)
    i, k = pair(a, w)
    grow, wave = w.real, spin(w.imag)
    # all times exp(-grow); the Hankel function that decays has exp(-2*grow) then
    j = turn(side * a / 2) * i * wave
    least = -2j * side / PI * turn(-side * a / 2) * k / wave
    fallen = least * np.exp(-2 * grow)
    if kind[0] == "h":
        return _hankel(kind, nu, z, scaled, j, least)
    y = (fallen - j) * (-1j * side)
    if (nu < 0).any():
        negative = nu < 0
        whole = turn(a)
        cosine, sine = whole.real, whole.imag
        j, y = (
            np.where(negative, cosine * j - sine * y, j),
            np.where(negative, sine * j + cosine * y, y),
        )
    result = j if kind == "j" else y
    return result if scaled else result * np.exp(grow)


def _hankel(kind: str, nu: Long, z: Any, scaled: bool, j: Any, least: Any) -> Any:
    """H of the kind that decays in this half-plane, or the other one: 2*J less it."""
    below = z.imag < 0
    grow = np.abs(z.imag)
    decays = below == (kind == "h2")
    other = 2 * j - least * np.exp(-2 * grow)
    sign = 1 if kind == "h1" else -1
    result = np.where(decays, least, other)
    result = result * np.where(nu < 0, turn(sign * np.abs(nu)), 1)
    if scaled:  # by exp(-i*z), which takes the growth of one kind away and gives it to the other
        return result * spin(-sign * z.real)
    return result * np.exp(np.where(decays, -grow, grow))


def regular(nu: Operand, z: Operand) -> Operand:
    """Where these functions are computed here."""
    size = np.abs(z)
    return np.asarray((size > 0) & (size < 1e15) & (np.abs(nu) <= 2000))


def bessel(kind: str, nu: Operand, z: Operand, scaled: bool) -> NDArray[np.complex128]:
    """Return the function `kind` (j, y, i, k, h1 or h2) of vectors that are regular."""
    result = np.empty(z.size, np.complex128)
    axis = (z.real == 0) if kind == "i" else np.zeros(z.size, bool)
    if axis.any():  # J, which is right near its zeros, too
        height, off = z.imag[axis], ~axis
        result[off] = bessel(kind, nu[off], z[off], scaled)
        values = bessel_real.bessel("j", nu[axis], np.abs(height), False)
        result[axis] = values * turn(long(nu[axis]) * np.sign(height) / 2)
        return result
    rule = _modified if kind in "ik" else _circular
    order = np.argsort(np.abs(z))
    with np.errstate(all="ignore"):
        for start in range(0, z.size, _BLOCK):
            part = order[start : start + _BLOCK]
            result[part] = rule(kind, long(nu[part]), z[part].astype(np.clongdouble), scaled)
    return result
