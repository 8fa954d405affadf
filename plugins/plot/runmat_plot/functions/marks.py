"""Regions, groups and transforms in axes, and settings of whole axes and figures."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.errors import too_many_inputs
from runmat_plot.functions.arguments import (
    aligned_in,
    not_enough,
    numbers_in,
    python,
    vector_in,
    word_in,
)
from runmat_plot.functions.series import draw_lines
from runmat_plot.functions.support import (
    AXES,
    Numbers,
    current_axes,
    current_figure,
    deleted_on_error,
    given,
    make,
    new_axes,
    node_in,
    nodes_in,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.node import Node, Scene


def _region(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if not rest:
        raise not_enough()
    first = rest.pop(0)
    if rest and not isinstance(rest[0], str):
        data = aligned_in([first, rest.pop(0)], name)
        pairs = np.column_stack([part.ravel() for part in data])
    else:
        pairs = numbers_in(first, name).astype(float)
        pairs = pairs.reshape(1, 2) if pairs.size == 2 else pairs
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise MatlabError(f"MATLAB:{name}:InvalidSize", "Each region needs two numbers.")
    axes = target or current_axes(scene)
    made = []
    for low, high in pairs.tolist():
        values = {"InterceptAxis": name[0], "Value": np.array([[low, high]])}
        made.append(make("constantregion", axes, rest, **values))
    scene.revision += 1
    return given(nargout, made)


@builtin("xregion", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def xregion(*args: Any, nargout: int, interp: Interp) -> Any:
    """Fill the strips of axes between two values of x.

    xregion(X1, X2), xregion([X1 X2]), xregion(…, NAME, VALUE), xregion(AX, …)

    Examples:
        >> r = xregion(1, 3); r.Value
        ans =
             1     3

    See also: yregion, xline.
    """
    return _region("xregion", args, nargout, interp)


@builtin("yregion", family="plot/points", nargin=(1, None), needs=("nargout", "interp"))
def yregion(*args: Any, nargout: int, interp: Interp) -> Any:
    """Fill the strips of axes between two values of y.

    yregion(Y1, Y2), yregion([Y1 Y2]), yregion(…, NAME, VALUE), yregion(AX, …)

    Examples:
        >> r = yregion([0 2]); r.Value
        ans =
             0     2

    See also: xregion, yline.
    """
    return _region("yregion", args, nargout, interp)


# -- groups and transforms -----------------------------------------------------------------------


@builtin("hggroup", family="plot/handles", nargin=(0, None), needs=("nargout", "interp"))
def hggroup(*args: Any, nargout: int, interp: Interp) -> Any:
    """Group of objects in axes, which are shown and hidden together.

    G = hggroup, G = hggroup(NAME, VALUE, …), hggroup(AX, …); plot(…, "Parent", G) draws in it

    Examples:
        >> g = hggroup; h = line(1:3, 1:3, 'Parent', g); numel(g.Children)
        ans =
             1

    See also: hgtransform, line, patch.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    return given(nargout, make("hggroup", target or current_axes(scene), rest))


@builtin("hgtransform", family="plot/handles", nargin=(0, None), needs=("nargout", "interp"))
def hgtransform(*args: Any, nargout: int, interp: Interp) -> Any:
    """Group of objects in axes, which are moved, turned and scaled together.

    T = hgtransform, T = hgtransform(NAME, VALUE, …), hgtransform(AX, …)
    T.Matrix = makehgtform(…) moves what is in it

    Examples:
        >> t = hgtransform; t.Matrix = makehgtform('translate', [1 2 0]); t.Matrix(2, 4)
        ans =
             2

    See also: makehgtform, hggroup.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    node = make("hgtransform", target or current_axes(scene), ())
    node.values["Matrix"] = interp.to_matlab(np.eye(4))
    with deleted_on_error(node):
        set_pairs(node, rest)
    return given(nargout, node)


def _turn(axis: Numbers, angle: float) -> Numbers:
    """The matrix of a turn about an axis."""
    x, y, z = axis / (float(np.linalg.norm(axis)) or 1.0)
    c, s = np.cos(angle), np.sin(angle)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    made = np.eye(4)
    made[:3, :3] = c * np.eye(3) + s * cross + (1 - c) * np.outer([x, y, z], [x, y, z])
    return made


_AXES = {"xrotate": (1, 0, 0), "yrotate": (0, 1, 0), "zrotate": (0, 0, 1)}


@builtin("makehgtform", family="plot/handles", nargin=(0, None), needs=("interp",))
def makehgtform(*args: Any, interp: Interp) -> Any:
    """Matrix that moves, turns or scales points of space.

    M = makehgtform, makehgtform("translate", [TX TY TZ]), makehgtform("scale", S)
    makehgtform("xrotate", T), also yrotate and zrotate, makehgtform("axisrotate", [X Y Z], T)
    Several of these in one call are multiplied.

    Examples:
        >> makehgtform('scale', 2)
        ans =
             2     0     0     0
             0     2     0     0
             0     0     2     0
             0     0     0     1

    See also: hgtransform.
    """
    rest = python(interp, args)
    whole = np.eye(4)

    def numbers(*counts: int) -> Numbers:
        if not rest:
            raise not_enough()
        return vector_in(rest.pop(0), "makehgtform", *counts)

    while rest:
        word = word_in(rest.pop(0), "makehgtform").lower()
        part = np.eye(4)
        if word == "translate":
            step = numbers(1, 3)
            if step.size == 1:
                step = np.array([step[0], numbers(1)[0], numbers(1)[0]])
            part[:3, 3] = step
        elif word == "scale":
            part[:3, :3] = np.diag(np.resize(numbers(1, 3), 3))
        elif word in _AXES:
            part = _turn(np.array(_AXES[word], float), float(numbers(1)[0]))
        elif word == "axisrotate":
            axis = numbers(3)
            part = _turn(axis, float(numbers(1)[0]))
        else:
            raise MatlabError("MATLAB:makehgtform:UnknownOption", f"Unknown option '{word}'.")
        whole = whole @ part
    return whole


# -- two y-axes of older programs ----------------------------------------------------------------


@builtin("plotyy", family="plot/lines", nargin=(4, 6), nargout=3, needs=("nargout", "interp"))
def plotyy(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw two sets of lines with a y-axis for each, on the left and on the right.

    plotyy(X1, Y1, X2, Y2), plotyy(…, F), plotyy(…, F1, F2) with functions such as "semilogy"
    [AX, H1, H2] = plotyy(…) gives both axes and the lines; yyaxis is for new programs

    Examples:
        >> [ax, h1, h2] = plotyy(1:3, 1:3, 1:3, [10 20 40]); ax(2).YLim
        ans =
            10    40

    See also: yyaxis, plot.
    """
    scene = scene_of(interp)
    values = python(interp, args)
    names = [name if isinstance(name, str) else "plot" for name in values[4:]]
    names = [*names, *names, "plot", "plot"][:2]
    figure = current_figure(scene)
    left = current_axes(scene)
    lines: list[Any] = []
    order = np.asarray(left["ColorOrder"], float)
    pair: list[Node] = [left]
    drawn: list[Node] = []
    for side in range(2):
        axes = left
        if side:
            axes = new_axes(figure, Position=left["Position"])
            axes.values.update(YAxisLocation="right", Color="none", XLim=left["XLim"])
            pair.append(axes)
        call = interp.builtin(names[side])
        if call is None:
            raise MatlabError("MATLAB:plotyy:InvalidFunction", f"Unknown function '{names[side]}'.")
        x, y = args[2 * side], args[2 * side + 1]
        with ExitStack() as undoing:
            for node in (*pair[1:], *drawn):
                undoing.enter_context(deleted_on_error(node))
            made = call(1, interp.to_matlab(axes), x, y)
        lines.append(made)
        nodes = drawn = nodes_in(scene, interp.to_python(made))
        for node in nodes:
            if len(nodes) == 1 and "color" in node.kind.properties:
                node.values["Color"] = order[[side % len(order)]]
        axes.values.update(YColor=order[[side % len(order)]], Box="off")
    pair[1].values.update(YAxisLocation="right", Color="none", XLim=left["XLim"])
    pair[1].values["XLimMode"] = "manual"
    pair[1].values.update(XTick=np.zeros((0, 0)), XTickMode="manual")
    figure.values["CurrentAxes"] = left
    scene.revision += 1
    if not nargout:
        return None
    both = np.array([pair], object)
    return (both, *lines)[: max(nargout, 1)]


# -- fonts and scales ----------------------------------------------------------------------------


def _below(scene: Scene, rest: list[Any]) -> list[Node]:
    """Return the objects whose fonts are set: those that arguments begin with, or the figure."""
    first = node_in(scene, rest[0]) if rest else None
    if first is not None and isinstance(rest[0], Node):
        rest.pop(0)
        return [first]
    if rest and isinstance(rest[0], np.ndarray) and rest[0].dtype == object:
        return nodes_in(scene, rest.pop(0))
    return [current_figure(scene)]


def _set_fonts(nodes: Sequence[Node], name: str, change: Any) -> None:
    for top in nodes:
        for node in list(top.whole()):
            if name.lower() in node.kind.properties and node.kind.name != "figure":
                node.assign(name, change(node))
        top.scene.revision += 1


@builtin("fontsize", family="plot/rulers", nargin=(1, 4), nargout=0, needs=("interp",))
def fontsize(*args: Any, interp: Interp) -> None:
    """Set the size of all text of a figure or of other objects.

    fontsize(SIZE, "points"), fontsize("increase"), fontsize("decrease"), fontsize("default")
    fontsize("scale", FACTOR), fontsize(OBJECTS, …)

    Examples:
        >> plot(1:3); fontsize(14, 'points'); get(gca, 'FontSize')
        ans =
            14

    See also: fontname, title.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    nodes = _below(scene, rest)
    if not rest:
        raise not_enough()
    word = rest[0].lower() if isinstance(rest[0], str) else ""
    if word in ("increase", "decrease"):
        factor = 1.1 if word == "increase" else 1 / 1.1
        _set_fonts(nodes, "FontSize", lambda node: node["FontSize"] * factor)
    elif word == "scale" and len(rest) > 1:
        scale = float(vector_in(rest[1], "fontsize", 1).item())
        _set_fonts(nodes, "FontSize", lambda node: node["FontSize"] * scale)
    elif word == "default":
        _set_fonts(nodes, "FontSize", lambda node: node.kind.properties["fontsize"].default)
    elif not word:
        units = {"points": 1.0, "pixels": 0.75, "inches": 72.0, "centimeters": 72 / 2.54}
        unit = str(rest[1]).lower() if len(rest) > 1 else ""
        if unit not in units:
            raise MatlabError("MATLAB:fontsize:InvalidUnits", "Units must follow the size.")
        size = float(vector_in(rest[0], "fontsize", 1).item()) * units[unit]
        _set_fonts(nodes, "FontSize", lambda node: size)
    else:
        raise MatlabError("MATLAB:fontsize:UnknownOption", f"Unknown option '{rest[0]}'.")


@builtin("fontname", family="plot/rulers", nargin=(1, 2), nargout=0, needs=("interp",))
def fontname(*args: Any, interp: Interp) -> None:
    """Set the font of all text of a figure or of other objects.

    fontname(NAME), fontname("default"), fontname(OBJECTS, NAME)

    Examples:
        >> plot(1:3); fontname('Courier'); get(gca, 'FontName')
        ans =
            'Courier'

    See also: fontsize.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    nodes = _below(scene, rest)
    if not rest:
        raise not_enough()
    name = word_in(rest[0], "fontname")
    name = "Helvetica" if name.lower() == "default" else name
    _set_fonts(nodes, "FontName", lambda node: name)


def _scale(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    if rest:
        axes.assign(name, rest[0])
    return axes[name] if nargout or not rest else None


@builtin("xscale", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def xscale(*args: Any, nargout: int, interp: Interp) -> Any:
    """Scale of the x-axis, linear or logarithmic.

    S = xscale, xscale("log"), xscale("linear"), xscale(AX, …)

    Examples:
        >> plot([1 10]); xscale log; xscale
        ans =
            'log'

    See also: yscale, zscale, semilogx.
    """
    return _scale("XScale", args, nargout, interp)


@builtin("yscale", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def yscale(*args: Any, nargout: int, interp: Interp) -> Any:
    """Scale of the y-axis, linear or logarithmic.

    S = yscale, yscale("log"), yscale("linear"), yscale(AX, …)

    Examples:
        >> plot([1 10]); yscale('log'); get(gca, 'YScale')
        ans =
            'log'

    See also: xscale, zscale, semilogy.
    """
    return _scale("YScale", args, nargout, interp)


@builtin("zscale", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def zscale(*args: Any, nargout: int, interp: Interp) -> Any:
    """Scale of the z-axis, linear or logarithmic.

    S = zscale, zscale("log"), zscale("linear"), zscale(AX, …)

    Examples:
        >> zscale
        ans =
            'linear'

    See also: xscale, yscale.
    """
    return _scale("ZScale", args, nargout, interp)


# -- curves that a point draws -------------------------------------------------------------------


@builtin("comet", family="plot/lines", nargin=(1, 4), nargout=0, needs=("interp",))
def comet(*args: Any, interp: Interp) -> None:
    """Draw a curve as a point runs along it; without a window, the whole curve.

    comet(Y), comet(X, Y), comet(X, Y, P) with the part of the tail, comet(AX, …)

    Examples:
        >> comet(1:5, [1 4 9 16 25]); numel(findobj(gca, 'Type', 'line'))
        ans =
             2

    See also: comet3, plot, animatedline.
    """
    _comet("comet", args, interp, 2)


@builtin("comet3", family="plot/lines", nargin=(1, 5), nargout=0, needs=("interp",))
def comet3(*args: Any, interp: Interp) -> None:
    """Draw a curve in space as a point runs along it; without a window, the whole curve.

    comet3(Z), comet3(X, Y, Z), comet3(X, Y, Z, P), comet3(AX, …)

    Examples:
        >> comet3(1:5, 1:5, 1:5); numel(findobj(gca, 'Type', 'line'))
        ans =
             2

    See also: comet, plot3.
    """
    _comet("comet3", args, interp, 3)


def _comet(name: str, args: Sequence[Any], interp: Interp, dims: int) -> None:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = [numbers_in(value, name).ravel().astype(float) for value in rest]
    if len(data) in (2, dims + 1) and data[-1].size == 1:
        data.pop()
    if len(data) == 1:
        count = np.arange(1.0, data[0].size + 1)
        data = [count] * (dims - 1) + data
    if len(data) != dims:
        raise not_enough() if len(data) < dims else too_many_inputs()
    if len({part.size for part in data}) > 1:
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    lead = [] if target is None else [target]
    rows = [part.reshape(1, -1) for part in data]
    values = [interp.to_matlab(value) for value in (*lead, *rows)]
    (line,) = draw_lines("line", name, values, interp, dims)
    axes = line.up(*AXES) or current_axes(scene)
    head = make("line", axes, (), LineStyle="none", Marker="o", Color=line["Color"])
    for axis, part in zip("XYZ", data, strict=False):
        head.values[f"{axis}Data"] = part[-1:].reshape(1, -1)
    scene.revision += 1
