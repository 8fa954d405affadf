"""Legends and colour bars, which stand beside the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import texts
from runmat_plot.render.markers import marker_of, series_color
from runmat_plot.render.rulers import faded, rgb
from runmat_plot.render.shapes import (
    Box,
    Drawing,
    Label,
    Line,
    Marker,
    Picture,
    Points,
    Polygons,
    Segments,
)
from runmat_plot.render.views import View
from runmat_plot.scene import ticks as round_numbers
from runmat_plot.scene.legends import entries
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def _live(axes: Node, name: str) -> Node | None:
    found = axes.info.get(name)
    return (
        found
        if isinstance(found, Node) and not found.deleted and found["Visible"] == "on"
        else None
    )


def room_for(drawing: Drawing, axes: Node, box: Box) -> Box:
    """The plot box without what a colour bar or a legend outside takes of it."""
    left, bottom, right, top = box
    unit = drawing.scale
    title = axes.labels.get("Title")
    if title is not None and title["String"]:
        lines = title["String"]
        size = title.values.get("FontSize", axes["FontSize"] * axes["TitleFontSizeMultiplier"])
        high = texts.height("\n".join(lines) if isinstance(lines, list) else lines, size) + 7
        below = axes.labels.get("Subtitle")
        high += 1.3 * axes["FontSize"] if below is not None and below["String"] else 0.0
        top = min(top, drawing.height - high * unit)
    bar = _live(axes, "colorbar")
    if bar is not None and "Position" not in bar.values:
        place = bar["Location"].lower()
        if place == "eastoutside":
            right -= (0.165 if abs(axes["View"].ravel()[1]) != 90 else 0.118) * (right - left)
        elif place == "westoutside":
            left += 0.16 * (right - left)
        elif place == "southoutside":
            bottom += max(0.17 * (top - bottom), min(44 * unit, 0.5 * (top - bottom)))
        elif place == "northoutside":
            top -= max(0.16 * (top - bottom), min(36 * unit, 0.5 * (top - bottom)))
    listed = _live(axes, "legend")
    if listed is not None and listed["Location"].lower().endswith("outside"):
        wide, high = _size(drawing, listed)
        place = listed["Location"].lower()[:-7] or "east"
        if "east" in place or place == "best":
            right = min(right, drawing.width - wide - 12 * unit)
        elif "west" in place:
            left = max(left, wide + 60 * unit)
        elif place == "north":
            top -= high
        elif place == "south":
            bottom += high + 4 * unit
    return left, bottom, max(right, left + 10), max(top, bottom + 10)


# -- legends -------------------------------------------------------------------------------------

_SAMPLE = 30.0  # points


def _entries(node: Node) -> list[tuple[Node, str]]:
    found = entries(node)
    return found[::-1] if node["Direction"] == "reverse" else found


def _grid(node: Node, count: int) -> tuple[int, int]:
    """Rows and columns of entries."""
    if node["Orientation"] == "horizontal" and "NumColumns" not in node.values:
        return 1, max(count, 1)
    columns = max(int(node["NumColumns"]), 1)
    return -(-count // columns), columns


def _size(drawing: Drawing, node: Node) -> tuple[float, float]:
    found = _entries(node)
    unit, size = drawing.scale, node["FontSize"]
    rows, columns = _grid(node, len(found))
    longest = max((texts.width(text, size) for _, text in found), default=0.0)
    high = sum(_row_height(text, size) for _, text in found[:rows])
    title = node.labels.get("Title")
    extra = 1.5 * size if title is not None and title["String"] else 0.0
    return (columns * (_SAMPLE + 10 + longest * 1.04) + 4) * unit, (high + extra + 5) * unit


def _row_height(text: str, size: float) -> float:
    return texts.height(text, size) * 1.13 + 1.0


def draw_legend(drawing: Drawing, node: Node, view: View) -> None:
    found = _entries(node)
    if not found:
        return
    unit, size = drawing.scale, node["FontSize"]
    wide, high = _size(drawing, node)
    left, top = _corner(drawing, node, view, wide, high)
    ring = np.array(
        [[left, top - high], [left + wide, top - high], [left + wide, top], [left, top]]
    )
    if node.is_on("Box"):
        face = rgb(node["Color"])
        if face is not None and node["BackgroundAlpha"] != 1:
            face = faded(face, float(node["BackgroundAlpha"]))
        edge = rgb(node["EdgeColor"])
        drawing.add(
            Polygons(
                [ring],
                None if face is None else [face],
                None if edge is None else [edge],
                node["LineWidth"],
                tag="legend",
            )
        )
    y = top - 2.5 * unit
    title = node.labels.get("Title")
    if title is not None and title["String"]:
        drawing.add(
            Label(
                left + wide / 2,
                y - 0.7 * size * unit,
                str(title["String"]),
                size,
                bold=True,
                tag="legendtitle",
            )
        )
        y -= 1.5 * size * unit
    rows, columns = _grid(node, len(found))
    across = (wide - 4 * unit) / columns
    start = y
    for at, (item, text) in enumerate(found):
        if node["Orientation"] == "horizontal" and rows == 1:
            row, stack = 0, at
        else:
            row, stack = at % rows, at // rows
        if row == 0:
            y = start
        step = _row_height(text, size) * unit
        x = left + 4 * unit + stack * across
        middle = y - step / 2
        sample(drawing, item, x, middle, _SAMPLE * unit, size * 0.8 * unit)
        drawing.add(
            Label(
                x + (_SAMPLE + 4) * unit,
                middle,
                text,
                size,
                rgb(node["TextColor"]),
                "left",
                "middle",
                bold=node["FontWeight"] == "bold",
                interpreter=node["Interpreter"],
                font=node["FontName"],
                tag="legendtext",
            )
        )
        y -= step


def _corner(
    drawing: Drawing, node: Node, view: View, wide: float, high: float
) -> tuple[float, float]:
    """Left and top of a legend."""
    left, bottom, right, top = view.box
    if "Position" in node.values:
        x, y, w, h = node["Position"].ravel()
        if node["Units"] == "normalized":
            x, y, w, h = (
                x * drawing.width,
                y * drawing.height,
                w * drawing.width,
                h * drawing.height,
            )
        else:
            x, y, w, h = (part * drawing.zoom for part in (x, y, w, h))
        return x + w / 2 - wide / 2, y + h / 2 + high / 2
    gap = 7 * drawing.scale
    place = node["Location"].lower()
    if place == "best":
        place = _emptiest(drawing, view, wide, high, gap)
    if place.endswith("outside"):
        side = place[:-7] or "east"
        if side in ("north", "south"):
            x = (left + right - wide) / 2
            below = 34 * drawing.scale
            return (x, top + high + 22 * drawing.scale) if side == "north" else (x, bottom - below)
        x = left - wide - 45 * drawing.scale if "west" in side else right + gap
        if _live(node.info["owner"], "colorbar") is not None and "west" not in side:
            x += 50 * drawing.scale
        return (
            x,
            bottom + high
            if "south" in side
            else top
            if "north" in side or side == "best"
            else (top + bottom + high) / 2,
        )
    x = (left + right - wide) / 2
    y = (top + bottom + high) / 2
    if "east" in place:
        x = right - wide - gap
    if "west" in place:
        x = left + gap
    if "north" in place:
        y = top - gap
    if "south" in place:
        y = bottom + high + gap
    return x, y


_DATA = frozenset(
    "line stair stem errorbar scatter bar area histogram quiver patch surface contour".split()
)


def _emptiest(drawing: Drawing, view: View, wide: float, high: float, gap: float) -> str:
    """The place where a legend hides least."""
    left, bottom, right, top = view.box
    points = []
    for shape in drawing.shapes:
        if isinstance(shape, Line | Points) and shape.tag in _DATA:
            kept = shape.points
            points.append(kept[:: max(len(kept) // 2000, 1)])
            if isinstance(shape, Line) and shape.style != "none" and 1 < len(kept) < 200:
                points.append(
                    np.concatenate([kept[:-1] * (1 - t) + kept[1:] * t for t in (0.25, 0.5, 0.75)])
                )
        elif isinstance(shape, Polygons) and shape.tag in _DATA:
            points += [np.asarray(c, float).reshape(-1, 2) for c in list(shape.corners)[:2000]]
    cloud = np.concatenate(points) if points else np.zeros((0, 2))
    best, least = "northeast", np.inf
    for place in (
        "northeast",
        "northwest",
        "southwest",
        "southeast",
        "east",
        "west",
        "north",
        "south",
    ):
        x = (
            right - wide - gap
            if "east" in place
            else left + gap
            if "west" in place
            else (left + right - wide) / 2
        )
        y = (
            top - gap - high
            if "north" in place
            else bottom + gap
            if "south" in place
            else (top + bottom - high) / 2
        )
        inside = (
            (cloud[:, 0] > x - gap)
            & (cloud[:, 0] < x + wide + gap)
            & (cloud[:, 1] > y - gap)
            & (cloud[:, 1] < y + high + gap)
        )
        hits = int(inside.sum())
        if hits < least:
            best, least = place, hits
    return best


def sample(drawing: Drawing, node: Node, x: float, y: float, wide: float, high: float) -> None:
    """Draw what an object looks like, in a legend."""
    kind = node.kind.name
    color = series_color(node)
    if kind in ("bar", "area", "histogram", "patch", "surface", "boxchart", "rectangle"):
        face = node["FaceColor"] if "facecolor" in node.kind.properties else color
        ink = color if isinstance(face, str) and face != "none" else rgb(face)
        edge = node["EdgeColor"] if "edgecolor" in node.kind.properties else np.zeros((1, 3))
        alpha = node["FaceAlpha"] if "facealpha" in node.kind.properties else 0.2
        alpha = 1.0 if isinstance(alpha, str) else alpha
        half = high / 2
        ring = np.array([[x, y - half], [x + wide, y - half], [x + wide, y + half], [x, y + half]])
        if ink is None and isinstance(edge, str):
            ink = color
        drawing.add(
            Polygons(
                [ring],
                None if ink is None else [(*ink[:3], alpha)],
                None if isinstance(edge, str) else [rgb(edge)],
                0.5,
                tag="legendsample",
            )
        )
        return
    middle = np.array([[x + wide / 2, y]])
    if kind == "scatter":
        edge, face = node["MarkerEdgeColor"], node["MarkerFaceColor"]
        data = np.asarray(node["CData"], float)
        base = tuple(data.ravel()) if data.size == 3 else (0.0, 0.447, 0.741)
        edge = base if isinstance(edge, str) else rgb(edge)
        face = (None if face == "none" else base) if isinstance(face, str) else rgb(face)
        size = min(
            float(np.sqrt(np.ravel(node["SizeData"])[0])) if np.size(node["SizeData"]) else 6.0, 8.0
        )
        drawing.add(
            Line(
                middle,
                None,
                0.5,
                "none",
                Marker(node["Marker"], size, edge, face),
                tag="legendsample",
            )
        )
        return
    style = node["LineStyle"] if "linestyle" in node.kind.properties else "-"
    width = node["LineWidth"] if "linewidth" in node.kind.properties else 0.5
    if kind == "hggroup" and node.children:
        sample(drawing, node.children[0], x, y, wide, high)
        return
    if style != "none":
        ends = np.array([[x, y], [x + wide, y]])
        drawing.add(Line(ends, color, width, style, tag="legendsample"))
    if "marker" in node.kind.properties:
        mark = marker_of(node, color)
        if mark is not None:
            drawing.add(Line(middle, None, width, "none", mark, tag="legendsample"))


# -- colour bars ---------------------------------------------------------------------------------


def draw_colorbar(drawing: Drawing, node: Node, view: View) -> None:
    axes, unit = view.axes, drawing.scale
    left, bottom, right, top = view.box
    place = node["Location"].lower()
    upright = not place.startswith(("north", "south"))
    thick = 15.0 * unit
    gap = (26.0 if view.is_3d else 9.0) * unit
    if "Position" in node.values:
        x, y, w, h = node["Position"].ravel()
        box = (
            x * drawing.width,
            y * drawing.height,
            (x + w) * drawing.width,
            (y + h) * drawing.height,
        )
        upright = h * drawing.height >= w * drawing.width
    elif upright:
        start = {
            "eastoutside": right + gap,
            "westoutside": left - gap - 50 * unit,
            "east": right - thick - 3 * gap,
            "west": left + gap,
        }.get(place, right + gap)
        inset = 0.0 if place.endswith("outside") else 0.05 * (top - bottom)
        box = (start, bottom + inset, start + thick, top - inset)
    else:
        start = {
            "southoutside": bottom - gap - 48 * unit,
            "northoutside": top + gap,
            "south": bottom + 2 * gap,
            "north": top - thick - 2 * gap,
        }.get(place, bottom - gap - 48 * unit)
        inset = 0.0 if place.endswith("outside") else 0.05 * (right - left)
        box = (left + inset, start, right - inset, start + thick)
    table = np.asarray(axes["Colormap"], float)
    colors = np.ones((len(table), 4))
    colors[:, :3] = table
    pixels = np.round(colors * 255).astype(np.uint8)
    if node["Direction"] == "reverse":
        pixels = pixels[::-1]
    shown = pixels[::-1, None, :] if upright else pixels[None, :, :]
    drawing.add(Picture(np.ascontiguousarray(shown), box, tag="colorbar"))
    x0, y0, x1, y1 = box
    ring = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    ink = drawing.ink
    drawing.add(Polygons([ring], None, [ink], 0.5, tag="colorbar"))
    _bar_ticks(drawing, node, axes, box, upright, place)


def _bar_ticks(
    drawing: Drawing, node: Node, axes: Node, box: Box, upright: bool, place: str
) -> None:
    x0, y0, x1, y1 = box
    unit, size, ink = drawing.scale, node["FontSize"] * 0.9, drawing.ink
    low, high = axes["CLim"].ravel()
    is_log = axes["ColorScale"] == "log"
    room = (y1 - y0 if upright else x1 - x0) / drawing.zoom
    at = (
        node["Ticks"].ravel()
        if "Ticks" in node.values
        else (
            round_numbers.log_ticks(low, high)
            if is_log
            else round_numbers.linear_ticks(low, high, min(10, room / 30))
        )
    )
    made = round_numbers.labels(at)
    words, exponent = (round_numbers.log_labels(at), 0) if is_log else (made.texts, made.exponent)
    if "TickLabels" in node.values:
        given = node["TickLabels"]
        words, exponent = ([given] if isinstance(given, str) else given), 0
    scaled, ends = (np.log10(at), np.log10([low, high])) if is_log else (at, np.array([low, high]))
    part = (scaled - ends[0]) / (ends[1] - ends[0])
    part = 1 - part if node["Direction"] == "reverse" else part
    outer_left = place in ("westoutside", "east")
    outer_top = place in ("northoutside", "south")
    length = 3 * unit
    longest = 0.0
    for k, where in enumerate(part):
        if not -1e-9 <= where <= 1 + 1e-9:
            continue
        word = words[k] if k < len(words) else ""
        longest = max(longest, texts.width(word, size * unit))
        if upright:
            y = y0 + where * (y1 - y0)
            edge, align, sign = (x0, "right", -1) if outer_left else (x1, "left", 1)
            drawing.add(
                Segments(
                    np.array([[[edge, y], [edge - sign * length, y]]]), ink, 0.5, tag="colorbartick"
                )
            )
            drawing.add(
                Label(
                    edge + sign * 3 * unit, y, word, size, ink, align, "middle", tag="colorbarlabel"
                )
            )
        else:
            x = x0 + where * (x1 - x0)
            edge, valign, sign = (y1, "bottom", 1) if outer_top else (y0, "top", -1)
            drawing.add(
                Segments(
                    np.array([[[x, edge], [x, edge - sign * length]]]), ink, 0.5, tag="colorbartick"
                )
            )
            drawing.add(
                Label(
                    x,
                    edge + sign * 3 * unit,
                    word,
                    size,
                    ink,
                    "center",
                    valign,
                    tag="colorbarlabel",
                )
            )
    if exponent:
        drawing.add(
            Label(
                x1,
                y1 + 3 * unit,
                f"\\times10^{{{exponent}}}",
                size,
                ink,
                "center",
                "bottom",
                tag="colorbarexponent",
            )
        )
    name = node.labels.get("Label")
    if name is not None and name["String"]:
        text = "\n".join(name["String"]) if isinstance(name["String"], list) else name["String"]
        font = name.values.get("FontSize", size * 1.1)
        if upright:
            sign = -1 if outer_left else 1
            edge = x0 if outer_left else x1
            x = edge + sign * (longest + 8 * unit)
            drawing.add(
                Label(
                    x,
                    (y0 + y1) / 2,
                    text,
                    font,
                    ink,
                    "center",
                    "top" if sign > 0 else "bottom",
                    90.0,
                    interpreter=name["Interpreter"],
                    tag="colorbarname",
                )
            )
        else:
            y = y1 + 16 * unit if outer_top else y0 - 16 * unit
            drawing.add(
                Label(
                    (x0 + x1) / 2,
                    y,
                    text,
                    font,
                    ink,
                    "center",
                    "bottom" if outer_top else "top",
                    interpreter=name["Interpreter"],
                    tag="colorbarname",
                )
            )
