"""Data made smooth by averages and fits in windows that move along a dimension: smoothdata."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins.arguments import as_float, dimension, first_axis, option, real, scalar
from runmat_core.builtins.arrays.moving import _means, _medians, _sample_points, reach_of
from runmat_core.builtins.arrays.windows import Windows, bounds, even_bounds
from runmat_core.builtins.named import match, pairs
from runmat_core.values import from_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.time.duration import Duration

Lines = NDArray[Any]

_METHODS = (
    *("movmean", "movmedian", "gaussian", "lowess", "loess", "rlowess", "rloess", "sgolay"),
)
_FLAGS = ("omitnan", "includenan", "omitmissing", "includemissing")
_NAMES = ("SamplePoints", "SmoothingFactor", "Degree")

#: Rounds of weights by residuals in the robust fits.
_ROUNDS = 5


@attrs.frozen
class _Fit:
    """Weighted polynomials through the elements of each window.

    Attributes:
        windows: the windows, one for each element.
        points: the coordinates of the elements.
        length: the whole length of a window.
    """

    windows: Windows
    points: Lines
    length: float

    def of(self, degree: int, kind: str, trust: Lines | None = None) -> Lines:
        """Return the value at each element of the fit to its window.

        `trust` weighs all elements.
        """
        lines = self.windows.lines
        result = np.full(lines.shape, np.nan, lines.dtype)
        for at in np.ndindex(lines.shape[:-1]):
            weigh = None if trust is None else trust[at]
            for k in range(lines.shape[-1]):
                result[(*at, k)] = self._one(lines[at], k, degree, kind, weigh)
        return result

    def _one(self, line: Lines, k: int, degree: int, kind: str, trust: Lines | None) -> Any:
        part = slice(int(self.windows.low[k]), int(self.windows.high[k]))
        values, distance = line[part], self.points[part] - self.points[k]
        weights = self._weights(distance, kind)
        if trust is not None:
            weights = weights * trust[part]
        missing = np.isnan(values)
        if missing.any():
            if not self.windows.omit:
                return np.nan
            values, distance, weights = values[~missing], distance[~missing], weights[~missing]
        used = weights > 0
        if not used.any():
            return np.nan
        values, distance, weights = values[used], distance[used], weights[used]
        if kind == "gaussian":
            return (weights * values).sum() / weights.sum()
        order = min(degree, np.unique(distance).size - 1)
        root = np.sqrt(weights)
        scale = np.abs(distance).max() or 1.0
        powers = np.vander(distance / scale, order + 1, increasing=True)
        return np.linalg.lstsq(powers * root[:, None], values * root, rcond=None)[0][0]

    def _weights(self, distance: Lines, kind: str) -> Lines:
        if kind == "gaussian":
            return np.asarray(np.exp(-0.5 * (distance * 5 / self.length) ** 2))
        if kind == "even":
            return np.ones(distance.shape)
        # cubes of cubes, by W. S. Cleveland; the farthest element counts a little
        most = np.abs(distance).max() * (1 + 1e-9) or 1.0
        return np.asarray((1 - (np.abs(distance) / most) ** 3) ** 3)


def _robust(fit: _Fit, degree: int) -> Lines:
    """Fits again with less trust in elements that lie far off, by W. S. Cleveland's bisquares."""
    lines = fit.windows.lines
    found = fit.of(degree, "cubes")
    for _ in range(_ROUNDS):
        rest = np.abs(lines - found)
        # where the fit is exact only rounding is left, which tells nothing
        exact = rest <= 1e-10 * np.nanmax(np.abs(lines), axis=-1, keepdims=True)
        rest = np.where(exact, 0, rest)
        middle = np.nanmedian(rest, axis=-1, keepdims=True)
        distance = np.where(middle > 0, rest / (6 * middle), np.where(rest > 0, 1, 0))
        trust = np.where(np.isnan(rest), 0, np.maximum(1 - distance**2, 0) ** 2)
        found = fit.of(degree, "cubes", trust)
    return found


def _window_from(lines: Lines, factor: float) -> float:
    """Return a window for a smoothing factor: the number of elements in which data stay much alike.

    That is twice the wavelength at which the power of a part of the largest frequencies, the
    factor, begins.
    """
    count = lines.shape[-1]
    flat = np.nan_to_num(lines.reshape(-1, count).astype(np.float64))
    power = (np.abs(np.fft.rfft(flat - flat.mean(axis=1, keepdims=True))) ** 2).sum(axis=0)[1:]
    if not power.sum() > 0 or factor == 0:
        return 1.0
    share = np.cumsum(power) / power.sum()
    first = int(np.argmax(share >= 1 - factor)) + 1
    return float(np.clip(np.floor(count / first / 2), 1, count))


def _smooth(lines: Lines, method: str, window: Any, named: dict[str, Any], omit: bool) -> Lines:
    count = lines.shape[-1]
    given = named.get("SamplePoints")
    points = np.arange(float(count)) if given is None else _sample_points(given, count)
    back, on, half_open = reach_of(window, given is None)
    if given is None:
        low, high = even_bounds(count, back, on, half_open)
    else:
        low, high = bounds(points, back, on, half_open)
    windows = Windows(lines, low, high, omit)
    if method == "movmean":
        return _means(windows)
    if method == "movmedian":
        return windows.map(_medians)
    length = back + on + (0 if half_open or given is not None else 1)
    fit = _Fit(windows, points, length)
    if method == "gaussian":
        return fit.of(0, "gaussian")
    if method == "sgolay":
        degree = scalar(named["Degree"], "Degree") if "Degree" in named else 2.0
        if degree % 1 or degree < 0:
            raise MatlabError(
                "MATLAB:smoothdata:negativeDegree", "Degree must be a nonnegative integer."
            )
        return fit.of(int(degree), "even")
    degree = 2 if method.endswith("loess") and not method.endswith("lowess") else 1
    return _robust(fit, int(degree)) if method[0] == "r" else fit.of(int(degree), "cubes")


def _factor(named: dict[str, Any]) -> float:
    factor = (
        scalar(named["SmoothingFactor"], "SmoothingFactor") if "SmoothingFactor" in named else 0.25
    )
    if not 0 <= factor <= 1:
        raise MatlabError(
            "MATLAB:smoothdata:SmoothingFactorInvalid", "SmoothingFactor must be from 0 to 1."
        )
    return factor


@builtin(
    "smoothdata",
    family="arrays/outliers",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def smoothdata(x: Any, *args: Any, nargout: int) -> Any:
    """Noisy data made smooth, in windows that get shorter at the ends.

    B = smoothdata(A), B = smoothdata(A, DIM), B = smoothdata(…, METHOD),
    B = smoothdata(…, METHOD, WINDOW) with a length K or [KB KF] elements before and after
    METHOD is "movmean" (the default), "movmedian", "gaussian" (with a standard deviation of a
    fifth of the window), "lowess" and "loess" (lines and parabolas by weighted least squares),
    "rlowess" and "rloess" (the same, robust) or "sgolay" (polynomials by least squares)
    smoothdata(…, "omitnan") is the default, smoothdata(…, "includenan")
    smoothdata(…, "SmoothingFactor", F) from 0 to 1 (0.25): a window is found in the data where none
    is given; smoothdata(…, "Degree", D) is that of "sgolay" (2)
    smoothdata(…, "SamplePoints", T) measures windows in the coordinates T
    [B, WINDOW] = smoothdata(…) gives the window too

    Examples:
        >> smoothdata([1 5 3 7 2], "movmean", 3)
        ans =
            3.0000    3.0000    5.0000    4.0000    4.5000

    See also: movmean, movmedian, filloutliers, islocalmax, filter.
    """
    a = as_float(real(x, "smoothdata"))
    rest = list(args)
    axis = dimension(rest.pop(0)) if rest and option(rest[0]) is None else first_axis(a.shape)
    method, window = "movmean", None
    word = option(rest[0]) if rest else None
    if word is not None and not any(n.lower().startswith(word) for n in (*_NAMES, *_FLAGS)):
        method = match(word, _METHODS, "smoothdata")
        rest.pop(0)
        if rest and option(rest[0]) is None:
            window = rest.pop(0)
    if rest and option(rest[0]) is None:
        raise too_many_inputs()
    named, flags = pairs(rest, _NAMES, "smoothdata", _FLAGS)
    factor = _factor(named)
    if axis >= a.ndim:
        a, axis = a[..., None], a.ndim
    lines = np.moveaxis(a, axis, -1)
    if window is None:
        step = 1.0
        if "SamplePoints" in named and lines.shape[-1] > 1:
            points = _sample_points(named["SamplePoints"], lines.shape[-1])
            step = float(points[-1] - points[0]) / (points.size - 1)
        window = step * _window_from(lines, factor) if lines.size else 1.0
        if isinstance(named.get("SamplePoints"), ArrayObject):
            window = Duration(window)
    omit = not flags or flags[-1].startswith("omit")
    with np.errstate(all="ignore"):
        found = _smooth(lines, method, window, named, omit) if lines.size else lines
    result = from_numpy(np.moveaxis(found, -1, axis).astype(a.dtype))
    return (result, window) if nargout > 1 else result
