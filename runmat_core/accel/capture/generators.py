"""Arrays that are made from a few numbers: constants, ranges, random draws."""

from __future__ import annotations

import math
from typing import Any

from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.context import get
from runmat_core.accel.graph.node import Shape, input_class
from runmat_core.accel.ops.generators import FILL, NARROWED, RANDOM, RANGE, SPACED
from runmat_core.accel.random.stream import RandomStream
from runmat_core.accel.running.at_once import runs_at_once
from runmat_core.api.ir import DTYPE_OF, known_class
from runmat_core.values.array import DTYPE
from runmat_core.values.hooks import HOOKS

#: Whole numbers up to here are exact in doubles, sums and products of them too.
_EXACT = 2.0**53

#: What could not be computed is refused by the ordinary rules, at once.
TOO_MANY = 1 << 32


def fill(value: float | bool, shape: Shape, cls: str) -> Any:
    """Return an array of `shape` with one value, or NotImplemented where it is too small."""
    seat = get()
    size = math.prod(shape)
    if seat is None or not max(seat.threshold, 2) <= size < TOO_MANY:
        return NotImplemented
    graph = seat.graph
    return graph.grow(FILL, (value,), (input_class(value),), (), shape, cls)


def span(first: Any, step: Any, last: Any) -> Any:
    """``first:step:last`` of whole numbers as a row, or NotImplemented.

    Args:
        first, step, last: floats; in a loop that is traced also what stands for such numbers.
    """
    seat = get()
    if not first.__class__ is step.__class__ is last.__class__ is float:
        graph: Any = None if seat is None or not seat.tracing else seat.graph
        return NotImplemented if graph is None else graph.range(first, step, last)
    if seat is None or not (first.is_integer() and step.is_integer() and step):
        return NotImplemented
    if not max(abs(first), abs(step), abs(last)) < _EXACT:
        return NotImplemented
    count = math.floor((last - first) / step) + 1
    if not max(seat.threshold, 2) <= count < TOO_MANY or runs_at_once(count):
        return NotImplemented
    kinds = (known_class(first), known_class(step))
    return seat.graph.grow(RANGE, (first, step), kinds, (), (1, count), "double")


def spaced(start: float, stop: float, number: float, cls: str = "double") -> Any:
    """Return the row of ``linspace`` in a floating class, or NotImplemented."""
    seat = get()
    if seat is None or not max(seat.threshold, 3) <= number < TOO_MANY:
        return NotImplemented
    count = int(number)
    step = (stop - start) / (count - 1)
    # symmetric ends have symmetric points, which counting does not give
    if start == -stop or not math.isfinite(step):
        return NotImplemented
    graph, shape = seat.graph, (1, count)
    if DTYPE[cls].type(start + (count - 1) * step) == DTYPE[cls].type(stop):
        # counting gets there, as far as the class can tell
        points = graph.append(RANGE, (start, step), (), shape, "double")
        narrow = cls == "single"
        return deferred(graph.append(NARROWED, (points,), (), shape, cls) if narrow else points)
    numbers = graph.append(RANGE, (0.0, 1.0), (), shape, "double")
    inputs = (numbers, start, step, stop, float(count - 1))
    return deferred(graph.append(SPACED[cls], inputs, (), shape, cls))


def random(stream: RandomStream, distribution: str, shape: Shape, cls: str) -> Any:
    """Return a draw from the session's stream that is made when it is needed, or NotImplemented.

    Args:
        distribution: ``uniform`` or ``normal``.
        cls: ``double`` or ``single``.
    """
    seat = get()
    size = math.prod(shape)
    if seat is None or not 0 < size < TOO_MANY:
        return NotImplemented
    # a few uniform numbers, which are the same wherever they are made, wait while statements are
    # written down, that could not be made again with the numbers of this time
    few = stream.traced or (seat.writing is not None and distribution == "uniform")
    if not few and (size < max(seat.threshold, 2) or runs_at_once(size)):
        return NotImplemented
    place = stream.reserve(distribution, DTYPE_OF[cls], size)
    if place is None:
        return NotImplemented
    low, high = place.position & 0xFFFFFFFF, place.position >> 32
    inputs = (place.key_low, place.key_high, low, high)
    return seat.graph.grow(RANDOM[distribution], inputs, _WORDS, _STATIC[distribution], shape, cls)


_STATIC = {name: (("distribution", name),) for name in RANDOM}
#: What structural numbers see of the four words that a draw starts from.
_WORDS = ("u32",) * 4


def install() -> None:
    """Let ranges be captured."""
    HOOKS.span = span
