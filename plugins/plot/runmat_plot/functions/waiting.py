"""Waiting for a person at a window: clicks, keys, closing."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_plot.functions.arguments import parts_in, python
from runmat_plot.functions.support import (
    bad_handle,
    current_axes,
    current_figure,
    node_in,
    scene_of,
)
from runmat_plot.scene import axes as rules
from runmat_plot.scene.callbacks import Press
from runmat_plot.scene.node import Node
from runmat_plot.windows import Windows, windows_of


def _windows(interp: Interp) -> Windows:
    """Return what shows the figures.

    Raises:
        MatlabError: there are no windows.
    """
    windows = windows_of(scene_of(interp))
    if windows is None:
        raise MatlabError(
            "RunMat:graphics:noWindow", "Points cannot be clicked: figures have no windows."
        )
    return windows


@builtin("ginput", family="plot/dialogs", nargin=(0, 2), nargout=3, needs=("nargout", "interp"))
def ginput(*args: Any, nargout: int, interp: Interp) -> Any:
    """Points that are clicked in axes: an error where there is no window.

    [X, Y] = ginput(N) of N points, [X, Y] = ginput until Enter is pressed
    [X, Y, BUTTON] = ginput(…) gives 1, 2 or 3 for buttons, codes of keys

    Examples:
        >> try, ginput(1); catch e, disp(e.identifier), end
        RunMat:graphics:noWindow

    See also: waitforbuttonpress, gca, input.
    """
    windows = _windows(interp)
    scene = scene_of(interp)
    most = parts_in(interp.to_python(args[0]), 0, "ginput") if args else None
    figure = current_figure(scene)
    axes = current_axes(scene)
    found: list[tuple[float, float, float]] = []
    while most is None or len(found) < most:
        press = windows.press(figure, not found)
        if press is None:
            raise MatlabError(
                "MATLAB:ginput:FigureDeletionPause",
                "The figure was closed before the points were clicked.",
            )
        if press.key in ("\r", "\n"):
            break
        axes = _axes_at(figure, press) or axes
        found.append((*_place(axes, press), float(press.button)))
    whole = np.array(found).reshape(-1, 3)
    columns = tuple(whole[:, [k]] for k in range(3))
    return columns[:nargout] if nargout > 1 else whole[:, :2]


def _axes_at(figure: Node, press: Press) -> Node | None:
    """The axes in which a point of a figure lies."""
    for node in figure.below():
        if node.kind.type == "axes":
            left, bottom, wide, high = rules.pixel_box(node)
            if left <= press.x <= left + wide and bottom <= press.y <= bottom + high:
                return node
    return None


def _place(axes: Node, press: Press) -> tuple[float, float]:
    """The coordinates in axes of a point of their figure."""
    view = axes.info.get("view")
    box = view.box if view is not None else None
    if box is None:
        left, bottom, wide, high = rules.pixel_box(axes)
        box = (left, bottom, left + wide, bottom + high)
    made = []
    for name, at, low_edge, high_edge in (
        ("X", press.x, box[0], box[2]), ("Y", press.y, box[1], box[3]),
    ):  # fmt: skip
        low, high = (float(part) for part in axes[f"{name}Lim"].ravel())
        part = (at - low_edge) / max(high_edge - low_edge, 1e-9)
        part = 1 - part if axes[f"{name}Dir"] == "reverse" else part
        if axes[f"{name}Scale"] == "log":
            made.append(low * (high / low) ** part)
        else:
            made.append(low + part * (high - low))
    return made[0], made[1]


@builtin("waitforbuttonpress", family="plot/dialogs", nargin=(0, 0), needs=("interp",))
def waitforbuttonpress(*, interp: Interp) -> Any:
    """Wait for a click or a key in the current figure: an error where there is no window.

    K = waitforbuttonpress is 0 for a click and 1 for a key

    Examples:
        >> try, waitforbuttonpress; catch e, disp(e.identifier), end
        RunMat:graphics:noWindow

    See also: ginput, pause, uiwait.
    """
    windows = _windows(interp)
    press = windows.press(current_figure(scene_of(interp)))
    if press is None:
        raise MatlabError(
            "MATLAB:UI:CancelWaitForKeyOrButtonPress",
            "waitforbuttonpress exit because target figure has been deleted",
        )
    return float(bool(press.key))


@builtin("uiwait", family="plot/dialogs", nargin=(0, 2), nargout=0, needs=("interp",))
def uiwait(*args: Any, interp: Interp) -> None:
    """Wait until a figure is closed or uiresume is called: not at all where there is no window.

    uiwait, uiwait(F), uiwait(F, SECONDS)

    Examples:
        >> uiwait(figure)

    See also: uiresume, waitfor, pause.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    node = node_in(scene, rest[0]) if rest else current_figure(scene)
    windows = windows_of(scene)
    if windows is None or node is None or node.deleted:
        return
    figure = node.up("figure")
    if figure is None:
        return
    seconds = float(rest[1]) if len(rest) > 1 and isinstance(rest[1], float) else float("inf")
    windows.waiting.add(figure)
    windows.wait(
        lambda: figure.deleted or figure not in windows.waiting or figure not in windows.shown,
        seconds,
    )
    windows.waiting.discard(figure)


@builtin("uiresume", family="plot/dialogs", nargin=(0, 1), nargout=0, needs=("interp",))
def uiresume(*args: Any, interp: Interp) -> None:
    """Let a program go on that waits for a figure.

    uiresume, uiresume(F)

    Examples:
        >> uiresume(figure)

    See also: uiwait, waitfor.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    node = node_in(scene, rest[0]) if rest else current_figure(scene)
    windows = windows_of(scene)
    figure = None if node is None else node.up("figure")
    if windows is not None and figure is not None:
        windows.waiting.discard(figure)


@builtin("waitfor", family="plot/dialogs", nargin=(1, 3), nargout=0, needs=("interp",))
def waitfor(*args: Any, interp: Interp) -> None:
    """Wait until an object is deleted, or a property changes: not at all where there is no window.

    waitfor(H), waitfor(H, NAME), waitfor(H, NAME, VALUE)

    Examples:
        >> waitfor(figure)

    See also: uiwait, uiresume, pause.
    """
    scene = scene_of(interp)
    rest = python(interp, args)
    node = node_in(scene, rest[0])
    windows = windows_of(scene)
    if windows is None or node is None or node.deleted:
        if node is None and not isinstance(rest[0], Node | float | np.ndarray):
            raise bad_handle()
        return
    figure = node.up("figure")
    if len(rest) == 1:
        windows.wait(lambda: node.deleted or figure not in windows.shown)
        return
    prop = node.find_property(str(rest[1]))
    before = repr(node[prop.name])

    def changed() -> bool:
        if node.deleted or figure not in windows.shown:
            return True
        if len(rest) > 2:
            return bool(np.array_equal(node[prop.name], rest[2]))
        return repr(node[prop.name]) != before

    windows.wait(changed)
