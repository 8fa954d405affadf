"""The classes graph and digraph, and how builtins read them and name nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.errors import MatlabError, undefined_for
from runmat_core.api.libraries import package
from runmat_core.builtins.arguments import real
from runmat_core.builtins.members import BuiltinObject
from runmat_core.values import (
    CellArray,
    SparseArray,
    char,
    class_of,
    from_numpy,
    is_text,
    isequal,
    texts,
)
from runmat_core.values.cell import cell_column, cell_row
from runmat_core.values.string import StringArray
from runmat_core.values.tables.table import Table

Indices = NDArray[np.intp]
Numbers = NDArray[np.float64]


@attrs.frozen(eq=False)
class Net:
    """Nodes and edges; never changed.

    Attributes:
        directed: whether edges have a direction.
        count: the number of nodes.
        ends: source and target of each edge, from zero, sorted; of an undirected edge the smaller
            node comes first.
        weights: a number for each edge, or None.
        names: the names of the nodes, or None.
    """

    directed: bool
    count: int
    ends: Indices
    weights: Numbers | None = None
    names: tuple[str, ...] | None = None

    def costs(self) -> Numbers:
        """Return the weights, 1 for each edge where there are none."""
        return np.ones(len(self.ends)) if self.weights is None else self.weights

    def arcs(self) -> tuple[Indices, Indices, Indices]:
        """Return sources, targets and edge numbers of all ways along an edge."""
        s, t = self.ends[:, 0], self.ends[:, 1]
        number = np.arange(len(self.ends))
        if self.directed:
            return s, t, number
        back = s != t
        return (
            np.concatenate([s, t[back]]),
            np.concatenate([t, s[back]]),
            np.concatenate([number, number[back]]),
        )

    def following(self, reverse: bool = False) -> list[list[tuple[int, int]]]:
        """For each node where edges lead to and their numbers, in the order of nodes."""
        s, t, number = self.arcs()
        if reverse:
            s, t = t, s
        order = np.lexsort((number, t, s))
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.count)]
        for k in order.tolist():
            found[s[k]].append((int(t[k]), int(number[k])))
        return found


def sorted_net(
    directed: bool,
    count: int,
    ends: Indices,
    weights: Numbers | None,
    names: tuple[str, ...] | None,
) -> tuple[Net, Indices]:
    """Return a net of edges in any order, and where each of its edges was."""
    if not directed:
        ends = np.sort(ends, axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    net = Net(directed, count, ends[order], None if weights is None else weights[order], names)
    return net, order


_FUNCTIONS = frozenset(
    "numnodes numedges addnode rmnode addedge rmedge findnode findedge edgecount ismultigraph "
    "subgraph reordernodes neighbors degree adjacency incidence bfsearch dfsearch shortestpath "
    "distances conncomp centrality maxflow".split()
)


class GraphValue(BuiltinObject):
    """A graph or digraph.

    Attributes:
        data: its `Net`.
    """

    __slots__ = ()
    data: Net
    properties = ("Edges", "Nodes")

    def __init__(self, net: Net) -> None:
        self.data = net

    def get_property(self, name: str) -> Any:
        net = self.data
        if name == "Nodes":
            names = {} if net.names is None else {"Name": named(net, range(net.count), True)}
            return Table.of(names, height=net.count)
        columns: dict[str, Any] = {"EndNodes": self._end_nodes()}
        if net.weights is not None:
            columns["Weight"] = from_numpy(net.weights.reshape(-1, 1))
        return Table.of(columns, height=len(net.ends))

    def _end_nodes(self) -> Any:
        net = self.data
        if net.names is None:
            return from_numpy(net.ends + 1.0)
        cells = np.empty(net.ends.shape, object)
        for at, node in np.ndenumerate(net.ends):
            cells[at] = char(net.names[node])
        return CellArray(cells)

    def set_property(self, name: str, rhs: Any) -> None:
        """Weights and names of nodes may be changed; the edges themselves have functions."""
        net = self.data
        known, height = ("Name", net.count) if name == "Nodes" else ("Weight", len(net.ends))
        if not isinstance(rhs, Table) or rhs.shape[0] != height:
            raise self._bad(f"'{name}' must be a table of {height} rows.")
        columns = {key: rhs.column(key) for key in rhs.names}
        ends = columns.pop("EndNodes", None) if name == "Edges" else None
        if name == "Edges" and not (ends is not None and isequal(ends, self._end_nodes())):
            raise self._bad("EndNodes cannot be changed: use addedge and rmedge.")
        value = columns.pop(known, None)
        if columns:
            raise self._bad(f"'{name}' has no variable '{next(iter(columns))}', only '{known}'.")
        if name == "Nodes":
            names = None if value is None else texts(value)
            self.data = attrs.evolve(net, names=check_names(names, net.count))
        else:
            weights = None if value is None else weights_of(value, height)
            self.data = attrs.evolve(net, weights=weights)

    def _bad(self, message: str) -> MatlabError:
        return MatlabError(f"MATLAB:graphfun:{self.class_name}:SetProperty", message)

    def is_equal(self, other: Any, nan_equal: bool) -> bool:
        """Whether ``isequal`` holds."""
        if not isinstance(other, GraphValue):
            return False
        a, b = self.data, other.data
        return (
            (a.directed, a.count, a.names) == (b.directed, b.count, b.names)
            and np.array_equal(a.ends, b.ends)
            and (a.weights is None) == (b.weights is None)
            and np.array_equal(a.costs(), b.costs(), equal_nan=nan_equal)
        )


class Graph(GraphValue):
    __slots__ = ()
    class_name = "graph"
    functions = _FUNCTIONS | {"minspantree", "laplacian"}


class Digraph(GraphValue):
    __slots__ = ()
    class_name = "digraph"
    functions = _FUNCTIONS | frozenset(
        "successors predecessors indegree outdegree toposort isdag flipedge transclosure".split()
    )


def made(net: Net) -> GraphValue:
    """Return the object of a net."""
    return Digraph(net) if net.directed else Graph(net)


# -- reading arguments --------------------------------------------------------------------------


def net_of(value: Any, name: str, directed: bool | None = None) -> Net:
    """Return the net of a graph or digraph that the builtin `name` is given.

    Args:
        directed: which of the two it must be, None for either.
    """
    if not isinstance(value, GraphValue) or directed not in (None, value.data.directed):
        raise undefined_for(name, class_of(value))
    return value.data


def is_named(value: Any) -> bool:
    """Whether an argument gives names of nodes."""
    return is_text(value) or isinstance(value, CellArray | StringArray)


def node_numbers(value: Any, name: str) -> Indices:
    """Positive whole numbers, from zero."""
    a = np.asarray(real(value, name)).ravel(order="F")
    if (a.dtype.kind == "f" and not (np.isfinite(a) & (a == np.floor(a))).all()) or (a < 1).any():
        raise MatlabError(
            f"MATLAB:graphfun:{name}:InvalidNodeID", "Node numbers must be positive integers."
        )
    return np.minimum(a.astype(np.float64), 2.0**40).astype(np.intp) - 1


def nodes_of(net: Net, value: Any, name: str) -> Indices:
    """Nodes that an argument tells by number or name; all must be there."""
    if is_named(value):
        found = found_nodes(net, texts(value))
        if (found < 0).any():
            missing = texts(value)[int(np.flatnonzero(found < 0)[0])]
            raise MatlabError(
                f"MATLAB:graphfun:{name}:UnknownNodeName", f"Unknown node name '{missing}'."
            )
        return found
    numbers = node_numbers(value, name)
    if (numbers >= net.count).any():
        raise MatlabError(
            f"MATLAB:graphfun:{name}:InvalidNodeID",
            f"Node numbers must not exceed the number of nodes, {net.count}.",
        )
    return numbers


def node_of(net: Net, value: Any, name: str) -> int:
    """Return the one node that an argument tells."""
    found = nodes_of(net, value, name)
    if found.size != 1:
        raise MatlabError(f"MATLAB:graphfun:{name}:NonScalarNode", "Expected a single node.")
    return int(found[0])


def found_nodes(net: Net, wanted: Sequence[str]) -> Indices:
    """Return the nodes of names, -1 for those that are not there."""
    place = {name: k for k, name in enumerate(net.names or ())}
    return np.array([place.get(name, -1) for name in wanted], np.intp)


def weights_of(value: Any, count: int) -> Numbers:
    weights = np.asarray(real(value, "graph"), np.float64).ravel(order="F")
    if weights.size == 1 and count != 1:
        weights = np.repeat(weights, count)
    if weights.size != count:
        raise MatlabError(
            "MATLAB:graphfun:graph:InvalidWeights", "There must be a weight for each edge."
        )
    return weights


def check_names(names: Sequence[str] | None, count: int) -> tuple[str, ...] | None:
    """Names of nodes: as many as there are nodes, none empty or twice."""
    if names is None:
        return None
    if len(names) != count:
        raise MatlabError(
            "MATLAB:graphfun:graph:InvalidNumNodeNames", f"There must be {count} node names."
        )
    if len(set(names)) != len(names) or "" in names:
        raise MatlabError(
            "MATLAB:graphfun:graph:NonUniqueNames", "Node names must be unique and not empty."
        )
    return tuple(names)


# -- giving results -----------------------------------------------------------------------------


def named(net: Net, nodes: Any, by_name: bool, row: bool = False) -> Any:
    """Nodes as MATLAB gives them: a cell of names, or numbers from one; a column unless `row`."""
    if by_name:
        # names were looked up, so there are names
        cells = [char((net.names or ())[k]) for k in nodes]
        return cell_row(cells) if row else cell_column(cells)
    numbers = np.asarray([int(k) + 1.0 for k in nodes], np.float64)
    return from_numpy(numbers.reshape((1, -1) if row else (-1, 1)))


def column(values: Any) -> Any:
    return from_numpy(np.asarray(values, np.float64).reshape(-1, 1))


def sparse(rows: Any, columns: Any, values: Any, shape: tuple[int, int]) -> SparseArray:
    """Return a sparse matrix; what falls on one place is added up."""
    coo_array = package("scipy.sparse").coo_array

    return SparseArray(coo_array((values, (rows, columns)), shape=shape).tocsc())
