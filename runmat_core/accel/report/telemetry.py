"""What a session's acceleration did, by one schema: totals, runs, kernels, source lines.

`Telemetry` listens to an engine from the moment it is made. `as_dict` gives the whole as plain data
(the schema is documented in ``docs/telemetry.md``), `chrome_trace` the same on a time line for
``chrome://tracing`` and Perfetto.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import attrs

from runmat_core.accel.devices.records import AtOnceNote, Record
from runmat_core.accel.planning.plan import Placement, PlannedStep
from runmat_core.accel.running.loop_registry import CaptureReport
from runmat_core.api.device import ProviderTelemetry
from runmat_core.api.tuples import NamedTuple

SCHEMA = "runmat-telemetry/1"
#: Runs that are kept one by one; of further ones only the totals grow.
RUNS = 20000


@attrs.define
class Step:
    """A kernel, a library call, or nodes computed by host rules.

    Attributes:
        label: the operations in it.
        kind: ``kernel``, ``call`` or ``rules``.
        target: ``device``, ``host`` or ``rules``, and `provider` by name.
        decision: why there.
        lines: source lines (file, line) of its operations.
        seconds: the run's time, measured; of several steps each has a share by the estimates.
    """

    label: str
    kind: str
    target: str
    provider: str
    decision: Placement
    lines: tuple[tuple[str, int], ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return the record as JSON takes it."""
        return {
            "label": self.label,
            "kind": self.kind,
            "target": self.target,
            "provider": self.provider,
            "reason": self.decision.reason,
            "device_estimate": self.decision.device_seconds,
            "host_estimate": self.decision.host_seconds,
            "lines": [list(line) for line in self.lines],
            "seconds": self.seconds,
        }


@attrs.define
class Run:
    """One evaluation of a sub-graph.

    Attributes:
        start: seconds since recording began.
        sink: the source line that asked for a value.
        plan: ``made``, ``hit`` or ``none``; `plan_seconds` went into that.
        outcome: see `Record`.
    """

    start: float
    seconds: float
    plan_seconds: float
    plan: str
    outcome: str
    sink: tuple[str, int]
    uploaded: int
    downloaded: int
    written: int
    nodes: int
    steps: list[Step]
    record: Record

    def as_dict(self) -> dict[str, Any]:
        """Return the record as JSON takes it."""
        return {
            "start": self.start,
            "seconds": self.seconds,
            "plan_seconds": self.plan_seconds,
            "plan": self.plan,
            "outcome": self.outcome,
            "sink": list(self.sink),
            "upload_bytes": self.uploaded,
            "download_bytes": self.downloaded,
            "written_bytes": self.written,
            "nodes": self.nodes,
            "steps": [step.as_dict() for step in self.steps],
        }


@attrs.define
class Read:
    """Arrays that a line brought from a device which earlier runs had computed there.

    Attributes:
        times: how many arrays.
    """

    file: str
    line: int
    times: int = 0
    download_bytes: int = 0


class Named(NamedTuple):
    """The provider that the configuration names.

    Attributes:
        place: ``device`` or ``host``, as ``accel.offload.force`` calls it.
        refused: why it could not be started; empty where it was.
    """

    name: str
    place: str
    refused: str


@attrs.define
class Sums:
    """Sums over all runs, those that are not kept one by one included."""

    runs: int = 0
    kernels: int = 0
    calls: int = 0
    by_rules: int = 0
    seconds: float = 0.0
    plan_seconds: float = 0.0
    written_bytes: int = 0
    decisions: dict[str, int] = attrs.Factory(dict)

    def add(self, record: Record, steps: Sequence[Step]) -> None:
        """Count the steps of a run."""
        kinds = [step.kind for step in steps]
        for step in steps:
            reason = step.decision.reason
            self.decisions[reason] = self.decisions.get(reason, 0) + 1
        self.runs += 1
        self.kernels += kinds.count("kernel")
        self.calls += kinds.count("call")
        self.by_rules += kinds.count("rules")
        self.seconds += record.seconds
        self.plan_seconds += record.plan_seconds
        self.written_bytes += record.written


class Telemetry:
    """Records what an engine does.

    Args:
        engine: of a session.
        where: gives the source line that is running, for the sinks.
    """

    def __init__(self, engine: Any, where: Any) -> None:
        self._engine = engine
        self._where = where
        self._began = perf_counter()
        self.runs: list[Run] = []
        self.dropped = 0
        self._sums = Sums()
        self._reads: dict[tuple[str, int], Read] = {}
        self._moved = self._engine.places.moved()
        engine.listeners.append(self._add)
        engine.readers.append(self._read)

    def stop(self) -> None:
        """Record nothing more."""
        if self._add in self._engine.listeners:
            self._engine.listeners.remove(self._add)
            self._engine.readers.remove(self._read)

    def clear(self) -> None:
        """Forget the runs so far and start the clock anew."""
        self.runs.clear()
        self.dropped = 0
        self._sums = Sums()
        self._reads.clear()
        self._moved = self._engine.places.moved()
        self._began = perf_counter()

    def _add(self, record: Record) -> None:
        steps = dense_strides(record)
        self._sums.add(record, steps)
        if len(self.runs) >= RUNS:
            self.dropped += 1
            return
        spent = record.seconds + record.plan_seconds
        plan = "none" if record.plan is None else "hit" if record.hit else "made"
        self.runs.append(
            Run(
                start=perf_counter() - self._began - spent,
                seconds=record.seconds,
                plan_seconds=record.plan_seconds,
                plan=plan,
                outcome=record.outcome,
                sink=self._where(),
                uploaded=record.uploaded,
                downloaded=record.downloaded,
                written=record.written,
                nodes=len(record.nodes),
                steps=steps,
                record=record,
            )
        )

    def _read(self, count: int) -> None:
        place = self._where()
        read = self._reads.setdefault(place, Read(*place))
        read.times += 1
        read.download_bytes += count

    # -- reading ----------------------------------------------------------------------------------

    def providers(self) -> dict[str, ProviderTelemetry]:
        """Return the counters of each provider that was started, since its start."""
        for store in self._engine.stores.values():
            store.flush()
        return {name: store.provider.telemetry() for name, store in self._engine.stores.items()}

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data; see ``docs/telemetry.md``."""
        return {
            "schema": SCHEMA,
            "wall_seconds": perf_counter() - self._began,
            "totals": self.totals(),
            "providers": {
                name: _provider(self._engine.stores[name].provider, answer)
                for name, answer in self.providers().items()
            },
            "caches": {
                "plans": self._engine.plan_cache()._asdict(),
                "plan_files": self._engine.plan_files()._asdict(),
            },
            "lines": [line.as_dict() for line in by_line(self.runs)],
            "reads": [attrs.asdict(read) for read in self._reads.values()],
            "loops": [note._asdict() for note in self.loops],
            "at_once": [note._asdict() for note in self.at_once],
            "runs": [run.as_dict() for run in self.runs],
            "runs_not_kept": self.dropped,
        }

    @property
    def named(self) -> Named | None:
        """The provider that the configuration names; None where it leaves the provider open."""
        name = self._engine.config["accel.provider"]
        if name in ("auto", "none"):
            return None
        choice = self._engine.choice
        refused = next((note.reason for note in choice.notes if note.name == name), "")
        return Named(name, "host" if choice.device is None else "device", refused)

    @property
    def loops(self) -> list[CaptureReport]:
        """What came of the last attempt to capture each loop."""
        return list(self._engine.loops.notes.values())

    @property
    def at_once(self) -> list[AtOnceNote]:
        """The lines before which operations run at once, as their evaluations did not pay."""
        return [
            AtOnceNote(file, line, site.operations, site.size, site.limit)
            for site in self._engine.sites.at_once()
            for file, line in (site.line,)
        ]

    def totals(self) -> dict[str, Any]:
        """Return sums over what was recorded, and the counters of providers and of the engine.

        Bytes moved are those of the stores, so that transfers outside of runs count as well.
        """
        uploaded, downloaded = self._engine.places.moved()
        told = self.providers().values()
        counters = vars(self._engine.counters)
        return {
            **attrs.asdict(self._sums),
            "upload_bytes": uploaded - self._moved[0],
            "download_bytes": downloaded - self._moved[1],
            "peak_bytes": sum(answer.peak_bytes for answer in told),
            "compiles": sum(answer.compiles for answer in told),
            "compile_seconds": sum(answer.compile_seconds for answer in told),
            "session": {
                **counters,
                "loops": self._engine.loops.captured,
                "trips": self._engine.loops.trips,
            },
        }

    def write(self, path: str | Path) -> None:
        """Write `as_dict` as JSON."""
        Path(path).write_text(json.dumps(self.as_dict(), indent=1) + "\n", encoding="utf-8")

    def write_chrome_trace(self, path: str | Path) -> None:
        """Write a trace that chrome://tracing and Perfetto open."""
        Path(path).write_text(json.dumps(self.chrome_trace()) + "\n", encoding="utf-8")

    def chrome_trace(self) -> dict[str, Any]:
        """Return the runs on a time line, in the Trace Event Format; times in microseconds."""
        rows = {"plans": 1}
        events: list[dict[str, Any]] = []
        for run in self.runs:
            begin = run.start * 1e6
            if run.plan == "made":
                events.append(_event("plan", "planning", begin, run.plan_seconds * 1e6, 1, {}))
            begin += run.plan_seconds * 1e6
            for step in run.steps:
                row = rows.setdefault(step.provider or "host rules", len(rows) + 1)
                details = {"lines": _places(step.lines), "reason": step.decision.reason}
                length = step.seconds * 1e6
                events.append(_event(step.label, step.kind, begin, length, row, details))
                begin += length
        names = [
            {"name": "thread_name", "ph": "M", "pid": 1, "tid": row, "args": {"name": name}}
            for name, row in rows.items()
        ]
        return {"traceEvents": [*names, *events], "displayTimeUnit": "ms"}


def dense_strides(record: Record) -> list[Step]:
    """Return the steps of a record's plan, each with its share of the time by the estimates."""
    if record.plan is None or record.outcome != "done":
        names = ", ".join(dict.fromkeys(note.name for note in record.nodes)) or "rules"
        lines = tuple(dict.fromkeys(note.line for note in record.nodes))
        decision = Placement("rules", "guard" if record.outcome == "guard" else record.reason)
        return [Step(names, "rules", "rules", "", decision, lines, record.seconds)]
    weights = [_estimate(step.decision) for step in record.plan.steps]
    whole = sum(weights) or 1.0
    return [
        _step(step, record, record.seconds * weight / whole)
        for step, weight in zip(record.plan.steps, weights, strict=True)
    ]


def _step(step: PlannedStep, record: Record, seconds: float) -> Step:
    if step.lowered is None or step.executable is None:
        label = ", ".join(step.names)
        return Step(label, "rules", "rules", "", step.decision, step.lines, seconds)
    kind = "call" if step.group.kind == "call" else "kernel"
    label, owner = step.lowered.label, step.executable.owner
    return Step(label, kind, step.decision.target, owner, step.decision, step.lines, seconds)


def _estimate(decision: Placement) -> float:
    chosen = decision.device_seconds if decision.target == "device" else decision.host_seconds
    return chosen if chosen else 1e-6


@attrs.define
class Line:
    """What happened for one source line.

    Attributes:
        steps: labels of the kernels that its operations are part of, with how often they ran.
        runs: how often a value was asked for here.
        seconds: its share of the time of those kernels.
    """

    file: str
    number: int
    steps: dict[str, int] = attrs.Factory(dict)
    targets: dict[str, int] = attrs.Factory(dict)
    runs: int = 0
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the record as JSON takes it."""
        return {
            "file": self.file,
            "line": self.number,
            "kernels": self.steps,
            "providers": self.targets,
            "asked": self.runs,
            "seconds": self.seconds,
        }


def by_line(runs: Iterable[Run]) -> list[Line]:
    """Return the runs seen from the source: one entry for each line that took part, in order."""
    found: dict[tuple[str, int], Line] = {}

    def line(place: tuple[str, int]) -> Line:
        return found.setdefault(place, Line(*place))

    for run in runs:
        line(run.sink).runs += 1
        for step in run.steps:
            share = step.seconds / (len(step.lines) or 1)
            for place in step.lines:
                entry = line(place)
                entry.steps[step.label] = entry.steps.get(step.label, 0) + 1
                owner = step.provider or "host rules"
                entry.targets[owner] = entry.targets.get(owner, 0) + 1
                entry.seconds += share
    return [found[place] for place in sorted(found)]


def _provider(provider: Any, answer: ProviderTelemetry) -> dict[str, Any]:
    capabilities = provider.capabilities
    return {
        "device": capabilities.name,
        "kind": capabilities.kind,
        "driver": capabilities.driver,
        "threads": capabilities.threads,
        **attrs.asdict(answer),
    }


def _event(
    name: str, kind: str, start: float, length: float, row: int, details: dict[str, Any]
) -> dict[str, Any]:
    return {
        "name": name,
        "cat": kind,
        "ph": "X",
        "ts": round(start, 3),
        "dur": round(length, 3),
        "pid": 1,
        "tid": row,
        "args": details,
    }


def _places(lines: Iterable[tuple[str, int]]) -> list[str]:
    return [f"{file}:{number}" for file, number in lines]
