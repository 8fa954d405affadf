"""Programs: the steps of a request, laid out once and run with other arrays and scalars each time.

A program is a sequence of rows (`bodies.Body`), each one submission, and of repeats
(`repeats.Repeated`). Short repeats in which nothing but arrays changes are part of a row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import attrs

from runmat_core.api.device import Copy, Launch, Repeat, Step
from runmat_wgpu.device.bodies import Binding, Body, Run
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.plans import PACK
from runmat_wgpu.device.recorder import Recorder
from runmat_wgpu.device.shared import Shared
from runmat_wgpu.device.words import REGION

#: How many programs are kept, and how many bindings of each.
KEPT, BINDINGS = 512, 16
#: The most launches of a row, so that no submission takes long.
LAUNCHES = 256
#: The most launches of a repeat that is part of a row.
SHORT = 96


class Part(Protocol):
    """A part of a program."""

    def run(self, arrays: list[Array], status: Array | None, params: list[Any]) -> list[Array]:
        """Start it.

        Args:
            params: of the request; a repeat leaves them as its last trip did.

        Returns:
            The arrays of the request's slots as they are after it.
        """


class Row:
    """A body that runs once, as one submission."""

    def __init__(self, shared: Shared, steps: Sequence[Launch | Copy], owner: str) -> None:
        self._shared = shared
        self._body = Body(shared, steps, owner, shared.words)
        self._patches = [(PACK[dtype], place, at) for place, dtype, at in self._body.patches]
        self._label = self._body.labels[0] if len(set(self._body.labels)) == 1 else ""
        self.nbytes = len(self._body.words)
        self._block = bytearray(self._body.words)
        self._seen = shared.gpu.ffi.from_buffer(self._block)  # as C sees it
        self._written = b""
        self._epoch = 0
        self._start = 0
        self._places: list[Any] = []
        self._bindings: dict[Any, Binding] = {}
        self._groups = 0

    def run(self, arrays: list[Array], status: Array | None, params: list[Any]) -> list[Array]:
        self.recorded(arrays, status, params, submit=True)
        return arrays

    def recorded(
        self, arrays: list[Array], status: Array | None, params: list[Any], submit: bool
    ) -> Recorder:
        """Record it, and submit it or hold it: whoever goes on with the recorder submits it."""
        shared, body = self._shared, self._body
        memory = shared.memory
        rooms = [memory.room(size) for size in body.rooms] if body.rooms else []
        extra: Sequence[Array] = ()
        try:
            with Recorder(shared.gpu, shared.clock, self._label) as commands:
                self._fill(params, arrays)
                binding = self._bound(arrays, rooms, status)
                extra = binding.extra
                for action in binding.actions:
                    if isinstance(action, Run):
                        first = action.first
                        places = self._places[first:] if first else self._places
                        if shared.profile:
                            commands.profiled(action.entries, places, body.labels[first:])
                        else:
                            commands.dispatches(action.entries, places)
                    elif action.source is None:
                        commands.clear(action.target, action.nbytes)
                    else:
                        commands.copy(action.source, 0, action.target, 0, action.nbytes)
                if submit:
                    commands.submit()
                else:
                    commands.hold()
        finally:
            for room in (*rooms, *extra):
                memory.pool.give(room.block)
        shared.counters.ran(body.tally, len(body.starts))
        return commands

    def _fill(self, params: list[Any], arrays: Sequence[Array]) -> None:
        """Have the scalars where the dispatches read them."""
        words = self._shared.words
        block = self._block
        if not block:
            return
        for pack, place, at in self._patches:
            pack(block, place, params[at])
        for place, slot in self._body.counts:
            PACK["u32"](block, place, arrays[slot].count)
        if not self._body.uniform:
            if not self._places:
                self._places = [self._seen + start for start in self._body.starts]
            return
        if self._epoch != words.epoch or not self._places:
            self._start = words.region(len(block))
            self._epoch = words.epoch
            self._written = b""
            new = self._shared.gpu.ffi.new
            self._places = [
                self._seen + start if immediate else new("uint32_t[1]", [self._start + start])
                for start, immediate in zip(self._body.starts, self._body.immediate, strict=True)
            ]
        if block != self._written:
            words.put(self._start, self._seen, len(block))
            self._written = bytes(block)

    def _bound(self, arrays: list[Array], rooms: list[Array], status: Array | None) -> Binding:
        groups = self._shared.groups
        if self._groups != groups.epoch:
            self._bindings.clear()
        key = (
            tuple([array.key for array in arrays]),
            tuple([room.key for room in rooms]) if rooms else (),
            None if status is None else status.key,
        )
        known = self._bindings.get(key)
        if known is not None:
            return known
        binding = self._body.bind(arrays, rooms, status)
        if not binding.extra:
            if len(self._bindings) >= BINDINGS:
                self._bindings.clear()
            self._bindings[key] = binding
            self._groups = groups.epoch
        return binding


class Turn:
    """Arrays change places, as repeats before it in a row have them do.

    Args:
        turned: for each slot the one whose array it has from now on.
    """

    def __init__(self, turned: dict[int, int]) -> None:
        self._turned = turned

    def run(self, arrays: list[Array], status: Array | None, params: list[Any]) -> list[Array]:
        return [arrays[self._turned.get(slot, slot)] for slot in range(len(arrays))]


def _is_short(repeat: Repeat) -> bool:
    """Whether a repeat may be written out as launches of a row."""
    varies = repeat.advance or repeat.moves
    return not varies and repeat.count * len(repeat.steps) <= SHORT


def _on(step: Launch | Copy, turned: dict[int, int]) -> Launch | Copy:
    """A step on the arrays that its slots have by then."""
    if not turned:
        return step
    if isinstance(step, Copy):
        return Copy(turned.get(step.source, step.source), turned.get(step.target, step.target))
    return attrs.evolve(step, slots=tuple([turned.get(slot, slot) for slot in step.slots]))


class Programs:
    """Programs by the steps that they run; the same tuple of steps is the same program."""

    def __init__(self, shared: Shared, owner: str) -> None:
        self._shared = shared
        self._owner = owner
        self._known: OrderedDict[int, tuple[tuple[Step, ...], list[Part]]] = OrderedDict()

    def get(self, steps: tuple[Step, ...]) -> list[Part]:
        """The program of these steps."""
        known = self._known.get(id(steps))
        if known is not None:
            self._known.move_to_end(id(steps))
            return known[1]
        program = list(self._parts(steps))
        # the steps are kept, so no others can have their identity
        self._known[id(steps)] = (steps, program)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return program

    def _parts(self, steps: tuple[Step, ...]) -> Iterator[Part]:
        from runmat_wgpu.device.repeats import repeated

        row: list[Launch | Copy] = []
        turned: dict[int, int] = {}
        for step in steps:
            if not isinstance(step, Repeat):
                row.append(_on(step, turned))
            elif _is_short(step):
                for _ in range(step.count):
                    row += [_on(one, turned) for one in step.steps]
                    turned |= {slot: turned.get(other, other) for slot, other in step.rotation}
            else:
                if row:
                    yield from rows(self._shared, row, self._owner)
                if turned:
                    yield Turn(turned)
                row, turned = [], {}
                yield repeated(self._shared, step, self._owner)
        if row:
            yield from rows(self._shared, row, self._owner)

    def clear(self) -> None:
        """Forget all."""
        self._known.clear()


def rows(shared: Shared, steps: list[Launch | Copy], owner: str) -> Iterator[Row]:
    """Rows whose words fit into a region."""
    for first in range(0, len(steps), LAUNCHES):
        some = steps[first : first + LAUNCHES]
        row = Row(shared, some, owner)
        if row.nbytes <= REGION or len(some) == 1:
            yield row
        else:
            half = len(some) // 2
            yield from rows(shared, some[:half], owner)
            yield from rows(shared, some[half:], owner)
