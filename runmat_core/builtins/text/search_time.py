"""A bound on the time that a search for a regular expression takes.

Python's ``re`` goes back in a text as often as an expression allows, which may be more often than
any machine can bear: ``(a+)+b`` tries every way to part a row of letters. Nothing but a signal ends
such a search, so the bound holds where signals arrive: in the main thread, and not on Windows.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterable
from functools import lru_cache
from types import FrameType, TracebackType
from typing import Any, Self

from runmat_core.api.errors import MatlabError

#: Seconds of the processor that a search may take, and as many more for each character.
SECONDS, FOR_EACH = 10.0, 2e-6
#: Shorter texts are parted in too few ways to matter.
_SHORT = 16

_REPETITION = re.compile(r"[*+{]")


@lru_cache(maxsize=512)
def _goes_back(pattern: re.Pattern[str]) -> bool:
    """Whether an expression may be tried in ever more ways: repetitions after or in each other."""
    count = len(_REPETITION.findall(pattern.pattern))
    return count > 1 or (count == 1 and "|" in pattern.pattern)


def _late(number: int, frame: FrameType | None) -> None:
    raise MatlabError(
        "RunMat:regexp:timeLimit",
        "The regular expression can match the text in too many ways: the search was given up.",
    )


class SearchTime:
    """Measures the searches for some expressions while it is entered.

    Attributes:
        measured: whether there is anything to measure.
    """

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        self.measured = (
            any(map(_goes_back, patterns))
            and hasattr(signal, "setitimer")
            and threading.current_thread() is threading.main_thread()
        )
        #: The handler and the timer that were there, once there is one of ours.
        self._before: tuple[Any, tuple[float, float]] | None = None

    def __enter__(self) -> Self:
        return self

    def begin(self, text: str) -> None:
        """Begin a search of `text`, which ends an earlier one."""
        if self.measured and len(text) > _SHORT:
            if self._before is None:
                handler = signal.signal(signal.SIGVTALRM, _late)
                self._before = handler, signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS + FOR_EACH * len(text))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            handler, (left, interval) = self._before
            signal.signal(signal.SIGVTALRM, handler or signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_VIRTUAL, left, interval)
