"""The value of a property for which none is written."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.values.array import from_numpy
from runmat_core.values.cell import empty_cell, empty_double, object_array
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DTYPE
from runmat_core.values.objects.info import PropertyInfo
from runmat_core.values.string import StringArray
from runmat_core.values.struct import StructArray


def initial_value(prop: PropertyInfo) -> Any:
    """``[]``, or what the declared class and size make of it: zeros, blanks, empty texts."""
    name = prop.class_name
    if not name and prop.size is None:
        return empty_double()
    shape = (0, 0) if prop.size is None else tuple(extent or 0 for extent in prop.size)
    if name in DTYPE or name in ("", "numeric", "float"):
        return from_numpy(np.zeros(shape, order="F"), name if name in DTYPE else "double")
    if name == "char":
        return (
            CharArray("") if shape == (0, 0) else CharArray(np.zeros(shape, np.uint16, order="F"))
        )
    if name == "string":
        count = int(np.prod(shape))
        return StringArray(object_array([""] * count, shape))
    if name == "cell":
        return empty_cell(shape)
    if name == "struct":
        count = int(np.prod(shape))
        return StructArray(object_array([{} for _ in range(count)], shape))
    return empty_double()
