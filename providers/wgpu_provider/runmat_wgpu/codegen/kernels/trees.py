"""Joining the states that the threads of a workgroup hold, a slice at a time.

A slice's threads are its *rows*; those below ``filled`` hold a state. States are joined in pairs,
so rounding errors grow with the logarithm of the number of rows, and in an order that depends on
sizes (and on how many invocations a subgroup of the device has) alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from runmat_wgpu.codegen.kernels.draft import Draft, block
from runmat_wgpu.codegen.kernels.states import State

#: Reducers, and the names of variables that hold each column's state.
States = Sequence[tuple[State, Sequence[str]]]

#: What types of WGSL hold that names may not.
_NO_WORD = re.compile(r"\W")
#: A subgroup has at least so many invocations.
SUBGROUP = 4


class Tree:
    """The tree of a workgroup: through subgroups where they can be had, and shared memory.

    The text that uses it declares ``row`` and ``filled`` (u32): which row of its slice a thread is,
    and how many rows of each slice hold states. ``thread`` is declared by `head`.

    Args:
        threads: of the workgroup.
        rows: for a slice, a power of two.
        stride: from the number of a thread to that of the next row.
        columns: slices that a thread has states of.
        subgroups: whether invocations of a subgroup may join states without memory.
    """

    def __init__(
        self,
        draft: Draft,
        threads: int,
        rows: int,
        stride: int,
        columns: int,
        subgroups: bool = False,
    ) -> None:
        self.draft = draft
        self.threads, self.rows, self.stride, self.columns = threads, rows, stride, columns
        self.subgroups = subgroups and stride == 1 and rows > 1
        self._shared: dict[str, str] = {}

    def head(self) -> str:
        """Return the statement that numbers threads, so that rows of a slice lie side by side."""
        if self.subgroups:
            return "let thread = subgroup_id * subgroup_size + subgroup_invocation_id;"
        return "let thread = local_invocation_index;"

    def builtins(self) -> tuple[str, ...]:
        """Return what `head` and `write` read."""
        if self.subgroups:
            return ("subgroup_id", "subgroup_size", "subgroup_invocation_id")
        return ("local_invocation_index",)

    def write(self, states: States) -> tuple[list[str], list[list[str]]]:
        """Statements, and for each state and column an expression of the slice's whole state.

        All threads of the workgroup must come by; all of a slice then know its state.
        """
        if self.rows == 1:
            return [], [list(names) for _, names in states]
        if self.subgroups:
            return self._through_subgroups(states), [list(names) for _, names in states]
        return self._through_memory(states)

    def again(self) -> list[str]:
        """Statements that must stand between reading what `write` gave and the next `write`."""
        return ["workgroupBarrier();"] if self.rows > 1 and not self.subgroups else []

    # -- shared memory ----------------------------------------------------------------------------

    def _memory(self, states: States) -> list[str]:
        """Return an array of shared memory for each state, the same ones each time."""
        found, seen = [], dict.fromkeys((s.type for s, _ in states), 0)
        for state, _ in states:
            name = f"shared_{seen[state.type]}_{_NO_WORD.sub('', state.type)}"
            seen[state.type] += 1
            if name not in self._shared:
                count = self.threads // (SUBGROUP if self.subgroups else 1) * self.columns
                self._shared[name] = self.draft.shared(name, f"array<{state.type}, {count}>")
            found.append(name)
        return found

    def _through_memory(self, states: States) -> tuple[list[str], list[list[str]]]:
        memory = self._memory(states)
        lines = [
            f"{array}[{self._at('thread', c)}] = {name};"
            for array, (_, names) in zip(memory, states, strict=True)
            for c, name in enumerate(names)
        ]
        lines.append("workgroupBarrier();")
        joins = []
        for array, (state, names) in zip(memory, states, strict=True):
            for c in range(len(names)):
                here, there = self._at("thread", c), self._at("there", c)
                joins.append(
                    f"{array}[{here}] = {state.join(f'{array}[{here}]', f'{array}[{there}]')};"
                )
        if any(state.ordered for state, _ in states):
            head = f"for (var s = 1u; s < {self.rows}u; s = s << 1u)"
            test = "(row & (2u * s - 1u)) == 0u && row + s < filled"
        else:
            head = f"for (var s = {self.rows // 2}u; s > 0u; s = s >> 1u)"
            test = "row < s && row + s < filled"
        inner = [f"let there = thread + s{self._times()};", *joins]
        lines += block(head, [*block(f"if ({test})", inner), "workgroupBarrier();"])
        first = self.draft.name("first")
        lines.append(f"let {first} = thread - row{self._times()};")
        found = [
            [f"{array}[{self._at(first, c)}]" for c in range(len(names))]
            for array, (_, names) in zip(memory, states, strict=True)
        ]
        return lines, found

    def _at(self, thread: str, column: int) -> str:
        if self.columns == 1:
            return thread
        return f"{thread} * {self.columns}u + {column}u"

    def _times(self) -> str:
        return "" if self.stride == 1 else f" * {self.stride}u"

    # -- subgroups --------------------------------------------------------------------------------

    def _through_subgroups(self, states: States) -> list[str]:
        """Exchanges within subgroups, then of their states where a slice has several."""
        lines: list[str] = []
        step = 1
        while step < self.rows:
            inner = [
                line
                for state, names in states
                for name in names
                for line in self._exchange(state, name, step)
            ]
            lines += inner if step < SUBGROUP else block(f"if (subgroup_size > {step}u)", inner)
            step *= 2
        if self.rows > SUBGROUP:
            lines += block(f"if (subgroup_size < {self.rows}u)", self._between(states))
        return lines

    def _exchange(self, state: State, name: str, step: int) -> list[str]:
        """Join the states of two threads `step` rows apart, in both of them alike."""
        other = self.draft.name("other")
        lines = [f"let {other} = {_shuffled(state, name, step)};"]
        if state.identity is not None:
            return [*lines, f"{name} = {state.join(name, other)};"]
        first, then = self.draft.name("a"), self.draft.name("b")
        lines += [f"var {first} = {name};", f"var {then} = {other};"]
        swap = [f"{first} = {other};", f"{then} = {name};"]
        lines += block(f"if ((row & {step}u) != 0u)", swap)
        lines.append(f"{name} = {first};")
        test = f"((row | {step}u) & {(1 << 32) - step}u) < filled"
        return lines + block(f"if ({test})", [f"{name} = {state.join(first, then)};"])

    def _between(self, states: States) -> list[str]:
        memory = self._memory(states)
        writes, reads, joins = [], [], []
        for array, (state, names) in zip(memory, states, strict=True):
            for c, name in enumerate(names):
                writes.append(f"{array}[{self._at('thread / subgroup_size', c)}] = {name};")
                reads.append(f"{name} = {array}[{self._at('first', c)}];")
                whole = state.join(name, f"{array}[{self._at('(first + k)', c)}]")
                joins.append(f"{name} = {whole};")
        return [
            *block("if (subgroup_invocation_id == 0u)", writes),
            "workgroupBarrier();",
            "let first = (thread - row) / subgroup_size;",
            *reads,
            *block(
                f"for (var k = 1u; k < {self.rows}u / subgroup_size; k++)",
                block("if (k * subgroup_size < filled)", joins),
            ),
            "workgroupBarrier();",
        ]


def _shuffled(state: State, name: str, step: int) -> str:
    """Return the state of the invocation whose number differs in one bit."""
    if len(state.types) == 1:
        return f"subgroupShuffleXor({name}, {step}u)"
    parts = (f"subgroupShuffleXor({name}.s{k}, {step}u)" for k in range(len(state.types)))
    return f"{state.type}({', '.join(parts)})"
