"""``eigs``: large matrices, functions, second matrices and options, against ``eig``."""

from __future__ import annotations

import pytest

from runmat_core import MatlabError, Session

SETUP = """
n = 700; A = spdiags([-ones(n,1) 2*ones(n,1) -ones(n,1)], -1:1, n, n); e = eig(full(A));
[~, k] = sort(abs(e - 0.5)); S = [2 1; 1 5]; B = [4 1; 1 3]; P = [2 1]; b = eigs(S, B, 2);
"""
#: What is not one of these, and what it has to be.
CASES = {
    "smallest": ("sort(eigs(A, 3, 'smallestabs'))", "e(1:3)"),
    "largest": ("sort(eigs(A, 3))", "e(n-2:n)"),
    "near a number": ("sort(eigs(A, 2, 0.5))", "sort(e(k(1:2)))"),
    "of a function": ("sort(eigs(@(x) A*x, n, 3))", "e(n-2:n)"),
    "of an inverse": ("sort(eigs(@(x) A\\x, n, 3, 'smallestabs'))", "e(1:3)"),
    "of a symmetric inverse": (
        "sort(eigs(@(x) A\\x, n, 3, 'smallestabs', 'IsFunctionSymmetric', true))",
        "e(1:3)",
    ),
    "of a shifted inverse": (
        "sort(eigs(@(x) (A - 0.5*speye(n))\\x, n, 2, 0.5))",
        "sort(e(k(1:2)))",
    ),
    "a factor": ("eigs(S, chol(B), 2, 'largestabs', 'IsCholesky', true)", "b"),
    "a factor in another order": (
        "eigs(S, chol(B(P,P)), 2, 'largestabs', 'IsCholesky', true, 'CholeskyPermutation', P)",
        "b",
    ),
    "older names": ("eigs(S, chol(B), 2, 'lm', struct('cholB', 1, 'disp', 0))", "b"),
    "a tolerance": ("sort(eigs(A, 2, 'sm', struct('tol', 1e-9, 'p', 40)))", "e(1:2)"),
    "a start": ("sort(eigs(A, 2, 'sm', 'StartVector', (1:n)'))", "e(1:2)"),
}


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session(provider="none", stdout=len, stderr=len)
    made.run(SETUP)
    return made


@pytest.mark.parametrize("name", CASES)
def test_values(name: str, session: Session) -> None:
    call, wanted = CASES[name]
    assert session.eval(f"norm({call} - {wanted})") < 1e-9


@pytest.mark.parametrize(
    ("treatment", "shown"), [("replacenan", [4, 4]), ("drop", [0, 0]), ("keep", [0, 0])]
)
def test_what_does_not_converge(treatment: str, shown: list[int], session: Session) -> None:
    session.run(
        "lastwarn(''); [V, D, f] = eigs(A, 4, 'largestabs', 'MaxIterations', 1, "
        f"'FailureTreatment', '{treatment}'); [~, id] = lastwarn;"
    )
    assert (session["f"], session["id"]) == (1.0, "MATLAB:eigs:NotAllEigsConverged")
    assert session.eval("[size(D, 1) sum(isnan(diag(D)))]").ravel().tolist() == shown


@pytest.mark.parametrize(
    "call", ["eigs(A, 2, 'lm', 'Tolerance')", "eigs(A, 2, 'lm', 'FailureTreatment', 'other')"]
)
def test_options_that_make_no_sense(call: str, session: Session) -> None:
    with pytest.raises(MatlabError, match=r"."):
        session.run(call)
