"""Natural neighbour interpolation of scattered data in the plane.

R. Sibson, "A brief description of natural neighbour interpolation" (1981): a query point that was
a data point would take parts of the Voronoi cells of its neighbours; the areas of these parts are
the weights of their values. The areas are sums over the triangles whose circumcircle holds the
point, by D. Watson's formula (Contouring, 1992).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.libraries import package

Numbers = NDArray[Any]

#: Points nearer than this to the line of two neighbours, by the size of the triangle, are moved.
_ON_LINE = 1e-9
#: By this much towards the middle of their triangle.
_MOVED = 1e-7


def _cross(a: Numbers, b: Numbers) -> Numbers:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _centre(b: Numbers, c: Numbers) -> Numbers:
    """Return the centre of the circle through the origin, `b` and `c`."""
    size = 2 * _cross(b, c)[..., None]
    square_b, square_c = ((v**2).sum(axis=-1, keepdims=True) for v in (b, c))
    turned = square_c * b - square_b * c
    with np.errstate(all="ignore"):
        return np.asarray(np.stack([-turned[..., 1], turned[..., 0]], axis=-1) / size)


def natural_neighbours(mesh: Any, v: Numbers, q: Numbers) -> Numbers:
    """Values at points inside the hull of a Delaunay triangulation.

    Args:
        mesh: a `scipy.spatial.Delaunay`.
    """
    at = mesh.find_simplex(q, tol=1e-12)
    corners = mesh.points[mesh.simplices]
    total, weight, on_line = _sums(mesh, v, q)
    if on_line.any():
        # where a circle of the formula has no centre, a point beside; what is linear stays exact
        middle = corners[at[on_line]].mean(axis=1)
        beside = q[on_line] + _MOVED * (middle - q[on_line])
        total[on_line], weight[on_line], _ = _sums(mesh, v, beside)
    with np.errstate(all="ignore"):
        found = total / weight
    if on_line.any():
        transform = mesh.transform[at[on_line]]
        values = v[mesh.simplices[at[on_line]]]
        part = np.einsum("kij,kj->ki", transform[:, :2], q[on_line] - beside)
        found[on_line] += ((values[:, :2] - values[:, 2:]) * part).sum(axis=1)
    same, nearest = _at_data(mesh, q)
    found[same] = v[nearest[same]]
    return np.asarray(found)


def _at_data(mesh: Any, q: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    cKDTree = package("scipy.spatial").cKDTree

    distance, nearest = cKDTree(mesh.points).query(q)
    span = float(np.ptp(mesh.points, axis=0).max())
    return distance <= 1e-12 * span, nearest


def _sums(mesh: Any, v: Numbers, q: Numbers) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """For each point the weighted sum of values, of weights, and whether it is on a line."""
    cKDTree = package("scipy.spatial").cKDTree

    points = cKDTree(q)
    corners = mesh.points[mesh.simplices]
    centres = corners[:, 0] + _centre(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    radii = np.sqrt(((centres - corners[:, 0]) ** 2).sum(axis=1))
    total = np.zeros(q.shape[0], np.result_type(v, np.float64))
    weight = np.zeros(q.shape[0])
    on_line = np.zeros(q.shape[0], np.bool_)
    inside = points.query_ball_point(centres, radii)
    for k, found in enumerate(inside):
        if not found:
            continue
        at = np.array(found)
        a, b, c = (corner - q[at] for corner in corners[k])
        extent = np.abs(_cross(corners[k, 1] - corners[k, 0], corners[k, 2] - corners[k, 0]))
        for one, two in ((a, b), (b, c), (c, a)):
            on_line[at] |= np.abs(_cross(one, two)) <= _ON_LINE * extent
        away = centres[k] - q[at]
        first, second, third = (_centre(*pair) - away for pair in ((b, c), (c, a), (a, b)))
        with np.errstate(all="ignore"):
            shares = _cross(second, third), _cross(third, first), _cross(first, second)
        for share, corner in zip(shares, mesh.simplices[k], strict=True):
            total[at] += share * v[corner]
            weight[at] += share
    return total, weight, on_line
