"""Heat maps as shapes."""

from __future__ import annotations

import numpy as np

from runmat_plot.render.rulers import rgb
from runmat_plot.render.shapes import Box, Drawing, Label, Picture, Polygons
from runmat_plot.scene import ticks
from runmat_plot.scene.node import Node


def draw_heatmap(drawing: Drawing, node: Node, box: Box) -> None:
    """The cells of a heat map with their numbers, names of rows and columns, and a colour bar."""
    data = np.asarray(node["ColorData"], float)
    if not data.size:
        return
    left, bottom, right, top = box
    unit, size = drawing.scale, node["FontSize"]
    if node.is_on("ColorbarVisible"):
        right -= 0.1 * (right - left)
    rows, columns = data.shape
    finite = data[np.isfinite(data)]
    low, high = (
        node.values["ColorLimits"].ravel()
        if "ColorLimits" in node.values
        else ((float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0))
    )
    high = high if high > low else low + 1
    table = np.asarray(node.values.get("Colormap", blues()), float)
    part = np.clip(np.nan_to_num((data - low) / (high - low)), 0, 1)
    inks = table[np.minimum((part * len(table)).astype(int), len(table) - 1)]
    inks[~np.isfinite(data)] = rgb(node["MissingDataColor"])
    wide, tall = (right - left) / columns, (top - bottom) / rows
    rings, faces = [], []
    for i in range(rows):
        for j in range(columns):
            x, y = left + j * wide, top - i * tall
            rings.append(np.array([[x, y - tall], [x + wide, y - tall], [x + wide, y], [x, y]]))
            faces.append(inks[i, j])
    edge = [(0.15, 0.15, 0.15)] if node.is_on("GridVisible") else None
    drawing.add(Polygons(rings, faces, edge, 0.5, tag="heatmap"))
    if not node.reads("CellLabelColor", "none") and rows * columns <= 900:
        for i in range(rows):
            for j in range(columns):
                dark = float(inks[i, j] @ [0.3, 0.59, 0.11]) < 0.5
                text = f"{data[i, j]:.4g}" if np.isfinite(data[i, j]) else ""
                drawing.add(
                    Label(
                        left + (j + 0.5) * wide,
                        top - (i + 0.5) * tall,
                        text,
                        size,
                        (1.0, 1.0, 1.0) if dark else (0.15, 0.15, 0.15),
                        interpreter="none",
                        tag="heatmaplabel",
                    )
                )
    for j, word in enumerate(node.info.get("columns", [])):
        drawing.add(
            Label(
                left + (j + 0.5) * wide,
                bottom - 4 * unit,
                word,
                size,
                valign="top",
                tag="xticklabel",
            )
        )
    for i, word in enumerate(node.info.get("rows", [])):
        drawing.add(
            Label(
                left - 4 * unit, top - (i + 0.5) * tall, word, size, align="right", tag="yticklabel"
            )
        )
    for name, x, y, turn in (
        ("Title", (left + right) / 2, top + 6 * unit, 0.0),
        ("XLabel", (left + right) / 2, bottom - 20 * unit, 0.0),
        ("YLabel", left - 34 * unit, (top + bottom) / 2, 90.0),
    ):
        text = node[name]
        if text:
            drawing.add(
                Label(
                    x,
                    y,
                    "\n".join(text) if isinstance(text, list) else text,
                    size * 1.1,
                    align="center",
                    valign="top" if name == "XLabel" else "bottom",
                    rotation=turn,
                    bold=name == "Title",
                    tag=name.lower(),
                )
            )
    if node.is_on("ColorbarVisible"):
        x = right + 10 * unit
        pixels = np.ones((len(table), 1, 4))
        pixels[:, 0, :3] = table[::-1]
        drawing.add(
            Picture(
                np.round(pixels * 255).astype(np.uint8),
                (x, bottom, x + 15 * unit, top),
                tag="colorbar",
            )
        )
        for at in ticks.linear_ticks(low, high, 8):
            y = bottom + (at - low) / (high - low) * (top - bottom)
            drawing.add(
                Label(
                    x + 18 * unit,
                    y,
                    ticks.number_text(float(at)),
                    size * 0.9,
                    align="left",
                    tag="colorbarlabel",
                )
            )


def blues() -> np.ndarray:
    """The colours of a heat map that nobody chose: from near white to blue."""
    part = np.linspace(0, 1, 64)[:, None]
    return np.array([[0.9, 0.95, 1.0]]) * (1 - part) + np.array([[0.0, 0.447, 0.741]]) * part
