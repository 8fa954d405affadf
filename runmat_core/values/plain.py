"""Between MATLAB values and the plain arrays and texts that rules of arrays work on."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.objects import Elements, Handle
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.array_object import ArrayObject
from runmat_core.values.base import Value, class_of
from runmat_core.values.classes import NUMERIC_CLASSES
from runmat_core.values.construct import cell, char, struct
from runmat_core.values.text import is_text, text

_NUMBERS = frozenset((*NUMERIC_CLASSES, "logical", "char"))


def to_plain(value: Any) -> Any:
    """What a rule of arrays gets for `value`: text, a read-only array, what a package brought."""
    if is_text(value):
        return text(value)
    if class_of(value) in _NUMBERS:
        view = to_numpy(value).view()
        view.flags.writeable = False  # a variable may hold its memory
        return view
    if isinstance(value, ArrayObject):
        from runmat_core.values.element_array import ElementArray

        return value.elements if isinstance(value, ElementArray) else value
    return value


def from_plain(result: Any) -> Any:
    """The MATLAB value of what a rule of arrays returned.

    Raises:
        TypeError: there is none.
    """
    if isinstance(result, str):
        return char(result)
    if isinstance(result, list):
        return cell([from_plain(item) for item in result], (1 if result else 0, len(result)))
    if isinstance(result, dict):
        return struct({name: from_plain(item) for name, item in result.items()})
    if isinstance(result, Value):
        return result
    if isinstance(result, Elements):
        from runmat_core.values.element_array import ElementArray

        return ElementArray(result)
    if isinstance(result, Handle) or (
        isinstance(result, np.ndarray)
        and result.dtype == object
        and (result.dtype.metadata or all(isinstance(item, Handle) for item in result.flat))
    ):
        from runmat_core.values.handle_array import handle_array

        return handle_array(result)
    if isinstance(result, np.ndarray) and result.dtype == object:
        items = [from_plain(item) for item in result.ravel(order="F").tolist()]
        return cell(items, result.shape if result.ndim > 1 else (1, result.size))
    if not isinstance(result, int | float | complex | np.generic | np.ndarray):
        raise TypeError(f"the host rule returned a {type(result).__name__}")
    array = np.asarray(result)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"the host rule returned an array of {array.dtype}")
    return from_numpy(array, "double" if isinstance(result, int) and array.dtype != bool else None)
