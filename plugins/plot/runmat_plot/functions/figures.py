"""Figures and axes: making them, making them current, clearing and closing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import is_word, python
from runmat_plot.functions.support import (
    AXES,
    bad_handle,
    current_axes,
    current_figure,
    deleted_on_error,
    given,
    holds,
    make_current,
    new_axes,
    new_figure,
    node_in,
    nodes_in,
    prepare,
    reset_axes,
    scene_of,
    set_current_axes,
    set_pairs,
    take_axes,
)
from runmat_plot.scene import callbacks
from runmat_plot.scene.node import Node, Scene
from runmat_plot.windows import windows_of


@builtin("figure", family="plot/figures", nargin=(0, None), needs=("nargout", "interp"))
def figure(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a figure, or make one current.

    figure, F = figure makes a new figure
    figure(N) makes the figure of number N current, which is new where there is none
    figure(F) makes the figure F current
    figure(NAME, VALUE, …) makes one with these properties

    Examples:
        >> f = figure; f.Number
        ans =
             1

    See also: gcf, close, clf, axes.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    found: Node | None = None
    made: Node | None = None
    if rest and not isinstance(rest[0], str | dict):
        target = rest.pop(0)
        found = node_in(scene, target, ("figure",))
        if found is None:
            if not (isinstance(target, float) and 1 <= target < 2**31 and target == int(target)):
                raise MatlabError(
                    "MATLAB:Figure:InvalidHandle",
                    "Argument must be a figure handle or a positive whole number.",
                )
            made = found = new_figure(scene, target)
        found.check()
        with deleted_on_error(made):
            set_pairs(found, rest)
        make_current(found)
        return given(nargout, found)
    found = new_figure(scene)
    with deleted_on_error(found):
        set_pairs(found, rest)
    return given(nargout, found)


@builtin("gcf", family="plot/figures", nargin=(0, 0), needs=("interp",))
def gcf(*, interp: Interp) -> Any:
    """Current figure, which is made where there is none.

    F = gcf

    Examples:
        >> f = gcf; f.Type
        ans =
            'figure'

    See also: gca, figure, groot.
    """
    return current_figure(scene_of(interp))


@builtin("gca", family="plot/figures", nargin=(0, 1), needs=("interp",))
def gca(parent: Any = None, *, interp: Interp) -> Any:
    """Current axes, which are made where there are none.

    AX = gca

    Examples:
        >> ax = gca; ax.XLim
        ans =
             0     1

    See also: gcf, axes, cla.
    """
    return current_axes(scene_of(interp))


@builtin("axes", family="plot/figures", nargin=(0, None), needs=("nargout", "interp"))
def axes(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make axes, or make some current.

    axes, AX = axes makes new axes in the current figure
    axes(NAME, VALUE, …) makes axes with these properties, axes(PARENT, …) in a figure or panel
    axes(AX) makes the axes AX current

    Examples:
        >> ax = axes('Position', [0.1 0.1 0.5 0.5]); ax.Position
        ans =
            0.1000    0.1000    0.5000    0.5000

    See also: gca, subplot, cla, figure.
    """
    return _new_axes("axes", args, nargout, interp)


@builtin("polaraxes", family="plot/figures", nargin=(0, None), needs=("nargout", "interp"))
def polaraxes(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make polar axes, or make some current.

    AX = polaraxes, AX = polaraxes(NAME, VALUE, …)

    Examples:
        >> ax = polaraxes; ax.Type
        ans =
            'polaraxes'

    See also: polarplot, axes.
    """
    return _new_axes("polaraxes", args, nargout, interp)


def _new_axes(kind: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    scene = scene_of(interp)
    rest = python(interp, args)
    parent = current_figure(scene) if not rest or isinstance(rest[0], str) else None
    if parent is None:
        first = node_in(scene, rest[0])
        if first is None or first.deleted:
            raise bad_handle()
        if first.kind.type in AXES:
            set_current_axes(first)
            set_pairs(first, rest[1:])
            return given(nargout, first)
        parent, rest = first, rest[1:]
    for at in range(0, len(rest) - 1, 2):
        if isinstance(rest[at], str) and rest[at].lower() == "parent":
            above = node_in(scene, rest[at + 1])
            if above is None:
                raise bad_handle()
            parent, rest = above, rest[:at] + rest[at + 2 :]
            break
    return given(nargout, axes_with(parent, kind, rest))


def axes_with(parent: Node, kind: str, pairs: Sequence[Any], **values: Any) -> Node:
    """New axes with properties from pairs; all is as before where one of these is wrong."""
    figure = parent.up("figure") or current_figure(parent.scene)
    current = figure["CurrentAxes"]
    made = new_axes(parent, kind, **values)
    try:
        with deleted_on_error(made):
            set_pairs(made, pairs)
    except MatlabError:
        figure.values["CurrentAxes"] = current
        raise
    return made


@builtin("clf", family="plot/figures", nargin=(0, 2), needs=("nargout", "interp"))
def clf(*args: Any, nargout: int, interp: Interp) -> Any:
    """Delete all that is in a figure.

    clf clears the current figure, clf(F) the figure F
    clf("reset") gives it its default properties, too

    Examples:
        >> plot(1:3); clf; isempty(get(gcf, 'Children'))
        ans =
          logical
           1

    See also: cla, close, figure.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    target = current_figure(scene)
    if rest and not isinstance(rest[0], str):
        found = node_in(scene, rest[0], ("figure", "uipanel"))
        if found is None or found.deleted:
            raise bad_handle()
        target = found
    target.clear()
    target.values.pop("CurrentAxes", None)
    target.info.clear()
    if any(is_word(value, "reset") for value in rest):
        target.values = {k: v for k, v in target.values.items() if k in ("Position", "Units")}
    scene.revision += 1
    return given(nargout, target)


@builtin("cla", family="plot/figures", nargin=(0, 2), nargout=0, needs=("interp",))
def cla(*args: Any, interp: Interp) -> None:
    """Delete what is in axes.

    cla clears the current axes, cla(AX) the axes AX
    cla("reset") gives them their default properties, too

    Examples:
        >> plot(1:3); cla; isempty(get(gca, 'Children'))
        ans =
          logical
           1

    See also: clf, newplot, hold.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    target = target or current_axes(scene)
    if any(is_word(value, "reset") for value in rest):
        reset_axes(target)
    else:
        target.clear()
        target.values["ColorOrderIndex"] = 1.0
        scene.revision += 1


@builtin("newplot", family="plot/figures", nargin=(0, 1), needs=("nargout", "interp"))
def newplot(target: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Axes for the next plot, cleared where they hold nothing.

    AX = newplot, AX = newplot(AX)

    Examples:
        >> plot(1:3); ax = newplot; isempty(ax.Children)
        ans =
          logical
           1

    See also: hold, ishold, cla.
    """
    scene = scene_of(interp)
    found = None if target is None else node_in(scene, interp.to_python(target), AXES)
    found = found or current_axes(scene)
    prepare(found)
    return given(nargout, found)


@builtin("hold", family="plot/figures", nargin=(0, 2), nargout=0, needs=("interp",))
def hold(*args: Any, interp: Interp) -> None:
    """Keep what is in the axes when the next plot is drawn.

    hold on keeps it, hold off does not, hold changes that; hold(AX, "on") for the axes AX

    Examples:
        >> plot(1:3); hold on; plot(3:-1:1); numel(get(gca, 'Children'))
        ans =
             2

    See also: ishold, newplot, cla.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    target = target or current_axes(scene)
    word = rest[0].lower() if rest and isinstance(rest[0], str) else "" if not rest else "?"
    if word not in ("", "on", "off", "all"):
        raise MatlabError("MATLAB:hold:UnknownOption", "Command option must be 'on' or 'off'.")
    keep = word in ("on", "all") or (word == "" and not holds(target))
    target["NextPlot"] = "add" if keep else "replace"
    above = target.up("figure")
    if above is not None:
        above["NextPlot"] = "add"


@builtin("ishold", family="plot/figures", nargin=(0, 1), needs=("interp",))
def ishold(target: Any = None, *, interp: Interp) -> bool:
    """Test whether the next plot keeps what is in the axes.

    TF = ishold, TF = ishold(AX)

    Examples:
        >> hold on; ishold
        ans =
          logical
           1

    See also: hold, newplot.
    """
    scene = scene_of(interp)
    found = None if target is None else node_in(scene, interp.to_python(target), AXES)
    if found is None and target is not None:
        raise bad_handle()
    return holds(found or current_axes(scene))


@builtin("close", family="plot/figures", nargin=(0, 2), needs=("nargout", "interp"))
def close(*args: Any, nargout: int, interp: Interp) -> Any:
    """Close figures.

    close closes the current figure, close(F) those in F, close(N) the one of number N
    close all closes all of them, close(NAME) the one of that name
    A figure with a CloseRequestFcn is left to it; close(F, "force") closes it whatever that does
    STATUS = close(…) is true where the figures are closed

    Examples:
        >> figure; figure; close all; isempty(findobj('Type', 'figure'))
        ans =
          logical
           1

    See also: figure, clf, delete.
    """
    scene = scene_of(interp)
    values = python(interp, args)
    rest = [value for value in values if not is_word(value, "force", "hidden")]
    forced = any(is_word(value, "force") for value in values)
    for film in [value for value in rest if hasattr(value, "frames")]:
        film.write()
        return None
    if not rest:
        targets = [f for f in scene.figures[-1:] if f["HandleVisibility"] == "on"]
    elif isinstance(rest[0], str):
        targets = _named_figures(scene, rest[0])
    else:
        targets = nodes_in(scene, rest[0])
        if any(node.kind.name != "figure" for node in targets):
            raise MatlabError("MATLAB:close:InvalidFigureHandle", "Invalid figure handle.")
    for node in list(targets):
        own = node.values.get("CloseRequestFcn")
        word = "closereq" if own is None else interp.to_python(own)
        plain = isinstance(word, str) and word in ("closereq", "")
        if forced or plain or not callbacks.run(node, "CloseRequestFcn"):
            node.delete()
    return all(node.deleted for node in targets) if nargout else None


@builtin("closereq", family="plot/figures", nargin=(0, 0), nargout=0, needs=("interp",))
def closereq(*, interp: Interp) -> None:
    """Close the figure whose CloseRequestFcn runs, or the current one.

    closereq is the CloseRequestFcn of new figures

    Examples:
        >> f = figure('CloseRequestFcn', @(varargin) closereq); close(f); isvalid(f)
        ans =
          logical
           0

    See also: close, delete, gcbf.
    """
    scene = scene_of(interp)
    running = scene.callbacks[-1][0].up("figure") if scene.callbacks else None
    figure = running or next(reversed(scene.figures), None)
    if figure is not None:
        figure.delete()


def _named_figures(scene: Scene, word: str) -> list[Node]:
    if word == "all":
        return list(scene.figures)
    found = [node for node in scene.figures if node["Name"] == word]
    if not found and word.isdigit() and float(word) in scene.by_number:
        found = [scene.by_number[float(word)]]
    if not found:
        raise MatlabError("MATLAB:close:WindowNotFound", "Specified window does not exist.")
    return found


@builtin(
    "drawnow",
    "refresh",
    "shg",
    family="plot/figures",
    nargin=(0, 2),
    nargout=0,
    needs=("interp",),
)
def drawnow(*args: Any, interp: Interp) -> None:
    """Show in windows what was drawn: nothing to do where figures are drawn to files.

    drawnow, drawnow limitrate, refresh, shg

    Examples:
        >> plot(1:3); drawnow

    See also: print, figure, pause.
    """
    windows = windows_of(scene_of(interp))
    if windows is not None:
        windows.refresh()
