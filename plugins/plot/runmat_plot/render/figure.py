"""A figure as a list of shapes."""

from __future__ import annotations

import numpy as np

from runmat_plot.render import composed, polar
from runmat_plot.render.annotations import draw_shape
from runmat_plot.render.beside import draw_colorbar, draw_legend, room_for
from runmat_plot.render.bubbles import draw_bubbles
from runmat_plot.render.charts import DRAW
from runmat_plot.render.depth import sort_faces
from runmat_plot.render.fitting import with_room
from runmat_plot.render.heat import draw_heatmap
from runmat_plot.render.rulers import PlaneRulers, background, label_of, rgb
from runmat_plot.render.shapes import Box, Drawing
from runmat_plot.render.space import SpaceRulers
from runmat_plot.render.views import PlaneView, SpaceView, View
from runmat_plot.scene import axes as rules
from runmat_plot.scene import extents, themes
from runmat_plot.scene.node import Node


def drawing_of(figure: Node, dpi: float, white: bool = True) -> Drawing:
    """The shapes of a figure at a resolution.

    Args:
        white: whether the default background is white, as on paper.
    """
    _, _, width, height = figure["Position"].ravel()
    drawing = Drawing(max(width, 8), max(height, 8), dpi)
    color = figure["Color"]
    drawing.warn = figure.scene.warn_once
    dark = figure.values.get("Theme") == "dark"
    drawing.ink = themes.INK if dark else (0.15, 0.15, 0.15)
    white = white and not dark
    if (white and "Color" not in figure.values) or (white and figure.is_on("InvertHardcopy")):
        drawing.background = (1.0, 1.0, 1.0)
    else:
        drawing.background = rgb(color)
    _children(drawing, figure)
    _above(drawing, figure)
    return drawing


def _children(drawing: Drawing, parent: Node) -> None:

    for child in parent.children:
        if child["Visible"] == "off" and child.kind.name not in ("axes", "polaraxes"):
            continue
        if child.kind.name == "axes":
            draw_axes(drawing, child)
        elif child.kind.name == "polaraxes":
            polar.draw_polar(drawing, child, pixel_box(drawing, child))
        elif child.kind.name == "heatmap":
            draw_heatmap(drawing, child, pixel_box(drawing, child))
        elif child.kind.name in composed.PARTS:
            for part in composed.parts_of(child):
                draw_axes(drawing, part)
                for node in part.whole():
                    child.scene.by_number.pop(node.ident, None)
        elif child.kind.name in composed.DRAWN:
            composed.DRAWN[child.kind.name](drawing, child, pixel_box(drawing, child))
        elif child.kind.name == "tiledlayout":
            _children(drawing, child)
            _layout_labels(drawing, child)
        elif child.kind.name in ("uipanel", "uitab", "uitabgroup", "uibuttongroup"):
            _children(drawing, child)
        elif child.kind.name.endswith("shape"):
            draw_shape(drawing, child)
    # legends lie above all axes
    for child in parent.children:
        owner = child.info.get("owner")
        if owner is None or owner.deleted or child["Visible"] == "off":
            continue
        view = owner.info.get("view")
        if view is not None and child.kind.name == "colorbar":
            draw_colorbar(drawing, child, view)
    for child in parent.children:
        owner = child.info.get("owner")
        if owner is None or owner.deleted or child["Visible"] == "off":
            continue
        view = owner.info.get("view")
        if view is not None and child.kind.name == "legend":
            draw_legend(drawing, child, view)
        elif view is not None and child.kind.name == "bubblelegend":
            draw_bubbles(drawing, child, view)


def pixel_box(drawing: Drawing, node: Node) -> Box:
    left, bottom, wide, high = (part * drawing.zoom for part in rules.pixel_box(node))
    return left, bottom, left + max(wide, 2), bottom + max(high, 2)


def view_of(drawing: Drawing, axes: Node) -> View:
    """Where the data of axes lie, with room for what stands beside them."""
    box = pixel_box(drawing, axes)
    box = room_for(drawing, axes, box)
    if rules.is_3d(axes):
        return SpaceView(axes, box, drawing.scale)
    return PlaneView(axes, with_room(drawing, axes, box), drawing.scale)


def draw_axes(drawing: Drawing, axes: Node) -> None:
    """Axes with all that is in them."""
    view = view_of(drawing, axes)
    axes.info["view"] = view
    if isinstance(view, SpaceView):
        rulers = SpaceRulers(drawing, view)
        rulers.walls()
        first = len(drawing.shapes)
        draw_children(drawing, view)
        sort_faces(drawing, first)
        rulers.rulers()
        return
    assert isinstance(view, PlaneView)
    plain = PlaneRulers(drawing, view)
    background(drawing, view)
    on_top = axes["Layer"] == "top" or any(n.kind.name == "image" for n in axes.children)
    if not on_top or axes["Layer"] != "top":
        plain.grid()
    draw_children(drawing, view)
    if axes["Layer"] == "top":
        plain.grid()
    plain.box()
    plain.labels()


def draw_children(drawing: Drawing, view: View) -> None:
    for child in extents.drawn(view.axes):
        rule = DRAW.get(child.kind.name)
        if rule is not None:
            if any(view.logs):
                _warn_of_negatives(drawing, view, child)
            rule(drawing, view, child)


def _warn_of_negatives(drawing: Drawing, view: View, child: Node) -> None:
    for name, is_log in zip("XYZ", view.logs, strict=False):
        data = child.values.get(f"{name}Data") if is_log else None
        if isinstance(data, np.ndarray) and data.dtype.kind in "fi" and np.any(data < 0):
            if drawing.warn is not None:
                drawing.warn("MATLAB:Axes:NegativeDataInLogAxis", "Negative data ignored")
            return


def _above(drawing: Drawing, figure: Node) -> None:
    """The title above all axes."""
    for node in figure.children:
        if node.kind.name == "subplottext" and node["String"]:
            drawing.add(
                label_of(
                    node,
                    drawing.width / 2,
                    drawing.height - 6 * drawing.scale,
                    node["FontSize"],
                    "center",
                    "top",
                    0.0,
                    node.values.get("FontWeight"),
                    False,
                    rgb(node["Color"]),
                    "sgtitle",
                )
            )


def _layout_labels(drawing: Drawing, layout: Node) -> None:
    sizes = {"Title": 12.0, "Subtitle": 10.0, "XLabel": 11.0, "YLabel": 11.0}
    for name, node in layout.labels.items():
        if not node["String"]:
            continue
        x, y, rotation, valign = {
            "Title": (0.5, 0.985, 0.0, "top"),
            "Subtitle": (0.5, 0.95, 0.0, "top"),
            "XLabel": (0.5, 0.015, 0.0, "bottom"),
            "YLabel": (0.02, 0.5, 90.0, "top"),
        }[name]
        drawing.add(
            label_of(
                node,
                x * drawing.width,
                y * drawing.height,
                node.values.get("FontSize", sizes[name]),
                "center",
                valign,
                rotation,
                node.values.get("FontWeight"),
                name == "Title",
                rgb(node["Color"]),
                f"layout{name.lower()}",
            )
        )
