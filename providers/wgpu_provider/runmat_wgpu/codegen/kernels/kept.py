"""The text of kernels whose threads keep their share of a slice in registers.

Each thread has a few batches of lanes, whose code is written out one after the other; what is
reduced is joined through the `Tree` of the workgroup, and meets the elements again where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.addressing import Space, layout_of
from runmat_wgpu.codegen.kernels.costs import operations
from runmat_wgpu.codegen.kernels.draft import Written, block
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.geometry import Tile, lanes_of, power, sizes
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.passes import BUILTINS, Pass
from runmat_wgpu.codegen.kernels.states import State
from runmat_wgpu.codegen.shader import STORED_BYTES, Target

#: Bytes of elements that a thread keeps at most, and simple operations of its code.
HELD, LONG = 128, 4096
#: Threads of a workgroup, unless slices need more of them.
THREADS = 256
#: Bytes of neighbours in memory that the slices of a workgroup should span, and must span. With 16
#: an H200 takes twice as long for rows of 8192 as passes over the memory do.
SPAN, LEAST = 64, 32
#: Threads of a slice that may join states without memory on most devices.
NEAR = 32
#: Threads that keep a large device busy.
BUSY = 1 << 17


def kept_tile(space: Space, target: Target, levels: Levels, state_bytes: int) -> Tile | None:
    """Return the tile of workgroups that keep slices in registers, None where these are too large.

    Args:
        state_bytes: of all states of one slice.
    """
    kernel = space.kernel
    ordered = (reducer_of(i) for i in kernel.code if i.op == "reduce")
    if target.software or any(
        not r.commutative and r.name not in ("argmin", "argmax") for r in ordered
    ):
        return None
    along = kernel.axes[0].kind == "reduce"
    lanes, vectors = lanes_of(space)
    if along and space.extents[0] % lanes:
        lanes, vectors = 1, frozenset()
    counts = sizes(space, lanes, along)
    invocations = target.invocations
    rows = power(-(-counts.steps // max(_most(kernel, levels, target) // lanes, 1)))
    while rows < min(counts.steps, NEAR, invocations) and counts.units * rows < BUSY:
        rows *= 2
    across = max(THREADS // rows, 1)
    if not along:
        wide = lanes * max(STORED_BYTES[b.dtype] for b in kernel.buffers)
        across = max(across, min(SPAN // wide, invocations // rows))
        least = target.tuning("kept.span", LEAST)
        if across * wide < least and across < counts.units:
            return None
    across = min(across, power(counts.units))
    columns = 1 if along else lanes
    if (
        rows * across > invocations
        or rows * across * columns * state_bytes > target.workgroup_bytes
    ):
        return None
    unroll = max(-(-counts.steps // rows), 1)
    exact = space.extents[0] % lanes == 0
    fits = counts.steps == rows * unroll
    layout = layout_of(space, lanes, vectors)
    return Tile(layout, lanes, along, across, rows, unroll, False, exact, fits)


def _most(kernel: Kernel, levels: Levels, target: Target) -> int:
    """Elements of a slice that a thread may keep, a power of two."""
    full = [i for k, i in enumerate(kernel.code) if levels.is_full(k)]
    arrays = sum(i.op in ("load", "random") for i in full)
    each = sum(operations(i) for i in full)
    widest = max((STORED_BYTES[b.dtype] for b in kernel.buffers), default=4)
    most = target.tuning("kept.held", HELD) // widest // max(arrays, 1)
    return max(power(min(most, LONG // max(each, 1)) + 1) // 2, 1)


class Share:
    """A thread's share of a slice, in one scope: the slice as a whole, and batches of lanes.

    Attributes:
        outer: the body of what does not vary along the slice.
        points: bodies of batches, each with its number along the slice and the condition that it
            is inside, None where all are.
    """

    def __init__(self, outer: Body, points: Sequence[tuple[Body, str, str | None]]) -> None:
        self.outer, self.points = outer, points
        self.lines = outer.lines
        for point, _, _ in points:
            point.lines = self.lines

    def inside(self) -> Share:
        """Return the share in a scope inside this one."""
        outer = self.outer.inside()
        return Share(outer, [(point.inside(), number, ok) for point, number, ok in self.points])

    def knows(self, position: int) -> bool:
        return position in self.outer.known or position in self.points[0][0].known

    def give(self, position: int, names: Sequence[str]) -> None:
        """Say by what names a value of the slice as a whole is known."""
        self.outer.give(position, names)
        for point, _, _ in self.points:
            point.give(position, names)


class Kept(Pass):
    """The shader of slices that are read once.

    Args:
        ordered: whether states may only be joined to those of neighbours.
        fits: whether slices have exactly as many batches as threads take.
    """

    def __init__(
        self,
        kernel: Kernel,
        target: Target,
        tile: Tile,
        levels: Levels,
        ordered: bool,
        fits: bool,
    ) -> None:
        self.ordered, self.fits = ordered, fits
        super().__init__(kernel, target, tile, levels)

    def _columns(self) -> tuple[list[str], dict[int, str]]:
        lines, names = super()._columns()
        if self.ordered:
            many = self.tile.unroll
            own = f"let filled = (share + {many - 1}u) / {many}u;"
            lines = [own if line.startswith("let filled") else line for line in lines]
        return lines, names

    def write(self) -> Written:
        """Return the shader."""
        share = Share(self.body, self._batches())
        acts = stores(self.kernel.code)
        self.want(share, self.levels.operands(acts))
        self._act(share, acts)
        return self.draft.finish(
            share.lines, (self.tile.threads,), [*self.tree.builtins(), *BUILTINS]
        )

    def _batches(self) -> list[tuple[Body, str, str | None]]:
        """Return the batches of lanes of a thread; those beyond the end repeat the last one."""
        found = []
        for u in range(self.tile.unroll):
            number, steps = self.draft.name("q"), self.draft.words.field("steps")
            at = (
                f"row * {self.tile.unroll}u + {u}u"
                if self.ordered
                else f"row + {u * self.tile.rows}u"
            )
            ok = None
            if not self.fits:
                ok = self.draft.name("ok")
                self.body.lines.append(f"let {ok} = {at} < {steps};")
                at = f"min({at}, {steps} - 1u)"
            self.body.lines.append(f"let {number} = {at};")
            point = self.point(number)
            self.body.lines += point.lines
            found.append((point, number, ok))
        return found

    # -- values -----------------------------------------------------------------------------------

    def _needed(self, wanted: Iterable[int], share: Share) -> list[int]:
        """Instructions below some, and themselves, that are not known yet, in order."""
        code = self.kernel.code
        found: set[int] = set()
        stack = list(wanted)
        while stack:
            k = stack.pop()
            if k not in found and not share.knows(k):
                found.add(k)
                stack += code[k].args
        return sorted(found)

    def want(self, share: Share, wanted: Sequence[int]) -> None:
        """Write what these values need, reductions included, and the values."""
        code = self.kernel.code
        while True:
            needed = self._needed(wanted, share)
            reduces = [k for k in needed if code[k].op == "reduce"]
            if not reduces:
                break
            ready = [k for k in reduces if not self._waits(k, share)]
            self._reduce(share, ready)
        self._emit(share, needed)

    def _waits(self, reduce: int, share: Share) -> bool:
        """Whether a reduction needs the result of another one first."""
        below = self._needed(self.kernel.code[reduce].args, share)
        return any(self.kernel.code[k].op == "reduce" for k in below)

    def _emit(self, share: Share, needed: Sequence[int]) -> None:
        """Write values that wait for nothing."""
        code = self.kernel.code
        outer = [k for k in needed if not self.levels.is_full(k) and code[k].op != "index"]
        share.outer.emit(outer)
        share.outer.prepare(needed)
        inverses = {key: v for key, v in share.outer.memo.items() if key[0] == "inverse"}
        for point, _, _ in share.points:
            point.memo |= inverses
            for k in outer:
                if k in share.outer.known:
                    point.give(k, share.outer.known[k])
            point.emit([k for k in needed if self.levels.is_full(k)])

    def _reduce(self, share: Share, reduces: Sequence[int]) -> None:
        """Reductions of a level: each thread joins its own, the tree does the rest."""
        code = self.kernel.code
        for k in reduces:
            self._emit(share, self._needed(code[k].args, share))
        found: list[tuple[int, State, list[str]]] = []
        for k in reduces:
            state = State(self.draft, reducer_of(code[k]), f"r{k}")
            names = [self._joined(share, k, state, c) for c in range(self.tile.columns)]
            found.append((k, state, names))
        lines, whole = self.tree.write([(state, names) for _, state, names in found])
        share.lines += lines
        for (k, state, _), columns in zip(found, whole, strict=True):
            each = [state.finish(share.outer, share.outer.let(c, "whole")) for c in columns]
            for where, number in self.levels.results(k):
                share.give(where, [results[number] for results in each])
        share.lines += self.tree.again()

    def _joined(self, share: Share, position: int, state: State, column: int) -> str:
        """Return the variable of what a thread has of a slice."""
        lanes: Sequence[int] = range(self.tile.lanes) if self.tile.along else (column,)
        operands = self.kernel.code[position].args
        name = self.draft.name("acc")
        elements = [
            [
                (
                    [point.lane(a, lane) for a in operands],
                    f"({number} * {self.tile.lanes}u + {lane}u)" if self.tile.along else number,
                )
                for lane in lanes
            ]
            for point, number, _ in share.points
        ]
        outer = share.outer
        if self.fits:
            made = state.lift_all(outer, [e for batch in elements for e in batch])
            share.lines.append(f"var {name}: {state.type} = {made};")
            return name
        share.lines.append(f"var {name}: {state.type} = {state.nothing()};")
        for u, (batch, (_, _, ok)) in enumerate(zip(elements, share.points, strict=True)):
            inner = outer.inside()
            made = state.lift_all(inner, batch)
            # a thread has its first batch if it has any
            whole = state.join(name, made) if u or state.identity is not None else made
            share.lines += block(f"if ({ok})", [*inner.lines, f"{name} = {whole};"])
        return name

    # -- stores -----------------------------------------------------------------------------------

    def _act(self, share: Share, acts: Sequence[int]) -> None:
        """Store and guards whose values are known."""
        outer = [k for k in acts if not self.levels.is_full(k)]
        if outer:
            inner = share.outer.inside()
            inner.emit(outer)
            share.lines += block("if (alive && row == 0u)", inner.lines)
        full = [k for k in acts if k not in outer]
        for point, _, ok in share.points if full else ():
            inner = point.inside()
            inner.emit(full)
            share.lines += block(f"if (alive && {ok})" if ok else "if (alive)", inner.lines)

    def _places(self, share: Share, position: int) -> list[Body]:
        """Return the bodies that have a value of their own."""
        full = self.levels.is_full(position)
        return [point for point, _, _ in share.points] if full else [share.outer]
