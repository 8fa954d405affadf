"""Clusters: k-means, and trees of agglomeration."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_stats.arguments import Data, given, integer, one_of, real
from runmat_stats.distances import METRICS, between, observations
from runmat_stats.draws import numbers

_METHODS = ("single", "complete", "average", "weighted", "centroid", "median", "ward")


@builtin("linkage", family="stats/clusters", lift="arrays", nargin=(1, 3), effects="pure")
def linkage(x: Any, method: Any = None, metric: Any = None) -> Data:
    """Tree of clusters, by merging the nearest two again and again.

    Z = linkage(X) of observations in rows, Z = linkage(D) of distances as pdist gives them (a row)
    Z = linkage(…, METHOD) with "single", "complete", "average", "weighted", "centroid", "median"
    or "ward"; Z = linkage(X, METHOD, METRIC)

    Each row of Z holds two clusters and their distance; the cluster of row k has number m + k.

    Examples:
        >> linkage([0; 1; 5])
        ans =
             1     2     1
             3     4     4

    See also: pdist, kmeans.
    """
    from scipy.cluster import hierarchy

    a = real(x, "linkage")
    how = one_of(method, _METHODS, "linkage") if given(method) else "single"
    if a.ndim != 2 or not a.size:
        raise MatlabError("stats:linkage:BadData", "Data must be a matrix that is not empty.")
    if a.shape[0] == 1:
        d = a.ravel().astype(np.float64)
        count = int(np.ceil(np.sqrt(2 * d.size)))
        if count * (count - 1) // 2 != d.size or (d < 0).any():
            raise MatlabError("stats:linkage:BadSize", "D must be what pdist gives.")
    else:
        kind = one_of(metric, METRICS, "linkage") if given(metric) else "euclidean"
        full = between(a, a, kind, None, "linkage")
        d = full[np.triu_indices(a.shape[0], 1)]
    if not np.isfinite(d).all():
        raise MatlabError("stats:linkage:BadDistance", "Distances must be finite.")
    z: Data = hierarchy.linkage(d, how)[:, :3]
    z[:, :2] += 1
    return z


# -- k-means -------------------------------------------------------------------------------------

_NAMES = ("Distance", "Start", "Replicates", "MaxIter", "EmptyAction", "Display", "OnlinePhase")


def _distances(x: Data, centres: Data, metric: str) -> Data:
    if metric == "cityblock":
        return between(x, centres, "cityblock", None, "kmeans")
    return between(x, centres, "squaredeuclidean", None, "kmeans")


def _seeds(x: Data, count: int, metric: str, how: str, interp: Interp) -> Data:
    """Starting centres: by k-means++, or a sample of the observations."""
    if how == "sample":
        order = np.argsort(numbers(interp, "rand", (x.shape[0], 1)).ravel())
        return np.asarray(x[order[:count]])
    draws = numbers(interp, "rand", (count, 1)).ravel()
    chosen = [int(draws[0] * x.shape[0])]
    nearest = _distances(x, x[chosen], metric)[:, 0]
    for draw in draws[1:]:
        total = nearest.cumsum()
        at = int(np.searchsorted(total, draw * total[-1], side="right"))
        chosen.append(min(at, x.shape[0] - 1))
        nearest = np.minimum(nearest, _distances(x, x[chosen[-1:]], metric)[:, 0])
    return np.asarray(x[chosen])


def _lloyd(x: Data, centres: Data, metric: str, most: int) -> tuple[Data, Data, Data, bool]:
    """Assignments, centres, distances and whether they settled; an empty cluster takes the
    observation that is farthest from its centre."""
    middle = np.median if metric == "cityblock" else np.mean
    previous = None
    for _ in range(most):
        d = _distances(x, centres, metric)
        labels = d.argmin(axis=1)
        for cluster in np.flatnonzero(np.bincount(labels, minlength=len(centres)) == 0):
            sizes = np.bincount(labels, minlength=len(centres))
            own = np.where(sizes[labels] > 1, d[np.arange(len(x)), labels], -1)
            labels[own.argmax()] = cluster
        if previous is not None and (labels == previous).all():
            return labels, centres, d, True
        previous = labels
        centres = np.array([middle(x[labels == k], axis=0) for k in range(len(centres))])
    return labels, centres, _distances(x, centres, metric), False


@builtin(
    "kmeans",
    family="stats/clusters",
    lift="arrays",
    nargin=(2, None),
    nargout=4,
    needs=("nargout", "interp"),
    effects="rng",
)
def kmeans(x: Any, k: Any, *args: Any, nargout: int, interp: Interp) -> Any:
    """K-means clusters of the rows of a matrix.

    IDX = kmeans(X, K)
    [IDX, C, SUMD, D] = kmeans(X, K) gives centres, sums of distances in clusters, and the
    distance of each row to each centre
    kmeans(…, NAME, VALUE) with "Distance" ("sqeuclidean" or "cityblock"), "Start" ("plus",
    "sample" or a matrix of centres), "Replicates", "MaxIter"

    Rows with NaN belong to no cluster.

    Examples:
        >> [idx, c] = kmeans([0 1 10 11]', 2, "Start", [0; 10]);
        >> [idx' c']
        ans =
            1.0000    1.0000    2.0000    2.0000    0.5000   10.5000

    See also: linkage, pdist2.
    """
    data = observations(x, "kmeans").astype(np.float64)
    count = integer(k, "kmeans", "K", 1)
    if len(args) % 2:
        raise MatlabError("stats:kmeans:NameValue", "Options are pairs of a name and a value.")
    pairs = zip(args[::2], args[1::2], strict=True)
    named = {one_of(name, _NAMES, "kmeans"): value for name, value in pairs}
    metric = one_of(named.get("Distance", "sqeuclidean"), ("sqeuclidean", "cityblock"), "kmeans")
    kept = ~np.isnan(data).any(axis=1)
    rows = data[kept]
    if rows.shape[0] < count:
        raise MatlabError("stats:kmeans:TooManyClusters", "X must have more rows than clusters.")
    start = named.get("Start", "plus")
    times = integer(named["Replicates"], "kmeans", "Replicates", 1) if "Replicates" in named else 1
    most = integer(named["MaxIter"], "kmeans", "MaxIter", 1) if "MaxIter" in named else 100
    best: Any = None
    for _ in range(times):
        if isinstance(start, str):
            how = one_of(start, ("plus", "sample"), "kmeans")
            centres = _seeds(rows, count, metric, how, interp)
        else:
            centres = real(start, "kmeans").astype(np.float64)
            if centres.shape != (count, rows.shape[1]):
                raise MatlabError("stats:kmeans:StartSize", "'Start' must have K rows.")
        labels, centres, d, settled = _lloyd(rows, centres, metric, most)
        if not settled:
            interp.warn(
                "stats:kmeans:FailedToConverge", f"Failed to converge in {most} iterations."
            )
        total = d[np.arange(len(rows)), labels].sum()
        if best is None or total < best[0]:
            best = total, labels, centres, d
    _, labels, centres, d = best
    index = np.full((data.shape[0], 1), np.nan)
    index[kept, 0] = labels + 1
    own = d[np.arange(len(rows)), labels]
    sums = np.bincount(labels, weights=own, minlength=count).reshape(-1, 1)
    away = np.full((data.shape[0], count), np.nan)
    away[kept] = d
    return (index, centres, sums, away)[:nargout] if nargout > 1 else index
