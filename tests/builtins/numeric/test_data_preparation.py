"""Smoothing, local extremes, changes, and arrays of other lengths and bounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Same = Callable[[str, str], None]

LINE = "a=[2 4 6 4 3 7 5 6 5 10 4 -1 -3 -2 0];;"

SMOOTHED = [
    ("smoothdata([1 5 3 7 2],'movmean',3)", "[3 3 5 4 4.5]"),
    ("smoothdata([1 5 3 7 2],'movmedian',[1 0])", "[1 3 4 5 4.5]"),
    ("smoothdata((1:6).^2,'sgolay',5)", "(1:6).^2"),
    ("smoothdata((1:6).^3,'sgolay',5,'Degree',3)", "(1:6).^3"),
    ("smoothdata((1:6).^2,'loess',5)", "(1:6).^2"),
    ("smoothdata((1:6)'*[2 3],'lowess',4)", "(1:6)'*[2 3]"),
    ("smoothdata((1:6)*2,2,'rloess',5)", "(1:6)*2"),
    ("smoothdata([1 NaN 3],'movmean',3)", "[1 2 3]"),
    ("smoothdata([1 NaN 3 5],'movmean',3,'includenan')", "[NaN NaN NaN 4]"),
    ("smoothdata([0 1 10],'movmean',2,'SamplePoints',[0 1 9])", "[0 .5 10]"),
    ("abs(smoothdata([1 2 3 50 5 6 7 8],'rlowess',5)-(1:8))<.01", "true(1,8)"),
    ("[b,w]=smoothdata([1 2 3]);;isscalar(w)", "true"),
    ("smoothdata([4 2 7],'SmoothingFactor',0)", "[4 2 7]"),
    ("class(smoothdata(single([4 2 7])))", "'single'"),
]
EXTREMES = [
    ("find(islocalmax([1 3 2 5 5 5 0]))", "[2 5]"),
    ("find(islocalmax([1 3 2 5 5 5 0],'FlatSelection','all'))", "[2 4 5 6]"),
    ("find(islocalmax([1 3 2 5 5 5 0],'FlatSelection','last'))", "[2 6]"),
    ("[~,p]=islocalmax([1 3 2 5 5 5 0]);;p", "[0 1 0 4 4 4 0]"),
    ("find(islocalmax([1 3 2 5 4.5 5 0],'MinProminence',1.5))", "[4 6]"),
    (LINE + "find(islocalmax(a,'MinSeparation',3.5))", "[6 10]"),
    (LINE + "find(islocalmax(a,'MaxNumExtrema',2))", "[3 10]"),
    (LINE + "find(islocalmax(a,'MinSeparation',7,'SamplePoints',2*(1:15)))", "[6 10]"),
    ("[~,p]=islocalmax([0 5 1 9 0],'ProminenceWindow',3);;p", "[0 4 0 8 0]"),
    ("[tf,p]=islocalmin([4 1 3 2 6]);;[tf;p]", "[0 1 0 1 0;0 3 0 1 0]"),
    ("islocalmax([1 3 2;4 1 5]')", "[0 1 0;0 0 0]'==1"),
    ("islocalmax([1 3 2;4 1 5],2)", "[0 1 0;0 0 0]==1"),
    ("find(islocalmax([1 NaN 3 NaN 2]))", "3"),
    ("islocalmax(5)", "false"),
]  # fmt: skip
CHANGES = [
    ("[tf,s,v]=ischange([1 1.1 .9 5 5.2 5.1]);;[tf;s;v]",
     "[0 0 0 1 0 0;1 1 1 5.1 5.1 5.1;.01*ones(1,6)]"),
    ("[tf,s,c]=ischange([1 2 3 9 8 7],'linear');;[tf;s;c]",
     "[0 0 0 1 0 0;1 1 1 -1 -1 -1;0 0 0 13 13 13]"),
    ("find(ischange([1 1 8 8 30 30],'MaxNumChanges',1))", "5"),
    ("find(ischange([1 1 8 8 30 30],'Threshold',60))", "5"),
    ("find(ischange([1 1 NaN 8 8]))", "4"),
    ("x=sin(1:60);;find(ischange([x 20*x],'variance','Threshold',30))", "61"),
    ("ischange([0 0 9 9;0 9 9 9],2)", "[0 0 1 0;0 1 0 0]==1"),
]  # fmt: skip
LENGTHS = [
    ("resize(magic(3),[2 4])", "[8 1 6 0;3 5 7 0]"),
    ("resize(int8(1:2),3,'FillValue',300)", "int8([1 2 127])"),
    ("resize('abc',2)", "'ab'"),
    ("resize({1,2},3)", "{1,2,[]}"),
    ('ismissing(paddata("a",2))', "[false;true]"),
    ("paddata([1 2;3 4],3,'Dimension',2,'FillValue',9)", "[1 2 9;3 4 9]"),
    ("paddata(1:3,6,'Pattern','flip')", "[1 2 3 3 2 1]"),
    ("paddata(1:3,5,'Pattern','reflect')", "[1 2 3 2 1]"),
    ("paddata(1:3,6,'Pattern','circular','Side','leading')", "[1 2 3 1 2 3]"),
    ("paddata(1:3,2)", "1:3"),
    ("trimdata(1:5,3,'Side','both')", "2:4"),
    ("trimdata(1:5,7)", "1:5"),
    ("clip([1 NaN 9],2,6)", "[2 NaN 6]"),
    ("clip(int8([1 5 9]),2,int8([3;6]))", "int8([2 3 3;2 5 6])"),
    ("allfinite([])", "true"),
    ("[allfinite([1 Inf]) anynan([1 NaN]) anynan(int8(1))]", "[false true false]"),
    ("[tf,s]=isuniform([1 3 5]);;{tf,s}", "{true,2}"),
    ("[tf,s]=isuniform([1 2 4]);;{tf,s}", "{false,NaN}"),
    ("rmse([1 2;3 4],[1 1;1 1],2)", "sqrt([.5;6.5])"),
    ("rmse([1 2 3],[1 1 1],'all','Weights',[1 1 0])", "sqrt(.5)"),
    ("mape([1 2 NaN],[1 4 3],'omitnan')", "25"),
]


def test_a_recorded_gaussian_average(close: Same) -> None:
    data = "[.27 -.13 .3 -.1 -.12 -.01 -.21 -.13 -.11 -.05 -.26 .04]"
    close(
        f"round(smoothdata({data},'gaussian',5),4)",
        "[.1330 .0861 .0728 -.0039 -.0703 -.0971 -.1313 -.1338 -.1139 -.1154 -.1196 -.0715]",
    )


@pytest.mark.parametrize(("code", "expected"), SMOOTHED[:10])
def test_smooth(close: Same, code: str, expected: str) -> None:
    close(code, expected)


@pytest.mark.parametrize(("code", "expected"), [*SMOOTHED[10:], *EXTREMES, *LENGTHS])
def test_value(same: Same, code: str, expected: str) -> None:
    same(code, expected)


@pytest.mark.parametrize(("code", "expected"), CHANGES)
def test_change(close: Same, code: str, expected: str) -> None:
    close(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("smoothdata(1:3,'movmaen')", "MATLAB:smoothdata:unrecognizedStringChoice"),
        ("smoothdata(1:3,'SmoothingFactor',2)", "MATLAB:smoothdata:SmoothingFactorInvalid"),
        ("smoothdata(1:3,'sgolay',3,'Degree',.5)", "MATLAB:smoothdata:negativeDegree"),
        ("islocalmax(1:3,'MinProminence',-1)", "MATLAB:islocalmax:MinProminenceInvalid"),
        ("islocalmin(1:3,'FlatSelection','x')", "MATLAB:islocalmin:unrecognizedStringChoice"),
        ("islocalmax(1:3,'MaxNumExtrema',1.5)", "MATLAB:islocalmax:MaxNumInvalid"),
        ("ischange(1:3,'Threshold',-1)", "MATLAB:ischange:ThresholdInvalid"),
        ("ischange(1:3,'MaxNumChanges',0)", "MATLAB:ischange:MaxNumChangesInvalid"),
        ("resize(1:3,1.5)", "MATLAB:resize:InvalidTargetLength"),
        ("paddata(1:3,[4 4],'Dimension',1)", "MATLAB:paddata:LengthDimensionMismatch"),
        ("paddata(1:3,4,'FillValue',1,'Pattern','edge')", "MATLAB:paddata:FillValuePattern"),
        ("clip(1:3,2,1)", "MATLAB:clip:InvalidBounds"),
    ],
)
def test_error(fails: Callable[[str], str], code: str, identifier: str) -> None:
    assert fails(code) == identifier
