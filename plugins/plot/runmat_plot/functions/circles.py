"""Polar plots, and lines that grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.lines import check_pairs, draw_lines, read_series
from runmat_plot.functions.support import (
    current_axes,
    current_figure,
    given,
    make,
    new_axes,
    not_enough,
    numbers_in,
    prepare,
    python,
    scene_of,
    take_axes,
    whole,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.node import Node, computed
from runmat_plot.scene.properties import as_numbers


def _polar_axes(scene: Any, target: Node | None) -> Node:
    axes = target or current_axes(scene) if current_figure(scene)["CurrentAxes"] else target
    if axes is None or axes.kind.name != "polaraxes":
        position = None if axes is None else axes["Position"]
        old = axes
        axes = new_axes(current_figure(scene), "polaraxes")
        if position is not None:
            axes.values["Position"] = position
        if old is not None and not old.deleted:
            old.delete()
            current_figure(scene).values["CurrentAxes"] = axes
    return axes


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
    axes = _polar_axes(scene, target)
    values = [interp.to_matlab(value) for value in (axes, *rest)]
    return given(nargout, draw_lines("line", "polarplot", values, interp))


@builtin(
    "rose", "polarhistogram", family="plot/points", nargin=(1, None), needs=("nargout", "interp")
)
def rose(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw how many angles lie in bins around the circle.

    rose(THETA), rose(THETA, NBINS), polarhistogram(THETA, NBINS)

    Examples:
        >> h = rose([0.1 0.2 3], 4); h.Values
        ans =
             2     1     0     0

    See also: polarplot, histogram.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    theta = numbers_in(rest[0], "rose").ravel() % (2 * np.pi)
    bins = 20
    if len(rest) > 1 and not isinstance(rest[1], str):
        wanted = numbers_in(rest[1], "rose")
        bins = whole(wanted, 1, "rose") if wanted.size == 1 else max(wanted.size, 1)
    counts, edges = np.histogram(theta[np.isfinite(theta)], bins=bins, range=(0, 2 * np.pi))
    axes = _polar_axes(scene, target)
    prepare(axes)
    node = make("histogram", axes, ())
    node.info["color"] = tuple(float(part) for part in next_color(axes).ravel())
    node.values.update(BinEdges=edges.reshape(1, -1), BinCounts=counts.reshape(1, -1).astype(float))
    node.info["values"] = counts.reshape(1, -1).astype(float)
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


@computed("functionline", "XData")
def _function_x(node: Node) -> Any:
    return node.values.get("XData", np.zeros((0, 0)))
