"""The colon operator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import INTEGER_CLASSES, Array, from_numpy, to_numpy, wrap
from runmat_core.values.base import Complex, Value, class_of
from runmat_core.values.hooks import HOOKS
from runmat_core.values.object import ObjectValue

#: A range of more elements than this could not be allocated on any machine.
TOO_MANY = 2**48

_EXACT = 2.0**31


def colon(first: Any, second: Any, third: Any = None) -> Any:
    """``first:last`` or ``first:step:last``.

    Doubles use MATLAB's algorithm: elements are counted from both ends, so that the last one is
    exact where the step fits.
    """
    if third is None and first.__class__ is float and second.__class__ is float:
        if second - first >= HOOKS.smallest:
            found = HOOKS.span(first, 1.0, second)
            if found is not NotImplemented:
                return found
        span = second - first
        # whole numbers that doubles count exactly
        if first.is_integer() and 1.0 <= span < _EXACT and -_EXACT < first < _EXACT:
            return wrap(np.arange(first, first + int(span) + 0.5).reshape((1, -1)))
    step, last = (1.0, second) if third is None else (second, third)
    floats = first.__class__ is float and step.__class__ is float and last.__class__ is float
    if not floats:
        for value in (first, step, last):
            if isinstance(value, ObjectValue):
                return _of_objects(value, first, None if third is None else step, last)
    a, d, b = _scalar(first), _scalar(step), _scalar(last)
    if floats and d and (b - a) / d >= HOOKS.smallest:
        found = HOOKS.span(a, d, b)
        if found is not NotImplemented:
            return found
    classes = [class_of(v) for v in (first, step, last)]
    integer = next((c for c in classes if c in INTEGER_CLASSES), None)
    if integer is not None:
        return _integers(a, d, b, integer, classes)
    values = float_range(float(a), float(d), float(b))
    if "single" in classes:
        return from_numpy(values.astype(np.float32))
    if class_of(first) == "char" and class_of(last) == "char":
        from runmat_core.values.char import from_units

        return from_units(values.astype(np.uint16))
    return from_numpy(values)


def _of_objects(value: ObjectValue, first: Any, step: Any, last: Any) -> Any:
    """A range with an object among its operands; `step` is None where none is given."""
    rule = getattr(value, "range_of", None)
    if rule is None:
        raise errors.undefined_operator(":", class_of(value))
    return rule(first, step, last)


def _scalar(value: Any) -> Any:
    """The first element of an operand: MATLAB looks at no other."""
    if value.__class__ is float:
        return value
    if value.__class__ is Complex:
        return value.real
    if isinstance(value, Value) and class_of(value) in ("cell", "struct", "function_handle"):
        raise errors.undefined_operator(":", class_of(value))
    data = to_numpy(value)
    if not data.size:
        return math.nan
    item = data.reshape(-1, order="F")[0].item()
    return item.real if isinstance(item, complex) else item


def count(a: float, d: float, b: float) -> int:
    """The number of elements of ``a:d:b``."""
    if d == 0 or a != a or d != d or b != b or (d > 0 and a > b) or (d < 0 and a < b):
        return 0
    if math.isinf(a) or math.isinf(b):
        raise (
            errors.size_limit() if not (math.isinf(d) and not math.isinf(a)) else errors.bad_index()
        )
    if math.isinf(d):
        return 1
    n = math.floor((b - a) / d + 0.5)
    if n > TOO_MANY:
        raise errors.size_limit()
    tolerance = 2.0 * np.finfo(np.float64).eps * max(abs(a), abs(b))
    if math.copysign(1.0, d) * (a + n * d - b) > tolerance:
        n -= 1
    return n + 1


def float_range(a: float, d: float, b: float) -> Any:
    """``a:d:b`` as a row of doubles."""
    n = count(a, d, b)
    if n <= 0:
        return np.zeros((1, 0))
    if d.is_integer() and a.is_integer() and max(abs(a), abs(b)) < 2**53:
        return (a + d * np.arange(n, dtype=np.float64)).reshape((1, n))
    last = a + (n - 1) * d
    if math.copysign(1.0, d) * (last - b) > -2 * np.finfo(np.float64).eps * max(abs(a), abs(b)):
        last = b
    k = np.arange(n, dtype=np.float64)
    half = n // 2
    values = np.empty(n)
    values[:half] = a + k[:half] * d
    values[n - half :] = last - k[:half][::-1] * d
    if n % 2:
        values[half] = (a + last) / 2 if n > 1 else a
    if n > 1:
        values[-1] = last
    return values.reshape((1, n))


def _integers(a: Any, d: Any, b: Any, cls: str, classes: list[str]) -> Any:
    for other, value in zip(classes, (a, d, b), strict=True):
        if other in INTEGER_CLASSES and other != cls:
            raise errors.mixed_integers()
        if other not in INTEGER_CLASSES and not float(value).is_integer():
            raise MatlabError(
                "MATLAB:colon:nonIntegerOperand",
                "Colon operands must be all the same type, or mixed with real scalar doubles.",
            )
    info = np.iinfo(cls)
    if d == 0 or any(value != value for value in (a, d, b)):  # NaN is an empty integer operand
        return Array(np.zeros((1, 0), cls))
    a, d = int(a), int(d)
    b = min(max(int(b), info.min), info.max)
    n = max(0, (b - a) // d + 1)
    if n > TOO_MANY:
        raise errors.size_limit()
    if cls in ("int64", "uint64"):
        return from_numpy(np.array(range(a, a + n * d, d), cls).reshape((1, n)))
    return from_numpy((a + d * np.arange(n)).astype(cls).reshape((1, n)))
