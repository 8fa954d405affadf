"""The classes triangulation and delaunayTriangulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session

Close = Callable[[str, str], None]

#: Two triangles that make up a square, and a tetrahedron.
SQUARE = "T=triangulation([1 2 3;2 4 3],[0 0;1 0;0 1;1 1])"
SOLID = "T=triangulation([1 2 3 4],[0 0 0;1 0 0;0 1 0;0 0 1])"

VALUES = [
    ("R=TriRep([1 2 3;2 4 3],[0 0;1 0;0 1;1 1]);;circumcenters(R)", "[.5 .5;.5 .5]"),
    ("R=TriRep([1 2 3;2 4 3],[0 0;1 0;0 1;1 1]);;R.isEdge(2,3)+R.isEdge(1,4)", "1"),
    ("R=TriRep([1 2 3],[0 0;1 0;0 1]);;[R.X R.Triangulation']", "[0 0 1;1 0 2;0 1 3]"),
    ("D=DelaunayTri([0 1 1 0]',[0 0 1 1]');;D.X=[0 0;1 0;0 1];;D.Triangulation", "[2 3 1]"),
    ("isa(DelaunayTri([0 1 0]',[0 0 1]'),'TriRep')", "1"),
    ("F=triangulation([1 2 3;1 4 2],[0 0 0;1 0 0;0 1 0;0 0 1]);;F.featureEdges(pi/2+.1)",
     "[1 3;1 4;2 3;2 4]"),
    ("featureEdges(triangulation([1 2 3;1 2 4;1 2 5],[0 0 0;1 0 0;0 1 0;0 -1 0;0 0 1]),4)",
     "[1 2;1 3;1 4;1 5;2 3;2 4;2 5]"),
    (f"{SQUARE};;T.ConnectivityList", "[1 2 3;2 4 3]"),
    (f"{SQUARE};;T(2,:)", "[2 4 3]"),
    (f"{SQUARE};;T.Points(4,:)", "[1 1]"),
    (f"{SQUARE};;edges(T)", "[1 2;1 3;2 3;2 4;3 4]"),
    (f"{SQUARE};;T.edges", "[1 2;1 3;2 3;2 4;3 4]"),
    (f"{SQUARE};;neighbors(T)", "[2 NaN NaN;NaN 1 NaN]"),
    (f"{SQUARE};;neighbors(T,2)", "[NaN 1 NaN]"),
    (f"{SQUARE};;freeBoundary(T)", "[1 2;2 4;4 3;3 1]"),
    (f"{SQUARE};;circumcenter(T)", "[.5 .5;.5 .5]"),
    (f"{SQUARE};;[c,r]=circumcenter(T,1);;r", "sqrt(.5)"),
    (f"{SQUARE};;incenter(T,1)", "(1-sqrt(.5))*[1 1]"),
    (f"{SQUARE};;pointLocation(T,[.1 .1;.9 .9;3 3])", "[1;2;NaN]"),
    (f"{SQUARE};;[k,b]=pointLocation(T,.25,.5);;[k b]", "[1 .25 .25 .5]"),
    (f"{SQUARE};;nearestNeighbor(T,.9,.8)", "4"),
    (f"{SQUARE};;barycentricToCartesian(T,[1;2],[1 0 0;0 1 0])", "[0 0;1 1]"),
    (f"{SQUARE};;cartesianToBarycentric(T,2,[1 1])", "[0 1 0]"),
    (f"{SQUARE};;c=vertexAttachments(T);;c{{3}}", "[1 2]"),
    (f"{SQUARE};;c=edgeAttachments(T,[1;2],[2;3]);;[c{{:}}]", "[1 1 2]"),
    (f"{SQUARE};;double(isConnected(T,[1 4;2 4]))", "[0;1]"),
    (f"{SOLID};;freeBoundary(T)", "[2 3 4;1 4 3;1 2 4;1 3 2]"),
    (f"{SOLID};;circumcenter(T)", "[.5 .5 .5]"),
    (f"{SOLID};;[c,r]=incenter(T);;[c r]", "repmat(1/(3+sqrt(3)),1,4)"),
    ("T=triangulation([1 2 3],[0 0 0;0 1 0;0 0 1]);;faceNormal(T)", "[1 0 0]"),
    ("T=triangulation([1 2 3],[0 0 0;0 1 0;0 0 1]);;vertexNormal(T,[1 3])", "[1 0 0;1 0 0]"),
    ("[x,y]=meshgrid(0:2);;D=delaunayTriangulation(x(:),y(:));;size(D.ConnectivityList)", "[8 3]"),
    ("[x,y]=meshgrid(0:2);;D=delaunayTriangulation(x(:),y(:));;[k,v]=convexHull(D);;v", "4"),
    ("D=delaunayTriangulation([0 0;1 0;0 1]);;D.Points=[0 0;2 0;0 2];;circumcenter(D)", "[1 1]"),
    ("D=delaunayTriangulation(rand(20,3));;size(D.Points)", "[20 3]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), VALUES, ids=[c for c, _ in VALUES])
def test_values(code: str, expected: str, close: Close) -> None:
    close(code, expected)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("triangulation([1 2 9],[0 0;1 0;0 1])", "MATLAB:triangulation:TriInvalidIndexErrId"),
        ("triangulation([1 2],[0 0;1 0;0 1])", "MATLAB:triangulation:TriInvalidSizeErrId"),
        ("delaunayTriangulation([0 0;1 1;2 2])",
         "MATLAB:delaunayTriangulation:EmptyTriangulation"),
        (f"{SQUARE}; faceNormal(T)", "MATLAB:triangulation:faceNormal:Not3DSurface"),
        (f"{SQUARE}; circumcenter(T,3)", "MATLAB:triangulation:circumcenter:InvalidID"),
        (f"{SQUARE}; convexHull(T)", "MATLAB:triangulation:convexHull:NotDelaunay"),
        ("edges(5)", "MATLAB:UndefinedFunction"),
        ("alphaShape([0 0;1 0;0 1],-1)", "MATLAB:alphaShape:InvalidAlpha"),
        ("volume(alphaShape([0 0;1 0;0 1]))", "MATLAB:alphaShape:volume:WrongDimension"),
        ("boundary(rand(5,2),2)", "MATLAB:boundary:InvalidShrinkFactor"),
    ],
)  # fmt: skip
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier


#: Points of two unit squares, 3 apart, and of an L.
TWO = "x=[0 1 0 1 4 5 4 5]';;y=[0 0 1 1 0 0 1 1]'"
ELL = "[x,y]=meshgrid(0:4);;k=x<2|y<2;;x=x(k);;y=y(k)"

SHAPES = [
    (f"{TWO};;S=alphaShape(x,y);;[S.Alpha numRegions(S) area(S) perimeter(S)]", "[sqrt(.5) 2 2 8]"),
    (f"{TWO};;S=alphaShape(x,y,Inf);;[numRegions(S) S.area S.perimeter]", "[1 5 12]"),
    (f"{TWO};;S=alphaShape(x,y);;S.Alpha=Inf;;area(S)", "5"),
    (f"{TWO};;S=alphaShape(x,y);;double(inShape(S,[.5 2.5 4.5],[.5 .5 .5]))", "[1 0 1]"),
    (f"{TWO};;S=alphaShape([x;9;9],[y;0;.1],sqrt(.5)+.01,'RegionThreshold',.5);;area(S)", "2"),
    (f"{TWO};;S=alphaShape(x,y);;criticalAlpha(S,'one-region')>1.5", "true"),
    (f"{ELL};;[b,v]=boundary(x,y,1);;v", "7.5"),
    (f"{ELL};;[b,v]=boundary(x,y,0);;v", "11.5"),
    (f"{ELL};;b=boundary(x,y,1);;[b(1)==b(end) polyarea(x(b),y(b))]", "[1 7.5]"),
    # a frame around a hole, which is filled or not; the hole's corners are cut off
    ("[x,y]=meshgrid(0:6);;k=x<2|x>4|y<2|y>4;;S=alphaShape(x(k),y(k),.8);;area(S)", "22"),
    ("[x,y]=meshgrid(0:6);;k=x<2|x>4|y<2|y>4;;S=alphaShape(x(k),y(k),.8,'HoleThreshold',15);;area(S)",
     "36"),
    ("[x,y,z]=meshgrid(0:2);;S=alphaShape(x(:),y(:),z(:));;[volume(S) surfaceArea(S)]", "[8 24]"),
    ("[x,y,z]=meshgrid(0:2);;[b,v]=boundary(x(:),y(:),z(:));;v", "8"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), SHAPES, ids=[c for c, _ in SHAPES])
def test_shapes(code: str, expected: str, close: Close) -> None:
    close(code, expected)


@pytest.mark.parametrize("rank", [2, 3])
def test_a_boundary_encloses_the_hull(rank: int, session: Session) -> None:
    session.workspace["P"] = np.random.default_rng(rank).random((30, rank))
    session.run("D = delaunayTriangulation(P); F = freeBoundary(D); [~, v] = convhulln(P);")
    p = np.asarray(session.workspace["P"])
    corners = p[np.asarray(session.workspace["F"]).astype(int) - 1] - 0.5
    content = np.linalg.det(corners).sum() / (2 if rank == 2 else 6)
    assert content == pytest.approx(session.workspace["v"])
    # each simplex lies beside those that have it beside themselves
    beside = np.asarray(session.eval("neighbors(D)"))
    for k, row in enumerate(beside):
        for other in row[np.isfinite(row)].astype(int) - 1:
            assert k + 1 in beside[other]
