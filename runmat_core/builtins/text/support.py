"""What the text builtins share: reading text arguments and giving results the same class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import nearest
from runmat_core.values import (
    DTYPE,
    MISSING,
    Array,
    CellArray,
    CharArray,
    StringArray,
    class_of,
    from_numpy,
    numel_of,
    to_numpy,
)
from runmat_core.values.cell import object_array
from runmat_core.values.char import char_rows, chars
from runmat_core.values.string import string_array

Edit = Callable[[str], str]


def row(text: str) -> CharArray:
    """Return a char row vector; ``1x0`` for empty text."""
    return CharArray(text) if text else CharArray(np.zeros((1, 0), dtype=np.uint16))


def string_of(items: Any, shape: tuple[int, ...] | None = None) -> StringArray:
    """Return a string array of Python strings, by default a row."""
    items = list(items)
    return string_array(items, (1, len(items)) if shape is None else shape)


def elements(value: Any) -> Iterator[Any]:
    """Return the elements of an array's buffer in column-major order."""
    return iter(value.data.ravel(order="F").tolist())


def plain_texts(items: list[Any]) -> list[str] | None:
    """Return the texts of char rows that are all kept as text.

    Return None where something else is among them.
    """
    found = joined_texts(items)
    return None if found is None else found[0]


def joined_texts(items: list[Any]) -> tuple[list[str], str] | None:
    """Return what `plain_texts` gives, and all of it in one text."""
    if items and items[0].__class__ is not CharArray:
        return None
    try:
        contents = [item.content for item in items]  # nothing else has any
        # the quickest test of the class of all of them
        return contents, "".join(contents)
    except (AttributeError, TypeError):
        return None


def is_char_row(value: Any) -> bool:
    """Whether `value` is a char row vector or an empty char array."""
    return isinstance(value, CharArray) and (value.is_row or 0 in value.shape)


def is_cellstr(value: Any) -> bool:
    return isinstance(value, CellArray) and all(is_char_row(item) for item in elements(value))


def is_text_scalar(value: Any) -> bool:
    """Return a char row vector or one string."""
    return is_char_row(value) or (isinstance(value, StringArray) and value.data.size == 1)


def string_text(item: Any) -> str:
    """Return the text of one element of a string array; missing reads as ``<missing>``."""
    return item if isinstance(item, str) else "<missing>"


def scalar_text(value: Any, error: MatlabError) -> str:
    """Return the text of a char row vector or string scalar; raises `error` for anything else."""
    if value.__class__ is CharArray and value.content.__class__ is str:
        return value.content
    if isinstance(value, CharArray) and is_char_row(value):
        return value.text()
    if isinstance(value, StringArray) and value.data.size == 1:
        return string_text(value.data.flat[0])
    raise error


def maybe_text(value: Any) -> str | None:
    """Return the text of a char row vector or string scalar, else None."""
    if value.__class__ is CharArray and value.content.__class__ is str:
        return value.content
    if isinstance(value, CharArray):
        return value.text() if is_char_row(value) else None
    if isinstance(value, StringArray) and value.data.size == 1:
        item = value.data.flat[0]
        return item if isinstance(item, str) else None
    return None


def text_list(value: Any, error: MatlabError) -> list[str]:
    """Every text in a char array (one), string array or cell array of char vectors."""
    if isinstance(value, CharArray):
        content = value.content
        if content.__class__ is str:
            return [content]
        return [value.text()] if is_char_row(value) else value.rows()
    if isinstance(value, StringArray):
        return [string_text(item) for item in elements(value)]
    if isinstance(value, CellArray):
        items = value.items()
        return plain_texts(items) or [scalar_text(item, error) for item in items]
    raise error


def map_text(value: Any, edit: Edit, error: MatlabError, *, matrix: bool = False) -> Any:
    """Apply `edit` to each text and keep class and shape; missing strings stay missing.

    A char vector that becomes empty is ``0x0``.

    `matrix` allows a char array of several rows, edited row by row and padded again.
    """
    if isinstance(value, CharArray):
        content = value.content
        if content.__class__ is str:
            return CharArray(edit(content))
        if is_char_row(value):
            return CharArray(edit(value.text()))
        if matrix:
            return char_rows([edit(line) for line in value.rows()])
        raise error
    if isinstance(value, StringArray):
        edited_items = [
            edit(item) if isinstance(item, str) else MISSING for item in elements(value)
        ]
        return StringArray(object_array(edited_items, value.data.shape))
    if isinstance(value, CellArray):
        items = value.items()
        plain = plain_texts(items)
        edited = (
            [map_text(item, edit, error) for item in items]
            if plain is None
            else chars(list(map(edit, plain)))
        )
        return CellArray(object_array(edited, value.data.shape))
    raise error


def map_values(value: Any, measure: Callable[[str], Any], error: MatlabError) -> Any:
    """Apply `measure`, a function from text to a Python number, and keep the shape."""
    if isinstance(value, CharArray):
        if not is_char_row(value):
            raise error
        return from_numpy(np.array([[measure(value.text())]]))
    if isinstance(value, StringArray | CellArray):
        results = [measure(text) for text in text_list(value, error)]
        kind = bool if results and isinstance(results[0], bool) else float
        return from_numpy(np.array(results, dtype=kind).reshape(value.data.shape, order="F"))
    raise error


def container_shape(value: Any) -> tuple[int, ...]:
    """Return the size of an input counted in texts: a char row is one."""
    if isinstance(value, CharArray):
        return (1, 1) if is_char_row(value) else (len(value.rows()), 1)
    return tuple(value.data.shape)


def logical_array(flags: list[bool], shape: tuple[int, ...]) -> Any:
    """Return flags in column-major order as a logical array."""
    if len(flags) == 1:
        return flags[0]
    # as bytes they take a third of the time that NumPy takes to look at each
    if len(shape) == 2 and flags:
        made: Array = object.__new__(Array)
        made.data = np.ndarray(shape, np.bool_, bytearray(flags), order="F")
        return made
    flat = np.frombuffer(bytearray(flags), dtype=np.bool_)
    return from_numpy(flat.reshape(shape, order="F"))


def double_array(numbers: Any, shape: tuple[int, ...]) -> Any:
    return from_numpy(np.array(numbers, dtype=float).reshape(shape, order="F"))


def double_row(numbers: Any) -> Any:
    """Return a 1xN double; ``[]`` for none, as the search functions return."""
    numbers = list(numbers)
    if len(numbers) == 1:
        return float(numbers[0])
    if not numbers:
        return from_numpy(np.zeros((0, 0)))
    return double_array(numbers, (1, len(numbers)))


def whole_number(value: Any, error: MatlabError) -> int:
    """Return a nonnegative integer argument."""
    if value.__class__ is float and value >= 0.0 and value.is_integer():
        return int(value)
    if class_of(value) not in DTYPE or numel_of(value) != 1:
        raise error
    number = to_numpy(value).flat[0]
    if np.iscomplexobj(number) or not float(number).is_integer() or number < 0:
        raise error
    return int(number)


def option_pairs(
    args: tuple[Any, ...], names: dict[str, str], error: MatlabError
) -> dict[str, Any]:
    """Name-value arguments, their names in any case, by the keys that `names` maps these to.

    Args:
        names: keys by names as documentation writes them: that is how a hint names them.
    """
    if len(args) % 2:
        raise error
    keys = {name.lower(): key for name, key in names.items()}
    options = {}
    for name, value in zip(args[::2], args[1::2], strict=True):
        word = scalar_text(name, error)
        key = keys.get(word.lower())
        if key is None:
            raise MatlabError(error.identifier, error.message + nearest(word, names))
        options[key] = value
    return options
