"""Systems with several right-hand sides, of orders on both sides of where another way begins."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

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
    from scipy.linalg import blas, lapack

    for name in "sdcz":
        monkeypatch.delattr(blas, f"{name}trsm")
        monkeypatch.delattr(lapack, f"{name}potrs")
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
