"""How much is pending, and whether that is little."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from runmat_core.accel.graph.node import Input, Node, Op, Shape


def extent(roots: Iterable[Node]) -> tuple[int, int]:
    """How many pending nodes are below `roots`, and the bytes that live for them alone."""
    seen: set[int] = set()
    stack = list(roots)
    count = size = 0
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.data is None:
            count += 1
            stack += [value for value in node.inputs if value.__class__ is Node]
        elif sys.getrefcount(node.data) <= 2:
            size += getattr(node.data, "nbytes", 0)
    return count, size


def in_a_row(row: int, little: int, op: Op, inputs: tuple[Input, ...], shape: Shape) -> int:
    """How many operations in a row were on small arrays alone, with one more.

    Parts of large arrays count as neither small nor large.

    Args:
        row: how many there were.
        little: arrays with fewer elements are small.
    """
    if shape[0] * shape[1] >= little or (len(shape) > 2 and math.prod(shape) >= little):
        return 0
    if op.kind == "view":
        return row
    for value in inputs:
        if value.__class__ is Node and value.size >= little:
            return 0
    return row + 1
