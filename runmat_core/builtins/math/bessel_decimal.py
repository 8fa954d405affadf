"""Bessel functions of real order and argument in decimal numbers of many digits, one at a time.

Near a zero the relative error of a function is that of its absolute value, so there it takes twice
the digits of a double. Power series have them up to `_FAR`, Hankel's expansions beyond; for whole
orders those of the second kind are taken at an order that differs by less than it can matter.
"""

from __future__ import annotations

from decimal import Context, Decimal, getcontext, localcontext
from fractions import Fraction
from functools import cache
from math import factorial

from runmat_core.builtins.math.turns import pi_bits

#: From here on Hankel's expansions have 42 digits.
_FAR = 50

#: Digits of a result beside a zero, and what an order may differ by.
_DIGITS, _CLOSE = 50, 38


def _digits(nu: Decimal, x: Decimal, lost: int, growth: int) -> Context:
    """Return a context with the digits that order and argument need, in a few lengths."""
    if (apart := abs(nu - nu.to_integral_value())) and not lost:
        lost = max(min(-apart.adjusted(), _CLOSE), 0)
    digits = _DIGITS + growth + 2 * lost
    return Context(prec=-(-digits // 16) * 16, Emin=-(10**9), Emax=10**9)


def first(nu: Decimal, x: Decimal) -> Decimal:
    """J of positive `x`, which is not much less than an order above zero from 50 on."""
    far = x > _FAR
    with localcontext(_digits(nu, x, 0, x.adjusted() if far else int(0.9 * float(x)))):
        if far:
            return _by_recurrence(nu, x)[0]
        if nu < 0 and nu == nu.to_integral_value():
            return power_series(-nu, x, -1) * (-1 if nu % 2 else 1)
        return power_series(nu, x, -1)


def second(nu: Decimal, x: Decimal) -> Decimal:
    """Y of positive `x`."""
    if x > _FAR:
        with localcontext(_digits(nu, x, 0, x.adjusted())):
            return _by_recurrence(nu, x)[1]
    apart = nu - nu.to_integral_value()
    whole = apart.is_zero() or apart.adjusted() < -_CLOSE
    with localcontext(_digits(nu, x, _CLOSE if whole else 0, int(0.9 * float(x)))):
        if whole:
            nu += Decimal(10) ** -_CLOSE
        cosine, sine = cosine_sine(pi() * (nu % 2))
        return (power_series(nu, x, -1) * cosine - power_series(-nu, x, -1)) / sine


def modified_first(nu: Decimal, x: Decimal) -> Decimal:
    """I of positive `x`, times exp(-x)."""
    with localcontext(_digits(nu, x, 0, int(0.9 * float(x)))):
        return power_series(nu, x, 1) * (-x).exp()


def power_series(nu: Decimal, x: Decimal, sign: int) -> Decimal:
    """J for `sign` -1, I for 1, of an order that is no negative whole number."""
    square = sign * x * x / 4
    term = total = greatest = Decimal(1)
    least = Decimal(10) ** -_precision()
    k = 0
    while abs(term) > least * greatest:
        k += 1
        term = term * square / (k * (nu + k))
        total += term
        greatest = max(greatest, abs(total))
    if nu == nu.to_integral_value():
        return total * (x / 2) ** int(nu) / factorial(int(nu))
    return total * ((x / 2).ln() * nu).exp() / gamma(nu + 1)


def _by_recurrence(nu: Decimal, x: Decimal) -> tuple[Decimal, Decimal]:
    base = nu - (nu // 1 if nu >= 0 else nu // 1 - (nu % 1 != 0))
    low, high = _expansion(base, x), _expansion(base + 1, x)
    if nu >= 0:
        for _ in range(int(nu - base)):
            base += 1
            factor = 2 * base / x
            low, high = high, (factor * high[0] - low[0], factor * high[1] - low[1])
        return low
    for _ in range(int(base - nu)):
        factor = 2 * base / x
        low, high = (factor * low[0] - high[0], factor * low[1] - high[1]), low
        base -= 1
    return low


def _expansion(nu: Decimal, x: Decimal) -> tuple[Decimal, Decimal]:
    """J and Y by Hankel's expansion."""
    parts = [Decimal(0)] * 4
    term, square = Decimal(1), 4 * nu * nu
    least = Decimal(10) ** -_precision()
    k = 0
    while abs(term) > least and k < 2 * x:
        parts[k % 4] += term
        k += 1
        term = term * (square - (2 * k - 1) ** 2) / (8 * k * x)
    even, odd = parts[0] - parts[2], parts[1] - parts[3]
    cosine, sine = cosine_sine(x - pi() * (nu / 2 + Decimal("0.25")))
    scale = (2 / (pi() * x)).sqrt()
    return scale * (even * cosine - odd * sine), scale * (even * sine + odd * cosine)


def cosine_sine(angle: Decimal) -> tuple[Decimal, Decimal]:
    angle = angle.remainder_near(2 * pi()) if abs(angle) > 4 else angle
    least = Decimal(10) ** -_precision()
    parts = [Decimal(0)] * 4
    term, k = Decimal(1), 0
    while abs(term) > least:
        parts[k % 4] += term
        k += 1
        term = term * angle / k
    return parts[0] - parts[2], parts[1] - parts[3]


def pi() -> Decimal:
    return _pi(_precision())


@cache
def _pi(digits: int) -> Decimal:
    bits = 4 * digits + 8
    with localcontext(Context(prec=digits + 5)):
        return Decimal(pi_bits(bits)) / Decimal(1 << bits)


def gamma(z: Decimal) -> Decimal:
    """Return the gamma function of a number that is no pole."""
    total, product = _stirling_parts(z)
    return total.exp() / product


def log_gamma(z: Decimal) -> Decimal:
    """Return the logarithm of the gamma function of a positive number."""
    total, product = _stirling_parts(z)
    return total - product.ln()


def _stirling_parts(z: Decimal) -> tuple[Decimal, Decimal]:
    """Stirling's series at a number that is large enough for it, and the product on the way."""
    digits = _precision()
    product = Decimal(1)
    while z < digits // 2:
        product *= z
        z += 1
    total = (z - Decimal("0.5")) * z.ln() - z + (2 * pi()).ln() / 2
    inverse, square = 1 / z, 1 / (z * z)
    for coefficient in stirling(digits):
        total += coefficient * inverse
        inverse *= square
    return total, product


@cache
def stirling(digits: int) -> tuple[Decimal, ...]:
    """B(2k)/(2k(2k - 1)), as many as Stirling's series takes for numbers from digits/2 on."""
    count = digits // 2 + 10
    row, result = [], []
    for m in range(2 * count + 1):  # the algorithm of S. Akiyama and Y. Tanigawa
        row.append(Fraction(1, m + 1))
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
        if m >= 2 and m % 2 == 0:
            coefficient = row[0] / (m * (m - 1))
            result.append(Decimal(coefficient.numerator) / coefficient.denominator)
    return tuple(result)


def _precision() -> int:
    return getcontext().prec
