"""Volumes and patches made smaller, their bounds and colours, and a volume to try things on."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.errors import incompatible_sizes
from runmat_plot.functions.arguments import (
    not_enough,
    number_in,
    numbers_in,
    parts_in,
    python,
    reals_in,
    vector_in,
)
from runmat_plot.functions.support import Numbers, node_in, scene_of
from runmat_plot.functions.volumes import volume_of
from runmat_plot.scene.node import Node

#: The most elements along a side of the volume of `flow`.
_MOST_SIDE = 512


def _mesh_in(rest: list[Any], interp: Interp) -> tuple[Numbers, Numbers, Node | None]:
    """The faces and vertices of a patch, a structure or two matrices, which are taken away."""
    node = node_in(scene_of(interp), rest[0]) if isinstance(rest[0], Node) else None
    if node is not None or isinstance(rest[0], dict):
        source = rest.pop(0)
        if node is not None:
            node.check()
        low = {str(k).lower(): v for k, v in source.items()} if node is None else {}
        pair = (
            (node["Faces"], node["Vertices"]) if node else (low.get("faces"), low.get("vertices"))
        )
    else:
        if len(rest) < 2:
            raise not_enough()
        pair = (rest.pop(0), rest.pop(0))
    faces, vertices = (reals_in(part, "reducepatch") for part in pair)
    if faces.ndim != 2 or vertices.ndim != 2 or faces.shape[1] < 3:
        raise MatlabError("MATLAB:reducepatch:InvalidPatch", "Faces and vertices must be matrices.")
    named = faces[np.isfinite(faces)]
    if np.any((named < 1) | (named > len(vertices)) | (named != np.floor(named))):
        raise MatlabError("MATLAB:badsubscript", "Faces name vertices that there are not.")
    return faces, vertices, node


@builtin(
    "reducepatch", family="plot/volumes", nargin=(1, 5), nargout=2, needs=("nargout", "interp")
)
def reducepatch(*args: Any, nargout: int, interp: Interp) -> Any:
    """Patch with fewer triangles that looks much the same.

    NFV = reducepatch(FV, R), reducepatch(F, V, R) with R below 1 for a share, else a count of faces
    reducepatch(P, R) changes the patch P; [NF, NV] = reducepatch(…); half the faces without R

    Points that lie in one cell of a grid become one; the grid is as fine as R allows.

    Examples:
        >> [x, y, z] = meshgrid(-5:5); fv = isosurface(x, y, z, x.^2 + y.^2 + z.^2, 16);
        >> n = reducepatch(fv, 0.3); size(n.faces, 1) < 0.3*size(fv.faces, 1)
        ans =
          logical
           1

    See also: reducevolume, isosurface, patch.
    """
    rest = [value for value in python(interp, args) if not isinstance(value, str)]
    if not rest:
        raise not_enough()
    faces, vertices, node = _mesh_in(rest, interp)
    share = number_in(rest[0], "reducepatch") if rest else 0.5
    if not share >= 0:
        raise MatlabError("MATLAB:reducepatch:InvalidReduction", "R must not be negative.")
    triangles = np.concatenate([faces[:, [0, k, k + 1]] for k in range(1, faces.shape[1] - 1)])
    triangles = triangles[np.isfinite(triangles).all(axis=1)].astype(int) - 1
    wanted = share if share >= 1 else share * len(triangles)
    made, points = _clustered(triangles, vertices, wanted)
    if node is not None and not nargout:
        node.values.update(Faces=made + 1.0, Vertices=points)
        node.values.pop("FaceVertexCData", None)
        node.scene.revision += 1
        return None
    if nargout > 1:
        return made + 1.0, points
    return {"faces": made + 1.0, "vertices": points}


def _clustered(triangles: Numbers, points: Numbers, most: float) -> tuple[Numbers, Numbers]:
    """Triangles between the middles of cells, in the finest grid that leaves at most `most`."""
    if len(triangles) <= most or not len(triangles):
        return triangles, points
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max()) or 1.0
    found = triangles[:0], points[:0]
    fine, coarse = 2.0 * len(points) ** 0.5 + 2, 1.0
    for _ in range(24):
        cells = (fine + coarse) / 2
        kept, middle = _merged(triangles, points, np.floor((points - low) / size * cells))
        if len(kept) <= most:
            found, coarse = (kept, middle), cells
        else:
            fine = cells
    return found


def _merged(triangles: Numbers, points: Numbers, cells: Numbers) -> tuple[Numbers, Numbers]:
    _, which = np.unique(cells, axis=0, return_inverse=True)
    which = which.ravel()
    counts = np.bincount(which)
    middle = np.stack(
        [np.bincount(which, points[:, k]) / counts for k in range(points.shape[1])], 1
    )
    kept = which[triangles]
    different = (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 0] != kept[:, 2])
    kept = kept[different]
    _, first = np.unique(np.sort(kept, axis=1), axis=0, return_index=True)
    kept = kept[np.sort(first)]
    used, renamed = np.unique(kept, return_inverse=True)
    return renamed.reshape(kept.shape), middle[used]


@builtin("isocolors", family="plot/volumes", nargin=(2, 8), needs=("nargout", "interp"))
def isocolors(*args: Any, nargout: int, interp: Interp) -> Any:
    """Colours of the points of a patch, from a volume.

    NC = isocolors(C, VERTICES), isocolors(X, Y, Z, C, VERTICES)
    NC = isocolors(R, G, B, VERTICES), isocolors(X, Y, Z, R, G, B, VERTICES)
    isocolors(…, P) sets the FaceVertexCData of the patch P

    Examples:
        >> [x, y, z] = meshgrid(1:3); isocolors(x, y, z, 10*x, [2 1 1; 3 1 1])
        ans =
            20
            30

    See also: isosurface, isonormals, isocaps.
    """
    *data, last = python(interp, args)
    node = node_in(scene_of(interp), last) if isinstance(last, Node) else None
    points = np.asarray(last["Vertices"] if node else numbers_in(last, "isocolors"), float)
    if points.ndim != 2 or points.shape[1] != 3:
        raise MatlabError("MATLAB:isocolors:InvalidVertices", "Vertices must have three columns.")
    count = 3 if len(data) in (3, 6) else 1
    found = volume_of("isocolors", data, count)
    colors = np.column_stack([found.at(points, k) for k in range(count)])
    if node is not None:
        node.values["FaceVertexCData"] = colors
        node.values["FaceColor"] = "interp"
        node.scene.revision += 1
        if not nargout:
            return None
    return colors


@builtin("subvolume", family="plot/volumes", nargin=(2, 5), nargout=4, needs=("nargout", "interp"))
def subvolume(*args: Any, nargout: int, interp: Interp) -> Any:
    """Part of a volume between limits.

    [NX, NY, NZ, NV] = subvolume(X, Y, Z, V, [XMIN XMAX YMIN YMAX ZMIN ZMAX]), subvolume(V, LIMITS)
    NV = subvolume(…); NaN stands for no limit

    Examples:
        >> size(subvolume(zeros(4, 5, 6), [2 3 1 2 NaN NaN]))
        ans =
             2     2     6

    See also: reducevolume, volumebounds, isosurface.
    """
    *data, bounds = python(interp, args)
    limits = vector_in(bounds, "subvolume", 6)
    volume = volume_of("subvolume", data)
    chosen = []
    for k, grid in enumerate(volume.along):
        low, high = limits[2 * k : 2 * k + 2]
        chosen.append(((grid >= low) | np.isnan(low)) & ((grid <= high) | np.isnan(high)))
    values = volume.values[0][np.ix_(chosen[1], chosen[0], chosen[2])]
    if nargout < 2:
        return values
    grids = np.meshgrid(*(grid[keep] for grid, keep in zip(volume.along, chosen, strict=True)))
    return (*grids, values)[:nargout]


@builtin("volumebounds", family="plot/volumes", nargin=(1, 6), needs=("interp",))
def volumebounds(*args: Any, interp: Interp) -> Any:
    """Limits of a volume along its axes, and of its values.

    L = volumebounds(X, Y, Z, V) is [XMIN XMAX YMIN YMAX ZMIN ZMAX CMIN CMAX], volumebounds(V)
    L = volumebounds(X, Y, Z, U, V, W) without the last two

    Examples:
        >> volumebounds(cat(3, [1 2; 3 4], [5 6; 7 8]))
        ans =
             1     2     1     2     1     2     1     8

    See also: subvolume, isosurface.
    """
    data = python(interp, args)
    count = 3 if len(data) in (3, 6) else 1
    volume = volume_of("volumebounds", data, count)
    found = [bound for grid in volume.along for bound in (grid.min(), grid.max())]
    if count == 1:
        found += [np.nanmin(volume.values[0]), np.nanmax(volume.values[0])]
    return np.array([found], float)


@builtin("flow", family="plot/volumes", nargin=(0, 3), nargout=4, needs=("nargout", "interp"))
def flow(*args: Any, nargout: int, interp: Interp) -> Any:
    """Speed of a jet of water in still water, as a volume to try things on.

    V = flow of 25-by-50-by-25 elements, V = flow(N) of N-by-2N-by-N, V = flow(X, Y, Z)
    [X, Y, Z, V] = flow(…)

    Examples:
        >> size(flow(4))
        ans =
             4     8     4

    See also: peaks, isosurface, slice.
    """
    data = python(interp, args)
    if len(data) == 3:
        x, y, z = (reals_in(value, "flow") for value in data)
        if len({part.shape for part in (x, y, z) if part.size != 1}) > 1:
            raise incompatible_sizes()
    elif len(data) == 2:
        raise not_enough()
    else:
        n = parts_in(data[0], 0, "flow", _MOST_SIDE) if data else 25
        x, y, z = np.meshgrid(
            np.linspace(0.1, 10, 2 * n), np.linspace(-3, 3, n), np.linspace(-3, 3, n)
        )
    # Landau's solution for a jet from a point, along x
    angle = np.arctan2(np.hypot(y, z), x)
    distance = np.maximum(np.sqrt(x**2 + y**2 + z**2), 1e-6)
    away = 2.0 - np.cos(angle)
    outward = 2 / distance * (3 / away**2 - 1)
    across = -2 * np.sin(angle) / (distance * away)
    values = np.log(np.maximum(np.hypot(outward, across), 1e-12))
    return values if nargout < 2 else (x, y, z, values)[:nargout]
