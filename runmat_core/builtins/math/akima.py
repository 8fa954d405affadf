"""Modified Akima interpolation on grids of several dimensions.

H. Akima, "A method of bivariate interpolation and smooth surface fitting based on local
procedures", Communications of the ACM 17 (1974): slopes and mixed slopes at a node are means of the
divided differences around it, and make a Hermite polynomial of each cell. The weights are those of
the modified formula, which keeps flat stretches flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.bins import intervals

Table = NDArray[Any]

#: Nodes that are added beyond each end, so that every node has two differences on each side.
_MORE = 2


def _extended(x: Table, v: Table, axis: int) -> tuple[Table, Table]:
    """Return a table with nodes beyond its ends, whose differences go on as before."""
    lines = np.moveaxis(v, axis, 0)
    for _ in range(_MORE):
        for at in (0, -1):
            ends, values = (x, lines) if at == 0 else (x[::-1], lines[::-1])
            step = ends[1] - ends[0]
            slope = (values[1] - values[0]) / step
            if ends.size > 2:
                slope = 2 * slope - (values[2] - values[1]) / (ends[2] - ends[1])
            ends = np.concatenate([[ends[0] - step], ends])
            values = np.concatenate([(values[0] - slope * step)[None], values])
            x, lines = (ends, values) if at == 0 else (ends[::-1], values[::-1])
    return x, np.moveaxis(lines, 0, axis)


def _differences(x: Table, v: Table, axis: int) -> Table:
    steps = np.diff(x).reshape([-1 if k == axis else 1 for k in range(v.ndim)])
    return np.asarray(np.diff(v, axis=axis) / steps)


def _weights(x: Table, v: Table, axis: int) -> tuple[Table, Table]:
    """Return the weights of the differences beside each node, two at each end left out."""
    slopes = np.moveaxis(_differences(x, v, axis), axis, 0)
    size = np.abs(np.diff(slopes, axis=0)) + np.abs(slopes[1:] + slopes[:-1]) / 2
    before, after = size[2:], size[:-2]  # each counts by how much the others change
    total = before + after
    with np.errstate(all="ignore"):
        # where nothing changes both count the same, for mixed slopes are not zero there
        shares = [np.where(total == 0, 0.5, part / total) for part in (before, after)]
    return np.moveaxis(shares[0], 0, axis), np.moveaxis(shares[1], 0, axis)


def _slopes(grid: Sequence[Table], v: Table) -> dict[tuple[bool, ...], Table]:
    """Values, slopes and mixed slopes at the nodes, by the axes that they are slopes along."""
    rank = len(grid)
    inner = tuple(slice(_MORE, -_MORE) for _ in grid)
    shares = []
    for axis, x in enumerate(grid):
        around = tuple(slice(None) if k == axis else inner[k] for k in range(rank))
        shares.append(_weights(x, v[around], axis))
    found = {}
    for along in product((False, True), repeat=rank):
        axes = [axis for axis in range(rank) if along[axis]]
        differences = v
        for axis in axes:
            differences = _differences(grid[axis], differences, axis)
        total: Table = np.zeros([x.size - 2 * _MORE for x in grid], v.dtype)
        for sides in product((0, 1), repeat=len(axes)):
            part = list(inner)
            weight: Table = np.ones(1)
            for axis, side in zip(axes, sides, strict=True):
                # of one difference less than there are nodes, those before and after each
                stop = grid[axis].size - 1 - _MORE + side
                part[axis] = slice(_MORE - 1 + side, stop)
                weight = weight * shares[axis][side]
            total = total + weight * differences[tuple(part)]
        found[along] = total
    return found


def modified_akima(grid: Sequence[Table], v: Table, points: Sequence[Table]) -> Table:
    """Values at points (a vector of coordinates for each dimension); outer cells go on."""
    for axis, x in enumerate(grid):
        grid = [*grid]
        grid[axis], v = _extended(x, v, axis)
    with np.errstate(all="ignore"):
        slopes = _slopes(grid, v)
    cells, shapes = [], []
    for x, q in zip(grid, points, strict=True):
        x = x[_MORE:-_MORE]
        k = intervals(q, x)
        width = x[k + 1] - x[k]
        t = (q - x[k]) / width
        value = (1 + 2 * t) * (1 - t) ** 2
        cells.append(k)
        # by the end of the cell, what its value and its slope count
        shapes.append([(value, width * t * (1 - t) ** 2), (1 - value, width * t * t * (t - 1))])
    total: Table = np.zeros(points[0].shape, v.dtype)
    for corner in product((0, 1), repeat=len(grid)):
        at = tuple(k + end for k, end in zip(cells, corner, strict=True))
        for along, table in slopes.items():
            weight: Table = np.ones(1)
            for shape, end, slope in zip(shapes, corner, along, strict=True):
                weight = weight * shape[end][slope]
            total = total + weight * table[at]
    return total
