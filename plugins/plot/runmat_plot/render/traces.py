"""Shapes as traces and annotations of plotly.js."""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render.shapes import (
    Label,
    Line,
    Picture,
    Points,
    Polygons,
)

Numbers = NDArray[Any]


_DASHES = {"--": "dash", ":": "dot", "-.": "dashdot"}
_SYMBOLS = {
    "o": "circle", ".": "circle", "square": "square", "diamond": "diamond", "+": "cross-thin",
    "x": "x-thin", "*": "asterisk", "^": "triangle-up", "v": "triangle-down", "_": "line-ew",
    ">": "triangle-right", "<": "triangle-left", "pentagram": "star", "hexagram": "hexagram",
    "|": "line-ns",
}  # fmt: skip
_THIN = ("+", "x", "*", "_", "|")


def css(color: Any) -> str | None:
    if color is None:
        return None
    red, green, blue = (round(float(part) * 255) for part in color[:3])
    alpha = float(color[3]) if len(color) > 3 else 1.0
    return f"rgba({red},{green},{blue},{alpha:g})"


def css_colors(colors: Any) -> list[str]:
    """Colours of one shape: one of them, or a row for each part."""
    if colors is None:
        return []
    array = np.asarray(colors, float)
    return [str(css(row)) for row in array.reshape(-1, array.shape[-1])]


def json_numbers(values: Numbers) -> list[Any]:
    return [float(v) if np.isfinite(v) else None for v in np.ravel(values).tolist()]


def line_trace(shape: Line, back: Callable[[Numbers], Numbers], unit: float) -> dict[str, Any]:
    points = back(shape.points)
    modes = ["lines"] if shape.style != "none" and shape.width else []
    made: dict[str, Any] = {
        "type": "scatter",
        "x": json_numbers(points[:, 0]),
        "y": json_numbers(points[:, 1]),
        "line": {
            "color": css(shape.color) or "black",
            "width": shape.width * unit,
            "dash": _DASHES.get(shape.style, "solid"),
        },
        "connectgaps": False,
    }
    if shape.marker is not None:
        modes.append("markers")
        mark = shape.marker
        edge = css(mark.edge) or "rgba(0,0,0,0)"
        face = css(mark.face) or "rgba(0,0,0,0)"
        made["marker"] = {
            "symbol": _SYMBOLS.get(mark.symbol, "circle"),
            "size": mark.size * unit * (1 / 3 if mark.symbol == "." else 1),
            "color": edge if mark.symbol == "." else face,
            "line": {"color": edge, "width": max(mark.width * unit, 1.0)},
        }
    made["mode"] = "+".join(modes) or "none"
    return made


def point_trace(shape: Points, back: Callable[[Numbers], Numbers], unit: float) -> dict[str, Any]:
    points = back(shape.points)
    edges, faces = css_colors(shape.edges), css_colors(shape.faces)
    clear = ["rgba(0,0,0,0)"]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": json_numbers(points[:, 0]),
        "y": json_numbers(points[:, 1]),
        "marker": {
            "symbol": _SYMBOLS.get(shape.symbol, "circle"),
            "size": (np.sqrt(np.asarray(shape.sizes, float)) * unit).tolist(),
            "color": (clear if shape.symbol in _THIN else faces) or clear,
            "line": {"color": edges or clear, "width": max(shape.width * unit, 0.7)},
        },
    }


def polygon_traces(
    shape: Polygons, back: Callable[[Numbers], Numbers], unit: float
) -> Iterator[dict[str, Any]]:
    """Polygons of one colour in one trace."""
    count = len(shape.corners)
    faces, edges = css_colors(shape.faces), css_colors(shape.edges)
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
            "x": json_numbers(points[:, 0]),
            "y": json_numbers(points[:, 1]),
            "fill": "toself",
            "fillcolor": face,
            "line": {"color": edge, "width": width * unit, "shape": "linear"},
            "hoverinfo": "skip" if count > 1 else "x+y",
        }


def picture_of(shape: Picture, back: Callable[[Numbers], Numbers], name: str) -> dict[str, Any]:
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


def annotation_of(shape: Label, back: Callable[[Numbers], Numbers], name: str) -> dict[str, Any]:
    ((x, y),) = back(np.array([[shape.x, shape.y]])).tolist()
    text = as_html(shape.text) if shape.interpreter != "none" else html.escape(shape.text)
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
        "font": {"size": shape.size * 96 / 72, "color": css(shape.color)},
    }
    if shape.background is not None:
        made["bgcolor"] = css(shape.background)
    if shape.edge is not None:
        made["bordercolor"] = css(shape.edge)
    return made


def as_html(text: Any) -> str:
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
