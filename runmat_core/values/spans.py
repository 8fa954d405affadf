"""Ranges that stand among the subscripts of a read: ``x(a:b)`` and ``x(a:s:b)``.

Nobody else sees such a range, so its numbers need not be made: an array on the host is cut where
the range lies, and what captures takes its two ends and its step as they are. Whatever is odd about
a range, or about what it selects of, is left to the range in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from runmat_core.values.array import Array, from_numpy
from runmat_core.values.base import COLON
from runmat_core.values.colon import colon
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS
from runmat_core.values.indexing import index
from runmat_core.values.subscript import at_most, linear

#: Whole numbers up to here are exact in doubles, sums and products of them too.
_EXACT = 2.0**53


class Span(NamedTuple):
    """So many places, two or more, at equal distances; `start` counts from zero."""

    start: int
    step: int
    places: int


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
        return colon(first, second)
    if first.__class__ is float and second.__class__ is float and third.__class__ is float:
        whole_numbers = first.is_integer() and second.is_integer() and third.is_integer()
        if whole_numbers and second and 1.0 <= first < _EXACT and 1.0 <= third < _EXACT:
            count = (int(third) - int(first)) // int(second) + 1
            if count > 1:
                return _new(Span, (int(first) - 1, int(second), count))
    return colon(first, second, third)


def whole(sub: Any) -> Any:
    """A subscript as the value that was written."""
    if sub.__class__ is not Span:
        return sub
    start, step, count = sub
    first, last = start + 1.0, float(start + 1 + step * (count - 1))
    return colon(first, last) if step == 1 else colon(first, float(step), last)


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
    if value.__class__ is Array:
        data = value.data
        cut = _cut_linear(data, subs[0]) if len(subs) == 1 else _cut(data, subs)
        if cut is not None:
            return from_numpy(cut)
    return index(value, tuple([whole(sub) for sub in subs]))


def _cut_linear(data: NDArray[Any], sub: Any) -> NDArray[Any] | None:
    """What one span selects of all elements in order; None where not all of it is there."""
    at = _slice(sub, data.size)
    if at is None or sub.__class__ is not Span:
        return None
    picked = linear(data)[at].copy()
    column = data.ndim == 2 and data.shape[1] == 1 and data.shape[0] != 1
    return picked.reshape((-1, 1) if column else (1, -1))


def _cut(data: NDArray[Any], subs: Sequence[Any]) -> NDArray[Any] | None:
    """What spans, numbers and colons select of a matrix; None where it takes more looking."""
    if data.ndim != 2 or len(subs) != 2:
        return None
    rows, columns = _slice(subs[0], data.shape[0]), _slice(subs[1], data.shape[1])
    if rows is None or columns is None:
        return None
    return data[rows, columns].copy(order="F")


def _slice(sub: Any, extent: int) -> slice | None:
    """The places that a subscript selects of so many, where they are at equal distances."""
    if sub.__class__ is Span:
        start, step, count = sub
        last = start + step * (count - 1)
        if not (start < extent and 0 <= last < extent):
            return None
        stop = last + step
        return slice(start, stop if stop >= 0 else None, step)
    if sub is COLON:
        return slice(None)
    if sub.__class__ is float and sub.is_integer() and 1.0 <= sub <= extent:
        return slice(int(sub) - 1, int(sub))
    return None


__all__ = ["Span", "part", "span", "whole"]
