"""From planned steps to a program: slots, parameters, and the lives of temporary arrays.

A temporary array is taken again by a later step of its request as soon as nothing reads it any
more, and goes back after the request at the latest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.places import Symbol
from runmat_core.accel.planning.plan import (
    ArrayType,
    KernelCall,
    LoweredUnit,
    ParamRef,
    PlannedStep,
    RepeatCall,
    Subgraph,
    is_guarded,
)
from runmat_core.accel.running.program import (
    HostNode,
    HostSegment,
    Program,
    Ref,
    Scalar,
    Submission,
)
from runmat_core.accel.running.rooms import TempAllocator, repeated
from runmat_core.api.device import Addressing, Copy, Executable, Launch, Step
from runmat_core.api.ir import Kernel

_FOREVER = 1 << 60
#: Seconds of work that a submission takes as well.
BRIEF = 5e-5


def build(
    subgraph: Subgraph,
    steps: Sequence[PlannedStep],
    origin: Sequence[int],
    scalars: Sequence[int],
) -> Program:
    """Return the program of planned steps.

    Args:
        subgraph: that the steps were planned for, rewritten or not.
        origin: the number, in the sub-graph that is run, of each of its nodes; -1 for new ones.
        scalars: the number there of the node whose scalar inputs each of its nodes has.
    """
    return _Assembly(subgraph, steps, origin, scalars).program()


class _Assembly:
    """What building a program keeps at hand."""

    def __init__(
        self,
        subgraph: Subgraph,
        steps: Sequence[PlannedStep],
        origin: Sequence[int],
        scalars: Sequence[int],
    ) -> None:
        self.subgraph = subgraph
        self.steps = steps
        self.origin = origin
        self.scalars = scalars
        self.numbers: dict[Ref, int] = {}
        self.items: dict[Ref, int] = {}
        for k, node in enumerate(subgraph.nodes):
            if node.data is None and node.op.kind == "item":
                self.items[(subgraph.inputs[k][0], int(node.option("output", 0)))] = k
        self.reads: list[list[Ref]] = []
        self.writes: list[list[Ref]] = []
        for step in steps:
            reads, writes = self._traffic(step)
            self.reads.append(reads)
            self.writes.append(writes)
        self.cleared: set[str] = set()
        self.published = self._published()
        self.last: dict[Ref, int] = {}
        for k, reads in enumerate(self.reads):
            self.last.update(dict.fromkeys(reads, k))
        for _, refs in self.published:
            self.last.update(dict.fromkeys(refs, _FOREVER))

    # -- references -------------------------------------------------------------------------------

    def ref(self, number: int, output: int = 0) -> Ref:
        """Return the reference to a node's elements; an ``item`` is of the node it belongs to."""
        node = self.subgraph.nodes[number]
        if node.data is None and node.op.kind == "item":
            return self.subgraph.inputs[number][0], int(node.option("output", 0))
        return number, output

    def value(self, ref: Ref) -> int:
        return self.numbers.setdefault(ref, len(self.numbers))

    def _traffic(self, step: PlannedStep) -> tuple[list[Ref], list[Ref]]:
        """Return what a step reads and what it writes."""
        if step.executable is not None and step.lowered is not None:
            lowered = step.lowered
            refs = [self.ref(b.node, b.output) for b in lowered.buffers]
            written = [r for k, r in enumerate(refs) if k in lowered.writes]
            return [r for k, r in enumerate(refs) if k not in lowered.writes], written
        inside = set(step.group.nodes)
        nodes, inputs = self.subgraph.nodes, self.subgraph.inputs
        reads = []
        for k in step.group.nodes:
            for below in inputs[k]:
                if below >= 0:
                    ref = self.ref(below)
                    if ref[0] not in inside or nodes[ref[0]].data is not None:
                        reads.append(ref)
        writes = []
        for k in step.group.outputs:
            writes += [self.ref(k), *[r for r in self.items_of(k) if self.items[r] in inside]]
        return list(dict.fromkeys(reads)), list(dict.fromkeys(writes))

    def items_of(self, number: int) -> list[Ref]:
        return [ref for ref in self.items if ref[0] == number]

    def _published(self) -> list[tuple[int, tuple[Ref, ...]]]:
        """For each output of the sub-graph what its data is, where all of it is written."""
        written = {ref for writes in self.writes for ref in writes}
        found = []
        for number in dict.fromkeys(self.subgraph.outputs):
            refs: tuple[Ref, ...] = (self.ref(number),)
            if self.several(number):
                count = outputs_of(self.subgraph.nodes[number])
                refs = tuple([(number, k) for k in range(count)])
                if not written.issuperset(refs):
                    # whoever asks for the rest later has it computed anew
                    continue
            found.append((number, refs))
        return found

    def several(self, number: int) -> bool:
        return outputs_of(self.subgraph.nodes[number]) > 1

    def sort_of(self, ref: Ref, lowered: LoweredUnit, buffer: int) -> ArrayType:
        """Size and element type of an array that is written as buffer number `buffer`."""
        if isinstance(lowered, RepeatCall):
            return lowered.sorts[buffer]
        unit = lowered.unit
        number, output = ref
        node = self.subgraph.nodes[number]
        item = self.items.get(ref)
        shapes = node.option("shapes")
        shape = node.shape
        if item is not None:
            shape = self.subgraph.nodes[item].shape
        elif shapes is not None:
            shape = shapes[output]
        if isinstance(unit, Kernel):
            return shape, unit.buffers[buffer].dtype
        if item is not None or unit.epilogue is not None:
            return shape, self.subgraph.nodes[number if item is None else item].dtype
        return shape, unit.dtypes[buffer]

    # -- assembling -------------------------------------------------------------------------------

    def program(self) -> Program:
        nodes = self.subgraph.nodes
        segments: list[Submission | HostSegment] = []
        first = 0
        while first < len(self.steps):
            owner = _owner(self.steps[first])
            stop = first + 1
            while stop < len(self.steps) and _owner(self.steps[stop]) == owner:
                stop += 1
            run = range(first, stop)
            segments.append(self._by_rules(run) if owner is None else self._request(owner, run))
            first = stop
        publishes = [
            (self.origin[n], tuple([self.value(r) for r in refs])) for n, refs in self.published
        ]
        return Program(
            segments=tuple(segments),
            count=len(self.numbers),
            sources=tuple(
                [
                    (value, self.origin[number])
                    for (number, _), value in self.numbers.items()
                    if nodes[number].data is not None
                ]
            ),
            publishes=tuple(publishes),
            single=frozenset(self.origin[n] for n, _ in self.published if not self.several(n)),
            wanted=tuple([self.value(self.ref(r)) for r in self.subgraph.roots]),
            speculative=self._watched(),
        )

    def _request(self, owner: str, run: range) -> Submission:
        reads: list[Ref] = []
        inside = {ref for k in run for ref in self.writes[k]}
        for k in run:
            reads += [r for r in self.reads[k] if r not in inside]
        reads = list(dict.fromkeys(reads))
        slot_of = {ref: k for k, ref in enumerate(reads)}
        rooms = TempAllocator(len(reads))
        made: dict[Ref, int] = {}
        scalars: dict[tuple[int, int, str], int] = {}
        steps: list[Step] = []
        began: dict[int, int] = {}
        launches = 0
        for k in run:
            lowered = self.steps[k].lowered
            assert lowered is not None
            for b in sorted(lowered.writes):
                ref = self.ref(lowered.buffers[b].node, lowered.buffers[b].output)
                made[ref] = rooms.take(self.sort_of(ref, lowered, b))
                slot_of[ref] = rooms.slot(made[ref])
            began[k] = len(steps)
            if isinstance(lowered, RepeatCall):
                bound = [slot_of[self.ref(b.node, b.output)] for b in lowered.buffers]
                params = [self._number(p, scalars) for p in lowered.params]
                steps += repeated(lowered, self.steps[k].executables, bound, params, rooms)
                launches += lowered.trips * len(lowered.row)
            else:
                steps.append(self._launch(lowered, self.steps[k].executables[0], slot_of, scalars))
                launches += 1
            for ref in {*self.reads[k], *self.writes[k]} & made.keys():
                if self.last.get(ref, -1) <= k:
                    rooms.give(made.pop(ref))
        guarded = any(is_guarded(self.steps[k].lowered) for k in run)
        if guarded and owner not in self.cleared:
            # a step of its own: the words live longer than a run
            self.cleared.add(owner)
            slots = len(reads) + len(rooms.sorts)
            steps.insert(0, Copy(slots, slots + 1))
            began = {k: number + 1 for k, number in began.items()}
        first = self.steps[run.start].lowered
        return Submission(
            owner=owner,
            steps=tuple(steps),
            reads=tuple([self.value(r) for r in reads]),
            makes=tuple(rooms.sorts),
            leaves=tuple([(self.value(ref), rooms.holds[room]) for ref, room in made.items()]),
            scalars=tuple([self._scalar(*key) for key in scalars]),
            guarded=guarded,
            done=self._done(run),
            labels=tuple([label for k in run for label in _labels(self.steps[k].lowered)]),
            launches=launches,
            alone=first if len(run) == 1 and isinstance(first, KernelCall) else None,
            short_tail=run.stop == len(self.steps) and self._brief(run, guarded),
            moving=tuple(self._moving(began)),
        )

    def _brief(self, run: range, guarded: bool) -> bool:
        """Whether the steps that end the program take hardly any time, and are read then."""
        work = [self.steps[k].decision.work_seconds for k in run]
        made = {ref for k in run for ref in self.writes[k]}
        read = guarded or any(self.ref(root) in made for root in self.subgraph.roots)
        return read and all(w is not None for w in work) and sum(w or 0.0 for w in work) < BRIEF

    def _moving(self, began: Mapping[int, int]) -> Iterator[tuple[int, int, Any]]:
        """Yield the views of launches whose places depend on nodes.

        Args:
            began: the number of the step that each planned step begins with.
        """
        nodes = self.subgraph.nodes
        for number, k in began.items():
            lowered = self.steps[number].lowered
            if not isinstance(lowered, KernelCall):
                continue
            for v, view in enumerate(lowered.views):
                if isinstance(view.offset, Symbol):
                    starts = [
                        (self.origin[n], nodes[n].option("offset")) for n in view.offset.nodes
                    ]
                    yield k, v, tuple(starts)

    def _launch(
        self,
        lowered: KernelCall,
        executable: Executable,
        slot_of: Mapping[Ref, int],
        scalars: dict[tuple[int, int, str], int],
    ) -> Launch:
        return Launch(
            executable,
            tuple([slot_of[self.ref(b.node, b.output)] for b in lowered.buffers]),
            lowered.extents,
            tuple([_settled(view) for view in lowered.views]),
            tuple([self._number(p, scalars) for p in lowered.params]),
            lowered.label,
        )

    def _number(self, ref: ParamRef, scalars: dict[tuple[int, int, str], int]) -> int:
        """Return the index of a scalar among the request's."""
        key = (self.scalars[ref.node], ref.position, ref.dtype)
        return scalars.setdefault(key, len(scalars))

    def _scalar(self, node: int, position: int, dtype: str) -> Scalar:
        return node, position, CONVERT.get(dtype, whole)

    def _by_rules(self, run: range) -> HostSegment:
        nodes: list[HostNode] = []
        done: set[int] = set()
        for k in run:
            for n in self.steps[k].group.nodes:
                node = self.subgraph.nodes[n]
                if n in done or node.data is not None or node.op.kind == "item":
                    continue
                done.add(n)
                inputs = tuple([None if i < 0 else self.ref(i) for i in self.subgraph.inputs[n]])
                host = HostNode(bare(node), self.origin[n], self.scalars[n], inputs, n)
                nodes.append(host._replace(open=n in self.subgraph.open))
        inside = {ref for k in run for ref in self.writes[k]}
        reads = [r for k in run for r in self.reads[k] if r not in inside]
        writes = [r for k in run for r in self.writes[k] if self.last.get(r, -1) >= run.stop]
        return HostSegment(
            nodes=_with_last_uses(nodes, set(writes)),
            reads=tuple([(r, self.value(r)) for r in dict.fromkeys(reads)]),
            leaves=tuple([(r, self.value(r)) for r in dict.fromkeys(writes)]),
            done=self._done(run),
        )

    def _done(self, run: range) -> tuple[int, ...]:
        """Return the values that nothing needs after these steps."""
        touched = dict.fromkeys(r for k in run for r in (*self.reads[k], *self.writes[k]))
        return tuple(
            [self.numbers[r] for r in touched if r in self.numbers and self.last.get(r, -1) in run]
        )

    def _watched(self) -> frozenset[int]:
        speculative = set()
        for k, node in enumerate(self.subgraph.nodes):
            pending = node.data is None
            if pending and (node.guarded or any(i in speculative for i in self.subgraph.inputs[k])):
                speculative.add(k)
        return frozenset(self.origin[k] for k in speculative if self.origin[k] >= 0)


def _settled(view: Addressing) -> Addressing:
    """Return a view with a plain number for its place."""
    if not isinstance(view.offset, Symbol):
        return view
    return Addressing(int.__add__(view.offset, 0), view.strides)


def _owner(step: PlannedStep) -> str | None:
    return None if step.executable is None else step.executable.owner


def _with_last_uses(nodes: Sequence[HostNode], needed: set[Ref]) -> tuple[HostNode, ...]:
    """`nodes`, each told what may go after it; what is `needed` afterwards stays."""
    seen = set(needed)
    told = []
    for node in reversed(nodes):
        refs = dict.fromkeys([ref for ref in node.inputs if ref is not None])
        told.append(node._replace(done=tuple([ref for ref in refs if ref not in seen])))
        seen.update(refs)
    return tuple(reversed(told))


def _labels(lowered: LoweredUnit | None) -> list[str]:
    if isinstance(lowered, RepeatCall):
        return [one.label for one in lowered.row]
    return [] if lowered is None else [lowered.label]


def outputs_of(node: Node) -> int:
    """How many outputs a node has; what has several is read through ``item`` nodes."""
    return int(node.option("outputs", 1))


def bare(node: Node) -> Node:
    """Return a node like `node` that holds on to nothing."""
    return Node(
        node.graph, node.op, (), node.static, node.shape, node.cls, node.value_number, node.guarded
    )


def whole(value: Any) -> int:
    """Return a parameter of an element type of whole numbers."""
    return int(value)


#: What makes a scalar of a node a parameter of an element type; the others are whole numbers.
CONVERT: dict[str, Callable[[Any], float | bool | int]] = {"f64": float, "f32": float, "bool": bool}
