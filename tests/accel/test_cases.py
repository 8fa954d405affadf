"""The benchmark cases, unchanged: the same metric with a provider and without, few kernels."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from runmat_bench.cases import PROGRAMS as CASES
from runmat_bench.implementations import metrics, numpy_cases

from runmat_core import Session
from runmat_core.accel.report.explain import explain, kernel_texts
from runmat_core.accel.report.flowchart import mermaid
from runmat_core.accel.report.telemetry import Telemetry
from runmat_core.session import config
from tests.accel.test_evaluation_calls import calls_of

PARAMETERS: dict[str, dict[str, Any]] = {
    "pca": {"n": 300, "d": 48, "k": 4, "source": "lcg"},
    "image4k": {"B": 4, "height": 54, "width": 96, "source": "lcg"},
    "montecarlo": {"M": 5000, "T": 16, "source": "lcg"},
    "nlms": {"p": 16, "C": 64, "T": 20, "source": "lcg"},
    "iir": {"M": 2000, "T": 50, "source": "lcg"},
    "held": {"M": 2000, "T": 50, "source": "lcg"},
    "elementwise": {"n": 20000},
    "ema": {"M": 2000, "T": 40},
}
#: case -> most kernels and library calls; draws take the place of the congruential numbers here.
#: A loop is its first trip, a kernel for those in the middle, and what its last trip fuses with.
KERNELS = {
    "image4k": 3,
    "montecarlo": 3,
    "iir": 3,
    "held": 3,
    "elementwise": 1,
    "ema": 3,
    "nlms": 4,
}

#: case -> most calls of the core's own code in a run of a known program, 3 to 5 % more than on
#: CPython 3.11: what the host does beside the kernels.
CALLS = {
    "pca": 690,
    "image4k": 420,
    "montecarlo": 360,
    "nlms": 590,
    "iir": 345,
    "held": 345,
    "elementwise": 320,
    "ema": 330,
}
#: Calls that some runs make in addition, to free what others left.
FREEING = 40


def session(provider: str, threshold: int = 1000, **more: str) -> Session:
    environment = {
        "RUNMAT_ACCEL_PROVIDER": provider,
        "RUNMAT_ACCEL_THRESHOLD": str(threshold),
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
        "RUNMAT_ACCEL_OFFLOAD_FORCE": "host" if provider == "inprocess" else "auto",
        **more,
    }
    return Session(config=config.load(CASES, environment | {"RUNMAT_ACCEL_PLAN_FILES": "0"}))


def run(made: Session, case: str, cls: str, **changed: Any) -> tuple[float, ...]:
    for name, value in {**PARAMETERS[case], "cls": cls, **changed}.items():
        made[name] = float(value) if isinstance(value, int) else value
    return metrics(made.capture_file(CASES / f"{case}.m"))


def recorded(case: str, **changed: Any) -> Telemetry:
    made = session("inprocess")
    telemetry = made.telemetry
    assert telemetry is not None
    run(made, case, "single", **changed)
    return telemetry


@pytest.mark.parametrize("cls", ["single", "double"])
@pytest.mark.parametrize("case", PARAMETERS)
def test_metric_is_the_same_with_and_without_provider(case: str, cls: str) -> None:
    expected = getattr(numpy_cases, case)(**PARAMETERS[case], cls=cls)
    for provider in ("none", "inprocess", "null"):
        got = run(session(provider), case, cls)
        for a, b in zip(got, expected, strict=True):
            assert math.isclose(a, b, rel_tol=1e-4 if cls == "single" else 1e-8), provider


@pytest.mark.parametrize(("case", "most"), KERNELS.items())
def test_kernels(case: str, most: int) -> None:
    source = {} if case in ("elementwise", "ema") else {"source": "rng"}
    totals = recorded(case, **source).totals()
    assert 1 <= totals["kernels"] <= most
    assert totals["calls"] == 0


@pytest.mark.parametrize("source", ["rng", "lcg"])
@pytest.mark.parametrize("case", ["montecarlo", "iir", "held", "ema", "nlms"])
def test_the_loop_is_one_kernel(case: str, source: str) -> None:
    for provider in ("inprocess", "null"):
        made = session(provider)
        telemetry = made.telemetry
        assert telemetry is not None
        run(made, case, "single", **({} if case == "ema" else {"source": source}))
        (note,) = telemetry.loops
        assert note.trips == PARAMETERS[case]["T"] - 1, note.reason
    labels = [step.label for step in telemetry.runs[-1].steps if step.kind == "kernel"]
    assert sum(label.startswith("loop of ") for label in labels) <= 1


@pytest.mark.parametrize("source", ["rng", "lcg"])
def test_the_loop_of_subspace_iteration_is_repeated(source: str) -> None:
    made = session("null", RUNMAT_ACCEL_OFFLOAD_FORCE="device")
    telemetry = made.telemetry
    assert telemetry is not None
    run(made, "pca", "single", source=source)
    (note,) = telemetry.loops
    assert note.trips == 14, note.reason
    labels = [step.label for run in telemetry.runs for step in run.steps]
    assert labels.count("loop of matmul, qr") == 1
    # the first trip and the last one; before the loop the matrix is small and on the host
    assert labels.count("qr") == 2
    # nothing is brought to the host but the numbers that are printed, and nothing sent twice
    assert telemetry.totals()["download_bytes"] < 1000
    assert telemetry.totals()["by_rules"] == 0


def test_covariance_is_one_product() -> None:
    telemetry = recorded("pca", source="rng")
    (gram,) = [
        step
        for run in telemetry.runs
        for step in run.steps
        if step.kind == "call" and ("ctranspose" in step.label or "syrk" in step.label
                                    or any(line == 10 for _, line in step.lines))
    ]  # fmt: skip
    assert gram.provider.startswith("inprocess")


def test_a_step_of_montecarlo_is_one_kernel_whatever_the_bounds() -> None:
    made = session("inprocess")
    made.run("S = ones(5000, 1, 'single'); wait(gpuDevice)")
    telemetry = made.telemetry
    assert telemetry is not None
    made.run("S = S .* exp(0.1 + 0.2 .* randn(5000, 1, 'single')); wait(gpuDevice)")
    assert telemetry.totals()["kernels"] == 1


@pytest.mark.parametrize("case", PARAMETERS)
def test_explain_tells_every_case(case: str) -> None:
    telemetry = recorded(case)
    path = CASES / f"{case}.m"
    text = explain(telemetry, str(path), path.read_text().splitlines())
    assert text.startswith(f"{case}.m\n")
    assert "in kernel 1" in text
    assert "asks for a value" in text
    assert "inprocess" in text
    assert mermaid(telemetry).startswith('flowchart TD\n    subgraph k1["kernel 1 on')
    assert "store" in kernel_texts(telemetry)


def test_steps_tell_all_lines_of_a_loop_and_what_host_rules_compute() -> None:
    made = session("inprocess", RUNMAT_ACCEL_OFFLOAD_FORCE="auto")
    telemetry = made.telemetry
    assert telemetry is not None
    run(made, "nlms", "single", source="rng")
    steps = [step for one in telemetry.runs for step in one.steps]
    (loop,) = [step for step in steps if step.label.startswith("loop of ")]
    nlms = {line for path, line in loop.lines if path.endswith("nlms.m")}
    assert nlms == {11, 12, 13, 14, 15}
    assert [step.label for step in steps if step.kind == "rules"] == ["mean"]
    # nothing stands by itself, what host rules read included
    drawn = mermaid(telemetry)
    assert [f"    k{k} --> k{k + 1}" in drawn for k in (1, 2, 3)] == [True] * 3


def test_lines_of_two_files_with_one_number_are_drawn_apart(tmp_path: Path) -> None:
    made = session("inprocess")
    telemetry = made.telemetry
    assert telemetry is not None
    for name in ("one", "two"):
        path = tmp_path / f"{name}.m"
        path.write_text("x = rand(90000, 1); disp(sum(exp(x)) > 0)\n")
        made.run_file(path)
    drawn = mermaid(telemetry)
    assert 's1(["one.m:1"])' in drawn
    assert 's2(["two.m:1"])' in drawn


def test_nothing_is_left_on_providers() -> None:
    made = session("null")
    run(made, "nlms", "single")
    engine = made.interp.seat.engine  # type: ignore[union-attr]
    made.run("clear all")
    assert engine.live_handles == 0


@pytest.mark.parametrize("case", CALLS)
def test_what_the_host_does_in_a_known_program(case: str) -> None:
    made = session("null", RUNMAT_ACCEL_OFFLOAD_FORCE="device", RUNMAT_ACCEL_FALLBACK="none")
    source = {} if case in ("elementwise", "ema") else {"source": "rng"}
    for name, value in {**PARAMETERS[case], "cls": "single", **source}.items():
        made[name] = float(value) if isinstance(value, int) else value

    def once() -> None:
        made.run("rng(0)")
        made.capture_file(CASES / f"{case}.m")

    for _ in range(6):
        once()
    counters = made.interp.seat.engine.counters  # type: ignore[union-attr]
    before, ran = counters.passages, counters.runs
    # PCA makes two small arrays in a run: of 32 in a row they would be computed by themselves
    calls = [calls_of(once) for _ in range(20)]
    assert counters.passages - before == 20
    assert counters.runs - ran == 20
    assert sorted(calls)[14] <= CALLS[case]
    assert max(calls) <= CALLS[case] + FREEING
