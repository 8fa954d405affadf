"""Linear programs, with real and with integer unknowns, by HiGHS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_optim.common import Vector, array, bounds, column, is_options, linear, optional
from runmat_optim.options import settings, tell

_MESSAGES = {
    1: "Optimal solution found.",
    0: "Solver stopped prematurely: the iteration or time limit was reached.",
    -2: "No feasible solution found.",
    -3: "Problem is unbounded.",
    -4: "Solver stopped: numerical difficulties were met.",
}
#: Exit flags by SciPy's status.
_FLAGS = {0: 1, 1: 0, 2: -2, 3: -3, 4: -4}


def unpacked(args: Sequence[Any], names: Sequence[str], interp: Interp) -> list[Any]:
    """The arguments, of which one structure may hold all."""
    if len(args) != 1 or not is_options(args[0]):
        return list(args)
    if len(args[0].records()) != 1:
        raise MatlabError("optim:problem:notScalar", "The problem must be one structure.")
    record = args[0].records()[0]
    given = {key.lower(): value for key, value in record.items()}
    unpacked: list[Any] = []
    for name in names:
        value = given.get(name.lower())
        plain = value is not None and not is_options(value) and hasattr(value, "shape")
        if value is None:
            unpacked.append(np.zeros((0, 0)))
        elif plain or isinstance(value, float | bool):
            found = interp.to_python(value)
            unpacked.append(np.atleast_2d(found) if isinstance(found, float | bool | np.ndarray)
                            else value)  # fmt: skip
        else:
            unpacked.append(value)
    return unpacked


def _objective(args: Sequence[Any], name: str) -> Vector:
    f = array(args[0], name, "f").ravel(order="F")
    if not f.size:
        raise MatlabError(
            f"optim:{name}:EmptyObjective", "f must have an element for each unknown."
        )
    if not np.isfinite(f).all():
        raise MatlabError(f"optim:{name}:NonFiniteInput", "f must be finite.")
    return f


def _infeasible_bounds(low: Vector, high: Vector) -> bool:
    return bool((low > high).any())


@builtin("linprog", family="optim", lift="arrays", nargin=(1, 9), nargout=5,
         needs=("nargout", "interp"))  # fmt: skip
def linprog(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a linear program.

    X = linprog(F, A, B) minimises F'*X subject to A*X <= B
    X = linprog(F, A, B, AEQ, BEQ, LB, UB, OPTIONS) also AEQ*X = BEQ, LB <= X <= UB
    X = linprog(PROBLEM) with a structure of f, Aineq, bineq, Aeq, beq, lb, ub, options
    [X, FVAL, EXITFLAG, OUTPUT, LAMBDA] = linprog(…)

    EXITFLAG is 1 for a solution, -2 if no point is feasible, -3 if the problem is unbounded.

    Examples:
        >> o = optimoptions('linprog', 'Display', 'off');
        >> [x, fval] = linprog([-1 -1], [1 2; 3 1], [4; 6], [], [], [0 0], [], o)
        x =
            1.6000
            1.2000
        fval =
           -2.8000

    See also: intlinprog, quadprog, optimoptions.
    """
    from scipy.optimize import linprog as solve

    names = ("f", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "options")
    given = unpacked(args, names, interp)
    f = _objective(given, "linprog")
    rows = linear(given, 1, f.size, "linprog")
    low, high = bounds(given, 5, f.size, "linprog")
    options = next((a for a in given[7:] if is_options(a)), None)
    chosen = settings(options, interp)
    empty = np.zeros((0, 0))
    if _infeasible_bounds(low, high):
        tell(chosen, _MESSAGES[-2], interp)
        return empty, empty, -2.0, _report(0, "dual-simplex-highs", _MESSAGES[-2]), empty
    found = solve(
        f,
        A_ub=rows.a if rows.b.size else None,
        b_ub=rows.b if rows.b.size else None,
        A_eq=rows.a_eq if rows.b_eq.size else None,
        b_eq=rows.b_eq if rows.b_eq.size else None,
        bounds=np.column_stack([low, high]),
        method="highs",
        options={} if chosen.iterations is None else {"maxiter": chosen.iterations},
    )
    flag = _FLAGS.get(found.status, -4)
    tell(chosen, _MESSAGES[flag], interp)
    report = _report(int(found.nit), "dual-simplex-highs", _MESSAGES[flag])
    if found.x is None:
        return empty, empty, float(flag), report, empty
    weights = {
        "eqlin": column(-found.eqlin.marginals),
        "ineqlin": column(-found.ineqlin.marginals),
        "upper": column(-found.upper.marginals),
        "lower": column(found.lower.marginals),
    }
    return column(found.x), float(found.fun), float(flag), report, weights


def _report(iterations: int, algorithm: str, message: str) -> dict[str, Any]:
    return {"iterations": float(iterations), "algorithm": algorithm, "message": message}


@builtin("intlinprog", family="optim", lift="arrays", nargin=(1, 10), nargout=4,
         needs=("nargout", "interp"))  # fmt: skip
def intlinprog(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a linear program some of whose unknowns are integers.

    X = intlinprog(F, INTCON, A, B) minimises F'*X subject to A*X <= B, X(INTCON) integers
    X = intlinprog(F, INTCON, A, B, AEQ, BEQ, LB, UB, X0, OPTIONS)
    X = intlinprog(PROBLEM) with a structure of f, intcon, Aineq, bineq, Aeq, beq, lb, ub, options
    [X, FVAL, EXITFLAG, OUTPUT] = intlinprog(…)

    EXITFLAG is 1 for a solution, -2 if no point is feasible, -3 if the problem is unbounded.

    Examples:
        >> o = optimoptions('intlinprog', 'Display', 'off');
        >> intlinprog([8; 1], 2, [-1 -2; -4 -1; 2 1], [14; -33; 20], [], [], [], [], [], o)'
        ans =
            6.5000    7.0000

    See also: linprog, optimoptions.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    names = ("f", "intcon", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
    given = unpacked(args, names, interp)
    f = _objective(given, "intlinprog")
    rows = linear(given, 2, f.size, "intlinprog")
    low, high = bounds(given, 6, f.size, "intlinprog")
    chosen = settings(next((a for a in given[8:] if is_options(a)), None), interp)
    whole = np.zeros(f.size)
    places = optional(given, 1)
    if places is not None:
        at = array(places, "intlinprog", "intcon").ravel() - 1
        if not ((at >= 0) & (at < f.size) & (at % 1 == 0)).all():
            raise MatlabError(
                "optim:intlinprog:InvalidIntcon", "intcon must hold indices of unknowns."
            )
        whole[at.astype(int)] = 1
    empty = np.zeros((0, 0))
    if _infeasible_bounds(low, high):
        tell(chosen, _MESSAGES[-2], interp)
        return empty, empty, -2.0, {"message": _MESSAGES[-2]}
    limits = []
    if rows.b.size:
        limits.append(LinearConstraint(rows.a, -np.inf, rows.b))
    if rows.b_eq.size:
        limits.append(LinearConstraint(rows.a_eq, rows.b_eq, rows.b_eq))
    found = milp(f, integrality=whole, bounds=Bounds(low, high), constraints=limits)
    flag = _FLAGS.get(found.status, -4)
    tell(chosen, _MESSAGES[flag], interp)
    gap = getattr(found, "mip_gap", None)
    nodes = getattr(found, "mip_node_count", None)
    report = {
        "relativegap": empty if gap is None else 100 * float(gap),
        "numnodes": empty if nodes is None else float(nodes),
        "algorithm": "highs",
        "message": _MESSAGES[flag],
    }
    if found.x is None:
        return empty, empty, float(flag), report
    return column(found.x), float(found.fun), float(flag), report
