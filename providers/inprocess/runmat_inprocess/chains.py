"""Runs of a schedule's steps that go through NumPy's loops natively, see `native`.

A step may take part if it is one ufunc over arrays of one size without gaps, or scalars. Steps in
a row that may make one chain, which is called once for a block, or once for all trips of a loop in
time. What only a chain reads is computed in the same short piece of memory again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.tuples import NamedTuple
from runmat_inprocess.casts import convert
from runmat_inprocess.native import (
    ADDRESS,
    ADVANCE,
    LOOP,
    MOVE,
    NATIVE,
    OPERANDS,
    PIECE,
    ROW,
    STRIDE,
)
from runmat_inprocess.philox import WORDS
from runmat_inprocess.pool import LINE, Worker
from runmat_inprocess.schedule import BLOCK, Step
from runmat_inprocess.spread import Spread
from runmat_inprocess.steps import Index, Random, store

if TYPE_CHECKING:
    from runmat_inprocess.frames import Frame

#: Blocks of fewer elements, and chains of fewer steps, are not worth a call.
FEWEST, SHORTEST = 256, 2
#: Elements times rows from which a block that is alone is shared by threads, and what the elements
#: of a share are a multiple of.
SHARED, CUT = 1 << 19, 1 << 10
NO_LINES: Mapping[int, Any] = {}
#: Word numbers have 64 bits without a sign, tables have signs.
HALF = 1 << 63


def stage() -> int:
    """What there is to make chains of: 0 nothing, 1 loops, 2 random numbers, too."""
    return 0 if NATIVE.run is None else 1 if WORDS.direct is None else 2


def address(array: Any) -> int:
    """Where the elements of an array start."""
    start: int = array.__array_interface__["data"][0]
    return start


class _Operand(NamedTuple):
    """An operand of a chain.

    Attributes:
        place: in the environment.
        kind: ``register``, ``window`` or ``scalar``; ``line`` for what is there for every trip.
        spread: whether every element of the block has the same.
        line: the values of all trips.
    """

    place: int
    kind: str
    dtype: Any
    spread: bool
    line: Any = None


class Row(NamedTuple):
    """A step that may take part.

    Attributes:
        numbered: the step, where it draws random numbers or numbers elements; the row then has the
            result alone.
        step: by which neighbours' numbers differ.
    """

    loop: tuple[int, int, int]
    operands: tuple[_Operand, ...]
    numbered: Step | None = None
    step: int = 0


class _Numbered(NamedTuple):
    """A row whose first operand is a number that the elements of a block count on from.

    Attributes:
        row: its number.
        view: that numbers the elements.
        words: of the random stream for each element; 1 where the numbers themselves are wanted.
        key, places: of the words of the stream's key, and of its position; empty without.
    """

    row: int
    view: int
    words: int
    key: Any
    places: tuple[int, ...]


class _Share(NamedTuple):
    """Elements of a chain that one thread takes.

    Attributes:
        first, elements: which.
        table, start: the chain's, with other addresses, and where it is.
        shift: what is added to addresses of memory that the chain keeps for itself.
        memory: that it is replaced by.
    """

    first: int
    elements: int
    table: Any
    start: int
    shift: Any
    memory: tuple[Any, ...]


class Chain:
    """Rows that run one after the other, piece by piece.

    Attributes:
        windows: (row, operand, window) of what lies somewhere else for each block.
    """

    def __init__(self, rows: Sequence[Row], frame: Frame, own: Collection[int]) -> None:
        self.elements = frame.points
        self.rows = len(rows)
        self.table = np.zeros((self.rows, ROW), np.int64)
        self._start = address(self.table)
        self.windows: list[tuple[int, int, Any]] = []
        self._scalars: list[tuple[Any, int]] = []
        self._numbered: list[_Numbered] = []
        self._own: list[tuple[int, int]] = []
        self._shares: list[_Share] = []
        widest = 1
        by_place = {window.place: window for window in frame.windows}
        held: dict[int, Any] = {}
        for k, row in enumerate(rows):
            self.table[k, LOOP:ADDRESS] = row.loop
            if row.numbered is not None:
                self._number(k, row, row.numbered)
            for j, operand in enumerate(row.operands, row.numbered is not None):
                size = operand.dtype.itemsize
                widest = max(widest, size)
                if not operand.spread:
                    self.table[k, STRIDE + j] = size
                    self.table[k, ADVANCE + j] = 0 if operand.place in own else size
                    if operand.place in own:
                        self._own.append((k, j))
                if operand.kind == "line":
                    self.table[k, ADDRESS + j] = address(operand.line)
                    self.table[k, MOVE + j] = size
                elif operand.kind == "window":
                    self.windows.append((k, j, by_place[operand.place]))
                elif operand.kind == "scalar":
                    # launches have scalars of their own, tables one place for them
                    if operand.place not in held:
                        held[operand.place] = np.empty((), operand.dtype)
                        self._scalars.append((held[operand.place], operand.place))
                    self.table[k, ADDRESS + j] = address(held[operand.place])
                else:
                    self.table[k, ADDRESS + j] = address(frame.environment[operand.place])
        self.piece = PIECE // widest

    def _number(self, k: int, row: Row, step: Step) -> None:
        """Let the first operand of a row be a number."""
        draws = isinstance(step.function, Random)
        words = row.operands[0].dtype.itemsize // 4 if draws else 1
        key = np.zeros(2, np.uint64)
        self.table[k, LOOP + 1] = address(key)
        self.table[k, ADVANCE] = self.table[k, STRIDE] = row.step * words
        places = step.places[1:5] if draws else ()
        self._numbered.append(_Numbered(k, step.function.view, words, key, places))

    def moving(self, places: Mapping[int, int], views: Sequence[int]) -> None:
        """Let operands move from trip to trip.

        Args:
            places: elements that windows move by.
            views: elements that views move by.
        """
        for k, j, window in self.windows:
            self.table[k, MOVE + j] = places.get(window.place, 0) * window.itemsize
        for one in self._numbered:
            self.table[one.row, MOVE] = views[one.view] * one.words

    def __call__(self, frame: Frame) -> None:
        self.through(frame, 1)

    def through(self, frame: Frame, trips: int) -> None:
        """Run all trips, for a piece after the other."""
        environment, table = frame.environment, self.table
        for k, j, window in self.windows:
            table[k, ADDRESS + j] = address(environment[window.place])
        for held, place in self._scalars:
            held[...] = environment[place]
        for one in self._numbered:
            number = frame.numbering(one.view)[0] * one.words
            if one.places:
                low, high, *position = (int(environment[place]) for place in one.places)
                one.key[:] = low, high
                number += position[0] | position[1] << 32
            table[one.row, ADDRESS] = (number + HALF) % (2 * HALF) - HALF
        run: Any = NATIVE.run
        pool = frame.pool
        if pool is None or trips > 1 or self.rows * self.elements < SHARED:
            run(self._start, self.rows, self.elements, self.piece, trips)
            return
        if not self._shares:
            self._share(2 * len(pool.workers))
        for share in self._shares:
            np.multiply(table, share.first, share.table)
            moved = share.table[:, ADVANCE : ADVANCE + OPERANDS]
            here = table[:, ADDRESS : ADDRESS + OPERANDS] + moved + share.shift
            share.table[...] = table
            share.table[:, ADDRESS : ADDRESS + OPERANDS] = here

        def task(worker: Worker, number: int) -> None:
            share = self._shares[number]
            run(share.start, self.rows, share.elements, self.piece, 1)

        pool.run(len(self._shares), task)

    def _share(self, most: int) -> None:
        """Cut the elements into shares, each with memory of its own for what the chain keeps."""
        size = min(self.piece, self.elements) * 8
        length = -(-self.elements // most // CUT) * CUT
        for first in range(0, self.elements, length):
            memory: dict[int, Any] = {}
            shift = np.zeros((self.rows, OPERANDS), np.int64)
            for k, j in self._own:
                held = int(self.table[k, ADDRESS + j])
                if held not in memory:
                    memory[held] = np.empty(size // 8 + LINE, np.float64)
                shift[k, j] = -(-address(memory[held]) // LINE) * LINE - held
            table = np.empty_like(self.table)
            elements = min(length, self.elements - first)
            own = tuple(memory.values())
            self._shares.append(_Share(first, elements, table, address(table), shift, own))


def linked(phases: Sequence[Sequence[Step]], frame: Frame) -> list[tuple[Step, ...]]:
    """The steps of some phases with chains in place of those that may run natively.

    Phases run one after the other, the middle one of several many times.
    """
    if NATIVE.run is None or frame.points < FEWEST:
        return [tuple(steps) for steps in phases]
    looked = Looked(frame)
    parts = [_runs(steps, looked) for steps in phases]
    uses = Counter(place for steps in phases for step in steps for place in set(step.places))
    # memory is shared by places of different types, so what is a chain's own is told by address
    return [
        tuple(
            step
            for run, rows in runs
            for step in (_step(chained(run, rows, frame, looked, uses)) if rows else run)
        )
        for runs in parts
    ]


class Looked:
    """What is known of the places of a frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        program = frame.program
        scalars = {place: position for position, place in program.place.items()}
        self.scalars = {
            place: NUMPY_DTYPE[program.kernel.code[position].dtype]
            for place, position in scalars.items()
        }
        self.windows = {window.place: window for window in frame.windows if window.whole}
        self.registers = {register.place for register in frame.schedule.registers}

    def operand(self, place: int) -> _Operand | None:
        if place in self.scalars:
            return _Operand(place, "scalar", self.scalars[place], True)
        points = self.frame.points
        if place in self.windows:
            window = self.windows[place]
            if window.size in (1, points):
                return _Operand(place, "window", window.dtype, window.size == 1)
        if place in self.registers:
            array = self.frame.environment[place]
            if array.size in (1, points):
                return _Operand(place, "register", array.dtype, array.size == 1)
        return None

    def row(self, step: Step, lines: Mapping[int, Any] = NO_LINES) -> Row | None:
        """What a step is in a table; None where it cannot take part.

        Args:
            lines: the values of all trips, by the place where a trip has its own.
        """
        function: Any = step.function
        if isinstance(function, Random | Index):
            return self._numbering(step)
        if isinstance(function, Spread):
            function = function.ufunc
        if function is store:
            function = np.positive
        count = function.nargs if isinstance(function, np.ufunc) else 2
        known_kind = isinstance(function, np.ufunc) or function is convert
        if not known_kind or len(step.places) != count or count > OPERANDS:
            return None
        operands = [
            _Operand(place, "line", lines[place].dtype, True, lines[place])
            if place in lines
            else self.operand(place)
            for place in step.places
        ]
        known = tuple(operand for operand in operands if operand is not None)
        if len(known) < len(operands) or known[-1].spread:
            return None
        types = tuple(operand.dtype for operand in known)
        if function is convert:
            own = NATIVE.own.get("_".join(f"f{8 * t.itemsize}" for t in types if t.kind == "f"))
            return None if own is None or known[0].spread else Row((own, 0, 0), known)
        strides = tuple(0 if o.spread else o.dtype.itemsize for o in known)
        loop = NATIVE.loop(function, types, strides)
        return None if loop is None else Row(loop, known)

    def _numbering(self, step: Step) -> Row | None:
        """The row of a step that draws uniforms or numbers elements, at even steps in the block."""
        function, out = step.function, self.operand(step.places[-1])
        if out is None or out.spread or function.view is None:
            return None
        by, extents = 0, 1
        for extent, stride in zip(
            self.frame.shape, self.frame.space.views[function.view].strides, strict=True
        ):
            if extent > 1:
                by = stride if extents == 1 else by
                if stride != by * extents:
                    return None
                extents *= extent
        if isinstance(function, Index):
            loop = NATIVE.own["numbers"] if out.dtype == np.float64 else None
        else:
            fits = WORDS.direct is not None and function.uniform and by == 1
            loop = WORDS.direct.loops.get(out.dtype.itemsize) if WORDS.direct and fits else None
        return None if loop is None else Row((loop, 0, 0), (out,), step, by)


def _runs(steps: Sequence[Step], looked: Looked) -> list[tuple[list[Step], list[Row]]]:
    """Steps in runs that may take part, with their rows, and runs that may not, with none."""
    runs: list[tuple[list[Step], list[Row]]] = []
    for step in steps:
        row = looked.row(step)
        if not runs or bool(runs[-1][1]) != (row is not None):
            runs.append(([], []))
        runs[-1][0].append(step)
        if row is not None:
            runs[-1][1].append(row)
    return [(run, rows if len(rows) >= SHORTEST else []) for run, rows in runs]


def chained(
    run: Sequence[Step], rows: Sequence[Row], frame: Frame, looked: Looked, uses: Counter[int]
) -> Chain:
    """The chain of some steps.

    Args:
        uses: how many steps of the frame read or write a place.
    """
    inside = Counter(place for step in run for place in set(step.places))
    registers = {p: address(frame.environment[p]) for p in inside if p in looked.registers}
    written: set[int] = set()
    foreign: set[int] = set()  # what was there before the chain
    for step in run:
        *read, out = step.places
        foreign.update(place for place in read if place not in written)
        written.add(out)
    mine = {
        place
        for place in registers
        if place not in foreign and place not in frame.kept and inside[place] == uses[place]
    }
    shared = {start for place, start in registers.items() if place not in mine}
    return Chain(rows, frame, {place for place in mine if registers[place] not in shared})


def _step(chain: Chain) -> list[Step]:
    return [Step(chain, _block, (BLOCK,))]


def _block(environment: list[Any]) -> tuple[Any, ...]:
    return (environment[BLOCK],)
