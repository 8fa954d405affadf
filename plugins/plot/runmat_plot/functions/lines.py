"""Lines through points: plot and its like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import (
    not_enough,
    numbers_in,
    python,
)
from runmat_plot.functions.networks import plot_graph
from runmat_plot.functions.objects import plot_mesh, plot_polygon, plot_table
from runmat_plot.functions.series import check_pairs, draw_lines, matched, read_series
from runmat_plot.functions.support import (
    current_axes,
    given,
    holds,
    make,
    scene_of,
    take_axes,
)
from runmat_plot.scene.axes import next_color
from runmat_plot.scene.extents import stair_corners
from runmat_plot.scene.node import Node


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
        return given(nargout, plot_table(args, interp))
    others = [getattr(value, "class_name", "") for value in args[:2]]
    if others[0] in ("graph", "digraph") or others[1:] in (["graph"], ["digraph"]):
        return given(nargout, plot_graph(args, interp))
    if kind == "polyshape":
        return given(nargout, plot_polygon(args, interp))
    if kind in ("triangulation", "delaunayTriangulation"):
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
