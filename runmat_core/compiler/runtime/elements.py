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
    COLON,
    Array,
    CellArray,
    CharArray,
    Complex,
    Value,
    assign,
    assign_path,
    brace,
    horzcat,
    index,
    picked,
    vertcat,
)
from runmat_core.values.array import element_for, from_numpy, wrap
from runmat_core.values.buffers import append
from runmat_core.values.cell import cell_row
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS
from runmat_core.values.spans import (
    Span,
    own,
    part,
    part1,
    part2,
    put_lines,
    put_matrix,
    put_part,
    span,
    whole,
)

_DOUBLE = np.dtype(np.float64)
_COMPLEX = np.dtype(np.complex128)
_LOGICAL = np.dtype(np.bool_)
_FLOAT = frozenset({float})
_CHAR = frozenset({CharArray})


def index1(value: Any, sub: Any) -> Any:
    """``value(sub)``."""
    if sub.__class__ is float and value.__class__ is Array and sub.is_integer():
        data = value.data
        place = sub.__trunc__()
        if 0 < place <= data.size:
            kind = data.dtype
            if kind is _DOUBLE or kind is _LOGICAL:
                if len(data) == 1 and data.ndim == 2:
                    return data.item(place - 1)
                # the transpose of a column-major array enumerates its elements in order
                return data.T.item(place - 1)
            return _element(kind, data.T.item(place - 1))
    elif sub.__class__ is Array and value.__class__ is Array:
        found = picked.read(value, sub)
        if found is not NotImplemented:
            return found
    elif sub is COLON and value.__class__ is Array:
        data = value.data
        if 1 < data.size < HOOKS.captured:
            column: Array = object.__new__(Array)
            # what is one column already may hold the buffer, too
            column.data = data.reshape((-1, 1), order="F")
            return column
    return index(value, (sub,))


def index2(value: Any, row: Any, column: Any) -> Any:
    """``value(row, column)``."""
    if value.__class__ is Array:
        if row.__class__ is float and column.__class__ is float:
            data = value.data
            if data.ndim == 2:
                rows, columns = data.shape
                if (
                    1.0 <= row <= rows
                    and 1.0 <= column <= columns
                    and row.is_integer()
                    and column.is_integer()
                ):
                    kind = data.dtype
                    found = data.item(row.__trunc__() - 1, column.__trunc__() - 1)
                    if kind is _DOUBLE or kind is _LOGICAL:
                        return found
                    return _element(kind, found)
        elif row is COLON or column is COLON:
            return part2(value, row, column)
    return index(value, (row, column))


def index3(value: Any, row: Any, column: Any, page: Any) -> Any:
    """``value(row, column, page)``; ranges among them may be spans."""
    if value.__class__ is Array and page.__class__ is float and value.data.ndim == 3:
        data = value.data
        rows, columns, pages = data.shape
        if 1.0 <= page <= pages and page.is_integer():
            if row.__class__ is float and column.__class__ is float:
                if (
                    1.0 <= row <= rows
                    and 1.0 <= column <= columns
                    and row.is_integer()
                    and column.is_integer()
                ):
                    at = row.__trunc__() - 1, column.__trunc__() - 1, page.__trunc__() - 1
                    return _element(data.dtype, data.item(at))
            elif rows * columns < HOOKS.captured:
                return part2(wrap(data[:, :, page.__trunc__() - 1]), row, column)
    subs = row, column, page
    return part(value, subs) if Span in map(type, subs) else index(value, subs)


def _element(kind: Any, element: Any) -> Any:
    """Return an element of an array of any class."""
    if kind is _DOUBLE or kind is _LOGICAL:
        return element
    if kind is _COMPLEX:
        return Complex(element) if element.imag else element.real
    found: Any = np.empty((1, 1), kind)
    found[0, 0] = element
    return from_numpy(found) if kind.kind == "c" else wrap(found)


def put1(new: Any, value: Any, sub: Any) -> Any:
    """Return what ``value(sub) = new`` leaves in the variable."""
    if (
        value.__class__ is Array
        and sub.__class__ is float
        and sub.is_integer()
        and getrefcount(value.data) <= 2
        and (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        data: Any = value.data
        kind, size = data.dtype, data.size
        if (new.__class__ is float and kind is _DOUBLE) or (
            new.__class__ is bool and kind is _LOGICAL
        ):
            element: Any = new
        else:
            element = element_for(new, kind) if size > 1 else None
        if element is not None:
            place, rows = sub.__trunc__(), len(data)
            try:
                if 0 < place <= size:
                    if data.ndim > 2:
                        data.ravel("F")[place - 1] = element
                    elif rows == 1:
                        data[0, place - 1] = element
                    else:
                        data[(place - 1) % rows, (place - 1) // rows] = element
                    return value
                if place == size + 1 and append(value, element):
                    return value
            except ValueError:  # read-only: what is written is a copy
                pass
        # the rules that follow count who holds the buffer
        data = None
    elif sub.__class__ is Array and value.__class__ is Array and picked.write(value, sub, new):
        return value
    return assign(value, (sub,), own(new))


def put2(new: Any, value: Any, row: Any, column: Any) -> Any:
    """Return what ``value(row, column) = new`` leaves in the variable."""
    if (
        value.__class__ is Array
        and row.__class__ is float
        and column.__class__ is float
        and getrefcount(value.data) <= 2
        and (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        data: Any = value.data
        kind = data.dtype
        if (new.__class__ is float and kind is _DOUBLE) or (
            new.__class__ is bool and kind is _LOGICAL
        ):
            element: Any = new
        else:
            element = element_for(new, kind) if data.size > 1 else None
        if element is not None and data.ndim == 2:
            rows, columns = data.shape
            if (
                1.0 <= row <= rows
                and 1.0 <= column <= columns
                and row.is_integer()
                and column.is_integer()
            ):
                try:
                    data[row.__trunc__() - 1, column.__trunc__() - 1] = element
                    return value
                except ValueError:  # read-only: what is written is a copy
                    pass
        # the rules that follow count who holds the buffer
        data = None
    elif row is COLON or column is COLON:
        if value.__class__ is Array and new is not value and put_lines(value, row, column, new):
            return value
        return assign(value, (row, column), own(new))
    return assign(value, (row, column), own(new))


def put3(new: Any, value: Any, row: Any, column: Any, page: Any) -> Any:
    """Return what ``value(row, column, page) = new`` leaves in the variable.

    Ranges may be spans.
    """
    if (
        value.__class__ is Array
        and page.__class__ is float
        and page.is_integer()
        and value.data.ndim == 3
        and 1.0 <= page <= value.data.shape[2]
        and getrefcount(value.data) <= 2
        and (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        matrix: Any = value.data[:, :, page.__trunc__() - 1]
        if row.__class__ is float and column.__class__ is float:
            element = element_for(new, matrix.dtype)
            rows, columns = matrix.shape
            if (
                element is not None
                and 1.0 <= row <= rows
                and 1.0 <= column <= columns
                and row.is_integer()
                and column.is_integer()
                and matrix.flags.writeable
            ):
                matrix[row.__trunc__() - 1, column.__trunc__() - 1] = element
                return value
        elif new is not value and put_matrix(matrix, row, column, new):
            return value
        # the rules that follow count who holds the buffer
        matrix = None
    return put_part(new, value, (row, column, page))


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
    """Return what ``value{sub} = new`` leaves in the variable."""
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
        data: Any = value.data
        if data.ndim == 2:
            rows, position = len(data), sub.__trunc__() - 1
            try:
                if 0 <= position < data.size:
                    data[position % rows, position // rows] = new
                    return value
                if position == data.size and append(value, new):
                    return value
            except ValueError:  # read-only: what is written is a copy
                pass
        # the rules that follow count who holds the buffer
        data = None
    return assign_path(value, (("{}", (sub,)),), new)


def horzcat2(left: Any, right: Any) -> Any:
    """``[left right]``: numbers, and text joined to text, without more ado."""
    if left.__class__ is float and right.__class__ is float:
        numbers: Array = object.__new__(Array)
        numbers.data = np.array(((left, right),))
        return numbers
    if left.__class__ is CharArray and right.__class__ is CharArray:
        first, second = left.content, right.content
        if first.__class__ is str and second.__class__ is str:
            joined: CharArray = object.__new__(CharArray)
            joined.content = first + second
            return joined
    return horzcat(left, right)


def horzcat_row(*parts: Any) -> Any:
    """Return ``[a b c]``: numbers, and pieces of text joined to text, without more ado."""
    kind = parts[0].__class__ if parts else None
    if kind is float and len(parts) > 1 and _FLOAT.issuperset(map(type, parts)):
        numbers: Array = object.__new__(Array)
        numbers.data = np.array((parts,))
        return numbers
    if kind is CharArray and _CHAR.issuperset(map(type, parts)):
        contents = [part.content for part in parts]
        if {str}.issuperset(map(type, contents)):
            joined: CharArray = object.__new__(CharArray)
            joined.content = "".join(contents)
            return joined
    return horzcat(*parts)


def block(width: int, *parts: Any) -> Any:
    """Return ``[a b; c d]`` whose rows have `width` elements each, which all follow one another."""
    if parts[0].__class__ is float and _FLOAT.issuperset(map(type, parts)):
        numbers: Array = object.__new__(Array)
        numbers.data = np.array(parts).reshape((-1, width)).copy("F")
        return numbers
    rows = [horzcat_row(*parts[at : at + width]) for at in range(0, len(parts), width)]
    return vertcat(*rows)


HELPERS = {
    "block": block,
    "horzcat": horzcat_row,
    "horzcat2": horzcat2,
    "index1": index1,
    "index2": index2,
    "index3": index3,
    "part": part,
    "part1": part1,
    "part2": part2,
    "span": span,
    "whole": whole,
    "put1": put1,
    "put2": put2,
    "put3": put3,
    "brace1": brace1,
    "put_brace1": put_brace1,
}
