"""Comparing what a plan computed with what host rules give: ``accel.verify``."""

from __future__ import annotations

import math
from collections.abc import Iterable
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
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, float]] = {}

    def note(self, node: Node, value: Any) -> None:
        """Told the value of a node by its host rule, those of its inputs before."""
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
        """The size of the numbers that a node was made from."""
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
    """The largest finite magnitude in a value, or in the first of several."""
    if value.__class__ is tuple:
        value = value[0]
    data = value if value.__class__ is np.ndarray else to_numpy(value)
    if data.size == 0:
        return 0.0
    sizes = np.abs(data.astype(np.float64) if data.dtype.kind in "iub" else data)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))


def compare(expected: Iterable[tuple[Node, Any]], magnitudes: Magnitudes) -> None:
    """Hold the data of nodes against what they should be.

    Raises:
        MatlabError: RunMat:accel:verify, at the line of a node that differs.
    """
    for node, wanted in expected:
        if wanted.__class__ is tuple or node.data is None or node.data.__class__ is tuple:
            continue  # their outputs are nodes, too
        found = node.graph.elements(node)
        if not alike(found, wanted, magnitudes.of(node)):
            error = MatlabError(
                "RunMat:accel:verify",
                f"The accelerated result of '{node.op.name}' differs from that of host rules by "
                f"{_distance(found, wanted)}.",
            )
            rules.place_error(error, node)
            raise error


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
