"""Classes that inherit from a class of numbers, as enumerations of numbers do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from runmat_core.values.array import cast, from_numpy, to_numpy
from runmat_core.values.classes import DTYPE, FLOAT_CLASSES, INTEGER_CLASSES, NUMERIC_CLASSES
from runmat_core.values.deferred import stored
from runmat_core.values.objects.info import NUMBER, ClassHost, ClassInfo

if TYPE_CHECKING:
    from runmat_core.values.objects.instance import Instance

#: What classes are beside their names: what ``isa`` asks for.
_CATEGORIES = {
    "numeric": NUMERIC_CLASSES,
    "float": FLOAT_CLASSES,
    "integer": INTEGER_CLASSES,
}


def number_class(name: str, host: ClassHost) -> ClassInfo | None:
    """Return the class `name` of numbers for others to inherit from, or None."""
    if name not in DTYPE:
        return None

    def construct(nargout: int, obj: Any, value: Any = 0.0) -> Any:
        obj.data[NUMBER] = cast(stored(value), name)
        return obj

    return ClassInfo(name=name, host=host, constructor=construct, is_number=True)


def numbers_of(obj: Instance) -> Any:
    """Return the numbers that an array of objects stands for; None where its class has none."""
    if not obj.info.is_number:
        return None
    parts = [to_numpy(record[NUMBER]) for record in obj.records() if NUMBER in record]
    if len(parts) == 1:
        return obj.records()[0][NUMBER]
    name = next(name for name in obj.info.ancestors if name in DTYPE)
    flat = np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)
    return from_numpy(np.asfortranarray(flat.reshape(obj.shape, order="F")), name)


def plain(value: Any) -> Any:
    """`value`, or the numbers that it stands for."""
    from runmat_core.values.objects.instance import Instance

    found = numbers_of(value) if isinstance(value, Instance) else None
    return value if found is None else found


def is_category(info: ClassInfo, name: str) -> bool:
    """Whether a class of numbers is one of ``numeric``, ``float`` and ``integer``."""
    known = _CATEGORIES.get(name, ())
    return info.is_number and any(above in known for above in info.ancestors)


def _conversion(name: str) -> Callable[..., Any]:
    def convert(nargout: int, obj: Instance) -> Any:
        return cast(numbers_of(obj), name)

    return convert


#: Conversions to classes of numbers.
CONVERSIONS = {name: _conversion(name) for name in DTYPE}
