"""From asked-for nodes to the sub-graph below them, and to the key of the plan that runs it.

`walk` is on the way of every evaluation, also of those whose plan is known, and takes one pass over
the nodes. The key holds what the walk meets from edge to edge: a new pending node by its structural
number, a leaf by residency, size and class, or a node met before, which tells ``x*x`` from ``x*y``.
What a leaf was computed from is not in it. `subgraph` puts the nodes in order; a known plan has
that order already and only takes the nodes over.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from sys import getrefcount
from typing import Any

import numpy as np

from runmat_core.accel.graph.node import SOURCE, Node, Op
from runmat_core.accel.planning.keeping import Keeping
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.api.tuples import NamedTuple

#: What is always kept for others, the first time already: it is small, or dear to compute twice.
KEPT_AT_ONCE = frozenset({"call", "reduce", "scan"})
#: What is never kept: it is made again faster than it is read.
NEVER_KEPT = frozenset({"fill", "range"})
#: What a companion may not need besides: nobody has asked for it, so it must be cheap and safe.
NO_COMPANY = frozenset({"call", "cat", "gather", "random", "scan", "update"})
#: How many pending nodes of their own further roots may have.
COMPANION_NODES = 16

_SEEN_LEAF = -2  # numbers of leaves count down from here, those of pending nodes up from 0
_AGAIN = 0.5  # what is met again is a number between two whole ones, which new nodes have


class Walk(NamedTuple):
    """What a walk met.

    Attributes:
        roots: what it started from, companions included.
        key: equal for sub-graphs that one plan serves.
        pending: the nodes without data, in the order in which they were met.
        leaves: the nodes with data.
        keep: which of `pending` to keep for other readers.
        cold: which of `pending` others may read, but nobody has read twice so far.
        again: how many of `pending` were computed before.
        foreign: whether a leaf that was taken for real holds complex elements.
    """

    roots: tuple[Node, ...]
    key: Hashable
    pending: list[Node]
    leaves: list[Node]
    keep: tuple[int, ...]
    cold: list[Node]
    again: int
    foreign: bool


class Template(NamedTuple):
    """All of a sub-graph but its nodes.

    Attributes:
        order: for each number, where the node stands among the pending nodes and leaves of a walk.
    """

    order: tuple[int, ...]
    inputs: list[tuple[int, ...]]
    users: list[list[int]]
    roots: tuple[int, ...]
    keep: frozenset[int]

    def bind(self, walk: Walk) -> Subgraph:
        """Return the sub-graph of a walk with the key that the template was made for."""
        met = walk.pending + walk.leaves
        nodes = list(map(met.__getitem__, self.order))
        return Subgraph(nodes, self.inputs, self.users, self.roots, self.keep, {})


def walk(
    roots: Sequence[Node], sibling_roots: Iterable[Node] = (), keeping: Keeping | None = None
) -> Walk:
    """Everything that the pending nodes `roots` need.

    Args:
        sibling_roots: pending nodes that become roots, too, where they read nothing else than
            what is read anyway: several reductions of one array then share a pass over it.
        keeping: which results to keep the first time already, and what is told of those that are
            computed once more, or read.
    """
    number: dict[Node, int] = {}
    pending: list[Node] = []
    leaves: list[Node] = []
    uses: list[int] = []
    pattern: list[Hashable] = []
    asked = len(roots)
    _visit(roots, number, pending, leaves, uses, pattern)
    for extra in sibling_roots:
        if extra.data is None and extra not in number and _adds_no_leaf(extra, number):
            roots = (*roots, extra)
            pattern.append("|")
            _visit((extra,), number, pending, leaves, uses, pattern)
    again = 0
    node: Node | None
    for node in pending:
        if node.reads > 0:
            again += 1
            if keeping is not None:
                keeping.again(node)
    node = None  # references are counted next
    keep, cold = _outside(roots, pending, uses, keeping)
    foreign = False
    for leaf in leaves:
        data = leaf.data
        if data.__class__ is tuple:
            _settle_items(pending)
            return walk([root for root in roots if root.data is None], (), keeping)
        if data.__class__ is np.ndarray and data.dtype.kind == "c" and leaf.holds_complex:
            foreign = True
        if leaf.reads < 0 and keeping is not None:
            keeping.read(leaf)
    key = (asked, tuple(pattern), keep)
    return Walk(tuple(roots), key, pending, leaves, keep, cold, again, foreign)


def _visit(
    roots: Sequence[Node],
    number: dict[Node, int],
    pending: list[Node],
    leaves: list[Node],
    uses: list[int],
    pattern: list[Hashable],
) -> None:
    stack: list[Any] = list(roots)
    pop, extend, mark, known = stack.pop, stack.extend, pattern.append, number.get
    while stack:
        node = pop()
        if node.__class__ is not Node:
            continue
        seen = known(node)
        if seen is not None:
            mark(seen + _AGAIN)
            if seen >= 0:
                uses[seen] += 1
            continue
        data = node.data
        if data is None:
            number[node] = len(pending)
            pending.append(node)
            uses.append(1)
            mark(node.value_number)
            extend(node.inputs)
        else:
            number[node] = _SEEN_LEAF - len(leaves)
            leaves.append(node)
            # the element type, too: complex elements may stand in a node that was taken for real
            mark(data.dtype.char if data.__class__ is np.ndarray else _residency(data))
            mark(node.shape)
            mark(node.cls)


def _residency(data: Any) -> Hashable:
    return "several" if data.__class__ is tuple else data.owner


def _outside(
    roots: Sequence[Node], pending: list[Node], uses: list[int], keeping: Keeping | None
) -> tuple[tuple[int, ...], list[Node]]:
    """Which pending nodes others hold, too: those to keep, and those that nobody read twice."""
    keep: list[int] = []
    cold: list[Node] = []
    wanted = set(map(id, roots))
    storing = keeping if keeping is not None and keeping.sites else None
    references = list(map(getrefcount, pending))
    for k, count in enumerate(references):
        if count - uses[k] <= _HELD_HERE:
            continue
        node = pending[k]
        if id(node) in wanted:
            continue
        kind = node.op.kind
        if kind in NEVER_KEPT:
            continue
        if node.reads or kind in KEPT_AT_ONCE or (storing and storing.stores(node)):
            keep.append(k)
        else:
            cold.append(node)
    if cold:
        for node in pending:
            if node.op.kind == "call":
                _keep_dear(pending, wanted, keep, cold)
                break
    return tuple(keep), cold


def _keep_dear(pending: list[Node], wanted: set[int], keep: list[int], cold: list[Node]) -> None:
    """Keep what would take a library call to compute anew, such as a scaled product."""
    there = wanted.union([id(pending[k]) for k in keep])
    number = {id(node): k for k, node in enumerate(pending)}
    for node in tuple(cold):
        stack, seen = [node], {id(node)}
        while stack:
            for below in stack.pop().inputs:
                if below.__class__ is not Node or below.data is not None:
                    continue
                if id(below) in seen or id(below) in there:
                    continue
                if below.op.kind == "call":
                    keep.append(number[id(node)])
                    cold.remove(node)
                    stack.clear()
                    break
                seen.add(id(below))
                stack.append(below)


def _adds_no_leaf(extra: Node, number: dict[Node, int]) -> bool:
    """Whether all that `extra` reads is part of the sub-graph, and it is not much by itself."""
    stack: list[Any] = [extra]
    own: set[Node] = set()
    shares = False
    while stack:
        node = stack.pop()
        if node.__class__ is not Node or node in own:
            continue
        if node in number:
            shares = True
        elif node.data is not None or len(own) == COMPANION_NODES or _unasked(node):
            return False
        else:
            own.add(node)
            stack.extend(node.inputs)
    return shares


def _unasked(node: Node) -> bool:
    """Whether a pending node is computed only when somebody asks for it."""
    return node.guarded or node.op.kind in NO_COMPANY


def _settle_items(pending: list[Node]) -> None:
    """Give pending outputs of computed nodes their data."""
    for node in pending:
        if node.op.kind == "item" and node.inputs[0].data.__class__ is tuple:
            node.data = node.inputs[0].data[node.option("output")]
            node.inputs = ()


def subgraph(walked: Walk) -> tuple[Subgraph, Template]:
    """Return the nodes of a walk, inputs before what uses them."""
    met = walked.pending + walked.leaves
    place = {id(node): k for k, node in enumerate(met)}
    order: list[int] = []
    number: dict[int, int] = {}
    for root in walked.roots:
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in number:
                continue
            if ready or node.data is not None:
                number[id(node)] = len(order)
                order.append(place[id(node)])
                continue
            stack.append((node, True))
            stack.extend((i, False) for i in reversed(node.inputs) if i.__class__ is Node)
    nodes = [met[k] for k in order]
    inputs = [
        ()
        if node.data is not None
        else tuple([number[id(i)] if i.__class__ is Node else -1 for i in node.inputs])
        for node in nodes
    ]
    users: list[list[int]] = [[] for _ in nodes]
    for k, below in enumerate(inputs):
        for i in below:
            if i >= 0:
                users[i].append(k)
    roots = tuple([number[id(root)] for root in walked.roots])
    keep = frozenset(number[id(walked.pending[k])] for k in walked.keep)
    template = Template(tuple(order), inputs, users, roots, keep)
    return Subgraph(nodes, inputs, users, roots, keep, number), template


def _calibrated() -> int:
    """Return how many references the walk itself holds on a node that nothing else holds."""
    # the chain makes the unused base constant of this interpreter visible: only uses differ
    source = Node(None, SOURCE, (), (), (1, 1), "double", 0)  # type: ignore[arg-type]
    source.data = np.zeros((1, 1), order="F")
    op = Op("calibration", "map", SOURCE.host)
    inner = Node(None, op, (source,), (), (1, 1), "double", 0)  # type: ignore[arg-type]
    root = Node(None, op, (inner,), (), (1, 1), "double", 0)  # type: ignore[arg-type]
    del inner
    number: dict[Node, int] = {}
    pending: list[Node] = []
    uses: list[int] = []
    _visit((root,), number, pending, [], uses, [])
    return list(map(getrefcount, pending))[1] - uses[1]


_HELD_HERE = _calibrated()
