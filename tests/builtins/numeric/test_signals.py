"""Transforms and convolution of any rank, trends, conjugate pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session

VALUES = [
    ("fftn([1 2;3 4])", "fft2([1 2;3 4])"),
    ("fftn(reshape(1:8,2,2,2))", "fft(fft(fft(reshape(1:8,2,2,2),[],1),[],2),[],3)"),
    ("fftn([1 2;3 4],[3 1])", "fft([1;3;0])"),
    ("ifftn(fftn(magic(4)))", "magic(4)"),
    ("isreal(ifftn(fftn(magic(3))))", "true"),
    ("size(fftn(zeros(0,3)))", "[0 3]"),
    ("isreal(ifft2(fft2(rand(10,12))))", "true"),
    ("isreal(ifftn(fftn(rand(6,4,5))))", "true"),
    ("isreal(ifft(fft(rand(200,200),[],2),[],2))", "true"),
    ("isreal(ifft(fft(1:6)+[0 1i 0 0 0 0]))", "false"),
    ("isreal(ifft(fft(1:6)+[0 1i 0 0 0 0],'symmetric'))", "true"),
    ("isreal(ifft2(fft2(magic(4))+1e-9i,'symmetric'))", "true"),
    ("isreal(ifft([4 1 1]))", "true"),
    ("isreal(ifft([4 1+1i 1-1i 9],3))", "true"),
    ("isreal(ifft([4 1+1i 1-1i 9]))", "false"),
    ("ifft([4 1+1i 1-1i 9],3)", "ifft([4 1+1i 1-1i])"),
    ("class(fft(single([1 2 3])))", "'single'"),
    ("class(fft2(single(magic(3))))", "'single'"),
    ("class(fft(zeros(0,3,'single')))", "'single'"),
    ("size(fft(zeros(0,3),4))", "[4 3]"),
    ("size(fft([],4))", "[4 0]"),
    ("size(fft(ones(1,0),5))", "[1 5]"),
    ("size(fft(magic(4),[],3))", "[4 4]"),
    ("fft([1 2;3 4],2,3)", "cat(3,[1 2;3 4],[1 2;3 4])"),
    ("fft(magic(4),[],2)", "fft(magic(4).').'"),
    ("fft2(cat(3,magic(3),ones(3)),2,4)", "cat(3,fft2([8 1 6 0;3 5 7 0]),fft2([ones(2,3) [0;0]]))"),
    ("abs(fft(ones(300,100))-[300*ones(1,100);zeros(299,100)])<1e-9", "true(300,100)"),
    ("convn(ones(2,2,2),ones(1,1,2))", "cat(3,ones(2),2*ones(2),ones(2))"),
    ("convn(magic(4),[1 2;3 4],'same')", "conv2(magic(4),[1 2;3 4],'same')"),
    ("convn(magic(4),[1 2;3 4],'valid')", "conv2(magic(4),[1 2;3 4],'valid')"),
    ("conv2([1;2],[3 4 5],magic(4))", "conv2(conv2(magic(4),[1;2]),[3 4 5])"),
    ("conv2([1 2 1],[3 4 5],magic(4),'same')", "conv2(magic(4),[1;2;1]*[3 4 5],'same')"),
    ("conv2([1 2;3 4],[1 2;Inf 0])", "[1 4 4;Inf Inf 8;Inf Inf 0]"),
    ("class(filter(single([1 2]),1,1:3))", "'single'"),
    ("class(filter([1 2],[1 0.5],single(1:3)))", "'single'"),
    ("filter2([1 2;3 4],magic(4))", "conv2(magic(4),[4 3;2 1],'same')"),
    ("filter2([1 2;3 4],magic(4),'valid')", "conv2(magic(4),[4 3;2 1],'valid')"),
    ("detrend([1 2 3 4])", "zeros(1,4)"),
    ("detrend([1 2 4 5 8],0)", "[-3 -2 0 1 4]"),
    ("detrend([1 2 4 5 8],'constant')", "[-3 -2 0 1 4]"),
    ("detrend(([1 2 3 4 5].^2)',2)", "zeros(5,1)"),
    ("detrend([0 1 2 1 0],1,3)", "zeros(1,5)"),  # two lines that meet at the third point
    ("detrend([0 1 2 7 8],1,4,'Continuous',false)", "zeros(1,5)"),
    ("detrend([1 NaN 3],'omitnan')", "[0 NaN 0]"),
    ("detrend([1 NaN 3])", "[NaN NaN NaN]"),
    ("detrend([1 3 9],1,'SamplePoints',[1 3 9])", "[0 0 0]"),
    ("cplxpair([3 1+2i 1-2i])", "[1-2i 1+2i 3]"),
    ("cplxpair([2+1i;5;0-3i;2-1i;0+3i;-1])", "[-3i;3i;2-1i;2+1i;-1;5]"),
    ("cplxpair([2;1])", "[1;2]"),
]


@pytest.mark.parametrize(("code", "expected"), VALUES)
def test_values(code: str, expected: str, close: Callable[[str, str], None]) -> None:
    close(code, expected)


def test_a_large_convolution_is_that_of_slices(session: Session) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((40, 31)), rng.random((30, 25))
    session.workspace["a"], session.workspace["b"] = a, b
    expected = np.zeros((69, 55))
    for i, j in np.ndindex(*b.shape):
        expected[i : i + 40, j : j + 31] += b[i, j] * a
    np.testing.assert_allclose(session.eval("convn(a, b)"), expected, rtol=1e-11)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("cplxpair([1+2i 3])", "MATLAB:cplxpair:ComplexValuesPaired"),
        ("convn(1,2,'smae')", "MATLAB:convn:unrecognizedStringChoice"),
        ("fftn(ones(2,2,2),[1 2])", "MATLAB:fftn:invalidSize"),
        ("fft(1:3,-1)", "MATLAB:fft:lengthNotNonNegInt"),
        ("fft(1:3,'symmetric')", "MATLAB:TooManyInputs"),
        ("ifft(1:3,'symetric')", "MATLAB:ifft:unrecognizedStringChoice"),
        ("fft({1})", "MATLAB:UndefinedFunction"),
        ("detrend(1:3,-1)", "MATLAB:detrend:InvalidDegree"),
        ("conv2(ones(2),1:2,3)", "MATLAB:conv2:firstTwoInputsNotVectors"),
        ("conv2(1,1:2,'some')", "MATLAB:conv:unknownShapeParameter"),
        ("filter2(ones(2,2,2),1)", "MATLAB:filter2:invalidInput"),
    ],
)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier
