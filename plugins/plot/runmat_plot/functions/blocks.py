"""Bars, slices of a whole and ribbons in space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import is_word, not_enough, number_in, numbers_in, python
from runmat_plot.functions.parts import slice_color, slices_in
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    make,
    prepare,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.scene.colors import color
from runmat_plot.scene.node import Node

_LAYOUTS = ("detached", "grouped", "stacked")


@builtin("bar3", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def bar3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw upright bars in space.

    bar3(Z) draws a row of bars for each column of Z, bar3(Y, Z) at the places Y
    bar3(…, WIDTH), bar3(…, LAYOUT) with "detached", "grouped" or "stacked", bar3(…, COLOR)
    H = bar3(…) gives a surface for each column, with six rows of points for each bar

    Examples:
        >> h = bar3(magic(3)); size(h(1).ZData)
        ans =
            18     4

    See also: bar3h, bar, ribbon, surf.
    """
    return given(nargout, _bars("bar3", args, interp))


@builtin("bar3h", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def bar3h(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lying bars in space.

    bar3h(Y) draws a row of bars for each column of Y, bar3h(Z, Y) at the heights Z
    bar3h(…, WIDTH), bar3h(…, LAYOUT), bar3h(…, COLOR); H = bar3h(…)

    Examples:
        >> h = bar3h(magic(3)); numel(h)
        ans =
             3

    See also: bar3, barh.
    """
    return given(nargout, _bars("bar3h", args, interp))


def _read_bars(name: str, rest: Sequence[Any]) -> tuple[Numbers, Numbers, float, str, Any]:
    """Places along the axis, heights, width, layout and colour of bars."""
    data: list[Numbers] = []
    layout, ink = "detached", None
    for value in rest:
        if is_word(value, *_LAYOUTS):
            layout = value.lower()
        elif isinstance(value, str):
            ink = color(value)
            if ink is None:
                raise MatlabError(f"MATLAB:{name}:InvalidColor", f"Unknown option '{value}'.")
        else:
            data.append(numbers_in(value, name).astype(float))
    width = 0.8
    if len(data) > 1 and data[-1].size == 1:
        width = float(data.pop().item())
    if not data or len(data) > 2:
        raise not_enough()
    heights = data[-1]
    if heights.ndim != 2 or not heights.size:
        raise MatlabError(f"MATLAB:{name}:InvalidZData", "The data must be a matrix.")
    heights = heights.reshape(-1, 1) if heights.shape[0] == 1 else heights
    places = data[0].ravel() if len(data) > 1 else np.arange(1.0, heights.shape[0] + 1)
    if places.size != heights.shape[0]:
        raise MatlabError(f"MATLAB:{name}:XYZSizeMismatch", "There must be a place for each row.")
    if np.unique(places).size != places.size:
        raise MatlabError(f"MATLAB:{name}:RepeatedValues", "Places must be distinct.")
    return places, heights, width, layout, ink


def _bars(name: str, args: Sequence[Any], interp: Interp) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    at = next(
        (
            k
            for k, value in enumerate(rest)
            if isinstance(value, str) and not is_word(value, *_LAYOUTS) and color(value) is None
        ),
        len(rest),
    )
    places, heights, width, layout, ink = _read_bars(name, rest[:at])
    axes = target or current_axes(scene)
    check_pairs("surface", axes, rest[at:])
    prepare(axes)
    three_dimensional(axes)
    rows, columns = heights.shape
    step = float(np.diff(np.sort(places)).min()) if rows > 1 else 1.0
    base = np.zeros(rows)
    lying = name == "bar3h"
    made = []
    for k in range(columns):
        middles, across, half = places, float(k + 1), step * width / 2
        if layout == "grouped":
            half = step * width / columns / 2
            middles = places + (2 * k + 1 - columns) * half
            across = 1.0
        elif layout == "stacked":
            across = 1.0
        top = base + heights[:, k] if layout == "stacked" else heights[:, k]
        x, y, z = _blocks(across, middles, base, top, width / 2, half)
        if lying:
            y, z = z, y
        node = make("surface", axes, (), FaceColor="flat" if ink is None else np.array([ink]))
        node.values.update(XData=x, YData=y, ZData=z, CData=np.full(z.shape, k + 1.0))
        node.info["blocks"] = "lying" if lying else "upright"
        set_pairs(node, rest[at:])
        made.append(node)
        if layout == "stacked":
            base = top
    _rulers(axes, places, columns if layout == "detached" else 1, step, lying)
    scene.revision += 1
    return made


def _blocks(
    across: float, middles: Numbers, low: Numbers, high: Numbers, wide: float, deep: float
) -> tuple[Numbers, Numbers, Numbers]:
    """A surface of boxes: six rows of points for each, the last of them a gap."""
    x = np.tile(across + np.array([-wide, -wide, wide, wide]), (6 * middles.size, 1))
    y, z = np.full((2, 6 * middles.size, 4), np.nan)
    for k, middle in enumerate(middles.tolist()):
        row = 6 * k
        y[row : row + 5] = middle + deep * np.array([[-1], [-1], [1], [1], [-1]])
        z[row : row + 5, 1:3] = low[k]
        z[row + 1 : row + 3, :] = low[k]
        z[row + 1 : row + 3, 1:3] = high[k]
    x[np.isnan(y)] = np.nan
    return x, y, z


def _rulers(axes: Node, places: Numbers, columns: int, step: float, lying: bool) -> None:
    along = "Z" if lying else "Y"
    reach = np.array([[places.min() - step, places.max() + step]])
    axes.values.update({f"{along}Lim": reach, f"{along}LimMode": "manual"})
    axes.values.update({"XLim": np.array([[0.0, columns + 1.0]]), "XLimMode": "manual"})
    axes.values.update(XTick=np.arange(1.0, columns + 1).reshape(1, -1), XTickMode="manual")
    if places.size <= 15:
        ticks = np.sort(places).reshape(1, -1)
        axes.values.update({f"{along}Tick": ticks, f"{along}TickMode": "manual"})
    if not lying:
        axes.values["YDir"] = "reverse"
    box = np.array([[columns + 1.0, places.size + 1.0, max(columns, places.size) + 1.0]])
    if lying:
        box = box[:, [0, 2, 1]]
    axes.values.update(PlotBoxAspectRatio=np.maximum(box, 0.4 * box.max()))
    axes.values["PlotBoxAspectRatioMode"] = "manual"


@builtin("ribbon", family="plot/surfaces", nargin=(1, None), needs=("nargout", "interp"))
def ribbon(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the columns of a matrix as ribbons in space.

    ribbon(Z), ribbon(Y, Z) against Y, ribbon(Y, Z, WIDTH) with 0.75 without it, ribbon(AX, …)
    H = ribbon(…) gives a surface for each column

    Examples:
        >> h = ribbon(magic(4)); size(h(1).ZData)
        ans =
             4     2

    See also: bar3, waterfall, plot3, surf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = [numbers_in(value, "ribbon").astype(float) for value in rest]
    width = (
        number_in(data.pop(), "ribbon")
        if len(data) > 2 or (len(data) == 2 and data[1].size == 1 and data[0].size > 1)
        else 0.75
    )
    z = data[-1].reshape(-1, 1) if 1 in data[-1].shape else data[-1]
    if z.ndim != 2:
        raise MatlabError("MATLAB:ribbon:InvalidZData", "Z must be a matrix.")
    y = data[0] if len(data) > 1 else np.arange(1.0, z.shape[0] + 1)
    y = np.broadcast_to(y.reshape(-1, 1), z.shape) if y.size == z.shape[0] else y
    if y.shape != z.shape:
        raise MatlabError("MATLAB:ribbon:XYSizeMismatch", "Y and Z must have the same size.")
    axes = target or current_axes(scene)
    prepare(axes)
    three_dimensional(axes)
    made = []
    for k in range(z.shape[1]):
        sides = k + 1 + np.array([[-width / 2, width / 2]])
        node = make("surface", axes, ())
        node.values.update(
            XData=np.broadcast_to(sides, (z.shape[0], 2)),
            YData=np.repeat(y[:, [k]], 2, axis=1),
            ZData=np.repeat(z[:, [k]], 2, axis=1),
            CData=np.full((z.shape[0], 2), k + 1.0),
        )
        made.append(node)
    scene.revision += 1
    return given(nargout, made)


@builtin("pie3", family="plot/bars", nargin=(1, None), needs=("nargout", "interp"))
def pie3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw shares of a whole as slices of a disc in space.

    pie3(X), pie3(X, EXPLODE), pie3(X, LABELS), pie3(X, EXPLODE, LABELS), pie3(AX, …)
    P = pie3(…) gives side, bottom, top and text of each slice in turn

    Examples:
        >> p = pie3([1 3]); p(4).String
        ans =
            '25%'

    See also: pie, bar3.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    parts = slices_in(rest, "pie3")
    axes = target or current_axes(scene)
    prepare(axes)
    axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    made: list[Node] = []
    for part in parts:
        ink = slice_color(axes, part.place, part.of)
        xs, ys = part.x[:-1], part.y[:-1]  # from the middle along the arc
        ring = np.column_stack([xs, ys])
        count = len(ring)
        nodes: list[tuple[Numbers, Numbers, Any, float]] = []
        after = np.roll(np.arange(count), -1)
        side = np.column_stack([np.arange(count), after, after + count, np.arange(count) + count])
        walls = np.concatenate([np.column_stack([ring, np.full(count, h)]) for h in (0.0, _HEIGHT)])
        nodes.append((walls, side + 1.0, "none", 0.0))
        for h, lift in ((0.0, -1.0), (_HEIGHT, 60.0)):
            flat = np.column_stack([ring, np.full(count, h)])
            nodes.append((flat, np.arange(1.0, count + 1).reshape(1, -1), np.zeros((1, 3)), lift))
        for vertices, faces, edge, lift in nodes:
            node = make("patch", axes, (), FaceColor="flat", EdgeColor=edge)
            shade = 0.8 if lift == 0.0 else 1.0
            node.values.update(Vertices=vertices, Faces=faces, FaceVertexCData=shade * ink)
            node.info["lift"] = 10 * lift
            made.append(node)
        at = np.array([[1.25 * part.away[0], 1.25 * part.away[1], _HEIGHT]])
        side_word = "right" if part.away[0] < 0 else "left"
        made.append(
            make("text", axes, (), Position=at, String=part.label, HorizontalAlignment=side_word)
        )
    limits = {"X": (-1.2, 1.2), "Y": (-1.2, 1.2), "Z": (0.0, _HEIGHT)}
    for name, pair in limits.items():
        axes.values.update({f"{name}Lim": np.array([pair]), f"{name}LimMode": "manual"})
    axes.values.update(Visible="off", DataAspectRatio=np.ones((1, 3)), DataAspectRatioMode="manual")
    scene.revision += 1
    return None if not nargout else np.array([made], dtype=object)


#: Thickness of the disc of pie3.
_HEIGHT = 0.35
