"""calendarDuration: caldays and its like, and the functions that take such spans apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.named import choice
from runmat_core.builtins.overloads import Call, overload
from runmat_core.builtins.time.durations import reals
from runmat_core.builtins.time.spans import to_cellstr, to_char, to_string
from runmat_core.values import class_of, from_numpy, is_text, text, texts, to_numpy
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.classes import DTYPE
from runmat_core.values.time.calendar import CalendarDuration
from runmat_core.values.time.duration import Duration

__all__ = ["to_cellstr", "to_char", "to_string"]


def _counted(name: str, value: Any, field: str, size: int, form: str) -> Any:
    """Numbers as calendar spans, and calendar spans as whole numbers of a unit."""
    if isinstance(value, CalendarDuration):
        return from_numpy(np.fix(value.codes[field] / size))
    if class_of(value) not in DTYPE:
        raise MatlabError(
            f"MATLAB:calendarDuration:{name}:InvalidData",
            f"Input data must be a numeric array or a calendarDuration array, not "
            f"{class_of(value)}.",
        )
    numbers = reals(value, "calendarDuration")
    if (np.isfinite(numbers) & (numbers != np.floor(numbers))).any():
        raise MatlabError(
            "MATLAB:calendarDuration:MustBeInteger", "Input data must be integer values."
        )
    return CalendarDuration.of(**{field: numbers * size}, form=form)


@builtin("calyears", family="time/calendar", effects="pure")
def calyears(x: Any) -> Any:
    """A calendar duration of so many years, or how many whole years one has.

    L = calyears(X), X = calyears(L)

    Examples:
        >> datetime(2020, 2, 29) + calyears(1)
        ans =
          datetime
           28-Feb-2021

    See also: calmonths, years, calendarDuration.
    """
    return _counted("calyears", x, "months", 12, "ymdt")


@builtin("calquarters", family="time/calendar", effects="pure")
def calquarters(x: Any) -> Any:
    """A calendar duration of so many quarters, or how many whole quarters one has.

    L = calquarters(X), X = calquarters(L)

    Examples:
        >> calmonths(calquarters(2))
        ans =
             6

    See also: calmonths, calyears, quarter.
    """
    return _counted("calquarters", x, "months", 3, "yqmdt")


@builtin("calmonths", family="time/calendar", effects="pure")
def calmonths(x: Any) -> Any:
    """A calendar duration of so many months, or how many one has.

    L = calmonths(X), X = calmonths(L)

    Examples:
        >> datetime(2020, 1, 31) + calmonths(1)
        ans =
          datetime
           29-Feb-2020
        >> calmonths(14) + caldays(3)
        ans =
          calendarDuration
           1y 2mo 3d

    See also: caldays, calyears, calendarDuration.
    """
    return _counted("calmonths", x, "months", 1, "ymdt")


@builtin("calweeks", family="time/calendar", effects="pure")
def calweeks(x: Any) -> Any:
    """A calendar duration of so many weeks, or how many whole weeks one has.

    L = calweeks(X), X = calweeks(L)

    Examples:
        >> caldays(calweeks(2))
        ans =
            14

    See also: caldays, calmonths, week.
    """
    return _counted("calweeks", x, "days", 7, "ymwdt")


@builtin("caldays", family="time/calendar", effects="pure")
def caldays(x: Any) -> Any:
    """A calendar duration of so many days, or how many one has.

    L = caldays(X), X = caldays(L)

    Days differ in length where clocks are put forward or back.

    Examples:
        >> datetime(2020, 2, 27) + caldays(1:3)
        ans =
          1×3 datetime array
           28-Feb-2020   29-Feb-2020   01-Mar-2020

    See also: days, calweeks, calendarDuration.
    """
    return _counted("caldays", x, "days", 1, "ymdt")


@builtin("calendarDuration", family="time/calendar", nargin=(0, 8), effects="pure")
def calendarDuration(*args: Any) -> Any:
    """Spans in units of the calendar, whose length depends on where they begin.

    L = calendarDuration(Y, M, D), L = calendarDuration(Y, M, D, H, MI, S)
    L = calendarDuration(Y, M, D, T) with a duration T
    L = calendarDuration(X) of a matrix with a span of [Y M D] or [Y M D H MI S] in each row
    L = calendarDuration(…, 'Format', fmt) with units such as 'ymdt' or 'mdt'

    Examples:
        >> calendarDuration(1, 2, 3)
        ans =
          calendarDuration
           1y 2mo 3d
        >> calendarDuration(0, 1, 0, 12, 30, 0)
        ans =
          calendarDuration
           1mo 12h 30m 0s

    See also: calyears, calmonths, caldays, between, split.
    """
    plain, form = list(args), ""
    if len(plain) >= 3 and is_text(plain[-2]):
        choice(plain[-2], ("Format",), "calendarDuration")
        form = text(plain[-1])
        plain = plain[:-2]
    if not plain:
        plain = [0.0, 0.0, 0.0]
    if len(plain) == 1:
        table = reals(plain[0], "calendarDuration")
        if table.ndim == 2 and table.shape[1] in (3, 6):
            plain = [from_numpy(np.asfortranarray(column.reshape(-1, 1))) for column in table.T]
    if len(plain) not in (3, 4, 6):
        raise MatlabError(
            "MATLAB:calendarDuration:InvalidInput",
            "Specify years, months and days, and then a duration or hours, minutes and seconds.",
        )
    ms: Any = np.zeros((1, 1))
    if len(plain) == 4:
        if not isinstance(plain[3], Duration):
            raise undefined_for("calendarDuration", class_of(plain[3]))
        ms = plain[3].codes
    else:
        for value, size in zip(plain[3:], (3_600_000.0, 60_000.0, 1000.0), strict=False):
            ms = broadcast(np.add, ms, reals(value, "calendarDuration") * size)
    year, month, day = (reals(value, "calendarDuration") for value in plain[:3])
    months = broadcast(np.add, year * 12, month)
    # sizes that do not fit are refused before they meet
    broadcast(np.add, broadcast(np.add, months, day), ms)
    made = CalendarDuration.of(months, day, ms)
    return made.formatted(form) if form else made


@builtin("iscalendarduration", family="time/calendar", effects="pure")
def iscalendarduration(x: Any) -> Any:
    """Whether a value is a calendarDuration array.

    TF = iscalendarduration(X)

    Examples:
        >> iscalendarduration(caldays(1))
        ans =
          logical
           1

    See also: calendarDuration, isduration, isdatetime.
    """
    return isinstance(x, CalendarDuration)


@builtin("time", family="time/calendar", effects="pure")
def time(span: Any) -> Any:
    """The part of a calendar duration that is a time of day.

    D = time(L)

    Examples:
        >> time(calmonths(1) + hours(5))
        ans =
          duration
           05:00:00

    See also: split, calendarDuration, timeofday.
    """
    if not isinstance(span, CalendarDuration):
        raise undefined_for("time", class_of(span))
    return Duration(span.fields()[2])


@overload("split")
def split_span(call: Call, span: Any, units: Any) -> Any:
    """``[m, d, t] = split(L, {'months', 'days', 'time'})``; greater units take theirs first."""
    names = ("years", "quarters", "months", "weeks", "days", "time")
    wanted = [choice(value, names, "split") for value in _each(units)]
    if not wanted:
        raise MatlabError("MATLAB:calendarDuration:InvalidComponents", "Name at least one unit.")
    months, days, ms = span.fields()
    found: dict[str, Any] = {}
    for name, size in (("years", 12), ("quarters", 3), ("months", 1)):
        if name in wanted:
            found[name] = np.fix(months / size)
            months = months - found[name] * size
    for name, size in (("weeks", 7), ("days", 1)):
        if name in wanted:
            found[name] = np.fix(days / size)
            days = days - found[name] * size
    found["time"] = ms
    outputs = tuple(
        Duration(found[name]) if name == "time" else from_numpy(found[name]) for name in wanted
    )
    return outputs if call.nargout > 1 else outputs[0]


def _each(units: Any) -> list[Any]:
    from runmat_core.values import char

    return [char(word) for word in texts(units)]


@overload("isnan", "isinf", "isfinite")
def as_numbers(call: Call, value: Any) -> Any:
    return call.original(1, from_numpy(sum(value.fields())))


@overload("ismissing")
def is_missing(call: Call, value: Any) -> Any:
    return from_numpy(value.is_missing())


@overload("sum", "cumsum")
def total(call: Call, value: Any, *args: Any) -> Any:
    sums = [to_numpy(call.original(1, from_numpy(f), *args)) for f in value.fields()]
    return value.with_fields(*sums)
