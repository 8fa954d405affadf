"""Counters of the provider."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from runmat_core.api.device import ProviderTelemetry

#: How many labels the telemetry tells of, and how many are counted apart.
SHOWN, COUNTED = 20, 1000

#: Launches, bytes read and written, and (label, launches) of a row.
Tally = tuple[int, int, int, tuple[tuple[str, int], ...]]


@attrs.define
class Counters:
    """What happened since they were last reset; times and caches are counted where they are.

    Attributes:
        labels: launches of each label.
        refused: why shaders are not valid, by the names of kernels.
    """

    launches: int = 0
    dispatches: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    uploaded: int = 0
    downloaded: int = 0
    compiles: int = 0
    declined: int = 0
    invalid: int = 0
    compile_seconds: float = 0.0
    labels: dict[str, int] = attrs.Factory(dict)
    refused: dict[str, str] = attrs.Factory(dict)

    def ran(self, tally: Tally, dispatches: int, times: int = 1) -> None:
        """Count a row that ran so many times, with so many dispatches in all."""
        launches, read, written, labels = tally
        self.launches += launches * times
        self.dispatches += dispatches
        self.bytes_read += read * times
        self.bytes_written += written * times
        for label, count in labels:
            if label in self.labels:
                self.labels[label] += count * times
            elif len(self.labels) < COUNTED:
                self.labels[label] = count * times

    def refuse(self, name: str, why: str) -> None:
        """Count a shader that is not valid."""
        self.invalid += 1
        if len(self.refused) < SHOWN:
            self.refused.setdefault(name, why)

    def told(
        self,
        seconds: float,
        by_label: Mapping[str, float],
        memory: tuple[int, int, int],
        further: Mapping[str, float],
        sources: Mapping[str, str],
    ) -> ProviderTelemetry:
        """As the hook answers.

        Args:
            seconds: in kernels.
            by_label: of those that ran alone in their pass.
            memory: peak bytes, live bytes, live arrays.
            further: counters of caches and the queue.
            sources: WGSL of the kernels that were compiled, by label.
        """
        costly = sorted(self.labels, key=lambda label: -by_label.get(label, 0.0))[:SHOWN]
        counters = {"dispatches": self.dispatches, "declined": self.declined, **further}
        counters["invalid_shaders"] = self.invalid
        peak, live, arrays = memory
        return ProviderTelemetry(
            kernel_seconds=seconds,
            launches=self.launches,
            bytes_read=self.bytes_read,
            bytes_written=self.bytes_written,
            upload_bytes=self.uploaded,
            download_bytes=self.downloaded,
            peak_bytes=peak,
            live_bytes=live,
            live_arrays=arrays,
            compiles=self.compiles,
            compile_seconds=self.compile_seconds,
            kernels=tuple((k, self.labels[k], by_label.get(k, 0.0)) for k in costly),
            refused=tuple(self.refused.items()),
            configurations=tuple((k, configuration(source)) for k, source in sources.items()),
            counters=tuple((name, float(value)) for name, value in sorted(counters.items())),
        )


def configuration(source: str) -> str:
    """Return what a shader says of how it runs: workgroup, vectors in bindings, shared memory."""
    size = re.search(r"@workgroup_size\(([^)]*)\)", source)
    parts = [f"workgroup {size.group(1).replace(' ', '')}"] if size else []
    widths = re.findall(r"var<storage[^>]*>[^;]*?array<vec([234])<", source)
    if widths:
        parts.append(f"vectors of {max(widths)}")
    shared = re.findall(r"var<workgroup> *\w+ *: *array<([^;]*), *(\w+)>;", source)
    if shared:
        parts.append("tile " + " + ".join(f"{count} {kind}" for kind, count in shared))
    return ", ".join(parts)
