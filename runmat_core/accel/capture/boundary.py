"""Between values and nodes: whether an operation is captured, and what stands for what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture.current import get
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node
from runmat_core.values.array import Array, to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.classes import CLASS_NAME, DTYPE
from runmat_core.values.deferred import Deferred, defer

#: A pending scalar that meets scalars this often is worth knowing.
MEETINGS = 3


def lazy(*values: Any) -> Graph | None:
    """The graph that an operation on `values` goes to; None where it is to be done at once.

    It goes to the graph when an operand is pending, or an array that reaches the threshold. A
    pending scalar that meets nothing but scalars for the fourth time is computed instead.
    """
    seat = get()
    if seat is None:
        return None
    threshold = seat.threshold
    scalar = None
    for value in values:
        kind = value.__class__
        if kind is Array:
            if value.data.size >= threshold:
                return seat.graph  # type: ignore[no-any-return]
        elif kind is Deferred:
            if value.shape != (1, 1):
                return seat.graph  # type: ignore[no-any-return]
            scalar = value
    if scalar is None:
        return None
    return seat.graph if seat.tracing else _of_scalars(seat.graph, values)


def _of_scalars(graph: Graph, values: tuple[Any, ...]) -> Graph | None:
    """`graph` unless a pending scalar among `values` has met scalars too often."""
    for value in values:
        if value.__class__ is Deferred:
            node = value.promise.node
            if node.explicit:
                return graph
            if node.data is not None or node.meets >= MEETINGS:
                return None
        elif value.__class__ is Array and value.data.size != 1:
            return graph
    for value in values:
        if value.__class__ is Deferred:
            value.promise.node.meets += 1
    return graph


def node_of(graph: Graph, value: Any) -> Node | float | bool | None:
    """What stands for `value` among the inputs of a node of `graph`.

    An array becomes a source, a scalar stays itself. What another session is to compute is computed
    now. None: the value is complex, text, sparse or no array.
    """
    kind = value.__class__
    if kind is float or kind is bool:
        return value  # type: ignore[no-any-return]
    if kind is Deferred:
        node: Node = value.promise.node
        if node.graph is graph:
            if node.data is None or not is_complex(node):
                return node
            return None
        data = value.data
    elif kind is Array:
        data = value.data
    else:
        return None
    cls = CLASS_NAME.get(data.dtype.char)
    if cls is None or data.dtype.char in "DF":
        return None
    return graph.source(data, cls)


def is_complex(node: Node) -> bool:
    """Whether a node that has its data turned out complex."""
    dtype = getattr(node.data, "dtype", None)
    return (dtype if dtype.__class__ is str else getattr(dtype, "char", "")) in (
        "D",
        "F",
        "c64",
        "c128",
    )


def place(value: Any) -> Any:
    """A number or numeric array as one that the program put on the device; others as they are."""
    seat = get()
    if value.__class__ is Deferred:
        if value.promise.explicit:
            return value.share()
        value = value.settle()
    if seat is None or class_of(value) not in DTYPE:
        return value
    data = to_numpy(value)
    cls = CLASS_NAME[data.dtype.char]
    return deferred(seat.graph.place(data, cls))


def is_placed(value: Any) -> bool:
    """Whether the program put `value`, or what it was made from, on the device."""
    return value.__class__ is Deferred and value.promise.explicit


def compute(values: Sequence[Any]) -> None:
    """Compute the pending ones among `values` together."""
    waiting: dict[int, list[Node]] = {}
    graphs: dict[int, Graph] = {}
    for value in values:
        if value.__class__ is Deferred:
            node: Node = value.promise.node
            if node.data is None:
                graphs[id(node.graph)] = node.graph  # type: ignore[assignment]
                waiting.setdefault(id(node.graph), []).append(node)
    for key, nodes in waiting.items():
        if len(nodes) > 1:
            graphs[key].evaluate(nodes)


def deferred(node: Node) -> Deferred:
    """A value that stands for `node`."""
    return defer(node.graph.handle(node))  # type: ignore[attr-defined]


def pending(value: Any) -> bool:
    """Whether the elements of `value` are not on the host yet."""
    return value.__class__ is Deferred and value.promise.node.data.__class__ is not np.ndarray
