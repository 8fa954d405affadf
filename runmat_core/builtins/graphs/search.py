"""Searches, components, orders of directed graphs."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.api.libraries import package
from runmat_core.builtins.graphs.value import (
    Indices,
    Net,
    is_named,
    made,
    named,
    net_of,
    node_of,
    sorted_net,
)
from runmat_core.builtins.named import choice, pairs
from runmat_core.values import cell, char, from_numpy, truth

_EVENTS = ("discovernode", "finishnode", "edgetonew", "edgetodiscovered", "edgetofinished")

#: What a search meets: the event, and a node or both ends of an edge with its number.
Event = tuple[str, tuple[int, ...]]


def breadth_first(following: list[list[tuple[int, int]]], start: int, seen: set[int]) -> Any:
    """Yield the events of a search that goes through what is near first."""
    waiting = deque([start])
    seen.add(start)
    finished: set[int] = set()
    yield "discovernode", (start,)
    while waiting:
        node = waiting.popleft()
        for target, number in following[node]:
            if target in seen:
                kind = "edgetofinished" if target in finished else "edgetodiscovered"
                yield kind, (node, target, number)
                continue
            yield "edgetonew", (node, target, number)
            yield "discovernode", (target,)
            seen.add(target)
            waiting.append(target)
        finished.add(node)
        yield "finishnode", (node,)


def depth_first(following: list[list[tuple[int, int]]], start: int, seen: set[int]) -> Any:
    """Yield the events of a search that goes on from what it met last."""
    stack = [(start, iter(following[start]))]
    seen.add(start)
    finished: set[int] = set()
    yield "discovernode", (start,)
    while stack:
        node, rest = stack[-1]
        for target, number in rest:
            if target in seen:
                kind = "edgetofinished" if target in finished else "edgetodiscovered"
                yield kind, (node, target, number)
                continue
            yield "edgetonew", (node, target, number)
            yield "discovernode", (target,)
            seen.add(target)
            stack.append((target, iter(following[target])))
            break
        else:
            stack.pop()
            finished.add(node)
            yield "finishnode", (node,)


def _events(net: Net, start: int, search: Any, restart: bool) -> Iterator[Event]:
    following, seen = net.following(), set[int]()
    yield from search(following, start, seen)
    for node in range(net.count) if restart else ():
        if node not in seen:
            yield from search(following, node, seen)


def _search(graph: Any, start: Any, args: tuple[Any, ...], name: str, search: Any) -> Any:
    """``bfsearch`` and ``dfsearch``; an undirected edge is met once."""
    net = net_of(graph, name)
    at = node_of(net, start, name)
    given, flags = pairs(args, ("Restart",), name, _EVENTS)
    wanted = flags[0] if flags else "discovernode"
    by_name = is_named(start)
    found = []
    used: set[int] = set()
    for event, what in _events(net, at, search, truth(given.get("Restart", False))):
        if len(what) == 3 and not net.directed:
            if what[2] in used:
                continue
            used.add(what[2])
        if event == wanted:
            found.append(what)
    if not wanted.startswith("edge"):
        return named(net, [what[0] for what in found], by_name)
    pairs_found = np.array([what[:2] for what in found], np.intp).reshape(-1, 2)
    if by_name:
        names = net.names or ()
        return cell([char(names[k]) for k in pairs_found.ravel(order="F")], pairs_found.shape)
    return from_numpy(pairs_found + 1.0)


@builtin("bfsearch", family="graphs/search", nargin=(2, 5), effects="pure")
def bfsearch(graph: Any, start: Any, *args: Any) -> Any:
    """Nodes in the order of a search that goes through what is near first.

    V = bfsearch(G, NODE): a column of numbers, or names where NODE is a name
    V = bfsearch(G, NODE, EVENT) with "discovernode" or "finishnode";
    E = bfsearch(G, NODE, EVENT) with "edgetonew", "edgetodiscovered" or "edgetofinished": both ends
    … = bfsearch(…, "Restart", TF) goes on from nodes that were not reached

    Examples:
        >> bfsearch(graph([1 1 2 3], [2 3 4 4]), 1)'
        ans =
             1     2     3     4

    See also: dfsearch, shortestpath, conncomp.
    """
    return _search(graph, start, args, "bfsearch", breadth_first)


@builtin("dfsearch", family="graphs/search", nargin=(2, 5), effects="pure")
def dfsearch(graph: Any, start: Any, *args: Any) -> Any:
    """Nodes in the order of a search that goes on from what it met last.

    V = dfsearch(G, NODE): a column of numbers, or names where NODE is a name
    V = dfsearch(G, NODE, EVENT) with "discovernode" or "finishnode";
    E = dfsearch(G, NODE, EVENT) with "edgetonew", "edgetodiscovered" or "edgetofinished": both ends
    … = dfsearch(…, "Restart", TF) goes on from nodes that were not reached

    Examples:
        >> dfsearch(graph([1 1 2 3], [2 3 4 4]), 1)'
        ans =
             1     2     4     3

    See also: bfsearch, toposort, conncomp.
    """
    return _search(graph, start, args, "dfsearch", depth_first)


# -- components ---------------------------------------------------------------------------------


def components(net: Net, weak: bool) -> Indices:
    """Return the number of each node's component, from zero, in the order of first nodes.

    Strong components go in the direction of edges.
    """
    coo_array = package("scipy.sparse").coo_array
    connected_components = package("scipy.sparse.csgraph").connected_components

    if not net.count:
        return np.zeros(0, np.intp)
    s, t, _ = net.arcs()
    matrix = coo_array((np.ones(s.size), (s, t)), shape=(net.count, net.count)).tocsr()
    strong = net.directed and not weak
    label = connected_components(
        matrix, directed=net.directed, connection="strong" if strong else "weak"
    )[1]
    _, first, label = np.unique(label, return_index=True, return_inverse=True)
    place = np.empty(first.size, np.intp)
    place[np.argsort(first)] = np.arange(first.size)
    label = place[label]
    if strong:
        between = label[net.ends]
        between = np.unique(between[between[:, 0] != between[:, 1]], axis=0)
        order = sources_first(sorted_net(True, first.size, between, None, None)[0])
        place = np.empty(first.size, np.intp)
        place[order] = np.arange(first.size)
        label = place[label]
    return np.asarray(label)


@builtin("conncomp", family="graphs/search", nargin=(1, 5), nargout=2, needs=("nargout",))
def conncomp(graph: Any, *args: Any, nargout: int) -> Any:
    """Connected components.

    BINS = conncomp(G): the number of the component of each node
    [BINS, SIZES] = conncomp(G) gives the numbers of nodes of components
    … = conncomp(G, "Type", "weak") of a directed graph takes no notice of directions
    … = conncomp(…, "OutputForm", "cell"): a cell with the nodes of each component

    Components of a directed graph are numbered so that edges lead to higher numbers.

    Examples:
        >> conncomp(graph([1 3], [2 4]))
        ans =
             1     1     2     2

    See also: bfsearch, subgraph, toposort.
    """
    net = net_of(graph, "conncomp")
    given, _ = pairs(args, ("Type", "OutputForm"), "conncomp")
    kind = choice(given.get("Type", char("strong")), ("strong", "weak"), "conncomp")
    if "Type" in given and not net.directed:
        raise MatlabError(
            "MATLAB:graphfun:conncomp:TypeOption", "Only directed graphs have the option 'Type'."
        )
    form = choice(given.get("OutputForm", char("vector")), ("vector", "cell"), "conncomp")
    label = components(net, weak=kind == "weak")
    sizes = np.bincount(label, minlength=int(label.max(initial=-1)) + 1)
    if form == "cell":
        by_name = net.names is not None
        parts = [np.flatnonzero(label == k) for k in range(sizes.size)]
        bins = cell([named(net, part, by_name, row=True) for part in parts])
    else:
        bins = from_numpy((label + 1.0).reshape(1, -1))
    return (bins, from_numpy(sizes.astype(np.float64).reshape(1, -1))) if nargout > 1 else bins


# -- orders -------------------------------------------------------------------------------------


def sources_first(net: Net) -> Indices:
    """Nodes so that edges lead forward, of those that could be next the lowest; fewer if cyclic."""
    following = net.following()
    waiting = np.bincount(net.ends[:, 1], minlength=net.count)
    ready = np.flatnonzero(waiting == 0).tolist()
    order = []
    while ready:
        node = heapq.heappop(ready)
        order.append(node)
        for target, _ in following[node]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heapq.heappush(ready, target)
    return np.array(order, np.intp)


@builtin("toposort", family="graphs/search", nargin=(1, 3), nargout=2, needs=("nargout",))
def toposort(graph: Any, *args: Any, nargout: int) -> Any:
    """Order of the nodes of a directed graph in which all edges lead forward.

    N = toposort(G), N = toposort(G, "Order", "stable") with the lowest nodes first
    [N, H] = toposort(G) gives the graph in that order

    Examples:
        >> toposort(digraph([3 2], [2 1]))
        ans =
             3     2     1

    See also: isdag, dfsearch, conncomp.
    """
    net = net_of(graph, "toposort", directed=True)
    given, _ = pairs(args, ("Order",), "toposort")
    way = choice(given.get("Order", char("fast")), ("fast", "stable"), "toposort")
    order = sources_first(net)
    if order.size < net.count:
        raise MatlabError(
            "MATLAB:graphfun:toposort:CycleFound",
            "The graph has a cycle, so its nodes have no such order.",
        )
    if way == "fast":
        last = [what[0] for event, what in _all_depth_first(net) if event == "finishnode"]
        order = np.array(last[::-1], np.intp)
    numbers = from_numpy((order + 1.0).reshape(1, -1))
    if nargout < 2:
        return numbers
    from runmat_core.builtins.graphs.editing import reordernodes

    return numbers, reordernodes(graph, numbers, nargout=1)


def _all_depth_first(net: Net) -> Iterator[Event]:
    return _events(net, 0, depth_first, restart=True) if net.count else iter(())


@builtin("isdag", family="graphs/search", effects="pure")
def isdag(graph: Any) -> bool:
    """Whether a directed graph has no cycle.

    TF = isdag(G)

    Examples:
        >> isdag(digraph([1 2], [2 3])), isdag(digraph([1 2], [2 1]))
        ans =
          logical
           1
        ans =
          logical
           0

    See also: toposort, digraph, conncomp.
    """
    net = net_of(graph, "isdag", directed=True)
    return sources_first(net).size == net.count


@builtin("transclosure", family="graphs/search", effects="pure")
def transclosure(graph: Any) -> Any:
    """Directed graph with an edge wherever a path leads.

    H = transclosure(G)

    Examples:
        >> H = transclosure(digraph([1 2], [2 3])); H.Edges.EndNodes
        ans =
             1     2
             1     3
             2     3

    See also: toposort, distances, isdag.
    """
    net = net_of(graph, "transclosure", directed=True)
    following = net.following()
    ends = []
    for node in range(net.count):
        seen: set[int] = set()
        for target, _ in following[node]:
            if target not in seen:
                for _ in breadth_first(following, target, seen):
                    pass
        ends += [(node, target) for target in sorted(seen)]
    array = np.array(ends, np.intp).reshape(-1, 2)
    return made(attrs.evolve(net, ends=array, weights=None))
