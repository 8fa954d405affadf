"""The device's own clock: the time of each pass, read in bulk and never waited for.

Passes write pairs of time stamps into a set of queries. When a set is full, its contents are copied
where the host can read them, and the other set is used; they are read when that is full, too, or
when somebody asks. Where the device has no clock, nothing is counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_wgpu.device.gpu import COPY_DST, COPY_SRC, MAP_READ, QUERY_RESOLVE, Gpu
from runmat_wgpu.device.recorder import Recorder
from runmat_wgpu.device.stages import Stage

#: Pairs in a set, and how many are left for the passes of one submission at least.
PAIRS, RESERVE = 512, 128


class Clock:
    """Adds up the seconds of passes.

    Attributes:
        seconds: in passes, as far as read.
        labels: label -> seconds, likewise.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self.seconds = 0.0
        self.labels: dict[str, float] = {}
        self._sets: list[_Set] = []
        self._now = 0
        self._there = "timestamp-query" in gpu.features
        self._period = 1e-9

    def begin(self) -> None:
        """Get ready for the passes of one submission."""
        if not self._there:
            return
        if not self._sets:
            self._sets = [_Set(self._gpu), _Set(self._gpu)]
            period = self._gpu.lib.wgpuQueueGetTimestampPeriod(self._gpu.queue)
            self._period = float(period) * 1e-9
        if len(self._sets[self._now].labels) > PAIRS - RESERVE:
            self._sets[self._now].resolve()
            self._now = 1 - self._now
            self._read(self._sets[self._now])

    def pair(self, label: str) -> Any:
        """Where the next pass writes its times, as C takes it; null where there is no room."""
        if not self._sets:
            return self._gpu.ffi.NULL
        now = self._sets[self._now]
        number = len(now.labels)
        if number == PAIRS:
            return self._gpu.ffi.NULL
        now.labels.append(label)
        return now.writes[number]

    def read(self) -> None:
        """Count everything that was submitted so far; waits for it."""
        for one in self._sets:
            if one.labels and not one.resolved:
                one.resolve()
            self._read(one)

    def _read(self, one: _Set) -> None:
        if not one.resolved:
            return
        for label, ticks in one.take():
            self.seconds += ticks * self._period
            self.labels[label] = self.labels.get(label, 0.0) + ticks * self._period


class _Set:
    """A set of queries, and the way of its contents to the host.

    Attributes:
        labels: of the pairs that are taken.
        writes: what C is told of each pair.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        size = PAIRS * 16
        with gpu.checked("a clock"):
            self._queries = gpu.device.create_query_set(type="timestamp", count=2 * PAIRS)
            self._buffer = gpu.device.create_buffer(size=size, usage=QUERY_RESOLVE | COPY_SRC)
            self._stage = Stage(gpu, size, MAP_READ | COPY_DST)
        self.writes = [self._description(k) for k in range(PAIRS)]
        self.labels: list[str] = []
        self.resolved = False

    def _description(self, number: int) -> Any:
        made = self._gpu.ffi.new("WGPUPassTimestampWrites *")
        made.querySet = self._queries._internal
        made.beginningOfPassWriteIndex = 2 * number
        made.endOfPassWriteIndex = 2 * number + 1
        return made

    def resolve(self) -> None:
        """Start to bring the times to the host."""
        size = len(self.labels) * 16
        with Recorder(self._gpu) as commands:
            commands.resolve(self._queries._internal, 2 * len(self.labels), self._buffer._internal)
            commands.copy(self._buffer._internal, 0, self._stage.raw, 0, size)
            self._stage.request(size, commands.submit())
        self.resolved = True

    def take(self) -> list[tuple[str, int]]:
        """Return the ticks of each pass, by label; empties the set."""
        stamps = self._stage.view(len(self.labels) * 16).view(np.uint64).reshape(-1, 2)
        # a clock that was reset in between tells nonsense
        spent = [int(end) - int(start) if end > start else 0 for start, end in stamps]
        told = list(zip(self.labels, spent, strict=True))
        self._stage.unmap()
        self.labels, self.resolved = [], False
        return told
