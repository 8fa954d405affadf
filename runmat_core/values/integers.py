"""Arithmetic of the integer classes: results round half away from zero and saturate.

Up to 32 bits everything is computed in double, where sums, products and quotients are exact enough
to round correctly. With 64 bits doubles are too short: whole operands are combined in integer
arithmetic that detects overflow, others in Python's exact fractions.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.values.classes import clipped, saturate

Data = NDArray[Any]
Type = np.dtype[Any]


def combine_scalars(name: str, x: Any, y: Any, target: Type) -> Data | None:
    """`combine` of two scalars in Python's exact integers; None where one is no whole number."""
    a = x.item() if x.__class__ is np.ndarray else x
    b = y.item() if y.__class__ is np.ndarray else y
    if (a.__class__ is float and not a.is_integer()) or (
        b.__class__ is float and not b.is_integer()
    ):
        return None
    return _of_whole(name, int(a), int(b), target)


def of_scalars(ufunc: Any, x: Data, y: Any) -> Data | None:
    """Return the same of an array of one element and another one or a float.

    Return None of other classes.
    """
    target = x.dtype
    if target.char not in BOUNDS:
        return None
    if y.__class__ is np.ndarray:
        if y.dtype is not target or y.size != 1:
            return None
        y = y.item()
    elif not y.is_integer():
        return None
    a, b = x.item(), int(y)
    if ufunc is np.divide:
        return _of_whole("divide", a, b, target)
    result = a + b if ufunc is np.add else a - b if ufunc is np.subtract else a * b
    low, high = BOUNDS[target.char]
    made = np.empty((1, 1), target)
    made[0, 0] = low if result < low else high if result > high else result
    return made


def _of_whole(name: str, a: int, b: int, target: Type) -> Data | None:
    """`combine_scalars` of whole numbers; None of a quotient by zero."""
    if name == "divide":
        if not b:
            return None
        whole = (2 * abs(a) + abs(b)) // (2 * abs(b))
        result = whole if (a < 0) == (b < 0) else -whole
    else:
        result = a + b if name == "add" else a - b if name == "subtract" else a * b
    low, high = BOUNDS[target.char]
    made = np.empty((1, 1), target)
    made[0, 0] = low if result < low else high if result > high else result
    return made


#: The least and the largest number of each integer type, by its character.
BOUNDS = {char: (int(np.iinfo(char).min), int(np.iinfo(char).max)) for char in "bhilqBHILQ"}


def combine(name: str, x: Any, y: Any, target: Type) -> Data:
    """``x name y`` in the class `target`; at least one operand is an array of that class.

    Args:
        name: add, subtract, multiply, divide or power.
        x: an array of type `target`, or a double as a float or as an array of one element.
        y: the same.
        target: the integer type of the result.
    """
    if target.itemsize < 8:
        ufunc = getattr(np, name)
        wide = ufunc(np.asarray(x, np.float64), np.asarray(y, np.float64))
        if name in _KEEPS_WHOLE and _is_whole(x) and _is_whole(y):
            return clipped(wide, target)
        return saturate(wide, target)
    a, b = _whole(x, target), _whole(y, target)
    if a is None or b is None or name == "power":
        return _exactly(name, x, y, target)
    return _WHOLE_RULES[name](a, b, target)


_KEEPS_WHOLE = frozenset(("add", "subtract", "multiply"))


def _is_whole(value: Any) -> bool:
    """Whether an operand is known to hold whole numbers only."""
    if value.__class__ is np.ndarray:
        return value.dtype.kind != "f"  # type: ignore[no-any-return]
    return value.is_integer()  # type: ignore[no-any-return]


def _whole(value: Any, target: Type) -> Data | None:
    """Return an operand in the integer type of the result, None where it does not fit in it."""
    if value.__class__ is np.ndarray and value.dtype == target:
        return value
    number = float(value.item() if value.__class__ is np.ndarray else value)
    info = np.iinfo(target)
    if number.is_integer() and info.min <= int(number) <= info.max:
        return np.array([[int(number)]], target)
    return None


# -- whole operands of 64 bits -------------------------------------------------------------------


def _add(x: Data, y: Data, target: Type) -> Data:
    total = np.add(x, y)
    if target.kind == "u":
        return np.where(total < x, np.iinfo(target).max, total)
    overflow = ((x ^ total) & (y ^ total)) < 0
    return np.where(overflow, _bound(x < 0, target), total)


def _subtract(x: Data, y: Data, target: Type) -> Data:
    difference = np.subtract(x, y)
    if target.kind == "u":
        return np.where(x < y, target.type(0), difference)
    overflow = ((x ^ y) & (x ^ difference)) < 0
    return np.where(overflow, _bound(x < 0, target), difference)


def _multiply(x: Data, y: Data, target: Type) -> Data:
    product = np.multiply(x, y)
    # the double is right but for its last bits: near the bound the wrapped product tells
    estimate = np.multiply(x.astype(np.float64), y.astype(np.float64))
    if target.kind == "u":
        near, wrapped = estimate > 2.0**63, product < np.uint64(2**63)
        overflow = (estimate > 2.0**64 * 1.25) | (near & wrapped)
        return np.where(overflow, np.iinfo(target).max, product)
    near = np.abs(estimate) > 2.0**62
    overflow = (np.abs(estimate) > 2.0**63 * 1.25) | (near & ((product < 0) != (estimate < 0)))
    return np.where(overflow, _bound(estimate < 0, target), product)


def _divide(x: Data, y: Data, target: Type) -> Data:
    top, bottom = _magnitude(x), _magnitude(y)
    zero = bottom == 0
    quotient, rest = np.divmod(top, np.where(zero, np.uint64(1), bottom))
    quotient = quotient + (rest >= bottom - rest).astype(np.uint64) * ~zero
    quotient = np.where(zero & (top > 0), np.uint64(2**64 - 1), quotient)
    if target.kind == "u":
        return np.asarray(quotient)
    negative = (x < 0) != (y < 0)
    clipped = np.minimum(quotient, np.uint64(2**63 - 1) + negative.astype(np.uint64))
    signed = clipped.astype(np.int64)
    return np.asarray(np.where(negative, -signed, signed))


def _magnitude(x: Data) -> Data:
    """Return the absolute values as uint64: that of the least int64 wraps to itself, rightly."""
    return x if x.dtype.kind == "u" else np.asarray(np.abs(x), np.uint64)


def _bound(low: Data, target: Type) -> Data:
    info = np.iinfo(target)
    return np.asarray(np.where(low, target.type(info.min), target.type(info.max)))


_WHOLE_RULES: dict[str, Callable[[Data, Data, Type], Data]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
}


# -- fractions and powers, element by element ----------------------------------------------------


def _exactly(name: str, x: Any, y: Any, target: Type) -> Data:
    rule = np.frompyfunc(lambda a, b: _exact_element(name, a, b, target), 2, 1)
    result = rule(np.asarray(x, object), np.asarray(y, object))
    return np.asarray(result, object).astype(target)


def _exact_element(name: str, x: Any, y: Any, target: Type) -> int:
    info = np.iinfo(target)
    if not (math.isfinite(x) and math.isfinite(y)) or (name == "divide" and y == 0):
        return int(saturate(np.asarray(getattr(np, name)(float(x), float(y))), target))
    if name == "power":
        return _power(x, y, target)
    # rare, and slow to import
    from fractions import Fraction

    result = _FRACTION_RULES[name](Fraction(x), Fraction(y))
    whole = math.floor(abs(result) + Fraction(1, 2))
    return int(min(max(whole if result > 0 else -whole, info.min), info.max))


_FRACTION_RULES: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
}


def _power(x: Any, y: Any, target: Type) -> int:
    info = np.iinfo(target)
    if x == int(x) and y == int(y) and y >= 0:
        base, exponent = int(x), int(y)
        if abs(base) > 1 and exponent > 64:
            return info.min if base < 0 and exponent % 2 else info.max
        return int(min(max(base**exponent, info.min), info.max))
    result = np.power(np.longdouble(x), np.longdouble(y))
    return int(saturate(np.asarray(np.float64(result)), target))
