"""Providers that fail: the session goes on, the numbers are right, and the user is told once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices.places import PATIENCE, RENEWALS
from runmat_core.accel.graph.node import Node
from runmat_core.accel.running.engine import Engine
from runmat_core.api.device import DeviceArray, DeviceFault, DeviceLost, OutOfDeviceMemory
from runmat_core.api.errors import MatlabError
from runmat_core.values.notices import warnings_to
from tests.accel.machine import Data, Settings, call, inprocess, null, read, recorder

SHAPE = (20, 10)
BYTES = 8 * 200


def array(seed: int = 0) -> Data:
    return np.asfortranarray(np.random.default_rng(seed).random(SHAPE))


def node(value: Any) -> Node:
    found: Node = value.promise.node
    return found


@contextmanager
def told() -> Iterator[list[tuple[str, str]]]:
    """The warnings of a block."""
    warnings: list[tuple[str, str]] = []
    with warnings_to(lambda identifier, text: warnings.append((identifier, text))):
        yield warnings


def program(engine: Engine, seed: int) -> tuple[list[Data], list[Data]]:
    """What a program of several runs gives and should give: results that stay on the device,
    several outputs, a guard, one that fires, and arrays that are used again."""
    x, y = array(seed), array(seed + 1)
    a = call(engine, "plus", call(engine, "times", x, 3.0), y)
    engine.run([node(a)])
    b = call(engine, "exp", a)
    total = call(engine, "sum", call(engine, "times", b, a))
    largest = call(engine, "max", a)
    root = call(engine, "sqrt", call(engine, "minus", x, y))
    plain = call(engine, "sqrt", b)
    found = [read(value).copy() for value in (total, largest, root, plain, b, a)]
    c = x * 3 + y
    e = np.exp(c)
    expected = [
        np.atleast_2d((e * c).sum()),
        np.atleast_2d(c.max()),
        np.emath.sqrt(x - y),
        np.sqrt(e),
        e,
        c,
    ]
    return found, expected


def check(found: list[Data], expected: list[Data]) -> None:
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


HOOKS = ("allocate", "upload", "execute", "compile", "free", "synchronize")


@pytest.mark.parametrize("nth", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("hook", [*HOOKS, "download"])
def test_a_hook_that_fails_once(hook: str, nth: int) -> None:
    engine = null({"fail": f"{hook}:{nth}"})
    with told() as warnings:
        for seed in range(2):
            check(*program(engine, seed))
            engine.finish()
    calls = sum(1 for name, _ in recorder(engine).requests if name == hook)
    assert len(warnings) == (calls >= nth)
    for identifier, text in warnings:
        assert identifier == "RunMat:accel:fault"
        assert "'null" in text
        assert f"'{hook}'" in text


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_that_always_fails(hook: str) -> None:
    engine = null({"fail": hook})
    with told() as warnings:
        for seed in range(3):
            check(*program(engine, seed))
            engine.finish()
    assert len(warnings) == 1


def test_a_device_that_nothing_comes_back_from() -> None:
    engine = null({"fail": "download"})
    x = array()
    with told() as warnings:
        # what is asked for is computed on the host instead
        np.testing.assert_allclose(read(call(engine, "exp", x)), np.exp(x))
        # what lies there is out of reach
        value = call(engine, "sin", x)
        engine.run([node(value)])
        with pytest.raises(MatlabError) as caught:
            read(value)
        assert caught.value.identifier == "RunMat:accel:fault"
        np.testing.assert_allclose(read(call(engine, "times", x, 2.0)), x * 2)
    assert len(warnings) == 1


def test_a_provider_that_keeps_failing_gets_no_more_work() -> None:
    engine = null({"fail": "execute"})
    assert engine.places.offers("compact")
    with told() as warnings:
        for k in range(PATIENCE + 4):
            read(call(engine, "plus", array(), 1.5 + k))
    assert not engine.places.offers("compact")
    executed = sum(1 for hook, _ in recorder(engine).requests if hook == "execute")
    assert executed == PATIENCE
    assert len(warnings) == 1


def test_the_host_provider_takes_over() -> None:
    engine = Engine(
        Settings(
            {"fail": "execute"},
            accel__provider="null",
            accel__offload__force="device",
        )
    )
    with told() as warnings:
        for seed in range(PATIENCE):
            check(*program(engine, seed))
        launches = engine.counters.launches
        check(*program(engine, 9))
    assert engine.counters.launches > launches
    assert len(warnings) == 1


# -- memory ---------------------------------------------------------------------------------------


def test_copies_make_room() -> None:
    engine = null({"memory": 3 * BYTES})
    with told() as warnings:
        arrays = [array(seed) for seed in range(6)]
        for x, y in zip(arrays[::2], arrays[1::2], strict=True):
            np.testing.assert_array_equal(read(call(engine, "plus", x, y)), x + y)
    assert warnings == []
    assert engine.counters.by_rules == 0
    assert recorder(engine).peak_bytes <= 3 * BYTES


def test_an_array_that_does_not_fit_is_computed_on_the_host() -> None:
    engine = null({"memory": BYTES // 2})
    x = array()
    with told() as warnings:
        for scalar in (3.0, 1.5, 2.5):
            np.testing.assert_array_equal(read(call(engine, "plus", x, scalar)), x + scalar)
    assert [identifier for identifier, _ in warnings] == ["RunMat:accel:outOfMemory"]


def test_the_memory_of_a_host_provider_runs_out() -> None:
    engine = Engine(
        Settings({"memory": BYTES // 2}, accel__provider="inprocess", accel__offload__force="host")
    )
    with told() as warnings:
        check(*program(engine, 1))
    assert [identifier for identifier, _ in warnings] == ["RunMat:accel:outOfMemory"]


def test_the_second_attempt_may_succeed() -> None:
    engine = null()
    x = array()
    read(call(engine, "plus", x, 1.5))
    device = recorder(engine)
    keep, failed = device._keep, []

    def full(*arguments: Any) -> Any:
        if not failed:
            failed.append(True)
            raise OutOfDeviceMemory("No room.")
        return keep(*arguments)

    device._keep = full
    with told() as warnings:
        np.testing.assert_array_equal(read(call(engine, "plus", x, 2.5)), x + 2.5)
    assert warnings == []
    assert failed


# -- devices that go away -------------------------------------------------------------------------


def gone(*arguments: Any) -> Any:
    raise DeviceLost("The device stopped working.")


def lose(engine: Engine) -> None:
    """Let the device be gone from now on."""
    recorder(engine)._record = gone


def test_a_lost_device_takes_only_what_it_has() -> None:
    engine = null()
    x = array()
    there = call(engine, "exp", x)
    engine.run([node(there)])
    derived = call(engine, "plus", there, 1.5)
    unrelated = call(engine, "times", x, 3.0)
    lose(engine)
    with told() as warnings:
        np.testing.assert_array_equal(read(unrelated), x * 3)
        for value in (there, derived):
            with pytest.raises(MatlabError) as caught:
                read(value)
            assert caught.value.identifier == "RunMat:accel:deviceLost"
        np.testing.assert_array_equal(read(call(engine, "sin", x)), np.sin(x))
        del there, derived
        gc.collect()
        engine.close()
    assert [identifier for identifier, _ in warnings] == ["RunMat:accel:deviceLost"]


def test_a_lost_device_is_started_again_but_not_for_ever() -> None:
    engine = null()
    x = array()
    instances = []
    with told() as warnings:
        for times in range(1, RENEWALS + 2):
            value = call(engine, "plus", x, float(times))
            engine.run([node(value)])
            device = engine.places.device
            assert device is not None
            instances.append(device.store.name)
            plugin = device.store.provider._compile.get_hookimpls()[0].plugin
            plugin._record = gone
            after = call(engine, "times", x, float(times) + 0.5)
            np.testing.assert_array_equal(read(after), x * (times + 0.5))
        np.testing.assert_array_equal(read(call(engine, "exp", x)), np.exp(x))
        assert engine.places.device is None
        engine.close()
    assert len(set(instances)) == RENEWALS + 1
    assert [identifier for identifier, _ in warnings] == ["RunMat:accel:deviceLost"]


def test_errors_say_where_the_array_was_asked_for() -> None:
    engine = null()
    code = compile("\n\nvalue = call(engine, 'exp', x)", "program.m", "exec")
    scope: dict[str, Any] = {"call": call, "engine": engine, "x": array(), "_s": None}
    exec(code, scope)
    value = scope["value"]
    engine.run([node(value)])
    lose(engine)
    with told(), pytest.raises(MatlabError) as caught:
        read(value)
    assert [(frame.file, frame.line) for frame in caught.value.stack] == [("program.m", 3)]


# -- answers that are none ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "garbage",
    [None, 3, DeviceArray(SHAPE, "f64", "somebody else", 1)],
    ids=["nothing", "a number", "a foreign handle"],
)
def test_handles_that_are_none(garbage: Any) -> None:
    engine = null()
    x = array()
    read(call(engine, "plus", x, 1.5))
    recorder(engine)._keep = lambda *arguments: garbage
    with told() as warnings:
        np.testing.assert_array_equal(read(call(engine, "plus", array(1), 2.5)), array(1) + 2.5)
    assert len(warnings) == 1


@pytest.mark.parametrize(
    "garbage",
    [None, np.zeros(3), np.zeros(SHAPE, np.float32), "text"],
    ids=["nothing", "another size", "another class", "text"],
)
def test_contents_that_are_none(garbage: Any) -> None:
    engine = null()
    read(call(engine, "plus", array(), 1.5))

    class Answer:
        """What pretends to be the memory of a handle."""

        nbytes = BYTES

        def copy(self) -> Any:
            return self

        def reshape(self, *arguments: Any, **options: Any) -> Any:
            return garbage

    device = recorder(engine)
    honest = device._data
    device._data = lambda handle: honest(handle) if handle.size == 1 else Answer()
    device._step = lambda *arguments: None
    with told() as warnings:
        np.testing.assert_array_equal(read(call(engine, "plus", array(1), 2.5)), array(1) + 2.5)
    assert len(warnings) == 1


def test_a_handle_that_was_given_back_is_refused() -> None:
    engine = null()
    value = call(engine, "exp", array())
    engine.run([node(value)])
    held: Any = node(value).data
    held.release()
    later = call(engine, "plus", value, 1.5)
    with told(), pytest.raises(MatlabError) as caught:
        read(later)
    assert caught.value.identifier == "RunMat:accel:invalidHandle"


def test_faults_of_planning_leave_the_values() -> None:
    from runmat_core.accel.planning.planner import Passes

    def broken(*arguments: Any) -> Any:
        raise ZeroDivisionError("a pass that is wrong")

    engine = inprocess(passes=Passes(broken, broken, broken, broken))
    with told() as warnings:
        for _ in range(2):
            np.testing.assert_array_equal(read(call(engine, "plus", array(), 1.5)), array() + 1.5)
    assert [identifier for identifier, _ in warnings] == ["RunMat:accel:planning"]
    assert "a pass that is wrong" in warnings[0][1]
    assert engine.counters.failures == 2


def test_a_fault_says_what_it_is() -> None:
    engine = null({"fail": "execute:1"})
    with told() as warnings:
        read(call(engine, "plus", array(), 1.5))
    assert isinstance(warnings[0][1], str)
    assert warnings[0] == (
        DeviceFault.identifier,
        f"The acceleration provider '{next(iter(engine.stores))}' failed in 'execute': "
        "RuntimeError: execute was told to fail. Host rules are used where they can be.",
    )


# -- handles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [null, inprocess])
def test_every_handle_is_given_back_once(make: Any) -> None:
    engine = make()
    with told() as warnings:
        for seed in range(3):
            check(*program(engine, seed))
        kept = call(engine, "exp", array())
        engine.run([node(kept)])
        assert engine.live_handles > 0
        del kept
        if make is null:
            # the records hold the arrays that went there
            recorder(engine).requests.clear()
        gc.collect()
        assert engine.live_handles == 0
    assert warnings == []
    assert engine.counters.faults == 0
    (store,) = engine.stores.values()
    assert store.provider.telemetry().live_arrays == 0
    assert store.provider.telemetry().live_bytes == 0


def test_closing_gives_everything_back() -> None:
    engine = null()
    x = array()
    read(call(engine, "sqrt", x))
    device = recorder(engine)
    assert device.live
    engine.close()
    assert device.live == set()
