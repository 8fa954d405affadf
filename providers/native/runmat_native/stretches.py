"""Stretches of a row along which elements that are read by number are neighbours.

A concatenation and an array with a replaced region choose at each point which part to read, and
where: by comparing the point's position with bounds. Along a row such a choice changes at a few
points only. Between two of them, tests have one outcome and numbers grow by one step, so the choice
is made once for a whole stretch, and inside it elements are loaded as those of any array are, in
vectors.

Nothing here relies on what numbers mean. A stretch is what tests allow, and then it is made sure at
both of its ends that every number is where its step leads and that elements are there, or none is;
a stretch where that fails is halved, down to a single point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runmat_core.api.ir import ITEMSIZE
from runmat_native.parts import Node
from runmat_native.text import MEMORY, TYPE, Writer

#: Points of a row from which on choices are made by stretches.
LONG = 32
_SIGNED = frozenset({"i8", "i16", "i32", "i64"})
_TESTS = frozenset({"lt", "le", "gt", "ge"})
#: Steps along a row of the views that a letter stands for, where they are known.
_STEPS = {"0": 0, "1": 1, "b": -1}


class Lines:
    """Nodes of a segment that follow from the position in the row by tests and steps alone.

    Args:
        here: what the segment computes, in order.
        letters: see `Pattern.steps`.

    Attributes:
        gathers: those that read neighbours along stretches.
        numbers: integers that grow by a step.
        flags: logicals that follow from these.
        tests: comparisons among the flags.
    """

    def __init__(self, nodes: Sequence[Node], here: Sequence[int], letters: str) -> None:
        self.nodes = nodes
        self.letters = letters
        self._known: dict[int, str] = {}
        self._steps: dict[int, int | None] = {}
        for n in here:
            self._look(n)
        gathers = [n for n in here if nodes[n].op == "gather" and self._is(n, "number")]
        # where no elements are neighbours, nothing is gained
        near = any(self._steps[nodes[n].args[0]] in (-1, 0, 1) for n in gathers)
        self.gathers = gathers if near else []
        control = self._control() if near else []
        self.numbers = [n for n in control if self._known[n] == "number"]
        self.flags = [n for n in control if self._known[n] == "flag"]
        self.tests = [n for n in self.flags if nodes[n].op in _TESTS]

    def _is(self, n: int, *kinds: str) -> bool:
        return all(
            self._known.get(a) == kind for a, kind in zip(self.nodes[n].args, kinds, strict=True)
        )

    def _look(self, n: int) -> None:
        node = self.nodes[n]
        op, signed = node.op, node.dtype in _SIGNED
        if op == "scalar":
            if signed or node.dtype == "bool":
                self._add(n, "number" if signed else "flag", 0)
        elif op == "index":
            self._add(n, "number", _STEPS.get(self.letters[node.attr]))
        elif op == "cast" and signed and self._is(n, "number"):
            self._add(n, "number", self._steps[node.args[0]])
        elif op in ("add", "sub") and signed and self._is(n, "number", "number"):
            a, b = (self._steps[x] for x in node.args)
            moves = None if a is None or b is None else a + b if op == "add" else a - b
            self._add(n, "number", moves)
        elif op == "select" and signed and self._is(n, "flag", "number", "number"):
            a, b = (self._steps[x] for x in node.args[1:])
            self._add(n, "number", a if a == b else None)
        elif (op in _TESTS and self._is(n, "number", "number")) or (
            op in ("and", "or", "xor", "not") and self._is(n, *["flag"] * len(node.args))
        ):
            self._add(n, "flag", None)

    def _add(self, n: int, kind: str, step: int | None) -> None:
        self._known[n] = kind
        self._steps[n] = step

    def _control(self) -> list[int]:
        """Return what has to be known at the ends of a stretch."""
        needed: set[int] = set()
        stack = [self.nodes[n].args[0] for n in self.gathers]
        stack += [n for n, kind in self._known.items() if kind == "flag"]
        while stack:
            n = stack.pop()
            if n not in needed:
                needed.add(n)
                stack.extend(self.nodes[n].args)
        return sorted(needed)

    def is_constant(self, test: int) -> bool:
        """Return whether a test has one outcome all along a row."""
        a, b = (self._steps[x] for x in self.nodes[test].args)
        return a is not None and a == b

    def is_near(self, gather: int) -> bool:
        """Return whether elements that a gather reads along a stretch are neighbours."""
        return self._steps[self.nodes[gather].args[0]] == 1


class Stretch:
    """Writes what is known of one stretch.

    Args:
        at: writes the value of a node at a point, from those of others.
        stride: writes how far a view moves along the row.
        memory: writes where the elements of a view's array start, and how many there are.

    Attributes:
        loads: of each gather: where the element at point 0 of the row would be, how far the next
            one is, and whether there are any.
    """

    def __init__(
        self,
        w: Writer,
        lines: Lines,
        at: Callable[[int, dict[int, str], str], str],
        stride: Callable[[int], str],
        memory: Callable[[int], tuple[str, str]],
    ) -> None:
        self.w, self.lines, self.nodes = w, lines, lines.nodes
        self._at, self._stride, self._memory = at, stride, memory
        self._steps: dict[int, str] = {}
        self.loads: dict[int, tuple[str, str, str]] = {}

    def begin(self, lo: str, stop: str) -> str:
        """Write what holds at the first point; return where tests end the stretch."""
        w, lines = self.w, self.lines
        self.lo = lo
        self.first = self._all(lo)
        for n in lines.numbers:
            self._steps[n] = self._step(n)
        end = stop
        for n in lines.tests:
            if lines.is_constant(n):
                continue
            apart, step = self._margin(n)
            # a margin that is below zero and grows reaches it, one that is not and falls leaves it
            below = w.let(f"icmp slt i64 {apart}, 0")
            falls = w.let(f"icmp slt i64 {step}, 0")
            size = w.let(f"select i1 {falls}, i64 {w.let(f'sub i64 0, {step}')}, i64 {step}")
            still = w.let(f"icmp eq i64 {step}, 0")
            size = w.let(f"select i1 {still}, i64 1, i64 {size}")
            # the number of steps on this side: -apart - 1 or apart, by the size of a step
            left = w.let(f"select i1 {below}, i64 {w.let(f'xor i64 {apart}, -1')}, i64 {apart}")
            count = w.let(f"add i64 {w.let(f'udiv i64 {left}, {size}')}, 1")
            crosses = w.let(f"xor i1 {below}, {falls}")
            crosses = w.let(f"and i1 {crosses}, {w.let(f'xor i1 {still}, true')}")
            ahead = w.let(f"sub i64 {end}, {lo}")
            sooner = w.let(f"icmp ult i64 {count}, {ahead}")
            sooner = w.let(f"and i1 {sooner}, {crosses}")
            there = w.let(f"add i64 {lo}, {count}")
            end = w.let(f"select i1 {sooner}, i64 {there}, i64 {end}")
        return end

    def check(self, hi: str) -> str:
        """Write whether everything is as at the first point, up to the point before `hi`."""
        w, lines = self.w, self.lines
        last = w.let(f"sub i64 {hi}, 1")
        length = w.let(f"sub i64 {hi}, {self.lo}")
        ahead = w.let(f"sub i64 {last}, {self.lo}")
        single = w.let(f"icmp eq i64 {length}, 1")
        final = self._all(last)
        good = "true"
        for n in lines.tests:
            same = w.let(f"icmp eq i1 {self.first[n]}, {final[n]}")
            good = w.let(f"and i1 {good}, {same}")
        for n in lines.numbers:
            node = self.nodes[n]
            # others are where their steps lead if their operands are
            if node.op == "cast" or (node.op in ("add", "sub") and node.dtype != "i64"):
                moved = w.let(f"mul i64 {self._steps[n]}, {ahead}")
                there = w.let(f"add i64 {self._wide(n, self.first)}, {moved}")
                right = w.let(f"icmp eq i64 {there}, {self._wide(n, final)}")
                good = w.let(f"and i1 {good}, {right}")
        for n in lines.gathers:
            right = self._gather(n, final, length, single)
            good = w.let(f"and i1 {good}, {right}")
        return w.let(f"or i1 {good}, {single}")

    def _gather(self, n: int, final: dict[int, str], length: str, single: str) -> str:
        w, node = self.w, self.nodes[n]
        (number,) = node.args
        kind = MEMORY[node.dtype]
        start, size = self._memory(n)
        a, b = self._wide(number, self.first), self._wide(number, final)
        inside = [w.let(f"icmp ult i64 {v}, {size}") for v in (a, b)]
        there = w.let(f"and i1 {inside[0]}, {inside[1]}")
        under = w.let(f"and i64 {a}, {b}")
        under = w.let(f"icmp slt i64 {under}, 0")
        over = w.let(f"and i1 {', '.join(w.let(f'icmp sge i64 {v}, {size}') for v in (a, b))}")
        none = w.let(f"or i1 {under}, {over}")
        step, nowhere = self._steps[number], "%zero"
        if self.lines.is_near(n):
            # what nobody uses is read at the start of the array, if that is long enough
            fits = w.let(f"icmp sle i64 {length}, {size}")
            none = w.let(f"and i1 {none}, {fits}")
            nowhere = w.let(f"select i1 {single}, ptr %zero, ptr {start}")
            step = "1"
        else:
            step = w.let(f"select i1 {there}, i64 {step}, i64 0")
        here = w.let(f"getelementptr {kind}, ptr {start}, i64 {a}")
        here = w.let(f"select i1 {there}, ptr {here}, ptr {nowhere}")
        back = w.let(f"sub i64 0, {w.let(f'mul i64 {step}, {self.lo}')}")
        here = w.let(f"getelementptr {kind}, ptr {here}, i64 {back}")
        self.loads[n] = here, step, there
        return w.let(f"or i1 {there}, {none}")

    def value(self, n: int, i: str) -> str:
        """Write the element that a gather reads at a point of the stretch."""
        w, node = self.w, self.nodes[n]
        start, step, there = self.loads[n]
        kind = MEMORY[node.dtype]
        along = i if step == "1" else w.let(f"mul i64 {i}, {step}")
        address = w.let(f"getelementptr {kind}, ptr {start}, i64 {along}")
        group = ", !llvm.access.group !0"
        value = w.let(f"load {kind}, ptr {address}, align {ITEMSIZE[node.dtype]}{group}")
        if node.dtype == "bool":
            value = w.let(f"icmp ne i8 {value}, 0")
        nothing = "zeroinitializer"
        return w.let(f"select i1 {there}, {TYPE[node.dtype]} {value}, {TYPE[node.dtype]} {nothing}")

    def _all(self, i: str) -> dict[int, str]:
        values: dict[int, str] = {}
        for n in sorted([*self.lines.numbers, *self.lines.flags]):
            values[n] = self._at(n, values, i)
        return values

    def _wide(self, n: int, values: dict[int, str]) -> str:
        dtype = self.nodes[n].dtype
        return values[n] if dtype == "i64" else self.w.let(f"sext {TYPE[dtype]} {values[n]} to i64")

    def _step(self, n: int) -> str:
        w, node = self.w, self.nodes[n]
        if node.op == "scalar":
            return "0"
        if node.op == "index":
            letter = self.lines.letters[node.attr]
            return str(_STEPS[letter]) if letter in _STEPS else self._stride(node.attr)
        if node.op == "cast":
            return self._steps[node.args[0]]
        a, b = (self._steps[x] for x in node.args[-2:])
        if node.op == "select":
            return w.let(f"select i1 {self.first[node.args[0]]}, i64 {a}, i64 {b}")
        return w.let(f"{node.op} i64 {a}, {b}")

    def _margin(self, n: int) -> tuple[str, str]:
        """Return by how much a test holds at the first point, below 0 where not, and its step."""
        w, node = self.w, self.nodes[n]
        a, b = node.args if node.op in ("ge", "gt") else node.args[::-1]
        apart = w.let(f"sub i64 {self._wide(a, self.first)}, {self._wide(b, self.first)}")
        if node.op in ("gt", "lt"):
            apart = w.let(f"sub i64 {apart}, 1")
        return apart, w.let(f"sub i64 {self._steps[a]}, {self._steps[b]}")
