"""Results that turn out complex: guards, and what is done again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices.records import Record
from runmat_core.accel.graph.node import Node
from runmat_core.accel.running.engine import Engine
from tests.accel.machine import Data, Settings, call, inprocess, null, read

#: NumPy's memory in blocks and threads, a device, and kernels beside host rules.
MACHINES: dict[str, Callable[[], Engine]] = {
    "inprocess": inprocess,
    "device": null,
    "both": lambda: Engine(Settings(accel__provider="null", accel__offload__force="device")),
}
machines = pytest.mark.parametrize("make", MACHINES.values(), ids=MACHINES.keys())


def array(seed: int = 0, shape: tuple[int, ...] = (60, 50)) -> Data:
    return np.asfortranarray(np.random.default_rng(seed).random(shape))


def node(value: Any) -> Node:
    found: Node = value.promise.node
    return found


@machines
@pytest.mark.parametrize("shape", [(1, 2), (60, 50), (1000, 301)])
def test_the_last_element_makes_all_complex(
    make: Callable[[], Engine], shape: tuple[int, int]
) -> None:
    x = array(0, shape)
    x[-1, -1] = -4.0
    engine = make()
    found = read(call(engine, "sqrt", x))
    np.testing.assert_array_equal(found, np.emath.sqrt(x))
    assert found[-1, -1] == 2j
    assert engine.counters.guards_fired == 1


@machines
def test_real_results_stay_where_they_are(make: Callable[[], Engine]) -> None:
    engine = make()
    x = array()
    x[3, 3] = np.nan
    x[4, 4] = -0.0
    np.testing.assert_array_equal(read(call(engine, "sqrt", x)), np.sqrt(x))
    assert engine.counters.guards_fired == 0
    assert engine.counters.by_rules == 0


@machines
def test_complex_on_the_second_call_alone(
    make: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    # what a busy machine takes long for is planned anew
    monkeypatch.setattr("runmat_core.accel.running.learning.WORTH_LEARNING", float("inf"))
    engine = make()
    x = array()
    y = -x
    for data in (x, y, x, y):
        root = call(engine, "sqrt", call(engine, "times", data, 3.0))
        found = read(call(engine, "plus", root, 1.5))
        np.testing.assert_allclose(found, np.emath.sqrt(data * 3) + 1.5, rtol=1e-14)
        assert np.iscomplexobj(found) == (data is y)
    assert engine.counters.guards_fired == 2
    # of all, of what the root is of, and of what follows from a root that is complex, or real again
    assert engine.counters.plans_made == 4


@machines
def test_what_does_not_depend_on_it_is_published(make: Callable[[], Engine]) -> None:
    engine = make()
    x = array() - 0.5
    root = call(engine, "sqrt", x)
    total = call(engine, "sum", root)
    other = call(engine, "exp", x)
    engine.run([node(v) for v in (root, total, other)])
    assert engine.counters.guards_fired == 1
    np.testing.assert_allclose(read(other), np.exp(x), rtol=1e-15)
    np.testing.assert_array_equal(read(root), np.emath.sqrt(x))
    np.testing.assert_allclose(read(total)[0, 0], np.emath.sqrt(x).sum())


@machines
def test_complex_elements_go_on_by_host_rules(make: Callable[[], Engine]) -> None:
    engine = make()
    x = array() - 0.5
    root = call(engine, "sqrt", x)
    later = call(engine, "times", root, root)
    last = call(engine, "abs", later)
    read(root)
    np.testing.assert_allclose(read(later), x + 0j, atol=1e-15)
    np.testing.assert_allclose(read(last), np.abs(x), atol=1e-15)
    assert engine.counters.guards_fired == 1


@machines
def test_the_two_guards_of_a_plan_are_both_seen(make: Callable[[], Engine]) -> None:
    engine = make()
    x = array()
    for first, second in ((1.5, 1.5), (-1.5, 1.5), (1.5, -1.5)):
        a = call(engine, "sqrt", call(engine, "times", x, first))
        b = call(engine, "sqrt", call(engine, "times", call(engine, "mean", x), second))
        found = read(call(engine, "plus", a, b))
        expected = np.emath.sqrt(x * first) + np.emath.sqrt(x.mean() * second)
        np.testing.assert_allclose(found, expected, rtol=1e-13)


@machines
def test_facts_take_guards_away(make: Callable[[], Engine]) -> None:
    engine = make()
    records: list[Record] = []
    engine.listeners.append(records.append)
    squares = call(engine, "times", array(), 1.5)
    squares = call(engine, "times", squares, squares)
    np.testing.assert_allclose(
        read(call(engine, "sqrt", squares)), array() * 1.5, rtol=1e-15, atol=0
    )
    (record,) = records
    assert record.plan is not None
    assert not record.plan.guards


def test_the_word_is_cleared_between_runs() -> None:
    engine = null()
    x = array()
    keep = call(engine, "exp", x)
    engine.run([node(keep)])
    for data, fired in ((-x, 1), (x, 1), (-x, 2), (x, 2)):
        read(call(engine, "sqrt", data))
        assert engine.counters.guards_fired == fired


def test_status_and_data_come_in_one_transfer() -> None:
    from tests.accel.machine import recorder

    engine = null()
    read(call(engine, "sqrt", array()))
    hooks = [hook for hook, _ in recorder(engine).requests]
    assert hooks.count("download") == 1


def test_nothing_is_read_back_where_nobody_reads() -> None:
    from tests.accel.machine import recorder

    engine = null()
    engine.run([node(value) for value in [call(engine, "sqrt", array())]])
    (request,) = [r for hook, r in recorder(engine).requests if hook == "download"]
    assert request.arrays == ()
    assert request.status is not None


@machines
def test_negative_powers_of_fractions(make: Callable[[], Engine]) -> None:
    engine = make()
    x = array() - 0.5
    with np.errstate(all="ignore"):
        for exponent in (2.5, 3.0, -2.0, 0.5):
            found = read(call(engine, "power", x, exponent))
            base = x + 0j if exponent % 1 else x
            np.testing.assert_allclose(found, base**exponent, rtol=1e-12)


@machines
def test_what_an_element_made_complex_is_done_apart(
    make: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runmat_core.accel.running.learning.WORTH_LEARNING", float("inf"))
    engine = make()
    records: list[Record] = []
    engine.listeners.append(records.append)
    x = array() - 0.5

    def chain() -> Data:
        base = call(engine, "exp", call(engine, "times", x, 2.0))
        root = call(engine, "sqrt", call(engine, "minus", x, 0.1))
        size = call(engine, "abs", root)
        other = call(engine, "plus", call(engine, "sin", base), call(engine, "times", size, size))
        return read(call(engine, "sum", other))

    expected = np.sin(np.exp(x * 2)) + np.abs(x - 0.1)
    for repetition in range(3):
        records.clear()
        np.testing.assert_allclose(chain(), expected.sum(), rtol=1e-12)
        ran = [note.name for r in records if r.outcome == "done" for note in r.nodes]
        # all but the root and its size, which are computed by their host rules
        assert {"times", "minus", "exp", "sin", "plus", "sum"} <= set(ran)
        # it is found out once that the root is complex
        assert engine.counters.guards_fired == 1, repetition
    assert engine.counters.by_rules == 0
    made = engine.counters.plans_made
    chain()
    assert engine.counters.plans_made == made


@machines
def test_what_is_real_again_is_speculated_on_again(make: Callable[[], Engine]) -> None:
    engine = make()
    fired = []
    for factor in (-3.0, -3.0, 3.0, 3.0, 3.0, -3.0):
        root = call(engine, "sqrt", call(engine, "times", array() + 1.0, factor))
        found = read(call(engine, "plus", root, 1.0))
        np.testing.assert_allclose(found, np.emath.sqrt((array() + 1) * factor) + 1, rtol=1e-13)
        fired.append(engine.counters.guards_fired)
    assert fired == [1, 1, 1, 1, 1, 2]
    assert engine.counters.by_parts == 4


@machines
def test_complex_elements_meet_what_is_still_to_be_computed(make: Callable[[], Engine]) -> None:
    engine = make()
    x = array() - 0.5
    root = call(engine, "sqrt", x)
    later = call(engine, "exp", call(engine, "times", x, 3.0))
    both = call(engine, "times", call(engine, "plus", root, 1.0), later)
    last = call(engine, "plus", call(engine, "abs", both), later)
    read(root)
    expected = (np.emath.sqrt(x) + 1) * np.exp(x * 3)
    np.testing.assert_allclose(read(last), np.abs(expected) + np.exp(x * 3), rtol=1e-13)
    np.testing.assert_allclose(read(both), expected, rtol=1e-13)
    assert engine.counters.by_rules == 0
