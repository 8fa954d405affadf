"""Tracing the body of a loop: it runs once on placeholders, and what it asks for is written down.

The trace has a graph of its own, in which nothing can be computed: whatever needs an element ends
the trace, and so does whatever the body does to the world besides its variables. The session's
random stream is put back; nothing else can have changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture import generators
from runmat_core.accel.capture.boundary import deferred, is_placed
from runmat_core.accel.capture.selections import COMBINE, DIFFERENT, PLACES
from runmat_core.accel.context import CaptureContext, running
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.intervals import Facts, unknown
from runmat_core.accel.graph.leaves import (
    CARRIED,
    AbstractData,
    Carry,
    ElementsNeeded,
    Invariant,
    Item,
    Leaf,
    Refused,
    Slice,
    leaf_of,
)
from runmat_core.accel.graph.node import COMPLEX_CLASSES, SOURCE, Equation, Node, Op, Shape
from runmat_core.accel.loops import selected, subscripts
from runmat_core.accel.loops.branches import WAYS, Branches, Way, joined, key_of
from runmat_core.accel.loops.stretch import Counts, Varies, answer
from runmat_core.accel.ops.elementwise import any_may_be_real
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.ops.operators import OPERATIONS
from runmat_core.accel.planning.step import below
from runmat_core.accel.random.philox import WIDTH, aligned
from runmat_core.api.ir import COMPLEX_CLASS
from runmat_core.values.array import Array
from runmat_core.values.base import Complex, class_of
from runmat_core.values.deferred import Deferred
from runmat_core.values.indexing import size_of
from runmat_core.values.notices import warnings_to

#: Most operations of a body.
NODES = 256
_WORDS = 1 << 64
#: Kinds of operations whose results follow from the elements of their operands alone.
_SEES = frozenset({"map", "view", "cat", "range", "fill", "reduce", "gather"})
DRAWS = "it draws random numbers that only the host makes"
NEEDS = "it needs the value of something that is computed in the loop"


@attrs.frozen(eq=False)
class Trace:
    """What a trip does.

    Attributes:
        finals: the values of the written variables at its end; placeholders where unchanged.
        draws: the random arrays that it draws, in order.
        words: how far it moves the random stream.
        checks: the results of library calls that guard: what these find has to be known where the
            loop stands, whether somebody reads the results or not.
    """

    finals: dict[str, Any]
    draws: tuple[Node, ...]
    words: int
    checks: tuple[Node, ...] = ()


class TraceGraph(Graph):
    """The graph of a trace.

    Args:
        trips: how many trips are to be captured, the traced one included.
        branches: the conditions that it takes for both of their values.

    Attributes:
        selects: whether a mask selected something.
    """

    def __init__(self, trips: int, branches: Branches | None = None) -> None:
        super().__init__(self._evaluate, self._fetch, nodes=NODES)
        self.trips = trips
        self.branches = branches or Branches()
        self.draws: list[Node] = []
        self.checks: list[Node] = []
        self.selects = False
        self._slices: dict[Any, Node] = {}

    def begin(self, values: Sequence[bool], first: bool) -> None:
        """Begin a way through the body on which the first conditions have these values."""
        self.branches.begin(values, first)
        self.draws, self.checks = [], []

    def way(self, names: Mapping[str, Any], position: int) -> Way:
        """Return the way that was taken; variables and the place in the stream are at its end."""
        branches = self.branches
        taken = tuple(branches.taken.values())
        return Way(taken, names, self.draws, self.checks, position, branches.made)

    def _refuse(self, _: Any) -> Any:
        raise Refused(NEEDS)

    def _fetch(self, node: Node) -> Any:
        """Return a scalar of the loop's variable alone, if all rounds agree on it.

        A condition has the value that it has on this way through the body.
        """
        names = only_read(node)
        if names:
            raise ElementsNeeded(NEEDS, names)
        try:
            return answer(node, self.trips, NEEDS)
        except Refused as refused:
            if refused.__class__ is Counts and refused.name not in self.branches.steady:
                raise
            value = None if refused.__class__ is Varies else self.branches.decide(node)
            if value is None:
                raise
            return np.full((1, 1), value, order="F")

    def _evaluate(self, nodes: Sequence[Node]) -> None:
        """Put off to the loop itself what library calls find and whether computed subscripts exist.

        They are checked once for all iterations; a guard that fires there runs the loop step by
        step.
        """
        for node in nodes:
            whole = node.inputs[0] if node.op.kind == "item" else node
            if not whole.guarded and not any(_is_place(one) for one in whole.inputs):
                self._refuse(node)
            if whole.op.kind not in ("call", "gather") and whole.op is not DIFFERENT:
                self._refuse(node)
        self.checks += nodes

    def _watch_bounds(self, place: tuple[Any, int]) -> None:
        if self._made > NODES:
            raise Refused(f"an iteration has more than {NODES} operations")

    def _bound(self) -> None:
        """Nothing of a trace takes memory."""

    def append(
        self,
        op: Op,
        inputs: tuple[Any, ...],
        static: Any,
        shape: Shape,
        cls: str,
        guarded: bool = False,
        form: Any = None,
        place: tuple[Any, int] | None = None,
    ) -> Node:
        """Return a new node, or that of an earlier way through the body."""
        key = key_of(op, inputs, static, shape, cls, guarded)
        node = self.branches.known(key)
        if node is None:
            node = super().append(op, inputs, static, shape, cls, guarded, form, place)
            self.branches.note(key, node)
        return node

    def grow(
        self,
        op: Op,
        inputs: tuple[Any, ...],
        kinds: tuple[Any, ...],
        static: Any,
        shape: Shape,
        cls: str,
        guarded: bool = False,
        form: Any = None,
        value_number: int = 0,
    ) -> Deferred:
        """Return the value of such a node; all random arrays are made here."""
        key = key_of(op, inputs, static, shape, cls, guarded)
        node = self.branches.known(key)
        if node is None:
            value = super().grow(op, inputs, kinds, static, shape, cls, guarded, form, value_number)
            node = value.promise.node
            self.branches.note(key, node)
        else:
            value = deferred(node)
        if op.kind == "random":
            self.draws.append(node)
        return value

    def again(
        self,
        whose: Any,
        steps: Sequence[Equation],
        nodes: list[Node],
        words: Sequence[int] | None = None,
    ) -> None:
        """Append the nodes of `steps` to `nodes`, or those of an earlier way through the body."""
        if not self.branches.allowed:
            super().again(whose, steps, nodes, words)
            return
        given = words or ()
        for step in steps:
            inputs = tuple(
                [
                    nodes[k] if k >= 0 else value if k == -1 else given[value]
                    for k, value in step.inputs
                ]
            )
            made = self.append(
                *(step.op, inputs, step.static, step.shape, step.cls, step.guarded, step.form)
            )
            made.facts = step.facts
            nodes.append(made)

    def replay_one(self, step: Equation, inputs: tuple[Any, ...]) -> Deferred:
        """Return the value of such a node for a single step."""
        if not self.branches.allowed:
            return super().replay_one(step, inputs)
        made = self.append(
            *(step.op, inputs, step.static, step.shape, step.cls, step.guarded, step.form)
        )
        made.facts = step.facts
        return deferred(made)

    def source(self, data: NDArray[Any], cls: str) -> Node:
        """Return the node of an array that the body makes; fills are made where they are used."""
        if data.__class__ is np.ndarray and data.dtype.kind == "f" and data.size > 1:
            first = data.flat[0]
            if (data == first).all() and not (first == 0 and np.signbit(data).any()):
                return self.append(FILL, (float(first),), (), data.shape, cls)
        return super().source(data, cls)

    def leaf(
        self,
        leaf: Leaf,
        shape: Shape,
        cls: str,
        facts: Facts | None = None,
        decided: bool = True,
    ) -> Node:
        """Return a placeholder.

        Args:
            decided: whether an array of a complex class that the body only reads is complex.
        """
        op = CARRIED if isinstance(leaf, Carry) or not decided else SOURCE
        node = Node(self, op, (), (), shape, cls, self.interner.add(object()))
        node.facts = facts or unknown(node.dtype)
        node.data = AbstractData(leaf, node.dtype)  # type: ignore[assignment]
        return node

    def slice(
        self, node: Node, shape: Shape, offset: int, strides: tuple[int, ...], advance: int
    ) -> Node:
        """Return the placeholder of a part of an array that moves after each trip.

        Raises:
            Refused: the array is not as it is when a trip begins.
        """
        if not isinstance(leaf_of(node), Invariant | Carry):
            raise Refused("it selects a moving part of an array that it computes")
        key = (id(node), shape, offset, strides, advance)
        found = self._slices.get(key)
        if found is None:
            leaf = Slice(node, offset, strides, advance)
            decided = not any_may_be_real((node,))
            found = self._slices[key] = self.leaf(leaf, shape, node.cls, decided=decided)
            found.pinned = node.pinned
        return found

    def index(self, value: Any, subs: Sequence[Any]) -> Any:
        """Return a subscript that reads; see `accel.loops.subscripts`."""
        return subscripts.index(self, value, subs)

    def assign(self, value: Any, subs: Sequence[Any], rhs: Any) -> Any:
        """Return a subscript that writes."""
        return subscripts.assign(self, value, subs, rhs)

    def range(self, first: Any, step: Any, last: Any) -> Any:
        """Return a range between numbers that depend on the loop's variable."""
        return subscripts.ranged(self, first, step, last)

    def affine(self, value: Any) -> tuple[int, int] | None:
        """Return a subscript of the first iteration and its growth, if it is affine."""
        node = value.promise.node if value.__class__ is Deferred else value
        return affine(node)


def only_read(node: Node) -> frozenset[str]:
    """Return the arrays that `node` is computed from, if the loop only reads them.

    There are none if it depends on anything else but the loop's variable.
    """
    names: set[str] = set()
    for one in below((node,)):
        if one.data is None and one.op.kind in _SEES:
            continue
        leaf = leaf_of(one)
        while isinstance(leaf, Slice):
            leaf = leaf_of(leaf.base)
        if isinstance(leaf, Invariant):
            names.add(leaf.name)
        elif not isinstance(leaf, Item) and one.data.__class__ is not np.ndarray:
            return frozenset()
    return frozenset(names)


def _is_place(value: Any) -> bool:
    """Whether an input of a node is places that a guard watches, or made of such."""
    if value.__class__ is not Node or value.data is not None:
        return False
    if value.op is PLACES:
        return True
    return value.op is COMBINE and any(map(_is_place, value.inputs))


def affine(value: Any) -> tuple[int, int] | None:
    """Return ``a + b*trip`` with whole a and b as a pair; None for anything else but such a line.

    Raises:
        Counts: it would take that a number that is carried is one.
    """
    if value.__class__ is float:
        return (int(value), 0) if value.is_integer() else None
    leaf = leaf_of(value)
    if isinstance(leaf, Item):
        return leaf.first, leaf.step
    if isinstance(leaf, Carry) and value.shape == (1, 1) and value.cls == "double":
        raise Counts(NEEDS, leaf.name)
    if value.__class__ is not Node or value.op not in _LINES or value.data is not None:
        return None
    lines = [affine(one) for one in value.inputs]
    if any(line is None for line in lines):
        return None
    return _LINES[value.op](*lines)


Line = tuple[int, int]


def _product(x: Line, y: Line) -> Line | None:
    if x[1] and y[1]:
        return None
    return x[0] * y[0], x[0] * y[1] + x[1] * y[0]


def _quotient(x: Line, y: Line) -> Line | None:
    if y[1] or not y[0] or x[0] % y[0] or x[1] % y[0]:
        return None
    return x[0] // y[0], x[1] // y[0]


_LINES: dict[Any, Callable[..., Line | None]] = {
    OPERATIONS["plus"].op: lambda x, y: (x[0] + y[0], x[1] + y[1]),
    OPERATIONS["minus"].op: lambda x, y: (x[0] - y[0], x[1] - y[1]),
    OPERATIONS["times"].op: _product,
    OPERATIONS["rdivide"].op: _quotient,
    OPERATIONS["uminus"].op: lambda x: (-x[0], -x[1]),
}


def placeholder(
    graph: TraceGraph, name: str, value: Any, written: bool, widened: bool = False
) -> Any:
    """Return what stands for a variable in the trace: itself where it is no number.

    Args:
        widened: whether what is real is to be complex.

    Raises:
        Refused: it has no elements.
    """
    cls = class_in(value, written)
    if cls is None:
        return value
    if widened and cls not in COMPLEX_CLASSES:
        cls = f"complex {cls}"
    if 0 in size_of(value):
        raise Refused(f"'{name}' is empty")
    leaf = Carry(name) if written else Invariant(name)
    node = graph.leaf(leaf, tuple(size_of(value)), cls, decided=not may_be_real(value))
    if is_placed(value):
        graph.pinned = node.pinned = True
    return deferred(node)


def class_in(value: Any, written: bool) -> str | None:
    """Return the class of the node that a variable is in a loop.

    Return None for what is no number or array, and for scalars that are only read.
    """
    kind = value.__class__
    if kind is float or kind is bool or kind is Complex:
        if not written:
            return None
        return "complex double" if kind is Complex else class_of(value)
    if kind is Deferred and value.promise.node.data.__class__ is not np.ndarray:
        node: Any = value.promise.node
        return COMPLEX_CLASS[node.data.dtype] if node.holds_complex else node.cls
    if kind is not Array and kind is not Deferred:
        return None
    cls = class_of(value)
    return f"complex {cls}" if value.data.dtype.kind == "c" else cls


def may_be_real(value: Any) -> bool:
    """Whether an array of a complex class may turn out to be real."""
    if value.__class__ is not Deferred:
        return False
    node: Node = value.promise.node
    if node.cls not in COMPLEX_CLASSES or node.data.__class__ is np.ndarray:
        return False
    return any_may_be_real((node,))


def item(graph: TraceGraph, first: int, step: int) -> Any:
    """Return the placeholder of the variable of a loop over whole numbers.

    Args:
        step: by how much it grows from one time that the trace comes to the next.
    """
    last = first + step * (graph.trips - 1)
    facts = Facts(float(min(first, last)), float(max(first, last)), True, False)
    return deferred(graph.leaf(Item(first, step), (1, 1), "double", facts))


def trace(
    graph: TraceGraph,
    twin: Callable[[dict[str, Any]], Any],
    variables: Mapping[str, Any],
    writes: Sequence[str],
    stream: Any,
    engine: Any,
    trips: Sequence[Mapping[str, Any]] = ({},),
) -> Trace:
    """Run the twin of a body on placeholders.

    Args:
        variables: the placeholders by name; values where they are no numbers.
        trips: those that are traced as one, each with what is set before it.
        stream: the session's random stream, which is as it was afterwards.
        engine: the session's, which is asked what its providers offer.

    Raises:
        Refused: it cannot be captured.
    """
    seat = CaptureContext(1, lambda _: engine)
    seat.tracing = True
    seat.graph = graph
    before = stream.state()
    entry = stream.generator.position
    ways: list[Way] = []
    waiting: list[tuple[bool, ...]] = [()]
    while waiting:
        if len(ways) == WAYS:
            raise Refused(NEEDS)
        values = waiting.pop()
        graph.begin(values, not ways)
        names = dict(variables)
        generator = stream.generator
        if stream.kind == "philox":
            stream.put_off(partial(generators.random, stream, shape=(1, 1), cls="double"))
        try:
            with running(seat), warnings_to(_refuse_warning), np.errstate(all="ignore"):
                for trip in trips:
                    names.update(trip)
                    twin(names)
            moved = stream.state()
            position = generator.position
            if stream.generator is not generator:
                raise Refused("it sets the random stream")
        finally:
            stream.restore(stream.kind, stream.seed, before)
        if stream.kind != "philox" and not np.array_equal(before, moved):
            raise Refused("its random numbers have no positions in the stream")
        missing = [name for name in writes if name not in names]
        if missing:
            raise Refused(f"'{missing[0]}' is not assigned in every iteration")
        ways.append(graph.way(names, position))
        waiting += graph.branches.others(values)
    words = _counted(graph.draws, entry, position)
    if graph.selects:
        for way in ways:
            for name in writes:
                selected.check_kept(name, way.names[name])
    finals = joined(graph, ways, writes)
    return Trace(finals, tuple(graph.draws), words, tuple(graph.checks))


def _refuse_warning(identifier: str, message: str) -> None:
    raise Refused("it warns")


def _counted(draws: Sequence[Node], entry: int, position: int) -> int:
    """How far the stream moved, all of it for arrays of the graph.

    Raises:
        Refused: other numbers were drawn, or the next trip's do not begin as this one's.
    """
    at = entry
    for node in draws:
        at = aligned(at, node.dtype)
        if at != node.inputs[2] | node.inputs[3] << 32:
            raise Refused(DRAWS)
        at = (at + WIDTH[node.dtype] * math.prod(node.shape)) % _WORDS
    if at != position:
        raise Refused(DRAWS)
    words = (position - entry) % _WORDS
    if any(words % WIDTH[node.dtype] for node in draws):
        raise Refused("its random numbers begin elsewhere in each iteration")
    return words
