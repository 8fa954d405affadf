"""Maps whose arrays lie differently in memory, such as ``x'`` and ``x + y'``.

A workgroup takes a square tile of axis 0, along which results are close in memory, and of the axis
along which the *crossed* operands are. It first brings the tile of each crossed operand into
workgroup memory, reading along that operand's own axis, and then computes the points of the tile
along axis 0. Rows of the tile are a word longer than the tile, so that columns of it lie in
different banks of the memory.
"""

from __future__ import annotations

from math import prod

import attrs

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.addressing import (
    Space,
    layout_of,
    vector_buffers,
    vector_views,
)
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block, width
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.places import Layout
from runmat_wgpu.codegen.shader import STORAGE, STORED_BYTES, Target

#: Threads of a workgroup.
THREADS = 256
#: Points along a tile's sides. Of 64 a side, an H200 has too few workgroups in flight to hide the
#: wait between the halves of their work: 2.2 TB/s against 3.7.
SIDE = 32
#: Extents below which caches do as well.
LEAST = 16


@attrs.frozen
class Tiling:
    """How a space is tiled.

    Attributes:
        axis: the other axis of the tile.
        lanes: points in a row that a thread computes together.
        crossed: views of the crossed operands.
    """

    layout: Layout
    axis: int
    lanes: int
    crossed: tuple[int, ...]


def tiling(space: Space, target: Target) -> Tiling | None:
    """How to tile a space; None where that does not pay or is not possible."""
    kernel, extents = space.kernel, space.extents
    stored = [int(i.attr) for i in kernel.code if i.op == "store"]  # type: ignore[call-overload]
    if target.software or len(extents) < 2 or extents[0] < LEAST or not stored:
        return None
    if any(space.views[v].strides[0] != 1 for v in stored):
        return None
    loads = {int(i.attr) for i in kernel.code if i.op == "load" and not i.args}  # type: ignore[call-overload]
    for axis in range(1, len(extents)):
        crossed = tuple(v for v in sorted(loads) if _crossed(space, v, axis))
        if crossed and extents[axis] >= LEAST:
            break
    else:
        return None
    sizes = [STORED_BYTES[kernel.buffers[kernel.views[v].buffer or 0].dtype] for v in crossed]
    tiles = [-(-extents[0] // SIDE), -(-extents[axis] // SIDE), 1]
    tiles[2] = prod(extents) // (extents[0] * extents[axis])
    if SIDE * (SIDE + 1) * sum(sizes) > target.workgroup_bytes or max(tiles) > target.groups:
        return None
    widths = {k: width(b.dtype) for k, b in enumerate(kernel.buffers)}
    vectors = (vector_views(space, widths) - {*crossed}) | (
        vector_views(space, widths, axis) & {*crossed}
    )
    lanes = max((widths[kernel.views[v].buffer or 0] for v in vectors), default=1)
    return Tiling(layout_of(space, lanes, vectors), axis, lanes, crossed)


def _crossed(space: Space, view: int, axis: int) -> bool:
    strides = space.views[view].strides
    return strides[axis] == 1 and abs(strides[0]) > 1


def grid_of(space: Space, how: Tiling) -> tuple[int, int, int]:
    """Workgroups: one for each tile."""
    rest = prod(space.extents) // (space.extents[0] * space.extents[how.axis])
    return -(-space.extents[0] // SIDE), -(-space.extents[how.axis] // SIDE), rest


def write(kernel: Kernel, target: Target, how: Tiling) -> Written:
    """Return the shader of a tiling."""
    buffers, layout = vector_buffers(kernel, how.layout)
    draft = Draft(kernel, target, buffers)
    others = [k for k in range(1, len(kernel.axes)) if k != how.axis]
    lines = [
        "let group = workgroup_id;",
        f"let first0 = group.x * {SIDE}u;",
        f"let first{how.axis} = group.y * {SIDE}u;",
        *_others(draft, others),
    ]
    tiles = {}
    for view in how.crossed:
        dtype = kernel.buffers[kernel.views[view].buffer or 0].dtype
        cells = SIDE * (SIDE + 1)
        tiles[view] = draft.shared(f"tile{view}", f"array<{STORAGE[dtype]}, {cells}>")
    coords = tuple(f"i{k}" for k in range(len(kernel.axes)))
    outer = Body(draft, coords, layout)
    lines += _fill(outer, how, tiles)
    lines.append("workgroupBarrier();")
    lines += _compute(outer, how, tiles)
    return draft.finish(lines, (THREADS,), ("workgroup_id", "local_invocation_index"))


def _others(draft: Draft, axes: list[int]) -> list[str]:
    """Return the coordinates that are the same for a whole tile."""
    lines, rest = [], "group.z"
    for k in axes[:-1]:
        extent = draft.words.extent(k)
        lines += [f"let i{k} = {rest} % {extent};", f"let rest{k} = {rest} / {extent};"]
        rest = f"rest{k}"
    return [*lines, *(f"let i{k} = {rest};" for k in axes[-1:])]


def _walk(draft: Draft, how: Tiling, along: int, lines: list[str]) -> list[str]:
    """Return the threads over a tile: a few points along one of its axes for each turn of each."""
    across = how.axis if along == 0 else 0
    per_line = SIDE // how.lanes
    head = [
        f"let near = (turn % {per_line}u) * {how.lanes}u;",
        f"let far = turn / {per_line}u;",
        f"let i{along} = first{along} + near;",
        f"let i{across} = first{across} + far;",
    ]
    words = draft.words
    inside = f"if (i0 < {words.extent(0)} && i{how.axis} < {words.extent(how.axis)})"
    turns = SIDE * per_line
    loop = f"for (var turn = local_invocation_index; turn < {turns}u; turn += {THREADS}u)"
    return block(loop, [*head, *block(inside, lines)])


def _fill(outer: Body, how: Tiling, tiles: dict[int, str]) -> list[str]:
    """Bring the crossed operands' tiles into workgroup memory."""
    draft = outer.draft
    body = outer.inside(lanes=how.lanes, axis=how.axis)
    for k, instr in enumerate(body.code):
        view = instr.attr
        if instr.op != "load" or instr.args or view not in tiles:
            continue
        body.emit([k])
        for j in range(how.lanes):
            word = draft.scalars.store(body.lane(k, j), instr.dtype)
            cell = f"(near + {j}u) * {SIDE + 1}u + far"
            body.lines.append(f"{tiles[view]}[{cell}] = {word};")
    return _walk(draft, how, how.axis, body.lines)


def _compute(outer: Body, how: Tiling, tiles: dict[int, str]) -> list[str]:
    """Return the points of the tile."""
    draft = outer.draft
    valid = f"({draft.words.extent(0)} - i0)" if how.lanes > 1 else None
    body = outer.inside(lanes=how.lanes, valid=valid)
    for k, instr in enumerate(body.code):
        view = instr.attr
        if instr.op == "load" and not instr.args and view in tiles:
            cells = (f"far * {SIDE + 1}u + near + {j}u" for j in range(how.lanes))
            words = (f"{tiles[view]}[{cell}]" for cell in cells)
            body.give(k, [body.let(draft.scalars.load(w, instr.dtype), "c") for w in words])
    body.emit(stores(body.code))
    return _walk(draft, how, 0, body.lines)
