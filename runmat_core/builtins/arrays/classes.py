"""Classes of values: conversion and questions."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core import values
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Map
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import option
from runmat_core.builtins.math.rounding import rounded
from runmat_core.values import (
    DTYPE,
    FLOAT_CLASSES,
    INTEGER_CLASSES,
    Array,
    CharArray,
    class_of,
    from_numpy,
    share,
    to_numpy,
)
from runmat_core.values.classes import DOUBLE, to_logical
from runmat_core.values.deferred import Deferred, settled
from runmat_core.values.integers import BOUNDS
from runmat_core.values.object import HandleObject
from runmat_core.values.sparse import SparseArray


def converted(value: Any, cls: str) -> Any:
    """`value` in the numeric or logical class `cls`; integers round and saturate.

    Raises:
        MatlabError: the value's class has no conversion, or NaN is to become logical.
    """
    if value.__class__ is float and cls in INTEGER_CLASSES:
        return _integer(value, DTYPE[cls])
    source = class_of(value)
    if source == cls:
        return share(value)
    if source == "string" and cls in FLOAT_CLASSES:
        return from_numpy(_numbers(value).astype(DTYPE[cls]))
    if source not in DTYPE and source != "char":
        if cls == "double" and isinstance(value, HandleObject) and hasattr(value, "full"):
            return from_numpy(value.full())
        raise MatlabError(
            "MATLAB:invalidConversion", f"Conversion to {cls} from {source} is not possible."
        )
    if isinstance(value, SparseArray) and cls in {"double", "logical"}:
        return SparseArray(value.data.astype(DTYPE[cls]))
    if cls == "logical" and to_numpy(value).dtype.kind == "c":
        raise MatlabError(
            "MATLAB:nologicalcomplex", "Complex values cannot be converted to logicals."
        )
    return values.cast(value, cls)


def _is_not_known_complex(x: Any) -> bool:
    """Whether a conversion of `x` is to be captured: that of a complex array on the host tells at
    once whether it is still complex.
    """
    if x.__class__ is Deferred:
        return x.promise.node.data.__class__ is not np.ndarray or x.data.dtype.kind != "c"
    return not (x.__class__ is Array and x.data.dtype.kind == "c")


def _conversion(cls: str) -> Map:
    """Return the conversion to a floating class."""
    of_complex = Map(lambda z: z, f"complex {cls}")
    return Map(lambda x: x, cls, accepts=_is_not_known_complex, of_complex=of_complex)


def _integer(value: float, dtype: np.dtype[Any]) -> Array:
    """Return a double as an integer scalar."""
    low, high = BOUNDS[dtype.char]
    if value != value:
        whole = 0
    elif low < value < high:
        whole = value.__trunc__() if value.is_integer() else int(rounded(value))
    else:
        whole = high if value > 0 else low
    made: Array = object.__new__(Array)
    made.data = np.empty((1, 1), dtype)
    made.data[0, 0] = whole
    return made


def _numbers(strings: Any) -> Any:
    """Return the numbers that strings spell; NaN for those that spell none."""

    def number(item: Any) -> float:
        try:
            return float(item.replace(",", "")) if isinstance(item, str) else np.nan
        except ValueError:
            return np.nan

    return np.frompyfunc(number, 1, 1)(strings.data).astype(np.float64)


@builtin("double", family="arrays/classes", effects="pure", fusion=_conversion("double"))
def double(x: Any) -> Any:
    """Convert to double precision.

    Y = double(X)

    Characters become their codes, strings the numbers that they spell.

    Examples:
        >> double('AZ')
        ans =
            65    90

    See also: single, int32, cast, str2double.
    """
    if x.__class__ is float:
        return x
    if x.__class__ is bool:
        return float(x)
    if x.__class__ is CharArray:
        return x.code() if x.is_one else from_numpy(x.codes())
    if x.__class__ is Array:
        a = x.data
        if a.dtype is DOUBLE:
            return x.share()
        if a.size == 1 and a.dtype.char not in "FD":
            return float(a.item())
    return converted(x, "double")


@builtin("single", family="arrays/classes", effects="pure", fusion=_conversion("single"))
def single(x: Any) -> Any:
    """Convert to single precision.

    Y = single(X)

    Characters become their codes, strings the numbers that they spell.

    Examples:
        >> single(pi)
        ans =
          single
            3.1416

    See also: double, cast.
    """
    return converted(x, "single")


@builtin(
    "logical",
    family="arrays/classes",
    effects="pure",
    fusion=Map(lambda x: x, "logical", refuses="nan"),
)
def logical(x: Any) -> Any:
    """Convert to logical: true where nonzero.

    Y = logical(X)

    NaN is an error.

    Examples:
        >> logical([2 0])
        ans =
          1×2 logical array
           1   0

    See also: true, false, islogical.
    """
    if x.__class__ is bool:
        return x
    if x.__class__ is float and x == x:
        return x != 0.0
    if x.__class__ is Array and x.data.dtype is DOUBLE:
        return from_numpy(to_logical(x.data))
    return converted(x, "logical")


@builtin("int8", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "int8"))
def int8(x: Any) -> Any:
    """Convert to signed 8-bit integers.

    Y = int8(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> int8([2.5 200])
        ans =
          1×2 int8 row vector
             3   127

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "int8")


@builtin("uint8", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "uint8"))
def uint8(x: Any) -> Any:
    """Convert to unsigned 8-bit integers.

    Y = uint8(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> uint8([-5 2.5 300])
        ans =
          1×3 uint8 row vector
             0     3   255

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "uint8")


@builtin("int16", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "int16"))
def int16(x: Any) -> Any:
    """Convert to signed 16-bit integers.

    Y = int16(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> int16(2.5)
        ans =
          int16
           3

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "int16")


@builtin("uint16", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "uint16"))
def uint16(x: Any) -> Any:
    """Convert to unsigned 16-bit integers.

    Y = uint16(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> uint16(-2.5)
        ans =
          uint16
           0

    See also: double, cast, intmax, idivide.
    """
    return converted(settled(x), "uint16")


@builtin("int32", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "int32"))
def int32(x: Any) -> Any:
    """Convert to signed 32-bit integers.

    Y = int32(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> int32(2.5)
        ans =
          int32
           3

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "int32")


@builtin("uint32", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "uint32"))
def uint32(x: Any) -> Any:
    """Convert to unsigned 32-bit integers.

    Y = uint32(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> uint32(-2.5)
        ans =
          uint32
           0

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "uint32")


@builtin("int64", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "int64"))
def int64(x: Any) -> Any:
    """Convert to signed 64-bit integers.

    Y = int64(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> int64(2.5)
        ans =
          int64
           3

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "int64")


@builtin("uint64", family="arrays/classes", effects="pure", fusion=Map(lambda x: x, "uint64"))
def uint64(x: Any) -> Any:
    """Convert to unsigned 64-bit integers.

    Y = uint64(X)

    Values are rounded, halves away from zero, and saturate at intmin and intmax.

    Examples:
        >> uint64(-2.5)
        ans =
          uint64
           0

    See also: double, cast, intmax, idivide.
    """
    return converted(x, "uint64")


def _class_for(cls: Any, prototype: Any) -> str:
    """Return the class that `cast` converts to; empty where none is named."""
    name = option(cls) or ""
    return class_of(prototype) if name == "like" and prototype is not None else name


def _is_full_and_real(prototype: Any) -> bool:
    """Whether that is known of a prototype without looking at elements."""
    if isinstance(prototype, SparseArray):
        return False
    if class_of(prototype) not in FLOAT_CLASSES or prototype.__class__ is float:
        return True
    if prototype.__class__ is Deferred:
        from runmat_core.accel.capture.views import proven_real

        return bool(proven_real(prototype.promise.node))
    return bool(to_numpy(prototype).dtype.kind != "c")


def _captured_cast(x: Any, cls: Any, prototype: Any = None) -> Any:
    name = _class_for(cls, prototype)
    if prototype is not None and not _is_full_and_real(prototype):
        return NotImplemented
    return composed.call(name, x) if name in DTYPE else NotImplemented


@builtin("cast", family="arrays/classes", effects="pure", pending="keep")
@composed.composed(_captured_cast)
def cast(x: Any, cls: Any, prototype: Any = None) -> Any:
    """Convert to a class given by name or by example.

    B = cast(A, CLASSNAME)
    B = cast(A, "like", P) is sparse and complex where P is

    Examples:
        >> cast(300, "uint8")
        ans =
          uint8
           255

    See also: typecast, double, int32, class.
    """
    name = _class_for(cls, prototype)
    if name == "char":
        return CharArray(to_numpy(converted(x, "uint16")))
    if name not in DTYPE:
        raise MatlabError("MATLAB:unsupportedCastClass", f"Unsupported data type '{name}'.")
    made = converted(x, name)
    return made if prototype is None else _as_prototype(made, prototype)


def _as_prototype(value: Any, prototype: Any) -> Any:
    """Return a value of the prototype's class, sparse and complex where the prototype is."""
    prototype, value = settled(prototype), settled(value)
    name = class_of(value)
    if isinstance(prototype, SparseArray):
        if isinstance(value, SparseArray):
            return value
        return SparseArray.from_dense(to_numpy(value))
    if isinstance(value, SparseArray):
        value = from_numpy(value.data.toarray(order="F"))
    data = to_numpy(value)
    if name in FLOAT_CLASSES and to_numpy(prototype).dtype.kind == "c" and data.dtype.kind != "c":
        kind = np.complex64 if name == "single" else np.complex128
        return Array(data.astype(kind, order="F"))
    return value
