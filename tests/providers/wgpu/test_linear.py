"""Factors and systems on an adapter: backward errors beside LAPACK's, and when the bit is set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.linear import elimination
from runmat_wgpu.codegen.shader import Target

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine

TYPES = ["f32", "f64"]


#: A target whose forms hold panels in registers.
HARDWARE: dict[str, Any] = {"software": False}


def called(
    name: str,
    inputs: list[Any],
    shape: tuple[int, int],
    dtype: str,
    target: dict[str, Any] | None = None,
    **attributes: bool,
) -> tuple[np.ndarray, int]:
    """The only output of a call, and the status word.

    Args:
        target: changes of it.
    """
    data = [np.asarray(a, NUMPY_DTYPE[dtype]) for a in inputs]
    types = (dtype,) * (len(data) + 1)
    unit = LibraryCall(name, types, tuple(sorted(attributes.items())), guards=True)
    machine = Machine(unit, [*data, np.full(shape, 7, NUMPY_DTYPE[dtype])], types)
    machine.launch(tuple(n for a in data for n in a.shape), **(target or {}))
    return machine.result(len(data)).reshape(shape, order="F"), machine.status


def eps(dtype: str) -> float:
    return float(np.finfo(NUMPY_DTYPE[dtype]).eps)


def definite(n: int, dtype: str) -> np.ndarray:
    x = np.random.default_rng(n).normal(size=(n + 5, n))
    return (x.T @ x + np.eye(n)).astype(NUMPY_DTYPE[dtype])


@pytest.mark.sweep
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 7, 32, 33, 150])
def test_factors_of_definite_matrices(n: int, dtype: str, lower: bool) -> None:
    a = definite(n, dtype)
    # the other triangle is not read
    given = np.tril(a) + np.triu(np.full((n, n), 5.0), 1) if lower else np.triu(a)
    r, status = called("chol", [given], (n, n), dtype, lower=lower)
    assert status == 0
    factor = (r if lower else r.T).astype(float)
    theirs = np.linalg.cholesky(a)
    np.testing.assert_array_equal(np.triu(factor, 1), 0)
    norm, exact = np.linalg.norm(a), a.astype(float)
    error = np.linalg.norm(factor @ factor.T - exact) / norm
    usual = np.linalg.norm(theirs.astype(float) @ theirs.T - exact) / norm
    assert error <= max(10 * usual, 4 * eps(dtype))


@pytest.mark.parametrize("lower", [False, True])
def test_factors_with_rows_in_registers(lower: bool) -> None:
    a = definite(70, "f32")
    r, status = called("chol", [a], (70, 70), "f32", HARDWARE, lower=lower)
    factor = (r if lower else r.T).astype(float)
    assert status == 0
    np.testing.assert_array_equal(np.triu(factor, 1), 0)
    error = np.linalg.norm(factor @ factor.T - a.astype(float)) / np.linalg.norm(a)
    assert error <= 4 * eps("f32")
    a[40, 40] = -1
    assert called("chol", [a], (70, 70), "f32", HARDWARE, lower=lower)[1] == 1


@pytest.mark.parametrize("value", [0.0, -1e-3, np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 20, 69])
def test_what_is_not_definite_is_told(place: int, value: float) -> None:
    a = np.diag(np.arange(1.0, 71))
    a[place, place] = value
    assert called("chol", [a], a.shape, "f64", lower=False)[1] == 1
    a[place, place], a[min(place, 68), 69] = 1, np.nan
    assert called("chol", [a], a.shape, "f64", lower=False)[1] == 1


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 2), (32, 1), (64, 70), (150, 3), (300, 1)])
def test_systems(n: int, k: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    a = rng.normal(size=(n, n)).astype(NUMPY_DTYPE[dtype])
    if dtype == "f32":
        a += np.eye(n, dtype=a.dtype) * np.sqrt(n)
    b = rng.normal(size=(n, k)).astype(a.dtype)
    x, status = called("solve", [a, b], (n, k), dtype)
    assert status == 0
    assert backward(a, b, x) <= max(10 * backward(a, b, np.linalg.solve(a, b)), 4 * eps(dtype))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("n", [70, 300])
def test_systems_with_panels_in_registers(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 8 columns with a row for each thread, and of 4 with two."""
    monkeypatch.setattr(elimination, "HELD", 32)
    rng = np.random.default_rng(n)
    full = rng.normal(size=(n, n)) + np.eye(n) * np.sqrt(n)
    shuffled = full[:, rng.permutation(n)]  # so that rows are exchanged
    for a in (full, shuffled, np.eye(n)[rng.permutation(n)], np.tril(full), np.triu(full)):
        a = a.astype(np.float32)
        b = rng.normal(size=(n, 3)).astype(np.float32)
        x, status = called("solve", [a, b], b.shape, "f32", HARDWARE)
        assert status == 0
        usual = backward(a, b, np.linalg.solve(a, b))
        assert backward(a, b, x) <= max(10 * usual, 4 * eps("f32"))
    many = rng.normal(size=(n, 9)).astype(np.float32)  # panel by panel
    x, _ = called("solve", [full.astype(np.float32), many], many.shape, "f32", HARDWARE)
    assert backward(full, many, x) <= 40 * eps("f32")
    (d,), _ = called("det", [shuffled / n**0.5], (1, 1), "f32", HARDWARE)
    np.testing.assert_allclose(d, [np.linalg.det(shuffled / n**0.5)], rtol=1e-3)
    shuffled[n // 2, 3] = np.nan
    assert called("solve", [shuffled, b], b.shape, "f32", HARDWARE)[1] == 1


def test_dispatches_of_large_matrices() -> None:
    """Two for each panel, and one in the beginning and in the end; three where rows move."""
    target = Target(invocations=1024, workgroup_bytes=48 << 10, binding_bytes=1 << 30)
    chol = LibraryCall("chol", ("f32",) * 2, (("lower", False),), guards=True)
    made = template(chol, target).prepare((2048, 2048), ())
    assert len(made.dispatches) == 2 * 2048 // 32 + 1
    solve = LibraryCall("solve", ("f32",) * 3, (), guards=True)
    made = template(solve, target).prepare((2048, 2048, 2048, 1), ())
    eliminated = 3 * (1024 // 16 + 1024 // 32) - 1
    assert len(made.dispatches) == 2 + eliminated + 1 + 2


def backward(a: np.ndarray, b: np.ndarray, x: np.ndarray) -> float:
    a, b, x = a.astype(float), b.astype(float), x.astype(float)
    size = np.linalg.norm(a) * np.linalg.norm(x) + np.linalg.norm(b)
    return float(np.linalg.norm(a @ x - b) / size)


@pytest.mark.parametrize("dtype", TYPES)
def test_triangles_and_permutations(dtype: str) -> None:
    rng = np.random.default_rng(8)
    full = rng.normal(size=(70, 70)) + 9 * np.eye(70)
    b = rng.normal(size=(70, 2)).astype(NUMPY_DTYPE[dtype])
    for a in (np.triu(full), np.tril(full), np.eye(70)[rng.permutation(70)]):
        a = a.astype(b.dtype)
        x, status = called("solve", [a, b], b.shape, dtype)
        assert status == 0
        assert backward(a, b, x) <= max(10 * backward(a, b, np.linalg.solve(a, b)), 4 * eps(dtype))


def bad_systems() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(9)
    regular = rng.normal(size=(60, 60))
    equal = regular.copy()
    equal[:, 7] = equal[:, 3]
    # every pivot is 1, and yet the inverse has elements of 2^58
    hidden = np.eye(60) - np.triu(np.ones((60, 60)), 1)
    scaled = regular.copy()
    scaled[:, 5] *= 1e-18
    with_nan, with_inf = regular.copy(), regular.copy()
    with_nan[4, 50] = np.nan
    with_inf[59, 2] = np.inf
    return {
        "zero": regular * 0,
        "equal columns": equal,
        "hidden": hidden,
        "badly scaled": scaled,
        "nan": with_nan,
        "inf": with_inf,
    }


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", sorted(bad_systems()))
def test_systems_near_to_singular_are_told(name: str, dtype: str) -> None:
    a = bad_systems()[name]
    assert called("solve", [a, np.ones((60, 1))], (60, 1), dtype)[1] == 1
    assert called("inv", [a], (60, 60), dtype)[1] == 1


def test_a_right_hand_side_that_is_not_finite_is_told() -> None:
    b = np.ones((5, 2))
    b[3, 1] = np.nan
    assert called("solve", [np.eye(5), b], (5, 2), "f64")[1] == 1


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 40, 130])
def test_inverses(n: int, dtype: str) -> None:
    a = definite(n, dtype) + np.random.default_rng(n).normal(size=(n, n)).astype(dtype[0] + "4")
    a = a.astype(NUMPY_DTYPE[dtype])
    x, status = called("inv", [a], (n, n), dtype)
    assert status == 0
    size = np.linalg.norm(a) * np.linalg.norm(x)
    error = np.linalg.norm(a.astype(float) @ x - np.eye(n)) / size
    usual = np.linalg.norm(a.astype(float) @ np.linalg.inv(a) - np.eye(n)) / size
    assert error <= max(10 * usual, 4 * eps(dtype))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 31, 100])
def test_determinants(n: int, dtype: str) -> None:
    a = np.random.default_rng(n + 1).normal(size=(n, n)) / np.sqrt(n)
    a = a.astype(NUMPY_DTYPE[dtype])
    (d,), status = called("det", [a], (1, 1), dtype)
    assert status == 0
    size = np.linalg.cond(a.astype(float)) * n * eps(dtype)
    np.testing.assert_allclose(d, [np.linalg.det(a.astype(float))], rtol=size)


def test_odd_determinants() -> None:
    swapped = np.eye(40)[[1, 0, *range(2, 40)]]
    assert called("det", [swapped], (1, 1), "f64") == (-1, 0)
    assert called("det", [swapped * 0], (1, 1), "f64") == (0, 0)
    assert called("det", [swapped * 1e20], (1, 1), "f64")[1] == 1
    swapped[3, 20] = np.nan
    assert called("det", [swapped], (1, 1), "f64")[1] == 1


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(5, 1, 1), (60, 40, 3), (41, 40, 30), (900, 90, 2)])
def test_least_squares(shape: tuple[int, int, int], dtype: str) -> None:
    m, n, k = shape
    rng = np.random.default_rng(m)
    a = (rng.normal(size=(m, n)) + 3 * np.eye(m, n)).astype(NUMPY_DTYPE[dtype])
    b = rng.normal(size=(m, k)).astype(a.dtype)
    x, status = called("lstsq", [a, b], (n, k), dtype)
    assert status == 0

    def error(x: np.ndarray) -> float:
        rest = a.astype(float) @ x - b
        return float(np.linalg.norm(a.T.astype(float) @ rest) / np.linalg.norm(a) ** 2)

    usual = error(np.linalg.lstsq(a, b, rcond=None)[0])
    assert error(x) <= max(10 * usual, 4 * eps(dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_dependent_columns_are_told(dtype: str) -> None:
    rng = np.random.default_rng(6)
    a = rng.normal(size=(80, 20))
    b = np.ones((80, 1))
    for last in (a[:, 3] - a[:, 5], a[:, 0] * 0, a[:, 0] * np.nan):
        a[:, 19] = last
        assert called("lstsq", [a, b], (20, 1), dtype)[1] == 1
