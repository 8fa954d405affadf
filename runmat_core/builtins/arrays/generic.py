"""Arrays of any class as ndarrays and back, for builtins that move elements about."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values import CellArray, CharArray, StringArray, StructArray, from_numpy, to_numpy
from runmat_core.values.base import Value
from runmat_core.values.sparse import SparseArray

_CONTAINERS = (CharArray, StringArray, CellArray, StructArray)


def array_of(value: Any) -> NDArray[Any]:
    """The elements of any array: numbers, char codes, strings, cell elements, struct elements."""
    if isinstance(value, StructArray):
        return value.array()
    if isinstance(value, Value) and not isinstance(value, SparseArray):
        data = value.data
        if isinstance(data, np.ndarray):
            return data
        boxed = np.empty((1, 1), dtype=object)
        boxed[0, 0] = data
        return boxed
    return to_numpy(value)


def rebuilt(prototype: Any, elements: NDArray[Any]) -> Any:
    """An array of the class of `prototype` with other `elements` of the same kind."""
    if isinstance(prototype, _CONTAINERS):
        shape = elements.shape
        while len(shape) > 2 and shape[-1] == 1:
            shape = shape[:-1]
        elements = np.asfortranarray(elements.reshape(shape, order="F"))
        if isinstance(prototype, StructArray):
            return StructArray(elements, prototype.field_names())
        return type(prototype)(elements)
    if isinstance(prototype, SparseArray):
        return SparseArray.from_dense(elements)
    return from_numpy(elements)
