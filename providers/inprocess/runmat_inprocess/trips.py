"""Kernels with a loop in time: every block of points goes through all trips by itself.

A block is small enough for its values to stay in cache from trip to trip. What does not vary from
trip to trip is computed once, before the first; carried values have registers of their own, into
which the values for the next trip are computed directly where nobody needs the old ones any more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Instr
from runmat_core.api.tuples import NamedTuple
from runmat_inprocess import steps
from runmat_inprocess.blocks import Grid, Space, collapse, even, fill
from runmat_inprocess.compiler import Program, attr
from runmat_inprocess.frames import Call, Frame, forward
from runmat_inprocess.pieces import LEAST, piece
from runmat_inprocess.pool import Pool, Worker
from runmat_inprocess.schedule import Schedule, Step
from runmat_inprocess.scheduler import Scheduler

#: How many times smaller than those of other launches the blocks of a loop may be, to give threads
#: work, as they meet at its end alone.
TRIPS_GAIN = 4


class Phases(NamedTuple):
    """The steps of a kernel with a loop in time.

    Attributes:
        schedule: registers and views of all of them; its steps are those before the loop.
        each: of a trip.
        after: the last trip.
        turns: (place of a carried value, place of its next one) to be copied after each trip.
    """

    schedule: Schedule
    each: tuple[Step, ...]
    after: tuple[Step, ...]
    turns: tuple[tuple[int, int], ...]


class _Phased(Scheduler):
    """Schedules the instructions before the loop, in it and after it."""

    def __init__(self, program: Program) -> None:
        self.phase = _phases(program)
        wanted = program.everything()
        wanted = sorted({*wanted, *_carried(program, wanted)})
        order = sorted(wanted, key=lambda p: (self.phase[p], p))
        super().__init__(program, order, False, False)
        self.carries = [p for p in order if self.code[p].op == "carry"]
        self.next_of = {attr(self.code[c]): c for c in reversed(self.carries)}
        # what is copied after a trip has its last user there
        self.last.update(dict.fromkeys(self.next_of, len(self.code)))
        self.here = self._in_place()

    def phased(self) -> Phases:
        parts: list[tuple[Step, ...]] = []
        for phase in range(3):
            self.steps = []
            self.place_all([p for p in self.sequence if self.phase[p] == phase])
            parts.append(tuple(self.steps))
        turns = []
        for carry in self.carries:
            following: int = attr(self.code[carry])
            if self.here.get(following) != carry:
                turns.append((self.places[carry], self.places[following]))
        self.steps = list(parts[0])
        return Phases(self.made(), parts[1], parts[2], tuple(turns))

    def _in_place(self) -> dict[int, int]:
        """Values for the next trip that may be computed where the carried value is."""
        found: dict[int, int] = {}
        users: dict[int, list[int]] = {}
        for p in self.sequence:
            for operand in self.program.operands(p):
                users.setdefault(operand, []).append(p)
        following = [attr(self.code[c]) for c in self.carries]
        for carry in self.carries:
            value: int = attr(self.code[carry])
            rule = self.program.rules.get(value)
            made, old = self.code[value], self.code[carry]
            if rule is None or value in self.direct or value in self.program.place:
                continue
            if (made.dtype, made.over) != (old.dtype, old.over) or following.count(value) > 1:
                continue
            late = [u for u in users.get(carry, ()) if u > value or self.phase[u] == 2]
            own = [k for k, a in enumerate(made.args) if a == carry]
            if not late and carry not in following and all(k in rule.in_place for k in own):
                found[value] = carry
        return found

    def _target(self, position: int, instr: Instr, in_place: tuple[int, ...] = ()) -> int:
        carry = self.here.get(position)
        if carry is None:
            return super()._target(position, instr, in_place)
        place = self.places[position] = self.places[carry]
        return place

    def _release(self, position: int) -> None:
        for operand in set(self.program.operands(position)):
            if self.phase[operand] != self.phase[position] or operand in self.next_of:
                continue  # the next trip needs it, or what comes after the loop
            if self.code[operand].op != "carry" and not self._read_later(operand):
                self.give_back(operand, position)

    def _read_later(self, operand: int) -> bool:
        """Whether a later phase reads a value."""
        return self.phase[self.last[operand]] != self.phase[operand]

    def _carry(self, position: int, instr: Instr) -> None:
        place, _ = self._register(instr.dtype, instr.over)
        self.places[position] = place
        self._step(steps.store, self.places[instr.args[0]], place)

    def _last(self, position: int, instr: Instr) -> None:
        self.places[position] = self.places[instr.args[0]]


def _carried(program: Program, wanted: Sequence[int]) -> set[int]:
    """Return what carried values among `wanted` need for the next trip."""
    code = program.kernel.code
    needed: set[int] = set(wanted)
    stack = list(wanted)
    while stack:
        p = stack.pop()
        below = [*program.operands(p)]
        if code[p].op == "carry":
            below.append(attr(code[p]))
        for one in below:
            if one not in needed and one not in program.place:
                needed.add(one)
                stack.append(one)
    return needed


def _phases(program: Program) -> list[int]:
    """For each instruction 0 before the loop, 1 in each trip, 2 after it."""
    code = program.kernel.code
    (axis,) = program.kernel.axes_of("serial")
    phases: list[int] = []
    for instr in code:
        overs = [instr.over, *(code[a].over for a in instr.args)]
        if instr.op == "last" or any(phases[a] == 2 for a in instr.args):
            phases.append(2)
        elif instr.op == "carry":
            phases.append(0)  # its first value is set before the loop
        else:
            phases.append(int(any(over >> axis & 1 for over in overs)))
    return phases


class _TripFrame(Frame):
    """A block on its way through the trips.

    Attributes:
        moves, trips: elements that each view moves by from trip to trip, and how many there are.
        parts: the steps before the loop, of a trip, and after it, as they were scheduled.
        trip: the current one.
    """

    def __init__(
        self,
        program: Program,
        phases: Phases,
        space: Space,
        time: tuple[Sequence[int], int],
        shape: tuple[int, ...],
        worker: Worker,
    ) -> None:
        super().__init__(program, phases.schedule, space, shape, worker)
        self.phases = phases
        self.moves, self.trips = moves, _ = time
        self.trip = 0
        self.parts = self.plain, *(forward(p, self.backward) for p in (phases.each, phases.after))
        self.each: Sequence[Step] = self.parts[1]
        self.after: Sequence[Step] = self.parts[2]
        self.kept = frozenset(place for turn in phases.turns for place in turn)
        views = [view for _, view in phases.schedule.binds]
        self.moving = [
            (window, window.offset, moves[view])
            for window, view in zip(self.windows, views, strict=True)
            if moves[view]
        ]

    def through(self, call: Call, starts: tuple[int, ...]) -> None:
        """Run all trips on the block that starts there."""
        self.trip = 0
        for window, offset, _ in self.moving:
            window.offset = offset
        self.run(call, starts)
        environment, buffers = self.environment, call.buffers
        each, turns = self.each, self.phases.turns
        trips = self.trips
        for trip in range(trips):
            if trip:
                self.trip = trip
                for window, offset, advance in self.moving:
                    window.offset = offset + trip * advance
                    environment[window.place] = window.at(buffers[window.buffer], starts)
            for function, registers, _, _ in each:
                function(*registers(environment))
            if trip < trips - 1:
                for carried, following in turns:
                    np.copyto(environment[carried], environment[following])
        for function, registers, _, _ in self.after:
            function(*registers(environment))

    def link(self) -> None:
        self.steps, self.each, self.after = self.program.linker.linked(self.parts, self)

    def numbering(self, view: int) -> tuple[int, tuple[int, ...]]:
        first, strides = super().numbering(view)
        return first + self.trip * self.moves[view], strides


class Trips:
    """A launch with a loop in time."""

    def __init__(
        self, program: Program, extents: Sequence[int], views: Sequence[Addressing], block: int
    ) -> None:
        (axis,) = program.kernel.axes_of("serial")
        kinds = [one.kind for one in program.kernel.axes][:axis]
        points = [Addressing(v.offset, v.strides[:axis]) for v in views]
        self.program = program
        self.space = collapse(kinds, extents[:axis], points, program.masks)
        self.moves = tuple([v.strides[axis] for v in views])
        self.trips = extents[axis]
        self.block = block
        self.grid: Grid | None = None
        self.phases = _Phased(program).phased()
        self._frames: dict[tuple[int, tuple[int, ...]], _TripFrame] = {}

    def run(self, call: Call, pool: Pool) -> None:
        if self.grid is None:
            self.grid = self.cut(len(pool.workers))
        grid = self.grid

        def task(worker: Worker, number: int) -> None:
            starts, shape = grid.block(number)
            frame = self._frame(worker, shape)
            frame.through(call, starts)
            frame.release()

        pool.run(grid.count, task)

    def cut(self, threads: int) -> Grid:
        """Blocks that stay in cache, and give every thread work."""
        space, program = self.space, self.program
        size = space.size(space.of_kind("reduce"))
        chunks = list(space.extents)
        parallel = space.of_kind("parallel")
        points = space.size(range(len(chunks)))
        if program.reductions:  # their trees depend on the shape alone
            small = piece(points, self.block, program.least)
        else:
            each = self.phases.each
            # a normal number is a dozen short operations that `least` counts as one
            normals = any(
                isinstance(s.function, steps.Random) and not s.function.uniform for s in each
            )
            least = program.least if normals else program.least // TRIPS_GAIN
            small = min(self.block, max(least, LEAST, -(-points // threads)))
        budget = max(small // size, 1)
        if parallel:
            first = parallel[0]
            chunks[first] = even(space.extents[first], budget)
            rest = budget // chunks[first]
            fill(space.extents, parallel[1:], max(rest, 1), chunks)
        return Grid(space.extents, chunks)

    def _frame(self, worker: Worker, shape: tuple[int, ...]) -> _TripFrame:
        key = (worker.number, shape)
        frame = self._frames.get(key)
        if frame is None:
            frame = self._frames[key] = _TripFrame(
                self.program, self.phases, self.space, (self.moves, self.trips), shape, worker
            )
        else:
            frame.again()
        return frame
