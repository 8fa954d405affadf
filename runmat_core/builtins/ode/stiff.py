"""Methods for stiff problems: a Rosenbrock formula and numerical differentiation formulas.

Both after L. F. Shampine, M. W. Reichelt, "The MATLAB ODE Suite", SIAM J. Sci. Comput. 18 (1997).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.ode.stepping import OneStep, Panel, Problem, Trial, Vector, least_step
from runmat_core.values.lapack import lu_factor, lu_solve

#: Parameters of the Rosenbrock formula.
_D = 1 / (2 + math.sqrt(2))
_E = 6 + math.sqrt(2)

#: Parameters of the formulas of orders 1 … 5, from index 1.
_KAPPA = np.array([0, -0.1850, -1 / 9, -0.0823, -0.0415, 0])
_GAMMA = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, 6))])
_ALPHA = (1 - _KAPPA) * _GAMMA
_ERROR = _KAPPA * _GAMMA + 1 / np.arange(1, 7)
#: Iterations before a step is given up.
NEWTON_STEPS = 4


class Linear:
    """(M - c*J) \\ x, factored once for many x."""

    def __init__(self, problem: Problem, mass: Vector, jacobian: Vector, c: float) -> None:
        problem.work.factorizations += 1
        self.problem, self.c = problem, c
        with np.errstate(all="ignore"):
            self.factors = lu_factor(mass - c * jacobian)

    def solve(self, right: Vector) -> Vector:
        self.problem.work.solutions += 1
        with np.errstate(all="ignore"):
            return lu_solve(self.factors, right)


def jacobian(problem: Problem, t: float, y: Vector, rate: Vector) -> Vector:
    """Return the Jacobian that was given, or one by differences."""
    problem.work.jacobians += 1
    if problem.jacobian is not None:
        return problem.jacobian(t, y)
    limits = problem.settings.thresholds()
    increments = math.sqrt(problem.epsilon) * np.maximum(np.abs(y), limits)
    columns = []
    for k in range(y.size):
        moved = y.copy()
        sign = -1.0 if rate[k].real < 0 else 1.0
        moved[k] = y[k] + sign * increments[k]
        columns.append((problem.rate(t, moved) - rate) / (moved[k] - y[k]))
    return np.column_stack(columns) if columns else np.zeros((0, 0))


def newton(
    problem: Problem, system: Linear, t: float, start: Vector, parts: tuple[Vector, Vector, Vector]
) -> tuple[Vector, Vector, int] | None:
    """Return the root y of c*f(t, y) = M*(psi + y - predicted) by simplified Newton iterations.

    Args:
        system: of M - c*J.
        start: the solution at the start of the step, by which sizes are measured.
        parts: M, `predicted` and psi.

    Returns:
        y, y - predicted and the number of iterations; None where they do not converge.
    """
    mass, predicted, psi = parts
    y, change, before = predicted, np.zeros_like(predicted), 0.0
    goal = 0.03 * problem.settings.relative
    floor = 100 * problem.epsilon * problem.size(predicted, predicted)
    for rounds in range(1, NEWTON_STEPS + 1):
        rate = problem.rate(t, y)
        if not np.isfinite(rate).all():
            return None
        move = system.solve(system.c * rate - mass @ (psi + change))
        size = problem.size(move, start, y)
        change = change + move
        y = predicted + change
        if size <= floor:
            return y, change, rounds
        slowness = size / before if rounds > 1 and before else None
        if slowness is not None:
            left = slowness / (1 - slowness) * size if slowness < 1 else math.inf
            if left <= goal:
                return y, change, rounds
            if slowness >= 0.9 or slowness ** (NEWTON_STEPS - rounds) * left > goal:
                return None
        elif size == 0 or not math.isfinite(size):
            return (y, change, rounds) if size == 0 else None
        before = size
    return None


class Rosenbrock(OneStep):
    """The Rosenbrock formula of orders 2 and 3 (ode23s): a new Jacobian for every step."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, 1 / 3, False, problem.first_step(1 / 2))
        self.rate = problem.slope
        if problem.settings.first_step is None:
            matrix = jacobian(problem, self.t, self.y, self.rate)
            bend = problem.size(self._drift(self.t, self.y, self.rate) + matrix @ self.rate, self.y)
            rise = 1.25 * math.sqrt(0.5 * bend / problem.settings.relative)
            if self.length * rise > 1:
                self.length = max(1 / rise, least_step(self.t))

    def _drift(self, t: float, y: Vector, rate: Vector) -> Vector:
        """Return the derivative of the rate with respect to time alone."""
        problem = self.problem
        h = math.sqrt(problem.epsilon) * max(abs(t), abs(t + problem.direction * self.length))
        later = t + problem.direction * min(h, self.length)
        return (problem.rate(later, y) - rate) / (later - t) if later != t else np.zeros_like(rate)

    def _prepare(self) -> None:
        self.matrix = jacobian(self.problem, self.t, self.y, self.rate)
        self.drift = self._drift(self.t, self.y, self.rate)

    def _try(self, t: float) -> Trial:
        problem, h = self.problem, t - self.t
        system = Linear(problem, np.eye(self.y.size), self.matrix, h * _D)
        tilt = h * _D * self.drift
        first = system.solve(self.rate + tilt)
        middle = problem.rate(self.t + 0.5 * h, self.y + 0.5 * h * first)
        second = system.solve(middle - first) + first
        y = self.y + h * second
        rate = problem.rate(t, y)
        third = system.solve(rate - _E * (second - middle) - 2 * (first - self.rate) + tilt)
        error = problem.size(h / 6 * (first - 2 * second + third), self.y, y)
        return Trial(y, error, parts=(first, second, rate))

    def _accept(self, t: float, trial: Trial) -> Panel:
        first, second, self.rate = trial.parts
        h, share = t - self.t, 1 - 2 * _D
        square = h * (second - first) / share
        powers = np.column_stack([self.y, h * (first - 2 * _D * second) / share, square])
        return Panel(self.t, t, powers, trial.y, self.problem.settings.nonnegative)


class Differentiation:
    """Numerical differentiation formulas of orders 1 to 5 for M*y' = f(t, y) (ode15s).

    The problem's rate is f, not y'; M may be singular.
    """

    def __init__(self, problem: Problem, mass: Vector, derivative: Vector) -> None:
        self.problem, self.mass = problem, mass
        self.t, self.y = problem.start, problem.y0
        self.order, self.equal = 1, 0
        self.length = problem.first_step(1 / 2)
        dtype = np.result_type(problem.y0, derivative)
        self.matrix = jacobian(problem, self.t, self.y, problem.slope)
        self.fresh = True
        self.system: Linear | None = None
        self.differences: Vector = np.zeros((problem.settings.max_order + 3, self.y.size), dtype)
        self.differences[0] = self.y
        self.differences[1] = derivative * self.length * problem.direction

    def _rescale(self, factor: float) -> None:
        """Differences for steps that are `factor` as long."""
        if factor == 1:
            return
        k = self.order
        change = _steps_matrix(k, factor) @ _steps_matrix(k, 1.0)
        self.differences[: k + 1] = change.T @ self.differences[: k + 1]
        self.length *= factor
        self.equal = 0
        self.system = None

    def step(self) -> Panel | None:
        """Return the next step, or None where the tolerances cannot be met."""
        problem = self.problem
        least = least_step(self.t)
        if self.length > problem.max_step():
            self._rescale(problem.max_step() / self.length)
        elif self.length < least:
            self._rescale(least / self.length)
        while True:
            rest = abs(problem.end - self.t)
            if self.length > rest or rest < 1.1 * self.length:
                self._rescale(rest / self.length)
            last = self.length >= rest
            t = problem.end if last else self.t + problem.direction * self.length
            found = self._correct(t)
            if found is None:
                problem.work.failed += 1
                factor = 0.5
            else:
                y, change, rounds = found
                size = problem.size(_ERROR[self.order] * change, self.y, y)
                if size <= problem.settings.relative:
                    break
                problem.work.failed += 1
                safety = 0.9 * (2 * NEWTON_STEPS + 1) / (2 * NEWTON_STEPS + rounds)
                ratio = (problem.settings.relative / size) if size == size else 0.0
                factor = max(0.2, safety * ratio ** (1 / (self.order + 1)))
            if self.length <= least:
                return None
            self._rescale(max(factor, least / self.length))
        return self._accept(t, y, change, rounds)

    def _correct(self, t: float) -> tuple[Vector, Vector, int] | None:
        """Return the solution at `t`, how far it is from its prediction, and rounds.

        Return None if it fails.
        """
        problem, k, h = self.problem, self.order, t - self.t
        predicted = self.differences[: k + 1].sum(axis=0)
        psi = _GAMMA[1 : k + 1] @ self.differences[1 : k + 1] / _ALPHA[k]
        c = h / _ALPHA[k]
        while True:
            if self.system is None:
                self.system = Linear(problem, self.mass, self.matrix, c)
            found = newton(problem, self.system, t, self.y, (self.mass, predicted, psi))
            if found is not None or self.fresh:
                return found
            rate = problem.rate(self.t, self.y)
            self.matrix, self.fresh = jacobian(problem, self.t, self.y, rate), True
            self.system = None

    def _accept(self, t: float, y: Vector, change: Vector, rounds: int) -> Panel:
        problem, k, D = self.problem, self.order, self.differences
        panel_start, before = self.t, self.y
        D[k + 2] = change - D[k + 1]
        D[k + 1] = change
        for i in reversed(range(k + 1)):
            D[i] += D[i + 1]
        at = problem.settings.nonnegative
        if at.size and (y[at].real < 0).any():
            y = y.copy()
            y[at] = np.maximum(y[at].real, 0)
            D[0] = y
        powers = _powers(D[: k + 1])
        powers[:, 0] = before
        panel = Panel(panel_start, t, powers, y, at)
        self.t, self.y, self.fresh = t, y, False
        self.equal += 1
        problem.work.steps += 1
        if self.equal >= k + 1:
            self._choose(rounds, before, change)
        return panel

    def _choose(self, rounds: int, before: Vector, change: Vector) -> None:
        """Take the order and the step that promise the longest way."""
        problem, k, D = self.problem, self.order, self.differences
        sizes = [
            problem.size(_ERROR[k - 1] * D[k], before, self.y) if k > 1 else math.inf,
            problem.size(_ERROR[k] * change, before, self.y),
            problem.size(_ERROR[k + 1] * D[k + 2], before, self.y)
            if k < problem.settings.max_order
            else math.inf,
        ]
        factors = [
            (problem.settings.relative / size) ** (1 / (order + 1)) if size > 0 else 10.0
            for order, size in zip((k - 1, k, k + 1), sizes, strict=True)
        ]
        best = int(np.argmax(factors))
        safety = 0.9 * (2 * NEWTON_STEPS + 1) / (2 * NEWTON_STEPS + rounds)
        factor = min(10.0, safety * factors[best])
        self.order = k + best - 1
        # a new length costs a factorisation
        if self.order != k or factor > 1.2 or factor < 1:
            self._rescale(factor)
            self.equal, self.system = 0, None


def _steps_matrix(order: int, factor: float) -> NDArray[np.float64]:
    """Return the matrix between differences at steps of lengths 1 and `factor`."""
    rows = np.arange(1, order + 1)[:, None]
    columns = np.arange(1, order + 1)
    matrix = np.zeros((order + 1, order + 1))
    matrix[0] = 1
    matrix[1:, 1:] = (rows - 1 - factor * columns) / rows
    return np.asarray(np.cumprod(matrix, axis=0))


def _powers(differences: Vector) -> Vector:
    """Backward differences at the end of a step as coefficients of powers of s, n-by-(k+1)."""
    k = differences.shape[0] - 1
    coefficients: Any = np.zeros((differences.shape[1], k + 1), differences.dtype)
    product = np.ones(1)
    coefficients[:, 0] = differences[0]
    for j in range(1, k + 1):
        # (s - 1 + j - 1) / j, with s from the start of the step
        product = np.convolve(product, np.array([(j - 2) / j, 1 / j]))
        coefficients[:, : j + 1] += differences[j][:, None] * product
    return np.asarray(coefficients)
