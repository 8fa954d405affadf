"""Whether an evaluation has enough to do to be worth a plan.

Whatever an evaluation computes, it costs the core and the provider a fixed time: the sub-graph is
walked, its plan found and bound, a request made, the result published. What a plan saves grows
with the work: intermediate results that are never written, and threads. So work is counted in
elements times operations, and below what the provider declares as its `Capabilities.break_even`
host rules compute the nodes one after the other, without a plan. Where the elements of all leaves
are on the host already, this holds beside a device as well: a transfer alone takes longer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runmat_core.accel.graph.node import Node

#: The same before a provider was started, which takes as long as some fifty evaluations.
UNSTARTED = 2_500_000
#: Work below that, but not much below, which together is worth a start; and what is much below.
ALTOGETHER, LITTLE = 60_000_000, 500_000

#: Operations that an element of a node counts for, by its kind. Views and what is made from a few
#: numbers cost a plan nothing, and host rules a copy.
_WEIGHTS = {
    "map": 1.0,
    "reduce": 1.0,
    "scan": 2.0,
    "view": 0.5,
    "cat": 0.5,
    "update": 0.5,
    "fill": 0.25,
    "range": 0.5,
    "gather": 2.0,
    "random": 2.0,
    "item": 0.0,
}
#: The same of library calls that move elements: of the largest array that they read.
_CALLS = {"accumulate": 4.0, "compact": 2.0, "expand": 2.0, "histogram": 4.0, "scatter": 2.0}
#: Floating-point operations of a product that count for one operation: a plan multiplies as fast
#: as the host rule does, so its fixed time has to be little beside that of the product.
_FLOPS = 60.0


def work(node: Node) -> float:
    """Elements times operations of a pending node; infinite where that says nothing about it."""
    kind = node.op.kind
    weight = _WEIGHTS.get(kind)
    if weight is None:
        return _of_call(node) if kind == "call" else math.inf
    if kind == "update":
        shape = node.option("region")
    elif kind == "reduce" or kind == "scan":
        shape = node.inputs[0].shape
    else:
        shape = node.shape
    size: int = math.prod(shape)
    return weight * size


def _of_call(node: Node) -> float:
    if node.guarded:
        return math.inf
    if node.op.name == "matmul":
        a, b = node.inputs[0], node.inputs[-1]
        if a.__class__ is not Node or b.__class__ is not Node:
            return math.inf
        # with `syrk` the second factor is the first
        inner = math.sqrt(a.size * b.size / max(node.size, 1))
        return 2.0 * inner * node.size / _FLOPS + 0.5 * (a.size + b.size)
    weight = _CALLS.get(node.op.name)
    if weight is None:
        return math.inf
    return weight * max([_size(value) for value in node.inputs], default=0)


def _size(value: object) -> int:
    return value.size if isinstance(value, Node) else 1


def away(data: Any) -> bool:
    """Return whether elements of a computed node, or of some output, are in a device's memory."""
    parts = data if data.__class__ is tuple else (data,)
    return any(part.__class__ is not np.ndarray and part.store.own_memory for part in parts)
