"""Markers and colours of series."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from runmat_plot.render.rulers import rgb
from runmat_plot.render.shapes import Marker
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def series_color(node: Node) -> Any:
    """The colour that stands for an object."""
    for name in ("Color", "FaceColor", "EdgeColor", "BoxFaceColor", "LineColor"):
        if name.lower() in node.kind.properties:
            found = node[name]
            if not isinstance(found, str):
                return rgb(found)
    return node.info.get("color", (0.0, 0.447, 0.741))


def marker_of(node: Node, color: Any) -> Marker | None:
    if node["Marker"] == "none":
        return None
    edge, face = node["MarkerEdgeColor"], node["MarkerFaceColor"]
    edge = color if isinstance(edge, str) and edge in ("auto", "flat") else rgb(edge)
    face = {"auto": color, "flat": color}.get(face) if isinstance(face, str) else rgb(face)
    return Marker(node["Marker"], node["MarkerSize"], edge, face, node["LineWidth"])
