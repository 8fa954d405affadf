"""Order, differences and spread of sparse matrices: as of full ones, without making them full."""

from __future__ import annotations

import pytest

from runmat_core import Session
from runmat_core.values import SparseArray

CALLS = [
    *("sort(A)", "sort(A, 'descend')", "sort(A, 2)", "sort(A, 2, 'descend')", "sort(A, 3)"),
    *("diff(A)", "diff(A, 2)", "diff(A, 1, 2)", "diff(A, 9)", "median(A)", "median(A, 2)"),
    *("var(A)", "var(A, 1)", "var(A, 0, 2)", "std(A)", "std(A, 1, 2)", "var(A, [], 1)"),
    *("var(A, 0, 'all')", "var(A, 0, 1, 'omitnan')"),
]
MATRICES = [
    "sparse([4 NaN 0; -1 4 1; 0 1 4])",
    "sparse([0 0 3; -2 0 -1])",
    "sparse([1 0 -3 2 0])",
    "sparse([0; 5; -1; 0; 2; 7])",
    "sparse([1 0 1; 0 0 1]) > 0",
    "sparse([Inf 0; Inf -Inf])",
    "sparse([1 2i 0; -3 1+1i 0])",
    "sparse(7)",
    "sparse(0, 3)",
    "sprandn(30, 7, 0.4)",
]


@pytest.mark.sweep
@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("call", CALLS)
def test_sparse_as_full(session: Session, call: str, matrix: str) -> None:
    # a median of true and false is a number where the matrix is sparse
    of_full = call.replace("A", "full(+A)" if call.startswith("m") else "full(A)")
    session.run(f"A = {matrix}; s = {call}; f = {of_full}; same = isequal(size(s), size(f));")
    assert session["same"] is True
    session.run(
        "d = abs(full(s) - f); d(isinf(f) & full(s) == f) = 0; d(isnan(full(s)) & isnan(f)) = 0;"
    )
    session.run("close = all(d(:) <= 1e-12);")
    assert session["close"] is True


@pytest.mark.parametrize("call", ["sort(S)", "diff(S)", "var(S)", "std(S, 0, 2)", "median(S)"])
def test_what_is_large_is_never_full(session: Session, call: str) -> None:
    # a full matrix of this size has 8 TB
    session.run(f"S = sparse([1 5 9], [2 2 4], [3 -1 2], 1e6, 1e6); r = {call}; k = nnz(r);")
    assert isinstance(session.interp.evaluate_text("r", 1), SparseArray)
    assert session["k"] <= 6


def test_indices_and_means(session: Session) -> None:
    session.run("S = sparse([4 0; -1 2; 0 1]); [b, i] = sort(S); [v, m] = var(S); k = issparse(b);")
    assert session["k"] is True
    assert session["i"].tolist() == [[2, 1], [3, 3], [1, 2]]
    session.run("same = isequal(full(m), mean(full(S)));")
    assert session["same"] is True
