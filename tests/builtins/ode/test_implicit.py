"""ode15i against exact solutions, and decic's starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.builtins.ode.differences import divided, weights_of
from runmat_core.session import Session

Numbers = Callable[[str, str], Any]
Fails = Callable[[str], str]

WEISSINGER = "f = @(t, y, yp) t*y^2*yp^3 - y^3*yp^2 + t*(t^2 + 1)*yp - t^2*y;"
#: x' = -x + z, 0 = x - z - cos(t): x = x(0) - sin(t), z = x - cos(t)
ALGEBRAIC = "f = @(t, y, yp) [yp(1) + y(1) - y(2); y(1) - y(2) - cos(t)];"
CIRCLE = "f = @(t, y, yp) [yp(1) - y(2); yp(2) + y(1)];"


def test_weights_are_those_of_polynomials() -> None:
    nodes, at = np.array([2.0, 1.5, 0.7, -0.2]), 2.3
    value, slope = weights_of(nodes, at)
    assert value @ nodes**3 == pytest.approx(at**3)
    assert slope @ nodes**3 == pytest.approx(3 * at**2)
    table = divided(nodes, (nodes**3)[:, None])
    assert table[3, 0] == pytest.approx(1)


@pytest.mark.parametrize(("tolerance", "error"), [(1e-3, 4e-3), (1e-6, 1e-4), (1e-9, 8e-7)])
def test_weissinger(numbers: Numbers, tolerance: float, error: float) -> None:
    """The known solution is sqrt(t^2 + 1/2)."""
    code = WEISSINGER + f"o = odeset('RelTol', {tolerance}, 'AbsTol', {tolerance}/10);"
    code += "[y0, p] = decic(f, 1, sqrt(3/2), 1, 0, 0); [t, y] = ode15i(f, [1 10], y0, p, o);"
    t, y = numbers(code + "r = [t y];", "r").T
    np.testing.assert_allclose(y, np.sqrt(t**2 + 0.5), atol=error)
    assert 1 - 1e-14 < t[0] <= t[-1] == 10


def test_backward_in_time_at_given_times(numbers: Numbers) -> None:
    code = CIRCLE + "o = odeset('RelTol', 1e-8, 'AbsTol', 1e-10);"
    code += "[t, y] = ode15i(f, [3 2 0.5], [sin(3); cos(3)], [cos(3); -sin(3)], o); r = [t y];"
    t, sine, cosine = numbers(code, "r").T
    assert t.tolist() == [3, 2, 0.5]
    np.testing.assert_allclose(sine, np.sin(t), atol=1e-6)
    np.testing.assert_allclose(cosine, np.cos(t), atol=1e-6)


@pytest.mark.parametrize(
    "option",
    ["", "'Jacobian', {[1 -1; 1 -1], [1 0; 0 0]}", "'Jacobian', {[], [1 0; 0 0]}",
     "'Jacobian', @(t, y, yp) deal([1 -1; 1 -1], [1 0; 0 0])", "'MaxOrder', 2"],
)  # fmt: skip
def test_algebraic_equations(numbers: Numbers, option: str) -> None:
    code = ALGEBRAIC + f"o = odeset('RelTol', 1e-6, 'AbsTol', 1e-8{option and ', ' + option});"
    code += "[y0, p, left] = decic(f, 0, [2; 0], [1 0], [0; 0], [], o);"
    code += "s = ode15i(f, [0 5], y0, p, o); r = [s.x; s.y];"
    t, x, z = numbers(code, "r")
    np.testing.assert_allclose(x, 2 - np.sin(t), atol=3e-4)
    np.testing.assert_allclose(z, x - np.cos(t), atol=1e-9)


def test_between_steps(numbers: Numbers) -> None:
    code = CIRCLE + "o = odeset('RelTol', 1e-7, 'AbsTol', 1e-9); x = linspace(0, 6, 50);"
    code += "s = ode15i(f, [0 6], [0; 1], [1; 0], o); [y, p] = deval(s, x, 1); r = [x; y; p];"
    x, y, slope = numbers(code, "r")
    np.testing.assert_allclose(y, np.sin(x), atol=1e-5)
    np.testing.assert_allclose(slope, np.cos(x), atol=1e-3)


def test_stiff(numbers: Numbers) -> None:
    code = "f = @(t, y, yp) yp + 1e6*(y - cos(t)) + sin(t);"
    code += "s = ode15i(f, [0 10], 1, 0); r = [s.y(end), numel(s.x)];"
    end, count = numbers(code, "r").ravel()
    assert end == pytest.approx(np.cos(10), abs=1e-3)
    assert count < 200


def test_events_see_the_derivative(numbers: Numbers) -> None:
    """The derivative of sin is 0 at pi/2."""
    code = CIRCLE + "e = @(t, y, yp) deal(yp(1), 1, 0);"
    code += "o = odeset('RelTol', 1e-8, 'AbsTol', 1e-10, 'Events', e);"
    code += "[t, y, te, ye, ie] = ode15i(f, [0 9], [0; 1], [1; 0], o); r = [te ye ie t(end)];"
    te, sine, _, ie, last = numbers(code, "r").ravel()
    assert te == last == pytest.approx(np.pi / 2, abs=1e-5)
    assert (sine, ie) == (pytest.approx(1, abs=1e-6), 1)


def test_classes_parameters_and_counts(session: Session, capsys: Any) -> None:
    session.run("f = @(t, y, yp, k) yp + k*y; o = odeset('Stats', 'on');")
    session.run("[t, y] = ode15i(f, [0 1], single(1), single(-2), o, 2);")
    assert session.eval("class(y)") == session.eval("class(t)") == "single"
    assert session.eval("abs(y(end) - exp(-2)) < 1e-2")
    assert "successful steps" in capsys.readouterr().out
    session.run("s = ode15i(@(t, y, yp) yp - 1i*y, [0 1], 1, 1i);")
    assert session.eval("abs(s.y(end) - exp(1i)) < 1e-2 && strcmp(s.solver, 'ode15i')")
    session.run("[t, y] = ode15i(@(t, y, yp) yp - 1/(1 - t), [0 2], 0, 1);")
    assert session.eval("t(end) < 1.01")


STARTS = [
    ("@(t, y, yp) yp^2 + y^2 - 25", "3, 1, 5, 0", [3, 4]),
    ("@(t, y, yp) yp^2 + y^2 - 25", "3, 0, 4.5, 1", [np.sqrt(25 - 4.5**2), 4.5]),
    # the derivative can do it all, so nothing else changes
    ("@(t, y, yp) yp - y", "2, [], 0, []", [2, 2]),
    # an algebraic equation changes the solution, the other one its derivative
    ("@(t, y, yp) [yp(1) - y(2); y(1) + y(2) - 3]", "[1; 1], [1 0], [0; 0], []", [1, 2, 2, 0]),
    ("@(t, y, yp) [yp(1) + yp(2) - 4; y(1) - y(2)]", "[1; 1], [], [1; 1], [0 1]", [1, 1, 3, 1]),
]


@pytest.mark.parametrize(("function", "guess", "wanted"), STARTS)
def test_consistent_starts(
    numbers: Numbers, function: str, guess: str, wanted: list[float]
) -> None:
    found = numbers(f"[y, p, left] = decic({function}, 0, {guess}); r = [y; p; left];", "r")
    np.testing.assert_allclose(found.ravel(), [*wanted, 0], atol=1e-9)


ERRORS = [
    ("ode15i(@(t, y, yp) yp, [0 1], 1)", "MATLAB:minrhs"),
    ("ode15i(3, [0 1], 1, 1)", "MATLAB:odearguments:FcnNotFcnHandle"),
    ("ode15i(@(t, y, yp) yp, [0 1], 1, [1 2])", "MATLAB:ode15i:SizeYpSizeY"),
    ("ode15i(@(t, y, yp) [yp yp], [0 1], 1, 1)", "MATLAB:odearguments:FcnMustReturnCol"),
    ("ode15i(@(t, y, yp) [yp; yp], [0 1], 1, 1)", "MATLAB:odearguments:SizeIC"),
    ("ode15i(@(t, y, yp) yp, 1, 1, 1)", "MATLAB:odearguments:tspanSize"),
    ("ode15i(@(t, y, yp) yp, [0 1], 1, 1, odeset('Jacobian', 1))",
     "MATLAB:ode15i:JacobianNotCell"),
    ("ode15i(@(t, y, yp) yp, [0 1], 1, 1, odeset('Jacobian', {1, [1 2]}))",
     "MATLAB:odearguments:JacobianSize"),
    ("decic(@(t, y, yp) yp - y, 0, 1, 1, 2, 1)", "MATLAB:decic:TooManyFixed"),
    ("decic(@(t, y, yp) yp - y, 0, 1, [1 0], 2, 1)", "MATLAB:decic:SizeFixedY"),
    ("decic(@(t, y, yp) yp^2 + 1, 0, 1, 1, 2, 0)", "MATLAB:decic:ConvergenceFailure"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(code: str, identifier: str, fails: Fails) -> None:
    assert fails(code) == identifier
