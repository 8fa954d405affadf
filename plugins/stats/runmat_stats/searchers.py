"""Models of observations in which neighbours are searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api import Interp, MatlabError, builtin
from runmat_core.api.objects import Handle
from runmat_stats.arguments import Data, integer, named_options, one_of
from runmat_stats.distances import METRICS, observations

#: The metrics of trees, with the power of the coordinates; None: the one that is given.
TREE_METRICS = {
    "euclidean": 2.0, "cityblock": 1.0, "chebychev": float("inf"), "minkowski": None,
}  # fmt: skip

#: The option that a metric takes.
_PARAMETERS = {"minkowski": "P", "mahalanobis": "Cov", "seuclidean": "Scale"}


def tree_of(a: Data) -> Any:
    from scipy.spatial import cKDTree

    return cKDTree(np.asarray(a, np.float64))


class Searcher(Handle):
    """Observations, and how distances to them are measured."""

    __slots__ = ("_interp", "_tree", "bucket", "data", "is_tree", "metric", "parameter")

    def __init__(self, x: Any, options: dict[str, Any], is_tree: bool, interp: Interp) -> None:
        name = "KDTreeSearcher" if is_tree else "ExhaustiveSearcher"
        self.data = np.array(observations(x, name))
        self.is_tree = is_tree
        self.bucket = integer(options.get("BucketSize", np.array([[50]])), name, "BucketSize", 1)
        self._interp = interp
        self._tree: Any = None
        self.measure(options.get("Distance", "euclidean"))
        key = _PARAMETERS.get(self.metric, "")
        self.parameter = options.get(key, np.array([[2.0]]) if key == "P" else None)
        if key == "Cov" and self.parameter is None:
            self.parameter = np.atleast_2d(np.cov(self.data, rowvar=False))
        if key == "Scale" and self.parameter is None:
            self.parameter = self.data.std(axis=0, ddof=1).reshape(1, -1)

    def measure(self, metric: Any) -> None:
        name = self.class_names()[0]
        self.metric = one_of(metric, tuple(TREE_METRICS) if self.is_tree else METRICS, name)

    def tree(self) -> Any:
        if self._tree is None:
            self._tree = tree_of(self.data)
        return self._tree

    def options(self, given: dict[str, Any]) -> dict[str, Any]:
        """The options of a search, with the model's own where none are given."""
        if "Distance" in given:
            return {"NSMethod": "kdtree" if self.is_tree else "exhaustive"} | given
        own = {"Distance": self.metric, "NSMethod": "kdtree" if self.is_tree else "exhaustive"}
        key = _PARAMETERS.get(self.metric)
        return own | ({key: self.parameter} if key else {}) | given

    def class_names(self) -> Sequence[str]:
        return ("KDTreeSearcher" if self.is_tree else "ExhaustiveSearcher", "NeighborSearcher")

    def property_names(self) -> Sequence[str]:
        own = ("Distance", "DistParameter", "X")
        return ("BucketSize", *own) if self.is_tree else own

    def get_property(self, name: str) -> Any:
        values = {"Distance": self.metric, "X": self.data, "BucketSize": float(self.bucket),
                  "DistParameter": self.parameter}  # fmt: skip
        if name not in self.property_names():
            raise MatlabError(
                "MATLAB:noSuchMethodOrField",
                f"Unrecognized method, property, or field '{name}' for class "
                f"'{self.class_names()[0]}'.",
            )
        return self._interp.to_matlab(values[name])

    def set_property(self, name: str, value: Any) -> None:
        self.get_property(name)
        plain = self._interp.to_python(value)
        if name == "Distance":
            self.measure(plain)
            self.parameter = np.array([[2.0]]) if self.metric == "minkowski" else None
        elif name == "DistParameter":
            self.parameter = np.atleast_2d(plain)
        else:
            raise MatlabError(
                "MATLAB:class:SetProhibited",
                f"You cannot set the read-only property '{name}' of '{self.class_names()[0]}'.",
            )


def searcher(value: Any, interp: Interp) -> Searcher | None:
    """The model that an argument is; None for any other."""
    if isinstance(value, np.ndarray | str):
        return None
    found = interp.to_python(value)
    return found if isinstance(found, Searcher) else None


def _options(args: tuple[Any, ...], name: str) -> dict[str, Any]:
    known = ("Distance", "P", "Cov", "Scale", "BucketSize", "NSMethod")
    return named_options(args, known, name)


@builtin("KDTreeSearcher", family="stats/distances", lift="arrays", nargin=(1, None),
         needs=("interp",))  # fmt: skip
def kd_tree_searcher(x: Any, *args: Any, interp: Interp) -> Any:
    """Model of observations that are searched by a tree.

    MODEL = KDTreeSearcher(X) of the rows of X
    MODEL = KDTreeSearcher(X, "Distance", METRIC, "P", P, "BucketSize", N) with "euclidean",
    "cityblock", "chebychev" or "minkowski"

    Examples:
        >> model = KDTreeSearcher([0 0; 1 1; 5 5]);
        >> knnsearch(model, [4 4; 0 1])
        ans =
             3
             1

    See also: ExhaustiveSearcher, createns, knnsearch, rangesearch.
    """
    return Searcher(x, _options(args, "KDTreeSearcher"), True, interp)


@builtin("ExhaustiveSearcher", family="stats/distances", lift="arrays", nargin=(1, None),
         needs=("interp",))  # fmt: skip
def exhaustive_searcher(x: Any, *args: Any, interp: Interp) -> Any:
    """Model of observations that are compared with all.

    MODEL = ExhaustiveSearcher(X) of the rows of X
    MODEL = ExhaustiveSearcher(X, "Distance", METRIC, …) with any metric of pdist2; "P", "Cov" and
    "Scale" as pdist2 has them

    Examples:
        >> model = ExhaustiveSearcher([1 0; 0 1], "Distance", "cosine");
        >> knnsearch(model, [5 1])
        ans =
             1

    See also: KDTreeSearcher, createns, knnsearch, rangesearch.
    """
    return Searcher(x, _options(args, "ExhaustiveSearcher"), False, interp)


@builtin("createns", family="stats/distances", lift="arrays", nargin=(1, None), needs=("interp",))
def createns(x: Any, *args: Any, interp: Interp) -> Any:
    """Model for searching neighbours, by a tree where that is possible.

    MODEL = createns(X), createns(X, "NSMethod", "kdtree") or "exhaustive", "Distance", METRIC, …

    By default a tree is taken for up to ten columns and the metrics of KDTreeSearcher.

    Examples:
        >> class(createns([0 0; 1 1]))
        ans =
            'KDTreeSearcher'
        >> class(createns([0 0; 1 1], "Distance", "cosine"))
        ans =
            'ExhaustiveSearcher'

    See also: KDTreeSearcher, ExhaustiveSearcher, knnsearch.
    """
    options = _options(args, "createns")
    metric = one_of(options.get("Distance", "euclidean"), METRICS, "createns")
    fits = metric in TREE_METRICS and observations(x, "createns").shape[1] <= 10
    method = options.get("NSMethod", "kdtree" if fits else "exhaustive")
    way = one_of(method, ("kdtree", "exhaustive"), "createns")
    return Searcher(x, options, way == "kdtree", interp)
