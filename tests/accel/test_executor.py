"""Running plans: one request for each stretch on a provider, memory, transfers, publication."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.capture.boundary import deferred, node_of
from runmat_core.accel.graph.node import Node, Op
from runmat_core.accel.running.engine import Engine
from runmat_core.api.device import Copy, Launch
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import from_numpy
from tests.accel.machine import Data, Settings, call, inprocess, null, read, recorder

SHAPE = (50, 40)
BYTES = 8 * 2000


def array(seed: int = 0) -> Data:
    return np.asfortranarray(np.random.default_rng(seed).random(SHAPE))


def node(value: Any) -> Node:
    found: Node = value.promise.node
    return found


def requests(engine: Engine, hook: str) -> list[Any]:
    return [request for name, request in recorder(engine).requests if name == hook]


def _twice(node: Node, value: Any) -> Any:
    if np.any(read(value) > 1e6):
        raise MatlabError("test:tooLarge", "Too large.")
    return from_numpy(read(value) * 2)


#: What no kernel computes.
OPAQUE = Op("twice", "map", _twice)


def twice(engine: Engine, value: Any) -> Any:
    graph = engine.graph
    below: Any = node_of(graph, value)
    return deferred(graph.append(OPAQUE, (below,), (), below.shape, below.cls))


def centred(engine: Engine, value: Any, times: int) -> Any:
    """As many times as said: take off the mean of the columns, and twice."""
    for _ in range(times):
        value = call(engine, "minus", value, call(engine, "mean", value, axes=(0,)))
        value = call(engine, "times", value, 2.5)
    return value


def centred_by_numpy(x: Data, times: int) -> Data:
    for _ in range(times):
        x = (x - x.mean(0, keepdims=True)) * 2.5
    return x


# -- requests -------------------------------------------------------------------------------------


def test_a_plan_is_one_request() -> None:
    engine = null({"slice_bytes": 0})
    x = array()
    np.testing.assert_allclose(
        read(centred(engine, x, 4)), centred_by_numpy(x, 4), rtol=1e-9, atol=1e-12
    )
    (execute,) = requests(engine, "execute")
    # the means, then each time what is left together with its means
    assert len(execute.steps) == 5
    assert all(isinstance(step, Launch) for step in execute.steps)


def test_host_rules_stand_between_requests() -> None:
    engine = null()
    x = array()
    value = call(engine, "exp", twice(engine, call(engine, "plus", x, 1.5)))
    np.testing.assert_allclose(read(value), np.exp((x + 1.5) * 2), rtol=1e-14)
    assert len(requests(engine, "execute")) == 2
    # what the rule reads and what it makes go over once
    assert [len(request.arrays) for request in requests(engine, "download")] == [1, 1]
    assert [len(request.arrays) for request in requests(engine, "upload")] == [1, 1]


def test_what_two_stretches_read_is_moved_once() -> None:
    engine = null()
    x = array()
    first = call(engine, "plus", x, 1.5)
    other = twice(engine, first)
    value = call(engine, "times", call(engine, "plus", other, first), x)
    np.testing.assert_allclose(read(value), ((x + 1.5) * 2 + (x + 1.5)) * x, rtol=1e-14)
    arrays = [a for request in requests(engine, "upload") for a in request.arrays]
    assert len(arrays) == 2


def test_what_a_host_rule_has_read_does_not_come_again() -> None:
    engine = null()
    x = array()
    first = call(engine, "plus", x, 1.5)
    other = twice(engine, first)
    engine.graph.bring([node(first), node(other)])
    np.testing.assert_allclose(node(first).data, x + 1.5, rtol=1e-14)
    np.testing.assert_allclose(node(other).data, (x + 1.5) * 2, rtol=1e-14)
    assert len(requests(engine, "download")) == 1


def test_the_status_word_is_cleared_once_in_a_run() -> None:
    engine = null()
    x = array()
    first = call(engine, "sqrt", call(engine, "minus", x, 0.5))
    value = call(engine, "sqrt", twice(engine, call(engine, "plus", first, x)))
    np.testing.assert_allclose(
        read(value), np.emath.sqrt((np.emath.sqrt(x - 0.5) + x) * 2), rtol=1e-13
    )
    steps = [request.steps for request in requests(engine, "execute")]
    # what the roots are of is computed once more, without a guard, and the sum of complex elements
    assert [[isinstance(step, Copy) for step in run] for run in steps] == [
        [True, False],
        [False],
        [False],
        [False],
    ]


def test_the_status_word_is_made_once_in_a_session() -> None:
    engine = null()
    x = array()
    for _ in range(3):
        read(call(engine, "sqrt", call(engine, "plus", x, 1.5)))
    guarded = [request for request in requests(engine, "execute") if request.status is not None]
    assert len(guarded) == 3
    # the array, and the word that stays zero
    assert sum(len(request.arrays) for request in requests(engine, "upload")) == 2
    recorder(engine).requests.clear()
    del x, guarded
    gc.collect()
    assert engine.live_handles == 0


def test_random_positions_are_whole_numbers() -> None:
    engine = null()
    draw = Op("rand", "random", _twice)
    static = (("distribution", "uniform"),)
    inputs = (7, 3, 4096, 1)
    drawn = engine.graph.append(draw, inputs, static, SHAPE, "double")
    read(call(engine, "plus", deferred(drawn), 1.5))
    (execute,) = requests(engine, "execute")
    assert sorted(p for p in execute.params if p.__class__ is int) == sorted(inputs)


# -- memory ---------------------------------------------------------------------------------------


def test_temporary_arrays_are_taken_again() -> None:
    engine = null({"slice_bytes": 0})
    x = array()
    read(centred(engine, x, 8))
    assert len(recorder(engine).launches) == 9
    # the source, two arrays that take turns, and the means
    small = 8 * SHAPE[1] * 4
    assert recorder(engine).peak_bytes <= 3 * BYTES + small
    (allocate,) = requests(engine, "allocate")
    assert len(allocate.arrays) <= 6


def test_temporary_arrays_between_requests_are_freed_on_the_way() -> None:
    engine = null()
    value: Any = from_numpy(array())
    for _ in range(8):
        value = call(engine, "plus", twice(engine, value), 1.5)
    read(value)
    assert recorder(engine).peak_bytes <= 4 * BYTES


@pytest.mark.parametrize("make", [null, inprocess])
def test_nothing_stays_but_what_is_published(make: Any) -> None:
    engine = make()
    value = centred(engine, array(), 3)
    read(value)
    (store,) = engine.stores.values()
    held = store.live
    for seed in range(1, 4):
        value = centred(engine, array(seed), 3)
        read(value)
        if make is null:
            recorder(engine).requests.clear()
        engine.live_handles  # noqa: B018 - lets go of what nobody holds
        assert store.live <= held + 2


def test_arrays_are_sent_once() -> None:
    engine = null()
    x, y = array(1), array(2)
    value = from_numpy(x)
    other = from_numpy(y)
    for k in range(4):
        read(call(engine, "plus", call(engine, "times", value, 1.5 + k), other))
    assert sum(len(request.arrays) for request in requests(engine, "upload")) == 2


def test_results_are_not_sent_again() -> None:
    engine = null()
    first = call(engine, "plus", array(), 1.5)
    read(first)
    read(call(engine, "exp", first))
    assert sum(len(request.arrays) for request in requests(engine, "upload")) == 1


def test_results_stay_on_the_device_until_they_are_read() -> None:
    engine = null()
    value: Any = array()
    for k in range(3):
        value = call(engine, "times", value, 1.5 + k)
        engine.run([node(value)])
    assert requests(engine, "download") == []
    np.testing.assert_allclose(read(value), array() * 1.5 * 2.5 * 3.5, rtol=1e-14)
    assert len(requests(engine, "download")) == 1


def test_a_device_and_the_host_pass_arrays_to_each_other() -> None:
    device, host = null(), inprocess()
    both = Engine(Settings(accel__provider="null", accel__offload__force="device"))
    both.choice  # noqa: B018 - starts the providers
    x = array()
    value = call(both, "plus", x, 1.5)
    both.run([node(value)])
    owner = node(value).data.owner
    # from now on everything runs on the host's side
    both.config["accel.offload.force"] = "host"
    both._passes = None
    both._plans.clear()
    later = call(both, "exp", value)
    both.run([node(later)])
    assert node(later).data.owner != owner
    np.testing.assert_allclose(read(later), np.exp(x + 1.5), rtol=1e-14)
    assert device.stores == host.stores == {}


def test_writing_into_an_array_changes_no_copy() -> None:
    from runmat_core.values.base import is_sole_owner

    engine = null()
    value = from_numpy(array())
    first = read(call(engine, "plus", value, 1.5)).copy()
    # the copy on the device is what the array was: whoever writes must see that it is shared
    assert not is_sole_owner(value)
    value = from_numpy(array() * 2)
    second = read(call(engine, "plus", value, 1.5))
    np.testing.assert_array_equal(first, array() + 1.5)
    np.testing.assert_array_equal(second, array() * 2 + 1.5)


# -- publication ----------------------------------------------------------------------------------


def test_an_error_publishes_nothing() -> None:
    engine = inprocess()
    good = call(engine, "plus", array(), 1.5)
    bad = twice(engine, call(engine, "times", good, 1e9))
    with pytest.raises(MatlabError) as caught:
        engine.run([node(good), node(bad)])
    assert caught.value.identifier == "test:tooLarge"
    assert node(good).data is None
    assert node(bad).data is None
    np.testing.assert_array_equal(read(good), array() + 1.5)
    with pytest.raises(MatlabError):
        read(bad)


def test_an_error_behind_a_fired_guard_is_looked_at_again() -> None:
    engine = inprocess()
    x = array() - 0.5
    # where the guard fires the kernel's elements mean nothing, and what a rule says of them neither
    root = call(engine, "sqrt", x)
    value = twice(engine, call(engine, "times", root, root))
    np.testing.assert_allclose(read(value), 2 * x, atol=1e-14)


def test_a_rule_that_gives_complex_elements_ends_the_plan() -> None:
    def root(node: Node, value: Any) -> Any:
        return from_numpy(np.emath.sqrt(read(value)))

    engine = inprocess()
    op = Op("root", "map", root)
    x = array() - 0.5
    below: Any = node_of(engine.graph, from_numpy(x))
    made = deferred(engine.graph.append(op, (below,), (), SHAPE, "double"))
    value = call(engine, "times", made, made)
    np.testing.assert_allclose(read(value), x, atol=1e-14)
    assert engine.counters.guards_fired == 1


def test_all_roots_come_from_one_run() -> None:
    engine = inprocess()
    x = array()
    values = [call(engine, name, x) for name in ("exp", "sin", "abs")]
    engine.run([node(value) for value in values])
    assert engine.counters.launches == 1
    for value, function in zip(values, (np.exp, np.sin, np.abs), strict=True):
        np.testing.assert_allclose(read(value), function(x), rtol=1e-14)
