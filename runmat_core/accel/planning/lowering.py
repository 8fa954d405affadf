"""The kernel of one group: its code, and the extents, addresses and scalars of the launch.

From the outputs down it is found at which places of the space each node is needed (its address),
then the code is emitted upwards, each node once for each of its addresses. Sizes, strides and
scalars go to the launch only, so that nodes of the same structure give the same kernel.
"""

from __future__ import annotations

from runmat_core.accel.graph.addressing import (
    StridedLayout,
    compose,
    dense_strides,
    expansion,
    size_of,
)
from runmat_core.accel.graph.fragments import (
    code_of,
    is_fill_part,
    reads_memory,
    signature,
    stores_parts,
)
from runmat_core.accel.graph.node import Node, Shape
from runmat_core.accel.planning.axes import finished
from runmat_core.accel.planning.plan import BufferRef, Group, KernelCall, ParamRef, Subgraph
from runmat_core.accel.planning.regions import joined, part_of, part_places, replaced
from runmat_core.api.ir import Builder, Known, Param, V, cast, known_class

#: Most operations that a label names.
NAMED = 6


class Lowering:
    """The kernel of one group while it is written.

    Values vary along the axes of the group's space that have several points, called axes here;
    `axes.finished` joins some of them at the end.

    Attributes:
        serial: the axis of the trips of a loop, where there is one.
    """

    serial: int | None = None

    def __init__(self, sub: Subgraph, group: Group) -> None:
        self.sub = sub
        self.group = group
        self.nodes = sub.nodes
        own = group.space
        # a reduction needs an axis, if only one of one point
        special = {*group.reduced[:1], group.scanned} - {
            k for k in group.reduced[:1] if any(own[r] != 1 for r in group.reduced)
        }
        whole = group.kind == "call"  # an epilogue has the axes of what it follows
        self.kept = [k for k, n in enumerate(own) if n != 1 or k in special or whole] or [0]
        self.extents: Shape = tuple([own[k] for k in self.kept])
        self.reduced = [k for k, axis in enumerate(self.kept) if axis in group.reduced]
        self.scanned = None if group.scanned is None else self.kept.index(group.scanned)
        reduce_mask = sum(1 << k for k in self.reduced)
        scan_mask = 0 if self.scanned is None else 1 << self.scanned
        self.builder = Builder(reduce_mask, scan_mask)
        self.none: StridedLayout = (0, (0,) * len(self.kept))
        self.whole = self._canonical(())
        self.slice = self._canonical(self.reduced) if self.reduced else self.whole
        self.buffers: dict[BufferRef, tuple[int, str]] = {}
        self.writes: set[int] = set()
        self.views: dict[tuple[int | None, StridedLayout], int] = {}
        self.params: dict[ParamRef, tuple[int, Known]] = {}
        self.guards = 0
        self.values: dict[tuple[int, StridedLayout], list[V]] = {}
        self._composed: dict[tuple[StridedLayout, Shape, Shape], StridedLayout] = {}
        self._own = set(group.nodes)
        if whole:
            (n,) = [n for n in group.nodes if sub.nodes[n].op.kind == "call"]
            self._own.remove(n)  # its result is what buffer 0 brings
            self.buffer(n)

    def result(self) -> KernelCall | None:
        """Return the unit and its launch."""
        self.bases = self._bases()
        for n, address, below in self._demands():
            self._emit(n, address, below)
        for n in self.group.outputs:
            self._store(n)
        return finished(self, join=self.group.kind == "kernel")

    def _canonical(self, without: object) -> StridedLayout:
        """Numbers the points, all those of a slice together where axes are left out."""
        left = without if isinstance(without, list) else []
        steps = []
        step = 1
        for k, extent in enumerate(self.extents):
            if k in left or extent == 1:
                steps.append(0)
            else:
                steps.append(step)
                step *= extent
        return 0, tuple(steps)

    # -- what is needed where ---------------------------------------------------------------------

    def _demands(self) -> list[tuple[int, StridedLayout, list[StridedLayout]]]:
        """Nodes with the addresses that they are needed at and those of their inputs, in order."""
        wanted = self.roots()
        found = []
        for n in reversed(self.group.nodes):
            node = self.nodes[n]
            if n not in self._own:
                continue
            if node.op.kind == "view" and n in wanted:
                base, inner, own = self.bases[n]
                for address in wanted[n]:
                    at = self._at(address, node.shape, inner)
                    found.append((n, address, [at]))
                    if own and at not in wanted.setdefault(base, []):
                        wanted[base].append(at)
                continue
            for address in wanted.get(n, ()):
                below = []
                for position, i in enumerate(self.sub.inputs[n]):
                    if i < 0 or reads_memory(node, position) or is_fill_part(node, position):
                        below.append(self.none)
                        continue
                    at = address if stores_parts(node) else self._below(node, address, i)
                    below.append(at)
                    if i in self._own and not stores_parts(self.nodes[i]):
                        places = wanted.get(i)
                        if places is None:
                            wanted[i] = [at]
                        elif at not in places:
                            places.append(at)
                found.append((n, address, below))
        found.reverse()
        return found

    def roots(self) -> dict[int, list[StridedLayout]]:
        """Return what is needed for its own sake, and where."""
        return {n: [self.address_of_output(n)] for n in self.group.outputs}

    def address_of_output(self, n: int) -> StridedLayout:
        """Where the points of the space store a node."""
        whole = part_of(self.nodes[n]).size == size_of(self.extents)
        return self.whole if whole else self.slice

    def _below(self, node: Node, address: StridedLayout, i: int) -> StridedLayout:
        """Return the address of an input of a node that is needed at `address`."""
        kind = node.op.kind
        below = self.nodes[i]
        if kind == "reduce":
            return self.whole
        if below.size == node.size or kind == "item":
            return address
        if below.size == 1:
            return self.none
        key = (address, node.shape, below.shape)
        found = self._composed.get(key)
        if found is None:
            inner = (0, expansion(below.shape, node.shape))
            found = self._composed[key] = self._at(address, node.shape, inner)
        return found

    def _at(self, address: StridedLayout, shape: Shape, inner: StridedLayout) -> StridedLayout:
        composed = compose(address, self.extents, shape, inner)
        assert composed is not None, (address, self.extents, shape, inner)
        return composed

    def _bases(self) -> dict[int, tuple[int, StridedLayout, bool]]:
        """Return what each view of the group shows, through further views, and the places there.

        The last tells whether the group computes that; otherwise it is in memory.
        """
        bases: dict[int, tuple[int, StridedLayout, bool]] = {}
        for n in self.group.nodes:
            node = self.nodes[n]
            if node.op.kind != "view":
                continue
            i = self.sub.inputs[n][0]
            address: StridedLayout = self.sub.address(n)
            inner = bases.get(i)
            if inner is None:
                bases[n] = i, address, i in self._own
                continue
            base, below, own = inner
            composed = compose(address, node.shape, self.nodes[i].shape, below)
            # where no strides tell it, the view that it shows was written before
            bases[n] = (i, address, False) if composed is None else (base, composed, own)
        return bases

    # -- code -------------------------------------------------------------------------------------

    def _emit(self, n: int, address: StridedLayout, below: list[StridedLayout]) -> None:
        node = self.nodes[n]
        kind = node.op.kind
        inputs = self.sub.inputs[n]
        if kind in ("map", "reduce", "scan"):
            dtypes, known = signature(node)
            operands = [
                self._param(n, k, dtypes[k], known[k])  # type: ignore[arg-type]
                if i < 0
                else self._value(i, below[k])
                for k, i in enumerate(inputs)
            ]
            fragment = code_of(node).fragment
            assert fragment is not None
            values = self.builder.inline(fragment, operands)
            if node.guarded and node.op.guard is not None:
                self._guard(node.op.guard(*operands))
        elif kind == "view":
            values = [self._value(self.bases[n][0], below[0])]
        elif kind == "item":
            whole = self.values[inputs[0], below[0]]
            values = [whole[node.option("output", 0)]]
        elif kind == "gather":
            values = [self.loaded(inputs[0], self._value(inputs[1], below[1]))]
        elif kind == "cat" and stores_parts(node):
            values = [self._value(i, at) for i, at in zip(inputs, below, strict=True)]
        elif kind == "cat":
            parts = [self._part(n, k) for k in range(len(inputs))]
            shown = node.option("parts")
            if shown is None:
                shown = [(self.nodes[i].shape, *self._dense(i)) for i in inputs]
            values = [joined(self, node, address, parts, shown)]
        elif kind == "update":
            old = self._value(inputs[0], below[0])
            values = [replaced(self, node, address, old, self._part(n, 1))]
        else:
            values = [self._generated(n, node, address)]
        self.values[n, address] = values

    def _part(self, n: int, position: int) -> V | int:
        """Return a part of an array: a value if all elements are equal, else the node's number."""
        i = self.sub.inputs[n][position]
        node = self.nodes[n]
        if i < 0:
            value = node.inputs[position]
            known = "other" if value.__class__ is bool else known_class(value)
            return self._param(n, position, node.dtype, known)
        if is_fill_part(node, position):
            return self._generated(i, self.nodes[i], self.none)
        if self.nodes[i].size == 1 and node.op.kind == "update" and not node.option("part"):
            return self._load(i, self.none)
        return i

    def _dense(self, i: int) -> StridedLayout:
        """Where the elements of a node lie in it."""
        return 0, dense_strides(self.nodes[i].shape)

    def loaded(self, i: int, number: V) -> V:
        """Return the element of a node in memory that has a number, 0 where there is none."""
        if number.dtype not in ("i64", "i32"):
            number = cast(number, "i64")
        view = self.view(self.buffer(i), self.none)
        dtype = self.nodes[i].dtype
        position = self.builder.emit("load", (number.position,), dtype, number.over, view)
        return V(self.builder, position)

    def numbered(self, address: StridedLayout, shape: Shape, inner: StridedLayout) -> V:
        """Return the number that `inner`, over `shape`, gives at the points of `address`."""
        at = self._at(address, shape, inner)
        view = self.view(None, at)
        return V(self.builder, self.builder.emit("index", (), "i64", mask_of(at), view))

    def _generated(self, n: int, node: Node, address: StridedLayout) -> V:
        """Return the elements of a fill, a range or a random array."""
        kind = node.op.kind
        if kind == "fill":
            value = node.inputs[0]
            known = "other" if value.__class__ is bool else known_class(value)
            return self._param(n, 0, node.dtype, known)
        place = self.builder.emit("index", (), "i64", mask_of(address), self.view(None, address))
        if kind == "range":
            start, step = (
                self._param(n, k, node.dtype, known_class(node.inputs[k])) for k in (0, 1)
            )
            return start + cast(V(self.builder, place), node.dtype) * step
        words = [self._param(n, k, "u32", "other").position for k in range(4)]
        drawn = (node.option("distribution"), node.dtype)
        over = mask_of(address)
        number = self.builder.emit("random", (place, *words), node.dtype, over, drawn)
        return V(self.builder, number)

    def _value(self, i: int, address: StridedLayout) -> V:
        """Return the value of an input: computed in the group, or loaded."""
        found = self.values.get((i, address))
        if found is None:
            found = self.values[i, address] = [self._load(i, address)]
        return found[0]

    def _load(self, i: int, address: StridedLayout) -> V:
        dtype = self.nodes[i].dtype
        view = self.view(self.buffer(i), address)
        return V(self.builder, self.builder.emit("load", (), dtype, mask_of(address), view))

    def _param(self, n: int, position: int, dtype: str, known: Known) -> V:
        return self.param_of(ParamRef(n, position, dtype), dtype, known)

    def param_of(self, key: ParamRef, dtype: str, known: Known) -> V:
        """Return a scalar of the launch."""
        found = self.params.get(key)
        if found is None:
            found = self.params[key] = (len(self.params), known)
        return V(self.builder, self.builder.emit("param", (), dtype, 0, found[0]), known)

    def _guard(self, outside: V) -> None:
        self.builder.emit("guard", (outside.position,), "bool", outside.over, min(self.guards, 31))
        self.guards += 1

    def _store(self, n: int) -> None:
        node = self.nodes[n]
        address = self.address_of_output(n)
        buffer = self.buffer(n)
        self.writes.add(buffer)
        places = [address]
        if stores_parts(node):
            shape = node.inputs[0].shape
            places = [self._at(address, shape, inner) for inner in part_places(node)]
        for value, place in zip(self.values[n, address], places, strict=False):
            # a node with several outputs is the first of them
            stored = cast(value, node.dtype)
            place = self._along_scan(place)
            view = self.view(buffer, place)
            self.builder.emit("store", (stored.position,), stored.dtype, mask_of(place), view)

    def _along_scan(self, address: StridedLayout) -> StridedLayout:
        """Return an address of one point as one that moves along the axis of scans."""
        offset, strides = address
        k = self.scanned
        if k is None or self.extents[k] != 1 or strides[k]:
            return address
        return offset, (*strides[:k], 1, *strides[k + 1 :])

    def buffer(self, n: int) -> int:
        """Return the number of a node's buffer."""
        node = self.nodes[n]
        ref = BufferRef(n)
        if node.op.kind == "item" and node.data is None:
            ref = BufferRef(self.sub.inputs[n][0], node.option("output", 0))
        return self.buffer_of(ref, node.dtype)

    def buffer_of(self, ref: BufferRef, dtype: str) -> int:
        """Return the number of an array's buffer."""
        found = self.buffers.get(ref)
        if found is None:
            found = self.buffers[ref] = (len(self.buffers), dtype)
        return found[0]

    def view(self, buffer: int | None, address: StridedLayout) -> int:
        """Return the number of a view."""
        key = (buffer, address)
        found = self.views.get(key)
        if found is None:
            found = self.views[key] = len(self.views)
        return found

    def label(self) -> str:
        """Return the operations, for people."""
        names = [self.nodes[n].op.name for n in self.group.nodes]
        return "+".join(names[:NAMED]) + ("+…" if len(names) > NAMED else "")

    def param_list(self) -> tuple[Param, ...]:
        """Return the kernel's params."""
        return tuple([Param(ref.dtype, known) for ref, (_, known) in self.params.items()])


def mask_of(address: StridedLayout) -> int:
    """Return the axes that an address moves along."""
    mask = 0
    for k, stride in enumerate(address[1]):
        if stride:
            mask |= 1 << k
    return mask
