"""Round numbers along an axis: limits that end on ticks, ticks, and their labels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]

#: At most as many steps lie between the ends of an axis.
MOST_STEPS = 10


def step_for(low: float, high: float, most: float = MOST_STEPS) -> float:
    """The smallest of the steps 1, 2, 5, 10 … by which `most` of them reach from end to end."""
    span = high - low
    if not 0 < span < math.inf:
        return 1.0
    rough = span / max(most, 1)
    scale = 10.0 ** math.floor(math.log10(rough))
    # the largest steps are tried, too: rounding may have put `scale` one decade too low
    return next(m * scale for m in (1, 2, 5, 10, 20) if span / (m * scale) <= most * (1 + 1e-9))


def aligned(low: float, high: float, most: float = MOST_STEPS) -> tuple[float, float]:
    """Limits that hold data and end on ticks."""
    if low == high:
        spread = 1.0 if abs(low) < 1e6 else abs(low) * 1e-3
        low, high = low - spread, high + spread
    for _ in range(3):
        step = step_for(low, high, most)
        first = math.floor(low / step * (1 + 1e-12 * _sign(-low)) + 1e-9) * step
        last = math.ceil(high / step - 1e-9) * step
        if (last - first) / step <= most * (1 + 1e-9):
            break
        low, high = first, last
    return _clean(first, step), _clean(last, step)


def _sign(x: float) -> float:
    return math.copysign(1.0, x)


def _clean(value: float, step: float) -> float:
    """A multiple of a step without the error of multiplication."""
    digits = max(0, 1 - math.floor(math.log10(step))) if step > 0 else 0
    return (round(value, digits + 1) if digits < 300 else value) + 0.0


def linear_ticks(low: float, high: float, most: float = MOST_STEPS) -> Numbers:
    """The round numbers between two limits, which may come in either order."""
    if not (np.isfinite(low) and np.isfinite(high)) or low >= high:
        return np.zeros(0)
    step = step_for(low, high, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return np.array([_clean(k * step, step) for k in range(first, last + 1)])


def log_limits(low: float, high: float) -> tuple[float, float]:
    """Powers of ten about positive data."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    return 10.0**first, 10.0**last


def log_ticks(low: float, high: float, most: float = 8) -> Numbers:
    """Powers of ten between two positive limits; round numbers where there is hardly one."""
    if not 0 < low < high:
        return np.zeros(0)
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first < 1:
        return linear_ticks(low, high, most)
    every = max(1, math.ceil((last - first) / most))
    return np.array([10.0**k for k in range(first, last + 1, every)])


def log_minor(low: float, high: float) -> Numbers:
    """The ticks 2, 3 … 9 of each decade."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    if last - first > 12:
        return np.zeros(0)
    every = np.array([m * 10.0**k for k in range(first, last + 1) for m in range(2, 10)])
    return every[(every >= low * (1 - 1e-12)) & (every <= high * (1 + 1e-12))]


class Labels(NamedTuple):
    """The labels of ticks, and the power of ten that multiplies all of them."""

    texts: list[str]
    exponent: int


def labels(ticks: Sequence[float] | Numbers) -> Labels:
    """The labels of ticks of a linear axis."""
    values = [float(tick) for tick in ticks]
    finite = [abs(value) for value in values if math.isfinite(value)]
    most = max(finite, default=0.0)
    exponent = 0
    if most > 10000 or 0 < most < 1.0000001e-3:
        exponent = math.floor(math.log10(most) + 1e-12)
    return Labels([number_text(value / 10.0**exponent) for value in values], exponent)


def number_text(value: float) -> str:
    text = f"{value:.5g}" if abs(value) < 1e5 else f"{value:.10g}"
    return "0" if text == "-0" else text


def formatted(value: float, pattern: str) -> str:
    """A tick in a format of MATLAB's, such as ``%.2f`` or ``$%,.2f``."""
    grouped = pattern.replace("%,", "%") if "%," in pattern else pattern
    try:
        text = grouped % value
    except (TypeError, ValueError):
        return number_text(value)
    if grouped == pattern:
        return text
    return re.sub(r"\d{4,}", lambda found: f"{int(found.group()):,}", text, count=1)


def log_labels(ticks: Sequence[float] | Numbers) -> list[str]:
    """Powers of ten as such, other numbers as they are."""
    texts = []
    for tick in ticks:
        power = math.log10(tick) if tick > 0 else math.nan
        whole = abs(power - round(power)) < 1e-9 if power == power else False
        texts.append(f"10^{{{round(power)}}}" if whole else number_text(float(tick)))
    return texts


# -- times ---------------------------------------------------------------------------------------

_SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200)
_DAYS = (1, 2, 5, 7, 14)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)


def date_of(number: float) -> datetime:
    """The date that a serial date number is."""
    return datetime(1, 1, 1) + timedelta(days=number - 367)


def number_of(when: datetime) -> float:
    """The serial date number of a date."""
    return (when - datetime(1, 1, 1)).total_seconds() / 86400 + 367


#: Units of durations, in days.
_UNITS = ((1.0, "day"), (1 / 24, "hr"), (1 / 1440, "min"), (1 / 86400, "sec"))


def duration_ticks(low: float, high: float, most: float = MOST_STEPS) -> tuple[Numbers, list[str]]:
    """Round durations between two numbers of days, and their labels with the unit."""
    span = max(abs(low), abs(high))
    size, unit = next((pair for pair in _UNITS if span >= 2 * pair[0]), _UNITS[-1])
    found = linear_ticks(low / size, high / size, most)
    return found * size, [
        f"{number_text(float(value))} {unit}" + ("s" if unit == "day" and value != 1 else "")
        for value in found
    ]


def date_ticks(low: float, high: float, most: float = 8) -> tuple[Numbers, list[str]]:
    """Round dates between two serial date numbers, and their labels."""
    low, high = max(low, 367.0), min(high, 3652000.0)
    span = high - low
    if span <= 0:
        return np.zeros(0), []
    seconds = next((s for s in _SECONDS if span * 86400 / s <= most), None)
    if seconds is not None:
        step = seconds / 86400
        found = np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1) * step
        pattern = "%H:%M:%S" if seconds < 60 else "%H:%M"
        return found, [
            (date_of(float(t)) + timedelta(milliseconds=1)).strftime(pattern) for t in found
        ]
    whole = next((d for d in _DAYS if span / d <= most), None)
    if whole is not None:
        found = np.arange(math.ceil(low / whole) * whole, high + 1e-9, whole, dtype=float)
        return found, [date_of(float(t)).strftime("%b %d") for t in found]
    months = next((m for m in _MONTHS if span / 30.44 / m <= most), _MONTHS[-1])
    first = date_of(low)
    at = (first.year * 12 + first.month - 1) // months * months
    dates = []
    while at // 12 <= date_of(high).year and at // 12 <= 9999:
        if at >= 12:
            dates.append(datetime(at // 12, at % 12 + 1, 1))
        at += months
    kept = [d for d in dates if low - 1e-9 <= number_of(d) <= high + 1e-9]
    pattern = "%Y" if months >= 12 else "%b %Y"
    return np.array([number_of(d) for d in kept]), [d.strftime(pattern) for d in kept]
