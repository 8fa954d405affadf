"""Faces of several objects in space, drawn back to front as one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.shapes import Drawing, Polygons

Numbers = NDArray[Any]


def sort_faces(drawing: Drawing, first: int) -> None:
    """Merge what has faces with depths, of the shapes from `first` on, into one shape.

    Objects that pass through each other hide parts of each other only so. The shape stands where
    the first of them stood: lines and points that came later stay above.
    """
    places = [
        at
        for at in range(first, len(drawing.shapes))
        if isinstance(shape := drawing.shapes[at], Polygons) and shape.depths is not None
    ]
    if len(places) < 2:
        return
    parts: list[Polygons] = [drawing.shapes[at] for at in places]  # type: ignore[misc]
    order = np.argsort(np.concatenate([part.depths for part in parts]), kind="stable")
    rings = [ring for part in parts for ring in part.corners]
    faces = np.concatenate([_each(part.faces, len(part.corners)) for part in parts])[order]
    edges = np.concatenate([_each(part.edges, len(part.corners)) for part in parts])[order]
    widths = np.concatenate([np.broadcast_to(p.width, len(p.corners)) for p in parts])[order]
    merged = parts[0]._replace(
        corners=[rings[k] for k in order], faces=faces, edges=edges, width=widths, depths=None
    )
    drawing.shapes[places[0]] = merged
    for at in reversed(places[1:]):
        del drawing.shapes[at]


def _each(colors: Any, count: int) -> Numbers:
    """A colour with alpha for each face; none is wholly transparent."""
    if colors is None:
        return np.zeros((count, 4))
    made = np.ones((len(colors), 4))
    for k, color in enumerate(colors):
        made[k, : len(color)] = color
    return np.resize(made, (count, 4)) if len(made) != count else made
