"""Polar axes as shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.charts import DRAW
from runmat_plot.render.rulers import PlaneRulers, rgb
from runmat_plot.render.shapes import Box, Drawing, Label, Line, Polygons
from runmat_plot.render.views import PlaneView, fitted
from runmat_plot.scene import extents, ticks
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


class PolarView(PlaneView):
    """Angles and radii to pixels."""

    def __init__(self, axes: Node, box: Box, unit: float) -> None:
        super().__init__(axes, box, unit)
        left, bottom, right, top = box
        pad = 14 * unit
        self.box = fitted((left + pad, bottom + pad, right - pad, top - pad), 1.0)
        self.clip = (left - 1e4, bottom - 1e4, right + 1e4, top + 1e4)
        low, high = radius_limits(axes)
        self.low, self.high = low, high
        self.zero = {"right": 0.0, "top": np.pi / 2, "left": np.pi, "bottom": -np.pi / 2}[
            axes["ThetaZeroLocation"]
        ]
        self.turn = -1.0 if axes["ThetaDir"] == "clockwise" else 1.0

    def project(self, x: Any, y: Any, z: Any = None) -> Numbers:
        left, bottom, right, top = self.box
        theta, radius = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
        part = (radius - self.low) / (self.high - self.low)
        angle = self.zero + self.turn * theta
        # a negative radius points the other way
        size = (right - left) / 2
        return np.column_stack(
            [
                ((left + right) / 2 + size * part * np.cos(angle)).ravel(),
                ((bottom + top) / 2 + size * part * np.sin(angle)).ravel(),
            ]
        )


def radius_limits(axes: Node) -> tuple[float, float]:
    """The radii that polar axes show."""
    if axes.values.get("RLimMode") == "manual":
        low, high = axes["RLim"].ravel()
        return float(low), float(high)
    most = 0.0
    for child in extents.drawn(axes):
        rule = extents.POINTS.get(child.kind.name)
        data = None if rule is None else rule(child)[1]
        if data is not None and np.size(data):
            finite = np.abs(np.asarray(data, float))
            finite = finite[np.isfinite(finite)]
            most = max(most, float(finite.max()) if finite.size else 0.0)
    return (0.0, ticks.aligned(0, most, 5)[1]) if most else (0.0, 1.0)


def draw_polar(drawing: Drawing, axes: Node, box: Box) -> None:
    view = PolarView(axes, box, drawing.scale)
    axes.info["view"] = view
    unit, size = drawing.scale, axes["FontSize"]
    ink = drawing.ink
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = view.project(turn, view.high)
    if axes["Visible"] == "on":
        drawing.add(
            Polygons([circle], [rgb(axes["Color"]) or (1, 1, 1)], None, 0, tag="background")
        )
        radii = (
            axes.values["RTick"].ravel()
            if "RTick" in axes.values
            else ticks.linear_ticks(view.low, view.high, 5)
        )
        for radius in radii:
            if view.low < radius < view.high:
                drawing.add(Line(view.project(turn, radius), (*ink, 0.15), 0.5, tag="rgrid"))
        degrees = (
            axes.values["ThetaTick"].ravel()
            if "ThetaTick" in axes.values
            else np.arange(0, 360, 30)
        )
        words = axes.values.get("ThetaTickLabel") or [
            f"{ticks.number_text(float(d))}" for d in degrees
        ]
        for degree, word in zip(degrees, words, strict=False):
            theta = np.radians(degree)
            drawing.add(
                Line(
                    view.project([theta, theta], [view.low, view.high]),
                    (*ink, 0.15),
                    0.5,
                    tag="thetagrid",
                )
            )
            middle, edge = view.project([theta, theta], [view.low, view.high])
            away = (edge - middle) / max(float(np.hypot(*(edge - middle))), 1e-9)
            x, y = edge + away * (9 * unit)
            drawing.add(Label(float(x), float(y), word, size, ink, tag="thetaticklabel"))
    for child in extents.drawn(axes):
        if child.kind.name == "histogram":
            _wedges(drawing, view, child)
        elif (rule := DRAW.get(child.kind.name)) is not None:
            rule(drawing, view, child)
    if axes["Visible"] == "on":
        drawing.add(Line(circle, ink, 0.5, tag="box"))
        angle = np.radians(80)
        for radius in radii:
            x, y = view.project(angle, radius)[0]
            drawing.add(
                Label(
                    float(x),
                    float(y),
                    ticks.number_text(float(radius)),
                    size,
                    ink,
                    tag="rticklabel",
                )
            )
    PlaneRulers(drawing, view).titles(view.box[3] + 22 * unit)


def _wedges(drawing: Drawing, view: PolarView, node: Node) -> None:
    from runmat_plot.render.charts import _filled

    edges, heights = np.ravel(node["BinEdges"]), np.ravel(node["Values"]).astype(float)
    rings = []
    for k, high in enumerate(heights):
        arc = np.linspace(edges[k], edges[k + 1], 16)
        rings.append(np.concatenate([view.project(arc, high), view.project(arc[::-1], view.low)]))
    _filled(drawing, view, node, rings, np.ones(len(rings), bool), "histogram")
