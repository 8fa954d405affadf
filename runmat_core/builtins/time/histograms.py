"""histcounts of datetimes and durations: bins of spans and of units of the calendar."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size, integer, option
from runmat_core.builtins.named import choice, pairs
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.time.date_shifts import unit_start, unit_stepped
from runmat_core.values import from_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import UNIT, Duration

Times = NDArray[Any]

_NAMES = ("BinEdges", "BinLimits", "BinMethod", "BinWidth", "Normalization", "NumBins")
_SHARES = ("count", "probability", "percentage", "cumcount", "cdf")

#: Methods that say how wide bins are about, and those that say it exactly.
_RULES = ("auto", "scott", "fd", "sturges", "sqrt")
_SPANS = {"second": UNIT["s"], "minute": UNIT["m"], "hour": UNIT["h"], "day": UNIT["d"]}
_CALENDAR = {"week": ("week", 1), "month": ("month", 1), "quarter": ("quarter", 1),
             "year": ("year", 1), "decade": ("year", 10), "century": ("year", 100)}  # fmt: skip

#: Widths that are chosen from, in milliseconds; above these days or units of the calendar.
_WIDTHS = [
    *(1, 2, 5, 10, 20, 50, 100, 200, 500),
    *(UNIT["s"] * n for n in (1, 2, 5, 10, 15, 30)),
    *(UNIT["m"] * n for n in (1, 2, 5, 10, 15, 30)),
    *(UNIT["h"] * n for n in (1, 2, 3, 6, 12)),
    *(UNIT["d"] * n for n in (1, 2)),
]
_LONG = [("week", 1, 7), ("month", 1, 30), ("quarter", 1, 91)]


@overload("histcounts")
def counted(call: Call, value: Any, *args: Any) -> Any:
    """``[n, edges, bin] = histcounts(X, …)`` with edges of the class of X."""
    if not isinstance(value, Datetime | Duration):
        return NotImplemented
    rest = list(args)
    bins = rest.pop(0) if rest and option(rest[0]) is None else None
    named, _ = pairs(rest, _NAMES, "histcounts")
    numbers = local_numbers(value).astype(np.longdouble)
    edges = _edges(value, numbers, bins, named)
    if edges.size < 2 or (np.diff(edges) < 0).any():
        raise MatlabError(
            "MATLAB:histcounts:expectedNondecreasing",
            "There must be two bin edges or more, which do not decrease.",
        )
    check_size((edges.size,), 16)
    where = np.searchsorted(edges, numbers, side="right")
    where = np.where(numbers == edges[-1], edges.size - 1, where)
    where = np.where(~np.isfinite(numbers) | (where >= edges.size), 0, where)
    counts = np.bincount(where.ravel(), minlength=edges.size)[1:].astype(np.float64)
    kind = choice(named["Normalization"], _SHARES, "histcounts") if "Normalization" in named else ""
    with np.errstate(all="ignore"):
        shown = _shares(counts, kind, numbers.size)
    outputs = (
        from_numpy(shown.reshape(1, -1)),
        with_numbers(value, edges.reshape(1, -1)),
        from_numpy(where.astype(np.float64)),
    )
    return outputs[: call.nargout] if call.nargout > 1 else outputs[0]


def _shares(counts: Times, kind: str, total: int) -> Times:
    if kind in ("cumcount", "cdf"):
        counts = np.cumsum(counts)
    if kind in ("probability", "cdf", "percentage"):
        counts = counts / total
    return np.asarray(counts * 100 if kind == "percentage" else counts)


def local_numbers(value: ArrayObject) -> Times:
    """Return what clocks show, or how long spans are."""
    return np.asarray(value.local() if isinstance(value, Datetime) else value.codes)


def with_numbers(model: Any, numbers: Times) -> Any:
    """Edges as elements of the class of `model`."""
    if isinstance(model, Datetime):
        return model.with_local(numbers)
    return model.with_codes(numbers.astype(np.float64))


def _given(model: Any, value: Any) -> Times:
    """Edges or limits that were given, which must be of the class of the data."""
    if not isinstance(value, type(model)):
        raise MatlabError(
            "MATLAB:histcounts:invalidEdges",
            f"Bin edges and limits must be of class {model.class_name}.",
        )
    return local_numbers(model.adopt(value)).ravel(order="F").astype(np.longdouble)


def edges_for(model: Any, named: dict[str, Any]) -> Times:
    """Return the edges of bins for times, as their clocks show them."""
    return _edges(model, local_numbers(model).astype(np.longdouble), None, named)


def _edges(model: Any, numbers: Times, bins: Any, named: dict[str, Any]) -> Times:
    """Return the edges that the arguments ask for."""
    given = named.get("BinEdges", bins)
    if isinstance(given, ArrayObject):
        return _given(model, given)
    count = named.get("NumBins", bins)
    known = numbers[np.isfinite(numbers)]
    limits = None
    if "BinLimits" in named:
        limits = _given(model, named["BinLimits"])
        if limits.size != 2 or not limits[0] <= limits[1]:
            raise MatlabError(
                "MATLAB:histcounts:invalidLimits", "BinLimits must be two increasing times."
            )
        known = known[(known >= limits[0]) & (known <= limits[1])]
    if not known.size and limits is None:
        known = np.zeros(1, np.longdouble)
    low, high = (known.min(), known.max()) if limits is None else (limits[0], limits[1])
    if count is not None:
        wanted = integer(count, "Number of bins")
        if wanted < 1:
            raise MatlabError(
                "MATLAB:histcounts:expectedPositive", "Number of bins must be positive."
            )
        check_size((wanted,), 16)
        made = _counted(low, high, wanted, limits is not None)
    elif "BinWidth" in named:
        made = _of_width(model, low, high, named["BinWidth"])
    else:
        made = _by_method(model, known, low, high, named.get("BinMethod"))
    if limits is not None:
        inner = made[(made > low) & (made < high)]
        made = np.concatenate([[low], inner, [high]])
    return made


def _counted(low: Any, high: Any, count: int, exact: bool) -> Times:
    """So many bins of one width, which is a round one unless limits are given."""
    if exact or low == high:
        high = high if high > low else low + count
        return np.asarray(low + (high - low) * np.arange(count + 1) / count, np.longdouble)
    width = (high - low) / count
    unit = next((u for u in (UNIT["d"], UNIT["h"], UNIT["m"], UNIT["s"]) if u <= width), 1)
    left, step = np.floor(low / unit) * unit, math.ceil(width / unit) * unit
    if left + count * step < high:
        step += unit
    return np.asarray(left + step * np.arange(count + 1), np.longdouble)


def _even(low: Any, high: Any, width: float, apart: bool = False) -> Times:
    """Bins at multiples of a width; what is at the last multiple is apart where that is asked."""
    left = np.floor(low / width) * width
    count = max(1, math.ceil((high - left) / width))
    count += apart and left + count * width <= high
    check_size((count,), 16)
    return np.asarray(left + width * np.arange(count + 1), np.longdouble)


def _units(low: Any, high: Any, unit: str, each: int) -> Times:
    """Bins of units of the calendar, several years from a year that they divide."""
    start = unit_start(np.array([low], np.longdouble), unit)
    if each > 1:
        years = int(Datetime(start).part("Year").item())
        start = unit_stepped(start, "year", np.array([-(years % each)]))
    days = {"week": 7, "month": 28, "quarter": 89, "year": 365}[unit]
    most = math.ceil((high - start[0]) / (days * UNIT["d"] * each)) + 1
    check_size((most,), 16)
    edges = unit_stepped(start, unit, np.arange(most + 1) * each)
    last = max(int(np.searchsorted(edges, high, side="right")), 1)  # a unit has a bin of its own
    return np.asarray(edges[: last + 1], np.longdouble)


def _of_width(model: Any, low: Any, high: Any, width: Any) -> Times:
    if isinstance(width, Duration) and width.codes.size == 1 and width.codes.item() > 0:
        return _even(low, high, float(width.codes.item()))
    if isinstance(width, CalendarDuration) and isinstance(model, Datetime):
        months, days, ms = (float(part.item()) for part in width.fields())
        if months > 0 and not days and not ms:
            years = months % 12 == 0
            each = int(months) // 12 if years else int(months)
            if years or each == 1:
                return _units(low, high, "year" if years else "month", each)
            edges = _units(low, high, "month", 1)
            edges = edges[::each]
            return (
                edges
                if edges[-1] >= high
                else np.append(edges, unit_stepped(edges[-1:], "month", np.array([each])))
            )
        if days > 0 and not months and not ms:
            return _even(low, high, days * UNIT["d"])
    raise MatlabError(
        "MATLAB:histcounts:invalidBinWidth", "BinWidth must be one positive span of time."
    )


def _by_method(model: Any, known: Times, low: Any, high: Any, method: Any) -> Times:
    units = (*_SPANS, "year") if isinstance(model, Duration) else (*_SPANS, *_CALENDAR)
    word = "auto" if method is None else choice(method, (*_RULES, *units), "histcounts")
    if word in _SPANS:
        return _even(low, high, _SPANS[word], apart=True)
    if word == "year" and isinstance(model, Duration):
        return _even(low, high, UNIT["y"], apart=True)
    if word in _CALENDAR:
        return _units(low, high, *_CALENDAR[word])
    width = _width(known.astype(np.float64) - float(low), word)
    if low == high:
        whole_days = low % UNIT["d"] == 0
        return np.array([low, low + (UNIT["d"] if whole_days else UNIT["s"])], np.longdouble)
    for candidate in _WIDTHS:
        if width <= candidate * 1.5:
            return _even(low, high, candidate)
    days = width / UNIT["d"]
    if isinstance(model, Datetime):
        for unit, each, length in _LONG:
            if days <= length * 1.5:
                return _units(low, high, unit, each)
        return _units(low, high, "year", _round(max(days / 365.2425, 1)))
    return _even(low, high, _round(days) * UNIT["d"])


def _width(x: Times, word: str) -> float:
    """How wide bins are about, by the rule that a method names."""
    reach = float(np.ptp(x))
    if word == "sturges":
        return reach / max(math.ceil(math.log2(x.size) + 1), 1)
    if word == "sqrt":
        return reach / max(math.ceil(math.sqrt(x.size)), 1)
    if word == "fd":
        quartiles = np.percentile(x, [25, 75], method="hazen")
        return float(2 * (quartiles[1] - quartiles[0]) / x.size ** (1 / 3)) or reach
    return float(3.5 * np.std(x, ddof=1) / x.size ** (1 / 3)) if x.size > 1 else reach


def _round(number: float) -> int:
    """Return a whole number that is 1, 2 or 5 times a power of ten, near `number`."""
    power = 10 ** math.floor(math.log10(number))
    return int(next((k for k in (1, 2, 5) if number <= k * power * 1.5), 10) * power)
