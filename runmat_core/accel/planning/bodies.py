"""The body of a loop as a sub-graph for the passes of planning.

Variables that are carried and arrays that are only read are leaves. The loop's variable becomes a
fill, parts of arrays that move become views whose beginnings are left open, and each variable gets
a node of its own for its next value, so that every one is written to an array of its own.
"""

from __future__ import annotations

import math

import attrs

from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.leaves import Item, Slice, leaf_of
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.ops.views import view_op
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.accel.planning.rewrite import IN_BODIES, rewrite
from runmat_core.accel.planning.step import Step
from runmat_core.api.device import Capabilities

#: A number of no value class, in the place of the loop's variable: that differs in every trip.
_ANY = math.pi
#: What stands for "no scalar of the step".
_NONE = ("", -1)


class NotLowerable(Exception):  # noqa: N818 - it is no error
    """A body cannot be written in this form; its text says why, for people.

    Args:
        line: the file and the line of what is in the way.
    """

    def __init__(self, reason: str, line: tuple[str, int] = ("", 0)) -> None:
        super().__init__(reason)
        self.line = line


@attrs.frozen
class Turning:
    """A carried variable in a body.

    Attributes:
        leaf: the number of its placeholder.
        root: the number of its next value, which is that of nothing else; of one that is written in
            moving parts that of the part.
        entry: the slot of its value before the first trip.
        output: which output of the ``loop`` node it is.
        update: how its part is written, where that is all that changes.
    """

    leaf: int
    root: int
    entry: int
    output: int
    update: Node | None = None


@attrs.frozen(eq=False)
class Body:
    """A trip, ready to be partitioned.

    Attributes:
        slots: by the number of a slot, the leaf of arrays that the loop only reads.
        stacks: by the number of an output, the node that every trip stores there.
        slices: the views that move, and by how many elements after each trip.
        items: the fills that stand for the loop's variable.
        scalars: of each node, kind and node number in the slots of its scalars.
    """

    sub: Subgraph
    variables: tuple[Turning, ...]
    slots: dict[int, int]
    stacks: dict[int, int]
    slices: dict[int, int]
    items: dict[int, Item]
    scalars: list[tuple[str, int]]


def body_of(step: Step, capabilities: Capabilities) -> Body:
    """Return the body of a step for a device."""
    wanted = [_computed(step, v.value) for v in step.variables if v.value >= 0]
    wanted += [*[stack.value for stack in step.stacks], *step.checks]
    roots = [k for k in dict.fromkeys(wanted) if step.nodes[k].data is None]
    if not roots:
        raise NotLowerable("nothing is computed in it")
    given = Subgraph(step.nodes, step.inputs, step.users, tuple(roots), frozenset(), step.number)
    rewritten = rewrite(given, capabilities, IN_BODIES)
    made = _Making(step)
    for node, inputs, origin, scalars in zip(
        rewritten.subgraph.nodes,
        rewritten.subgraph.inputs,
        rewritten.origin,
        rewritten.scalars,
        strict=True,
    ):
        made.take(node, inputs, origin, scalars)
    found = {k: made.number[n] for k, n in zip(roots, rewritten.subgraph.roots, strict=True)}
    return made.finished(found)


def _update_of(step: Step, k: int) -> Node | None:
    """Return the ``update`` of a moving part that a node of a step is."""
    node = step.nodes[k]
    moves = node.data is None and node.op.kind == "update" and node.option("advance", 0)
    return node if moves else None


def _computed(step: Step, k: int) -> int:
    """Return what has to be computed for a variable's next value: of a moving part, that part."""
    return k if _update_of(step, k) is None else step.inputs[k][1]


class _Making:
    """A body in the making.

    Attributes:
        number: for each node of the rewritten sub-graph its number here.
        leaves: the number here of each leaf of the step.
    """

    def __init__(self, step: Step) -> None:
        self.step = step
        self.nodes: list[Node] = []
        self.inputs: list[tuple[int, ...]] = []
        self.scalars: list[tuple[str, int]] = []
        self.number: list[int] = []
        self.leaves: dict[int, int] = {}
        self.slices: dict[int, int] = {}
        self.items: dict[int, Item] = {}

    def add(self, node: Node, inputs: tuple[int, ...], scalars: tuple[str, int] = _NONE) -> int:
        self.nodes.append(node)
        self.inputs.append(inputs)
        self.scalars.append(scalars)
        return len(self.nodes) - 1

    def take(self, node: Node, inputs: tuple[int, ...], origin: int, scalars: int) -> None:
        """Add the next node of the rewritten sub-graph."""
        if node.data is not None:
            self.number.append(self.leaf(origin))
            return
        below = tuple([self.number[i] if i >= 0 else i for i in inputs])
        kind = "word" if node.op.kind == "random" else "scalar"
        self.number.append(self.add(node, below, (kind, scalars)))

    def leaf(self, k: int) -> int:
        """Return a leaf of the step."""
        known = self.leaves.get(k)
        if known is not None:
            return known
        node = self.step.nodes[k]
        leaf = leaf_of(node)
        if isinstance(leaf, Item):
            fill = _node(node, FILL, (_ANY,), ())
            number = self.add(fill, (-1,), ("item", k))
            self.items[number] = leaf
        elif isinstance(leaf, Slice):
            base = self.leaf(self.step.number[id(leaf.base)])
            static = (("offset", leaf.offset), ("strides", leaf.strides))
            view = _node(node, view_op("subsref"), (self.nodes[base],), static)
            number = self.add(view, (base,))
            self.slices[number] = leaf.advance
        else:
            number = self.add(node, ())
        self.leaves[k] = number
        return number

    def copy(self, k: int) -> int:
        """Return a node with the elements of another one, to be written for itself."""
        node = self.nodes[k]
        static = (("offset", 0), ("strides", dense_strides(node.shape)))
        return self.add(_node(node, view_op("subsref"), (node,), static), (k,))

    def finished(self, found: dict[int, int]) -> Body:
        """Return the body, once everything was taken.

        Args:
            found: for each root of the step its number here.
        """
        step = self.step
        taken: set[int] = set()
        variables: list[Turning] = []
        for variable in step.variables:
            leaf = self.leaf(variable.leaf)
            update = _update_of(step, variable.value) if variable.value >= 0 else None
            if variable.value < 0:
                fill = _node(self.nodes[leaf], FILL, (variable.scalar,), ())
                root = self.add(fill, (-1,), ("scalar", variable.leaf))
            else:
                value = _computed(step, variable.value)
                known = found.get(value)
                root = self.leaf(value) if known is None else known
                node = self.nodes[root]
                if root in taken or node.data is not None or node.op.kind in ("fill", "view"):
                    root = self.copy(root)
            taken.add(root)
            entry = step.slot["leaf", variable.leaf, 0]
            variables.append(Turning(leaf, root, entry, variable.output, update))
        stacks = {}
        first = step.outputs - len(step.stacks)
        for output, stack in enumerate(step.stacks, first):
            known = found.get(stack.value)
            stacks[output] = self.copy(self.leaf(stack.value) if known is None else known)
        checks = [found[k] for k in step.checks if k in found]
        roots = (*[v.root for v in variables], *stacks.values(), *checks)
        carried = {v.leaf for v in variables}
        slots = {
            step.slot["leaf", k, 0]: number
            for k, number in self.leaves.items()
            if number not in carried and ("leaf", k, 0) in step.slot
        }
        return Body(
            self._subgraph(roots), tuple(variables), slots, stacks, self.slices, self.items,
            self.scalars,
        )  # fmt: skip

    def _subgraph(self, roots: tuple[int, ...]) -> Subgraph:
        users: list[list[int]] = [[] for _ in self.nodes]
        for k, below in enumerate(self.inputs):
            for i in below:
                if i >= 0:
                    users[i].append(k)
        number = {id(node): k for k, node in enumerate(self.nodes)}
        return Subgraph(
            self.nodes, self.inputs, users, tuple(dict.fromkeys(roots)), frozenset(), number,
            frozenset(self.slices),
        )  # fmt: skip


def _node(like: Node, op: object, inputs: tuple[object, ...], static: object) -> Node:
    """Return a node with the size and class of another."""
    made = Node(like.graph, op, inputs, static, like.shape, like.cls, -1, place=like.place)  # type: ignore[arg-type]
    made.pinned = like.pinned
    return made
