"""Windows through Tk, which comes with Python."""

from __future__ import annotations

import tkinter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_plot.scene.callbacks import Press


class Window:
    """A window with the picture of a figure."""

    def __init__(self, root: tkinter.Tk) -> None:
        self.top = tkinter.Toplevel(root)
        self.label = tkinter.Label(self.top, borderwidth=0)
        self.label.pack()
        self.picture: tkinter.PhotoImage | None = None
        self.presses: list[Press] = []
        self.closed = False
        self.high = 0
        self.top.protocol("WM_DELETE_WINDOW", self._close)
        self.label.bind("<Button>", self._click)
        self.top.bind("<Key>", self._key)

    def _close(self) -> None:
        self.closed = True

    def _click(self, event: Any) -> None:
        self.presses.append(Press(event.x + 0.5, self.high - event.y - 0.5, int(event.num)))

    def _key(self, event: Any) -> None:
        if event.char:
            x = self.top.winfo_pointerx() - self.label.winfo_rootx()
            y = self.top.winfo_pointery() - self.label.winfo_rooty()
            self.presses.append(Press(x + 0.5, self.high - y - 0.5, ord(event.char[0]), event.char))


class Tk:
    """The toolkit that `windows.Windows` uses."""

    def __init__(self) -> None:
        self.root = tkinter.Tk(className="runmat")
        self.root.withdraw()
        self.windows: list[Window] = []

    def open(self, title: str, pixels: NDArray[np.uint8]) -> Window:
        made = Window(self.root)
        self.windows.append(made)
        self.draw(made, title, pixels)
        return made

    def draw(self, window: Window, title: str, pixels: NDArray[np.uint8]) -> None:
        high, wide = pixels.shape[:2]
        data = b"P6 %d %d 255\n" % (wide, high) + np.ascontiguousarray(pixels).tobytes()
        window.high = high
        window.picture = tkinter.PhotoImage(master=self.root, data=data, format="ppm")
        window.label.configure(image=window.picture)
        window.top.title(title)

    def close(self, window: Window) -> None:
        window.top.destroy()
        self.windows.remove(window)

    def pump(self) -> list[Window]:
        """Let windows answer; those that a person has closed, which are gone."""
        self.root.update()
        gone = [window for window in self.windows if window.closed]
        for window in gone:
            self.close(window)
        return gone

    def press(self, window: Window) -> Press | None:
        return window.presses.pop(0) if window.presses else None

    def forget(self, window: Window) -> None:
        window.presses.clear()

    def end(self) -> None:
        self.root.destroy()
