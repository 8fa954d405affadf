"""What of a line lies in a polyshape, and what outside."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from runmat_core.builtins.geometry.overlay import Point, Ring, Segment, cross, cut, minus
from runmat_core.values import from_numpy


def split(rings: Sequence[Ring], line: Ring) -> tuple[Any, Any]:
    """Return the parts of a line of several points that lie inside and outside, as MATLAB values.

    Parts stand below each other with a row of NaN between. What lies on an edge is inside.
    """
    edges = [edge for ring in rings for edge in _edges(ring)]
    points = _exact(line)
    parts: dict[bool, list[list[Point]]] = {True: [], False: []}
    last: bool | None = None
    for segment in pairwise(points):
        if segment[0] == segment[1]:
            continue
        for start, end in _pieces(segment, edges):
            middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            inside = _holds(edges, middle)
            if inside is not last:
                parts[inside].append([start])
            elif start != segment[0]:
                parts[inside][-1].pop()  # a cut that nothing ends at
            parts[inside][-1].append(end)
            last = inside
    return _rows(parts[True]), _rows(parts[False])


def _exact(points: Ring) -> list[Point]:
    return [(Fraction(x), Fraction(y)) for x, y in points.tolist()]


def _edges(ring: Ring) -> list[Segment]:
    points = _exact(ring)
    return [(points[k - 1], p) for k, p in enumerate(points) if points[k - 1] != p]


def _pieces(segment: Segment, edges: Sequence[Segment]) -> list[Segment]:
    cuts: set[Point] = set(segment)
    for edge in edges:
        cut(segment, edge, cuts, set())
    way = sorted(cuts, reverse=segment[0] > segment[1])
    return list(pairwise(way))


def _holds(edges: Sequence[Segment], point: Point) -> bool:
    odd = False
    for a, b in edges:
        turn = cross(minus(b, a), minus(point, a))
        if not turn and min(a, b) <= point <= max(a, b):
            return True
        if (a[1] > point[1]) != (b[1] > point[1]) and (turn > 0) == (b[1] > a[1]):
            odd = not odd
    return odd


def _rows(parts: Sequence[Sequence[Point]]) -> Any:
    rows: list[tuple[float, float]] = []
    for part in parts:
        rows += [(np.nan, np.nan)] if rows else []
        rows += [(float(x), float(y)) for x, y in part]
    return from_numpy(np.array(rows).reshape(-1, 2))
