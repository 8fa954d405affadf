"""The capture of elementwise operations (`ops.elementwise`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.accel.capture.boundary import any_node_of, deferred, node_of
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.ops.elementwise import ITEM, ElementwiseOp, expanded
from runmat_core.api import ir


def capture_map(operation: ElementwiseOp, graph: Graph, values: tuple[Any, ...]) -> Any:
    """Return a deferred array for an operation on `values`, or a tuple of one for each output.

    Return NotImplemented if the operands do not fuse.

    Raises:
        MatlabError: MATLAB:sizeDimensionsMustMatch; RunMat:fusion:trace.
    """
    inputs: list[Any] = []
    key: list[Any] = []
    shape: Shape = (1, 1)
    take = any_node_of if operation.takes_complex else node_of
    for value in values:
        node: Any = take(graph, value)
        if node is None:
            of_complex = operation.of_complex
            return NotImplemented if of_complex is None else capture_map(of_complex, graph, values)
        inputs.append(node)
        kind = node.__class__
        if kind is Node:
            extents: Shape = node.shape
            one = extents == (1, 1)
            key.append((node.cls, one))
            if not one and extents != shape:
                shape = extents if shape == (1, 1) else expanded(shape, extents)
        else:
            key.append(kind)
            key.append(ir.known_class(node))
    found = tuple(key)
    outcomes = operation.outcomes
    cls = outcomes[found] if found in outcomes else operation.outcome(found, inputs)
    operands = tuple(inputs)
    if cls is None and operation.of_long is not None and _are_long(operands):
        return capture_map(operation.of_long, graph, values)
    if cls is None or (operation.spec.refuses is not None and operation.rejects(operands)):
        return NotImplemented
    guarded = operation.needs_guard is not None and operation.needs_guard(operands)
    if operation.outputs > 1:
        # one node has them all, so that what they share is computed once
        static = (("outputs", operation.outputs),)
        whole = graph.append(operation.op, operands, static, shape, cls, guarded)
        return items(graph, whole, [cls] * operation.outputs)
    return deferred(graph.append(operation.op, operands, (), shape, cls, guarded))


#: The 64-bit integer classes, with the least number and the one past the largest.
_RANGE = {"int64": (-(2.0**63), 2.0**63), "uint64": (0.0, 2.0**64)}


def _are_long(inputs: tuple[Any, ...]) -> bool:
    """Return whether all operands are 64-bit integers of one class or whole numbers within it."""
    classes = {value.cls for value in inputs if value.__class__ is Node} & _RANGE.keys()
    if len(classes) != 1:
        return False
    low, high = _RANGE[classes.pop()]
    return all(
        value.is_integer() and low <= value < high for value in inputs if value.__class__ is float
    )


def items(graph: Graph, whole: Node, classes: Sequence[str]) -> tuple[Any, ...]:
    """Return deferred arrays for the outputs of a node, of these classes."""
    return tuple(
        [
            deferred(graph.append(ITEM, (whole,), (("output", k),), whole.shape, cls))
            for k, cls in enumerate(classes)
        ]
    )
