"""Records: what is written is read again, as the documentation says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import attrs
import pytest
from runmat_bench import records
from runmat_bench.records import Counts, Entry, Parity, Process, Timing

from tests.bench.helpers import entry, record

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    decision = {"label": "sin", "provider": "wgpu", "reason": "cost", "count": 2}
    full = entry(
        "runmat",
        0.5,
        counts=Counts(kernels=1, kernel_seconds=0.25, decisions=(decision,)),
        parity=Parity(True, 1e-7, 1e-4, "numpy double", (2.0, 3.0)),
        metric=(2.0, 3.0),
    )
    failed = entry("torch", None, status="error", reason="out of memory", metric=())
    whole = Process("iir", "numpy", "single", {"M": 1, "T": 2}, "ok", "", 2.0, (1.0, 3.0))
    made = record(full, failed, processes=[whole])
    path = tmp_path / "folder" / "record.json"
    made.write(path)
    assert records.read(path) == made
    assert [one.name for one in path.parent.iterdir()] == ["record.json"]


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for text in ("", "[]", '{"schema": "runmat-bench/0"}'):
        path.write_text(text)
        with pytest.raises(records.RecordError):
            records.read(path)
    with pytest.raises(records.RecordError, match=r"gone\.json"):
        records.read(tmp_path / "gone.json")


def test_every_field_is_documented() -> None:
    documented = set(re.findall(r"`(\w+)`", DOCUMENT.read_text()))
    data = json.loads(json.dumps(record(entry("numpy", 1.0)).as_dict()))
    fields = {*data, *data["entries"][0], *data["entries"][0]["seconds"]}
    for cls in (Counts, Parity, Process):
        fields |= {field.name for field in attrs.fields(cls)}
    assert fields - documented == set()
    assert set(records.STATUSES) - documented == set()


def test_median_and_spread() -> None:
    timing = Timing((4.0, 1.0, 3.0, 2.0, 100.0), first=9.0)
    assert timing.median == 3.0
    assert timing.spread == pytest.approx((4.0 - 2.0) / 3.0)
    assert records.quantile((1.0, 2.0), 0.5) == 1.5


def test_only_right_results_have_seconds() -> None:
    assert entry("torch", 1.0).seconds == 1.0
    assert entry("torch", 1.0, status="parity").seconds is None
    assert isinstance(entry("torch", None, status="missing"), Entry)
