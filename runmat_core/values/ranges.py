"""Ranges as rules for their elements: of a loop over a range no array is made."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from runmat_core.api import errors
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import DTYPE, INTEGER_CLASSES, from_numpy

#: Elements that are made at once for a loop.
_PART = 1024
#: What no loop gets through.
_ENDLESS = 2**63 - 1
_EPS = float(np.finfo(np.float64).eps)


def passes(a: float, d: float, b: float) -> int:
    """How often a loop over ``a:d:b`` runs, where that is not empty and begins at a number."""
    if d == 0 or a != a or d != d or b != b or (d > 0 and a > b) or (d < 0 and a < b):
        return 0
    if math.isinf(d):
        return 1
    distance = (b - a) / d
    if not distance < _ENDLESS:
        return _ENDLESS
    n = math.floor(distance + 0.5)
    tolerance = 2.0 * _EPS * max(abs(a), abs(b))
    if math.copysign(1.0, d) * (a + n * d - b) > tolerance:
        n -= 1
    return n + 1


class FloatRange:
    """``first:step:last`` of `count` doubles, or of the singles nearest to them."""

    __slots__ = ("cls", "count", "first", "last", "step")

    def __init__(
        self, first: float, step: float, last: float, count: int, cls: str = "double"
    ) -> None:
        self.first = first
        self.step = step
        self.last = last
        self.count = count
        self.cls = cls

    def part(self, begin: int, end: int) -> Any:
        """Return the elements from `begin` to before `end`.

        They are counted from both ends, so that the last one is exact where the step fits.
        """
        a, d, b, n = self.first, self.step, self.last, self.count
        k = np.arange(begin, end, dtype=np.float64)
        if d.is_integer() and a.is_integer() and max(abs(a), abs(b)) < 2**53:
            return self._as_class(a + d * k)
        end_of = a + (n - 1) * d
        if math.copysign(1.0, d) * (end_of - b) > -2 * _EPS * max(abs(a), abs(b)):
            end_of = b
        half = n // 2
        near = min(max(half - begin, 0), end - begin)
        values = np.empty(end - begin)
        values[:near] = a + k[:near] * d
        values[near:] = end_of - (n - 1 - k[near:]) * d
        if n % 2 and begin <= half < end:
            values[half - begin] = (a + end_of) / 2 if n > 1 else a
        if n > 1 and begin < n <= end:
            values[n - 1 - begin] = end_of
        return self._as_class(values)

    def _as_class(self, values: Any) -> Any:
        return values.astype(np.float32) if self.cls == "single" else values

    def elements(self) -> Iterator[Any]:
        """Return the elements as MATLAB values."""
        return _elements(self)


class IntegerRange:
    """``first:step:last`` of `count` elements of an integer class."""

    __slots__ = ("cls", "count", "first", "step")

    def __init__(self, first: int, step: int, count: int, cls: str) -> None:
        self.first = first
        self.step = step
        self.count = count
        self.cls = cls

    def part(self, begin: int, end: int) -> Any:
        """Return the elements from `begin` to before `end`."""
        a, d = self.first, self.step
        if self.cls in ("int64", "uint64"):
            return np.array(range(a + begin * d, a + end * d, d), self.cls)
        return (a + d * np.arange(begin, end)).astype(self.cls)

    def elements(self) -> Iterator[Any]:
        """Return the elements as MATLAB values."""
        return _elements(self)


def integer_range(a: Any, d: Any, b: Any, cls: str, classes: list[str]) -> IntegerRange:
    """Return a range with operands of an integer class among others.

    Raises:
        MatlabError: other operands are of other integer classes, or no whole numbers.
    """
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
        return IntegerRange(0, 1, 0, cls)
    a, d = int(a), int(d)
    b = min(max(int(b), info.min), info.max)
    return IntegerRange(a, d, max(0, (b - a) // d + 1), cls)


def _elements(found: FloatRange | IntegerRange) -> Iterator[Any]:
    for begin in range(0, found.count, _PART):
        part = found.part(begin, min(begin + _PART, found.count))
        if part.dtype == DTYPE["double"]:
            yield from part.tolist()
        else:
            yield from (from_numpy(one.reshape((1, 1))) for one in np.split(part, part.size))
