"""The gate: a record, or a run of now, against a baseline that is kept with the code.

Counts (kernels, library calls, host rules, bytes) must not grow, no kernel may be refused by the
compiler of a device, results must agree, and speed-ups over NumPy on the same machine must not fall
by more than the baseline's tolerance. Counts depend on the provider and on the settings that the
baseline names, not on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from runmat_bench import summary
from runmat_bench.records import Entry, Record, RecordError
from runmat_bench.tables import factor

SCHEMA = "runmat-bench-baseline/1"

#: Counts that must not grow, and the part by which they may all the same.
COUNTED: Mapping[str, float] = {
    "kernels": 0.0,
    "calls": 0.0,
    "by_rules": 0.0,
    "upload_bytes": 0.02,
    "download_bytes": 0.02,
    "written_bytes": 0.02,
}
#: Speed-ups over NumPy may be this part lower: medians on a shared machine vary so much.
RATIO_TOLERANCE = 0.3


@attrs.frozen
class Baseline:
    """What is pinned.

    Attributes:
        implementation: whose entries: ``runmat`` or ``runmat-PROVIDER``.
        profile, settings: of the run that they are from; the gate runs the same.
        machine: whose speed-ups they are.
        entries: by place as text: counts and ``ratio``, the speed-up over NumPy, if it was timed.
    """

    implementation: str
    profile: str
    settings: Mapping[str, str]
    machine: str
    entries: Mapping[str, Mapping[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        return {"schema": SCHEMA, **attrs.asdict(self, recurse=False)}

    def write(self, path: str | Path) -> None:
        text = json.dumps(self.as_dict(), indent=1) + "\n"
        Path(path).write_text(text, encoding="utf-8")


def read(path: str | Path) -> Baseline:
    """A baseline from its file.

    Raises:
        RecordError: the file cannot be read, or is something else.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise RecordError(f"{path}: {problem}") from None
    if not isinstance(data, dict) or data.pop("schema", None) != SCHEMA:
        raise RecordError(f"{path} is no baseline of schema {SCHEMA}")
    return Baseline(**data)


def name_of(entry: Entry) -> str:
    """The place of an entry as text: ``case class sizes``."""
    sizes = " ".join(f"{name}={size}" for name, size in entry.sizes.items())
    return f"{entry.case} {entry.cls} {entry.source} {sizes}"


def baseline_from(record: Record, implementation: str, ratios: bool) -> Baseline:
    """Pin what a record holds.

    Args:
        ratios: whether speed-ups are pinned, too: they hold on this machine alone.
    """
    entries: dict[str, dict[str, Any]] = {}
    for row in summary.timed_rows(record):
        entry = row.entries.get(implementation)
        if entry is None or entry.status != "ok":
            continue
        pinned: dict[str, Any] = {
            name: value for name in COUNTED if (value := getattr(entry.counts, name)) is not None
        }
        ratio = row.speedup(implementation, "numpy")
        if ratios and ratio is not None:
            pinned["ratio"] = round(ratio, 3)
        entries[name_of(entry)] = pinned
    settings = {key: value for key, value in record.settings.items() if key != "device"}
    machine = str(record.machine.get("processor", "")) if ratios else ""
    return Baseline(implementation, record.profile, settings, machine, entries)


def regressions(baseline: Baseline, record: Record, ratios: bool) -> Iterator[str]:
    """What is worse than the baseline, one line each.

    Args:
        ratios: whether speed-ups are compared, too.
    """
    name = baseline.implementation
    rows = {name_of(next(iter(row.entries.values()))): row for row in summary.timed_rows(record)}
    for place, pinned in baseline.entries.items():
        entry = rows[place].entries.get(name) if place in rows else None
        if entry is None:
            yield f"{place}: not measured"
            continue
        if entry.status != "ok":
            yield f"{place}: {entry.status}: {entry.reason}"
            continue
        yield from grown(place, pinned, entry)
        ratio = rows[place].speedup(name, "numpy")
        if ratios and "ratio" in pinned:
            yield from slower(place, pinned["ratio"], ratio)
    for entry in record.entries:
        if entry.purpose == "proof" and entry.implementation == name and entry.status != "ok":
            yield f"{name_of(entry)}: on the same input: {entry.status}: {entry.reason}"


def grown(place: str, pinned: Mapping[str, Any], entry: Entry) -> Iterator[str]:
    """Counts above what is pinned, and refused kernels, which nothing pins."""
    if entry.counts.refused:
        yield f"{place}: {entry.counts.refused} kernels refused by the device's own compiler"
    for count, slack in COUNTED.items():
        if count not in pinned:
            continue
        now = getattr(entry.counts, count)
        if now is None:
            yield f"{place}: {count} are not counted any more"
        elif now > pinned[count] * (1 + slack):
            yield f"{place}: {count} {pinned[count]} -> {now}"


def slower(place: str, pinned: float, now: float | None) -> Iterator[str]:
    if now is None:
        yield f"{place}: NumPy's time is missing"
    elif now < pinned * (1 - RATIO_TOLERANCE):
        yield f"{place}: {factor(pinned)} -> {factor(now)} of NumPy's speed"


def comparable(baseline: Baseline, record: Record) -> bool:
    """Whether the speed-ups of both are of the same kind of machine."""
    return bool(baseline.machine) and baseline.machine == record.machine.get("processor")
