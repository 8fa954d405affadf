"""calendarDuration: spans in months, days and time, whose length depends on where they begin."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject, text_rows
from runmat_core.values.char import CharArray
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.string import MISSING, StringArray
from runmat_core.values.string_operators import string_plus
from runmat_core.values.text import text
from runmat_core.values.time import civil
from runmat_core.values.time.duration import Duration, as_duration, is_real

FIELDS = ("months", "days", "ms")
CODE = np.dtype([(name, np.float64) for name in FIELDS])
_UNITS = frozenset("yqmwdt")


class CalendarDuration(ArrayObject):
    """An array of calendar spans; its meaning is the units of its display, such as ``ymdt``."""

    __slots__ = ()
    class_name = "calendarDuration"
    properties = ("Format",)
    blank_code = (0.0, 0.0, 0.0)
    missing_code = (np.nan, np.nan, np.nan)
    rank = 2
    data: tuple[NDArray[Any], str]

    def __init__(self, codes: NDArray[Any], form: str = "ymdt") -> None:
        self.data = (np.asfortranarray(codes), form)

    @classmethod
    def of(
        cls, months: Any = 0.0, days: Any = 0.0, ms: Any = 0.0, *, form: str = "ymdt"
    ) -> CalendarDuration:
        """Spans of months, days and milliseconds, scalars or arrays of one size."""
        arrays = [np.atleast_2d(np.asarray(part, np.float64)) for part in (months, days, ms)]
        codes = np.empty(np.broadcast_shapes(*(a.shape for a in arrays)), CODE, order="F")
        for name, part in zip(FIELDS, arrays, strict=True):
            codes[name] = part
        return cls(codes, form)

    def fields(self) -> tuple[NDArray[np.float64], ...]:
        """Months, days and milliseconds."""
        return tuple(self.codes[name] for name in FIELDS)

    def with_fields(self, *fields: Any) -> CalendarDuration:
        return CalendarDuration.of(*fields, form=self.data[1])

    def scaled(self, factor: Any) -> CalendarDuration:
        return self.with_fields(*(broadcast(np.multiply, f, factor) for f in self.fields()))

    def formatted(self, form: str) -> CalendarDuration:
        """Return the same spans shown in other units.

        Raises:
            MatlabError: MATLAB:calendarDuration:UnrecognizedFormat.
        """
        if not set(form) <= _UNITS or not {"m", "d", "t"} <= set(form):
            raise MatlabError(
                "MATLAB:calendarDuration:UnrecognizedFormat",
                f"'{form}' is not a valid format: it holds 'm', 'd' and 't', and may hold 'y', 'q' "
                "and 'w'.",
            )
        return CalendarDuration(self.codes, form)

    def get_property(self, name: str) -> Any:
        return CharArray(self.data[1])

    def set_property(self, name: str, rhs: Any) -> None:
        self.data = self.formatted(text(rhs)).data

    def is_missing(self) -> NDArray[np.bool_]:
        return np.isnan(sum(self.fields()))

    def same_codes(self, other: Any) -> tuple[Any, Any]:
        return tuple(np.stack(v.fields(), -1).view("V24")[..., 0] for v in (self, other))  # type: ignore[return-value]

    def adopt(self, value: Any) -> CalendarDuration:
        if isinstance(value, CalendarDuration):
            return value
        if isinstance(value, Duration):
            return self.with_fields(0.0, 0.0, value.codes)
        if is_real(value):
            return self.with_fields(0.0, to_numpy(value).astype(np.float64))
        return super().adopt(value)

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if len(operands) == 1:
            if name == "uminus":
                return self.scaled(-1.0)
            return self if name == "uplus" else super().operator(name, operands)
        if name in ("plus", "minus"):
            if name == "plus" and any(isinstance(v, StringArray) for v in operands):
                words = [
                    v if isinstance(v, StringArray) else StringArray(v.element_texts())
                    for v in operands
                ]
                return string_plus(*words)
            return self._sum(operands[0], operands[1], 1 if name == "plus" else -1)
        if name in ("times", "mtimes"):
            factor = operands[1] if operands[0] is self else operands[0]
            if is_real(factor):
                return self.scaled(to_numpy(factor).astype(np.float64))
        if name in ("eq", "ne"):
            x, y = (self.adopt(v) for v in operands)
            same = np.logical_and.reduce(
                [broadcast(np.equal, f, g) for f, g in zip(x.fields(), y.fields(), strict=True)]
            )
            return from_numpy(same == (name == "eq"))
        return NotImplemented

    def _sum(self, a: Any, b: Any, sign: int) -> Any:
        for value in (a, b):
            if not isinstance(value, CalendarDuration) and as_duration(value, "") is None:
                return NotImplemented
            if isinstance(value, CharArray):
                return NotImplemented
        x, y = self.adopt(a), self.adopt(b)
        form = "".join(u for u in "yqmwdt" if u in x.data[1] + y.data[1])
        sums = [broadcast(np.add, f, sign * g) for f, g in zip(x.fields(), y.fields(), strict=True)]
        return CalendarDuration.of(*sums, form=form)

    # -- text ------------------------------------------------------------------------------------

    def element_texts(self) -> NDArray[np.object_]:
        found = np.empty(self.codes.size, object)
        found[:] = [MISSING if word == "NaN" else word for word in self.shown_texts()]
        return found.reshape(self.shape, order="F")

    def shown_texts(self) -> list[str]:
        """Return the elements in column-major order as they are displayed."""
        spans = self.codes.ravel(order="F").tolist()
        return [_span_text(m, d, ms, self.data[1]) for m, d, ms in spans]

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        return text_rows(name, self.shown_texts(), self.shape, fmt, right=True)


def _span_text(months: float, days: float, ms: float, form: str) -> str:
    total = months + days + ms
    if total != total:
        return "NaN"
    pieces = []
    for unit, size in (("y", 12), ("q", 3)):
        if unit in form:
            count = int(months / size)
            pieces.append((count, unit))
            months -= count * size
    pieces.append((int(months), "mo"))
    if "w" in form:
        pieces.append((int(days / 7), "w"))
        days -= int(days / 7) * 7
    pieces.append((int(days), "d"))
    words = [f"{count}{unit}" for count, unit in pieces if count]
    sign, ms = ("-" if ms < 0 else ""), abs(ms)
    if ms:
        minutes, rest = divmod(ms, 60_000.0)
        hours, minute = divmod(minutes, 60)
        words += [f"{sign}{int(hours)}h", f"{sign}{int(minute)}m", f"{sign}{rest / 1000:.5g}s"]
    return " ".join(words) or "0d"


def _plus_months(local: Any, months: Any, **_: Any) -> Any:
    return civil.plus_months(*np.broadcast_arrays(local, months))


def moved(local: Any, span: CalendarDuration, sign: int, zone: str) -> Any:
    """Local times moved by calendar spans: months first, then days, then time."""
    months, days, ms = (sign * field for field in span.fields())
    local = broadcast(_plus_months, local, months)
    local = broadcast(np.add, local, days * civil.DAY)
    if not ms.any():
        return local
    utc = broadcast(np.add, civil.to_utc(local, zone), ms)
    return civil.to_local(utc, zone)
