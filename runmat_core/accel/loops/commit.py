"""From a trace to nodes of the session's graph.

The last trip is not part of the ``loop`` node: it is written out as ordinary nodes, so that values
that nobody reads are not computed, and what follows the loop fuses with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import attrs
import numpy as np

from runmat_core.accel.capture.boundary import any_node_of, deferred, is_placed
from runmat_core.accel.capture.stored import as_complex, suits_complex
from runmat_core.accel.capture.views import view_of
from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.graph.classes import CLASS_SEEN
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.leaves import Carry, Invariant, Item, Refused, leaf_of
from runmat_core.accel.graph.node import COMPLEX_CLASSES, Node
from runmat_core.accel.loops.last import Chunk, Unrolling
from runmat_core.accel.loops.stretch import Widens
from runmat_core.accel.loops.trace import Trace
from runmat_core.accel.loops.written import Form, written_parts
from runmat_core.accel.ops.elementwise import ITEM
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.ops.parts import UPDATE
from runmat_core.accel.planning.step import LOOP, Step, below, moved
from runmat_core.values import share
from runmat_core.values.base import class_of
from runmat_core.values.deferred import Deferred
from runmat_core.values.indexing import size_of

#: Nodes of one loop that are made before some are computed, and those of which it is kept what is
#: the same in every run.
AHEAD, KEPT = 16, 64
#: Between these times a piece of a loop is neither too short nor too long.
LEAST, MOST = 0.1, 1.0


def _next_piece(trips: int, seconds: float) -> int:
    """How many trips to run at once where `trips` took that long."""
    if LEAST < seconds < MOST:
        return trips
    return max(1, int(trips * min(2.0, MOST / 2 / seconds)))


@attrs.frozen(eq=False)
class Captured:
    """A trace, ready to be committed in any run of its loop.

    Attributes:
        trace: of a trip.
        steps: the loop nodes to make, each with the names of its outputs.
        stored: for each array that is written in moving parts its ``update`` in the trace.
        entry: where the random stream was when it was traced.
        piece: most trips of a node: longer loops are divided, so that no kernel runs for so long
            that a system takes its device away, and an interrupt is served in between.
        ends: the last trip, by its number; filled by the first run.
        pieces: what is the same in every run of a piece, by step, first trip and number of trips.
    """

    trace: Trace
    steps: tuple[tuple[Step, tuple[str, ...]], ...]
    stored: dict[str, Node]
    entry: int
    piece: int
    ends: dict[int, Unrolling] = attrs.Factory(dict)
    pieces: dict[tuple[int, int, int], Chunk] = attrs.Factory(dict)

    def last(self, trip: int, item: Any) -> Unrolling:
        """Return the last trip.

        Args:
            item: the placeholder of the loop's variable where that is wanted; else None.
        """
        found = self.ends.get(trip)
        if found is None:
            finals = {
                name: value.promise.node
                for name, value in self.trace.finals.items()
                if value.__class__ is Deferred and leaf_of(value.promise.node) != Carry(name)
            }
            if item is not None:
                finals[""] = item.promise.node
            found = self.ends[trip] = Unrolling(finals, self.trace.checks, trip)
        return found


def prepared(trace: Trace, entry: int, trips: int, form: Form = "kernel") -> Captured:
    """Return what can be committed of a trace.

    Args:
        entry: where the random stream was.
        trips: how many a ``loop`` node takes.

    Raises:
        Refused: a variable does not keep its class and size, or the form does not suit.
    """
    if trace.checks and form != "repeated":
        raise Refused("an iteration is more than one kernel")
    finals = {name: _node(value) for name, value in trace.finals.items()}
    order = below([*finals.values(), *trace.checks])
    stored = written_parts(finals, order, trips, form)
    carried: dict[str, Node] = {}
    for node in order:
        leaf = leaf_of(node)
        if isinstance(leaf, Carry) and leaf.name not in stored:
            carried[leaf.name] = node
    for name, leaf_node in carried.items():
        _check_kept(name, leaf_node, trace.finals[name])
    changed = {n: leaf for n, leaf in carried.items() if finals[n] is not leaf}
    needs = {name: _needs(finals[name], changed, finals, name) for name in changed}
    small = [n for n in changed if all(_is_scalar(finals[m]) for m in needs[n])]
    parts: dict[Any, tuple[list[str], list[str]]] = {}
    for name in changed:
        size: Any = (1, 1) if name in small else changed[name].shape if form == "apart" else ()
        if form == "repeated":
            size = ()
        parts.setdefault(size, ([], []))[0].append(name)
    for name, update in stored.items():
        size = update.inputs[1].shape if form == "apart" else ()
        parts.setdefault(size, ([], []))[1].append(name)
    steps = [
        _step(names, stacks, changed, needs, finals, stored, trace, form == "repeated")
        for names, stacks in parts.values()
    ]
    if trace.checks and not steps:
        raise Refused("no variable that a library call depends on changes")
    return Captured(trace, tuple(steps), stored, entry, trips)


def _node(value: Any) -> Any:
    """Return a final value as the trace has it: its node, a scalar, or a constant array."""
    return value.promise.node if value.__class__ is Deferred else value


def _check_kept(name: str, leaf: Node, final: Any) -> None:
    node = _node(final)
    if _is_widened(leaf, node):
        raise Widens(f"'{name}' changes class or size", name, node.line)
    if final.__class__ not in (Deferred, float, bool) or (
        (node.cls if node.__class__ is Node else class_of(final)) != leaf.cls
        or tuple(size_of(final)) != leaf.shape
    ):
        line = node.line if node.__class__ is Node else ("", 0)
        raise Refused(f"'{name}' changes class or size", line)
    if leaf.pinned != is_placed(final):
        raise Refused(f"'{name}' moves to the device or from it")


def _is_widened(leaf: Node, final: Any) -> bool:
    """Whether a variable is real before an iteration and the same, but complex, after it."""
    return (
        final.__class__ is Node
        and final.cls in COMPLEX_CLASSES
        and leaf.cls == CLASS_SEEN[final.cls]
        and leaf.shape == final.shape
    )


def _is_scalar(final: Any) -> bool:
    """Whether a variable's next value is computed from single elements alone."""
    return all(
        node.size == 1
        for node in below((final,))
        if node.data is None or not isinstance(leaf_of(node), Invariant)
    )


def _needs(
    final: Any, changed: Mapping[str, Node], finals: Mapping[str, Any], *own: str
) -> list[str]:
    """Return the carried variables that a value needs, through any number of iterations.

    The last one is `own`, the variable whose value it is: several variables may become the same.
    """
    found: dict[str, None] = {}
    stack = [final]
    names = {id(leaf): name for name, leaf in changed.items()}
    while stack:
        for node in below((stack.pop(),)):
            name = names.get(id(node))
            if name is not None and name not in found:
                found[name] = None
                stack.append(finals[name])
    return list({**found, **dict.fromkeys(own)})


def _step(
    names: Sequence[str],
    stacks: Sequence[str],
    changed: Mapping[str, Node],
    needs: Mapping[str, Sequence[str]],
    finals: Mapping[str, Any],
    stored: Mapping[str, Node],
    trace: Trace,
    repeated: bool,
) -> tuple[Step, tuple[str, ...]]:
    parts = [stored[name].inputs[1] for name in stacks]
    inside = dict.fromkeys(m for n in names for m in needs[n])
    for part in parts:
        inside.update(dict.fromkeys(_needs(part, changed, finals)))
    checks = trace.checks if repeated else ()
    held = [*(changed[n] for n in inside), *(finals[n] for n in inside)]
    nodes = below([*held, *parts, *checks])
    variables = [(changed[n], finals[n], n in names) for n in inside]
    outputs = tuple([n for n in inside if n in names])
    return Step(nodes, variables, parts, trace.words, repeated, checks), (*outputs, *stacks)


# -- in the session's graph ------------------------------------------------------------------------


class Commit:
    """The nodes of one run of a captured loop.

    Args:
        values: of the variables when the traced trip begins.
        trips: how many there are, the last one included.
        stream: the random stream, as it is then; it is left where the last trip leaves it.
        run: computes nodes on a provider and tells whether that went without a guard that fired.
    """

    def __init__(
        self,
        graph: Graph,
        captured: Captured,
        values: Mapping[str, Any],
        trips: int,
        stream: Any,
        run: Callable[[Sequence[Node]], bool],
    ) -> None:
        self.graph = graph
        self.run = run
        self.generator = stream.generator
        self.captured = captured
        self.values = values
        self.trips = trips
        self.shift = 0
        words = captured.trace.words
        if words:
            self.shift = self.generator.position - captured.entry
            self.generator.position = (self.generator.position + trips * words) % (1 << 64)
        self.state: dict[str, Node] = {}
        self._checks: list[Any] = []

    def finals(self, item: Any = None) -> dict[str, Any]:
        """Return the values of the variables that changed, after the last trip.

        Args:
            item: the placeholder of the loop's variable where that is no number; its value is
                told under the name ``""``.
        """
        after: dict[str, Node] = {}
        for step, names in self.captured.steps:
            # every step begins with what there was before the loop, not with what another one made
            self.state = {}
            self._loop(step, names)
            after.update(self.state)
        self.state = after
        last = self.captured.last(self.trips - 1, item)
        made = last.made(self)
        found = {
            name: share(value)
            for name, value in self.captured.trace.finals.items()
            if value.__class__ is not Deferred
        }
        for name, number in last.finals.items():
            one = made[number]
            found[name] = deferred(one) if one.__class__ is Node else one
        self._checks = [made[number] for number in last.checks]
        return found

    def checked(self) -> list[Node]:
        """Return what must be computed for library calls to say what they find, in all iterations.

        It is known together with the final values.
        """
        return [*self.state.values(), *self._checks] if self._checks else []

    def _loop(self, step: Step, names: Sequence[str]) -> None:
        """``loop`` nodes over all trips but the last, one after the other.

        A loop of more than `AHEAD` of them is run as it goes, in pieces by what the last one took:
        its nodes would fill the memory, and an interrupt is served in between.

        Raises:
            Refused: a guard fired on the way.
        """
        trips = self.trips - 1
        most = self.captured.piece if step.divisible else trips
        at_once = trips <= AHEAD * most
        begin = 0
        while begin < trips:
            count = min(most, trips - begin)
            started = perf_counter()
            self._piece(step, names, begin, count)
            begin += count
            if not at_once:
                if not self.run([*self.state.values()]):
                    raise Refused(
                        "a value leaves the reals, or a library call has something to say"
                    )
                most = _next_piece(count, perf_counter() - started)

    def _piece(self, step: Step, names: Sequence[str], begin: int, trips: int) -> None:
        graph, captured = self.graph, self.captured
        words: dict[int, list[int]] = {}
        inputs = tuple([self._slot(step, slot, begin, words) for slot in step.slots])
        key = (id(step), begin, trips)
        piece = captured.pieces.get(key)
        if piece is None:
            piece = self._described(step, names, begin, trips)
            if len(captured.pieces) < KEPT:
                captured.pieces[key] = piece
        whole = graph.append(
            *(LOOP, inputs, piece.static, piece.shape, piece.cls, step.guarded), place=piece.place
        )
        for k, (name, shape, cls, placed) in enumerate(piece.outputs):
            node = graph.append(ITEM, (whole,), (("output", k),), shape, cls, place=whole.place)
            node.pinned = placed
            update = captured.stored.get(name)
            if update is not None:
                node = self._stored(update, node, begin, trips)
                node.place = update.place
            self.state[name] = node

    def _described(self, step: Step, names: Sequence[str], begin: int, trips: int) -> Chunk:
        static = (
            ("begin", begin),
            ("classes", tuple([step.shape_of(k, trips)[1] for k in range(step.outputs)])),
            ("outputs", step.outputs),
            ("step", step),
            ("trips", trips),
        )
        shape, cls = step.shape_of(0, trips)
        place = next((n.place for n in step.nodes if n.data is None), None)
        outputs = [
            (name, *step.shape_of(k, trips), self._is_placed(name)) for k, name in enumerate(names)
        ]
        return Chunk(static, shape, cls, place, tuple(outputs))

    def _is_placed(self, name: str) -> bool:
        """Whether the program put a variable, or what it was made from, on the device."""
        update = self.captured.stored.get(name)
        final = self.captured.trace.finals[name]
        return is_placed(final) if update is None else update.inputs[1].pinned is True

    def _stored(self, update: Node, parts: Node, begin: int, trips: int) -> Node:
        """Return an array with what trips store in it."""
        counts: tuple[int, ...] = update.option("region")
        axis: int = update.option("axis")
        region = (*counts[:axis], trips, *counts[axis + 1 :])
        dense = [*dense_strides(counts)]
        dense[axis] = update.inputs[1].size
        shape, strides = region, tuple(dense)
        if len(region) == 1:
            shape, strides = (*region, 1), (*dense, 0)
        source = view_of(self.graph, parts, "reshape", shape, 0, strides).promise.node
        into = [*update.option("strides")]
        into[axis] = update.option("advance")
        static = (
            ("offset", update.option("offset") + update.option("advance") * begin),
            ("region", region),
            ("strides", tuple(into)),
        )
        target = self.entry(update.inputs[0])
        return self.graph.append(UPDATE, (target, source), static, update.shape, update.cls)

    def _slot(self, step: Step, slot: Any, begin: int, words: dict[int, list[int]]) -> Any:
        """Return what an input of a loop is.

        `words` keeps those of random arrays, by their numbers.
        """
        kind, number, position = slot
        node = step.nodes[number]
        if kind == "leaf":
            found = self.entry(node)
            if step.repeated and found.__class__ is not Node:
                # it lies in an array that the units of a trip read and write
                found = self.graph.append(FILL, (found,), (), node.shape, node.cls)
            return found
        if kind == "item":
            leaf = leaf_of(node)
            assert isinstance(leaf, Item)
            return leaf.at(begin)
        if kind == "word":
            if number not in words:
                words[number] = self.words(node, begin)
            return words[number][position]
        for variable in step.variables:
            if variable.leaf == number:
                return variable.scalar
        return node.inputs[position]

    def words(self, node: Node, trip: int) -> list[int]:
        """Return the words of a random array in a trip of this run."""
        key = self.generator.key(node.option("distribution"), node.dtype)
        by = self.shift + self.captured.trace.words * trip
        return moved((*key, *node.inputs[2:]), by)

    def entry(self, node: Node) -> Any:
        """Return an input of a loop: a variable as it is at its beginning, or a constant."""
        leaf = leaf_of(node)
        if isinstance(leaf, Carry) and leaf.name in self.state:
            return self.state[leaf.name]
        if leaf is None:
            assert isinstance(node.data, np.ndarray)
            return self.graph.source(node.data, node.cls)
        assert isinstance(leaf, Carry | Invariant)
        value = self.values[leaf.name]
        if node.cls in COMPLEX_CLASSES and suits_complex(value, node.cls):
            return as_complex(self.graph, value, node.cls)
        found = any_node_of(self.graph, value)
        if found is None or (found.__class__ is Node and found.cls != node.cls):
            raise Refused(f"'{leaf.name}' has another class")
        return found
