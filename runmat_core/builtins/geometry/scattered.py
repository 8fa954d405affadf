"""Interpolation of scattered data: scatteredInterpolant, griddata and griddatan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import as_float, check_size, numeric, real
from runmat_core.builtins.geometry.triangulations import delaunay_of, no_triangulation, points_of
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.gridded import query_points
from runmat_core.builtins.named import choice
from runmat_core.values import ObjectValue, char, from_numpy, is_text, numel_of, text
from runmat_core.values.notices import warn

Numbers = NDArray[Any]

_METHODS = ("linear", "nearest")
#: Those for points of the plane alone.
_OF_PLANE = ("natural", "cubic", "v4")
_BEYOND = ("linear", "nearest", "none")


def warn_repeated(p: Numbers, identifier: str) -> None:
    """Warn where points lie at one place."""
    if np.unique(p, axis=0).shape[0] < p.shape[0]:
        warn(
            identifier,
            "Duplicate data points have been detected and removed - corresponding values have "
            "been averaged.",
        )


def merged(p: Numbers, v: Numbers) -> tuple[Numbers, Numbers]:
    """Points without repetitions, with the mean of the values at one place."""
    unique, at = np.unique(p, axis=0, return_inverse=True)
    if unique.shape[0] == p.shape[0]:
        return p, v
    total = np.zeros(unique.shape[0], v.dtype)
    np.add.at(total, at.ravel(), v)
    return unique, total / np.bincount(at.ravel())


def _nearest(p: Numbers, v: Numbers, q: Numbers) -> Numbers:
    cKDTree = package("scipy.spatial").cKDTree

    return np.asarray(v[cKDTree(p).query(q)[1]])


class Linear:
    """The function that is linear on each simplex of the Delaunay triangulation."""

    def __init__(self, p: Numbers, v: Numbers, name: str) -> None:
        self.v = v
        self.mesh = delaunay_of(p, name)

    def _on(self, simplices: NDArray[np.intp], q: Numbers) -> Numbers:
        """Return the linear functions of these simplices, at one point each."""
        transform = self.mesh.transform[simplices]
        rank = q.shape[1]
        part = np.einsum("kij,kj->ki", transform[:, :rank], q - transform[:, rank])
        weights = np.concatenate([part, 1 - part.sum(axis=1, keepdims=True)], axis=1)
        return np.asarray((weights * self.v[self.mesh.simplices[simplices]]).sum(axis=1))

    def __call__(self, q: Numbers, beyond: str) -> Numbers:
        """Values at `q`; outside the hull NaN, or as the piece goes on that is next to it."""
        at = self.mesh.find_simplex(q, tol=1e-12)
        found: Numbers = np.full(q.shape[0], np.nan, np.result_type(self.v, np.float64))
        inside = at >= 0
        found[inside] = self._on(at[inside], q[inside])
        outside = np.flatnonzero(~inside)
        if outside.size and beyond == "nearest":
            found[outside] = _nearest(self.mesh.points, self.v, q[outside])
        elif outside.size and beyond == "linear":
            found[outside] = self._on(self._bordering(q[outside]), q[outside])
        return found

    def _bordering(self, q: Numbers) -> NDArray[np.intp]:
        """Return the simplex at the border of the hull that is nearest to each point."""
        border = np.argwhere(self.mesh.neighbors < 0)
        owners = border[:, 0]
        facets = np.array(
            [np.delete(self.mesh.simplices[owner], corner) for owner, corner in border]
        )
        corners = self.mesh.points[facets]  # facet, corner, coordinate
        best = np.full(q.shape[0], np.inf)
        chosen = np.zeros(q.shape[0], np.intp)
        for number, corner in enumerate(corners):
            distance = _distance(q, corner)
            nearer = distance < best
            best[nearer], chosen[nearer] = distance[nearer], owners[number]
        return chosen


def _distance(q: Numbers, corners: Numbers) -> Numbers:
    """Squared distances of points to a segment or triangle."""
    if corners.shape[0] == 2:
        along = corners[1] - corners[0]
        t = np.clip((q - corners[0]) @ along / (along @ along), 0, 1)
        return np.asarray(((q - corners[0] - t[:, None] * along) ** 2).sum(axis=1))
    edges = (corners[1:] - corners[0]).T
    w = np.linalg.lstsq(edges, (q - corners[0]).T, rcond=None)[0]
    flat = corners[0] + (edges @ w).T
    inside = (w >= 0).all(axis=0) & (w.sum(axis=0) <= 1)
    sides = np.min([_distance(q, corners[list(pair)]) for pair in ((0, 1), (0, 2), (1, 2))], axis=0)
    return np.asarray(np.where(inside, ((q - flat) ** 2).sum(axis=1), sides))


class ScatteredInterpolant(ObjectValue):
    """An interpolant of scattered data: ``F(xq, yq)`` is its value.

    Attributes:
        data: ``Points``, ``Values``, ``Method``, ``ExtrapolationMethod``.
    """

    __slots__ = ()
    class_name = "scatteredInterpolant"
    properties = ("Points", "Values", "Method", "ExtrapolationMethod")

    def __init__(self, p: Numbers, v: Numbers, method: str, beyond: str) -> None:
        values = [from_numpy(p), from_numpy(v.reshape(-1, 1)), char(method), char(beyond)]
        self.data = dict(zip(self.properties, values, strict=True))

    def set_property(self, name: str, rhs: Any) -> None:
        p, v = self._arrays()
        if name == "Values":
            fresh = as_float(numeric(rhs, self.class_name)).ravel(order="F")
            if fresh.size != v.size:
                raise _mismatch()
            self.data = {**self.data, name: from_numpy(fresh.reshape(-1, 1))}
        elif name == "Points":
            points = points_of((rhs,), self.class_name)
            if points.shape != p.shape:
                raise _mismatch()
            self.data = {**self.data, name: from_numpy(points)}
        else:
            known = _known(p, ("natural",)) if name == "Method" else _BEYOND
            self.data = {**self.data, name: char(choice(rhs, known, self.class_name))}

    def _arrays(self) -> tuple[Numbers, Numbers]:
        p = real(self.data["Points"], self.class_name)
        return p, numeric(self.data["Values"], self.class_name).ravel()

    def paren(self, subs: Sequence[Any]) -> Any:
        p, v = self._arrays()
        if len(subs) == 1:
            q = as_float(real(subs[0], self.class_name)).astype(np.float64)
            if q.ndim != 2 or q.shape[1] != p.shape[1]:
                raise _coordinates(p.shape[1])
            shape: tuple[int, ...] = (q.shape[0], 1)
        elif len(subs) == p.shape[1]:
            vectors, shape = query_points(subs)
            q = np.stack(vectors, axis=1).astype(np.float64)
        else:
            raise _coordinates(p.shape[1])
        method, beyond = text(self.data["Method"]), text(self.data["ExtrapolationMethod"])
        try:
            found = evaluate(p, v, q, method, beyond, self.class_name)
        except MatlabError as error:
            if not error.identifier.endswith(":EmptyTriangulation"):
                raise
            warn(
                f"MATLAB:scatteredInterpolant:InterpEmptyTri{p.shape[1]}DWarnId",
                "The underlying triangulation is empty - the points may be "
                + ("collinear." if p.shape[1] == 2 else "coplanar."),
            )
            return from_numpy(np.zeros((0, 0)))
        return value_of(found.reshape(shape, order="F"))


def evaluate(p: Numbers, v: Numbers, q: Numbers, method: str, beyond: str, name: str) -> Numbers:
    """Values at the rows of `q`; NaN where a coordinate is NaN."""
    p, v = merged(p, v)
    if not p.shape[0]:
        raise no_triangulation(name)
    if not q.shape[0]:
        return np.zeros(0, v.dtype)
    missing = np.asarray(~np.isfinite(q).all(axis=1))
    q = np.where(missing[:, None], p[:1], q)
    if method == "nearest" and beyond == "nearest":
        found = _nearest(p, v, q)
    else:
        linear = Linear(p, v, name)
        found = linear(q, beyond)
        if method in ("natural", "cubic"):
            inside = linear.mesh.find_simplex(q, tol=1e-12) >= 0
            found[inside] = _smooth(linear.mesh, v, q[inside], method)
        elif method == "nearest":
            inside = linear.mesh.find_simplex(q, tol=1e-12) >= 0
            found = np.where(inside, _nearest(p, v, q), found)
    return np.where(missing, np.nan if v.dtype.kind != "c" else complex(np.nan, np.nan), found)


def _smooth(mesh: Any, v: Numbers, q: Numbers, method: str) -> Numbers:
    """Values inside the hull of a triangulation of the plane."""
    if method == "natural":
        from runmat_core.builtins.geometry.natural import natural_neighbours

        return natural_neighbours(mesh, v, q)
    CloughTocher2DInterpolator = package("scipy.interpolate").CloughTocher2DInterpolator

    return np.asarray(CloughTocher2DInterpolator(mesh, v, tol=1e-12, maxiter=2000)(q))


def _known(p: Numbers, of_plane: Sequence[str]) -> tuple[str, ...]:
    """Return the methods for these points."""
    return (*_METHODS, *of_plane) if p.shape[1] == 2 else _METHODS


def _mismatch() -> MatlabError:
    return MatlabError(
        "MATLAB:mathcgeo_catalog:NumPtsValsMismatchErrId",
        "The number of points and the number of values must be the same.",
    )


def _coordinates(rank: int) -> MatlabError:
    return MatlabError(
        "MATLAB:mathcgeo_catalog:NumCoordsMismatchErrId",
        f"Query points must have {rank} coordinates.",
    )


@builtin("scatteredInterpolant", family="math/interpolation", nargin=(2, 6), effects="pure")
def scattered_interpolant(*args: Any) -> Any:
    """Interpolant of scattered data in two or three dimensions: an object to call.

    F = scatteredInterpolant(X, Y, V), F = scatteredInterpolant(X, Y, Z, V),
    F = scatteredInterpolant(P, V) with a point in each row
    F = scatteredInterpolant(…, METHOD) with "linear" (on Delaunay triangles), "nearest", or, in
    two dimensions, "natural" (by the Voronoi cells of neighbours)
    F = scatteredInterpolant(…, METHOD, EXTRAPOLATION) with "linear", "nearest" or "none"
    VQ = F(XQ, YQ), VQ = F(PQ)

    Values at one place are averaged. Linear extrapolation goes on with the nearest triangle.
    Properties: Points, Values, Method, ExtrapolationMethod.

    Examples:
        >> F = scatteredInterpolant([0 1 0 1]', [0 0 1 1]', [0 1 2 3]');
        >> F(0.5, 0.25)
        ans =
             1

    See also: griddedInterpolant, griddata, delaunay.
    """
    words = [arg for arg in args if is_text(arg)]
    plain = [arg for arg in args if not is_text(arg)]
    if not 2 <= len(plain) <= 4 or len(words) > 2 or any(is_text(a) for a in args[: len(plain)]):
        raise MatlabError("MATLAB:scatteredInterpolant:InvalidArgs", "Expected points and values.")
    p = points_of(plain[:-1], "scatteredInterpolant")
    known = _known(p, ("natural",))
    method = choice(words[0], known, "scatteredInterpolant") if words else "linear"
    beyond = "nearest" if method == "nearest" else "linear"
    beyond = choice(words[1], _BEYOND, "scatteredInterpolant") if len(words) > 1 else beyond
    v = as_float(numeric(plain[-1], "scatteredInterpolant")).ravel(order="F")
    if v.size != p.shape[0]:
        raise _mismatch()
    warn_repeated(p, "MATLAB:scatteredInterpolant:DupPtsAvValuesWarnId")
    return ScatteredInterpolant(p, v, method, beyond)


def _biharmonic(p: Numbers, v: Numbers, q: Numbers) -> Numbers:
    """Biharmonic splines: D. Sandwell, Geophysical Research Letters 14 (1987)."""

    def green(a: Numbers, b: Numbers) -> Numbers:
        distance = np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2))
        with np.errstate(all="ignore"):
            return np.asarray(np.where(distance == 0, 0, distance**2 * (np.log(distance) - 1)))

    p, v = merged(p, v)
    if not np.isfinite(v).all():
        # all values count at all points
        return np.full(q.shape[0], np.nan, v.dtype)
    check_size((q.shape[0], p.shape[0]), 24)
    weights = np.linalg.lstsq(green(p, p), v, rcond=None)[0]
    return np.asarray(green(q, p) @ weights)


@builtin("griddata", family="math/interpolation", nargin=(5, 8), nargout=3, needs=("nargout",))
def griddata(*args: Any, nargout: int) -> Any:
    """Interpolation of scattered data at query points.

    VQ = griddata(X, Y, V, XQ, YQ), VQ = griddata(X, Y, Z, V, XQ, YQ, ZQ)
    VQ = griddata(…, METHOD) with "linear" (NaN outside the hull) or "nearest", and in two
    dimensions "natural" (by the Voronoi cells of neighbours), "cubic" (pieces that join smoothly)
    or "v4" (biharmonic splines)
    [XQ, YQ, VQ] = griddata(…) gives the query points too

    A row XQ and a column YQ span a grid, as in meshgrid.

    Examples:
        >> griddata([0 1 0 1], [0 0 1 1], [0 1 2 3], 0.5, 0.25)
        ans =
             1

    See also: scatteredInterpolant, delaunay, interp2.
    """
    words = [arg for arg in args if is_text(arg)]
    plain = [arg for arg in args if not is_text(arg)]
    if len(plain) in (6, 8) and not numel_of(plain[-1]):
        plain.pop()  # options without one
    rank = (len(plain) - 1) // 2
    if len(plain) not in (5, 7) or len(words) > 1:
        raise MatlabError("MATLAB:griddata:InvalidNumInputArgs", "Wrong number of arguments.")
    known = (*_METHODS, *_OF_PLANE) if rank == 2 else _METHODS
    method = choice(words[0], known, "griddata") if words else "linear"
    p = points_of(plain[:rank], "griddata")
    v = as_float(numeric(plain[rank], "griddata")).ravel(order="F")
    if v.size != p.shape[0]:
        raise MatlabError("MATLAB:griddata:InvalidInputs", "X, Y and V must have one length.")
    warn_repeated(p, "MATLAB:griddata:DuplicateDataPoints")
    arrays = [as_float(real(a, "griddata")) for a in plain[rank + 1 :]]
    if rank == 2 and arrays[0].shape[0] == 1 and arrays[1].shape[1] == 1 and arrays[0].size > 1:
        arrays = list(np.meshgrid(arrays[0].ravel(), arrays[1].ravel()))
    if len({a.shape for a in arrays}) > 1:
        raise MatlabError("MATLAB:griddata:InvalidQuery", "Query points must have one size.")
    q = np.stack([a.ravel(order="F") for a in arrays], axis=1).astype(np.float64)
    if method == "v4":
        found = _biharmonic(p, v, q)
    else:
        found = evaluate(p, v, q, method, "nearest" if method == "nearest" else "none", "griddata")
    result = value_of(found.reshape(arrays[0].shape, order="F"))
    if nargout < 2:
        return result
    return (*[from_numpy(np.asarray(a)) for a in arrays], result)[:nargout]


@builtin("griddatan", family="math/interpolation", nargin=(3, 5), effects="pure")
def griddatan(x: Any, v: Any, queries: Any, method: Any = None, options: Any = None) -> Any:
    """Interpolation of scattered data in any number of dimensions.

    VQ = griddatan(X, V, XQ) with a point in each row of X and XQ, and a value in V for each of X
    VQ = griddatan(X, V, XQ, METHOD) with "linear" (NaN outside the hull) or "nearest"
    VQ = griddatan(X, V, XQ, METHOD, OPTIONS); options for Qhull are not used

    Examples:
        >> X = [0 0 0 0; eye(4)];
        >> griddatan(X, [0 1 2 3 4]', [0.25 0.25 0.25 0])
        ans =
            1.5000

    See also: griddata, scatteredInterpolant, delaunayn, dsearchn.
    """
    given = method is not None and numel_of(method) > 0
    kind = choice(method, _METHODS, "griddatan") if given else "linear"
    p = points_of((x,), "griddatan", 12)
    values = as_float(numeric(v, "griddatan")).ravel(order="F")
    q = as_float(real(queries, "griddatan")).astype(np.float64)
    if values.size != p.shape[0]:
        raise MatlabError(
            "MATLAB:griddatan:InvalidInputs", "There must be a value for each row of X."
        )
    if q.ndim != 2 or q.shape[1] != p.shape[1]:
        raise MatlabError(
            "MATLAB:griddatan:NumColsMismatch", "X and XQ must have the same number of columns."
        )
    found = evaluate(p, values, q, kind, "none" if kind == "linear" else "nearest", "griddatan")
    return value_of(found.astype(values.dtype).reshape(-1, 1))
