"""Polar axes as shapes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.charts import DRAW, draw_filled
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
        if self.axes["RDir"] == "reverse":
            part = 1 - part
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
    seen = axes["Visible"] == "on"
    if seen:
        circle = view.project(np.linspace(0, 2 * np.pi, 181), view.high)
        background = rgb(axes["Color"])
        if background is not None:
            drawing.add(Polygons([circle], [background], None, 0, tag="background"))
        if axes["Layer"] != "top":
            _grid(drawing, view)
    for child in extents.drawn(axes):
        if child.kind.name == "histogram":
            _wedges(drawing, view, child)
        elif (rule := DRAW.get(child.kind.name)) is not None:
            rule(drawing, view, child)
    if seen:
        if axes["Layer"] == "top":
            _grid(drawing, view)
        drawing.add(Line(circle, _ink(drawing, axes, "Theta"), axes["LineWidth"], tag="box"))
        _angles(drawing, view)
        _radii(drawing, view)
    PlaneRulers(drawing, view).titles(view.box[3] + 22 * drawing.scale)


def _ink(drawing: Drawing, axes: Node, name: str) -> Any:
    """The colour of the angles' ruler or of the radii's."""
    color = axes.values.get(f"{name}Color")
    if isinstance(color, str):
        return None  # none
    return drawing.ink if color is None else rgb(color)


def _radius_ticks(view: PolarView) -> Numbers:
    if "RTick" in view.axes.values:
        return np.ravel(view.axes.values["RTick"]).astype(float)
    return np.asarray(ticks.linear_ticks(view.low, view.high, 5), float)


def _angle_ticks(axes: Node) -> Numbers:
    """In degrees."""
    if "ThetaTick" not in axes.values:
        return np.arange(0.0, 360.0, 30.0)
    found = np.ravel(axes.values["ThetaTick"]).astype(float)
    return np.degrees(found) if axes["ThetaAxisUnits"] == "radians" else found


def _between(at: Numbers, parts: int = 5) -> Numbers:
    """Return the positions of minor lines between others."""
    if at.size < 2:
        return np.zeros(0)
    steps = np.arange(1, parts) / parts
    found: Numbers = (at[:-1, None] + np.diff(at)[:, None] * steps).ravel()
    return found


def _grid(drawing: Drawing, view: PolarView) -> None:
    axes = view.axes
    turn = np.linspace(0, 2 * np.pi, 181)
    radii, angles = _radius_ticks(view), _angle_ticks(axes)
    for name, at in (("R", radii), ("Theta", angles)):
        for minor in (False, True):
            part = "MinorGrid" if minor else "Grid"
            if not axes.is_on(f"{name}{part}"):
                continue
            ink = rgb(axes.values[f"{part}Color"]) if f"{part}Color" in axes.values else None
            ink = ink or _ink(drawing, axes, name) or drawing.ink
            style = axes[f"{part}LineStyle"]
            look = ((*ink[:3], float(axes[f"{part}Alpha"])), axes[f"{part}LineWidth"], style)
            places = _between(np.append(at, at[:1] + 360) if name == "Theta" else at)
            for place in places if minor else at:
                if name == "R" and not view.low < place < view.high:
                    continue
                theta = np.radians([place, place])
                points = (
                    view.project(turn, place)
                    if name == "R"
                    else view.project(theta, [view.low, view.high])
                )
                drawing.add(Line(points, *look, tag=f"{name.lower()}{part.lower()}"))


def _angles(drawing: Drawing, view: PolarView) -> None:
    """Draw the ticks and labels around the circle."""
    axes, ink = view.axes, _ink(drawing, view.axes, "Theta")
    if ink is None:
        return
    degrees = _angle_ticks(axes)
    radians = axes["ThetaAxisUnits"] == "radians"
    texts = axes.values.get("ThetaTickLabel")
    words = [texts] if isinstance(texts, str) else texts
    if words is None:
        words = [_in_radians(d) if radians else ticks.number_text(float(d)) for d in degrees]
    for degree, word in zip(degrees, words, strict=False):
        theta = np.radians(degree)
        middle, edge = view.project([theta, theta], [view.low, view.high])
        away = (edge - middle) / max(float(np.hypot(*(edge - middle))), 1e-9)
        x, y = edge + away * (9 * drawing.scale)
        size = axes["FontSize"]
        drawing.add(Label(float(x), float(y), word, size, ink, tag="thetaticklabel"))


def _in_radians(degree: float) -> str:
    """An angle as a fraction of pi."""
    part = Fraction(degree / 180).limit_denominator(36)
    if not part:
        return "0"
    above = "\\pi" if part.numerator == 1 else f"{part.numerator}\\pi"
    return above if part.denominator == 1 else f"{above}/{part.denominator}"


def _radii(drawing: Drawing, view: PolarView) -> None:
    """Draw the ticks and labels along one radius."""
    axes, ink = view.axes, _ink(drawing, view.axes, "R")
    if ink is None:
        return
    radii = _radius_ticks(view)
    texts = axes.values.get("RTickLabel")
    words = [texts] if isinstance(texts, str) else texts
    if words is None:
        words = [ticks.number_text(float(radius)) for radius in radii]
    angle, turned = np.radians(float(axes["RAxisLocation"])), float(axes["RTickLabelRotation"])
    for radius, word in zip(radii, words, strict=False):
        if not min(view.low, view.high) <= radius <= max(view.low, view.high):
            continue
        x, y = view.project(angle, radius)[0]
        size = axes["FontSize"]
        label = Label(float(x), float(y), word, size, ink, rotation=turned, tag="rticklabel")
        drawing.add(label)


def _wedges(drawing: Drawing, view: PolarView, node: Node) -> None:
    edges, heights = np.ravel(node["BinEdges"]), np.ravel(node["Values"]).astype(float)
    rings = []
    for k, high in enumerate(heights):
        arc = np.linspace(edges[k], edges[k + 1], 16)
        rings.append(np.concatenate([view.project(arc, high), view.project(arc[::-1], view.low)]))
    draw_filled(drawing, view, node, rings, np.ones(len(rings), bool), "histogram")
