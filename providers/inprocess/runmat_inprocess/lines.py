"""All trips of a loop in time in one native call, see `chains`.

What varies from trip to trip alone, as the loop's variable and what is made of it do, is computed
for all trips before the first. Where the rest of a trip is one chain, every piece of a block goes
through all trips in the nearest cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runmat_core.api.tuples import NamedTuple
from runmat_inprocess.chains import Chain, Looked, Row, chained, stage
from runmat_inprocess.native import NATIVE
from runmat_inprocess.schedule import BLOCK, Step
from runmat_inprocess.spread import Spread
from runmat_inprocess.steps import Index, Random

if TYPE_CHECKING:
    from runmat_inprocess.frames import Frame


class _Line(NamedTuple):
    """A step for all trips.

    Attributes:
        operands: places, windows that move, or the lines that stand there.
        out: with an element for every trip.
    """

    function: Any
    operands: tuple[Any, ...]
    out: Any


class _Moving(NamedTuple):
    """A window on one element that moves by `stride` elements from trip to trip."""

    place: int
    stride: int

    def line(self, environment: list[Any], trips: int) -> Any:
        """The elements of all trips, the window standing at the first."""
        first = environment[self.place].reshape(-1)
        return as_strided(first, (trips,), (self.stride * first.itemsize,))


class Whole:
    """All trips of a block.

    Args:
        moves: elements that each view moves by from trip to trip.
    """

    def __init__(
        self, chain: Chain, lines: Sequence[_Line], trips: int, moves: Sequence[int]
    ) -> None:
        self.chain, self.lines, self.trips, self.moves = chain, lines, trips, moves

    def run(self, frame: Frame) -> None:
        """From the first trip to the last, the frame standing at the first."""
        environment = frame.environment
        for function, operands, out in self.lines:
            if isinstance(function, Index):
                first, _ = frame.numbering(function.view)
                move = self.moves[function.view]
                np.copyto(out, np.arange(self.trips, dtype=np.int64) * move + first, "unsafe")
            else:
                function(*[_line(o, environment, self.trips) for o in operands], out)
        self.chain.through(frame, self.trips)


def _line(operand: Any, environment: list[Any], trips: int) -> Any:
    """One value for all trips, or one for each."""
    if isinstance(operand, _Moving):
        return operand.line(environment, trips)
    return environment[operand] if isinstance(operand, int) else operand


def may_be_whole(each: Sequence[Step]) -> bool:
    """Whether the steps of a trip are such as a chain or lines can be made of."""
    return all(
        BLOCK not in step.places
        or isinstance(step.function, Index)
        or (isinstance(step.function, Random) and step.function.uniform and stage() == 2)
        for step in each
    )


def whole(
    frame: Frame,
    phases: Sequence[Sequence[Step]],
    trips: int,
    moves: Sequence[int],
    moving: dict[int, int],
) -> Whole | None:
    """All trips of the second of three phases at once; None where its steps do not allow it.

    Args:
        moving: elements that a window moves by, by place.
    """
    if NATIVE.run is None:
        return None
    before, each, after = phases
    looked = Looked(frame)
    written = {step.places[-1] for step in each}
    now: dict[int, Any] = {}
    lines: list[_Line] = []
    run: list[Step] = []
    rows: list[Row] = []
    for step in each:
        fixed = _fixed(step, looked, now, written, moving)
        if fixed is not None:
            out = np.empty(trips, frame.environment[step.places[-1]].dtype)
            lines.append(_Line(step.function, fixed, out))
            now[step.places[-1]] = out
            continue
        row = looked.row(step, now)
        if row is None or _carried_scalar(row, written):
            return None
        run.append(step)
        rows.append(row)
    if not rows or any(place in now for step in (*before, *after) for place in step.places):
        return None
    uses = Counter(place for steps in phases for step in steps for place in set(step.places))
    chain = chained(run, rows, frame, looked, uses)
    chain.moving(moving, moves)
    return Whole(chain, lines, trips, moves)


def _fixed(
    step: Step, looked: Looked, now: dict[int, Any], written: set[int], moving: dict[int, int]
) -> tuple[Any, ...] | None:
    """The operands of a step that is the same at every point of a block; None for another one."""
    *read, out = step.places
    made = looked.operand(out)
    if made is None or made.kind != "register" or not made.spread or out in looked.frame.kept:
        return None
    if isinstance(step.function, Index):
        return ()
    # functions of one operand have no scratch behind their result
    plain = isinstance(step.function, np.ufunc | Spread) or len(read) == 1
    if not plain or BLOCK in read:
        return None
    operands: list[Any] = []
    for place in read:
        operand = looked.operand(place)
        if place in now:
            operands.append(now[place])
        elif operand is None or not operand.spread or place in written:
            return None
        else:
            operands.append(_Moving(place, moving[place]) if place in moving else place)
    return tuple(operands)


def _carried_scalar(row: Row, written: set[int]) -> bool:
    """Whether a row reads one value for all points that each trip makes anew."""
    return any(o.kind == "register" and o.spread and o.place in written for o in row.operands)
