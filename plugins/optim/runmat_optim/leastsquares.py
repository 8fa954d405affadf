"""Linear least squares with linear constraints, as quadratic programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_optim.common import Matrix, Vector, array, bounds, column, is_options, linear
from runmat_optim.linear import unpacked
from runmat_optim.options import settings, tell
from runmat_optim.quadratic import MESSAGES, Program, solved


@builtin("lsqlin", family="optim", lift="arrays", nargin=(1, 10), nargout=6,
         needs=("nargout", "interp"))  # fmt: skip
def lsqlin(*args: Any, nargout: int, interp: Interp) -> Any:
    """Linear least squares with linear constraints.

    X = lsqlin(C, D, A, B) minimises norm(C*X - D) subject to A*X <= B
    X = lsqlin(C, D, A, B, AEQ, BEQ, LB, UB, X0, OPTIONS) also AEQ*X = BEQ, LB <= X <= UB
    X = lsqlin(PROBLEM) with a structure of C, d, Aineq, bineq, Aeq, beq, lb, ub, x0, options
    [X, RESNORM, RESIDUAL, EXITFLAG, OUTPUT, LAMBDA] = lsqlin(…); RESNORM is the squared norm of
    the RESIDUAL C*X - D

    EXITFLAG is 1 for a solution, 0 after too many iterations, -2 if no point is feasible. LAMBDA
    belongs to norm(C*X - D)^2 / 2. X0 changes nothing.

    Examples:
        >> o = optimoptions('lsqlin', 'Display', 'off');
        >> x = lsqlin([1 0; 1 1; 1 2], [1; 3; 5], [0 1], 1, [], [], [], [], [], o);
        >> round(x, 6)
        ans =
             2
             1

    See also: quadprog, lsqnonneg, lsqnonlin, mldivide, optimoptions.
    """
    names = ("C", "d", "Aineq", "bineq", "Aeq", "beq", "lb", "ub", "x0", "options")
    given = unpacked(args, names, interp)
    if len(given) < 2:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    C = array(given[0], "lsqlin", "C")
    d = array(given[1], "lsqlin", "d").ravel(order="F")
    n = C.shape[1]
    if C.ndim != 2 or C.shape[0] != d.size:
        raise MatlabError(
            "optim:lsqlin:InvalidCAndD",
            "The number of rows in C must be equal to the length of d.",
        )
    if not (np.isfinite(C).all() and np.isfinite(d).all()):
        raise MatlabError("optim:lsqlin:NonFiniteInput", "C and d must be finite.")
    rows = linear(given, 2, n, "lsqlin")
    low, high = bounds(given, 6, n, "lsqlin")
    chosen = settings(next((a for a in given[8:] if is_options(a)), None), interp)
    program = Program.of(C.T @ C, -C.T @ d, rows, low, high)
    if not program.h.size and not program.b.size:
        x = np.linalg.lstsq(C, d, rcond=None)[0]
        z, y, count, flag = np.zeros(0), np.zeros(0), 0, 1
    else:
        x, z, y, count, flag = solved(program, chosen.iterations or 200)
        if flag == 1:
            x, z, y = _refined(C, d, program, (x, z, y))
    tell(chosen, MESSAGES[flag], interp)
    report = program.report(x, z, y, count, flag) | {"algorithm": "interior-point"}
    if flag == -2:
        empty = np.zeros((0, 0))
        return empty, empty, empty, float(flag), report, empty
    rest = C @ x - d
    weights = program.weights(z, y)
    return column(x), float(rest @ rest), column(rest), float(flag), report, weights


def _refined(
    C: Matrix, d: Vector, p: Program, found: tuple[Vector, Vector, Vector]
) -> tuple[Vector, Vector, Vector]:
    """The solution by C itself, as C'*C has lost half of the digits.

    The constraints that are active are equations, whose null space is left to least squares.
    """
    x, z, _ = found
    active = z > np.maximum(p.h - p.G @ x, 0)
    rows = np.vstack([p.G[active], p.A])
    right = np.concatenate([p.h[active], p.b])
    count = rows.shape[0]
    if np.linalg.matrix_rank(rows) < count:
        return found
    base = np.linalg.lstsq(rows, right, rcond=None)[0] if count else np.zeros(x.size)
    free = np.linalg.svd(rows)[2][count:].T if count else np.eye(x.size)
    # from where it is now, so that what C does not tell stays
    base = base + free @ (free.T @ (x - base))
    new = base + free @ np.linalg.lstsq(C @ free, d - C @ base, rcond=None)[0]
    slope = C.T @ (C @ new - d)
    weights = np.linalg.lstsq(rows.T, -slope, rcond=None)[0] if count else np.zeros(0)
    m, scale = int(active.sum()), 1 + np.abs(x).max(initial=0.0)
    near = np.abs(new - x).max(initial=0.0) <= 1e-4 * scale
    if not (near and (p.G @ new - p.h <= 1e-10 * scale).all() and (weights[:m] >= -1e-8).all()):
        return found
    below = np.zeros_like(z)
    below[active] = np.maximum(weights[:m], 0)
    return new, below, weights[m:]
