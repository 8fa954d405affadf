"""The report that MATLAB prints for an uncaught error and that ``getReport`` returns."""

from __future__ import annotations

import linecache
import textwrap

from runmat_core.api.errors import MatlabError, StackFrame

#: Builtins that raise on behalf of the function that called them.
RAISE_AS_CALLER = frozenset(
    "assert error narginchk nargoutchk parse rethrow throw throwAsCaller validateattributes "
    "validatestring".split()
)

#: A longer list of callers, as endless recursion leaves it, shows its two ends.
_MOST_CALLERS = 50
_FIRST_CALLERS = 20
_LAST = 10
#: Errors of a function that was called in a way it does not allow, before its first line.
_CALL_REFUSED = frozenset({"MATLAB:TooManyInputs", "MATLAB:TooManyOutputs"})


def format_report(error: MatlabError, *, extended: bool = True) -> str:
    """``Error using f (line N)``, the message, and each caller with its source line.

    With `extended` false only the first two. There is no newline at the end.
    """
    using, callers = _using(error)
    lines = [using] if using else []
    lines.append(error.message)
    if not extended:
        return "\n".join(lines)
    if error.hint:
        lines.append(error.hint)
    for position, frame in enumerate(callers):
        if len(callers) > _MOST_CALLERS and _FIRST_CALLERS <= position < len(callers) - _LAST:
            if position == _FIRST_CALLERS:
                lines += ["", f"({len(callers) - _FIRST_CALLERS - _LAST} more calls)"]
            continue
        lines += ["", _place(frame)]
        if source := _source(frame):
            lines.append(f"    {source}")
    if error.causes:
        lines += ["", "Caused by:"]
        for cause in error.causes:
            lines.append(textwrap.indent(format_report(cause), "    "))
    return "\n".join(lines)


def _using(error: MatlabError) -> tuple[str, tuple[StackFrame, ...]]:
    """Return the first line of the report and the stack entries that follow the message."""
    if error.raised_by and error.raised_by not in RAISE_AS_CALLER:
        return f"Error using {error.raised_by}", error.stack
    if error.identifier == "MATLAB:innerdim":
        return "Error using  * ", error.stack
    if error.identifier in _CALL_REFUSED and not error.raised_by and error.stack:
        return f"Error using {error.stack[0].label}", error.stack[1:]
    if error.raised_by and error.stack:
        first, *callers = error.stack
        return f"Error using {first.label} (line {first.line})", tuple(callers)
    return "", error.stack


def _place(frame: StackFrame) -> str:
    return f"Error in {frame.label} (line {frame.line})"


def _source(frame: StackFrame) -> str:
    if not frame.file:
        return ""
    linecache.checkcache(frame.file)
    return linecache.getline(frame.file, frame.line).strip()
