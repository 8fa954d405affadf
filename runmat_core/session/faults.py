"""From a Python exception to the MATLAB error it stands for, with MATLAB's call stack.

An exception whose innermost frame is compiled .m code means something in MATLAB's terms (an unset
variable, missing inputs); the compiler translates those. Any other one that is not a `MatlabError`
was raised by this package's own Python, and is reported as an internal error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import partial
from types import CodeType, FrameType, TracebackType

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.api.tuples import NamedTuple
from runmat_core.compiler import frames
from runmat_core.compiler.host import FunctionInfo, debugging
from runmat_core.values.object import miscounted

#: Deeper stacks are cut in the middle: the ends say what endless recursion did.
_LONGEST_STACK = 2000


def matlab_error(exception: BaseException) -> MatlabError:
    """Return the MATLAB error for `exception`, with its stack; keeps no frame alive.

    Dropping the traceback here is what lets cleanup objects of the functions left by the error run
    before its handler does.
    """
    error = _translated(exception)
    traceback = exception.__traceback__
    if not error.raised_by:
        error.raised_by = _builtin_at(traceback)
    if not error.has_stack:
        left = _places_left(exception)
        if error.raised_by == "throwAsCaller":
            del left[:1]
        error.stack = partial(_frames_of, left)
    del traceback
    if not debugging():
        seen: BaseException | None = exception
        while seen is not None:
            seen.__traceback__ = None
            seen = seen.__cause__ or seen.__context__
        error.__cause__ = error.__context__ = None
    elif error is not exception:
        error.__cause__ = exception
    return error


_UNKNOWN_NAME = re.compile(
    r"Unrecognized function or variable '(\w+)'\.|Unable to resolve the name '([\w.]+)'\."
)


def add_suggestion(error: MatlabError, variables: Sequence[str]) -> None:
    """Give the error of an unknown name a hint.

    It has the package with the name, names that it may be a misspelling of, and packages that may
    have it but cannot be used.
    """
    unknown = _UNKNOWN_NAME.fullmatch(error.message)
    if unknown is None or error.hint:
        return
    from runmat_core.builtins import registry

    error.hint = registry.hint_for(unknown[1] or unknown[2], tuple(variables))


def current_stack(frame: FrameType | None) -> tuple[StackFrame, ...]:
    """Return the MATLAB call stack outwards from `frame`."""
    return _frames_of(_places(frame))


def _translated(exception: BaseException) -> MatlabError:
    if isinstance(exception, MatlabError):
        return exception
    if errors.asks_too_much(exception):
        return errors.out_of_memory()
    translated = frames.translate(exception) or miscounted(exception)
    if translated is not None:
        if isinstance(exception, RecursionError):
            translated.hint = (
                "`recursion_limit` in the [language] section of runmat.toml raises the limit."
            )
        return translated
    kind = type(exception).__name__
    return MatlabError(
        "RunMat:internal",
        f"Internal error: {kind}: {exception}",
        hint="This is a fault of runmat itself. RUNMAT_DEBUG=1 shows where it happened.",
    )


class _Place(NamedTuple):
    """Where a frame of .m code stood. Its line takes a search through all lines of the code."""

    info: FunctionInfo
    code: CodeType
    instruction: int
    line: int | None = None

    def frame(self) -> StackFrame:
        name = self.info.name or os.path.basename(self.info.file).removesuffix(".m")
        return StackFrame(self.info.file, name, self.line or self._line() or 0)

    def _line(self) -> int | None:
        for start, end, line in self.code.co_lines():
            if start <= self.instruction < end:
                return line
        return None


def _frames_of(places: list[_Place]) -> tuple[StackFrame, ...]:
    return tuple([place.frame() for place in places])


def _places_left(exception: BaseException) -> list[_Place]:
    """Innermost first: the frames that the exception left, then those around its handler."""
    traceback = exception.__traceback__
    if traceback is None:
        return []
    outside = traceback.tb_frame.f_back
    unbound = isinstance(exception, UnboundLocalError)
    left: list[_Place] = []
    while traceback is not None:
        info = _listed(traceback.tb_frame)
        if info is not None:
            # that of an unset variable may be another one than Python says
            line = frames.line_of(exception, traceback) if unbound else None
            left.append(_Place(info, traceback.tb_frame.f_code, traceback.tb_lasti, line))
        traceback = traceback.tb_next
    left.reverse()
    left += _places(outside)
    if len(left) > _LONGEST_STACK:
        half = _LONGEST_STACK // 2
        left = left[:half] + left[-half:]
    return left


def _places(frame: FrameType | None) -> list[_Place]:
    """From `frame` outwards."""
    found = []
    while frame is not None:
        if "_infos" in frame.f_globals:
            info = _listed(frame)
            if info is not None:
                found.append(_Place(info, frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found


def _listed(frame: FrameType) -> FunctionInfo | None:
    """Return what a stack says of a Python frame.

    Return None for Python code, and for code typed or evaluated.
    """
    info = frames.frame_info(frame)
    return info if info is not None and (info.file or info.kind == "anonymous") else None


def _builtin_at(traceback: TracebackType | None) -> str:
    """Return the builtin in which the exception arose.

    Empty when compiled code itself raised it.
    """
    name = ""
    while traceback is not None:
        frame = traceback.tb_frame
        if frames.frame_info(frame) is not None:
            name = ""
        elif not name and frame.f_code.co_filename.startswith("<builtin "):
            failure = frame.f_locals.get("failure")
            name = failure.name if failure is not None else ""
        traceback = traceback.tb_next
    return name
