"""The new arrays of a request, and the steps of a loop that change which slot holds which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from runmat_core.accel.planning.plan import ArrayType, RepeatCall
from runmat_core.api.device import Copy, Executable, Launch, Repeat, Step


class TempAllocator:
    """The new arrays of a request: what is not read any more makes room for the next.

    Args:
        first: the slot of the first one.

    Attributes:
        sorts: of all of them.
        holds: which of them each slot of theirs holds, which repeats change.
    """

    def __init__(self, first: int) -> None:
        self.first = first
        self.sorts: list[ArrayType] = []
        self.holds: list[int] = []
        self._free: dict[ArrayType, list[int]] = defaultdict(list)

    def take(self, sort: ArrayType) -> int:
        """Return the number of one that is free."""
        if self._free[sort]:
            return self._free[sort].pop()
        self.sorts.append(sort)
        self.holds.append(len(self.holds))
        return len(self.sorts) - 1

    def give(self, room: int) -> None:
        """Nothing reads it any more."""
        self._free[self.sorts[room]].append(room)

    def slot(self, room: int) -> int:
        """Return the slot of a temporary array."""
        return self.first + room

    def swap(self, a: int, b: int) -> None:
        """Two slots have changed places."""
        holds, a, b = self.holds, a - self.first, b - self.first
        holds[a], holds[b] = holds[b], holds[a]


def repeated(
    rounds: RepeatCall,
    executables: Sequence[Executable],
    bound: Sequence[int],
    params: Sequence[int],
    rooms: TempAllocator,
) -> list[Step]:
    """Return the trips of a loop, after what brings its variables to their arrays.

    Args:
        executables: one for each unit of the row.
        bound: the slots of `RepeatCall.buffers`.
        params: where the request has `RepeatCall.params`.
        rooms: gives what the loop has for itself, and has it back afterwards.
    """
    own = [rooms.take(sort) for sort in rounds.sorts[len(rounds.buffers) :]]
    slots = [*bound, *[rooms.slot(room) for room in own]]
    row = tuple(
        [
            Launch(
                executable,
                tuple([slots[b.node] for b in one.buffers]),
                one.extents,
                one.views,
                tuple([params[p.position] for p in one.params]),
                one.label,
            )
            for one, executable in zip(rounds.row, executables, strict=True)
        ]
    )
    for room in own:
        rooms.give(room)
    turns = [(slots[a], slots[b]) for a, b in rounds.turns]
    if rounds.trips % 2:
        for pair in turns:
            rooms.swap(*pair)
    rotation = tuple([one for a, b in turns for one in ((a, b), (b, a))])
    advance = tuple([(params[k], by) for k, by in rounds.advance])
    copies = [Copy(slots[a], slots[b]) for a, b in rounds.copies]
    return [*copies, Repeat(row, rounds.trips, rotation, advance, rounds.moves)]
