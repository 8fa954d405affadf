"""Comparing what a plan computed with what host rules give: ``accel.verify``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph import rules
from runmat_core.accel.graph.node import Node
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import to_numpy

#: Largest difference, relative to an element and to what the array was made from.
TOLERANCE = {"f": (1e-3, 1e-4), "d": (1e-9, 1e-10)}
#: Operations that are linear in their operands, so that rounding errors of these only add up.
_LINEAR = frozenset("plus minus uminus mean linspace single double".split())
_PRODUCTS = frozenset({"times", "matmul"})
_MOVES = frozenset({"view", "gather", "cat", "update", "fill", "item"})


class Magnitudes:
    """How large the numbers are that results were made from, which rounding errors go by.

    What is left of a difference of equal numbers is rounding errors of these, however small it is;
    it differs with the order of operations as much as it is itself.

    Attributes:
        steps: nodes with their inputs and their values by host rules, inputs before what uses them.
    """

    def __init__(self) -> None:
        self.steps: list[tuple[Node, tuple[Any, ...], Any]] = []
        self._known: dict[int, tuple[float, float]] = {}

    def note(self, node: Node, value: Any) -> None:
        """Told the value of a node by its host rule, those of its inputs before."""
        self.steps.append((node, node.inputs, value))
        size = _largest(value)
        below = [self._of(given) for given in node.inputs]
        reach = max([scale for _, scale in below], default=0.0)
        kind, name = node.op.kind, node.op.name
        count = 1
        if name in _PRODUCTS:
            reach = math.prod([scale for _, scale in below])
        if name == "matmul" or kind in ("reduce", "scan"):
            first = node.inputs[0]
            count = first.shape[-1] if name == "matmul" else first.size // max(node.size, 1)
        if not (name in _LINEAR | _PRODUCTS or kind in _MOVES or name in ("sum", "cumsum")):
            # errors grow as much as the largest of an operand did
            reach = size * max([scale / large if large else 1.0 for large, scale in below] or [1.0])
        self._known[id(node)] = size, max(size, reach * count)

    def of(self, node: Node) -> float:
        """Return the size of the numbers that a node was made from."""
        return self._of(node)[1]

    def _of(self, value: Any) -> tuple[float, float]:
        if value.__class__ is not Node:
            size = abs(float(value))
            return (size, size) if math.isfinite(size) else (0.0, 0.0)
        found = self._known.get(id(value))
        if found is None:
            data = value.data
            size = _largest(data if data.__class__ is np.ndarray else value.elements())
            found = self._known[id(value)] = size, size
        return found


def _largest(value: Any) -> float:
    """Return the largest finite magnitude in a value, or in the first of several."""
    if value.__class__ is tuple:
        value = value[0]
    data = value if value.__class__ is np.ndarray else to_numpy(value)
    if data.size == 0:
        return 0.0
    sizes = np.abs(data.astype(np.float64) if data.dtype.kind in "iub" else data)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))


def compare(
    expected: Iterable[tuple[Node, Any]],
    magnitudes: Magnitudes,
    run: Callable[[Sequence[Node]], None],
) -> None:
    """Hold the data of nodes against what they should be.

    Args:
        run: computes nodes, unverified.

    Raises:
        MatlabError: RunMat:accel:verify, at the line of a node that differs, or of the operation
            that makes it differ.
    """
    for node, wanted in expected:
        if wanted.__class__ is tuple or node.data is None or node.data.__class__ is tuple:
            continue  # their outputs are nodes, too
        found = node.graph.elements(node)
        if not alike(found, wanted, magnitudes.of(node)):
            cause, distance = _cause(node, magnitudes, run) or (node, _distance(found, wanted))
            text = (
                f"The accelerated result of '{cause.op.name}' differs from that of host rules by "
                f"{distance}."
            )
            if cause is not node:
                text = f"{text[:-1]}, and with it that of '{node.op.name}'."
            error = MatlabError("RunMat:accel:verify", text)
            rules.place_error(error, cause)
            raise error


def _cause(
    node: Node, magnitudes: Magnitudes, run: Callable[[Sequence[Node]], None]
) -> tuple[Node, str] | None:
    """Return the first operation below a node that differs by itself, and by how much.

    Return None if each is right by itself.
    """
    needed = {id(node)}
    for step, inputs, _ in reversed(magnitudes.steps):
        if id(step) in needed:
            needed.update(id(given) for given in inputs if given.__class__ is Node)
    sources: dict[int, Node] = {}
    for step, inputs, value in magnitudes.steps:
        if id(step) not in needed or value.__class__ is tuple:
            continue
        wanted = rules.data_of(step, value)
        graph: Any = step.graph
        sources[id(step)] = graph.source(wanted, step.cls)
        given = [sources.get(id(one), one) for one in inputs]
        nodes = [one for one in given if one.__class__ is Node]
        if not nodes or any(one.data is None or one.data.__class__ is tuple for one in nodes):
            continue
        alone = graph.append(step.op, tuple(given), step.static, step.shape, step.cls, step.guarded)
        run([alone])
        found = graph.elements(alone)
        if not alike(found, wanted, magnitudes.of(step)):
            return step, _distance(found, wanted)
    return None


def alike(found: NDArray[Any], wanted: NDArray[Any], scale: float) -> bool:
    """Whether arrays agree up to rounding of numbers of size `scale`; NaN is equal to NaN."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return False
    if found.dtype.kind not in "fc":
        return bool(np.array_equal(found, wanted))
    relative, absolute = TOLERANCE["f" if found.dtype.char in "fF" else "d"]
    return bool(np.allclose(found, wanted, relative, absolute * scale, equal_nan=True))


def _distance(found: NDArray[Any], wanted: NDArray[Any]) -> str:
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"kind ({found.dtype} instead of {wanted.dtype})"
    if found.dtype.kind not in "fc":
        return f"{int(np.sum(found != wanted))} elements"
    return f"up to {float(np.nanmax(np.abs(found - wanted), initial=0.0)):.3g}"
