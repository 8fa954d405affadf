"""A kernel's function on given extents and views: its table of words, and the tasks of threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from runmat_inprocess.blocks import Space, collapse
from runmat_inprocess.compiler import Program
from runmat_inprocess.pool import Pool, Worker

from runmat_core.api import sums
from runmat_core.api.device import Addressing
from runmat_core.api.ir import ITEMSIZE
from runmat_native.crew import Crew
from runmat_native.loops import address
from runmat_native.machine import Run
from runmat_native.nest import TILE, Nest, Pattern, steps_of
from runmat_native.segments import Segments
from runmat_native.stream import STREAM
from runmat_native.stretches import LONG

#: Nanoseconds of a launch from which other threads take part, and of a task at least.
SHARED, TASK = 100_000, 30_000
#: Nanoseconds of a task at most, about: between two tasks the program can be interrupted.
LONGEST = 50_000_000
#: Tasks for each thread, so that none waits long for the last one.
TASKS = 4
#: Side of a tile where some view's neighbours lie along axis 1.
SIDE = 64


class Shape:
    """The collapsed space of a launch, and the pattern that its text follows."""

    def __init__(
        self,
        program: Program,
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        late: bool,
    ) -> None:
        kinds = [axis.kind for axis in program.kernel.axes]
        serial = "serial" in kinds
        count = len(kinds) - serial
        points = [Addressing(v.offset, v.strides[:count]) for v in views]
        self.space: Space = collapse(kinds[:count], extents[:count], points, program.masks)
        self.trips = extents[-1] if serial else 1
        self.moves = tuple(v.strides[-1] if serial else 0 for v in views)
        used = {i.attr for i in program.kernel.code if i.op in ("load", "store", "index")}
        steps = [v.strides[0] if k in used else 0 for k, v in enumerate(self.space.views)]
        reduced = self.space.kinds[0] == "reduce"
        scanned = self.space.kinds[0] == "scan"
        gathers = any(i.op == "load" and i.args for i in program.kernel.code)
        long = gathers and self.space.extents[0] >= LONG
        self.pattern = Pattern(
            len(self.space.extents),
            steps_of(steps, long),
            late,
            serial,
            reduced,
            scanned,
            long,
        )
        #: Where the nodes of the reduced axis begin, and where the last ends.
        self.bounds: Any = None
        self.boxes = self.space.extents
        if scanned:  # each line is one thread's
            self.boxes = (1, *self.space.extents[1:])
        if reduced:
            extent = self.space.extents[0]
            self.bounds = sums.bounds(extent, sums.depth(extent, TILE))
            self.boxes = (len(self.bounds) - 1, *self.space.extents[1:])


class Prepared:
    """Everything of a launch but arrays and scalars."""

    def __init__(self, program: Program, nest: Nest, segments: Segments, shape: Shape) -> None:
        self.program, self.nest = program, nest
        self.space = space = shape.space
        self.boxes, self.bounds = shape.boxes, shape.bounds
        kernel, slots = program.kernel, nest.slots
        self.table = np.zeros(max(len(slots.number), 1), np.int64)
        self.address = address(self.table)
        self.addresses: list[tuple[int, int, int]] = []
        self.buffers: list[tuple[int, int]] = []
        self.sizes: list[tuple[int, int]] = []
        self.scalars: list[tuple[int, int]] = []
        self.offsets: list[tuple[int, int]] = []
        self.status: int | None = None
        known = {
            "rows": (rows := _rows(nest, shape)),
            "columns": _columns(nest, space, rows),
            "trips": shape.trips,
            "extent": space.extents[0],
        }
        order = {position: k for k, position in enumerate(program.scalars)}
        loops: dict[tuple[Any, ...], Any] = {}
        for what, slot in slots.number.items():
            kind, rest = what[0], what[1:]
            if kind in known:
                self.table[slot] = known[str(kind)]
            elif kind == "stride":
                view, axis = rest
                stride = shape.moves[view] if axis == "serial" else space.views[view].strides[axis]
                self.table[slot] = stride
            elif kind == "offset":
                self.offsets.append((slot, rest[0]))
                self.table[slot] = space.views[rest[0]].offset
            elif kind == "address":
                buffer = kernel.views[rest[0]].buffer
                assert buffer is not None
                size = ITEMSIZE[kernel.buffers[buffer].dtype]
                self.addresses.append((slot, buffer, space.views[rest[0]].offset * size))
            elif kind == "buffer":
                self.buffers.append((slot, rest[0]))
            elif kind == "size":
                self.sizes.append((slot, rest[0]))
            elif kind in ("scalar", "operand"):
                self.scalars.append((slot, order[rest[0]]))
            elif kind == "loop":
                loop = next(one for one in nest.loops if tuple(one) == rest[:-1])
                if loop not in loops:
                    loops[loop] = loop.find()
                self.table[slot] = loops[loop][rest[-1]]
            elif kind == "stream":
                loops_of = address(STREAM.loops)
                self.table[slot] = STREAM.addresses.get(rest[0], loops_of)
            elif kind == "bounds":
                self.table[slot] = address(self.bounds)
            elif kind == "status":
                self.status = slot
        self.word = np.zeros(1, np.uint64)
        if self.status is not None:
            self.table[self.status] = address(self.word)
        self.cost = cost(segments, shape)
        self._words = memoryview(self.table.data).cast("B")
        self._whole = np.array([(0,) * len(space.extents), self.boxes], np.int64)
        self._bounds = (address(self._whole), address(self._whole[1]))
        self._cuts: dict[int, Any] = {}

    def launch(self, run: Run, buffers: Sequence[Any], values: Sequence[Any], pool: Pool) -> None:
        """Run a launch."""
        self._fill(buffers, values)
        threads = len(pool.workers)
        if self.cost < SHARED or (threads == 1 and self.cost < LONGEST):
            run(self.address, *self._bounds)
        else:
            self._share(run, threads, pool)
        if self.status is not None and self.word[0]:
            pool.workers[0].status |= int(self.word[0])
            self.word[0] = 0

    def alone(
        self,
        run: Run,
        buffers: Sequence[Any],
        values: Sequence[Any],
        offsets: Mapping[int, int],
    ) -> None:
        """Run a launch without guards on this thread.

        Args:
            offsets: the first number of views that number elements.
        """
        self._fill(buffers, values)
        for slot, view in self.offsets:
            self.table[slot] = offsets[view]
        run(self.address, *self._bounds)

    def _fill(self, buffers: Sequence[Any], values: Sequence[Any]) -> None:
        table, words = self.table, self._words
        for slot, buffer, offset in self.addresses:
            table[slot] = address(buffers[buffer]) + offset
        for slot, buffer in self.buffers:
            table[slot] = address(buffers[buffer])
        for slot, buffer in self.sizes:
            table[slot] = buffers[buffer].size
        for slot, k in self.scalars:
            data = values[k].tobytes()
            words[8 * slot : 8 * slot + len(data)] = data

    def _share(self, run: Run, threads: int, pool: Pool) -> None:
        cuts = self._cuts.get(threads)
        if cuts is None:
            enough = min(TASKS * threads, int(self.cost / TASK))
            most = max(enough, int(self.cost / LONGEST), 1)
            cuts = self._cuts[threads] = _cut(self.boxes, most)
        if isinstance(pool, Crew):  # the interpreter comes in between where tasks take long
            turns = max(int(self.cost / (LONGEST * threads)), 1)
            length = max(-(-len(cuts) // turns), threads)
            while len(cuts) and pool.share(run, self.address, cuts[:length]):
                cuts = cuts[length:]
        start, each = address(cuts), cuts.strides[0]
        half = each // 2

        def task(worker: Worker, number: int) -> None:
            here = start + number * each
            run(self.address, here, here + half)

        pool.run(len(cuts), task)


def _rows(nest: Nest, shape: Shape) -> int:
    """Points of a tile along axis 1."""
    space = shape.space
    extents = space.extents
    if len(extents) < 2:
        return 1
    if shape.bounds is not None:
        return max(TILE // int(np.diff(shape.bounds).max()), 1)
    if shape.pattern.scanned:
        return 1
    if _is_across(space):
        return SIDE // 2 if nest.tiled else SIDE
    return max(TILE // max(extents[0], 1), 1) if nest.tiled else max(extents[1], 1)


def _columns(nest: Nest, space: Space, rows: int) -> int:
    """Points of a tile along axis 0."""
    if len(space.extents) > 1 and _is_across(space) and space.kinds[0] != "scan":
        return rows
    return nest.width if nest.tiled else max(space.extents[0], 1)


def _is_across(space: Space) -> bool:
    """Whether neighbours of some view lie along axis 1."""
    return any(abs(v.strides[1]) == 1 and abs(v.strides[0]) > 1 for v in space.views)


def cost(segments: Segments, shape: Shape) -> float:
    """Return about how many nanoseconds a launch takes on one thread."""
    total, nodes = 0.0, segments.nodes
    for segment in segments.found:
        each = shape.trips if segment.phase == 1 else 1
        total += each * sum(8.0 if nodes[n].op == "call" else 0.2 for n in segment.calls)
        for n in segment.nodes:
            op = nodes[n].op
            # along stretches of rows most gathers are loads
            far = op == "gather" and not shape.pattern.long
            total += each * (1.0 if far else 0.3 if op in ("load", "gather") else 0.15)
        total += each * 0.3 * (len(segment.roots) + len(segment.turns))
    return total * shape.space.size(range(len(shape.space.extents)))


def _cut(extents: tuple[int, ...], most: int) -> Any:
    """Cut a space into so many boxes at most along one axis: starts and stops of each."""
    axis = next((k for k in reversed(range(len(extents))) if extents[k] >= most), None)
    if axis is None:
        axis = max(range(len(extents)), key=lambda k: extents[k])
    extent = extents[axis]
    length = -(-extent // most)
    if axis == 0:  # whole cache lines, even of bytes
        length = -(-length // 64) * 64
    count = -(-extent // length)
    cuts = np.empty((count, 2, len(extents)), np.int64)
    cuts[:, 0], cuts[:, 1] = 0, extents
    firsts = np.arange(count) * length
    cuts[:, 0, axis] = firsts
    cuts[:, 1, axis] = np.minimum(firsts + length, extent)
    return cuts
