"""Figures as pages that a browser zooms, pans and turns: data for plotly.js.

What axes in the plane hold is drawn to shapes as for any picture, and the shapes go back from
pixels to data, so that every kind of chart looks the same here. Surfaces, patches, lines and points
in space are handed over as such. All else lies over the axes as it is.
"""

from __future__ import annotations

import base64
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import composed, polar
from runmat_plot.render import figure as whole
from runmat_plot.render.annotations import draw_shape
from runmat_plot.render.beside import draw_colorbar, draw_legend
from runmat_plot.render.faces import mapped
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
from runmat_plot.render.views import SpaceView, View
from runmat_plot.scene import extents
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]
_DASHES = {"--": "dash", ":": "dot", "-.": "dashdot"}
_SYMBOLS = {
    "o": "circle", ".": "circle", "square": "square", "diamond": "diamond", "+": "cross-thin",
    "x": "x-thin", "*": "asterisk", "^": "triangle-up", "v": "triangle-down", "_": "line-ew",
    ">": "triangle-right", "<": "triangle-left", "pentagram": "star", "hexagram": "hexagram",
    "|": "line-ns",
}  # fmt: skip
_THIN = ("+", "x", "*", "_", "|")


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
        ink = _color(rgb(axes[f"{name}Color"])) or "rgba(0,0,0,0)"
        ticks = {"in": "inside", "out": "outside"}.get(axes["TickDir"], "")
        return {
            "range": [high, low] if view.reversed[k] else [low, high],
            "type": "log" if view.logs[k] else "linear",
            "tickmode": "array",
            "tickvals": at.tolist(),
            "ticktext": [_markup(word) for word in words],
            "ticks": ticks,
            "tickfont": {"size": axes["FontSize"] * 96 / 72, "color": ink},
            "showgrid": axes.is_on(f"{name}Grid"),
            "gridcolor": _color((*(rgb(axes["GridColor"]) or (0.15,) * 3), axes["GridAlpha"])),
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
                self.data.append({**_line(shape, back, unit), **on})
            elif isinstance(shape, Segments):
                gaps = np.full((len(shape.ends), 1, 2), np.nan)
                points = np.concatenate([shape.ends, gaps], axis=1).reshape(-1, 2)
                inks = _colors(shape.color)
                line = Line(points, None, shape.width, shape.style)
                made = {**_line(line, back, unit), **on, "hoverinfo": "skip"}
                made["line"]["color"] = inks[0] if inks else "black"
                made["mode"] = "lines"
                self.data.append(made)
            elif isinstance(shape, Points):
                self.data.append({**_points(shape, back, unit), **on})
            elif isinstance(shape, Polygons):
                self.data += [{**trace, **on} for trace in _polygons(shape, back, unit)]
            elif isinstance(shape, Picture):
                self.layout["images"].append(_picture(shape, back, name))
            else:
                self.layout["annotations"].append(_annotation(shape, back, name))

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
                "ticktext": [_markup(word) for word in words],
                "showgrid": axes.is_on(f"{axis}Grid"),
                "visible": axes["Visible"] == "on",
                "title": {"text": _markup(label["String"]) if label is not None else ""},
            }
        self.layout[name] = layout
        for node in extents.drawn(axes):
            self.data += [{**trace, "scene": name} for trace in _in_space(axes, node)]
        title = axes.labels.get("Title")
        if title is not None and title["String"]:
            label_at = Label((left + right) / 2, top, "", axes["FontSize"] * 1.1, bold=True)
            text = title["String"]
            text = "\n".join(text) if isinstance(text, list) else text
            made = _annotation(label_at._replace(text=text, valign="bottom"), lambda p: p, "")
            made.update(xref="paper", yref="paper", x=label_at.x / wide, y=label_at.y / high)
            self.layout["annotations"].append(made)


# -- shapes as traces ------------------------------------------------------------------------------


def _color(color: Any) -> str | None:
    if color is None:
        return None
    red, green, blue = (round(float(part) * 255) for part in color[:3])
    alpha = float(color[3]) if len(color) > 3 else 1.0
    return f"rgba({red},{green},{blue},{alpha:g})"


def _colors(colors: Any) -> list[str]:
    """Colours of one shape: one of them, or a row for each part."""
    if colors is None:
        return []
    array = np.asarray(colors, float)
    return [str(_color(row)) for row in array.reshape(-1, array.shape[-1])]


def _numbers(values: Numbers) -> list[Any]:
    return [float(v) if np.isfinite(v) else None for v in np.ravel(values).tolist()]


def _line(shape: Line, back: Callable[[Numbers], Numbers], unit: float) -> dict[str, Any]:
    points = back(shape.points)
    modes = ["lines"] if shape.style != "none" and shape.width else []
    made: dict[str, Any] = {
        "type": "scatter",
        "x": _numbers(points[:, 0]),
        "y": _numbers(points[:, 1]),
        "line": {
            "color": _color(shape.color) or "black",
            "width": shape.width * unit,
            "dash": _DASHES.get(shape.style, "solid"),
        },
        "connectgaps": False,
    }
    if shape.marker is not None:
        modes.append("markers")
        mark = shape.marker
        edge = _color(mark.edge) or "rgba(0,0,0,0)"
        face = _color(mark.face) or "rgba(0,0,0,0)"
        made["marker"] = {
            "symbol": _SYMBOLS.get(mark.symbol, "circle"),
            "size": mark.size * unit * (1 / 3 if mark.symbol == "." else 1),
            "color": edge if mark.symbol == "." else face,
            "line": {"color": edge, "width": max(mark.width * unit, 1.0)},
        }
    made["mode"] = "+".join(modes) or "none"
    return made


def _points(shape: Points, back: Callable[[Numbers], Numbers], unit: float) -> dict[str, Any]:
    points = back(shape.points)
    edges, faces = _colors(shape.edges), _colors(shape.faces)
    clear = ["rgba(0,0,0,0)"]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": _numbers(points[:, 0]),
        "y": _numbers(points[:, 1]),
        "marker": {
            "symbol": _SYMBOLS.get(shape.symbol, "circle"),
            "size": (np.sqrt(np.asarray(shape.sizes, float)) * unit).tolist(),
            "color": (clear if shape.symbol in _THIN else faces) or clear,
            "line": {"color": edges or clear, "width": max(shape.width * unit, 0.7)},
        },
    }


def _polygons(
    shape: Polygons, back: Callable[[Numbers], Numbers], unit: float
) -> Iterator[dict[str, Any]]:
    """Polygons of one colour in one trace."""
    count = len(shape.corners)
    faces, edges = _colors(shape.faces), _colors(shape.edges)
    groups: dict[tuple[str, str], list[Numbers]] = {}
    for k, ring in enumerate(shape.corners):
        face = faces[k % len(faces)] if faces else "rgba(0,0,0,0)"
        edge = edges[k % len(edges)] if edges else "rgba(0,0,0,0)"
        ring = np.asarray(ring, float)
        groups.setdefault((face, edge), []).append(
            np.concatenate([ring, ring[:1], np.full((1, 2), np.nan)])
        )
    width = float(np.ravel(shape.width)[0]) if count else 0.0
    for (face, edge), rings in groups.items():
        points = back(np.concatenate(rings))
        yield {
            "type": "scatter",
            "mode": "lines",
            "x": _numbers(points[:, 0]),
            "y": _numbers(points[:, 1]),
            "fill": "toself",
            "fillcolor": face,
            "line": {"color": edge, "width": width * unit, "shape": "linear"},
            "hoverinfo": "skip" if count > 1 else "x+y",
        }


def _picture(shape: Picture, back: Callable[[Numbers], Numbers], name: str) -> dict[str, Any]:
    from PIL import Image

    stream = io.BytesIO()
    left, bottom, right, top = shape.box
    pixels = shape.pixels
    if not shape.smooth:
        # browsers smooth what they enlarge: large pixels are several small ones
        for axis, wanted in ((0, top - bottom), (1, right - left)):
            times = int(np.clip(2 * wanted // max(pixels.shape[axis], 1), 1, 200))
            pixels = np.repeat(pixels, times, axis=axis)
    Image.fromarray(pixels).save(stream, "PNG")
    (x0, y0), (x1, y1) = back(np.array([[left, bottom], [right, top]])).tolist()
    return {
        "source": "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode(),
        "xref": f"x{name}",
        "yref": f"y{name}",
        "x": x0,
        "y": y1,
        "sizex": abs(x1 - x0),
        "sizey": abs(y1 - y0),
        "sizing": "stretch",
        "layer": "below",
    }


def _annotation(shape: Label, back: Callable[[Numbers], Numbers], name: str) -> dict[str, Any]:
    ((x, y),) = back(np.array([[shape.x, shape.y]])).tolist()
    text = _markup(shape.text) if shape.interpreter != "none" else html.escape(shape.text)
    text = text.replace("\n", "<br>")
    text = f"<b>{text}</b>" if shape.bold else text
    made: dict[str, Any] = {
        "xref": f"x{name}",
        "yref": f"y{name}",
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "textangle": -shape.rotation,
        "xanchor": shape.align,
        "yanchor": {"baseline": "bottom", "cap": "top"}.get(shape.valign, shape.valign),
        "font": {"size": shape.size * 96 / 72, "color": _color(shape.color)},
    }
    if shape.background is not None:
        made["bgcolor"] = _color(shape.background)
    if shape.edge is not None:
        made["bordercolor"] = _color(shape.edge)
    return made


def _markup(text: Any) -> str:
    """TeX of labels as the HTML that plotly.js knows: raised, lowered, Greek."""
    words = "\n".join(text) if isinstance(text, list) else str(text)
    escaped = html.escape(words, quote=False)
    escaped = re.sub(r"\\([A-Za-z]+)", _greek, escaped)
    escaped = re.sub(r"\^(?:\{([^{}]*)\}|(\S))", r"<sup>\1\2</sup>", escaped)
    escaped = re.sub(r"_(?:\{([^{}]*)\}|(\S))", r"<sub>\1\2</sub>", escaped)
    return escaped.replace("\n", "<br>")


_OTHER = {"leq": "≤", "geq": "≥", "neq": "≠", "pm": "±", "infty": "∞", "rightarrow": "→",
          "leftarrow": "←", "times": "×", "approx": "≈", "bf": "", "it": "", "rm": ""}  # fmt: skip


def _greek(found: re.Match[str]) -> str:
    word = found.group(1)
    if word in _OTHER:
        return _OTHER[word]
    known = html.unescape(f"&{word};")
    return known if not known.startswith("&") else found.group(0)


# -- objects in space ------------------------------------------------------------------------------


def _scale(axes: Node) -> list[list[Any]]:
    table = np.asarray(axes["Colormap"], float)
    at = np.linspace(0, len(table) - 1, min(len(table), 64)).round().astype(int)
    return [[k / (len(at) - 1), _color(table[row])] for k, row in enumerate(at.tolist())]


def _in_space(axes: Node, node: Node) -> Iterator[dict[str, Any]]:
    """An object in space as traces."""
    kind = node.kind.name
    if node.kind.type == "surface":
        yield from _surface(axes, node)
    elif kind == "patch":
        yield from _patch(axes, node)
    elif kind in ("line", "primitiveline", "animatedline", "scatter", "bubblechart", "stem"):
        yield _path(axes, node)
    elif kind == "quiver":
        yield _arrows(node)
    elif kind == "text":
        x, y, z = (float(part) for part in np.ravel(node["Position"]))
        yield {
            "type": "scatter3d", "mode": "text", "x": [x], "y": [y], "z": [z],
            "text": [_markup(node["String"])],
        }  # fmt: skip
    elif kind == "contour":
        yield _levels(node)


def _rows(values: Numbers) -> list[list[Any]]:
    return [_numbers(row) for row in values]


def _surface(axes: Node, node: Node) -> Iterator[dict[str, Any]]:
    x, y, z = extents.grid_of(node)
    color = np.asarray(node["CData"], float)
    low, high = axes["CLim"].ravel()
    plain = node["FaceColor"]
    if (isinstance(plain, str) and plain == "none") or node.info.get("mesh"):
        ink = node["EdgeColor"]
        for part in ((x, y, z), (x.T, y.T, z.T)):
            if node.info.get("mesh") == "rows" and part[0] is not x:
                continue
            gap = np.full((part[0].shape[0], 1), np.nan)
            lines = [np.hstack([v, gap]).ravel() for v in part]
            shade = np.nan_to_num(lines[2], nan=low)
            yield {
                "type": "scatter3d", "mode": "lines",
                **{a: _numbers(v) for a, v in zip("xyz", lines, strict=True)},
                "line": {"width": 2, "color": _color(rgb(ink)) if not isinstance(ink, str)
                         else shade.tolist(), "colorscale": _scale(axes), "cmin": low,
                         "cmax": high},
            }  # fmt: skip
        return
    made: dict[str, Any] = {
        "type": "surface", "x": _rows(x), "y": _rows(y), "z": _rows(z), "showscale": False,
        "cmin": float(low), "cmax": float(high), "colorscale": _scale(axes),
        "opacity": _opacity(node),
    }  # fmt: skip
    if not isinstance(plain, str):
        made["colorscale"] = [[0, _color(rgb(plain))], [1, _color(rgb(plain))]]
    elif color.shape == z.shape:
        made["surfacecolor"] = _rows(color)
    yield made


def _opacity(node: Node) -> float:
    """How opaque faces are; data of their own is not shown."""
    value = node["FaceAlpha"]
    return 1.0 if isinstance(value, str) else float(value)


def _patch(axes: Node, node: Node) -> Iterator[dict[str, Any]]:
    faces, vertices = np.asarray(node["Faces"], float), np.asarray(node["Vertices"], float)
    if not faces.size or not vertices.size:
        return
    z = vertices[:, 2] if vertices.shape[1] > 2 else np.zeros(len(vertices))
    corners: list[tuple[int, int, int]] = []
    owner: list[int] = []
    for row, face in enumerate(faces):
        at = face[np.isfinite(face)].astype(int) - 1
        corners += [(int(at[0]), int(at[k]), int(at[k + 1])) for k in range(1, len(at) - 1)]
        owner += [row] * max(len(at) - 2, 0)
    made: dict[str, Any] = {
        "type": "mesh3d",
        "x": _numbers(vertices[:, 0]), "y": _numbers(vertices[:, 1]), "z": _numbers(z),
        **{n: [c[k] for c in corners] for k, n in enumerate("ijk")},
        "opacity": _opacity(node), "flatshading": True,
    }  # fmt: skip
    color, data = node["FaceColor"], np.asarray(node["FaceVertexCData"], float)
    if not isinstance(color, str):
        made["color"] = _color(rgb(color))
    elif color == "none":
        return
    elif data.size:
        inks = data if data.shape[1] == 3 else mapped(axes, data[:, 0], node["CDataMapping"])
        names = _colors(inks)
        if len(names) == len(vertices):
            made["vertexcolor"] = names
        else:
            made["facecolor"] = [names[row % len(names)] for row in owner]
    yield made


def _path(axes: Node, node: Node) -> dict[str, Any]:
    parts = [np.ravel(node[f"{axis}Data"]).astype(float) for axis in "XYZ"]
    if parts[2].size != parts[0].size:
        parts[2] = np.zeros(parts[0].size)
    made: dict[str, Any] = {
        "type": "scatter3d",
        **{axis: _numbers(part) for axis, part in zip("xyz", parts, strict=True)},
    }
    unit = 96 / 72
    if node.kind.name in ("scatter", "bubblechart"):
        data = np.asarray(node["CData"], float)
        count = parts[0].size
        inks = (
            data
            if data.shape[-1] == 3 and data.size != count
            else mapped(axes, data.ravel(), "scaled")
        )
        colors = _colors(inks)
        areas = (
            extents.bubble_areas(node, axes)
            if node.kind.name == "bubblechart"
            else np.broadcast_to(np.ravel(node["SizeData"]).astype(float), count)
        )
        made.update(mode="markers", marker={
            "size": (np.sqrt(areas) * unit).tolist(),
            "color": colors if len(colors) == count else colors[0],
        })  # fmt: skip
        return made
    modes = [] if node["LineStyle"] == "none" else ["lines"]
    color = _color(rgb(node["Color"])) or "black"
    if node["Marker"] != "none":
        modes.append("markers")
        made["marker"] = {"size": node["MarkerSize"] * unit * 0.7, "color": color}
    made["mode"] = "+".join(modes) or "none"
    made["line"] = {"color": color, "width": max(node["LineWidth"] * unit * 2, 2)}
    return made


def _arrows(node: Node) -> dict[str, Any]:
    scale = node.info.get("scale", 1.0)
    parts = []
    for foot, arrow in zip("XYZ", "UVW", strict=True):
        start = np.ravel(node[f"{foot}Data"]).astype(float)
        start = start if start.size else np.zeros(node["XData"].size)
        step = np.ravel(node[f"{arrow}Data"]).astype(float)
        step = step if step.size else np.zeros(start.size)
        gap = np.full(start.size, np.nan)
        parts.append(np.column_stack([start, start + scale * step, gap]).ravel())
    return {
        "type": "scatter3d", "mode": "lines",
        **{axis: _numbers(part) for axis, part in zip("xyz", parts, strict=True)},
        "line": {"color": _color(rgb(node["Color"])) or "black", "width": 3},
    }  # fmt: skip


def _levels(node: Node) -> dict[str, Any]:
    from contourpy import contour_generator

    x, y, z = extents.grid_of(node)
    lines: Any = contour_generator(x, y, np.ma.masked_invalid(z))
    points = []
    for level in np.ravel(node["LevelList"]).tolist():
        height = level if node.info.get("is_3d") else node.info.get("level", level)
        for line in lines.lines(level):
            points.append(np.column_stack([line, np.full(len(line), height)]))
            points.append(np.full((1, 3), np.nan))
    whole_lines = np.concatenate(points) if points else np.zeros((0, 3))
    return {
        "type": "scatter3d", "mode": "lines",
        **{axis: _numbers(whole_lines[:, k]) for k, axis in enumerate("xyz")},
        "line": {"color": "#0072bd", "width": 2},
    }  # fmt: skip
