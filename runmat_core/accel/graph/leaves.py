"""What a trace starts from: placeholders for the variables of a loop's body.

A placeholder is a node that looks computed, but whose elements nobody can have: reading them ends
the trace. Size and class are known, so everything that asks for these alone goes on.
"""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.accel.graph.node import SOURCE, Node, Op, Shape
from runmat_core.values.stand_in import Refused as Refused


@attrs.frozen
class Carry:
    """A variable that the body assigns, as it is when a trip begins."""

    name: str


#: The operation of placeholders of variables that are carried: as with any result of an operation,
#: what is complex may turn out real.
CARRIED = Op("carried", "source", SOURCE.host)


@attrs.frozen
class Invariant:
    """An array that the body only reads."""

    name: str


@attrs.frozen
class Slice:
    """Part of an array, as it is when a trip begins, that moves from trip to trip.

    Attributes:
        base: the array's leaf.
        offset, strides: of the part in the first trip, over the axes of the leaf's shape.
        advance: elements by which it moves after each trip.
    """

    base: Node
    offset: int
    strides: tuple[int, ...]
    advance: int


@attrs.frozen
class Item:
    """The variable of a loop over whole numbers: ``first + step*trip``."""

    first: int
    step: int

    def at(self, trip: int) -> float:
        """Its value in a trip, from zero."""
        return float(self.first + self.step * trip)


@attrs.frozen
class Element:
    """An element of an array that a function is applied to.

    Attributes:
        position: of the array among those.
    """

    position: int


Leaf = Carry | Invariant | Slice | Item | Element


class ElementsNeeded(Refused):
    """A body needs elements of arrays that it only reads: they may be constants of the trace.

    Attributes:
        names: of these variables.
    """

    def __init__(self, reason: str, names: frozenset[str]) -> None:
        super().__init__(reason)
        self.names = names


class AbstractData:
    """What a placeholder has in place of elements."""

    __slots__ = ("dtype", "leaf")

    #: of no provider
    owner = ""
    nbytes = 0

    def __init__(self, leaf: Leaf, dtype: str) -> None:
        self.leaf = leaf
        self.dtype = dtype


def leaf_of(node: Any) -> Leaf | None:
    """Return the leaf that a node is; None for any other input of a node."""
    data: Any = node.data if node.__class__ is Node else None
    return data.leaf if data.__class__ is AbstractData else None


def is_small(shape: Shape) -> bool:
    """Whether a shape is that of a scalar."""
    return shape == (1, 1)
