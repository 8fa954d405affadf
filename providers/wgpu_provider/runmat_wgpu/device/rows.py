"""Rows of launches, each one submission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runmat_core.api.device import Copy, Launch
from runmat_wgpu.device.bodies import Binding, Body, Run
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.plans import PACK
from runmat_wgpu.device.recorder import Recorder
from runmat_wgpu.device.shared import Shared
from runmat_wgpu.device.words import REGION

#: The most bindings that a row keeps.
BINDINGS = 16
#: The most launches of a row, so that no submission takes long.
LAUNCHES = 256


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


def rows(shared: Shared, steps: list[Launch | Copy], owner: str) -> Iterator[Row]:
    """Make rows whose words fit into a region."""
    for first in range(0, len(steps), LAUNCHES):
        some = steps[first : first + LAUNCHES]
        row = Row(shared, some, owner)
        if row.nbytes <= REGION or len(some) == 1:
            yield row
        else:
            half = len(some) // 2
            yield from rows(shared, some[:half], owner)
            yield from rows(shared, some[half:], owner)
