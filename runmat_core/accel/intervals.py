"""Interval rules of the kernel IR: from facts of operands to facts of a result.

Bounds are those of computed values, rounding included: sums, products, quotients and roots are
rounded monotonically, so bounds computed in the same type are right, and bounds of single are
widened to the next single. Other functions are off by some ulps, differently on each device; for
them a relative error is allowed for, and what they all keep is relied on: ``exp`` is not negative,
``log`` has the sign of its operand less one, sines, cosines and hyperbolic tangents stay within
[-1, 1] and ``erf`` too, ``sqrt`` is not negative, a sum of what is not negative is not negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runmat_core.api.ir.kernel import FLOATS, Instr

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
    """What the element type alone tells."""
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
    """The facts of one known number."""
    number = float(value)
    if number != number:
        return Facts(INF, -INF, True, True)
    return Facts(number, number, number % 1 == 0 or number - number != 0, False)


def hull(parts: Sequence[Facts], dtype: str) -> Facts:
    """What holds of values that come from any of `parts`."""
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
    if dtype == "bool":
        return unknown("bool")
    if dtype in FLOATS:
        return Facts(*rounded_out(x.low, x.high, dtype), x.whole, x.nan)
    least, most = _BOUNDS.get(dtype, (-INF, INF))
    # halves round away from zero, NaN becomes 0
    low, high = min(max(_away(x.low), least), most), max(min(_away(x.high), most), least)
    if x.nan:
        low, high = min(low, 0.0), max(high, 0.0)
    return Facts(low, high, True, False)


def _away(x: float) -> float:
    return x if x - x != 0 else math.copysign(math.floor(abs(x) + 0.5), x)


# -- arithmetic ------------------------------------------------------------------------------------


def _sum(x: Facts, y: Facts) -> Facts:
    # infinities of both signs add up to NaN
    nan = x.nan or y.nan or (x.high == INF and y.low == -INF) or (x.low == -INF and y.high == INF)
    low, high = x.low + y.low, x.high + y.high
    low = -INF if low != low else low
    high = INF if high != high else high
    return Facts(low, high, x.whole and y.whole, nan)


def _negated(x: Facts) -> Facts:
    return Facts(-x.high, -x.low, x.whole, x.nan)


def _difference(x: Facts, y: Facts) -> Facts:
    return _sum(x, _negated(y))


def _times(a: float, b: float) -> float:
    """The product of bounds; zero times infinity bounds nothing but zero."""
    return 0.0 if a == 0 or b == 0 else a * b


def _product(x: Facts, y: Facts) -> Facts:
    corners = [_times(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    nan = x.nan or y.nan or (_unbounded(x) and _has_zero(y)) or (_unbounded(y) and _has_zero(x))
    # a product that is contracted into a sum is not rounded
    low, high = _below(min(corners)), _above(max(corners))
    return Facts(low, high, x.whole and y.whole, nan)


def _below(x: float) -> float:
    return math.nextafter(x, -INF) if x else 0.0


def _above(x: float) -> float:
    return math.nextafter(x, INF) if x else 0.0


def _square(x: Facts) -> Facts:
    low = 0.0 if x.low <= 0 <= x.high else min(_times(x.low, x.low), _times(x.high, x.high))
    high = max(_times(x.low, x.low), _times(x.high, x.high))
    return Facts(_below(low), _above(max(high, low)), x.whole, x.nan)


def _quotient(x: Facts, y: Facts) -> Facts:
    nan = x.nan or y.nan or (_has_zero(x) and _has_zero(y)) or (_unbounded(x) and _unbounded(y))
    if y.high < 0:
        return _quotient(_negated(x), _negated(y))
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


def _unbounded(x: Facts) -> bool:
    return x.low == -INF or x.high == INF


def _has_zero(x: Facts) -> bool:
    return x.low <= 0 <= x.high


def _power(x: Facts, y: Facts) -> Facts:
    if x.low >= 0:
        return Facts(0.0, 1.0 if x.high <= 1 and y.low >= 0 else INF, False, x.nan or y.nan)
    if y.low == y.high == 2:
        return _square(x)
    if y.whole and y.low == y.high and y.low % 2 == 0:
        return Facts(0.0, INF, False, x.nan)
    return Facts(-INF, INF, False, True)


def _smaller(x: Facts, y: Facts) -> Facts:
    return _negated(_larger(_negated(x), _negated(y)))


def _larger(x: Facts, y: Facts) -> Facts:
    # NaN gives way, so it remains only where both are; then a bound of one alone bounds nothing
    low = max(x.low, y.low)
    if x.nan:
        low = min(low, y.low)
    if y.nan:
        low = min(low, x.low)
    return Facts(low, max(x.high, y.high), x.whole and y.whole, x.nan and y.nan)


def _magnitude(x: Facts) -> Facts:
    low = 0.0 if _has_zero(x) else min(abs(x.low), abs(x.high))
    return Facts(low, max(abs(x.low), abs(x.high)), x.whole, x.nan)


def _remainder(x: Facts, y: Facts) -> Facts:
    size = max(abs(y.low), abs(y.high))
    low = -size if x.low < 0 else 0.0
    high = size if x.high > 0 else 0.0
    nan = x.nan or y.nan or _unbounded(x) or _has_zero(y)
    return Facts(low, high, x.whole and y.whole, nan)


def _modulo(x: Facts, y: Facts) -> Facts:
    nan = x.nan or y.nan or _unbounded(x)
    if _has_zero(y):  # mod(x, 0) is x
        return Facts(min(x.low, y.low), max(x.high, y.high), x.whole and y.whole, nan)
    return Facts(min(y.low, 0.0), max(y.high, 0.0), x.whole and y.whole, nan)


# -- functions -------------------------------------------------------------------------------------

Function = Callable[..., float]


def _at(function: Function, x: float, otherwise: float) -> float:
    try:
        return function(x)
    except (OverflowError, ValueError):
        return otherwise


def _rising(function: Function, low: float = -INF, high: float = INF) -> Callable[[Facts], Facts]:
    """A function that grows with its operand, with values within [low, high].

    Bounds are widened by what devices may be off, except where they are exact.
    """

    def rule(x: Facts) -> Facts:
        below = _at(function, x.low, low)
        above = _at(function, x.high, high)
        below = max(low, below - 1e-4 * abs(below)) if below - below == 0 else low
        above = min(high, above + 1e-4 * abs(above)) if above - above == 0 else high
        return Facts(below, above, False, x.nan)

    return rule


def _root(x: Facts) -> Facts:
    low = math.sqrt(x.low) if 0 <= x.low < INF else 0.0
    high = math.sqrt(x.high) if 0 <= x.high < INF else INF
    return Facts(low * (1 - 1e-6), high * (1 + 1e-6), False, x.nan or x.low < 0)


def _logarithm(function: Function, pole: float = 0.0) -> Callable[[Facts], Facts]:
    inner = _rising(function)

    def rule(x: Facts) -> Facts:
        known = inner(Facts(max(x.low, pole), x.high, False, x.nan))
        low = -INF if x.low <= pole else known.low
        return Facts(low, known.high, False, x.nan or x.low < pole)

    return rule


def _wave(x: Facts) -> Facts:
    return Facts(-1.0, 1.0, False, x.nan or _unbounded(x))


def _arc(low: float, high: float) -> Callable[[Facts], Facts]:
    return lambda x: Facts(low, high, False, x.nan or x.low < -1 or x.high > 1)


def _whole(function: Function) -> Callable[[Facts], Facts]:
    def rule(x: Facts) -> Facts:
        low = x.low if _infinite(x.low) else float(function(x.low))
        high = x.high if _infinite(x.high) else float(function(x.high))
        return Facts(low, high, True, x.nan)

    return rule


def _infinite(x: float) -> bool:
    return x - x != 0


def _signum(x: Facts) -> Facts:
    low = 1.0 if x.low > 0 else 0.0 if x.low >= 0 else -1.0
    high = -1.0 if x.high < 0 else 0.0 if x.high <= 0 else 1.0
    return Facts(low, high, True, x.nan)


def _hypotenuse(x: Facts, y: Facts) -> Facts:
    return Facts(0.0, INF, False, x.nan or y.nan)


_PI = 3.1416

_RULES: dict[str, Callable[..., Facts]] = {
    "add": _sum,
    "sub": _difference,
    "mul": _product,
    "div": _quotient,
    "pow": _power,
    "min": _smaller,
    "max": _larger,
    "mod": _modulo,
    "rem": _remainder,
    "hypot": _hypotenuse,
    "atan2": lambda y, x: Facts(-_PI, _PI, False, x.nan or y.nan),
    "neg": _negated,
    "abs": _magnitude,
    "sign": _signum,
    "sqrt": _root,
    "exp": _rising(math.exp, 0.0),
    "expm1": _rising(math.expm1, -1.0),
    "log": _logarithm(math.log),
    "log2": _logarithm(math.log2),
    "log10": _logarithm(math.log10),
    "log1p": _logarithm(math.log1p, -1.0),
    "sin": _wave,
    "cos": _wave,
    "tanh": _rising(math.tanh, -1.0, 1.0),
    "atan": _rising(math.atan, -_PI / 2, _PI / 2),
    "asin": _arc(-_PI / 2, _PI / 2),
    "acos": _arc(0.0, _PI),
    "asinh": _rising(math.asinh),
    "sinh": _rising(math.sinh),
    "cosh": lambda x: Facts(0.999, INF, False, x.nan),
    "cbrt": _rising(np.cbrt),
    "erf": _rising(math.erf, -1.0, 1.0),
    "erfc": lambda x: Facts(0.0, 2.0, False, x.nan),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": _whole(_away),
}

_LEAST = {"f32": float(np.finfo(np.float32).tiny), "f64": float(np.finfo(np.float64).tiny)}

#: By reducer names, of the facts of the operands: those of each result.
_REDUCERS: dict[str, Callable[[Facts], tuple[Facts, ...]]] = {}


def _total(x: Facts) -> tuple[Facts, ...]:
    low, high = 0.0 if x.low >= 0 else -INF, 0.0 if x.high <= 0 else INF
    # sums of large numbers overflow, to infinities of both signs where there are both signs
    return (Facts(low, high, x.whole, x.nan or (low < 0 < high)),)


def _factors(x: Facts) -> tuple[Facts, ...]:
    if x.low >= 0:
        return (Facts(0.0, 1.0 if x.high <= 1 else INF, x.whole, x.nan or x.high > 1),)
    return (Facts(-INF, INF, x.whole, True),)


def _extreme(x: Facts) -> tuple[Facts, ...]:
    return (x, Facts(-1.0, INF, True, False))


_REDUCERS.update(
    {
        "sum": _total,
        "prod": _factors,
        "max": _extreme,
        "min": _extreme,
        "argmax": _extreme,
        "argmin": _extreme,
        "any": lambda x: (unknown("bool"),),
        "all": lambda x: (unknown("bool"),),
        "welford": lambda x: (
            Facts(0.0, INF, True, False),
            Facts(-INF, INF, False, True),
            Facts(0.0, INF, False, True),
        ),
    }
)


# -- instructions ----------------------------------------------------------------------------------


def step(instr: Instr, operands: Sequence[Facts], alike: bool) -> Facts:
    """The facts of an instruction's value.

    Args:
        operands: facts of its operands, in order.
        alike: whether it has two operands that are one and the same value.
    """
    op, dtype = instr.op, instr.dtype
    if op == "const":
        number: Any = instr.attr
        return exactly(number)
    if dtype == "bool":
        return unknown("bool")
    if op == "cast":
        return cast(operands[0], dtype)
    if op == "select":
        return hull(operands[1:], dtype)
    if op == "extent":
        # nothing empty is captured
        return Facts(1.0, INF, True, False)
    if op in ("reduce", "scan"):
        return _reduced(instr, operands)[0]
    rule = _RULES.get(op)
    if rule is None or dtype not in FLOATS:
        return unknown(dtype)
    found = _square(operands[0]) if alike and op == "mul" else rule(*operands)
    low, high = rounded_out(found.low, found.high, dtype)
    # a bound that is not there, and facts of nothing but NaN
    if not low <= high:
        return unknown(dtype)
    # devices flush what is denormal
    low = 0.0 if 0 < low < _LEAST[dtype] else low
    high = 0.0 if -_LEAST[dtype] < high < 0 else high
    return Facts(low, high, found.whole, found.nan)


def _reduced(instr: Instr, operands: Sequence[Facts]) -> tuple[Facts, ...]:
    attr: Any = instr.attr
    reducer = attr[0] if instr.op == "scan" else attr
    rule = _REDUCERS.get(reducer.name)
    if rule is None:
        return (unknown(instr.dtype),)
    return rule(operands[0])
