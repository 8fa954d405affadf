"""Linear algebra by pages on an adapter: errors beside LAPACK's, what is told, texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_regressions.file_regression import FileRegressionFixture
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.pages import rotations
from runmat_wgpu.codegen.shader import Prepared, Target

from runmat_core.api.device import NUMPY_DTYPE, DeviceFault
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine, pipeline

GOLDEN = Path(__file__).parent / "golden" / "pages"
TYPES = ["f32", "f64"]
#: Where the matrices of pages are: in the memory of workgroups, or in that of the launch.
PLACES: list[dict[str, Any]] = [{}, {"workgroup_bytes": 14000}]
Pages = np.ndarray


def call(name: str, dtype: str, arrays: int, **attributes: bool) -> LibraryCall:
    return LibraryCall(name, (dtype,) * arrays, tuple(sorted(attributes.items())), guards=True)


def called(
    name: str,
    inputs: list[Pages],
    shapes: list[tuple[int, ...]],
    place: dict[str, Any] | None = None,
    **attributes: bool,
) -> tuple[list[Pages], int]:
    """The outputs as doubles, pages first, and the status word; it is one dispatch for all."""
    dtype = "f32" if inputs[0].dtype == np.float32 else "f64"
    unit = call(name, dtype, len(inputs) + len(shapes), **attributes)
    data = [np.moveaxis(a, 0, 2) for a in inputs]
    outputs = [np.full((*shape[1:], shape[0]), 7, data[0].dtype) for shape in shapes]
    machine = Machine(unit, [*data, *outputs], (dtype,) * (len(data) + len(outputs)))
    made = machine.launch(tuple(n for a in data for n in a.shape), **(place or {}))
    assert len(made.dispatches) == 1
    found = [
        np.moveaxis(machine.result(len(data) + k).reshape(o.shape, order="F"), 2, 0).astype(float)
        for k, o in enumerate(outputs)
    ]
    return found, machine.status


def eps(a: Pages) -> float:
    return float(np.finfo(a.dtype).eps)


def size(a: Pages) -> Any:
    return np.linalg.norm(a, axis=(-2, -1))


def worst(mine: Any, theirs: Any, least: float) -> None:
    """Every error is at most ten times that of LAPACK, or a few times the precision."""
    allowed = np.maximum(10 * np.asarray(theirs), least)
    assert (np.asarray(mine) <= allowed).all(), (mine, theirs)


def random(m: int, n: int, count: int, dtype: str) -> Pages:
    made = np.random.default_rng(m + n + count).normal(size=(count, m, n))
    return made.astype(NUMPY_DTYPE[dtype])


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


def hermitian(n: int, dtype: str) -> Pages:
    """Symmetric pages: random, of equal and of graded eigenvalues, large, small, zero."""
    x = random(n, n, 9, dtype).astype(float)
    a = x + np.swapaxes(x, 1, 2)
    far = 1e30 if dtype == "f32" else 1e140
    q = np.linalg.qr(x[1])[0]
    a[1] = (q * np.where(np.arange(n) < n // 2, 1, 3)) @ q.T
    a[2] = (q * np.logspace(0, -9, n)) @ q.T
    a[3], a[4], a[5], a[6] = a[3] * far, a[4] / far, 0, np.diag(np.arange(n))
    a = a.astype(NUMPY_DTYPE[dtype])
    return np.tril(a) + np.swapaxes(np.tril(a, -1), 1, 2)


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
    a = hermitian(64, dtype)[:2]
    (u, s, v), status = called("svd_pages", [a], [a.shape] * 3, vectors=True)
    assert status == 0
    exact = a.astype(float)
    assert (size(u @ s @ np.swapaxes(v, 1, 2) - exact) <= 64 * eps(a) * size(exact)).all()
    assert (size(np.swapaxes(u, 1, 2) @ u - np.eye(64)) <= 640 * eps(a)).all()


def test_graded_pages_are_right_or_told() -> None:
    """Rotations of columns that nearly depend on one another may take too long."""
    a = hermitian(64, "f64")[2:3]
    (u, _, _), status = called("svd_pages", [a], [a.shape] * 3, vectors=True)
    assert status == 1 or size(np.swapaxes(u, 1, 2) @ u - np.eye(64))[0] <= 640 * eps(a)


def test_values_of_dependent_columns() -> None:
    a = random(12, 6, 5, "f64")
    a[3, :, 4], a[3, :, 5] = a[3, :, 0] - a[3, :, 2], 0
    (s,), status = called("svd_pages", [a], [(5, 6, 1)])
    assert status == 0
    np.testing.assert_allclose(s[:, :, 0], np.linalg.svd(a, compute_uv=False), atol=1e-13)
    # there is no vector that belongs to a column of zeros
    shapes = [(5, 12, 6), (5, 6, 6), (5, 6, 6)]
    assert called("svd_pages", [a], shapes, vectors=True)[1] == 1


# -- what is told ----------------------------------------------------------------------------------


def singular(n: int) -> dict[str, np.ndarray]:
    """Matrices that host rules have to see."""
    rng = np.random.default_rng(9)
    regular = rng.normal(size=(n, n))
    equal, scaled, unknown, endless = (regular.copy() for _ in range(4))
    equal[:, -1] = equal[:, 0]
    scaled[:, 1] *= 1e-18
    unknown[-1, 0] = np.nan
    endless[0, -1] = np.inf
    return {
        "zero": regular * 0,
        "equal columns": equal,
        "badly scaled": scaled,
        "nan": unknown,
        "inf": endless,
    }


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", sorted(singular(3)))
@pytest.mark.parametrize("n", [3, 30])
def test_pages_near_to_singular_are_told(n: int, name: str, dtype: str) -> None:
    a = np.stack([np.eye(n)] * 20).astype(NUMPY_DTYPE[dtype])
    a[13] = singular(n)[name]
    b = np.ones((20, n, 1), a.dtype)
    assert called("solve_pages", [a, b], [b.shape])[1] == 1
    assert called("inv_pages", [a], [a.shape])[1] == 1
    tall = np.concatenate([a, a], axis=1)
    assert called("lstsq_pages", [tall, np.ones((20, 2 * n, 1), a.dtype)], [b.shape])[1] == 1
    assert called("det_pages", [a], [(20, 1, 1)])[1] == (name in ("nan", "inf"))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_right_hand_sides_that_are_not_finite_are_told(value: float) -> None:
    a, b = np.stack([np.eye(4)] * 9), np.ones((9, 4, 2))
    b[8, 3, 1] = value
    assert called("solve_pages", [a, b], [b.shape])[1] == 1
    assert called("lstsq_pages", [a[:, :, :2].copy(), b], [(9, 2, 2)])[1] == 1


@pytest.mark.parametrize("value", [0.0, -1e-3, np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 4, 8])
def test_what_is_not_definite_is_told(place: int, value: float) -> None:
    a = np.stack([np.diag(np.arange(1.0, 10))] * 3)
    a[1, place, place] = value
    assert called("chol_pages", [a], [a.shape], lower=False)[1] == 1


@pytest.mark.parametrize("vectors", [False, True])
def test_what_is_not_symmetric_or_not_finite_is_told(vectors: bool) -> None:
    a = np.stack([np.diag(np.arange(1.0, 7))] * 9)
    shapes = [a.shape, a.shape] if vectors else [(9, 6, 1)]
    a[7, 5, 0] = 1e-300
    assert called("eig_pages", [a], shapes, vectors=vectors)[1] == 1
    a[7, 5, 0], a[8, 1, 1] = 0, np.inf
    assert called("eig_pages", [a], shapes, vectors=vectors)[1] == 1
    shapes = [a.shape] * 3 if vectors else [(9, 6, 1)]
    assert called("svd_pages", [a], shapes, vectors=vectors)[1] == 1


def test_sweeps_that_did_not_suffice_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rotations.SWEEPS, "f64", 2)
    a = random(12, 10, 3, "f64")
    assert called("svd_pages", [a], [(3, 10, 1)])[1] == 1
    a = a[:, :10] + np.swapaxes(a[:, :10], 1, 2)
    assert called("eig_pages", [a], [(3, 10, 1)])[1] == 1


# -- dispatches and texts --------------------------------------------------------------------------


def prepared(name: str, extents: tuple[int, ...], **changes: Any) -> Prepared:
    arrays = len(extents) // 3 + (3 if name == "svd_pages" else 2 if name == "eig_pages" else 1)
    unit = call(name, "f32", arrays, vectors=name in ("svd_pages", "eig_pages"))
    return template(unit, Target(**changes)).prepare(extents, ())


CASES: dict[str, tuple[str, tuple[int, ...], dict[str, Any]]] = {
    "solve": ("solve_pages", (8, 8, 100, 8, 2, 100), {}),
    "inverse_in_memory": ("inv_pages", (60, 60, 100), {}),
    "determinant": ("det_pages", (20, 20, 100), {}),
    "cholesky": ("chol_pages", (8, 8, 100), {}),
    "least_squares": ("lstsq_pages", (12, 4, 100, 12, 1, 1), {}),
    "symmetric": ("eig_pages", (8, 8, 100), {}),
    "singular": ("svd_pages", (8, 8, 100), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, file_regression: FileRegressionFixture) -> None:
    call_name, extents, changes = CASES[name]
    made = prepared(call_name, extents, **changes).dispatches[0].shader
    file_regression.check(made.source, fullpath=GOLDEN / f"{name}.wgsl")
    pipeline(made)


@pytest.mark.parametrize("name", CASES)
def test_all_pages_are_one_dispatch(name: str) -> None:
    call_name, extents, changes = CASES[name]
    many = [n * (300 if n == 100 else 1) for n in extents]
    made = prepared(call_name, tuple(many), binding_bytes=1 << 30, **changes)
    assert len(made.dispatches) == 1
    assert made.dispatches[0].shader == prepared(call_name, extents, **changes).dispatches[0].shader


def test_memory_of_the_launch_is_used_again() -> None:
    """Where all pages would take more than a binding, some are worked on after others."""
    whole = prepared("inv_pages", (60, 60, 1000), binding_bytes=16 << 20)
    assert len(whole.dispatches) == 2
    assert whole.scratch[0] <= 16 << 20


def test_pages_after_others_are_right() -> None:
    a = random(30, 30, 11, "f64")
    unit = call("inv_pages", "f64", 2)
    machine = Machine(unit, [np.moveaxis(a, 0, 2), np.zeros((30, 30, 11))], ("f64", "f64"))
    place = {"workgroup_bytes": 14000, "binding_bytes": 4 * 30 * 61 * 8}
    with pytest.raises(DeviceFault):  # the arrays themselves do not fit into a binding
        machine.launch((30, 30, 11), **{**place, "binding_bytes": 1 << 12})
    machine.launch((30, 30, 11), **{**place, "binding_bytes": 30 * 30 * 11 * 8})
    x = np.moveaxis(machine.result(1).reshape((30, 30, 11), order="F"), 2, 0)
    np.testing.assert_allclose(a @ x, np.broadcast_to(np.eye(30), a.shape), atol=1e-9)


def test_pages_that_are_too_large_are_refused() -> None:
    with pytest.raises(DeviceFault):
        prepared("inv_pages", (65, 65, 2))
