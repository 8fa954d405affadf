"""Quantiles, percentiles and the interquartile range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import along, as_float, option, real, reduction_axes
from runmat_core.builtins.arrays.order_statistics import ordered_at
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import from_numpy

Operand = NDArray[Any]


#: The probability of the k-th of n sorted elements, by method.
_POSITIONS: dict[str, Callable[[Operand, int], Operand]] = {
    "midpoint": lambda k, n: (k - 0.5) / n,
    "inclusive": lambda k, n: (k - 1) / max(n - 1, 1),
    "exclusive": lambda k, n: k / (n + 1),
}
_METHODS = ("exact", "approximate", *_POSITIONS)


def _quantiles(a: Operand, probabilities: Operand, axis: int, method: str = "midpoint") -> Operand:
    """Linear interpolation between sorted elements at their positions, NaN left out."""
    lines = np.moveaxis(a, axis, -1)
    result = np.full((*lines.shape[:-1], probabilities.size), np.nan)
    for at in np.ndindex(lines.shape[:-1]):
        kept = lines[at][~np.isnan(lines[at])]
        if kept.size and probabilities.size:
            positions = _POSITIONS[method](np.arange(1.0, kept.size + 1), kept.size)
            # the elements on either side of each
            after = np.minimum(positions.searchsorted(probabilities), kept.size - 1)
            places = np.union1d(np.maximum(after - 1, 0), after)
            elements = ordered_at(kept, places.tolist())
            result[at] = np.interp(probabilities, positions[places], elements)
    return np.moveaxis(result, -1, axis)


def _quantile(name: str, x: Any, p: Any, args: tuple[Any, ...], scale: float) -> Any:
    a = as_float(real(x, name))
    dims, method = _arguments(name, x, args)
    probabilities = real(p, name).astype(np.float64).ravel() / scale
    if name == "quantile" and probabilities.size == 1 and probabilities[0] > 1:
        count = probabilities[0]
        if count % 1:
            raise MatlabError(
                "MATLAB:quantile:BadProbs",
                "P must be probabilities from 0 to 1, or a whole number of quantiles.",
            )
        probabilities = np.arange(1, count + 1) / (count + 1)
    elif not ((probabilities >= 0) & (probabilities <= 1)).all():
        raise MatlabError(
            f"MATLAB:{name}:{'BadProbs' if scale == 1 else 'BadPercents'}",
            f"P must be from 0 to {scale:g}.",
        )
    folded, axis = along(a, dims)
    return from_numpy(_quantiles(folded, probabilities, axis, method).astype(a.dtype))


def _arguments(name: str, x: Any, args: tuple[Any, ...]) -> tuple[tuple[int, ...] | None, str]:
    """Return the axes and the method that ``(dim | vecdim | "all", "Method", method)`` ask for."""
    rest = list(args)
    dims = None
    if rest and (option(rest[0]) in (None, "all")):
        dims = reduction_axes(x, rest.pop(0))
    named, _ = pairs(rest, ("Method",), name)
    method = choice(named["Method"], _METHODS, name) if "Method" in named else "exact"
    return dims, method if method in _POSITIONS else "midpoint"


@builtin("quantile", family="arrays/statistics", effects="pure", pending="view", nargin=(2, 5))
def quantile(x: Any, p: Any, *args: Any) -> Any:
    """Quantiles of the elements for cumulative probabilities.

    Q = quantile(A, P), Q = quantile(A, N) for N evenly spaced probabilities, N above 1
    Q = quantile(…, DIM), Q = quantile(…, VECDIM), Q = quantile(…, "all")
    Q = quantile(…, "Method", M) with "midpoint", "inclusive" or "exclusive": the k-th of n
    elements stands for the probability (k - 0.5)/n, (k - 1)/(n - 1) or k/(n + 1); "exact" and
    "approximate" are the first

    Examples:
        >> quantile([1 2 3 4], [0.25 0.5])
        ans =
            1.5000    2.5000
        >> quantile(1:7, 3)
        ans =
            2.2500    4.0000    5.7500

    See also: prctile, median, iqr.
    """
    return _quantile("quantile", x, p, args, 1.0)


@builtin("prctile", family="arrays/statistics", effects="pure", pending="view", nargin=(2, 5))
def prctile(x: Any, p: Any, *args: Any) -> Any:
    """Percentiles of the elements.

    Q = prctile(A, P), Q = prctile(A, P, DIM), Q = prctile(A, P, VECDIM), Q = prctile(A, P, "all")
    Q = prctile(…, "Method", M) with the methods of quantile

    Examples:
        >> prctile([1 2 3 4], 50)
        ans =
            2.5000

    See also: quantile, median.
    """
    return _quantile("prctile", x, p, args, 100.0)


@builtin("iqr", family="arrays/statistics", effects="pure", nargout=2, needs=("nargout",))
def iqr(x: Any, dim: Any = None, *, nargout: int) -> Any:
    """Interquartile range: the 75th less the 25th percentile.

    R = iqr(A), R = iqr(A, DIM), R = iqr(A, VECDIM), R = iqr(A, "all")
    [R, Q] = iqr(…) gives the two percentiles as well

    Examples:
        >> iqr([1 2 3 4])
        ans =
             2

    See also: quantile, range, std.
    """
    a = as_float(real(x, "iqr"))
    folded, axis = along(a, None if dim is None else reduction_axes(x, dim))
    ends = _quantiles(folded, np.array([0.25, 0.75]), axis).astype(a.dtype)
    found = from_numpy(np.diff(ends, axis=axis))
    return (found, from_numpy(ends)) if nargout > 1 else found
