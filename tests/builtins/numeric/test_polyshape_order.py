"""Sorted boundaries and regions of polyshapes, nearest corners, overlaps, well-defined shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError, Session

SETUP = """
    t = 0.05:0.5:2*pi;
    D = polyshape({cos(t), 0.5*cos(t), 2*cos(t)}, {sin(t), 0.5*sin(t), 2*sin(t)});
    B = polyshape({[0 1 1 0], [2 3 2.5]}, {[0 0 1 1], [2 2 3]});
    N = polyshape({[0 9 9 0], [1 8 8 1], [2 7 7 2], [3 6 6 3], [20 21 21 20]}, ...
                  {[0 0 9 9], [1 1 8 8], [2 2 7 7], [3 3 6 6], [0 0 1 1]});
    S = polyshape([0 0 1 1], [1 0 0 1]);
    bow = polyshape([0 2 2 0], [0 2 0 2], "Simplify", false);
    none = polyshape;
"""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


def values(session: Session, code: str) -> list[Any]:
    return np.atleast_1d(np.asarray(session.eval(code), float)).ravel(order="F").tolist()


def test_regions_as_documented(session: Session) -> None:
    session.run('Q = sortregions(D, "perimeter", "ascend");')
    assert values(session, "[Q.NumRegions Q.NumHoles]") == [2, 1]
    assert values(session, "round(area(Q, 1), 4)") == [0.7541]
    assert values(session, "round(area(Q, 2) - area(Q, 3), 4)") == [9.0488]
    assert values(session, "ishole(Q)") == [0, 0, 1]


def test_boundaries_as_documented(session: Session) -> None:
    session.run('Q = sortboundaries(B, "numsides", "descend"); [x, y] = boundary(Q, 1);')
    assert values(session, "x") == [0, 0, 1, 1, 0]
    assert values(session, "y") == [0, 1, 1, 0, 0]
    assert values(session, "area(Q, 1)") == [1]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # the region with sides from 2 to 7 has a net area of 16, that with 0 to 9 one of 32
        ('sortregions(N, "area", "ascend")', [1, 25, 9, 81, 49]),
        ('sortregions(N, "area", "descend")', [81, 49, 25, 9, 1]),
        ('sortregions(N, "numsides", "descend")', [81, 49, 25, 9, 1]),
        ('sortregions(N, "centroid", "ascend", "ReferencePoint", [20 0])', [1, 81, 49, 25, 9]),
        ('sortboundaries(N, "area", "ascend")', [1, 9, 25, 49, 81]),
        ('sortboundaries(N, "perimeter", "descend")', [81, 49, 25, 9, 1]),
        ('sortboundaries(N, "numsides", "ascend")', [81, 49, 25, 9, 1]),
        ('sortboundaries(N, "centroid", "descend")', [1, 81, 49, 25, 9]),
        ('N.sortboundaries("area", "asc")', [1, 9, 25, 49, 81]),
    ],
)
def test_orders(session: Session, code: str, expected: list[float]) -> None:
    session.run(f"Q = {code};")
    assert values(session, "area(Q, 1:5)") == expected
    assert values(session, "[area(Q) perimeter(Q)]") == values(session, "[area(N) perimeter(N)]")


def test_nothing_is_sorted(session: Session) -> None:
    assert values(session, 'numboundaries(sortregions(none, "area", "ascend"))') == [0]
    assert values(session, 'numboundaries(sortboundaries(none, "area", "ascend"))') == [0]


def test_nearest_corners(session: Session) -> None:
    session.run("P = polyshape([1 1; 3 1; 2 2]); [v, b, k] = nearestvertex(P, 2, 1.8);")
    assert values(session, "P.Vertices(v, :)") == [2, 2]
    assert values(session, "b") == [1]
    session.run("[v, b, k] = nearestvertex(B, [2.6 1.5; -1 -1; 2.4 9]);")
    assert values(session, "size(v)") == [3, 1]
    assert values(session, "B.Vertices(v, :)") == [3, 0, 2.5, 2, 0, 3]
    assert values(session, "b") == [2, 1, 2]
    # the second boundary begins after the four corners of the first one and a row of NaN
    assert values(session, "v(1) - k(1)") == [5]
    session.run("w = nearestvertex(B, [2.6 -1 2.4], [1.5 -1 9]);")
    assert session.eval("isequal(v, w)") is True
    assert values(session, "size(nearestvertex(none, 1, 2))") == [0, 1]
    assert values(session, "size(nearestvertex(B, zeros(0, 2)))") == [0, 1]


def test_overlaps_as_documented(session: Session) -> None:
    session.run(
        "p2 = polyshape([0.75 1.25 1.25 0.75], [0.25 0.25 0.75 0.75]);"
        "p3 = polyshape([1.25 1.25 1.75 1.75], [0.75 1.25 1.25 0.75]);"
    )
    assert session.eval("overlaps(S, p2)") is True
    assert session.eval("overlaps(S, p3)") is False
    assert session.eval("overlaps(p2, p3)") is False  # one common point
    assert session.eval("overlaps(S, translate(S, 1, 0))") is False  # a common edge
    assert session.eval("overlaps(S, translate(S, 1 - eps, 0))") is True
    assert session.eval("overlaps(S, none) || overlaps(none, none)") is False
    # within the hole of another one
    assert session.eval("overlaps(polyshape([4 5 5 4], [4 4 5 5]), N)") is False


def test_simplified(session: Session) -> None:
    assert session.eval("issimplified(bow)") is False
    session.run("Q = simplify(bow);")
    assert session.eval("issimplified(Q)") is True
    assert values(session, "[area(Q) Q.NumRegions Q.NumHoles]") == [2, 2, 0]
    assert session.eval("issimplified(N) && issimplified(none)") is True
    assert session.eval("isequal(simplify(N), N)") is True
    session.run('L = polyshape([0 1 2 2 0], [0 0 0 2 2], "KeepCollinearPoints", true);')
    assert values(session, "numsides(simplify(L))") == [4]
    assert values(session, 'numsides(simplify(L, "KeepCollinearPoints", true))') == [5]


def test_simplify_does_not_warn() -> None:
    heard: list[str] = []
    session = Session(stderr=heard.append)
    session.run(SETUP + "Q = simplify(bow);")
    assert heard == []


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ('sortregions(N, "size", "ascend")', "MATLAB:sortregions:unrecognizedStringChoice"),
        ('sortregions(N, "area", "up")', "MATLAB:sortregions:unrecognizedStringChoice"),
        ('sortboundaries(N, 1, "ascend")', "MATLAB:sortboundaries:unrecognizedStringChoice"),
        (
            'sortregions(N, "area", "ascend", "ReferencePoint", [1 2])',
            "MATLAB:polyshape:ReferencePoint",
        ),
        (
            'sortregions(N, "centroid", "ascend", "ReferencePoint", 1)',
            "MATLAB:polyshape:InvalidReferencePoint",
        ),
        ('sortregions(1, "area", "ascend")', "MATLAB:UndefinedFunction"),
        ("overlaps(S, 1)", "MATLAB:UndefinedFunction"),
        ("overlaps(S)", "MATLAB:minrhs"),
        ("nearestvertex(S, [1 2 3])", "MATLAB:polyshape:InvalidPoints"),
        ("nearestvertex(S, [1 2], 1)", "MATLAB:polyshape:xySizeMismatch"),
        ("nearestvertex(S, NaN, 1)", "MATLAB:polyshape:NonFinite"),
        ("simplify(3)", "MATLAB:UndefinedFunction"),
        ('simplify(S, "Other", 1)', "MATLAB:simplify:unrecognizedStringChoice"),
        ("issimplified(3)", "MATLAB:UndefinedFunction"),
    ],
)
def test_what_is_refused(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.eval(code)
    assert caught.value.identifier == identifier
