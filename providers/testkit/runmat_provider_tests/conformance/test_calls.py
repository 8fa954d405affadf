"""Library calls that the provider declares."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE, ExecuteRequest, Launch
from runmat_core.api.ir import LibraryCall
from runmat_provider_tests.device import Device
from runmat_provider_tests.libraries import LIBRARIES


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize("trans_a", [False, True])
@pytest.mark.parametrize("size", [(1, 1, 1), (5, 7, 3), (64, 33, 129), (200, 8, 200)])
def test_matmul(
    device: Device, size: tuple[int, int, int], trans_a: bool, trans_b: bool, dtype: str
) -> None:
    device.needs(dtype, library="matmul")
    m, n, k = size
    rng = np.random.default_rng(6)
    kind = np.float32 if dtype == "f32" else np.float64
    a = rng.normal(size=(k, m) if trans_a else (m, k)).astype(kind)
    b = rng.normal(size=(n, k) if trans_b else (k, n)).astype(kind)
    flags = (("trans_a", trans_a), ("trans_b", trans_b))
    executable = device.accepted(LibraryCall("matmul", (dtype,) * 3, flags))
    inputs = device.upload(a, b)
    (out,) = device.allocate(((m, n), dtype))
    launch = Launch(executable, (0, 1, 2), (m, n, k))
    assert device.hook.execute(request=ExecuteRequest(steps=(launch,), slots=(*inputs, out)))
    (got,) = device.download(out)
    expected = (a.T if trans_a else a).astype(float) @ (b.T if trans_b else b).astype(float)
    scale = np.sqrt(k) * (1e-5 if dtype == "f32" else 1e-13)
    np.testing.assert_allclose(got, expected, atol=scale * 4, rtol=scale)
    device.free(*inputs, out)


def test_gram(device: Device) -> None:
    device.needs(library="matmul")
    a = np.random.default_rng(7).normal(size=(300, 40)).astype(np.float32)
    call = LibraryCall("matmul", ("f32", "f32"), (("syrk", True), ("trans_a", True)))
    executable = device.accepted(call)
    (handle,) = device.upload(a)
    (out,) = device.allocate(((40, 40), "f32"))
    launch = Launch(executable, (0, 1), (40, 40, 300))
    device.hook.execute(request=ExecuteRequest(steps=(launch,), slots=(handle, out)))
    (got,) = device.download(out)
    np.testing.assert_allclose(got, a.T @ a, rtol=1e-3, atol=1e-3)
    np.testing.assert_array_equal(got, got.T)
    device.free(handle, out)


def called(
    device: Device,
    call: LibraryCall,
    data: np.ndarray,
    outputs: list[tuple[tuple[int, ...], str]],
) -> list[np.ndarray]:
    """Return the outputs of a library call on one array."""
    executable = device.accepted(call)
    (source,) = device.upload(data)
    made = device.allocate(*outputs)
    launch = Launch(executable, tuple(range(1 + len(made))), data.shape)
    request = ExecuteRequest(steps=(launch,), slots=(source, *made))
    assert device.hook.execute(request=request)
    found = device.download(*made)
    device.free(source, *made)
    return found


@pytest.mark.parametrize(
    ("shape", "axis", "descending"),
    [
        ((1, 1), 0, False),
        ((1, 300), 1, True),
        ((33, 5), 0, False),
        ((33, 5), 1, False),
        ((20000, 1), 0, False),
        ((3, 5000), 1, True),
    ],
)
@pytest.mark.parametrize("dtype", ["f32", "f64", "i32", "u8", "bool"])
def test_sort(
    device: Device, dtype: str, shape: tuple[int, int], axis: int, descending: bool
) -> None:
    device.needs(dtype, "f64", library="sort")
    rng = np.random.default_rng(11)
    data = rng.integers(-9, 9, shape).astype(float)
    if dtype in ("f32", "f64"):
        data *= 0.5
        for value in (np.nan, np.inf, -np.inf, -0.0, 0.0):
            data[rng.integers(0, shape[0]), rng.integers(0, shape[1])] = value
    else:
        data = abs(data)
    data = data.astype(NUMPY_DTYPE[dtype])
    attributes = (("axis", axis), ("descending", descending))
    call = LibraryCall("sort", (dtype, dtype, "f64"), attributes)
    values, where = called(device, call, data, [(shape, dtype), (shape, "f64")])
    expected = [np.empty(data.size, data.dtype), np.empty(data.size)]
    LIBRARIES["sort"](call, shape, [data.ravel(order="F"), *expected])
    np.testing.assert_array_equal(where.ravel(order="F"), expected[1])
    np.testing.assert_array_equal(values.ravel(order="F"), expected[0])
    alone = LibraryCall("sort", (dtype, dtype), attributes)
    (values,) = called(device, alone, data, [(shape, dtype)])
    np.testing.assert_array_equal(values.ravel(order="F"), expected[0])


@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (40, 8), (700, 3), (512, 8), (3, 7), (900, 64)])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_qr(device: Device, dtype: str, shape: tuple[int, int]) -> None:
    device.needs(dtype, library="qr")
    a = np.random.default_rng(12).normal(size=shape).astype(NUMPY_DTYPE[dtype])
    m, n = shape
    k = min(m, n)
    call = LibraryCall("qr", (dtype,) * 3, (("q", True),))
    q, r = called(device, call, a, [((m, k), dtype), ((k, n), dtype)])
    eps = float(np.finfo(a.dtype).eps) * 10 * np.sqrt(m * n)
    np.testing.assert_allclose(q.astype(float) @ r, a, atol=eps * abs(a).max() * 4)
    np.testing.assert_allclose(q.T.astype(float) @ q, np.eye(k), atol=eps)
    np.testing.assert_array_equal(np.tril(r, -1), 0)
    signs = np.sign(np.diag(np.linalg.qr(a.astype(float), mode="r")))
    np.testing.assert_array_equal(np.sign(np.diag(r)), signs)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_qr_of_dependent_columns(device: Device, dtype: str) -> None:
    device.needs(dtype, library="qr")
    a = np.random.default_rng(13).normal(size=(50, 4)).astype(NUMPY_DTYPE[dtype])
    a[:, 2] = a[:, 0] + a[:, 1]
    a[:, 3] = 0
    call = LibraryCall("qr", (dtype,) * 3, (("q", True),))
    q, r = called(device, call, a, [((50, 4), dtype), ((4, 4), dtype)])
    eps = float(np.finfo(a.dtype).eps) * 100
    np.testing.assert_allclose(q.astype(float) @ r, a, atol=eps * 10)
    np.testing.assert_allclose(q.T.astype(float) @ q, np.eye(4), atol=eps * 10)
