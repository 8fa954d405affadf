"""Conversions between element types as MATLAB converts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import FLOATS, INTEGERS

#: function, element types of its scratch arrays, operands that may share memory with the result
CastRule = tuple[Callable[..., Any], tuple[str, ...], tuple[int, ...]]


def cast_rule(source: str, target: str) -> CastRule:
    """How elements of a type become another: ``function(x, out, *scratch)``.

    Integer targets round halves away from zero, saturate, and take 0 for NaN; ``bool`` is
    ``x ~= 0``; what remains converts as C does.
    """
    if target == "bool":
        return (lambda x, out: np.not_equal(x, 0, out)), (), ()
    if target in INTEGERS and source in FLOATS:
        return _FloatToInteger(source, target), (source, source, "bool"), ()
    if target in INTEGERS and source in INTEGERS and not _holds(source, target):
        low, high = _range(source, target)
        return (lambda x, out, s: np.copyto(out, np.clip(x, low, high, s), "unsafe")), (source,), ()
    return convert, (), ()


def convert(x: Any, out: Any) -> None:
    """As C converts."""
    np.copyto(out, x, "unsafe")


def _range(source: str, target: str) -> tuple[Any, Any]:
    """Return the part of an integer type's range that another holds, as numbers of the former."""
    outer, inner = np.iinfo(NUMPY_DTYPE[source]), np.iinfo(NUMPY_DTYPE[target])
    kind = NUMPY_DTYPE[source].type
    return kind(max(int(outer.min), int(inner.min))), kind(min(int(outer.max), int(inner.max)))


def _holds(source: str, target: str) -> bool:
    outer, inner = np.iinfo(NUMPY_DTYPE[source]), np.iinfo(NUMPY_DTYPE[target])
    return bool(inner.min <= outer.min and outer.max <= inner.max)


class _FloatToInteger:
    """Rounds and saturates.

    The largest 64-bit integers are no floats (nor is the largest of 32 bits a single): values are
    clipped to the largest float below the limit, so that no conversion overflows, and those at or
    past it take the limit afterwards.
    """

    def __init__(self, source: str, target: str) -> None:
        info = np.iinfo(NUMPY_DTYPE[target])
        kind = NUMPY_DTYPE[source].type
        self.limit = info.max
        self.low, self.high = kind(info.min), kind(info.max)
        self.past: Any = None
        if int(self.high) > self.limit:
            self.past = self.high
            self.high = np.nextafter(self.high, kind(0))

    def __call__(self, x: Any, out: Any, whole: Any, rest: Any, flag: Any) -> None:
        np.trunc(x, whole)
        np.subtract(x, whole, rest)
        np.multiply(rest, 2, rest)  # exact; its integer part is the step away from zero
        np.trunc(rest, rest)
        np.add(whole, rest, whole)  # an infinity is NaN now
        np.isfinite(x, flag)
        if not flag.all():
            np.copyto(whole, x, where=~flag)
            np.isnan(x, flag)
            np.copyto(whole, 0, where=flag)
        np.fmin(whole, self.high, rest)
        np.fmax(rest, self.low, rest)
        np.copyto(out, rest, "unsafe")
        if self.past is not None:
            np.greater_equal(whole, self.past, flag)
            np.copyto(out, self.limit, where=flag)
