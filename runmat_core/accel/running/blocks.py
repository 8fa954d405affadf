"""Parts of arrays on a device that were brought to the host for reads of single elements."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from runmat_core.accel.graph.node import Node

#: Elements of the first block; each further one has so many times those of the one before.
LENGTH, GROWTH = 512, 16


class Block:
    """Elements of an array on a device that are on the host.

    Attributes:
        start: position from zero of the first one.
        elements: a column of them.
        length: elements of the next block.
        cost: of all reads so far, in bytes that could have been brought instead.
    """

    __slots__ = ("cost", "elements", "length", "start")

    def __init__(self) -> None:
        self.start = self.cost = 0
        self.elements: Any = ()
        self.length = LENGTH


#: By the arrays they are of; a write into an array removes its block.
BLOCKS: WeakKeyDictionary[Node, Block] = WeakKeyDictionary()
