"""Explicit Runge-Kutta pairs with polynomials between their steps.

J. R. Dormand, P. J. Prince, "A family of embedded Runge-Kutta formulae", J. Comp. Appl. Math. 6
(1980); P. Bogacki, L. F. Shampine, "A 3(2) pair of Runge-Kutta formulas", Appl. Math. Letters 2
(1989).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.ode.stepping import OneStep, Panel, Problem, Trial, Vector

Table = NDArray[np.float64]


@attrs.frozen
class Pair:
    """A pair of formulas.

    Attributes:
        nodes: times of the stages but the first, as parts of the step.
        stages: weights of the stages before each, one row for each but the first.
        error: weights of the estimate of the error.
        dense: stages-by-powers, weights of the polynomial between the ends; the stages are those
            above, the rate at the end unless it is the last of them, and the later ones.
        exponent: 1 / (order of the error).
        solution: weights of the solution, None where it is that of the last stage.
        later_nodes, later: stages that nothing but the polynomial needs.
    """

    nodes: Table
    stages: tuple[Table, ...]
    error: Table
    dense: Table
    exponent: float
    solution: Table | None = None
    later_nodes: Table = attrs.field(factory=lambda: np.zeros(0))
    later: tuple[Table, ...] = ()


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


class RungeKutta(OneStep):
    """A Runge-Kutta pair on its way through a problem."""

    def __init__(self, problem: Problem, pair: Pair) -> None:
        super().__init__(problem, pair.exponent, True, problem.first_step(pair.exponent))
        self.pair = pair
        self.slope: Callable[[], Vector] = lambda: problem.slope

    def _try(self, t: float) -> Trial:
        stages, y = self._stages(t)
        error, negative = self._error(stages, y, t - self.t)
        return Trial(y, error, 0.5 if negative else None, (stages,))

    def _stages(self, t: float) -> tuple[Vector, Vector]:
        """Return the rates at all stages of a step to `t`, n-by-stages, and the solution there."""
        pair, h = self.pair, t - self.t
        slope = self.slope()
        rates = np.zeros((self.y.size, len(pair.stages) + 1), np.result_type(self.y, slope))
        rates[:, 0] = slope
        y = self.y
        last = len(pair.stages)
        for k, (node, weights) in enumerate(zip(pair.nodes, pair.stages, strict=True), 1):
            y = self.y + h * (rates[:, : weights.size] @ weights)
            at = t if k >= last - 1 and node == 1 else self.t + h * node
            rates = _with_column(rates, k, self.problem.rate(at, y))
        if pair.solution is not None:
            y = self.y + h * (rates[:, : pair.solution.size] @ pair.solution)
        return rates, y

    def _error(self, stages: Vector, y: Vector, h: float) -> tuple[float, bool]:
        """Return the estimated error, and whether it is that of a solution below zero."""
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

    def _accept(self, t: float, trial: Trial) -> Panel:
        problem, pair = self.problem, self.pair
        at, start, before, y = problem.settings.nonnegative, self.t, self.y, trial.y
        (stages,) = trial.parts
        below = at.size and (y[at].real < 0).any()
        if below:
            y = y.copy()
            y[at] = np.maximum(y[at].real, 0)

        # where the last stage is not the rate at the end, it is computed when it is needed
        @cache
        def slope() -> Vector:
            if below or pair.solution is not None:
                return problem.rate(t, y)
            return np.asarray(stages[:, -1])

        def polynomial() -> Vector:
            h = t - start
            rates = stages
            if pair.solution is None:
                rates = _with_column(rates, rates.shape[1] - 1, slope())
            else:
                rates = _with_column(rates, rates.shape[1], slope())
            for node, weights in zip(pair.later_nodes, pair.later, strict=True):
                state = before + h * (rates[:, : weights.size] @ weights)
                rates = _with_column(rates, rates.shape[1], problem.rate(start + h * node, state))
            return np.column_stack([before, h * (rates @ pair.dense)])

        self.slope = slope
        return Panel(start, t, polynomial, y, at)


def _with_column(rates: Vector, k: int, rate: Vector) -> Vector:
    """`rates` with `rate` as column `k`, complex where it is."""
    if k == rates.shape[1]:
        return np.column_stack([rates, rate])
    if rate.dtype.kind == "c" and rates.dtype.kind != "c":
        rates = rates.astype(rate.dtype)
    rates[:, k] = rate
    return rates
