"""What iterative methods for linear systems share: operators, the loop, outputs and messages."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.interp import Interp
from runmat_core.builtins.arguments import floating, integer, scalar
from runmat_core.builtins.linalg.support import value_of
from runmat_core.values import FunctionHandle, SparseArray, char, from_numpy, is_text, to_numpy
from runmat_core.values.lapack import lu_factor, lu_solve
from runmat_core.values.superlu import splu

Vector = NDArray[Any]
Operator = Callable[[Vector], Vector]

#: One iteration: the iterate and the norm of its residual. The value returned is a flag.
Steps = Generator[tuple[Vector, float], None, int]
Method = Callable[["System", float], Steps]

MOST_STAGNANT = 3
REASONS = {
    1: "because the maximum number of iterations was reached.",
    2: "because the system involving the preconditioner was ill conditioned.",
    3: "because the method stagnated.",
    4: "because a scalar quantity became too small or too large to continue computing.",
    5: "because the preconditioner is not symmetric positive definite.",
}


@attrs.define
class System:
    """A*x = b with a preconditioner M.

    Attributes:
        apply, adjoint: products with A and A'.
        left, right: M1 \\ x and M2 \\ x, each with its adjoint, where M = M1*M2.
        notes: other norms that a method tells of, one at its start and one for each iterate.
        settled: set by a method that knows that the iterate it gives is as good as any can be.
    """

    name: str
    apply: Operator
    adjoint: Operator
    left: Operator
    right: Operator
    left_adjoint: Operator
    right_adjoint: Operator
    b: Vector
    x0: Vector
    tolerance: float
    most: int
    notes: list[float] = attrs.field(factory=list)
    settled: bool = False

    def precondition(self, r: Vector) -> Vector:
        return self.right(self.left(r))

    def precondition_adjoint(self, r: Vector) -> Vector:
        return self.left_adjoint(self.right_adjoint(r))

    def residual(self, x: Vector) -> Vector:
        image = self.apply(x)
        if image.size != self.b.size:
            raise MatlabError(
                f"MATLAB:{self.name}:InvalidFunctionOutput",
                f"The function of A must return a column vector of length {self.b.size}.",
            )
        return np.asarray(self.b - image)


def norm(v: Vector) -> float:
    return float(np.linalg.norm(v))


def usable(*scalars: Any) -> bool:
    """Whether quantities that are divided by are neither zero nor out of range."""
    return all(np.isfinite(s) and s != 0 for s in scalars)


# -- arguments ----------------------------------------------------------------------------------


def _is_function(value: Any) -> bool:
    return isinstance(value, FunctionHandle) or is_text(value)


def _given(args: Sequence[Any], k: int) -> Any:
    """Argument `k`, or None where it is not there or empty."""
    if k >= len(args):
        return None
    value = args[k]
    return None if not _is_function(value) and 0 in getattr(value, "shape", (1, 1)) else value


def _called(
    function: Any, extra: Sequence[Any], words: bool, interp: Interp
) -> tuple[Operator, Operator]:
    """Products by a MATLAB function, and those with the adjoint, which a word asks for."""

    def call(x: Vector, word: str) -> Vector:
        given = [value_of(x.reshape(-1, 1)), *([char(word)] if words else []), *extra]
        return np.asarray(to_numpy(interp.call(function, given, 1)).ravel(order="F"))

    return lambda x: call(x, "notransp"), lambda x: call(x, "transp")


def _divided(matrix: Any, name: str) -> tuple[Operator, Operator]:
    """Solutions of systems with a preconditioner, Inf where it is singular."""
    if isinstance(matrix, SparseArray):
        data = matrix.data.astype(np.result_type(matrix.data.dtype, np.float64))
        try:
            factors = splu(data.tocsc())
        except RuntimeError:
            return _all_infinite, _all_infinite

        def solve(x: Vector, kind: str) -> Vector:
            if x.dtype.kind == "c" and data.dtype.kind != "c":
                return np.asarray(factors.solve(x.real, kind) + 1j * factors.solve(x.imag, kind))
            return np.asarray(factors.solve(x.astype(data.dtype), kind))

        return lambda x: solve(x, "N"), lambda x: solve(x, "H")
    a = floating(matrix, name)
    with np.errstate(all="ignore"):
        if not np.isfinite(a).all() or np.linalg.matrix_rank(a) < a.shape[0]:
            return _all_infinite, _all_infinite
    packed = lu_factor(a)
    return lambda x: lu_solve(packed, x), lambda x: lu_solve(packed, x, 2)


def _all_infinite(x: Vector) -> Vector:
    return np.full(x.shape, np.inf)


def _unchanged(x: Vector) -> Vector:
    return x


def read(
    name: str, args: Sequence[Any], words: bool, interp: Interp, square: bool = True
) -> System:
    """Return the system that ``name(A, b, tol, maxit, M1, M2, x0, p1, …)`` is about.

    Args:
        words: whether functions are told "notransp" or "transp".
        square: whether A must be.
    """
    matrix, right = args[0], args[1]
    extra = args[7:]
    b_matrix = floating(right, name)
    columns = b_matrix.size
    if b_matrix.ndim > 2 or b_matrix.shape[1] != 1:
        raise MatlabError(f"MATLAB:{name}:RSHnotColumn", "Right hand side must be a column vector.")
    if _is_function(matrix):
        apply, adjoint = _called(matrix, extra, words, interp)
        if not square:
            columns = adjoint(b_matrix.ravel(order="F")).size
    else:
        a = matrix.data if isinstance(matrix, SparseArray) else floating(matrix, name)
        rows, columns = a.shape[:2]
        if a.ndim != 2 or (square and rows != columns):
            raise MatlabError(f"MATLAB:{name}:NonSquareMatrix", "Matrix must be square.")
        if b_matrix.shape != (rows, 1):
            raise MatlabError(
                f"MATLAB:{name}:RSHsizeMatchCoeffMatrix",
                f"Right hand side must be a column vector of length {rows} to match the "
                "coefficient matrix.",
            )
        turned = a.conj().T
        apply, adjoint = (lambda x: np.asarray(a @ x)), (lambda x: np.asarray(turned @ x))
    b = b_matrix.ravel(order="F").astype(np.result_type(b_matrix.dtype, np.float64))
    solvers: list[tuple[Operator, Operator]] = []
    for k in (4, 5):
        given = _given(args, k)
        if given is None:
            solvers.append((_unchanged, _unchanged))
        elif _is_function(given):
            solvers.append(_called(given, extra, words, interp))
        else:
            if tuple(given.shape if hasattr(given, "shape") else (1, 1)) != (columns, columns):
                raise MatlabError(
                    f"MATLAB:{name}:WrongPrecondSize",
                    f"Preconditioner must be a square matrix of size {columns} to match the "
                    "problem size.",
                )
            solvers.append(_divided(given, name))
    start = _given(args, 6)
    x0 = np.zeros(columns) if start is None else floating(start, name).ravel(order="F")
    if x0.size != columns:
        raise MatlabError(
            f"MATLAB:{name}:WrongInitGuessSize",
            f"Initial guess must be a column vector of length {columns} to match the problem size.",
        )
    tolerance, most = _given(args, 2), _given(args, 3)
    return System(
        name=name,
        apply=apply,
        adjoint=adjoint,
        left=solvers[0][0],
        right=solvers[1][0],
        left_adjoint=solvers[0][1],
        right_adjoint=solvers[1][1],
        b=b,
        x0=x0.astype(np.result_type(x0.dtype, np.float64)),
        tolerance=_tolerance(1e-6 if tolerance is None else scalar(tolerance, "TOL"), name, interp),
        most=min(columns, b.size, 20) if most is None else integer(most, "MAXIT"),
    )


def _tolerance(given: float, name: str, interp: Interp) -> float:
    epsilon = float(np.finfo(float).eps)
    if given < epsilon:
        interp.warn(
            f"MATLAB:{name}:tooSmallTolerance",
            "Input tol may not be achievable by " + name.upper() + ". Try to use a bigger "
            "tolerance.",
        )
        return epsilon
    if given >= 1:
        interp.warn(
            f"MATLAB:{name}:tooBigTolerance",
            "Input tol is bigger than 1. Try to use a smaller tolerance.",
        )
        return 1 - epsilon
    return given


# -- the loop -----------------------------------------------------------------------------------


@attrs.define
class Outcome:
    """What an iterative method has found.

    Attributes:
        at: the iteration that gave `x`.
        stopped: the iteration in which it stopped.
        sizes: norms of the residuals, that of the start first.
    """

    x: Vector
    flag: int
    residual: float
    at: float
    stopped: float
    sizes: list[float]


def iterate(system: System, method: Method, per_iteration: int = 1) -> Outcome:
    """Run a method until the residual is small, it stagnates, or it may go no further.

    Args:
        per_iteration: how many iterates it gives in one iteration.
    """
    size_b = norm(system.b)
    if size_b == 0:
        return Outcome(np.zeros_like(system.x0), 0, 0.0, 0, 0, [0.0])
    goal = system.tolerance * size_b
    x = system.x0
    start = norm(system.residual(x))
    sizes = [start]
    if start <= goal:
        return Outcome(x, 0, start / size_b, 0, 0, sizes)
    best, best_size, best_at = x, start, 0.0
    flag, stagnant, count = 1, 0, 0
    steps = method(system, goal)
    with np.errstate(all="ignore"):
        while count < system.most * per_iteration:
            try:
                new, size = next(steps)
            except StopIteration as end:
                flag = end.value
                break
            count += 1
            moved = norm(new - x)
            x = new
            sizes.append(size)
            if size <= goal:
                sizes[-1] = size = norm(system.residual(x))
                if size <= goal:
                    at = count / per_iteration
                    return Outcome(x, 0, size / size_b, at, at, sizes)
            if size < best_size:
                best, best_size, best_at = x, size, count / per_iteration
            if system.settled:
                flag = 0
                break
            small = moved <= np.finfo(float).eps * norm(x)
            stagnant = stagnant + 1 if small else 0
            if stagnant >= MOST_STAGNANT:
                flag = 3
                break
        actual = norm(system.residual(best))
    return Outcome(best, flag, actual / size_b, best_at, count / per_iteration, sizes)


def outputs(system: System, found: Outcome, nargout: int, interp: Interp) -> Any:
    """Return the values that are asked for; one alone comes with a message."""
    x = value_of(found.x.reshape(-1, 1))
    if nargout < 2:
        interp.write(_message(system, found) + "\n")
        return x
    sizes, notes = (
        from_numpy(np.array(v).reshape(-1, 1)) for v in (found.sizes, system.notes or [0.0])
    )
    return (x, float(found.flag), found.residual, float(found.at), sizes, notes)[:nargout]


def _message(system: System, found: Outcome) -> str:
    name = system.name
    if found.flag == 0:
        if not system.b.any():
            return (
                f"The right hand side vector is all zero so {name}\n"
                "returned an all zero solution without iterating."
            )
        if found.stopped == 0:
            return (
                f"The initial guess has relative residual {found.residual:.2g} which is within\n"
                f"the desired tolerance {system.tolerance:.2g} so {name} returned it without "
                "iterating."
            )
        return (
            f"{name} converged at iteration {found.at:g} to a solution with relative residual "
            f"{found.residual:.2g}."
        )
    return (
        f"{name} stopped at iteration {found.stopped:g} without converging to the desired "
        f"tolerance {system.tolerance:.2g}\n{REASONS[found.flag]}\n"
        f"The iterate returned (number {found.at:g}) has relative residual {found.residual:.2g}."
    )


def solve(
    name: str,
    args: Sequence[Any],
    method: Method,
    nargout: int,
    interp: Interp,
    words: bool = False,
    per_iteration: int = 1,
    square: bool = True,
) -> Any:
    """Return what a call of an iterative method gives."""
    system = read(name, args, words, interp, square)
    with interp.callbacks():
        found = iterate(system, method, per_iteration)
    return outputs(system, found, nargout, interp)
