"""What runs teach: both sides are timed before work moves, and broken runs teach nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices.records import Record
from runmat_core.accel.graph import rules
from runmat_core.accel.placement import corrections
from runmat_core.accel.planning import plans
from runmat_core.accel.running import executor, learning
from runmat_core.accel.running.engine import Engine
from runmat_core.session import Session
from tests.accel.machine import Settings, call, read


def engine() -> Engine:
    """One that places work by what it costs."""
    return Engine(Settings(accel__provider="inprocess", accel__threshold=1))


def clock(step: float) -> Iterator[float]:
    return count(0.0, step)


def targets_of(made: Engine, monkeypatch: pytest.MonkeyPatch, rules_step: float) -> list[str]:
    """Where thirty runs of one kernel went, which the provider took a second for."""
    provider, by_rules = clock(1.0), clock(rules_step)
    monkeypatch.setattr(plans, "WORTH_PLANNING", 0)
    monkeypatch.setattr(executor, "perf_counter", lambda: next(provider))
    monkeypatch.setattr(learning, "perf_counter", lambda: next(by_rules))
    found: list[str] = []

    def listen(record: Record) -> None:
        found.extend(decision.target for decision in record.decisions)

    made.listeners.append(listen)
    x = np.asfortranarray(np.random.default_rng(1).random((400, 500)))
    for _ in range(30):
        value = call(made, "plus", call(made, "times", x, 2.0), 1.5)
        np.testing.assert_array_equal(read(value), x * 2.0 + 1.5)
    return found


def test_a_slow_machine_leaves_work_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[int] = []
    by_rules = rules.compute

    def counted(nodes: Any) -> Any:
        computed.append(len(nodes))
        return by_rules(nodes)

    monkeypatch.setattr(rules, "compute", counted)
    made = engine()
    assert set(targets_of(made, monkeypatch, 1.0)) == {"host"}
    assert len(computed) == corrections.PAIRS
    assert made.counters.plans_made == 1


def test_a_slow_provider_loses_work_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrections, "LOOK_AGAIN", 5)
    targets = targets_of(engine(), monkeypatch, 1e-9)
    left = targets.index("rules")
    assert targets[:left] == ["host"] * left
    assert left < 10
    again = targets.index("host", left)
    assert targets[left:again] == ["rules"] * (again - left)
    assert "rules" in targets[again:]


def test_a_run_that_broke_off_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "WORTH_LEARNING", 0.0)
    session = Session(provider="inprocess")
    loop = "for k = 1:4, y = exp(x + k) .* 2; if y(end) < 0, break; end, end"
    session.run(f"x = rand(1e6, 1); s = x(1); {loop}")
    made = session.interp.seat.engine  # type: ignore[union-attr]
    known = made.costs.corrections()
    assert known
    with pytest.raises(Exception, match="broken"):
        session.run(f"{loop} error('broken')")
    assert made.costs.corrections() == known
