"""Objects of axes as shapes: lines, points, bars, areas, texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import colors, contours, faces, images
from runmat_plot.render.decimate import decimated, thinned
from runmat_plot.render.markers import marker_of
from runmat_plot.render.networks import draw_graph
from runmat_plot.render.rulers import faded, label_of, rgb
from runmat_plot.render.shapes import Drawing, Label, Line, Marker, Points, Polygons, Segments
from runmat_plot.render.views import View
from runmat_plot.scene import extents
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def marks(drawing: Drawing, view: View, points: Numbers, mark: Marker | None, tag: str) -> None:
    """Symbols at the points within the axes; those at the edge are whole."""
    left, bottom, right, top = view.clip
    with np.errstate(invalid="ignore"):
        inside = (
            (points >= np.array([left, bottom]) - 0.5) & (points <= np.array([right, top]) + 0.5)
        ).all(axis=1)
    if inside.any():
        points = points[inside]
        kept = thinned(points)
        points = points if kept is None else points[kept]
        drawing.add(Line(points, None, 0.5, "none", mark, None, tag))


def _path(drawing: Drawing, view: View, node: Node, points: Numbers, tag: str) -> None:
    color = rgb(node["Color"])
    mark = marker_of(node, color)
    style = node["LineStyle"]
    if mark is not None and points.shape[0]:
        chosen = node["MarkerIndices"]
        at = points
        if (isinstance(chosen, np.ndarray | float) and np.size(chosen)) or (
            not isinstance(chosen, str) and hasattr(chosen, "shape") and 0 not in chosen.shape
        ):
            where = np.ravel(node.scene.interp.to_python(chosen)).astype(int) - 1
            at = points[where[(where >= 0) & (where < len(points))]]
        if style != "none":
            drawing.add(Line(points, color, node["LineWidth"], style, None, view.clip, tag))
        marks(drawing, view, at, mark, tag)
        return
    if style != "none" and color is not None:
        drawing.add(Line(points, color, node["LineWidth"], style, None, view.clip, tag))


def _line(drawing: Drawing, view: View, node: Node) -> None:
    x, y = np.ravel(node["XData"]), np.ravel(node["YData"])
    z = node["ZData"] if "zdata" in node.kind.properties else np.zeros((0, 0))
    if x.size != y.size or (z.size and z.size != x.size) or not x.size:
        return
    points = view.project(x, y, np.ravel(z) if z.size else None)
    if not view.is_3d and node["Marker"] == "none":
        points = decimated(points, view.box[2] - view.box[0])
    _path(drawing, view, node, points, "line")


def _stair(drawing: Drawing, view: View, node: Node) -> None:
    from runmat_plot.scene.extents import stair_corners

    x, y = stair_corners(np.ravel(node["XData"]), np.ravel(node["YData"]))
    if x.size:
        _path(drawing, view, node, view.project(x, y), "stair")


def _stem(drawing: Drawing, view: View, node: Node) -> None:
    x, y, z = np.ravel(node["XData"]), np.ravel(node["YData"]), np.ravel(node["ZData"])
    if not x.size or x.size != y.size:
        return
    color = rgb(node["Color"])
    base = np.full(x.size, node["BaseValue"])
    is_3d = z.size == x.size
    tips = view.project(x, y, z if is_3d else None)
    feet = view.project(x, y, base) if is_3d else view.project(x, base)
    if node["LineStyle"] != "none" and color is not None:
        ends = np.stack([feet, tips], axis=1)
        drawing.add(Segments(ends, color, node["LineWidth"], node["LineStyle"], view.clip, "stem"))
    if not is_3d and node.is_on("ShowBaseLine"):
        left, _, right, _ = view.box
        foot = float(view.project(x[:1], base[:1])[0, 1])
        ends = np.array([[[left, foot], [right, foot]]])
        drawing.add(Segments(ends, (0.0, 0.0, 0.0), 0.5, "-", view.clip, "baseline"))
    mark = marker_of(node, color)
    if mark is not None:
        marks(drawing, view, tips, mark, "stem")


def _errorbar(drawing: Drawing, view: View, node: Node) -> None:
    x, y = np.ravel(node["XData"]), np.ravel(node["YData"])
    if not x.size:
        return
    color = rgb(node["Color"])
    cap = node["CapSize"] / 2 * view.unit
    parts: list[Numbers] = []
    for name, across in (("Y", False), ("X", True)):
        low, high = (np.ravel(node[f"{name}{side}Delta"]) for side in ("Negative", "Positive"))
        for delta, sign in ((low, -1), (high, 1)):
            if delta.size != x.size:
                continue
            tips = (
                view.project(x + sign * delta, y) if across else view.project(x, y + sign * delta)
            )
            parts.append(np.stack([view.project(x, y), tips], axis=1))
            side = np.array([0.0, cap]) if across else np.array([cap, 0.0])
            parts.append(np.stack([tips - side, tips + side], axis=1))
    if parts and color is not None:
        ends = np.concatenate(parts)
        ends = ends[np.isfinite(ends).all(axis=(1, 2))]
        drawing.add(Segments(ends, color, node["LineWidth"], "-", view.clip, "errorbar"))
    _path(drawing, view, node, view.project(x, y), "errorbar")


def _scatter(drawing: Drawing, view: View, node: Node) -> None:
    x, y, z = np.ravel(node["XData"]), np.ravel(node["YData"]), np.ravel(node["ZData"])
    if not x.size or x.size != y.size:
        return
    moved = extents.jittered(node)
    points = view.project(*moved, z if z.size == x.size else None)
    if node.kind.name == "bubblechart":
        areas = extents.bubble_areas(node, view.axes)
    else:
        areas = np.ravel(node["SizeData"]).astype(float)
    sizes = np.broadcast_to(areas, x.shape)
    colors = _scatter_colors(node, view, x.size)
    order = np.arange(x.size)
    if view.is_3d and z.size == x.size:
        order = np.argsort(view.depth(x, y, z))
    left, bottom, right, top = view.clip
    inside: Numbers = np.asarray(
        (points >= np.array([left, bottom]) - 0.5) & (points <= np.array([right, top]) + 0.5)
    )
    seen: Numbers = np.asarray(inside.all(axis=1))
    good = order[seen[order] & (sizes[order] > 0)]
    opaque = node["MarkerFaceAlpha"] == node["MarkerEdgeAlpha"] == 1
    kept = thinned(points[good]) if opaque and np.ptp(sizes) == 0 else None
    good = good if kept is None else good[kept]
    edge, face = node["MarkerEdgeColor"], node["MarkerFaceColor"]

    def inks(value: Any, alpha: float) -> Any:
        if isinstance(value, str):
            if value == "none":
                return None
            found = colors[good]
        else:
            found = np.broadcast_to(np.array(rgb(value)), (good.size, 3))
        return np.column_stack([found, np.full(len(found), alpha)]) if alpha < 1 else found

    symbol = node["Marker"]
    edges, filled = inks(edge, node["MarkerEdgeAlpha"]), inks(face, node["MarkerFaceAlpha"])
    if symbol == ".":
        edges, filled = None, inks(edge, node["MarkerEdgeAlpha"])
    if symbol != "none" and good.size:
        drawing.add(
            Points(
                points[good], symbol, sizes[good], edges, filled, node["LineWidth"], None, "scatter"
            )
        )


def _scatter_colors(node: Node, view: View, count: int) -> Numbers:
    data = np.asarray(node["CData"], float)
    if (data.ndim == 2 and data.shape == (1, 3) and count != 3) or (
        data.size == 3 and data.shape[0] == 1
    ):
        return np.broadcast_to(data.reshape(1, 3), (count, 3))
    if data.ndim == 2 and data.shape == (count, 3):
        return data
    if data.size == count:
        return colors.mapped(view.axes, data.ravel(), "scaled")[:, :3]
    return np.broadcast_to(np.array([[0, 0.447, 0.741]]), (count, 3))


def quads(view: View, left: Any, right: Any, bottom: Any, top: Any, turned: bool) -> Numbers:
    """Corners of upright rectangles, or of lying ones."""
    corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
    points = [view.project(b, a) if turned else view.project(a, b) for a, b in corners]
    return np.stack(points, axis=1)


def _bar(drawing: Drawing, view: View, node: Node) -> None:
    left, right, bottom, top = extents.bar_rectangles(node)
    turned = node.is_on("Horizontal")
    k = 0 if turned else 1
    if view.logs[k]:
        floor = 10.0 ** view.limits[k][0]
        bottom = np.maximum(bottom, floor)
    good = np.isfinite(top) & np.isfinite(left)
    if good.any():
        corners = quads(view, left[good], right[good], bottom[good], top[good], turned)
        draw_filled(drawing, view, node, corners, good, "bar")
    if node.is_on("ShowBaseLine") and not view.logs[k]:
        x0, y0, x1, y1 = view.box
        at = view.project(node["BaseValue"], 0) if turned else view.project(0, node["BaseValue"])
        ends = [[[at[0, 0], y0], [at[0, 0], y1]]] if turned else [[[x0, at[0, 1]], [x1, at[0, 1]]]]
        _base_line(drawing, view, node, np.array(ends))


def _base_line(drawing: Drawing, view: View, node: Node, ends: Numbers) -> None:
    """The line on which bars stand, which may have a look of its own."""
    own = node.info.get("baseline")
    ink, width, style = (0.0, 0.0, 0.0), 0.5, "-"
    if own is not None:
        ink, width, style = rgb(own["Color"]), own["LineWidth"], own["LineStyle"]
    if style != "none" and ink is not None and (own is None or own.is_on("Visible")):
        drawing.add(Segments(ends, ink, width, style, view.clip, "baseline"))


def draw_filled(
    drawing: Drawing, view: View, node: Node, corners: Any, good: Any, tag: str
) -> None:
    """Polygons in the colours of an object."""
    face, edge = node["FaceColor"], node["EdgeColor"]
    lines: Any = None
    if isinstance(face, str) and face == "flat" and "cdata" in node.kind.properties:
        data = np.asarray(node["CData"], float)
        if data.ndim == 2 and data.shape[1] == 3:
            inks = data[np.arange(len(good)) % len(data)][good] if len(data) > 1 else data
        else:
            inks = colors.mapped(view.axes, data.ravel(), "scaled")[:, :3]
    elif isinstance(face, str):
        inks = None if face == "none" else [node.info.get("color", (0.0, 0.447, 0.741))]
    else:
        inks = [rgb(face)]
    alpha = node["FaceAlpha"]
    edge_alpha = node["EdgeAlpha"] if "edgealpha" in node.kind.properties else 1.0
    if inks is not None and alpha < 1:
        inks = [(*ink[:3], alpha) for ink in inks]
    if not isinstance(edge, str):
        lines = [faded(rgb(edge), edge_alpha)]
    elif edge == "auto":
        lines = [node.info.get("color", (0.0, 0.447, 0.741))]
    elif edge == "flat":
        lines = inks
    if node["LineStyle"] == "none":
        lines = None
    drawing.add(
        Polygons(corners, inks, lines, node["LineWidth"], node["LineStyle"], view.clip, tag)
    )


def _area(drawing: Drawing, view: View, node: Node) -> None:
    x, y = np.ravel(node["XData"]).astype(float), np.ravel(node["YData"]).astype(float)
    below = node.info.get("below")
    base = np.full(y.shape, node["BaseValue"]) if below is None else below
    top = np.nan_to_num(y) + (0 if below is None else below)
    ring = np.concatenate([view.project(x, top), view.project(x[::-1], base[::-1])])
    if x.size:
        draw_filled(drawing, view, node, [ring], np.ones(1, bool), "area")


def _histogram(drawing: Drawing, view: View, node: Node) -> None:
    edges, heights = np.ravel(node["BinEdges"]), np.ravel(node["Values"]).astype(float)
    if not heights.size:
        return
    turned = node["Orientation"] == "horizontal"
    floor = 10.0 ** view.limits[0 if turned else 1][0] if view.logs[0 if turned else 1] else 0.0
    if node["DisplayStyle"] == "stairs":
        x = np.repeat(edges, 2)
        y = np.concatenate([[floor], np.repeat(heights, 2), [floor]])
        points = view.project(y, x) if turned else view.project(x, y)
        color = node["EdgeColor"]
        ink = (
            node.info.get("color")
            if isinstance(color, str) or "EdgeColor" not in node.values
            else rgb(color)
        )
        drawing.add(
            Line(points, ink, node["LineWidth"], node["LineStyle"], None, view.clip, "histogram")
        )
        return
    gap = 0.05 if isinstance(node["Categories"], list) else 0.0
    wide = np.diff(edges) * gap
    corners = quads(
        view, edges[:-1] + wide, edges[1:] - wide, np.full(heights.shape, floor), heights, turned
    )
    draw_filled(drawing, view, node, corners, np.ones(heights.size, bool), "histogram")


def _quiver(drawing: Drawing, view: View, node: Node) -> None:
    scale = node.info.get("scale", 1.0)
    x, y, z, u, v, w = (
        np.ravel(node[n]).astype(float)
        for n in ("XData", "YData", "ZData", "UData", "VData", "WData")
    )
    if not x.size:
        return
    color = rgb(node["Color"])
    is_3d = z.size == x.size and w.size == x.size
    feet = view.project(x, y, z if is_3d else None)
    tips = view.project(x + scale * u, y + scale * v, z + scale * w if is_3d else None)
    good = np.isfinite(feet).all(axis=1) & np.isfinite(tips).all(axis=1)
    feet, tips = feet[good], tips[good]
    parts = [np.stack([feet, tips], axis=1)]
    if node.is_on("ShowArrowHead"):
        along = tips - feet
        length = np.hypot(along[:, 0], along[:, 1])[:, None]
        head = along * min(node["MaxHeadSize"] * 1.4, 1.0)
        side = np.column_stack([-head[:, 1], head[:, 0]]) * 0.4
        some = (length > 0).ravel()
        for sign in (-1, 1):
            parts.append(np.stack([tips, tips - head + sign * side], axis=1)[some])
    if node["LineStyle"] != "none":
        drawing.add(
            Segments(
                np.concatenate(parts),
                color,
                node["LineWidth"],
                node["LineStyle"],
                view.clip,
                "quiver",
            )
        )
    mark = marker_of(node, color)
    if mark is not None:
        marks(drawing, view, feet, mark, "quiver")


def _rectangle(drawing: Drawing, view: View, node: Node) -> None:
    left, bottom, wide, high = node["Position"].ravel()
    curve = np.ravel(np.asarray(node.scene.interp.to_python(node["Curvature"]), float))
    cx, cy = (float(curve[0]), float(curve[-1])) if curve.size else (0.0, 0.0)
    if cx <= 0 and cy <= 0:
        x = np.array([0.0, 1, 1, 0]) * wide + left
        y = np.array([0.0, 0, 1, 1]) * high + bottom
    else:
        rx, ry = cx * wide / 2, cy * high / 2
        if curve.size == 1:
            rx = ry = cx * min(wide, high) / 2
        turn = np.linspace(0, np.pi / 2, 24)
        corners = ((wide - rx, high - ry, 0), (rx, high - ry, 1), (rx, ry, 2), (wide - rx, ry, 3))
        x = np.concatenate([a + rx * np.cos(turn + q * np.pi / 2) for a, _, q in corners]) + left
        y = np.concatenate([b + ry * np.sin(turn + q * np.pi / 2) for _, b, q in corners]) + bottom
    face = rgb(node["FaceColor"])
    edge = rgb(node["EdgeColor"]) if node["LineStyle"] != "none" else None
    drawing.add(
        Polygons(
            [view.project(x, y)],
            None if face is None else [faded(face, node["FaceAlpha"])],
            None if edge is None else [edge],
            node["LineWidth"],
            node["LineStyle"],
            view.clip,
            "rectangle",
        )
    )


def _text(drawing: Drawing, view: View, node: Node) -> None:
    if not node["String"]:
        return
    x, y, z = node["Position"].ravel()
    if node["Units"] == "normalized":
        left, bottom, right, top = view.box
        point = np.array([[left + x * (right - left), bottom + y * (top - bottom)]])
    elif node["Units"] == "pixels":
        point = np.array([[view.box[0] + x * drawing.zoom, view.box[1] + y * drawing.zoom]])
    else:
        point = view.project(x, y, z if view.is_3d else None)
    if not np.isfinite(point).all():
        return
    made = label_of(
        node,
        float(point[0, 0]),
        float(point[0, 1]),
        node["FontSize"],
        "left",
        "middle",
        node["Rotation"],
        node["FontWeight"],
        False,
        (0.0, 0.0, 0.0),
        "text",
    )
    drawing.add(made._replace(clip=view.clip if node.is_on("Clipping") else None))


def _constant(drawing: Drawing, view: View, node: Node) -> None:
    left, bottom, right, top = view.box
    is_x = node["InterceptAxis"] == "x"
    at = view.project(node["Value"], 1.0) if is_x else view.project(1.0, node["Value"])
    place = float(at[0, 0 if is_x else 1])
    if not np.isfinite(place):
        return
    color = rgb(node["Color"])
    ends = [[[place, bottom], [place, top]]] if is_x else [[[left, place], [right, place]]]
    if color is not None and node["LineStyle"] != "none":
        ink = faded(color, node["Alpha"])
        drawing.add(
            Segments(
                np.array(ends), ink, node["LineWidth"], node["LineStyle"], view.clip, "constantline"
            )
        )
    word = node["Label"]
    word = "\n".join(word) if isinstance(word, list) else word
    if not word or not (left <= place <= right if is_x else bottom <= place <= top):
        return
    gap = 2 * view.unit
    ink = rgb(node["LabelColor"]) if "LabelColor" in node.values else color
    if is_x:
        side = node["LabelHorizontalAlignment"]
        y = {"top": top - gap, "middle": (top + bottom) / 2, "bottom": bottom + gap}
        up = node["LabelVerticalAlignment"]
        x = place + gap if side != "left" else place - gap
        if node["LabelOrientation"] == "horizontal":
            place_at = (x, y[up], "left" if side != "left" else "right", up, 0.0)
        else:
            ends_at = {"top": "right", "middle": "center", "bottom": "left"}
            place_at = (x, y[up], ends_at[up], "top" if side != "left" else "bottom", 90.0)
    else:
        side = node["LabelHorizontalAlignment"]
        x = {"right": right - gap, "left": left + gap, "center": (left + right) / 2}[side]
        up = node["LabelVerticalAlignment"]
        place_at = (
            x,
            place + gap if up != "bottom" else place - gap,
            side,
            "bottom" if up != "bottom" else "top",
            0.0,
        )
    drawing.add(
        Label(
            place_at[0],
            place_at[1],
            word,
            node["FontSize"],
            ink or (0.15,) * 3,
            place_at[2],
            place_at[3],
            place_at[4],
            interpreter=node["Interpreter"],
            font=node["FontName"],
            tag="constantline",
        )
    )


def _region(drawing: Drawing, view: View, node: Node) -> None:
    left, bottom, right, top = view.box
    low, high = np.ravel(node["Value"]).astype(float)
    is_x = node["InterceptAxis"] == "x"
    k = 0 if is_x else 1
    ends = []
    for value, edge in ((low, (left, bottom)), (high, (right, top))):
        at = view.project(value, 1.0) if is_x else view.project(1.0, value)
        ends.append(float(at[0, k]) if np.isfinite(value) else edge[k])
    a, b = ends
    corners = (
        [[a, bottom], [b, bottom], [b, top], [a, top]]
        if is_x
        else [[left, a], [right, a], [right, b], [left, b]]
    )
    draw_filled(drawing, view, node, [np.array(corners)], np.ones(1, bool), "constantregion")


def _boxchart(drawing: Drawing, view: View, node: Node) -> None:
    groups = np.ravel(node["XData"])
    data = np.ravel(node["YData"])
    turned = node["Orientation"] == "horizontal"
    half = node["BoxWidth"] / 2
    face = rgb(node["BoxFaceColor"])
    color = face or (0.0, 0.447, 0.741)
    edge = rgb(node["BoxEdgeColor"]) if "BoxEdgeColor" in node.values else color
    middle_ink = rgb(node["BoxMedianLineColor"]) if "BoxMedianLineColor" in node.values else edge
    outlier = rgb(node["MarkerColor"]) or color
    notched = node.is_on("Notch")

    def at(a: Any, b: Any) -> Numbers:
        return view.project(b, a) if turned else view.project(a, b)

    for group in np.unique(groups):
        values = np.sort(data[(groups == group) & np.isfinite(data)])
        if not values.size:
            continue
        low, middle, high = quartiles(values)
        reach = 1.5 * (high - low)
        inside = values[(values >= low - reach) & (values <= high + reach)]
        least, most = inside[0], inside[-1]
        across = np.array([-half, half, half, -half])
        up = np.array([low, low, high, high])
        waist = half
        if notched:
            waist = half / 2
            notch = 1.57 * (high - low) / np.sqrt(values.size)
            across = np.array([-half, half, half, waist, half, half, -half, -half, -waist, -half])
            up = np.array([low, low, middle - notch, middle, middle + notch, high, high])
            up = np.append(up, [middle + notch, middle, middle - notch])
        ring = at(group + across, up)
        drawing.add(
            Polygons(
                [ring],
                None if face is None else [(*face, node["BoxFaceAlpha"])],
                [edge],
                node["LineWidth"],
                "-",
                view.clip,
                "boxchart",
            )
        )
        ink = rgb(node["WhiskerLineColor"]) or (0.3,) * 3
        whiskers = [((group, high), (group, most)), ((group, low), (group, least))]
        whiskers += [((group - half / 2, v), (group + half / 2, v)) for v in (least, most)]
        ends = np.array([[at(*a)[0], at(*b)[0]] for a, b in whiskers])
        style = node["WhiskerLineStyle"]
        if style != "none":
            stems, caps = ends[:2], ends[2:]
            drawing.add(Segments(stems, ink, node["LineWidth"], style, view.clip, "boxchart"))
            drawing.add(Segments(caps, ink, node["LineWidth"], "-", view.clip, "boxchart"))
        ends = np.array([[at(group - waist, middle)[0], at(group + waist, middle)[0]]])
        wide = node["LineWidth"] * (1.5 if face is not None else 1.0)
        drawing.add(Segments(ends, middle_ink, wide, "-", view.clip, "median"))
        far = values[(values < least) | (values > most)]
        if far.size and node["MarkerStyle"] != "none":
            mark = Marker(node["MarkerStyle"], node["MarkerSize"], outlier, None)
            marks(drawing, view, at(np.full(far.size, group), far), mark, "outliers")


def quartiles(values: Numbers) -> tuple[float, float, float]:
    """Quartiles as MATLAB finds them: the k-th of n values stands for (k - 0.5) / n."""
    at = np.array([0.25, 0.5, 0.75]) * values.size - 0.5
    low, middle, high = np.interp(at, np.arange(values.size), values)
    return float(low), float(middle), float(high)


def _violin(drawing: Drawing, view: View, node: Node) -> None:
    across, along = extents.violin(node)
    if not across.size:
        return
    turned = node["Orientation"] == "horizontal"
    ring = view.project(along, across) if turned else view.project(across, along)
    draw_filled(drawing, view, node, [ring], np.ones(1, bool), "violin")


DRAW: dict[str, Callable[[Drawing, View, Node], None]] = {
    **dict.fromkeys(("line", "primitiveline", "animatedline", "functionline"), _line),
    "stair": _stair,
    "stem": _stem,
    "errorbar": _errorbar,
    "graphplot": draw_graph,
    "scatter": _scatter,
    "bubblechart": _scatter,
    "violinplot": _violin,
    "bar": _bar,
    "area": _area,
    "histogram": _histogram,
    "quiver": _quiver,
    "rectangle": _rectangle,
    "text": _text,
    "constantline": _constant,
    "constantregion": _region,
    "boxchart": _boxchart,
    "image": images.image,
    "surface": faces.surface,
    "primitivesurface": faces.surface,
    "patch": faces.patch,
    "contour": contours.contour,
    "histogram2": faces.histogram2,
}
