"""datetime: making points in time and telling what they are."""

from __future__ import annotations

from datetime import datetime as clock_time
from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import integer, shape_from
from runmat_core.builtins.named import choice
from runmat_core.values import class_of, from_numpy, is_text, text, to_numpy
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.string import StringArray, texts_of
from runmat_core.values.time import civil, reading
from runmat_core.values.time.datetime import Datetime, of_parts

_OPTIONS = (
    "ConvertFrom",
    "Format",
    "InputFormat",
    "TimeZone",
    "Locale",
    "PivotYear",
    "Epoch",
    "TicksPerSecond",
)
_TEXT = (CharArray, StringArray, CellArray)


def _split(args: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Return the data and the options; the first text alone is data."""
    first = 1 if args and isinstance(args[0], _TEXT) and not _is_option(args) else 0
    at = next((k for k in range(first, len(args)) if is_text(args[k])), len(args))
    options: dict[str, Any] = {}
    rest = list(args[at:])
    if len(rest) % 2:
        raise MatlabError(
            "MATLAB:datetime:ParseErr"
            if len(rest) == 1 and at == 1
            else "MATLAB:datetime:InvalidOptions",
            "Option names and values come in pairs; a format is given as 'InputFormat', fmt.",
        )
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        options[choice(name, _OPTIONS, "datetime")] = value
    return list(args[:at]), options


def _is_option(args: tuple[Any, ...]) -> bool:
    """Whether the first argument is the name of an option: no data, but a pair."""
    return (
        len(args) == 2
        and is_text(args[0])
        and text(args[0]).lower() in ("timezone", "format", "locale")
    )


@builtin("datetime", family="time/datetimes", nargin=(0, None))
def datetime(*args: Any) -> Any:
    """Points in time.

    T = datetime, T = datetime('now'), 'today', 'yesterday', 'tomorrow'
    T = datetime(Y, M, D), datetime(Y, M, D, H, MI, S), datetime(Y, M, D, H, MI, S, MS)
    T = datetime(X) of a matrix with three or six columns
    T = datetime(text), datetime(text, 'InputFormat', fmt): fmt such as 'uuuu-MM-dd HH:mm:ss'
    T = datetime(X, 'ConvertFrom', kind): 'datenum', 'posixtime', 'excel', 'excel1904',
    'juliandate', 'modifiedjuliandate', 'yyyymmdd', 'epochtime'
    T = datetime(…, 'Format', fmt), 'TimeZone', 'PivotYear'

    Examples:
        >> t = datetime(2020, 2, 28) + days(0:2)
        t =
          1×3 datetime array
           28-Feb-2020   29-Feb-2020   01-Mar-2020
        >> datetime('2021-03-04 05:06:07', 'Format', 'dd.MM.uuuu HH:mm')
        ans =
          datetime
           04.03.2021 05:06
        >> datetime(1e9, 'ConvertFrom', 'posixtime')
        ans =
          datetime
           09-Sep-2001 01:46:40

    See also: duration, calendarDuration, year, between, dateshift, NaT.
    """
    data, options = _split(args)
    zone = text(options["TimeZone"]) if "TimeZone" in options else ""
    if zone and zone != "local":
        civil.zone_of(zone)
    form = text(options["InputFormat"]) if "InputFormat" in options else ""
    pivot = integer(options["PivotYear"]) if "PivotYear" in options else None
    if "ConvertFrom" in options:
        made = _converted(data, options, zone)
    elif data and isinstance(data[0], Datetime):
        made = data[0].zoned(zone) if "TimeZone" in options else data[0]
    elif data and isinstance(data[0], _TEXT):
        made = Datetime(_from_text(data[0], form, zone, pivot), "", zone)
    else:
        made = Datetime(civil.to_utc(_from_numbers(data), zone), "", zone)
    return made.formatted(text(options["Format"])) if "Format" in options else made


def _from_text(value: Any, form: str, zone: str, pivot: int | None) -> Any:
    word = text(value).lower() if is_text(value) else ""
    shifts = {"today": 0, "yesterday": -1, "tomorrow": 1}
    if word == "now":
        return civil.to_utc(_now(zone), zone)
    if word in shifts:
        day = np.floor(_now(zone) / civil.DAY) + shifts[word]
        return civil.to_utc(day * civil.DAY, zone)
    return reading.parse(texts_of(value), form, zone, pivot)


def _now(zone: str) -> Any:
    now = clock_time.now(civil.zone_of(zone) if zone else None)
    clock = (now.hour * 3600 + now.minute * 60 + now.second) * 1000 + now.microsecond / 1000
    days = civil.day_number(now.year, now.month, now.day)
    return np.array([[np.longdouble(days) * civil.DAY + clock]])


def _from_numbers(data: list[Any]) -> Any:
    """Local times of years, months and so on in arguments or in columns."""
    if not data:
        return _now("")
    if any(class_of(value) not in DTYPE for value in data):
        bad = next(value for value in data if class_of(value) not in DTYPE)
        raise MatlabError(
            "MATLAB:datetime:InvalidData",
            f"Input data must be one of the following: numeric, text, or datetime, not "
            f"{class_of(bad)}.",
        )
    arrays = [np.real(to_numpy(value)).astype(np.float64) for value in data]
    if len(arrays) == 1:
        table = arrays[0]
        if table.shape == (0, 0):
            return np.zeros((0, 0))
        if table.ndim != 2 or table.shape[1] not in (3, 6):
            raise MatlabError(
                "MATLAB:datetime:InvalidNumericData",
                "Numeric input data must be a matrix with three or six columns, or three, six, or "
                "seven separate numeric arrays. You can also create datetimes from a single "
                "numeric array using the 'ConvertFrom' parameter.",
            )
        arrays = [table[:, k : k + 1] for k in range(table.shape[1])]
    if len(arrays) not in (3, 6, 7):
        raise MatlabError(
            "MATLAB:datetime:InvalidNumericData",
            "Numeric input data must be a matrix with three or six columns, or three, six, or "
            "seven separate numeric arrays.",
        )
    sizes = {a.shape for a in arrays if a.size != 1}
    if len(sizes) > 1:
        raise MatlabError(
            "MATLAB:datetime:InputSizeMismatch",
            "Input arrays must be the same size, or any can be scalar.",
        )
    arrays += [np.zeros((1, 1))] * (6 - len(arrays))
    return of_parts(np.broadcast_arrays(*arrays))


#: The zero of each count of days, in milliseconds since 1970.
_DAY_ZERO = {
    "datenum": -civil.DATENUM_EPOCH * civil.DAY,
    "excel1904": -24107 * civil.DAY,
    "juliandate": -2440587.5 * civil.DAY,
    "modifiedjuliandate": -40587 * civil.DAY,
}
_KINDS = (*_DAY_ZERO, "excel", "posixtime", "yyyymmdd", "epochtime", ".net", "ntp", "ntfs")


def _converted(data: list[Any], options: dict[str, Any], zone: str) -> Datetime:
    """Numbers of some other count; those of a known zone are UTC."""
    numbers = np.real(to_numpy(data[0])).astype(np.longdouble)
    kind = choice(options["ConvertFrom"], _KINDS, "datetime").lower()
    if kind in _DAY_ZERO:
        times = numbers * civil.DAY + _DAY_ZERO[kind]
        # day numbers resolve about ten microseconds near today
        local = np.where(np.isfinite(times), np.round(times * 1000) / 1000, times)
        if kind in ("datenum", "excel1904"):
            return Datetime(civil.to_utc(local, zone), "", zone)
        return Datetime(local, "", zone)
    if kind == "excel":
        # day 60 of Excel is a 29 February 1900 that never was
        days = numbers - 25569 + (numbers < 60)
        local = np.round(days * civil.DAY * 1000) / 1000
        return Datetime(civil.to_utc(local, zone), "", zone)
    if kind == "yyyymmdd":
        parts = [np.floor(numbers / 10000), np.floor(numbers / 100) % 100, numbers % 100]
        return Datetime(civil.to_utc(of_parts([*parts, 0, 0, 0]), zone), "", zone)
    if kind == "posixtime":
        return Datetime(numbers * 1000, "", zone)
    if kind == "epochtime":
        return _epoch_time(numbers, options, zone)
    if kind == "ntp":
        return Datetime(numbers * 1000 - 25567 * civil.DAY, "", zone)
    zero = -719162 if kind == ".net" else -134774
    return Datetime(numbers / 10_000 + np.longdouble(zero) * civil.DAY, "", zone)


def _epoch_time(numbers: Any, options: dict[str, Any], zone: str) -> Datetime:
    ticks = to_numpy(options.get("TicksPerSecond", 1.0)).item()
    start: Any = np.longdouble(0)
    if "Epoch" in options:
        value = options["Epoch"]
        start = (
            value.codes if isinstance(value, Datetime) else reading.parse(texts_of(value), "", zone)
        )
    return Datetime(numbers / ticks * 1000 + start, "", zone)


@builtin("NaT", family="time/datetimes", nargin=(0, None), effects="pure")
def NaT(*args: Any) -> Any:
    """No point in time: what NaN is among numbers.

    NaT, NaT(N), NaT(M, N, …), NaT(SZ): an array of them
    NaT(…, 'Format', fmt, 'TimeZone', zone)

    Examples:
        >> [NaT datetime(2020, 1, 1)]
        ans =
          1×2 datetime array
           NaT           01-Jan-2020

    See also: isnat, datetime.
    """
    at = next((k for k, arg in enumerate(args) if is_text(arg)), len(args))
    options = {
        choice(name, ("Format", "TimeZone"), "NaT"): text(value)
        for name, value in zip(args[at::2], args[at + 1 :: 2], strict=False)
    }
    blank = np.full(shape_from(args[:at]), np.nan)
    return Datetime(blank, options.get("Format", ""), options.get("TimeZone", ""))


@builtin("isnat", family="time/datetimes", effects="pure")
def isnat(t: Any) -> Any:
    """Which elements of a datetime array are NaT.

    TF = isnat(T)

    Examples:
        >> isnat([NaT datetime(2020, 1, 1)])
        ans =
          1×2 logical array
           1   0

    See also: NaT, ismissing.
    """
    return from_numpy(_times("isnat", t).is_missing())


@builtin("isdatetime", family="time/datetimes", effects="pure")
def isdatetime(x: Any) -> Any:
    """Whether a value is a datetime array.

    TF = isdatetime(X)

    Examples:
        >> isdatetime(NaT)
        ans =
          logical
           1

    See also: datetime, isduration.
    """
    return isinstance(x, Datetime)


def _times(name: str, value: Any) -> Datetime:
    if not isinstance(value, Datetime):
        raise MatlabError(
            "MATLAB:UndefinedFunction",
            f"Undefined function '{name}' for input arguments of type '{class_of(value)}'.",
        )
    return value


def _number(name: str, value: Any, scale: float, zero: float, local: bool = False) -> Any:
    times = _times(name, value)
    codes = times.local() if local else times.codes
    return from_numpy(((codes - np.longdouble(zero)) / scale).astype(np.float64))


@builtin("posixtime", family="time/datetimes", effects="pure")
def posixtime(t: Any) -> Any:
    """Seconds since 1970 of points in time; those without zone count as UTC.

    P = posixtime(T)

    Examples:
        >> posixtime(datetime(1970, 1, 2))
        ans =
               86400

    See also: datetime, juliandate, exceltime.
    """
    return _number("posixtime", t, 1000.0, 0.0)


@builtin("juliandate", family="time/datetimes", nargin=(1, 2), effects="pure")
def juliandate(t: Any, kind: Any = None) -> Any:
    """Days since noon of 1 January 4713 BCE.

    JD = juliandate(T)
    MJD = juliandate(T, 'modifiedjuliandate')

    Examples:
        >> juliandate(datetime(2000, 1, 1, 12, 0, 0))
        ans =
             2451545

    See also: posixtime, datetime.
    """
    names = ("juliandate", "modifiedjuliandate")
    name = names[0] if kind is None else choice(kind, names, "juliandate")
    return _number("juliandate", t, float(civil.DAY), _DAY_ZERO[name])


@builtin("exceltime", family="time/datetimes", nargin=(1, 2), effects="pure")
def exceltime(t: Any, kind: Any = None) -> Any:
    """Day numbers as Excel counts them, from 1900 or from 1904.

    E = exceltime(T), E = exceltime(T, '1904')

    Examples:
        >> exceltime(datetime(2020, 1, 1))
        ans =
               43831

    See also: posixtime, juliandate, datetime.
    """
    year = "1900" if kind is None else choice(kind, ("1900", "1904"), "exceltime")
    zero = -25569 if year == "1900" else -24107
    return _number("exceltime", t, float(civil.DAY), float(zero * civil.DAY), local=True)


@builtin("yyyymmdd", family="time/datetimes", effects="pure")
def yyyymmdd(t: Any) -> Any:
    """Dates as numbers with the digits of year, month and day.

    D = yyyymmdd(T)

    Examples:
        >> yyyymmdd(datetime(2020, 1, 31))
        ans =
            20200131

    See also: ymd, datetime.
    """
    times = _times("yyyymmdd", t)
    parts = [times.part(name) for name in ("Year", "Month", "Day")]
    return from_numpy(parts[0] * 10000 + parts[1] * 100 + parts[2])


@builtin("timezones", family="time/datetimes", nargin=(0, 1))
def timezones(area: Any = None) -> Any:
    """The names of the time zones that datetime knows, a column of text.

    Z = timezones
    Z = timezones(AREA) of those in an area such as 'Europe'

    Examples:
        >> any(timezones('Europe') == "Europe/Zurich")
        ans =
          logical
           1

    See also: datetime, tzoffset.
    """
    from zoneinfo import available_timezones

    start = "" if area is None else f"{text(area)}/"
    names = sorted(name for name in available_timezones() if name.startswith(start))
    found = np.empty((len(names), 1), object)
    found[:, 0] = names
    return StringArray(found)
