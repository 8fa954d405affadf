"""Distances between observations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import MatlabError, builtin
from runmat_stats.arguments import Data, given, integer, like, one_of, real, scalar
from runmat_stats.tables import ranked

METRICS = (
    "euclidean", "squaredeuclidean", "seuclidean", "cityblock", "minkowski", "chebychev", "cosine",
    "correlation", "spearman", "hamming", "jaccard", "mahalanobis",
)  # fmt: skip

#: What scipy calls them, where it has other names.
_SCIPY = {"squaredeuclidean": "sqeuclidean", "chebychev": "chebyshev"}


def observations(value: Any, name: str) -> Data:
    a = real(value, name)
    if a.ndim > 2:
        raise MatlabError(f"stats:{name}:BadData", "Observations must be the rows of a matrix.")
    return a


def between(a: Data, b: Data, metric: str, parameter: Any, name: str) -> Data:
    """Distances from each row of `a` to each row of `b`; `parameter` is read as `metric` does.

    What scales the coordinates is taken from `a` where it is not given.
    """
    from scipy.spatial.distance import cdist

    options: dict[str, Any] = {}
    if metric == "minkowski":
        options["p"] = scalar(parameter, name, "P") if given(parameter) else 2.0
        if not options["p"] > 0:
            raise MatlabError(f"stats:{name}:InvalidExponent", "The exponent must be positive.")
    elif metric == "seuclidean":
        scale = real(parameter, name).ravel() if given(parameter) else a.std(axis=0, ddof=1)
        if scale.size != a.shape[1]:
            raise MatlabError(f"stats:{name}:InvalidWeights", "There must be one for each column.")
        options["V"] = scale.astype(np.float64) ** 2
    elif metric == "mahalanobis":
        covariance = real(parameter, name) if given(parameter) else np.cov(a, rowvar=False)
        try:
            options["VI"] = np.linalg.inv(np.atleast_2d(covariance))
        except np.linalg.LinAlgError:
            raise MatlabError(f"stats:{name}:SingularCov", "The covariance is singular.") from None
    elif metric == "spearman":
        return between(ranked(a.T).T, ranked(b.T).T, "correlation", None, name)
    if metric in {"hamming", "jaccard"}:
        return _different(a, b, metric == "jaccard")
    return np.asarray(cdist(a, b, _SCIPY.get(metric, metric), **options))


def _different(a: Data, b: Data, jaccard: bool) -> Data:
    """Shares of coordinates that differ, among all or among those that are not both zero."""
    result = np.empty((a.shape[0], b.shape[0]))
    for k, row in enumerate(a):
        counted = (row != 0) | (b != 0) if jaccard else np.ones(b.shape, np.bool_)
        total = counted.sum(axis=1)
        result[k] = np.where(
            total == 0, 0, ((row != b) & counted).sum(axis=1) / np.maximum(total, 1)
        )
    return result


def _metric(args: Sequence[Any], name: str) -> tuple[str, Any]:
    """The metric and its parameter."""
    metric = one_of(args[0], METRICS, name) if args and given(args[0]) else "euclidean"
    return metric, args[1] if len(args) > 1 else None


@builtin("pdist", family="stats/distances", lift="arrays", nargin=(1, 3), effects="pure")
def pdist(x: Any, *args: Any) -> Data:
    """Distances between pairs of rows.

    The result is a row, of the pairs (2,1), (3,1), …, (3,2), …

    D = pdist(X), D = pdist(X, METRIC), D = pdist(X, METRIC, P) with "euclidean",
    "squaredeuclidean", "seuclidean", "cityblock", "minkowski", "chebychev", "cosine",
    "correlation", "spearman", "hamming", "jaccard" or "mahalanobis"

    Examples:
        >> pdist([0 0; 3 4; 0 1])
        ans =
            5.0000    1.0000    4.2426

    See also: pdist2, squareform, linkage.
    """
    a = observations(x, "pdist")
    full = between(a, a, *_metric(args, "pdist"), "pdist")
    return like(full[np.triu_indices(a.shape[0], 1)].reshape(1, -1), a)


@builtin(
    "pdist2", family="stats/distances", lift="arrays", nargin=(2, 6), nargout=2, needs=("nargout",)
)
def pdist2(x: Any, y: Any, *args: Any, nargout: int) -> Any:
    """Distances from each row of X to each row of Y.

    D = pdist2(X, Y), D = pdist2(X, Y, METRIC), D = pdist2(X, Y, METRIC, P) as in pdist
    [D, I] = pdist2(…, "Smallest", K) the K smallest for each row of Y, in columns; "Largest", K

    Examples:
        >> pdist2([0 0; 3 4], [0 0])
        ans =
             0
             5

    See also: pdist, dsearchn.
    """
    a, b = observations(x, "pdist2"), observations(y, "pdist2")
    if a.shape[1] != b.shape[1]:
        raise MatlabError("stats:pdist2:SizeMismatch", "X and Y must have as many columns.")
    rest = list(args)
    order, count = "", 0
    if len(rest) > 1 and isinstance(rest[-2], str) and rest[-2].lower() in {"smallest", "largest"}:
        order, count = rest[-2].lower(), integer(rest[-1], "pdist2", "K", 1)
        rest = rest[:-2]
    d = between(a, b, *_metric(rest, "pdist2"), "pdist2")
    index: Data = np.zeros(d.shape)
    if order:
        sign = -1 if order == "largest" else 1
        at = np.argsort(sign * d, axis=0, kind="stable")[:count]
        d, index = np.take_along_axis(d, at, 0), at + 1.0
    elif nargout > 1:
        raise MatlabError("stats:pdist2:TooManyOutputs", 'Indices need "Smallest" or "Largest".')
    result = d.astype(np.float32) if np.float32 in (a.dtype, b.dtype) else d
    return (result, index) if nargout > 1 else result


@builtin("squareform", family="stats/distances", lift="arrays", effects="pure")
def squareform(d: Any, direction: Any = None) -> Data:
    """Distances as a symmetric matrix, or such a matrix as the row that pdist gives.

    Z = squareform(D) of a row or a column, D = squareform(Z), squareform(…, "tomatrix" or
    "tovector"); a number is a distance unless "tovector" is said

    Examples:
        >> squareform([1 2 3])
        ans =
             0     1     2
             1     0     3
             2     3     0

    See also: pdist, linkage.
    """
    a = real(d, "squareform")
    word = "tomatrix" if 1 in a.shape and a.ndim == 2 else "tovector"
    if given(direction):
        word = one_of(direction, ("tomatrix", "tovector"), "squareform")
    if word == "tovector":
        if a.ndim != 2 or a.shape[0] != a.shape[1] or a.diagonal().any() or (a != a.T).any():
            raise MatlabError(
                "stats:squareform:BadInput",
                "The matrix must be square and symmetric, with zeros on its diagonal.",
            )
        return a[np.triu_indices(a.shape[0], 1)].reshape(1, -1)
    count = int(np.ceil(np.sqrt(2 * a.size)))
    if a.ndim > 2 or 1 not in a.shape or count * (count - 1) // 2 != a.size:
        raise MatlabError(
            "stats:squareform:BadVectorSize", "The size of the vector is not correct."
        )
    z = np.zeros((count, count), a.dtype)
    z[np.triu_indices(count, 1)] = a.ravel()
    return z + z.T
