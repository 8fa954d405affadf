"""Solvers against exact solutions, their orders, and the options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from runmat_core.builtins.ode.runge_kutta import BOGACKI_SHAMPINE, DORMAND_PRINCE, Pair
from runmat_core.builtins.ode.verner import VERNER_87, VERNER_98
from runmat_core.session import Session

Numbers = Callable[[str, str], Any]
Fails = Callable[[str], str]

SOLVERS = "ode45 ode23 ode78 ode89 ode113 ode15s ode23s ode23t ode23tb".split()
TIGHT = "o = odeset('RelTol', 1e-6, 'AbsTol', 1e-8);"


#: Methods of order 2, whose errors at the end are far above the tolerance of a step.
CRUDE = {"ode23s": 2e-4, "ode23t": 3e-4, "ode23tb": 3e-4}


@pytest.mark.parametrize(
    ("pair", "order", "accuracy"),
    [(DORMAND_PRINCE, 4, 1e-14), (BOGACKI_SHAMPINE, 3, 1e-14), (VERNER_87, 7, 4e-11),
     (VERNER_98, 8, 1e-12)],
)  # fmt: skip
def test_tables_are_consistent(pair: Pair, order: int, accuracy: float) -> None:
    for node, weights in zip(pair.nodes, pair.stages, strict=True):
        assert weights.sum() == pytest.approx(node, abs=3e-14)
    for node, weights in zip(pair.later_nodes, pair.later, strict=True):
        assert weights.sum() == pytest.approx(node, abs=3e-14)
    assert pair.error.sum() == pytest.approx(0, abs=1e-14)
    # at the end of the step, the polynomial has the weights of the solution
    ends = pair.dense.sum(axis=1)
    solution = pair.stages[-1] if pair.solution is None else pair.solution
    np.testing.assert_allclose(ends[: solution.size], solution, atol=2 * accuracy)
    np.testing.assert_allclose(ends[solution.size :], 0, atol=2 * accuracy)
    # the polynomial integrates powers of time exactly, as far as its order goes
    end = [] if pair.solution is None else [1.0]
    nodes = np.concatenate([[0.0], pair.nodes, end, pair.later_nodes])
    for power in range(order):
        s = np.linspace(0, 1, 5)
        weights = pair.dense @ s ** np.arange(1, pair.dense.shape[1] + 1)[:, None]
        np.testing.assert_allclose(
            nodes**power @ weights, s ** (power + 1) / (power + 1), atol=accuracy
        )


ORDERS = [
    ("ode45", 0.2, 5), ("ode23", 0.05, 3), ("ode78", 0.5, 8), ("ode89", 0.8, 9),
    ("ode23s", 0.02, 2), ("ode23t", 0.02, 2), ("ode23tb", 0.02, 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "length", "order"), ORDERS)
def test_errors_fall_with_the_order(numbers: Numbers, name: str, length: float, order: int) -> None:
    """Steps of one length and their halves, of a problem that is not linear."""
    code = "f = @(t, y) [y(2); 0.1*y(1)^2 - y(1)*cos(t)]; span = [0 8]; y0 = [1; 0];"
    code += "r = ode89(f, span, y0, odeset('RelTol', 1e-13, 'AbsTol', 1e-15)); e = [];"
    code += f"for h = {length}*[1 0.5]"
    code += " o = odeset('RelTol', 1e9, 'AbsTol', 1e9, 'InitialStep', h, 'MaxStep', h);"
    code += f" s = {name}(f, span, y0, o); e(end+1) = norm(s.y(:, end) - r.y(:, end)); end"
    crude, fine = numbers(code, "e").ravel()
    assert order - 0.3 < np.log2(crude / fine) < order + 0.9


@pytest.mark.parametrize("name", SOLVERS)
def test_oscillator_meets_its_tolerance(numbers: Numbers, name: str) -> None:
    code = TIGHT + f"[t, y] = {name}(@(t, y) [y(2); -y(1)], [0 3], [0; 1], o); r = [t y];"
    t, sine, cosine = numbers(code, "r").T
    assert t[[0, -1]].tolist() == [0, 3]
    assert (np.diff(t) > 0).all()
    np.testing.assert_allclose(sine, np.sin(t), atol=CRUDE.get(name, 3e-5))
    np.testing.assert_allclose(cosine, np.cos(t), atol=CRUDE.get(name, 3e-5))


@pytest.mark.parametrize("name", SOLVERS)
def test_output_at_given_times_and_backwards(numbers: Numbers, name: str) -> None:
    code = TIGHT + f"[t, y] = {name}(@(t, y) y, [1 0.5 0.25 0], exp(1), o); r = [t y];"
    t, y = numbers(code, "r").T
    assert t.tolist() == [1, 0.5, 0.25, 0]
    np.testing.assert_allclose(y, np.exp(t), atol=1e-4)


@pytest.mark.parametrize("name", SOLVERS)
def test_deval_between_steps(numbers: Numbers, name: str) -> None:
    code = TIGHT + (
        f"sol = {name}(@(t, y) [y(2); -y(1)], [0 2], [0; 1], o);"
        "t = linspace(0, 2, 31); [y, yp] = deval(sol, t); z = deval(t, sol, 2);"
        "r = [t; y; yp; z]; isequal(deval(sol, sol.x), sol.y); same = ans;"
    )
    t, y1, y2, d1, d2, z = numbers(code, "r")
    tolerance = 1e-3 if name in CRUDE else 1e-4
    np.testing.assert_allclose(y1, np.sin(t), atol=tolerance)
    np.testing.assert_allclose(d1, np.cos(t), atol=10 * tolerance)
    np.testing.assert_allclose(d2, -np.sin(t), atol=10 * tolerance)
    assert (z == y2).all()
    assert numbers(code, "same").all()


def test_documented_numbers_of_points(numbers: Numbers) -> None:
    """Van der Pol's equation on [0, 20]: 59 steps of four points each, and the start."""
    code = "t = ode45(@(t, y) [y(2); (1 - y(1)^2)*y(2) - y(1)], [0 20], [2; 0]);"
    code = code.replace("t = ", "[t, y] = ") + "n = size(y);"
    assert numbers(code, "n").tolist() == [[237, 2]]
    assert numbers("[t, y] = ode45(@(t, y) -y, [0 1], 1); n = numel(t);", "n") == 41
    assert (
        numbers("[t, y] = ode45(@(t, y) -y, [0 1], 1, odeset('Refine', 1)); n = numel(t);", "n")
        == 11
    )


BALL = """
    function [value, stops, direction] = ground(t, y)
        value = [y(1); y(2)]; stops = [1; 0]; direction = [-1; 0];
    end
"""


@pytest.mark.parametrize("name", SOLVERS)
def test_events_of_a_thrown_ball(name: str, tmp_path: Any) -> None:
    (tmp_path / "ground.m").write_text(BALL)
    session = Session(cwd=str(tmp_path))
    session.run(
        f"o = odeset('Events', @ground); f = @(t, y) [y(2); -9.8];"
        f"[t, y, te, ye, ie] = {name}(f, [0 10], [0; 20], o); s = {name}(f, [0 10], [0; 20], o);"
    )
    te, ie, t = session.eval("te"), session.eval("ie"), session.eval("t")
    np.testing.assert_allclose(te.ravel(), [20 / 9.8, 40 / 9.8], rtol=1e-3)
    assert ie.ravel().tolist() == [2, 1]
    assert t[-1, 0] == te[1, 0]
    assert session.eval("size(ye)").tolist() == [[2, 2]]
    assert session.eval("s.xe(2) == s.x(end) && isequal(size(s.ye), [2 2])")
    assert abs(session.eval("deval(s, s.x(end))")[0, 0]) < 1e-6


@pytest.mark.parametrize("name", ["ode15s", "ode23t"])
def test_stiff_chemistry_with_a_conservation_law(numbers: Numbers, name: str) -> None:
    """Robertson's problem as an algebraic equation beside two differential ones."""
    code = """
        f = @(t, y) [-0.04*y(1) + 1e4*y(2)*y(3)
                     0.04*y(1) - 1e4*y(2)*y(3) - 3e7*y(2)^2
                     y(1) + y(2) + y(3) - 1];
        o = odeset('Mass', diag([1 1 0]), 'RelTol', 1e-5, 'AbsTol', [1e-6 1e-10 1e-6]);
    """
    code += f"[t, y] = {name}(f, [0 0.4 40 4000], [1; 0; 0], o);"
    y = numbers(code, "y")
    # Hairer, Wanner, "Solving Ordinary Differential Equations II", and LSODE's documentation
    expected = [[1, 0, 0], [9.8517e-1, 3.3864e-5, 1.4794e-2], [7.1582e-1, 9.1851e-6, 2.8418e-1]]
    np.testing.assert_allclose(y[:3], expected, rtol=2e-3, atol=1e-9)
    np.testing.assert_allclose(y.sum(axis=1), 1, atol=1e-9)


@pytest.mark.parametrize("name", ["ode15s", "ode23s", "ode23t", "ode23tb"])
def test_relaxation_oscillations(numbers: Numbers, name: str) -> None:
    """Van der Pol's equation with 1000 for its constant, over two of its jumps."""
    code = f"s = {name}(@(t, y) [y(2); 1000*(1 - y(1)^2)*y(2) - y(1)], [0 3000], [2; 0]);"
    code += "r = deval(s, [500 1000 2000 3000], 1); n = s.stats.nsteps;"
    values = numbers(code, "r").ravel()
    # by SciPy's Radau at a tolerance of 1e-10
    np.testing.assert_allclose(values, [1.59677, -1.86365, 1.70617, -1.51061], atol=2e-2)
    assert numbers(code, "n") < 900


@pytest.mark.parametrize("name", ["ode15s", "ode23s", "ode23t", "ode23tb"])
def test_what_relaxes_at_once_is_right_between_steps_too(numbers: Numbers, name: str) -> None:
    code = f"s = {name}(@(t, y) [-y(1); 1e6*(y(1)^2 - y(2))], [0 5], [1; 0]);"
    code += "t = linspace(0.1, 5, 201); r = max(abs(deval(s, t) - [exp(-t); exp(-2*t)]), [], 2);"
    assert numbers(code, "r").max() < 2e-3


OPTIONS = [
    ("[t, y] = ode45(@(t, y, a, b) a*y + b, [0 1], 1, [], 2, 0); r = y(end) - exp(2);", 0, 5e-3),
    ("[t, y] = ode23(@(t, y) 2*y, [0 1], 1, odeset('Mass', 2)); r = y(end);", np.e, 2e-3),
    ("[t, y] = ode45(@(t, y) (1 + t)*y, [0 1], 1, "
     "odeset('Mass', @(t) 1 + t, 'MStateDependence', 'none')); r = y(end);", np.e, 2e-3),
    ("[t, y] = ode23s(@(t, y) 2*y, [0 1], 1, odeset('Mass', 2, 'Jacobian', 2)); r = y(end);",
     np.e, 5e-3),
    ("[t, y] = ode15s(@(t, y) -y, [0 1], 1, odeset('Jacobian', @(t, y) -1, 'MaxOrder', 2));"
     "r = y(end);", np.exp(-1), 5e-3),
    ("[t, y] = ode45(@(t, y) -y, [0 1], 1, odeset('MaxStep', 0.01)); r = max(diff(t));",
     0.0025, 1e-12),
    ("[t, y] = ode45(@(t, y) -y, [0 1], 1, odeset('InitialStep', 0.04)); r = t(5);", 0.04, 1e-12),
    ("[t, y] = ode45(@(t, y) 1i*y, [0 pi], 1); r = real(y(end));", -1, 1e-3),
    ("[t, y] = ode45(@(t, y) -sqrt(y), [0 3], 1, odeset('NonNegative', 1)); r = min(y);", 0, 1e-6),
    ("[t, y] = ode45(@(t, y) -y, single([0 1]), 1); r = strcmp(class(y), 'single');", 1, 0),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected", "tolerance"), OPTIONS)
def test_options(numbers: Numbers, code: str, expected: float, tolerance: float) -> None:
    assert float(numbers(code, "r").item()) == pytest.approx(expected, abs=tolerance)


def test_output_function_sees_all_and_stops(tmp_path: Any) -> None:
    (tmp_path / "watch.m").write_text("""
    function stop = watch(t, y, flag)
        global seen
        stop = false;
        if strcmp(flag, 'init'), seen = {'init', size(t), size(y)};
        elseif isempty(flag), seen{end+1} = size(y); stop = t(end) > 0.5;
        else, seen{end+1} = flag; end
    end
    """)
    session = Session(cwd=str(tmp_path))
    session.run(
        "global seen; o = odeset('OutputFcn', @watch, 'OutputSel', 2, 'MaxStep', 0.1);"
        "[t, y] = ode45(@(t, y) [1; 2], [0 1], [0; 0], o);"
    )
    assert session.eval("seen{1}") == "init"
    assert session.eval("seen{2}").tolist() == [[2, 1]]
    assert session.eval("seen{3}").tolist() == [[1, 1]]
    assert session.eval("seen{4}").tolist() == [[1, 4]]
    assert session.eval("seen{end}") == "done"
    assert 0.5 < session.eval("t(end)") < 0.7


def test_statistics_are_printed(session: Session) -> None:
    shown = session.capture("[t, y] = ode45(@(t, y) -y, [0 1], 1, odeset('Stats', 'on'));")
    assert shown.splitlines() == [
        "10 successful steps", "0 failed attempts", "61 function evaluations",
    ]  # fmt: skip


def test_stages_for_the_polynomial_alone_are_left_out(session: Session) -> None:
    options = "odeset('Stats', 'on', 'Refine', 1)"
    shown = session.capture(f"[t, y] = ode89(@(t, y) -y, [0 1], 1, {options});")
    steps, evaluations = (int(shown.splitlines()[k].split()[0]) for k in (0, 2))
    assert evaluations == 16 * steps


def test_a_pole_ends_with_a_warning(session: Session) -> None:
    session.run("lastwarn(''); [t, y] = ode45(@(t, y) y^2, [0 2], 1);")
    session.run("[~, id] = lastwarn;")
    assert session.eval("id") == "MATLAB:ode45:IntegrationTolNotMet"
    assert session.eval("t(end)") == pytest.approx(1, abs=1e-2)


ERRORS = [
    ("[t, y] = ode45(@(t, y) y, [0 1])", "MATLAB:minrhs"),
    ("[t, y] = ode45(@(t, y) y, 1, 1)", "MATLAB:odearguments:tspanSize"),
    ("[t, y] = ode45(@(t, y) y, [1 1], 1)", "MATLAB:odearguments:TspanEndpointsNotDistinct"),
    ("[t, y] = ode45(@(t, y) y, [0 2 1], 1)", "MATLAB:odearguments:TspanNotMonotonic"),
    ("[t, y] = ode45(@(t, y) [1 2], [0 1], [1 2])", "MATLAB:odearguments:FcnMustReturnCol"),
    ("[t, y] = ode45(@(t, y) [1; 2], [0 1], 1)", "MATLAB:odearguments:SizeIC"),
    ("[t, y] = ode45(5, [0 1], 1)", "MATLAB:odearguments:FcnNotFcnHandle"),
    ("[t, y] = ode45(@(t, y) y, [0 1], 1, odeset('RelTol', -1))",
     "MATLAB:odearguments:RelTolNotPosScalar"),
    ("[t, y] = ode45(@(t, y) y, [0 1], 1, odeset('AbsTol', [1 2]))",
     "MATLAB:odearguments:SizeAbsTol"),
    ("odeset('Reltoll', 1)", "MATLAB:odeset:InvalidPropName"),
    ("odeset('M', 1)", "MATLAB:odeset:AmbiguousPropName"),
    ("odeset('RelTol')", "MATLAB:odeset:ArgNameValueMismatch"),
    ("deval(ode45(@(t, y) y, [0 1], 1), 2)", "MATLAB:deval:SolOutsideInterval"),
    ("[t, y] = ode23tb(@(t, y) y, [0 1], [1; 1], odeset('Mass', [1 0; 0 0]))",
     "MATLAB:odearguments:SingularMass"),
    ("deval(5, 2)", "MATLAB:deval:SolNotFromDiffEqSolver"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(fails: Fails, code: str, identifier: str) -> None:
    assert fails(code + ";") == identifier


def test_unknown_names_get_a_suggestion(session: Session) -> None:
    assert "RelTol" in session.capture("try, odeset('Reltoll', 1), catch e, disp(e.message), end")
    assert session.eval("isempty(odeget(odeset, 'Events'))")
    assert session.eval("odeget(odeset(odeset('MaxStep', 1), odeset('Refine', 3)), 'maxstep')") == 1


@pytest.mark.parametrize("name", SOLVERS)
def test_nothing_and_nonsense_to_integrate(session: Session, name: str) -> None:
    session.run(f"[t, y] = {name}(@(t, y) y, [0 1], []);")
    assert session.eval("t(end) == 1 && isequal(size(y), [numel(t) 0])")
    session.run(f"lastwarn(''); [t, y] = {name}(@(t, y) y, [0 1], NaN); [~, id] = lastwarn;")
    assert session.eval("id") == f"MATLAB:{name}:IntegrationTolNotMet"


@pytest.mark.parametrize("name", ["ode15s", "ode23s", "ode23t", "ode23tb"])
def test_stiff_problems_in_single_take_no_more_steps(numbers: Numbers, name: str) -> None:
    """Differences for the Jacobian are as large as the precision asks for."""
    code = "f = @(t, y) -1000*(y - cos(t));"
    code += f"s = {name}(f, [0 1], single(0)); d = {name}(f, [0 1], 0);"
    code += "r = [numel(s.x), numel(d.x), s.y(end) - d.y(end)];"
    single, double, apart = numbers(code, "r").ravel()
    assert single <= 1.2 * double
    assert abs(apart) < 1e-4
