"""Steps of a program that are more than a map: they see the block that is being run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runmat_inprocess import philox
from runmat_inprocess.frames import Frame
from runmat_inprocess.reducers import Reduction

#: Shorter runs of neighbouring elements are drawn one by one.
LONG_RUN = 256


def store(value: Any, target: Any) -> None:
    """Write a value that was computed somewhere else."""
    np.copyto(target, value)


class Guard:
    """Set a status bit where any element is true."""

    def __init__(self, bit: int) -> None:
        self.bits = 1 << bit

    def __call__(self, frame: Frame, value: Any) -> None:
        if value.any():
            frame.worker.status |= self.bits


class Gather:
    """Elements by number, 0 where there is none."""

    def __init__(self, buffer: int) -> None:
        self.buffer = buffer

    def __call__(self, frame: Frame, numbers: Any, out: Any) -> None:
        flat = frame.buffers[self.buffer]
        # as unsigned numbers, negative ones are past the end too
        outside = numbers.astype(np.int64, copy=False).view(np.uint64) >= flat.size
        if not outside.any():
            np.take(flat, numbers, out=out, mode="clip")
            return
        if flat.size:
            np.take(flat, numbers, out=out, mode="clip")
        np.copyto(out, out.dtype.type(0), where=outside)


class Index:
    """The element numbers that a view gives to the points of the block, as i64 or f64."""

    def __init__(self, view: int) -> None:
        self.view = view

    def __call__(self, frame: Frame, out: Any) -> None:
        first, strides = frame.numbering(self.view)
        so_far: Any = first
        for axis, stride in enumerate(strides):
            if stride:
                np.add(frame.ramp(axis, stride, out.dtype), so_far, out)
                so_far = out
        if so_far is first:
            out[...] = first


class Random:
    """Elements of the random stream.

    Args:
        view: that numbers the elements; None where the numbers are an operand.
    """

    def __init__(self, distribution: str, dtype: str, view: int | None) -> None:
        self.uniform = distribution == "uniform"
        self.draw = philox.DRAW[distribution, dtype]
        self.view = view

    def __call__(self, frame: Frame, *operands: Any) -> None:
        *numbers, low, high, position_low, position_high, out = operands
        key = (int(low), int(high))
        position = int(position_low) | int(position_high) << 32
        if self.view is None:
            self._by_number(frame, key, position, numbers[0], out)
            return
        first, strides = frame.numbering(self.view)
        run, dims = 1, 0
        for extent, stride in zip(reversed(out.shape), strides, strict=True):
            # neighbours in the block are neighbours in the stream along so many axes
            if extent != 1 and stride != run:
                break
            run, dims = run * extent, dims + 1
        if run < min(out.size, LONG_RUN):
            several = np.empty(out.shape, np.int64)
            Index(self.view)(frame, several)
            self._by_number(frame, key, position, several, out)
            return
        target = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
        rows = target.reshape(-1, run)
        for place, row in zip(np.ndindex(out.shape[: out.ndim - dims]), rows, strict=True):
            moved = sum(p * s for p, s in zip(reversed(place), strides[dims:], strict=True))
            self.draw(key, position, first + moved, row)
        if target is not out:
            np.copyto(out, target)

    def _by_number(
        self, frame: Frame, key: tuple[int, int], position: int, numbers: Any, out: Any
    ) -> None:
        wide = np.broadcast_to(numbers, out.shape).astype(np.int64).reshape(-1)
        if wide.size and np.array_equal(wide, np.arange(wide[0], wide[0] + wide.size)):
            drawn = np.empty(wide.size, out.dtype)
            self.draw(key, position, int(wide[0]), drawn)
        else:
            drawn = self.draw.at(key, position, wide)
        np.copyto(out, drawn.reshape(out.shape))


class Reduce:
    """Reduce a block: to results where it holds all reduced points, else to a state."""

    def __init__(
        self, position: int, reduction: Reduction, results: Sequence[tuple[int, int]]
    ) -> None:
        self.position = position
        self.reduction = reduction
        self.results = tuple(results)

    def __call__(self, frame: Frame, *operands: Any) -> None:
        dims = frame.reduced_dims
        wide = [frame.widened(o, dims) for o in operands]
        apart = frame.states is not None
        state = self.reduction.elements(wide, dims, frame.numbers(), apart)
        if frame.states is not None:
            frame.states[self.position].push(state)
            return
        finished = self.reduction.finish(state)
        for number, place in self.results:
            frame.environment[place] = finished[number]


class Scan:
    """Scan a block, after what earlier blocks of the same line left in ``frame.carry``."""

    def __init__(
        self,
        position: int,
        reduction: Reduction,
        reverse: bool,
        results: Sequence[tuple[int, int]],
    ) -> None:
        self.position = position
        self.reduction = reduction
        self.reverse = reverse
        self.results = tuple(results)

    def __call__(self, frame: Frame, *operands: Any) -> None:
        dim = frame.scanned_dim
        if dim is None:  # a line of one point
            lines = [np.reshape(o, (*o.shape, 1)) for o in operands]
            results, _ = self.reduction.running(lines, lines[0].ndim - 1, False, None)
            results = [r.reshape(r.shape[:-1]) for r in results]
        else:
            wide = [frame.widened(o, (dim,)) for o in operands]
            before = frame.carry.get(self.position)
            first = frame.first_scanned(self.reverse)
            results, last = self.reduction.running(wide, dim, self.reverse, before, first)
            frame.carry[self.position] = last
        for number, place in self.results:
            frame.environment[place] = results[number]
