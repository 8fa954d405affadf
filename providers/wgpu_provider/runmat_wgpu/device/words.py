"""The words of dispatches: one buffer, of which programs have regions.

A region stays its program's until the buffer is full; then all start over. What was submitted reads
its words before later ones are written, for the queue keeps the order.
"""

from __future__ import annotations

from typing import Any

from runmat_core.api.device import DeviceFault
from runmat_wgpu.device.gpu import COPY_DST, UNIFORM, Gpu
from runmat_wgpu.device.groups import Group
from runmat_wgpu.device.pipelines import Pipelines

#: Bytes of the buffer, and the most of a region.
SIZE, REGION = 1 << 20, 1 << 18


class Words:
    """All words that dispatches may read.

    Attributes:
        epoch: grows when the regions given out so far are void.
        alignment: of the words of a dispatch, in bytes.
    """

    def __init__(self, gpu: Gpu, pipelines: Pipelines) -> None:
        self._gpu = gpu
        self._pipelines = pipelines
        self.epoch = 1
        self.alignment = max(16, gpu.limits["min-uniform-buffer-offset-alignment"])
        with gpu.checked("the scalars of kernels"):
            self._buffer = gpu.device.create_buffer(size=SIZE, usage=UNIFORM | COPY_DST)
        self._raw = self._buffer._internal
        self._write = gpu.lib.wgpuQueueWriteBuffer
        self._used = 0
        self._groups: dict[int, Group] = {}

    def region(self, size: int) -> int:
        """Return the start of a new region of so many bytes.

        Raises:
            DeviceFault: they are more than there are.
        """
        if size > SIZE:
            raise DeviceFault(f"The scalars of one kernel take {size} bytes.")
        if self._used + size > SIZE:
            self.epoch += 1
            self._used = 0
        start = self._used
        self._used += -(-size // self.alignment) * self.alignment
        return start

    def write(self, start: int, data: Any, size: int) -> None:
        """Write the contents of a region, before what is submitted next."""
        with self._gpu.commands:
            self.put(start, self._gpu.ffi.from_buffer(data), size)

    def put(self, start: int, data: Any, size: int) -> None:
        """Put bytes that C sees, in a context of `Gpu.checked`."""
        self._write(self._gpu.queue, self._raw, start, data, size)

    def group(self, size: int) -> Any:
        """Group 1, as C sees it, for a ``P`` of so many bytes."""
        group = self._groups.get(size)
        if group is None:
            group = self._groups[size] = self._made(size)
        return group.raw

    def _made(self, size: int) -> Group:
        gpu = self._gpu
        entries = gpu.ffi.new("WGPUBindGroupEntry[1]")
        entries[0].buffer, entries[0].size = self._raw, size
        description = gpu.ffi.new("WGPUBindGroupDescriptor *")
        description.layout = self._pipelines.words(size)._internal
        description.entryCount, description.entries = 1, entries
        with gpu.checked("the scalars of kernels"):
            return Group(gpu.lib.wgpuDeviceCreateBindGroup(gpu.raw, description), gpu.lib)
