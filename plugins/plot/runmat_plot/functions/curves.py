"""Plots of functions, of graphs and of many variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.objects import HANDLES
from runmat_plot.functions.arguments import (
    complex_in,
    not_enough,
    numbers_in,
    parts_in,
    python,
    vector_in,
)
from runmat_plot.functions.histograms import make_histogram
from runmat_plot.functions.series import check_pairs, draw_lines, look
from runmat_plot.functions.support import (
    Numbers,
    column,
    current_axes,
    current_figure,
    given,
    make,
    new_axes,
    prepare,
    scene_of,
    set_current_axes,
    set_pairs,
    take_axes,
)
from runmat_plot.functions.surfaces import three_dimensional
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import line_spec
from runmat_plot.scene.node import Node


def numeric_function(
    value: Any, raw: Any, interp: Interp, variables: Sequence[str]
) -> Callable[..., Numbers]:
    """A MATLAB function as one of arrays; a text is an expression."""
    target = raw
    if isinstance(value, str):
        made = interp.builtin("str2func")
        vector = interp.builtin("vectorize")
        assert made is not None
        text = value if vector is None else interp.to_python(vector(1, interp.to_matlab(value)))
        names = [name for name in ("x", "t", "y") if name in value and len(variables) == 1][
            :1
        ] or list(variables)
        target = made(1, interp.to_matlab(f"@({','.join(names)}) {text}"))
    elif not is_function(value):
        raise MatlabError("MATLAB:fplot:InvalidFunction", "Input must be a function handle.")

    def call(*arrays: Numbers) -> Numbers:
        found = interp.call(target, [interp.to_matlab(np.array(a, float)) for a in arrays])
        numbers = np.asarray(interp.to_python(found))
        numbers = (
            np.where(numbers.imag == 0, numbers.real, np.nan)
            if numbers.dtype.kind == "c"
            else numbers
        )
        if numbers.size == 1:
            numbers = np.broadcast_to(numbers, arrays[0].shape)
        return np.asarray(numbers, float).reshape(arrays[0].shape)

    return call


def refined(
    f: Callable[..., Numbers], low: float, high: float
) -> tuple[Numbers, Numbers, tuple[float, float] | None]:
    """Points of a curve, closer where it bends; jumps are gaps.

    The third is which values to show of a curve that runs to infinity somewhere.
    """
    x = np.linspace(low, high, 161)
    y = f(x.reshape(1, -1)).ravel()
    shown = _shown(y[np.isfinite(y)])
    for _ in range(4):
        scale = np.ptp(y[np.isfinite(y)]) if np.isfinite(y).any() else 0.0
        if not scale or x.size > 4000:
            break
        bend = np.abs(np.diff(y, 2))
        rough = np.flatnonzero(~(bend < 5e-3 * scale)) + 1
        cells = np.unique(np.concatenate([rough - 1, rough]))
        cells = cells[cells < x.size - 1]
        if not cells.size:
            break
        middle = (x[cells] + x[cells + 1]) / 2
        fresh = f(middle.reshape(1, -1)).ravel()
        x, y = np.insert(x, cells + 1, middle), np.insert(y, cells + 1, fresh)
    finite = y[np.isfinite(y)]
    if finite.size:
        spread = np.percentile(finite, 90) - np.percentile(finite, 10)
        steps = np.abs(np.diff(y))
        jump = (steps > 20 * max(spread, 1e-300)) & (np.sign(y[:-1]) != np.sign(y[1:]))
        y = np.where(np.append(jump, False), np.nan, y)
    return x, y, shown


def _shown(values: Numbers) -> tuple[float, float] | None:
    if values.size < 8:
        return None
    low, high = np.percentile(values, [10, 90])
    if not low < high or np.ptp(values) < 8 * (high - low):
        return None
    return float(low - 0.5 * (high - low)), float(high + 0.5 * (high - low))


def is_function(value: Any) -> bool:
    return callable(value) or getattr(value, "class_name", "") == "function_handle"


def function_range(rest: list[Any], default: tuple[float, float]) -> tuple[float, float, bool]:
    """The interval that arguments begin with, and whether there is one."""
    if rest and isinstance(rest[0], np.ndarray) and rest[0].size >= 2:
        limits = numbers_in(rest.pop(0), "fplot").ravel()
        if not limits[0] < limits[1]:
            raise MatlabError("MATLAB:fplot:InvalidLimits", "Limits must be increasing.")
        return float(limits[0]), float(limits[1]), True
    return (*default, False)


@builtin("fplot", family="plot/curves", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def fplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function.

    fplot(F) from -5 to 5, fplot(F, [XMIN XMAX]), fplot(FX, FY, [TMIN TMAX]) a curve
    fplot(…, SPEC), fplot(…, NAME, VALUE), fplot(AX, …); F takes arrays, or is a cell array of
    functions; [X, Y] = fplot(…) gives points and draws nothing

    Examples:
        >> h = fplot(@(x) x.^2, [0 2]); h.XRange
        ans =
             0     2

    See also: ezplot, plot, fsurf.
    """
    if nargout > 1:
        axes, rest = take_axes(scene_of(interp), python(interp, args))
        low, high, _ = function_range(rest[1:], (-5.0, 5.0))
        raw = args[len(args) - len(rest)]
        x, y, _ = refined(numeric_function(rest[0], raw, interp, ("x",)), low, high)
        return x.reshape(-1, 1), y.reshape(-1, 1)
    at = next((k for k, value in enumerate(args[:2]) if _is_cell_of_functions(value)), None)
    if at is None:
        return given(nargout, _fplot(args, interp, (-5.0, 5.0)))
    made: list[Node] = []
    for function in args[at].data.ravel(order="F"):
        made.append(_fplot([*args[:at], function, *args[at + 1 :]], interp, (-5.0, 5.0)))
        axes = made[0].up("axes")
        if len(made) == 1 and axes is not None:
            before, axes.values["NextPlot"] = axes["NextPlot"], "add"
    if made and axes is not None:
        axes.values["NextPlot"] = before
    return given(nargout, made)


def _is_cell_of_functions(value: Any) -> bool:
    return getattr(value, "class_name", "") == "cell" and all(
        is_function(item) for item in value.data.ravel()
    )


def _fplot(args: Sequence[Any], interp: Interp, default: tuple[float, float]) -> Any:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    raw = list(args)[len(args) - len(rest) :]
    functions: list[Callable[..., Numbers]] = []
    while (
        rest
        and (
            is_function(rest[0])
            or (isinstance(rest[0], str) and not functions and line_spec(rest[0]) is None)
        )
        and len(functions) < 2
    ):
        functions.append(numeric_function(rest.pop(0), raw.pop(0), interp, ("x",)))
    if not functions:
        raise MatlabError("MATLAB:fplot:InvalidFunction", "Input must be a function handle.")
    low, high, _ = function_range(rest, default)
    spec = None
    if (
        rest
        and isinstance(rest[0], str)
        and (spec := line_spec(rest[0])) is not None
        and len(rest) % 2
    ):
        rest = rest[1:]
    axes = target or current_axes(scene)
    check_pairs("functionline", axes, rest)
    if len(functions) == 2:
        t = np.linspace(low, high, 500)
        x, y = (f(t.reshape(1, -1)).ravel() for f in functions)
        shown = None
    else:
        x, y, shown = refined(functions[0], low, high)
    prepare(axes, box=True)
    node = make("functionline", axes, (), **look(axes, spec))
    node.values.update(
        XData=x.reshape(1, -1),
        YData=y.reshape(1, -1),
        XRange=np.array([[low, high]]),
        Function=raw[0] if raw else "",
    )
    node.values["Function"] = interp.to_matlab(args[1] if target is not None else args[0])
    if shown is not None and axes.values.get("YLimMode") != "manual":
        from runmat_plot.scene.ticks import aligned

        axes.assign("YLim", np.array([aligned(*shown)]))
    set_pairs(node, rest)
    scene.revision += 1
    return node


@builtin("ezplot", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def ezplot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function that is given as text or as a handle, with its text as the title.

    ezplot(F) from -2*pi to 2*pi, ezplot(F, [XMIN XMAX])
    A text of x and y stands for the curve on which it is zero.

    Examples:
        >> ezplot('x^2', [0 1]); ax = gca; ax.Title.String
        ans =
            'x^2'

    See also: fplot, plot.
    """
    scene = scene_of(interp)
    first = interp.to_python(args[0])
    if isinstance(first, str) and re.search(r"\by\b", first):
        return given(nargout, _implicit(first, args[1:], interp))
    node = _fplot(args, interp, (-2 * np.pi, 2 * np.pi))
    axes = node.up("axes") or current_axes(scene)
    name_function(axes, args[0], interp, "x")
    return given(nargout, node)


def _implicit(text: str, rest: Sequence[Any], interp: Interp) -> Node:
    """The curve on which an expression of x and y is zero."""
    left, _, right = text.partition("=")
    whole = f"({left})-({right})" if right else left
    limits = rest or (interp.to_matlab(np.array([[-2 * np.pi, 2 * np.pi]])),)
    (x, y, z), _, _ = sampled([interp.to_matlab(whole), *limits], interp, 201)
    axes = current_axes(scene_of(interp))
    prepare(axes, box=True)
    node = make("contour", axes, (), XData=x, YData=y, ZData=z, LevelList=np.zeros((1, 1)))
    node.values["LineColor"] = next_color(axes)
    axes.label("Title").assign("String", text if right else f"{text} = 0")
    axes.label("XLabel").assign("String", "x")
    axes.label("YLabel").assign("String", "y")
    return node


def function_surface(args: Sequence[Any], interp: Interp, named: bool, **values: Any) -> Node:
    """A function of two variables as a surface; `named` puts its text above it."""
    scene = scene_of(interp)
    (x, y, z), rest, target = sampled(args, interp, 60 if named else 35)
    axes = target or current_axes(scene)
    check_pairs("surface", axes, rest)
    prepare(axes)
    three_dimensional(axes)
    node = make("surface", axes, (), XData=x, YData=y, ZData=z, CData=z, **values)
    set_pairs(node, rest)
    if named:
        name_function(axes, args[1] if target is not None else args[0], interp, "xy")
    scene.revision += 1
    return node


def name_function(axes: Node, function: Any, interp: Interp, labels: str) -> None:
    """Write the text of a function above axes, and the names of its variables beside them."""
    text = interp.to_python(function)
    if not isinstance(text, str):
        made = interp.builtin("func2str")
        known = made is not None and is_function(text)
        text = str(interp.to_python(made(1, function))) if known and made is not None else ""
        text = text.partition(")")[2].strip() if text.startswith("@") else text
    axes.label("Title").assign("String", text)
    for name, label in zip("XYZ", labels, strict=False):
        axes.label(f"{name}Label").assign("String", label)


@builtin("fsurf", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def fsurf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of two variables as a surface.

    fsurf(F), fsurf(F, [XMIN XMAX]), fsurf(F, [XMIN XMAX YMIN YMAX])
    fsurf(FX, FY, FZ, …) draws the points that three functions of two variables give
    fsurf(…, NAME, VALUE), fsurf(AX, …)

    Examples:
        >> s = fsurf(@(x, y) x + y, [0 1]); s.Type
        ans =
            'surface'

    See also: fmesh, fplot, fcontour, surf.
    """
    return given(nargout, function_surface(args, interp, False))


_MESH = {"FaceColor": np.ones((1, 3)), "EdgeColor": "flat"}


@builtin("fmesh", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def fmesh(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of two variables as coloured lines.

    fmesh(F), fmesh(F, [XMIN XMAX]), fmesh(F, [XMIN XMAX YMIN YMAX]), fmesh(FX, FY, FZ, …)

    Examples:
        >> s = fmesh(@(x, y) x + y, [0 1]); s.EdgeColor
        ans =
            'flat'

    See also: fsurf, mesh.
    """
    return given(nargout, function_surface(args, interp, False, **_MESH))


@builtin("ezsurf", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def ezsurf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of two variables as a surface with its text as the title.

    ezsurf(F) from -2*pi to 2*pi, ezsurf(F, [MIN MAX]), ezsurf(F, [XMIN XMAX YMIN YMAX])
    F is a text or a handle.

    Examples:
        >> ezsurf('x*y', [0 1]); ax = gca; ax.Title.String
        ans =
            'x*y'

    See also: ezmesh, fsurf, surf.
    """
    return given(nargout, function_surface(args, interp, True))


@builtin("ezmesh", family="plot/curves", nargin=(1, None), needs=("nargout", "interp"))
def ezmesh(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw a function of two variables as coloured lines with its text as the title.

    ezmesh(F) from -2*pi to 2*pi, ezmesh(F, [MIN MAX]), ezmesh(F, [XMIN XMAX YMIN YMAX])
    F is a text or a handle.

    Examples:
        >> s = ezmesh('x*y', [0 1]); s.EdgeColor
        ans =
            'flat'

    See also: ezsurf, fmesh, mesh.
    """
    return given(nargout, function_surface(args, interp, True, **_MESH))


@builtin(
    "fcontour", "ezcontour", family="plot/curves", nargin=(1, None), needs=("nargout", "interp")
)
def fcontour(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw the level lines of a function of two variables.

    fcontour(F), fcontour(F, [XMIN XMAX]), fcontour(…, [XMIN XMAX YMIN YMAX])

    Examples:
        >> c = fcontour(@(x, y) x.^2 + y.^2); c.Type
        ans =
            'contour'

    See also: fsurf, contour.
    """
    from runmat_plot.functions.surfaces import levels_of

    scene = scene_of(interp)
    (x, y, z), rest, target = sampled(args, interp, 71)
    axes = target or current_axes(scene)
    check_pairs("contour", axes, rest)
    prepare(axes, box=True)
    node = make("contour", axes, (), XData=x, YData=y, ZData=z, LevelList=levels_of(z, None))
    set_pairs(node, rest)
    scene.revision += 1
    return given(nargout, node)


def sampled(
    args: Sequence[Any], interp: Interp, count: int
) -> tuple[list[Numbers], list[Any], Any]:
    """The points of a function of two variables, or of three that give coordinates."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    raw = list(args)[len(args) - len(rest) :]
    if not rest:
        raise not_enough()
    three = len(rest) > 2 and all(is_function(value) for value in rest[:3])
    functions = [
        numeric_function(rest.pop(0), raw[k], interp, ("x", "y")) for k in range(3 if three else 1)
    ]
    limits = np.pi * np.array([-2.0, 2, -2, 2]) if count == 60 else np.array([-5.0, 5, -5, 5])
    if rest and isinstance(rest[0], np.ndarray):
        given_limits = vector_in(rest.pop(0), "fsurf", 2, 4)
        limits = np.tile(given_limits, 2) if given_limits.size == 2 else given_limits
    if rest and isinstance(rest[0], float):
        count = parts_in(rest.pop(0), 2, "fsurf", 2**12)
    x, y = np.meshgrid(*(np.linspace(limits[k], limits[k + 1], count) for k in (0, 2)))
    found = [f(x, y) for f in functions]
    return found if three else [x, y, *found], rest, target


@builtin("spy", family="plot/curves", nargin=(1, None), nargout=0, needs=("interp",))
def spy(*args: Any, interp: Interp) -> None:
    """Draw where a matrix has elements that are not zero.

    spy(S), spy(S, SPEC), spy(S, SIZE)

    Examples:
        >> spy(speye(3)); ax = gca; ax.XLabel.String
        ans =
            'nz = 3'

    See also: sparse, nnz, imagesc.
    """
    scene = scene_of(interp)
    values = python(interp, args)
    matrix = complex_in(values[0], "spy")
    if matrix.ndim != 2:
        raise MatlabError("MATLAB:spy:InvalidInput", "The first argument must be a matrix.")
    i, j = np.nonzero(matrix)
    spec = next((line_spec(v) for v in values[1:] if isinstance(v, str)), None)
    size = next((float(v) for v in values[1:] if isinstance(v, float)), None)
    axes = current_axes(scene)
    prepare(axes, box=True)
    own = look(axes, spec)
    own.setdefault("Marker", ".")
    own.update(
        LineStyle="none", MarkerSize=size or float(np.clip(350 / max(*matrix.shape, 1), 3, 18))
    )
    node = make("line", axes, (), **own)
    node.values.update(XData=(j + 1.0).reshape(1, -1), YData=(i + 1.0).reshape(1, -1))
    rows, columns = matrix.shape
    axes.values.update(
        YDir="reverse", DataAspectRatioMode="manual", DataAspectRatio=np.ones((1, 3))
    )
    axes.assign("XLim", np.array([[0.0, columns + 1]]))
    axes.assign("YLim", np.array([[0.0, rows + 1]]))
    axes.label("XLabel").assign("String", f"nz = {i.size}")


@builtin("gplot", family="plot/curves", nargin=(2, 3), nargout=2, needs=("nargout", "interp"))
def gplot(matrix: Any, points: Any, spec: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Draw a graph that a matrix tells, with nodes at given points.

    gplot(A, XY), gplot(A, XY, SPEC); [X, Y] = gplot(A, XY) gives the lines and draws nothing

    Examples:
        >> [x, y] = gplot([0 1; 0 0], [0 0; 1 2]); x'
        ans =
             0     1   NaN

    See also: spy, plot, graph.
    """
    a = complex_in(interp.to_python(matrix), "gplot")
    at = numbers_in(interp.to_python(points), "gplot").astype(float)
    if a.ndim != 2 or at.ndim != 2 or at.shape[1] < 2 or len(at) < max(a.shape):
        raise MatlabError("MATLAB:gplot:InvalidSize", "There must be a point for each node.")
    i, j = np.nonzero(a)
    gap = np.full(i.size, np.nan)
    x, y = (np.column_stack([at[i, k], at[j, k], gap]).reshape(-1, 1) for k in (0, 1))
    if nargout:
        return x, y
    rest = [] if spec is None else [interp.to_python(spec)]
    draw_lines("line", "gplot", [interp.to_matlab(v) for v in (x, y, *rest)], interp)
    return None


@builtin(
    "plotmatrix", family="plot/curves", nargin=(1, None), nargout=5, needs=("nargout", "interp")
)
def plotmatrix(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw each variable of data against each other one.

    plotmatrix(X) of the columns of X, with histograms along the diagonal; plotmatrix(X, Y)
    [S, AX, BIGAX, H, HAX] = plotmatrix(…) gives the points, their axes, axes around them all,
    the histograms and their axes

    Examples:
        >> [s, ax] = plotmatrix(magic(3)); size(ax)
        ans =
             3     3

    See also: scatter, histogram, subplot.
    """
    scene = scene_of(interp)
    data = [
        numbers_in(v, "plotmatrix").astype(float)
        for v in python(interp, args)
        if not isinstance(v, str)
    ]
    if not data or any(part.ndim != 2 for part in data):
        raise MatlabError("MATLAB:plotmatrix:InvalidData", "The data must be a matrix.")
    x = data[0]
    y = data[1] if len(data) > 1 else x
    if not x.shape[1] or not y.shape[1]:
        raise MatlabError("MATLAB:plotmatrix:InvalidData", "The data must have columns.")
    if len(x) != len(y):
        raise MatlabError("MATLAB:samelen", "X and Y must have the same number of rows.")
    figure = current_figure(scene)
    figure.clear()
    figure.values.pop("CurrentAxes", None)
    rows, columns = y.shape[1], x.shape[1]
    wide, high = 0.775 / columns, 0.815 / rows
    big = new_axes(figure, Visible="off", HandleVisibility="on")
    made: list[Node] = []
    grid = np.empty((rows, columns), HANDLES)
    bars: list[Node] = []
    for i in range(rows):
        for j in range(columns):
            box = np.array([[0.13 + j * wide, 0.925 - (i + 1) * high, 0.94 * wide, 0.94 * high]])
            grid[i, j] = axes = new_axes(
                figure, Position=box, PositionConstraint="innerposition", Box="on"
            )
            if len(data) == 1 and i == j:
                bars.append(make_histogram(axes, [x[:, [j]]], [], interp))
            else:
                node = make("line", axes, (), Marker=".", LineStyle="none")
                node.values.update(XData=x[:, j].reshape(1, -1), YData=y[:, i].reshape(1, -1))
                made.append(node)
            if i < rows - 1:
                axes.assign("XTickLabel", [])
            if j:
                axes.assign("YTickLabel", [])
    set_current_axes(big)
    if nargout < 2:
        return given(nargout, made)
    whole = (
        column(made),
        grid,
        big,
        column(bars),
        column([bar.parent for bar in bars if bar.parent]),
    )
    return whole[:nargout]
