"""The attempt to capture the trips of a loop that are left after the first."""

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
    names = dict.fromkeys((variable, *writes, *reads))
    known = {name: variables[name] for name in names if name in variables}
    shadowed = variables.get("_globals", ())
    if "_nout" in variables:
        # a snapshot of locals, which a frame keeps: it would hold on to old values
        variables.clear()
    seat = get()
    if seat is None or any(name in shadowed for name in names):
        return None
    least = seat.threshold
    if not any(_is_large(known.get(name), least) for name in writes):
        return None
    from runmat_core.accel.loops import attempt

    return attempt.attempt(twin, known, variable, writes, parts, refusal)


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
    value: Any = variables.get(variable)
    left = 0.0
    if value.__class__ is float and bound.__class__ is float and abs(bound - value) < _EXACT:
        distance = (bound - value) / step
        left = math.floor(distance) + 1 if "=" in relation else math.ceil(distance)
    if left < 1 or not value.is_integer():
        if "_nout" in variables:
            variables.clear()
        return None
    # as if the trip that is over had been the first of a range
    span = (value - step, step, value + (left - 1) * step)
    found = loop(twin, variables, variable, writes, reads, span)
    return None if found is None else (found[0] + step, *found[1:])


def _is_large(value: Any, least: int) -> bool:
    if value.__class__ is Deferred:
        return value.shape != (1, 1)
    return value.__class__ is Array and value.data.size >= least


HELPERS = {
    "loop": loop,
    "counted": counted,
    "locals": locals,
    "Array": Array,
    "Deferred": Deferred,
    "HOOKS": HOOKS,
}
