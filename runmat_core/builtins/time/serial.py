"""Serial date numbers: days since year 0, the day 1 being 1 January of year 0."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.tuples import NamedTuple

Doubles = NDArray[np.float64]

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_BEFORE = np.array([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334], dtype=float)

#: What datestr's format numbers stand for.
FORMATS = (
    "dd-mmm-yyyy HH:MM:SS",
    "dd-mmm-yyyy",
    "mm/dd/yy",
    "mmm",
    "m",
    "mm",
    "mm/dd",
    "dd",
    "ddd",
    "d",
    "yyyy",
    "yy",
    "mmmyy",
    "HH:MM:SS",
    "HH:MM:SS PM",
    "HH:MM",
    "HH:MM PM",
    "QQ-YY",
    "QQ",
    "dd/mm",
    "dd/mm/yy",
    "mmm.dd,yyyy HH:MM:SS",
    "mmm.dd,yyyy",
    "mm/dd/yyyy",
    "dd/mm/yyyy",
    "yy/mm/dd",
    "yyyy/mm/dd",
    "QQ-YYYY",
    "mmmyyyy",
    "yyyy-mm-dd",
    "yyyymmddTHHMMSS",
    "yyyy-mm-dd HH:MM:SS",
)

_TOKEN = re.compile(r"yyyy|YYYY|yy|YY|QQ|mmmm|mmm|mm|m|dddd|ddd|dd|d|HH|MM|SS|FFF|AM|PM")


#: Days beyond this cannot be told apart.
_LAST_DAY = 1e15


def is_leap(year: Any) -> Any:
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def to_number(year: Any, month: Any, day: Any, seconds: Any = 0.0) -> Doubles:
    """Return serial numbers of dates; months beyond 12 run into the next years, as days do."""
    year, month, day = (np.asarray(part, dtype=float) for part in (year, month, day))
    known = np.isfinite(year) & np.isfinite(month)
    year, month = np.where(known, year, 0.0), np.maximum(np.where(known, month, 1.0), 1.0)
    year = year + np.floor((month - 1) / 12)
    month = np.mod(month - 1, 12)
    whole = np.floor(month).astype(int)
    after_february = is_leap(year) & (whole >= 2)
    days = 365 * year + np.ceil(year / 4) - np.ceil(year / 100) + np.ceil(year / 400)
    days = days + _BEFORE[whole] + after_february + day
    return np.asarray(np.where(known, days + np.asarray(seconds, dtype=float) / 86400, np.nan))


def to_parts(number: float) -> tuple[float, ...]:
    """Year, month, day, hour, minute and second of a serial number; NaN where there is none."""
    found: list[float] = parts_of(np.array([number]))[0].tolist()
    return tuple(found)


def parts_of(numbers: Doubles) -> Doubles:
    """Return a row of year, month, day, hour, minute and second for each serial number."""
    known = np.abs(numbers) < _LAST_DAY
    numbers = np.where(known, numbers, 1.0)
    days = np.floor(numbers)
    seconds = 86400 * (numbers - days)
    # a serial number near today resolves about 1e-5 s: what is that close to a millisecond is one
    nearest = np.round(seconds * 1000) / 1000
    close = np.abs(seconds - nearest) < np.maximum(2e-5, 86400 * np.spacing(np.abs(numbers)))
    seconds = np.where(close, nearest, seconds)
    days = days + (seconds >= 86400)
    seconds = np.where(seconds >= 86400, 0.0, seconds)
    year = np.floor((days - 1) / 365.2425)
    while (late := days > to_number(year, 12, 31)).any():
        year = year + late
    while (early := days < to_number(year, 1, 1)).any():
        year = year - early
    of_year = days - to_number(year, 1, 1) + 1
    ends = _BEFORE[1:] + (is_leap(year)[:, None] & (np.arange(1, 12) >= 2))
    month = 1.0 + (of_year[:, None] > ends).sum(axis=1)
    day = days - to_number(year, month, 1) + 1
    hour = np.floor(seconds / 3600)
    minute = np.floor((seconds - 3600 * hour) / 60)
    second = np.round(seconds - 3600 * hour - 60 * minute, 9)
    rows = np.stack([year, month, day, hour, minute, second], axis=1)
    rows[~known] = np.nan
    return rows


def of_datetime(moment: datetime) -> float:
    seconds = moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6
    return float(to_number(moment.year, moment.month, moment.day, seconds))


def weekday(number: float) -> float:
    """1 for Sunday to 7 for Saturday; NaN where the number is not finite."""
    return (math.floor(number) - 2) % 7 + 1.0 if math.isfinite(number) else math.nan


def write(number: float, format_: str) -> str:
    """Return a serial number as text in a format such as ``yyyy-mm-dd HH:MM:SS``."""
    return write_all(np.array([number]), format_)[0]


def write_all(numbers: Doubles, format_: str) -> list[str]:
    """Each serial number as text in a format."""
    known = np.abs(numbers) < _LAST_DAY
    if "FFF" not in format_:
        # without FFF the time is cut to whole seconds after rounding off milliseconds
        numbers = np.where(known, np.round(np.where(known, numbers, 0) * 86400e3) / 86400e3, np.nan)
    rows = zip(numbers.tolist(), parts_of(numbers).tolist(), known.tolist(), strict=True)
    return [_written(number, parts, format_) if told else "NaN" for number, parts, told in rows]


def _written(number: float, parts: list[float], format_: str) -> str:
    year, month, day, hour, minute, second = parts
    milliseconds = int(np.floor((second - np.floor(second)) * 1000 + 0.5))
    half_days = "AM" in format_ or "PM" in format_
    clock = (hour - 1) % 12 + 1 if half_days else hour

    def token(match: re.Match[str]) -> str:
        name = match[0]
        if name in ("yyyy", "YYYY"):
            return f"{int(year):04d}"
        texts: dict[str, Callable[[], str]] = {
            "yy": lambda: f"{int(year) % 100:02d}",
            "YY": lambda: f"{int(year) % 100:02d}",
            "QQ": lambda: f"Q{(int(month) - 1) // 3 + 1}",
            "mmmm": lambda: MONTHS[int(month) - 1],
            "mmm": lambda: MONTHS[int(month) - 1][:3],
            "mm": lambda: f"{int(month):02d}",
            "m": lambda: MONTHS[int(month) - 1][:1],
            "dddd": lambda: DAYS[int(weekday(number)) - 1],
            "ddd": lambda: DAYS[int(weekday(number)) - 1][:3],
            "dd": lambda: f"{int(day):02d}",
            "d": lambda: DAYS[int(weekday(number)) - 1][:1],
            "HH": lambda: f"{int(clock):2d}" if half_days else f"{int(clock):02d}",
            "MM": lambda: f"{int(minute):02d}",
            "SS": lambda: f"{int(second):02d}",
            "FFF": lambda: f"{milliseconds:03d}",
            "AM": lambda: "PM" if hour >= 12 else "AM",
            "PM": lambda: "PM" if hour >= 12 else "AM",
        }
        return texts[name]()

    return _TOKEN.sub(token, format_)


class _Reader(NamedTuple):
    pattern: str
    field: str


_READERS = {
    "yyyy": _Reader(r"\d{4}", "year"),
    "YYYY": _Reader(r"\d{4}", "year"),
    "yy": _Reader(r"\d{2}", "short_year"),
    "YY": _Reader(r"\d{2}", "short_year"),
    "QQ": _Reader(r"Q[1-4]", "quarter"),
    "mmmm": _Reader("|".join(MONTHS), "month_name"),
    "mmm": _Reader("|".join(name[:3] for name in MONTHS), "month_name"),
    "mm": _Reader(r"\d{1,2}", "month"),
    "m": _Reader(r"[JFMASOND]", "initial"),
    "dddd": _Reader("|".join(DAYS), "day_name"),
    "ddd": _Reader("|".join(name[:3] for name in DAYS), "day_name"),
    "dd": _Reader(r"\d{1,2}", "day"),
    "d": _Reader(r"[SMTWF]", "day_initial"),
    "HH": _Reader(r"\s?\d{1,2}", "hour"),
    "MM": _Reader(r"\d{2}", "minute"),
    "SS": _Reader(r"\d{2}(?:\.\d+)?", "second"),
    "FFF": _Reader(r"\d{1,3}", "millisecond"),
    "AM": _Reader(r"[AP]M", "half"),
    "PM": _Reader(r"[AP]M", "half"),
}

_DATES = (
    *("dd-mmm-yyyy", "yyyy-mm-dd", "yyyy/mm/dd", "mm/dd/yyyy", "mm/dd/yy", "dd-mmm-yy"),
    *("mmm-dd-yyyy", "mmm-dd-yy", "dd mmm yyyy", "mmm dd yyyy", "mmm dd, yyyy", "mmmm dd, yyyy"),
    "mmm.dd,yyyy",
)
_HOURS = ("HH:MM:SS", "HH:MM:SS PM", "HH:MM", "HH:MM PM")

#: Tried in turn where no format is given.
_KNOWN = (
    *_DATES,
    *(f"{date} {hours}" for date in _DATES for hours in _HOURS),
    *("yyyy-mm-ddTHH:MM:SS", "mmm-yyyy", "mmmyy", "mm/dd", "yyyymmddTHHMMSS", *_HOURS, "yyyy"),
)


def read(text: str, format_: str | None, pivot: int | None = None) -> tuple[float, ...] | None:
    """Year, month, day, hour, minute and second of a date in text; None where it does not fit."""
    for candidate in [format_] if format_ is not None else _KNOWN:
        found = _read(text.strip(), candidate, pivot)
        if found is not None:
            return found
    return None


@lru_cache(256)
def _reading(format_: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return what text in a format looks like, and which fields its groups are."""
    fields: list[str] = []
    pieces, last = [], 0
    for match in _TOKEN.finditer(format_):
        reader = _READERS[match[0]]
        pieces.append(re.escape(format_[last : match.start()]) + f"({reader.pattern})")
        fields.append(reader.field)
        last = match.end()
    pieces.append(re.escape(format_[last:]))
    return re.compile("".join(pieces), re.IGNORECASE), tuple(fields)


def _read(text: str, format_: str, pivot: int | None) -> tuple[float, ...] | None:
    pattern, fields = _reading(format_)
    found = pattern.fullmatch(text)
    if found is None:
        return None
    return _date(dict(zip(fields, found.groups(), strict=False)), pivot)


def _date(found: dict[str, str], pivot: int | None) -> tuple[float, ...]:
    today = datetime.now()
    only_time = not {"year", "short_year", "month", "month_name", "day"} & found.keys()
    year = float(found.get("year", today.year))
    if "short_year" in found:
        first = today.year - 50 if pivot is None else pivot
        year = float(first + (int(found["short_year"]) - first) % 100)
    month = 1.0
    if only_time:
        month = 1.0
    elif "month" in found:
        month = float(found["month"])
    elif "month_name" in found:
        month = 1.0 + [name[:3].lower() for name in MONTHS].index(found["month_name"][:3].lower())
    elif "quarter" in found:
        month = 3.0 * int(found["quarter"][1]) - 2
    hour = float(found.get("hour", 0))
    if "half" in found:
        hour = hour % 12 + (12 if found["half"].upper() == "PM" else 0)
    second = float(found.get("second", 0)) + float(found.get("millisecond", 0)) / 1000
    return year, month, float(found.get("day", 1)), hour, float(found.get("minute", 0)), second
