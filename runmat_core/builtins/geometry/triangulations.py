"""Delaunay triangulations, convex hulls, Voronoi diagrams, and searches in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, real, scalar, whole
from runmat_core.builtins.named import positional
from runmat_core.values import CellArray, from_numpy

Points = NDArray[np.float64]
Simplices = NDArray[np.intp]


def points_of(args: Sequence[Any], name: str, most: int = 3) -> Points:
    """Points, one in a row, from a matrix of them or from one vector for each coordinate."""
    arrays = [as_float(real(a, name)).astype(np.float64) for a in args]
    if not arrays:
        raise not_enough_inputs()
    if len(arrays) == 1:
        p = arrays[0]
        if p.ndim != 2 or not 2 <= p.shape[1] <= most:
            raise MatlabError(
                f"MATLAB:{name}:NotEnoughPts", "Points must be the rows of a matrix, of 2-D or 3-D."
            )
    else:
        if len({a.size for a in arrays}) > 1:
            raise MatlabError(
                f"MATLAB:{name}:CoordsSizeMismatch", "Coordinates must have one length."
            )
        p = np.stack([a.ravel(order="F") for a in arrays], axis=1)
    if not np.isfinite(p).all():
        raise MatlabError(
            "MATLAB:mathcgeo_catalog:NonFiniteInputPtsErrId",
            "The coordinates of the input points must be finite values; Inf and NaN are not "
            "permitted.",
        )
    return p


def no_triangulation(name: str) -> MatlabError:
    """For points that make no simplex."""
    return MatlabError(
        f"MATLAB:{name}:EmptyTriangulation",
        "Unable to construct it: there are too few unique points, or they are on one line or "
        "plane.",
    )


def delaunay_of(p: Points, name: str) -> Any:
    """Return the triangulation by Qhull; points of one circle are triangulated too."""
    Delaunay = package("scipy.spatial").Delaunay
    QhullError = package("scipy.spatial").QhullError

    if p.shape[0] <= p.shape[1]:
        raise no_triangulation(name)
    try:
        return Delaunay(p)
    except QhullError:
        raise no_triangulation(name) from None


def oriented(p: Points, simplices: Simplices) -> Simplices:
    """Simplices with content, with their vertices so that it is positive (counter-clockwise)."""
    edges = p[simplices[:, 1:]] - p[simplices[:, :1]]
    content = np.linalg.det(edges)
    scale = np.abs(edges).max(axis=(1, 2)) ** p.shape[1]
    kept = np.abs(content) > 1e-13 * scale
    simplices, content = simplices[kept].copy(), content[kept]
    turned = content < 0
    simplices[turned, -2:] = simplices[turned, -2:][:, ::-1]
    return simplices


def _indices(a: Any) -> Any:
    return from_numpy(np.asarray(a, np.float64) + 1)


@builtin("delaunay", family="geometry/triangulations", nargin=(1, 3), effects="pure")
def delaunay(*args: Any) -> Any:
    """Delaunay triangulation.

    T = delaunay(X, Y), T = delaunay(X, Y, Z), T = delaunay(P) with a point in each row

    T has a triangle (or tetrahedron) in each row, as indices of points; triangles are
    counter-clockwise.

    Examples:
        >> size(delaunay([0 1 1 0], [0 0 1 1]))
        ans =
             2     3

    See also: delaunayn, convhull, voronoi, griddata.
    """
    p = points_of(args, "delaunay")
    return _indices(oriented(p, delaunay_of(p, "delaunay").simplices))


@builtin("delaunayn", family="geometry/triangulations", nargin=(1, 2), effects="pure")
def delaunayn(p: Any, options: Any = None) -> Any:
    """Delaunay triangulation in any number of dimensions.

    T = delaunayn(P) with a point in each row; options for Qhull are not used

    Examples:
        >> size(delaunayn([0 0; 1 0; 0 1]))
        ans =
             1     3

    See also: delaunay, convhulln, dsearchn, tsearchn.
    """
    points = points_of((p,), "delaunayn", 12)
    return _indices(oriented(points, delaunay_of(points, "delaunayn").simplices))


# -- hulls ---------------------------------------------------------------------------------------


def _hull(p: Points, name: str) -> Any:
    ConvexHull = package("scipy.spatial").ConvexHull
    QhullError = package("scipy.spatial").QhullError

    if p.shape[0] <= p.shape[1]:
        raise no_triangulation(name)
    try:
        return ConvexHull(p)
    except QhullError:
        raise no_triangulation(name) from None


def _facets(p: Points, hull: Any) -> Simplices:
    """Return the facets of a hull, oriented so that their normals point outward."""
    facets: Simplices = hull.simplices.astype(np.intp)
    if p.shape[1] in (2, 3):
        edges = p[facets[:, 1:]] - p[facets[:, :1]]
        if p.shape[1] == 3:
            normals = np.cross(edges[:, 0], edges[:, 1])
        else:
            normals = np.stack([edges[:, 0, 1], -edges[:, 0, 0]], axis=1)
        inward = (normals * hull.equations[:, :-1]).sum(axis=1) < 0
        facets[inward, -2:] = facets[inward, -2:][:, ::-1]
    return facets


@builtin("convhull", family="geometry/triangulations", nargin=(1, 5), nargout=2, needs=("nargout",))
def convhull(*args: Any, nargout: int) -> Any:
    """Convex hull of points of two or three dimensions.

    K = convhull(X, Y), K = convhull(P): the corners counter-clockwise, the first one again at
    the end; K = convhull(X, Y, Z): triangles, one in a row
    [K, V] = convhull(…) gives the area or the volume
    K = convhull(…, "Simplify", TF) is taken; only corners are given either way

    Examples:
        >> [k, v] = convhull([0 1 1 0 0.5], [0 0 1 1 0.5]);
        >> v
        v =
             1

    See also: convhulln, delaunay, polyarea.
    """
    p = points_of(positional(args)[0], "convhull")
    hull = _hull(p, "convhull")
    if p.shape[1] == 2:
        corners = hull.vertices
        start = int(np.lexsort((p[corners, 1], p[corners, 0]))[0])
        corners = np.roll(corners, -start)
        k = _indices(np.append(corners, corners[:1]).reshape(-1, 1))
    else:
        k = _indices(_facets(p, hull))
    return (k, float(hull.volume)) if nargout > 1 else k


@builtin(
    "convhulln", family="geometry/triangulations", nargin=(1, 2), nargout=2, needs=("nargout",)
)
def convhulln(p: Any, options: Any = None, *, nargout: int) -> Any:
    """Convex hull in any number of dimensions.

    K = convhulln(P) gives the facets, one in a row
    [K, V] = convhulln(P) gives the volume; options for Qhull are not used

    Examples:
        >> [k, v] = convhulln([0 0; 2 0; 0 2]);
        >> v
        v =
             2

    See also: convhull, delaunayn.
    """
    points = points_of((p,), "convhulln", 12)
    hull = _hull(points, "convhulln")
    facets = _indices(_facets(points, hull))
    return (facets, float(hull.volume)) if nargout > 1 else facets


# -- Voronoi -------------------------------------------------------------------------------------


def _voronoi(p: Points, name: str) -> Any:
    QhullError = package("scipy.spatial").QhullError
    Voronoi = package("scipy.spatial").Voronoi

    if p.shape[0] <= p.shape[1]:
        raise no_triangulation(name)
    try:
        return Voronoi(p)
    except QhullError:
        raise no_triangulation(name) from None


@builtin("voronoi", family="geometry/triangulations", nargin=(1, 2), nargout=2, needs=("nargout",))
def voronoi(*args: Any, nargout: int) -> Any:
    """Edges of a Voronoi diagram.

    [VX, VY] = voronoi(X, Y): each column holds the ends of a finite edge

    Nothing is drawn.

    Examples:
        >> [vx, vy] = voronoi([0 2 0 2 1], [0 0 2 2 1]);
        >> size(vx)
        ans =
             2     4

    See also: voronoin, delaunay.
    """
    p = points_of(args, "voronoi", 2)
    diagram = _voronoi(p, "voronoi")
    edges = [ridge for ridge in diagram.ridge_vertices if min(ridge) >= 0]
    ends = diagram.vertices[np.array(edges, np.intp).reshape(-1, 2).T]
    outputs = from_numpy(ends[..., 0]), from_numpy(ends[..., 1])
    return outputs if nargout > 1 else outputs[0]


@builtin("voronoin", family="geometry/triangulations", nargin=(1, 2), nargout=2, needs=("nargout",))
def voronoin(p: Any, options: Any = None, *, nargout: int) -> Any:
    """Voronoi diagram in any number of dimensions.

    [V, C] = voronoin(P): the vertices, of which the first is infinite, and for each point the
    indices of the vertices of its cell; options for Qhull are not used

    Examples:
        >> [v, c] = voronoin([0 0; 2 0; 0 2; 2 2; 1 1]);
        >> v(1, :)
        ans =
           Inf   Inf

    See also: voronoi, delaunayn.
    """
    points = points_of((p,), "voronoin", 12)
    diagram = _voronoi(points, "voronoin")
    infinite = np.full((1, points.shape[1]), np.inf)
    vertices = from_numpy(np.concatenate([infinite, diagram.vertices]))
    if nargout < 2:
        return vertices
    cells = np.empty((points.shape[0], 1), object)
    for k, region in enumerate(diagram.point_region):
        members = np.array(diagram.regions[region], np.float64) if region >= 0 else np.zeros(0)
        # infinity first: it is vertex -1 here
        cells[k, 0] = from_numpy(members.reshape(1, -1) + 2)
    return vertices, CellArray(cells)


# -- searches ------------------------------------------------------------------------------------


def _simplices(value: Any, p: Points, name: str) -> Simplices:
    t = np.asarray(real(value, name))
    flat = whole(value, name)
    if t.ndim != 2 or t.shape[1] != p.shape[1] + 1 or (flat < 1).any() or (flat > p.shape[0]).any():
        raise MatlabError(
            f"MATLAB:{name}:InvalidTriangulation",
            "The triangulation must have indices of points, one simplex in a row.",
        )
    return flat.reshape(t.shape, order="F") - 1


def enclosing(p: Points, simplices: Simplices, queries: Points) -> tuple[Any, Any]:
    """Return the simplex of each query point, -1 for none, and barycentric coordinates."""
    found = np.full(queries.shape[0], -1, np.intp)
    weights = np.full((queries.shape[0], p.shape[1] + 1), np.nan)
    for number, simplex in enumerate(simplices):
        left = np.flatnonzero(found < 0)
        if not left.size:
            break
        corner = p[simplex[0]]
        edges = (p[simplex[1:]] - corner).T
        try:
            w = np.linalg.solve(edges, (queries[left] - corner).T).T
        except np.linalg.LinAlgError:
            continue
        w = np.concatenate([1 - w.sum(axis=1, keepdims=True), w], axis=1)
        inside = (w >= -1e-12).all(axis=1)
        found[left[inside]], weights[left[inside]] = number, w[inside]
    return found, weights


def _queries(value: Any, p: Points, name: str) -> Points:
    q = as_float(real(value, name)).astype(np.float64)
    if q.ndim != 2 or q.shape[1] != p.shape[1]:
        raise MatlabError(
            f"MATLAB:{name}:WrongDimension", "Query points must have as many coordinates as points."
        )
    return q


@builtin("dsearchn", family="geometry/triangulations", nargin=(2, 4), nargout=2, needs=("nargout",))
def dsearchn(p: Any, *args: Any, nargout: int) -> Any:
    """Nearest points.

    K = dsearchn(P, PQ), K = dsearchn(P, T, PQ): the index of the point nearest to each row of PQ
    K = dsearchn(P, T, PQ, VALUE) is VALUE for what lies outside the triangulation
    [K, D] = dsearchn(…) gives the distances

    Examples:
        >> [k, d] = dsearchn([0 0; 5 5], [1 0])
        k =
             1
        d =
             1

    See also: tsearchn, delaunayn.
    """
    cKDTree = package("scipy.spatial").cKDTree

    points = points_of((p,), "dsearchn", 1 << 20)
    q = _queries(args[0] if len(args) == 1 else args[1], points, "dsearchn")
    if not points.shape[0] or np.isnan(q).any():
        raise MatlabError("MATLAB:dsearchn:InvalidInput", "There must be points, without NaN.")
    distance, at = cKDTree(points).query(q)
    index = at.astype(np.float64) + 1
    if len(args) == 3:
        simplices = _simplices(args[0], points, "dsearchn")
        outside = enclosing(points, simplices, q)[0] < 0
        filler = scalar(args[2], "VALUE")
        index = np.where(outside, filler, index)
        distance = np.where(outside, filler, distance)
    outputs = from_numpy(index.reshape(-1, 1)), from_numpy(distance.reshape(-1, 1))
    return outputs if nargout > 1 else outputs[0]


@builtin("tsearchn", family="geometry/triangulations", nargout=2, needs=("nargout",))
def tsearchn(p: Any, t: Any, queries: Any, *, nargout: int) -> Any:
    """Enclosing simplices.

    K = tsearchn(P, T, PQ): the row of T that holds each row of PQ, NaN where none does
    [K, B] = tsearchn(P, T, PQ) gives barycentric coordinates

    Examples:
        >> [k, b] = tsearchn([0 0; 1 0; 0 1], [1 2 3], [0.25 0.25])
        k =
             1
        b =
            0.5000    0.2500    0.2500

    See also: dsearchn, delaunayn.
    """
    points = points_of((p,), "tsearchn", 12)
    simplices = _simplices(t, points, "tsearchn")
    found, weights = enclosing(points, simplices, _queries(queries, points, "tsearchn"))
    index = from_numpy(np.where(found < 0, np.nan, found + 1.0).reshape(-1, 1))
    return (index, from_numpy(weights)) if nargout > 1 else index
