"""The text of loops in time with reductions inside.

The threads of a slice keep its state in registers through all trips, as `Kept` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.draft import Written, block
from runmat_wgpu.codegen.kernels.geometry import Tile
from runmat_wgpu.codegen.kernels.kept import Kept, Share
from runmat_wgpu.codegen.kernels.levels import Levels
from runmat_wgpu.codegen.kernels.loops import states
from runmat_wgpu.codegen.kernels.passes import BUILTINS
from runmat_wgpu.codegen.kernels.places import place
from runmat_wgpu.codegen.shader import Target


class Trips(Kept):
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
        self.split = split
        (self.serial,) = kernel.axes_of("serial")
        super().__init__(kernel, target, tile, levels, ordered, fits)
        code = kernel.code
        self.carries = [k for k, i in enumerate(code) if i.op == "carry"]
        self.lasts = [k for k, i in enumerate(code) if i.op == "last"]
        self.following = [int(code[k].attr) for k in self.carries]  # type: ignore[call-overload]

    def _columns(self) -> tuple[list[str], dict[int, str]]:
        lines, names = super()._columns()
        names[self.serial] = "trip"
        return lines, names

    def write(self) -> Written:
        """Return the shader."""
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
        """Return what keeps the trees of two trips apart."""
        reduces = any(i.op == "reduce" and self._varies(k) for k, i in enumerate(self.kernel.code))
        return self.tree.again() if reduces else []

    def _varies(self, position: int) -> bool:
        """Whether an instruction belongs into the loop."""
        instr = self.kernel.code[position]
        overs = [instr.over, *(self.kernel.code[a].over for a in instr.args)]
        moves = instr.op == "store" and self.kernel.views[int(instr.attr)].moves[self.serial]  # type: ignore[call-overload]
        return instr.op != "last" and (moves or any(over >> self.serial & 1 for over in overs))

    def _steady(self, wanted: Iterable[int], share: Share) -> list[int]:
        """Return the values among those needed that are the same in every trip."""
        acts = {k for k, i in enumerate(self.kernel.code) if i.op in ("store", "guard")}
        return [k for k in self._needed(wanted, share) if not self._varies(k) and k not in acts]

    # -- from trip to trip ----------------------------------------------------------------------

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
        """Return the end of an iteration: what the next one finds, what the last one leaves."""
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
        """Return what comes after the last iteration; earlier ones keep the state."""
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
