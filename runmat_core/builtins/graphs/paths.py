"""Shortest paths, distances, spanning trees."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import check_size
from runmat_core.builtins.graphs.value import (
    Indices,
    Net,
    Numbers,
    is_named,
    made,
    named,
    net_of,
    node_of,
    nodes_of,
)
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import char, from_numpy, is_text, text

_METHODS = ("auto", "positive", "mixed", "acyclic", "unweighted")


def _method(args: Sequence[Any], name: str) -> str:
    given, _ = pairs(args, ("Method",), name)
    return choice(given["Method"], _METHODS, name) if given else "auto"


def lightest(net: Net, costs: Numbers) -> tuple[Any, dict[tuple[int, int], int]]:
    """Return the costs for SciPy, of several edges the cheapest, and which edge that is.

    Edges of cost 0 are stored zeros, which scipy takes for edges.
    """
    csr_array = package("scipy.sparse").csr_array

    s, t, number = net.arcs()
    cost = costs[number]
    order = np.lexsort((number, cost, t, s))
    s, t, number, cost = s[order], t[order], number[order], cost[order]
    first = np.ones(s.size, bool)
    first[1:] = (s[1:] != s[:-1]) | (t[1:] != t[:-1])
    s, t, number, cost = s[first], t[first], number[first], cost[first]
    starts = np.searchsorted(s, np.arange(net.count + 1))
    matrix = csr_array((cost, t, starts), shape=(net.count, net.count))
    edge = dict(zip(zip(s.tolist(), t.tolist(), strict=True), number.tolist(), strict=True))
    return matrix, edge


def _search(
    net: Net, sources: Indices | None, method: str, name: str
) -> tuple[Numbers, NDArray[Any], dict[tuple[int, int], int]]:
    """Distances from sources, the node before each, and which edge joins two nodes."""
    NegativeCycleError = package("scipy.sparse.csgraph").NegativeCycleError
    shortest_path = package("scipy.sparse.csgraph").shortest_path

    plain = method == "unweighted" or net.weights is None
    costs = np.ones(len(net.ends)) if plain else net.costs()
    if np.isnan(costs).any():
        raise MatlabError(f"MATLAB:graphfun:{name}:NaNWeights", "Weights must not be NaN.")
    negative = bool((costs < 0).any())
    if negative and (method == "positive" or not net.directed):
        raise MatlabError(
            f"MATLAB:graphfun:{name}:NegativeWeights",
            "Edges that can be walked both ways, or method 'positive', need weights of 0 or more.",
        )
    rows = net.count if sources is None else sources.size
    check_size((rows, net.count), 24)
    matrix, edge = lightest(net, costs)
    if not net.count or not rows:
        return np.zeros((rows, net.count)), np.zeros((rows, net.count), np.intp), edge
    try:
        distance, before = shortest_path(
            matrix,
            method="BF" if negative else "D",
            directed=True,
            return_predecessors=True,
            indices=sources,
        )
    except NegativeCycleError:
        raise MatlabError(
            f"MATLAB:graphfun:{name}:NegativeCycle", "The graph has a cycle of negative length."
        ) from None
    return distance.reshape(rows, -1), before.reshape(rows, -1), edge


@builtin("distances", family="graphs/paths", nargin=(1, 5), effects="pure")
def distances(graph: Any, *args: Any) -> Any:
    """Lengths of shortest paths between nodes; Inf where there is none.

    D = distances(G) between all nodes, D = distances(G, S) from S to all,
    D = distances(G, S, T) from S to T
    D = distances(…, "Method", M) with "auto", "positive", "mixed", "acyclic" or "unweighted"

    Examples:
        >> distances(graph([1 2 1], [2 3 3], [1 1 5]))
        ans =
             0     1     2
             1     0     1
             2     1     0

    See also: shortestpath, bfsearch, conncomp.
    """
    net = net_of(graph, "distances")
    plain, options = _nodes_and_options(args)
    method = _method(options, "distances")
    # all of them, where it says so
    chosen = [None if _is_all(a) else nodes_of(net, a, "distances") for a in plain]
    found = _search(net, chosen[0] if chosen else None, method, "distances")[0]
    if len(chosen) > 1 and chosen[1] is not None:
        found = found[:, chosen[1]]
    return from_numpy(found)


def _is_all(value: Any) -> bool:
    return is_text(value) and text(value).lower() == "all"


def _nodes_and_options(args: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the nodes at the front, which may be texts, and ``"Method", M`` at the end."""
    rest = list(args)
    if len(rest) >= 2 and is_text(rest[-2]) and text(rest[-2]).lower() == "method":
        return rest[:-2], rest[-2:]
    return rest[:2], rest[2:]


@builtin("shortestpath", family="graphs/paths", nargin=(3, 5), nargout=3, needs=("nargout",))
def shortestpath(graph: Any, s: Any, t: Any, *options: Any, nargout: int) -> Any:
    """Shortest path between two nodes.

    P = shortestpath(G, S, T): the nodes on it in a row, empty where there is none
    [P, D, EDGES] = shortestpath(G, S, T) gives its length, Inf for none, and the numbers of edges
    … = shortestpath(…, "Method", M) with "auto", "positive", "mixed", "acyclic" or "unweighted"

    Examples:
        >> [p, d] = shortestpath(graph([1 2 1], [2 3 3], [1 1 5]), 1, 3)
        p =
             1     2     3
        d =
             2

    See also: distances, bfsearch, minspantree.
    """
    net = net_of(graph, "shortestpath")
    first, last = node_of(net, s, "shortestpath"), node_of(net, t, "shortestpath")
    method = _method(options, "shortestpath")
    distance, before, edge = _search(net, np.array([first]), method, "shortestpath")
    path: list[int] = []
    if np.isfinite(distance[0, last]):
        path = [last]
        while path[-1] != first:
            path.append(int(before[0, path[-1]]))
    path.reverse()
    numbers = [edge[step] + 1.0 for step in pairwise(path)]
    outputs = (
        named(net, path, is_named(s), row=True),
        float(distance[0, last]),
        from_numpy(np.array(numbers).reshape(1, -1)),
    )
    return outputs[:nargout] if nargout > 1 else outputs[0]


def _prim(net: Net, root: int, costs: Numbers) -> tuple[list[int], dict[int, int]]:
    """Edges of the cheapest tree of the nodes that the root reaches, and the node before each."""
    following = net.following()
    before = {root: -1}
    tree = []
    waiting = [(float(costs[e]), e, root, t) for t, e in following[root]]
    heapq.heapify(waiting)
    while waiting:
        _, number, source, node = heapq.heappop(waiting)
        if node in before:
            continue
        before[node] = source
        tree.append(number)
        for target, e in following[node]:
            if target not in before:
                heapq.heappush(waiting, (float(costs[e]), e, node, target))
    return tree, before


@builtin("minspantree", family="graphs/paths", nargin=(1, 7), nargout=2, needs=("nargout",))
def minspantree(graph: Any, *options: Any, nargout: int) -> Any:
    """Tree of least total weight that joins the nodes of an undirected graph.

    T = minspantree(G): a graph with the same nodes
    [T, PRED] = minspantree(G) gives the node before each, 0 for the root, NaN for what the tree
    does not reach
    … = minspantree(…, "Root", NODE), … = minspantree(…, "Type", "forest") with a tree for each
    component; "Method" may be "dense" or "sparse", which give trees of the same weight

    Examples:
        >> T = minspantree(graph([1 2 1], [2 3 3], [1 4 2])); T.Edges.Weight'
        ans =
             1     2

    See also: shortestpath, conncomp, graph.
    """
    net = net_of(graph, "minspantree", directed=False)
    given, _ = pairs(options, ("Method", "Root", "Type"), "minspantree")
    choice(given.get("Method", char("dense")), ("dense", "sparse"), "minspantree")
    kind = choice(given.get("Type", char("tree")), ("tree", "forest"), "minspantree")
    root = node_of(net, given["Root"], "minspantree") if "Root" in given else 0
    costs = net.costs()
    tree: list[int] = []
    before: dict[int, int] = {}
    roots = [root, *range(net.count)] if kind == "forest" else [root]
    for start in roots if net.count else []:
        if start not in before:
            more, reached = _prim(net, start, costs)
            tree += more
            before.update(reached)
    chosen = np.sort(np.array(tree, np.intp))
    weights = None if net.weights is None else net.weights[chosen]
    found = made(attrs.evolve(net, ends=net.ends[chosen], weights=weights))
    if nargout < 2:
        return found
    previous = [before[k] + 1.0 if k in before else np.nan for k in range(net.count)]
    return found, from_numpy(np.array(previous).reshape(1, -1))
