"""Eigenvalues on an adapter: errors beside LAPACK's, orthogonal vectors, odd matrices."""

from __future__ import annotations

import numpy as np
import pytest
from runmat_wgpu.codegen.linear import symmetric

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine


def decomposed(a: np.ndarray, dtype: str, vectors: bool) -> tuple[list[np.ndarray], int]:
    n = len(a)
    shapes = [(n, n), (n, n)] if vectors else [(n, 1)]
    types = (dtype,) * (1 + len(shapes))
    unit = LibraryCall("eig", types, (("vectors", True),) if vectors else (), guards=True)
    outputs = [np.full(shape, 7, a.dtype) for shape in shapes]
    machine = Machine(unit, [a, *outputs], types)
    machine.launch(a.shape)
    found = [
        machine.result(1 + i).reshape(shape, order="F").astype(float)
        for i, shape in enumerate(shapes)
    ]
    return found, machine.status


def check(a: np.ndarray, dtype: str) -> None:
    a = ((a + a.T) / 2).astype(NUMPY_DTYPE[dtype])
    exact, n = a.astype(float), len(a)
    eps, norm = float(np.finfo(a.dtype).eps), max(float(np.linalg.norm(exact)), 1e-300)
    d, v = (f.astype(float) for f in np.linalg.eigh(a))
    true = np.linalg.eigvalsh(exact)
    (mine,), status = decomposed(a, dtype, vectors=False)
    assert status == 0
    usual = abs(d - true).max()
    assert abs(mine[:, 0] - true).max() <= max(10 * usual, 8 * eps * norm)
    assert (np.diff(mine[:, 0]) >= 0).all()
    (own, values), status = decomposed(a, dtype, vectors=True)
    assert status == 0
    np.testing.assert_array_equal(values - np.diag(np.diag(values)), 0)
    np.testing.assert_array_equal(np.diag(values), mine[:, 0])
    usual = np.linalg.norm(exact @ v - v * d)
    assert np.linalg.norm(exact @ own - own @ values) <= max(10 * usual, 8 * eps * norm)
    usual = np.linalg.norm(v.T @ v - np.eye(n))
    assert np.linalg.norm(own.T @ own - np.eye(n)) <= max(10 * usual, 8 * n * eps)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("n", [1, 2, 3, 9, 31, 64])
def test_random_matrices(n: int, dtype: str) -> None:
    check(np.random.default_rng(n).normal(size=(n, n)), dtype)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_odd_matrices(dtype: str) -> None:
    rng = np.random.default_rng(2)
    check(np.eye(6) * 3, dtype)
    check(np.zeros((5, 5)), dtype)
    check(np.ones((8, 8)), dtype)
    check(np.ones((8, 8)) + np.diag(np.arange(8.0)), dtype)
    # pairs of eigenvalues of either sign
    check(np.kron(np.diag(np.arange(1.0, 6)), np.array([[0.0, 1], [1, 0]])), dtype)
    large = 1e30 if dtype == "f32" else 1e140
    check(rng.normal(size=(9, 9)) * large, dtype)
    check(rng.normal(size=(9, 9)) / large, dtype)
    half = rng.normal(size=(20, 4))
    check(half @ half.T, dtype)
    scale = 10.0 ** np.arange(0, -10, -1)
    check(rng.normal(size=(10, 10)) * scale * scale[:, np.newaxis], dtype)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_told(value: float) -> None:
    a = np.eye(12)
    a[11, 2] = a[2, 11] = value
    assert decomposed(a, "f64", vectors=False)[1] == 1


def test_what_is_not_symmetric_is_told() -> None:
    a = np.eye(12)
    a[11, 2] = 1e-300
    assert decomposed(a, "f64", vectors=False)[1] == 1


def test_sweeps_that_did_not_suffice_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(symmetric.SWEEPS, "f64", (1, 1))
    a = np.random.default_rng(5).normal(size=(12, 12))
    assert decomposed(a + a.T, "f64", vectors=False)[1] == 1
