"""Piecewise cubics through points, by the slopes that they have there.

Points are a vector `x` in order; values are rows of a matrix `y`, a column for each curve.
Coefficients are ``(pieces, curves, order)``, the highest power of the distance from the left end
of a piece first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.bins import intervals
from runmat_core.values.lapack import lapack

Numbers = NDArray[Any]


def spline(x: Numbers, y: Numbers, ends: tuple[Numbers, Numbers] | None = None) -> Numbers:
    """Coefficients with continuous second derivatives: with slopes at the ends, or not-a-knot.

    Two points make a line and three a parabola, which is one piece.
    """
    x, y = _doubles(x), _doubles(y)
    if ends is None and x.size < 4:
        return _one_piece(x, y)
    return from_slopes(x, y, _smooth_slopes(x, y, ends))


def _doubles(a: Numbers) -> Numbers:
    return a.astype(np.complex128 if a.dtype.kind == "c" else np.float64, copy=False)


def _one_piece(x: Numbers, y: Numbers) -> Numbers:
    first = np.diff(y, axis=0) / np.diff(x)[:, None]
    if x.size == 2:
        return np.stack([first[0], y[0]], axis=-1)[None]
    second = (first[1] - first[0]) / (x[2] - x[0])
    return np.stack([second, first[0] - second * (x[1] - x[0]), y[0]], axis=-1)[None]


def _smooth_slopes(x: Numbers, y: Numbers, ends: tuple[Numbers, Numbers] | None) -> Numbers:
    """The slopes with which second derivatives agree where pieces meet."""
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


def shape_preserving(x: Numbers, y: Numbers) -> Numbers:
    """Coefficients that are monotonic where values are, by Fritsch and Carlson."""
    if y.dtype.kind == "c":
        return shape_preserving(x, y.real) + 1j * shape_preserving(x, y.imag)
    x, y = _doubles(x), _doubles(y)
    h = np.diff(x)[:, None]
    d = np.diff(y, axis=0) / h
    if x.size == 2:
        return from_slopes(x, y, np.concatenate([d, d]))
    slopes = np.empty_like(y)
    before, after = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    turning = ~(np.sign(d[:-1]) * np.sign(d[1:]) > 0)
    with np.errstate(all="ignore"):
        # the weighted harmonic mean of the differences on both sides
        means = (before + after) / (before / d[:-1] + after / d[1:])
    slopes[1:-1] = np.where(turning, 0.0, means)
    slopes[0] = _end_slope(h[0], h[1], d[0], d[1])
    slopes[-1] = _end_slope(h[-1], h[-2], d[-1], d[-2])
    return from_slopes(x, y, slopes)


def _end_slope(h: Numbers, next_h: Numbers, d: Numbers, next_d: Numbers) -> Numbers:
    """The slope of a parabola at an end, as far as it keeps the shape."""
    slope = ((2 * h + next_h) * d - h * next_d) / (h + next_h)
    limited = (np.sign(d) != np.sign(next_d)) & (np.abs(slope) > 3 * np.abs(d))
    return np.where(np.sign(slope) != np.sign(d), 0.0, np.where(limited, 3 * d, slope))


def modified_akima(x: Numbers, y: Numbers) -> Numbers:
    """Coefficients by Akima's slopes, with weights that keep flat stretches flat."""
    if y.dtype.kind == "c":
        return modified_akima(x, y.real) + 1j * modified_akima(x, y.imag)
    x, y = _doubles(x), _doubles(y)
    d = np.diff(y, axis=0) / np.diff(x)[:, None]
    if x.size == 2:
        return from_slopes(x, y, np.concatenate([d, d]))
    for _ in range(2):
        # beyond the ends differences go on changing as they did last
        d = np.concatenate([2 * d[:1] - d[1:2], d, 2 * d[-1:] - d[-2:-1]])
    sizes = np.abs(np.diff(d, axis=0)) + np.abs(d[1:] + d[:-1]) / 2
    before, after = sizes[2:], sizes[:-2]  # each side counts by how much the other one changes
    total = before + after
    with np.errstate(all="ignore"):
        slopes = (before * d[1:-2] + after * d[2:-1]) / total
    return from_slopes(x, y, np.where(total == 0, 0.0, slopes))


def from_slopes(x: Numbers, y: Numbers, slopes: Numbers) -> Numbers:
    """Coefficients of the cubics with these values and slopes."""
    h = np.diff(x)[:, None]
    d = np.diff(y, axis=0) / h
    first, last = slopes[:-1], slopes[1:]
    cubic = (first + last - 2 * d) / (h * h)
    square = (3 * d - 2 * first - last) / h
    return np.stack([cubic, square, first, y[:-1]], axis=-1)


def values_at(breaks: Numbers, coefficients: Numbers, at: Numbers) -> Numbers:
    """Values at a vector of points, a row for each; the outermost pieces go on."""
    piece = intervals(at, breaks)
    offset = (at - breaks[piece])[:, None]
    found = np.zeros((at.size, coefficients.shape[1]), np.result_type(coefficients, at))
    for k in range(coefficients.shape[2]):
        found = found * offset + coefficients[piece, :, k]
    return found
