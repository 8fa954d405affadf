"""Plot boxes that leave room for what stands around them: ticks' labels, labels, title.

As in MATLAB, axes whose position nobody has set keep within an outer box, which is the figure or
their part of it, and give way where their labels would reach beyond it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import texts
from runmat_plot.render.rulers import PlaneRulers
from runmat_plot.render.shapes import Box, Drawing, Label
from runmat_plot.render.views import PlaneView
from runmat_plot.scene import axes as rules
from runmat_plot.scene.node import Node

#: The part of the gap between two axes that belongs to the left one, and to the lower one.
_LEFT, _LOWER = 0.17, 0.36
#: The least part of its size that a plot box keeps.
_LEAST = 0.35
_KINDS = ("axes", "polaraxes")


def with_room(drawing: Drawing, axes: Node, box: Box) -> Box:
    """A plot box, made smaller where labels would reach beyond the outer box."""
    alone = axes.info.get("shares") is None and axes.info.get("right") is None
    if axes["PositionConstraint"] != "outerposition" or not alone or axes["Visible"] == "off":
        return box
    if axes.parent is None or axes.parent.kind.name != "figure":
        return box
    outer = _outer(drawing, axes)
    if outer is None:
        return box
    least = [_LEAST * (box[k + 2] - box[k]) for k in range(2)]
    for _ in range(2):  # other ticks may have other labels
        reach = _reach(drawing, PlaneView(axes, box, drawing.scale))
        if reach is None:
            return box
        beyond = [max(0.0, sign * (outer[k] - reach[k])) for k, sign in enumerate((1, 1, -1, -1))]
        if not any(part > 0.5 for part in beyond):
            return box
        left, bottom = box[0] + beyond[0], box[1] + beyond[1]
        right, top = box[2] - beyond[2], box[3] - beyond[3]
        if right - left < least[0] or top - bottom < least[1]:
            return box
        box = left, bottom, right, top
    return box


def _outer(drawing: Drawing, axes: Node) -> Box | None:
    """The part of the figure that belongs to axes: as far as their neighbours' parts.

    None where other axes lie upon them, which are to stay where they are beside each other.
    """
    assert axes.parent is not None
    own = rules.pixel_box(axes)
    outer = [0.0, 0.0, drawing.width / drawing.zoom, drawing.height / drawing.zoom]
    first, last = own[:2], (own[0] + own[2], own[1] + own[3])
    for other in axes.parent.children:
        if other is axes or other.kind.name not in _KINDS:
            continue
        place = rules.pixel_box(other)
        start, end = place[:2], (place[0] + place[2], place[1] + place[3])
        if all(start[k] < last[k] - 1 and end[k] > first[k] + 1 for k in range(2)):
            return None
        for k, part in enumerate((_LEFT, _LOWER)):
            if end[1 - k] <= first[1 - k] or start[1 - k] >= last[1 - k]:
                continue  # not beside each other along this side
            if end[k] <= first[k] + 1:
                outer[k] = max(outer[k], end[k] + part * (first[k] - end[k]))
            elif start[k] >= last[k] - 1:
                outer[k + 2] = min(outer[k + 2], last[k] + part * (start[k] - last[k]))
    left, bottom, right, top = (part * drawing.zoom for part in outer)
    return left, bottom, right, top


def _reach(drawing: Drawing, view: PlaneView) -> Box | None:
    """The box around all labels; None where there are none."""
    scratch = Drawing(drawing.width / drawing.zoom, drawing.height / drawing.zoom, drawing.dpi)
    PlaneRulers(scratch, view).labels()
    labels = [shape for shape in scratch.shapes if isinstance(shape, Label) and shape.text]
    if not labels:
        return None
    corners = np.concatenate([_corners(label, drawing.scale) for label in labels])
    (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(bottom), float(right), float(top)


def _corners(label: Label, unit: float) -> NDArray[Any]:
    """The corners of a label's box, in pixels."""
    wide = texts.width(label.text, label.size * unit)
    high = texts.height(label.text, label.size) * unit
    left = {"left": 0.0, "center": -wide / 2, "right": -wide}[label.align]
    low = {"bottom": 0.0, "baseline": 0.0, "middle": -high / 2}.get(label.valign, -high)
    box = np.array([[left, low], [left + wide, low], [left + wide, low + high], [left, low + high]])
    turn = np.radians(label.rotation)
    across = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners: NDArray[Any] = box @ across + np.array([label.x, label.y])
    return corners
