"""Subscripts, fields and sizes of any value: scalars first, then the value's own methods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import Array, boxed, to_numpy
from runmat_core.values.base import COLON, Complex, Value, class_of
from runmat_core.values.classes import DOUBLE
from runmat_core.values.deferred import Deferred, stored
from runmat_core.values.object import ObjectValue

Subscripts = Sequence[Any]


def size_of(value: Any) -> tuple[int, ...]:
    """Return the extents of a value, at least two."""
    return value.shape if isinstance(value, Value) else (1, 1)


def numel_of(value: Any) -> int:
    return math.prod(value.shape) if isinstance(value, Value) else 1


def index(value: Any, subs: Subscripts) -> Any:
    """``value(subs...)``."""
    if isinstance(value, Value):
        return value.paren(subs)
    for sub in subs:
        if not (sub is COLON or sub is True or (sub.__class__ is float and sub == 1.0)):
            return boxed(value).paren(subs)
    return value


def assign(value: Any, subs: Subscripts, rhs: Any) -> Any:
    """``value(subs...) = rhs``; returns what to bind.

    Args:
        value: the variable's own wrapper; None when it is unbound.
        subs: one-based subscripts or `COLON`.
        rhs: the right side; converted to the class of `value`.
    """
    if value.__class__ is Deferred and 0 in value.shape:
        value = value.settle()
    if rhs.__class__ is Deferred and value.__class__ is not Deferred:
        rhs = stored(rhs)
    if value is None or (
        value.__class__ is Array
        and value.data.size == 0
        and value.data.dtype.char == "d"
        and isinstance(rhs, Value)
        and not isinstance(rhs, Array)
    ):
        value = blank_for(rhs)
    elif not isinstance(value, Value):
        value = boxed(value)
    return value.set_paren(subs, rhs)


def blank_for(rhs: Any) -> Any:
    """Return the empty value that an assignment of `rhs` to a new variable grows."""
    from runmat_core.values.cell import CellArray
    from runmat_core.values.char import CharArray
    from runmat_core.values.string import StringArray
    from runmat_core.values.struct import StructArray

    if isinstance(rhs, CharArray):
        return CharArray()
    if isinstance(rhs, StructArray):
        return StructArray(np.empty((0, 0), object, order="F"), rhs.field_names())
    if isinstance(rhs, CellArray | StringArray):
        return type(rhs)(np.empty((0, 0), object, order="F"))
    blank = getattr(rhs, "blank", None)
    if blank is not None:
        return blank()
    return Array(np.zeros((0, 0), order="F"))


def delete(value: Any, subs: Subscripts) -> Any:
    """``value(subs...) = []``; returns what to bind. None stands for what is not set."""
    if value is None:
        raise MatlabError(
            "MATLAB:deletionRequiresExistingVariable", "Deletion requires an existing variable."
        )
    return (value if isinstance(value, Value) else boxed(value)).del_paren(subs)


def brace(value: Any, subs: Subscripts) -> Any:
    """``value{subs...}``: the value, or a CommaList unless there is exactly one."""
    if isinstance(value, Value):
        return value.brace(subs)
    raise errors.brace_from_noncell()


def field(value: Any, name: str) -> Any:
    """``value.name``: the value, or a CommaList unless there is exactly one."""
    if isinstance(value, Value):
        return value.field(name)
    raise errors.dot_from_nonstruct()


def end_of(value: Any, position: int, count: int) -> float:
    """Return what ``end`` means at subscript `position` (from zero) of `count`."""
    kind = value.__class__
    if kind is Array and count == 1:
        return float(value.data.size)
    if kind is Deferred or kind is Array:
        shape = value.shape
        if len(shape) == count:
            return float(shape[position])
    else:
        if isinstance(value, ObjectValue):
            own = value.end_at(position, count)
            if own is not None:
                return float(own)
        shape = size_of(value)
    if count == 1:
        return float(math.prod(shape))
    if position < count - 1:
        return float(shape[position]) if position < len(shape) else 1.0
    return float(math.prod(shape[position:]))


def columns(value: Any) -> Iterator[Any]:
    """Yield the columns of a value, as ``for`` does: all but the first axis taken as one."""
    if not isinstance(value, Value):
        yield value
        return
    value = value.settle()
    shape = value.shape
    if value.__class__ is Array and len(shape) == 2 and shape[0] == 1:
        data = value.data
        if data.dtype.char in "d?":
            yield from data.reshape(-1).tolist()
            return
    for k in range(math.prod(shape[1:]) if len(shape) > 1 else 0):
        yield value.paren((COLON, float(k + 1)))


#: Up to so many elements, a list of them tells what a pass of NumPy would.
_LISTED = 16


def truth(value: Any) -> bool:
    """Whether ``if`` takes the branch: not empty, and every element non-zero.

    Raises:
        MatlabError: the value holds NaN, or has a class without logical value.
    """
    if value.__class__ is bool:
        return value
    if value.__class__ is float:
        if value != value:
            raise errors.nan_to_logical()
        return value != 0
    if value.__class__ is Complex:
        return True
    if value.__class__ is Array and value.data.size <= _LISTED and value.data.dtype is DOUBLE:
        # Python's lists say it before a pass of NumPy has begun
        listed = value.data.ravel("K").tolist()
        total = sum(listed)
        if total == total:
            return len(listed) > 0 and all(listed)
    data = logical_data(value)
    if data.dtype.kind in "fc" and np.isnan(data).any():
        raise errors.nan_to_logical()
    return data.size > 0 and bool(data.all())


def logical_data(value: Any) -> Any:
    full = getattr(value, "full", None)
    if full is not None:
        return full()
    if isinstance(value, Array) or class_of(value) == "char":
        return value.data
    convert = value.method("logical") if isinstance(value, Value) else None
    if convert is not None:
        return to_numpy(convert(1))
    raise errors.MatlabError(
        "MATLAB:invalidConversion",
        f"Conversion to logical from {class_of(value)} is not possible.",
    )


def scalar_truth(value: Any, symbol: str) -> bool:
    """Return the value of an operand of ``&&`` or ``||``, which must be a scalar."""
    if value.__class__ is bool:
        return value
    if numel_of(value) != 1 or class_of(value) in ("cell", "struct", "function_handle", "string"):
        word = "AND (&&)" if symbol == "&&" else "OR (||)"
        raise errors.MatlabError(
            "MATLAB:nonLogicalConditional",
            f"Operands to the logical {word} operators must be convertible to logical scalar "
            "values.",
        )
    return truth(value)
