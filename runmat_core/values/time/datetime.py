"""datetime: points in time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject, text_rows
from runmat_core.values.base import class_of
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.string_operators import string_plus
from runmat_core.values.text import text
from runmat_core.values.time import civil, patterns, reading
from runmat_core.values.time.calendar import CalendarDuration, moved
from runmat_core.values.time.duration import RELATIONS, UNIT, Duration, as_duration

Times = civil.Times

#: Properties that read and write a part of a date, in the order of `Datetime.part`.
PARTS = ("Year", "Month", "Day", "Hour", "Minute", "Second")


@attrs.frozen
class Meaning:
    """How times are shown.

    Attributes:
        form: the format; empty for the default, which leaves the clock out at midnight.
        zone: the time zone; empty for none, and the times are then local ones.
    """

    form: str = ""
    zone: str = ""


class Datetime(ArrayObject):
    """An array of points in time: milliseconds since 1970, of UTC where there is a zone."""

    __slots__ = ()
    class_name = "datetime"
    properties = ("Format", "TimeZone", *PARTS, "SystemTimeZone")
    blank_code = np.nan
    rank = 3
    data: tuple[Times, Meaning]

    def __init__(self, times: Any, form: str = "", zone: str = "") -> None:
        codes = np.asarray(times, np.longdouble)
        codes = codes if codes.ndim > 1 else codes.reshape(1, -1)
        self.data = (np.asfortranarray(codes), Meaning(form, zone))

    @property
    def zone(self) -> str:
        return self.data[1].zone

    def local(self) -> Times:
        """Return what the clocks of the zone show."""
        return civil.to_local(self.codes, self.zone)

    def with_local(self, local: Any) -> Datetime:
        """Return the times at which the clocks show `local`, with the same format and zone."""
        return self.with_codes(civil.to_utc(np.asarray(local, np.longdouble), self.zone))

    @property
    def form(self) -> str:
        """The format in force."""
        if self.meaning.form:
            return str(self.meaning.form)
        local = self.local()
        clock = np.mod(local[np.isfinite(local)], civil.DAY)
        return patterns.DATE_TIME if clock.any() else patterns.DATE

    def formatted(self, form: str) -> Datetime:
        """Return the same times in another format; ``default`` is none of its own."""
        named = {"default": "", "defaultdate": patterns.DATE, "preserveinput": ""}
        form = named.get(form.lower(), form)
        return Datetime(self.codes, patterns.check(form) if form else "", self.zone)

    def zoned(self, zone: str) -> Datetime:
        """Return the same moments in another zone.

        Local times get one, or lose it, as they are shown.
        """
        if zone and zone != "local":
            civil.zone_of(zone)
        if self.zone and zone:
            return Datetime(self.codes, self.meaning.form, zone)
        if self.zone:
            return Datetime(self.local(), self.meaning.form)
        return Datetime(civil.to_utc(self.codes, zone), self.meaning.form, zone)

    # -- properties ------------------------------------------------------------------------------

    def get_property(self, name: str) -> Any:
        if name == "Format":
            return CharArray(self.form)
        if name == "TimeZone":
            return CharArray(self.zone)
        if name == "SystemTimeZone":
            return CharArray(system_zone())
        return from_numpy(self.part(name))

    def part(self, name: str) -> NDArray[np.float64]:
        """One of `PARTS` of each element, NaN for what is no time."""
        now = civil.parts(self.local())
        clock = now.milliseconds
        rules: dict[str, Callable[[], Any]] = {
            "Year": lambda: now.year,
            "Month": lambda: now.month,
            "Day": lambda: now.day,
            "Hour": lambda: np.floor(clock / UNIT["h"]),
            "Minute": lambda: np.mod(np.floor(clock / UNIT["m"]), 60),
            "Second": lambda: np.mod(clock, UNIT["m"]) / 1000,
        }
        found = rules[name]()
        return np.asfortranarray(np.where(now.known, found, np.nan).astype(np.float64))

    def set_property(self, name: str, rhs: Any) -> None:
        if name == "Format":
            self.data = self.formatted(text(rhs)).data
        elif name == "TimeZone":
            self.data = self.zoned(text(rhs)).data
        elif name in PARTS:
            values = [self.part(part) for part in PARTS]
            values[PARTS.index(name)] = np.broadcast_to(to_numpy(rhs), self.shape)
            self.data = self.with_local(of_parts(values)).data
        else:
            super().set_property(name, rhs)

    # -- arrays ----------------------------------------------------------------------------------

    def is_missing(self) -> NDArray[np.bool_]:
        return np.isnan(self.codes)

    def key_form(self) -> Hashable:
        # moments match in whatever zone; those that have none are no moments
        return super().key_form(), bool(self.zone)

    def adopt(self, value: Any) -> Datetime:
        if isinstance(value, Datetime):
            if bool(value.zone) != bool(self.zone):
                if value.is_missing().all():
                    return self.with_codes(value.codes)
                raise mixed_zones()
            return self.with_codes(value.codes)
        if isinstance(value, StringArray | CharArray | CellArray):
            words = texts_of(value)
            if class_of(value) == "char" and 0 in value.shape:
                words = words[:0]
            return self.with_codes(reading.parse(words, "", self.zone))
        if class_of(value) in DTYPE and np.isnan(to_numpy(value)).all():
            return self.with_codes(to_numpy(value).astype(np.longdouble))
        return super().adopt(value)

    def joined_with(self, values: Sequence[Any]) -> Datetime:
        return next(v for v in values if isinstance(v, Datetime))

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if len(operands) == 1:
            return super().operator(name, operands)
        a, b = operands
        if name in RELATIONS:
            return _compare(self, name, a, b)
        if name == "plus":
            return _plus(self, a, b)
        if name == "minus":
            return _minus(self, a, b)
        return NotImplemented

    def range_of(self, first: Any, step: Any, last: Any) -> Datetime:
        """``first:step:last``; the step is a day where none is given."""
        start, stop = self.adopt(first), self.adopt(last)
        if start.codes.size != 1 or stop.codes.size != 1:
            raise MatlabError("MATLAB:datetime:colon:NonScalar", "Operands must be scalars.")
        if step is None:
            step = CalendarDuration.of(days=1.0) if self.zone else Duration(UNIT["d"])
        if isinstance(step, CalendarDuration):
            return _calendar_range(start, step, stop.codes.item())
        span = as_duration(step, "")
        if span is None or span.codes.size != 1 or not span.codes.item():
            raise MatlabError(
                "MATLAB:datetime:colon:InvalidStep", "Step must be a nonzero duration scalar."
            )
        each = np.longdouble(span.codes.item())
        steps = (stop.codes.item() - start.codes.item()) / each
        count = max(int(np.floor(steps + 1e-9)) + 1, 0) if np.isfinite(steps) else 0
        return start.with_codes(start.codes.item() + each * np.arange(count).reshape(1, -1))

    # -- text ------------------------------------------------------------------------------------

    def words(self, form: str = "") -> list[str | None]:
        """Return the elements as text in column-major order; None for NaT."""
        ahead = civil.offsets(self.codes, self.zone)
        return patterns.write(self.codes + ahead, ahead, form or self.form, self.zone)

    def element_texts(self) -> NDArray[np.object_]:
        found = [MISSING if word is None else word for word in self.words()]
        flat = np.empty(len(found), object)
        flat[:] = found
        return flat.reshape(self.shape, order="F")

    def shown_texts(self) -> list[str]:
        """Return the elements in column-major order as they are displayed."""
        return ["NaT" if word is None else word for word in self.words()]

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        return text_rows(name, self.shown_texts(), self.shape, fmt)


def system_zone() -> str:
    """Return the name of the machine's time zone."""
    import os

    target = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    return os.environ.get("TZ", "").removeprefix(":") or target or "UTC"


def of_parts(values: Sequence[Any]) -> Times:
    """Local times of years, months, days, hours, minutes and seconds, and milliseconds if given."""
    year, month, day, hour, minute, second, *rest = (np.asarray(v, np.longdouble) for v in values)
    clock = hour * 3_600_000 + minute * 60_000 + second * 1000 + (rest[0] if rest else 0)
    return civil.assembled(year, month, day, clock)


def mixed_zones() -> MatlabError:
    return MatlabError(
        "MATLAB:datetime:IncompatibleTZ",
        "Cannot combine or compare a datetime array with a time zone with one without a time zone.",
    )


# -- operators -----------------------------------------------------------------------------------


def _compare(self: Datetime, name: str, a: Any, b: Any) -> Any:
    other = b if a is self else a
    if not isinstance(other, Datetime | StringArray | CharArray | CellArray):
        raise MatlabError(
            "MATLAB:datetime:InvalidComparison",
            f"Comparison is not defined between datetime and {class_of(other)} arrays.",
        )
    x, y = self.adopt(a), self.adopt(b)
    return from_numpy(broadcast(RELATIONS[name], x.codes, y.codes))


def _plus(self: Datetime, a: Any, b: Any) -> Any:
    if isinstance(a, Datetime) and isinstance(b, Datetime):
        raise MatlabError(
            "MATLAB:datetime:DatetimeAdditionNotDefined",
            "Addition is not defined between datetime arrays.",
        )
    span = b if a is self else a
    if isinstance(span, StringArray):
        return string_plus(StringArray(texts_of(a)), StringArray(texts_of(b)))
    return _shifted(self, span, 1)


def _minus(self: Datetime, a: Any, b: Any) -> Any:
    if isinstance(a, Datetime) and isinstance(b, Datetime | StringArray | CharArray):
        return Duration(broadcast(np.subtract, a.codes, a.adopt(b).codes))
    if isinstance(b, Datetime):
        if not isinstance(a, StringArray | CharArray):
            return NotImplemented
        return Duration(broadcast(np.subtract, b.adopt(a).codes, b.codes))
    return _shifted(self, b, -1)


def _shifted(self: Datetime, span: Any, sign: int) -> Any:
    if isinstance(span, CalendarDuration):
        return self.with_local(moved(self.local(), span, sign, self.zone))
    if isinstance(span, CharArray) or (found := as_duration(span, "")) is None:
        return NotImplemented
    return self.with_codes(broadcast(np.add, self.codes, sign * found.codes))


def _calendar_range(start: Datetime, step: CalendarDuration, stop: Any) -> Datetime:
    if step.codes.size != 1 or not any(step.codes.item()):
        raise MatlabError(
            "MATLAB:datetime:colon:InvalidStep", "Step must be a nonzero duration scalar."
        )
    first = start.local()
    found: list[Any] = []
    if not (np.isfinite(stop) and np.isfinite(first).all()):
        return start.with_codes(np.zeros((1, 0), np.longdouble))
    up = sum(part * size for part, size in zip(step.codes.item(), (30, 1, 1e-8), strict=True)) > 0
    while len(found) < 10_000_000:
        each = step.scaled(float(len(found)))
        at = civil.to_utc(moved(first, each, 1, start.zone), start.zone).item()
        if at != at or (at > stop if up else at < stop):
            break
        found.append(at)
    return start.with_codes(np.array(found, np.longdouble).reshape(1, -1))
