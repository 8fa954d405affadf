"""Char arrays: text as UTF-16 code units.

A row of text is kept as a Python ``str`` for as long as nothing treats it as a matrix, because that
is what nearly all text in programs is: literals, pieces joined with brackets, arguments of printf.
Everything else is a matrix of ``uint16`` code units. `content` holds either form.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.base import Subscripts, Value
from runmat_core.values.bulk import Uncollected
from runmat_core.values.classes import DOUBLE
from runmat_core.values.positions import Span

Units = NDArray[np.uint16]

#: Rows longer than this are sliced as text instead of through a matrix of their units.
_LONG = 4096
#: Shorter rows are copied as text when one character is appended; longer ones grow as matrices,
#: whose spare room makes appending take constant time.
_APPENDED = 1 << 15


#: Up to so many units, Python makes text of a list of them before a codec is found.
_LISTED = 32
#: Units from here on may be halves of a character.
_SURROGATES = 0xD800
_BYTE = np.dtype(np.uint8)
_UNIT = np.dtype(np.uint16)


def encode(text: str) -> Units:
    """Text as a row of code units, ``0x0`` when it is empty."""
    if not text:
        return np.zeros((0, 0), np.uint16)
    if text.isascii():
        return np.ndarray((1, len(text)), _BYTE, text.encode()).astype(_UNIT)
    raw = text.encode("utf-16-le", "surrogatepass")
    return np.frombuffer(raw, "<u2").astype(_UNIT).reshape(1, -1)


def decode(units: NDArray[Any]) -> str:
    """Code units as text, column after column; surrogate pairs become one character."""
    if units.size <= _LISTED:
        listed = units.ravel(order="F").tolist()
        if not listed or max(listed) < _SURROGATES:
            return "".join(map(chr, listed))
    raw = units.ravel(order="F").astype("<u2", copy=False).tobytes()
    return raw.decode("utf-16-le", "surrogatepass")


class CharArray(Value):
    """A char array of any size.

    Attributes:
        content: a ``str`` without surrogate pairs, so that its length is the number of columns;
            or the matrix of code units.
    """

    __slots__ = ("content",)
    content: str | Units
    class_name = "char"

    def __init__(self, content: str | Units = "") -> None:
        if isinstance(content, str) and not content.isascii() and max(content) > "\uffff":
            content = encode(content)
        self.content = content

    @property
    def data(self) -> Units:
        """The matrix of code units; read-only for all but the owner."""
        content = self.content
        return encode(content) if isinstance(content, str) else content

    @data.setter
    def data(self, units: Units) -> None:
        self.content = units

    def share(self) -> CharArray:
        twin = object.__new__(CharArray)
        twin.content = self.content
        return twin

    @property
    def shape(self) -> tuple[int, ...]:
        content = self.content
        if isinstance(content, str):
            return (1, len(content)) if content else (0, 0)
        return content.shape

    @property
    def is_row(self) -> bool:
        """Whether it is one row of text, or the empty ``''``."""
        content = self.content
        if isinstance(content, str):
            return True
        return content.ndim == 2 and (content.shape[0] == 1 or content.shape == (0, 0))

    @property
    def is_one(self) -> bool:
        """Whether it is a single character kept as text."""
        content = self.content
        return content.__class__ is str and len(content) == 1

    def code(self) -> float:
        """Return the code unit of a single character kept as text."""
        return float(ord(self.content))  # type: ignore[arg-type]

    def codes(self) -> NDArray[np.float64]:
        """Return the code units as doubles."""
        content = self.content
        if content.__class__ is str and content and content.isascii():
            return np.ndarray((1, len(content)), _BYTE, content.encode()).astype(DOUBLE)
        return self.data.astype(DOUBLE)

    def text(self) -> str:
        """All characters in column-major order: the text, for a row."""
        content = self.content
        return content if isinstance(content, str) else decode(content)

    def rows(self) -> list[str]:
        """Return the text of each row, padding included; pages stand below each other."""
        content = self.content
        if isinstance(content, str):
            return [content] if content else []
        if content.ndim > 2:
            planes = content.reshape(*content.shape[:2], math.prod(content.shape[2:]), order="F")
            return [
                decode(planes[i, :, k]) for k in range(planes.shape[2]) for i in range(len(planes))
            ]
        return [decode(row) for row in content]

    def __repr__(self) -> str:
        return f"CharArray({self.text()!r})" if self.is_row else f"CharArray({self.rows()!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> CharArray:
        content = self.content
        if isinstance(content, str) and len(subs) == 1:
            sub = subs[0]
            if sub.__class__ is float:
                if 1.0 <= sub <= len(content) and sub.is_integer():
                    return _row(content[int(sub) - 1])
            elif sub.__class__ is Span:
                if sub.stop <= len(content):
                    return _row(content[sub.slice()])
            elif len(content) > _LONG:
                span = _span(sub)
                if span and span[1] <= len(content):
                    return _row(content[span[0] : span[1]])
        return from_units(subscript.read(self.data, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> CharArray:
        if self._append(subs, rhs):
            return self
        units = units_of(rhs)
        self._as_matrix()
        subscript.write(self, subs, units, 0)
        return self

    def del_paren(self, subs: Subscripts) -> CharArray:
        self._as_matrix()
        subscript.remove(self, subs)
        return self

    def _append(self, subs: Subscripts, rhs: Any) -> bool:
        """``s(end + 1) = 'x'`` on a row of text; whether this was it."""
        content = self.content
        if (
            len(subs) != 1
            or subs[0].__class__ is not float
            or rhs.__class__ is not CharArray
            or content.__class__ is not str
            or subs[0] != len(content) + 1
            or len(content) >= _APPENDED
            or rhs.content.__class__ is not str
            or len(rhs.content) != 1
        ):
            return False
        self.content = content + rhs.content
        return True

    def _as_matrix(self) -> None:
        if isinstance(self.content, str):
            self.content = encode(self.content)


def _row(text: str) -> CharArray:
    row = object.__new__(CharArray)
    row.content = text
    return row


def chars(texts: Sequence[str]) -> list[CharArray]:
    """Return a char row for each text, ``''`` for none: ``map(CharArray, texts)`` in less time."""
    with Uncollected():
        joined = "".join(texts)
        if not joined.isascii() and max(joined) > "\uffff":
            return list(map(CharArray, texts))
        rows: list[CharArray] = list(map(object.__new__, repeat(CharArray, len(texts))))
        for row, content in zip(rows, texts, strict=True):
            row.content = content
        return rows


def _span(sub: Any) -> tuple[int, int] | None:
    """Return the half-open span that a row of consecutive subscripts selects, else None."""
    data = getattr(sub, "data", None)
    if not isinstance(data, np.ndarray) or data.dtype != np.float64 or data.shape[0] != 1:
        return None
    if data.ndim != 2 or data.shape[1] == 0:
        return None
    first, last = data.item(0), data.item(data.size - 1)
    if first < 1 or not first.is_integer() or last - first != data.size - 1:
        return None
    if data.size > 2 and not (np.diff(data[0]) == 1).all():
        return None
    return int(first) - 1, int(last)


def from_units(units: Units) -> CharArray:
    """Return a char array of code units that nobody else holds; rows become text."""
    value = object.__new__(CharArray)
    value.content = units
    if units.ndim == 2 and units.shape[0] == 1 and units.shape[1]:
        text = decode(units)
        if len(text) == units.shape[1]:
            value.content = text
    return value


def char_rows(lines: list[str], width: int | None = None) -> CharArray:
    """Return a char array with one line in each row, padded with blanks to a common width."""
    if len(lines) == 1 and width is None:
        return CharArray(lines[0]) if lines[0] else CharArray(np.zeros((1, 0), np.uint16))
    longest = max(map(len, lines), default=0)
    full = longest if width is None else width
    if longest <= full:
        units = encode("".join([line.ljust(full) for line in lines]))
        if units.size == len(lines) * full:  # no character takes two units
            return from_units(np.asfortranarray(units.reshape(len(lines), full)))
    coded = [encode(line).ravel() for line in lines]
    if width is None:
        width = max(map(len, coded), default=0)
    units = np.full((len(coded), width), 32, np.uint16, order="F")
    for row, line in zip(units, coded, strict=True):
        row[: len(line)] = line
    return from_units(units)


def units_of(value: Any) -> Units:
    """Return the code units that a value assigned into a char array, or joined to one, becomes."""
    if isinstance(value, CharArray):
        return value.data
    if isinstance(value, float | bool):
        return _codes(np.array([[value]]))
    class_name = getattr(value, "class_name", "double")
    if class_name == "string":
        return string_units(value)
    data = getattr(value, "data", value)
    if isinstance(data, np.ndarray) and data.dtype.kind in "fiub":
        return _codes(data)
    raise no_conversion("char", class_name)


def string_units(value: Any) -> Units:
    """Return the code units of a string scalar."""
    if value.data.size != 1:
        raise MatlabError(
            "MATLAB:string:MustBeScalarString",
            "Conversion from string array to char array requires a scalar string.",
        )
    item = value.data.item()
    if not isinstance(item, str):
        raise MatlabError(
            "MATLAB:string:CannotConvertMissingElementToChar",
            "Cannot convert missing string element to char.",
        )
    return encode(item)


def _codes(numbers: NDArray[Any]) -> Units:
    if numbers.dtype.kind == "f":
        whole = np.nan_to_num(numbers, nan=0.0, posinf=65535.0, neginf=0.0)
        numbers = np.trunc(whole)
    units: Units = np.clip(numbers, 0, 65535).astype(np.uint16)
    return units


def no_conversion(target: str, source: str) -> MatlabError:
    """Return the error of an assignment whose right side has no conversion to the left's class."""
    return MatlabError(
        "MATLAB:invalidConversion", f"Conversion to {target} from {source} is not possible."
    )


def concat_text(values: list[Any], axis: int) -> CharArray:
    """Char arrays joined along `axis` with numbers among them taken as code units.

    Raises:
        MatlabError: MATLAB:catenate:dimensionMismatch where the sizes do not fit.
    """
    if axis == 1:
        texts = [v.content for v in values if v.__class__ is CharArray]
        if len(texts) == len(values) and all(t.__class__ is str for t in texts):
            return _row("".join(texts))  # type: ignore[arg-type]
    parts = [units_of(v) for v in values]
    kept = [p for p in parts if p.shape != (0, 0)] or parts[:1]
    rank = max([axis + 1, *(p.ndim for p in kept)])
    kept = [p.reshape(p.shape + (1,) * (rank - p.ndim), order="F") for p in kept]
    extents = {p.shape[:axis] + p.shape[axis + 1 :] for p in kept}
    if len(extents) > 1:
        # rows of width zero vanish below each other: ['abc'; zeros(1,0)]
        kept = [p for p in kept if p.size] or kept[:1]
        extents = {p.shape[:axis] + p.shape[axis + 1 :] for p in kept}
        if len(extents) > 1:
            raise errors.catenate_mismatch()
    joined = np.concatenate(kept, axis)
    return from_units(np.asfortranarray(joined.reshape(subscript.trimmed(joined.shape), order="F")))
