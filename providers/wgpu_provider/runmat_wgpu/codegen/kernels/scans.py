"""Scans: running sums and their like along one axis, with what is computed before and after.

Where there are enough slices each is gone through once, from one end to the other, or kept in the
registers of a workgroup where it is short enough. Where there are few, slices are cut into parts.
On devices whose workgroups may wait for others (`Target.waits`) one dispatch goes through all
parts, each of which waits for what stands before it (`waiting`). Elsewhere a first dispatch reduces
every part, a second one scans the states of parts, and the last one goes through the parts with
what stands before each, so that no workgroup waits for another.
"""

from __future__ import annotations

from functools import cached_property

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Instr, Kernel, Unit
from runmat_wgpu.codegen.kernels.addressing import Space, layout_of
from runmat_wgpu.codegen.kernels.costs import operations
from runmat_wgpu.codegen.kernels.draft import Draft, Written
from runmat_wgpu.codegen.kernels.geometry import (
    THREADS,
    Counts,
    Tile,
    arrange,
    lanes_of,
    power,
    sizes,
    usual,
)
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.maps import ordinary
from runmat_wgpu.codegen.kernels.places import Layout
from runmat_wgpu.codegen.kernels.regions import Walk, dispatches, near, whole_fits
from runmat_wgpu.codegen.kernels.running import Fold, Running
from runmat_wgpu.codegen.kernels.states import State, part_bytes
from runmat_wgpu.codegen.kernels.waiting import TEAM, Waiting, shared_bytes, told_bytes
from runmat_wgpu.codegen.kernels.windows import bound, traffic
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    DeclinedError,
    Dispatch,
    Prepared,
    Target,
    Template,
)

#: Points that a thread takes at a time, and their bytes at most.
BATCH, ROW = 16, 64
#: Bytes of the widest array that a thread of a workgroup that waits keeps, unless tuned: on an H200
#: a sum along 2^27 singles moves 2.4, 2.9, 3.1, 3.4 and 3.0 TB/s with 64, 128, 256, 320 and 384.
HELD = 320
#: Bytes of states beyond which such a workgroup has half the threads, so that more of them run at
#: once: a sum along 2^26 doubles moves 2.8 TB/s in place of 2.6.
SMALL = 4
#: Simple operations of its code at most; batches before it has fewer threads.
LONG, FEWEST = 4096, 4
#: Workgroups, and threads, that keep a large device busy.
GROUPS = 2048
BUSY = 1 << 17
#: Fewest points along the axis that a part has where threads go through parts alone.
SHORTEST = 32
#: Threads that a software device is given.
SOFTWARE_THREADS = 64


class ScanTemplate:
    """A kernel with scans; shaders are written as launches need them."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        self.kernel, self.target = kernel, target
        scans = [i for i in kernel.code if i.op == "scan"]
        ways = {bool(i.attr[1]) for i in scans}  # type: ignore[index]
        if len(ways) > 1 or kernel.axes_of("reduce") or kernel.axes_of("serial"):
            raise DeclinedError("scans of several kinds")
        if any(_above(kernel, i) for i in scans):
            raise DeclinedError("a scan of a scan")
        self.reverse = ways.pop()
        self._levels: dict[Kernel, Levels] = {}
        self._written: dict[tuple[Kernel, str, Tile], Written] = {}

    @cached_property
    def source(self) -> str:
        """See `Template.source`."""
        kernel = self.kernel
        return self.prepare(*ordinary(kernel, usual(kernel))).dispatches[0].shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a launch."""
        if 0 in extents:
            return Prepared(())
        return Launch(self, arrange(self.kernel, extents, views)).run()

    def levels(self, kernel: Kernel) -> Levels:
        if kernel not in self._levels:
            self._levels[kernel] = Levels(kernel)
        return self._levels[kernel]

    def written(self, kernel: Kernel, role: str, tile: Tile, parts: Tile | None = None) -> Written:
        """Return the shader of a dispatch.

        It is ``part``, ``fold`` or ``last``; of uncut slices ``whole``, or ``kept`` where these
        stay in registers; of all parts in one dispatch ``wait``.
        """
        key = (kernel, role, tile)
        if key not in self._written:
            self._written[key] = self._write(kernel, role, tile, parts)
        return self._written[key]

    def _write(self, kernel: Kernel, role: str, tile: Tile, parts: Tile | None) -> Written:
        if role == "fold":
            return Fold(kernel, self.target, tile, self.levels(kernel)).write()
        if role in ("wait", "kept"):
            return Waiting(kernel, self.target, tile, self.levels(kernel), role == "kept").write()
        levels = self.levels(kernel)
        return Running(kernel, self.target, tile, levels, role == "last", role == "part").write()


def _above(kernel: Kernel, scan: Instr) -> bool:
    """Whether what a scan reads comes from another."""
    stack, seen = list(scan.args), set()
    while stack:
        k = stack.pop()
        if k not in seen:
            seen.add(k)
            if kernel.code[k].op == "scan":
                return True
            stack += kernel.code[k].args
    return False


class Launch:
    """Sizes, and the dispatches that they take."""

    def __init__(self, owner: ScanTemplate, space: Space) -> None:
        self.owner, self.space = owner, space
        self.target = owner.target
        draft = Draft(space.kernel, owner.target)
        code = space.kernel.code
        self.states = [
            State(draft, reducer_of(i), f"r{k}") for k, i in enumerate(code) if i.op == "scan"
        ]
        self.bytes = sum(s.bytes for s in self.states)
        self.tile = self._tile()
        if not whole_fits(space, self.target):
            self.tile = near(space, self.tile)
        self.counts = sizes(space, self.tile.lanes, self.tile.along)
        self.length = self._length()
        block = self.tile.unroll * (self.tile.rows if self.tile.along else 1)
        while not whole_fits(space, self.target) and self.length > block:
            if self._walk(self.length).fits(self.target):
                break
            self.length = -(-self.length // (2 * block)) * block
        self.splits = -(-self.counts.steps // self.length)
        self.role = "whole" if self.splits == 1 else "last"
        held = self._held()
        if held is not None:
            self._hold(held)

    def _hold(self, tile: Tile) -> None:
        """Have workgroups keep their elements, where slices are short enough or cut anyway."""
        steps = self.counts.steps
        if 2 * tile.rows <= steps <= tile.rows * tile.unroll:
            self.role = "kept"
            tile = attrs.evolve(tile, unroll=-(-steps // tile.rows))
        elif self.splits > 1 and self.target.waits:
            self.role = "wait"
            if self.bytes > SMALL and tile.rows > TEAM:
                tile = attrs.evolve(tile, rows=tile.rows // 2)
        else:
            return
        self.tile, self.length = tile, tile.rows * tile.unroll
        self.splits = -(-steps // self.length)

    def _held(self) -> Tile | None:
        """Return the tile of a workgroup that keeps its elements in registers.

        Return None where none may.
        """
        space, target, states = self.space, self.target, self.states
        if target.software or not self.tile.along:
            return None
        if not whole_fits(space, target):
            return None
        held = target.tuning("scan.held", HELD)
        near = min(held // ROW * BATCH, self._near() * held // ROW)
        # each element has code of its own
        near = min(near, LONG // max(sum(operations(i) for i in space.kernel.code), 1))
        unroll, rows = max(near // self.tile.lanes, 1), power(min(THREADS, target.invocations))
        while unroll > FEWEST and shared_bytes(states, rows, unroll) > target.workgroup_bytes:
            unroll //= 2
        while rows > TEAM and shared_bytes(states, rows, unroll) > target.workgroup_bytes:
            rows //= 2
        if shared_bytes(states, rows, unroll) > target.workgroup_bytes:
            return None
        return attrs.evolve(self.tile, across=1, rows=rows, unroll=unroll)

    def _tile(self) -> Tile:
        """Return the tile of the dispatch that stores."""
        space, target = self.space, self.target
        along = space.kernel.axes[0].kind == "scan"
        lanes, vectors = lanes_of(space)
        reverse = self.owner.reverse
        if along and (target.software or (reverse and space.extents[0] % lanes)):
            # a software device is spared the barriers; lanes beyond the end must come last
            lanes, vectors = 1, frozenset()
        serial = not along or target.software
        layout: Layout = layout_of(space, lanes, vectors)
        exact = space.extents[0] % lanes == 0
        threads = min(THREADS, target.invocations)
        while threads > 32 and 2 * threads * self.bytes > target.workgroup_bytes:
            threads //= 2
        counts = sizes(space, lanes, not serial)
        if serial:
            unroll = 1 if target.software or self._long() else 4
            across = min(power(counts.units), threads)
            return Tile(
                layout, lanes, False, across, threads // across, unroll, True, exact, False, reverse
            )
        unroll = max(min(BATCH, self._near()) // lanes, 1)
        rows = min(power(-(-counts.steps // unroll)), threads)
        across = threads // rows
        return Tile(layout, lanes, True, across, rows, unroll, True, exact, False, reverse)

    def _near(self) -> int:
        """Return the number of elements of the widest array that a thread may have in a row.

        In longer rows, what neighbours read by turns has left the cache when the next one comes.
        """
        widths = [STORED_BYTES[b.dtype] for b in self.space.kernel.buffers]
        return ROW // max(widths, default=4)

    def _long(self) -> bool:
        code = self.space.kernel.code
        return len(code) > BATCH or any(i.op == "load" and i.args for i in code)

    def _length(self) -> int:
        """Batches of a part; all where slices are not cut."""
        counts, tile = self.counts, self.tile
        if tile.along:
            block = tile.rows * tile.unroll
            blocks = -(-counts.steps // block)
            tiles = -(-counts.units // tile.across)
            wanted = min(GROUPS // tiles, blocks // 2)
            return counts.steps if wanted < 2 else -(-blocks // wanted) * block
        busy = SOFTWARE_THREADS if self.target.software else BUSY
        wanted = min(busy // counts.units, counts.steps // SHORTEST)
        if wanted < 2:
            return counts.steps
        # whole batches, so that no point is taken alone
        batches = -(-counts.steps // tile.unroll)
        return -(-batches // wanted) * tile.unroll

    def run(self) -> Prepared:
        """Return the dispatches."""
        reads, writes = traffic(self.space)
        if self.splits == 1:
            return Prepared(tuple(self._last(self.role)), reads=reads, writes=writes)
        if self.role == "wait":
            told = told_bytes(self.states, self.counts.units, self.splits)
            found = tuple(self._last(self.role))
            return Prepared(found, (told,), cleared=(0,), reads=reads, writes=writes)
        slices = self.counts.units * self.tile.columns
        held = slices * part_bytes(self.states)
        found = (*self._last("part"), self._fold(slices), *self._last("last"))
        scratch = (held * self.splits, held * (self.splits + THREADS))
        return Prepared(found, scratch, reads=2 * reads, writes=writes)

    def _fold(self, slices: int) -> Dispatch:
        across, rows = self._folded(slices)
        tile = attrs.evolve(self.tile, lanes=1, along=False, across=across, rows=rows, unroll=1)
        written = self.owner.written(self.space.kernel, "fold", tile)
        words = self._words() | {"slices": slices}
        grid = self.target.grid(-(-slices // across))
        return bound(written, self.space, grid, words, self.target)

    def _folded(self, slices: int) -> tuple[int, int]:
        """Slices, and threads for each, of a workgroup that finds what stands before parts."""
        across = min(power(slices), 32)
        limit = min(THREADS, self.target.invocations) // across
        return across, min(power(self.splits), limit)

    def _last(self, role: str) -> list[Dispatch]:
        written = self.owner.written(self.space.kernel, role, self.tile)
        return dispatches(written, self._walk(self.length), self._words(), self.target)

    def _walk(self, length: int) -> Walk:
        """Return the walk of the dispatch that stores, for parts of a length."""
        counts, tile = self.counts, self.tile
        tiles = -(-counts.units // tile.across)
        parts, rows = -(-counts.steps // length), 1 if tile.along else tile.rows
        return Walk(self.space, tile, counts, tiles, tile.across, -(-parts // rows), length * rows)

    def _words(self) -> dict[str, int | float]:
        counts: Counts = self.counts
        _, rows = self._folded(counts.units * self.tile.columns)
        return {
            "fast": counts.fast,
            "units": counts.units,
            "steps": counts.steps,
            "full": counts.full,
            "splits": self.splits,
            "length": self.length,
            "parts": -(-self.splits // rows),
        }


def template(unit: Unit, target: Target) -> Template:
    """Generate a kernel with scans.

    Raises:
        DeclinedError: the target lacks a type or an operation, or scans depend on one another.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    return ScanTemplate(unit, target)
