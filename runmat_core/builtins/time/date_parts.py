"""The parts of points in time: years, months, days, hours, weeks, names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import undefined_for
from runmat_core.builtins.named import choice
from runmat_core.values import class_of, from_numpy
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import PARTS, Datetime
from runmat_core.values.time.duration import Duration


def times_of(name: str, value: Any) -> Datetime:
    """Return a datetime argument.

    Raises:
        MatlabError: MATLAB:UndefinedFunction, it is something else.
    """
    if not isinstance(value, Datetime):
        raise undefined_for(name, class_of(value))
    return value


def _known(now: civil.Parts, numbers: Any) -> Any:
    return from_numpy(np.where(now.known, numbers, np.nan).astype(np.float64))


def _names(times: Datetime, names: list[str | None]) -> CellArray:
    texts = [CharArray("NaT" if name is None else name) for name in names]
    return CellArray(object_array(texts, times.shape))


@builtin("year", family="time/date parts", nargin=(1, 2), effects="pure")
def year(t: Any, kind: Any = None) -> Any:
    """The year of points in time.

    Y = year(T)
    Y = year(T, 'gregorian') is 0 for the year before 1

    Examples:
        >> year(datetime(2020, 5, 6))
        ans =
                2020

    See also: month, day, ymd, quarter.
    """
    times = times_of("year", t)
    if kind is not None and choice(kind, ("ISO", "gregorian"), "year") == "gregorian":
        return from_numpy(np.abs(times.part("Year")))
    return from_numpy(times.part("Year"))


@builtin("quarter", family="time/date parts", effects="pure")
def quarter(t: Any) -> Any:
    """The quarter of the year of points in time.

    Q = quarter(T)

    Examples:
        >> quarter(datetime(2020, [1 5 12], 1))
        ans =
             1     2     4

    See also: month, year, dateshift.
    """
    return from_numpy(np.ceil(times_of("quarter", t).part("Month") / 3))


@builtin("month", family="time/date parts", nargin=(1, 2), effects="pure")
def month(t: Any, kind: Any = None) -> Any:
    """The month of points in time.

    M = month(T)
    M = month(T, 'name'), month(T, 'shortname'): a cell array of names

    Examples:
        >> month(datetime(2020, 5, 6))
        ans =
             5
        >> month(datetime(2020, 5, 6), 'name')
        ans =
          1×1 cell array
            {'May'}

    See also: year, day, quarter.
    """
    times = times_of("month", t)
    kinds = ("monthofyear", "name", "shortname")
    which = kinds[0] if kind is None else choice(kind, kinds, "month")
    if which == kinds[0]:
        return from_numpy(times.part("Month"))
    return _names(times, times.words("MMMM" if which == "name" else "MMM"))


@builtin("week", family="time/date parts", nargin=(1, 2), effects="pure")
def week(t: Any, kind: Any = None) -> Any:
    """The week of the year of points in time; weeks begin on Sundays.

    W = week(T)
    W = week(T, 'weekofmonth'), week(T, 'iso-weekofyear')

    Examples:
        >> week(datetime(2020, 1, [1 5 12]))
        ans =
             1     2     3

    See also: day, weekday, month.
    """
    times = times_of("week", t)
    kinds = ("weekofyear", "weekofmonth", "iso-weekofyear")
    which = kinds[0] if kind is None else choice(kind, kinds, "week")
    now = civil.parts(times.local())
    days = civil.day_number(now.year, now.month, now.day)
    if which == "iso-weekofyear":
        # the week belongs to the year of its Thursday
        thursday = days - (days + 3) % 7 + 3
        of_year, _, _ = civil.date_of(thursday)
        return _known(now, (thursday - civil.day_number(of_year, 1, 1)) // 7 + 1)
    start = civil.day_number(now.year, 1 if which == kinds[0] else now.month, 1)
    return _known(now, (days - start + (start + 4) % 7) // 7 + 1)


_DAYS = ("dayofmonth", "dayofweek", "iso-dayofweek", "dayofyear", "name", "shortname")


@builtin("day", family="time/date parts", nargin=(1, 2), effects="pure")
def day(t: Any, kind: Any = None) -> Any:
    """The day of points in time, of the month unless said otherwise.

    D = day(T)
    D = day(T, 'dayofweek'): 1 for Sunday; 'iso-dayofweek': 1 for Monday; 'dayofyear'
    D = day(T, 'name'), day(T, 'shortname'): a cell array of names

    Examples:
        >> day(datetime(2020, 3, 1), 'dayofyear')
        ans =
            61
        >> day(datetime(2020, 3, 1), 'name')
        ans =
          1×1 cell array
            {'Sunday'}

    See also: weekday, month, week, isweekend.
    """
    times = times_of("day", t)
    which = _DAYS[0] if kind is None else choice(kind, _DAYS, "day")
    if which in ("name", "shortname"):
        return _names(times, times.words("eeee" if which == "name" else "eee"))
    now = civil.parts(times.local())
    days = civil.day_number(now.year, now.month, now.day)
    rules: dict[str, Callable[[], Any]] = {
        "dayofmonth": lambda: now.day,
        "dayofweek": lambda: (days + 4) % 7 + 1,
        "iso-dayofweek": lambda: (days + 3) % 7 + 1,
        "dayofyear": lambda: days - civil.day_number(now.year, 1, 1) + 1,
    }
    return _known(now, rules[which]())


@builtin("hour", family="time/date parts", effects="pure")
def hour(t: Any) -> Any:
    """The hour of points in time.

    H = hour(T)

    Examples:
        >> hour(datetime(2020, 1, 1, 13, 30, 0))
        ans =
            13

    See also: minute, second, hms, timeofday.
    """
    return from_numpy(times_of("hour", t).part("Hour"))


@builtin("minute", family="time/date parts", effects="pure")
def minute(t: Any) -> Any:
    """The minute of points in time.

    M = minute(T)

    Examples:
        >> minute(datetime(2020, 1, 1, 13, 30, 0))
        ans =
            30

    See also: hour, second, hms.
    """
    return from_numpy(times_of("minute", t).part("Minute"))


@builtin("second", family="time/date parts", nargin=(1, 2), effects="pure")
def second(t: Any, kind: Any = None) -> Any:
    """The second of points in time, with its fraction.

    S = second(T)
    S = second(T, 'secondofday')

    Examples:
        >> second(datetime(2020, 1, 1, 13, 30, 12.5))
        ans =
           12.5000

    See also: hour, minute, hms.
    """
    times = times_of("second", t)
    kinds = ("secondofminute", "secondofday")
    if kind is not None and choice(kind, kinds, "second") == kinds[1]:
        now = civil.parts(times.local())
        return _known(now, now.milliseconds / 1000)
    return from_numpy(times.part("Second"))


@builtin("ymd", family="time/date parts", nargout=3, needs=("nargout",), effects="pure")
def ymd(t: Any, *, nargout: int = 1) -> Any:
    """Year, month and day of points in time.

    [Y, M, D] = ymd(T)

    Examples:
        >> [y, m, d] = ymd(datetime(2020, 5, 6));
        >> [y m d]
        ans =
                2020           5           6

    See also: hms, year, month, day.
    """
    times = times_of("ymd", t)
    found = tuple(from_numpy(times.part(name)) for name in PARTS[: max(nargout, 1)])
    return found if nargout > 1 else found[0]


@builtin("hms", family="time/date parts", nargout=3, needs=("nargout",), effects="pure")
def hms(t: Any, *, nargout: int = 1) -> Any:
    """Hour, minute and second of points in time or of durations.

    [H, M, S] = hms(T)

    Examples:
        >> [h, m, s] = hms(duration(26, 3, 4.5))
        h =
            26
        m =
             3
        s =
            4.5000

    See also: ymd, hour, minute, second.
    """
    if isinstance(t, Duration):
        size = np.abs(t.codes)
        sign = np.sign(t.codes)
        parts = [np.floor(size / 3_600_000), np.floor(size / 60_000) % 60, size % 60_000 / 1000]
        parts = [sign * part for part in parts]
    else:
        parts = [times_of("hms", t).part(name) for name in PARTS[3:]]
    found = tuple(map(from_numpy, parts[: max(nargout, 1)]))
    return found if nargout > 1 else found[0]


@builtin("timeofday", family="time/date parts", effects="pure")
def timeofday(t: Any) -> Any:
    """The time since midnight as a duration.

    D = timeofday(T)

    Examples:
        >> timeofday(datetime(2020, 1, 1, 13, 30, 0))
        ans =
          duration
           13:30:00

    See also: hms, dateshift, duration.
    """
    times = times_of("timeofday", t)
    now = civil.parts(times.local())
    return Duration(np.where(now.known, now.milliseconds, np.nan).astype(np.float64))


@builtin("isweekend", family="time/date parts", effects="pure")
def isweekend(t: Any) -> Any:
    """Which points in time are on a Saturday or a Sunday.

    TF = isweekend(T)

    Examples:
        >> isweekend(datetime(2020, 5, 1:3))
        ans =
          1×3 logical array
           0   1   1

    See also: weekday, day.
    """
    times = times_of("isweekend", t)
    now = civil.parts(times.local())
    days = civil.day_number(now.year, now.month, now.day)
    return from_numpy(now.known & ((days + 4) % 7 % 6 == 0))


@builtin("isdst", family="time/date parts", effects="pure")
def isdst(t: Any) -> Any:
    """Which points in time are in daylight saving time of their zone.

    TF = isdst(T)

    Examples:
        >> isdst(datetime(2020, [1 7], 1, 'TimeZone', 'Europe/Zurich'))
        ans =
          1×2 logical array
           0   1

    See also: tzoffset, datetime.
    """
    times = times_of("isdst", t)
    return from_numpy(civil.is_daylight_saving(times.codes, times.zone))


@builtin("tzoffset", family="time/date parts", nargout=2, needs=("nargout",), effects="pure")
def tzoffset(t: Any, *, nargout: int = 1) -> Any:
    """How far the clocks of a zone are ahead of UTC, as durations.

    D = tzoffset(T)
    [D, DST] = tzoffset(T) also tells how much of it is daylight saving time

    Examples:
        >> tzoffset(datetime(2020, 7, 1, 'TimeZone', 'Europe/Zurich'))
        ans =
          duration
           02:00

    See also: isdst, timezones, datetime.
    """
    times = times_of("tzoffset", t)
    ahead = civil.offsets(times.codes, times.zone).astype(np.float64)
    if not times.zone:
        ahead = np.full(times.shape, np.nan)
    offset = Duration(ahead, "hh:mm")
    if nargout < 2:
        return offset
    daylight = civil.is_daylight_saving(times.codes, times.zone)
    return offset, Duration(np.where(daylight, 3_600_000.0, 0.0), "hh:mm")
