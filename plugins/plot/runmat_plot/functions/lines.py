"""Lines through points: plot and its like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.support import (
    Data,
    Numbers,
    bad_data,
    current_axes,
    data_in,
    given,
    holds,
    make,
    name_axes,
    not_enough,
    numbers_in,
    prepare,
    python,
    read_options,
    scene_of,
    set_pairs,
    set_ruler,
    take_axes,
    take_table,
    word_in,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.colors import LineSpec, line_spec
from runmat_plot.scene.node import Node


class Series(NamedTuple):
    """One line of a plot."""

    x: Numbers
    y: Numbers
    z: Numbers | None
    spec: LineSpec | None
    rulers: tuple[Any, Any]


def read_series(
    args: Sequence[Any], name: str, interp: Interp, dims: int = 2
) -> tuple[list[Series], list[Any]]:
    """The lines that arguments describe, and the name-value pairs behind them.

    Raises:
        MatlabError: sizes that do not fit, values that are no data, a text that is no LineSpec.
    """
    at = 0
    found: list[Series] = []
    while at < len(args) and not isinstance(args[at], str | dict):
        run: list[Data] = []
        while at < len(args) and len(run) < dims and not isinstance(args[at], str | dict):
            data = data_in(args[at], name)
            if data is None:
                raise bad_data(name)
            run.append(data)
            at += 1
        spec = None
        if at < len(args) and isinstance(args[at], str):
            spec = line_spec(args[at])
            odd = (len(args) - at) % 2 == 1
            if spec is not None and (odd or not _starts_pairs(args[at])):
                at += 1
            elif spec is None and at + 1 == len(args):
                raise MatlabError(
                    f"MATLAB:{name}:InvalidLineSpec", "Error in color/linetype argument."
                )
            else:
                spec = None
        if dims == 3 and len(run) < 3:
            raise not_enough()
        found += _lines_of(run, spec, name, interp)
        if spec is None and at < len(args) and isinstance(args[at], str | dict):
            break
    return found, list(args[at:])


def _starts_pairs(word: str) -> bool:
    """Return whether a text that could be a LineSpec is the name of a property."""
    return len(word) > 4 or word.lower() in ("tag",)


def _lines_of(run: list[Data], spec: LineSpec | None, name: str, interp: Interp) -> list[Series]:
    if len(run) == 1:
        only = run[0].values
        if only.dtype.kind == "c" and np.any(only.imag != 0):
            run = [Data(only.real), Data(only.imag)]
        else:
            count = only.size if min(only.shape) == 1 else only.shape[0]
            run = [Data(np.arange(1.0, count + 1).reshape(-1, 1)), run[0]]
    elif any(data.values.dtype.kind == "c" and np.any(data.values.imag != 0) for data in run):
        interp.warn(
            "MATLAB:plot:IgnoreImaginaryXYPart",
            "Imaginary parts of complex X and/or Y arguments ignored.",
        )
    parts = [data.values.real if data.values.dtype.kind == "c" else data.values for data in run]
    if any(part.ndim > 2 for part in parts):
        raise MatlabError(
            f"MATLAB:{name}:InvalidDataShape", "Data may not have more than 2 dimensions."
        )
    columns = matched(parts, name)
    rulers = (run[0].ruler, run[1].ruler)
    return [
        Series(line[0], line[1], line[2] if len(line) > 2 else None, spec, rulers)
        for line in columns
    ]


def matched(parts: Sequence[Numbers], name: str) -> list[list[Numbers]]:
    """The columns of coordinates that belong together, each as a row.

    Raises:
        MatlabError: sizes that do not fit.
    """
    vectors = [min(part.shape) == 1 or part.size == 0 for part in parts]
    if any(part.size == 0 for part in parts):
        if all(part.size == 0 for part in parts):
            return [[np.zeros((1, 0)) for _ in parts]]
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    if all(vectors):
        sizes = {part.size for part in parts}
        if len(sizes) == 1:
            return [[part.reshape(1, -1) for part in parts]]
        # a number with a vector gives a line of one point for each element
        if len(sizes) == 2 and 1 in sizes:
            count = max(sizes)
            wide = [np.broadcast_to(part.ravel(), count) for part in parts]
            return [[part[k : k + 1].reshape(1, 1) for part in wide] for k in range(count)]
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    matrix = next(part for part, vector in zip(parts, vectors, strict=True) if not vector)
    shaped = []
    turn = False
    for part, vector in zip(parts, vectors, strict=True):
        if vector and part.size not in matrix.shape:
            raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
        if not vector and part.shape != matrix.shape:
            raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
        turn = turn or (vector and part.size != matrix.shape[0])
    for part, vector in zip(parts, vectors, strict=True):
        whole = part if vector else part.T if turn else part
        shaped.append(whole.reshape(-1, 1) if vector else whole)
    count = max(part.shape[1] for part in shaped)
    return [
        [part[:, k if part.shape[1] > 1 else 0].reshape(1, -1) for part in shaped]
        for k in range(count)
    ]


def look(axes: Node, spec: LineSpec | None) -> dict[str, Any]:
    """The properties that a LineSpec and the colour order give a line."""
    found: dict[str, Any] = {}
    if spec is None or spec.color is None:
        found["Color"] = next_color(axes)
    else:
        found["Color"] = np.array([spec.color], float)
    if spec is not None:
        if spec.marker is not None:
            found["Marker"] = spec.marker
        if spec.style is not None:
            found["LineStyle"] = spec.style
        elif spec.marker is not None:
            found["LineStyle"] = "none"
    return found


def check_pairs(kind: str, axes: Node, pairs: Sequence[Any]) -> None:
    """Raise what is wrong with pairs before anything is drawn."""
    trial = Node(axes.scene, kind, None)
    trial.parent = axes
    try:
        set_pairs(trial, without_parent(pairs))
    finally:
        trial.parent = None
        axes.scene.by_number.pop(trial.ident, None)


def without_parent(pairs: Sequence[Any]) -> list[Any]:
    kept: list[Any] = []
    at = 0
    while at < len(pairs):
        if isinstance(pairs[at], dict):
            kept.append(pairs[at])
            at += 1
            continue
        if not (isinstance(pairs[at], str) and pairs[at].lower() == "parent"):
            kept += pairs[at : at + 2]
        at += 2
    return kept


def draw_lines(
    kind: str,
    name: str,
    args: Sequence[Any],
    interp: Interp,
    dims: int = 2,
    values: dict[str, Any] | None = None,
    before: Callable[[Node], None] | None = None,
) -> list[Node]:
    """Draw lines of one kind into axes that are made ready."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    names = take_table(rest, dims)
    if not rest:
        raise not_enough()
    series, pairs = read_series(rest, name, interp, dims)
    formats, pairs = read_options(pairs, "datetimetickformat", "durationtickformat")
    if not series and not (pairs and any(is_data(word) for word in pairs[::2])):
        raise not_enough() if not pairs else bad_data(name)
    axes = target or current_axes(scene)
    check_pairs(kind, axes, pairs)
    if axes.kind.type in ("axes", "polaraxes"):
        prepare(axes, box=dims == 2)
        if (dims == 3 and not holds(axes)) or (dims == 3 and not axes.children):
            axes.values.setdefault("View", np.array([[-37.5, 30.0]]))
    if before is not None:
        before(axes)
    above = axes.up("axes", "polaraxes") or axes
    if not series:
        series = [Series(np.zeros((1, 0)), np.zeros((1, 0)), None, None, ("numeric", "numeric"))]
    made = []
    for one in series:
        set_ruler(above, "X", one.rulers[0])
        set_ruler(above, "Y", one.rulers[1])
        node = make(kind, axes, (), **look(above, one.spec), **(values or {}))
        node.values.update({"XData": one.x, "YData": one.y})
        if one.z is not None:
            node.values["ZData"] = one.z
        set_pairs(node, pairs)
        made.append(node)
    name_axes(above, names)
    for pattern in formats.values():
        for axis in "XY":
            if above.info.get("rulers", {}).get(axis) in ("datetime", "duration"):
                above.info.setdefault("formats", {})[axis] = word_in(pattern, name)
    scene.revision += 1
    return made


def is_data(word: Any) -> bool:
    return isinstance(word, str) and word.lower() in ("xdata", "ydata", "zdata")


@builtin("plot", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def plot(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines through points of the plane.

    plot(Y) draws Y against 1, 2, 3 …, each column of a matrix as a line; complex numbers as points
    plot(X, Y), plot(X1, Y1, X2, Y2, …) draws Y against X
    plot(X, Y, SPEC, …) with a text such as "r--o" for colour, style of line and marker
    plot(…, NAME, VALUE) sets properties of the lines, plot(AX, …) draws in the axes AX
    plot(P) draws a polyshape, plot(G) a graph, plot(TR) a triangulation
    plot(T, X, Y) draws variables of a table by their names, plot(TT) those of a timetable
    H = plot(…) gives the lines

    Examples:
        >> h = plot([1 2 3], [2 4 8], 'r--o'); h.LineStyle
        ans =
            '--'

    See also: plot3, line, hold, axis, title, semilogy, scatter.
    """
    kind = getattr(args[0], "class_name", "")
    if kind in ("table", "timetable"):
        from runmat_plot.functions.objects import plot_table

        return given(nargout, plot_table(args, interp))
    others = [getattr(value, "class_name", "") for value in args[:2]]
    if others[0] in ("graph", "digraph") or others[1:] in (["graph"], ["digraph"]):
        from runmat_plot.functions.networks import plot_graph

        return given(nargout, plot_graph(args, interp))
    if kind == "polyshape":
        from runmat_plot.functions.objects import plot_polygon

        return given(nargout, plot_polygon(args, interp))
    if kind in ("triangulation", "delaunayTriangulation"):
        from runmat_plot.functions.objects import plot_mesh

        made = plot_mesh(args, interp)
        return made if nargout else None
    return given(nargout, draw_lines("line", "plot", args, interp))


@builtin("plot3", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def plot3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines through points of space.

    plot3(X, Y, Z), plot3(X, Y, Z, SPEC, …), plot3(…, NAME, VALUE), plot3(AX, …)
    H = plot3(…) gives the lines

    Examples:
        >> t = 0:0.1:10; plot3(cos(t), sin(t), t); view
        ans =
          -37.5000   30.0000

    See also: plot, scatter3, view, surf.
    """
    return given(nargout, draw_lines("line", "plot3", args, interp, dims=3))


def _log(*names: str) -> Callable[[Node], None]:
    def change(axes: Node) -> None:
        if not holds(axes) or not axes.children:
            for name in names:
                axes.values[f"{name}Scale"] = "log"

    return change


@builtin("semilogx", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def semilogx(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines with a logarithmic axis of x.

    semilogx(…) takes what plot takes

    Examples:
        >> semilogx([1 10 100], 1:3); get(gca, 'XScale')
        ans =
            'log'

    See also: plot, semilogy, loglog.
    """
    return given(nargout, draw_lines("line", "semilogx", args, interp, before=_log("X")))


@builtin("semilogy", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def semilogy(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines with a logarithmic axis of y.

    semilogy(…) takes what plot takes

    Examples:
        >> semilogy(1:3, [1 10 100]); ylim
        ans =
             1   100

    See also: plot, semilogx, loglog.
    """
    return given(nargout, draw_lines("line", "semilogy", args, interp, before=_log("Y")))


@builtin("loglog", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def loglog(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw lines with logarithmic axes.

    loglog(…) takes what plot takes

    Examples:
        >> loglog([1 10], [1 100]); get(gca, 'YScale')
        ans =
            'log'

    See also: plot, semilogx, semilogy.
    """
    return given(nargout, draw_lines("line", "loglog", args, interp, before=_log("X", "Y")))


@builtin("stairs", family="plot/lines", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def stairs(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw stairs through points.

    stairs(Y), stairs(X, Y), stairs(X, Y, SPEC), stairs(…, NAME, VALUE), stairs(AX, …)
    H = stairs(…) gives the stairs; [XB, YB] = stairs(X, Y) gives their corners and draws nothing

    Examples:
        >> [x, y] = stairs([1 2], [3 4]); [x y]
        ans =
             1     3
             2     3
             2     4

    See also: plot, bar, stem.
    """
    if nargout < 2:
        return given(nargout, draw_lines("stair", "stairs", args, interp))
    _, rest = take_axes(scene_of(interp), python(interp, args))
    series, _ = read_series(rest, "stairs", interp)
    if not series:
        raise not_enough()
    if len({one.y.size for one in series}) > 1:
        raise MatlabError("MATLAB:samelen", "Vectors must be the same length.")
    corners = [stair_corners(one.x.ravel(), one.y.ravel()) for one in series]
    return tuple(np.stack([corner[k] for corner in corners], axis=1) for k in range(2))


def stair_corners(x: Numbers, y: Numbers) -> tuple[Numbers, Numbers]:
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[: max(2 * y.size - 1, 0)]


@builtin("stem", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def stem(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points on stems.

    stem(Y), stem(X, Y), stem(…, "filled"), stem(…, SPEC), stem(…, NAME, VALUE), stem(AX, …)
    H = stem(…) gives the stems

    Examples:
        >> h = stem([1 3 2]); h.Marker
        ans =
            'o'

    See also: stem3, plot, bar, stairs.
    """
    return given(nargout, _stems("stem", args, interp, 2))


@builtin("stem3", family="plot/lines", nargin=(1, None), needs=("nargout", "interp"))
def stem3(*args: Any, nargout: int, interp: Interp) -> Any:
    """Draw points of space on stems.

    stem3(Z), stem3(X, Y, Z), stem3(…, "filled"), stem3(…, SPEC), stem3(…, NAME, VALUE)

    Examples:
        >> h = stem3([1 2], [1 2], [3 4]); h.ZData
        ans =
             3     4

    See also: stem, scatter3, plot3.
    """
    return given(nargout, _stems("stem3", args, interp, 3))


def _stems(name: str, args: Sequence[Any], interp: Interp, dims: int) -> list[Node]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    filled = [word for word in rest if isinstance(word, str) and word.lower() in ("filled", "fill")]
    rest = [word for word in rest if not (isinstance(word, str) and word in filled)]
    if dims == 3 and len([r for r in rest[:3] if not isinstance(r, str)]) == 1:
        z = numbers_in(rest[0], name)
        x, y = np.meshgrid(np.arange(1.0, z.shape[1] + 1), np.arange(1.0, z.shape[0] + 1))
        rest = [x, y, z, *rest[1:]]
    if dims == 3:
        rest = [part.reshape(1, -1) if isinstance(part, np.ndarray) else part for part in rest]
    first = [target] if target is not None else []
    values: dict[str, Any] = {"Marker": "o", "LineStyle": "-"}
    made = []
    for node in draw_lines("stem", name, [*map(interp.to_matlab, (*first, *rest))], interp, dims):
        for key, value in values.items():
            if key not in node.values or node.values[key] == "none":
                node.values[key] = value
        if filled:
            node.values["MarkerFaceColor"] = "auto"
        made.append(node)
    return made


@builtin("line", family="plot/lines", nargin=(0, None), needs=("nargout", "interp"))
def line(*args: Any, nargout: int, interp: Interp) -> Any:
    """Add lines to axes, whatever hold says.

    line(X, Y), line(X, Y, Z), line(…, NAME, VALUE), line(NAME, VALUE, …), line(AX, …)
    H = line(…) gives the lines

    Examples:
        >> h = line([0 1], [2 3], 'Color', 'r'); h.Color
        ans =
             1     0     0

    See also: plot, rectangle, patch, text.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    data = []
    while rest and not isinstance(rest[0], str | dict):
        data.append(numbers_in(rest.pop(0), "line"))
    if len(data) == 1 or len(data) > 3:
        raise (
            not_enough()
            if len(data) == 1
            else MatlabError("MATLAB:maxrhs", "Too many input arguments.")
        )
    axes = target or current_axes(scene)
    check_pairs("primitiveline", axes, rest)
    above = axes.up("axes", "polaraxes") or axes
    lines = matched(data, "line") if data else [[]]
    made = []
    for parts in lines:
        values = {f"{name}Data": part for name, part in zip("XYZ", parts, strict=False)}
        if not data:
            values = {"XData": np.array([[0.0, 1.0]]), "YData": np.array([[0.0, 1.0]])}
        color = next_color(above) if len(lines) > 1 else above["ColorOrder"][:1]
        made.append(make("primitiveline", axes, rest, Color=color, **values))
    return given(nargout, made)
