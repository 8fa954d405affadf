"""Rearranging arrays of objects: the positions are rearranged, then their elements are taken."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject


@overload(
    *("reshape", "repmat", "permute", "ipermute", "flip", "fliplr", "flipud", "circshift"),
    *("squeeze", "rot90", "repelem", "perms"),
)
def rearranged(call: Call, value: Any, *args: Any) -> Any:
    """Return the elements of `value` where the builtin moves their positions."""
    if not isinstance(value, ArrayObject):
        return NotImplemented
    return _taken(value, call.original(1, _positions(value), *args))


def _positions(value: ArrayObject) -> Any:
    """Return the positions of the elements, from one."""
    where = np.arange(1.0, value.codes.size + 1)
    return from_numpy(where.reshape(value.shape, order="F"))


def _taken(value: ArrayObject, positions: Any) -> Any:
    return value.take(to_numpy(positions).astype(np.intp) - 1)


@overload("nchoosek")
def chosen(call: Call, value: Any, count: Any) -> Any:
    """Return combinations of the elements, a row for each."""
    if value.codes.size == 1:
        # one position would be a number to choose from
        twice = value.take(np.zeros((1, 2), np.intp))
        found = _taken(twice, call.original(1, _positions(twice), count))
        return found.take(np.arange(found.codes.size)[: 1 if found.codes.size == 2 else 0][None])
    return _taken(value, call.original(1, _positions(value), count))
