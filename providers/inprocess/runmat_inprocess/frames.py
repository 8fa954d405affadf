"""Frames: a schedule bound to a shape of blocks and a thread, ready to run block after block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_inprocess.blocks import Space
from runmat_inprocess.compiler import Program
from runmat_inprocess.pool import Pool, Worker
from runmat_inprocess.reducers import Cascade, Numbers, Sums
from runmat_inprocess.schedule import BLOCK, Schedule, Step
from runmat_inprocess.spread import ONE_WAY, Forward, Spread


class Call:
    """What differs from launch to launch of one layout.

    Attributes:
        buffers: the flat arrays that the kernel's buffers are bound to.
        scalars: arrays without dimensions, in the order of `Program.scalars`.
        outer: values that vary along no reduced axis, by position, over the points at hand.
        origin: where these points start.
    """

    __slots__ = ("buffers", "origin", "outer", "scalars")

    def __init__(
        self, buffers: Sequence[Any], scalars: Sequence[Any], origin: tuple[int, ...] = ()
    ) -> None:
        self.buffers = buffers
        self.scalars = scalars
        self.outer: dict[int, Any] = {}
        self.origin = origin


class _Window:
    """A view of a buffer at one block after the other.

    Dimensions that a view does not move along have extent 1, whatever the block has there.
    """

    def __init__(
        self, place: int, buffer: int, dtype: str, space: Space, view: int, shape: tuple[int, ...]
    ) -> None:
        addressing = space.views[view]
        self.place, self.buffer = place, buffer
        self.dtype = NUMPY_DTYPE[dtype]
        self.offset, self.strides = addressing.offset, addressing.strides
        self.shape = shape
        self.itemsize = self.dtype.itemsize
        self.byte_strides = tuple(s * self.itemsize for s in reversed(self.strides))
        self.size = 1
        for extent in shape:
            self.size *= extent
        # a run of neighbours: slicing costs a third of making a strided array
        self.run = len(shape) == 1 and self.strides == (1,)

    @property
    def whole(self) -> bool:
        """Whether its elements are neighbours, in the order of the block's."""
        expected = self.itemsize
        for extent, stride in zip(reversed(self.shape), reversed(self.byte_strides), strict=True):
            if extent > 1:
                if stride != expected:
                    return False
                expected *= extent
        return True

    def at(self, flat: Any, starts: tuple[int, ...]) -> Any:
        first = self.offset
        if self.run:
            first += starts[0]
            return flat[first : first + self.size]
        for start, stride in zip(starts, self.strides, strict=True):
            first += start * stride
        return np.ndarray(self.shape, self.dtype, flat, first * self.itemsize, self.byte_strides)


class Frame:
    """A schedule's environment for blocks of one shape, on one thread.

    Attributes:
        environment: what the registers of steps refer to.
        buffers: of the launch.
        starts, shape: of the block, along the axes of the space.
        reduced_dims: dimensions of arrays that are reduced, the fastest axis first.
        scanned_dim: the one that is scanned, if it has more than one point.
        points: of the block.
        plain, steps: of the schedule, and what a linker made of them where the frame is used again.
        backward: places of views with a stride below zero.
        pool: whose other threads have nothing to do while the frame runs, if there are any.
        kept: places of registers that somebody besides the steps reads.
        states: where reductions leave states, by position; None where blocks hold whole slices.
        carry: what scans leave for the next block of their line.
    """

    def __init__(
        self,
        program: Program,
        schedule: Schedule,
        space: Space,
        shape: tuple[int, ...],
        worker: Worker,
    ) -> None:
        self.program, self.schedule, self.space = program, schedule, space
        self.shape, self.worker = shape, worker
        self.points = math.prod(shape)
        self.linked = 0
        self.is_stale = False
        self.pool: Pool | None = None
        self.kept: frozenset[int] = frozenset()
        self.environment: list[Any] = [None] * schedule.size
        self.buffers: Sequence[Any] = ()
        self.starts: tuple[int, ...] = ()
        self.ndim = len(shape)
        self.reduced_axes = space.of_kind("reduce")
        self.reduced_dims = tuple(self.ndim - 1 - k for k in self.reduced_axes)
        scanned = space.of_kind("scan")
        self.scanned_dim = self.ndim - 1 - scanned[0] if scanned else None
        self.states: dict[int, Cascade | Sums] | None = None
        self.carry: dict[int, Any] = {}
        self.windows = [self._window(place, view) for place, view in schedule.binds]
        self.backward = {w.place for w in self.windows if min(w.byte_strides, default=0) < 0}
        self.plain = forward(schedule.steps, self.backward) if self.backward else schedule.steps
        self.steps: Sequence[Step] = self.plain
        for register in schedule.registers:
            dtype, extents = NUMPY_DTYPE[register.dtype], self._extents(register.over)
            nbytes = dtype.itemsize
            for extent in extents:
                nbytes *= extent
            if register.slab is None:
                memory = np.empty(nbytes, np.uint8)
            else:
                memory = worker.slab(register.slab, nbytes)
            self.environment[register.place] = memory.view(dtype).reshape(extents)
        self._ramps: dict[tuple[int, int, Any], Any] = {}

    def run(self, call: Call, starts: tuple[int, ...]) -> None:
        """Run the steps on the block that starts there."""
        environment = self.environment
        environment[BLOCK] = self
        self.buffers, self.starts = call.buffers, starts
        if call.scalars:
            environment[1 : 1 + len(call.scalars)] = call.scalars
        for window in self.windows:
            environment[window.place] = window.at(call.buffers[window.buffer], starts)
        for place, position in self.schedule.givens:
            environment[place] = self._part(call, position)
        if self.is_stale:  # now that all operands are there to be looked at
            self.is_stale = False
            self.link()
        for function, registers, _, _ in self.steps:
            function(*registers(environment))

    def again(self) -> None:
        """Link the steps if that is possible and has not been done: they come again."""
        if self.linked != (now := self.program.linker.stage()):
            self.linked = now
            self.is_stale = True

    def link(self) -> None:
        """Put what the linker has in the place of steps."""
        (self.steps,) = self.program.linker.linked((self.plain,), self)

    def release(self) -> None:
        """Forget the launch, so that a frame at rest keeps no array alive, itself included."""
        self.environment[BLOCK] = None
        self.buffers = ()
        for window in self.windows:
            self.environment[window.place] = None
        for place, _ in self.schedule.givens:
            self.environment[place] = None

    def numbers(self) -> Numbers:
        """Of the elements of the block along the reduced axes."""
        axes = self.reduced_axes
        return Numbers(
            [self.starts[k] for k in axes],
            [self.shape[k] for k in axes],
            [self.space.extents[k] for k in axes],
            self.reduced_dims,
            self.ndim,
        )

    def first_scanned(self, reverse: bool) -> int:
        """Return the number, in the order of a scan, of the block's first element."""
        (axis,) = self.space.of_kind("scan")
        first = self.starts[axis]
        return self.space.extents[axis] - first - self.shape[axis] if reverse else first

    def numbering(self, view: int) -> tuple[int, tuple[int, ...]]:
        """Return the number that a view gives to the first point of the block, and its strides."""
        offset, strides = self.space.views[view].offset, self.space.views[view].strides
        return offset + sum(a * b for a, b in zip(self.starts, strides, strict=True)), strides

    def ramp(self, axis: int, stride: int, dtype: Any) -> Any:
        """0, stride, 2*stride … along an axis of the block."""
        found = self._ramps.get((axis, stride, dtype))
        if found is None:
            shape = [1] * self.ndim
            shape[self.ndim - 1 - axis] = self.shape[axis]
            found = (np.arange(self.shape[axis]) * stride).astype(dtype).reshape(shape)
            self._ramps[axis, stride, dtype] = found
        return found

    def widened(self, operand: Any, dims: Sequence[int]) -> Any:
        """Return an operand with the block's extents along some dimensions."""
        if operand.ndim == self.ndim:
            for dim in dims:
                if operand.shape[dim] != self.shape[self.ndim - 1 - dim]:
                    break
            else:
                return operand
        full = list(operand.shape or (1,) * self.ndim)
        for dim in dims:
            full[dim] = self.shape[self.ndim - 1 - dim]
        return np.broadcast_to(operand, full)

    def _extents(self, over: int) -> tuple[int, ...]:
        mask = self.space.mask(over)
        return tuple(self.shape[k] if mask >> k & 1 else 1 for k in range(self.ndim - 1, -1, -1))

    def _window(self, place: int, view: int) -> _Window:
        kernel = self.program.kernel
        buffer = kernel.views[view].buffer
        assert buffer is not None
        shape = self._extents(self.program.moves[view])
        return _Window(place, buffer, kernel.buffers[buffer].dtype, self.space, view, shape)

    def _part(self, call: Call, position: int) -> Any:
        """Return what belongs to the block of a value computed before."""
        value = call.outer[position]
        mask = self.space.mask(self.program.kernel.code[position].over)
        if not mask or value.ndim != self.ndim:
            return value
        where: list[Any] = [slice(None)] * self.ndim
        for k in range(self.ndim):
            dim = self.ndim - 1 - k
            if mask >> k & 1 and value.shape[dim] > 1:
                first = self.starts[k] - call.origin[k]
                where[dim] = slice(first, first + self.shape[k])
        return value[tuple(where)]


def forward(steps: Sequence[Step], backward: AbstractSet[int]) -> tuple[Step, ...]:
    """Return steps that give the same bits wherever their operands lie.

    Args:
        backward: places of arrays with a stride below zero.
    """
    found = []
    for step in steps:
        plain = step.function.ufunc if isinstance(step.function, Spread) else step.function
        ways = isinstance(plain, np.ufunc) and plain in ONE_WAY
        if ways and any(place in backward for place in step.places):
            step = step._replace(function=Forward(step.function))
        found.append(step)
    return tuple(found)
