"""Library calls of linear algebra that the provider declares: errors, and when they guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE, DownloadRequest, ExecuteRequest, Launch
from runmat_core.api.ir import LibraryCall
from runmat_core.api.ir.calls import TOLD
from runmat_provider_tests.device import Data, Device

Shape = tuple[int, int]
TYPES = ["f32", "f64"]


def called(
    device: Device,
    name: str,
    inputs: list[Data],
    shapes: Sequence[tuple[int, ...]],
    **attributes: bool,
) -> tuple[list[Data], int]:
    """Return the outputs of a call, as doubles, and the status word."""
    dtype = "f32" if inputs[0].dtype == np.float32 else "f64"
    device.needs(dtype, library=name)
    types = (dtype,) * (len(inputs) + len(shapes))
    guards = not name.endswith(TOLD)
    executable = device.accepted(LibraryCall(name, types, tuple(attributes.items()), guards=guards))
    handles = device.upload(*inputs)
    made = device.allocate(*[(shape, dtype) for shape in shapes])
    (status,) = device.upload(np.zeros((1, 1), np.uint32))
    extents = tuple([n for a in inputs for n in a.shape])
    slots = (*handles, *made)
    launch = Launch(executable, tuple(range(len(slots))), extents)
    request = ExecuteRequest(steps=(launch,), slots=(*slots, status), status=status)
    assert device.hook.execute(request=request)
    answer = device.hook.download(request=DownloadRequest(arrays=made, status=status))
    device.free(*slots, status)
    return [a.astype(float) for a in answer.arrays], answer.status


def matrix(m: int, n: int, dtype: str) -> Any:
    """Return a matrix that is far from singular."""
    a = np.random.default_rng(m + n).normal(size=(m, n)) + 3 * np.sqrt(n) * np.eye(m, n)
    return a.astype(NUMPY_DTYPE[dtype])


def precision(dtype: str, n: int) -> float:
    return float(np.finfo(NUMPY_DTYPE[dtype]).eps) * 100 * n


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 9, 70])
def test_chol(device: Device, n: int, dtype: str, lower: bool) -> None:
    a = matrix(n, n, dtype)
    a = a.T @ a
    (r,), status = called(device, "chol", [a], [(n, n)], lower=lower)
    assert status == 0
    expected = np.linalg.cholesky(a.astype(float))
    size = precision(dtype, n) * abs(expected).max()
    np.testing.assert_allclose(r if lower else r.T, expected, atol=size)
    a[n - 1, n - 1] = 0
    assert called(device, "chol", [a], [(n, n)], lower=lower)[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("n", "k"), [(1, 1), (9, 3), (70, 80)])
def test_solve(device: Device, n: int, k: int, dtype: str) -> None:
    a, b = matrix(n, n, dtype), matrix(n, k, dtype)
    exact = np.linalg.inv(a.astype(float))
    size = precision(dtype, n)
    (x,), status = called(device, "solve", [a, b], [(n, k)])
    assert status == 0
    np.testing.assert_allclose(x, exact @ b, atol=size * abs(exact @ b).max())
    a[:, -1] *= 0
    assert called(device, "solve", [a, b], [(n, k)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 9, 70])
def test_inv(device: Device, n: int, dtype: str) -> None:
    a = matrix(n, n, dtype)
    exact = np.linalg.inv(a.astype(float))
    (x,), status = called(device, "inv", [a], [(n, n)])
    assert status == 0
    np.testing.assert_allclose(x, exact, atol=precision(dtype, n) * abs(exact).max())
    assert called(device, "inv", [a * np.nan], [(n, n)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 9, 20])
def test_det(device: Device, n: int, dtype: str) -> None:
    a = matrix(n, n, dtype)[::-1]
    ((d,),), status = called(device, "det", [a], [(1, 1)])
    assert status == 0
    np.testing.assert_allclose(d, np.linalg.det(a.astype(float)), rtol=precision(dtype, n))
    assert called(device, "det", [a * np.inf], [(1, 1)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [(5, 1, 1), (40, 9, 3), (300, 20, 2)])
def test_lstsq(device: Device, size: tuple[int, int, int], dtype: str) -> None:
    m, n, k = size
    a, b = matrix(m, n, dtype), matrix(m, k, dtype)
    (x,), status = called(device, "lstsq", [a, b], [(n, k)])
    assert status == 0
    expected = np.linalg.lstsq(a.astype(float), b.astype(float), rcond=None)[0]
    np.testing.assert_allclose(x, expected, atol=precision(dtype, n) * abs(expected).max())
    a[:, -1] = 0
    assert called(device, "lstsq", [a, b], [(n, k)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1, 1), (6, 6), (40, 9), (5, 30)])
def test_svd(device: Device, shape: Shape, dtype: str) -> None:
    (m, n), k = shape, min(shape)
    a = matrix(m, n, dtype)
    size = precision(dtype, n)
    values = np.linalg.svd(a.astype(float), compute_uv=False)
    (s,), status = called(device, "svd", [a], [(k, 1)])
    assert status == 0
    np.testing.assert_allclose(s[:, 0], values, atol=size * values[0])
    shapes = [(m, k), (k, k), (n, k)]
    (u, middle, v), status = called(device, "svd", [a], shapes, vectors=True)
    assert status == 0
    np.testing.assert_allclose(middle, np.diag(values), atol=size * values[0])
    np.testing.assert_allclose(u @ middle @ v.T, a, atol=size * values[0])
    np.testing.assert_allclose(u.T @ u, np.eye(k), atol=size)
    np.testing.assert_allclose(v.T @ v, np.eye(k), atol=size)
    a[0, 0] = np.inf
    assert called(device, "svd", [a], [(k, 1)])[1]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 9, 30])
def test_eig(device: Device, n: int, dtype: str) -> None:
    a = matrix(n, n, dtype)
    a = a + a.T
    size = precision(dtype, n) * max(abs(np.linalg.eigvalsh(a.astype(float))).max(), 1)
    values = np.linalg.eigvalsh(a.astype(float))
    (d,), status = called(device, "eig", [a], [(n, 1)])
    assert status == 0
    np.testing.assert_allclose(d[:, 0], values, atol=size)
    (v, middle), status = called(device, "eig", [a], [(n, n), (n, n)], vectors=True)
    assert status == 0
    np.testing.assert_allclose(middle, np.diag(values), atol=size)
    np.testing.assert_allclose(a @ v, v @ middle, atol=size)
    np.testing.assert_allclose(v.T @ v, np.eye(n), atol=precision(dtype, n))
    if n > 1:
        a[0, 1] += 1
        assert called(device, "eig", [a], [(n, 1)])[1]
    a[0, 0] = np.inf
    assert called(device, "eig", [a], [(n, 1)])[1]
