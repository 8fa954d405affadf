"""Spans of fixed length: duration, and numbers of seconds, minutes, hours, days and years."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.named import choice
from runmat_core.values import class_of, from_numpy, is_text, text, to_numpy
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.time.duration import UNIT, Duration, parse_span


def reals(value: Any, class_name: str = "duration") -> Any:
    """Return the real numbers of an argument as doubles.

    Raises:
        MatlabError: it holds something else.
    """
    if class_of(value) not in DTYPE:
        raise MatlabError(
            f"MATLAB:{class_name}:InvalidData",
            f"Input data must be numeric, not {class_of(value)}.",
        )
    numbers = to_numpy(value)
    if numbers.dtype.kind == "c":
        raise MatlabError(f"MATLAB:{class_name}:DataMustBeReal", "Input data must be real.")
    return numbers.astype(np.float64)


def _counted(name: str, unit: str, value: Any) -> Any:
    """Numbers as spans of a unit, and spans as numbers of it."""
    size = 1.0 if unit == "ms" else UNIT[unit]
    if isinstance(value, Duration):
        return from_numpy(value.codes / size)
    if class_of(value) not in DTYPE:
        raise MatlabError(
            f"MATLAB:duration:{name}:InvalidData",
            f"Input data must be a numeric array or a duration array, not {class_of(value)}.",
        )
    return Duration(reals(value) * size, "s" if unit == "ms" else unit)


@builtin("milliseconds", family="time/durations", effects="pure")
def milliseconds(x: Any) -> Any:
    """A duration of so many milliseconds, or how many a duration has.

    D = milliseconds(X) for numbers
    X = milliseconds(D) for a duration

    Examples:
        >> milliseconds(seconds(2))
        ans =
                2000

    See also: seconds, duration.
    """
    return _counted("milliseconds", "ms", x)


@builtin("seconds", family="time/durations", effects="pure")
def seconds(x: Any) -> Any:
    """A duration of so many seconds, or how many a duration has.

    D = seconds(X) for numbers
    X = seconds(D) for a duration

    Examples:
        >> seconds([1 90])
        ans =
          1×2 duration array
            1 sec   90 sec
        >> seconds(minutes(2))
        ans =
           120

    See also: minutes, hours, milliseconds, duration.
    """
    return _counted("seconds", "s", x)


@builtin("minutes", family="time/durations", effects="pure")
def minutes(x: Any) -> Any:
    """A duration of so many minutes, or how many a duration has.

    D = minutes(X) for numbers
    X = minutes(D) for a duration

    Examples:
        >> minutes(5) + seconds(30)
        ans =
          duration
           5.5 min

    See also: seconds, hours, duration.
    """
    return _counted("minutes", "m", x)


@builtin("hours", family="time/durations", effects="pure")
def hours(x: Any) -> Any:
    """A duration of so many hours, or how many a duration has.

    D = hours(X) for numbers
    X = hours(D) for a duration

    Examples:
        >> hours(days(2))
        ans =
            48

    See also: minutes, days, duration.
    """
    return _counted("hours", "h", x)


@builtin("days", family="time/durations", effects="pure")
def days(x: Any) -> Any:
    """A duration of so many days of 24 hours, or how many a duration has.

    D = days(X) for numbers
    X = days(D) for a duration

    Examples:
        >> days(1:2)
        ans =
          1×2 duration array
            1 day   2 days

    See also: hours, years, caldays, duration.
    """
    return _counted("days", "d", x)


@builtin("years", family="time/durations", effects="pure")
def years(x: Any) -> Any:
    """A duration of so many years of 365.2425 days, or how many a duration has.

    D = years(X) for numbers
    X = years(D) for a duration

    Examples:
        >> days(years(1))
        ans =
          365.2425

    See also: days, calyears, duration.
    """
    return _counted("years", "y", x)


def _options(args: tuple[Any, ...]) -> tuple[list[Any], dict[str, str]]:
    """Return the arguments before the first option, and the options."""
    names = ("Format", "InputFormat")
    plain = list(args)
    found: dict[str, str] = {}
    while (
        len(plain) >= 3
        and is_text(plain[-2])
        and text(plain[-2]).lower()
        in (
            "format",
            "inputformat",
        )
    ):
        found[choice(plain[-2], names, "duration")] = text(plain[-1])
        plain = plain[:-2]
    return plain, found


@builtin("duration", family="time/durations", nargin=(0, None), effects="pure")
def duration(*args: Any) -> Any:
    """Spans of time of fixed length.

    D = duration(H, MI, S) of hours, minutes and seconds; D = duration(H, MI, S, MS)
    D = duration(X) of a matrix with a span of [H MI S] in each row
    D = duration(text) of text such as '01:30:00' or '2:01:30:00'
    D = duration(…, 'Format', fmt): 'y', 'd', 'h', 'm', 's', 'dd:hh:mm:ss', 'hh:mm:ss', 'mm:ss' or
    'hh:mm', with '.S' for digits of a second
    D = duration(text, 'InputFormat', fmt)

    Examples:
        >> d = duration(1, 30, 0)
        d =
          duration
           01:30:00
        >> d.Format = 'm'
        d =
          duration
           90 min
        >> [d; 2 * d]
        ans =
          2×1 duration array
            90 min
           180 min

    See also: hours, minutes, seconds, datetime, isduration.
    """
    if not args:
        return Duration(0.0)
    plain, options = _options(args)
    made = _made(plain, options.get("InputFormat", ""))
    return made.formatted(options["Format"]) if "Format" in options else made


def _made(args: list[Any], input_format: str) -> Duration:
    if len(args) == 1:
        (value,) = args
        if isinstance(value, Duration):
            return value
        if isinstance(value, CharArray | StringArray | CellArray):
            return _read(value, input_format)
        table = reals(value)
        if table.ndim != 2 or table.shape[1] != 3:
            raise MatlabError(
                "MATLAB:duration:InvalidInput",
                "Numeric input data must be a matrix with three columns, or three or four "
                "separate numeric arrays. You can also create durations from a single numeric "
                "array using the YEARS, DAYS, HOURS, MINUTES, or SECONDS function.",
            )
        return Duration((table @ np.array([3_600_000.0, 60_000.0, 1000.0])).reshape(-1, 1))
    if len(args) not in (3, 4) or any(class_of(arg) not in DTYPE for arg in args):
        raise MatlabError(
            "MATLAB:duration:InvalidInput",
            "Invalid data. Specify hours, minutes and seconds, and milliseconds if needed, as "
            "numeric arrays.",
        )
    total: Any = np.zeros((1, 1))
    for value, size in zip(args, (3_600_000.0, 60_000.0, 1000.0, 1.0), strict=False):
        total = broadcast(np.add, total, reals(value) * size)
    return Duration(total)


def _read(value: Any, input_format: str) -> Duration:
    words = texts_of(value)
    found = np.full(words.shape, np.nan, order="F")
    bad, read_any = None, False
    for place, word in np.ndenumerate(words):
        span = np.nan if word is MISSING or not word.strip() else parse_span(word, input_format)
        read_any = read_any or span is not None
        bad = word if span is None and bad is None else bad
        found[place] = np.nan if span is None else span
    if bad is not None and not read_any:
        raise MatlabError(
            "MATLAB:duration:DataMismatchedFormat"
            if input_format
            else "MATLAB:duration:UnrecognizedFormat",
            f"Unable to convert the text '{bad}' to a duration value.",
        )
    return Duration(found, input_format if input_format.startswith(("dd", "mm")) else "hh:mm:ss")


@builtin("isduration", family="time/durations", effects="pure")
def isduration(x: Any) -> Any:
    """Whether a value is a duration array.

    TF = isduration(X)

    Examples:
        >> isduration(hours(1))
        ans =
          logical
           1

    See also: duration, isdatetime, iscalendarduration.
    """
    return isinstance(x, Duration)
