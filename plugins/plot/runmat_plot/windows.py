"""Figures in windows, where a person, a display and a toolkit are.

Windows never hold a program up: they are drawn at ``drawnow``, ``pause`` and the like, and while a
program waits. When the program has ended they stay until they are closed. ``RUNMAT_WINDOWS`` says
otherwise: ``off`` opens none, ``close`` closes them at the end, ``on`` opens them without a person.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from runmat_core.api.front import front_of
from runmat_plot.scene import callbacks
from runmat_plot.scene.callbacks import Press

if TYPE_CHECKING:
    from runmat_plot.scene.node import Node, Scene

#: The variable of the environment that switches windows.
SWITCH = "RUNMAT_WINDOWS"


class Windows:
    """The windows of a session, through a toolkit.

    Args:
        scene: whose figures are shown.
        toolkit: what opens windows; tests give one that shows nothing.
    """

    def __init__(self, scene: Scene, toolkit: Any) -> None:
        self.scene = scene
        self.toolkit = toolkit
        self.shown: dict[Node, Any] = {}
        self.drawn: dict[Node, int] = {}
        self.waiting: set[Node] = set()
        self.asking = False

    def refresh(self) -> None:
        """Draw what changed, open the windows of new figures, close those of deleted ones."""
        for figure in [one for one in self.shown if one.deleted or one["Visible"] == "off"]:
            self.toolkit.close(self.shown.pop(figure))
            self.drawn.pop(figure, None)
        for figure in list(self.scene.figures):
            if figure["Visible"] == "off" or self.drawn.get(figure) == self.scene.revision:
                continue
            pixels = _pixels(figure)
            if figure not in self.shown:
                self.shown[figure] = self.toolkit.open(_title(figure), pixels)
            else:
                self.toolkit.draw(self.shown[figure], _title(figure), pixels)
            self.drawn[figure] = self.scene.revision
        self.pump()

    def pump(self) -> None:
        """Let windows answer, and delete the figures whose windows were closed."""
        for window in self.toolkit.pump():
            for figure in [one for one, own in self.shown.items() if own is window]:
                del self.shown[figure]
                self.drawn.pop(figure, None)
                if not figure.deleted:
                    self.close(figure)
        for figure, window in [] if self.asking else list(self.shown.items()):
            while (press := self.toolkit.press(window)) is not None:
                self.answer(figure, press)

    def answer(self, figure: Node, press: Press) -> None:
        """Call what a program wants to be called at a click or a key."""
        figure.values["CurrentCharacter"] = press.key
        figure.values["CurrentPoint"] = self.scene.interp.to_matlab(np.array([[press.x, press.y]]))
        names = ("WindowKeyPressFcn", "KeyPressFcn") if press.key else ("WindowButtonDownFcn",)
        for name in names:
            if not figure.deleted:
                callbacks.run(figure, name)

    def close(self, figure: Node) -> None:
        """Close a figure as its CloseRequestFcn says."""
        close = self.scene.interp.builtin("close")
        if close is not None:
            close(0, self.scene.interp.to_matlab(figure))

    def wait(self, until: Callable[[], bool], seconds: float = float("inf")) -> None:
        """Let windows answer until something holds, or the time is over."""
        end = time.monotonic() + seconds
        self.refresh()
        while not until() and time.monotonic() < end:
            time.sleep(0.01)
            self.refresh()

    def press(self, figure: Node, first: bool = True) -> Press | None:
        """The next click or key in the window of a figure; None where it is closed instead.

        Args:
            first: whether what was pressed before does not count.
        """
        found: Press | None = None

        def pressed() -> bool:
            nonlocal found
            own = self.shown.get(figure)
            found = None if own is None else self.toolkit.press(own)
            return found is not None or own is None

        self.asking = True
        try:
            self.refresh()
            window = self.shown.get(figure)
            if window is not None and first:
                self.toolkit.forget(window)
            self.wait(pressed)
        finally:
            self.asking = False
        return found

    def keep_open(self) -> None:
        """Wait until all windows are closed, unless the switch says otherwise."""
        self.refresh()
        if os.environ.get(SWITCH, "").lower() != "close":
            self.wait(lambda: not self.shown)
        self.toolkit.end()


def _title(figure: Node) -> str:
    number = f"Figure {figure.ident:g}" if figure.is_on("NumberTitle") else ""
    return ": ".join(filter(None, (number, figure["Name"]))) or "Figure"


def _pixels(figure: Node) -> Any:
    from runmat_plot.render.pixels import pixels

    return pixels(figure, white=False)


def windows_of(scene: Scene) -> Windows | None:
    """Return what shows the figures of a session; None where windows cannot be."""
    if scene.windows is None:
        toolkit = _toolkit(front_of(scene.interp).attended)
        scene.windows = False if toolkit is None else Windows(scene, toolkit)
        if toolkit is not None:
            front = front_of(scene.interp)
            front.idle.append(scene.windows.refresh)
            front.ends.append(scene.windows.keep_open)
    return scene.windows or None


def _toolkit(attended: bool) -> Any:
    """Tk, where it is wanted and there; None otherwise."""
    word = os.environ.get(SWITCH, "").lower()
    if word == "off" or not (attended or word in ("on", "close")):
        return None
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform not in ("win32", "darwin") and not any(map(os.environ.get, names)):
        return None
    try:
        from runmat_plot.toolkit import Tk

        return Tk()
    except Exception:  # no tkinter, or no screen to be reached: whatever it raises for that
        return None
