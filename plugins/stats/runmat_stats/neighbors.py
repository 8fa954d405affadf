"""Nearest observations."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_stats.arguments import Data, integer, one_of, scalar
from runmat_stats.distances import METRICS, between, observations

#: Distances that are held at once.
_BLOCK = 4_000_000

#: Options that change how neighbours are searched, not which ones are found.
_WAYS = ("NSMethod", "BucketSize", "SortIndices", "CacheSize")

_PARAMETERS = {"P": "minkowski", "Cov": "mahalanobis", "Scale": "seuclidean"}


def _options(args: tuple[Any, ...], extra: tuple[str, ...], name: str) -> dict[str, Any]:
    if len(args) % 2:
        raise MatlabError(f"stats:{name}:BadOptions", "Options must come as names and values.")
    known = ("Distance", *_PARAMETERS, *_WAYS, *extra)
    return {
        one_of(key, known, name): value for key, value in zip(args[::2], args[1::2], strict=True)
    }


def _blocks(x: Data, y: Data, options: dict[str, Any], name: str) -> Any:
    """Distances of some rows of `y` at a time to all rows of `x`, with the place of the first."""
    if x.shape[1] != y.shape[1]:
        raise MatlabError(f"stats:{name}:SizeMisMatch", "X and Y must have as many columns.")
    metric = one_of(options.get("Distance", "euclidean"), METRICS, name)
    named = [options[key] for key, kind in _PARAMETERS.items() if kind == metric and key in options]
    parameter = named[0] if named else None
    step = max(1, _BLOCK // max(1, len(x)))
    for start in range(0, len(y), step):
        d = between(x, y[start : start + step], metric, parameter, name)
        yield start, d.T


@builtin(
    "knnsearch",
    family="stats/distances",
    lift="arrays",
    nargin=(2, None),
    nargout=2,
    needs=("nargout",),
    effects="pure",
)
def knnsearch(x: Any, y: Any, *args: Any, nargout: int) -> Any:
    """Nearest rows of a matrix.

    IDX = knnsearch(X, Y) is the row of X that is nearest to each row of Y
    [IDX, D] = knnsearch(X, Y, "K", K, "Distance", METRIC) gives the K nearest ones, from near to
    far, and their distances; "P", "Cov" and "Scale" as pdist2 has them

    Examples:
        >> [idx, d] = knnsearch([0 0; 1 1; 5 5], [4 4; 0 1])
        idx =
             3
             1
        d =
            1.4142
            1.0000

    See also: rangesearch, pdist2, pdist.
    """
    a, b = observations(x, "knnsearch"), observations(y, "knnsearch")
    options = _options(args, ("K",), "knnsearch")
    count = min(integer(options.get("K", np.ones((1, 1))), "knnsearch", "K", 1), len(a))
    index, distance = np.zeros((len(b), count)), np.zeros((len(b), count))
    for start, d in _blocks(a, b, options, "knnsearch"):
        at = np.argsort(d, axis=1, kind="stable")[:, :count] if count > 1 else _first(d)
        part = slice(start, start + len(d))
        index[part] = at + 1
        distance[part] = np.take_along_axis(d, at, 1)
    return (index, distance) if nargout > 1 else index


@builtin(
    "rangesearch", family="stats/distances", lift="arrays", nargin=(3, None), nargout=2,
    needs=("nargout",), effects="pure",
)  # fmt: skip
def rangesearch(x: Any, y: Any, r: Any, *args: Any, nargout: int) -> Any:
    """All rows of a matrix within a distance.

    IDX = rangesearch(X, Y, R) is a cell for each row of Y, with the rows of X that are at most R
    away, from near to far
    [IDX, D] = rangesearch(X, Y, R, "Distance", METRIC) gives their distances too; "P", "Cov" and
    "Scale" as pdist2 has them, "SortIndices", false for the order of the rows of X

    Examples:
        >> idx = rangesearch([0; 1; 5; 6], [5; 9], 1.5)
        idx =
          2×1 cell array
            {[     3 4]}
            {1×0 double}

    See also: knnsearch, pdist2.
    """
    a, b = observations(x, "rangesearch"), observations(y, "rangesearch")
    options = _options(args, (), "rangesearch")
    radius = scalar(r, "rangesearch", "R")
    if not radius >= 0:
        raise MatlabError("stats:rangesearch:BadRadius", "R must be a nonnegative number.")
    ordered = bool(np.all(np.asarray(options.get("SortIndices", True))))
    if not len(b):
        return ([], []) if nargout > 1 else []
    index, distance = (np.empty((len(b), 1), object) for _ in range(2))
    for start, d in _blocks(a, b, options, "rangesearch"):
        for k, row in enumerate(d, start):
            at = np.flatnonzero(row <= radius)
            if ordered:
                at = at[np.argsort(row[at], kind="stable")]
            index[k, 0] = (at + 1.0).reshape(1, -1)
            distance[k, 0] = row[at].reshape(1, -1)
    return (index, distance) if nargout > 1 else index


def _first(d: Data) -> Data:
    return np.asarray(np.where(np.isnan(d), np.inf, d).argmin(axis=1)[:, None])
