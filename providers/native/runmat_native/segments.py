"""Which nodes are computed in which loop over a tile, and what is kept between two loops.

A call of one of NumPy's loops needs its operands for a whole tile at once. So the nodes of a kernel
fall into *segments*: a loop over the elements of a tile, then the calls whose operands it made. A
value that several segments use is computed again where that is little work, and else kept in a
buffer of the tile. A kernel with a serial axis has three *phases*: before the loop in time, in each
of its iterations, and after it.
"""

from __future__ import annotations

import attrs
from runmat_inprocess.fragments import DeclinedError

from runmat_native.parts import Node, Parts

#: What is computed again rather than kept costs at most this many operations.
CHEAP = 3
_DEAR = frozenset({"div", "sqrt", "gather", "mod", "rem", "quot"})
#: What needs its operands for a whole tile at once.
TILED = ("call", "running")
#: Buffers of a tile at most: they are to stay in the nearest cache.
BUFFERS = 40


@attrs.define
class Segment:
    """A loop over the elements of a tile.

    Attributes:
        phase: 0 before the loop in time, 1 in an iteration, 2 after it.
        nodes: that it computes or reads, in order.
        kept: those that it writes to their buffers.
        roots: stores and guards.
        calls: that follow it, and totals of its operands.
        turns: (carry, node that it takes on), written at the end.
    """

    phase: int
    nodes: list[int] = attrs.Factory(list)
    kept: list[int] = attrs.Factory(list)
    roots: list[int] = attrs.Factory(list)
    calls: list[int] = attrs.Factory(list)
    turns: list[tuple[int, int]] = attrs.Factory(list)


class Segments:
    """The segments of a kernel.

    Args:
        late: store after everything was read, as an output lies in the memory of an input.

    Attributes:
        found: in order.
        buffer: of each node that has one, by number; nodes may share one, one after the other.
        buffers: how many there are.
    """

    def __init__(self, parts: Parts, late: bool = False) -> None:
        self.parts, self.nodes = parts, parts.nodes
        self.serial = sum(1 << k for k in parts.program.kernel.axes_of("serial"))
        self.phase: list[int] = []
        self.level: list[int] = []
        for number in range(len(self.nodes)):
            self._rank(number)
        self._carried_ranks()
        wanted = self._wanted()
        self.found = self._segments(wanted, late)
        self.kept = self._keep(wanted)
        self.buffer, self.buffers = self._buffers()
        if self.buffers > BUFFERS:
            raise DeclinedError("too many buffers")

    # -- when each node can be computed

    def _rank(self, number: int) -> None:
        node = self.nodes[number]
        phase = self._own_phase(node)
        phase = max([phase, *(self.phase[a] for a in node.args)]) if node.op != "last" else 2
        level = 0
        for a in node.args:
            if self.phase[a] == phase:
                level = max(level, self.level[a] + (self.nodes[a].op in TILED))
        self.phase.append(phase)
        self.level.append(level)

    def _own_phase(self, node: Node) -> int:
        over: int = node.over
        if node.op in ("load", "store", "index"):
            moves = self.parts.program.kernel.views[node.attr].moves
            over |= sum(1 << k for k, m in enumerate(moves) if m)
        return int(bool(self.serial) and (node.op == "carry" or over & self.serial != 0))

    def _carried_ranks(self) -> None:
        """Refuse what is stored or watched after the loop though it belongs to an iteration."""
        for node in self.nodes:
            if node.op == "last" and self.phase[node.args[0]] == 2:
                raise DeclinedError("last of last")

    # -- what is wanted

    def _wanted(self) -> set[int]:
        """Nodes that a store or a guard needs."""
        needed: set[int] = set()
        stack = list(self.parts.roots)
        while stack:
            number = stack.pop()
            if number in needed:
                continue
            needed.add(number)
            node = self.nodes[number]
            stack.extend(node.args)
            if node.op == "carry":
                stack.append(node.attr)
        return needed

    def _segments(self, wanted: set[int], late: bool) -> list[Segment]:
        depth = [-1, -1, -1]
        for n in wanted:
            node = self.nodes[n]
            depth[self.phase[n]] = max(depth[self.phase[n]], self.level[n] + (node.op in TILED))
        self.carries = [n for n in self.parts.carries if n in wanted]
        if self.serial:
            depth[1] = max(depth[1], 0)
            for carry in self.carries:
                first = self.nodes[carry].args[0]
                if self.phase[first] == 0 and self.nodes[first].op != "scalar":
                    depth[0] = max(depth[0], self.level[first] + (self.nodes[first].op in TILED))
            depth[0] = max(depth[0], 0) if self.carries else depth[0]
        self.depth = depth
        found = [Segment(phase) for phase in range(3) for _ in range(depth[phase] + 1)]
        at: dict[int, int] = {}
        for k, segment in enumerate(found):
            at.setdefault(segment.phase, k)
        self.first = at
        for n in sorted(wanted):
            node = self.nodes[n]
            here = at[self.phase[n]] + self.level[n]
            if node.op in ("store", "guard"):
                if late:
                    here = at[self.phase[n]] + depth[self.phase[n]]
                found[here].roots.append(n)
            elif node.op in (*TILED, "total"):
                found[here].calls.append(n)
        if self.carries:
            final = found[at[1] + depth[1]]
            final.turns = [(c, self.nodes[c].attr) for c in self.carries]
            start = found[at[0] + depth[0]]
            start.turns = [(c, self.nodes[c].args[0]) for c in self.carries]
        return found

    # -- what is kept between segments

    def _home(self, number: int) -> int:
        """Return the first segment in which a node can be computed."""
        return self.first[self.phase[number]] + self.level[number]

    def _keep(self, wanted: set[int]) -> set[int]:
        """Find what has a buffer; fill in what each segment computes."""
        kept = {n for n in wanted if self.nodes[n].op in (*TILED, "carry")}
        for n in wanted:
            node = self.nodes[n]
            if node.op == "last":
                kept.add(node.args[0])
            elif node.op in (*TILED, "total"):
                kept.update(a for a in node.args if self.nodes[a].op != "scalar")
        while True:
            uses: dict[int, set[int]] = {}
            for k, segment in enumerate(self.found):
                segment.nodes, segment.kept = [], []
                self._fill(k, segment, kept)
                for n in segment.nodes:
                    uses.setdefault(n, set()).add(k)
            more = {n for n, where in uses.items() if n not in kept and self._worth(n, where)}
            if not more:
                return kept
            # the operands of what is kept now may not be needed elsewhere any more
            kept.add(max(more))

    def _worth(self, number: int, where: set[int]) -> bool:
        node = self.nodes[number]
        if len(where) < 2 or node.op in ("scalar", "load", "index", "store", "guard", "last"):
            return False
        phases = {self.found[k].phase for k in where}
        least = 0 if len(phases) > 1 else CHEAP
        return self._cost(number) > least

    def _cost(self, number: int) -> int:
        total, seen, stack = 0, set(), [number]
        while stack:
            n = stack.pop()
            node = self.nodes[n]
            if n in seen or node.op in ("scalar", "load", *TILED, "carry"):
                continue
            seen.add(n)
            total += 8 if node.op in _DEAR or node.op.endswith("result") else 1
            stack.extend(node.args)
        return total

    def _fill(self, k: int, segment: Segment, kept: set[int]) -> None:
        """Find the nodes of a segment from what it has to give."""
        made = {n for n in kept if self.nodes[n].op not in (*TILED, "carry") and self._home(n) == k}
        stack = [a for root in segment.roots for a in self.nodes[root].args]
        stack += [value for _, value in segment.turns]
        stack += made
        needed: set[int] = set()
        while stack:
            n = stack.pop()
            if n in needed:
                continue
            needed.add(n)
            node = self.nodes[n]
            if node.op in (*TILED, "carry", "last") or (n in kept and n not in made):
                continue  # read from a buffer
            stack.extend(node.args)
        segment.nodes = sorted(needed)
        segment.kept = sorted(made)

    def reads(self, k: int, number: int) -> int | None:
        """Return the node whose buffer a segment reads for a node; None where it computes it."""
        node = self.nodes[number]
        if node.op in (*TILED, "carry"):
            return number
        if node.op == "last":
            return node.args[0]
        if number in self.kept and self._home(number) != k:
            return number
        return None

    # -- buffers

    def _buffers(self) -> tuple[dict[int, int], int]:
        """Give a buffer to each node that is kept; outside loops in time they are used again."""
        uses: dict[int, list[int]] = {n: [] for n in self.kept}
        for k, segment in enumerate(self.found):
            for n in segment.nodes:
                source = self.reads(k, n)
                if source is not None:
                    uses[source].append(k)
            for n in segment.calls:
                for a in self.nodes[n].args:
                    if a in uses:
                        uses[a].append(k)
        buffer: dict[int, int] = {}
        count = 0
        if self.serial:
            for n in sorted(self.kept):
                buffer[n], count = count, count + 1
            return buffer, count
        free: list[int] = []
        ends: dict[int, list[int]] = {}
        start = {n: self._home(n) for n in self.kept}
        for k in range(len(self.found)):
            for n in sorted(n for n in self.kept if start[n] == k):
                buffer[n] = free.pop() if free else count
                count = max(count, buffer[n] + 1)
                ends.setdefault(max([k, *uses[n]]), []).append(n)
            free.extend(buffer[n] for n in ends.get(k, ()))
        return buffer, count
