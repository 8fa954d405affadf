"""Trips of a loop as one node of the graph: what a trip does, and its host rule.

A `Step` is the part of a trace that some carried variables need. The node ``loop`` runs it a number
of times; its outputs, taken by ``item`` nodes, are those variables after the last trip, and what
was written into moving parts of arrays, the parts of all trips one after the other. Everything that
one run of the loop may have otherwise than another (arrays, scalars, the place in the random
stream) is an input of the node, in a *slot*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
import numpy as np

from runmat_core.accel.graph import rules
from runmat_core.accel.graph.leaves import Carry, Item, Slice, leaf_of
from runmat_core.accel.graph.node import Node, Op, Shape
from runmat_core.accel.ops.views import taken
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.accel.random.philox import WIDTH
from runmat_core.api.errors import MatlabError
from runmat_core.values.array import from_numpy, to_numpy

#: What a variable is in the next trip, or what is stored: a node or a scalar.
Value = Any


@attrs.frozen
class Variable:
    """A carried variable.

    Attributes:
        leaf: the number of its placeholder.
        value: the number of its value for the next trip; -1 where that is the scalar `scalar`.
        output: which output of the node it is; -1 where it is none.
    """

    leaf: int
    value: int
    scalar: Any
    output: int


@attrs.frozen
class Stack:
    """What every trip stores: the number of the node."""

    value: int
    shape: Shape
    cls: str


#: Where an input of the node comes from: (``leaf``, number of the leaf, 0) for the entry value of a
#: carried variable or an array that is read, (``scalar``, number of the node, position) for a
#: scalar of the trace, (``word``, number of the node, position) for words of a random array,
#: (``item``, number of the leaf, 0) for the loop's variable in the first trip.
Slot = tuple[str, int, int]


class Step:
    """What a trip does; see the module.

    Attributes:
        nodes: in topological order, placeholders included.
        inputs, users: as in `Subgraph`.
        variables: that are carried.
        stacks: what is stored; their outputs follow those of the variables.
        checks: numbers of results that must be computed though nobody reads them.
        slots: by number.
        slot: the number of each slot.
        words: words of the random stream that a trip takes.
        guarded: whether it may leave the reals.
        repeated: whether a trip is several units, each run in every trip; else it is one kernel.
        kept: what planning keeps of it, by what it was planned for.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        variables: Sequence[tuple[Node, Value, bool]],
        stacks: Sequence[Node],
        words: int,
        repeated: bool = False,
        checks: Sequence[Node] = (),
    ) -> None:
        self.repeated = repeated
        self.nodes = list(nodes)
        self.number = {id(node): k for k, node in enumerate(nodes)}
        self.inputs = [
            tuple([self.number.get(id(i), -1) for i in node.inputs]) if node.data is None else ()
            for node in nodes
        ]
        self.users: list[list[int]] = [[] for _ in nodes]
        for k, below in enumerate(self.inputs):
            for i in below:
                if i >= 0:
                    self.users[i].append(k)
        self.variables: list[Variable] = []
        count = 0
        for leaf, value, wanted in variables:
            number = self.number[id(value)] if value.__class__ is Node else -1
            scalar = None if number >= 0 else value
            output = count if wanted else -1
            count += wanted
            self.variables.append(Variable(self.number[id(leaf)], number, scalar, output))
        self.stacks = [Stack(self.number[id(n)], n.shape, n.cls) for n in stacks]
        self.checks = tuple([self.number[id(node)] for node in checks])
        self.outputs = count + len(self.stacks)
        self.words = words
        self.guarded = any(node.guarded for node in nodes)
        self.slots = self._slots()
        self.slot = {slot: k for k, slot in enumerate(self.slots)}
        self.kept: dict[Any, Any] = {}

    def _slots(self) -> list[Slot]:
        slots: list[Slot] = []
        for k, node in enumerate(self.nodes):
            leaf = leaf_of(node)
            if node.data is not None:
                if not isinstance(leaf, Item | Slice):
                    slots.append(("leaf", k, 0))
                elif self.repeated and isinstance(leaf, Item):
                    slots.append(("item", k, 0))
                continue
            kind = "word" if node.op.kind == "random" else "scalar"
            slots += [(kind, k, p) for p, i in enumerate(self.inputs[k]) if i < 0]
        slots += [("scalar", v.leaf, 0) for v in self.variables if v.value < 0]
        return slots

    @property
    def divisible(self) -> bool:
        """Whether its trips may be divided among nodes: the next has what it begins with."""
        return all(variable.output >= 0 for variable in self.variables)

    def shape_of(self, output: int, trips: int) -> tuple[Shape, str]:
        """Size and class of an output."""
        for variable in self.variables:
            if variable.output == output:
                node = self.nodes[variable.leaf]
                return node.shape, node.cls
        stack = self.stacks[output - (self.outputs - len(self.stacks))]
        return (*stack.shape, trips), stack.cls

    def subgraph(self) -> Subgraph:
        """Return the nodes with what must be written, for the passes of planning."""
        small = all(self.nodes[v.leaf].size == 1 for v in self.variables)
        roots = [
            v.value
            for v in self.variables
            if v.value >= 0 and (small or self.nodes[v.leaf].size != 1)
        ]
        roots += [stack.value for stack in self.stacks]
        pending = [r for r in dict.fromkeys(roots) if self.nodes[r].data is None]
        return Subgraph(
            self.nodes, self.inputs, self.users, tuple(pending), frozenset(), self.number
        )

    # -- the host rule ----------------------------------------------------------------------------

    def run(self, given: Sequence[Any], trips: int, begin: int = 0) -> tuple[Any, ...]:
        """Return the outputs, by host rules.

        Args:
            given: MATLAB values of the slots.
            begin: the first trip, counted from the one that was traced.
        """
        state = {v.leaf: given[self.slot["leaf", v.leaf, 0]] for v in self.variables}
        stacks: list[list[Any]] = [[] for _ in self.stacks]
        for trip in range(trips):
            values: dict[int, Any] = {}
            for k, node in enumerate(self.nodes):
                values[k] = self._value(k, node, values, state, given, trip, begin)
            for stack, parts in zip(self.stacks, stacks, strict=True):
                parts.append(to_numpy(values[stack.value]).ravel(order="F"))
            state = {v.leaf: v.scalar if v.value < 0 else values[v.value] for v in self.variables}
        outputs = [state[v.leaf] for v in self.variables if v.output >= 0]
        for stack, parts in zip(self.stacks, stacks, strict=True):
            shape = (*stack.shape, trips)
            outputs.append(from_numpy(np.concatenate(parts).reshape(shape, order="F")))
        return tuple(outputs)

    def _value(
        self,
        k: int,
        node: Node,
        values: dict[int, Any],
        state: dict[int, Any],
        given: Sequence[Any],
        trip: int,
        begin: int,
    ) -> Any:
        leaf = leaf_of(node)
        if node.data is not None:
            if isinstance(leaf, Carry) and k in state:
                return state[k]
            if isinstance(leaf, Item):
                return leaf.at(begin + trip)
            if isinstance(leaf, Slice):
                base = to_numpy(values[self.number[id(leaf.base)]])
                at = leaf.offset + leaf.advance * (begin + trip)
                return from_numpy(taken(base, node.shape, at, leaf.strides))
            return given[self.slot["leaf", k, 0]]
        if node.op.kind == "random":
            words = [int(given[self.slot["word", k, p]]) for p in range(4)]
            inputs: list[Any] = moved(words, self.words * trip)
        else:
            inputs = [values[i] if i >= 0 else node.inputs[p] for p, i in enumerate(self.inputs[k])]
        if node.op.kind == "item":
            return inputs[0][node.option("output", 0)]
        if node.op.kind == "update":
            static = written_at(node, begin + trip)
            node = Node(node.graph, node.op, (), static, node.shape, node.cls, 0, place=node.place)
        try:
            return node.op.host(node, *inputs)
        except MatlabError as error:
            rules.place_error(error, node)
            raise

    def structure(self) -> Any:
        """Return what tells it from any other step, whatever its variables are called."""
        nodes = [
            (n.op, n.static, n.shape, n.cls, n.guarded, n.real, below, *self._entries(n, below))
            for n, below in zip(self.nodes, self.inputs, strict=True)
        ]
        stacks = [(one.value, one.shape, one.cls) for one in self.stacks]
        rest = (stacks, self.checks, self.slots, self.words, self.repeated, self.outputs)
        variables = [(v.leaf, v.value, v.scalar, v.output) for v in self.variables]
        return nodes, variables, rest

    def _entries(self, node: Node, below: Sequence[int]) -> tuple[Any, ...]:
        """Return what a node is in the first iteration, and the scalars among its inputs."""
        leaf = leaf_of(node)
        if isinstance(leaf, Slice):
            base = self.number[id(leaf.base)]
            return "slice", base, leaf.offset, leaf.strides, leaf.advance
        if isinstance(leaf, Item):
            return "item", leaf.first, leaf.step
        if node.data is not None:
            return "array", type(leaf).__name__, str(node.data.dtype)  # type: ignore[union-attr]
        # words of the random stream come with each run
        drawn = node.op.kind == "random"
        return tuple([0 if drawn else node.inputs[p] for p, i in enumerate(below) if i < 0])

    def stride_of(self, node: Node) -> int:
        """By how many elements a random array moves along the stream in each trip."""
        return self.words // WIDTH[node.dtype]


def moved(words: Sequence[int], by: int) -> list[int]:
    """Return the words of a random array (key low and high, position low and high) moved along."""
    low, high, first, second = words
    position = ((first | second << 32) + by) % (1 << 64)
    return [low, high, position & 0xFFFFFFFF, position >> 32]


def written_at(node: Node, trip: int) -> tuple[tuple[str, Any], ...]:
    """Return the static arguments of an ``update`` in a trip."""
    return (
        ("offset", node.option("offset") + node.option("advance", 0) * trip),
        ("region", node.option("region")),
        ("strides", node.option("strides")),
    )


def below(roots: Iterable[Value]) -> list[Node]:
    """Return the nodes of a trace that `roots` need, inputs first, and the bases of parts."""
    order: list[Node] = []
    done: set[int] = set()
    stack = [(root, False) for root in roots]
    while stack:
        node, ready = stack.pop()
        if node.__class__ is not Node or id(node) in done:
            continue
        if ready:
            done.add(id(node))
            order.append(node)
            continue
        stack.append((node, True))
        leaf = leaf_of(node)
        inputs = (leaf.base,) if isinstance(leaf, Slice) else node.inputs
        stack += [(one, False) for one in reversed(inputs)]
    return order


def _by_host(node: Node, *values: Any) -> Any:
    step: Step = node.option("step")
    return step.run(values, node.option("trips"), node.option("begin"))


LOOP = Op("loop", "loop", _by_host)
