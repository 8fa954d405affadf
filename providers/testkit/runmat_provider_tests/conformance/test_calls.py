"""Library calls that the provider declares."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api.device import ExecuteRequest, Launch
from runmat_core.api.ir import LibraryCall
from runmat_provider_tests.device import Device


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize("trans_a", [False, True])
@pytest.mark.parametrize("size", [(1, 1, 1), (5, 7, 3), (64, 33, 129), (200, 8, 200)])
def test_matmul(
    device: Device, size: tuple[int, int, int], trans_a: bool, trans_b: bool, dtype: str
) -> None:
    if "matmul" not in device.capabilities.libraries or dtype not in device.capabilities.dtypes:
        pytest.skip("not declared")
    m, n, k = size
    rng = np.random.default_rng(6)
    kind = np.float32 if dtype == "f32" else np.float64
    a = rng.normal(size=(k, m) if trans_a else (m, k)).astype(kind)
    b = rng.normal(size=(n, k) if trans_b else (k, n)).astype(kind)
    flags = (("trans_a", trans_a), ("trans_b", trans_b))
    executable = device.compile(LibraryCall("matmul", (dtype,) * 3, flags))
    assert executable is not None
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
    if "matmul" not in device.capabilities.libraries:
        pytest.skip("not declared")
    a = np.random.default_rng(7).normal(size=(300, 40)).astype(np.float32)
    call = LibraryCall("matmul", ("f32", "f32"), (("syrk", True), ("trans_a", True)))
    executable = device.compile(call)
    if executable is None:
        pytest.skip("syrk is declined")
    (handle,) = device.upload(a)
    (out,) = device.allocate(((40, 40), "f32"))
    launch = Launch(executable, (0, 1), (40, 40, 300))
    device.hook.execute(request=ExecuteRequest(steps=(launch,), slots=(handle, out)))
    (got,) = device.download(out)
    np.testing.assert_allclose(got, a.T @ a, rtol=1e-3, atol=1e-3)
    np.testing.assert_array_equal(got, got.T)
    device.free(handle, out)
