"""Arrows, boxes and texts of a figure."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import texts
from runmat_plot.render.rulers import rgb
from runmat_plot.render.shapes import (
    Drawing,
    Label,
    Line,
    Polygons,
)
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]

# -- shapes --------------------------------------------------------------------------------------


def draw_shape(drawing: Drawing, node: Node) -> None:
    """A shape that `annotation` made."""
    wide, high = drawing.width, drawing.height
    unit = drawing.scale
    color, edge = rgb(node["Color"]), rgb(node["EdgeColor"])
    kind = node.kind.name
    if kind in ("rectangleshape", "ellipseshape", "textboxshape"):
        x, y, w, h = node["Position"].ravel()
        x0, y0, x1, y1 = x * wide, y * high, (x + w) * wide, (y + h) * high
        if kind == "ellipseshape":
            turn = np.linspace(0, 2 * np.pi, 120)
            ring = np.column_stack(
                [
                    (x0 + x1) / 2 + (x1 - x0) / 2 * np.cos(turn),
                    (y0 + y1) / 2 + (y1 - y0) / 2 * np.sin(turn),
                ]
            )
        else:
            ring = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        face = rgb(node["FaceColor"]) if kind != "textboxshape" else rgb(node["BackgroundColor"])
        ink = edge if kind == "textboxshape" else color
        text = node["String"]
        text = "\n".join(text) if isinstance(text, list) else text
        fits = kind == "textboxshape" and node.is_on("FitBoxToText")
        if fits:
            pad = 2 * node["Margin"] * unit
            x1 = x0 + texts.width(text, node["FontSize"] * unit) + pad
            y0 = y1 - texts.height(text, node["FontSize"] * unit) - pad
            ring = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        drawing.add(
            Polygons(
                [ring],
                None if face is None else [(*face, node["FaceAlpha"])],
                None if ink is None else [ink],
                node["LineWidth"],
                node["LineStyle"],
                tag="annotation",
            )
        )
        if kind == "textboxshape" and text:
            pad = node["Margin"] * unit
            x = {"left": x0 + pad, "center": (x0 + x1) / 2, "right": x1 - pad}[
                node["HorizontalAlignment"]
            ]
            y = {"top": y1 - pad, "middle": (y0 + y1) / 2, "bottom": y0 + pad}[
                node["VerticalAlignment"]
            ]
            drawing.add(
                Label(
                    x,
                    y,
                    text,
                    node["FontSize"],
                    color or (0, 0, 0),
                    node["HorizontalAlignment"],
                    node["VerticalAlignment"],
                    bold=node["FontWeight"] == "bold",
                    interpreter=node["Interpreter"],
                    tag="annotation",
                )
            )
        return
    x, y = node["X"].ravel() * wide, node["Y"].ravel() * high
    points = np.column_stack([x, y])
    drawing.add(Line(points, color, node["LineWidth"], node["LineStyle"], tag="annotation"))
    if kind != "lineshape":
        _head(drawing, points[0], points[-1], node, color)
    if kind == "doubleendarrowshape":
        _head(drawing, points[-1], points[0], node, color)
    if kind == "textarrowshape" and node["String"]:
        text = node["String"]
        text = "\n".join(text) if isinstance(text, list) else text
        rightward = x[-1] >= x[0]
        drawing.add(
            Label(
                x[0] + (-3 if rightward else 3) * unit,
                y[0],
                text,
                node["FontSize"],
                rgb(node["TextColor"]) if "TextColor" in node.values else color or (0, 0, 0),
                "right" if rightward else "left",
                "middle",
                float(node["TextRotation"]),
                bold=node["FontWeight"] == "bold",
                italic=node["FontAngle"] == "italic",
                interpreter=node["Interpreter"],
                font=node["FontName"],
                background=rgb(node["TextBackgroundColor"]),
                edge=rgb(node["TextEdgeColor"]),
                margin=node["TextMargin"],
                tag="annotation",
            )
        )


def _head(drawing: Drawing, start: Numbers, tip: Numbers, node: Node, color: Any) -> None:
    along = tip - start
    size = float(np.hypot(*along))
    if not size or color is None:
        return
    along = along / size * drawing.scale
    side = np.array([-along[1], along[0]])
    length, wide = node["HeadLength"], node["HeadWidth"]
    ring = np.array(
        [
            tip,
            tip - along * length + side * wide / 2,
            tip - along * length * 0.8,
            tip - along * length - side * wide / 2,
        ]
    )
    drawing.add(Polygons([ring], [color], None, 0, tag="annotation"))
