"""Moving variances of large arrays: sums and squared deviations of windows, joined level by level.

What two runs of elements deviate from the mean of both is what each deviates from its own, and the
distance of their means: no squares of elements are subtracted from each other.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import Any

import numpy as np

from runmat_core.accel.ops.elementwise import ElementwiseOp, elementwise_op
from runmat_core.api import ir
from runmat_core.api.fusion import Map
from runmat_core.api.tuples import NamedTuple
from runmat_core.builtins.composed import call, is_one_of
from runmat_core.builtins.composed_statistics import apply, present
from runmat_core.builtins.composed_windows import (
    RADIX,
    Moving,
    counted,
    cut,
    moving_of,
    padded,
)
from runmat_core.values import class_of, from_numpy, minus, plus, rdivide, to_numpy


class Run(NamedTuple):
    """How many elements each of some windows has: all of them, but for what is beyond the ends.

    Attributes:
        start: where the first window starts, from the first element after padding.
        reach: the elements of a window.
        places: the number of windows.
    """

    start: int
    reach: int
    places: int

    def of(self, moving: Moving) -> Any:
        """Return the numbers, one where all are equal."""
        if not moving.shrinks:
            return float(self.reach)
        first = plus(counted(moving.x, moving.axis, self.places), float(self.start))
        last = call("min", plus(first, float(self.reach)), float(moving.before + moving.points))
        return call("max", minus(last, call("max", first, float(moving.before))), 0.0)


class Spread(NamedTuple):
    """What is known of the elements of each of some windows.

    Attributes:
        count: how many there are: an array where NaN is left out.
        total: their sum.
        squares: the sum of their squared deviations.
    """

    count: Any
    total: Any
    squares: Any


def movvar(x: Any, window: Any, *args: Any) -> Any:
    """``movvar`` of real arrays without sample points."""
    return _variance("movvar", x, window, args)


def movstd(x: Any, window: Any, *args: Any) -> Any:
    """``movstd`` of real arrays without sample points."""
    found = _variance("movstd", x, window, args)
    # never below zero, which nothing else says of it
    return found if found is NotImplemented else call("sqrt", call("abs", found))


def _variance(name: str, x: Any, window: Any, args: tuple[Any, ...]) -> Any:
    biased = False
    if args and class_of(args[0]) not in ("char", "string"):
        if not is_one_of(args[0], 0.0, 1.0):
            return NotImplemented
        biased, args = args[0] == 1.0, args[1:]
    moving = moving_of(name, x, window, args)
    if moving is NotImplemented:
        return moving
    spread = _joined(moving)
    count = spread.count.of(moving) if spread.count.__class__ is Run else spread.count
    if count.__class__ is float:
        return rdivide(spread.squares, count if biased else max(count - 1.0, 1.0))
    if not biased:
        # a window without elements gives NaN, one of one element zero
        count = call("max", minus(count, 1.0), call("min", count, 1.0))
    return rdivide(spread.squares, count)


def _leaves(moving: Moving) -> Spread:
    """Return the windows of one element each, those beyond the ends included."""
    x, beyond = moving.x, moving.filler
    if beyond is None or (moving.omit and beyond != beyond):
        beyond, outside = 0.0, 0.0  # counts for nothing
    else:
        outside = 1.0
    count: Any = None
    if moving.omit:
        count = call(x.class_name, call("not", call("isnan", x)))
        x = present(x, 0.0)
    if not moving.discard:
        x = padded(moving, x, beyond)
        count = None if count is None else padded(moving, count, outside)
    places = x.shape[int(moving.axis) - 1]
    # the deviation is NaN where the element is no finite number
    return Spread(Run(0, 1, places) if count is None else count, x, minus(x, x))


def _joined(moving: Moving) -> Spread:
    part = _leaves(moving)
    axis = int(moving.axis) - 1
    length = part.total.shape[axis]
    results = length - moving.width + 1
    found, at, reach = None, 0, 1

    def merge(a: Spread, b: Spread) -> Spread:
        return _merge(moving, a, b)

    while True:
        # `part` has the windows of `reach` elements
        for _ in range(moving.width // reach % RADIX):
            piece = _cut(part, axis, at, results)
            found = piece if found is None else merge(found, piece)
            at += reach
        if RADIX * reach > moving.width:
            assert found is not None
            return found
        room = length - RADIX * reach + 1
        part = reduce(merge, [_cut(part, axis, k * reach, room) for k in range(RADIX)])
        reach *= RADIX


def _cut(part: Spread, axis: int, start: int, places: int) -> Spread:
    total, squares = cut(part.total, axis, start, places), cut(part.squares, axis, start, places)
    if part.count.__class__ is Run:
        return Spread(Run(start, part.count.reach, places), total, squares)
    return Spread(cut(part.count, axis, start, places), total, squares)


def _merge(moving: Moving, a: Spread, b: Spread) -> Spread:
    """Return what windows have together that lie side by side."""
    if a.count.__class__ is Run:
        count: Any = a.count._replace(reach=a.count.reach + b.count.reach)
        na, nb = a.count.of(moving), b.count.of(moving)
    else:
        count, na, nb = plus(a.count, b.count), a.count, b.count
    squares = apply(_squares(), na, a.total, a.squares, nb, b.total, b.squares)
    return Spread(count, plus(a.total, b.total), squares)


@cache
def _squares() -> ElementwiseOp:
    def function(na: Any, sa: Any, qa: Any, nb: Any, sb: Any, qb: Any) -> Any:
        off = sa / ir.maximum(na, 1.0) - sb / ir.maximum(nb, 1.0)
        return qa + qb + off * (off * (na * nb / ir.maximum(na + nb, 1.0)))

    def host(*given: Any) -> Any:
        na, sa, qa, nb, sb, qb = [to_numpy(value) for value in given]
        off = sa / np.maximum(na, 1) - sb / np.maximum(nb, 1)
        found = qa + qb + off * (off * (na * nb / np.maximum(na + nb, 1)))
        return from_numpy(found.astype(qa.dtype))

    return elementwise_op("movvar", Map(function, "float"), host)
