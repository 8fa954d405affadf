"""Abrupt changes of mean, variance or trend: ischange.

The best segmentation is found by dynamic programming, with the pruning of R. Killick, P. Fearnhead
and I. A. Eckley, Journal of the American Statistical Association 107 (2012).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins.arguments import as_float, dimension, first_axis, option, real, scalar
from runmat_core.builtins.arrays.moving import _sample_points
from runmat_core.builtins.named import match, pairs
from runmat_core.values import from_numpy

Line = NDArray[Any]

_METHODS = ("mean", "variance", "linear")
_NAMES = ("Threshold", "MaxNumChanges", "SamplePoints")


class _Costs:
    """What segments of a line cost that are described by their mean, variance or trend."""

    def __init__(self, line: Line, points: Line, method: str) -> None:
        # sums of centred numbers lose fewer digits
        y, t = line - line.mean(), points - points.mean()
        self.method = method
        self.sums = [
            np.concatenate([[0.0], np.cumsum(term)])
            for term in (np.ones_like(y), y, y * y, t, t * t, t * y)
        ]
        self.least = np.finfo(np.float64).eps * max(float(np.var(y)), 1e-300)

    def of(self, starts: Line, end: int) -> Line:
        """Return the cost of the segments from `starts` up to before `end`."""
        n, y, yy, t, tt, ty = (total[end] - total[starts] for total in self.sums)
        rest = np.maximum(yy - y * y / n, 0)
        if self.method == "mean":
            return np.asarray(rest)
        if self.method == "variance":
            return np.asarray(n * np.log(np.maximum(rest / n, self.least)))
        wide, both = tt - t * t / n, ty - t * y / n
        trend = np.divide(both * both, wide, out=np.zeros_like(wide), where=wide > 0)
        return np.asarray(np.maximum(rest - trend, 0))


def _ends(costs: _Costs, count: int, penalty: float, shortest: int) -> list[int]:
    """Where the segments begin, but for the first, of the best of all segmentations."""
    best = np.full(count + 1, np.inf)
    best[0] = -penalty
    before = np.zeros(count + 1, np.intp)
    candidates = np.array([0])
    for end in range(shortest, count + 1):
        found = best[candidates] + costs.of(candidates, end)
        at = int(np.argmin(found))
        best[end], before[end] = found[at] + penalty, candidates[at]
        candidates = candidates[found <= best[end]]
        if end - shortest + 1 >= shortest:
            candidates = np.append(candidates, end - shortest + 1)
    changes, end = [], count
    while before[end] > 0:
        end = int(before[end])
        changes.append(end)
    return changes[::-1]


def _at_most(costs: _Costs, count: int, most: int, shortest: int) -> list[int]:
    """Return the best segmentation with at most a number of changes, by the least penalty."""
    low, high = 0.0, 1.0
    while len(_ends(costs, count, high, shortest)) > most:
        low, high = high, 4 * high
    for _ in range(60):
        middle = (low + high) / 2
        if len(_ends(costs, count, middle, shortest)) > most:
            low = middle
        else:
            high = middle
        if high - low <= 1e-9 * high:
            break
    return _ends(costs, count, high, shortest)


def _described(line: Line, points: Line, starts: list[int], method: str) -> tuple[Line, Line]:
    """Mean and variance, or slope and intercept, of the segment of each element."""
    first, second = np.empty(line.shape), np.empty(line.shape)
    for low, high in zip([0, *starts], [*starts, line.size], strict=True):
        y, t = line[low:high], points[low:high]
        if method == "linear":
            slope = 0.0
            if y.size > 1:
                away = t - t.mean()
                slope = float(away @ (y - y.mean()) / (away @ away))
            first[low:high], second[low:high] = slope, y.mean() - slope * t.mean()
        else:
            first[low:high] = y.mean()
            second[low:high] = y.var(ddof=1) if y.size > 1 else 0.0
    return first, second


@builtin(
    "ischange",
    family="arrays/outliers",
    nargin=(1, None),
    nargout=3,
    needs=("nargout",),
    effects="pure",
)
def ischange(x: Any, *args: Any, nargout: int) -> Any:
    """Which elements begin a segment of another mean, variance or trend. NaN is passed over.

    TF = ischange(A), TF = ischange(A, METHOD) with "mean", "variance" or "linear"
    TF = ischange(…, DIM)
    ischange(…, "Threshold", T): a change lowers the cost of all segments by more than T (1); the
    cost is the sum of squares about mean or line, or the length times the logarithm of the variance
    ischange(…, "MaxNumChanges", N) has the best segments with no more changes
    ischange(…, "SamplePoints", T) has lines in the coordinates T
    [TF, S1, S2] = ischange(…) gives the mean and the variance of each element's segment, or slope
    and intercept of its line

    Examples:
        >> [tf, s] = ischange([1 1.1 0.9 5 5.2 5.1])
        tf =
          1×6 logical array
           0   0   0   1   0   0
        s =
            1.0000    1.0000    1.0000    5.1000    5.1000    5.1000

    See also: islocalmax, isoutlier, smoothdata, diff.
    """
    a = as_float(real(x, "ischange"))
    rest = list(args)
    method = "mean"
    word = option(rest[0]) if rest else None
    if word is not None and not any(n.lower().startswith(word) for n in _NAMES):
        method = match(word, _METHODS, "ischange")
        rest.pop(0)
    axis = dimension(rest.pop(0)) if rest and option(rest[0]) is None else first_axis(a.shape)
    if rest and option(rest[0]) is None:
        raise too_many_inputs()
    named, _ = pairs(rest, _NAMES, "ischange")
    threshold, most = _limits(named)
    if axis >= a.ndim:
        a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
    lines = np.moveaxis(a, axis, -1)
    count = lines.shape[-1]
    given = named.get("SamplePoints")
    points = np.arange(1.0, count + 1) if given is None else _sample_points(given, count)
    flags = np.zeros(lines.shape, bool)
    firsts, seconds = (np.full(lines.shape, np.nan) for _ in range(2))
    for at in np.ndindex(lines.shape[:-1]):
        there = np.flatnonzero(~np.isnan(lines[at]))
        line = lines[at][there].astype(np.float64)
        if not line.size:
            continue
        costs = _Costs(line, points[there], method)
        shortest = 1 if method == "mean" else 2
        if most is None:
            starts = _ends(costs, line.size, threshold, shortest)
        else:
            starts = _at_most(costs, line.size, most, shortest)
        flags[(*at, there[starts])] = True
        first, second = _described(line, points[there], starts, method)
        # an element that is passed over belongs to the segment before it
        owner = np.maximum(np.searchsorted(there, np.arange(count), side="right") - 1, 0)
        firsts[at], seconds[at] = first[owner], second[owner]
    outputs = tuple(
        from_numpy(np.moveaxis(part, -1, axis))
        for part in (flags, firsts.astype(a.dtype), seconds.astype(a.dtype))
    )
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _limits(named: dict[str, Any]) -> tuple[float, int | None]:
    """Return the threshold, and the most changes where that is given instead."""
    if "Threshold" in named and "MaxNumChanges" in named:
        raise MatlabError(
            "MATLAB:ischange:MaxNumChangesThreshold",
            "'Threshold' and 'MaxNumChanges' cannot be given together.",
        )
    threshold = scalar(named["Threshold"], "Threshold") if "Threshold" in named else 1.0
    if not 0 <= threshold < np.inf:
        raise MatlabError(
            "MATLAB:ischange:ThresholdInvalid", "Threshold must be a nonnegative scalar."
        )
    if "MaxNumChanges" not in named:
        return threshold, None
    most = scalar(named["MaxNumChanges"], "MaxNumChanges")
    if not 1 <= most < np.inf or most % 1:
        raise MatlabError(
            "MATLAB:ischange:MaxNumChangesInvalid", "MaxNumChanges must be a positive integer."
        )
    return threshold, int(most)
