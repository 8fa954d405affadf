"""Interval rules of the kernel IR: from facts of operands to facts of an instruction's value.

Functions are off by some ulps, differently on each device; a relative error is allowed for. What
they all keep is relied on: ``exp`` is not negative, ``log`` has the sign of its operand less one,
sines, cosines, hyperbolic tangents and ``erf`` stay within [-1, 1], ``sqrt`` is not negative, and
a sum of what is not negative is not negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.accel.graph.intervals import (
    INF,
    Facts,
    added,
    cast,
    divided,
    exactly,
    hull,
    larger,
    magnitude,
    modulo,
    multiplied,
    negated,
    raised,
    remainder,
    round_away,
    rounded_out,
    smaller,
    squared,
    subtracted,
    unbounded,
    unknown,
)
from runmat_core.api.ir.kernel import COMPLEX, FLOATS, Instr

Function = Callable[..., float]


def _at(function: Function, x: float, otherwise: float) -> float:
    try:
        return function(x)
    except (OverflowError, ValueError):
        return otherwise


def _rising(function: Function, low: float = -INF, high: float = INF) -> Callable[[Facts], Facts]:
    """Return a function that grows with its operand, with values within [low, high].

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
    return Facts(-1.0, 1.0, False, x.nan or unbounded(x))


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

#: By map operations.
RULES: dict[str, Callable[..., Facts]] = {
    "add": added,
    "sub": subtracted,
    "mul": multiplied,
    "div": divided,
    "pow": raised,
    "min": smaller,
    "max": larger,
    "mod": modulo,
    "rem": remainder,
    "hypot": _hypotenuse,
    "atan2": lambda y, x: Facts(-_PI, _PI, False, x.nan or y.nan),
    "neg": negated,
    "abs": magnitude,
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
    "cbrt": _rising(lambda x: float(np.cbrt(x))),
    "erf": _rising(math.erf, -1.0, 1.0),
    "erfc": lambda x: Facts(0.0, 2.0, False, x.nan),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "round": _whole(round_away),
}

#: Up to these sizes a quotient of whole numbers is none where it is not, whatever a device is off.
_EXACT = {"f32": 2.0**20, "f64": 2.0**48}
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
    """Return the facts of an instruction's value; see `reduced` for reductions and scans.

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
    rule = RULES.get(op)
    if rule is None or dtype not in FLOATS:
        return unknown(dtype)
    if op == "mod":
        found = modulo(operands[0], operands[1], _EXACT[dtype])
    else:
        found = squared(operands[0]) if alike and op == "mul" else rule(*operands)
    low, high = rounded_out(found.low, found.high, dtype)
    # a bound that is not there, and facts of nothing but NaN
    if not low <= high:
        return unknown(dtype)
    # devices flush what is denormal
    low = 0.0 if 0 < low < _LEAST[dtype] else low
    high = 0.0 if -_LEAST[dtype] < high < 0 else high
    return Facts(low, high, found.whole, found.nan)


def reduced(instr: Instr, operands: Sequence[Facts]) -> tuple[Facts, ...]:
    """Return the facts of the results of a ``reduce`` or ``scan``."""
    attr: Any = instr.attr
    reducer = attr[0] if instr.op == "scan" else attr
    rule = _REDUCERS.get(reducer.name)
    if rule is None or instr.dtype in COMPLEX:
        return (unknown(instr.dtype),)
    return rule(operands[0])
