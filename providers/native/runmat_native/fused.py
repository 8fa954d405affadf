"""Steps of a frame in a row as one call of machine code.

Reductions and scans are NumPy's, in the order of additions that the in-process provider's layouts
have. What lies between them is not: a row of elementwise steps over a block becomes a small kernel
of its own, which is lowered like any other, and whose function takes the place of the steps.
Elements are the same, so sums are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from runmat_inprocess.compiler import Program, attr
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.schedule import BLOCK, Step

from runmat_core.api.device import DTYPE_NAME, NUMPY_DTYPE, Addressing
from runmat_core.api.ir import OPS, Axis, Buffer, Instr, Kernel, Param, View
from runmat_native.builds import Builds
from runmat_native.loops import address

if TYPE_CHECKING:
    from runmat_inprocess.frames import Frame

    from runmat_native.launches import Prepared
    from runmat_native.machine import Run

#: Blocks of fewer elements, and rows of fewer steps, are not worth a call.
FEWEST, SHORTEST = 256, 2


class Linker:
    """Puts machine code in the place of a kernel's steps.

    Attributes:
        seconds: that launches of the kernel took so far.
        fused: rows of steps that were replaced.
    """

    def __init__(self, builds: Builds) -> None:
        self.builds = builds
        self.seconds = 0.0
        self.fused = 0
        self._lowerings: dict[Kernel, Any] = {}

    def stage(self) -> int:
        return 2 * self.builds.done + self.builds.pays(self.seconds)

    def linked(self, phases: Sequence[Sequence[Step]], frame: Frame) -> list[tuple[Step, ...]]:
        if frame.points < FEWEST or not self.builds.pays(self.seconds):
            return [tuple(steps) for steps in phases]
        found = [self._phase(steps, phases, frame) for steps in phases]
        if any(part is None for part in found):
            return [tuple(steps) for steps in phases]
        return [tuple(part) for part in found if part is not None]

    def _phase(
        self, steps: Sequence[Step], phases: Sequence[Sequence[Step]], frame: Frame
    ) -> list[Step] | None:
        """Return the steps of a phase; None where the code of some row is still to come."""
        found: list[Step] = []
        row: list[Step] = []
        shape: tuple[int, ...] = ()
        for step in (*steps, None):
            # every element of a row's results is made once, or it would be made of itself again
            of = None if step is None or not _may_join(step, frame) else _shape(step, frame)
            if step is not None and of is not None and (not row or of == shape):
                shape = of
                row.append(step)
                continue
            if len(row) >= SHORTEST:
                joined = self._row(row, phases, frame)
                if joined is None:
                    return None
                found += joined
            else:
                found += row
            row = []
            if step is not None and of is not None:
                shape, row = of, [step]
            elif step is not None:
                found.append(step)
        return found

    def _row(
        self, row: Sequence[Step], phases: Sequence[Sequence[Step]], frame: Frame
    ) -> Sequence[Step] | None:
        try:
            small = _Small(row, phases, frame)
            lowering = self._lowerings.get(small.kernel)
            if lowering is None:
                from runmat_native.lowering import Lowering

                program = Program(small.kernel)
                lowering = self._lowerings[small.kernel] = Lowering(program, self.builds)
        except DeclinedError:
            return row
        shape, version = lowering.version(small.extents, small.views, True)
        if version is None:
            return row
        if version.build.run is None:
            self.builds.want(version.build)
            return row if version.build.over else None
        prepared = version.prepare(lowering.program, shape)
        self.fused += 1
        fused = Fused(list(row), small, lowering.program, prepared, version.build.run)
        return [Step(fused, _block, (BLOCK,))]


def _block(environment: list[Any]) -> tuple[Any, ...]:
    return (environment[BLOCK],)


def _may_join(step: Step, frame: Frame) -> bool:
    """Whether a step is one operation of every element of a block that is lowered."""
    from runmat_native.parts import is_lowered

    if step.position < 0 or step.position in frame.program.place:
        return False
    code = frame.program.kernel.code
    instr = code[step.position]
    return is_lowered(instr, tuple(code[a].dtype for a in instr.args))


class _Small:
    """A row of steps as a kernel over the axes of a block.

    Attributes:
        kernel: its text depends on nothing but the steps and which axes their operands have.
        extents, views: of a block.
        sources: for each buffer the place of an array, or the buffer of the launch that it stands
            for.
        params: the places of scalars.
        numbers: for each view that numbers elements the view of the launch.
    """

    def __init__(self, row: Sequence[Step], phases: Sequence[Sequence[Step]], frame: Frame) -> None:
        self.frame, self.program = frame, frame.program
        self.code: list[Instr] = []
        self.buffers: list[Buffer] = []
        self._views: list[View] = []
        self._addressing: list[Addressing] = []
        self.sources: list[tuple[str, int]] = []
        self.params: list[int] = []
        self._param_types: list[Param] = []
        self.numbers: dict[int, int] = {}
        self._of: dict[int, int] = {}
        self._read: dict[int, int] = {}
        ndim = frame.ndim
        self.extents = tuple(reversed(_shape(row[0], frame)))
        for step in row:
            self._step(step)
        for place, position in self._wanted(row, phases):
            value = self._of[position]
            view = self._view(place, "write", self.code[value].dtype)
            made = self.code[value]
            self.code.append(Instr("store", (value,), made.dtype, (1 << ndim) - 1, view))
        self.kernel = Kernel(
            tuple(Axis() for _ in range(ndim)),
            tuple(self.buffers),
            tuple(self._views),
            tuple(self._param_types),
            tuple(self.code),
        )
        self.views = tuple(self._addressing)

    def _add(self, instr: Instr) -> int:
        self.code.append(instr)
        return len(self.code) - 1

    def _step(self, step: Step) -> None:
        position = step.position
        instr = self.program.kernel.code[position]
        if instr.op == "store":
            # a value that was computed somewhere else: the step reads its place
            self._of[position] = self._operand(instr.args[0], step.places[0])
            return
        over = self.frame.space.mask(instr.over)
        if instr.op == "index":
            self._of[position] = self._index(position)
            return
        reads = [place for place in step.places if place != BLOCK]
        args = tuple(
            self._operand(a, reads[k] if k < len(reads) else -1) for k, a in enumerate(instr.args)
        )
        if instr.op == "load":
            buffer = self.program.kernel.views[attr(instr)].buffer
            assert buffer is not None
            view = self._gathered(buffer)
            self._of[position] = self._add(Instr("load", args, instr.dtype, over, view))
            return
        self._of[position] = self._add(Instr(instr.op, args, instr.dtype, over, instr.attr))

    def _operand(self, position: int, place: int) -> int:
        """Return the value of an operand: of the row itself, a scalar, or read from a place."""
        if position in self._of:
            return self._of[position]
        instr = self.program.kernel.code[position]
        scalar = self.program.place.get(position)
        if scalar is not None:
            if instr.op == "const":
                return self._add(Instr("const", (), instr.dtype, 0, instr.attr))
            if scalar not in self.params:
                self.params.append(scalar)
                self._param_types.append(Param(instr.dtype))
            number = self.params.index(scalar)
            return self._add(Instr("param", (), instr.dtype, 0, number))
        if instr.op == "index":
            return self._index(position)
        if place not in self._read:
            view = self._view(place, "read", instr.dtype)
            moves = self._views[view].moves
            over = sum(1 << k for k, m in enumerate(moves) if m)
            self._read[place] = self._add(Instr("load", (), instr.dtype, over, view))
        return self._read[place]

    def _index(self, position: int) -> int:
        instr = self.program.kernel.code[position]
        number = attr(instr)
        strides = self.frame.space.views[number].strides
        self._views.append(View(None, tuple(s != 0 for s in strides)))
        self._addressing.append(Addressing(0, strides))
        view = len(self._views) - 1
        self.numbers[view] = number
        return self._add(Instr("index", (), "i64", self.frame.space.mask(instr.over), view))

    def _array(self, place: int) -> Any:
        array = self.frame.environment[place]
        if not isinstance(array, np.ndarray) or array.ndim != self.frame.ndim:
            raise DeclinedError("an operand that is no block")
        return array

    def _view(self, place: int, access: str, dtype: str) -> int:
        array = self._array(place)
        if DTYPE_NAME.get(array.dtype.char) != dtype:
            raise DeclinedError("memory of another type")
        size, strides = array.itemsize, []
        for extent, stride in zip(reversed(array.shape), reversed(array.strides), strict=True):
            if stride % size:
                raise DeclinedError("elements between elements")
            strides.append(stride // size if extent > 1 else 0)
        self.buffers.append(Buffer(dtype, access))  # type: ignore[arg-type]
        self.sources.append(("place", place))
        self._views.append(View(len(self.buffers) - 1, tuple(s != 0 for s in strides)))
        self._addressing.append(Addressing(0, tuple(strides)))
        return len(self._views) - 1

    def _gathered(self, buffer: int) -> int:
        self.buffers.append(Buffer(self.program.kernel.buffers[buffer].dtype))
        self.sources.append(("buffer", buffer))
        self._views.append(View(len(self.buffers) - 1, (False,) * self.frame.ndim))
        self._addressing.append(Addressing(0, (0,) * self.frame.ndim))
        return len(self._views) - 1

    def _wanted(
        self, row: Sequence[Step], phases: Sequence[Sequence[Step]]
    ) -> list[tuple[int, int]]:
        """Return what the row leaves behind, as pairs of place and position."""
        inside = {id(step) for step in row}
        outside = {
            place
            for steps in phases
            for step in steps
            if id(step) not in inside
            for place in step.places
        }
        outside |= self.frame.kept | {window.place for window in self.frame.windows}
        last: dict[int, tuple[int, int]] = {}
        for step in row:
            place = step.places[_result(step, self.program)]
            here = address(self._array(place))
            last.pop(here, None)
            last[here] = (place, step.position)
        return [(place, position) for place, position in last.values() if place in outside]


def _shape(step: Step, frame: Frame) -> tuple[int, ...]:
    """Return the shape of what a step writes."""
    shape: tuple[int, ...] = frame.environment[step.places[_result(step, frame.program)]].shape
    return shape


def _result(step: Step, program: Program) -> int:
    """Return which of a step's places it writes its value to: scratch follows it."""
    instr = program.kernel.code[step.position]
    if instr.op in OPS:
        # an operand that nothing but a view numbers is no place, the block is
        return len(instr.args)
    return len(step.places) - 1


class Fused:
    """Calls the code of a row for a block."""

    def __init__(
        self, row: Sequence[Step], small: _Small, program: Program, prepared: Prepared, run: Run
    ) -> None:
        self.row, self.prepared, self.run = row, prepared, run
        self.sources = small.sources
        frame = small.frame
        code = program.kernel.code
        self.scalars: list[tuple[bool, Any]] = []
        for position in program.scalars:
            instr = code[position]
            if instr.op == "const":
                array = np.array(attr(instr), NUMPY_DTYPE[instr.dtype])
                self.scalars.append((False, array))
            else:
                self.scalars.append((True, small.params[attr(instr)]))
        self.numbers = small.numbers
        # what reductions gave is another array each time
        made = {window.place for window in frame.windows}
        made |= {register.place for register in frame.schedule.registers}
        self.looked = [
            (place, frame.environment[place].strides)
            for kind, place in small.sources
            if kind == "place" and place not in made
        ]

    def __call__(self, frame: Frame) -> None:
        environment = frame.environment
        for place, strides in self.looked:
            if environment[place].strides != strides:
                for function, registers, _, _ in self.row:
                    function(*registers(environment))
                return
        buffers = [
            environment[number] if kind == "place" else frame.buffers[number]
            for kind, number in self.sources
        ]
        values = [environment[it] if known else it for known, it in self.scalars]
        offsets = {view: frame.numbering(number)[0] for view, number in self.numbers.items()}
        self.prepared.alone(self.run, buffers, values, offsets)
