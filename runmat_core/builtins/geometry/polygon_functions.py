"""What polyshapes are measured by, laid over each other with, and moved by."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import as_float, real, scalar
from runmat_core.builtins.geometry.overlay import Ring, Winding, overlay, signed_area
from runmat_core.builtins.geometry.polygon_lines import split
from runmat_core.builtins.geometry.polygons import (
    Polyshape,
    Region,
    error,
    options_in,
    region_of,
)
from runmat_core.builtins.graphics import placeholders
from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import class_of, from_numpy

Numbers = NDArray[Any]

# -- one over the other ---------------------------------------------------------------------------

_RULES: dict[str, Callable[[bool, bool], bool]] = {
    "union": lambda a, b: a or b,
    "intersect": lambda a, b: a and b,
    "subtract": lambda a, b: a and not b,
    "xor": lambda a, b: a != b,
}


def _combined(name: str, p: Any, q: Any, args: tuple[Any, ...]) -> Polyshape:
    regions = [region_of(v, name).rings for v in (p, q)]
    _, options = options_in(args, name)
    rule = _RULES[name]

    def inside(windings: Winding) -> bool:
        return rule(windings[0] % 2 == 1, windings[1] % 2 == 1)

    if not any(regions):
        return Polyshape(Region())
    return Polyshape(Region(tuple(overlay(regions, inside, options["KeepCollinearPoints"]))))


@overload("union", "intersect", "xor")
def combined(call: Call, p: Any, q: Any, *args: Any) -> Any:
    """``union(P, Q)`` and its like; ``intersect(P, LINE)``."""
    if call.name == "intersect" and isinstance(p, Polyshape) and not isinstance(q, Polyshape):
        return _split(call, p, q)
    return _combined(call.name, p, q, args)


def _split(call: Call, p: Polyshape, line: Any) -> Any:
    points = as_float(real(line, "intersect"))
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.isfinite(points).all():
        raise error("InvalidLineSegment", "A line must have at least two rows of two numbers.")
    found = split(p.data.rings, points.astype(np.float64))
    return found if call.nargout > 1 else found[0]


@builtin("subtract", family="geometry/polygons", nargin=(2, None), effects="pure")
def subtract(p: Any, q: Any, *args: Any) -> Any:
    """What is in a polyshape and not in another one.

    R = subtract(P, Q), R = subtract(P, Q, "KeepCollinearPoints", true)

    union(P, Q), intersect(P, Q) and xor(P, Q) are what is in either, in both and in one alone.
    [IN, OUT] = intersect(P, LINE) parts a line of the points in the rows of LINE.

    Examples:
        >> R = subtract(polyshape([0 0 2 2], [0 2 2 0]), polyshape([1 1 3 3], [1 3 3 1]));
        >> area(R)
        ans =
             3

    See also: polyshape, union, intersect, xor, addboundary.
    """
    return _combined("subtract", p, q, args)


# -- measures -------------------------------------------------------------------------------------


@overload("area")
def area(call: Call, p: Any, which: Any = None) -> Any:
    """``area(P)``, ``area(P, I)``."""
    region = region_of(p, "area")
    if which is None:
        return float(abs(region.area()))
    sizes = [float(abs(signed_area(region.rings[k]))) for k in region.chosen(which)]
    return from_numpy(np.array(sizes).reshape(-1, 1))


@overload("perimeter")
def perimeter(call: Call, p: Any, which: Any = None) -> Any:
    """``perimeter(P)``, ``perimeter(P, I)``."""
    region = region_of(p, "perimeter")
    lengths = [lengths_of(region.rings[k]) for k in region.chosen(which)]
    if which is None:
        return math.fsum(side for length in lengths for side in length)
    return from_numpy(np.array([math.fsum(length) for length in lengths]).reshape(-1, 1))


def lengths_of(ring: Ring) -> list[float]:
    """How long the sides of a boundary are."""
    way = ring - np.roll(ring, 1, axis=0)
    return np.hypot(way[:, 0], way[:, 1]).tolist()  # type: ignore[no-any-return]


@overload("boundary")
def boundary(call: Call, p: Any, which: Any = None) -> Any:
    """``[X, Y] = boundary(P)``, ``boundary(P, I)``."""
    region = region_of(p, "boundary")
    rings = tuple(region.rings[k] for k in region.chosen(which))
    corners = Region(rings).vertices(closed=True)
    found = from_numpy(corners[:, :1]), from_numpy(corners[:, 1:])
    return found if call.nargout > 1 else found[0]


@builtin("centroid", family="geometry/polygons", nargin=(1, 2), nargout=2, needs=("nargout",),
         effects="pure")  # fmt: skip
def centroid(p: Any, which: Any = None, *, nargout: int) -> Any:
    """Centre of gravity of a polyshape.

    [X, Y] = centroid(P), [X, Y] = centroid(P, I) of what some of its boundaries enclose

    Examples:
        >> [x, y] = centroid(polyshape([0 0 3 3], [0 2 2 0]))
        x =
            1.5000
        y =
             1

    See also: polyshape, area, boundingbox.
    """
    region = region_of(p, "centroid")
    if which is None:
        centres = [centre_of(list(region.rings))]
    else:
        centres = [centre_of([region.rings[k]]) for k in region.chosen(which)]
    found = np.array(centres).reshape(-1, 2)
    outputs = from_numpy(found[:, :1]), from_numpy(found[:, 1:])
    return outputs if nargout > 1 else outputs[0]


def centre_of(rings: list[Ring]) -> tuple[float, float]:
    """Return the centre of gravity of what boundaries enclose; NaN where that has no area."""
    total, x_sum, y_sum = Fraction(0), Fraction(0), Fraction(0)
    for ring in rings:
        points = [(Fraction(x), Fraction(y)) for x, y in ring.tolist()]
        for k, (x, y) in enumerate(points):
            a, b = points[k - 1]
            turn = a * y - x * b
            total += turn
            x_sum += (a + x) * turn
            y_sum += (b + y) * turn
    if not total:
        return math.nan, math.nan
    return float(x_sum / (3 * total)), float(y_sum / (3 * total))


@builtin("boundingbox", family="geometry/polygons", nargout=2, needs=("nargout",), effects="pure")
def boundingbox(p: Any, *, nargout: int) -> Any:
    """Limits of the coordinates of a polyshape.

    [XLIM, YLIM] = boundingbox(P)

    Examples:
        >> [xlim, ylim] = boundingbox(polyshape([0 1 3], [0 5 1]))
        xlim =
             0     3
        ylim =
             0     5

    See also: polyshape, boundary, centroid.
    """
    region = region_of(p, "boundingbox")
    if not region.rings:
        limits = np.zeros((2, 0, 0))
    else:
        corners = np.concatenate(region.rings)
        limits = np.stack([corners.min(axis=0), corners.max(axis=0)], axis=1)[:, None, :]
    found = from_numpy(limits[0]), from_numpy(limits[1])
    return found if nargout > 1 else found[0]


@builtin("isinterior", family="geometry/polygons", nargin=(2, 3), effects="pure")
def isinterior(p: Any, *args: Any) -> Any:
    """Which points are inside a polyshape or on its boundary.

    TF = isinterior(P, X, Y), TF = isinterior(P, XY) with a point in each row; TF is a column

    Examples:
        >> P = polyshape([0 0 2 2], [0 2 2 0]);
        >> isinterior(P, [1 2 3], [1 1 1])'
        ans =
          1×3 logical array
           1   1   0

    See also: polyshape, inpolygon, boundary.
    """
    region = region_of(p, "isinterior")
    return from_numpy(within(region, points_in(args, "isinterior")).reshape(-1, 1))


def within(region: Region, points: Numbers) -> NDArray[np.bool_]:
    """Which points are inside a region or on its boundary, exactly."""
    inside, on = np.zeros(len(points), bool), np.zeros(len(points), bool)
    x, y = points.T
    for ring in region.rings:
        for start, end in zip(np.roll(ring, 1, axis=0), ring, strict=True):
            side = _side(start, end, points)
            low, high = np.minimum(start, end), np.maximum(start, end)
            on |= (side == 0) & ((points >= low) & (points <= high)).all(axis=1)
            inside ^= ((start[1] > y) != (end[1] > y)) & ((side > 0) == (end[1] > start[1]))
    found: NDArray[np.bool_] = (inside | on) & np.isfinite(x + y)
    return found


def points_in(args: tuple[Any, ...], name: str) -> Numbers:
    """Points as ``(x, y)`` or ``(P)`` give them, in rows."""
    arrays = [as_float(real(a, name)).astype(np.float64) for a in args]
    if len(arrays) == 2:
        if arrays[0].size != arrays[1].size:
            raise error("xySizeMismatch", "X and Y must have the same number of elements.")
        return np.stack([a.ravel(order="F") for a in arrays], axis=1)
    if arrays[0].ndim != 2 or arrays[0].shape[1] != 2:
        raise error("InvalidPoints", "Points must be the rows of a matrix with 2 columns.")
    return arrays[0]


def _side(start: Numbers, end: Numbers, points: Numbers) -> Numbers:
    """Signs: on which side of an edge points lie, exactly."""
    with np.errstate(all="ignore"):
        way, apart = end - start, points - start
        one, other = way[0] * apart[:, 1], way[1] * apart[:, 0]
        side = one - other
        doubt = 8 * float(np.finfo(float).eps) * (np.abs(one) + np.abs(other))
        close = np.flatnonzero(~(np.abs(side) > doubt) & np.isfinite(points).all(axis=1))
    signs: Numbers = np.sign(side)
    (a, b), (c, d) = ([Fraction(v) for v in corner.tolist()] for corner in (start, end))
    for k in close.tolist():
        u, v = (Fraction(w) for w in points[k].tolist())
        exact = (c - a) * (v - b) - (d - b) * (u - a)
        signs[k] = (exact > 0) - (exact < 0)
    return signs


# -- motions --------------------------------------------------------------------------------------


def _pair(value: Any, what: str) -> Numbers:
    a = as_float(real(value, "polyshape")).ravel(order="F").astype(np.float64)
    if a.size != 2 or not np.isfinite(a).all():
        raise error(f"Invalid{what}", f"{what} must have two finite elements.")
    return a


def _moved(region: Region, change: Callable[[Ring], Ring]) -> Polyshape:
    return Polyshape(Region(tuple(change(ring) for ring in region.rings)))


@builtin("translate", family="geometry/polygons", nargin=(2, 3), effects="pure")
def translate(p: Any, x: Any, y: Any = None) -> Any:
    """A polyshape that is moved.

    Q = translate(P, X, Y), Q = translate(P, [X Y])

    Examples:
        >> Q = translate(polyshape([0 0 1 1], [0 1 1 0]), 5, 2);
        >> boundingbox(Q)
        ans =
             5     6

    See also: polyshape, rotate, scale.
    """
    region = region_of(p, "translate")
    way = _pair(x, "Translation") if y is None else np.array([scalar(x, "X"), scalar(y, "Y")])
    return _moved(region, lambda ring: ring + way)


@builtin("scale", family="geometry/polygons", nargin=(2, 3), effects="pure")
def scale(p: Any, factor: Any, reference: Any = None) -> Any:
    """A polyshape that is made larger or smaller.

    Q = scale(P, S) about the origin, by S or by [SX SY]; Q = scale(P, S, [X Y]) about a point

    Examples:
        >> area(scale(polyshape([0 0 1 1], [0 1 1 0]), [2 3]))
        ans =
             6

    See also: polyshape, rotate, translate.
    """
    region = region_of(p, "scale")
    factors = as_float(real(factor, "polyshape")).ravel()
    if factors.size not in (1, 2) or not (factors > 0).all() or not np.isfinite(factors).all():
        raise error("InvalidScale", "Scale factors must be one or two positive numbers.")
    centre = np.zeros(2) if reference is None else _pair(reference, "Reference")
    return _moved(region, lambda ring: (ring - centre) * factors + centre)


@builtin("rotate", family="geometry/polygons", nargin=(2, 4), needs=("nargout", "interp"))
def rotate(
    p: Any, angle: Any, reference: Any = None, *origin: Any, nargout: int, interp: Interp
) -> Any:
    """A polyshape that is turned.

    Q = rotate(P, ANGLE) counter-clockwise about the origin, in degrees; Q = rotate(P, ANGLE, [X Y])
    about a point. Multiples of 90 degrees are exact.
    rotate(H, AXIS, ANGLE), rotate(H, AXIS, ANGLE, ORIGIN) turns objects that are drawn, which needs
    a package that draws

    Examples:
        >> [xlim, ylim] = boundingbox(rotate(polyshape([0 0 2 2], [0 1 1 0]), 90))
        xlim =
            -1     0
        ylim =
             0     2

    See also: polyshape, scale, translate.
    """
    if class_of(p) != "polyshape" and (reference is not None or origin):
        return placeholders.drawn(
            "rotate", p, angle, reference, *origin, nargout=nargout, interp=interp
        )
    if origin:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    region = region_of(p, "rotate")
    degrees = scalar(angle, "Angle")
    if not math.isfinite(degrees):
        raise error("InvalidAngle", "The angle must be finite.")
    centre = np.zeros(2) if reference is None else _pair(reference, "Reference")
    turns = degrees % 360
    exact = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    radians = math.radians(turns)
    c, s = exact.get(turns, (math.cos(radians), math.sin(radians)))
    turn = np.array([[c, s], [-s, c]])
    return _moved(region, lambda ring: (ring - centre) @ turn + centre)
