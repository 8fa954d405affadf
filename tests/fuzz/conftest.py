"""What a MATLAB value is allowed to look like inside, as a check for tests that make odd ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from runmat_core.values import Array, CellArray, CharArray, SparseArray, StringArray, StructArray
from runmat_core.values.base import Complex, Value
from runmat_core.values.classes import CLASS_NAME
from runmat_core.values.deferred import Deferred
from runmat_core.values.string import MISSING

SCALARS = {float, bool, Complex}


def faults(value: Any) -> Iterator[str]:
    """What is wrong with `value` and with all that it holds."""
    if value.__class__ in SCALARS:
        if value.__class__ is Complex and not value.imag:
            yield "a complex scalar without an imaginary part"
    elif not isinstance(value, Value):
        yield f"no MATLAB value: {type(value).__module__}.{type(value).__name__} {value!r:.60}"
    elif isinstance(value, SparseArray):
        if len(value.shape) != 2:
            yield "a sparse array that is no matrix"
    elif isinstance(value, Array | CellArray | StringArray):
        yield from _layout(value.data, value.__class__.__name__)
        yield from _contents(value)
    elif isinstance(value, CharArray):
        if isinstance(value.content, str):
            if value.content and max(value.content) > "\uffff":
                yield "text with characters beyond the basic plane is kept as str"
        else:
            yield from _layout(value.content, "CharArray")
            if value.content.dtype != np.uint16:
                yield f"char of {value.content.dtype}"
    elif isinstance(value, StructArray):
        yield from _fields(value)


def _layout(data: Any, kind: str) -> Iterator[str]:
    if type(data) is not np.ndarray:
        yield f"{kind} on a {type(data).__name__}"
    elif data.ndim < 2:
        yield f"{kind} with {data.ndim} axes"
    elif data.ndim > 2 and data.shape[-1] == 1:
        yield f"{kind} of size {data.shape}, with trailing ones"
    elif not data.flags.f_contiguous:
        yield f"{kind} of size {data.shape} that is not column-major"


def _contents(value: Any) -> Iterator[str]:
    data = value.data
    if isinstance(value, Array):
        if data.dtype.char not in CLASS_NAME or not data.dtype.isnative:
            yield f"Array of {data.dtype}"
        elif data.size == 1 and data.dtype.char in "d?" and type(value) is not Deferred:
            # what was deferred may stay so, in place of the float that it stands for
            yield f"a lone {data.dtype} in an Array"
        elif data.size == 1 and data.dtype.char == "D" and data.item().imag:
            yield "a complex scalar in an Array"
        return
    if data.dtype != object:
        yield f"{value.class_name} of {data.dtype}"
        return
    for item in data.ravel().tolist():
        if isinstance(value, CellArray):
            yield from (f"in a cell: {fault}" for fault in faults(item))
        elif type(item) is not str and item is not MISSING:
            yield f"a string of {type(item).__name__}"


def _fields(value: StructArray) -> Iterator[str]:
    if not isinstance(value.data, dict):
        yield from _layout(value.data, "StructArray")
        if value.shape == (1, 1):
            yield "a lone struct in an object array"
    names = value.field_names()
    for record in value.records():
        if tuple(record) != names:
            yield f"struct elements with fields {tuple(record)} and {names}"
        for name, item in record.items():
            yield from (f"in field {name}: {fault}" for fault in faults(item))


@pytest.fixture(scope="session")
def faults_of() -> Callable[[Any], list[str]]:
    """The faults of a value; an empty list when it is legal."""
    return lambda value: list(faults(value))
