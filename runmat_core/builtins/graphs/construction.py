"""graph and digraph: from matrices, lists of edges, and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_core.api.builtin import builtin
from runmat_core.api.errors import MatlabError
from runmat_core.builtins.arguments import check_size, real
from runmat_core.builtins.graphs.value import (
    Digraph,
    Graph,
    Indices,
    Numbers,
    check_names,
    is_named,
    node_numbers,
    sorted_net,
    weights_of,
)
from runmat_core.values import (
    COLON,
    SparseArray,
    class_of,
    from_numpy,
    index,
    is_text,
    numel_of,
    size_of,
    text,
    texts,
)
from runmat_core.values.tables.table import Table


def _fail(directed: bool, what: str, message: str) -> MatlabError:
    kind = "digraph" if directed else "graph"
    return MatlabError(f"MATLAB:graphfun:{kind}:{what}", message)


def _flags(args: Sequence[Any], known: set[str]) -> tuple[list[Any], set[str]]:
    """Arguments without the options at their end, and these."""
    rest = list(args)
    found = set()
    while rest and is_text(rest[-1]) and text(rest[-1]).lower() in known:
        found.add(text(rest.pop()).lower())
    return rest, found


def _from_matrix(directed: bool, args: Sequence[Any], flags: set[str]) -> Any:
    """Edges where a square matrix is not zero; logical ones have no weights."""
    matrix = args[0]
    shape = size_of(matrix)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise _fail(directed, "Square", "Adjacency matrix must be square.")
    if isinstance(matrix, SparseArray):
        rows, columns, values = matrix.triplets()
    else:
        a = real(matrix, "graph")
        rows, columns = np.nonzero(a)
        values = a[rows, columns]
    if values.dtype.kind == "c":
        raise _fail(directed, "Real", "Adjacency matrix must be real.")
    rows, columns = rows.astype(np.intp), columns.astype(np.intp)
    if not directed:
        if "upper" not in flags and "lower" not in flags:
            _check_symmetric(rows, columns, values)
        kept = rows >= columns if "lower" in flags else rows <= columns
        rows, columns, values = rows[kept], columns[kept], values[kept]
    weights = None if class_of(matrix) == "logical" else values.astype(np.float64)
    names = texts(args[1]) if len(args) > 1 else None
    return np.stack([rows, columns], axis=1), weights, shape[0], names


def _check_symmetric(rows: Indices, columns: Indices, values: Numbers) -> None:
    there, back = np.lexsort((columns, rows)), np.lexsort((rows, columns))
    same = (rows[there] == columns[back]).all() and (columns[there] == rows[back]).all()
    if not (same and (values[there] == values[back]).all()):
        raise _fail(
            False, "Symmetric", "Adjacency matrix must be symmetric, or be given as a triangle."
        )


def _ends(directed: bool, s: Any, t: Any) -> tuple[Indices, Indices, list[str] | None]:
    """Both ends of edges; names that they are told by in the order in which they appear."""
    if is_named(s) != is_named(t):
        raise _fail(directed, "InvalidEdgeList", "Edges must be told by numbers, or by names.")
    if not is_named(s):
        first, last = node_numbers(s, "graph"), node_numbers(t, "graph")
        names = None
    else:
        sources, targets = texts(s), texts(t)
        names = list(dict.fromkeys([*sources, *targets]))
        place = {name: k for k, name in enumerate(names)}
        first = np.array([place[name] for name in sources], np.intp)
        last = np.array([place[name] for name in targets], np.intp)
    if first.size != last.size:
        if 1 not in (first.size, last.size):
            raise _fail(directed, "InvalidEdgeList", "Both ends must have as many nodes.")
        first, last = (a.copy() for a in np.broadcast_arrays(first, last))
    return first, last, names


def _from_edges(directed: bool, args: Sequence[Any]) -> Any:
    """``(s, t)``, ``(s, t, weights)``, with names or a number of nodes after it."""
    first, last, found = _ends(directed, args[0], args[1])
    weights = None
    if len(args) > 2 and numel_of(args[2]) and not is_named(args[2]):
        weights = weights_of(args[2], first.size)
    rest = args[2:] if len(args) > 2 and is_named(args[2]) else args[3:]
    count = int(max(first.max(initial=-1), last.max(initial=-1))) + 1
    names = found
    if rest and is_named(rest[0]):
        names = texts(rest[0])
        if found is not None:
            place = {name: k for k, name in enumerate(names)}
            if any(name not in place for name in found):
                raise _fail(directed, "UnknownNodeName", "Edges name nodes that are not given.")
            order = np.array([place[name] for name in found], np.intp)
            first, last = order[first], order[last]
        elif count > len(names):
            raise _fail(directed, "InvalidNumNodeNames", "There are more nodes than names.")
        count = len(names)
    elif rest and numel_of(rest[0]):
        wanted = node_numbers(rest[0], "graph") + 1
        if wanted.size != 1 or wanted[0] < count:
            raise _fail(directed, "InvalidNumNodes", "The number of nodes is too small.")
        count = int(wanted[0])
    return np.stack([first, last], axis=1), weights, count, names


def _from_tables(directed: bool, args: Sequence[Any]) -> list[Any]:
    """``(EDGES)``, ``(EDGES, NODES)`` as the arguments of a list of edges."""
    edges = args[0]
    ends = edges.column("EndNodes")
    if size_of(ends)[1:] != (2,) or not set(edges.names) <= {"EndNodes", "Weight"}:
        raise _fail(
            directed, "InvalidEdgeTable", "Edges must have the variables EndNodes and Weight alone."
        )
    s, t = (index(ends, (COLON, k)) for k in (1.0, 2.0))
    weights = edges.column("Weight") if "Weight" in edges.names else from_numpy(np.zeros((0, 0)))
    if len(args) < 2:
        return [s, t, weights]
    nodes = args[1]
    if not isinstance(nodes, Table) or not set(nodes.names) <= {"Name"}:
        raise _fail(directed, "InvalidNodeTable", "Nodes must have the variable Name alone.")
    return [s, t, weights, nodes.column("Name") if nodes.names else float(nodes.shape[0])]


def _build(directed: bool, args: tuple[Any, ...]) -> Any:
    kind = Digraph if directed else Graph
    known = {"omitselfloops"} if directed else {"omitselfloops", "upper", "lower"}
    plain, flags = _flags(args, known)
    if plain and isinstance(plain[0], Table):
        plain = _from_tables(directed, plain)
    if not plain:
        return kind(sorted_net(directed, 0, np.zeros((0, 2), np.intp), None, None)[0])
    matrix = len(plain) == 1 or (len(plain) == 2 and is_named(plain[1]) and not is_named(plain[0]))
    if len(plain) > 4 or (matrix and is_named(plain[0])):
        raise _fail(directed, "InvalidInput", "Expected a matrix, or both ends of edges.")
    read = _from_matrix(directed, plain, flags) if matrix else _from_edges(directed, plain)
    ends, weights, count, names = read
    check_size((count,), 64)
    if "omitselfloops" in flags:
        kept = ends[:, 0] != ends[:, 1]
        ends, weights = ends[kept], None if weights is None else weights[kept]
    return kind(sorted_net(directed, count, ends, weights, check_names(names, count))[0])


@builtin("graph", family="graphs/construction", nargin=(0, 6), effects="pure")
def graph(*args: Any) -> Any:
    """Graph with undirected edges.

    G = graph(A) with an edge where the symmetric matrix A is not zero, its value as weight;
    G = graph(A, NAMES); G = graph(A, "upper"), G = graph(A, "lower") take a triangle of A
    G = graph(S, T) with an edge between each S and T, which are numbers or names of nodes
    G = graph(S, T, WEIGHTS), G = graph(S, T, WEIGHTS, NAMES), G = graph(S, T, WEIGHTS, COUNT)
    G = graph(EDGES), G = graph(EDGES, NODES) with tables as G.Edges and G.Nodes
    G = graph(…, "omitselfloops"); G = graph is empty

    G.Edges is a table with the variables EndNodes and Weight, G.Nodes one with Name.

    Examples:
        >> G = graph([1 2 3], [2 3 1]); numedges(G)
        ans =
             3
        >> neighbors(G, 1)'
        ans =
             2     3

    See also: digraph, addedge, shortestpath, conncomp, minspantree.
    """
    return _build(False, args)


@builtin("digraph", family="graphs/construction", nargin=(0, 5), effects="pure")
def digraph(*args: Any) -> Any:
    """Graph with directed edges.

    G = digraph(A) with an edge from row to column where A is not zero, its value as weight;
    G = digraph(A, NAMES)
    G = digraph(S, T) with an edge from each S to T, which are numbers or names of nodes
    G = digraph(S, T, WEIGHTS), G = digraph(S, T, WEIGHTS, NAMES), G = digraph(S, T, WEIGHTS, COUNT)
    G = digraph(EDGES), G = digraph(EDGES, NODES) with tables as G.Edges and G.Nodes
    G = digraph(…, "omitselfloops"); G = digraph is empty

    G.Edges is a table with the variables EndNodes and Weight, G.Nodes one with Name.

    Examples:
        >> G = digraph({'a' 'b'}, {'b' 'c'}); successors(G, 'a')
        ans =
          1×1 cell array
            {'b'}

    See also: graph, toposort, successors, predecessors.
    """
    return _build(True, args)
