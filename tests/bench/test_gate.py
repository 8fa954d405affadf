"""The gate: what is worse than the baseline is found, and the baseline holds for this code."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from runmat_bench import gate
from runmat_bench.cases import CASES
from runmat_bench.gate import Baseline
from runmat_bench.implementations import Options
from runmat_bench.records import Record, RecordError
from runmat_bench.runner import Plan, Runner, new_record

from tests.bench.helpers import Here, counts, entry, record

BASELINE = Path(__file__).parents[2] / "benchmarks" / "baselines" / "smoke.json"


def pinned() -> Baseline:
    made = record(entry("numpy", 4.0), entry("runmat", 1.0, counts=counts(3)))
    return gate.baseline_from(made, "runmat", ratios=True)


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    pinned().write(path)
    assert gate.read(path) == pinned()
    path.write_text("{}")
    with pytest.raises(RecordError):
        gate.read(path)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (entry("runmat", 1.0, counts=counts(3)), []),
        (entry("runmat", 0.5, counts=counts(2)), []),
        (entry("runmat", 1.2, counts=counts(3)), []),
        (entry("runmat", 2.0, counts=counts(3)), ["4.00x -> 2.00x of NumPy's speed"]),
        (entry("runmat", 1.0, counts=counts(4)), ["kernels 3 -> 4"]),
        (entry("runmat", 1.0, counts=counts(3, 101)), []),
        (entry("runmat", 1.0, counts=counts(3, 200)), ["written_bytes 100 -> 200"]),
        (
            entry("runmat", 1.0, counts=attrs.evolve(counts(3), refused=2)),
            ["2 kernels refused by the device's own compiler"],
        ),
        (entry("runmat", 1.0), ["kernels are not counted", "calls", "by_rules", "up", "written"]),
        (entry("runmat", 1.0, status="parity", reason="differs"), ["parity: differs"]),
        (entry("runmat", None, status="error", reason="boom"), ["error: boom"]),
        (entry("jax", 1.0), ["not measured"]),
    ],
)
def test_regressions(now: object, said: list[str]) -> None:
    found = list(gate.regressions(pinned(), record(entry("numpy", 4.0), now), ratios=True))  # type: ignore[arg-type]
    assert len(found) == len(said)
    for line, part in zip(found, said, strict=True):
        assert line.startswith("elementwise single rng n=1000: ")
        assert part in line


def test_wrong_results_on_the_same_input_are_regressions() -> None:
    wrong = entry("runmat", 1.0, purpose="proof", status="parity", reason="differs by 1")
    right = entry("runmat", 1.0, counts=counts(3))
    made = record(entry("numpy", 4.0), right, wrong)
    (line,) = gate.regressions(pinned(), made, ratios=True)
    assert "on the same input: parity: differs by 1" in line


def test_speed_is_compared_on_the_same_machine_alone() -> None:
    made = record(entry("numpy", 1.0))
    assert gate.comparable(pinned(), made)
    made.machine = {**made.machine, "processor": "slide rule"}
    assert not gate.comparable(pinned(), made)


def measured(cases: list[str], **settings: str) -> tuple[Baseline, Record]:
    """The committed baseline and what this code does."""
    baseline = gate.read(BASELINE)
    options = Options(settings={**baseline.settings, **settings})
    plan = Plan(
        baseline.profile,
        cases,
        [baseline.implementation],
        ["single", "double"],
        options=options,
        repetitions=1,
        settle=0,
        prove=False,  # tests/accel/test_cases.py does
    )
    made = new_record(plan, "")
    Runner(plan, made, lambda entry: None, start=Here).run()
    return baseline, made


def test_this_code_passes() -> None:
    baseline, made = measured(list(CASES))
    assert list(gate.regressions(baseline, made, ratios=False)) == []
    assert len(baseline.entries) == 2 * len(CASES)


def test_without_fusion_it_does_not() -> None:
    cases = ["elementwise", "montecarlo", "image4k"]
    baseline, made = measured(cases, **{"accel.max_nodes": "1"})
    found = list(gate.regressions(baseline, made, ratios=False))
    for case in cases:
        assert any(line.startswith(f"{case} single") and "kernels" in line for line in found)
        assert not any(line.startswith(case) and "parity" in line for line in found)


def test_without_captured_loops_it_does_not() -> None:
    cases = ["montecarlo", "nlms", "iir"]
    told = {}
    for loops in ("true", "false"):
        # trips that are captured one by one must not fit into one graph
        settings = {"accel.loops": loops, "accel.max_nodes": "24"}
        found = gate.regressions(*measured(cases, **settings), ratios=False)
        told[loops] = [line for line in found if not line.endswith("not measured")]
    assert told["true"] == []
    for case in cases:
        assert any(line.startswith(f"{case} single") for line in told["false"])
    assert not any("parity" in line for line in told["false"])
