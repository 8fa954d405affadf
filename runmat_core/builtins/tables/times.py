"""Subscripts for times, regularity, and rows moved in time."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.named import choice
from runmat_core.builtins.tables.timetables import timetable_of_arg
from runmat_core.builtins.time.date_shifts import ENDS, UNITS, unit_start, unit_stepped
from runmat_core.values import class_of, is_text, text
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.display_matrix import Shown
from runmat_core.values.object import ObjectValue
from runmat_core.values.tables.frame import Rows, put_rows, rows_of_blanks, take_rows
from runmat_core.values.tables.stepping import step_of
from runmat_core.values.tables.timetable import Timetable
from runmat_core.values.time import civil
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import UNIT, Duration


class TimeSubscript(ObjectValue):
    """A subscript for the rows of a timetable; it has no parts to read."""

    __slots__ = ()
    data: Any

    def rows_in(self, times: Datetime | Duration) -> Rows:
        """Return the rows that it selects of those with `times`."""
        raise NotImplementedError

    def said(self) -> str:
        """Return what it selects, in words."""
        raise NotImplementedError

    def shown(self, name: str, fmt: DisplayFormat) -> Shown:
        return Shown(f"    {self.said()}\n", f"  {self.class_name} subscript:", is_object=True)


def _word(value: Any) -> str:
    if isinstance(value, Datetime | Duration):
        return value.shown_texts()[0]
    return text(value) if is_text(value) else f"{float(value):g}"


class TimeRange(TimeSubscript):
    """All times between two ends."""

    __slots__ = ()
    class_name = "timerange"
    data: tuple[Any, Any, str]

    def __init__(self, low: Any, high: Any, kind: str) -> None:
        self.data = (low, high, kind)

    def ends(self, times: Datetime | Duration) -> tuple[Any, Any]:
        """Both ends as codes of `times`."""
        low, high, _ = self.data
        return _code(low, times), _code(high, times)

    def rows_in(self, times: Datetime | Duration) -> Rows:
        with_low, with_high = ENDS[self.data[2]]
        codes = times.codes.ravel()
        first, last = self.ends(times)
        inside = (codes >= first) if with_low else (codes > first)
        inside &= (codes <= last) if with_high else (codes < last)
        return np.flatnonzero(inside)

    def said(self) -> str:
        low, high, kind = self.data
        with_low, with_high = ENDS[kind]
        opening, closing = "[" if with_low else "(", "]" if with_high else ")"
        return f"Select timetable rows with times in the {_named(kind)} interval:\n      " + (
            f"{opening}{_word(low)}, {_word(high)}{closing}"
        )


def _named(kind: str) -> str:
    low, high = ENDS[kind]
    return "closed" if low and high else "half-open" if low or high else "open"


def _code(end: Any, times: Datetime | Duration) -> Any:
    """Return an end as a code of `times`; infinite ones are beyond all of them."""
    if isinstance(end, float) and np.isinf(end):
        return end
    adopted = times.adopt(end)
    if adopted.codes.size != 1:
        raise _bad_range()
    return adopted.codes.item()


def _bad_range() -> MatlabError:
    return MatlabError(
        "MATLAB:timerange:InvalidTimes",
        "Start and end of a time range must be scalars: datetimes, durations or texts of them.",
    )


@builtin("timerange", family="tables/times", nargin=(2, 3))
def timerange(low: Any, high: Any, kind: Any = None) -> Any:
    """A subscript for the rows of a timetable between two times.

    S = timerange(T1, T2): from T1 up to T2, without T2; they may be -Inf and Inf
    S = timerange(T1, T2, kind): 'openright', 'openleft', 'open' or 'closed'
    S = timerange(T, unit): the whole 'year', 'quarter', 'month', 'week', 'day', 'hour', 'minute'
    or 'second' that T is in; also 'years' and so on

    Examples:
        >> TT = timetable(hours((0:3)'), (1:4)');
        >> TT(timerange(hours(1), hours(3)), :).Var1'
        ans =
             2     3

    See also: withtol, timetable, isbetween, vartype.
    """
    if kind is None and is_text(high) and text(high).lower().removesuffix("s") in UNITS:
        time = Datetime([[0.0]]).adopt(low) if is_text(low) else low
        if not isinstance(time, Datetime) or time.codes.size != 1:
            raise _bad_range()
        unit = text(high).lower().removesuffix("s")
        start = unit_start(time.local(), unit)
        end = unit_stepped(start, unit, np.array([[1.0]]))
        return TimeRange(time.with_local(start), time.with_local(end), "openright")
    for end in (low, high):
        if not (isinstance(end, Datetime | Duration | float) or is_text(end)):
            raise _bad_range()
    names = "openright" if kind is None else choice(kind, tuple(ENDS), "timerange")
    return TimeRange(low, high, names)


class WithTolerance(TimeSubscript):
    """Times near others."""

    __slots__ = ()
    class_name = "withtol"
    data: tuple[Any, Any]

    def __init__(self, times: Any, tolerance: Any) -> None:
        self.data = (times, tolerance)

    def rows_in(self, times: Datetime | Duration) -> Rows:
        wanted, tolerance = self.data
        targets = np.unique(times.adopt(wanted).codes.ravel(order="F"))
        codes = times.codes.ravel()
        if not targets.size:
            return np.zeros(0, np.intp)
        after = np.searchsorted(targets, codes)
        above = targets[np.clip(after, None, targets.size - 1)]
        below = targets[np.clip(after - 1, 0, None)]
        gap = np.minimum(np.abs(above - codes), np.abs(codes - below))
        return np.flatnonzero(gap <= tolerance.codes.item())

    def said(self) -> str:
        _, tolerance = self.data
        return f"Select timetable rows with times within {_word(tolerance)} of those given."


@builtin("withtol", family="tables/times")
def withtol(times: Any, tolerance: Any) -> Any:
    """A subscript for the rows of a timetable whose times are near others.

    S = withtol(times, tol): tol is a duration

    Examples:
        >> TT = timetable(seconds([0; 1.001; 2]), [5; 6; 7]);
        >> TT(withtol(seconds(1), seconds(0.01)), :).Var1
        ans =
             6

    See also: timerange, timetable.
    """
    if not (isinstance(times, Datetime | Duration) or is_text(times)):
        raise MatlabError(
            "MATLAB:withtol:InvalidRowTimes", "Times must be a datetime or duration vector."
        )
    if not isinstance(tolerance, Duration) or tolerance.codes.size != 1:
        raise MatlabError(
            "MATLAB:withtol:InvalidTolerance", "The tolerance must be a duration scalar."
        )
    return WithTolerance(times, tolerance)


@builtin("isregular", family="tables/times", nargin=(1, 2), nargout=2, needs=("nargout",))
def isregular(t: Any, unit: Any = None, *, nargout: int = 1) -> Any:
    """Whether times follow each other at one step.

    TF = isregular(TT) of a timetable, isregular(T) of a datetime or duration vector
    TF = isregular(TT, unit): 'time', or 'days', 'weeks', 'months', 'quarters' or 'years' of the
    calendar
    [TF, dt] = isregular(…): the step, NaN where there is none

    Examples:
        >> isregular(timetable(seconds([1; 2; 4]), [1; 2; 3]))
        ans =
          logical
           0
        >> [~, dt] = isregular(datetime(2020, (1:3)', 1), 'months')
        dt =
          calendarDuration
           1mo

    See also: retime, timetable, caldiff.
    """
    times = t.times if isinstance(t, Timetable) else t
    if not isinstance(times, Datetime | Duration):
        raise undefined_for("isregular", class_of(t))
    units = ("time", "days", "weeks", "months", "quarters", "years")
    name = "time" if unit is None else choice(unit, units, "isregular")
    step = step_of(times) if name == "time" else _calendar_step(times, name)
    if isinstance(step, CalendarDuration) and name == "time":
        step = Duration([[np.nan]])
    found = bool(np.isfinite(sum(_parts(step))))
    return (found, step)[:nargout] if nargout > 1 else found


def _parts(step: Any) -> list[float]:
    if isinstance(step, CalendarDuration):
        return [float(field.item()) for field in step.fields()]
    return [float(step.codes.item())]


def _calendar_step(times: Datetime | Duration, unit: str) -> Any:
    """Return the step in whole units of the calendar, NaN where there is none."""
    none = CalendarDuration.of(np.nan)
    if not isinstance(times, Datetime) or times.codes.size < 2 or times.is_missing().any():
        return none
    if unit in ("days", "weeks"):
        size = UNIT["d"] * (7 if unit == "weeks" else 1)
        gaps = np.diff(times.local().ravel()) / size
        whole = gaps[0] == np.round(gaps[0]) and (gaps == gaps[0]).all() and gaps[0] != 0
        days = float(gaps[0]) * size / UNIT["d"]
        return CalendarDuration.of(days=days) if whole else none
    step = step_of(times.with_codes(times.codes.reshape(-1, 1)))
    months = _parts(step)[0] if isinstance(step, CalendarDuration) else _month_gap(times)
    size = {"months": 1, "quarters": 3, "years": 12}[unit]
    return CalendarDuration.of(months) if months and months % size == 0 else none


def _month_gap(times: Datetime) -> float:
    """Months between times that are the same number of days apart as well; 0 for no whole ones."""
    local = times.local().ravel()
    now = civil.parts(local)
    months = now.year * 12 + now.month
    gap = float(months[1] - months[0])
    steps = np.arange(local.size) * gap
    moved = civil.plus_months(np.full(local.size, local[0]), steps)
    return gap if (moved == local).all() else 0.0


@builtin("lag", family="tables/times", nargin=(1, 2))
def lag(tt: Any, count: Any = None) -> Any:
    """A timetable with its variables moved in time.

    TT2 = lag(TT): one row down; the times stay, what comes in is missing
    TT2 = lag(TT, n), lag(TT, dt): n rows, or a duration of so many steps; negative ones move up

    The times must be regular and in order.

    Examples:
        >> lag(timetable(hours((1:3)'), [5; 6; 7])).Var1'
        ans =
           NaN     5     6

    See also: retime, synchronize, isregular, circshift.
    """
    table = timetable_of_arg("lag", tt)
    step = step_of(table.times)
    if not np.isfinite(sum(_parts(step))) and table.shape[0] > 1:
        raise MatlabError(
            "MATLAB:timetable:lag:NotRegular",
            "The timetable must be regular. Use RETIME to make it so.",
        )
    shift = 1 if count is None else _rows_of(count, step)
    height = table.shape[0]
    shift = max(-height, min(height, shift))
    kept = np.arange(max(shift, 0), height + min(shift, 0))
    columns = {}
    for name, value in table.data.columns.items():
        column = rows_of_blanks(value, height)
        columns[name] = put_rows(column, kept, take_rows(value, kept - shift))
    return table.with_columns(columns)


def _rows_of(count: Any, step: Any) -> int:
    """So many rows, or a span of so many steps."""
    if not isinstance(count, Duration | CalendarDuration):
        return integer(count, "The number of rows")
    have, size = _parts(count), _parts(step)
    if type(count) is type(step) and count.codes.size == 1:
        for one, other in zip(have, size, strict=True):
            if other and abs(one / other - round(one / other)) < 1e-9:
                return round(one / other)
    raise MatlabError(
        "MATLAB:timetable:lag:NotAMultiple",
        "The time to move by must be a multiple of the step between rows.",
    )
