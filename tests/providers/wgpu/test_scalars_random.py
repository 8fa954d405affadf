"""Numbers of the random stream from `Scalars`, against the definition in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from runmat_wgpu.codegen.scalars import Scalars

from runmat_core.accel.random import philox
from tests.providers.wgpu.elements import evaluate

KEY = (0xDEADBEEF, 0x12345678)


@pytest.mark.parametrize("wide", [True, False])
def test_words(wide: bool) -> None:
    low = np.arange(3000, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)

    def word(scalars: Scalars, args: Sequence[str], k: int) -> str:
        counter = f"vec4<u32>({args[0]}, {args[1]}, 0u, 0u)"
        return scalars.philox(counter, f"vec2<u32>({KEY[0]}u, {KEY[1]}u)") + f"[{k}]"

    wanted = [("u32", lambda s, a, k=k: word(s, a, k)) for k in range(4)]
    halves = [low & np.uint64(0xFFFFFFFF), low >> np.uint64(32)]
    found = evaluate(["u32", "u32"], halves, wanted, i64=wide, f64=wide)
    np.testing.assert_array_equal(np.stack(found, axis=1), philox.blocks(KEY, low))


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_numbers(dtype: str) -> None:
    count = 1 << 16
    words = philox.words(KEY, 0, 4 * count)
    edges = np.array([0, 0, 0xFFFFFFFF, 0xFFFFFFFF], np.uint32)
    words[:16] = [*edges, *edges[::-1], *edges[[0, 2, 0, 2]], *edges[[2, 0, 2, 0]]]
    lanes = words.reshape(-1, 4)
    taken = "abcd" if dtype == "f64" else "ab"

    def uniform(scalars: Scalars, args: Sequence[str]) -> str:
        return scalars.random("uniform", dtype, *args[: len(taken) // 2])

    def normal(scalars: Scalars, args: Sequence[str], part: str) -> str:
        return scalars.random("normal", dtype, *args[: len(taken)]) + f".{part}"

    wanted = [(dtype, uniform), *[(dtype, lambda s, a, p=p: normal(s, a, p)) for p in "xy"]]
    got = evaluate(["u32"] * 4, list(lanes.T), wanted)
    used = np.ascontiguousarray(lanes[:, : len(taken)]).reshape(-1)
    uniforms = philox.uniforms(used, dtype)
    np.testing.assert_array_equal(got[0], uniforms[::2])
    expected = philox.box_muller(uniforms).reshape(-1, 2)
    for k in (0, 1):
        unit = np.spacing(np.maximum(np.abs(expected[:, k]), 1))
        errors = np.abs(got[1 + k] - expected[:, k]) / unit
        assert errors.max() <= 4, (errors.max(), int(errors.argmax()))
