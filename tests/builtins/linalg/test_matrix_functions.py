"""funm and dmperm."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from runmat_core import MatlabError, Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


MATRICES = {
    "random": "[4 1 2;0 3 1;1 -1 2]",
    "repeated": "[2 1 0;0 2 1;0 0 2]",
    "near": "[1 5 2;0 1.02 7;0 0 1.05]",
    "blocks": "[1 2 3 4;0 1.01 5 6;0 0 9 7;0 0 0 9.02]",
    "complex": "[1+2i 2;3 4-1i]",
    "turning": "[0 1;-1 0]",
}


@pytest.mark.parametrize("name", MATRICES)
def test_funm_agrees_with_functions_of_their_own(name: str, session: Session) -> None:
    session.run(f"A = {MATRICES[name]}; I = eye(size(A));")
    for code, expected in (
        ("funm(A, @exp)", "expm(A)"),
        ("funm(A, @(x, k) exp(x))", "expm(A)"),
        ("expm(funm(A + 12 * I, @log))", "A + 12 * I"),
        ("funm(A, @sin)^2 + funm(A, @cos)^2", "I"),
        ("funm(A, @cosh) + funm(A, @sinh)", "expm(A)"),
        ("funm(A, @(x, k, p) p * exp(x), [], 3)", "3 * expm(A)"),
    ):
        found, wanted = np.asarray(session.eval(code)), np.asarray(session.eval(expected))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())
    if name != "complex":
        assert session.eval("isreal(funm(A, @exp))") is True


def test_funm_refuses(session: Session) -> None:
    for code, identifier in (
        ("funm(ones(2, 3), @exp)", "MATLAB:square"),
        ("funm([1 NaN; 0 1], @exp)", "MATLAB:funm:matrixWithNaNInf"),
        ("funm(eye(2), 'exp')", "MATLAB:funm:InvalidFun"),
        ("funm(eye(2), @(x, k) [1 2])", "MATLAB:funm:InvalidFun"),
    ):
        with pytest.raises(MatlabError) as raised:
            session.run(code)
        assert raised.value.identifier == identifier


@pytest.mark.parametrize("shape", [(9, 9), (6, 10), (10, 6)])
@pytest.mark.parametrize("seed", range(4))
def test_dmperm_gives_a_block_triangular_form(
    shape: tuple[int, int], seed: int, session: Session
) -> None:
    a = (np.random.default_rng(seed).random(shape) < 0.22).astype(float)
    session.workspace["A"] = a
    session.run("m = dmperm(sparse(A)); [p, q, r, s, cc, rr] = dmperm(A);")
    matched = np.asarray(session.workspace["m"]).ravel().astype(int)
    rows = matched[matched > 0]
    assert len(set(rows)) == len(rows)
    assert all(a[i - 1, j] for j, i in enumerate(matched) if i)
    rank = (maximum_bipartite_matching(csr_array(a)) >= 0).sum()
    assert len(rows) == rank
    p, q, r, s, cc, rr = (
        np.asarray(session.workspace[name]).ravel().astype(int) - 1
        for name in ("p", "q", "r", "s", "cc", "rr")
    )
    assert sorted(p) == list(range(shape[0]))
    assert sorted(q) == list(range(shape[1]))
    b = a[np.ix_(p, q)]
    assert (r[0], r[-1], s[0], s[-1]) == (0, shape[0], 0, shape[1])
    for (_, low), (left, _) in zip(pairwise(r), pairwise(s), strict=True):
        assert not b[low:, left : s[np.searchsorted(r, low)]].any()
    # the square part has no zero on its diagonal, and nothing is below it or the wide part
    square = b[rr[1] : rr[2], cc[2] : cc[3]]
    assert square.shape[0] == square.shape[1]
    assert np.diag(square).all()
    assert not b[rr[1] :, : cc[2]].any()
    assert not b[rr[2] :, : cc[3]].any()


def test_an_incomplete_factorisation_with_pivots(session: Session) -> None:
    session.run(
        "clear; rng(3, 'twister'); A = sprand(30, 30, 0.2) + speye(30) * 0.1;"
        "s.type = 'ilutp'; s.droptol = 0; [L, U, P] = ilu(A, s); [L2, U2] = ilu(A, s);"
    )
    for code in (
        "norm(full(L * U - P * A)) < 1e-13",
        "norm(full(L2 * U2 - A)) < 1e-13",
        "norm(full(ilu(A, s) - (L2 + U2 - speye(30)))) < 1e-13",
        "istril(L) && istriu(U) && all(diag(L) == 1) && max(abs(nonzeros(L))) <= 1 + 1e-12",
        "isequal(sort(full(P(:))), [zeros(870, 1); ones(30, 1)])",
    ):
        assert session.eval(code) is True, code
    # without pivoting the rows stay, and what is small is left out
    session.run("B = A + 5 * speye(30); s.thresh = 0; s.droptol = 0.01; [L, U, P] = ilu(B, s);")
    assert session.eval("isequal(P, speye(30)) && nnz(L) < nnz(L2)") is True
    assert session.eval("0 < norm(full(L * U - B)) && norm(full(L * U - B)) < 0.5") is True
    session.run("s.milu = 'col'; [L, U] = ilu(B, s);")
    assert session.eval("norm(full(sum(L * U - B))) < 1e-12") is True


def test_an_incomplete_factorisation_refuses_zero_pivots(session: Session) -> None:
    for code, identifier in (
        ("ilu(sparse([0 1; 0 0]), struct('type', 'ilutp'))", "MATLAB:ilu:ZeroPivot"),
        ("ilu(speye(2), struct('type', 'ilutp', 'thresh', 2))", "MATLAB:ilu:InvalidThresh"),
        ("ilu(speye(2), struct('type', 'ilutp', 'milu', 'row'))", "MATLAB:ilu:UnsupportedSetup"),
    ):
        with pytest.raises(MatlabError) as raised:
            session.run(code)
        assert raised.value.identifier == identifier
    session.run("[L, U, P] = ilu(sparse([0 1; 0 0]), struct('type', 'ilutp', 'udiag', 1));")
    assert session.eval("all(full(diag(U)))") is True
