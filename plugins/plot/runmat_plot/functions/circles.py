"""Polar plots, and lines that grow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, numbers_in, parts_in, python, read_options
from runmat_plot.functions.series import check_pairs, draw_lines, read_series
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    current_figure,
    deleted_on_error,
    given,
    make,
    new_axes,
    prepare,
    scene_of,
    set_current_axes,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.node import Node, Scene, computed
from runmat_plot.scene.properties import as_numbers


@contextmanager
def polar_axes(scene: Scene, target: Node | None) -> Iterator[Node]:
    """The given axes or the current ones, as polar axes.

    Others give way to new ones, unless an error ends the block: then all is as it was.
    """
    axes = target or current_axes(scene) if current_figure(scene)["CurrentAxes"] else target
    if axes is not None and axes.kind.name == "polaraxes":
        yield axes
        return
    figure = current_figure(scene)
    made = new_axes(figure, "polaraxes")
    if axes is not None:
        made.values["Position"] = axes["Position"]
    try:
        with deleted_on_error(made):
            yield made
    except MatlabError:
        if axes is not None and not axes.deleted:
            set_current_axes(axes)
        raise
    if axes is not None and not axes.deleted:
        axes.delete()
        figure.values["CurrentAxes"] = made


@builtin("polarplot", "polar", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def polarplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines in polar coordinates.

    polarplot(THETA, RHO), polarplot(RHO), polarplot(Z) with complex numbers
    polarplot(…, SPEC), polarplot(…, NAME, VALUE), polarplot(PAX, …); polar is the same

    Examples:
        >> h = polarplot([0 1 2], [1 2 3]); h.YData
        ans =
             1     2     3

    See also: polaraxes, rose, plot.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        raise not_enough()
    if (first := as_numbers(rest[0])) is not None and first.dtype.kind == "c":
        rest = [np.angle(first), np.abs(first), *rest[1:]]
    elif len(rest) == 1 or isinstance(rest[1], str):
        rho = numbers_in(rest[0], "polarplot")
        count = rho.size if min(rho.shape) == 1 else rho.shape[0]
        rest = [np.linspace(0, 2 * np.pi, count + 1)[:-1].reshape(-1, 1), rho, *rest[1:]]
    _, pairs = read_series(rest, "polarplot", interp)
    check_pairs("line", target or current_figure(scene), pairs)
    with polar_axes(scene, target) as axes:
        values = [interp.to_matlab(value) for value in (axes, *rest)]
        return given(nargout, draw_lines("line", "polarplot", values, interp))


def _angles(name: str, rest: list[Any]) -> tuple[Numbers, Numbers]:
    """Return the counts of angles in bins around the circle, and the edges of the bins."""
    theta = numbers_in(rest[0], name).ravel() % (2 * np.pi)
    theta = theta[np.isfinite(theta)]
    edges = np.linspace(0, 2 * np.pi, 21)
    if len(rest) > 1 and not isinstance(rest[1], str):
        wanted = numbers_in(rest[1], name).ravel().astype(float)
        if wanted.size == 1:
            edges = np.linspace(0, 2 * np.pi, parts_in(wanted[0], 1, name) + 1)
        elif name == "rose" and wanted.size:
            # middles of bins; the first bin begins halfway between the last one and it
            middles = np.sort(wanted % (2 * np.pi))
            ends = (middles[1:] + middles[:-1]) / 2
            first = (middles[-1] - 2 * np.pi + middles[0]) / 2
            edges = np.concatenate([[first], ends, [first + 2 * np.pi]])
            theta = first + (theta - first) % (2 * np.pi)
        elif wanted.size:
            if not (np.diff(wanted) > 0).all():
                raise MatlabError(f"MATLAB:{name}:InvalidEdges", "Edges of bins must increase.")
            edges = wanted
    elif name == "polarhistogram" and theta.size:
        count = int(np.clip(np.ceil(np.sqrt(theta.size)), 4, 36))
        edges = np.linspace(0, 2 * np.pi, count + 1)
    counts = np.histogram(theta, bins=edges)[0].astype(float)
    return counts, edges


@builtin("rose", family="plot/points", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def rose(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how many angles lie in bins around the circle, as the outlines of wedges.

    rose(THETA), rose(THETA, N) with N bins, rose(THETA, MIDDLES), rose(AX, …)
    H = rose(…) gives the line; [T, R] = rose(…) gives its points and draws nothing

    Examples:
        >> [t, r] = rose([0.1 0.2 3], 4); max(r)
        ans =
             2

    See also: polarhistogram, polarplot, compass.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        raise not_enough()
    counts, edges = _angles("rose", rest)
    radius = np.column_stack([np.zeros_like(counts), counts, counts, np.zeros_like(counts)])
    theta = np.column_stack([edges[:-1], edges[:-1], edges[1:], edges[1:]])
    if nargout > 1:
        return theta.reshape(-1, 1), radius.reshape(-1, 1)
    with polar_axes(scene, target) as axes:
        values = [interp.to_matlab(v) for v in (axes, theta.reshape(1, -1), radius.reshape(1, -1))]
        return given(nargout, draw_lines("line", "rose", values, interp))


@builtin("polarhistogram", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def polarhistogram(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how many angles lie in bins around the circle, as filled wedges.

    polarhistogram(THETA), polarhistogram(THETA, NBINS), polarhistogram(THETA, EDGES)
    polarhistogram(…, NAME, VALUE), polarhistogram(PAX, …)

    Examples:
        >> h = polarhistogram([0.1 0.2 3], 4); h.Values
        ans =
             2     1     0     0

    See also: rose, polarplot, histogram.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        raise not_enough()
    at = next((k for k, value in enumerate(rest) if isinstance(value, str)), len(rest))
    options, looks = read_options(rest[at:], "numbins", "normalization")
    data = rest[:at]
    if not data:
        raise not_enough()
    if "numbins" in options:
        data = [data[0], options["numbins"]]
    counts, edges = _angles("polarhistogram", data)
    word = str(options.get("normalization", "count")).lower()
    if word in ("probability", "pdf"):
        counts = counts / max(counts.sum(), 1)
        counts = counts / np.diff(edges) if word == "pdf" else counts
    with polar_axes(scene, target) as axes:
        check_pairs("histogram", axes, looks)
    prepare(axes)
    node = make("histogram", axes, ())
    node.info["color"] = tuple(float(part) for part in next_color(axes).ravel())
    node.values.update(BinEdges=edges.reshape(1, -1), BinCounts=counts.reshape(1, -1))
    node.values["NumBins"] = float(counts.size)
    node.info["values"] = counts.reshape(1, -1)
    set_pairs(node, looks)
    scene.revision += 1
    return given(nargout, node)


@builtin("animatedline", family="plot/points", nargin=(0, None), needs=("nargout", "interp"))
def animatedline(*args: Any, nargout: int, interp: Interp) -> Any:
    """Line to which points are added one by one.

    L = animatedline, L = animatedline(X, Y), L = animatedline(NAME, VALUE, …), animatedline(AX, …)

    Examples:
        >> l = animatedline; addpoints(l, 1, 2); addpoints(l, 2, 3); [x, y] = getpoints(l)
        x =
             1     2
        y =
             2     3

    See also: addpoints, getpoints, clearpoints, line.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = []
    while rest and not isinstance(rest[0], str):
        data.append(numbers_in(rest.pop(0), "animatedline").reshape(1, -1))
    node = make(
        "animatedline",
        target or current_axes(scene),
        rest,
        **{f"{a}Data": d for a, d in zip("XYZ", data, strict=False)},
    )
    if "Color" not in [str(w).capitalize() for w in rest[::2]]:
        node.values["Color"] = np.zeros((1, 3))
    return given(nargout, node)


def _animated(interp: Interp, value: Any) -> Node:
    node = interp.to_python(value)
    if not isinstance(node, Node) or node.kind.name != "animatedline":
        raise MatlabError(
            "MATLAB:graphics:animatedline:InvalidHandle",
            "The first argument must be an animated line.",
        )
    node.check()
    return node


@builtin("addpoints", family="plot/points", nargin=(3, 4), nargout=0, needs=("interp",))
def addpoints(line: Any, *coordinates: Any, interp: Interp) -> None:
    """Add points to an animated line.

    addpoints(L, X, Y), addpoints(L, X, Y, Z)

    Examples:
        >> l = animatedline; addpoints(l, 1:3, 4:6); numel(getpoints(l))
        ans =
             3

    See also: animatedline, clearpoints, getpoints.
    """
    node = _animated(interp, line)
    parts = [
        numbers_in(interp.to_python(value), "addpoints").reshape(1, -1) for value in coordinates
    ]
    if len({part.size for part in parts}) > 1:
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    limit = node["MaximumNumPoints"]
    for axis, part in zip("XYZ", parts, strict=False):
        old = node[f"{axis}Data"]
        whole = part if not old.size else np.concatenate([old, part], axis=1)
        if isinstance(limit, float) and np.isfinite(limit) and limit > 0:
            whole = whole[:, -int(limit) :]
        node[f"{axis}Data"] = whole


@builtin("clearpoints", family="plot/points", nargout=0, needs=("interp",))
def clearpoints(line: Any, *, interp: Interp) -> None:
    """Remove all points of an animated line.

    clearpoints(L)

    Examples:
        >> l = animatedline(1:3, 1:3); clearpoints(l); isempty(getpoints(l))
        ans =
          logical
           1

    See also: animatedline, addpoints.
    """
    node = _animated(interp, line)
    for axis in "XYZ":
        node[f"{axis}Data"] = np.zeros((0, 0))


@builtin("getpoints", family="plot/points", nargout=3, needs=("nargout", "interp"))
def getpoints(line: Any, *, nargout: int, interp: Interp) -> Any:
    """Points of an animated line.

    [X, Y] = getpoints(L), [X, Y, Z] = getpoints(L)

    Examples:
        >> getpoints(animatedline(1:3, 4:6))
        ans =
             1     2     3

    See also: animatedline, addpoints.
    """
    node = _animated(interp, line)
    return tuple(node[f"{axis}Data"] for axis in "XYZ")[: max(nargout, 1)]


@computed("functionline", "ZData")
def _function_z(node: Node) -> Any:
    return np.zeros((0, 0))


@computed("functionline", "XData")
def _function_x(node: Node) -> Any:
    return node.values.get("XData", np.zeros((0, 0)))
