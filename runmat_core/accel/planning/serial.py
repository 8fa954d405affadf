"""The trips of a loop as one kernel with a serial axis.

The body is partitioned as any sub-graph is. Where all of it is one group, its code is written once,
with one axis more: the variables that it carries are loaded before the first trip, stay in `carry`
instructions, and are stored after the last. What varies from trip to trip without being carried
(the loop's variable, moving parts of arrays, random numbers) are addresses with a stride along that
axis.
"""

from __future__ import annotations

from typing import Any

from runmat_core.accel.graph.addressing import StridedLayout, compose, size_of
from runmat_core.accel.graph.leaves import Carry, Item, Slice, leaf_of
from runmat_core.accel.graph.node import Node
from runmat_core.accel.planning.axes import finished
from runmat_core.accel.planning.group import partition
from runmat_core.accel.planning.lowering import Lowering, mask_of
from runmat_core.accel.planning.plan import BufferRef, Group, KernelCall, ParamRef, Subgraph
from runmat_core.accel.planning.step import Step, Variable
from runmat_core.api.device import Capabilities
from runmat_core.api.ir import Instr, Known, V, cast

#: The ``loop`` node itself among the references of a kernel that is not bound to a sub-graph yet.
_OWN = -1


class NotLowerable(Exception):  # noqa: N818 - it is no error
    """A body cannot be written as one kernel."""


def lower_loop(sub: Subgraph, n: int, capabilities: Capabilities) -> KernelCall | None:
    """Return the kernel of the ``loop`` node number `n`; None where there is none.

    It writes the outputs that `sub` has ``item`` nodes for.
    """
    node = sub.nodes[n]
    step: Step = node.option("step")
    items = [k for k in sub.users[n] if sub.nodes[k].op.kind == "item"]
    wanted = frozenset(sub.nodes[k].option("output") for k in items)
    scalars = frozenset(k for k, i in enumerate(sub.inputs[n]) if i < 0)
    span = (node.option("begin"), node.option("trips"))
    found = kernel_of(step, span, capabilities, wanted, scalars)
    if found is None:
        return None
    inputs = sub.inputs[n]
    return found._replace(
        buffers=tuple(
            [BufferRef(n, b.output) if b.node == _OWN else BufferRef(inputs[b.node])
             for b in found.buffers]
        ),
        params=tuple([ParamRef(n, p.position, p.dtype) for p in found.params]),
    )  # fmt: skip


def kernel_of(
    step: Step,
    span: tuple[int, int],
    capabilities: Capabilities,
    wanted: frozenset[int],
    scalars: frozenset[int],
) -> KernelCall | None:
    """Return the kernel of a step, kept with it; buffers name slots, `_OWN` the outputs.

    Args:
        span: the first trip, counted from the one that was traced, and how many there are.
        wanted: the outputs to write.
        scalars: the slots whose inputs are scalars.
    """
    key = (span, capabilities, wanted, scalars)
    if key not in step.kept:
        step.kept[key] = _lowered(step, span, capabilities, wanted, scalars)
    found: KernelCall | None = step.kept[key]
    return found


def _lowered(
    step: Step,
    span: tuple[int, int],
    capabilities: Capabilities,
    wanted: frozenset[int],
    scalars: frozenset[int],
) -> KernelCall | None:
    if not capabilities.loops or not span[1]:
        return None
    sub = step.subgraph()
    try:
        group = _group(step, sub, capabilities)
        return _Serial(step, sub, group, span, wanted, scalars).result()
    except NotLowerable:
        return None


def _group(step: Step, sub: Subgraph, capabilities: Capabilities) -> Group:
    """Return the one group of the body, with what carried scalars need besides."""
    groups = partition(sub, capabilities) if sub.roots else ()
    if len(groups) > 1 or any(g.kind != "kernel" or g.scanned is not None for g in groups):
        raise NotLowerable
    if not groups:
        # nothing is computed: variables take over from each other
        held = [*[v.leaf for v in step.variables], *[stack.value for stack in step.stacks]]
        shape = max((sub.nodes[k].shape for k in held), key=size_of)
        groups = (Group("kernel", (), (), shape),)
    (group,) = groups
    points = size_of([group.space[k] for k in group.reduced])
    if group.reduced and points > capabilities.loop_points:
        raise NotLowerable
    nodes = set(group.nodes)
    stack = [v.value for v in step.variables if v.value >= 0]
    while stack:
        k = stack.pop()
        if sub.nodes[k].data is None and k not in nodes:
            if sub.nodes[k].size != 1 or sub.nodes[k].op.kind != "map":
                raise NotLowerable
            nodes.add(k)
            stack += [i for i in sub.inputs[k] if i >= 0]
    return group._replace(nodes=tuple(sorted(nodes)))


class _Serial(Lowering):
    """The kernel while it is written.

    Attributes:
        begin: the first trip, counted from the one that was traced.
        points: extents without that of the trips.
        each: the mask of the axis of the trips.
        carries: the `carry` instruction of each carried variable at each address.
        turned: how many of them know what they take on.
    """

    def __init__(
        self,
        step: Step,
        sub: Subgraph,
        group: Group,
        span: tuple[int, int],
        wanted: frozenset[int],
        scalars: frozenset[int],
    ) -> None:
        super().__init__(sub, group)
        self.step, self.outputs, self.scalar_slots = step, wanted, scalars
        self.begin, trips = span
        self.points = self.extents
        self.serial = len(self.extents)
        self.each = 1 << len(self.extents)
        self.extents = (*self.extents, trips)
        self.none = self._longer(self.none)
        self.whole = self._longer(self.whole)
        self.slice = self._longer(self.slice)
        self.carried = {v.leaf: v for v in step.variables}
        self.carries: dict[tuple[int, StridedLayout], int] = {}
        self.turned = 0

    def result(self) -> KernelCall | None:
        self.bases = self._bases()
        for n, address, below in self._demands():
            self._emit(n, address, below)
        self._turn_all()
        for variable in self.step.variables:
            if variable.output in self.outputs:
                self._store_last(variable)
        first = self.step.outputs - len(self.step.stacks)
        for k, stack in enumerate(self.step.stacks):
            if first + k in self.outputs:
                self._store_all(stack.value, first + k)
        self.builder.code = _pruned(self.builder.code)
        return finished(self, join=True)

    # -- what is needed where ---------------------------------------------------------------------

    def roots(self) -> dict[int, list[StridedLayout]]:
        found: dict[int, list[StridedLayout]] = {}
        for k in (*[v.value for v in self.step.variables], *[s.value for s in self.step.stacks]):
            if k >= 0 and self.nodes[k].data is None:
                found[k] = [self.home(k)]
        return found

    def home(self, k: int) -> StridedLayout:
        """Where a value that is carried or stored has its elements.

        Raises:
            NotLowerable: it has neither one for each point, nor for each slice, nor only one.
        """
        node = self.nodes[k]
        if node.size == size_of(self.points):
            return self.whole
        if node.size == 1:
            return self.none
        if self.reduced and node.size == size_of(
            [e for axis, e in enumerate(self.points) if axis not in self.reduced]
        ):
            return self.slice
        raise NotLowerable

    def label(self) -> str:
        return f"loop of {super().label()}" if self.group.nodes else "loop"

    def _longer(self, address: StridedLayout) -> StridedLayout:
        return address[0], (*address[1], 0)

    def _at(self, address: StridedLayout, shape: Any, inner: StridedLayout) -> StridedLayout:
        found = compose(address, self.extents, shape, inner)
        if found is None:
            raise NotLowerable
        return found

    # -- code -------------------------------------------------------------------------------------

    def _emit(self, n: int, address: StridedLayout, below: list[StridedLayout]) -> None:
        if self.nodes[n].op.kind == "reduce" and address not in (self.slice, self.none):
            raise NotLowerable
        super()._emit(n, address, below)

    def _load(self, i: int, address: StridedLayout) -> V:
        leaf = leaf_of(self.nodes[i])
        if isinstance(leaf, Item):
            first = leaf.first + leaf.step * self.begin
            place = (first, (*self.none[1][:-1], leaf.step))
            number = self.builder.emit("index", (), "i64", mask_of(place), self.view(None, place))
            return cast(V(self.builder, number), "f64")
        if isinstance(leaf, Slice):
            at = self._at(address, self.nodes[i].shape, (leaf.offset, leaf.strides))
            if at[1][-1]:
                raise NotLowerable
            base = self.step.number[id(leaf.base)]
            offset = at[0] + leaf.advance * self.begin
            return self._load_at(base, (offset, (*at[1][:-1], leaf.advance)))
        if isinstance(leaf, Carry) and i in self.carried:
            return self._carry(i, address)
        return self._load_at(i, address)

    def _load_at(self, i: int, address: StridedLayout) -> V:
        slot = self.step.slot["leaf", i, 0]
        dtype = self.nodes[i].dtype
        if slot in self.scalar_slots:
            return self._scalar(slot, dtype, "other")
        return super()._load(i, address)

    def _carry(self, i: int, address: StridedLayout) -> V:
        if address != self.home(i):
            raise NotLowerable
        found = self.carries.get((i, address))
        if found is None:
            first = self._load_at(i, address)
            over = mask_of(address) | self.each
            mark = ("carry", i, address)
            dtype = self.nodes[i].dtype
            found = self.builder.emit("carry", (first.position,), dtype, over, mark)
            self.carries[i, address] = found
        return V(self.builder, found)

    def _turn_all(self) -> None:
        """Tell every `carry` that was made since the last time what it takes on."""
        while self.turned < len(self.carries):
            # a variable that is only handed on may bring another one
            for (leaf, address), position in list(self.carries.items())[self.turned :]:
                self._turn(self.carried[leaf], address, position)
                self.turned += 1

    def _turn(self, variable: Variable, address: StridedLayout, position: int) -> None:
        """Tell a `carry` what it takes on after each trip."""
        dtype = self.nodes[variable.leaf].dtype
        if variable.value < 0:
            slot = self.step.slot["scalar", variable.leaf, 0]
            value = self._scalar(slot, dtype, "other")
        else:
            value = cast(self._value(variable.value, address), dtype)
        code = self.builder.code
        following = value.position
        if following <= position:
            # what a variable takes on stands further down than the variable
            code.append(Instr("cast", (following,), dtype, value.over, dtype))
            following = len(code) - 1
        carry = code[position]
        code[position] = Instr("carry", carry.args, carry.dtype, carry.over, following)

    def _generated(self, n: int, node: Node, address: StridedLayout) -> V:
        if node.op.kind == "random":
            offset, strides = address
            address = offset, (*strides[:-1], self.step.stride_of(node))
        return super()._generated(n, node, address)

    def _param(self, n: int, position: int, dtype: str, known: Known) -> V:
        kind = "word" if self.nodes[n].op.kind == "random" else "scalar"
        return self._scalar(self.step.slot[kind, n, position], dtype, known)

    def _scalar(self, slot: int, dtype: str, known: Known) -> V:
        return self.param_of(ParamRef(_OWN, slot, dtype), dtype, known)

    def buffer(self, n: int) -> int:
        """Return the number of the buffer of an array that the loop only reads, or begins with."""
        node = self.nodes[n]
        if node.data is None or isinstance(leaf_of(node), Item | Slice):
            raise NotLowerable
        slot = self.step.slot["leaf", n, 0]
        if slot in self.scalar_slots:
            raise NotLowerable
        return self.buffer_of(BufferRef(slot), node.dtype)

    def loaded(self, i: int, number: V) -> V:
        if i in self.carried:
            raise NotLowerable  # elements of a variable by their numbers: others hold them
        return super().loaded(i, number)

    # -- after the last trip ----------------------------------------------------------------------

    def _store_last(self, variable: Variable) -> None:
        node = self.nodes[variable.leaf]
        home = self.home(variable.leaf)
        if home == self.none and size_of(self.points) != 1:
            raise NotLowerable
        position = self.carries.get((variable.leaf, home))
        if position is None:
            position = self._carry(variable.leaf, home).position
            self._turn_all()
        attr: Any = self.builder.code[position].attr
        value = V(self.builder, attr)
        if value.over & self.each:
            over = value.over & ~self.each
            value = V(self.builder, self.builder.emit("last", (value.position,), value.dtype, over))
        self._store_at(value, variable.output, node.dtype, home)

    def _store_all(self, n: int, output: int) -> None:
        """Store what every trip has, one after the other."""
        node = self.nodes[n]
        home = self.home(n)
        if home == self.none and size_of(self.points) != 1:
            raise NotLowerable
        offset, strides = home
        self._store_at(
            self._value(n, home), output, node.dtype, (offset, (*strides[:-1], node.size))
        )

    def _store_at(self, value: V, output: int, dtype: str, place: StridedLayout) -> None:
        stored = cast(value, dtype)
        buffer = self.buffer_of(BufferRef(_OWN, output), dtype)
        self.writes.add(buffer)
        view = self.view(buffer, place)
        self.builder.emit("store", (stored.position,), dtype, mask_of(place), view)


def _pruned(code: list[Instr]) -> list[Instr]:
    """`code` without what nobody needs, whole numbers made single numbers directly.

    The loop's variable is a double; where all of its uses are single, no double is left.
    """
    code = [_direct(instr, code) for instr in code]
    needed: set[int] = set()
    stack = [k for k, instr in enumerate(code) if instr.op in ("store", "guard")]
    while stack:
        k = stack.pop()
        if k not in needed:
            needed.add(k)
            stack += code[k].args
            if code[k].op == "carry":
                stack.append(code[k].attr)  # type: ignore[arg-type]
    place = {k: new for new, k in enumerate(sorted(needed))}
    made = []
    for k in place:
        instr = code[k]
        attr: Any = instr.attr
        made.append(
            Instr(
                instr.op,
                tuple([place[a] for a in instr.args]),
                instr.dtype,
                instr.over,
                place[attr] if instr.op == "carry" else attr,
            )
        )
    return made


def _direct(instr: Instr, code: list[Instr]) -> Instr:
    """Convert a whole number to single at once, not by way of a double."""
    if instr.op == "cast" and instr.dtype == "f32":
        inner = code[instr.args[0]]
        if inner.op == "cast" and inner.dtype == "f64" and code[inner.args[0]].op == "index":
            return Instr("cast", inner.args, "f32", instr.over, "f32")
    return instr
