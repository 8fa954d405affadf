"""Edges that a triangulation of points in the plane must have.

A Delaunay triangulation is changed by swapping the diagonals of quadrilaterals: first those that
cross an edge, then those around it that are not locally Delaunay: S. Sloan, "A fast algorithm for
generating constrained Delaunay triangulations", Computers & Structures 47 (1993).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Numbers = NDArray[np.intp]
Edge = tuple[int, int]


class Triangles:
    """Triangles in the plane, counter-clockwise, whose diagonals can be swapped.

    Attributes:
        apex: the third corner of the triangle to the left of each directed edge.
        beside: the points that edges join to each point.
        fixed: edges that are not swapped, the lesser number first.
    """

    def __init__(self, points: Points, triangles: Numbers) -> None:
        self.points: list[list[float]] = points.tolist()
        self.apex: dict[Edge, int] = {}
        self.beside: dict[int, set[int]] = {}
        self.fixed: set[Edge] = set()
        for a, b, c in triangles.tolist():
            self._add(a, b, c)

    def rows(self) -> Numbers:
        """Return the corners of each triangle, the least first."""
        found = [(a, b, c) for (a, b), c in self.apex.items() if a < b and a < c]
        return np.array(sorted(found), np.intp).reshape(-1, 3)

    def _add(self, a: int, b: int, c: int) -> None:
        for u, v, w in ((a, b, c), (b, c, a), (c, a, b)):
            self.apex[u, v] = w
            self.beside.setdefault(u, set()).add(v)
            self.beside.setdefault(v, set()).add(u)

    def side(self, a: int, b: int, c: int) -> int:
        """1 where `c` is to the left of the line from `a` to `b`, -1 to the right, 0 on it."""
        (ax, ay), (bx, by), (cx, cy) = self.points[a], self.points[b], self.points[c]
        left, right = (ax - cx) * (by - cy), (ay - cy) * (bx - cx)
        found = left - right
        if abs(found) <= 4e-16 * (abs(left) + abs(right)):
            fa, fb, fc = ([Fraction(x) for x in self.points[k]] for k in (a, b, c))
            exact = (fa[0] - fc[0]) * (fb[1] - fc[1]) - (fa[1] - fc[1]) * (fb[0] - fc[0])
            return int(exact > 0) - int(exact < 0)
        return 1 if found > 0 else -1

    def _encircled(self, a: int, b: int, c: int, d: int) -> bool:
        """Whether `d` is in the circle through `a`, `b` and `c`, which are counter-clockwise."""
        found, size = self._lifted([self.points[k] for k in (a, b, c, d)])
        if abs(found) <= 1e-14 * size:
            exact = [[Fraction(x) for x in self.points[k]] for k in (a, b, c, d)]
            found = self._lifted(exact)[0]
        return bool(found > 0)

    @staticmethod
    def _lifted(p: list[list[Any]]) -> tuple[Any, Any]:
        """Return the determinant of corners lifted to a paraboloid, and the size of its terms."""
        dx, dy = p[3]
        (ax, ay), (bx, by), (cx, cy) = ((x - dx, y - dy) for x, y in p[:3])
        squares = [x * x + y * y for x, y in ((ax, ay), (bx, by), (cx, cy))]
        minors = [bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx]
        terms = [s * m for s, m in zip(squares, minors, strict=True)]
        size = abs(bx * cy) + abs(by * cx) + abs(cx * ay) + abs(cy * ax) + abs(ax * by)
        return sum(terms), max(squares) * (size + abs(ay * bx))

    def _swap(self, u: int, v: int) -> Edge | None:
        """Swap the diagonal from `u` to `v`; the new one, None where the shape is not convex."""
        w, z = self.apex[u, v], self.apex[v, u]
        if self.side(z, w, u) <= 0 or self.side(w, z, v) <= 0:
            return None
        del self.apex[u, v], self.apex[v, u]
        self.beside[u].discard(v)
        self.beside[v].discard(u)
        self._add(w, u, z)
        self._add(z, v, w)
        return z, w

    def fix(self, a: int, b: int) -> None:
        """Make an edge from `a` to `b`, in parts where it meets other points."""
        while a != b:
            crossed, end = self._crossed(a, b)
            self._uncross(a, end, crossed)
            self.fixed.add((min(a, end), max(a, end)))
            a = end

    def _crossed(self, a: int, b: int) -> tuple[list[Edge], int]:
        """Return the edges that cross the line from `a` to `b`, and the first point on it."""
        if b in self.beside[a]:
            return [], b
        right, left = self._first(a, b)
        if left < 0:
            return [], right
        crossed = []
        while True:
            crossed.append((right, left))
            beyond = self.apex[left, right]
            side = self.side(a, b, beyond)
            if side == 0:
                return crossed, beyond
            if side > 0:
                left = beyond
            else:
                right = beyond

    def _first(self, a: int, b: int) -> Edge:
        """Return the first edge that the line crosses, or a point on it beside `a`, and -1."""
        (ax, ay), (bx, by) = self.points[a], self.points[b]
        for v in self.beside[a]:
            vx, vy = self.points[v]
            side = self.side(a, b, v)
            if side == 0 and (vx - ax) * (bx - ax) + (vy - ay) * (by - ay) > 0:
                return v, -1
            w = self.apex.get((a, v))
            if side < 0 and w is not None and self.side(a, b, w) > 0:
                return v, w
        raise LookupError("the line leaves the triangulation")

    def _uncross(self, a: int, b: int, crossed: list[Edge]) -> None:
        waiting = deque(crossed)
        new: list[Edge] = []
        while waiting:
            edge = waiting.popleft()
            if (min(edge), max(edge)) in self.fixed:
                raise LookupError("constraints cross")
            swapped = self._swap(*edge)
            if swapped is None:
                waiting.append(edge)
                continue
            z, w = swapped
            if not {a, b} & {z, w} and self.side(a, b, z) * self.side(a, b, w) < 0:
                waiting.append(swapped)
            else:
                new.append(swapped)
        self.fixed.add((min(a, b), max(a, b)))
        self.restore(new)

    def restore(self, edges: Iterable[Edge]) -> None:
        """Swap what is not locally Delaunay, from these edges on, but for fixed ones."""
        waiting = list(edges)
        while waiting:
            u, v = waiting.pop()
            if (min(u, v), max(u, v)) in self.fixed or (u, v) not in self.apex:
                continue
            if (v, u) not in self.apex:
                continue
            w, z = self.apex[u, v], self.apex[v, u]
            if self._encircled(u, v, w, z) and self._swap(u, v) is not None:
                waiting += [(u, z), (z, v), (v, w), (w, u)]


def parted(points: Points, edges: Numbers) -> tuple[Points, Numbers]:
    """Points and edges with those edges that cross cut where they do, at new points."""
    for _ in range(_ROUNDS):
        cut = _parted(points, edges) if len(edges) else None
        if cut is None:
            break
        points, edges = cut
    return points, edges


#: New points are rounded, so that parts of edges may cross again where many do.
_ROUNDS = 8


def _parted(points: Points, edges: Numbers) -> tuple[Points, Numbers] | None:
    near = 1e-12 * float(np.abs(points - points.mean(axis=0)).max())
    p, q = points[edges[:, 0]], points[edges[:, 1]]
    cuts: dict[int, list[tuple[float, int]]] = {}
    new: list[NDArray[np.float64]] = []
    for k in range(len(edges)):
        for along, number in _met(points, p[k], q[k], near):
            cuts.setdefault(k, []).append((along, number))
        rest = slice(k + 1, None)
        d, e, f = q[k] - p[k], q[rest] - p[rest], p[rest] - p[k]
        across = d[0] * e[:, 1] - d[1] * e[:, 0]
        with np.errstate(all="ignore"):
            s = (f[:, 0] * e[:, 1] - f[:, 1] * e[:, 0]) / across
            t = (f[:, 0] * d[1] - f[:, 1] * d[0]) / across
        apart = (edges[rest] != edges[k, 0]).all(axis=1) & (edges[rest] != edges[k, 1]).all(axis=1)
        few = 1e-12  # an end that lies on the other edge is a point of it
        inside = (s > few) & (s < 1 - few) & (t > few) & (t < 1 - few) & apart
        for other in np.flatnonzero(inside):
            place = p[k] + s[other] * d
            everything = np.concatenate([points, np.array(new).reshape(-1, 2)])
            distances = np.abs(everything - place).max(axis=1)
            number = int(distances.argmin())
            if distances[number] > near:
                number = len(everything)
                new.append(place)
            cuts.setdefault(k, []).append((float(s[other]), number))
            cuts.setdefault(k + 1 + int(other), []).append((float(t[other]), number))
    if not cuts:
        return None
    parts = []
    for k, (a, b) in enumerate(edges.tolist()):
        stops = [a, *(number for _, number in sorted(cuts.get(k, []))), b]
        parts += list(pairwise(stops))
    parts = [(a, b) for a, b in parts if a != b]
    made = np.concatenate([points, np.array(new).reshape(-1, 2)])
    return made, np.unique(np.sort(np.array(parts, np.intp), axis=1), axis=0)


def _met(points: Points, p: Points, q: Points, near: float) -> list[tuple[float, int]]:
    """Return the points between `p` and `q`, but for rounding, and how far along."""
    d = q - p
    length = float(np.hypot(*d))
    if not length:
        return []
    along, across = (points - p) @ d / length, (points - p) @ np.array([-d[1], d[0]]) / length
    on = (np.abs(across) <= near) & (along > near) & (along < length - near)
    return [(float(along[number]) / length, int(number)) for number in np.flatnonzero(on)]


def constrain(points: Points, triangles: Numbers, edges: Numbers) -> tuple[Numbers, Numbers]:
    """Triangles with given edges among theirs, and these edges, in parts where they meet points.

    Args:
        triangles: a Delaunay triangulation, counter-clockwise.

    Raises:
        LookupError: an edge leaves the triangulation, as that lacks points that are on one line.
    """
    made = Triangles(points, triangles)
    # of points at one place the triangulation has one
    _, at, same = np.unique(points, axis=0, return_index=True, return_inverse=True)
    used = np.zeros(len(points), bool)
    used[triangles.ravel()] = True
    stands = at.copy()
    for point in np.flatnonzero(used):
        stands[same.ravel()[point]] = point
    for a, b in stands[same.ravel()[edges]].tolist():
        if not (used[a] and used[b]):
            raise LookupError("a constraint ends at a point that is not in the triangulation")
        made.fix(a, b)
    # what Qhull takes for one circle may not be one by exact arithmetic
    made.restore(list(made.apex))
    return made.rows(), np.array(sorted(made.fixed), np.intp).reshape(-1, 2)


def inside(triangles: Numbers, edges: Numbers) -> NDArray[np.bool_]:
    """Which triangles a path from outside enters by an odd number of these edges."""
    walls = {(min(e), max(e)) for e in edges.tolist()}
    apex = {}
    for k, (a, b, c) in enumerate(triangles.tolist()):
        apex.update({(a, b): k, (b, c): k, (c, a): k})
    state = np.full(len(triangles), -1)
    waiting: deque[tuple[int, int]] = deque()
    for (a, b), k in apex.items():
        if (b, a) not in apex:
            wall = (min(a, b), max(a, b)) in walls
            (waiting.append if wall else waiting.appendleft)((k, int(wall)))
    while waiting:
        k, odd = waiting.popleft()
        if state[k] >= 0:
            continue
        state[k] = odd
        a, b, c = triangles[k].tolist()
        for u, v in ((a, b), (b, c), (c, a)):
            other = apex.get((v, u))
            if other is not None and state[other] < 0:
                wall = (min(u, v), max(u, v)) in walls
                # open areas first, so that a wall that ends nowhere parts nothing
                if wall:
                    waiting.append((other, 1 - odd))
                else:
                    waiting.appendleft((other, odd))
    return np.asarray(state == 1)
