"""Products that are worth starting before anybody asks for them.

An operand of a product has to lie in memory: nothing that comes later can fuse with it. Where it is
itself made of a large product, a device may as well work on it while the program goes on, so the
time in which the next operations are captured costs nothing. The same holds for what a variable
stands for when a library call is captured: nothing fuses across that, and who makes such a product
and then calls a factorisation is done with making it.

While a run of statements is written down (`capture.passages`), nothing may run: such products are
put down with it, and started after it each time that it is made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.accel.context import CaptureContext
from runmat_core.accel.graph.node import Node

#: Additions and multiplications of a product that takes longer than it takes to start it apart.
DEAR = 4e9
#: How many elementwise operations after a product are looked through.
DEPTH = 6


def start(seat: CaptureContext, *operands: Node) -> None:
    """Start what these operands of a product need, where that is a large product on a device."""
    if seat.tracing or seat.engine.places.device is None:
        return
    begin(seat, [node for node in operands if node.data is None and work(node) >= DEAR])


def start_held(seat: CaptureContext) -> None:
    """Start the large products that values stand for, once for each time that one was captured."""
    if seat.tracing or not seat.graph.dear:
        return
    seat.graph.dear = False
    if seat.engine.places.device is not None:
        begin(seat, [node for node in seat.graph.pending() if work(node) >= DEAR])


def begin(seat: CaptureContext, products: Sequence[Node]) -> None:
    """Have the device work on these, now or after the statements that are being written down."""
    if seat.writing is not None:
        seat.writing.products.extend(products)
    else:
        seat.engine.run(products)


def captured(graph: Any, rows: int, inner: int, columns: int) -> None:
    """Told of a product that was captured."""
    if 2.0 * rows * inner * columns >= DEAR:
        graph.dear = True


def work(node: Node) -> float:
    """Operations of the product that an array is made of, by elementwise operations or none."""
    for _ in range(DEPTH):
        if node.op.name == "matmul":
            inner: int = node.inputs[0].shape[1]
            return 2.0 * node.shape[0] * node.shape[1] * inner
        if node.op.kind != "map":
            return 0.0
        same = [n for n in node.inputs if n.__class__ is Node and n.shape == node.shape]
        pending = next((n for n in same if n.data is None), None)
        if pending is None:
            return 0.0
        node = pending
    return 0.0
