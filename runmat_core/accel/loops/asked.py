"""A loop as generated code knows it, when it asks whether the loop can be captured."""

from __future__ import annotations

import math
from typing import Any

import attrs

from runmat_core.accel.capture.boundary import is_placed
from runmat_core.accel.capture.recipes import told, told_function
from runmat_core.accel.loops import trace as tracing
from runmat_core.values.array import Array
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.handle import FunctionHandle
from runmat_core.values.indexing import size_of
from runmat_core.values.struct import StructArray

#: The array whose columns a loop iterates, by a name that no variable has.
COLUMNS = "(columns)"


@attrs.frozen(eq=False)
class Loop:
    """A loop that stands before one of its trips.

    Attributes:
        twin: its body as a function over a dict of variables.
        known: the variables in the body, as they are.
        variable: that of the loop.
        writes: the variables that the body assigns.
        parts: start, step and stop of the range, or the array whose columns are iterated.
        begin: the number of the trip: 0 before the loop, 1 after its first trip.
        resumes: whether it can go on by itself after some of the trips that are left.
        fixed: the variables whose elements are constants of a trace.
        widened: the real variables that are complex in a trace.
        steady: the numbers that do not count, though the body needs them.
    """

    twin: Any
    known: dict[str, Any]
    variable: str
    writes: tuple[str, ...]
    parts: tuple[Any, ...]
    begin: int
    resumes: bool = False
    fixed: frozenset[str] = frozenset()
    widened: frozenset[str] = frozenset()
    steady: frozenset[str] = frozenset()

    @property
    def columns(self) -> bool:
        """Whether it iterates the columns of an array."""
        return len(self.parts) == 1

    def trips(self) -> int:
        """How many trips it has in all; 0 where its variable does not count in whole numbers."""
        parts = self.parts
        if len(parts) == 1:
            value = parts[0]
            if value.__class__ is not Array and value.__class__ is not Deferred:
                return 0
            passes: int = math.prod(size_of(value)[1:])
            return passes
        start, step, stop = (parts[0], 1.0, parts[1]) if len(parts) == 2 else parts
        if not start.__class__ is step.__class__ is stop.__class__ is float:
            return 0
        # what is not finite is not below the limit either
        if not (start.is_integer() and step.is_integer() and step):
            return 0
        if not abs(start) + abs(step) + abs(stop) <= 2.0**52:
            return 0
        return int(max(math.floor((stop - start) / step) + 1, 0))

    def item(self, trip: int) -> float:
        """Return the variable of a loop over a range in a trip, from zero."""
        return float(self.parts[0] + trip * self.step)

    @property
    def step(self) -> float:
        """By how much the variable of a loop over a range grows."""
        return self.parts[1] if len(self.parts) == 3 else 1.0

    def items(self) -> list[Any]:
        """Return the values of its variable in the trips that are left."""
        if self.columns:
            from runmat_core.values import columns

            return list(columns(self.parts[0]))[self.begin :]
        return [self.item(trip) for trip in range(self.begin, self.trips())]

    def key(self, stream: Any) -> Any:
        """Return what a trace depends on; None where it cannot be told."""
        types = []
        for name, value in self.known.items():
            one = _type_of(value, name in self.writes)
            if one is None:
                return None
            types.append((name, one))
        span = () if self.columns else self.parts
        return *self._code, self.begin, tuple(types), span, stream.kind, stream.lane

    def entry_key(self, stream: Any) -> Any:
        """Return what of that is the same before every trip; None where it cannot be told."""
        types = []
        for name, value in self.known.items():
            if name not in self.writes:
                one = _type_of(value, False)
                if one is None:
                    return None
                types.append((name, one))
        span = () if self.columns else self.parts
        return *self._code, tuple(sorted(types, key=lambda one: one[0])), span, stream.kind

    @property
    def _code(self) -> tuple[Any, Any]:
        """The body, and the file that it is part of, whose other functions it may call."""
        return self.twin.__code__, self.twin.__globals__.get("_origin")


def _type_of(value: Any, written: bool) -> Any:
    kind = value.__class__
    if kind is Deferred:
        promise = promise_of(value)
        if promise.node.data is None:
            decided = written or not tracing.may_be_real(value)
            return promise.node.cls, promise.shape, promise.pinned, decided
    elif kind is float and not written:
        return told(value)
    cls = tracing.class_in(value, written)
    if cls is not None:
        decided = written or not tracing.may_be_real(value)
        return cls, tuple(size_of(value)), is_placed(value), decided
    number = told(value)
    if number is not None:
        return number
    if written:
        return None
    if kind is FunctionHandle:
        return told_function(value)
    if kind is StructArray and value.data.__class__ is dict:
        return _fields_of(value.data)
    return None


def _fields_of(fields: dict[str, Any]) -> Any:
    """Return a struct of scalars and text, which a trace takes as constants; None for any other."""
    found = [(name, told(value)) for name, value in fields.items()]
    return None if any(one is None for _, one in found) else tuple(found)
