"""Covariance and correlation of variables that are the columns of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runmat_core.api import libraries
from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, too_many_inputs
from runmat_core.builtins import composed
from runmat_core.builtins.arguments import floating, scalar
from runmat_core.builtins.lift import value_of
from runmat_core.builtins.named import choice, pairs, positional
from runmat_core.values import from_numpy, to_numpy

Operand = NDArray[Any]

_OMISSIONS = ("includenan", "includemissing", "omitrows", "partialrows")


def _observations(name: str, x: Any, plain: list[Any]) -> Operand:
    """Return the matrix whose columns are variables; a second array is taken from `plain`."""
    a = floating(x, name)
    if a.ndim > 2:
        raise MatlabError(f"MATLAB:{name}:InputDim", "Inputs must be 2-D.")
    if plain and to_numpy(plain[0]).size == a.size and a.size > 1:
        b = floating(plain.pop(0), name)
        return np.stack([a.ravel(order="F"), b.ravel(order="F")], axis=1)
    if plain and to_numpy(plain[0]).size > 1:
        raise MatlabError(
            f"MATLAB:{name}:XYlengthMismatch",
            "The number of elements in the two inputs must match.",
        )
    return a.reshape(-1, 1) if 1 in a.shape else a


@builtin("cov", family="arrays/statistics", effects="pure", pending="keep", captures="operator")
@composed.composed("composed_statistics.cov")
def cov(x: Any, *args: Any) -> Any:
    """Covariance of the columns of a matrix, or of two vectors.

    C = cov(A), C = cov(A, B)
    C = cov(…, 1) divides by N instead of N-1
    C = cov(…, "omitrows") leaves out rows with NaN, C = cov(…, "partialrows") for each pair of
    columns those where one of the two is NaN

    Examples:
        >> cov([1 2 3], [1 2 4])
        ans =
            1.0000    1.5000
            1.5000    2.3333

    See also: corrcoef, var, mean.
    """
    plain, words = positional(args)
    omission = choice(words[0], _OMISSIONS, "cov") if words else ""
    a = _observations("cov", x, plain)
    if len(plain) > 1 or len(words) > 1:
        raise too_many_inputs()
    flag = to_numpy(plain[0]).ravel() if plain else np.zeros(0)
    if flag.size and flag[0] not in (0, 1):
        raise MatlabError("MATLAB:cov:notScalarWeight", "Weight must be 0 or 1.")
    biased = bool(flag.size and flag[0] == 1)
    if omission == "omitrows":
        a = _complete(a)
    if a.shape[0] == 0:
        return value_of(np.full((max(a.shape[1], 1),) * 2, np.nan, a.dtype))
    with np.errstate(all="ignore"):
        if omission == "partialrows":
            return value_of(_by_pairs(a, lambda pair: _covariance(pair, biased)))
        return value_of(_covariance(a, biased))


def _complete(a: Operand) -> Operand:
    return np.asarray(a[~np.isnan(a).any(axis=1)])


def _covariance(a: Operand, biased: bool) -> Operand:
    count = a.shape[0]
    centred = a - a.mean(axis=0, keepdims=True)
    divisor = count if biased or count == 1 else count - 1
    return np.asarray(np.conj(centred).T @ centred / divisor)


def _by_pairs(a: Operand, rule: Callable[[Operand], Operand]) -> Operand:
    """Return what `rule` makes of each two columns, of the rows where none of them is NaN."""
    result = np.full((a.shape[1], a.shape[1]), np.nan, a.dtype)
    for first in range(a.shape[1]):
        for second in range(first + 1):
            both = _complete(a[:, [first, second]])
            if both.shape[0]:
                found = rule(both)
                result[first, second], result[second, first] = found[1, 0], found[0, 1]
    return result


@builtin(
    "corrcoef",
    family="arrays/statistics",
    nargout=4,
    needs=("nargout",),
    effects="pure",
    pending="keep",
    captures="operator",
)
@composed.composed("composed_statistics.corrcoef")
def corrcoef(x: Any, *args: Any, nargout: int = 1) -> Any:
    """Correlation coefficients of the columns of a matrix, or of two vectors.

    R = corrcoef(A), R = corrcoef(A, B)
    [R, P] = corrcoef(…) gives the probability of so large a coefficient without any correlation
    [R, P, RL, RU] = corrcoef(…) gives the bounds of an interval of confidence, 95 % of it or
    1 - ALPHA with corrcoef(…, "Alpha", ALPHA)
    corrcoef(…, "Rows", "complete") leaves out rows with NaN, "pairwise" for each pair of columns
    those where one of the two is NaN

    Examples:
        >> corrcoef([1 2 3], [2 4 7])
        ans =
            1.0000    0.9934
            0.9934    1.0000

    See also: cov, std.
    """
    plain, words = positional(args)
    named, _ = pairs(words, ("Alpha", "Rows"), "corrcoef")
    kinds = ("all", "complete", "pairwise")
    rows = choice(named["Rows"], kinds, "corrcoef") if "Rows" in named else "all"
    alpha = scalar(named.get("Alpha", 0.05), "Alpha")
    if not 0 < alpha < 1:
        raise MatlabError("MATLAB:corrcoef:InvalidAlpha", "Alpha must be between 0 and 1.")
    a = _observations("corrcoef", x, plain)
    if plain:
        raise too_many_inputs()
    if rows == "complete":
        a = _complete(a)
    with np.errstate(all="ignore"):
        if a.shape[0] == 0:
            r = np.full((max(a.shape[1], 1),) * 2, np.nan, a.dtype)
        else:
            r = _by_pairs(a, _correlation) if rows == "pairwise" else _correlation(a)
        if nargout < 2:
            return value_of(r)
        kept = ~np.isnan(a)
        count = (kept.T.astype(float) @ kept) if rows == "pairwise" else float(a.shape[0])
        return (value_of(r), *_tested(r, count, alpha))[:nargout]


def _correlation(a: Operand) -> Operand:
    covariance = _covariance(a, biased=False)
    deviation = np.sqrt(np.diagonal(covariance).real)
    r = covariance / np.outer(deviation, deviation)
    at = np.arange(r.shape[0])
    r[at, at] = np.where(np.isnan(r[at, at]), np.nan, 1.0)
    return np.where(np.abs(r) > 1, r / np.abs(r), r)


def _tested(r: Operand, count: Any, alpha: float) -> tuple[Any, Any, Any]:
    """Probabilities by Student's t, and bounds by R. A. Fisher's transformation."""
    erfinv = libraries.special().erfinv
    stdtr = libraries.special().stdtr

    if r.dtype.kind == "c":
        raise MatlabError("MATLAB:corrcoef:ComplexInputs", "Inputs must be real.")
    freedom = count - 2
    t = np.abs(r) * np.sqrt(freedom / (1 - r**2))
    p = np.where(np.isnan(r), np.nan, 2 * stdtr(freedom, -t))
    width = -erfinv(alpha - 1) * np.sqrt(2) / np.sqrt(count - 3)
    low, high = np.tanh(np.arctanh(r) - width), np.tanh(np.arctanh(r) + width)
    at = np.arange(r.shape[0])
    for bounds in (p, low, high):
        bounds[at, at] = r[at, at]
    return tuple(from_numpy(np.asarray(v, r.dtype)) for v in (p, low, high))
