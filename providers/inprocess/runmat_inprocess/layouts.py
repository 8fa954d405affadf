"""How a launch runs: which blocks, in which passes. Made once for each set of extents and views.

- `OnePass`: a block holds whole slices (all reduced and scanned points), so every value stands in
  cache and memory is read and written once. Kernels without reductions are of this kind.
- `ManyPasses`: slices are larger than a block. One pass for each level of reductions; values are
  computed again in each, which costs less than to keep them.
- `Lines`: a scan longer than a block; blocks of a line run in order and hand on their last state.
- `Trips` (`runmat_inprocess.trips`): a loop in time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from runmat_core.api.device import Addressing
from runmat_core.api.tuples import NamedTuple
from runmat_inprocess import pieces
from runmat_inprocess.blocks import Grid, Nodes, Space, collapse, even, fill
from runmat_inprocess.compiler import Program, attr
from runmat_inprocess.frames import Call, Frame
from runmat_inprocess.pool import Pool, Worker
from runmat_inprocess.reducers import Cascade, State, Sums
from runmat_inprocess.schedule import Schedule
from runmat_inprocess.scheduler import schedule
from runmat_inprocess.trips import Trips

#: Slices that fit this many blocks run in one pass.
SLICE_BLOCKS = 2
#: Blocks take at least so many neighbours in memory where the reduced axes are the slower ones.
NEIGHBOURS = 256
#: Neighbours in memory that a block of many passes takes along the first parallel axes.
PANEL = 16384
#: Passes over more points than these go slab by slab, so that later passes find them in cache.
WAVE = 1 << 22
#: Runs of blocks whose states are kept apart: enough to keep every thread busy.
GROUPS = 64


class Layout(Protocol):
    """A way to run a launch."""

    def run(self, call: Call, pool: Pool) -> None: ...


class Nothing:
    """A launch without points."""

    def run(self, call: Call, pool: Pool) -> None:
        """Return at once."""


def layout_for(
    program: Program,
    extents: Sequence[int],
    views: Sequence[Addressing],
    block: int,
    late_stores: bool = False,
) -> Layout:
    """Return the way to run a launch in blocks of about `block` points."""
    kinds = [axis.kind for axis in program.kernel.axes]
    if any(e == 0 for e, kind in zip(extents, kinds, strict=True) if kind != "reduce"):
        return Nothing()
    if "serial" in kinds:
        return Trips(program, extents, views, block)
    space = collapse(kinds, extents, views, program.masks)
    whole = space.of_kind("reduce", "scan")
    size = space.size(whole)
    if size == 0:
        return ManyPasses(program, space, block)
    chunks = list(space.extents)
    fits = size <= SLICE_BLOCKS * block
    points = space.size(range(len(space.extents)))
    small = pieces.piece(points, block, program.least)
    if fits and small < size == points and not space.of_kind("scan") and program.passes == 1:
        # one slice is one block, and one thread's: in pieces it is several threads'
        return ManyPasses(program, space, small)
    if fits:
        _one_pass_chunks(space, chunks, max(small // size, 1))
        parallel_first = bool(space.kinds) and space.kinds[0] == "parallel"
        torn = parallel_first and chunks[0] < min(space.extents[0], NEIGHBOURS)
        fits = not torn or bool(space.of_kind("scan")) or not space.of_kind("reduce")
    if fits:
        return OnePass(program, space, chunks, late_stores)
    if space.of_kind("scan"):
        return Lines(program, space, small)
    return ManyPasses(program, space, small)


def _one_pass_chunks(space: Space, chunks: list[int], budget: int) -> None:
    """Blocks of neighbours; squares where a view's neighbours lie along a slower axis."""
    parallel = space.of_kind("parallel")
    across = {
        k
        for v in space.views
        for k in parallel
        if k and abs(v.strides[k]) == 1 and space.extents[0] > 1
    }
    if across and parallel and parallel[0] == 0:
        side = max(min(across), 1)
        length = max(int(budget**0.5), 1)
        chunks[0] = even(space.extents[0], length)
        rest = budget // chunks[0]
        order = [side, *(k for k in parallel if k not in (0, side))]
        fill(space.extents, order, rest, chunks)
        return
    fill(space.extents, parallel, budget, chunks)


class OnePass:
    """Blocks that hold whole slices."""

    def __init__(
        self, program: Program, space: Space, chunks: Sequence[int], late_stores: bool
    ) -> None:
        self.program, self.space = program, space
        self.grid = Grid(space.extents, chunks)
        self.schedule = schedule(program, program.everything(), late_stores=late_stores)
        self._frames: dict[tuple[int, tuple[int, ...]], Frame] = {}

    def run(self, call: Call, pool: Pool) -> None:
        grid = self.grid
        if grid.count == 1:
            frame = self._frame(pool.workers[0], grid.extents)
            frame.pool = pool if len(pool.workers) > 1 else None
            frame.run(call, grid.origin)
            frame.release()
            return

        def task(worker: Worker, number: int) -> None:
            starts, shape = grid.block(number)
            frame = self._frame(worker, shape)
            frame.run(call, starts)
            frame.release()

        pool.run(grid.count, task)

    def _frame(self, worker: Worker, shape: tuple[int, ...]) -> Frame:
        key = (worker.number, shape)
        frame = self._frames.get(key)
        if frame is None:
            frame = Frame(self.program, self.schedule, self.space, shape, worker)
            self._frames[key] = frame
        else:
            frame.again()
        frame.carry.clear()
        return frame


class Lines:
    """Scans along lines longer than a block: lines in parallel, each from one end to the other."""

    def __init__(self, program: Program, space: Space, block: int) -> None:
        self.program, self.space = program, space
        (scanned,) = space.of_kind("scan")
        chunks = list(space.extents)
        budget = max(block // space.size(space.of_kind("reduce")), 1)
        parallel = space.of_kind("parallel")
        before = [k for k in parallel if k < scanned]
        if before:
            fill(space.extents, before, max(budget // 16, 1), chunks)
            for k in before:
                budget = max(budget // chunks[k], 1)
        reversed_ = {attr(i)[1] for i in program.kernel.code if i.op == "scan"}
        # scans in both directions need their whole line at once
        chunks[scanned] = space.extents[scanned] if len(reversed_) > 1 else 1
        if len(reversed_) == 1:
            chunks[scanned] = even(space.extents[scanned], budget)
        fill(space.extents, [k for k in parallel if k > scanned], 1, chunks)
        self.backwards = reversed_ == {True}
        self.scanned = scanned
        lines = [1 if k == scanned else e for k, e in enumerate(space.extents)]
        self.lines = Grid(lines, [1 if k == scanned else c for k, c in enumerate(chunks)])
        self.along = Grid([space.extents[scanned]], [chunks[scanned]])
        self.schedule = schedule(program, program.everything())

    def run(self, call: Call, pool: Pool) -> None:
        def task(worker: Worker, number: int) -> None:
            starts, shape = self.lines.block(number)
            frames: dict[int, Frame] = {}
            carry: dict[int, Any] = {}
            order = range(self.along.count)
            for piece in reversed(order) if self.backwards else order:
                (start,), (extent,) = self.along.block(piece)
                frame = frames.get(extent)
                if frame is None:
                    frame = frames[extent] = Frame(
                        self.program,
                        self.schedule,
                        self.space,
                        _with(shape, self.scanned, extent),
                        worker,
                    )
                frame.carry = carry
                frame.run(call, _with(starts, self.scanned, start))
            for frame in frames.values():
                frame.release()

        pool.run(self.lines.count, task)


def _with(values: tuple[int, ...], k: int, value: int) -> tuple[int, ...]:
    return (*values[:k], value, *values[k + 1 :])


class _Pass(NamedTuple):
    """What is done once some number of reductions is finished.

    Attributes:
        outer: what varies along no reduced axis.
        full: what is done at every reduced point, None for nothing.
        reduces: positions of the reductions that `full` holds.
    """

    outer: Schedule
    outer_positions: tuple[int, ...]
    full: Schedule | None
    reduces: tuple[int, ...]


class ManyPasses:
    """Slices larger than a block, or without any point."""

    def __init__(self, program: Program, space: Space, block: int) -> None:
        self.program, self.space = program, space
        self.reduced = space.of_kind("reduce")
        self.parallel = space.of_kind("parallel")
        self.size = space.size(self.reduced)
        self.passes = [self._pass(level) for level in range(program.depth + 1)]
        self.chunks = list(space.extents)
        before = [k for k in self.parallel if not self.reduced or k < self.reduced[0]]
        if before:
            fill(space.extents, before, max(min(PANEL, block), 1), self.chunks)
            for k in before:
                block = max(block // self.chunks[k], 1)
        rest = fill(space.extents, self.reduced, block, self.chunks) if self.size else 1
        self.runs = self._runs()
        fill(space.extents, [k for k in self.parallel if k not in before], rest, self.chunks)
        self._frames: dict[tuple[int, int, tuple[int, ...]], Frame] = {}
        self._outer_frames: dict[tuple[int, tuple[int, ...]], Frame] = {}

    def _runs(self) -> Grid | Nodes:
        """Return what blocks hold of the reduced axes: nodes of the tree of sums along one axis."""
        extents, reduced = self.space.extents, self.reduced
        if (
            self.size
            and len(reduced) == 1
            and any(r.ordered for r in self.program.reductions.values())
        ):
            return Nodes(reduced[0], extents, self.chunks[reduced[0]])
        kept = [k in reduced for k in range(len(extents))]
        return Grid(
            [e if own else 1 for e, own in zip(extents, kept, strict=True)],
            [max(c, 1) if own else 1 for c, own in zip(self.chunks, kept, strict=True)],
        )

    def _pass(self, level: int) -> _Pass:
        code = self.program.kernel.code
        outer = self.program.outer_pass(level)
        full = self.program.full_pass(level)
        return _Pass(
            schedule(self.program, outer, keep=True),
            tuple(p for p in outer if code[p].op not in ("store", "guard")),
            schedule(self.program, full) if full and self.size else None,
            tuple(p for p in full if code[p].op == "reduce"),
        )

    def run(self, call: Call, pool: Pool) -> None:
        extents = self.space.extents
        slab = list(extents)
        again = sum(1 for p in self.passes if p.full is not None) > 1
        if again:  # whole blocks, as many as fit the cache together
            budget = max(WAVE // max(self.size, 1), 1)
            for k in self.parallel:
                pieces = max(budget // self.chunks[k], 1)
                slab[k] = min(pieces * self.chunks[k], extents[k])
                budget = max(budget // slab[k], 1)
        waves = Grid(extents, slab) if self.size else Grid([1] * len(extents), [1] * len(extents))
        for number in range(waves.count):
            origin, shape = waves.block(number) if self.size else (waves.origin, extents)
            part = Call(call.buffers, call.scalars, origin=origin)
            for level, stage in enumerate(self.passes):
                self._outer(part, stage, shape, pool.workers[0])
                self._full(part, stage, level, shape, pool)

    def _outer(self, call: Call, stage: _Pass, shape: tuple[int, ...], worker: Worker) -> None:
        if not stage.outer.steps and not stage.outer.binds:
            return
        points = tuple(1 if k in self.reduced else e for k, e in enumerate(shape))
        known = self._outer_frames.get((id(stage), points))
        if known is None:
            known = Frame(self.program, stage.outer, self.space, points, worker)
            self._outer_frames[id(stage), points] = known
        else:
            known.again()
        frame = known
        frame.run(call, call.origin)
        for position in stage.outer_positions:
            call.outer[position] = frame.environment[stage.outer.exports[position]]
        frame.release()

    def _full(
        self, call: Call, stage: _Pass, level: int, shape: tuple[int, ...], pool: Pool
    ) -> None:
        points = [1 if k in self.reduced else e for k, e in enumerate(shape)]
        columns = Grid(
            points,
            [1 if k in self.reduced else c for k, c in enumerate(self.chunks)],
            call.origin,
        )
        if stage.full is None:
            for p in stage.reduces:
                reduction = self.program.reductions[p]
                whole = self._shape(p, shape)
                self._publish(call, p, [(None, reduction.nothing(whole))], shape)
            return
        runs = self.runs
        groups = min(runs.count, -(-GROUPS // columns.count))
        length = -(-runs.count // groups)
        groups = -(-runs.count // length)
        states: list[dict[int, State]] = [{} for _ in range(groups * columns.count)]

        def task(worker: Worker, number: int) -> None:
            group, column = divmod(number, columns.count)
            starts, extents = columns.block(column)
            collectors = {p: self._collector(p) for p in stage.reduces}
            for run in range(group * length, min((group + 1) * length, runs.count)):
                first, extent = runs.block(run)
                block = tuple(
                    b if k in self.reduced else a
                    for k, (a, b) in enumerate(zip(extents, extent, strict=True))
                )
                frame = self._frame(worker, level, stage.full, block)
                frame.states = collectors
                frame.run(call, tuple(a + b for a, b in zip(starts, first, strict=True)))
                frame.release()
            states[number] = {p: collector.parts() for p, collector in collectors.items()}

        pool.run(groups * columns.count, task)
        for p in stage.reduces:
            parts = []
            for column in range(columns.count):
                joined = self._collector(p)
                for group in range(groups):
                    joined.push(states[group * columns.count + column][p])
                parts.append((columns.block(column), joined.total()))
            self._publish(call, p, parts, shape)

    def _collector(self, position: int) -> Cascade | Sums:
        dims = tuple(len(self.space.extents) - 1 - k for k in self.reduced)
        whole = tuple(self.space.extents[k] for k in self.reduced)
        return self.program.reductions[position].collector(dims, whole)

    def _frame(
        self, worker: Worker, level: int, schedule: Schedule | None, shape: tuple[int, ...]
    ) -> Frame:
        key = (worker.number, level, shape)
        frame = self._frames.get(key)
        if frame is None:
            assert schedule is not None
            frame = self._frames[key] = Frame(self.program, schedule, self.space, shape, worker)
        else:
            frame.again()
        return frame

    def _shape(self, position: int, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Shape of the array that holds an outer value."""
        mask = self.space.mask(self.program.kernel.code[position].over)
        return tuple(
            shape[k] if mask >> k & 1 and k not in self.reduced else 1
            for k in range(len(shape) - 1, -1, -1)
        )

    def _publish(
        self, call: Call, position: int, parts: Sequence[Any], shape: tuple[int, ...]
    ) -> None:
        """Finish states and put the results together, for the passes to come."""
        reduction = self.program.reductions[position]
        whole = self._shape(position, shape)
        targets = [(0, position), *self.program.items.get(position, [])]
        finished = [(block, reduction.finish(state)) for block, state in parts]
        for number, user in targets:
            if len(finished) == 1:
                call.outer[user] = np.broadcast_to(finished[0][1][number], whole)
                continue
            value = np.empty(whole, finished[0][1][number].dtype)
            for (starts, extents), results in finished:
                where = []
                for dim, extent in enumerate(whole):
                    k = len(shape) - 1 - dim
                    first = starts[k] - call.origin[k] if extent > 1 else 0
                    where.append(slice(first, first + (extents[k] if extent > 1 else 1)))
                value[tuple(where)] = results[number]
            call.outer[user] = value
