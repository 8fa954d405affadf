"""The engine of the code that runs.

A session takes its seat while its code runs; nested runs take theirs and give it back. What
captures operations asks `get`, which costs a few tens of nanoseconds. The engine itself is made
when it is asked for first, so that programs without large arrays load nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

#: A number of elements that no array has: with this threshold nothing is captured.
NEVER = 1 << 62


class Seat:
    """A session's place for its engine.

    Attributes:
        threshold: arrays with at least this many elements are captured.
        engine: made by `make` on first use; its attributes can be read on the seat.
    """

    def __init__(self, threshold: int, make: Callable[[Seat], Any]) -> None:
        self.threshold = threshold
        self._make = make

    def __getattr__(self, name: str) -> Any:
        # only what is not set yet comes here
        if name == "engine":
            # evaluated code may ask while the engine is being made: it captures nothing yet
            with running(None):
                self.engine = self._make(self)
            return self.engine
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self.engine, name)
        if name == "graph":
            self.graph = value
        return value

    @property
    def made(self) -> bool:
        """Whether anything asked for the engine yet."""
        return "engine" in self.__dict__


_seat: ContextVar[Seat | None] = ContextVar("engine of the running code", default=None)

#: The seat of the running code; None where nothing is to be captured.
get: Callable[[], Seat | None] = _seat.get


@contextmanager
def running(seat: Seat | None) -> Iterator[None]:
    """Let `seat` be the one of the running code while the block runs; None captures nothing."""
    token = _seat.set(seat)
    try:
        yield
    finally:
        _seat.reset(token)
