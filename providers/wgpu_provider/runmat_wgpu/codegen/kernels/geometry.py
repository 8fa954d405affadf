"""How the points of a reduction are laid out on threads.

A workgroup is `Tile.across` columns (slices that stay) by `Tile.rows` threads that share the points
of a slice among them. The *lanes* of a thread are neighbours along axis 0 of the space, which is
arranged to be the axis that memory is fastest along: either one of the reduced axes (`along`: lanes
belong to one slice) or a parallel one (each lane is a slice of its own).

All of it depends on sizes and strides alone, and so does the order in which states are joined.
"""

from __future__ import annotations

from math import prod

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.addressing import Space, layout_of, rewritten, vector_views
from runmat_wgpu.codegen.kernels.costs import operations
from runmat_wgpu.codegen.kernels.draft import width
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.places import Layout
from runmat_wgpu.codegen.shader import Target

#: Threads of a workgroup.
THREADS = 256
#: Points that a thread takes at a time, where code is short.
BATCH = 16
#: Workgroups that keep a large device busy.
GROUPS = 4096
#: Fewest batches of a thread before a slice is cut for the sake of more workgroups.
BATCHES = 4
#: Most batches of a thread: rounding errors of what it adds up grow with them.
RUN = 64
#: Simple operations of a loop's body above which unrolling costs more than it hides: functions are
#: long, and what does not fit into the cache of instructions is fetched again in every turn.
LONG_CODE = 320


@attrs.frozen
class Tile:
    """What the text of a pass depends on, besides the kernel.

    Attributes:
        lanes: neighbours along axis 0 that a thread computes together.
        along: whether axis 0 is reduced.
        across: columns (of lanes, where they are columns) of a workgroup.
        rows: threads for each of these, a power of two.
        unroll: batches of lanes that a thread computes at once.
        ordered: whether threads take runs of neighbours, because states may not change places.
        exact: whether the lanes divide the extent of axis 0.
        fits: whether slices have exactly `rows` times `unroll` batches, which threads keep.
        reverse: whether points of a slice are numbered from its end.
    """

    layout: Layout
    lanes: int
    along: bool
    across: int
    rows: int
    unroll: int
    ordered: bool
    exact: bool
    fits: bool = False
    reverse: bool = False

    @property
    def threads(self) -> int:
        return self.across * self.rows

    @property
    def columns(self) -> int:
        """Slices that a thread has states of."""
        return 1 if self.along else self.lanes


@attrs.frozen
class Counts:
    """Sizes of a launch in units of its tile.

    Attributes:
        fast: batches of lanes along axis 0.
        units: of columns; each is `Tile.columns` slices.
        steps: batches of a slice.
        full: batches whose lanes are all inside.
        splits: parts that a slice is cut into.
    """

    fast: int
    units: int
    steps: int
    full: int
    splits: int

    @property
    def length(self) -> int:
        """Batches of a part."""
        return -(-self.steps // self.splits)


def slice_axes(kernel: Kernel) -> tuple[int, ...]:
    """Return the axes that slices extend along: the reduced ones, or the scanned one."""
    return kernel.axes_of("reduce") or kernel.axes_of("scan")


def keeps_order(kernel: Kernel) -> bool:
    """Whether elements are told their number, or must be joined in order."""
    reducers = [reducer_of(i) for i in kernel.code if i.op in ("reduce", "scan")]
    number = [
        any(len(r.map.inputs) - 1 in (*i.args,) for i in r.map.code)
        or len(r.map.inputs) - 1 in r.map.outputs
        for r in reducers
    ]
    return any(number) or not all(r.commutative for r in reducers)


def arrange(kernel: Kernel, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Space:
    """Return the same points over as few axes as there can be, the fastest in memory first.

    Axes of extent 1 go, neighbours that no view tells apart become one. Reduced axes keep their
    order where it matters.
    """
    free = not keeps_order(kernel)
    seen = [
        w.strides
        for w, v in zip(views, kernel.views, strict=True)
        if any(m and e > 1 for m, e in zip(v.moves, extents, strict=True))
    ]

    def step(k: int) -> tuple[int, int]:
        steps = [abs(s[k]) for s in seen if s[k]]
        return (min(steps), k) if steps else (1 << 62, k)

    parallel = sorted((k for k in kernel.axes_of("parallel") if extents[k] != 1), key=step)
    reduce = [k for k in kernel.axes_of("reduce") if extents[k] != 1]
    reduce += kernel.axes_of("scan")
    if free:
        reduce.sort(key=step)
    first, then = _merged(parallel, extents, views), _merged(reduce, extents, views)
    if then and (not first or step(then[0][0]) < step(first[0][0])):
        first, then = then, first
    groups: tuple[tuple[int, ...], ...] = tuple(first + then) or ((),)
    groups += tuple((k,) for k in kernel.axes_of("serial"))
    strides = [tuple(w.strides[g[0]] if g else 0 for g in groups) for w in views]
    return Space(
        rewritten(kernel, groups, tuple(tuple(s != 0 for s in each) for each in strides)),
        tuple(prod(extents[k] for k in g) for g in groups),
        tuple(Addressing(w.offset, s) for w, s in zip(views, strides, strict=True)),
    )


def _merged(
    axes: list[int], extents: tuple[int, ...], views: tuple[Addressing, ...]
) -> list[tuple[int, ...]]:
    groups: list[tuple[int, ...]] = []
    for k in axes:
        if groups:
            length = prod(extents[j] for j in groups[-1])
            if all(w.strides[k] == w.strides[groups[-1][0]] * length for w in views):
                groups[-1] += (k,)
                continue
        groups.append((k,))
    return groups


def lanes_of(space: Space) -> tuple[int, frozenset[int]]:
    """Lanes that suit a launch, and the views that are read and written as vectors."""
    kernel, extent = space.kernel, space.extents[0]
    widths = {k: width(b.dtype) for k, b in enumerate(kernel.buffers)}
    vectors = vector_views(space, widths)
    drawn = any(i.op == "random" for i in kernel.code)
    others = [k for k in kernel.axes_of(kernel.axes[0].kind) if k and space.extents[k] > 1]
    wide = max((widths[kernel.views[v].buffer or 0] for v in vectors), default=1)
    lanes = 4 if drawn else wide
    if extent < lanes or (extent % lanes and (others or kernel.axes[0].kind != "parallel")):
        # lanes beyond the end are dealt with where they can only be the very last
        lanes = lanes if extent >= 4 * lanes and not others else 1
    return (lanes, vectors) if lanes > 1 else (1, frozenset())


def tile_of(space: Space, target: Target, levels: Levels, state_bytes: int) -> Tile:
    """Return the tile of the passes of a launch.

    Args:
        state_bytes: of all states of one slice.
    """
    kernel = space.kernel
    lanes, vectors = lanes_of(space)
    along = kernel.axes[0].kind != "parallel"
    ordered = any(
        not (r := reducer_of(i)).commutative and r.name not in ("argmin", "argmax")
        for i in kernel.code
        if i.op == "reduce"
    )
    unroll = 1 if target.software else unrolled(kernel, lanes)
    counts = sizes(space, lanes, along)
    columns = 1 if along else lanes
    threads = min(THREADS, target.invocations)
    while threads > 32 and threads * columns * state_bytes > target.workgroup_bytes:
        threads //= 2
    if along:
        rows = min(power(-(-counts.steps // unroll)), threads)
        if counts.units < 64 * threads // rows:
            rows = threads if counts.steps > threads else min(power(counts.steps), threads)
    else:
        across = min(power(counts.units), threads)
        # rows share what few columns leave idle; many columns keep to themselves
        if counts.units >= 16 * threads and counts.steps <= RUN * unroll:
            across = threads
        elif across > 32 and counts.steps > 8:
            across = 32
        rows = threads // across
    return Tile(
        layout_of(space, lanes, vectors),
        lanes,
        along,
        max(threads // rows, 1),
        rows,
        unroll,
        ordered,
        space.extents[0] % lanes == 0,
    )


def unrolled(kernel: Kernel, lanes: int) -> int:
    """Batches of lanes that a thread computes at once: as many as hide the wait for memory."""
    if any(i.op == "random" or (i.op == "load" and i.args) for i in kernel.code):
        return 1
    mask = sum(1 << k for k in slice_axes(kernel))
    each = sum(
        len(reducer_of(i).init) if i.op in ("reduce", "scan") else operations(i)
        for i in kernel.code
        if i.over & mask or i.op == "reduce"
    )
    affordable = LONG_CODE // max(each * lanes, 1)
    return max(min(BATCH // lanes, power(affordable + 1) // 2), 1)


def sizes(space: Space, lanes: int, along: bool, splits: int = 1) -> Counts:
    """Return the sizes of a launch for some lanes."""
    kernel, extents = space.kernel, space.extents
    fast = -(-extents[0] // lanes)
    stay = prod(extents[k] for k in kernel.axes_of("parallel") if k)
    away = prod(extents[k] for k in slice_axes(kernel) if k or not along)
    if along:
        return Counts(fast, stay, fast * away, extents[0] // lanes * away, splits)
    fast = fast if kernel.axes[0].kind == "parallel" else 1
    return Counts(fast, fast * stay, away, away, splits)


def splits_of(counts: Counts, tile: Tile) -> int:
    """Into how many parts slices are cut, so that enough workgroups have enough to do."""
    batch = tile.rows * tile.unroll
    batches = -(-counts.steps // batch)
    tiles = -(-counts.units // tile.across)
    wanted = max(-(-batches // RUN), min(GROUPS // tiles, batches // BATCHES))
    if wanted <= 1:
        return 1
    length = -(-batches // wanted) * batch
    return -(-counts.steps // length)


def usual(kernel: Kernel) -> int:
    """Return an extent of all axes that makes a launch of ordinary size."""
    each = int(65536 ** (1 / max(len(kernel.axes), 1)))
    return min(max(each // 4 * 4, 4), 1024)


def power(n: int) -> int:
    """Return the least power of two that is not below n."""
    return 1 << max(n - 1, 0).bit_length()
