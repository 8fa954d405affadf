"""Loops in time: kernels with a serial axis and no reductions.

A thread takes a few neighbouring points along axis 0 (the lanes) through all trips, the carried
values in registers. A launch whose trips would keep the device busy for too long, or whose arrays
are bound as windows, is several dispatches; carried values then pass through scratch memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Instr, Kernel, Unit, View
from runmat_wgpu.codegen.kernels import bounds
from runmat_wgpu.codegen.kernels.addressing import (
    Space,
    layout_of,
    simplify,
    vector_buffers,
    vector_views,
)
from runmat_wgpu.codegen.kernels.costs import operations
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block, width
from runmat_wgpu.codegen.kernels.emit import Body
from runmat_wgpu.codegen.kernels.maps import (
    THREADS,
    Shape,
    coordinates,
    head,
    ordinary,
    rows_of,
)
from runmat_wgpu.codegen.kernels.places import place
from runmat_wgpu.codegen.kernels.windows import bound, pieces, strips, traffic
from runmat_wgpu.codegen.shader import STORAGE, STORED_BYTES, DeclinedError, Prepared, Target

#: Simple operations a second, and what a dispatch may take of a second.
SPEED, SOFTWARE_SPEED, SPAN = 5e11, 2e9, 0.05
#: What an element takes as it lies in a buffer.
_BYTES = {type_: STORED_BYTES[dtype] for dtype, type_ in STORAGE.items()}
#: Points below which threads are worth more than what lanes share.
FEW = 1 << 14


def template(unit: Unit, target: Target) -> LoopTemplate:
    """Generate a loop.

    Raises:
        DeclinedError: the target lacks a type or an operation, or binds too few arrays.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    return LoopTemplate(unit, target)


class LoopTemplate:
    """A loop; shaders are written as launches need them."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        self.kernel = kernel
        self.target = target
        self._written: dict[tuple[Kernel, Shape, bool], Written] = {}

    @cached_property
    def source(self) -> str:
        """See `Template.source`."""
        space = simplify(self.kernel, *ordinary(self.kernel))
        return self.written(space, False).shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a launch, in the order of the trips."""
        if 0 in extents:
            return Prepared(())
        space = numbered(simplify(self.kernel, extents, views))
        most = self.target.groups * THREADS if len(space.extents) > 2 else space.extents[0]
        parts = [
            part
            for trips in self._trips(space)
            for strip in strips(trips, most)
            for part in pieces(strip, self.target)
        ]
        split = len(parts) > 1
        if not split:  # no state to number
            space = parts[0] = simplify(self.kernel, extents, views)
        points = prod(space.extents[:-1])
        state = states(space.kernel) if split else {}
        dispatches = []
        for part in parts:
            shape = choose(part, self.target)
            written = self.written(part, split)
            grid = grid_of(part, shape, self.target)
            others: dict[str, int | float] = {
                "wide": grid[0] * shape.across,
                "points": points,
                "trips": space.extents[-1],
            }
            dispatches.append(bound(written, part, grid, others, self.target))
        reads, writes = traffic(space)
        return Prepared(tuple(dispatches), scratch_of(state, points), reads=reads, writes=writes)

    def _trips(self, space: Space) -> Iterator[Space]:
        """Yield the space in parts along the serial axis, none of which takes long."""
        axis, trips = len(space.extents) - 1, space.extents[-1]
        speed = SOFTWARE_SPEED if self.target.software else SPEED
        most = int(speed * SPAN / (cost(space.kernel) * prod(space.extents[:-1])))
        most = min(most, self.target.iterations, self.target.tuning("trips", trips))
        count = -(-trips // max(1, most))
        for k in range(count):
            first, after = trips * k // count, trips * (k + 1) // count
            yield space.part(axis, first, after - first)

    def written(self, space: Space, split: bool) -> Written:
        """Return the shader for a space."""
        shape = choose(space, self.target)
        key = (space.kernel, shape, split)
        if key not in self._written:
            self._written[key] = _Writer(space.kernel, self.target, shape, split).write()
        return self._written[key]


def numbered(space: Space) -> Space:
    """Return a space with two more views: the number of a point, and that of a trip."""
    rank = len(space.extents)
    steps = [prod(space.extents[:k]) for k in range(rank - 1)]
    points = Addressing(0, (*steps, 0))
    trips = Addressing(0, (*(0 for _ in steps), 1))
    views = tuple(
        View(None, tuple(stride != 0 for stride in where.strides)) for where in (points, trips)
    )
    kernel = attrs.evolve(space.kernel, views=space.kernel.views + views)
    return Space(kernel, space.extents, (*space.views, points, trips))


def states(kernel: Kernel) -> dict[str, list[int]]:
    """Positions of carries by the type in which they are kept between dispatches."""
    found: dict[str, list[int]] = {}
    for k, instr in enumerate(kernel.code):
        if instr.op == "carry":
            found.setdefault(STORAGE[instr.dtype], []).append(k)
    return found


def scratch_of(state: dict[str, list[int]], points: int) -> tuple[int, ...]:
    """Bytes of what is kept between dispatches, as `states` has it."""
    return tuple(points * len(held) * _BYTES[type_] for type_, held in state.items())


def cost(kernel: Kernel) -> int:
    """Return the simple operations of an iteration at one point, roughly."""
    serial = len(kernel.axes) - 1
    total = 1
    for instr in kernel.code:
        if instr.over >> serial & 1:
            total += operations(instr) * (4 if instr.dtype == "f64" else 1)
    return total


def choose(space: Space, target: Target) -> Shape:
    """Return the layout of the shader for a launch."""
    kernel = space.kernel
    widths = {k: width(b.dtype) for k, b in enumerate(kernel.buffers)}
    vectors = vector_views(space, widths)
    doubles = all(i.dtype == "f64" for i in kernel.code if i.op in ("random", "carry"))
    lanes = 2 if doubles and all(w == 2 for w in widths.values()) else 4
    if space.extents[0] < lanes or (not _shares(space) and prod(space.extents[:-1]) < FEW):
        lanes, vectors = 1, frozenset()
    vectors = frozenset(v for v in vectors if lanes % widths[kernel.views[v].buffer or 0] == 0)
    across, wanted = 1, -(-space.extents[0] // lanes)
    while across < THREADS and (across < wanted or len(space.extents) == 2):
        across *= 2
    return Shape(layout_of(space, lanes, vectors), lanes, across)


def _shares(space: Space) -> bool:
    """Whether neighbouring points draw random numbers of the same block."""
    code = space.kernel.code
    numbers = (code[i.args[0]] for i in code if i.op == "random")
    return any(n.op == "index" and space.views[int(n.attr)].strides[0] == 1 for n in numbers)  # type: ignore[call-overload]


def grid_of(space: Space, shape: Shape, target: Target) -> tuple[int, int, int]:
    """Workgroups: one thread for each vector of points."""
    threads = -(-space.extents[0] // shape.lanes)
    columns = -(-threads // shape.across)
    if len(space.extents) == 2:
        wide = min(columns, target.groups)
        return wide, -(-columns // wide), 1
    down = -(-prod(space.extents[1:-1]) // (THREADS // shape.across))
    high = min(down, target.groups)
    return columns, high, -(-down // high)


class _Writer:
    """Writes the shader of a layout."""

    def __init__(self, kernel: Kernel, target: Target, shape: Shape, split: bool) -> None:
        self.kernel = kernel
        self.shape = shape
        self.split = split
        self.down = THREADS // shape.across
        buffers, layout = vector_buffers(kernel, shape.layout)
        self.draft = Draft(kernel, target, buffers)
        self.serial = len(kernel.axes) - 1
        self.lines = head(self.draft, shape, self.serial == 1)
        self.builtins = ["global_invocation_id"]
        if self.serial > 1:
            self.lines += self._row()
        coords = ("i0", *(f"i{k}" for k in range(1, self.serial)), "trip")
        valid = "valid" if shape.lanes > 1 else None
        self.body = Body(self.draft, coords, layout, shape.lanes, valid=valid)
        self.carries = [k for k, instr in enumerate(kernel.code) if instr.op == "carry"]
        self.lasts = [k for k, instr in enumerate(kernel.code) if instr.op == "last"]

    def write(self) -> Written:
        body, code = self.body, self.kernel.code
        effects = [k for k, instr in enumerate(code) if instr.op in ("store", "guard")]
        inside = [k for k in effects if self._varies(k)]
        after = [k for k in effects if k not in inside]
        following = [int(code[k].attr) for k in self.carries]  # type: ignore[call-overload]
        firsts = [code[k].args[0] for k in self.carries]
        body.emit(firsts)
        for k in self.carries:
            self._declare(k, code[k].args[0])
        needed = body.needed([*inside, *following, *(code[k].args[0] for k in self.lasts)])
        body.emit([k for k in needed if not self._varies(k)])
        for k in self.lasts:
            self._declare(k, None)
        if self.split:
            body.lines += self._restore()
        head = f"for (; trip < {self.draft.words.extent(self.serial)}; trip++)"

        def loop() -> list[str]:
            trip = body.inside()
            trip.emit(inside)
            self._end(trip, following)
            return block(head, trip.lines)

        body.lines.append("var trip = 0u;")
        every = [*inside, *following, *(code[k].args[0] for k in self.lasts)]
        body.lines += bounds.in_forms(body, every, 1 << self.serial, loop)
        self._after(after)
        lines = [*self.lines, *body.lines]
        return self.draft.finish(lines, (self.shape.across, self.down), self.builtins)

    def _row(self) -> list[str]:
        """Return the lines for a thread that has one row."""
        self.builtins.append("num_workgroups")
        return [
            f"let row = gid.y + gid.z * num_workgroups.y * {self.down}u;",
            f"if (row >= {rows_of(self.draft, self.serial)}) {{ return; }}",
            *coordinates(self.draft, self.serial),
        ]

    def _varies(self, position: int) -> bool:
        """Whether an instruction belongs into the loop."""
        instr = self.kernel.code[position]
        overs = [instr.over, *(self.kernel.code[a].over for a in instr.args)]
        return instr.op != "last" and any(over >> self.serial & 1 for over in overs)

    def _declare(self, position: int, first: int | None) -> None:
        """Variables for a value, one for each lane; known by them from here on."""
        instr: Instr = self.kernel.code[position]
        many = self.shape.lanes if instr.over & 1 else 1
        type_ = self.draft.scalars.type(instr.dtype)
        names = [f"s{position}" if many == 1 else f"s{position}_{j}" for j in range(many)]
        for j, name in enumerate(names):
            start = "" if first is None else f" = {self.body.lane(first, j)}"
            self.body.lines.append(f"var {name}: {type_}{start};")
        self.body.give(position, names)

    def _end(self, trip: Body, following: list[int]) -> None:
        """Return the end of an iteration: what the next one finds, what the last one leaves."""
        code = self.kernel.code
        moves = []
        for k, value in [
            *((k, code[k].args[0]) for k in self.lasts),
            *zip(self.carries, following, strict=True),
        ]:
            for j, name in enumerate(trip.names(k)):
                # all are read before any is set: carries may change places
                moves.append(f"{name} = {trip.let(trip.lane(value, j), 'next')};")
        trip.lines += moves

    # -- between dispatches -----------------------------------------------------------------------

    def _state(self) -> Iterator[tuple[str, str, str]]:
        """Each carried variable, its type, and the word that it is kept in."""
        words = self.draft.words
        number, points = len(self.kernel.views) - 2, words.field("points")
        for index, (type_, held) in enumerate(states(self.kernel).items()):
            array = self.draft.scratch(index, type_)
            for slot, k in enumerate(held):
                for j, name in enumerate(self.body.names(k)):
                    at = f"{place(self.body, number, j)} + {slot}u * {points}"
                    yield name, self.kernel.code[k].dtype, f"{array}[{at}]"

    def _restore(self) -> list[str]:
        scalars = self.draft.scalars
        state = list(self._state())
        loads = [f"{name} = {scalars.load(word, dtype)};" for name, dtype, word in state]
        first = self.draft.words.offset(len(self.kernel.views) - 1)
        return block(f"if ({first} > 0u)", loads) if loads else []

    def _after(self, effects: list[int]) -> None:
        """Return what comes after the last iteration; earlier ones keep the state."""
        if not self.split:
            self.body.emit(effects)
            return
        words, scalars = self.draft.words, self.draft.scalars
        state = list(self._state())
        keep = [f"{word} = {scalars.store(name, dtype)};" for name, dtype, word in state]
        rest = self.body.inside()
        rest.emit(effects)
        done = f"{words.offset(len(self.kernel.views) - 1)} + {words.extent(self.serial)}"
        self.body.lines += block(f"if ({done} < {words.field('trips')})", keep, "} else {")
        self.body.lines += ["  " + line for line in rest.lines] + ["}"]
