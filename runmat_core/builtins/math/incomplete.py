"""Incomplete gamma and beta functions and their inverses, right to the last bits of a double.

Series and continued fractions of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical
Functions", 6.5 and 26.5, in extended precision (`math.extended`). What these need too many terms
for, and arguments at the ends of the domain, are left to SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.builtins.math import extended
from runmat_core.builtins.math.degrees import cospi, sinpi
from runmat_core.builtins.math.extended import EPSILON, WIDER, Long
from runmat_core.builtins.math.polygamma import log_gamma_step

Operand = NDArray[Any]

#: Beyond this shape a series near its mean has thousands of terms.
_MOST = 2e5

#: Shapes below which powers are those of zero.
_LEAST = 1e-300

_TINY = np.longdouble("1e-4000")


#: From here on SciPy's tails are right to two units: their errors are small parts of what is left.
_NEAR_ONE = 0.99


def _where_regular(
    rule: Callable[..., Long],
    other: Callable[..., Any],
    regular: Operand,
    *operands: Operand,
    least: float | Operand = np.inf,
) -> NDArray[np.float64]:
    """`rule` in extended precision where arguments are regular, SciPy's `other` elsewhere.

    Args:
        least: results of `other` from which on they are right as they are.
    """
    result = np.asarray(other(*operands), np.float64)
    regular = regular & ~(result >= least)
    if WIDER and regular.any():
        result = np.array(result)
        result[regular] = extended.in_blocks(rule, *(operand[regular] for operand in operands))
    return result


# -- gamma ---------------------------------------------------------------------------------------


def gamma_tails(x: Long, a: Long) -> tuple[Long, Long]:
    """Return the lower and the upper tail, the lesser of which has no cancellation."""
    power = np.exp(extended.log_gamma_power(x, a))
    fraction = (x >= 1) & (x >= a + 1) | (x >= 1) & (a < 1)
    lower, upper = np.empty_like(x), np.empty_like(x)
    upper[fraction] = (power * a / x)[fraction] * _gamma_fraction(x[fraction], a[fraction])
    lower[fraction] = 1 - upper[fraction]
    series = ~fraction
    lower[series] = power[series] * _gamma_series(x[series], a[series])
    upper[series] = 1 - lower[series]
    small = series & (a < 1)
    upper[small] = _small_upper(x[small], a[small])
    return lower, upper


def _gamma_series(x: Long, a: Long) -> Long:
    """1 + x/(a + 1) + x^2/((a + 1)(a + 2)) + ..."""
    total, term, k = np.ones_like(x), np.ones_like(x), a
    while (term > EPSILON * total / 4).any():
        k = k + 1
        term = term * (x / k)
        total = total + term
    return total


def _gamma_fraction(x: Long, a: Long) -> Long:
    """Return the continued fraction of gamma(a, x)*exp(x)*x^(1 - a), by Lentz's method."""
    b = x + 1 - a
    c, d = np.full_like(x, 1 / _TINY), np.asarray(1 / b, np.longdouble)
    result, n = d, 0
    while x.size:
        n += 1
        step = -n * (n - a)
        b = b + 2
        d = np.asarray(1 / (step * d + b), np.longdouble)
        c = np.asarray(b + step / c, np.longdouble)
        result = np.asarray(result * (c * d), np.longdouble)
        if (np.abs(c * d - 1) < 4 * EPSILON).all() or n > 20000:
            break
    return np.asarray(result * x, np.longdouble)


def _small_upper(x: Long, a: Long) -> Long:
    """Return the upper tail for `x` and `a` below 1, where the lower one may be almost 1."""
    log_power = a * np.log(x) - extended.log_gamma_1p(a)
    total, term, k = np.zeros_like(x), np.ones_like(x), 0
    while k < 60:
        k += 1
        term = np.asarray(-term * x / k, np.longdouble)
        total = total + term * a / (a + k)
    return np.asarray(-np.expm1(log_power) - np.exp(log_power) * total, np.longdouble)


def _regular_gamma(x: Operand, a: Operand) -> Operand:
    return np.asarray((x > 0) & (x < 1e6) & (a > _LEAST) & (a < _MOST))


def gammainc(x: Operand, a: Operand, *, upper: bool) -> NDArray[np.float64]:
    """Return the regularised incomplete gamma function."""
    special = libraries.special()

    def other(x: Operand, a: Operand) -> Operand:
        tail = special.gammaincc(a, x) if upper else special.gammainc(a, x)
        tail = np.where(a == 0, 0.0 if upper else 1.0, tail)
        tiny = (a > 0) & (a < _LEAST) & (x > 0)
        if tiny.any():
            # the upper tail is the exponential integral for each unit of the shape
            tail = np.where(tiny, a * special.exp1(x) if upper else 1.0, tail)
        return np.asarray(tail)

    def rule(x: Long, a: Long) -> Long:
        return gamma_tails(x, a)[upper]

    # SciPy loses bits of the lower tail of small shapes
    least = np.where(a < 1, np.inf, _NEAR_ONE)
    return _where_regular(rule, other, _regular_gamma(x, a), x, a, least=least)


def gammainc_scaled(x: Operand, a: Operand, *, upper: bool) -> NDArray[np.float64]:
    """Return a tail times gamma(a + 1)*exp(x)*x^-a, which neither overflows nor underflows."""
    special = libraries.special()

    def rule(x: Long, a: Long) -> Long:
        fraction = (x >= 1) & (x >= a + 1)
        power = np.exp(-extended.log_gamma_power(x, a))
        if not upper:
            direct = ~fraction
            result = gamma_tails(x, a)[0] * power
            result[direct] = _gamma_series(x[direct], a[direct])
            return result
        result = gamma_tails(x, a)[1] * power
        result[fraction] = (a / x)[fraction] * _gamma_fraction(x[fraction], a[fraction])
        return result

    def far(x: Long, a: Long) -> Long:
        """Return a tail of large arguments, by its ratio to the power or by SciPy."""
        x64, a64 = x.astype(np.float64), a.astype(np.float64)
        tail = special.gammaincc(a64, x64) if upper else special.gammainc(a64, x64)
        direct = (x > a + 1 if upper else x < a) & (tail < 1e-20)
        result = tail / np.exp(extended.log_gamma_power(x, a))
        if upper:
            result[direct] = (a / x)[direct] * _gamma_fraction(x[direct], a[direct])
        else:
            result[direct] = _gamma_series(x[direct], a[direct])
        return np.asarray(result, np.longdouble)

    def other(x: Operand, a: Operand) -> Operand:
        # what is left are shapes of zero, and arguments at the ends of the domain
        with np.errstate(all="ignore"):
            wrong = np.isnan(x) | np.isnan(a) | (np.isinf(x) & np.isinf(a)) | (a < 0)
            # at zero the power is zero, or the upper tail without end; beyond all shapes it is not
            ends = (
                np.where((x == 0) | np.isinf(a), np.inf, 0.0)
                if upper
                else np.where(np.isinf(x), np.inf, 1.0)
            )
            tiny = (a >= 0) & (a < _LEAST)
            power = np.exp(x)
            of_tiny = np.where(a == 0, 1.0, a * special.exp1(x) * power if upper else power)
            ends = np.where(tiny & ((x > 0) | (a == 0)), of_tiny, ends)
        return np.asarray(np.where(wrong, np.nan, ends))

    result = _where_regular(rule, other, _regular_gamma(x, a), x, a)
    large = (x > 0) & (x < np.inf) & (a >= _LEAST) & (a < np.inf) & ~_regular_gamma(x, a)
    if large.any():
        result = np.array(result)
        with np.errstate(all="ignore"):
            result[large] = extended.in_blocks(far, x[large], a[large])
    return result


def gammainc_below(x: Operand, a: Operand, *, upper: bool, scaled: bool) -> NDArray[Any]:
    """Return the tails of negative `x`, complex where the shape is no whole number."""
    wide, shape = x.astype(np.longdouble), a.astype(np.longdouble)
    with np.errstate(all="ignore"):
        ratio = _gamma_series_of_any(wide, shape)
        size = np.exp(shape * np.log(-wide) - wide - extended.log_gamma(shape + 1))
        turn = cospi(a) + 1j * sinpi(a)
        power = size * turn
        lower = ratio if scaled else power * ratio
        found = ((1 / power if scaled else 1) - lower) if upper else lower
        found = np.where(a == 0, (0.0 if upper else 1.0), found)
    return np.asarray(found, np.complex128)


def _gamma_series_of_any(x: Long, a: Long) -> Long:
    """`_gamma_series` of terms of either sign."""
    total, term, k = np.ones_like(x), np.ones_like(x), a
    for _ in range(20000):
        k = k + 1
        term = term * (x / k)
        total = total + term
        if not (np.abs(term) > EPSILON * np.abs(total) / 4).any():
            break
    return total


# -- beta ----------------------------------------------------------------------------------------


def beta_tails(x: Long, y: Long, a: Long, b: Long) -> tuple[Long, Long]:
    """Return the lower and the upper tail at x = 1 - y."""
    swap = x * (a + b + 2) > a + 1
    left, right = np.where(swap, y, x), np.where(swap, x, y)
    p, q = np.where(swap, b, a), np.where(swap, a, b)
    power = np.exp(extended.log_beta_power(left, right, p, q)) / p
    tail = power * _beta_fraction(left, p, q)
    lower, upper = np.where(swap, 1 - tail, tail), np.where(swap, tail, 1 - tail)
    small = ~swap & (a < 0.01)
    if small.any():
        upper[small] = _small_upper_beta(x[small], a[small], b[small])
    return lower, upper


def _small_upper_beta(x: Long, a: Long, b: Long) -> Long:
    """Return the upper tail for small `a` and `x`, where the lower one may be almost 1."""
    log_power = a * np.log(x) + log_gamma_step(a, b) - extended.log_gamma_1p(a)
    total, term, k = np.zeros_like(x), np.ones_like(x), 0
    while (np.abs(term) > EPSILON / 16).any() and k < 200:
        k += 1
        term = np.asarray(term * x * (k - b) / k, np.longdouble)
        total = total + term * a / (a + k)
    return np.asarray(-np.expm1(log_power) - np.exp(log_power) * total, np.longdouble)


def _beta_fraction(x: Long, a: Long, b: Long) -> Long:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    c = np.ones_like(x)
    d = 1 / _guarded(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 5000):
        even = m * (b - m) * x / ((a + (2 * m - 1)) * (a + 2 * m))
        d = 1 / _guarded(1 + even * d)
        c = _guarded(1 + even / c)
        result = result * (d * c)
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + (2 * m + 1)))
        d = 1 / _guarded(1 + odd * d)
        c = _guarded(1 + odd / c)
        result = result * (d * c)
        if (np.abs(d * c - 1) < 4 * EPSILON).all():
            break
    return result


def _guarded(x: Long) -> Long:
    return np.where(x == 0, _TINY, x)


def _regular_beta(x: Operand, a: Operand, b: Operand) -> Operand:
    inside = (x > 0) & (x < 1) & (a > _LEAST) & (b > _LEAST)
    return np.asarray(inside & (a < _MOST) & (b < _MOST))


def betainc(x: Operand, a: Operand, b: Operand, *, upper: bool) -> NDArray[np.float64]:
    """Return the regularised incomplete beta function."""
    special = libraries.special()

    def other(x: Operand, a: Operand, b: Operand) -> Any:
        return special.betainc(b, a, 1 - x) if upper else special.betainc(a, b, x)

    def rule(x: Long, a: Long, b: Long) -> Long:
        return beta_tails(x, 1 - x, a, b)[upper]

    regular = _regular_beta(x, a, b)
    return _where_regular(rule, other, regular, x, a, b, least=_NEAR_ONE)


# -- inverses ------------------------------------------------------------------------------------


def gammaincinv(y: Operand, a: Operand, *, upper: bool) -> NDArray[np.float64]:
    """Return the limit at which a tail of the incomplete gamma function is `y`."""
    special = libraries.special()

    guess = np.asarray((special.gammainccinv if upper else special.gammaincinv)(a, y), np.float64)

    def step(x: Long, y: Long, a: Long) -> Long:
        slope = np.exp(extended.log_gamma_power(x, a)) * a / x
        return _newton(x, y, gamma_tails(x, a), upper, slope)

    regular = _regular_gamma(guess, a) & (y > 0) & (y < 1)
    return _where_regular(step, lambda x, y, a: x, regular, guess, y, a)


def betaincinv(y: Operand, a: Operand, b: Operand, *, upper: bool) -> NDArray[np.float64]:
    """Return the limit at which a tail of the incomplete beta function is `y`."""
    special = libraries.special()

    guess = 1 - special.betaincinv(b, a, y) if upper else special.betaincinv(a, b, y)
    guess = np.asarray(guess, np.float64)

    def step(x: Long, y: Long, a: Long, b: Long) -> Long:
        rest = 1 - x
        slope = np.exp(extended.log_beta_power(x, rest, a, b)) / (x * rest)
        return _newton(x, y, beta_tails(x, rest, a, b), upper, slope)

    regular = _regular_beta(guess, a, b) & (y > 0) & (y < 1)
    return _where_regular(step, lambda x, y, a, b: x, regular, guess, y, a, b)


def _newton(x: Long, y: Long, tails: tuple[Long, Long], upper: bool, slope: Long) -> Long:
    """`x` after a step towards the level `y` of a tail, where the step is a small one.

    The tail that is less than a half tells the distance without cancellation.
    """
    lower, above = tails
    near = above - y if upper else y - lower
    far = (1 - y) - lower if upper else above - (1 - y)
    step = np.where(y < 0.5, near, far) / slope
    small = np.abs(step) < 1e-3 * x
    return np.where(small, x + np.where(small, step, 0), x)
