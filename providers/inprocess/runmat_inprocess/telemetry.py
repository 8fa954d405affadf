"""Counters of a provider."""

from __future__ import annotations

import attrs

from runmat_core.api.device import ProviderTelemetry
from runmat_inprocess.memory import Memory

#: How many labels the telemetry tells of, and how many are counted apart.
SHOWN, COUNTED = 20, 1000


@attrs.define
class Counters:
    """What happened since they were last reset."""

    kernel_seconds: float = 0.0
    launches: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    compiles: int = 0
    compile_seconds: float = 0.0
    reused: int = 0
    kernels: dict[str, list[float]] = attrs.Factory(dict)

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
