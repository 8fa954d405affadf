"""runmat-image: documented examples, values by another route, classes, errors."""

from __future__ import annotations

import colorsys
import importlib
import inspect

import numpy as np
import pytest
import scipy.ndimage

from runmat_core.api import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session, doctests

NAMES = [
    function.__runmat_builtin__.name
    for module in ("classes", "resizing", "filters", "regions", "edges", "elements")
    for _, function in inspect.getmembers(importlib.import_module(f"runmat_image.{module}"))
    if getattr(function, "__module__", "") == f"runmat_image.{module}"
    and hasattr(function, "__runmat_builtin__")
]


@pytest.fixture(scope="module")
def session() -> Session:
    one = Session()
    rng = np.random.default_rng(9)
    one.workspace["A"] = rng.random((11, 14))
    one.workspace["U"] = rng.integers(0, 256, (9, 8)).astype(np.uint8)
    one.workspace["RGB"] = rng.random((3, 4, 3))
    return one


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str) -> None:
    spec = registry.find(name)
    assert spec is not None
    assert doctests.collect(spec.host.__doc__ or "")
    failures = doctests.run(spec.host.__doc__ or "", Session())
    assert not failures, "\n" + "\n".join(map(str, failures))
    assert registry.package_of(name).startswith("runmat-image ")


VALUES = [
    ("strel('disk',3).Neighborhood", "true(5)"),
    ("find(~strel('disk',5).Neighborhood)'", "[1 2 8 9 10 18 64 72 73 74 80 81]"),
    ("strel('disk',4,0).Neighborhood", "hypot((-4:4)',-4:4)<=4"),
    ("strel('octagon',3).Neighborhood", "abs((-3:3)')+abs(-3:3)<=4"),
    ("strel('line',10,45).Neighborhood", "logical(fliplr(eye(7)))"),
    ("find(strel('pair',[1 2]).Neighborhood)'", "[8 15]"),
    ("nnz(strel('periodicline',2,[1 -2]).Neighborhood)", "5"),
    ("nnz(strel('sphere',2).Neighborhood)", "33"),
    ("getnhood(reflect(strel([1 1 0])))", "logical([0 1 1])"),
    ("getnhood(strel(1).translate([0 2]))", "logical([0 0 0 0 1])"),
    ("imdilate(A,strel('square',3))", "imdilate(A,ones(3))"),
    ("nnz(imdilate(cat(3,zeros(5),accumarray([3 3],1,[5 5]),zeros(5)),strel('cube',3)))", "27"),
    ("sum(edge([zeros(6,9) ones(6,9)],'prewitt'))", "4*((1:18)==10)"),
    ("any(edge(ones(6),'canny'),'all')", "false"),
    ("any(edge([zeros(9,6);ones(9,6)],'sobel',[],'vertical'),'all')", "false"),
    ("find(any(edge([zeros(9,6);ones(9,6)],'sobel',[],'horizontal'),2))", "10"),
    ("find(any(edge([zeros(9,8) ones(9,8)],'canny')))", "8"),
    ("find(any(edge([zeros(20) ones(20)],'log')))", "21"),
    ("find(any(edge([zeros(9,5) 9*ones(9,5)],'zerocross',0,[1 -2 1])))", "6"),
    ("any(edge(A,'sobel',10),'all')", "false"),
    ("any(edge(A,'canny',[0.9 0.99]),'all')", "any(edge(A,'canny',0.99),'all')"),
    ("nnz(edge(kron([0 1;1 0],ones(8)),'roberts'))>10", "true"),
    ("class(edge(U))", "'logical'"),
    ("im2double(uint16([0 65535]))", "[0 1]"),
    ("im2double(int16([-32768 32767]))", "[0 1]"),
    ("im2double(true)", "1"),
    ("im2uint8(uint16([0 257 65535]))", "uint8([0 1 255])"),
    ("im2uint8([true false])", "uint8([255 0])"),
    ("im2uint8([-1 NaN 0.5 2])", "uint8([0 0 128 255])"),
    ("rgb2gray(cat(3,1,1,1))", "1"),
    ("size(rgb2gray(RGB))", "[3 4]"),
    ("hsv2rgb(rgb2hsv(RGB))", "RGB"),
    ("imresize([1 2;3 4],2,'nearest')", "[1 1 2 2;1 1 2 2;3 3 4 4;3 3 4 4]"),
    ("imresize([0 10],[1 4],'bilinear')", "[0 2.5 7.5 10]"),
    ("imresize([0 0 8 8],[1 2],'bilinear')", "[1 7]"),
    ("imresize([1 2 3 4],[1 2],'bilinear','Antialiasing',false)", "[1.5 3.5]"),
    ("imresize(7*ones(5),[3 9])", "7*ones(3,9)"),
    ("size(imresize(ones(10,20),[5 NaN]))", "[5 10]"),
    ("size(imresize(ones(5,7,3),0.5))", "[3 4 3]"),
    ("class(imresize(U,2))", "'uint8'"),
    ("imfilter([1 2 3;4 5 6],[1 2])", "[5 8 3;14 17 6]"),
    ("imfilter(A,ones(3)/9,'replicate')",
     "imfilter(imfilter(A,ones(1,3)/3,'replicate'),ones(3,1)/3,'replicate')"),
    ("imfilter(A,[1 2 3;4 5 6;7 8 10])", "filter2([1 2 3;4 5 6;7 8 10],A)"),
    ("imfilter(A,[1 2;4 5],'conv')", "conv2(A,[1 2;4 5],'same')"),
    ("imfilter(A,[1 2;4 5],'conv','full')", "conv2(A,[1 2;4 5])"),
    ("imfilter(A,[1 2;4 5],'full')", "filter2([1 2;4 5],A,'full')"),
    ("imfilter([1 2 3],[1 0 0],'circular')", "[3 1 2]"),
    ("imfilter([1 2 3],[1 0 0],'symmetric')", "[1 1 2]"),
    ("imfilter([1 2 3],[1 0 0],7)", "[7 1 2]"),
    ("imfilter(uint8([100 200]),3)", "uint8([255 255])"),
    ("fspecial('average',2)", "ones(2)/4"),
    ("fspecial('laplacian',0)", "[0 1 0;1 -4 1;0 1 0]"),
    ("sum(sum(fspecial('gaussian',[5 7],1.3)))", "1"),
    ("reshape(fspecial('gaussian',3,0.5),[],1)",
     "normalize(exp(-2*[2;1;2;1;0;1;2;1;2]),'norm',1)"),
    ("abs(sum(sum(fspecial('log',7,1))))<1e-15", "true"),
    ("fspecial('unsharp',0)", "[0 -1 0;-1 5 -1;0 -1 0]"),
    ("imgaussfilt(A,1.2)", "imfilter(A,fspecial('gaussian',7,1.2),'replicate')"),
    ("medfilt2([1 2;3 4],[1 2],'symmetric')", "[1.5 2;3.5 4]"),
    ("imhist(uint8([0 255 255]),2)", "[1;2]"),
    ("[c,b]=imhist(true); [c b]", "[0 0;1 1]"),
    ("numel(imhist(A))", "256"),
    ("imbinarize(uint8([10 20 200]),0.5)", "[false false true]"),
    ("imbinarize([0.2 0.4],[0.1 0.5])", "[true false]"),
    ("bwlabel([1 0;0 1])", "[1 0;0 1]"),
    ("bwlabel([1 0;0 1],4)", "[1 0;0 2]"),
    ("[~,n]=bwlabel([1 0 1 0 1]); n", "3"),
    ("bwlabel([0 1 1;0 0 0;1 0 1])", "[0 2 2;0 0 0;1 0 3]"),
    ("bwlabel(zeros(2))", "zeros(2)"),
    ("imdilate([0 0 1 0 0],[1 1])", "[0 0 1 1 0]"),
    ("imerode([1 1 1 1 0],[1 1])", "[1 1 1 0 0]"),
    ("imdilate(uint8([1 5 2]),[1 1 1])", "uint8([5 5 5])"),
    ("imerode([3 1 2;5 4 6],ones(3,1))", "[3 1 2;3 1 2]"),
    ("imopen([0 1 0 1 1],[1 1])", "[0 0 0 1 1]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES)
def test_values(code: str, expected: str, session: Session) -> None:
    *before, last = code.split("; ")
    session.run(";".join(before) + ";" if before else "")
    assert session.eval(f"isequal(class({last}), class({expected}))")
    found, wanted = (session.eval(c) for c in (last, expected))
    if isinstance(found, str):
        assert found == wanted
        return
    assert np.asarray(found).shape == np.asarray(wanted).shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)


def test_colours_are_those_of_another_library(session: Session) -> None:
    rgb = np.asarray(session.eval("RGB"))
    hsv = np.asarray(session.eval("rgb2hsv(RGB)"))
    for at in np.ndindex(3, 4):
        np.testing.assert_allclose(hsv[at], colorsys.rgb_to_hsv(*rgb[at]), rtol=1e-12)


def test_resizing_keeps_ramps(session: Session) -> None:
    """A ramp stays one away from the edges, on the grid of pixel centres, up and down."""
    for method in ("bilinear", "bicubic"):
        for scale in (2.0, 1.5, 0.5, 0.4):
            found = np.ravel(session.eval(f"imresize(1:40, [1 {int(40 * scale)}], '{method}')"))
            centres = np.arange(1, found.size + 1) / scale + 0.5 * (1 - 1 / scale)
            inner = slice(found.size // 4, -found.size // 4)
            tolerance = 0.02 if scale < 1 else 1e-12
            np.testing.assert_allclose(found[inner], centres[inner], atol=tolerance)


def test_median_and_morphology_are_those_of_scipy(session: Session) -> None:
    u = np.asarray(session.eval("U"))
    np.testing.assert_array_equal(
        session.eval("medfilt2(U)"), scipy.ndimage.median_filter(u, 3, mode="constant")
    )
    hood = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 1]])
    session.workspace["H"] = hood.astype(float)
    eroded = scipy.ndimage.grey_erosion(u, footprint=hood, mode="constant", cval=255)
    np.testing.assert_array_equal(session.eval("imerode(U, H)"), eroded)
    dilated = scipy.ndimage.grey_dilation(u, footprint=hood, mode="constant", cval=0)
    np.testing.assert_array_equal(session.eval("imdilate(U, H)"), dilated)


def test_otsu_parts_two_heaps(session: Session) -> None:
    session.run("x = uint8([40 + mod(0:99, 20), 200 + mod(0:49, 10)]); [t, e] = graythresh(x);")
    assert 59 / 255 < session.eval("t") < 200 / 255
    assert session.eval("e") > 0.9
    assert session.eval("nnz(imbinarize(x))") == 50
    # the definition: no other threshold has a larger variance between the classes
    x = np.ravel(session.eval("double(x)"))

    def between(t: float) -> float:
        low, high = x[x <= t], x[x > t]
        return low.size * high.size * (low.mean() - high.mean()) ** 2

    best = max(between(t) for t in range(40, 209))
    assert between(session.eval("t") * 255) == pytest.approx(best)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("imresize(ones(3), -1)", "images:imresize:invalidScale"),
        ("imresize(ones(3), 2, 'bicubik')", "images:imresize:unknownOption"),
        ("imfilter({}, 1)", "images:imfilter:invalidImage"),
        ("fspecial('gausian')", "images:fspecial:unknownOption"),
        ("rgb2gray(ones(3, 2))", "images:rgb2gray:invalidSize"),
        ("imerode(1:3, [1 2])", "images:imerode:invalidStrel"),
        ("strel('octagon', 4)", "images:strel:notMultipleOf3"),
        ("strel('disk', 4, 5)", "images:strel:invalidN"),
        ("strel('line', 4)", "MATLAB:minrhs"),
        ("imdilate(1, {2})", "images:imdilate:invalidStrel"),
        ("bwlabel(1, 5)", "images:bwlabel:connectivity"),
        ("im2double('a'+1i)", "images:im2double:invalidImage"),
    ],
)
def test_errors(code: str, identifier: str, session: Session) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier
