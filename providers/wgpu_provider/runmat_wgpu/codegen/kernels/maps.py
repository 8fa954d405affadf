"""Maps: kernels that compute every point for itself.

A thread takes a few neighbouring points along axis 0 (the lanes), 16 bytes of each array at a time
where memory allows, and then some rows: a row is a point of the other axes. What does not vary
along those is computed once before the rows. Kernels of whole arrays have axis 0 alone.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Kernel, Unit
from runmat_wgpu.codegen.kernels import transposes
from runmat_wgpu.codegen.kernels.addressing import (
    Space,
    layout_of,
    simplify,
    vector_buffers,
    vector_views,
)
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block, width
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.places import Layout
from runmat_wgpu.codegen.kernels.transposes import Tiling, grid_of, tiling
from runmat_wgpu.codegen.kernels.windows import bound, pieces, strips, traffic
from runmat_wgpu.codegen.shader import DeclinedError, Dispatch, Prepared, Target

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
        self._written: dict[tuple[Kernel, Shape | Tiling], Written] = {}

    @cached_property
    def source(self) -> str:
        """See `Template.source`."""
        return self.written(simplify(self.kernel, *ordinary(self.kernel))).shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a launch."""
        if 0 in extents:
            return Prepared(())
        space = simplify(self.kernel, extents, views)
        most = self.target.groups * THREADS if len(space.extents) > 1 else space.extents[0]
        parts = [p for strip in strips(space, most) for p in pieces(strip, self.target)]
        dispatches = [self._dispatch(part) for part in parts]
        reads, writes = traffic(space)
        return Prepared(tuple(dispatches), reads=reads, writes=writes)

    def written(self, space: Space) -> Written:
        """Return the shader for a space."""
        shape = choose(space, self.target)
        key = (space.kernel, shape)
        if key not in self._written:
            self._written[key] = write(space.kernel, self.target, shape)
        return self._written[key]

    def _tiled(self, kernel: Kernel, how: Tiling) -> Written:
        key = (kernel, how)
        if key not in self._written:
            self._written[key] = transposes.write(kernel, self.target, how)
        return self._written[key]

    def _dispatch(self, space: Space) -> Dispatch:
        how = tiling(space, self.target)
        if how is not None:
            tiled = self._tiled(space.kernel, how)
            return bound(tiled, space, grid_of(space, how), {}, self.target)
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
        return bound(written, space, grid, {"wide": grid[0] * shape.across}, self.target)


def template(unit: Unit, target: Target) -> MapTemplate:
    """Generate a map.

    Raises:
        DeclinedError: the target lacks a type or an operation, or binds too few arrays.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    return MapTemplate(unit, target)


def ordinary(kernel: Kernel, extent: int = 1024) -> tuple[tuple[int, ...], tuple[Addressing, ...]]:
    """Extents and addressing of a launch over whole arrays, of sizes that suit vectors."""
    extents = tuple(extent for _ in kernel.axes)
    views = []
    for view in kernel.views:
        steps = [prod(extents[j] for j in range(k) if view.moves[j]) for k in range(len(extents))]
        strides = (s if m else 0 for s, m in zip(steps, view.moves, strict=True))
        views.append(Addressing(0, tuple(strides)))
    return extents, tuple(views)


def choose(space: Space, target: Target) -> Shape:
    """Return the layout of the shader for a launch."""
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


def head(draft: Draft, shape: Shape, flat: bool) -> list[str]:
    """Return the coordinate ``i0`` of a thread's first point, and the threads beyond the axis gone.

    Args:
        flat: whether axis 0 is the only one that the grid covers, in two dimensions if need be.
    """
    extent = draft.words.extent(0)
    column = f"(gid.x + gid.y * {draft.words.field('wide')})" if flat else "gid.x"
    lines = [
        "let gid = global_invocation_id;",
        f"let i0 = {column}" + (f" * {shape.lanes}u;" if shape.lanes > 1 else ";"),
        f"if (i0 >= {extent}) {{ return; }}",
    ]
    return [*lines, f"let valid = {extent} - i0;"] if shape.lanes > 1 else lines


def rows_of(draft: Draft, rank: int) -> str:
    """Return the number of rows: of points of the axes 1 to `rank` - 1."""
    return " * ".join(draft.words.extent(k) for k in range(1, rank))


def coordinates(draft: Draft, rank: int) -> list[str]:
    """Return the coordinates ``i1`` … of the row ``row``."""
    lines, rest = [], "row"
    for k in range(1, rank - 1):
        extent = draft.words.extent(k)
        lines += [f"let i{k} = {rest} % {extent};", f"let rest{k} = {rest} / {extent};"]
        rest = f"rest{k}"
    return [*lines, f"let i{rank - 1} = {rest};"]


def write(kernel: Kernel, target: Target, shape: Shape) -> Written:
    """Return the shader of a layout."""
    buffers, layout = vector_buffers(kernel, shape.layout)
    draft = Draft(kernel, target, buffers)
    rank = len(kernel.axes)
    lines = head(draft, shape, rank == 1)
    coords = ("i0", *(f"i{k}" for k in range(1, rank)))
    valid = "valid" if shape.lanes > 1 else None
    body = Body(draft, coords, layout, shape.lanes, valid=valid)
    wanted = stores(kernel.code)
    down = THREADS // shape.across
    if rank == 1:
        body.emit(wanted)
        return draft.finish([*lines, *body.lines], (THREADS,))
    _rows(body, wanted, rank, down)
    builtins = ["global_invocation_id", "num_workgroups"]
    return draft.finish([*lines, *body.lines], (shape.across, down), builtins)


def _rows(body: Body, wanted: list[int], rank: int, down: int) -> None:
    """Return the loop over a thread's rows, after what is the same in all of them."""
    draft = body.draft
    still = [k for k in body.needed(wanted) if not body.code[k].over & ~1]
    body.emit([k for k in still if body.code[k].op not in ("store", "guard")])
    body.lines.append(f"let rows = {rows_of(draft, rank)};")
    body.lines.append(f"let step = num_workgroups.y * {down}u;")
    inner = body.inside()
    inner.lines += coordinates(draft, rank)
    inner.emit(wanted)
    body.lines += block("for (var row = gid.y; row < rows; row += step)", inner.lines)
