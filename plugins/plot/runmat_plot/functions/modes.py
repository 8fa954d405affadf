"""Ways of working with the mouse, and what data tips and legends are told of objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import number_in, parts_in, python, reals_in
from runmat_plot.functions.rulers import target_of
from runmat_plot.functions.support import (
    current_axes,
    current_figure,
    given,
    make,
    node_in,
    scene_of,
)
from runmat_plot.scene import tables
from runmat_plot.scene.node import Node, computed


def mode_of(figure: Node, name: str) -> Node:
    """Return the object that says how a figure answers to the mouse, made on first use."""
    modes: dict[str, Node] = figure.info.setdefault("modes", {})
    found = modes.get(name)
    if found is None or found.deleted:
        found = modes[name] = Node(figure.scene, name, None)
        found.values["FigureHandle"] = figure
    return found


def _mode(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Switch a way of working with the mouse, or give the object that keeps it."""
    scene = scene_of(interp)
    rest = python(interp, args)
    target = node_in(scene, rest[0]) if rest and not isinstance(rest[0], str) else None
    if target is not None and (isinstance(rest[0], Node) or name != "zoom"):
        target.check()
        rest = rest[1:]
    else:
        target = None
    figure = (target.up("figure") if target is not None else None) or current_figure(scene)
    mode = mode_of(figure, name)
    word = rest[0].lower() if rest and isinstance(rest[0], str) else None
    if word in ("on", "xon", "yon", "off", "toggle") or (not rest and not nargout):
        on = word in ("on", "xon", "yon")
        on = mode["Enable"] == "off" if word in (None, "toggle") else on
        for other in tables.MODES if on else ():
            mode_of(figure, other)["Enable"] = "off"
        mode["Enable"] = "on" if on else "off"
        mode["Motion"] = {"xon": "horizontal", "yon": "vertical"}.get(word or "", "both")
    elif name == "zoom" and rest:
        axes = target if target is not None and target.kind.type == "axes" else current_axes(scene)
        _zoomed(axes, word if word is not None else number_in(rest[0], name))
    return mode if nargout else None


def _zoomed(axes: Node, factor: str | float) -> None:
    """Show less of axes, or all of it again."""
    if factor == "reset":
        axes.info.pop("zoom", None)
        return
    before = axes.info.setdefault(
        "zoom", {name: axes.values.get(f"{name}Lim") for name in "XY" if _manual(axes, name)}
    )
    if factor == "out":
        for name in "XY":
            if name in before:
                axes.assign(f"{name}Lim", before[name])
            else:
                axes.assign(f"{name}LimMode", "auto")
        return
    if isinstance(factor, str) or not factor > 0:
        raise MatlabError("MATLAB:zoom:InvalidArgument", "The factor must be a positive number.")
    for name in "XY":
        low, high = axes[f"{name}Lim"].ravel()
        half = (high - low) / 2 / factor
        middle = (low + high) / 2
        axes.assign(f"{name}Lim", np.array([[middle - half, middle + half]]))


def _manual(axes: Node, name: str) -> bool:
    return bool(axes.values.get(f"{name}LimMode") == "manual")


@builtin("zoom", family="plot/rulers", nargin=(0, 3), needs=("nargout", "interp"))
def zoom(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show a part of axes.

    zoom(FACTOR) shows less of the current axes, zoom out all of it again
    zoom on, zoom off, zoom xon, zoom yon and zoom switch zooming with the mouse in a window
    Z = zoom gives the object that keeps how that is done; zoom(F, …) of the figure F

    Examples:
        >> plot(0:10); xlim([0 8]); zoom(2); xlim
        ans =
             2     6

    See also: pan, xlim, rotate3d.
    """
    return _mode("zoom", args, nargout, interp)


@builtin("pan", family="plot/rulers", nargin=(0, 3), needs=("nargout", "interp"))
def pan(*args: Any, nargout: int, interp: Interp) -> Any:
    """Switch moving of axes with the mouse in a window.

    pan on, pan off, pan; pan(F, …) of the figure F
    H = pan gives the object that keeps how that is done

    Examples:
        >> plot(1:3); h = pan; h.Enable = 'on'; h.Enable
        ans =
            'on'

    See also: zoom, rotate3d, datacursormode.
    """
    return _mode("pan", args, nargout, interp)


@builtin("rotate3d", family="plot/rulers", nargin=(0, 3), needs=("nargout", "interp"))
def rotate3d(*args: Any, nargout: int, interp: Interp) -> Any:
    """Switch turning of axes with the mouse in a window.

    rotate3d on, rotate3d off, rotate3d; rotate3d(F, …) of the figure F
    H = rotate3d gives the object that keeps how that is done

    Examples:
        >> plot(1:3); h = rotate3d; h.Enable = 'on'; h.Enable
        ans =
            'on'

    See also: zoom, pan, datacursormode.
    """
    return _mode("rotate3d", args, nargout, interp)


@builtin("brush", family="plot/rulers", nargin=(0, 3), needs=("nargout", "interp"))
def brush(*args: Any, nargout: int, interp: Interp) -> Any:
    """Switch marking of data with the mouse in a window.

    brush on, brush off, brush; brush(F, …) of the figure F
    H = brush gives the object that keeps how that is done

    Examples:
        >> plot(1:3); h = brush; h.Enable = 'on'; h.Enable
        ans =
            'on'

    See also: zoom, pan, rotate3d, datacursormode.
    """
    return _mode("brush", args, nargout, interp)


@builtin("datacursormode", family="plot/rulers", nargin=(0, 3), needs=("nargout", "interp"))
def datacursormode(*args: Any, nargout: int, interp: Interp) -> Any:
    """Switch reading of values with the mouse in a window.

    datacursormode on, datacursormode off, datacursormode; datacursormode(F, …) of the figure F
    H = datacursormode gives the object that keeps how that is done

    Examples:
        >> plot(1:3); h = datacursormode; h.Enable = 'on'; h.Enable
        ans =
            'on'

    See also: zoom, pan, rotate3d.
    """
    return _mode("datacursormode", args, nargout, interp)


@builtin("axtoolbar", family="plot/rulers", nargin=(0, 4), needs=("nargout", "interp"))
def axtoolbar(*args: Any, nargout: int, interp: Interp) -> Any:
    """Bar of tools of axes, which keeps its properties; nothing is drawn.

    axtoolbar, axtoolbar(AX, …), TB = axtoolbar(…)

    Examples:
        >> tb = axtoolbar; tb.Visible = 'off'; tb.Visible
        ans =
            'off'

    See also: zoom, pan, rotate3d.
    """
    axes, _ = target_of(args, interp)
    made = Node(axes.scene, "uitoolbar", None)
    axes.values["Toolbar"] = made
    return given(nargout, made)


@builtin("hidden", family="plot/rulers", nargin=(0, 2), nargout=0, needs=("interp",))
def hidden(*args: Any, interp: Interp) -> None:
    """Removal of hidden lines of meshes.

    hidden on, hidden off, hidden changes that; hidden(AX, …)

    Examples:
        >> h = mesh(peaks(5)); hidden off; h.FaceColor
        ans =
            'none'

    See also: mesh, shading, surf.
    """
    axes, rest = target_of(args, interp)
    word = str(rest[0]).lower() if rest else ""
    for node in axes.children:
        if node.kind.type == "surface" and node.info.get("mesh"):
            see_through = node["FaceColor"] == "none" if not word else word != "off"
            ground = axes["Color"]
            node["FaceColor"] = ground if see_through and not isinstance(ground, str) else "none"


@builtin("alpha", family="plot/rulers", nargin=(1, 3), nargout=0, needs=("interp",))
def alpha(*args: Any, interp: Interp) -> None:
    """Opacity of surfaces, patches and images.

    alpha(A) with a number from 0 to 1, alpha("clear"), alpha("opaque")
    alpha(M) with a matrix, alpha("x"), alpha("y"), alpha("z"), alpha("color"): by data
    alpha("flat"), alpha("interp") by the data that is there; alpha("none"); alpha(H, …)

    Examples:
        >> h = surf(peaks(5)); alpha(0.5); h.FaceAlpha
        ans =
            0.5000

    See also: alphamap, shading, surf.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    first = node_in(scene, rest[0]) if isinstance(rest[0], Node) else None
    if first is not None:
        first.check()
        rest = rest[1:]
    top = first or current_axes(scene)
    value = rest[0] if rest else 1.0
    words = {"clear": 0.0, "opaque": 1.0, "none": 1.0}
    for node in top.whole():
        names = node.kind.properties
        if node.kind.type == "image" and not isinstance(value, str):
            node.write(names["alphadata"], interp.to_matlab(value))
        if "facealpha" not in names or node.kind.type not in ("surface", "patch"):
            continue
        if isinstance(value, str) and value.lower() in words:
            node.assign("FaceAlpha", words[value.lower()])
        elif isinstance(value, str) and value.lower() in ("flat", "interp", "texture"):
            node.assign("FaceAlpha", "texturemap" if value.lower() == "texture" else value)
        elif isinstance(value, str):
            _alpha_by(node, value.lower(), interp)
        elif np.size(value) == 1:
            node.assign("FaceAlpha", value)
        elif node.kind.type == "surface":
            node.write(names["alphadata"], interp.to_matlab(value))
            node.assign("FaceAlpha", "flat")


def _alpha_by(node: Node, word: str, interp: Interp) -> None:
    """Make an object as opaque as its data say.

    Raises:
        MatlabError: the word names no data.
    """
    names = {"x": "XData", "y": "YData", "z": "ZData", "color": "CData", "rand": "ZData"}
    if word not in names:
        raise MatlabError("MATLAB:alpha:InvalidArgument", f"Unknown option '{word}'.")
    if node.kind.type == "surface":
        shape = np.shape(node["ZData"])
        data = np.broadcast_to(np.asarray(node[names[word]], float), shape)
        node.write(node.kind.properties["alphadata"], interp.to_matlab(np.array(data, order="F")))
    else:
        vertices = np.asarray(node["Vertices"], float)
        column = {"x": 0, "y": 1, "z": -1}.get(word, -1)
        data = np.asarray(node["FaceVertexCData"]) if word == "color" else vertices[:, [column]]
        node.write(node.kind.properties["facevertexalphadata"], interp.to_matlab(np.array(data)))
    node.assign("FaceAlpha", "interp" if node.kind.type == "patch" and word != "color" else "flat")


@builtin("alphamap", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def alphamap(*args: Any, nargout: int, interp: Interp) -> Any:
    """Numbers that say how opaque the values of data are drawn.

    A = alphamap, alphamap(A), alphamap("default"), alphamap("rampup"), alphamap("rampdown"),
    alphamap("vup"), alphamap("vdown"), alphamap(WORD, N) with N numbers

    Examples:
        >> alphamap('rampdown', 3); alphamap
        ans =
            1.0000    0.5000         0

    See also: alpha, colormap.
    """
    figure = current_figure(scene_of(interp))
    rest = python(interp, args)
    kept = figure.values.get("Alphamap")
    now = np.linspace(0, 1, 64).reshape(1, -1) if kept is None else interp.to_python(kept)
    if rest:
        count = parts_in(rest[1], 0, "alphamap") if len(rest) > 1 else 64
        up = np.linspace(0, 1, count).reshape(1, -1)
        made = {
            "default": up,
            "rampup": up,
            "rampdown": up[:, ::-1],
            "vup": 1 - np.abs(2 * up - 1),
            "vdown": np.abs(2 * up - 1),
        }
        value = rest[0]
        if isinstance(value, str):
            if value.lower() not in made:
                raise MatlabError("MATLAB:alphamap:InvalidArgument", f"Unknown option '{value}'.")
            now = made[value.lower()]
        else:
            given_map = reals_in(value, "alphamap").reshape(1, -1, order="F")
            now = np.clip(now + given_map, 0, 1) if given_map.size == 1 else given_map
        figure["Alphamap"] = interp.to_matlab(np.asfortranarray(now))
    return now if nargout or not rest else None


# -- what legends and data tips are told ---------------------------------------------------------


def _attached(node: Node, key: str, kind: str) -> Node:
    """Return an object that belongs to another one, made on first use."""
    found = node.info.get(key)
    if found is None:
        found = node.info[key] = Node(node.scene, kind, None)
        found.info["of"] = node
    made: Node = found
    return made


_LISTED = " ".join(name for name, kind in tables.KINDS.items() if "annotation" in kind.properties)


@computed(_LISTED, "Annotation")
def _annotation(node: Node) -> Any:
    return _attached(node, "annotation", "annotationinformation")


@computed("annotationinformation", "LegendInformation")
def _legend_information(node: Node) -> Any:
    return _attached(node, "legend", "legendinformation")


@computed(_LISTED, "DataTipTemplate")
def _template(node: Node) -> Any:
    return _attached(node, "template", "datatiptemplate")


@builtin("datatip", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def datatip(*args: Any, nargout: int, interp: Interp) -> Any:
    """Show the values of a point beside it.

    datatip(H, X, Y), datatip(H, X, Y, Z) at the point of H that is nearest
    datatip(H, "DataIndex", N) at its point N; D = datatip(…) gives the text

    Examples:
        >> h = plot([1 2 3], [4 6 5]); d = datatip(h, 2, 6); d.String
        ans =
          2×1 cell array
            {'X 2'}
            {'Y 6'}

    See also: text, datacursormode.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    node = node_in(scene, rest[0])
    if node is None or "xdata" not in node.kind.properties:
        raise MatlabError(
            "MATLAB:graphics:datatip:InvalidTarget", "The first argument must be a chart."
        )
    node.check()
    names = [n for n in "XYZ" if f"{n.lower()}data" in node.kind.properties]
    points = [np.ravel(node[f"{name}Data"]).astype(float) for name in names]
    points = [part for part in points if part.size == points[0].size and part.size]
    wanted = [value for value in rest[1:4] if not isinstance(value, str)]
    at = 0
    if not points:
        raise MatlabError("MATLAB:graphics:datatip:InvalidTarget", "The chart has no points.")
    if wanted:
        target = [number_in(value, "datatip") for value in wanted]
        away = sum((p - t) ** 2 for p, t in zip(points, target, strict=False))
        at = int(np.nanargmin(away))
    elif len(rest) > 2 and str(rest[1]).lower() == "dataindex":
        at = int(number_in(rest[2], "datatip")) - 1
    if not 0 <= at < points[0].size:
        raise MatlabError("MATLAB:graphics:datatip:InvalidIndex", "There is no such point.")
    place = [float(part[at]) for part in points]
    lines = [f"{name} {value:.5g}" for name, value in zip(names, place, strict=False)]
    position = np.array([[*place, *([0.0] * (3 - len(place)))]])
    looks = {"BackgroundColor": np.ones((1, 3)), "EdgeColor": np.full((1, 3), 0.5)}
    axes = node.up("axes", "polaraxes") or current_axes(scene)
    made = make(
        "text", axes, (), Position=position, String=lines, VerticalAlignment="bottom", **looks
    )
    return given(nargout, made)


@builtin("dataTipTextRow", family="plot/labels", nargin=(2, 3), needs=("interp",))
def data_tip_text_row(label: Any, value: Any, pattern: Any = None, *, interp: Interp) -> Any:
    """Row of what data tips show.

    ROW = dataTipTextRow(LABEL, VALUE), ROW = dataTipTextRow(LABEL, VALUE, FORMAT)

    Examples:
        >> r = dataTipTextRow('Name', [1 2 3]); r.Label
        ans =
            'Name'

    See also: datatip, datacursormode.
    """
    parts = {"Label": label, "Value": value, "Format": pattern}
    made: dict[str, Any] = {}
    for name, part in parts.items():
        plain = "auto" if part is None else interp.to_python(part)
        made[name] = plain if isinstance(plain, str) else part
    return made
