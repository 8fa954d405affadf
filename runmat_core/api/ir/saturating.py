"""Arithmetic of 64-bit integers that saturates, for which doubles are too short.

Operations of the types ``i64`` and ``u64`` wrap around; what is computed here tells where that
happened and takes the bound instead. Source: the tests for overflow in Warren, Hacker's Delight,
2nd edition, section 2-13.
"""

from __future__ import annotations

from runmat_core.api.ir import tracing as t


def plus(x: t.V, y: t.V) -> t.V:
    """Return the sum."""
    total = x + y
    if x.dtype == "u64":
        return t.where(total < x, _largest(x), total)
    return t.where(t.bitand(t.bitxor(x, total), t.bitxor(y, total)) < 0, _bound(x), total)


def minus(x: t.V, y: t.V) -> t.V:
    """Return the difference."""
    if x.dtype == "u64":
        return t.where(x < y, _const(x, 0), x - y)
    difference = x - y
    return t.where(t.bitand(t.bitxor(x, y), t.bitxor(x, difference)) < 0, _bound(x), difference)


def times(x: t.V, y: t.V) -> t.V:
    """Return the product; a double tells whether it fits, but for its last bits, and those wrap."""
    product = x * y
    estimate = t.cast(x, "f64") * t.cast(y, "f64")
    if x.dtype == "u64":
        near = (estimate > 2.0**63) & (product < _const(x, 1 << 63))
        return t.where((estimate > 2.0**64 * 1.25) | near, _largest(x), product)
    size = t.abs_(estimate)
    near = (size > 2.0**62) & ((product < 0) ^ (estimate < 0))
    least, most = _const(x, -(1 << 63)), _largest(x)
    bound = t.where(estimate < 0, least, most)
    return t.where((size > 2.0**63 * 1.25) | near, bound, product)


def divide(x: t.V, y: t.V) -> t.V:
    """Return the quotient, halves away from zero; what is divided by zero is as far as can be."""
    whole, rest = t.quot(x, y), t.rem(x, y)
    zero = y == 0
    if x.dtype == "u64":
        away = ~zero & (rest >= y - rest)
        rounded = whole + t.where(away, _const(x, 1), _const(x, 0))
        return t.where(zero & (x > 0), _largest(x), rounded)
    # opposites of sizes: that of the least number is one
    left, divisor = t.where(rest < 0, rest, -rest), t.where(y < 0, y, -y)
    step = t.where((x < 0) ^ (y < 0), _const(x, -1), _const(x, 1))
    rounded = whole + t.where(~zero & (left <= divisor - left), step, _const(x, 0))
    return _ended(x, y, rounded)


def truncated(x: t.V, y: t.V) -> t.V:
    """Return the quotient, towards zero; what is divided by zero is as far as can be."""
    whole = t.quot(x, y)
    if x.dtype == "u64":
        return t.where((y == 0) & (x > 0), _largest(x), whole)
    return _ended(x, y, whole)


def power(x: t.V, y: t.V) -> t.V:
    """Return the power, by squares.

    Once too large it stays so, and a negative exponent divides one.
    """
    if y.known == "2":
        return times(x, x)
    size = y if x.dtype == "u64" else t.abs_(y)
    # the least number has no opposite
    far = size > 127 if x.dtype == "u64" else (size > 127) | (size < 0)
    # beyond the 64th nothing but the parity of the exponent tells
    left = t.where(far, t.bitand(size, _const(x, 1)) + 64, size)
    found, square = _const(x, 1), x
    for bit in range(7):
        taken = t.bitand(t.shr(left, _const(x, bit)), _const(x, 1)) == 1
        found = t.where(taken, times(found, square), found)
        square = times(square, square) if bit < 6 else square
    return found if x.dtype == "u64" else t.where(y < 0, divide(_const(x, 1), found), found)


def _ended(x: t.V, y: t.V, quotient: t.V) -> t.V:
    """Return a quotient of signed numbers that may be by zero, or of the least number by -1."""
    least, most = _const(x, -(1 << 63)), _largest(x)
    bound = t.where(x == 0, x, t.where(x < 0, least, most))
    return t.where(y == 0, bound, t.where((x == least) & (y == -1), most, quotient))


def negative(x: t.V) -> t.V:
    """Return the opposite."""
    return minus(_const(x, 0), x)


def _bound(x: t.V) -> t.V:
    """Return the least number where `x` is negative, else the largest."""
    return t.where(x < 0, _const(x, -(1 << 63)), _largest(x))


def _largest(x: t.V) -> t.V:
    return _const(x, (1 << 64) - 1 if x.dtype == "u64" else (1 << 63) - 1)


def _const(x: t.V, value: int) -> t.V:
    return x.builder.const(value, x.dtype)
