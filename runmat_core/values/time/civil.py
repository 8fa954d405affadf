"""The proleptic Gregorian calendar and the clocks of time zones, on arrays of milliseconds.

Time is counted in milliseconds since 1970 in NumPy's long double, so that nanoseconds of our time
can be told apart where the machine has such a type. NaN stands for no time at all.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple

Times = NDArray[np.longdouble]
Whole = NDArray[np.int64]

DAY = 86_400_000

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

#: Days from 1 January of year 0 to 1970; serial date numbers begin a day earlier.
_SHIFT = 719468
DATENUM_EPOCH = 719529
#: The ordinal that Python gives 1 January 1970.
_ORDINAL = 719163
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Parts(NamedTuple):
    """Years, months, days and milliseconds of the day; what `known` leaves out means nothing."""

    year: Whole
    month: Whole
    day: Whole
    milliseconds: Times
    known: NDArray[np.bool_]


def day_number(year: Any, month: Any, day: Any) -> Any:
    """Days since 1970 of dates; months from 1 on run into the next years, others back."""
    months = np.asarray(month, np.int64) - 1
    year = np.asarray(year, np.int64) + months // 12
    month = months % 12 + 1
    year = year - (month <= 2)
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + np.where(month > 2, -3, 9)) + 2) // 5
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year + day - 1 - _SHIFT


def day_of(year: int, month: int, day: int) -> int:
    """`day_number` of one date."""
    if 1 <= year <= 9999 and (day <= 28 or day <= days_in(year, month)):
        return date(year, month, day).toordinal() - _ORDINAL
    return int(day_number(year, month, day))


def days_in(year: int, month: int) -> int:
    """How many days one month has."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _LENGTHS[month - 1]


def date_of(days: Whole) -> tuple[Whole, Whole, Whole]:
    """Year, month and day of days since 1970."""
    z = days + _SHIFT
    era = z // 146097
    of_era = z - era * 146097
    year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + np.where(shifted < 10, 3, -9)
    return year_of_era + era * 400 + (month <= 2), month, day


def parts(times: Times) -> Parts:
    """Return what calendar and clock show at local times."""
    known = np.isfinite(times)
    settled = np.where(known, times, 0)
    days = np.floor(settled / DAY).astype(np.int64)
    year, month, day = date_of(days)
    return Parts(year, month, day, settled - days.astype(np.longdouble) * DAY, known)


def month_length(year: Any, month: Any) -> Any:
    return day_number(year, np.asarray(month) + 1, 1) - day_number(year, month, 1)


def assembled(year: Any, month: Any, day: Any, milliseconds: Any) -> Times:
    """Local times of dates and milliseconds of the day; parts that are not finite give NaN.

    Days need not be whole; years and months are.
    """
    fields = [np.asarray(p, np.longdouble) for p in (year, month, day, milliseconds)]
    known = np.isfinite(sum(fields))
    year, month, day, clock = (np.where(np.isfinite(p), p, 1) for p in fields)
    whole = np.floor(day)
    days = day_number(year.astype(np.int64), month.astype(np.int64), whole.astype(np.int64))
    times = days.astype(np.longdouble) * DAY + (day - whole) * DAY + clock
    return np.where(known, times, sum(fields) if not known.all() else 0)


def plus_months(times: Times, months: Any) -> Times:
    """Local times moved by whole months; a day that the month lacks becomes its last."""
    now = parts(times)
    months = np.asarray(months)
    moved = now.month + np.where(np.isfinite(months), months, 0).astype(np.int64)
    day = np.minimum(now.day, month_length(now.year, moved))
    later = day_number(now.year, moved, day).astype(np.longdouble) * DAY + now.milliseconds
    return np.where(now.known & np.isfinite(months), later, np.nan).astype(np.longdouble)


# -- zones ---------------------------------------------------------------------------------------


@lru_cache
def zone_of(name: str) -> tzinfo:
    """Return the clock of a time zone: an IANA name, ``UTC``, ``local`` or an offset (``+01:00``).

    Raises:
        MatlabError: MATLAB:datetime:UnknownTimeZone.
    """
    if name in ("UTC", "UTCLeapSeconds"):
        return UTC
    if name == "local":
        return datetime.now().astimezone().tzinfo or UTC
    offset = _offset(name)
    if offset is not None:
        return timezone(offset)
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise MatlabError(
            "MATLAB:datetime:UnknownTimeZone",
            f"Unable to find '{name}' in the list of time zones.",
        ) from None


def _offset(name: str) -> timedelta | None:
    digits = name[1:].replace(":", "")
    if name[:1] not in ("+", "-") or not digits.isdigit() or len(digits) not in (2, 4):
        return None
    span = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return -span if name[0] == "-" else span


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Zones have no history outside these years, only rules.
_FIRST, _LAST = -62_135_596_800_000 + DAY, 253_402_300_799_000 - DAY


def offsets(times: Times, zone: str) -> Times:
    """Milliseconds that the clocks of a zone are ahead of UTC at moments of UTC."""
    if zone in ("", "UTC", "UTCLeapSeconds"):
        return np.zeros(times.shape, np.longdouble)
    clock = zone_of(zone)
    found = np.zeros(times.shape, np.longdouble)
    flat, out = times.ravel(), found.reshape(-1)
    for k, moment in enumerate(flat.tolist()):
        if moment == moment:
            seconds = min(max(float(moment), _FIRST), _LAST) / 1000
            ahead = (_EPOCH + timedelta(seconds=seconds)).astimezone(clock).utcoffset()
            out[k] = 0 if ahead is None else ahead.total_seconds() * 1000
    return found


def to_local(times: Times, zone: str) -> Times:
    """Return what the clocks of a zone show at moments of UTC.

    Times without zone are local already.
    """
    return times if zone in ("", "UTC") else times + offsets(times, zone)


def to_utc(times: Times, zone: str) -> Times:
    """Return the moments at which the clocks of a zone show `times`; skipped hours are moved on."""
    if zone in ("", "UTC"):
        return times
    first = times - offsets(times, zone)
    earlier = times - offsets(first - DAY, zone)
    # the earlier of two readings where an hour repeats
    fits = offsets(earlier, zone) == times - earlier
    later = times - offsets(first, zone)
    shown = offsets(later, zone) == times - later
    return np.where(fits | ~shown, earlier, later)


def is_daylight_saving(times: Times, zone: str) -> NDArray[np.bool_]:
    """Whether the clocks of a zone are put forward at moments of UTC."""
    found = np.zeros(times.shape, np.bool_)
    if not zone:
        return found
    clock = zone_of(zone)
    out = found.reshape(-1)
    for k, moment in enumerate(times.ravel().tolist()):
        if moment == moment:
            seconds = min(max(float(moment), _FIRST), _LAST) / 1000
            out[k] = bool((_EPOCH + timedelta(seconds=seconds)).astimezone(clock).dst())
    return found
