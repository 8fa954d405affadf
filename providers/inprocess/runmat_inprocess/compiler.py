"""From a kernel to a program: what is known of a kernel before its sizes are.

A `Program` is made once for each kernel, when `compile` is called. It knows what is constant in a
launch (`scalars`), which values exist for every reduced point (`is_full`) and after how many
reductions each can be known (`levels`); so it tells which instructions belong to which pass over
the data. `schedule` turns the instructions of a pass into steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from runmat_core.api.device import NUMPY_DTYPE
from runmat_core.api.ir import OPS, Instr, Kernel
from runmat_inprocess.fragments import DeclinedError
from runmat_inprocess.maps import Rule, rule_for
from runmat_inprocess.pieces import least_block
from runmat_inprocess.reducers import Reduction

#: Structural operations that need no look.
_PLAIN = frozenset("const param load index item carry last store guard".split())


def attr(instr: Instr) -> Any:
    """Return what an operation needs besides operands; of which type, its name says."""
    return instr.attr


class Linker(Protocol):
    """Puts steps together that frames run again and again, to the same bits."""

    def stage(self) -> int:
        """Return a number that changes when there is more to put together."""

    def linked(self, phases: Sequence[Sequence[Any]], frame: Any) -> list[tuple[Any, ...]]:
        """Return what runs in the place of the steps of some phases."""


class Unlinked:
    """Leaves steps as they are."""

    def stage(self) -> int:
        return 0

    def linked(self, phases: Sequence[Sequence[Any]], frame: Any) -> list[tuple[Any, ...]]:
        return [tuple(steps) for steps in phases]


UNLINKED = Unlinked()


class Program:
    """A kernel, looked through and ready to be scheduled.

    Attributes:
        kernel: as it came.
        rules: of its map instructions, by position.
        reductions: of its ``reduce`` and ``scan`` instructions, by position.
        levels: for each position, how many reductions must be finished before it can be computed.
        parallel_mask: the parallel axes.
        reduce_mask: the reduced ones.
        scan_mask: the scanned ones.
        scalars: positions of values that are the same for the whole launch.
        place: of each of these in every environment.
        moves: for each view the mask of axes that it moves along.
        passes: over the data, where blocks hold no whole slices.
        least: the fewest elements of a block, see `pieces`.
        linker: what puts fewer, longer steps in the place of those that frames run again.

    Raises:
        DeclinedError: it holds something that NumPy cannot do, or that is no kernel.
    """

    def __init__(self, kernel: Kernel, linker: Linker = UNLINKED) -> None:
        self.kernel = kernel
        self.linker = linker
        self.rules: dict[int, Rule] = {}
        self.reductions: dict[int, Reduction] = {}
        self.levels: list[int] = []
        self.parallel_mask = sum(1 << k for k in kernel.axes_of("parallel"))
        self.reduce_mask = sum(1 << k for k in kernel.axes_of("reduce"))
        self.scan_mask = sum(1 << k for k in kernel.axes_of("scan"))
        self.scalars: list[int] = []
        self.moves = [sum(1 << k for k, m in enumerate(v.moves) if m) for v in kernel.views]
        for position, instr in enumerate(kernel.code):
            self._check(position, instr)
        self.place = {position: k + 1 for k, position in enumerate(self.scalars)}
        self._fixed = self._fixed_scalars()
        self.items: dict[int, list[tuple[int, int]]] = {}
        for position, instr in enumerate(kernel.code):
            if instr.op == "item":
                self.items.setdefault(instr.args[0], []).append((attr(instr), position))
        self.masks = frozenset(i.over for i in kernel.code) | frozenset(self.moves)
        self.depth = max(self.levels, default=0)
        self.passes = sum(bool(self.full_pass(level)) for level in range(self.depth + 1))
        self.least = least_block(kernel)

    def _check(self, position: int, instr: Instr) -> None:
        code = self.kernel.code
        types = tuple(code[a].dtype for a in instr.args)
        level = max((self.levels[a] for a in instr.args), default=0)
        self.levels.append(level + (instr.op == "reduce"))
        if instr.op in OPS:
            rule = rule_for(instr, types)
            if rule is None:
                raise DeclinedError(f"{instr.op} of {', '.join(types)}")
            self.rules[position] = rule
        elif instr.op == "reduce":
            self.reductions[position] = Reduction(attr(instr))
        elif instr.op == "scan":
            self.reductions[position] = Reduction(attr(instr)[0])
        elif instr.op == "extent":
            if attr(instr) != "reduce":
                raise DeclinedError(f"extent {attr(instr)!r}")
        elif instr.op == "random":
            if attr(instr)[0] not in ("uniform", "normal"):
                raise DeclinedError(f"random {attr(instr)!r}")
        elif instr.op not in _PLAIN:
            raise DeclinedError(instr.op)
        constant = instr.op in OPS and all(a in self.scalars for a in instr.args)
        if instr.op in ("const", "param", "extent") or constant:
            self.scalars.append(position)

    def is_full(self, position: int) -> bool:
        """Whether an instruction has work at every reduced point."""
        instr = self.kernel.code[position]
        over = instr.over
        if instr.op == "store":
            over |= self.moves[attr(instr)]
        elif instr.op in ("guard", "item", "reduce"):
            over = 0
        if instr.op == "guard":
            over = self.kernel.code[instr.args[0]].over
        return bool(over & self.reduce_mask)

    def values(self, params: Sequence[float | bool | int], reduced: int) -> list[Any]:
        """Return the launch's scalars as arrays without dimensions, in the order of `scalars`."""
        known = dict(self._fixed)
        for position in self.scalars:
            if position not in known:
                known[position] = self._scalar(position, known, params, reduced)
        return [known[p] for p in self.scalars]

    def _scalar(
        self, position: int, known: dict[int, Any], params: Sequence[Any], reduced: int
    ) -> Any:
        instr = self.kernel.code[position]
        dtype = NUMPY_DTYPE[instr.dtype]
        if instr.op == "const":
            return np.array(attr(instr), dtype)
        if instr.op == "param":
            return np.array(params[attr(instr)], dtype)
        if instr.op == "extent":
            return np.array(float(reduced), dtype)
        rule = self.rules[position]
        out = np.empty((), dtype)
        scratch = [np.empty((), NUMPY_DTYPE[s]) for s in rule.scratch]
        rule.function(*(known[a] for a in instr.args), out, *scratch)
        return out

    def _fixed_scalars(self) -> dict[int, Any]:
        """Scalars that are the same for every launch."""
        fixed: dict[int, Any] = {}
        with np.errstate(all="ignore"):
            for position in self.scalars:
                instr = self.kernel.code[position]
                if instr.op == "const" or (instr.args and all(a in fixed for a in instr.args)):
                    fixed[position] = self._scalar(position, fixed, (), 0)
        return fixed

    # -- which instructions belong to which pass -------------------------------------------------

    def everything(self) -> list[int]:
        """All positions that a single pass computes, those that nothing reads left out."""
        return self._closure([p for p, i in enumerate(self.kernel.code) if _acts(i)], set())

    def full_pass(self, level: int) -> list[int]:
        """Return what must be computed at every reduced point when `level` reductions are done."""
        wanted = []
        for position, instr in enumerate(self.kernel.code):
            depth = self.levels[position] - (instr.op == "reduce")
            if depth != level:
                continue
            if instr.op == "reduce" or (_acts(instr) and self.is_full(position)):
                wanted.append(position)
        given = {p for p in range(len(self.kernel.code)) if not self.is_full(p)} - set(wanted)
        loads = {p for p in given if self._plain_load(p)}
        return self._closure(wanted, given - loads)

    def outer_pass(self, level: int) -> list[int]:
        """Return what varies along no reduced axis and is known after `level` reductions."""
        return [
            p
            for p, instr in enumerate(self.kernel.code)
            if self.levels[p] == level
            and not self.is_full(p)
            and instr.op not in ("reduce", "item")
            and p not in self.place
        ]

    def _plain_load(self, position: int) -> bool:
        instr = self.kernel.code[position]
        return instr.op == "load" and not instr.args

    def _closure(self, wanted: Iterable[int], given: set[int]) -> list[int]:
        needed: set[int] = set()
        stack = list(wanted)
        while stack:
            position = stack.pop()
            if position in needed or position in given or position in self.place:
                continue
            needed.add(position)
            stack.extend(self.operands(position))
        return sorted(needed)

    def operands(self, position: int) -> tuple[int, ...]:
        """Operands that must be there as arrays: numbers that a view gives are not, for random."""
        instr = self.kernel.code[position]
        if instr.op == "random" and self.kernel.code[instr.args[0]].op == "index":
            return instr.args[1:]
        return instr.args


def _acts(instr: Instr) -> bool:
    return instr.op in ("store", "guard")
