"""Alpha shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.geometry.mesh import facets, neighbours
from runmat_core.builtins.geometry.mesh_measures import circumcentres
from runmat_core.builtins.geometry.triangulations import (
    Points,
    Simplices,
    delaunay_of,
    enclosing,
    points_of,
)
from runmat_core.builtins.members import BuiltinObject
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import class_of, from_numpy, is_text, numel_of


@attrs.frozen(eq=False)
class Shape:
    """An alpha shape: those simplices of a Delaunay triangulation that are small enough.

    Attributes:
        points: as rows.
        simplices: all of the triangulation.
        radii: of the circles or spheres through their corners.
        alpha: the largest radius that is let in.
        holes: holes up to this content are filled.
        regions: regions below this content are left out.
    """

    points: Points
    simplices: Simplices
    radii: Points
    alpha: float
    holes: float = 0.0
    regions: float = 0.0

    def contents(self) -> Points:
        p, t = self.points, self.simplices
        edges = p[t[:, 1:]] - p[t[:, :1]]
        return np.asarray(np.abs(np.linalg.det(edges)) / (2 if p.shape[1] == 2 else 6))

    def regions_of(self, kept: Any) -> Any:
        """Return the number of the region of each simplex that is kept, -1 for the others."""
        coo_array = package("scipy.sparse").coo_array
        connected_components = package("scipy.sparse.csgraph").connected_components

        beside = neighbours(self.simplices)
        first, corner = np.nonzero(beside >= 0)
        second = beside[first, corner]
        both = kept[first] & kept[second]
        count = len(self.simplices)
        matrix = coo_array((np.ones(both.sum()), (first[both], second[both])), (count, count))
        label = connected_components(matrix.tocsr(), directed=False)[1]
        found = np.full(count, -1)
        found[kept] = np.unique(label[kept], return_inverse=True)[1]
        return found

    def kept(self) -> Any:
        """Which simplices belong to the shape."""
        chosen = self.radii <= self.alpha
        content = self.contents()
        if self.regions > 0 and chosen.any():
            region = self.regions_of(chosen)
            total = np.bincount(region[chosen], content[chosen])
            chosen = chosen & (total[region] >= self.regions)
        if self.holes > 0 and not chosen.all():
            rest = ~chosen
            hole = self.regions_of(rest)
            total = np.bincount(hole[rest], content[rest])
            outer = np.unique(hole[rest & (neighbours(self.simplices) < 0).any(axis=1)])
            filled = total <= self.holes
            filled[outer] = False
            chosen = chosen | (rest & filled[hole])
        return chosen

    def boundary(self) -> Simplices:
        """Facets of the shape that are not between two of its simplices, oriented outwards."""
        t = self.simplices[self.kept()]
        if not len(t):
            return np.zeros((0, self.points.shape[1]), np.intp)
        return facets(t)[0][neighbours(t) < 0]

    def critical(self, kind: str) -> float:
        """Return the least radius that lets in all points, and joins them to one region."""
        least = np.full(len(self.points), np.inf)
        for corner in range(self.simplices.shape[1]):
            np.minimum.at(least, self.simplices[:, corner], self.radii)
        all_points = float(least[np.unique(self.simplices)].max())
        if kind == "all-points":
            return all_points
        spectrum = np.unique(self.radii[self.radii >= all_points])
        low, high = 0, spectrum.size - 1
        while low < high:
            middle = (low + high) // 2
            region = self.regions_of(self.radii <= spectrum[middle])
            low, high = (low, middle) if region.max() == 0 else (middle + 1, high)
        return float(spectrum[low])


def shape_of_points(p: Points) -> Shape:
    """Return the shape of all simplices: the hull.

    Qhull fills places where more points than needed lie on one sphere with flat simplices, which
    have no content and belong to the shape as soon as one beside them does.
    """
    simplices = delaunay_of(p, "alphaShape").simplices.astype(np.intp)
    edges = p[simplices[:, 1:]] - p[simplices[:, :1]]
    content = np.linalg.det(edges)
    turned = content < 0
    simplices[turned, -2:] = simplices[turned, -2:][:, ::-1]
    radii = circumcentres(p, simplices)[1]
    flat = np.abs(content) <= 1e-13 * np.abs(edges).max(axis=(1, 2)) ** p.shape[1]
    radii[flat] = np.inf
    beside = neighbours(simplices)
    for _ in range(int(flat.sum())):
        around = np.where(beside < 0, np.inf, radii[beside]).min(axis=1)
        fresh = np.where(flat, np.minimum(radii, around), radii)
        if (fresh == radii).all():
            break
        radii = fresh
    return Shape(p, simplices, radii, np.inf)


class AlphaShape(BuiltinObject):
    """An alphaShape.

    Attributes:
        data: its `Shape`.
    """

    __slots__ = ()
    data: Shape
    class_name = "alphaShape"
    properties = ("Points", "Alpha", "HoleThreshold", "RegionThreshold")
    functions = frozenset(
        "area volume perimeter surfaceArea inShape boundaryFacets alphaTriangulation "
        "criticalAlpha alphaSpectrum numRegions".split()
    )

    def __init__(self, shape: Shape) -> None:
        self.data = shape

    def get_property(self, name: str) -> Any:
        shape = self.data
        if name == "Points":
            return from_numpy(shape.points)
        number = {"Alpha": shape.alpha, "HoleThreshold": shape.holes}.get(name, shape.regions)
        return float(number)

    def set_property(self, name: str, rhs: Any) -> None:
        if name == "Points":
            fresh = shape_of_points(points_of((rhs,), "alphaShape"))
            alpha, holes, regions = self.data.alpha, self.data.holes, self.data.regions
            self.data = attrs.evolve(fresh, alpha=alpha, holes=holes, regions=regions)
            return
        number = scalar(rhs, name)
        if not number >= 0:
            raise MatlabError(
                f"MATLAB:alphaShape:Invalid{name}", f"{name} must be a number of 0 or more."
            )
        if name == "Alpha":
            self.data = attrs.evolve(self.data, alpha=number)
        elif name == "HoleThreshold":
            self.data = attrs.evolve(self.data, holes=number)
        else:
            self.data = attrs.evolve(self.data, regions=number)


def shape_in(value: Any, name: str, rank: int | None = None) -> Shape:
    if not isinstance(value, AlphaShape):
        raise undefined_for(name, class_of(value))
    shape = value.data
    if rank not in (None, shape.points.shape[1]):
        raise MatlabError(
            f"MATLAB:alphaShape:{name}:WrongDimension",
            f"'{name}' is for {rank}-D points.",
        )
    return shape


def coordinates_and_rest(args: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the arguments that are coordinates, and those after them."""
    plain = list(args)
    if numel_of(plain[0]) != 1 and len(plain) > 1 and numel_of(plain[1]) == numel_of(plain[0]):
        count = 2 + (len(plain) > 2 and numel_of(plain[2]) == numel_of(plain[0]))
        return plain[:count], plain[count:]
    return plain[:1], plain[1:]


@builtin("alphaShape", family="geometry/alpha", nargin=(1, 8), effects="pure")
def alpha_shape(*args: Any) -> Any:
    """Shape of points that follows their outline as closely as a circle of radius alpha can.

    S = alphaShape(P), S = alphaShape(X, Y), S = alphaShape(X, Y, Z), S = alphaShape(…, A): without
    A the least radius that lets in all points
    S = alphaShape(…, "HoleThreshold", H, "RegionThreshold", R) fills holes up to a size, and leaves
    out smaller regions

    Properties: Points, Alpha, HoleThreshold, RegionThreshold.

    Examples:
        >> S = alphaShape([0 2 2 0 1]', [0 0 2 2 1]', Inf);
        >> area(S)
        ans =
             4

    See also: boundary, inShape, convhull, delaunayTriangulation.
    """
    at = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    coordinates, rest = coordinates_and_rest(args[:at] or args)
    given, _ = pairs(args[at:], ("HoleThreshold", "RegionThreshold"), "alphaShape")
    if len(rest) > 1:
        raise MatlabError("MATLAB:alphaShape:InvalidInput", "Expected points and a radius.")
    shape = shape_of_points(np.unique(points_of(coordinates, "alphaShape"), axis=0))
    made = AlphaShape(attrs.evolve(shape, alpha=shape.critical("all-points")))
    if rest:
        made.set_property("Alpha", rest[0])
    for name, value in given.items():
        made.set_property(name, value)
    return made


@builtin("inShape", family="geometry/alpha", nargin=(2, 4), effects="pure")
def inShape(shape: Any, *args: Any) -> Any:
    """Whether points lie in a shape.

    TF = inShape(S, Q), TF = inShape(S, X, Y), TF = inShape(S, X, Y, Z)

    Examples:
        >> inShape(alphaShape([0 1 0; 0 0 1]', Inf), [0.2 5], [0.2 5])
        ans =
          1×2 logical array
           1   0

    See also: alphaShape, inpolygon.
    """
    found = shape_in(shape, "inShape")
    q = points_of(args, "inShape")
    if q.shape[1] != found.points.shape[1]:
        raise MatlabError(
            "MATLAB:alphaShape:inShape:WrongDimension", "Points must have as many coordinates."
        )
    inside = enclosing(found.points, found.simplices[found.kept()], q)[0] >= 0
    size = args[0].shape if len(args) > 1 and not isinstance(args[0], float) else (len(q), 1)
    return from_numpy(inside.reshape(size, order="F"))


@builtin("boundaryFacets", family="geometry/alpha", nargout=2, needs=("nargout",))
def boundaryFacets(shape: Any, *, nargout: int) -> Any:
    """Edges or triangles that bound a shape.

    F = boundaryFacets(S), one in a row, as numbers of points
    [F, P] = boundaryFacets(S) gives the points of the boundary, which F then numbers

    Examples:
        >> size(boundaryFacets(alphaShape([0 1 0; 0 0 1]', Inf)))
        ans =
             3     2

    See also: alphaShape, freeBoundary, boundary.
    """
    found = shape_in(shape, "boundaryFacets")
    sides = found.boundary()
    if nargout < 2:
        return from_numpy(sides + 1.0)
    used, numbers = np.unique(sides, return_inverse=True)
    return from_numpy(numbers.reshape(sides.shape) + 1.0), from_numpy(found.points[used])


@builtin("alphaTriangulation", family="geometry/alpha", nargout=2, needs=("nargout",))
def alphaTriangulation(shape: Any, *, nargout: int) -> Any:
    """Simplices that a shape is made of.

    T = alphaTriangulation(S), [T, P] = alphaTriangulation(S) with the points that T numbers

    Examples:
        >> alphaTriangulation(alphaShape([0 1 0; 0 0 1]', Inf))
        ans =
             3     2     1

    See also: alphaShape, delaunay.
    """
    found = shape_in(shape, "alphaTriangulation")
    t = from_numpy(found.simplices[found.kept()] + 1.0)
    return (t, from_numpy(found.points)) if nargout > 1 else t


@builtin("criticalAlpha", family="geometry/alpha", effects="pure")
def criticalAlpha(shape: Any, kind: Any) -> float:
    """Least radius with which a shape has all points.

    A = criticalAlpha(S, "all-points"), A = criticalAlpha(S, "one-region") in one region

    Examples:
        >> criticalAlpha(alphaShape([0 6 0; 0 0 8]'), 'all-points')
        ans =
             5

    See also: alphaShape, alphaSpectrum.
    """
    found = shape_in(shape, "criticalAlpha")
    return found.critical(choice(kind, ("all-points", "one-region"), "criticalAlpha"))


@builtin("alphaSpectrum", family="geometry/alpha", effects="pure")
def alphaSpectrum(shape: Any) -> Any:
    """Radii at which a shape changes, the largest first.

    A = alphaSpectrum(S)

    Examples:
        >> alphaSpectrum(alphaShape([0 6 0; 0 0 8]'))
        ans =
             5

    See also: alphaShape, criticalAlpha.
    """
    return from_numpy(np.unique(shape_in(shape, "alphaSpectrum").radii)[::-1].reshape(-1, 1))


@builtin("numRegions", family="geometry/alpha", effects="pure")
def numRegions(shape: Any) -> float:
    """Number of regions of a shape.

    N = numRegions(S)

    Examples:
        >> numRegions(alphaShape([0 1 0 9 10 9; 0 0 1 0 0 1]', 1))
        ans =
             2

    See also: alphaShape, area.
    """
    found = shape_in(shape, "numRegions")
    return float(found.regions_of(found.kept()).max(initial=-1) + 1)
