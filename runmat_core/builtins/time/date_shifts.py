"""Moving points in time to starts and ends of units, and what lies between two of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import dimension, first_axis
from runmat_core.builtins.named import choice
from runmat_core.builtins.time.date_parts import times_of
from runmat_core.values import class_of, is_text, text, texts, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.time import civil
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import UNIT

UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
_CLOCK = {"day": UNIT["d"], "hour": UNIT["h"], "minute": UNIT["m"], "second": UNIT["s"]}
_MONTHS = {"year": 12, "quarter": 3, "month": 1}


def unit_start(local: Any, unit: str) -> Any:
    """Local times moved back to the start of the unit that they are in."""
    if unit in _CLOCK:
        return np.floor(local / _CLOCK[unit]) * _CLOCK[unit]
    now = civil.parts(local)
    if unit == "week":
        days = civil.day_number(now.year, now.month, now.day)
        start = days - (days + 4) % 7
    else:
        size = _MONTHS[unit]
        start = civil.day_number(now.year, (now.month - 1) // size * size + 1, 1)
    return np.where(now.known, start.astype(np.longdouble) * civil.DAY, local)


def unit_stepped(start: Any, unit: str, count: Any) -> Any:
    """Start of units moved by so many units."""
    if unit in _MONTHS:
        return civil.plus_months(*np.broadcast_arrays(start, count * _MONTHS[unit]))
    return start + count * (7 * UNIT["d"] if unit == "week" else _CLOCK[unit])


@builtin("dateshift", family="time/shifts", nargin=(3, 4), effects="pure")
def dateshift(t: Any, where: Any, unit: Any, rule: Any = None) -> Any:
    """Points in time moved to the start or end of a unit, or to a day of the week.

    T2 = dateshift(T, 'start', unit), dateshift(T, 'end', unit): unit is 'year', 'quarter',
    'month', 'week', 'day', 'hour', 'minute' or 'second'
    T2 = dateshift(T, 'start', unit, rule): 'current', 'next', 'previous', 'nearest', or a number
    T2 = dateshift(T, 'dayofweek', day): day is a name, a number from 1 for Sunday, 'weekday' or
    'weekend'

    Examples:
        >> dateshift(datetime(2020, 2, 10, 5, 6, 7), 'end', 'month')
        ans =
          datetime
           29-Feb-2020
        >> dateshift(datetime(2020, 2, 10), 'dayofweek', 'Friday')
        ans =
          datetime
           14-Feb-2020

    See also: between, caldays, datetime.
    """
    times = times_of("dateshift", t)
    how = choice(where, ("start", "end", "dayofweek"), "dateshift")
    local = times.local()
    if how == "dayofweek":
        return times.with_local(_day_of_week(local, unit, rule))
    name = choice(unit, UNITS, "dateshift")
    start = unit_start(local, name)

    def moved(count: Any) -> Any:
        if how == "start":
            return unit_stepped(start, name, count)
        # the end of a date's unit is its last day, that of a clock's unit the next start
        end = unit_stepped(start, name, count + 1)
        return end - UNIT["d"] if name in (*_MONTHS, "week") else end

    word = text(rule).lower() if is_text(rule) else ""
    if word == "nearest":
        now = moved(np.zeros((1, 1)))
        options = [moved(np.full((1, 1), float(step))) for step in (-1, 0, 1)]
        best = now
        for option in options:
            best = np.where(np.abs(option - local) < np.abs(best - local), option, best)
        return times.with_local(best)
    steps = {"": 0.0, "current": 0.0, "next": 1.0, "previous": -1.0}
    if rule is None or (word in steps and is_text(rule)):
        return times.with_local(moved(np.full((1, 1), steps[word])))
    if is_text(rule):
        raise MatlabError(
            "MATLAB:datetime:dateshift:InvalidRule",
            "Rule must be 'current', 'next', 'previous', 'nearest' or whole numbers.",
        )
    return times.with_local(moved(to_numpy(rule).astype(np.float64)))


def _day_of_week(local: Any, day: Any, rule: Any) -> Any:
    """Return the next day of that name, or the same day where it is one already."""
    wanted = _wanted_days(day)
    now = civil.parts(local)
    days = civil.day_number(now.year, now.month, now.day)
    weekday = (days + 4) % 7
    ahead = np.min(np.stack([(one - weekday) % 7 for one in wanted]), axis=0)
    behind = np.min(np.stack([(weekday - one) % 7 for one in wanted]), axis=0)
    word = text(rule).lower() if is_text(rule) else ""
    if word == "previous":
        shift = -np.where(behind == 0, 7 if len(wanted) == 1 else 1, behind)
    elif word == "nearest":
        shift = np.where(behind < ahead, -behind, ahead)
    elif rule is not None and not is_text(rule):
        count = to_numpy(rule)
        shift = np.where(count >= 0, ahead + 7 * (count - (count > 0)), -behind + 7 * (count + 1))
    else:
        shift = np.where((ahead == 0) & (word == "next"), 0, ahead)
    return np.where(now.known, local + shift * UNIT["d"], local)


def _wanted_days(day: Any) -> list[int]:
    if not is_text(day):
        return [int(to_numpy(day).item()) - 1]
    name = text(day).lower()
    if name in ("weekday", "weekend"):
        return [1, 2, 3, 4, 5] if name == "weekday" else [0, 6]
    full = choice(day, civil.DAYS, "dateshift")
    return [civil.DAYS.index(full)]


# -- between ---------------------------------------------------------------------------------------


_SPANS = ("years", "quarters", "months", "weeks", "days", "time")


def _between(first: Datetime, last: Datetime, units: list[str]) -> CalendarDuration:
    """Return the calendar spans from points in time to others, in units of decreasing length."""
    start, stop = np.broadcast_arrays(first.local(), last.local())
    sign = np.where(stop < start, -1, 1)
    months: Any = np.zeros(start.shape)
    if {"years", "quarters", "months"} & set(units):
        a, b = civil.parts(start), civil.parts(stop)
        months = ((b.year - a.year) * 12 + b.month - a.month).astype(np.float64)
        beyond = sign * (stop - civil.plus_months(start, months)) < 0
        months = np.where(beyond, months - sign, months)
        size = 1 if "months" in units else 3 if "quarters" in units else 12
        months = np.fix(months / size) * size
    rest = stop - civil.plus_months(start, months)
    days = np.zeros(start.shape)
    if {"weeks", "days"} & set(units):
        size = 1 if "days" in units else 7
        days = np.fix(rest / (size * UNIT["d"])).astype(np.float64) * size
    clock = rest - days * UNIT["d"] if "time" in units else np.zeros(start.shape)
    unknown = np.isnan(start + stop)
    spans: Any = [
        np.where(unknown, np.nan, part.astype(np.float64)) for part in (months, days, clock)
    ]
    form = "y" + ("q" if "quarters" in units else "") + "m" + ("w" if "weeks" in units else "")
    return CalendarDuration.of(*spans, form=f"{form if 'years' in units else form[1:]}dt")


def _units(value: Any) -> list[str]:
    if value is None:
        return ["years", "months", "days", "time"]
    from runmat_core.values import char

    names = [choice(char(word), _SPANS, "between") for word in texts(value)]
    return sorted(names, key=_SPANS.index)


@builtin("between", family="time/shifts", nargin=(2, 3), effects="pure")
def between(a: Any, b: Any, units: Any = None) -> Any:
    """What lies between two points in time, in units of the calendar.

    L = between(T1, T2)
    L = between(T1, T2, units): 'years', 'quarters', 'months', 'weeks', 'days', 'time', or several

    Examples:
        >> between(datetime(2020, 1, 31), datetime(2021, 3, 1))
        ans =
          calendarDuration
           1y 1mo 1d
        >> between(datetime(2020, 1, 1), datetime(2020, 3, 1), 'days')
        ans =
          calendarDuration
           60d

    See also: caldiff, calendarDuration, dateshift.
    """
    model = a if isinstance(a, Datetime) else times_of("between", b)
    return _between(model.adopt(a), model.adopt(b), _units(units))


@builtin("caldiff", family="time/shifts", nargin=(1, 3), effects="pure")
def caldiff(t: Any, units: Any = None, dim: Any = None) -> Any:
    """What lies between neighbouring points in time, in units of the calendar.

    L = caldiff(T)
    L = caldiff(T, units), caldiff(T, units, DIM)

    Examples:
        >> caldiff(datetime(2020, [1 2 4], 1))
        ans =
          1×2 calendarDuration array
           1mo   2mo

    See also: between, diff.
    """
    times = times_of("caldiff", t)
    axis = first_axis(times.shape) if dim is None else dimension(dim)
    count = times.shape[axis] if axis < len(times.shape) else 1
    first = np.take(times.codes, range(max(count - 1, 0)), axis=axis)
    last = np.take(times.codes, range(1, count), axis=axis)
    return _between(times.with_codes(first), times.with_codes(last), _units(units))


#: Which ends an interval has, by its kind: the lower and the upper.
ENDS = {
    "closed": (True, True),
    "open": (False, False),
    "openleft": (False, True),
    "closedright": (False, True),
    "openright": (True, False),
    "closedleft": (True, False),
}


@builtin("isbetween", family="time/shifts", nargin=(3, 4), effects="pure")
def isbetween(t: Any, low: Any, high: Any, kind: Any = None) -> Any:
    """Which elements lie between two others.

    TF = isbetween(T, T1, T2) includes the ends; T is a datetime, a duration, or numbers
    TF = isbetween(T, T1, T2, kind): 'closed', 'open', 'openleft', 'openright'

    Examples:
        >> isbetween(datetime(2020, 1, 1:4), datetime(2020, 1, 2), datetime(2020, 1, 3))
        ans =
          1×4 logical array
           0   1   1   0

    See also: between, dateshift.
    """
    from runmat_core.values import and_, ge, gt, le, lt

    if not isinstance(t, ArrayObject) and class_of(t) in ("cell", "struct", "function_handle"):
        raise undefined_for("isbetween", class_of(t))
    left, right = ENDS["closed" if kind is None else choice(kind, tuple(ENDS), "isbetween")]
    above = ge(t, low) if left else gt(t, low)
    return and_(above, le(t, high) if right else lt(t, high))
