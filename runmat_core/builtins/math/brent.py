"""Brent's methods for a zero and for a minimum of a function of one real number."""

from __future__ import annotations

import math
from collections.abc import Callable

Function = Callable[[float], float]

_EPSILON = 2.0**-52
#: The part of an interval that a step of the golden section takes.
_GOLDEN = (3 - math.sqrt(5)) / 2


def zero(
    f: Function,
    low: float,
    high: float,
    ends: tuple[float, float],
    accuracy: float,
    most: int = 100,
) -> tuple[float, int]:
    """Return where `f` changes its sign between `low` and `high`, and how many steps it took.

    Args:
        ends: the values at `low` and `high`, of which the signs differ.
        accuracy: the error that is allowed, beside a few units in the last place.
        most: steps at most.
    """
    before, now = low, high  # the two latest points; the zero lies between `now` and `other`
    f_before, f_now = ends
    other, f_other = before, f_before
    step = previous = now - before
    for count in range(1, most + 1):
        if (f_now > 0) == (f_other > 0):
            other, f_other = before, f_before
            step = previous = now - before
        if abs(f_other) < abs(f_now):
            # the best point is the one to go on from
            before, now, other = now, other, now
            f_before, f_now, f_other = f_now, f_other, f_now
        tolerance = accuracy / 2 + 2 * _EPSILON * abs(now)
        middle = (other - now) / 2
        if f_now == 0 or abs(middle) <= tolerance:
            return now, count
        if abs(previous) > tolerance and abs(f_before) > abs(f_now):
            p, q = _interpolated(before, now, other, f_before, f_now, f_other)
            if 2 * p < min(3 * middle * q - abs(tolerance * q), abs(previous * q)):
                previous, step = step, p / q
            else:
                previous = step = middle
        else:
            previous = step = middle
        before, f_before = now, f_now
        now += step if abs(step) > tolerance else math.copysign(tolerance, middle)
        f_now = f(now)
    return now, most


def _interpolated(
    before: float, now: float, other: float, f_before: float, f_now: float, f_other: float
) -> tuple[float, float]:
    """Return the step to the zero of a line or inverse parabola as p/q, p >= 0."""
    ratio = f_now / f_before
    if before == other:
        p, q = (other - now) * ratio, 1 - ratio
    else:
        r, s = f_before / f_other, f_now / f_other
        p = ratio * ((other - now) * r * (r - s) - (now - before) * (s - 1))
        q = (r - 1) * (s - 1) * (ratio - 1)
    return (p, -q) if p > 0 else (-p, q)


def minimum(
    f: Function, low: float, high: float, accuracy: float, most: int
) -> tuple[float, float, int, bool]:
    """Return where `f` is least between `low` and `high`.

    Args:
        accuracy: the error of the point that is allowed.
        most: calls of `f` at most.

    Returns:
        the point, the value there, how often `f` was called, and whether that was enough.
    """
    best = second = third = low + _GOLDEN * (high - low)
    f_best = f_second = f_third = f(best)
    step = previous = 0.0
    calls = 1
    while True:
        middle = (low + high) / 2
        tolerance = math.sqrt(_EPSILON) * abs(best) + accuracy / 3
        if not abs(best - middle) > 2 * tolerance - (high - low) / 2:
            return best, f_best, calls, True
        if calls >= most:
            return best, f_best, calls, False
        parabola = None
        if abs(previous) > tolerance:
            p, q = _vertex(best, second, third, f_best, f_second, f_third)
            bounded = abs(p) < abs(q * previous / 2)
            if bounded and q * (low - best) < p < q * (high - best):
                parabola = p / q
        previous = step
        if parabola is None:
            previous = (low if best >= middle else high) - best
            step = _GOLDEN * previous
        else:
            step = parabola
            if min(best + step - low, high - best - step) < 2 * tolerance:
                step = tolerance if middle >= best else -tolerance
        x = best + (step if abs(step) >= tolerance else math.copysign(tolerance, step))
        f_x = f(x)
        calls += 1
        if f_x <= f_best:
            low, high = (best, high) if x >= best else (low, best)
            third, f_third, second, f_second = second, f_second, best, f_best
            best, f_best = x, f_x
            continue
        low, high = (x, high) if x < best else (low, x)
        if f_x <= f_second or second == best:
            third, f_third, second, f_second = second, f_second, x, f_x
        elif f_x <= f_third or third in (best, second):
            third, f_third = x, f_x


def _vertex(
    best: float, second: float, third: float, f_best: float, f_second: float, f_third: float
) -> tuple[float, float]:
    """Return the step from the best of three points to their vertex, as p/q with q >= 0."""
    r = (best - second) * (f_best - f_third)
    q = (best - third) * (f_best - f_second)
    p = (best - third) * q - (best - second) * r
    q = 2 * (q - r)
    return (-p, q) if q > 0 else (p, -q)
