"""Reading and writing single elements: the hot subset of subscripting.

Each helper handles a float subscript of an ordinary array and leaves everything else, errors
included, to the general rules in `runmat_core.values`. A write goes in place when nothing else
holds the buffer; the counts are read from heap slots before any local variable holds the buffer.

A whole number is made an int by its method `__trunc__`: `int` looks its type up first, and
comparing the two takes as long again.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np

from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    Value,
    assign,
    assign_path,
    brace,
    horzcat,
    index,
)
from runmat_core.values.buffers import append
from runmat_core.values.cell import cell_row
from runmat_core.values.deferred import Deferred
from runmat_core.values.spans import part, span, whole

_DOUBLE = np.dtype(np.float64)
_LOGICAL = np.dtype(np.bool_)


def index1(value: Any, sub: Any) -> Any:
    """``value(sub)``."""
    if sub.__class__ is float and value.__class__ is Array and sub.is_integer():
        data = value.data
        kind = data.dtype
        place = sub.__trunc__()
        if (kind is _DOUBLE or kind is _LOGICAL) and 0 < place <= data.size:
            if len(data) == 1 and data.ndim == 2:
                return data.item(place - 1)
            # the transpose of a column-major array enumerates its elements in order
            return data.T.item(place - 1)
    return index(value, (sub,))


def index2(value: Any, row: Any, column: Any) -> Any:
    """``value(row, column)``."""
    if row.__class__ is float and column.__class__ is float and value.__class__ is Array:
        data = value.data
        kind = data.dtype
        if (kind is _DOUBLE or kind is _LOGICAL) and data.ndim == 2:
            rows, columns = data.shape
            if (
                1.0 <= row <= rows
                and 1.0 <= column <= columns
                and row.is_integer()
                and column.is_integer()
            ):
                return data.item(row.__trunc__() - 1, column.__trunc__() - 1)
    return index(value, (row, column))


def part1(value: Any, sub: Any) -> Any:
    """``value(sub)`` for a range."""
    return part(value, (sub,))


def part2(value: Any, row: Any, column: Any) -> Any:
    """``value(row, column)`` with a range among the subscripts."""
    return part(value, (row, column))


def put1(new: Any, value: Any, sub: Any) -> Any:
    """What ``value(sub) = new`` leaves in the variable."""
    if (
        value.__class__ is Array
        and sub.__class__ is float
        and sub.is_integer()
        and getrefcount(value.data) <= 2
        and (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        data = value.data
        kind = data.dtype
        if data.ndim == 2 and (
            (new.__class__ is float and kind is _DOUBLE)
            or (new.__class__ is bool and kind is _LOGICAL)
        ):
            place, rows, size = sub.__trunc__(), len(data), data.size
            if 0 < place <= size:
                try:
                    if rows == 1:
                        data[0, place - 1] = new
                    else:
                        data[(place - 1) % rows, (place - 1) // rows] = new
                except ValueError:  # read-only: what is written is a copy
                    return assign(value, (sub,), new)
                return value
            if rows == 1 and place == size + 1 and append(value, new):
                return value
    return assign(value, (sub,), new)


def put2(new: Any, value: Any, row: Any, column: Any) -> Any:
    """What ``value(row, column) = new`` leaves in the variable."""
    if (
        value.__class__ is Array
        and row.__class__ is float
        and column.__class__ is float
        and getrefcount(value.data) <= 2
        and (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        data = value.data
        kind = data.dtype
        if data.ndim == 2 and (
            (new.__class__ is float and kind is _DOUBLE)
            or (new.__class__ is bool and kind is _LOGICAL)
        ):
            rows, columns = data.shape
            if (
                1.0 <= row <= rows
                and 1.0 <= column <= columns
                and row.is_integer()
                and column.is_integer()
            ):
                try:
                    data[row.__trunc__() - 1, column.__trunc__() - 1] = new
                except ValueError:  # read-only: what is written is a copy
                    return assign(value, (row, column), new)
                return value
    return assign(value, (row, column), new)


def brace1(value: Any, sub: Any) -> Any:
    """``value{sub}``."""
    if value.__class__ is CellArray and sub.__class__ is float and sub.is_integer():
        data = value.data
        place = sub.__trunc__()
        if 0 < place <= data.size:
            # the transpose of a column-major array enumerates its elements in order
            flat = len(data) == 1 and data.ndim == 2
            found = data.item(place - 1) if flat else data.T.item(place - 1)
            return found.share() if isinstance(found, Value) else found
    return brace(value, (sub,))


def put_brace1(new: Any, value: Any, sub: Any) -> Any:
    """What ``value{sub} = new`` leaves in the variable."""
    if value is None and sub.__class__ is float and sub == 1.0 and new.__class__ is not Deferred:
        return cell_row([new])
    if (
        value.__class__ is CellArray
        and new.__class__ is not Deferred
        and sub.__class__ is float
        and sub.is_integer()
        and getrefcount(value.data) <= 2
        and (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        data = value.data
        if data.ndim == 2:
            rows, position = len(data), sub.__trunc__() - 1
            if 0 <= position < data.size:
                try:
                    data[position % rows, position // rows] = new
                except ValueError:  # read-only: what is written is a copy
                    return assign_path(value, (("{}", (sub,)),), new)
                return value
            if rows == 1 and position == data.size and append(value, new):
                return value
    return assign_path(value, (("{}", (sub,)),), new)


def horzcat2(left: Any, right: Any) -> Any:
    """``[left right]``: text joined to text without more ado."""
    if left.__class__ is CharArray and right.__class__ is CharArray:
        first, second = left.content, right.content
        if first.__class__ is str and second.__class__ is str:
            joined: CharArray = object.__new__(CharArray)
            joined.content = first + second
            return joined
    return horzcat(left, right)


def horzcat_row(*parts: Any) -> Any:
    """``[a b c]``: pieces of text joined to text without more ado."""
    if parts and {CharArray}.issuperset(map(type, parts)):
        contents = [part.content for part in parts]
        if {str}.issuperset(map(type, contents)):
            joined: CharArray = object.__new__(CharArray)
            joined.content = "".join(contents)
            return joined
    return horzcat(*parts)


HELPERS = {
    "horzcat": horzcat_row,
    "horzcat2": horzcat2,
    "index1": index1,
    "index2": index2,
    "part": part,
    "part1": part1,
    "part2": part2,
    "span": span,
    "whole": whole,
    "put1": put1,
    "put2": put2,
    "brace1": brace1,
    "put_brace1": put_brace1,
}
