"""Objects in space as traces of plotly.js."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.colors import mapped
from runmat_plot.render.rulers import rgb
from runmat_plot.render.traces import (
    as_html,
    css,
    css_colors,
    json_numbers,
)
from runmat_plot.scene import extents
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def _scale(axes: Node) -> list[list[Any]]:
    table = np.asarray(axes["Colormap"], float)
    at = np.linspace(0, len(table) - 1, min(len(table), 64)).round().astype(int)
    return [[k / (len(at) - 1), css(table[row])] for k, row in enumerate(at.tolist())]


def traces_in_space(axes: Node, node: Node) -> Iterator[dict[str, Any]]:
    """An object in space as traces."""
    kind = node.kind.name
    if node.kind.type == "surface":
        yield from _surface(axes, node)
    elif kind == "patch":
        yield from _patch(axes, node)
    elif kind in ("line", "primitiveline", "animatedline", "scatter", "bubblechart", "stem"):
        yield _path(axes, node)
    elif kind == "quiver":
        yield _arrows(node)
    elif kind == "text":
        x, y, z = (float(part) for part in np.ravel(node["Position"]))
        yield {
            "type": "scatter3d", "mode": "text", "x": [x], "y": [y], "z": [z],
            "text": [as_html(node["String"])],
        }  # fmt: skip
    elif kind == "contour":
        yield _levels(node)


def _rows(values: Numbers) -> list[list[Any]]:
    return [json_numbers(row) for row in values]


def _surface(axes: Node, node: Node) -> Iterator[dict[str, Any]]:
    x, y, z = extents.grid_of(node)
    color = np.asarray(node["CData"], float)
    low, high = axes["CLim"].ravel()
    plain = node["FaceColor"]
    if (isinstance(plain, str) and plain == "none") or node.info.get("mesh"):
        ink = node["EdgeColor"]
        for part in ((x, y, z), (x.T, y.T, z.T)):
            if node.info.get("mesh") == "rows" and part[0] is not x:
                continue
            gap = np.full((part[0].shape[0], 1), np.nan)
            lines = [np.hstack([v, gap]).ravel() for v in part]
            shade = np.nan_to_num(lines[2], nan=low)
            yield {
                "type": "scatter3d", "mode": "lines",
                **{a: json_numbers(v) for a, v in zip("xyz", lines, strict=True)},
                "line": {"width": 2, "color": css(rgb(ink)) if not isinstance(ink, str)
                         else shade.tolist(), "colorscale": _scale(axes), "cmin": low,
                         "cmax": high},
            }  # fmt: skip
        return
    made: dict[str, Any] = {
        "type": "surface", "x": _rows(x), "y": _rows(y), "z": _rows(z), "showscale": False,
        "cmin": float(low), "cmax": float(high), "colorscale": _scale(axes),
        "opacity": _opacity(node),
    }  # fmt: skip
    if not isinstance(plain, str):
        made["colorscale"] = [[0, css(rgb(plain))], [1, css(rgb(plain))]]
    elif color.shape == z.shape:
        made["surfacecolor"] = _rows(color)
    yield made


def _opacity(node: Node) -> float:
    """Return the opacity of faces; data of their own is not shown."""
    value = node["FaceAlpha"]
    return 1.0 if isinstance(value, str) else float(value)


def _patch(axes: Node, node: Node) -> Iterator[dict[str, Any]]:
    faces, vertices = np.asarray(node["Faces"], float), np.asarray(node["Vertices"], float)
    if not faces.size or not vertices.size:
        return
    z = vertices[:, 2] if vertices.shape[1] > 2 else np.zeros(len(vertices))
    corners: list[tuple[int, int, int]] = []
    owner: list[int] = []
    for row, face in enumerate(faces):
        at = face[np.isfinite(face)].astype(int) - 1
        corners += [(int(at[0]), int(at[k]), int(at[k + 1])) for k in range(1, len(at) - 1)]
        owner += [row] * max(len(at) - 2, 0)
    made: dict[str, Any] = {
        "type": "mesh3d",
        "x": json_numbers(vertices[:, 0]), "y": json_numbers(vertices[:, 1]), "z": json_numbers(z),
        **{n: [c[k] for c in corners] for k, n in enumerate("ijk")},
        "opacity": _opacity(node), "flatshading": True,
    }  # fmt: skip
    color, data = node["FaceColor"], np.asarray(node["FaceVertexCData"], float)
    if not isinstance(color, str):
        made["color"] = css(rgb(color))
    elif color == "none":
        return
    elif data.size:
        inks = data if data.shape[1] == 3 else mapped(axes, data[:, 0], node["CDataMapping"])
        names = css_colors(inks)
        if len(names) == len(vertices):
            made["vertexcolor"] = names
        else:
            made["facecolor"] = [names[row % len(names)] for row in owner]
    yield made


def _path(axes: Node, node: Node) -> dict[str, Any]:
    parts = [np.ravel(node[f"{axis}Data"]).astype(float) for axis in "XYZ"]
    if parts[2].size != parts[0].size:
        parts[2] = np.zeros(parts[0].size)
    made: dict[str, Any] = {
        "type": "scatter3d",
        **{axis: json_numbers(part) for axis, part in zip("xyz", parts, strict=True)},
    }
    unit = 96 / 72
    if node.kind.name in ("scatter", "bubblechart"):
        data = np.asarray(node["CData"], float)
        count = parts[0].size
        inks = (
            data
            if data.shape[-1] == 3 and data.size != count
            else mapped(axes, data.ravel(), "scaled")
        )
        colors = css_colors(inks)
        areas = (
            extents.bubble_areas(node, axes)
            if node.kind.name == "bubblechart"
            else np.broadcast_to(np.ravel(node["SizeData"]).astype(float), count)
        )
        made.update(mode="markers", marker={
            "size": (np.sqrt(areas) * unit).tolist(),
            "color": colors if len(colors) == count else colors[0],
        })  # fmt: skip
        return made
    modes = [] if node["LineStyle"] == "none" else ["lines"]
    color = css(rgb(node["Color"])) or "black"
    if node["Marker"] != "none":
        modes.append("markers")
        made["marker"] = {"size": node["MarkerSize"] * unit * 0.7, "color": color}
    made["mode"] = "+".join(modes) or "none"
    made["line"] = {"color": color, "width": max(node["LineWidth"] * unit * 2, 2)}
    return made


def _arrows(node: Node) -> dict[str, Any]:
    scale = node.info.get("scale", 1.0)
    parts = []
    for foot, arrow in zip("XYZ", "UVW", strict=True):
        start = np.ravel(node[f"{foot}Data"]).astype(float)
        start = start if start.size else np.zeros(node["XData"].size)
        step = np.ravel(node[f"{arrow}Data"]).astype(float)
        step = step if step.size else np.zeros(start.size)
        gap = np.full(start.size, np.nan)
        parts.append(np.column_stack([start, start + scale * step, gap]).ravel())
    return {
        "type": "scatter3d", "mode": "lines",
        **{axis: json_numbers(part) for axis, part in zip("xyz", parts, strict=True)},
        "line": {"color": css(rgb(node["Color"])) or "black", "width": 3},
    }  # fmt: skip


def _levels(node: Node) -> dict[str, Any]:
    from contourpy import contour_generator

    x, y, z = extents.grid_of(node)
    lines: Any = contour_generator(x, y, np.ma.masked_invalid(z))
    points = []
    for level in np.ravel(node["LevelList"]).tolist():
        height = level if node.info.get("is_3d") else node.info.get("level", level)
        for line in lines.lines(level):
            points.append(np.column_stack([line, np.full(len(line), height)]))
            points.append(np.full((1, 3), np.nan))
    whole_lines = np.concatenate(points) if points else np.zeros((0, 3))
    return {
        "type": "scatter3d", "mode": "lines",
        **{axis: json_numbers(whole_lines[:, k]) for k, axis in enumerate("xyz")},
        "line": {"color": "#0072bd", "width": 2},
    }  # fmt: skip
