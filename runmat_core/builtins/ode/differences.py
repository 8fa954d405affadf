"""Backward differentiation formulas for F(t, y, y') = 0, with steps of any lengths (ode15i).

The formulas are derivatives of polynomials through the latest points: L. F. Shampine, "Solving
0 = F(t, y(t), y'(t)) in Matlab", J. Numer. Math. 10 (2002).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs
import numpy as np

from runmat_core.builtins.ode.options import Settings
from runmat_core.builtins.ode.stepping import Measured, Panel, Vector, Work, least_step
from runmat_core.values.lapack import lu_factor, lu_solve

#: ``(t, y, y') -> F`` and ``(t, y, y') -> dF/dy, dF/dy'``.
Residual = Callable[[float, Vector, Vector], Vector]
Partials = Callable[[float, Vector, Vector], tuple[Vector, Vector]]

_ROUNDS = 4


@attrs.define
class Implicit(Measured):
    """F(t, y, y') = 0 from `start` to `end`.

    Attributes:
        y0, slope: the solution and its derivative at the start.
        span: the distance to the first time of output.
        partials: where they are known; else they are found by differences.
        epsilon: the precision in which F is computed.
    """

    residual: Residual
    start: float
    end: float
    y0: Vector
    slope: Vector
    span: float
    settings: Settings
    work: Work
    partials: Partials | None = None
    epsilon: float = float(np.finfo(float).eps)

    def derivatives(self, t: float, y: Vector, slope: Vector) -> tuple[Vector, Vector]:
        """dF/dy and dF/dy', as given or by differences."""
        self.work.jacobians += 1
        if self.partials is not None:
            return self.partials(t, y, slope)
        limits = self.settings.thresholds()
        return differences(self.residual, t, y, slope, limits, self.epsilon)


def differences(
    residual: Residual, t: float, y: Vector, slope: Vector, limits: Vector, epsilon: float
) -> tuple[Vector, Vector]:
    """dF/dy and dF/dy' by differences."""
    base = residual(t, y, slope)
    root = math.sqrt(epsilon)
    found = []
    for values, is_slope in ((y, False), (slope, True)):
        steps = root * np.maximum(np.abs(values), limits)
        matrix = np.zeros((base.size, values.size), np.result_type(base, values))
        for k in range(values.size):
            moved = values.copy()
            moved[k] += steps[k]
            other = residual(t, y, moved) if is_slope else residual(t, moved, slope)
            matrix[:, k] = (other - base) / (moved[k] - values[k])
        found.append(matrix)
    return found[0], found[1]


def weights_of(nodes: Vector, at: float) -> tuple[Vector, Vector]:
    """Return the weights of values at `nodes` for polynomial and derivative at `at`."""
    count = nodes.size
    apart = nodes[:, None] - nodes + np.eye(count)
    value, slope = np.ones(count), np.zeros(count)
    for k in range(count):
        others = [j for j in range(count) if j != k]
        factors = (at - nodes[others]) / apart[k, others]
        value[k] = math.prod(factors.tolist())
        slope[k] = sum(
            math.prod([factors[m] for m in range(len(others)) if m != i]) / apart[k, j]
            for i, j in enumerate(others)
        )
    return value, slope


def divided(nodes: Vector, values: Vector) -> Vector:
    """Divided differences of all orders over the first nodes, one in a row."""
    table = values.copy()
    for k in range(1, nodes.size):
        table[k:] = (table[k:] - table[k - 1 : -1]) / (nodes[k:] - nodes[:-k])[:, None]
    return table


class BackwardDifferences:
    """The method on its way.

    Attributes:
        nodes, values: the latest points, the newest first.
        order, equal: of the formula, and steps since it or the length changed.
    """

    def __init__(self, problem: Implicit) -> None:
        self.problem = problem
        self.t, self.y, self.slope = problem.start, problem.y0, problem.slope
        self.direction = math.copysign(1.0, problem.end - problem.start)
        self.order, self.equal = 1, 0
        self.length = self._first()
        # the derivative at the start as a point before it
        before = self.t - self.direction * self.length
        self.nodes = np.array([self.t, before])
        self.values = np.stack([self.y, self.y + (before - self.t) * self.slope])
        self.partials = problem.derivatives(self.t, self.y, self.slope)
        self.fresh, self.lead = True, math.nan
        self.panel: Panel | None = None

    def _first(self) -> float:
        problem, settings = self.problem, self.problem.settings
        least, most = least_step(self.t), problem.max_step()
        if settings.first_step is not None:
            return max(min(settings.first_step, most), least)
        rise = 2 * problem.size(self.slope, self.y) / math.sqrt(settings.relative)
        length = min(most, 1e-3 * abs(problem.end - problem.start), problem.span)
        return max(1 / rise if length * rise > 1 else length, least)

    def step(self) -> Panel | None:
        """Return the next step, or None where the tolerances cannot be met."""
        problem = self.problem
        least = least_step(self.t)
        self.length = max(min(self.length, problem.max_step()), least)
        failures = 0
        while True:
            rest = abs(problem.end - self.t)
            last = 1.01 * self.length >= rest
            length = rest if last else min(self.length, rest / 2) if 2 * self.length > rest else (
                self.length
            )  # fmt: skip
            t = problem.end if last else self.t + self.direction * length
            found = self._correct(t)
            if found is not None:
                y, slope, error = found
                if error <= problem.settings.relative:
                    break
                ratio = problem.settings.relative / error if error == error else 0.0
                factor = max(0.1, 0.8 * ratio ** (1 / (self.order + 1)))
            else:
                factor = 0.25
            problem.work.failed += 1
            if length <= least:
                return None
            failures, self.equal = failures + 1, 0
            if failures > 1:
                # what is behind tells nothing of what is ahead
                self.order, factor = max(self.order - 1, 1), min(factor, 0.5)
            self.length = max(length * factor, least)
        return self._accept(t, y, slope, length)

    def _correct(self, t: float) -> tuple[Vector, Vector, float] | None:
        """Return the solution at `t`, its derivative and its error; None where there is none."""
        k = self.order
        ahead = weights_of(self.nodes[: k + 1], t)[0] @ self.values[: k + 1]
        weights = weights_of(np.concatenate([[t], self.nodes[:k]]), t)[1]
        rest, lead = weights[1:] @ self.values[:k], float(weights[0])
        while True:
            found = self._newton(t, ahead, lead, rest)
            if found is not None or self.fresh:
                break
            self.partials = self.problem.derivatives(self.t, self.y, self.slope)
            self.fresh, self.lead = True, math.nan
        if found is None:
            return None
        share = 1 / abs(lead * (t - self.nodes[k]))
        error = self.problem.size(share / (1 + share) * (found - ahead), self.y, found)
        return found, lead * found + rest, error

    def _newton(self, t: float, y: Vector, lead: float, rest: Vector) -> Vector | None:
        problem = self.problem
        if not math.isclose(lead, self.lead, rel_tol=1e-10):
            problem.work.factorizations += 1
            with np.errstate(all="ignore"):
                matrix = self.partials[0] + lead * self.partials[1]
                if not np.isfinite(matrix).all() or not np.any(matrix):
                    return None
                self.factors, self.lead = lu_factor(matrix), lead
        goal, before = 0.05 * problem.settings.relative, 0.0
        floor = 100 * problem.epsilon * problem.size(y, y)
        for rounds in range(_ROUNDS):
            residual = problem.residual(t, y, lead * y + rest)
            if not np.isfinite(residual).all():
                return None
            problem.work.solutions += 1
            with np.errstate(all="ignore"):
                move = lu_solve(self.factors, residual)
            y = y - move
            size = problem.size(move, self.y, y)
            if size <= floor:
                return y
            if not math.isfinite(size):
                return None
            if rounds:
                rate = size / before
                if rate >= 0.9:
                    return None
                if size * rate / (1 - rate) <= goal:
                    return y
            before = size
        return None

    def _accept(self, t: float, y: Vector, slope: Vector, length: float) -> Panel:
        k, problem = self.order, self.problem
        nodes = np.concatenate([[t], self.nodes])[:8]
        values = np.concatenate([y[None], self.values])[:8]
        panel = Panel(self.t, t, _powers(nodes[: k + 1], values[: k + 1], self.t), y,
                      problem.settings.nonnegative)  # fmt: skip
        self.equal = self.equal + 1 if math.isclose(length, self.length, rel_tol=1e-9) else 0
        self.nodes, self.values = nodes, values
        self.t, self.y, self.slope, self.fresh, self.panel = t, y, slope, False, panel
        problem.work.steps += 1
        if self.equal > k or problem.work.steps == 1:
            self._choose()
        return panel

    def _choose(self) -> None:
        """Take the order and the length that promise the longest way."""
        problem = self.problem
        table = divided(self.nodes, self.values)
        best, chosen = 0.0, self.order
        for k in range(max(self.order - 1, 1), min(self.order + 1, problem.settings.max_order) + 1):
            if k + 1 >= self.nodes.size:
                continue
            lead = abs(weights_of(self.nodes[: k + 1], self.t)[1][0])
            way = math.prod(np.abs(self.t - self.nodes[1 : k + 1]).tolist())
            size = problem.size(table[k + 1] * (way / lead), self.y)
            room = problem.settings.relative / size if size else math.inf
            factor = 0.8 * min(room, 1e9) ** (1 / (k + 1))
            if factor > best * (1.1 if k > self.order else 1.0):
                best, chosen = factor, k
        if chosen != self.order:
            self.equal = 0
        self.order = chosen
        # a new length costs a factorization, and formulas for other distances are less stable
        if best > 1.2 or best < 0.95:
            self.length *= min(max(best, 0.5), 2.0)
            self.equal = 0

    def slope_at(self, t: float) -> Vector:
        """Return the derivative of the solution in the latest step."""
        panel = self.panel
        if panel is None or t == panel.end:
            return self.slope
        length = panel.end - panel.start
        s, found = (t - panel.start) / length, np.zeros_like(self.slope)
        for k in range(panel.coefficients.shape[1] - 1, 0, -1):
            found = found * s + k * panel.coefficients[:, k]
        return np.asarray(found / length)


def _powers(nodes: Vector, values: Vector, start: float) -> Vector:
    """Return the polynomial through points in powers of s, from `start` to the first node."""
    length = nodes[0] - start
    s = (nodes - start) / length
    table = divided(s, values)
    coefficients = np.zeros((values.shape[1], s.size), table.dtype)
    product = np.ones(1)
    for k in range(s.size):
        coefficients[:, : k + 1] += table[k][:, None] * product
        product = np.convolve(product, [-s[k], 1.0])
    return coefficients
