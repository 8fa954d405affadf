"""The dispatch that puts slices together from the states of their parts."""

from __future__ import annotations

from runmat_core.api.ir import Kernel
from runmat_wgpu.codegen.kernels.draft import block
from runmat_wgpu.codegen.kernels.geometry import Tile
from runmat_wgpu.codegen.kernels.levels import Levels
from runmat_wgpu.codegen.kernels.passes import Pass, unravel
from runmat_wgpu.codegen.kernels.states import State, joined, part_struct
from runmat_wgpu.codegen.shader import Target

#: Which of `Prepared.scratch` holds the states of parts; results of level n are in number n + 1.
PARTS = 0


class Join(Pass):
    """The shader that puts together what parts of slices left, one slice for a column.

    Args:
        parts: the tile of the pass that left them.
    """

    def __init__(
        self, kernel: Kernel, target: Target, tile: Tile, levels: Levels, parts: Tile
    ) -> None:
        self.parts = parts
        super().__init__(kernel, target, tile, levels)

    def _columns(self) -> tuple[list[str], dict[int, str]]:
        draft, tile, field = self.draft, self.tile, self.draft.words.field
        columns = self.parts.columns
        lines = [
            self.tree.head(),
            f"let column = thread % {tile.across}u;",
            f"let row = thread / {tile.across}u;",
            "let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;",
            f"let slice = (group + {field('tile0')}) * {tile.across}u + column;",
            f"let here = min(slice, {field('slices')} - 1u);",
            f"let run = ({field('splits')} + {tile.rows - 1}u) / {tile.rows}u;",
            f"let filled = ({field('splits')} + run - 1u) / run;",
        ]
        axes = [(k, draft.words.extent(k)) for k in self.kernel.axes_of("parallel")]
        inside = ""
        if columns == 1:
            more, names = unravel(draft, "here", axes)
        else:
            axes[0] = (0, field("fast"))
            more, names = unravel(draft, f"(here / {columns}u)", axes)
            more.append(f"let first0 = {names[0]} * {columns}u + here % {columns}u;")
            names[0] = "first0"
            inside = f" && first0 < {draft.words.extent(0)}"
        lines += [*more, f"let unit = slice; let alive = slice < {field('slices')}{inside};"]
        return lines, names

    def section(self, level: int) -> tuple[dict[int, State], list[list[str]]]:
        states = self.states(level)
        draft, body = self.draft, self.body
        array = draft.scratch(PARTS, part_struct(draft, list(states.values())), "read")
        names = {k: draft.name("acc") for k in states}
        body.lines += [f"var {names[k]}: {s.type} = {s.nothing()};" for k, s in states.items()]
        body.lines += ["var started = false;"]
        at = f"q * {draft.words.field('slices')} + here"
        inner = [f"let part = {array}[{at}];"]
        for number, (k, state) in enumerate(states.items()):
            made = f"part.p{number}" if len(states) > 1 else "part"
            inner += joined(state, names[k], made, "started")
        inner.append("started = true;")
        stop = f"min((row + 1u) * run, {draft.words.field('splits')})"
        body.lines += block(f"for (var q = row * run; q < {stop}; q += 1u)", inner)
        lines, found = self.tree.write([(s, [names[k]]) for k, s in states.items()])
        body.lines += lines
        return states, found
