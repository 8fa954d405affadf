"""What the mustBe... functions share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import scalar
from runmat_core.builtins.text.support import is_cellstr, is_char_row
from runmat_core.values import (
    FLOAT_CLASSES,
    INTEGER_CLASSES,
    NUMERIC_CLASSES,
    ObjectValue,
    StringArray,
    class_of,
    to_numpy,
)
from runmat_core.values.array_object import ArrayObject


def not_text() -> MatlabError:
    return MatlabError(
        "MATLAB:validators:mustBeText",
        "Value must be a character vector, string array, or cell array of character vectors.",
    )


def require(condition: Any, name: str, message: str) -> None:
    """Raise the error of the check `name` unless `condition` holds."""
    if not condition:
        raise MatlabError(f"MATLAB:validators:{name}", message)


def numbers(value: Any) -> np.ndarray[Any, Any]:
    """Return the array of a numeric or logical value."""
    kind = class_of(value)
    require(
        kind in NUMERIC_CLASSES or kind == "logical",
        "mustBeNumericOrLogical",
        "Value must be numeric or logical.",
    )
    return np.asarray(to_numpy(value))


def is_complex(value: Any) -> bool:
    return class_of(value) in FLOAT_CLASSES and bool(np.iscomplexobj(to_numpy(value)))


def real(value: Any) -> np.ndarray[Any, Any]:
    """Return the array of a real numeric or logical value."""
    data = numbers(value)
    require(not np.iscomplexobj(data), "mustBeReal", "Value must be real.")
    return data


def one_of(value: ArrayObject, bound: Any) -> ArrayObject:
    """Return a bound as one element of the class of `value`."""
    found = value.adopt(bound)
    if found.codes.size != 1:
        raise MatlabError("MATLAB:expectedScalar", "Input must be a scalar.")
    return found


def compare(name: str, value: Any, bound: Any, relation: Callable[..., Any], words: str) -> None:
    if isinstance(value, ArrayObject):
        least = one_of(value, bound)
        good = relation(*value.same_codes(least)).all()
        require(good, name, f"Value must be {words} {least.element_texts().item(0)}.")
        return
    limit = scalar(bound)
    require(relation(real(value), limit).all(), name, f"Value must be {words} {limit:g}.")


def is_text_like(value: Any) -> bool:
    return isinstance(value, StringArray) or is_char_row(value) or is_cellstr(value)


_GROUPS = {
    "numeric": NUMERIC_CLASSES,
    "float": FLOAT_CLASSES,
    "integer": INTEGER_CLASSES,
}


def is_a(value: Any, name: str) -> bool:
    """Whether a value is of a class or of one of MATLAB's groups of classes."""
    if isinstance(value, ObjectValue) and value.is_a(name):
        return True
    return class_of(value) in _GROUPS.get(name, (name,))
