"""Chains of passes: from an array along one of its axes to another array."""

from __future__ import annotations

import attrs

from runmat_core.api.device import DeviceFault
from runmat_wgpu.codegen.fft.factors import passes, radices, smooth
from runmat_wgpu.codegen.fft.shaders import PAIR_BYTES, Pass, Sink, Source, Words, room
from runmat_wgpu.codegen.shader import Bind, Dispatch, Target

#: Bytes that are moved at once: as many lines side by side as make so many are read together.
SECTOR = 32
#: Points that each thread of a workgroup holds, about.
HELD = 8
#: The longest transform that is convolved: its chirp is reduced in 32 bits.
LONGEST = 1 << 26


class Scratch:
    """Arrays of a launch's own, by what they are for."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}

    def bind(self, name: str, size: int) -> Bind:
        """Return the array of a name, with room for `size` bytes."""
        self._sizes[name] = max(size, self._sizes.get(name, 0))
        return Bind("scratch", list(self._sizes).index(name))

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self._sizes.values())


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
        between: what is in between lies in one of these after the first pass, then in the other;
            None where there is one pass.
        kept, from_, to_: points of a slice that the source has, and of a slice as it lies in source
            and sink.
        n: points of the transform that is asked for.
        scale, swaps, chirps, settles: see `Words` and `Pass`.
    """

    source: Source
    sink: Sink
    begin: tuple[Bind, ...]
    end: tuple[Bind, ...]
    between: tuple[Bind, Bind] | None
    kept: int
    from_: int
    to_: int
    n: int
    scale: float = 1.0
    swaps: tuple[bool, bool] = (False, False)
    chirps: tuple[bool, bool] = (False, False)
    settles: bool = False


@attrs.frozen(kw_only=True)
class Route:
    """A transform along one axis of an array.

    Attributes:
        source, sink: what the array is that is read, and how results are written.
        begin, end: where they are; `end` may name the flag of `settles` first.
        given: points of a slice of the source; the rest are zero, or what is more is left out.
        inverse, settles: see `Pass`.
    """

    source: Source
    sink: Sink
    begin: Bind
    end: tuple[Bind, ...]
    given: int
    inverse: bool = False
    settles: bool = False


@attrs.frozen
class Chains:
    """Writes the dispatches of transforms along an axis.

    Attributes:
        dtype: of the parts of numbers.
    """

    dtype: str
    target: Target
    scratch: Scratch

    def along(self, where: Layout, route: Route) -> list[Dispatch]:
        """Return the dispatches of a transform; `where` is how its result lies in memory.

        Raises:
            DeviceFault: it is too large.
        """
        rule = self._straight if smooth(where.n) else self._convolved
        return rule(where, route)

    def _between(self, where: Layout) -> tuple[Bind, Bind] | None:
        """Two arrays for what goes from pass to pass; none where there is one pass."""
        count = len(self._lengths(where))
        if count == 1:
            return None
        size = where.points * PAIR_BYTES[self.dtype]
        one = self.scratch.bind("between", size)
        return one, self.scratch.bind("beside", size) if count > 2 else one

    def _straight(self, where: Layout, route: Route) -> list[Dispatch]:
        chain = Chain(
            source=route.source,
            sink=route.sink,
            begin=(route.begin,),
            end=route.end,
            between=self._between(where),
            kept=min(route.given, where.n),
            from_=route.given,
            to_=where.n,
            n=where.n,
            scale=1 / where.n if route.inverse else 1.0,
            swaps=(route.inverse, route.inverse),
            settles=route.settles,
        )
        return self._passes(where, chain)

    def _convolved(self, where: Layout, route: Route) -> list[Dispatch]:
        """Bluestein's: forward with the chirp, times the chirp's spectrum, and backward."""
        n, m = where.n, 1 << (2 * where.n - 2).bit_length()
        wide, lone = Layout(where.outer, m, where.inner), Layout(1, m, 1)
        size = wide.points * PAIR_BYTES[self.dtype]
        if n > LONGEST or size > self.target.binding_bytes:
            raise DeviceFault(f"A length of {n} is too large for this device's FFT.")
        product = self.scratch.bind("product", size)
        spectrum = self.scratch.bind("spectrum", m * PAIR_BYTES[self.dtype])
        chirps = Chain(
            source="chirp",
            sink="pass",
            begin=(),
            end=(spectrum,),
            between=self._between(lone),
            kept=m,
            from_=m,
            to_=m,
            n=n,
        )
        forward = Chain(
            source=route.source,
            sink="product",
            begin=(route.begin,),
            end=(spectrum, product),
            between=self._between(wide),
            kept=min(route.given, n),
            from_=route.given,
            to_=m,
            n=n,
            swaps=(route.inverse, False),
            chirps=(True, False),
        )
        backward = Chain(
            source="pass",
            sink=route.sink,
            begin=(product,),
            end=route.end,
            between=self._between(wide),
            kept=m,
            from_=m,
            to_=n,
            n=n,
            scale=1 / n / m if route.inverse else 1 / m,
            swaps=(False, route.inverse),
            chirps=(False, True),
            settles=route.settles,
        )
        whole = self._passes(lone, chirps)
        return [*whole, *self._passes(wide, forward), *self._passes(wide, backward)]

    # -- passes -----------------------------------------------------------------------------------

    def _most(self, lines: int) -> int:
        """Return the longest line of a pass that takes so many side by side."""
        return self.target.workgroup_bytes // (PAIR_BYTES[self.dtype] * room(1, lines))

    def _lengths(self, where: Layout) -> tuple[int, ...]:
        wide = SECTOR // PAIR_BYTES[self.dtype]
        if where.n <= self._most(min(where.inner, wide)):
            return (where.n,)
        return passes(where.n, self._most(wide))

    def _passes(self, where: Layout, chain: Chain) -> list[Dispatch]:
        lengths = self._lengths(where)
        dispatches: list[Dispatch] = []
        end: tuple[Bind, ...] = ()
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
                settles=chain.settles and last,
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
            begin = chain.begin if first else end[-1:]
            end = chain.end if last or chain.between is None else (chain.between[k % 2],)
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
