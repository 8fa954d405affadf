"""Interpolation where samples, values or query points are NaN, Inf, repeated, few or none."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

SITE, VALUE = "MATLAB:chckxy:nan", "MATLAB:chckxy:IgnoreNaN"
REPEATED = "MATLAB:scatteredInterpolant:DupPtsAvValuesWarnId"
EMPTY = "MATLAB:scatteredInterpolant:InterpEmptyTri2DWarnId"
SETUP = """
x = 1:4; v = [1 NaN 9 16]; w = [1 Inf 9 16]; g = [1 3 9 16]; c = [1+1i 2 3 4i]; q = [NaN Inf -Inf];
m = [1 3; 9 NaN; 3 4; 5 6]; A = [1 2 3; 3 NaN 4; 5 6 7]; px = [0 1 0 1]'; py = [0 0 1 1]';
F = @griddedInterpolant; S = @scatteredInterpolant; at = @(f, varargin) f(varargin{:});
"""

#: Code, what it is, and the identifier of the warning that it gives.
VALUES = [
    # spline, pchip and makima leave out what is NaN; Inf spreads as far as pieces reach
    ("spline([1 2 NaN 4], [1 4 9 16], 2.5)", "6.25", SITE),
    ("spline(1:4, v, 2.5)", "6.25", VALUE),
    ("spline(1:5, [0 v 25 7], 2.5)", "spline([1 3 4 5], [0 1 9 16 25 7], 2.5)", VALUE),
    ("spline(1:4, w, [2.5 4])", "[NaN NaN]", ""),
    ("spline(1:3, [1 4 9; 1 Inf 1], 2.5)", "[6.25; NaN]", ""),
    ("pchip(1:5, [v 25], [1.5 2.5])", "pchip([1 3 4 5], [1 9 16 25], [1.5 2.5])", VALUE),
    ("pchip(1:4, w, [1.5 3.5])", "[NaN 9.875]", ""),
    ("makima([1 2 NaN 3], [1 4 5 9], 1.5)", "makima(1:3, [1 4 9], 1.5)", SITE),
    ("pchip(x, c, 1.25)", "complex(pchip(x, real(c), 1.25), pchip(x, imag(c), 1.25))", ""),
    ("spline(x, g, q)", "[NaN -Inf Inf]", ""),
    ("class(makima(single(x), g, 2))", "'single'", ""),
    ("ppval(spline(x, g), q)", "[NaN -Inf Inf]", ""),
    ("ppval(mkpp(0:2, [3; 4]), q)", "[NaN 4 3]", ""),
    ("ppval(mkpp(0:1, 3), q)", "[3 3 3]", ""),
    ("ppval(interp1(x, [1 3; 9 2; 3 4; 5 6], 'linear', 'pp'), [1.5 2.5 3])",
     "[5 2.5; 6 3; 3 4]", ""),
    ("size(ppval(interp1(x, ones(4, 2, 3), 'pchip', 'pp'), ones(3, 2)))", "[3 2 2 3]", ""),
    # interp1
    ("interp1([1 2 3], [1 NaN 3], [1 1.5 2 3])", "[1 NaN NaN 3]", ""),
    ("interp1([1 2 3], [1 Inf 3], [1 1.5 2 3])", "[1 Inf Inf 3]", ""),
    ("interp1(x, v, [1.4 1.6 2.6], 'nearest')", "[1 NaN 9]", ""),
    ("interp1(x, v, [1 1.5 2 2.5], 'spline')", "[1 2.25 4 6.25]", "MATLAB:interp1:NaNstrip"),
    ("interp1(x, v, 2.5, 'pchip')", "interp1([1 3 4], [1 9 16], 2.5, 'pchip')",
     "MATLAB:interp1:NaNstrip"),
    ("interp1(x, m, 2.5, 'makima')",
     "[interp1(x, m(:, 1), 2.5, 'makima') interp1([1 3 4], [3 4 6], 2.5, 'makima')]",
     "MATLAB:interp1:NaNstrip"),
    ("interp1([1 2 4 5], v, 3, 'cubic')", "interp1([1 4 5], [1 9 16], 3, 'spline')",
     "MATLAB:interp1:NaNstrip"),
    ("interp1(x, v, [1 1.5 3], 'cubic')", "[1 NaN 9]", ""),
    ("interp1(x, w, [1.5 3.5], 'pchip')", "[NaN 9.875]", ""),
    ("interp1(x, w, 3.5, 'spline')", "NaN", ""),
    ("interp1(x, c, 2.5, 'makima')",
     "complex(makima(x, real(c), 2.5), makima(x, imag(c), 2.5))", ""),
    ("interp1(x, c, [1 9])", "[1+1i complex(NaN, NaN)]", ""),
    ("interp1(x, g, [q 0 5], 'linear', 'extrap')", "[NaN Inf -Inf -1 23]", ""),
    ("interp1(x, g, q, 'spline', 0)", "[NaN 0 0]", ""),
    ("interp1(x, g, q, 'nearest', -1)", "[NaN -1 -1]", ""),
    ("interp1(x, g, 9, [], 5)", "5", ""),
    ("interp1(x, g, 5, [], 'extrap')", "23", ""),
    ("interp1(x, g, 2.5, [])", "6", ""),
    ("interp1([3 1 2], [9 1 4], 1.5)", "2.5", ""),
    ("interp1([1 2], [1 4], [])", "[]", ""),
    ("interp1([1 2], [1 4], [1.5 3], 'pchip')", "[2.5 7]", ""),
    ("interp1(1, 1, zeros(0, 3))", "zeros(0, 3)", ""),
    # tables of several variables
    ("interp2(A, [1.5 1], [1 1.5])", "[1.5 2]", ""),
    ("interp2(A, 1.5, 1, 'spline')", "1.5", "MATLAB:interp2:NaNstrip"),
    ("interp2([A; 8 9 1], 1.5, 3, 'makima')", "interp2([1 2 3; 5 6 7; 8 9 1], 1.5, 2, 'makima')",
     "MATLAB:interp2:NaNstrip"),
    ("interp2(1:3, [1 2 4], A, 1.5, 1, 'cubic')", "1.5", "MATLAB:interp2:NaNstrip"),
    ("interp2([1 2 3; 3 Inf 4; 5 6 7], 1.5, 1.5, 'spline')", "NaN", ""),
    ("interp2([1 2; 3 4], [NaN Inf 1], [1 1 NaN], 'linear', 7)", "[NaN 7 NaN]", ""),
    ("interp2([2 1], [1 2], [1 2; 3 4], 1.25, 1)", "1.75", ""),
    ("interp2([1 2; 3 4], [], [])", "[]", ""),
    ("interp2(magic(3), 1.5)", "interp2(magic(3))", ""),
    ("interp2([1+2i 2; 3 4], [1.5; 9], [1; 1])", "[1.5+1i; complex(NaN, NaN)]", ""),
    ("interpn(v, 2.5, 'spline')", "interpn([1 3 4], [1 9 16], 2.5, 'spline')",
     "MATLAB:interpn:NaNstrip"),
    ("interp3(cat(3, [1 2; 3 4], [5 6; 7 NaN], [1 2; 3 4]), 1.5, 1, 1, 'makima')", "1.5",
     "MATLAB:interp3:NaNstrip"),
    ("at(F(x, v, 'spline'), 1.5)", "NaN", ""),
    ("at(F(x, v, 'pchip'), [1.5 3.5])", "[NaN 12.5]", ""),
    ("at(F(x, g, 'linear', 'none'), [q 1.5])", "[NaN NaN NaN 2]", ""),
    ("at(F(x, g, 'next', 'nearest'), q)", "[NaN 16 1]", ""),
    ("interpft([1 NaN 3], 3)", "[NaN NaN NaN]", ""),
    # scattered data
    ("at(S(px, py, [1 NaN 3 4]'), [0.1 0.9], [0.2 0.9])", "[1.5 3.7]", ""),
    ("at(S(px, py, [1 NaN 3 4]', 'nearest'), [0.1 0.9], [0.2 0.1])", "[1 NaN]", ""),
    ("at(S(px, py, (1:4)'), [0.1 q], [0.2 1 1 1])", "[1.5 NaN NaN NaN]", ""),
    ("at(S([px; 1], [py; 1], [1 2 3 4 6]'), 1, 1)", "5", REPEATED),
    ("at(S([0 1 2]', [0 1 2]', [1 2 3]'), 0.5, 0.5)", "[]", EMPTY),
    ("at(S(0, 1, 2), 0.5, 0.5)", "[]", EMPTY),
    ("griddata(px, py, [1 NaN 3 4], 0.1, 0.1, 'v4')", "NaN", ""),
    ("griddata(px, py, 1:4, [NaN Inf], [0.1 0.1], 'cubic')", "[NaN NaN]", ""),
    ("griddata(px, py, 1:4, [], [])", "[]", ""),
    ("griddata([px; 1], [py; 1], [1 2 3 4 6], 1, 1)", "5", "MATLAB:griddata:DuplicateDataPoints"),
]  # fmt: skip

GRID, CLOUD = "MATLAB:griddedInterpolant:", "MATLAB:mathcgeo_catalog:"
ERRORS = [
    ("spline([], [], 1)", "MATLAB:chckxy:NotEnoughPts"),
    ("pchip(1, 1, 1)", "MATLAB:chckxy:NotEnoughPts"),
    ("spline([1 NaN], [1 2], 1)", "MATLAB:chckxy:NotEnoughPts"),
    ("makima([1 2], [1 NaN], 1)", "MATLAB:chckxy:NotEnoughPts"),
    ("spline([1 1 2], 1:3, 1)", "MATLAB:chckxy:RepeatedSites"),
    ("spline(1:3, 1:4, 1)", "MATLAB:chckxy:NumSitesMismatchValues"),
    ("spline(magic(2), 1:4, 1)", "MATLAB:chckxy:XNotVector"),
    ("spline(1:3, [0 1 4 9 NaN], 2)", "MATLAB:chckxy:EndslopeNaN"),
    ("spline(1:3, [-Inf 1 4 9 1], 2)", "MATLAB:chckxy:EndslopeInf"),
    *((f"interp1({x}, 1:3, 2)", GRID + problem) for x, problem in (
        ("[1 NaN 3]", "NonFiniteInputPtsErrId"), ("[1 2 Inf]", "NonFiniteInputPtsErrId"),
        ("[1 1 2]", "NonUniqueCompVecsPtsErrId"), ("1:4", "CompVecValueMismatchErrId"),
        ("[]", "DegenerateGridErrId"))),
    ("interp1(x, [1 NaN NaN NaN], 2, 'spline')", GRID + "DegenerateGridErrId"),
    ("interp1(magic(2), 1:4, 2)", "MATLAB:interp1:Xvector"),
    ("interp1(1:3, int8(1:3), 2)", "MATLAB:interp1:NonFloatValues"),
    ("interp1(1:3, 1:3, 2, 'linear', 'no')", "MATLAB:interp1:InvalidSpecPPExtrap"),
    ("interp2([1 1], [1 2], magic(2), 1, 1)", GRID + "NonUniqueCompVecsPtsErrId"),
    ("interp2([1 NaN], [1 2], magic(2), 1, 1)", GRID + "NonFiniteInputPtsErrId"),
    ("interp2([1 3 2], [1 2], ones(2, 3), 1, 1)", GRID + "NonMonotonicCompVecsErrId"),
    ("interp2([NaN 2; 3 NaN], 1, 1, 'spline')", "MATLAB:interp2:NotEnoughPointsNanStrip"),
    ("interp2([], 1, 1)", GRID + "DegenerateGridErrId"),
    ("interp2(magic(3), 1, 1, 'linear', [1 2])", "MATLAB:interp2:InvalidExtrapval"),
    ("interp2(magic(3), -1)", "MATLAB:interp2:NtimesInvalid"),
    ("F([1 NaN], [1 2])", GRID + "NonFiniteInputPtsErrId"),
    ("F(1:2, 1:2, 'linear', 'no')", GRID + "ExtrapolationMethodInvalid"),
    ("F({1:2, 1:2}, magic(2), 'next')", GRID + "BadMethod"),
    ("S([0 NaN 1]', [0 1 0]', (1:3)')", CLOUD + "NonFiniteInputPtsErrId"),
    ("griddata([0 1 2], [0 1 2], 1:3, 1, 1)", "MATLAB:griddata:EmptyTriangulation"),
    ("griddata([0 1 Inf], [0 1 2], 1:3, 1, 1)", CLOUD + "NonFiniteInputPtsErrId"),
]  # fmt: skip


@pytest.fixture(scope="module")
def prepared() -> Session:
    session = Session()
    session.run(SETUP)
    return session


@pytest.mark.parametrize(("code", "expected", "warning"), VALUES, ids=[row[0] for row in VALUES])
def test_values(code: str, expected: str, warning: str, prepared: Session) -> None:
    wanted = prepared.eval(expected)
    prepared.run("lastwarn('', '');")
    prepared.capture(f"r = {code};")
    prepared.run("[~, said] = lastwarn;")
    assert prepared["said"] == warning
    found = prepared["r"]
    if isinstance(wanted, str):
        assert found == wanted
        return
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


@pytest.mark.parametrize(("code", "identifier"), ERRORS, ids=[row[0] for row in ERRORS])
def test_errors(code: str, identifier: str, prepared: Session) -> None:
    with pytest.raises(MatlabError) as caught:
        prepared.run(f"{code};")
    assert caught.value.identifier == identifier
