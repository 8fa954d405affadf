"""The graph of a session: what was asked for and what of it is still to be computed.

Nodes hold their inputs, never their users: what nobody holds any more is gone, uncomputed. The
graph knows the nodes that values stand for through weak references to the values' handles, so it
can finish what is reachable, and it runs what is pending before that grows beyond its bounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.graph.extent import extent, in_a_row
from runmat_core.accel.graph.handle import NodeRef
from runmat_core.accel.graph.node import (
    ARRAY,
    SOURCE,
    Equation,
    Input,
    Node,
    Op,
    Shape,
    ValueNumbering,
    input_class,
)
from runmat_core.accel.graph.written import current_location
from runmat_core.api import errors
from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.values.deferred import Deferred, promise_of, set_promise

#: How many nodes may be pending.
NODES = 512
#: More elements than this in a matrix are refused at once, though they may never be asked for.
ELEMENTS = 1 << 38
#: How many bytes of arrays may live for pending nodes alone.
BYTES = 1 << 30

#: After so many operations in a row on small arrays alone, these are computed, not captured.
IN_A_ROW = 32
#: So many structures that `Graph.again` made are remembered.
RUNS = 1 << 13
#: Runs of fewer nodes leave the count of what is pending as it is.
WORTH_COUNTING = 64

_new = object.__new__

Static = tuple[tuple[str, Hashable], ...]


class Graph:
    """Nodes of one session.

    Args:
        evaluate: computes nodes: afterwards each of them has its `data`, or it raises.
        fetch: the elements, as a host array, of a node that is pending or whose `data` is a handle
            of a device; without it all `data` is on the host.
        bring: as `evaluate`, and all elements come to the host in one transfer.
        nodes, bytes: bounds on what may be pending; see `NODES` and `BYTES`.
    """

    def __init__(
        self,
        evaluate: Callable[[Sequence[Node]], None],
        fetch: Callable[[Node], NDArray[Any]] | None = None,
        bring: Callable[[Sequence[Node]], None] | None = None,
        nodes: int = NODES,
        bytes: int = BYTES,
    ) -> None:
        self.evaluate = evaluate
        self.fetch = fetch
        self.bring = bring or evaluate
        self.bytes_bound = bytes
        self.interner = ValueNumbering()
        self._handles: list[ref[NodeRef]] = []
        self._sources: dict[int, ref[Node]] = {}
        self._made = 0
        self._bytes = 0
        self.nodes_bound = nodes
        #: Whether the program ever put an array on the device itself.
        self.pinned = False
        #: Whether a large product was captured that may be worth an early start.
        self.dear = False
        #: Arrays with fewer elements are small; how many operations in a row were on these alone.
        self.little = 0
        self.row = 0
        #: How often elements were asked for.
        self.looks = 0

    @property
    def nodes_bound(self) -> int:
        """How many nodes may be pending."""
        return self._nodes_bound

    @nodes_bound.setter
    def nodes_bound(self, bound: int) -> None:
        self._nodes_bound = bound
        # where the program was half way to the bound, and the count at which to look again
        self._mark: tuple[Any, int] | None = None
        self._look = max(bound // 2, 1)

    # -- growing ----------------------------------------------------------------------------------

    def append(
        self,
        op: Op,
        inputs: tuple[Input, ...],
        static: Static,
        shape: Shape,
        cls: str,
        guarded: bool = False,
        form: Static | None = None,
        place: tuple[Any, int] | None = None,
    ) -> Node:
        """Return a new node; runs what is pending first where that has reached a bound.

        Args:
            form: what its structural number sees in place of `static`.
            place: where it is written; by default where code runs.

        Raises:
            MatlabError: MATLAB:nomem, no memory could hold the elements.
        """
        if shape[0] * shape[1] > ELEMENTS:
            raise errors.out_of_memory()
        kinds = [ARRAY if v.__class__ is Node else input_class(v) for v in inputs]
        key = (op, static if form is None else form, shape, cls, guarded, *kinds)
        # what `Interner.number` does: this is on the way of every operation
        value_number = self.interner.numbers.get(key) or self.interner.add(key)
        if place is None:
            place = current_location(2)
        if self._bytes > self.bytes_bound or self._made >= self._look:
            self._watch_bounds(place)
        self._made += 1
        if self.little:
            self.row = in_a_row(self.row, self.little, op, inputs, shape)
        node = Node(self, op, inputs, static, shape, cls, value_number, guarded, place)
        if shape == (1, 1):
            for value in inputs:
                if value.__class__ is Node and value.meets > node.meets and value.shape == (1, 1):
                    node.meets = value.meets
        if self.pinned:
            for value in inputs:
                if value.__class__ is Node and value.pinned:
                    node.pinned = True
        if 0 in shape:
            node.data = np.empty(shape, NUMPY_DTYPE[node.dtype], order="F")
            node.inputs = ()
        return node

    def grow(
        self,
        op: Op,
        inputs: tuple[Input, ...],
        kinds: tuple[Hashable, ...],
        static: Static,
        shape: Shape,
        cls: str,
        guarded: bool = False,
        form: Static | None = None,
        value_number: int = 0,
    ) -> Deferred:
        """Return the value of a new node, by the shortest way.

        For what has elements, of arrays that were not put on the device by the program and are no
        scalars.

        Args:
            kinds: of the inputs, what a structural number sees.
            form: what it sees in place of `static`.
            value_number: the structural number, where that is known.

        Raises:
            MatlabError: as `append`.
        """
        size = shape[0] * shape[1]
        if size > ELEMENTS:
            raise errors.out_of_memory()
        if not value_number:
            key = (op, static if form is None else form, shape, cls, guarded, *kinds)
            value_number = self.interner.numbers.get(key) or self.interner.add(key)
        # as `current_location` does
        frame: Any = sys._getframe(2)
        while frame is not None and "_s" not in frame.f_globals:
            frame = frame.f_back
        place = ("", 0) if frame is None else (frame.f_code, frame.f_lasti)
        if self._bytes > self.bytes_bound or self._made >= self._look:
            self._watch_bounds(place)
        self._made += 1
        if self.little:
            # most are large at first sight
            large = size >= self.little
            self.row = 0 if large else in_a_row(self.row, self.little, op, inputs, shape)
        node = Node(self, op, inputs, static, shape, cls, value_number, guarded, place)
        made = NodeRef(node)
        node.handle = known = ref(made)
        self._handles.append(known)
        value = _new(Deferred)
        set_promise(value, made)
        return value

    def again(
        self,
        whose: Hashable,
        steps: Sequence[Equation],
        nodes: list[Node],
        words: Sequence[int] | None = None,
    ) -> None:
        """Append the nodes of `steps` to the graph, and to `nodes`, which has what they need.

        Args:
            whose: what has these steps.
            words: of the random stream. With these, nodes are where their steps were written, else
                where code runs.

        Raises:
            MatlabError: of the host rule of something else that is pending.
        """
        value_numbers = self._value_numbers(whose, steps)
        here = current_location(2) if words is None else None
        self._watch_bounds(here or steps[0].place if steps else ("", 0))
        self._made += len(steps)
        if self.row and any(step.shape[0] * step.shape[1] >= self.little for step in steps):
            self.row = 0
        given = words or ()
        for step, value_number in zip(steps, value_numbers, strict=True):
            inputs = tuple(
                [
                    nodes[k] if k >= 0 else value if k == -1 else given[value]
                    for k, value in step.inputs
                ]
            )
            shape, cls, place = step.shape, step.cls, here or step.place
            node = Node(
                self, step.op, inputs, step.static, shape, cls, value_number, step.guarded, place
            )
            if shape == (1, 1):
                node.meets = step.meets
            node.facts = step.facts
            nodes.append(node)

    def replay_one(self, step: Equation, inputs: tuple[Input, ...]) -> Deferred:
        """Return the value of a node that is appended to the graph: `again` for a single step.

        Raises:
            MatlabError: as `again`.
        """
        value_number = self._value_numbers(step, (step,))[0]
        shape = step.shape
        value = Graph.grow(
            self,
            step.op,
            inputs,
            (),
            step.static,
            shape,
            step.cls,
            step.guarded,
            None,
            value_number,
        )
        node: Node = promise_of(value).node
        node.facts = step.facts
        if shape == (1, 1):
            node.meets = step.meets
        return value

    def _value_numbers(self, whose: Hashable, steps: Sequence[Equation]) -> list[int]:
        """Return the structural numbers of the nodes of `steps`, which are those of `whose`."""
        known = self.interner.runs
        value_numbers = known.get(whose)
        if value_numbers is None:
            if len(known) >= RUNS:
                known.clear()
            value_numbers = known[whose] = [self._number(step) for step in steps]
        return value_numbers

    def _number(self, step: Equation) -> int:
        kinds = [input_class(value) if k < 0 else ARRAY for k, value in step.inputs]
        key = (step.op, step.form, step.shape, step.cls, step.guarded, *kinds)
        return self.interner.numbers.get(key) or self.interner.add(key)

    def bring_few(self, node: Node) -> bool:
        """Bring small pending arrays to the host once too many operations met such arrays alone.

        Return whether that was done; `node` is one of these arrays.
        """
        little = self.little
        if self.row < IN_A_ROW or node.size >= little or node.pinned:
            return False
        self.row = 0
        self.bring([one for one in self.pending() if one.size < little and not one.pinned])
        return node.data.__class__ is np.ndarray

    def _watch_bounds(self, place: tuple[Any, int]) -> None:
        """Run what is pending where it is too much.

        At the bound of nodes that is done where a loop is between the same two operations again:
        what runs is then a whole number of iterations, each time of the same structure, for which
        there is a plan. The place is chosen half way; where it does not come again, twice the bound
        is the end.
        """
        if self._bytes > self.bytes_bound:
            self._bound()
            return
        if self._made < self._look:
            return
        bound = self._nodes_bound
        if self._mark is None:
            self._mark, self._look = place, bound
        elif place == self._mark or self._made >= 2 * bound:
            if place != self._mark:
                self._mark = None
            self._bound()
            self._look = max(bound if self._mark is not None else bound // 2, 1)

    def source(self, data: NDArray[Any], cls: str) -> Node:
        """Return the node that holds these elements: while it lives, one for each array object.

        It holds the very array, so whoever wants to write into that finds that it is shared.
        """
        known = self._sources.get(id(data))
        if known is not None:
            node = known()
            if node is not None and node.data is data:
                return node
        shape = data.shape
        key = (SOURCE, (), shape, cls, False)  # as in `append`
        value_number = self.interner.numbers.get(key) or self.interner.add(key)
        node = Node(self, SOURCE, (), (), shape, cls, value_number)
        node.data = data
        sources = self._sources
        if len(sources) > self._nodes_bound:
            self._sources = sources = {
                key: known for key, known in sources.items() if known() is not None
            }
        sources[id(data)] = ref(node)
        self._bytes += data.nbytes
        return node

    def place(self, data: Any, cls: str) -> Node:
        """Return a node of the device that has these elements, or a handle on them."""
        self.pinned = True
        shape = data.shape
        value_number = self.interner.number(SOURCE, (), (), shape, cls, False)
        node = Node(self, SOURCE, (), (), shape, cls, value_number)
        node.data = data
        node.pinned = True
        return node

    def handle(self, node: Node) -> NodeRef:
        """Return what a value that stands for `node` holds."""
        known = node.handle
        if known is not None:
            found: NodeRef | None = known()
            if found is not None:
                return found
        return self._handle(node)

    def _handle(self, node: Node) -> NodeRef:
        """Return the first handle of a node."""
        made = NodeRef(node)
        node.handle = known = ref(made)
        self._handles.append(known)
        return made

    # -- computing --------------------------------------------------------------------------------

    def elements(self, node: Node) -> NDArray[Any]:
        """Return the elements of `node` on the host, computed now where they are pending."""
        self.looks += 1
        data = node.data
        if data.__class__ is np.ndarray:
            return data
        if self.fetch is not None:
            return self.fetch(node)
        self.evaluate((node,))
        return node.data  # type: ignore[return-value]

    def pending(self) -> list[Node]:
        """Return the nodes without data that values stand for, oldest first."""
        alive, found = [], []
        for known in self._handles:
            handle = known()
            if handle is not None and handle.node.data is None:
                alive.append(known)
                found.append(handle.node)
        self._handles = alive
        return found

    def readers(self, data: NDArray[Any]) -> list[Node]:
        """Return the pending nodes that values stand for and that read this array."""
        known: dict[int, bool] = {}
        return [root for root in self.pending() if _reads(root, data, known)]

    def finish(self) -> None:
        """Compute everything that a value still stands for."""
        nodes = self.pending()
        if nodes:
            self.evaluate(nodes)
        self._made = self._bytes = 0

    def ran(self, count: int) -> None:
        """Told that `count` nodes were computed: what is left is counted anew.

        Small runs are not worth looking through what is pending, unless nothing is. Without this,
        where a bound is reached would depend on what ran long before, and loops would be cut into
        other pieces, each with a plan of its own, every time.
        """
        roots = self.pending()
        if not roots or count >= WORTH_COUNTING:
            self._made, self._bytes = extent(roots)

    def _bound(self) -> None:
        """Run what is pending where it really is at a bound, and count anew."""
        roots = self.pending()
        count, size = extent(roots)
        # what is almost there runs, too: looking again at once would cost more than it brings
        if count > self.nodes_bound * 7 // 8 or size > self.bytes_bound // 2:
            self.evaluate(roots)
            count = size = 0
        self._made, self._bytes = count, size


def _reads(root: Node, data: Any, known: dict[int, bool]) -> bool:
    """Whether a pending node needs the elements `data`; `known` keeps that of all that is met."""
    stack = [root]
    while stack:
        node = stack[-1]
        inputs = [one for one in node.inputs if one.__class__ is Node]
        unknown = [one for one in inputs if id(one) not in known]
        if unknown and node.data is None:
            stack += unknown
            continue
        stack.pop()
        known[id(node)] = node.data is data or any(known.get(id(one), False) for one in inputs)
    return known[id(root)]
