"""Axes: limits that follow the data, ticks, colour limits, the colour order."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runmat_plot.scene import extents, themes, ticks
from runmat_plot.scene.colors import DARK_ORDER, ORDER
from runmat_plot.scene.node import Node, computed, when_set

Numbers = NDArray[Any]

NAMES = ("X", "Y", "Z")


class Frame(NamedTuple):
    """Limits and ticks that follow from the data of axes.

    Attributes:
        limits: for x, y and z, as properties say them.
        drawn: the same, but positive on logarithmic axes.
        clim: the least and the greatest of what colours stand for.
    """

    limits: tuple[tuple[float, float], ...]
    drawn: tuple[tuple[float, float], ...]
    clim: tuple[float, float]


def frame(axes: Node) -> Frame:
    """Limits of axes as they are, made anew where anything changed since."""
    kept = axes.info.get("frame")
    if kept is not None and kept[0] == axes.scene.revision:
        found: Frame = kept[1]
        return found
    manual = {name: axes.values[f"{name}Lim"].ravel() for name in NAMES if _is_manual(axes, name)}
    bounds = extents.of_axes(axes, manual)
    limits, drawn = [], []
    for at, name in enumerate(NAMES):
        auto = _auto(axes, name, bounds.spans[at], bounds.tight[at], any(bounds.spans))
        low, high = auto
        if name in manual:
            low, high = (float(part) for part in manual[name])
            low, high = (
                low if math.isfinite(low) else auto[0],
                high if math.isfinite(high) else auto[1],
            )
        limits.append((low, high))
        drawn.append(_positive(low, high, auto) if axes[f"{name}Scale"] == "log" else (low, high))
    low, high = bounds.colors
    if low >= high:
        clim = (low - 1, high + 1) if math.isfinite(low) else (0.0, 1.0)
        clim = clim if low == high and math.isfinite(low) else (0.0, 1.0)
    else:
        clim = (low, high)
    made = Frame(tuple(limits), tuple(drawn), clim)
    axes.info["frame"] = (axes.scene.revision, made)
    return made


def _positive(low: float, high: float, auto: tuple[float, float]) -> tuple[float, float]:
    """Limits as a logarithmic axis can show them."""
    if high <= 0:
        return auto
    if low <= 0:
        low = auto[0] if auto[0] < high else high / 1000
    return low, high


def _is_manual(axes: Node, name: str) -> bool:
    return bool(axes.values.get(f"{name}LimMode") == "manual") and f"{name}Lim" in axes.values


def most_steps(axes: Node, name: str) -> float:
    """Return how many steps between ticks there is room for."""
    wide, high = size_in_pixels(axes)
    if is_3d(axes):
        return 6 if min(wide, high) > 250 else 4
    room = wide / 42 if name == "X" else high / 33
    return min(ticks.MOST_STEPS, max(2, room))


def _auto(
    axes: Node, name: str, span: tuple[float, float] | None, tight: bool, is_used: bool
) -> tuple[float, float]:
    """Limits that nobody set; `is_used` says whether anything is drawn in the axes."""
    is_log = axes[f"{name}Scale"] == "log"
    if span is None:
        flat = name == "Z" and is_used and not is_3d(axes)
        return (0.1, 1.0) if is_log else (-1.0, 1.0) if flat else (0.0, 1.0)
    low, high = span
    method = axes[f"{name}LimitMethod"]
    if is_log:
        return ticks.log_limits(low, high) if not tight or low == high else (low, high)
    kind = ruler(axes, name)
    if (tight or method == "tight") and low < high:
        return low, high
    if isinstance(kind, list):
        return 0.4, len(kind) + 0.6
    places = axes.info.get("bar_ticks", {}).get(name)
    if places is not None and len(places) > 1 and method == "tickaligned":
        step = float(np.diff(places).min())
        first, last = np.floor(low / step) * step, np.ceil(high / step) * step
        return float(first), float(last)
    if method == "padded":
        pad = (high - low) * 0.07 or 1.0
        return low - pad, high + pad
    if kind in ("datetime", "duration") and low < high:
        return low, high
    return ticks.aligned(low, high, most_steps(axes, name))


def ruler(axes: Node, name: str) -> Any:
    """Return the ruler of an axis: ``numeric``, ``datetime``, ``duration``, or categories."""
    return axes.info.get("rulers", {}).get(name, "numeric")


def is_3d(axes: Node) -> bool:
    """Return whether axes are seen from elsewhere than straight above."""
    return bool(axes.kind.name == "axes" and abs(axes["View"].ravel()[1]) != 90)


def size_in_pixels(axes: Node) -> tuple[float, float]:
    """Width and height of the plot box on a screen."""
    box = pixel_box(axes)
    return box[2], box[3]


def pixel_box(node: Node) -> tuple[float, float, float, float]:
    """Left, bottom, width and height of what has a position, in pixels of its figure."""
    figure = node.up("figure")
    _, _, width, height = (560.0,) * 4 if figure is None else figure["Position"].ravel()
    height = height if figure is not None else 420.0
    if node.kind.name == "figure":
        return 0.0, 0.0, width, height
    left, bottom, wide, high = (float(part) for part in node["Position"].ravel())
    scale = {"pixels": 1.0, "inches": 96.0, "centimeters": 96 / 2.54, "points": 96 / 72}
    units = node["Units"]
    if units in scale:
        s = scale[units]
        return left * s, bottom * s, wide * s, high * s
    x0, y0, full_width, full_height = 0.0, 0.0, width, height
    above = node.parent
    if above is not None and above.kind.type in ("uipanel", "uitab", "uibuttongroup"):
        x0, y0, full_width, full_height = pixel_box(above)
    return x0 + left * full_width, y0 + bottom * full_height, wide * full_width, high * full_height


# -- computed properties -------------------------------------------------------------------------


def _limit_rule(name: str) -> None:
    at = NAMES.index(name)

    @computed("axes polaraxes", f"{name}Lim")
    def limits(axes: Node) -> Any:
        return np.array([frame(axes).limits[at]])

    @computed("axes polaraxes", f"{name}Tick")
    def tick(axes: Node) -> Any:
        if axes.values.get(f"{name}TickMode") == "manual":
            return axes.values.get(f"{name}Tick", np.zeros((0, 0)))
        return auto_ticks(axes, name).reshape(1, -1)

    @computed("axes polaraxes", f"{name}TickLabel")
    def tick_label(axes: Node) -> Any:
        if axes.values.get(f"{name}TickLabelMode") == "manual":
            return axes.values.get(f"{name}TickLabel", "")
        return auto_labels(axes, name)[0]

    @when_set("axes", f"{name}LimMode")
    def limits_mode(axes: Node, mode: Any) -> None:
        if mode == "manual" and f"{name}Lim" not in axes.values:
            axes.values[f"{name}LimMode"] = "auto"
            axes.values[f"{name}Lim"] = limits(axes)
            axes.values[f"{name}LimMode"] = "manual"

    @when_set("axes", f"{name}Lim")
    def limits_set(axes: Node, value: Any) -> None:
        for other in axes.info.get("linked", {}).get(name, ()):
            if other is not axes and not other.deleted:
                other.values[f"{name}Lim"] = value
                other.values[f"{name}LimMode"] = "manual"

    @when_set("axes", f"{name}TickMode")
    def tick_mode(axes: Node, mode: Any) -> None:
        if mode == "manual" and f"{name}Tick" not in axes.values:
            axes.values[f"{name}Tick"] = auto_ticks(axes, name).reshape(1, -1)

    @when_set("axes", f"{name}TickLabel")
    def labels_set(axes: Node, value: Any) -> None:
        if isinstance(value, str):
            axes.values[f"{name}TickLabel"] = value.split("|") if value else []


for _name in NAMES:
    _limit_rule(_name)


def auto_ticks(axes: Node, name: str) -> Numbers:
    """The ticks of an axis that nobody set."""
    low, high = frame(axes).drawn[NAMES.index(name)]
    kind = ruler(axes, name)
    if isinstance(kind, list):
        return np.arange(1.0, len(kind) + 1)
    if kind == "datetime":
        return ticks.date_ticks(low, high)[0]
    if kind == "duration":
        return ticks.duration_ticks(low, high, most_steps(axes, name))[0]
    if axes[f"{name}Scale"] == "log":
        return ticks.log_ticks(low, high)
    found = ticks.linear_ticks(low, high, most_steps(axes, name))
    preset = axes.info.get("bar_ticks", {}).get(name)
    if preset is not None and axes.values.get(f"{name}LimMode") != "manual":
        return np.array([tick for tick in preset if low <= tick <= high])
    return found


def auto_labels(axes: Node, name: str) -> tuple[list[str], int]:
    """The labels of ticks that nobody set, and the power of ten that stands beside the axis."""
    at = axes[f"{name}Tick"].ravel()
    kind = ruler(axes, name)
    if isinstance(kind, list):
        return [kind[int(t) - 1] if 1 <= t <= len(kind) else "" for t in at], 0
    pattern = axes.info.get("formats", {}).get(name)
    if kind in ("datetime", "duration") and pattern is not None:
        return _time_texts(axes, at, kind, pattern), 0
    if kind == "datetime":
        low, high = frame(axes).limits[NAMES.index(name)]
        found, texts = ticks.date_ticks(low, high)
        if len(found) == len(at) and np.allclose(found, at):
            return texts, 0
        return [ticks.date_of(float(t)).strftime("%d-%b-%Y") for t in at], 0
    if kind == "duration":
        low, high = frame(axes).limits[NAMES.index(name)]
        found, texts = ticks.duration_ticks(low, high, most_steps(axes, name))
        if len(found) == len(at) and np.allclose(found, at):
            return texts, 0
        return [f"{ticks.number_text(float(t))} days" for t in at], 0
    if pattern is not None:
        return [ticks.formatted(float(t), pattern) for t in at], 0
    if axes[f"{name}Scale"] == "log":
        return ticks.log_labels(at), 0
    made = ticks.labels(at)
    return made.texts, made.exponent


def _time_texts(axes: Node, at: Numbers, kind: str, pattern: str) -> list[str]:
    """Dates or durations, given as days, as texts of a format of MATLAB's."""
    interp = axes.scene.interp
    made = interp.builtin("datetime" if kind == "datetime" else "days")
    shown = interp.builtin("cellstr")
    assert made is not None
    assert shown is not None
    how = ["ConvertFrom", "datenum", "Format", pattern] if kind == "datetime" else []
    times = made(1, *map(interp.to_matlab, (at.reshape(1, -1), *how)))
    if kind == "duration":
        times = times.set_field("Format", interp.to_matlab(pattern))
    texts = interp.to_python(shown(1, times))
    texts = texts if isinstance(texts, list) else list(np.ravel(texts))
    return [str(text) for text in texts]


@computed("axes polaraxes", "CLim")
def clim(axes: Node) -> Any:
    if axes.values.get("CLimMode") == "manual":
        return axes.values["CLim"]
    return np.array([frame(axes).clim])


@when_set("axes", "CLimMode")
def clim_mode(axes: Node, mode: Any) -> None:
    if mode == "manual" and "CLim" not in axes.values:
        axes.values["CLim"] = np.array([frame(axes).clim])


@computed("parallelplot", "Color")
@computed("piechart donutchart", "ColorOrder")
def chart_colors(chart: Node) -> Any:
    found = chart.values.get("Color", chart.values.get("ColorOrder"))
    return ORDER if found is None else found


@computed("axes polaraxes", "ColorOrder")
def color_order(axes: Node) -> Any:
    found = axes.values.get("ColorOrder")
    if found is None:
        found = DARK_ORDER if axes.scene.dark and themes.is_dark(axes) else ORDER
    return found


@when_set("figure", "Theme")
def set_theme(figure: Node, word: Any) -> None:
    figure.scene.dark = figure.scene.dark or word == "dark"
    before, after = (ORDER, DARK_ORDER) if word == "dark" else (DARK_ORDER, ORDER)
    for node in figure.below():
        # lines keep their place in the order of colours
        for name in ("Color", "FaceColor", "CData", "NodeColor", "EdgeColor"):
            value = node.values.get(name)
            if isinstance(value, np.ndarray) and value.shape == (1, 3):
                at = np.flatnonzero((before == value).all(axis=1))
                if at.size:
                    node.values[name] = after[at[:1]]


@computed("axes polaraxes", "Colormap")
def colormap(axes: Node) -> Any:
    found = axes.values.get("Colormap")
    above = axes.up("figure")
    return found if found is not None else None if above is None else above["Colormap"]


@computed("figure", "Colormap")
def figure_colormap(figure: Node) -> Any:
    found = figure.values.get("Colormap")
    if found is None:
        interp = figure.scene.interp
        parula = interp.builtin("parula")
        assert parula is not None
        found = interp.to_python(parula(1, 256.0))
        figure.values["Colormap"] = found
    return found


@computed("figure", "Number")
def figure_number(figure: Node) -> Any:
    return figure.ident if figure.is_on("IntegerHandle") else np.zeros((0, 0))


@computed("figure", "CurrentAxes")
def figure_axes(figure: Node) -> Any:
    return figure.values.get("CurrentAxes")


@computed("root", "CurrentFigure")
def current_figure(root: Node) -> Any:
    return root.scene.figures[-1] if root.scene.figures else None


@when_set("root", "CurrentFigure")
def make_current_figure(root: Node, figure: Any) -> None:
    figures = root.scene.figures
    if figure in figures:
        figures.remove(figure)
        figures.append(figure)


@computed("axes", "DataAspectRatio")
def data_aspect(axes: Node) -> Any:
    if axes.values.get("DataAspectRatioMode") == "manual":
        return axes.values["DataAspectRatio"]
    spans = np.array([high - low for low, high in frame(axes).limits])
    return (spans / (spans.max() or 1)).reshape(1, 3)


@computed("axes", "PlotBoxAspectRatio")
def box_aspect(axes: Node) -> Any:
    if axes.values.get("PlotBoxAspectRatioMode") == "manual":
        return axes.values["PlotBoxAspectRatio"]
    return np.array([[1.0, 1.0, 1.0]])


@computed("axes", "OuterPosition")
def outer_position(axes: Node) -> Any:
    left, bottom, wide, high = axes["Position"].ravel()
    return np.array(
        [[left - 0.13 * wide / 0.775, bottom - 0.11 * high / 0.815, wide / 0.775, high / 0.815]]
    )


@computed("axes polaraxes", "TightInset")
def tight_inset(axes: Node) -> Any:
    """Return how far labels and title reach beyond the plot box, in the units of the axes."""
    em = axes["FontSize"] * 96 / 72
    labels = [axes[f"{name}TickLabel"] if axes["Visible"] == "on" else [] for name in "XY"]
    longest = max((len(str(text)) for text in labels[1]), default=0)
    texts = {
        name: bool(node["String"]) * em * 1.2
        for name, node in axes.labels.items()
        if name in ("XLabel", "YLabel", "Title")
    }
    inset = [
        (0.6 * longest + 0.4) * em * bool(longest) + texts.get("YLabel", 0.0),
        1.5 * em * bool(len(labels[0])) + texts.get("XLabel", 0.0),
        0.3 * em,
        0.3 * em + texts.get("Title", 0.0),
    ]
    if axes["Units"] == "normalized":
        figure = axes.up("figure")
        wide, high = (560.0, 420.0) if figure is None else figure["Position"].ravel()[2:]
        inset = [part / (high if k % 2 else wide) for k, part in enumerate(inset)]
    return np.array([inset])


_PLACED = "figure axes polaraxes tiledlayout uicontrol uipanel uitab uitabgroup uibuttongroup"


@computed(_PLACED, "InnerPosition")
def inner_position(node: Node) -> Any:
    return node["Position"]


@when_set(_PLACED, "InnerPosition")
def set_inner_position(node: Node, value: Any) -> None:
    node.assign("Position", value)


@when_set("axes polaraxes", "Position")
def set_position(axes: Node, value: Any) -> None:
    """Keep the plot box where it was put, whatever labels there are."""
    axes.values["PositionConstraint"] = "innerposition"


@computed("axes polaraxes", "ActivePositionProperty")
def active_position(axes: Node) -> Any:
    return "position" if axes["PositionConstraint"] == "innerposition" else "outerposition"


@when_set("axes polaraxes", "ActivePositionProperty")
def set_active_position(axes: Node, value: Any) -> None:
    word = "innerposition" if value == "position" else "outerposition"
    axes.values["PositionConstraint"] = word


@when_set("axes", "OuterPosition")
def set_outer_position(axes: Node, value: Any) -> None:
    axes.values["PositionConstraint"] = "outerposition"
    left, bottom, wide, high = value.ravel()
    axes.values["Position"] = np.array(
        [[left + 0.13 * wide, bottom + 0.11 * high, 0.775 * wide, 0.815 * high]]
    )


def next_color(axes: Node) -> Numbers:
    """The colour of the next line, and move on to the one after it.

    Args:
        axes: they, or a group within them.
    """
    axes = next((node for node in axes.ancestors() if "colororder" in node.kind.properties), axes)
    if "colororder" not in axes.kind.properties:
        return np.zeros((1, 3))
    order = axes["ColorOrder"]
    at = int(axes["ColorOrderIndex"])
    axes.values["ColorOrderIndex"] = float(at % len(order) + 1)
    row: Numbers = order[(at - 1) % len(order)].reshape(1, 3)
    return row
