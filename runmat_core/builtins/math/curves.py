"""Coefficients of piecewise cubics through data: splines, shape-preserving ones, and Akima's.

Values that are not finite give pieces that are not: a spline depends on all values of its column,
the others on those beside a piece alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.lapack import lapack

Numbers = NDArray[Any]

#: Methods whose pieces are cubics of their own.
SMOOTH = ("spline", "pchip", "makima")


def cubic_pieces(x: Numbers, y: Numbers, method: str) -> tuple[Numbers, Numbers]:
    """Return breaks, and coefficients of size ``(pieces, values, order)``, highest power first.

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
    """Return the cubics whose second derivatives agree where pieces meet."""
    kind = np.complex128 if np.iscomplexobj(y) else np.float64
    x, y = x.astype(np.float64, copy=False), y.astype(kind, copy=False)
    ends = (y[0], y[-1]) if clamped else None
    values = y[1:-1] if clamped else y
    return from_slopes(x, values, _smooth_slopes(x, values, ends))


def _smooth_slopes(x: Numbers, y: Numbers, ends: tuple[Numbers, Numbers] | None) -> Numbers:
    """Return the slopes of a spline, given at the ends or not-a-knot."""
    steps = np.diff(x)
    h, d = steps[:, None], np.diff(y, axis=0) / steps[:, None]
    right = np.empty_like(y)
    right[1:-1] = 3 * (h[1:] * d[:-1] + h[:-1] * d[1:])
    lower = np.append(steps[1:], 0.0)
    upper = np.append(0.0, steps[:-1])
    diagonal = np.empty(x.size)
    diagonal[1:-1] = 2 * (steps[1:] + steps[:-1])
    if ends is not None:
        diagonal[0] = diagonal[-1] = 1.0
        right[0], right[-1] = ends
        upper[0] = lower[-1] = 0.0
    else:
        # the first two pieces are one cubic, and so are the last two
        diagonal[0], diagonal[-1] = steps[1], steps[-2]
        upper[0], lower[-1] = x[2] - x[0], x[-1] - x[-3]
        right[0] = _not_a_knot(h[0], h[1], d[0], d[1])
        right[-1] = _not_a_knot(h[-1], h[-2], d[-1], d[-2])
    solved = lapack("gtsv", right.dtype)(lower, diagonal, upper, right)
    return np.asarray(solved[3])


def _not_a_knot(h: Numbers, next_h: Numbers, d: Numbers, next_d: Numbers) -> Numbers:
    both = h + next_h
    return np.asarray(((h + 2 * both) * next_h * d + h * h * next_d) / both)


def from_slopes(x: Numbers, y: Numbers, slopes: Numbers) -> Numbers:
    """Return the coefficients of the cubics with these values and slopes at the sites."""
    widths = np.diff(x)[:, None]
    rises = np.diff(y, axis=0) / widths
    first, second = (rises - slopes[:-1]) / widths, (slopes[1:] - rises) / widths
    return np.stack([(second - first) / widths, 2 * first - second, slopes[:-1], y[:-1]], axis=-1)


def _hermite(x: Numbers, y: Numbers, method: str) -> Numbers:
    """Return the cubics with the slopes that a method gives real values at the sites."""
    widths = np.diff(x)[:, None]
    rises = np.diff(y, axis=0) / widths
    if x.size == 2:
        slopes = np.concatenate([rises, rises])
    else:
        slopes = (_monotonic if method == "pchip" else _akima)(widths, rises)
    return from_slopes(x, y, slopes)


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
    """Return the slope at an end, of a parabola unless that would not keep the shape."""
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
