"""Elements at places that another array holds."""

from __future__ import annotations

from typing import Any

from runmat_core.accel.graph.node import Node, Op
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.subscript import linear


def _gather(node: Node, value: Any, places: Any) -> Any:
    where = linear(to_numpy(places))
    return from_numpy(linear(to_numpy(value))[where].reshape(node.shape, order="F"))


GATHER = Op("subsref", "gather", _gather)
