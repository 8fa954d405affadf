"""Concatenation of pending and of large arrays of one class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture.boundary import any_node_of, deferred, lazy
from runmat_core.accel.capture.current import get
from runmat_core.accel.capture.direct import plain
from runmat_core.accel.capture.views import AXES
from runmat_core.accel.graph.node import Node, Op
from runmat_core.values.array import from_numpy, to_numpy
from runmat_core.values.base import class_of
from runmat_core.values.classes import DTYPE
from runmat_core.values.hooks import HOOKS

#: More arrays than this are joined at once, by the host rule.
PARTS = 16


def join(values: Sequence[Any], axis: int) -> Any:
    """`values` along `axis` as a node, or NotImplemented; sizes that differ are left alone."""
    joined = _pair(values, axis)
    if joined is not NotImplemented:
        return joined
    graph = lazy(*values)
    if graph is None or len(values) > PARTS or axis >= AXES:
        return NotImplemented
    cls = class_of(values[0])
    if cls not in DTYPE or any(class_of(value) != cls for value in values):
        return NotImplemented
    nodes: list[Node] = []
    for value in values:
        found = any_node_of(graph, value)
        if found.__class__ is float or found.__class__ is bool:
            found = graph.source(np.array([[found]], order="F"), cls)
        if found.__class__ is not Node:
            return NotImplemented
        if 0 in found.shape:
            return NotImplemented
        nodes.append(found)
    if len({node.cls for node in nodes}) > 1:
        return NotImplemented  # real parts among complex ones
    cls = nodes[0].cls
    rank = max(axis + 1, *(len(node.shape) for node in nodes))
    shapes = [node.shape + (1,) * (rank - len(node.shape)) for node in nodes]
    if len({shape[:axis] + shape[axis + 1 :] for shape in shapes}) > 1:
        return NotImplemented
    extent = sum(shape[axis] for shape in shapes)
    shape = (*shapes[0][:axis], extent, *shapes[0][axis + 1 :])
    return deferred(graph.append(CAT, tuple(nodes), (("axis", axis),), shape, cls))


def _pair(values: Sequence[Any], axis: int) -> Any:
    """`join` of two pending matrices of one class, by the shortest way."""
    seat = get()
    if seat is None or len(values) != 2 or axis > 1:
        return NotImplemented
    graph = seat.graph
    x, y = plain(graph, values[0]), plain(graph, values[1])
    if x is None or y is None or x.cls != y.cls or not len(x.shape) == len(y.shape) == 2:
        return NotImplemented
    (rows, columns), (more_rows, more_columns) = x.shape, y.shape
    if axis == 0:
        if columns != more_columns:
            return NotImplemented
        shape = (rows + more_rows, columns)
    else:
        if rows != more_rows:
            return NotImplemented
        shape = (rows, columns + more_columns)
    return graph.grow(CAT, (x, y), (x.sid, y.sid), _ALONG[axis], shape, x.cls)


_ALONG = [(("axis", axis),) for axis in range(2)]


def _joined(node: Node, *values: Any) -> Any:
    axis: Any = node.option("axis")
    rank = len(node.shape)
    parts = [to_numpy(value) for value in values]
    parts = [part.reshape(part.shape + (1,) * (rank - part.ndim), order="F") for part in parts]
    result = np.empty(node.shape, np.result_type(*parts), order="F")
    np.concatenate(parts, axis, out=result)
    return from_numpy(result)


CAT = Op("cat", "cat", _joined)


def install() -> None:
    HOOKS.join = join
