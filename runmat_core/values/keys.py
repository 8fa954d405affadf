"""What makes values the same key: class, size and contents, with what is missing equal to itself.

`key_form` turns a value into something hashable, so that looking a key up takes one step however
many there are. Arrays become bytes, which hash faster than numbers one by one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.array import to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.cell import CellArray
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import settled
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.sparse import SparseArray
from runmat_core.values.string import StringArray
from runmat_core.values.struct import StructArray

Numbers = NDArray[Any]


def key_form(value: Any) -> Hashable:
    """Equal for two values where they match as keys, and only there.

    Unlike ``isequal``, classes count, at every depth; the order of the fields of a struct does not.
    Handles match where they are handles of the same object.
    """
    value = settled(value)
    own = getattr(value, "key_form", None)
    if own is not None:
        return own()  # type: ignore[no-any-return]
    name = class_of(value)
    if isinstance(value, CharArray):
        return name, value.shape, value.text()
    if isinstance(value, StringArray):
        return name, value.shape, tuple(value.data.ravel(order="F").tolist())
    if isinstance(value, CellArray):
        return name, value.shape, tuple(map(key_form, value.data.ravel(order="F").tolist()))
    if isinstance(value, StructArray):
        return name, value.shape, tuple(fields_form(r.items()) for r in value.records())
    if isinstance(value, FunctionHandle):
        return name, value.fn if value.is_anonymous else value.name
    if isinstance(value, SparseArray):
        return (name, value.shape, *_stored_form(value))
    numbers = to_numpy(value)
    flat = numbers.ravel(order="F")
    at = np.flatnonzero(flat)
    return (name, numbers.shape, *_numbers_form(at, flat[at], flat.size))


def fields_form(fields: Iterable[tuple[str, Any]]) -> Hashable:
    """Return the form of named values, whatever their order."""
    return tuple(sorted((name, key_form(value)) for name, value in fields))


def codes_form(codes: Numbers) -> Hashable:
    """Return the form of the codes of an array of objects, none of them missing."""
    if codes.dtype.kind == "O":
        return tuple(codes.tolist())
    if codes.dtype == np.longdouble:
        # beside its digits a long double has bytes that mean nothing
        high = codes.astype(np.float64)
        return high.tobytes(), (codes - high).astype(np.float64).tobytes()
    return codes.tobytes()


def _stored_form(value: SparseArray) -> tuple[bytes, bytes]:
    """Return the form of a sparse matrix, which is that of the full one with the same elements."""
    held = value.data
    columns = np.repeat(np.arange(held.shape[1]), np.diff(held.indptr))
    at = (columns * held.shape[0] + held.indices).astype(np.intp)
    order = np.argsort(at)
    return _numbers_form(at[order], held.data[order], held.shape[0] * held.shape[1])


def _numbers_form(at: Numbers, numbers: Numbers, size: int) -> tuple[bytes, bytes]:
    """Return the form of the elements that are not zero, which stand at `at` among `size`."""
    if numbers.dtype.kind == "c" and not numbers.imag.any():
        numbers = numbers.real
    if numbers.dtype.kind in "fc":
        parts = np.ascontiguousarray(numbers).view(numbers.real.dtype)
        numbers = np.where(np.isnan(parts), np.nan, parts + 0).astype(parts.dtype)
    return b"" if len(at) == size else at.tobytes(), numbers.tobytes()
