"""Array programs: their twins find the same, and the runner tells what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.arrays import __main__ as command
from benchmarks.arrays.cases import CASES, FOLDER, Case, named
from benchmarks.arrays.sides import NumPy, Runmat


def test_every_program_is_a_case_with_twins() -> None:
    found = sorted(path.stem for path in FOLDER.glob("*/*.m"))
    assert found == sorted(case.name for case in CASES) == sorted({case.name for case in CASES})
    assert len(named([], "looked_at")) == len(named([], "held_out")) == 12
    for case in CASES:
        twins = case.twins()
        assert all(hasattr(twins, f"with_{name}") for name in ("numpy", "torch", "jax"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_program_finds_what_numpy_finds(case: Case) -> None:
    expected = NumPy().prepare(case, "test", "double")()
    found = Runmat("none").prepare(case, "test", "double")()
    assert found == pytest.approx(expected, rel=case.tolerance)


def test_the_runner_keeps_times_and_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "record.json"
    words = ["--sides", "runmat-none", "numpy", "--profile", "test", "--only", "diffusion"]
    assert command.main([*words, "--repeats", "1", "--save", str(kept)]) == 0
    record = json.loads(kept.read_text())
    assert record["differences"] == []
    assert set(record["sides"]) == {"runmat-none", "numpy"}
    assert all(side["rows"]["diffusion"]["warm_s"] > 0 for side in record["sides"].values())
    assert "| diffusion |" in capsys.readouterr().out


def test_results_apart_and_ratios_are_told() -> None:
    (case,) = named(["diffusion"])
    sides: dict[str, Any] = {
        "runmat": {"diffusion": {"first_s": 1.0, "warm_s": 0.5, "results": [1.0, 2.0]}},
        "jax": {"diffusion": {"first_s": 2.0, "warm_s": 0.25, "results": [1.0, 2.5]}},
        "numpy": {"diffusion": {"error": "no time left"}},
    }
    (line,) = command.differences([case], sides, "jax")
    assert line.startswith("diffusion: runmat [1.0, 2.0], jax")
    assert command.differences([case], sides, "numpy") == []
    record = {
        "programs": {"diffusion": "looked_at"},
        "sides": {name: {"rows": rows} for name, rows in sides.items()},
    }
    lines = command.table(record)
    assert "| diffusion | 1000.0, 500.0 | 2000.0, 250.0 | -, - | 0.50 |" in lines
    assert lines[-1] == "\nlooked_at: geometric mean 0.50, least 0.50"
