"""Running extremes, and the largest and smallest elements in order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import ir
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import too_many_inputs
from runmat_core.api.fusion import Scan
from runmat_core.builtins.arguments import (
    dimension,
    first_axis,
    integer,
    numeric,
    option,
    split_options,
    unknown_option,
)
from runmat_core.builtins.arrays.ordering import argsort
from runmat_core.builtins.named import choice, pairs, positional
from runmat_core.values import class_of, from_numpy, share

Operand = NDArray[Any]


def _running_best(
    x: Any, largest: bool, reverse: bool, outputs: int = 1, include_nan: bool = False
) -> Any:
    """cummax or cummin in kernel IR."""
    if outputs > 1:
        x = ir.cast(x, "f32") if x.dtype == "bool" else x  # devices order floats
        reducer = ir.reducers.extremum(x.dtype, largest, include_nan)
        value, place = ir.scan(reducer, x, reverse=reverse)
        return value, place + 1.0
    if x.dtype == "bool":
        return ir.scan((ir.reducers.any_ if largest else ir.reducers.all_)(), x, reverse=reverse)[0]
    best = (ir.reducers.maximum if largest else ir.reducers.minimum)(x.dtype)
    value = ir.scan(best, x, reverse=reverse)[0]
    if include_nan:
        missing = ir.scan(ir.reducers.any_(), ir.isnan(x), reverse=reverse)[0]
        value = ir.where(missing, float("nan"), value)
    return value


def _largest(x: Any, reverse: bool = False, outputs: int = 1, include_nan: bool = False) -> Any:
    return _running_best(x, True, reverse, outputs, include_nan)


def _least(x: Any, reverse: bool = False, outputs: int = 1, include_nan: bool = False) -> Any:
    return _running_best(x, False, reverse, outputs, include_nan)


#: What elements may be compared by.
_COMPARISONS = ("auto", "real", "abs")

#: The directions, and what is done about NaN.
_WORDS = {
    "forward": "",
    "reverse": "reverse",
    "omitnan": "",
    "omitmissing": "",
    "includenan": "includenan",
    "includemissing": "includenan",
}


#: The better of two elements, by whether NaN is the best of all.
_BEST = {
    (False, "cummax"): np.fmax,
    (False, "cummin"): np.fmin,
    (True, "cummax"): np.maximum,
    (True, "cummin"): np.minimum,
}


#: Elements of a part of a long vector that is passed over where nothing in it is better.
_PART = 1024


def _accumulated(rule: np.ufunc, lines: Operand) -> Operand:
    """Return what is best up to each place along the first axis."""
    count = lines.shape[0] // _PART * _PART
    if lines.size != lines.shape[0] or count < 16 * _PART:
        found: Operand = rule.accumulate(lines, axis=0)
        return found
    line = lines.ravel()
    parts = line[:count].reshape(-1, _PART)
    tops = rule.reduce(parts, axis=1)
    before = np.concatenate([tops[:1], rule.accumulate(tops)[:-1]])
    better = rule(before, tops) != before
    better[0] = True
    if 4 * np.count_nonzero(better) > better.size:
        return np.asarray(rule.accumulate(lines, axis=0))
    best = np.empty_like(line)
    made = best[:count].reshape(-1, _PART)
    made[:] = before[:, None]
    for at in np.flatnonzero(better).tolist():
        rule(rule.accumulate(parts[at]), before[at] if at else parts[0, 0], out=made[at])
    best[count:] = rule(rule.accumulate(line[count:]), made[-1, -1])
    return best.reshape(lines.shape)


def _running(name: str, x: Any, args: tuple[Any, ...], nargout: int) -> Any:
    args, by = _comparison(name, args)
    plain, words = split_options(args)
    for word in words:
        if word not in _WORDS:
            raise unknown_option(word, [*_WORDS, "ComparisonMethod"])
    options = {_WORDS[word] for word in words}
    a = numeric(x, name)
    if class_of(x) == "char":
        a = a.astype(np.float64)
    axis = dimension(plain[0]) if plain else first_axis(a.shape)
    if axis >= a.ndim or a.size == 0:
        return (share(x), from_numpy(np.ones(a.shape))) if nargout > 1 else share(x)
    lines = (np.flip(a, axis) if "reverse" in options else a).swapaxes(0, axis)
    if nargout < 2 and a.dtype.kind != "c" and by != "abs":
        best = _accumulated(_BEST["includenan" in options, name], lines)
        best = np.flip(best, 0) if "reverse" in options else best
        return from_numpy(best.swapaxes(0, axis))
    key = _ranks(lines, by) if lines.dtype.kind == "c" or by == "abs" else lines
    at = _places(key, np.greater if name == "cummax" else np.less, "includenan" in options)
    values = np.take_along_axis(lines, at, 0)
    if "reverse" in options:
        values, at = np.flip(values, 0), np.flip(lines.shape[0] - 1 - at, 0)
    values = from_numpy(values.swapaxes(0, axis))
    if nargout < 2:
        return values
    return values, from_numpy(at.swapaxes(0, axis).astype(np.float64) + 1)


def _comparison(name: str, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], str]:
    """Return the arguments without what elements are compared by, and that."""
    for at, arg in enumerate(args):
        if option(arg) == "comparisonmethod" and at + 1 < len(args):
            by = choice(args[at + 1], _COMPARISONS, name)
            return (*args[:at], *args[at + 2 :]), by
    return args, "auto"


def _ranks(lines: Operand, by: str) -> Operand:
    """Return a number for each element in the order of its comparison, NaN for missing ones."""
    if lines.dtype.kind != "c":
        return np.abs(lines)
    flat = lines.ravel()
    order = argsort(flat, 0, by=by)
    ordered = flat[order]
    keys = (ordered.real, ordered.imag) if by == "real" else (np.abs(ordered), np.angle(ordered))
    new = np.zeros(flat.size, np.bool_)
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    ranks = np.empty(flat.size)
    ranks[order] = np.cumsum(new)
    ranks[np.isnan(flat)] = np.nan
    return ranks.reshape(lines.shape)


def _places(key: Operand, better: Any, include_nan: bool) -> NDArray[np.int64]:
    """Where the best element so far stands in each line, along the first axis."""
    name = "cummax" if better is np.greater else "cummin"
    best = _BEST[include_nan, name].accumulate(key, axis=0)[:-1]
    new = key[1:]
    missing, missed = best != best, new != new
    wins = better(new, best) | (missed & ~missing if include_nan else missing & ~missed)
    at = np.zeros(key.shape, np.int64)
    number = np.arange(1, key.shape[0]).reshape(-1, *[1] * (key.ndim - 1))
    np.copyto(at[1:], number, where=wins)
    return np.maximum.accumulate(at, axis=0, out=at)


@builtin(
    "cummax",
    family="math/extrema",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    fusion=Scan(_largest, "own", outputs=2),
)
def cummax(x: Any, *args: Any, nargout: int) -> Any:
    """Running maximum.

    M = cummax(A), M = cummax(A, DIM), M = cummax(…, "reverse")
    M = cummax(…, "includenan") is NaN from the first NaN on; it is left out otherwise
    M = cummax(…, "ComparisonMethod", "abs" or "real") compares magnitudes, or real parts
    [M, I] = cummax(…) also says where each stands first

    Examples:
        >> cummax([1 3 2 5 4])
        ans =
             1     3     3     5     5

    See also: cummin, max, cumsum.
    """
    return _running("cummax", x, args, nargout)


@builtin(
    "cummin",
    family="math/extrema",
    nargin=(1, None),
    nargout=2,
    needs=("nargout",),
    fusion=Scan(_least, "own", outputs=2),
)
def cummin(x: Any, *args: Any, nargout: int) -> Any:
    """Running minimum.

    M = cummin(A), M = cummin(A, DIM), M = cummin(…, "reverse")
    M = cummin(…, "includenan") is NaN from the first NaN on; it is left out otherwise
    M = cummin(…, "ComparisonMethod", "abs" or "real") compares magnitudes, or real parts
    [M, I] = cummin(…) also says where each stands first

    Examples:
        >> cummin([5 3 4 1 2])
        ans =
             5     3     3     1     1

    See also: cummax, min, cumsum.
    """
    return _running("cummin", x, args, nargout)


def _ranked(name: str, x: Any, k: Any, args: tuple[Any, ...], nargout: int) -> Any:
    plain, words = positional(args)
    named, _ = pairs(words, ("ComparisonMethod",), name)
    if len(plain) > 1:
        raise too_many_inputs()
    by = "auto"
    if named:
        by = choice(named["ComparisonMethod"], _COMPARISONS, name)
    a = numeric(x, name)
    axis = dimension(plain[0]) if plain else first_axis(a.shape)
    if axis >= a.ndim:
        a = a[..., None]
        axis = a.ndim - 1
    count = min(max(integer(k, "K"), 0), a.shape[axis])
    order = argsort(a, axis, name == "maxk", by)
    missing = np.isnan(np.take_along_axis(a, order, axis))
    if missing.any():
        last = np.argsort(missing, axis=axis, kind="stable")
        order = np.take_along_axis(order, last, axis)
    order = np.take(order, range(count), axis=axis)
    values = from_numpy(np.take_along_axis(a, order, axis))
    return (values, from_numpy(order.astype(np.float64) + 1)) if nargout > 1 else values


@builtin(
    "maxk",
    family="math/extrema",
    nargin=(2, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def maxk(x: Any, k: Any, *args: Any, nargout: int) -> Any:
    """The K largest elements, in descending order.

    B = maxk(A, K), B = maxk(A, K, DIM)
    [B, I] = maxk(…)
    maxk(…, "ComparisonMethod", "abs" or "real") compares magnitudes, or real parts

    NaN comes last.

    Examples:
        >> maxk([3 9 4 7], 2)
        ans =
             9     7

    See also: mink, max, sort.
    """
    return _ranked("maxk", x, k, args, nargout)


@builtin(
    "mink",
    family="math/extrema",
    nargin=(2, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def mink(x: Any, k: Any, *args: Any, nargout: int) -> Any:
    """The K smallest elements, in ascending order.

    B = mink(A, K), B = mink(A, K, DIM)
    [B, I] = mink(…)
    mink(…, "ComparisonMethod", "abs" or "real") compares magnitudes, or real parts

    NaN comes last.

    Examples:
        >> mink([3 9 4 7], 2)
        ans =
             3     4

    See also: maxk, min, sort.
    """
    return _ranked("mink", x, k, args, nargout)
