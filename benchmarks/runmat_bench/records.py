"""What a run of the benchmark writes down, by one schema (``docs/benchmarks.md``)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

SCHEMA = "runmat-bench/1"

#: ok; parity: the result differs; error, timeout: it failed; skipped: it was not tried, and why;
#: missing: the implementation is not installed.
STATUSES = ("ok", "parity", "error", "timeout", "skipped", "missing")


#: case, class, source, purpose and sizes of an entry
Place = tuple[str, str, str, str, tuple[tuple[str, int], ...]]

ENTRY_TEXTS = ("case", "implementation", "cls", "source", "purpose", "status", "reason")


class RecordError(Exception):
    """A file that is no record of this schema."""


@attrs.frozen
class Timing:
    """Seconds of warmed runs in one process.

    Attributes:
        times: of each repetition, in order.
        first: to the first result, preparing, compiling and calibrating included.
    """

    times: tuple[float, ...]
    first: float

    @property
    def repetitions(self) -> int:
        return len(self.times)

    @property
    def median(self) -> float:
        return quantile(self.times, 0.5)

    @property
    def spread(self) -> float:
        """Distance of the quartiles relative to the median."""
        return (quantile(self.times, 0.75) - quantile(self.times, 0.25)) / self.median

    def as_dict(self) -> dict[str, Any]:
        return {
            "median": self.median,
            "spread": self.spread,
            "least": min(self.times),
            "most": max(self.times),
            "repetitions": self.repetitions,
            "first": self.first,
            "times": list(self.times),
        }


def quantile(values: tuple[float, ...], part: float) -> float:
    """With linear interpolation between the two nearest."""
    ordered = sorted(values)
    position = part * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


@attrs.frozen
class Counts:
    """What one warmed run did; None is unknown.

    Attributes:
        kernels, calls, by_rules: kernels, library calls, and steps computed by host rules.
        kernel_seconds: by the device's own clock where it has one.
        upload_bytes, download_bytes: between host and device.
        written_bytes: by kernels.
        peak_device_bytes: most memory of the device held so far.
        peak_host_bytes: most memory held by the process in this entry.
        plan_hits, plans_made: of the plan cache.
        compiles, compile_seconds: of kernels.
        refused: kernels that the device's own compiler did not take since the session began.
        decisions: what ran where and why (docs/telemetry.md).
    """

    kernels: int | None = None
    calls: int | None = None
    by_rules: int | None = None
    kernel_seconds: float | None = None
    upload_bytes: int | None = None
    download_bytes: int | None = None
    written_bytes: int | None = None
    peak_device_bytes: int | None = None
    peak_host_bytes: int | None = None
    plan_hits: int | None = None
    plans_made: int | None = None
    compiles: int | None = None
    compile_seconds: float | None = None
    refused: int | None = None
    decisions: tuple[Mapping[str, Any], ...] = ()


@attrs.frozen
class Parity:
    """Whether results agree.

    Attributes:
        ok: None where there was nothing to compare with.
        error: greatest relative difference over the metrics and repetitions.
        tolerance: what it may be.
        against: where the expected metric is from, and `expected` itself.
    """

    ok: bool | None
    error: float | None = None
    tolerance: float = 0.0
    against: str = ""
    expected: tuple[float, ...] = ()


@attrs.frozen
class Entry:
    """One implementation on one case, precision and size.

    Attributes:
        source: of random numbers: ``rng`` or ``lcg``.
        purpose: ``time``, or ``proof``: results compared on the same input, in few runs.
        status: one of `STATUSES`; `reason` tells more where it is not ``ok``.
        metric: of the last run.
    """

    case: str
    implementation: str
    cls: str
    source: str
    sizes: Mapping[str, int]
    status: str
    purpose: str = "time"
    reason: str = ""
    timing: Timing | None = None
    metric: tuple[float, ...] = ()
    parity: Parity = Parity(None)
    counts: Counts = Counts()

    @property
    def seconds(self) -> float | None:
        """The median where the result is right."""
        return self.timing.median if self.timing is not None and self.status == "ok" else None

    @property
    def place(self) -> Place:
        """What implementations are compared at."""
        return self.case, self.cls, self.source, self.purpose, tuple(sorted(self.sizes.items()))

    def as_dict(self) -> dict[str, Any]:
        return {
            **{field: getattr(self, field) for field in ENTRY_TEXTS},
            "sizes": dict(self.sizes),
            "seconds": None if self.timing is None else self.timing.as_dict(),
            "metric": list(self.metric),
            "parity": attrs.asdict(self.parity),
            "counts": attrs.asdict(self.counts),
        }


def entry_from(data: Mapping[str, Any]) -> Entry:
    """The inverse of `Entry.as_dict`."""
    seconds = data["seconds"]
    counts = {**data["counts"], "decisions": tuple(data["counts"]["decisions"])}
    parity = {**data["parity"], "expected": tuple(data["parity"]["expected"])}
    return Entry(
        **{name: data[name] for name in (*ENTRY_TEXTS, "sizes")},
        timing=None if seconds is None else Timing(tuple(seconds["times"]), seconds["first"]),
        metric=tuple(data["metric"]),
        parity=Parity(**parity),
        counts=Counts(**counts),
    )


@attrs.frozen
class Process:
    """A whole process, from its start to its exit; never mixed with times inside one.

    Attributes:
        first: seconds of the first run; `times` of those after it, with what caches keep.
    """

    case: str
    implementation: str
    cls: str
    sizes: Mapping[str, int]
    status: str
    reason: str = ""
    first: float | None = None
    times: tuple[float, ...] = ()

    @property
    def median(self) -> float | None:
        return quantile(self.times, 0.5) if self.times else None


@attrs.define
class Record:
    """A whole run.

    Attributes:
        implementations: by name what `Implementation.describe` tells, with ``status`` ``ok``,
            ``missing`` or ``error`` and its ``reason``.
    """

    date: str
    command: str
    profile: str
    machine: Mapping[str, Any]
    versions: Mapping[str, str]
    settings: Mapping[str, str]
    implementations: dict[str, dict[str, Any]] = attrs.Factory(dict)
    entries: list[Entry] = attrs.Factory(list)
    processes: list[Process] = attrs.Factory(list)

    def as_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            **{
                name: getattr(self, name)
                for name in ("date", "command", "profile", "machine", "versions", "settings")
            },
            "implementations": self.implementations,
            "entries": [entry.as_dict() for entry in self.entries],
            "processes": [
                {**attrs.asdict(process), "median": process.median} for process in self.processes
            ],
        }

    def write(self, path: str | Path) -> None:
        """Write it as a whole or not at all, so that a run that is cut off leaves what it has."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(target.name + ".part")
        draft.write_text(json.dumps(self.as_dict(), indent=1) + "\n", encoding="utf-8")
        os.replace(draft, target)


def read(path: str | Path) -> Record:
    """A record from its file.

    Raises:
        RecordError: the file cannot be read, or is something else.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise RecordError(f"{path}: {problem}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise RecordError(f"{path} is no record of schema {SCHEMA}")
    processes = [
        Process(**{k: v for k, v in {**one, "times": tuple(one["times"])}.items() if k != "median"})
        for one in data["processes"]
    ]
    return Record(
        **{
            name: data[name]
            for name in ("date", "command", "profile", "machine", "versions", "settings")
        },
        implementations=data["implementations"],
        entries=[entry_from(entry) for entry in data["entries"]],
        processes=processes,
    )
