"""Delaunay triangulations with edges that are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins.geometry.constrained import Triangles, constrain, inside, parted
from runmat_core.builtins.geometry.triangulations import delaunay_of, oriented
from runmat_core.session import Session


def content(p: Any, t: Any) -> Any:
    a, b, c = p[t[:, 0]], p[t[:, 1]], p[t[:, 2]]
    return ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2


def sides(t: Any) -> set[tuple[int, int]]:
    pairs = t[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    return {(min(e), max(e)) for e in pairs.tolist()}


@pytest.mark.parametrize("grid", [False, True], ids=["scattered", "on a grid"])
@pytest.mark.parametrize("seed", range(6))
def test_random_edges(seed: int, grid: bool) -> None:
    """Every part of an edge is there; triangles fill the hull; the rest is Delaunay."""
    rng = np.random.default_rng(seed)
    if grid:
        points = np.unique(rng.integers(0, 7, (40, 2)), axis=0).astype(float)
    else:
        points = rng.random((60, 2))
    edges = rng.integers(0, len(points), (8, 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    points, edges = parted(points, edges)
    before = oriented(points, delaunay_of(points, "delaunay").simplices)
    triangles, fixed = constrain(points, before, edges)
    assert (content(points, triangles) > 0).all()
    assert content(points, triangles).sum() == pytest.approx(content(points, before).sum())
    there = sides(triangles)
    assert {tuple(e) for e in fixed.tolist()} <= there
    for a, b in edges.tolist():
        d = points[b] - points[a]
        along = [e for e in fixed.tolist() if _lies_on(points, e, a, b)]
        total = sum(abs((points[v] - points[u]) @ d) for u, v in along) / (d @ d)
        assert total == pytest.approx(1)
    made = Triangles(points, triangles)
    walls = {tuple(e) for e in fixed.tolist()}
    for (u, v), w in made.apex.items():
        z = made.apex.get((v, u))
        if z is not None and (min(u, v), max(u, v)) not in walls:
            convex = made.side(z, w, u) > 0 and made.side(w, z, v) > 0
            assert not (convex and made._encircled(u, v, w, z))


def _lies_on(points: Any, edge: Any, a: int, b: int) -> bool:
    d = points[b] - points[a]
    for k in edge:
        e = points[k] - points[a]
        if abs(d[0] * e[1] - d[1] * e[0]) > 1e-9 or not -1e-9 <= (e @ d) / (d @ d) <= 1 + 1e-9:
            return False
    return True


def test_a_ring_with_a_hole() -> None:
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.concatenate([3 * circle, circle, 4 * circle[::4]])
    ring = np.stack([np.arange(16), np.roll(np.arange(16), -1)], axis=1)
    edges = np.concatenate([ring, ring + 16])
    before = oriented(points, delaunay_of(points, "delaunay").simplices)
    triangles, fixed = constrain(points, before, edges)
    within = inside(triangles, fixed)
    area = 8 * np.sin(np.pi / 8)
    assert content(points, triangles)[within].sum() == pytest.approx(8 * area)
    # an edge that encloses nothing parts nothing
    loose = np.concatenate([fixed, [[0, 32]]])
    np.testing.assert_array_equal(inside(triangles, loose), within)


POINTS = "P = [0 0; 4 0; 4 1; 2 0.2; 0 1];"
FORMS = [
    "delaunayTriangulation(P, [3 5])",
    "delaunayTriangulation(P(:, 1), P(:, 2), [3 5])",
    "delaunayTriangulation(P, [3 5; 1 4; 4 2; 2 3; 5 1])",
]


@pytest.fixture(scope="module")
def bare() -> Session:
    return Session(provider="none")


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str, bare: Session) -> None:
    bare.run(f"{POINTS} DT = {form}; F = delaunayTriangulation(P);")
    assert bare.eval("isConnected(DT, 3, 5) && ismember([3 5], DT.Constraints, 'rows')")
    assert bare.eval("isequal(DT.Points, P) && isempty(F.Constraints)")
    bare.run("F.Constraints = DT.Constraints;")
    assert bare.eval("isequal(F.ConnectivityList, DT.ConnectivityList)")


def test_as_many_constraints_as_points(bare: Session) -> None:
    """A matrix of constraints is none of coordinates, even where sizes agree."""
    bare.run("P = [0 0; 2 0; 2 2; 1 0.5; 0 2]; C = [1 2; 2 3; 3 4; 4 5; 5 1];")
    bare.run(
        "DT = delaunayTriangulation(P, C); in = isInterior(DT); T = DT.ConnectivityList(in, :);"
    )
    bare.run("a = 0; for k = 1:size(T, 1), a = a + polyarea(P(T(k, :), 1), P(T(k, :), 2)); end")
    assert bare.eval("abs(a - polyarea(P(:, 1), P(:, 2))) < 1e-12 && ~all(in)")
    assert bare.eval("isequal(sortrows(sort(C, 2)), DT.Constraints)")


def test_edges_that_cross_get_a_point(bare: Session) -> None:
    bare.run("lastwarn(''); P = [0 0; 2 0; 2 2; 0 2; 5 1];")
    bare.run("DT = delaunayTriangulation(P, [1 3; 2 4]); [~, id] = lastwarn;")
    assert bare.eval("isequal(DT.Points(6, :), [1 1]) && size(DT.Constraints, 1) == 4")
    assert bare.eval("id") == "MATLAB:delaunayTriangulation:ConsSplitPtWarnId"


@pytest.mark.parametrize(
    "call",
    [
        "delaunayTriangulation(rand(5, 3), [1 2])",
        "delaunayTriangulation(rand(5, 1), rand(5, 1), rand(5, 1), [1 2])",
        "delaunayTriangulation(rand(5, 2), [1 9])",
        "delaunayTriangulation(rand(5, 2), [1 1])",
        "delaunayTriangulation(rand(5, 2), [1 2 3])",
        "delaunayTriangulation(rand(5, 2), (1:5)')",
    ],
)
def test_what_are_no_constraints(call: str, bare: Session) -> None:
    with pytest.raises(MatlabError) as caught:
        bare.run(f"{call};")
    assert caught.value.identifier == "MATLAB:delaunayTriangulation:Constraints"
