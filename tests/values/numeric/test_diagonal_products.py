"""Products with diagonals, full and sparse, give what the full product does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runmat_core as rm
from runmat_core.api import diagonals

N = 150
A = np.asfortranarray(np.random.default_rng(4).standard_normal((N, N)))
D = np.asfortranarray(np.diag(np.linspace(-3.0, 5.0, N)))


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("kind", ["f", "d", "F", "D"])
def test_diagonals_scale(kind: str, order: Any) -> None:
    a, d = (np.array(m, kind, order=order) for m in (A, D))
    for left, right in ((a, d), (d, a), (d, d)):
        found = diagonals.product(left, right)
        assert found is not None
        assert found.dtype == kind
        np.testing.assert_array_equal(found, left @ right)
        assert not np.signbit(found.real[found == 0]).any()


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_is_not_finite_meets_the_zeros(value: float) -> None:
    a = A.copy()
    a[3, 4] = value
    assert diagonals.product(D, a) is None
    assert diagonals.product(a, D) is None


def test_what_is_no_diagonal_is_left() -> None:
    d = D.copy()
    d[N - 1, 5] = 1
    small = np.eye(20)
    assert all(diagonals.product(*pair) is None for pair in ((A, A), (d, A), (small, small)))
    assert diagonals.product(np.asfortranarray(D[:, :-1]), A[:-1]) is None


@pytest.mark.parametrize("provider", ["none", "inprocess"])
def test_programs(provider: str) -> None:
    s = rm.Session(provider=provider)
    s.run(
        "n = 300; K = reshape(sin(1:n*n), n, n); a = (1:n)'; L = a.*K; R = K.*a';"
        "S = sparse(K .* (K > 0.9)); d = spdiags(a, 0, n, n); K2 = K; K2(2, 3) = Inf;"
        "x = diag(a)*K2;"
    )
    assert s.eval("isequal(diag(a)*K, L) && isequal(K*diag(a), R)")
    assert s.eval("isequal(d*S, sparse(a.*full(S))) && isequal(S*d, sparse(full(S).*a'))")
    assert s.eval("all(isnan(x([1 3:n], 3))) && x(2, 3) == Inf")
    assert s.eval("isequal(sparse(0, 0)*sparse(0, 0), sparse(0, 0)) && issparse(d*d)")
