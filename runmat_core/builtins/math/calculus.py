"""Numerical integration and differences of sampled data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    as_float,
    dimension,
    first_axis,
    numeric,
    real,
)
from runmat_core.builtins.lift import value_of
from runmat_core.values import mixed, to_numpy

Operand = NDArray[Any]


def _samples(name: str, x: Any, y: Any, dim: Any) -> tuple[Operand, Operand, int]:
    """Ordinates, widths of the intervals (broadcastable) and axis of trapz and cumtrapz."""
    if y is None:
        x, y = None, x
    elif dim is None and to_numpy(y).size == 1:
        x, y, dim = None, x, y
    a = as_float(numeric(y, name))
    axis = first_axis(a.shape) if dim is None else dimension(dim)
    count = a.shape[axis] if axis < a.ndim else 1
    if x is None or to_numpy(x).size == 0:
        return a, np.ones(1, a.real.dtype), axis
    points = as_float(numeric(x, name))
    if points.size == 1:
        return a, points.ravel(), axis
    if points.shape == a.shape and 1 not in points.shape:
        return a, np.diff(points, axis=axis), axis
    if points.size != count:
        raise MatlabError(f"MATLAB:{name}:LengthXMismatchY", "Length of X must equal length of Y.")
    shape = [-1 if k == axis else 1 for k in range(a.ndim)]
    return a, np.diff(points.ravel(order="F")).reshape(shape), axis


def _panels(a: Operand, widths: Operand, axis: int) -> Operand:
    before = (slice(None),) * axis
    panels = a[(*before, slice(None, -1))] + a[(*before, slice(1, None))]
    if (widths != 1).any():
        panels = mixed.multiply(widths, panels)
    return mixed.divide(panels, 2.0)


@builtin("trapz", family="math/calculus", effects="pure", pending="keep", captures="operator")
@composed.composed(composed.trapz)
def trapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """Integral by the trapezoidal rule.

    Q = trapz(Y), Q = trapz(X, Y), Q = trapz(X, Y, DIM), Q = trapz(Y, DIM) with a scalar DIM

    Examples:
        >> trapz([0 1 2], [0 1 4])
        ans =
             3

    See also: cumtrapz, integral, sum.
    """
    a, widths, axis = _samples("trapz", x, y, dim)
    if a.size == 0 or axis >= a.ndim:
        return 0.0
    return value_of(_panels(a, widths, axis).sum(axis=axis, keepdims=True))


@builtin("cumtrapz", family="math/calculus", effects="pure", pending="keep", captures="operator")
@composed.composed(composed.cumtrapz)
def cumtrapz(x: Any, y: Any = None, dim: Any = None) -> Any:
    """Running integral by the trapezoidal rule.

    Q = cumtrapz(Y), Q = cumtrapz(X, Y), Q = cumtrapz(X, Y, DIM), Q = cumtrapz(Y, DIM) with a
    scalar DIM

    Examples:
        >> cumtrapz([0 2 4])
        ans =
             0     1     4

    See also: trapz, cumsum.
    """
    a, widths, axis = _samples("cumtrapz", x, y, dim)
    if a.size == 0 or axis >= a.ndim:
        return value_of(np.zeros(a.shape))
    total = np.cumsum(_panels(a, widths, axis), axis=axis)
    start = np.zeros([1 if k == axis else n for k, n in enumerate(a.shape)], total.dtype)
    return value_of(np.concatenate([start, total], axis=axis))


@builtin("gradient", family="math/calculus", nargout=None, needs=("nargout",), effects="pure")
def gradient(f: Any, *spacing: Any, nargout: int) -> Any:
    """Numerical gradient: central differences inside, one-sided ones at the ends.

    FX = gradient(F), FX = gradient(F, H)
    [FX, FY, …] = gradient(F, HX, HY, …): FX along columns (the second dimension), FY along rows

    Examples:
        >> gradient([1 4 9 16])
        ans =
             3     4     6     7

    See also: diff, trapz.
    """
    a = as_float(numeric(f, "gradient"))
    axes = [first_axis(a.shape)] if a.ndim == 2 and 1 in a.shape else [1, 0, *range(2, a.ndim)]
    steps = [as_float(real(h, "gradient")).ravel(order="F") for h in spacing] or [np.ones(1)]
    if len(steps) == 1:
        steps *= len(axes)
    with np.errstate(all="ignore"):
        parts = tuple(
            value_of(slope(a, step, axis))
            for axis, step in zip(axes[: max(nargout, 1)], steps, strict=False)
        )
    return parts if nargout > 1 else parts[0]


def slope(a: Operand, step: Operand, axis: int) -> Operand:
    count = a.shape[axis]
    if step.size not in (1, count):
        raise MatlabError(
            "MATLAB:gradient:InvalidInputs", "Spacing must be a scalar or a vector of coordinates."
        )
    if count < 2:
        return np.zeros_like(a)
    points = step if step.size > 1 else np.arange(count) * step[0]
    lines = np.moveaxis(a, axis, -1)
    slope = np.empty_like(lines)
    slope[..., 0] = (lines[..., 1] - lines[..., 0]) / (points[1] - points[0])
    slope[..., -1] = (lines[..., -1] - lines[..., -2]) / (points[-1] - points[-2])
    slope[..., 1:-1] = (lines[..., 2:] - lines[..., :-2]) / (points[2:] - points[:-2])
    return np.moveaxis(slope, -1, axis)
