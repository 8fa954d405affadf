"""Random sparse matrices of given condition, singular values or eigenvalues."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runmat_core import Session

Same = Callable[[str, str], None]
Failing = Callable[[str, str], None]


@pytest.mark.parametrize("name", ["sprand", "sprandn"])
def test_singular_values(name: str, session: Session, same: Same) -> None:
    session.run(f"rng(1); A = {name}(40, 30, 0.2, 0.01); s = svd(full(A));")
    same("round([s(1) s(end)], 12)", "[1 0.01]")
    same("round(diff(log(s)), 9)", "repmat(round(log(0.01)/29, 9), 29, 1)")
    same("abs(nnz(A)/1200 - 0.2) < 0.05", "true")
    session.run(f"B = {name}(30, 40, 0.1, [3 2 1]); s = svd(full(B));")
    same("round(s(1:5), 12)", "[3; 2; 1; 0; 0]")
    same("size(B)", "[30 40]")


def test_eigenvalues(session: Session, same: Same) -> None:
    session.run("rng(2); A = sprandsym(50, 0.1, 0.02); e = sort(abs(eig(full(A))));")
    same("round([e(1) e(end)], 12)", "[0.02 1]")
    same("[issymmetric(A) any(eig(full(A)) < 0)]", "[true true]")
    same("abs(nnz(A)/2500 - 0.1) < 0.05", "true")
    session.run("e = eig(full(sprandsym(4, 0.9, [4 1 3 2])));")
    same("round(e, 12)", "[1; 2; 3; 4]")


@pytest.mark.parametrize("call", ["40, 0.1, 0.05, 1", "40, 0.1, 0.05, 2", "S, [], 0.05, 3"])
def test_positive_definite_kinds(call: str, session: Session, same: Same) -> None:
    session.run(f"rng(3); S = sprandsym(40, 0.1) + speye(40); A = sprandsym({call});")
    session.run("[~, flag] = chol(A); e = eig(full(A));")
    same("flag", "0")
    same("round(e(1)/e(end), 8)", "0.05")


def test_pattern_is_kept(session: Session, same: Same) -> None:
    session.run("S = spdiags(ones(6, 3), -1:1, 6, 6); A = sprandsym(S, [], 0.1, 3);")
    same("full(A ~= 0)", "full(S ~= 0)")


def test_small_matrices(same: Same) -> None:
    same("full(sprand(1, 1, 1, 0.5))", "1")
    same("size(sprandn(0, 3, 0.5, 0.5))", "[0 3]")
    same("abs(full(sprandsym(1, 1, 0.5)))", "1")


@pytest.mark.parametrize(
    ("statement", "identifier"),
    [
        ("sprand(3, 3, 0.5, -1)", "MATLAB:sprand:InvalidRC"),
        ("sprandn(3, 3, 0.5, [1 2 3 4])", "MATLAB:sprandn:InvalidRC"),
        ("sprand(3, 3, 0.5, NaN)", "MATLAB:sprand:InvalidRC"),
        ("sprandsym(4, 0.5, 2)", "MATLAB:sprandsym:InvalidRC"),
        ("sprandsym(4, 0.5, 0, 2)", "MATLAB:sprandsym:InvalidRC"),
        ("sprandsym(3, 0.5, [-1 2 3], 1)", "MATLAB:sprandsym:InvalidRC"),
        ("sprandsym(4, 0.5, 0.1, 4)", "MATLAB:sprandsym:InvalidKind"),
        ("sprand(3, 3)", "MATLAB:minrhs"),
    ],
)
def test_bad_calls(statement: str, identifier: str, failing: Failing) -> None:
    failing(statement, identifier)
