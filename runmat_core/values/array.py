"""Numeric and logical arrays, and the way between NumPy and MATLAB values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.values import subscript
from runmat_core.values.base import Complex, Subscripts, Value, class_of, is_sole_owner, place_of
from runmat_core.values.classes import CLASS_NAME, DOUBLE, DTYPE, INTEGER_CLASSES, cast_array
from runmat_core.values.hooks import HOOKS
from runmat_core.values.stand_in import StandIn

__all__ = [
    "CLASS_NAME",
    "DTYPE",
    "INTEGER_CLASSES",
    "Array",
    "boxed",
    "cast",
    "cast_array",
    "from_numpy",
    "to_double",
    "to_numpy",
    "wrap",
]

#: The classes of subscripts that are one number or one logical.
_NUMBERS = frozenset({float, bool})


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
        # a small table may be asked for many elements, and few of a large array are had at once
        if (
            self.data.size >= HOOKS.smallest
            and not _NUMBERS.issuperset(map(type, subs))
            and subscript.at_most(self.data.shape, subs) >= HOOKS.smallest
        ) or (subs and subs[0].__class__ is HOOKS.waiting):
            result = HOOKS.index(self, subs)
            if result is not NotImplemented:
                return result
        return from_numpy(subscript.read(self.data, subs))

    def set_paren(self, subs: Subscripts, rhs: Any) -> Any:
        place = place_of(self.data.shape, subs)
        if place is not None and self.data.size != 1:
            element = element_for(rhs, self.data.dtype)
            if element is not None and is_sole_owner(self) and self.data.flags.writeable:
                self.data[place] = element
                return self
        # what is on the host is written to there, wherever that can be told
        if self.data.size >= HOOKS.smallest and HOOKS.waiting in [*map(type, subs)]:
            result = HOOKS.assign(self, subs, rhs)
            if result is not NotImplemented:
                return result
        if self._set_lines(subs, rhs):
            return self
        cls = self.class_name
        if cls == "double" and self.data.shape == (0, 0) and class_of(rhs) in DTYPE:
            # [] takes the class of what is put into it
            cls = class_of(rhs)
            if cls != "double":
                self.data = np.zeros((0, 0), DTYPE[cls])
        elements = converted(rhs, cls)
        if elements.dtype.kind == "c" and self.data.dtype.kind != "c":
            self.data = self.data.astype(elements.dtype, order="F")
        subscript.write(self, subs, elements, 0)
        return self if self.data.size != 1 else from_numpy(self.data)

    def _set_lines(self, subs: Subscripts, rhs: Any) -> bool:
        """Write a column, a page and the like where nothing but the elements is to be looked at."""
        dtype = self.data.dtype
        alone = rhs.__class__ is float and dtype is DOUBLE
        if not alone and not (rhs.__class__ is Array and rhs.data.dtype is dtype):
            return False
        key = subscript.plain_key(self.data.shape, subs)
        if key is None or self.data.size < 2:
            return False
        if not self.data.flags.writeable or not is_sole_owner(self):
            return False
        part = self.data[key]
        if not alone and part.shape != rhs.data.shape:
            return False
        part[...] = rhs if alone else rhs.data
        return True

    def del_paren(self, subs: Subscripts) -> Any:
        subscript.remove(self, subs)
        return self if self.data.size != 1 else from_numpy(self.data)


def wrap(data: NDArray[Any]) -> Array:
    """Return an array on `data`: column-major, of two axes or more, and no lone scalar."""
    result = object.__new__(Array)
    result.data = data
    return result


def boxed(value: Any) -> Array:
    """Return a scalar as a new 1x1 array, for operations that need a buffer."""
    return wrap(np.array([[value]]))


def from_numpy(array: Any, cls: str | None = None) -> Any:
    """Return an array as a canonical MATLAB value.

    Args:
        array: numbers or logicals of any rank; ranks below two become one element or one row.
            The result may hold the array's own memory.
        cls: the MATLAB class to convert to, with saturation; the array's own by default.
    """
    data = array if array.__class__ is np.ndarray else np.asarray(array)
    if data.dtype is DOUBLE and cls is None and data.ndim == 2 and data.size != 1:
        # what nearly every result is
        result = object.__new__(Array)
        result.data = data if data.flags.f_contiguous else data.copy("F")
        return result
    if cls is not None and CLASS_NAME.get(data.dtype.char) != cls:
        data = cast_array(data, cls)
    ndim = data.ndim
    if ndim != 2:
        if ndim < 2:
            data = data.reshape((1, data.size))
        elif data.shape[-1] == 1:
            data = data.reshape(subscript.trimmed(data.shape), order="F")
    char = data.dtype.char
    if char not in CLASS_NAME:
        data = data.astype(DOUBLE)
        char = "d"
    if char in "DF" and _is_real(data):
        data = np.array(data.real, order="F")
        char = data.dtype.char
    if data.size == 1 and char in "d?D":
        scalar = data.item()
        return Complex(scalar) if char == "D" else scalar
    if not data.flags.f_contiguous or not data.dtype.isnative:
        data = np.asfortranarray(data, dtype=data.dtype.newbyteorder("="))
    return wrap(data)


#: Elements up to which a list of complex numbers says sooner than a pass whether all are real.
_LISTED = 32


def _is_real(data: NDArray[Any]) -> bool:
    """Whether all imaginary parts are zero."""
    # where they are not, that of the last element seldom is
    if data.size and data.item(-1).imag != 0:
        return False
    if data.size > _LISTED:
        return not data.imag.any()
    return not any(z.imag for z in data.ravel("K").tolist())


def to_numpy(value: Any) -> NDArray[Any]:
    """Return the elements of a numeric, logical or char value; treat the result as read-only.

    Char gives uint16 code units. The result is column-major with at least two axes.

    Raises:
        MatlabError: the value has another class.
    """
    kind = value.__class__
    if kind is Array:
        data: NDArray[Any] = value.data
        return data
    if kind is float or kind is bool:
        return np.array([[value]])
    if kind is Complex:
        return np.array([[complex(value)]])
    if isinstance(value, Array):
        return value.data
    if isinstance(value, Value) and value.class_name == "char":
        units: NDArray[Any] = value.data
        return units
    full = getattr(value, "full", None)
    if full is not None:
        dense: NDArray[Any] = np.asfortranarray(full())
        return dense
    if isinstance(value, StandIn):
        elements: NDArray[Any] = value.data
        return elements
    raise MatlabError(
        "MATLAB:invalidConversion",
        f"Conversion to double from {class_of(value)} is not possible.",
    )


def to_double(value: Any) -> NDArray[Any]:
    """Return the elements as float64, or complex128 where the value is complex."""
    data = to_numpy(value)
    return data.astype(np.complex128 if data.dtype.kind == "c" else np.float64, copy=False)


def element_for(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return what NumPy is to store in an array of `dtype` for a scalar.

    None where a rule has to decide: whatever is no scalar, rounds, saturates or is an error.
    """
    kind, char = value.__class__, dtype.char
    if kind is float:
        if char == "d" or char == "D":
            return value
        limits = _LIMITS.get(char)
        if limits is not None:
            return int(value) if limits[0] <= value <= limits[1] and value.is_integer() else None
        if char == "?":
            return value != 0 if value == value else None
        return value if char == "f" and -_LARGEST_SINGLE <= value <= _LARGEST_SINGLE else None
    if kind is bool:
        return value
    if kind is Array:
        data = value.data
        return data.item() if data.size == 1 and data.dtype is dtype else None
    return value if kind is Complex and char == "D" else None


#: The least and the largest number of each integer class, by the character of its element type.
_LIMITS = {
    dtype.char: (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    for name, dtype in DTYPE.items()
    if name in INTEGER_CLASSES
}
_LARGEST_SINGLE = float(np.finfo(np.float32).max)


def converted(rhs: Any, cls: str) -> NDArray[Any]:
    """Return the elements of `rhs` as the class `cls` takes them in an assignment."""
    kind = rhs.__class__
    if kind is float and cls == "double":
        return np.array([[rhs]])
    if kind is not Array and class_of(rhs) in ("string", "cell", "struct", "function_handle"):
        raise MatlabError(
            "MATLAB:invalidConversion",
            f"Conversion to {cls} from {class_of(rhs)} is not possible.",
        )
    return cast_array(to_numpy(rhs), cls)


def cast(value: Any, cls: str) -> Any:
    """`value` converted to a numeric class or logical, as ``int8(value)`` does."""
    data = to_numpy(value)
    if value.__class__ is Array and CLASS_NAME[data.dtype.char] == cls:
        return value.share()
    return from_numpy(cast_array(data, cls))
