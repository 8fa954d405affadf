"""Convex quadratic programs, by a primal-dual interior point method.

S. Mehrotra, "On the implementation of a primal-dual interior point method", SIAM J. Optim. 2
(1992).
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_optim.common import (
    Linear,
    Matrix,
    Vector,
    array,
    bounds,
    column,
    is_options,
    linear,
    optional,
)
from runmat_optim.linear import unpacked
from runmat_optim.options import settings, tell

MESSAGES = {
    1: "Minimum found that satisfies the constraints.",
    0: "Solver stopped prematurely: the iteration limit was reached.",
    -2: "No feasible solution found.",
    -3: "Problem is unbounded.",
    -6: "The problem is non-convex.",
}


@attrs.define
class Program:
    """Minimise x'*H*x/2 + f'*x subject to G*x <= h and A*x = b.

    Attributes:
        above, under: unknowns with a bound, whose rows are the last ones of G.
    """

    H: Matrix
    f: Vector
    G: Matrix
    h: Vector
    A: Matrix
    b: Vector
    above: Vector
    under: Vector

    @classmethod
    def of(cls, H: Matrix, f: Vector, rows: Linear, low: Vector, high: Vector) -> Program:
        above, under = np.isfinite(high), np.isfinite(low)
        unit = np.eye(f.size)
        return cls(
            H=(H + H.T) / 2,
            f=f,
            G=np.vstack([rows.a, unit[above], -unit[under]]),
            h=np.concatenate([rows.b, high[above], -low[under]]),
            A=rows.a_eq,
            b=rows.b_eq,
            above=above,
            under=under,
        )

    def weights(self, z: Vector, y: Vector) -> dict[str, Matrix]:
        """The structure lambda of the multipliers of inequalities and equalities."""
        n = self.f.size
        counts = np.cumsum([z.size - int(self.above.sum()) - int(self.under.sum()),
                            int(self.above.sum())])  # fmt: skip
        rows, high, low = np.split(z, counts)
        upper, lower = np.zeros(n), np.zeros(n)
        upper[self.above], lower[self.under] = high, low
        return {
            "ineqlin": column(rows),
            "eqlin": column(y),
            "lower": column(lower),
            "upper": column(upper),
        }

    def report(self, x: Vector, z: Vector, y: Vector, count: int, flag: int) -> dict[str, Any]:
        """The structure output."""
        slope = self.H @ x + self.f + self.G.T @ z + self.A.T @ y
        outside = max(
            (self.G @ x - self.h).max(initial=0.0), np.abs(self.A @ x - self.b).max(initial=0.0)
        )
        return {
            "message": MESSAGES[flag],
            "algorithm": "interior-point-convex",
            "firstorderopt": float(np.abs(slope).max(initial=0.0)),
            "constrviolation": float(outside),
            "iterations": float(count),
            "linearsolver": "dense",
            "cgiterations": np.zeros((0, 0)),
        }

    def saddle(self, H: Matrix, right: Vector, rows: Matrix) -> Vector:
        """Solution of the system of `H` bordered by `rows`."""
        count = rows.shape[0]
        system = np.block([[H, rows.T], [rows, np.zeros((count, count))]])
        try:
            return np.asarray(np.linalg.solve(system, right))
        except np.linalg.LinAlgError:
            return np.asarray(np.linalg.lstsq(system, right, rcond=None)[0])


def _interior(p: Program, most: int) -> tuple[Vector, Vector, Vector, int, bool]:
    """x, multipliers of inequalities and equalities, iterations, and whether it converged."""
    n, m = p.f.size, p.h.size
    x, y = np.zeros(n), np.zeros(p.b.size)
    s, z = np.maximum(1.0, p.h - p.G @ x), np.ones(m)
    size = 1 + max(np.abs(v).max(initial=0.0) for v in (p.H, p.f, p.h, p.b))
    tiny = 1e-13 * size * np.eye(n)
    for step in range(most):
        dual = p.H @ x + p.f + p.G.T @ z + p.A.T @ y
        equal, below = p.A @ x - p.b, p.G @ x + s - p.h
        gap = float(s @ z) / max(m, 1)
        worst = max(np.abs(v).max(initial=0.0) for v in (dual, equal, below))
        if worst <= 1e-10 * size and gap <= 1e-11 * size:
            return x, z, y, step, True
        if not np.isfinite(worst) or np.abs(x).max(initial=0.0) > 1e12 * size:
            break
        matrix = p.H + tiny + (p.G.T * (z / s)) @ p.G

        def towards(centre: Vector) -> tuple[Vector, ...]:
            right = -dual - p.G.T @ ((z * below - centre) / s)  # noqa: B023
            both = p.saddle(matrix, np.concatenate([right, -equal]), p.A)  # noqa: B023
            dx, dy = both[:n], both[n:]
            ds = -below - p.G @ dx  # noqa: B023
            return dx, dy, ds, (-centre - z * ds) / s  # noqa: B023

        dx, dy, ds, dz = towards(s * z)
        share = min(_reach(s, ds), _reach(z, dz))
        ahead = float((s + share * ds) @ (z + share * dz)) / max(m, 1)
        centring = (ahead / gap) ** 3 * gap if m else 0.0
        dx, dy, ds, dz = towards(s * z + ds * dz - centring)
        share = min(1.0, 0.995 * min(_reach(s, ds), _reach(z, dz)) if m else 1.0)
        x, y, s, z = x + share * dx, y + share * dy, s + share * ds, z + share * dz
    return x, z, y, most, False


def _reach(values: Vector, change: Vector) -> float:
    """How far positive `values` may go along `change`."""
    falling = change < 0
    return float(min(1.0, (-values[falling] / change[falling]).min(initial=1.0)))


def _sharpened(p: Program, x: Vector, z: Vector, y: Vector) -> tuple[Vector, Vector, Vector]:
    """The solution with the active constraints as equations, where that is one."""
    active = z > np.maximum(p.h - p.G @ x, 0)
    rows = np.vstack([p.G[active], p.A])
    if np.linalg.matrix_rank(rows) < rows.shape[0]:
        return x, z, y
    both = p.saddle(p.H, np.concatenate([-p.f, p.h[active], p.b]), rows)
    new, weights = both[: x.size], both[x.size :]
    count = int(active.sum())
    scale = 1 + np.abs(x).max(initial=0.0)
    near = np.abs(new - x).max(initial=0.0) <= 1e-5 * scale
    inside = (p.G @ new - p.h <= 1e-10 * scale).all() and (weights[:count] >= -1e-10).all()
    if not (near and inside and np.isfinite(both).all()):
        return x, z, y
    multipliers = np.zeros_like(z)
    multipliers[active] = np.maximum(weights[:count], 0)
    return new, multipliers, weights[count:]


def _is_feasible(p: Program) -> bool:
    from scipy.optimize import linprog

    if not p.h.size and not p.b.size:
        return True
    found = linprog(
        np.zeros(p.f.size),
        A_ub=p.G if p.h.size else None,
        b_ub=p.h if p.h.size else None,
        A_eq=p.A if p.b.size else None,
        b_eq=p.b if p.b.size else None,
        bounds=(None, None),
    )
    return bool(found.status != 2)


@builtin("quadprog", family="optim", lift="arrays", nargin=(1, 10), nargout=5,
         needs=("nargout", "interp"))  # fmt: skip
def quadprog(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a convex quadratic program.

    X = quadprog(H, F) minimises X'*H*X/2 + F'*X
    X = quadprog(H, F, A, B, AEQ, BEQ, LB, UB, X0, OPTIONS) subject to A*X <= B, AEQ*X = BEQ,
    LB <= X <= UB
    X = quadprog(PROBLEM) with a structure of H, f, Aineq, bineq, Aeq, beq, lb, ub, x0, options
    [X, FVAL, EXITFLAG, OUTPUT, LAMBDA] = quadprog(…)

    EXITFLAG is 1 for a solution, 0 after too many iterations, -2 if no point is feasible, -3 if
    the problem is unbounded, -6 if it is not convex.

    Examples:
        >> o = optimoptions('quadprog', 'Display', 'off');
        >> quadprog([1 -1; -1 2], [-2; -6], [1 1; -1 2; 2 1], [2; 2; 3], [], [], [], [], [], o)
        ans =
            0.6667
            1.3333

    See also: lsqlin, linprog, fmincon, optimoptions.
    """
    names = ("H", "f", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
    given = unpacked(args, names, interp)
    H = array(given[0], "quadprog", "H")
    n = H.shape[0]
    if H.shape != (n, n):
        raise MatlabError("optim:quadprog:NonSquareHessian", "H must be a square matrix.")
    f_given = optional(given, 1)
    f = np.zeros(n) if f_given is None else array(f_given, "quadprog", "f").ravel(order="F")
    if f.size != n:
        raise MatlabError(
            "optim:quadprog:MismatchObjCoefSize",
            "The number of rows in H must be the same as the number of elements of f.",
        )
    rows = linear(given, 2, n, "quadprog")
    low, high = bounds(given, 6, n, "quadprog")
    options = next((a for a in given[8:] if is_options(a)), None)
    chosen = settings(options, interp)
    program = Program.of(H, f, rows, low, high)
    x, z, y, count, flag = solved(program, chosen.iterations or 200)
    tell(chosen, MESSAGES[flag], interp)
    report = program.report(x, z, y, count, flag)
    if flag in (-2, -6):
        empty = np.zeros((0, 0))
        return empty, empty, float(flag), report, empty
    value = float(x @ program.H @ x / 2 + f @ x)
    return column(x), value, float(flag), report, program.weights(z, y)


def solved(p: Program, most: int) -> tuple[Vector, Vector, Vector, int, int]:
    """The solution, its multipliers, iterations and exit flag."""
    n = p.f.size
    nothing = np.zeros(n), np.zeros(p.h.size), np.zeros(p.b.size), 0
    curvature = np.linalg.eigvalsh(p.H) if n else np.zeros(0)
    scale = np.abs(curvature).max(initial=0.0)
    if curvature.min(initial=0.0) < -1e-10 * max(scale, 1e-300):
        return *nothing, -6
    if not _is_feasible(p):
        return *nothing, -2
    x, z, y, count, converged = _interior(p, most)
    if converged:
        return *_sharpened(p, x, z, y), count, 1
    unbounded = np.abs(x).max(initial=0.0) > 1e6 and float(p.f @ x) < 0
    return x, z, y, count, -3 if unbounded else 0
