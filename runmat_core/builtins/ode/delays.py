"""What delay differential equations add to a Runge-Kutta pair: the past, and where it has kinks.

L. F. Shampine, S. Thompson, "Solving DDEs in Matlab", Appl. Numer. Math. 37 (2001).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence

import attrs
import numpy as np

from runmat_core.builtins.ode.runge_kutta import BOGACKI_SHAMPINE, RungeKutta
from runmat_core.builtins.ode.stepping import Panel, Problem, Trial, Vector

_ROUNDS = 5
#: Kinks that a kink in the past leads to: those of later derivatives no step has to end at.
LEVELS = 4


@attrs.define
class Past:
    """The solution up to now.

    Attributes:
        history: the solution before `begin`, as a function of time.
        panels: the steps since then.
        start: the solution at `begin`, which the history need not end with.
        middle: of the step that is taken: it tells on which side of `begin` delayed times are.
        ahead: the step that is taken, as far as it is known, where delays are shorter than it.
    """

    history: Callable[[float], Vector]
    begin: float
    start: Vector
    panels: list[Panel] = attrs.field(factory=list)
    middle: float = -math.inf
    ahead: Panel | None = None

    def at(self, t: float, lag: float) -> Vector:
        """Return the solution at a time before `t`."""
        time = t - lag
        if self.middle - lag < self.begin:
            return self.history(min(time, self.begin))
        if time <= self.begin or not self.panels:
            if self.ahead is None or time <= self.begin:
                return self.start
            return self.ahead.at(np.array([time]))[:, 0]
        last = self.panels[-1]
        if time > last.end:
            if self.ahead is None:
                return last.last
            return self.ahead.at(np.array([time]))[:, 0]
        k = bisect_left(self.panels, time, key=lambda panel: panel.end)
        if time == self.panels[k].end < self.middle - lag and k + 1 < len(self.panels):
            k += 1  # where the solution jumps, the side counts on which the step lies
        return self.panels[k].at(np.array([time]))[:, 0]

    def delayed(self, t: float, lags: Sequence[float]) -> Vector:
        """Return the solution at each delay, n-by-lags."""
        if not lags:
            return np.zeros((self.start.size, 0))
        return np.stack([self.at(t, lag) for lag in lags], axis=1)


def kinks(sources: Sequence[float], lags: Sequence[float], end: float, levels: int) -> list[float]:
    """Return times up to `end` to which kinks at `sources` spread, with these, in order."""
    found = sorted(sources)
    fresh = found
    for _ in range(levels):
        fresh = [t + lag for t in fresh for lag in lags if t + lag <= end * (1 + 1e-14)]
        found = _distinct([*found, *fresh])
        fresh = _distinct(fresh)
    return [t for t in found if t <= end]


def _distinct(times: Sequence[float]) -> list[float]:
    """Return times in order, without those that are the same but for rounding."""
    kept: list[float] = []
    for t in sorted(times):
        if not kept or t - kept[-1] > 10 * np.finfo(float).eps * max(abs(t), abs(kept[-1])):
            kept.append(t)
    return kept


class Delayed(RungeKutta):
    """The pair of ode23 on an equation with delays; steps end at kinks.

    The problem's rate asks `past` for what it needs.

    Attributes:
        stops: the times of kinks, and the end.
    """

    def __init__(
        self, problem: Problem, past: Past, lags: Sequence[float], stops: list[float]
    ) -> None:
        super().__init__(problem, BOGACKI_SHAMPINE)
        self.past, self.stops = past, stops
        self.shortest = min(lags, default=math.inf)
        self.before: Panel | None = None

    def step(self) -> Panel | None:
        problem = self.problem
        problem.end = next(stop for stop in self.stops if stop > self.t)
        panel = super().step()
        self.past.ahead = None
        if panel is None:
            return None
        self.past.panels.append(panel)
        self.before = panel
        if panel.end == problem.end and panel.end != self.stops[-1]:
            # the past that comes next may begin otherwise than the one that ends here
            after = next(stop for stop in self.stops if stop > panel.end)
            self.past.middle = panel.end + 1e-3 * (after - panel.end)
            slope = problem.rate(panel.end, panel.last)
            self.slope = lambda: slope
            self.before = None
        return panel

    def _try(self, t: float) -> Trial:
        past, problem, h = self.past, self.problem, t - self.t
        past.middle, past.ahead = self.t + h / 2, None
        if h <= self.shortest:
            return super()._try(t)
        past.ahead = self.before or Panel(
            self.t, t, np.column_stack([self.y, h * self.slope()]), self.y + h * self.slope(),
            problem.settings.nonnegative,
        )  # fmt: skip
        last: Vector | None = None
        for _ in range(_ROUNDS):
            trial = super()._try(t)
            if not np.isfinite(trial.y).all():
                break
            if last is not None:
                change = problem.size(trial.y - last, self.y, trial.y)
                if change <= 0.1 * problem.settings.relative:
                    return trial
            last = trial.y
            powers = np.column_stack([self.y, h * (trial.parts[0] @ self.pair.dense)])
            past.ahead = Panel(self.t, t, powers, trial.y, problem.settings.nonnegative)
        return Trial(self.y, math.nan, 0.5)
