"""Polygons laid over each other, by exact arithmetic.

Coordinates are taken for the rational numbers that they are, so which edges cross, what lies on
what, and what is inside follows without tolerances; corners are rounded at the very end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ring = NDArray[np.float64]
Point = tuple[Fraction, Fraction]
Segment = tuple[Point, Point]
#: How often what lies around a place winds round it, for each of the operands.
Winding = tuple[int, ...]
Rule = Callable[[Winding], bool]

#: How often what was rounded is laid over itself.
_PASSES = 3
#: Products below this may have lost digits.
_TINY = 1e-290
_ROUNDING = 8 * float(np.finfo(float).eps)


def overlay(
    operands: Sequence[Sequence[Ring]], inside: Rule, collinear: bool = False
) -> list[Ring]:
    """Return the boundaries of where a rule of windings holds, solid ones clockwise, holes not.

    Args:
        operands: closed rings, without their first corner again at the end.
        inside: which windings (counter-clockwise is positive) count as inside.
        collinear: whether to keep corners at which nothing turns.
    """
    for _ in range(_PASSES):
        pieces = _pieces(operands)
        edges = _borders(pieces, len(operands), inside)
        loops = [ring for walk in _walks(edges) for ring in _loops(walk)]
        made = [_rounded(ring, collinear) for ring in loops]
        rings = sorted((ring for ring, _ in made if len(ring) > 2), key=_order)
        if all(exact for _, exact in made):
            break
        # corners that moved by a rounding may have closed a crack, or come to lie on an edge
        operands, inside = [rings], _is_odd
    return rings


def _is_odd(windings: Winding) -> bool:
    return windings[0] % 2 == 1


def _order(ring: Ring) -> tuple[bool, list[float]]:
    return signed_area(ring) > 0, ring[0].tolist()


def signed_area(ring: Ring) -> Fraction:
    """Exactly; positive for a counter-clockwise ring."""
    return _area_of([(Fraction(x), Fraction(y)) for x, y in ring.tolist()])


def _area_of(points: Sequence[Point]) -> Fraction:
    total = Fraction(0)
    for k, (x, y) in enumerate(points):
        a, b = points[k - 1]
        total += a * y - x * b
    return total / 2


def simplified(ring: Ring) -> Ring:
    """Return a ring without corners at which nothing turns."""
    return _rounded([(Fraction(x), Fraction(y)) for x, y in ring.tolist()], False)[0]


# -- edges that meet at their ends alone -----------------------------------------------------------


def cross(a: Point, b: Point) -> Fraction:
    return a[0] * b[1] - a[1] * b[0]


def minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def _pieces(operands: Sequence[Sequence[Ring]]) -> dict[Segment, list[int]]:
    """Parts of edges that meet no other within, and how windings grow from right to left of them.

    A piece leads from its lesser end to the greater one, in the order of coordinates.
    """
    edges: list[Segment] = []
    owners: list[int] = []
    for owner, rings in enumerate(operands):
        for ring in rings:
            points = [(Fraction(x), Fraction(y)) for x, y in ring.tolist()]
            for k, point in enumerate(points):
                if points[k - 1] != point:
                    edges.append((points[k - 1], point))
                    owners.append(owner)
    cuts: list[set[Point]] = [{a, b} for a, b in edges]
    for i, j in _touching(edges):
        cut(edges[i], edges[j], cuts[i], cuts[j])
    found: dict[Segment, list[int]] = defaultdict(lambda: [0] * len(operands))
    for (start, end), points_on, owner in zip(edges, cuts, owners, strict=True):
        way = sorted(points_on)
        for low, high in pairwise(way):
            found[low, high][owner] += 1 if start < end else -1
    return {piece: growth for piece, growth in found.items() if any(growth)}


def _touching(edges: Sequence[Segment]) -> Iterable[tuple[int, int]]:
    """Pairs of edges whose boxes meet, without those that are clearly apart."""
    ends = _floats(edges)
    low, high = np.minimum(ends[:2], ends[2:]), np.maximum(ends[:2], ends[2:])
    for i in range(len(edges)):
        later = slice(i + 1, None)
        apart = (low[:, later] > high[:, i, None]) | (high[:, later] < low[:, i, None])
        near = np.flatnonzero(~apart.any(axis=0)) + i + 1
        if near.size:
            one, others = ends[:, i, None], ends[:, near]
            with np.errstate(all="ignore"):
                clear = _one_side(one, others) | _one_side(others, one)
            for j in near[~clear].tolist():
                yield i, j


def _floats(edges: Sequence[Segment]) -> NDArray[np.float64]:
    """Coordinates of both ends in four rows."""
    return np.array([[float(v) for p in edge for v in p] for edge in edges]).reshape(-1, 4).T


def _one_side(line: NDArray[np.float64], edge: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where both ends of an edge are surely on one side of a line, whatever was rounded."""
    way = line[2:] - line[:2]
    size = np.abs(np.concatenate(np.broadcast_arrays(line, edge))).max(axis=0)
    sides = []
    for end in (edge[:2], edge[2:]):
        apart = end - line[:2]
        sides.append(way[0] * apart[1] - way[1] * apart[0])
    doubt = _ROUNDING * size * (np.abs(way).sum(axis=0) + np.abs(edge[2:] - edge[:2]).sum(axis=0))
    doubt = doubt + _ROUNDING * np.maximum(*np.abs(sides)) + _TINY
    return np.asarray((np.minimum(*sides) > doubt) | (np.maximum(*sides) < -doubt))


def cut(one: Segment, other: Segment, of_one: set[Point], of_other: set[Point]) -> None:
    """Add the points where two edges meet to the points on both."""
    p, r = one[0], other[0]
    d, e, apart = minus(one[1], p), minus(other[1], r), minus(r, p)
    turn = cross(d, e)
    if turn and (one[0] is other[1] or one[1] is other[0]):
        return  # neighbours in a ring
    if turn:
        t, u = cross(apart, e) / turn, cross(apart, d) / turn
        if 0 <= t <= 1 and 0 <= u <= 1:
            at = (p[0] + t * d[0], p[1] + t * d[1])
            of_one.add(at)
            of_other.add(at)
    elif not cross(apart, d):
        for point in other:
            if min(one) < point < max(one):
                of_one.add(point)
        for point in one:
            if min(other) < point < max(other):
                of_other.add(point)


# -- what lies on both sides ----------------------------------------------------------------------


def _borders(
    pieces: dict[Segment, list[int]], count: int, inside: Rule
) -> list[tuple[Point, Point]]:
    """Return the pieces with the inside on one side alone, directed so that it is on the right."""
    flat = [piece for piece in pieces if piece[0][0] != piece[1][0]]
    steep = [piece for piece in pieces if piece[0][0] == piece[1][0]]
    places = sorted({p[0] for piece in pieces for p in piece})
    rank = {x: k for k, x in enumerate(places)}
    first = np.array([rank[a[0]] for a, _ in flat], np.intp)
    last = np.array([rank[b[0]] for _, b in flat], np.intp)
    growths, ends = [pieces[piece] for piece in flat], _floats(flat)
    upright = defaultdict(list)
    for piece in steep:
        upright[rank[piece[0][0]]].append(piece)
    found = []
    for k in sorted({*first.tolist(), *upright}):
        within = np.flatnonzero((first <= k) & (last > k))
        middle = (places[k] + places[min(k + 1, len(places) - 1)]) / 2
        strip = _stacked(within, flat, ends, middle)
        below = [(0,) * count]
        for at, number in enumerate(strip):
            below.append(tuple(w + g for w, g in zip(below[at], growths[number], strict=True)))
            if first[number] == k:
                found.append((flat[number], inside(below[at]), inside(below[at + 1])))
        for edge in upright[k]:
            half = (edge[0][1] + edge[1][1]) / 2
            at = bisect_left(strip, half, key=lambda i: _height(flat[i], places[k]))
            left = tuple(w + g for w, g in zip(below[at], pieces[edge], strict=True))
            found.append((edge, inside(below[at]), inside(left)))
    return [edge if right else (edge[1], edge[0]) for edge, right, left in found if right != left]


def _height(piece: Segment, x: Fraction) -> Fraction:
    (a, b), (c, d) = piece
    return b + (d - b) * (x - a) / (c - a)


def _stacked(
    strip: NDArray[np.intp], flat: Sequence[Segment], floats: NDArray[np.float64], at: Fraction
) -> list[int]:
    """Pieces that cross a strip of the plane, from below, as they are in its middle."""
    if len(strip) < 2:
        return list(strip.tolist())
    ends = floats[:, strip]
    with np.errstate(all="ignore"):
        slope = (ends[3] - ends[1]) / (ends[2] - ends[0])
        heights = ends[1] + slope * (float(at) - ends[0])
        width = np.abs(ends[[0, 2]]).max(axis=0) * np.abs(slope)
        doubt = _ROUNDING * (np.abs(ends[[1, 3]]).max(axis=0) + width) + _TINY
    order = np.argsort(heights, kind="stable")
    gaps = np.diff(heights[order])
    if (gaps > doubt[order][1:] + doubt[order][:-1]).all():
        return list(strip[order].tolist())
    return sorted(strip.tolist(), key=lambda i: _height(flat[i], at))


# -- rings ----------------------------------------------------------------------------------------


def _walks(edges: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Return closed walks around the inside, which is on their right."""
    ways: dict[Point, list[Point]] = defaultdict(list)
    for start, end in edges:
        ways[start].append(end)
    onward = {(a, b): _next(a, b, ways[b]) for a, b in edges}
    found = []
    for edge in sorted(edges):
        walk = []
        while edge in onward:
            walk.append(edge[0])
            edge = edge[1], onward.pop(edge)
        if walk:
            found.append(walk)
    return found


def _next(before: Point, here: Point, ways: list[Point]) -> Point:
    """Return the way on, counter-clockwise from the way back, with the inside between."""
    if len(ways) == 1:
        return ways[0]
    back = minus(before, here)

    def compare(a: Point, b: Point) -> int:
        one, other = minus(a, here), minus(b, here)
        halves = _half(back, one), _half(back, other)
        if halves[0] != halves[1]:
            return halves[0] - halves[1]
        turn = cross(one, other)
        return -1 if turn > 0 else int(turn < 0)

    return min(ways, key=cmp_to_key(compare))


def _half(back: Point, way: Point) -> int:
    """0 on the left of a direction or straight against it, 1 elsewhere."""
    turn = cross(back, way)
    return 0 if turn > 0 or (turn == 0 and back[0] * way[0] + back[1] * way[1] < 0) else 1


def _loops(walk: list[Point]) -> list[list[Point]]:
    """Rings that visit no corner twice."""
    found: list[list[Point]] = []
    path: list[Point] = []
    at: dict[Point, int] = {}
    for point in walk:
        if point in at:
            begin = at[point]
            found.append(path[begin:])
            for left in path[begin:]:
                del at[left]
            del path[begin:]
        at[point] = len(path)
        path.append(point)
    return [*found, path]


def _rounded(ring: list[Point], collinear: bool) -> tuple[Ring, bool]:
    """Return the corners as doubles, from the least one on, and whether these are the same ring."""
    kept = ring if collinear else _turning(ring)
    points = [(float(x), float(y)) for x, y in kept]
    exact = all(x == a and y == b for (x, y), (a, b) in zip(kept, points, strict=True))
    if len(kept) < len(ring):
        exact = exact and _area_of(kept) == _area_of(ring)
    points = [p for k, p in enumerate(points) if p != points[k - 1]]
    if len(points) < 3:
        return np.zeros((0, 2)), False
    start = points.index(min(points))
    return np.array(points[start:] + points[:start]), exact


def _turning(ring: list[Point]) -> list[Point]:
    """Corners that the rounding of coordinates can tell from the line between their neighbours."""
    size = max(abs(v) for p in ring for v in p)
    least = (Fraction(_ROUNDING) * size) ** 2
    # the least corner is none that could be left out
    start = ring.index(min(ring))
    kept = [ring[start]]
    for point in [*ring[start + 1 :], *ring[: start + 1]]:
        while len(kept) > 1 and _is_straight(kept[-2], kept[-1], point, least):
            kept.pop()
        kept.append(point)
    return kept[:-1]


def _is_straight(a: Point, b: Point, c: Point, least: Fraction) -> bool:
    way = minus(c, a)
    length = way[0] * way[0] + way[1] * way[1]
    back = minus(a, b)
    if back[0] * (c[0] - b[0]) + back[1] * (c[1] - b[1]) > 0:
        return cross(back, way) == 0
    return cross(way, minus(b, a)) ** 2 <= least * length
