"""What the methods share: a step's polynomial, counts of work, the control of the step's size."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.builtins.ode.options import Settings

Vector = NDArray[Any]
Rate = Callable[[float, Vector], Vector]


@attrs.frozen
class Panel:
    """One step, with the solution in it as a polynomial.

    Attributes:
        start, end: the times between which it leads.
        polynomial: `coefficients`, or what makes them once somebody looks between the ends.
        last: the solution at `end`, exactly as the method has it.
        nonnegative: components that must not become negative.
    """

    start: float
    end: float
    polynomial: Vector | Callable[[], Vector]
    last: Vector
    nonnegative: NDArray[np.intp]

    @cached_property
    def coefficients(self) -> Vector:
        """n-by-(k+1), of the powers 0 … k of s = (t - start) / (end - start)."""
        made = self.polynomial
        return made() if callable(made) else made

    def at(self, times: Vector) -> Vector:
        """Return the solution at `times`, n-by-m."""
        if (times == self.end).all():
            return np.repeat(self.last[:, None], times.size, axis=1)
        y = evaluate(self.coefficients, (times - self.start) / (self.end - self.start))
        y[self.nonnegative] = np.maximum(y[self.nonnegative].real, 0)
        y[:, times == self.end] = self.last[:, None]
        return y

    def cut(self, time: float) -> Panel:
        """Return the part of the step up to `time`."""
        share = (time - self.start) / (self.end - self.start)
        powers = share ** np.arange(self.coefficients.shape[1])
        last = self.at(np.array([time]))[:, 0]
        return Panel(self.start, time, self.coefficients * powers, last, self.nonnegative)


def evaluate(coefficients: Vector, s: Vector) -> Vector:
    """Polynomials with `coefficients` (n-by-(k+1), lowest power first) at `s`: n-by-m."""
    result = np.zeros((coefficients.shape[0], s.size), coefficients.dtype)
    for column in coefficients.T[::-1]:
        result = result * s + column[:, None]
    return result


@attrs.define
class Work:
    """What a solution cost."""

    steps: int = 0
    failed: int = 0
    rates: int = 0
    jacobians: int = 0
    factorizations: int = 0
    solutions: int = 0


class Measured:
    """What measures lengths of steps and errors: a problem with settings, and two ends."""

    __slots__ = ()
    settings: Settings
    start: float
    end: float

    def max_step(self) -> float:
        length = abs(self.end - self.start)
        limit = self.settings.max_step
        return min(length, 0.1 * length if limit is None else limit)

    def size(self, values: Vector, *references: Vector) -> float:
        """Return the size of an error relative to the solution, in the norm of the settings."""
        limits = self.settings.thresholds()
        with np.errstate(all="ignore"):
            if self.settings.by_norm:
                scale = max(float(limits[0]), *(float(np.linalg.norm(r)) for r in references))
                return float(np.linalg.norm(values)) / scale
            weights = limits
            for reference in references:
                weights = np.maximum(weights, np.abs(reference))
            return float(np.max(np.abs(values) / weights, initial=0.0))


@attrs.define
class Problem(Measured):
    """y' = rate(t, y) from `start` to `end`, starting at `y0`.

    Attributes:
        slope: the rate at the start.
        span: the distance to the first output time that was asked for, a first guess of a step.
        jacobian: ``(t, y) -> matrix``, or None where none is known.
        epsilon: the precision in which the rate is computed.
    """

    rate: Rate
    start: float
    end: float
    y0: Vector
    slope: Vector
    span: float
    settings: Settings
    work: Work
    jacobian: Callable[[float, Vector], Vector] | None = None
    epsilon: float = float(np.finfo(float).eps)

    @property
    def direction(self) -> float:
        return math.copysign(1.0, self.end - self.start)

    def first_step(self, exponent: float, growth: float = 1.0) -> float:
        """Return the length of the first step of a method whose error falls with h^(1/exponent)."""
        least, most = least_step(self.start), self.max_step()
        given = self.settings.first_step
        if given is not None:
            return max(min(given, most), least)
        h = min(most, self.span)
        rise = self.size(self.slope, self.y0) / (0.8 * self.settings.relative**exponent) * growth
        if h * rise > 1:
            h = 1 / rise
        return max(h, least)


def least_step(t: float) -> float:
    """Return the shortest step that still leads away from `t` with some digits."""
    return float(16 * np.spacing(abs(t)))


class Stepper(Protocol):
    """A method on its way."""

    t: float
    y: Vector

    def step(self) -> Panel | None:
        """Return the next step, or None where the tolerances cannot be met."""


@attrs.frozen
class Trial:
    """A step that was tried.

    Attributes:
        y: the solution at its end.
        error: its estimated error, as `Problem.size` gives it; NaN where there is no solution.
        shrink: by what to shorten the step if it fails, None where the error tells.
        parts: whatever the method keeps of it.
    """

    y: Vector
    error: float
    shrink: float | None = None
    parts: tuple[Any, ...] = ()


class OneStep(ABC):
    """A method whose steps need nothing but the solution at their start, with control of steps.

    The control is that of L. F. Shampine, M. W. Reichelt, "The MATLAB ODE Suite", SIAM J. Sci.
    Comput. 18 (1997).

    Attributes:
        exponent: 1 / (order of the error).
        halves: whether a step that fails again is halved, not cut by its error.
        steady: a change of the step's length, as a part of it, that is not worth while.
    """

    steady = 0.0

    def __init__(self, problem: Problem, exponent: float, halves: bool, first: float) -> None:
        self.problem, self.exponent, self.halves = problem, exponent, halves
        self.t, self.y = problem.start, problem.y0
        self.length = first

    def step(self) -> Panel | None:
        """Return the next step, or None where the tolerances cannot be met."""
        problem, relative = self.problem, self.problem.settings.relative
        least = least_step(self.t)
        length = min(problem.max_step(), max(least, self.length))
        rest = abs(problem.end - self.t)
        last = 1.1 * length >= rest
        length = rest if last else length
        self._prepare()
        failures = 0
        while True:
            t = problem.end if last else self.t + problem.direction * length
            trial = self._try(t)
            if trial.error <= relative:
                break
            problem.work.failed += 1
            if length <= least:
                return None
            length = max(least, length * self._shorter(trial, failures))
            failures, last = failures + 1, False
        panel = self._accept(t, trial)
        if not failures:
            change = 1.25 * (trial.error / relative) ** self.exponent
            factor = 1 / change if change > 0.2 else 5.0
            length = length if abs(factor - 1) < self.steady else length * factor
        self.length, self.t, self.y = length, t, panel.last
        problem.work.steps += 1
        return panel

    def _shorter(self, trial: Trial, failures: int) -> float:
        if trial.shrink is not None:
            return trial.shrink
        if failures and self.halves:
            return 0.5
        if trial.error != trial.error:
            return 0.1
        ratio = self.problem.settings.relative / trial.error
        return max(0.1, 0.8 * float(ratio**self.exponent))

    def _prepare(self) -> None:  # noqa: B027
        """Whatever is to be done once before a step is tried."""

    @abstractmethod
    def _try(self, t: float) -> Trial:
        """Return a step from where the method is to `t`."""

    @abstractmethod
    def _accept(self, t: float, trial: Trial) -> Panel:
        """Take the step to `t`; its panel."""
