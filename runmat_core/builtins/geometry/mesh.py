"""The classes triangulation and delaunayTriangulation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, ClassVar

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import as_float, check_size, real, whole
from runmat_core.builtins.geometry import constrained
from runmat_core.builtins.geometry.triangulations import (
    Points,
    Simplices,
    delaunay_of,
    oriented,
    points_of,
)
from runmat_core.builtins.members import BuiltinObject
from runmat_core.values import class_of, from_numpy, index, size_of
from runmat_core.values.notices import warn

_FUNCTIONS = frozenset(
    "edges neighbors freeBoundary circumcenter incenter faceNormal vertexNormal pointLocation "
    "nearestNeighbor barycentricToCartesian cartesianToBarycentric vertexAttachments "
    "edgeAttachments isConnected featureEdges".split()
)


@attrs.frozen(eq=False)
class Content:
    """Points as rows, and simplices and constrained edges as rows of their numbers from zero."""

    points: Points
    simplices: Simplices
    constraints: Simplices = attrs.field(factory=lambda: np.zeros((0, 2), np.intp))


class Mesh(BuiltinObject):
    """A triangulation.

    Attributes:
        data: its `Content`.
    """

    __slots__ = ()
    data: Content
    class_name = "triangulation"
    properties: ClassVar[tuple[str, ...]] = ("Points", "ConnectivityList")
    functions = _FUNCTIONS

    def __init__(self, points: Points, simplices: Simplices) -> None:
        self.data = Content(points, simplices)

    def get_property(self, name: str) -> Any:
        if name == "Points":
            return from_numpy(self.data.points)
        if name == "Constraints":
            return from_numpy(self.data.constraints + 1.0)
        return from_numpy(self.data.simplices + 1.0)

    def paren(self, subs: Sequence[Any]) -> Any:
        return index(self.get_property("ConnectivityList"), subs)


class DelaunayMesh(Mesh):
    __slots__ = ()
    class_name = "delaunayTriangulation"
    properties = ("Points", "ConnectivityList", "Constraints")
    functions = _FUNCTIONS | {"convexHull", "voronoiDiagram", "isInterior"}

    def set_property(self, name: str, rhs: Any) -> None:
        """Make a new triangulation of new points or constraints; the rest follows from them."""
        if name == "Points":
            points = points_of((rhs,), self.class_name)
            self.data = delaunay_mesh(points, self.data.constraints).data
        elif name == "Constraints":
            points = self.data.points
            self.data = delaunay_mesh(points, _constraints(rhs, points)).data
        else:
            super().set_property(name, rhs)


def delaunay_mesh(points: Points, constraints: Simplices | None = None) -> DelaunayMesh:
    name = "delaunayTriangulation"
    edges = np.zeros((0, 2), np.intp) if constraints is None else constraints
    count = len(points)
    if edges.size and (points.shape[1] != 2 or edges.max() >= count):
        raise _unfit("Constraints are edges between points of the plane.")
    points, edges = constrained.parted(points, edges)
    if len(points) > count:
        warn(
            "MATLAB:delaunayTriangulation:ConsSplitPtWarnId",
            "Intersecting edge constraints have been split, this may have added new points into "
            "the triangulation.",
        )
    triangles = oriented(points, delaunay_of(points, name).simplices)
    if edges.size:
        try:
            triangles, edges = constrained.constrain(points, triangles, edges)
        except LookupError:
            raise _unfit(
                "A constraint cannot be an edge: points along it are nearly on one line."
            ) from None
    made = DelaunayMesh(points, triangles)
    made.data = attrs.evolve(made.data, constraints=edges)
    return made


def _unfit(message: str) -> MatlabError:
    return MatlabError("MATLAB:delaunayTriangulation:Constraints", message)


def _constraints(value: Any, points: Points) -> Simplices:
    """Edges that are to be kept, as pairs of numbers of points."""
    given = np.asarray(real(value, "delaunayTriangulation"))
    if not given.size:
        return np.zeros((0, 2), np.intp)
    flat = whole(value, "delaunayTriangulation")
    if given.ndim != 2 or given.shape[1] != 2 or (flat < 1).any() or (flat > len(points)).any():
        raise _unfit("Constraints must be rows of two numbers of points.")
    edges = (flat - 1).reshape(given.shape, order="F").astype(np.intp)
    if (edges[:, 0] == edges[:, 1]).any():
        raise _unfit("A constraint must join two different points.")
    return edges


def mesh_of(value: Any, name: str) -> Content:
    """Return the triangulation that the builtin `name` is given."""
    if not isinstance(value, Mesh):
        raise undefined_for(name, class_of(value))
    return value.data


def chosen(content: Content, ids: Any, name: str) -> Simplices:
    """Return the simplices of given numbers, all of them where there are none."""
    if ids is None:
        return content.simplices
    return content.simplices[simplex_numbers(content, ids, name)]


def simplex_numbers(content: Content, ids: Any, name: str, count: int | None = None) -> Simplices:
    numbers = whole(ids, name)
    if (numbers < 1).any() or (numbers > (count or len(content.simplices))).any():
        raise MatlabError(
            f"MATLAB:triangulation:{name}:InvalidID", "There is no element with this number."
        )
    return numbers - 1


@builtin("triangulation", family="geometry/mesh", nargin=(2, 4), effects="pure")
def triangulation(t: Any, *args: Any) -> Any:
    """Triangulation of given triangles or tetrahedra: an object that can be asked about them.

    TR = triangulation(T, P), TR = triangulation(T, X, Y), TR = triangulation(T, X, Y, Z) with the
    numbers of the corners of a triangle (or tetrahedron) in each row of T

    Properties: Points, ConnectivityList. TR(I, J) reads ConnectivityList.

    Examples:
        >> TR = triangulation([1 2 3; 2 4 3], [0 0; 1 0; 0 1; 1 1]);
        >> edges(TR)'
        ans =
             1     1     2     2     3
             2     3     3     4     4

    See also: delaunayTriangulation, freeBoundary, pointLocation, delaunay.
    """
    points = points_of(args, "triangulation")
    rows = np.asarray(real(t, "triangulation"))
    flat = whole(t, "triangulation")
    if rows.ndim != 2 or not 3 <= rows.shape[1] <= points.shape[1] + 1:
        raise MatlabError(
            "MATLAB:triangulation:TriInvalidSizeErrId", "T must have 3 columns, or 4 in space."
        )
    if (flat < 1).any() or (flat > points.shape[0]).any():
        raise MatlabError(
            "MATLAB:triangulation:TriInvalidIndexErrId", "T must hold numbers of points."
        )
    return Mesh(points, (flat - 1).reshape(rows.shape, order="F").astype(np.intp))


@builtin("delaunayTriangulation", family="geometry/mesh", nargin=(1, 4), effects="pure")
def delaunay_triangulation(*args: Any) -> Any:
    """Delaunay triangulation as an object that can be asked about it.

    DT = delaunayTriangulation(P), DT = delaunayTriangulation(X, Y),
    DT = delaunayTriangulation(X, Y, Z)
    DT = delaunayTriangulation(P, C), DT = delaunayTriangulation(X, Y, C) of points in the plane
    has the edges C, with the numbers of two points in each row, among its own. Those that meet
    other points are cut there, and those that cross get a point in common.

    Properties: Points, ConnectivityList, Constraints. isInterior tells which triangles lie inside
    of constraints.

    Examples:
        >> DT = delaunayTriangulation([0 1 1 0]', [0 0 1 1]');
        >> size(DT.ConnectivityList)
        ans =
             2     3
        >> DT = delaunayTriangulation([0 0; 4 0; 4 1; 2 0.2; 0 1], [3 5]);
        >> isConnected(DT, 3, 5)
        ans =
          logical
           1

    See also: triangulation, isInterior, pointLocation, convexHull, voronoiDiagram, delaunay.
    """
    coordinates_, edges_ = _with_constraints(args)
    points = points_of(coordinates_, "delaunayTriangulation")
    return delaunay_mesh(points, None if edges_ is None else _constraints(edges_, points))


def _with_constraints(args: Sequence[Any]) -> tuple[Sequence[Any], Any]:
    """Return the arguments that tell points, and that which tells constraints, if there is one."""
    first, last = size_of(args[0]), size_of(args[-1])
    if len(args) == 4:
        raise _unfit("Constraints are for points of the plane: give P or X and Y, and C.")
    if len(args) == 2 and (min(first) > 1 or first[-1] == 3 or last == (0, 0)):
        # a matrix of points has no second coordinate beside it
        if first[-1] == 3:
            raise _unfit("Constraints are for points of the plane.")
        return args[:1], args[1]
    if len(args) == 3 and (last == (0, 0) or (last[-1] == 2 and first[-1] != 2)):
        return args[:2], args[2]
    return args, None


@builtin("edges", family="geometry/mesh", effects="pure")
def edges(tr: Any) -> Any:
    """Edges of a triangulation.

    E = edges(TR): both ends of each edge, once

    Examples:
        >> edges(triangulation([1 2 3], [0 0; 1 0; 0 1]))
        ans =
             1     2
             1     3
             2     3

    See also: triangulation, freeBoundary, edgeAttachments.
    """
    t = mesh_of(tr, "edges").simplices
    sides = [np.sort(t[:, list(pair)], axis=1) for pair in combinations(range(t.shape[1]), 2)]
    return from_numpy(np.unique(np.concatenate(sides), axis=0) + 1.0)


def facets(t: Simplices) -> tuple[Simplices, Simplices]:
    """Facets of simplices, oriented outwards where these are positive, with sorted twins.

    Returns:
        Arrays of simplices by opposite corners by the corners of facets.
    """
    turns = {3: [[1, 2], [2, 0], [0, 1]], 4: [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]}
    outward = t[:, np.array(turns[t.shape[1]])]
    return outward, np.sort(outward, axis=2)


def neighbours(t: Simplices) -> Simplices:
    """Return the simplex beside each across the facet opposite to each corner, -1 for none."""
    ordered = facets(t)[1]
    flat = ordered.reshape(-1, ordered.shape[2])
    order = np.lexsort(flat.T[::-1])
    same = (flat[order[1:]] == flat[order[:-1]]).all(axis=1)
    first, second = order[:-1][same], order[1:][same]
    beside = np.full(flat.shape[0], -1, np.intp)
    beside[first], beside[second] = second // t.shape[1], first // t.shape[1]
    return beside.reshape(t.shape)


def neighbours_of(tr: Mesh, ids: Any) -> Any:
    """``neighbors(TR, ID)``."""
    content = tr.data
    beside = neighbours(content.simplices)
    if ids is not None:
        beside = beside[simplex_numbers(content, ids, "neighbors")]
    return from_numpy(np.where(beside < 0, np.nan, beside + 1.0))


def chained(edges_: Simplices) -> list[list[int]]:
    """Directed edges joined to chains of nodes; closed ones end where they begin."""
    follower: dict[int, list[int]] = {}
    for a, b in edges_.tolist():
        follower.setdefault(a, []).append(b)
    chains = []
    for start in list(follower):
        while follower[start]:
            chain = [start]
            while follower.get(chain[-1]):
                chain.append(follower[chain[-1]].pop(0))
                if chain[-1] == start:
                    break
            chains.append(chain)
    return chains


@builtin("freeBoundary", family="geometry/mesh", nargout=2, needs=("nargout",), effects="pure")
def freeBoundary(tr: Any, *, nargout: int) -> Any:
    """Edges (or triangles, of tetrahedra) that belong to one simplex alone.

    F = freeBoundary(TR), one in a row; edges follow one another around the boundary
    [F, P] = freeBoundary(TR) gives the points of the boundary, which F then numbers

    Examples:
        >> freeBoundary(triangulation([1 2 3; 2 4 3], [0 0; 1 0; 0 1; 1 1]))
        ans =
             1     2
             2     4
             4     3
             3     1

    See also: triangulation, edges, boundary, convexHull.
    """
    content = mesh_of(tr, "freeBoundary")
    outward, _ = facets(content.simplices)
    free = outward[neighbours(content.simplices) < 0]
    if free.shape[1] == 2 and len(free):
        free = free[np.argsort(free[:, 0], kind="stable")]
        chains = [np.array([chain[:-1], chain[1:]]).T for chain in chained(free)]
        free = np.concatenate(chains)
    if nargout < 2:
        return from_numpy(free + 1.0)
    used, numbers = np.unique(free, return_inverse=True)
    return from_numpy(numbers.reshape(free.shape) + 1.0), from_numpy(content.points[used])


@builtin("isConnected", family="geometry/mesh", nargin=(2, 3), effects="pure")
def isConnected(tr: Any, first: Any, last: Any = None) -> Any:
    """Whether edges of a triangulation join points.

    TF = isConnected(TR, I, J), TF = isConnected(TR, E) with both ends in each row

    Examples:
        >> isConnected(triangulation([1 2 3; 2 4 3], [0 0; 1 0; 0 1; 1 1]), [1 1]', [2 4]')
        ans =
          2×1 logical array
           1
           0

    See also: edges, edgeAttachments.
    """
    content = mesh_of(tr, "isConnected")
    wanted = pairs_of(content, first, last, "isConnected")
    t = content.simplices
    there = {
        (a, b)
        for pair in combinations(range(t.shape[1]), 2)
        for a, b in np.sort(t[:, list(pair)], axis=1).tolist()
    }
    found = [(min(a, b), max(a, b)) in there for a, b in wanted.tolist()]
    return from_numpy(np.array(found, bool).reshape(-1, 1))


def pairs_of(content: Content, first: Any, last: Any, name: str) -> Simplices:
    """Pairs of points, from a matrix of two columns or from two vectors."""
    count = len(content.points)
    numbers = simplex_numbers(content, first, name, count)
    if last is not None:
        others = simplex_numbers(content, last, name, count)
        if others.size == numbers.size:
            return np.stack([numbers, others], axis=1)
    elif np.asarray(real(first, name)).shape[1:] == (2,):
        return numbers.reshape(-1, 2, order="F")
    raise MatlabError(f"MATLAB:triangulation:{name}:InvalidEdges", "Edges must be pairs of points.")


def coordinates(value: Any, columns: int, name: str) -> Points:
    a = as_float(real(value, name)).astype(np.float64)
    if a.ndim != 2 or a.shape[1] != columns:
        raise MatlabError(
            f"MATLAB:triangulation:{name}:InvalidSize", f"Expected rows of {columns} numbers."
        )
    check_size(a.shape, 64)
    return a
