"""The colon operator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.values.array import INTEGER_CLASSES, Array, from_numpy, to_numpy, wrap
from runmat_core.values.base import Complex, Value, class_of
from runmat_core.values.deferred import Deferred
from runmat_core.values.hooks import HOOKS
from runmat_core.values.object import ObjectValue
from runmat_core.values.ranges import FloatRange, IntegerRange, integer_range, passes

#: A range of more elements than this could not be allocated on any machine.
TOO_MANY = 2**48

_EXACT = 2.0**31

#: The whole numbers of short ranges.
_COUNTED = 1024
_COUNT = np.arange(1.0, _COUNTED + 1).reshape(1, -1)
_COUNT.flags.writeable = False


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
        if first >= 1.0 and span >= 1.0 and second <= _COUNTED and first.is_integer():
            # a part of an array that is never written to, as whoever writes finds another holder
            return wrap(_COUNT[:, first.__trunc__() - 1 : second.__trunc__()])
        if first.is_integer() and 1.0 <= span < _EXACT and -_EXACT < first < _EXACT:
            return wrap(np.arange(first, first + int(span) + 0.5).reshape((1, -1)))
        if first.is_integer() and 0.0 <= span < 1.0 and -_EXACT < first < _EXACT:
            return first + 0.0  # no negative zero
    step, last = (1.0, second) if third is None else (second, third)
    floats = first.__class__ is float and step.__class__ is float and last.__class__ is float
    if not floats:
        for value in (first, step, last):
            if isinstance(value, ObjectValue):
                return _of_objects(value, first, None if third is None else step, last)
        if Deferred in (first.__class__, step.__class__, last.__class__):
            # a loop that is run ahead knows how they move, and what they are apart
            found = HOOKS.span(first, step, last)
            if found is not NotImplemented:
                return found
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
    """Return a range with an object among its operands; `step` is None where none is given."""
    rule = getattr(value, "range_of", None)
    if rule is None:
        raise errors.undefined_operator(":", class_of(value))
    return rule(first, step, last)


def _scalar(value: Any) -> Any:
    """Return the first element of an operand: MATLAB looks at no other."""
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
    """Return the number of elements of ``a:d:b``."""
    if math.isinf(a) or math.isinf(b):
        if not _is_empty(a, d, b):
            gap = math.isinf(d) and not math.isinf(a)
            raise errors.bad_index() if gap else errors.size_limit()
        return 0
    n = passes(a, d, b)
    if n > TOO_MANY:
        raise errors.size_limit()
    return n


def _is_empty(a: float, d: float, b: float) -> bool:
    return bool(d == 0 or a != a or d != d or b != b or (d > 0 and a > b) or (d < 0 and a < b))


def float_range(a: float, d: float, b: float) -> Any:
    """``a:d:b`` as a row of doubles."""
    n = count(a, d, b)
    if n <= 0:
        return np.zeros((1, 0))
    return FloatRange(a, d, b, n).part(0, n).reshape((1, n))


def _integers(a: Any, d: Any, b: Any, cls: str, classes: list[str]) -> Any:
    found = integer_range(a, d, b, cls, classes)
    if found.count > TOO_MANY:
        raise errors.size_limit()
    return from_numpy(found.part(0, found.count).reshape((1, found.count)))


def range_of(first: Any, step: Any, last: Any) -> FloatRange | IntegerRange | None:
    """Return ``first:step:last`` as a rule for its elements, however many there are.

    Return None for what is neither doubles, singles nor integers, or begins or steps at infinity.
    """
    operands = (first, step, last)
    if any(one.__class__ is not float and one.__class__ is not Array for one in operands):
        return None
    a, d, b = [_scalar(one) for one in operands]
    classes = [class_of(one) for one in operands]
    integer = next((c for c in classes if c in INTEGER_CLASSES), None)
    if integer is not None:
        return integer_range(a, d, b, integer, classes)
    a, d, b = float(a), float(d), float(b)
    if "logical" in classes or math.isinf(a) or math.isinf(d) or _is_empty(a, d, b):
        return None
    return FloatRange(a, d, b, passes(a, d, b), "single" if "single" in classes else "double")
