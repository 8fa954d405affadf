"""Nearest observations."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_stats.arguments import Data, integer, named_options, one_of, scalar
from runmat_stats.distances import METRICS, between, observations
from runmat_stats.searchers import TREE_METRICS, Searcher, searcher, tree_of

#: Distances that are held at once.
_BLOCK = 4_000_000

#: Options that change how neighbours are searched, not which ones are found.
_WAYS = ("NSMethod", "BucketSize", "SortIndices", "CacheSize")

_PARAMETERS = {"P": "minkowski", "Cov": "mahalanobis", "Scale": "seuclidean"}


def _options(args: tuple[Any, ...], extra: tuple[str, ...], name: str) -> dict[str, Any]:
    return named_options(args, ("Distance", *_PARAMETERS, *_WAYS, *extra), name)


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
    "knnsearch", family="stats/distances", lift="arrays", nargin=(2, None), nargout=2,
    needs=("nargout", "interp"), effects="pure",
)  # fmt: skip
def knnsearch(x: Any, y: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """Nearest rows of a matrix.

    IDX = knnsearch(X, Y) is the row of X that is nearest to each row of Y
    [IDX, D] = knnsearch(X, Y, "K", K, "Distance", METRIC) gives the K nearest ones, from near to
    far, and their distances; "P", "Cov" and "Scale" as pdist2 has them
    IDX = knnsearch(…, "IncludeTies", true) gives all that are as near as the last of K, in cells
    IDX = knnsearch(MODEL, Y, …) in the rows of a KDTreeSearcher or ExhaustiveSearcher

    Examples:
        >> [idx, d] = knnsearch([0 0; 1 1; 5 5], [4 4; 0 1])
        idx =
             3
             1
        d =
            1.4142
            1.0000

    See also: createns, rangesearch, pdist2, pdist.
    """
    model = searcher(x, interp)
    a = observations(x, "knnsearch") if model is None else model.data
    b = observations(y, "knnsearch")
    options = _options(args, ("K", "IncludeTies"), "knnsearch")
    if model is not None:
        options = model.options(options)
    count = min(integer(options.get("K", np.ones((1, 1))), "knnsearch", "K", 1), len(a))
    if np.all(np.asarray(options.get("IncludeTies", False))):
        return _with_ties(a, b, count, options)[:nargout]
    index, distance = np.zeros((len(b), count)), np.zeros((len(b), count))
    rows = np.arange(len(b))
    if _takes_tree(a, b, options):
        index, distance, rows = _in_tree(a, b, count, options, model)
    for start, d in _blocks(a, b[rows], options, "knnsearch"):
        at = np.argsort(d, axis=1, kind="stable")[:, :count] if count > 1 else _first(d)
        part = rows[start : start + len(d)]
        index[part] = at + 1
        distance[part] = np.take_along_axis(d, at, 1)
    return (index, distance) if nargout > 1 else index


def _with_ties(a: Data, b: Data, count: int, options: dict[str, Any]) -> tuple[Data, Data]:
    """All rows that are as near as the last of `count`, in cells."""
    index, distance = (np.empty((len(b), 1), object) for _ in range(2))
    for start, d in _blocks(a, b, options, "knnsearch"):
        for k, row in enumerate(d, start):
            order = np.argsort(row, kind="stable")
            at = order[row[order] <= row[order[count - 1]]]
            index[k, 0], distance[k, 0] = (at + 1.0).reshape(1, -1), row[at].reshape(1, -1)
    return index, distance


def _takes_tree(a: Data, b: Data, options: dict[str, Any]) -> bool:
    """Whether a tree pays: it is right for finite rows of few columns, and some metrics."""
    if options.get("NSMethod") == "exhaustive" or a.shape[1:] != b.shape[1:]:
        return False
    metric = one_of(options.get("Distance", "euclidean"), METRICS, "knnsearch")
    return bool(
        metric in TREE_METRICS and 0 < a.shape[1] <= 10 and len(a) * len(b) > _BLOCK
        and np.isfinite(a).all() and np.isfinite(b).all()
    )  # fmt: skip


def _in_tree(
    a: Data, b: Data, count: int, options: dict[str, Any], model: Searcher | None
) -> tuple[Data, Data, Data]:
    """Places, distances, and the rows where those of equal distance must still be told apart."""
    tree = tree_of(a) if model is None else model.tree()
    power = TREE_METRICS[one_of(options.get("Distance", "euclidean"), METRICS, "knnsearch")]
    if power is None:
        power = scalar(options["P"], "knnsearch", "P") if "P" in options else 2.0
    distance, index = tree.query(b, min(count + 1, len(a)), p=power)
    distance, index = distance.reshape(len(b), -1), index.reshape(len(b), -1)
    tied = (np.diff(distance, axis=1) == 0).any(axis=1)
    return index[:, :count] + 1.0, distance[:, :count], np.flatnonzero(tied)


@builtin(
    "rangesearch", family="stats/distances", lift="arrays", nargin=(3, None), nargout=2,
    needs=("nargout", "interp"), effects="pure",
)  # fmt: skip
def rangesearch(x: Any, y: Any, r: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """All rows of a matrix within a distance.

    IDX = rangesearch(X, Y, R) is a cell for each row of Y, with the rows of X that are at most R
    away, from near to far
    [IDX, D] = rangesearch(X, Y, R, "Distance", METRIC) gives their distances too; "P", "Cov" and
    "Scale" as pdist2 has them, "SortIndices", false for the order of the rows of X
    IDX = rangesearch(MODEL, Y, R, …) in the rows of a KDTreeSearcher or ExhaustiveSearcher

    Examples:
        >> idx = rangesearch([0; 1; 5; 6], [5; 9], 1.5)
        idx =
          2×1 cell array
            {[     3 4]}
            {1×0 double}

    See also: createns, knnsearch, pdist2.
    """
    model = searcher(x, interp)
    a = observations(x, "rangesearch") if model is None else model.data
    b = observations(y, "rangesearch")
    options = _options(args, (), "rangesearch")
    if model is not None:
        options = model.options(options)
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
