"""Coefficients of piecewise cubics through data: splines, shape-preserving ones, and Akima's.

Values that are not finite give pieces that are not: a spline depends on all values of its column,
the others on those beside a piece alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]

#: Methods whose pieces are cubics of their own.
SMOOTH = ("spline", "pchip", "makima")


def cubic_pieces(x: Numbers, y: Numbers, method: str) -> tuple[Numbers, Numbers]:
    """Breaks, and coefficients of size ``(pieces, values, order)``, highest power first.

    Args:
        x: two or more ascending sites.
        y: a row of values for each site; with two rows more, those of a spline's end slopes.
        method: one of `SMOOTH`.
    """
    with np.errstate(all="ignore"):
        if method == "spline":
            found = _spline(x, y)
        elif np.iscomplexobj(y):
            parts = [_hermite(x, part, method) for part in (y.real, y.imag)]
            found = np.empty(parts[0].shape, np.complex128)
            found.real, found.imag = parts
        else:
            found = _hermite(x, y, method)
    return (x if found.shape[0] == x.size - 1 else x[[0, -1]]), found


def _spline(x: Numbers, y: Numbers) -> Numbers:
    """Not-a-knot, or with given slopes at the ends."""
    clamped = y.shape[0] == x.size + 2
    if x.size == 2 and not clamped:
        return np.stack([(y[1] - y[0]) / (x[1] - x[0]), y[0]], axis=-1)[None]
    if x.size == 3 and not clamped:
        # a parabola; its two pieces are one
        steps, first = np.diff(x), np.diff(y, axis=0) / np.diff(x)[:, None]
        second = (first[1] - first[0]) / (x[2] - x[0])
        return np.stack([second, first[0] - second * steps[0], y[0]], axis=-1)[None]
    if np.isfinite(y).all() and np.isfinite(x).all():
        return _through(x, y, clamped)
    usable = np.isfinite(y).all(axis=0) & np.isfinite(x).all()
    kind = np.complex128 if np.iscomplexobj(y) else np.float64
    found: Numbers = np.full((x.size - 1, y.shape[1], 4), np.nan, kind)
    if usable.any():
        found[:, usable] = _through(x, y[:, usable], clamped)
    return found


def _through(x: Numbers, y: Numbers, clamped: bool) -> Numbers:
    from scipy.interpolate import CubicSpline

    values = y[:, 0] if y.shape[1] == 1 else y  # one axis takes less time
    if clamped:
        spline = CubicSpline(x, values[1:-1], bc_type=((1, values[0]), (1, values[-1])))
    else:
        spline = CubicSpline(x, values, bc_type="not-a-knot")
    return np.moveaxis(np.asarray(spline.c).reshape(4, x.size - 1, -1), 0, -1)


def _hermite(x: Numbers, y: Numbers, method: str) -> Numbers:
    """The cubics with the slopes that a method gives real values at the sites."""
    widths = np.diff(x)[:, None]
    rises = np.diff(y, axis=0) / widths
    if x.size == 2:
        slopes = np.concatenate([rises, rises])
    else:
        slopes = (_monotonic if method == "pchip" else _akima)(widths, rises)
    first, second = (rises - slopes[:-1]) / widths, (slopes[1:] - rises) / widths
    return np.stack([(second - first) / widths, 2 * first - second, slopes[:-1], y[:-1]], axis=-1)


def _monotonic(widths: Numbers, rises: Numbers) -> Numbers:
    """Slopes that keep the shape of the data.

    F. N. Fritsch and J. Butland, SIAM Journal on Scientific and Statistical Computing 5 (1984):
    weighted harmonic means of the differences, zero where these change their sign.
    """
    before, after = rises[:-1], rises[1:]
    both = widths[:-1] + widths[1:]
    least = np.minimum(np.abs(before), np.abs(after))
    most = np.maximum(np.abs(before), np.abs(after))
    weighted = (widths[:-1] + both) * (before / most) + (widths[1:] + both) * (after / most)
    inner = np.where(np.sign(before) * np.sign(after) > 0, least * 3 * both / weighted, 0.0)
    ends = [
        _end_slope(widths[0], widths[1], rises[0], rises[1]),
        _end_slope(widths[-1], widths[-2], rises[-1], rises[-2]),
    ]
    return np.concatenate([ends[0][None], inner, ends[1][None]])


def _end_slope(width: Numbers, next_width: Numbers, rise: Numbers, next_rise: Numbers) -> Numbers:
    """The slope at an end, of a parabola unless that would not keep the shape."""
    slope = ((2 * width + next_width) * rise - width * next_rise) / (width + next_width)
    steep = (np.sign(rise) != np.sign(next_rise)) & (np.abs(slope) > np.abs(3 * rise))
    slope = np.where(steep, 3 * rise, slope)
    return np.asarray(np.where(np.sign(slope) == np.sign(rise), slope, 0.0))


def _akima(_: Numbers, rises: Numbers) -> Numbers:
    """Slopes of the modified formula of Akima, which keeps flat stretches flat."""
    start = 2 * rises[0] - rises[1]
    stop = 2 * rises[-1] - rises[-2]
    before = [2 * start - rises[0], start]
    after = [stop, 2 * stop - rises[-1]]
    rises = np.concatenate([np.stack(before), rises, np.stack(after)])
    weights = np.abs(np.diff(rises, axis=0)) + np.abs(rises[:-1] + rises[1:]) / 2
    left, right = weights[2:], weights[:-2]
    total = left + right
    means = (left / total) * rises[1:-2] + (right / total) * rises[2:-1]
    return np.asarray(np.where(total == 0, 0.0, means))
