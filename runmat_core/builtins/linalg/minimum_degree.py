"""Orders of elimination by minimum degree, on the quotient graph.

What is eliminated becomes an element: the clique of the variables that it was joined to. Degrees
are the bounds of Amestoy, Davis and Duff ("An approximate minimum degree ordering algorithm",
SIAM J. Matrix Anal. Appl. 17, 1996); variables with the same neighbours are eliminated together.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

import attrs

#: Members of a set of variables or elements, by number.
Members = set[int]


@attrs.define
class QuotientGraph:
    """What is left to eliminate.

    Attributes:
        variables: the neighbours of each variable that no element joins it to.
        elements: the elements of each variable.
        cliques: the variables of each element.
        weights: how many rows each variable stands for; 0 once it is gone.
        sizes: the weight of each element's variables.
        members: the variables that each variable stands for, itself first.
        absorbed_by: the element that took up each element.
        aggressive: whether elements within others are taken up wherever they are met.
    """

    variables: list[Members]
    elements: list[Members]
    cliques: dict[int, Members]
    weights: list[int]
    sizes: dict[int, int]
    members: list[list[int]]
    absorbed_by: dict[int, int]
    aggressive: bool

    def clique_of(self, pivot: int) -> Members:
        """Return the variables that eliminating `pivot` joins; its elements are taken up."""
        joined = self.variables[pivot].copy()
        for element in self.elements[pivot]:
            joined |= self.cliques.pop(element)
            self.absorbed_by[element] = pivot
        joined.discard(pivot)
        return joined

    def outside(self, joined: Iterable[int], gone: Members) -> dict[int, int]:
        """Return the weight of each element that touches `joined`, outside of it."""
        rest: dict[int, int] = {}
        for i in joined:
            self.elements[i] -= gone
            for element in self.elements[i]:
                rest[element] = rest.get(element, self.sizes[element]) - self.weights[i]
        return rest

    def merge(self, joined: Iterable[int]) -> None:
        """Let those of a new clique that have equal neighbours be one variable."""
        kinds: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        for i in sorted(joined):
            kind = frozenset(self.variables[i]), frozenset(self.elements[i])
            first = kinds.setdefault(kind, i)
            if first != i:
                self.weights[first] += self.weights[i]
                self.members[first] += self.members[i]
                self.remove(i)

    def remove(self, i: int) -> None:
        self.weights[i] = 0
        for other in self.variables[i]:
            self.variables[other].discard(i)
        for element in self.elements[i]:
            self.cliques[element].discard(i)
        self.variables[i] = set()
        self.elements[i] = set()

    def eliminate(self, pivot: int, left: int) -> list[tuple[int, int]]:
        """Eliminate a variable; bounds of the degrees of those that it was joined to.

        Args:
            left: the weight of all that is not eliminated, without `pivot`.
        """
        joined = self.clique_of(pivot)
        gone = self.elements[pivot]
        rest = self.outside(joined, gone)
        if self.aggressive:
            within = {element for element, weight in rest.items() if weight == 0}
            for element in within:
                self.absorbed_by[element] = pivot
                del self.cliques[element]
            for i in joined:
                self.elements[i] -= within
        for i in joined:
            self.variables[i] -= joined
            self.variables[i].discard(pivot)
            self.elements[i].add(pivot)
        self.cliques[pivot] = joined
        self.merge(joined)
        size = sum(self.weights[i] for i in joined)
        for i in [i for i in joined if not self.variables[i] and self.elements[i] == {pivot}]:
            # nothing but this clique: it can go at once, and joins nobody anew
            self.members[pivot] += self.members[i]
            size -= self.weights[i]
            self.remove(i)
        self.weights[pivot] = 0
        self.variables[pivot] = set()
        self.elements[pivot] = set()
        self.sizes[pivot] = size
        return [(self._bound(i, pivot, size, left, rest), i) for i in self.cliques[pivot]]

    def _bound(self, i: int, pivot: int, size: int, left: int, rest: dict[int, int]) -> int:
        own = self.weights[i]
        apart = sum(self.weights[k] for k in self.variables[i]) + size - own
        apart += sum(rest[element] for element in self.elements[i] if element != pivot)
        return min(left - own, apart)


def graph_of(
    neighbours: Sequence[Iterable[int]], cliques: Iterable[Iterable[int]], aggressive: bool
) -> QuotientGraph:
    """Return the graph before anything is eliminated.

    Args:
        neighbours: the neighbours of each variable, on both sides.
        cliques: sets of variables that are joined to each other besides.
    """
    count = len(neighbours)
    elements: list[Members] = [set() for _ in range(count)]
    # numbers of elements are those of pivots; those that are there at first come after them
    first = {count + k: set(clique) for k, clique in enumerate(cliques)}
    for number, clique in first.items():
        for i in clique:
            elements[i].add(number)
    return QuotientGraph(
        [set(line) - {i} for i, line in enumerate(neighbours)],
        elements,
        first,
        [1] * count,
        {number: len(clique) for number, clique in first.items()},
        [[i] for i in range(count)],
        {},
        aggressive,
    )


def minimum_degree(
    neighbours: Sequence[Iterable[int]],
    cliques: Iterable[Iterable[int]] = (),
    aggressive: bool = True,
) -> list[int]:
    """Return an order of the variables, each of small degree among those that come after it."""
    graph = graph_of(neighbours, cliques, aggressive)
    left = len(neighbours)
    degrees = [
        len(set().union(graph.variables[i], *(graph.cliques[e] for e in graph.elements[i])) - {i})
        for i in range(left)
    ]
    pending = [(degree, i) for i, degree in enumerate(degrees)]
    heapq.heapify(pending)
    pivots = []
    while pending:
        degree, pivot = heapq.heappop(pending)
        if not graph.weights[pivot] or degree != degrees[pivot]:
            continue  # it is gone, or stands elsewhere with another degree
        own = len(graph.members[pivot])
        for bound, i in graph.eliminate(pivot, left - own):
            degrees[i] = min(bound, degrees[i] + graph.sizes[pivot])
            heapq.heappush(pending, (degrees[i], i))
        left -= len(graph.members[pivot])
        pivots.append(pivot)
    return [i for pivot in _children_first(pivots, graph) for i in graph.members[pivot]]


def _children_first(pivots: list[int], graph: QuotientGraph) -> list[int]:
    """Pivots so that each subtree of the tree of elements is eliminated in one go."""
    children: dict[int, list[int]] = {}
    roots = []
    for pivot in pivots:
        if pivot in graph.absorbed_by:
            children.setdefault(graph.absorbed_by[pivot], []).append(pivot)
        else:
            roots.append(pivot)
    order, pending = [], roots
    while pending:  # the reverse of a walk that takes parents first
        pivot = pending.pop()
        order.append(pivot)
        pending.extend(children.get(pivot, ()))
    return order[::-1]
