"""Times that rows may be moved to: regular ones over a range, and those of several timetables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.time.date_shifts import unit_start
from runmat_core.values.tables.stepping import Step, times_from
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import UNIT, Duration

Times = Datetime | Duration

#: Steps with names: the unit that the first time starts, and months, days or milliseconds.
NAMED: dict[str, tuple[str, dict[str, float]]] = {
    "yearly": ("year", {"months": 12.0}),
    "quarterly": ("quarter", {"months": 3.0}),
    "monthly": ("month", {"months": 1.0}),
    "weekly": ("week", {"days": 7.0}),
    "daily": ("day", {"days": 1.0}),
    "hourly": ("hour", {"ms": UNIT["h"]}),
    "minutely": ("minute", {"ms": UNIT["m"]}),
    "secondly": ("second", {"ms": UNIT["s"]}),
}
_OF_DURATIONS = {
    "yearly": "y",
    "daily": "d",
    "hourly": "h",
    "minutely": "m",
    "secondly": "s",
}

#: The time bases that several timetables have together.
BASES = ("union", "intersection", "commonrange", "first", "last")


def named_step(name: str, times: Times) -> tuple[str, Any]:
    """Return the unit and the step that a name such as 'daily' stands for.

    Raises:
        MatlabError: MATLAB:timetable:InvalidTimeStep, the times are durations and have no months.
    """
    unit, parts = NAMED[name]
    if isinstance(times, Datetime):
        if "ms" in parts:
            return unit, Duration([[parts["ms"]]])
        return unit, CalendarDuration.of(parts.get("months", 0.0), parts.get("days", 0.0))
    if name not in _OF_DURATIONS:
        raise MatlabError(
            "MATLAB:timetable:InvalidTimeStep",
            f"'{name}' is a step of the calendar, and the row times are durations.",
        )
    return "", Duration([[UNIT[_OF_DURATIONS[name]]]], times.form)


def _unit_of(step: Any) -> str:
    """Return the unit of whose starts the first of some times is one."""
    if isinstance(step, Duration):
        return "day"
    months, days, _ = (float(field.item()) for field in step.fields())
    if months:
        return "year" if months % 12 == 0 else "quarter" if months % 3 == 0 else "month"
    return "week" if days and days % 7 == 0 else "day"


def covering(times: Times, step: Any, unit: str = "") -> Times:
    """Regular times from the last one at or before all `times` to the first one after them.

    Args:
        step: one duration, or for datetimes one calendarDuration.
        unit: the first time starts one of these; by default one that fits the step.

    Raises:
        MatlabError: MATLAB:timetable:InvalidTimeStep.
    """
    step = Step.checked(step)
    known = times.codes[np.isfinite(times.codes)]
    if not known.size:
        return times.with_codes(times.codes[:0].reshape(0, 1))
    low, high = known.min(), known.max()
    start = times.with_codes(np.array([[low]], times.codes.dtype))
    if isinstance(start, Datetime):
        start = start.with_local(unit_start(start.local(), unit or _unit_of(step)))
    if isinstance(step, Duration):
        size = float(step.codes.item())
        if not size > 0 or not np.isfinite(size):
            raise _no_step()
        origin = start.codes.item() if isinstance(times, Datetime) else 0.0
        first = origin + np.floor((low - origin) / size + 1e-12) * size
        start = times.with_codes(np.array([[first]], times.codes.dtype))
        count = int(np.ceil((high - first) / size - 1e-9)) + 1
        check_size((count,), 16)
        return times_from(start, step, count)
    months, days, clock = (float(field.item()) for field in step.fields())
    shortest = (months * 28 + days) * UNIT["d"] + clock - (UNIT["h"] if days else 0)
    if not shortest > 0 or min(months, days, clock) < 0:
        raise _no_step()
    count = int((high - start.codes.item()) / shortest) + 2
    check_size((count,), 64)
    found = times_from(start, step, count)
    flat = found.codes.ravel()
    last = int(np.searchsorted(flat, high, "left"))
    return found.with_codes(found.codes[: last + 1])


def _no_step() -> MatlabError:
    return MatlabError("MATLAB:timetable:InvalidTimeStep", "TimeStep must be positive and finite.")


def common(all_times: Sequence[Times], basis: str) -> Times:
    """Return the times that several timetables have together by one of `BASES`.

    Raises:
        MatlabError: MATLAB:timetable:synchronize:MixedTimeTypes.
    """
    first = all_times[0]
    if any(isinstance(t, Datetime) != isinstance(first, Datetime) for t in all_times):
        raise MatlabError(
            "MATLAB:timetable:synchronize:MixedTimeTypes",
            "The row times of all timetables must be datetimes, or all of them durations.",
        )
    if basis in ("first", "last"):
        chosen = all_times[0 if basis == "first" else -1]
        return first.with_codes(first.adopt(chosen).codes)
    sets = [np.unique(first.adopt(t).codes.ravel()) for t in all_times]
    sets = [codes[np.isfinite(codes)] for codes in sets]
    found = sets[0]
    for codes in sets[1:]:
        found = (
            np.intersect1d(found, codes) if basis == "intersection" else np.union1d(found, codes)
        )
    if basis == "commonrange":
        if any(not codes.size for codes in sets):
            found = found[:0]
        else:
            low, high = max(codes[0] for codes in sets), min(codes[-1] for codes in sets)
            found = found[(found >= low) & (found <= high)]
    return first.with_codes(found.reshape(-1, 1))
