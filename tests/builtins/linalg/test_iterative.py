"""Iterative methods: solutions, flags, residuals, operators and messages."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

SETUP = """
    n = 40; A = spdiags([-ones(n,1) 3+(1:n)'/n -ones(n,1)], -1:1, n, n); x1 = (1:n)'/n; b = A*x1;
    F = A + sparse(triu(ones(n),4))*0.01; c = F*x1; S = A - 3.2*speye(n); d = S*x1;
"""
SYMMETRIC = ["pcg", "minres", "symmlq"]
GENERAL = ["bicg", "bicgstab", "bicgstabl", "cgs", "qmr", "tfqmr", "lsqr"]


#: Residuals in one iteration.
STEPS = {"bicgstab": 2, "tfqmr": 2, "bicgstabl": 4}


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


@pytest.mark.parametrize("name", [*SYMMETRIC, *GENERAL])
@pytest.mark.parametrize("matrix", ["A", "full(A)"])
def test_definite_system(session: Session, name: str, matrix: str) -> None:
    session.run(f"[x,flag,rr,it,rv] = {name}({matrix},b,1e-10,200);")
    assert session.eval("flag") == 0
    assert session.eval("norm(x - x1) < 1e-8")
    assert session.eval("abs(rr - norm(b - A*x)/norm(b)) < 1e-14 && rr <= 1e-10")
    assert session.eval("isequal(size(x), [n 1]) && rv(1) == norm(b)")
    assert session.eval(f"numel(rv) == {STEPS.get(name, 1)}*it + 1")


@pytest.mark.parametrize("name", GENERAL)
def test_general_system_with_a_preconditioner(session: Session, name: str) -> None:
    session.run(f"[L,U] = ilu(F); [x,flag,rr,it] = {name}(F,c,1e-10,50,L,U);")
    assert session.eval("flag") == 0
    assert session.eval("norm(x - x1) < 1e-8")
    session.run(f"[y,f2,r2,plain] = {name}(F,c,1e-10,200);")
    assert session.eval("it < plain")


@pytest.mark.parametrize("name", [*SYMMETRIC, "gmres"])
def test_functions_as_operators(session: Session, name: str) -> None:
    middle = "[],1e-10,40" if name == "gmres" else "1e-10,40"
    session.run(
        f"[x,flag] = {name}(@(v,k) k*(A*v),b,{middle},@(v,k) v./diag(A),[],[],1);"
        "ok = flag == 0 && norm(x - x1) < 1e-8;"
    )
    assert session.eval("ok")


@pytest.mark.parametrize("name", ["bicg", "qmr", "lsqr"])
def test_functions_are_told_of_the_transpose(session: Session, name: str, tmp_path: object) -> None:
    session.run(
        "pick = @(v,w) strcmp(w,'notransp')*(F*v) + strcmp(w,'transp')*(F'*v);"
        f"[x,flag] = {name}(pick,c,1e-10,200); ok = flag == 0 && norm(x - x1) < 1e-8;"
    )
    assert session.eval("ok")


@pytest.mark.parametrize("name", ["minres", "symmlq"])
def test_indefinite_matrix(session: Session, name: str) -> None:
    session.run(f"[x,flag] = {name}(S,d,1e-10,200);")
    assert session.eval("flag == 0 && norm(x - x1) < 1e-7")
    session.run(f"[x,flag,rr,it] = {name}(S,d,1e-10,200,A);")
    assert session.eval("flag == 0 && norm(x - x1) < 1e-7")
    session.run("H = full(S) + 1i*diag(ones(n-1,1),1) - 1i*diag(ones(n-1,1),-1); z = H*(x1 + 1i);")
    session.run(f"[x,flag] = {name}(H,z,1e-11,200);")
    assert session.eval("flag == 0 && norm(x - x1 - 1i) < 1e-7")


@pytest.mark.parametrize("name", ["minres", "symmlq"])
def test_residuals_of_conjugate_gradients_beside(session: Session, name: str) -> None:
    session.run("[x,flag,rr,it,rv] = pcg(A,b,1e-14,8);")
    session.run(f"[x,flag,rr,it,r,cg] = {name}(A,b,1e-14,8);")
    assert session.eval("numel(cg) == 9 && max(abs(cg - rv)./rv) < 1e-8")
    assert session.eval("numel(r) == 9")


def test_a_matrix_that_is_not_definite(session: Session) -> None:
    session.run("[x,flag] = pcg(-A,b,1e-10,200);")
    assert session.eval("flag") == 4


def test_complex_systems(session: Session) -> None:
    session.run("C = full(F) + 1i*diag(1:n)/n; z = C*(x1 + 1i);")
    for call in [
        "bicg(C,z,",
        "bicgstab(C,z,",
        "bicgstabl(C,z,",
        "tfqmr(C,z,",
        "cgs(C,z,",
        "qmr(C,z,",
        "lsqr(C,z,",
        "gmres(C,z,[],",
    ]:
        session.run(f"[x,flag] = {call}1e-10,200);")
        assert session.eval("flag == 0 && norm(x - x1 - 1i) < 1e-7"), call


def test_restarts(session: Session) -> None:
    session.run("[x,flag,rr,it,rv] = gmres(F,c,5,1e-9,30);")
    assert session.eval("flag == 0 && norm(x - x1) < 1e-6")
    assert session.eval("numel(rv) == 5*(it(1)-1) + it(2) + 1")
    session.run("[x,flag,rr,it] = gmres(eye(4),(1:4)');")
    assert session.eval("it").tolist() == [[1, 1]]
    session.run("[x,flag,rr,it] = gmres(F,c,3,1e-15,2);")
    assert session.eval("flag == 1 && isequal(it, [2 3])")


def test_flags(session: Session) -> None:
    session.run("[x,flag,rr,it,rv] = pcg(A,b,1e-12,3);")
    assert session.eval("flag == 1 && numel(rv) == 4")
    session.run("[x,flag,rr,it,rv] = pcg(A,zeros(n,1));")
    assert session.eval("flag == 0 && ~any(x) && it == 0 && rr == 0 && rv == 0")
    session.run("[x,flag,rr,it] = pcg(A,b,1e-6,20,[],[],x1);")
    assert session.eval("flag == 0 && it == 0 && isequal(x, x1)")
    session.run("[x,flag] = pcg(A,b,1e-6,20,zeros(n));")
    assert session.eval("flag") == 2
    for name in ("minres", "symmlq"):
        session.run(f"[x,flag] = {name}(A,b,1e-6,20,-speye(n));")
        assert session.eval("flag") == 5
    for name in (*SYMMETRIC, *GENERAL):
        session.run(f"[x,flag] = {name}(A,b,1e-6,20,zeros(n));")
        assert session.eval("flag") == 2, name


def test_least_squares(session: Session) -> None:
    session.run(
        "T = [ones(30,1) (1:30)'/30]; [x,flag,rr,it,rv,lv] = lsqr(T,exp((1:30)'/30),1e-12,30);"
    )
    assert session.eval("flag == 0 && norm(x - T\\exp((1:30)'/30)) < 1e-9")
    assert session.eval("numel(lv) == numel(rv) && lv(end) < 1e-10")
    # as many iterations as unknowns are enough, and are the default
    session.run("[x,flag,rr,it] = lsqr(T,exp((1:30)'/30));")
    assert session.eval("flag == 0 && it == 2 && rr > 0.01")


def test_messages(session: Session) -> None:
    shown = session.capture("x = pcg(A,b);")
    assert shown.startswith("pcg converged at iteration ")
    shown = session.capture("x = pcg(A,b,1e-12,2);")
    assert "without converging to the desired tolerance 1e-12" in shown
    assert "because the maximum number of iterations was reached." in shown
    shown = session.capture("x = gmres(A,b,5,1e-8,20);")
    assert shown.startswith("gmres(5) converged at outer iteration ")
    assert "all zero" in session.capture("x = bicg(A,zeros(n,1));")


def test_steps_of_conjugate_gradients(session: Session) -> None:
    """Three eigenvalues are met in three steps."""
    session.run("D = diag([1 1 2 2 5 5]); [x,flag,rr,it] = pcg(D,ones(6,1),1e-12,10);")
    assert session.eval("it") == 3
    np.testing.assert_allclose(session.eval("x").ravel(), [1, 1, 0.5, 0.5, 0.2, 0.2])


ERRORS = [
    ("pcg(ones(2,3),[1;2])", "MATLAB:pcg:NonSquareMatrix"),
    ("pcg(eye(2),[1;2;3])", "MATLAB:pcg:RSHsizeMatchCoeffMatrix"),
    ("pcg(eye(2),[1 2])", "MATLAB:pcg:RSHnotColumn"),
    ("pcg(eye(2),[1;2],[],[],eye(3))", "MATLAB:pcg:WrongPrecondSize"),
    ("pcg(eye(2),[1;2],[],[],[],[],[1;2;3])", "MATLAB:pcg:WrongInitGuessSize"),
    ("gmres(@(x) [x;x],[1;2])", "MATLAB:gmres:InvalidFunctionOutput"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run("[x,f] = " + code + ";")
    assert raised.value.identifier == identifier
