"""Values that programs keep with objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.handles import first_of, targets
from runmat_plot.functions.support import (
    bad_handle,
    column,
    current_figure,
    scene_of,
)
from runmat_plot.scene.node import Node


@builtin("setappdata", family="plot/appdata", nargout=0, needs=("interp",))
def setappdata(handle: Any, name: Any, value: Any, *, interp: Interp) -> None:
    """Keep a value with an object, under a name.

    setappdata(H, NAME, VALUE)

    Examples:
        >> f = figure; setappdata(f, 'n', 5); getappdata(f, 'n')
        ans =
             5

    See also: getappdata, isappdata, rmappdata, guidata.
    """
    word = _name(interp, name)
    for node in targets(scene_of(interp), interp.to_python(handle)):
        node.app[word] = interp.to_matlab(value)


@builtin("getappdata", family="plot/appdata", nargin=(1, 2), needs=("interp",))
def getappdata(handle: Any, name: Any = None, *, interp: Interp) -> Any:
    """Value that is kept with an object.

    V = getappdata(H, NAME), empty where nothing is kept; S = getappdata(H) is all of it

    Examples:
        >> isempty(getappdata(figure, 'none'))
        ans =
          logical
           1

    See also: setappdata, isappdata, rmappdata.
    """
    node = first_of(interp, handle)
    if node is None:
        raise bad_handle()
    if name is None:
        return {key: value for key, value in node.app.items() if key != "UsedByGUIData_m"}
    found = node.app.get(_name(interp, name))
    return interp.to_matlab(np.zeros((0, 0)) if found is None else found)


@builtin("isappdata", family="plot/appdata", needs=("interp",))
def isappdata(handle: Any, name: Any, *, interp: Interp) -> bool:
    """Existence of a value of a name that is kept with an object.

    TF = isappdata(H, NAME)

    Examples:
        >> isappdata(figure, 'none')
        ans =
          logical
           0

    See also: setappdata, getappdata.
    """
    word = _name(interp, name)
    return any(word in n.app for n in targets(scene_of(interp), interp.to_python(handle)))


@builtin("rmappdata", family="plot/appdata", nargout=0, needs=("interp",))
def rmappdata(handle: Any, name: Any, *, interp: Interp) -> None:
    """Remove a value that is kept with an object.

    rmappdata(H, NAME)

    Examples:
        >> f = figure; setappdata(f, 'n', 5); rmappdata(f, 'n'); isappdata(f, 'n')
        ans =
          logical
           0

    See also: setappdata, getappdata.
    """
    word = _name(interp, name)
    for node in targets(scene_of(interp), interp.to_python(handle)):
        if word not in node.app:
            raise MatlabError(
                "MATLAB:HandleGraphics:Appdata:InvalidPropertyName",
                f"There is no application data named '{word}'.",
            )
        del node.app[word]


def _name(interp: Interp, name: Any) -> str:
    word = interp.to_python(name)
    if not isinstance(word, str):
        raise MatlabError("MATLAB:HandleGraphics:Appdata:InvalidName", "The name must be text.")
    return word


@builtin("guidata", family="plot/appdata", nargin=(1, 2), needs=("nargout", "interp"))
def guidata(handle: Any, data: Any = None, *, nargout: int, interp: Interp) -> Any:
    """Value that is kept with the figure of an object.

    guidata(H, DATA) keeps it, DATA = guidata(H) reads it

    Examples:
        >> f = figure; guidata(f, struct('n', 5)); d = guidata(f); d.n
        ans =
             5

    See also: guihandles, setappdata, getappdata.
    """
    node = first_of(interp, handle)
    figure = None if node is None else node.up("figure")
    if figure is None:
        raise MatlabError(
            "MATLAB:guidata:InvalidInput",
            "H must be the handle of a figure or of an object in a figure.",
        )
    if data is not None:
        if nargout:
            raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
        figure.app["UsedByGUIData_m"] = interp.to_matlab(data)
        return None
    found = figure.app.get("UsedByGUIData_m")
    return interp.to_matlab(np.zeros((0, 0)) if found is None else found)


@builtin("guihandles", family="plot/appdata", nargin=(0, 1), needs=("interp",))
def guihandles(handle: Any = None, *, interp: Interp) -> Any:
    """Handles of all objects in a figure that have a tag, in a structure.

    S = guihandles(H), S = guihandles for the current figure

    Examples:
        >> f = figure; uicontrol('Tag', 'ok'); s = guihandles(f); s.ok.Type
        ans =
            'uicontrol'

    See also: guidata, findobj.
    """
    scene = scene_of(interp)
    nodes = [] if handle is None else targets(scene, interp.to_python(handle))
    figure = (nodes[0].up("figure") if nodes else None) or current_figure(scene)
    tagged: dict[str, list[Node]] = {}
    for node in figure.below():
        tag = node["Tag"]
        if tag and tag.isidentifier():
            tagged.setdefault(tag, []).append(node)
    return interp.to_matlab(
        {tag: interp.to_matlab(column(found).T) for tag, found in tagged.items()}
    )
