"""Ranges that stand among subscripts: ``x(a:b)`` and ``x(a:s:b)``, read and written.

Nobody else sees such a range, so its numbers need not be made: an array on the host is cut where
the range lies, and what captures takes its two ends and its step as they are. Whatever is odd about
a range, or about what it selects of, is left to the range in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any

from numpy.typing import NDArray

from runmat_core.values.array import Array, element_for, from_numpy
from runmat_core.values.base import COLON
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.colon import colon
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS
from runmat_core.values.indexing import assign, index
from runmat_core.values.positions import EVERYTHING, Span
from runmat_core.values.string import StringArray
from runmat_core.values.struct import StructArray
from runmat_core.values.subscript import at_most

#: Whole numbers up to here are exact in doubles, sums and products of them too.
_EXACT = 2.0**53
#: Classes whose subscripts may be spans; others are given the range in full.
_CUT = frozenset({Array, CellArray, CharArray, StringArray, StructArray})

#: Element types whose parts are of the same class whatever their elements are.
_REAL = frozenset("df?bBhHiIlLqQ")
_array = object.__new__

#: A `Span`, without a call of Python's.
_new = tuple.__new__


def span(first: Any, second: Any, third: Any = None) -> Any:
    """``first:last`` or ``first:step:last`` as a subscript: a `Span`, else the range itself."""
    if third is None:
        if not (first.__class__ is float and second.__class__ is float):
            return colon(first, second)
        if first.is_integer() and second.is_integer() and 1.0 <= first < second < _EXACT:
            start = first.__trunc__() - 1
            return _new(Span, (start, 1, second.__trunc__() - start))
        if first == second and first.is_integer() and 1.0 <= first < _EXACT:
            return first
        return colon(first, second)
    if first.__class__ is float and second.__class__ is float and third.__class__ is float:
        whole_numbers = first.is_integer() and second.is_integer() and third.is_integer()
        if whole_numbers and second and 1.0 <= first < _EXACT and 1.0 <= third < _EXACT:
            count = (int(third) - int(first)) // int(second) + 1
            if count > 1:
                return _new(Span, (int(first) - 1, int(second), count))
            if count == 1:
                return first
    return colon(first, second, third)


def whole(sub: Any) -> Any:
    """Return a subscript as the value that was written."""
    if sub.__class__ is not Span:
        return sub
    start, step, count = sub
    first, last = start + 1.0, float(start + 1 + step * (count - 1))
    return colon(first, last) if step == 1 else colon(first, float(step), last)


def wholes(subs: Sequence[Any]) -> Sequence[Any]:
    """Subscripts as the values that were written."""
    return tuple([whole(sub) for sub in subs]) if Span in map(type, subs) else subs


# -- reading --------------------------------------------------------------------------------------


def part1(value: Any, sub: Any) -> Any:
    """``value(sub)`` where `sub` may be a span."""
    if sub.__class__ is Span and value.__class__ is Array:
        data = value.data
        size = data.size
        start, step, count = sub
        stop = start + step * count
        small = start < size and count < HOOKS.captured
        if small and 0 <= stop - step < size and data.dtype.char in _REAL:
            at = slice(start, stop if stop >= 0 else None, step)
            result = _array(Array)
            if len(data) == 1 and data.ndim == 2:
                result.data = data[:, at].copy()
            else:
                column = data.ndim == 2 and data.shape[1] == 1
                picked = data.ravel("F")[at].copy()
                result.data = picked.reshape((count, 1) if column else (1, count))
            return result
    return part(value, (sub,))


def part2(value: Any, row: Any, column: Any) -> Any:
    """``value(row, column)`` where spans may be among the subscripts."""
    if value.__class__ is Array:
        data = value.data
        if data.ndim == 2 and data.dtype.char in _REAL:
            height, width = data.shape
            rows = EVERYTHING if row is COLON else _slice(row, height)
            columns = EVERYTHING if column is COLON else _slice(column, width)
            if rows is not None and columns is not None:
                cut = data[rows, columns]
                if 1 != cut.size < HOOKS.captured:
                    result = _array(Array)
                    result.data = cut.copy("F")
                    return result
    return part(value, (row, column))


def part(value: Any, subs: Sequence[Any]) -> Any:
    """``value(subs...)`` where spans may be among the subscripts."""
    kind = value.__class__
    if kind is Deferred or (
        kind is Array
        and value.data.size >= HOOKS.smallest
        and at_most(value.data.shape, subs) >= HOOKS.smallest
    ):
        found = HOOKS.part(value, subs)
        if found is not NotImplemented:
            return found
        kind = value.__class__
    if kind is Array:
        data = value.data
        cut = _cut_linear(data, subs[0]) if len(subs) == 1 else _cut(data, subs)
        if cut is not None:
            return from_numpy(cut)
        if data.size >= HOOKS.smallest:
            return index(value, wholes(subs))
    return index(value, subs if kind in _CUT else wholes(subs))


def _cut_linear(data: NDArray[Any], sub: Any) -> NDArray[Any] | None:
    """Return what one span selects of all elements in order; None where not all of it is there."""
    at = _slice(sub, data.size) if sub.__class__ is Span else None
    if at is None:
        return None
    column = data.ndim == 2 and data.shape[1] == 1 and len(data) != 1
    picked = data.ravel("F")[at].copy()
    return picked.reshape((-1, 1) if column else (1, -1))


def _cut(data: NDArray[Any], subs: Sequence[Any]) -> NDArray[Any] | None:
    """Return what spans, numbers and colons select of a matrix.

    Return None where it takes more looking.
    """
    if data.ndim != 2 or len(subs) != 2:
        return None
    rows, columns = _slice(subs[0], data.shape[0]), _slice(subs[1], data.shape[1])
    if rows is None or columns is None:
        return None
    return data[rows, columns].copy("F")


def _slice(sub: Any, extent: int) -> slice | None:
    """Return the places that a subscript selects of so many, where they are at equal distances."""
    if sub.__class__ is Span:
        start, step, count = sub
        stop = start + step * count
        if not (start < extent and 0 <= stop - step < extent):
            return None
        return slice(start, stop if stop >= 0 else None, step)
    if sub is COLON:
        return EVERYTHING
    if sub.__class__ is float and sub.is_integer() and 1.0 <= sub <= extent:
        place = sub.__trunc__()
        return slice(place - 1, place)
    return None


# -- writing --------------------------------------------------------------------------------------


def own(new: Any) -> Any:
    """Return an array that compiled code lends to a write, as a value that a variable may hold."""
    return new.share() if new.__class__ is Array else new


def put_part(new: Any, value: Any, subs: Sequence[Any]) -> Any:
    """Return what ``value(subs...) = new`` leaves in the variable.

    Spans may be among the subscripts.
    """
    if value.__class__ is Array and new is not value:
        given = len(subs)
        if given == 1 and _put_linear(value, subs[0], new):
            return value
        if given == 2 and put_lines(value, subs[0], subs[1], new):
            return value
    return assign(value, plain(value, subs), own(new))


def _put_linear(value: Array, sub: Any, new: Any) -> bool:
    """Write to what a span selects where it is there and nothing else holds it; whether it was."""
    if (
        sub.__class__ is not Span
        or getrefcount(value.data) > 2
        or not (value.data.base is None or getrefcount(value.data.base) <= 2)
    ):
        return False
    data = value.data
    start, step, count = sub
    stop = start + step * count
    size = data.size
    if not (start < size and 0 <= stop - step < size and data.flags.writeable):
        return False
    element: Any
    row = len(data) == 1 and data.ndim == 2
    if new.__class__ is Array and new.data.dtype is data.dtype and new.data.size == count:
        element = new.data
        if not row or len(element) != 1:
            element = element.ravel("F")
    else:
        element = element_for(new, data.dtype)
        if element is None:
            return False
    if row:
        data[0, start : stop if stop >= 0 else None : step] = element
    else:
        data.ravel("F")[start : stop if stop >= 0 else None : step] = element
    return True


def put_lines(value: Array, row: Any, column: Any, new: Any) -> bool:
    """Return the same for what spans, numbers and colons select of a matrix."""
    if getrefcount(value.data) > 2 or not (
        value.data.base is None or getrefcount(value.data.base) <= 2
    ):
        return False
    return value.data.ndim == 2 and put_matrix(value.data, row, column, new)


def put_matrix(data: NDArray[Any], row: Any, column: Any, new: Any) -> bool:
    """Write to a matrix that a value alone holds, where all that is selected is there."""
    if not (data.size > 1 and data.flags.writeable):
        return False
    height, width = data.shape
    rows = EVERYTHING if row is COLON else _slice(row, height)
    columns = EVERYTHING if column is COLON else _slice(column, width)
    if rows is None or columns is None:
        return False
    if new.__class__ is Array and new.data.dtype is data.dtype:
        source = new.data
        if column.__class__ is float and row is COLON:
            fits = source.shape == (height, 1)
        elif row.__class__ is float and column is COLON:
            fits = source.shape == (1, width)
        else:
            fits = source.shape == data[rows, columns].shape
        if fits:
            data[rows, columns] = source
        return fits
    element = element_for(new, data.dtype)
    if element is None:
        return False
    data[rows, columns] = element
    return True


def plain(value: Any, subs: Sequence[Any]) -> Sequence[Any]:
    """Subscripts of a write as `value` takes them: what is new may become of any class."""
    if value.__class__ is Array:
        return subs if 0 < value.data.size < HOOKS.captured else wholes(subs)
    return subs if value.__class__ in _CUT else wholes(subs)


__all__ = [
    "Span",
    "own",
    "part",
    "part1",
    "part2",
    "plain",
    "put_lines",
    "put_matrix",
    "put_part",
    "span",
    "whole",
    "wholes",
]
