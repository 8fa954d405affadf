"""Page functions are those of single matrices for each page: values, classes, sizes, errors."""

from __future__ import annotations

import re

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

SETUP = """
    rng(4); A = rand(4,4,6) - 0.5; B = rand(4,3,6); T = rand(6,3,5); W = rand(3,6,5);
    C = A + 1i*rand(4,4,6); S = A + permute(A,[2 1 3]); H = C + conj(permute(C,[2 1 3]));
    A4 = rand(3,3,2,1,4); B4 = rand(3,2,1,5); F = single(A); one = rand(4,4);
    sing = A; sing(:,:,2) = 0; sing(:,1,4) = sing(:,2,4)*2; sing(1,1,6) = NaN; sing(2,2,5) = Inf;
    sing(:,:,3) = triu(sing(:,:,3)); sing(3,3,3) = 0; M = S; M(:,:,2) = A(:,:,2);
    low = T; low(:,3,2) = low(:,1,2); low(:,:,3) = 0; low(1,1,4) = NaN; z3 = zeros(3,3,0);
    row = rand(1,5,4); hard = cat(3, magic(4), hilb(4)*1e-9, eye(4)*1e200);
"""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


#: The page function, the function of a page ``@`` of each array, and which arrays have pages.
EACH = [
    ("pageinv(A)", "inv(A@)"),
    ("pageinv(C)", "inv(C@)"),
    ("pageinv(F)", "inv(F@)"),
    ("pageinv(sing)", "inv(sing@)"),
    ("pageinv(hard)", "inv(hard@)"),
    ("pagemldivide(A,B)", "A@\\B@"),
    ("pagemldivide(A,F)", "A@\\F@"),
    ("pagemldivide(A,one)", "A@\\one"),
    ("pagemldivide(one,B)", "one\\B@"),
    ("pagemldivide(A,'transpose',B)", "A@.'\\B@"),
    ("pagemldivide(C,'ctranspose',B)", "C@'\\B@"),
    ("pagemldivide(sing,B)", "sing@\\B@"),
    ("pagemldivide(S,C)", "S@\\C@"),
    ("pagemldivide(T,T(:,1,:))", "T@\\T(:,1,k)"),
    ("pagemldivide(low,T)", "low@\\T@"),
    ("pagemldivide(W,W(:,1,:))", "W@\\W(:,1,k)"),
    ("pagemldivide(T(1,1,:),W)", "T(1,1,k)\\W@"),
    ("pagemrdivide(permute(B,[2 1 3]),A)", "B@'/A@"),
    ("pagemrdivide(permute(B,[2 1 3]),C,'ctranspose')", "B@'/C@'"),
    ("pagemrdivide(permute(T,[2 1 3]),W)", "T@'/W@"),
    ("pagepinv(A)", "pinv(A@)"),
    ("pagepinv(T)", "pinv(T@)"),
    ("pagepinv(C(:,1:2,:))", "pinv(C(:,1:2,k))"),
    ("pagepinv(W,0.7)", "pinv(W@,0.7)"),
    ("pagepinv(W,cat(3,0,1,2,3,4))", "pinv(W@,k-1)"),
    ("pagelsqminnorm(W,T(1:3,:,:))", "pinv(W@)*T(1:3,:,k)"),
    ("pagelsqminnorm(T,T(:,1,:))", "pinv(T@)*T(:,1,k)"),
    ("pagelsqminnorm(T*0,T)", "zeros(3)"),
    ("pagelsqminnorm(cat(3,magic(4),ones(4)),one)", "pinv(X@)*one"),
    ("pagelsqminnorm(T,T(:,1,:),RegularizationFactor=0.3)",
     "(T@'*T@+0.09*eye(3))\\(T@'*T(:,1,k))"),
    ("pagesvd(A)", "svd(A@)"),
    ("pagesvd(single(T))", "svd(single(T@))"),
    ("pagesvd(C)", "svd(C@)"),
    ("pageeig(S)", "eig(S@)"),
    ("pageeig(H)", "eig(H@)"),
    ("pageeig(A)", "eig(A@)"),
    ("pageeig(M)", "eig(M@)"),
    ("pageeig(F)", "eig(F@)"),
    ("pagenorm(A)", "norm(A@)"),
    ("pagenorm(C,1)", "norm(C@,1)"),
    ("pagenorm(F,Inf)", "norm(F@,Inf)"),
    ("pagenorm(W,'fro')", "norm(W@,'fro')"),
    ("pagenorm(sing)", "norm(sing@)"),
    ("pagenorm(sing,1)", "norm(sing@,1)"),
    ("pagenorm(hard,'fro')", "norm(hard@,'fro')"),
    ("pagenorm(row)", "norm(row@)"),
    ("pagenorm(row,3)", "norm(row@,3)"),
    ("pagenorm(row,-Inf)", "norm(row@,-Inf)"),
    ("pagenorm(permute(row,[2 1 3]),Inf)", "norm(row@,Inf)"),
]  # fmt: skip


@pytest.mark.parametrize(("pages", "each"), EACH)
def test_pages_are_those_of_the_function_of_a_matrix(
    session: Session, pages: str, each: str
) -> None:
    setup = "X = cat(3,magic(4),ones(4));" if "X@" in each else ""
    page = re.sub(r"(\w+)@", r"\1(:,:,k)", each)
    session.run(
        f"{setup} r = {pages}; e = []; warning('off','all');\n"
        f"for k = 1:size(r,3), e = cat(3, e, {page}); end, warning('on','all');"
    )
    found, expected = np.asarray(session["r"]), np.asarray(session["e"])
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    eps = 1e-4 if found.real.dtype == np.float32 else 1e-11
    for k in range(found.shape[2]):
        finite = np.isfinite(expected[..., k])
        np.testing.assert_array_equal(np.isfinite(found[..., k]), finite)
        size = np.abs(expected[..., k][finite]).max(initial=1e-300)
        if size > 1e14:  # of a singular matrix only rounding is left
            continue
        np.testing.assert_allclose(
            found[..., k][finite], expected[..., k][finite], atol=eps * size, rtol=eps
        )


#: Each gives a residual, which is zero but for rounding.
RESIDUALS = [
    ("[U,D,V] = pagesvd(A);", "mul(mul(U,D),ct(V)) - A"),
    ("[U,D,V] = pagesvd(T,'econ');", "mul(mul(U,D),ct(V)) - T"),
    ("[U,D,V] = pagesvd(W,0,'vector');", "mul(U.*ct(D),ct(V)) - W"),
    ("[U,D,V] = pagesvd(C);", "[mul(mul(U,D),ct(V)) - C; mul(U,ct(U)) - eye(4)]"),
    ("D = pagesvd(T,'matrix');", "size(D) - [6 3 5]"),
    ("D = pagesvd(T,'econ','matrix');", "size(D) - [3 3 5]"),
    ("[U,D] = pagesvd(T);", "[size(U) - [6 6 5]; size(D) - [6 3 5]]"),
    ("[V,D] = pageeig(S);", "[mul(S,V) - mul(V,D); mul(ct(V),V) - eye(4)]"),
    ("[V,D] = pageeig(A,'vector');", "mul(A,V) - V.*permute(D,[2 1 3])"),
    ("[V,D,L] = pageeig(M);", "[mul(M,V) - mul(V,D); mul(ct(L),M) - mul(D,ct(L))]"),
    ("[V,D,L] = pageeig(C,'nobalance');", "[mul(C,V) - mul(V,D); mul(ct(L),C) - mul(D,ct(L))]"),
    ("D = pageeig(A,'nobalance');", "sum(D) - sum(pageeig(A))"),
    ("[Y,c] = pageinv(A);", "c(3) - rcond(A(:,:,3))"),
    ("[Y,c] = pageinv(sing);", "[c([2 3])'; isnan(c([5 6]))' - 1]"),
    ("[X,c] = pagemldivide(A,'transpose',B);", "c(2) - rcond(A(:,:,2)')"),
    ("[X,c] = pagemldivide(A4,B4);", "[size(c) - [1 1 2 1 4]; size(X) - [3 2 2 5 4]]"),
    ("X = pagemldivide(A4,B4);", "mul(A4,X) - B4"),
    ("[X,c] = pagemrdivide(permute(B4,[2 1 3 4]),A4);", "mul(X,A4) - permute(B4,[2 1 3 4])"),
    ("[~,c] = pagemldivide(T,T); [~,d] = pagemrdivide(W,W);", "[size(c); size(d)] - [1 1 5]"),
    ("", "size(pageinv(z3)) - [3 3 0]"),
    ("", "size(pagemldivide(z3,zeros(3,2,0))) - [3 2 0]"),
    ("", "size(pageinv(zeros(0,0,4))) - [0 0 4]"),
    ("", "size(pageeig(zeros(0,0,4))) - [0 1 4]"),
    ("", "size(pagesvd(zeros(0,3,4))) - [0 1 4]"),
    ("", "size(pagepinv(zeros(0,3,4))) - [3 0 4]"),
    ("", "[size(pagenorm(zeros(0,3,4))) - [1 1 4], sum(pagenorm(zeros(0,3,4)))]"),
    ("", "size(pagelsqminnorm(zeros(0,3,4),zeros(0,2,4))) - [3 2 4]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "residual"), RESIDUALS)
def test_factors_give_their_pages_back(session: Session, code: str, residual: str) -> None:
    session.run("mul = @(x,y) pagemtimes(x,y); ct = @(x) pagectranspose(x);")
    session.run(f"{code}; r = {residual};")
    np.testing.assert_allclose(np.asarray(session["r"]), 0, atol=1e-11)


ERRORS = [
    ("pageinv(rand(2,3,2))", "MATLAB:pageinv:inputMustBeSquare"),
    ("pageinv(int8(ones(2,2,2)))", "MATLAB:UndefinedFunction"),
    ("pagemldivide(A,rand(3,1,6))", "MATLAB:dimagree"),
    ("pagemldivide(A,rand(4,1,5))", "MATLAB:sizeDimensionsMustMatch"),
    ("pagemldivide(A,'turn',B)", "MATLAB:pagemldivide:unrecognizedStringChoice"),
    ("pagemrdivide(B,A)", "MATLAB:dimagree"),
    ("pagesvd(sing)", "MATLAB:pagesvd:matrixWithNaNInf"),
    ("pagesvd(A,'thin')", "MATLAB:pagesvd:unrecognizedStringChoice"),
    ("pagesvd(A,1)", "MATLAB:pagesvd:unrecognizedStringChoice"),
    ("pageeig(T)", "MATLAB:pageeig:inputMustBeSquare"),
    ("pageeig(sing)", "MATLAB:pageeig:matrixWithNaNInf"),
    ("pageeig(A,A)", "MATLAB:pageeig:unrecognizedStringChoice"),
    ("pagepinv(sing)", "MATLAB:pagepinv:matrixWithNaNInf"),
    ("pagepinv(A,-1)", "MATLAB:pagepinv:InvalidTolerance"),
    ("pagepinv(A,[1 2])", "MATLAB:pagepinv:InvalidTolerance"),
    ("pagelsqminnorm(T,A)", "MATLAB:dimagree"),
    ("pagelsqminnorm(A,B,Factor=1)", "MATLAB:pagelsqminnorm:unrecognizedStringChoice"),
    ("pagelsqminnorm(A,B,RegularizationFactor=-1)", "MATLAB:pagelsqminnorm:InvalidRegularization"),
    ("pagenorm(A,3)", "MATLAB:norm:unknownNorm"),
    ("pagenorm(A,'max')", "MATLAB:norm:unknownNorm"),
    ("chol(A)", "MATLAB:chol:inputMustBe2D"),
    ("lu(A)", "MATLAB:lu:inputMustBe2D"),
    ("qr(A)", "MATLAB:qr:inputMustBe2D"),
    ("eig(A)", "MATLAB:eig:inputMustBe2D"),
    ("svd(A)", "MATLAB:svd:inputMustBe2D"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_what_no_pages_can_be_is_an_error(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.run(f"r = {code};")
    assert caught.value.identifier == identifier


@pytest.mark.parametrize(
    "code",
    ["pageinv(sing)", "pagemldivide(sing,B)", "pagemldivide(low,T)", "pagemrdivide(one,sing)",
     "pagemldivide(hard,one)", "pagelsqminnorm(low,T)"],
)  # fmt: skip
def test_pages_give_no_warnings(session: Session, code: str) -> None:
    session.run(f"lastwarn('none'); r = {code}; w = lastwarn;")
    assert session["w"] == "none"
