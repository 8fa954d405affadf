"""Making many values at once."""

from __future__ import annotations

import gc
import threading
from types import TracebackType


class Uncollected:
    """While entered, Python looks for no garbage cycles.

    New values are no garbage. Looking at them again and again while they become many takes longer
    than making them. Only code that ends soon and calls nothing of the program belongs in here.
    """

    __slots__ = ()
    _lock = threading.Lock()
    _entered = 0  # by any thread
    _was = False

    def __enter__(self) -> None:
        with self._lock:
            if not Uncollected._entered:
                Uncollected._was = gc.isenabled()
                gc.disable()
            Uncollected._entered += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            Uncollected._entered -= 1
            if Uncollected._was and not Uncollected._entered:
                gc.enable()
