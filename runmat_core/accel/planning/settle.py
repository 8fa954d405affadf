"""From clusters to groups: what each writes, and what it makes again instead of reading it."""

from __future__ import annotations

from collections.abc import Iterable

from runmat_core.accel.graph.fragments import code_of, reads_memory, stores_parts
from runmat_core.accel.graph.node import Shape
from runmat_core.accel.planning.clusters import Cluster, Clusters
from runmat_core.accel.planning.plan import Group, Subgraph
from runmat_core.accel.planning.spaces import storable

#: A value this many times smaller costs nothing to read again.
SMALL = 8
#: Most operations that are done again to save a write and a read.
DEPTH = 4


def settle(sub: Subgraph, clusters: Clusters) -> tuple[Group, ...]:
    """Return the groups in an order in which they can run; what nobody needs is left out."""
    wanted = set(sub.outputs)
    groups: list[Group] = []
    # whatever must have run before has fewer clusters above it
    for cluster in sorted(clusters.all, key=lambda c: c.above.bit_count(), reverse=True):
        groups += reversed(_groups(sub, clusters, cluster, wanted))
    groups.reverse()
    return tuple(groups)


def _groups(sub: Subgraph, clusters: Clusters, cluster: Cluster, wanted: set[int]) -> list[Group]:
    outputs = tuple([n for n in cluster.members if n in wanted])
    if not outputs:
        return []
    if cluster.kind == "host":
        for n in cluster.members:
            wanted.update(i for i in sub.inputs[n] if i >= 0)
        return [Group("host", tuple(cluster.members), outputs)]
    assert cluster.space is not None
    needs = _Needs(sub, clusters, cluster, wanted)
    nodes = needs.below(outputs)
    groups = []
    for n in needs.apart:
        wanted.discard(n)
        below = _Needs(sub, clusters, clusters.home[n], wanted).below((n,))
        groups.append(Group("kernel", below, (n,), sub.nodes[n].shape))
    space = cluster.space
    reduced = space.reduced
    if cluster.kind in ("call", "loop"):
        groups.append(Group(cluster.kind, nodes, outputs, space.shape, reduced))
        return groups
    if space.flat and all(_in_order(sub, clusters, n, outputs) for n in nodes):
        shape: Shape = (space.size,)
        reduced = reduced and (0,)
        scanned = None if space.scanned is None else 0
    else:
        shape, scanned = space.shape, space.scanned
    groups.append(Group("kernel", nodes, outputs, shape, reduced, scanned))
    return groups


def _in_order(sub: Subgraph, clusters: Clusters, n: int, outputs: tuple[int, ...]) -> bool:
    """Whether a node of a group minds nothing but the order of elements."""
    kind = sub.nodes[n].op.kind
    if kind in ("map", "gather", "cat", "update") or (kind == "view" and n in outputs):
        return clusters.is_flat(n)
    return True


class _Needs:
    """What one cluster needs for its outputs."""

    def __init__(
        self, sub: Subgraph, clusters: Clusters, cluster: Cluster, wanted: set[int]
    ) -> None:
        self.sub = sub
        self.clusters = clusters
        self.bits = cluster.bits
        self.mixed = cluster.space is not None and cluster.space.mixed
        self.wanted = wanted
        self.apart: list[int] = []
        self.taken: set[int] = set()
        self.read: set[int] = set()

    def below(self, outputs: Iterable[int]) -> tuple[int, ...]:
        """Return the nodes of the group; what it reads from other groups becomes wanted."""
        sub, taken, bits = self.sub, self.taken, self.bits
        rematerialised, forced = self.clusters.rematerialised, self.clusters.forced
        stack = list(outputs)
        others: set[int] = set()
        while stack or others:
            if not stack:
                # what was computed first is decided first: the rest may be made from it
                i = min(others)
                others.remove(i)
                if i in taken or i in self.read:
                    continue
                if self._made_again(i):
                    stack.append(i)
                else:
                    self.wanted.add(i)
                    self.read.add(i)
                continue
            n = stack.pop()
            if n in taken:
                continue
            taken.add(n)
            node = sub.nodes[n]
            for position, i in enumerate(sub.inputs[n]):
                if i < 0:
                    continue
                if sub.nodes[i].data is not None:
                    self.read.add(i)
                elif reads_memory(node, position) or stores_parts(sub.nodes[i]):
                    self.wanted.add(i)
                    self.read.add(i)
                elif bits >> i & 1:
                    stack.append(i)
                elif n in forced or (n in rematerialised and i not in rematerialised):
                    self.wanted.add(i)
                    self.read.add(i)
                elif i in rematerialised:
                    stack.append(i)
                else:
                    others.add(i)
        return tuple(sorted(taken))

    def _made_again(self, i: int) -> bool:
        """Whether to compute a node of another cluster here, too."""
        home = self.clusters.home[i]
        if home.kind != "kernel":
            return False
        assert home.space is not None
        node = self.sub.nodes[i]
        if not storable(node, home.space):
            if not self.mixed or self.clusters.is_flat(i):
                return True
            self.apart.append(i)
            return False
        loads = self._loads(i, DEPTH)
        return loads is not None and loads <= (i not in self.wanted)

    def _loads(self, i: int, depth: int) -> int | None:
        """Whole arrays to read in order to make a node again; None where it is too dear."""
        sub, clusters = self.sub, self.clusters
        node = sub.nodes[i]
        if (
            node.op.kind not in ("map", "view")
            or i in clusters.materialised
            or node.guarded
            or not depth
        ):
            return None
        if node.op.kind == "map" and not code_of(node).light:
            return None
        if self.mixed and not clusters.is_flat(i):
            return None
        loads = 0
        for j in set(sub.inputs[i]):
            if j < 0 or j in self.taken or j in self.read:
                continue
            below = sub.nodes[j]
            if below.size * SMALL <= node.size:
                continue
            if below.data is not None or j in self.wanted:
                loads += 1
            elif j in clusters.rematerialised:
                bases = clusters.rematerialised[j]
                loads += bool(bases)
                if below.op.kind == "random":
                    continue
            else:
                more = self._loads(j, depth - 1)
                if more is None:
                    return None
                loads += more
        return loads
