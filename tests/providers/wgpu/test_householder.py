"""Thin QR factors on an adapter: backward error, orthogonality, LAPACK's signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_wgpu.codegen import householder, template

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine, adapter_device, target


def factors(a: np.ndarray, dtype: str, **changes: Any) -> tuple[np.ndarray, np.ndarray]:
    m, n = a.shape
    k = min(m, n)
    call = LibraryCall("qr", (dtype,) * 3, (("q", True),))
    q, r = np.full((m, k), 7, a.dtype), np.full((k, n), 7, a.dtype)
    machine = Machine(call, [a, q, r], call.dtypes)
    machine.launch((m, n), **changes)
    return machine.result(1).reshape((m, k), order="F"), machine.result(2).reshape(
        (k, n), order="F"
    )


def check(a: np.ndarray, dtype: str, **changes: Any) -> None:
    a = a.astype(NUMPY_DTYPE[dtype])
    q, r = factors(a, dtype, **changes)
    k, norm = min(a.shape), max(float(np.linalg.norm(a.astype(float))), 1e-37)
    lapack_q, lapack_r = np.linalg.qr(a)
    unit = float(np.finfo(a.dtype).eps)
    exact = a.astype(float)
    error = np.linalg.norm(q.astype(float) @ r - exact) / norm
    theirs = np.linalg.norm(lapack_q.astype(float) @ lapack_r - exact) / norm
    assert error <= max(10 * theirs, 4 * unit)
    loss = np.linalg.norm(q.T.astype(float) @ q - np.eye(k))
    theirs = np.linalg.norm(lapack_q.T.astype(float) @ lapack_q - np.eye(k))
    assert loss <= max(10 * theirs, 4 * k * unit)
    np.testing.assert_array_equal(np.tril(r, -1), 0)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize(
    "shape", [(1, 1), (6, 6), (512, 8), (3, 7), (333, 17), (100, 100), (700, 60)]
)
def test_in_one_workgroup(shape: tuple[int, int], dtype: str) -> None:
    a = np.random.default_rng(3).normal(size=shape)
    check(a, dtype)
    _, r = factors(a.astype(NUMPY_DTYPE[dtype]), dtype)
    signs = np.sign(np.diag(np.linalg.qr(a, mode="r")))
    np.testing.assert_array_equal(np.sign(np.diag(r)), signs)


@pytest.mark.parametrize(
    "shape", [(1, 1), (6, 6), (32, 8), (33, 1), (512, 8), (40, 3), (1000, 5), (333, 17), (70, 32)]
)
def test_panels_in_registers(shape: tuple[int, int]) -> None:
    most = adapter_device().limits["max-compute-invocations-per-workgroup"]
    if most < 32 * shape[1]:
        pytest.skip("too few invocations for a panel of this width")
    hardware = {"subgroups": True, "software": False, "invocations": most}
    a = np.random.default_rng(6).normal(size=shape).astype(np.float32)
    assert "let v0 =" in panel_source(shape, **hardware)
    check(a, "f32", **hardware)
    if shape[1] > 2:
        a[:, 1] = 0
        a[:, 2] = a[:, 0]
        check(a, "f32", **hardware)
    q, r = factors(np.triu(a), "f32", **hardware)
    np.testing.assert_allclose(np.abs(q), np.eye(*shape), atol=1e-6)
    signs = np.sign(np.diag(np.linalg.qr(np.triu(a), mode="r")))
    np.testing.assert_array_equal(np.sign(np.diag(r)), signs)


def panel_source(shape: tuple[int, int], **hardware: Any) -> str:
    call = LibraryCall("qr", ("f32",) * 3, (("q", True),))
    prepared = template(call, target(**hardware)).prepare(shape, ())
    assert len(prepared.dispatches) == 1
    return prepared.dispatches[0].shader.source


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("shape", [(2500, 9), (40, 40), (12, 30)])
def test_in_many_workgroups(
    shape: tuple[int, int], dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(householder, "ALONE", 0)
    check(np.random.default_rng(4).normal(size=shape), dtype)


@pytest.mark.parametrize("alone", [True, False])
def test_odd_matrices(alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not alone:
        monkeypatch.setattr(householder, "ALONE", 0)
    rng = np.random.default_rng(5)
    dependent = rng.normal(size=(60, 5))
    dependent[:, 3] = dependent[:, 0] - dependent[:, 1]
    dependent[:, 4] = 0
    check(dependent, "f64")
    check(np.zeros((20, 3)), "f64")
    check(np.eye(9), "f64")
    graded = rng.normal(size=(50, 6)) * 10.0 ** np.arange(0, -18, -3)
    check(graded, "f64")
    q, r = factors(np.triu(rng.normal(size=(6, 6)) + 9), "f64")
    np.testing.assert_array_equal(q, np.eye(6))
    assert (np.diag(r) > 0).all()


@pytest.mark.parametrize("form", ["alone", "many", "panel"])
@pytest.mark.parametrize("size", [1e-30, 1e-20, 3e18, 1e30])
def test_squares_neither_overflow_nor_vanish(
    form: str, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(8)
    hardware: dict[str, Any] = {}
    if form == "panel":
        most = adapter_device().limits["max-compute-invocations-per-workgroup"]
        hardware = {"subgroups": True, "software": False, "invocations": most}
    elif form == "many":
        monkeypatch.setattr(householder, "ALONE", 0)
    check(rng.normal(size=(60, 6)) * size, "f32", **hardware)
    # each column keeps its own digits
    a = rng.normal(size=(60, 6)).astype(np.float32)
    sizes = np.float32(2.0) ** np.array([-80, 0, 70, -100, 3, 90], np.float32)
    q, r = factors(a * sizes, "f32", **hardware)
    alike_q, alike_r = factors(a, "f32", **hardware)
    np.testing.assert_array_equal(q, alike_q)
    np.testing.assert_array_equal(r, alike_r * sizes)


def test_what_is_little_beside_its_column_keeps_directions_at_right_angles() -> None:
    a = np.random.default_rng(9).normal(size=(40, 4))
    a[:, 2] = a[:, 0] + 1e-15 * a[:, 2]
    a[:5, 3], a[5:, 3] = 1.0, 1e-22
    check(a, "f32")


def test_the_triangle_alone() -> None:
    a = np.random.default_rng(6).normal(size=(80, 4))
    call = LibraryCall("qr", ("f64", "f64"))
    machine = Machine(call, [a, np.zeros((4, 4))], call.dtypes)
    machine.launch(a.shape)
    np.testing.assert_allclose(
        machine.result(1).reshape((4, 4), order="F"), np.linalg.qr(a, mode="r"), atol=1e-12
    )


def test_not_a_number_spreads() -> None:
    a = np.random.default_rng(7).normal(size=(30, 3))
    a[4, 1] = np.nan
    q, r = factors(a, "f64")
    assert np.isnan(r[1, 1])
    assert np.isnan(q[:, 1]).all()
    assert np.isfinite(r[0, 0])
