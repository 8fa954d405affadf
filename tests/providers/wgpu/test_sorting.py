"""Sorting on an adapter: order, stability, special values, long and short slices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.libraries import LIBRARIES

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine, subgroup, target

SHAPES = [((2049, 3), 0), ((3, 5000), 1), ((17, 9, 4), 1), ((70001, 1), 0), ((1, 1), 0)]


def data(dtype: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    kind = NUMPY_DTYPE[dtype]
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if kind.kind == "f":
        found = rng.normal(size=shape) * 10.0 ** rng.integers(
            -3, 40 if dtype == "f64" else 9, shape
        )
        found.flat[: found.size // 3] = np.round(found.flat[: found.size // 3])
        for value in (np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, 1e-45):
            found.flat[rng.integers(0, found.size, 1 + found.size // 50)] = value
        return found.astype(kind)
    info = np.iinfo(kind)
    return rng.integers(info.min, info.max, shape, dtype=kind, endpoint=True)


def check(dtype: str, shape: tuple[int, ...], axis: int, descending: bool, **limits: Any) -> None:
    x = data(dtype, shape, 5)
    call = LibraryCall("sort", (dtype, dtype, "f64"), (("axis", axis), ("descending", descending)))
    if dtype in ("i64", "u64") and not target().i64:
        pytest.skip("no integers of 64 bits here")
    expected = [np.empty(x.size, x.dtype), np.empty(x.size)]
    LIBRARIES["sort"](call, shape, [x.ravel(order="F"), *expected])
    machine = Machine(call, [x, np.zeros_like(x), np.zeros(shape)], call.dtypes)
    machine.launch(shape, **limits)
    np.testing.assert_array_equal(machine.result(2), expected[1])
    found = machine.result(1)
    np.testing.assert_array_equal(found, expected[0])
    if x.dtype.kind == "f":
        numbers = ~np.isnan(found)
        np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(expected[0])[numbers])


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_floats(dtype: str, shape: tuple[int, ...], axis: int) -> None:
    check(dtype, shape, axis, descending=False)
    check(dtype, shape, axis, descending=True)


@pytest.mark.parametrize("dtype", ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_whole_numbers(dtype: str) -> None:
    check(dtype, (3000, 2), 0, descending=True)
    check(dtype, (12, 40), 1, descending=False)


@pytest.mark.parametrize(
    ("dtype", "shape", "axis"),
    [
        ("f32", (9001, 1), 0),
        ("f64", (3, 5000), 1),
        ("i64", (4100, 2), 0),
        ("i16", (5, 4200), 1),
        ("f32", (300, 5), 0),
        ("f64", (2, 70), 1),
        ("bool", (5000, 1), 0),
    ],
)
def test_ranking_by_ballots(dtype: str, shape: tuple[int, ...], axis: int) -> None:
    able = {"software": False, "subgroup": subgroup(), "workgroup_bytes": 65536}
    check(dtype, shape, axis, descending=False, **able)
    check(dtype, shape, axis, descending=True, **able)


def test_little_workgroup_memory_and_narrow_grids() -> None:
    check("f32", (3000, 7), 0, descending=False, workgroup_bytes=16384, groups=5)
    check("f32", (9, 7), 1, descending=True, workgroup_bytes=16384, groups=5)


def test_elements_alone() -> None:
    x = data("f32", (4001, 1), 9)
    call = LibraryCall("sort", ("f32", "f32"), (("axis", 0),))
    machine = Machine(call, [x, np.zeros_like(x)], call.dtypes)
    machine.launch(x.shape, f64=False)
    np.testing.assert_array_equal(machine.result(1), np.sort(x[:, 0]))


def test_nothing_to_sort() -> None:
    x = np.empty((0, 3), np.float32)
    call = LibraryCall("sort", ("f32", "f32"), (("axis", 0),))
    assert not Machine(call, [x, x], call.dtypes).launch((0, 3)).dispatches
