"""Reductions and scans: standard reducers, choices of axes, sizes around powers of two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import ir
from runmat_core.api.ir import reducers
from runmat_provider_tests.device import Device, Draft
from runmat_provider_tests.reference import Run

AXES = [("reduce",), ("reduce", "parallel"), ("parallel", "reduce"), ("reduce", "reduce"),
        ("parallel", "reduce", "parallel"), ("reduce", "parallel", "reduce")]  # fmt: skip
SHAPES = {1: (1031,), 2: (37, 29), 3: (5, 33, 7)}
NAMES = "sum prod max min argmax argmin welford".split()


def standard(name: str, dtype: str) -> Any:
    return {
        "sum": lambda: reducers.sum_(dtype),
        "prod": lambda: reducers.prod(dtype),
        "max": lambda: reducers.maximum(dtype),
        "min": lambda: reducers.minimum(dtype),
        "argmax": lambda: reducers.extremum(dtype, True),
        "argmin": lambda: reducers.extremum(dtype, False),
        "welford": lambda: reducers.welford(dtype),
    }[name]()


def compare(device: Device, draft: Draft, outputs: list[int], rtol: float) -> None:
    """Compare the provider's buffers with the reference's."""
    got, _ = draft.run(device)
    expected = [b.copy() for b in draft.data]
    Run(draft.kernel(), draft.extents, expected, draft.addressing, draft.scalars).run()
    for k in outputs:
        np.testing.assert_allclose(got[k], expected[k], rtol=rtol, atol=rtol)


@pytest.mark.parametrize("kinds", AXES, ids="-".join)
@pytest.mark.parametrize("name", NAMES)
def test_reducer(device: Device, name: str, kinds: tuple[str, ...]) -> None:
    rng = np.random.default_rng(1)
    shape = SHAPES[len(kinds)]
    x = rng.normal(1, 0.05, shape).astype(np.float32)
    x.ravel()[::17] = np.nan if name in ("max", "min", "argmax", "argmin") else 1
    draft = Draft(shape, kinds)
    results = ir.reduce(standard(name, "f32"), draft.load(x))
    compare(device, draft, [draft.store(r) for r in results], 2e-4)


@pytest.mark.parametrize("place", [0, 500, 1030])
def test_what_is_infinite_has_no_variance(device: Device, place: int) -> None:
    # wherever it stands, and in whichever order states are joined
    x = np.linspace(-1, 1, 2062, dtype=np.float32).reshape(1031, 2)
    x[place, 1] = np.inf
    draft = Draft((1031, 2), ("reduce", "parallel"))
    out = draft.store(ir.reduce(reducers.welford("f32"), draft.load(x))[2])
    squares = draft.run(device)[0][out]
    assert np.isfinite(squares[0])
    assert np.isnan(squares[1])


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("which", ["any", "all"])
def test_any_and_all(device: Device, which: str, value: bool) -> None:
    x = np.full((100, 3), not value)
    x[50, 1] = value
    draft = Draft((100, 3), ("reduce", "parallel"))
    whole = reducers.any_() if which == "any" else reducers.all_()
    out = draft.store(ir.reduce(whole, draft.load(x))[0])
    expected = x.any(axis=0) if which == "any" else x.all(axis=0)
    np.testing.assert_array_equal(draft.run(device)[0][out], expected)


def test_a_reducer_without_a_known_name(device: Device) -> None:
    biggest = reducers.reducer(
        "sum of the two largest magnitudes",
        (0.0, 0.0),
        ("f32",),
        ("f32", "f32"),
        lambda x, _: (ir.abs_(x), x * 0.0),
        lambda a, b, c, d: (
            ir.maximum(a, c),
            ir.maximum(ir.minimum(a, c), ir.where(a > c, b, d)),
        ),
        lambda a, b: a + b,
    )
    x = np.random.default_rng(2).normal(size=(50, 6)).astype(np.float32)
    draft = Draft((50, 6), ("reduce", "parallel"))
    out = draft.store(ir.reduce(biggest, draft.load(x))[0])
    expected = np.sort(np.abs(x), axis=0)[-2:].sum(axis=0)
    np.testing.assert_allclose(draft.run(device)[0][out], expected, rtol=1e-6)


def test_a_fused_reduction_reduces_the_expression(device: Device) -> None:
    x = np.arange(1, 1001, dtype=np.float32)
    draft = Draft((1000,), ("reduce",))
    v = draft.load(x)
    total = draft.store(ir.reduce(reducers.sum_("f32"), v * v)[0])
    least = draft.store(ir.reduce(reducers.minimum("f32"), -v)[0])
    got, _ = draft.run(device)
    np.testing.assert_allclose(got[total], (x.astype(float) ** 2).sum(), rtol=1e-6)
    assert got[least] == -1000


@pytest.mark.parametrize("kinds", [("reduce", "parallel"), ("parallel", "reduce")], ids="-".join)
@pytest.mark.parametrize("extents", [(64, 40), (300, 5), (5, 300)])
def test_map_reduce_broadcast(
    device: Device, kinds: tuple[str, ...], extents: tuple[int, int]
) -> None:
    slice_bytes = 12 * extents[kinds.index("reduce")]
    if slice_bytes > device.capabilities.slice_bytes:
        pytest.skip("slices of this size are not declared")
    x = np.random.default_rng(3).normal(5, 2, extents).astype(np.float32)
    draft = Draft(extents, kinds)
    v = draft.load(x)
    mean = ir.reduce(reducers.sum_("f32"), v)[0] / ir.count(v)
    centred = v - mean
    variance = ir.reduce(reducers.sum_("f32"), centred * centred)[0] / ir.count(v)
    out = draft.store(centred / ir.sqrt(variance))
    compare(device, draft, [out], 1e-4)


def test_sums_of_whole_numbers_are_exact(device: Device) -> None:
    x = np.random.default_rng(4).integers(0, 16, 200000).astype(np.float32)
    draft = Draft((200000,), ("reduce",))
    out = draft.store(ir.reduce(reducers.sum_("f32"), draft.load(x))[0])
    assert draft.run(device)[0][out] == x.astype(float).sum()


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kinds", [("scan", "parallel"), ("parallel", "scan")], ids="-".join)
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
def test_scan(device: Device, name: str, kinds: tuple[str, ...], reverse: bool) -> None:
    if not device.capabilities.scans:
        pytest.skip("scans are not declared")
    x = np.random.default_rng(5).normal(1, 0.02, (45, 23)).astype(np.float32)
    draft = Draft((45, 23), kinds)
    out = draft.store(ir.scan(standard(name, "f32"), draft.load(x), reverse=reverse)[0])
    compare(device, draft, [out], 1e-4)


@pytest.mark.parametrize("include_nan", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("extents", [(45, 23), (9_000, 3), (3, 4000)])
def test_scans_tell_where_the_best_element_stands(
    device: Device, extents: tuple[int, int], reverse: bool, include_nan: bool
) -> None:
    if not device.capabilities.scans:
        pytest.skip("scans are not declared")
    if "f64" not in device.capabilities.dtypes:
        pytest.skip("places are doubles")
    rng = np.random.default_rng(6)
    x = rng.integers(0, 40, extents).astype(np.float32)
    x[rng.random(extents) < 0.1] = np.nan
    x[:2] = np.nan
    draft = Draft(extents, ("scan", "parallel"))
    best = reducers.extremum("f32", True, include_nan)
    value, place = ir.scan(best, draft.load(x), reverse=reverse)
    compare(device, draft, [draft.store(value), draft.store(place)], 0.0)
