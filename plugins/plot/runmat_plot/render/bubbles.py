"""Legends that tell what the sizes of bubbles stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_plot.render.rulers import rgb
from runmat_plot.render.shapes import Drawing, Label, Points, Polygons
from runmat_plot.render.views import View
from runmat_plot.scene.node import Node


def draw_bubbles(drawing: Drawing, node: Node, view: View) -> None:
    """A box with some bubbles of the smallest to the largest size, and the ends' numbers."""
    unit, size = drawing.scale, node["FontSize"]
    ink = rgb(node["TextColor"])
    small, large = np.ravel(view.axes.info.get("bubblesize", np.array([5.0, 50.0])))
    count = int(np.clip(node["NumBubbles"], 2, 3))
    widths = np.sqrt(np.linspace(small**2, large**2, count))[::-1]
    nested = node["Style"] == "telescopic"
    title = node.labels.get("Title")
    head = 1.6 * size if title is not None and title["String"] else 0.0
    tall = (large if nested else float(widths.sum()) + 4 * (count - 1)) + 12 + head
    words = node["LimitLabels"]
    longest = max((len(word) for word in words), default=1)
    wide = max(
        large + 14 + 0.6 * size * longest,
        0.62 * size * len(str(title["String"])) + 8 if head and title else 0,
    )
    left, bottom, right, top = view.box
    place = node["Location"].lower()
    gap = 8 * unit
    x = right - gap - wide * unit if "east" in place else left + gap
    y = bottom + gap + tall * unit if "south" in place else top - gap
    if place.endswith("outside"):
        x = right + gap if "east" in place else left - gap - wide * unit
    ring = np.array([[0, 0], [1, 0], [1, -1], [0, -1]]) * np.array([wide, tall]) * unit + [x, y]
    face, edge = rgb(node["Color"]), rgb(node["EdgeColor"])
    if node.is_on("Box"):
        faces = None if face is None else [face]
        edges = None if edge is None else [edge]
        drawing.add(Polygons([ring], faces, edges, node["LineWidth"], tag="bubblelegend"))
    if head and title is not None:
        middle = x + wide * unit / 2
        text = str(title["String"])
        drawing.add(
            Label(middle, y - 0.9 * size * unit, text, size, ink, bold=True, tag="legendtitle")
        )
    across = x + (6 + large / 2) * unit
    at = y - (6 + head) * unit
    foot = at - large * unit
    for k, width in enumerate(widths.tolist()):
        centre = foot + width / 2 * unit if nested else at - width / 2 * unit
        at -= (width + 4) * unit
        drawing.add(_bubble(across, centre, width, ink))
        if k in (0, count - 1) and words:
            beside = x + (large + 10) * unit
            level = foot + width * unit - 2 * unit if nested else centre
            word = words[-1] if k == 0 else words[0]
            drawing.add(Label(beside, level, word, size, ink, "left", tag="bubblelegend"))


def _bubble(x: float, y: float, width: float, ink: Any) -> Points:
    sizes = np.array([width**2])
    return Points(np.array([[x, y]]), "o", sizes, ink, None, 0.5, None, "bubblelegend")
