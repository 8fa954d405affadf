"""In which passes a kernel with reductions runs: what each value has to wait for.

A value of *level* n needs the results of n reductions, one after the other. A value is *full* where
it varies along a reduced axis; the others belong to a slice as a whole (an *outer* value).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runmat_core.api.ir import Instr, Kernel, Reducer

_ACTS = frozenset({"store", "guard"})


def reducer_of(instr: Instr) -> Reducer:
    """Return what a ``reduce`` or ``scan`` combines with."""
    attr: Any = instr.attr
    found: Reducer = attr if instr.op == "reduce" else attr[0]
    return found


class Levels:
    """The order that reductions impose on a kernel's code.

    Attributes:
        kernel: as it came.
        level: of each position: of a ``reduce`` that of its result.
        depth: the largest level.
        mask: the axes of slices: reduced, or scanned.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        slices = kernel.axes_of("reduce") or kernel.axes_of("scan")
        self.mask = sum(1 << k for k in slices)
        self.level: list[int] = []
        for instr in kernel.code:
            below = max((self.level[a] for a in instr.args), default=0)
            self.level.append(below + (instr.op == "reduce"))
        self.depth = max(self.level, default=0)
        self._moves = [sum(1 << k for k, m in enumerate(v.moves) if m) for v in kernel.views]

    def is_full(self, position: int) -> bool:
        """Whether an instruction has work at every reduced point."""
        instr = self.kernel.code[position]
        over = instr.over
        if instr.op == "store":
            over |= self._moves[int(instr.attr)]  # type: ignore[call-overload]
        if instr.op in _ACTS:
            over |= self.kernel.code[instr.args[0]].over
        elif instr.op == "reduce":
            over &= ~self.mask
        return bool(over & self.mask)

    def reduces(self, level: int) -> list[int]:
        """Return the reductions whose operands are there once `level` reductions are done."""
        code = self.kernel.code
        return [
            k for k, instr in enumerate(code) if instr.op == "reduce" and self.level[k] == level + 1
        ]

    def acts(self, level: int, full: bool) -> list[int]:
        """Store and guards that can be done after exactly `level` reductions."""
        return [
            k
            for k, instr in enumerate(self.kernel.code)
            if instr.op in _ACTS and self.level[k] == level and self.is_full(k) == full
        ]

    def results(self, position: int) -> list[tuple[int, int]]:
        """Where the results of a reduction are known by: pairs (position, which result)."""
        found = [(position, 0)]
        for k, instr in enumerate(self.kernel.code):
            if instr.op == "item" and instr.args[0] == position:
                found.append((k, int(instr.attr)))  # type: ignore[call-overload]
        return found

    def operands(self, positions: Iterable[int]) -> list[int]:
        """Return the operands of some instructions."""
        code = self.kernel.code
        return sorted({a for k in positions for a in code[k].args})

    def outer(self, wanted: Iterable[int]) -> list[int]:
        """Outer values that the full instructions among and below `wanted` use."""
        code = self.kernel.code
        found: set[int] = set()
        seen: set[int] = set()
        stack = list(wanted)
        while stack:
            k = stack.pop()
            if k in seen:
                continue
            seen.add(k)
            if code[k].op in _ACTS or self.is_full(k) or code[k].op == "reduce":
                stack += code[k].args
            else:
                found.add(k)
        return sorted(k for k in found if code[k].op not in ("index", "extent"))

    def uses(self, level: int) -> set[int]:
        """Positions of reductions of `level` and below whose results later passes read."""
        return {k for n in range(level) for k in self.reduces(n)}
