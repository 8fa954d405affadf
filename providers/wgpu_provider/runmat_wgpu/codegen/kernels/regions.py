"""Dispatches over the slices of a launch, in several where arrays are too large to be bound whole.

Groups of a dispatch are numbered by tile (columns) and part (of slices). Where an array does not
fit into a binding, ranges of tiles and parts become dispatches of their own, bound to windows of
what they reach; everything in them is numbered as in the whole, so that results are the same.
"""

from __future__ import annotations

from collections.abc import Collection

import attrs

from runmat_core.api.device import DeviceFault
from runmat_wgpu.codegen.kernels.addressing import Space
from runmat_wgpu.codegen.kernels.draft import Written
from runmat_wgpu.codegen.kernels.geometry import Counts, Tile, slice_axes
from runmat_wgpu.codegen.kernels.windows import bound, window
from runmat_wgpu.codegen.shader import STORED_BYTES, Dispatch, Target

Range = tuple[int, int]


@attrs.frozen
class Walk:
    """How the groups of a dispatch go over a space.

    Attributes:
        tiles: of columns.
        across: units of columns of a tile.
        parts: of slices.
        length: steps of a part.
    """

    space: Space
    tile: Tile
    counts: Counts
    tiles: int
    across: int
    parts: int = 1
    length: int = 1 << 62

    def region(self, tiles: Range, parts: Range) -> Space:
        """Return the points, and some around them, that ranges of tiles and parts stand for."""
        units = tiles[0] * self.across, min(tiles[1] * self.across, self.counts.units)
        steps = parts[0] * self.length, min(parts[1] * self.length, self.counts.steps)
        if self.tile.reverse:
            steps = self.counts.steps - steps[1], self.counts.steps - steps[0]
        kernel = self.space.kernel
        found = _cut(self.space, kernel.axes_of("parallel"), units, self.counts.units, self.tile)
        return _cut(found, slice_axes(kernel), steps, self.counts.steps, self.tile)

    def reach(self, tiles: Range, parts: Range, buffers: Collection[int] | None = None) -> int:
        """Bytes of the largest window that such ranges need, of these buffers or all."""
        region = self.region(tiles, parts)
        most = 0
        for number, buffer in enumerate(region.kernel.buffers):
            if buffers is None or number in buffers:
                views = enumerate(region.kernel.views)
                spans = [region.span(v) for v, view in views if view.buffer == number]
                if spans:
                    low, high = min(s[0] for s in spans), max(s[1] for s in spans)
                    most = max(most, (high - low + 1) * STORED_BYTES[buffer.dtype])
        return most

    def fits(
        self,
        target: Target,
        tiles: Range = (0, 1),
        parts: Range = (0, 1),
        buffers: Collection[int] | None = None,
    ) -> bool:
        """Whether windows of such ranges can be bound."""
        return self.reach(tiles, parts, buffers) + target.alignment <= target.binding_bytes


def _cut(space: Space, axes: tuple[int, ...], part: Range, count: int, tile: Tile) -> Space:
    """Return the space between two of `count` numbers of points, the last one cut."""
    if not axes or part == (0, count):
        return space
    axis = axes[-1]
    extent = space.extents[axis]
    lanes = tile.lanes if axis == 0 else 1
    within = max(count // -(-extent // lanes), 1)
    first = part[0] // within * lanes
    return space.part(axis, first, min(-(-part[1] // within) * lanes, extent) - first)


def whole_fits(space: Space, target: Target) -> bool:
    """Whether all arrays can be bound as they are."""
    if 0 in space.extents:
        return True
    return all(
        view.buffer is None
        or (space.span(v)[1] + 1) * STORED_BYTES[space.kernel.buffers[view.buffer].dtype]
        <= target.binding_bytes
        for v, view in enumerate(space.kernel.views)
    )


def near(space: Space, tile: Tile) -> Tile:
    """Return the tile for windows, whose columns are neighbours in memory."""
    if space.kernel.axes[0].kind != "parallel":
        return attrs.evolve(tile, across=1)
    if len(space.kernel.axes_of("parallel")) == 1:
        return tile
    fast = -(-space.extents[0] // tile.lanes)
    return attrs.evolve(tile, across=min(tile.across, fast & -fast))


def dispatches(
    written: Written, walk: Walk, others: dict[str, int | float], target: Target
) -> list[Dispatch]:
    """Return the dispatches of a walk, in order.

    Raises:
        DeviceFault: a single group reaches too far.
    """
    if whole_fits(walk.space, target):
        words = {**others, "tiles": walk.tiles, "tile0": 0, "part0": 0}
        grid = target.grid(walk.tiles * walk.parts)
        return [bound(written, walk.space, grid, words, target)]
    buffers = {bind.index for bind in written.binds if bind.source == "slot"}
    found: list[Dispatch] = []
    stack: list[tuple[Range, Range]] = [((0, walk.tiles), (0, walk.parts))]
    while stack:
        tiles, parts = stack.pop()
        if walk.fits(target, tiles, parts, buffers):
            found.append(_window(written, walk, tiles, parts, others, target))
            continue
        halves = [(half, parts) for half in _halves(tiles)]
        apart = [(tiles, half) for half in _halves(parts)]
        # whichever brings elements closer together
        options = [h for h in (halves, apart) if len(h) == 2]
        if not options:
            raise DeviceFault("An array is too large for this device to address in one kernel.")
        best = min(options, key=lambda h: walk.reach(h[0][0], h[0][1], buffers))
        stack += best[::-1]
    return found


def _halves(part: Range) -> list[Range]:
    middle = (part[0] + part[1]) // 2
    return [part] if middle == part[0] else [(part[0], middle), (middle, part[1])]


def _window(
    written: Written,
    walk: Walk,
    tiles: Range,
    parts: Range,
    others: dict[str, int | float],
    target: Target,
) -> Dispatch:
    region = walk.region(tiles, parts)
    binds, views = list(written.binds), list(walk.space.views)
    for n, bind in enumerate(binds):
        if bind.source == "slot":
            binds[n] = window(bind, region, views, target)
    words = {**others, "tiles": tiles[1] - tiles[0], "tile0": tiles[0], "part0": parts[0]}
    return Dispatch(
        written.shader,
        target.grid((tiles[1] - tiles[0]) * (parts[1] - parts[0])),
        tuple(binds),
        written.words.pack(walk.space.extents, views, words),
        written.words.params,
        (),
        written.words.counts,
    )
