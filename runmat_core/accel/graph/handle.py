"""What stands for a node among MATLAB's values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.values.array import from_numpy


class NodeRef:
    """What the values hold that stand for a node; all of one node's values share it."""

    __slots__ = ("__weakref__", "cls", "node", "pinned", "shape", "value")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.shape = node.shape
        self.cls = CLASS_SEEN[node.cls]
        self.pinned = node.pinned
        self.value: Any = None

    def elements(self) -> NDArray[Any]:
        """Return the elements on the host, real where MATLAB has them real."""
        node = self.node
        data = node.graph.elements(node)
        if node.cls in COMPLEX_CLASSES and not (node.op.keeps_complex or data.imag.any()):
            return np.array(data.real, order="F")
        return data

    def known(self) -> Any:
        """Return the scalar that it turned out to be; None while it is pending, or is no scalar."""
        if self.value is None and self.shape == (1, 1) and not self.pinned:
            data: Any = self.node.data
            if data.__class__ is np.ndarray and not self.node.op.keeps_complex:
                self.value = from_numpy(data)
        return self.value

    def ready(self) -> NDArray[Any] | None:
        """Return the elements of an ordinary array that are on the host already.

        Return None of any other.
        """
        data: Any = self.node.data
        if data.__class__ is not np.ndarray or self.pinned or data.size == 1:
            return None
        return None if self.node.cls in COMPLEX_CLASSES else data
