"""Interpolation on grids: exact on polynomials of the method's degree, forms and extrapolation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runmat_core.session import Session

SETUP = """
x = [0 1 2.5 4 5]; y = 0:0.5:3; z = [1 2 4 7];
[X, Y, Z] = ndgrid(x, y, z); [MX, MY, MZ] = meshgrid(x, y, z);
u = 0:4; w = 0:3; [U, W] = ndgrid(u, w);
qx = [0.3 2.5 4.9]; qy = [0.1 1.7 2.9]; qz = [1.5 4 6.2];
"""


@pytest.fixture(scope="module")
def prepared() -> Session:
    session = Session()
    session.run(SETUP)
    return session


EXACT = [
    # linear in each variable
    ("interpn(x, y, z, X.*Y + 2*Z, qx, qy, qz)", "qx.*qy + 2*qz"),
    ("interpn(X, Y, Z, X.*Y.*Z, qx', qy', qz')", "(qx.*qy.*qz)'"),
    ("interp3(MX, MY, MZ, MX.*MY + MZ, qx, qy, qz)", "qx.*qy + qz"),
    ("interp3(x, y, z, MX + 10*MY - MZ, qx, qy, qz, 'linear')", "qx + 10*qy - qz"),
    # cubic in each variable
    ("interpn(x, y, z, X.^3 - Y.^3.*Z.^2, qx, qy, qz, 'spline')", "qx.^3 - qy.^3.*qz.^2"),
    ("interpn(x, y, z, X.^3, 6, 4, 0, 'spline')", "216"),
    # modified Akima: linear in each variable, and the product of those of one variable
    ("interpn(x, y, z, X.*Y + 2*Z, qx, qy, qz, 'makima')", "qx.*qy + 2*qz"),
    ("interpn(x, y, (2 + sin(x')).*exp(y), qx, qy, 'makima')",
     "interp1(x, 2 + sin(x), qx, 'makima').*interp1(y, exp(y), qy, 'makima')"),
    ("interp2(y, x, (2 + sin(x')).*exp(y), qy, qx, 'makima')",
     "interp1(x, 2 + sin(x), qx, 'makima').*interp1(y, exp(y), qy, 'makima')"),
    ("interp2([1 2; 3 5], 3, 3, 'makima')", "11"),
    ("interp2(1:6, 1:5, kron(0:1, ones(5, 3)), [2.5 3.5], [2 3], 'makima')", "[0 0.5]"),
    ("interp2(x, y, MX(:, :, 1).^3 - MY(:, :, 1).^2, 6, 4, 'spline')", "200"),
    ("interp2(x, y, MX(:, :, 1), 6, 4, 'makima', -1)", "-1"),
    ("interp2(u, w, (U.^2 - W.^2 + U.*W)', qx(1:2), qy(1:2), 'cubic')",
     "qx(1:2).^2 - qy(1:2).^2 + qx(1:2).*qy(1:2)"),
    ("interp2(u, w, U', 9, 1, 'cubic')", "NaN"),
    ("interp2(u, w, U', [NaN 1], [1 1], 'makima')", "[NaN 1]"),
    # cubic convolution is exact on parabolas, the pieces at the ends too
    ("interpn(u, w, U.^2 - W.^2 + U.*W, qx(1:2), qy(1:2), 'cubic')",
     "qx(1:2).^2 - qy(1:2).^2 + qx(1:2).*qy(1:2)"),
    ("interpn(x, y, z, X, [0.4 0.6 9], [1 1 1], [1 1 1], 'nearest')", "[0 1 NaN]"),
    ("interpn(x, y, z, X, 9, 1, 1, 'linear', -1)", "-1"),
    ("interpn([1 2; 3 4], 1)", "[1 1.5 2; 2 2.5 3; 3 3.5 4]"),
    ("interpn([1 2; 3 4])", "[1 1.5 2; 2 2.5 3; 3 3.5 4]"),
    ("size(interpn(x, y, z, X, qx', qy(1:2), 2))", "[3 2]"),
    ("size(interp3(x, y, z, MX, qx, qy(1:2)', 2))", "[2 3]"),
    ("interp3(x, y, z, MX + 10*MY, qx, qy(1:2)', 2)", "[qx + 1; qx + 17]"),
    ("interpn([1 4 9], 2.5)", "6.5"),
    # descending coordinates
    ("interpn([3 2 1], [1 2], [30 31; 20 21; 10 11], 1.5, 1)", "15"),
    ("interpn([1 2], [1 2], [1 2; 3 NaN], 1, 1.5)", "1.5"),
]  # fmt: skip

OBJECTS = [
    ("F = griddedInterpolant(x, x.^2); r = F([0.5 6]);", "", "[0.5 34]"),
    ("F = griddedInterpolant({x, y}, x'.*y); r = F({[0.5 1], [0.25 3]});", "",
     "[0.125 1.5;0.25 3]"),
    ("F = griddedInterpolant({x, y}, x'.*y); r = F([0.5 0.25; 1 3]);", "", "[0.125; 3]"),
    ("F = griddedInterpolant(U, W, U + W, 'nearest', 'none'); r = F([1.5 9], [0.2 0]);", "",
     "[2 NaN]"),
    ("F = griddedInterpolant(U, W, U + W, 'linear', 'nearest'); r = F(9, 1);", "", "5"),
    ("F = griddedInterpolant(x, x.^3, 'spline'); r = F([2 7]);", "", "[8 343]"),
    ("F = griddedInterpolant([1 2 3], [1 4 9], 'previous'); r = F([1.5 2.9]);", "", "[1 4]"),
    ("F = griddedInterpolant([1 4 9]); r = F(1.5);", "", "2.5"),
    ("F = griddedInterpolant(1:3, [1 4 9]); G = F; G.Values = [0 0 3]; r = [F(2.5) G(2.5)];", "",
     "[6.5 1.5]"),
    ("F = griddedInterpolant(1:3, [1 4 9]); F.Method = 'nearest'; r = F(2.4);", "", "4"),
    ("F = griddedInterpolant(1:3, [1 4 9], 'pchip'); r = F.Method;", "", "'pchip'"),
    ("F = griddedInterpolant({1:2, 1:3}, ones(2, 3)); r = F.GridVectors;", "", "{1:2, 1:3}"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), EXACT)
def test_exact(code: str, expected: str, prepared: Session) -> None:
    found, wanted = (np.asarray(prepared.eval(c)) for c in (code, expected))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("code", "_", "expected"), OBJECTS)
def test_objects(code: str, _: str, expected: str, prepared: Session) -> None:
    prepared.run(code)
    if "'" in expected or "{" in expected:
        assert prepared.eval(f"isequal(r, {expected})")
        return
    found, wanted = (np.asarray(prepared.eval(c)) for c in ("r", expected))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_a_spline_is_that_of_one_variable(prepared: Session) -> None:
    found = prepared.eval("interpn(x, sin(x), 0.3:0.7:4, 'spline')")
    np.testing.assert_allclose(found, prepared.eval("spline(x, sin(x), 0.3:0.7:4)"), rtol=1e-12)


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("interpn([1 2;3 4], 1, 2, 'liner')", "MATLAB:griddedInterpolant:BadInterpTypeErrId"),
        ("interp3([1 2;3 4], 1, 2, 1)", "MATLAB:interp3:nargin"),
        ("griddedInterpolant([1 3 2], [1 2 3])",
         "MATLAB:griddedInterpolant:NonMonotonicCompVecsErrId"),
        ("griddedInterpolant([1 2], [1 2 3])",
         "MATLAB:griddedInterpolant:CompVecValueMismatchErrId"),
        ("griddedInterpolant(5)", "MATLAB:griddedInterpolant:DegenerateGridErrId"),
        ("F = griddedInterpolant(1:3); F(1, 2)",
         "MATLAB:griddedInterpolant:NumCoordsMismatchErrId"),
        ("F = griddedInterpolant(1:3); F.Values = 1",
         "MATLAB:griddedInterpolant:CompVecValueMismatchErrId"),
    ],
)  # fmt: skip
def test_errors(code: str, identifier: str, fails: Callable[[str], str]) -> None:
    assert fails(code) == identifier


def test_objects_are_equal_by_what_they_hold(prepared: Session) -> None:
    prepared.run("F = griddedInterpolant(1:3, [1 4 9]); E = F; H = F;")
    prepared.run("G = griddedInterpolant(1:3, [1 4 9]); H.Values = [1 4 8];")
    assert prepared.eval("isequal(F, E) && isequal(F, G) && isequal({F}, {G})")
    assert not prepared.eval("isequal(F, H) || isequal(F, 3) || isequal(3, F)")
