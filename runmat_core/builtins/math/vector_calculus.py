"""Differential operators of sampled fields: del2, curl, divergence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, not_enough_inputs
from runmat_core.builtins.arguments import as_float, numeric, real
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.calculus import Operand, slope


def _points(spacing: Operand, count: int, name: str) -> Operand:
    """Coordinates along a dimension of `count` elements."""
    if spacing.size == 1:
        return np.asarray(np.arange(count) * spacing.flat[0])
    if spacing.size != count:
        raise MatlabError(
            f"MATLAB:{name}:InvalidInputs",
            "Spacing must be a scalar or a vector of coordinates of the size of the dimension.",
        )
    return spacing.ravel(order="F")


def _half_curvature(a: Operand, points: Operand, axis: int) -> Operand:
    """Half of the second derivative along an axis; at the ends, by a line through the next two."""
    lines = np.moveaxis(a, axis, -1)
    bent = np.zeros_like(lines)
    count = points.size
    if count < 3:
        return np.zeros_like(a)
    h = np.diff(points)
    rises = np.diff(lines, axis=-1) / h
    bent[..., 1:-1] = np.diff(rises, axis=-1) / (h[1:] + h[:-1])
    if count == 3:
        bent[..., 0] = bent[..., -1] = bent[..., 1]
    else:
        first, last = h[0] / h[1], h[-1] / h[-2]
        bent[..., 0] = bent[..., 1] * (1 + first) - bent[..., 2] * first
        bent[..., -1] = bent[..., -2] * (1 + last) - bent[..., -3] * last
    return np.moveaxis(bent, -1, axis)


@builtin("del2", family="math/calculus", effects="pure")
def del2(u: Any, *spacing: Any) -> Any:
    """Discrete Laplacian, divided by twice the number of dimensions.

    L = del2(U), L = del2(U, H) with one spacing
    L = del2(U, HX, HY, …): spacings, or vectors of coordinates; HX along columns (the second
    dimension), HY along rows

    For a vector it is a quarter of the second derivative, for a matrix a quarter of the Laplacian.

    Examples:
        >> del2([0 1 4 9 16])
        ans =
            0.5000    0.5000    0.5000    0.5000    0.5000

    See also: gradient, diff, divergence.
    """
    a = as_float(numeric(u, "del2"))
    is_vector = a.ndim == 2 and 1 in a.shape
    axes = [0 if a.shape[1] == 1 else 1] if is_vector else [1, 0, *range(2, a.ndim)]
    steps = [as_float(real(h, "del2")) for h in spacing] or [np.ones(1)]
    if len(steps) == 1:
        steps *= len(axes)
    if len(steps) != len(axes):
        raise MatlabError("MATLAB:del2:InvalidInputs", "Invalid inputs to DEL2.")
    total = np.zeros_like(a)
    with np.errstate(all="ignore"):
        for axis, step in zip(axes, steps, strict=True):
            total = total + _half_curvature(a, _points(step, a.shape[axis], "del2"), axis)
        return value_of((total / a.ndim).astype(a.dtype))


def _field(name: str, args: Sequence[Any]) -> tuple[list[Operand], list[Operand]]:
    """Return the components of a field, and the coordinates along its first axes: x, y, z."""
    if len(args) not in (2, 3, 4, 6):
        raise not_enough_inputs()
    arrays = [as_float(real(a, name)) for a in args]
    count = {2: 2, 3: 3, 4: 2, 6: 3}[len(args)]
    parts = arrays[-count:]
    shape = parts[0].shape
    if any(p.shape != shape for p in parts) or len(shape) > count or min(shape) < 2:
        raise MatlabError(
            f"MATLAB:{name}:InvalidInputs",
            "The components must be arrays of one size, with two elements or more along each "
            "dimension.",
        )
    if len(shape) < count:
        raise MatlabError(f"MATLAB:{name}:InvalidInputs", "U, V and W must be 3-D arrays.")
    axes = (1, 0, 2)[:count]
    if len(args) == count:
        return parts, [np.arange(float(shape[axis])) for axis in axes]
    grids = []
    for grid, axis in zip(arrays[:count], axes, strict=True):
        if grid.shape == shape:
            grids.append(np.moveaxis(grid, axis, 0).reshape(shape[axis], -1)[:, 0])
        else:
            grids.append(_points(grid, shape[axis], name))
    return parts, grids


def _slopes(part: Operand, grids: Sequence[Operand]) -> list[Operand]:
    return [slope(part, grid, axis) for grid, axis in zip(grids, (1, 0, 2), strict=False)]


@builtin("divergence", family="math/calculus", nargin=(2, 6), effects="pure")
def divergence(*args: Any) -> Any:
    """Divergence of a vector field.

    D = divergence(U, V), D = divergence(U, V, W) on a grid of unit spacing
    D = divergence(X, Y, U, V), D = divergence(X, Y, Z, U, V, W) on the grid of meshgrid

    Examples:
        >> [x, y] = meshgrid(1:3);
        >> divergence(x, y, 2 * x, 3 * y)
        ans =
             5     5     5
             5     5     5
             5     5     5

    See also: curl, gradient, del2.
    """
    parts, grids = _field("divergence", args)
    with np.errstate(all="ignore"):
        return value_of(sum((_slopes(p, grids)[k] for k, p in enumerate(parts)), np.zeros(1)))


@builtin("curl", family="math/calculus", nargin=(2, 6), nargout=4, needs=("nargout",))
def curl(*args: Any, nargout: int) -> Any:
    """Curl and angular velocity of a vector field.

    [CX, CY, CZ, CAV] = curl(X, Y, Z, U, V, W), curl(U, V, W)
    [CZ, CAV] = curl(X, Y, U, V), curl(U, V)
    CAV = curl(…) is the angular velocity, half of the curl along the flow, in radians a time unit

    Examples:
        >> [x, y] = meshgrid(-1:1);
        >> [cz, cav] = curl(x, y, -y, x);
        >> cz(1), cav(1)
        ans =
             2
        ans =
             1

    See also: divergence, gradient.
    """
    parts, grids = _field("curl", args)
    with np.errstate(all="ignore"):
        slopes = [_slopes(p, grids) for p in parts]
        about_z = slopes[1][0] - slopes[0][1]
        if len(parts) == 2:
            outputs = [about_z, 0.5 * about_z]
        else:
            about = [slopes[2][1] - slopes[1][2], slopes[0][2] - slopes[2][0], about_z]
            speed = np.sqrt(sum(p * p for p in parts))
            spin = sum((c * p for c, p in zip(about, parts, strict=True)), np.zeros(1))
            outputs = [*about, 0.5 * spin / speed]
    if nargout < 2:
        return value_of(outputs[-1])
    if nargout > len(outputs):
        raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
    return tuple(value_of(a) for a in outputs[:nargout])
