"""Builtins of sparse matrices: as of full ones, sparse, and never by way of a full matrix."""

from __future__ import annotations

import numpy as np
import pytest

import runmat_core as rm

#: S is 5-by-4, Q square, L a logical mask of the size of S.
MADE = (
    "S = sparse([1 0 0 -2.5; 0 3.2 0 0; 0 0 0 0; NaN 0 7 0; 0 1.5 0 Inf]);"
    "Q = sparse([2 1 0; 1 0 -3; 0 -3 5]); L = S > 1;"
)

SPARSE = [
    "flip(S), fliplr(S), flipud(S), flip(S, 2), flip(S, 3)",
    "rot90(S), rot90(S, 2), rot90(S, 3), rot90(S, -1), rot90(S, 4)",
    "circshift(S, 1), circshift(S, -7, 2), circshift(S, [2 -1])",
    "reshape(S, 2, 10), reshape(S, [], 1), permute(S, [2 1]), permute(S, [1 2])",
    "repmat(S, 2, 3), repmat(S, 0, 1), repmat(S(:, 2), 1, 3)",
    "isnan(S), isinf(S), round(S), round(Q)",
    "prod(S), prod(S, 2), prod(Q(:, 1)), mean(S), mean(Q, 2), mean(Q), max(S), min(S, [], 2)",
    "sum(S, 2), sum(Q), any(S), all(Q, 2), sum(L), any(L, 2)",
    "S(L), xor(S(1:2, :), L(1:2, :)), xor(Q, 1), dot(Q, Q), dot(Q, Q, 2)",
    "triu(Q), tril(S, -1), triu(S, 2), diag(Q), diag(S, 1), diag(S, -9), diag(Q(:, 1), -2)",
    "find(Q, 2), find(S, 3, 'last'), find(S(4, :)), find(sparse(3, 3)), find(sparse(1, 3))",
]


@pytest.mark.parametrize("expression", SPARSE)
def test_as_of_full_matrices(expression: str) -> None:
    s = rm.Session()
    s.run(f"{MADE} a = {{{expression}}};")
    s.run("S = full(S); Q = full(Q); L = full(L);")
    s.run(f"b = {{{expression}}};")
    assert s.eval("isequaln(cellfun(@full, a, 'UniformOutput', false), b)")
    assert s.eval("isequal(cellfun(@class, a, 'Un', 0), cellfun(@class, b, 'Un', 0))")
    if "find" not in expression:
        assert s.eval("all(cellfun(@issparse, a))")


SCALARS = [
    ("trace(Q)", 7.0),
    ("islogical(max(L)) && islogical(min(L, [], 2))", True),
    ("norm(Q, 1)", 8.0),
    ("norm(Q, Inf)", 8.0),
    ("norm(Q, 'fro')", 7.0),
    ("isnan(norm(S, 'fro'))", True),
    ("norm(sparse(2, 3), 'fro')", 0.0),
    ("norm(sparse(2, 3), 1)", 0.0),
    ("issymmetric(Q)", True),
    ("issymmetric(S)", False),
    ("issymmetric(Q*1i)", True),
    ("ishermitian(Q*1i)", False),
    ("ishermitian(sparse([1 2i; -2i 3]))", True),
    ("isreal(Q*1i)", False),
    ("isequal(Q, Q')", True),
    ("isequal(S, S)", False),
    ("isequaln(S, S)", True),
    ("isequal(Q, full(Q))", True),
    ("issparse(accumarray([1 1; 3 2; 1 1], [1 2 3], [3 3], [], 0, true))", True),
]


@pytest.mark.parametrize(("expression", "value"), SCALARS)
def test_one_number(expression: str, value: float) -> None:
    s = rm.Session()
    s.run(MADE)
    assert s.eval(expression) == value


def test_the_extremes_of_a_mask_are_a_mask() -> None:
    s = rm.Session()
    s.run(f"{MADE} [m, k] = max(L); v = 1:4; v(m) = 0;")
    assert s.eval("isequal(v, [1 0 0 0])")
    assert s.eval("isequal(k, [1 2 4 5])")


def test_sums_by_subscripts() -> None:
    s = rm.Session()
    s.run("A = accumarray([1 1; 3 2; 1 1], [1 2 3], [3 3], @sum, 0, true);")
    assert np.asarray(s.eval("full(A)")).tolist() == [[4, 0, 0], [0, 0, 0], [0, 2, 0]]


LARGE = [
    "nnz(flipud(S)) + nnz(circshift(S, 1)) + nnz(rot90(S)) + nnz(repmat(S, 2, 1))",
    "nnz(reshape(S, n/2, 2*n)) + nnz(permute(S, [2 1])) + nnz(S(L)) + nnz(xor(S, L))",
    "nnz(round(S)) + nnz(isnan(S)) + nnz(mean(S, 2)) + nnz(prod(S)) + nnz(dot(S, S))",
    "isreal(S) + isequal(S, S) + issymmetric(S) + trace(S) + norm(S, 1) + norm(S, 'fro')",
    "nnz(accumarray([1 1; n n], [1 2], [n n], @sum, 0, true)) + nnz(spfun(@exp, S))",
]


@pytest.mark.parametrize("expression", LARGE)
def test_large_matrices_never_become_full(expression: str) -> None:
    s = rm.Session()
    s.run("n = 100000; S = spdiags([1:n; ones(1, n)]', [0 1], n, n); L = S > 3;")
    assert s.eval(expression) > 0
