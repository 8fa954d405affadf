"""String arrays: each element is a text of any length, or missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.base import CommaList, Subscripts, Value, class_of
from runmat_core.values.cell import CellArray, join, object_array
from runmat_core.values.char import CharArray, no_conversion

Texts = NDArray[np.object_]


class Missing:
    """The element of a string array that holds no text: ``string(missing)``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<missing>"

    def __reduce__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


#: Functions that strings have as methods: ``s.upper`` and ``s.split(",")``.
STRING_METHODS = frozenset(
    """append cellstr char compose contains count double endsWith eq erase eraseBetween extract
    extractAfter extractBefore extractBetween ge gt insertAfter insertBefore ismissing issorted
    join le lower lt matches ne pad plus replace replaceBetween reverse sort split splitlines
    startsWith strip strlength upper""".split()
)


class StringArray(Value):
    """A string array; `data` is an object array of ``str`` and `MISSING`."""

    __slots__ = ()
    data: Texts
    class_name = "string"

    def __init__(self, data: Texts | str | Missing) -> None:
        self.data = _one(data) if isinstance(data, str | Missing) else np.asfortranarray(data)

    def share(self) -> StringArray:
        twin = object.__new__(StringArray)
        twin.data = self.data
        return twin

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def texts(self) -> list[str]:
        """Return the elements in column-major order; a missing one is an error.

        Raises:
            MatlabError: an element is missing.
        """
        items: list[Any] = self.data.ravel(order="F").tolist()
        if any(item is MISSING for item in items):
            raise MatlabError(
                "MATLAB:string:CannotConvertMissingElementToChar",
                "Cannot convert missing string element to char.",
            )
        return items

    def __repr__(self) -> str:
        return f"StringArray({self.data.tolist()!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> StringArray:
        return StringArray(subscript.read(self.data, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> StringArray:
        subscript.write(self, subs, assigned_texts(rhs), MISSING)
        return self

    def del_paren(self, subs: Subscripts) -> StringArray:
        subscript.remove(self, subs)
        return self

    def brace(self, subs: Subscripts) -> Any:
        """``s{i}`` is the char vector of an element."""
        items = StringArray(subscript.read(self.data, subs)).texts()
        return CharArray(items[0]) if len(items) == 1 else CommaList(map(CharArray, items))

    def set_brace(self, subs: Subscripts, rhs: Any) -> StringArray:
        if not isinstance(rhs, CharArray):
            raise no_conversion("char", class_of(rhs))
        return self.set_paren(subs, rhs)


def _one(text: Any) -> Texts:
    data = np.empty((1, 1), object)
    data[0, 0] = text
    return data


def string_array(texts: Sequence[str | Missing], shape: tuple[int, ...]) -> StringArray:
    """Texts in column-major order as a string array of a given size."""
    return StringArray(object_array(texts, shape))


def number_text(number: float | bool | complex) -> str | Missing:
    """Return a number as ``string`` writes it: five significant digits, missing for NaN."""
    if isinstance(number, bool):
        return "true" if number else "false"
    if isinstance(number, complex):
        imaginary = _short(abs(number.imag))
        sign = "-" if number.imag < 0 else "+"
        return f"{_short(number.real)}{sign}{imaginary}i"
    if number != number:
        return MISSING
    return _short(number)


def _short(number: float) -> str:
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Inf" if number > 0 else "-Inf"
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    digits = 5 if abs(number) < 1 else len(str(int(abs(number)))) + 4
    return f"{number:.{min(digits, 15)}g}"


def texts_of(value: Any) -> Texts:
    """Return the elements that a value becomes when it is converted with ``string``.

    Each row of a char array is one element; the elements of a cell array must be text or numbers.

    Raises:
        MatlabError: the class has no conversion to string.
    """
    if isinstance(value, StringArray):
        return value.data
    if isinstance(value, CharArray):
        if value.is_row:
            return _one(value.text())
        return object_array(value.rows(), (value.shape[0], 1, *value.shape[2:]))
    if isinstance(value, float | bool | complex):
        return _one(number_text(value))
    if isinstance(value, CellArray):
        return object_array([_element(v) for v in value.items()], value.shape)
    data = getattr(value, "data", None)
    if isinstance(data, np.ndarray) and data.dtype.kind in "fciub":
        return object_array(_number_texts(data), data.shape)
    own = getattr(value, "element_texts", None)
    if own is not None:
        texts: Texts = own()
        return texts
    raise no_conversion("string", value.class_name)


def _number_texts(data: NDArray[Any]) -> Iterable[str | Missing]:
    flat = data.ravel(order="F").tolist()
    if data.dtype.kind in "iu":
        return [str(n) for n in flat]
    if data.dtype == np.float32:
        return [number_text(float(f"{n:.7g}")) for n in flat]
    return [number_text(n) for n in flat]


def _element(value: Any) -> Any:
    texts = texts_of(value)
    if texts.size != 1:
        raise MatlabError(
            "MATLAB:string:MustBeConvertibleCellArray",
            "Conversion from cell failed. Element 1 must be convertible to a string scalar.",
        )
    return texts.item()


def assigned_texts(rhs: Any) -> Texts:
    """Return what the right side of an assignment into a string array becomes."""
    if isinstance(rhs, Value) and rhs.class_name in ("struct", "function_handle"):
        raise no_conversion("string", rhs.class_name)
    return texts_of(rhs)


def concat_strings(values: list[Any], axis: int) -> StringArray:
    """Return the concatenation along `axis` of values with a string array among them.

    Char arrays become one element a row, numbers and cells are converted, ``[]`` adds nothing.
    """
    parts = [
        texts_of(value)
        for value in values
        if isinstance(value, CharArray | StringArray) or 0 not in getattr(value, "shape", ())
    ]
    return StringArray(join(parts, axis))
