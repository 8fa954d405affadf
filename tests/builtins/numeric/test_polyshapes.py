"""polyshape: known shapes, identities of areas, and cases that rounding would decide wrongly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from runmat_core import MatlabError
from runmat_core.builtins.geometry.overlay import overlay, signed_area
from runmat_core.session import Session

SETUP = """
    S = polyshape([0 0 2 2], [0 2 2 0]); T = translate(S, 1, 1); none = polyshape;
    H = polyshape({[0 0 3 3], [1 1 2 2]}, {[0 3 3 0], [1 2 2 1]});
    far = translate(S, 9, 9);
"""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Session()
    session.run(SETUP)
    return session


VALUES = [
    ("area(union(S, T))", 7), ("area(intersect(S, T))", 1), ("area(subtract(S, T))", 3),
    ("area(xor(S, T))", 6), ("xor(S, T).NumRegions", 2), ("union(S, far).NumRegions", 2),
    ("area(intersect(S, far))", 0), ("area(union(S, none))", 4), ("area(subtract(none, S))", 0),
    ("perimeter(union(S, T))", 12), ("numsides(union(S, T))", 8), ("area(H)", 8),
    ("H.NumHoles", 1), ("H.NumRegions", 1), ("perimeter(H)", 16), ("area(H, [1 2])", [9, 1]),
    ("perimeter(H, 2)", 4), ("numsides(H, [2 1])", [4, 4]), ("numboundaries(H)", 2),
    ("ishole(H)", [0, 1]), ("area(rmholes(H))", 9), ("area(rmboundary(H, 1))", 1),
    ("area(rmboundary(H, 1:2))", 0), ("area(intersect(H, H))", 8), ("area(xor(H, H))", 0),
    ("area(addboundary(S, [0.5 0.5 1], [0.5 1 1]))", 3.875),
    ("area(addboundary(S, [5 5 6; 5 6 6]'))", 4.5),
    ("area(scale(S, 3))", 36), ("area(scale(S, [2 3], [1 1]))", 24),
    # neighbours with a side in common are one, and the corners on it go
    ("numsides(union(S, translate(S, [2 0])))", 4),
    ("numsides(union(S, translate(S, [2 0]), 'KeepCollinearPoints', true))", 6),
    # those with a corner in common are two
    ("union(S, translate(S, [2 2])).NumRegions", 2),
    # a hole that reaches the boundary at a corner is one still
    ("subtract(S, polyshape([0 1 1], [0 0.5 1])).NumHoles", 1),
    # an island in a hole
    ("union(H, scale(polyshape([0 0 1 1], [0 1 1 0]), 0.5, [3 3])).NumRegions", 1),
    ("union(H, polyshape([1.2 1.2 1.8 1.8], [1.2 1.8 1.8 1.2])).NumRegions", 2),
    ("polyshape({[0 0 9 9], [1 1 8 8], [2 2 7 7]}, {[0 9 9 0], [1 8 8 1], [2 7 7 2]}).NumHoles",
     1),
    ("polyshape([0 0 1 1 NaN 2 2 3 3], [0 1 1 0 NaN 0 1 1 0]).NumRegions", 2),
    ("numsides(polyshape([0 1 2 2 0], [0 0 0 1 1]))", 4),
    ("numsides(polyshape([0 1 2 2 0], [0 0 0 1 1], 'KeepCollinearPoints', true))", 5),
    ("area(polyshape([0 0 3 3 NaN 1 1 2 2], [0 3 3 0 NaN 1 2 2 1], "
     "'SolidBoundaryOrientation', 'cw'))", 9),
    ("area(polyshape([0 0 3 3 NaN 1 2 2 1], [0 3 3 0 NaN 1 1 2 2], "
     "'SolidBoundaryOrientation', 'cw'))", 8),
    ("area(polyshape([0 0 1 1], [0 1 1 0], 'SolidBoundaryOrientation', 'ccw'))", 0),
    ("area(polyshape([0 1 1 0], [0 0 1 1], 'Simplify', false))", 1),
    ("area(none)", 0), ("perimeter(none)", 0), ("none.NumRegions", 0),
    ("area(alphaShape([0 1 0; 0 0 1]', Inf))", 0.5),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "wanted"), VALUES)
def test_values(session: Session, expression: str, wanted: Any) -> None:
    session.run(f"warning off; r = {expression.replace(').Num', '); r = r.Num')}; warning on")
    np.testing.assert_array_equal(np.ravel(session.eval("double(r)")), np.ravel(wanted))


ARRAYS = [
    ("S.Vertices", "[0 0; 0 2; 2 2; 2 0]"),
    # counter-clockwise input is turned round, from its first corner on
    ("polyshape([0 2 2 0], [0 0 2 2]).Vertices", "[0 0; 0 2; 2 2; 2 0]"),
    ("H.Vertices", "[0 0; 0 3; 3 3; 3 0; NaN NaN; 1 1; 2 1; 2 2; 1 2]"),
    ("intersect(S, T).Vertices", "[1 1; 1 2; 2 2; 2 1]"),
    ("none.Vertices", "zeros(0, 2)"),
    ("rotate(S, 90).Vertices", "[0 0; -2 0; -2 2; 0 2]"),
    ("rotate(S, 180, [1 1]).Vertices", "[2 2; 2 0; 0 0; 0 2]"),
    ("translate(S, -1, 5).Vertices", "S.Vertices + [-1 5]"),
    ("scale(S, 2, [2 2]).Vertices", "[-2 -2; -2 2; 2 2; 2 -2]"),
    ("isinterior(H, [1.5 1 0.5 4 NaN], [1.5 1.5 0.5 0 0])'", "logical([0 1 1 0 0])"),
    ("isinterior(H, [0 0; 3.5 1])'", "logical([1 0])"),
]


@pytest.mark.parametrize(("expression", "wanted"), ARRAYS)
def test_arrays(session: Session, expression: str, wanted: str) -> None:
    code = expression.replace(").Vertices", "); r = r.Vertices")
    session.run(f"r = {code};")
    assert session.eval(f"isequaln(r, {wanted})"), session.eval("r")


def test_several_outputs(session: Session) -> None:
    session.run("[x, y] = boundary(H); [u, v] = boundary(H, 2);")
    assert session.eval(
        "isequaln([x y], [0 0; 0 3; 3 3; 3 0; 0 0; NaN NaN; 1 1; 2 1; 2 2; 1 2; 1 1])"
    )
    assert session.eval("isequal([u v], [1 1; 2 1; 2 2; 1 2; 1 1])")
    session.run("[x, y] = centroid(union(S, far)); [a, b] = centroid(H, [2 1]);")
    assert session.eval("isequal([x y], [5.5 5.5]) && isequal([a b], 1.5*ones(2))")
    session.run("[x, y] = boundingbox(T); [a, b] = centroid(none);")
    assert session.eval("isequal([x; y], [1 3; 1 3]) && isnan(a) && isnan(b)")
    assert session.eval("isequal(S, polyshape([0 0 2 2], [0 2 2 0])) && ~isequal(S, T)")
    assert session.eval("S.area == 4 && isequal(S.translate(1, 1), T) && isa(S, 'polyshape')")
    session.run("Q = S; Q.Vertices = [0 0; 0 1; 1 0];")
    assert session.eval("area(Q) == 0.5 && area(S) == 4")


WARNED = ["[0 1 1 0 0], [0 0 1 1 0]", "[0 2 0 2], [0 2 2 0]", "[0 1 2 1 1 0], [0 0 0 1 1 0]"]


@pytest.mark.parametrize("corners", WARNED)
def test_repairs_are_told_of(session: Session, corners: str) -> None:
    session.run(f"lastwarn('', ''); warning off; Q = polyshape({corners}); warning on")
    session.run("[~, id] = lastwarn;")
    assert session.eval("id") == "MATLAB:polyshape:repairedBySimplify"
    session.run("lastwarn('', ''); Q = polyshape(Q.Vertices); [~, id] = lastwarn;")
    assert session.eval("id") == ""


ERRORS = [
    ("polyshape([0 1], [0 1])", "MATLAB:polyshape:boundary3Points"),
    ("polyshape([0 1 2], [0 1])", "MATLAB:polyshape:xySizeMismatch"),
    ("polyshape([0 1 Inf], [0 1 3])", "MATLAB:polyshape:NonFinite"),
    ("polyshape([0 NaN 1], [0 1 3])", "MATLAB:polyshape:NonFinite"),
    ("polyshape(ones(3))", "MATLAB:polyshape:InvalidPoints"),
    ("polyshape([0 1 1], [0 0 1], 'Simplfy', true)", "MATLAB:polyshape:unrecognizedStringChoice"),
    ("polyshape(1, 2, 3)", "MATLAB:polyshape:TooManyInputs"),
    ("area(S, 2)", "MATLAB:polyshape:InvalidBoundary"),
    ("rotate(S, Inf)", "MATLAB:polyshape:InvalidAngle"),
    ("scale(S, -1)", "MATLAB:polyshape:InvalidScale"),
    ("translate(S, [1 2 3])", "MATLAB:polyshape:InvalidTranslation"),
    ("union(S, 3)", "MATLAB:UndefinedFunction"),
    ("numsides(3)", "MATLAB:UndefinedFunction"),
    ("perimeter(3)", "MATLAB:UndefinedFunction"),
    ("area(alphaShape([0 1 0; 0 0 1]', Inf), 1)", "MATLAB:TooManyInputs"),
    ("S.NumHoles = 3;", "MATLAB:class:SetProhibited"),
    ("S + T", "MATLAB:UndefinedFunction"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    from runmat_core.api import MatlabError

    with pytest.raises(MatlabError) as raised:
        session.run(code)
    assert raised.value.identifier == identifier


# -- the arrangement itself -----------------------------------------------------------------------

RULES: dict[str, Callable[[Any], bool]] = {
    "and": lambda w: w[0] % 2 == 1 and w[1] % 2 == 1,
    "or": lambda w: w[0] % 2 == 1 or w[1] % 2 == 1,
    "less": lambda w: w[0] % 2 == 1 and w[1] % 2 == 0,
    "xor": lambda w: (w[0] + w[1]) % 2 == 1,
}


def content(rings: list[Any]) -> Fraction:
    return -sum((signed_area(ring) for ring in rings), Fraction(0))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(12))
def test_areas_of_whole_numbers_add_up_exactly(seed: int) -> None:
    """Rings of few whole coordinates, which overlap and touch in every way."""
    rng = np.random.default_rng(seed)
    scale = 2.0 ** rng.integers(-40, 40)
    rings = [[rng.integers(0, 7, (n, 2)) * scale for n in (7, 5)] for _ in range(2)]
    # corners that no double is lie where slanted edges cross, so areas are right but for rounding
    found = {name: content(overlay(rings, rule)) for name, rule in RULES.items()}
    alone = [content(overlay([operand], lambda w: w[0] % 2 == 1)) for operand in rings]
    size = float(scale) ** 2
    assert float(found["or"] + found["and"] - sum(alone)) / size == pytest.approx(0, abs=1e-12)
    assert float(found["or"] - found["and"] - found["xor"]) / size == pytest.approx(0, abs=1e-12)
    assert float(found["less"] + found["and"] - alone[0]) / size == pytest.approx(0, abs=1e-12)
    assert min(found.values()) >= 0


@pytest.mark.parametrize("seed", range(6))
def test_rectangles_are_exact(seed: int) -> None:
    """Against the count of unit squares; all corners are doubles."""
    rng = np.random.default_rng(seed)
    grids, rings = [], []
    for _ in range(2):
        grid, mine = np.zeros((9, 9), int), []
        for _ in range(4):
            (a, b), (c, d) = rng.integers(0, 5, 2), rng.integers(5, 10, 2)
            mine.append(np.array([[a, b], [a, d], [c, d], [c, b]], float))
            grid[a:c, b:d] += 1
        grids.append(grid)
        rings.append(mine)
    for name, rule in RULES.items():
        made = overlay(rings, rule)
        wanted = sum(rule(pair) for pair in zip(*(g.ravel().tolist() for g in grids), strict=True))
        assert content(made) == wanted, name
        # what was made is well-defined: it is made of itself again
        again = overlay([made], lambda w: w[0] % 2 == 1)
        assert [r.tolist() for r in again] == [r.tolist() for r in made]


def winds(rings: list[Any], x: float, y: float) -> int:
    """How often rays to the right cross boundaries, modulo 2."""
    count = 0
    for ring in rings:
        for (a, b), (c, d) in zip(np.roll(ring, 1, axis=0), ring, strict=True):
            count += (b > y) != (d > y) and a + (y - b) * (c - a) / (d - b) > x
    return count % 2


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(10))
def test_points_are_inside_where_the_rule_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rings = [[rng.random((rng.integers(3, 12), 2)) for _ in range(2)] for _ in range(2)]
    if seed % 2:
        rings = [[np.round(ring * 4) / 4 for ring in operand] for operand in rings]
    for name, rule in RULES.items():
        made = overlay(rings, rule)
        for x, y in rng.random((20, 2)):
            wanted = rule([winds(operand, x, y) for operand in rings])
            assert winds(made, x, y) == wanted, name


def test_cracks_that_rounding_does_not_see() -> None:
    """Triangles that share a slanted edge, of which one has a corner on it, off by one rounding."""
    x = 1 / 3
    one = [np.array([[0, 0], [1, 1], [1, 0]], float)]
    other = [np.array([[0, 0], [x, np.nextafter(x, 1)], [1, 1], [0, 1]], float)]
    assert content(overlay([one, other], RULES["and"])) == 0
    # the crack is thinner than what coordinates tell apart: none is left
    (whole,) = overlay([one, other], RULES["or"])
    assert whole.tolist() == [[0, 0], [0, 1], [1, 1], [1, 0]]


def test_two_stars() -> None:
    turn = np.arange(5) * 4 * np.pi / 5
    star = np.column_stack([np.cos(turn), np.sin(turn)])
    assert len(overlay([[star]], lambda w: w[0] % 2 == 1)) == 5
    (outline,) = overlay([[star]], lambda w: w[0] > 0)
    assert len(outline) == 10
    assert overlay([[star]], lambda w: w[0] < 0) == []


def test_lines_are_parted_at_boundaries(session: Session) -> None:
    """A line through the hole of H: its parts add up to it, and lie where isinterior says."""
    session.run("[in, out] = intersect(H, [-1 1.5; 4 1.5; 4 5]);")
    assert session.eval("isequaln(in, [0 1.5; 1 1.5; NaN NaN; 2 1.5; 3 1.5])") is True
    assert session.eval(
        "isequaln(out, [-1 1.5; 0 1.5; NaN NaN; 1 1.5; 2 1.5; NaN NaN; 3 1.5; 4 1.5; 4 5])"
    ) is True  # fmt: skip
    # along an edge, and a bend within
    assert session.eval("isequal(intersect(S, [0 0; 0 2; 1 1; 1 3]), [0 0; 0 2; 1 1; 1 2])") is True
    assert session.eval("size(intersect(S, [5 5; 6 6]))").ravel().tolist() == [0, 2]
    with pytest.raises(MatlabError) as raised:
        session.run("intersect(S, [1 2 3]);")
    assert raised.value.identifier == "MATLAB:polyshape:InvalidLineSegment"
