"""What axes show of their rulers: limits, ticks, grid, box, aspect, view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import numbers_in, python
from runmat_plot.functions.support import (
    Numbers,
    axes_in,
    current_axes,
    new_axes,
    node_in,
    scene_of,
    set_current_axes,
    take_axes,
)
from runmat_plot.scene.node import Node
from runmat_plot.scene.properties import as_numbers


def target_of(args: Sequence[Any], interp: Interp) -> tuple[Node, list[Any]]:
    scene = scene_of(interp)
    target, rest = take_axes(scene, python(interp, args))
    return target or current_axes(scene), rest


# -- axis ----------------------------------------------------------------------------------------


@builtin("axis", family="plot/rulers", nargin=(0, None), needs=("nargout", "interp"))
def axis(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits and look of axes.

    axis([XMIN XMAX YMIN YMAX]), axis([… ZMIN ZMAX]), axis([… CMIN CMAX]); V = axis
    axis auto, axis manual, axis tight, axis padded, axis fill
    axis equal, axis square, axis image, axis normal, axis vis3d
    axis ij, axis xy, axis off, axis on; axis(AX, …)

    Examples:
        >> plot(1:10); axis([0 5 -1 2]); axis
        ans =
             0     5    -1     2

    See also: xlim, ylim, grid, box, daspect.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    targets = [current_axes(scene)] if not rest or isinstance(rest[0], str) else []
    if rest and isinstance(rest[0], np.ndarray) and rest[0].dtype == object:
        targets, rest = axes_in(scene, rest[0]), rest[1:]
    elif rest and (found := node_in(scene, rest[0], ("axes", "polaraxes"))) is not None:
        found.check()
        targets, rest = [found], rest[1:]
    targets = targets or [current_axes(scene)]
    for target in targets:
        for value in rest:
            if isinstance(value, str):
                _axis_word(target, value.lower())
            else:
                _axis_limits(target, value)
    if rest and not nargout:
        return None
    if not nargout and not rest:
        nargout = 1
    names = ("XLim", "YLim", "ZLim") if _has_depth(targets[0]) else ("XLim", "YLim")
    return np.concatenate([targets[0][name].ravel() for name in names]).reshape(1, -1)


def _has_depth(axes: Node) -> bool:
    return bool(abs(axes["View"].ravel()[1]) != 90)


def _axis_limits(axes: Node, value: Any) -> None:
    numbers = as_numbers(value)
    if numbers is None or numbers.size not in (4, 6, 8):
        raise MatlabError(
            "MATLAB:axis:WrongNumberElements", "Vector must have 4, 6, or 8 elements."
        )
    flat = numbers.real.ravel()
    names = ("XLim", "YLim", "ZLim", "CLim")
    for k, name in enumerate(names[: flat.size // 2]):
        if not flat[2 * k] < flat[2 * k + 1]:
            raise MatlabError(
                "MATLAB:hg:shaped_arrays:LimitsWithInfsPredicate",
                f"Error setting property '{name}' of class 'Axes': Value must be a 1x2 vector of "
                "numeric type in which the second element is larger than the first and may be Inf.",
            )
    for k, name in enumerate(names[: flat.size // 2]):
        axes.assign(name, flat[2 * k : 2 * k + 2].reshape(1, 2))


def _axis_word(axes: Node, word: str) -> None:
    if word.startswith("auto") and set(word[4:].strip()) <= set(" xyz"):
        for name in word[4:].strip() or "xyz":
            axes.assign(f"{name.upper()}LimMode", "auto")
            axes[f"{name.upper()}LimitMethod"] = "tickaligned"
        return
    rule = _AXIS_WORDS.get(word)
    if rule is None:
        raise MatlabError("MATLAB:axis:UnknownOption", f"Unknown command option '{word}'.")
    rule(axes)


def _tight(axes: Node) -> None:
    _method(axes, "tight")


def _method(axes: Node, method: str) -> None:
    for name in "XYZ":
        axes.values[f"{name}LimMode"] = "auto"
        axes[f"{name}LimitMethod"] = method


def _equal(axes: Node) -> None:
    axes.assign("DataAspectRatio", np.ones((1, 3)))
    axes.values["PlotBoxAspectRatioMode"] = "auto"


def _square(axes: Node) -> None:
    axes.values["DataAspectRatioMode"] = "auto"
    axes.assign("PlotBoxAspectRatio", np.ones((1, 3)))


def _normal(axes: Node) -> None:
    axes.values["DataAspectRatioMode"] = "auto"
    axes["PlotBoxAspectRatioMode"] = "auto"
    axes.info.pop("image", None)


def _image(axes: Node) -> None:
    _tight(axes)
    _equal(axes)
    axes.info["image"] = True


def _manual(axes: Node) -> None:
    for name in "XYZ":
        axes.assign(f"{name}Lim", axes[f"{name}Lim"])


def _each(**changes: str) -> Callable[[Node], None]:
    def change(axes: Node) -> None:
        for name, value in changes.items():
            axes[name] = value

    return change


_AXIS_WORDS: dict[str, Callable[[Node], None]] = {
    "tight": _tight,
    "padded": lambda axes: _method(axes, "padded"),
    "tickaligned": lambda axes: _method(axes, "tickaligned"),
    "equal": _equal,
    "square": _square,
    "normal": _normal,
    "fill": _normal,
    "image": _image,
    "manual": _manual,
    "vis3d": lambda axes: axes.info.__setitem__("vis3d", True),
    "ij": _each(YDir="reverse"),
    "xy": _each(YDir="normal"),
    "off": _each(Visible="off"),
    "on": _each(Visible="on"),
    "tightequal": _image,
}


# -- limits --------------------------------------------------------------------------------------


def _limits(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    axes, rest = target_of(args, interp)
    if not rest:
        return axes[name]
    value = rest[0]
    if isinstance(value, str):
        low = value.lower()
        if low in ("auto", "manual"):
            axes.assign(f"{name}Mode", low)
        elif low == "mode":
            return axes[f"{name}Mode"]
        elif low in ("tight", "padded", "tickaligned"):
            axes.values[f"{name}Mode"] = "auto"
            axes[f"{name}itMethod"] = low
        elif low == "method":
            return axes[f"{name}itMethod"]
        else:
            raise MatlabError("MATLAB:rulerFunctions:InvalidInput", f"Unknown option '{value}'.")
        return axes[name] if nargout else None
    axes.assign(name, value)
    return axes[name] if nargout else None


@builtin("xlim", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def xlim(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits of the x-axis.

    L = xlim, xlim([MIN MAX]), xlim("auto"), xlim("manual"), xlim("tight"), xlim(AX, …)

    Examples:
        >> plot(1:10); xlim([2 5]); xlim
        ans =
             2     5

    See also: ylim, zlim, axis.
    """
    return _limits("XLim", args, nargout, interp)


@builtin("ylim", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def ylim(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits of the y-axis.

    L = ylim, ylim([MIN MAX]), ylim("auto"), ylim("manual"), ylim("tight"), ylim(AX, …)

    Examples:
        >> plot([3 17]); ylim
        ans =
             2    18

    See also: xlim, zlim, axis.
    """
    return _limits("YLim", args, nargout, interp)


@builtin("zlim", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def zlim(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits of the z-axis.

    L = zlim, zlim([MIN MAX]), zlim("auto"), zlim(AX, …)

    Examples:
        >> surf(peaks); zlim
        ans =
           -10    10

    See also: xlim, ylim, axis.
    """
    return _limits("ZLim", args, nargout, interp)


@builtin("rlim", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def rlim(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits of the radius in polar axes.

    L = rlim, rlim([MIN MAX])

    Examples:
        >> polarplot(0:0.1:1, 0:0.1:1); rlim([0 2]); rlim
        ans =
             0     2

    See also: polarplot, polaraxes.
    """
    return _limits("RLim", args, nargout, interp)


@builtin("caxis", "clim", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def caxis(*args: Any, nargout: int, interp: Interp) -> Any:
    """Limits of the numbers that the colour map shows.

    L = clim, clim([MIN MAX]), clim("auto"), clim("manual"), clim(AX, …); caxis is the same

    Examples:
        >> imagesc([1 2; 3 9]); clim
        ans =
             1     9

    See also: colormap, colorbar, imagesc.
    """
    return _limits("CLim", args, nargout, interp)


# -- grid, box, aspect, view ---------------------------------------------------------------------


@builtin("grid", family="plot/rulers", nargin=(0, 2), nargout=0, needs=("interp",))
def grid(*args: Any, interp: Interp) -> None:
    """Grid lines at the ticks.

    grid on, grid off, grid minor, grid; grid(AX, …)

    Examples:
        >> plot(1:3); grid on; get(gca, 'XGrid')
        ans =
            'on'

    See also: box, axis.
    """
    axes, rest = target_of(args, interp)
    word = str(rest[0]).lower() if rest else ""
    if word == "minor":
        state = "off" if axes["XMinorGrid"] == "on" else "on"
        for name in "XYZ":
            axes[f"{name}MinorGrid"] = state
        return
    if word not in ("on", "off", ""):
        raise MatlabError("MATLAB:grid:UnknownOption", "Unknown command option.")
    state = word or ("off" if axes["XGrid"] == "on" else "on")
    for name in "XYZ":
        axes[f"{name}Grid"] = state
        if state == "off":
            axes[f"{name}MinorGrid"] = "off"


@builtin("box", family="plot/rulers", nargin=(0, 2), nargout=0, needs=("interp",))
def box(*args: Any, interp: Interp) -> None:
    """Lines around axes.

    box on, box off, box; box(AX, …)

    Examples:
        >> plot(1:3); box off; get(gca, 'Box')
        ans =
            'off'

    See also: grid, axis.
    """
    axes, rest = target_of(args, interp)
    word = str(rest[0]).lower() if rest else ""
    if word not in ("on", "off", ""):
        raise MatlabError("MATLAB:box:UnknownOption", "Unknown command option.")
    axes["Box"] = word or ("off" if axes.is_on("Box") else "on")


def _aspect(name: str, args: Sequence[Any], nargout: int, interp: Interp) -> Any:
    axes, rest = target_of(args, interp)
    if not rest:
        return axes[name]
    if isinstance(rest[0], str):
        if rest[0].lower() == "mode":
            return axes[f"{name}Mode"]
        axes.assign(f"{name}Mode", rest[0])
    else:
        numbers = numbers_in(rest[0], name)
        if numbers.size != 3 or np.any(numbers <= 0):
            raise MatlabError(
                f"MATLAB:{name}:InvalidRatio", "Value must be a vector of three positive numbers."
            )
        axes.assign(name, numbers.reshape(1, 3))
    return axes[name] if nargout else None


@builtin("daspect", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def daspect(*args: Any, nargout: int, interp: Interp) -> Any:
    """Lengths of units along the axes, in relation to each other.

    R = daspect, daspect([X Y Z]), daspect("auto"), daspect(AX, …)

    Examples:
        >> plot(1:3); daspect([1 1 1]); daspect
        ans =
             1     1     1

    See also: pbaspect, axis.
    """
    return _aspect("DataAspectRatio", args, nargout, interp)


@builtin("pbaspect", family="plot/rulers", nargin=(0, 2), needs=("nargout", "interp"))
def pbaspect(*args: Any, nargout: int, interp: Interp) -> Any:
    """Lengths of the axes, in relation to each other.

    R = pbaspect, pbaspect([X Y Z]), pbaspect("auto"), pbaspect(AX, …)

    Examples:
        >> plot(1:3); pbaspect([2 1 1]); pbaspect
        ans =
             2     1     1

    See also: daspect, axis.
    """
    return _aspect("PlotBoxAspectRatio", args, nargout, interp)


@builtin("view", family="plot/rulers", nargin=(0, 3), nargout=2, needs=("nargout", "interp"))
def view(*args: Any, nargout: int, interp: Interp) -> Any:
    """Angles from which axes are seen, in degrees.

    view(AZ, EL), view([AZ EL]), view([X Y Z]) from the direction of a point
    view(2) from above, view(3) from aside; [AZ, EL] = view; view(AX, …)

    Examples:
        >> surf(peaks); [az, el] = view
        az =
          -37.5000
        el =
            30

    See also: rotate3d, camlight, axis.
    """
    axes, rest = target_of(args, interp)
    if rest:
        axes["View"] = _angles(rest)
        if nargout == 0:
            return None
    az, el = axes["View"].ravel()
    return (float(az), float(el)) if nargout > 1 else np.array([[az, el]])


def _angles(rest: Sequence[Any]) -> Numbers:
    numbers = np.concatenate([numbers_in(part, "view").ravel() for part in rest])
    if numbers.size == 1 and numbers[0] in (2, 3):
        return np.array([[0.0, 90.0]]) if numbers[0] == 2 else np.array([[-37.5, 30.0]])
    if numbers.size == 2 and np.all(np.isfinite(numbers)):
        return numbers.reshape(1, 2).astype(float)
    if numbers.size == 3 and np.any(numbers):
        x, y, z = (float(part) for part in numbers)
        flat = np.hypot(x, y)
        az = np.degrees(np.arctan2(x, -y)) if flat else 0.0
        return np.array([[az, np.degrees(np.arctan2(z, flat))]])
    raise MatlabError("MATLAB:view:InvalidInputs", "Invalid view angles.")


@builtin("yyaxis", family="plot/rulers", nargin=(1, 2), nargout=0, needs=("interp",))
def yyaxis(*args: Any, interp: Interp) -> None:
    """Side of the y-axis that what follows belongs to.

    yyaxis left, yyaxis right; yyaxis(AX, SIDE)

    Examples:
        >> yyaxis left; plot(1:3); yyaxis right; plot([10 30 20]); ylim
        ans =
            10    30

    See also: plot, ylabel.
    """
    axes, rest = target_of(args, interp)
    side = str(rest[0]).lower() if rest else ""
    if side not in ("left", "right"):
        raise MatlabError("MATLAB:yyaxis:InvalidSide", "The side must be 'left' or 'right'.")
    use_side(axes, side)


def use_side(axes: Node, side: str) -> None:
    """Make one side of axes with two y-axes current: axes that lie on each other."""
    main = axes.info.get("left", axes)
    right = main.info.get("right")
    if right is None or right.deleted:
        figure = main.up("figure")
        assert figure is not None
        order = main["ColorOrder"]
        right = new_axes(main.parent or figure, Position=main["Position"])
        right.values.update(YAxisLocation="right", Color="none", ColorOrder=order[1:2])
        right.values["YColor"] = order[1:2]
        right.info["left"] = main
        right.info["shares"] = main
        main.values["ColorOrder"] = order[:1]
        main.values["YColor"] = order[:1]
        main.info["right"] = right
        main.info.setdefault("attached", []).append(right)
        right.info["owner"] = main
        for node in (main, right):
            node.values["NextPlot"] = "add" if node.children else "replacechildren"
            node.values["Box"] = "off"
    set_current_axes(right if side == "right" else main)


@builtin(
    "plotedit",
    "cameratoolbar",
    "disableDefaultInteractivity",
    "enableDefaultInteractivity",
    "movegui",
    family="plot/rulers",
    nargin=(0, None),
    nargout=0,
)
def interactive(*args: Any) -> None:
    """Change a figure with the mouse: nothing to do where there is no window.

    plotedit on, cameratoolbar, movegui("center")

    Examples:
        >> plot(1:3); plotedit on

    See also: zoom, view, figure.
    """
