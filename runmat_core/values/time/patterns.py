"""Formats of dates such as ``dd-MMM-uuuu HH:mm:ss``: writing and reading text by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.api.tuples import NamedTuple
from runmat_core.values.time import civil

_TOKEN = re.compile(r"'(?:[^']|'')*'|([a-zA-Z])\1*|[^a-zA-Z']+")

DATE = "dd-MMM-uuuu"
DATE_TIME = "dd-MMM-uuuu HH:mm:ss"

#: Tried in turn on text without a given format; the clock that may follow a date is optional.
_DATES = (
    *("dd-MMM-uuuu", "uuuu-MM-dd", "uuuu/MM/dd", "MM/dd/uuuu", "dd.MM.uuuu", "dd MMM uuuu"),
    *(
        "MMM dd, uuuu",
        "MMMM dd, uuuu",
        "MMM-dd-uuuu",
        "dd-MMMM-uuuu",
        "dd MMMM uuuu",
        "MMM dd uuuu",
    ),
    *("MM-dd-uuuu", "MMM-uuuu", "uuuu-MM"),
)
_CLOCKS = ("", " HH:mm:ss", " HH:mm:ss.S", " HH:mm", " hh:mm:ss a", " hh:mm a")
_ISO = ("'T'HH:mm:ss", "'T'HH:mm:ss.S", "'T'HH:mm", "'T'HH:mm:ssXXX", "'T'HH:mm:ss.SXXX")
KNOWN = (
    *(date + clock for date in _DATES for clock in _CLOCKS),
    *(f"uuuu-MM-dd{clock}" for clock in _ISO),
    *("uuuuMMdd'T'HHmmss", "HH:mm:ss", "eee MMM dd HH:mm:ss uuuu"),
)


class Moment(NamedTuple):
    """What one text says: a local time in milliseconds and the offset it names, if any."""

    milliseconds: float
    seconds: float
    offset: str


def tokens(form: str) -> list[str]:
    """Return the fields and literal texts of a format."""
    return [match[0] for match in _TOKEN.finditer(form)]


def literal(token: str) -> str | None:
    """Return the text that a part of a format stands for as it is; None for a field."""
    if token[0] == "'":
        return token[1:-1].replace("''", "'") or "'"
    return None if token[0].isalpha() else token


@lru_cache(256)
def check(form: str) -> str:
    """`form` itself.

    Raises:
        MatlabError: MATLAB:datetime:UnrecognizedFormat, a letter of it means nothing.
    """
    for token in tokens(form):
        if literal(token) is None and token[0] not in _WRITERS:
            raise MatlabError(
                "MATLAB:datetime:UnsupportedSymbol",
                f"The date format '{form}' contains the unsupported symbol '{token[0]}'.",
            )
    return form


# -- writing -------------------------------------------------------------------------------------


class Fields(NamedTuple):
    """One point in time, taken apart for writing."""

    year: int
    month: int
    day: int
    nanoseconds: int  # of the day
    weekday: int  # 0 for Sunday
    of_year: int
    offset: int  # milliseconds ahead of UTC
    zone: str


def _zone_text(fields: Fields, letter: str, count: int) -> str:
    minutes = fields.offset // 60000
    if letter == "X" and minutes == 0:
        return "Z"
    if letter in "zZ" and count == 4:
        return f"GMT{_hours(minutes, ':')}" if minutes else "GMT"
    if letter == "z":
        return fields.zone if minutes == 0 and fields.zone == "UTC" else f"UTC{_short(minutes)}"
    if letter == "Z":
        return _hours(minutes, ":" if count == 5 else "")
    return _hours(minutes, "")[: 3 if count == 1 else 5] if count < 3 else _hours(minutes, ":")


def _hours(minutes: int, between: str) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}{between}{abs(minutes) % 60:02d}"


def _short(minutes: int) -> str:
    if not minutes:
        return ""
    tail = f":{abs(minutes) % 60:02d}" if minutes % 60 else ""
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60}{tail}"


def _year(value: int, count: int) -> str:
    if count == 2:
        return f"{value % 100:02d}"
    return f"{value:0{count + (value < 0)}d}"


def _month(fields: Fields, count: int) -> str:
    name = civil.MONTHS[fields.month - 1]
    if count < 3:
        return f"{fields.month:0{count}d}"
    return name if count == 4 else name[:3] if count == 3 else name[0]


def _day_name(fields: Fields, count: int) -> str:
    name = civil.DAYS[fields.weekday]
    if count < 3:
        return f"{fields.weekday + 1:0{count}d}"
    return name if count == 4 else name[:3] if count == 3 else name[0]


def _quarter(fields: Fields, count: int) -> str:
    quarter = (fields.month + 2) // 3
    if count < 3:
        return f"{quarter:0{count}d}"
    return f"Q{quarter}" if count == 3 else ("1st", "2nd", "3rd", "4th")[quarter - 1] + " quarter"


def _week(fields: Fields, count: int) -> str:
    first = (fields.weekday - fields.of_year + 1) % 7
    return f"{(fields.of_year - 1 + first) // 7 + 1:0{count}d}"


_HOUR = 3_600_000_000_000
_WRITERS: dict[str, Callable[[Fields, int], str]] = {
    "u": lambda f, n: _year(f.year, n),
    "y": lambda f, n: _year(f.year if f.year > 0 else 1 - f.year, n),
    "G": lambda f, n: "CE" if f.year > 0 else "BCE",
    "Q": _quarter,
    "q": _quarter,
    "M": _month,
    "L": _month,
    "W": lambda f, n: str((f.day - 1 + (f.weekday - f.day + 1) % 7) // 7 + 1),
    "w": _week,
    "d": lambda f, n: f"{f.day:0{n}d}",
    "D": lambda f, n: f"{f.of_year:0{n}d}",
    "e": _day_name,
    "E": lambda f, n: _day_name(f, max(n, 3)),
    "a": lambda f, n: "PM" if f.nanoseconds >= 12 * _HOUR else "AM",
    "H": lambda f, n: f"{f.nanoseconds // _HOUR:0{n}d}",
    "h": lambda f, n: f"{(f.nanoseconds // _HOUR + 11) % 12 + 1:0{n}d}",
    "m": lambda f, n: f"{f.nanoseconds // 60_000_000_000 % 60:0{n}d}",
    "s": lambda f, n: f"{f.nanoseconds // 1_000_000_000 % 60:0{n}d}",
    "S": lambda f, n: f"{f.nanoseconds % 1_000_000_000:09d}"[:n].ljust(n, "0"),
    "z": lambda f, n: _zone_text(f, "z", n),
    "Z": lambda f, n: _zone_text(f, "Z", n),
    "x": lambda f, n: _zone_text(f, "x", n),
    "X": lambda f, n: _zone_text(f, "X", n),
}


def write(local: civil.Times, offsets: civil.Times, form: str, zone: str) -> list[str | None]:
    """Local times as text by a format, in column-major order; None for what is no time."""
    pieces = tokens(check(form))
    texts = [literal(piece) for piece in pieces]
    flat, ahead = local.ravel(order="F"), offsets.ravel(order="F")
    now = civil.parts(flat)
    days = civil.day_number(now.year, now.month, now.day)
    of_year = days - civil.day_number(now.year, 1, 1) + 1
    # noise of arithmetic below a nanosecond must not cut a digit off
    nano = np.floor(now.milliseconds * 1_000_000 + 0.5).astype(np.int64)
    found: list[str | None] = []
    for k in range(flat.size):
        if not now.known[k]:
            value = float(flat[k])
            found.append(None if value != value else "Inf" if value > 0 else "-Inf")
            continue
        fields = Fields(
            int(now.year[k]),
            int(now.month[k]),
            int(now.day[k]),
            min(int(nano[k]), 24 * _HOUR - 1),
            int((days[k] + 4) % 7),
            int(of_year[k]),
            int(ahead[k]),
            zone,
        )
        parts = [
            _WRITERS[piece[0]](fields, len(piece)) if plain is None else plain
            for piece, plain in zip(pieces, texts, strict=True)
        ]
        found.append("".join(parts))
    return found


# -- reading -------------------------------------------------------------------------------------


def _names(names: tuple[str, ...], length: int | None) -> str:
    return "|".join(name[:length] for name in names)


def _field(piece: str, following: str) -> str:
    """Return the regular expression of a field.

    Numbers next to letters that are numbers have a width.
    """
    letter, count = piece[0], len(piece)
    tight = following[:1].isalpha() and following[0] in "uyMdDHhmsS" and len(following) < 3
    if letter in "ML" and count > 2:
        return f"(?:{_names(civil.MONTHS, None if count == 4 else 3)})"
    if letter in "eE" and (count > 2 or letter == "E"):
        return f"(?:{_names(civil.DAYS, None if count == 4 else 3)})"
    if letter == "a":
        return "[AaPp]\\.?[Mm]\\.?"
    if letter in "zZxX":
        return r"(?:Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d|[A-Z]{3,4})"
    if letter in "uy":
        return r"\d{2}" if count == 2 else r"-?\d{4}" if tight or count == 4 else r"-?\d+"
    if letter == "S":
        return r"\d{1,9}" if count == 1 else rf"\d{{{count}}}"
    if letter in "Qq":
        return r"Q?[1-4]"
    if letter == "G":
        return "(?:CE|AD|BCE|BC)"
    return rf"\d{{{count}}}" if tight and count > 1 else r"\d{1,3}" if letter == "D" else r"\d{1,2}"


@lru_cache(512)
def _reader(form: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the regular expression of a format, with the field of each of its groups."""
    expression, fields = [], []
    pieces = tokens(check(form))
    for k, piece in enumerate(pieces):
        plain = literal(piece)
        if plain is not None:
            expression.append(re.escape(plain).replace(r"\ ", r"\s+"))
            continue
        following = pieces[k + 1] if k + 1 < len(pieces) else ""
        expression.append(f"({_field(piece, following)})")
        fields.append(piece)
    return re.compile(r"\s*" + "".join(expression) + r"\s*", re.IGNORECASE), tuple(fields)


def fits(text: str, form: str) -> bool:
    """Whether a text has the shape of a format, whatever its numbers are."""
    return _reader(form)[0].fullmatch(text) is not None


def read(text: str, form: str, pivot: int, today: tuple[int, int, int]) -> Moment | None:
    """Return what a text says by a format; None where it does not fit.

    Args:
        pivot: the first of the hundred years that years of two digits mean.
        today: what stands for a date where the format has none.
    """
    pattern, fields = _reader(form)
    match = pattern.fullmatch(text)
    if match is None:
        return None
    found = dict(zip((piece[0] for piece in fields), match.groups(), strict=True))
    sizes = {piece[0]: len(piece) for piece in fields}
    date = _date(found, sizes, pivot, today)
    clock = _seconds(found)
    if date is None or clock is None:
        return None
    days = civil.day_of(*date)
    offset = next((found[letter] for letter in "zZxX" if letter in found), "")
    return Moment(days * float(civil.DAY), clock, offset)


def _date(
    found: dict[str, str], sizes: dict[str, int], pivot: int, today: tuple[int, int, int]
) -> tuple[int, int, int] | None:
    letter = "u" if "u" in found else "y"
    if not {"u", "y", "M", "L", "d", "D", "Q", "q"} & found.keys():
        return today
    year = today[0]
    if letter in found:
        year = int(found[letter])
        if sizes[letter] == 2:
            year += (pivot - year + 99) // 100 * 100
    if found.get("G", "").upper().startswith("B"):
        year = 1 - year
    if "D" in found:
        return year, 1, int(found["D"])
    month = 1
    name = found.get("M", found.get("L", ""))
    if name.isdigit():
        month = int(name)
    elif name:
        month = [m[:3].lower() for m in civil.MONTHS].index(name[:3].lower()) + 1
    elif "Q" in found or "q" in found:
        month = int(found.get("Q", found.get("q", ""))[-1]) * 3 - 2
    day = int(found.get("d", "1"))
    if not 1 <= month <= 12 or not 1 <= day <= civil.days_in(year, month):
        return None
    return year, month, day


def _seconds(found: dict[str, str]) -> float | None:
    """Return the seconds of the day; None where an hour, minute or second is out of its range."""
    hour = int(found.get("H", found.get("h", "0")))
    if "a" in found and "h" in found:
        hour = hour % 12 + 12 * (found["a"].lower().startswith("p"))
    minute, second = int(found.get("m", "0")), int(found.get("s", "0"))
    if hour > 24 or minute > 59 or second > 59:
        return None
    fraction = found.get("S", "")
    return hour * 3600 + minute * 60 + second + (float(f"0.{fraction}") if fraction else 0.0)
