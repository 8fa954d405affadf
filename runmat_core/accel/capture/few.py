"""Reads of single elements and of small parts of large arrays.

On the host these are no operations worth capturing. What matters is that the array comes there, and
comes once: whatever subscripts a program uses, nothing is deferred or planned for each of them. Of
an array on a device a block around the element comes first, then larger ones, and all of it once
reads have cost as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runmat_core.accel.capture.boundary import pending
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.context import CaptureContext
from runmat_core.accel.devices.handles import DeviceBuffer
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.planning.keeping import STORED
from runmat_core.accel.running.blocks import BLOCKS, GROWTH, Block
from runmat_core.api.ir import ITEMSIZE
from runmat_core.values.array import from_numpy
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.subscript import at_most, folded

#: A read of a few elements of an array on a device takes as long as to bring so many bytes.
READ_BYTES = 1 << 20
#: An element of a block takes longer to find than one of an array, by as much as so many bytes.
HIT_BYTES = 1 << 14


def had_at_once(seat: CaptureContext, value: Any, subs: Sequence[Any]) -> bool:
    """Return whether subscripts select a few elements of an array that is on the host from now on.

    If so, the array is there then.

    An array that is computed in the host's memory is there anyway. One on a device is brought
    once so many reads were made of it that these took as long. One that is pending is computed
    for its second read, unless that is on a device: then the read may fuse with what is around.
    """
    if at_most(value.shape, subs) >= seat.threshold or Deferred in map(type, subs):
        return False
    promise = promise_of(value)
    node: Node = promise.node
    if promise.pinned or 0 in node.shape:
        return False
    if not in_host_memory(node):
        node.meets += 1
        if node.data is None:
            if node.op.kind != "fill" and (node.meets < 2 or has_device(seat)):
                return False
        elif node.meets * READ_BYTES < node.size * ITEMSIZE[node.dtype]:
            return False
    value.data  # noqa: B018 - computes the elements
    return True


def in_host_memory(node: Node) -> bool:
    """Whether a node is computed, by a provider in the host's memory or by host rules."""
    store = getattr(node.data, "store", None)
    return node.data is not None and (store is None or not store.own_memory)


def has_device(seat: CaptureContext) -> bool:
    """Whether there is a provider with memory of its own."""
    places = seat.engine.places
    return places.any and places.device is not None


def element(seat: CaptureContext, value: Any, subs: Sequence[Any]) -> Any:
    """One element of an array on a device or still to be computed there.

    The first one of a pending array is captured, so that ``sum(x)`` and ``x(1)`` of an expensive
    `x` are computed together; then the array is kept. Others come in blocks, and NotImplemented
    says that all of the array had better come. In the host's memory that is so of the first.
    """
    graph: Graph = seat.graph
    if not pending(value) or value.promise.node.graph is not graph:
        return NotImplemented
    node: Node = value.promise.node
    shape = folded(node.shape, len(subs))
    if node.size == 1 or not all(map(_is_place, subs, shape)):
        return NotImplemented
    if node.op.kind == "fill" or in_host_memory(node) or not has_device(seat):
        return NotImplemented
    offset, step = 0, 1
    for sub, extent in zip(subs, shape, strict=True):
        offset += (int(sub) - 1) * step
        step *= extent
    block = BLOCKS.get(node)
    if block is None:
        block = BLOCKS[node] = Block()
        if not node.reads:
            node.reads = STORED
            return view_of(graph, node, "subsref", (1, 1), offset, (0, 0))
    return _of_block(seat, node, block, offset)


def _of_block(seat: CaptureContext, node: Node, block: Block, offset: int) -> Any:
    """Return an element of an array on a device, of a block that is there or comes now."""
    at = offset - block.start
    there = 0 <= at < len(block.elements)
    block.cost += HIT_BYTES if there else READ_BYTES
    # whether complex elements are real is a matter of all of them
    if block.cost >= node.size * ITEMSIZE[node.dtype] or node.cls in COMPLEX_CLASSES:
        return NotImplemented
    if not there:
        if node.data is None:
            seat.engine.run((node,))
        if node.data.__class__ is not DeviceBuffer or node.holds_complex:
            return NotImplemented
        start = offset // block.length * block.length
        count = min(block.length, node.size - start)
        made = view_of(seat.graph, node, "subsref", (count, 1), start, (int(count > 1), 0))
        if made.__class__ is not Deferred:
            return NotImplemented
        block.start, block.elements = start, made.promise.elements()
        block.length *= GROWTH
        at = offset - start
    return from_numpy(block.elements[at : at + 1].copy(order="F"))


def _is_place(sub: Any, extent: int) -> bool:
    """Whether a subscript is one number of those that there are."""
    return sub.__class__ is float and 1.0 <= sub <= extent and sub.is_integer()
