"""Whether the iterations of a loop are worth a kernel, by the sizes of what one of them works on.

The generated code takes a microsecond for an operation on single elements, and some more for one
on a short array. A kernel that does so little in each iteration gains nothing over that, and costs
far more where its iterations are separate launches, or host rules run them one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from runmat_core.accel.context import get
from runmat_core.accel.graph.leaves import Refused
from runmat_core.accel.graph.node import Node
from runmat_core.accel.loops.commit import Captured
from runmat_core.accel.loops.written import Form
from runmat_core.accel.ops.parts import UPDATE

#: Operations that go through an iteration's elements one by one, in any loop on the host.
_MAPS = frozenset({"map", "view", "random", "item", "update", "fill", "range"})

#: Operations that take some elements of an array.
_SELECTS = frozenset({"view", "gather", "item"})


def check_worth(captured: Captured, form: Form, on_host: Callable[[], bool]) -> None:
    """See that an iteration works on more than the ordinary code does as fast.

    Args:
        on_host: tells whether the loop runs on the host's memory, where a launch is many calls of
            NumPy; it starts the providers.

    Raises:
        Refused: it does not.
    """
    seat = get()
    assert seat is not None
    nodes = {id(node): node for step, _ in captured.steps for node in step.nodes}
    works = [node for node in nodes.values() if node.data is None]
    most = max(map(_elements, works), default=0)
    if most == 1:
        raise Refused("an iteration works on single elements")
    if most >= seat.threshold or any(node.pinned for node in nodes.values()):
        return
    if form == "repeated" or (not _MAPS.issuperset(_kinds(works)) and on_host()):
        raise Refused(f"an iteration works on fewer than {seat.threshold} elements")


def _kinds(nodes: Iterable[Node]) -> set[str]:
    return {node.op.kind for node in nodes}


def _elements(node: Node) -> int:
    """How many elements an operation of an iteration works on: those that it reads or makes."""
    if node.op is UPDATE:
        return math.prod(node.option("region"))
    if node.op.kind in _SELECTS:
        return node.size
    if node.op.name == "scatter":
        return int(max(one.size for one in node.inputs[1:]))
    return max([node.size, *[one.size for one in node.inputs if one.__class__ is Node]])
