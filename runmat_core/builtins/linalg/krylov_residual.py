"""Iterative methods that minimise the residual: gmres for square systems, lsqr for all.

Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); C. C. Paige, M. A. Saunders, "LSQR",
ACM Trans. Math. Software 8 (1982).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import integer
from runmat_core.builtins.linalg.iteration import (
    REASONS,
    Steps,
    System,
    Vector,
    norm,
    read,
    solve,
)
from runmat_core.builtins.linalg.support import value_of
from runmat_core.values import from_numpy, to_numpy


class _Arnoldi:
    """One cycle of gmres: a basis that grows, and the least squares problem in it."""

    def __init__(self, system: System, r: Vector, most: int) -> None:
        self.system, self.size = system, norm(r)
        dtype = np.result_type(r.dtype, system.b.dtype, system.x0.dtype)
        self.basis: Any = np.zeros((r.size, most + 1), dtype)
        self.basis[:, 0] = r / self.size
        self.matrix: Any = np.zeros((most + 1, most), dtype)
        self.count, self.flag = 0, 0

    def extend(self) -> float:
        """Another vector of the basis; the norm of the residual that it allows."""
        k = self.count
        w = self.system.precondition(self.system.apply(self.basis[:, k]))
        if not np.isfinite(w).all():
            self.flag = 2
            return self.size
        if w.dtype.kind == "c" and self.basis.dtype.kind != "c":
            self.basis, self.matrix = self.basis.astype(complex), self.matrix.astype(complex)
        before = norm(w)
        for _ in range(2):  # once more, for what rounding left
            parts = self.basis[:, : k + 1].conj().T @ w
            w = w - self.basis[:, : k + 1] @ parts
            self.matrix[: k + 1, k] += parts
        length = norm(w)
        self.matrix[k + 1, k] = length
        self.count += 1
        if length <= np.finfo(float).eps * before:
            self.flag = 3
            self.matrix[k + 1, k] = 0
        else:
            self.basis[:, k + 1] = w / length
        y = self._weights()
        right = np.zeros(self.count + 1)
        right[0] = self.size
        return norm(right - self.matrix[: self.count + 1, : self.count] @ y)

    def _weights(self) -> Vector:
        right = np.zeros(self.count + 1)
        right[0] = self.size
        matrix = self.matrix[: self.count + 1, : self.count]
        return np.asarray(np.linalg.lstsq(matrix, right, rcond=None)[0])

    def correction(self) -> Vector:
        if not self.count:
            return np.zeros(self.basis.shape[0])
        return np.asarray(self.basis[:, : self.count] @ self._weights())


def _cycles(system: System, inner: int, outer: int) -> tuple[Any, ...]:
    """x, flag, relative residual, [outer inner], residuals."""
    x = system.x0
    size_b = norm(system.precondition(system.b))
    if norm(system.b) == 0:
        return np.zeros_like(x), 0, 0.0, (0, 0), [0.0]
    if not np.isfinite(size_b):
        return x, 2, 1.0, (0, 0), [norm(system.b)]
    goal = system.tolerance * size_b
    r = system.precondition(system.residual(x))
    sizes = [norm(r)]
    best, best_size, best_at = x, sizes[0], (0, 0)
    if sizes[0] <= goal:
        return x, 0, sizes[0] / size_b, (0, 0), sizes
    flag, stagnant = 1, 0
    for cycle in range(1, outer + 1):
        space = _Arnoldi(system, r, inner)
        while space.count < inner:
            size = space.extend()
            if space.flag == 2:
                break
            stagnant = stagnant + 1 if size >= sizes[-1] * (1 - np.finfo(float).eps) else 0
            sizes.append(size)
            if size <= goal or space.flag:
                break
        new = x + space.correction()
        r = system.precondition(system.residual(new))
        size = norm(r)
        at = (cycle, space.count)
        if size < best_size:
            best, best_size, best_at = new, size, at
        x = new
        if size <= goal:
            return x, 0, size / size_b, at, sizes
        if space.flag:
            flag = space.flag
            break
        if stagnant >= max(3, inner) and space.count == inner:
            flag = 3
            break
    return best, flag, best_size / size_b, best_at, sizes


@builtin(
    "gmres", family="linalg/iterative", nargin=(2, None), nargout=5, needs=("nargout", "interp")
)
def gmres(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system by generalised minimal residuals.

    X = gmres(A, B) without restarts, X = gmres(A, B, RESTART, TOL, MAXIT) with restarts after
    RESTART inner iterations, MAXIT of them; defaults [], 1e-6, 10 or the size of A
    X = gmres(A, B, RESTART, TOL, MAXIT, M1, M2, X0) with the preconditioner M1*M2, from X0
    [X, FLAG, RELRES, ITER, RESVEC] = gmres(…); ITER is [outer inner], residuals are
    preconditioned

    A, M1, M2 and FLAG are as for pcg.

    Examples:
        >> [x, flag] = gmres([4 1; 2 3], [1; 2]); x, flag
        x =
            0.1000
            0.6000
        flag =
             0

    See also: pcg, bicgstab, minres, lsqr, ilu.
    """
    given = list(args)
    restart = given.pop(2) if len(given) > 2 else None
    system = read("gmres", given, False, interp)
    size = system.b.size
    has_most = len(given) > 3 and to_numpy(given[3]).size > 0
    most = system.most if has_most else min(size, 10)
    if restart is None or not to_numpy(restart).size or integer(restart, "RESTART") == size:
        inner, outer, restarted = min(most, size), 1, False
    else:
        inner, outer, restarted = integer(restart, "RESTART"), most, True
        if inner < 1:
            raise MatlabError("MATLAB:gmres:InvalidRestart", "RESTART must be positive.")
        inner = min(inner, size)
    with interp.callbacks(), np.errstate(all="ignore"):
        x, flag, residual, at, sizes = _cycles(system, inner, outer)
    solution = value_of(x.reshape(-1, 1))
    if nargout < 2:
        name = f"gmres({inner})" if restarted else "gmres"
        interp.write(_gmres_message(name, system, flag, residual, at) + "\n")
        return solution
    pair = from_numpy(np.array([at], float))
    column = from_numpy(np.array(sizes).reshape(-1, 1))
    return (solution, float(flag), residual, pair, column)[:nargout]


def _gmres_message(
    name: str, system: System, flag: int, residual: float, at: tuple[int, int]
) -> str:
    where = f"outer iteration {at[0]} (inner iteration {at[1]})"
    if flag == 0:
        return f"{name} converged at {where} to a solution with relative residual {residual:.2g}."
    return (
        f"{name} stopped at {where} without converging to the desired tolerance "
        f"{system.tolerance:.2g}\n{REASONS[flag]}\n"
        f"The iterate returned (number {at[0]}({at[1]})) has relative residual {residual:.2g}."
    )


def _lsqr(system: System, goal: float) -> Steps:
    x, u = system.x0, system.residual(system.x0)

    def adjoint(u: Vector) -> Vector:
        return system.precondition_adjoint(system.adjoint(u))

    beta = phi = norm(u)
    u = u / beta
    v = adjoint(u)
    alpha = rho_bar = norm(v)
    system.notes.append(alpha * beta)
    if not np.isfinite(alpha):
        return 2
    if alpha == 0:
        return 0
    v = v / alpha
    made = direction = system.precondition(v)
    squares = 0.0
    while True:
        squares += alpha * alpha
        u = system.apply(made) - alpha * u
        beta = norm(u)
        if not np.isfinite(beta):
            return 2
        u = u / beta if beta else u
        squares += beta * beta
        v = adjoint(u) - beta * v
        alpha = norm(v)
        v = v / alpha if alpha else v
        rho = np.hypot(rho_bar, beta)
        if not rho:
            return 4
        c, s = rho_bar / rho, beta / rho
        theta, rho_bar = s * alpha, -c * alpha
        x, phi = x + c * phi / rho * direction, s * phi
        made = system.precondition(v)
        direction = made - theta / rho * direction
        system.notes.append(phi * alpha * abs(c))
        system.settled = system.notes[-1] <= system.tolerance * np.sqrt(squares) * phi
        yield x, phi


@builtin(
    "lsqr", family="linalg/iterative", nargin=(2, None), nargout=6, needs=("nargout", "interp")
)
def lsqr(*args: Any, nargout: int, interp: Interp) -> Any:
    """Solve a system of any shape in the sense of least squares, iteratively.

    X = lsqr(A, B, TOL, MAXIT, M1, M2, X0); A need not be square, M1*M2 scales its columns
    [X, FLAG, RELRES, ITER, RESVEC, LSVEC] = lsqr(…); LSVEC holds the norms of A'*(B - A*X)

    Arguments and outputs are those of bicg.

    Examples:
        >> [x, flag] = lsqr([1 0; 1 1; 1 2], [1; 3; 5]); x, flag
        x =
            1.0000
            2.0000
        flag =
             0

    See also: pcg, gmres, mldivide, lsqnonneg.
    """
    return solve("lsqr", args, _lsqr, nargout, interp, words=True, square=False)
