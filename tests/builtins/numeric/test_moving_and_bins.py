"""Moving windows, normalisation, bins, tolerant sets, test matrices and random sparse matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.session import Session
from runmat_core.values import to_numpy

Same = Callable[[str, str], None]

MOVING = [
    ("movmean([4 8 6 -1],3)", "[6 6 13/3 2.5]"),
    ("movmean([1 2 3 4 5],4)", "[1.5 2 2.5 3.5 4]"),  # two before, one after
    ("movmean(1:6,4,'Endpoints','discard')", "[2.5 3.5 4.5]"),
    ("movmean(1:5,3,'Endpoints','fill')", "[NaN 2 3 4 NaN]"),
    ("movmean(1:5,3,'Endpoints',10)", "[13/3 2 3 4 19/3]"),
    ("movmean([1 NaN 3],2)", "[1 NaN NaN]"),
    ("movmean([1 NaN 3],2,'omitnan')", "[1 1 3]"),
    ("movmean([NaN NaN 3],[0 1],'omitnan')", "[NaN 3 3]"),
    ("movsum([1 2;3 4;5 6],[1 0])", "[1 2;4 6;8 10]"),
    ("movsum([1 2;3 4],2,2)", "[1 3;3 7]"),
    ("movsum([1 Inf 2 3],[0 1])", "[Inf Inf 5 3]"),  # an infinity leaves with its window
    ("movsum([1 2 3],1,3)", "[1 2 3]"),
    ("movsum(zeros(0,3),2)", "zeros(0,3)"),
    ("movprod([1 2 3 4],[1 1])", "[2 6 24 12]"),
    ("movmax([1 5 2 4],[0 2])", "[5 5 4 4]"),
    ("movmin(int8([4 8 6]),3)", "int8([4 4 6])"),
    ("movmax([1 NaN 3 4],3)", "[NaN NaN NaN 4]"),
    ("movmax([1 NaN 3 4],3,'omitnan')", "[1 3 4 4]"),
    ("movmedian([4 8 6 -1],[1 1])", "[6 6 6 2.5]"),
    ("movmad([4 8 6 -1],3)", "[2 2 2 3.5]"),
    ("movfun(@sum,[1 2;3 4;5 6],2,2)", "[1 3;3 7;5 11]"),
    ("movfun(@sum,1:5,[1 1],'Endpoints','fill')", "[NaN 6 9 12 NaN]"),
    ("movfun(@sum,1:5,3,'Endpoints','discard')", "[6 9 12]"),
    ("movfun(@sum,1:5,3,'Endpoints',1)", "[4 6 9 12 10]"),
    ("movfun(@(x) size(x,2),1:3,3)", "[1 1 1]"),
    ("movfun(@median,(1:4)',[0 2],'SamplePoints',[0 1 5 6])", "[1.5;2;3.5;4]"),
    ("movfun(@mean,[],3)", "[]"),
    ("class(movfun(@mean,single(1:3),3))", "'single'"),
    ("movvar([1 2 4],3)", "[0.5 7/3 2]"),
    ("movvar([1 2 4],3,1)", "[0.25 14/9 1]"),
    ("movstd([2 2 2;1 3 5],3,0,2)", "[0 0 0;sqrt(2) 2 sqrt(2)]"),
    ("class(movmean(single([1 2]),2))", "'single'"),
    ("movmean([1 2 3 4],3,'SamplePoints',[0 1 5 6])", "[1.5 1.5 3.5 3.5]"),
    ("movsum([1 2 3 4],[0.5 1],'SamplePoints',[0 1 2 2.5])", "[3 5 7 7]"),
    ("movmean([1+2i 3],2)", "[1+2i 2+1i]"),
]

SCALED = [
    ("rms([3 4])", "sqrt(12.5)"),
    ("rms([1 2;3 4],2)", "sqrt([2.5;12.5])"),
    ("rms([3 NaN 4],'omitnan')", "sqrt(12.5)"),
    ("rms([3+4i 5])", "5"),
    ("mad([1 2 3 10])", "3"),
    ("mad([1 2 3 10],1)", "1"),
    ("mad([1 5;2 9],0,2)", "[2;3.5]"),
    ("normalize([1 2 3])", "[-1 0 1]"),
    ("normalize([1 2 3;2 4 9],2,'range')", "[0 0.5 1;0 2/7 1]"),
    ("normalize([0 5 10],'range',[-1 1])", "[-1 0 1]"),
    ("normalize([3 4],'norm')", "[0.6 0.8]"),
    ("normalize([3 4],'norm',Inf)", "[0.75 1]"),
    ("normalize([1 2 6],'center')", "[-2 -1 3]"),
    ("normalize([1 2 6],'center','median')", "[-1 0 4]"),
    ("normalize([2 4 6],'scale','first')", "[1 2 3]"),
    ("normalize([1 2 3],'scale',2)", "[0.5 1 1.5]"),
    ("normalize([1 2 4 9],'zscore','robust')", "([1 2 4 9]-3)/1.5"),
    ("normalize([1 2 3 6],'center',2,'scale',4)", "[-0.25 0 0.25 1]"),
    ("[n,c,s]=normalize([1 2 3]);;[n c s]", "[-1 0 1 2 1]"),
    ("normalize([1 NaN 3])", "[-sqrt(0.5) NaN sqrt(0.5)]"),
]

BINS = [
    ("discretize([1 2.5 5 6 7 -1 NaN],[0 2 4 6])", "[1 2 3 3 NaN NaN NaN]"),
    ("discretize([0 2 4],[0 2 4],'IncludedEdge','right')", "[1 1 2]"),
    (
        "string(discretize([1 2 6 7],[0 2 6],'categorical'))",
        '["[0, 2)" "[2, 6]" "[2, 6]" missing]',
    ),
    (
        "categories(discretize(1,[0 1 2],'categorical','IncludedEdge','right'))",
        "{'[0, 1]';'(1, 2]'}",
    ),
    (
        "categories(discretize(1,[1 1+1e-9 2],'categorical'))",
        "{'[1, 1.000000001)';'[1.000000001, 2]'}",
    ),
    ("cellstr(discretize([1 5],[0 2 6],'categorical',{'lo','hi'}))", "{'lo','hi'}"),
    ("isordinal(discretize(1,[0 2],'categorical'))", "true"),
    ("discretize([1 3],[0 2 4],[10 20])", "[10 20]"),
    ("discretize([1 3],[0 2 4],{'a','b'})", "{'a','b'}"),
    ('discretize([1 3],[0 2 4],["a","b"])', '["a","b"]'),
    ("[y,e]=discretize([0 1 2 4],2);;[y e]", "[1 1 2 2 0 2 4]"),
    ("histcounts2([1 1 3],[1 3 3],[0 2 4],[0 2 4])", "[1 1;0 1]"),
    ("[n,x,y,i,j]=histcounts2([1 9],[1 1],[0 2],[0 2]);;[n x y i j]", "[1 0 2 0 2 1 0 1 0]"),
    ("histcounts2([1 1 3 3],[1 3 3 3],[0 2 4],[0 2 4],'Normalization','probability')",
     "[0.25 0.25;0 0.5]"),
    ("histcounts2([1 1 3 3],[1 3 3 3],[0 2 4],[0 2 4],'Normalization','cdf')", "[0.25 0.5;0.25 1]"),
    ("size(histcounts2(1:5,1:5,[2 3]))", "[2 3]"),
]  # fmt: skip

SETS = [
    ("uniquetol([1 1+1e-14 2 3])", "[1 2 3]"),
    ("uniquetol([3;1;1.05;2],0.1)", "[1;2;3]"),
    ("[c,ia,ic]=uniquetol([5 1 1.0001],0.01);;{c,ia,ic}", "{[1 5],[2;1],[2;1;1]}"),
    ("uniquetol([1 2;1.001 2;3 4],0.01,'ByRows',true)", "[1 2;3 4]"),
    ("uniquetol([1 1.5 2.6],1,'DataScale',1)", "[1 2.6]"),
    ("[~,ia]=uniquetol([1 1 2],'OutputAllIndices',true);;ia", "{[1;2];3}"),
    ("uniquetol([NaN NaN 1])", "[1 NaN NaN]"),
    ("uniquetol([])", "[]"),
    ("ismembertol([1 2+1e-14 5],[1 2 3])", "[true true false]"),
    ("[t,l]=ismembertol([3;9],[1 3 3]);;{t,l}", "{[true;false],[2;0]}"),
    ("ismembertol([1 2;3 4],[1 2.001;9 9],0.01,'ByRows',true)", "[true;false]"),
    ("issortedrows([1 9;2 0;2 5])", "true"),
    ("issortedrows([1 9;2 0;2 0],'strictascend')", "false"),
    ("issortedrows([2 9;1 0],-1)", "true"),
    ("issortedrows([2 9;1 0],1:2,{'descend','descend'})", "true"),
    ("issortedrows([2 9;1 0;1 3],1,'monotonic')", "true"),
    ("topkrows([1 5;3 2;3 4],2)", "[3 4;3 2]"),
    ("topkrows([1 5;3 2;3 4],2,2)", "[1 5;3 4]"),
    ("topkrows([1 5;3 2;3 4],2,[1 2],{'descend','ascend'})", "[3 2;3 4]"),
    ("[b,i]=topkrows([1;7],5);;[b i]", "[7 2;1 1]"),
]

MATRICES = [
    ("pascal(4,1)*pascal(4,1)'", "pascal(4)"),
    ("pascal(5,2)^3", "eye(5)"),
    ("pascal(4,2)^3", "eye(4)"),
    ("wilkinson(4)", "[1.5 1 0 0;1 0.5 1 0;0 1 0.5 1;0 0 1 1.5]"),
    ("invhilb(2)", "[4 -6;-6 12]"),
    ("class(pascal(3,'single'))", "'single'"),
    ("compan([2 -4 6])", "[2 -3;1 0]"),
    ("issymmetric(rosser)", "true"),
    ("gallery('lehmer',2)", "[1 0.5;0.5 1]"),
    ("gallery('moler',3)", "[1 -1 -1;-1 2 0;-1 0 3]"),
    ("gallery('frank',3)", "[3 2 1;2 2 1;0 1 1]"),
    ("gallery('circul',3)", "[1 2 3;3 1 2;2 3 1]"),
    ("full(gallery('tridiag',3))", "[2 -1 0;-1 2 -1;0 -1 2]"),
    ("full(gallery('tridiag',[1 2],[3 4 5],[6 7]))", "[3 6 0;1 4 7;0 2 5]"),
    ("issparse(gallery('tridiag',3))", "true"),
    ("gallery('kms',2)", "[1 0.5;0.5 1]"),
    ("class(gallery('pei',2,'single'))", "'single'"),
    ("full(spfun(@(x) x+1,sparse([0 2;3 0])))", "[0 3;4 0]"),
]

EVERYTHING = MOVING + SCALED + BINS + SETS + MATRICES


@pytest.mark.parametrize(("code", "expected"), EVERYTHING, ids=[c for c, _ in EVERYTHING])
def test_values(code: str, expected: str, evaluate: Callable[[str], Any], same: Same) -> None:
    actual, wanted = evaluate(code), evaluate(expected)
    if isinstance(actual, float) or getattr(actual, "class_name", "") in {"double", "single"}:
        np.testing.assert_allclose(to_numpy(actual), to_numpy(wanted), rtol=1e-13, atol=1e-14)
    else:
        same(code, expected)


ERRORS = [
    ("movmean(1:3,0)", "MATLAB:movfun:wrongWindowLength"),
    ("movmean(1:3,1.5)", "MATLAB:movfun:wrongWindowLength"),
    ("movfun('sum',1:3,2)", "MATLAB:movfun:FunctionInvalid"),
    ("movfun(@(x) x,1:3,3)", "MATLAB:movfun:FunctionInvalidOutput"),
    ("movmean(1:3,2,'Endpoint5',1)", "MATLAB:movmean:unrecognizedStringChoice"),
    ("movmean(1:3,2,'SamplePoints',[1 3 2])", "MATLAB:movfun:SamplePointsSorted"),
    ("movvar(1:3,2,2)", "MATLAB:movvar:wrongWeight"),
    ("movmean({},2)", "MATLAB:UndefinedFunction"),
    ("mad(1:3,2)", "MATLAB:mad:InvalidFlag"),
    ("normalize(1:3,'zcore')", "MATLAB:normalize:unrecognizedStringChoice"),
    ("discretize(1:3,[2 1])", "MATLAB:discretize:expectedNondecreasing"),
    ("histcounts(1:3,[0 NaN 1])", "MATLAB:histcounts:expectedNondecreasing"),
    ("discretize(1:3,[1 2 3],{'a'})", "MATLAB:discretize:InvalidValues"),
    ("histcounts2(1:3,1:2)", "MATLAB:histcounts2:XYSizeMismatch"),
    ("uniquetol(1:3,-1)", "MATLAB:uniquetol:InvalidTol"),
    ("topkrows([1 2],-1)", "MATLAB:topkrows:InvalidK"),
    ("hadamard(7)", "MATLAB:hadamard:InvalidInput"),
    ("gallery('minji',3)", "MATLAB:gallery:unrecognizedStringChoice"),
    ("sprandsym(sparse([1 2]))", "MATLAB:sprandsym:SquareMatrix"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier


def test_unknown_names_suggest_the_nearest(session: Session) -> None:
    session.run("try, movmean(1:3,2,'Endpiont',1), catch e, end")
    assert "Did you mean 'Endpoints'?" in session.eval("e.message")


@pytest.mark.parametrize("window", ["1", "2", "5", "8", "40", "[3 0]", "[0 4]", "[2 3]"])
def test_moving_statistics_are_those_of_slices(window: str, session: Session) -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((3, 23))
    reach = [int(v) for v in window.strip("[]").split()]
    back, on = reach if len(reach) == 2 else (reach[0] // 2, (reach[0] - 1) // 2)
    rules = {"mean": np.mean, "median": np.median, "min": np.min, "max": np.max, "prod": np.prod}
    session.workspace["x"] = x
    for name, rule in rules.items():
        found = session.eval(f"mov{name}(x, {window}, 2)")
        for k in range(x.shape[1]):
            part = x[:, max(k - back, 0) : k + on + 1]
            np.testing.assert_allclose(found[:, k], rule(part, axis=1), rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 4, 8, 12, 20, 24, 40])
def test_hadamard_matrices_are_orthogonal(order: int, session: Session) -> None:
    h = np.atleast_2d(session.eval(f"hadamard({order})"))
    assert set(np.unique(h)) <= {-1.0, 1.0}
    assert (h.T @ h == order * np.eye(order)).all()
    assert (h[0] == 1).all()
    assert (h[:, 0] == 1).all()


@pytest.mark.parametrize("order", [1, 5, 12])
def test_invhilb_is_the_inverse(order: int, session: Session) -> None:
    from fractions import Fraction

    inverse = np.atleast_2d(session.eval(f"invhilb({order})"))
    for i in range(order):
        for j in range(order):
            total = sum(Fraction(1, i + k + 1) * Fraction(inverse[k, j]) for k in range(order))
            assert total == (i == j)


def test_random_sparse_matrices(session: Session) -> None:
    session.run("rng(1); a = sprand(60, 40, 0.1); b = sprandn(a); c = sprandsym(30, 0.2);")
    assert 150 < session.eval("nnz(a)") <= 240
    assert session.eval("all(nonzeros(a) > 0 & nonzeros(a) < 1)")
    assert session.eval("isequal(a ~= 0, b ~= 0)")
    assert session.eval("isequal(c, c')")
    assert session.eval("nnz(sprand(5, 5, 0))") == 0
    session.run("rng(1); d = sprand(60, 40, 0.1);")
    assert session.eval("isequal(a, d)")


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
@pytest.mark.parametrize(
    ("window", "before", "after"),
    [
        ("1", 0, 0),
        ("2", 1, 0),
        ("5", 2, 2),
        ("16", 8, 7),
        ("17", 8, 8),
        ("40", 20, 19),
        ("[0 3]", 0, 3),
        ("[7 0]", 7, 0),
        ("[2 9]", 2, 9),
        ("[1e9 0]", 60, 0),
        ("200", 60, 60),
    ],
)
def test_windows_hold_their_elements_and_no_others(
    name: str, window: str, before: int, after: int
) -> None:
    x = 1 + np.random.default_rng(5).random((61, 3)) / 8
    x[13:15], x[40, 1] = np.nan, np.nan
    with Session(provider="none") as session:
        session["x"] = x
        session.run(f"r = mov{name}(x, {window}); o = mov{name}(x, {window}, 'omitnan');")
        found, omitted = np.asarray(session["r"]), np.asarray(session["o"])
    for k in range(61):
        inside = x[max(k - before, 0) : k + after + 1]
        np.testing.assert_allclose(found[k], getattr(np, name)(inside, axis=0), rtol=1e-12)
        for column, kept in zip(omitted[k], inside.T, strict=True):
            kept = kept[~np.isnan(kept)]
            empty = {"sum": 0.0, "prod": 1.0}.get(name, np.nan)
            expected = getattr(np, name)(kept) if kept.size else empty
            np.testing.assert_allclose(column, expected, rtol=1e-12)
