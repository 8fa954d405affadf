"""Which nodes become one kernel.

Every node that computes something starts as a cluster of its own and, in topological order, joins
the clusters that its inputs are in: where a common iteration space exists, where everything that
must be written can be (`spaces`), where the slices fit, and where no cycle between clusters comes
of it. At last clusters that read the same arrays over the same space join. What crosses from one
cluster to another is written by the first and read by the second, or made again there where that
is cheaper.

Some nodes are no computation: views of what lies in memory, fills, ranges and (on devices) random
arrays. They are made again in each kernel that uses them, and belong to a cluster only where they
have to be written themselves.
"""

from __future__ import annotations

from runmat_core.accel.graph.addressing import StridedLayout, compose, dense_strides, size_of
from runmat_core.accel.graph.fragments import reads_memory, stores_parts, takes
from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.clusters import Cluster, Clusters
from runmat_core.accel.planning.plan import Group, Subgraph
from runmat_core.accel.planning.regions import part_of
from runmat_core.accel.planning.settle import settle
from runmat_core.accel.planning.spaces import Space, wide_axes
from runmat_core.api.device import Capabilities

#: Random arrays up to this many elements are drawn again in each kernel of a host, too.
DRAWN_AGAIN = 1 << 12

#: Structural operations in the code of nodes, besides what every kernel has.
_USES = {
    "reduce": frozenset({"reduce"}),
    "scan": frozenset({"scan"}),
    "random": frozenset({"index", "random"}),
    "range": frozenset({"index"}),
    "cat": frozenset({"index"}),
    "update": frozenset({"index"}),
}
_NONE: frozenset[str] = frozenset()

_VIRTUAL = frozenset({"view", "fill", "range"})


def partition(subgraph: Subgraph, capabilities: Capabilities) -> tuple[Group, ...]:
    """Return the groups of a sub-graph, in an order in which they can run."""
    work = _Partition(subgraph, capabilities)
    for n, node in enumerate(subgraph.nodes):
        if node.data is None:
            work.place(n, node)
    work.clusters.join_epilogues()
    work.clusters.join_neighbours()
    return settle(subgraph, work.clusters)


class _Partition:
    """Puts nodes into clusters, one after the other."""

    def __init__(self, sub: Subgraph, capabilities: Capabilities) -> None:
        self.sub = sub
        self.capabilities = capabilities
        self.runs = [node.data is None and self._can_run(n) for n, node in enumerate(sub.nodes)]
        self.clusters = Clusters(sub, capabilities, self._solid())

    def place(self, n: int, node: Node) -> None:
        """Give node `n` its place, those of its inputs being known."""
        clusters = self.clusters
        kind = node.op.kind
        if kind == "item" and self.sub.inputs[n][0] in clusters.home:
            self._place_item(n)
        elif not self.runs[n]:
            clusters.single(n, "host")
        elif kind == "call":
            clusters.single(n, "call", Space(node.shape, node.size, True))
        elif kind == "loop":
            clusters.single(n, "loop", Space(node.shape, node.size, True))
        elif kind == "view":
            self._place_view(n, node)
        elif kind == "random" and self._read_rather(node):
            self._compute(n, node)
        elif kind in ("fill", "range", "random"):
            clusters.pass_through(n, 0)
            if n in clusters.materialised:
                self._compute(n, node)
        else:
            self._compute(n, node)

    def _compute(self, n: int, node: Node) -> None:
        """Let a node join the clusters of its inputs."""
        clusters = self.clusters
        cluster = clusters.single(n, "kernel", self._space(n, node))
        for i in dict.fromkeys(self.sub.inputs[n]):
            other = clusters.home.get(i) if i >= 0 else None
            if other is not None and other is not cluster and clusters.merge(other, cluster):
                cluster = other

    def _place_item(self, n: int) -> None:
        clusters = self.clusters
        producer = self.sub.inputs[n][0]
        home = clusters.home[producer]
        home.members.append(n)
        home.bits |= 1 << n
        clusters.home[n] = home
        if n in clusters.materialised:
            home.materialised.append(n)
        if home.slices is not None:
            home.slices.phase[n] = home.slices.phase[producer]

    def _place_view(self, n: int, node: Node) -> None:
        clusters = self.clusters
        (i,) = self.sub.inputs[n]
        home = clusters.home.get(i)
        address = self.sub.address(n)
        if home is not None and i not in clusters.rematerialised:
            if self._reshapes(i, node, address, home):
                cluster = clusters.single(n, "kernel", Space(node.shape, node.size, True))
                if clusters.merge(home, cluster):
                    return
                clusters.drop(n)
            clusters.pass_through(n, 1 << i)
        elif i in clusters.rematerialised:
            clusters.pass_through(n, clusters.rematerialised[i])
            inner = clusters.addresses.get(i)
            if inner is not None:
                below = self.sub.nodes[i].shape
                composed = compose(address, node.shape, below, inner)
                if composed is None:
                    if home is None:
                        clusters.materialised.add(i)
                        self._compute(i, self.sub.nodes[i])
                    clusters.pass_through(n, 1 << i)
                    clusters.forced.add(n)
                else:
                    address = composed
        else:
            clusters.pass_through(n, 1 << i)
        clusters.addresses[n] = address
        if n in clusters.materialised:
            self._compute(n, node)

    def _reshapes(self, i: int, node: Node, address: StridedLayout, home: Cluster) -> bool:
        """Whether a view only gives another shape to what the cluster `home` computes."""
        below = self.sub.nodes[i]
        return (
            home.kind == "kernel"
            and home.space is not None
            and below.size == node.size == home.space.size
            and address == (0, dense_strides(node.shape))
        )

    def _read_rather(self, node: Node) -> bool:
        """Whether several kernels had better read a random array than each draw it again."""
        return self.capabilities.kind == "host" and node.size > DRAWN_AGAIN

    def _can_run(self, n: int) -> bool:
        """Whether a kernel or a library call of the device can compute the node."""
        capabilities = self.capabilities
        dtypes = capabilities.dtypes
        nodes = self.sub.nodes
        node = nodes[n]
        if node.dtype not in dtypes or not node.size:
            return False
        for i in self.sub.inputs[n]:
            if i >= 0:
                below = nodes[i]
                if below.dtype not in dtypes or not below.size or below.holds_complex:
                    return False
        kind = node.op.kind
        if capabilities.structural is not None and not _USES.get(kind, _NONE) <= (
            capabilities.structural
        ):
            return False
        if kind in ("map", "reduce"):
            return takes(node, capabilities)
        if kind == "scan":
            return capabilities.scans and takes(node, capabilities)
        if kind == "call":
            return node.op.name in capabilities.libraries
        if kind == "loop":
            return capabilities.loops
        if kind in ("cat", "update"):
            return stores_parts(node) or capabilities.joins or capabilities.kind == "device"
        return True

    def _solid(self) -> set[int]:
        """Return the nodes that must be written to memory, or might have to be."""
        sub = self.sub
        materialised = set(sub.outputs)
        for n, node in enumerate(sub.nodes):
            if node.data is None:
                kind = node.op.kind
                below = sub.inputs[n]
                if not self.runs[n]:
                    materialised.update(below)
                elif kind == "view" and sub.nodes[below[0]].op.kind not in _VIRTUAL:
                    materialised.add(below[0])
                else:
                    materialised.update(i for k, i in enumerate(below) if reads_memory(node, k))
                if stores_parts(node):
                    materialised.add(n)
        return {n for n in materialised if n >= 0 and sub.nodes[n].data is None}

    # -- spaces -----------------------------------------------------------------------------------

    def _space(self, n: int, node: Node) -> Space:
        """Return the space of a node by itself."""
        kind = node.op.kind
        if kind == "reduce":
            return self._reduce_space(n, node)
        shape = part_of(node).shape
        size = size_of(shape)
        space = Space(shape, size, self.clusters.is_flat(n))
        if kind == "scan":
            axis = node.option("axis")
            if axis >= len(shape) or shape[axis] == 1:
                return Space((*shape, 1), size, False, scanned=len(shape))
            space.scanned = axis
            space.flat = space.flat and wide_axes(shape) == (axis,)
        return space

    def _reduce_space(self, n: int, node: Node) -> Space:
        i = self.sub.inputs[n][0]
        shape = self.sub.nodes[i].shape
        size = size_of(shape)
        wide = wide_axes(shape)
        axes = tuple([k for k in node.option("axes") if k in wide])
        if axes == wide:
            return Space(shape, size, self.clusters.is_linear(i), reduced=axes or (0,))
        if axes:
            return Space(shape, size, False, reduced=axes)
        # every slice is one element; the kernel still needs an axis to reduce along
        return Space((*shape, 1), size, False, reduced=(len(shape),))
