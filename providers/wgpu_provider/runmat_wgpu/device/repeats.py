"""Repeats: one row of launches, submitted for many trips at a time.

Words of all trips of a submission are made at once by NumPy. Arrays that change places lead to a
few bindings that take turns, so the dispatches of all trips are one stream, recorded without a step
of Python between two trips. Submissions begin small and grow: the device works on one while the
next is recorded. They are bounded by measured time, so that the device stays responsive and the
program can be interrupted between them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice
from time import perf_counter
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from runmat_core.api.device import Addressing, Copy, DeviceFault, Launch, Repeat
from runmat_wgpu.codegen.shader import STORAGE
from runmat_wgpu.device.bodies import Binding, Body, Run
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.plans import PACK
from runmat_wgpu.device.recorder import Bound, Recorder
from runmat_wgpu.device.rows import rows
from runmat_wgpu.device.shared import Shared
from runmat_wgpu.device.words import REGION

#: Seconds of what was submitted and is not over, at most, once it is known how long a trip takes.
LONGEST = 0.2
#: Dispatches of the first submission, and of any: recording more takes the host longer than the
#: device would wait for.
FIRST, MOST = 64, 512
#: The most submissions that are not over.
FLYING = 8
#: Arrays that a repeat keeps bindings for.
KEPT = 8
_NUMPY = {"f32": "<f4", "f64": "<f8", "u32": "<u4", "i32": "<i4", "u64": "<u8", "i64": "<i8"}


def repeated(shared: Shared, repeat: Repeat, owner: str) -> Repeated | Unrolled:
    """Return a part of a program that runs a repeat."""
    made = Repeated(shared, repeat, owner)
    return made if made.can_move and made.nbytes <= REGION else Unrolled(shared, repeat, owner)


class Repeated:
    """A repeat of one row.

    Attributes:
        can_move: whether every view that moves stands in the words of a dispatch.
        nbytes: of the words of a trip.
    """

    def __init__(self, shared: Shared, repeat: Repeat, owner: str) -> None:
        self._shared = shared
        self._repeat = repeat
        self._owner = owner
        self._body = body = Body(shared, repeat.steps, owner, shared.trips)
        self.nbytes = len(body.words)
        self.can_move = True
        self._moves = list(self._moving())
        advanced = {at for first, by in repeat.advance for at in _touched(first, by)}
        self._fixed = [patch for patch in body.patches if patch[2] not in advanced]
        self._advancing = [patch for patch in body.patches if patch[2] in advanced]
        self._varies = bool(self._moves or self._advancing)
        self._label = body.labels[0] if len(set(body.labels)) == 1 else ""
        self._seconds = 0.0  # of a trip, once known
        self._turns: dict[Any, Turns] = {}
        self._groups = 0

    def _moving(self) -> Iterator[tuple[int, int]]:
        """(byte of the words, growth after each trip) of each offset that moves."""
        steps = self._body.steps
        for number, view, by in self._repeat.moves:
            step = steps[number]
            if isinstance(step, Copy):
                raise DeviceFault("A repeat moves a view of a copy.")
            found = [
                (start + place, by)
                for start, move in zip(step.starts, step.plan.moves, strict=True)
                for place, moved in move.offsets
                if moved == view
            ]
            within = all(by % dict(m.multiples).get(view, 1) == 0 for m in step.plan.moves)
            self.can_move = self.can_move and within and (bool(found) or not step.plan.moves)
            yield from found

    # -- running ----------------------------------------------------------------------------------

    def run(self, arrays: list[Array], status: Array | None, params: list[Any]) -> list[Array]:
        if self._moves and self._outreaches(arrays):
            unrolled = Unrolled(self._shared, self._repeat, self._owner)
            return unrolled.run(arrays, status, params)
        memory = self._shared.memory
        rooms = [memory.room(size) for size in self._body.rooms]
        extra: list[Array] = []
        try:
            turns = self._bound(arrays, rooms, status, extra)
            columns = Columns(self._repeat, params)
            self._pieces(turns, columns, params)
        finally:
            for room in (*rooms, *extra):
                memory.pool.give(room.block)
        count = self._repeat.count
        self._shared.counters.ran(self._body.tally, len(self._body.starts) * count, count)
        columns.finish(params)
        return turns.after(count)

    def _bound(
        self,
        arrays: list[Array],
        rooms: list[Array],
        status: Array | None,
        extra: list[Array],
    ) -> Turns:
        """Return the row on these arrays, kept for the next time."""
        groups = self._shared.groups
        if self._groups != groups.epoch:
            self._turns.clear()
            self._groups = groups.epoch
        key = (
            tuple([array.key for array in arrays]),
            tuple([room.key for room in rooms]),
            None if status is None else status.key,
        )
        known = self._turns.get(key)
        if known is None or known.has_extra:
            if len(self._turns) >= KEPT:
                self._turns.clear()
            known = Turns(self._body, self._repeat.rotation, arrays, rooms, status, extra)
            self._turns[key] = known
        known.use(arrays, extra)
        return known

    def _outreaches(self, arrays: Sequence[Array]) -> bool:
        """Whether an array is larger than what a binding shows, so that views may move past it."""
        reach = self._shared.gpu.limits["max-storage-buffer-binding-size"]
        return any(array.nbytes > reach for array in arrays)

    def _pieces(self, turns: Turns, columns: Columns, params: list[Any]) -> None:
        """Submit all trips, no more at a time than take `LONGEST`."""
        gpu, count = self._shared.gpu, self._repeat.count
        width = max(1, len(self._body.starts))
        most = max(1, MOST // width)
        if self._varies:
            most = max(1, min(most, REGION // self.nbytes))
        trips = max(1, FIRST // width)
        flying: deque[tuple[int, int]] = deque()
        done, ended, started = 0, 0, perf_counter()
        while done < count:
            trips = min(trips, most, count - done)
            flying.append((self._submit(turns, columns, params, done, trips), trips))
            done += trips
            while len(flying) > 1 and self._is_enough(done - ended, len(flying)):
                submission, ran = flying.popleft()
                gpu.wait(submission)
                ended += ran
                self._seconds = (perf_counter() - started) / ended
            if self._seconds:
                trips = min(2 * trips, max(1, int(LONGEST / 2 / self._seconds)))

    def _is_enough(self, trips: int, submissions: int) -> bool:
        """Whether to wait before more is submitted, with so much that is not known to be over."""
        seconds = self._seconds
        return not seconds or trips * seconds > LONGEST or submissions >= FLYING

    def _submit(
        self, turns: Turns, columns: Columns, params: list[Any], first: int, trips: int
    ) -> int:
        block, places = self._written(columns, params, turns.after(first), first, trips)
        shared = self._shared
        with Recorder(shared.gpu, shared.clock, self._label) as commands:
            entries = turns.stream(first, trips)
            if entries is not None:
                commands.dispatches(entries, places if self._varies else cycle(places))
            else:
                self._by_trips(commands, turns, places, first, trips)
            del block  # C reads the places while it records
            return commands.submit()

    def _by_trips(
        self, commands: Recorder, turns: Turns, places: list[Any], first: int, trips: int
    ) -> None:
        """Record trips that have more than dispatches in them."""
        width = len(self._body.starts) if self._varies else 0
        for trip in range(trips):
            for action in turns.binding(first + trip).actions:
                if isinstance(action, Run):
                    start = trip * width + action.first
                    there = places[start : start + len(action.entries)]
                    commands.dispatches(action.entries, there)
                elif action.source is None:
                    commands.clear(action.target, action.nbytes)
                else:
                    commands.copy(action.source, 0, action.target, 0, action.nbytes)

    # -- words ------------------------------------------------------------------------------------

    def _written(
        self, columns: Columns, params: list[Any], arrays: list[Array], first: int, trips: int
    ) -> tuple[Any, list[Any]]:
        """Write the words of some trips.

        Args:
            arrays: of the slots in the first of them; those that change places are of one size.

        Returns:
            What holds the places, and a pointer to the place of each dispatch's words.
        """
        if not self.nbytes:
            return None, [None]
        block = bytearray(self._body.words)
        for place, dtype, at in self._fixed:
            PACK[dtype](block, place, params[at])
        for place, slot in self._body.counts:
            PACK["u32"](block, place, arrays[slot].count)
        rows = np.frombuffer(block, np.uint8)[np.newaxis]
        if self._varies:
            rows = np.repeat(rows, trips, axis=0)
            self._vary(rows, columns, first)
        line = np.arange(len(rows))[:, np.newaxis] * self.nbytes
        starts = (line + np.array(self._body.starts)).ravel()
        ffi, body = self._shared.gpu.ffi, self._body
        seen = ffi.from_buffer(np.ascontiguousarray(rows))
        immediates = [seen + at for at in starts.tolist()]
        if not body.uniform:
            return seen, immediates
        words = self._shared.trips
        start = words.region(rows.size)
        words.write(start, rows, rows.size)
        held = ffi.new("uint32_t[]", (start + starts).tolist())
        many = range(len(starts))
        return (seen, held), [
            immediates[k] if body.immediate[k % len(body.starts)] else held + k for k in many
        ]

    def _vary(self, rows: NDArray[np.uint8], columns: Columns, first: int) -> None:
        """Put what differs between trips into their words."""
        trips = len(rows)
        for place, by in self._moves:
            start = int(rows[0, place : place + 4].view("<i4")[0])
            moved = start + by * np.arange(first, first + trips, dtype=np.int64)
            if moved.min() < -(2**31) or moved.max() >= 2**31:
                raise DeviceFault("A repeat moves a view past what 32 bits number.")
            rows[:, place : place + 4] = moved.astype("<i4")[:, np.newaxis].view(np.uint8)
        for place, dtype, at in self._advancing:
            kind = np.dtype(_NUMPY[STORAGE[dtype]])
            with np.errstate(over="ignore"):
                column = columns.of(at)[first : first + trips].astype(kind)
            rows[:, place : place + kind.itemsize] = column[:, np.newaxis].view(np.uint8)


def _touched(first: int, by: int | float) -> tuple[int, ...]:
    return (first, first + 1) if isinstance(by, int) else (first,)


class Columns:
    """The scalars that advance: their values in each trip, and after the last one."""

    def __init__(self, repeat: Repeat, params: list[Any]) -> None:
        self._of: dict[int, NDArray[Any]] = {}
        for at, by in repeat.advance:
            if isinstance(by, int):
                start = int(params[at]) | int(params[at + 1]) << 32
                trips = np.arange(repeat.count + 1, dtype=np.uint64)
                with np.errstate(over="ignore"):
                    wide = np.uint64(start) + trips * np.uint64(by % 2**64)
                self._of[at] = wide & np.uint64(0xFFFFFFFF)
                self._of[at + 1] = wide >> np.uint64(32)
            else:
                steps = np.full(repeat.count + 1, by, np.float64)
                steps[0] = params[at]
                self._of[at] = np.cumsum(steps)  # one after another, as a loop adds

    def of(self, at: int) -> NDArray[Any]:
        return self._of[at]

    def at(self, trip: int, params: list[Any]) -> list[Any]:
        """All params as a trip sees them."""
        seen = list(params)
        for at, column in self._of.items():
            seen[at] = column[trip].item()
        return seen

    def finish(self, params: list[Any]) -> None:
        """Leave the params as the last trip did."""
        for at, column in self._of.items():
            params[at] = column[-1].item()


class Turns:
    """Which arrays the slots stand for in each trip, and the row bound to them.

    Args:
        extra: gets the arrays that bindings have for themselves.
    """

    def __init__(
        self,
        body: Body,
        rotation: Sequence[tuple[int, int]],
        arrays: list[Array],
        rooms: list[Array],
        status: Array | None,
        extra: list[Array],
    ) -> None:
        self._body = body
        self._arrays = arrays
        self._rooms = rooms
        self._status = status
        self._extra = extra
        first = tuple(range(len(arrays)))
        self._states = [first]
        seen = {first: 0}
        while True:
            state = self._states[-1]
            turned = list(state)
            for slot, stands_for in rotation:
                turned[slot] = state[stands_for]
            known = seen.get(tuple(turned))
            if known is not None:
                self._from, self._period = known, len(self._states) - known
                break
            seen[tuple(turned)] = len(self._states)
            self._states.append(tuple(turned))
        self._bound: dict[int, Binding] = {}

    @property
    def has_extra(self) -> bool:
        """Whether a binding has arrays for itself, which a run gives back."""
        return bool(self._extra)

    def use(self, arrays: list[Array], extra: list[Array]) -> None:
        """Run on these, which are bound as the ones before were."""
        self._arrays = arrays
        self._extra = extra

    def _number(self, trip: int) -> int:
        if trip < len(self._states):
            return trip
        return self._from + (trip - self._from) % self._period

    def binding(self, trip: int) -> Binding:
        """Return the row of a trip, bound."""
        number = self._number(trip)
        binding = self._bound.get(number)
        if binding is None:
            binding = self._body.bind(self.after(trip), self._rooms, self._status)
            self._bound[number] = binding
            self._extra += binding.extra
        return binding

    def stream(self, first: int, trips: int) -> Iterator[Bound] | None:
        """Return the dispatches of some trips; None where there is more than dispatches in them."""
        lead = min(max(self._from - first, 0), trips)
        some = min(trips, lead + self._period)
        rows = [dispatches for k in range(some) for dispatches in self.binding(first + k).alone]
        if len(rows) < some:
            return None
        again = [*chain(*rows[lead:])]
        width = len(self._body.starts)
        return chain(*rows[:lead], islice(cycle(again), (trips - lead) * width))

    def after(self, trips: int) -> list[Array]:
        """Return the arrays of the slots when so many trips are over."""
        return [self._arrays[k] for k in self._states[self._number(trips)]]


class Unrolled:
    """A repeat whose trips are launches of their own, where words alone do not tell them apart."""

    def __init__(self, shared: Shared, repeat: Repeat, owner: str) -> None:
        self._shared = shared
        self._repeat = repeat
        self._owner = owner

    def run(self, arrays: list[Array], status: Array | None, params: list[Any]) -> list[Array]:
        repeat = self._repeat
        columns = Columns(repeat, params)
        for trip in range(repeat.count):
            for row in rows(self._shared, self._steps(trip), self._owner):
                row.run(arrays, status, columns.at(trip, params))
            turned = list(arrays)
            for slot, stands_for in repeat.rotation:
                turned[slot] = arrays[stands_for]
            arrays = turned
        columns.finish(params)
        return arrays

    def _steps(self, trip: int) -> list[Launch | Copy]:
        """Return the steps with their views where they are in a trip."""
        steps = list(self._repeat.steps)
        for number, view, by in self._repeat.moves:
            launch = steps[number]
            if isinstance(launch, Copy):
                raise DeviceFault("A repeat moves a view of a copy.")
            views = list(launch.views)
            where = views[view]
            views[view] = Addressing(where.offset + by * trip, where.strides)
            steps[number] = attrs.evolve(launch, views=tuple(views))
        return steps
