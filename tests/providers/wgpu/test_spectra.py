"""Singular values and eigenvalues of larger matrices: errors within ten times those of LAPACK.

Errors are in units of the precision: that of the factors' product relative to the matrix, and what
vectors lack to orthogonal ones. Of values it is a mean, as single ones of LAPACK's may be exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu import test_jacobi, test_symmetric

Errors = dict[str, float]
KINDS = ["random", "positive", "graded", "scaled", "deficient", "repeated", "orthogonal"]
CASES = [(kind, "f32") for kind in KINDS] + [("graded", "f64"), ("repeated", "f64")]


def rectangular(kind: str, m: int, n: int, dtype: str) -> np.ndarray:
    rng = np.random.default_rng(m + n)
    u, v = (np.linalg.qr(rng.normal(size=(k, min(m, n))))[0] for k in (m, n))
    k = np.arange(min(m, n))
    low = -9 if dtype == "f32" else -18
    made: dict[str, Any] = {
        "random": lambda: rng.normal(size=(m, n)),
        "positive": lambda: rng.random((m, n)),
        "graded": lambda: (u * np.logspace(0, low, len(k))) @ v.T,
        "scaled": lambda: rng.normal(size=(m, n)) * np.logspace(0, low / 2, n),
        "deficient": lambda: rng.normal(size=(m, n // 2)) @ rng.normal(size=(n // 2, n)),
        "repeated": lambda: (u * np.where(k < len(k) // 2, 1, 3)) @ v.T,
        "orthogonal": lambda: u @ v.T,
    }
    return np.asarray(made[kind](), NUMPY_DTYPE[dtype])


def symmetric(kind: str, n: int, dtype: str) -> np.ndarray:
    rng = np.random.default_rng(n)
    q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    k = np.arange(n)
    low = -9 if dtype == "f32" else -18
    half = rng.normal(size=(n, n // 3))
    made: dict[str, Any] = {
        "random": lambda: rng.normal(size=(n, n)),
        "positive": lambda: rng.random((n, n)),
        "graded": lambda: (q * np.logspace(0, low, n)) @ q.T,
        "scaled": lambda: np.outer(d := np.logspace(0, low / 4, n), d) * rng.normal(size=(n, n)),
        "deficient": lambda: half @ half.T,
        "repeated": lambda: (q * np.where(k < n // 2, 1, 3)) @ q.T,
        "orthogonal": lambda: (q * np.where(k < n // 2, 1, -1)) @ q.T,
    }
    a = made[kind]()
    return np.asarray((a + a.T) / 2, NUMPY_DTYPE[dtype])


def size(x: np.ndarray) -> float:
    return float(np.linalg.norm(x))


def lacks(x: np.ndarray) -> float:
    return size(x.T @ x - np.eye(x.shape[1]))


def of_factors(a: np.ndarray, u: np.ndarray, s: np.ndarray, v: np.ndarray) -> Errors:
    exact, eps = a.astype(np.longdouble), float(np.finfo(a.dtype).eps)
    u, s, v = (x.astype(np.longdouble) for x in (u, s, v))
    back = size(((u * s) @ v.T - exact).astype(float)) / size(a.astype(float))
    return {
        "product": back / eps,
        "left": lacks(u) / eps,
        "right": lacks(v) / eps,
    }


def within(mine: Errors, theirs: Errors) -> None:
    far = {name: (own, theirs[name]) for name, own in mine.items() if own > 10 * theirs[name]}
    assert not far


def check_values(mine: np.ndarray, theirs: np.ndarray, a: np.ndarray, true: np.ndarray) -> None:
    """Errors of values: all are near to the precision, the mean square within ten times."""
    norm, eps = size(a.astype(float)), float(np.finfo(a.dtype).eps)
    if a.dtype == np.float64:  # there are no better ones to compare with
        assert abs(mine - true).max() <= 8 * eps * norm
    else:
        assert abs(mine - true).max() <= eps * norm
        assert size(mine - true) <= 10 * max(size(theirs - true), eps * norm / 20)


def check_singular(a: np.ndarray, dtype: str, values: bool = True) -> None:
    (u, s, v), status = test_jacobi.decomposed(a, dtype, vectors=True)
    assert status == 0
    s = np.diag(s)
    left, theirs, right = np.linalg.svd(a, full_matrices=False)
    within(of_factors(a, u, s, v), of_factors(a, left, theirs, right.T))
    true = np.linalg.svd(a.astype(float), compute_uv=False)
    check_values(s, theirs, a, true)
    if values:
        (alone,), status = test_jacobi.decomposed(a, dtype, vectors=False)
        assert status == 0
        np.testing.assert_array_equal(alone[:, 0], s)


def check_symmetric(a: np.ndarray, dtype: str, values: bool = True) -> None:
    (v, d), status = test_symmetric.decomposed(a, dtype, vectors=True)
    assert status == 0
    d = np.diag(d)
    theirs, vectors = np.linalg.eigh(a)
    within(of_factors(a, v, d, v), of_factors(a, vectors, theirs, vectors))
    check_values(d, theirs, a, np.linalg.eigvalsh(a.astype(float)))
    if values:
        (alone,), status = test_symmetric.decomposed(a, dtype, vectors=False)
        assert status == 0
        np.testing.assert_array_equal(alone[:, 0], d)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("kind", "dtype"), CASES)
def test_singular_values(kind: str, dtype: str) -> None:
    check_singular(rectangular(kind, 60, 60, dtype), dtype)
    check_singular(rectangular(kind, 150, 33, dtype), dtype, values=False)
    check_singular(rectangular(kind, 20, 90, dtype), dtype, values=False)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("kind", "dtype"), CASES)
def test_eigenvalues(kind: str, dtype: str) -> None:
    check_symmetric(symmetric(kind, 60, dtype), dtype)
    check_symmetric(symmetric(kind, 33, dtype), dtype, values=False)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["random", "graded", "repeated"])
def test_of_a_hundred_columns(kind: str) -> None:
    check_singular(rectangular(kind, 100, 100, "f32"), "f32", values=False)
    check_symmetric(symmetric(kind, 100, "f32"), "f32", values=False)


@pytest.mark.slow
def test_that_many_columns_settle() -> None:
    check_singular(rectangular("random", 200, 200, "f32"), "f32", values=False)
    check_symmetric(symmetric("graded", 200, "f32"), "f32", values=False)


def test_slices_of_tall_matrices() -> None:
    """Sums over more rows than a workgroup takes."""
    check_singular(rectangular("random", 5000, 9, "f32"), "f32")
    check_singular(rectangular("graded", 4, 3000, "f64"), "f64")


@pytest.mark.parametrize("far", [1e-30, 1e30])
def test_units(far: float) -> None:
    """A power of two, so that nothing is rounded otherwise."""
    unit = np.float32(2.0 ** round(np.log2(far)))
    check_singular(rectangular("random", 20, 12, "f32") * unit, "f32")
    check_symmetric(symmetric("random", 15, "f32") * unit, "f32")


def test_dispatches() -> None:
    """Sweeps are bounded, and what is done besides them takes a few dispatches for each column."""
    target = Target(invocations=1024, workgroup_bytes=48 << 10, binding_bytes=1 << 30)
    n = 512

    def dispatches(name: str, outputs: int) -> int:
        unit = LibraryCall(name, ("f32",) * (1 + outputs), (("vectors", True),), guards=True)
        return len(template(unit, target).prepare((n, n), ()).dispatches)

    rounds = n - 1
    assert dispatches("eig", 2) <= (13 + 6) * 2 * rounds + 20
    assert dispatches("svd", 3) <= (12 + 6 * 2) * rounds + 10 * n + 40
