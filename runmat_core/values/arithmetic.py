"""Element-by-element arithmetic under MATLAB's class rules.

Operands are first brought to NumPy: doubles stay Python scalars (which leave the class of the other
operand alone), logical and char become double, arrays keep their class.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import errors
from runmat_core.values import integers
from runmat_core.values.array import Array, from_numpy, wrap
from runmat_core.values.base import Complex, class_of, scalar_complex
from runmat_core.values.char import CharArray
from runmat_core.values.classes import DOUBLE, goes_by_parts, quiet

_COMPLEX = np.dtype(np.complex128)
Operand = Any  # a Python float or complex, or an ndarray


def operand(value: Any, symbol: str) -> Operand:
    """`value` for NumPy; an error that names the operator where its class has no arithmetic."""
    kind = value.__class__
    if kind is float:
        return value
    if kind is Array:
        data = value.data
        return data.astype(DOUBLE) if data.dtype.char == "?" else data
    if kind is bool:
        return 1.0 if value else 0.0
    if kind is Complex:
        return complex(value)
    if kind is CharArray:
        return value.code() if value.is_one else value.codes()
    raise errors.undefined_operator(symbol, class_of(value))


def aligned(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Arrays of one rank: implicit expansion counts axes from the first."""
    rank = max(x.ndim, y.ndim)
    if x.ndim < rank:
        x = x.reshape(x.shape + (1,) * (rank - x.ndim), order="F")
    if y.ndim < rank:
        y = y.reshape(y.shape + (1,) * (rank - y.ndim), order="F")
    return x, y


def broadcast(ufunc: Any, x: Operand, y: Operand) -> Any:
    """``ufunc(x, y)`` with implicit expansion, as a column-major array.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch.
    """
    if x.__class__ is np.ndarray and y.__class__ is np.ndarray and x.shape != y.shape:
        x, y = aligned(x, y)
        try:
            return quiet(ufunc, x, y, order="F")
        except ValueError:
            raise errors.incompatible_sizes() from None
    return quiet(ufunc, x, y)


def integer_class(x: Operand, y: Operand) -> Any:
    """Return the integer type of what `x` and `y` combine to, or None.

    Raises:
        MatlabError: the classes do not mix: two integer classes, or an integer with anything but
            a scalar double.
    """
    first = x.dtype if x.__class__ is np.ndarray and x.dtype.kind in "iu" else None
    second = y.dtype if y.__class__ is np.ndarray and y.dtype.kind in "iu" else None
    if first is None and second is None:
        return None
    if first is not None and second is not None:
        if first != second:
            raise errors.mixed_integers()
        return first
    other = y if first is not None else x
    if other.__class__ is np.ndarray and (other.dtype.char != "d" or other.size != 1):
        raise errors.mixed_integers()
    if other.__class__ is complex:
        raise errors.mixed_integers()
    return first if first is not None else second


def alike(x: Operand, y: Operand) -> tuple[Operand, Operand]:
    """Operands with doubles as single where the other one is single."""
    if x.__class__ is np.ndarray and y.__class__ is np.ndarray:
        if x.dtype.char in "fF" and y.dtype.char in "dD":
            return x, quiet(y.astype, "f" if y.dtype.char == "d" else "F")
        if y.dtype.char in "fF" and x.dtype.char in "dD":
            return quiet(x.astype, "f" if x.dtype.char == "d" else "F"), y
    return x, y


def elementwise(name: str, a: Any, b: Any, symbol: str) -> Any:
    """Return ``a symbol b`` by the NumPy function `name`, by rules of classes and sizes."""
    x = a.data if a.__class__ is Array else a
    y = b.data if b.__class__ is Array else b
    if (x.__class__ is float or (x.__class__ is np.ndarray and x.dtype is DOUBLE)) and (
        y.__class__ is float or (y.__class__ is np.ndarray and y.dtype is DOUBLE)
    ):
        result = broadcast(_UFUNC[name], x, y)
        return wrap(result) if result.size != 1 else from_numpy(result)
    if x.__class__ is CharArray and y.__class__ is float and not x.is_one:
        return from_numpy(quiet(_UFUNC[name], x.codes(), y))
    target = _of_one_integer(x, y)
    if target is not None:
        scalar = integers.combine_scalars(name, x, y, target)
        if scalar is not None:
            return wrap(scalar)
    if name != "divide" and _in_double(x) and _in_double(y):
        if goes_by_parts(name, x, y):
            return from_numpy(_by_parts(name, x, y))
        result = broadcast(_UFUNC[name], x, y)
        if result.__class__ is np.ndarray:
            return from_numpy(_mended_product(result, x, y) if name == "multiply" else result)
    x, y = operand(a, symbol), operand(b, symbol)
    if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
        return _scalars(name, x, y)
    target = integer_class(x, y)
    if target is not None:
        if getattr(x, "size", 1) == 1 and getattr(y, "size", 1) == 1:
            scalar = integers.combine_scalars(name, x, y, target)
            if scalar is not None:
                return wrap(scalar)
        return from_numpy(broadcast(lambda x, y, **_: integers.combine(name, x, y, target), x, y))
    x, y = alike(x, y)
    if goes_by_parts(name, x, y):
        return from_numpy(_by_parts(name, x, y))
    result = broadcast(_UFUNC[name], x, y)
    if result.dtype.kind == "c":
        if name == "divide":
            result = _mended_quotient(result, x, y)
        elif name == "multiply":
            result = _mended_product(result, x, y)
    return from_numpy(result)


def _by_parts(name: str, x: Operand, y: Operand) -> NDArray[Any]:
    from runmat_core.values import mixed  # most programs have no complex numbers

    if x.__class__ is np.ndarray and y.__class__ is np.ndarray and x.ndim != y.ndim:
        x, y = aligned(x, y)
    return mixed.by_parts(_UFUNC[name], x, y)


def _of_one_integer(x: Operand, y: Operand) -> Any:
    """Return the type of two integers of one class, or of one and a double.

    Return None of anything else.
    """
    if x.__class__ is float:
        x, y = y, x
    if x.__class__ is not np.ndarray or x.size != 1 or x.dtype.kind not in "iu":
        return None
    if y.__class__ is float:
        return x.dtype
    return x.dtype if y.__class__ is np.ndarray and y.size == 1 and y.dtype is x.dtype else None


def _in_double(x: Operand) -> bool:
    """Whether an operand is real or complex in double precision."""
    if x.__class__ is np.ndarray:
        return x.dtype is DOUBLE or x.dtype is _COMPLEX
    return x.__class__ is float or x.__class__ is Complex


def _scalars(name: str, x: complex, y: complex) -> Any:
    """Arithmetic of two Python scalars: one is complex, or one was logical."""
    if x.__class__ is float and y.__class__ is float and name != "divide":
        return _ON_FLOATS[name](x, y)
    if (name != "divide" or y) and goes_by_parts(name, x, y):
        from runmat_core.values.mixed import of_scalars

        return scalar_complex(of_scalars(name, x, y))
    result = quiet(_UFUNC[name], x, y).item()
    if name == "divide" and y == 0 and result.__class__ is complex:
        result = _mended_quotient(np.array([result]), np.array([x]), np.array([y])).item()
    return scalar_complex(result) if result.__class__ is complex else result


_ON_FLOATS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}
_UFUNC = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
}


def _mended_quotient(result: NDArray[Any], x: Operand, y: Operand) -> NDArray[Any]:
    """NumPy gives NaN for z/0; MATLAB divides each part by a divisor without imaginary part."""
    zero = np.broadcast_to(np.equal(y, 0), result.shape)
    if zero.any():
        top = np.broadcast_to(x, result.shape)[zero]
        bottom = np.broadcast_to(np.real(y), result.shape)[zero]
        result[zero] = quiet(_divide_parts, top, bottom)
    return result


def _mended_product(result: NDArray[Any], x: Operand, y: Operand) -> NDArray[Any]:
    """NumPy contracts products into sums, which leaves ``z .* conj(z)`` an imaginary part.

    Where that of the first element is zero without, all may be: einsum contracts nothing.
    """
    if x.__class__ is not np.ndarray or y.__class__ is not np.ndarray or not result.size:
        return result
    if x.dtype != y.dtype or (complex(x.item(0)) * complex(y.item(0))).imag:
        return result
    np.einsum("...,...->...", *aligned(x, y), out=result)
    return result


def _divide_parts(top: NDArray[Any], bottom: NDArray[Any]) -> NDArray[Any]:
    quotient = np.empty(top.shape, np.complex128)
    quotient.real = top.real / bottom
    quotient.imag = top.imag / bottom
    return quotient


def plus(a: Any, b: Any) -> Any:
    return elementwise("add", a, b, "+")


def minus(a: Any, b: Any) -> Any:
    return elementwise("subtract", a, b, "-")


def times(a: Any, b: Any, symbol: str = ".*") -> Any:
    return elementwise("multiply", a, b, symbol)


def rdivide(a: Any, b: Any, symbol: str = "./") -> Any:
    return elementwise("divide", a, b, symbol)


def ldivide(a: Any, b: Any) -> Any:
    return elementwise("divide", b, a, ".\\")


# -- powers --------------------------------------------------------------------------------------


def power(a: Any, b: Any, symbol: str = ".^") -> Any:
    """Return ``a .^ b``; complex where a negative base has a fractional exponent."""
    if b.__class__ is float and a.__class__ is Array and a.data.dtype is DOUBLE:
        x = a.data
        if b == 2.0:
            return wrap(quiet(np.multiply, x, x))
        if b.is_integer() or not (x < 0).any():
            return wrap(quiet(np.power, x, b))
    x, y = operand(a, symbol), operand(b, symbol)
    target = integer_class(x, y)
    if target is not None:
        return from_numpy(
            broadcast(lambda x, y, **_: integers.combine("power", x, y, target), x, y)
        )
    x, y = alike(x, y)
    single = any(v.__class__ is np.ndarray and v.dtype.char in "fF" for v in (x, y))
    return from_numpy(broadcast(_power, np.asarray(x), np.asarray(y)), "single" if single else None)


def _power(x: NDArray[Any], y: NDArray[Any], order: Any = "K") -> NDArray[Any]:
    if y.size == 1 and y.item() == 2:
        return np.multiply(x, x, order=order)  # type: ignore[no-any-return]
    if x.dtype.kind != "c" and y.dtype.kind != "c":
        if not _leaves_reals(x, y):
            return np.power(x, y, order=order)  # type: ignore[no-any-return]
        x = x.astype(np.complex128)
    # of arrays without an axis NumPy makes a number, which cannot be written to
    result: NDArray[Any] = np.asarray(np.power(x, y, order=order, dtype=np.complex128))
    # NumPy has NaN for complex 0^0
    zero = np.equal(y, 0)
    if zero.any():
        result[np.broadcast_to(zero, result.shape)] = 1
    return result


def _leaves_reals(x: NDArray[Any], y: NDArray[Any]) -> bool:
    """Whether some negative base meets an exponent that is no integer."""
    fractional = np.trunc(y) != y
    if not fractional.any():
        return False
    negative = x < 0
    return bool((negative & fractional).any())


def uminus(a: Any) -> Any:
    x = operand(a, "-")
    if x.__class__ is np.ndarray:
        if x.dtype.kind in "iu":
            # the least integer has no opposite
            return from_numpy(
                np.where(x == np.iinfo(x.dtype).min, ~x, -x)
                if x.dtype.kind == "i"
                else np.zeros_like(x)
            )
        return from_numpy(-x)
    return -x if x.__class__ is float else Complex(-x)


def uplus(a: Any) -> Any:
    x = operand(a, "+")
    if a.__class__ is Array and x is a.data:
        return a.share()
    return from_numpy(x) if x.__class__ is np.ndarray else scalar_complex(x)
