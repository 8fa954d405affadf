"""Plots of graphs as shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.colors import mapped
from runmat_plot.render.rulers import faded, rgb
from runmat_plot.render.shapes import Drawing, Label, Line, Marker, Polygons
from runmat_plot.render.views import View
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def draw_graph(drawing: Drawing, view: View, node: Node) -> None:
    x, y = np.ravel(node["XData"]), np.ravel(node["YData"])
    z = np.ravel(node["ZData"])
    count = len(node.info["names"])
    if x.size != count or y.size != count or not count:
        return
    at = view.project(x, y, z if z.size == count else None)
    _edges(drawing, view, node, at)
    _nodes(drawing, view, node, at)


def _colors(view: View, node: Node, name: str, data: str, count: int) -> list[Any]:
    value = node[name]
    if not isinstance(value, str):
        return [rgb(value)] * count
    numbers = np.asarray(node[data], float).ravel()
    if value == "none" or numbers.size != count:
        return [None] * count
    return [tuple(color[:3]) for color in mapped(view.axes, numbers, "scaled").reshape(-1, 4)]


def _each(value: Any, count: int) -> list[float]:
    numbers = np.ravel(np.asarray(value, float))
    return numbers.tolist() if numbers.size == count else [float(numbers[0])] * count


def _edges(drawing: Drawing, view: View, node: Node, at: Numbers) -> None:
    ends, own = node.info["ends"], node.info["edges"]
    colors = _colors(view, node, "EdgeColor", "EdgeCData", len(ends))
    widths = _each(node["LineWidth"], len(ends))
    labels = node["EdgeLabel"] or []
    for k, (a, b) in enumerate(ends.tolist()):
        looks = own.get(k, {})
        color = rgb(looks["EdgeColor"]) if "EdgeColor" in looks else colors[k]
        if color is None:
            continue
        ink = faded(color, node["EdgeAlpha"]) if "EdgeColor" not in looks else color
        width = float(np.ravel(looks.get("LineWidth", widths[k]))[0])
        points = np.array([at[a], at[b]])
        if a == b:
            turn = np.linspace(0, 2 * np.pi, 24)
            reach = 9 * drawing.scale
            points = at[a] + reach * np.column_stack([np.sin(turn), 1 - np.cos(turn)])
        style = looks.get("LineStyle", node["LineStyle"])
        if style != "none":
            drawing.add(Line(points, ink, width, style, None, view.clip, "edge"))
        if node.is_on("ShowArrows"):
            size = looks.get("ArrowSize", node["ArrowSize"]) * drawing.scale
            _head(drawing, view, points, ink, size, node["ArrowPosition"])
        if k < len(labels) and labels[k]:
            middle = points.mean(axis=0)
            drawing.add(
                Label(
                    float(middle[0]), float(middle[1]), labels[k], node["EdgeFontSize"],
                    rgb(node["EdgeLabelColor"]),
                    interpreter=node["Interpreter"], tag="edgelabel",
                )
            )  # fmt: skip


def _head(
    drawing: Drawing, view: View, points: Numbers, ink: Any, size: float, place: float
) -> None:
    k = max(1, round(place * (len(points) - 1))) if len(points) > 2 else 1
    along = points[k] - points[k - 1]
    length = float(np.hypot(*along))
    if not length:
        return
    along = along / length
    tip = points[0] + place * (points[1] - points[0]) if len(points) == 2 else points[k]
    tip = tip + along * size / 2
    side = np.array([-along[1], along[0]]) * size / 2.2
    corners = np.array([tip, tip - along * size + side, tip - along * size - side])
    drawing.add(Polygons([corners], [ink], None, 0, "-", view.clip, "edge"))


def _nodes(drawing: Drawing, view: View, node: Node, at: Numbers) -> None:
    count, own = len(at), node.info["nodes"]
    colors = _colors(view, node, "NodeColor", "NodeCData", count)
    sizes = _each(node["MarkerSize"], count)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for k in range(count):
        looks = own.get(k, {})
        color = rgb(looks["NodeColor"]) if "NodeColor" in looks else colors[k]
        size = float(np.ravel(looks.get("MarkerSize", sizes[k]))[0])
        key = (looks.get("Marker", node["Marker"]), size, color)
        groups.setdefault(key, []).append(k)
    for (symbol, size, color), chosen in groups.items():
        if symbol != "none" and color is not None:
            mark = Marker(symbol, size, color, color)
            drawing.add(Line(at[chosen], None, 0.5, "none", mark, None, "node"))
    middle = at.mean(axis=0)
    labels = node["NodeLabel"] or []
    gap = 5 * drawing.scale
    for k, text in enumerate(labels if isinstance(labels, list) else []):
        if k < count and text:
            right = at[k, 0] >= middle[0]
            drawing.add(
                Label(
                    float(at[k, 0] + (gap if right else -gap)), float(at[k, 1]), text,
                    node["NodeFontSize"], rgb(node["NodeLabelColor"]),
                    "left" if right else "right", interpreter=node["Interpreter"],
                    tag="nodelabel",
                )
            )  # fmt: skip
