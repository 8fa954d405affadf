"""Arrays of any class as ndarrays and back, for builtins that move elements about."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    StringArray,
    StructArray,
    class_of,
    from_numpy,
    share,
    to_numpy,
)
from runmat_core.values.base import Value
from runmat_core.values.object import ObjectValue
from runmat_core.values.sparse import SparseArray

_CONTAINERS = (CharArray, StringArray, CellArray, StructArray)
_ARRAYS = (Array, CharArray, StringArray, CellArray)


def array_of(value: Any) -> NDArray[Any]:
    """Return the elements of any array: numbers, char codes, strings, cells, structs."""
    if value.__class__ is Array:
        numbers: NDArray[Any] = value.data
        return numbers
    if isinstance(value, StructArray):
        return value.array()
    if isinstance(value, _ARRAYS):
        elements: NDArray[Any] = value.data
        return elements
    if isinstance(value, ObjectValue) and value.has_elements:
        records: NDArray[Any] = value.array()
        return records
    if isinstance(value, Value) and not isinstance(value, SparseArray):
        boxed = np.empty((1, 1), dtype=object)
        boxed[0, 0] = value
        return boxed
    return to_numpy(value)


def rebuilt(prototype: Any, elements: NDArray[Any]) -> Any:
    """Return an array of the class of `prototype` with other `elements` of the same kind."""
    if prototype.__class__ is Array:
        return from_numpy(elements)
    if isinstance(prototype, _CONTAINERS):
        shape = elements.shape
        while len(shape) > 2 and shape[-1] == 1:
            shape = shape[:-1]
        elements = np.asfortranarray(elements.reshape(shape, order="F"))
        if isinstance(prototype, StructArray):
            return StructArray(elements, prototype.field_names())
        if isinstance(prototype, CharArray) and elements.dtype.kind == "f":
            elements = elements.astype(np.uint16)  # of codes that were compared as numbers
        return type(prototype)(elements)
    if isinstance(prototype, SparseArray):
        return SparseArray.from_dense(elements)
    if isinstance(prototype, ObjectValue) and prototype.has_elements:
        return prototype.with_data(elements)
    if elements.dtype == object:
        # handles and objects: there are no arrays of them
        if elements.shape != (1, 1):
            raise errors.undefined_for("cat", class_of(prototype))
        return share(elements[0, 0])
    return from_numpy(elements)


def column_of(value: Any) -> Any:
    """Return the elements of an array in one column."""
    return rebuilt(value, array_of(value).reshape(-1, 1, order="F"))
