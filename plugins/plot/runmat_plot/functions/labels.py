"""Titles, labels, texts, legends, colour bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import is_word, not_enough, numbers_in, python
from runmat_plot.functions.support import (
    AXES,
    Numbers,
    axes_in,
    column,
    current_axes,
    current_figure,
    deleted_on_error,
    given,
    make,
    node_in,
    nodes_in,
    scene_of,
    set_pairs,
    take_axes,
)
from runmat_plot.scene.legends import LISTED, candidates, entries
from runmat_plot.scene.node import Node, computed, when_set
from runmat_plot.scene.properties import lines_of
from runmat_plot.scene.tables import CHARTS


def _labelled(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Set the text of a label of axes, and its properties."""
    scene = scene_of(interp)
    rest = python(interp, args)
    target: Node | None = None
    if rest:
        found = node_in(scene, rest[0], (*AXES, "tiledlayout", "legend", "colorbar", *CHARTS))
        if found is not None and (isinstance(rest[0], Node) or len(rest) > 1):
            found.check()
            target, rest = found, rest[1:]
    if not rest:
        raise not_enough()
    axes = target or current_axes(scene, chart=True)
    if axes.kind.name in CHARTS:
        if name.lower() not in axes.kind.properties:
            raise MatlabError(
                "MATLAB:hg:InvalidProperty",
                f"There is no {name} property on the {axes.kind.short} class.",
            )
        axes.assign(name, rest[0])
        return given(nargout, axes)
    if name not in {"Title", "Subtitle"} and axes.kind.name == "polaraxes":
        raise MatlabError("MATLAB:hg:InvalidProperty", f"Polar axes have no {name.lower()}.")
    text, pairs = rest[0], rest[1:]
    second = None
    if name == "Title" and pairs and len(pairs) % 2:
        second, pairs = pairs[0], pairs[1:]
    trial = axes.label(name)
    before = dict(trial.values)
    try:
        trial.assign("String", text)
        set_pairs(trial, pairs)
    except MatlabError:
        trial.values = before
        raise
    if second is not None:
        axes.label("Subtitle").assign("String", second)
    if nargout > 1:
        return trial, axes.label("Subtitle")
    return given(nargout, trial)


@builtin("title", family="plot/labels", nargin=(1, None), nargout=2, needs=("nargout", "interp"))
def title(*args: Any, nargout: int, interp: Interp) -> Any:
    """Title of axes.

    title(TEXT), title(TEXT, NAME, VALUE), title(AX, TEXT), title(TEXT, SUBTITLE)
    T = title(…) gives the text

    A cell array gives several lines. In TEXT, ^ and _ raise and lower, words such as \\alpha are
    Greek letters, \\bf and \\it change the type.

    Examples:
        >> t = title('a^2'); t.String
        ans =
            'a^2'

    See also: xlabel, sgtitle, subtitle, text.
    """
    return _labelled("Title", args, nargout, interp)


@builtin("subtitle", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def subtitle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Line below the title of axes.

    subtitle(TEXT), subtitle(TEXT, NAME, VALUE), subtitle(AX, TEXT)

    Examples:
        >> t = subtitle('second'); t.String
        ans =
            'second'

    See also: title, sgtitle.
    """
    return _labelled("Subtitle", args, nargout, interp)


@builtin("xlabel", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def xlabel(*args: Any, nargout: int, interp: Interp) -> Any:
    """Label of the x-axis.

    xlabel(TEXT), xlabel(TEXT, NAME, VALUE), xlabel(AX, TEXT); T = xlabel(…) gives the text

    Examples:
        >> xlabel('time (s)'); ax = gca; ax.XLabel.String
        ans =
            'time (s)'

    See also: ylabel, zlabel, title.
    """
    return _labelled("XLabel", args, nargout, interp)


@builtin("ylabel", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def ylabel(*args: Any, nargout: int, interp: Interp) -> Any:
    """Label of the y-axis.

    ylabel(TEXT), ylabel(TEXT, NAME, VALUE), ylabel(AX, TEXT); T = ylabel(…) gives the text

    Examples:
        >> t = ylabel('y', 'FontSize', 14); t.FontSize
        ans =
            14

    See also: xlabel, zlabel, title.
    """
    return _labelled("YLabel", args, nargout, interp)


@builtin("zlabel", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def zlabel(*args: Any, nargout: int, interp: Interp) -> Any:
    """Label of the z-axis.

    zlabel(TEXT), zlabel(TEXT, NAME, VALUE), zlabel(AX, TEXT); T = zlabel(…) gives the text

    Examples:
        >> t = zlabel('height'); t.String
        ans =
            'height'

    See also: xlabel, ylabel, title.
    """
    return _labelled("ZLabel", args, nargout, interp)


@builtin("sgtitle", "suptitle", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def sgtitle(*args: Any, nargout: int, interp: Interp) -> Any:
    """Title of a figure, above all its axes.

    sgtitle(TEXT), sgtitle(TEXT, NAME, VALUE), sgtitle(F, TEXT)

    Examples:
        >> t = sgtitle('All'); t.String
        ans =
            'All'

    See also: title, subplot.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    target = current_figure(scene)
    if rest and isinstance(rest[0], Node):
        target, rest = rest[0], rest[1:]
    if not rest:
        raise not_enough()
    present = [node for node in target.children if node.kind.name == "subplottext"]
    pairs = ["String", *rest]
    made = make("subplottext", target, pairs, FontSize=12.0, HorizontalAlignment="center")
    for old in present:
        old.delete()
    made.values["HandleVisibility"] = "off"
    return given(nargout, made)


@builtin("text", family="plot/labels", nargin=(1, None), needs=("nargout", "interp"))
def text(*args: Any, nargout: int, interp: Interp) -> Any:
    """Texts at points of axes.

    text(X, Y, TEXT), text(X, Y, Z, TEXT); several points with a cell array of texts, or one for all
    text(…, NAME, VALUE) sets properties, text(AX, …) in the axes AX; T = text(…) gives the texts

    Examples:
        >> t = text(0.5, 0.5, 'here'); t.Position
        ans =
            0.5000    0.5000         0

    See also: title, xlabel, annotation, line.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    coordinates: list[Numbers] = []
    while rest and not isinstance(rest[0], str | list | dict) and len(coordinates) < 3:
        if isinstance(rest[0], np.ndarray) and rest[0].dtype == object:
            break
        coordinates.append(numbers_in(rest.pop(0), "text").ravel())
    if len(coordinates) == 1:
        raise not_enough()
    if not coordinates:
        return given(nargout, make("text", axes, rest))
    if not rest:
        raise not_enough()
    words = lines_of(rest[0])
    if words is None:
        raise MatlabError("MATLAB:text:InvalidText", "Text must be text, a cell array or a number.")
    count = max(part.size for part in coordinates)
    if any(part.size not in (1, count) for part in coordinates):
        raise MatlabError("MATLAB:text:SizeMismatch", "Coordinates must have the same length.")
    if count > 1 and isinstance(words, list) and len(words) not in (1, count):
        raise MatlabError(
            "MATLAB:text:SizeMismatch", "There must be one text, or one for each point."
        )
    made = []
    for k in range(count):
        at = [float(part[k if part.size > 1 else 0]) for part in coordinates]
        point = np.array([[*at, *([0.0] * (3 - len(at)))]])
        word = words[k] if count > 1 and isinstance(words, list) and len(words) == count else words
        if axes.kind.type == "polaraxes":
            point = np.array([[at[1] * np.cos(at[0]), at[1] * np.sin(at[0]), 0.0]])
        made.append(make("text", axes, rest[1:], Position=point, String=word))
    return given(nargout, made)


# -- legends -------------------------------------------------------------------------------------


LOCATIONS = (
    "north",
    "south",
    "east",
    "west",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
    "northoutside",
    "southoutside",
    "eastoutside",
    "westoutside",
    "northeastoutside",
    "northwestoutside",
    "southeastoutside",
    "southwestoutside",
    "best",
    "bestoutside",
    "none",
    "layout",
)


@builtin("legend", family="plot/labels", nargin=(0, None), nargout=4, needs=("nargout", "interp"))
def legend(*args: Any, nargout: int, interp: Interp) -> Any:
    """Legend of axes.

    legend shows a legend with the DisplayName of each object
    legend(TEXT1, TEXT2, …), legend({TEXT1, …}) names the objects in order
    legend(H, …) lists the objects in H, legend(AX, …) for the axes AX
    legend(…, "Location", PLACE) with "northwest", "best", "eastoutside" and the like
    legend off, legend hide, legend show, legend boxoff, legend boxon; L = legend(…)

    Examples:
        >> plot([1 2; 3 4]); l = legend('a', 'b'); l.String
        ans =
          1×2 cell array
            {'a'}    {'b'}

    See also: title, plot, colorbar.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    present = axes.info.get("legend")
    present = None if present is None or present.deleted else present
    word = rest[0].lower() if len(rest) == 1 and isinstance(rest[0], str) else ""
    if word in ("off", "hide", "toggle", "boxoff", "boxon", "show"):
        if word == "off" and present is not None:
            present.delete()
        elif word == "show" and present is None:
            present = _legend_of(axes)
        elif present is not None:
            changes = {
                "hide": ("Visible", "off"),
                "show": ("Visible", "on"),
                "boxoff": ("Box", "off"),
                "boxon": ("Box", "on"),
            }
            if word in changes:
                present[changes[word][0]] = changes[word][1]
        return given(nargout, present) if present is not None and not present.deleted else None
    listed: list[Node] | None = None
    if rest and _are_handles(rest[0]):
        listed = nodes_in(scene, rest.pop(0))
        for item in listed:
            item.check()
            if item.kind.name not in LISTED:
                raise MatlabError(
                    "MATLAB:legend:InvalidHandle", "A legend lists lines, bars and the like."
                )
        if listed:
            axes = listed[0].up(*AXES) or axes
            present = axes.info.get("legend")
            present = None if present is None or present.deleted else present
    names, pairs = _names(_with_location(rest))
    for at in range(0, len(pairs) - 1, 2):
        if is_word(pairs[at], "location") and str(pairs[at + 1]).lower() not in LOCATIONS:
            raise MatlabError(
                "MATLAB:legend:UnknownLocation",
                f"Error setting property 'Location' of class 'Legend': '{pairs[at + 1]}' is not a "
                f"valid value. Use one of these values: {' | '.join(map(repr, LOCATIONS))}.",
            )
    made = present if present is not None else _legend_of(axes)
    with deleted_on_error(made if present is None else None):
        set_pairs(made, pairs)
    if listed is not None:
        made.info["listed"] = listed
    elif names is not None or not rest:
        made.info.pop("listed", None)
    if names is not None:
        shown = listed if listed is not None else list(candidates(axes))
        if len(names) > len(shown):
            interp.warn("MATLAB:legend:IgnoringExtraEntries", "Ignoring extra legend entries.")
        for node, name in zip(shown, names, strict=False):
            node.values["DisplayName"] = name
        made.info["listed"] = shown[: len(names)]
    scene.revision += 1
    if nargout > 1:
        shown = made.info.get("listed") or list(candidates(axes))
        return (made, column(shown), column(shown), [str(n["DisplayName"]) for n in shown])[
            :nargout
        ]
    return given(nargout, made)


@computed("legend", "String")
def _legend_texts(node: Node) -> Any:
    return [text for _, text in entries(node)]


def _are_handles(value: Any) -> bool:
    """Return whether a first argument names objects, not texts."""
    if isinstance(value, Node):
        return True
    if not isinstance(value, np.ndarray | float):
        return False
    return not (isinstance(value, np.ndarray) and any(isinstance(v, str) for v in value.flat))


def _legend_of(axes: Node) -> Node:
    figure = axes.up("figure")
    assert figure is not None
    made = make("legend", figure, FontSize=9.0, Tag="legend")
    axes.info["legend"] = made
    axes.info.setdefault("attached", []).append(made)
    made.info["owner"] = axes
    return made


_NAMES = (
    "location",
    "orientation",
    "numcolumns",
    "fontsize",
    "interpreter",
    "box",
    "position",
    "units",
    "autoupdate",
    "textcolor",
    "color",
    "edgecolor",
    "fontname",
    "fontweight",
    "fontangle",
    "linewidth",
    "visible",
    "tag",
    "string",
    "itemtokensize",
    "numcolumnsmode",
    "direction",
    "backgroundalpha",
)


#: Places by the numbers that old programs give behind the texts.
_PLACES = {
    -1: "northeastoutside",
    0: "best",
    1: "northeast",
    2: "northwest",
    3: "southwest",
    4: "southeast",
}


def _with_location(rest: list[Any]) -> list[Any]:
    """Return the arguments with a last number as the location that it stands for."""
    last = rest[-1] if len(rest) > 1 else None
    if last is None or not isinstance(last, float) or last not in _PLACES:
        return rest
    if len(rest) == 2 or (isinstance(rest[0], str) and _is_odd_one(rest)):
        return [*rest[:-1], "Location", _PLACES[int(last)]]
    return rest


def _is_odd_one(rest: Sequence[Any]) -> bool:
    """Return whether a last number is not the value of a property."""
    return not (isinstance(rest[-2], str) and rest[-2].lower() in _NAMES)


def _names(rest: Sequence[Any]) -> tuple[list[str] | None, list[Any]]:
    """The texts of entries, and the name-value pairs behind them."""
    names: list[str] = []
    at = 0
    if rest and isinstance(rest[0], list | np.ndarray):
        found = lines_of(rest[0])
        names, at = [found] if isinstance(found, str) else list(found or []), 1
    while at < len(rest) and isinstance(rest[at], str):
        if rest[at].lower() in _NAMES and at + 1 < len(rest):
            break
        if rest[at].lower() in ("location",):
            break
        names.append(rest[at])
        at += 1
    pairs = list(rest[at:])
    if len(pairs) % 2:
        raise MatlabError(
            "MATLAB:legend:InvalidArguments", "Invalid argument. Type 'help legend' for more."
        )
    for k in range(0, len(pairs), 2):
        if is_word(pairs[k], "string"):
            found = lines_of(pairs[k + 1])
            names = [found] if isinstance(found, str) else list(found or [])
            pairs = pairs[:k] + pairs[k + 2 :]
            break
    return (names if names or at else None) if rest else None, pairs


@builtin("colorbar", family="plot/labels", nargin=(0, None), needs=("nargout", "interp"))
def colorbar(*args: Any, nargout: int, interp: Interp) -> Any:
    """Bar that tells what colours stand for.

    colorbar, colorbar(PLACE) with "eastoutside" (default), "southoutside", "north" and the like
    colorbar(…, NAME, VALUE), colorbar(AX, …), colorbar off; C = colorbar(…)

    Examples:
        >> imagesc([1 2; 3 4]); c = colorbar; c.Limits
        ans =
             1     4

    See also: colormap, caxis, legend.
    """
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    if rest and is_word(rest[0], "peer") and len(rest) > 1:
        target, rest = axes_in(scene, rest[1])[0], rest[2:]
    rest = ["Location", "southoutside", *rest[1:]] if rest and is_word(rest[0], "horiz") else rest
    rest = rest[1:] if rest and is_word(rest[0], "vert") else rest
    axes = target or current_axes(scene)
    present = axes.info.get("colorbar")
    present = None if present is None or present.deleted else present
    if rest and isinstance(rest[0], str) and rest[0].lower() in ("off", "delete", "hide"):
        if present is not None:
            present.delete()
        return None
    if rest and isinstance(rest[0], str) and len(rest) % 2:
        rest = ["Location", *rest]
    fresh = None
    if present is None:
        figure = axes.up("figure")
        assert figure is not None
        fresh = present = make("colorbar", figure, Location="eastoutside", Tag="Colorbar")
        axes.info["colorbar"] = present
        axes.info.setdefault("attached", []).append(present)
        present.info["owner"] = axes
    with deleted_on_error(fresh):
        set_pairs(present, rest)
    scene.revision += 1
    return given(nargout, present)


@computed("colorbar", "Limits")
def _bar_limits(node: Node) -> Any:
    return node.info["owner"]["CLim"]


@when_set("colorbar", "XTick", "YTick")
def _set_old_ticks(node: Node, value: Any) -> None:
    node.assign("Ticks", value)


@when_set("colorbar", "XTickLabel", "YTickLabel")
def _set_old_tick_labels(node: Node, value: Any) -> None:
    node.assign("TickLabels", value)


@when_set("colorbar", "Limits")
def _set_bar_limits(node: Node, value: Any) -> None:
    node.info["owner"].assign("CLim", value)
