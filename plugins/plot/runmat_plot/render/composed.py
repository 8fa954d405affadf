"""Charts that are made of ordinary axes, which exist while a picture is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.render import texts
from runmat_plot.render.rulers import rgb
from runmat_plot.render.shapes import Box, Drawing, Label
from runmat_plot.scene.colors import ORDER
from runmat_plot.scene.node import Node

Numbers = NDArray[Any]


def parts_of(chart: Node) -> list[Node]:
    """The axes that a chart is made of; they are in no figure."""
    return PARTS[chart.kind.name](chart)


def _axes(chart: Node, left: float, bottom: float, wide: float, high: float, **values: Any) -> Node:
    """Axes in a part of the place of a chart."""
    x0, y0, width, height = chart["Position"].ravel()
    made = Node(chart.scene, "axes", None)
    made.parent = chart.parent
    made.values.update(
        Position=np.array([[x0 + left * width, y0 + bottom * height, wide * width, high * height]]),
        FontSize=chart["FontSize"],
        **values,
    )
    return made


def _text(axes: Node, name: str, text: Any) -> None:
    if text:
        axes.label(name).values["String"] = text


def _stacked(chart: Node) -> list[Node]:
    columns = chart.info.get("columns", [])
    x, ruler = chart.info["x"], chart.info.get("ruler", "numeric")
    labels = chart["DisplayLabels"] or [name for name, _ in columns]
    labels = [labels] if isinstance(labels, str) else labels
    count = max(len(columns), 1)
    gap = 0.04 / count
    made = []
    for k, (_, data) in enumerate(columns):
        high = 1.0 / count - gap
        axes = _axes(chart, 0.06, 1 - (k + 1) * (1.0 / count) + gap / 2, 0.94, high, Box="on")
        axes.info["rulers"] = {"X": ruler}
        if "XLimits" in chart.values:
            axes.values.update(XLim=chart["XLimits"], XLimMode="manual")
        else:
            axes.values["XLimitMethod"] = "tight"
        if chart.is_on("GridVisible"):
            axes.values.update(XGrid="on", YGrid="on")
        if k < count - 1:
            axes.values.update(XTickLabel=[], XTickLabelMode="manual")
        y = np.asarray(data, float)
        y = y.reshape(-1, 1) if y.ndim < 2 else y
        for j in range(y.shape[1]):
            ink = chart["Color"] if j == 0 else ORDER[[j % len(ORDER)]]
            line = Node(chart.scene, "line", axes, Color=ink)
            line.values.update(
                XData=x.reshape(1, -1),
                YData=y[:, j].reshape(1, -1),
                LineWidth=chart["LineWidth"],
                LineStyle=chart["LineStyle"],
                Marker=chart["Marker"],
            )
        if k < len(labels):
            label = axes.label("YLabel")
            label.values.update(String=labels[k], Rotation=0.0, HorizontalAlignment="right")
        made.append(axes)
    if made:
        _text(made[0], "Title", chart["Title"])
        _text(made[-1], "XLabel", chart["XLabel"])
    return made


def _parallel(chart: Node) -> list[Node]:
    table = np.asarray(chart.info["data"], float)
    groups = chart.info.get("groups")
    names = chart["CoordinateTickLabels"] or chart.info.get("names", [])
    how = chart["DataNormalization"]
    low, high = np.nanmin(table, axis=0), np.nanmax(table, axis=0)
    span = np.where(high > low, high - low, 1.0)
    scaled = table
    if how == "range":
        scaled = (table - low) / span
    elif how in ("zscore", "center"):
        scaled = table - np.nanmean(table, axis=0)
        if how == "zscore":
            spread = np.nanstd(table, axis=0, ddof=1)
            scaled = scaled / np.where(spread > 0, spread, 1.0)
    elif how == "norm":
        scaled = table / np.maximum(np.sqrt(np.nansum(table**2, axis=0)), 1e-300)
    axes = _axes(chart, 0.0, 0.0, 1.0, 1.0, Box="on", XGrid="on")
    x = np.arange(1.0, table.shape[1] + 1)
    axes.values.update(
        XLim=np.array([[1.0, max(table.shape[1], 1.5)]]),
        XLimMode="manual",
        XTick=x.reshape(1, -1),
        XTickMode="manual",
        XTickLabel=list(names),
        XTickLabelMode="manual",
        GridAlpha=0.5,
    )
    if how == "range":
        axes.values.update(YTick=np.zeros((0, 0)), YTickMode="manual")
        axes.values.update(YLim=np.array([[-0.05, 1.05]]), YLimMode="manual")
        for k, (a, b) in enumerate(zip(low, high, strict=True)):
            for value, at, up in ((a, -0.05, "top"), (b, 1.05, "bottom")):
                word = Node(chart.scene, "text", axes, String=f"{value:.4g}")
                place = np.array([[k + 1.0, at, 0.0]])
                word.values.update(
                    Position=place, FontSize=chart["FontSize"] * 0.9, VerticalAlignment=up
                )
                word.values["HorizontalAlignment"] = "left" if up == "bottom" else "right"
    keys = [None] if groups is None else list(dict.fromkeys(groups))
    color = chart["Color"]
    for k, key in enumerate(keys):
        chosen = scaled if groups is None else scaled[[g == key for g in groups]]
        gap = np.full((len(chosen), 1), np.nan)
        ink = color[[k % len(color)]] if np.ndim(color) == 2 and len(color) > 1 else None
        ink = ORDER[[k % len(ORDER)]] if ink is None else ink
        line = Node(chart.scene, "line", axes, Color=ink, LineWidth=chart["LineWidth"])
        line.values.update(
            XData=np.tile(np.append(x, np.nan), len(chosen)).reshape(1, -1),
            YData=np.hstack([chosen, gap]).reshape(1, -1),
        )
        if key is not None:
            line.values["DisplayName"] = str(key)
    _text(axes, "Title", chart["Title"])
    _text(axes, "XLabel", chart["CoordinateLabel"])
    return [axes]


def _scatter_histogram(chart: Node) -> list[Node]:
    x, y = (np.ravel(np.asarray(chart.info[key], float)) for key in ("x", "y"))
    groups = chart.info.get("groups")
    middle = _axes(chart, 0.0, 0.0, 0.72, 0.72, Box="on")
    above = _axes(chart, 0.0, 0.75, 0.72, 0.25, Visible="off")
    beside = _axes(chart, 0.75, 0.0, 0.25, 0.72, Visible="off")
    keys = [None] if groups is None else list(dict.fromkeys(groups))
    good = np.isfinite(x) & np.isfinite(y)
    bins = int(np.clip(np.ceil(np.sqrt(good.sum())), 5, 40))
    for k, key in enumerate(keys):
        chosen = good if key is None else good & np.array([g == key for g in groups or []])
        ink = ORDER[[k % len(ORDER)]]
        dots = Node(chart.scene, "scatter", middle, CData=ink, Marker="o")
        dots.values.update(
            XData=x[chosen].reshape(1, -1),
            YData=y[chosen].reshape(1, -1),
            MarkerFaceColor="flat",
            MarkerFaceAlpha=chart["MarkerAlpha"],
            MarkerEdgeColor="none",
            SizeData=np.atleast_2d(chart["MarkerSize"]),
        )
        for axes, data, whole, way in ((above, x, x, "vertical"), (beside, y, y, "horizontal")):
            if not chosen.any():
                continue
            edges = np.histogram_bin_edges(whole[good], bins)
            counts = np.histogram(data[chosen], edges)[0].astype(float).reshape(1, -1)
            shape = Node(chart.scene, "histogram", axes, Orientation=way)
            shape.values.update(BinEdges=edges.reshape(1, -1), BinCounts=counts)
            shape.info.update(values=counts, color=tuple(float(part) for part in ink.ravel()))
    for axes, axis in ((above, "X"), (beside, "Y")):
        axes.values.update({f"{axis}Lim": middle[f"{axis}Lim"], f"{axis}LimMode": "manual"})
    _text(above, "Title", chart["Title"])
    above.label("Title").values["Visible"] = "on"
    _text(middle, "XLabel", chart["XLabel"])
    _text(middle, "YLabel", chart["YLabel"])
    return [middle, above, beside]


PARTS: dict[str, Callable[[Node], list[Node]]] = {
    "stackedplot": _stacked,
    "parallelplot": _parallel,
    "scatterhistogram": _scatter_histogram,
}


# -- charts that are drawn as they are -----------------------------------------------------------


def draw_wordcloud(drawing: Drawing, chart: Node, box: Box) -> None:
    """Words around the middle, the larger the more they count, none over another."""
    words, sizes = chart.info["words"], np.asarray(chart.info["sizes"], float)
    order = np.argsort(-sizes, kind="stable")[: int(chart["MaxDisplayWords"])]
    if not order.size:
        return
    left, bottom, right, top = box
    wide, high = right - left, top - bottom
    unit = drawing.scale
    most = float(sizes[order[0]]) or 1.0
    power = chart["SizePower"]
    largest = 0.2 * high / unit
    longest = texts.width(words[order[0]], largest * unit)
    largest *= min(1.0, 0.7 * wide / max(longest, 1.0))
    taken: list[Box] = []
    ordinary, high_ink = rgb(chart["Color"]), rgb(chart["HighlightColor"])
    turn = np.linspace(0, 60 * np.pi, 3000)
    spiral = (turn / turn[-1])[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    spiral = spiral * np.array([0.5 * wide, 0.5 * high])
    middle = np.array([(left + right) / 2, (bottom + top) / 2])
    for rank, k in enumerate(order.tolist()):
        size = max(largest * (float(sizes[k]) / most) ** power, 4.0)
        half = np.array(
            [texts.width(words[k], size * unit) / 2 + unit, texts.height("x", size * unit) / 2]
        )
        for point in middle + spiral:
            own = (*(point - half), *(point + half))
            inside = own[0] >= left and own[1] >= bottom and own[2] <= right and own[3] <= top
            if inside and not any(_meet(own, other) for other in taken):
                taken.append(own)
                ink = high_ink if rank < 3 else ordinary
                label = Label(float(point[0]), float(point[1]), words[k], size, ink)
                drawing.add(label._replace(interpreter="none", tag="wordcloud"))
                break
    _chart_title(drawing, chart, box)


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _chart_title(drawing: Drawing, chart: Node, box: Box) -> None:
    text = chart["Title"]
    if text:
        text = "\n".join(text) if isinstance(text, list) else text
        x = (box[0] + box[2]) / 2
        y = box[3] + 4 * drawing.scale
        title = Label(x, y, text, chart["FontSize"] * 1.1, valign="bottom", bold=True)
        drawing.add(title._replace(tag="title"))


def draw_shares(drawing: Drawing, chart: Node, box: Box) -> None:
    """Slices of a disc or of a ring, from the top clockwise, with names and parts beside them."""
    from runmat_plot.render.shapes import Polygons
    from runmat_plot.render.views import fitted

    data = np.ravel(np.asarray(chart["Data"], float))
    if not data.size or not np.nansum(data) > 0:
        return
    left, bottom, right, top = fitted(box, 1.0)
    middle = np.array([(left + right) / 2, (bottom + top) / 2])
    radius = 0.4 * (right - left)
    inner = radius * chart["InnerRadius"] if chart.kind.name == "donutchart" else 0.0
    colors = np.asarray(chart["ColorOrder"], float)
    names = chart.info.get("names", [])
    shares = data / data.sum()
    start = 0.0
    for k, share in enumerate(shares.tolist()):
        arc = (start + np.linspace(0, share, max(int(200 * share), 2))) * 2 * np.pi
        rim = np.column_stack([np.sin(arc), np.cos(arc)])
        ring = np.concatenate([radius * rim, inner * rim[::-1] if inner else np.zeros((1, 2))])
        ink = colors[k % len(colors)]
        face = (*ink[:3], chart["FaceAlpha"])
        drawing.add(Polygons([middle + ring], [face], [rgb(chart["EdgeColor"])], 0.5, tag="slice"))
        at = (start + share / 2) * 2 * np.pi
        away = np.array([np.sin(at), np.cos(at)])
        text = f"{100 * share:.3g}%"
        if k < len(names):
            text = f"{names[k]} ({text})"
        x, y = middle + 1.08 * radius * away
        side = "center" if abs(away[0]) < 0.1 else "left" if away[0] > 0 else "right"
        up = "bottom" if away[1] > 0.7 else "top" if away[1] < -0.7 else "middle"
        label = Label(float(x), float(y), text, chart["FontSize"], align=side, valign=up)
        drawing.add(label._replace(interpreter="none", tag="slicelabel"))
        start += share
    _chart_title(drawing, chart, box)


DRAWN: dict[str, Callable[[Drawing, Node, Box], None]] = {
    "wordcloud": draw_wordcloud,
    "piechart": draw_shares,
    "donutchart": draw_shares,
}
