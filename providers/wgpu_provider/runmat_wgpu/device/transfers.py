"""Arrays to the device and back, through staging buffers that stay.

Large arrays go in pieces: while the device copies one, the host fills or empties the next. Elements
that are stored wider than NumPy has them are converted on the way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_wgpu.device.copying import copy
from runmat_wgpu.device.gpu import COPY_DST, COPY_SRC, MAP_READ, MAP_WRITE, Gpu
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.recorder import Recorder
from runmat_wgpu.device.stages import Stage

#: Bytes of a piece, of a staging buffer that serves small arrays, and how many large there are.
PIECE, LITTLE, STAGES = 1 << 25, 1 << 20, 4
#: Smaller arrays are handed to the queue, which holds such memory until the next submission.
DIRECT, PENDING = 1 << 16, 1 << 20


class Uploads:
    """Host to device."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._stages: dict[int, deque[Stage]] = {}
        self._pending = 0

    def send(self, array: Array, data: NDArray[Any], stored: np.dtype[Any]) -> None:
        """Start to copy a flat host array; it may change when this returns.

        Args:
            stored: type of the elements on the device.
        """
        if not data.size:
            return
        if data.size * stored.itemsize <= DIRECT:
            self._direct(array, np.ascontiguousarray(data, stored))
            return
        width = PIECE // stored.itemsize
        for first in range(0, data.size, width):
            self._piece(array, first * stored.itemsize, data[first : first + width], stored)

    def _direct(self, array: Array, data: NDArray[Any]) -> None:
        gpu = self._gpu
        with gpu.checked("an upload"):
            gpu.lib.wgpuQueueWriteBuffer(
                gpu.queue, array.block.raw, 0, gpu.ffi.from_buffer(data), data.nbytes
            )
        self._pending += data.nbytes
        if self._pending > PENDING:
            self.flush()

    def flush(self) -> None:
        """Have the queue take what was handed to it."""
        with Recorder(self._gpu) as commands:
            commands.submit()
        self._pending = 0

    def _piece(self, array: Array, place: int, data: NDArray[Any], stored: np.dtype[Any]) -> None:
        nbytes = data.size * stored.itemsize
        stage = self._stage(LITTLE if nbytes <= LITTLE else PIECE)
        copy(stage.view(stage.size)[:nbytes].view(stored), data)
        stage.unmap()
        with Recorder(self._gpu) as commands:
            commands.copy(stage.raw, 0, array.block.raw, place, nbytes)
            stage.request(stage.size, commands.submit())
        self._stages[stage.size].append(stage)

    def _stage(self, size: int) -> Stage:
        """Of the staging buffers of a size the one that was used longest ago."""
        stages = self._stages.setdefault(size, deque())
        if len(stages) >= STAGES:
            return stages.popleft()
        stage = Stage(self._gpu, size, MAP_WRITE | COPY_SRC)
        stage.request(size, 0)
        return stage


class Fence:
    """Waits for everything submitted, by a map that is made after it: that can be watched."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._stage: Stage | None = None

    def wait(self) -> None:
        """Return when the device has nothing left to do, what was handed to the queue included."""
        if self._stage is None:
            self._stage = Stage(self._gpu, 16, MAP_READ | COPY_DST)
        stage = self._stage
        stage.release()
        with Recorder(self._gpu) as commands:
            commands.clear(stage.raw, stage.size)
            stage.request(stage.size, commands.submit())
        stage.release()


@attrs.frozen(eq=False)
class _Part:
    """Bytes of an array that go through one staging buffer.

    Attributes:
        place: in the array, `start` in the staging buffer, `nbytes`: all in bytes as stored.
        target: the elements on the host.
    """

    array: Array
    place: int
    start: int
    nbytes: int
    target: NDArray[Any]
    stored: np.dtype[Any]


class Downloads:
    """Device to host."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._small: Stage | None = None
        self._stages: deque[Stage] = deque()

    def fetch(
        self,
        wanted: Sequence[tuple[Array, NDArray[Any], np.dtype[Any]]],
        held: Recorder | None = None,
    ) -> None:
        """Bring arrays to the host, after everything that was submitted.

        Args:
            wanted: of each the flat host array to fill and the type of its elements on the device.
            held: what was recorded and is to be submitted before, or together with the first copy.
        """
        total = sum([target.size * stored.itemsize + 16 for _, target, stored in wanted])
        if total <= LITTLE:
            self._fetch_little(wanted, held)
            return
        flying: deque[tuple[Stage, list[_Part]]] = deque()
        try:
            for parts in _loads(wanted):
                if len(flying) == STAGES:
                    self._finish(*flying.popleft())
                flying.append((self._start(parts, held or Recorder(self._gpu)), parts))
                held = None
        finally:
            while flying:
                self._finish(*flying.popleft())

    def _fetch_little(
        self,
        wanted: Sequence[tuple[Array, NDArray[Any], np.dtype[Any]]],
        held: Recorder | None,
    ) -> None:
        """Fetch small results through the staging buffer."""
        places, end = [], 0
        for _, target, stored in wanted:
            places.append((end, target.size * stored.itemsize))
            end += -(-places[-1][1] // 16) * 16
        if not end and held is None:
            return
        stage = self._stage(end)
        with held or Recorder(self._gpu) as commands:
            for (array, _, _), (start, nbytes) in zip(wanted, places, strict=True):
                if nbytes:
                    commands.copy(array.block.raw, 0, stage.raw, start, nbytes)
            submission = commands.submit()
            if end:
                stage.request(end, submission)
        if end:
            view = stage.view(end)
            for (_, target, stored), (start, nbytes) in zip(wanted, places, strict=True):
                np.copyto(target, view[start : start + nbytes].view(stored), casting="unsafe")
            stage.unmap()

    def _start(self, parts: list[_Part], recorder: Recorder) -> Stage:
        nbytes = parts[-1].start + parts[-1].nbytes
        stage = self._stage(nbytes)
        with recorder as commands:
            for part in parts:
                source = part.array.block.raw
                commands.copy(source, part.place, stage.raw, part.start, part.nbytes)
            stage.request(nbytes, commands.submit())
        return stage

    def _finish(self, stage: Stage, parts: list[_Part]) -> None:
        nbytes = parts[-1].start + parts[-1].nbytes
        view = stage.view(nbytes)
        for part in parts:
            data = view[part.start : part.start + part.nbytes].view(part.stored)
            copy(part.target, data)
        stage.unmap()
        if stage is not self._small:
            self._stages.append(stage)

    def _stage(self, nbytes: int) -> Stage:
        if nbytes <= LITTLE:
            if self._small is None:
                self._small = Stage(self._gpu, LITTLE, MAP_READ | COPY_DST)
            self._small.release()
            return self._small
        if self._stages:
            return self._stages.popleft()
        return Stage(self._gpu, PIECE, MAP_READ | COPY_DST)


def _loads(
    wanted: Sequence[tuple[Array, NDArray[Any], np.dtype[Any]]],
) -> Iterator[list[_Part]]:
    """Yield what goes through a staging buffer at a time: several arrays, or a piece."""
    load: list[_Part] = []
    used = 0
    for array, target, stored in wanted:
        first = 0
        while first < target.size:
            count = min(target.size - first, (PIECE - used) // stored.itemsize)
            if count < min(target.size - first, LITTLE // stored.itemsize):
                yield load
                load, used = [], 0
                continue
            nbytes = count * stored.itemsize
            part = _Part(
                array, first * stored.itemsize, used, nbytes, target[first : first + count], stored
            )
            load.append(part)
            used += -(-nbytes // 16) * 16
            first += count
    if load:
        yield load
