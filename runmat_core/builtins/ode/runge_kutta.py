"""Explicit Runge-Kutta pairs with polynomials between their steps.

J. R. Dormand, P. J. Prince, "A family of embedded Runge-Kutta formulae", J. Comp. Appl. Math. 6
(1980); P. Bogacki, L. F. Shampine, "A 3(2) pair of Runge-Kutta formulas", Appl. Math. Letters 2
(1989); the control of steps is that of L. F. Shampine, M. W. Reichelt, "The MATLAB ODE Suite",
SIAM J. Sci. Comput. 18 (1997).
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.ode.stepping import Panel, Problem, Vector, least_step

Table = NDArray[np.float64]


@attrs.frozen
class Pair:
    """A pair of formulas; the last stage is the first of the next step.

    Attributes:
        nodes: times of the stages but the first, as parts of the step.
        stages: weights of the stages before each, one row for each but the first.
        error: weights of the estimate of the error.
        dense: stages-by-powers, weights of the polynomial between the ends.
        exponent: 1 / (order of the error).
    """

    nodes: Table
    stages: tuple[Table, ...]
    error: Table
    dense: Table
    exponent: float


DORMAND_PRINCE = Pair(
    nodes=np.array([1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]),
    stages=(
        np.array([1 / 5]),
        np.array([3 / 40, 9 / 40]),
        np.array([44 / 45, -56 / 15, 32 / 9]),
        np.array([19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729]),
        np.array([9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]),
        np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]),
    ),
    error=np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]),
    dense=np.array(
        [
            [1, -183 / 64, 37 / 12, -145 / 128],
            [0, 0, 0, 0],
            [0, 1500 / 371, -1000 / 159, 1000 / 371],
            [0, -125 / 32, 125 / 12, -375 / 64],
            [0, 9477 / 3392, -729 / 106, 25515 / 6784],
            [0, -11 / 7, 11 / 3, -55 / 28],
            [0, 3 / 2, -4, 5 / 2],
        ]
    ),
    exponent=1 / 5,
)

BOGACKI_SHAMPINE = Pair(
    nodes=np.array([1 / 2, 3 / 4, 1]),
    stages=(
        np.array([1 / 2]),
        np.array([0, 3 / 4]),
        np.array([2 / 9, 1 / 3, 4 / 9]),
    ),
    error=np.array([-5 / 72, 1 / 12, 1 / 9, -1 / 8]),
    dense=np.array([[1, -4 / 3, 5 / 9], [0, 1, -2 / 3], [0, 4 / 3, -8 / 9], [0, -1, 1]]),
    exponent=1 / 3,
)


class RungeKutta:
    """A Runge-Kutta pair on its way through a problem."""

    def __init__(self, problem: Problem, pair: Pair) -> None:
        self.problem, self.pair = problem, pair
        self.t, self.y, self.slope = problem.start, problem.y0, problem.slope
        self.length = problem.first_step(pair.exponent)

    def step(self) -> Panel | None:
        """The next step, or None where the tolerances cannot be met."""
        problem, relative = self.problem, self.problem.settings.relative
        least = least_step(self.t)
        length = min(problem.max_step(), max(least, self.length))
        rest = abs(problem.end - self.t)
        last = 1.1 * length >= rest
        length = rest if last else length
        failed = False
        while True:
            t = problem.end if last else self.t + problem.direction * length
            stages, y = self._stages(t)
            error, negative = self._error(stages, y, t - self.t)
            if error <= relative:
                break
            problem.work.failed += 1
            if length <= least:
                return None
            factor = 0.5
            if not failed and not negative:
                factor = max(0.1, 0.8 * (relative / error) ** self.pair.exponent)
            failed, last = True, False
            length = max(least, length * (factor if factor == factor else 0.1))
        panel = self._panel(t, y, stages)
        if not failed:
            change = 1.25 * (error / relative) ** self.pair.exponent
            length = length / change if change > 0.2 else 5 * length
        self.length, self.t, self.y, self.slope = length, t, panel.last, stages[:, -1]
        problem.work.steps += 1
        return panel

    def _stages(self, t: float) -> tuple[Vector, Vector]:
        """The rates at all stages of a step to `t`, n-by-stages, and the solution there."""
        problem, h = self.problem, t - self.t
        dtype = np.result_type(self.y, self.slope)
        rates = np.zeros((self.y.size, len(self.pair.stages) + 1), dtype)
        rates[:, 0] = self.slope
        y = self.y
        last = len(self.pair.stages)
        for k, (node, weights) in enumerate(zip(self.pair.nodes, self.pair.stages, strict=True), 1):
            y = self.y + h * (rates[:, :k] @ weights)
            rate = problem.rate(t if k >= last - 1 and node == 1 else self.t + h * node, y)
            if rate.dtype.kind == "c" and rates.dtype.kind != "c":
                rates = rates.astype(rate.dtype)
            rates[:, k] = rate
        return rates, y

    def _error(self, stages: Vector, y: Vector, h: float) -> tuple[float, bool]:
        """The estimated error, and whether it is that of a solution below zero."""
        problem = self.problem
        error = problem.size(h * (stages @ self.pair.error), self.y, y)
        at = problem.settings.nonnegative
        if at.size and error <= problem.settings.relative and (y[at].real < 0).any():
            limits = problem.settings.thresholds()
            limits = limits if limits.size == 1 else limits[at]
            below = float(np.max(np.maximum(-y[at].real, 0) / limits))
            if below > problem.settings.relative:
                return below, True
        return error, False

    def _panel(self, t: float, y: Vector, stages: Vector) -> Panel:
        at = self.problem.settings.nonnegative
        h = t - self.t
        coefficients: Any = np.column_stack([self.y, h * (stages @ self.pair.dense)])
        if at.size and (y[at].real < 0).any():
            y = y.copy()
            y[at] = np.maximum(y[at].real, 0)
            stages[:, -1] = self.problem.rate(t, y)
        return Panel(self.t, t, coefficients, y, at)
