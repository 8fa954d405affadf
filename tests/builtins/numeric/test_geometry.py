"""Triangulations, hulls, diagrams, scattered data, partial fractions, makima and interpft."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.session import Session

Close = Callable[[str, str], None]

VALUES = [
    ("polyvalm([1 0 -1],[1 2;3 4])", "[1 2;3 4]^2-eye(2)"),
    ("polyvalm([2 1 0 3],magic(3))", "2*magic(3)^3+magic(3)^2+3*eye(3)"),
    # the example of the documentation
    ("[r,p,k]=residue([5 3 -2 7],[-4 0 8 3]);;[polyval([-4 0 8 3],p)' k]", "[0 0 0 -1.25]"),
    ("[r,p]=residue([5 3 -2 7],[-4 0 8 3]);;sum(r./(2-p))-1.25",
     "polyval([5 3 -2 7],2)/(-32+16+3)"),
    ("[r,p]=residue(1,[1 2 1]);;[r p]", "[0 -1;1 -1]"),
    ("[r,p]=residue([1 0 1],[1 -3 3 -1]);;r", "[1;2;2]"),
    ("[r,p]=residue(1,[1 0 1]);;sort(imag(r))", "[-0.5;0.5]"),
    ("[r,p]=residue(1,[1 3 2]);;[r==[-1;1] p==[-2;-1]]", "true(2)"),
    ("[r,p]=residue([1 3],[1 4 5 2]);;[r==[1;-1;2] p==[-2;-1;-1]]", "true(3,2)"),
    ("[r,p]=residue([1 2 3],[1 -6 11 -6]);;[r==[9;-11;3] p==[3;2;1]]", "true(3,2)"),
    ("[b,a]=residue([-1;2],[-2;-1],[]);;[b a]", "[1 3 1 3 2]"),
    ("[b,a]=residue([0;1],[-1;-1],[1 1]);;[b a]", "[1 3 3 2 1 2 1]"),
    ("makima([1 2 3 4 5],[0 0 1 1 1],[2.5 4.5])", "[0.5625 1]"),
    ("makima(1:4,(1:4).*2,[1.3 5])", "[2.6 10]"),
    ("ppval(makima(1:5,[1 4 2 8 5]),1.1:0.6:4.9)", "interp1(1:5,[1 4 2 8 5],1.1:0.6:4.9,'makima')"),
    ("interpft(cos(2*pi*(0:4)/5),15)", "cos(2*pi*(0:14)/15)"),
    ("interpft(sin(2*pi*(0:7)'/8),4)", "sin(2*pi*(0:3)'/4)"),
    ("size(interpft(ones(3,4),6,2))", "[3 6]"),
    ("rectint([0 0 2 2;1 1 1 1],[1 1 3 3])", "[1;1]"),
    ("rotx(30)*[0;1;0]", "[0;sqrt(3)/2;0.5]"),
    ("roty(-90)", "[0 0 -1;0 1 0;1 0 0]"),
    ("rotz(45)*rotz(45)", "rotz(90)"),
    ("[~,v]=convhull([0 1 1 0 0.5],[0 0 1 1 0.5]);;v", "1"),
    ("convhull([0 2 2 0 1],[0 0 2 2 1])", "[1;2;3;4;1]"),
    ("[x,y,z]=meshgrid([0 1]);;[~,v]=convhull(x(:),y(:),z(:));;v", "1"),
    ("dsearchn([0 0;5 5;9 0],[1 0;8 1])", "[1;3]"),
    ("dsearchn([0 0;1 0;0 1],[1 2 3],[3 3;0.1 0.1],-1)", "[-1;1]"),
    ("[k,b]=tsearchn([0 0;1 0;0 1],[1 2 3],[0.25 0.25;2 2]);;[k b]", "[1 0.5 0.25 0.25;nan(1,4)]"),
    ("[vx,vy]=voronoi([0 2 0 2 1],[0 0 2 2 1]);;sort(vx(1,:)+vx(2,:))", "[1 1 3 3]"),
    ("griddata([0 1 0 1],[0 0 1 1],[0 1 2 3],[0.5 5],[0.25 5])", "[1 NaN]"),
    ("griddata([0 1 0 1],[0 0 1 1],[0 1 2 3],0.9,0.2,'nearest')", "1"),
    # linear functions of four variables are linear on every simplex
    ("P=[rand(30,4);zeros(1,4);eye(4)];;Q=[0.1 0.2 0.3 0.2;0.05 0.1 0 0.3;-1 0 0 0];;"
     "griddatan(P,P*[1;2;3;4],Q)", "[2.2;1.45;NaN]"),
    ("griddatan([0 0;1 0;0 1;1 0],[1 2 3 6],[1 0;0.5 0.5],[])", "[4;3.5]"),
    ("griddatan([0 0;1 0;0 1;1 1],single(1:4)',[0.9 0.2;7 7],'nearest',{'Qt'})", "single([2;4])"),
    ("griddata([0 1 0 1 3],[0 0 1 1 2],[0 1 2 3 9],[0 1 3],[0 1 2],'v4')", "[0 3 9]"),
    ("size(griddata([0 1 0 1],[0 0 1 1],[0 1 2 3],[0.1 0.2 0.3],[0.5;0.6]))", "[2 3]"),
    # linear functions are their own interpolants, on the lines between points, too
    ("rng(1);P=[rand(20,2);0 0;1 0;0 1;1 1];;round(griddata(P(:,1),P(:,2),P*[1;2],[.5 .2],[0 .7],"
     "'cubic'),9)", "[0.5 1.6]"),
    ("rng(1);P=[rand(20,2);0 0;1 0;0 1;1 1];;Z=griddata(P(:,1),P(:,2),P*[1;2],[.5 .2 2],"
     "[0 .7 1],'natural');;Z", "[0.5 1.6 NaN]"),
    ("[X,Y]=meshgrid(0:3);;round(griddata(X(:),Y(:),2*X(:)-Y(:),[1.5 1 .25],[.5 .5 2.75],"
     "'natural'),7)", "[2.5 1.5 -2.25]"),
    # neighbours all around count the same
    ("t=(1:7)*2*pi/7;;round(griddata(cos(t),sin(t),1:7,0,0,'natural'),6)", "4"),
    ("F=scatteredInterpolant([0 0;2 0;0 2;2 2],[1;3;5;9],'natural');;round(F(1,1),6)", "4.5"),
    ("F=scatteredInterpolant([0 0;1 0;0 1],[1;3;1],'natural');;F(2,0)", "5"),
    ("F=scatteredInterpolant([0 0;1 0;0 1],[1;3;1]);;F.Method='natural';;F(0,1)", "1"),
    ("griddata([0 1 0 1 .5],[0 0 1 1 .5],[0 0 0 0 1i],.5,.5,'cubic')", "1i"),
    ("F=scatteredInterpolant([0 1 0 1]',[0 0 1 1]',[0 1 2 3]');;F([0.5 2],[0.25 1])", "[1 4]"),
    ("F=scatteredInterpolant([0 0;1 0;0 1;1 1],(0:3)','nearest');;F([0.9 0.2;7 7])", "[1;3]"),
    ("F=scatteredInterpolant([0 0;1 0;0 1;1 1],(0:3)','linear','none');;F(2,2)", "NaN"),
    ("F=scatteredInterpolant([0 0;1 0;0 1;0 0],[1;3;1;3]);;F(0.5,0)", "2.5"),
    ("P=[0 0 0;1 0 0;0 1 0;0 0 1;1 1 1];;F=scatteredInterpolant(P,P*[1;2;3]);;F(0.3,0.3,0.2)",
     "1.5"),
    ("F=scatteredInterpolant([0 0;1 0;0 1],(0:2)');;F.Values=[5;5;5];;F(0.2,0.2)", "5"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[c for c, _ in VALUES])
def test_values(code: str, expected: str, close: Close) -> None:
    close(code, expected)


@pytest.mark.parametrize("rank", [2, 3])
def test_triangulations_cover_the_hull(rank: int, session: Session) -> None:
    p = np.random.default_rng(rank).random((40, rank))
    session.workspace["P"] = p
    for name in ("delaunay", "delaunayn"):
        t = np.asarray(session.eval(f"{name}(P)")).astype(int) - 1
        content = np.linalg.det(p[t[:, 1:]] - p[t[:, :1]]) / (2 if rank == 2 else 6)
        assert (content > 0).all()
        assert content.sum() == pytest.approx(session.eval("convhulln(P)", nargout=2)[1])
        # no point is in the circumsphere of a simplex
        for simplex in t:
            edges = p[simplex[1:]] - p[simplex[0]]
            centre = np.linalg.solve(2 * edges, (edges**2).sum(axis=1))
            away = ((p - p[simplex[0]] - centre) ** 2).sum(axis=1)
            assert (away >= (centre**2).sum() * (1 - 1e-9)).all()


def test_vertices_of_a_voronoi_cell_are_as_near_to_three_points(session: Session) -> None:
    p = np.random.default_rng(7).random((15, 2))
    session.workspace["P"] = p
    v = session.eval("voronoin(P)")
    v = np.asarray(v)
    assert np.isinf(v[0]).all()
    for vertex in v[1:]:
        away = np.sort(np.hypot(*(p - vertex).T))
        np.testing.assert_allclose(away[:3], away[0], rtol=1e-7)
    session.run("[v, c] = voronoin(P);")
    assert session.eval("numel(c)") == 15


ERRORS = [
    ("polyvalm([1 2],[1 2 3])", "MATLAB:polyvalm:NonSquareMatrix"),
    ("residue(1,0)", "MATLAB:residue:ZeroDenominator"),
    ("delaunay([1 2],[1 2])", "MATLAB:delaunay:EmptyTriangulation"),
    ("delaunay([1 2 3],[1 2 3])", "MATLAB:delaunay:EmptyTriangulation"),
    ("convhull([1 2 3],[1 2])", "MATLAB:convhull:CoordsSizeMismatch"),
    ("tsearchn([0 0;1 0;0 1],[1 2 9],[0 0])", "MATLAB:tsearchn:InvalidTriangulation"),
    ("griddata(1:3,1:3,1:3,1,1,'liner')", "MATLAB:griddata:unrecognizedStringChoice"),
    ("griddata(rand(5,1),rand(5,1),rand(5,1),(1:5)',1,1,1,'natural')",
     "MATLAB:griddata:unrecognizedStringChoice"),
    ("scatteredInterpolant(rand(5,3),(1:5)','natural')",
     "MATLAB:scatteredInterpolant:unrecognizedStringChoice"),
    ("griddatan(rand(5,2),1:5,[1 1],'liner')", "MATLAB:griddatan:unrecognizedStringChoice"),
    ("griddatan(rand(5,2),1:5,[1 1 1])", "MATLAB:griddatan:NumColsMismatch"),
    ("griddatan(rand(5,2),1:4,[1 1])", "MATLAB:griddatan:InvalidInputs"),
    ("griddatan((1:5)',1:5,1)", "MATLAB:griddatan:NotEnoughPts"),
    ("scatteredInterpolant([0 0;1 0;0 1],[1;2])",
     "MATLAB:mathcgeo_catalog:NumPtsValsMismatchErrId"),
    ("rectint(1,2)", "MATLAB:rectint:InvalidInput"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier


def test_objects_show_their_properties(evaluate: Callable[[str], Any]) -> None:
    value = evaluate("F=scatteredInterpolant([0 0;1 0;0 1],(0:2)');;F.ExtrapolationMethod")
    assert value.content == "linear"


def _cell_areas(points: np.ndarray) -> np.ndarray:
    """Areas of the Voronoi cells of points, among others far away."""
    from scipy.spatial import ConvexHull, Voronoi

    far = [(50, 50), (50, -50), (-50, 50), (-50, -50), (0, 60), (0, -60), (60, 0), (-60, 0)]
    diagram = Voronoi(np.vstack([points, far]))
    cells = [diagram.regions[diagram.point_region[k]] for k in range(len(points))]
    return np.array([ConvexHull(diagram.vertices[cell]).volume for cell in cells])


def test_natural_neighbours_weigh_what_is_taken_of_their_cells() -> None:
    from scipy.spatial import Delaunay

    from runmat_core.builtins.geometry.natural import natural_neighbours

    rng = np.random.default_rng(0)
    points, values = rng.random((60, 2)), rng.random(60)
    mesh, before = Delaunay(points), _cell_areas(points)
    for query in 0.3 + 0.4 * rng.random((10, 2)):
        taken = before - _cell_areas(np.vstack([points, query]))[:-1]
        expected = taken @ values / taken.sum()
        assert abs(natural_neighbours(mesh, values, query[None])[0] - expected) < 1e-9
