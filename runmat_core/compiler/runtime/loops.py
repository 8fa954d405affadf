"""The attempts to capture a loop: all of it, or the trips that are left after the first."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from runmat_core.accel.context import get, later, let_go
from runmat_core.api.interp import GLOBAL_NAMES
from runmat_core.compiler.runtime.bounds import told
from runmat_core.compiler.runtime.screen import refusal
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.colon import range_of
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS

#: Variables of the twin of a loop that is run ahead, by names that no variable of a program has:
#: the number of the trip, and for each trip whether its condition held.
TRIP, FLAGS = "(trip)", "(flags)"
#: Counters up to here count exactly.
_EXACT = 2.0**50
#: A range of so many elements may be made for a loop that is captured.
_LISTED = 1 << 16
#: What could not be run ahead is tried again with arrays so many times as large.
GROWTH = 4
_HOLDS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "~=": operator.ne,
}


def loop(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
    items: Iterator[Any] | None = None,
) -> tuple[Any, ...] | None:
    """Return whether iterations are left, then the variables after those that were captured.

    These are the loop's variable and those that the body assigns.

    None where the loop is to go on in the ordinary way, nothing where it is to be asked again after
    its next trip.

    Args:
        twin: the body as a function over a dict of variables.
        variables: the workspace, or a snapshot of the locals.
        variable: that of the loop.
        writes, reads: names in the body.
        parts: start, step and stop of the range, or the array whose columns are iterated.
        items: what the loop iterates; it is left where the first trip is that was not captured.
            None: all trips are captured, or none.
    """
    waiting = later()
    if waiting is not None:
        done = None
        if items is not None and not waiting.is_idle(twin):
            done = _trips_done(variables.get(variable), parts)
        if "_nout" in variables:
            let_go(variables)
        return None if done is None else ()
    seat = get()
    known = _known(variables, (variable, *writes, *reads))
    if seat is None or known is None:
        return None
    least = seat.threshold
    if not any(_is_large(known.get(name), least) for name in writes):
        return None
    from runmat_core.accel.loops import attempt
    from runmat_core.accel.loops.asked import Loop

    done = None if items is None else _trips_done(known.get(variable), parts)
    begin = 1 if done is None else done
    asked = Loop(twin, known, variable, writes, _listed(parts), begin, done is not None)
    return _resumed(asked, attempt.attempt(asked, refusal), items)


def _trips_done(value: Any, parts: tuple[Any, ...]) -> int | None:
    """How many trips are over; None where the variable does not count in whole numbers."""
    start, step = parts[0], parts[1] if len(parts) == 3 else 1.0
    if len(parts) == 1 or not value.__class__ is start.__class__ is step.__class__ is float:
        return None
    if not (start.is_integer() and step.is_integer() and step):
        return None
    return int((value - start) / step) + 1


def _resumed(asked: Any, found: Any, items: Iterator[Any] | None) -> tuple[Any, ...] | None:
    """Return an attempt's result, saying whether iterations are left, not how many ran."""
    if not found:
        return found if asked.resumes else None
    trips, *values = found
    more = asked.begin + trips < asked.trips()
    if more:
        assert items is not None
        next(islice(items, trips - 1, None))
    return more, *values


def loop_entry(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
    items: Iterator[Any] | None = None,
) -> tuple[Any, ...] | None:
    """Attempt a loop before its first iteration, if a former run was captured after it."""
    seat = get()
    known = _known(variables, (variable, *writes, *reads))
    if seat is None or known is None or not seat.engine.loops.captured:
        return None
    from runmat_core.accel.loops import attempt
    from runmat_core.accel.loops.asked import Loop

    counts = items is not None and _trips_done(parts[0], parts) is not None
    asked = Loop(twin, known, variable, writes, _listed(parts), 0, counts)
    return _resumed(asked, attempt.entered(asked, refusal), items)


def _listed(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a range of other numbers than whole doubles as a row, if that is short."""
    if len(parts) == 1 or all(one.__class__ is float and one % 1 == 0 for one in parts[:-1]):
        return parts
    first, step, last = parts if len(parts) == 3 else (parts[0], 1.0, parts[1])
    found = range_of(first, step, last)
    if found is None or not 1 < found.count <= _LISTED:
        return parts
    return (from_numpy(found.part(0, found.count).reshape((1, found.count))),)


def _known(variables: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the variables of a loop; None where a function that it calls is shadowed by one."""
    known = {name: variables[name] for name in dict.fromkeys(names) if name in variables}
    shadowed = variables.get(GLOBAL_NAMES, ())
    let_go(variables)
    return None if any(name in shadowed for name in names) else known


def counted(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, Any, str, bool],
) -> tuple[Any, ...] | None:
    """Return the same of a ``while`` that moves `variable` towards a bound in each trip.

    Args:
        parts: step of the counter, the bound, also as `told` takes it, its relation to that, and
            whether it moves before the other statements.
    """
    step, bound, relation, ahead = parts
    if bound.__class__ is tuple:
        bound = told(bound, twin.__globals__, variables)
    found = _counts(variables.get(variable), step, bound, relation, ahead)
    if found is None:
        let_go(variables)
        return None
    values, after = found
    # as if the trip that is over had been the first of a range
    if len(values) == 1:
        values = (from_numpy(np.append(0.0, values[0].data).reshape((1, -1))),)
    else:
        values = (values[0] - values[1], *values[1:])
    left = loop(twin, variables, variable, writes, reads, values)
    return None if left is None else (False, after, *left[2:])


def counted_entry(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[float | str, Any, str, bool],
) -> tuple[Any, ...] | None:
    """Return the same before the first trip; step and bound are as `told` takes them."""
    step, bound = [told(one, twin.__globals__, variables) for one in parts[:2]]
    found = _counts(variables.get(variable), step, bound, *parts[2:])
    if found is None:
        let_go(variables)
        return None
    left = loop_entry(twin, variables, variable, writes, reads, found[0])
    return None if left is None else (False, found[1], *left[2:])


def ahead(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
    items: Iterator[Any] | None = None,
) -> tuple[Any, ...] | None:
    """Attempt a loop whose end depends on what it computes, as far as it can be run ahead.

    What is left of it, its last condition among that, goes on in the ordinary way.

    Args:
        parts: of a ``for``, the first of whose `writes` is its variable; empty for a ``while``.
    """
    if later() is not None:
        if "_nout" in variables:
            let_go(variables)
        return ()
    left = 0 if twin.entered else getattr(twin, "left", 0)
    size = 0
    for name in writes:
        value = variables.get(name)
        if value.__class__ is Array:
            size = max(size, value.data.size)
    if left or (size and size < getattr(twin, "in_vain", 0)):
        twin.left = max(left - 1, 0)
        if "_nout" in variables:
            variables.clear()
        # nothing to ask again where the loop, of this size, could not be run ahead before
        return () if left else None
    found = _ahead(twin, variables, variable, writes, reads, parts, items)
    if found is None:
        twin.in_vain = GROWTH * size
    return found


def _ahead(
    twin: Any,
    variables: dict[str, Any],
    variable: str,
    writes: tuple[str, ...],
    reads: tuple[str, ...],
    parts: tuple[Any, ...],
    items: Iterator[Any] | None,
) -> tuple[Any, ...] | None:
    seat = get()
    known = _known(variables, (*writes, *reads))
    if seat is None or known is None:
        return None
    if not any(_is_large(known.get(name), seat.threshold) for name in writes):
        return None
    from runmat_core.accel.loops.asked import Loop
    from runmat_core.accel.loops.whiles import advance

    over = remain = None
    if parts:
        over = _trips_done(known.get(writes[0]), parts)
        remain = Loop(twin, known, "", (), parts, 0).trips()
        if over is None or not remain:
            return None
        remain -= over
    entered, twin.entered = twin.entered, False
    # one that goes on past its expected end is another one
    expected = twin.expected = getattr(twin, "expected", 0) if entered else 0
    found = advance(twin, known, (TRIP, FLAGS), writes, refusal, remain, expected)
    if found is None:
        return None
    state, done, twin.left, total = found
    if entered and total:
        twin.expected = total
    values = [state.get(name) for name in writes]
    if over is not None and done:
        assert items is not None
        values[0] = known[writes[0]] + done * (parts[1] if len(parts) == 3 else 1.0)
        next(islice(items, done - 1, None))
    return (done != remain, None, *values)


def _counts(
    value: Any, step: Any, bound: Any, relation: str, ahead: bool
) -> tuple[tuple[Any, ...], float] | None:
    """Return what a counter counts in the iterations that are left, and its value after them.

    The former is what a ``for`` iterates.
    """
    if not value.__class__ is step.__class__ is bound.__class__ is float:
        return None
    if not step or not abs(bound - value) < _EXACT:
        return None
    if value.is_integer() and step.is_integer() and relation != "~=":
        if (step > 0) is not (relation[0] == "<"):
            return None
        distance = (bound - value) / step
        left = math.floor(distance) + 1 if "=" in relation else math.ceil(distance)
        first, after = value + ahead * step, value + left * step
        return None if left < 1 else ((first, step, first + (left - 1) * step), after)
    holds = _HOLDS[relation]
    values: list[float] = [value]
    while holds(value, bound):
        value += step
        values.append(value)
        if len(values) > _LISTED:
            return None
    if len(values) < 3:
        return None
    return (from_numpy(np.array([values[1:] if ahead else values[:-1]])),), value


def _is_large(value: Any, least: int) -> bool:
    if value.__class__ is Deferred:
        return value.shape != (1, 1)
    return value.__class__ is Array and value.data.size >= least


HELPERS = {
    "loop": loop,
    "ahead": ahead,
    "counted": counted,
    "counted_entry": counted_entry,
    "loop_entry": loop_entry,
    "locals": locals,
    "Array": Array,
    "Deferred": Deferred,
    "HOOKS": HOOKS,
}
