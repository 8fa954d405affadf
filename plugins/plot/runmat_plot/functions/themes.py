"""The theme of figures: on light or on dark ground."""

from __future__ import annotations

from typing import Any

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import python, word_in
from runmat_plot.functions.support import bad_handle, current_figure, node_in, scene_of


@builtin("theme", family="plot/figures", nargin=(0, 2), needs=("nargout", "interp"))
def theme(*args: Any, nargout: int, interp: Interp) -> Any:
    """Colours of a figure: on light or on dark ground.

    theme("dark"), theme("light"), theme("auto") for the current figure, theme(F, …) for a figure
    T = theme, T = theme(F) gives a structure with BaseColorStyle

    Examples:
        >> theme dark; t = theme; t.BaseColorStyle
        ans =
            'dark'

    See also: colororder, figure, colormap.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    figure = current_figure(scene) if not rest or isinstance(rest[0], str | dict) else None
    if figure is None:
        node = node_in(scene, rest.pop(0))
        figure = node.up("figure") if node is not None else None
        if figure is None or figure.deleted:
            raise bad_handle()
    if rest:
        value = rest[0].get("BaseColorStyle") if isinstance(rest[0], dict) else rest[0]
        word = word_in(value, "theme").lower()
        if word not in ("light", "dark", "auto"):
            raise MatlabError(
                "MATLAB:graphics:theme:InvalidTheme", "The theme must be 'light', 'dark' or 'auto'."
            )
        figure.assign("Theme", "light" if word == "auto" else word)
        figure.values["ThemeMode"] = "auto" if word == "auto" else "manual"
    return {"BaseColorStyle": figure["Theme"]} if nargout or not rest else None
