"""Providers whose sessions were dropped without being closed, and when they are closed.

A session may be dropped while Python looks for garbage, which it does anywhere: in the middle of
another provider's work, with locks taken, in any thread. So nothing is closed there. What is to be
called is only written down, and called where no provider is at work: when the next provider starts,
and after each run of a session. What the process still has at its end goes with the process.
"""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable

#: Of each provider, the process that started it and what closes it.
ORPHANS: deque[tuple[int, Callable[[], object]]] = deque()


def close_orphans() -> None:
    """Close what was left, each once; what fails to close is told as a ResourceWarning."""
    while ORPHANS:
        try:
            process, close = ORPHANS.popleft()
        except IndexError:
            return  # another thread was faster
        if process != os.getpid():
            continue  # a fork has copies of what its parent goes on with
        try:
            close()
        except Exception as problem:
            text = f"a provider that no session uses did not close: {problem}"
            warnings.warn(text, ResourceWarning, stacklevel=2)
