"""Statistics in windows that move along a dimension: movmean and its relatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    as_float,
    dimension,
    first_axis,
    numeric,
    option,
    real,
    scalar,
)
from runmat_core.builtins.arrays.windows import Lines, Windows, bounds, coordinates, even_bounds
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import match, pairs, positional
from runmat_core.values import class_of, from_numpy, is_text, to_numpy
from runmat_core.values.deferred import all_settled

FLAGS = ("omitnan", "includenan", "omitmissing", "includemissing")

# -- arguments -----------------------------------------------------------------------------------


def reach_of(value: Any, unit: bool) -> tuple[float, float, bool]:
    """How far windows reach back and on, and whether they are half-open: one length was given."""
    # spans of time are lengths along sample points alone
    a = (real(value, "movfun") if unit else coordinates(value, "movfun")).astype(np.float64).ravel()
    good = np.isfinite(a).all() and (not unit or (a == np.floor(a)).all())
    if a.size == 1 and good and a[0] > 0:
        return a[0] / 2, a[0] / 2, True
    if a.size == 2 and good and (a >= 0).all():
        return float(a[0]), float(a[1]), False
    raise MatlabError(
        "MATLAB:movfun:wrongWindowLength",
        "Window length must be a finite scalar positive integer or 2-element vector of finite "
        "nonnegative integers.",
    )


def _sample_points(value: Any, count: int) -> NDArray[np.float64]:
    points = coordinates(value, "movfun")
    if points.size != count or not np.isfinite(points).all() or points.size != max(points.shape):
        raise MatlabError(
            "MATLAB:movfun:SamplePointsInvalidSize",
            "Sample points must be a finite vector with as many elements as the dimension has.",
        )
    points = points.ravel()
    if (np.diff(points) <= 0).any():
        raise MatlabError(
            "MATLAB:movfun:SamplePointsSorted", "Sample points must be sorted and unique."
        )
    return points


def endpoints(value: Any) -> tuple[str, float]:
    """Return the way to treat the ends, and what to fill with."""
    if value is None:
        return "shrink", 0.0
    if is_text(value):
        how = match(option(value) or "", ("shrink", "fill", "discard"), "movfun")
        return how, np.nan
    return "fill", scalar(value, "Endpoints")


def _windows(a: Lines, window: Any, named: dict[str, Any], omit: bool) -> Windows:
    """Return the windows along the last axis of `a`, padded at the ends where that is asked for."""
    count = a.shape[-1]
    given = named.get("SamplePoints")
    back, on, half_open = reach_of(window, given is None)
    how, filler = endpoints(named.get("Endpoints"))
    if given is None and (how == "shrink" or not count):
        return Windows(a, *even_bounds(count, back, on, half_open), omit)
    points = np.arange(float(count)) if given is None else _sample_points(given, count)
    if how == "shrink" or not count:
        return Windows(a, *bounds(points, back, on, half_open), omit)
    step = (points[-1] - points[0]) / max(count - 1, 1) or 1.0
    if given is not None and not np.allclose(np.diff(points), step, rtol=1e-10):
        raise MatlabError(
            "MATLAB:movfun:SamplePointsNonUniform",
            "Sample points must be uniformly spaced unless 'Endpoints' is 'shrink'.",
        )
    left = int(np.floor(back / step))
    right = int(np.ceil(on / step)) - 1 if half_open else int(np.floor(on / step))
    start = np.arange(count)
    if how == "discard":
        start = start[left : max(count - right, left)]
        return Windows(a, start - left, start + right + 1, omit)
    if np.isnan(filler) or filler != np.floor(filler):
        a = as_float(a)
    ends = [np.full((*a.shape[:-1], n), filler, a.dtype) for n in (left, right)]
    padded = np.concatenate([ends[0], a, ends[1]], axis=-1)
    return Windows(padded, start, start + left + right + 1, omit)


def _moving(name: str, x: Any, window: Any, args: tuple[Any, ...], compute: Any, **how: Any) -> Any:
    """Apply `compute` to the windows that the arguments of ``name(x, window, …)`` ask for."""
    plain, words = positional(args)
    known = () if name == "movfun" else FLAGS
    named, flags = pairs(words, ("Endpoints", "SamplePoints"), name, known)
    weighted = how.pop("weighted", False)
    if weighted:
        given = numeric(plain.pop(0) if plain else 0.0, name).ravel()
        if given.size > 1 or not np.isin(given, (0, 1)).all():
            raise MatlabError(f"MATLAB:{name}:wrongWeight", "Weight must be 0 or 1.")
        how["biased"] = bool(given.size and given[0])
    if len(plain) > 1:
        raise too_many_inputs()
    a = numeric(x, name)
    if not how.pop("integers", False) or a.dtype.kind not in "iu":
        a = as_float(a)
    axis = dimension(plain[0]) if plain else first_axis(a.shape)
    if axis >= a.ndim:
        a, axis = a[..., None], a.ndim
    omit = bool(flags) and flags[-1].startswith("omit")
    lines = np.moveaxis(a, axis, -1)
    with np.errstate(all="ignore"):
        windows = _windows(lines, window, named, omit and a.dtype.kind in "fc")
        result = compute(windows, **how)
    return value_of(np.moveaxis(result, -1, axis))


# -- rules ---------------------------------------------------------------------------------------


def _sums(w: Windows) -> Lines:
    return w.reduce(np.add, 0)


def _products(w: Windows) -> Lines:
    return w.reduce(np.multiply, 1)


def _means(w: Windows) -> Lines:
    return np.asarray(w.reduce(np.add, 0) / w.counts()).astype(w.lines.dtype)


def _extrema(w: Windows, operation: np.ufunc, worst: float) -> Lines:
    if w.lines.dtype.kind in "iu":
        info = np.iinfo(w.lines.dtype)
        return w.reduce(operation, info.max if worst > 0 else info.min)
    result = w.reduce(operation, worst)
    return np.where(w.counts() == 0, np.asarray(np.nan, result.dtype), result)


def _spreads(w: Windows, biased: bool, root: bool) -> Lines:
    count, squares = w.deviations()
    # a window without elements gives NaN, one of one element zero
    divisor = count if biased else np.maximum(count - 1, np.minimum(count, 1))
    result = np.asarray(squares / divisor)
    return np.sqrt(result) if root else result


def _medians(window: Lines, counts: NDArray[np.bool_]) -> Lines:
    """Return the median of what counts along the last axis.

    NaN where that holds a NaN, or nothing.
    """
    hidden = (np.isnan(window) & counts).any(axis=-1)
    ordered = np.sort(np.where(counts, window, np.inf), axis=-1)
    count = counts.sum(axis=-1)
    low, high = np.maximum((count - 1) // 2, 0), np.minimum(count // 2, window.shape[-1] - 1)
    first = np.take_along_axis(ordered, low[..., None], -1)[..., 0]
    second = np.take_along_axis(ordered, high[..., None], -1)[..., 0]
    middle = np.where((low == high) | (first == second), first, first + (second - first) / 2)
    return np.where(hidden | (count == 0), np.nan, middle)


def _absolute_deviations(window: Lines, counts: NDArray[np.bool_]) -> Lines:
    middle = _medians(window, counts)[..., None]
    # a NaN among what counts makes all deviations NaN, an infinite middle those of its equals
    return _medians(np.abs(window - middle), counts)


def _of_real(w: Windows, rule: Any) -> Lines:
    if w.lines.dtype.kind == "c":
        raise MatlabError("MATLAB:movfun:complexInput", "Input must be real.")
    return w.map(rule)


# -- builtins ------------------------------------------------------------------------------------


@builtin(
    "movmean",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_windows.movmean")
def movmean(x: Any, window: Any, *args: Any) -> Any:
    """Moving average.

    M = movmean(A, K) averages K neighbouring elements: around each where K is odd, else around
    the gap before it; M = movmean(A, [KB KF]) takes KB elements before and KF after it
    M = movmean(…, DIM), M = movmean(…, "omitnan")
    M = movmean(…, "Endpoints", E): "shrink" (the default), "fill" with NaN, "discard", or a value
    M = movmean(…, "SamplePoints", T) measures windows in the coordinates T

    Examples:
        >> movmean([4 8 6 -1], 3)
        ans =
            6.0000    6.0000    4.3333    2.5000

    See also: movsum, movmedian, movvar, mean, filter.
    """
    return _moving("movmean", x, window, args, _means)


@builtin(
    "movsum",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_windows.movsum")
def movsum(x: Any, window: Any, *args: Any) -> Any:
    """Moving sum.

    M = movsum(A, K), M = movsum(A, [KB KF]), M = movsum(…, DIM), with the options of movmean

    Examples:
        >> movsum([4 8 6 -1], [1 0])
        ans =
             4    12    14     5

    See also: movmean, movprod, sum, cumsum.
    """
    return _moving("movsum", x, window, args, _sums)


@builtin(
    "movprod",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_windows.movprod")
def movprod(x: Any, window: Any, *args: Any) -> Any:
    """Moving product.

    M = movprod(A, K), M = movprod(A, [KB KF]), M = movprod(…, DIM), with the options of movmean

    Examples:
        >> movprod([1 2 3 4], 2)
        ans =
             1     2     6    12

    See also: movsum, movmean, prod.
    """
    return _moving("movprod", x, window, args, _products)


@builtin(
    "movmin",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_windows.movmin")
def movmin(x: Any, window: Any, *args: Any) -> Any:
    """Moving minimum.

    M = movmin(A, K), M = movmin(A, [KB KF]), M = movmin(…, DIM), with the options of movmean

    Examples:
        >> movmin([4 8 6 -1], 3)
        ans =
             4     4    -1    -1

    See also: movmax, movmedian, min.
    """
    real(x, "movmin")
    return _moving(
        "movmin", x, window, args, _extrema, integers=True, operation=np.minimum, worst=np.inf
    )


@builtin(
    "movmax",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_windows.movmax")
def movmax(x: Any, window: Any, *args: Any) -> Any:
    """Moving maximum.

    M = movmax(A, K), M = movmax(A, [KB KF]), M = movmax(…, DIM), with the options of movmean

    Examples:
        >> movmax([4 8 6 -1], 3)
        ans =
             8     8     8     6

    See also: movmin, movmedian, max.
    """
    real(x, "movmax")
    return _moving(
        "movmax", x, window, args, _extrema, integers=True, operation=np.maximum, worst=-np.inf
    )


@builtin(
    "movmedian",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_medians.movmedian")
def movmedian(x: Any, window: Any, *args: Any) -> Any:
    """Moving median.

    M = movmedian(A, K), M = movmedian(A, [KB KF]), M = movmedian(…, DIM), with the options of
    movmean

    Examples:
        >> movmedian([4 8 6 -1], 3)
        ans =
            6.0000    6.0000    6.0000    2.5000

    See also: movmean, movmad, median.
    """
    return _moving("movmedian", x, window, args, _of_real, rule=_medians)


@builtin(
    "movmad",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_medians.movmad")
def movmad(x: Any, window: Any, *args: Any) -> Any:
    """Moving median absolute deviation.

    M = movmad(A, K), M = movmad(A, [KB KF]), M = movmad(…, DIM), with the options of movmean

    Examples:
        >> movmad([4 8 6 -1], 3)
        ans =
            2.0000    2.0000    2.0000    3.5000

    See also: movmedian, mad, movstd.
    """
    rule = _absolute_deviations
    return _moving("movmad", x, window, args, _of_real, rule=rule)


@builtin(
    "movvar",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_spreads.movvar")
def movvar(x: Any, window: Any, *args: Any) -> Any:
    """Moving variance.

    V = movvar(A, K), V = movvar(A, [KB KF]) divides by one less than the number of elements
    V = movvar(A, K, 1) divides by that number; V = movvar(A, K, W, DIM), with the options of
    movmean

    Examples:
        >> movvar([4 8 6 -1], 3)
        ans =
            8.0000    4.0000   22.3333   24.5000

    See also: movstd, movmean, var.
    """
    return _moving("movvar", x, window, args, _spreads, weighted=True, root=False)


@builtin(
    "movstd",
    family="arrays/moving",
    nargin=(2, None),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_spreads.movstd")
def movstd(x: Any, window: Any, *args: Any) -> Any:
    """Moving standard deviation.

    S = movstd(A, K), S = movstd(A, [KB KF]), S = movstd(A, K, W, DIM) as in movvar, with the
    options of movmean

    Examples:
        >> movstd([4 8 6 -1], 3)
        ans =
            2.8284    2.0000    4.7258    4.9497

    See also: movvar, movmean, std.
    """
    return _moving("movstd", x, window, args, _spreads, weighted=True, root=True)


def _called(w: Windows, fun: Any, interp: Any) -> Lines:
    """Return the scalar that a function makes of each window, which it gets as a column."""
    shape = (*w.lines.shape[:-1], w.low.size)
    windows = [
        from_numpy(w.lines[at][low:high].reshape(-1, 1))
        for at in np.ndindex(*shape[:-1])
        for low, high in zip(w.low, w.high, strict=True)
    ]
    found = [to_numpy(v) for v in all_settled(interp.call(fun, [part], 1) for part in windows)]
    if any(value.size != 1 for value in found):
        raise MatlabError(
            "MATLAB:movfun:FunctionInvalidOutput",
            "The function must return a scalar for each window.",
        )
    dtype = np.result_type(w.lines.dtype, *found) if found else w.lines.dtype
    return np.array([value.flat[0] for value in found], dtype).reshape(shape)


@builtin("movfun", family="arrays/moving", nargin=(3, None), needs=("interp",))
def movfun(fun: Any, x: Any, window: Any, *args: Any, interp: Any) -> Any:
    """What a function makes of windows that move along a dimension.

    M = movfun(FUN, A, K), M = movfun(FUN, A, [KB KF]): FUN gets a column and returns a scalar
    M = movfun(…, DIM), with the options "Endpoints" and "SamplePoints" of movmean

    Examples:
        >> movfun(@(v) max(v) - min(v), [4 8 6 -1], 3)
        ans =
             4     4     9     7

    See also: movmean, movmedian, arrayfun, filter.
    """
    if class_of(fun) != "function_handle":
        raise MatlabError("MATLAB:movfun:FunctionInvalid", "First argument must be a function.")
    return _moving("movfun", x, window, args, _called, fun=fun, interp=interp)
