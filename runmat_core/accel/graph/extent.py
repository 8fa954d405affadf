"""How much is pending."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from runmat_core.accel.graph.node import Node


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
