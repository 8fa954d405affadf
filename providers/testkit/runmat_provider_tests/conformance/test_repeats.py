"""Repeats: what changes from trip to trip, and what the steps after them see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import Addressing, ExecuteRequest, Launch, Repeat
from runmat_core.api.ir import V
from runmat_provider_tests.device import Data, Device, Draft
from runmat_provider_tests.philox import draw

#: Elements of the arrays.
SIZE = 12


def launch_of(device: Device, draft: Draft, addressing: tuple[Addressing, ...]) -> Launch:
    kernel = draft.kernel()
    missing = device.undeclared(kernel)
    missing += [] if device.capabilities.repeats else ["repeats"]
    if missing:
        pytest.skip(f"not declared: {', '.join(missing)}")
    executable = device.accepted(kernel)
    slots, params = range(len(kernel.buffers)), range(len(kernel.params))
    return Launch(executable, tuple(slots), draft.extents, addressing, tuple(params), "test")


def run(device: Device, steps: tuple[Any, ...], arrays: list[Data], params: list[Any]) -> Data:
    """Return what the last array holds afterwards."""
    handles = device.upload(*[array.reshape(-1, 1).copy() for array in arrays])
    request = ExecuteRequest(steps=steps, slots=handles, params=tuple(params))
    assert device.hook.execute(request=request)
    (found,) = device.download(handles[-1])
    device.free(*handles)
    return np.asarray(found).ravel()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_slots_params_and_places_change_from_trip_to_trip(device: Device, count: int) -> None:
    """The state goes to and fro between two arrays, each trip leaves its own part of a third.

    The step after the repeat sees slots and params as the last trip left them.
    """
    start = np.arange(SIZE, dtype=np.float32)
    draft = Draft((SIZE,))
    value = draft.load(start) + draft.param(0.5, "f32")
    draft.store(value)
    draft.store(value, (True,), Addressing(0, (1,)), SIZE * (count + 1))
    views = tuple(draft.addressing)
    launch = launch_of(device, draft, views)
    after = launch_of(device, draft, (*views[:2], Addressing(SIZE * count, (1,))))
    repeat = Repeat((launch,), count, ((0, 1), (1, 0)), ((0, 0.25),), ((0, 2, SIZE),))
    out = np.zeros(SIZE * (count + 1), np.float32)
    got = run(device, (repeat, after), [start, np.zeros_like(start), out], [0.5])
    expected, state = [], start
    for trip in range(count + 1):
        state = state + np.float32(0.5 + 0.25 * trip)
        expected.append(state)
    np.testing.assert_array_equal(got, np.concatenate(expected))


def test_a_position_in_the_random_stream_advances_beyond_its_low_word(device: Device) -> None:
    key, position, count = (1234, 5678), 2**32 - 2 * SIZE, 4
    scalars = [*key, position & 0xFFFFFFFF, position >> 32]
    draft = Draft((SIZE,))
    args = [draft.index(), *[draft.param(s, "u32") for s in scalars]]
    numbers = [a.position for a in args]
    made = draft.builder.emit("random", numbers, "f32", 1, ("uniform", "f32"))
    draft.store(V(draft.builder, made), (True,), Addressing(0, (1,)), SIZE * count)
    launch = launch_of(device, draft, tuple(draft.addressing))
    repeat = Repeat((launch,), count, (), ((2, SIZE),), ((0, 1, SIZE),))
    got = run(device, (repeat,), [np.zeros(SIZE * count, np.float32)], scalars)
    expected = draw("uniform", "f32", np.arange(SIZE * count), key, position)
    np.testing.assert_array_equal(got, expected)


def test_what_advances_below_zero_wraps(device: Device) -> None:
    """Words are added to modulo 2^64, so that a stream may be read backwards, too."""
    key, count = (7, 9), 3
    scalars = [*key, SIZE, 0]
    draft = Draft((SIZE,))
    args = [draft.index(), *[draft.param(s, "u32") for s in scalars]]
    numbers = [a.position for a in args]
    made = draft.builder.emit("random", numbers, "f32", 1, ("uniform", "f32"))
    draft.store(V(draft.builder, made), (True,), Addressing(0, (1,)), SIZE * count)
    launch = launch_of(device, draft, tuple(draft.addressing))
    repeat = Repeat((launch,), count, (), ((2, -SIZE),), ((0, 1, SIZE),))
    got = run(device, (repeat,), [np.zeros(SIZE * count, np.float32)], scalars)
    parts = [
        draw("uniform", "f32", np.arange(SIZE), key, at % (1 << 64)) for at in (SIZE, 0, -SIZE)
    ]
    np.testing.assert_array_equal(got, np.concatenate(parts))
