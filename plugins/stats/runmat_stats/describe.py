"""Descriptive statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_core.api.compose import Arrays
from runmat_stats.arguments import (
    Data,
    axes_of,
    first_axis,
    floating,
    given,
    integer,
    one_of,
    real,
    scalar,
)


def axis_of(a: Data, dim: Any, name: str) -> tuple[Data, int]:
    """The array with the axis to work along; "all" makes it a column, and several are one."""
    if isinstance(dim, str):
        one_of(dim, ("all",), name)
        return a.reshape(-1, 1, order="F"), 0
    if not given(dim):
        return (a.reshape(0, 1), 0) if a.shape == (0, 0) else (a, first_axis(a))
    if np.size(dim) > 1:
        return _folded(a, axes_of(a, dim, name))
    axis = integer(dim, name, "DIM", 1) - 1
    if axis >= a.ndim:
        return a[..., None], a.ndim
    return a, axis


def _folded(a: Data, axes: tuple[int, ...]) -> tuple[Data, int]:
    """`a` with the elements along several axes along the first of these."""
    axes = axes or (a.ndim,)
    a = a.reshape(a.shape + (1,) * (axes[0] + 1 - a.ndim), order="F")
    rest = [axis for axis in range(a.ndim) if axis not in axes]
    shape = [1 if axis in axes else a.shape[axis] for axis in range(a.ndim)]
    shape[axes[0]] = int(np.prod([a.shape[axis] for axis in axes]))
    count = shape[axes[0]]
    lines = a.transpose([*axes, *rest]).reshape([count, *(a.shape[r] for r in rest)], order="F")
    # the axes before the first folded one keep their places
    return np.moveaxis(lines, 0, axes[0]).reshape(shape, order="F"), axes[0]


def _flag(value: Any, name: str) -> bool:
    number = scalar(value, name, "Flag") if given(value) else 1.0
    if number not in (0.0, 1.0):
        raise MatlabError(f"stats:{name}:BadFlag", "The flag must be 0 or 1.")
    return number == 1.0


def _counted(a: Data, axis: int) -> tuple[Data, Data]:
    kept = ~np.isnan(a)
    return kept, kept.sum(axis=axis, keepdims=True).astype(a.real.dtype)


def mean_of(a: Data, axis: int) -> Data:
    """The mean of what is not NaN."""
    kept, count = _counted(a, axis)
    return np.asarray(np.where(kept, a, 0).sum(axis=axis, keepdims=True) / count)


def _moment(a: Data, axis: int, order: int) -> Data:
    return mean_of((a - mean_of(a, axis)) ** order, axis)


def _scores(xp: Arrays, x: Any, flag: Any = 0.0, dim: Any = None, *, nargout: int = 1) -> Any:
    """``zscore`` of a large array: a few operations where it lies."""
    whole = xp.text(dim) == "all"
    along = "all" if whole else xp.dimension(x, dim)
    if flag.__class__ is not float or flag not in (0.0, 1.0) or not along or not xp.is_real(x):
        return NotImplemented
    mu, sigma = xp.call("mean", x, along), xp.call("std", x, flag, along)
    # constant data become 0
    width = xp.call("plus", sigma, xp.call("eq", sigma, 0.0))
    z = xp.call("rdivide", xp.call("minus", x, mu), width)
    return (z, mu, sigma)[:nargout] if nargout > 1 else z


@builtin(
    "zscore",
    family="stats/describe",
    lift="arrays",
    nargout=3,
    needs=("nargout",),
    compose=_scores,
)
def zscore(x: Any, flag: Any = None, dim: Any = None, *, nargout: int) -> Any:
    """Data centred to mean 0 and scaled to standard deviation 1; constant data become 0.

    Z = zscore(X), zscore(X, 1) divides by N, zscore(X, FLAG, DIM), zscore(X, FLAG, "all"),
    zscore(X, FLAG, VECDIM)
    [Z, MU, SIGMA] = zscore(…)

    Examples:
        >> zscore([1 2 3])
        ans =
            -1     0     1

    See also: normalize, mean, std.
    """
    a = real(x, "zscore")
    folded, axis = axis_of(a, dim, "zscore")
    biased = given(flag) and _flag(flag, "zscore")
    if not folded.size:
        return (a.copy(), np.full((1, 1), np.nan), np.full((1, 1), np.nan))[: max(nargout, 1)]
    count = folded.shape[axis]
    mu = folded.mean(axis=axis, keepdims=True)
    sigma = folded.std(axis=axis, keepdims=True, ddof=0 if biased or count == 1 else 1)
    whole = a.reshape(a.shape + (1,) * (mu.ndim - a.ndim), order="F")
    z = (whole - mu) / np.where(sigma == 0, 1, sigma)
    z = z.reshape(a.shape, order="F").astype(a.dtype)
    return (z, mu, sigma)[:nargout] if nargout > 1 else z


@builtin("skewness", family="stats/describe", lift="arrays", effects="pure")
def skewness(x: Any, flag: Any = None, dim: Any = None) -> Data:
    """Skewness: how lopsided a sample is. NaN elements are left out.

    Y = skewness(X), skewness(X, 0) corrects for bias, skewness(X, FLAG, DIM)

    Examples:
        >> skewness([1 2 3 10])
        ans =
            1.0182

    See also: kurtosis, mean, std.
    """
    a, axis = axis_of(real(x, "skewness"), dim, "skewness")
    y = _moment(a, axis, 3) / _moment(a, axis, 2) ** 1.5
    if not _flag(flag, "skewness"):
        n = _counted(a, axis)[1]
        y = np.where(n < 3, np.nan, y * np.sqrt(n * (n - 1)) / (n - 2))
    return np.asarray(y, a.dtype)


@builtin("kurtosis", family="stats/describe", lift="arrays", effects="pure")
def kurtosis(x: Any, flag: Any = None, dim: Any = None) -> Data:
    """Kurtosis: how heavy the tails of a sample are; 3 for the normal distribution.

    Y = kurtosis(X), kurtosis(X, 0) corrects for bias, kurtosis(X, FLAG, DIM)

    Examples:
        >> kurtosis([1 2 3 4])
        ans =
            1.6400

    See also: skewness, std.
    """
    a, axis = axis_of(real(x, "kurtosis"), dim, "kurtosis")
    y = _moment(a, axis, 4) / _moment(a, axis, 2) ** 2
    if not _flag(flag, "kurtosis"):
        n = _counted(a, axis)[1]
        corrected = ((n + 1) * y - 3 * (n - 1)) * (n - 1) / ((n - 2) * (n - 3)) + 3
        y = np.where(n < 4, np.nan, corrected)
    return np.asarray(y, a.dtype)


def _positive(x: Any, name: str) -> Data:
    a = real(x, name)
    if (a < 0).any():
        raise MatlabError(f"stats:{name}:BadData", "The data must be nonnegative real numbers.")
    return a


@builtin("geomean", family="stats/describe", lift="arrays", effects="pure")
def geomean(x: Any, dim: Any = None) -> Data:
    """Geometric mean.

    M = geomean(X), M = geomean(X, DIM), M = geomean(X, "all")

    Examples:
        >> geomean([2 8])
        ans =
             4

    See also: harmmean, mean.
    """
    a, axis = axis_of(_positive(x, "geomean"), dim, "geomean")
    with np.errstate(invalid="ignore"):
        logs = np.log(a).sum(axis=axis, keepdims=True) / a.shape[axis]
    return np.asarray(np.exp(logs))


@builtin("harmmean", family="stats/describe", lift="arrays", effects="pure")
def harmmean(x: Any, dim: Any = None) -> Data:
    """Harmonic mean.

    M = harmmean(X), M = harmmean(X, DIM), M = harmmean(X, "all")

    Examples:
        >> harmmean([2 6])
        ans =
             3

    See also: geomean, mean.
    """
    a, axis = axis_of(_positive(x, "harmmean"), dim, "harmmean")
    return np.asarray(a.dtype.type(a.shape[axis]) / (1 / a).sum(axis=axis, keepdims=True))


# -- without NaN ---------------------------------------------------------------------------------


@builtin("nanmean", family="stats/describe", lift="arrays", effects="pure")
def nanmean(x: Any, dim: Any = None) -> Data:
    """Mean of what is not NaN.

    Y = nanmean(X), Y = nanmean(X, DIM), Y = nanmean(X, "all")

    Examples:
        >> nanmean([1 NaN 3])
        ans =
             2

    See also: mean, nanmedian, nanstd.
    """
    return mean_of(*axis_of(floating(x, "nanmean"), dim, "nanmean"))


@builtin("nansum", family="stats/describe", lift="arrays", effects="pure")
def nansum(x: Any, dim: Any = None) -> Data:
    """Sum of what is not NaN.

    Y = nansum(X), Y = nansum(X, DIM), Y = nansum(X, "all")

    Examples:
        >> nansum([1 NaN 3])
        ans =
             4

    See also: sum, nanmean.
    """
    a, axis = axis_of(floating(x, "nansum"), dim, "nansum")
    return np.asarray(np.where(np.isnan(a), 0, a).sum(axis=axis, keepdims=True))


@builtin("nanmedian", family="stats/describe", lift="arrays", effects="pure")
def nanmedian(x: Any, dim: Any = None) -> Data:
    """Median of what is not NaN.

    Y = nanmedian(X), Y = nanmedian(X, DIM), Y = nanmedian(X, "all")

    Examples:
        >> nanmedian([1 NaN 3 8])
        ans =
             3

    See also: median, nanmean.
    """
    a, axis = axis_of(real(x, "nanmedian"), dim, "nanmedian")
    if not a.shape[axis]:
        return mean_of(a, axis)
    ordered = np.sort(a, axis=axis)
    count = (~np.isnan(a)).sum(axis=axis, keepdims=True)
    low = np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0), axis)
    high = np.take_along_axis(ordered, np.minimum(count // 2, a.shape[axis] - 1), axis)
    return np.where(count == 0, np.nan, np.where(low == high, low, (low + high) / 2)).astype(
        a.dtype
    )


def _variance(name: str, x: Any, flag: Any, dim: Any) -> Data:
    a, axis = axis_of(floating(x, name), dim, name)
    kept, count = _counted(a, axis)
    squares = np.where(kept, np.abs(a - mean_of(a, axis)) ** 2, 0).sum(axis=axis, keepdims=True)
    biased = given(flag) and _flag(flag, name)
    divisor = count if biased else np.maximum(count - 1, 1)
    return np.where(count == 0, np.nan, squares / divisor).astype(a.real.dtype)


@builtin("nanvar", family="stats/describe", lift="arrays", effects="pure")
def nanvar(x: Any, flag: Any = None, dim: Any = None) -> Data:
    """Variance of what is not NaN.

    Y = nanvar(X), nanvar(X, 1) divides by N, nanvar(X, FLAG, DIM)

    Examples:
        >> nanvar([1 NaN 3])
        ans =
             2

    See also: var, nanstd.
    """
    return _variance("nanvar", x, flag, dim)


@builtin("nanstd", family="stats/describe", lift="arrays", effects="pure")
def nanstd(x: Any, flag: Any = None, dim: Any = None) -> Data:
    """Standard deviation of what is not NaN.

    Y = nanstd(X), nanstd(X, 1) divides by N, nanstd(X, FLAG, DIM)

    Examples:
        >> nanstd([1 NaN 3])
        ans =
            1.4142

    See also: std, nanvar, nanmean.
    """
    return np.asarray(np.sqrt(_variance("nanstd", x, flag, dim)))


def _extremum(name: str, x: Any, y: Any, dim: Any, largest: bool, nargout: int) -> Any:
    if given(y):
        if nargout > 1:
            raise MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")
        rule = np.fmax if largest else np.fmin
        try:
            pair = np.broadcast_arrays(real(x, name), real(y, name))
        except ValueError:
            raise MatlabError(
                "MATLAB:sizeDimensionsMustMatch",
                "Arrays have incompatible sizes for this operation.",
            ) from None
        return np.asarray(rule(*pair))
    a, axis = axis_of(real(x, name), dim, name)
    if not a.size:
        sizes = [0 if n == 0 and k != axis else min(n, 1) for k, n in enumerate(a.shape)]
        return (np.zeros(sizes), np.zeros(sizes)) if nargout > 1 else np.zeros(sizes)
    found = np.asarray((np.fmax if largest else np.fmin).reduce(a, axis=axis, keepdims=True))
    if nargout < 2:
        return found
    return found, ((a == found) | np.isnan(found)).argmax(axis, keepdims=True) + 1.0


@builtin(
    "nanmax", family="stats/describe", lift="arrays", nargout=2, needs=("nargout",), effects="pure"
)
def nanmax(x: Any, y: Any = None, dim: Any = None, *, nargout: int = 1) -> Any:
    """Maximum of what is not NaN.

    M = nanmax(X), M = nanmax(X, [], DIM), M = nanmax(X, Y)
    [M, I] = nanmax(X), [M, I] = nanmax(X, [], DIM) says which the first is

    Examples:
        >> nanmax([1 NaN 3])
        ans =
             3

    See also: max, nanmin.
    """
    return _extremum("nanmax", x, y, dim, True, nargout)


@builtin(
    "nanmin", family="stats/describe", lift="arrays", nargout=2, needs=("nargout",), effects="pure"
)
def nanmin(x: Any, y: Any = None, dim: Any = None, *, nargout: int = 1) -> Any:
    """Minimum of what is not NaN.

    M = nanmin(X), M = nanmin(X, [], DIM), M = nanmin(X, Y)
    [M, I] = nanmin(X), [M, I] = nanmin(X, [], DIM) says which the first is

    Examples:
        >> nanmin([1 NaN 3])
        ans =
             1

    See also: min, nanmax.
    """
    return _extremum("nanmin", x, y, dim, False, nargout)
