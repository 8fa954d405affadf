"""What is assigned to regions of arrays: whether it goes there as it is, and as which input."""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture import complexes
from runmat_core.accel.capture.boundary import node_of
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Shape
from runmat_core.accel.planning.addressing import steps_of
from runmat_core.values.array import Array


def suits(rhs: Any, cls: str) -> bool:
    """Whether `rhs` goes into an array of class `cls` without a conversion."""
    if cls in COMPLEX_CLASSES:
        return complexes.suits(rhs, cls)
    if rhs.__class__ is float:
        return cls in ("double", "single")
    if rhs.__class__ is bool:
        return cls == "logical"
    return isinstance(rhs, Array) and rhs.class_name == cls


def source_of(graph: Graph, rhs: Any, counts: Shape, cls: str) -> Any:
    """The right side as an input of the region's shape; None where it does not fit."""
    of_complex = cls in COMPLEX_CLASSES
    found = complexes.as_complex(graph, rhs, cls) if of_complex else node_of(graph, rhs)
    if found.__class__ is not Node:
        return found
    if found.shape == (1, 1):
        return found
    if [n for n in found.shape if n != 1] != [n for n in counts if n != 1]:
        return None
    if found.shape != counts:
        padded = counts if len(counts) > 1 else (counts[0], 1)
        moved = view_of(graph, found, "reshape", padded, 0, steps_of(padded))
        return None if moved is NotImplemented else moved.promise.node
    return found
