"""Systems with sparse matrices: by structure, with the answers and warnings of full ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import runmat_core as rm
from runmat_core.values import SparseArray, from_numpy, mldivide, mrdivide, sparse_solve, transpose
from runmat_core.values.notices import warnings_to

N = 60
RANDOM = np.random.default_rng(5)


def band(*offsets: int, boost: float = 0.0) -> Any:
    parts = [RANDOM.uniform(0.5, 1.5, N - abs(k)) for k in offsets]
    return sp.csc_array(sp.diags_array(parts, offsets=offsets) + boost * sp.eye_array(N))


def symmetric(matrix: Any, boost: float) -> Any:
    return sp.csc_array(matrix + matrix.conj().T + boost * sp.eye_array(N))


def scattered(boost: float) -> Any:
    return sp.csc_array(sp.random_array((N, N), density=0.06, rng=RANDOM) + boost * sp.eye_array(N))


ORDER = RANDOM.permutation(N)
LOWER = sp.csc_array(sp.tril(scattered(2.0)))
WITHOUT_CORNER = band(-2, -1, 0, 1, 2, boost=6)
WITHOUT_CORNER[3, 4] = 0
MATRICES = {
    "diagonal": band(0),
    "tridiagonal": band(-1, 0, 1),
    "tridiagonal with interchanges": band(-1, 0, 1, boost=-1.0),
    "tridiagonal definite": symmetric(band(-1), 6.0),
    "tridiagonal not definite": symmetric(band(-1), 1.0),
    "band": band(-3, -2, -1, 0, 1, 2),
    "band with a hole": WITHOUT_CORNER,
    "band definite": symmetric(band(-2, -1), 9.0),
    "band not definite": symmetric(band(-2, -1), 1.0),
    "wide band": sp.csc_array(np.triu(np.tril(RANDOM.uniform(size=(N, N)), 40), -40)),
    "lower band": band(-2, -1, 0),
    "upper band": band(0, 1),
    "lower": LOWER,
    "upper": sp.csc_array(LOWER.T),
    "rows of lower": LOWER[ORDER, :],
    "columns of lower": LOWER[:, ORDER],
    "rows of upper": sp.csc_array(LOWER.T)[ORDER, :],
    "columns of upper": sp.csc_array(LOWER.T)[:, ORDER],
    "definite": symmetric(scattered(0.0), 12.0),
    "symmetric": symmetric(scattered(0.0), 0.5),
    "general": scattered(3.0),
    "full": sp.csc_array(RANDOM.uniform(size=(N, N))),
}


def solved(rule: Any, *operands: Any) -> tuple[Any, list[str]]:
    warned: list[str] = []
    with warnings_to(lambda identifier, message: warned.append(identifier)):
        return rule(*operands), warned


@pytest.mark.parametrize("phase", [1.0, 1j], ids=["real", "complex"])
@pytest.mark.parametrize("name", MATRICES)
def test_every_structure(name: str, phase: complex) -> None:
    """Solutions have small residuals, from either side, for full and sparse right-hand sides."""
    matrix = MATRICES[name]
    if phase != 1:
        # Hermitian ones stay so
        turns = sp.diags_array(np.exp(1j * np.arange(N)))
        matrix = sp.csc_array(turns @ matrix @ turns.conj().T)
    before = matrix.toarray()
    A, b = SparseArray(matrix), RANDOM.uniform(size=(N, 2))
    for B in (from_numpy(b), from_numpy(b + 1j), SparseArray.from_dense(b)):
        x, warned = solved(mldivide, A, B)
        assert isinstance(x, SparseArray) is isinstance(B, SparseArray)
        right = B.full() if isinstance(B, SparseArray) else B.data
        got = x.full() if isinstance(x, SparseArray) else x.data
        scale = np.abs(before).sum() * np.abs(got).max()
        assert not warned
        assert np.abs(before @ got - right).max() <= 1e-14 * scale
        y, _ = solved(mrdivide, transpose(B), transpose(A))
        np.testing.assert_allclose(
            (y.full() if isinstance(y, SparseArray) else y.data).T,
            got,
            atol=1e-9 * np.abs(got).max(),
        )
    np.testing.assert_array_equal(matrix.toarray(), before)


@pytest.mark.parametrize(
    ("name", "routines"),
    [
        ("tridiagonal", ["gttrf", "gttrs"]),
        ("tridiagonal definite", ["pttrf", "pttrs"]),
        ("tridiagonal not definite", ["pttrf", "gttrf", "gttrs"]),
        ("band", ["gbtrf", "gbtrs"]),
        ("band definite", ["pbtrf", "pbtrs"]),
        ("lower band", ["tbtrs"]),
        ("rows of lower", []),
        ("diagonal", []),
    ],
)
def test_routines(name: str, routines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each structure is found; triangles and bands are not handed to a general factorization."""
    asked: list[str] = []
    whole = sparse_solve.lapack

    def noted(routine: str, kind: Any) -> Any:
        asked.append(routine)
        return whole(routine, kind)

    monkeypatch.setattr(sparse_solve, "lapack", noted)
    monkeypatch.setattr("scipy.sparse.linalg.splu", None)
    mldivide(SparseArray(MATRICES[name]), from_numpy(np.ones((N, 1))))
    assert asked == routines


def with_pivot(matrix: Any, value: float) -> Any:
    """The matrix with one row and column cut off from the others but for their pivot."""
    changed = matrix.toarray()
    changed[N // 2, :] = changed[:, N // 2] = 0
    changed[N // 2, N // 2] = value
    return changed


STRUCTURES = ["diagonal", "tridiagonal", "band", "lower", "upper band", "definite", "general"]


@pytest.mark.parametrize("value", [0.0, 1e-20, 1.0])
@pytest.mark.parametrize("name", STRUCTURES)
def test_warnings_are_those_of_full_matrices(name: str, value: float) -> None:
    a, b = with_pivot(MATRICES[name], value), np.ones((N, 1))
    x, warned = solved(mldivide, SparseArray.from_dense(a), from_numpy(b))
    _, expected = solved(mldivide, from_numpy(a), from_numpy(b))
    assert warned == expected
    assert np.isfinite(x.data).all() == (value != 0)


@pytest.mark.parametrize("n", [2, 60])
@pytest.mark.parametrize("value", ["NaN", "Inf"])
def test_what_is_not_finite_warns_as_full_matrices_do(n: int, value: str) -> None:
    s = rm.Session(provider="none")
    s.run(
        f"A = spdiags(ones({n}, 1)*[1 4 1], -1:1, {n}, {n}); A(1, 1) = {value}; b = (1:{n})';"
        " lastwarn('', ''); x = full(A) \\ b; [~, full_id] = lastwarn; lastwarn('', '');"
        " y = A \\ b; [~, id] = lastwarn;"
    )
    assert s.eval("isequaln(x, y) && strcmp(id, full_id) && ~isempty(id)")
