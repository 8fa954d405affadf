"""Programs: the steps of a request, laid out once and run with other arrays and scalars each time.

A program is a sequence of rows (`rows.Row`), each one submission, and of repeats
(`repeats.Repeated`). Short repeats in which nothing but arrays changes are part of a row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Protocol

import attrs

from runmat_core.api.device import Copy, Launch, Repeat, Step
from runmat_wgpu.device.memory import Array
from runmat_wgpu.device.plans import Compiled
from runmat_wgpu.device.repeats import repeated
from runmat_wgpu.device.rows import rows
from runmat_wgpu.device.shared import Shared

#: How many programs are kept.
KEPT = 512
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
    """Return a step on the arrays that its slots have by then."""
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
        """Return the program of these steps."""
        known = self._known.get(id(steps))
        if known is not None:
            self._known.move_to_end(id(steps))
            return known[1]
        self._begin(steps)
        program = list(self._parts(steps))
        # the steps are kept, so no others can have their identity
        self._known[id(steps)] = (steps, program)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return program

    def _begin(self, steps: tuple[Step, ...]) -> None:
        """Have the pipelines of all launches made at the same time."""
        for step in steps:
            if isinstance(step, Repeat):
                self._begin(step.steps)
            elif isinstance(step, Launch) and isinstance(step.executable.payload, Compiled):
                step.executable.payload.begin(step.extents, step.views, self._shared.pipelines)

    def _parts(self, steps: tuple[Step, ...]) -> Iterator[Part]:
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
