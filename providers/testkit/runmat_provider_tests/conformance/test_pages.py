"""Linear algebra by pages that the provider declares: errors of each page, and when it guards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE
from runmat_provider_tests.conformance.test_linear import TYPES, called, matrix, precision
from runmat_provider_tests.device import Data, Device

PAGES = [1, 5, 70]


def pages(m: int, n: int, count: int, dtype: str) -> Any:
    """Matrices far from singular, each another one."""
    rng = np.random.default_rng(count)
    made = [matrix(m, n, dtype) * (1 + k % 3) + rng.normal(size=(m, n)) / 9 for k in range(count)]
    return np.asfortranarray(np.stack(made, axis=2).astype(NUMPY_DTYPE[dtype]))


def each(a: Data) -> list[Any]:
    """Return the pages as doubles."""
    return list(np.moveaxis(a.astype(float), 2, 0))


def small(residual: Any, size: float) -> None:
    assert abs(residual).max() <= size


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 3, 20])
@pytest.mark.parametrize("count", PAGES)
def test_inv(device: Device, count: int, n: int, dtype: str) -> None:
    a = pages(n, n, count, dtype)
    (x,), status = called(device, "inv_pages", [a], [a.shape])
    assert status == 0
    for one, inverse in zip(each(a), each(x), strict=True):
        small(one @ inverse - np.eye(n), precision(dtype, n))
    a[:, -1, count // 2] = 0
    assert called(device, "inv_pages", [a], [a.shape])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 1), (20, 9)])
@pytest.mark.parametrize(("left", "right"), [(1, 1), (6, 6), (1, 6), (6, 1), (70, 70)])
def test_solve(device: Device, left: int, right: int, n: int, k: int, dtype: str) -> None:
    a, b = pages(n, n, left, dtype), pages(n, k, right, dtype)
    count = max(left, right)
    (x,), status = called(device, "solve_pages", [a, b], [(n, k, count)])
    assert status == 0
    for p, solution in enumerate(each(x)):
        one, other = each(a)[p % left], each(b)[p % right]
        small(one @ solution - other, precision(dtype, n) * max(abs(other).max(), 1))
    a[:, 0, -1] = np.nan
    assert called(device, "solve_pages", [a, b], [(n, k, count)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 9])
@pytest.mark.parametrize("count", PAGES)
def test_det(device: Device, count: int, n: int, dtype: str) -> None:
    a = pages(n, n, count, dtype)[::-1].copy(order="F")
    (d,), status = called(device, "det_pages", [a], [(1, 1, count)])
    assert status == 0
    expected = [np.linalg.det(one) for one in each(a)]
    np.testing.assert_allclose(d.ravel(), expected, rtol=precision(dtype, n))
    a[0, 0, 0] = np.inf
    assert called(device, "det_pages", [a], [(1, 1, count)])[1]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 3, 20])
@pytest.mark.parametrize("count", PAGES)
def test_chol(device: Device, count: int, n: int, dtype: str, lower: bool) -> None:
    a = pages(n, n, count, dtype)
    a = np.asfortranarray(np.einsum("ijp,ikp->jkp", a, a))
    (r,), status = called(device, "chol_pages", [a], [a.shape], lower=lower)
    assert status == 0
    for one, factor in zip(each(a), each(r), strict=True):
        expected = np.linalg.cholesky(one)
        size = precision(dtype, n) * abs(expected).max()
        np.testing.assert_allclose(factor if lower else factor.T, expected, atol=size)
    a[n - 1, n - 1, -1] = 0
    assert called(device, "chol_pages", [a], [a.shape], lower=lower)[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [(5, 1, 1), (9, 4, 2), (40, 20, 1)])
@pytest.mark.parametrize(("left", "right"), [(1, 1), (6, 6), (1, 6), (70, 1)])
def test_lstsq(
    device: Device, left: int, right: int, size: tuple[int, int, int], dtype: str
) -> None:
    m, n, k = size
    a, b = pages(m, n, left, dtype), pages(m, k, right, dtype)
    count = max(left, right)
    (x,), status = called(device, "lstsq_pages", [a, b], [(n, k, count)])
    assert status == 0
    for p, solution in enumerate(each(x)):
        expected = np.linalg.lstsq(each(a)[p % left], each(b)[p % right], rcond=None)[0]
        limit = precision(dtype, n) * max(abs(expected).max(), 1)
        np.testing.assert_allclose(solution, expected, atol=limit)
    a[:, -1, -1] = 0
    assert called(device, "lstsq_pages", [a, b], [(n, k, count)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 3), (7, 2), (2, 7), (20, 20)])
@pytest.mark.parametrize("count", PAGES)
def test_svd(device: Device, count: int, shape: tuple[int, int], dtype: str) -> None:
    (m, n), k = shape, min(shape)
    a = pages(m, n, count, dtype)
    values = np.stack([np.linalg.svd(one, compute_uv=False) for one in each(a)], axis=1)
    size = precision(dtype, n) * values.max()
    (s,), status = called(device, "svd_pages", [a], [(k, 1, count)])
    assert status == 0
    np.testing.assert_allclose(s[:, 0], values, atol=size)
    (s,), status = called(device, "svd_pages", [a], [(1, 1, count)], largest=True)
    np.testing.assert_allclose(s[0, 0], values[0], atol=size)
    shapes = [(m, k, count), (k, k, count), (n, k, count)]
    factors, status = called(device, "svd_pages", [a], shapes, vectors=True)
    assert status == 0
    for p, (u, middle, v) in enumerate(zip(*map(each, factors), strict=True)):
        np.testing.assert_allclose(middle, np.diag(values[:, p]), atol=size)
        small(u @ middle @ v.T - each(a)[p], size)
        small(u.T @ u - np.eye(k), precision(dtype, n))
        small(v.T @ v - np.eye(k), precision(dtype, n))
    a[0, 0, -1] = np.inf
    assert called(device, "svd_pages", [a], [(k, 1, count)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("count", PAGES)
def test_eig(device: Device, count: int, n: int, dtype: str) -> None:
    a = pages(n, n, count, dtype)
    a = np.asfortranarray(a + a.transpose(1, 0, 2))
    values = np.stack([np.linalg.eigvalsh(one) for one in each(a)], axis=1)
    size = precision(dtype, n) * max(abs(values).max(), 1)
    (d,), status = called(device, "eig_pages", [a], [(n, 1, count)])
    assert status == 0
    np.testing.assert_allclose(d[:, 0], values, atol=size)
    factors, status = called(device, "eig_pages", [a], [a.shape, a.shape], vectors=True)
    assert status == 0
    for one, v, middle in zip(each(a), *map(each, factors), strict=True):
        np.testing.assert_array_equal(middle, np.diag(middle.diagonal()))
        small(one @ v - v @ middle, size)
        small(v.T @ v - np.eye(n), precision(dtype, n))
    if n > 1:
        a[0, 1, -1] += 1
        assert called(device, "eig_pages", [a], [(n, 1, count)])[1]


#: Calls, and the outputs of each for pages of 3 x 3 elements, with 2 columns beside them.
OUTPUTS = {"chol": 3, "det": 1, "eig": 1, "inv": 3, "lstsq": 2, "solve": 2, "svd": 1}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", OUTPUTS)
def test_told_pages(device: Device, name: str, dtype: str) -> None:
    """Each page that the call guards for is told, and the others are what they are without it."""
    full = pages(3, 3, 70, dtype)
    a = np.asfortranarray(np.einsum("ijp,ikp->jkp", full, full))
    inputs = [a]
    if name in ("solve", "lstsq"):
        inputs.append(pages(9 if name == "lstsq" else 3, 2, 70, dtype))
    if name == "lstsq":
        inputs[0] = a = pages(9, 3, 70, dtype)
    rows = 1 if name == "det" else 3
    shapes = [(rows, OUTPUTS[name], 70)]
    (expected,), status = called(device, f"{name}_pages", inputs, shapes)
    assert status == 0
    at = [0, 9, 33, 69]
    a[1, 1, at] = np.nan
    outputs, status = called(device, f"{name}_pages_told", inputs, [*shapes, (1, 1, 70)])
    assert status == 0
    np.testing.assert_array_equal(np.flatnonzero(outputs[1]), at)
    np.testing.assert_array_equal(
        np.delete(outputs[0], at, axis=2), np.delete(expected, at, axis=2)
    )
