"""Element-by-element arithmetic under MATLAB's class rules.

Operands are first brought to NumPy: doubles stay Python scalars (which leave the class of the other
operand alone), logical and char become double, arrays keep their class. Results of integer classes
are computed in double, or exactly for 64 bits, then rounded and saturated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values.array import Array, from_numpy
from runmat_core.values.base import Complex, Value, class_of

Operand = Any  # a Python float or complex, or an ndarray
Ufunc = Callable[..., Any]


def saturate(values: Any, dtype: Any) -> NDArray[Any]:
    """`values` as an integer type: rounded half away from zero, clipped to its range, NaN as 0."""
    data: NDArray[Any] = np.asarray(values)
    target = np.dtype(dtype)
    info = np.iinfo(target)
    if data.dtype == target:
        return data
    if data.dtype.kind in "iu":
        source = np.iinfo(data.dtype)
        low, high = max(info.min, source.min), min(info.max, source.max)
        clipped: NDArray[Any] = np.clip(data, low, high).astype(target, order="F")
        return clipped
    if data.dtype.kind == "b":
        return data.astype(target, order="F")
    with np.errstate(invalid="ignore"):
        whole = np.trunc(data)
        whole = whole + np.where(np.abs(data - whole) >= 0.5, np.copysign(1, data), 0)
        # the largest value may not be a float: compare before casting
        top, bottom = whole >= float(info.max), whole <= float(info.min)
        inside = np.where(top | bottom | np.isnan(whole), 0, whole)
        result = inside.astype(target, order="F")
    result = np.where(top, target.type(info.max), result)
    result = np.where(bottom, target.type(info.min), result)
    return np.asarray(result, dtype=target, order="F")


def operand(value: Any, symbol: str) -> Operand:
    """`value` for NumPy; an error that names the operator where its class has no arithmetic."""
    kind = value.__class__
    if kind is float or kind is Complex:
        return value
    if kind is Array:
        data = value.data
        return data.astype(np.float64) if data.dtype.char == "?" else data
    if kind is bool:
        return 1.0 if value else 0.0
    if isinstance(value, Value) and value.class_name == "char":
        return value.data.astype(np.float64)
    raise errors.undefined_operator(symbol, class_of(value))


def integer_class(a: Any, b: Any) -> Any:
    """The integer dtype of the result of `a` op `b`, or None.

    Raises:
        MatlabError: the classes do not mix: two integer classes, or an integer with single or with
            an array of doubles.
    """
    first = a.dtype if a.__class__ is np.ndarray and a.dtype.kind in "iu" else None
    second = b.dtype if b.__class__ is np.ndarray and b.dtype.kind in "iu" else None
    if first is None and second is None:
        return None
    if first is not None and second is not None:
        if first != second:
            raise errors.mixed_integers()
        return first
    other = b if first is not None else a
    if other.__class__ is np.ndarray and (other.dtype.char != "d" or other.size != 1):
        raise errors.mixed_integers()
    if other.__class__ is Complex:
        raise errors.mixed_integers()
    return first if first is not None else second


def aligned(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """Operands whose axes are counted from the first, as MATLAB's implicit expansion does."""
    if a.__class__ is np.ndarray and b.__class__ is np.ndarray and a.ndim != b.ndim:
        rank = max(a.ndim, b.ndim)
        a = a.reshape(a.shape + (1,) * (rank - a.ndim), order="F")
        b = b.reshape(b.shape + (1,) * (rank - b.ndim), order="F")
    return a, b


def elementwise(ufunc: Ufunc, a: Any, b: Any, symbol: str) -> Any:
    """``ufunc(a, b)`` with MATLAB's classes, expansion and errors."""
    x, y = aligned(operand(a, symbol), operand(b, symbol))
    target = integer_class(x, y)
    try:
        with np.errstate(all="ignore"):
            if target is None:
                return from_numpy(ufunc(x, y))
            return from_numpy(integer_result(ufunc, x, y, target))
    except ValueError:
        raise errors.incompatible_sizes() from None


def integer_result(ufunc: Ufunc, x: Operand, y: Operand, target: Any) -> NDArray[Any]:
    """``ufunc`` on integers: in double, or in extended precision where double is too short."""
    wide = np.longdouble if target.itemsize == 8 else np.float64
    return saturate(ufunc(np.asarray(x, dtype=wide), np.asarray(y, dtype=wide)), target)


# -- the operators ---------------------------------------------------------------------------------


def plus(a: Any, b: Any) -> Any:
    return elementwise(np.add, a, b, "+")


def minus(a: Any, b: Any) -> Any:
    return elementwise(np.subtract, a, b, "-")


def times(a: Any, b: Any) -> Any:
    return elementwise(np.multiply, a, b, ".*")


def rdivide(a: Any, b: Any) -> Any:
    return elementwise(_divide, a, b, "./")


def ldivide(a: Any, b: Any) -> Any:
    return elementwise(_divide, b, a, ".\\")


def _divide(x: Operand, y: Operand) -> Any:
    result = np.divide(x, y)
    if result.dtype.kind == "c":
        _mend_complex_quotient(result, x, y)
    return result


def _mend_complex_quotient(result: Any, x: Operand, y: Operand) -> None:
    # NumPy gives NaN for z/0; MATLAB divides each part by a real divisor
    if np.iscomplexobj(y) or not isinstance(result, np.ndarray):
        return
    zero = np.broadcast_to(np.equal(y, 0), result.shape)
    if zero.any():
        top = np.broadcast_to(x, result.shape)[zero]
        bottom = np.broadcast_to(y, result.shape)[zero]
        result[zero] = np.divide(top.real, bottom) + 1j * np.divide(top.imag, bottom)


def power(a: Any, b: Any) -> Any:
    x, y = aligned(operand(a, ".^"), operand(b, ".^"))
    target = integer_class(x, y)
    try:
        with np.errstate(all="ignore"):
            if target is not None:
                return from_numpy(integer_result(np.power, x, y, target))
            return from_numpy(_power(np.asarray(x), np.asarray(y)))
    except ValueError:
        raise errors.incompatible_sizes() from None


def _power(x: NDArray[Any], y: NDArray[Any]) -> Any:
    """Powers of floating-point numbers; complex where a negative base has a fractional exponent."""
    single = "f" in (x.dtype.char, y.dtype.char) or "F" in (x.dtype.char, y.dtype.char)
    if x.dtype.kind != "c" and y.dtype.kind != "c":
        if not (((x < 0) & (np.trunc(y) != y)) if y.size and x.size else np.False_).any():
            return _narrow(np.power(x, y), single)
        x = x.astype(np.complex128)
    if y.ndim and y.size == 1 and y.reshape(-1)[0] == 2:
        return _narrow(x * x, single)
    result = np.power(x.astype(np.complex128), y)
    # NumPy has 0^0 = NaN for complex zeros raised to complex powers
    zero = np.broadcast_to((x == 0), result.shape) & np.broadcast_to(y == 0, result.shape)
    if zero.any():
        result = np.where(zero, 1, result)
    return _narrow(result, single)


def _narrow(result: Any, single: bool) -> Any:
    if not single:
        return result
    return np.asarray(result).astype(
        np.complex64 if np.iscomplexobj(result) else np.float32, copy=False
    )


def uminus(a: Any) -> Any:
    x = operand(a, "-")
    if x.__class__ is np.ndarray and x.dtype.kind in "iu":
        return from_numpy(saturate(-x.astype(np.longdouble), x.dtype))
    if x.__class__ is np.ndarray:
        return from_numpy(-x)
    return -x if x.__class__ is float else Complex(-x.real, -x.imag)


def uplus(a: Any) -> Any:
    x = operand(a, "+")
    return from_numpy(x) if x.__class__ is np.ndarray else x


# -- comparison and logic ------------------------------------------------------------------------


def compare(ufunc: Ufunc, a: Any, b: Any, symbol: str) -> Any:
    """A comparison; the order of complex numbers is that of their real parts."""
    x, y = aligned(operand(a, symbol), operand(b, symbol))
    if symbol not in ("==", "~="):
        x, y = np.real(x), np.real(y)
    try:
        return from_numpy(np.asarray(ufunc(x, y)))
    except ValueError:
        raise errors.incompatible_sizes() from None


def eq(a: Any, b: Any) -> Any:
    return compare(np.equal, a, b, "==")


def ne(a: Any, b: Any) -> Any:
    return compare(np.not_equal, a, b, "~=")


def lt(a: Any, b: Any) -> Any:
    return compare(np.less, a, b, "<")


def le(a: Any, b: Any) -> Any:
    return compare(np.less_equal, a, b, "<=")


def gt(a: Any, b: Any) -> Any:
    return compare(np.greater, a, b, ">")


def ge(a: Any, b: Any) -> Any:
    return compare(np.greater_equal, a, b, ">=")


def logical_operand(value: Any, symbol: str) -> Any:
    x = operand(value, symbol)
    if np.isnan(x).any():
        raise errors.nan_to_logical()
    return np.asarray(x) != 0


def and_(a: Any, b: Any) -> Any:
    return _logic(np.logical_and, a, b, "&")


def or_(a: Any, b: Any) -> Any:
    return _logic(np.logical_or, a, b, "|")


def _logic(ufunc: Ufunc, a: Any, b: Any, symbol: str) -> Any:
    x, y = aligned(logical_operand(a, symbol), logical_operand(b, symbol))
    try:
        return from_numpy(np.asarray(ufunc(x, y)))
    except ValueError:
        raise errors.incompatible_sizes() from None


def not_(a: Any) -> Any:
    return from_numpy(~logical_operand(a, "~"))
