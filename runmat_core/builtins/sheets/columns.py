"""Fields of a column as a variable: which type they have, and conversion to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.categories.making import from_values
from runmat_core.builtins.text.convert import parse_double
from runmat_core.values import from_numpy
from runmat_core.values.cell import CellArray, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.time import civil, patterns
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration, parse_span

#: The types that a variable can be given.
TYPES = (*DTYPE, "char", "string", "datetime", "duration", "categorical")

#: Formats of dates that columns are tried with, those of the month first as in the United States.
_DATES = tuple(form for form in patterns.KNOWN if form not in ("HH:mm:ss", "MMM-uuuu", "uuuu-MM"))
_TODAY = (2000, 1, 1)


@lru_cache(65536)
def number(field: str) -> float | complex | None:
    """The number that a field is, None where it is none."""
    if not field:
        return None
    low = field.lower()
    if low in ("nan", "inf", "-inf", "+inf"):
        return float(low)
    if not (field[0].isdigit() or field[0] in "+-."):
        return None
    try:
        return float(field) if "_" not in field else None
    except ValueError:
        pass
    value = parse_double(field)
    return value if value == value and "," not in field else None


def _date_format(fields: Sequence[str]) -> str:
    """The format that all fields fit, empty where there is none."""
    if not fields or not any(ch.isdigit() for ch in fields[0]):
        return ""
    for form in _DATES:
        if all(patterns.read(field, form, 1950, _TODAY) is not None for field in fields):
            return form
    return ""


def type_of(fields: Sequence[Any], missing: frozenset[str]) -> str:
    """The type that the fields of a column have together; empty ones do not count."""
    known = [f for f in fields if f is not None and f not in missing and f != ""]
    texts = [field for field in known if isinstance(field, str)]
    if len(texts) < len(known):
        return _cell_type(known, texts)
    if not texts:
        return "double"
    if all(number(field) is not None for field in texts):
        return "double"
    if all(":" in field and parse_span(field, "hh:mm") is not None for field in texts):
        return "duration"
    sample = texts[:100]
    if _date_format(sample):
        return "datetime"
    # a few fields that are no numbers become NaN
    return "char"


def _cell_type(known: Sequence[Any], texts: Sequence[str]) -> str:
    """The type of cells of a spreadsheet."""
    if texts:
        return "char"
    if all(isinstance(field, bool) for field in known):
        return "logical"
    return "datetime" if all(isinstance(field, datetime) for field in known) else "double"


def converted(fields: Sequence[Any], kind: str, missing: frozenset[str], form: str = "") -> Any:
    """The fields of a column as a variable of a type.

    Raises:
        MatlabError: the type is not known.
    """
    shape = (len(fields), 1)
    if kind in DTYPE:
        return _numbers(fields, kind, missing)
    if kind == "datetime":
        return _dates(fields, missing, form)
    words = [_word(field, missing) for field in fields]
    if kind == "char":
        return CellArray(object_array([CharArray(word or "") for word in words], shape))
    if kind == "string":
        return StringArray(object_array([MISSING if w is None else w for w in words], shape))
    if kind == "categorical":
        return from_values(StringArray(object_array([w or "" for w in words], shape)))
    if kind == "duration":
        spans = [None if word is None else parse_span(word, "hh:mm") for word in words]
        return Duration(np.array([np.nan if s is None else s for s in spans]).reshape(shape))
    raise MatlabError("MATLAB:textio:io:UnknownType", f"'{kind}' is no type of a variable.")


def _word(field: Any, missing: frozenset[str]) -> str | None:
    """A field as text; None for what is missing."""
    if field is None or field == "" or field in missing:
        return None
    if isinstance(field, float | int) and not isinstance(field, bool):
        return f"{field:.15g}"
    return str(field)


def _numbers(fields: Sequence[Any], kind: str, missing: frozenset[str]) -> Any:
    found: list[Any] = []
    for field in fields:
        if field is None or field in missing:
            found.append(np.nan)
        elif isinstance(field, str):
            value = number(field)
            if value is None and kind == "logical":
                value = {"true": 1.0, "false": 0.0}.get(field.lower())
            found.append(np.nan if value is None else value)
        elif isinstance(field, bool | int | float):
            found.append(float(field))
        else:
            found.append(np.nan)
    array = np.array(found).reshape(-1, 1)
    if kind == "logical":
        return from_numpy(np.nan_to_num(array) != 0)
    return from_numpy(array, kind)


def _dates(fields: Sequence[Any], missing: frozenset[str], form: str) -> Datetime:
    known = [f for f in fields if isinstance(f, str) and f and f not in missing]
    form = form or _date_format(known[:100])
    times = np.full((len(fields), 1), np.nan, np.longdouble)
    for k, field in enumerate(fields):
        if isinstance(field, datetime):
            days = civil.day_number(field.year, field.month, field.day)
            clock = (field.hour * 3600 + field.minute * 60 + field.second) * 1000
            times[k] = np.longdouble(days) * civil.DAY + clock + field.microsecond / 1000
        elif isinstance(field, str) and form and field not in missing:
            moment = patterns.read(field, form, 1950, _TODAY)
            if moment is not None:
                times[k] = np.longdouble(moment.milliseconds) + moment.seconds * 1000
    return Datetime(times, _shown_format(form))


def _shown_format(form: str) -> str:
    """The format that dates are shown in: as they were written, without what reading allows."""
    return form if form and not form.endswith(".S") else ""
