"""Cameras and turns of the view, the order of objects, and formats of tick labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.errors import too_many_builtin_outputs
from runmat_plot.functions.arguments import is_word, not_enough, number_in, python, whole, word_in
from runmat_plot.functions.rulers import target_of
from runmat_plot.functions.support import current_axes, nodes_in, scene_of, take_axes


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


# -- cameras --------------------------------------------------------------------------------------


def _of_camera(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    """Read or set a property of the camera, or its mode."""
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    axes = target or current_axes(scene)
    if len(rest) > 1:
        raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    if not rest:
        return axes[name]
    if nargout and not is_word(rest[0], "mode"):
        raise too_many_builtin_outputs()
    if name != "Projection" and is_word(rest[0], "mode"):
        return axes[f"{name}Mode"]
    if name != "Projection" and is_word(rest[0], "auto", "manual"):
        axes.assign(f"{name}Mode", rest[0])
    else:
        axes.assign(name, rest[0])
    return None


@builtin("campos", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def campos(*args: Any, nargout: int, interp: Interp) -> Any:
    """Position of the camera.

    P = campos; campos([X Y Z]) looks at the axes from there; campos("auto"), campos("manual"),
    campos("mode"); campos(AX, …)

    Examples:
        >> axes; campos
        ans =
            0.5000    0.5000    9.1603

    See also: camtarget, camup, camva, view.
    """
    return _of_camera("CameraPosition", args, nargout, interp)


@builtin("camtarget", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def camtarget(*args: Any, nargout: int, interp: Interp) -> Any:
    """Point that the camera looks at.

    P = camtarget; camtarget([X Y Z]); camtarget("auto"), camtarget("manual"), camtarget("mode");
    camtarget(AX, …)

    Examples:
        >> axes; camtarget
        ans =
            0.5000    0.5000    0.5000

    See also: campos, camup, view.
    """
    return _of_camera("CameraTarget", args, nargout, interp)


@builtin("camup", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def camup(*args: Any, nargout: int, interp: Interp) -> Any:
    """Direction that is up in the picture, which is kept and not drawn.

    V = camup; camup([X Y Z]); camup("auto"), camup("manual"), camup("mode"); camup(AX, …)

    Examples:
        >> surf(peaks(5)); camup
        ans =
             0     0     1

    See also: campos, camtarget, view.
    """
    return _of_camera("CameraUpVector", args, nargout, interp)


@builtin("camva", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def camva(*args: Any, nargout: int, interp: Interp) -> Any:
    """Angle that the camera sees, in degrees, which is kept and not drawn.

    A = camva; camva(A); camva("auto"), camva("manual"), camva("mode"); camva(AX, …)

    Examples:
        >> axes; camva(8); camva
        ans =
             8

    See also: campos, camproj, zoom.
    """
    return _of_camera("CameraViewAngle", args, nargout, interp)


@builtin("camproj", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def camproj(*args: Any, nargout: int, interp: Interp) -> Any:
    """Projection of axes in space, which is kept; pictures are orthographic.

    P = camproj; camproj("perspective"), camproj(AX, …)

    Examples:
        >> axes; camproj
        ans =
            'orthographic'

    See also: campos, camva, view.
    """
    return _of_camera("Projection", args, nargout, interp)
