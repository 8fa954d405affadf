"""What is the same in every run of a loop that was captured: it is worked out once.

Of the trips that are one node that is what the node says. The last trip is written out as ordinary
nodes: which these are, in which order, the loop's variable and what follows from it alone, and
where moving parts lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import attrs
import numpy as np

from runmat_core.accel.capture.views import view_of
from runmat_core.accel.context import running
from runmat_core.accel.graph.graph import Graph
from runmat_core.accel.graph.leaves import Item, Slice, leaf_of
from runmat_core.accel.graph.node import Node
from runmat_core.accel.ops.generators import FILL
from runmat_core.accel.ops.parts import UPDATE
from runmat_core.accel.ops.views import form_of
from runmat_core.accel.planning.step import below

#: Kinds of operations that take scalars as they are.
_SCALARS = frozenset({"map", "random", "update"})


@attrs.frozen(eq=False)
class Chunk:
    """What is the same in every run of trips that are one ``loop`` node.

    Attributes:
        static: of the node; shape, cls: of its first output.
        place: where it is written; None where nothing in it is.
        outputs: for each output its name, size, class, and whether the program placed it.
    """

    static: Any
    shape: Any
    cls: str
    place: Any
    outputs: tuple[tuple[str, Any, str, bool], ...]


#: How a node of the trace becomes one of the session's graph: it is known already, an input of the
#: loop, part of an array, random, an operation that may be one of scalars alone, or any other.
ArrayType = Literal["known", "entry", "part", "random", "scalars", "node"]


class Run(Protocol):
    """One run of a loop, which tells what differs from other runs."""

    graph: Graph

    def entry(self, node: Node) -> Any:
        """Return an input of the loop: a node, or a scalar."""

    def words(self, node: Node, trip: int) -> list[int]:
        """Return the words of a random array in a trip."""


class Unrolling:
    """The nodes of the last trip.

    Args:
        finals: by name the nodes of the trace that variables become.
        checks: others that are wanted.
        trip: its number, from zero.

    Attributes:
        finals: by name the place of a variable among what `made` gives.
        checks: the places of the others.
    """

    def __init__(self, finals: Mapping[str, Node], checks: Sequence[Node], trip: int) -> None:
        self.trip = trip
        self._nodes = below([*finals.values(), *checks])
        self._number = {id(node): k for k, node in enumerate(self._nodes)}
        self._known: dict[int, Any] = {}
        self._plan = [self._planned(k, node) for k, node in enumerate(self._nodes)]
        self.finals = {name: self._number[id(node)] for name, node in finals.items()}
        self.checks = [self._number[id(node)] for node in checks]

    def made(self, run: Run) -> list[Any]:
        """Return what the nodes of the trace became: nodes and scalars."""
        graph, trip = run.graph, self.trip
        made: list[Any] = []
        inputs: tuple[Any, ...]
        for node, (sort, picks, static) in zip(self._nodes, self._plan, strict=True):
            if sort == "known":
                made.append(static)
                continue
            if sort == "entry":
                made.append(run.entry(node))
                continue
            if sort == "part":
                offset, strides = static
                base = made[picks[0][0]]
                found = view_of(graph, base, "subsref", node.shape, offset, strides)
                made.append(found.promise.node)
                continue
            if sort == "random":
                inputs = tuple(run.words(node, trip))
            else:
                inputs = tuple([value if k < 0 else made[k] for k, value in picks])
                if sort == "scalars" and all(one.__class__ is not Node for one in inputs):
                    value = _scalar(node, inputs)
                    if value is not None:
                        made.append(value)
                        continue
            if node.op.kind == "view" and inputs[0].__class__ is not Node:
                # of the loop's variable, or what follows from it alone
                made.append(graph.append(FILL, inputs, (), node.shape, node.cls))
                continue
            if node.op.kind not in _SCALARS:
                inputs = _arrays(graph, inputs, node)
            form = form_of(inputs[0].shape, node.shape, static) if node.op.kind == "view" else None
            made.append(
                graph.append(
                    *(node.op, inputs, static, node.shape, node.cls, node.guarded, form),
                    place=node.place,
                )
            )
        return made

    def _planned(
        self, number: int, node: Node
    ) -> tuple[ArrayType, tuple[tuple[int, Any], ...], Any]:
        """Return what is to be done about a node, with its inputs and static arguments."""
        leaf = leaf_of(node)
        if isinstance(leaf, Item):
            self._known[number] = leaf.at(self.trip)
            return "known", (), self._known[number]
        if isinstance(leaf, Slice):
            at = leaf.offset + leaf.advance * self.trip
            return "part", ((self._number[id(leaf.base)], None),), (at, leaf.strides)
        if node.data is not None:
            return "entry", (), None
        if node.op.kind == "random":
            return "random", (), node.static
        picks = tuple(
            [
                (self._number[id(one)], None) if one.__class__ is Node else (-1, one)
                for one in node.inputs
            ]
        )
        if node.op is UPDATE:
            at = node.option("offset") + node.option("advance", 0) * self.trip
            static: Any = (
                ("offset", at),
                ("region", node.option("region")),
                ("strides", node.option("strides")),
            )
            return "node", picks, static
        if node.op.kind != "map" or any(
            one.__class__ is Node and one.shape != (1, 1) for one in node.inputs
        ):
            return "node", picks, node.static
        if all(k < 0 or k in self._known for k, _ in picks):
            value = _scalar(node, tuple([v if k < 0 else self._known[k] for k, v in picks]))
            if value is not None:
                self._known[number] = value
                return "known", (), value
        return "scalars", picks, node.static


def _arrays(graph: Graph, inputs: tuple[Any, ...], node: Node) -> tuple[Any, ...]:
    """Return inputs that were nodes in the trace as nodes again, if they became scalars."""
    return tuple(
        [
            graph.append(FILL, (value,), (), one.shape, one.cls)
            if one.__class__ is Node and value.__class__ is not Node
            else value
            for value, one in zip(inputs, node.inputs, strict=True)
        ]
    )


def _scalar(node: Node, inputs: tuple[Any, ...]) -> Any:
    """Return an operation on scalars, done at once; None where the result is no real scalar."""
    with running(None), np.errstate(all="ignore"):
        value = node.op.host(node, *inputs)
    return value if value.__class__ in (float, bool) else None
