"""The trips of a loop as a row of units that is repeated.

The body is rewritten, partitioned and lowered as any sub-graph is. What varies from trip to trip is
told to the provider: variables that are carried lie in arrays that change places, or are written
where they lie once nothing of the trip reads them any more; moving parts of arrays are views that
move; places in the random stream and the loop's variable are scalars that advance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Sequence

import attrs

from runmat_core.accel.graph.addressing import dense_strides
from runmat_core.accel.planning.bodies import NotLowerable, Turning, body_of
from runmat_core.accel.planning.group import partition
from runmat_core.accel.planning.places import Symbol
from runmat_core.accel.planning.plan import (
    ArrayType,
    BufferRef,
    Group,
    KernelCall,
    LoweredUnit,
    ParamRef,
    RepeatCall,
    Subgraph,
)
from runmat_core.accel.planning.region_stores import WORD, stored_region
from runmat_core.accel.planning.step import Step
from runmat_core.api.device import Addressing, Capabilities
from runmat_core.api.ir import ITEMSIZE, Instr, Kernel

#: The ``loop`` node itself among the references of rounds that are not bound to a sub-graph yet.
_OWN = -1
#: Makes a unit of a group of a sub-graph, None where there is none.
Lower = Callable[[Subgraph, Group, Capabilities], LoweredUnit | None]
#: Most units of a trip.
UNITS = 64


def lower_rounds(
    sub: Subgraph, n: int, capabilities: Capabilities, lower: Lower
) -> RepeatCall | None:
    """Return what the ``loop`` node number `n` repeats; None where a trip is not all units."""
    node = sub.nodes[n]
    step: Step = node.option("step")
    found = rounds_of(step, (node.option("begin"), node.option("trips")), capabilities, lower)
    if found is None:
        return None
    inputs = sub.inputs[n]
    buffers = [
        BufferRef(n, b.output) if b.node == _OWN else BufferRef(inputs[b.node])
        for b in found.buffers
    ]
    params = [ParamRef(n, p.position, p.dtype) for p in found.params]
    return found._replace(buffers=tuple(buffers), params=tuple(params))


def rounds_of(
    step: Step, span: tuple[int, int], capabilities: Capabilities, lower: Lower
) -> RepeatCall | None:
    """Return what a step repeats, kept with it; buffers name slots, `_OWN` the outputs.

    Args:
        span: the first trip, counted from the one that was traced, and how many there are.
        lower: makes a unit of a group of the body.
    """
    key = ("rounds", span, capabilities)
    if key not in step.kept:
        try:
            step.kept[key] = _Rounds(step, span, capabilities, lower).result()
        except NotLowerable as unfit:
            step.kept[key] = None
            step.kept["unfit"] = str(unfit), unfit.line
    found: RepeatCall | None = step.kept[key]
    return found


class _Rounds:
    """What making rounds keeps at hand.

    Attributes:
        row: the units of a trip; their buffers are nodes of the body.
        made: for each of them what it writes.
        sorts: of what the loop has for itself, by number; numbers of what is bound are put before
            these at last.
        place: the array of each node of the body: ("in", slot), ("out", output) or ("own", number).
    """

    def __init__(
        self, step: Step, span: tuple[int, int], capabilities: Capabilities, lower: Lower
    ) -> None:
        if not capabilities.repeats or not span[1]:
            raise NotLowerable("the provider repeats nothing")
        self.step = step
        self.begin, self.trips = span
        self.body = body = body_of(step, capabilities)
        self.groups = partition(body.sub, capabilities)
        if len(self.groups) > UNITS:
            raise NotLowerable(f"an iteration is more than {UNITS} kernels")
        self.row: list[KernelCall] = []
        for group in self.groups:
            made = None if group.kind in ("host", "loop") else lower(body.sub, group, capabilities)
            if not isinstance(made, KernelCall):
                line = body.sub.nodes[group.nodes[0]].line
                raise NotLowerable(f"the provider has no {self._names(group)}", line)
            self.row.append(made)
        self.whole_words = capabilities.kind == "device"
        self.updates = [v.update for v in body.variables if v.update is not None]
        self.row += [self._written(v) for v in body.variables if v.update is not None]
        if body.sub.fixed:
            raise NotLowerable("parts of arrays do not move evenly")
        self.items = {
            BufferRef(body.sub.inputs[k][0], int(node.option("output", 0))): k
            for k, node in enumerate(body.sub.nodes)
            if node.data is None and node.op.kind == "item"
        }
        self.sorts: list[ArrayType] = []
        self.place: dict[BufferRef, tuple[str, int]] = {}
        self.turns: list[tuple[tuple[str, int], tuple[str, int]]] = []

    def _names(self, group: Group) -> str:
        names = [self.body.sub.nodes[k].op.name for k in group.nodes]
        return ", ".join(dict.fromkeys(names))

    def result(self) -> RepeatCall:
        self._give_places()
        params: list[ParamRef] = []
        slots: dict[tuple[int, str], int] = {}
        advance: list[tuple[int, int | float]] = []
        row, moves = [], []
        for number, unit in enumerate(self.row):
            unit = _narrowed(unit, self.body.items)
            given = [
                ParamRef(0, self._param(p, params, slots, advance), p.dtype) for p in unit.params
            ]
            late = number - len(self.groups)
            if late < 0:
                unit, moving = self._moving(unit)
            else:
                moving = [(1, self.updates[late].option("advance"))]
            moves += [(number, view, by) for view, by in moving if by]
            row.append(unit._replace(params=tuple(given)))
        return self._numbered(row, params, advance, moves)

    # -- arrays -----------------------------------------------------------------------------------

    def ref(self, k: int) -> BufferRef:
        """Return what the elements of a node of the body are."""
        node = self.body.sub.nodes[k]
        if node.data is None and node.op.kind == "item":
            return BufferRef(self.body.sub.inputs[k][0], int(node.option("output", 0)))
        return BufferRef(k)

    def _give_places(self) -> None:
        """Say for every array that a unit reads or writes where it lies."""
        body = self.body
        reads = [
            [self._own(b) for k, b in enumerate(u.buffers) if k not in u.writes] for u in self.row
        ]
        writes = [
            [self._own(b) for k, b in enumerate(u.buffers) if k in u.writes] for u in self.row
        ]
        writer = {ref: k for k, refs in enumerate(writes) for ref in refs}
        last: dict[BufferRef, int] = {}
        for k, refs in enumerate(reads):
            last.update(dict.fromkeys(refs, k))
        for slot, k in body.slots.items():
            self.place[BufferRef(k)] = ("in", slot)
        for variable in body.variables:
            root = self.ref(variable.root)
            own = ("out", variable.output)
            leaf = BufferRef(variable.leaf)
            self.place[leaf] = own
            if variable.update is not None:
                continue  # what reads it comes first, then the part is written
            self.place[root] = own
            if last.get(leaf, -1) >= writer[root]:
                # it is still read when the next value is written: the two arrays take turns
                self.place[root] = other = self._new(self._sort(root))
                self.turns.append((own, other))
        for output, k in body.stacks.items():
            self.place[self.ref(k)] = ("out", output)
        self._give_temporaries(writes, reads, last)

    def _written(self, variable: Turning) -> KernelCall:
        """Return the unit that writes a moving part of an array where it lies."""
        update = variable.update
        assert update is not None
        if self.whole_words and ITEMSIZE[update.dtype] < WORD:
            raise NotLowerable("elements share words with their neighbours")
        counts, strides = update.option("region"), update.option("strides")
        kept = [k for k, n in enumerate(counts) if n != 1] or [0]
        offset = update.option("offset") + update.option("advance") * self.begin
        views = (
            Addressing(0, tuple([dense_strides(counts)[k] for k in kept])),
            Addressing(offset, tuple([strides[k] for k in kept])),
        )
        kernel = stored_region(len(kept), update.dtype, True, False)
        shown = tuple([attrs.evolve(view, contiguous=False) for view in kernel.views])
        return KernelCall(
            attrs.evolve(kernel, views=shown),
            (BufferRef(variable.root), BufferRef(variable.leaf)),
            frozenset({1}),
            tuple([counts[k] for k in kept]),
            views,
            (),
            kernel.name,
        )

    def _give_temporaries(
        self,
        writes: Sequence[Sequence[BufferRef]],
        reads: Sequence[Sequence[BufferRef]],
        last: dict[BufferRef, int],
    ) -> None:
        """Give what lives within an iteration the memory of what is not read any more."""
        free: dict[ArrayType, list[tuple[str, int]]] = defaultdict(list)
        inner: dict[BufferRef, ArrayType] = {}
        for k, refs in enumerate(writes):
            for ref in refs:
                if ref not in self.place:
                    sort = inner[ref] = self._sort(ref)
                    self.place[ref] = free[sort].pop() if free[sort] else self._new(sort)
            for ref in {*refs, *reads[k]} & inner.keys():
                if last.get(ref, -1) <= k:
                    free[inner.pop(ref)].append(self.place[ref])

    def _own(self, buffer: BufferRef) -> BufferRef:
        return self.ref(buffer.node) if not buffer.output else buffer

    def _new(self, sort: ArrayType) -> tuple[str, int]:
        self.sorts.append(sort)
        return "own", len(self.sorts) - 1

    def _sort(self, ref: BufferRef) -> ArrayType:
        """Size and element type of what a unit writes."""
        sub = self.body.sub
        node = sub.nodes[ref.node]
        item = self.items.get(ref)
        for unit in self.row:
            for k in unit.writes:
                if self._own(unit.buffers[k]) == ref:
                    of = unit.unit
                    if isinstance(of, Kernel):
                        dtype = of.buffers[k].dtype
                    elif item is not None or of.epilogue is not None:
                        dtype = sub.nodes[ref.node if item is None else item].dtype
                    else:
                        dtype = of.dtypes[k]
                    shapes = node.option("shapes")
                    if item is not None:
                        return sub.nodes[item].shape, dtype
                    return (node.shape if shapes is None else shapes[ref.output]), dtype
        raise AssertionError("every array of a row is written by a unit of it")

    # -- what varies from trip to trip ------------------------------------------------------------

    def _param(
        self,
        ref: ParamRef,
        params: list[ParamRef],
        slots: dict[tuple[int, str], int],
        advance: list[tuple[int, int | float]],
    ) -> int:
        """Return the number of a scalar, and note by how much it advances."""
        body, step = self.body, self.step
        kind, number = body.scalars[ref.node]
        slot = step.slot[kind, number, ref.position]
        known = slots.get((slot, ref.dtype))
        if known is not None:
            return known
        if kind == "word":
            # the four of an array together, so that the two of its position lie together
            first = step.slot[kind, number, 0]
            for k in range(4):
                slots[first + k, ref.dtype] = len(params)
                params.append(ParamRef(_OWN, first + k, ref.dtype))
            advance.append((slots[first + 2, ref.dtype], step.words))
        else:
            slots[slot, ref.dtype] = len(params)
            params.append(ParamRef(_OWN, slot, ref.dtype))
            if kind == "item":
                advance.append((slots[slot, ref.dtype], float(body.items[ref.node].step)))
        return slots[slot, ref.dtype]

    def _moving(self, unit: KernelCall) -> tuple[KernelCall, list[tuple[int, int]]]:
        """Return a unit with its views where the first trip has them, and by how much they move."""
        body = self.body
        kernel = unit.unit if isinstance(unit.unit, Kernel) else unit.unit.epilogue
        if kernel is None:
            return unit, []
        stacked = {self.ref(k): body.sub.nodes[k].size for k in body.stacks.values()}
        views, shown, moving = [], list(kernel.views), []
        first = 0 if isinstance(unit.unit, Kernel) else len(unit.buffers) - len(kernel.buffers)
        for number, at in enumerate(unit.views):
            by, offset = 0, at.offset
            if isinstance(offset, Symbol):
                by = sum([body.slices[k] for k in offset.nodes])
                offset = int.__add__(offset, by * self.begin)
            buffer = kernel.views[number].buffer
            if buffer is not None and first + buffer in unit.writes:
                by += stacked.get(self._own(unit.buffers[first + buffer]), 0)
            if by:
                moving.append((number, by))
                shown[number] = attrs.evolve(shown[number], contiguous=False)
            views.append(Addressing(offset, at.strides))
        if moving:
            kernel = attrs.evolve(kernel, views=tuple(shown))
            if isinstance(unit.unit, Kernel):
                unit = unit._replace(unit=kernel)
            else:
                unit = unit._replace(unit=attrs.evolve(unit.unit, epilogue=kernel))
        return unit._replace(views=tuple(views)), moving

    # -- numbers ----------------------------------------------------------------------------------

    def _numbered(
        self,
        row: Sequence[KernelCall],
        params: Sequence[ParamRef],
        advance: Sequence[tuple[int, int | float]],
        moves: Sequence[tuple[int, int, int]],
    ) -> RepeatCall:
        body, step = self.body, self.step
        used = [self.place[self._own(b)] for unit in row for b in unit.buffers]
        entries = [(("in", v.entry), ("out", v.output)) for v in body.variables]
        inputs = [place for place in (*used, *[e for e, _ in entries]) if place[0] == "in"]
        number: dict[tuple[str, int], int] = {}
        buffers: list[BufferRef] = []
        sorts: list[ArrayType] = []
        for place in dict.fromkeys(inputs):
            node = step.nodes[step.slots[place[1]][1]]
            number[place] = len(buffers)
            buffers.append(BufferRef(place[1]))
            sorts.append((node.shape, node.dtype))
        for output in range(step.outputs):
            number["out", output] = len(buffers)
            buffers.append(BufferRef(_OWN, output))
            sorts.append(self._out_sort(output))
        for k, sort in enumerate(self.sorts):
            number["own", k] = len(sorts)
            sorts.append(sort)
        bound = [
            unit._replace(
                buffers=tuple([BufferRef(number[self.place[self._own(b)]]) for b in unit.buffers]),
            )
            for unit in row
        ]
        return RepeatCall(
            row=tuple(bound),
            buffers=tuple(buffers),
            writes=frozenset(range(len(buffers) - step.outputs, len(buffers))),
            sorts=tuple(sorts),
            copies=tuple([(number[a], number[b]) for a, b in entries]),
            turns=tuple([(number[a], number[b]) for a, b in self.turns]),
            trips=self.trips,
            params=tuple(params),
            advance=tuple(advance),
            moves=tuple(moves),
            label="loop of " + ", ".join(dict.fromkeys([unit.label for unit in row])),
        )

    def _out_sort(self, output: int) -> ArrayType:
        for variable in self.body.variables:
            if variable.output == output:
                leaf = self.body.sub.nodes[variable.leaf]
                return leaf.shape, leaf.dtype
        shape, _ = self.step.shape_of(output, self.trips)
        return shape, self._sort(self.ref(self.body.stacks[output]))[1]


def _narrowed(unit: KernelCall, items: Container[int]) -> KernelCall:
    """Return a unit whose loop variable is a single number if all that is made of it is single."""
    kernel = unit.unit
    if not isinstance(kernel, Kernel):
        return unit
    wide = {k for k, p in enumerate(unit.params) if p.node in items and p.dtype == "f64"}
    for instr in kernel.code:
        if instr.op == "cast" and instr.dtype == "f32":
            continue
        wide -= {kernel.code[a].attr for a in instr.args if kernel.code[a].op == "param"}
    if not wide:
        return unit
    code: list[Instr] = []
    for instr in kernel.code:
        if instr.op == "param" and instr.attr in wide:
            instr = attrs.evolve(instr, dtype="f32")
        elif instr.op == "cast" and code[instr.args[0]].op == "param":
            param = code[instr.args[0]]
            if param.attr in wide:
                instr = param
        code.append(instr)
    given = [p._replace(dtype="f32") if k in wide else p for k, p in enumerate(unit.params)]
    shown = [attrs.evolve(p, dtype="f32") if k in wide else p for k, p in enumerate(kernel.params)]
    kernel = attrs.evolve(kernel, code=tuple(code), params=tuple(shown))
    return unit._replace(unit=kernel, params=tuple(given))
