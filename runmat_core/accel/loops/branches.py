"""Branches on data in a trace: the body runs once for each way through them.

A condition of one logical element that the body computes has two values, so the body runs with
each of them, and what its variables are afterwards is a choice between both. Operations that
several ways have in common are one node. Both sides are computed in every iteration: they must be
free of draws, checks and library calls, and take no longer than a wait for the condition would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.recipes import told
from runmat_core.accel.capture.selections import CHOOSE
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.leaves import Refused
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.generators import FILL
from runmat_core.values.base import class_of
from runmat_core.values.deferred import Deferred

#: Most ways through a body.
WAYS = 4
#: Maximum number of conditions on one way: an inner loop might ask for ever.
ASKED = 256
#: Elements that a device computes while a host waits for a condition.
WAIT = 1 << 24
#: Operations that are too costly to compute on both sides of a branch.
_DEAR = frozenset({"call", "loop", "random"})
_MORE = "a branch on what is computed in the loop does more than operations on elements"


@attrs.frozen(eq=False)
class Way:
    """One way through a body.

    Attributes:
        taken: the conditions that were asked for, in order, with their values.
        names: the variables at its end.
        draws, checks, position: as in a trace: random arrays, guards, where the stream was.
        made: by identity the nodes that it asked for.
    """

    taken: tuple[tuple[Node, bool], ...]
    names: Mapping[str, Any]
    draws: Sequence[Node]
    checks: Sequence[Node]
    position: int
    made: Mapping[int, Node]


class Branches:
    """The conditions on the way that a trace takes.

    Args:
        allowed: whether conditions may be taken for both of their values.
        steady: names of scalars of which it is known that they do not count.
    """

    def __init__(self, allowed: bool = False, steady: frozenset[str] = frozenset()) -> None:
        self.allowed = allowed
        self.steady = steady
        self._nodes: dict[Any, Node] = {}
        self._first = True
        self._values: Sequence[bool] = ()
        self._asked = 0
        self.taken: dict[int, tuple[Node, bool]] = {}
        self.made: dict[int, Node] = {}

    def begin(self, values: Sequence[bool], first: bool) -> None:
        """Begin a way on which the first conditions have these values."""
        self._first, self._values, self._asked = first, values, 0
        self.taken, self.made = {}, {}

    def decide(self, node: Node) -> bool | None:
        """Return the value of a condition on this way; None where both would not do."""
        if not self.allowed or node.shape != (1, 1) or node.cls != "logical":
            return None
        self._asked += 1
        if self._asked > ASKED:
            return None
        if id(node) not in self.taken:
            number = len(self.taken)
            value = self._values[number] if number < len(self._values) else True
            self.taken[id(node)] = node, value
        return self.taken[id(node)][1]

    def others(self, values: Sequence[bool]) -> list[tuple[bool, ...]]:
        """Return the ways that leave this one after the conditions that `values` are of."""
        found = [value for _, value in self.taken.values()]
        return [(*found[:k], False) for k in range(len(values), len(found))]

    def known(self, key: Any) -> Node | None:
        """Return the node of an earlier way that is the same operation of the same inputs."""
        node = None if self._first else self._nodes.get(key)
        if node is not None:
            self.made[id(node)] = node
        return node

    def note(self, key: Any, node: Node) -> None:
        """Take note of a new node."""
        if self.allowed:
            self._nodes[key] = self.made[id(node)] = node


def key_of(op: Any, inputs: Sequence[Any], *rest: Any) -> Any:
    """Return what tells an operation of a trace from others."""
    told_inputs = [id(v) if v.__class__ is Node else (v.__class__, repr(v)) for v in inputs]
    return (op, tuple(told_inputs), *rest)


def joined(graph: Graph, ways: Sequence[Way], writes: Sequence[str]) -> dict[str, Any]:
    """Return the variables at the end of a body, whichever way an iteration takes.

    Raises:
        Refused: the sides of a branch do more than is worth doing for nothing, or leave a variable
            in different classes or sizes.
    """
    first = ways[0]
    if len(ways) == 1:
        return {name: first.names[name] for name in writes}
    line = first.taken[0][0].line
    for way in ways[1:]:
        same = (way.position, *map(id, (*way.draws, *way.checks)))
        if same != (first.position, *map(id, (*first.draws, *first.checks))):
            raise Refused(_MORE, line)
    common = set.intersection(*[set(way.made) for way in ways])
    apart = {k: node for way in ways for k, node in way.made.items() if k not in common}
    if any(node.guarded or node.op.kind in _DEAR for node in apart.values()):
        raise Refused(_MORE, line)
    if sum(node.size for node in apart.values()) > WAIT:
        raise Refused("a wait for what a branch needs takes less time than its sides", line)
    return _chosen(graph, ways, writes, 0)


def _chosen(graph: Graph, ways: Sequence[Way], writes: Sequence[str], depth: int) -> dict[str, Any]:
    if len(ways) == 1:
        return {name: ways[0].names[name] for name in writes}
    condition = ways[0].taken[depth][0]
    sides = [[way for way in ways if way.taken[depth][1] is value] for value in (True, False)]
    then, otherwise = [_chosen(graph, side, writes, depth + 1) for side in sides]
    return {name: _choice(graph, name, condition, then[name], otherwise[name]) for name in writes}


def _choice(graph: Graph, name: str, condition: Node, then: Any, otherwise: Any) -> Any:
    """Return a variable that has one value where a condition is true and else another."""
    if then is otherwise:
        return then
    a, b = [v.promise.node if v.__class__ is Deferred else v for v in (then, otherwise)]
    if a is b or (a.__class__ is not Node and told(a) is not None and told(a) == told(b)):
        return then
    nodes = [_as_node(graph, value) for value in (a, b)]
    x, y = nodes
    if x is None or y is None or (x.cls, x.shape) != (y.cls, y.shape):
        reason = f"'{name}' has another class or size on each side of a branch"
        raise Refused(reason, condition.line)
    made = graph.append(CHOOSE, (y, condition, x), (), y.shape, y.cls)
    made.pinned = x.pinned and y.pinned
    return deferred(made)


def _as_node(graph: Graph, value: Any) -> Node | None:
    if value.__class__ is Node:
        return value
    if value.__class__ is not float and value.__class__ is not bool:
        return None
    return graph.append(FILL, (value,), (), (1, 1), class_of(value))
