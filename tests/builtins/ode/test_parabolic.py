"""pdepe against exact solutions, in slabs, cylinders and spheres, and pdeval between points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.session import Session

Numbers = Callable[[str, str], Any]
Fails = Callable[[str], str]

TIGHT = "o = odeset('RelTol', 1e-6, 'AbsTol', 1e-8);"
HEAT = "heat = @(x, t, u, ux) deal(1, ux, 0); ends = @(a, u, b, v, t) deal(u, 0, v, 0);"

#: Mesh, call and the solution at its last time; all errors fall with the square of the mesh.
PROBLEMS = {
    # decay under heat flowing out on the right: u_x = -pi*exp(-t)
    "slab": (
        "x = linspace(0, 1, n);",
        "pdepe(0, @(x, t, u, ux) deal(pi^2, ux, 0), @(x) sin(pi*x),"
        "@(a, u, b, v, t) deal(u, 0, pi*exp(-t), 1), x, [0 1 2], o)",
        "exp(-2)*sin(pi*x)",
        0.01,
    ),
    "cylinder from its axis": (
        "x = linspace(0, 1, n); k = 2.404825557695773;",
        "pdepe(1, heat, @(x) besselj(0, k*x), ends, x, [0 0.1 0.2], o)",
        "exp(-0.2*k^2)*besselj(0, k*x)",
        0.004,
    ),
    "tube": (
        "x = linspace(1, 2, n); k = 3; f = @(x) besselj(0, k*x);",
        "pdepe(1, heat, f, @(a, u, b, v, t) deal(u - exp(-k^2*t)*f(1), 0, v - exp(-k^2*t)*f(2),"
        "0), x, [0 0.05 0.1], o)",
        "exp(-0.1*k^2)*f(x)",
        0.001,
    ),
    "sphere from its centre": (
        "x = linspace(0, 1, n); s = @(x) sin(pi*max(x, 1e-9))./max(x, 1e-9);",
        "pdepe(2, heat, s, ends, x, [0 0.05 0.1], o)",
        "exp(-0.1*pi^2)*s(x)",
        0.02,
    ),
    "shell": (
        "x = linspace(1, 2, n); s = @(x) sin(pi*(x - 1))./x;",
        "pdepe(2, heat, s, ends, x, [0 0.05 0.1], o)",
        "exp(-0.1*pi^2)*s(x)",
        0.004,
    ),
    # a travelling wave of Burgers' equation
    "wave": (
        "x = linspace(-1, 2, n); w = @(x, t) 0.5 - 0.5*tanh((x - 0.5*t)/0.4);",
        "pdepe(0, @(x, t, u, ux) deal(1, 0.1*ux - u^2/2, 0), @(x) w(x, 0),"
        "@(a, u, b, v, t) deal(u - w(a, t), 0, v - w(b, t), 0), x, [0 0.5 1], o)",
        "w(x, 1)",
        0.05,
    ),
    # two substances, of which the second is the source of the first, in uneven steps of space
    "reaction": (
        "x = linspace(0, 1, n).^1.3*pi;",
        "pdepe(0, @(x, t, u, ux) deal([1; 1], ux, [u(2); 0]), @(x) [0; sin(x)],"
        "@(a, u, b, v, t) deal(u, [0; 0], v, [0; 0]), x, [0 0.5 1], o)",
        "exp(-1)*[sin(x); sin(x)]",
        0.02,
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_errors_fall_with_the_square_of_the_mesh(numbers: Numbers, name: str) -> None:
    mesh, call, wanted, most = PROBLEMS[name]
    code = TIGHT + HEAT + "e = []; for n = [11 21 41], " + mesh + "u = " + call + ";"
    code += f"e(end+1) = max(abs(permute(u(end, :, :), [3 2 1]) - ({wanted})), [], 'all'); end"
    coarse, middle, fine = numbers(code, "e").ravel()
    assert coarse < most
    assert 1.7 < np.log2(coarse / middle) < 2.3
    assert 1.7 < np.log2(middle / fine) < 2.3


def test_an_elliptic_equation_beside_a_parabolic_one(numbers: Numbers) -> None:
    """v_xx = -u holds at each time, from the first on: v = u/pi^2 for u = exp(-pi^2*t)*sin."""
    code = TIGHT + "f = @(x, t, u, ux) deal([1; 0], ux, [0; u(1)]); x = linspace(0, 1, 41);"
    code += "u = pdepe(0, f, @(x) [sin(pi*x); 7], @(a, u, b, v, t) deal(u, [0;0], v, [0;0]), x,"
    code += "[0 0.05 0.1], o); r = [u(:, :, 2)*pi^2; u(:, :, 1)];"
    found = numbers(code, "r")
    np.testing.assert_allclose(found[:3], found[3:], atol=2e-3)
    np.testing.assert_allclose(found[0, 20], 1, atol=2e-3)


def test_flux_and_conductivity(numbers: Numbers) -> None:
    """In layers of different conductivity, the steady flux is the same: here 1."""
    code = "k = @(x) 1 + 3*(x > 0.5); x = linspace(0, 1, 21); o = odeset('RelTol', 1e-6);"
    code += "u = pdepe(0, @(x, t, u, ux) deal(1, k(x)*ux, 0), @(x) 0,"
    code += "@(a, u, b, v, t) deal(u, 0, -1, 1), x, [0 5 20], o); r = u(end, :);"
    x = np.linspace(0, 1, 21)
    wanted = np.where(x <= 0.5, x, 0.5 + (x - 0.5) / 4)
    np.testing.assert_allclose(numbers(code, "r").ravel(), wanted, atol=1e-4)


def test_boundary_values_that_the_start_does_not_have(numbers: Numbers) -> None:
    """A body at 0 between walls at 1 is a quarter full of heat after the time of the series."""
    code = TIGHT + "u = pdepe(0, @(x, t, u, ux) deal(1, ux, 0), @(x) 0, @(a, u, b, v, t) "
    code += "deal(u - 1, 0, v - 1, 0), linspace(0, 1, 81), [0 0.02 0.1], o);"
    code += "r = [u(1, [1 81]) u(3, 41)];"
    odd = np.arange(1, 40, 2)
    wanted = 1 - (4 / np.pi / odd * np.sin(odd * np.pi / 2) * np.exp(-0.1 * (odd * np.pi) ** 2))
    centre = 1 - (1 - wanted).sum()
    np.testing.assert_allclose(numbers(code, "r").ravel(), [1, 1, centre], atol=2e-3)


def test_events(numbers: Numbers) -> None:
    """The middle falls to one half where exp(-pi^2*t) = 1/2."""
    code = TIGHT + HEAT + "e = @(m, t, x, u) deal(u(1, 6) - 0.5, 1, 0); o.Events = e;"
    code += "x = linspace(0, 1, 11); [u, t, ue, te, ie] = "
    code += "pdepe(0, heat, @(x) sin(pi*x), ends, x, 0:0.02:1, o);"
    code += "r = [te, ie, ue(1, 6), t(end), size(u)];"
    te, ie, ue, last, rows, columns = numbers(code, "r").ravel()
    assert te == pytest.approx(np.log(2) / np.pi**2, rel=0.01)
    assert (ie, last, rows, columns) == (1, 0.06, 4, 11)
    assert ue == pytest.approx(0.5, abs=1e-6)


def test_complex_solutions_and_parameters(numbers: Numbers) -> None:
    code = TIGHT + "x = linspace(0, 1, 21); u = pdepe(0, @(x, t, u, ux, k) deal(k, ux, 0),"
    code += "@(x, k) sin(pi*x), @(a, u, b, v, t, k) deal(u, 0, v, 0), x, [0 0.05 0.1], o, 2);"
    code += "r = u(3, 11);"
    assert numbers(code, "r").item() == pytest.approx(np.exp(-0.05 * np.pi**2), abs=2e-3)
    code = TIGHT + "x = linspace(0, 1, 41); u = pdepe(0, @(x, t, u, ux) deal(1, 1i*ux, 0),"
    code += "@(x) complex(sin(pi*x)), @(a, u, b, v, t) deal(u, 0, v, 0), x, [0 0.05 0.1], o);"
    code += "r = u(3, 21);"
    assert numbers(code, "r").item() == pytest.approx(np.exp(-0.1j * np.pi**2), abs=3e-3)


BETWEEN = [
    ("pdeval(0, [0 1 3], [5 6 10], [0.5 2; 0 3])", "[5.5 8; 5 10]"),
    # what these coordinates make of solutions without sources
    ("pdeval(1, [1 2 4], log([1 2 4]), [1 1.5 3 4])", "log([1 1.5 3 4])"),
    ("pdeval(2, [1 2 4], 1./[1 2 4], [1 1.5 3 4])", "1./[1 1.5 3 4]"),
    # and parabolas from the centre
    ("pdeval(1, [0 1 3], [0 1 9], [0 0.5 2])", "[0 0.25 4]"),
    ("pdeval(2, [0 1 3], [0 1 9]', [0 0.5 2]')", "[0 0.25 4]'"),
]


@pytest.mark.parametrize(("call", "wanted"), BETWEEN)
def test_between_points(numbers: Numbers, call: str, wanted: str) -> None:
    found = numbers(f"r = {call};", "r")
    expected = numbers(f"r = {wanted};", "r")
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_derivatives_between_points(numbers: Numbers, session: Session) -> None:
    code = "[~, a] = pdeval(1, [1 2 4], log([1 2 4]), [1 1.5 3 4]);"
    code += "[~, b] = pdeval(2, [1 2 4], 1./[1 2 4], [1 1.5 3 4]);"
    code += "[~, c] = pdeval(2, [0 1 3], [0 1 9], [0 0.5 2 3]); r = [a; b; c];"
    x = np.array([1, 1.5, 3, 4])
    wanted = [1 / x, -1 / x**2, [0, 1, 4, 6]]
    np.testing.assert_allclose(numbers(code, "r"), wanted, rtol=1e-13)
    assert session.eval("class(pdeval(0, single([0 1]), single([1 2]), single(0.5)))") == "single"


CALL = "pdepe({}, @(x, t, u, ux) deal({}), @(x) 1, @(a, u, b, v, t) deal({}), {}, {})"
USUAL = ("0", "1, ux, 0", "u, 0, v, 0", "0:0.1:1", "0:2")
ERRORS = [
    (CALL.format("3", *USUAL[1:]), "MATLAB:pdepe:InvalidM"),
    (CALL.format("1", *USUAL[1:3], "-1:1", "0:2"), "MATLAB:pdepe:NegXMESHwithPosM"),
    (CALL.format(*USUAL[:3], "[0 1 1]", "0:2"), "MATLAB:pdepe:XMESHNotIncreasing"),
    (CALL.format(*USUAL[:4], "[0 1]"), "MATLAB:pdepe:TSPANNotIncreasing"),
    (CALL.format("0", "[1 2], ux, 0", *USUAL[2:]), "MATLAB:pdepe:pdefunOutputSize"),
    (CALL.format("0", "1, ux, 0", "u, 0, v, [0 1]", *USUAL[3:]), "MATLAB:pdepe:bcfunOutputSize"),
    (CALL.format("0", "0, ux, 0", *USUAL[2:]), "MATLAB:pdepe:SpatialDiscretizationFailed"),
    ("pdepe(0, 1, 2, 3, 0:2, 0:2)", "MATLAB:pdepe:FcnNotFcnHandle"),
    ("pdepe(0, @sin, @sin, @sin, 0:2)", "MATLAB:minrhs"),
    ("pdeval(0, 0:2, 1:2, 1)", "MATLAB:pdeval:SizeMismatch"),
    ("pdeval(0, 0:2, 1:3, 7)", "MATLAB:pdeval:XoutOutOfRange"),
    ("pdeval(5, 0:2, 1:3, 1)", "MATLAB:pdeval:InvalidM"),
]


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(code: str, identifier: str, fails: Fails) -> None:
    assert fails(code) == identifier


def test_what_blows_up_is_told_of(session: Session) -> None:
    session.run("clear; lastwarn('', ''); warning off;")
    code = "u = pdepe(0, @(x, t, u, ux) deal(1, ux, 50*u^2), @(x) 10, @(a, u, b, v, t) "
    code += "deal(0, 1, 0, 1), linspace(0, 1, 7), 0:0.001:1);"
    session.run(code + "warning on; [~, id] = lastwarn;")
    assert session.eval("id") == "MATLAB:pdepe:TimeIntegrationFailed"
    assert 2 <= session.eval("size(u, 1)") <= 3
