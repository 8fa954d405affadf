"""Iteration spaces of groups that grow: which spaces join, and what fits into a slice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from runmat_core.accel.graph.addressing import size_of
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.api.ir import ITEMSIZE

#: Most operations that are put off to a later phase rather than keeping their result.
DEPTH = 3


class Space:
    """The space of a group.

    Attributes:
        shape: extents.
        size: number of points.
        flat: whether every value in it varies over all of it in column-major order or not at all,
            so that only the number of points matters.
        mixed: some values over all of it have other shapes than `shape`, so it cannot expand.
        reduced: the axes that reductions remove, those of extent 1 left out where others are.
        scanned: the axis that scans run along.
    """

    __slots__ = ("flat", "mixed", "reduced", "scanned", "shape", "size")

    def __init__(
        self,
        shape: Shape,
        size: int,
        flat: bool,
        mixed: bool = False,
        reduced: tuple[int, ...] = (),
        scanned: int | None = None,
    ) -> None:
        self.shape = shape
        self.size = size
        self.flat = flat
        self.mixed = mixed
        self.reduced = reduced
        self.scanned = scanned


def wide_axes(shape: Shape) -> tuple[int, ...]:
    """Return the axes of more than one element."""
    return tuple([k for k, extent in enumerate(shape) if extent != 1])


def join(a: Space, b: Space) -> Space | None:
    """Return the space that holds two groups, None where there is none.

    A group with reductions or scans keeps its space: only groups of maps expand.
    """
    if a.shape == b.shape:
        joined = Space(a.shape, a.size, a.flat and b.flat, a.mixed or b.mixed)
    elif a.size == b.size and (a.flat or b.flat):
        joined = Space(a.shape if b.flat else b.shape, a.size, a.flat and b.flat, True)
    else:
        found = _expanded(a, b)
        if found is None:
            return None
        joined = found
    return _with_order(joined, a, b)


def _expanded(a: Space, b: Space) -> Space | None:
    """Return the common space where one or both expand."""
    rank = max(len(a.shape), len(b.shape))
    left = a.shape + (1,) * (rank - len(a.shape))
    right = b.shape + (1,) * (rank - len(b.shape))
    shape = []
    for m, n in zip(left, right, strict=True):
        if m != n and m != 1 and n != 1:
            return None
        shape.append(m if n == 1 else n)
    for one, own in ((a, left), (b, right)):
        if own != tuple(shape) and (one.reduced or one.scanned is not None or one.mixed):
            return None
    flat = a.flat and b.flat and (a.size == 1 or b.size == 1)
    return Space(tuple(shape), size_of(shape), flat, a.mixed or b.mixed)


def _with_order(joined: Space, a: Space, b: Space) -> Space | None:
    """Return `joined` with the reductions and scans of both, where they agree."""
    for one in (a, b):
        if one.reduced:
            axes = one.reduced if one.shape == joined.shape else _transferred(one, joined)
            if axes is None or (joined.reduced and joined.reduced != axes):
                return None
            joined.reduced = axes
        if one.scanned is not None:
            axis: int | None = one.scanned
            if one.shape[: len(joined.shape)] != joined.shape[: len(one.shape)]:
                wide = wide_axes(joined.shape)
                axis = wide[0] if len(wide) == 1 else None
            if axis is None or (joined.scanned is not None and joined.scanned != axis):
                return None
            joined.scanned = axis
    if joined.reduced and joined.scanned is not None:
        return None
    return joined


def _transferred(one: Space, joined: Space) -> tuple[int, ...] | None:
    """Return the reduced axes of a group in a space of another shape."""
    rank = len(joined.shape)
    if one.shape[:rank] == joined.shape[: len(one.shape)]:  # they differ in trailing ones alone
        return one.reduced if one.reduced[-1] < rank else None
    return wide_axes(joined.shape) or (0,)


def is_one_slice(space: Space) -> bool:
    """Whether several axes are reduced, and no other has more than one point."""
    return len(space.reduced) > 1 and space.reduced == wide_axes(space.shape)


def is_whole(node: Node, space: Space) -> bool:
    """Whether a value of a group with this space is one element for each point."""
    return node.size == space.size


def storable(node: Node, space: Space) -> bool:
    """Whether each element of the value belongs to one point, or one slice, of the space."""
    size = node.size
    if size == space.size:
        return True
    if not space.reduced:
        return False
    if space.flat:
        return size == 1
    shape = node.shape
    if len(shape) > len(space.shape):
        return False
    for k, extent in enumerate(space.shape):
        if (shape[k] if k < len(shape) else 1) != (1 if k in space.reduced else extent):
            return False
    return True


class Slices:
    """What a group keeps of each slice while its reductions run, one after the other.

    A value of *phase* p needs the results of p reductions in a row. A value that varies along the
    reduced axes and is used in a later phase than its own has to be kept, or made again, for the
    whole slice.

    Args:
        space: with reductions.
        limit: most bytes for a slice.
    """

    def __init__(self, space: Space, limit: int) -> None:
        self.space = space
        self.points = size_of([space.shape[k] for k in space.reduced])
        self.limit = limit // max(self.points, 1)
        self.phase: dict[int, int] = {}
        self._span: dict[int, tuple[int, int]] = {}
        self._live: list[int] = []

    def copy(self) -> Slices:
        """Return the same, to be added to."""
        made = Slices(self.space, self.limit * max(self.points, 1))
        made.phase, made._span, made._live = dict(self.phase), dict(self._span), list(self._live)
        return made

    def varies(self, node: Node) -> bool:
        """Whether a value varies along the reduced axes."""
        if self.space.flat:
            return node.size != 1
        shape = node.shape
        if node.size == self.space.size and shape != self.space.shape:
            return self.points != 1
        return any(k < len(shape) and shape[k] != 1 for k in self.space.reduced)

    def add(
        self, number: int, nodes: Sequence[Node], inputs: Sequence[tuple[int, ...]], turns: bool
    ) -> bool:
        """Take in a node whose inputs in the group are in it already; False: it does not fit.

        Args:
            turns: whether the node's own code meets reduced values with elements again.
        """
        node = nodes[number]
        phase = self.phase
        below = [i for i in inputs[number] if i >= 0]
        if node.op.kind == "cat":
            node = nodes[below[0]]
        at = 0
        for i in below:
            at = max(at, phase.get(i, 0))
        reduces = nodes[number].op.kind == "reduce"
        late = (at > 0 and self.varies(nodes[below[0]] if reduces else node)) or turns
        uses: list[int] = []
        for i in below:
            if self.varies(nodes[i]):
                if turns:
                    uses.append(i)
                else:
                    uses += self._kept(i, at, nodes, inputs, DEPTH)
        if uses or late:
            live = self._with(uses, at, turns, nodes)
            if max(live, default=0) > self.limit or ITEMSIZE[node.dtype] > self.limit:
                return False
            self._live = live
            for i in uses:
                birth, last = self._span.get(i, (at, at))
                self._span[i] = (min(birth, at), max(last, at))
        for i in below:
            self._span.setdefault(i, (at, at))
        phase[number] = at + reduces
        self._span[number] = (at, at)
        return True

    def _kept(
        self,
        i: int,
        at: int,
        nodes: Sequence[Node],
        inputs: Sequence[tuple[int, ...]],
        depth: int,
    ) -> list[int]:
        """Return what to keep until phase `at` in order to have value `i` there."""
        span = self._span.get(i)
        if span is None or span[0] <= at <= span[1]:
            return []
        if depth and i in self.phase and nodes[i].op.kind == "map" and at > span[1]:
            # it may as well be computed later from what is there anyway
            below = [j for j in inputs[i] if j >= 0 and self.varies(nodes[j])]
            instead = [k for j in below for k in self._kept(j, at, nodes, inputs, depth - 1)]
            if len(instead) <= 1:
                return instead
        return [i]

    def _with(self, uses: Sequence[int], at: int, turns: bool, nodes: Sequence[Node]) -> list[int]:
        """Bytes of an element kept from each phase to the next, with further uses in `at`."""
        live = self._live + [0] * (at + 2 - len(self._live))
        for i in dict.fromkeys(uses):
            size = ITEMSIZE[nodes[i].dtype]
            birth, last = self._span.get(i, (at, at))
            for phase in (*range(last, at), *range(at, birth), *((at,) if turns else ())):
                live[phase] += size
        return live


def slices_of(
    members: Iterable[int],
    space: Space,
    limit: int,
    nodes: Sequence[Node],
    inputs: Sequence[tuple[int, ...]],
    turns: Callable[[int], bool],
) -> Slices | None:
    """Return the slices of a whole group; None where they do not fit."""
    slices = Slices(space, limit)
    for n in members:
        if not slices.add(n, nodes, inputs, turns(n)):
            return None
    return slices
