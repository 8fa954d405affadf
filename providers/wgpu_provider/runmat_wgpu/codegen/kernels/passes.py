"""The text of the passes that a kernel with reductions takes.

`Pass` writes a shader over the points of slices: sections for one level of reductions after the
other, each a loop over a thread's share of the slice and a tree over the workgroup.
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels import bounds
from runmat_wgpu.codegen.kernels.addressing import vector_buffers
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block, indent
from runmat_wgpu.codegen.kernels.emit import Body
from runmat_wgpu.codegen.kernels.geometry import Tile, slice_axes
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.states import State, joined, part_struct, result_struct
from runmat_wgpu.codegen.kernels.trees import Tree
from runmat_wgpu.codegen.shader import Target

BUILTINS = ("workgroup_id", "num_workgroups")


class Point(Body):
    """A body whose names nothing else has, so that several points share a scope."""

    def _name(self, k: int, lane: int, count: int, expression: str) -> str:
        name = self.draft.name(f"v{k}")
        self.lines.append(f"let {name} = {expression};")
        return name


def unravel(
    draft: Draft, number: str, axes: Sequence[tuple[int, str]]
) -> tuple[list[str], dict[int, str]]:
    """Statements that take a number apart, and the name of each coordinate.

    Args:
        axes: pairs (axis, extent), the fastest first; the last one takes what is left.
    """
    lines, names = [], {}
    rest = number
    for k, (axis, extent) in enumerate(axes):
        if k == len(axes) - 1:
            names[axis] = rest
            break
        names[axis] = draft.name(f"i{axis}")
        after = draft.name("rest")
        lines += [f"let {names[axis]} = {rest} % {extent};", f"let {after} = {rest} / {extent};"]
        rest = after
    return lines, names


class Pass:
    """A shader under way.

    Args:
        tile: how it is laid out.
    """

    def __init__(self, kernel: Kernel, target: Target, tile: Tile, levels: Levels) -> None:
        self.kernel, self.tile, self.levels = kernel, tile, levels
        vectors, layout = vector_buffers(kernel, tile.layout)
        self.draft = Draft(kernel, target, vectors)
        self.tree = Tree(
            self.draft,
            tile.threads,
            tile.rows,
            1 if tile.along else tile.across,
            tile.columns,
            target.subgroups and not target.software and not tile.ordered,
        )
        draft = self.draft
        self.reduced = slice_axes(kernel)
        self.named: dict[int, Sequence[Sequence[str]]] = {}
        lines, coords = self._columns()
        valid = None
        if not tile.along and not tile.exact:
            valid = "valid"
            lines.append(f"let valid = {draft.words.extent(0)} - {coords[0]};")
        whole = tuple(coords.get(k, "0u") for k in range(len(kernel.axes)))
        lanes = 1 if tile.along else tile.lanes
        self.body = Point(draft, whole, layout, lanes, valid=valid, lines=lines)

    def _columns(self) -> tuple[list[str], dict[int, str]]:
        """Which column a thread works on, and what part of it."""
        draft, tile, field = self.draft, self.tile, self.draft.words.field
        if tile.along:
            place = [f"let row = thread % {tile.rows}u;", f"let column = thread / {tile.rows}u;"]
        else:
            place = [
                f"let column = thread % {tile.across}u;",
                f"let row = thread / {tile.across}u;",
            ]
        lines = [
            self.tree.head(),
            *place,
            *self._group(),
            f"let unit = (group % {field('tiles')} + {field('tile0')}) * {tile.across}u + column;",
            f"let part = {self._part()};",
            f"let alive = unit < {field('units')} && part < {field('splits')};",
            f"let here = min(unit, {field('units')} - 1u);",
            f"let begin = part * {field('length')};",
            f"let stop = select(0u, min(begin + {field('length')}, {field('steps')}), alive);",
            "let share = max(stop, begin) - begin;",
        ]
        if tile.ordered:
            lines += [
                f"let run = (share + {tile.rows - 1}u) / {tile.rows}u;",
                "let filled = (share + run - 1u) / max(run, 1u);",
            ]
        else:
            lines.append(f"let filled = min(share, {tile.rows}u);")
        axes = [(k, draft.words.extent(k)) for k in self.kernel.axes_of("parallel")]
        wide = not tile.along and tile.lanes > 1
        if wide:
            axes[0] = (0, field("fast"))
        more, names = unravel(draft, "here", axes)
        if wide:
            more.append(f"let first0 = {names[0]} * {tile.lanes}u;")
            names[0] = "first0"
        return lines + more, names

    def _group(self) -> list[str]:
        """Return the statements that number the workgroup."""
        return ["let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;"]

    def _part(self) -> str:
        """Return the number of a thread's part of its slice."""
        field = self.draft.words.field
        return f"group / {field('tiles')} + {field('part0')}"

    # -- results of earlier passes ----------------------------------------------------------------

    def read(self, level: int, states: dict[int, State], scratch: int) -> None:
        """Know the results of the reductions of a level, which an earlier dispatch left."""
        type_ = result_struct(self.draft, level, states)
        array = self.draft.scratch(scratch, type_, "read")
        names = []
        for c in range(self.tile.columns):
            at = f"here * {self.tile.columns}u + {c}u" if self.tile.columns > 1 else "here"
            names.append(self.body.let(f"{array}[{at}]", "known"))
        member = 0
        for position, state in states.items():
            results = []
            for dtype in state.results:
                parts = [self.draft.scalars.load(f"{n}.r{member}", dtype) for n in names]
                results.append([self.body.let(part, "r") for part in parts])
                member += 1
            self._give(position, results)

    def _give(self, position: int, results: Sequence[Sequence[str]]) -> None:
        self.named[position] = results
        for where, number in self.levels.results(position):
            self.body.give(where, results[number])

    # -- sections ---------------------------------------------------------------------------------

    def states(self, level: int) -> dict[int, State]:
        """Return the reducers of a level by position."""
        code = self.kernel.code
        return {
            k: State(self.draft, reducer_of(code[k]), f"r{k}") for k in self.levels.reduces(level)
        }

    def section(self, level: int) -> tuple[dict[int, State], list[list[str]]]:
        """Return the loop over a level's points, and its tree.

        Returns:
            The reducers, and for each of them and each column an expression of the state.
        """
        states = self.states(level)
        acts = self.levels.acts(level, full=True)
        self.body.emit(self.levels.outer([*states, *acts]))
        self.body.prepare(self.levels.operands([*states, *acts]))
        accumulators: dict[int, list[str]] = {}
        for position, state in states.items():
            names = [self.draft.name("acc") for _ in range(self.tile.columns)]
            accumulators[position] = names
            self.body.lines += [f"var {n}: {state.type} = {state.nothing()};" for n in names]
            if state.shifted:
                self.body.lines += [f"var {n}_from: {state.types[1]} = 0;" for n in names]
        if states or acts:
            self._loops(states, accumulators, acts)
        for position, state in states.items():
            if state.shifted:
                for name in accumulators[position]:
                    self.body.lines += state.unshift(name, f"{name}_from")
        if not states:
            return {}, []
        lines, found = self.tree.write([(s, accumulators[k]) for k, s in states.items()])
        self.body.lines += lines
        return states, found

    def _loops(
        self, states: dict[int, State], accumulators: dict[int, list[str]], acts: list[int]
    ) -> None:
        tile = self.tile
        started = None
        if any(s.identity is None for s in states.values()):
            started = self.draft.name("started")
            self.body.lines.append(f"var {started} = false;")
        by = 1 if tile.ordered else tile.rows
        at, stop = self.draft.name("at"), "stop"
        if tile.ordered:
            stop = self.draft.name("end")
            self.body.lines.append(f"let {stop} = min(begin + (row + 1u) * run, stop);")
        start = "begin + row * run" if tile.ordered else "begin + row"
        self.body.lines.append(f"var {at} = {start};")
        limit = stop
        inexact = tile.along and not tile.exact
        if inexact:
            limit = self.draft.name("whole")
            self.body.lines.append(f"let {limit} = min({stop}, {self.draft.words.field('full')});")
        many = tile.unroll
        ahead = f" + {(many - 1) * by}u" if many > 1 else ""
        head = f"for (; {at}{ahead} < {limit}; {at} += {many * by}u)"

        def loop() -> list[str]:
            return block(head, self._batch(at, by, many, states, accumulators, acts, started))

        wanted = self.levels.operands([*states, *acts])
        self.body.lines += bounds.in_forms(self.body, wanted, self.levels.mask, loop)
        if many > 1 or inexact:
            self.body.lines += block(
                f"for (; {at} < {stop}; {at} += {by}u)",
                self._batch(at, by, 1, states, accumulators, acts, started, inexact),
            )

    def _batch(
        self,
        at: str,
        by: int,
        many: int,
        states: dict[int, State],
        accumulators: dict[int, list[str]],
        acts: list[int],
        started: str | None,
        checked: bool = False,
    ) -> list[str]:
        """Return the statements for `many` batches of lanes from number `at` on."""
        points = []
        lines: list[str] = []
        for u in range(many):
            number = at if u == 0 and many == 1 else self.draft.name("q")
            if number != at:
                lines.append(f"let {number} = {at} + {u * by}u;")
            point = self.point(number, checked)
            point.emit(self.levels.operands([*states, *acts]))
            lines += point.lines
            point.lines = []
            points.append((point, number))
        for point, _ in points:
            point.emit(acts)
            lines += point.lines
            point.lines = []
        body = points[0][0]
        for position, state in states.items():
            for c, name in enumerate(accumulators[position]):
                self._absorb(body, position, state, points, c, name, started, checked)
        if started and states:
            body.lines.append(f"{started} = true;")
        return lines + body.lines

    def point(self, number: str, checked: bool = False) -> Body:
        """Return a body for a batch of lanes of the slice."""
        draft, tile = self.draft, self.tile
        axes = [(k, draft.words.extent(k)) for k in self.reduced]
        if tile.along:
            axes[0] = (0, draft.words.field("fast"))
        if tile.reverse:
            number = f"({draft.words.field('steps')} - 1u - {number})"
        lines, names = unravel(draft, number, axes)
        if tile.along and tile.lanes > 1:
            first = draft.name("i0")
            lines.append(f"let {first} = {names[0]} * {tile.lanes}u;")
            names[0] = first
        coords = tuple(names.get(k, own) for k, own in enumerate(self.body.coords))
        valid = self.body.valid
        if checked:
            valid = draft.name("valid")
            lines.append(f"let {valid} = {draft.words.extent(0)} - {names[0]};")
        point = self.body.inside(coords=coords, lanes=tile.lanes, valid=valid)
        point.lines = lines
        return point

    def _absorb(
        self,
        body: Body,
        position: int,
        state: State,
        points: Sequence[tuple[Body, str]],
        column: int,
        name: str,
        started: str | None,
        checked: bool,
    ) -> None:
        """Join what was computed to a column's state."""
        lanes: Sequence[int] = range(self.tile.lanes) if self.tile.along else (column,)
        if self.tile.along and self.tile.reverse:
            lanes = lanes[::-1]
        operands = self.kernel.code[position].args
        elements = [
            (
                [point.lane(a, lane) for a in operands],
                f"({number} * {self.tile.lanes}u + {n}u)" if self.tile.along else number,
            )
            for point, number in points
            for n, lane in enumerate(lanes)
        ]
        if state.shifted:
            self._shift(body, state, [values[0] for values, _ in elements], name, started, checked)
            return
        if not checked:
            made = state.lift_all(body, elements)
            body.lines += joined(state, name, made, started)
            return
        for lane, (values, number) in enumerate(elements):
            inner = body.inside()
            made = state.lift_all(inner, [(values, number)])
            known = started if lane == 0 else None
            inner.lines += joined(state, name, made, known)
            valid = points[0][0].valid
            body.lines += (
                block(f"if ({valid} > {lane}u)", inner.lines) if lane else indent(inner.lines)
            )

    def _shift(
        self,
        body: Body,
        state: State,
        values: Sequence[str],
        name: str,
        started: str | None,
        checked: bool,
    ) -> None:
        """Add elements to the sums of a state that is shifted; `checked`: those that are inside."""
        origin = f"{name}_from"
        body.lines.append(f"if (!{started}) {{ {origin} = {values[0]}; }}")
        if not checked:
            state.shift(body, name, origin, values)
            return
        for lane, value in enumerate(values):
            inner = body.inside()
            state.shift(inner, name, origin, [value])
            test = f"if ({body.valid} > {lane}u)"
            body.lines += block(test, inner.lines) if lane else indent(inner.lines)

    # -- what follows a section -------------------------------------------------------------------

    def finish(self, states: dict[int, State], found: Sequence[Sequence[str]]) -> None:
        """Know the results of a section in every thread."""
        for (position, state), columns in zip(states.items(), found, strict=True):
            whole = [self.body.let(c, "whole") for c in columns]
            each = [state.finish(self.body, w) for w in whole]
            self._give(position, list(zip(*each, strict=True)))

    def outer_acts(self, level: int) -> None:
        """Store and guards of slices, by the first thread of each."""
        acts = self.levels.acts(level, full=False)
        if acts:
            inner = self.body.inside()
            inner.emit(acts)
            self.body.lines += block("if (alive && row == 0u)", inner.lines)

    def leave_states(
        self,
        states: dict[int, State],
        found: Sequence[Sequence[str]],
        scratch: int,
        test: str = "alive && row == 0u",
    ) -> None:
        """Write the states of a part of a slice, in the threads that a test holds for."""
        type_ = part_struct(self.draft, list(states.values()))
        array = self.draft.scratch(scratch, type_)
        columns = self.tile.columns
        lines = []
        for c in range(columns):
            at = f"part * {self.draft.words.field('units')} + unit"
            at = f"({at}) * {columns}u + {c}u" if columns > 1 else at
            whole = found[0][c]
            if len(found) > 1:
                whole = f"{type_}({', '.join(f[c] for f in found)})"
            lines.append(f"{array}[{at}] = {whole};")
        self.body.lines += block(f"if ({test})", lines)

    def leave_results(self, level: int, states: dict[int, State], scratch: int) -> None:
        """Write the results of a level for later dispatches."""
        array = self.draft.scratch(scratch, result_struct(self.draft, level, states))
        columns = self.tile.columns
        lines = []
        for c in range(columns):
            at = f"unit * {columns}u + {c}u" if columns > 1 else "unit"
            lines.append(f"{array}[{at}] = {self.results_of(level, states, c)};")
        self.body.lines += block("if (alive && row == 0u)", lines)

    def results_of(self, level: int, states: dict[int, State], column: int) -> str:
        """Return an expression of the results of a level for a column."""
        parts = [
            self.draft.scalars.store(names[column], dtype)
            for position, state in states.items()
            for names, dtype in zip(self.named[position], state.results, strict=True)
        ]
        return f"Results_{level}({', '.join(parts)})"

    def written(self) -> Written:
        return self.draft.finish(
            self.body.lines, (self.tile.threads,), [*self.tree.builtins(), *BUILTINS]
        )
