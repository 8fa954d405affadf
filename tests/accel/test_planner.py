"""Planning: what is compiled once, what is declined, where things end up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices.compiler import unit_key
from runmat_core.accel.devices.records import Record
from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning import collect
from runmat_core.accel.planning import plans as module
from runmat_core.accel.planning.collect import Walk
from runmat_core.accel.planning.plan import Plan
from runmat_core.accel.planning.plans import PlanCache, Planned
from runmat_core.accel.running import learning
from runmat_core.accel.running.engine import Engine
from runmat_core.api.ir import Axis, Buffer, Instr, Kernel, View
from tests.accel.machine import Data, Settings, call, inprocess, null, read, recorder


def array(seed: int = 0, shape: tuple[int, ...] = (30, 20)) -> Data:
    return np.asfortranarray(np.random.default_rng(seed).random(shape))


def node(value: Any) -> Node:
    found: Node = value.promise.node
    return found


def plans(engine: Engine) -> list[Plan | None]:
    """The plans that run from now on."""
    found: list[Plan | None] = []

    def listen(record: Record) -> None:
        found.append(record.plan)

    engine.listeners.append(listen)
    return found


def constant(value: float) -> Kernel:
    """A kernel that writes a constant."""
    return Kernel(
        (Axis(),),
        (Buffer("f64", "write"),),
        (View(0, (True,), True),),
        (),
        (Instr("const", (), "f64", 0, value), Instr("store", (0,), "f64", 1, 0)),
    )


def test_kernels_with_zeros_of_two_signs_are_two() -> None:
    assert constant(0.0) == constant(-0.0)
    keys = {unit_key(constant(value)) for value in (0.0, -0.0, 1.0, 0.0, -0.0)}
    assert len(keys) == 3


def test_equal_units_are_compiled_once() -> None:
    engine = null()
    for shape in ((30, 20), (7, 5), (40, 40)):
        read(call(engine, "exp", call(engine, "plus", array(0, shape), 1.5)))
    # sizes are no part of a kernel
    units = [unit for hook, r in recorder(engine).requests if hook == "compile" for unit in r.units]
    assert engine.counters.plans_made == 3
    assert len(units) == 1


def test_what_a_device_declines_goes_to_the_host_provider() -> None:
    config = Settings({"decline": "all"}, accel__provider="null", accel__offload__force="device")
    engine = Engine(config)
    seen = plans(engine)
    np.testing.assert_array_equal(read(call(engine, "plus", array(), 1.5)), array() + 1.5)
    (plan,) = seen
    assert plan is not None
    (step,) = plan.steps
    assert step.decision.target == "host"
    assert step.decision.reason == "unsupported"
    assert step.executable is not None
    assert engine.counters.launches == 1


def test_what_everybody_declines_is_left_to_host_rules() -> None:
    engine = null({"decline": "all"})
    seen = plans(engine)
    np.testing.assert_array_equal(read(call(engine, "plus", array(), 1.5)), array() + 1.5)
    (plan,) = seen
    assert plan is not None
    (step,) = plan.steps
    assert (step.group.kind, step.executable, step.lowered) == ("host", None, None)
    assert step.decision.target == "rules"
    # it is not asked again
    read(call(engine, "plus", array(0, (9, 9)), 1.5))
    assert sum(1 for hook, _ in recorder(engine).requests if hook == "compile") == 1


def test_host_rules_may_be_told_to_do_everything() -> None:
    engine = Engine(Settings(accel__provider="inprocess", accel__offload__force="rules"))
    seen = plans(engine)
    np.testing.assert_array_equal(read(call(engine, "plus", array(), 1.5)), array() + 1.5)
    assert seen[0] is not None
    assert [step.decision.reason for step in seen[0].steps] == ["disabled"]
    assert engine.counters.launches == 0


def test_steps_say_where_their_nodes_were_written() -> None:
    engine = inprocess()
    code = compile("a = call(engine, 'plus', x, 1.5)\n\nb = call(engine, 'exp', a)", "p.m", "exec")
    scope: dict[str, Any] = {"call": call, "engine": engine, "x": array(), "_s": None}
    exec(code, scope)
    seen = plans(engine)
    read(scope["b"])
    assert seen[0] is not None
    (step,) = seen[0].steps
    assert set(step.lines) >= {("p.m", 1), ("p.m", 3)}


def test_plans_hold_no_arrays() -> None:
    import gc
    import weakref

    engine = inprocess()
    value = call(engine, "sum", call(engine, "exp", call(engine, "uminus", array())))
    gone = [weakref.ref(node(value)), weakref.ref(node(value).inputs[0])]
    read(value)
    del value
    gc.collect()
    assert engine.counters.plans_made == 1
    assert [reference() for reference in gone] == [None, None]


@pytest.mark.parametrize("rewrites", [None, (), ("neutral element",)])
def test_rewrites_can_be_chosen(rewrites: Any) -> None:
    engine = inprocess(rewrites=rewrites)
    seen = plans(engine)
    x = array()
    value = call(engine, "exp", call(engine, "times", call(engine, "abs", x), 1.0))
    np.testing.assert_array_equal(read(value), np.exp(np.abs(x) * 1.0))
    assert seen[0] is not None
    (step,) = seen[0].steps
    assert step.lowered is not None
    assert ("times" in step.lowered.label) == (rewrites == ())


def test_parameters_of_rewritten_nodes_come_from_this_run() -> None:
    engine = inprocess()
    for scalar in (3.0, -7.0, 11.0):
        x = array()
        value = call(engine, "times", call(engine, "times", x, 1.0), scalar)
        value = call(engine, "plus", call(engine, "plus", value, scalar + 1), value)
        np.testing.assert_allclose(read(value), x * scalar * 2 + scalar + 1, rtol=1e-13)
    assert engine.counters.plans_made == 1


def test_costs_that_moved_place_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_PLANNING", 0)
    engine = inprocess()
    for expected in (1, 1, 2, 2):
        read(call(engine, "plus", array(), 1.5))
        if engine.counters.runs == 2:
            engine.costs.learnt.version += 1
        assert engine.counters.plans_made == expected
    assert engine.counters.plan_hits == 2


def test_plans_that_took_long_to_make_stay() -> None:
    engine = inprocess()
    for _ in range(3):
        read(call(engine, "plus", array(), 1.5))
        engine.costs.learnt.version += 1
    assert engine.counters.plans_made == 1


def test_measured_times_correct_the_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "WORTH_LEARNING", 0.0)
    engine = inprocess()
    for _ in range(3):
        read(call(engine, "exp", array()))
    assert list(engine.costs.corrections()) != []
    assert all(key.startswith("host.") for key in engine.costs.corrections())


# -- the cache ------------------------------------------------------------------------------------


def planned() -> Planned:
    template = collect.Template((), [], [], (), frozenset())
    return Planned(Plan((), (), False), template, 0)


def walked(key: str) -> Walk:
    return Walk((), key, [], [], (), [], 0, False)


def test_the_plan_asked_for_longest_ago_makes_room() -> None:
    cache = PlanCache(2)
    assert [cache.put(walked(key), planned()) for key in "ab"] == [0, 0]
    assert cache.get(walked("a")) is not None
    assert cache.put(walked("c"), planned()) == 1
    assert (cache.get(walked("b")), len(cache)) == (None, 2)
    assert cache.get(walked("a")) is not None
    cache.clear()
    assert len(cache) == 0
