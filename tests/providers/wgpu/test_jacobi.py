"""Singular values on an adapter: errors beside LAPACK's, orthogonal vectors, odd matrices."""

from __future__ import annotations

import numpy as np
import pytest
from runmat_wgpu.codegen.linear import jacobi

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine

SHAPES = [(1, 1), (2, 2), (9, 4), (4, 9), (31, 31), (300, 12)]


def decomposed(a: np.ndarray, dtype: str, vectors: bool) -> tuple[list[np.ndarray], int]:
    (m, n), k = a.shape, min(a.shape)
    shapes = [(m, k), (k, k), (n, k)] if vectors else [(k, 1)]
    types = (dtype,) * (1 + len(shapes))
    unit = LibraryCall("svd", types, (("vectors", True),) if vectors else (), guards=True)
    outputs = [np.full(shape, 7, a.dtype) for shape in shapes]
    machine = Machine(unit, [a, *outputs], types)
    machine.launch(a.shape)
    found = [
        machine.result(1 + i).reshape(shape, order="F").astype(float)
        for i, shape in enumerate(shapes)
    ]
    return found, machine.status


def check(a: np.ndarray, dtype: str) -> None:
    a = a.astype(NUMPY_DTYPE[dtype])
    exact, k = a.astype(float), min(a.shape)
    eps, norm = float(np.finfo(a.dtype).eps), max(float(np.linalg.norm(exact)), 1e-300)
    u, s, vh = (f.astype(float) for f in np.linalg.svd(a, full_matrices=False))
    true = np.linalg.svd(exact, compute_uv=False)
    (mine,), status = decomposed(a, dtype, vectors=False)
    assert status == 0
    usual = abs(s - true).max()
    assert abs(mine[:, 0] - true).max() <= max(10 * usual, 8 * eps * norm)
    assert (np.diff(mine[:, 0]) <= 0).all()
    (left, values, right), status = decomposed(a, dtype, vectors=True)
    assert status == 0
    np.testing.assert_array_equal(values - np.diag(np.diag(values)), 0)
    usual = np.linalg.norm((u * s) @ vh - exact)
    assert np.linalg.norm(left @ values @ right.T - exact) <= max(10 * usual, 8 * eps * norm)
    for mine_, theirs in ((left, u), (right, vh.T)):
        usual = np.linalg.norm(theirs.T @ theirs - np.eye(k))
        assert np.linalg.norm(mine_.T @ mine_ - np.eye(k)) <= max(10 * usual, 8 * k * eps)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_random_matrices(shape: tuple[int, int], dtype: str) -> None:
    check(np.random.default_rng(sum(shape)).normal(size=shape), dtype)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_odd_matrices(dtype: str) -> None:
    rng = np.random.default_rng(2)
    check(np.eye(6) * 3, dtype)
    check(np.ones((8, 8)) + np.diag(np.arange(8.0)), dtype)
    large = 1e30 if dtype == "f32" else 1e140
    check(rng.normal(size=(9, 5)) * large, dtype)
    check(rng.normal(size=(9, 5)) / large, dtype)
    graded = rng.normal(size=(20, 6)) * 10.0 ** np.arange(0, -12, -2)
    check(graded, dtype)


def test_values_of_dependent_columns() -> None:
    a = np.random.default_rng(3).normal(size=(30, 6))
    a[:, 4], a[:, 5] = a[:, 0] - a[:, 2], 0
    (s,), status = decomposed(a, "f64", vectors=False)
    assert status == 0
    np.testing.assert_allclose(s[:, 0], np.linalg.svd(a, compute_uv=False), atol=1e-13)
    check(a, "f64")
    check(a.T, "f64")
    check(a * 0, "f32")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_told(value: float) -> None:
    a = np.random.default_rng(4).normal(size=(12, 5))
    a[11, 2] = value
    assert decomposed(a, "f64", vectors=False)[1] == 1
    assert decomposed(a.T.copy(), "f64", vectors=False)[1] == 1


def test_sweeps_that_did_not_suffice_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jacobi.SWEEPS, "f64", (1, 1))
    a = np.random.default_rng(5).normal(size=(12, 10))
    assert decomposed(a, "f64", vectors=False)[1] == 1
