"""Special functions in extended precision, for results that are right to the last bits of a double.

Powers and quotients of gamma functions are exponentials of large sums that cancel, which costs as
many bits as the sums have digits. Here they are rearranged so that little cancels, and worked out
in the widest floating-point numbers of the machine. Where these are doubles (`WIDER` is false)
callers use SciPy's functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

Operand = NDArray[Any]
Long = NDArray[np.longdouble]

#: Whether there are numbers with at least ten bits more than doubles have.
WIDER = bool(np.finfo(np.longdouble).nmant >= 62)
EPSILON = np.finfo(np.longdouble).eps

#: Elements that are worked on together: what a dozen arrays of them need stays in the cache.
_BLOCK = 4096

#: Euler's constant.
EULER = np.longdouble("0.577215664901532860606512090082402431")
_HALF_LOG_2PI = np.longdouble("0.918938533204672741780329736405617640")

#: Numerators and denominators of B(2k)/(2k(2k - 1)), the coefficients of Stirling's series.
_STIRLING = (
    (1, 12),
    (-1, 360),
    (1, 1260),
    (-1, 1680),
    (1, 1188),
    (-691, 360360),
    (1, 156),
    (-3617, 122400),
    (43867, 244188),
)

#: From here on nine terms of Stirling's series are exact to 64 bits.
_LARGE = 16


def long(x: Operand) -> Long:
    """`x` in the widest numbers there are."""
    return np.asarray(x, np.longdouble)


def in_blocks(rule: Callable[..., Long], *operands: Operand) -> NDArray[np.float64]:
    """`rule` of vectors in extended precision, block by block, rounded to doubles."""
    shape = operands[0].shape
    flat = [operand.ravel() for operand in operands]
    result = np.empty(flat[0].size)
    with np.errstate(all="ignore"):
        for start in range(0, result.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            result[part] = rule(*(long(operand[part]) for operand in flat))
    return result.reshape(shape)


def _once(rule: Callable[..., Long]) -> Callable[..., Long]:
    """`rule` of vectors, worked out once where all elements are the same, as of shapes."""

    @wraps(rule)
    def shared(*operands: Long) -> Long:
        size = operands[0].size
        if size > 1 and all((o == o.flat[0]).all() for o in operands):
            return np.full(operands[0].shape, rule(*(o.reshape(-1)[:1] for o in operands))[0])
        return rule(*operands)

    return shared


@_once
def stirling_error(a: Long) -> Long:
    """log(gamma(a)) - (a - 1/2)*log(a) + a - log(2*pi)/2 of positive `a`."""
    large = a >= _LARGE
    if large.all():
        return _stirling_series(a)
    if not large.any():
        return log_gamma(a) - ((a - 0.5) * np.log(a) - a + _HALF_LOG_2PI)
    small = np.where(large, 1, a)
    below = log_gamma(small) - ((small - 0.5) * np.log(small) - small + _HALF_LOG_2PI)
    return np.where(large, _stirling_series(np.where(large, a, _LARGE)), below)


def _stirling_series(a: Long) -> Long:
    inverse = 1 / a
    square = inverse * inverse
    total = np.zeros_like(a)
    for numerator, denominator in reversed(_STIRLING):
        total = total * square + np.longdouble(numerator) / denominator
    return total * inverse


@_once
def log_gamma(a: Long) -> Long:
    """log(gamma(a)) of positive `a`, with a small relative error near its zeros 1 and 2, too."""
    low = a < _LARGE
    if low.all():
        return _low_log_gamma(a)
    result: Long = stirling(np.where(low, _LARGE, a))
    if low.any():
        result[low] = _low_log_gamma(a[low])
    return result


def stirling(a: Any) -> Any:
    """log(gamma(a)) of large `a`."""
    return (a - 0.5) * np.log(a) - a + _HALF_LOG_2PI + _stirling_series(a)


def _low_log_gamma(a: Long) -> Long:
    """log(gamma(a)) by steps from or to between 1/2 and 5/2."""
    product, base = np.ones_like(a), a
    for _ in range(_LARGE - 2):
        above = base >= 2.5
        base = np.where(above, base - 1, base)
        product = np.where(above, product * base, product)
    small, second = base < 0.5, base >= 1.5
    zero = np.where(small, 0, np.where(second, 2, 1))
    near = _log_gamma_near(base - zero, second)
    return np.asarray(near + np.log(product) - np.where(small, np.log(a), 0), np.longdouble)


def _log_gamma_near(d: Long, second: Any) -> Any:
    """log(gamma(zero + d)) by its series in zeta functions; it is 2 where `second`, else 1."""
    total = np.zeros_like(d)
    for k in range(34, 1, -1):
        total = (total + _zetac(k) * (1 if k % 2 == 0 else -1) / k) * d
    total = total * d + d * (1 - EULER)
    return total - np.where(second, 0, np.log1p(d))


@cache
def _zetac(k: int) -> np.longdouble:
    """Return the zeta function less one, by Euler's and Maclaurin's formula."""
    n = np.longdouble(_LARGE)
    total = sum((np.longdouble(j) ** -k for j in range(_LARGE - 1, 1, -1)), np.longdouble(0))
    total += n ** (1 - k) / (k - 1) + n**-k / 2
    factor = n ** (1 - k)
    for j, (numerator, denominator) in enumerate(_STIRLING, 1):  # B(2j)/(2j(2j - 1))
        factor *= (k + 2 * j - 2) / (n * n)
        if j > 1:
            factor *= np.longdouble(k + 2 * j - 3) / ((2 * j - 2) * (2 * j - 3))
        total += factor * np.longdouble(numerator) / denominator
    return total


@_once
def log_gamma_1p(d: Long) -> Long:
    """log(gamma(1 + d)) for `d` from 0 to 1, with a small relative error near 0."""
    near = d < 0.25
    result = log_gamma(1 + d)
    result[near] = _log_gamma_near(d[near], False)
    return result


def log1p_rest(d: Operand, ratio: Operand) -> Long:
    """log(ratio) - d for ratio = 1 + d, whose leading terms cancel where `d` is small."""
    result = np.asarray(np.log(ratio) - d)
    near = np.abs(d) < 0.3
    if near.any():
        part = d[near]
        total = np.zeros_like(part)
        for k in range(40, 1, -1):
            total = (total + (np.longdouble(-1) if k % 2 == 0 else np.longdouble(1)) / k) * part
        result[near] = total * part
    return result


@_once
def log_beta(a: Long, b: Long) -> Long:
    """log(gamma(a)*gamma(b)/gamma(a + b)) of positive `a` and `b`."""
    p, q = np.minimum(a, b), np.maximum(a, b)
    if (q < _LARGE).all():
        return log_gamma(p) + log_gamma(q) - log_gamma(p + q)
    large = np.where(q >= _LARGE, q, _LARGE)
    both = p >= _LARGE
    # gamma(q)/gamma(p + q) by Stirling's formula, in which large terms are taken together
    ratio = stirling_error(large) - stirling_error(p + large) - (large - 0.5) * np.log1p(p / large)
    one = log_gamma(p) + ratio - p * np.log(p + large) + p
    two = (p - 0.5) * np.log(p / (p + large)) - 0.5 * np.log(p + large) + _HALF_LOG_2PI
    two += ratio + stirling_error(np.where(both, p, _LARGE))
    plain = log_gamma(p) + log_gamma(q) - log_gamma(p + q)
    return np.where(q < _LARGE, plain, np.where(both, two, one))


def log_gamma_power(x: Long, a: Long) -> Long:
    """log(x^a*exp(-x)/gamma(a + 1)) of positive `x` and `a`."""
    large = a >= _LARGE
    if not large.any():
        return _log_gamma_power_of_few(x, a)
    wide = np.where(large, a, _LARGE)
    far = wide * log1p_rest((x - wide) / wide, x / wide) - 0.5 * np.log(wide) - _HALF_LOG_2PI
    far -= stirling_error(wide)
    if large.all():
        return far
    return np.where(large, far, _log_gamma_power_of_few(x, np.where(large, 1, a)))


def _log_gamma_power_of_few(x: Long, a: Long) -> Long:
    """`log_gamma_power` of `a` that are not large."""
    small = a < 1
    near = a * np.log(x) - x
    if small.any():
        near -= np.where(small, log_gamma_1p(np.minimum(a, 1)), 0)
    if not small.all():
        near -= np.where(small, 0, log_gamma(a + 1))
    return near


def log_beta_power(x: Long, y: Long, a: Long, b: Long) -> Long:
    """log(x^a*y^b/beta(a, b)) for y = 1 - x."""
    large = (a >= _LARGE) & (b >= _LARGE)
    if not large.any():
        return a * np.log(x) + b * np.log(y) - log_beta(a, b)
    p, q = np.where(large, a, _LARGE), np.where(large, b, _LARGE)
    distance = x * q - y * p  # x*(p + q) - p, which is zero at the mean
    far = p * log1p_rest(distance / p, x * (p + q) / p)
    far += q * log1p_rest(-distance / q, y * (p + q) / q)
    far += 0.5 * (np.log(p) + np.log(q) - np.log(p + q)) - _HALF_LOG_2PI
    far += stirling_error(p + q) - stirling_error(p) - stirling_error(q)
    if large.all():
        return far
    return np.where(large, far, a * np.log(x) + b * np.log(y) - log_beta(a, b))
