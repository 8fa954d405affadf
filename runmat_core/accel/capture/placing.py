"""Arrays that the program itself puts on the device: what is there or pending stays where it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import CLASS_OF, deferred
from runmat_core.accel.capture.views import proven_real
from runmat_core.accel.context import CaptureContext, get
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.views import normalise_view
from runmat_core.values.array import to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.classes import DTYPE
from runmat_core.values.deferred import Deferred, promise_of


def place(value: Any) -> Any:
    """Return a number or numeric array as one that the program put on the device.

    Others as they are.
    """
    seat = get()
    if value.__class__ is Deferred:
        if value.promise.pinned:
            return value.share()
        away = None if seat is None else _stays_away(seat, value)
        if away is not None:
            return deferred(away)
        value = value.settle()
    if seat is None or class_of(value) not in DTYPE:
        return value
    data = to_numpy(value)
    return deferred(seat.graph.place(data, CLASS_OF[data.dtype.char]))


def _stays_away(seat: CaptureContext, value: Deferred) -> Node | None:
    """Return the node of an array that goes to the device without a look at its elements.

    Else None.
    """
    node: Node = promise_of(value).node
    graph: Graph = seat.graph
    if node.graph is not graph or seat.tracing or node.size < seat.threshold:
        return None
    if node.data.__class__ is np.ndarray or node.cls not in DTYPE or not proven_real(node):
        return None
    graph.pinned = True
    if node.data is not None:
        return graph.place(node.data, node.cls)
    op, _, strides, fits = normalise_view("gpuArray", node.shape, dense_strides(node.shape))
    if not fits:
        return None
    static = (("offset", 0), ("strides", strides))
    made = graph.append(op, (node,), static, node.shape, node.cls)
    made.pinned = True
    return made
