"""Points, arrows, patches and polar plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.lines import check_pairs, draw_lines, look, matched
from runmat_plot.functions.support import (
    Numbers,
    current_axes,
    current_figure,
    data_in,
    given,
    holds,
    make,
    new_axes,
    not_enough,
    numbers_in,
    prepare,
    python,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import MARKERS, color, line_spec
from runmat_plot.scene.node import Node, computed, when_set


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
        size, rest = rest[0], rest[1:]
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
    """Whether a colour stands first, not the name of a property."""
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
    if rest and rest[0].lower() in ("horizontal", "vertical", "both"):
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
        scale = float(data.pop().item())
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
    z = np.asarray(first)
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


# -- patches -------------------------------------------------------------------------------------


@builtin("patch", family="plot/points", nargin=(0, None), needs=("nargout", "interp"))
def patch(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add polygons to axes.

    patch(X, Y, COLOR), patch(X, Y, Z, COLOR): a polygon for each column; COLOR is a colour, or
    numbers for the colour map, for each polygon or each corner
    patch("Faces", F, "Vertices", V, …), patch(S) with a structure, patch(…, NAME, VALUE)

    Examples:
        >> p = patch([0 1 1], [0 0 1], 'r'); p.FaceColor
        ans =
             1     0     0

    See also: fill, rectangle, trisurf, surf.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    data: list[Any] = []
    while rest and not isinstance(rest[0], str | dict) and len(data) < 4:
        data.append(rest.pop(0))
    if (
        rest
        and isinstance(rest[0], str)
        and len(data) in (2, 3)
        and len(rest) % 2
        and color(rest[0]) is not None
    ):
        data.append(rest.pop(0))
    check_pairs("patch", axes, rest)
    node = make("patch", axes, (), FaceColor=np.zeros((1, 3)))
    if data:
        if len(data) < 3:
            node.delete()
            raise not_enough()
        try:
            _corners(node, data[:-1], data[-1])
        except MatlabError:
            node.delete()
            raise
    set_pairs(node, rest)
    _complete(node, rest)
    scene.revision += 1
    return given(nargout, node)


def _complete(node: Node, pairs: Sequence[Any]) -> None:
    """Colours of faces where these were given as numbers alone."""
    names = {str(word).lower() for word in pairs[::2] if isinstance(word, str)}
    for fields in pairs:
        if isinstance(fields, dict):
            names |= {key.lower() for key in fields}
    if names & {"xdata", "ydata"}:
        parts = [node[f"{a}Data"] for a in "XYZ" if node[f"{a}Data"].size]
        _vertices(node, parts)
    if names & {"cdata", "facevertexcdata"} and "facecolor" not in names:
        node.values["FaceColor"] = "flat"
    if "cdata" in names:
        node.values["FaceVertexCData"] = np.asarray(node["CData"]).reshape(-1, 1, order="F")


def _corners(node: Node, parts: Sequence[Any], ink: Any) -> None:
    numbers = [numbers_in(part, "patch").astype(float) for part in parts]
    count = _vertices(node, numbers)
    if isinstance(ink, str):
        found = color(ink)
        if found is None:
            raise MatlabError("MATLAB:patch:InvalidColor", "Invalid color value.")
        node.values["FaceColor"] = np.array([found], float)
        return
    colors = numbers_in(ink, "patch").astype(float)
    if colors.size == 3 and colors.shape[0] == 1 and count != 3 and numbers[0].size != 3:
        node.assign("FaceColor", colors)
        return
    if (
        colors.size == 3
        and colors.shape == (1, 3)
        and numbers[0].shape != (1, 3)
        and np.all((colors >= 0) & (colors <= 1))
    ):
        node.assign("FaceColor", colors)
        return
    if colors.size not in (1, count, numbers[0].size):
        raise MatlabError(
            "MATLAB:patch:InvalidCData", "There must be a colour for each face or each corner."
        )
    node.values["CData"] = colors
    node.values["FaceVertexCData"] = colors.reshape(-1, 1, order="F")
    node.values["FaceColor"] = "flat" if colors.size in (1, count) else "interp"


def _vertices(node: Node, numbers: Sequence[Numbers]) -> int:
    """Corners and faces of columns of coordinates; how many faces there are."""
    shapes = {part.shape for part in numbers}
    if len(shapes) > 1 and len({part.size for part in numbers}) > 1:
        raise MatlabError("MATLAB:patch:InvalidDimensions", "Vectors must be the same lengths.")
    columns = [part.reshape(-1, 1) if min(part.shape, default=0) <= 1 else part for part in numbers]
    rows, count = int(columns[0].shape[0]), int(columns[0].shape[1])
    node.values["Vertices"] = np.column_stack([part.ravel(order="F") for part in columns])
    node.values["Faces"] = np.arange(1.0, rows * count + 1).reshape(count, rows)
    for axis, part in zip("XYZ", columns, strict=False):
        node.values[f"{axis}Data"] = part
    return count


@when_set("patch", "FaceVertexCData")
def _colored(node: Node, value: Any) -> None:
    if np.size(value) and "FaceColor" not in node.values:
        node.values["FaceColor"] = "flat"


@builtin("fill", family="plot/points", nargin=(3, None), needs=("nargout", "interp"))
def fill(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw filled polygons.

    fill(X, Y, COLOR), fill(X1, Y1, COLOR1, X2, Y2, COLOR2, …), fill(…, NAME, VALUE), fill(AX, …)

    Examples:
        >> p = fill([0 1 1 0], [0 0 1 1], 'g'); p.FaceColor
        ans =
             0     1     0

    See also: fill3, patch, area.
    """
    return given(nargout, _fill(args, interp, 2))


@builtin("fill3", family="plot/points", nargin=(4, None), needs=("nargout", "interp"))
def fill3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw filled polygons in space.

    fill3(X, Y, Z, COLOR), fill3(…, NAME, VALUE), fill3(AX, …)

    Examples:
        >> p = fill3([0 1 1], [0 0 1], [0 1 2], 'b'); size(p.Vertices)
        ans =
             3     3

    See also: fill, patch.
    """
    return given(nargout, _fill(args, interp, 3))


def _fill(args: Sequence[Any], interp: Interp, dims: int) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    polygons = []
    while len(rest) > dims and not isinstance(rest[0], str | dict):
        polygons.append((rest[:dims], rest[dims]))
        rest = rest[dims + 1 :]
    if not polygons:
        raise not_enough()
    axes = target or current_axes(scene)
    check_pairs("patch", axes, rest)
    trial = Node(scene, "patch", None)
    for parts, ink in polygons:
        _corners(trial, parts, ink)
    scene.by_number.pop(trial.ident, None)
    prepare(axes, box=dims == 2)
    if dims == 3 and not holds(axes):
        axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    made = []
    for parts, ink in polygons:
        node = make("patch", axes, ())
        _corners(node, parts, ink)
        set_pairs(node, rest)
        made.append(node)
    scene.revision += 1
    return made


@builtin("rectangle", family="plot/points", nargin=(0, None), needs=("nargout", "interp"))
def rectangle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add a rectangle to axes, with round corners or as an ellipse.

    rectangle("Position", [X Y WIDTH HEIGHT]), rectangle(…, "Curvature", [H V]) with parts of the
    sides, [1 1] for an ellipse; rectangle(…, NAME, VALUE), rectangle(AX, …)

    Examples:
        >> r = rectangle('Position', [0 0 2 1]); r.Position
        ans =
             0     0     2     1

    See also: line, patch, annotation.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    node = make("rectangle", target or current_axes(scene), rest)
    return given(nargout, node)


# -- polar ---------------------------------------------------------------------------------------


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
    first = np.asarray(rest[0]) if not isinstance(rest[0], str) else np.zeros(0)
    if first.dtype.kind == "c":
        rest = [np.angle(first), np.abs(first), *rest[1:]]
    elif len(rest) == 1 or isinstance(rest[1], str):
        rho = numbers_in(rest[0], "polarplot")
        count = rho.size if min(rho.shape) == 1 else rho.shape[0]
        rest = [np.linspace(0, 2 * np.pi, count + 1)[:-1].reshape(-1, 1), rho, *rest[1:]]
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
        bins = int(np.ravel(rest[1])[0]) if np.size(rest[1]) == 1 else np.size(rest[1])
    counts, edges = np.histogram(theta[np.isfinite(theta)], bins=bins, range=(0, 2 * np.pi))
    axes = _polar_axes(scene, target)
    prepare(axes)
    node = make("histogram", axes, ())
    node.info["color"] = tuple(float(part) for part in next_color(axes).ravel())
    node.values.update(BinEdges=edges.reshape(1, -1), BinCounts=counts.reshape(1, -1).astype(float))
    node.info["values"] = counts.reshape(1, -1).astype(float)
    scene.revision += 1
    return given(nargout, node)


# -- lines that grow -----------------------------------------------------------------------------


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
