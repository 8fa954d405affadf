"""Arrays behind handles, and freed memory kept for the next array of its size.

Fresh memory of a large array costs as much as computing it (every page is cleared first), so what
is freed is kept, up to a bound.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from runmat_core.api.device import (
    NUMPY_DTYPE,
    DeviceArray,
    ForeignHandle,
    OutOfDeviceMemory,
)

#: By type, not by its letter: NumPy has two letters for the integers of one size.
_NAME = {dtype: name for name, dtype in NUMPY_DTYPE.items()}
#: Smaller arrays come and go through NumPy's own allocator.
POOLED_BYTES = 1 << 18
#: References to memory that nobody but the pool uses: its list, the loop variable, the question.
_UNUSED = 3


def physical_memory() -> int | None:
    """Bytes of this machine, None where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


class Usage:
    """Bytes and arrays that handles hold; uploaded arrays are the host's and do not count."""

    __slots__ = ("live_arrays", "live_bytes", "peak_bytes")

    def __init__(self) -> None:
        self.live_bytes = 0
        self.peak_bytes = 0
        self.live_arrays = 0


class Memory:
    """All arrays of a provider instance.

    Args:
        owner: written into handles.
        limit: most bytes that handles may hold.
        keep: most bytes of freed memory to keep.
    """

    def __init__(self, owner: str, limit: int | None, keep: int) -> None:
        self.owner = owner
        self.limit = limit
        self.usage = Usage()
        self._keep = keep
        self._made: dict[DeviceArray, int] = {}  # bytes of what was allocated here
        self._kept: dict[int, list[Any]] = {}
        self._kept_bytes = 0
        self.reused = 0

    def allocate(self, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        """Return a handle on new memory.

        Small arrays are zero, so that a status array starts without bits.

        Raises:
            OutOfDeviceMemory: past the limit, or refused by the system.
        """
        handle = DeviceArray(shape, dtype, self.owner)
        kind = NUMPY_DTYPE[dtype]
        nbytes = handle.size * kind.itemsize
        if self.limit is not None and self.usage.live_bytes + nbytes > self.limit:
            raise OutOfDeviceMemory(self._explain(nbytes))
        try:
            handle.payload = self._bytes(nbytes)[:nbytes].view(kind)
        except (MemoryError, ValueError, OverflowError) as problem:
            raise OutOfDeviceMemory(self._explain(nbytes)) from problem
        self._count(handle, nbytes)
        return handle

    def adopt(self, array: np.ndarray[Any, Any]) -> DeviceArray:
        """Return a handle on an array of the host, without a copy unless it is tiny.

        A tiny array may be a status array, which kernels write to.
        """
        flat = array.reshape(-1, order="F")
        handle = DeviceArray(array.shape, _NAME[array.dtype], self.owner)
        handle.payload = flat.copy() if flat.nbytes <= 8 else flat
        if flat.nbytes <= 8:
            self._count(handle, flat.nbytes)
        return handle

    def flat(self, handle: DeviceArray) -> Any:
        """Return the elements behind a handle, column-major.

        Raises:
            ForeignHandle: it is another provider's, or was freed.
        """
        payload = handle.payload
        if payload is None:
            raise ForeignHandle("This array was freed already.")
        if handle.owner != self.owner:
            raise ForeignHandle(f"This array belongs to {handle.owner}, not to {self.owner}.")
        return payload

    def writable(self, handle: DeviceArray) -> Any:
        """Return the same, to be written to; the host's memory is copied first."""
        flat = self.flat(handle)
        if handle not in self._made:
            copy = self.allocate(handle.shape, handle.dtype)
            np.copyto(copy.payload, flat)
            flat = handle.payload = copy.payload
            self._made[handle] = self._made.pop(copy)
        return flat

    def free(self, handle: DeviceArray) -> None:
        """Forget an array.

        Raises:
            ForeignHandle: see `flat`.
        """
        flat = self.flat(handle)
        handle.payload = None
        nbytes = self._made.pop(handle, None)
        if nbytes is None:
            return
        self.usage.live_bytes -= nbytes
        self.usage.live_arrays -= 1
        memory = flat.base
        if memory is not None and memory.nbytes >= POOLED_BYTES:
            self._put(memory)

    def clear(self) -> None:
        """Let go of freed memory."""
        self._kept.clear()
        self._kept_bytes = 0

    def _count(self, handle: DeviceArray, nbytes: int) -> None:
        self._made[handle] = nbytes
        usage = self.usage
        usage.live_bytes += nbytes
        usage.live_arrays += 1
        usage.peak_bytes = max(usage.peak_bytes, usage.live_bytes)

    def _explain(self, nbytes: int) -> str:
        text = f"Out of memory: an array of {nbytes} bytes was asked for"
        if self.limit is None:
            return f"{text}."
        return f"{text}, {self.usage.live_bytes} of {self.limit} bytes are in use."

    def _bytes(self, nbytes: int) -> Any:
        if nbytes < POOLED_BYTES:
            return (np.zeros if nbytes <= 8 else np.empty)(nbytes, np.uint8)
        size = size_class(nbytes)
        ready = self._kept.get(size, [])
        for k in range(len(ready)):
            memory = ready[k]
            # the host may still hold what it downloaded; its view keeps a reference
            if sys.getrefcount(memory) <= _UNUSED:
                del ready[k]
                self._kept_bytes -= size
                self.reused += 1
                return memory
        return np.empty(size, np.uint8)

    def _put(self, memory: Any) -> None:
        size = memory.nbytes
        if size > self._keep:
            return
        while self._kept_bytes + size > self._keep:
            # the sizes asked for last are the likeliest to be asked for again
            oldest = next(s for s, ready in self._kept.items() if ready)
            self._kept[oldest].pop(0)
            self._kept_bytes -= oldest
            if not self._kept[oldest]:
                del self._kept[oldest]
        self._kept.setdefault(size, []).append(memory)
        self._kept_bytes += size


def size_class(nbytes: int) -> int:
    """Bytes rounded up to an eighth of their power of two."""
    step = 1 << max(nbytes.bit_length() - 4, 12)
    return -(-nbytes // step) * step
