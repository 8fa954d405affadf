"""Repeats as they reach the queue: what trips compute, in how few submissions."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import numpy as np
import pytest
from runmat_wgpu.codegen.shader import Bind, Dispatch, Prepared, Shader

from runmat_core.api.device import (
    Addressing,
    Copy,
    DeviceFault,
    Launch,
    Repeat,
    TelemetryRequest,
)
from tests.providers.wgpu.hand import Hand
from tests.providers.wgpu.machine import adapter_device

N = 100


@pytest.fixture(scope="module", params=["immediates", "uniforms"])
def hand(request: pytest.FixtureRequest) -> Hand:
    adapter_device()  # skips where there is none
    made = Hand(probe="never")
    if request.param == "uniforms":
        made.provider.device()._pipelines._most = 0
    return made


def counters(hand: Hand) -> dict[str, float]:
    told = hand.provider.telemetry(TelemetryRequest())
    return {**dict(told.counters), "launches": told.launches}


def vectors(hand: Hand, *rows: Any) -> tuple[Any, ...]:
    return hand.upload(*[np.asarray(row, np.float32).reshape(-1, 1) for row in rows])


def trips(
    a: Any, b: Any, count: int, step: Any, rotation: tuple[tuple[int, int], ...]
) -> list[Any]:
    """The oracle: arrays of the slots after so many trips."""
    slots = [a.copy(), b.copy()]
    for trip in range(count):
        step(slots, trip)
        slots = [slots[dict(rotation).get(k, k)] for k in range(len(slots))]
    return slots


@pytest.mark.parametrize("count", [1, 2, 5, 300])
@pytest.mark.parametrize("rotation", [(), ((0, 1), (1, 0))])
def test_trips_run_one_after_another(hand: Hand, count: int, rotation: Any) -> None:
    a, b = np.arange(N, dtype=np.float32), np.zeros(N, np.float32)
    handles = vectors(hand, a, b)

    def step(slots: list[Any], trip: int) -> None:
        slots[1][:] = slots[0] * np.float32(0.5) + np.float32(1)

    hand.execute((Repeat((hand.affine(N),), count, rotation),), handles, (1.0, 0.5, 0, 0))
    expected = trips(a, b, count, step, rotation)
    # the slots are the host's again: those that changed places are still the same arrays
    arrays = {0: a, 1: b}
    if rotation and count % 2:
        arrays = {1: expected[0], 0: expected[1]}
    else:
        arrays = {0: expected[0], 1: expected[1]}
    for k in (0, 1):
        np.testing.assert_allclose(hand.download(handles[k])[0].ravel(), arrays[k], rtol=1e-6)


def test_later_steps_see_the_slots_where_the_last_trip_left_them(hand: Hand) -> None:
    a, b, c = vectors(hand, np.zeros(N), np.zeros(N), np.zeros(N))
    swap = ((0, 1), (1, 0))
    steps = (Repeat((hand.affine(N),), 3, swap), Copy(0, 2))
    hand.execute(steps, (a, b, c), (1.0, 1.0, 0, 0))
    np.testing.assert_array_equal(hand.download(c)[0], np.full((N, 1), 3.0))


@pytest.mark.parametrize("count", [3, 700])
def test_scalars_advance(hand: Hand, count: int) -> None:
    handles = vectors(hand, np.ones(4), np.zeros(4))
    start = 2**32 - 2
    advance = ((0, 0.1), (2, 3))
    repeat = Repeat((hand.affine(4), Copy(1, 0)), count, (), advance)
    follow = hand.affine(4)
    hand.execute((repeat, follow), handles, (0.25, 0.0, start, 7))
    shift = 0.25
    for _ in range(count):
        shift += 0.1
    number = start + (7 << 32) + 3 * count
    expected = np.float32(shift) + np.float32(number & 0xFFFFFFFF) + np.float32(number >> 32) * 100
    got = hand.download(handles[1])[0].ravel()
    np.testing.assert_allclose(got, np.full(4, expected), rtol=1e-6)


def test_counters_of_every_trip_are_right(hand: Hand) -> None:
    """Each trip writes its own element of what is moved along, so that all of them can be seen."""
    count = 500
    (out,) = vectors(hand, np.zeros(count))
    (one,) = vectors(hand, np.zeros(count))
    launch = Launch(
        hand.executable(_Mark()), (0, 1), (1,), (Addressing(0, (1,)),), (0, 1, 2), "mark"
    )
    start = 2**32 - 100
    repeat = Repeat((launch,), count, (), ((0, 1), (2, 0.5)), ((0, 0, 1),))
    hand.execute((repeat,), (one, out), (start, 0, 10.0))
    numbers = start + np.arange(count)
    expected = (numbers >> 32) * 1000.0 + numbers % 256 + (10.0 + 0.5 * np.arange(count))
    np.testing.assert_array_equal(hand.download(out)[0].ravel(), expected)


_MARK = """
struct P { zero: u32, at: i32, low: u32, high: u32, x: f32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(1) @binding(0) var<uniform> p: P;
@compute @workgroup_size(1)
fn main() {
    b[p.at] = a[p.at] + f32(p.high) * 1000.0 + f32(p.low % 256u) + p.x;
}
"""


@attrs.frozen
class _Mark:
    source: str = _MARK
    listed: bool = True

    def prepare(self, extents: tuple[int, ...], views: tuple[Any, ...]) -> Prepared:
        words = struct.pack("<IiIIfIII", 0, views[0].offset, 0, 0, 0, 0, 0, 0)
        dispatch = Dispatch(
            Shader(self.source, ("read", "write"), 32),
            (1, 1, 1),
            (Bind("slot", 0), Bind("slot", 1)),
            words,
            ((8, "u32", 0), (12, "u32", 1), (16, "f32", 2)),
            ((4, 0),) if self.listed else (),
        )
        return Prepared((dispatch,))


def test_views_that_no_word_tells_of_are_prepared_for_each_trip(hand: Hand) -> None:
    one, out = vectors(hand, np.zeros(9), np.zeros(9))
    launch = Launch(
        hand.executable(_Mark(listed=False)), (0, 1), (1,), (Addressing(8, (1,)),), (0, 1, 2)
    )
    repeat = Repeat((launch,), 5, (), ((2, 1.0),), ((0, 0, -2),))
    hand.execute((repeat,), (one, out), (0, 0, 1.0))
    np.testing.assert_array_equal(hand.download(out)[0].ravel(), [5, 0, 4, 0, 3, 0, 2, 0, 1])


def test_long_repeats_are_several_submissions(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    from runmat_wgpu.device import repeats

    monkeypatch.setattr(repeats, "LONGEST", 0.0)
    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    monkeypatch.setattr(repeats, "FIRST", 1)
    steps = (Repeat((hand.affine(N),), 140, ((0, 1), (1, 0))),)
    before = counters(hand)
    hand.execute(steps, (a, b), (1.0, 1.0, 0, 0))
    after = counters(hand)
    assert after["submits"] - before["submits"] > 100
    assert after["launches"] - before["launches"] == 140
    np.testing.assert_array_equal(hand.download(a)[0], np.full((N, 1), 140.0))


def calls_of(work: Callable[[], Any]) -> int:
    """Count calls of Python functions."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("rotation", [(), ((0, 1), (1, 0))])
@pytest.mark.parametrize("advance", [(), ((0, 0.5),)])
def test_no_function_is_called_between_trips(
    hand: Hand, rotation: Any, advance: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runmat_wgpu.device import repeats

    monkeypatch.setattr(repeats, "LONGEST", 1e9)  # how often is waited must not decide
    handles = vectors(hand, np.zeros(N), np.zeros(N))
    affine = hand.affine(N)
    found = []
    for count in (750, 990):  # as many submissions
        steps = (Repeat((affine, affine), count, rotation, advance),)
        run = partial(hand.execute, steps, handles, (1.0, 0.5, 0, 0))
        run()
        found.append(calls_of(run))
    assert found[0] == found[1]


def test_submissions_grow(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    from runmat_wgpu.device import recorder, repeats

    monkeypatch.setattr(repeats, "LONGEST", 1e9)
    handles = vectors(hand, np.zeros(N), np.zeros(N))
    steps = (Repeat((hand.affine(N),), 2000, ((0, 1), (1, 0))),)
    hand.execute(steps, handles, (1.0, 1.0, 0, 0))
    recorded: list[int] = []
    original = recorder.Recorder.dispatches

    def noting(self: Any, entries: Any, places: Any) -> None:
        entries = list(entries)
        recorded.append(len(entries))
        original(self, entries, places)

    monkeypatch.setattr(recorder.Recorder, "dispatches", noting)
    hand.execute(steps, handles, (1.0, 1.0, 0, 0))
    # the device works on the first ones while the others are recorded
    assert recorded == [64, 128, 256, 512, 512, 512, 16]


def counting(steps: tuple[Any, ...], slots: list[float]) -> list[float]:
    """What arrays of one number hold after steps that add one to the first and store it in the
    second, by the array that each slot has at first."""
    values, at = list(slots), list(range(len(slots)))
    for step in steps:
        for _ in range(step.count if isinstance(step, Repeat) else 1):
            for one in step.steps if isinstance(step, Repeat) else (step,):
                copies = isinstance(one, Copy)
                source, target = (one.source, one.target) if copies else one.slots
                values[at[target]] = values[at[source]] + (not copies)
            turned = dict(step.rotation) if isinstance(step, Repeat) else {}
            at = [at[turned.get(k, k)] for k in range(len(at))]
    return values


@pytest.mark.parametrize("count", [2, 3])
def test_short_repeats_are_submitted_with_what_is_around(hand: Hand, count: int) -> None:
    swap = ((0, 1), (1, 0))
    add = hand.affine(N)
    short = Repeat((add, Copy(1, 2)), count, swap)
    for steps, submits in (
        ((short, add, short, Copy(0, 2)), 1),
        ((short, Repeat((add,), 199, swap), short, Copy(1, 2)), None),
    ):
        handles = vectors(hand, np.full(N, 3), np.zeros(N), np.zeros(N))
        before = counters(hand)["submits"]
        hand.execute(steps, handles, (1.0, 1.0, 0, 0))
        if submits is not None:
            assert counters(hand)["submits"] - before == submits
        for handle, value in zip(handles, counting(steps, [3.0, 0.0, 0.0]), strict=True):
            np.testing.assert_array_equal(hand.download(handle)[0], np.full((N, 1), value))


def test_bindings_of_repeats_serve_again(hand: Hand) -> None:
    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    steps = (Repeat((hand.affine(N),), 200, ((0, 1), (1, 0))),)
    for handles in ((a, b), (b, a), (a, b)):
        before = counters(hand)
        hand.execute(steps, handles, (1.0, 1.0, 0, 0))
    after = counters(hand)
    assert after["bind_group_hits"] == before["bind_group_hits"]
    assert after["bind_group_misses"] == before["bind_group_misses"]
    values = counting(steps, [0.0, 0.0])
    values = counting(steps, values[::-1])[::-1]
    values = counting(steps, values)
    for handle, value in zip((a, b), values, strict=True):
        np.testing.assert_array_equal(hand.download(handle)[0], np.full((N, 1), value))


def test_a_view_past_what_its_word_holds_is_a_fault(hand: Hand) -> None:
    one, out = vectors(hand, np.zeros(4), np.zeros(4))
    launch = Launch(hand.executable(_Mark()), (0, 1), (1,), (Addressing(0, (1,)),), (0, 1, 2))
    repeat = Repeat((launch,), 3, (), (), ((0, 0, 2**30),))
    with pytest.raises(DeviceFault, match="32 bits"):
        hand.execute((repeat,), (one, out), (0, 0, 1.0))
