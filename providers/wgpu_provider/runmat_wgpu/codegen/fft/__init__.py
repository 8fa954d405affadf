"""``fft``: discrete Fourier transforms of any length along an axis, all slices at once.

Lengths whose prime factors are at most 13 are one or several passes (`shaders`): one where a slice
fits a workgroup's memory. Other lengths are convolved with a chirp (Bluestein): with ``c(k) =
exp(-i*pi*k*k/n)``, ``y(k) = c(k) * sum of x(j) * c(j) * conj(c(k - j))``, which is cyclic over any
power of two from 2n - 1 on, and whose parts are transforms of that length.

The inverse is the transform between two exchanges of real and imaginary parts. The spectrum of real
numbers is computed in its first half and mirrored.
"""

from __future__ import annotations

from typing import Any

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import ITEMSIZE, LibraryCall, Unit
from runmat_wgpu.codegen.fft.factors import passes, radices, smooth
from runmat_wgpu.codegen.fft.shaders import PAIR_BYTES, Pass, Sink, Source, Words, room
from runmat_wgpu.codegen.shader import Bind, DeclinedError, Dispatch, Prepared, Target

#: Element type of the parts of a complex number.
PARTS = {"c64": "f32", "c128": "f64"}
#: Bytes that are moved at once: as many lines side by side as make so many are read together.
SECTOR = 32
#: Points that each thread of a workgroup holds, about.
HELD = 8
#: The longest transform that is convolved: its chirp is reduced in 32 bits.
LONGEST = 1 << 26


@attrs.frozen
class Layout:
    """How a transform lies in memory: `outer` times `n` times `inner` points."""

    outer: int
    n: int
    inner: int

    @property
    def points(self) -> int:
        return self.outer * self.n * self.inner


@attrs.frozen(kw_only=True)
class Chain:
    """Where a chain of passes begins and ends.

    Attributes:
        source, sink: of its first and its last pass; what is in between goes from pass to pass.
        begin, end: buffers of the two: what is read before all else, what is written last.
        between: what is in between lies in the first of these after the first pass, and then in
            each in turn.
        kept, from_, to_: points of a slice that the source has, and of a slice as it lies in source
            and sink.
        n: points of the transform that is asked for.
        scale, swaps, chirps: see `Words` and `Pass`.
    """

    source: Source
    sink: Sink
    begin: tuple[Bind, ...]
    end: tuple[Bind, ...]
    between: tuple[Bind, Bind]
    kept: int
    from_: int
    to_: int
    n: int
    scale: float = 1.0
    swaps: tuple[bool, bool] = (False, False)
    chirps: tuple[bool, bool] = (False, False)


@attrs.frozen
class Fourier:
    """A template of ``fft``: see `runmat_core.api.ir.calls`."""

    dtype: str
    reads: str
    writes: str
    axis: int
    inverse: bool
    target: Target

    @property
    def source(self) -> str:
        extents = (1,) * self.axis + (256,)
        return self.prepare(extents * 2, ()).dispatches[0].shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are those of the input, then those of the output."""
        rank = len(extents) // 2
        shape, made = extents[:rank], extents[rank:]
        inner = outer = 1
        for k, extent in enumerate(made):
            inner *= extent if k < self.axis else 1
            outer *= extent if k > self.axis else 1
        where = Layout(outer, made[self.axis], inner)
        if not outer * inner * where.n:
            return Prepared(())
        points = outer * inner * max(shape[self.axis], where.n)
        if points * PAIR_BYTES[self.dtype] > self.target.binding_bytes:
            raise DeviceFault(f"An array of {points} elements is too large for this device's FFT.")
        moved = outer * inner * shape[self.axis] * ITEMSIZE[self.reads]
        wrote = outer * inner * where.n * ITEMSIZE[self.writes]
        plan = self._straight if smooth(where.n) else self._convolved
        dispatches, scratch = plan(where, shape[self.axis])
        return Prepared(tuple(dispatches), scratch, (), moved, wrote)

    # -- plans ------------------------------------------------------------------------------------

    @property
    def _source(self) -> Source:
        return "real" if self.reads == self.dtype else "complex"

    @property
    def _sink(self) -> Sink:
        if self.writes == self.dtype:
            return "real"
        return "hermitian" if self._source == "real" else "complex"

    def _straight(self, where: Layout, given: int) -> tuple[list[Dispatch], tuple[int, ...]]:
        """Passes from the input to the output, and bytes of scratch arrays."""
        chain = Chain(
            source=self._source,
            sink=self._sink,
            begin=(Bind("slot", 0),),
            end=(Bind("slot", 1),),
            between=(Bind("scratch", 0), Bind("scratch", 1)),
            kept=min(given, where.n),
            from_=given,
            to_=where.n,
            n=where.n,
            scale=1 / where.n if self.inverse else 1.0,
            swaps=(self.inverse, self.inverse),
        )
        dispatches = self._passes(where, chain)
        size = where.points * PAIR_BYTES[self.dtype]
        return dispatches, (size,) * min(len(dispatches) - 1, 2)

    def _convolved(self, where: Layout, given: int) -> tuple[list[Dispatch], tuple[int, ...]]:
        """Bluestein's: forward with the chirp, times the chirp's spectrum, and backward."""
        n, m = where.n, 1 << (2 * where.n - 2).bit_length()
        wide, lone = Layout(where.outer, m, where.inner), Layout(1, m, 1)
        size = wide.points * PAIR_BYTES[self.dtype]
        if n > LONGEST or size > self.target.binding_bytes:
            raise DeviceFault(f"A length of {n} is too large for this device's FFT.")
        one, spectrum, other = (Bind("scratch", k) for k in range(3))
        count = len(self._lengths(wide))
        chirps = self._passes(
            lone,
            Chain(
                source="chirp",
                sink="pass",
                begin=(),
                end=(spectrum,),
                between=(one, other),
                kept=m,
                from_=m,
                to_=m,
                n=n,
            ),
        )
        forward = self._passes(
            wide,
            Chain(
                source=self._source,
                sink="product",
                begin=(Bind("slot", 0),),
                end=(spectrum, one),
                # the last of them must not be what is written then
                between=(one, other) if count % 2 else (other, one),
                kept=min(given, n),
                from_=given,
                to_=m,
                n=n,
                swaps=(self.inverse, False),
                chirps=(True, False),
            ),
        )
        backward = self._passes(
            wide,
            Chain(
                source="pass",
                sink=self._sink,
                begin=(one,),
                end=(Bind("slot", 1),),
                between=(other, one),
                kept=m,
                from_=m,
                to_=n,
                n=n,
                scale=1 / n / m if self.inverse else 1 / m,
                swaps=(False, self.inverse),
                chirps=(False, True),
            ),
        )
        several = max(count, len(chirps)) > 1
        sizes = (size, m * PAIR_BYTES[self.dtype], *([size] if several else []))
        return [*chirps, *forward, *backward], sizes

    # -- passes -----------------------------------------------------------------------------------

    def _most(self, lines: int) -> int:
        """The longest line of a pass that takes so many side by side."""
        return self.target.workgroup_bytes // (PAIR_BYTES[self.dtype] * room(1, lines))

    def _lengths(self, where: Layout) -> tuple[int, ...]:
        wide = SECTOR // PAIR_BYTES[self.dtype]
        if where.n <= self._most(min(where.inner, wide)):
            return (where.n,)
        return passes(where.n, self._most(wide))

    def _passes(self, where: Layout, chain: Chain) -> list[Dispatch]:
        lengths = self._lengths(where)
        dispatches: list[Dispatch] = []
        before = 1
        for k, length in enumerate(lengths):
            first, last = k == 0, k == len(lengths) - 1
            apart = where.n // length
            lines = where.outer * where.inner * apart
            side_reads, side_writes = where.inner * apart > 1, where.inner * before > 1
            abreast = self._abreast(length, lines, side_reads or side_writes)
            most = max(radices(length), default=1)
            made = Pass(
                dtype=self.dtype,
                length=length,
                abreast=abreast,
                threads=self._threads(abreast * length // most),
                turned=before > 1,
                source=chain.source if first else "pass",
                sink=chain.sink if last else "pass",
                side_reads=side_reads,
                side_writes=side_writes,
                swaps=(chain.swaps[0] and first, chain.swaps[1] and last),
                chirps=(chain.chirps[0] and first, chain.chirps[1] and last),
            )
            words = Words(
                lines=lines,
                inner=where.inner,
                apart=apart,
                before=before,
                kept=chain.kept if first else where.n,
                from_=chain.from_ if first else where.n,
                to_=chain.to_ if last else where.n,
                n=chain.n,
                scale=chain.scale if last else 1.0,
            )
            begin = chain.begin if first else (chain.between[(k - 1) % 2],)
            end = chain.end if last else (chain.between[k % 2],)
            grid = self.target.grid(-(-lines // abreast))
            packed = words.packed(self.dtype)
            dispatches.append(Dispatch(made.shader(), grid, (*begin, *end), packed))
            before *= length
        return dispatches

    def _abreast(self, length: int, lines: int, side: bool) -> int:
        """How many lines a workgroup takes: a power of two."""
        wanted = max(HELD * self._threads(1 << 30) // length, 1)
        if side:
            wanted = max(wanted, SECTOR // PAIR_BYTES[self.dtype])
        found = 1 << (min(wanted, lines).bit_length() - 1)
        while found > 1 and length > self._most(found):
            found //= 2
        return found

    def _threads(self, wanted: int) -> int:
        """Threads of a workgroup that could use so many."""
        most = min(256, self.target.invocations)
        return max(min(1 << max(wanted - 1, 0).bit_length(), most), min(32, most))


def template(unit: Unit, target: Target) -> Fourier:
    """The template of an ``fft``.

    Raises:
        DeclinedError: it has an epilogue, or its types are not of one precision that the device
            has.
    """
    assert isinstance(unit, LibraryCall)
    if unit.epilogue is not None or len(unit.dtypes) != 2:
        raise DeclinedError("fft with an epilogue")
    reads, writes = unit.dtypes
    dtype = PARTS.get(writes, writes)
    if dtype not in PAIR_BYTES or PARTS.get(reads, reads) != dtype:
        raise DeclinedError(f"fft of {reads} to {writes}")
    if dtype == "f64" and not (target.f64 and target.i64):
        raise DeclinedError("no doubles on this device")
    axis: Any = unit.attribute("axis", 0)
    return Fourier(dtype, reads, writes, axis, bool(unit.attribute("inverse")), target)
