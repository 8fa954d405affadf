"""What goes wrong on a device becomes a fault, and never the end of the process."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from runmat_wgpu import codegen

from runmat_core.api.device import (
    CompileRequest,
    DeviceFault,
    DeviceLost,
    Launch,
    Repeat,
    SynchronizeRequest,
    TelemetryRequest,
    WarmupRequest,
)
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.hand import AFFINE, Affine, Hand
from tests.providers.wgpu.machine import adapter_device

PARAMS = (1.0, 2.0, 0, 0)
SCALARS = (0, 1, 2, 3)


@pytest.fixture
def hand() -> Iterator[Hand]:
    adapter_device()  # skips where there is none
    made = Hand(probe="never")
    yield made
    made.provider.close()


def lose(hand: Hand) -> None:
    hand.provider.device().gpu.device.destroy()


# -- loss -----------------------------------------------------------------------------------------

CALLS: dict[str, Any] = {
    "allocate": lambda h, a, b: h.allocate(((1 << 20, 1), "f32")),
    "upload": lambda h, a, b: h.upload(np.ones((8, 1))),
    "large upload": lambda h, a, b: h.upload(np.ones((5_000_000, 1))),
    "download": lambda h, a, b: h.download(b),
    "execute": lambda h, a, b: h.execute((h.affine(64),), (a, b), (9.0, 2.0, 0, 0)),
    "repeat": lambda h, a, b: h.execute((Repeat((h.affine(64),), 500),), (a, b), PARAMS),
    "synchronize": lambda h, a, b: h.provider.synchronize(SynchronizeRequest()),
}


@pytest.mark.parametrize("noticed", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_a_lost_device_is_a_fault_at_whatever_call_finds_it(
    hand: Hand, call: str, noticed: bool
) -> None:
    a, b = hand.upload(np.ones((64, 1), np.float32), np.zeros((64, 1), np.float32))
    hand.execute((hand.affine(64),), (a, b), PARAMS)
    hand.download(b)
    lose(hand)
    if noticed:
        hand.provider.device().gpu.lost = "it fell off the bus"
    for _ in range(2):
        with pytest.raises(DeviceLost, match="was lost"):
            CALLS[call](hand, a, b)
    # what the core does then
    hand.free(a, b)
    assert hand.provider.telemetry(TelemetryRequest()).live_arrays == 0


def test_loss_between_two_submissions_of_a_repeat(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = hand.upload(np.ones((64, 1), np.float32), np.zeros((64, 1), np.float32))
    gpu = hand.provider.device().gpu
    wait = gpu.wait

    def wait_and_lose(submission: int | None = None) -> None:
        wait(submission)
        lose(hand)

    monkeypatch.setattr(gpu, "wait", wait_and_lose)
    with pytest.raises(DeviceLost):
        hand.execute((Repeat((hand.affine(64),), 500),), (a, b), PARAMS)
    monkeypatch.undo()


def test_loss_that_the_log_tells_of(hand: Hand) -> None:
    hand.allocate(((1, 1), "f32"))
    logging.getLogger("wgpu").error("The WGPU device was lost (Unknown):\nnobody knows why")
    with pytest.raises(DeviceLost, match="nobody knows why"):
        hand.allocate(((1, 1), "f32"))


def test_closing_is_not_losing(hand: Hand) -> None:
    other = Hand(probe="never")
    (handle,) = other.upload(np.ones((8, 1)))
    other.provider.close()
    with pytest.raises(DeviceLost, match="closed"):
        other.download(handle)
    (mine,) = hand.upload(np.ones((8, 1)))
    np.testing.assert_array_equal(hand.download(mine)[0], np.ones((8, 1)))


# -- shaders --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        AFFINE.replace("p.scale", "p.scales"),  # unknown member
        AFFINE.replace("fn main", "fn other"),  # no entry point
        AFFINE.replace("@workgroup_size(64)", "@workgroup_size(100000)"),
        "this is not WGSL",
    ],
)
def test_an_invalid_shader_is_a_fault_that_names_the_kernel(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    a, b = hand.upload(np.ones((64, 1), np.float32), np.zeros((64, 1), np.float32))
    monkeypatch.delenv("RUNMAT_DEBUG", raising=False)
    launch = Launch(hand.executable(Affine(source), "spoilt"), (0, 1), (64,), (), SCALARS)
    with pytest.raises(DeviceFault, match="kernel 'spoilt' is not valid") as plain:
        hand.execute((launch,), (a, b), PARAMS)
    assert plain.value.identifier == "RunMat:accel:invalidShader"
    monkeypatch.setenv("RUNMAT_DEBUG", "1")
    with pytest.raises(DeviceFault) as full:
        hand.execute((launch,), (a, b), PARAMS)
    assert full.value.message.endswith(source)
    hand.execute((hand.affine(64),), (a, b), PARAMS)
    np.testing.assert_array_equal(hand.download(b)[0], np.full((64, 1), 3.0))


def test_a_unit_whose_shader_is_invalid_is_declined(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codegen, "template", lambda *_, **__: Affine("not WGSL"))
    unit = LibraryCall("spoilt", ())
    assert hand.provider.compile(CompileRequest(units=(unit,))) == (None,)
    assert dict(hand.provider.telemetry(TelemetryRequest()).counters)["invalid_shaders"] == 1


def test_a_generator_that_fails_is_a_fault_that_names_the_unit(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(unit: Any, target: Any, text: bool) -> Any:
        raise KeyError("nothing")

    monkeypatch.setattr(codegen, "template", fails)
    with pytest.raises(DeviceFault, match="kernel 'spoilt' could not be generated: KeyError"):
        hand.provider.warmup(WarmupRequest(units=(LibraryCall("spoilt", ()),)))


def test_dispatches_that_the_device_refuses(hand: Hand) -> None:
    """A grid above the limit is found when the commands are finished; nothing is submitted then."""
    a, b = hand.upload(np.ones((64, 1), np.float32), np.zeros((64, 1), np.float32))

    class Wide(Affine):
        def prepare(self, extents: Any, views: Any) -> Any:
            import attrs

            made = Affine.prepare(self, extents, views)
            wide = attrs.evolve(made.dispatches[0], grid=(1 << 20, 1, 1))
            return attrs.evolve(made, dispatches=(wide,))

    launch = Launch(hand.executable(Wide()), (0, 1), (64,), (), SCALARS)
    with pytest.raises(DeviceFault, match="refused commands"):
        hand.execute((launch,), (a, b), PARAMS)
    hand.execute((hand.affine(64),), (a, b), PARAMS)
    np.testing.assert_array_equal(hand.download(b)[0], np.full((64, 1), 3.0))


def test_a_binding_past_the_end_of_an_array(hand: Hand) -> None:
    import attrs

    class Far(Affine):
        def prepare(self, extents: Any, views: Any) -> Any:
            made = Affine.prepare(self, extents, views)
            (one,) = made.dispatches
            binds = (attrs.evolve(one.binds[0], offset=1 << 20), one.binds[1])
            return attrs.evolve(made, dispatches=(attrs.evolve(one, binds=binds),))

    a, b = hand.upload(np.ones((64, 1), np.float32), np.zeros((64, 1), np.float32))
    launch = Launch(hand.executable(Far()), (0, 1), (64,), (), SCALARS)
    with pytest.raises(DeviceFault, match="past the end"):
        hand.execute((launch,), (a, b), PARAMS)


def test_executables_are_checked(hand: Hand) -> None:
    import attrs

    a, b = hand.upload(np.ones((64, 1), np.float32), np.zeros((64, 1), np.float32))
    launch = hand.affine(64)
    foreign = attrs.evolve(launch.executable, owner="wgpu#9")
    with pytest.raises(DeviceFault, match="An executable of wgpu#9 reached wgpu"):
        hand.execute((attrs.evolve(launch, executable=foreign),), (a, b), PARAMS)
