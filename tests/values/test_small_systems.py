"""Systems with several right-hand sides, of orders on both sides of where another way begins."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from runmat_core.values import solve as solving
from runmat_core.values.solve import solve


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("order", [1, 2, 3, 7, 64, 65])
@pytest.mark.parametrize("form", ["general", "lower", "upper", "definite"])
def test_backward_error(kind: str, order: int, form: str) -> None:
    rng = np.random.default_rng(order)
    A = rng.standard_normal((order, order))
    B = rng.standard_normal((order, 3))
    if kind in "FD":
        A, B = A + 1j * rng.standard_normal(A.shape), B + 1j * rng.standard_normal(B.shape)
    if form == "definite":
        A = A @ A.conj().T + np.eye(order)
    elif form != "general":
        A = (np.tril if form == "lower" else np.triu)(A) + 3 * np.sqrt(order) * np.eye(order)
    A, B = A.astype(kind), B.astype(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = solve(A, B)
    assert X.dtype == A.dtype
    size = np.abs(A).sum(axis=1).max() * np.abs(X).max() + np.abs(B).max()
    assert np.abs(A @ X - B).max() <= 4 * order * np.finfo(kind).eps * size


_MATRICES = {
    "general": [[1.0, 2, 3], [4, 5, 6], [7, 8, 10]],
    "upper": [[1.0, 2, 3], [0, 5, 6], [0, 0, 10]],
    "lower": [[1.0, 0, 0], [4, 5, 0], [7, 8, 10]],
    "diagonal": [[1.0, 0], [0, 2]],
    "definite": [[4.0, 1], [1, 3]],
    "symmetric": [[1.0, 2], [2, -3]],
    "zero diagonal": [[0.0, 2], [2, 0]],
    "negative zeros": [[1.0, -0.0], [2, 1]],
    "one": [[5.0]],
    "zeros": [[0.0, 0], [0, 0]],
    "infinite": [[1.0, np.inf], [2, 3]],
    "both infinities": [[np.inf, 1], [1, -np.inf]],
    "NaN first": [[np.nan, 1], [2, 3]],
    "NaN last": [[1.0, 2], [2, np.nan]],
    "NaN below": [[1.0, 2], [np.nan, 3]],
    "NaN beside infinity": [[np.inf, 2], [np.nan, 3]],
    "sum too large": [[1e308, 1e308], [1e308, 1e308]],
}


@pytest.mark.parametrize("matrix", _MATRICES.values(), ids=list(_MATRICES))
def test_lists_tell_the_same_of_a_matrix_as_arrays(matrix: list[list[float]]) -> None:
    A = np.array(matrix, order="F")
    form, norm = solving._listed_structure(A)
    expected, expected_norm = solving._structure(A)
    assert form == expected
    if expected_norm != expected_norm:
        assert norm != norm
    else:
        assert expected_norm <= norm <= len(A) * expected_norm


def test_rows_that_change_places() -> None:
    A = np.array([[0, 1, 0], [0, 0, 2], [4, 0, 0]], float)
    found = solve(A, np.array([[1, 2], [3, 4], [5, 6]], float))
    assert found.tolist() == [[1.25, 1.5], [1, 2], [1.5, 2]]


@pytest.mark.parametrize("kind", "fdFD")
@pytest.mark.parametrize("form", ["general", "lower", "upper", "definite"])
def test_many_right_hand_sides_of_tiny_systems(
    kind: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wake no threads of BLAS, which takes longer than the work."""
    plain = solving.lapack

    def refused(name: str, kind: np.dtype[Any]) -> Any:
        assert name not in ("trsm", "potrs")
        return plain(name, kind)

    monkeypatch.setattr(solving, "lapack", refused)
    monkeypatch.setattr(solving, "blas", refused)
    rng = np.random.default_rng(3)
    A = rng.standard_normal((4, 4)) + 4 * np.eye(4)
    if kind in "FD":
        A = A + 1j * rng.standard_normal((4, 4))
    forms = {"general": A, "lower": np.tril(A), "upper": np.triu(A), "definite": A @ A.conj().T}
    A = forms[form].astype(kind)
    B = rng.standard_normal((4, 500)).astype(kind)
    X = solve(A, B)
    assert X.dtype == A.dtype
    assert X.flags.f_contiguous
    assert np.abs(A @ X - B).max() <= 1000 * np.finfo(kind).eps


def test_a_zero_pivot_of_a_tiny_triangle() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = solve(np.array([[1.0, 2.0], [0.0, 0.0]]), np.ones((2, 300)))
    assert np.isinf(X[1]).all()
    assert not np.isfinite(X[0]).any()


def test_small_matrices_are_warned_of_as_the_estimate_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a bound from the factors spares the estimate."""
    rng = np.random.default_rng(5)
    solved: list[bytes] = []
    warned: list[int] = []
    monkeypatch.setattr(solving, "warn_singular", lambda rcond: warned.append(len(solved)))
    matrices = [np.array([[1.0, 1e20], [1e-3, 1.0]]), np.array([[1.0, 2], [2, 4]])]
    for _ in range(300):
        n = int(rng.integers(1, 8))
        A = rng.integers(-3, 4, (n, n)) + 10.0 ** rng.integers(-20, 1) * rng.random((n, n))
        matrices.append(A * 10.0 ** rng.integers(-9, 9, (n, 1)))
        matrices.append(A * 10.0 ** rng.choice([-300, -150, 0, 150, 300], (n, 1)))
        matrices.append(A @ A.T + 10.0 ** rng.integers(-18, 1) * np.eye(n))
    results = []
    for bounded in (solving._BOUNDED, 0):
        monkeypatch.setattr(solving, "_BOUNDED", bounded)
        warned.clear()
        solved.clear()
        for A in matrices:
            with np.errstate(all="ignore"):
                solved.append(solve(A, np.ones((len(A), 1))).tobytes())
        results.append((list(solved), list(warned)))
    assert results[0] == results[1]
    assert 20 < len(results[0][1]) < 880
