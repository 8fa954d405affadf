"""polyshape: regions of the plane with straight edges, with holes, in one part or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import as_float, real
from runmat_core.builtins.geometry.overlay import Ring, Winding, overlay, signed_area, simplified
from runmat_core.builtins.members import BuiltinObject
from runmat_core.builtins.named import choice, pairs, positional
from runmat_core.values import CellArray, class_of, from_numpy, isequal, truth
from runmat_core.values.array_object import OBJECTS
from runmat_core.values.notices import warn

NAMES = ("Simplify", "KeepCollinearPoints", "SolidBoundaryOrientation")


def error(name: str, message: str) -> MatlabError:
    return MatlabError(f"MATLAB:polyshape:{name}", message)


def is_odd(windings: Winding) -> bool:
    return windings[0] % 2 == 1


_RULES: dict[str, Callable[[Winding], bool]] = {
    "auto": is_odd,
    "cw": lambda windings: windings[0] < 0,
    "ccw": lambda windings: windings[0] > 0,
}


@attrs.frozen
class Region:
    """Boundaries without their first corner again: clockwise, those of holes the other way."""

    rings: tuple[Ring, ...] = ()

    def vertices(self, closed: bool = False) -> Ring:
        """All corners, with a row of NaN between boundaries."""
        parts = []
        for ring in self.rings:
            parts += [ring, ring[:1]] if closed else [ring]
            parts.append(np.full((1, 2), np.nan))
        return np.concatenate(parts[:-1]) if parts else np.zeros((0, 2))

    def is_hole(self) -> list[bool]:
        return [signed_area(ring) > 0 for ring in self.rings]

    def area(self) -> Fraction:
        return -sum((signed_area(ring) for ring in self.rings), Fraction(0))

    def chosen(self, which: Any) -> list[int]:
        """Positions of the boundaries that an argument asks for, all without one.

        Raises:
            MatlabError: MATLAB:polyshape:InvalidBoundary.
        """
        if which is None:
            return list(range(len(self.rings)))
        numbers = real(which, "polyshape").ravel(order="F")
        if not ((numbers >= 1) & (numbers <= len(self.rings)) & (numbers % 1 == 0)).all():
            raise error("InvalidBoundary", f"Boundaries have indices from 1 to {len(self.rings)}.")
        return [int(n) - 1 for n in numbers]


class Polyshape(BuiltinObject):
    """A polyshape.

    Attributes:
        data: its `Region`.
    """

    __slots__ = ()
    data: Region
    class_name = "polyshape"
    properties = ("Vertices", "NumRegions", "NumHoles")
    functions = frozenset(
        "addboundary area boundary boundingbox centroid intersect isinterior ishole issimplified "
        "nearestvertex numboundaries numsides overlaps perimeter rmboundary rmholes rotate scale "
        "simplify sortboundaries sortregions subtract translate union xor".split()
    )

    def __init__(self, region: Region) -> None:
        self.data = region

    def get_property(self, name: str) -> Any:
        if name == "Vertices":
            return from_numpy(self.data.vertices())
        holes = sum(self.data.is_hole())
        return float(holes if name == "NumHoles" else len(self.data.rings) - holes)

    def set_property(self, name: str, rhs: Any) -> None:
        if name != "Vertices":
            super().set_property(name, rhs)
        self.data = made(rings_of([rhs]), "auto", False)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        if not isinstance(other, Polyshape):
            return False
        mine, others = (v.get_property("Vertices") for v in (self, other))
        return isequal(mine, others, nan_equal=True)


OBJECTS.add(Polyshape)


def region_of(value: Any, name: str) -> Region:
    if not isinstance(value, Polyshape):
        raise undefined_for(name, class_of(value))
    return value.data


# -- coordinates to regions -----------------------------------------------------------------------


def rings_of(args: Sequence[Any]) -> list[Ring]:
    """Boundaries as ``(x, y)`` or ``(P)`` give them: vectors with NaN between, cells of vectors."""
    if len(args) == 2 and all(isinstance(a, CellArray) for a in args):
        parts = [a.data.ravel(order="F").tolist() for a in args]
        if len(parts[0]) != len(parts[1]):
            raise error("xySizeMismatch", "X and Y must have the same number of boundaries.")
        return [ring for pair in zip(*parts, strict=True) for ring in rings_of(pair)]
    arrays = [as_float(real(a, "polyshape")).astype(np.float64) for a in args]
    if len(arrays) == 1:
        p = arrays[0]
        if p.ndim != 2 or (p.shape[1] != 2 and p.size):
            raise error("InvalidPoints", "Corners must be the rows of a matrix with 2 columns.")
        p = p.reshape(-1, 2)
    else:
        if arrays[0].size != arrays[1].size:
            raise error("xySizeMismatch", "X and Y must have the same number of elements.")
        p = np.stack([a.ravel(order="F") for a in arrays], axis=1)
    missing = np.isnan(p)
    if np.isinf(p).any() or (missing[:, 0] != missing[:, 1]).any():
        raise error("NonFinite", "Coordinates must be finite, with NaN between boundaries alone.")
    at = np.flatnonzero(missing[:, 0])
    parts = [part[~np.isnan(part[:, 0])] for part in np.split(p, at)]
    rings = [part for part in parts if len(part)]
    if any(len(ring) < 3 for ring in rings):
        raise error("boundary3Points", "Each boundary must have at least 3 corners.")
    return rings


def made(rings: Sequence[Ring], orientation: str, collinear: bool) -> Region:
    """Return the region of boundaries; warn if they cross, touch or come twice."""
    region, repaired = repaired_region(rings, orientation, collinear)
    if repaired:
        warn(
            "MATLAB:polyshape:repairedBySimplify",
            "Polyshape has duplicate vertices, intersections, or other inconsistencies that may "
            "produce inaccurate or unexpected results. Input data has been modified to create a "
            "well-defined polyshape.",
        )
    return region


def repaired_region(
    rings: Sequence[Ring], orientation: str, collinear: bool
) -> tuple[Region, bool]:
    """Return the region that boundaries make, and whether they crossed, touched or came twice."""
    if not rings:
        return Region(), False
    found = overlay([rings], _RULES[orientation], collinear=True)
    ways = {way for ring in found for way in _ways(ring)}
    given = [way for ring in rings for way in _ways(ring)]
    kept: list[Ring] = []
    well_defined = len(given) == len(ways) and all(w in ways or w[::-1] in ways for w in given)
    if well_defined:
        # corners stay in their order, from the first one on
        for ring in rings:
            same = next(iter(_ways(ring))) in ways
            kept.append(ring if same else np.concatenate([ring[:1], ring[:0:-1]]))
    else:
        kept = found
    if not collinear:
        kept = [ring for ring in map(_without_straight, kept) if len(ring) > 2]
    return Region(tuple(kept)), not well_defined


def _ways(ring: Ring) -> list[tuple[Any, Any]]:
    points = [tuple(p) for p in (ring + 0.0).tolist()]
    return [(points[k - 1], points[k]) for k in range(len(points))]


def _without_straight(ring: Ring) -> Ring:
    """Corners that turn, in the order in which they were."""
    turning = {tuple(p) for p in simplified(ring).tolist()}
    return ring[[tuple(p) in turning for p in (ring + 0.0).tolist()]]


def options_in(args: Sequence[Any], name: str) -> tuple[list[Any], dict[str, Any]]:
    """Return what stands before the options, and these."""
    plain, words = positional(args)
    given, _ = pairs(words, NAMES, name)
    options = {key: bool(truth(given.get(key, key == "Simplify"))) for key in NAMES[:2]}
    orientation = given.get("SolidBoundaryOrientation")
    sides = ("auto", "cw", "ccw")
    word = "auto" if orientation is None else choice(orientation, sides, name)
    return plain, {**options, "SolidBoundaryOrientation": word}


@builtin("polyshape", family="geometry/polygons", nargin=(0, None), effects="pure")
def polyshape(*args: Any) -> Any:
    """Region of the plane with straight edges, which may have holes and several parts.

    P = polyshape(X, Y), P = polyshape(XY) with a corner in each row; boundaries stand one after
    another with NaN between, or in cells: P = polyshape({X1, X2, …}, {Y1, Y2, …})
    P = polyshape is empty
    P = polyshape(…, "SolidBoundaryOrientation", "cw" or "ccw") tells which boundaries are solid;
    without it, "auto", a boundary within another one is a hole
    P = polyshape(…, "KeepCollinearPoints", true) keeps corners at which nothing turns,
    P = polyshape(…, "Simplify", false) takes boundaries as they are

    Where boundaries cross or corners come twice, they are repaired with a warning. Boundaries
    are clockwise then, those of holes counter-clockwise. union, intersect, subtract and xor are
    exact: nothing but the corners that result is rounded.

    Properties: Vertices, NumRegions, NumHoles.

    Examples:
        >> P = polyshape([0 0 3 3], [0 2 2 0]);
        >> area(P)
        ans =
             6
        >> Q = subtract(P, polyshape([1 1 2 2], [0.5 1 1 0.5]));
        >> [area(Q) Q.NumHoles]
        ans =
            5.5000    1.0000

    See also: area, centroid, isinterior, subtract, rotate, translate, polyarea, alphaShape.
    """
    plain, options = options_in(args, "polyshape")
    if len(plain) > 2:
        raise error("TooManyInputs", "Expected X and Y, or a matrix, and options by name.")
    rings = rings_of(plain) if plain else []
    if not options["Simplify"]:
        return Polyshape(Region(tuple(rings)))
    orientation = options["SolidBoundaryOrientation"]
    return Polyshape(made(rings, orientation, options["KeepCollinearPoints"]))


# -- boundaries of a region -----------------------------------------------------------------------


@builtin("addboundary", family="geometry/polygons", nargin=(2, None), effects="pure")
def addboundary(p: Any, *args: Any) -> Any:
    """A polyshape with more boundaries: holes where they lie inside, parts outside.

    Q = addboundary(P, X, Y), Q = addboundary(P, XY), with the options of polyshape

    Examples:
        >> Q = addboundary(polyshape([0 0 3 3], [0 3 3 0]), [1 1 2 2], [1 2 2 1]);
        >> area(Q)
        ans =
             8

    See also: polyshape, rmboundary, boundary.
    """
    region = region_of(p, "addboundary")
    plain, options = options_in(args, "addboundary")
    if not 1 <= len(plain) <= 2:
        raise error("TooManyInputs", "Expected X and Y, or a matrix, and options by name.")
    rings = [*region.rings, *rings_of(plain)]
    if not options["Simplify"]:
        return Polyshape(Region(tuple(rings)))
    orientation = options["SolidBoundaryOrientation"]
    return Polyshape(made(rings, orientation, options["KeepCollinearPoints"]))


@builtin("rmboundary", family="geometry/polygons", nargin=(2, None), effects="pure")
def rmboundary(p: Any, which: Any, *args: Any) -> Any:
    """A polyshape without some of its boundaries.

    Q = rmboundary(P, I) with the indices of boundaries, in the order of P.Vertices

    Examples:
        >> P = polyshape({[0 0 3 3], [1 1 2 2]}, {[0 3 3 0], [1 2 2 1]});
        >> area(rmboundary(P, 2))
        ans =
             9

    See also: polyshape, addboundary, rmholes, ishole.
    """
    region = region_of(p, "rmboundary")
    _, options = options_in(args, "rmboundary")
    gone = set(region.chosen(which))
    rings = [ring for k, ring in enumerate(region.rings) if k not in gone]
    return Polyshape(made(rings, "auto", options["KeepCollinearPoints"]))


@builtin("rmholes", family="geometry/polygons", effects="pure")
def rmholes(p: Any) -> Any:
    """A polyshape without its holes.

    Q = rmholes(P)

    Examples:
        >> P = polyshape({[0 0 3 3], [1 1 2 2]}, {[0 3 3 0], [1 2 2 1]});
        >> area(rmholes(P))
        ans =
             9

    See also: polyshape, rmboundary, ishole.
    """
    region = region_of(p, "rmholes")
    kept = [ring for ring, hole in zip(region.rings, region.is_hole(), strict=True) if not hole]
    return Polyshape(Region(tuple(overlay([kept], lambda w: w[0] != 0, True)))) if kept else (
        Polyshape(Region())
    )  # fmt: skip


@builtin("ishole", family="geometry/polygons", nargin=(1, 2), effects="pure")
def ishole(p: Any, which: Any = None) -> Any:
    """Which boundaries of a polyshape are those of holes.

    TF = ishole(P) has an element for each boundary, TF = ishole(P, I) for some

    Examples:
        >> P = polyshape({[0 0 3 3], [1 1 2 2]}, {[0 3 3 0], [1 2 2 1]});
        >> ishole(P)'
        ans =
          1×2 logical array
           0   1

    See also: polyshape, numboundaries, rmholes.
    """
    region = region_of(p, "ishole")
    flags = region.is_hole()
    return from_numpy(np.array([flags[k] for k in region.chosen(which)], bool).reshape(-1, 1))


@builtin("numboundaries", family="geometry/polygons", effects="pure")
def numboundaries(p: Any) -> float:
    """Number of boundaries of a polyshape, those of holes too.

    N = numboundaries(P)

    Examples:
        >> numboundaries(polyshape([0 1 1], [0 0 1]))
        ans =
             1

    See also: polyshape, numsides, boundary.
    """
    return float(len(region_of(p, "numboundaries").rings))


@builtin("numsides", family="geometry/polygons", nargin=(1, 2), effects="pure")
def numsides(p: Any, which: Any = None) -> Any:
    """Number of sides of a polyshape.

    N = numsides(P), N = numsides(P, I) of some of its boundaries

    Examples:
        >> numsides(polyshape([0 1 1], [0 0 1]))
        ans =
             3

    See also: polyshape, numboundaries, perimeter.
    """
    region = region_of(p, "numsides")
    counts = [len(region.rings[k]) for k in region.chosen(which)]
    if which is None:
        return float(sum(counts))
    return from_numpy(np.array(counts, float).reshape(-1, 1))
