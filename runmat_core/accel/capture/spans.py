"""What subscripts select, as far as it is known: positions at equal distances, or any others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph.node import Node, Shape
from runmat_core.api import errors
from runmat_core.values.array import Array
from runmat_core.values.base import COLON, class_of
from runmat_core.values.deferred import Deferred
from runmat_core.values.positions import EVERYTHING, bad, check_bound, positions


class Range:
    """Positions from zero at equal distances, and the shape of the subscript."""

    __slots__ = ("count", "shape", "start", "step")

    def __init__(self, start: int, step: int, count: int, shape: Shape) -> None:
        self.start = start
        self.step = step
        self.count = count
        self.shape = shape

    @property
    def end(self) -> int:
        """One past the largest position."""
        return max(self.start, self.start + self.step * (self.count - 1)) + 1 if self.count else 0


class Positions:
    """Any positions from zero, and the shape of the subscript."""

    __slots__ = ("shape", "where")

    def __init__(self, where: NDArray[Any], shape: Shape) -> None:
        self.where = where
        self.shape = shape

    @property
    def count(self) -> int:
        """Return how many elements are selected."""
        return self.where.size


Selection = Range | Positions

#: Lists on the host up to this size are known again by their elements, so many of them at a time.
FEW, _MOST = 64, 1024
_met: dict[Any, Selection] = {}


def select(sub: Any, extent: int, axis: int | None) -> Selection | None:
    """Return what a subscript selects; None for pending logicals, whose number is not known.

    Raises:
        MatlabError: it is no subscript.
    """
    if sub is COLON:
        return Range(0, 1, extent, (extent, 1))
    if sub.__class__ is float and sub >= 1.0 and sub.is_integer():
        return Range(int(sub) - 1, 1, 1, (1, 1))
    if class_of(sub) == "logical" and (sub.__class__ is not Array or sub.shape == (1, 1)):
        return None
    if sub.__class__ is Deferred and (found := of_range(sub, axis)):
        return found
    if sub.__class__ is Array and sub.data.size <= FEW and sub.data.dtype.char == "d":
        key = (sub.data.shape, sub.data.tobytes())
        known = _met.get(key)
        if known is None:
            if len(_met) >= _MOST:
                _met.clear()
            known = _met[key] = _selected(sub, extent, axis)
        return known
    return _selected(sub, extent, axis)


def _selected(sub: Any, extent: int, axis: int | None) -> Selection:
    """Return what numbers or a mask on the host select, or a subscript of one element."""
    where, shape = positions(sub, axis)
    if where is EVERYTHING:
        return Range(0, 1, extent, (extent, 1))
    if where.__class__ is int:
        return Range(where, 1, 1, (1, 1))
    assert isinstance(where, np.ndarray)
    count = where.size
    if count < 2:
        return Range(int(where[0]) if count else 0, 1, count, shape)
    step = int(where[1]) - int(where[0])
    if (np.diff(where) == step).all():
        return Range(int(where[0]), step, count, shape)
    return Positions(where, shape)


def of_range(sub: Deferred, axis: int | None) -> Range | None:
    """Return a pending range of whole numbers, which nobody needs to look at."""
    node: Node = sub.promise.node
    if node.data is not None or node.op.kind != "range":
        return None
    start, step = node.inputs
    if not (float(start).is_integer() and float(step).is_integer()):
        raise bad(axis)
    span = Range(int(start) - 1, int(step), node.size, node.shape)
    if min(span.start, span.start + span.step * (span.count - 1)) < 0:
        raise bad(axis)
    return span


def selections_of(shape: Shape, subs: Sequence[Any], bounded: bool) -> list[Selection] | None:
    """Return what each subscript selects of an array of `shape`."""
    found: list[Selection] = []
    single = len(subs) == 1
    for axis, sub in enumerate(subs):
        at = None if single else axis
        one = select(sub, shape[axis], at)
        if one is None:
            return None
        if bounded and sub is not COLON:
            check(one, shape[axis], sub, at)
        found.append(one)
    return found


def check(one: Selection, extent: int, sub: Any, axis: int | None) -> None:
    """Check that a selection is within an extent."""
    if isinstance(one, Positions):
        check_bound(one.where, extent, sub, axis)
    elif one.end > extent:
        if axis is None:
            raise errors.index_exceeds(extent)
        raise errors.index_exceeds_position(axis + 1, extent)
