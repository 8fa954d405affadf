"""Interpolation on grids of any number of dimensions: few weighted nodes along each of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.values.bins import edges_below, intervals

Table = NDArray[Any]
#: Nodes and their weights, one row for each query point.
Stencil = tuple[NDArray[np.intp], Table]

METHODS = ("linear", "nearest", "next", "previous", "cubic", "spline", "pchip", "makima")
#: Methods whose pieces depend on the values in other ways than by weights.
CURVES = frozenset({"pchip", "makima"})


def uniform(x: Table) -> bool:
    """Whether points are equally spaced, up to rounding."""
    steps = np.diff(x)
    return bool(np.abs(steps - steps.mean()).max() <= 1e-9 * np.abs(x).max(initial=1e-300))


def node_beside(x: Table, q: Table, method: str) -> NDArray[np.intp]:
    """Which point of an ascending `x` each query takes, ``nearest``, ``next`` or ``previous``."""
    if method == "nearest":
        k = intervals(q, x)
        return k + (q - x[k] >= x[k + 1] - q)
    if method == "next":
        return np.clip(np.searchsorted(x, q, side="left"), 0, x.size - 1)
    return np.maximum(edges_below(q, x) - 1, 0)


def _step(x: Table, q: Table, method: str) -> Stencil:
    return node_beside(x, q, method)[:, None], np.ones((q.size, 1))


def _linear(x: Table, q: Table) -> Stencil:
    k = intervals(q, x)
    t = (q - x[k]) / (x[k + 1] - x[k])
    return np.stack([k, k + 1], axis=1), np.stack([1 - t, t], axis=1)


def _convolution(x: Table, q: Table) -> Stencil:
    """Cubic convolution on equally spaced points (R. Keys, 1981).

    The nodes beyond the ends continue the parabola of the last three.
    """
    k = intervals(q, x)
    t = (q - x[k]) / (x[k + 1] - x[k])
    w = np.stack(
        [
            ((2 - t) * t - 1) * t / 2,
            ((3 * t - 5) * t * t + 2) / 2,
            ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2,
        ],
        axis=1,
    )
    start = np.clip(k - 1, 0, x.size - 4) if x.size > 3 else np.zeros_like(k)
    width = min(x.size, 4)
    weights = np.zeros((q.size, width))
    beyond = np.array([3.0, -3.0, 1.0])
    for j in range(4):
        node = k - 1 + j
        inside = (node >= 0) & (node < x.size)
        rows = np.flatnonzero(inside)
        weights[rows, (node - start)[rows]] += w[rows, j]
        for rows, at in (
            (np.flatnonzero(node < 0), (0, 1, 2)),
            (np.flatnonzero(node >= x.size), (width - 1, width - 2, width - 3)),
        ):
            for position, share in zip(at, beyond, strict=True):
                weights[rows, position] += share * w[rows, j]
    return start[:, None] + np.arange(width), weights


def _spline(x: Table, q: Table) -> Stencil:
    """B-splines that are not zero at each point; `_coefficients` gives what they weigh."""
    BSpline = package("scipy.interpolate").BSpline
    make_interp_spline = package("scipy.interpolate").make_interp_spline

    degree = min(3, x.size - 1)
    knots = make_interp_spline(x, np.zeros(x.size), k=degree).t
    at = np.clip(np.searchsorted(knots, q, side="right") - 1, degree, x.size - 1)
    weights = np.empty((q.size, degree + 1))
    start = at - degree
    for node in np.unique(start):
        rows = np.flatnonzero(start == node)
        for j in range(degree + 1):
            unit = np.zeros(x.size)
            unit[node + j] = 1
            weights[rows, j] = BSpline(knots, unit, degree)(q[rows])
    return start[:, None] + np.arange(degree + 1), weights


def _coefficients(x: Table, v: Table, axis: int) -> Table:
    make_interp_spline = package("scipy.interpolate").make_interp_spline

    lines = np.moveaxis(v, axis, 0)
    flat = lines.reshape(x.size, -1)
    usable = np.isfinite(flat).all(axis=0)
    found = np.full(flat.shape, np.nan, flat.dtype)
    if usable.any():
        found[:, usable] = make_interp_spline(x, flat[:, usable], k=min(3, x.size - 1)).c
    return np.asarray(np.moveaxis(found.reshape(lines.shape), 0, axis))


def effective(method: str, grid: Sequence[Table]) -> str:
    """Return the method for a grid: cubic convolution needs three equally spaced points."""
    if method == "cubic" and any(x.size < 3 or not uniform(x) for x in grid):
        return "spline"
    return method


def check_rank(rank: int, *methods: str) -> None:
    """Refuse methods that are for tables of one variable."""
    for method in methods:
        if rank > 1 and method in ("next", "previous", "pchip"):
            raise MatlabError(
                "MATLAB:griddedInterpolant:BadMethod",
                f"The method '{method}' is for tables of one dimension.",
            )


def interpolate(grid: Sequence[Table], v: Table, points: Sequence[Table], method: str) -> Table:
    """Values at points (one vector of coordinates for each dimension) of `v` over `grid`.

    Beyond the grid, the outermost pieces go on. NaN where a coordinate is NaN.

    Raises:
        MatlabError: the method is for one dimension only.
    """
    method = effective(method, grid)
    check_rank(len(grid), method)
    missing = np.logical_or.reduce([np.isnan(p) for p in points])
    points = [np.where(missing, x[0], p) for x, p in zip(grid, points, strict=True)]
    nothing = np.nan if v.dtype.kind != "c" else complex(np.nan, np.nan)
    if method in CURVES:
        from runmat_core.builtins.math.splines import smooth_values

        if len(grid) > 1 and method == "makima":
            from runmat_core.builtins.math.akima import modified_akima

            return np.where(missing, nothing, modified_akima(grid, v, points))
        found = smooth_values(grid[0], v, points[0], method)
    else:
        if method == "spline":
            for axis, x in enumerate(grid):
                v = _coefficients(x, v, axis)
        rule = {"linear": _linear, "cubic": _convolution, "spline": _spline}.get(method)
        stencils = [
            _step(x, p, method) if rule is None else rule(x, p)
            for x, p in zip(grid, points, strict=True)
        ]
        found = _weighted(v, stencils)
    return np.where(missing, nothing, found)


def _weighted(v: Table, stencils: Sequence[Stencil]) -> Table:
    """Return the sum over all combinations of nodes, without those of weight zero."""
    total: Table = np.zeros(stencils[0][0].shape[0], v.dtype)
    plain = bool(np.isfinite(v).all()) and all(np.isfinite(w).all() for _, w in stencils)
    for chosen in product(*(range(nodes.shape[1]) for nodes, _ in stencils)):
        at = tuple(nodes[:, k] for (nodes, _), k in zip(stencils, chosen, strict=True))
        weight = np.prod([w[:, k] for (_, w), k in zip(stencils, chosen, strict=True)], axis=0)
        with np.errstate(invalid="ignore"):
            part = weight * v[at]
            total = total + (part if plain else np.where(weight == 0, 0, part))
    return total


def within(grid: Sequence[Table], points: Sequence[Table]) -> NDArray[np.bool_]:
    """Which points lie in the grid."""
    inside = [(p >= x[0]) & (p <= x[-1]) for x, p in zip(grid, points, strict=True)]
    return np.asarray(np.logical_and.reduce(inside))
