"""Points and error bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    data_in,
    is_word,
    not_enough,
    numbers_in,
    python,
    take_table,
)
from runmat_plot.functions.series import check_pairs, look, matched
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    given,
    holds,
    make,
    name_axes,
    prepare,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import MARKERS, color, line_spec
from runmat_plot.scene.node import Node


@builtin("scatter", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def scatter(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points with sizes and colours of their own.

    scatter(X, Y), scatter(X, Y, SIZE), scatter(X, Y, SIZE, COLOR) with numbers for the colour map,
    a colour, or a row for each point; scatter(…, "filled"), scatter(…, MARKER)
    scatter(…, NAME, VALUE), scatter(AX, …); S = scatter(…)

    Examples:
        >> s = scatter(1:3, [2 4 3], 36, [1 5 9]); s.CData
        ans =
             1     5     9

    See also: scatter3, plot, colormap.
    """
    return given(nargout, scatter_points("scatter", args, interp, 2))


@builtin("scatter3", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def scatter3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points of space with sizes and colours of their own.

    scatter3(X, Y, Z), scatter3(X, Y, Z, SIZE, COLOR), scatter3(…, "filled"), scatter3(…, MARKER)

    Examples:
        >> s = scatter3(1:3, 1:3, [4 5 6]); s.ZData
        ans =
             4     5     6

    See also: scatter, plot3, stem3.
    """
    return given(nargout, scatter_points("scatter3", args, interp, 3))


def scatter_points(
    name: str, args: Sequence[Any], interp: Interp, dims: int, kind: str = "scatter"
) -> list[Node]:
    """Draw points of one kind into axes that are made ready."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    names = take_table(rest, dims)
    if len(rest) < dims:
        raise not_enough()
    data = [data_in(value, name) for value in rest[:dims]]
    if any(part is None for part in data):
        raise MatlabError(
            f"MATLAB:{name}:InvalidDataType", "Data must be numeric, datetime or categorical."
        )
    rest = rest[dims:]
    parts = [part.values.real for part in data if part is not None]
    vector = [min(p.shape) <= 1 for p in parts]
    sizes = {p.size for p, v in zip(parts, vector, strict=True) if v}
    if len(sizes) > 1:
        raise MatlabError(
            f"MATLAB:{name}:InvalidXYSizes", "X and Y must be vectors of the same length."
        )
    columns = [[p.reshape(1, -1) for p in parts]] if all(vector) else matched(parts, name)
    values: dict[str, Any] = {}
    size: Any = None
    if rest and not isinstance(rest[0], str):
        size, rest = numbers_in(rest[0], name), rest[1:]
    ink: Any = None
    if (rest and not isinstance(rest[0], str)) or (
        rest
        and isinstance(rest[0], str)
        and color(rest[0]) is not None
        and rest[0] not in MARKERS
        and len(rest) % 2 + _has(rest, "filled") >= 0
        and _is_color_word(rest)
    ):
        ink, rest = rest[0], rest[1:]
        if not isinstance(ink, str):
            ink = numbers_in(ink, name)
    filled = False
    while rest and isinstance(rest[0], str):
        spec = line_spec(rest[0])
        if rest[0].lower() in ("filled", "fill"):
            filled, rest = True, rest[1:]
        elif spec is not None and (len(rest) % 2 or _has(rest[1:], "filled")):
            if spec.marker is not None:
                values["Marker"] = spec.marker
            if spec.color is not None:
                ink = np.array(spec.color)
            rest = rest[1:]
        else:
            break
    if rest and isinstance(rest[-1], str) and rest[-1].lower() == "filled" and len(rest) % 2:
        filled, rest = True, rest[:-1]
    axes = target or current_axes(scene)
    check_pairs(kind, axes, rest)
    count = columns[0][0].size
    if size is not None and np.size(size) not in (0, 1, count):
        raise MatlabError(
            f"MATLAB:{name}:InvalidSData",
            "SizeData must be a scalar, or a vector of the same length as X.",
        )
    if isinstance(ink, np.ndarray) and ink.size not in (3, count) and ink.shape != (count, 3):
        raise MatlabError(
            f"MATLAB:{name}:InvalidCData",
            "CData must be an RGB triplet, an M-by-1 vector of the same length as X, or an M-by-3 "
            "matrix.",
        )
    prepare(axes, box=dims == 2)
    if dims == 3 and not holds(axes):
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
        for axis in "XYZ":
            axes.values.setdefault(f"{axis}Grid", "on")
    for axis, part in zip("XYZ", data, strict=False):
        if part is not None:
            set_ruler(axes, axis, part.ruler)
    made = []
    for line in columns:
        own = dict(values)
        own.update({f"{axis}Data": part for axis, part in zip("XYZ", line, strict=False)})
        if isinstance(ink, str):
            own["CData"] = np.array([color(ink)], float)
        elif ink is not None:
            own["CData"] = (
                np.asarray(ink, float).reshape(1, 3)
                if np.size(ink) == 3 and count != 3
                else np.atleast_2d(ink)
            )
        else:
            own["CData"] = next_color(axes)
        if size is not None and np.size(size):
            own["SizeData"] = np.atleast_2d(np.asarray(size, float))
        if filled:
            own["MarkerFaceColor"] = "flat"
            own["MarkerEdgeColor"] = "none" if values.get("Marker") in (None, "o") else "flat"
        node = make(kind, axes, (), **own)
        set_pairs(node, rest)
        made.append(node)
    name_axes(axes, names)
    scene.revision += 1
    return made


def _has(rest: Sequence[Any], word: str) -> bool:
    return any(isinstance(value, str) and value.lower() == word for value in rest)


def _is_color_word(rest: Sequence[Any]) -> bool:
    """Return whether a colour stands first, not the name of a property."""
    others = [
        value for value in rest[1:] if not (isinstance(value, str) and value.lower() == "filled")
    ]
    return len(others) % 2 == 0 or (
        bool(others) and isinstance(others[0], str) and others[0] in MARKERS
    )


@builtin("errorbar", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def errorbar(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a line with bars that tell how wide errors are.

    errorbar(Y, ERR), errorbar(X, Y, ERR), errorbar(X, Y, NEG, POS)
    errorbar(X, Y, YNEG, YPOS, XNEG, XPOS), errorbar(…, "horizontal"), errorbar(…, "both")
    errorbar(…, SPEC), errorbar(…, NAME, VALUE), errorbar(AX, …)

    Examples:
        >> e = errorbar(1:3, [2 4 3], [1 1 2]); e.YPositiveDelta
        ans =
             1     1     2

    See also: plot, boxchart.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Numbers] = []
    while rest and not isinstance(rest[0], str | dict):
        data.append(numbers_in(rest[0], "errorbar"))
        rest = rest[1:]
    if len(data) < 2 or len(data) == 5:
        raise not_enough()
    way = "vertical"
    if rest and is_word(rest[0], "horizontal", "vertical", "both"):
        way, rest = rest[0].lower(), rest[1:]
    spec = None
    if (
        rest
        and isinstance(rest[0], str)
        and (spec := line_spec(rest[0])) is not None
        and len(rest) % 2
    ):
        rest = rest[1:]
    else:
        spec = None
    if len(data) == 2:
        first = data[0].shape[0] if min(data[0].shape) > 1 else data[0].size
        data = [np.arange(1.0, first + 1).reshape(-1, 1), *data]
    filled = [part if part.size else np.full(data[1].shape, np.nan) for part in data]
    lines = matched(
        [np.broadcast_to(p, data[1].shape) if p.size == 1 else p for p in filled], "errorbar"
    )
    axes = target or current_axes(scene)
    check_pairs("errorbar", axes, rest)
    prepare(axes, box=True)
    made = []
    for line in lines:
        x, y, *deltas = line
        node = make("errorbar", axes, (), XData=x, YData=y, **look(axes, spec))
        low, high = (deltas[0], deltas[-1] if len(deltas) == 1 else deltas[1])
        if way in ("vertical", "both"):
            node.values.update(YNegativeDelta=low, YPositiveDelta=high)
        if way in ("horizontal", "both"):
            node.values.update(XNegativeDelta=low, XPositiveDelta=high)
        if len(deltas) == 4:
            node.values.update(XNegativeDelta=deltas[2], XPositiveDelta=deltas[3])
        set_pairs(node, rest)
        made.append(node)
    scene.revision += 1
    return given(nargout, made)
