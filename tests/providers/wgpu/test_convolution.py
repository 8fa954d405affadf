"""Convolution on an adapter: parts, dimensions, special values, kernels of several dispatches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_provider_tests.libraries import LIBRARIES
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.convolution import placed
from runmat_wgpu.codegen.shader import DeclinedError, Prepared, Target

from runmat_core.api.device import DeviceFault
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine, pipeline, target

GOLDEN = Path(__file__).parent / "golden" / "convolution"
PARTS = ["full", "same", "valid"]
#: Extents of arrays and kernels.
SHAPES = [
    ((1, 1), (1, 1)),
    ((1000, 1), (7, 1)),
    ((5000, 1), (300, 1)),
    ((1, 5000), (1, 3)),
    ((100, 90), (3, 3)),
    ((100, 90), (5, 1)),
    ((100, 90), (1, 5)),
    ((130, 70), (17, 19)),
    ((20, 21, 9), (3, 2, 4)),
    ((20, 21, 9), (3, 2, 1)),
    ((40, 30, 4, 2), (3, 3, 1, 1)),
    ((5, 4), (9, 11)),
    ((1000, 1), (4000, 1)),
    ((3, 1), (1, 4)),
]


def call(dtype: str, part: str, turned: bool = False, swapped: bool = False) -> LibraryCall:
    attributes = (("part", part), ("swapped", swapped), ("turned", turned))
    return LibraryCall("conv", (dtype,) * 3, attributes)


def convolved(
    a: np.ndarray, b: np.ndarray, unit: LibraryCall, **limits: Any
) -> tuple[np.ndarray, Prepared]:
    made, _ = placed(a.shape, b.shape, str(unit.attribute("part")))
    slots = [b, a] if unit.attribute("swapped") else [a, b]
    machine = Machine(unit, [*slots, np.full(made, np.nan, a.dtype)], unit.dtypes)
    prepared = machine.launch((*a.shape, *b.shape), **limits)
    return machine.result(2).reshape(made, order="F"), prepared


def check(a: np.ndarray, b: np.ndarray, unit: LibraryCall, **limits: Any) -> None:
    made, _ = placed(a.shape, b.shape, str(unit.attribute("part")))
    if 0 in made:
        return
    found, _ = convolved(a, b, unit, **limits)
    expected = np.empty(made)
    inputs = [b, a] if unit.attribute("swapped") else [a, b]
    flat = [v.astype(float).ravel(order="F") for v in inputs]
    buffer = expected.ravel(order="F")
    LIBRARIES["conv"](unit, (*a.shape, *b.shape), [*flat, buffer])
    # sums of 128 products, then of these
    terms = min(b.size, 128) + b.size / 64
    scale = np.abs(a).max() * np.abs(b).sum()
    eps = float(np.finfo(a.dtype).eps)
    assert np.abs(found.ravel(order="F") - buffer).max() <= 0.5 * terms * eps * scale


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_parts(n: tuple[int, ...], m: tuple[int, ...], dtype: str) -> None:
    rng = np.random.default_rng(3)
    kind = np.float32 if dtype == "f32" else np.float64
    a, b = rng.normal(size=n).astype(kind), rng.normal(size=m).astype(kind)
    for part in PARTS:
        check(a, b, call(dtype, part))
        check(a, b, call(dtype, part, turned=True, swapped=True))


def test_random_shapes() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        rank = int(rng.integers(2, 4))
        a = rng.normal(size=rng.integers(1, 40, rank)).astype(np.float32)
        b = rng.normal(size=rng.integers(1, 12, rank)).astype(np.float32)
        check(a, b, call("f32", PARTS[int(rng.integers(3))], bool(rng.integers(2))))


def test_whole_numbers_are_exact() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.integers(-99, 99, (700, 1)), rng.integers(-99, 99, (150, 1))
    found, _ = convolved(a.astype(float), b.astype(float), call("f64", "full"))
    np.testing.assert_array_equal(found[:, 0], np.convolve(a[:, 0], b[:, 0]))


@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (2, 2)])
def test_only_products_that_there_are_count(shape: tuple[int, int]) -> None:
    """Neither zeros beyond the array nor taps beyond the kernel meet what is infinite."""
    a = np.arange(1.0, 26.0).reshape(5, 5)
    b = np.ones(shape)
    b[0, 0] = np.inf
    found, _ = convolved(a, b, call("f64", "full"))
    expected = np.zeros(found.shape)
    for i, j in np.ndindex(*shape):
        expected[i : i + 5, j : j + 5] += b[i, j] * a
    np.testing.assert_array_equal(found, expected)
    a[2, 2], b[0, 0] = -np.inf, 1
    a[4, 0] = np.nan
    found, _ = convolved(a, b, call("f64", "full"))
    expected = np.zeros(found.shape)
    for i, j in np.ndindex(*shape):
        expected[i : i + 5, j : j + 5] += b[i, j] * a
    np.testing.assert_array_equal(found, expected)


def test_long_kernels_on_software_are_several_dispatches() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(300, 1)), rng.normal(size=(40000, 1))
    unit = call("f64", "same", swapped=True)
    check(a, b, unit, software=True, groups=3)
    _, prepared = convolved(a, b, unit, software=True)
    assert len(prepared.dispatches) > 1
    _, prepared = convolved(a, b, unit, software=False)
    assert len(prepared.dispatches) == 1


def test_what_is_declined() -> None:
    for dtypes in (("i32",) * 3, ("f32", "f64", "f32"), ("c64",) * 3):
        with pytest.raises(DeclinedError):
            template(LibraryCall("conv", dtypes), Target())
    with pytest.raises(DeclinedError):
        template(call("f32", "full"), Target(invocations=128))
    made = template(call("f32", "full"), target())
    with pytest.raises(DeviceFault, match="three dimensions"):
        made.prepare((2,) * 8, ())


#: By name of the file: the call and extents of array and kernel.
CASES = {
    "vectors": (call("f32", "full"), (500, 1, 9, 1)),
    "three_by_three": (call("f32", "same"), (64, 64, 3, 3)),
    "large_kernel": (call("f64", "valid", turned=True, swapped=True), (90, 90, 20, 20)),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    unit, extents = CASES[name]
    large = Target(workgroup_bytes=32768)
    made = template(unit, large).prepare(extents, ()).dispatches[0].shader
    file_regression.check(made.source, fullpath=GOLDEN / f"{name}.wgsl")
    pipeline(made)
