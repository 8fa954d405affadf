"""Linear algebra by pages on an adapter: errors of each page beside LAPACK's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE
from tests.providers.wgpu.paged import (
    PLACES,
    TYPES,
    Pages,
    called,
    eps,
    hermitian,
    random,
    size,
    worst,
)


def conditioned(n: int, dtype: str) -> Pages:
    """Square pages that are hard: of conditions up to near what is told, scaled, triangular."""
    rng = np.random.default_rng(n)
    u, v = (np.linalg.qr(rng.normal(size=(n, n)))[0] for _ in range(2))
    low = -4 if dtype == "f32" else -12
    far = 30 if dtype == "f32" else 140
    full = rng.normal(size=(n, n))
    made = [
        (u * np.logspace(0, low, n)) @ v,
        (u * np.where(np.arange(n) == n - 1, 10.0**low, 1)) @ v,
        full * 10.0**far,
        full * 10.0**-far,
        np.tril(full) + 9 * np.eye(n),
        np.triu(full) + 9 * np.eye(n),
        np.eye(n)[rng.permutation(n)],
    ]
    return np.stack(made).astype(NUMPY_DTYPE[dtype])


def backward(a: Pages, b: Pages, x: Pages) -> Any:
    """Normwise backward errors of solutions."""
    a, b, x = (m.astype(float) for m in (a, b, x))
    scale = size(a)
    a = a / scale[:, None, None]
    x = x * scale[:, None, None]
    return size(a @ x - b) / (size(a) * size(x) + size(b))


SIZES = [1, 2, 7, 20, 33, 64]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", SIZES)
def test_systems(n: int, dtype: str, place: dict[str, Any]) -> None:
    a, b = random(n, n, 5, dtype), random(n, 3, 5, dtype)
    a += (np.eye(n) * (dtype == "f32")).astype(a.dtype) * np.sqrt(n).astype(a.dtype)
    (x,), status = called("solve_pages", [a, b], [(5, n, 3)], place)
    assert status == 0
    worst(backward(a, b, x), backward(a, b, np.linalg.solve(a, b)), 4 * eps(a))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [6, 30])
def test_hard_systems(n: int, dtype: str) -> None:
    a = conditioned(n, dtype)
    # right-hand sides as large as the matrices, so that solutions can be represented
    b = random(n, 2, len(a), dtype) * abs(a).max(axis=(1, 2), keepdims=True)
    (x,), status = called("solve_pages", [a, b], [b.shape])
    assert status == 0
    worst(backward(a, b, x), backward(a, b, np.linalg.solve(a, b)), 4 * eps(a))


@pytest.mark.parametrize(("left", "right"), [(1, 67), (67, 1), (67, 67), (1, 1)])
def test_one_page_for_all(left: int, right: int) -> None:
    a, b = random(3, 3, left, "f64"), random(3, 2, right, "f64")
    count = max(left, right)
    (x,), status = called("solve_pages", [a, b], [(count, 3, 2)])
    assert status == 0
    np.testing.assert_allclose(a @ x, np.broadcast_to(b, x.shape), atol=1e-11)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 5, 33, 60])
def test_inverses(n: int, dtype: str, place: dict[str, Any]) -> None:
    a = random(n, n, 5, dtype)
    (x,), status = called("inv_pages", [a], [a.shape], place)
    assert status == 0

    def error(x: Pages) -> Any:
        return size(a.astype(float) @ x - np.eye(n)) / (size(a) * size(x))

    worst(error(x), error(np.linalg.inv(a)), 4 * eps(a))


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 9, 40])
def test_determinants(n: int, dtype: str) -> None:
    a = random(n, n, 67, dtype) / np.sqrt(n).astype(NUMPY_DTYPE[dtype])
    (d,), status = called("det_pages", [a], [(67, 1, 1)])
    assert status == 0
    exact = np.linalg.det(a.astype(float))
    limit = np.linalg.cond(a.astype(float)) * n * eps(a) * abs(exact)
    assert (abs(d[:, 0, 0] - exact) <= limit).all()
    a[3] = 0
    (d,), status = called("det_pages", [a], [(67, 1, 1)])
    assert (d[3, 0, 0], status) == (0, 0)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 7, 33, 64])
def test_factors_of_definite_pages(n: int, dtype: str, lower: bool, place: dict[str, Any]) -> None:
    x = random(n + 3, n, 5, dtype).astype(float)
    a = (np.swapaxes(x, 1, 2) @ x).astype(NUMPY_DTYPE[dtype])
    a += np.eye(n, dtype=a.dtype) * (n if dtype == "f32" else 1)
    given = np.tril(a) if lower else np.triu(a)  # the other triangle is not read
    (r,), status = called("chol_pages", [given], [a.shape], place, lower=lower)
    assert status == 0
    factor = r if lower else np.swapaxes(r, 1, 2)
    np.testing.assert_array_equal(np.triu(factor, 1), 0)
    theirs = np.linalg.cholesky(a).astype(float)

    def error(f: Pages) -> Any:
        return size(f @ np.swapaxes(f, 1, 2) - a.astype(float)) / size(a)

    worst(error(factor), error(theirs), 4 * eps(a))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(5, 1, 1), (9, 4, 3), (64, 30, 2), (65, 63, 1), (512, 8, 1)])
def test_least_squares(shape: tuple[int, int, int], dtype: str, place: dict[str, Any]) -> None:
    m, n, k = shape
    a, b = random(m, n, 5, dtype), random(m, k, 5, dtype)
    a += 3 * np.eye(m, n, dtype=a.dtype)
    (x,), status = called("lstsq_pages", [a, b], [(5, n, k)], place)
    assert status == 0
    exact = a.astype(float)

    def error(x: Pages) -> Any:
        return size(np.swapaxes(exact, 1, 2) @ (exact @ x - b)) / size(a) ** 2

    theirs = np.stack([np.linalg.lstsq(p, q, rcond=None)[0] for p, q in zip(a, b, strict=True)])
    worst(error(x), error(theirs.astype(float)), 4 * eps(a))
    # a power of two, so that nothing is rounded otherwise
    far = a.dtype.type(2.0 ** (-90 if dtype == "f32" else -460))
    (y,), status = called("lstsq_pages", [a * far, b * far], [(5, n, k)], place)
    assert status == 0
    np.testing.assert_allclose(y, x, rtol=4 * eps(a))


@pytest.mark.sweep
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 7, 20, 33])
def test_eigenvalues(n: int, dtype: str, place: dict[str, Any]) -> None:
    a = hermitian(n, dtype)
    exact = a.astype(float)
    norm = np.maximum(size(exact), 1e-300)
    true = np.linalg.eigvalsh(exact)
    values, vectors = (f.astype(float) for f in np.linalg.eigh(a))
    (d,), status = called("eig_pages", [a], [(9, n, 1)], place)
    assert status == 0
    assert (np.diff(d[:, :, 0]) >= 0).all()
    least = 8 * eps(a)
    worst(abs(d[:, :, 0] - true).max(1) / norm, abs(values - true).max(1) / norm, least)
    (v, middle), status = called("eig_pages", [a], [a.shape, a.shape], place, vectors=True)
    assert status == 0
    np.testing.assert_array_equal(middle * (1 - np.eye(n)), 0)
    usual = size(exact @ vectors - vectors * values[:, None, :]) / norm
    worst(size(exact @ v - v @ middle) / norm, usual, least)
    usual = size(np.swapaxes(vectors, 1, 2) @ vectors - np.eye(n))
    worst(size(np.swapaxes(v, 1, 2) @ v - np.eye(n)), usual, least * n)


@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvalues_of_the_largest_pages(dtype: str) -> None:
    a = hermitian(64, dtype)[:3]
    (v, d), status = called("eig_pages", [a], [a.shape, a.shape], vectors=True)
    assert status == 0
    exact = a.astype(float)
    assert (size(exact @ v - v @ d) <= 64 * eps(a) * size(exact)).all()
    assert (size(np.swapaxes(v, 1, 2) @ v - np.eye(64)) <= 640 * eps(a)).all()


@pytest.mark.sweep
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (9, 4), (4, 9), (20, 20), (200, 5), (3, 300)])
def test_singular_values(shape: tuple[int, int], dtype: str, place: dict[str, Any]) -> None:
    (m, n), k = shape, min(shape)
    a = random(m, n, 7, dtype)
    far = a.dtype.type(1e30 if dtype == "f32" else 1e140)
    a[1], a[2] = a[1] * far, a[2] / far
    a[3] *= np.logspace(0, -4 if dtype == "f32" else -10, n).astype(a.dtype)
    exact = a.astype(float)
    norm = np.maximum(size(exact / abs(exact).max(axis=(1, 2), keepdims=True)), 1e-300)
    norm = norm * abs(exact).max(axis=(1, 2))
    u, s, vh = (f.astype(float) for f in np.linalg.svd(a, full_matrices=False))
    true = np.linalg.svd(exact, compute_uv=False)
    least = 8 * eps(a)
    (mine,), status = called("svd_pages", [a], [(7, k, 1)], place)
    assert status == 0
    assert (np.diff(mine[:, :, 0]) <= 0).all()
    usual = abs(s - true).max(1) / norm
    worst(abs(mine[:, :, 0] - true).max(1) / norm, usual, least)
    (first,), status = called("svd_pages", [a], [(7, 1, 1)], place, largest=True)
    np.testing.assert_array_equal(first[:, 0], mine[:, 0])
    shapes = [(7, m, k), (7, k, k), (7, n, k)]
    (left, middle, right), status = called("svd_pages", [a], shapes, place, vectors=True)
    assert status == 0
    scale = norm[:, None, None]
    usual = size((u * (s / norm[:, None])[:, None, :]) @ vh - exact / scale)
    back = left @ (middle / scale) @ np.swapaxes(right, 1, 2)
    worst(size(back - exact / scale), usual, least)
    for own, other in ((left, u), (right, np.swapaxes(vh, 1, 2))):
        usual = size(np.swapaxes(other, 1, 2) @ other - np.eye(k))
        worst(size(np.swapaxes(own, 1, 2) @ own - np.eye(k)), usual, least * k)


@pytest.mark.parametrize("dtype", TYPES)
def test_singular_values_of_the_largest_pages(dtype: str) -> None:
    a = hermitian(64, dtype)[:3]
    (u, s, v), status = called("svd_pages", [a], [a.shape] * 3, vectors=True)
    assert status == 0
    exact = a.astype(float)
    assert (size(u @ s @ np.swapaxes(v, 1, 2) - exact) <= 64 * eps(a) * size(exact)).all()
    assert (size(np.swapaxes(u, 1, 2) @ u - np.eye(64)) <= 640 * eps(a)).all()


def test_values_of_dependent_columns() -> None:
    a = random(12, 6, 5, "f64")
    a[3, :, 4], a[3, :, 5] = a[3, :, 0] - a[3, :, 2], 0
    (s,), status = called("svd_pages", [a], [(5, 6, 1)])
    assert status == 0
    np.testing.assert_allclose(s[:, :, 0], np.linalg.svd(a, compute_uv=False), atol=1e-13)
