"""Descriptive statistics along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Reduction as Fused
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    NAN_FLAGS,
    along,
    as_float,
    floating,
    real,
    reduction,
    reduction_axes,
    scalar,
    split_options,
    unknown_option,
)
from runmat_core.builtins.arrays import fused
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.extrema import max_, min_
from runmat_core.values import from_numpy, minus, to_numpy
from runmat_core.values.classes import saturate

Operand = NDArray[Any]

_OUTPUT_CLASSES = frozenset({"native", "double", "default"})


@builtin(
    "mean",
    family="arrays/statistics",
    effects="pure",
    fusion=Fused(fused.mean, of_complex="complex"),
)
def mean(x: Any, *args: Any) -> Any:
    """Average.

    M = mean(A) works along the first dimension whose extent is not one
    M = mean(A, DIM), M = mean(A, VECDIM), M = mean(A, "all")
    M = mean(…, "omitnan"), M = mean(…, "native")

    Examples:
        >> mean([1 2; 3 6])
        ans =
             2     4
        >> mean([1 NaN 3], "omitnan")
        ans =
             2

    See also: median, mode, sum, std, var.
    """
    if x.__class__ is float and not args:
        return x
    request = reduction("mean", x, args, _OUTPUT_CLASSES)
    work = as_float(request.a)
    with np.errstate(all="ignore"):
        if request.omit_nan:
            kept = ~np.isnan(work)
            total = np.sum(np.where(kept, work, 0), axis=request.axis, keepdims=True)
            result = total / kept.sum(axis=request.axis, keepdims=True).astype(work.real.dtype)
        else:
            count = work.real.dtype.type(work.shape[request.axis])
            result = np.sum(work, axis=request.axis, keepdims=True) / count
    if "native" in request.flags and request.a.dtype.kind in "iu":
        result = saturate(result, request.a.dtype)
    return value_of(result)


@builtin("median", family="arrays/statistics", effects="pure", pending="view")
def median(x: Any, *args: Any) -> Any:
    """Median: the middle of the sorted elements, or the mean of the two middle ones.

    M = median(A) works along the first dimension whose extent is not one
    M = median(A, DIM), M = median(A, VECDIM), M = median(A, "all")
    M = median(…, "omitnan"); without it NaN gives NaN

    Examples:
        >> median([3 1 2 10])
        ans =
            2.5000

    See also: mean, mode, quantile, sort.
    """
    if x.__class__ is float and not args:
        return x
    request = reduction("median", x, args)
    a, axis = as_float(request.a), request.axis
    shape = tuple(1 if k == axis else n for k, n in enumerate(a.shape))
    if a.shape[axis] == 0:
        return from_numpy(np.full(shape, np.nan, a.dtype))
    missing = np.isnan(a)
    ordered = np.sort(a, axis=axis)  # NaN last
    count = (~missing).sum(axis=axis, keepdims=True)
    low, high = np.maximum((count - 1) // 2, 0), np.minimum(count // 2, a.shape[axis] - 1)
    first = np.take_along_axis(ordered, low, axis)
    second = np.take_along_axis(ordered, high, axis)
    with np.errstate(all="ignore"):
        middle = np.where((low == high) | (first == second), first, first + (second - first) / 2)
    hidden = count == 0 if request.omit_nan else missing.any(axis=axis, keepdims=True)
    result = np.where(hidden, np.nan, middle).astype(a.dtype)
    integers = request.a.dtype.kind in "iu"
    return from_numpy(saturate(result, request.a.dtype) if integers else result)


@builtin(
    "mode",
    family="arrays/statistics",
    nargout=3,
    needs=("nargout",),
    effects="pure",
    pending="view",
)
def mode(x: Any, *args: Any, nargout: int) -> Any:
    """Most frequent element, the smallest of several.

    M = mode(A), M = mode(A, DIM), M = mode(A, "all")
    [M, F] = mode(…) gives its frequency
    [M, F, C] = mode(…) gives all elements of that frequency, in cells

    Examples:
        >> mode([3 1 3 1 2])
        ans =
             1
        >> [m, f] = mode([5 5 2])
        m =
             5
        f =
             2

    See also: mean, median, histcounts, unique.
    """
    from runmat_core.values import CellArray

    request = reduction("mode", x, args, missing=False)
    lines = np.moveaxis(request.a, request.axis, 0)
    shape = lines.shape[1:]
    flat = lines.reshape(lines.shape[0], int(np.prod(shape)), order="F")
    modes = np.full(flat.shape[1], np.nan if flat.dtype.kind == "f" else 0, flat.dtype)
    counts = np.zeros(flat.shape[1])
    ties = np.empty(flat.shape[1], object)
    for k in range(flat.shape[1]):
        column = flat[:, k]
        if column.dtype.kind == "f":
            column = column[~np.isnan(column)]
        values, frequency = np.unique(column, return_counts=True)
        ties[k] = from_numpy(
            values[frequency == frequency.max()].reshape(-1, 1)
            if values.size
            else np.full((1, 1), np.nan)
        )
        if values.size:
            modes[k], counts[k] = values[frequency.argmax()], frequency.max()

    def kept(a: Operand) -> Operand:
        return np.expand_dims(a.reshape(shape, order="F"), request.axis)

    outputs = (from_numpy(kept(modes)), from_numpy(kept(counts)))
    if nargout < 3:
        return outputs[:nargout] if nargout > 1 else outputs[0]
    return (*outputs, CellArray(kept(ties)))


def _spread(name: str, x: Any, args: tuple[Any, ...]) -> Any:
    """Variance, with the arguments (x, weights, dims, nanflag) that var and std share."""
    plain, options = split_options(args)
    a = floating(x, name)
    axes: tuple[int, ...] | None = None
    omit = False
    for word in options:
        if word == "all":
            axes = tuple(range(a.ndim))
        elif word in {"omitnan", "omitmissing"}:
            omit = True
        elif word not in {"includenan", "includemissing"}:
            raise unknown_option(word, ["all", *NAN_FLAGS])
    if len(plain) > 1:
        axes = reduction_axes(x, plain[1])
    weights = real(plain[0], name).astype(np.float64) if plain else np.zeros((0, 0))
    folded, axis = along(a, axes)
    with np.errstate(all="ignore"):
        if weights.size > 1:
            return _weighted(folded, axis, weights.ravel(), omit)
        return _variance(
            folded, axis, biased=bool(weights.size and weights.flat[0] == 1), omit=omit
        )


def _variance(a: Operand, axis: int, biased: bool, omit: bool) -> Operand:
    kept = ~np.isnan(a) if omit else np.ones(a.shape, np.bool_)
    count = kept.sum(axis=axis, keepdims=True).astype(a.real.dtype)
    centre = np.sum(np.where(kept, a, 0), axis=axis, keepdims=True) / count
    deviations = np.where(kept, np.abs(a - centre) ** 2, 0)
    divisor = count if biased else np.where(count > 1, count - 1, 1)
    result = np.sum(deviations, axis=axis, keepdims=True) / divisor
    return np.where(count == 0, np.nan, result).astype(a.real.dtype)


def _weighted(a: Operand, axis: int, weights: Operand, omit: bool) -> Operand:
    if weights.size != a.shape[axis] or (weights < 0).any():
        raise MatlabError(
            "MATLAB:var:invalidSizeWgts",
            "The length of W must be compatible with A, and W must be nonnegative.",
        )
    shape = [1] * a.ndim
    shape[axis] = weights.size
    w = np.broadcast_to(weights.reshape(shape), a.shape)
    if omit:
        w = np.where(np.isnan(a), 0, w)
        a = np.where(np.isnan(a), 0, a)
    w = w / w.sum(axis=axis, keepdims=True)
    centre = np.sum(w * a, axis=axis, keepdims=True)
    return np.asarray(np.sum(w * np.abs(a - centre) ** 2, axis=axis, keepdims=True))


@builtin(
    "var",
    family="arrays/statistics",
    effects="pure",
    fusion=Fused(fused.variance, "moment", of_complex="part"),
)
def var(x: Any, *args: Any) -> Any:
    """Variance, with divisor N-1.

    V = var(A) works along the first dimension whose extent is not one
    V = var(A, 1) divides by N; V = var(A, W) takes weights
    V = var(A, W, DIM), V = var(A, W, "all"), V = var(…, "omitnan")

    Examples:
        >> var([1 2 3 4])
        ans =
            1.6667
        >> var([1 2 3 4], 1)
        ans =
            1.2500

    See also: std, mean, cov.
    """
    return from_numpy(_spread("var", x, args))


@builtin(
    "std",
    family="arrays/statistics",
    effects="pure",
    fusion=Fused(fused.deviation, "moment", of_complex="part"),
)
def std(x: Any, *args: Any) -> Any:
    """Standard deviation, with divisor N-1.

    S = std(A) works along the first dimension whose extent is not one
    S = std(A, 1) divides by N; S = std(A, W) takes weights
    S = std(A, W, DIM), S = std(A, W, "all"), S = std(…, "omitnan")

    Examples:
        >> std([1 2 3 4])
        ans =
            1.2910

    See also: var, mean, cov.
    """
    return from_numpy(np.sqrt(_spread("std", x, args)))


@builtin(
    "range", family="arrays/statistics", effects="pure", fusion=Fused(fused.spread, result="same")
)
def range_(x: Any, dim: Any = None) -> Any:
    """Difference between the largest and the smallest element.

    R = range(A), R = range(A, DIM)

    Examples:
        >> range([3 8 5])
        ans =
             5

    See also: bounds, max, min, iqr.
    """
    dims = () if dim is None else (from_numpy(np.zeros((0, 0))), dim)
    return minus(max_(x, *dims, nargout=1), min_(x, *dims, nargout=1))


def _observations(name: str, x: Any, rest: tuple[Any, ...]) -> tuple[Operand, list[Any], list[str]]:
    """The matrix whose columns are variables, and the other arguments."""
    plain, options = split_options(rest)
    a = floating(x, name)
    if a.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:InputDim", "Inputs must be 2-D.")
    if plain and to_numpy(plain[0]).size == a.size and a.size > 1:
        b = floating(plain.pop(0), name)
        a = np.stack([a.ravel(order="F"), b.ravel(order="F")], axis=1)
    elif 1 in a.shape:
        a = a.reshape(-1, 1)
    if "omitrows" in options:
        a = a[~np.isnan(a).any(axis=1)]
    return a, plain, options


@builtin("cov", family="arrays/statistics", effects="pure", pending="keep", captures="operator")
@composed.composed(composed.cov)
def cov(x: Any, *args: Any) -> Any:
    """Covariance of the columns of a matrix, or of two vectors.

    C = cov(A), C = cov(A, B)
    C = cov(…, 1) divides by N instead of N-1

    Examples:
        >> cov([1 2 3], [1 2 4])
        ans =
            1.0000    1.5000
            1.5000    2.3333

    See also: corrcoef, var, mean.
    """
    a, plain, _ = _observations("cov", x, args)
    biased = bool(plain) and scalar(plain[0]) == 1
    if a.shape[0] == 0:
        return float("nan")
    with np.errstate(all="ignore"):
        return value_of(_covariance(a, biased))


def _covariance(a: Operand, biased: bool) -> Operand:
    count = a.shape[0]
    centred = a - a.mean(axis=0, keepdims=True)
    divisor = count if biased or count == 1 else count - 1
    return np.asarray(np.conj(centred).T @ centred / divisor)


@builtin(
    "corrcoef", family="arrays/statistics", effects="pure", pending="keep", captures="operator"
)
@composed.composed(composed.corrcoef)
def corrcoef(x: Any, *args: Any) -> Any:
    """Correlation coefficients of the columns of a matrix, or of two vectors.

    R = corrcoef(A), R = corrcoef(A, B)

    Examples:
        >> corrcoef([1 2 3], [2 4 7])
        ans =
            1.0000    0.9934
            0.9934    1.0000

    See also: cov, std.
    """
    a, _, _ = _observations("corrcoef", x, args)
    if a.shape[0] == 0:
        return float("nan")
    with np.errstate(all="ignore"):
        covariance = _covariance(a, biased=False)
        deviation = np.sqrt(np.diagonal(covariance).real)
        r = covariance / np.outer(deviation, deviation)
    if r.shape == (1, 1):
        return 1.0 if np.isfinite(r).all() else float("nan")
    at = np.arange(r.shape[0])
    r[at, at] = np.where(np.isnan(r[at, at]), np.nan, 1.0)
    return value_of(np.where(np.abs(r) > 1, r / np.abs(r), r))
