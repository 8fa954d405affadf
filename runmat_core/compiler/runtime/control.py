"""Loops and switch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

from runmat_core import values
from runmat_core.api.errors import MatlabError
from runmat_core.compiler.runtime.calls import contents
from runmat_core.values import CellArray, CharArray, CommaList, StructArray
from runmat_core.values.cell import cell_row as row_of
from runmat_core.values.classes import DOUBLE
from runmat_core.values.deferred import Deferred, settled, stored
from runmat_core.values.hooks import HOOKS


class NoIterations:
    """What a ``for`` that does not run iterates; its variable becomes `value`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


#: Rows of so many numbers are listed before a loop over them begins.
_LISTED = 256
#: Ranges up to here count exactly in floats.
_EXACT = 2.0**53
#: No loop gets as far as this.
_ENDLESS = 2.0**63


def range2(start: Any, stop: Any) -> Iterator[Any] | NoIterations:
    """Return what ``for k = start:stop`` iterates: floats, made one at a time."""
    if start.__class__ is float and stop.__class__ is float and start.is_integer():
        if stop < start:
            return NoIterations(values.colon(start, stop))
        if start > -_EXACT:
            if stop < _ENDLESS:
                return map(float, range(int(start), math.floor(stop) + 1))
            if stop == stop:
                return map(float, count(int(start)))
    return _range(start, 1.0, stop) or iterate(values.colon(start, stop))


def range3(start: Any, step: Any, stop: Any) -> Iterator[Any] | NoIterations:
    """Return what ``for k = start:step:stop`` iterates."""
    if (
        start.__class__ is float
        and step.__class__ is float
        and stop.__class__ is float
        and start.is_integer()
        and step.is_integer()
        and step
        and -_EXACT < start < _EXACT
    ):
        if (stop < start) if step > 0 else (stop > start):
            return NoIterations(values.colon(start, step, stop))
        if -_ENDLESS < stop < _ENDLESS:
            last = math.floor(stop) + 1 if step > 0 else math.ceil(stop) - 1
            return map(float, range(int(start), last, int(step)))
        if stop == stop:
            return map(float, count(int(start), int(step)))
    return _range(start, step, stop) or iterate(values.colon(start, step, stop))


def _range(start: Any, step: Any, stop: Any) -> Iterator[Any] | None:
    """Return the elements of any other range of numbers, some at a time.

    Return None where `colon` decides what it is.

    Return None where `colon` decides what it is.
    """
    if Deferred in (start.__class__, step.__class__, stop.__class__):
        return _moving(start, step, stop)
    found = values.range_of(start, step, stop)
    return found.elements() if found is not None and found.count > 0 else None


def _moving(start: Any, step: Any, stop: Any) -> Iterator[Any] | None:
    """Return the elements of a range whose ends move with an outer loop that is run ahead."""
    row = HOOKS.span(start, step, stop)
    if row.__class__ is not Deferred:
        return None
    return (values.plus(start, number * step) for number in range(row.shape[1]))


def iterate(value: Any) -> Iterator[Any] | NoIterations:
    """Return what ``for k = value`` iterates: the columns."""
    if value.__class__ is float or value.__class__ is bool:
        return iter((value,))
    if value.__class__ is values.Array and value.data.dtype is DOUBLE:
        data = value.data
        if data.ndim == 2 and len(data) == 1 and 0 < data.size <= _LISTED:
            numbers: list[float] = data[0].tolist()
            return iter(numbers)
    value = values.share(value)  # the loop may write to the variable
    passes = math.prod(values.size_of(value)[1:])
    return values.columns(value) if passes else NoIterations(value)


def fields(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield what ``for [value, key] = struct`` iterates: the fields with their names.

    Of a struct array the values of a field are a cell array of its size.
    """
    value = settled(value)
    if not isinstance(value, StructArray):
        raise MatlabError(
            "Octave:undefined-function", "in statement 'for [X, Y] = VAL', VAL must be a structure"
        )
    for name in value.field_names():
        if isinstance(value.data, dict):
            held = values.share(value.data[name])
        else:
            records = value.data.ravel(order="F")
            held = values.cell([values.share(one[name]) for one in records], value.data.shape)
        yield held, values.char(name)


def switch(subject: Any) -> Any:
    """Return the value that a ``switch`` compares; it must be a scalar or text."""
    subject = settled(subject)
    if subject.__class__ is float or values.is_text(subject) or values.numel_of(subject) <= 1:
        return subject
    if values.class_of(subject) == "char" and values.size_of(subject)[0] <= 1:
        return subject
    raise MatlabError(
        "MATLAB:badSwitchExpression",
        "SWITCH expression must be a scalar or a character vector.",
    )


def case(subject: Any, alternative: Any) -> bool:
    """Whether a ``case`` matches: any alternative of a cell, equal text, equal numbers."""
    alternative = settled(alternative)
    if subject.__class__ is CharArray and alternative.__class__ is CharArray:
        return subject.text() == alternative.text() and subject.is_row and alternative.is_row
    if isinstance(alternative, CellArray):
        return any(case(subject, item) for item in alternative.items())
    if isinstance(subject, values.ObjectValue):
        return bool(values.truth(values.eq(subject, alternative)))
    if values.is_text(subject) or values.is_text(alternative):
        return (
            values.is_text(subject)
            and values.is_text(alternative)
            and values.text(subject) == values.text(alternative)
        )
    if values.numel_of(subject) == values.numel_of(alternative) == 0:
        return True
    if values.numel_of(alternative) != 1 or values.numel_of(subject) != 1:
        return False
    return bool(values.truth(values.eq(subject, alternative)))


def case_any(subject: Any, alternatives: Any) -> bool:
    """Whether a ``case`` with a comma list among its alternatives matches."""
    return any(case(subject, item) for item in flat(alternatives))


def flat(*items: Any) -> tuple[Any, ...]:
    """`items` with comma lists spread out."""
    spread: list[Any] = []
    for item in items:
        if item.__class__ is CommaList:
            spread.extend(item)
        else:
            spread.append(item)
    return tuple(spread)


def cell_row(items: tuple[Any, ...]) -> Any:
    """Return ``{a, b, c}`` of values that nothing else holds."""
    count = len(items)
    if count == 2 and items[0].__class__ is not Deferred and items[1].__class__ is not Deferred:
        pair: CellArray = object.__new__(CellArray)
        pair.data = np.empty((1, 2), object)
        pair.data[0, 0], pair.data[0, 1] = items
        return pair
    if not count:
        return values.cell([], (0, 0))
    return row_of(contents(items) if Deferred in map(type, items) else list(items))


def cell_rows(*rows: tuple[Any, ...]) -> Any:
    """Return ``{a, b; c, d}`` of values that nothing else holds."""
    kept = [row for row in rows if row]
    width = len(kept[0]) if kept else 0
    if any(len(row) != width for row in kept):
        raise MatlabError(
            "MATLAB:catenate:dimensionMismatch",
            "Dimensions of arrays being concatenated are not consistent.",
        )
    columns = [stored(row[column]) for column in range(width) for row in kept]
    return values.cell(columns, (len(kept), width))


HELPERS = {
    "range2": range2,
    "range3": range3,
    "iterate": iterate,
    "fields": fields,
    "switch": switch,
    "case": case,
    "case_any": case_any,
    "flat": flat,
    "cell_row": cell_row,
    "cell_rows": cell_rows,
}
