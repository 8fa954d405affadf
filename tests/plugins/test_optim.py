"""runmat-optim: documented examples, conditions of optimality, exit flags and errors."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from runmat_core.api import MatlabError
from runmat_core.builtins import registry
from runmat_core.session import Session, doctests

NAMES = (
    "linprog intlinprog quadprog lsqlin fminunc fmincon fsolve lsqnonlin lsqcurvefit optimoptions"
).split()
ROSENBROCK = "@(x) 100*(x(2) - x(1)^2)^2 + (1 - x(1))^2"


@pytest.fixture
def session(tmp_path: Any) -> Session:
    session = Session(cwd=str(tmp_path))
    session.run("o = optimset('Display', 'off');")
    return session


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_they_say(name: str, session: Session) -> None:
    spec = registry.find(name)
    assert spec is not None
    doc = spec.host.__doc__ or ""
    assert doctests.collect(doc)
    failures = doctests.run(doc, session)
    assert not failures, "\n" + "\n".join(map(str, failures))
    assert re.search(r"See also: \S", doc)
    assert registry.package_of(name).startswith("runmat-optim ")


# -- linear --------------------------------------------------------------------------------------


def test_linear_program_of_the_documentation(session: Session) -> None:
    session.run("""
        A = [1 1; 1 1/4; 1 -1; -1/4 -1; -1 -1; -1 1]; b = [2 1 2 1 -1 2];
        [x, f, flag, out, l] = linprog([-1 -1/3], A, b, [1 1/4], 1/2, [-1 -0.5], [1.5 1.25], o);
    """)
    # a published example: the optimum is at x = [0.1875; 1.25]
    np.testing.assert_allclose(session.eval("x").ravel(), [0.1875, 1.25])
    assert session.eval("f") == pytest.approx(-0.6042, abs=5e-5)
    assert session.eval("flag") == 1
    # stationarity: f + A'*ineqlin + Aeq'*eqlin + upper - lower = 0
    session.run(
        "r = [-1; -1/3] + A'*l.ineqlin + [1; 1/4]*l.eqlin + l.upper - l.lower;"
        "s = l.ineqlin'*(b' - A*x);"
    )
    assert np.abs(session.eval("r")).max() < 1e-9
    assert abs(session.eval("s")) < 1e-9
    assert session.eval("all(l.ineqlin >= 0) && all(l.upper >= 0) && all(l.lower >= 0)")


def test_linear_programs_without_solutions(session: Session) -> None:
    session.run("[x, f, flag] = linprog(1, [1; -1], [-1; -1], [], [], [], [], o);")
    assert session.eval("flag == -2 && isempty(x) && isempty(f)")
    session.run("[x, f, flag] = linprog(-1, [], [], [], [], 0, [], o);")
    assert session.eval("flag") == -3
    session.run("[x, f, flag] = linprog(1, [], [], [], [], 2, 1, o);")
    assert session.eval("flag") == -2


def test_problem_structures(session: Session) -> None:
    session.run(
        "p.f = [-1 -1]; p.Aineq = [1 2; 3 1]; p.bineq = [4; 6]; p.lb = [0 0]; p.solver = 'linprog';"
        "p.options = o; x = linprog(p);"
    )
    np.testing.assert_allclose(session.eval("x").ravel(), [1.6, 1.2])
    session.run(
        "q.objective = @(x) sum((x - 3).^2); q.x0 = [0 0]; q.ub = [1 5]; q.solver = 'fmincon';"
        "q.options = o; x = fmincon(q);"
    )
    np.testing.assert_allclose(session.eval("x").ravel(), [1, 3], atol=1e-6)


def test_integer_program(session: Session) -> None:
    session.run(
        "[x, f, flag, out] = intlinprog([-3 -2 -1], 3, [1 1 1], 7, [4 2 1], 12, [0 0 0], "
        "[Inf Inf 1], o);"
    )
    # the published optimum, which more than one point has
    assert session.eval("abs(f + 12) < 1e-9 && flag == 1 && mod(x(3), 1) == 0")
    assert session.eval("sum(x) <= 7 && abs([4 2 1]*x - 12) < 1e-9 && all(x >= 0)")


# -- quadratic -----------------------------------------------------------------------------------


def test_quadratic_program_meets_the_conditions_of_optimality(session: Session) -> None:
    session.run("""
        rng(5); M = rand(6); H = M*M' + eye(6); f = randn(6,1)*5; A = randn(4,6); b = ones(4,1);
        E = ones(1,6); e = 1; lb = -0.5*ones(6,1); ub = ones(6,1);
        [x, v, flag, out, l] = quadprog(H, f, A, b, E, e, lb, ub, [], o);
        r = H*x + f + A'*l.ineqlin + E'*l.eqlin + l.upper - l.lower;
        c = [l.ineqlin.*(b - A*x); l.upper.*(ub - x); l.lower.*(x - lb)];
    """)
    assert session.eval("flag") == 1
    assert np.abs(session.eval("r")).max() < 1e-8
    assert np.abs(session.eval("c")).max() < 1e-8
    assert session.eval("all(A*x <= b + 1e-9) && abs(E*x - e) < 1e-9")
    assert session.eval("all(x >= lb - 1e-9) && all(x <= ub + 1e-9)")
    assert session.eval("abs(v - (x'*H*x/2 + f'*x)) < 1e-12")
    assert session.eval("out.firstorderopt < 1e-8 && out.constrviolation < 1e-9")


def test_constrained_least_squares_of_the_documentation(session: Session) -> None:
    session.run("""
        C = [0.9501 0.7620 0.6153 0.4057; 0.2311 0.4564 0.7919 0.9354; 0.6068 0.0185 0.9218 0.9169
             0.4859 0.8214 0.7382 0.4102; 0.8912 0.4447 0.1762 0.8936];
        d = [0.0578; 0.3528; 0.8131; 0.0098; 0.1388];
        A = [0.2027 0.2721 0.7467 0.4659; 0.1987 0.1988 0.4450 0.4186; 0.6037 0.0152 0.9318 0.8462];
        b = [0.5251; 0.2026; 0.6721];
        x = lsqlin(C, d, A, b, [], [], [], [], [], o);
        E = [3 5 7 9]; e = 4; lb = -0.1*ones(4,1); ub = 2*ones(4,1);
        [y, v, rest, flag, out, l] = lsqlin(C, d, A, b, E, e, lb, ub, [], o);
    """)
    # published solutions, to four places
    np.testing.assert_allclose(
        session.eval("x").ravel(), [0.1299, -0.5757, 0.4251, 0.2438], atol=6e-5
    )
    np.testing.assert_allclose(session.eval("y").ravel(), [-0.1, -0.1, 0.1599, 0.4090], atol=6e-5)
    assert session.eval("v") == pytest.approx(0.1695, abs=6e-5)
    assert session.eval("isequal(rest, C*y - d) && v == sum(rest.^2) && flag == 1")
    session.run(
        "r = C'*rest + A'*l.ineqlin + E'*l.eqlin + l.upper - l.lower;"
        "c = [l.ineqlin.*(b - A*y); l.upper.*(ub - y); l.lower.*(y - lb)];"
    )
    assert np.abs(session.eval("[r; c]")).max() < 1e-9
    assert session.eval("all(l.lower >= 0) && all(l.upper >= 0) && l.lower(1) > 0")


def test_least_squares_of_all_kinds(session: Session) -> None:
    session.run("C = vander(linspace(0, 1, 12)); C = C(:, 1:9); d = C*ones(9, 1);")
    # the square of the matrix has a condition of 1e13 and more
    session.run("p.C = C; p.d = d; p.lb = zeros(9, 1); p.solver = 'lsqlin'; p.options = o;")
    session.run("x = lsqlin(p); y = lsqlin(C, d, [], [], [], [], [], [], [], o);")
    assert np.abs(session.eval("[x y]") - 1).max() < 1e-6
    session.run("z = lsqlin(C, -d, [], [], [], [], zeros(9, 1), [], [], o);")
    assert np.abs(session.eval("z")).max() == 0
    session.run("[x, v, r, flag, out, l] = lsqlin(1, 2, [1; -1], [-1; -1], [], [], [], [], [], o);")
    assert session.eval("flag == -2 && isempty(x) && isempty(v) && isempty(r)")


def test_quadratic_programs_of_all_kinds(session: Session) -> None:
    session.run("[x, v] = quadprog([2 0; 0 2], [-2; -5], [], [], [], [], [], [], [], o);")
    np.testing.assert_allclose(session.eval("x").ravel(), [1, 2.5])
    session.run("x = quadprog(2*eye(2), [0; 0], [], [], [1 1], 1, [], [], [], o);")
    np.testing.assert_allclose(session.eval("x").ravel(), [0.5, 0.5])
    for call, flag in [
        ("quadprog([1 0; 0 -1], [0; 0]", -6),
        ("quadprog(1, 0, [1; -1], [-1; -1]", -2),
        ("quadprog(0, -1, -1, 0", -3),
    ]:
        padding = ", []" * (9 - call.count(", ") - 1)
        session.run(f"[x, v, flag] = {call}{padding}, o);")
        assert session.eval("flag") == flag, call


# -- nonlinear -----------------------------------------------------------------------------------


def test_unconstrained_minimum(session: Session) -> None:
    session.run(f"[x, v, flag, out, g, h] = fminunc({ROSENBROCK}, [-1.2; 1], o);")
    np.testing.assert_allclose(session.eval("x").ravel(), [1, 1], atol=1e-4)
    assert session.eval("flag == 1 && v < 1e-8 && isequal(size(g), [2 1])")
    np.testing.assert_allclose(session.eval("h"), [[802, -400], [-400, 200]], rtol=1e-3)


def test_gradients_that_are_given(session: Session, tmp_path: Any) -> None:
    (tmp_path / "bowl.m").write_text("""
    function [f, g] = bowl(x)
        f = sum((x - [1 2 3]).^2);
        if nargout > 1, g = 2*(x - [1 2 3]); end
    end
    """)
    session.run("p = optimoptions('fminunc', 'SpecifyObjectiveGradient', true, 'Display', 'off');")
    session.run("[x, v, flag, out] = fminunc(@bowl, [0 0 0], p);")
    np.testing.assert_allclose(session.eval("x"), [[1, 2, 3]], atol=1e-6)
    session.run("[x, v, flag] = fmincon(@bowl, [0 0 0], [1 1 1], 3, [], [], [], [], [], p);")
    np.testing.assert_allclose(session.eval("x"), [[0, 1, 2]], atol=1e-6)
    assert session.eval("flag") == 1


def test_constrained_minimum_of_the_documentation(session: Session, tmp_path: Any) -> None:
    (tmp_path / "circle.m").write_text("""
    function [c, ceq] = circle(x)
        c = (x(1) - 1/3)^2 + (x(2) - 1/3)^2 - (1/3)^2; ceq = [];
    end
    """)
    session.run(
        f"[x, v, flag, out, l, g] = fmincon({ROSENBROCK}, [1/4 1/4], [], [], [], [], [0 0.2], "
        "[0.5 0.8], @circle, o);"
    )
    # published: x = [0.5000 0.2500]
    np.testing.assert_allclose(session.eval("x"), [[0.5, 0.25]], atol=1e-4)
    assert session.eval("flag == 1 && out.constrviolation < 1e-8")
    session.run("r = g + l.upper - l.lower + l.ineqnonlin*2*(x' - 1/3);")
    assert np.abs(session.eval("r")).max() < 1e-4
    session.run("[x, v, flag] = fmincon(@(x) x, 0, [1; -1], [-1; -1], [],[],[],[],[], o);")
    assert session.eval("flag") == -2


def test_equality_constraints(session: Session) -> None:
    session.run(
        "[x, v, flag, out, l] = fmincon(@(x) sum(x.^2), [1; 5], [], [], [1 1], 2, [], [], "
        "@(x) deal([], x(1) - x(2)^2), o);"
    )
    np.testing.assert_allclose(session.eval("x").ravel(), [1, 1], atol=1e-6)
    assert session.eval("isequal(size(l.eqlin), [1 1]) && isequal(size(l.eqnonlin), [1 1])")


def test_equations_of_the_documentation(session: Session) -> None:
    session.run("""
        F = @(x) [exp(-exp(-(x(1) + x(2)))) - x(2)*(1 + x(1)^2)
                  x(1)*cos(x(2)) + x(2)*sin(x(1)) - 0.5];
        [x, v, flag, out, J] = fsolve(F, [0 0], o);
    """)
    # published: x = [0.3532 0.6061]
    np.testing.assert_allclose(session.eval("x"), [[0.3532, 0.6061]], atol=5e-5)
    assert session.eval("flag == 1 && norm(v) < 1e-9 && isequal(size(J), [2 2])")
    session.run("X = fsolve(@(X) X*X*X - [1 2; 3 4], ones(2), o);")
    assert session.eval("norm(X^3 - [1 2; 3 4]) < 1e-8")
    session.run("[x, v, flag] = fsolve(@(x) x^2 + 1, 1, o);")
    assert session.eval("flag") == -2
    session.run("[x, v, flag] = fsolve(@(x) [x(1) - 1; x(2) - 2; x(1)*x(2) - 2], [0 0], o);")
    assert session.eval("flag == 1 && norm(x - [1 2]) < 1e-6")


def test_curve_fit_of_the_documentation(session: Session) -> None:
    session.run("""
        t = [0.9 1.5 13.8 19.8 24.1 28.2 35.2 60.3 74.6 81.3];
        y = [455.2 428.6 124.1 67.3 43.2 28.1 13.1 -0.4 -1.3 -1.5];
        [x, r, res, flag, out, l, J] = lsqcurvefit(@(x, t) x(1)*exp(x(2)*t), [100 -1], t, y, ...
            [], [], o);
    """)
    # published: x = [498.8309 -0.1013], resnorm 9.5049
    np.testing.assert_allclose(session.eval("x"), [[498.8309, -0.1013]], atol=5e-5)
    assert session.eval("r") == pytest.approx(9.5049, abs=5e-5)
    assert session.eval("flag > 0 && isequal(size(res), [1 10]) && isequal(size(J), [10 2])")


def test_bounds_of_least_squares(session: Session) -> None:
    session.run("[x, r, res, flag, out, l] = lsqnonlin(@(x) x - [3 -1], [0 0], [], [1 5], o);")
    np.testing.assert_allclose(session.eval("x"), [[1, -1]], atol=1e-6)
    assert session.eval("l.upper(1) > 0 && l.upper(2) == 0 && all(l.lower == 0)")


def test_display(session: Session) -> None:
    assert "Optimal solution found." in session.capture("x = linprog(1, [], [], [], [], 0);")
    assert session.capture("x = linprog(1, [], [], [], [], 0, [], o);") == ""
    session.run("p = optimoptions('fsolve', 'TolFun', 1e-3); q = optimoptions(p, 'MaxIter', 5);")
    assert session.eval("isfield(p, 'OptimalityTolerance') || isfield(p, 'FunctionTolerance')")
    assert session.eval("q.MaxIterations") == 5


ERRORS = [
    ("linprog([1 1], [1 1 1], 2)", "optim:linprog:ColumnsOfA"),
    ("linprog([1 1], [1 1], [2 3])", "optim:linprog:RowsOfA"),
    ("linprog(1i)", "optim:linprog:NonDoubleInput"),
    ("intlinprog(1, 2)", "optim:intlinprog:InvalidIntcon"),
    ("quadprog([1 2], 1)", "optim:quadprog:NonSquareHessian"),
    ("lsqlin([1 2; 3 4], 1)", "optim:lsqlin:InvalidCAndD"),
    ("lsqlin([1 2; 3 NaN], [1; 2])", "optim:lsqlin:NonFiniteInput"),
    ("lsqlin(1)", "MATLAB:minrhs"),
    ("quadprog(1, [1 2])", "optim:quadprog:MismatchObjCoefSize"),
    ("fmincon(@(x) [x x], 1, 1, 2)", "optim:checkfun:NonScalarObj"),
    ("fminunc(@(x) NaN, 1)", "optim:fminunc:UsrObjUndefAtX0"),
    ("fminunc(5, 1)", "optim:fminunc:InvalidFUN"),
    ("fsolve(@(x) Inf, 1)", "optim:fsolve:UsrObjUndefAtX0"),
    ("lsqcurvefit(@(x, t) x*t, 1, 1:3, 1:4)", "optim:lsqcurvefit:YdataSizeMismatchFunVal"),
    ("optimoptions('fminco')", "optim:optimoptions:InvalidSolver"),
    ("optimoptions('fmincon', 'MaxIterationz', 1)",
     "optim:options:createMultiAlgorithmOptions:InvalidOption"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "identifier"), ERRORS)
def test_errors(session: Session, code: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as raised:
        session.run(code + ";")
    assert raised.value.identifier == identifier
