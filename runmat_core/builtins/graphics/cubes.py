"""Marching cubes: triangles on which a volume has a value.

The table of cases is made here and not written down: on each side of a cube the edges that the
surface cuts are joined in pairs, the pairs make up closed polygons, and these are cut into
triangles. Where all four edges of a side are cut, the corners below are kept apart; the rule looks
at the side alone, so the two cubes that share it agree, and the surface has no holes.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Corners of a cube as offsets along three axes, and edges as pairs of corners.
CORNERS = [(k & 1, k >> 1 & 1, k >> 2 & 1) for k in range(8)]
EDGES = [(a, a | 1 << axis) for axis in range(3) for a in range(8) if not a >> axis & 1]
_EDGE_OF = {frozenset(edge): k for k, edge in enumerate(EDGES)}


def _sides() -> list[list[int]]:
    """Return the corners of each side in order, counter-clockwise seen from outside."""
    sides = []
    for axis in range(3):
        u, v = 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
        sides.append([0, v, u | v, u])
        high = 1 << axis
        sides.append([high, high | u, high | u | v, high | v])
    return sides


_SIDES = _sides()


@cache
def triangles_of(case: int) -> tuple[tuple[int, int, int], ...]:
    """Triangles, as edges of the cube, where bit k of `case` says that corner k is above."""
    follower: dict[int, int] = {}
    for side in _SIDES:
        above = [case >> corner & 1 for corner in side]
        cut = [_EDGE_OF[frozenset((side[k], side[(k + 1) % 4]))] for k in range(4)]
        # entering where the boundary goes down, leaving at the next place where it goes up
        for k in range(4):
            if above[k] and not above[(k + 1) % 4]:
                up = next(
                    m % 4 for m in range(k + 1, k + 4) if not above[m % 4] and above[(m + 1) % 4]
                )
                follower[cut[k]] = cut[up]
    found = []
    while follower:
        first, at = follower.popitem()
        polygon = [first]
        while at != first:
            polygon.append(at)
            at = follower.pop(at)
        found += [(polygon[0], polygon[k], polygon[k + 1]) for k in range(1, len(polygon) - 1)]
    return tuple(found)


def level_surface(v: Numbers, level: float) -> tuple[Indices, Numbers]:
    """Triangles and points of the surface on which `v` is `level`.

    Returns:
        Triangles as rows of indices of points, and points as subscripts from zero.
    """
    above = v >= level
    known = np.isfinite(v)
    cells = tuple(extent - 1 for extent in v.shape)
    case = np.zeros(cells, np.int64)
    whole = np.ones(cells, bool)
    for k, offsets in enumerate(CORNERS):
        part = tuple(slice(o, o + n) for o, n in zip(offsets, cells, strict=True))
        case += above[part].astype(np.int64) << k
        whole &= known[part]
    case[~whole] = 0
    ends = [np.zeros((0, 3, 2), np.intp)]
    for kind in np.unique(case).tolist():
        table = triangles_of(kind)
        if table:
            ends.append(_placed(np.argwhere(case == kind), table, v.shape))
    edges = np.concatenate(ends)
    unique, faces = np.unique(edges.reshape(-1, 2), axis=0, return_inverse=True)
    return faces.reshape(-1, 3), _crossings(unique, v, level)


def _placed(
    cells: Indices, table: tuple[tuple[int, int, int], ...], shape: tuple[int, ...]
) -> Indices:
    """Triangles of cells of one case; each corner is an edge, as its two points of the grid."""
    corner = np.stack(
        [np.ravel_multi_index(tuple((cells + np.array(offset)).T), shape) for offset in CORNERS],
        axis=1,
    )
    ends = np.array([[EDGES[edge] for edge in triangle] for triangle in table])
    return np.asarray(corner[:, ends].reshape(-1, 3, 2))


def _crossings(edges: Indices, v: Numbers, level: float) -> Numbers:
    """Where the level is met on edges of the grid."""
    flat = v.ravel()
    a, b = flat[edges[:, 0]], flat[edges[:, 1]]
    with np.errstate(all="ignore"):
        t = np.where(a == b, 0.5, (level - a) / (b - a))
    first, last = (
        np.stack(np.unravel_index(edges[:, k], v.shape), axis=1).astype(np.float64) for k in (0, 1)
    )
    return np.asarray(first + t[:, None] * (last - first))
