"""Rearranging arrays of objects: the positions are rearranged, then their elements are taken."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.builtins.overloads import Call, overload
from runmat_core.values import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject


@overload(
    *("reshape", "repmat", "permute", "ipermute", "flip", "fliplr", "flipud", "circshift"),
    *("squeeze", "rot90"),
)
def rearranged(call: Call, value: Any, *args: Any) -> Any:
    """The elements of `value` where the builtin moves their positions."""
    if not isinstance(value, ArrayObject):
        return NotImplemented
    count = value.codes.size
    where = np.arange(1.0, count + 1).reshape(value.shape, order="F")
    moved = to_numpy(call.original(1, from_numpy(where), *args))
    return value.take(moved.astype(np.intp) - 1)
