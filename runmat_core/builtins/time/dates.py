"""datenum, datestr, datevec, weekday, eomday, addtodate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError, incompatible_sizes
from runmat_core.builtins.arguments import integer, numeric
from runmat_core.builtins.text.support import maybe_text, scalar_text, text_list
from runmat_core.builtins.time import serial
from runmat_core.values import CellArray, CharArray, StringArray, from_numpy, size_of
from runmat_core.values.char import char_rows
from runmat_core.values.time.duration import Duration

_TEXT = (CharArray, StringArray, CellArray)


def _doubles(value: Any, function: str) -> np.ndarray[Any, Any]:
    """Return the real array of a numeric argument."""
    return numeric(value, function).real.astype(float)


def _format(function: str, value: Any) -> str | None:
    if value is None:
        return None
    text = maybe_text(value)
    if text is not None:
        return text
    at = integer(value)
    if at == -1:
        return None
    if not 0 <= at < len(serial.FORMATS):
        raise MatlabError(f"MATLAB:{function}:UnknownFormat", f"Unknown date format number: {at}.")
    return serial.FORMATS[at]


def _parse(function: str, value: Any, format_: Any, pivot: Any) -> list[tuple[float, ...]]:
    """Return the dates in text arguments, each as six parts."""
    error = MatlabError(f"MATLAB:{function}:ConvertDateString", "The input must be text.")
    if pivot is None and not isinstance(format_, _TEXT) and format_ is not None:
        number = integer(format_)
        if number > 31:  # beyond the numbers of formats: a year
            format_, pivot = None, format_
    pattern = _format(function, format_)
    year = None if pivot is None else integer(pivot)
    found = []
    for text in text_list(value, error):
        parts = serial.read(text, pattern, year)
        if parts is None:
            raise MatlabError(
                f"MATLAB:{function}:ConvertDateString",
                f"Failed to convert from text to date number: '{text}' does not fit "
                + (f"the format '{pattern}'." if pattern else "any known format."),
            )
        found.append(parts)
    return found


def _numbers(parts: Any) -> np.ndarray[Any, Any]:
    """Return the serial numbers of rows of six parts."""
    table = np.array(parts, dtype=float).reshape(-1, 6)
    seconds = table[:, 3] * 3600 + table[:, 4] * 60 + table[:, 5]
    return serial.to_number(table[:, 0], table[:, 1], table[:, 2], seconds)


@builtin("datenum", family="time/dates", nargin=(1, 6), effects="pure")
def datenum(first: Any, *rest: Any) -> Any:
    """Serial date number: days since year 0.

    n = datenum(Y, M, D, H, MN, S) takes parts, scalars or arrays of one size.
    n = datenum([Y M D ...]) takes a date in each row.
    n = datenum(text, format, pivotYear) reads text; known formats are tried where none is given.

    Examples:
        >> datenum(2000, 1, 1)
        ans =
              730486
        >> datenum('2000-01-02', 'yyyy-mm-dd')
        ans =
              730487

    See also: datestr, datevec, now, clock.
    """
    if isinstance(first, _TEXT):
        options = (*rest, None, None)
        numbers = _numbers(_parse("datenum", first, options[0], options[1]))
        return from_numpy(numbers.reshape(-1, 1))
    if not rest:
        table = _doubles(first, "datenum")
        if table.ndim != 2 or not 3 <= table.shape[1] <= 6 or _are_numbers(table):
            return from_numpy(table.copy(order="F"))
        padded = np.zeros((table.shape[0], 6))
        padded[:, : table.shape[1]] = table
        return from_numpy(_numbers(padded).reshape(-1, 1))
    parts = [_doubles(part, "datenum") for part in (first, *rest)]
    parts += [np.asarray(1.0 if k < 3 else 0.0) for k in range(len(parts), 6)]
    shape = next((part.shape for part in parts if part.size != 1), (1, 1))
    try:
        parts = [np.broadcast_to(part if part.size != 1 else part.ravel(), shape) for part in parts]
    except ValueError:
        raise MatlabError(
            "MATLAB:datenum:SizeMismatch", "The parts of dates must be scalars or of one size."
        ) from None
    year, month, day, hour, minute, second = parts
    return from_numpy(
        np.asfortranarray(
            serial.to_number(year, month, day, hour * 3600 + minute * 60 + second)
        ).reshape(shape, order="F")
    )


def _are_numbers(table: np.ndarray[Any, Any]) -> bool:
    """Whether rows of three are serial numbers rather than dates."""
    return bool(table.shape[1] < 3 or ((table[:, 1] > 12).any() and (table[:, 0] > 10000).any()))


def _is_vector_table(table: np.ndarray[Any, Any]) -> bool:
    """Whether the rows are dates: 3 or 6 columns, with months and days that can be."""
    if table.ndim != 2 or table.shape[1] not in (3, 6) or not table.size:
        return False
    months, days = table[:, 1], table[:, 2]
    return bool(
        (table[:, 0] == np.floor(table[:, 0])).all()
        and ((months >= 1) & (months <= 12)).all()
        and ((days >= 0) & (days <= 31)).all()
    )


def _serials(function: str, value: Any, pivot: Any = None) -> np.ndarray[Any, Any]:
    """Return the serial numbers of any date argument, as a vector."""
    if isinstance(value, _TEXT):
        return _numbers(_parse(function, value, None, pivot))
    table = _doubles(value, function)
    if _is_vector_table(table):
        padded = np.zeros((table.shape[0], 6))
        padded[:, : table.shape[1]] = table
        return _numbers(padded)
    return table.ravel(order="F")


@builtin("datestr", family="time/dates", nargin=(1, 3))
def datestr(value: Any, format_: Any = None, pivot: Any = None) -> Any:
    """A date as text.

    s = datestr(D) takes serial numbers, rows of date parts, or text in a known format.
    s = datestr(D, format) takes a format such as 'yyyy-mm-dd HH:MM:SS' or a number from 0 to 31.

    Examples:
        >> datestr(730486.5)
        ans =
            '01-Jan-2000 12:00:00'
        >> datestr([2020 2 29], 'dddd, mmmm dd, yyyy')
        ans =
            'Saturday, February 29, 2020'

    See also: datenum, datevec, now, date.
    """
    numbers = _serials("datestr", value, pivot)
    pattern = _format("datestr", format_)
    if pattern is None:
        if (numbers == np.floor(numbers)).all():
            pattern = serial.FORMATS[1]
        elif (np.floor(numbers) == 0).all():
            pattern = serial.FORMATS[16]
        else:
            pattern = serial.FORMATS[0]
    return char_rows(serial.write_all(numbers, pattern))


@builtin("datevec", family="time/dates", nargin=(1, 3), nargout=6, needs=("nargout",))
def datevec(value: Any, format_: Any = None, pivot: Any = None, *, nargout: int) -> Any:
    """The parts of dates: year, month, day, hour, minute, second.

    V = datevec(D) has a row of six for each serial number or date in text.
    V = datevec(D) of durations has days, hours, minutes and seconds in its last four columns.
    V = datevec(text, format, pivotYear) reads text in a format; datevec(text, pivotYear).
    [Y, M, D, H, MN, S] = datevec(...) returns the parts as columns.

    Examples:
        >> datevec(730486.5)
        ans =
                2000           1           1          12           0           0

    See also: datenum, datestr, clock.
    """
    if isinstance(value, Duration):
        table = _parts_of_spans(value)
    elif isinstance(value, _TEXT):
        table = np.array(_parse("datevec", value, format_, pivot), dtype=float).reshape(-1, 6)
    else:
        numbers = _doubles(value, "datevec")
        if _is_vector_table(numbers) and numbers.shape[1] == 6:
            table = numbers
        else:
            table = serial.parts_of(numbers.ravel(order="F"))
    if nargout <= 1:
        return from_numpy(np.asfortranarray(table))
    return tuple(from_numpy(table[:, k].reshape(-1, 1).copy()) for k in range(nargout))


def _parts_of_spans(value: Any) -> NDArray[np.float64]:
    """Days, hours, minutes and seconds of durations, in the columns of dates."""
    spans = value.codes.ravel(order="F")
    size, table = np.abs(spans), np.zeros((spans.size, 6))
    parts = (86_400_000, np.inf), (3_600_000, 24), (60_000, 60)
    for column, (unit, most) in enumerate(parts, 2):
        table[:, column] = np.floor(size / unit) % most
    table[:, 5] = size % 60_000 / 1000
    return np.asarray(table * np.sign(spans)[:, None])


@builtin("weekday", family="time/dates", nargin=(1, 3), nargout=2, needs=("nargout",))
def weekday(value: Any, *options: Any, nargout: int) -> Any:
    """The day of the week of a date, 1 for Sunday.

    N = weekday(D)
    [N, name] = weekday(D, 'long') also returns its name, by default the short one.

    Examples:
        >> [n, name] = weekday(738000)
        n =
             3
        name =
            'Tue'

    See also: datenum, eomday.
    """
    numbers = _serials("weekday", value)
    days = [serial.weekday(float(number)) for number in numbers]
    shape: tuple[int, ...] = (len(days), 1)
    if not isinstance(value, _TEXT) and not _is_vector_table(_doubles(value, "weekday")):
        shape = size_of(value)
    result = from_numpy(np.array(days, dtype=float).reshape(shape, order="F"))
    if nargout < 2:
        return result
    long = any((maybe_text(option) or "").lower() == "long" for option in options)
    full = [serial.DAYS[int(day) - 1] if day == day else "NaN" for day in days]
    names = full if long else [name[:3] for name in full]
    return result, char_rows(names)


@builtin("eomday", family="time/dates", effects="pure")
def eomday(year: Any, month: Any) -> Any:
    """The number of days of a month.

    E = eomday(Y, M) takes scalars or arrays of one size.

    Examples:
        >> eomday(2024, 2)
        ans =
            29

    See also: datenum, weekday.
    """
    try:
        years, months = np.broadcast_arrays(_doubles(year, "eomday"), _doubles(month, "eomday"))
    except ValueError:
        raise incompatible_sizes() from None
    return from_numpy(
        np.asfortranarray(
            serial.to_number(years, months + 1, 1) - serial.to_number(years, months, 1)
        )
    )


@builtin("addtodate", family="time/dates", effects="pure")
def addtodate(value: Any, quantity: Any, unit: Any) -> Any:
    """A serial date number moved by a number of units.

    R = addtodate(D, n, unit) takes 'year', 'month', 'day', 'hour', 'minute', 'second' or
    'millisecond'. A day that the month does not have becomes its last.

    Examples:
        >> datestr(addtodate(datenum(2020, 1, 31), 1, 'month'))
        ans =
            '29-Feb-2020'

    See also: datenum, datestr.
    """
    error = MatlabError("MATLAB:addtodate:InputClass", "The unit must be text.")
    name = scalar_text(unit, error).lower()
    count = integer(quantity)
    lengths = {"day": 1.0, "hour": 24.0, "minute": 1440.0, "second": 86400.0, "millisecond": 864e5}

    def move(number: float) -> float:
        if name in lengths:
            return number + count / lengths[name]
        year, month, day, *_ = serial.to_parts(number)
        months = month - 1 + (count * 12 if name == "year" else count)
        year, month = year + months // 12, months % 12 + 1
        last = float(serial.to_number(year, month + 1, 1) - serial.to_number(year, month, 1))
        date = float(serial.to_number(year, month, min(day, last)))
        return date + number - math.floor(number)

    if name not in lengths and name not in ("year", "month"):
        raise MatlabError("MATLAB:addtodate:InputUnit", f"Unknown unit of time: '{name}'.")
    numbers = _doubles(value, "addtodate")
    moved = np.array([move(float(number)) for number in numbers.ravel(order="F")])
    return from_numpy(moved.reshape(numbers.shape, order="F"))
