"""Clusters: sets of nodes on the way to become groups, and when two of them may join."""

from __future__ import annotations

from typing import Literal

from runmat_core.accel.graph.addressing import StridedLayout, is_linear
from runmat_core.accel.graph.fragments import code_of, reads_memory, stores_parts
from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.plan import Subgraph
from runmat_core.accel.planning.regions import part_of, part_places
from runmat_core.accel.planning.spaces import Slices, Space, is_one_slice, join, slices_of, storable
from runmat_core.api.device import Capabilities
from runmat_core.api.ir import ITEMSIZE
from runmat_core.api.ir.calls import EPILOGUES

#: Most nodes of one kernel: code that is longer takes long to compile and saves little.
NODES = 400
#: Most arrays that one kernel reads and writes, on devices that bind more, too.
BUFFERS = 24


class Cluster:
    """Nodes that are to run together.

    Attributes:
        members: numbers of its nodes.
        bits: the same as a bit set.
        above: bit set of everything that must have run before, without itself.
        memory_dependence: bit set of what must lie in memory before, so that it cannot be a member.
        reads: bit set of what it takes in.
        materialised: members that must be storable.
        slices: of clusters with reductions.
    """

    __slots__ = (
        "above",
        "bits",
        "kind",
        "materialised",
        "members",
        "memory_dependence",
        "reads",
        "slices",
        "space",
    )

    def __init__(
        self, n: int, kind: Literal["kernel", "call", "loop", "host"], space: Space | None
    ) -> None:
        self.kind = kind
        self.members = [n]
        self.bits = 1 << n
        self.above = self.memory_dependence = self.reads = 0
        self.materialised: list[int] = []
        self.space = space
        self.slices: Slices | None = None


class Clusters:
    """All clusters of a sub-graph.

    Attributes:
        home: the cluster of each node that is in one.
        rematerialised: of nodes that are no computation, the bit set of what they read from memory.
        made: bit set of these nodes.
        buffers: most arrays of a kernel.
        addresses: of views without computation, where their elements lie in what they read.
        forced: views whose input, a view too, they read from memory.
        materialised: the nodes that must be written, or might have to be.
    """

    def __init__(self, sub: Subgraph, capabilities: Capabilities, materialised: set[int]) -> None:
        self.sub = sub
        self.capabilities = capabilities
        self.materialised = materialised
        self.home: dict[int, Cluster] = {}
        self.rematerialised: dict[int, int] = {}
        self.made = 0
        self.buffers = min(capabilities.max_buffers or BUFFERS, BUFFERS)
        self.addresses: dict[int, StridedLayout] = {}
        self.forced: set[int] = set()
        self.all: list[Cluster] = []

    def single(
        self, n: int, kind: Literal["kernel", "call", "loop", "host"], space: Space | None = None
    ) -> Cluster:
        """Return a new cluster of one node, whose inputs have their places."""
        cluster = Cluster(n, kind, space)
        nodes, home, rematerialised = self.sub.nodes, self.home, self.rematerialised
        node = nodes[n]
        for position, i in enumerate(self.sub.inputs[n]):
            if i < 0:
                continue
            cluster.reads |= 1 << i
            other = home.get(i)
            memory = kind != "kernel" or reads_memory(node, position) or stores_parts(nodes[i])
            if i in rematerialised and (other is None or not memory):
                self._read(cluster, rematerialised[i])
            elif other is not None:
                cluster.above |= other.bits | other.above
                if memory:
                    cluster.memory_dependence |= 1 << i
        if n in rematerialised:
            self._read(cluster, rematerialised[n])
        if n in self.materialised:
            cluster.materialised.append(n)
        if space is not None and space.reduced:
            cluster.slices = self._slices(cluster.members, space)
            if cluster.slices is None:  # its own code turns, and the slice does not fit
                cluster.kind = "host"
        home[n] = cluster
        self.all.append(cluster)
        return cluster

    def _read(self, cluster: Cluster, bases: int) -> None:
        """Let a cluster read nodes from memory."""
        cluster.reads |= bases
        while bases:
            low = bases & -bases
            bases ^= low
            other = self.home.get(low.bit_length() - 1)
            if other is not None:
                cluster.memory_dependence |= low
                cluster.above |= other.bits | other.above

    def pass_through(self, n: int, bases: int) -> None:
        """Let node `n` be no computation but something that every kernel makes from `bases`."""
        self.rematerialised[n] = bases
        self.made |= 1 << n

    def drop(self, n: int) -> None:
        """Take back the cluster of node `n`, which is alone in it."""
        self.all.remove(self.home.pop(n))

    def merge(self, a: Cluster, b: Cluster) -> bool:
        """Join `b` to `a` where that is allowed; tell whether it was."""
        if {"host", "loop"} & {a.kind, b.kind} or a.kind == b.kind == "call":
            return False
        if "call" in (a.kind, b.kind) and not self._follows(a, b):
            return False
        if (
            a.memory_dependence & b.bits
            or b.memory_dependence & a.bits
            or len(a.members) + len(b.members) > NODES
        ):
            return False
        assert a.space is not None
        assert b.space is not None
        space = join(a.space, b.space)
        if space is None or (space.scanned is not None and not self._scans(a, b)):
            return False
        if self.capabilities.flat_reductions and is_one_slice(space) and not space.flat:
            return False
        if not (self._stores(a, space) and self._stores(b, space)):
            return False
        bits = a.bits | b.bits
        reads = (a.reads | b.reads) & ~bits
        # one more for what may have to be written because the next node does not join
        arrays = (reads & ~self.made).bit_count() + len(a.materialised) + len(b.materialised) + 1
        if arrays > self.buffers:
            return False
        above = (a.above | b.above) & ~bits
        if above and any(
            c.bits & above and c.above & bits for c in self.all if c is not a and c is not b
        ):
            return False
        slices = None
        if space.reduced:
            slices = self._joined_slices(a, b, space)
            if slices is None:
                return False
        if "call" in (a.kind, b.kind):
            if not self._ends(space, a, b):
                return False
            a.kind = "call"
        a.members = (
            sorted(a.members + b.members)
            if b.members[0] < a.members[-1]
            else (a.members + b.members)
        )
        a.bits, a.above, a.reads, a.memory_dependence = (
            bits,
            above,
            reads,
            a.memory_dependence | b.memory_dependence,
        )
        a.materialised += b.materialised
        a.space, a.slices = space, slices
        for n in b.members:
            self.home[n] = a
        self.all.remove(b)
        for c in self.all:
            if c.above & bits:
                c.above |= above | bits
        return True

    def _follows(self, a: Cluster, b: Cluster) -> bool:
        """Whether a library call may go on with an epilogue: nobody else uses its result."""
        members = a.members if a.kind == "call" else b.members
        bits = a.bits | b.bits
        n = next(k for k in members if self.sub.nodes[k].op.kind == "call")
        return (
            self.capabilities.epilogues
            and self.sub.nodes[n].op.name in EPILOGUES
            and n not in self.materialised
            and self.sub.nodes[n].option("outputs", 1) == 1
            and all(bits >> user & 1 for user in self.sub.users[n])
        )

    def _ends(self, space: Space, a: Cluster, b: Cluster) -> bool:
        """Whether the space is that of the call's result, reduced along whole columns at most."""
        call = a if a.kind == "call" else b
        assert call.space is not None
        if space.shape != call.space.shape or space.scanned is not None:
            return False
        if not space.reduced:
            return True
        width = ITEMSIZE[self.sub.nodes[call.members[0]].dtype]
        fits = space.shape[0] * width <= self.capabilities.slice_bytes
        return fits and space.reduced == (0,)

    def _scans(self, a: Cluster, b: Cluster) -> bool:
        """Whether all scans may run at once: none needs another's result, all go one way."""
        if a.above & b.bits == 0 == b.above & a.bits:
            ways = {
                bool(node.option("reverse"))
                for n in (*a.members, *b.members)
                if (node := self.sub.nodes[n]).op.kind == "scan"
            }
            return len(ways) == 1
        assert a.space is not None
        assert b.space is not None
        return a.space.scanned is None or b.space.scanned is None

    def _stores(self, cluster: Cluster, space: Space) -> bool:
        """Whether the space serves all that the cluster may have to write."""
        own = cluster.space
        assert own is not None
        if own.shape == space.shape and own.reduced == space.reduced:
            return True
        nodes = self.sub.nodes
        return all(storable(part_of(nodes[n]), space) for n in cluster.materialised)

    def _joined_slices(self, a: Cluster, b: Cluster, space: Space) -> Slices | None:
        first, then = (a, b) if len(a.members) >= len(b.members) else (b, a)
        known = first.slices
        if (
            known is None
            or first.above & then.bits
            or (known.space.flat, known.space.shape) != (space.flat, space.shape)
        ):
            return self._slices(sorted(a.members + b.members), space)
        sub = self.sub
        slices = known.copy()
        for n in then.members:
            if not slices.add(n, sub.nodes, sub.inputs, self._turns(n)):
                return None
        return slices

    def _slices(self, members: list[int], space: Space) -> Slices | None:
        sub = self.sub
        limit = self.capabilities.slice_bytes
        return slices_of(members, space, limit, sub.nodes, sub.inputs, self._turns)

    def _turns(self, n: int) -> bool:
        node: Node = self.sub.nodes[n]
        return node.op.kind == "reduce" and code_of(node).turns

    def is_flat(self, n: int) -> bool:
        """Whether a node takes its inputs element by element in their own order, or scalars."""
        nodes = self.sub.nodes
        node = nodes[n]
        kind = node.op.kind
        if kind == "view":
            return self.is_linear(n)
        if kind == "gather":
            return self.is_linear(self.sub.inputs[n][1])
        if kind == "cat" and stores_parts(node):
            parts = node.inputs[0].shape
            own = is_linear(parts, part_places(node)[0][1])
            return own and all(self.is_linear(i) for i in self.sub.inputs[n])
        if kind in ("cat", "update"):
            return False
        size = node.size if kind != "reduce" else nodes[self.sub.inputs[n][0]].size
        return all(
            i < 0 or nodes[i].size == 1 or (nodes[i].size == size and self.is_linear(i))
            for i in self.sub.inputs[n]
        )

    def is_linear(self, n: int) -> bool:
        """Whether a node is read in the order of its elements."""
        address = self.addresses.get(n)
        return address is None or is_linear(self.sub.nodes[n].shape, address[1])

    def join_epilogues(self) -> None:
        """Join each library call to the cluster that all of its users are in."""
        for call in [cluster for cluster in self.all if cluster.kind == "call"]:
            users = self.sub.users[call.members[0]]
            if len(set(users)) > 1:
                then = self.home.get(users[0])
                if then is not None and then is not call:
                    self.merge(call, then)

    def join_neighbours(self) -> None:
        """Join clusters over as many points that read the same."""
        nodes = self.sub.nodes
        readers: dict[int, list[Cluster]] = {}
        for cluster in self.all:
            if cluster.kind == "kernel":
                reads = cluster.reads
                while reads:
                    low = reads & -reads
                    reads ^= low
                    n = low.bit_length() - 1
                    if nodes[n].size != 1:
                        readers.setdefault(n, []).append(cluster)
        for clusters in readers.values():
            for k, later in enumerate(clusters):
                for earlier in clusters[:k]:
                    self._join(earlier, later)

    def _join(self, a: Cluster, b: Cluster) -> None:
        a, b = self.home[a.members[0]], self.home[b.members[0]]
        assert a.space is not None
        assert b.space is not None
        if a is not b and a.space.size == b.space.size:
            self.merge(a, b)
