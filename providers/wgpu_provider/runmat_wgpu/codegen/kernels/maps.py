"""Maps: kernels that compute every point for itself.

A thread takes a few neighbouring points along axis 0 (the lanes), 16 bytes of each array at a time
where memory allows, and then some rows: a row is a point of the other axes. What does not vary
along those is computed once before the rows. Kernels of whole arrays have axis 0 alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import Kernel, Unit
from runmat_wgpu.codegen.kernels.addressing import Space, layout_of, simplify, vector_views
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block, width
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.places import Layout
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Target,
    Template,
)

#: Threads of a workgroup.
THREADS = 256
#: Rows that a thread takes where there are enough of them.
ROWS = 4


@attrs.frozen
class Shape:
    """How the text of a map is laid out: what the shader depends on besides its kernel.

    Attributes:
        lanes: points in a row along axis 0 that a thread computes together.
        across: threads of a workgroup along axis 0; the others take other rows.
    """

    layout: Layout
    lanes: int
    across: int


class MapTemplate:
    """A map; shaders are written as launches need them."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        self.kernel = kernel
        self.target = target
        self._written: dict[tuple[Kernel, Shape], Written] = {}
        self.source = self._ordinary().shader.source

    def _ordinary(self) -> Written:
        """The shader of a launch over whole arrays, of sizes that suit vectors."""
        extents = tuple(1024 for _ in self.kernel.axes)
        views = []
        for view in self.kernel.views:
            strides, step = [], 1
            for k, moves in enumerate(view.moves):
                strides.append(step if moves else 0)
                step *= extents[k] if moves else 1
            views.append(Addressing(0, tuple(strides)))
        return self.written(simplify(self.kernel, extents, tuple(views)))

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """The dispatches of a launch."""
        if 0 in extents:
            return Prepared(())
        space = simplify(self.kernel, extents, views)
        parts = list(pieces(space, self.target))
        dispatches = [self._dispatch(part, len(parts) > 1) for part in parts]
        reads, writes = traffic(space)
        return Prepared(tuple(dispatches), reads=reads, writes=writes)

    def written(self, space: Space) -> Written:
        """The shader for a space."""
        shape = choose(space, self.target)
        key = (space.kernel, shape)
        if key not in self._written:
            self._written[key] = write(space.kernel, self.target, shape)
        return self._written[key]

    def _dispatch(self, space: Space, windowed: bool) -> Dispatch:
        shape = choose(space, self.target)
        written = self.written(space)
        across = -(-space.extents[0] // shape.lanes)
        rows = prod(space.extents[1:])
        columns = -(-across // shape.across)
        if rows == 1:
            grid = (min(columns, self.target.groups), 1, 1)
            grid = (grid[0], -(-columns // grid[0]), 1)
        else:
            down = -(-rows // (THREADS // shape.across))
            grid = (columns, min(-(-down // ROWS), self.target.groups), 1)
        return bound(written, space, grid, {"wide": grid[0] * shape.across}, self.target, windowed)


def template(unit: Unit, target: Target) -> Template:
    """Generate a map.

    Raises:
        DeclinedError: the target lacks a type or an operation, or binds too few arrays.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    return MapTemplate(unit, target)


def choose(space: Space, target: Target) -> Shape:
    """The layout of the shader for a launch."""
    kernel = space.kernel
    widths = {k: width(b.dtype) for k, b in enumerate(kernel.buffers)}
    vectors = vector_views(space, widths)
    stored = {int(i.attr) for i in kernel.code if i.op == "store"}  # type: ignore[call-overload]
    lanes = 1
    if stored and stored <= vectors and space.extents[0] >= 4:
        lanes = max(widths[kernel.views[v].buffer or 0] for v in vectors)
    if lanes == 1:
        vectors = frozenset()
    across, wanted = 1, -(-space.extents[0] // lanes)
    rows = prod(space.extents[1:])
    while across < THREADS and (across < wanted or rows == 1):
        across *= 2
    return Shape(layout_of(space, lanes, vectors), lanes, across)


def write(kernel: Kernel, target: Target, shape: Shape) -> Written:
    """The shader of a layout."""
    # a buffer is bound as vectors where all that reads or writes it takes vectors
    used = {v for v, view in enumerate(kernel.views) if view.buffer is not None}
    scalar = {kernel.views[v].buffer for v in used - shape.layout.vectors}
    vectors = {b for v in shape.layout.vectors if (b := kernel.views[v].buffer) not in scalar}
    layout = attrs.evolve(
        shape.layout,
        vectors=frozenset(v for v in shape.layout.vectors if kernel.views[v].buffer in vectors),
    )
    draft = Draft(kernel, target, [b for b in vectors if b is not None])
    wide = draft.words.field("wide")
    lines = [f"let i0 = (gid.x + gid.y * {wide}) * {shape.lanes}u;"]
    down = THREADS // shape.across
    rank = len(kernel.axes)
    if rank > 1:
        lines = [f"let i0 = gid.x * {shape.lanes}u;"]
    lines.append(f"if (i0 >= {draft.words.extent(0)}) {{ return; }}")
    valid = None
    if shape.lanes > 1:
        lines.append(f"let valid = {draft.words.extent(0)} - i0;")
        valid = "valid"
    coords = ("i0", *(f"i{k}" for k in range(1, rank)))
    body = Body(draft, coords, layout, shape.lanes, valid=valid)
    wanted = stores(kernel.code)
    if rank == 1:
        body.emit(wanted)
    else:
        _rows(body, wanted, rank)
    lines = ["let gid = global_invocation_id;", *lines, *body.lines]
    builtins = ["global_invocation_id", *(["num_workgroups"] if rank > 1 else [])]
    if rank > 1:
        lines.insert(1, f"let step = num_workgroups.y * {down}u;")
    return draft.finish(lines, (shape.across, down) if down > 1 else (THREADS,), builtins)


def _rows(body: Body, wanted: list[int], rank: int) -> None:
    """The loop over a thread's rows, after what is the same in all of them."""
    draft = body.draft
    still = [k for k in body.needed(wanted) if not body.code[k].over & ~1]
    body.emit([k for k in still if body.code[k].op not in ("store", "guard")])
    count = " * ".join(draft.words.extent(k) for k in range(1, rank))
    body.lines.append(f"let rows = {count};")
    inner = body.inside()
    rest = "row"
    for k in range(1, rank - 1):
        extent = draft.words.extent(k)
        inner.lines.append(f"let i{k} = {rest} % {extent};")
        inner.lines.append(f"let rest{k} = {rest} / {extent};")
        rest = f"rest{k}"
    inner.lines.append(f"let i{rank - 1} = {rest};")
    inner.emit(wanted)
    body.lines += block("for (var row = gid.y; row < rows; row += step)", inner.lines)


def bound(
    written: Written,
    space: Space,
    grid: tuple[int, int, int],
    others: dict[str, int | float],
    target: Target,
    windowed: bool = False,
) -> Dispatch:
    """A dispatch over a space, its arrays bound whole or as windows.

    Args:
        windowed: bind of each array only what the space's views reach.
    """
    binds, views = list(written.binds), list(space.views)
    if windowed:
        for n, bind in enumerate(binds):
            if bind.source == "slot":
                binds[n] = window(bind, space, views, target)
    # what was decided by an offset must be decided again when it moves
    offsets = () if windowed else written.words.offsets
    return Dispatch(
        written.shader,
        grid,
        tuple(binds),
        written.words.pack(space.extents, views, others),
        written.words.params,
        offsets,
        written.words.counts,
    )


def window(bind: Bind, space: Space, views: list[Addressing], target: Target) -> Bind:
    """A binding of what the views of a buffer reach; `views` are made relative to it."""
    kernel = space.kernel
    mine = [v for v, view in enumerate(kernel.views) if view.buffer == bind.index]
    gathered = {i.attr for i in kernel.code if i.op == "load" and i.args}
    if not mine or gathered & {*mine}:
        return bind
    size = STORED_BYTES[kernel.buffers[bind.index].dtype]
    low = min(space.span(v)[0] for v in mine) * size // target.alignment * target.alignment
    high = (max(space.span(v)[1] for v in mine) + 1) * size
    for v in mine:
        views[v] = attrs.evolve(views[v], offset=views[v].offset - low // size)
    return Bind("slot", bind.index, low, -(-(high - low) // 16) * 16)


def pieces(space: Space, target: Target) -> Iterator[Space]:
    """Parts of a space whose arrays can be bound: the whole, or windows of it.

    Raises:
        DeviceFault: a single point reaches too far.
    """
    far = [v for v, view in enumerate(space.kernel.views) if view.buffer is not None]
    limit = target.binding_bytes
    for v in far:
        size = STORED_BYTES[space.kernel.buffers[space.kernel.views[v].buffer or 0].dtype]
        if (space.span(v)[1] + 1) * size > limit:
            break
    else:
        yield space
        return
    yield from _halves(space, target)


def _halves(space: Space, target: Target) -> Iterator[Space]:
    worst: tuple[int, int] | None = None
    kernel = space.kernel
    for buffer in range(len(kernel.buffers)):
        mine = [v for v, view in enumerate(kernel.views) if view.buffer == buffer]
        if not mine:
            continue
        low = min(space.span(v)[0] for v in mine)
        high = max(space.span(v)[1] for v in mine)
        bytes_ = (high - low + 1) * STORED_BYTES[kernel.buffers[buffer].dtype] + target.alignment
        if bytes_ > target.binding_bytes and (worst is None or bytes_ > worst[0]):
            worst = bytes_, buffer
    if worst is None:
        yield space
        return
    mine = [v for v, view in enumerate(kernel.views) if view.buffer == worst[1]]
    axis = max(
        range(len(space.extents)),
        key=lambda k: max(abs(space.views[v].strides[k]) * (space.extents[k] - 1) for v in mine),
    )
    extent = space.extents[axis]
    if extent < 2:
        raise DeviceFault("An array is too large for this device to address in one kernel.")
    unit = 1024 if extent > 2048 else 1
    half = extent // 2 // unit * unit
    yield from _halves(space.part(axis, 0, half), target)
    yield from _halves(space.part(axis, half, extent - half), target)


def traffic(space: Space) -> tuple[int, int]:
    """Bytes that a launch reads and writes, each element of a view once."""
    moved = {"read": 0, "write": 0}
    for view, where in zip(space.kernel.views, space.views, strict=True):
        if view.buffer is not None:
            buffer = space.kernel.buffers[view.buffer]
            moving = (e for e, s in zip(space.extents, where.strides, strict=True) if s)
            moved[buffer.access] += prod(moving) * STORED_BYTES[buffer.dtype]
    return moved["read"], moved["write"]
