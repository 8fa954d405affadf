"""Computing nodes by host rules: what no provider takes, and what runs when a guard fires.

A host rule sees MATLAB values and gives MATLAB values, so whatever it computes is what the program
would have got without a graph, complex results included.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.context import running
from runmat_core.accel.graph.node import COMPLEX_CLASSES, SOURCE, Node
from runmat_core.accel.graph.written import written_at
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.errors import MatlabError, StackFrame
from runmat_core.api.ir import DTYPE_OF
from runmat_core.values.array import Array, from_numpy, to_numpy


def evaluate(nodes: Sequence[Node]) -> None:
    """Give `nodes` their data, and whatever below them a value stands for.

    Raises:
        MatlabError: a host rule's error, with the line of the node. Nothing has changed then.
    """
    publish(compute(nodes))


def compute(
    nodes: Sequence[Node], note: Callable[[Node, Any], None] | None = None
) -> list[tuple[Node, Any]]:
    """Return what `evaluate` publishes: nodes with their data.

    Args:
        note: told each node with its value, inputs before what uses them.
    """
    order = pending_below(nodes)
    roots = {id(node) for node in nodes}
    left = _uses(order)
    values: dict[int, Any] = {}
    kept: list[tuple[Node, Any]] = []
    with running(None), np.errstate(all="ignore"):
        for node in order:
            value = _value(node, values)
            if note is not None:
                note(node, value)
            if left.get(id(node), 0):
                values[id(node)] = value
            if id(node) in roots or node.held:
                kept.append((node, data_of(node, value)))
            for below in node.inputs:
                if below.__class__ is Node and id(below) in left:
                    left[id(below)] -= 1
                    if not left[id(below)]:
                        values.pop(id(below), None)
    return kept


def publish(results: Iterable[tuple[Node, Any]]) -> None:
    """Set the data of nodes, which need their inputs no more."""
    for node, data in results:
        node.data = data
        node.inputs = ()


def pending_below(nodes: Iterable[Node]) -> list[Node]:
    """`nodes` and everything below them that has no data, inputs before what uses them.

    Outputs of nodes that are computed get their data.
    """
    order: list[Node] = []
    state: dict[int, bool] = {}
    stack = [(node, False) for node in nodes]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif node.data is None and node.op.kind == "item" and _is_several(node.inputs[0]):
            node.data = node.inputs[0].data[node.option("output", 0)]
            node.inputs = ()
        elif id(node) not in state and node.data is None:
            state[id(node)] = True
            stack.append((node, True))
            stack += [(below, False) for below in node.inputs if below.__class__ is Node]
    return order


def _is_several(node: Node) -> bool:
    """Whether a node has several outputs, which are computed."""
    return node.data.__class__ is tuple


def _uses(order: Sequence[Node]) -> dict[int, int]:
    """How many nodes of `order` use each of them, once for each use."""
    uses = {id(node): 0 for node in order}
    for node in order:
        for below in node.inputs:
            if below.__class__ is Node and id(below) in uses:
                uses[id(below)] += 1
    return uses


def _value(node: Node, values: dict[int, Any]) -> Any:
    """Return the value of `node` by its host rule, a tuple where it has several outputs."""
    inputs = [_input(node, below, values) for below in node.inputs]
    if node.op.kind == "item":
        return inputs[0][node.option("output", 0)]
    try:
        return node.op.host(node, *inputs)
    except MatlabError as error:
        place_error(error, node)
        raise


def _input(node: Node, below: Any, values: dict[int, Any]) -> Any:
    if below.__class__ is not Node:
        return below
    if id(below) in values:
        return values[id(below)]
    data = below.data
    if data.__class__ is tuple:
        return tuple(map(from_numpy, data))
    return value_of(below, data if isinstance(data, np.ndarray) else below.elements())


def value_of(node: Node, data: NDArray[Any]) -> Any:
    """Return the elements of a node as a value, complex where the program has it so."""
    if (node.op is SOURCE or node.op.keeps_complex) and data.dtype.kind == "c" and data.size != 1:
        return Array(data)
    return from_numpy(data)


def data_of(node: Node, value: Any) -> Any:
    """Return a value as the data of `node`."""
    if value.__class__ is tuple:
        return tuple([typed(one, class_of_output(node, k)) for k, one in enumerate(value)])
    data = typed(value, node.cls)
    assert data.shape == node.shape, f"{node} became {data.shape}"
    return data


def class_of_output(node: Node, number: int) -> str:
    """Return the class of an output of a node, as far as the node tells; else empty."""
    classes: Any = node.option("classes", (node.cls,))
    return classes[number] if number < len(classes) else ""


def typed(value: Any, cls: str) -> NDArray[Any]:
    """Return the elements of a value, complex if the class of its node is.

    The host rule may have made them real.
    """
    data = to_numpy(value)
    if cls in COMPLEX_CLASSES and data.dtype.kind != "c":
        return data.astype(NUMPY_DTYPE[DTYPE_OF[cls]], order="F")
    return data


def place_error(error: MatlabError, node: Node) -> None:
    """Say of an error found late where its node was written.

    Where that is what runs right now, the stack tells it, with the callers.
    """
    code, _ = node.place
    file, line = node.line
    if error.has_stack or not file or (file, line) == written_at():
        return
    # loops and blocks of a function are code of their own; that of scripts has no name
    name = getattr(code, "co_name", "").partition("~")[0]
    if name.startswith("<"):
        name = os.path.basename(file).removesuffix(".m")
    error.stack = (StackFrame(file, name, line),)
