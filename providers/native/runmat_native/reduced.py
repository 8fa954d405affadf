"""Kernels with one reduced or scanned axis, in one pass of machine code over memory.

A launch becomes launches of a smaller kernel. Where the reduced axis is the fastest one, that
kernel gives a value for each node of the tree of `runmat_core.api.sums`; else a run of 64 is a loop
in time that carries the state, and runs are points. What was found for nodes or runs is joined by
NumPy, and what follows from the results is computed by the in-process provider's own steps. A scan
is a loop in time, too, or along the fastest axis one over neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import attrs
import numpy as np
from runmat_inprocess.blocks import Space, collapse
from runmat_inprocess.compiler import Program, attr
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.frames import Call
from runmat_inprocess.layouts import ManyPasses
from runmat_inprocess.pool import Pool

from runmat_core.api import sums
from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_core.api.ir import OPS, Axis, Buffer, Instr, Kernel, Param, Reducer, View
from runmat_native import totals
from runmat_native.builds import Builds
from runmat_native.launches import Prepared, Shape
from runmat_native.lowering import Lowering, Version
from runmat_native.parts import CALLED
from runmat_native.scalars import STEP

#: Operations of elements below which the in-process provider's steps are done before the results
#: of parts were joined.
WORK = 1 << 15
#: How states of runs are joined, but for sums.
_JOIN: dict[str, Any] = {
    "min": np.fmin,
    "max": np.fmax,
    "any": np.logical_or,
    "all": np.logical_and,
}


@attrs.define
class _Piece:
    """A launch of the smaller kernel."""

    extents: tuple[int, ...]
    views: tuple[Addressing, ...]
    shape: Shape
    version: Version
    prepared: Prepared | None = None

    def run(
        self, lowering: Lowering, buffers: Sequence[Any], values: Sequence[Any], pool: Pool
    ) -> None:
        run = self.version.build.run
        assert run is not None
        if self.prepared is None:
            self.prepared = self.version.prepare(lowering.program, self.shape)
        self.prepared.launch(run, buffers, values, pool)


class Reduced:
    """The ways to run a kernel's launches.

    Args:
        block: of the in-process provider's layouts.

    Raises:
        DeclinedError: none of its launches is for this.
    """

    def __init__(self, program: Program, builds: Builds, block: int) -> None:
        self.program, self.builds, self.block = program, builds, block
        self.lowerings: dict[Kernel, Lowering] = {}
        kinds = {axis.kind for axis in program.kernel.axes}
        self.scans = "scan" in kinds
        for position, reduction in program.reductions.items():
            self._check(position, reduction.reducer)
        if self.scans:
            return
        if not kinds <= {"parallel", "reduce"} or program.passes != 1 or program.depth != 1:
            raise DeclinedError("more than one pass")
        if len(program.everything()) and program.full_pass(1):
            raise DeclinedError("a pass after the reduction")

    def _check(self, position: int, reducer: Reducer) -> None:
        instr = self.program.kernel.code[position]
        if len(instr.args) != 1 or position in self.program.items:
            raise DeclinedError("a reduction of several values")
        if self.scans:
            if reducer.name not in STEP or instr.dtype == "bool":
                raise DeclinedError(reducer.name)
        elif instr.dtype not in totals.TYPES.get(reducer.name, ()):
            raise DeclinedError(reducer.name)

    def launch(
        self, extents: tuple[int, ...], views: tuple[Addressing, ...]
    ) -> Reduction | Scan | None:
        """Return the way to run a launch; None where there is none."""
        kinds = [axis.kind for axis in self.program.kernel.axes]
        if not all(extents) or prod(extents) * len(self.program.kernel.code) < WORK:
            return None
        space = collapse(kinds, extents, views, self.program.masks)
        if len(space.of_kind("reduce", "scan")) != 1:
            return None
        try:
            return Scan(self, space) if self.scans else Reduction(self, space)
        except DeclinedError:
            return None

    def lowering(self, kernel: Kernel) -> Lowering:
        """Return what lowers a smaller kernel."""
        found = self.lowerings.get(kernel)
        if found is None:
            found = self.lowerings[kernel] = Lowering(Program(kernel), self.builds)
        return found


class Reduction(ManyPasses):
    """Runs a launch whose collapsed space has one reduced axis.

    Attributes:
        pieces: launches of the smaller kernel that together make all parts.
    """

    def __init__(self, of: Reduced, space: Space) -> None:
        super().__init__(of.program, space, of.block)
        (self.axis,) = self.reduced
        self.whole = space.extents[self.axis]
        self.small = _States(of.program, space, self.axis)
        self.lowering = of.lowering(self.small.kernel)
        self.pieces = [self._piece(start, count, run) for start, count, run in self._cuts()]
        self.dim = len(space.extents) - 1 - self.axis

    def _cuts(self) -> list[tuple[int, int, int]]:
        """Return the first element, how many runs, and their length, for each launch."""
        if self.axis == 0:
            return [(0, 1, self.whole)]
        if self.whole <= sums.LONGEST_RUN:
            return [(0, 1, self.whole)]
        count, rest = divmod(self.whole, sums.RUN)
        found = [(0, count, sums.RUN)]
        return [*found, (count * sums.RUN, 1, rest)] if rest else found

    def _piece(self, start: int, count: int, run: int) -> _Piece:
        extents = list(self.space.extents)
        if self.axis == 0:
            nodes = len(sums.bounds(self.whole, sums.depth(self.whole, totals.NODE))) - 1
            self.parts = nodes
        else:
            del extents[self.axis]
            extents += [count, run]
            self.parts = -(-self.whole // sums.RUN) if self.whole > sums.LONGEST_RUN else 1
        views = self.small.views(start, run, self.parts)
        shape, version = self.lowering.version(tuple(extents), views, False)
        if version is None:
            raise DeclinedError("no code")
        return _Piece(tuple(extents), views, shape, version)

    def is_ready(self) -> bool:
        return all(piece.version.build.run is not None for piece in self.pieces)

    def spend(self, seconds: float) -> None:
        """Count what NumPy took in place of the code; ask for it when that pays."""
        for build in {id(p.version.build): p.version.build for p in self.pieces}.values():
            self.lowering.builds.spend(build, seconds)

    def run(self, call: Call, pool: Pool) -> None:
        before, after = self.passes
        extents = self.space.extents
        call = Call(call.buffers, call.scalars, (0,) * len(extents))
        self._outer(call, before, extents, pool.workers[0])
        shape = list(reversed(extents))
        shape[self.dim] = self.parts
        found = [np.empty(shape, NUMPY_DTYPE[dtype]) for _, dtype in self.small.results]
        buffers = [*(call.buffers[k] for k in self.small.sources), *(f.reshape(-1) for f in found)]
        values = self.small.values(self.lowering, call)
        for piece in self.pieces:
            piece.run(self.lowering, buffers, values, pool)
        for (position, _), parts in zip(self.small.results, found, strict=True):
            total = self._join(self.program.reductions[position].reducer.name, parts)
            block = (call.origin, tuple(extents))
            self._publish(call, position, [(block, (total,))], extents)
        self._outer(call, after, extents, pool.workers[0])

    def _join(self, name: str, parts: Any) -> Any:
        if name == "sum":
            return sums.total(parts, self.dim, self.whole)
        return _JOIN[name].reduce(parts, axis=self.dim, keepdims=True)


class _Small:
    """A kernel over a collapsed space, whose reduced or scanned axis goes to the front or the end.

    Attributes:
        kernel: what is lowered.
        sources: for each buffer that it reads or writes that of the launch.
        results: position and type of each reduction, in the order of the buffers that follow.
    """

    def __init__(self, program: Program, space: Space, axis: int) -> None:
        self.program, self.space, self.axis = program, space, axis
        self.nearest = axis == 0
        self.others = [k for k in range(len(space.extents)) if k != axis]
        self.code: list[Instr] = []
        self.buffers: list[Buffer] = []
        self.sources: list[int] = []
        self._views: list[View] = []
        self._of_view: list[int] = []  # of the launch, or the number of a result below zero
        self._params: list[int] = []
        self._param_types: list[Param] = []
        self._of: dict[int, int] = {}
        self.results: list[tuple[int, str]] = []
        kinds = self._kinds()
        self.count = len(kinds)
        self._write()
        self.kernel = Kernel(
            tuple(Axis(kind) for kind in kinds),  # type: ignore[arg-type]
            tuple(self.buffers),
            tuple(self._views),
            tuple(self._param_types),
            tuple(self.code),
            any(instr.op == "guard" for instr in self.code),
        )

    def _kinds(self) -> list[str]:
        raise NotImplementedError

    def _write(self) -> None:
        raise NotImplementedError

    def _join(self, position: int, instr: Instr, operand: int) -> int:
        """Write a reduction or scan; the value that stands for it."""
        raise NotImplementedError

    def _parallel(self) -> int:
        return sum(1 << k for k in self.others)

    def _mask(self, over: int) -> int:
        """Return a mask of the collapsed axes as one of the axes here."""
        if self.nearest:
            return over
        found = sum(1 << j for j, k in enumerate(self.others) if over >> k & 1)
        last = (1 << self.count) - (1 << len(self.others))
        return found | (last if over >> self.axis & 1 else 0)

    def _add(self, instr: Instr) -> int:
        self.code.append(instr)
        return len(self.code) - 1

    def _operand(self, position: int) -> int:
        if position not in self._of:
            self._place(position)
        return self._of[position]

    def _place(self, position: int) -> None:
        """Write an instruction of the launch's kernel, and before it what it needs."""
        if position in self._of:
            return
        instr = self.program.kernel.code[position]
        scalar = self.program.place.get(position)
        if instr.op == "const":
            self._of[position] = self._add(Instr("const", (), instr.dtype, 0, instr.attr))
            return
        if scalar is not None:
            self._params.append(scalar - 1)
            self._param_types.append(Param(instr.dtype))
            number = len(self._params) - 1
            self._of[position] = self._add(Instr("param", (), instr.dtype, 0, number))
            return
        if instr.op in CALLED and not self.space.mask(instr.over) >> self.axis & 1:
            raise DeclinedError("functions outside of the joined axis")
        args = tuple(self._operand(a) for a in instr.args)
        over = self._mask(self.space.mask(instr.over))
        if instr.op in ("reduce", "scan"):
            self._of[position] = self._join(position, instr, args[0])
            return
        what = instr.attr
        if instr.op in ("load", "store", "index"):
            what = self._view(attr(instr))
        elif instr.op not in OPS and instr.op != "guard":
            raise DeclinedError(instr.op)
        self._of[position] = self._add(Instr(instr.op, args, instr.dtype, over, what))

    def _carried(self, reducer: Reducer, operand: int, dtype: str, over: int) -> int:
        """Write a value that a loop in time hands on."""
        init = self._add(Instr("const", (), dtype, 0, reducer.init[0]))
        carry = self._add(Instr("carry", (init,), dtype, over, None))
        value = self._add(Instr(STEP[reducer.name], (carry, operand), dtype, over))
        self.code[carry] = attrs.evolve(self.code[carry], attr=value)
        return value

    def _view(self, number: int) -> int:
        view = self.program.kernel.views[number]
        buffer = None
        if view.buffer is not None:
            if view.buffer not in self.sources:
                self.sources.append(view.buffer)
                self.buffers.append(self.program.kernel.buffers[view.buffer])
            buffer = self.sources.index(view.buffer)
        mask = self._mask(self.space.mask(self.program.moves[number]))
        self._views.append(View(buffer, tuple(bool(mask >> k & 1) for k in range(self.count))))
        self._of_view.append(number)
        return len(self._views) - 1

    def values(self, lowering: Lowering, call: Call) -> list[Any]:
        """Return the scalars of a launch."""
        params = [call.scalars[k] for k in self._params]
        return lowering.program.values(params, 1)


class _States(_Small):
    """The kernel that gives the state of each node, or of each run: a loop in time along it."""

    def _kinds(self) -> list[str]:
        others = ["parallel"] * len(self.others)
        return ["reduce", *others] if self.nearest else [*others, "parallel", "serial"]

    def _write(self) -> None:
        for position in self.program.full_pass(0):
            self._place(position)
        n = len(self.others)
        over = self._mask(self._parallel()) | (0 if self.nearest else 1 << n)
        moves = tuple(self.nearest or k <= n for k in range(self.count))
        for k, (position, dtype) in enumerate(self.results):
            self.buffers.append(Buffer(dtype, "write"))
            self._views.append(View(len(self.buffers) - 1, moves))
            self._of_view.append(-1 - k)
            value = self._of[position]
            if not self.nearest:
                value = self._add(Instr("last", (value,), dtype, over))
            self.code.append(Instr("store", (value,), dtype, over, len(self._views) - 1))

    def _join(self, position: int, instr: Instr, operand: int) -> int:
        reducer = self.program.reductions[position].reducer
        if self.code[operand].op in ("const", "param"):
            raise DeclinedError("one value for all")
        self.results.append((position, instr.dtype))
        over = self._mask(self._parallel())
        if self.nearest:
            return self._add(Instr("reduce", (operand,), instr.dtype, over, reducer))
        return self._carried(reducer, operand, instr.dtype, over | 3 << len(self.others))

    def views(self, start: int, run: int, parts: int) -> tuple[Addressing, ...]:
        """Return the addressing of a launch that begins with an element of the reduced axis.

        Args:
            parts: results along the reduced axis.
        """
        found = []
        for number in self._of_view:
            if number >= 0:
                view = self.space.views[number]
                offset, strides = view.offset, list(view.strides)
            else:
                offset, strides, step = 0, [], 1
                for k, extent in enumerate(self.space.extents):
                    strides.append(step)
                    step *= parts if k == self.axis else extent
            if not self.nearest:
                along = strides.pop(self.axis)
                if number >= 0:
                    offset += start * along
                    strides += [run * along, along]
                else:
                    offset += start // sums.RUN * along
                    strides += [along, 0]
            found.append(Addressing(offset, tuple(strides)))
        return tuple(found)


class _Running(_Small):
    """The kernel of a scan: along the fastest axis as it is, else a loop in time."""

    def _kinds(self) -> list[str]:
        others = ["parallel"] * len(self.others)
        return ["scan", *others] if self.nearest else [*others, "serial"]

    def _write(self) -> None:
        for position in self.program.everything():
            self._place(position)

    def _join(self, position: int, instr: Instr, operand: int) -> int:
        reducer = self.program.reductions[position].reducer
        if self.code[operand].op in ("const", "param"):
            raise DeclinedError("one value for all")
        over = self._mask(self.space.mask(instr.over))
        if self.nearest:
            return self._add(Instr("scan", (operand,), instr.dtype, over, (reducer, False)))
        return self._carried(reducer, operand, instr.dtype, over)

    def views(self, reverse: bool) -> tuple[Addressing, ...]:
        found = []
        for number in self._of_view:
            view = self.space.views[number]
            offset, strides = view.offset, list(view.strides)
            if reverse:
                offset += strides[self.axis] * (self.space.extents[self.axis] - 1)
                strides[self.axis] = -strides[self.axis]
            if not self.nearest:
                strides.append(strides.pop(self.axis))
            found.append(Addressing(offset, tuple(strides)))
        return tuple(found)


class Scan:
    """Runs a launch whose collapsed space has a scanned axis, in one direction."""

    whole = 1

    def __init__(self, of: Reduced, space: Space) -> None:
        (axis,) = space.of_kind("scan")
        ways = {attr(i)[1] for i in of.program.kernel.code if i.op == "scan"}
        if len(ways) > 1:
            raise DeclinedError("scans in both directions")
        self.small = _Running(of.program, space, axis)
        self.lowering = of.lowering(self.small.kernel)
        extents = list(space.extents)
        if axis:
            extents.append(extents.pop(axis))
        views = self.small.views(True in ways)
        shape, version = self.lowering.version(tuple(extents), views, False)
        if version is None:
            raise DeclinedError("no code")
        self.piece = _Piece(tuple(extents), views, shape, version)

    def is_ready(self) -> bool:
        return self.piece.version.build.run is not None

    def spend(self, seconds: float) -> None:
        """Count what NumPy took in place of the code; ask for it when that pays."""
        self.lowering.builds.spend(self.piece.version.build, seconds)

    def run(self, call: Call, pool: Pool) -> None:
        buffers = [call.buffers[k] for k in self.small.sources]
        self.piece.run(self.lowering, buffers, self.small.values(self.lowering, call), pool)
