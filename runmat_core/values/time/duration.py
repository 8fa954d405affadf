"""duration: spans of time of fixed length, in milliseconds."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.arithmetic import broadcast
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject, text_rows
from runmat_core.values.base import class_of
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.colon import float_range
from runmat_core.values.display_format import DisplayFormat
from runmat_core.values.string import MISSING, StringArray, texts_of
from runmat_core.values.text import text

Milliseconds = NDArray[np.float64]

#: Milliseconds of a unit; a year has 365.2425 days.
UNIT = {
    "y": 31_556_952_000.0,
    "d": 86_400_000.0,
    "h": 3_600_000.0,
    "m": 60_000.0,
    "s": 1000.0,
}
_WORDS = {"y": ("yr", "yrs"), "d": ("day", "days"), "h": ("hr",), "m": ("min",), "s": ("sec",)}
_CLOCK = re.compile(r"(dd:hh:mm:ss|hh:mm:ss|mm:ss|hh:mm)(?:\.(S{1,9}))?")

RELATIONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


class Duration(ArrayObject):
    """An array of spans; its meaning is the format of its display."""

    __slots__ = ()
    class_name = "duration"
    properties = ("Format",)
    blank_code = 0.0
    missing_code = np.nan
    rank = 1
    data: tuple[Milliseconds, str]

    def __init__(self, milliseconds: Any, form: str = "hh:mm:ss") -> None:
        codes = np.asarray(milliseconds, np.float64)
        self.data = (np.asfortranarray(codes if codes.ndim > 1 else codes.reshape(1, -1)), form)

    @property
    def form(self) -> str:
        return self.data[1]

    def formatted(self, form: str) -> Duration:
        """Return the same spans shown in another format.

        Raises:
            MatlabError: MATLAB:duration:UnrecognizedFormat.
        """
        if form not in UNIT and not _CLOCK.fullmatch(form):
            raise MatlabError(
                "MATLAB:duration:UnrecognizedFormat",
                f"'{form}' is not a valid format. It is 'y', 'd', 'h', 'm', 's', or one of "
                "'dd:hh:mm:ss', 'hh:mm:ss', 'mm:ss' and 'hh:mm', with up to nine '.S' at its end.",
            )
        return Duration(self.codes, form)

    def get_property(self, name: str) -> Any:
        return CharArray(self.form)

    def set_property(self, name: str, rhs: Any) -> None:
        self.data = self.formatted(text(rhs)).data

    def is_missing(self) -> NDArray[np.bool_]:
        return np.isnan(self.codes)

    def adopt(self, value: Any) -> Duration:
        found = as_duration(value, self.form)
        if found is None:
            raise MatlabError(
                "MATLAB:invalidConversion",
                f"Conversion to duration from {class_of(value)} is not possible.",
            )
        return found

    def operator(self, name: str, operands: tuple[Any, ...]) -> Any:
        if len(operands) == 1:
            if name == "uminus":
                return self.with_codes(-self.codes)
            return self if name == "uplus" else super().operator(name, operands)
        rule = _BINARY.get(name)
        return NotImplemented if rule is None else rule(self, name, *operands)

    def range_of(self, first: Any, step: Any, last: Any) -> Duration:
        """``first:step:last``; the step is a day where none is given."""
        ends = [scalar_milliseconds(v) for v in (first, UNIT["d"] if step is None else step, last)]
        if step is None:
            ends[1] = UNIT["d"]
        return self.with_codes(float_range(*ends))

    # -- text ----------------------------------------------------------------------------------

    def element_texts(self) -> NDArray[np.object_]:
        found = np.empty(self.shape, object, order="F")
        for place, span in np.ndenumerate(self.codes):
            found[place] = MISSING if span != span else span_text(float(span), self.form)
        return found

    def shown_texts(self, style: str = "short") -> list[str]:
        """Return the elements in column-major order as they are displayed."""
        spans = self.codes.ravel(order="F").tolist()
        return [span_text(span, self.form, 15 if style.startswith("long") else 5) for span in spans]

    def lines(self, name: str, fmt: DisplayFormat) -> str:
        return text_rows(name, self.shown_texts(fmt.style), self.shape, fmt, right=True)


def span_text(span: float, form: str, digits: int = 5) -> str:
    """Return a span of milliseconds in a format."""
    if form in UNIT:
        amount = span / UNIT[form]
        words = _WORDS[form]
        return f"{_number(amount, digits)} {words[0] if amount == 1 else words[-1]}"
    if not math.isfinite(span):
        return _number(span, 5)
    match = _CLOCK.fullmatch(form)
    assert match is not None
    return ("-" if span < 0 else "") + _clock(abs(span), match[1], len(match[2] or ""))


def _number(value: float, digits: int) -> str:
    if value != value:
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return f"{value:.{digits}g}"


def _clock(span: float, form: str, decimals: int) -> str:
    """Return a span as on a clock; what is less than its last digit is cut off."""
    scale = 10**decimals
    # a millisecond that arithmetic left a hair below a digit belongs to it
    ticks = math.floor(span * scale / 1000 * (1 + 4e-16) + 1e-9)
    seconds, fraction = divmod(ticks, scale)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    tail = f"{second:02d}" + (f".{fraction:0{decimals}d}" if decimals else "")
    if form == "mm:ss":
        return f"{minutes:02d}:{tail}"
    if form == "hh:mm":
        return f"{hours:02d}:{minute:02d}"
    if form == "hh:mm:ss":
        return f"{hours:02d}:{minute:02d}:{tail}"
    days, hour = divmod(hours, 24)
    return f"{days:02d}:{hour:02d}:{minute:02d}:{tail}"


_PATTERNS = (
    re.compile(r"\s*(-?)()(\d+):(\d+):(\d+(?:\.\d+)?)\s*"),
    re.compile(r"\s*(-?)(\d+):(\d+):(\d+):(\d+(?:\.\d+)?)\s*"),
)
_TWO = re.compile(r"\s*(-?)(\d+):(\d+(?:\.\d+)?)\s*")


def parse_span(words: str, form: str = "") -> float | None:
    """Return the milliseconds that a text such as ``01:02:03`` stands for.

    Return None where it is none.
    """
    for pattern in _PATTERNS:
        match = pattern.fullmatch(words)
        if match:
            sign, days, hours, minutes, seconds = match.groups()
            clock = (int(hours) * 60 + int(minutes)) * 60000 + float(seconds) * 1000
            total = int(days or 0) * UNIT["d"] + clock
            return -total if sign else total
    match = _TWO.fullmatch(words)
    if match and form in ("hh:mm", "mm:ss", ""):
        major, minor = int(match[2]), float(match[3])
        total = (
            major * UNIT["m"] + minor * 1000
            if form == "mm:ss"
            else major * UNIT["h"] + minor * UNIT["m"]
        )
        return -total if match[1] else total
    return None


# -- conversion ----------------------------------------------------------------------------------


def is_real(value: Any) -> bool:
    """Whether a value holds real numbers or logicals."""
    return class_of(value) in DTYPE and to_numpy(value).dtype.kind != "c"


def as_duration(value: Any, form: str) -> Duration | None:
    """Return a value as spans: numbers count days, texts are read.

    Return None for what has no conversion.
    """
    if isinstance(value, Duration):
        return value
    if isinstance(value, StringArray | CharArray):
        return _parsed(texts_of(value), form)
    if is_real(value):
        return Duration(to_numpy(value) * UNIT["d"], form)
    return None


def _parsed(words: NDArray[np.object_], form: str) -> Duration:
    found = np.full(words.shape, np.nan, order="F")
    for place, word in np.ndenumerate(words):
        if word is not MISSING:
            span = parse_span(word)
            if span is None:
                raise MatlabError(
                    "MATLAB:duration:UnrecognizedFormat",
                    f"Could not recognize '{word}' as a duration.",
                )
            found[place] = span
    return Duration(found, form)


def scalar_milliseconds(value: Any) -> float:
    """Return the milliseconds of one span; a number counts days."""
    found = as_duration(value, "")
    if found is None or found.codes.size != 1:
        raise MatlabError("MATLAB:duration:ScalarExpected", "Value must be a duration scalar.")
    return float(found.codes.item())


# -- operators -----------------------------------------------------------------------------------


def _sum(self: Duration, name: str, a: Any, b: Any) -> Any:
    x, y = as_duration(a, self.form), as_duration(b, self.form)
    if x is None or y is None:
        return NotImplemented
    rule = np.add if name == "plus" else np.subtract
    return self.with_codes(broadcast(rule, x.codes, y.codes))


def _product(self: Duration, name: str, a: Any, b: Any) -> Any:
    factor = b if a is self else a
    if isinstance(factor, Duration):
        raise MatlabError(
            "MATLAB:duration:MultiplicationNotDefined",
            "Multiplication is not defined between duration arrays.",
        )
    if not is_real(factor):
        return NotImplemented
    numbers = to_numpy(factor)
    if name == "mtimes" and self.codes.size != 1 and numbers.size != 1:
        x, y = (self.codes, numbers) if a is self else (numbers, self.codes)
        if x.ndim > 2 or y.ndim > 2 or x.shape[1] != y.shape[0]:
            raise errors.inner_dimensions()
        return self.with_codes(x @ y)
    return self.with_codes(broadcast(np.multiply, self.codes, numbers.astype(np.float64)))


def _quotient(self: Duration, name: str, a: Any, b: Any) -> Any:
    over, under = (b, a) if name in ("ldivide", "mldivide") else (a, b)
    if not isinstance(over, Duration):
        return NotImplemented
    if isinstance(under, Duration):
        return from_numpy(broadcast(np.divide, over.codes, under.codes))
    if not is_real(under):
        return NotImplemented
    return self.with_codes(broadcast(np.divide, over.codes, to_numpy(under).astype(np.float64)))


def _relation(self: Duration, name: str, a: Any, b: Any) -> Any:
    x, y = as_duration(a, self.form), as_duration(b, self.form)
    if x is None or y is None:
        other = class_of(b if a is self else a)
        raise MatlabError(
            "MATLAB:duration:InvalidComparison",
            f"Comparison is not defined between duration and {other} arrays.",
        )
    return from_numpy(broadcast(RELATIONS[name], x.codes, y.codes))


_BINARY = {
    "plus": _sum,
    "minus": _sum,
    "times": _product,
    "mtimes": _product,
    "rdivide": _quotient,
    "mrdivide": _quotient,
    "ldivide": _quotient,
    "mldivide": _quotient,
    **dict.fromkeys(RELATIONS, _relation),
}
