"""Launches, copies and repeats as they reach the queue: what is computed, in how few submits."""

from __future__ import annotations

import struct
from typing import Any

import attrs
import numpy as np
import pytest
from runmat_wgpu.codegen.shader import Bind, Dispatch, Prepared, Shader
from runmat_wgpu.device.adapter import Adapter

from runmat_core.api.device import (
    Addressing,
    Copy,
    DeviceFault,
    ExecuteRequest,
    Launch,
    Repeat,
    SynchronizeRequest,
    TelemetryRequest,
)
from tests.providers.wgpu.hand import AFFINE, Affine, Hand
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


# -- rows -----------------------------------------------------------------------------------------


def test_launches_of_a_request_are_one_submission_in_order(hand: Hand) -> None:
    a, b = vectors(hand, np.arange(N), np.zeros(N))
    steps = tuple(hand.affine(N, (0, 1) if k % 2 == 0 else (1, 0)) for k in range(7))
    before = counters(hand)
    hand.execute(steps, (a, b), (1.0, 2.0, 0, 0))
    after = counters(hand)
    assert after["submits"] == before["submits"] + 1
    assert after["launches"] == before["launches"] + 7
    assert after["host_waits"] == before["host_waits"]
    (got,) = hand.download(b)
    np.testing.assert_array_equal(got.ravel(), np.arange(N) * 2.0**7 + (2**7 - 1))


def test_synchronizing_waits_for_what_was_submitted_last(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the device is no emulation the host watches a map that comes after everything."""
    monkeypatch.setattr(Adapter, "software", False)
    a, b = vectors(hand, np.arange(N), np.zeros(N))
    device = hand.provider.device()
    watched: list[int] = []
    ask = device.gpu.watch

    def watch(status: list[int]) -> None:
        assert status[0] == 0  # the map was asked for after the kernel was submitted
        ask(status)
        watched.append(status[0])

    monkeypatch.setattr(device.gpu, "watch", watch)
    for k in range(3):
        hand.execute((hand.affine(N, (0, 1)),), (a, b), (float(k), 1.0, 0, 0))
        before = counters(hand)
        watched.clear()
        hand.provider.synchronize(SynchronizeRequest())
        assert watched == [1]
        after = counters(hand)
        assert after["host_waits"] == before["host_waits"] + 1
        assert after["submits"] > before["submits"]


def test_the_same_steps_run_with_other_scalars_and_arrays(hand: Hand) -> None:
    steps = (hand.affine(N),)
    for scale in (1.0, 3.0, 3.0, float("inf"), 1e300, float("nan")):
        a, b = vectors(hand, np.ones(N), np.zeros(N))
        hand.execute(steps, (a, b), (0.5, scale, 2, 1))
        with np.errstate(over="ignore"):
            expected = np.float32(scale) + np.float32(102.5)
        np.testing.assert_array_equal(hand.download(b)[0], np.full((N, 1), expected))
        hand.free(a, b)


def test_scalars_wrap_around_as_integers_do(hand: Hand) -> None:
    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    hand.execute((hand.affine(N),), (a, b), (0.0, 1.0, 2**32 + 5, True))
    np.testing.assert_array_equal(hand.download(b)[0], np.full((N, 1), 105.0))


def test_copies_stand_between_launches(hand: Hand) -> None:
    a, b, c = vectors(hand, np.ones(N), np.zeros(N), np.full(N, 7.0))
    steps = (hand.affine(N), Copy(1, 2), hand.affine(N, (2, 0)), Copy(0, 0))
    hand.execute(steps, (a, b, c), (1.0, 2.0, 0, 0))
    for handle, value in ((b, 3.0), (c, 3.0), (a, 7.0)):
        np.testing.assert_array_equal(hand.download(handle)[0], np.full((N, 1), value))


def test_a_kernel_may_write_what_it_reads(hand: Hand) -> None:
    (a,) = vectors(hand, np.arange(N))
    launch = hand.affine(N, (0, 0), (Addressing(0, (1,)),))
    hand.execute((launch, launch), (a,), (1.0, 2.0, 0, 0))
    np.testing.assert_array_equal(hand.download(a)[0].ravel(), np.arange(N) * 4.0 + 3)


def test_more_launches_than_a_row_holds(hand: Hand) -> None:
    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    steps = tuple(hand.affine(N, (0, 1) if k % 2 == 0 else (1, 0)) for k in range(600))
    hand.execute(steps, (a, b), (1.0, 1.0, 0, 0))
    np.testing.assert_array_equal(hand.download(a)[0], np.full((N, 1), 600.0))


@attrs.frozen
class Wordy(Affine):
    """The same with more words than come with commands."""

    source: str = AFFINE.replace("pad: u32 }", ", ".join(f"pad{k}: u32" for k in range(257)) + " }")

    def prepare(self, extents: tuple[int, ...], views: tuple[Any, ...]) -> Prepared:
        prepared = super().prepare(extents, views)
        (one,) = prepared.dispatches
        more = bytes(1024)
        shader = attrs.evolve(one.shader, words=one.shader.words + len(more))
        one = attrs.evolve(one, shader=shader, words=one.words + more)
        return attrs.evolve(prepared, dispatches=(one,))


@pytest.mark.parametrize("count", [1, 200])
def test_few_words_come_with_commands_and_many_in_a_buffer(hand: Hand, count: int) -> None:
    a, b, c = vectors(hand, np.arange(N), np.zeros(N), np.zeros(N))
    wordy = Launch(hand.executable(Wordy(), "wordy"), (1, 2), (N,), (), (0, 1, 2, 3))
    row = (hand.affine(N), wordy)
    steps = row if count == 1 else (Repeat(row, count, ((0, 2), (2, 0)), ((2, 1),)),)
    for shift in (1.0, 3.0):
        wanted, times = np.arange(N), 1 if count == 1 else count
        for trip in range(times):
            for _ in range(2):
                wanted = wanted * 0.5 + shift + trip
        hand.execute(steps, (a, b, c), (shift, 0.5, 0, 0))
        (got,) = hand.download(c if count == 1 or count % 2 else a)
        np.testing.assert_allclose(got.ravel(), wanted, rtol=1e-6)
        again, _, _ = vectors(hand, np.arange(N), np.zeros(N), np.zeros(N))
        a = again
    raw = hand.provider.device()._pipelines._pipelines
    assert {p.immediate for p in raw.values()} == {
        hand.provider.device()._pipelines._most > 0,
        False,
    }


def test_words_start_over_when_their_buffer_is_full(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runmat_wgpu.device import words

    monkeypatch.setattr(words, "SIZE", 1024)
    programs = [(hand.affine(N),) for _ in range(12)]
    for _ in range(2):
        for number, steps in enumerate(programs):
            a, b = vectors(hand, np.ones(N), np.zeros(N))
            hand.execute(steps, (a, b), (float(number), 1.0, 0, 0))
            np.testing.assert_array_equal(hand.download(b)[0], np.full((N, 1), number + 1.0))


def test_bindings_of_dropped_buffers_are_made_anew(hand: Hand) -> None:
    steps = (hand.affine(N),)
    for scale in (2.0, 3.0):
        a, b = vectors(hand, np.ones(N), np.zeros(N))
        hand.execute(steps, (a, b), (0.0, scale, 0, 0))
        np.testing.assert_array_equal(hand.download(b)[0], np.full((N, 1), scale))
        hand.free(a, b)
        hand.provider.device()._pool.clear()
    assert hand.provider.device()._pool.kept == 0


def test_dropped_buffers_are_held_by_no_binding(hand: Hand) -> None:
    """A program that is not run again must not keep memory that the pool has let go."""
    steps = (hand.affine(N),)
    a, b = vectors(hand, np.ones(N), np.zeros(N))
    hand.execute(steps, (a, b), (0.0, 2.0, 0, 0))
    device = hand.provider.device()
    (row,) = device._programs.get(steps)
    (binding,) = row._bindings.values()  # type: ignore[attr-defined]
    assert all(group.raw is not None for group in binding.groups)
    hand.free(a, b)
    device._pool.clear()
    assert all(group.raw is None for group in binding.groups)
    a, b = vectors(hand, np.ones(N), np.zeros(N))
    hand.execute(steps, (a, b), (0.0, 2.0, 0, 0))
    np.testing.assert_array_equal(hand.download(b)[0], np.full((N, 1), 2.0))


# -- what is held back for a download -------------------------------------------------------------


def test_what_is_read_next_is_submitted_with_the_download(hand: Hand) -> None:
    a, b = vectors(hand, np.arange(N), np.zeros(N))
    before = counters(hand)
    hand.execute((hand.affine(N),), (a, b), (1.0, 2.0, 0, 0), read_next=True)
    assert counters(hand)["launches"] == before["launches"] + 1
    (got,) = hand.download(b)
    np.testing.assert_array_equal(got.ravel(), np.arange(N) * 2.0 + 1)
    # telling counters submits, too, what waits: so this one is told apart from the one above
    before = counters(hand)
    hand.execute((hand.affine(N),), (b, a), (1.0, 2.0, 0, 0), read_next=True)
    (got,) = hand.download(a)
    assert counters(hand)["submits"] == before["submits"] + 1
    np.testing.assert_array_equal(got.ravel(), np.arange(N) * 4.0 + 3)


@pytest.mark.parametrize("follows", ["execute", "upload", "write", "synchronize", "free", "empty"])
def test_what_is_held_back_runs_before_whatever_follows(hand: Hand, follows: str) -> None:
    a, b = vectors(hand, np.ones(N), np.zeros(N))
    steps = (hand.affine(N),)
    hand.execute(steps, (a, b), (0.5, 2.0, 0, 0), read_next=True)
    expected = 2.5
    if follows == "execute":  # the same words, with other scalars
        hand.execute(steps, (b, a), (1.0, 3.0, 0, 0), read_next=True)
        b, expected = a, 8.5
    elif follows == "upload":
        hand.upload(np.zeros((N, 1), np.float32))
    elif follows == "write":  # an upload that takes the memory of what the kernel reads
        hand.free(a)
        hand.upload(np.full((N, 1), 9.0, np.float32))
    elif follows == "synchronize":
        hand.provider.synchronize(SynchronizeRequest())
    elif follows == "free":
        hand.free(a)
        hand.provider.device()._pool.clear()
    else:
        hand.download(*hand.allocate(((0, 1), "f32")))
    np.testing.assert_array_equal(hand.download(b)[0], np.full((N, 1), expected))


def test_a_provider_may_be_closed_while_something_is_held_back() -> None:
    adapter_device()
    hand = Hand(probe="never")
    a, b = vectors(hand, np.ones(N), np.zeros(N))
    hand.execute((hand.affine(N),), (a, b), (0.5, 2.0, 0, 0), read_next=True)
    hand.provider.close()


# -- memory of a launch's own ---------------------------------------------------------------------

_ADD = """
struct P { zero: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(1) @binding(0) var<uniform> p: P;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
    if (g.x < arrayLength(&a)) { b[g.x] = b[g.x] + a[g.x]; }
}
"""


@attrs.frozen
class Twice:
    """b = b + 2 a, by way of scratch that must be zero."""

    source: str = _ADD

    def prepare(self, extents: tuple[int, ...], views: tuple[Any, ...]) -> Prepared:
        (n,) = extents
        shader = Shader(self.source, ("read", "write"), 16)
        zero = struct.pack("<IIII", 0, 0, 0, 0)

        def add(source: Bind, target: Bind) -> Dispatch:
            return Dispatch(shader, (-(-n // 64), 1, 1), (source, target), zero)

        a, b, own = Bind("slot", 0), Bind("slot", 1), Bind("scratch", 0)
        return Prepared((add(a, own), add(a, own), add(own, b)), (4 * n,), (0,))


def test_scratch_is_zero_where_it_must_be(hand: Hand) -> None:
    a, b = vectors(hand, np.arange(64), np.ones(64))
    launch = Launch(hand.executable(Twice()), (0, 1), (64,))
    hand.execute((launch, launch), (a, b), ())
    np.testing.assert_array_equal(hand.download(b)[0].ravel(), 1 + 4.0 * np.arange(64))
    hand.execute((Repeat((launch,), 5),), (a, b), ())
    np.testing.assert_array_equal(hand.download(b)[0].ravel(), 1 + 14.0 * np.arange(64))


# -- telemetry ------------------------------------------------------------------------------------


def test_times_come_from_the_device(hand: Hand) -> None:
    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    hand.provider.telemetry(TelemetryRequest(reset=True))
    for _ in range(600):  # more than a set of queries holds
        hand.execute((hand.affine(N),), (a, b), (1.0, 1.0, 0, 0))
    told = hand.provider.telemetry(TelemetryRequest())
    assert told.launches == 600
    assert told.bytes_read == 600 * 4 * N
    assert told.kernels[0][:2] == ("affine", 600)
    if "timestamp-query" in adapter_device().adapter.features:
        assert 0 < told.kernel_seconds == pytest.approx(told.kernels[0][2])


def test_profiling_tells_kernels_of_one_request_apart() -> None:
    adapter_device()
    hand = Hand(probe="never", profile=True)
    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    other = attrs.evolve(hand.affine(N, (1, 0)), label="other")
    hand.execute((hand.affine(N), other), (a, b), (1.0, 1.0, 0, 0))
    told = hand.provider.telemetry(TelemetryRequest())
    assert {label: n for label, n, _ in told.kernels} == {"affine": 1, "other": 1}
    if "timestamp-query" in adapter_device().adapter.features:
        assert all(seconds > 0 for _, _, seconds in told.kernels)
    np.testing.assert_array_equal(hand.download(a)[0], np.full((N, 1), 2.0))
    hand.execute((hand.affine(N), Copy(1, 0), other), (a, b), (1.0, 1.0, 0, 0))
    told = hand.provider.telemetry(TelemetryRequest())
    assert {label: n for label, n, _ in told.kernels} == {"affine": 2, "other": 2}
    hand.provider.close()


def test_a_guarded_kernel_needs_a_status_array(hand: Hand) -> None:
    @attrs.frozen
    class Guarded(Affine):
        def prepare(self, extents: tuple[int, ...], views: tuple[Any, ...]) -> Prepared:
            made = Affine.prepare(self, extents, views)
            (one,) = made.dispatches
            binds = (one.binds[0], Bind("status"))
            return attrs.evolve(made, dispatches=(attrs.evolve(one, binds=binds),))

    a, b = vectors(hand, np.zeros(N), np.zeros(N))
    launch = Launch(hand.executable(Guarded(AFFINE)), (0, 1), (1,), (), (0, 1, 2, 3))
    with pytest.raises(DeviceFault, match="status"):
        hand.execute((launch,), (a, b), (0.0, 1.0, 0, 0))
    (word,) = hand.upload(np.zeros((1, 1), np.uint32))
    hand.provider.execute(
        ExecuteRequest(steps=(launch,), slots=(a, b), params=(1.0, 1.0, 0, 0), status=word)
    )
    assert hand.download(word)[0].view(np.float32)[0, 0] == 1.0
