"""A compiled kernel that runs as machine code where that is there, and by NumPy until then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import attrs
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.frames import Call
from runmat_inprocess.kernels import CompiledKernel
from runmat_inprocess.pool import Pool

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Kernel
from runmat_core.api.tuples import NamedTuple
from runmat_native.builds import Build, Builds
from runmat_native.fused import Linker

if TYPE_CHECKING:
    from runmat_native.launches import Prepared, Shape
    from runmat_native.lowering import Lowering, Version
    from runmat_native.reduced import Reduced, Reduction, Scan

#: Launches of one kernel whose tables are kept, the ones used last first.
KEPT = 16
#: Operations of elements that a kernel has to make before anything is imported for it.
WORK = 1_000_000
#: Nanoseconds that a launch takes as machine code from which code is made while NumPy computes it.
LONG = 10_000_000
#: Parts of a launch that is under way while its code is made. More of them would take longer
#: together: NumPy takes a millisecond for each iteration of a loop, however few the points.
PIECES = 24


@attrs.define(eq=False)
class _Seen:
    """A launch that was met: extents, views, and what runs it.

    Attributes:
        is_long: whether its code is worth making while NumPy computes the first part of it.
    """

    extents: tuple[int, ...]
    views: tuple[Addressing, ...]
    late: bool
    version: Version | None
    shape: Shape | None
    traffic: tuple[int, int]
    is_long: bool = False
    prepared: Prepared | None = None


class _Reduction(NamedTuple):
    """A launch with reductions that was met, and what runs it, if anything does."""

    extents: tuple[int, ...]
    views: tuple[Addressing, ...]
    way: Reduction | Scan | None


class NativeKernel(CompiledKernel):
    """A kernel ready to be launched.

    Args:
        builds: of the provider.

    Attributes:
        lowered: whether there may be machine code for it.
        native: launches that ran as machine code.

    Raises:
        DeclinedError: it cannot run here, not by NumPy either.
    """

    def __init__(self, kernel: Kernel, block: int, builds: Builds) -> None:
        self.linker = Linker(builds)
        super().__init__(kernel, block, self.linker)
        self.builds = builds
        self._kinds = {axis.kind for axis in kernel.axes}
        self.lowered = self._kinds <= {"parallel", "serial"}
        self._reduces = self._kinds - {"parallel"} in ({"reduce"}, {"scan"})
        self._reduced: Reduced | None = None
        self._reductions: list[_Reduction] = []
        self.native = 0
        self._left = 0 if builds.eager else WORK
        self._lowering: Lowering | None = None
        self._seen: list[_Seen] = []

    def run(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        if self._left > 0 and (self.lowered or self._reduces):
            self._left -= prod(extents) * len(self.kernel.code)
        if self._reduces and self._left <= 0:
            return self._reduce(buffers, extents, views, params, pool)
        if not self.lowered or self._left > 0:
            return self._by_numpy(buffers, extents, views, params, pool)
        late = False
        apart = buffers
        if len(self.writes) < len(buffers):
            apart, late = self._apart(buffers, views)
        if late and self._is_spread(extents, views):
            return self._by_numpy(buffers, extents, views, params, pool)
        seen = self._find(extents, views, late)
        version = seen.version
        if version is None:
            return self._by_numpy(buffers, extents, views, params, pool)
        run = version.build.run
        if run is None and seen.is_long and not version.build.over:
            self.builds.hurry(version.build)
            return self._in_pieces(apart, seen, version.build, params, pool)
        if run is None:
            started = time.perf_counter()
            told = super().run(buffers, extents, views, params, pool)
            self.builds.spend(version.build, time.perf_counter() - started)
            return told
        prepared = seen.prepared
        if prepared is None:
            assert seen.shape is not None
            prepared = seen.prepared = version.prepare(self.program, seen.shape)
        values = self.program.values(params, 1) if prepared.scalars else ()
        prepared.launch(run, apart, values, pool)
        self.native += 1
        return seen.traffic

    def _reduce(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        """Run a launch with reductions: in one pass of machine code once that is there."""
        way = self._way(extents, views).way
        if way is None:
            return self._by_numpy(buffers, extents, views, params, pool)
        if not way.is_ready():
            started = time.perf_counter()
            told = super().run(buffers, extents, views, params, pool)
            way.spend(time.perf_counter() - started)
            return told
        apart = buffers
        if len(self.writes) < len(buffers):
            apart, _ = self._apart(buffers, views)
        values = self.program.values(params, way.whole) if self.program.scalars else ()
        started = time.perf_counter()
        way.run(Call(apart, values), pool)
        self.linker.seconds += time.perf_counter() - started
        self.native += 1
        return self._traffic(extents)

    def _way(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> _Reduction:
        found = self._reductions
        for k, known in enumerate(found):
            if known.extents == extents and known.views == views:
                if k:
                    found.insert(0, found.pop(k))
                return known
        way: Reduction | Scan | None = None
        if self._reduced is None:
            from runmat_native.reduced import Reduced

            try:
                self._reduced = Reduced(self.program, self.builds, self.block)
            except DeclinedError:
                self._reduces = False
        if self._reduced is not None:
            way = self._reduced.launch(extents, views)
        known = _Reduction(extents, views, way)
        found.insert(0, known)
        del found[KEPT:]
        return known

    def _is_spread(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> bool:
        """Whether points share elements of an output, which must not be made of itself again."""
        return any(
            not stride and extent > 1
            for view, addressing in zip(self.kernel.views, views, strict=True)
            if view.buffer in self.writes
            for stride, extent in zip(addressing.strides, extents, strict=True)
        )

    def _by_numpy(
        self,
        buffers: Sequence[Any],
        extents: tuple[int, ...],
        views: tuple[Addressing, ...],
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        """Run a launch whose steps alone may become machine code."""
        started = time.perf_counter()
        told = super().run(buffers, extents, views, params, pool)
        taken = time.perf_counter() - started
        self.linker.seconds += taken
        self.builds.count(taken)
        return told

    def _in_pieces(
        self,
        buffers: Sequence[Any],
        seen: _Seen,
        build: Build,
        params: Sequence[float | bool | int],
        pool: Pool,
    ) -> tuple[int, int]:
        """Run a long launch by NumPy, part after part, until its code is there for what is left.

        Every point is computed by itself here, so parts have the bits of the whole.
        """
        extents, done = seen.extents, 0
        axis = max(
            (k for k, a in enumerate(self.kernel.axes) if a.kind == "parallel"),
            key=lambda k: (extents[k] >= PIECES, k),
        )
        length = -(-extents[axis] // PIECES)
        while done < extents[axis]:
            moved = tuple(
                Addressing(v.offset + done * v.strides[axis], v.strides) for v in seen.views
            )
            if build.over:
                rest = (*extents[:axis], extents[axis] - done, *extents[axis + 1 :])
                self.run(buffers, rest, moved, params, pool)
                break
            length = min(length, extents[axis] - done)
            part = (*extents[:axis], length, *extents[axis + 1 :])
            super().run(buffers, part, moved, params, pool)
            done += length
        return seen.traffic

    def _find(self, extents: tuple[int, ...], views: tuple[Addressing, ...], late: bool) -> _Seen:
        found = self._seen
        for k, seen in enumerate(found):
            if seen.extents == extents and seen.views == views and seen.late == late:
                if k:
                    found.insert(0, found.pop(k))
                return seen
        seen = _Seen(extents, views, late, None, None, self._traffic(extents))
        if all(extents):
            self._lower(seen)
        found.insert(0, seen)
        del found[KEPT:]
        return seen

    def _lower(self, seen: _Seen) -> None:
        """Find the code of a launch."""
        if self._lowering is None:
            from runmat_native.lowering import Lowering

            try:
                self._lowering = Lowering(self.program, self.builds)
            except DeclinedError:
                self.lowered = False
                return
        shape, version = self._lowering.version(seen.extents, seen.views, seen.late)
        seen.shape, seen.version = shape, version
        if version is not None and "parallel" in self._kinds:
            seen.is_long = version.cost(shape) > LONG
