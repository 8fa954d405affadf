"""Charts of how data is distributed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    bad_data,
    data_in,
    not_enough,
    number_in,
    numbers_in,
    parts_in,
    python,
    texts_in,
    vector_in,
)
from runmat_plot.functions.bars import draw_bars
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
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.extents import density
from runmat_plot.scene.node import Node


@builtin("pareto", family="plot/bars", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def pareto(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw bars from the highest down, and the line of their sums.

    pareto(Y), pareto(Y, X) with names or numbers of the bars, pareto(Y, X, THRESHOLD) with the part
    of the sum that is shown, 0.95 without it; pareto(AX, …)
    [H, AX] = pareto(…) gives bars and line, and the axes of both sides

    Examples:
        >> h = pareto([1 5 2]); h(1).YData
        ans =
             5     2     1

    See also: bar, histogram.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    y = numbers_in(rest[0], "pareto").ravel().astype(float)
    if np.any(y < 0) or not y.size:
        raise MatlabError("MATLAB:pareto:NegativeData", "Y must be non-negative.")
    order = np.argsort(-y, kind="stable")
    names = [str(k + 1) for k in range(y.size)]
    if len(rest) > 1 and (found := texts_in(rest[1])) is not None:
        names = found
    elif len(rest) > 1 and (numbers := numbers_in(rest[1], "pareto")).size:
        names = [f"{value:g}" for value in numbers.ravel()]
    if len(names) != y.size:
        raise MatlabError("MATLAB:samelen", "There must be a name for each bar.")
    limit = number_in(rest[2], "pareto") if len(rest) > 2 else 0.95
    sums = np.cumsum(y[order])
    total = float(sums[-1]) or 1.0
    shown = int(np.searchsorted(sums / total, limit)) + 1 if y.size > 10 else y.size
    shown = min(shown, 10, y.size) if y.size > 10 else shown
    axes = target or current_axes(scene)
    values = [interp.to_matlab(v) for v in (axes, y[order][:shown].reshape(1, -1))]
    (bars,) = draw_bars(values, interp, False)
    line = make("line", axes, (), Color=next_color(axes))
    line.values.update(
        XData=np.arange(1.0, shown + 1).reshape(1, -1), YData=sums[:shown].reshape(1, -1)
    )
    axes.values.update(YLim=np.array([[0.0, total]]), YLimMode="manual")
    axes.values.update(
        XTick=np.arange(1.0, shown + 1).reshape(1, -1),
        XTickMode="manual",
        XTickLabel=[names[k] for k in order[:shown]],
        XTickLabelMode="manual",
    )
    beside = Node(scene, "axes", axes.parent, Position=axes["Position"], Color="none")
    beside.values.update(
        YAxisLocation="right",
        XLim=axes["XLim"],
        XLimMode="manual",
        YLim=np.array([[0.0, total]]),
        YLimMode="manual",
        YTick=(np.arange(11) / 10 * total).reshape(1, -1),
        YTickMode="manual",
        YTickLabel=[f"{10 * k}%" for k in range(11)],
        YTickLabelMode="manual",
        XTick=np.zeros((0, 0)),
        XTickMode="manual",
        HandleVisibility="off",
    )
    scene.revision += 1
    if nargout > 1:
        return np.array([[bars], [line]], object), np.array([[axes], [beside]], object)
    return given(nargout, [bars, line])


@builtin("violinplot", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def violinplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how data lies as the outlines of its density.

    violinplot(Y) draws a violin for each column, violinplot(G, Y) one for each group
    violinplot(…, NAME, VALUE), violinplot(AX, …); V = violinplot(…)

    Examples:
        >> v = violinplot([1 2 3; 4 5 6; 5 6 9]); numel(v)
        ans =
             3

    See also: boxchart, swarmchart, histogram.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    count = next((k for k, value in enumerate(rest) if isinstance(value, str)), len(rest))
    data, pairs = rest[:count], rest[count:]
    parts = [data_in(value, "violinplot categories") for value in data]
    if not parts or any(part is None for part in parts):
        raise not_enough()
    if any(part.values.dtype.kind == "c" for part in parts if part is not None):
        raise bad_data("violinplot")
    sizes = {part.values.size for part in parts if part is not None}
    if len(parts) > 1 and len(sizes) > 1:
        raise MatlabError("MATLAB:samelen", "The groups and the data must match.")
    axes = target or current_axes(scene)
    check_pairs("violinplot", axes, pairs)
    prepare(axes, box=True)
    if len(parts) == 1:
        assert parts[0] is not None
        y = parts[0].values.astype(float)
        y = y.reshape(-1, 1) if 1 in y.shape else y
        sets = [(k + 1.0, y[:, k]) for k in range(y.shape[1])]
        set_ruler(axes, "X", [str(k + 1) for k in range(y.shape[1])])
        together = False
    else:
        groups, values = parts[0], parts[1]
        assert groups is not None
        assert values is not None
        set_ruler(axes, "X", groups.ruler)
        at, y = groups.values.ravel(), values.values.ravel().astype(float)
        sets = [(float(key), y[at == key]) for key in np.unique(at)]
        together = True
    made: list[Node] = []
    ink = next_color(axes)
    for k, (place, y) in enumerate(sets):
        if k and not together:
            ink = next_color(axes)
        node = make("violinplot", axes, (), FaceColor=ink, EdgeColor=ink)
        node.values.update(
            XData=np.full((1, y.size), place), YData=y[np.isfinite(y)].reshape(1, -1)
        )
        set_pairs(node, pairs)
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


@builtin("histfit", family="plot/bars", nargin=(1, 4), needs=("nargout", "interp"))
def histfit(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the histogram of data, and the curve of the distribution that fits it.

    histfit(X) with a normal distribution, histfit(X, NBINS), histfit(X, NBINS, DIST) with "normal",
    "kernel", "exponential" or "lognormal"; H = histfit(…) gives the bars and the curve

    Examples:
        >> h = histfit([1 2 2 3 3 3 4 4 5]); numel(h)
        ans =
             2

    See also: histogram, normplot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    x = numbers_in(rest[0], "histfit").ravel().astype(float)
    x = x[np.isfinite(x)]
    if not x.size:
        raise MatlabError("stats:histfit:VectorRequired", "X must be a vector with data.")
    bins = int(np.ceil(np.sqrt(x.size)))
    if len(rest) > 1 and np.size(rest[1]) == 1 and not isinstance(rest[1], str):
        bins = parts_in(rest[1], 1, "histfit")
    word = "normal"
    if len(rest) > 2:
        if not isinstance(rest[2], str):
            raise MatlabError("stats:histfit:InvalidDistribution", "DIST must be a name.")
        word = rest[2].lower()
    edges = _edges(x, bins)
    counts = np.histogram(x, bins=edges)[0]
    middle = edges[1:] / 2 + edges[:-1] / 2
    axes = target or current_axes(scene)
    values = [interp.to_matlab(v) for v in (axes, middle, counts.astype(float), "hist")]
    (bars,) = draw_bars(values, interp, False)
    mean, spread = float(x.mean()), float(x.std(ddof=1)) if x.size > 1 else 1.0
    t = np.linspace(min(x.min(), mean - 3 * spread), max(x.max(), mean + 3 * spread), 200)
    curve = _density_of(word, x, t) * x.size * float(edges[1] - edges[0])
    line = make("line", axes, (), Color=np.array([[1.0, 0.0, 0.0]]), LineWidth=2.0)
    line.values.update(XData=t.reshape(1, -1), YData=curve.reshape(1, -1))
    scene.revision += 1
    return given(nargout, [bars, line])


def _edges(x: Numbers, bins: int) -> Numbers:
    """Edges of bins of equal width over data, wide enough to be distinct numbers."""
    low, high = float(x.min()) / 2, float(x.max()) / 2
    least = bins * float(np.spacing(max(abs(low), abs(high))))
    if high - low < least or high == low:
        half = max(least, 0.25) if high == low else least
        low, high = low - half, high + half
    edges: Numbers = np.clip(np.linspace(low, high, bins + 1), *(_HALVES)) * 2
    return edges


#: The least and the greatest half of a double.
_HALVES = (-np.finfo(float).max / 2, np.finfo(float).max / 2)


def _density_of(word: str, x: Numbers, t: Numbers) -> Numbers:
    """The density of the distribution that fits data, at some points."""
    if word in ("normal", "gaussian"):
        spread = max(float(x.std(ddof=1)), 1e-300) if x.size > 1 else 1.0
        found = np.exp(-(((t - x.mean()) / spread) ** 2) / 2)
        return np.asarray(found / (spread * np.sqrt(2 * np.pi)))
    if word == "kernel":
        return density(x, t)
    if word == "exponential":
        return np.where(t >= 0, np.exp(-t / x.mean()) / x.mean(), 0.0)
    if word == "lognormal":
        logs = np.log(x)
        spread = max(float(logs.std(ddof=1)), 1e-300)
        positive = np.where(t > 0, t, np.nan)
        found = np.exp(-(((np.log(positive) - logs.mean()) / spread) ** 2) / 2)
        made: Numbers = np.nan_to_num(found / (positive * spread * np.sqrt(2 * np.pi)))
        return made
    raise MatlabError("stats:histfit:InvalidDistribution", f"Unknown distribution '{word}'.")


def _normal_scores(count: int) -> Numbers:
    """Quantiles of the normal distribution where so many sorted elements are to lie."""
    from statistics import NormalDist

    inverse = NormalDist().inv_cdf
    return np.array([inverse((k + 0.5) / count) for k in range(count)])


def _quartile_line(axes: Node, x: Numbers, y: Numbers) -> list[Node]:
    """The line through the quartiles of points, full between them and dashed beyond."""
    q = np.array([0.25, 0.75])
    at = q * x.size - 0.5
    px, py = (np.interp(at, np.arange(v.size), v) for v in (x, y))
    slope = (py[1] - py[0]) / ((px[1] - px[0]) or 1.0)
    ends = np.array([x.min(), x.max()])
    made = []
    for xs, style in ((px, "-"), (ends, "-.")):
        node = make("line", axes, (), LineStyle=style, Color=np.array([[0.85, 0.325, 0.098]]))
        node.values.update(
            XData=xs.reshape(1, -1), YData=(py[0] + slope * (xs - px[0])).reshape(1, -1)
        )
        made.append(node)
    return made


def _crosses(axes: Node, x: Numbers, y: Numbers) -> Node:
    node = make("line", axes, (), LineStyle="none", Marker="+", Color=next_color(axes))
    node.values.update(XData=x.reshape(1, -1), YData=y.reshape(1, -1))
    return node


@builtin("normplot", family="plot/bars", nargin=(1, 2), needs=("nargout", "interp"))
def normplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw data against what a normal distribution would give; normal data lies on a line.

    normplot(X) of a vector, or of each column of a matrix; normplot(AX, X)

    Examples:
        >> h = normplot([1 2 3 4 9]); h(1).XData
        ans =
             1     2     3     4     9

    See also: qqplot, histfit.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = numbers_in(rest[0], "normplot").astype(float)
    data = data.reshape(-1, 1) if 1 in data.shape else data
    if data.ndim != 2:
        raise MatlabError("stats:normplot:InvalidData", "X must be a vector or a matrix.")
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    made: list[Node] = []
    for column in data.T:
        x = np.sort(column[np.isfinite(column)])
        scores = _normal_scores(x.size)
        made.append(_crosses(axes, x, scores))
        made += _quartile_line(axes, x, scores) if x.size else []
    from statistics import NormalDist

    parts = np.array([0.003, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 0.997])
    inverse = NormalDist().inv_cdf
    axes.values.update(
        YTick=np.array([[inverse(p) for p in parts]]),
        YTickMode="manual",
        YTickLabel=[f"{p:g}" for p in parts],
        YTickLabelMode="manual",
        XGrid="on",
        YGrid="on",
    )
    axes.label("Title").assign("String", "Normal Probability Plot")
    axes.label("XLabel").assign("String", "Data")
    axes.label("YLabel").assign("String", "Probability")
    scene.revision += 1
    return given(nargout, made)


@builtin("qqplot", family="plot/bars", nargin=(1, 3), needs=("nargout", "interp"))
def qqplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the quantiles of data against those of the normal distribution, or of other data.

    qqplot(X), qqplot(X, Y), qqplot(AX, …); H = qqplot(…) gives points and lines

    Examples:
        >> h = qqplot([3 1 2]); h(1).YData
        ans =
             1     2     3

    See also: normplot, histfit.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    samples = [np.sort(numbers_in(v, "qqplot").ravel().astype(float)) for v in rest]
    samples = [part[np.isfinite(part)] for part in samples]
    if not samples or not all(part.size for part in samples):
        raise not_enough()
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    if len(samples) == 1:
        y = samples[0]
        x = _normal_scores(y.size)
        words = ("Standard Normal Quantiles", "Quantiles of Input Sample")
        title = "QQ Plot of Sample Data versus Standard Normal"
    else:
        count = min(part.size for part in samples)
        at = (np.arange(count) + 0.5) / count
        x, y = (np.interp(at * p.size - 0.5, np.arange(p.size), p) for p in samples[:2])
        words, title = ("X Quantiles", "Y Quantiles"), ""
    made = [_crosses(axes, x, y), *_quartile_line(axes, x, y)]
    axes.label("XLabel").assign("String", words[0])
    axes.label("YLabel").assign("String", words[1])
    axes.label("Title").assign("String", title)
    scene.revision += 1
    return given(nargout, made)


def _fits(lines: Sequence[Node]) -> list[tuple[Node, Numbers]]:
    """Points without lines between them, with the polynomials of first degree that fit them."""
    found = []
    for node in lines:
        if node.kind.name == "scatter" or (
            node.kind.name == "line" and node["LineStyle"] in ("none", ":")
        ):
            x, y = np.ravel(node["XData"]).astype(float), np.ravel(node["YData"]).astype(float)
            good = np.isfinite(x) & np.isfinite(y)
            if good.sum() > 1:
                found.append((node, np.polyfit(x[good], y[good], 1)))
    return found


def _straight(axes: Node, slope: float, start: float, ink: Any) -> Node:
    limits = axes["XLim"].ravel()
    node = make("line", axes, (), Color=ink)
    node.values.update(XData=limits.reshape(1, 2), YData=(slope * limits + start).reshape(1, 2))
    return node


@builtin("lsline", family="plot/lines", nargin=(0, 1), needs=("nargout", "interp"))
def lsline(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add the lines that fit points best to axes.

    lsline, lsline(AX); H = lsline gives the lines

    Examples:
        >> plot(1:3, [2 4 6], 'o'); h = lsline; round(h.YData)
        ans =
             2     6

    See also: refline, polyfit.
    """
    scene = scene_of(interp)
    target, _ = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    made = []
    for node, (slope, start) in _fits(list(axes.children)):
        ink = node["Color"] if "color" in node.kind.properties else node["CData"][:1]
        made.append(_straight(axes, slope, start, ink if np.size(ink) == 3 else np.zeros((1, 3))))
    scene.revision += 1
    return given(nargout, made[::-1])


@builtin("refline", family="plot/lines", nargin=(0, 3), needs=("nargout", "interp"))
def refline(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a straight line to axes.

    refline(SLOPE, START), refline([SLOPE START]), refline as lsline does, refline(AX, …)

    Examples:
        >> plot(0:2, 0:2); h = refline(2, 1); h.YData
        ans =
             1     5

    See also: lsline, yline.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        return lsline(*args, nargout=nargout, interp=interp)
    if len(rest) > 1:
        slope, start = (number_in(value, "refline") for value in rest[:2])
    else:
        numbers = vector_in(rest[0], "refline", 1, 2)
        slope, start = (0.0, float(numbers[0])) if numbers.size == 1 else numbers.tolist()
    axes = target or current_axes(scene)
    node = _straight(axes, slope, start, next_color(axes))
    scene.revision += 1
    return given(nargout, node)
