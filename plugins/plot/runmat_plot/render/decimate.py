"""Fewer points where many fall on one column of pixels, or on one pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]

#: Lines with no more points are drawn as they are.
FEW = 20000


def thinned(points: Numbers, cell: float = 1.0) -> Numbers | None:
    """Which of many points to draw: the last of those in each cell, in order; None for all.

    Symbols of one look that begin in the same pixel lie on each other.
    """
    count = len(points)
    if count <= FEW:
        return None
    low = points.min(axis=0)
    places = ((points - low) / cell).astype(np.int64)
    wide, high = (int(n) + 1 for n in places.max(axis=0))
    if wide * high > 50_000_000:
        return None
    last = np.full(wide * high, -1, np.int64)
    last[places[:, 1] * wide + places[:, 0]] = np.arange(count)
    return np.sort(last[last >= 0])


def decimated(points: Numbers, columns: float) -> Numbers:
    """The first, lowest, highest and last point of a line in each column of pixels.

    Lines that go back along x are left as they are.
    """
    count = len(points)
    if count <= FEW or not columns > 0:
        return points
    x, y = points[:, 0], points[:, 1]
    if not np.all(np.isfinite(points[[0, -1]])):
        return points
    step = np.diff(x)
    if not (step >= 0).all() or np.isnan(y).any():
        return _moving(points)
    cells = np.floor(x - x[0]).astype(np.int64)
    starts = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))
    if starts.size * 4 >= count:
        return points
    ends = np.append(starts[1:], count) - 1
    low, high = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    made = np.empty((starts.size, 4, 2))
    made[:, :, 0] = x[starts][:, None]
    made[:, 3, 0] = x[ends]
    made[:, 0, 1], made[:, 1, 1], made[:, 2, 1], made[:, 3, 1] = y[starts], low, high, y[ends]
    return made.reshape(-1, 2)


def _moving(points: Numbers) -> Numbers:
    """The points of a line but for those that lie in the pixel of the one before and after."""
    cells = np.floor(points)
    same = (cells[1:] == cells[:-1]).all(axis=1)
    kept = np.ones(len(points), bool)
    kept[1:-1] = ~(same[:-1] & same[1:])
    return points[kept]
