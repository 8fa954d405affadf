"""Triangles, in the plane and in space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, numbers_in, python, reals_in
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.scene.node import Node


def _triangles(
    name: str, args: Sequence[Any], interp: Interp
) -> tuple[Node | None, Numbers, list[Numbers], list[Any]]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Numbers] = []
    if rest and getattr(rest[0], "class_name", "").endswith("riangulation"):
        own = interp.to_matlab(rest.pop(0))
        for field in ("ConnectivityList", "Points"):
            data.append(np.asarray(interp.to_python(own.field(field)), float))
        table = data.pop()
        data += [table[:, [k]] for k in range(table.shape[1])]
    while rest and not isinstance(rest[0], str | dict) and len(data) < 5:
        data.append(numbers_in(rest.pop(0), name).astype(float))
    if len(data) < 3:
        raise not_enough()
    faces = data[0]
    points: list[Numbers] = [part.ravel() for part in data[1:]]
    shaped = faces.ndim == 2 and (not faces.size or faces.shape[1] >= 3)
    if not shaped or np.any(faces != np.floor(faces)):
        raise MatlabError(
            f"MATLAB:{name}:InvalidTriangles", "Triangles must be rows of three whole numbers."
        )
    if not faces.size:
        faces = np.zeros((0, 3))
    if faces.size and (faces.min() < 1 or faces.max() > points[0].size):
        raise MatlabError("MATLAB:badsubscript", "Triangles name points that there are not.")
    if len({part.size for part in points[:3]}) > 1:
        raise MatlabError("MATLAB:samelen", "Coordinates must have the same length.")
    return target, faces, points, rest


@builtin("trisurf", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def trisurf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw triangles in space.

    trisurf(T, X, Y, Z), trisurf(T, X, Y, Z, C), trisurf(…, NAME, VALUE)
    trisurf(TR) of a triangulation, trisurf(AX, …)

    Examples:
        >> t = trisurf([1 2 3], [0 1 0], [0 0 1], [0 1 2]); size(t.Faces)
        ans =
             1     3

    See also: triplot, delaunay, patch, surf.
    """
    return given(nargout, _surface_of_triangles("trisurf", args, interp))


@builtin("trimesh", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def trimesh(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the edges of triangles in space, or of the plane.

    trimesh(T, X, Y, Z), trimesh(T, X, Y, Z, C), trimesh(T, X, Y), trimesh(TR)
    trimesh(…, NAME, VALUE), trimesh(AX, …)

    Examples:
        >> t = trimesh([1 2 3], [0 1 0], [0 0 1], [0 1 2]); t.EdgeColor
        ans =
            'flat'

    See also: trisurf, triplot, delaunay, mesh.
    """
    _, _, points, _ = _triangles("trimesh", args, interp)
    if len(points) < 3:
        return triplot(*args, nargout=nargout, interp=interp)
    node = _surface_of_triangles(
        "trimesh", args, interp, FaceColor=np.ones((1, 3)), EdgeColor="flat"
    )
    return given(nargout, node)


def _surface_of_triangles(name: str, args: Sequence[Any], interp: Interp, **values: Any) -> Node:
    scene = scene_of(interp)
    target, faces, points, rest = _triangles(name, args, interp)
    color = points[3] if len(points) > 3 else None
    z = points[2] if len(points) > 2 else np.zeros(points[0].size)
    axes = target or current_axes(scene)
    check_pairs("patch", axes, rest)
    prepare(axes)
    three_dimensional(axes)
    node = make("patch", axes, (), Faces=faces)
    node.values.update(
        Vertices=np.column_stack([*points[:2], z]),
        FaceVertexCData=(z if color is None else color).reshape(-1, 1),
    )
    node.values.update({"FaceColor": "flat", **values})
    set_pairs(node, rest)
    scene.revision += 1
    return node


@builtin("triplot", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def triplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw triangles of the plane as lines.

    triplot(T, X, Y), triplot(DT), triplot(…, SPEC), triplot(…, NAME, VALUE)

    Examples:
        >> h = triplot([1 2 3], [0 1 0], [0 0 1]); h.Type
        ans =
            'line'

    See also: trisurf, delaunay.
    """
    from runmat_plot.functions.series import draw_lines

    target, faces, points, rest = _triangles("triplot", args, interp)
    whole = faces.astype(int) - 1
    edges = np.unique(
        np.sort(np.concatenate([whole[:, [0, 1]], whole[:, [1, 2]], whole[:, [2, 0]]]), axis=1),
        axis=0,
    )
    gap = np.full((1, len(edges)), np.nan)
    x, y = (np.vstack([part[edges.T], gap]).ravel(order="F").reshape(1, -1) for part in points[:2])
    first = [] if target is None else [target]
    values = [interp.to_matlab(value) for value in (*first, x, y, *rest)]
    return given(nargout, draw_lines("line", "triplot", values, interp))


@builtin("surf2patch", family="plot/points", nargin=(1, 5), nargout=3, needs=("nargout", "interp"))
def surf2patch(*args: Any, nargout: int, interp: Interp) -> Any:
    """The faces of a surface, as patch takes them.

    FVC = surf2patch(Z), surf2patch(Z, C), surf2patch(X, Y, Z), surf2patch(X, Y, Z, C): a structure
    of vertices, faces and facevertexcdata; without C the colours follow Z
    FVC = surf2patch(H) of a surface that is drawn; surf2patch(…, "triangles") cuts quadrilaterals
    [F, V, C] = surf2patch(…) gives them apart

    Examples:
        >> [f, v] = surf2patch([1 2; 3 4]); f, size(v)
        f =
             1     3     4     2
        ans =
             4     3

    See also: patch, surf, shrinkfaces, reducepatch.
    """
    rest = python(interp, args)
    halved = bool(rest) and isinstance(rest[-1], str)
    if halved and rest.pop() != "triangles":
        raise MatlabError("MATLAB:surf2patch:InvalidOption", 'The option must be "triangles".')
    if len(rest) == 1 and isinstance(rest[0], Node):
        rest = [rest[0][f"{name}Data"] for name in "XYZC"]
    if len(rest) not in (1, 2, 3, 4):
        raise not_enough()
    data = [reals_in(value, "surf2patch") for value in rest]
    colors = data.pop() if len(data) in (2, 4) else data[-1]
    z = data[-1]
    if z.ndim != 2:
        raise MatlabError("MATLAB:surf2patch:InvalidZData", "Z must be a matrix.")
    rows, columns = z.shape
    x, y = np.meshgrid(np.arange(1.0, columns + 1), np.arange(1.0, rows + 1))
    if len(data) == 3:
        x, y = (np.squeeze(part) for part in data[:2])
        x, y = np.meshgrid(x, y) if x.ndim == 1 else (x, y)
    if not x.shape == y.shape == z.shape or colors.shape[:2] != z.shape:
        raise MatlabError("MATLAB:surf2patch:SizeMismatch", "Sizes of X, Y, Z and C must agree.")
    vertices = np.stack([part.ravel(order="F") for part in (x, y, z)], axis=1)
    number = np.arange(1.0, z.size + 1).reshape(z.shape, order="F")
    corners = (number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1])
    faces = np.stack([part.ravel(order="F") for part in corners], axis=1)
    if halved:
        faces = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    inks = colors.reshape((z.size, math.prod(colors.shape[2:])), order="F")
    if nargout > 1:
        return faces, vertices, inks
    return {"faces": faces, "vertices": vertices, "facevertexcdata": inks}
