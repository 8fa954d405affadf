"""Arrays behind handles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.api.device import (
    DTYPE_NAME,
    NUMPY_DTYPE,
    DeviceArray,
    ForeignHandle,
    OutOfDeviceMemory,
)
from runmat_wgpu.codegen.shader import STORAGE, STORED_BYTES
from runmat_wgpu.device.pool import Block, Pool

_WGSL = {"u32": np.uint32, "i32": np.int32, "u64": np.uint64, "i64": np.int64}
_WGSL |= {"vec2<f32>": np.complex64, "vec2<f64>": np.complex128}  # type: ignore[dict-item]
_WGSL |= {"f32": np.float32, "f64": np.float64}  # type: ignore[dict-item]
#: NumPy's type of the elements as they lie in buffers.
STORED: dict[str, np.dtype[Any]] = {d: np.dtype(_WGSL[wgsl]) for d, wgsl in STORAGE.items()}
#: By type, not by its letter: NumPy has two letters for the integers of one size.
NAME = {dtype: name for name, dtype in NUMPY_DTYPE.items()}


@attrs.define(eq=False)
class Array:
    """What a handle holds.

    Attributes:
        block: the buffer, which may be larger.
        nbytes: of the elements as they are stored, at least 16 and a multiple of it, as bound.
        key: tells bindings apart.
        count: of the elements, where a handle holds it.
    """

    block: Block
    nbytes: int
    key: tuple[int, int]
    count: int = 0


class Memory:
    """All arrays of a provider instance.

    Attributes:
        live_bytes, live_arrays, peak_bytes: of what handles hold.
    """

    def __init__(self, owner: str, pool: Pool) -> None:
        self.owner = owner
        self.pool = pool
        self.live_bytes = 0
        self.live_arrays = 0
        self.peak_bytes = 0

    def room(self, nbytes: int) -> Array:
        """Memory for so many bytes.

        Raises:
            OutOfDeviceMemory: there is none.
        """
        padded = max(16, -(-nbytes // 16) * 16)
        block = self.pool.take(padded)
        return Array(block, padded, (block.serial, padded))

    def allocate(self, shapes: tuple[tuple[tuple[int, ...], str], ...]) -> tuple[DeviceArray, ...]:
        """Return a handle for each shape and element type.

        Raises:
            OutOfDeviceMemory: there is no room for all of them; none is kept.
        """
        made: list[DeviceArray] = []
        try:
            for shape, dtype in shapes:
                handle = DeviceArray(shape, dtype, self.owner)
                handle.payload = self.room(handle.size * STORED_BYTES[dtype])
                made.append(handle)
                handle.payload.count = handle.size
                self.live_bytes += handle.payload.nbytes
                self.live_arrays += 1
        except OutOfDeviceMemory:
            for handle in made:
                self.free(handle)
            raise
        self.peak_bytes = max(self.peak_bytes, self.live_bytes)
        return tuple(made)

    def array(self, handle: DeviceArray) -> Array:
        """Return what a handle holds.

        Raises:
            ForeignHandle: it is another provider's, or was freed.
        """
        payload = handle.payload
        if payload is None:
            raise ForeignHandle("This array was freed already.")
        if handle.owner != self.owner or payload.__class__ is not Array:
            raise ForeignHandle(f"This array belongs to {handle.owner}, not to {self.owner}.")
        return payload

    def arrays(self, handles: Sequence[DeviceArray]) -> list[Array]:
        """Return what handles hold.

        Raises:
            ForeignHandle: see `array`.
        """
        owner, found = self.owner, []
        for handle in handles:
            payload = handle.payload
            if payload.__class__ is not Array or handle.owner != owner:
                payload = self.array(handle)
            found.append(payload)
        return found

    def free(self, handle: DeviceArray) -> None:
        """Forget an array.

        Raises:
            ForeignHandle: see `array`.
        """
        array = self.array(handle)
        handle.payload = None
        self.live_bytes -= array.nbytes
        self.live_arrays -= 1
        self.pool.give(array.block)


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the element type of the IR of a host array's."""
    return NAME.get(dtype) or DTYPE_NAME[dtype.char]
