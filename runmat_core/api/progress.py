"""Progress of long work, shown in a terminal.

    with Progress("Calibrating", total=20) as progress:
        for name in names:
            progress.step(name)

shows ``Calibrating  7/20 [#########..............]  35%  name`` behind what stands on the line, and
takes it away at the end. Nothing is shown where the error output is no terminal, nor of work that
is over soon. Whoever prints meanwhile calls `front.clear_line` before; sessions do.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, Self

from runmat_core.api.front import clear_line, shown

#: Seconds of work before anything is shown, and between two pictures of it.
SOON, OFTEN = 0.5, 0.1
#: Characters of a bar.
WIDTH = 24
#: The cursor's place is kept and restored, so that what is printed next overwrites the line.
_KEEP, _BACK, _ERASE = "\x1b7", "\x1b8", "\x1b[K"


class Progress:
    """A line about work that goes on.

    Args:
        title: what is done.
        total: how many steps it takes, or None.
        stream: where to show it; the error output unless it is given.
        soon: seconds of work before anything is shown, `SOON` unless given.

    Attributes:
        done: how many steps are over.
        column: characters that stand on the line already.
    """

    def __init__(
        self,
        title: str,
        total: float | None = None,
        *,
        stream: Any = None,
        soon: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.title = title
        self.total = total
        self.column = 0
        self.done = 0.0
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._next = clock() + (SOON if soon is None else soon)
        self._started = 0
        self._is_terminal = is_terminal(self._stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def step(self, text: str = "") -> None:
        """Begin the next step, which is about `text`."""
        self.done = float(self._started)
        self._started += 1
        self.show(self.done, text)

    def show(self, done: float, text: str = "") -> None:
        """Show that `done` of the total are over."""
        self.done = done
        if not self._is_terminal or self._clock() < self._next:
            return
        self._next = self._clock() + OFTEN
        room = columns(self._stream) - self.column - 2
        self.put(f"{_KEEP} {self._line(text)[: max(room, 0)]}{_ERASE}{_BACK}")
        if self.erase not in shown:
            shown.append(self.erase)

    def note(self, line: str) -> None:
        """Print a line above, which stays."""
        if self._is_terminal:
            clear_line()
            self.put(f"{line}\n")

    def _line(self, text: str) -> str:
        parts = [self.title] if self.title else []
        if self.total:
            part = min(max(self.done / self.total, 0.0), 1.0)
            if self.total != 1:
                parts.append(f"{amount(self.done)}/{amount(self.total)}")
            parts.append(f"{bar(part)} {part:4.0%}")
        return "  ".join([*parts, text] if text else parts)

    def put(self, text: str) -> None:
        """Write to the terminal, behind what was written to the output before."""
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._is_terminal = False  # it is gone, and nobody waits for this

    def close(self) -> None:
        """Take the line away."""
        if self.erase in shown:
            clear_line()

    def erase(self) -> None:
        self.put(_ERASE)


def bar(part: float) -> str:
    """Return a bar that is filled to a part from 0 to 1."""
    filled = round(part * WIDTH)
    return f"[{'#' * filled}{'.' * (WIDTH - filled)}]"


def amount(number: float) -> str:
    """Return a number of steps or of bytes, in few characters."""
    for unit, one in (("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if number >= one:
            return f"{number / (1e3 if unit == 'k' else one):.1f}{unit}"
    return f"{number:g}"


def columns(stream: Any) -> int:
    """Return the number of characters in a line of a terminal."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (AttributeError, OSError, ValueError):
        return 80


def is_terminal(stream: Any) -> bool:
    """Whether a stream is a terminal that can move its cursor."""
    try:
        return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):
        return False
