"""What planning produces: groups of nodes, lowered units, and the plan that runs them.

All of it refers to nodes by their number in a `Subgraph`, never to node objects, so that one plan
serves every sub-graph of the same structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.planning.places import Symbol
from runmat_core.api.device import Addressing, Executable, LaunchSizes
from runmat_core.api.ir import Kernel, Unit
from runmat_core.api.tuples import NamedTuple


class Subgraph:
    """The nodes below some roots, inputs before what uses them.

    Attributes:
        nodes: in topological order; those with `data` are leaves, nothing below them is here.
        inputs: for each node, for each of its inputs the number of that node, or -1 for a scalar.
        users: for each node the numbers of the nodes here that use it, once for each use.
        roots: numbers of the nodes whose elements were asked for.
        keep: numbers of further nodes to write to memory, because something else will read them.
        number: of each node, by identity.
        open: the views whose beginnings a plan is to leave open (`planning.places`).
        fixed: those of them on whose beginnings planning came to depend.
    """

    __slots__ = ("fixed", "inputs", "keep", "nodes", "number", "open", "roots", "users")

    def __init__(
        self,
        nodes: list[Node],
        inputs: list[tuple[int, ...]],
        users: list[list[int]],
        roots: tuple[int, ...],
        keep: frozenset[int],
        number: dict[int, int],
        open: frozenset[int] = frozenset(),
    ) -> None:
        self.nodes = nodes
        self.inputs = inputs
        self.users = users
        self.roots = roots
        self.keep = keep
        self.number = number
        self.open = open
        self.fixed: set[int] = set()

    def address(self, n: int) -> Any:
        """Offset and strides of a view over its axes."""
        node = self.nodes[n]
        offset: Any = node.option("offset")
        if n in self.open:
            offset = Symbol(offset, (n,), self.fixed)
        return offset, node.option("strides")

    @property
    def outputs(self) -> tuple[int, ...]:
        """Every node to be written to memory for somebody outside, roots first."""
        return (*self.roots, *sorted(self.keep - set(self.roots)))


class Group(NamedTuple):
    """Nodes that become one unit.

    Attributes:
        kind: ``kernel``, ``call`` (a library call, with the epilogue's nodes), ``loop`` (the trips
            of a loop) or ``host`` (by host rules, one node after the other).
        nodes: numbers, inputs before users. Cheap nodes (views, generators, fills) may stand in
            several groups.
        outputs: numbers of the nodes that the unit writes to memory.
        space: the shape of the kernel's iteration space.
        reduced: the axes of the space that its reductions remove.
        scanned: the axis that its scans run along, or None.
    """

    kind: Literal["kernel", "call", "loop", "host"]
    nodes: tuple[int, ...]
    outputs: tuple[int, ...]
    space: Shape = ()
    reduced: tuple[int, ...] = ()
    scanned: int | None = None


class ParamRef(NamedTuple):
    """A scalar of a launch: input number `position` of a node, as `dtype`."""

    node: int
    position: int
    dtype: str


class BufferRef(NamedTuple):
    """An array that a unit reads or writes: output `output` of a node."""

    node: int
    output: int = 0


class KernelCall(NamedTuple):
    """A group as a unit, and what its launch binds.

    Attributes:
        unit: kernel or library call.
        buffers: in the order of the unit's buffers (inputs then outputs of a call).
        writes: which of `buffers` it writes.
        extents, views: of the launch.
        params: in the order of the kernel's params.
        label: the operations in it, for people.
    """

    unit: Unit
    buffers: tuple[BufferRef, ...]
    writes: frozenset[int]
    extents: tuple[int, ...]
    views: tuple[Addressing, ...]
    params: tuple[ParamRef, ...]
    label: str


#: Size and element type of an array.
ArrayType = tuple[Shape, str]


class RepeatCall(NamedTuple):
    """The trips of a loop as a row of units that is repeated.

    Arrays have numbers of their own: those of `buffers` come first, then what the row has for
    itself. Each unit's buffers name them by these numbers, each unit's params those of `params`.

    Attributes:
        row: the units of a trip, in order.
        buffers, writes: as in `KernelCall`: what is bound from outside.
        sorts: of all arrays.
        copies: pairs (array, the array that it is copied to before the first trip).
        turns: pairs of arrays that change places after each trip.
        trips: how many.
        params: scalars of the node; those of a position in the random stream lie together.
        advance: pairs (index into `params`, what is added after each trip).
        moves: triples (index into `row`, view, elements by which it moves after each trip).
        label: for people.
    """

    row: tuple[KernelCall, ...]
    buffers: tuple[BufferRef, ...]
    writes: frozenset[int]
    sorts: tuple[ArrayType, ...]
    copies: tuple[tuple[int, int], ...]
    turns: tuple[tuple[int, int], ...]
    trips: int
    params: tuple[ParamRef, ...]
    advance: tuple[tuple[int, int | float], ...]
    moves: tuple[tuple[int, int, int], ...]
    label: str


#: What a group becomes.
LoweredUnit = KernelCall | RepeatCall


def units_of(made: LoweredUnit) -> tuple[Unit, ...]:
    """Return the units to compile."""
    return (made.unit,) if isinstance(made, KernelCall) else tuple([one.unit for one in made.row])


def launches_of(made: LoweredUnit) -> tuple[LaunchSizes, ...]:
    """Return the extents and views that each of these units is launched with."""
    row = (made,) if isinstance(made, KernelCall) else made.row
    return tuple(
        [
            # where a part begins may be left open: here it is where it is now
            (one.extents, tuple([Addressing(int(v.offset), v.strides) for v in one.views]))
            for one in row
        ]
    )


def is_guarded(made: LoweredUnit | None) -> bool:
    """Return whether a group sets bits of a status word."""
    return made is not None and any(map(_guards, units_of(made)))


def _guards(unit: Unit) -> bool:
    if isinstance(unit, Kernel):
        return unit.guards
    return unit.guards or (unit.epilogue is not None and unit.epilogue.guards)


class Placement(NamedTuple):
    """Why a group runs where it runs.

    Attributes:
        target: ``device``, ``host`` (the host provider) or ``rules`` (host rules).
        reason: ``residency``, ``cost``, ``too-small``, ``unsupported``, ``precision``,
            ``disabled`` or ``only`` (there is nowhere else).
        device_seconds, host_seconds: the estimates with the transfers that this group decides
            about, None where there is none. On the host it is that of the cheaper way.
        rules_seconds: the estimate for host rules, None where there is none.
        work_seconds: the estimate for the device without launch and transfers; None elsewhere.
    """

    target: Literal["device", "host", "rules"]
    reason: str
    device_seconds: float | None = None
    host_seconds: float | None = None
    rules_seconds: float | None = None
    work_seconds: float | None = None


class PlannedStep(NamedTuple):
    """A group on its way to a device.

    Attributes:
        group: what it computes.
        lowered: None for host rules.
        executables: one for each of its units; none for host rules.
        decision: why there.
        lines: the source lines (file, line) of its nodes when it was planned.
        names: of the operations in it, one of each.
    """

    group: Group
    lowered: LoweredUnit | None
    executables: tuple[Executable, ...]
    decision: Placement
    lines: tuple[tuple[str, int], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def executable(self) -> Executable | None:
        """The first one, None for host rules: all are of one provider."""
        return self.executables[0] if self.executables else None


class Plan:
    """Steps in order, for every sub-graph with one key.

    Attributes:
        steps: in an order in which they may run.
        outputs: node numbers to publish.
        guards: whether any kernel watches a domain.
        made_seconds: how long planning took.
        runs: how often it ran.
        details: what the executor keeps for replay (slot layouts and the like).
        exact: whether it is only for views that begin where these do.
        origin: for each number that `steps` name a node by, that of the node in the sub-graph that
            is run; -1 for a node that a rewrite made.
    """

    __slots__ = ("details", "exact", "guards", "made_seconds", "origin", "outputs", "runs", "steps")

    def __init__(
        self,
        steps: tuple[PlannedStep, ...],
        outputs: tuple[int, ...],
        guards: bool,
        made_seconds: float = 0.0,
        runs: int = 0,
        details: Any = None,
        exact: bool = False,
        origin: Sequence[int] = (),
    ) -> None:
        self.steps = steps
        self.outputs = outputs
        self.guards = guards
        self.made_seconds = made_seconds
        self.runs = runs
        self.details = details
        self.exact = exact
        self.origin = origin


def lines_of(nodes: Iterable[Node]) -> tuple[tuple[str, int], ...]:
    """Where nodes were written; loops where their iterations were, too."""
    found: dict[tuple[str, int], None] = {}
    for node in nodes:
        found[node.line] = None
        inside = node.option("step").nodes if node.op.kind == "loop" else ()
        found.update(dict.fromkeys([one.line for one in inside if one.line[1]]))
    return tuple(found)
