"""Data on a common scale: root mean square, absolute deviations, normalisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import (
    along,
    as_float,
    dimension,
    first_axis,
    numeric,
    option,
    real,
    reduction,
    reduction_axes,
    scalar,
)
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import choice
from runmat_core.values import from_numpy, is_text

Operand = NDArray[Any]


@builtin(
    "rms",
    family="arrays/statistics",
    effects="pure",
    nargin=(1, 3),
    pending="keep",
    captures="operator",
)
@composed.composed("composed_statistics.rms")
def rms(x: Any, *args: Any) -> Any:
    """Root mean square.

    Y = rms(X), Y = rms(X, DIM), Y = rms(X, VECDIM), Y = rms(X, "all"), Y = rms(…, "omitnan")

    Examples:
        >> rms([1 7])
        ans =
             5

    See also: mean, std, norm, vecnorm.
    """
    request = reduction("rms", x, args)
    a = as_float(request.a)
    squares = np.abs(a) ** 2
    with np.errstate(all="ignore"):
        if request.omit_nan:
            result = np.nansum(squares, axis=request.axis, keepdims=True)
            count = (~np.isnan(a)).sum(axis=request.axis, keepdims=True)
            result = result / count.astype(squares.dtype)
        else:
            count = squares.dtype.type(a.shape[request.axis])
            result = np.sum(squares, axis=request.axis, keepdims=True) / count
        return from_numpy(np.sqrt(result))


@builtin("mad", family="arrays/statistics", effects="pure", pending="keep", captures="operator")
@composed.composed("composed_statistics.mad")
def mad(x: Any, flag: Any = None, dim: Any = None) -> Any:
    """Mean or median absolute deviation. NaN elements are left out.

    Y = mad(X), Y = mad(X, 0) is mean(abs(X - mean(X)))
    Y = mad(X, 1) is median(abs(X - median(X)))
    Y = mad(X, FLAG, DIM), Y = mad(X, FLAG, VECDIM), Y = mad(X, FLAG, "all")

    Examples:
        >> mad([1 2 3 10])
        ans =
             3
        >> mad([1 2 3 10], 1)
        ans =
             1

    See also: std, median, movmad, iqr.
    """
    a = as_float(real(x, "mad"))
    chosen = 0.0 if flag is None or numeric(flag, "mad").size == 0 else scalar(flag, "Flag")
    if chosen not in (0.0, 1.0):
        raise MatlabError("MATLAB:mad:InvalidFlag", "Flag must be 0 or 1.")
    folded, axis = along(a, None if dim is None else reduction_axes(x, dim))
    centre = _nanmedian if chosen else _nanmean
    with np.errstate(all="ignore"):
        return from_numpy(centre(np.abs(folded - centre(folded, axis)), axis))


def _nanmean(a: Operand, axis: int) -> Operand:
    kept = ~np.isnan(a)
    total = np.where(kept, a, 0).sum(axis=axis, keepdims=True)
    return np.asarray(total / kept.sum(axis=axis, keepdims=True).astype(a.dtype))


def _nanmedian(a: Operand, axis: int) -> Operand:
    shape = [1 if k == axis else n for k, n in enumerate(a.shape)]
    if not a.shape[axis]:
        return np.full(shape, np.nan, a.dtype)
    ordered = np.sort(a, axis=axis)
    count = (~np.isnan(a)).sum(axis=axis, keepdims=True)
    first = np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0), axis)
    second = np.take_along_axis(ordered, np.minimum(count // 2, a.shape[axis] - 1), axis)
    return np.where(
        count == 0, np.nan, np.where(first == second, first, first + (second - first) / 2)
    ).astype(a.dtype)


# -- normalize -----------------------------------------------------------------------------------

_METHODS = ("zscore", "norm", "scale", "range", "center", "medianiqr")


def _deviation(a: Operand, axis: int) -> Operand:
    kept = ~np.isnan(a)
    count = kept.sum(axis=axis, keepdims=True)
    squares = np.where(kept, np.abs(a - _nanmean(a, axis)) ** 2, 0).sum(axis=axis, keepdims=True)
    return np.asarray(np.sqrt(squares / np.maximum(count - 1, 1)))


def _quartile_range(a: Operand, axis: int) -> Operand:
    from runmat_core.builtins.arrays.quantiles import _quantiles

    found = _quantiles(a, np.array([0.25, 0.75]), axis)
    return np.diff(found, axis=axis)


def _first(a: Operand, axis: int) -> Operand:
    return np.take(a, [0], axis)


def _p_norm(a: Operand, axis: int, p: float) -> Operand:
    size = np.abs(np.where(np.isnan(a), 0, a))
    if np.isinf(p):
        return np.asarray(size.max(axis=axis, keepdims=True, initial=0))
    return np.asarray((size**p).sum(axis=axis, keepdims=True) ** (1 / p))


def _given(value: Any, a: Operand, axis: int) -> Operand:
    """Return a centre or scale given as numbers, which must expand to the data."""
    numbers = as_float(real(value, "normalize"))
    extents = numbers.shape + (1,) * (a.ndim - numbers.ndim)
    if any(n not in (1, m) for n, m in zip(extents, a.shape, strict=False)):
        raise MatlabError(
            "MATLAB:normalize:InvalidSize",
            "Centers and scales must be scalars or of a size compatible with the data.",
        )
    return numbers.reshape(extents, order="F")


def _centre(kind: Any, a: Operand, axis: int) -> Operand:
    if kind is not None and not is_text(kind):
        return _given(kind, a, axis)
    word = "mean" if kind is None else choice(kind, ("mean", "median"), "normalize")
    return (_nanmean if word == "mean" else _nanmedian)(a, axis)


_SCALES: dict[str, Callable[[Operand, int], Operand]] = {
    "std": _deviation,
    "mad": lambda a, axis: _nanmedian(np.abs(a - _nanmedian(a, axis)), axis),
    "first": _first,
    "iqr": _quartile_range,
}


def _scale(kind: Any, a: Operand, axis: int) -> Operand:
    if kind is not None and not is_text(kind):
        return _given(kind, a, axis)
    return _SCALES["std" if kind is None else choice(kind, tuple(_SCALES), "normalize")](a, axis)


def limits(value: Any) -> tuple[float, float]:
    ends = np.array([0.0, 1.0]) if value is None else real(value, "normalize").ravel()
    if ends.size != 2 or not np.isfinite(ends).all() or ends[0] >= ends[1]:
        raise MatlabError(
            "MATLAB:normalize:InvalidRange", "The range must be two finite increasing numbers."
        )
    return float(ends[0]), float(ends[1])


def _affine(method: str, kind: Any, a: Operand, axis: int) -> tuple[Operand, Operand]:
    """Centre and scale of a method: the result is (a - centre)/scale."""
    none, one = np.zeros([1] * a.ndim, a.dtype), np.ones([1] * a.ndim, a.dtype)
    if method == "zscore":
        word = "std" if kind is None else choice(kind, ("std", "robust"), "normalize")
        if word == "std":
            return _nanmean(a, axis), _deviation(a, axis)
        return _nanmedian(a, axis), _SCALES["mad"](a, axis)
    if method == "medianiqr":
        return _nanmedian(a, axis), _quartile_range(a, axis)
    if method == "center":
        return _centre(kind, a, axis), one
    if method == "scale":
        return none, _scale(kind, a, axis)
    if method == "norm":
        p = 2.0 if kind is None else scalar(kind, "P")
        if not p > 0:
            raise MatlabError("MATLAB:normalize:InvalidNorm", "P must be a positive scalar.")
        return none, _p_norm(a, axis, p)
    low, high = limits(kind)
    worst = np.where(np.isnan(a), np.inf, a).min(axis=axis, keepdims=True, initial=np.inf)
    best = np.where(np.isnan(a), -np.inf, a).max(axis=axis, keepdims=True, initial=-np.inf)
    scale = (best - worst) / (high - low)
    return worst - low * scale if low else worst, scale


def steps_of(words: list[Any]) -> list[tuple[str, Any]]:
    """Methods in order, each with what it is told."""
    steps = []
    while words:
        method = choice(words.pop(0), _METHODS, "normalize")
        kind = None
        known = option(words[0]) if words else None
        is_method = known is not None and any(m.startswith(known) for m in ("center", "scale"))
        if words and not (is_method and method in {"center", "scale"}):
            kind = words.pop(0)
        steps.append((method, kind))
    return steps or [("zscore", None)]


@builtin(
    "normalize",
    family="arrays/statistics",
    nargin=(1, 6),
    nargout=3,
    needs=("nargout",),
    pending="keep",
    captures="operator",
)
@composed.composed("composed_statistics.normalize")
def normalize(x: Any, *args: Any, nargout: int) -> Any:
    """Data centred and scaled. NaN elements are left out of what it is scaled by.

    N = normalize(A) has mean 0 and standard deviation 1 along the first dimension that is not one
    N = normalize(A, DIM), N = normalize(…, METHOD), N = normalize(…, METHOD, TYPE) with
    "zscore": "std" or "robust"; "norm": P; "range": [A B]; "medianiqr";
    "center": "mean", "median" or numbers; "scale": "std", "mad", "first", "iqr" or numbers
    N = normalize(…, "center", TYPE, "scale", TYPE) does both
    [N, C, S] = normalize(…) with N = (A - C)./S

    Examples:
        >> normalize([1 2 3])
        ans =
            -1     0     1
        >> normalize([0 5 10], "range", [-1 1])
        ans =
            -1     0     1

    See also: rescale, bounds, std, median.
    """
    a = as_float(real(x, "normalize"))
    rest = list(args)
    axis = dimension(rest.pop(0)) if rest and not is_text(rest[0]) else first_axis(a.shape)
    shape = a.shape
    if axis >= a.ndim:
        a, axis = a[..., None], a.ndim
    steps = steps_of(rest)
    if len(steps) > 2 or (len(steps) == 2 and {m for m, _ in steps} != {"center", "scale"}):
        raise too_many_inputs()
    centre, scale = np.zeros([1] * a.ndim, a.dtype), np.ones([1] * a.ndim, a.dtype)
    with np.errstate(all="ignore"):
        for method, kind in (
            [] if not a.size else sorted(steps, key=lambda step: step[0] == "scale")
        ):
            first, second = _affine(method, kind, a, axis)
            centre, scale = centre + first, scale * second
        result = (a - centre) / scale
        if steps[0][0] == "range":
            low, high = limits(steps[0][1])
            # constant data are at the lower end
            result = np.where((scale == 0) & ~np.isnan(a), low, np.clip(result, low, high))
    outputs = tuple(
        value_of(np.asarray(v, a.dtype).reshape(v.shape if k else shape))
        for k, v in enumerate((result, centre, scale))
    )
    return outputs[:nargout] if nargout > 1 else outputs[0]
