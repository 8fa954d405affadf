"""Bars and areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import Data, data_in, not_enough, python, texts_in
from runmat_plot.functions.series import check_pairs
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    holds,
    make,
    prepare,
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
        words = texts_in(rest[0])
        found = data_in(np.array([words], object) if words else rest[0], f"{name} categories")
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
            return np.arange(1.0, y.shape[0] + 1), y, "numeric", [width, *rest]
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
    return given(nargout, draw_bars(args, interp, False))


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
    return given(nargout, draw_bars(args, interp, True))


def _is_layout(word: str) -> bool:
    """Return whether a text, which may be cut short, says how bars of several series lie."""
    low = word.lower()
    return low in ("hist", "histc") or (
        len(low) > 1 and ("stacked".startswith(low) or "grouped".startswith(low))
    )


def draw_bars(args: Sequence[Any], interp: Interp, lying: bool) -> list[Node]:
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
        elif isinstance(word, str) and _is_layout(word):
            values["BarLayout"] = "stacked" if word.lower().startswith("s") else "grouped"
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


@computed("bar area stem", "BaseLine")
def _base_line(node: Node) -> Node:
    found = node.info.get("baseline")
    if found is None:
        found = node.info["baseline"] = Node(node.scene, "baseline", None)
    made: Node = found
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
