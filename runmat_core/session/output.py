"""Where a session's text goes: a stream, a callable, or a buffer that ``evalc`` reads."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol

from runmat_core.api.front import clear_line, shown


class TextStream(Protocol):
    def write(self, text: str, /) -> object: ...


#: What `Session(stdout=...)` accepts: a stream, a function of text, or None for the process's own.
Sink = TextStream | Callable[[str], object] | None


class OutputLost(BaseException):
    """The output cannot be written: nobody reads it any more, or the disk is full.

    Not an `Exception`: no MATLAB ``try`` and no builtin may take it for a fault of the program.
    `Session` raises `problem` in its place.
    """

    def __init__(self, problem: OSError) -> None:
        super().__init__(problem)
        self.problem = problem


class Output:
    """Text output and error output, each of which captures can intercept.

    A write goes straight to the stream, which buffers as it pleases; `flush` is called before error
    text and at the end of a run, so that the two streams stay in order on a terminal. Captures nest
    and take both streams, as ``evalc`` does.
    """

    def __init__(self, stdout: Sink = None, stderr: Sink = None) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._captures: list[list[str]] = []
        #: Whether the last character written to the visible stream was a newline.
        self.at_line_start = True
        #: Is given all visible text too, while somebody keeps a record.
        self.copy: Callable[[str], object] | None = None

    def write(self, text: str) -> None:
        """Append `text` to the innermost capture, or to the output stream."""
        if not text:
            return
        if self._captures:
            self._captures[-1].append(text)
            return
        if shown:
            clear_line()
        self.at_line_start = text.endswith("\n")
        if self.copy is not None:
            self.copy(text)
        _put(self._stdout if self._stdout is not None else sys.stdout, text)

    def write_error(self, text: str) -> None:
        """Append `text` to the innermost capture, or to the error stream."""
        if self._captures:
            self._captures[-1].append(text)
            return
        if shown:
            clear_line()
        self.flush()
        if self.copy is not None:
            self.copy(text)
        _put(self._stderr if self._stderr is not None else sys.stderr, text)

    def flush(self) -> None:
        for sink in (self._stdout or sys.stdout, self._stderr or sys.stderr):
            flush = getattr(sink, "flush", None)
            if flush is not None:
                try:
                    flush()
                except OSError as problem:
                    raise OutputLost(problem) from None

    def capture(self) -> Capture:
        """Return a context in which output is collected; what it yields returns the text so far."""
        return Capture(self._captures)


class Capture:
    """See `Output.capture`."""

    def __init__(self, captures: list[list[str]]) -> None:
        self._captures = captures
        self._parts: list[str] = []

    def __enter__(self) -> Callable[[], str]:
        self._captures.append(self._parts)
        return self.text

    def __exit__(self, *exception: object) -> None:
        # By identity: equal lists of text are not the same capture.
        self._captures[:] = [parts for parts in self._captures if parts is not self._parts]

    def text(self) -> str:
        return "".join(self._parts)


def _put(sink: Sink, text: str) -> None:
    if sink is None:  # a windowed process has no streams
        return
    write: Any = getattr(sink, "write", sink)
    try:
        write(text)
    except OSError as problem:
        raise OutputLost(problem) from None
    except UnicodeEncodeError:
        # A terminal that cannot show a character gets a replacement rather than an error.
        encoding = getattr(sink, "encoding", None) or "ascii"
        write(text.encode(encoding, "replace").decode(encoding))
