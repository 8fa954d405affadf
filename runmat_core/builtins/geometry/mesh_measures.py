"""Questions to triangulations: centres, normals, coordinates, where points are."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.geometry.constrained import inside
from runmat_core.builtins.geometry.mesh import (
    Content,
    DelaunayMesh,
    chosen,
    coordinates,
    mesh_of,
    pairs_of,
    simplex_numbers,
)
from runmat_core.builtins.geometry.triangulations import (
    Points,
    Simplices,
    convhull,
    enclosing,
    points_of,
    voronoin,
)
from runmat_core.values import cell, from_numpy


def circumcentres(p: Points, t: Simplices) -> tuple[Points, Points]:
    """Centres and radii of the spheres through the corners of simplices; NaN for flat ones."""
    edges = p[t[:, 1:]] - p[t[:, :1]]
    # the centre lies in the plane of the simplex: its offset is a combination of the edges
    gram = np.einsum("kij,klj->kil", edges, edges)
    square = np.einsum("kij,kij->ki", edges, edges) / 2
    flat = np.abs(np.linalg.det(gram)) <= 1e-26 * np.prod(2 * square, axis=1)
    gram[flat] = np.eye(gram.shape[1])
    weights = np.linalg.solve(gram, square[..., None])[..., 0]
    offset = np.einsum("ki,kij->kj", weights, edges)
    offset[flat] = np.nan
    return p[t[:, 0]] + offset, np.sqrt((offset**2).sum(axis=1))


@builtin("circumcenter", family="geometry/mesh", nargin=(1, 2), nargout=2, needs=("nargout",))
def circumcenter(tr: Any, ids: Any = None, *, nargout: int) -> Any:
    """Centres of the circles or spheres through the corners of simplices.

    C = circumcenter(TR), C = circumcenter(TR, ID)
    [C, R] = circumcenter(…) gives the radii

    Examples:
        >> [c, r] = circumcenter(triangulation([1 2 3], [0 0; 6 0; 0 8]))
        c =
             3     4
        r =
             5

    See also: incenter, triangulation, delaunayTriangulation.
    """
    content = mesh_of(tr, "circumcenter")
    centre, radius = circumcentres(content.points, chosen(content, ids, "circumcenter"))
    return (from_numpy(centre), from_numpy(radius[:, None])) if nargout > 1 else from_numpy(centre)


def _content(p: Points, t: Simplices) -> Points:
    """Lengths, areas or volumes of simplices, in a space of any dimension."""
    edges = p[t[:, 1:]] - p[t[:, :1]]
    gram = np.einsum("kij,klj->kil", edges, edges)
    return np.asarray(np.sqrt(np.maximum(np.linalg.det(gram), 0)))


@builtin("incenter", family="geometry/mesh", nargin=(1, 2), nargout=2, needs=("nargout",))
def incenter(tr: Any, ids: Any = None, *, nargout: int) -> Any:
    """Centres of the circles or spheres inside simplices.

    C = incenter(TR), C = incenter(TR, ID)
    [C, R] = incenter(…) gives the radii

    Examples:
        >> [c, r] = incenter(triangulation([1 2 3], [0 0; 3 0; 0 4]))
        c =
            1.0000    1.0000
        r =
             1

    See also: circumcenter, triangulation.
    """
    content = mesh_of(tr, "incenter")
    p, t = content.points, chosen(content, ids, "incenter")
    size = t.shape[1]
    opposite = [np.delete(np.arange(size), k) for k in range(size)]
    sides = np.stack([_content(p, t[:, corners]) for corners in opposite], axis=1)
    centre = np.einsum("ki,kij->kj", sides, p[t]) / sides.sum(axis=1, keepdims=True)
    # determinants are 2 (3) times areas, 6 times volumes: the radius is size-1 contents by sides
    radius = _content(p, t)[:, None] / sides.sum(axis=1, keepdims=True)
    return (from_numpy(centre), from_numpy(radius)) if nargout > 1 else from_numpy(centre)


def _unit(vectors: Points) -> Points:
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    with np.errstate(all="ignore"):
        return np.asarray(vectors / length)


def _cross(content: Content, name: str) -> Points:
    p, t = content.points, content.simplices
    if t.shape[1] != 3 or p.shape[1] != 3:
        raise MatlabError(
            f"MATLAB:triangulation:{name}:Not3DSurface", "Normals are those of triangles in space."
        )
    return np.cross(p[t[:, 1]] - p[t[:, 0]], p[t[:, 2]] - p[t[:, 0]])


@builtin("faceNormal", family="geometry/mesh", nargin=(1, 2), effects="pure")
def faceNormal(tr: Any, ids: Any = None) -> Any:
    """Normals of length 1 of triangles in space.

    N = faceNormal(TR), N = faceNormal(TR, ID)

    Examples:
        >> faceNormal(triangulation([1 2 3], [0 0 0; 1 0 0; 0 1 0]))
        ans =
             0     0     1

    See also: vertexNormal, triangulation.
    """
    content = mesh_of(tr, "faceNormal")
    normals = _unit(_cross(content, "faceNormal"))
    if ids is not None:
        normals = normals[simplex_numbers(content, ids, "faceNormal")]
    return from_numpy(normals)


@builtin("featureEdges", family="geometry/mesh", effects="pure")
def featureEdges(tr: Any, angle: Any) -> Any:
    """Sharp edges of a surface.

    E = featureEdges(TR, ANGLE): edges between triangles whose normals differ by more than ANGLE,
    and those that belong to one triangle or to more than two

    Examples:
        >> TR = triangulation([1 2 3; 1 4 2], [0 0 0; 1 0 0; 0 1 0; 0 0 1]);
        >> size(featureEdges(TR, pi/3), 1)
        ans =
             5

    See also: triangulation, freeBoundary, faceNormal.
    """
    content = mesh_of(tr, "featureEdges")
    least = scalar(angle, "featureEdges")
    normals, t = _unit(_cross(content, "featureEdges")), content.simplices
    sides = np.concatenate([np.sort(t[:, pair], axis=1) for pair in ([0, 1], [1, 2], [2, 0])])
    found, where, counts = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(where.ravel(), kind="stable") % len(t)
    first = np.cumsum(counts) - counts
    pairs = normals[order[first]], normals[order[np.minimum(first + 1, len(order) - 1)]]
    between = np.arccos(np.clip((pairs[0] * pairs[1]).sum(axis=1), -1, 1))
    return from_numpy(found[(counts != 2) | (between > least)] + 1.0)


@builtin("vertexNormal", family="geometry/mesh", nargin=(1, 2), effects="pure")
def vertexNormal(tr: Any, ids: Any = None) -> Any:
    """Normals of length 1 at the points of a surface: means of those of the triangles around.

    N = vertexNormal(TR), N = vertexNormal(TR, ID)

    Triangles count by their angles at the point.

    Examples:
        >> vertexNormal(triangulation([1 2 3], [0 0 0; 1 0 0; 0 1 0]), 2)
        ans =
             0     0     1

    See also: faceNormal, triangulation.
    """
    content = mesh_of(tr, "vertexNormal")
    normals = _unit(_cross(content, "vertexNormal"))
    p, t = content.points, content.simplices
    total = np.zeros_like(p)
    for corner in range(3):
        one = _unit(p[t[:, (corner + 1) % 3]] - p[t[:, corner]])
        other = _unit(p[t[:, (corner + 2) % 3]] - p[t[:, corner]])
        angle = np.arccos(np.clip((one * other).sum(axis=1), -1, 1))
        np.add.at(total, t[:, corner], normals * angle[:, None])
    found = _unit(total)
    if ids is not None:
        found = found[simplex_numbers(content, ids, "vertexNormal", len(p))]
    return from_numpy(found)


def _corners(content: Content, ids: Any, rows: int, name: str) -> Points:
    numbers = simplex_numbers(content, ids, name)
    if numbers.size not in (1, rows):
        raise MatlabError(
            f"MATLAB:triangulation:{name}:SizeMismatch", "There must be a point for each simplex."
        )
    corners = content.points[content.simplices[numbers]]
    return np.broadcast_to(corners, (rows, *corners.shape[1:]))


@builtin("barycentricToCartesian", family="geometry/mesh", effects="pure")
def barycentricToCartesian(tr: Any, ids: Any, weights: Any) -> Any:
    """Points from weights of the corners of simplices.

    P = barycentricToCartesian(TR, ID, B) with the weights for the simplex ID(k) in row k of B

    Examples:
        >> barycentricToCartesian(triangulation([1 2 3], [0 0; 4 0; 0 4]), 1, [0.5 0.25 0.25])
        ans =
             1     1

    See also: cartesianToBarycentric, pointLocation.
    """
    content = mesh_of(tr, "barycentricToCartesian")
    b = coordinates(weights, content.simplices.shape[1], "barycentricToCartesian")
    corners = _corners(content, ids, len(b), "barycentricToCartesian")
    return from_numpy(np.einsum("ki,kij->kj", b, corners))


@builtin("cartesianToBarycentric", family="geometry/mesh", effects="pure")
def cartesianToBarycentric(tr: Any, ids: Any, points: Any) -> Any:
    """Weights of the corners of simplices that make up points.

    B = cartesianToBarycentric(TR, ID, P) with a point for the simplex ID(k) in row k of P

    Examples:
        >> cartesianToBarycentric(triangulation([1 2 3], [0 0; 4 0; 0 4]), 1, [1 1])
        ans =
            0.5000    0.2500    0.2500

    See also: barycentricToCartesian, pointLocation.
    """
    content = mesh_of(tr, "cartesianToBarycentric")
    q = coordinates(points, content.points.shape[1], "cartesianToBarycentric")
    corners = _corners(content, ids, len(q), "cartesianToBarycentric")
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    part = np.einsum("kij,kj->ki", np.linalg.pinv(edges), q - corners[:, 0])
    return from_numpy(np.concatenate([1 - part.sum(axis=1, keepdims=True), part], axis=1))


@builtin("pointLocation", family="geometry/mesh", nargin=(2, 4), nargout=2, needs=("nargout",))
def pointLocation(tr: Any, *args: Any, nargout: int) -> Any:
    """Simplices that enclose points.

    ID = pointLocation(TR, P), ID = pointLocation(TR, X, Y), ID = pointLocation(TR, X, Y, Z): the
    number of the simplex, NaN outside
    [ID, B] = pointLocation(…) gives the weights of the corners

    Examples:
        >> pointLocation(triangulation([1 2 3], [0 0; 4 0; 0 4]), [1 1; 5 5])
        ans =
             1
           NaN

    See also: nearestNeighbor, tsearchn, triangulation.
    """
    content = mesh_of(tr, "pointLocation")
    if content.simplices.shape[1] != content.points.shape[1] + 1:
        raise MatlabError(
            "MATLAB:triangulation:pointLocation:Surface", "A surface in space encloses no points."
        )
    q = coordinates(from_numpy(points_of(args, "pointLocation")), content.points.shape[1], "points")
    found, weights = enclosing(content.points, content.simplices, q)
    number = from_numpy(np.where(found < 0, np.nan, found + 1.0).reshape(-1, 1))
    return (number, from_numpy(weights)) if nargout > 1 else number


@builtin("nearestNeighbor", family="geometry/mesh", nargin=(2, 4), nargout=2, needs=("nargout",))
def nearestNeighbor(tr: Any, *args: Any, nargout: int) -> Any:
    """Points of a triangulation that are nearest to others.

    ID = nearestNeighbor(TR, Q), ID = nearestNeighbor(TR, X, Y), ID = nearestNeighbor(TR, X, Y, Z)
    [ID, D] = nearestNeighbor(…) gives the distances

    Examples:
        >> nearestNeighbor(triangulation([1 2 3], [0 0; 4 0; 0 4]), [3 1])
        ans =
             2

    See also: pointLocation, dsearchn.
    """
    cKDTree = package("scipy.spatial").cKDTree

    content = mesh_of(tr, "nearestNeighbor")
    q = coordinates(
        from_numpy(points_of(args, "nearestNeighbor")), content.points.shape[1], "query"
    )
    distance, at = cKDTree(content.points).query(q)
    number = from_numpy(at.reshape(-1, 1) + 1.0)
    return (number, from_numpy(distance.reshape(-1, 1))) if nargout > 1 else number


def _attached(content: Content, sets: list[set[int]]) -> Any:
    """For each set of points the simplices that have all of them, as a column of cells."""
    around: list[set[int]] = [set() for _ in range(len(content.points))]
    for number, simplex in enumerate(content.simplices.tolist()):
        for corner in simplex:
            around[corner].add(number)
    rows = [sorted(set.intersection(*(around[k] for k in points))) for points in sets]
    cells = [from_numpy(np.array(row, np.float64).reshape(1, -1) + 1) for row in rows]
    return cell(cells, (len(cells), 1))


@builtin("vertexAttachments", family="geometry/mesh", nargin=(1, 2), effects="pure")
def vertexAttachments(tr: Any, ids: Any = None) -> Any:
    """Simplices around points of a triangulation.

    V = vertexAttachments(TR), V = vertexAttachments(TR, ID): a cell for each point

    Examples:
        >> v = vertexAttachments(triangulation([1 2 3; 2 4 3], [0 0; 1 0; 0 1; 1 1]), 2); v{1}
        ans =
             1     2

    See also: edgeAttachments, neighbors.
    """
    content = mesh_of(tr, "vertexAttachments")
    count = len(content.points)
    numbers = range(count)
    if ids is not None:
        numbers = simplex_numbers(content, ids, "vertexAttachments", count).tolist()
    return _attached(content, [{k} for k in numbers])


@builtin("edgeAttachments", family="geometry/mesh", nargin=(2, 3), effects="pure")
def edgeAttachments(tr: Any, first: Any, last: Any = None) -> Any:
    """Simplices at edges of a triangulation.

    V = edgeAttachments(TR, I, J), V = edgeAttachments(TR, E): a cell for each edge

    Examples:
        >> v = edgeAttachments(triangulation([1 2 3; 2 4 3], [0 0; 1 0; 0 1; 1 1]), 2, 3); v{1}
        ans =
             1     2

    See also: vertexAttachments, edges.
    """
    content = mesh_of(tr, "edgeAttachments")
    wanted = pairs_of(content, first, last, "edgeAttachments")
    return _attached(content, [set(pair) for pair in wanted.tolist()])


def _delaunay(value: Any, name: str) -> Content:
    content = mesh_of(value, name)
    if not isinstance(value, DelaunayMesh):
        raise MatlabError(
            f"MATLAB:triangulation:{name}:NotDelaunay", "Not a Delaunay triangulation."
        )
    return content


@builtin("convexHull", family="geometry/mesh", nargout=2, needs=("nargout",))
def convexHull(dt: Any, *, nargout: int) -> Any:
    """Convex hull of the points of a Delaunay triangulation.

    K = convexHull(DT), [K, V] = convexHull(DT) with its area or volume, as in convhull

    Examples:
        >> [k, v] = convexHull(delaunayTriangulation([0 2 0 2]', [0 0 2 2]')); v
        v =
             4

    See also: convhull, freeBoundary.
    """
    return convhull(from_numpy(_delaunay(dt, "convexHull").points), nargout=nargout)


@builtin("voronoiDiagram", family="geometry/mesh", nargout=2, needs=("nargout",))
def voronoiDiagram(dt: Any, *, nargout: int) -> Any:
    """Voronoi diagram of the points of a Delaunay triangulation.

    [V, R] = voronoiDiagram(DT): vertices, the first at infinity, and a cell with the numbers of
    those around each point

    Examples:
        >> [v, r] = voronoiDiagram(delaunayTriangulation([0 2 0 2 1]', [0 0 2 2 1]')); size(v)
        ans =
             5     2

    See also: voronoin, delaunayTriangulation.
    """
    return voronoin(from_numpy(_delaunay(dt, "voronoiDiagram").points), nargout=nargout)


@builtin("isInterior", family="geometry/mesh", effects="pure")
def isInterior(dt: Any) -> Any:
    """Which triangles lie inside the constraints; without any, all of them.

    TF = isInterior(DT)

    A hole is what constraints enclose within an area that others enclose.

    Examples:
        >> isInterior(delaunayTriangulation([0 1 0]', [0 0 1]'))
        ans =
          logical
           1

    See also: delaunayTriangulation.
    """
    content = _delaunay(dt, "isInterior")
    if not len(content.constraints):
        return from_numpy(np.ones((len(content.simplices), 1), bool))
    return from_numpy(inside(content.simplices, content.constraints).reshape(-1, 1))
