"""Turns of the view, the order of objects, and formats of tick labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import not_enough, number_in, python, whole, word_in
from runmat_plot.functions.rulers import target_of
from runmat_plot.functions.support import nodes_in, scene_of


@builtin("camorbit", family="plot/rulers", nargin=(2, 5), nargout=0, needs=("interp",))
def camorbit(*args: Any, interp: Interp) -> None:
    """Turn the view of axes about what they show.

    camorbit(DTHETA, DPHI) by angles in degrees, sideways and up, camorbit(AX, …)

    Examples:
        >> surf(peaks(9)); camorbit(10, -5); view
        ans =
          -47.5000   25.0000

    See also: view, rotate3d.
    """
    axes, rest = target_of(args, interp)
    if len(rest) < 2:
        raise not_enough()
    sideways, up = (number_in(value, "camorbit") for value in rest[:2])
    azimuth, elevation = axes["View"].ravel()
    axes["View"] = np.array([[azimuth - sideways, np.clip(elevation + up, -90, 90)]])


@builtin("uistack", family="plot/handles", nargin=(1, 3), nargout=0, needs=("interp",))
def uistack(*args: Any, interp: Interp) -> None:
    """Move objects up or down among the objects that lie over each other.

    uistack(H) one step up, uistack(H, "up", N), uistack(H, "down", N), uistack(H, "top"),
    uistack(H, "bottom")

    Examples:
        >> a = line(1:2, 1:2); b = line(1:2, 2:3); uistack(a, 'top'); ax = gca; ax.Children(1) == a
        ans =
          logical
           1

    See also: set, allchild.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    nodes = nodes_in(scene, rest[0])
    word = word_in(rest[1], "uistack").lower() if len(rest) > 1 else "up"
    step = whole(rest[2], 0, "uistack") if len(rest) > 2 else 1
    if word not in ("up", "down", "top", "bottom"):
        raise MatlabError("MATLAB:uistack:InvalidOption", f"Unknown option '{word}'.")
    for node in nodes if word in ("top", "down") else nodes[::-1]:
        if node.parent is None:
            continue
        siblings = node.parent.children
        at = siblings.index(node)
        del siblings[at]
        place = {"up": at + step, "down": at - step, "top": len(siblings), "bottom": 0}[word]
        siblings.insert(min(max(place, 0), len(siblings)), node)
    scene.revision += 1


#: Formats of tick labels that have names.
_FORMATS = {"usd": "$%,.2f", "eur": "€%,.2f", "gbp": "£%,.2f", "percentage": "%g%%",
            "degrees": "%g°", "auto": "%g"}  # fmt: skip


def _tick_format(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    axes, rest = target_of(args, interp)
    formats = axes.info.setdefault("formats", {})
    if rest:
        text = word_in(rest[0], f"{name.lower()}tickformat")
        if text.lower() == "auto":
            formats.pop(name, None)
        else:
            formats[name] = _FORMATS.get(text.lower(), text)
        axes.scene.revision += 1
    return formats.get(name, "%g") if nargout or not rest else None


@builtin("xtickformat", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def xtickformat(*args: Any, nargout: int, interp: Interp) -> Any:
    """Format of the labels of the x-axis.

    F = xtickformat, xtickformat("%.2f"), xtickformat("usd"), also eur, gbp, percentage and degrees
    xtickformat("auto"), xtickformat(AX, …)

    Examples:
        >> plot(0:2); xlim([1 2]); xticks([1 2]); xtickformat('%.1f cm'); xticklabels
        ans =
          2×1 cell array
            {'1.0 cm'}
            {'2.0 cm'}

    See also: ytickformat, xticklabels.
    """
    return _tick_format("X", args, nargout, interp)


@builtin("ytickformat", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def ytickformat(*args: Any, nargout: int, interp: Interp) -> Any:
    """Format of the labels of the y-axis.

    F = ytickformat, ytickformat("%.2f"), ytickformat("percentage"), ytickformat(AX, …)

    Examples:
        >> plot([0 50]); yticks([0 50]); ytickformat('percentage'); yticklabels
        ans =
          2×1 cell array
            {'0%' }
            {'50%'}

    See also: xtickformat, yticklabels.
    """
    return _tick_format("Y", args, nargout, interp)


@builtin("ztickformat", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def ztickformat(*args: Any, nargout: int, interp: Interp) -> Any:
    """Format of the labels of the z-axis.

    F = ztickformat, ztickformat("%.2f"), ztickformat(AX, …)

    Examples:
        >> ztickformat('%.2f'); ztickformat
        ans =
            '%.2f'

    See also: xtickformat, zticklabels.
    """
    return _tick_format("Z", args, nargout, interp)
