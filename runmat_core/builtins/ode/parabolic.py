"""Parabolic equations in one space variable as ordinary ones, by a method of second order in space.

R. D. Skeel, M. Berzins, "A method for the spatial discretization of parabolic equations in one
space variable", SIAM J. Sci. Stat. Comput. 11 (1990).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs
import numpy as np

from runmat_core.api.errors import MatlabError
from runmat_core.builtins.ode.stepping import Vector

#: ``(x, t, u, u_x) -> c, f, s`` and ``(x_l, u_l, x_r, u_r, t) -> p_l, q_l, p_r, q_r``.
Equation = Callable[[float, float, Vector, Vector], tuple[Vector, Vector, Vector]]
Boundary = Callable[[float, Vector, float, Vector, float], tuple[Vector, Vector, Vector, Vector]]


def is_singular(m: int, x: Vector) -> bool:
    """Whether the mesh begins where the coordinates do: the solution is even there."""
    return m > 0 and x[0] == 0


def interpolated(
    m: int, singular: bool, ends: tuple[Vector, Vector], u: tuple[Vector, Vector], at: Vector
) -> tuple[Vector, Vector]:
    """Return a solution and its derivative between points of the mesh.

    Args:
        ends: the left and the right end of the interval that each of `at` lies in.
        u: the solution at them, one place in a column.
    """
    left, right = ends
    rise = u[1] - u[0]
    with np.errstate(all="ignore"):
        if singular:
            width = right**2 - left**2
            share, slope = (at**2 - left**2) / width, 2 * at / width
        elif m == 0:
            share, slope = (at - left) / (right - left), 1 / (right - left)
        elif m == 1:
            turns = np.log(right / left)
            share, slope = np.log(at / left) / turns, 1 / (at * turns)
        else:
            share = right * (at - left) / (at * (right - left))
            slope = left * right / (at**2 * (right - left))
    return u[0] + share * rise, slope * rise


def _inner(m: int, singular: bool, left: Vector, right: Vector) -> tuple[Vector, Vector]:
    """Where fluxes are taken in each interval, and where what they feed begins."""
    if singular:
        middle = 2 / 3 * (left**2 + left * right + right**2) / (left + right)
        return middle, middle
    if m == 0:
        middle = (left + right) / 2
        return middle, middle
    turns = np.log(right / left)
    if m == 1:
        middle = (right - left) / turns
        return middle, np.sqrt(middle * (left + right) / 2)
    return left * right * turns / (right - left), np.cbrt(left * right * (left + right) / 2)


@attrs.define
class Discretized:
    """M*u' = f(t, u) for the solution at the points of a mesh, all components of a point together.

    Attributes:
        m: 0, 1 or 2, for slabs, cylinders and spheres.
        count: of equations.
        parabolic: whether M is 1 for an element of the solution, not 0; known after `begin`.
    """

    m: int
    x: Vector
    count: int
    equation: Equation
    boundary: Boundary
    parabolic: Vector = attrs.field(init=False)
    places: Vector = attrs.field(init=False)
    shares: tuple[Vector, Vector] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        left, right = self.x[:-1], self.x[1:]
        power = self.m + 1
        self.places, parts = _inner(self.m, self.singular, left, right)
        # how much space lies on each side of the part's end in an interval
        self.shares = (parts**power - left**power) / power, (right**power - parts**power) / power
        self.parabolic = np.ones((self.count, self.x.size), bool)

    @property
    def singular(self) -> bool:
        return is_singular(self.m, self.x)

    def _terms(self, t: float, u: Vector) -> tuple[Vector, Vector, Vector]:
        """c, x^m*f and s in each interval."""
        ends, values = (self.x[:-1], self.x[1:]), (u[:, :-1], u[:, 1:])
        inner, slopes = interpolated(self.m, self.singular, ends, values, self.places)
        terms = [
            self.equation(place, t, inner[:, k], slopes[:, k])
            for k, place in enumerate(self.places.tolist())
        ]
        c, f, s = (np.stack(part, axis=1) for part in zip(*terms, strict=True))
        return c, self.places**self.m * f, s

    def rate(self, t: float, y: Vector) -> Vector:
        """f(t, u): derivatives of parabolic elements, what must vanish for the others."""
        u = y.reshape(self.count, -1, order="F")
        c, flux, s = self._terms(t, u)
        before, after = self.shares
        room = np.zeros(u.shape, c.dtype)
        room[:, :-1] += before * c
        room[:, 1:] += after * c
        found = np.zeros(u.shape, flux.dtype)
        found[:, :-1] += flux + before * s
        found[:, 1:] += after * s - flux
        pl, ql, pr, qr = self.boundary(float(self.x[0]), u[:, 0], float(self.x[-1]), u[:, -1], t)
        weight = self.x[[0, -1]] ** self.m
        with np.errstate(all="ignore"):
            if not self.singular:
                found[:, 0] = np.where(ql == 0, pl, found[:, 0] + weight[0] * pl / ql)
            found[:, -1] = np.where(qr == 0, pr, found[:, -1] - weight[1] * pr / qr)
            return np.where(self.parabolic, found / room, found).ravel(order="F")

    def begin(self, t: float, y: Vector) -> None:
        """Find out which elements are parabolic.

        Raises:
            MatlabError: MATLAB:pdepe:SpatialDiscretizationFailed.
        """
        u = y.reshape(self.count, -1, order="F")
        c = self._terms(t, u)[0]
        self.parabolic[:, 0] = c[:, 0] != 0
        self.parabolic[:, -1] = c[:, -1] != 0
        self.parabolic[:, 1:-1] = (c[:, 1:] != 0) | (c[:, :-1] != 0)
        _, ql, _, qr = self.boundary(float(self.x[0]), u[:, 0], float(self.x[-1]), u[:, -1], t)
        if not self.singular:
            self.parabolic[:, 0] &= ql != 0
        self.parabolic[:, -1] &= qr != 0
        if not self.parabolic[:, 1:-1].any():
            raise failed()

    def jacobian(self, t: float, y: Vector) -> Vector:
        """df/du by differences: elements that are three points apart move together."""
        base = self.rate(t, y)
        size, count = y.size, self.count
        matrix = np.zeros((size, size), base.dtype)
        # near zero, as steps for what lies around: boundary layers are steep
        scale = np.abs(y.reshape(count, -1, order="F"))
        floor = np.maximum(1e-3 * scale.max(axis=1, keepdims=True), 1e-6)
        steps = math.sqrt(np.finfo(float).eps) * np.maximum(scale, floor).ravel(order="F")
        for first in range(3 * count):
            columns = np.arange(first, size, 3 * count)
            moved = y.copy()
            moved[columns] += steps[columns]
            change = self.rate(t, moved) - base
            for column in columns.tolist():
                point = column // count
                rows = slice(max(point - 1, 0) * count, (point + 2) * count)
                matrix[rows, column] = change[rows] / (moved[column] - y[column])
        return matrix

    def consistent(self, t: float, y: Vector) -> Vector:
        """`y` with elements that are not parabolic changed so that their equations hold."""
        fixed = self.parabolic.ravel(order="F")
        if fixed.all():
            return y
        y = y.copy()
        for _ in range(20):
            residual = self.rate(t, y)[~fixed]
            matrix = self.jacobian(t, y)[np.ix_(~fixed, ~fixed)]
            try:
                move = np.linalg.solve(matrix, residual)
            except np.linalg.LinAlgError:
                raise failed() from None
            y[~fixed] -= move
            if np.abs(move).max() <= 1e-12 * max(np.abs(y).max(), 1e-3):
                return y
        if not np.isfinite(y).all() or np.abs(move).max() > 1e-6 * max(np.abs(y).max(), 1.0):
            raise failed()
        return y


def failed() -> MatlabError:
    return MatlabError(
        "MATLAB:pdepe:SpatialDiscretizationFailed",
        "Spatial discretization has failed. Discretization supports only parabolic and elliptic "
        "equations, with flux term involving spatial derivative.",
    )
