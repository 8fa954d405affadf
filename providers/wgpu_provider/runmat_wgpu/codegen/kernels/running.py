"""The texts of scans that take slices, or parts of them, one step after the other.

Where slices are cut, one dispatch goes along each part and leaves its state, `Fold` finds what
stands before each part, and a last dispatch goes along the parts again and stores. Threads of a
workgroup share a slice, a block of neighbours at a time, and the state of a block is carried to the
next; else each thread goes along a part of its own.

An element is joined to what stands before it piece by piece, the nearest piece first: the elements
before it in its thread, the threads of its team, the teams of its workgroup, the blocks before, the
parts before. Each piece is found from the piece before it in the same way. So rounding is the same
on both sides of a seam, and a running sum of numbers that are not negative never falls.
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir import Kernel
from runmat_core.api.tuples import NamedTuple
from runmat_wgpu.codegen.kernels.draft import Draft, Written, block
from runmat_wgpu.codegen.kernels.emit import Body, stores
from runmat_wgpu.codegen.kernels.geometry import Tile
from runmat_wgpu.codegen.kernels.levels import Levels, reducer_of
from runmat_wgpu.codegen.kernels.passes import BUILTINS, Pass
from runmat_wgpu.codegen.kernels.states import State, joined, part_struct
from runmat_wgpu.codegen.shader import Target

#: Which of `Prepared.scratch` holds the states of parts, and which what stands before each part.
PARTS, STARTS = 0, 1
#: Threads of a team, whose states are joined one after the other.
MATES = 16


class Piece(NamedTuple):
    """Something that stands before an element.

    Attributes:
        name: of its state, an expression.
        some: a test whether there is anything; for reducers without a state of nothing.
    """

    name: str
    some: str


def follow(lines: list[str], draft: Draft, state: State, pieces: Sequence[Piece], name: str) -> str:
    """Join pieces to the state `name`, the nearest first; the name of the whole."""
    made = draft.name("whole")
    if state.identity is not None:
        whole = name
        for piece in pieces:
            whole = state.join(piece.name, whole)
        lines.append(f"let {made} = {whole};")
        return made
    lines.append(f"var {made} = {name};")
    for piece in pieces:
        lines.append(f"if ({piece.some}) {{ {made} = {state.join(piece.name, made)}; }}")
    return made


class Running(Pass):
    """A dispatch that goes along slices or their parts.

    Args:
        cut: whether slices come in parts, with what stands before each in scratch.
        leaves: whether it leaves the states of parts and stores nothing.
    """

    def __init__(
        self,
        kernel: Kernel,
        target: Target,
        tile: Tile,
        levels: Levels,
        cut: bool,
        leaves: bool = False,
    ) -> None:
        self.cut, self.leaves = cut, leaves
        super().__init__(kernel, target, tile, levels)
        self.scans = {
            k: State(self.draft, reducer_of(i), f"r{k}")
            for k, i in enumerate(kernel.code)
            if i.op == "scan"
        }
        self.acts = [] if leaves else stores(kernel.code)

    def _part(self) -> str:
        part = super()._part()
        return part if self.tile.along else f"({part}) * {self.tile.rows}u + row"

    def write(self) -> Written:
        """Return the shader."""
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
        if self.leaves:
            test = "alive && row == 0u" if self.tile.along else "alive"
            found = list(carried.values())
            self.leave_states(self.scans, found, PARTS, test)
        return self.draft.finish(
            self.body.lines, (self.tile.threads,), [*self.tree.builtins(), *BUILTINS]
        )

    def _carried(self) -> dict[int, list[str]]:
        """Variables of what stands before in this part, and ``started``: whether anything does."""
        names: dict[int, list[str]] = {}
        lines = self.body.lines
        for position, state in self.scans.items():
            names[position] = [self.draft.name("carry") for _ in range(self.tile.columns)]
            lines += [f"var {n}: {state.type} = {state.nothing()};" for n in names[position]]
        lines.append("var started = false;")
        self._parts_before = self._read_starts() if self.cut else {}
        return names

    def _read_starts(self) -> dict[tuple[int, int], list[Piece]]:
        """Return the pieces before the part, by scan and column: in its run, and before."""
        field, columns = self.draft.words.field, self.tile.columns
        array = self.draft.scratch(
            STARTS, part_struct(self.draft, list(self.scans.values())), "read"
        )
        lines, found = self.body.lines, {}
        lines += [
            f"let bounded = min(part, {field('splits')} - 1u);",
            f"let runs = bounded / {field('parts')};",
        ]
        for c in range(columns):
            own = f"here * {columns}u + {c}u" if columns > 1 else "here"
            slices = f"({field('units')} * {columns}u)"
            lines.append(f"let within{c} = {array}[bounded * {slices} + {own}];")
            row = f"({field('splits')} + runs) * {slices} + {own}"
            lines.append(f"let ahead{c} = {array}[{row}];")
            for n, position in enumerate(self.scans):
                member = f".p{n}" if len(self.scans) > 1 else ""
                found[position, c] = [
                    Piece(f"within{c}{member}", f"bounded % {field('parts')} > 0u"),
                    Piece(f"ahead{c}{member}", "runs > 0u"),
                ]
        return found

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
                    before = self._parts_before.get((position, c), [])
                    whole = follow(point.lines, self.draft, state, before, name)
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
        inner += self._scan_totals({k: states[-1][-1] for k, states in local.items()})
        before: dict[int, list[Piece]] = {}
        for position in self.scans:
            (name,) = carried[position]
            pieces = [*self._threads_before(position), Piece(name, "started")]
            before[position] = pieces + self._parts_before.get((position, 0), [])
        if acts:
            for n, (point, number) in enumerate(points):
                self._results(point, {k: s[n] for k, s in local.items()}, before)
                within = point.inside()
                within.emit(acts)
                inner += point.lines + block(f"if ({number} < stop)", within.lines)
        for position, state in self.scans.items():
            inner += joined(state, carried[position][0], f"whole{position}", "started")
        inner += ["started = true;", "workgroupBarrier();"]
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
        self, point: Body, local: dict[int, list[str]], before: dict[int, list[Piece]]
    ) -> None:
        """Join what stands before a batch to its own states, and know the results.

        Args:
            before: what stands before, by scan, the nearest first.
        """
        results: dict[int, list[list[str]]] = {}
        for position, names in local.items():
            state = self.scans[position]
            lanes = []
            for name in names:
                made = follow(point.lines, self.draft, state, before[position], name)
                lanes.append(list(state.finish(point, made)))
            results[position] = lanes[::-1] if self.tile.reverse else lanes
        self._give_lanes(point, results)

    def _threads_before(self, position: int) -> list[Piece]:
        """Return the pieces before a thread in its block, as `_scan_totals` leaves them."""
        pieces = [Piece(f"mates{position}", f"row % {self._mates}u > 0u")]
        if self.tile.rows > self._mates:
            pieces.append(Piece(f"teams{position}", f"row >= {self._mates}u"))
        return pieces

    @property
    def _mates(self) -> int:
        """Threads of a team."""
        return min(MATES, self.tile.rows)

    def _scan_totals(self, totals: dict[int, str]) -> list[str]:
        """Find ``mates``, ``teams`` and ``whole`` of each scan from the states of threads.

        They are the states of the threads before one in its team, of the teams before its own, and
        of the block. One thread goes along each team, and then one along the teams: a thread that
        knows where all that it reads lies reads it at once, and loops of all threads would keep
        shared memory busy for most of the time that a block takes.
        """
        tile, mates = self.tile, self._mates
        teams = tile.rows // mates
        slices = tile.threads // tile.rows
        lines, found, within, among = [], [], [], []
        for position, state in self.scans.items():
            array = self._shared_states(self._array(position), state, tile.threads, mates)
            lines.append(f"{array}[{padded('thread', mates)}] = {totals[position]};")
            of_teams, whole = f"teams_of{position}", f"whole_of{position}"
            end = f"{whole}[thread]"
            if teams > 1:
                self._shared_states(of_teams, state, tile.threads // mates, teams)
                end = f"{of_teams}[{padded('thread', teams)}]"
                among += self._all_before(state, of_teams, teams, f"{whole}[thread]")
                own = f"{of_teams}[{padded(f'(thread / {mates}u)', teams)}]"
                found.append(f"let teams{position} = {own};")
            self.draft.shared(whole, f"array<{state.type}, {slices}>")
            within += self._all_before(state, array, mates, end)
            found.append(f"let mates{position} = {array}[{padded('thread', mates)}];")
            found.append(f"let whole{position} = {whole}[thread / {tile.rows}u];")
        lines += ["workgroupBarrier();"]
        lines += block(f"if (thread < {tile.threads // mates}u)", within)
        if teams > 1:
            lines += ["workgroupBarrier();", *block(f"if (thread < {slices}u)", among)]
        return [*lines, "workgroupBarrier();", *found]

    def _shared_states(self, name: str, state: State, count: int, run: int) -> str:
        """Declare an array of states in shared memory in which threads go along runs."""
        return self.draft.shared(name, f"array<{state.type}, {count + count // run}>")

    def _all_before(self, state: State, array: str, count: int, end: str) -> list[str]:
        """Have a thread join `count` neighbours of an array, one after the other.

        The join before each takes its place, and that of all goes to `end`.
        """
        slots = [f"{array}[thread * {count + 1}u + {k}u]" for k in range(count)]
        names = [self.draft.name("own") for _ in slots]
        lines = [f"let {name} = {slot};" for name, slot in zip(names, slots, strict=True)]
        joins = names[:1]
        for name in names[1:]:
            joins.append(self.draft.name("all"))
            lines.append(f"let {joins[-1]} = {state.join(joins[-2], name)};")
        before = [state.nothing(), *joins]
        lines += [f"{slot} = {made};" for slot, made in zip(slots, before, strict=False)]
        return block("", [*lines, f"{end} = {joins[-1]};"])


def padded(number: str, run: int) -> str:
    """Return the index of a state; neighbouring threads that go along runs use different banks."""
    return f"{number} + {number} / {run}u"


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
        """Return the shader: each thread joins a run of parts, and then goes along it again."""
        draft, tile, field = self.draft, self.tile, self.draft.words.field
        states = list(self.scans.values())
        type_ = part_struct(draft, states)
        read, written = draft.scratch(PARTS, type_, "read"), draft.scratch(STARTS, type_)
        lines = [
            "let thread = local_invocation_index;",
            f"let row = thread / {tile.across}u;",
            "let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;",
            f"let slice = group * {tile.across}u + thread % {tile.across}u;",
            f"let run = {field('parts')};",
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
        sums = ", ".join(f"sum{k}" for k in self.scans)
        sums = f"{type_}({sums})" if len(states) > 1 else sums
        row = f"({field('splits')} + row) * {field('slices')} + slice"
        lines += block(
            "if (begin < stop)",
            [f"{written}[{row}] = {sums};"],
        )
        lines.append("started = false;")
        lines += [f"sum{k} = {state.nothing()};" for k, state in self.scans.items()]
        lines += block(
            "for (var q = begin; q < stop; q += 1u)",
            [
                f"let part = {read}[{at}];",
                f"{written}[{at}] = {sums};",
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
