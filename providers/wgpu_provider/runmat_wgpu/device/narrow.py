"""Large arrays of 8 and 16 bit elements over the link as they are, made wide on the device.

Where the device's memory is the host's there is no link to spare, and the host converts them while
it copies.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.device import Executable, Launch
from runmat_core.api.ir import LibraryCall
from runmat_wgpu.codegen.narrow import IN_WORD, Narrow
from runmat_wgpu.codegen.shader import STORED_BYTES, Target
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.plans import Compiled
from runmat_wgpu.device.rows import Row
from runmat_wgpu.device.shared import Shared
from runmat_wgpu.device.transfers import Uploads

#: Arrays with fewer elements are converted on the host: that takes less than a dispatch.
LEAST = 1 << 18

_WORD: np.dtype[Any] = np.dtype(np.uint32)


class NarrowTransfers:
    """Turns words of several elements into words of one each, and back.

    Attributes:
        least: arrays with fewer elements do not go this way; None: none does.
    """

    def __init__(
        self, shared: Shared, owner: str, target: Target, least: int | None = LEAST
    ) -> None:
        self.least = least
        self._shared = shared
        self._owner = owner
        self._target = target
        self._made: dict[tuple[str, str], Executable] = {}

    def takes(self, dtype: str, size: int) -> bool:
        """Whether an array goes this way: it is large, narrow, and can be bound as a whole."""
        if self.least is None or size < self.least or dtype not in IN_WORD:
            return False
        return size * STORED_BYTES[dtype] + 16 <= self._target.binding_bytes

    def send(self, uploads: Uploads, array: Array, data: NDArray[Any], dtype: str) -> None:
        """Start to copy a flat host array; it may change when this returns."""
        words = -(-data.size // IN_WORD[dtype])
        if data.nbytes % _WORD.itemsize or not data.flags.c_contiguous:
            padded = np.zeros(words, _WORD)
            padded.view(data.dtype)[: data.size] = data
            data = padded
        room = self._shared.memory.room(words * _WORD.itemsize)
        try:
            uploads.send(room, data.view(_WORD), _WORD)
            self._run(dtype, "spread", room, array, words)
        finally:
            self._shared.memory.pool.give(room.block)

    def pressed(self, array: Array, dtype: str, size: int) -> tuple[Array, NDArray[Any]]:
        """Words of several elements each, and the host array for them; `done` takes them back."""
        words = -(-size // IN_WORD[dtype])
        room = self._shared.memory.room(words * _WORD.itemsize)
        try:
            self._run(dtype, "press", room, array, words)
        except BaseException:
            self.done(room)
            raise
        return room, np.empty(words, _WORD)

    def done(self, room: Array) -> None:
        """Give back what `pressed` made."""
        self._shared.memory.pool.give(room.block)

    def _run(
        self, dtype: str, way: Literal["spread", "press"], room: Array, array: Array, words: int
    ) -> None:
        executable = self._made.get((dtype, way))
        if executable is None:
            unit = LibraryCall(way, (dtype,))
            made: Any = Narrow(dtype, way, self._target)
            compiled = Compiled(unit, lambda: made)
            executable = self._made[dtype, way] = Executable(unit, self._owner, compiled)
        launch = Launch(executable, (0, 1), (words,), label=way)
        Row(self._shared, [launch], self._owner).run([room, array], None, [])
