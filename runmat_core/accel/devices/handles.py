"""Arrays on a provider, each freed exactly once: when nothing in the session holds it any more.

A `DeviceBuffer` wraps the provider's handle. Nodes, plans that run and the cache of uploads hold it
like any Python object; when the last of them lets go, the handle goes back to its maker. A
`BufferManager` has all buffers of one provider.
"""

from __future__ import annotations

import math
import signal
import sys
from _thread import interrupt_main
from collections import OrderedDict
from collections.abc import Callable, Sequence
from sys import getrefcount
from threading import Timer, main_thread
from time import sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.devices.provider import Provider
from runmat_core.accel.graph.node import Shape
from runmat_core.api.device import (
    NUMPY_DTYPE,
    DeviceArray,
    DeviceFault,
    DeviceLost,
    ForeignHandle,
    OutOfDeviceMemory,
)

#: Bytes of host arrays whose copies a device may keep, where the device does not say more.
COPY_BYTES = 1 << 30
#: So many arrays of at most so many elements are freed together, before the next are made: a hook
#: takes as long as an operation does to be captured.
TOGETHER, LITTLE = 16, 1 << 14
#: Seconds after which an interrupt comes again that came while an array was freed.
AGAIN = 0.001


class DeviceBuffer(DeviceArray):
    """An array of a provider; `payload` is the provider's own handle until it is released."""

    __slots__ = ("store",)

    def __init__(self, handle: DeviceArray, shape: Shape, store: BufferManager) -> None:
        # what `DeviceArray` does: every array that a run makes comes here
        self.shape = shape
        self.dtype = handle.dtype
        self.owner = handle.owner
        self.payload = handle
        self.store = store

    @property
    def nbytes(self) -> int:
        """Return the size in bytes."""
        return self.size * NUMPY_DTYPE[self.dtype].itemsize

    def release(self) -> None:
        """Give it back now; whoever still holds it has nothing."""
        handle, self.payload = self.payload, None
        if handle is not None:
            self.store.give_back(handle)

    def __del__(self) -> None:
        handle = getattr(self, "payload", None)
        if handle is not None:
            self.payload = None
            try:
                self.store.give_back(handle)
            except KeyboardInterrupt:
                # Python drops what is raised here, and a long loop frees arrays all the time
                Timer(AGAIN, _interrupt).start()


def _interrupt() -> None:
    """Interrupt the main thread as Ctrl-C does, even where it sleeps or waits.

    A busy machine may not have left the destructor yet, which would drop this one as well.
    """
    main = main_thread().ident
    while _is_freeing(main):
        sleep(AGAIN)
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        interrupt_main()


def _is_freeing(thread: int | None) -> bool:
    """Say whether a thread is in the destructor of an array."""
    frame = None if thread is None else sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code is DeviceBuffer.__del__.__code__:
            return True
        frame = frame.f_back
    return False


class BufferManager:
    """The arrays that a session has on one provider.

    Args:
        report: told of faults that stop nothing.

    Attributes:
        provider: who holds them.
        live: how many handles have not been given back.
        lost: the device is gone, and every handle on it.
        dead: what was given back and is not freed yet.
        busy: whether what is given back is collected, to be freed together.
        heavy: whether freeing that is worth a request of its own.
        uploaded, downloaded: bytes so far, to and from memory that is not the host's.
    """

    def __init__(
        self, provider: Provider, report: Callable[[DeviceFault], None] = lambda fault: None
    ) -> None:
        self.provider = provider
        self._report = report
        self.name = provider.name
        self.live = 0
        self.lost = False
        self.uploaded = 0
        self.downloaded = 0
        self.own_memory = provider.capabilities.kind == "device"
        memory = provider.capabilities.memory_bytes
        self.copy_bytes = COPY_BYTES if memory is None else memory // 4
        self._copies: OrderedDict[int, tuple[NDArray[Any], DeviceBuffer]] = OrderedDict()
        self._copied = 0
        self.dead: list[DeviceArray] = []
        self.heavy = False
        # of a small memory every array is worth giving back at once
        self._little = min(LITTLE, self.copy_bytes >> 12)
        self.busy = False
        self._status: tuple[DeviceBuffer, DeviceBuffer] | None = None

    # -- making -----------------------------------------------------------------------------------

    def allocate(self, arrays: Sequence[tuple[Shape, str]]) -> tuple[DeviceBuffer, ...]:
        """Return new arrays of these sizes and element types, contents undefined."""
        made = self._call(self.provider.allocate, tuple(arrays))
        return self._wrapped(made, arrays)

    def upload(self, arrays: Sequence[NDArray[Any]]) -> tuple[DeviceBuffer, ...]:
        """Return new arrays with the contents of host arrays, which must not change meanwhile."""
        ready = tuple([a if a.flags.f_contiguous else np.asfortranarray(a) for a in arrays])
        made = self._call(self.provider.upload, ready)
        if self.own_memory:
            self.uploaded += sum([a.nbytes for a in ready])
        return self._wrapped(made, [(a.shape, "") for a in ready])

    def copies(self, arrays: Sequence[NDArray[Any]]) -> tuple[DeviceBuffer, ...]:
        """As `upload`, but what is there already is taken, and what is new stays for the next time.

        A provider on the host's own memory has nothing to gain from keeping them.
        """
        if not self.own_memory:
            return self.upload(arrays)
        found = [self._copies.get(id(array)) for array in arrays]
        missing = [array for array, known in zip(arrays, found, strict=True) if known is None]
        made = iter(self.upload(missing) if missing else ())
        copies = []
        for array, known in zip(arrays, found, strict=True):
            if known is None:
                copy = next(made)
                self.remember(array, copy)
            else:
                self._copies.move_to_end(id(array))
                copy = known[1]
            copies.append(copy)
        return tuple(copies)

    def taken(self, array: NDArray[Any]) -> DeviceBuffer:
        """Return a copy of `array` to write to; the store no longer uses it for that array."""
        known = self._copies.pop(id(array), None)
        if known is None:
            (made,) = self.upload((array,))
            return made
        self._copied -= array.nbytes
        return known[1]

    def has_copy(self, array: NDArray[Any]) -> bool:
        """Whether the elements of `array` are on the device already."""
        return id(array) in self._copies

    def remember(self, array: NDArray[Any], copy: DeviceBuffer) -> None:
        """Keep `copy` as what `array` is on the device.

        The array is held, too, so that whoever would write into it finds that it is shared.
        """
        if not self.own_memory or array.nbytes > self.copy_bytes or id(array) in self._copies:
            return
        self._copies[id(array)] = (array, copy)
        self._copied += array.nbytes
        while self._copied > self.copy_bytes:
            _, (old, _) = self._copies.popitem(last=False)
            self._copied -= old.nbytes

    def status(self) -> tuple[DeviceBuffer, DeviceBuffer]:
        """Two arrays of one u32: one that is always zero, and the status word."""
        if self._status is None:
            (zero,) = self.upload((np.zeros((1, 1), np.uint32),))
            (word,) = self.allocate((((1, 1), "u32"),))
            self._status = (zero, word)
        return self._status

    def _wrapped(
        self, made: Sequence[DeviceArray], arrays: Sequence[tuple[Shape, str]]
    ) -> tuple[DeviceBuffer, ...]:
        wrapped: list[DeviceBuffer] = []
        for handle, (shape, _) in zip(made, arrays, strict=True):
            if not isinstance(handle, DeviceArray) or handle.owner != self.name:
                raise ForeignHandle(
                    f"The acceleration provider '{self.name}' gave a handle that is not its own."
                )
            wrapped.append(DeviceBuffer(handle, shape, self))
        self.live += len(made)
        return tuple(wrapped)

    # -- reading ----------------------------------------------------------------------------------

    def download(
        self, arrays: Sequence[DeviceBuffer], status: DeviceBuffer | None = None
    ) -> tuple[list[NDArray[Any]], int]:
        """Return the contents of arrays in their shapes, column-major, and the status bits."""
        handles = tuple(self.handles(arrays))
        word = None if status is None else self.handle(status)
        got = self._call(self.provider.download, handles, word)
        contents = []
        for held, array in zip(arrays, got.arrays, strict=True):
            contents.append(self._checked(held, array))
        if self.own_memory:
            self.downloaded += sum([a.nbytes for a in contents])
        return contents, int(got.status)

    def _checked(self, held: DeviceBuffer, array: Any) -> NDArray[Any]:
        if (
            not isinstance(array, np.ndarray)
            or array.size != math.prod(held.shape)
            or array.dtype != NUMPY_DTYPE[held.dtype]
        ):
            raise DeviceFault(
                f"The acceleration provider '{self.name}' gave something else than the array that "
                "was asked for."
            )
        if array.shape != held.shape:
            array = array.reshape(held.shape, order="F")
        return array if array.flags.f_contiguous else np.asfortranarray(array)

    def handle(self, held: DeviceBuffer) -> DeviceArray:
        """Return the provider's own handle.

        Raises:
            ForeignHandle: it was given back, or is another provider's.
        """
        return self.handles((held,))[0]

    def handles(self, arrays: Sequence[DeviceBuffer]) -> list[DeviceArray]:
        """`handle` of several arrays."""
        name = self.name
        found: list[DeviceArray] = []
        for held in arrays:
            handle = held.payload
            if handle is None or held.owner != name:
                raise ForeignHandle("An array on a device was used after it was given back.")
            found.append(handle)
        return found

    # -- giving back ------------------------------------------------------------------------------

    def give_back(self, handle: DeviceArray) -> None:
        """Free a handle: now if it is large, else together with others."""
        self.live -= 1
        if self.lost or self.provider.closed:
            return
        self.dead.append(handle)
        if math.prod(handle.shape) > self._little or len(self.dead) >= TOGETHER:
            self.heavy = True
            if not self.busy:
                self.flush()

    def go_on(self) -> None:
        """Free large arrays at once again.

        The rest is freed while the provider is at work, when nobody waits for it.
        """
        self.busy = False
        if self.heavy:
            self.flush()

    def flush(self) -> None:
        """Free what was given back."""
        self.heavy = False
        if not self.dead:
            return
        if self.lost or self.provider.closed:
            self.dead.clear()
        while self.dead and not self.lost:
            dead, self.dead = tuple(self.dead), []
            try:
                self._call(self.provider.free, dead)
            except DeviceFault as fault:
                # what cannot be freed is a leak on the device, and no wrong number
                self._report(fault)

    def rest(self) -> None:
        """Free what was given back, and the status word where that is all there is.

        Not after each run: the next one with guards would make the word again.
        """
        self.flush()
        if self._status is not None and self.live == len(self._status) and not self.busy:
            self._status = None
            self.flush()

    def sweep(self) -> None:
        """Let go of copies of arrays that nobody else holds any more."""
        for key, (array, _) in list(self._copies.items()):
            # held by the cache, the loop and the call
            if getrefcount(array) <= 3:
                del self._copies[key]
                self._copied -= array.nbytes

    def drop_copies(self) -> None:
        """Let go of all copies: room on the device."""
        self._copies.clear()
        self._copied = 0

    def close(self) -> None:
        """Let go of everything that the store itself keeps."""
        self.drop_copies()
        self._status = None
        self.flush()

    def _call(self, hook: Any, *arguments: Any) -> Any:
        # a garbage collection in the middle of it must not come back to the provider
        was, self.busy = self.busy, True
        try:
            return hook(*arguments)
        except MemoryError as problem:
            raise OutOfDeviceMemory(str(problem) or "There is no memory left.") from problem
        except DeviceLost:
            self.lost = True
            raise
        finally:
            self.busy = was
