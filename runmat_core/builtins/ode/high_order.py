"""The explicit Runge-Kutta method of order 8 by Dormand and Prince, for strict tolerances."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.libraries import package
from runmat_core.builtins.ode.stepping import Panel, Problem, Vector, least_step


class HighOrder:
    """SciPy's method DOP853, with polynomials of degree 7 between its steps.

    Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", section II.10.
    """

    def __init__(self, problem: Problem) -> None:
        DOP853 = package("scipy.integrate").DOP853

        self.problem = problem
        self.t, self.y = problem.start, problem.y0
        settings = problem.settings
        first = settings.first_step
        length = abs(problem.end - problem.start)
        # from what is not finite no step leads on
        self.solver = (
            None
            if not np.isfinite(problem.y0).all()
            else DOP853(
                problem.rate,
                problem.start,
                problem.y0,
                problem.end,
                max_step=problem.max_step(),
                rtol=settings.relative,
                atol=settings.absolute
                if settings.absolute.size > 1
                else float(settings.absolute[0]),
                first_step=None if first is None else max(min(first, length), least_step(self.t)),
            )
        )

    def step(self) -> Panel | None:
        """Return the next step, or None where the tolerances cannot be met."""
        solver, problem = self.solver, self.problem
        if solver is None:
            return None
        with np.errstate(all="ignore"):
            solver.step()
            if solver.status == "failed":
                return None
            dense = solver.dense_output()
        before, at = self.y, problem.settings.nonnegative
        y = solver.y.copy()
        if at.size:
            y[at] = np.maximum(y[at].real, 0)
            solver.y = y.copy()
        # without components there is nothing between the steps
        terms = dense.F if before.size else np.zeros((1, 0))
        panel = Panel(float(solver.t_old), float(solver.t), _powers(before, terms), y, at)
        self.t, self.y = float(solver.t), y
        problem.work.steps += 1
        return panel


def _powers(before: Vector, terms: Vector) -> Vector:
    """Return the nested polynomial of a step as coefficients of powers, n-by-8."""
    degree = terms.shape[0]
    powers: Any = np.zeros((before.size, degree + 1), np.result_type(before, terms))
    for k, term in enumerate(reversed(terms)):
        powers[:, 0] += term
        shifted = np.zeros_like(powers)
        shifted[:, 1:] = powers[:, :-1]
        powers = shifted if k % 2 == 0 else powers - shifted
    powers[:, 0] += before
    return np.asarray(powers)
