"""Arrays on the device: what goes there comes back, buffers are reused, budgets hold."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from runmat_wgpu.device import transfers
from runmat_wgpu.device.memory import STORED
from runmat_wgpu.device.pool import size_class

from runmat_core.api.device import (
    NUMPY_DTYPE,
    DownloadRequest,
    ForeignHandle,
    OutOfDeviceMemory,
    TelemetryRequest,
)
from runmat_core.api.ir import PART_OF
from tests.providers.wgpu.hand import Hand
from tests.providers.wgpu.machine import adapter_device


@pytest.fixture
def hand() -> Iterator[Hand]:
    adapter_device()  # skips where there is none
    made = Hand(probe="never", memory=64 << 20, keep=16 << 20)
    yield made
    made.provider.close()


def counter(hand: Hand, name: str) -> float:
    return dict(hand.provider.telemetry(TelemetryRequest()).counters)[name]


def some(dtype: str, size: int) -> Any:
    """Elements of all magnitudes that a type has."""
    rng = np.random.default_rng(size)
    kind = NUMPY_DTYPE[dtype]
    if dtype == "bool":
        return rng.random(size) < 0.5
    if kind.kind == "f":
        data = rng.normal(size=size).astype(kind)
        data[:5] = [np.nan, np.inf, -np.inf, -0.0, np.finfo(kind).tiny / 4]
        return data
    if dtype in PART_OF:
        return some(PART_OF[dtype], 2 * size).view(kind)
    limits = np.iinfo(kind)
    return rng.integers(limits.min, limits.max, size, dtype=kind, endpoint=True)


@pytest.mark.parametrize("dtype", sorted(STORED))
@pytest.mark.parametrize("size", [7, 1000, 100_003])
def test_elements_come_back_bit_by_bit(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, dtype: str, size: int
) -> None:
    assert hand.capabilities is not None
    if dtype not in hand.capabilities.dtypes:
        pytest.skip(f"{dtype} is not declared")
    monkeypatch.setattr(transfers, "PIECE", 1 << 16)  # many pieces
    monkeypatch.setattr(transfers, "LITTLE", 1 << 13)
    monkeypatch.setattr(transfers, "DIRECT", 1 << 10)
    data = some(dtype, size)
    (handle,) = hand.upload(data)
    (back,) = hand.download(handle)
    assert back.dtype == data.dtype
    np.testing.assert_array_equal(back.view(np.uint8), data.view(np.uint8))


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (3, 5), (2, 3, 4)])
def test_shapes_come_back(hand: Hand, shape: tuple[int, ...]) -> None:
    data = np.asfortranarray(np.arange(np.prod(shape), dtype=np.int16).reshape(shape))
    (handle,) = hand.upload(data)
    (back,) = hand.download(handle)
    assert back.shape == shape
    assert back.flags.f_contiguous
    np.testing.assert_array_equal(back, data)


def test_many_arrays_and_the_status_word_come_in_one_wait(hand: Hand) -> None:
    handles = hand.upload(*[np.full((k + 1, 1), k, np.float32) for k in range(20)])
    (word,) = hand.upload(np.full((1, 1), 5, np.uint32))
    before = counter(hand, "host_waits")
    got = hand.provider.download(DownloadRequest(arrays=handles, status=word))
    assert counter(hand, "host_waits") == before + 1
    assert got.status == 5
    for k, array in enumerate(got.arrays):
        np.testing.assert_array_equal(array, np.full((k + 1, 1), k))


def test_the_caller_may_change_what_was_uploaded(hand: Hand) -> None:
    data = np.ones((3_000_000, 1), np.float32)
    (handle,) = hand.upload(data)
    data[:] = 2
    np.testing.assert_array_equal(hand.download(handle)[0], np.ones_like(data))


def test_downloads_are_memory_of_their_own(hand: Hand) -> None:
    (handle,) = hand.upload(np.ones((1000, 1)))
    (first,) = hand.download(handle)
    first[:] = 7
    np.testing.assert_array_equal(hand.download(handle)[0], np.ones((1000, 1)))


def test_freed_buffers_are_taken_again(hand: Hand) -> None:
    (first,) = hand.allocate(((1000, 1000), "f32"))
    block = first.payload.block
    hand.free(first)
    misses = counter(hand, "pool_misses")
    (second,) = hand.allocate(((999, 1000), "f32"))
    assert second.payload.block is block
    assert counter(hand, "pool_misses") == misses
    assert counter(hand, "pool_hits") >= 1


@pytest.mark.parametrize("order", [1, -1])
def test_the_buffer_made_first_is_taken_first(hand: Hand, order: int) -> None:
    # so that what is run again meets the buffers for which bind groups were made
    arrays = hand.upload(*[np.ones(100) for _ in range(4)])
    first = [array.payload.block.serial for array in arrays]
    hand.free(*arrays[::order])
    again = hand.upload(*[np.ones(100) for _ in range(4)])
    assert [array.payload.block.serial for array in again] == sorted(first)


def test_no_more_is_kept_than_allowed(hand: Hand) -> None:
    handles = hand.allocate(*[((1 << 20, 1), "f32")] * 8)  # 4 MiB each
    hand.free(*handles)
    assert counter(hand, "pool_bytes") <= 16 << 20


class Circle:
    """Garbage that only the collector finds, and that gives its array back when it goes."""

    def __init__(self, hand: Hand, handle: Any) -> None:
        self.hand, self.handle, self.itself = hand, handle, self

    def __del__(self) -> None:
        self.hand.free(self.handle)


def test_arrays_in_circular_garbage_are_given_back_whole(hand: Hand) -> None:
    data = np.arange(5000, dtype=np.float32).reshape(-1, 1)
    for _ in range(3):
        (handle,) = hand.upload(data)
        block = handle.payload.block.serial
        Circle(hand, handle)
        del handle
        gc.collect()
        before = counter(hand, "pool_hits")
        (again,) = hand.upload(data * 2)
        assert counter(hand, "pool_hits") == before + 1
        assert again.payload.block.serial == block
        assert again.payload.block.buffer._internal is not None
        np.testing.assert_array_equal(hand.download(again)[0], data * 2)
        hand.free(again)


def test_what_does_not_fit_is_refused_whole(hand: Hand) -> None:
    (first,) = hand.allocate(((8 << 20, 1), "f32"))
    before = hand.provider.telemetry(TelemetryRequest())
    with pytest.raises(OutOfDeviceMemory, match=r"\d+ bytes were asked for, \d+ of 67108864"):
        hand.allocate(((1000, 1), "f32"), ((8 << 20, 1), "f32"))
    after = hand.provider.telemetry(TelemetryRequest())
    assert (after.live_bytes, after.live_arrays) == (before.live_bytes, before.live_arrays)
    hand.free(first)
    (again,) = hand.upload(np.ones((12 << 20, 1), np.float32))
    assert hand.download(again)[0].sum() == 12 << 20


def test_kept_buffers_make_room_for_others(hand: Hand) -> None:
    for megabytes in (3, 5, 7, 11, 13, 29, 53, 59):
        (handle,) = hand.allocate(((megabytes << 18, 1), "f32"))
        hand.free(handle)
    assert hand.provider.telemetry(TelemetryRequest()).live_arrays == 0


def test_larger_than_any_buffer(hand: Hand) -> None:
    assert hand.capabilities is not None
    largest = hand.capabilities.max_buffer_bytes
    assert largest is not None
    with pytest.raises(OutOfDeviceMemory):
        hand.allocate(((largest // 4 + 4, 1), "f32"))


def test_memory_that_the_driver_refuses(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is dropped and the driver asked again, then it is told."""
    device = hand.provider.device()
    (kept,) = hand.allocate(((1 << 20, 1), "f32"))
    hand.free(kept)
    refusals = [2]
    make = device.gpu.device.create_buffer

    def refuse(**asked: Any) -> Any:
        if refusals[0]:
            refusals[0] -= 1
            raise device.gpu.errors("Validation Error\n\nCaused by:\n  Not enough memory left.")
        return make(**asked)

    monkeypatch.setattr(device.gpu.device, "create_buffer", refuse)
    with pytest.raises(OutOfDeviceMemory, match="bytes were asked for"):
        hand.allocate(((3 << 20, 1), "f32"))
    assert counter(hand, "pool_bytes") == 0
    (there,) = hand.allocate(((3 << 20, 1), "f32"))
    (kept,) = hand.allocate(((1 << 20, 1), "f32"))
    hand.free(kept)
    refusals[0] = 1
    hand.allocate(((2 << 20, 1), "f32"))
    assert there.payload is not None


def test_handles_are_checked(hand: Hand) -> None:
    (handle,) = hand.upload(np.ones((2, 2)))
    hand.free(handle)
    for call in (hand.download, hand.free):
        with pytest.raises(ForeignHandle):
            call(handle)
    other = Hand(probe="never")
    (foreign,) = other.upload(np.ones((2, 2)))
    foreign.owner = "wgpu#2"
    with pytest.raises(ForeignHandle, match="belongs to wgpu#2"):
        hand.download(foreign)
    other.provider.close()


@pytest.mark.parametrize("nbytes", [1, 16, 255, 256, 257, 4096, 4097, 5000, 1 << 20, 123_456_789])
def test_size_classes_waste_little(nbytes: int) -> None:
    size = size_class(nbytes)
    assert size >= nbytes
    assert size % 16 == 0
    assert size_class(size) == size
    if nbytes > 4096:
        assert size <= nbytes * 1.13
