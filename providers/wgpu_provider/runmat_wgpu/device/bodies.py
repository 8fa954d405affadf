"""Launches and copies in a row: laid out once, bound to arrays when they run.

All words of the row are one block. Memory of the launches' own is numbered as *rooms*: what one
launch is done with serves the next, except what must be zero at first, which is cleared at the
beginning of the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from runmat_core.api.device import Copy, DeviceFault, Launch
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.plans import Compiled, Move, Plan
from runmat_wgpu.device.pool import size_class
from runmat_wgpu.device.recorder import Bound
from runmat_wgpu.device.shared import Shared
from runmat_wgpu.device.words import Words


@attrs.frozen(eq=False)
class Placed:
    """A launch in a row.

    Attributes:
        rooms: of each of its scratch arrays.
        starts: of the words of its dispatches, in bytes.
    """

    launch: Launch
    plan: Plan
    label: str
    rooms: tuple[int, ...]
    starts: tuple[int, ...]


@attrs.frozen(eq=False)
class Run:
    """Dispatches one after another.

    Attributes:
        entries: bound, in order.
        first: the number of the first one in the row.
    """

    entries: tuple[Bound, ...]
    first: int


@attrs.frozen(eq=False)
class Transfer:
    """A copy of whole arrays, or a clear where there is no source; buffers as C sees them."""

    source: Any
    target: Any
    nbytes: int


@attrs.frozen(eq=False)
class Binding:
    """A row on certain arrays.

    Attributes:
        actions: in order.
        groups: keeps the bind groups.
        extra: arrays that it has for itself, to be given back after it ran.
    """

    actions: tuple[Run | Transfer, ...]
    groups: tuple[Any, ...]
    extra: tuple[Array, ...] = ()

    @property
    def alone(self) -> tuple[tuple[Bound, ...], ...]:
        """Return its dispatches where it is nothing else; else nothing."""
        actions = self.actions
        if not actions:
            return ((),)
        run = actions[0]
        return (run.entries,) if isinstance(run, Run) and len(actions) == 1 else ()


class Body:
    """A row of launches and copies.

    Args:
        owner: of the executables.
        words: where the words will be.

    Attributes:
        steps: launches and copies, placed.
        words: the block of all words; zeros where scalars go.
        starts: of the words of each dispatch in it.
        immediate: whether each dispatch has its words with the commands.
        uniform: whether any has them in the buffer of words.
        labels: of each dispatch.
        rooms: bytes of each.
        patches: (byte of the block, element type, index into the request's params).
        counts: (byte of the block, slot of the request whose number of elements goes there).
        tally: launches, bytes read and written, and (label, launches) of all.
    """

    def __init__(
        self, shared: Shared, steps: Sequence[Launch | Copy], owner: str, words: Words
    ) -> None:
        self._shared = shared
        self._region = words
        self.steps: list[Placed | Copy] = []
        self.rooms: list[int] = []
        self.starts: list[int] = []
        self.immediate: list[bool] = []
        self.labels: list[str] = []
        self.patches: list[tuple[int, str, int]] = []
        self.counts: list[tuple[int, int]] = []
        self._cleared: list[int] = []
        self._idle: dict[int, list[int]] = {}
        block = bytearray()
        for step in steps:
            self.steps.append(step if isinstance(step, Copy) else self._placed(step, owner, block))
        self.words = bytes(block)
        self.uniform = not all(self.immediate)
        self.tally = self._tallied()

    # -- laying out -------------------------------------------------------------------------------

    def _placed(self, launch: Launch, owner: str, block: bytearray) -> Placed:
        compiled = launch.executable.payload
        if launch.executable.owner != owner or compiled.__class__ is not Compiled:
            raise DeviceFault(f"An executable of {launch.executable.owner} reached {owner}.")
        plan = compiled.plan(launch.extents, launch.views, self._shared.pipelines)
        label = launch.label or compiled.unit.name
        rooms = tuple(
            [self._room(size, number in plan.cleared) for number, size in enumerate(plan.scratch)]
        )
        starts = []
        for move in plan.moves:
            starts.append(len(block))
            self.immediate.append(move.pipeline.immediate)
            self._words(move, launch, block)
            self.labels.append(label)
        self.starts += starts
        for number, room in enumerate(rooms):
            if number not in plan.cleared:
                self._idle.setdefault(self.rooms[room], []).append(room)
        return Placed(launch, plan, label, rooms, tuple(starts))

    def _words(self, move: Move, launch: Launch, block: bytearray) -> None:
        start = len(block)
        for place, dtype, number in move.patches:
            self.patches.append((start + place, dtype, launch.params[number]))
        for place, number in move.counts:
            self.counts.append((start + place, launch.slots[number]))
        block += move.words
        block += bytes(-len(block) % self._region.alignment)

    def _room(self, nbytes: int, cleared: bool) -> int:
        size = size_class(max(16, nbytes))
        idle = self._idle.get(size)
        if idle and not cleared:
            return idle.pop()
        self.rooms.append(size)
        if cleared:
            self._cleared.append(len(self.rooms) - 1)
        return len(self.rooms) - 1

    def _tallied(self) -> tuple[int, int, int, tuple[tuple[str, int], ...]]:
        placed = [step for step in self.steps if isinstance(step, Placed)]
        counts: dict[str, int] = {}
        for step in placed:
            counts[step.label] = counts.get(step.label, 0) + 1
        return (
            len(placed),
            sum([step.plan.reads for step in placed]),
            sum([step.plan.writes for step in placed]),
            tuple(counts.items()),
        )

    # -- binding ----------------------------------------------------------------------------------

    def bind(
        self, arrays: Sequence[Array], rooms: Sequence[Array], status: Array | None
    ) -> Binding:
        """Return the row on these arrays.

        Args:
            arrays: of the request's slots.
            rooms: one for each of `rooms`.
            status: the status word, where kernels have guards.
        """
        actions: list[Run | Transfer] = [
            Transfer(None, rooms[k].block.raw, rooms[k].nbytes) for k in self._cleared
        ]
        extra: list[Array] = []
        groups: list[Any] = []
        run: list[Bound] = []
        first = 0
        for step in self.steps:
            if isinstance(step, Copy):
                copies = _copy(arrays[step.source], arrays[step.target])
                own: list[Array] = []
            else:
                own = [arrays[slot] for slot in step.launch.slots]
                copies = self._apart(step.plan, own, extra)
            if copies:
                if run:
                    actions.append(Run(tuple(run), first))
                    first += len(run)
                    run = []
                actions += copies
            if isinstance(step, Placed):
                scratch = [rooms[room] for room in step.rooms]
                for move in step.plan.moves:
                    group = self._group(move, own, scratch, status)
                    groups.append(group)
                    words: Any = move.pipeline.words
                    if not move.pipeline.immediate:
                        words = self._region.group(words)
                    run.append((move.pipeline.raw, group.raw, words, *move.grid))
        if run:
            actions.append(Run(tuple(run), first))
        return Binding(tuple(actions), tuple(groups), tuple(extra))

    def _apart(self, plan: Plan, own: list[Array], extra: list[Array]) -> list[Transfer]:
        """No dispatch may read and write one buffer: what is only read is copied before."""
        written = {own[k].block.serial for k in plan.written}
        copies: list[Transfer] = []
        for number, array in enumerate(own):
            if array.block.serial in written and number not in plan.written:
                twin = self._shared.memory.room(array.nbytes)
                extra.append(twin)
                copies += _copy(array, twin)
                own[number] = twin
        return copies

    def _group(
        self, move: Move, own: Sequence[Array], scratch: Sequence[Array], status: Array | None
    ) -> Any:
        seen = []
        reach = self._shared.gpu.limits["max-storage-buffer-binding-size"] // 16 * 16
        for bind in move.binds:
            if bind.source == "slot":
                array = own[bind.index]
            elif bind.source == "scratch":
                array = scratch[bind.index]
            elif status is not None:
                array = status
            else:
                raise DeviceFault("A kernel with guards was run without a status array.")
            size = array.nbytes - bind.offset
            if bind.size is not None:
                size = min(size, bind.size)
            elif size > reach:
                # what is counted is indexed by computed numbers, which may lie anywhere
                if bind.source == "slot" and any(number == bind.index for _, number in move.counts):
                    raise DeviceFault("An array is too large for this device to index as a whole.")
                size = reach
            if size <= 0:  # would end the process
                raise DeviceFault("A kernel addresses past the end of an array.")
            seen.append((array.block.serial, array.block.raw, bind.offset, size))
        layout = move.pipeline.storage
        return self._shared.groups.get(layout.raw, layout.number, tuple(seen))


def _copy(source: Array, target: Array) -> list[Transfer]:
    if source.block is target.block:
        return []
    return [Transfer(source.block.raw, target.block.raw, min(source.nbytes, target.nbytes))]
