"""Nodes and edges added, removed, selected and put in another order."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size, integer, numeric
from runmat_core.builtins.graphs.value import (
    Indices,
    Net,
    check_names,
    column,
    found_nodes,
    is_named,
    made,
    net_of,
    node_numbers,
    nodes_of,
    sorted_net,
    weights_of,
)
from runmat_core.values import class_of, texts


def _padded(names: tuple[str, ...] | None, count: int) -> tuple[str, ...] | None:
    """Names for `count` nodes: those there are, then Node1 and so on by number."""
    if names is None:
        return None
    return (*names, *(f"Node{k + 1}" for k in range(len(names), count)))


@builtin("addnode", family="graphs/editing", effects="pure")
def addnode(graph: Any, nodes: Any) -> Any:
    """Graph with more nodes.

    H = addnode(G, COUNT), H = addnode(G, NAMES)

    Examples:
        >> numnodes(addnode(graph(1, 2), 3))
        ans =
             5

    See also: rmnode, addedge, graph.
    """
    net = net_of(graph, "addnode")
    if is_named(nodes):
        fresh = texts(nodes)
        before = _padded(net.names if net.names is not None else (), net.count) or ()
        count = net.count + len(fresh)
        return made(attrs.evolve(net, count=count, names=check_names((*before, *fresh), count)))
    more = integer(nodes, "COUNT")
    if more < 0:
        raise MatlabError(
            "MATLAB:graphfun:addnode:InvalidNumNodes", "COUNT must be a nonnegative integer."
        )
    check_size((net.count + more,), 64)
    count = net.count + more
    return made(attrs.evolve(net, count=count, names=_padded(net.names, count)))


@builtin("rmnode", family="graphs/editing", effects="pure")
def rmnode(graph: Any, nodes: Any) -> Any:
    """Graph without some nodes and their edges; those after them get lower numbers.

    H = rmnode(G, NODES) with numbers or names

    Examples:
        >> G = rmnode(graph([1 2 3], [2 3 1]), 2); G.Edges.EndNodes
        ans =
             1     2

    See also: addnode, subgraph, rmedge.
    """
    net = net_of(graph, "rmnode")
    kept = np.setdiff1d(np.arange(net.count), nodes_of(net, nodes, "rmnode"))
    return made(_restricted(net, kept))


def _restricted(net: Net, nodes: Indices) -> Net:
    """Return the nodes given, in that order, and the edges between them."""
    place = np.full(net.count, -1, np.intp)
    place[nodes] = np.arange(nodes.size)
    ends = place[net.ends]
    kept = (ends >= 0).all(axis=1)
    names = None if net.names is None else tuple(net.names[k] for k in nodes)
    weights = None if net.weights is None else net.weights[kept]
    return sorted_net(net.directed, nodes.size, ends[kept], weights, names)[0]


@builtin("subgraph", family="graphs/editing", effects="pure")
def subgraph(graph: Any, nodes: Any) -> Any:
    """Graph of some nodes and the edges between them.

    H = subgraph(G, NODES) with numbers, names, or a logical for each node

    Examples:
        >> numedges(subgraph(graph([1 2 3], [2 3 1]), [1 3]))
        ans =
             1

    See also: rmnode, reordernodes, conncomp.
    """
    net = net_of(graph, "subgraph")
    if class_of(nodes) == "logical":
        flags = numeric(nodes, "subgraph").ravel(order="F")
        if flags.size != net.count:
            raise MatlabError(
                "MATLAB:graphfun:subgraph:InvalidLogical", "There must be a flag for each node."
            )
        chosen = np.flatnonzero(flags)
    else:
        chosen = nodes_of(net, nodes, "subgraph")
    if np.unique(chosen).size != chosen.size:
        raise MatlabError("MATLAB:graphfun:subgraph:InvalidNodes", "Nodes must be unique.")
    return made(_restricted(net, chosen))


@builtin("reordernodes", family="graphs/editing", nargout=2, needs=("nargout",), effects="pure")
def reordernodes(graph: Any, order: Any, *, nargout: int) -> Any:
    """Graph with its nodes in another order.

    H = reordernodes(G, ORDER) with numbers or names of all nodes
    [H, IDX] = reordernodes(G, ORDER) tells which edge of G each edge of H was

    Examples:
        >> H = reordernodes(digraph(1, 2), [2 1]); H.Edges.EndNodes
        ans =
             2     1

    See also: subgraph, flipedge.
    """
    net = net_of(graph, "reordernodes")
    nodes = nodes_of(net, order, "reordernodes")
    if not np.array_equal(np.sort(nodes), np.arange(net.count)):
        raise MatlabError(
            "MATLAB:graphfun:reordernodes:InvalidOrder", "ORDER must hold each node once."
        )
    place = np.empty(net.count, np.intp)
    place[nodes] = np.arange(net.count)
    names = None if net.names is None else tuple(net.names[k] for k in nodes)
    fresh, where = sorted_net(net.directed, net.count, place[net.ends], net.weights, names)
    return (made(fresh), column(where + 1)) if nargout > 1 else made(fresh)


def _edge_ends(net: Net, s: Any, t: Any, name: str) -> tuple[Net, Indices]:
    """End of edges, and the net with the nodes that they name and it does not have."""
    sides = []
    for value in (s, t):
        if is_named(value):
            wanted = texts(value)
            if net.names is None and net.count:
                nodes_of(net, value, name)
            fresh = [w for w in dict.fromkeys(wanted) if w not in (net.names or ())]
            names = (*(net.names or ()), *fresh)
            net = attrs.evolve(net, count=len(names), names=check_names(names, len(names)))
            sides.append(found_nodes(net, wanted))
        else:
            numbers = node_numbers(value, name)
            count = max(net.count, int(numbers.max(initial=-1)) + 1)
            check_size((count,), 64)
            net = attrs.evolve(net, count=count, names=_padded(net.names, count))
            sides.append(numbers)
    if sides[0].size != sides[1].size and 1 not in (sides[0].size, sides[1].size):
        raise MatlabError(
            f"MATLAB:graphfun:{name}:InvalidEdgeList", "Both ends must have as many nodes."
        )
    return net, np.stack(np.broadcast_arrays(*sides), axis=1)


@builtin("addedge", family="graphs/editing", nargin=(3, 4), effects="pure")
def addedge(graph: Any, s: Any, t: Any, weights: Any = None) -> Any:
    """Graph with more edges; nodes that are not there are added.

    H = addedge(G, S, T), H = addedge(G, S, T, W) with weights, which all edges have or none

    Examples:
        >> G = addedge(graph(1, 2), [2 3], [3 1]); numedges(G)
        ans =
             3

    See also: rmedge, addnode, graph.
    """
    net, ends = _edge_ends(net_of(graph, "addedge"), s, t, "addedge")
    old = len(net.ends)
    if weights is None and net.weights is not None and old:
        raise MatlabError(
            "MATLAB:graphfun:addedge:SpecifyWeight",
            "New edges must have weights, because the graph has weights.",
        )
    if weights is not None and net.weights is None and old:
        raise MatlabError(
            "MATLAB:graphfun:addedge:NoWeights",
            "New edges must not have weights, because the graph has no weights.",
        )
    numbers = None
    if weights is not None:
        before = np.zeros(0) if net.weights is None else net.weights
        numbers = np.concatenate([before, weights_of(weights, len(ends))])
    joined = np.concatenate([net.ends, ends])
    return made(sorted_net(net.directed, net.count, joined, numbers, net.names)[0])


@builtin("rmedge", family="graphs/editing", nargin=(2, 3), effects="pure")
def rmedge(graph: Any, s: Any, t: Any = None) -> Any:
    """Graph without some edges.

    H = rmedge(G, S, T) with numbers or names of nodes, H = rmedge(G, IDX) with numbers of edges

    Examples:
        >> G = rmedge(graph([1 2 3], [2 3 1]), 1, 3); G.Edges.EndNodes
        ans =
             1     2
             2     3

    See also: addedge, findedge, rmnode.
    """
    net = net_of(graph, "rmedge")
    gone = _edge_numbers(net, s, "rmedge") if t is None else _matching(net, s, t, "rmedge")[0]
    kept = np.setdiff1d(np.arange(len(net.ends)), gone)
    weights = None if net.weights is None else net.weights[kept]
    return made(attrs.evolve(net, ends=net.ends[kept], weights=weights))


def _edge_numbers(net: Net, value: Any, name: str) -> Indices:
    numbers = node_numbers(value, name)
    if (numbers >= len(net.ends)).any():
        raise MatlabError(
            f"MATLAB:graphfun:{name}:InvalidEdgeID",
            f"Edge numbers must not exceed the number of edges, {len(net.ends)}.",
        )
    return numbers


def _matching(net: Net, s: Any, t: Any, name: str) -> tuple[Indices, Indices]:
    """Return the edges between nodes, and for each the pair of nodes that it belongs to."""
    sides = [nodes_of(net, value, name) for value in (s, t)]
    if sides[0].size != sides[1].size and 1 not in (sides[0].size, sides[1].size):
        raise MatlabError(
            f"MATLAB:graphfun:{name}:InvalidEdgeList", "Both ends must have as many nodes."
        )
    wanted = np.stack(np.broadcast_arrays(*sides), axis=1)
    if not net.directed:
        wanted = np.sort(wanted, axis=1)
    place: dict[tuple[int, int], list[int]] = {}
    for number, (a, b) in enumerate(net.ends.tolist()):
        place.setdefault((a, b), []).append(number)
    edges, pairs = [], []
    for pair, (a, b) in enumerate(wanted.tolist()):
        found = place.get((a, b), [-1])
        edges += found
        pairs += [pair] * len(found)
    numbers = np.array(edges, np.intp)
    there = numbers >= 0 if name == "rmedge" else np.ones(numbers.size, bool)
    return numbers[there], np.array(pairs, np.intp)[there]


@builtin("findedge", family="graphs/editing", nargin=(1, 3), nargout=2, needs=("nargout",))
def findedge(graph: Any, s: Any = None, t: Any = None, *, nargout: int) -> Any:
    """Numbers of edges, or the nodes at their ends.

    IDX = findedge(G, S, T): the edge between each S and T, 0 where there is none
    [S, T] = findedge(G, IDX), [S, T] = findedge(G) of all edges

    Examples:
        >> findedge(graph([1 2 3], [2 3 1]), 3, [1 2 3])'
        ans =
             2     3     0

    See also: findnode, rmedge, edgecount.
    """
    net = net_of(graph, "findedge")
    if t is None:
        everything = np.arange(len(net.ends))
        numbers = everything if s is None else _edge_numbers(net, s, "findedge")
        outputs = column(net.ends[numbers, 0] + 1), column(net.ends[numbers, 1] + 1)
        return outputs if nargout > 1 else outputs[0]
    edges, pairs = _matching(net, s, t, "findedge")
    return (column(edges + 1), column(pairs + 1)) if nargout > 1 else column(edges + 1)


@builtin("findnode", family="graphs/editing", effects="pure")
def findnode(graph: Any, nodes: Any) -> Any:
    """Numbers of nodes.

    IDX = findnode(G, NAMES): the number of each name, 0 where there is none

    Examples:
        >> findnode(graph({'a'}, {'b'}), {'b' 'x'})'
        ans =
             2     0

    See also: findedge, numnodes.
    """
    net = net_of(graph, "findnode")
    if is_named(nodes):
        return column(found_nodes(net, texts(nodes)) + 1)
    numbers = node_numbers(nodes, "findnode")
    return column(np.where(numbers < net.count, numbers + 1, 0))


@builtin("edgecount", family="graphs/editing", effects="pure")
def edgecount(graph: Any, s: Any, t: Any) -> Any:
    """How many edges there are between nodes.

    N = edgecount(G, S, T)

    Examples:
        >> edgecount(graph([1 1], [2 2]), 1, 2)
        ans =
             2

    See also: findedge, ismultigraph.
    """
    net = net_of(graph, "edgecount")
    edges, pairs = _matching(net, s, t, "edgecount")
    count = np.zeros(int(pairs.max(initial=-1)) + 1)
    np.add.at(count, pairs, edges >= 0)
    return column(count)


@builtin("flipedge", family="graphs/editing", nargin=(1, 3), effects="pure")
def flipedge(graph: Any, s: Any = None, t: Any = None) -> Any:
    """Directed graph with edges turned round.

    H = flipedge(G), H = flipedge(G, S, T), H = flipedge(G, IDX)

    Examples:
        >> G = flipedge(digraph([1 2], [2 3])); G.Edges.EndNodes
        ans =
             2     1
             3     2

    See also: digraph, reordernodes, rmedge.
    """
    net = net_of(graph, "flipedge", directed=True)
    if s is None:
        chosen = np.arange(len(net.ends))
    elif t is None:
        chosen = _edge_numbers(net, s, "flipedge")
    else:
        chosen = _matching(net, s, t, "rmedge")[0]
    ends = net.ends.copy()
    ends[chosen] = ends[chosen, ::-1]
    return made(sorted_net(True, net.count, ends, net.weights, net.names)[0])
