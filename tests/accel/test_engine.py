"""Engines: plans that are found again, what is computed when, and what is told."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices.records import Record
from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning import plans
from runmat_core.accel.running.engine import Engine
from runmat_core.session import Session, config
from tests.accel.machine import (
    Data,
    Settings,
    by_rules,
    call,
    inprocess,
    maximum,
    null,
    read,
    recorder,
)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans stay, however slow a busy machine made their runs."""
    monkeypatch.setattr(plans, "WORTH_PLANNING", math.inf)


def array(seed: int = 0, shape: tuple[int, ...] = (40, 30)) -> Data:
    return np.asfortranarray(np.random.default_rng(seed).random(shape))


def node(value: Any) -> Node:
    found: Node = value.promise.node
    return found


# -- plans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [inprocess, null])
def test_x_times_x_is_not_x_times_y(make: Any) -> None:
    engine = make()
    x, y = array(1), array(2)
    for _ in range(2):
        assert np.array_equal(read(call(engine, "times", x, x)), x * x)
        assert np.array_equal(read(call(engine, "times", x, y)), x * y)
        assert np.array_equal(read(call(engine, "times", y, y)), y * y)
        assert np.array_equal(read(call(engine, "times", y, x)), y * x)


@pytest.mark.parametrize("make", [inprocess, null])
@pytest.mark.parametrize("name", ["power", "times", "plus", "rdivide", "minus"])
def test_a_parameter_of_one_run_is_not_that_of_the_next(make: Any, name: str) -> None:
    engine = make()
    x = array(1)
    function = {
        "power": np.power,
        "times": np.multiply,
        "plus": np.add,
        "rdivide": np.divide,
        "minus": np.subtract,
    }[name]
    scalars = [3.0, -0.0, float("nan"), 2.0, 0.5, 2.5, 0.0, 1.0, -3.0, float("inf"), 2.0, -0.0]
    with np.errstate(all="ignore"):
        for scalar in scalars:
            found = read(call(engine, name, x, scalar))
            expected = function(x, scalar)
            np.testing.assert_allclose(found, expected, rtol=1e-13)
            # signs of zeros tell -0 from 0
            assert np.array_equal(np.signbit(found), np.signbit(expected)) or np.isnan(scalar)


def test_equal_programs_share_a_plan() -> None:
    engine = inprocess()
    for seed in range(5):
        x, y = array(seed), array(seed + 1)
        total = call(engine, "sum", call(engine, "times", call(engine, "plus", x, 1.0 + seed), y))
        np.testing.assert_allclose(read(total)[0, 0], np.sum((x + (1.0 + seed)) * y))
    # 1, 2 and the other scalars are value classes of their own
    assert engine.counters.plans_made == 3
    assert engine.counters.plan_hits == 2


def test_a_second_run_compiles_nothing() -> None:
    engine = null()
    for seed in range(3):
        read(call(engine, "exp", call(engine, "times", array(seed), 3.0)))
    hooks = [hook for hook, _ in recorder(engine).requests]
    assert hooks.count("compile") == 1
    assert hooks.count("execute") == 3


def test_plans_are_bounded() -> None:
    engine = inprocess(plan_cache=2)
    shapes = [(5, 5), (6, 6), (7, 7), (7, 7), (5, 5)]
    for shape in shapes:
        read(call(engine, "plus", array(0, shape), 3.0))
    assert engine.counters.plans_made == 4
    assert engine.counters.plan_hits == 1
    assert engine.counters.plans_dropped == 2


def test_no_plan_is_kept_where_none_may_be() -> None:
    engine = inprocess(plan_cache=0)
    for _ in range(3):
        read(call(engine, "plus", array(), 3.0))
    assert (engine.counters.plans_made, engine.counters.plan_hits) == (3, 0)


# -- what is computed when ------------------------------------------------------------------------


def test_what_nobody_asks_for_is_not_computed() -> None:
    engine = inprocess()
    asked, ignored = call(engine, "exp", array()), call(engine, "sin", array())
    read(asked)
    assert node(ignored).data is None
    assert engine.counters.launches == 1


def test_realised_nodes_let_go_of_their_inputs() -> None:
    engine = inprocess()
    value = call(engine, "exp", call(engine, "plus", array(), 1.0))
    held = node(value)
    read(value)
    assert held.inputs == ()


def test_a_carried_value_is_written_the_second_time() -> None:
    engine = inprocess()
    x = array()
    shared = call(engine, "plus", x, 1.5)
    read(call(engine, "exp", shared))
    assert node(shared).data is None
    read(call(engine, "sin", shared))
    assert node(shared).data is not None
    np.testing.assert_array_equal(read(shared), x + 1.5)
    assert engine.counters.runs == 2


def test_reductions_of_one_array_share_a_pass() -> None:
    engine = inprocess()
    x = array()
    values = [call(engine, name, x) for name in ("sum", "mean", "max")]
    found = [read(value)[0, 0] for value in values]
    np.testing.assert_allclose(found, [x.sum(), x.mean(), x.max()])
    assert engine.counters.runs == 1
    assert engine.counters.launches == 1


def test_outputs_of_a_kept_reduction_are_there_later() -> None:
    for engine in (inprocess(), null(), by_rules()):
        x = array()
        largest, place = maximum(engine, x)
        np.testing.assert_array_equal(read(place), x.argmax(0)[None] + 1.0)
        np.testing.assert_array_equal(read(largest), x.max(0)[None])


def test_an_output_is_captured_on_after_its_reduction_ran() -> None:
    engine = inprocess()
    x = array()
    largest, place = maximum(engine, x)
    read(largest)
    runs = engine.counters.runs
    doubled = call(engine, "times", place, 2.0)
    np.testing.assert_array_equal(read(doubled), (x.argmax(0)[None] + 1.0) * 2)
    assert engine.counters.runs == runs + 1


def test_finish_computes_what_values_stand_for() -> None:
    engine = inprocess()
    values = [call(engine, name, array(3)) for name in ("exp", "sin", "abs")]
    engine.finish()
    assert all(node(value).data is not None for value in values)
    assert engine.counters.runs == 1


def test_running_nothing_does_nothing() -> None:
    engine = inprocess()
    engine.run([])
    value = call(engine, "exp", array())
    read(value)
    engine.run([engine.graph.source(array(), "double")])
    assert engine.counters.runs == 1
    engine.finish()
    assert engine.counters.runs == 1


# -- providers ------------------------------------------------------------------------------------


def test_no_provider_starts_before_it_is_needed() -> None:
    engine = null()
    value = call(engine, "exp", array())
    assert engine.stores == {}
    read(value)
    assert list(engine.stores) != []


def test_without_providers_host_rules_compute() -> None:
    engine = by_rules()
    x = array()
    np.testing.assert_array_equal(read(call(engine, "exp", x)), np.exp(x))
    assert engine.counters.by_rules == engine.counters.runs == 1
    assert engine.counters.plans_made == 0


def test_importing_the_engine_imports_no_provider() -> None:
    code = (
        "import sys; from runmat_core.accel.running.engine import Engine; "
        "print([m for m in sys.modules if m in ('pluggy', 'runmat_inprocess', 'scipy')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_closed_engine_still_gives_values() -> None:
    engine = inprocess()
    x = array()
    value = call(engine, "exp", x)
    read(call(engine, "sin", x))
    engine.close()
    engine.close()
    np.testing.assert_array_equal(read(value), np.exp(x))


@pytest.mark.parametrize("provider", ["null", "inprocess"])
def test_clearing_everything_gives_everything_back(provider: str) -> None:
    environment = {
        "RUNMAT_ACCEL_PROVIDER": provider,
        "RUNMAT_ACCEL_FALLBACK": "none",
        "RUNMAT_ACCEL_THRESHOLD": "1",
        "RUNMAT_ACCEL_OFFLOAD_FORCE": "device",
        "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never",
    }
    session = Session(config=config.load(".", environment | {"RUNMAT_ACCEL_PLAN_FILES": "0"}))
    session.run(
        "x = rand(50, 40); y = x + 1.5; z = exp(y) .* y; s = sum(z(:)); t = s > 0;"
        "w = sqrt(x - 0.5); first = w(1); toc(tic); c = {y, z}; r.field = y; clear s"
    )
    engine = session.interp.seat.engine
    (store,) = engine.stores.values()
    assert engine.counters.launches > 0
    assert engine.live_handles > 0
    session.run("clear all")
    if provider == "null":
        # the records hold the arrays that went there
        recorder(engine).requests.clear()
    gc.collect()
    assert engine.live_handles == 0
    assert store.provider.telemetry().live_arrays == 0


# -- telling --------------------------------------------------------------------------------------


def test_each_run_is_told() -> None:
    engine = null()
    records: list[Record] = []
    engine.listeners.append(records.append)
    x = array()
    for _ in range(2):
        read(call(engine, "sum", call(engine, "exp", x)))
    first, second = records
    assert (first.hit, second.hit) == (False, True)
    assert first.plan is second.plan is not None
    assert first.outcome == second.outcome == "done"
    assert [note.name for note in first.nodes] == ["source", "exp", "sum"]
    assert first.labels == ("exp+sum",)
    assert [decision.target for decision in first.decisions] == ["device"]
    assert first.uploaded == x.nbytes
    # the array is still there
    assert second.uploaded == 0
    assert first.downloaded == second.downloaded == 8
    assert first.plan.runs == 2


def test_runs_by_host_rules_are_told() -> None:
    engine = by_rules()
    records: list[Record] = []
    engine.listeners.append(records.append)
    read(call(engine, "exp", array()))
    (record,) = records
    assert record.plan is None
    assert record.outcome == "rules"
    assert [note.name for note in record.nodes] == ["exp"]


def test_verifying_finds_a_wrong_result() -> None:
    from runmat_core.api.errors import MatlabError

    config = Settings(
        accel__provider="null",
        accel__fallback="none",
        accel__offload__force="device",
        accel__verify=True,
    )
    engine = Engine(config)
    x = array()
    np.testing.assert_array_equal(read(call(engine, "plus", x, 1.5)), x + 1.5)
    device = recorder(engine)
    launch = device._launch

    def wrong(step: Any, arrays: Any, params: Any, status: Any) -> None:
        launch(step, arrays, params, status)
        arrays[step.slots[-1]][-1] += 1e-3

    device._launch = wrong
    with pytest.raises(MatlabError) as caught:
        read(call(engine, "plus", x, 2.5))
    assert caught.value.identifier == "RunMat:accel:verify"
    assert "'plus'" in caught.value.message
