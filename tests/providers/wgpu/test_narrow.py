"""Large arrays of narrow elements over the link: side by side there, words on the device."""

from __future__ import annotations

import numpy as np
import pytest
from runmat_wgpu.codegen.narrow import IN_WORD, Narrow
from runmat_wgpu.codegen.shader import Target
from runmat_wgpu.device import narrow
from runmat_wgpu.device.adapter import SHARED_MEMORY

from runmat_core.api.device import NUMPY_DTYPE, TelemetryRequest
from tests.providers.wgpu.hand import Hand
from tests.providers.wgpu.machine import adapter_device, pipeline

TYPES = sorted(IN_WORD)


def drawn(dtype: str, size: int) -> np.ndarray:
    kind = NUMPY_DTYPE[dtype]
    rng = np.random.default_rng(size)
    if dtype == "bool":
        return rng.integers(0, 2, size).astype(bool)
    info = np.iinfo(kind)
    return rng.integers(info.min, info.max, size, dtype=kind, endpoint=True)


def test_the_types_that_share_a_word() -> None:
    assert IN_WORD == {"bool": 4, "i8": 4, "u8": 4, "i16": 2, "u16": 2}


@pytest.fixture
def hand() -> Hand:
    """A device that takes narrow arrays as if there were a link to it."""
    adapter_device()
    made = Hand()
    made.provider.device()._narrow.least = narrow.LEAST
    return made


@pytest.mark.sweep(8)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [narrow.LEAST, narrow.LEAST + 1, narrow.LEAST + 2, 1_000_003])
def test_there_and_back(hand: Hand, dtype: str, size: int) -> None:
    """Each element is a word on the device, whatever their number."""
    data = drawn(dtype, size)
    (handle,) = hand.upload(data)
    wide = hand.provider.device()._memory.array(handle)
    stored = np.int32 if dtype[0] == "i" else np.uint32
    words = np.empty(size, stored)
    hand.provider.device()._downloads.fetch([(wide, words, words.dtype)])
    np.testing.assert_array_equal(words, data)
    (found,) = hand.download(handle)
    assert found.dtype == data.dtype
    np.testing.assert_array_equal(found.ravel(), data)
    hand.free(handle)
    told = hand.provider.telemetry(TelemetryRequest())
    assert (told.live_arrays, told.upload_bytes, told.download_bytes) == (
        0,
        data.nbytes,
        data.nbytes,
    )


def test_several_at_once_with_small_ones_between(hand: Hand) -> None:
    arrays = [drawn("bool", 400_001), np.arange(9.0), drawn("i8", 300_002), drawn("u16", 77)]
    handles = hand.upload(*arrays)
    for found, data in zip(hand.download(*handles), arrays, strict=True):
        np.testing.assert_array_equal(found.ravel(), data)
    hand.free(*handles)


def test_what_cannot_be_bound_as_a_whole_goes_the_other_way(hand: Hand) -> None:
    device = hand.provider.device()
    reach = device._narrow._target.binding_bytes
    assert device._narrow.takes("bool", reach // 4 - 4)
    assert not device._narrow.takes("bool", reach // 4)
    assert not device._narrow.takes("bool", narrow.LEAST - 1)
    assert not device._narrow.takes("f32", 1 << 20)


def test_where_memory_is_shared_the_host_converts() -> None:
    shared = adapter_device().adapter.info["adapter_type"] in SHARED_MEMORY
    least = Hand().provider.device()._narrow.least
    assert least == (None if shared else narrow.LEAST)


@pytest.mark.parametrize("way", ["spread", "press"])
@pytest.mark.parametrize("dtype", TYPES)
def test_texts_are_valid_and_narrow_grids_do(dtype: str, way: str) -> None:
    made = Narrow(dtype, way, Target(groups=7))  # type: ignore[arg-type]
    (only,) = made.prepare((100_000,), ()).dispatches
    x, y, z = only.grid
    assert x <= 7
    assert x * y * z * 256 >= 100_000
    pipeline(only.shader)
    assert not made.prepare((0,), ()).dispatches
