"""Histograms: bins of one variable and of two."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import data_in, number_in, python, read_options
from runmat_plot.functions.bars import draw_bars
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    current_axes,
    given,
    make,
    node_in,
    prepare,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.node import Node, computed, when_set

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
    target, values = take_axes(scene_of(interp), python(interp, args))
    values = values[: next((k for k, v in enumerate(values) if isinstance(v, str)), 3)]
    counted = interp.builtin("hist")
    assert counted is not None
    counts, centres = (interp.to_python(v) for v in counted(2, *map(interp.to_matlab, values[:2])))
    counts = np.asarray(counts, float)
    if len(values) > 2:
        # the sum of the counts is to be this
        counts = (
            counts / counts.sum(axis=0, keepdims=counts.ndim > 1) * number_in(values[2], "hist")
        )
    counts = counts.reshape(-1, 1) if min(counts.shape, default=1) == 1 else counts
    lead = [] if target is None else [interp.to_matlab(target)]
    draw_bars([*lead, *map(interp.to_matlab, (np.ravel(centres), counts, "hist"))], interp, False)


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
    node = make_histogram(axes, rest, raw, interp)
    return given(nargout, node)


def make_histogram(
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
    chosen = [("BinEdges" if np.size(v) > 1 else "NumBins", v) for v in data[1:2]]
    chosen += [(_BINS[name], known[name]) for name in _BINS if name in known]
    node.info["bins"] = [pair for pair in chosen if pair[0] != "BinLimits"][:1]
    if "binlimits" in known:
        limits = np.reshape(np.asarray(known["binlimits"], float), (1, -1))
        node.values.update(BinLimits=limits, BinLimitsMode="manual")
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


#: Properties that choose bins, by the name of the option.
_BINS = {
    "binedges": "BinEdges",
    "numbins": "NumBins",
    "binwidth": "BinWidth",
    "binmethod": "BinMethod",
    "binlimits": "BinLimits",
}


def _choose(name: str) -> None:
    """Let a property choose the bins when it is set."""

    @when_set("histogram", name)
    def choose(node: Node, value: Any) -> None:
        if name == "BinLimits":
            node.info["bins"] = node.info.get("bins") or [("NumBins", node["NumBins"])]
        else:
            node.info["bins"] = [(name, value)]
        if name == "BinEdges":
            node.values["BinLimitsMode"] = "auto"
        _recount(node)


for _name in _BINS.values():
    _choose(_name)


@when_set("histogram", "Data")
def _count_other_data(node: Node, value: Any) -> None:
    _recount(node)


@when_set("histogram", "Normalization")
def _normalize(node: Node, value: Any) -> None:
    _recount(node, [("BinEdges", node["BinEdges"])])


@when_set("histogram", "BinCounts")
def _take_counts(node: Node, value: Any) -> None:
    node.info["values"] = np.reshape(np.asarray(value, float), (1, -1))


def _recount(node: Node, bins: list[tuple[str, Any]] | None = None) -> None:
    """Count the data anew, in the bins that were chosen last unless others are given."""
    if "Data" not in node.values or "Categories" in node.values:
        return
    interp = node.scene.interp
    chosen = list(node.info.get("bins", ()) if bins is None else bins)
    fixed = any(name == "BinEdges" for name, _ in chosen)
    if node.values.get("BinLimitsMode") == "manual" and not fixed:
        chosen.append(("BinLimits", node.values["BinLimits"]))
    chosen.append(("Normalization", node["Normalization"]))
    counted = interp.builtin("histcounts")
    assert counted is not None
    options = [interp.to_matlab(part) for pair in chosen for part in pair]
    out = counted(2, interp.to_matlab(node.values["Data"]), *options)
    counts, edges = (np.asarray(interp.to_python(v), float).reshape(1, -1) for v in out)
    steps = np.diff(edges[0])
    node.info["values"] = counts
    node.values.update(BinEdges=edges, BinCounts=counts, NumBins=float(counts.size))
    if steps.size:
        node.values["BinWidth"] = float(steps[0]) if np.allclose(steps, steps[0]) else "nonuniform"
    node.scene.revision += 1


def _with_other_bins(name: str, handle: Any, interp: Interp) -> float:
    """Change the number of bins of a histogram by a tenth, and by one at least.

    Returns:
        The new number.

    Raises:
        MatlabError: the object is no histogram.
    """
    node = node_in(scene_of(interp), interp.to_python(handle), ("histogram",))
    if node is None:
        raise MatlabError(f"MATLAB:{name}:InvalidInput", "The first argument must be a histogram.")
    count = float(node["NumBins"])
    step = max(1.0, round(count / 10))
    node.assign("NumBins", count + step if name == "morebins" else max(count - step, 1.0))
    return float(node["NumBins"])


@builtin("morebins", family="plot/bars", nargin=(1, 1), needs=("interp",))
def morebins(handle: Any, *, interp: Interp) -> Any:
    """Count in more bins: a tenth more of them, and one at least.

    N = morebins(H) gives the new number of bins of the histogram H

    Examples:
        >> h = histogram(1:10, 5); morebins(h)
        ans =
             6

    See also: fewerbins, histogram.
    """
    return _with_other_bins("morebins", handle, interp)


@builtin("fewerbins", family="plot/bars", nargin=(1, 1), needs=("interp",))
def fewerbins(handle: Any, *, interp: Interp) -> Any:
    """Count in fewer bins: a tenth fewer of them, and one at least.

    N = fewerbins(H) gives the new number of bins of the histogram H

    Examples:
        >> h = histogram(1:10, 5); fewerbins(h)
        ans =
             4

    See also: morebins, histogram.
    """
    return _with_other_bins("fewerbins", handle, interp)


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
