"""Single fields of text: what number, date or span each stands for, and which type they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from runmat_core.builtins.sheets.plan import Variable
from runmat_core.builtins.text.convert import parse_double
from runmat_core.values.time import patterns, reading
from runmat_core.values.time.duration import parse_span

#: Formats that columns of dates are tried with; where day and month can be told apart only by
#: their values, the month comes first as in the United States.
_DATES = (
    *(form for form in patterns.KNOWN if form not in ("HH:mm:ss", "MMM-uuuu", "uuuu-MM")),
    *(f"{day}{clock}" for day in ("dd/MM/uuuu", "dd-MM-uuuu") for clock in
      ("", " HH:mm:ss", " HH:mm", " hh:mm:ss a", " hh:mm a")),
    *(f"{day}{clock}" for day in ("uuuu.MM.dd", "MM/dd/yy", "dd/MM/yy", "dd.MM.yy", "dd-MMM-yy")
      for clock in ("", " HH:mm:ss", " HH:mm")),
    *(f"{day}{clock}" for day in ("dd.MM.uuuu", "uuuu/MM/dd") for clock in (" HH:mm",)),
)  # fmt: skip
_TODAY = (2000, 1, 1)

#: No date and no span of time is longer than this.
_LONGEST = 100

_RADIX = {"hex": (16, "0x"), "binary": (2, "0b")}
_CORE = re.compile(r"[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eEdD][+-]?\d+)?")

#: Names of months of other languages as English ones, by language.
_MONTHS = {
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}


# -- numbers -------------------------------------------------------------------------------------


@lru_cache(65536)
def number(field: str) -> float | complex | None:
    """Return the number that a field is, None where it is none."""
    if not field:
        return None
    low = field.lower()
    if low in ("nan", "inf", "-inf", "+inf", "-nan", "+nan"):
        return float(low)
    if not (field[0].isdigit() or field[0] in "+-.ij"):
        return None
    try:
        return float(field) if "_" not in field else None
    except ValueError:
        pass
    value = parse_double(field)
    return value if value == value and "," not in field else None


def number_reader(variable: Variable) -> Callable[[str], float | complex | None]:
    """Return what reads fields as numbers, with separators and marks as a variable has them."""
    system = variable.option("NumberSystem")
    if system in _RADIX:
        return lambda field: _whole(field, *_RADIX[system])
    point = variable.option("DecimalSeparator") or "."
    thousands = variable.option("ThousandsSeparator") or ""
    exponents = variable.option("ExponentCharacter")
    trimming = variable.option("TrimNonNumeric")
    if point == "." and not thousands and not trimming and set(exponents) >= set("eEdD"):
        return number

    def read(field: str) -> float | complex | None:
        if trimming:
            match = _CORE.search(field)
            if match is None:
                return None
            field = match[0]
        if point != "." and "." in field and "." not in thousands:
            return None
        for mark in thousands:
            field = field.replace(mark, "")
        if point != ".":
            field = field.replace(point, ".", 1)
        letters = set(re.findall(r"(?<=[\d.])[eEdD](?=[-+\d])", field))
        if not letters <= set(exponents):
            return None
        return number(field)

    return read


def is_plain(variable: Variable) -> bool:
    """Whether the numbers of a variable are decimals with a point and nothing around them."""
    return not (
        variable.option("ThousandsSeparator")
        or variable.option("TrimNonNumeric")
        or variable.option("NumberSystem") in _RADIX
        or not set(variable.option("ExponentCharacter")) >= set("eEdD")
    )


def _whole(field: str, base: int, prefix: str) -> float | None:
    """Return a number in another base, with its prefix and the size behind it, or without."""
    low = field.lower().removeprefix(prefix)
    low = re.sub(r"[su](8|16|32|64)$", "", low)
    try:
        return float(int(low, base)) if low and "_" not in low else None
    except ValueError:
        return None


# -- times ---------------------------------------------------------------------------------------


def translated(field: str, locale: str) -> str:
    """Return a date with the names of its months in English."""
    names = _MONTHS.get(locale[:2].lower())
    if names is None:
        return field
    for english, name in zip(_ENGLISH, names.split(), strict=True):
        pattern = rf"\b{name}\b|\b{name[:4]}\b\.?|\b{name[:3]}\b\.?"
        replaced = re.sub(pattern, english, field, flags=re.IGNORECASE)
        if replaced != field:
            return replaced
    return field


_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_format(fields: Sequence[str]) -> str:
    """Return the format that all fields fit, empty where there is none."""
    if not fields or max(map(len, fields)) > _LONGEST:
        return ""
    if not any(ch.isdigit() for ch in fields[0]):
        return ""
    for form in _candidates(fields[0]):
        if all(_moment(field, form) is not None for field in fields):
            return form
    return ""


@lru_cache(256)
def _candidates(field: str) -> tuple[str, ...]:
    """Return the formats that one field fits."""
    forms = _shaped(_DIGIT.sub("1", field))
    return tuple(form for form in forms if _moment(field, form) is not None)


@lru_cache(256)
def _shaped(shape: str) -> tuple[str, ...]:
    """Return the formats that a field may fit whose digits have become ones."""
    return tuple(form for form in _DATES if patterns.fits(shape, form))


_DIGIT = re.compile(r"\d")


def _moment(field: str, form: str) -> patterns.Moment | None:
    return patterns.read(field, form, reading.default_pivot(), _TODAY)


def date_reader(form: str, locale: str) -> Callable[[str], patterns.Moment | None]:
    """Return what reads fields as dates; without a format any that is known will do."""

    def read(field: str) -> patterns.Moment | None:
        field = translated(field, locale)
        if form:
            return _moment(field, form)
        known = _candidates(field)
        return _moment(field, known[0]) if known else None

    return read


def span_reader(variable: Variable) -> Callable[[str], float | None]:
    """Return what reads fields as spans of time, in milliseconds."""
    form = variable.option("InputFormat")
    point, mark = variable.option("DecimalSeparator"), variable.option("FieldSeparator")

    def read(field: str) -> float | None:
        if mark not in ("", ":"):
            field = field.replace(mark, ":")
        if point not in ("", "."):
            field = field.replace(point, ".")
        return parse_span(field, form.partition(".")[0] or "hh:mm")

    return read


# -- types ---------------------------------------------------------------------------------------


def type_of(
    fields: Sequence[Any],
    missing: Sequence[str] = (),
    read: Callable[[str], Any] = number,
) -> tuple[str, dict[str, Any]]:
    """Return the type that the fields of a column have together, and what goes with it.

    Fields that are empty or stand for nothing do not count.

    Args:
        read: reads numbers.
    """
    known = [f for f in fields if f is not None and f != "" and f not in missing]
    texts = [field for field in known if isinstance(field, str)]
    if len(texts) < len(known):
        return _cell_type(known, texts), {}
    if not texts:
        return "double", {}
    if all(read(field) is not None for field in texts):
        return "double", {}
    for system, pattern in _SYSTEMS.items():
        if all(pattern.fullmatch(field) for field in texts):
            return _integer_type(texts, system), {"NumberSystem": system}
    if all(_is_span(field) for field in texts):
        return "duration", {}
    form = date_format(texts[:100])
    return ("datetime", {"InputFormat": form}) if form else ("char", {})


def is_time(field: str) -> bool:
    """Whether a field reads as a date or as a span of time."""
    return _is_span(field) or bool(date_format((field,)))


def _is_span(field: str) -> bool:
    return len(field) <= _LONGEST and ":" in field and parse_span(field, "hh:mm") is not None


_SYSTEMS = {
    "hex": re.compile(r"0[xX][0-9a-fA-F]+([su](?:8|16|32|64))?"),
    "binary": re.compile(r"0[bB][01]+([su](?:8|16|32|64))?"),
}


def _integer_type(texts: Sequence[str], system: str) -> str:
    """Return the least class of integers for numbers in another base, or the named one."""
    named = {m[1] for m in map(_SYSTEMS[system].fullmatch, texts) if m is not None}
    if len(named) == 1 and (only := named.pop()) is not None:
        return ("uint" if only[0] == "u" else "int") + only[1:]
    most = max(_whole(field, *_RADIX[system]) or 0.0 for field in texts)
    return next(f"uint{bits}" for bits in (8, 16, 32, 64) if most < 2.0**bits or bits == 64)


def _cell_type(known: Sequence[Any], texts: Sequence[str]) -> str:
    """Return the type of cells of a spreadsheet."""
    if texts:
        return "char"
    if all(isinstance(field, bool) for field in known):
        return "logical"
    if all(isinstance(field, datetime | date) for field in known):
        return "datetime"
    return "duration" if all(isinstance(f, time | timedelta) for f in known) else "double"
