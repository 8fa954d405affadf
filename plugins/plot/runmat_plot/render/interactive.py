"""Figures as pages that a browser zooms, pans and turns: data for plotly.js.

What axes in the plane hold is drawn to shapes as for any picture, and the shapes go back from
pixels to data, so that every kind of chart looks the same here. Surfaces, patches, lines and points
in space are handed over as such. All else lies over the axes as it is.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import composed, polar
from runmat_plot.render import figure as whole
from runmat_plot.render.annotations import draw_shape
from runmat_plot.render.beside import draw_colorbar, draw_legend
from runmat_plot.render.heat import draw_heatmap
from runmat_plot.render.rulers import label_texts, rgb
from runmat_plot.render.shapes import (
    Box,
    Drawing,
    Label,
    Line,
    Picture,
    Points,
    Polygons,
    Segments,
    Shape,
)
from runmat_plot.render.spatial import traces_in_space
from runmat_plot.render.traces import (
    annotation_of,
    as_html,
    css,
    css_colors,
    line_trace,
    picture_of,
    point_trace,
    polygon_traces,
)
from runmat_plot.render.views import SpaceView, View
from runmat_plot.scene import extents
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def page(figure: Node) -> str:
    """A whole HTML page with a figure, which needs nothing from elsewhere.

    Raises:
        ImportError: plotly, which brings the script, is not installed.
    """
    import importlib

    script = importlib.import_module("plotly.offline").get_plotlyjs()
    made = description(figure)
    width, height = made["layout"]["width"], made["layout"]["height"]
    return (
        '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(figure.summary())}</title>\n<script>{script}</script>\n"
        f'</head>\n<body>\n<div id="figure" style="width:{width}px;height:{height}px"></div>\n'
        f"<script>Plotly.newPlot('figure', {json.dumps(made['data'])}, "
        f"{json.dumps(made['layout'])}, {{responsive: false}});</script>\n</body>\n</html>\n"
    )


def description(figure: Node) -> dict[str, Any]:
    """The data and the layout that plotly.js draws, as values of JSON."""
    return _Plot(figure).made()


class _Plot:
    """A figure on its way to plotly.js; `drawing` has the sizes that shapes are made for."""

    def __init__(self, figure: Node) -> None:
        self.figure = figure
        _, _, width, height = figure["Position"].ravel()
        self.drawing = Drawing(width, height, 96.0)
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {
            "width": self.drawing.width,
            "height": self.drawing.height,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
            "paper_bgcolor": "white",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "showlegend": False,
            "annotations": [],
            "images": [],
            "font": {"family": "Helvetica, Arial, sans-serif", "color": "#262626"},
        }
        self.planes = self.spaces = 0

    def made(self) -> dict[str, Any]:
        overlay = Drawing(self.drawing.width, self.drawing.height, 96.0)
        self._children(self.figure, overlay)
        whole._above(overlay, self.figure)
        if overlay.shapes:
            name = self._plane_axes(
                (0.0, 0.0, float(self.drawing.width), float(self.drawing.height)),
                {"range": [0, self.drawing.width]},
                {"range": [0, self.drawing.height]},
            )
            for axis in "xy":
                own = self.layout[f"{axis}axis{name}"]
                own.update(visible=False, fixedrange=True)
            self._shapes(overlay.shapes, name, lambda points: points)
        return {"data": self.data, "layout": self.layout}

    def _children(self, parent: Node, overlay: Drawing) -> None:
        for child in parent.children:
            kind = child.kind.name
            if child["Visible"] == "off" and kind not in ("axes", "polaraxes"):
                continue
            if kind == "axes":
                self._axes(child, overlay)
            elif kind == "polaraxes":
                polar.draw_polar(overlay, child, whole.pixel_box(overlay, child))
            elif kind == "heatmap":
                draw_heatmap(overlay, child, whole.pixel_box(overlay, child))
            elif kind in composed.PARTS:
                for part in composed.parts_of(child):
                    self._axes(part, overlay)
                    for node in part.whole():
                        child.scene.by_number.pop(node.ident, None)
            elif kind in composed.DRAWN:
                composed.DRAWN[kind](overlay, child, whole.pixel_box(overlay, child))
            elif kind in ("tiledlayout", "uipanel", "uitab", "uitabgroup", "uibuttongroup"):
                self._children(child, overlay)
                if kind == "tiledlayout":
                    whole._layout_labels(overlay, child)
            elif kind.endswith("shape"):
                draw_shape(overlay, child)
        for child in parent.children:
            owner = child.info.get("owner")
            if child.kind.name not in ("legend", "colorbar") or child["Visible"] == "off":
                continue
            view = None if owner is None or owner.deleted else owner.info.get("view")
            if view is not None:
                beside = draw_colorbar if child.kind.name == "colorbar" else draw_legend
                beside(overlay, child, view)

    # -- axes in the plane -------------------------------------------------------------------------

    def _axes(self, axes: Node, overlay: Drawing) -> None:
        view = whole.view_of(self.drawing, axes)
        axes.info["view"] = view
        if isinstance(view, SpaceView):
            self._space(axes, view)
            return
        left, bottom, right, top = view.box
        name = self._plane_axes(
            view.box, self._ruler(axes, view, 0), self._ruler(axes, view, 1), axes
        )
        scratch = Drawing(self.drawing.width, self.drawing.height, 96.0)
        whole.draw_children(scratch, view)

        def back(points: Numbers) -> Numbers:
            made = np.array(points, float)
            for k, (start, end) in enumerate(((left, right), (bottom, top))):
                part = (made[..., k] - start) / (end - start)
                part = 1 - part if view.reversed[k] else part
                low, high = view.limits[k]
                made[..., k] = low + part * (high - low)
                if view.logs[k]:
                    made[..., k] = 10.0 ** made[..., k]
            return made

        self._shapes(scratch.shapes, name, back)
        titles = Drawing(self.drawing.width, self.drawing.height, 96.0)
        from runmat_plot.render.rulers import PlaneRulers

        if axes["Visible"] == "on":
            plain = PlaneRulers(titles, view)  # type: ignore[arg-type]
            plain.labels()
        words = ("title", "subtitle", "xlabel", "ylabel", "xexponent", "yexponent")
        overlay.shapes += [shape for shape in titles.shapes if shape.tag in words]

    def _plane_axes(
        self, box: Box, x: dict[str, Any], y: dict[str, Any], axes: Node | None = None
    ) -> str:
        """Make axes in the plane; what stands behind x and y in their names."""
        self.planes += 1
        name = str(self.planes) if self.planes > 1 else ""
        left, bottom, right, top = box
        wide, high = self.drawing.width, self.drawing.height
        for axis, own, span in (
            ("x", x, [left / wide, right / wide]),
            ("y", y, [bottom / high, top / high]),
        ):
            other = "y" if axis == "x" else "x"
            self.layout[f"{axis}axis{name}"] = {
                "domain": [min(max(part, 0.0), 1.0) for part in span],
                "anchor": f"{other}{name}",
                "zeroline": False,
                "showgrid": False,
                **own,
            }
        return name

    def _ruler(self, axes: Node, view: View, k: int) -> dict[str, Any]:
        """One ruler of axes in the plane."""
        name = "XY"[k]
        at = axes[f"{name}Tick"].ravel()
        words, _ = label_texts(axes, name, at)
        low, high = (float(end) for end in view.limits[k])
        ink = css(rgb(axes[f"{name}Color"])) or "rgba(0,0,0,0)"
        ticks = {"in": "inside", "out": "outside"}.get(axes["TickDir"], "")
        return {
            "range": [high, low] if view.reversed[k] else [low, high],
            "type": "log" if view.logs[k] else "linear",
            "tickmode": "array",
            "tickvals": at.tolist(),
            "ticktext": [as_html(word) for word in words],
            "ticks": ticks,
            "tickfont": {"size": axes["FontSize"] * 96 / 72, "color": ink},
            "showgrid": axes.is_on(f"{name}Grid"),
            "gridcolor": css((*(rgb(axes["GridColor"]) or (0.15,) * 3), axes["GridAlpha"])),
            "showline": True,
            "linecolor": ink,
            "tickcolor": ink,
            "mirror": "ticks" if axes.is_on("Box") else False,
            "visible": axes["Visible"] == "on",
            "side": {"right": "right", "top": "top"}.get(axes[f"{name}AxisLocation"])
            or ("bottom" if k == 0 else "left"),
        }

    # -- shapes ------------------------------------------------------------------------------------

    def _shapes(self, shapes: list[Shape], name: str, back: Callable[[Numbers], Numbers]) -> None:
        on = {"xaxis": f"x{name}", "yaxis": f"y{name}"}
        unit = 96 / 72
        for shape in shapes:
            if isinstance(shape, Line):
                self.data.append({**line_trace(shape, back, unit), **on})
            elif isinstance(shape, Segments):
                gaps = np.full((len(shape.ends), 1, 2), np.nan)
                points = np.concatenate([shape.ends, gaps], axis=1).reshape(-1, 2)
                inks = css_colors(shape.color)
                line = Line(points, None, shape.width, shape.style)
                made = {**line_trace(line, back, unit), **on, "hoverinfo": "skip"}
                made["line"]["color"] = inks[0] if inks else "black"
                made["mode"] = "lines"
                self.data.append(made)
            elif isinstance(shape, Points):
                self.data.append({**point_trace(shape, back, unit), **on})
            elif isinstance(shape, Polygons):
                self.data += [{**trace, **on} for trace in polygon_traces(shape, back, unit)]
            elif isinstance(shape, Picture):
                self.layout["images"].append(picture_of(shape, back, name))
            else:
                self.layout["annotations"].append(annotation_of(shape, back, name))

    # -- axes in space -----------------------------------------------------------------------------

    def _space(self, axes: Node, view: SpaceView) -> None:
        self.spaces += 1
        name = "scene" + (str(self.spaces) if self.spaces > 1 else "")
        left, bottom, right, top = view.box
        wide, high = self.drawing.width, self.drawing.height
        azimuth, elevation = np.radians(axes["View"].ravel())
        eye = 2.0 * np.array(
            [
                np.cos(elevation) * np.sin(azimuth),
                -np.cos(elevation) * np.cos(azimuth),
                np.sin(elevation),
            ]
        )
        sizes = view.sizes / view.sizes.max()
        layout: dict[str, Any] = {
            "domain": {"x": [left / wide, right / wide], "y": [bottom / high, top / high]},
            "camera": {
                "eye": dict(zip("xyz", eye.tolist(), strict=True)),
                "projection": {"type": "orthographic"},
            },
            "aspectmode": "manual",
            "aspectratio": dict(zip("xyz", sizes.tolist(), strict=True)),
        }
        for k, axis in enumerate("XYZ"):
            at = axes[f"{axis}Tick"].ravel()
            words, _ = label_texts(axes, axis, at)
            low, most = (float(end) for end in view.limits[k])
            label = axes.labels.get(f"{axis}Label")
            layout[f"{axis.lower()}axis"] = {
                "range": [most, low] if view.reversed[k] else [low, most],
                "type": "log" if view.logs[k] else "linear",
                "tickvals": at.tolist(),
                "ticktext": [as_html(word) for word in words],
                "showgrid": axes.is_on(f"{axis}Grid"),
                "visible": axes["Visible"] == "on",
                "title": {"text": as_html(label["String"]) if label is not None else ""},
            }
        self.layout[name] = layout
        for node in extents.drawn(axes):
            self.data += [{**trace, "scene": name} for trace in traces_in_space(axes, node)]
        title = axes.labels.get("Title")
        if title is not None and title["String"]:
            label_at = Label((left + right) / 2, top, "", axes["FontSize"] * 1.1, bold=True)
            text = title["String"]
            text = "\n".join(text) if isinstance(text, list) else text
            made = annotation_of(label_at._replace(text=text, valign="bottom"), lambda p: p, "")
            made.update(xref="paper", yref="paper", x=label_at.x / wide, y=label_at.y / high)
            self.layout["annotations"].append(made)
