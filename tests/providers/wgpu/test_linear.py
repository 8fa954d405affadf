"""Factors and systems on an adapter: backward errors beside LAPACK's, and when the bit is set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import LibraryCall
from tests.providers.wgpu.machine import Machine

TYPES = ["f32", "f64"]


def called(
    name: str, inputs: list[Any], shape: tuple[int, int], dtype: str, **attributes: bool
) -> tuple[np.ndarray, int]:
    """The only output of a call, and the status word."""
    data = [np.asarray(a, NUMPY_DTYPE[dtype]) for a in inputs]
    types = (dtype,) * (len(data) + 1)
    unit = LibraryCall(name, types, tuple(sorted(attributes.items())), guards=True)
    machine = Machine(unit, [*data, np.full(shape, 7, NUMPY_DTYPE[dtype])], types)
    machine.launch(tuple(n for a in data for n in a.shape))
    return machine.result(len(data)).reshape(shape, order="F"), machine.status


def eps(dtype: str) -> float:
    return float(np.finfo(NUMPY_DTYPE[dtype]).eps)


def definite(n: int, dtype: str) -> np.ndarray:
    x = np.random.default_rng(n).normal(size=(n + 5, n))
    return (x.T @ x + np.eye(n)).astype(NUMPY_DTYPE[dtype])


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


@pytest.mark.parametrize("value", [0.0, -1e-3, np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 20, 69])
def test_what_is_not_definite_is_told(place: int, value: float) -> None:
    a = np.diag(np.arange(1.0, 71))
    a[place, place] = value
    assert called("chol", [a], a.shape, "f64", lower=False)[1] == 1
    a[place, place], a[min(place, 68), 69] = 1, np.nan
    assert called("chol", [a], a.shape, "f64", lower=False)[1] == 1


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
