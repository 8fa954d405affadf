"""Facts of values: intervals, and what arithmetic makes of them.

Bounds are those of computed values, rounding included: sums, products, quotients and roots are
rounded monotonically, so bounds computed in the same type are right, and bounds of single are
widened to the next single.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from runmat_core.api.ir.kernel import COMPLEX, FLOATS
from runmat_core.api.tuples import NamedTuple

INF = math.inf


class Facts(NamedTuple):
    """What is known of values.

    Attributes:
        low, high: bounds of those that are not NaN, infinities included.
        whole: whether all that are not NaN are whole numbers or infinite.
        nan: whether some may be NaN.
    """

    low: float
    high: float
    whole: bool
    nan: bool


def unknown(dtype: str) -> Facts:
    """Return what is known by the element type alone."""
    if dtype == "bool":
        return Facts(0.0, 1.0, True, False)
    if dtype in FLOATS or dtype not in _BOUNDS:
        return Facts(-INF, INF, False, True)
    return Facts(*_BOUNDS[dtype], True, False)


_BOUNDS = {
    f"{kind}{bits}": (
        -(2.0 ** (bits - 1)) if kind == "i" else 0.0,
        float(2 ** (bits - 1 if kind == "i" else bits)),
    )
    for kind in "iu"
    for bits in (8, 16, 32, 64)
}


def exactly(value: float | bool) -> Facts:
    """Return the facts of one known number."""
    number = float(value)
    if number != number:
        return Facts(INF, -INF, True, True)
    return Facts(number, number, number % 1 == 0 or number - number != 0, False)


def hull(parts: Sequence[Facts], dtype: str) -> Facts:
    """Return what holds of values that come from any of `parts`."""
    if not parts:
        return unknown(dtype)
    low = min(part.low for part in parts)
    high = max(part.high for part in parts)
    return Facts(low, high, all(p.whole for p in parts), any(p.nan for p in parts))


def rounded_out(low: float, high: float, dtype: str) -> tuple[float, float]:
    """Bounds widened to numbers of `dtype`."""
    if dtype != "f32" or (low == -INF and high == INF):
        return low, high
    with np.errstate(all="ignore"):
        below, above = np.float32(low), np.float32(high)
        if below > low:
            below = np.nextafter(below, np.float32(-INF))
        if above < high:
            above = np.nextafter(above, np.float32(INF))
    return float(below), float(above)


def cast(x: Facts, dtype: str) -> Facts:
    """Facts after a conversion."""
    if dtype == "bool" or dtype in COMPLEX:
        return unknown(dtype)
    if dtype in FLOATS:
        return Facts(*rounded_out(x.low, x.high, dtype), x.whole, x.nan)
    least, most = _BOUNDS.get(dtype, (-INF, INF))
    # halves round away from zero, NaN becomes 0
    low, high = min(max(round_away(x.low), least), most), max(min(round_away(x.high), most), least)
    if x.nan:
        low, high = min(low, 0.0), max(high, 0.0)
    return Facts(low, high, True, False)


def round_away(x: float) -> float:
    """Round to a whole number, halves away from zero."""
    return x if x - x != 0 else math.copysign(math.floor(abs(x) + 0.5), x)


# -- arithmetic ------------------------------------------------------------------------------------


def added(x: Facts, y: Facts) -> Facts:
    """Return what is known of a sum."""
    # infinities of both signs add up to NaN
    nan = x.nan or y.nan or (x.high == INF and y.low == -INF) or (x.low == -INF and y.high == INF)
    low, high = x.low + y.low, x.high + y.high
    low = -INF if low != low else low
    high = INF if high != high else high
    return Facts(low, high, x.whole and y.whole, nan)


def negated(x: Facts) -> Facts:
    """Return what is known of a negative."""
    return Facts(-x.high, -x.low, x.whole, x.nan)


def subtracted(x: Facts, y: Facts) -> Facts:
    """Return what is known of a difference."""
    return added(x, negated(y))


def _times(a: float, b: float) -> float:
    """Return the product of bounds; zero times infinity bounds nothing but zero."""
    return 0.0 if a == 0 or b == 0 else a * b


def multiplied(x: Facts, y: Facts) -> Facts:
    """Return what is known of a product."""
    corners = [_times(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    nan = x.nan or y.nan or (unbounded(x) and _has_zero(y)) or (unbounded(y) and _has_zero(x))
    # a product that is contracted into a sum is not rounded
    low, high = _below(min(corners)), _above(max(corners))
    return Facts(low, high, x.whole and y.whole, nan)


def _below(x: float) -> float:
    return math.nextafter(x, -INF) if x else 0.0


def _above(x: float) -> float:
    return math.nextafter(x, INF) if x else 0.0


def squared(x: Facts) -> Facts:
    """Return what is known of a square."""
    low = 0.0 if x.low <= 0 <= x.high else min(_times(x.low, x.low), _times(x.high, x.high))
    high = max(_times(x.low, x.low), _times(x.high, x.high))
    return Facts(_below(low), _above(max(high, low)), x.whole, x.nan)


def divided(x: Facts, y: Facts) -> Facts:
    """Return what is known of a quotient."""
    nan = x.nan or y.nan or (_has_zero(x) and _has_zero(y)) or (unbounded(x) and unbounded(y))
    if y.low > y.high:
        # nothing but NaN, which a sign cannot turn around
        return exactly(math.nan)
    if y.high < 0:
        return divided(negated(x), negated(y))
    if y.low > 0:
        corners = [_over(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
        return Facts(min(corners), max(corners), False, nan)
    # a zero that a negative number was rounded to has the sign that makes quotients negative
    return Facts(-INF, INF, False, nan)


def _over(a: float, b: float) -> float:
    if a == 0:
        return 0.0
    if b == INF:
        return 0.0
    return a / b


def unbounded(x: Facts) -> bool:
    """Return whether elements may be infinite."""
    return x.low == -INF or x.high == INF


def _has_zero(x: Facts) -> bool:
    return x.low <= 0 <= x.high


def raised(x: Facts, y: Facts) -> Facts:
    """Return what is known of a power."""
    # a zero may be negative, and its inverse -Inf
    if x.low > 0 or (x.low == 0 and y.low >= 0):
        return Facts(0.0, 1.0 if x.high <= 1 and y.low >= 0 else INF, False, x.nan or y.nan)
    if y.low == y.high == 2:
        return squared(x)
    if y.whole and y.low == y.high and y.low % 2 == 0:
        return Facts(0.0, INF, False, x.nan)
    return Facts(-INF, INF, False, True)


def smaller(x: Facts, y: Facts) -> Facts:
    """Return what is known of a minimum."""
    return negated(larger(negated(x), negated(y)))


def larger(x: Facts, y: Facts) -> Facts:
    """Return what is known of a maximum."""
    # NaN gives way, so it remains only where both are; then a bound of one alone bounds nothing
    low = max(x.low, y.low)
    if x.nan:
        low = min(low, y.low)
    if y.nan:
        low = min(low, x.low)
    return Facts(low, max(x.high, y.high), x.whole and y.whole, x.nan and y.nan)


def magnitude(x: Facts) -> Facts:
    """Return what is known of an absolute value."""
    low = 0.0 if _has_zero(x) else min(abs(x.low), abs(x.high))
    return Facts(low, max(abs(x.low), abs(x.high)), x.whole, x.nan)


def remainder(x: Facts, y: Facts) -> Facts:
    """Return what is known of a remainder."""
    size = max(abs(y.low), abs(y.high))
    low = -size if x.low < 0 else 0.0
    high = size if x.high > 0 else 0.0
    nan = x.nan or y.nan or unbounded(x) or _has_zero(y)
    return Facts(low, high, x.whole and y.whole, nan)


def modulo(x: Facts, y: Facts, exact: float = 0.0) -> Facts:
    """Facts of ``mod(x, y)``.

    Args:
        exact: up to this size whole numbers are divided without a quotient that rounds up, so that
            what is left of them is smaller than the divisor.
    """
    nan = x.nan or y.nan or unbounded(x)
    whole = x.whole and y.whole
    if _has_zero(y) or unbounded(y):  # mod(x, 0) is x, and so is mod(x, Inf)
        low, high = min(x.low, y.low, 0.0), max(x.high, y.high, 0.0)
        return Facts(low, high, whole, nan)
    sizes = (x.low, x.high, y.low, y.high)
    short = 1.0 if whole and max(map(abs, sizes)) <= exact else 0.0
    return Facts(min(y.low + short, 0.0), max(y.high - short, 0.0), whole, nan)
