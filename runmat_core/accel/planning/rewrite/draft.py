"""The sub-graph while it is being rewritten: nodes by number; the given one stays as it is.

Nodes of the given sub-graph keep their numbers, new ones are appended. What a rule says is "the
value of node `old` is that of node `new`"; users follow, and what nobody uses any more goes away.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from runmat_core.accel.graph.node import Input, Node, Op, Shape
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.api.device import Capabilities
from runmat_core.api.tuples import NamedTuple

#: The input number of a scalar, as in `Subgraph.inputs`.
SCALAR = -1

#: Rules that count users ask for no more than this many.
FEW = 4


class Rewritten(NamedTuple):
    """An equivalent sub-graph, and what its nodes are in the given one.

    Attributes:
        subgraph: what to group and to run. Its roots and kept nodes stand for those of the given
            sub-graph, in the same order (`roots`) and one for one (`keep`).
        origin: for each node the number, in the given sub-graph, of the node whose elements it
            has; -1 where there is none. Every leaf and every output has one.
        scalars: for each node the number, in the given sub-graph, of the node whose scalar inputs
            it has, in the same positions; -1 where it has none.
    """

    subgraph: Subgraph
    origin: tuple[int, ...]
    scalars: tuple[int, ...]


class Draft:
    """A sub-graph in the making.

    Attributes:
        capabilities: of the device that it may run on.
        nodes, inputs, users: as in `Subgraph`; those of a new node are right from the start, but
            the inputs of the node objects lag behind until `finish`.
        kinds: of operation; ``source`` for everything that has its elements already.
        outputs: numbers of the nodes that somebody outside reads.
        origin, scalars: as in `Rewritten`.
        changed: numbers of nodes that came new or whose inputs changed, to be looked at (again).
        seen: what `common` knows of nodes.
    """

    def __init__(self, given: Subgraph, capabilities: Capabilities) -> None:
        self.given = given
        self.capabilities = capabilities
        self.nodes = list(given.nodes)
        self.inputs = list(given.inputs)
        self.users = [list(users) for users in given.users]
        self.kinds = ["source" if n.data is not None else n.op.kind for n in given.nodes]
        self.outputs = set(given.outputs)
        count = len(given.nodes)
        self.origin = list(range(count))
        self.scalars = list(range(count))
        self.dead = [False] * count
        self.touched = False
        self.changed: deque[int] = deque()
        self.seen: dict[Hashable, int] = {}
        self.waiting: set[int] = set()
        self._complex = _reached(given)

    # -- questions ---------------------------------------------------------------------------------

    def real(self, number: int) -> bool:
        """Whether no guard stands between the node and real elements.

        Where one fires, elements turn complex, and a conjugate transpose is no transpose.
        """
        return not self._complex[number]

    def only_user(self, number: int, user: int) -> bool:
        """Whether nothing but `user` reads the node."""
        return number not in self.outputs and all(u == user for u in self.users[number])

    def scalar(self, number: int, position: int) -> Input:
        """Return a scalar input; only its value class may decide anything, as in a plan's key."""
        return self.nodes[number].inputs[position]

    # -- changes -----------------------------------------------------------------------------------

    def add(
        self,
        op: Op,
        inputs: tuple[int, ...],
        shape: Shape,
        like: int,
        static: tuple[tuple[str, Hashable], ...] = (),
        scalars: int = SCALAR,
    ) -> int:
        """Return a new node with the class, the graph and the line of node `like`.

        Args:
            inputs: node numbers; `SCALAR` where the scalar of node `scalars` at that place goes.
        """
        pattern = self.nodes[like]
        values = self.nodes[scalars].inputs if scalars >= 0 else (None,) * len(inputs)
        number = len(self.nodes)
        # no two nodes of a draft share a structural number, and no captured node has a negative one
        node = Node(
            pattern.graph, op, values, static, shape, pattern.cls, -1 - number, place=pattern.place
        )
        self.nodes.append(node)
        self.inputs.append(inputs)
        self.users.append([])
        self.kinds.append(op.kind)
        self.origin.append(-1)
        self.scalars.append(self.scalars[scalars] if scalars >= 0 else -1)
        self.dead.append(False)
        self._complex.append(any(self._complex[k] for k in inputs if k >= 0))
        for k in inputs:
            if k >= 0:
                self.users[k].append(number)
        self.look_at(number)
        return number

    def redirect(self, number: int, position: int, new: int) -> None:
        """Let input `position` of a node be node `new`."""
        inputs = self.inputs[number]
        old = inputs[position]
        self.inputs[number] = (*inputs[:position], new, *inputs[position + 1 :])
        self.users[new].append(number)
        self.users[old].remove(number)
        self.look_at(number)
        self._drop_unused(old)

    def can_replace(self, old: int, new: int) -> bool:
        """Whether what reads `old` may read `new`.

        Outside, elements are published one array for each output, so no output may stand for two
        and no leaf for any.
        """
        return old not in self.outputs or not (new in self.outputs or self.kinds[new] == "source")

    def replace(self, old: int, new: int) -> None:
        """Let everything that reads `old` read `new`, those outside included."""
        self.touched = True
        users, self.users[old] = self.users[old], []
        for user in users:
            self.inputs[user] = tuple(new if k == old else k for k in self.inputs[user])
            self.users[new].append(user)
            self.look_at(user)
        if old in self.outputs:
            self.outputs.remove(old)
            self.outputs.add(new)
            self.origin[new] = self.origin[old]
        self._drop_unused(old)

    def look_at(self, number: int) -> None:
        """Queue a node to be rewritten."""
        self.touched = True
        if number not in self.waiting:
            self.waiting.add(number)
            self.changed.append(number)

    def _drop_unused(self, number: int) -> None:
        doubtful = [number]
        while doubtful:
            k = doubtful.pop()
            if self.users[k] or k in self.outputs or self.dead[k]:
                continue
            self.dead[k] = True
            for source in self.inputs[k]:
                if source >= 0:
                    self.users[source].remove(k)
                    # it lost a user, which rules on it and on what else uses it count
                    self.look_at(source)
                    if len(self.users[source]) <= FEW:
                        for user in self.users[source]:
                            self.look_at(user)
                    doubtful.append(source)

    # -- the result --------------------------------------------------------------------------------

    def finish(self) -> Rewritten:
        """Return the sub-graph as it is now, as near to the given order as dependences allow."""
        if not self.touched:
            identity = tuple(range(len(self.nodes)))
            return Rewritten(self.given, identity, identity)
        order = self._order()
        place = {old: new for new, old in enumerate(order)}
        nodes: list[Node] = []
        inputs: list[tuple[int, ...]] = []
        users: list[list[int]] = [[] for _ in order]
        for new, old in enumerate(order):
            if self.kinds[old] == "source":
                nodes.append(self.nodes[old])
                inputs.append(self.inputs[old])
                continue
            numbers = tuple(place[k] if k >= 0 else SCALAR for k in self.inputs[old])
            for k in numbers:
                if k >= 0:
                    users[k].append(new)
            inputs.append(numbers)
            nodes.append(_with_inputs(self.nodes[old], numbers, nodes))
        position = {self.origin[k]: place[k] for k in self.outputs}
        roots = tuple(position[root] for root in self.given.roots)
        keep = frozenset(position[k] for k in self.given.keep)
        number = {id(node): k for k, node in enumerate(nodes)}
        subgraph = Subgraph(nodes, inputs, users, roots, keep, number)
        return Rewritten(
            subgraph,
            tuple(self.origin[k] for k in order),
            tuple(self.scalars[k] for k in order),
        )

    def _order(self) -> list[int]:
        order: list[int] = []
        placed = [False] * len(self.nodes)
        for start in sorted(self.outputs, key=self.origin.__getitem__):
            stack = [(start, False)]
            while stack:
                number, ready = stack.pop()
                if placed[number]:
                    continue
                if ready:
                    placed[number] = True
                    order.append(number)
                    continue
                stack.append((number, True))
                if self.kinds[number] != "source":
                    stack.extend((k, False) for k in reversed(self.inputs[number]) if k >= 0)
        return order


def _with_inputs(node: Node, numbers: tuple[int, ...], nodes: list[Node]) -> Node:
    values = tuple(
        nodes[k] if k >= 0 else value for k, value in zip(numbers, node.inputs, strict=True)
    )
    if all(new is old for new, old in zip(values, node.inputs, strict=True)):
        return node
    twin = Node(
        node.graph,
        node.op,
        values,
        node.static,
        node.shape,
        node.cls,
        node.value_number,
        node.guarded,
        node.place,
    )
    twin.facts = node.facts
    twin.reads = node.reads
    return twin


def _reached(given: Subgraph) -> list[bool]:
    """For each node whether it or something below it is guarded."""
    reached: list[bool] = []
    for node, inputs in zip(given.nodes, given.inputs, strict=True):
        if node.data is not None:
            reached.append(False)
        else:
            reached.append(node.guarded or any(reached[k] for k in inputs if k >= 0))
    return reached
