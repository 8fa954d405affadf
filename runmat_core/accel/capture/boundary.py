"""Between values and nodes: whether an operation is captured, and what stands for what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.context import get
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.running.at_once import runs_at_once
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import COMPLEX_CLASS
from runmat_core.values.array import Array
from runmat_core.values.base import Complex
from runmat_core.values.classes import CLASS_NAME
from runmat_core.values.deferred import Deferred, defer, promise_of
from runmat_core.values.dispatch import expanded_size

#: A pending scalar that meets scalars this often is worth knowing.
MEETINGS = 3


def lazy(*values: Any) -> Graph | None:
    """Return the graph that an operation on `values` goes to; None where it is to be done at once.

    It goes to the graph when an operand is pending, or on a device, or an array that reaches the
    threshold. A pending scalar that meets nothing but scalars for the fourth time is computed
    instead.
    """
    seat = get()
    if seat is None:
        return None
    threshold = seat.threshold
    scalar = None
    largest = 0
    for value in values:
        kind = value.__class__
        if kind is Array:
            size = value.data.size
            if size >= threshold and size > largest:
                largest = size
        elif kind is Deferred:
            node = promise_of(value).node
            if node.shape == (1, 1):
                scalar = value
            elif seat.tracing or node.data.__class__ is not np.ndarray or node.pinned:
                if seat.tracing or not _settles(node, threshold):
                    return seat.graph  # type: ignore[no-any-return]
            elif threshold <= node.size > largest:
                largest = node.size
    if largest and not (seat.at_once and runs_at_once(largest)):
        return seat.graph  # type: ignore[no-any-return]
    if scalar is None:
        return None
    return seat.graph if seat.tracing else _of_scalars(seat.graph, values)


def lazy_pair(a: Any, b: Any) -> Graph | None:
    """Return the graph that an operation on the elements of two values goes to; None: at once."""
    graph = lazy(a, b)
    if graph is None and a.__class__ is b.__class__ is Array and a.shape != b.shape:
        graph = lazy_result(expanded_size(a.shape, b.shape))
    return graph


def lazy_result(size: int) -> Graph | None:
    """Return the graph that an operation on small arrays goes to whose result has `size` elements.

    Rows and columns of a few thousand elements expand to a matrix of millions, and so do products
    of columns by rows. None: it is to be done at once.
    """
    seat = get()
    if seat is None or size < seat.threshold or (seat.at_once and runs_at_once(size)):
        return None
    return seat.graph  # type: ignore[no-any-return]


def _settles(node: Node, threshold: int) -> bool:
    """Return whether a node is computed, small, and in the memory of the host.

    Such an array is like any other, though nobody has looked at its elements yet.
    """
    data: Any = node.data
    if node.pinned or node.size >= threshold:
        return False
    if data is None:
        graph: Graph = node.graph  # type: ignore[assignment]
        return graph.bring_few(node)
    if data.__class__ is np.ndarray:
        return True
    store = getattr(data, "store", None)
    return store is not None and not store.own_memory


def _of_scalars(graph: Graph, values: tuple[Any, ...]) -> Graph | None:
    """`graph` unless a pending scalar among `values` has met scalars too often."""
    for value in values:
        if value.__class__ is Deferred:
            node = promise_of(value).node
            if node.pinned:
                return graph
            if node.data is not None or node.meets >= MEETINGS:
                return None
        elif value.__class__ is Array and value.data.size != 1:
            return graph
    for value in values:
        if value.__class__ is Deferred:
            promise_of(value).node.meets += 1
    return graph


def node_of(graph: Graph, value: Any) -> Node | float | bool | None:
    """Return what stands for `value` among the inputs of a node of `graph`, if that is real.

    An array becomes a source, a scalar stays itself. What another session is to compute is computed
    now. None: the value is complex, text, sparse or no array.
    """
    kind = value.__class__
    if kind is float or kind is bool:
        return value  # type: ignore[no-any-return]
    if kind is Deferred:
        node: Node = promise_of(value).node
        if node.graph is graph:
            if node.data is None:
                return node if node.cls not in COMPLEX_CLASSES else None
            if node.cls not in COMPLEX_CLASSES and not node.holds_complex:
                return node
            if node.pinned or node.data.__class__ is not np.ndarray:
                return None
            # it is known by now whether it is complex
        data = value.data
    elif kind is Array:
        data = value.data
    else:
        return None
    cls = CLASS_NAME.get(data.dtype.char)
    if cls is None or data.dtype.char in "DF":
        return None
    return graph.source(data, cls)


def any_node_of(graph: Graph, value: Any) -> Node | float | bool | None:
    """`node_of` that takes complex values, too: arrays and scalars become sources.

    What is computed and on the host is real where MATLAB has it real.
    """
    found = node_of(graph, value)
    if found is not None:
        return found
    kind = value.__class__
    if kind is Complex:
        return graph.source(np.array([[complex(value)]], order="F"), CLASS_OF["D"])
    if kind is Deferred:
        node: Node = promise_of(value).node
        if node.graph is graph and (node.pinned or node.data.__class__ is not np.ndarray):
            return _strayed(graph, node) if node.holds_complex else node
        data = value.data
    elif kind is Array:
        data = value.data
    else:
        return None
    cls = CLASS_OF.get(data.dtype.char)
    return None if cls is None else graph.source(data, cls)


def _strayed(graph: Graph, node: Node) -> Node:
    """Return a source of its own class for a node that was taken for real and is complex."""
    data: Any = node.data
    there = data.__class__ is not np.ndarray
    source = graph.source(data, COMPLEX_CLASS[data.dtype] if there else CLASS_OF[data.dtype.char])
    source.pinned = node.pinned
    return source


#: The classes of nodes by NumPy's characters.
CLASS_OF = CLASS_NAME | {NUMPY_DTYPE[dtype].char: cls for dtype, cls in COMPLEX_CLASS.items()}


def is_placed(value: Any) -> bool:
    """Whether the program put `value`, or what it was made from, on the device."""
    return value.__class__ is Deferred and value.promise.pinned


def compute(values: Sequence[Any]) -> None:
    """Compute the pending ones among `values` together, and bring them to the host."""
    waiting: dict[int, list[Node]] = {}
    graphs: dict[int, Graph] = {}
    for value in values:
        if value.__class__ is Deferred:
            node: Node = promise_of(value).node
            if node.data is None:
                graphs[id(node.graph)] = node.graph  # type: ignore[assignment]
                waiting.setdefault(id(node.graph), []).append(node)
    for key, nodes in waiting.items():
        if len(nodes) > 1:
            graphs[key].bring(nodes)


def deferred(node: Node) -> Deferred:
    """Return a value that stands for `node`."""
    return defer(node.graph.handle(node))  # type: ignore[attr-defined]


def pending(value: Any) -> bool:
    """Whether the elements of `value` are not on the host yet."""
    return value.__class__ is Deferred and promise_of(value).node.data.__class__ is not np.ndarray
