"""``fft``: discrete Fourier transforms of any length along axes, all slices at once.

Lengths whose prime factors are at most 13 are one or several passes (`shaders`): one where a slice
fits a workgroup's memory. Other lengths are convolved with a chirp (Bluestein): with ``c(k) =
exp(-i*pi*k*k/n)``, ``y(k) = c(k) * sum of x(j) * c(j) * conj(c(k - j))``, which is cyclic over any
power of two from 2n - 1 on, and whose parts are transforms of that length.

The inverse is the transform between two exchanges of real and imaginary parts. The spectrum of real
numbers is computed in its first half and mirrored, so that it is symmetric to the last bit; what
is symmetric is known to be the spectrum of real numbers (`symmetry`).
"""

from __future__ import annotations

import math
from typing import Any

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import ITEMSIZE, PART_OF, LibraryCall, Unit
from runmat_wgpu.codegen.fft import symmetry
from runmat_wgpu.codegen.fft.chains import Chains, Layout, Route, Scratch
from runmat_wgpu.codegen.fft.shaders import PAIR_BYTES, Sink, Source
from runmat_wgpu.codegen.shader import Bind, DeclinedError, Dispatch, Prepared, Target


@attrs.frozen
class Fourier:
    """A template of ``fft``: see `runmat_core.api.ir.calls`.

    Attributes:
        dtype: of the parts of numbers.
        reads, writes: element types of the input and of the output.
    """

    dtype: str
    reads: str
    writes: str
    axes: tuple[int, ...]
    inverse: bool
    symmetric: bool
    target: Target

    @property
    def source(self) -> str:
        extents = (*[1] * max(self.axes, default=0), 256)
        return self.prepare(extents * 2, ()).dispatches[-1].shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are those of the input, then those of the output."""
        rank = len(extents) // 2
        shape, made = extents[:rank], extents[rank:]
        if 0 in extents or not self.axes:
            return Prepared(())
        self._check(max(math.prod(shape), math.prod(made)))
        scratch = Scratch()
        dispatches: list[Dispatch] = []
        cleared: tuple[int, ...] = ()
        if self.symmetric:
            flag = scratch.bind("flag", 16)
            cleared = (flag.index,)
            dispatches.append(symmetry.test(self._symmetry, shape, made, flag))
        dispatches += self._transforms(shape, made, scratch)
        if self._real and len(self.axes) > 1 and self.writes != self.dtype:
            dispatches.append(symmetry.mirror(self._symmetry, made))
        moved, wrote = math.prod(shape) * ITEMSIZE[self.reads], math.prod(made)
        return Prepared(
            tuple(dispatches), scratch.sizes, cleared, moved, wrote * ITEMSIZE[self.writes]
        )

    @property
    def _real(self) -> bool:
        return self.reads == self.dtype

    @property
    def _symmetry(self) -> symmetry.Symmetry:
        return symmetry.Symmetry(self.dtype, self._real, self.axes, self.target)

    def _check(self, points: int) -> None:
        if points * PAIR_BYTES[self.dtype] > self.target.binding_bytes:
            raise DeviceFault(f"An array of {points} elements is too large for this device's FFT.")

    def _transforms(
        self, shape: tuple[int, ...], made: tuple[int, ...], scratch: Scratch
    ) -> list[Dispatch]:
        """One axis after the other; what is in between alternates between two arrays."""
        chains = Chains(self.dtype, self.target, scratch)
        dispatches: list[Dispatch] = []
        now = list(shape)
        source: Source = "real" if self._real else "complex"
        begin = Bind("slot", 0)
        for k, axis in enumerate(self.axes):
            last = k == len(self.axes) - 1
            given, now[axis] = now[axis], made[axis]
            where = Layout(math.prod(now[axis + 1 :]), now[axis], math.prod(now[:axis]))
            self._check(where.points)
            sink: Sink = "pass"
            end: tuple[Bind, ...] = (Bind("slot", 1),)
            if last:
                sink = "real" if self.writes == self.dtype else "complex"
                if sink == "complex" and self.symmetric:
                    end = (scratch.bind("flag", 16), *end)
            else:
                end = (scratch.bind(f"axis {k % 2}", where.points * PAIR_BYTES[self.dtype]),)
            if source == "real" and sink != "real":
                sink = "hermitian"
            route = Route(
                source=source,
                sink=sink,
                begin=begin,
                end=end,
                given=given,
                inverse=self.inverse,
                settles=last and len(end) > 1,
            )
            dispatches += chains.along(where, route)
            source, begin = "pass", end[-1]
        return dispatches


def template(unit: Unit, target: Target) -> Fourier:
    """Return the template of an ``fft``.

    Raises:
        DeclinedError: it has an epilogue, or its types are not of one precision that the device
            has.
    """
    assert isinstance(unit, LibraryCall)
    if unit.epilogue is not None or len(unit.dtypes) != 2:
        raise DeclinedError("fft with an epilogue")
    reads, writes = unit.dtypes
    dtype = PART_OF.get(writes, writes)
    if dtype not in PAIR_BYTES or PART_OF.get(reads, reads) != dtype:
        raise DeclinedError(f"fft of {reads} to {writes}")
    if dtype == "f64" and not (target.f64 and target.i64):
        raise DeclinedError("no doubles on this device")
    axes: Any = unit.attribute("axes", (0,))
    inverse, symmetric = bool(unit.attribute("inverse")), bool(unit.attribute("symmetric"))
    return Fourier(dtype, reads, writes, tuple(axes), inverse, symmetric, target)
