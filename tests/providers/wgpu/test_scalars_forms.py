"""Forms of `Scalars` for devices that compute in another way than the one at hand may."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.providers.wgpu.elements import evaluate, map_op
from tests.providers.wgpu.machine import target

SINGLES = np.float32


def quotients() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Ordinary and huge singles, whole multiples, special values and what beside what is hard."""
    generator = np.random.default_rng(0)
    size = np.exp(generator.uniform(-80, 80, (2, 50000))) * generator.choice([-1, 1], (2, 50000))
    whole = generator.integers(1, 1000, (2, 5000))
    whole[0] *= whole[1]
    edges = np.array([0, 1, 3, 3.4e38, 1.2e-38, 1 - 2**-24, 4 - 2**-22, np.inf, np.nan])
    special = np.stack([a.ravel() for a in np.meshgrid([*edges, *-edges], [*edges, *-edges])])
    near = np.stack([np.linspace(1, 4, 40000), np.linspace(2, 1, 40000)])
    a, b = np.concatenate([size, whole, special, near], axis=1).astype(SINGLES)
    return a, b


def test_quotients_and_roots_from_inexact_ones() -> None:
    a, b = quotients()
    wanted = [("f32", map_op("div", "f32", ["f32"] * 2)), ("f32", map_op("sqrt", "f32", ["f32"]))]
    found = evaluate(["f32", "f32"], [a, b], wanted, rounds=False)
    with np.errstate(all="ignore"):
        for got, expected in zip(found, (a / b, np.sqrt(a)), strict=True):
            # where results are subnormal they round twice
            normal = ~(np.abs(expected) < 1.2e-38) | (expected == 0)
            np.testing.assert_array_equal(got[normal], expected[normal])
            np.testing.assert_array_equal(
                np.signbit(got[~np.isnan(got)]), np.signbit(expected[~np.isnan(got)])
            )
            if target().subnormals:
                np.testing.assert_array_max_ulp(got[~normal], expected[~normal], 1)


@pytest.mark.parametrize("dtype", ["i8", "i32", "i64"])
def test_signs_of_remainders(dtype: str) -> None:
    kind = {"i8": np.int8, "i32": np.int32, "i64": np.int64}[dtype]
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    edges = np.array([low, low + 1, -100, -3, -1, 1, 3, 100, high - 1, high], kind)
    x, y = (a.ravel() for a in np.meshgrid(edges, edges))
    wanted = [(dtype, map_op(op, dtype, [dtype] * 2)) for op in ("mod", "rem")]
    mod, rem = evaluate([dtype] * 2, [x, y], wanted)
    operands = [(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    assert mod.tolist() == [a % b for a, b in operands]
    assert rem.tolist() == [a - b * _toward_zero(a, b) for a, b in operands]


def _toward_zero(a: int, b: int) -> int:
    count = abs(a) // abs(b)
    return count if (a < 0) == (b < 0) else -count
