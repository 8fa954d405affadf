"""What stands before a session: a command that a person has started, or a program.

A package that opens windows asks here whether anybody sees them (`Front.attended`), and leaves what
is to be done while a program waits (`Front.idle`) and when it has ended (`Front.ends`). It gets the
one object of a session by ``front_of(interp)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Functions that clear the progress lines now on a terminal (`progress`).
shown: list[Callable[[], None]] = []


def clear_line() -> None:
    """Take away what a terminal shows for a while, before something else is printed."""
    while shown:
        shown.pop()()


class Front:
    """The front of a session.

    Attributes:
        attended: whether the session belongs to a command at a terminal or a desktop.
        idle: called again and again while a program waits.
        ends: called once after the last statement.
    """

    def __init__(self) -> None:
        self.attended = False
        self.idle: list[Callable[[], None]] = []
        self.ends: list[Callable[[], None]] = []

    def wait(self) -> None:
        """Do what is to be done while a program waits."""
        for action in list(self.idle):
            action()

    def end(self) -> None:
        """Do what is left to do after a program."""
        while self.ends:
            self.ends.pop(0)()


def front_of(interp: Any) -> Front:
    """Return the front of a session."""
    found: Front = interp.state("front", Front)
    return found
