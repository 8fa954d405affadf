"""``findpeaks``: local maxima and their measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_signal.arguments import (
    Data,
    given,
    integer,
    named_options,
    one_of,
    real,
    scalar,
    vector,
)

_NAMES = (
    "MinPeakHeight", "MinPeakProminence", "MinPeakDistance", "Threshold", "NPeaks", "SortStr",
    "MinPeakWidth", "MaxPeakWidth", "WidthReference",
)  # fmt: skip


def _maxima(y: Data) -> Data:
    """Places higher than both neighbours; the first place of a plateau; the ends are none."""
    found = []
    start = 0
    for k in range(1, y.size):
        if y[k] == y[start]:
            continue
        if start and y[k] < y[start] and y[start - 1] < y[start]:
            found.append(start)
        start = k
    return np.array(found, np.intp)


def _prominences(y: Data, at: Data) -> tuple[Data, Data, Data]:
    """How far each peak stands out, and the places of the lowest points on either side."""
    prominence = np.zeros(at.size)
    bases = np.zeros((2, at.size), np.intp)
    for number, k in enumerate(at):
        for side, step in enumerate((-1, 1)):
            j, low = k, k
            while 0 <= j + step < y.size and not y[j + step] > y[k]:
                j += step
                if y[j] < y[low]:
                    low = j
            bases[side, number] = low
        prominence[number] = y[k] - max(y[bases[0, number]], y[bases[1, number]])
    return prominence, bases[0], bases[1]


def _crossing(y: Data, x: Data, start: int, stop: int, level: float) -> float:
    """Where the line through the data first falls to a level on the way from a peak."""
    step = 1 if stop > start else -1
    for j in range(start, stop, step):
        if y[j + step] <= level:
            if y[j] == y[j + step]:
                return float(x[j + step])
            share = (y[j] - level) / (y[j] - y[j + step])
            return float(x[j] + share * (x[j + step] - x[j]))
    return float(x[stop])


def _widths(y: Data, x: Data, at: Data, levels: Data, left: Data, right: Data) -> Data:
    edges = zip(at, levels, left, right, strict=True)
    return np.array(
        [_crossing(y, x, k, b, v) - _crossing(y, x, k, a, v) for k, v, a, b in edges], np.float64
    )


def _apart(at: Data, heights: Data, x: Data, distance: float) -> Data:
    """Of peaks nearer to each other than a distance, the highest."""
    order = np.argsort(-heights, kind="stable")
    places = x[at[order]]
    gone = np.zeros(at.size, np.bool_)
    for k in range(at.size):
        if not gone[k]:
            near = (places >= places[k] - distance) & (places <= places[k] + distance)
            near[k] = False
            gone |= near
    return np.sort(order[~gone])


def _options(args: tuple[Any, ...]) -> tuple[Any, dict[str, Any]]:
    """The coordinates (or the rate), and the options."""
    rest = list(args)
    where = rest.pop(0) if rest and not isinstance(rest[0], str) else None
    return where, named_options(rest, _NAMES, "findpeaks")


def _coordinates(where: Any, count: int) -> Data:
    if not given(where):
        return np.arange(1.0, count + 1)
    where = real(where, "findpeaks")
    if where.size == 1 and count != 1:
        return np.arange(count) / scalar(where, "findpeaks", "FS")
    x = real(vector(where, "findpeaks").reshape(1, -1), "findpeaks").ravel()
    if x.size != count or not (np.diff(x) > 0).all():
        raise MatlabError(
            "signal:findpeaks:InvalidX", "X must increase, and be as long as the data."
        )
    return x.astype(np.float64)


@builtin(
    "findpeaks",
    family="signal/peaks",
    lift="arrays",
    nargin=(1, None),
    nargout=4,
    needs=("nargout",),
)
def findpeaks(data: Any, *args: Any, nargout: int) -> Any:
    """Local maxima.

    [PKS, LOCS] = findpeaks(DATA); of a plateau the first place, the ends are no peaks
    [PKS, LOCS, W, P] = findpeaks(…) gives widths at half prominence, and prominences
    findpeaks(DATA, X), findpeaks(DATA, FS) with coordinates or a sampling rate
    findpeaks(…, NAME, VALUE) with "MinPeakHeight", "MinPeakProminence", "MinPeakDistance",
    "Threshold", "NPeaks", "SortStr" ("none", "ascend", "descend"), "MinPeakWidth",
    "MaxPeakWidth", "WidthReference" ("halfprom", "halfheight")

    Examples:
        >> [pks, locs] = findpeaks([0 2 1 5 3 4 0])
        pks =
             2     5     4
        locs =
             2     4     6

    See also: max, xcorr.
    """
    y = real(vector(data, "findpeaks").reshape(1, -1), "findpeaks").ravel()
    if y.size < 3:
        raise MatlabError("signal:findpeaks:emptyDataSet", "Data set must have at least 3 samples.")
    where, named = _options(args)
    x = _coordinates(where, y.size)

    def number(name: str, default: float) -> float:
        return scalar(named[name], "findpeaks", name) if name in named else default

    at = _maxima(y)
    at = at[y[at] > number("MinPeakHeight", -np.inf)]
    step = y[at] - np.maximum(y[at - 1], y[at + 1]) if at.size else np.zeros(0)
    at = at[step >= number("Threshold", 0.0)]
    prominence, left, right = _prominences(y, at)
    levels = y[at] - prominence / 2
    if "WidthReference" in named and (
        one_of(named["WidthReference"], ("halfprom", "halfheight"), "findpeaks") == "halfheight"
    ):
        levels = y[at] / 2
    widths = _widths(y, x, at, levels, left, right)
    kept = np.flatnonzero(
        (prominence >= number("MinPeakProminence", 0.0))
        & (widths >= number("MinPeakWidth", 0.0))
        & (widths <= number("MaxPeakWidth", np.inf))
    )
    if "MinPeakDistance" in named:
        kept = kept[_apart(at[kept], y[at[kept]], x, number("MinPeakDistance", 0.0))]
    kept = _sorted(kept, y[at], named)
    shape = (-1, 1) if data.shape[1] == 1 else (1, -1)
    outputs = (y[at], x[at], widths, prominence)
    values = tuple(v[kept].reshape(shape) for v in outputs[: max(nargout, 1)])
    return values if nargout > 1 else values[0]


def _sorted(kept: Data, heights: Data, named: dict[str, Any]) -> Data:
    known = ("none", "ascend", "descend")
    order = one_of(named["SortStr"], known, "findpeaks") if "SortStr" in named else "none"
    if order != "none":
        sign = -1 if order == "descend" else 1
        kept = kept[np.argsort(sign * heights[kept], kind="stable")]
    return kept[: integer(named["NPeaks"], "findpeaks", "NPeaks")] if "NPeaks" in named else kept
