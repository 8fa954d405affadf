"""Triangles and lights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.lines import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    not_enough,
    numbers_in,
    prepare,
    python,
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


@builtin(
    "trisurf", "trimesh", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp")
)
def trisurf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw triangles in space.

    trisurf(T, X, Y, Z), trisurf(T, X, Y, Z, C), trisurf(…, NAME, VALUE); trimesh takes the same

    Examples:
        >> t = trisurf([1 2 3], [0 1 0], [0 0 1], [0 1 2]); size(t.Faces)
        ans =
             1     3

    See also: triplot, delaunay, patch, surf.
    """
    scene = scene_of(interp)
    target, faces, points, rest = _triangles("trisurf", args, interp)
    color = points[3] if len(points) > 3 else None
    z = points[2] if len(points) > 2 else np.zeros(points[0].size)
    axes = target or current_axes(scene)
    check_pairs("patch", axes, rest)
    prepare(axes)
    three_dimensional(axes)
    node = make("patch", axes, (), FaceColor="flat", Faces=faces)
    node.values.update(
        Vertices=np.column_stack([*points[:2], z]),
        FaceVertexCData=(z if color is None else color).reshape(-1, 1),
    )
    node.values["FaceColor"] = "interp" if node["FaceVertexCData"].size == z.size else "flat"
    node.values["FaceColor"] = "flat"
    set_pairs(node, rest)
    scene.revision += 1
    return given(nargout, node)


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
    from runmat_plot.functions.lines import draw_lines

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


@builtin("light", family="plot/surfaces", nargin=(0, None), needs=("nargout", "interp"))
def light(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a light to axes, which makes faces brighter that look towards it.

    light, light("Position", [X Y Z]), light(…, NAME, VALUE), light(AX, …)

    Examples:
        >> l = light; l.Position
        ans =
             1     0     1

    See also: camlight, lighting, material, surf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    return given(nargout, make("light", target or current_axes(scene), rest))


@builtin(
    "camlight", "lightangle", family="plot/surfaces", nargin=(0, None), needs=("nargout", "interp")
)
def camlight(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a light near the viewer.

    camlight, camlight("headlight"), camlight("left"), camlight("right"), camlight(AZ, EL)

    Examples:
        >> surf(peaks(9)); l = camlight; l.Type
        ans =
            'light'

    See also: light, lighting, material.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    az, el = axes["View"].ravel()
    words = [value for value in rest if isinstance(value, str)]
    numbers = [value for value in rest if isinstance(value, float)]
    if len(numbers) >= 2:
        az, el = az + numbers[0], el + numbers[1]
    elif not words or words[0] == "right":
        az, el = az + 30, el + 30
    elif words[0] == "left":
        az, el = az - 30, el + 30
    a, e = np.radians([az, el])
    position = np.array([[np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)]])
    return given(nargout, make("light", axes, (), Position=position))


@builtin(
    "lighting", "material", family="plot/surfaces", nargin=(1, 2), nargout=0, needs=("interp",)
)
def lighting(*args: Any, interp: Interp) -> None:
    """Set how light falls on surfaces.

    lighting flat, lighting gouraud, lighting none; material shiny, material dull, material metal

    Examples:
        >> s = surf(peaks(9)); lighting gouraud; s.FaceLighting
        ans =
            'gouraud'

    See also: light, camlight.
    """
    from runmat_plot.scene import extents

    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    word = str(rest[0]).lower() if rest else ""
    word = "gouraud" if word == "phong" else word
    materials = {
        "shiny": (0.3, 0.6, 0.9),
        "dull": (0.3, 0.8, 0.0),
        "metal": (0.3, 0.3, 1.0),
        "default": (0.3, 0.6, 0.9),
    }
    for child in extents.drawn(target or current_axes(scene)):
        if child.kind.type not in ("surface", "patch"):
            continue
        if word in ("flat", "gouraud", "none"):
            child["FaceLighting"] = word
        elif word in materials:
            names = ("AmbientStrength", "DiffuseStrength", "SpecularStrength")
            for name, value in zip(names, materials[word], strict=True):
                child[name] = value
        elif not isinstance(rest[0], np.ndarray):
            raise MatlabError("MATLAB:lighting:UnknownOption", f"Unknown option '{rest[0]}'.")
