"""From the instructions of a pass to steps: functions over the numbered places of an environment.

A step is ``function(*environment[registers])``. Registers are arrays of a block's shape; their
memory is used again as soon as a value is not needed any more, where possible by the very step that
needs it last. Values that are stored are computed where they are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import OPS, Instr
from runmat_inprocess import steps
from runmat_inprocess.compiler import Program, attr
from runmat_inprocess.maps import Rule
from runmat_inprocess.schedule import BLOCK, Bind, Given, Register, Schedule, Step
from runmat_inprocess.spread import Spread


def schedule(
    program: Program, sequence: Sequence[int], *, keep: bool = False, late_stores: bool = False
) -> Schedule:
    """Return steps for some positions of a program's code, in order.

    Args:
        keep: every value stays, in memory of its own.
        late_stores: write results after everything was read, because an output lies in the memory
            of an input.
    """
    return Scheduler(program, sequence, keep, late_stores).run()


class Scheduler:
    """Places values and registers while it walks through a sequence."""

    def __init__(
        self, program: Program, sequence: Sequence[int], keep: bool, late_stores: bool
    ) -> None:
        self.program = program
        self.code = program.kernel.code
        if late_stores:
            sequence = sorted(sequence, key=lambda p: (self.code[p].op == "store", p))
        self.sequence = sequence
        self.keep = keep
        self.places: dict[int, int] = dict(program.place)
        self.size = 1 + len(program.scalars)
        self.steps: list[Step] = []
        self.binds: list[Bind] = []
        self.givens: list[Given] = []
        self.registers: list[Register] = []
        self.known: dict[tuple[int, str], int] = {}
        self.slab_of: dict[int, int] = {}
        self.free: dict[tuple[int, int], list[int]] = {}
        self.slabs = 0
        self.position = -1
        self.last = {a: p for p in sequence for a in program.operands(p)}
        self.direct = {} if late_stores else self._direct_stores()
        self.numbers = self._numbers_of_doubles()

    def run(self) -> Schedule:
        """Return the schedule of the whole sequence."""
        self.place_all(self.sequence)
        return self.made()

    def place_all(self, positions: Sequence[int]) -> None:
        """Make steps for instructions, in order."""
        for position in positions:
            self.position = position
            for operand in self.program.operands(position):
                if operand not in self.places:
                    place = self.places[operand] = self._new()
                    self.givens.append(Given(place, operand))
            instr = self.code[position]
            if instr.op in OPS:
                self._map(position, instr, self.program.rules[position])
            else:
                getattr(self, f"_{instr.op}")(position, instr)
            self._release(position)

    def made(self) -> Schedule:
        """Return what was scheduled so far."""
        return Schedule(
            tuple(self.steps),
            tuple(self.binds),
            tuple(self.givens),
            tuple(self.registers),
            self.size,
            self.places,
        )

    def _direct_stores(self) -> dict[int, int]:
        """Values that are computed where they are stored: position of value -> of its store.

        No two blocks store into the same memory then: threads that compute the same elements of a
        row for many columns would each see what the other has half done. What is only copied there
        may come twice.
        """
        direct: dict[int, int] = {}
        inside = set(self.sequence)
        for position in self.sequence:
            instr = self.code[position]
            if instr.op != "store":
                continue
            value = instr.args[0]
            made = self.code[value]
            view = self.program.kernel.views[attr(instr)]
            assert view.buffer is not None
            written = made.op in OPS or made.op == "random" or (made.op == "load" and made.args)
            if (
                written
                and value in inside
                and value not in direct
                and made.dtype == self.program.kernel.buffers[view.buffer].dtype
                and made.over == self.program.moves[attr(instr)]
                and self._is_alone(made.over)
            ):
                direct[value] = position
        return direct

    def _is_alone(self, over: int) -> bool:
        """Whether blocks that are run at the same time hold no point of these axes twice."""
        program = self.program
        shared = program.parallel_mask | (program.reduce_mask if over & program.reduce_mask else 0)
        return not shared & ~over

    def _numbers_of_doubles(self) -> frozenset[int]:
        """Element numbers that nothing but a conversion to double reads: they are made as such."""
        users: dict[int, list[Instr]] = {}
        for position in self.sequence:
            for operand in self.program.operands(position):
                users.setdefault(operand, []).append(self.code[position])
        return frozenset(
            position
            for position, found in users.items()
            if self.code[position].op == "index"
            and all(user.op == "cast" and user.dtype == "f64" for user in found)
        )

    def _new(self) -> int:
        self.size += 1
        return self.size - 1

    def _step(self, function: Callable[..., Any], *places: int) -> None:
        self.steps.append(Step(function, itemgetter(*places), places, self.position))

    def _operand_places(self, position: int) -> list[int]:
        return [self.places[a] for a in self.program.operands(position)]

    def _release(self, position: int) -> None:
        for operand in set(self.program.operands(position)):
            self.give_back(operand, position)

    def give_back(self, operand: int, position: int) -> None:
        """Let the memory of an operand go where the instruction at `position` is its last user."""
        if self.last[operand] == position and operand in self.slab_of:
            self._give_back(self.slab_of.pop(operand), self.code[operand])

    def _give_back(self, slab: int, instr: Instr) -> None:
        key = (instr.over, NUMPY_DTYPE[instr.dtype].itemsize)
        self.free.setdefault(key, []).append(slab)

    def _register(self, dtype: str, over: int, slab: int | None = None) -> tuple[int, int]:
        """Place and slab of an array over some axes; a slab that is free is taken first."""
        key = (over, NUMPY_DTYPE[dtype].itemsize)
        if slab is None:
            ready = self.free.setdefault(key, [])
            if ready and not self.keep:
                slab = ready.pop()
            else:
                slab = self.slabs
                self.slabs += 1
        place = self.known.get((slab, dtype))
        if place is None:
            place = self.known[slab, dtype] = self._new()
            self.registers.append(Register(place, None if self.keep else slab, dtype, over))
        return place, slab

    def _target(self, position: int, instr: Instr, in_place: tuple[int, ...] = ()) -> int:
        """Return the place in which the value of an instruction is computed."""
        store = self.direct.get(position)
        if store is not None:
            place = self.places[position] = self._new()
            self.binds.append(Bind(place, attr(self.code[store])))
            return place
        reused = None
        for k in in_place if not self.keep else ():
            if k >= len(instr.args):
                break
            operand = instr.args[k]
            made = self.code[operand]
            if (
                operand in self.slab_of
                and self.last[operand] == position
                and (made.dtype, made.over) == (instr.dtype, instr.over)
            ):
                reused = self.slab_of.pop(operand)
                break
        place, slab = self._register(instr.dtype, instr.over, reused)
        self.places[position] = place
        if position in self.last:
            self.slab_of[position] = slab
        else:
            self._give_back(slab, instr)
        return place

    def _map(self, position: int, instr: Instr, rule: Rule) -> None:
        if instr.args[0] in self.numbers:
            numbering = steps.Index(attr(self.code[instr.args[0]]))
            self._step(numbering, BLOCK, self._target(position, instr))
            return
        operands = self._operand_places(position)
        out = self._target(position, instr, rule.in_place)
        scratch = [self._register(dtype, instr.over) for dtype in rule.scratch]
        function = rule.function
        varying = [self.code[a].over for a in instr.args]
        if isinstance(function, np.ufunc) and len(varying) == 2 and varying[0] != varying[1]:
            function = Spread(function) if all(varying) else function
        self._step(function, *operands, out, *(place for place, _ in scratch))
        for dtype, (_, slab) in zip(rule.scratch, scratch, strict=True):
            self.free.setdefault((instr.over, NUMPY_DTYPE[dtype].itemsize), []).append(slab)

    def _load(self, position: int, instr: Instr) -> None:
        view: int = attr(instr)
        if not instr.args:
            place = self.places[position] = self._new()
            self.binds.append(Bind(place, view))
            return
        buffer = self.program.kernel.views[view].buffer
        assert buffer is not None
        numbers = self._operand_places(position)[0]
        self._step(steps.Gather(buffer), BLOCK, numbers, self._target(position, instr))

    def _index(self, position: int, instr: Instr) -> None:
        if position in self.numbers:
            self.places[position] = BLOCK  # never read
            return
        self._step(steps.Index(attr(instr)), BLOCK, self._target(position, instr))

    def _random(self, position: int, instr: Instr) -> None:
        distribution, dtype = attr(instr)
        first = self.code[instr.args[0]]
        view = attr(first) if first.op == "index" else None
        operands = self._operand_places(position)
        step = steps.Random(distribution, dtype, view)
        self._step(step, BLOCK, *operands, self._target(position, instr))

    def _item(self, position: int, instr: Instr) -> None:
        """Reductions and scans write their results themselves."""

    def _results(self, position: int) -> list[tuple[int, int]]:
        """Return the place of each result of a reduction or scan: (number of the result, place)."""
        found = [(0, position), *self.program.items.get(position, [])]
        for _, user in found:
            if user not in self.places:
                self.places[user] = self._new()
        return [(number, self.places[user]) for number, user in found]

    def _reduce(self, position: int, instr: Instr) -> None:
        reduction = self.program.reductions[position]
        step = steps.Reduce(position, reduction, self._results(position))
        self._step(step, BLOCK, *self._operand_places(position))

    def _scan(self, position: int, instr: Instr) -> None:
        reverse = bool(attr(instr)[1])
        reduction = self.program.reductions[position]
        step = steps.Scan(position, reduction, reverse, self._results(position))
        self._step(step, BLOCK, *self._operand_places(position))

    def _guard(self, position: int, instr: Instr) -> None:
        self._step(steps.Guard(attr(instr)), BLOCK, *self._operand_places(position))

    def _store(self, position: int, instr: Instr) -> None:
        value = instr.args[0]
        if self.direct.get(value) == position:
            return
        place = self._new()
        self.binds.append(Bind(place, attr(instr)))
        self._step(steps.store, self.places[value], place)
