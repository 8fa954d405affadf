"""Making many values at once."""

from __future__ import annotations

import gc
from types import TracebackType


class Uncollected:
    """While entered, Python looks for no garbage cycles.

    New values are no garbage. Looking at them again and again while they become many takes longer
    than making them. Only code that ends soon and calls nothing of the program belongs in here.
    """

    __slots__ = ("_was",)

    def __enter__(self) -> None:
        self._was = gc.isenabled()
        gc.disable()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._was:
            gc.enable()
