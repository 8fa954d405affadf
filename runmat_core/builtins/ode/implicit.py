"""One-step methods for stiff problems M*y' = f(t, y): the trapezoidal rule and TR-BDF2.

L. F. Shampine, M. W. Reichelt, J. A. Kierzenka, "Solving index-1 DAEs in MATLAB and Simulink", SIAM
Review 41 (1999); M. E. Hosea, L. F. Shampine, "Analysis and implementation of TR-BDF2", Applied
Numerical Mathematics 20 (1996).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from itertools import pairwise

import numpy as np

from runmat_core.builtins.ode.stepping import OneStep, Panel, Problem, Trial, Vector
from runmat_core.builtins.ode.stiff import Linear, jacobian, newton

#: Of TR-BDF2: where its first stage ends, the weight of the last stage, that of the others.
_GAMMA = 2 - math.sqrt(2)
_LAST = _GAMMA / 2
_OTHERS = math.sqrt(2) / 4
#: Weights of its error, the difference from a formula of order 3.
_ERROR = ((1 - 4 * _OTHERS) / 3, 1 / 3, -2 * _LAST / 3)


class Implicit(OneStep):
    """What both share: stages by simplified Newton iterations, and the matrix that they need.

    The problem's rate is f, not y'; `slope` is y'.

    Attributes:
        share: the matrix of a step h is M - share*h*J.
    """

    share: float
    steady = 0.2

    def __init__(self, problem: Problem, mass: Vector, derivative: Vector) -> None:
        super().__init__(problem, 1 / 3, False, problem.first_step(1 / 3))
        self.mass, self.slope = mass, derivative
        self.matrix = jacobian(problem, self.t, self.y, problem.slope)
        self.fresh = True
        self.system: Linear | None = None

    def _try(self, t: float) -> Trial:
        problem, c = self.problem, self.share * (t - self.t)
        while True:
            if self.system is None or not math.isclose(self.system.c, c, rel_tol=1e-10):
                # iterations with a Jacobian from far away may seem to converge
                self._refresh()
                self.system = Linear(problem, self.mass, self.matrix, c)
            trial = self._stages(t, self.system)
            if trial is not None:
                return trial
            if self.fresh:
                return Trial(self.y, math.nan, 0.3)
            self.system = None

    def _refresh(self) -> None:
        if not self.fresh:
            rate = self.problem.rate(self.t, self.y)
            self.matrix = jacobian(self.problem, self.t, self.y, rate)
            self.fresh = True

    @abstractmethod
    def _stages(self, t: float, system: Linear) -> Trial | None:
        """Return a step to `t`.

        Return None where its equations are not solved. Parts: h*y' at points of it.
        """

    def _stage(
        self, system: Linear, t: float, base: Vector, guess: Vector
    ) -> tuple[Vector, Vector] | None:
        """y = base + share*z and z with M*z = h*f(t, y), by iterations from the guess of z."""
        ahead = self.share * guess
        parts = self.mass, base + ahead, ahead
        found = newton(self.problem, system, t, self.y, parts)
        return None if found is None else (found[0], (ahead + found[1]) / self.share)

    def _accept(self, t: float, trial: Trial) -> Panel:
        at, y = self.problem.settings.nonnegative, trial.y
        powers = self._polynomial(t, trial)
        self.slope, self.fresh = trial.parts[-1] / (t - self.t), False
        if at.size and (y[at].real < 0).any():
            y = y.copy()
            low = at[y[at].real < 0]
            y[low] = 0
            self.slope[low] = np.maximum(self.slope[low].real, 0)
        return Panel(self.t, t, np.column_stack(powers), y, at)

    def _polynomial(self, t: float, trial: Trial) -> list[Vector]:
        """Coefficients of powers: the cubic with the slopes at both ends."""
        first, last, way = (t - self.t) * self.slope, trial.parts[-1], trial.y - self.y
        return [self.y, first, 3 * way - 2 * first - last, first + last - 2 * way]


class TrapezoidBackward(Implicit):
    """TR-BDF2 (ode23tb): a step of the trapezoidal rule, then one by backward differences."""

    share = _LAST

    def _stages(self, t: float, system: Linear) -> Trial | None:
        h = t - self.t
        first = h * self.slope
        middle = self._stage(system, self.t + _GAMMA * h, self.y + _LAST * first, first)
        if middle is None:
            return None
        second = middle[1]
        base = self.y + _OTHERS * (first + second)
        end = self._stage(system, t, base, first + (second - first) / _GAMMA)
        if end is None:
            return None
        y, third = end
        error = sum(w * z for w, z in zip(_ERROR, (first, second, third), strict=True))
        return Trial(y, self.problem.size(np.asarray(error), self.y, y), parts=(third,))


class Trapezoid(Implicit):
    """The trapezoidal rule (ode23t); M may be singular.

    Its error h^3/12*y''' is found from the solution at four points: slopes of stiff components keep
    the sign of their error from step to step, and would never let the step grow.
    """

    share = 0.5

    def __init__(self, problem: Problem, mass: Vector, derivative: Vector) -> None:
        super().__init__(problem, mass, derivative)
        if np.linalg.matrix_rank(mass) < mass.shape[0]:
            self.slope = self._start()
        #: Points of the solution before this one, the last one first, and the slope at that.
        self.before: list[tuple[float, Vector]] = []
        self.slope_before = self.slope

    def _start(self) -> Vector:
        """Return the slope at the start where M does not tell it, by a short step backward."""
        h = 1e-4 * self.length * self.problem.direction
        t = self.t + h
        if t == self.t or not self.y.size:
            return self.slope
        system = Linear(self.problem, self.mass, self.matrix, h)
        parts = self.mass, self.y, np.zeros_like(self.y)
        found = newton(self.problem, system, t, self.y, parts)
        return self.slope if found is None else found[1] / h

    def _stages(self, t: float, system: Linear) -> Trial | None:
        h = t - self.t
        first = h * self.slope
        guess = first
        if self.before:
            guess = first + h / (self.t - self.before[0][0]) * (first - h * self.slope_before)
        end = self._stage(system, t, self.y + 0.5 * first, guess)
        if end is None:
            return None
        y, second = end
        return Trial(y, self.problem.size(self._error(t, y, second), self.y, y), parts=(second,))

    def _error(self, t: float, y: Vector, last: Vector) -> Vector:
        h = t - self.t
        if not self.before:
            # how far backward Euler would be off, as nothing tells of the third derivative
            return 0.5 * (last - h * self.slope)
        # a third divided difference; at the second step two of its points are one
        points = [(t, y), (self.t, self.y), *self.before]
        first = [(a[1] - b[1]) / (a[0] - b[0]) for a, b in pairwise(points)]
        if len(self.before) == 1:
            points.append(points[-1])
            first.append(self.slope_before)
        second = [(first[k] - first[k + 1]) / (points[k][0] - points[k + 2][0]) for k in range(2)]
        third = (second[0] - second[1]) / (t - points[3][0])
        return np.asarray(h**3 / 2 * third)

    def _accept(self, t: float, trial: Trial) -> Panel:
        here = (self.t, self.y, self.slope)
        panel = super()._accept(t, trial)
        self.before, self.slope_before = [here[:2], *self.before[:1]], here[2]
        return panel

    def _polynomial(self, t: float, trial: Trial) -> list[Vector]:
        h = t - self.t
        if not self.before or abs(self.t - self.before[0][0]) > 2 * abs(h):
            return super()._polynomial(t, trial)
        # through the point before, without the errors that slopes keep; its place is share < 0
        way, back = trial.y - self.y, self.before[0][1] - self.y
        share = (self.before[0][0] - self.t) / h
        square = (back - share * way) / (share * (share - 1))
        return [self.y, way - square, square]
