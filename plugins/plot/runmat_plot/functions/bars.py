"""Bars, areas, histograms, pies, boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.lines import check_pairs
from runmat_plot.functions.support import (
    Data,
    Numbers,
    current_axes,
    data_in,
    given,
    holds,
    make,
    not_enough,
    numbers_in,
    prepare,
    python,
    read_options,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import line_spec
from runmat_plot.scene.node import Node, computed


def _real(values: Numbers) -> Numbers:
    """The real parts of numbers: imaginary ones are not drawn."""
    return values.real if values.dtype.kind == "c" else values


def series_table(rest: list[Any], name: str) -> tuple[Numbers, Numbers, Any, list[Any]]:
    """Places, a column of heights for each series, what the places mean, and other arguments."""
    data: list[Data] = []
    while rest and len(data) < 2 and not isinstance(rest[0], str | dict):
        found = data_in(rest[0], f"{name} categories")
        if found is None:
            break
        data.append(found)
        rest = rest[1:]
    if not data:
        raise not_enough()
    y = _real(data[-1].values)
    if y.ndim > 2:
        raise MatlabError(
            f"MATLAB:{name}:InvalidDataShape", "Data may not have more than 2 dimensions."
        )
    ruler: Any = "numeric"
    if len(data) == 1:
        y = y.reshape(-1, 1) if min(y.shape, default=0) <= 1 else y
        return np.arange(1.0, y.shape[0] + 1), y, ruler, rest
    x, ruler = _real(data[0].values).ravel().astype(float), data[0].ruler
    if (
        min(y.shape, default=0) <= 1
        and not (x.size == y.shape[0] and y.shape[1] > 1)
        and x.size != 1
    ):
        y = y.reshape(-1, 1)
    elif x.size == y.shape[1] != y.shape[0]:
        y = y.T
    if x.size != y.shape[0]:
        if x.size == 1 and y.size == 1:
            return x, y.reshape(1, 1), ruler, rest
        if name == "bar" and y.size == 1:
            # a number is the width of the bars
            width = float(y.item())
            y = _real(data[0].values)
            y = y.reshape(-1, 1) if min(y.shape) <= 1 else y
            return np.arange(1.0, y.shape[0] + 1), y, "numeric", ["BarWidth", width, *rest]
        raise MatlabError(
            f"MATLAB:{name}:XYSizeMismatch", "The length of X must match the number of rows of Y."
        )
    if name == "bar" and ruler == "numeric" and np.unique(x).size != x.size:
        raise MatlabError("MATLAB:bar:DuplicateXValue", "XData cannot contain duplicate values.")
    return x, y, ruler, rest


@builtin("bar", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def bar(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw upright bars.

    bar(Y), bar(X, Y): each row of a matrix is a group of bars, each column a series
    bar(…, "stacked"), bar(…, WIDTH) with 0.8 by default, bar(…, COLOR), bar(…, NAME, VALUE)
    bar(AX, …); B = bar(…) gives the series

    Examples:
        >> b = bar([3 1 2]); b.YData
        ans =
             3     1     2

    See also: barh, hist, histogram, area.
    """
    return given(nargout, _bars(args, interp, False))


@builtin("barh", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def barh(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lying bars.

    barh(…) takes what bar takes

    Examples:
        >> b = barh([3 1 2]); b.Horizontal
        ans =
            'on'

    See also: bar, histogram.
    """
    return given(nargout, _bars(args, interp, True))


def _bars(args: Sequence[Any], interp: Interp, lying: bool) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x, y, ruler, rest = series_table(rest, "bar")
    pairs: list[Any] = []
    values: dict[str, Any] = {}
    while rest:
        word = rest[0]
        if isinstance(word, float):
            values["BarWidth"] = word
            rest = rest[1:]
        elif isinstance(word, str) and word.lower() in ("stacked", "grouped", "hist", "histc"):
            values["BarLayout"] = "stacked" if word.lower() == "stacked" else "grouped"
            if word.lower().startswith("hist"):
                values["BarWidth"] = 1.0
            rest = rest[1:]
        elif isinstance(word, str) and len(rest) % 2 and (spec := line_spec(word)) and spec.color:
            values["FaceColor"] = np.array([spec.color], float)
            rest = rest[1:]
        else:
            pairs, rest = rest, []
    axes = target or current_axes(scene)
    check_pairs("bar", axes, pairs)
    prepare(axes, box=True)
    name = "Y" if lying else "X"
    set_ruler(axes, name, ruler)
    made: list[Node] = []
    below: Numbers | None = np.zeros(x.size) if values.get("BarLayout") == "stacked" else None
    depth = np.zeros(x.size)
    for k in range(y.shape[1]):
        column = y[:, k].astype(float)
        color = next_color(axes)
        own = {"FaceColor": color, **values, "Horizontal": "on" if lying else "off"}
        node = make("bar", axes, (), XData=x.reshape(1, -1), YData=column.reshape(1, -1), **own)
        node.info.update(count=y.shape[1], place=k)
        if below is not None:
            filled = np.nan_to_num(column)
            node.info["below"] = np.where(filled < 0, depth, below)
            below = below + np.maximum(filled, 0)
            depth = depth + np.minimum(filled, 0)
        set_pairs(node, pairs)
        made.append(node)
    whole = bool(np.all(x == np.floor(x)))
    if not holds(axes) and ruler == "numeric" and 0 < x.size <= 15 and whole:
        axes.info["bar_ticks"] = {name: np.unique(x)}
    scene.revision += 1
    return made


@computed("bar", "XEndPoints")
def _bar_x(node: Node) -> Any:
    from runmat_plot.scene.extents import bar_rectangles

    left, right, _, _ = bar_rectangles(node)
    return ((left + right) / 2).reshape(1, -1)


@computed("bar", "YEndPoints")
def _bar_y(node: Node) -> Any:
    from runmat_plot.scene.extents import bar_rectangles

    return bar_rectangles(node)[3].reshape(1, -1)


@builtin("graphics.area", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def area(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines with the area below them filled, each on top of the last; what area calls.

    area(Y), area(X, Y), area(…, BASE), area(…, NAME, VALUE), area(AX, …)

    Examples:
        >> h = area([1 3 2]); h.BaseValue
        ans =
             0

    See also: bar, plot, fill.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x, y, ruler, rest = series_table(rest, "area")
    base = 0.0
    if rest and isinstance(rest[0], float):
        base, rest = rest[0], rest[1:]
    axes = target or current_axes(scene)
    check_pairs("area", axes, rest)
    prepare(axes, box=True)
    set_ruler(axes, "X", ruler)
    below: Numbers | None = None
    made = []
    for k in range(y.shape[1]):
        column = y[:, k].astype(float)
        node = make(
            "area",
            axes,
            (),
            XData=x.reshape(1, -1),
            YData=column.reshape(1, -1),
            FaceColor=next_color(axes),
            BaseValue=base,
        )
        if below is not None:
            node.info["below"] = below
        below = np.nan_to_num(column) + (0 if below is None else below)
        set_pairs(node, rest)
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


# -- histograms ----------------------------------------------------------------------------------


@builtin("graphics.hist", family="plot/bars", nargin=(1, None), nargout=0, needs=("interp",))
def hist(*args: Any, interp: Interp) -> None:
    """Draw the counts of elements in bins; what hist without outputs calls.

    hist(Y), hist(Y, NBINS), hist(Y, CENTERS)

    Examples:
        >> hist([1 2 2 3 3 3]); class(gca)
        ans =
            'matlab.graphics.axis.Axes'

    See also: histogram, bar, hist.
    """
    counted = interp.builtin("hist")
    assert counted is not None
    counts, centres = (interp.to_python(v) for v in counted(2, *args[:2]))
    counts = np.asarray(counts, float)
    counts = counts.reshape(-1, 1) if min(counts.shape, default=1) == 1 else counts
    _bars([interp.to_matlab(v) for v in (np.ravel(centres), counts, "hist")], interp, False)


_NAMES = (
    "normalization",
    "displaystyle",
    "binwidth",
    "binlimits",
    "numbins",
    "binmethod",
    "facecolor",
    "edgecolor",
    "facealpha",
    "orientation",
    "linewidth",
    "displayname",
    "binedges",
    "bincounts",
    "edgealpha",
    "linestyle",
    "tag",
    "userdata",
    "categories",
    "parent",
)


@builtin("histogram", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def histogram(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how many elements lie in bins.

    histogram(X), histogram(X, NBINS), histogram(X, EDGES)
    histogram("BinEdges", EDGES, "BinCounts", COUNTS)
    histogram(…, NAME, VALUE) with BinWidth, BinLimits, BinMethod, Normalization, DisplayStyle
    H = histogram(…) gives the histogram, with Values, BinEdges and BinWidth

    Examples:
        >> h = histogram([1 2 2 3 3 3], 'BinMethod', 'integers'); h.Values
        ans =
             1     2     3

    See also: histcounts, histogram2, bar, hist.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    raw = list(args)[len(args) - len(rest) :]
    axes = target or current_axes(scene)
    node = _histogram(axes, rest, raw, interp)
    return given(nargout, node)


def _histogram(
    axes: Node, rest: list[Any], raw: list[Any], interp: Interp, box: bool = True
) -> Node:
    at = 0
    while at < len(rest) and not (isinstance(rest[at], str) and rest[at].lower() in _NAMES):
        at += 1
    data, pairs = rest[:at], rest[at:]
    found = data_in(data[0], "histogram categories") if data else None
    if data and found is None:
        raise MatlabError(
            "MATLAB:histogram:InvalidInput", "The data must be numeric, logical or categorical."
        )
    options: list[Any] = [] if len(data) < 2 else [data[1]]
    looks: list[Any] = []
    known: dict[str, Any] = {}
    for name, value in zip(pairs[::2], pairs[1::2], strict=False):
        low = name.lower()
        if low in ("binwidth", "binlimits", "numbins", "binmethod", "binedges", "normalization"):
            options += [name, value]
            known[low] = value
        elif low == "bincounts":
            known[low] = value
        else:
            looks += [name, value]
    check_pairs("histogram", axes, looks)
    counted = interp.builtin("histcounts")
    assert counted is not None
    names: list[str] = []
    if "bincounts" in known:
        counts, edges = (
            np.ravel(known["bincounts"]).astype(float),
            np.ravel(known["binedges"]).astype(float),
        )
    elif found is not None and isinstance(found.ruler, list):
        names = found.ruler
        counts = np.array([float(np.sum(found.values == k + 1)) for k in range(len(names))])
        if str(known.get("normalization", "count")).lower() in ("probability", "percentage"):
            counts = counts / max(counts.sum(), 1)
        edges = np.arange(0.5, len(names) + 1)
    else:
        values = found.values if found is not None else np.zeros((0, 0))
        out = counted(2, interp.to_matlab(values), *[interp.to_matlab(o) for o in options])
        counts, edges = (np.ravel(np.asarray(interp.to_python(v), float)) for v in out)
    prepare(axes, box=box)
    if names:
        set_ruler(axes, "X", names)
    elif found is not None:
        set_ruler(axes, "X", found.ruler)
    node = make("histogram", axes, ())
    color = next_color(axes)
    node.info["color"] = tuple(float(part) for part in color.ravel())
    node.values.update(
        BinEdges=edges.reshape(1, -1),
        BinCounts=counts.reshape(1, -1),
        Normalization=known.get("normalization", "count"),
        NumBins=float(counts.size),
    )
    node.info["values"] = counts.reshape(1, -1)
    if found is not None:
        node.values["Data"] = found.values
    if names:
        node.values["Categories"] = names
    steps = np.diff(edges)
    if steps.size:
        same = np.allclose(steps, steps[0])
        node.values["BinWidth"] = float(steps[0]) if same else "nonuniform"
    set_pairs(node, looks)
    axes.scene.revision += 1
    return node


@computed("histogram histogram2", "Values")
def _values(node: Node) -> Any:
    return node.info.get("values", np.zeros((0, 0)))


@computed("histogram", "BinLimits")
def _bin_limits(node: Node) -> Any:
    edges = np.ravel(node["BinEdges"])
    return np.array([[edges[0], edges[-1]]]) if edges.size else np.zeros((0, 0))


@builtin("histogram2", family="plot/bars", nargin=(2, None), needs=("nargout", "interp"))
def histogram2(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how many pairs of elements lie in bins of the plane.

    histogram2(X, Y), histogram2(X, Y, NBINS), histogram2(X, Y, XEDGES, YEDGES)
    histogram2(…, "DisplayStyle", "tile") colours tiles in place of blocks

    Examples:
        >> h = histogram2([1 1 2], [1 1 2], [0.5 1.5 2.5], [0.5 1.5 2.5]); h.Values
        ans =
             2     0
             0     1

    See also: histogram, histcounts2, imagesc.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    at = 0
    while at < len(rest) and not isinstance(rest[at], str):
        at += 1
    data, pairs = rest[:at], rest[at:]
    axes = target or current_axes(scene)
    counted = interp.builtin("histcounts2")
    assert counted is not None
    chosen, looks = read_options(
        pairs, "binwidth", "numbins", "binmethod", "showemptybins", "normalization"
    )
    chosen.pop("showemptybins", None)
    options = [part for pair in chosen.items() for part in pair]
    check_pairs("histogram2", axes, looks)
    out = counted(3, *[interp.to_matlab(v) for v in (*data, *options)])
    counts, xs, ys = (np.asarray(interp.to_python(v), float) for v in out)
    prepare(axes)
    node = make("histogram2", axes, (), XBinEdges=xs.reshape(1, -1), YBinEdges=ys.reshape(1, -1))
    node.info["values"] = counts
    set_pairs(node, looks)
    if node["DisplayStyle"] != "tile":
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
        for name in "XYZ":
            axes.values.setdefault(f"{name}Grid", "on")
    scene.revision += 1
    return given(nargout, node)


# -- pies and boxes ------------------------------------------------------------------------------


@builtin("pie", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def pie(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw shares of a whole as slices.

    pie(X), pie(X, EXPLODE), pie(X, LABELS), pie(X, EXPLODE, LABELS), pie(AX, …)
    Sums below 1 leave a gap; P = pie(…) gives patches and texts in turn

    Examples:
        >> p = pie([1 3]); p(2).String
        ans =
            '25%'

    See also: bar, patch.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x = numbers_in(rest[0], "pie").ravel().astype(float)
    if not x.size or not np.all(np.isfinite(x)) or np.any(x < 0) or not x.sum():
        raise MatlabError(
            "MATLAB:pie:NonPositiveData", "Input must contain finite, non-negative data."
        )
    explode, words = np.zeros(x.size), None
    for value in rest[1:]:
        if isinstance(value, list):
            if value and all(isinstance(v, str) for v in value):
                words = value
            continue
        if isinstance(value, np.ndarray) and value.dtype == object:
            words = [str(v) for v in value.ravel()]
        elif isinstance(value, str):
            words = [value]
        else:
            explode = numbers_in(value, "pie").ravel()
    if explode.size != x.size or (words is not None and len(words) != x.size):
        raise MatlabError(
            "MATLAB:pie:MismatchedArgs", "The number of labels and X must be the same."
        )
    part = x / x.sum() if x.sum() > 1 + np.sqrt(np.finfo(float).eps) else x
    axes = target or current_axes(scene)
    prepare(axes)
    made: list[Node] = []
    start = np.pi / 2
    for k, share in enumerate(part.tolist()):
        if share <= 0:
            continue
        count = max(1, int(np.ceil(100 * share)))
        turn = np.concatenate(
            [[start], start + np.arange(count + 1) / count * share * 2 * np.pi, [start]]
        )
        radius = np.concatenate([[0], np.ones(count + 1), [0]])
        middle = start + share * np.pi
        away = 0.1 * np.array([np.cos(middle), np.sin(middle)]) * (explode[k] != 0)
        xs, ys = radius * np.cos(turn) + away[0], radius * np.sin(turn) + away[1]
        node = make("patch", axes, (), FaceColor="flat", CDataMapping="direct")
        node.values.update(
            Vertices=np.column_stack([xs, ys]),
            Faces=np.arange(1.0, xs.size + 1).reshape(1, -1),
            FaceVertexCData=np.full((1, 1), k + 1.0),
        )
        node.values["FaceVertexCData"] = _slice_color(axes, k, x.size)
        label = words[k] if words is not None else f"{round(share * 100):d}%"
        if words is None and round(share * 100) == 0:
            label = "< 1%"
        at = np.array([[1.2 * np.cos(middle) + away[0], 1.2 * np.sin(middle) + away[1], 0.0]])
        side = "center" if abs(np.cos(middle)) < 0.1 else "left" if np.cos(middle) > 0 else "right"
        text = make("text", axes, (), Position=at, String=label, HorizontalAlignment=side)
        made += [node, text]
        start += share * 2 * np.pi
    axes.values.update(
        Visible="off",
        XLim=np.array([[-1.2, 1.2]]),
        YLim=np.array([[-1.2, 1.2]]),
        XLimMode="manual",
        YLimMode="manual",
        DataAspectRatioMode="manual",
        DataAspectRatio=np.ones((1, 3)),
    )
    axes.info["image"] = True
    scene.revision += 1
    return None if not nargout else np.array([made], dtype=object)


def _slice_color(axes: Node, k: int, count: int) -> Numbers:
    table = np.asarray(axes["Colormap"], float)
    at = round(k / max(count - 1, 1) * (len(table) - 1))
    color: Numbers = table[[at]]
    return color


@builtin("boxchart", "boxplot", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def boxchart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw medians, quartiles and outliers of data.

    boxchart(Y) draws a box for each column, boxchart(G, Y) one for each group
    boxchart(…, NAME, VALUE), boxchart(AX, …); boxplot takes the same data

    Examples:
        >> b = boxchart([1 2 3; 4 5 6]); numel(b.YData)
        ans =
             6

    See also: histogram, errorbar, quantile.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = []
    while rest and not isinstance(rest[0], str):
        found = data_in(rest[0], "boxchart categories")
        if found is None:
            break
        data.append(found)
        rest = rest[1:]
    if not data:
        raise not_enough()
    if len(data) > 2:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if len(data) == 2 and data[0].values.size != data[1].values.size:
        raise MatlabError("MATLAB:samelen", "Grouping variable and data must have the same length.")
    axes = target or current_axes(scene)
    _, rest = read_options(rest, "labels", "notch", "whisker")
    check_pairs("boxchart", axes, rest)
    prepare(axes, box=True)
    ruler: Any
    if len(data) == 1:
        y = data[0].values
        y = y.reshape(-1, 1) if min(y.shape) == 1 else y
        groups = np.repeat(np.arange(1.0, y.shape[1] + 1), y.shape[0])
        ruler = [str(k + 1) for k in range(y.shape[1])]
    else:
        first, second = data
        groups, y, ruler = first.values.ravel(), second.values, first.ruler
    if isinstance(ruler, list):
        set_ruler(axes, "X", ruler)
    color = next_color(axes)
    node = make(
        "boxchart",
        axes,
        (),
        XData=groups.reshape(-1, 1),
        YData=y.ravel(order="F").reshape(-1, 1),
        BoxFaceColor=color,
        MarkerColor=color,
    )
    set_pairs(node, rest)
    scene.revision += 1
    return given(nargout, node)


@builtin("heatmap", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def heatmap(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a matrix as coloured cells with their numbers.

    heatmap(DATA), heatmap(XNAMES, YNAMES, DATA), heatmap(…, NAME, VALUE); H = heatmap(…)

    Examples:
        >> h = heatmap([1 2; 3 4]); h.ColorData
        ans =
             1     2
             3     4

    See also: imagesc, colormap.
    """
    from runmat_plot.functions.support import current_figure, set_current_axes
    from runmat_plot.scene.properties import lines_of

    scene = scene_of(interp)
    rest = python(interp, args)
    figure = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        figure, rest = rest[0], rest[1:]
    names: list[Any] = [None, None]
    if len(rest) >= 3 and not isinstance(rest[2], str):
        names, rest = rest[:2], rest[2:]
    data = numbers_in(rest[0], "heatmap").astype(float)
    if data.ndim != 2:
        raise MatlabError("MATLAB:graphics:heatmap:InvalidData", "The data must be a matrix.")
    words = []
    for given_names, count in ((names[0], data.shape[1]), (names[1], data.shape[0])):
        found = [str(k + 1) for k in range(count)] if given_names is None else lines_of(given_names)
        found = [found] if isinstance(found, str) else found
        if found is None or len(found) != count:
            raise MatlabError(
                "MATLAB:graphics:heatmap:InvalidNames",
                "There must be a name for each row and column.",
            )
        words.append(found)
    position = np.array([[0.13, 0.11, 0.775, 0.815]])
    present = figure["CurrentAxes"]
    if present is not None and not present.deleted:
        position = present["Position"]
    node = make("heatmap", figure, rest[1:], ColorData=data, Position=position)
    if present is not None and not present.deleted and not holds(present):
        present.delete()
    node.info.update(columns=words[0], rows=words[1])
    set_current_axes(node)
    return given(nargout, node)
