"""Level lines, and the areas between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.colors import mapped
from runmat_plot.render.rulers import faded, rgb
from runmat_plot.render.shapes import Drawing, Label, Line, Polygons
from runmat_plot.render.views import View
from runmat_plot.scene import ticks
from runmat_plot.scene.extents import grid_of
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def contour(drawing: Drawing, view: View, node: Node) -> None:
    from contourpy import contour_generator

    x, y, z = grid_of(node)
    if min(z.shape, default=0) < 2:
        return
    levels = np.ravel(node["LevelList"])
    masked = np.ma.masked_invalid(z)
    made: Any = contour_generator(x, y, masked, fill_type="OuterOffset", line_type="Separate")
    at = node.info.get("level")
    if node.reads("FaceColor", "flat") and node.is_on("Fill"):
        # each level is painted over those below it, so that nothing shows between them
        top = max(float(np.nanmax(z)), float(levels.max(initial=-np.inf))) + 1
        for low in levels:
            found, offsets = made.filled(low, top)[:2]
            rings = [_one_ring(*ring) for ring in zip(found, offsets, strict=True)]
            ink = mapped(view.axes, np.array([low]), "scaled")[0]
            flat = [
                view.project(ring[:, 0], ring[:, 1], _height(view, at, len(ring))) for ring in rings
            ]
            if flat:
                drawing.add(Polygons(flat, [ink], None, 0, "-", view.clip, "contourfill"))
    named = _labelled(node, levels)
    for level in levels:
        lines = made.lines(level)
        color = node["LineColor"]
        if "EdgeColor" in node.values:
            color = node["EdgeColor"]
        if isinstance(color, str):
            ink = None if color == "none" else mapped(view.axes, np.array([level]), "scaled")[0]
        else:
            ink = rgb(color)
        if ink is None or node["LineStyle"] == "none":
            continue
        for line in lines:
            z_at = (
                np.full(len(line), level)
                if node.info.get("is_3d")
                else _height(view, at, len(line))
            )
            points = view.project(line[:, 0], line[:, 1], z_at)
            drawing.add(
                Line(
                    points,
                    faded(ink, 1.0),
                    node["LineWidth"],
                    node["LineStyle"],
                    None,
                    view.clip,
                    "contour",
                )
            )
            if node.is_on("ShowText") and len(line) > 8 and named(level):
                x_at, y_at = points[len(points) // 2]
                drawing.add(
                    Label(
                        float(x_at),
                        float(y_at),
                        _level_text(node, level),
                        8.0,
                        _level_ink(node, ink),
                        background=(1.0, 1.0, 1.0),
                        margin=0.5,
                        interpreter="none",
                        clip=view.clip,
                        tag="contourtext",
                    )
                )


def _labelled(node: Node, levels: Any) -> Callable[[float], bool]:
    """Return which level lines have labels: all of them, or those of a list or of a step."""
    chosen = np.ravel(node.values.get("TextList", np.zeros(0))).astype(float)
    step = float(node["TextStep"])
    if not chosen.size and step > 0:
        chosen = np.arange(np.ceil(min(levels, default=0) / step), 1e4) * step
    return lambda level: not chosen.size or bool(np.isclose(chosen, level, 1e-9, 1e-12).any())


def _level_text(node: Node, level: float) -> str:
    """The label of a level, by the format that was set: of printf, or a function of levels."""
    if "LabelFormat" not in node.values:
        return f"{level:.4g}"
    interp, kept = node.scene.interp, node.values["LabelFormat"]
    pattern = interp.to_python(kept)
    if isinstance(pattern, str):
        return ticks.formatted(level, pattern)
    text = interp.to_python(interp.call(kept, [interp.to_matlab(level)], 1))
    return str(np.ravel(np.asarray(text, object))[0])


def _level_ink(node: Node, ink: Any) -> Any:
    color = node["LabelColor"]
    if isinstance(color, str):  # as the line, or as the text around
        return faded(ink, 1.0) if color == "flat" else (0.0, 0.0, 0.0)
    return rgb(color)


def _height(view: View, at: Any, count: int) -> Any:
    if not view.is_3d:
        return None
    return np.full(count, view.limits[2][0] if at is None else at)


def _one_ring(points: Numbers, offsets: Numbers) -> Numbers:
    """A region with holes as one ring: each hole joined by a cut."""
    parts = np.split(points, np.asarray(offsets)[1:-1].astype(int))
    if len(parts) == 1:
        return points
    ring = parts[0]
    for hole in parts[1:]:
        ring = np.concatenate([ring, hole, ring[:1]])
    return ring
