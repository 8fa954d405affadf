"""Regions of arrays on a device, written where they lie.

``A(:, k) = v`` makes a new array of one that others hold, too. Where nobody else does, neither
another variable nor a pending operation, neither the cache of copies nor a plan, the elements of
the region are stored in the very array: what is written is the region, and nothing is transferred.
Who holds an array is read from the counts of references in their heap slots, as for arrays of the
host (`runmat_core.values.base.is_sole_owner`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from sys import getrefcount
from typing import Any

import numpy as np

from runmat_core.accel.devices.handles import BufferManager, DeviceBuffer
from runmat_core.accel.graph.node import SOURCE, Node, Shape
from runmat_core.accel.ops.counts import forget
from runmat_core.accel.planning.region_stores import WORD, stored_region
from runmat_core.accel.running.blocks import BLOCKS
from runmat_core.accel.running.moments import RESULTS_OF
from runmat_core.api.device import NUMPY_DTYPE, Addressing, DeviceFault, DeviceLost, Launch
from runmat_core.api.ir import ITEMSIZE
from runmat_core.api.tuples import NamedTuple

#: What the slot and the look at it hold.
_ALONE = 2


class Region(NamedTuple):
    """Where a region lies in its array.

    Attributes:
        counts: elements along each axis of the region.
        offset, strides: in elements of the array, over these axes.
    """

    counts: Shape
    offset: int
    strides: tuple[int, ...]

    def joined(self) -> Region:
        """Return a region without axes of one point, with axes that follow each other as one."""
        counts: list[int] = []
        strides: list[int] = []
        for count, stride in zip(self.counts, self.strides, strict=True):
            if count == 1:
                continue
            if counts and stride == strides[-1] * counts[-1]:
                counts[-1] *= count
            else:
                counts.append(count)
                strides.append(stride)
        if not counts:
            return Region((1,), self.offset, (1,))
        return Region(tuple(counts), self.offset, tuple(strides))


def resident(engine: Any, value: Any) -> bool:
    """Return whether an array is on a device with memory of its own, and may be written in parts.

    What the program put there is brought there if it is not.
    """
    node: Node = value.promise.node
    if not engine.places.any or engine.places.device is None:
        return False
    store: BufferManager = engine.places.device.store
    if not store.own_memory or ITEMSIZE[node.dtype] < WORD:
        return False
    if node.pinned and node.data is None:
        engine.graph.evaluate((node,))
    data: Any = node.data
    if node.pinned and data.__class__ is np.ndarray and data.dtype.kind != "c" and data.size:
        try:
            node.data = store.taken(data)
        except DeviceFault as fault:
            engine.places.report(fault)
            return False
        data = node.data
    return data.__class__ is DeviceBuffer and data.owner == store.name and data.dtype == node.dtype


def alone(value: Any) -> bool:
    """Whether nobody but this value holds its array; nothing else may hold the node meanwhile."""
    return (
        getrefcount(value.promise) <= _ALONE
        and getrefcount(value.promise.node) <= _ALONE
        and getrefcount(value.promise.node.data) <= _ALONE
    )


def write(engine: Any, value: Any, region: Region, source: Any) -> bool:
    """Store elements in the array that `value` alone holds; False where that cannot be done.

    Args:
        value: whose array is `resident`.
        source: a scalar, or the node of the region's elements or of one for all of them.
    """
    store: BufferManager = engine.places.device.store
    new = _elements(engine, store, source)
    if new is None or not alone(value):
        return False
    node: Node = value.promise.node
    whole = region.joined()
    single = new.__class__ is not DeviceBuffer or new.size == 1
    kernel = stored_region(len(whole.counts), node.dtype, new.__class__ is DeviceBuffer, single)
    (executable,) = engine.places.device.executables((kernel,))
    if executable is None:
        return False
    target: Any = node.data
    steps = (0,) * len(whole.counts) if single else _steps(whole.counts)
    views = [Addressing(0, steps)] if new.__class__ is DeviceBuffer else []
    views.append(Addressing(whole.offset, whole.strides))
    held = [new, target] if new.__class__ is DeviceBuffer else [target]
    params = () if new.__class__ is DeviceBuffer else (new,)
    launch = Launch(
        executable,
        tuple(range(len(held))),
        whole.counts,
        tuple(views),
        tuple(range(len(params))),
        "subsasgn",
    )
    store.flush()
    store.busy = True
    try:
        store.provider.execute((launch,), tuple([store.handle(one) for one in held]), params)
    except DeviceFault as fault:
        # whatever of the region was written is written again by other means
        store.lost = store.lost or isinstance(fault, DeviceLost)
        engine.places.report(fault)
        return False
    finally:
        store.go_on()
    _forget(engine, node)
    engine.counters.launches += 1
    engine.counters.written += int(np.prod(whole.counts)) * ITEMSIZE[node.dtype]
    return True


def put(engine: Any, value: Any, place: tuple[int, ...], element: float | bool) -> bool:
    """Store one element on the host in the array that `value` alone holds.

    The array is brought there the first time. Return False if that cannot be done.

    Whoever needs it on the device next brings it there again.
    """
    if value.promise.node.data.__class__ is not np.ndarray:
        value.promise.node.elements()
    for store in engine.stores.values():
        if store.has_copy(value.promise.node.data):
            store.taken(value.promise.node.data)
    if not alone(value):
        return False
    node: Node = value.promise.node
    data: Any = node.data
    if data.dtype != NUMPY_DTYPE[node.dtype] or not data.flags.writeable:
        return False
    data[place] = element
    _forget(engine, node)
    return True


def _elements(engine: Any, store: BufferManager, source: Any) -> Any:
    """Return a scalar as it is, an array on the device; None for what is none after all."""
    if source.__class__ is not Node:
        return source
    if source.data is None:
        engine.graph.evaluate((source,))
    data = source.data
    if data.__class__ is np.ndarray:
        if data.dtype.kind == "c":
            return None
        try:
            (data,) = store.copies((data,))
        except DeviceFault as fault:
            engine.places.report(fault)
            return None
    right = (
        data.__class__ is DeviceBuffer and data.owner == store.name and data.dtype == source.dtype
    )
    return data if right else None


def _forget(engine: Any, node: Node) -> None:
    """Forget what was known of the elements: they are those of no operation any more."""
    node.op = SOURCE
    node.static = ()
    node.value_number = engine.graph.interner.number(SOURCE, (), (), node.shape, node.cls, False)
    node.facts = None
    node.guarded = False
    BLOCKS.pop(node, None)
    RESULTS_OF.pop(node, None)
    forget(node)


@lru_cache(maxsize=256)
def _steps(counts: Sequence[int]) -> tuple[int, ...]:
    steps = [1]
    for count in counts[:-1]:
        steps.append(steps[-1] * count)
    return tuple(steps)
