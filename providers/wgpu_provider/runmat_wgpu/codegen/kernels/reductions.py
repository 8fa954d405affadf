"""Reductions: kernels that reduce axes, and may go on with what meets the results.

A kernel runs level by level (`levels`). Where elements meet what was reduced of them and a slice
fits into the registers of a workgroup, it is read once (`kept`). Other slices that one workgroup
can take are dealt with in a single dispatch, one level after the other; longer ones take a dispatch
for each level, or two where a slice is cut into parts whose states a second dispatch joins. Later
levels compute again what the earlier ones had: reading twice costs less than keeping in memory, and
random arrays are not read at all.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Kernel, Unit
from runmat_wgpu.codegen.kernels.addressing import Space
from runmat_wgpu.codegen.kernels.draft import Draft, Written
from runmat_wgpu.codegen.kernels.geometry import (
    Counts,
    Tile,
    arrange,
    sizes,
    splits_of,
    tile_of,
    usual,
)
from runmat_wgpu.codegen.kernels.joins import PARTS, Join
from runmat_wgpu.codegen.kernels.kept import Kept, kept_tile
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.maps import ordinary
from runmat_wgpu.codegen.kernels.passes import Pass
from runmat_wgpu.codegen.kernels.regions import Walk, dispatches, near, whole_fits
from runmat_wgpu.codegen.kernels.states import State, part_bytes, result_types, struct_size
from runmat_wgpu.codegen.kernels.windows import traffic
from runmat_wgpu.codegen.shader import DeclinedError, Dispatch, Prepared, Target, Template

#: Slices of a workgroup that joins parts, where there are so few parts of each.
ACROSS, FEW = 32, 256


@attrs.frozen
class Role:
    """What a dispatch does.

    Attributes:
        kind: ``whole``: all levels; ``kept``: the same, with elements in registers; ``level``: one
            level of whole slices; ``part``: one level of parts of slices; ``join``: joins what
            these leave.
        level: which; unused for ``whole`` and ``kept``.
    """

    kind: str
    level: int = 0


class ReductionTemplate:
    """A kernel with reductions; shaders are written as launches need them."""

    def __init__(self, kernel: Kernel, target: Target) -> None:
        self.kernel = kernel
        self.target = target
        self._levels: dict[Kernel, Levels] = {}
        self._written: dict[tuple[Kernel, Role, Tile, Tile | None], Written] = {}

    @cached_property
    def source(self) -> str:
        """See `Template.source`."""
        kernel = self.kernel
        return self.prepare(*ordinary(kernel, usual(kernel))).dispatches[0].shader.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a launch."""
        if any(extents[k] == 0 for k in self.kernel.axes_of("parallel")):
            return Prepared(())
        space = arrange(self.kernel, extents, views)
        return Launch(self, space, prod(extents[k] for k in self.kernel.axes_of("reduce"))).run()

    def levels(self, kernel: Kernel) -> Levels:
        if kernel not in self._levels:
            self._levels[kernel] = Levels(kernel)
        return self._levels[kernel]

    def written(self, kernel: Kernel, role: Role, tile: Tile, parts: Tile | None) -> Written:
        """Return the shader of a dispatch, for a join with the tile of its parts."""
        key = (kernel, role, tile, parts)
        if key not in self._written:
            levels = self.levels(kernel)
            if role.kind == "kept":
                found = Kept(kernel, self.target, tile, levels, False, tile.fits).write()
            elif role.kind == "join":
                assert parts is not None
                found = write(Join(kernel, self.target, tile, levels, parts), levels, role)
            else:
                found = write(Pass(kernel, self.target, tile, levels), levels, role)
            self._written[key] = found
        return self._written[key]


def write(work: Pass, levels: Levels, role: Role) -> Written:
    """Return the shader of a dispatch."""
    first = 0 if role.kind == "whole" else role.level
    last = levels.depth if role.kind == "whole" else role.level
    if role.kind != "whole":
        for level in range(first):
            work.read(level, work.states(level), level + 1)
    if first == 0 and role.kind != "part":
        work.outer_acts(0)
    for level in range(first, last + 1):
        states, found = work.section(level)
        if not states:
            continue
        if role.kind == "part":
            work.leave_states(states, found, PARTS)
            continue
        work.finish(states, found)
        work.outer_acts(level + 1)
        if role.kind == "whole":
            if level < last:
                work.body.lines += work.tree.again()
        elif level < levels.depth - 1 or levels.acts(levels.depth, full=True):
            work.leave_results(level, states, level + 1)
    return work.written()


class Launch:
    """Sizes, and the dispatches that they take."""

    def __init__(self, owner: ReductionTemplate, space: Space, reduced: int) -> None:
        self.owner, self.space, self.reduced = owner, space, reduced
        self.levels = owner.levels(space.kernel)
        target, draft = owner.target, Draft(space.kernel, owner.target)
        code = space.kernel.code
        self.states = [
            {k: State(draft, reducer_of(code[k]), f"r{k}") for k in self.levels.reduces(level)}
            for level in range(self.levels.depth)
        ]
        largest = max(sum(s.bytes for s in each.values()) for each in self.states)
        self.tile = tile_of(space, target, self.levels, largest)
        if not whole_fits(space, target):
            self.tile = near(space, self.tile)
        self.scratch: dict[int, int] = {}
        kept = kept_tile(space, target, self.levels, largest) if self._again() else None
        if kept is not None:
            self.tile = kept
        self.counts = sizes(space, self.tile.lanes, self.tile.along)
        self.kind = "whole" if kept is None else "kept"
        self.splits = self._splits() if kept is None else 1

    def _again(self) -> bool:
        """Whether elements meet what was reduced of them, in slices that can be bound whole."""
        depth = self.levels.depth
        meet = depth > 1 or bool(self.levels.acts(depth, full=True))
        return meet and whole_fits(self.space, self.owner.target)

    def run(self) -> Prepared:
        """Return the dispatches."""
        if self.splits == 1:
            found = self._pass(Role(self.kind), 1)
        else:
            found = []
            for level in range(self.levels.depth):
                found += self._level(level)
            if self.levels.acts(self.levels.depth, full=True):
                found += self._pass(Role("level", self.levels.depth), self.splits)
        reads, writes = traffic(self.space)
        sizes = tuple(self.scratch.get(k, 16) for k in range(max(self.scratch, default=-1) + 1))
        return Prepared(tuple(found), sizes, reads=reads, writes=writes)

    def _splits(self) -> int:
        """Into how many parts slices are cut: for speed, and so that windows can be bound."""
        splits = splits_of(self.counts, self.tile)
        while not whole_fits(self.space, self.owner.target) and splits < self.counts.steps:
            walk = self._walk(attrs.evolve(self.counts, splits=splits))
            if walk.fits(self.owner.target):
                break
            splits = min(2 * splits, self.counts.steps)
        # with the last part not empty
        length = -(-self.counts.steps // splits)
        return max(-(-self.counts.steps // max(length, 1)), 1)

    def _walk(self, counts: Counts) -> Walk:
        across = self.tile.across
        tiles = -(-counts.units // across)
        return Walk(self.space, self.tile, counts, tiles, across, counts.splits, counts.length)

    def _level(self, level: int) -> list[Dispatch]:
        slices = self.counts.units * self.tile.columns
        states = self.states[level]
        part = part_bytes(list(states.values()))
        self.scratch[PARTS] = max(self.scratch.get(PARTS, 0), slices * self.splits * part)
        self.scratch[level + 1] = slices * struct_size(result_types(states))
        return [*self._pass(Role("part", level), self.splits), *self._join(level, slices)]

    def _pass(self, role: Role, splits: int) -> list[Dispatch]:
        counts = attrs.evolve(self.counts, splits=splits)
        written = self.owner.written(self.space.kernel, role, self.tile, None)
        return dispatches(written, self._walk(counts), self._words(counts), self.owner.target)

    def _join(self, level: int, slices: int) -> list[Dispatch]:
        tile = join_tile(self.tile, slices, self.splits)
        written = self.owner.written(self.space.kernel, Role("join", level), tile, self.tile)
        counts = attrs.evolve(self.counts, splits=self.splits)
        # tiles are of slices here, some of which may be lanes of one unit
        own = attrs.evolve(counts, units=slices, splits=1)
        groups = -(-slices // tile.across)
        wide = attrs.evolve(self.tile, lanes=1)
        walk = Walk(self.space, wide, own, groups, tile.across)
        words = self._words(counts) | {"slices": slices}
        return dispatches(written, walk, words, self.owner.target)

    def _words(self, counts: Counts) -> dict[str, int | float]:
        return {
            "fast": counts.fast,
            "units": counts.units,
            "steps": counts.steps,
            "full": counts.full,
            "splits": counts.splits,
            "length": counts.length,
            "reduced_f32": float(self.reduced),
            "reduced_f64": float(self.reduced),
        }


def join_tile(parts: Tile, slices: int, splits: int) -> Tile:
    """Return the tile of the dispatch that joins parts, one of two for all sizes.

    Threads wait for one part after the other, so many parts take a workgroup for each slice.
    """
    across = min(ACROSS, parts.threads) if slices >= ACROSS and splits <= FEW else 1
    rows = parts.threads // across
    return attrs.evolve(parts, lanes=1, along=False, across=across, rows=rows, unroll=1, exact=True)


def template(unit: Unit, target: Target) -> Template:
    """Generate a kernel with reductions.

    Raises:
        DeclinedError: the target lacks a type or an operation, or binds too few arrays.
    """
    if not isinstance(unit, Kernel):
        raise DeclinedError("not a kernel")
    return ReductionTemplate(unit, target)
