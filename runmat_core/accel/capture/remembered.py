"""What passages come to, and how that is written down; see `accel.capture.passages`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.accel.capture.boundary import deferred
from runmat_core.accel.capture.recipes import FEW, between, step_of, told_function
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.node import Equation, Node
from runmat_core.accel.random.philox import WIDTH, aligned
from runmat_core.accel.random.stream import Philox, RandomStream
from runmat_core.api.tuples import NamedTuple
from runmat_core.values import share
from runmat_core.values.array import Array
from runmat_core.values.base import Complex
from runmat_core.values.char import CharArray
from runmat_core.values.deferred import Deferred, promise_of
from runmat_core.values.handle import FunctionHandle

if TYPE_CHECKING:
    from runmat_core.accel.running.engine import Engine

#: Most nodes of a passage.
NODES = 256
_POSITIONS = 1 << 64


@attrs.frozen(eq=False)
class Start:
    """What there was when a passage began.

    Attributes:
        cells: pairs (function cell, what it resolved to) of the functions that it calls.
        position: of the random stream; zero where it has none.
        loops: how many loops had been captured, and of how many trips.
    """

    cells: tuple[Any, ...]
    position: int
    loops: tuple[int, int]


@attrs.frozen
class Draw:
    """A random array by its distribution, element type and distance from the stream's position."""

    distribution: str
    dtype: str
    offset: int


class Made(NamedTuple):
    """What a passage came to once more.

    Attributes:
        values: of its variables.
        products: nodes that are worth starting as soon as these are assigned.
    """

    values: tuple[Any, ...]
    products: tuple[Node, ...]


@attrs.frozen(eq=False)
class Remembered:
    """What a passage comes to.

    Attributes:
        provider_epoch: of the engine, when it was written down.
        cells: pairs (function cell, what it resolved to).
        constants: arrays that it brings along, with their classes.
        steps: the nodes; numbers count those given, then the constants, then those of the steps.
        draws: where four words each of its inputs come from.
        words: by how much it moves the random stream, and where that must be in a block.
        results: for each variable a pair: the number of a node, or -1 and a value.
        loops: how many loops it has captured, and of how many trips.
        products: the numbers of nodes that are worth starting early.
        dear: whether a call after it may start others.
    """

    provider_epoch: int
    cells: tuple[Any, ...]
    constants: tuple[tuple[NDArray[Any], str], ...]
    steps: tuple[Equation, ...]
    draws: tuple[Draw, ...]
    words: tuple[int, int]
    results: tuple[tuple[int, Any], ...]
    loops: tuple[int, int]
    products: tuple[int, ...]
    dear: bool

    def made(
        self, engine: Engine, graph: Graph, given: list[Node], stream: RandomStream
    ) -> Made | None:
        """Return the values of the statements; None if what they depend on changed."""
        if self.provider_epoch != engine.provider_epoch:
            return None
        for cell, fn in self.cells:
            if cell.fn is not fn and not cell.means(fn):
                return None
        generator: Any = stream.generator
        words: list[int] = []
        count, lane = self.words
        if count:
            if generator.__class__ is not Philox or stream.lane != lane:
                return None
            words = self._words(generator)
        nodes = [*given, *[graph.source(data, cls) for data, cls in self.constants]]
        graph.again(self, self.steps, nodes, words)
        if count:
            generator.position = (generator.position + count) % _POSITIONS
        if self.loops[0]:
            engine.loops.captured += self.loops[0]
            engine.loops.trips += self.loops[1]
        if self.dear:
            graph.dear = True
        values = [deferred(nodes[k]) if k >= 0 else _again(value) for k, value in self.results]
        return Made(tuple(values), tuple([nodes[k] for k in self.products]))

    def _words(self, generator: Philox) -> list[int]:
        words: list[int] = []
        for draw in self.draws:
            position = (generator.position + draw.offset) % _POSITIONS
            words += generator.key(draw.distribution, draw.dtype)
            words += (position & 0xFFFFFFFF, position >> 32)
        return words


def written(
    begun: Start,
    given: Sequence[Node | None],
    values: Sequence[Any],
    products: Sequence[Node],
    engine: Engine,
    generator: Any,
) -> Remembered | None:
    """Return what a passage came to; None where that cannot be made again.

    Args:
        given: the nodes that it read; None for those that are gone, which nothing needs then.
        values: of the variables that it wrote.
        products: nodes that are worth starting early.
    """
    roots = [promise_of(value).node for value in values if value.__class__ is Deferred]
    if any(root.graph is not engine.graph for root in roots):
        return None
    order = between([node for node in given if node is not None], roots, NODES)
    if order is None:
        return None
    constants = [node for node in order if node.data is not None]
    made = [node for node in order if node.data is None]
    number = {id(node): k for k, node in enumerate([*given, *constants, *made])}
    passed = (generator.position - begun.position) % _POSITIONS
    draws: list[Draw] = []
    if passed and _missing(made, begun.position, passed):
        return None
    steps: list[Equation] = []
    for node in made:
        steps.append(_drawing(node, step_of(node, number), draws, begun.position))
    results: list[tuple[int, Any]] = []
    for value in values:
        if value.__class__ is Deferred:
            results.append((number[id(promise_of(value).node)], None))
        elif _is_plain(value):
            results.append((-1, share(value)))
        else:
            return None
    return Remembered(
        provider_epoch=engine.provider_epoch,
        cells=begun.cells,
        constants=tuple([(np.array(n.data, order="F"), n.cls) for n in constants]),
        steps=tuple(steps),
        draws=tuple(draws),
        words=(passed, begun.position & 3),
        results=tuple(results),
        loops=(engine.loops.captured - begun.loops[0], engine.loops.trips - begun.loops[1]),
        products=tuple([number[id(node)] for node in products if id(node) in number]),
        dear=engine.graph.dear,
    )


def _is_plain(value: Any) -> bool:
    """Return whether a value's signature says all of it: a number, a row of text, a small array."""
    kind = value.__class__
    if kind is Array:
        return bool(value.data.size <= FEW)
    if kind is FunctionHandle:
        return told_function(value) is not None
    return kind is float or kind is bool or kind is Complex or kind is CharArray


def _again(value: Any) -> Any:
    """Return a plain value for another variable; no two evaluations of ``@(x) …`` are equal."""
    if value.__class__ is not FunctionHandle or not value.is_anonymous:
        return share(value)
    fn: Any = value.fn
    again = FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    again.__kwdefaults__ = fn.__kwdefaults__
    again.__dict__.update(fn.__dict__)
    return FunctionHandle(again, value.name, value.source, value.captures, value.file)


def _draws_of(node: Node) -> list[tuple[Node, Sequence[Any], int]]:
    """Return the random arrays that a node draws.

    Each comes as the node of its kind, its words, and the position of these among the inputs.
    """
    if node.op.kind == "random":
        return [(node, node.inputs, 0)]
    if node.op.kind != "loop":
        return []
    step = node.option("step")
    starts = [(k, number) for k, (kind, number, at) in enumerate(step.slots) if kind == "word"]
    return [
        (step.nodes[number], node.inputs[k : k + 4], k)
        for k, number in starts
        if step.slots[k][2] == 0
    ]


def _drawing(node: Node, step: Equation, draws: list[Draw], entry: int) -> Equation:
    """Return a step whose random words are those of `draws`, to which it appends."""
    inputs = list(step.inputs)
    for one, words, at in _draws_of(node):
        place = 4 * len(draws)
        offset = ((words[2] | words[3] << 32) - entry) % _POSITIONS
        draws.append(Draw(one.option("distribution"), one.dtype, offset))
        inputs[at : at + 4] = [(-2, place + k) for k in range(4)]
    return step.reading(tuple(inputs))


def _missing(made: Sequence[Node], entry: int, passed: int) -> bool:
    """Whether the stream moved for anything but the random arrays of these nodes."""
    spans: list[tuple[int, int, str]] = []
    for node in made:
        for one, words, _ in _draws_of(node):
            start = ((words[2] | words[3] << 32) - entry) % _POSITIONS
            length = WIDTH[one.dtype] * math.prod(one.shape)
            trips, by = 1, 0
            if node is not one:
                trips, by = node.option("trips"), node.option("step").words
            if by == length:
                spans.append((start, length * trips, one.dtype))
            else:
                spans += [(start + by * trip, length, one.dtype) for trip in range(trips)]
    at = entry
    for start, length, dtype in sorted(spans):
        at = aligned(at, dtype)
        if at - entry != start:
            return True
        at += length
    return at - entry != passed
