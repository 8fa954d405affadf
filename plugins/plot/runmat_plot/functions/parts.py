"""Pies, boxes and heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    data_in,
    not_enough,
    numbers_in,
    python,
    read_options,
    take_table,
    texts_in,
)
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
)
from runmat_plot.scene import ticks
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import color, line_spec
from runmat_plot.scene.node import Node

# -- pies and boxes ------------------------------------------------------------------------------


class Slice(NamedTuple):
    """A slice of a disc.

    Attributes:
        place, of: which slice it is, of how many.
        x, y: its outline, from the middle along the arc and back.
        away: a point on the arc's middle, as far out as the slice is moved.
        label: what stands beside it.
    """

    place: int
    of: int
    x: Numbers
    y: Numbers
    away: tuple[float, float]
    label: str


def slices_in(rest: Sequence[Any], name: str) -> list[Slice]:
    """The slices that arguments of a pie describe.

    Raises:
        MatlabError: data that is negative or not finite, or labels that do not match it.
    """
    x = numbers_in(rest[0], name).ravel().astype(float)
    if not x.size or not np.all(np.isfinite(x)) or np.any(x < 0) or not x.sum():
        raise MatlabError(
            f"MATLAB:{name}:NonPositiveData", "Input must contain finite, non-negative data."
        )
    explode, words = np.zeros(x.size), None
    for value in rest[1:]:
        found = texts_in(value)
        if isinstance(value, str) and "%" in value:
            words = [ticks.formatted(100 * float(part), value) for part in x / x.sum()]
        elif found is not None:
            words = found
        elif not isinstance(value, list):
            explode = numbers_in(value, name).ravel()
    if explode.size != x.size or (words is not None and len(words) != x.size):
        raise MatlabError(
            f"MATLAB:{name}:MismatchedArgs", "The number of labels and X must be the same."
        )
    shares = x / x.sum() if x.sum() > 1 + np.sqrt(np.finfo(float).eps) else x
    made = []
    start = np.pi / 2
    for k, share in enumerate(shares.tolist()):
        if share <= 0:
            continue
        count = max(1, int(np.ceil(100 * share)))
        arc = start + np.arange(count + 1) / count * share * 2 * np.pi
        middle = start + share * np.pi
        out = 0.1 * (explode[k] != 0)
        shift = out * np.array([np.cos(middle), np.sin(middle)])
        xs = np.concatenate([[0], np.cos(arc), [0]]) + shift[0]
        ys = np.concatenate([[0], np.sin(arc), [0]]) + shift[1]
        label = words[k] if words is not None else f"{round(share * 100):d}%"
        if words is None and round(share * 100) == 0:
            label = "< 1%"
        away = ((1 + out) * np.cos(middle), (1 + out) * np.sin(middle))
        made.append(Slice(k, x.size, xs, ys, away, label))
        start += share * 2 * np.pi
    return made


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
    parts = slices_in(rest, "pie")
    axes = target or current_axes(scene)
    prepare(axes)
    made: list[Node] = []
    for part in parts:
        node = make("patch", axes, (), FaceColor="flat", CDataMapping="direct")
        node.values.update(
            Vertices=np.column_stack([part.x, part.y]),
            Faces=np.arange(1.0, part.x.size + 1).reshape(1, -1),
            FaceVertexCData=slice_color(axes, part.place, part.of),
        )
        across = part.away[0] / float(np.hypot(*part.away))
        side = "center" if abs(across) < 0.1 else "left" if across > 0 else "right"
        at = np.array([[1.2 * part.away[0], 1.2 * part.away[1], 0.0]])
        text = make("text", axes, (), Position=at, String=part.label, HorizontalAlignment=side)
        made += [node, text]
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


def slice_color(axes: Node, k: int, count: int) -> Numbers:
    """The colour of a slice: the slices share the colour map."""
    table = np.asarray(axes["Colormap"], float)
    at = round(k / max(count - 1, 1) * (len(table) - 1))
    color: Numbers = table[[at]]
    return color


@builtin("boxchart", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def boxchart(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw medians, quartiles and outliers of data.

    boxchart(Y) draws a box for each column, boxchart(G, Y) one for each group
    boxchart(…, NAME, VALUE), boxchart(AX, …)

    Examples:
        >> b = boxchart([1 2 3; 4 5 6]); numel(b.YData)
        ans =
             6

    See also: boxplot, histogram, errorbar, quantile.
    """
    return given(nargout, _boxes("boxchart", args, interp))


#: Properties of boxplot: red medians and outliers, blue boxes that are not filled.
_BOXPLOT: dict[str, Any] = {
    "BoxFaceColor": "none",
    "BoxEdgeColor": np.array([[0.0, 0.0, 1.0]]),
    "BoxMedianLineColor": np.array([[1.0, 0.0, 0.0]]),
    "WhiskerLineColor": np.zeros((1, 3)),
    "WhiskerLineStyle": "--",
    "MarkerColor": np.array([[1.0, 0.0, 0.0]]),
    "MarkerStyle": "+",
    "LineWidth": 0.5,
}


@builtin("boxplot", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def boxplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw medians, quartiles and outliers of data as boxes that are not filled.

    boxplot(X) draws a box for each column, boxplot(X, G) one for each group
    boxplot(…, "Labels", TEXTS), boxplot(…, "Notch", "on"), boxplot(…, "Orientation", "horizontal")
    boxplot(…, "Colors", COLOR), boxplot(…, "Symbol", SPEC), boxplot(AX, …)

    Examples:
        >> boxplot([1 2 3; 4 5 6]); xticklabels
        ans =
          3×1 cell array
            {'1'}
            {'2'}
            {'3'}

    See also: boxchart, histogram.
    """
    return given(nargout, _boxes("boxplot", args, interp))


def _boxes(name: str, args: Sequence[Any], interp: Interp) -> Node | list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = []
    while rest and not isinstance(rest[0], str):
        names = texts_in(rest[0])
        found = data_in(np.array([names], object) if names else rest[0], "boxchart categories")
        if found is None:
            break
        data.append(found)
        rest = rest[1:]
    if not data:
        raise not_enough()
    if len(data) > 2:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    labels: list[str] | None = None
    if len(data) == 2 and name == "boxplot" and isinstance(data[1].ruler, list):
        columns = data[0].values.shape[1] if min(data[0].values.shape) > 1 else 1
        if data[1].values.size == columns != data[0].values.size:
            labels = [data[1].ruler[int(k) - 1] for k in data[1].values.ravel()]
            data = data[:1]
    if len(data) == 2 and data[0].values.size != data[1].values.size:
        raise MatlabError("MATLAB:samelen", "Grouping variable and data must have the same length.")
    axes = target or current_axes(scene)
    own = ("labels", "notch", "whisker", "colors", "symbol", "plotstyle", "widths")
    options, rest = read_options(rest, *(own if name == "boxplot" else ("groupbycolor",)))
    check_pairs("boxchart", axes, rest)
    words = labels or texts_in(options.get("labels"))
    prepare(axes, box=True)
    ruler: Any
    if len(data) == 1:
        y = data[0].values
        y = y.reshape(-1, 1) if min(y.shape) == 1 else y
        groups = np.repeat(np.arange(1.0, y.shape[1] + 1), y.shape[0])
        ruler = [str(k + 1) for k in range(y.shape[1])]
    else:
        first, second = data if name == "boxchart" else data[::-1]
        groups, y, ruler = first.values.ravel(), second.values, first.ruler
    if isinstance(ruler, list) and words is not None and len(words) == len(ruler):
        ruler = words
    way = "X"
    if any(str(value).lower() == "horizontal" for value in rest[1::2]):
        way = "Y"
    if isinstance(ruler, list):
        set_ruler(axes, way, ruler)
    if "groupbycolor" in options:
        return _grouped_boxes(axes, groups, y, options["groupbycolor"], rest)
    ink = next_color(axes)
    node = make(
        "boxchart",
        axes,
        (),
        XData=groups.reshape(-1, 1),
        YData=y.ravel(order="F").reshape(-1, 1),
        BoxFaceColor=ink,
        MarkerColor=ink,
    )
    if name == "boxplot":
        node.values.update(_BOXPLOT)
        _boxplot_look(node, options)
    set_pairs(node, rest)
    scene.revision += 1
    return node


def _grouped_boxes(
    axes: Node, groups: Numbers, y: Numbers, given_groups: Any, pairs: Sequence[Any]
) -> list[Node]:
    """Boxes beside each other, in a colour for each group.

    Raises:
        MatlabError: the groups are not one for each element of the data.
    """
    words = texts_in(given_groups)
    found = data_in(np.array([words], object) if words else given_groups, "boxchart categories")
    values = y.ravel(order="F")
    if found is None or found.values.size != values.size:
        raise MatlabError("MATLAB:samelen", "Grouping variable and data must have the same length.")
    colors = found.values.ravel(order="F")
    keys = np.unique(colors)
    width = 0.8 / max(len(keys), 1)
    made = []
    for k, key in enumerate(keys.tolist()):
        chosen = colors == key
        ink = next_color(axes)
        shift = (k - (len(keys) - 1) / 2) * width
        named = isinstance(found.ruler, list)
        node = make(
            "boxchart",
            axes,
            (),
            XData=groups[chosen].reshape(-1, 1) + shift,
            YData=values[chosen].reshape(-1, 1),
            BoxFaceColor=ink,
            MarkerColor=ink,
            BoxWidth=0.8 * width,
            DisplayName=found.ruler[int(key) - 1] if named else f"{key:g}",
        )
        set_pairs(node, pairs)
        made.append(node)
    axes.scene.revision += 1
    return made


def _boxplot_look(node: Node, options: dict[str, Any]) -> None:
    if "colors" in options:
        given_color = options["colors"]
        found = color(given_color[0]) if isinstance(given_color, str) and given_color else None
        if found is not None:
            node.values["BoxEdgeColor"] = np.array([found], float)
    spec = line_spec(options["symbol"]) if isinstance(options.get("symbol"), str) else None
    if spec is not None:
        node.values["MarkerStyle"] = spec.marker or "none"
        if spec.color is not None:
            node.values["MarkerColor"] = np.array([spec.color], float)
    if str(options.get("notch", "off")).lower() in ("on", "marker"):
        node.values["Notch"] = "on"


def _crossed(rest: list[Any]) -> tuple[list[Any], Numbers, list[Any]]:
    """The values of two variables, how often they occur together, and the other arguments."""
    found = [data_in(value, "heatmap") for value in rest[:2]]
    if any(part is None for part in found):
        raise MatlabError("MATLAB:graphics:heatmap:InvalidData", "The variables must be groups.")
    keys, places = [], []
    for part in found:
        assert part is not None
        own, at = np.unique(part.values.ravel(), return_inverse=True)
        named = isinstance(part.ruler, list)
        keys.append([part.ruler[int(k) - 1] if named else f"{k:g}" for k in own.tolist()])
        places.append(at.ravel())
    counts = np.zeros((len(keys[1]), len(keys[0])))
    np.add.at(counts, (places[1], places[0]), 1.0)
    return keys, counts, rest[2:]


@builtin("heatmap", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def heatmap(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a matrix as coloured cells with their numbers.

    heatmap(DATA), heatmap(XNAMES, YNAMES, DATA), heatmap(…, NAME, VALUE); H = heatmap(…)
    heatmap(T, XNAME, YNAME) counts how often values of two variables of a table occur together

    Examples:
        >> h = heatmap([1 2; 3 4]); h.ColorData
        ans =
             1     2
             3     4

    See also: imagesc, colormap.
    """
    from runmat_plot.functions.composed import new_chart
    from runmat_plot.functions.support import current_figure
    from runmat_plot.scene.properties import lines_of

    scene = scene_of(interp)
    rest = python(interp, args)
    figure = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        figure, rest = rest[0], rest[1:]
    if not rest:
        raise not_enough()
    names: list[Any] = [None, None]
    titles = take_table(rest, 2)
    if titles:
        names, data, rest = _crossed(rest)
        rest = [data, *rest]
    elif len(rest) >= 3 and not isinstance(rest[2], str):
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
    node = new_chart("heatmap", interp, figure, rest[1:])
    node.values["ColorData"] = data
    for property_name, word in zip(("XLabel", "YLabel"), titles, strict=False):
        node.assign(property_name, word)
    node.info.update(columns=words[0], rows=words[1])
    return given(nargout, node)
