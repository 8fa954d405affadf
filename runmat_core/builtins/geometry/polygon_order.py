"""The order of a polyshape's boundaries and regions, what is nearest, and what is well defined."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.builtins.arguments import as_float, real
from runmat_core.builtins.geometry.overlay import Ring, Winding, overlay, signed_area
from runmat_core.builtins.geometry.polygon_functions import (
    centre_of,
    lengths_of,
    points_in,
    within,
)
from runmat_core.builtins.geometry.polygons import (
    Polyshape,
    Region,
    error,
    region_of,
    repaired_region,
)
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import from_numpy, truth

_CRITERIA = ("area", "perimeter", "numsides", "centroid")


def _measure(criterion: str, point: tuple[float, float]) -> Callable[[Sequence[Ring]], Any]:
    """Return what boundaries that belong together are sorted by."""
    if criterion == "area":
        return lambda rings: abs(sum(map(signed_area, rings), Fraction(0)))
    if criterion == "perimeter":
        return lambda rings: math.fsum(side for ring in rings for side in lengths_of(ring))
    if criterion == "numsides":
        return lambda rings: sum(map(len, rings))
    return lambda rings: math.dist(centre_of(list(rings)), point)


def _sorted(
    groups: list[list[Ring]], criterion: Any, direction: Any, args: tuple[Any, ...], name: str
) -> Polyshape:
    by = choice(criterion, _CRITERIA, name)
    falls = choice(direction, ("ascend", "descend"), name) == "descend"
    named, _ = pairs(args, ("ReferencePoint",), name)
    point = np.zeros(2)
    if named:
        if by != "centroid":
            raise error("ReferencePoint", "ReferencePoint is of use with 'centroid' alone.")
        point = as_float(real(named["ReferencePoint"], name)).ravel()
        if point.size != 2 or not np.isfinite(point).all():
            raise error("InvalidReferencePoint", "ReferencePoint must have two finite elements.")
    measure = _measure(by, (float(point[0]), float(point[1])))
    sizes = [measure(group) for group in groups]
    # equal ones stay in their order whatever the direction
    order = sorted(range(len(groups)), key=lambda k: -sizes[k] if falls else sizes[k])
    return Polyshape(Region(tuple(ring for k in order for ring in groups[k])))


@builtin("sortboundaries", family="geometry/polygons", nargin=(3, 5), effects="pure")
def sortboundaries(p: Any, criterion: Any, direction: Any, *args: Any) -> Any:
    """A polyshape with its boundaries in another order.

    Q = sortboundaries(P, CRITERION, DIRECTION) by "area", "perimeter", "numsides" or "centroid", in
    the direction "ascend" or "descend"
    Q = sortboundaries(P, "centroid", DIRECTION, "ReferencePoint", [X Y]) by how far the centres of
    gravity are from a point, the origin by default

    Examples:
        >> P = polyshape({[0 1 1 0], [2 3 2.5]}, {[0 0 1 1], [2 2 3]});
        >> numsides(sortboundaries(P, "numsides", "ascend"), 1)
        ans =
             3

    See also: sortregions, boundary, numboundaries.
    """
    rings = region_of(p, "sortboundaries").rings
    return _sorted([[ring] for ring in rings], criterion, direction, args, "sortboundaries")


@builtin("sortregions", family="geometry/polygons", nargin=(3, 5), effects="pure")
def sortregions(p: Any, criterion: Any, direction: Any, *args: Any) -> Any:
    """A polyshape with its regions in another order, each with its holes behind it.

    Q = sortregions(P, CRITERION, DIRECTION) by "area", "perimeter", "numsides" or "centroid", in
    the direction "ascend" or "descend"
    Q = sortregions(P, "centroid", DIRECTION, "ReferencePoint", [X Y]) by how far the centres of
    gravity are from a point, the origin by default

    Examples:
        >> P = polyshape({[0 5 5 0], [1 2 2 1], [6 7 7 6]}, {[0 0 5 5], [1 1 2 2], [0 0 1 1]});
        >> Q = sortregions(P, "area", "ascend");
        >> area(Q, 1:3)'
        ans =
             1    25     1

    See also: sortboundaries, ishole, area.
    """
    groups = _regions(region_of(p, "sortregions"))
    return _sorted(groups, criterion, direction, args, "sortregions")


def _regions(region: Region) -> list[list[Ring]]:
    """Each solid boundary with those of its holes behind it."""
    flags = region.is_hole()
    solid = [k for k, hole in enumerate(flags) if not hole]
    groups = {k: [region.rings[k]] for k in solid}
    sizes = {k: abs(signed_area(region.rings[k])) for k in solid}
    for ring in (r for r, hole in zip(region.rings, flags, strict=True) if hole):
        size = signed_area(ring)
        # solid boundaries do not cross, so the smallest of those around a hole is its own
        around = [
            k for k in solid if sizes[k] > size and within(Region((region.rings[k],)), ring).all()
        ]
        if around:
            groups[min(around, key=sizes.__getitem__)].append(ring)
        else:
            groups[-1 - len(groups)] = [ring]
    return list(groups.values())


@builtin("nearestvertex", family="geometry/polygons", nargin=(2, 3), nargout=3,
         needs=("nargout",), effects="pure")  # fmt: skip
def nearestvertex(p: Any, *args: Any, nargout: int) -> Any:
    """Which corners of a polyshape are nearest to points.

    ID = nearestvertex(P, X, Y), ID = nearestvertex(P, XY) with a point in each row; ID is a column
    of rows of P.Vertices
    [ID, BOUNDARY, IND] = nearestvertex(…) tells the boundary and the place in it, too

    Examples:
        >> P = polyshape([1 1; 3 1; 2 2]);
        >> P.Vertices(nearestvertex(P, 2, 1.8), :)
        ans =
             2     2

    See also: isinterior, boundary, polyshape.
    """
    rings = region_of(p, "nearestvertex").rings
    points = points_in(args, "nearestvertex")
    if not np.isfinite(points).all():
        raise error("NonFinite", "Coordinates of points must be finite.")
    if not rings:
        nothing = tuple(from_numpy(np.zeros((0, 1))) for _ in range(3))
        return nothing[:nargout] if nargout > 1 else nothing[0]
    corners = np.concatenate(rings)
    boundary = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    place = np.concatenate([np.arange(len(ring)) for ring in rings])
    at = np.array([np.hypot(*(corners - q).T).argmin() for q in points], np.intp)
    # a row of NaN stands between boundaries
    found = (at + boundary[at], boundary[at], place[at])
    outputs = tuple(from_numpy((a + 1.0).reshape(-1, 1)) for a in found[: max(nargout, 1)])
    return outputs if nargout > 1 else outputs[0]


@builtin("overlaps", family="geometry/polygons", effects="pure")
def overlaps(p: Any, q: Any) -> bool:
    """Whether two polyshapes overlap.

    TF = overlaps(P, Q) is true where they share an area; common corners and edges do not count

    Examples:
        >> P = polyshape([0 0 1 1], [1 0 0 1]);
        >> [overlaps(P, translate(P, 0.5, 0.5)), overlaps(P, translate(P, 1, 0))]
        ans =
          1×2 logical array
           1   0

    See also: intersect, isinterior, polyshape.
    """
    regions = [region_of(value, "overlaps").rings for value in (p, q)]
    # with all corners, or slivers would go as straight lines
    return all(regions) and bool(overlay(regions, _is_in_both, collinear=True))


def _is_in_both(windings: Winding) -> bool:
    return windings[0] % 2 == 1 and windings[1] % 2 == 1


@builtin("simplify", family="geometry/polygons", nargin=(1, None), effects="pure")
def simplify(p: Any, *args: Any) -> Any:
    """A polyshape whose boundaries neither cross nor come twice.

    Q = simplify(P), Q = simplify(P, "KeepCollinearPoints", true) keeps corners at which nothing
    turns

    That is what polyshape does by itself, unless it was told not to.

    Examples:
        >> P = polyshape([0 2 2 0], [0 2 0 2], "Simplify", false);
        >> Q = simplify(P); [area(Q) Q.NumRegions]
        ans =
             2     2

    See also: issimplified, polyshape, addboundary.
    """
    region = region_of(p, "simplify")
    named, _ = pairs(args, ("KeepCollinearPoints",), "simplify")
    collinear = truth(named.get("KeepCollinearPoints", False))
    return Polyshape(repaired_region(region.rings, "auto", collinear)[0])


@builtin("issimplified", family="geometry/polygons", effects="pure")
def issimplified(p: Any) -> bool:
    """Whether the boundaries of a polyshape neither cross nor come twice.

    TF = issimplified(P)

    Examples:
        >> issimplified(polyshape([0 2 2 0], [0 2 0 2], "Simplify", false))
        ans =
          logical
           0

    See also: simplify, polyshape.
    """
    return not repaired_region(region_of(p, "issimplified").rings, "auto", True)[1]
