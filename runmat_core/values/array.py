"""Numeric and logical arrays, and the way between NumPy and MATLAB values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.base import Complex, Subscripts, Value, class_of

#: MATLAB's name of each element type; complex arrays have the class of their parts.
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
DTYPE: dict[str, np.dtype[Any]] = {
    "double": np.dtype(np.float64),
    "single": np.dtype(np.float32),
    "logical": np.dtype(np.bool_),
    **{
        name: np.dtype(name)
        for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    },
}
INTEGER_CLASSES = frozenset(DTYPE) - {"double", "single", "logical"}


class Array(Value):
    """An array of numbers or logicals; `data` is column-major with at least two axes.

    Never one real double, one logical or one complex double with a non-zero imaginary part: those
    are Python scalars.
    """

    __slots__ = ()
    data: NDArray[Any]

    def __init__(self, data: NDArray[Any]) -> None:
        self.data = data

    def share(self) -> Array:
        twin = object.__new__(Array)
        twin.data = self.data
        return twin

    @property
    def class_name(self) -> str:  # type: ignore[override]
        return CLASS_NAME[self.data.dtype.char]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    def __repr__(self) -> str:
        return f"Array({self.class_name}, {self.data.tolist()!r})"

    # -- subscripts ----------------------------------------------------------------------------

    def paren(self, subs: Subscripts) -> Any:
        return from_numpy(subscript.read(self.data, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        if self.data.shape == (0, 0) and self.data.dtype.char == "d":
            return _into_empty(self, subs, rhs)
        values = converted(rhs, self.class_name)
        if values.dtype.kind == "c" and self.data.dtype.kind != "c":
            self.data = self.data.astype(values.dtype, order="F")
        subscript.write(self, subs, values, self.data.dtype.type(0))
        return settled(self)

    def del_paren(self, subs: Subscripts) -> Any:
        subscript.remove(self, subs)
        return settled(self)


def _into_empty(holder: Array, subs: Subscripts, rhs: Any) -> Any:
    """Assignment into ``[]``, which takes the numeric class of the right side."""
    cls = class_of(rhs)
    values = converted(rhs, cls if cls in DTYPE else "double")
    if values.dtype != holder.data.dtype:
        holder.data = np.zeros((0, 0), dtype=values.dtype, order="F")
    subscript.write(holder, subs, values, holder.data.dtype.type(0))
    return settled(holder)


def settled(holder: Array) -> Any:
    """The canonical value of an array after a write: complex arrays with no imaginary part left
    become real, single elements Python scalars."""
    data = holder.data
    if data.size == 1 and data.ndim == 2 and data.dtype.char in "d?D":
        return from_numpy(data)
    if data.dtype.kind == "c" and not data.imag.any():
        holder.data = np.asfortranarray(data.real)
    return holder


def from_numpy(array: Any, cls: str | None = None) -> Any:
    """An array as a canonical MATLAB value.

    Args:
        array: numbers or logicals of any rank; ranks below two become one element or one row.
            The result may hold the array's own memory.
        cls: the MATLAB class to convert to, with saturation; the array's own by default.
    """
    data = np.asarray(array)
    if cls is not None and CLASS_NAME.get(data.dtype.char) != cls:
        data = cast_array(data, cls)
    if data.ndim < 2:
        data = data.reshape((1, data.size))
    elif data.ndim > 2 and data.shape[-1] == 1:
        data = data.reshape(subscript.trimmed(data.shape), order="F")
    char = data.dtype.char
    if char not in CLASS_NAME:
        data = data.astype(np.float64)
        char = "d"
    if data.dtype.kind == "c" and not data.imag.any():
        data = data.real
        char = data.dtype.char
    if data.size == 1 and data.ndim == 2 and char in "d?D":
        scalar = data.item()
        return Complex(scalar) if char == "D" else scalar
    if not data.flags.f_contiguous or not data.dtype.isnative:
        data = np.asfortranarray(data, dtype=data.dtype.newbyteorder("="))
    result = object.__new__(Array)
    result.data = data
    return result


def to_numpy(value: Any) -> NDArray[Any]:
    """The elements of a numeric, logical or char value; treat the result as read-only.

    Char gives uint16 code units. The result is column-major with at least two axes.

    Raises:
        MatlabError: the value has another class.
    """
    kind = value.__class__
    if kind is Array:
        data: NDArray[Any] = value.data
        return data
    if kind is float or kind is bool or kind is Complex:
        return np.array([[value]])
    if isinstance(value, Value) and value.class_name == "char":
        units: NDArray[Any] = value.data
        return units
    full = getattr(value, "full", None)
    if full is not None:
        dense: NDArray[Any] = np.asfortranarray(full())
        return dense
    raise MatlabError(
        "MATLAB:invalidConversion",
        f"Conversion to double from {class_of(value)} is not possible.",
    )


def to_double(value: Any) -> NDArray[Any]:
    """The elements as float64, or complex128 where the value is complex."""
    data = to_numpy(value)
    return data.astype(np.complex128 if data.dtype.kind == "c" else np.float64, copy=False)


def converted(rhs: Any, cls: str) -> NDArray[Any]:
    """The elements of `rhs` as the class `cls` takes them in an assignment."""
    if isinstance(rhs, Value) and rhs.class_name in ("string", "cell", "struct", "function_handle"):
        raise MatlabError(
            "MATLAB:invalidConversion",
            f"Conversion to {cls} from {rhs.class_name} is not possible.",
        )
    data = to_numpy(rhs)
    if rhs.__class__ is Array and CLASS_NAME[data.dtype.char] == cls:
        return data
    return cast_array(data, cls)


def cast_array(data: NDArray[Any], cls: str) -> NDArray[Any]:
    """`data` in the class `cls`: integers round and saturate, NaN has no logical value."""
    from runmat_core.values.arithmetic import saturate

    target = DTYPE[cls]
    if cls in INTEGER_CLASSES:
        if data.dtype.kind == "c":
            raise MatlabError(
                "MATLAB:complexIntegerConversion",
                "Complex integer values are not supported.",
            )
        return saturate(data, target)
    if cls == "logical":
        if data.dtype.kind in "fc" and np.isnan(data).any():
            from runmat_core.api.errors import nan_to_logical

            raise nan_to_logical()
        return np.asarray(data != 0, order="F")
    if data.dtype.kind == "c":
        target = np.dtype(np.complex64 if cls == "single" else np.complex128)
    with np.errstate(over="ignore"):
        narrowed: NDArray[Any] = data.astype(target, order="F", copy=False)
    return narrowed


def cast(value: Any, cls: str) -> Any:
    """`value` converted to a numeric class or logical, as ``int8(value)`` does."""
    return from_numpy(cast_array(to_numpy(value), cls))
