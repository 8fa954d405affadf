"""Gamma functions of negative numbers, their logarithms and derivatives in extended precision.

Series of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 6.3.18 and 6.4.11, at
arguments that are shifted to where they converge.
"""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.builtins.math import bessel_decimal, extended
from runmat_core.builtins.math.bessel_real import exact, rounded
from runmat_core.builtins.math.extended import Long, in_blocks
from runmat_core.builtins.math.turns import PI

Operand = NDArray[Any]

#: From here to the left every number takes as many steps as it has units, so SciPy computes them.
_LEFTMOST = -1000

#: B(2), B(4), ... as quotients.
_BERNOULLI = (
    (1, 6),
    (-1, 30),
    (1, 42),
    (-1, 30),
    (5, 66),
    (-691, 2730),
    (7, 6),
    (-3617, 510),
    (43867, 798),
    (-174611, 330),
    (854513, 138),
    (-236364091, 2730),
)

#: Arguments are shifted beyond this one and half the order.
_LARGE = 16


def gamma(x: Operand) -> NDArray[np.float64]:
    """gamma of numbers that are no poles, by Stirling's series, or by reflection."""

    def rule(x: Long) -> Any:
        below = x < 0
        whole = np.rint(x)
        sine = np.sin(PI * (x - whole)) * np.where(whole % 2 == 0, 1, -1)
        power, product = _stirling(np.where(below, 1 - x, x))
        return np.where(below, PI * product / sine * np.exp(-power), np.exp(power) / product)

    return in_blocks(rule, x)


def _stirling(x: Long) -> tuple[Any, Any]:
    """Return the logarithm of gamma at `x` shifted by whole steps, and the product of these."""
    product: Any = np.ones_like(x)
    for _ in range(_LARGE):
        low = x < _LARGE
        if not low.any():
            break
        product, x = np.where(low, product * x, product), np.where(low, x + 1, x)
    return extended.log_gamma(x), product


def gamma_of_one(x: float) -> float:
    """`gamma` of one positive number."""
    a, product = np.longdouble(x), np.longdouble(1)
    while a < _LARGE:
        product *= a
        a += 1
    return float(np.exp(extended.stirling(a)) / product)


def _shifted(x: Long, least: float, rule: Any) -> tuple[Long, Long]:
    """`x` beyond `least`, by whole steps, and the sum of `rule` over what was passed."""
    total: Any = np.zeros_like(x)
    while (low := x < least).any():
        total = total + np.where(low, rule(np.where(low, x, 1)), 0)
        x = np.where(low, x + 1, x)
    return x, total


def _digamma(x: Long) -> Any:
    far, passed = _shifted(x, _LARGE, lambda x: 1 / x)
    square = 1 / (far * far)
    series: Any = np.zeros_like(x)
    for k in range(len(_BERNOULLI), 0, -1):
        numerator, denominator = _BERNOULLI[k - 1]
        series = (series + np.longdouble(numerator) / (denominator * 2 * k)) * square
    result = np.log(far) - 0.5 / far - series - passed
    # between terms of opposite sign, beside a zero
    lost = np.abs(result) < 2.0**-9 * (np.log(far) + np.abs(passed))
    for at in np.flatnonzero(lost):
        result[at] = rounded(_digamma_decimal(exact(x[at])))
    return result


def _digamma_decimal(x: Decimal) -> Decimal:
    digits = 48
    with localcontext(Context(prec=digits)):
        total = Decimal(0)
        while x < digits // 2:
            total -= 1 / x
            x += 1
        inverse = square = 1 / (x * x)
        total += x.ln() - 1 / (2 * x)
        for k, coefficient in enumerate(bessel_decimal.stirling(digits)):  # B(2k)/(2k(2k - 1))
            total -= coefficient * (2 * k + 1) * inverse
            inverse *= square
        return total


def log_beta(a: Long, b: Long) -> Long:
    """log(beta(a, b)) of positive numbers, beside its zeros, too."""
    result = extended.log_beta(a, b)
    for at in np.flatnonzero(np.abs(result) < 2.0**-6):
        with localcontext(Context(prec=64)):
            p, q = exact(a[at]), exact(b[at])
            parts = bessel_decimal.log_gamma(p), bessel_decimal.log_gamma(q)
            result[at] = rounded(sum(parts) - bessel_decimal.log_gamma(p + q))
    return result


def log_gamma_step(a: Long, b: Long) -> Any:
    """log(gamma(a + b)/gamma(b)) for small `a`: what cancels is a series about b + 1."""
    total: Any = -np.log1p(a / b)
    factor: Any = a
    for k in range(1, 10):
        total = total + factor * (_digamma(b + 1) if k == 1 else _polygamma(k - 1, b + 1))
        factor = factor * a / (k + 1)
    return total


def digamma(x: Operand) -> NDArray[np.float64]:
    """Return the logarithmic derivative of the gamma function."""
    result = np.array(libraries.special().psi(x), np.float64)
    # SciPy's is right to two units for positive numbers
    regular = (x > _LEFTMOST) & (x < -1e-300) & (x != np.rint(x))
    result[regular] = in_blocks(_digamma, x[regular])
    return result


def polygamma(n: int, x: Operand) -> NDArray[np.float64]:
    """Return the `n`-th derivative of digamma, `n` positive."""
    # which is no ufunc
    result = np.array(libraries.package("scipy.special").polygamma(n, x), np.float64)
    regular = (x > _LEFTMOST) & (x < 1e10) & (n < 1000) & ((x > 0) | (x != np.rint(x)))
    result[regular] = in_blocks(lambda x: _polygamma(n, x), x[regular])
    return result


def _polygamma(n: int, x: Long) -> Any:
    far, passed = _shifted(x, _LARGE + n / 2, lambda x: np.power(x, -(n + 1)))
    inverse = np.power(far, -n)
    total = inverse / n + inverse / (2 * far)
    factor = inverse  # (n + 1)...(n + 2k - 1)/(2k)!*x^-(n + 2k)
    for k, (numerator, denominator) in enumerate(_BERNOULLI, 1):
        factor = factor / (far * far)
        factor = factor * (((n + 2 * k - 1) * (n + 2 * k - 2)) if k > 1 else (n + 1))
        factor = factor / ((2 * k) * (2 * k - 1))
        total = total + factor * np.longdouble(numerator) / denominator
    factorial = np.prod(np.arange(1, n + 1, dtype=np.longdouble))
    return (passed + total) * factorial * (1 if n % 2 else -1)
