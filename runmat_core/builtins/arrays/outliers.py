"""Outliers: isoutlier, rmoutliers and filloutliers."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins.arguments import as_float, dimension, first_axis, option, real, scalar
from runmat_core.builtins.arrays.moving import (
    _absolute_deviations,
    _means,
    _medians,
    _spreads,
    _windows,
)
from runmat_core.builtins.arrays.quantiles import _quantiles
from runmat_core.builtins.arrays.windows import Windows
from runmat_core.builtins.named import choice, match, pairs
from runmat_core.builtins.tables.gaps import Filling, filled
from runmat_core.values import from_numpy

Lines = NDArray[Any]

_METHODS = ("median", "mean", "quartiles", "grubbs", "gesd")
_WINDOWED = ("movmedian", "movmean", "percentiles")
_NAMES = ("ThresholdFactor", "SamplePoints", "MaxNumOutliers")

#: A median absolute deviation times this is the standard deviation of normal numbers:
#: -1/(sqrt(2)*erfcinv(3/2)).
_SCALE = 1.482602218505602


@attrs.frozen
class Found:
    """Outliers along the last axis of lines, with thresholds and centres that broadcast to them."""

    lines: Lines
    axis: int
    flags: NDArray[np.bool_]
    low: Lines
    high: Lines
    center: Lines

    def outputs(self) -> tuple[Any, ...]:
        """Return flags, lower and upper thresholds and centre, as arrays like the input."""
        parts = (self.flags, self.low, self.high, self.center)
        return tuple(from_numpy(np.moveaxis(part, -1, self.axis)) for part in parts)


def _found(name: str, x: Any, args: tuple[Any, ...]) -> Found:
    """Return the outliers that the arguments of ``name(x, …)`` ask for."""
    a = as_float(real(x, name))
    rest = list(args)
    method, extra = "median", None
    word = option(rest[0]) if rest else None
    if word is not None and not any(n.lower().startswith(word.lower()) for n in _NAMES):
        method = match(word, _METHODS + _WINDOWED, name)
        rest.pop(0)
        if method in _WINDOWED:
            if not rest:
                raise MatlabError(
                    f"MATLAB:{name}:WindowMissing", f"'{method}' must be followed by a value."
                )
            extra = rest.pop(0)
    axis = dimension(rest.pop(0)) if rest and option(rest[0]) is None else first_axis(a.shape)
    if rest and option(rest[0]) is None:
        raise too_many_inputs()
    named, _ = pairs(rest, _NAMES, name)
    if axis >= a.ndim:
        a = a.reshape(a.shape + (1,) * (axis + 1 - a.ndim))
    lines = np.moveaxis(a, axis, -1)
    with np.errstate(all="ignore"):
        if not lines.size:
            flags = lines != lines
            low = high = center = np.full((*lines.shape[:-1], 1), np.nan, lines.dtype)
        elif method in ("grubbs", "gesd"):
            flags, (low, high, center) = _tested(name, lines, method, named)
        else:
            low, high, center = _thresholds(name, lines, method, extra, named)
            flags = (lines < low) | (lines > high)
    return Found(lines, axis, flags, low, high, center)


def _thresholds(
    name: str, lines: Lines, method: str, extra: Any, named: dict[str, Any]
) -> tuple[Lines, Lines, Lines]:
    if method == "percentiles":
        bounds = real(extra, name).astype(float).ravel()
        if bounds.size != 2 or not 0 <= bounds[0] <= bounds[1] <= 100:
            raise MatlabError(
                f"MATLAB:{name}:PercentilesInvalid",
                "Percentiles must be two ascending numbers from 0 to 100.",
            )
        found = _quantiles(lines, bounds / 100, lines.ndim - 1)
        low, high = found[..., :1], found[..., 1:]
        return low, high, (low + high) / 2
    factor = _factor(name, named, 1.5 if method == "quartiles" else 3.0)
    if method == "quartiles":
        found = _quantiles(lines, np.array([0.25, 0.5, 0.75]), lines.ndim - 1)
        low, center, high = found[..., :1], found[..., 1:2], found[..., 2:]
        spread = factor * (high - low)
        return low - spread, high + spread, center
    if method.startswith("mov"):
        windows = _windows(lines, extra, {k: named[k] for k in named if k[0] == "S"}, True)
    else:
        end = np.array([lines.shape[-1]])
        windows = Windows(lines, 0 * end, end, True)
    if method.endswith("mean"):
        center, spread = _means(windows), _spreads(windows, False, True)
    else:
        center, spread = windows.map(_medians), _SCALE * windows.map(_absolute_deviations)
    return center - factor * spread, center + factor * spread, center


def _factor(name: str, named: dict[str, Any], default: float) -> float:
    if "ThresholdFactor" not in named:
        return default
    factor = scalar(named["ThresholdFactor"], "ThresholdFactor")
    if not factor >= 0:
        raise MatlabError(
            f"MATLAB:{name}:ThresholdFactorInvalid", "ThresholdFactor must be nonnegative."
        )
    return factor


def _tested(
    name: str, lines: Lines, method: str, named: dict[str, Any]
) -> tuple[NDArray[np.bool_], tuple[Lines, ...]]:
    """Return what tests take away, one extreme at a time, and the thresholds of what is left.

    F. E. Grubbs, Technometrics 11 (1969) 1; B. Rosner, Technometrics 25 (1983) 165.
    """
    alpha = _factor(name, named, 0.05)
    if alpha > 1:
        raise MatlabError(
            f"MATLAB:{name}:ThresholdFactorInvalid", "ThresholdFactor must be from 0 to 1."
        )
    shape = (*lines.shape[:-1], 1)
    results = tuple(np.empty(shape, lines.dtype) for _ in range(3))
    flags = np.zeros(lines.shape, np.bool_)
    for at in np.ndindex(*shape[:-1]):
        places = np.flatnonzero(~np.isnan(lines[at]))
        kept = lines[at][places]
        most = max(kept.size - 2, 0)
        if method == "gesd":
            given = named.get("MaxNumOutliers", float(np.ceil(kept.size / 10)))
            most = min(most, int(scalar(given, "MaxNumOutliers")))
        gone, values = _one_tested(kept, method, alpha, most)
        flags[at][places[gone]] = True
        for result, value in zip(results, values, strict=True):
            result[at] = value
    return flags, results


def _one_tested(
    kept: Lines, method: str, alpha: float, most: int
) -> tuple[list[int], tuple[float, ...]]:
    """Return the places of outliers, and the thresholds and the mean of the others."""
    stdtrit = libraries.special().stdtrit

    def limits(left: Lines) -> tuple[float, float]:
        """Return the mean and the greatest deviation that the test admits."""
        n = left.size
        if n < 3:
            return (left.mean() if n else np.nan), np.inf
        t = stdtrit(n - 2, alpha / (2 * n))
        admitted = (n - 1) / np.sqrt(n) * np.sqrt(t * t / (n - 2 + t * t))
        return left.mean(), admitted * left.std(ddof=1)

    order: list[int] = []
    outliers = 0
    for _ in range(most):
        rest = np.delete(kept, order)
        center, reach = limits(rest)
        farthest = int(np.argmax(np.abs(rest - center)))
        order.append(int(np.delete(np.arange(kept.size), order)[farthest]))
        if abs(rest[farthest] - center) > reach:
            outliers = len(order)
        elif method == "grubbs":
            break
    gone = order[:outliers]
    center, reach = limits(np.delete(kept, gone))
    return gone, (center - reach, center + reach, center)


@builtin(
    "isoutlier",
    family="arrays/outliers",
    nargin=(1, None),
    nargout=4,
    needs=("nargout",),
    effects="pure",
)
def isoutlier(x: Any, *args: Any, nargout: int) -> Any:
    """Which elements are far from the others.

    TF = isoutlier(A): by more than three scaled median absolute deviations from the median
    TF = isoutlier(A, METHOD): "median", "mean" (three standard deviations), "quartiles" (1.5 times
    the distance of the quartiles beyond them), "grubbs" or "gesd" (tests)
    TF = isoutlier(A, "percentiles", [P1 P2]), isoutlier(A, "movmedian", WINDOW) or "movmean"
    TF = isoutlier(…, DIM), isoutlier(…, "ThresholdFactor", P), "SamplePoints", "MaxNumOutliers"
    [TF, L, U, C] = isoutlier(…): the lower and the upper threshold and the centre, too

    Examples:
        >> isoutlier([57 59 60 100 59 58])
        ans =
          1×6 logical array
           0   0   0   1   0   0

    See also: rmoutliers, filloutliers, ismissing, median, mad.
    """
    outputs = _found("isoutlier", x, args).outputs()
    return outputs[:nargout] if nargout > 1 else outputs[0]


@builtin(
    "rmoutliers",
    family="arrays/outliers",
    nargin=(1, None),
    nargout=6,
    needs=("nargout",),
    effects="pure",
)
def rmoutliers(x: Any, *args: Any, nargout: int) -> Any:
    """An array without outliers: of a vector without these elements, of a matrix without the rows.

    B = rmoutliers(A), with the methods and options of isoutlier
    B = rmoutliers(…, 2) looks along rows and removes columns
    [B, TFRM, TF, L, U, C] = rmoutliers(…): what was removed, and the outputs of isoutlier

    Examples:
        >> rmoutliers([57 59 60 100 59 58])
        ans =
            57    59    60    59    58

    See also: isoutlier, filloutliers, rmmissing.
    """
    a = real(x, "rmoutliers")
    if a.ndim > 2:
        raise MatlabError("MATLAB:rmoutliers:NDArrays", "First argument must not be N-D.")
    found = _found("rmoutliers", x, args)
    if found.axis > 1:
        raise MatlabError("MATLAB:rmoutliers:DimensionInvalid", "Dimension must be 1 or 2.")
    gone = found.flags.any(axis=0)  # the last axis is the one along which they lie
    kept = np.compress(~gone, a, axis=found.axis)
    removed = gone.reshape((-1, 1) if found.axis == 0 else (1, -1))
    outputs = (from_numpy(kept), from_numpy(removed), *found.outputs())
    return outputs[:nargout] if nargout > 1 else outputs[0]


_FILLS = ("center", "clip", "previous", "next", "nearest", "linear")


@builtin(
    "filloutliers",
    family="arrays/outliers",
    nargin=(2, None),
    nargout=5,
    needs=("nargout",),
    effects="pure",
)
def filloutliers(x: Any, fill: Any, *args: Any, nargout: int) -> Any:
    """An array with its outliers replaced.

    B = filloutliers(A, V) puts the number V there
    B = filloutliers(A, FILL): "center" (what the method measures from), "clip" (the threshold that
    is passed), "previous", "next" or "nearest" (an element that is no outlier), "linear"
    B = filloutliers(A, FILL, …) with the methods and options of isoutlier
    [B, TF, L, U, C] = filloutliers(…): the outputs of isoutlier, too

    Examples:
        >> filloutliers([57 59 60 100 59 58], "linear")
        ans =
           57.0000   59.0000   60.0000   59.5000   59.0000   58.0000

    See also: isoutlier, rmoutliers, fillmissing.
    """
    found = _found("filloutliers", x, args)
    lines, flags = found.lines, found.flags
    if option(fill) is None:
        values: Any = scalar(fill, "FILL")
    else:
        how = choice(fill, _FILLS, "filloutliers")
        if how == "center":
            values = found.center
        elif how == "clip":
            values = np.where(lines > found.high, found.high, found.low)
        else:
            gaps = np.array(np.where(flags, np.nan, lines), order="F")
            values = real(filled(from_numpy(gaps), Filling(how), lines.ndim - 1)[0], "filloutliers")
    result = np.where(flags, values, lines).astype(lines.dtype)
    outputs = (from_numpy(np.moveaxis(result, -1, found.axis)), *found.outputs())
    return outputs[:nargout] if nargout > 1 else outputs[0]
