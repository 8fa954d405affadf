"""Descriptive statistics along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import sums
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.fusion import Reduction as Fused
from runmat_core.builtins.arguments import (
    NAN_FLAGS,
    Reduction,
    along,
    as_float,
    floating,
    option,
    real,
    reduction,
    reduction_axes,
    split_options,
    unknown_option,
)
from runmat_core.builtins.arrays import fused, sparse_order
from runmat_core.builtins.arrays.order_statistics import ordered_at
from runmat_core.builtins.arrays.sparse_rules import reduced
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.math.extrema import max_, min_
from runmat_core.values import SparseArray, from_numpy, minus, mixed, numel_of, rdivide, size_of
from runmat_core.values.classes import saturate, silent

Operand = NDArray[Any]

_OUTPUT_CLASSES = frozenset({"native", "double", "default"})


def _weights(name: str, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Operand | None]:
    """Return the other arguments, and the weights given by name."""
    words = [option(arg) or "" for arg in args]
    at = next(
        (k for k, word in enumerate(words) if word[:1] == "w" and "weights".startswith(word)), -1
    )
    if at < 0:
        return args, None
    if at + 1 == len(args):
        raise MatlabError(
            f"MATLAB:{name}:ArgNameValueMismatch", "'Weights' must be followed by a value."
        )
    weights = real(args[at + 1], name).astype(np.float64)
    if not (weights >= 0).all():
        raise MatlabError(f"MATLAB:{name}:InvalidWeight", "Weights must be nonnegative.")
    return args[:at] + args[at + 2 :], weights


def _spread_weights(
    name: str, x: Any, args: tuple[Any, ...], given: Operand, request: Reduction
) -> Operand:
    """Weights of the size of the array that is reduced."""
    a = request.a
    if given.shape == size_of(x):
        dims = [arg for arg in args if option(arg) in (None, "all")]
        axes = reduction_axes(x, dims[0]) if dims else None
        return along(given, axes)[0]
    if given.size != a.shape[request.axis] or given.size != max(given.shape):
        raise MatlabError(
            f"MATLAB:{name}:InvalidSizeWeight",
            "Weights must be a vector as long as the dimension, or of the size of the array.",
        )
    shape = [1] * a.ndim
    shape[request.axis] = given.size
    return np.broadcast_to(given.reshape(shape), a.shape)


def _weighted_mean(a: Operand, axis: int, weights: Operand, omit: bool) -> Operand:
    if omit:
        weights = np.where(np.isnan(a), 0, weights)
        a = np.where(np.isnan(a), 0, a)
    weights = weights.astype(a.real.dtype)
    with silent():
        total = np.sum(mixed.multiply(weights, a), axis=axis, keepdims=True)
        return mixed.divide(total, weights.sum(axis=axis, keepdims=True))


def weighted_median(a: Operand, axis: int, weights: Operand, omit: bool) -> Operand:
    """Where the weight up to an element passes half; between two where it is just half."""
    missing = np.isnan(a)
    weights = np.where(missing, 0, weights)
    order = np.argsort(a, axis=axis, kind="stable")
    values = np.take_along_axis(a, order, axis)
    sums = np.cumsum(np.take_along_axis(weights, order, axis), axis=axis)
    half = np.take(sums, [-1], axis) / 2
    # sums that are half but for rounding count as half
    slack = half * 8 * np.finfo(np.float64).eps
    low = np.expand_dims(np.argmax(sums >= half - slack, axis=axis), axis)
    high = np.expand_dims(np.argmax(sums > half + slack, axis=axis), axis)
    first, second = (np.take_along_axis(values, at, axis) for at in (low, high))
    middle = np.where(first == second, first, first + (second - first) / 2)
    hidden = (half == 0) | (False if omit else missing.any(axis=axis, keepdims=True))
    return np.where(hidden, np.nan, middle).astype(a.dtype)


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
    M = mean(…, "omitnan"), M = mean(…, "native"), M = mean(…, "double")
    M = mean(…, "Weights", W) with nonnegative weights: a vector, or of the size of A

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
    args, given = _weights("mean", args)
    if isinstance(x, SparseArray) and given is None and (total := reduced("sum", x, args)):
        return rdivide(total, float(numel_of(x) // max(numel_of(total), 1)))
    request = reduction("mean", x, args, _OUTPUT_CLASSES)
    work = as_float(request.a)
    if "double" in request.flags:
        work = work.astype(np.complex128 if work.dtype.kind == "c" else np.float64)
    if given is not None:
        weights = _spread_weights("mean", x, args, given, request)
        return value_of(_weighted_mean(work, request.axis, weights, request.omit_nan))
    with silent():
        if request.omit_nan:
            kept = ~np.isnan(work)
            total = np.sum(np.where(kept, work, 0), axis=request.axis, keepdims=True)
            count = kept.sum(axis=request.axis, keepdims=True).astype(work.real.dtype)
            result = mixed.divide(total, count)
        else:
            count = work.real.dtype.type(work.shape[request.axis])
            result = work if count == 1 else sums.along(work, request.axis)
            result = mixed.divide(result, count)
    if "native" in request.flags and request.a.dtype.kind in "iu":
        result = saturate(result, request.a.dtype)
    return value_of(result)


@builtin("median", family="arrays/statistics", effects="pure", pending="view")
def median(x: Any, *args: Any) -> Any:
    """Median: the middle of the sorted elements, or the mean of the two middle ones.

    M = median(A) works along the first dimension whose extent is not one
    M = median(A, DIM), M = median(A, VECDIM), M = median(A, "all")
    M = median(…, "omitnan"); without it NaN gives NaN
    M = median(…, "Weights", W): half of the weight is on either side

    Examples:
        >> median([3 1 2 10])
        ans =
            2.5000

    See also: mean, mode, quantile, sort.
    """
    if x.__class__ is float and not args:
        return x
    args, given = _weights("median", args)
    if isinstance(x, SparseArray) and given is None and (found := sparse_order.middle(x, args)):
        return found
    request = reduction("median", x, args, frozenset({"default", "double"}))
    a, axis = as_float(request.a), request.axis
    if "double" in request.flags:
        a = a.astype(np.float64)
    if given is not None:
        weights = _spread_weights("median", x, args, given, request)
        return from_numpy(weighted_median(a, axis, weights, request.omit_nan))
    shape = tuple(1 if k == axis else n for k, n in enumerate(a.shape))
    if a.shape[axis] == 0:
        return from_numpy(np.full(shape, np.nan, a.dtype))
    missing = np.isnan(a)
    hidden: NDArray[np.bool_] | None = None
    if missing.any() or a.dtype.kind == "c":
        ordered = np.sort(a, axis=axis)  # NaN last
        count = (~missing).sum(axis=axis, keepdims=True)
        low, high = np.maximum((count - 1) // 2, 0), np.minimum(count // 2, a.shape[axis] - 1)
        first = np.take_along_axis(ordered, low, axis)
        second = np.take_along_axis(ordered, high, axis)
        hidden = count == 0 if request.omit_nan else missing.any(axis=axis, keepdims=True)
    else:
        first, second = _middle_two(a, axis)
    with silent():
        # of equal ones, which may be infinite, the difference is left out
        middle = np.where(first == second, first, first + (second - first) / 2)
    result = (middle if hidden is None else np.where(hidden, np.nan, middle)).astype(a.dtype)
    integers = request.a.dtype.kind in "iu" and "double" not in request.flags
    return from_numpy(saturate(result, request.a.dtype) if integers else result)


def _middle_two(a: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what stands left and right of the middle of the sorted elements, which have no NaN."""
    lines = np.moveaxis(a, axis, -1)
    half = a.shape[axis] // 2
    if a.shape[axis] == a.size:
        places = (half,) if a.size % 2 else (half - 1, half)
        found = ordered_at(lines.reshape(-1), places).reshape(*[1] * (a.ndim - 1), -1)
        return np.moveaxis(found[..., :1], -1, axis), np.moveaxis(found[..., -1:], -1, axis)
    parts = np.partition(lines, half, axis=-1)
    second = parts[..., half : half + 1]
    first = second if a.shape[axis] % 2 else parts[..., :half].max(axis=-1, keepdims=True)
    return np.moveaxis(first, -1, axis), np.moveaxis(second, -1, axis)


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
    from runmat_core.values import CellArray, CharArray, class_of

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
    if class_of(x) == "char":
        outputs = (CharArray(kept(modes).astype(np.uint16)), outputs[1])
    if nargout < 3:
        return outputs[:nargout] if nargout > 1 else outputs[0]
    return (*outputs, CellArray(kept(ties)))


def _spread(name: str, x: Any, args: tuple[Any, ...]) -> tuple[Operand, Operand]:
    """Variance and mean, with the arguments (x, weights, dims, nanflag) of var and std."""
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
    with silent():
        if weights.size > 1:
            if weights.shape == a.shape:
                weights = along(weights, axes)[0]
            return _weighted(folded, axis, weights, omit)
        return _variance(
            folded, axis, biased=bool(weights.size and weights.flat[0] == 1), omit=omit
        )


def _variance(a: Operand, axis: int, biased: bool, omit: bool) -> tuple[Operand, Operand]:
    kept = ~np.isnan(a) if omit else np.ones(a.shape, np.bool_)
    count = kept.sum(axis=axis, keepdims=True).astype(a.real.dtype)
    centre = np.asarray(np.sum(np.where(kept, a, 0), axis=axis, keepdims=True) / count)
    deviations = np.where(kept, np.abs(a - centre) ** 2, 0)
    divisor = count if biased else np.where(count > 1, count - 1, 1)
    result = np.sum(deviations, axis=axis, keepdims=True) / divisor
    return np.where(count == 0, np.nan, result).astype(a.real.dtype), centre


def _weighted(a: Operand, axis: int, given: Operand, omit: bool) -> tuple[Operand, Operand]:
    weights = given.astype(np.float64)
    if weights.shape != a.shape:
        if weights.size != a.shape[axis]:
            weights = np.full(1, -1.0)
        shape = [1] * a.ndim
        shape[axis] = weights.size
        weights = weights.reshape(shape, order="F")
    if (weights < 0).any():
        raise MatlabError(
            "MATLAB:var:invalidSizeWgts",
            "The length of W must be compatible with A, and W must be nonnegative.",
        )
    w = np.broadcast_to(weights, a.shape).astype(a.real.dtype)
    centre = _weighted_mean(a, axis, w, omit)
    return _weighted_mean(np.abs(a - centre) ** 2, axis, w, omit), centre


@builtin(
    "var",
    family="arrays/statistics",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    fusion=Fused(fused.variance, "moment", of_complex="part"),
)
def var(x: Any, *args: Any, nargout: int = 1) -> Any:
    """Variance, with divisor N-1.

    V = var(A) works along the first dimension whose extent is not one
    V = var(A, 1) divides by N; V = var(A, W) takes weights
    V = var(A, W, DIM), V = var(A, W, "all"), V = var(…, "omitnan")
    [V, M] = var(…) gives the mean as well

    Examples:
        >> var([1 2 3 4])
        ans =
            1.6667
        >> var([1 2 3 4], 1)
        ans =
            1.2500

    See also: std, mean, cov.
    """
    if isinstance(x, SparseArray) and (sparse := sparse_order.spread(x, args)):
        return sparse if nargout > 1 else sparse[0]
    spread, centre = _spread("var", x, args)
    found = sparse_order.like(x, spread)
    return (found, value_of(centre)) if nargout > 1 else found


@builtin(
    "std",
    family="arrays/statistics",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
    fusion=Fused(fused.deviation, "moment", of_complex="part"),
)
def std(x: Any, *args: Any, nargout: int = 1) -> Any:
    """Standard deviation, with divisor N-1.

    S = std(A) works along the first dimension whose extent is not one
    S = std(A, 1) divides by N; S = std(A, W) takes weights
    S = std(A, W, DIM), S = std(A, W, "all"), S = std(…, "omitnan")
    [S, M] = std(…) gives the mean as well

    Examples:
        >> std([1 2 3 4])
        ans =
            1.2910

    See also: var, mean, cov.
    """
    if isinstance(x, SparseArray) and (sparse := sparse_order.spread(x, args)):
        root = SparseArray(sparse[0].data.sqrt())
        return (root, sparse[1]) if nargout > 1 else root
    spread, centre = _spread("std", x, args)
    deviation = sparse_order.like(x, np.sqrt(spread))
    return (deviation, value_of(centre)) if nargout > 1 else deviation


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
