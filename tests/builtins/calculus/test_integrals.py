"""Integrals against closed forms, and differential operators against exact ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.session import Session

CATALAN = 0.915965594177219015


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


SINGLE = [
    ("quadgk(@(x) log(x), 0, 1)", -1, 1e-6),
    ("quadgk(@(x) exp(-x), 0, Inf)", 1, 1e-8),
    ("quadgk(@(x) exp(x), -Inf, 0)", 1, 1e-8),
    ("quadgk(@(x) 1 ./ (1 + x.^2), -Inf, Inf)", math.pi, 1e-8),
    ("quadgk(@(x) 1 ./ (1 + x.^2), Inf, -Inf)", -math.pi, 1e-8),
    ("quadgk(@(x) 1 ./ sqrt(x), 0, 1)", 2, 1e-6),
    ("quadgk(@(x) x.^5 .* exp(-x) .* sin(x), 0, Inf)", -15, 1e-6),
    ("quadgk(@(x) abs(x - 0.3), 0, 1, 'Waypoints', 0.3)", 0.29, 1e-13),
    ("quadgk(@(x) exp(-x) .* (x > 2), 0, Inf, 'Waypoints', 2)", math.exp(-2), 1e-10),
    ("quadgk(@(z) 1 ./ z, 1, 1, 'Waypoints', [1+1i -1+1i -1-1i 1-1i])", 2j * math.pi, 1e-12),
    ("quadgk(@(z) z, 0, 1+1i)", 1j, 1e-12),
    ("quadgk(@sin, 2, 2)", 0, 0),
    ("quad(@(x) sqrt(x), 0, 1)", 2 / 3, 1e-5),
    ("quad(@(x, a) a*x.^2, 0, 1, 1e-9, [], 3)", 1, 1e-9),
    ("quadl(@(x) exp(x), 0, 1, 1e-10)", math.e - 1, 1e-12),
    ("quadl(@(x) sin(x), pi, 0)", -2, 1e-6),
    ("quadv(@(x) [x 1i*x; 1 x^2], 0, 1) - [1/2 1i/2; 1 1/3]", 0, 1e-9),
]


@pytest.mark.parametrize(("code", "expected", "tolerance"), SINGLE)
def test_one_variable(session: Session, code: str, expected: complex, tolerance: float) -> None:
    np.testing.assert_allclose(session.eval(code), expected, rtol=0, atol=tolerance)


SEVERAL = [
    ("integral2(@(x,y) 1 ./ (sqrt(x+y) .* (1+x+y).^2), 0, 1, 0, @(x) 1-x)", math.pi / 4 - 0.5),
    ("integral2(@(x,y) exp(-x.^2-y.^2), -Inf, Inf, -Inf, Inf)", math.pi),
    ("integral2(@(x,y) 1 ./ (1 + x.^2 .* y.^2), 0, 1, 0, 1)", CATALAN),
    ("integral2(@(x,y) x.^2 .* y, 1, 0, 0, 2)", -2 / 3),
    ("integral2(@(x,y) x .* y, 0, 1, @(x) x.^2, @(x) x, 'Method', 'iterated')", 1 / 24),
    ("integral2(@(x,y) x .* y, 0, 1, @(x) x.^2, @(x) x, 'Method', 'tiled')", 1 / 24),
    ("integral3(@(x,y,z) y.*sin(x) + z.*cos(x), 0, pi, 0, 1, -1, 1)", 2),
    ("integral3(@(x,y,z) x.*y.*z, 0, 1, 0, @(x) x, 0, @(x,y) x.*y)", 1 / 64),
    ("integral3(@(x,y,z) exp(-x-y-z), 0, Inf, 0, 1, 0, 1)", (1 - math.exp(-1)) ** 2),
    ("quad2d(@(x,y) y.*sin(x) + x.*cos(y), pi, 2*pi, 0, pi)", -(math.pi**2)),
    ("dblquad(@(x,y) y*sin(x) + x*cos(y), pi, 2*pi, 0, pi)", -(math.pi**2)),
    ("triplequad(@(x,y,z) y*sin(x) + z*cos(x), 0, pi, 0, 1, -1, 1, 1e-8)", 2),
]


@pytest.mark.parametrize(("code", "expected"), SEVERAL)
def test_several_variables(session: Session, code: str, expected: float) -> None:
    assert session.eval(code) == pytest.approx(expected, abs=1e-6)


def test_second_outputs(session: Session) -> None:
    session.run("[q, e] = quadgk(@(x) exp(-x.^2), -Inf, Inf); [p, n] = quad(@cos, 0, 1);")
    assert abs(session.eval("q") - math.sqrt(math.pi)) <= session.eval("e") < 1e-5
    # seven points to begin with, and two for each part that is looked at
    assert session.eval("n") % 2 == 1
    assert session.eval("n") >= 13


def test_warnings(session: Session) -> None:
    session.run("lastwarn(''); q = quadgk(@(x) 1 ./ x, 0, 1); [~, id] = lastwarn;")
    assert session.eval("id") in (
        "MATLAB:quadgk:NonFiniteValue", "MATLAB:quadgk:MaxIntervalCountReached",
    )  # fmt: skip
    session.run("q = quadgk(@(x) sin(1e5*x), 0, 9, 'MaxIntervalCount', 20); [~, id] = lastwarn;")
    assert session.eval("id") == "MATLAB:quadgk:MaxIntervalCountReached"
    session.run("q = quad(@(x) 1 ./ abs(x - 0.3).^2, 0, 1); [~, id] = lastwarn;")
    assert session.eval("id").startswith("MATLAB:quad:")


OPERATORS = [
    ("del2((1:6).^2)", "ones(1,6)/2"),
    ("del2(((0:0.5:3).^2)', 0.5)", "ones(7,1)/2"),
    ("del2([0 1 3 4 7].^2, [0 1 3 4 7])", "ones(1,5)/2"),
    ("[x,y] = meshgrid(1:5,1:4);; del2(x.^2 + 3*y.^2)", "2*ones(4,5)"),
    ("[x,y] = meshgrid(0:.5:2,0:2:8);; del2(x.^2 + 3*y.^2, 0.5, 2)", "2*ones(5,5)"),
    ("[x,y,z] = meshgrid(1:4,1:5,1:6);; del2(x.^2 + y.^2 + z.^2)", "ones(5,4,6)"),
    ("del2([1 2 4])", "[1 1 1]/4"),
    ("del2([1 2])", "[0 0]"),
    ("class(del2(single(1:5)))", "'single'"),
    ("[x,y] = meshgrid(0:.5:2,0:3);; divergence(x, y, 2*x, 3*y)", "5*ones(4,5)"),
    ("[x,y,z] = meshgrid(1:3,1:4,1:2);; divergence(x, y, z, x, 2*y, 4*z)", "7*ones(4,3,2)"),
    ("[x,y] = meshgrid(0:3);; divergence(x, y)", "2*ones(4)"),
    ("[x,y] = meshgrid(-1:1);; curl(x, y, -y, x)", "ones(3)"),
    ("[x,y,z] = meshgrid(1:3,1:4,1:2);; [a,b,c] = curl(x,y,z, -y, x, 0*z);; [a(:) b(:) c(:)]",
     "[0 0 2] + zeros(24,1)"),
    ("[x,y,z] = meshgrid(1:3,1:4,1:2);; [a,b,c,s] = curl(0*x, -z, y);; [a(1) b(1) c(1) s(1)]",
     "[2 0 0 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), OPERATORS)
def test_operators(session: Session, code: str, expected: str) -> None:
    *before, last = code.split(";;")
    session.run(";".join(before) + ";" if before else "")
    session.run(f"r = {last}; w = {expected};")
    if isinstance(session.eval("w"), str):
        assert session.eval("r") == session.eval("w")
    else:
        assert session.eval("isequal(size(r), size(w))")
        np.testing.assert_allclose(session.eval("r"), session.eval("w"), atol=1e-12)


ERRORS = [
    ("quadgk(@(x) 1, 0, 1)", "MATLAB:quadgk:FxNotSameSizeAsX"),
    ("quadgk(@sin, [0 1], 1)", "MATLAB:quadgk:invalidEndpoint"),
    ("quadgk(@sin, 0, 1, 'RelTol', -1)", "MATLAB:quadgk:invalidRelTol"),
    ("quadgk(@sin, 0, 1, 'Waypoint', 1, 'x', 1)", "MATLAB:quadgk:unrecognizedStringChoice"),
    ("quad(@sin, 0, Inf)", "MATLAB:quad:scalarLimits"),
    ("integral2(@(x,y) 1, 0, 1, 0, 1)", "MATLAB:integral2:UnexpectedOutputSize"),
    ("integral2(@(x,y) x, 0, Inf, 0, 1, 'Method', 'tiled')", "MATLAB:integral2:InfiniteLimits"),
    ("quad2d(@(x,y) x, 0, Inf, 0, 1)", "MATLAB:quad2d:NonFiniteLimits"),
    ("del2(1:5, 1, 2)", "MATLAB:del2:InvalidInputs"),
    ("curl(1:3, 4:6)", "MATLAB:curl:InvalidInputs"),
    ("[a, b, c] = curl(magic(3), magic(3))", "MATLAB:maxlhs"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code + ";")
    assert raised.value.identifier == identifier
