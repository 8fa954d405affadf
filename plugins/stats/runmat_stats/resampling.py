"""Samples of data, with and without replacement."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_stats.arguments import Data, first_axis, given, integer, one_of, real
from runmat_stats.draws import numbers


def _weighted(weights: Data, count: int, replace: bool, draw: Any) -> Data:
    """Positions that are drawn in proportion to weights."""
    if (weights < 0).any() or not np.isfinite(weights).all() or not weights.sum() > 0:
        raise MatlabError(
            "stats:datasample:NegativeWeights",
            "Weights must be nonnegative and finite, and not all zero.",
        )
    if replace:
        edges = np.cumsum(weights) / weights.sum()
        return np.asarray(
            np.searchsorted(edges, draw(count), side="right").clip(0, weights.size - 1)
        )
    if np.count_nonzero(weights) < count:
        raise MatlabError(
            "stats:datasample:TooFewWeights", "K must not exceed the number of positive weights."
        )
    # exponential waiting times: the first K to arrive
    with np.errstate(divide="ignore"):
        times = -np.log(draw(weights.size)) / weights
    return np.argsort(times, kind="stable")[:count]


@builtin(
    "datasample", family="stats/draws", lift="arrays", nargin=(2, None), nargout=2,
    needs=("nargout", "interp"), effects="rng",
)  # fmt: skip
def datasample(data: Any, k: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Random sample of data, with replacement unless said otherwise.

    Y = datasample(DATA, K) draws K rows of a matrix, or elements of a vector, with replacement
    Y = datasample(DATA, K, DIM) draws along dimension DIM
    [Y, IDX] = datasample(…) gives the positions that were drawn
    datasample(…, "Replace", false) draws each at most once, "Weights", W in proportion to W

    Examples:
        >> rng(1); y = datasample([10 20 30], 5);
        >> size(y), all(ismember(y, [10 20 30]))
        ans =
             1     5
        ans =
          logical
           1

    See also: randsample, randi, randperm.
    """
    if not isinstance(data, np.ndarray):
        raise MatlabError("stats:datasample:BadData", "DATA must be an array.")
    rest = list(args)
    axis = first_axis(data)
    if rest and not isinstance(rest[0], str):
        dim = rest.pop(0)
        axis = integer(dim, "datasample", "DIM", 1) - 1 if given(dim) else axis
    if len(rest) % 2:
        raise MatlabError("stats:datasample:BadOptions", "Options must come as names and values.")
    known = ("Replace", "Weights")
    options = {
        one_of(key, known, "datasample"): value
        for key, value in zip(rest[::2], rest[1::2], strict=True)
    }
    count = integer(k, "datasample", "K", 0)
    whole = data.reshape(data.shape + (1,) * (axis + 1 - data.ndim))
    size = whole.shape[axis]
    replace = bool(np.all(np.asarray(options.get("Replace", True))))
    if not replace and count > size:
        raise MatlabError(
            "stats:datasample:SampleTooLarge",
            "K must be less than or equal to the number of data when sampling without replacement.",
        )
    if size == 0 and count:
        raise MatlabError("stats:datasample:EmptyData", "There are no data to draw from.")

    def draw(n: int) -> Data:
        return numbers(interp, "rand", (n, 1)).ravel()

    if given(options.get("Weights")):
        weights = real(options["Weights"], "datasample").ravel().astype(np.float64)
        if weights.size != size:
            raise MatlabError(
                "stats:datasample:InputSizeMismatch", "There must be a weight for each of the data."
            )
        at = _weighted(weights, count, replace, draw)
    elif replace:
        at = np.floor(draw(count) * size).astype(np.intp)
    else:
        at = np.argsort(draw(size), kind="stable")[:count]
    drawn = np.take(whole, at, axis=axis)
    column = whole.shape[0] == size and axis == 0 and whole.ndim == 2 and whole.shape[1] == 1
    places = (at + 1.0).reshape((-1, 1) if column else (1, -1))
    return (drawn, places) if nargout > 1 else drawn
