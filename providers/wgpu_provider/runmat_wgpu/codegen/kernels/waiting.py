"""The text of a scan in one dispatch: every workgroup waits for what stands before its tile.

A workgroup takes the next tile by a ticket, so whatever it waits for was begun before it and will
be done. It keeps the tile's elements in registers and tells the state of the whole tile at once. 32
tiles are a team, 32 teams a league; the last tile of a team tells the state of the team, the last
one of a league that of everything up to there. What stands before a tile is joined from

- all before its league, told by the last tile of the league before,
- the teams of its league before its own, and
- the tiles of its team before itself,

always these, one after the other, so results depend on sizes alone, not on time. What stands before
an element is joined to it piece by piece, as in `running`.

Only telling what is before a league waits for the same of the league before. A vector of 2^27
singles is 6,554 tiles of 20,480, hence 7 leagues; each takes about 2 us from one to the next, while
the 160 MiB that a league moves take 50 us at 3.3 TB/s. A tile lives for some 6 us: its loads, 0.5
us of joins, and 1 to 1.5 us for each of two waits. At that rate 10 MB of elements must be under
way, which is one such workgroup on each of 132 multiprocessors.

Slices of one tile each have nothing before them: their workgroups do the same and do not wait.

Atomics tell nothing but themselves, so a state comes as words of 16 bits, each with a mark beside
it that it was written; memory is zero before.
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.draft import block
from runmat_wgpu.codegen.kernels.geometry import Tile
from runmat_wgpu.codegen.kernels.levels import Levels
from runmat_wgpu.codegen.kernels.running import PARTS, Piece, Running, follow, padded
from runmat_wgpu.codegen.kernels.states import State
from runmat_wgpu.codegen.shader import Target

#: Tiles of a team, and teams of a league: a power of two, `SHIFT` its logarithm.
TEAM, SHIFT = 32, 5
#: Words of 16 bits that a component of a state takes.
_HALVES = {"f64": 4, "i64": 4, "u64": 4, "vec2<f32>": 4, "vec2<f64>": 8}
_MARK = "0x10000u"


def halves(states: Sequence[State]) -> int:
    """Words that the states of a tile take where they are told."""
    return sum(_HALVES.get(type_, 2) for state in states for type_ in state.types)


def told_bytes(states: Sequence[State], slices: int, tiles: int) -> int:
    """Bytes of the memory in which slices of so many tiles each tell their states."""
    teams = -(-tiles // TEAM)
    return 4 + 4 * halves(states) * slices * (tiles + teams + -(-teams // TEAM))


def shared_bytes(states: Sequence[State], rows: int, unroll: int) -> int:
    """Bytes of memory that a workgroup shares."""
    batches = rows * unroll
    kept = batches + batches // TEAM + 2 * rows + 2 * (TEAM + 1)
    return 16 + kept * sum(state.bytes for state in states)


class Waiting(Running):
    """The only dispatch; a tile is `Tile.unroll` rows of batches, one batch for each thread.

    Args:
        alone: whether each slice is one tile.
    """

    def __init__(
        self, kernel: Kernel, target: Target, tile: Tile, levels: Levels, alone: bool
    ) -> None:
        self._whole = alone
        super().__init__(kernel, target, tile, levels, cut=False)
        self._width = halves(list(self.scans.values()))

    @property
    def _told(self) -> str:
        """The array in which states are told."""
        return self.draft.scratch(PARTS, "atomic<u32>")

    def _group(self) -> list[str]:
        if self._whole:
            return super()._group()
        ticket = self.draft.shared("ticket", "u32")
        take = f"{ticket} = atomicAdd(&{self._told}[0], 1u);"
        return [
            *block("if (thread == 0u)", [take]),
            "workgroupBarrier();",
            f"let group = {ticket};",
        ]

    def _carried(self) -> dict[int, list[str]]:
        return {}

    def _blocks(self, carried: dict[int, list[str]], acts: list[int]) -> None:
        tile, lines = self.tile, self.body.lines
        numbers = [f"begin + {self._batch_of(u)}" for u in range(tile.unroll)]
        points, loads = self._points(numbers, acts, checked=not tile.exact)
        lines += loads
        local = self._local(points, lines, apart=True)
        lines += self._batches({k: [own[-1] for own in each] for k, each in local.items()})
        lines += ["workgroupBarrier();"] if self._whole else self._before()
        for n, (point, number) in enumerate(points):
            inner, before = self._batches_before(n)
            self._results(point, {k: each[n] for k, each in local.items()}, before)
            within = point.inside()
            within.emit(acts)
            lines += [*inner, *point.lines, *block(f"if ({number} < stop)", within.lines)]

    def _batch_of(self, number: int) -> str:
        """Return the number in the tile of a thread's batch of a row."""
        return f"row + {number * self.tile.rows}u" if number else "row"

    # -- within the tile --------------------------------------------------------------------------

    def _batches(self, totals: dict[int, list[str]]) -> list[str]:
        """Leave what stands before each batch of the tile in shared memory, and tell the tile.

        Threads load batches that lie apart, so that a row of threads reads neighbours; each then
        joins a run of neighbouring batches of the order, and their joins are scanned. It joins them
        again for what stands before each: registers that kept what it had would be missed by
        workgroups, of which a multiprocessor runs as many as it has registers for.
        """
        lines, reads, runs, again = [], [], {}, []
        size = self.tile.threads * self.tile.unroll
        for position, state in self.scans.items():
            array = self.draft.shared(
                f"batches{position}", f"array<{state.type}, {size + size // TEAM}>"
            )
            for u, name in enumerate(totals[position]):
                lines.append(f"{array}[{_slot(self._batch_of(u))}] = {name};")
            joins, runs[position] = self._run(position)
            reads += joins
            again += block("", self._run(position, kept=True)[0])
        lines += ["workgroupBarrier();", *reads]
        lines += self._scan_totals(runs)
        if not self._whole:
            lines += self._own()
        return lines + again

    def _run(self, position: int, kept: bool = False) -> tuple[list[str], str]:
        """Statements that join a thread's neighbouring batches, and the name of the last join.

        Args:
            kept: whether what stands before each batch takes its place in shared memory.
        """
        state, lines, last = self.scans[position], [], ""
        for u in range(self.tile.unroll):
            slot = f"batches{position}[{_slot(f'row * {self.tile.unroll}u + {u}u')}]"
            name = self.draft.name("run")
            if not kept or u < self.tile.unroll - 1:
                lines.append(f"let {name} = {state.join(last, slot) if last else slot};")
            if kept:
                lines.append(f"{slot} = {last or state.nothing()};")
            last = name
        return lines, last

    def _own(self) -> list[str]:
        """Statements that tell the state of the tile."""
        tell = []
        for position in self.scans:
            at = f"unit * {self._splits()} + part"
            tell.append(self._tell(position, at, f"whole{position}"))
        return block("if (alive && thread == 0u)", tell)

    def _batches_before(self, number: int) -> tuple[list[str], dict[int, list[Piece]]]:
        """Return the pieces before each thread's batch of a row."""
        batch, owner = self.draft.name("batch"), self.draft.name("owner")
        lines = [
            f"let {batch} = {self._batch_of(number)};",
            f"let {owner} = {batch} / {self.tile.unroll}u;",
        ]
        found: dict[int, list[Piece]] = {}
        for position in self.scans:
            mates = self._mates
            pieces = [
                Piece(f"batches{position}[{_slot(batch)}]", f"{batch} % {self.tile.unroll}u > 0u"),
                Piece(
                    f"{self._array(position)}[{padded(owner, mates)}]", f"{owner} % {mates}u > 0u"
                ),
            ]
            if self.tile.rows > mates:
                team = padded(f"({owner} / {mates}u)", self.tile.rows // mates)
                pieces.append(Piece(f"teams_of{position}[{team}]", f"{owner} >= {mates}u"))
            named = []
            for piece in pieces:
                name = self.draft.name("start")
                lines.append(f"let {name} = {piece.name};")
                named.append(Piece(name, piece.some))
            found[position] = [*named, *([] if self._whole else self._tiles_before(position))]
        return lines, found

    # -- before the tile --------------------------------------------------------------------------

    def _splits(self) -> str:
        return self.draft.words.field("splits")

    def _before(self) -> list[str]:
        """Statements that wait for what stands before the tile.

        One thread joins what others waited for, and knows where all of that lies; see
        `_scan_totals`.
        """
        mask, units = f"{TEAM - 1}u", self.draft.words.field("units")
        lines = [
            f"let team = part >> {SHIFT}u;",
            f"let league = team >> {SHIFT}u;",
            f"let teams = ({self._splits()} + {mask}) >> {SHIFT}u;",
            f"let leagues = (teams + {mask}) >> {SHIFT}u;",
            f"let team0 = {units} * {self._splits()} + unit * teams;",
            f"let league0 = {units} * ({self._splits()} + teams) + unit * leagues;",
            f"let tiles = select(0u, part & {mask}, alive);",
            f"let others = select(0u, team & {mask}, alive);",
            "let older = select(0u, 1u, alive && league > 0u);",
        ]
        near, far, ends, tell, found = [], [], [], [], []
        for position, state in self.scans.items():
            arrays = [
                self.draft.shared(f"seen_{stem}{position}", f"array<{state.type}, {TEAM + 1}>")
                for stem in ("near", "far")
            ]
            near += self._joined_in_turn(state, arrays[0], 0, "tiles")
            far += self._joined_in_turn(state, arrays[1], 1, "1u + others")
            found += [
                f"let near{position} = {arrays[0]}[{TEAM}];",
                f"let far{position} = {arrays[1]}[{TEAM}];",
                f"let old_far{position} = {arrays[1]}[0];",
            ]
            tell += found[-3:]
            ends.append(found[-3])
            whole = f"whole{position}"
            pieces = self._tiles_before(position)
            name = follow(ends, self.draft, state, pieces[:1], whole)
            ends.append(self._tell(position, "team0 + team", name))
            name = follow(tell, self.draft, state, pieces, whole)
            tell.append(self._tell(position, "league0 + league", name))
        near += block(f"if (tiles == {mask})", ends)
        far += block(f"if (tiles == {mask} && others == {mask})", tell)
        own = f"unit * {self._splits()} + part - tiles + thread"
        lines += self._wait("near", "thread < tiles", [f"let at = {own};"])
        lines += block("if (thread == 0u)", near)
        at = [
            f"var at = team0 + (league << {SHIFT}u) + thread - 1u;",
            "if (thread == 0u) { at = league0 + league - 1u; }",
        ]
        there = "(thread == 0u && older > 0u) || (thread > 0u && thread <= others)"
        lines += self._wait("far", there, at)
        return [*lines, *block("if (thread == 0u)", far), "workgroupBarrier();", *found]

    def _tiles_before(self, position: int) -> list[Piece]:
        """Return the pieces before a tile, as `_before` leaves them."""
        return [
            Piece(f"near{position}", "tiles > 0u"),
            Piece(f"far{position}", "others > 0u"),
            Piece(f"old_far{position}", "older > 0u"),
        ]

    def _wait(self, stem: str, there: str, at: list[str]) -> list[str]:
        """Have the first threads wait for a state each.

        Args:
            there: a test whether a thread has a state to wait for; others take that of nothing.
            at: statements that find its entry.
        """
        waits, nothing = list(at), []
        for position, state in self.scans.items():
            slot = f"seen_{stem}{position}[thread]"
            waits.append(f"{slot} = {self._await(position)}({self._word(position, 'at')});")
            nothing.append(f"{slot} = {state.nothing()};")
        inner = [*block(f"if ({there})", waits, "} else {")]
        inner += ["  " + line for line in nothing] + ["}"]
        return [*block(f"if (thread < {TEAM}u)", inner), "workgroupBarrier();"]

    def _joined_in_turn(self, state: State, array: str, first: int, stop: str) -> list[str]:
        """Join the states of an array from `first` on, one after the other, to its last place."""
        if state.identity is None:
            lines = [f"var all = {array}[{first}];"]
            join = f"all = {state.join('all', f'{array}[k]')};"
            lines += block(f"for (var k = {first + 1}u; k < {stop}; k++)", [join])
            return block("", [*lines, f"{array}[{TEAM}] = all;"])
        lines, last = [], f"{array}[{first}]"
        for k in range(first + 1, TEAM):
            name = self.draft.name("all")
            lines.append(f"let {name} = {state.join(last, f'{array}[{k}]')};")
            last = name
        return [*lines, f"{array}[{TEAM}] = {last};"]

    # -- telling ----------------------------------------------------------------------------------

    def _word(self, position: int, at: str) -> str:
        """Return the number of the first word of a scan's state in an entry."""
        before = [self.scans[k] for k in self.scans if k < position]
        return f"{1 + halves(before)}u + ({at}) * {self._width}u"

    def _tell(self, position: int, at: str, state: str) -> str:
        """Return a statement that tells a state in an entry."""
        known, name = self.scans[position], f"tell_{position}"
        lines = []
        for k, half in enumerate(_apart(known, "s")):
            lines.append(f"atomicStore(&{self._told}[at + {k}u], {_MARK} | ({half}));")
        head = f"fn {name}(at: u32, s: {known.type})"
        self.draft.function(name, "\n".join(block(f"{head}", lines)))
        return f"{name}({self._word(position, at)}, {state});"

    def _await(self, position: int) -> str:
        """Return the function that waits for a state."""
        known, name = self.scans[position], f"await_{position}"
        count = halves([known])
        reads = [f"w{k} = atomicLoad(&{self._told}[at + {k}u]);" for k in range(count)]
        every = " && ".join(f"w{k} >= {_MARK}" for k in range(count))
        lines = [f"var w{k} = 0u;" for k in range(count)]
        lines += block("loop", [*reads, f"if ({every}) {{ break; }}"])
        lines += [f"w{k} &= 0xffffu;" for k in range(count)]
        lines.append(f"return {_together(known)};")
        self.draft.function(name, "\n".join(block(f"fn {name}(at: u32) -> {known.type}", lines)))
        return name


def _slot(number: str) -> str:
    """Where a batch lies in shared memory: neighbouring threads reach for different banks."""
    return f"({number}) + (({number}) >> {SHIFT}u)"


def _apart(state: State, name: str) -> list[str]:
    """Return the halves of a state's words, u32 expressions below 2^16."""
    found = []
    for k, type_ in enumerate(state.types):
        member = name if len(state.types) == 1 else f"{name}.s{k}"
        parts = [f"{member}.x", f"{member}.y"] if type_.startswith("vec2") else [member]
        scalar = type_.removeprefix("vec2<").removesuffix(">")
        for part in parts:
            if scalar in _HALVES:
                bits = f"bitcast<u64>({part})"
                found += [f"u32({bits} >> {16 * h}u) & 0xffffu" for h in range(4)]
            else:
                bits = f"bitcast<u32>({part})"
                found += [f"{bits} & 0xffffu", f"{bits} >> 16u"]
    return found


def _together(state: State) -> str:
    """Return the state of variables ``w0``, ``w1`` … that hold its halves."""
    members, at = [], 0
    for type_ in state.types:
        scalar = type_.removeprefix("vec2<").removesuffix(">")
        parts = []
        for _ in range(2 if type_.startswith("vec2") else 1):
            if scalar in _HALVES:
                low, high = (f"u64(w{at + h} | (w{at + h + 1} << 16u))" for h in (0, 2))
                parts.append(f"bitcast<{scalar}>({low} | ({high} << 32u))")
                at += 4
            else:
                parts.append(f"bitcast<{scalar}>(w{at} | (w{at + 1} << 16u))")
                at += 2
        members.append(parts[0] if len(parts) == 1 else f"{type_}({', '.join(parts)})")
    return members[0] if len(members) == 1 else f"{state.type}({', '.join(members)})"
