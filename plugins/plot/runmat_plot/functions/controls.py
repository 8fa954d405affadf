"""Controls, menus and panels: they keep their properties, and nothing is drawn of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import python
from runmat_plot.functions.support import current_figure, given, make, node_in, scene_of, set_pairs
from runmat_plot.scene.node import Node

#: Where each kind of object may lie.
_PARENTS = (
    "figure",
    "uipanel",
    "uibuttongroup",
    "uitab",
    "uitabgroup",
    "uimenu",
    "uicontextmenu",
    "uitoolbar",
)


def _made(kind: str, args: Sequence[Any], nargout: int, interp: Interp, **values: Any) -> Any:
    scene = scene_of(interp)
    rest = python(interp, args)
    raw = list(args)
    parent: Node | None = None
    if rest and not isinstance(rest[0], str | dict):
        parent = node_in(scene, rest[0], _PARENTS)
        if parent is None and node_in(scene, rest[0], (kind,)) is not None:
            return given(nargout, node_in(scene, rest[0], (kind,)) or [])
        if parent is None:
            raise MatlabError("MATLAB:hg:InvalidParent", "Parent must be a figure or a container.")
        rest, raw = rest[1:], raw[1:]
    pairs: list[Any] = []
    at = 0
    while at < len(rest):
        if isinstance(rest[at], str) and rest[at].lower() == "parent" and at + 1 < len(rest):
            parent = node_in(scene, rest[at + 1], _PARENTS)
            if parent is None:
                raise MatlabError(
                    "MATLAB:hg:InvalidParent", "Parent must be a figure or a container."
                )
            at += 2
            continue
        # values of controls stay as they are: cells, handles of functions
        pairs += [rest[at], *raw[at + 1 : at + 2]] if isinstance(rest[at], str) else [rest[at]]
        at += 2 if isinstance(rest[at], str) else 1
    node = make(kind, parent or current_figure(scene), (), **values)
    try:
        _set_raw(node, pairs, interp)
    except MatlabError:
        node.delete()
        raise
    return given(nargout, node)


def _set_raw(node: Node, pairs: Sequence[Any], interp: Interp) -> None:
    """Set properties to MATLAB values."""
    at = 0
    while at < len(pairs):
        if isinstance(pairs[at], dict):
            set_pairs(node, [pairs[at]])
            at += 1
            continue
        if at + 1 >= len(pairs) or not isinstance(pairs[at], str):
            raise MatlabError(
                "MATLAB:class:BadParamValuePairs", "Invalid parameter/value pair arguments."
            )
        node.write(node.find_property(pairs[at]), pairs[at + 1])
        at += 2


@builtin("uicontrol", family="plot/controls", nargin=(0, None), needs=("nargout", "interp"))
def uicontrol(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a control, which keeps its properties; nothing is drawn.

    uicontrol("Style", STYLE, NAME, VALUE, …), uicontrol(PARENT, …); C = uicontrol(…)

    Examples:
        >> c = uicontrol('Style', 'slider', 'Value', 0.5); c.Value
        ans =
            0.5000

    See also: uipanel, uimenu, figure.
    """
    return _made("uicontrol", args, nargout, interp)


@builtin("uimenu", family="plot/controls", nargin=(0, None), needs=("nargout", "interp"))
def uimenu(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a menu, which keeps its properties; nothing is drawn.

    uimenu(NAME, VALUE, …), uimenu(PARENT, …)

    Examples:
        >> m = uimenu('Text', 'File'); m.Text
        ans =
            'File'

    See also: uicontrol, uicontextmenu.
    """
    return _made("uimenu", args, nargout, interp)


@builtin("uicontextmenu", family="plot/controls", nargin=(0, None), needs=("nargout", "interp"))
def uicontextmenu(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a context menu, which keeps its properties; nothing is drawn.

    uicontextmenu, uicontextmenu(PARENT, …)

    Examples:
        >> m = uicontextmenu; m.Type
        ans =
            'uicontextmenu'

    See also: uimenu.
    """
    return _made("uicontextmenu", args, nargout, interp)


@builtin("uipanel", family="plot/controls", nargin=(0, None), needs=("nargout", "interp"))
def uipanel(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a panel, in which axes and controls may lie; nothing is drawn of itself.

    uipanel(NAME, VALUE, …), uipanel(PARENT, …)

    Examples:
        >> p = uipanel('Position', [0 0 0.5 1]); ax = axes(p); ax.Parent == p
        ans =
          logical
           1

    See also: uicontrol, axes, figure.
    """
    return _made("uipanel", args, nargout, interp)


@builtin("uibuttongroup", family="plot/controls", nargin=(0, None), needs=("nargout", "interp"))
def uibuttongroup(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a group of buttons, which keeps its properties; nothing is drawn.

    uibuttongroup(NAME, VALUE, …), uibuttongroup(PARENT, …)

    Examples:
        >> g = uibuttongroup('Title', 'Pick'); g.Title
        ans =
            'Pick'

    See also: uipanel, uicontrol.
    """
    return _made("uibuttongroup", args, nargout, interp)


@builtin("uitable", family="plot/controls", nargin=(0, None), needs=("nargout", "interp"))
def uitable(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a table of a window, which keeps its properties; nothing is drawn.

    uitable(NAME, VALUE, …), uitable(PARENT, …)

    Examples:
        >> t = uitable('Data', [1 2]); t.Data
        ans =
             1     2

    See also: uicontrol, table.
    """
    return _made("uitable", args, nargout, interp)


@builtin(
    "uitabgroup",
    "uitab",
    "uitoolbar",
    family="plot/controls",
    nargin=(0, None),
    needs=("nargout", "interp"),
)
def uitabgroup(*args: Any, nargout: int, interp: Interp) -> Any:
    """Make a group of tabs, a tab or a bar of tools, which keep their properties.

    uitabgroup(NAME, VALUE, …), uitab(GROUP, …), uitoolbar(FIGURE)

    Examples:
        >> g = uitabgroup; g.Type
        ans =
            'uitabgroup'

    See also: uipanel, uicontrol.
    """
    return _made("uitabgroup", args, nargout, interp)
