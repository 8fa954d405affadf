"""What a graph is like at its nodes: counts, neighbours, degrees; its matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.builtins.graphs.value import (
    Indices,
    Net,
    column,
    is_named,
    named,
    net_of,
    node_of,
    nodes_of,
    sparse,
    weights_of,
)
from runmat_core.values import class_of, is_text, size_of, text


@builtin("numnodes", family="graphs/structure", effects="pure")
def numnodes(graph: Any) -> float:
    """Number of nodes of a graph.

    N = numnodes(G)

    Examples:
        >> numnodes(graph([1 2], [2 5]))
        ans =
             5

    See also: numedges, graph, digraph.
    """
    return float(net_of(graph, "numnodes").count)


@builtin("numedges", family="graphs/structure", effects="pure")
def numedges(graph: Any) -> float:
    """Number of edges of a graph.

    M = numedges(G)

    Examples:
        >> numedges(graph([1 2], [2 5]))
        ans =
             2

    See also: numnodes, edgecount.
    """
    return float(len(net_of(graph, "numedges").ends))


@builtin("ismultigraph", family="graphs/structure", effects="pure")
def ismultigraph(graph: Any) -> bool:
    """Whether several edges join the same nodes.

    TF = ismultigraph(G)

    Examples:
        >> ismultigraph(graph([1 1], [2 2]))
        ans =
          logical
           1

    See also: edgecount, numedges.
    """
    ends = net_of(graph, "ismultigraph").ends
    return len(np.unique(ends, axis=0)) < len(ends)


def _neighbourhood(graph: Any, node: Any, name: str, reverse: bool) -> Any:
    net = net_of(graph, name, None if name == "neighbors" else True)
    at = node_of(net, node, name)
    s, t, _ = net.arcs()
    if reverse:
        s, t = t, s
    return named(net, np.unique(t[s == at]), is_named(node))


@builtin("neighbors", family="graphs/structure", nargin=(1, 2), effects="pure")
def neighbors(graph: Any, node: Any = None) -> Any:
    """Neighbours: nodes that an edge joins with a node, or triangles beside triangles.

    N = neighbors(G, NODE) of an undirected graph: numbers, or names where NODE is a name
    N = neighbors(TR), N = neighbors(TR, ID) of a triangulation: a row for each simplex with the
    simplices opposite to its vertices, NaN at the border

    Examples:
        >> neighbors(graph([1 2 3], [2 3 1]), 1)
        ans =
             2
             3

    See also: successors, predecessors, degree, triangulation.
    """
    from runmat_core.builtins.geometry.mesh import Mesh, neighbours_of

    if isinstance(graph, Mesh):
        return neighbours_of(graph, node)
    if node is None:
        raise undefined_for("neighbors", class_of(graph))
    net_of(graph, "neighbors", directed=False)
    return _neighbourhood(graph, node, "neighbors", reverse=False)


@builtin("successors", family="graphs/structure", effects="pure")
def successors(graph: Any, node: Any) -> Any:
    """Nodes that edges from a node lead to.

    N = successors(G, NODE): numbers, or names where NODE is a name

    Examples:
        >> successors(digraph([1 1 2], [2 3 3]), 1)
        ans =
             2
             3

    See also: predecessors, neighbors, outdegree.
    """
    return _neighbourhood(graph, node, "successors", reverse=False)


@builtin("predecessors", family="graphs/structure", effects="pure")
def predecessors(graph: Any, node: Any) -> Any:
    """Nodes from which edges lead to a node.

    N = predecessors(G, NODE): numbers, or names where NODE is a name

    Examples:
        >> predecessors(digraph([1 1 2], [2 3 3]), 3)
        ans =
             1
             2

    See also: successors, neighbors, indegree.
    """
    return _neighbourhood(graph, node, "predecessors", reverse=True)


def degrees(net: Net, ends: tuple[int, ...]) -> Indices:
    """How many edges each node is the source (0) or target (1) of."""
    return np.bincount(net.ends[:, ends].ravel(), minlength=net.count).astype(np.intp)


def _degree(net: Net, ends: tuple[int, ...], nodes: Any, name: str) -> Any:
    count = degrees(net, ends).astype(np.float64)
    if nodes is None:
        return column(count)
    found = count[nodes_of(net, nodes, name)]
    shape = size_of(nodes)
    if is_named(nodes):
        shape = (found.size, 1) if is_text(nodes) else shape
    return column(found) if found.size != np.prod(shape) else _shaped(found, shape)


def _shaped(values: Any, shape: tuple[int, ...]) -> Any:
    from runmat_core.values import from_numpy

    return from_numpy(np.asarray(values, np.float64).reshape(shape, order="F"))


@builtin("degree", family="graphs/structure", nargin=(1, 2), effects="pure")
def degree(graph: Any, nodes: Any = None) -> Any:
    """How many ends of edges there are at nodes of an undirected graph.

    D = degree(G), D = degree(G, NODES)

    An edge from a node to itself counts twice.

    Examples:
        >> degree(graph([1 2 3 3], [2 3 1 4]))'
        ans =
             2     2     3     1

    See also: indegree, outdegree, neighbors.
    """
    return _degree(net_of(graph, "degree", directed=False), (0, 1), nodes, "degree")


@builtin("indegree", family="graphs/structure", nargin=(1, 2), effects="pure")
def indegree(graph: Any, nodes: Any = None) -> Any:
    """How many edges lead to nodes of a directed graph.

    D = indegree(G), D = indegree(G, NODES)

    Examples:
        >> indegree(digraph([1 1 2], [2 3 3]))'
        ans =
             0     1     2

    See also: outdegree, degree, predecessors.
    """
    return _degree(net_of(graph, "indegree", directed=True), (1,), nodes, "indegree")


@builtin("outdegree", family="graphs/structure", nargin=(1, 2), effects="pure")
def outdegree(graph: Any, nodes: Any = None) -> Any:
    """How many edges lead from nodes of a directed graph.

    D = outdegree(G), D = outdegree(G, NODES)

    Examples:
        >> outdegree(digraph([1 1 2], [2 3 3]))'
        ans =
             2     1     0

    See also: indegree, degree, successors.
    """
    return _degree(net_of(graph, "outdegree", directed=True), (0,), nodes, "outdegree")


# -- matrices -----------------------------------------------------------------------------------


@builtin("adjacency", family="graphs/structure", nargin=(1, 2), effects="pure")
def adjacency(graph: Any, weights: Any = None) -> Any:
    """Sparse matrix that tells how many edges lead from node to node.

    A = adjacency(G), A = adjacency(G, "weighted") with the weights of edges,
    A = adjacency(G, WEIGHTS) with others

    Examples:
        >> full(adjacency(graph([1 2], [2 3])))
        ans =
             0     1     0
             1     0     1
             0     1     0

    See also: incidence, laplacian, graph.
    """
    net = net_of(graph, "adjacency")
    values = np.ones(len(net.ends))
    if weights is not None and is_text(weights):
        if text(weights).lower() != "weighted" or net.weights is None:
            raise MatlabError(
                "MATLAB:graphfun:adjacency:InvalidWeights",
                'The only option is "weighted", for a graph with weights.',
            )
        values = net.weights
    elif weights is not None:
        values = weights_of(weights, len(net.ends))
    s, t, number = net.arcs()
    return sparse(s, t, values[number], (net.count, net.count))


@builtin("incidence", family="graphs/structure", effects="pure")
def incidence(graph: Any) -> Any:
    """Sparse matrix with a column for each edge: -1 at its source, 1 at its target.

    I = incidence(G)

    Examples:
        >> full(incidence(digraph([1 2], [2 3])))
        ans =
            -1     0
             1    -1
             0     1

    See also: adjacency, laplacian.
    """
    net = net_of(graph, "incidence")
    proper = np.flatnonzero(net.ends[:, 0] != net.ends[:, 1])
    rows = np.concatenate([net.ends[proper, 0], net.ends[proper, 1]])
    values = np.repeat([-1.0, 1.0], proper.size)
    return sparse(rows, np.tile(proper, 2), values, (net.count, len(net.ends)))


@builtin("laplacian", family="graphs/structure", effects="pure")
def laplacian(graph: Any) -> Any:
    """Sparse matrix of degrees less adjacency of an undirected graph.

    L = laplacian(G)

    Examples:
        >> full(laplacian(graph([1 2], [2 3])))
        ans =
             1    -1     0
            -1     2    -1
             0    -1     1

    See also: adjacency, incidence, degree.
    """
    net = net_of(graph, "laplacian", directed=False)
    if (net.ends[:, 0] == net.ends[:, 1]).any() or ismultigraph(graph):
        raise MatlabError(
            "MATLAB:graphfun:laplacian:SelfLoops",
            "A graph with edges from a node to itself, or with several between two nodes, has no "
            "Laplacian.",
        )
    s, t, _ = net.arcs()
    nodes = np.arange(net.count)
    rows, columns = np.concatenate([s, nodes]), np.concatenate([t, nodes])
    values = np.concatenate([-np.ones(s.size), degrees(net, (0, 1)).astype(np.float64)])
    return sparse(rows, columns, values, (net.count, net.count))
