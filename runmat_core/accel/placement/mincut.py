"""Exact placement of groups in two places by a minimum cut.

Each group costs something on the device and something on the host, and an array that is made in
one place and read in the other is brought over once, however many groups read it there. The
cheapest assignment is the minimum cut of a network in which the source is the device and the sink
the host: cutting ``group -> host`` means that the group runs on the device, and an auxiliary vertex
for each array and direction carries the cost of bringing it over. What is asked for at the end
comes to the host together, so one more vertex carries what that takes once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from runmat_core.api.tuples import NamedTuple

#: Stand for places among producers and consumers, where group numbers stand for groups.
DEVICE, HOST = -1, -2

#: A cost that no sum of others reaches. Costs are whole numbers, so that a cut is exact.
NEVER = 1 << 80


class Transfer(NamedTuple):
    """An array, and what bringing it over costs.

    Attributes:
        producer: the group that makes it, or `DEVICE` or `HOST` where it is already.
        consumers: the groups that read it; `HOST` and `DEVICE` where it must end up.
        up: the cost of bringing it from the host to the device.
        down: the cost of bringing it from the device to the host.
    """

    producer: int
    consumers: tuple[int, ...]
    up: int
    down: int

    def concerns(self, group: int) -> bool:
        """Whether what it costs depends on where a group runs."""
        return group == self.producer or group in self.consumers

    def cost(self, labels: Sequence[bool]) -> int:
        """Return what it costs where groups run on the device as labels say."""
        made = _is_there(self.producer, labels)
        if all(_is_there(consumer, labels) == made for consumer in self.consumers):
            return 0
        return self.down if made else self.up

    def enter(self, network: _Network, vertex: Callable[[int], int]) -> None:
        """Add what it costs to a network."""
        producer = vertex(self.producer)
        consumers = [vertex(number) for number in self.consumers]
        if self.down and producer != vertex(HOST):
            auxiliary = network.add()
            network.connect(producer, auxiliary, self.down)
            for consumer in consumers:
                network.connect(auxiliary, consumer, NEVER)
        if self.up and producer != vertex(DEVICE):
            auxiliary = network.add()
            network.connect(auxiliary, producer, self.up)
            for consumer in consumers:
                network.connect(consumer, auxiliary, NEVER)


class Trip(NamedTuple):
    """Arrays that come to the host together, and what that takes however many they are.

    Attributes:
        producers: the groups that make them.
        price: what it takes where any of these groups runs on the device.
    """

    producers: tuple[int, ...]
    price: int

    def concerns(self, group: int) -> bool:
        """As `Transfer.concerns`."""
        return group in self.producers

    def cost(self, labels: Sequence[bool]) -> int:
        """As `Transfer.cost`."""
        return self.price if any(labels[group] for group in self.producers) else 0

    def enter(self, network: _Network, vertex: Callable[[int], int]) -> None:
        """As `Transfer.enter`."""
        auxiliary = network.add()
        for group in self.producers:
            network.connect(vertex(group), auxiliary, NEVER)
        network.connect(auxiliary, vertex(HOST), self.price)


Move = Transfer | Trip


def _is_there(number: int, labels: Sequence[bool]) -> bool:
    return number == DEVICE or (number != HOST and labels[number])


def assign(
    device: Sequence[int], host: Sequence[int], moves: Sequence[Move]
) -> tuple[list[bool], int]:
    """For each group whether it runs on the device, at the least total cost; and that cost.

    Args:
        device: what each group costs on the device, not negative; `NEVER` where it cannot run.
        host: the same for the host.
        moves: of arrays between groups, and of those that are there from the start.

    Of assignments that cost the same, the one with the fewest groups on the device is taken.
    """
    count = len(device)
    source, sink = count, count + 1
    network = _Network(count + 2)

    def vertex(number: int) -> int:
        return source if number == DEVICE else sink if number == HOST else number

    for group in range(count):
        network.connect(source, group, host[group])
        network.connect(group, sink, device[group])
    for move in moves:
        move.enter(network, vertex)
    total = network.flow(source, sink)
    reached = network.levels(source)
    return [reached[group] >= 0 for group in range(count)], total


class _Network:
    """A flow network; Dinic's algorithm."""

    def __init__(self, vertices: int) -> None:
        self.edges: list[list[int]] = [[] for _ in range(vertices)]
        # edge k and its reverse k ^ 1
        self.target: list[int] = []
        self.room: list[int] = []

    def add(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def connect(self, start: int, end: int, capacity: int) -> None:
        self.edges[start].append(len(self.target))
        self.target.append(end)
        self.room.append(capacity)
        self.edges[end].append(len(self.target))
        self.target.append(start)
        self.room.append(0)

    def flow(self, source: int, sink: int) -> int:
        """Push the maximum flow; how much that is."""
        total = 0
        while (levels := self.levels(source))[sink] >= 0:
            tried = [0] * len(self.edges)
            while path := self._path(source, sink, levels, tried):
                amount = min(self.room[edge] for edge in path)
                for edge in path:
                    self.room[edge] -= amount
                    self.room[edge ^ 1] += amount
                total += amount
        return total

    def levels(self, source: int) -> list[int]:
        """Return the distance of each vertex from `source` over edges with room, or -1."""
        levels = [-1] * len(self.edges)
        levels[source] = 0
        queue = deque([source])
        while queue:
            vertex = queue.popleft()
            for edge in self.edges[vertex]:
                end = self.target[edge]
                if self.room[edge] and levels[end] < 0:
                    levels[end] = levels[vertex] + 1
                    queue.append(end)
        return levels

    def _path(self, source: int, sink: int, levels: list[int], tried: list[int]) -> list[int]:
        """Edges from `source` to `sink`, one level at a time; empty where there is no way left.

        `tried` counts for each vertex the edges that lead nowhere.
        """
        path: list[int] = []
        vertex = source
        while vertex != sink:
            edges = self.edges[vertex]
            while tried[vertex] < len(edges):
                edge = edges[tried[vertex]]
                end = self.target[edge]
                if self.room[edge] and levels[end] == levels[vertex] + 1:
                    path.append(edge)
                    vertex = end
                    break
                tried[vertex] += 1
            else:
                if not path:
                    return []
                back = path.pop()
                vertex = self.target[back ^ 1]
                tried[vertex] += 1
        return path
