"""Buffers by size class, kept after use for the next array of their class.

A buffer may be taken again as soon as it was given back: what was submitted before runs before what
is submitted later. The one made first is taken first, not the one given back last: a program that
is run again then meets the buffers of an earlier run and the bind groups made for them. All bytes
are counted against a budget of our own, for drivers promise more memory than there is.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

import attrs

from runmat_core.api.device import OutOfDeviceMemory
from runmat_wgpu.device.gpu import COPY_DST, COPY_SRC, STORAGE, Gpu

#: The smallest buffer, and the size up to which classes are powers of two.
SMALLEST, FINE = 256, 4096


@attrs.define(eq=False)
class Block:
    """A buffer.

    Attributes:
        serial: unlike that of any other.
        size: in bytes.
        raw: as C sees it.
        buffer: as wgpu's Python layer does, which drops it when nobody holds it any more.
    """

    serial: int
    size: int
    raw: Any
    buffer: Any


class Pool:
    """All buffers for arrays.

    Args:
        limit: most bytes of all buffers; None: as many as the device gives.
        keep: most bytes of buffers that are not in use.
        dropped: told the serials of buffers that are gone for good.

    Attributes:
        total: bytes of all buffers, `kept` those of them that are not in use.
        hits, misses: how often a buffer was there, and how often it had to be made.
    """

    def __init__(
        self, gpu: Gpu, limit: int | None, keep: int, dropped: Callable[[int], None]
    ) -> None:
        self.limit = limit
        self.keep = keep
        self.total = 0
        self.kept = 0
        self.hits = 0
        self.misses = 0
        self._gpu = gpu
        self._dropped = dropped
        self._serial = 0
        # all of them, for one that only garbage holds is released by the collector, even though
        # the finalizer of an array in the same garbage gives it back
        self._blocks: dict[int, Block] = {}
        # heaps by serial; oldest class first
        self._free: OrderedDict[int, list[tuple[int, Block]]] = OrderedDict()
        self._largest = gpu.limits["max-buffer-size"] // 16 * 16

    def take(self, nbytes: int) -> Block:
        """Return a buffer of at least so many bytes, contents undefined.

        Raises:
            OutOfDeviceMemory: there is no room even without what is kept.
        """
        size = min(size_class(nbytes), self._largest)
        ready = self._free.get(size)
        if ready:
            self.hits += 1
            self.kept -= size
            return heappop(ready)[1]
        if nbytes > self._largest:
            raise OutOfDeviceMemory(
                f"An array of {nbytes} bytes is larger than the largest buffer of the device "
                f"({self._largest} bytes)."
            )
        self._make_room(size)
        self.misses += 1
        return self._made(size)

    def give(self, block: Block) -> None:
        """Take a buffer back."""
        if block.size > self.keep:
            self._drop(block)
            return
        heappush(self._free.setdefault(block.size, []), (block.serial, block))
        self._free.move_to_end(block.size)
        self.kept += block.size
        while self.kept > self.keep:
            self._drop_oldest()

    def clear(self) -> None:
        """Drop everything that is not in use."""
        while self.kept:
            self._drop_oldest()

    def _make_room(self, size: int) -> None:
        if self.limit is None:
            return
        while self.kept and self.total + size > self.limit:
            self._drop_oldest()
        if self.total + size > self.limit:
            raise OutOfDeviceMemory(self._explain(size))

    def _made(self, size: int) -> Block:
        usage = STORAGE | COPY_SRC | COPY_DST
        try:
            with self._gpu.checked("an array"):
                buffer = self._gpu.device.create_buffer(size=size, usage=usage)
        except OutOfDeviceMemory as problem:
            if not self.kept:
                raise OutOfDeviceMemory(self._explain(size)) from problem
            # what is dropped is free when the device is done with it
            self.clear()
            self._gpu.wait()
            return self._made(size)
        self._serial += 1
        self.total += size
        made = self._blocks[self._serial] = Block(self._serial, size, buffer._internal, buffer)
        return made

    def _drop_oldest(self) -> None:
        for size, ready in self._free.items():
            if ready:
                self.kept -= size
                self._drop(ready.pop()[1])
                return

    def _drop(self, block: Block) -> None:
        self.total -= block.size
        del self._blocks[block.serial]
        self._dropped(block.serial)

    def _explain(self, size: int) -> str:
        room = "" if self.limit is None else f" of {self.limit}"
        return (
            f"Out of memory on the device {self._gpu.adapter.name}: {size} bytes were asked for, "
            f"{self.total - self.kept}{room} bytes are in use."
        )


def size_class(nbytes: int) -> int:
    """Bytes rounded up to a power of two, above 4 kB to an eighth of one."""
    if nbytes <= FINE:
        return max(SMALLEST, 1 << (nbytes - 1).bit_length())
    step = 1 << ((nbytes - 1).bit_length() - 4)
    return -(-nbytes // step) * step
