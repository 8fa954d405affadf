"""Staging buffers: memory that the host maps and the device copies from or to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.device import DeviceLost
from runmat_wgpu.device.gpu import MAP_READ, MODE_READ, MODE_WRITE, Gpu

#: How often the device is asked for a map that it should have made already.
PATIENCE = 1000


class Stage:
    """One staging buffer; while it is mapped, no command may use it.

    Args:
        size: in bytes, a multiple of 16.
        usage: of wgpu; with ``MAP_READ`` or ``MAP_WRITE``.
    """

    def __init__(self, gpu: Gpu, size: int, usage: int) -> None:
        self.size = size
        self._gpu = gpu
        self._mode = MODE_READ if usage & MAP_READ else MODE_WRITE
        with gpu.checked("staging memory"):
            self._buffer = gpu.device.create_buffer(size=size, usage=usage)
        self.raw: Any = self._buffer._internal
        self._mapped = False
        self._pending = False
        self._submission = 0
        self._status = [0]
        status = self._status

        @gpu.ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)")  # type: ignore[untyped-decorator]
        def done(code: int, message: Any, first: Any, second: Any) -> None:
            status[0] = code

        gpu.callbacks.append(done)  # C holds no reference
        self._info = gpu.ffi.new("WGPUBufferMapCallbackInfo *")
        self._info.mode = gpu.lib.WGPUCallbackMode_AllowProcessEvents
        self._info.callback = done

    def request(self, nbytes: int, submission: int) -> None:
        """Ask for a map as soon as a submission, the last that uses the buffer, is done."""
        self.release()
        self._status[0] = 0
        self._submission = submission
        with self._gpu.commands:
            self._gpu.lib.wgpuBufferMapAsync(self.raw, self._mode, 0, nbytes, self._info[0])
        self._pending = True

    def view(self, nbytes: int) -> NDArray[np.uint8]:
        """Return the mapped memory; waits for the map. Void after `unmap`.

        Raises:
            DeviceLost: the map failed.
        """
        gpu = self._gpu
        if self._pending:
            self._wait()
        get = gpu.lib.wgpuBufferGetMappedRange
        if self._mode == MODE_READ:
            get = gpu.lib.wgpuBufferGetConstMappedRange
        pointer = get(self.raw, 0, nbytes)
        if pointer == gpu.ffi.NULL:
            gpu.lost = gpu.lost or "its memory cannot be read"
            gpu.check()
        return np.frombuffer(gpu.ffi.buffer(pointer, nbytes), np.uint8)

    def unmap(self) -> None:
        """Give the memory back to the device."""
        if self._mapped:
            self._gpu.lib.wgpuBufferUnmap(self.raw)
            self._mapped = False

    def release(self) -> None:
        """See to it that it is not mapped and will not be: commands may use it then."""
        if self._pending:
            self._wait()
        self.unmap()

    def _wait(self) -> None:
        gpu, status = self._gpu, self._status
        gpu.watch(status)
        for _ in range(PATIENCE):
            if status[0]:
                break
            gpu.check()
            gpu.wait(self._submission)
        self._pending = False
        if status[0] != gpu.lib.WGPUMapAsyncStatus_Success:
            # such a buffer must be neither read nor unmapped
            gpu.lost = gpu.lost or f"a map ended with status {status[0]}"
            raise DeviceLost(f"The device {gpu.adapter.name} was lost: {gpu.lost}")
        self._mapped = True
