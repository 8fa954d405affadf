"""Local maxima and minima along a dimension, with their prominence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins.arguments import as_float, dimension, first_axis, real, scalar
from runmat_core.builtins.arrays.moving import _sample_points, reach_of
from runmat_core.builtins.arrays.windows import coordinates
from runmat_core.builtins.named import choice, pairs, positional
from runmat_core.values import from_numpy

Line = NDArray[Any]

_NAMES = (
    *("MinProminence", "ProminenceWindow", "FlatSelection", "MinSeparation", "MaxNumExtrema"),
    "SamplePoints",
)
_FLAT = ("center", "first", "last", "all")


def _runs(values: Line) -> tuple[Line, Line]:
    """Where runs of equal elements begin and end, both included."""
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    return starts, np.append(starts[1:], values.size) - 1


def _prominence(values: Line, starts: Line, ends: Line, top: int, reach: tuple[Any, Any]) -> Any:
    """How far a maximum rises above the higher of the lowest places between it and higher ones."""
    low, high = reach
    level = values[starts[top]]
    bases = []
    for part in (values[low : starts[top]][::-1], values[ends[top] + 1 : high]):
        higher = np.flatnonzero(part > level)
        seen = part[: higher[0]] if higher.size else part
        bases.append(seen.min() if seen.size else level)
    return level - max(bases)


def _of_line(
    line: Line, points: Line, named: dict[str, Any], flat: str, window: Any
) -> tuple[Line, Line]:
    """Which elements of a line are maxima, and the prominence of all."""
    flags, prominence = np.zeros(line.shape, bool), np.zeros(line.shape, line.dtype)
    there = np.flatnonzero(~np.isnan(line))
    values, places = line[there], points[there]
    if values.size < 3:
        return flags, prominence
    starts, ends = _runs(values)
    tops = values[starts]
    rises = np.concatenate([[False], tops[1:] > tops[:-1]])
    falls = np.concatenate([tops[:-1] > tops[1:], [False]])
    found = np.flatnonzero(rises & falls)
    heights = np.zeros(found.size, line.dtype)
    for k, top in enumerate(found.tolist()):
        low, high = 0, values.size
        if window is not None:
            middle = (places[starts[top]] + places[ends[top]]) / 2
            low = int(np.searchsorted(places, middle - window[0], "left"))
            after = places < middle + window[1] if window[2] else places <= middle + window[1]
            high = max(int(np.count_nonzero(after)), int(ends[top]) + 1)
            low = min(low, int(starts[top]))
        heights[k] = _prominence(values, starts, ends, top, (low, high))
        prominence[there[starts[top] : ends[top] + 1]] = heights[k]
    kept = heights >= named["MinProminence"]
    found, heights = found[kept], heights[kept]
    found = _apart(found, heights, tops, places, starts, ends, named)
    for first, last in zip(starts[found], ends[found], strict=True):
        at = {"first": first, "last": last, "center": (first + last) // 2}.get(flat)
        flags[there[first : last + 1] if at is None else there[at]] = True
    return flags, prominence


def _apart(
    found: Line, heights: Line, tops: Line, places: Line, starts: Line, ends: Line, named: Any
) -> Line:
    """Return the most prominent of the maxima, none too near to another, the higher ones first."""
    distance = named["MinSeparation"]
    if distance > 0:
        left = list(found[np.lexsort((found, -tops[found]))])
        kept: list[Any] = []
        while left:
            top = left.pop(0)
            kept.append(top)
            left = [
                other
                for other in left
                if (other > top and places[starts[other]] - places[ends[top]] >= distance)
                or (other < top and places[starts[top]] - places[ends[other]] >= distance)
            ]
        inside = np.isin(found, kept)
        found, heights = found[inside], heights[inside]
    most = named["MaxNumExtrema"]
    if found.size > most:
        found = found[np.argsort(-heights, kind="stable")[: int(most)]]
    return np.asarray(found)


def _least(named: dict[str, Any], key: str, name: str) -> float:
    number = scalar(from_numpy(coordinates(named[key], name)), key) if key in named else 0.0
    if not number >= 0:
        raise MatlabError(f"MATLAB:{name}:{key}Invalid", f"{key} must be a nonnegative scalar.")
    return number


def _local(name: str, x: Any, args: tuple[Any, ...], nargout: int) -> Any:
    plain, words = positional(args)
    named, _ = pairs(words, _NAMES, name)
    if len(plain) > 1:
        raise too_many_inputs()
    a = as_float(real(x, name))
    axis = dimension(plain[0]) if plain else first_axis(a.shape)
    if axis >= a.ndim:
        flags, prominence = np.zeros(a.shape, bool), np.zeros(a.shape, a.dtype)
        return (from_numpy(flags), from_numpy(prominence)) if nargout > 1 else from_numpy(flags)
    lines = np.moveaxis(a if name == "islocalmax" else -a, axis, -1)
    count = lines.shape[-1]
    given = named.get("SamplePoints")
    points = np.arange(1.0, count + 1) if given is None else _sample_points(given, count)
    flat = choice(named["FlatSelection"], _FLAT, name) if "FlatSelection" in named else "center"
    window = named.get("ProminenceWindow")
    reach = None if window is None else reach_of(window, given is None)
    most = scalar(named["MaxNumExtrema"], "MaxNumExtrema") if "MaxNumExtrema" in named else np.inf
    if not most > 0 or (most != np.inf and most % 1):
        raise MatlabError(
            f"MATLAB:{name}:MaxNumInvalid", "MaxNumExtrema must be a positive integer."
        )
    settings = {
        "MinProminence": _least(named, "MinProminence", name),
        "MinSeparation": _least(named, "MinSeparation", name),
        "MaxNumExtrema": most,
    }
    flags, prominence = np.zeros(lines.shape, bool), np.zeros(lines.shape, lines.dtype)
    for at in np.ndindex(lines.shape[:-1]):
        flags[at], prominence[at] = _of_line(lines[at], points, settings, flat, reach)
    result = from_numpy(np.moveaxis(flags, -1, axis))
    return (result, from_numpy(np.moveaxis(prominence, -1, axis))) if nargout > 1 else result


@builtin(
    "islocalmax",
    family="arrays/outliers",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def islocalmax(x: Any, *args: Any, nargout: int) -> Any:
    """Which elements are larger than those beside them. The ends never are; NaN is passed over.

    TF = islocalmax(A), TF = islocalmax(A, DIM)
    [TF, P] = islocalmax(…) gives prominences: how far a maximum rises above the higher one of the
    lowest places between it and the next higher elements, or the ends, on its two sides
    islocalmax(…, "MinProminence", P), islocalmax(…, "ProminenceWindow", K) within K elements
    islocalmax(…, "MinSeparation", S), islocalmax(…, "MaxNumExtrema", N) the most prominent ones
    islocalmax(…, "FlatSelection", F) with "center" (the default), "first", "last" or "all"
    islocalmax(…, "SamplePoints", T) measures windows and distances in the coordinates T

    Examples:
        >> find(islocalmax([1 3 2 5 5 5 0]))
        ans =
             2     5
        >> [~, p] = islocalmax([1 3 2 5 0])
        p =
             0     1     0     4     0

    See also: islocalmin, findpeaks, max, isoutlier, ischange.
    """
    return _local("islocalmax", x, args, nargout)


@builtin(
    "islocalmin",
    family="arrays/outliers",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def islocalmin(x: Any, *args: Any, nargout: int) -> Any:
    """Which elements are smaller than those beside them. The ends never are; NaN is passed over.

    TF = islocalmin(A), TF = islocalmin(A, DIM), [TF, P] = islocalmin(…), with the options of
    islocalmax

    Examples:
        >> find(islocalmin([4 1 3 2 6]))
        ans =
             2     4

    See also: islocalmax, min, isoutlier.
    """
    return _local("islocalmin", x, args, nargout)
