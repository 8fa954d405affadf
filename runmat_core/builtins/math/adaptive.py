"""Adaptive integration by Gauss-Kronrod rules, many nodes to a call of the integrand.

L. F. Shampine, "Vectorized adaptive quadrature in MATLAB", J. Comp. Appl. Math. 211 (2008).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

Nodes = NDArray[Any]
Integrand = Callable[[Nodes], Nodes]

_HALF_NODES = [
    0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993944,
    0.5860872354676911, 0.4058451513773972, 0.2077849550078985,
]  # fmt: skip
_HALF_KRONROD = [
    0.0229353220105292, 0.0630920926299786, 0.1047900103222502, 0.1406532597155259,
    0.1690047266392679, 0.1903505780647854, 0.2044329400752989,
]  # fmt: skip
_HALF_GAUSS = [0, 0.1294849661688697, 0, 0.2797053914892767, 0, 0.3818300505051189, 0]

#: The rule of 15 nodes on [-1, 1], and what it differs in from the one of 7 nodes.
NODES = np.array([*(-x for x in _HALF_NODES), 0.0, *_HALF_NODES[::-1]])
KRONROD = np.array([*_HALF_KRONROD, 0.2094821410847278, *_HALF_KRONROD[::-1]])
GAUSS = np.array([*_HALF_GAUSS, 0.4179591836734694, *_HALF_GAUSS[::-1]])


@attrs.frozen
class Tolerance:
    """When an integral is good enough.

    Attributes:
        absolute, relative: bounds of the error, of which the looser counts.
        most: intervals in use at one time.
    """

    absolute: float = 1e-10
    relative: float = 1e-6
    most: int = 650

    def bound(self, value: Any) -> float:
        return max(self.absolute, self.relative * float(np.abs(value).max()))


@attrs.frozen
class Found:
    """An integral, a bound of its error, and whether that is as small as was asked for."""

    value: Any
    error: float
    problem: str = ""


#: What may go wrong, as part of an identifier.
TOO_MANY = "MaxIntervalCountReached"
TOO_SMALL = "MinStepSize"
NOT_FINITE = "NonFiniteValue"


def integrate(f: Integrand, points: Nodes, tolerance: Tolerance) -> Found:
    """Return the integral of `f` along the `points`.

    Args:
        f: takes a vector and gives one, or a matrix with a row for each of several integrands.
    """
    edges = np.asarray(points)
    length = float(np.abs(np.diff(edges)).sum())
    if length == 0:
        return Found(0.0, 0.0)
    intervals = np.stack([edges[:-1], edges[1:]])
    done: Any = 0.0
    done_error = 0.0
    values: Nodes = np.zeros(0)
    errors: Nodes = np.zeros(0)
    while True:
        half, middle = np.diff(intervals, axis=0)[0] / 2, intervals.mean(axis=0)
        nodes = middle + np.multiply.outer(NODES, half)
        if (np.abs(nodes[1] - nodes[0]) <= 0).any():
            return Found(done + values.sum(axis=-1), done_error + errors.sum(), TOO_SMALL)
        y = f(nodes.ravel(order="F"))
        # intervals last, the nodes of each before them
        y = y.reshape(*y.shape[:-1], *nodes.shape[::-1]).swapaxes(-1, -2)
        values = KRONROD @ y * half
        errors = np.abs((KRONROD - GAUSS) @ y * half)
        if errors.ndim > 1:
            errors = errors.max(axis=0)
        value = done + values.sum(axis=-1)
        bound = tolerance.bound(value)
        total = done_error + float(errors.sum())
        if not np.isfinite(value).all():
            return Found(value, np.nan, NOT_FINITE)
        # what is good for its share of the length is finished
        rough = errors > bound * 2 * np.abs(half) / length
        if total <= bound or not rough.any():
            return Found(value, total)
        done = done + values[..., ~rough].sum(axis=-1)
        done_error += float(errors[~rough].sum())
        values, errors = values[..., rough], errors[rough]
        left, centre, right = intervals[0, rough], middle[rough], intervals[1, rough]
        if 2 * left.size > tolerance.most:
            return Found(value, total, TOO_MANY)
        intervals = np.stack([np.concatenate([left, centre]), np.concatenate([centre, right])])


def along(f: Integrand, a: complex, b: complex, way: Nodes, tolerance: Tolerance) -> Found:
    """Return the integral of `f` from `a` to `b`, which may be infinite, by the points of `way`.

    Complex points make a path of straight lines.
    """
    points = np.array([a, *way, b])
    if points.dtype.kind == "c" and not points.imag.any():
        points = points.real
    if points.dtype.kind == "c":
        return _lines(f, points, tolerance)
    start, end = float(points[0]), float(points[-1])
    if np.isnan(points).any():
        return Found(np.nan, np.nan)
    if start == end:
        return Found(0.0 if np.isfinite(start) else np.nan, 0.0)
    sign = 1.0 if start < end else -1.0
    low, high = min(start, end), max(start, end)
    inner = np.unique(points[(points > low) & (points < high)])
    g, edges = _bounded(f, low, high, inner)
    if edges.size < 11:
        edges = _divided(edges)
    found = integrate(g, edges, tolerance)
    return attrs.evolve(found, value=sign * found.value)


def _divided(edges: Nodes) -> Nodes:
    """`edges` with equal parts between them, ten in all or a few more."""
    lengths = np.diff(edges)
    counts = np.maximum(np.ceil(10 * lengths / lengths.sum()), 1).astype(int)
    parts = [
        low + (high - low) * np.arange(n) / n
        for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return np.concatenate([*parts, edges[-1:]])


def _bounded(f: Integrand, a: float, b: float, inner: Nodes) -> tuple[Integrand, Nodes]:
    """`f` as a function over a bounded interval whose ends are tame, and the edges there."""
    if np.isfinite(a) and np.isfinite(b):
        half, middle = (b - a) / 4, (a + b) / 2

        def tame(t: Nodes) -> Nodes:
            x = half * t * (3 - t * t) + middle
            return np.asarray(f(np.clip(x, a, b)) * (3 * half * (1 - t * t)))

        # the root of t*(3 - t^2) = 2*c in [-1, 1]
        c = (inner - middle) / (b - a) * 2
        return tame, np.concatenate([[-1.0], 2 * np.sin(np.arcsin(c) / 3), [1.0]])
    if np.isfinite(a):

        def upward(t: Nodes) -> Nodes:
            root = t / (1 - t)
            return np.asarray(f(a + root * root) * (2 * root / (1 - t) ** 2))

        roots = np.sqrt(inner - a)
        return upward, np.concatenate([[0.0], roots / (1 + roots), [1.0]])
    if np.isfinite(b):

        def downward(t: Nodes) -> Nodes:
            root = t / (1 + t)
            return np.asarray(f(b - root * root) * (-2 * root / (1 + t) ** 2))

        roots = np.sqrt(b - inner)
        return downward, np.concatenate([[-1.0], -roots / (1 + roots), [0.0]])

    def both(t: Nodes) -> Nodes:
        square = t * t
        return np.asarray(f(t / (1 - square)) * ((1 + square) / (1 - square) ** 2))

    t = 2 * inner / (1 + np.sqrt(1 + 4 * inner * inner))
    return both, np.concatenate([[-1.0], t, [1.0]])


def _lines(f: Integrand, points: Nodes, tolerance: Tolerance) -> Found:
    """Return the integral along the lines between complex `points`."""
    starts, steps = points[:-1], np.diff(points)

    def on_path(s: Nodes) -> Nodes:
        at = np.clip(s.astype(int), 0, steps.size - 1)
        return np.asarray(f(starts[at] + (s - at) * steps[at]) * steps[at])

    return integrate(on_path, _divided(np.arange(points.size, dtype=float)), tolerance)


def over_rectangle(f: Callable[[Nodes, Nodes], Nodes], tolerance: Tolerance) -> Found:
    """Return the integral of `f`, of two arrays of one size, over the unit square."""
    corners, width = np.zeros((2, 1)), 1.0
    done: Any = 0.0
    done_error = 0.0
    tiles = 0
    s = (NODES + 1) / 2
    while True:
        x = corners[0][:, None, None] + width * s[None, :, None] + 0 * s[None, None, :]
        y = corners[1][:, None, None] + width * s[None, None, :] + 0 * s[None, :, None]
        z = f(x.reshape(-1, s.size), y.reshape(-1, s.size)).reshape(x.shape)
        values = np.einsum("i,kij,j->k", KRONROD, z, KRONROD) * (width / 2) ** 2
        rough_values = np.einsum("i,kij,j->k", GAUSS, z, GAUSS) * (width / 2) ** 2
        errors = np.abs(values - rough_values)
        value = done + values.sum()
        total = done_error + float(errors.sum())
        bound = tolerance.bound(value)
        if not np.isfinite(value):
            return Found(value, np.nan, NOT_FINITE)
        # the finer of the two rules is much better than their difference
        rough = errors > bound * width * width
        if total <= bound or not rough.any():
            return Found(value, total)
        tiles += errors.size
        if tiles > tolerance.most or width < 1e-12:
            return Found(value, total, TOO_MANY)
        done, done_error = done + values[~rough].sum(), done_error + float(errors[~rough].sum())
        width /= 2
        steps = np.array([[0, width, 0, width], [0, 0, width, width]])
        corners = (corners[:, rough, None] + steps[:, None, :]).reshape(2, -1)
