"""The text of loops in time with reductions inside.

The threads of a slice keep its state in registers through all trips: each has a few batches of
lanes, whose code is written out one after the other, and what a trip reduces is joined through the
`Tree` of the workgroup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.draft import Written, block
from runmat_wgpu.codegen.kernels.emit import Body
from runmat_wgpu.codegen.kernels.geometry import Tile
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.loops import states
from runmat_wgpu.codegen.kernels.passes import BUILTINS, Pass
from runmat_wgpu.codegen.kernels.places import place
from runmat_wgpu.codegen.kernels.states import State
from runmat_wgpu.codegen.shader import Target


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
        """The share in a scope inside this one."""
        outer = self.outer.inside()
        return Share(outer, [(point.inside(), number, ok) for point, number, ok in self.points])

    def knows(self, position: int) -> bool:
        return position in self.outer.known or position in self.points[0][0].known

    def give(self, position: int, names: Sequence[str]) -> None:
        """Say by what names a value of the slice as a whole is known."""
        self.outer.give(position, names)
        for point, _, _ in self.points:
            point.give(position, names)


class Trips(Pass):
    """The shader of a loop.

    Args:
        ordered: whether states may only be joined to those of neighbours.
        fits: whether slices have exactly as many batches as threads take.
        split: whether trips come in several dispatches, with the state in scratch between them.
            The kernel's last two views then number points and trips (`loops.numbered`).
    """

    def __init__(
        self,
        kernel: Kernel,
        target: Target,
        tile: Tile,
        levels: Levels,
        ordered: bool,
        fits: bool,
        split: bool,
    ) -> None:
        self.ordered, self.fits, self.split = ordered, fits, split
        (self.serial,) = kernel.axes_of("serial")
        super().__init__(kernel, target, tile, levels)
        code = kernel.code
        self.carries = [k for k, i in enumerate(code) if i.op == "carry"]
        self.lasts = [k for k, i in enumerate(code) if i.op == "last"]
        self.following = [int(code[k].attr) for k in self.carries]  # type: ignore[call-overload]

    def _columns(self) -> tuple[list[str], dict[int, str]]:
        lines, names = super()._columns()
        if self.ordered:
            many = self.tile.unroll
            own = f"let filled = (share + {many - 1}u) / {many}u;"
            lines = [own if line.startswith("let filled") else line for line in lines]
        names[self.serial] = "trip"
        return lines, names

    def write(self) -> Written:
        """The shader."""
        code = self.kernel.code
        acts = [k for k, i in enumerate(code) if i.op in ("store", "guard")]
        inside = [k for k in acts if self._varies(k)]
        share = Share(self.body, self._batches())
        firsts = [code[k].args[0] for k in self.carries]
        self.want(share, firsts)
        for k in self.carries:
            self._declare(share, k, code[k].args[0])
        results = [*self.following, *(code[k].args[0] for k in self.lasts)]
        self.want(share, self._steady([*inside, *results], share))
        for k in self.lasts:
            self._declare(share, k, None)
        if self.split:
            share.lines += self._restore(share)
        trip = share.inside()
        self.want(trip, [a for k in inside for a in code[k].args] + results)
        self._act(trip, inside)
        self._end(trip)
        extent = self.draft.words.extent(self.serial)
        head = f"for (var trip = 0u; trip < {extent}; trip++)"
        share.lines += block(head, [*trip.lines, *self._turn()])
        self._after(share, [k for k in acts if k not in inside])
        builtins = [*self.tree.builtins(), *BUILTINS]
        return self.draft.finish(share.lines, (self.tile.threads,), builtins)

    def _turn(self) -> list[str]:
        """What keeps the trees of two trips apart."""
        reduces = any(i.op == "reduce" and self._varies(k) for k, i in enumerate(self.kernel.code))
        return self.tree.again() if reduces else []

    def _varies(self, position: int) -> bool:
        """Whether an instruction belongs into the loop."""
        instr = self.kernel.code[position]
        overs = [instr.over, *(self.kernel.code[a].over for a in instr.args)]
        moves = instr.op == "store" and self.kernel.views[int(instr.attr)].moves[self.serial]  # type: ignore[call-overload]
        return instr.op != "last" and (moves or any(over >> self.serial & 1 for over in overs))

    def _batches(self) -> list[tuple[Body, str, str | None]]:
        """The batches of lanes of a thread; those beyond the end repeat the last one."""
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

    def _steady(self, wanted: Iterable[int], share: Share) -> list[int]:
        """The values among those needed that are the same in every trip."""
        acts = {k for k, i in enumerate(self.kernel.code) if i.op in ("store", "guard")}
        return [k for k in self._needed(wanted, share) if not self._varies(k) and k not in acts]

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
        for point, _, _ in share.points:
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
        """The variable of what a thread has of a slice."""
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

    # -- stores, and from trip to trip ------------------------------------------------------------

    def _act(self, share: Share, acts: Sequence[int]) -> None:
        """Stores and guards whose values are known."""
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
        """The bodies that have a value of their own."""
        full = self.levels.is_full(position)
        return [point for point, _, _ in share.points] if full else [share.outer]

    def _declare(self, share: Share, position: int, first: int | None) -> None:
        """Variables for a value, one for each place and lane; known by them from here on."""
        instr = self.kernel.code[position]
        type_ = self.draft.scalars.type(instr.dtype)
        for body in self._places(share, position):
            many = body.lanes if instr.over & 1 else 1
            names = [self.draft.name(f"s{position}") for _ in range(many)]
            for j, name in enumerate(names):
                start = "" if first is None else f" = {body.lane(first, j)}"
                share.lines.append(f"var {name}: {type_}{start};")
            if body is share.outer:
                share.give(position, names)
            else:
                body.give(position, names)

    def _end(self, trip: Share) -> None:
        """The end of a trip: what the next one finds, and what the last one leaves."""
        code = self.kernel.code
        moves = []
        for k, value in [
            *((k, code[k].args[0]) for k in self.lasts),
            *zip(self.carries, self.following, strict=True),
        ]:
            for body in self._places(trip, k):
                for j, name in enumerate(body.names(k)):
                    # all are read before any is set: carries may change places
                    moves.append(f"{name} = {body.let(body.lane(value, j), 'next')};")
        trip.lines += moves

    # -- between dispatches -----------------------------------------------------------------------

    def _state(self, share: Share) -> Iterator[tuple[str, str, str, str]]:
        """Each carried variable, its type, the word it is kept in, and who keeps it."""
        words = self.draft.words
        number, points = len(self.kernel.views) - 2, words.field("points")
        for index, (type_, held) in enumerate(states(self.kernel).items()):
            array = self.draft.scratch(index, type_)
            for slot, k in enumerate(held):
                checks = [ok for _, _, ok in share.points]
                if not self.levels.is_full(k):
                    checks = ["row == 0u"]
                for body, ok in zip(self._places(share, k), checks, strict=True):
                    for j, name in enumerate(body.names(k)):
                        inside = " && ".join(
                            ["alive"]
                            + ([ok] if ok else [])
                            + ([f"{body.valid} > {j}u"] if body.valid and j else [])
                        )
                        at = f"{place(body, number, j)} + {slot}u * {points}"
                        yield name, self.kernel.code[k].dtype, f"{array}[{at}]", inside

    def _restore(self, share: Share) -> list[str]:
        scalars = self.draft.scalars
        state = list(self._state(share))
        loads = [f"{name} = {scalars.load(word, dtype)};" for name, dtype, word, _ in state]
        first = self.draft.words.offset(len(self.kernel.views) - 1)
        return block(f"if ({first} > 0u)", loads) if loads else []

    def _after(self, share: Share, acts: Sequence[int]) -> None:
        """What comes after the last trip; before that, the state is kept for later ones."""
        code = self.kernel.code
        operands = [a for k in acts for a in code[k].args]
        if not self.split:
            self.want(share, operands)
            self._act(share, acts)
            return
        words, scalars = self.draft.words, self.draft.scalars
        keep = [
            f"if ({inside}) {{ {word} = {scalars.store(name, dtype)}; }}"
            for name, dtype, word, inside in self._state(share)
        ]
        rest = share.inside()
        self.want(rest, operands)
        self._act(rest, acts)
        done = f"{words.offset(len(self.kernel.views) - 1)} + {words.extent(self.serial)}"
        share.lines += block(f"if ({done} < {words.field('trips')})", keep, "} else {")
        share.lines += ["  " + line for line in rest.lines] + ["}"]
