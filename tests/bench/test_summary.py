"""What records amount to, by numbers that can be reckoned in the head."""

from __future__ import annotations

import math

import attrs
import pytest
from runmat_bench import summary, tables
from runmat_bench.compare import compare
from runmat_bench.records import Parity

from tests.bench.helpers import counts, entry, record


def test_speed_over_numpy_and_over_the_best_peer() -> None:
    (row,) = summary.timed_rows(
        record(entry("numpy", 8.0), entry("jax", 2.0), entry("torch", 4.0), entry("runmat", 1.0))
    )
    assert row.best_peer() == "jax"
    assert row.speedup("runmat", "numpy") == 8.0
    assert summary.against_best([row], "runmat") == [2.0]


def test_a_wrong_result_is_no_peer_and_has_no_speed() -> None:
    wrong = entry("jax", 0.5, status="parity")
    (row,) = summary.timed_rows(record(entry("numpy", 8.0), wrong, entry("runmat", 1.0)))
    assert row.best_peer() == "numpy"
    assert row.speedup("jax", "numpy") is None


def test_geometric_mean() -> None:
    assert summary.geometric_mean([1.0, 4.0]) == pytest.approx(2.0)
    assert summary.geometric_mean([]) is None


def test_area_under_a_curve_over_log_size() -> None:
    assert summary.curve_mean([(10, 3.0)]) == pytest.approx(3.0)
    assert summary.curve_mean([(10, 3.0), (1000, 3.0)]) == pytest.approx(3.0)
    # a straight line in logarithms: the middle of its ends
    assert summary.curve_mean([(1, 1.0), (100, 4.0)]) == pytest.approx(2.0)
    # the second decade counts as much as the first, however many points there are
    points = [(1, 1.0), (10, 1.0), (10.5, 1.0), (11, 1.0), (110, 100.0)]
    weight = math.log(10) / math.log(110) / 2
    assert summary.curve_mean(points) == pytest.approx(100**weight)
    assert summary.curve_mean([]) is None


def test_ranks_do_not_reward_failing() -> None:
    rows = summary.timed_rows(
        record(
            entry("numpy", 3.0),
            entry("jax", 1.0),
            entry("torch", None, status="error"),
            entry("octave", None, status="timeout"),
        )
    )
    found = summary.ranks(rows, ["numpy", "jax", "torch", "octave"])
    assert found == {"jax": 1.0, "numpy": 2.0, "torch": 3.5, "octave": 3.5}


def test_standings_are_over_curves_and_rows() -> None:
    entries = []
    for n, ours in ((1000, 1.0), (10000, 0.25)):
        entries += [entry("numpy", 1.0, sizes={"n": n}), entry("runmat", ours, sizes={"n": n})]
    first, second = summary.standings(summary.timed_rows(record(*entries)), ["numpy", "runmat"])
    assert (first.name, first.ok, first.entries) == ("runmat", 2, 2)
    assert first.numpy == pytest.approx(2.0)
    assert first.area == pytest.approx(2.0)
    assert first.rank == 1.0
    assert second.rank == 1.5


def test_what_only_checks_results_is_not_timed() -> None:
    proof = entry("numpy", 1.0, case="iir", sizes={"T": 1, "M": 5}, purpose="proof")
    assert summary.timed_rows(record(proof)) == []


def test_the_report_hides_nothing() -> None:
    slow = entry("octave", None, status="skipped", reason="would take about 99 s a run")
    wrong = entry("torch", 1.0, status="parity", reason="differs by 0.5 from numpy double",
                  parity=Parity(False, 0.5, 1e-4, "numpy double"))  # fmt: skip
    made = record(
        entry("numpy", 1.0),
        wrong,
        entry("jax", None, status="missing"),
        slow,
        entry("runmat", 0.5, counts=counts(3)),
    )
    made.implementations["jax"] = {"status": "missing", "reason": "pip install jax"}
    text = "\n".join(tables.report(made, repetitions=7))
    assert "jax: missing: pip install jax" in text
    assert "octave: skipped: would take about 99 s a run (elementwise single n=1000)" in text
    assert "torch: parity: differs by 0.5 from numpy double" in text
    assert "1.00 s!*" in text  # wrong, and of three repetitions only
    (line,) = [line for line in text.splitlines() if "missing  " in line]
    assert line.split()[:3] == ["elementwise", "single", "n=1000"]


def test_compare_tells_what_changed() -> None:
    old = record(entry("runmat", 1.0, counts=counts(1)), entry("numpy", 1.0), entry("jax", 1.0))
    new = record(
        entry("runmat", 2.0, counts=counts(4)),
        entry("numpy", 1.02),
        entry("jax", None, status="error"),
    )
    lines = list(compare(old, new))
    (ours,) = [line for line in lines if " runmat " in line]
    assert ours.endswith("0.50x  SLOWER kernels 1 -> 4")
    assert any(line.endswith("ok -> error kernels None") for line in lines) is False
    assert any(" jax " in line and "ok -> error" in line for line in lines)
    assert any(line.startswith("numpy: ") for line in lines)


def test_every_table_tells_where_numbers_are_from() -> None:
    ours = [entry("runmat", 1.0, counts=counts(1)), entry("numpy", 1.0)]
    made = record(*ours, *[attrs.evolve(one, source="lcg") for one in ours])
    lines = [*tables.report(made, repetitions=3), "", *compare(made, made)]
    places = [line for line in lines if " n=1000 " in line and "runmat" in line]
    assert len(places) == len(set(places)) == 4
    assert sum(line.startswith("elementwise lcg ") for line in places) == 2
