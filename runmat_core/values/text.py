"""Text values as Python text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.string import MISSING, StringArray


def is_text(value: Any) -> bool:
    """Whether `value` is a row of chars (or ``''``) or a string scalar that is not missing."""
    if value.__class__ is CharArray:
        return value.content.__class__ is str or value.is_row
    return (
        isinstance(value, StringArray) and value.data.size == 1 and value.data.item() is not MISSING
    )


def text(value: Any) -> str:
    """Return the text of a row of chars or of a string scalar.

    Raises:
        MatlabError: `value` is something else.
    """
    if value.__class__ is CharArray:
        content = value.content
        if isinstance(content, str):
            return content
        if value.is_row:
            return value.text()
    if isinstance(value, StringArray) and value.data.size == 1:
        return value.texts()[0]
    raise MatlabError("MATLAB:expectedText", "Value must be a character vector or a string scalar.")


def texts(value: Any) -> list[str]:
    """All texts of a char array (its rows), a string array or a cell array of texts.

    Raises:
        MatlabError: `value` holds something else.
    """
    if isinstance(value, CharArray):
        return [value.text()] if value.is_row else value.rows()
    if isinstance(value, StringArray):
        return value.texts()
    if isinstance(value, CellArray):
        return [text(item) for item in value.items()]
    raise MatlabError(
        "MATLAB:expectedText",
        "Value must be a character array, a string array or a cell array of character vectors.",
    )


#: Longer rows of numbers are no words of a call.
_FEW = 8


def words_key(args: Iterable[Any]) -> tuple[Hashable, ...] | None:
    """Return a key for arguments that are numbers, char rows, ``[]`` or short rows of numbers.

    Return None for others.
    """
    key: list[Hashable] = []
    for value in args:
        kind = value.__class__
        if kind is CharArray:
            value = value.content
            kind = value.__class__
        elif kind is Array:
            data = value.data
            if data.dtype.char != "d" or data.size > _FEW or data.ndim != 2:
                return None
            key.append(None if data.shape == (0, 0) else (data.shape, data.tobytes()))
            continue
        if kind is not float and kind is not str:
            return None
        key.append(value)
    return tuple(key)
