"""The attempts to capture a loop: all of it, or the trips that are left after the first."""

from __future__ import annotations

import math
from typing import Any

from runmat_core.accel.capture.current import get
from runmat_core.compiler.runtime.screen import refusal
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS

#: Counters up to here count exactly.
_EXACT = 2.0**50


def loop(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
) -> tuple[Any, ...] | None:
    """Values of the loop's variable and of those that it writes after its last trip.

    None where the loop is to go on in the ordinary way.

    Args:
        twin: the body as a function over a dict of variables.
        variables: the workspace, or a snapshot of the locals.
        variable: that of the loop.
        writes, reads: names in the body.
        parts: start, step and stop of the range, or the array whose columns are iterated.
    """
    seat = get()
    known = _known(variables, (variable, *writes, *reads))
    if seat is None or known is None:
        return None
    least = seat.threshold
    if not any(_is_large(known.get(name), least) for name in writes):
        return None
    from runmat_core.accel.loops import attempt
    from runmat_core.accel.loops.asked import Loop

    return attempt.attempt(Loop(twin, known, variable, writes, parts, 1), refusal)


def loop_entry(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
) -> tuple[Any, ...] | None:
    """The same before the first trip, for a loop that was captured after it in a former run."""
    seat = get()
    known = _known(variables, (variable, *writes, *reads))
    if seat is None or known is None or not seat.engine.loops.captured:
        return None
    from runmat_core.accel.loops import attempt
    from runmat_core.accel.loops.asked import Loop

    return attempt.entered(Loop(twin, known, variable, writes, parts, 0), refusal)


def _known(variables: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any] | None:
    """The variables of a loop; None where a function that it calls is shadowed by one."""
    known = {name: variables[name] for name in dict.fromkeys(names) if name in variables}
    shadowed = variables.get("_globals", ())
    if "_nout" in variables:
        # a snapshot of locals, which a frame keeps: it would hold on to old values
        variables.clear()
    return None if any(name in shadowed for name in names) else known


def counted(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[float, str, Any],
) -> tuple[Any, ...] | None:
    """The same of a ``while`` that moves `variable` towards a bound as its last statement.

    Args:
        parts: step of the counter, its relation to the bound, and the bound.
    """
    step, relation, bound = parts
    span = _span(variables.get(variable), step, relation, bound)
    if span is None:
        if "_nout" in variables:
            variables.clear()
        return None
    # as if the trip that is over had been the first of a range
    span = (span[0] - step, *span[1:])
    found = loop(twin, variables, variable, writes, reads, span)
    return None if found is None else (found[0] + step, *found[1:])


def counted_entry(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[float, str, Any],
) -> tuple[Any, ...] | None:
    """The same of a ``while`` before its first trip; its bound is a number or the name of one."""
    step, relation, bound = parts
    value: Any = variables.get(variable)
    span = _span(value, step, relation, variables.get(bound) if bound.__class__ is str else bound)
    if span is None:
        if "_nout" in variables:
            variables.clear()
        return None
    found = loop_entry(twin, variables, variable, writes, reads, span)
    return None if found is None else (found[0] + step, *found[1:])


def _span(value: Any, step: float, relation: str, bound: Any) -> tuple[float, float, float] | None:
    """Start, step and stop of the values of a counter in the trips that are left."""
    if not value.__class__ is bound.__class__ is float or not abs(bound - value) < _EXACT:
        return None
    distance = (bound - value) / step
    left = math.floor(distance) + 1 if "=" in relation else math.ceil(distance)
    if left < 1 or not value.is_integer():
        return None
    return value, step, value + (left - 1) * step


def _is_large(value: Any, least: int) -> bool:
    if value.__class__ is Deferred:
        return value.shape != (1, 1)
    return value.__class__ is Array and value.data.size >= least


HELPERS = {
    "loop": loop,
    "counted": counted,
    "counted_entry": counted_entry,
    "loop_entry": loop_entry,
    "locals": locals,
    "Array": Array,
    "Deferred": Deferred,
    "HOOKS": HOOKS,
}
