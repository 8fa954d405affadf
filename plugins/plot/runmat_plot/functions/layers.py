"""Where things stand: tiles, places in pixels, turned labels of polar axes, layers of figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import number_in, numbers_in, python, vector_in, word_in
from runmat_plot.functions.rulers import target_of
from runmat_plot.functions.support import (
    bad_handle,
    current_axes,
    given,
    make,
    no_outputs,
    node_in,
    nodes_in,
    scene_of,
    take_axes,
)
from runmat_plot.scene import axes as rules
from runmat_plot.scene.extents import bubble_limits
from runmat_plot.scene.node import Node


def _node(interp: Interp, value: Any) -> Node:
    node = node_in(scene_of(interp), interp.to_python(value))
    if node is None:
        raise bad_handle()
    node.check()
    return node


@builtin("getpixelposition", family="plot/handles", nargin=(1, 2), needs=("interp",))
def getpixelposition(handle: Any, recursive: Any = None, *, interp: Interp) -> Any:
    """Place of an object in pixels.

    P = getpixelposition(H) within its parent, P = getpixelposition(H, true) within its figure

    Examples:
        >> f = figure('Position', [10 10 200 100]); ax = axes('Position', [0 0 0.5 1]);
        >> getpixelposition(ax)
        ans =
             1     1   100   100

    See also: setpixelposition, get.
    """
    node = _node(interp, handle)
    if node.kind.name == "figure":
        return node["Position"]
    if "position" not in node.kind.properties:
        raise bad_handle()
    left, bottom, wide, high = rules.pixel_box(node)
    above = node.parent
    inside = recursive is None or not bool(np.all(interp.to_python(recursive)))
    if (
        inside
        and above is not None
        and above.kind.name != "figure"
        and "position" in above.kind.properties
    ):
        x, y, _, _ = rules.pixel_box(above)
        left, bottom = left - x, bottom - y
    return np.array([[left + 1, bottom + 1, wide, high]])


@builtin("setpixelposition", family="plot/handles", nargin=(2, 3), nargout=0, needs=("interp",))
def setpixelposition(handle: Any, place: Any, recursive: Any = None, *, interp: Interp) -> None:
    """Set the place of an object in pixels; it keeps its units.

    setpixelposition(H, [LEFT BOTTOM WIDTH HEIGHT]), setpixelposition(H, P, true) within the figure

    Examples:
        >> f = figure('Position', [10 10 200 100]); ax = axes;
        >> setpixelposition(ax, [1 1 100 50]); ax.Position
        ans =
                 0         0    0.5000    0.5000

    See also: getpixelposition, set.
    """
    node = _node(interp, handle)
    box = vector_in(interp.to_python(place), "setpixelposition", 4)
    if node.kind.name != "figure":
        box = box - np.array([1.0, 1.0, 0.0, 0.0])
        if node["Units"] == "normalized":
            above = node.parent
            _, _, wide, high = rules.pixel_box(above) if above is not None else (0, 0, 560, 420)
            box = box / np.array([wide, high, wide, high])
        else:
            scale = {"inches": 96.0, "centimeters": 96 / 2.54, "points": 96 / 72}
            box = box / scale.get(node["Units"], 1.0)
    node.assign("Position", box)


@builtin("tilenum", family="plot/figures", nargin=(1, 3), needs=("interp",))
def tilenum(*args: Any, interp: Interp) -> Any:
    """Number of the tile in which axes lie.

    N = tilenum(AX), N = tilenum(T, ROW, COLUMN) of a layout

    Examples:
        >> t = tiledlayout(2, 3); tilenum(t, 2, 1)
        ans =
             4

    See also: tilerowcol, nexttile, tiledlayout.
    """
    node = _node(interp, args[0])
    if node.kind.name == "tiledlayout":
        if len(args) != 3:
            raise MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")
        row, column = (numbers_in(interp.to_python(v), "tilenum") for v in args[1:])
        return (row - 1) * node["GridSize"].ravel()[1] + column
    tile = node.info.get("tile")
    return float(tile) if isinstance(tile, int | float) else float("nan")


@builtin("tilerowcol", family="plot/figures", nargin=(1, 2), nargout=2, needs=("nargout", "interp"))
def tilerowcol(*args: Any, nargout: int, interp: Interp) -> Any:
    """Row and column of the tile in which axes lie.

    [ROW, COLUMN] = tilerowcol(AX), [ROW, COLUMN] = tilerowcol(T, N) of a layout

    Examples:
        >> t = tiledlayout(2, 3); [r, c] = tilerowcol(t, 4)
        r =
             2
        c =
             1

    See also: tilenum, nexttile, tiledlayout.
    """
    node = _node(interp, args[0])
    layout = node if node.kind.name == "tiledlayout" else node.parent
    if layout is None or layout.kind.name != "tiledlayout":
        return (float("nan"),) * 2 if nargout > 1 else float("nan")
    columns = layout["GridSize"].ravel()[1]
    if node is layout and len(args) < 2:
        raise MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")
    tile = numbers_in(interp.to_python(args[1]), "tilerowcol") if node is layout else None
    if tile is None:
        tile = np.array([[float(node.info.get("tile", np.nan))]])
    row, column = (tile - 1) // columns + 1, (tile - 1) % columns + 1
    return (row, column) if nargout > 1 else row


@builtin("ztickangle", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def ztickangle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Turn of the labels along the z-axis, in degrees.

    A = ztickangle, ztickangle(A), ztickangle(AX, A)

    Examples:
        >> surf(peaks(9)); ztickangle(30); ztickangle
        ans =
            30

    See also: xtickangle, ytickangle, zticks.
    """
    axes, rest = target_of(args, interp)
    if rest:
        axes.assign("ZTickLabelRotation", rest[0])
    return axes["ZTickLabelRotation"] if nargout or not rest else None


@builtin("rtickangle", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def rtickangle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Turn of the labels along the radius of polar axes, in degrees.

    A = rtickangle, rtickangle(A), rtickangle(PAX, A)

    Examples:
        >> polarplot(0:3, 0:3); rtickangle(30); rtickangle
        ans =
            30

    See also: rticks, rticklabels, xtickangle.
    """
    axes, rest = target_of(args, interp)
    if rest:
        axes.info["rtickangle"] = number_in(rest[0], "rtickangle")
    return float(axes.info.get("rtickangle", 0.0)) if nargout or not rest else None


def _polar_format(name: str, args: Any, nargout: int, interp: Interp) -> Any:
    axes, rest = target_of(args, interp)
    formats = axes.info.setdefault("formats", {})
    if rest:
        text = word_in(rest[0], f"{name.lower()}tickformat")
        named = {"degrees": "%g\N{DEGREE SIGN}", "usd": "$%,.2f", "percentage": "%g%%"}
        if text.lower() == "auto":
            formats.pop(name, None)
        else:
            formats[name] = named.get(text.lower(), text)
        axes.scene.revision += 1
    return formats.get(name, "%g") if nargout or not rest else None


@builtin("rtickformat", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def rtickformat(*args: Any, nargout: int, interp: Interp) -> Any:
    """Format of the labels along the radius of polar axes.

    F = rtickformat, rtickformat(F), rtickformat("auto"), rtickformat(PAX, F)

    Examples:
        >> polarplot(0:3, 0:3); rtickformat('%.1f'); rtickformat
        ans =
            '%.1f'

    See also: rticks, thetatickformat, xtickformat.
    """
    return _polar_format("R", args, nargout, interp)


@builtin("thetatickformat", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def thetatickformat(*args: Any, nargout: int, interp: Interp) -> Any:
    """Format of the labels around polar axes.

    F = thetatickformat, thetatickformat(F), thetatickformat("degrees"), thetatickformat(PAX, F)

    Examples:
        >> polarplot(0:3, 0:3); thetatickformat('%.0f'); thetatickformat
        ans =
            '%.0f'

    See also: thetaticks, rtickformat, xtickformat.
    """
    return _polar_format("Theta", args, nargout, interp)


@builtin("dialog", family="plot/dialogs", nargin=(0, None), needs=("nargout", "interp"))
def dialog(*args: Any, nargout: int, interp: Interp) -> Any:
    """Figure for a question: a figure without menus.

    D = dialog, D = dialog(NAME, VALUE, …)

    Examples:
        >> d = dialog('Name', 'Ask'); d.WindowStyle
        ans =
            'modal'

    See also: figure, msgbox, uiwait.
    """
    from runmat_plot.functions.figures import figure

    own = ["WindowStyle", "modal", "MenuBar", "none", "NumberTitle", "off"]
    return figure(*map(interp.to_matlab, own), *args, nargout=nargout, interp=interp)


@builtin("opengl", family="plot/figures", nargin=(0, 2), needs=("nargout",))
def opengl(*args: Any, nargout: int) -> Any:
    """Renderer of figures; nothing to choose, since they are drawn in software.

    opengl software, opengl hardware; D = opengl("data") describes it

    Examples:
        >> d = opengl('data'); d.Software
        ans =
          logical
           1

    See also: figure, print.
    """
    if not nargout:
        return None
    return {"Version": "", "Vendor": "matplotlib", "Renderer": "Agg", "Software": True}


@builtin("listfonts", family="plot/labels", nargin=(0, 1))
def listfonts(handle: Any = None) -> Any:
    """Names of the fonts that texts can be set in.

    F = listfonts

    Examples:
        >> any(strcmp(listfonts, 'DejaVu Sans'))
        ans =
          logical
           1

    See also: text, fontname.
    """
    from matplotlib.font_manager import fontManager

    names = sorted({font.name for font in fontManager.ttflist})
    column = np.empty((len(names), 1), object)
    column[:, 0] = names
    return column


@builtin("texlabel", family="plot/labels", nargin=(1, 2), needs=("interp",))
def texlabel(expression: Any, literal: Any = None, *, interp: Interp) -> Any:
    """Expression of MATLAB's as TeX.

    S = texlabel(TEXT) writes the names of Greek letters as letters, and lowers and raises
    S = texlabel(TEXT, "literal") leaves names as they are

    Examples:
        >> texlabel('lambda12^(3/2)/pi')
        ans =
            '{\\lambda_{12}}^{{3}/{2}}/{\\pi}'

    See also: text, title, xlabel.
    """
    import re

    text = word_in(interp.to_python(expression), "texlabel").replace(" ", "")
    greek = (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
        "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
    ).split()

    def name(match: re.Match[str]) -> str:
        word, digits = match.groups()
        shown = f"\\{word}" if literal is None and word in greek else word
        return "{" + shown + (f"_{{{digits}}}" if digits else "") + "}"

    text = re.sub(r"([A-Za-z]+)(\d*)", name, text.replace("\\", ""))
    text = re.sub(r"(?<![\w{])(\d+(?:\.\d+)?)", r"{\1}", text)
    text = re.sub(r"\^\(([^()]*)\)", r"^{\1}", text)
    return re.sub(r"(?<=[}\d])\*(?=[{(\d])", " ", text)


@builtin("hgexport", family="plot/output", nargin=(2, None), nargout=0, needs=("interp",))
def hgexport(handle: Any, file: Any, *style: Any, interp: Interp) -> None:
    """Draw a figure to a file, as old programs do: an EPS file unless its name says otherwise.

    hgexport(F, FILE)

    Examples:
        >> plot(1:3); name = [tempname '.eps']; hgexport(gcf, name); isfile(name)
        ans =
          logical
           1

    See also: print, exportgraphics.
    """
    from runmat_plot.functions.output import DEVICES
    from runmat_plot.functions.pictures import RESOLUTION, write_picture

    path = word_in(interp.to_python(file), "hgexport")
    figure = _node(interp, handle).up("figure")
    if figure is None:
        raise bad_handle()
    ending = path.rpartition(".")[2].lower() if "." in path else "eps"
    write_picture(figure, path, DEVICES.get(ending, "eps"), RESOLUTION, interp)


@builtin("hgfeval", family="plot/handles", nargin=(1, None), needs=("nargout", "interp"))
def hgfeval(callback: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Call what is kept as a callback: a function, a cell array that begins with one, or a text.

    hgfeval(F, …)

    Examples:
        >> hgfeval({@(a, b) disp(a + b), 2}, 1)
             3

    See also: feval, set.
    """
    plain = interp.to_python(callback)
    if isinstance(plain, str):
        no_outputs(nargout)
        interp.evaluate(plain, interp.base())
        return None
    if isinstance(plain, list | np.ndarray) and getattr(callback, "class_name", "") == "cell":
        if not callback.data.size:
            raise MatlabError("MATLAB:hgfeval:InvalidCallback", "The cell array has no function.")
        first, *further = callback.data.ravel(order="F")
        return interp.call(first, [*args, *further], nargout)
    return interp.call(callback, list(args), nargout)


@builtin("graphics.rotate", family="plot/handles", nargin=(3, 4), nargout=0, needs=("interp",))
def rotate(handle: Any, direction: Any, angle: Any, origin: Any = None, *, interp: Interp) -> None:
    """Turn objects about an axis; what rotate calls for those that are drawn.

    rotate(H, [X Y Z], ANGLE) in degrees, rotate(H, [THETA PHI], ANGLE), rotate(H, D, ANGLE, ORIGIN)

    Examples:
        >> h = line([0 1], [0 0]); rotate(h, [0 0 1], 90, [0 0 0]); round(h.YData)
        ans =
             0     1

    See also: view, rotate3d, hgtransform.
    """
    scene = scene_of(interp)
    axis = vector_in(interp.to_python(direction), "rotate", 2, 3)
    if axis.size == 2:
        theta, phi = np.radians(axis)
        axis = np.array([np.cos(phi) * np.cos(theta), np.cos(phi) * np.sin(theta), np.sin(phi)])
    size = float(np.linalg.norm(axis))
    if not size:
        raise MatlabError("MATLAB:rotate:InvalidDirection", "The direction must not be zero.")
    turn = _turn(axis / size, np.radians(number_in(interp.to_python(angle), "rotate")))
    nodes = [n for n in nodes_in(scene, interp.to_python(handle)) if n.kind.type not in ("axes",)]
    for node in nodes:
        node.check()
        about = (
            _middle(node) if origin is None else vector_in(interp.to_python(origin), "rotate", 3)
        )
        _turned(node, turn, about)
    scene.revision += 1


def _turn(axis: Any, angle: float) -> Any:
    """The matrix of a turn about an axis of length one."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def _middle(node: Node) -> Any:
    axes = node.up("axes")
    if axes is None:
        return np.zeros(3)
    limits = [axes[f"{name}Lim"].ravel() for name in "XYZ"]
    flat = axes["View"].ravel()[1] == 90
    return np.array([sum(limit) / 2 for limit in limits]) * np.array([1, 1, 0 if flat else 1])


def _turned(node: Node, turn: Any, about: Any) -> None:
    names = node.kind.properties
    if "vertices" in names:
        points = np.asarray(node["Vertices"], float)
        wide = np.zeros((len(points), 3))
        wide[:, : points.shape[1]] = points
        node.values["Vertices"] = (wide - about) @ turn.T + about
        return
    if node.kind.type == "text":
        node.values["Position"] = ((node["Position"] - about) @ turn.T) + about
        return
    if "xdata" not in names or "ydata" not in names:
        return
    x, y = np.asarray(node["XData"], float), np.asarray(node["YData"], float)
    z = np.asarray(node["ZData"], float) if "zdata" in names else np.zeros((0, 0))
    if node.kind.type == "surface":
        x, y = (np.broadcast_to(part, z.shape) for part in (x, y))
    flat = z.size != x.size
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size) if flat else z.ravel()], axis=1)
    made = (points - about) @ turn.T + about
    node.values["XData"], node.values["YData"] = (made[:, k].reshape(x.shape) for k in (0, 1))
    if not flat or ("zdata" in names and np.any(np.abs(made[:, 2]) > 1e-12)):
        node.values["ZData"] = made[:, 2].reshape(x.shape)


@builtin("bubblelegend", family="plot/labels", nargin=(0, None), needs=("nargout", "interp"))
def bubblelegend(*args: Any, nargout: int, interp: Interp) -> Any:
    """Legend that tells what the sizes of bubbles stand for.

    bubblelegend, bubblelegend(TITLE), bubblelegend(…, NAME, VALUE), bubblelegend(AX, …)
    with Location, NumBubbles and Box; L = bubblelegend(…)

    Examples:
        >> bubblechart(1:3, 1:3, [2 4 6]); l = bubblelegend('People'); l.LimitLabels
        ans =
          2×1 cell array
            {'2'}
            {'6'}

    See also: bubblechart, bubblesize, bubblelim, legend.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    title = rest.pop(0) if len(rest) % 2 else None
    figure = axes.up("figure")
    assert figure is not None
    low, high = bubble_limits(axes)
    made = make("bubblelegend", figure, rest, FontSize=9.0, LimitLabels=[f"{low:g}", f"{high:g}"])
    if title is not None:
        made.label("Title").assign("String", title)
    axes.info.setdefault("attached", []).append(made)
    made.info["owner"] = axes
    scene.revision += 1
    return given(nargout, made)
