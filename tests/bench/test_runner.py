"""Running a plan: nothing is dropped, whatever the implementations do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from runmat_bench import cli, records, runner
from runmat_bench.cases import CASES, PROFILES, proof_sizes
from runmat_bench.implementations import Options, known, missing
from runmat_bench.parity import difference
from runmat_bench.processes import Worker, WorkerGoneError
from runmat_bench.records import Entry, Record
from runmat_bench.runner import Plan, Runner, new_record
from runmat_bench.timing import measure

from tests.bench.helpers import Here

Answer = Callable[[str, Mapping[str, Any]], dict[str, Any]]

DRAWING = [case for case in CASES.values() if case.draws]


def answered(result: float = 2.0, seconds: float = 0.01, **more: Any) -> dict[str, Any]:
    times = [seconds] * 7
    return {
        "first": seconds,
        "times": times,
        "results": [[result]],
        "counts": {},
        "uncounted": "",
        **more,
    }


class Scripted:
    """A worker whose answers are a function of its name and the job."""

    started: list[str]

    def __init__(self, name: str, answer: Answer) -> None:
        self.name, self.answer = name, answer

    def ask(self, job: Mapping[str, Any], patience: float) -> dict[str, Any]:
        if job["do"] == "describe":
            return {"description": {"version": "1", "device": "none"}}
        return self.answer(self.name, job)

    def close(self) -> None:
        pass


def ran(answer: Answer, names: list[str], case: str = "elementwise", **more: Any) -> Record:
    plan = Plan(more.pop("profile", "small"), [case], names, ["single"], **more)
    made = new_record(plan, "")
    Runner(plan, made, lambda entry: None, start=lambda name, *_: Scripted(name, answer)).run()
    return made


def of(made: Record, name: str) -> list[Entry]:
    return [entry for entry in made.entries if entry.implementation == name]


@pytest.fixture(autouse=True)
def everything_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "missing", lambda name: "")


def test_a_wrong_result_shows_as_such() -> None:
    made = ran(lambda name, job: answered(2.5 if name == "jax" else 2.0), ["jax", "torch"])
    assert {entry.status for entry in of(made, "torch")} == {"ok"}
    wrong = of(made, "jax")
    assert {entry.status for entry in wrong} == {"parity"}
    assert "differs by 0.25 from numpy single" in wrong[0].reason
    assert wrong[0].timing is not None
    assert wrong[0].seconds is None


def test_one_wrong_repetition_is_enough() -> None:
    def answer(name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        return answered(results=[[2.0], [float("nan")], [2.0]] if name == "jax" else [[2.0]])

    assert {entry.status for entry in of(ran(answer, ["jax"]), "jax")} == {"parity"}


def test_what_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "missing", lambda name: "pip install jax" * (name == "jax"))
    made = ran(lambda name, job: answered(), ["jax"])
    assert made.implementations["jax"] == {"status": "missing", "reason": "pip install jax"}
    assert {(entry.status, entry.reason) for entry in of(made, "jax")} == {
        ("missing", "pip install jax")
    }
    assert len(of(made, "jax")) == len(of(made, "numpy"))


def test_a_worker_that_dies_is_started_again_for_the_rest() -> None:
    def answer(name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        if name == "torch" and job["parameters"]["n"] == 1_000_000:
            raise WorkerGoneError("error", "the process ended with -9")
        return answered()

    statuses = [entry.status for entry in of(ran(answer, ["torch"]), "torch")]
    assert statuses == ["ok", "error", "ok"]


def test_larger_sizes_than_one_that_hung_are_not_tried() -> None:
    def answer(name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        if name == "torch":
            raise WorkerGoneError("timeout", "no answer within 9 s")
        return answered()

    found = of(ran(answer, ["torch"]), "torch")
    assert [entry.status for entry in found] == ["timeout", "skipped", "skipped"]
    assert found[1].reason == "a smaller size took too long"


def test_what_would_take_too_long_is_told() -> None:
    def answer(name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        return answered(seconds=1e-6 * job["parameters"]["n"])

    found = of(ran(answer, [], limit=2.0), "numpy")
    assert [entry.status for entry in found] == ["ok", "ok", "skipped"]
    assert found[2].reason == "would take about 4 s a run"


def test_what_would_not_fit_is_told() -> None:
    found = of(ran(lambda name, job: answered(), [], memory=40_000_000), "numpy")
    assert [entry.status for entry in found] == ["ok", "ok", "skipped"]
    assert found[2].reason.startswith("needs about 0")


def test_without_numpy_the_others_are_compared_with_each_other() -> None:
    values = {"torch": 2.0, "jax": 2.0000001, "octave": 3.0}

    def answer(name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        return {"error": "no"} if name == "numpy" else answered(values[name])

    made = ran(answer, list(values), profile="smoke")
    assert {entry.implementation: entry.status for entry in made.entries} == {
        "numpy": "error",
        "torch": "ok",
        "jax": "ok",
        "octave": "parity",
    }


def test_resuming_measures_what_is_not_there() -> None:
    first = ran(lambda name, job: answered(), ["jax"])
    first.entries = [e for e in first.entries if e.implementation == "numpy"]
    asked = []

    def answer(name: str, job: Mapping[str, Any]) -> dict[str, Any]:
        asked.append(name)
        return answered()

    plan = Plan("small", ["elementwise"], ["jax"], ["single"])
    Runner(plan, first, lambda e: None, start=lambda name, *_: Scripted(name, answer)).run()
    assert set(asked) == {"jax"}
    assert len(first.entries) == 6


def test_implementations_agree_on_the_same_input() -> None:
    """The runner with real implementations: NumPy and runmat without a provider."""
    cases = ["iir"]
    plan = Plan("smoke", cases, ["runmat-none"], ["single", "double"], repetitions=1, settle=0)
    made = new_record(plan, "")
    Runner(plan, made, lambda entry: None, start=Here).run()
    proofs = [entry for entry in of(made, "runmat-none") if entry.purpose == "proof"]
    assert len(proofs) == 2
    for entry in proofs:
        assert entry.status == "ok"
        assert entry.parity.error is not None
        assert entry.parity.error < 1e-5


@pytest.mark.parametrize(
    "case", [case for case in CASES.values() if case.draws], ids=lambda case: case.name
)
def test_results_on_the_same_input_prove_something(case: Any) -> None:
    """A metric of zero would be right whatever was computed."""
    for profile in ("smoke", "small"):
        sizes = proof_sizes(case, profile)
        result = Here("numpy", Options(), 0).implementation.prepare(
            case.name, {**sizes, "cls": "single", "source": "lcg"}
        )()
        assert all(abs(value) > 1e-3 for value in result)
        assert case.elements(sizes) >= 40_000


def test_a_result_of_zero_proves_nothing() -> None:
    made = ran(lambda name, job: answered(0.0), ["jax"])
    assert {entry.parity.ok for entry in made.entries} == {None}


def test_a_worker_is_a_process_that_tells_what_went_wrong() -> None:
    with Worker("numpy", Options()) as worker:
        told = worker.ask({"do": "describe"}, 60)
        assert "version" in told["description"]
        job = {"do": "measure", "case": "elementwise", "repetitions": 2, "limit": 5, "settle": 0}
        good = {**job, "parameters": {"n": 100, "cls": "single"}, "counts": True}
        assert len(worker.ask(good, 60)["times"]) >= 2
        assert "unexpected" in worker.ask({**good, "parameters": {"m": 1}}, 60)["error"]
        with pytest.raises(WorkerGoneError, match="no answer within 0 s"):
            worker.ask({**good, "parameters": {"n": 10_000_000, "cls": "double"}}, 0.01)


def test_repetitions_and_the_budget() -> None:
    now = 0.0

    def take(seconds: list[float]) -> Callable[[], tuple[float, ...]]:
        def run() -> tuple[float, ...]:
            nonlocal now
            now += seconds.pop(0) if len(seconds) > 1 else seconds[0]
            return (1.0,)

        return run

    def clock() -> float:
        return now

    quick = measure(take([5.0, 0.1]), 7, limit=30, settle=1.0, clock=clock)
    assert quick.first == 5.0
    assert len(quick.times) >= 10  # seven would not fill a second
    slow = measure(take([10.0]), 7, limit=25, settle=0.25, clock=clock)
    assert len(slow.times) == 1  # after one to warm up
    slowest = measure(take([99.0, 1.0]), 7, limit=25, first_counts=True, clock=clock)
    assert slowest.times == (99.0,)


def test_differences() -> None:
    assert difference((1.0, 2.0), (1.0, 2.2)) == pytest.approx(0.2 / 2.2)
    assert difference((1.0,), (1.0, 2.0)) == float("inf")
    assert difference((float("nan"),), (1.0,)) == float("inf")
    assert difference((0.0,), (0.0,)) == 0.0
    assert difference((1e-9,), (0.0,)) == float("inf")


def test_a_provider_that_is_not_there_is_an_error_not_another_one() -> None:
    here = Here("runmat-nobodys", Options(), 0)
    assert "nobodys" in here.ask({"do": "describe"}, 0)["error"]


def test_names_of_implementations() -> None:
    assert known("torch-compile") is known("torch")
    assert known("runmat-somebody's").package == "pip install runmat-core"
    for wrong in ("torch-fast", "numpy-2", "cupy"):
        with pytest.raises(KeyError, match="no implementation"):
            known(wrong)
    assert missing("numpy") == ""


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case.name)
def test_sizes_ascend_in_each_profile(case: Any) -> None:
    assert set(case.sizes) == set(PROFILES)
    for sizes in case.sizes.values():
        for series in {case.series(one) for one in sizes}:
            work = [case.work(one) for one in sizes if case.series(one) == series]
            assert work == sorted(set(work))


def test_whole_processes_of_some_implementations(tmp_path: Path) -> None:
    save = tmp_path / "whole.json"
    words = ["run", "--profile", "smoke", "--cases", "elementwise", "--classes", "single"]
    words += ["--implementations", "numpy,runmat-none", "--budget", "0.001", "--quiet"]
    assert cli.main([*words, "--whole", "runmat-none", "--save", str(save)]) == 0
    record = records.read(save)
    assert [p.implementation for p in record.processes] == ["runmat-none"]
    assert record.processes[0].status == "ok"
    assert min(record.processes[0].times) > 0
    assert record.entries[-1].status == "skipped"
