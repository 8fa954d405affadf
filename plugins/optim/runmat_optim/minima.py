"""Minima of smooth functions, without constraints (fminunc) and with them (fmincon)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_optim.common import (
    Function,
    Linear,
    Matrix,
    Vector,
    array,
    bounds,
    column,
    is_function,
    is_options,
    linear,
    multipliers,
    plain,
    slopes,
)
from runmat_optim.linear import unpacked
from runmat_optim.options import Settings, settings, tell


def _checked(fun: Any, name: str) -> None:
    if not is_function(fun):
        raise MatlabError(
            f"optim:{name}:InvalidFUN", "FUN must be a function handle or the name of a function."
        )


class _Objective:
    """The function to minimise, with its gradient given or by central differences."""

    def __init__(self, f: Function, chosen: Settings) -> None:
        self.f = f
        self.value = f.scalar(2 if chosen.gradient else 1)
        self.given = chosen.gradient

    def gradient(self, x: Vector) -> Vector:
        if self.given:
            return np.asarray(self.f.second()(x)).ravel(order="F")
        return slopes(self.value, x).ravel()

    def hessian(self, x: Vector) -> Matrix:
        step = np.finfo(float).eps ** 0.25
        n = x.size
        if self.given:
            made = slopes(self.gradient, x)
            return (made + made.T) / 2
        h = step * np.maximum(1.0, np.abs(x))
        made = np.zeros((n, n))
        for i in range(n):
            for j in range(i + 1):
                total = 0.0
                for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    moved = x.copy()
                    moved[i] += a * h[i]
                    moved[j] += b * h[j]
                    total += a * b * self.value(moved)
                made[i, j] = made[j, i] = total / (4 * h[i] * h[j])
        return made


def _undefined(name: str) -> MatlabError:
    return MatlabError(
        f"optim:{name}:UsrObjUndefAtX0",
        f"Objective function is undefined at initial point. {name.upper()} cannot continue.",
    )


@builtin("fminunc", family="optim", lift="arrays", nargin=(2, None), nargout=6,
         needs=("nargout", "interp"))  # fmt: skip
def fminunc(
    fun: Any, x0: Any, options: Any = None, *extra: Any, nargout: int, interp: Interp
) -> Any:
    """Minimum of a function of several variables.

    X = fminunc(FUN, X0) looks for a local minimum from X0
    X = fminunc(FUN, X0, OPTIONS); with SpecifyObjectiveGradient, FUN gives the gradient too
    X = fminunc(FUN, X0, OPTIONS, P1, …) passes P1 … to FUN
    [X, FVAL, EXITFLAG, OUTPUT, GRAD, HESSIAN] = fminunc(…)

    EXITFLAG is 1 where the gradient is small, 2 or 5 where nothing better was found, 0 after too
    many iterations, -3 if the function seems to have no lower bound.

    Examples:
        >> o = optimoptions('fminunc', 'Display', 'off');
        >> round(fminunc(@(x) (x(1) - 1)^2 + (x(2) + 2)^4, [0 0], o), 1)
        ans =
             1    -2

    See also: fmincon, fminsearch, optimoptions.
    """
    from scipy.optimize import minimize

    _checked(fun, "fminunc")
    start = array(x0, "fminunc", "X0")
    chosen = settings(options, interp)
    objective = _Objective(Function(fun, start, interp, extra), chosen)
    x = start.ravel(order="F")
    first = objective.value(x)
    if not np.isfinite(first):
        raise _undefined("fminunc")
    scale = 1 + float(np.abs(objective.gradient(x)).max(initial=0.0))
    with np.errstate(all="ignore"):
        found = minimize(
            objective.value,
            x,
            jac=objective.gradient,
            method="BFGS",
            options={
                "gtol": min(chosen.optimality, 1e-6) * 1e-1,
                "maxiter": chosen.iterations or 400,
            },
        )
    gradient = objective.gradient(found.x)
    slope = float(np.abs(gradient).max(initial=0.0))
    if found.fun < -1e20:
        flag, message = -3, "Problem appears unbounded."
    elif slope <= max(chosen.optimality * scale, 1e-6):
        flag, message = 1, "Local minimum found."
    elif found.status == 1:
        flag, message = 0, "Solver stopped prematurely: the iteration limit was reached."
    else:
        flag, message = 5, "Local minimum possible."
    tell(chosen, message, interp)
    report = {
        "iterations": float(found.nit),
        "funcCount": float(objective.f.calls),
        "firstorderopt": slope,
        "algorithm": "quasi-newton",
        "message": message,
    }
    outputs: list[Any] = [
        found.x.reshape(start.shape, order="F"), float(found.fun), float(flag), report,
        gradient.reshape(-1, 1),
    ]  # fmt: skip
    if nargout > 5:
        outputs.append(objective.hessian(found.x))
    return tuple(outputs)


class _Nonlinear:
    """The constraints c(x) <= 0 and ceq(x) = 0 of a user's function."""

    def __init__(
        self,
        function: Any,
        start: Matrix,
        interp: Interp,
        gradients: bool,
        extra: Sequence[Any] = (),
    ) -> None:
        self.function, self.shape, self.interp = function, start.shape, interp
        self.extra = [interp.to_matlab(value) for value in extra]
        self.gradients = gradients
        self.known: tuple[bytes, tuple[Matrix, ...]] | None = None

    def outputs(self, x: Vector) -> tuple[Matrix, ...]:
        key = np.asarray(x, float).tobytes()
        if self.known is None or self.known[0] != key:
            point = self.interp.to_matlab(np.asarray(x, float).reshape(self.shape, order="F"))
            given = [point, *self.extra]
            made = self.interp.call(self.function, given, 4 if self.gradients else 2)
            self.known = (key, tuple(plain(v, self.interp) for v in made))
        return self.known[1]

    def part(self, k: int, x: Vector) -> Vector:
        return self.outputs(x)[k].astype(float).ravel(order="F")

    def jacobian(self, k: int, x: Vector) -> Matrix:
        if self.gradients:
            return np.asarray(self.outputs(x)[k + 2].T, float).reshape(-1, x.size)
        made = slopes(lambda p: self.part(k, p), x)
        return made.reshape(-1, x.size)


def _constraints(rows: Linear, nonlinear: _Nonlinear | None, x: Vector) -> list[dict[str, Any]]:
    """The constraints as SciPy's method takes them, without those that have no rows."""
    found: list[dict[str, Any]] = []
    if rows.b.size:
        found.append({"type": "ineq", "fun": lambda p: rows.b - rows.a @ p,
                      "jac": lambda p: -rows.a})  # fmt: skip
    if rows.b_eq.size:
        found.append({"type": "eq", "fun": lambda p: rows.a_eq @ p - rows.b_eq,
                      "jac": lambda p: rows.a_eq})  # fmt: skip
    if nonlinear is not None:
        if nonlinear.part(0, x).size:
            found.append({"type": "ineq", "fun": lambda p: -nonlinear.part(0, p),
                          "jac": lambda p: -nonlinear.jacobian(0, p)})  # fmt: skip
        if nonlinear.part(1, x).size:
            found.append({"type": "eq", "fun": lambda p: nonlinear.part(1, p),
                          "jac": lambda p: nonlinear.jacobian(1, p)})  # fmt: skip
    return found


def _weights(
    x: Vector, gradient: Vector, rows: Linear, low: Vector, high: Vector, more: _Nonlinear | None
) -> tuple[dict[str, Matrix], float, float]:
    """Multipliers, the violation of the constraints, and the size of the Lagrangian's gradient."""
    n, unit = x.size, np.eye(x.size)
    above, under = np.isfinite(high), np.isfinite(low)
    c, c_eq = (more.part(0, x), more.part(1, x)) if more else (np.zeros(0), np.zeros(0))
    c_rows = more.jacobian(0, x) if c.size and more else np.zeros((0, n))
    e_rows = more.jacobian(1, x) if c_eq.size and more else np.zeros((0, n))
    matrix = np.vstack([rows.a, unit[above], -unit[under], c_rows])
    slack = np.concatenate([rows.b - rows.a @ x, (high - x)[above], (x - low)[under], -c])
    equal = np.vstack([rows.a_eq, e_rows])
    off = np.concatenate([rows.a_eq @ x - rows.b_eq, c_eq])
    limit = 1e-6 * (1 + np.abs(x).max(initial=0.0))
    below, both = multipliers(gradient, matrix, slack, equal, limit)
    rest = gradient + matrix.T @ below + (equal.T @ both if both.size else 0)
    cuts = np.cumsum([rows.b.size, int(above.sum()), int(under.sum())])
    parts = np.split(below, cuts)
    upper, lower = np.zeros(n), np.zeros(n)
    upper[above], lower[under] = parts[1], parts[2]
    count = rows.b_eq.size
    violation = max(float(np.maximum(-slack, 0).max(initial=0.0)),
                    float(np.abs(off).max(initial=0.0)))  # fmt: skip
    weights = {
        "eqlin": column(both[:count]), "eqnonlin": column(both[count:]),
        "ineqlin": column(parts[0]), "lower": column(lower), "upper": column(upper),
        "ineqnonlin": column(parts[3]),
    }  # fmt: skip
    return weights, violation, float(np.abs(rest).max(initial=0.0))


@builtin("fmincon", family="optim", lift="arrays", nargin=(1, None), nargout=7,
         needs=("nargout", "interp"))  # fmt: skip
def fmincon(*args: Any, nargout: int, interp: Interp) -> Any:
    """Minimum of a function of several variables under constraints.

    X = fmincon(FUN, X0, A, B) minimises FUN(X) subject to A*X <= B, from X0
    X = fmincon(FUN, X0, A, B, AEQ, BEQ, LB, UB, NONLCON, OPTIONS) also AEQ*X = BEQ,
    LB <= X <= UB, C(X) <= 0 and CEQ(X) = 0 with [C, CEQ] = NONLCON(X)
    X = fmincon(PROBLEM) with a structure of objective, x0, Aineq, bineq, Aeq, beq, lb, ub,
    nonlcon, options
    X = fmincon(…, OPTIONS, P1, …) passes P1 … to FUN and NONLCON
    [X, FVAL, EXITFLAG, OUTPUT, LAMBDA, GRAD, HESSIAN] = fmincon(…)

    With SpecifyObjectiveGradient, FUN gives the gradient too; with SpecifyConstraintGradient,
    NONLCON gives the gradients of C and CEQ as columns. HESSIAN is that of FUN at X.
    EXITFLAG is 1 for a minimum, 2 where nothing better was found, 0 after too many iterations, -2
    if no feasible point was found.

    Examples:
        >> o = optimoptions('fmincon', 'Display', 'off');
        >> f = @(x) 100*(x(2) - x(1)^2)^2 + (1 - x(1))^2;
        >> x = fmincon(f, [-1 2], [1 2], 1, [], [], [], [], [], o);
        >> round(x, 3)
        ans =
            0.5020    0.2490

    See also: fminunc, quadprog, linprog, optimoptions.
    """
    names = ("objective", "x0", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "nonlcon", "options")
    extra = args[10:]
    given = unpacked(args[:10], names, interp)
    if len(given) < 2:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    _checked(given[0], "fmincon")
    start = array(given[1], "fmincon", "X0")
    x = start.ravel(order="F")
    chosen = settings(next((a for a in given[8:] if is_options(a)), None), interp)
    rows = linear(given, 2, x.size, "fmincon")
    low, high = bounds(given, 6, x.size, "fmincon")
    function = given[8] if len(given) > 8 and is_function(given[8]) else None
    more = None
    if function is not None:
        more = _Nonlinear(function, start, interp, chosen.constraint_gradient, extra)
    objective = _Objective(Function(given[0], start, interp, extra), chosen)
    x = np.clip(x, low, high) if not (low > high).any() else x
    if not np.isfinite(objective.value(x)):
        raise _undefined("fmincon")
    found, steps, status = _sqp(objective, x, rows, low, high, more, chosen)
    gradient = objective.gradient(found)
    weights, violation, slope = _weights(found, gradient, rows, low, high, more)
    scale = 1 + float(np.abs(gradient).max(initial=0.0))
    if violation > max(chosen.constraint, 1e-8) * 10:
        flag, message = -2, "Converged to an infeasible point."
    elif slope <= max(chosen.optimality, 1e-6) * 100 * scale:
        flag, message = 1, "Local minimum found that satisfies the constraints."
    elif status == 9:
        flag, message = 0, "Solver stopped prematurely: the iteration limit was reached."
    else:
        flag, message = 2, "Local minimum possible. Constraints satisfied."
    tell(chosen, message, interp)
    report = {
        "iterations": float(steps),
        "funcCount": float(objective.f.calls),
        "constrviolation": violation,
        "firstorderopt": slope,
        "algorithm": "sqp",
        "message": message,
    }
    outputs: list[Any] = [
        found.reshape(start.shape, order="F"), objective.value(found), float(flag), report,
        weights, gradient.reshape(-1, 1),
    ]  # fmt: skip
    if nargout > 6:
        outputs.append(objective.hessian(found))
    return tuple(outputs)


def _sqp(
    objective: _Objective,
    x: Vector,
    rows: Linear,
    low: Vector,
    high: Vector,
    more: _Nonlinear | None,
    chosen: Settings,
) -> tuple[Vector, int, int]:
    """The point that sequential quadratic programming comes to, its steps, and its status."""
    from scipy.optimize import Bounds, minimize

    if (low > high).any():
        return x, 0, 4
    with np.errstate(all="ignore"):
        found = minimize(
            objective.value,
            x,
            jac=objective.gradient,
            method="SLSQP",
            bounds=Bounds(low, high),
            constraints=_constraints(rows, more, x),
            options={"ftol": min(chosen.function, 1e-6) * 1e-6,
                     "maxiter": chosen.iterations or 400},
        )  # fmt: skip
    return np.clip(found.x, low, high), int(found.nit), int(found.status)
