"""The numeric classes and logical: element types and the conversions between them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError, nan_to_logical
from runmat_core.values.chunks import chunks
from runmat_core.values.hooks import HOOKS

Data = NDArray[Any]

#: MATLAB's name of each element type, by its NumPy character; complex has the class of its parts.
CLASS_NAME = {
    "d": "double",
    "D": "double",
    "f": "single",
    "F": "single",
    "?": "logical",
    "b": "int8",
    "h": "int16",
    "i": "int32",
    "l": "int64",
    "q": "int64",
    "B": "uint8",
    "H": "uint16",
    "I": "uint32",
    "L": "uint64",
    "Q": "uint64",
}
INTEGER_CLASSES = frozenset(
    ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
)
FLOAT_CLASSES = frozenset({"double", "single"})
NUMERIC_CLASSES = FLOAT_CLASSES | INTEGER_CLASSES
DOUBLE = np.dtype(np.float64)
SINGLE = np.dtype(np.float32)
LOGICAL = np.dtype(np.bool_)
#: The element type of each class: the numeric ones and logical.
DTYPE: dict[str, np.dtype[Any]] = {
    "double": DOUBLE,
    "single": SINGLE,
    "logical": LOGICAL,
    **{name: np.dtype(name) for name in sorted(INTEGER_CLASSES)},
}

#: A context without NumPy's floating-point warnings; run in copies of it, as `quiet` does.
QUIET = copy_context()
QUIET.run(np.seterr, all="ignore")


def quiet(function: Any, *args: Any, **kwargs: Any) -> Any:
    """``function(*args)`` without NumPy's floating-point warnings.

    For ufuncs and the like: `function` sees no context variables of the caller. The context of a
    program that runs is without them as it is; else a copied context costs a tenth of
    ``np.errstate``, and a copy for each call is safe from threads and from finalisers that compute.
    """
    if HOOKS.programs:
        return function(*args, **kwargs)
    return QUIET.copy().run(function, *args, **kwargs)


_AS_IT_IS = nullcontext()


def silent() -> AbstractContextManager[Any]:
    """Return a context without NumPy's floating-point warnings: `quiet` for more than one call."""
    return _AS_IT_IS if HOOKS.programs else np.errstate(all="ignore")


def saturate(values: Any, dtype: Any) -> Data:
    """`values` as an integer type: rounded half away from zero, clipped to its range, NaN as 0."""
    data = np.asarray(values)
    target = np.dtype(dtype)
    if data.dtype == target:
        return data
    kind = data.dtype.kind
    if kind == "b":
        return data.astype(target, order="F")
    if kind == "O":
        # Python's integers, where results of 64 bits go beyond them
        info = np.iinfo(target)
        whole: Data = np.clip(data, info.min, info.max).astype(target, order="F")
        return whole
    if kind in "iu":
        info, source = np.iinfo(target), np.iinfo(data.dtype)
        low, high = max(info.min, source.min), min(info.max, source.max)
        clipped: Data = np.clip(data, low, high)
        return clipped.astype(target, order="F")
    result: Data = quiet(_saturate_floats, data, target)
    return result


def _saturate_floats(data: Data, target: np.dtype[Any]) -> Data:
    info = np.iinfo(target)
    if data.dtype.char == "f":
        data = data.astype(DOUBLE)
    if target.itemsize < 8:
        return _saturate_parts(data, target, info.min, info.max)
    # the bounds of 64 bits are no doubles: compare first, so that no cast overflows
    top, bottom = data >= float(info.max), data <= float(info.min)
    inside = np.where(top | bottom | (data != data), 0, data)
    result = np.asarray(round_half_away(inside), target, order="F")
    result = np.where(top, target.type(info.max), result)
    return np.where(bottom, target.type(info.min), result)


def _saturate_parts(data: Data, target: np.dtype[Any], low: int, high: int) -> Data:
    """Doubles in any order of axes as an integer type of at most 32 bits."""
    result = np.empty_like(data, target)
    given, made = data.ravel(order="K"), result.ravel(order="K")
    missing = np.isnan(given).any()
    for at in chunks(given.size):
        part = round_half_away(given[at])
        np.minimum(np.maximum(part, low, out=part), high, out=part)
        if missing:
            np.copyto(part, 0, where=np.isnan(part))
        made[at] = part
    return np.asarray(result, order="F")


def clipped(whole: Data, target: np.dtype[Any]) -> Data:
    """Whole doubles as an integer type of at most 32 bits."""
    info = np.iinfo(target)
    inside = np.minimum(np.maximum(whole, info.min), info.max)
    return np.asarray(inside, target, order="F")


#: The largest number below a half, with the sign of an element: added to what is half way, it
#: rounds to the next integer, and added to anything nearer to zero it does not reach it.
_BELOW_HALF = {"d": np.nextafter(0.5, 0.0), "f": np.nextafter(np.float32(0.5), np.float32(0.0))}


def round_half_away(data: Data) -> Data:
    """Doubles or singles rounded to the nearest integer, halves away from zero."""
    result = np.copysign(_BELOW_HALF[data.dtype.char], data, out=np.empty_like(data))
    result += data
    return np.trunc(result, out=result)


def cast_array(data: Data, cls: str) -> Data:
    """Return `data` in the class `cls`: integers round and saturate.

    The result may be `data` itself.

    Raises:
        MatlabError: NaN or complex to logical, complex to an integer class.
    """
    kind = data.dtype.kind
    if cls in INTEGER_CLASSES:
        if kind == "c":
            raise MatlabError(
                "MATLAB:complexIntegerConversion", "Complex integer values are not supported."
            )
        return saturate(data, DTYPE[cls])
    if cls == "logical":
        return to_logical(data)
    if kind == "c":
        target = np.dtype(np.complex64 if cls == "single" else np.complex128)
    else:
        target = DTYPE[cls]
    if data.dtype == target:
        return data
    return quiet(data.astype, target, order="F")  # type: ignore[no-any-return]


#: Up to so many elements, a list of them tells what a pass of NumPy would.
_LISTED = 32


def _may_hold_nan(data: Data) -> bool:
    """Whether a look at all elements is needed to say that none is NaN."""
    if data.size > _LISTED:
        return True
    total = sum(data.ravel("K").tolist())
    return bool(total != total)


def to_logical(data: Data) -> Data:
    """Whether each element is non-zero."""
    kind = data.dtype.kind
    if kind == "b":
        return data
    if kind == "c":
        raise MatlabError(
            "MATLAB:logical:complexInput", "Complex values cannot be converted to logicals."
        )
    if kind == "f" and _may_hold_nan(data) and np.isnan(data).any():
        raise nan_to_logical()
    result: Data = data != 0
    return result


def is_complex(x: Any) -> bool:
    """Return whether an operand is an array of complex elements or a complex number."""
    return x.dtype.kind == "c" if hasattr(x, "dtype") else isinstance(x, complex)


def goes_by_parts(name: str, x: Any, y: Any) -> bool:
    """Return whether one operand alone is complex; of a quotient it is the dividend."""
    first = is_complex(x)
    return first != is_complex(y) and (first or name != "divide")
