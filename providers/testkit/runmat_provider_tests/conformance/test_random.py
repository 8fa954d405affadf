"""Draws: bit by bit those of the stream, whatever the order of evaluation."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.ir import V
from runmat_provider_tests.device import Device, Draft
from runmat_provider_tests.philox import draw, words

#: Known answers published with Random123 (philox4x32-10).
KNOWN = [
    ((0, 0), 0, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
]


@pytest.mark.parametrize(("key", "block", "expected"), KNOWN)
def test_known_words(key: tuple[int, int], block: int, expected: list[int]) -> None:
    assert words(key, 4 * block + np.arange(4)).tolist() == expected


@pytest.mark.parametrize("position", [0, 1, 7, 2**32 - 5, 2**40 + 2])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_draw(device: Device, distribution: str, dtype: str, position: int) -> None:
    device.needs(dtype)
    position += position % 2 if dtype == "f64" else 0
    key = (1234, 5678)
    draft = Draft((1003,))
    scalars = [*key, position & 0xFFFFFFFF, position >> 32]
    args = [draft.index(), *[draft.param(s, "u32") for s in scalars]]
    made = draft.builder.emit("random", [a.position for a in args], dtype, 1, (distribution, dtype))
    out = draft.store(V(draft.builder, made))
    expected = draw(distribution, dtype, np.arange(1003), key, position)
    got = draft.run(device)[0][out]
    if distribution == "uniform":
        np.testing.assert_array_equal(got, expected)
    else:
        unit = np.spacing(np.maximum(np.abs(expected), 1))
        assert (np.abs(got - expected) <= 4 * unit).all()
