"""What the cell and struct builtins share: functions to apply, elements, outputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError, too_many_outputs, undefined
from runmat_core.api.interp import Interp, MatlabFunction
from runmat_core.builtins.text.support import (
    elements,
    maybe_text,
)
from runmat_core.values import (
    Array,
    CellArray,
    CharArray,
    FunctionHandle,
    index,
    numel_of,
    share,
)
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.cell import object_array
from runmat_core.values.object import ObjectValue


def resolve(function: Any, interp: Interp, caller: str) -> MatlabFunction:
    """Return the ``fn(nargout, *args)`` of a handle or a function's name."""
    if isinstance(function, FunctionHandle):
        return function.fn
    name = maybe_text(function)
    if name is None:
        raise MatlabError(
            f"MATLAB:{caller}:invalidFunctionHandle",
            "Argument must be a function handle or the name of a function.",
        )
    found = interp.function(name)
    if found is None:
        raise undefined(name)
    return found


def scalars(value: Any) -> list[Any]:
    """Return the elements of any value as MATLAB scalars, in column-major order."""
    if isinstance(value, float | bool | complex):
        return [value]
    if isinstance(value, Array) and value.data.dtype in (np.float64, np.bool_):
        items: list[Any] = value.data.ravel(order="F").tolist()
        return items
    if isinstance(value, CellArray):
        return [CellArray(object_array([share(item)], (1, 1))) for item in elements(value)]
    if isinstance(value, CharArray):
        codes = value.data.ravel(order="F")
        return [CharArray(codes[k : k + 1].copy().reshape(1, 1)) for k in range(codes.size)]
    if isinstance(value, FunctionHandle) or is_one_object(value):
        return [value]
    return [index(value, (float(k),)) for k in range(1, numel_of(value) + 1)]


def is_one_object(value: Any) -> bool:
    """Whether a value is an object of a class of which there are no arrays."""
    if not isinstance(value, ObjectValue):
        return False
    return not (isinstance(value, ArrayObject) or value.has_elements)


def outputs(result: Any, nargout: int) -> tuple[Any, ...]:
    """Return the results of ``fn(nargout, ...)`` as a tuple."""
    if nargout > 1:
        if not isinstance(result, tuple) or len(result) < nargout:
            raise too_many_outputs()
        return result
    return () if result is None else (result,)
