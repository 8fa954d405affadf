"""How central nodes are, and how much can flow between two."""

from __future__ import annotations

from collections import deque
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import integer, scalar
from runmat_core.builtins.graphs.paths import lightest
from runmat_core.builtins.graphs.structure import degrees
from runmat_core.builtins.graphs.value import (
    Net,
    Numbers,
    column,
    made,
    named,
    net_of,
    node_of,
    weights_of,
)
from runmat_core.builtins.named import choice, pairs
from runmat_core.values.notices import warn

_UNDIRECTED = ("degree", "closeness", "betweenness", "pagerank", "eigenvector")
_DIRECTED = (
    *("indegree", "outdegree", "incloseness", "outcloseness", "betweenness", "pagerank"),
    *("hubs", "authorities"),
)


@builtin("centrality", family="graphs/measures", nargin=(2, 12), effects="pure")
def centrality(graph: Any, kind: Any, *options: Any) -> Any:
    """How central each node is.

    C = centrality(G, TYPE) with "degree", "closeness", "betweenness", "pagerank", "eigenvector";
    of a directed graph "indegree", "outdegree", "incloseness", "outcloseness", "betweenness",
    "pagerank", "hubs", "authorities"
    C = centrality(…, "Importance", W) with weights of edges, for degrees, pagerank, eigenvector,
    hubs and authorities; C = centrality(…, "Cost", W) for closeness and betweenness
    C = centrality(…, "FollowProbability", P), "Tolerance", "MaxIterations"

    Examples:
        >> centrality(graph([1 1 1], [2 3 4]), "betweenness")'
        ans =
             3     0     0     0

    See also: degree, distances, adjacency.
    """
    net = net_of(graph, "centrality")
    word = choice(kind, _DIRECTED if net.directed else _UNDIRECTED, "centrality")
    known = ("Importance", "Cost", "FollowProbability", "Tolerance", "MaxIterations")
    given, _ = pairs(options, known, "centrality")
    far = word.endswith("closeness") or word == "betweenness"
    wrong = "Importance" if far else "Cost"
    if wrong in given:
        raise MatlabError(
            "MATLAB:graphfun:centrality:InvalidOption", f"'{word}' has no option '{wrong}'."
        )
    weights = np.ones(len(net.ends))
    for option in ("Importance", "Cost"):
        if option in given:
            weights = weights_of(given[option], len(net.ends))
    if (weights < 0).any() or np.isnan(weights).any():
        raise MatlabError(
            "MATLAB:graphfun:centrality:NegativeWeights", "Weights must be 0 or more."
        )
    if word.endswith("degree"):
        return column(_weighted_degree(net, word, weights, bool(given)))
    if word.endswith("closeness"):
        return column(_closeness(net, weights, word == "incloseness"))
    if word == "betweenness":
        return column(_betweenness(net, weights))
    tolerance = scalar(given.get("Tolerance", 1e-4), "Tolerance")
    most = integer(given.get("MaxIterations", 100.0), "MaxIterations")
    follow = scalar(given.get("FollowProbability", 0.85), "FollowProbability")
    found, converged = _spread(net, word, weights, follow, tolerance, most)
    if not converged:
        warn(
            "MATLAB:graphfun:centrality:NoConv",
            f"The iteration did not converge to {tolerance:g} in {most} steps.",
        )
    return column(found)


def _weighted_degree(net: Net, word: str, weights: Numbers, weighted: bool) -> Numbers:
    sides = {"degree": (0, 1), "indegree": (1,), "outdegree": (0,)}[word]
    if not weighted:
        return degrees(net, sides).astype(np.float64)
    total = np.zeros(net.count)
    for side in sides:
        np.add.at(total, net.ends[:, side], weights)
    return total


def _closeness(net: Net, weights: Numbers, inward: bool) -> Numbers:
    """Return the inverse sum of distances, scaled by the part of the graph that is reached."""
    dijkstra = package("scipy.sparse.csgraph").dijkstra

    if not net.count:
        return np.zeros(0)
    matrix = lightest(net, weights)[0]
    distance = dijkstra(matrix, directed=True)
    if inward:
        distance = distance.T
    near = np.isfinite(distance)
    reached = near.sum(axis=1) - 1
    total = np.where(near, distance, 0).sum(axis=1)
    with np.errstate(all="ignore"):
        found = (reached / max(net.count - 1, 1)) ** 2 / total
    return np.where(reached > 0, found, 0.0)


def _betweenness(net: Net, weights: Numbers) -> Numbers:
    """On how many shortest paths a node lies: U. Brandes, J. Math. Sociology 25 (2001)."""
    import heapq

    total = np.zeros(net.count)
    following = net.following()
    for source in range(net.count):
        distance = {source: 0.0}
        paths = np.zeros(net.count)
        paths[source] = 1
        before: list[list[int]] = [[] for _ in range(net.count)]
        order: list[int] = []
        done: set[int] = set()
        waiting = [(0.0, source)]
        while waiting:
            far, node = heapq.heappop(waiting)
            if node in done:
                continue
            done.add(node)
            order.append(node)
            for target, number in following[node]:
                reach = far + float(weights[number])
                known = distance.get(target, np.inf)
                if target == node or reach > known or target in done:
                    continue
                if reach < known:
                    distance[target] = reach
                    paths[target], before[target] = 0, []
                    heapq.heappush(waiting, (reach, target))
                paths[target] += paths[node]
                before[target].append(node)
        part = np.zeros(net.count)
        for node in reversed(order):
            for previous in before[node]:
                part[previous] += paths[previous] / paths[node] * (1 + part[node])
            if node != source:
                total[node] += part[node]
    return total if net.directed else total / 2


def _spread(
    net: Net, word: str, weights: Numbers, follow: float, tolerance: float, most: int
) -> tuple[Numbers, bool]:
    """Return the fixed point of nodes that hand on what they have, and whether it was found."""
    coo_array = package("scipy.sparse").coo_array

    n = net.count
    if not n:
        return np.zeros(0), True
    s, t, number = net.arcs()
    matrix = coo_array((weights[number], (s, t)), shape=(n, n)).tocsr()
    out = np.asarray(matrix.sum(axis=1)).ravel()
    back = matrix.T.tocsr()
    dangling = out == 0
    share = np.where(dangling, 0, 1 / np.where(dangling, 1, out))
    x = np.full(n, 1 / n)
    for _ in range(most):
        if word == "pagerank":
            y = follow * (back @ (x * share) + x[dangling].sum() / n) + (1 - follow) / n
        elif word == "eigenvector":
            y = back @ x + x  # the shift keeps what swings from side to side from going on so
        elif word == "hubs":
            y = matrix @ (back @ x)
        else:
            y = back @ (matrix @ x)
        size = np.abs(y).sum()
        if size == 0:
            return np.zeros(n), True
        y = y / size
        if np.abs(y - x).max() < tolerance * (1 if word == "pagerank" else np.abs(y).max()):
            return y, True
        x = y
    return x, False


# -- flows --------------------------------------------------------------------------------------


class _Flow:
    """A flow along the ways of a graph, made as large as possible: E. Dinic (1970)."""

    def __init__(self, net: Net) -> None:
        self.count = net.count
        s, t, number = net.arcs()
        self.head: list[list[int]] = [[] for _ in range(net.count)]
        self.to: list[int] = []
        self.left: list[float] = []
        self.number = number
        capacity = net.costs()
        for a, b, k in zip(s.tolist(), t.tolist(), number.tolist(), strict=True):
            for node, target, room in ((a, b, float(capacity[k])), (b, a, 0.0)):
                self.head[node].append(len(self.to))
                self.to.append(target)
                self.left.append(room)
        self.before = list(self.left)

    def levels(self, source: int) -> list[int]:
        level = [-1] * self.count
        level[source] = 0
        waiting = deque([source])
        while waiting:
            node = waiting.popleft()
            for way in self.head[node]:
                if self.left[way] > 0 and level[self.to[way]] < 0:
                    level[self.to[way]] = level[node] + 1
                    waiting.append(self.to[way])
        return level

    def push(self, source: int, target: int) -> float:
        """Return the largest flow."""
        total = 0.0
        while True:
            level = self.levels(source)
            if level[target] < 0:
                return total
            rest = [iter(ways) for ways in self.head]
            while True:
                path = self._path(source, target, level, rest)
                if not path:
                    break
                room = min(self.left[way] for way in path)
                for way in path:
                    self.left[way] -= room
                    self.left[way ^ 1] += room
                total += room

    def _path(self, source: int, target: int, level: list[int], rest: list[Any]) -> list[int]:
        path: list[int] = []
        node = source
        while node != target:
            for way in rest[node]:
                if self.left[way] > 0 and level[self.to[way]] == level[node] + 1:
                    path.append(way)
                    node = self.to[way]
                    break
            else:
                if not path:
                    return []
                node = self.to[path.pop() ^ 1]
        # the last way of a path may have room for more
        for way in path:
            start = self.to[way ^ 1]
            rest[start] = iter([way, *rest[start]])
        return path


@builtin("maxflow", family="graphs/measures", nargin=(3, 4), nargout=4, needs=("nargout",))
def maxflow(graph: Any, s: Any, t: Any, algorithm: Any = None, *, nargout: int) -> Any:
    """Largest flow between two nodes, with the weights of edges as capacities.

    MF = maxflow(G, S, T)
    [MF, GF, CS, CT] = maxflow(G, S, T) gives a directed graph of the flow, and the nodes on both
    sides of a cut of least capacity
    … = maxflow(G, S, T, ALGORITHM) with "searchtrees", "augmentpath" or "pushrelabel", which find
    the same

    Examples:
        >> maxflow(digraph([1 1 2 3], [2 3 4 4], [3 2 2 5]), 1, 4)
        ans =
             4

    See also: shortestpath, conncomp, digraph.
    """
    net = net_of(graph, "maxflow")
    if algorithm is not None:
        choice(algorithm, ("searchtrees", "augmentpath", "pushrelabel"), "maxflow")
    first, last = node_of(net, s, "maxflow"), node_of(net, t, "maxflow")
    costs = net.costs()
    if first == last or (costs < 0).any() or not np.isfinite(costs).all():
        raise MatlabError(
            "MATLAB:graphfun:maxflow:InvalidInput",
            "The nodes must differ, and weights be finite and 0 or more.",
        )
    flow = _Flow(net)
    total = flow.push(first, last)
    if nargout < 2:
        return total
    level = np.array(flow.levels(first))
    sent = np.array(flow.before[::2]) - np.array(flow.left[::2])
    source, target, _ = net.arcs()
    moved = sent > 0
    ends = np.stack([source[moved], target[moved]], axis=1)
    graph_of_flow = attrs.evolve(net, directed=True, ends=ends, weights=sent[moved])
    by_name = net.names is not None
    sides = [named(net, np.flatnonzero(side), by_name) for side in (level >= 0, level < 0)]
    return (total, made(graph_of_flow), *sides)[:nargout]
