"""Commands on their way to the queue: passes, copies, clears, then one submission."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from runmat_wgpu.device.gpu import Gpu

#: A dispatch, bound: pipeline, group 0, group 1 (the bytes of words that are immediates), and the
#: grid. Beside it goes a pointer to its dynamic offset, or to its immediates.
Bound = tuple[Any, Any, Any, int, int, int]


class PassClock(Protocol):
    """The clock of passes; see `runmat_wgpu.device.clock.Clock`."""

    def begin(self) -> None:
        """Get ready for the passes of one submission."""

    def pair(self, label: str) -> Any:
        """Return where the next pass writes its times, as C takes it."""


class Recorder:
    """An encoder, used as a context; what is not submitted or held in it is dropped.

    One that is held is a context once more, and must be.

    Args:
        clock: measures the time of passes; None for commands that are no kernels.
        label: of what the passes run.
    """

    def __init__(self, gpu: Gpu, clock: PassClock | None = None, label: str = "") -> None:
        if gpu.lost:
            gpu.check()
        self._gpu = gpu
        self._lib = gpu.lib
        self._clock = clock
        self._label = label
        self._pass: Any = None
        self._encoder: Any = None
        self._held = False

    def __enter__(self) -> Recorder:
        gpu = self._gpu
        if self._clock is not None and self._encoder is None:
            self._clock.begin()
        gpu.commands.__enter__()
        if self._encoder is None:
            self._encoder = self._lib.wgpuDeviceCreateCommandEncoder(gpu.raw, gpu.encoder)
        return self

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        try:
            if self._pass is not None:
                self._end()
            if not self._held or problem is not None:
                self._lib.wgpuCommandEncoderRelease(self._encoder)
                self._encoder = None
        finally:
            self._held = False
            self._gpu.commands.__exit__(kind, problem, trace)

    def hold(self) -> None:
        """Keep what was recorded when this context ends: more is to follow in the next one."""
        self._held = True

    def copy(self, source: Any, start: int, target: Any, place: int, nbytes: int) -> None:
        """Copy bytes between buffers (as C sees them); all numbers are multiples of 4."""
        self._end()
        self._lib.wgpuCommandEncoderCopyBufferToBuffer(
            self._encoder, source, start, target, place, nbytes
        )

    def clear(self, buffer: Any, nbytes: int) -> None:
        """Set bytes from the start of a buffer to zero."""
        self._end()
        self._lib.wgpuCommandEncoderClearBuffer(self._encoder, buffer, 0, nbytes)

    def resolve(self, queries: Any, count: int, buffer: Any) -> None:
        """Write the first queries of a set to the start of a buffer."""
        self._end()
        self._lib.wgpuCommandEncoderResolveQuerySet(self._encoder, queries, 0, count, buffer, 0)

    def dispatches(self, entries: Iterable[Bound], places: Iterable[Any]) -> None:
        """Run dispatches one after another; each sees what those before it wrote.

        Args:
            places: of the words of each; what is left of these is not looked at.
        """
        work = self._pass or self._begin()
        lib = self._lib
        set_pipeline = lib.wgpuComputePassEncoderSetPipeline
        set_group = lib.wgpuComputePassEncoderSetBindGroup
        dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
        immediates = lib.wgpuComputePassEncoderSetImmediates
        null = self._gpu.ffi.NULL
        last_pipeline = last_group = last_place = None
        for (pipeline, group, words, x, y, z), place in zip(entries, places, strict=False):
            if pipeline is not last_pipeline:
                set_pipeline(work, pipeline)
                last_pipeline, last_place = pipeline, None
            if group is not last_group:
                set_group(work, 0, group, 0, null)
                last_group = group
            if place is not last_place:
                if words.__class__ is int:
                    immediates(work, 0, place, words)
                else:
                    set_group(work, 1, words, 1, place)
                last_place = place
            dispatch(work, x, y, z)

    def profiled(
        self, entries: Iterable[Bound], places: Iterable[Any], labels: Iterable[str]
    ) -> None:
        """Record dispatches, each with its own time."""
        clock = self._clock
        for entry, place, label in zip(entries, places, labels, strict=False):
            self._end()
            if clock is not None:
                self._label = label
            self.dispatches((entry,), (place,))

    def submit(self) -> int:
        """Hand everything to the queue; the number of the submission."""
        self._end()
        return self._gpu.submit(self._encoder)

    def _begin(self) -> Any:
        description, clock = self._gpu.compute_pass, self._clock
        null = self._gpu.ffi.NULL
        description.timestampWrites = null if clock is None else clock.pair(self._label)
        self._pass = self._lib.wgpuCommandEncoderBeginComputePass(self._encoder, description)
        return self._pass

    def _end(self) -> None:
        if self._pass is not None:
            self._lib.wgpuComputePassEncoderEnd(self._pass)
            self._lib.wgpuComputePassEncoderRelease(self._pass)
            self._pass = None
