"""Masks and places on an adapter: narrow grids, many tiles, dispatches; and texts to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_provider_tests.libraries import LIBRARIES
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api.device import NUMPY_DTYPE, DeviceFault
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine, pipeline

GOLDEN = Path(__file__).parent / "golden" / "scattering"
PLACES = (("gives", ("places",)),)
VALUES = (("gives", ("values",)),)


def check(
    call: LibraryCall, inputs: list[np.ndarray], sizes: list[int], extents: Any, **limits: Any
) -> int:
    """Compare the outputs of a call with the reference's; how many dispatches it took."""
    kinds = [NUMPY_DTYPE[t] for t in call.dtypes[len(inputs) :]]
    expected = [np.zeros(n, kind) for n, kind in zip(sizes, kinds, strict=True)]
    fired = bool(LIBRARIES[call.name](call, extents, [*inputs, *expected]))
    outputs = [np.zeros_like(one) for one in expected]
    machine = Machine(call, [*inputs, *outputs], call.dtypes)
    prepared = machine.launch(extents, **limits)
    assert machine.status == fired
    if not fired:
        for k, one in enumerate(expected):
            np.testing.assert_array_equal(machine.result(len(inputs) + k), one)
    return len(prepared.dispatches)


@pytest.mark.parametrize(("size", "dispatches"), [(1, 1), (2048, 1), (2049, 3), (1 << 20, 3)])
@pytest.mark.parametrize("dtype", ["bool", "f32", "f64", "i64", "u8"])
def test_compact(dtype: str, size: int, dispatches: int) -> None:
    rng = np.random.default_rng(size)
    x = (rng.integers(0, 3, size) * rng.integers(0, 2, size)).astype(NUMPY_DTYPE[dtype])
    x[-1] = 1
    count = int(np.count_nonzero(x))
    call = LibraryCall("compact", (dtype, "f64"), PLACES)
    assert check(call, [x], [count], (size, 1, 0, count)) == dispatches
    mask = rng.integers(0, 2, size).astype(bool)
    mask[0] = True
    count = int(mask.sum())
    call = LibraryCall("compact", ("bool", dtype, dtype), VALUES)
    assert check(call, [mask, x], [count], (size, 1, 0, count)) == dispatches


def test_narrow_grids_and_small_workgroups() -> None:
    mask = np.random.default_rng(2).integers(0, 2, 50000).astype(bool)
    count = int(mask.sum())
    call = LibraryCall("compact", ("bool", "f64"), PLACES)
    extents = (50000, 1, 100, count - 100)
    check(call, [mask], [count - 100], extents, groups=7)
    check(call, [mask], [count - 100], extents, groups=7, invocations=64)
    x, values = np.arange(50000.0), -np.arange(1.0, count + 1)
    call = LibraryCall("expand", ("f64", "bool", "f64", "f64"))
    check(call, [x, mask, values], [50000], (50000, count), groups=7)
    places = np.random.default_rng(3).integers(0, 40000, 90000).astype(np.int32)
    call = LibraryCall("scatter", ("f64", "i32", "f64", "f64"))
    new = np.arange(90000.0)
    assert check(call, [x, places, new], [50000], (50000, 90000, 90000), groups=7) == 2


@pytest.mark.sweep(4)
@pytest.mark.parametrize("by", ["sum", "max"])
@pytest.mark.parametrize(
    ("size", "bins", "dispatches"), [(1, 1, 6), (1000, 16, 6), (5000, 17, 10), (1 << 20, 300, 14)]
)
def test_accumulate(size: int, bins: int, dispatches: int, by: str) -> None:
    """A pass over places for each four bits, and as many rounds as tiles of tiles."""
    rng = np.random.default_rng(size)
    places = rng.integers(1, bins + 1, size).astype(np.int32)
    values = rng.integers(-50, 50, size).astype(np.float32)
    call = LibraryCall("accumulate", ("i32", "f32", "f32"), (("by", by),), guards=True)
    extents = (size, size, bins)
    assert check(call, [places, values], [bins], extents) == dispatches
    check(call, [places, values], [bins], extents, groups=9, invocations=64)


def test_sums_are_the_same_in_every_run() -> None:
    rng = np.random.default_rng(5)
    places = rng.integers(1, 50, 200000).astype(float)
    values = rng.normal(size=200000) * 10.0 ** rng.integers(-9, 9, 200000)
    call = LibraryCall("accumulate", ("f64",) * 3, (("by", "sum"),), guards=True)
    found = []
    for _ in range(3):
        machine = Machine(call, [places, values, np.zeros(50)], call.dtypes)
        machine.launch((200000, 200000, 50))
        found.append(machine.result(2))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    exact = np.array([np.sum(values[places == b].astype(np.longdouble)) for b in range(1, 51)])
    scale = np.array([np.sum(abs(values[places == b])) for b in range(1, 51)])
    assert (abs(found[0] - exact) <= 20 * 2.0**-53 * scale).all()


@pytest.mark.parametrize(("size", "bins"), [(100, 5), (70000, 2048), (70000, 2049), (1 << 20, 9)])
def test_counts(size: int, bins: int) -> None:
    """In the memory of workgroups where the bins fit there, else at once in the counts."""
    rng = np.random.default_rng(size)
    places = rng.integers(1, bins + 1, size).astype(np.float32)
    call = LibraryCall("accumulate", ("f32", "f64"), (("by", "count"),), guards=True)
    assert check(call, [places], [bins], (size, 0, bins)) == 2
    edges = np.sort(rng.normal(size=bins + 1))
    call = LibraryCall("histogram", ("f64", "f64", "f64"), (("closed", True),))
    assert check(call, [rng.normal(size=size), edges], [bins], (size, bins + 1), groups=3) == 2


def test_nothing_to_do() -> None:
    call = LibraryCall("compact", ("bool", "f64"), PLACES)
    assert not template(call, Target()).prepare((100, 1, 0, 0), ()).dispatches
    call = LibraryCall("scatter", ("f32", "i32", "f32", "f32"))
    assert not template(call, Target()).prepare((0, 0, 0), ()).dispatches


def test_what_is_declined() -> None:
    with pytest.raises(DeclinedError):
        template(LibraryCall("compact", ("bool", "f64"), PLACES), Target(f64=False))
    with pytest.raises(DeclinedError):
        template(LibraryCall("scatter", ("f32", "i32", "f64", "f32")), Target())
    made = template(LibraryCall("expand", ("f32", "bool", "f32", "f32")), Target())
    with pytest.raises(DeviceFault):
        made.prepare((1 << 27, 5), ())


CASES = {
    "places": LibraryCall("compact", ("bool", "f64"), PLACES),
    "subscripts_and_values": LibraryCall(
        "compact", ("f32", "f64", "f64", "f32"), (("gives", ("rows", "columns", "values")),)
    ),
    "elements_by_a_mask": LibraryCall("compact", ("bool", "f64", "f64"), VALUES),
    "expand": LibraryCall("expand", ("f32", "bool", "f32", "f32")),
    "scatter": LibraryCall("scatter", ("f32", "i32", "f32", "f32")),
    "sums": LibraryCall("accumulate", ("f64", "f32", "f32"), (("by", "sum"),), guards=True),
    "greatest": LibraryCall("accumulate", ("i32", "f32", "f32"), (("by", "max"),), guards=True),
    "counts": LibraryCall("accumulate", ("f64", "f64"), (("by", "count"),), guards=True),
    "histogram": LibraryCall("histogram", ("f32", "f64", "f64", "f64"), (("closed", True),)),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    call = CASES[name]
    extents = {
        "accumulate": (9000, 9000, 7),
        "compact": (9000, 1, 0, 50),
        "expand": (9000, 50),
        "histogram": (9000, 7),
        "scatter": (9000, 50, 50),
    }
    dispatches = template(call, Target()).prepare(extents[call.name], ()).dispatches
    shaders = list(dict.fromkeys(one.shader for one in dispatches))
    text = "\n".join(shader.source for shader in shaders)
    file_regression.check(text, fullpath=GOLDEN / f"{name}.wgsl")
    for shader in shaders:
        pipeline(shader)
