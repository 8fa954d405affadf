"""The opened device: its limits, its errors as faults, submitting and waiting.

The hot calls go to the C interface directly: the Python layer of wgpu costs twice as much for each.
What it does to tell errors is done here once for many calls (`Gpu.checked`). Some mistakes end the
process instead of raising, so they are impossible by construction: nothing is submitted unless
`finish` succeeded, a command buffer is submitted once and at once, buffers are never destroyed but
dropped, mapped ones are unmapped before they are used, and after any sign of a lost device nothing
is submitted at all.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from runmat_core.api.device import DeviceFault, DeviceLost, OutOfDeviceMemory
from runmat_wgpu.device.adapter import Adapter

#: Usage of buffers and modes of maps, as WebGPU numbers them.
MAP_READ, MAP_WRITE, COPY_SRC, COPY_DST = 0x1, 0x2, 0x4, 0x8
UNIFORM, STORAGE, QUERY_RESOLVE = 0x40, 0x80, 0x200
MODE_READ, MODE_WRITE = 1, 2
COMPUTE = 4
#: Seconds for which the host keeps asking before it sleeps until the device is done.
PATIENCE = 0.02
#: Words of messages that say nothing.
_NOISE = {"Validation", "Error", "Caused", "by:"}


class Gpu:
    """A device of wgpu.

    Args:
        features: to ask it for.

    Attributes:
        device: the Python object of wgpu, for calls that are not hot.
        lib, ffi: the C interface, and what makes its structures.
        raw, queue: the device and its queue as C sees them.
        commands: a context like `checked`, for commands.
        encoder, compute_pass: descriptions of them without anything special.
        lost: why the device is gone; empty while it is there.
        callbacks: that C may call as long as the device is open.
        waits, submits: how often the host waited, and commands were submitted.
    """

    def __init__(self, adapter: Adapter, features: Sequence[str]) -> None:
        from wgpu import GPUError
        from wgpu.backends.wgpu_native import ffi, lib
        from wgpu.backends.wgpu_native._api import error_handler
        from wgpu.backends.wgpu_native._helpers import ErrorSlot

        self.adapter = adapter
        self.lost = ""
        self.errors = GPUError
        self.lib: Any = lib
        self.ffi: Any = ffi
        self._handler = error_handler
        #: where errors of C go, innermost last; `capture` and `release` of the handler do with it
        #: what `_Checked` does, at several times the price
        self._captured = error_handler._get_proxy_stack
        self._new_slot = ErrorSlot
        self._spare: list[Any] = []
        self.commands = _Checked(self, "commands")
        _watch(self)
        self.device: Any = adapter.handle.request_device_sync(required_features=list(features))
        self.limits: dict[str, int] = dict(self.device.limits)
        self.features: frozenset[str] = frozenset(self.device.features)
        self.raw: Any = self.device._internal
        self.queue: Any = self.device.queue._internal
        self.callbacks: list[Any] = []
        self.waits = 0
        self.submits = 0
        self.encoder: Any = ffi.new("WGPUCommandEncoderDescriptor *")
        self.compute_pass: Any = ffi.new("WGPUComputePassDescriptor *")
        self._finish = ffi.new("WGPUCommandBufferDescriptor *")
        self._one = ffi.new("WGPUCommandBuffer[1]")
        self._index = ffi.new("WGPUSubmissionIndex *")

    # -- errors -----------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise where the device is lost.

        Raises:
            DeviceLost: it is.
        """
        if self.lost:
            raise DeviceLost(f"The device {self.adapter.name} was lost: {self.lost}")

    def checked(self, what: str) -> _Checked:
        """Return a context in which errors of C calls become faults; contexts nest."""
        return _Checked(self, what)

    def fault(self, what: str, message: str) -> DeviceFault:
        """Return an error of wgpu as the fault that it is."""
        text = " ".join(word for word in message.split() if word not in _NOISE).strip(": ")
        low = text.lower()
        if "device is lost" in low or "device was lost" in low or "devicelost" in low:
            self.lost = self.lost or text
            return DeviceLost(f"The device {self.adapter.name} was lost: {text}")
        if "not enough memory" in low or "out of memory" in low or "outofmemory" in low:
            return OutOfDeviceMemory(f"The device {self.adapter.name} has no memory for {what}.")
        return DeviceFault(f"wgpu refused {what}: {text}")

    # -- submitting -------------------------------------------------------------------------------

    def submit(self, encoder: Any) -> int:
        """Finish an encoder and submit what it holds, in a context of `checked`.

        Returns:
            The number of the submission, for `wait`.

        Raises:
            DeviceFault: what was encoded is not valid; nothing was submitted.
        """
        lib = self.lib
        commands = lib.wgpuCommandEncoderFinish(encoder, self._finish)
        try:
            failed = self._captured()[-1]
            if failed.message is not None:
                raise self.fault("commands", failed.message)
            if self.lost:
                self.check()
            self.submits += 1
            self._one[0] = commands
            return int(lib.wgpuQueueSubmitForIndex(self.queue, 1, self._one))
        finally:
            lib.wgpuCommandBufferRelease(commands)

    def wait(self, submission: int | None = None) -> None:
        """Wait until a submission, or everything submitted, is done; run callbacks of maps."""
        self.waits += 1
        where = self.ffi.NULL
        if submission is not None:
            where = self._index
            where[0] = submission
        self.lib.wgpuDevicePoll(self.raw, 1, where)

    def poll(self) -> None:
        """Run callbacks of what is done already. What the call returns does not tell of the end."""
        self.lib.wgpuDevicePoll(self.raw, 0, self.ffi.NULL)

    def watch(self, status: Sequence[int]) -> None:
        """Poll until a callback has set the status, but not for long.

        To sleep until the device has finished takes 0.3 to 0.6 ms longer than it takes to finish.
        An emulated device needs the processor itself.
        """
        if self.adapter.software:
            return
        end = perf_counter() + PATIENCE
        while not status[0] and perf_counter() < end:
            self.poll()
        self.waits += 1 if status[0] else 0  # else `wait` counts it

    def close(self) -> None:
        """Let go of the device."""
        _watched.discard(self)
        self.lost = self.lost or "it was closed"
        self.device = None


class _Checked:
    """See `Gpu.checked`."""

    __slots__ = ("gpu", "what")

    def __init__(self, gpu: Gpu, what: str) -> None:
        self.gpu = gpu
        self.what = what

    def __enter__(self) -> None:
        gpu = self.gpu
        try:
            slot = gpu._spare.pop()
        except IndexError:  # not tested before: pipelines are made in another thread, too
            slot = gpu._new_slot("runmat")
        gpu._captured().append(slot)

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        gpu = self.gpu
        slots = gpu._captured()
        if not slots or slots[-1].name != "runmat":
            gpu._handler.release("runmat")  # somebody was interrupted: it puts that in order
            message = None
        else:
            slot = slots.pop()
            message = slot.message
            if message is None:
                gpu._spare.append(slot)
        if problem is None:
            if message is not None:
                raise gpu.fault(self.what, str(message))
        elif isinstance(problem, self.gpu.errors):
            raise self.gpu.fault(self.what, str(problem)) from problem


# -- loss -----------------------------------------------------------------------------------------

_watched: set[Gpu] = set()


class _LossWatch(logging.Handler):
    """Loss of a device is told in the log alone, without saying of which."""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if "DEVICE LOST" in text or "device was lost" in text:
            for gpu in tuple(_watched):
                gpu.lost = gpu.lost or " ".join(text.split())


def _watch(gpu: Gpu) -> None:
    logger = logging.getLogger("wgpu")
    if not any(isinstance(handler, _LossWatch) for handler in logger.handlers):
        logger.addHandler(_LossWatch())
    _watched.add(gpu)
