"""Subscripts that select a few runs at equal distances: shifts around and repeated edges.

``x([n 1:n-1],:)``, ``x([2:n 1])`` and ``x([1 1:n n],:)`` are parts of an array, one after the
other: address maps inside the kernels that read them, where lists of places would have to be made,
moved and looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.accel.capture import joins
from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.spans import Positions, Range, Selection
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.values.subscript import trimmed

#: Most runs along an axis, and fewest elements of each on average.
RUNS, LEAST = 4, 4


def runs_of(one: Selection) -> list[Range] | None:
    """Return what is selected along an axis as runs at equal distances.

    Return None where there are many.
    """
    if isinstance(one, Range):
        return [one]
    where = one.where
    if where.size < 2 * LEAST:
        return None
    steps = np.diff(where)
    ends = np.append(np.flatnonzero(steps[1:] != steps[:-1]) + 1, steps.size)
    if ends.size > 2 * RUNS:
        return None
    found: list[Range] = []
    at = 0
    for end in ends.tolist():
        count = end - at + 1
        if at < end and (count > 2 or abs(int(steps[at])) == 1):
            found.append(Range(int(where[at]), int(steps[at]), count, (count, 1)))
            at = end + 1
        else:
            found += [Range(int(where[k]), 1, 1, (1, 1)) for k in range(at, end)]
            at = max(at, end)
    if at < where.size:
        found.append(Range(int(where[at]), 1, 1, (1, 1)))
    if len(found) > RUNS or where.size < LEAST * len(found):
        return None
    return found


def joined(
    graph: Graph, node: Node, found: Sequence[Selection], shape: Shape, result: Shape
) -> Any:
    """Return the selected elements as parts of an array that follow each other.

    Return NotImplemented where they are no such parts.

    Args:
        shape: that of the array, folded to as many axes as there are subscripts.
        result: the size of what is selected.
    """
    runs = [runs_of(one) for one in found]
    if None in runs or not any(isinstance(one, Positions) for one in found):
        return NotImplemented
    if len(found) == 1:
        return _linearly(graph, node, runs[0] or [], result)
    if len(node.shape) != len(shape) or len(result) != len(shape):
        return NotImplemented
    value: Any = deferred(node)
    for axis, row in enumerate(runs):
        assert row is not None
        if len(row) == 1 and (row[0].start, row[0].step, row[0].count) == (0, 1, shape[axis]):
            continue
        parts = [_part(graph, value.promise.node, axis, run) for run in row]
        value = parts[0] if len(parts) == 1 else joins.join(parts, axis)
        if value is NotImplemented:
            return value
    return value if tuple(value.shape) == trimmed(result) else NotImplemented


def _part(graph: Graph, node: Node, axis: int, run: Range) -> Any:
    steps = dense_strides(node.shape)
    shape = (*node.shape[:axis], run.count, *node.shape[axis + 1 :])
    strides = tuple(
        [
            0 if n == 1 else step * (run.step if k == axis else 1)
            for k, (n, step) in enumerate(zip(shape, steps, strict=True))
        ]
    )
    return view_of(graph, node, "subsref", shape, run.start * steps[axis], strides)


def _linearly(graph: Graph, node: Node, runs: Sequence[Range], result: Shape) -> Any:
    if len(result) != 2 or 1 not in result:
        return NotImplemented
    axis = 0 if result[1] == 1 else 1
    parts = []
    for run in runs:
        shape = (run.count, 1) if axis == 0 else (1, run.count)
        step = run.step if run.count > 1 else 0
        strides = (step, 0) if axis == 0 else (0, step)
        parts.append(view_of(graph, node, "subsref", shape, run.start, strides))
    return joins.join(parts, axis)
