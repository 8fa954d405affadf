"""Points, arrows, patches and polar plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.lines import check_pairs, look, matched
from runmat_plot.functions.support import (
    Numbers,
    complex_in,
    current_axes,
    data_in,
    given,
    holds,
    is_word,
    make,
    not_enough,
    numbers_in,
    prepare,
    python,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
    vector_in,
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
    return given(nargout, _scatter("scatter", args, interp, 2))


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
    return given(nargout, _scatter("scatter3", args, interp, 3))


def _scatter(name: str, args: Sequence[Any], interp: Interp, dims: int) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
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
    check_pairs("scatter", axes, rest)
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
        node = make("scatter", axes, (), **own)
        set_pairs(node, rest)
        made.append(node)
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


@builtin("quiver", family="plot/points", nargin=(2, None), needs=("nargout", "interp"))
def quiver(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows at points of the plane.

    quiver(U, V), quiver(X, Y, U, V), quiver(…, SCALE) with 0 for arrows as long as they are
    quiver(…, SPEC), quiver(…, NAME, VALUE), quiver(AX, …); arrows are scaled not to overlap

    Examples:
        >> q = quiver(1:2, 1:2, [1 0], [0 1], 0); q.UData
        ans =
             1     0

    See also: quiver3, feather, compass, gradient.
    """
    return given(nargout, _quiver(args, interp, 2))


@builtin("quiver3", family="plot/points", nargin=(4, None), needs=("nargout", "interp"))
def quiver3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows at points of space.

    quiver3(X, Y, Z, U, V, W), quiver3(Z, U, V, W), quiver3(…, SCALE), quiver3(…, NAME, VALUE)

    Examples:
        >> q = quiver3(0, 0, 0, 1, 1, 1); q.WData
        ans =
             1

    See also: quiver, plot3.
    """
    return given(nargout, _quiver(args, interp, 3))


def _quiver(args: Sequence[Any], interp: Interp, dims: int) -> Node:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data: list[Numbers] = []
    while rest and not isinstance(rest[0], str | dict):
        data.append(numbers_in(rest[0], "quiver").astype(float))
        rest = rest[1:]
    scale = 1.0
    if len(data) in ((3, 5) if dims == 2 else (5, 7)):
        scale = float(vector_in(data.pop(), "quiver", 1).item())
    elif rest and isinstance(rest[0], str) and rest[0].lower() == "off":
        scale, rest = 0.0, rest[1:]
    if len(data) == dims + (dims == 3):
        base = data[-1]
        x, y = np.meshgrid(np.arange(1.0, base.shape[1] + 1), np.arange(1.0, base.shape[0] + 1))
        data = [x, y, *data]
    if len(data) != 2 * dims:
        raise not_enough()
    shape = data[-1].shape
    if (
        data[0].shape != shape
        and data[0].size == shape[1]
        and data[1].size == shape[0]
        and min(shape) > 1
    ):
        data[0], data[1] = np.meshgrid(data[0].ravel(), data[1].ravel())
    if any(part.size != data[-1].size for part in data):
        raise MatlabError("MATLAB:quiver:XYSizeMismatch", "The sizes of X, Y, U, and V must match.")
    data = [
        part.reshape(shape) if part.shape != shape and max(part.shape) != part.size else part
        for part in data
    ]
    spec = None
    while rest and isinstance(rest[0], str):
        if rest[0].lower() == "filled" or (
            (spec := line_spec(rest[0])) is not None and len(rest) % 2
        ):
            rest = rest[1:]
        else:
            break
    axes = target or current_axes(scene)
    check_pairs("quiver", axes, rest)
    prepare(axes, box=dims == 2)
    if dims == 3 and not holds(axes):
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    names = (
        ("XData", "YData", "UData", "VData")
        if dims == 2
        else ("XData", "YData", "ZData", "UData", "VData", "WData")
    )
    node = make("quiver", axes, (), **look(axes, spec))
    node.values.update(dict(zip(names, data, strict=True)))
    set_pairs(node, rest)
    node.info["scale"] = (
        1.0 if not scale or not node.is_on("AutoScale") else scale * _fit(data, dims)
    )
    scene.revision += 1
    return node


def _fit(data: Sequence[Numbers], dims: int) -> float:
    """By what arrows are multiplied so that the longest one reaches to the next point."""
    places, arrows = data[:dims], data[dims:]
    length = np.sqrt(np.sum([part.ravel() ** 2 for part in arrows], axis=0))
    finite = length[np.isfinite(length)]
    most = float(finite.max()) if finite.size else 0.0
    count = max(float(np.sqrt(places[0].size)), 1.0)
    spread = [float(np.ptp(part[np.isfinite(part)])) if part.size else 0.0 for part in places[:2]]
    step = float(np.hypot(spread[0], spread[1])) / count
    return 0.9 * step / most if most and step else 0.9


@builtin("feather", "compass", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def feather(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw arrows from points on a line, or from one point.

    feather(U, V), feather(Z) with complex numbers, feather(…, SPEC); compass takes the same

    Examples:
        >> h = feather([1 2], [1 0]); numel(h.UData)
        ans =
             2

    See also: quiver, rose.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    first = rest.pop(0)
    z = complex_in(first, "feather")
    if rest and not isinstance(rest[0], str):
        u, v = numbers_in(first, "feather").ravel(), numbers_in(rest.pop(0), "feather").ravel()
    else:
        u, v = z.real.ravel().astype(float), z.imag.ravel().astype(float)
    if u.size != v.size:
        raise MatlabError("MATLAB:samelen", "U and V must have the same length.")
    axes = target or current_axes(scene)
    prepare(axes, box=True)
    spec = line_spec(rest[0]) if rest and isinstance(rest[0], str) else None
    node = make("quiver", axes, (), **look(axes, spec))
    node.values.update(
        XData=np.arange(1.0, u.size + 1).reshape(1, -1),
        YData=np.zeros((1, u.size)),
        UData=u.reshape(1, -1).astype(float),
        VData=v.reshape(1, -1).astype(float),
    )
    scene.revision += 1
    return given(nargout, node)
