"""Digital filters on an adapter: recursions, their state between dispatches, text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_provider_tests.libraries import LIBRARIES
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import DeclinedError, Target

from runmat_core.api.device import DeviceFault
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine, pipeline, target

GOLDEN = Path(__file__).parent / "golden" / "filtering"
SECOND = np.array([[0.2, 0.4, 0.2]]), np.array([[2.0, -1.2, 0.5]])


def call(dtype: str, axis: int, arrays: int = 4, **attributes: float) -> LibraryCall:
    pairs = {**attributes, "axis": axis, "recursive": True}
    return LibraryCall("filter", (dtype,) * arrays, tuple(sorted(pairs.items())))


def check(x: np.ndarray, axis: int, b: np.ndarray, a: np.ndarray, dispatches: int = 1) -> None:
    unit = call({"f": "f32", "d": "f64"}[x.dtype.char], axis)
    inputs = [b.astype(x.dtype), a.astype(x.dtype), x]
    machine = Machine(unit, [*inputs, np.full_like(x, np.nan)], unit.dtypes)
    prepared = machine.launch((b.size, a.size, *x.shape))
    expected = np.empty(x.size)
    flat = [v.astype(float).ravel(order="F") for v in inputs]
    LIBRARIES["filter"](unit, (b.size, a.size, *x.shape), [*flat, expected])
    eps = float(np.finfo(x.dtype).eps)
    np.testing.assert_allclose(machine.result(3), expected, rtol=50 * eps, atol=20 * eps)
    assert len(prepared.dispatches) == dispatches


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_slices_along_each_axis(kind: type) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(30, 20, 7)).astype(kind)
    for axis in range(3):
        check(x, axis, *SECOND)
    check(x, 0, rng.normal(size=(1, 9)), np.array([[3.0, 0.5, -0.2]]))
    check(x, 1, np.ones((1, 1)), np.concatenate([[[12.0]], rng.normal(size=(1, 32))], 1))


def test_the_state_is_kept_between_dispatches() -> None:
    x = np.random.default_rng(3).normal(size=(130_000, 3))
    # an emulated device makes fewer iterations in one
    check(x, 0, *SECOND, dispatches=3 if target().software else 1)


def test_what_is_not_finite_goes_on_in_its_slice() -> None:
    x = np.ones((20, 3))
    x[5, 1] = np.nan
    unit = call("f64", 0, 3, gain=1.0)
    machine = Machine(unit, [np.array([1.0, -0.5]), x, np.zeros_like(x)], unit.dtypes)
    machine.launch((1, 2, 20, 3))
    found = machine.result(2).reshape((20, 3), order="F")
    np.testing.assert_array_equal(found[:, 0], 2 - 0.5 ** np.arange(20.0))
    assert np.isnan(found[5:, 1]).all()
    assert np.isfinite(found[:5, 1]).all()


def test_what_is_declined() -> None:
    with pytest.raises(DeclinedError):
        template(call("f64", 0), Target(f64=False))
    with pytest.raises(DeclinedError):
        template(call("c64", 0), Target())
    made = template(call("f32", 0), Target())
    with pytest.raises(DeviceFault, match="order 40"):
        made.prepare((41, 2, 5, 5), ())
    assert not made.prepare((2, 2, 0, 5), ()).dispatches


@pytest.mark.parametrize("software", [False, True])
def test_text(software: bool, file_regression: FileRegressionFixture) -> None:
    name = "kept_state" if software else "second_order"
    unit = call("f32", 1, 3 if software else 4, **({"gain": 0.5} if software else {}))
    made = template(unit, Target(software=software)).prepare(
        (1 if software else 3, 3, 8, 99999), ()
    )
    shader = made.dispatches[0].shader
    file_regression.check(shader.source, fullpath=GOLDEN / f"{name}.wgsl")
    pipeline(shader)
