"""Objects with faces: surfaces, patches and blocks, with their colours, light and opacity."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.colors import mapped
from runmat_plot.render.markers import marker_of
from runmat_plot.render.rulers import rgb
from runmat_plot.render.shapes import Drawing, Line, Polygons, Segments
from runmat_plot.render.views import View
from runmat_plot.scene import extents
from runmat_plot.scene.extents import grid_of
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def surface(drawing: Drawing, view: View, node: Node) -> None:
    x, y, z = grid_of(node)
    if z.size == 0 or min(z.shape) < 2:
        return
    rows, columns = z.shape
    interp = node.reads("FaceColor", "interp")
    colors = _vertex_colors(view, node, z.shape)
    shade = lighting(view, node, x, y, z)
    if interp and node["EdgeColor"] is not None and colors is not None:
        factor = int(np.clip(160 / max(rows, columns), 1, 8))
        if factor > 1 and isinstance(node["EdgeColor"], str):
            x, y, z = (_finer(part, factor) for part in (x, y, z))
            colors = np.stack(
                [_finer(colors[..., k], factor) for k in range(colors.shape[-1])], axis=-1
            )
            shade = None if shade is None else _finer(shade, factor)
            rows, columns = z.shape
    points = view.project(x, y, z).reshape(rows, columns, 2)
    depth = view.depth(x, y, z).reshape(rows, columns) if view.is_3d else np.zeros((rows, columns))
    if node.info.get("mesh") == "rows":
        _waterfall(drawing, view, node, points, colors)
        return
    corners = np.stack([points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]], axis=2)
    near = (depth[:-1, :-1] + depth[1:, 1:] + depth[1:, :-1] + depth[:-1, 1:]) / 4
    if node.info.get("blocks") and view.is_3d:
        near = _block_depths(view, node, near)
    flat = corners.reshape(-1, 4, 2)
    good = np.isfinite(flat).all(axis=(1, 2))
    face = _quad_colors(node, "FaceColor", colors, shade, view)
    edge = _quad_colors(node, "EdgeColor", colors, None, view)
    order = np.flatnonzero(good)
    if view.is_3d:
        order = order[np.argsort(near.ravel()[order], kind="stable")]
    inks = None if face is None else face[order]
    lines = None if edge is None or node["LineStyle"] == "none" else edge[order]
    width = node["LineWidth"]
    if lines is None and inks is not None:
        lines, width = inks, 0.35  # closes the seams between faces
        if np.any(inks[:, 3] < 1):
            lines = None
    depths = near.ravel()[order] if view.is_3d else None
    drawing.add(Polygons(flat[order], inks, lines, width, "-", view.clip, "surface", depths))
    if node["Marker"] != "none":
        drawing.add(
            Line(
                points.reshape(-1, 2),
                None,
                0.5,
                "none",
                marker_of(node, (0, 0, 0)),
                view.clip,
                "surface",
            )
        )


#: Rows of points that a block of a surface has.
BLOCK = 6


def _block_depths(view: View, node: Node, near: Numbers) -> Numbers:
    """Depths of the faces of upright or lying blocks.

    Blocks that stand on one plane hide each other as the middles of their feet say, however high
    they are; the faces of each are in their own order.
    """
    x, y, z = grid_of(node)
    made = np.array(near)
    lying = node.info["blocks"] == "lying"
    for start in range(0, z.shape[0], BLOCK):
        block = slice(start, start + BLOCK)
        foot = [float(np.nanmean(x[block])), float(np.nanmean(y[block])), 0.0]
        if lying:
            foot[1:] = [0.0, float(np.nanmean(z[block]))]
        own = slice(start, min(start + BLOCK, made.shape[0]))
        made[own] = float(view.depth(*foot)[0]) + 1e-3 * near[own]
    return made


def _finer(values: Numbers, factor: int) -> Numbers:
    """A matrix with more rows and columns, linear in between."""
    rows, columns = values.shape
    down = np.linspace(0, rows - 1, (rows - 1) * factor + 1)
    across = np.linspace(0, columns - 1, (columns - 1) * factor + 1)
    i, j = np.minimum(down.astype(int), rows - 2), np.minimum(across.astype(int), columns - 2)
    s, t = (down - i)[:, None], (across - j)[None, :]
    top = values[i][:, j] * (1 - t) + values[i][:, j + 1] * t
    low = values[i + 1][:, j] * (1 - t) + values[i + 1][:, j + 1] * t
    made: Numbers = top * (1 - s) + low * s
    return made


def _vertex_colors(view: View, node: Node, shape: tuple[int, ...]) -> Numbers | None:
    """Numbers or colours at the points of a surface, with one layer or three."""
    data = node["CData"]
    if data.ndim == 3:
        scale = 255.0 if data.dtype == np.uint8 else 1.0
        return np.asarray(data, float) / scale
    data = np.asarray(data, float)
    if data.shape == (shape[0] - 1, shape[1] - 1):
        data = np.pad(data, ((0, 1), (0, 1)), mode="edge")
    return data[..., None] if data.shape == shape else None


def _plain(node: Node, value: Any) -> Any:
    return value if isinstance(value, float) else node.scene.interp.to_python(value)


def _opacity(node: Node, name: str, data: Any) -> Any:
    """Return the opacity of faces or edges: a number, or one for each element of `data`.

    `data` is what the object keeps for that, as floats from which "flat" and "interp" take.
    """
    value = node[name]
    if not isinstance(value, str):
        return value
    found = np.asarray(data if isinstance(data, np.ndarray) else _plain(node, data), float)
    if found.size < 2:
        return float(found.item()) if found.size and node["AlphaDataMapping"] == "none" else 1.0
    if node["AlphaDataMapping"] == "scaled":
        axes = node.up("axes")
        manual = axes is not None and axes.values.get("ALimMode") == "manual"
        low, high = axes["ALim"].ravel() if manual and axes else (found.min(), found.max())
        found = (found - low) / (high - low or 1.0)
    elif node["AlphaDataMapping"] == "direct":
        found = (found - 1) / 63
    return np.clip(found, 0, 1)


def _quad_opacity(node: Node, name: str, count: tuple[int, int]) -> Any:
    """How opaque the faces of a surface or their edges are."""
    found = _opacity(node, name, node["AlphaData"])
    if not isinstance(found, np.ndarray) or found.shape != (count[0] + 1, count[1] + 1):
        return 1.0 if isinstance(found, np.ndarray) else found
    if node[name] == "interp":
        found = (found[:-1, :-1] + found[1:, :-1] + found[1:, 1:] + found[:-1, 1:]) / 4
    else:
        found = found[:-1, :-1]
    return found.ravel()


def _patch_opacity(node: Node, name: str, faces: Numbers) -> Any:
    """How opaque the faces of a patch or their edges are."""
    found = _opacity(node, name, node["FaceVertexAlphaData"])
    if not isinstance(found, np.ndarray):
        return found
    found = found.ravel()
    if found.size == len(faces) and node[name] == "flat":
        return found
    if found.size == len(node["Vertices"]):
        first = np.nan_to_num(faces[:, :3], nan=1).astype(int) - 1
        return found[first].mean(axis=1) if node[name] == "interp" else found[first[:, 0]]
    return 1.0


def _quad_colors(
    node: Node, name: str, colors: Numbers | None, shade: Numbers | None, view: View
) -> Numbers | None:
    """A colour for each face, or for its edges."""
    value = node[name]
    z = np.asarray(node["ZData"])
    count = None if colors is None else (colors.shape[0] - 1, colors.shape[1] - 1)
    count = count or (z.shape[0] - 1, z.shape[1] - 1)
    alpha = _quad_opacity(node, "FaceAlpha" if name == "FaceColor" else "EdgeAlpha", count)
    if isinstance(value, str):
        if value == "none":
            return None
        if colors is None:
            grey = np.full((count[0] * count[1], 4), 0.5)
            grey[:, 3] = alpha
            return grey
        if value == "interp":
            mean = (colors[:-1, :-1] + colors[1:, :-1] + colors[1:, 1:] + colors[:-1, 1:]) / 4
        else:
            mean = colors[:-1, :-1]
        if mean.shape[-1] == 3:
            found = np.concatenate([mean, np.ones((*mean.shape[:2], 1))], axis=-1)
        else:
            found = mapped(view.axes, mean[..., 0], node["CDataMapping"])
    else:
        found = np.broadcast_to(np.array([*rgb(value), 1.0]), (*count, 4)).copy()
    found = found.reshape(-1, 4).copy()
    found[:, 3] *= alpha
    if shade is not None:
        part = (shade[:-1, :-1] + shade[1:, 1:]) / 2
        found[:, :3] = np.clip(found[:, :3] * part.ravel()[:, None], 0, 1)
    return found


def lighting(view: View, node: Node, x: Numbers, y: Numbers, z: Numbers) -> Numbers | None:
    """Return how bright the points of a surface are where there are lights; None without."""
    lights = [n for n in extents.drawn(view.axes) if n.kind.name == "light"]
    if not lights or node["FaceLighting"] == "none" or not view.is_3d:
        return None
    scale = [float(np.ptp(limit)) or 1.0 for limit in view.limits]
    parts = [
        np.stack(
            [np.gradient(v / s, axis=k) for v, s in zip((x, y, z), scale, strict=True)], axis=-1
        )
        for k in (0, 1)
    ]
    normal = np.cross(parts[1], parts[0])
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    bright = np.full(z.shape, node["AmbientStrength"])
    for lamp in lights:
        toward = (
            lamp["Position"].ravel() / scale
            if lamp["Style"] == "local"
            else lamp["Position"].ravel()
        )
        toward = toward / max(float(np.linalg.norm(toward)), 1e-12)
        bright = bright + node["DiffuseStrength"] * np.abs(normal @ toward)
    made: Numbers = np.clip(bright, 0, 1.4)
    return made


def _waterfall(drawing: Drawing, view: View, node: Node, points: Numbers, colors: Any) -> None:
    base = float(np.nanmin(np.asarray(node["ZData"], float)))
    x, y, z = grid_of(node)
    low = view.limits[2][0] if np.isfinite(view.limits[2][0]) else base
    order = np.argsort([view.depth(x[k, :1], y[k, :1], z[k, :1])[0] for k in range(z.shape[0])])
    for k in order:
        feet = view.project(x[k, [-1, 0]], y[k, [-1, 0]], np.full(2, low))
        ring = np.concatenate([points[k], feet])
        drawing.add(Polygons([ring], [(1.0, 1.0, 1.0)], None, 0, "-", view.clip, "surface"))
        ends = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)[:-2]
        ends = np.concatenate([ends, [[feet[1], points[k, 0]]], [[feet[0], points[k, -1]]]])
        inks: Any = rgb(node["EdgeColor"])
        if isinstance(node["EdgeColor"], str) and colors is not None:
            row = colors[k, :, 0]
            means = np.concatenate([(row[:-1] + row[1:]) / 2, row[:1], row[-1:], row[-1:]])[
                : len(ends)
            ]
            inks = mapped(
                view.axes, np.pad(means, (0, len(ends) - len(means)), mode="edge"), "scaled"
            )
        drawing.add(Segments(ends, inks, node["LineWidth"], "-", view.clip, "surface"))


def patch(drawing: Drawing, view: View, node: Node) -> None:
    faces, vertices = np.asarray(node["Faces"], float), np.asarray(node["Vertices"], float)
    if not faces.size or not vertices.size:
        return
    if _is_graded(node, faces, vertices):
        _graded(drawing, view, node, faces, vertices)
        return
    z = vertices[:, 2] if vertices.shape[1] > 2 else np.zeros(len(vertices))
    points = view.project(vertices[:, 0], vertices[:, 1], z if view.is_3d else None)
    near = view.depth(vertices[:, 0], vertices[:, 1], z)
    rings, depths = [], []
    for face in faces:
        at = face[np.isfinite(face)].astype(int) - 1
        at = at[(at >= 0) & (at < len(points))]
        ring = points[at]
        ring = ring[np.isfinite(ring).all(axis=1)]
        rings.append(ring)
        depths.append(float(np.nanmean(near[at])) if at.size else 0.0)
    inks = _patch_colors(view, node, "FaceColor", faces)
    lines = _patch_colors(view, node, "EdgeColor", faces) if node["LineStyle"] != "none" else None
    shift = 1e-3 * float(node.info.get("lift", 0.0))
    depths = [depth + shift for depth in depths]
    order = np.argsort(depths, kind="stable") if view.is_3d else np.arange(len(rings))
    order = np.array([k for k in order if len(rings[k]) > 1], int)
    if inks is not None and view.is_3d:
        shade = _patch_light(view, node, faces, vertices)
        if shade is not None:
            inks = np.column_stack([np.clip(inks[:, :3] * shade[:, None], 0, 1), inks[:, 3]])
    width = node["LineWidth"]
    if lines is None and inks is not None and np.all(inks[:, 3] == 1):
        lines, width = inks, 0.35  # closes the seams between faces
    if len(order):
        drawing.add(
            Polygons(
                [rings[k] for k in order],
                None if inks is None else inks[order],
                None if lines is None else lines[order],
                width,
                node["LineStyle"],
                view.clip,
                "patch",
                np.array(depths)[order] if view.is_3d else None,
            )
        )
    if node["Marker"] != "none":
        drawing.add(Line(points, None, 0.5, "none", marker_of(node, (0, 0, 0)), view.clip, "patch"))


#: Faces with colours of their corners are cut into about so many pieces in all.
_PIECES = 4000


def _is_graded(node: Node, faces: Numbers, vertices: Numbers) -> bool:
    """Return whether colours run from corner to corner over faces that are few and large."""
    data = np.asarray(node["FaceVertexCData"])
    word = node["FaceColor"]
    graded = isinstance(word, str) and word == "interp" and len(data) == len(vertices)
    return graded and data.ndim == 2 and faces.shape[1] > 2 and len(faces) < _PIECES / 4


def _graded(drawing: Drawing, view: View, node: Node, faces: Numbers, vertices: Numbers) -> None:
    """A patch as small triangles in the colours between those of its corners."""
    data = np.asarray(node["FaceVertexCData"], float)
    corners = []
    for face in faces:
        at = face[np.isfinite(face)].astype(int) - 1
        corners += [(at[0], at[k], at[k + 1]) for k in range(1, len(at) - 1)]
    fan = np.array(corners, int).reshape(-1, 3)
    cuts = int(np.clip(np.sqrt(_PIECES / max(len(fan), 1)), 2, 24))
    weights = _cuts(cuts)
    points = np.einsum("pcw,fwd->fpcd", weights, vertices[fan]).reshape(-1, 3, vertices.shape[1])
    colors = np.einsum("pcw,fwd->fpcd", weights, data[fan]).mean(axis=2).reshape(-1, data.shape[1])
    pieces, outline = copy.copy(node), copy.copy(node)
    pieces.values = dict(node.values)
    pieces.values.update(
        Vertices=points.reshape(-1, vertices.shape[1]),
        Faces=np.arange(1.0, 3 * len(points) + 1).reshape(-1, 3),
        FaceVertexCData=colors,
        FaceColor="flat",
        EdgeColor="none",
        Marker="none",
    )
    patch(drawing, view, pieces)
    outline.values = dict(node.values)
    outline.values["FaceColor"] = "none"
    patch(drawing, view, outline)


def _cuts(count: int) -> Numbers:
    """The pieces of a triangle: for each three corners, as weights of the triangle's corners."""
    pieces = []
    for i in range(count):
        for j in range(count - i):
            pieces.append([(i, j), (i + 1, j), (i, j + 1)])
            if i + j < count - 1:
                pieces.append([(i + 1, j), (i + 1, j + 1), (i, j + 1)])
    at = np.array(pieces, float) / count
    return np.concatenate([at, 1 - at.sum(axis=2, keepdims=True)], axis=2)


def _patch_light(view: View, node: Node, faces: Numbers, vertices: Numbers) -> Numbers | None:
    lights = [n for n in extents.drawn(view.axes) if n.kind.name == "light"]
    if not lights or node["FaceLighting"] == "none" or vertices.shape[1] < 3 or faces.shape[1] < 3:
        return None
    scale = np.array([float(np.ptp(limit)) or 1.0 for limit in view.limits])
    a, b, c = (vertices[np.nan_to_num(faces[:, k]).astype(int) - 1] / scale for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    bright = np.full(len(faces), node["AmbientStrength"])
    for lamp in lights:
        toward = lamp["Position"].ravel() / max(float(np.linalg.norm(lamp["Position"])), 1e-12)
        bright += node["DiffuseStrength"] * np.abs(normal @ toward)
    made: Numbers = np.clip(bright, 0, 1.4)
    return made


def _patch_colors(view: View, node: Node, name: str, faces: Numbers) -> Numbers | None:
    value = node[name]
    alpha = _patch_opacity(node, "FaceAlpha" if name == "FaceColor" else "EdgeAlpha", faces)
    count = len(faces)
    if isinstance(value, str) and value == "none":
        return None
    data = np.asarray(node["FaceVertexCData"])
    if not isinstance(value, str) or data.ndim != 2 or not data.size:
        plain = np.zeros((count, 4))
        plain[:, :3] = 0.0 if isinstance(value, str) else rgb(value)
        plain[:, 3] = alpha
        return plain
    if data.shape[1] == 3:
        colors = np.column_stack([np.asarray(data, float), np.ones(len(data))])
    else:
        colors = mapped(view.axes, data[:, 0], node["CDataMapping"])
    vertices = len(node["Vertices"])
    if len(colors) == vertices and (len(colors) != count or value == "interp"):
        first = np.nan_to_num(faces, nan=1).astype(int) - 1
        good = np.isfinite(faces)
        whole = colors[np.clip(first, 0, vertices - 1)]
        mean = (whole * good[..., None]).sum(axis=1) / np.maximum(good.sum(axis=1), 1)[:, None]
        found = mean if value == "interp" else colors[np.clip(first[:, 0], 0, vertices - 1)]
    elif len(colors) == 1:
        found = np.broadcast_to(colors, (count, 4))
    else:
        found = colors[np.arange(count) % len(colors)]
    made: Numbers = np.array(found)
    made[:, 3] *= alpha
    return made


def histogram2(drawing: Drawing, view: View, node: Node) -> None:
    counts = np.asarray(node["Values"], float)
    xs, ys = np.ravel(node["XBinEdges"]), np.ravel(node["YBinEdges"])
    if node["DisplayStyle"] == "tile":
        i, j = np.nonzero(counts > 0)
        corners = np.stack(
            [view.project(xs[i + a], ys[j + b]) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))],
            axis=1,
        )
        inks = mapped(view.axes, counts[i, j], "scaled")
        drawing.add(Polygons(corners, inks, [(0.15,) * 3], 0.5, "-", view.clip, "histogram2"))
        return
    blocks(drawing, view, node, xs[:-1], xs[1:], ys[:-1], ys[1:], counts, None)


def blocks(
    drawing: Drawing,
    view: View,
    node: Node,
    x0: Any,
    x1: Any,
    y0: Any,
    y1: Any,
    heights: Numbers,
    inks: Any,
) -> None:
    """Upright blocks on a grid."""
    rings, colors, depths = [], [], []
    base = (
        rgb(node["FaceColor"])
        if not isinstance(node["FaceColor"], str)
        else node.info.get("color", (0, 0.447, 0.741))
    )
    sides = ((0, 0, 1, 0), (1, 0, 1, 1), (1, 1, 0, 1), (0, 1, 0, 0))
    for i in range(heights.shape[0]):
        for j in range(heights.shape[1]):
            top = heights[i, j]
            if not top:
                continue
            xs, ys = (x0[i], x1[i]), (y0[j], y1[j])
            middle = float(view.depth(sum(xs) / 2, sum(ys) / 2, top / 2)[0])
            own = base if inks is None else inks[j]
            for a, b, c, d in sides:
                px = np.array([xs[a], xs[c], xs[c], xs[a]])
                py = np.array([ys[b], ys[d], ys[d], ys[b]])
                pz = np.array([0.0, 0.0, top, top])
                rings.append(view.project(px, py, pz))
                depths.append(middle + 1e-3 * float(view.depth(px, py, pz).mean()))
                colors.append(tuple(part * (0.85 if a == c else 0.7) for part in own[:3]))
            rings.append(
                view.project(
                    np.array([xs[0], xs[1], xs[1], xs[0]]),
                    np.array([ys[0], ys[0], ys[1], ys[1]]),
                    np.full(4, top),
                )
            )
            depths.append(middle + 1e-2)
            colors.append(tuple(own[:3]))
    order = np.argsort(depths)
    if rings:
        drawing.add(
            Polygons(
                [rings[k] for k in order],
                [colors[k] for k in order],
                [(0.15,) * 3],
                0.5,
                "-",
                view.clip,
                "blocks",
            )
        )
