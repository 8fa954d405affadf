"""Arithmetic of 64-bit integers that saturates, for which doubles are too short.

Operations of the types ``i64`` and ``u64`` wrap around; what is computed here tells where that
happened and takes the bound instead. Source: the tests for overflow in Warren, Hacker's Delight,
2nd edition, section 2-13.
"""

from __future__ import annotations

from runmat_core.api.ir import tracing as t


def plus(x: t.V, y: t.V) -> t.V:
    """The sum."""
    total = x + y
    if x.dtype == "u64":
        return t.where(total < x, _largest(x), total)
    return t.where(t.bitand(t.bitxor(x, total), t.bitxor(y, total)) < 0, _bound(x), total)


def minus(x: t.V, y: t.V) -> t.V:
    """The difference."""
    if x.dtype == "u64":
        return t.where(x < y, _const(x, 0), x - y)
    difference = x - y
    return t.where(t.bitand(t.bitxor(x, y), t.bitxor(x, difference)) < 0, _bound(x), difference)


def times(x: t.V, y: t.V) -> t.V:
    """The product; a double tells whether it fits, but for its last bits, and those wrap."""
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


def negative(x: t.V) -> t.V:
    """The opposite."""
    return minus(_const(x, 0), x)


def _bound(x: t.V) -> t.V:
    """The least number where `x` is negative, else the largest."""
    return t.where(x < 0, _const(x, -(1 << 63)), _largest(x))


def _largest(x: t.V) -> t.V:
    return _const(x, (1 << 64) - 1 if x.dtype == "u64" else (1 << 63) - 1)


def _const(x: t.V, value: int) -> t.V:
    return x.builder.const(value, x.dtype)
