"""Relations and logical operators, element by element."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.values.arithmetic import Operand, broadcast, operand
from runmat_core.values.array import Array, from_numpy, wrap
from runmat_core.values.char import CharArray
from runmat_core.values.classes import to_logical


def compare(ufunc: Any, a: Any, b: Any, symbol: str) -> Any:
    """Return a relation; the order of complex numbers is that of their real parts."""
    if a.__class__ is CharArray and b.__class__ is CharArray:
        found = with_character(ufunc, a.content, b.content)
        if found is not None:
            return found
    x = a.data if a.__class__ is Array else _units(a, symbol)
    y = b.data if b.__class__ is Array else _units(b, symbol)
    if not isinstance(x, np.ndarray) and not isinstance(y, np.ndarray):
        return _ON_SCALARS[ufunc](x, y)
    if ufunc is not np.equal and ufunc is not np.not_equal:
        x = x.real if x.__class__ is not np.ndarray or x.dtype.kind == "c" else x
        y = y.real if y.__class__ is not np.ndarray or y.dtype.kind == "c" else y
    if _needs_care(x) or _needs_care(y):
        x, y = _exact(x), _exact(y)
    result = broadcast(ufunc, x, y)
    if result.__class__ is np.ndarray and result.size != 1:
        return wrap(result)
    return from_numpy(result)


def with_character(ufunc: Any, first: Any, second: Any) -> Any:
    """Return a relation of a row of text and one character, as programs look for it.

    Return None of others.
    """
    if not (first.__class__ is second.__class__ is str and len(second) == 1 < len(first)):
        return None
    if not (first.isascii() and second.isascii()):
        return None
    key = ufunc, second
    table = _TABLES.get(key)
    if table is None:
        table = _TABLES[key] = ufunc(_ASCII, ord(second)).tobytes()
    found: Array = object.__new__(Array)
    # bytes that are written to later would be copied
    flags = bytearray(first, "ascii").translate(table)
    found.data = np.ndarray((1, len(first)), _FLAG, flags)
    return found


def _units(value: Any, symbol: str) -> Operand:
    """Return an operand of a relation: text as its code units."""
    if value.__class__ is not CharArray:
        return operand(value, symbol)
    content = value.content
    if isinstance(content, str):
        if len(content) == 1:
            return ord(content)
        if content and content.isascii():
            return np.frombuffer(content.encode(), _BYTE).reshape(1, -1)
    return value.data


_BYTE = np.dtype(np.uint8)
_FLAG = np.dtype(np.bool_)
_ASCII = np.arange(256)
#: A relation and a character -> what it is of each byte.
_TABLES: dict[tuple[Any, str], bytes] = {}
_ON_SCALARS: dict[Any, Any] = {
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: lambda x, y: x.real < y.real,
    np.less_equal: lambda x, y: x.real <= y.real,
    np.greater: lambda x, y: x.real > y.real,
    np.greater_equal: lambda x, y: x.real >= y.real,
}


def _needs_care(x: Operand) -> bool:
    """Whether NumPy would round before it compares: 64-bit integers with floats."""
    return x.__class__ is np.ndarray and x.dtype.itemsize == 8 and x.dtype.kind in "iu"


def _exact(x: Operand) -> Operand:
    """Return an operand that NumPy compares with 64-bit integers exactly."""
    if x.__class__ is np.ndarray:
        wide = {"f": np.longdouble, "c": np.clongdouble}.get(x.dtype.kind)
        return x if wide is None else x.astype(wide)
    if isinstance(x, complex):
        return np.clongdouble(x)
    return int(x) if x.__class__ is float and x.is_integer() else np.longdouble(x)


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


# -- logic ---------------------------------------------------------------------------------------


def logical_operand(value: Any, symbol: str) -> Any:
    """Return the elements of an operand as logicals.

    Raises:
        MatlabError: it holds NaN or is complex.
    """
    if value.__class__ is bool:
        return value
    if value.__class__ is float:
        if value != value:
            raise errors.nan_to_logical()
        return value != 0
    return to_logical(
        value.data if value.__class__ is Array else np.asarray(operand(value, symbol))
    )


def and_(a: Any, b: Any) -> Any:
    return _logic(np.logical_and, a, b, "&")


def or_(a: Any, b: Any) -> Any:
    return _logic(np.logical_or, a, b, "|")


def _logic(ufunc: Any, a: Any, b: Any, symbol: str) -> Any:
    return from_numpy(broadcast(ufunc, logical_operand(a, symbol), logical_operand(b, symbol)))


def not_(a: Any) -> Any:
    return from_numpy(np.logical_not(logical_operand(a, "~")))
