"""What the methods share: a step's polynomial, counts of work, the control of the step's size."""

from __future__ import annotations

import math
from collections.abc import Callable
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
        coefficients: n-by-(k+1), of the powers 0 … k of s = (t - start) / (end - start).
        last: the solution at `end`, exactly as the method has it.
        nonnegative: components that must not become negative.
    """

    start: float
    end: float
    coefficients: Vector
    last: Vector
    nonnegative: NDArray[np.intp]

    @property
    def first(self) -> Vector:
        return np.asarray(self.coefficients[:, 0])

    def at(self, times: Vector) -> Vector:
        """The solution at `times`, n-by-m."""
        y = evaluate(self.coefficients, (times - self.start) / (self.end - self.start))
        y[self.nonnegative] = np.maximum(y[self.nonnegative].real, 0)
        y[:, times == self.end] = self.last[:, None]
        return y

    def cut(self, time: float) -> Panel:
        """The part of the step up to `time`."""
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


@attrs.define
class Problem:
    """y' = rate(t, y) from `start` to `end`, starting at `y0`.

    Attributes:
        slope: the rate at the start.
        span: the distance to the first output time that was asked for, a first guess of a step.
        jacobian: ``(t, y) -> matrix``, or None where none is known.
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

    @property
    def direction(self) -> float:
        return math.copysign(1.0, self.end - self.start)

    def max_step(self) -> float:
        length = abs(self.end - self.start)
        limit = self.settings.max_step
        return min(length, 0.1 * length if limit is None else limit)

    def size(self, values: Vector, *references: Vector) -> float:
        """The size of an error relative to the solution, in the norm of the settings."""
        limits = self.settings.thresholds()
        with np.errstate(all="ignore"):
            if self.settings.by_norm:
                scale = max(float(limits[0]), *(float(np.linalg.norm(r)) for r in references))
                return float(np.linalg.norm(values)) / scale
            weights = limits
            for reference in references:
                weights = np.maximum(weights, np.abs(reference))
            return float(np.max(np.abs(values) / weights, initial=0.0))

    def first_step(self, exponent: float, growth: float = 1.0) -> float:
        """The length of the first step of a method whose error falls with h^(1/exponent)."""
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
    """The shortest step that still leads away from `t` with some digits."""
    return float(16 * np.spacing(abs(t)))


class Stepper(Protocol):
    """A method on its way."""

    t: float
    y: Vector

    def step(self) -> Panel | None:
        """The next step, or None where the tolerances cannot be met."""
