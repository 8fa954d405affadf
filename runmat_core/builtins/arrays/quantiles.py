"""Quantiles, percentiles and the interquartile range."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.builtins.arguments import along, as_float, dimension, option, real
from runmat_core.values import from_numpy, minus

Operand = NDArray[Any]


def _quantiles(a: Operand, probabilities: Operand, axis: int) -> Operand:
    """Linear interpolation between sorted elements at (k - 0.5)/n, NaN left out."""
    lines = np.moveaxis(a, axis, -1)
    result = np.full((*lines.shape[:-1], probabilities.size), np.nan)
    for at in np.ndindex(lines.shape[:-1]):
        kept = np.sort(lines[at][~np.isnan(lines[at])])
        if kept.size:
            positions = (np.arange(1, kept.size + 1) - 0.5) / kept.size
            result[at] = np.interp(probabilities, positions, kept)
    return np.moveaxis(result, -1, axis)


def _quantile(name: str, x: Any, p: Any, dim: Any, scale: float) -> Any:
    a = as_float(real(x, name))
    if option(dim if dim is not None else 0.0) == "all":
        a, dim = a.reshape(-1, 1, order="F"), 1.0
    probabilities = real(p, name).astype(np.float64).ravel() / scale
    folded, axis = along(a, None if dim is None else (dimension(dim),))
    return from_numpy(_quantiles(folded, probabilities, axis))


@builtin("quantile", family="arrays/statistics", effects="pure", pending="view")
def quantile(x: Any, p: Any, dim: Any = None) -> Any:
    """Quantiles of the elements for cumulative probabilities.

    Q = quantile(A, P), Q = quantile(A, P, DIM), Q = quantile(A, P, "all")

    Examples:
        >> quantile([1 2 3 4], [0.25 0.5])
        ans =
            1.5000    2.5000

    See also: prctile, median, iqr.
    """
    return _quantile("quantile", x, p, dim, 1.0)


@builtin("prctile", family="arrays/statistics", effects="pure", pending="view")
def prctile(x: Any, p: Any, dim: Any = None) -> Any:
    """Percentiles of the elements.

    Q = prctile(A, P), Q = prctile(A, P, DIM), Q = prctile(A, P, "all")

    Examples:
        >> prctile([1 2 3 4], 50)
        ans =
            2.5000

    See also: quantile, median.
    """
    return _quantile("prctile", x, p, dim, 100.0)


@builtin("iqr", family="arrays/statistics", effects="pure")
def iqr(x: Any, dim: Any = None) -> Any:
    """Interquartile range: the 75th less the 25th percentile.

    R = iqr(A), R = iqr(A, DIM)

    Examples:
        >> iqr([1 2 3 4])
        ans =
             2

    See also: quantile, range, std.
    """
    return minus(_quantile("iqr", x, 0.75, dim, 1.0), _quantile("iqr", x, 0.25, dim, 1.0))
