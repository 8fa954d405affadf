"""Times, spans, categories and tables as Python objects, and times and spans back.

Loaded with the first of them that crosses: programs of numbers and text never need it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.categorical import Categorical
from runmat_core.values.tables.table import Table
from runmat_core.values.time import civil
from runmat_core.values.time.datetime import Datetime
from runmat_core.values.time.duration import Duration

_MICROSECONDS = 1000


def from_datetime(value: Datetime) -> Any:
    """Return a ``datetime``, None for NaT.

    An array of ``datetime64`` in microseconds, UTC if zoned.
    """
    if value.codes.size != 1:
        return _ticks(value.codes).astype("datetime64[us]")
    (local,) = value.local().ravel().tolist()
    if local != local or local in (np.inf, -np.inf):
        return None
    moment = datetime(1970, 1, 1) + timedelta(microseconds=round(float(local * _MICROSECONDS)))
    return moment.replace(tzinfo=civil.zone_of(value.zone)) if value.zone else moment


def from_duration(value: Duration) -> Any:
    """Return a ``timedelta`` (None for NaN), or an array of ``timedelta64`` in microseconds."""
    if value.codes.size != 1:
        return _ticks(value.codes).astype("timedelta64[us]")
    span = float(value.codes.item())
    return timedelta(milliseconds=span) if np.isfinite(span) else None


def _ticks(milliseconds: NDArray[Any]) -> NDArray[np.int64]:
    """Whole microseconds; what is not finite becomes NumPy's NaT."""
    known = np.isfinite(milliseconds)
    ticks = np.round(np.where(known, milliseconds, 0) * _MICROSECONDS).astype(np.int64)
    return np.where(known, ticks, np.iinfo(np.int64).min)


def from_categorical(value: Categorical) -> Any:
    """Return the name of the category, or an array of names; None where it is undefined."""
    names = np.array([None, *value.names], object)[value.codes]
    return names.item() if names.size == 1 else names


def from_table(value: Table, convert: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the variables by name, the times of a timetable first."""
    if value.data.row_times is not None:
        times = {value.data.dimensions[0]: convert(value.data.row_times)}
        return {**times, **{name: convert(value.column(name)) for name in value.names}}
    return {name: convert(value.column(name)) for name in value.names}


def to_times(value: datetime | date) -> Datetime:
    """Return a datetime; one that knows its offset gets that as its zone."""
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    offset = value.utcoffset()
    plain = value.replace(tzinfo=None)
    span = plain - datetime(1970, 1, 1)
    local = np.longdouble(span // timedelta(microseconds=1)) / _MICROSECONDS
    if offset is None:
        return Datetime([[local]])
    name = getattr(value.tzinfo, "key", None) or _offset_name(offset)
    return Datetime([[local - np.longdouble(offset / timedelta(milliseconds=1))]], "", name)


def _offset_name(offset: timedelta) -> str:
    minutes = round(offset / timedelta(minutes=1))
    if not minutes:
        return "UTC"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def to_span(value: timedelta) -> Duration:
    return Duration([[value / timedelta(milliseconds=1)]])


def of_array(array: NDArray[Any]) -> Datetime | Duration:
    """Return an array of ``datetime64`` or ``timedelta64``, with two axes or more."""
    missing = np.isnat(array)
    unit = "datetime64[us]" if array.dtype.kind == "M" else "timedelta64[us]"
    ticks = array.astype(unit).astype(np.int64)
    spans = np.where(missing, np.nan, ticks.astype(np.longdouble) / _MICROSECONDS)
    return Datetime(spans) if array.dtype.kind == "M" else Duration(spans)
