"""Where tracing a body ended, and what asked for what nobody can have there."""

from __future__ import annotations

from types import FrameType, TracebackType
from typing import Any

from runmat_core.accel.graph.leaves import Refused

#: What the functions do that ask for elements first, by their names.
_DOES = {"truth": "a condition", "scalar_truth": "a condition", "switch": "a switch"}
_DOES |= dict.fromkeys(("index", "index1", "index2", "paren"), "a subscript")
_DOES |= dict.fromkeys(("range2", "range3", "colon"), "a range")


def line_of(problem: BaseException, twin: Any) -> int:
    """Return the line of the body on which tracing ended; 0 where it did not begin."""
    if isinstance(problem, Refused) and problem.line[0] == twin.__code__.co_filename:
        return problem.line[1]
    traceback = _inside(problem, twin)
    return 0 if traceback is None else traceback.tb_lineno


def operation_of(problem: BaseException, twin: Any) -> str:
    """Return the builtin or phrase that asked for something that only a run can know.

    Return an empty text if that is not known.
    """
    traceback = _inside(problem, twin)
    while traceback is not None:
        name = _builtin(traceback.tb_frame) or _DOES.get(traceback.tb_frame.f_code.co_name, "")
        if name:
            return name
        traceback = traceback.tb_next
    return ""


def _inside(problem: BaseException, twin: Any) -> TracebackType | None:
    """Return the part of a traceback that begins with the frame of the body."""
    traceback = problem.__traceback__
    while traceback is not None and traceback.tb_frame.f_code is not twin.__code__:
        traceback = traceback.tb_next
    return traceback


def _builtin(frame: FrameType) -> str:
    """Return the builtin whose adapter a frame is; empty for other frames."""
    if frame.f_code.co_name != "adapter":
        return ""
    return str(getattr(frame.f_locals.get("failure"), "name", ""))
