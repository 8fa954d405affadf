"""Decompositions give their matrix back, and estimates are what they estimate."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

SETUP = """
    rng(3); A = rand(6) - 0.5; B = rand(6); S = A + A'; C = A + 1i*B; H = C + C'; T = rand(7,4);
    P = A*A' + eye(6); n = 40;
    E = spdiags([-ones(n,1) 4+(1:n)'/n -ones(n,1)], -1:1, n, n); E(1,n) = -0.5; E(n,1) = -0.5;
    F = E + sparse(triu(ones(n),4))*0.01;
"""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


#: Each gives a residual, which is zero but for rounding.
RESIDUALS = [
    ("[L,D,p] = ldl(S);", "L*D*L' - p'*S*p"),
    ("[L,D,p,q] = ldl(sparse(S));", "full(L*D*L' - p'*q*S*q*p)"),
    ("[L,D] = ldl(H);", "L*D*L' - H"),
    ("[U,D,p] = ldl(H,'upper','vector');", "U'*D*U - H(p,p)"),
    ("[T1,B1] = balance(A.*[1 1e3 1 1 1 1e-4]);", "T1\\(A.*[1 1e3 1 1 1 1e-4])*T1 - B1"),
    (
        "[s,p,b] = balance([1 0 0;1 2 3;4 0 5]); t = zeros(3); t(:,p) = diag(s);",
        "t\\[1 0 0;1 2 3;4 0 5]*t - b",
    ),
    ("[AA,BB,Q,Z] = qz(A,B);", "[Q*A*Z - AA, Q*B*Z - BB, tril(AA,-1), tril(BB,-1)]"),
    ("[AA,BB,Q,Z] = qz(A,B,'real');", "[Q*A*Z - AA, Q*B*Z - BB, tril(AA,-2), imag(AA)]"),
    ("[AA,BB,Q,Z,V,W] = qz(A,B);", "A*V - B*V*diag(diag(W'*A*V)./diag(W'*B*V))"),
    ("[U,V,X,c,s] = gsvd(T,B(:,1:4));", "[U*c*X' - T; V*s*X' - B(:,1:4); c'*c + s'*s - eye(4)]"),
    ("[U,V,X,c,s] = gsvd(A(1:2,:),B);", "[U*c*X' - A(1:2,:); V*s*X' - B; c'*c + s'*s - eye(6)]"),
    ("[U,V,X,c,s] = gsvd(A,B(1:2,:));", "[U*c*X' - A; V*s*X' - B(1:2,:); c'*c + s'*s - eye(6)]"),
    ("[U,V,X,c,s] = gsvd(C,B,0);", "[U*c*X' - C; V*s*X' - B]"),
    ("", "gsvd(A,B) - sort(sqrt(real(eig(A'*A,B'*B))))"),
    ("[X,e] = polyeig(A,B,S); x = X(:,3); l = e(3);", "(A + l*B + l^2*S)*x"),
    ("[X,e] = polyeig(A,B,S,eye(6));", "vecnorm(X) - 1"),
    ("[V,D] = eig(A); [V,D] = cdf2rdf(V,D);", "A*V - V*D"),
    ("[U,X] = schur(A); [U,X] = rsf2csf(U,X);", "[U*X*U' - A; tril(X,-1)]"),
    ("[U,X] = schur(A); [U,X] = ordschur(U,X,'lhp');", "U*X*U' - A"),
    (
        "[U,X] = schur(C); e = diag(X); [U,X] = ordschur(U,X,[1 3 2 3 1 2]);",
        "[sort(e([2 4 3 6])) - sort(diag(X(1:4,1:4)))]",
    ),
    ("[U,X] = schur(C); [U,X] = ordschur(U,X,[0 0 1 0 1 0]);", "U*X*U' - C"),
    ("R = cholupdate(chol(P),(1:6)');", "R'*R - P - (1:6)'*(1:6)"),
    ("R = cholupdate(chol(P+(1:6)'*(1:6)),(1:6)','-');", "R'*R - P"),
    ("R = cholupdate(chol(H+9*eye(6)),C(:,1));", "R'*R - H - 9*eye(6) - C(:,1)*C(:,1)'"),
    ("R = cholupdate(chol(H+9*eye(6)+C(:,1)*C(:,1)'),C(:,1),'-');", "R'*R - H - 9*eye(6)"),
    (
        "[Q,R] = qr(A); [Q,R] = qrupdate(Q,R,B(:,1),B(:,2));",
        "[Q*R - A - B(:,1)*B(:,2)', tril(R,-1)]",
    ),
    ("[Q,R] = qr(C); [Q,R] = qrupdate(Q,R,C(:,1),C(:,2));", "Q*R - C - C(:,1)*C(:,2)'"),
    ("[Q,R] = qr(T); [Q,R] = qrinsert(Q,R,3,(1:7)');", "Q*R - [T(:,1:2) (1:7)' T(:,3:4)]"),
    ("[Q,R] = qr(T); [Q,R] = qrinsert(Q,R,8,1:4,'row');", "Q*R - [T; 1:4]"),
    ("[Q,R] = qr(T); [Q,R] = qrinsert(Q,R,3,1i*(1:7)');", "Q*R - [T(:,1:2) 1i*(1:7)' T(:,3:4)]"),
    ("[Q,R] = qr(T); [Q,R] = qrupdate(Q,R,1i*(1:7)',(1:4)');", "Q*R - T - 1i*(1:7)'*(1:4)"),
    ("[Q,R] = qr(T); [Q,R] = qrdelete(Q,R,2);", "Q*R - T(:,[1 3 4])"),
    ("[Q,R] = qr(T); [Q,R] = qrdelete(Q,R,7,'row');", "Q*R - T(1:6,:)"),
    ("[G,y] = planerot([3+1i; 4-2i]);", "[G*[3+1i; 4-2i] - y; y(2); norm(y) - sqrt(30)]"),
    ("X = sylvester(A,B,S);", "A*X + X*B - S"),
    ("X = sylvester(C,B(1:3,1:3),T(1:6,1:3));", "C*X + X*B(1:3,1:3) - T(1:6,1:3)"),
    ("[V,D] = eigs(A,3);", "[A*V - V*D; (sort(abs(diag(D)),'descend') - abs(diag(D)))']"),
    ("", "eigs(S,2,'largestreal') - [max(eig(S)); min(maxk(eig(S),2))]"),
    ("e = eig(S);", "eigs(S,3,'bothendsreal') - e([1 5 6])"),
    ("e = eig(S); [~,k] = sort(abs(e-0.3));", "eigs(S,2,0.3) - e(k(1:2))"),
    ("", "eigs(@(x) S*x,6,2) - eigs(S,2)"),
    ("", "eigs(S,[],2,'lm',struct('disp',0)) - eigs(S,2)"),
    ("", "eigs(@(x) S\\x,6,2,'smallestabs') - eigs(S,2,'sm')"),
    ("e = eig(A,P);", "eigs(A,P,1) - e(abs(e)==max(abs(e)))*0 - eigs(P\\A,1)"),
    ("[U,s,V] = svds(T,2); x = svd(T);", "[diag(s) - x(1:2); vecnorm(T*V - U*s)']"),
    ("x = svd(T);", "svds(T,2,'smallest') - x([4 3])"),
    ("", "condest(A) - cond(A,1)"),
    # the sensitivity of eigenvalues, seen from angles of left and right vectors
    ("[V,D,W] = eig(C); [X,M,c] = condeig(C);", "[c - 1./abs(dot(V,W))', diag(D) - diag(M)]"),
    ("", "condeig(S) - 1"),
    ("[V,D,c] = condeig(gallery(3));", "round(c, 3) - [603.639; 395.237; 219.292]"),
    ("", "condeig([2 0 1;0 2 1;0 0 3]) - [sqrt(2); sqrt(2); sqrt(3)]"),
    ("[U,X] = schur(A); e = ordeig(X);", "cplxpair(e) - cplxpair(eig(A))"),
    ("[U,X] = schur(C); [U,X] = ordschur(U,X,6:-1:1);", "ordeig(X) - diag(X)"),
    ("[AA,BB] = qz(A,B);", "ordeig(AA,BB) - diag(AA)./diag(BB)"),
    ("[AA,BB] = qz(A,B,'real');", "cplxpair(ordeig(AA,BB)) - cplxpair(eig(A,B))"),
    ("[c,v] = condest(A);", "norm(A*v,1)*c - norm(A,1)*norm(v,1)"),
    ("", "normest1(A) - norm(A,1)"),
    ("", "normest(A,1e-12) - norm(A)"),
    ("", "subspace([1 0 0; 0 1 0]', [1 0 0; 0 1 1]') - pi/4"),
    ("x = lscov(T,(1:7)');", "x - T\\(1:7)'"),
    ("W = diag(1:7); x = lscov(T,(1:7)',(1:7)');", "x - (T'*W*T)\\(T'*W*(1:7)')"),
    (
        "V = P; [x,sx,m,K] = lscov(T(1:6,:),(1:6)',V); t = T(1:6,:); r = (1:6)'-t*x;",
        "[x - (t'/V*t)\\(t'/V*(1:6)'); m - r'/V*r/2; sx - sqrt(diag(K)); sum(K - inv(t'/V*t)*m)']",
    ),
]


@pytest.mark.parametrize(("code", "residual"), RESIDUALS)
def test_residuals_vanish(session: Session, code: str, residual: str) -> None:
    session.run(f"{code} residual = {residual};")
    found = session.eval("double(residual)")
    assert np.abs(found).max() < 1e-10, found


def test_order_of_schur_forms(session: Session) -> None:
    session.run("[U,X] = schur(A,'complex'); [U,X] = ordschur(U,X,'lhp'); e = real(diag(X)) < 0;")
    assert session.eval("issorted(~e)")
    assert session.eval("any(e) && ~all(e)")


def test_incomplete_factors(session: Session) -> None:
    session.run("[L,U] = ilu(F); W = ilu(F); D = L*U - F;")
    assert session.eval("nnz(D(F~=0) > 1e-14) == 0")  # exact on the pattern
    assert session.eval("norm(W - L - U + speye(n), 1) < 1e-14")
    assert session.eval("isequal(spones(L+U), spones(F))")
    session.run("[L,U] = ilu(F, struct('type','crout','droptol',0));")
    assert session.eval("norm(L*U - F, 1) < 1e-12")
    session.run("[L,U] = ilu(F, struct('type','crout','droptol',1e-2)); k = nnz(L)+nnz(U);")
    assert session.eval("norm(L*U - F, 1) < 0.5 && k < nnz(F)+n")
    session.run("[L,U] = ilu(F, struct('milu','row'));")
    assert session.eval("norm((L*U - F)*ones(n,1)) < 1e-12")
    session.run("L = ichol(E); D = L*L' - E;")
    assert session.eval("max(abs(D(E~=0))) < 1e-13 && istril(L)")
    session.run("R = ichol(E, struct('type','ict','droptol',0,'shape','upper'));")
    assert session.eval("norm(R'*R - E, 1) < 1e-12")
    session.run("L = ichol(E, struct('michol','on'));")
    assert session.eval("norm((L*L' - E)*ones(n,1)) < 1e-12")


def test_pages(session: Session) -> None:
    session.run("X = rand(2,3,4); Y = rand(3,2,1,5); Z = pagemtimes(X,Y);")
    assert session.eval("size(Z)").tolist() == [[2, 2, 4, 5]]
    assert session.eval("norm(Z(:,:,3,4) - X(:,:,3)*Y(:,:,1,4)) < 1e-14")
    session.run("Z = pagemtimes(X,'transpose',X,'none');")
    assert session.eval("norm(Z(:,:,2) - X(:,:,2)'*X(:,:,2)) < 1e-14")
    assert session.eval("isequal(class(pagemtimes(single(2),X)),'single')")
    session.run("V = rand(3,3,4)+eye(3); I = pageinv(V); Q = pagemldivide(V,ones(3,1));")
    assert session.eval("norm(I(:,:,4)*V(:,:,4) - eye(3)) < 1e-12")
    assert session.eval("norm(V(:,:,2)*Q(:,:,2) - ones(3,1)) < 1e-12")
    session.run("Q = pagemrdivide(ones(1,3),V,'transpose');")
    assert session.eval("norm(Q(:,:,2)*V(:,:,2).' - ones(1,3)) < 1e-12")
    assert session.eval("isequal(pagetranspose(X), permute(X,[2 1 3]))")
    assert session.eval("isequal(pagectranspose(1i*X), permute(-1i*X,[2 1 3]))")


def test_classes_and_infinite_eigenvalues(session: Session) -> None:
    assert (
        session.eval("[class(condeig(single(A))) class(ordeig(single([1 2;0 3])))]") == "single" * 2
    )
    assert session.eval("isequal(ordeig([1 2;0 3],[1 0;0 0]), [1;Inf])")
    assert session.eval("isequal(ordeig([1 2;0 3]), [1;3]) && isempty(condeig(zeros(0)))")
    session.run("[X, E] = condeig(single(A));")
    assert session.eval("class(X)") == "single"


def test_tensor_products(session: Session) -> None:
    session.run("X = rand(2,3,4); Y = rand(4,3); Z = tensorprod(X,Y,[2 3],[2 1]);")
    assert session.eval("size(Z)").tolist() == [[2, 1]]
    assert session.eval("abs(Z(2) - sum(squeeze(X(2,:,:)).*Y', 'all')) < 1e-13")
    assert session.eval("isequal(size(tensorprod(X,Y)), [2 3 4 4 3])")
    assert session.eval("isequal(size(tensorprod((1:3)',(1:2)','NumDimensionsA',1)), [3 2])")
    assert session.eval("norm(tensorprod(Y,Y,1) - Y'*Y) < 1e-14")


NONNEGATIVE = """
    c = [0.0372 0.2869; 0.6861 0.7071; 0.6233 0.6245; 0.6344 0.6170];
    d = [0.8587; 0.1781; 0.0747; 0.8405];
"""


def test_nonnegative_least_squares(session: Session) -> None:
    """The example of the documentation: x = [0; 0.6929], resnorm 0.8315."""
    session.run(NONNEGATIVE + "[x,r,res,flag,out,lambda] = lsqnonneg(c,d);")
    np.testing.assert_allclose(session.eval("x").ravel(), [0, 0.6929], atol=5e-5)
    assert session.eval("r") == pytest.approx(0.8315, abs=5e-5)
    assert session.eval("norm(res - (d - c*x)) < 1e-14 && flag == 1")
    assert session.eval("all(lambda(x == 0) <= 0) && strcmp(out.algorithm, 'active-set')")
    session.run(
        "q = struct('C', c, 'd', d, 'solver', 'lsqnonneg', 'options', optimset('TolX', 1e-9));"
    )
    assert session.eval("isequal(lsqnonneg(q), x)")


ERRORS = [
    ("cholupdate(eye(2),[2;0],'-')", "MATLAB:posdef"),
    ("cholupdate(eye(2),[2 0])", "MATLAB:cholupdate:InvalidX"),
    ("qrdelete(eye(2),eye(2),3)", "MATLAB:qrdelete:InvalidJ"),
    ("qrinsert(eye(2),eye(2),1,[1 2])", "MATLAB:qrinsert:WrongSize"),
    ("ilu(eye(3))", "MATLAB:ilu:NonSparseMatrix"),
    ("ilu(sparse([0 1;1 0]))", "MATLAB:ilu:ZeroPivot"),
    ("ichol(sparse([1 2;2 1]))", "MATLAB:ichol:Breakdown"),
    ("pagemtimes(ones(2,3),ones(2,3))", "MATLAB:pagemtimes:dimensionMismatch"),
    ("pagemtimes(ones(2,2,3),ones(2,2,4))", "MATLAB:sizeDimensionsMustMatch"),
    ("tensorprod([1 2],[1 2 3],2)", "MATLAB:tensorprod:DimensionMismatch"),
    ("eigs([1 2 3])", "MATLAB:eigs:NonSquareMatrixOrFunction"),
    ("eigs(eye(3),1,'largest')", "MATLAB:eigs:unrecognizedStringChoice"),
    ("gsvd([1 2],1)", "MATLAB:gsvd:MatrixColMismatch"),
    ("condeig([1 2])", "MATLAB:square"),
    ("condeig([1 NaN;0 1])", "MATLAB:condeig:matrixWithNaNInf"),
    ("ordeig(ones(3))", "MATLAB:ordeig:NotQuasiTriangular"),
    ("ordeig(eye(3),eye(2))", "MATLAB:ordeig:inputsMustBeSameSize"),
    ("sylvester(1,-1,1)", "MATLAB:sylvester:solutionNotUnique"),
    ("lsqnonneg(eye(2))", "MATLAB:lsqnonneg:InputArg"),
    ("lsqnonneg(eye(2),[1 2])", "MATLAB:lsqnonneg:InputSizeMismatch"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code + ";")
    assert raised.value.identifier == identifier
