"""What is assigned to regions of arrays: whether it goes there as it is, and as which input."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import any_node_of, deferred, node_of
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node, Op, Shape
from runmat_core.accel.ops.complexes import widened
from runmat_core.api import ir
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import DTYPE_OF, Fragment, Known
from runmat_core.values.array import Array, from_numpy, to_numpy
from runmat_core.values.base import Complex


def suits(rhs: Any, cls: str) -> bool:
    """Whether `rhs` goes into an array of class `cls` without a conversion."""
    if cls in COMPLEX_CLASSES:
        return suits_complex(rhs, cls)
    if rhs.__class__ is float:
        return cls in ("double", "single")
    if rhs.__class__ is bool:
        return cls == "logical"
    return isinstance(rhs, Array) and rhs.class_name == cls


def suits_complex(value: Any, cls: str) -> bool:
    """Return whether `as_complex` takes a value without changing its precision."""
    kind = value.__class__
    if kind is float or kind is Complex:
        return True
    return isinstance(value, Array) and value.class_name == CLASS_SEEN[cls]


def as_complex(graph: Graph, value: Any, cls: str) -> Node | None:
    """Return a node of a complex class for a number or an array that `suits_complex`."""
    if value.__class__ is float or value.__class__ is Complex:
        return graph.source(np.array([[value]], NUMPY_DTYPE[DTYPE_OF[cls]], order="F"), cls)
    node = any_node_of(graph, value)
    return widened(graph, node, cls) if isinstance(node, Node) else None


def fitting(graph: Graph, rhs: Any, cls: str) -> Any:
    """Return `rhs` as it goes into an array of class `cls`.

    Real numbers are converted to another floating class; anything else comes as it is.
    """
    if suits(rhs, cls) or cls not in FLOATS:
        return rhs
    if rhs.__class__ is bool:
        return float(rhs)
    if not isinstance(rhs, Array) or rhs.class_name not in (*FLOATS, "logical"):
        return rhs
    node = node_of(graph, rhs)
    if node.__class__ is not Node:
        return rhs
    return deferred(graph.append(AS[cls], (node,), (), node.shape, cls))


def _as(cls: str) -> Op:
    """Return the conversion of real numbers to a floating class."""
    dtype = "f32" if cls == "single" else "f64"

    def host(node: Node, value: Any) -> Any:
        return from_numpy(to_numpy(value).astype(NUMPY_DTYPE[dtype]))

    @cache
    def fragment(
        dtypes: tuple[str, ...], known: tuple[Known | None, ...], options: Any = ()
    ) -> Fragment:
        return ir.trace(lambda v: ir.cast(v, dtype), dtypes, known)

    return Op(cls, "map", host, fragment)


FLOATS = ("double", "single")
AS = {cls: _as(cls) for cls in FLOATS}


def source_of(graph: Graph, rhs: Any, counts: Shape, cls: str) -> Any:
    """Return the right side as an input of the region's shape; None where it does not fit."""
    of_complex = cls in COMPLEX_CLASSES
    found = as_complex(graph, rhs, cls) if of_complex else node_of(graph, rhs)
    if found.__class__ is not Node:
        return found
    if found.shape == (1, 1):
        return found
    if [n for n in found.shape if n != 1] != [n for n in counts if n != 1]:
        return None
    if found.shape != counts:
        padded = counts if len(counts) > 1 else (counts[0], 1)
        moved = view_of(graph, found, "reshape", padded, 0, dense_strides(padded))
        return None if moved is NotImplemented else moved.promise.node
    return found
