"""Colour maps, sample surfaces, level lines and level surfaces, views."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session

Close = Callable[[str, str], None]

VALUES = [
    ("jet(8)", "[0 0 1;0 .5 1;0 1 1;.5 1 .5;1 1 0;1 .5 0;1 0 0;.5 0 0]"),
    ("jet(5)", "[0 .5 1;0 1 1;.5 1 .5;1 1 0;1 .5 0]"),
    ("size(jet)", "[256 3]"),
    ("size(hot(0))", "[0 3]"),
    ("hot(8)", "[1/3 0 0;2/3 0 0;1 0 0;1 1/3 0;1 2/3 0;1 1 0;1 1 .5;1 1 1]"),
    ("bone(8)", "(7*gray(8)+fliplr(hot(8)))/8"),
    ("pink(8)", "sqrt((2*gray(8)+hot(8))/3)"),
    ("hsv(6)", "[1 0 0;1 1 0;0 1 0;0 1 1;0 0 1;1 0 1]"),
    ("cool(1)", "[0 1 1]"),
    ("copper(2)", "[0 0 0;1 .7812 .4975]"),
    ("winter(3)", "[0 0 1;0 .5 .75;0 1 .5]"),
    ("lines(8)", "[lines(7);lines(1)]"),
    ("flag(5)", "[1 0 0;1 1 1;0 0 1;0 0 0;1 0 0]"),
    ("brighten(gray(5),-0.5)", "gray(5).^2"),
    ("size(peaks)", "[49 49]"),
    ("peaks(0,1)", "3*exp(-4)+10*exp(-1)-exp(-2)/3"),
    ("[x,y,z]=peaks([1 2]);;[x y]", "[1 2 1 1;1 2 2 2]"),
    ("[x,y,z]=sphere(10);;x.^2+y.^2+z.^2", "ones(11)"),
    ("[x,y,z]=cylinder([2 3 4],4);;[x(:,3) y(:,2) z(:,1)]", "[-2 2 0;-3 3 .5;-4 4 1]"),
    ("[x,y,z]=ellipsoid(1,2,3,4,5,6,4);;((x-1)/4).^2+((y-2)/5).^2+((z-3)/6).^2", "ones(5)"),
    ("viewmtx(-37.5,30)*[1;0;0;0]", "[cosd(37.5);sind(30)*sind(37.5);-cosd(30)*sind(37.5);0]"),
    ("viewmtx(90,0)", "[0 1 0 0;0 0 1 0;1 0 0 0;0 0 0 1]"),
    ("contourc([1 2 3;2 3 4],[2.5 2.5])", "[2.5 1.5 2 2.5;3 2 1.5 1]"),
    ("contourc([10 20],[5 6],[0 0;2 2],[1 1])", "[1 20 10;2 5.5 5.5]"),
    ("contourc(ones(3))", "[]"),
    ("c=contourc(peaks(30),6);;numel(unique(c(1,1)))", "1"),
    # a saddle is cut by two lines, whichever way
    ("c=contourc([0 1;1 0],[.5 .5]);;c([1 2],[1 4])", "[.5 .5;2 2]"),
    ("size(contourc([NaN 1;1 0],[.5 .5]))", "[0 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[c for c, _ in VALUES])
def test_values(code: str, expected: str, close: Close) -> None:
    close(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("jet(-1)", "MATLAB:colormap:InvalidLength"),
        ("gray(1e18)", "MATLAB:array:SizeLimitExceeded"),
        ("jet('abc')", "MATLAB:expectedScalar"),
        ("brighten(jet, 2)", "MATLAB:brighten:InvalidBeta"),
        ("sphere(0)", "MATLAB:sphere:InvalidN"),
        ("contourc(1)", "MATLAB:contourc:ZMustBeAtLeast2x2Matrix"),
        ("isosurface(1, 2)", "MATLAB:isosurface:VMustBe3D"),
        ("viewmtx(0, 0, 25)", "MATLAB:viewmtx:InvalidPhi"),
    ],
)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier


def test_lines_lie_on_their_level_and_closed_ones_close(session: Session) -> None:
    session.run(
        "[x, y] = meshgrid(-2:0.1:2); c = contourc(-2:0.1:2, -2:0.1:2, x.^2 + y.^2, [1 1]);"
    )
    c = np.asarray(session.workspace["c"])
    assert c[1, 0] == c.shape[1] - 1
    np.testing.assert_allclose(np.hypot(*c[:, 1:]), 1, atol=2e-3)
    assert (c[:, 1] == c[:, -1]).all()


def test_every_edge_of_a_closed_level_surface_has_two_triangles(session: Session) -> None:
    v = np.zeros((9, 8, 7))
    v[1:-1, 1:-1, 1:-1] = np.random.default_rng(3).random((7, 6, 5))
    session.workspace["v"] = v
    session.run("fv = isosurface(v, 0.5); f = fv.faces; p = fv.vertices;")
    f = np.asarray(session.workspace["f"]).astype(int)
    edges = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]])
    there, back = (sorted(map(tuple, e)) for e in (edges, edges[:, ::-1]))
    assert there == back
    assert len(set(there)) == len(there)


def test_colstyle_takes_styles_apart(same: Close) -> None:
    for style, parts in {
        "r:+": "{':','r','+',[]}",
        "--": "{'--','','',[]}",
        "ok": "{'','k','o',[]}",
        "q": "{'','','','Error in color/linetype argument.'}",
    }.items():
        same(f"c=cell(1,4);;[c{{:}}]=colstyle('{style}');;c", parts)
