"""Loops in time with reductions: each slice is a few threads' own, from the first trip to the last.

A slice's threads are as few as keep the device busy: they join what they reduce within a subgroup
where they can. A launch whose trips would keep the device busy for too long is several dispatches,
as in `loops`.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import Kernel, Unit
from runmat_wgpu.codegen.kernels.addressing import Space, layout_of
from runmat_wgpu.codegen.kernels.draft import Draft, Written
from runmat_wgpu.codegen.kernels.geometry import Tile, arrange, lanes_of, power, sizes
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.loops import (
    SOFTWARE_SPEED,
    SPAN,
    SPEED,
    cost,
    numbered,
    scratch_of,
    states,
)
from runmat_wgpu.codegen.kernels.maps import ordinary
from runmat_wgpu.codegen.kernels.regions import Walk, dispatches
from runmat_wgpu.codegen.kernels.states import State
from runmat_wgpu.codegen.kernels.trips import Trips
from runmat_wgpu.codegen.kernels.windows import traffic
from runmat_wgpu.codegen.shader import DeclinedError, Dispatch, Prepared, Target, Template

#: Threads of a workgroup, unless a slice needs more of them.
THREADS = 128
#: Points of a slice that a thread keeps in registers at most.
POINTS = 32
#: Threads of a slice that may join states without memory on most devices.
NEAR = 32
#: Threads that keep a large device busy.
BUSY = 1 << 17


@attrs.frozen
class Form:
    """What the text of a loop depends on, besides the kernel; see `trips.Trips`."""

    tile: Tile
    ordered: bool
    fits: bool
    split: bool


class SliceTemplate:
    """A loop with reductions; shaders are written as launches need them."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        self.kernel, self.target = kernel, target
        self._levels: dict[Kernel, Levels] = {}
        self._written: dict[tuple[Kernel, Form], Written] = {}

    @cached_property
    def source(self) -> str:
        """See `Template.source`."""
        few = max(2, int(1024 ** (1 / max(len(self.kernel.axes_of("reduce")), 1))))
        extents, views = ordinary(self.kernel, min(few, 64))
        return self.prepare(extents, views).dispatches[0].shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a launch, in the order of the trips.

        Raises:
            DeviceFault: a slice has more points than the threads of a workgroup can keep.
        """
        kernel = self.kernel
        if any(e == 0 for e, a in zip(extents, kernel.axes, strict=True) if a.kind != "reduce"):
            return Prepared(())
        reduced = prod(extents[k] for k in kernel.axes_of("reduce"))
        space = arrange(kernel, extents, views)
        parts = self._parts(space)
        split = parts > 1
        if split:
            space = numbered(space)
        form = self._form(space, split)
        axis, trips = len(space.extents) - 1, space.extents[-1]
        found: list[Dispatch] = []
        for k in range(parts):
            first, after = trips * k // parts, trips * (k + 1) // parts
            part = space.part(axis, first, after - first) if split else space
            found += self._dispatches(part, form, reduced, trips)
        points = prod(space.extents[:-1])
        held = states(space.kernel) if split else {}
        reads, writes = traffic(space)
        return Prepared(tuple(found), scratch_of(held, points), reads=reads, writes=writes)

    def _parts(self, space: Space) -> int:
        """Into how many dispatches the trips are divided, so that none takes long."""
        trips = space.extents[-1]
        speed = SOFTWARE_SPEED if self.target.software else SPEED
        most = int(speed * SPAN / (cost(space.kernel) * max(prod(space.extents[:-1]), 1)))
        return -(-trips // max(1, min(most, self.target.tuning("trips", trips))))

    def _form(self, space: Space, split: bool) -> Form:
        kernel = space.kernel
        reducers = [reducer_of(i) for i in kernel.code if i.op == "reduce"]
        ordered = any(not r.commutative and r.name not in ("argmin", "argmax") for r in reducers)
        along = kernel.axes[0].kind == "reduce"
        lanes, vectors = lanes_of(space)
        if along and space.extents[0] % lanes:
            lanes, vectors = 1, frozenset()
        counts = sizes(space, lanes, along)
        most = min(256, self.target.invocations)
        rows = power(-(-counts.steps // max(POINTS // lanes, 1)))
        if rows > most:
            raise DeviceFault("The slices of this loop are too large for the device.")
        while (
            rows < min(counts.steps, NEAR, most)
            and counts.units * rows < BUSY
            and not self.target.software
        ):
            rows *= 2
        across = min(max(THREADS // rows, 1), power(counts.units))
        draft = Draft(kernel, self.target)
        largest = sum(State(draft, r, f"r{k}").bytes for k, r in enumerate(reducers))
        columns = 1 if along else lanes
        while across > 1 and across * rows * columns * largest > self.target.workgroup_bytes:
            across //= 2
        unroll = max(-(-counts.steps // rows), 1)
        tile = Tile(
            layout_of(space, lanes, vectors),
            lanes,
            along,
            across,
            rows,
            unroll,
            False,
            space.extents[0] % lanes == 0,
        )
        return Form(tile, ordered, counts.steps == rows * unroll, split)

    def _dispatches(self, space: Space, form: Form, reduced: int, trips: int) -> list[Dispatch]:
        tile = form.tile
        counts = sizes(space, tile.lanes, tile.along)
        tiles = -(-counts.units // tile.across)
        others: dict[str, int | float] = {
            "units": counts.units,
            "splits": 1,
            "length": counts.steps,
            "steps": counts.steps,
            "fast": counts.fast,
            "points": prod(space.extents[:-1]),
            "trips": trips,
            "reduced_f32": float(reduced),
            "reduced_f64": float(reduced),
        }
        walk = Walk(space, tile, counts, tiles, tile.across)
        return dispatches(self._text(space.kernel, form), walk, others, self.target)

    def _text(self, kernel: Kernel, form: Form) -> Written:
        key = (kernel, form)
        if key not in self._written:
            if kernel not in self._levels:
                self._levels[kernel] = Levels(kernel)
            work = Trips(
                kernel,
                self.target,
                form.tile,
                self._levels[kernel],
                form.ordered,
                form.fits,
                form.split,
            )
            self._written[key] = work.write()
        return self._written[key]


def template(unit: Unit, target: Target) -> Template:
    """Generate a loop with reductions.

    Raises:
        DeclinedError: the target lacks a type or an operation, or binds too few arrays.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    return SliceTemplate(unit, target)
