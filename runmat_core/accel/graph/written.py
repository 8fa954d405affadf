"""Where operations are written: the .m code that runs, found on the stack of frames."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


def current_location(depth: int) -> tuple[Any, int]:
    """Return code object and offset of the innermost .m code that runs, known by its `_s`.

    Args:
        depth: how many frames from here it is at least.
    """
    frame = sys._getframe(depth)
    while frame is not None:
        if "_s" in frame.f_globals:
            return frame.f_code, frame.f_lasti
        frame = frame.f_back  # type: ignore[assignment]
    return "", 0


def written_at() -> tuple[str, int]:
    """Return the file and the line of the innermost .m code that runs; ("", 0) where none does."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if "_s" in frame.f_globals:
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0
