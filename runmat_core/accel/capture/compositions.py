"""Builtins that are a few captured operations of their arrays: differences, products.

Each takes floating arrays of one class in the common forms, complex ones where it says so; host
rules have the rest, and the errors.
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel.capture import views
from runmat_core.accel.capture.boundary import any_node_of, deferred
from runmat_core.accel.capture.maps import capture_map
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.ops.complexes import conjugated
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.accel.ops.reductions import SUM, reduced_shape
from runmat_core.values.classes import FLOAT_CLASSES

#: Differences of higher order are left to the host rule.
ORDER = 4


def diff(graph: Graph, node: Node, order: Any = 1.0, dim: Any = None) -> Any:
    """``diff(x)``, ``diff(x, order)``, ``diff(x, order, dim)``, complex or not."""
    count, axis = views.whole(order), _axis(node, dim)
    enough = axis < len(node.shape) and node.shape[axis] > count
    if CLASS_SEEN[node.cls] not in FLOAT_CLASSES or not 0 < count <= ORDER or not enough:
        return NotImplemented
    for _ in range(count):
        lower, upper = neighbours(graph, node, axis)
        node = elementwise(graph, "minus", upper, lower)
    return deferred(node)


def dot(graph: Graph, x: Node, other: Any, dim: Any = None) -> Any:
    """``dot(x, y)``, ``dot(x, y, dim)``, complex or not: the first operand is conjugated."""
    y = any_node_of(graph, other)
    if not isinstance(y, Node) or CLASS_SEEN[x.cls] != CLASS_SEEN[y.cls]:
        return NotImplemented
    if x.cls in COMPLEX_CLASSES:
        x = conjugated(graph, x)
    elif x.cls not in FLOAT_CLASSES or not views.proven_real(x):
        return NotImplemented
    vectors = len(x.shape) == len(y.shape) == 2 and 1 in x.shape and 1 in y.shape
    if dim is None and vectors and x.size == y.size and x.shape != y.shape:
        y = _turned(graph, y, x.shape)
    axis = _axis(x, dim)
    if x.shape != y.shape or axis >= len(x.shape):
        return NotImplemented
    return total(graph, elementwise(graph, "times", x, y), axis)


def alike(x: Node, y: Node) -> bool:
    """Whether two arrays are of one floating class."""
    return x.cls == y.cls and x.cls in FLOAT_CLASSES


def _axis(node: Node, dim: Any) -> int:
    """Return the dimension asked for, from zero; by default the first that is not 1.

    Raises:
        ValueError: it is no dimension.
    """
    if dim is None:
        return next((k for k, extent in enumerate(node.shape) if extent != 1), 0)
    axis = views.whole(dim) - 1
    if axis < 0:
        raise ValueError(dim)
    return axis


def neighbours(graph: Graph, node: Node, axis: int) -> tuple[Node, Node]:
    """All elements but the last along an axis, and all but the first."""
    shape = tuple([n - 1 if k == axis else n for k, n in enumerate(node.shape)])
    steps = dense_strides(node.shape)
    lower = views.view_of(graph, node, "subsref", shape, 0, steps)
    upper = views.view_of(graph, node, "subsref", shape, steps[axis], steps)
    return lower.promise.node, upper.promise.node


def _turned(graph: Graph, vector: Node, shape: tuple[int, ...]) -> Node:
    if vector.shape == shape:
        return vector
    found = views.view_of(graph, vector, "reshape", shape, 0, dense_strides(shape))
    node: Node = found.promise.node
    return node


def elementwise(graph: Graph, name: str, *inputs: Node | float) -> Node:
    """Return the operator `name` of arrays and scalars that it takes."""
    values = tuple([deferred(v) if isinstance(v, Node) else v for v in inputs])
    found: Node = capture_map(OPERATIONS[name], graph, values).promise.node
    return found


def total(graph: Graph, node: Node, axis: int) -> Any:
    """Return the deferred sum along an axis."""
    shape = reduced_shape(node.shape, (axis,))
    return deferred(graph.append(SUM, (node,), (("axes", (axis,)),), shape, node.cls))


def install() -> None:
    """Let calls of these builtins be captured."""
    views.CALLS.update(diff=diff, dot=dot)
