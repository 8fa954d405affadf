"""Joining the states that the threads of a workgroup hold, a slice at a time.

A slice's threads are its *rows*; those below ``filled`` hold a state. States are joined in pairs,
so rounding errors grow with the logarithm of the number of rows, and in an order that depends on
sizes alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from runmat_wgpu.codegen.kernels.draft import Draft, block
from runmat_wgpu.codegen.kernels.states import State


class Tree:
    """The tree of a workgroup, through shared memory.

    The text that uses it declares ``thread``, ``row`` and ``filled`` (u32): the number of the
    invocation, which row of its slice it is, and how many rows of each slice hold states.

    Args:
        threads: of the workgroup.
        rows: for a slice, a power of two.
        stride: from the number of a thread to that of the next row.
        columns: slices that a thread has states of.
    """

    def __init__(self, draft: Draft, threads: int, rows: int, stride: int, columns: int) -> None:
        self.draft = draft
        self.threads, self.rows, self.stride, self.columns = threads, rows, stride, columns
        self._shared: dict[str, str] = {}

    def _memory(self, state: State, number: int) -> str:
        name = f"shared_{number}_{state.type}"
        if name not in self._shared:
            count = self.threads * self.columns
            self._shared[name] = self.draft.shared(name, f"array<{state.type}, {count}>")
        return self._shared[name]

    def write(
        self, states: Sequence[tuple[State, Sequence[str]]]
    ) -> tuple[list[str], list[list[str]]]:
        """Statements, and for each state and column an expression of the slice's whole state.

        Args:
            states: pairs (reducer, names of each column's state).
        """
        if self.rows == 1:
            return [], [list(names) for _, names in states]
        memory, seen = [], dict.fromkeys((s.type for s, _ in states), 0)
        for state, _ in states:
            memory.append(self._memory(state, seen[state.type]))
            seen[state.type] += 1
        lines = [
            f"{array}[{self._at('thread', c)}] = {name};"
            for array, (_, names) in zip(memory, states, strict=True)
            for c, name in enumerate(names)
        ]
        lines.append("workgroupBarrier();")
        ordered = any(state.ordered for state, _ in states)
        joins = []
        for array, (state, names) in zip(memory, states, strict=True):
            for c in range(len(names)):
                here, there = self._at("thread", c), self._at("there", c)
                joined = state.join(f"{array}[{here}]", f"{array}[{there}]")
                joins.append(f"{array}[{here}] = {joined};")
        if ordered:
            head = f"for (var s = 1u; s < {self.rows}u; s = s << 1u)"
            test = "(row & (2u * s - 1u)) == 0u && row + s < filled"
        else:
            head = f"for (var s = {self.rows // 2}u; s > 0u; s = s >> 1u)"
            test = "row < s && row + s < filled"
        inner = [f"let there = thread + s{self._times(self.stride)};", *joins]
        lines += block(head, [*block(f"if ({test})", inner), "workgroupBarrier();"])
        first = self.draft.name("first")
        lines.append(f"let {first} = thread - row{self._times(self.stride)};")
        found = [
            [f"{array}[{self._at(first, c)}]" for c in range(len(names))]
            for array, (_, names) in zip(memory, states, strict=True)
        ]
        return lines, found

    def again(self) -> list[str]:
        """Statements that must stand between reading what `write` gave and the next `write`."""
        return ["workgroupBarrier();"] if self.rows > 1 else []

    def _at(self, thread: str, column: int) -> str:
        if self.columns == 1:
            return thread
        return f"{thread} * {self.columns}u + {column}u"

    @staticmethod
    def _times(factor: int) -> str:
        return "" if factor == 1 else f" * {factor}u"
