"""From a Python exception to the MATLAB error it stands for, with MATLAB's call stack.

An exception whose innermost frame is compiled .m code means something in MATLAB's terms (an unset
variable, missing inputs); the compiler translates those. Any other one that is not a `MatlabError`
was raised by this package's own Python, and is reported as an internal error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from types import FrameType, TracebackType

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.compiler import frames
from runmat_core.compiler.host import debugging

#: Deeper stacks are cut in the middle: the ends say what endless recursion did.
_LONGEST_STACK = 2000


def matlab_error(exception: BaseException) -> MatlabError:
    """The MATLAB error for `exception`, with its stack; keeps no frame alive.

    Dropping the traceback here is what lets cleanup objects of the functions left by the error run
    before its handler does.
    """
    error = _translated(exception)
    traceback = exception.__traceback__
    if not error.raised_by:
        error.raised_by = _builtin_at(traceback)
    if not error.stack:
        stack = _stack(exception)
        error.stack = tuple(stack[1:] if error.raised_by == "throwAsCaller" else stack)
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


_UNKNOWN_NAME = re.compile(r"Unrecognized function or variable '(\w+)'\.")


def add_suggestion(error: MatlabError, variables: Sequence[str]) -> None:
    """Give the error of an unknown name a hint: the package that has it, names that it may be a
    misspelling of, and packages that may have it but cannot be used."""
    unknown = _UNKNOWN_NAME.fullmatch(error.message)
    if unknown is None or error.hint:
        return
    from runmat_core.builtins import registry

    error.hint = registry.hint_for(unknown[1], tuple(variables))


def current_stack(frame: FrameType | None) -> tuple[StackFrame, ...]:
    """The MATLAB call stack outwards from `frame`."""
    return tuple(_outwards(frame))


def _translated(exception: BaseException) -> MatlabError:
    if isinstance(exception, MatlabError):
        return exception
    if errors.asks_too_much(exception):
        return errors.out_of_memory()
    translated = frames.translate(exception)
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


def _stack(exception: BaseException) -> list[StackFrame]:
    """Innermost first: the frames that the exception left, then those around its handler."""
    traceback = exception.__traceback__
    if traceback is None:
        return []
    outside = traceback.tb_frame.f_back
    left: list[StackFrame] = []
    while traceback is not None:
        left.extend(_frame(traceback.tb_frame, frames.line_of(exception, traceback)))
        traceback = traceback.tb_next
    stack = [*reversed(left), *_outwards(outside)]
    if len(stack) > _LONGEST_STACK:
        half = _LONGEST_STACK // 2
        stack = stack[:half] + stack[-half:]
    return stack


def _outwards(frame: FrameType | None) -> Iterator[StackFrame]:
    while frame is not None:
        yield from _frame(frame, frame.f_lineno)
        frame = frame.f_back


def _frame(frame: FrameType, line: int | None) -> Iterator[StackFrame]:
    """The stack entry of a Python frame; none for Python code and for code typed or evaluated."""
    info = frames.frame_info(frame)
    if info is None or not (info.file or info.kind == "anonymous"):
        return
    name = info.name or os.path.basename(info.file).removesuffix(".m")
    yield StackFrame(info.file, name, line or 0)


def _builtin_at(traceback: TracebackType | None) -> str:
    """The builtin in which the exception arose; empty when compiled code itself raised it."""
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
