"""Statistics in all the forms in which they may be called, compared to rounding."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Same = Callable[[str, str], None]

WEIGHTED = [
    ("mean([1 2;3 4],'Weights',[1;3])", "[2.5 3.5]"),
    ("mean([1 2;3 4],2,Weights=[1 3])", "[1.75;3.75]"),
    ("mean([1 2;3 4],'all','Weights',[1 1;1 5])", "26/8"),
    ("mean([1 NaN 4],'omitnan','Weights',[1 1 3])", "13/4"),
    ("median([1 2 3 4],'Weights',[1 1 1 1])", "2.5"),
    ("median([4 3 2 1],'Weights',[3 1 1 1])", "3.5"),
    ("median([1 2;3 4;5 0],'Weights',[1;1;5])", "[5 0]"),
    ("var([1 2;3 5],[1 1;1 3])", "[1 27/16]"),
    ("[v,m]=var([1 2 4 NaN],'omitnan');;[v m]", "[7/3 7/3]"),
    ("[s,m]=std([1 2;3 5],1,2);;[s m]", "[0.5 1.5;1 4]"),
    ("[v,m]=var([1 2 4],[1 1 2]);;[v m]", "[27/16 11/4]"),
]
COVARIANCE = [
    ("cov([1 2 NaN;3 4 5;2 2 2;5 1 1],'omitrows')", "cov([3 4 5;2 2 2;5 1 1])"),
    ("c=cov([1 NaN;3 4;2 2;5 1],'partialrows');;c(1)", "var([1 3 2 5])"),
    ("c=cov([1 NaN;3 4;2 2;5 1],'partialrows');;c(2,1)", "[0 1]*cov([3 2 5],[4 2 1])*[1;0]"),
    ("corrcoef([1 2 3 4 NaN;3 1 2 4 5]','Rows','complete')", "[1 .4;.4 1]"),
    ("corrcoef([1 2 3 4 NaN;3 1 2 4 5]','Rows','pairwise')", "[1 .4;.4 1]"),
    ("[~,p]=corrcoef([1 2 3 4 6],[2 1 4 3 7]);;p(2)", "0.04857245284023924"),
    ("[r,p,l,u]=corrcoef([1 2 3 4 6],[2 1 4 3 7]);;tanh(mean(atanh([l(2) u(2)])))-r(2)", "0"),
    ("[~,~,~,u]=corrcoef([1 2 3 4 6],[2 1 4 3 7],'Alpha',.3173105078629141);;atanh(u(2))",
     "r=corrcoef([1 2 3 4 6],[2 1 4 3 7]);;atanh(r(2))+1/sqrt(2)"),
]  # fmt: skip
QUANTILES = [
    ("quantile(1:7,3)", "[2.25 4 5.75]"),
    ("quantile([1 2 3 4],[.1 .5],'Method','inclusive')", "[1.3 2.5]"),
    ("quantile([1 2 3 4],.3,Method='exclusive')", "1.5"),
    ("quantile([1 2 3 4],.3,'Method','approximate')", "1.7"),
    ("size(quantile(reshape(1:24,2,3,4),[.2 .4],[1 2]))", "[2 1 4]"),
    ("prctile(reshape(1:8,2,2,2),50,[1 3])", "[3.5 5.5]"),
    ("prctile([1 2 3 4]',50,1,'Method','exact')", "2.5"),
    ("isa(quantile(single([1 2]),.5),'single')", "1"),
    ("[r,q]=iqr([1 2;3 4;5 9]);;[r;q]", "[3 5.25;1.5 2.5;4.5 7.75]"),
    ("iqr(reshape(1:8,2,2,2),[1 2])", "cat(3,2,2)"),
]


@pytest.mark.parametrize(("code", "expected"), WEIGHTED + COVARIANCE + QUANTILES)
def test_value(close: Same, code: str, expected: str) -> None:
    close(code, expected)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("mean(single([1 2]),'double')", "1.5"),
        ("median(int8([1 2]),'double')", "1.5"),
        ("median(int8([1 2]),'default')", "int8(2)"),
    ],
)
def test_class(same: Same, code: str, expected: str) -> None:
    same(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("mean([1 2],'Weights',[1 -1])", "MATLAB:mean:InvalidWeight"),
        ("mean([1 2],'Weights',[1 1 1])", "MATLAB:mean:InvalidSizeWeight"),
        ("mean([1 2],'Weights')", "MATLAB:mean:ArgNameValueMismatch"),
        ("cov([1 2],[1 2 3])", "MATLAB:cov:XYlengthMismatch"),
        ("cov([1 2;3 4],'omitrow ')", "MATLAB:cov:unrecognizedStringChoice"),
        ("corrcoef([1 2;3 4],'Alpha',2)", "MATLAB:corrcoef:InvalidAlpha"),
        ("corrcoef([1 2;3 4],'Rws','all')", "MATLAB:corrcoef:unrecognizedStringChoice"),
        ("quantile([1 2],1.5)", "MATLAB:quantile:BadProbs"),
        ("prctile([1 2],101)", "MATLAB:prctile:BadPercents"),
        ("quantile([1 2],.5,'Method','x')", "MATLAB:quantile:unrecognizedStringChoice"),
    ],
)
def test_error(fails: Callable[[str], str], code: str, identifier: str) -> None:
    assert fails(code) == identifier
