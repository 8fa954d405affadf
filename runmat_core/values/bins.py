"""Which of the bins between edges numbers lie in, and how many lie in each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.tuples import NamedTuple

Numbers = NDArray[Any]
Places = NDArray[np.intp]

#: Numbers from which a table pays.
_FEW = 512
#: Cells for each edge that are tried, the most of them where there are not more numbers, and the
#: most edges in a cell.
_FINER, _CELLS, _SHARED = (2, 16, 128), 1 << 12, 2
#: Numbers whose temporaries a cache holds, where they are placed and where they are sorted.
_PART, _SORTED = 1 << 15, 1 << 16


class _Table(NamedTuple):
    """Cells of one width between the first edge and the last, for finding edges without a search.

    The cell of a number is computed by operations that rise with it, rounded or not. So edges in
    cells before that of a number are not above it, and edges in cells behind are: it is left to
    compare with those in its own.

    Attributes:
        edges: as doubles, with NaN behind them, which no number reaches.
        scale: cells for each unit.
        before: how many edges are in the cells before each.
        shared: the most edges in a cell.
    """

    edges: Numbers
    scale: float
    before: Places
    shared: int


def edges_below(data: Numbers, edges: Numbers) -> Places:
    """How many edges are not above each number; none for NaN.

    Args:
        data: real, of any shape.
        edges: one axis, of numbers that do not decrease.
    """
    table = _table(edges, data.size)
    if table is None:
        found = np.searchsorted(edges, data, side="right")
        np.copyto(found, 0, where=np.isnan(data))
        return found
    flat = data.ravel(order="F")
    with np.errstate(over="ignore"):
        parts = [at.copy() for _, at in _placed(flat, table)]
    return np.concatenate(parts).reshape(data.shape, order="F")


def intervals(points: Numbers, knots: Numbers) -> Places:
    """Return the interval between knots in which each point lies, or the outermost one next to it.

    Args:
        points: real, of any shape.
        knots: one axis, two or more numbers that do not decrease.
    """
    found = edges_below(points, knots)
    np.subtract(found, 1, out=found)
    return np.clip(found, 0, knots.size - 2, out=found)


def edge_reached(data: Numbers, edges: Numbers) -> Places:
    """Return the last edge that is not above each number, from one; zero outside of all edges."""
    at = edges_below(data, edges)
    if edges.size:
        np.copyto(at, 0, where=data > edges[-1])
    return at


def binned(data: Numbers, edges: Numbers, right: bool = False) -> Places:
    """Return the bin of each number, from one; zero outside. The outermost edges are in their bins.

    Args:
        right: an edge belongs to the bin before it, not to the one that it begins.
    """
    if right:
        at = np.searchsorted(edges, data, side="left")
        np.copyto(at, 1, where=data == edges[0])
        np.copyto(at, 0, where=~((data >= edges[0]) & (data <= edges[-1])))
        return at
    at = edge_reached(data, edges)
    np.copyto(at, edges.size - 1, where=data == edges[-1])
    return at


def counted(data: Numbers, edges: Numbers) -> Numbers:
    """How many numbers lie in each bin, as doubles; the last bin holds its right edge as well."""
    flat = data.ravel(order="K")
    table = _table(edges, flat.size)
    if table is None:
        return _counted_in_order(flat, edges)
    total = np.zeros(edges.size + 1, np.int64)
    with np.errstate(over="ignore"):
        for part, at in _placed(flat, table):
            total += np.bincount(at, minlength=total.size)
            total[-2] += np.count_nonzero(part == edges[-1])
    return total[1:-1].astype(np.float64)


def _counted_in_order(flat: Numbers, edges: Numbers) -> Numbers:
    """Return the same where edges lie anyhow.

    A part of the numbers is sorted, and the edges are looked for in it, which takes less time than
    to look for each number among the edges. NaN comes last, beyond the last edge.
    """
    below = np.zeros(edges.size, np.int64)
    for first in range(0, flat.size, _SORTED):
        ordered = np.sort(flat[first : first + _SORTED])
        below[:-1] += ordered.searchsorted(edges[:-1], "left")
        below[-1] += ordered.searchsorted(edges[-1], "right")
    return np.diff(below).astype(np.float64)


def _table(edges: Numbers, size: int) -> _Table | None:
    """Return what to place so many numbers with, None where a search takes less time."""
    known = edges.astype(np.float64)
    if size < _FEW or not 1 < known.size < size:
        return None
    with np.errstate(all="ignore"):
        width = known[-1] - known[0]
        for finer in _FINER:
            cells = finer * known.size
            scale = cells / width
            if not 0 < scale < np.inf or cells > max(size, _CELLS):
                return None
            at = (known - known[0]) * scale
            if not (at >= 0).all():  # NaN among them, or one below the first
                return None
            own = np.bincount(at.astype(np.intp), minlength=cells + 2)
            if own.max() <= _SHARED:
                before = np.cumsum(own) - own
                return _Table(np.append(known, np.nan), scale, before, int(own.max()))
    return None


def _placed(flat: Numbers, table: _Table) -> Iterator[tuple[Numbers, Places]]:
    """Parts of the numbers with their `edges_below`, which the next part overwrites."""
    edges, scale, before, shared = table
    size = min(flat.size, _PART)
    space, limits = np.empty(size), np.empty(size)
    cells, indices, reached = np.empty(size, np.intp), np.empty(size, np.intp), np.empty(size, bool)
    for first in range(0, flat.size, size):
        part = flat[first : first + size]
        stop = part.size
        t, limit, more = space[:stop], limits[:stop], reached[:stop]
        cell, at = cells[:stop], indices[:stop]
        np.subtract(part, edges[0], out=t)
        np.multiply(t, scale, out=t)
        np.fmax(t, 0.0, out=t)  # NaN before the first edge as well
        np.fmin(t, before.size - 1, out=t)
        np.copyto(cell, t, casting="unsafe")
        np.take(before, cell, out=at, mode="clip")
        for _ in range(shared):
            np.take(edges, at, out=limit, mode="clip")
            np.greater_equal(part, limit, out=more)
            np.add(at, more, out=at)
        yield part, at
