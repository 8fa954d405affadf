"""Plots of objects: regions of the plane and graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp
from runmat_plot.functions.arguments import not_enough, python, texts_in
from runmat_plot.functions.series import check_pairs, draw_lines
from runmat_plot.functions.support import current_axes, make, prepare, scene_of, set_pairs
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.node import Node


def plot_table(args: Sequence[Any], interp: Interp) -> list[Node]:
    """Draw variables of a table, with their names beside the axes."""
    table, *rest = python(interp, args)
    names = list(table)
    chosen: list[list[str]] = []
    while rest and len(chosen) < 2 and (found := texts_in(rest[0])) and set(found) <= set(names):
        chosen.append(found)
        rest.pop(0)
    if not chosen:
        if getattr(args[0], "class_name", "") != "timetable":
            raise not_enough()
        chosen = [names[:1], names[1:]]
    elif len(chosen) == 1 and getattr(args[0], "class_name", "") == "timetable":
        chosen = [names[:1], chosen[0]]
    drawn: list[Node] = []
    across = chosen[0][0] if len(chosen) > 1 else None
    for k, name in enumerate(chosen[-1]):
        data = [table[name]] if across is None else [table[across], table[name]]
        values = [interp.to_matlab(value) for value in (*data, *rest)]
        axes = current_axes(scene_of(interp))
        before = axes.values.get("NextPlot")
        if k:
            axes.values["NextPlot"] = "add"
        made = draw_lines("line", "plot", values, interp)
        axes.values.pop("NextPlot", None)
        if before is not None:
            axes.values["NextPlot"] = before
        for node in made:
            node.values["DisplayName"] = name
        drawn += made
    axes = current_axes(scene_of(interp))
    if across is not None:
        axes.label("XLabel").assign("String", across)
    if len(chosen[-1]) == 1:
        axes.label("YLabel").assign("String", chosen[-1][0])
    return drawn


def plot_polygon(args: Sequence[Any], interp: Interp) -> Node:
    """Draw a polyshape: its boundaries, and what lies within them."""
    scene = scene_of(interp)
    vertices = np.asarray(interp.to_python(args[0].field("Vertices")), float).reshape(-1, 2)
    pairs = python(interp, args[1:])
    axes = current_axes(scene)
    check_pairs("patch", axes, pairs)
    prepare(axes, box=True)
    gaps = np.flatnonzero(np.isnan(vertices[:, 0]))
    rings = [ring[~np.isnan(ring[:, 0])] for ring in np.split(vertices, gaps)]
    rings = [np.concatenate([ring, ring[:1]]) for ring in rings if len(ring)]
    # boundaries of holes run the other way, so one ring through all of them leaves holes open
    whole = (
        [rings[0], *(part for ring in rings[1:] for part in (ring, rings[0][:1]))] if rings else []
    )
    points = np.concatenate(whole) if whole else np.zeros((0, 2))
    node = make("patch", axes, (), FaceColor=next_color(axes), FaceAlpha=0.35, EdgeColor="none")
    node.values.update(
        Vertices=points, Faces=np.arange(1.0, len(points) + 1).reshape(1, -1), LineWidth=0.5
    )
    set_pairs(node, pairs)
    if "EdgeColor" not in [word for word in pairs[::2] if isinstance(word, str)]:
        for ring in rings:
            edge = make("line", axes, (), Color=np.zeros((1, 3)))
            edge.values.update(XData=ring[:, :1].T, YData=ring[:, 1:].T)
            edge.info["unlisted"] = True
    scene.revision += 1
    return node


def plot_mesh(args: Sequence[Any], interp: Interp) -> Any:
    """Draw a triangulation: its edges in the plane, its surface in space."""
    points = np.asarray(interp.to_python(args[0].field("Points")), float)
    shown = interp.builtin("triplot" if points.shape[1] == 2 else "trisurf")
    assert shown is not None
    return shown(1, *args)
