"""Products by BLAS and their epilogues."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import ir
from runmat_core.api.device import (
    NUMPY_DTYPE,
    Addressing,
    CompileRequest,
    ExecuteRequest,
    Launch,
)
from runmat_core.api.ir import LibraryCall, reducers


def product(
    device: Any,
    call: LibraryCall,
    inputs: list[Any],
    extents: tuple[int, int, int],
    outputs: list[tuple[tuple[int, ...], str]],
    views: tuple[Addressing, ...] = (),
) -> list[Any]:
    (executable,) = device.provider.compile(CompileRequest(units=(call,)))
    assert executable is not None
    slots = (*device.upload(*inputs), *device.allocate(*outputs))
    launch = Launch(executable, tuple(range(len(slots))), extents, views)
    device.provider.execute(ExecuteRequest(steps=(launch,), slots=slots))
    return device.download(*slots[len(inputs) :])  # type: ignore[no-any-return]


def matrices(dtype: str, m: int, n: int, k: int, ta: bool, tb: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    a = rng.standard_normal((k, m) if ta else (m, k)).astype(NUMPY_DTYPE[dtype])
    b = rng.standard_normal((n, k) if tb else (k, n)).astype(NUMPY_DTYPE[dtype])
    return a, b


def flags(**values: bool) -> tuple[tuple[str, bool], ...]:
    return tuple(sorted(values.items()))


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize("trans_a", [False, True])
@pytest.mark.parametrize(
    "extents", [(5, 4, 3), (1, 4, 3), (5, 1, 3), (5, 4, 1), (2, 3, 0), (130, 8, 150)]
)
def test_products(extents: Any, trans_a: bool, trans_b: bool, dtype: str, device: Any) -> None:
    a, b = matrices(dtype, *extents, trans_a, trans_b)
    call = LibraryCall("matmul", (dtype,) * 3, flags(trans_a=trans_a, trans_b=trans_b))
    (c,) = product(device, call, [a, b], extents, [(extents[:2], dtype)])
    wanted = (a.T if trans_a else a) @ (b.T if trans_b else b)
    np.testing.assert_allclose(c, wanted, rtol=1e-5, atol=1e-5)
    assert c.flags.f_contiguous


@pytest.mark.parametrize("inputs", [1, 2])
def test_a_symmetric_product_takes_its_input_once_or_twice(inputs: int, device: Any) -> None:
    a = np.random.default_rng(3).standard_normal((300, 7))
    call = LibraryCall("matmul", ("f64",) * 3, flags(syrk=True, trans_a=True))
    (c,) = product(device, call, [a] * inputs, (7, 7, 300), [((7, 7), "f64")])
    np.testing.assert_allclose(c, a.T @ a, rtol=1e-12)
    np.testing.assert_array_equal(c, c.T)


def epilogue(kinds: str, write: Any, extents: tuple[int, int], row: Any) -> Any:
    """(C - its mean along the reduced axes) * row, or just C * row, and the sums."""
    m, _ = extents
    w = write(kinds, extents)
    w.buffers.append(ir.Buffer("f64"))
    view = w.view(0, (1, m))
    c = ir.V(w.builder, w.builder.emit("load", (), "f64", 3, view))
    scaled = c * w.load(row)
    w.store(scaled)
    if "r" in kinds:
        w.store(ir.reduce(reducers.sum_("f64"), scaled)[0])
    return w


@pytest.mark.parametrize("extents", [(40, 30, 5), (5000, 700, 3)])
@pytest.mark.parametrize("kinds", ["pp", "rp", "pr", "rr"])
def test_epilogues(kinds: str, extents: Any, device: Any, write: Any) -> None:
    m, n, k = extents
    a, b = matrices("f64", m, n, k, False, False)
    row = np.arange(1.0, n + 1).reshape(1, n)
    w = epilogue(kinds, write, (m, n), row)
    outputs = list(w.outputs.values())
    call = LibraryCall("matmul", ("f64",) * (3 + len(outputs)), (), w.kernel())
    got = product(device, call, [a, b, row], extents, outputs, tuple(w.addressing))
    wanted = (a @ b) * row
    np.testing.assert_allclose(got[0], wanted, rtol=1e-12)
    if "r" in kinds:
        axes = tuple(i for i, kind in enumerate(kinds) if kind == "r")
        total = wanted.sum(axes, keepdims=True)
        np.testing.assert_allclose(got[1], total, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        LibraryCall("qr", ("f64", "f64", "f64")),
        LibraryCall("matmul", ("i32", "i32", "i32")),
        LibraryCall("matmul", ("f64", "f32", "f64")),
        LibraryCall("matmul", ("f64", "f64", "f64"), (("batch", 3),)),
    ],
    ids=["qr", "integers", "mixed", "unknown attribute"],
)
def test_what_is_declined(call: LibraryCall, device: Any) -> None:
    assert device.provider.compile(CompileRequest(units=(call,))) == (None,)
