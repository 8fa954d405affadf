"""dde23 against solutions by the method of steps and of characteristic equations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.builtins.ode.delays import kinks
from runmat_core.session import Session

Numbers = Callable[[str, str], Any]
Fails = Callable[[str], str]

TIGHT = "o = ddeset('RelTol', 1e-6, 'AbsTol', 1e-9);"
#: y' = -y(t - 1) after 1: a polynomial of one degree more in each interval
STEPS = (
    "x = linspace(0, 4, 41); e = 1 - x + max(x-1, 0).^2/2 - max(x-2, 0).^3/6 + max(x-3, 0).^4/24;"
)


def test_kinks_spread_by_all_sums_of_delays() -> None:
    assert kinks([0.0], [1.0, 0.4], 2.0, 2) == [0, 0.4, 0.8, 1, 1.4, 2]
    assert kinks([0.0], [0.1], 10.0, 3) == pytest.approx([0, 0.1, 0.2, 0.3])
    assert kinks([-0.5, 0.0], [1.0], 1.2, 4) == [-0.5, 0, 0.5, 1]
    # 0.1 + 0.2 and 0.3 are one
    assert len(kinks([0.0], [0.1, 0.2, 0.3], 0.3, 4)) == 4


def test_the_method_of_steps(numbers: Numbers) -> None:
    code = TIGHT + STEPS + "s = dde23(@(t, y, Z) -Z, 1, 1, [0 4], o); r = [deval(s, x); e];"
    found, wanted = numbers(code, "r")
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    code += "r = [s.discont, ismember(1:4, s.x), numel(s.x), size(s.yp, 2)];"
    *marks, points, slopes = numbers(code, "r").ravel()
    assert marks == [0, 1, 2, 3, 4, 1, 1, 1, 1]
    assert points == slopes


def test_crude_tolerances_are_met_across_kinks(numbers: Numbers) -> None:
    code = STEPS + "s = dde23(@(t, y, Z) -Z, 1, 1, [0 4]); r = [deval(s, x) - e];"
    assert np.abs(numbers(code, "r")).max() < 1e-3


def test_functions_as_history(numbers: Numbers) -> None:
    code = TIGHT + "s = dde23(@(t, y, Z) -Z, pi/2, @(t) sin(t), [0 10], o);"
    code += "[y, p] = deval(s, 0:9); r = [s.x; s.y; s.yp]; q = [y; p];"
    t, y, slope = numbers(code, "r")
    np.testing.assert_allclose(y, np.sin(t), atol=1e-5)
    np.testing.assert_allclose(slope, np.cos(t), atol=1e-5)
    y, slope = numbers(code, "q")
    np.testing.assert_allclose(y, np.sin(np.arange(10)), atol=1e-5)
    np.testing.assert_allclose(slope, np.cos(np.arange(10)), atol=1e-3)


def test_several_delays(numbers: Numbers) -> None:
    """Of the first component each interval adds a term (t - k + 1)^k/k!."""
    code = TIGHT + "f = @(t, y, Z) [Z(1, 1); Z(1, 1) + Z(2, 2); y(2)];"
    code += "s = dde23(f, [1 0.2], ones(3, 1), [0 5], o); r = s.y(:, end);"
    first = numbers(code, "r").ravel()[0]
    assert first == pytest.approx(1 + 5 + 16 / 2 + 27 / 6 + 16 / 24 + 1 / 120, rel=1e-6)
    assert numbers(code + "r = numel(s.discont);", "r") >= 15


def test_delays_shorter_than_steps(numbers: Numbers) -> None:
    """exp(k*t) with k = -exp(-k*0.01)."""
    code = TIGHT + "k = fzero(@(k) k + exp(-k*0.01), -1); s = dde23(@(t, y, Z) -Z, 0.01, "
    code += "@(t) exp(k*t), [0 5], o); r = [s.x; s.y; exp(k*s.x)];"
    t, y, wanted = numbers(code, "r")
    assert np.diff(t).max() > 0.02
    np.testing.assert_allclose(y, wanted, atol=1e-6)


def test_a_solution_that_jumps_at_its_start(numbers: Numbers) -> None:
    """What comes after the delay sees the history before the jump, then the solution after it."""
    code = "s = dde23(@(t, y, Z) Z, 1, 0, [0 3], ddeset('InitialY', 1));"
    code += "[y, p] = deval(s, [0 0.5 1 1.5 2 3]); r = [y; p];"
    y, slope = numbers(code, "r")
    np.testing.assert_allclose(y, [1, 1, 1, 1.5, 2, 3.5], atol=1e-12)
    np.testing.assert_allclose(slope[[1, 3, 5]], [0, 1, 2], atol=1e-12)


def test_going_on_from_a_solution(numbers: Numbers) -> None:
    code = TIGHT + STEPS + "f = @(t, y, Z) -Z; s = dde23(f, 1, 1, [0 2.5], o);"
    code += "s = dde23(f, 1, s, [2.5 4], o); r = [deval(s, x); e];"
    found, wanted = numbers(code, "r")
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    assert numbers(code + "r = [s.x([1 end]), s.history];", "r").ravel().tolist() == [0, 4, 1]
    code = TIGHT + "s = dde23(@(t, y, Z) -Z, 1, 1, [0 2], o);"
    code += "s = dde23(@(t, y, Z) Z, 1, s, [2 4], ddeset(o, 'InitialY', 5));"
    code += "r = deval(s, [1.5 2.5 3 3.5]);"
    wanted = [-0.375, 5 - 1 / 8 + 1 / 48, 5 - 1 / 2 + 1 / 6, 7 + 0.1484375]
    np.testing.assert_allclose(numbers(code, "r").ravel(), wanted, atol=1e-6)


def test_jumps_of_the_equation_are_stepped_on(numbers: Numbers) -> None:
    code = "s = dde23(@(t, y, Z) double(t >= 0.7), 1, 0, [0 2], ddeset('Jumps', 0.7));"
    code += "r = [s.y(end), ismember([0.7 1.7], s.x)];"
    end, first, second = numbers(code, "r").ravel()
    assert (first, second) == (1, 1)
    assert end == pytest.approx(1.3, abs=1e-12)


def test_events(numbers: Numbers) -> None:
    """y = 1 - t is 0 at 1; the delayed solution is 1/2 at 1.5."""
    code = "e = @(t, y, Z) deal([y; Z - 0.5], [0; 1], [0; 0]);" + TIGHT
    code += "s = dde23(@(t, y, Z) -Z, 1, 1, [0 4], ddeset(o, 'Events', e));"
    code += "r = [s.xe; s.ie; s.ye]; q = s.x(end);"
    times, which, states = numbers(code, "r")
    np.testing.assert_allclose(times, [1, 1.5], atol=1e-7)
    assert which.tolist() == [1, 2]
    np.testing.assert_allclose(states, [0, -0.375], atol=1e-7)
    assert numbers(code, "q").item() == pytest.approx(1.5, abs=1e-7)


def test_without_delays_it_is_ode23(numbers: Numbers) -> None:
    code = "f = @(t, y) [y(2); -y(1)]; s = ode23(f, [0 5], [0; 1]);"
    code += "d = dde23(@(t, y, Z) f(t, y), [], [0; 1], [0 5]);"
    code += "r = [numel(s.x) - numel(d.x), norm(s.y(:, end) - d.y(:, end))];"
    apart, error = numbers(code, "r").ravel()
    assert apart == 0
    assert error < 1e-12


def test_parameters_output_and_complex_values(session: Session, capsys: Any) -> None:
    session.run("o = ddeset('Stats', 'on'); k = 2;")
    session.run("s = dde23(@(t, y, Z, k) -k*Z, 1, @(t, k) k/2, [0 1], o, k);")
    assert session.eval("abs(s.y(end) + 1) < 1e-12 && s.stats.nsteps > 3")
    assert "successful steps" in capsys.readouterr().out
    session.run("s = dde23(@(t, y, Z) 1i*Z, 1, 1, [0 1]);")
    assert session.eval("abs(s.y(end) - 1 - 1i) < 1e-12")
    session.run("o = ddeset('OutputFcn', @(t, y, flag) ~isempty(t) && t(end) > 0.5);")
    assert session.eval("dde23(@(t, y, Z) -Z, 1, 1, [0 4], o).x(end) < 1.5")


def test_options(session: Session) -> None:
    session.run("o = ddeset('RelTol', 1e-5, 'initialy', [1 2]); p = ddeset(o, 'MaxStep', 3);")
    assert session.eval("isequal(p.InitialY, [1 2]) && p.MaxStep == 3 && p.RelTol == 1e-5")
    assert session.eval("isequal(ddeget(p, 'Jumps', 4), 4) && isempty(ddeget(p, 'Jumps'))")
    assert session.eval("numel(fieldnames(ddeset))") == 12
    assert session.eval("ddeset(p, ddeset('MaxStep', 1)).MaxStep") == 1


ERRORS = [
    ("ddeset('RelTole', 1)", "MATLAB:ddeset:InvalidPropName"),
    ("ddeset('RelTol')", "MATLAB:ddeset:ArgNameValueMismatch"),
    ("ddeset('M', 1, 'Initial', 1)", "MATLAB:ddeset:AmbiguousPropName"),
    ("ddeget(3, 'RelTol')", "MATLAB:ddeget:Arg1NotDDESETstruct"),
    ("dde23(1, 1, 1, [0 1])", "MATLAB:dde23:FcnNotFcnHandle"),
    ("dde23(@(t, y, Z) Z, -1, 1, [0 1])", "MATLAB:dde23:NotPosLags"),
    ("dde23(@(t, y, Z) Z, 1, 1, [1 0])", "MATLAB:dde23:TspanNotIncreasing"),
    ("dde23(@(t, y, Z) Z, 1, 1, 1)", "MATLAB:odearguments:tspanSize"),
    ("dde23(@(t, y, Z) [Z Z], 1, 1, [0 1])", "MATLAB:dde23:DDELengthMismatchHistory"),
    ("dde23(@(t, y, Z) Z, 1, 1, [0 1], ddeset('InitialY', [1 2]))",
     "MATLAB:dde23:InitialYLength"),
    ("dde23(@(t, y, Z) Z, 1, struct('x', 1), [0 1])", "MATLAB:dde23:HistoryNotSolution"),
    ("s = dde23(@(t, y, Z) Z, 1, 1, [0 1]); dde23(@(t, y, Z) Z, 1, s, [2 3])",
     "MATLAB:dde23:NotContinued"),
    ("dde23(@(t, y, Z) Z, 1, 1, [0 1], ddeset('AbsTol', 0))",
     "MATLAB:odearguments:AbsTolNotPos"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(code: str, identifier: str, fails: Fails) -> None:
    assert fails(code) == identifier


def test_a_typo_is_named(session: Session) -> None:
    with pytest.raises(Exception, match="Did you mean 'RelTol'"):
        session.run("ddeset('RelTole', 1)")
