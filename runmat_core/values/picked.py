"""Elements that a short list of positions or a small mask selects, read and written.

These take the shortest way; whatever is odd about the array, about the subscript or about what is
written is left to the rules of `subscript`, errors among them.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.array import Array, element_for, from_numpy
from runmat_core.values.classes import DOUBLE, LOGICAL
from runmat_core.values.hooks import HOOKS

#: Up to here Python's lists convert positions faster than NumPy's passes do.
_FEW = 24


def read(value: Array, sub: Array) -> Any:
    """``value(sub)``, or NotImplemented."""
    data = value.data
    given = sub.data
    if data.size < 2 or data.ndim != 2 or given.size >= HOOKS.captured:
        return NotImplemented
    if given.dtype is LOGICAL and given.shape == data.shape and 1 in given.shape:
        chosen = data[given]
        return from_numpy(chosen.reshape((1, -1) if len(data) == 1 else (-1, 1)))
    if data.dtype is DOUBLE and given.dtype is DOUBLE:
        row = _of_row(data, given)
        if row is not None:
            return row
    where = _positions(given)
    if where is None:
        return NotImplemented
    try:
        found = data.ravel("F").take(where)
    except IndexError:
        return NotImplemented
    count = found.size
    rows, columns = data.shape
    mask = given.dtype is LOGICAL
    if (rows == 1 or columns == 1) and (mask or 1 in given.shape):
        shape = (1, count) if rows == 1 else (count, 1)
    elif mask:
        shape = (1, count) if given.shape[0] == 1 else (count, 1)
    else:
        shape = given.shape
    return from_numpy(found.reshape(shape, order="F"))


def _of_row(data: NDArray[Any], given: NDArray[Any]) -> Any:
    """Return a few elements of a short row of doubles at a row of positions.

    Return None of anything else.
    """
    if len(data) != 1 or data.size > _FEW or given.ndim != 2 or len(given) != 1:
        return None
    count = given.size
    if not 1 < count <= _FEW:
        return None
    (elements,), (numbers,) = data.tolist(), given.tolist()
    if not 1.0 <= min(numbers) <= max(numbers) <= len(elements):
        return None
    found = [elements[number.__trunc__() - 1] for number in numbers if number.is_integer()]
    if len(found) != count:
        return None
    made: Array = object.__new__(Array)
    made.data = np.array((found,))
    return made


def write(value: Array, sub: Array, new: Any) -> bool:
    """Do ``value(sub) = new`` where nothing else holds the elements; whether it was done."""
    if (
        getrefcount(value.data) > 2
        or not (value.data.base is None or getrefcount(value.data.base) <= 2)
        or value.data.size < 2
        or sub.data.size >= HOOKS.captured
        or new is value
    ):
        return False
    data = value.data
    if new.__class__ is Array and new.data.dtype is data.dtype:
        element: Any = new.data.ravel("F")
    else:
        element = element_for(new, data.dtype)
        if element is None:
            return False
    where = _positions(sub.data)
    if where is None or (element.__class__ is np.ndarray and element.size != where.size):
        return False
    try:
        data.ravel("F")[where] = element
    except (IndexError, ValueError):  # it grows, or cannot be written to
        return False
    return True


def _positions(given: NDArray[Any]) -> NDArray[np.intp] | None:
    """Return the positions from zero that a mask or a short list of doubles selects."""
    if given.ndim != 2:
        return None
    if given.dtype is LOGICAL:
        return given.ravel("F").nonzero()[0]
    if given.dtype is not DOUBLE or given.size > _FEW:
        return None
    numbers = given.ravel("F").tolist()
    for number in numbers:
        if number < 1.0 or not number.is_integer():
            return None
    return np.array([number.__trunc__() - 1 for number in numbers], np.intp)
