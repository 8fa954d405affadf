"""The text of the dispatches of a scan that store: `Running` goes along, `Fold` joins parts before.

A thread of `Running` joins a few neighbours one after the other. Where the lanes lie along the
axis, the threads of a workgroup share a slice, a block of neighbours at a time: totals of threads
are scanned through shared memory, and the total of the block is carried to the next. Else each
thread goes along a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.geometry import Tile
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.passes import BUILTINS, Pass
from runmat_wgpu.codegen.kernels.states import State, joined, part_struct
from runmat_wgpu.codegen.shader import Target

#: Which of `Prepared.scratch` holds the states of parts, and which what stands before each part.
PARTS, STARTS = 0, 1


class Running(Pass):
    """The dispatch that stores.

    Args:
        cut: whether slices come in parts, with what stands before each in scratch.
    """

    def __init__(
        self, kernel: Kernel, target: Target, tile: Tile, levels: Levels, cut: bool
    ) -> None:
        self.cut = cut
        super().__init__(kernel, target, tile, levels)
        self.scans = {
            k: State(self.draft, reducer_of(i), f"r{k}")
            for k, i in enumerate(kernel.code)
            if i.op == "scan"
        }
        self.acts = stores(kernel.code)

    def _part(self) -> str:
        part = super()._part()
        return part if self.tile.along else f"({part}) * {self.tile.rows}u + row"

    def write(self) -> Written:
        """The shader."""
        full = [k for k in self.acts if self.levels.is_full(k)]
        outer = [k for k in self.acts if not self.levels.is_full(k)]
        self.body.emit(self.levels.outer([*self.scans, *full]))
        carried = self._carried()
        if outer:
            inner = self.body.inside()
            inner.emit(outer)
            first = "alive && row == 0u && part == 0u" if self.tile.along else "alive && part == 0u"
            self.body.lines += block(f"if ({first})", inner.lines)
        if self.tile.along:
            self._blocks(carried, full)
        else:
            self._alone(carried, full)
        return self.draft.finish(
            self.body.lines, (self.tile.threads,), [*self.tree.builtins(), *BUILTINS]
        )

    def _carried(self) -> dict[int, list[str]]:
        """Variables of what stands before, in every thread, and ``started``: whether anything."""
        names: dict[int, list[str]] = {}
        lines = self.body.lines
        for position, state in self.scans.items():
            names[position] = [self.draft.name("carry") for _ in range(self.tile.columns)]
            lines += [f"var {n}: {state.type} = {state.nothing()};" for n in names[position]]
        lines.append("var started = false;")
        if self.cut:
            states = list(self.scans.values())
            array = self.draft.scratch(STARTS, part_struct(self.draft, states), "read")
            inner = []
            for c in range(self.tile.columns):
                at = f"part * {self.draft.words.field('units')} + here"
                at = f"({at}) * {self.tile.columns}u + {c}u" if self.tile.columns > 1 else at
                inner.append(f"let before{c} = {array}[{at}];")
                for n, position in enumerate(self.scans):
                    member = f".p{n}" if len(states) > 1 else ""
                    inner.append(f"{names[position][c]} = before{c}{member};")
            inner.append("started = true;")
            lines += block("if (alive && part > 0u)", inner)
        return names

    # -- each thread alone ------------------------------------------------------------------------

    def _alone(self, carried: dict[int, list[str]], acts: list[int]) -> None:
        many = self.tile.unroll
        lines = self.body.lines
        lines.append("var at = begin;")
        ahead = f" + {many - 1}u" if many > 1 else ""
        lines += block(f"for (; at{ahead} < stop; at += {many}u)", self._steps(many, carried, acts))
        if many > 1:
            lines += block("for (; at < stop; at += 1u)", self._steps(1, carried, acts))

    def _steps(self, many: int, carried: dict[int, list[str]], acts: list[int]) -> list[str]:
        points, lines = self._points([f"at + {u}u" for u in range(many)], acts)
        for point, number in points:
            results: dict[int, list[list[str]]] = {k: [] for k in self.scans}
            for c in range(self.tile.lanes):
                for position, state in self.scans.items():
                    values = [point.lane(a, c) for a in self.kernel.code[position].args]
                    made = point.let(state.lift(point, values, number), "s")
                    name = carried[position][c]
                    point.lines += joined(state, name, made, "started")
                    whole = point.let(name, "s")
                    results[position].append(list(state.finish(point, whole)))
            point.lines.append("started = true;")
            self._give_lanes(point, results)
            point.emit(acts)
            lines += point.lines
        return lines

    def _points(
        self, numbers: Sequence[str], acts: list[int], checked: bool = False
    ) -> tuple[list[tuple[Body, str]], list[str]]:
        """Bodies for batches that share a scope, and the statements that load what they need."""
        points, lines = [], []
        for expression in numbers:
            number = self.draft.name("q")
            lines.append(f"let {number} = {expression};")
            point = self.point(number, checked)
            point.emit(self.levels.operands(self.scans))
            lines += point.lines
            point.lines = []
            points.append((point, number))
        return points, lines

    def _give_lanes(self, point: Body, results: dict[int, list[list[str]]]) -> None:
        for position, lanes in results.items():
            for where, number in self.levels.results(position):
                point.give(where, [lane[number] for lane in lanes])

    # -- a workgroup for a block ------------------------------------------------------------------

    def _blocks(self, carried: dict[int, list[str]], acts: list[int]) -> None:
        """Blocks of a slice one after the other; all threads take as many turns."""
        tile, draft = self.tile, self.draft
        block_ = tile.rows * tile.unroll
        inner: list[str] = []
        numbers = [f"base + row * {tile.unroll}u + {u}u" for u in range(tile.unroll)]
        points, lines = self._points(numbers, acts, checked=not tile.exact)
        inner += lines
        local = self._local(points, inner)
        totals = {k: states[-1][-1] for k, states in local.items()}
        inner += self._scan_totals(totals)
        before: dict[int, str] = {}
        for position, state in self.scans.items():
            array, name = self._array(position), carried[position][0]
            started = state.identity is None
            before[position] = f"before{position}"
            inner.append(f"var {before[position]} = {name};")
            last = f"{array}[turn + thread - 1u]"
            inner += block("if (row > 0u)", joined(state, before[position], last, "started"))
            whole = f"{array}[turn + thread - row + {tile.rows - 1}u]"
            inner += joined(state, name, whole, "started" if started else None)
        inner.append("let some = started || row > 0u;")
        inner.append("started = true;")
        for n, (point, number) in enumerate(points):
            self._results(point, {k: s[n] for k, s in local.items()}, before, "some")
            within = point.inside()
            within.emit(acts)
            inner += point.lines + block(f"if ({number} < stop)", within.lines)
        inner.append("workgroupBarrier();")
        length = draft.words.field("length")
        self.body.lines += block(
            f"for (var base = begin; base < begin + {length}; base += {block_}u)", inner
        )

    def _array(self, position: int) -> str:
        return f"totals{position}"

    def _local(
        self, points: Sequence[tuple[Body, str]], lines: list[str], apart: bool = False
    ) -> dict[int, list[list[str]]]:
        """States up to each element of a thread, by scan, batch and lane in the scan's order.

        Args:
            apart: whether batches are no neighbours, and each has states of its own elements only.
        """
        found: dict[int, list[list[str]]] = {k: [] for k in self.scans}
        order = range(self.tile.lanes)
        for position, state in self.scans.items():
            last = None
            for point, number in points:
                names = []
                last = None if apart else last
                for n, lane in enumerate(order[::-1] if self.tile.reverse else order):
                    values = [point.lane(a, lane) for a in self.kernel.code[position].args]
                    place = f"({number} * {self.tile.lanes}u + {n}u)"
                    made = state.lift(point, values, place)
                    last = point.let(made if last is None else state.join(last, made), "s")
                    names.append(last)
                lines += point.lines
                point.lines = []
                found[position].append(names)
        return found

    def _results(
        self, point: Body, local: dict[int, list[str]], before: dict[int, str], some: str
    ) -> None:
        """Join what stands before a batch to its own states, and know the results.

        Args:
            before: names of what stands before, by scan.
            some: a test whether anything does.
        """
        results: dict[int, list[list[str]]] = {}
        for position, names in local.items():
            state = self.scans[position]
            lanes = []
            for name in names:
                whole = state.join(before[position], name)
                if state.identity is None:
                    made = self.draft.name("whole")
                    point.lines.append(f"var {made} = {name};")
                    point.lines.append(f"if ({some}) {{ {made} = {whole}; }}")
                else:
                    made = point.let(whole, "whole")
                lanes.append(list(state.finish(point, made)))
            results[position] = lanes[::-1] if self.tile.reverse else lanes
        self._give_lanes(point, results)

    def _scan_totals(self, totals: dict[int, str]) -> list[str]:
        """The running totals of the threads of a slice, in half ``turn`` of shared memory."""
        tile = self.tile
        lines = ["var turn = 0u;"]
        for position, state in self.scans.items():
            array = self.draft.shared(
                self._array(position), f"array<{state.type}, {2 * tile.threads}>"
            )
            lines.append(f"{array}[thread] = {totals[position]};")
        lines.append("workgroupBarrier();")
        inner = [f"let after = {tile.threads}u - turn;"]
        for position, state in self.scans.items():
            array = self._array(position)
            own = f"own{position}"
            inner.append(f"var {own} = {array}[turn + thread];")
            sum_ = state.join(f"{array}[turn + thread - s]", own)
            inner += block("if (row >= s)", [f"{own} = {sum_};"])
            inner.append(f"{array}[after + thread] = {own};")
        inner += ["turn = after;", "workgroupBarrier();"]
        return lines + block(f"for (var s = 1u; s < {tile.rows}u; s = s << 1u)", inner)


class Fold(Running):
    """The dispatch that finds what stands before each part, a slice for a column."""

    def __init__(self, kernel: Kernel, target: Target, tile: Tile, levels: Levels) -> None:
        self.draft = Draft(kernel, target)
        self.tile = tile
        self.scans = {
            k: State(self.draft, reducer_of(i), f"r{k}")
            for k, i in enumerate(kernel.code)
            if i.op == "scan"
        }

    def write(self) -> Written:
        """The shader: each thread joins a run of parts, and then goes along it again."""
        draft, tile, field = self.draft, self.tile, self.draft.words.field
        states = list(self.scans.values())
        type_ = part_struct(draft, states)
        read, written = draft.scratch(PARTS, type_, "read"), draft.scratch(STARTS, type_)
        lines = [
            "let thread = local_invocation_index;",
            f"let row = thread / {tile.across}u;",
            "let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;",
            f"let slice = group * {tile.across}u + thread % {tile.across}u;",
            f"let run = ({field('splits')} + {tile.rows - 1}u) / {tile.rows}u;",
            "let begin = row * run;",
            f"let alive = slice < {field('slices')};",
            f"let stop = select(0u, min(begin + run, {field('splits')}), alive);",
            "var started = false;",
        ]
        for position, state in self.scans.items():
            lines.append(f"var sum{position}: {state.type} = {state.nothing()};")
        at = f"q * {field('slices')} + slice"
        joins = self._joins(len(states))
        lines += block(
            "for (var q = begin; q < stop; q += 1u)",
            [f"let part = {read}[{at}];", *joins, "started = true;"],
        )
        lines += self._before_rows()
        whole = ", ".join(f"sum{k}" for k in self.scans)
        whole = f"{type_}({whole})" if len(states) > 1 else whole
        lines += block(
            "for (var q = begin; q < stop; q += 1u)",
            [
                f"let part = {read}[{at}];",
                f"{written}[{at}] = {whole};",
                *joins,
                "started = true;",
            ],
        )
        return draft.finish(lines, (tile.threads,), ["local_invocation_index", *BUILTINS])

    def _joins(self, count: int) -> list[str]:
        lines = []
        for n, (position, state) in enumerate(self.scans.items()):
            made = f"part.p{n}" if count > 1 else "part"
            lines += joined(state, f"sum{position}", made, "started")
        return lines

    def _before_rows(self) -> list[str]:
        """Replace each thread's sum by what the rows before it have; they all have something."""
        tile = self.tile
        lines = []
        for position, state in self.scans.items():
            array = self.draft.shared(f"sums{position}", f"array<{state.type}, {tile.threads}>")
            lines.append(f"{array}[thread] = sum{position};")
        lines += ["workgroupBarrier();", "started = false;"]
        inner = []
        for position, state in self.scans.items():
            lines.append(f"sum{position} = {state.nothing()};")
            before = f"sums{position}[r * {tile.across}u + thread % {tile.across}u]"
            inner += joined(state, f"sum{position}", before, "started")
        inner.append("started = true;")
        return lines + block("for (var r = 0u; r < row; r += 1u)", inner)
