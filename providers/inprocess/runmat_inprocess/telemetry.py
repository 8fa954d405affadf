"""Counters of a provider."""

from __future__ import annotations

from runmat_core.api.device import ProviderTelemetry
from runmat_inprocess.memory import Memory

#: How many labels the telemetry tells of, and how many are counted apart.
SHOWN, COUNTED = 20, 1000


class Counters:
    """What happened since they were last reset."""

    __slots__ = (
        "bytes_read",
        "bytes_written",
        "compile_seconds",
        "compiles",
        "kernel_seconds",
        "kernels",
        "launches",
        "reused",
    )

    def __init__(self, reused: int = 0) -> None:
        self.kernel_seconds = 0.0
        self.launches = 0
        self.bytes_read = 0
        self.bytes_written = 0
        self.compiles = 0
        self.compile_seconds = 0.0
        self.reused = reused
        self.kernels: dict[str, list[float]] = {}

    def launch(self, label: str, seconds: float, read: int, written: int) -> None:
        """Count a launch."""
        self.launches += 1
        self.kernel_seconds += seconds
        self.bytes_read += read
        self.bytes_written += written
        entry = self.kernels.get(label)
        if entry is None:
            if len(self.kernels) >= COUNTED:
                return
            entry = self.kernels[label] = [0, 0.0]
        entry[0] += 1
        entry[1] += seconds

    def told(self, memory: Memory) -> ProviderTelemetry:
        """As the hook answers."""
        costly = sorted(self.kernels.items(), key=lambda item: -item[1][1])[:SHOWN]
        usage = memory.usage
        return ProviderTelemetry(
            kernel_seconds=self.kernel_seconds,
            launches=self.launches,
            bytes_read=self.bytes_read,
            bytes_written=self.bytes_written,
            peak_bytes=usage.peak_bytes,
            live_bytes=usage.live_bytes,
            live_arrays=usage.live_arrays,
            compiles=self.compiles,
            compile_seconds=self.compile_seconds,
            kernels=tuple((label, int(n), seconds) for label, (n, seconds) in costly),
            counters=(("memory_reused", float(memory.reused - self.reused)),),
        )
