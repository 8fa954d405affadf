"""The text of a kernel as one LLVM function: loops over tiles, and in each the kernel's segments.

``run(args, starts, stops)`` computes the points from `starts` to `stops` along each axis of the
collapsed space. `args` is a table of 64-bit words: addresses, strides, scalars, loops of NumPy's,
which `Slots` numbers. Nothing of a launch stands in the text, so one function serves every size;
only whether a view moves along the fastest axis by nothing, by one, or by some stride does, as
loops over neighbours are what LLVM can make vectors of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from runmat_inprocess.compiler import Program
from runmat_inprocess.fragments import DeclinedError

from runmat_core.api.ir import ITEMSIZE, Instr
from runmat_core.api.tuples import NamedTuple
from runmat_native import remainders, scalars, totals
from runmat_native.loops import LOOPS
from runmat_native.parts import Draw, Node, element, rule, ufunc
from runmat_native.segments import Segment, Segments
from runmat_native.stretches import Lines, Stretch
from runmat_native.text import MEMORY, TYPE, Writer, literal

#: Elements of a tile where something is kept in buffers.
TILE = 1024
#: Elements of a row of a tile of at most `FEW` buffers whose loop in time reads arrays: memory
#: gives long stretches faster than the nearest cache takes short ones.
WIDE, FEW = 4096, 2


class Pattern(NamedTuple):
    """What of a launch is part of the text.

    Attributes:
        ndim: axes of the collapsed space, the serial one left out.
        steps: for each view its stride along axis 0: ``0``, ``1``, with `long` ``b`` for -1, and
            ``n`` for any other.
        late: see `Segments`.
        serial: whether there is a loop in time.
        reduced: whether axis 0 is reduced, node after node.
        scanned: whether axis 0 is scanned, from its start to its end.
        long: whether rows are long enough for `stretches`.
    """

    ndim: int
    steps: str
    late: bool
    serial: bool
    reduced: bool = False
    scanned: bool = False
    long: bool = False


class Loop(NamedTuple):
    """One of NumPy's loops: the ufunc, element types and strides of operands and result."""

    name: str
    types: tuple[str, ...]
    strides: tuple[int, ...]

    def find(self) -> tuple[int, int, int] | None:
        """Return its address, its context and its auxiliary data; None where NumPy has none."""
        types = tuple(element(t) for t in self.types)
        return LOOPS.find(ufunc(self.name), types, self.strides)


class Slots:
    """The numbers of the words of ``args``, by what they hold, such as ``("address", view)``."""

    def __init__(self) -> None:
        self.number: dict[tuple[Any, ...], int] = {}

    def __call__(self, *what: Any) -> int:
        return self.number.setdefault(what, len(self.number))


class Nest:
    """Writes the function.

    Attributes:
        slots: of its ``args``.
        loops: of NumPy's that it calls.
        tiled: whether tiles are bounded.
        width: elements of a row of a tile at most, if so.
        draws: the functions of the random stream that are called.
        text: the module.
    """

    def __init__(self, program: Program, segments: Segments, pattern: Pattern) -> None:
        self.program, self.segments, self.pattern = program, segments, pattern
        self.nodes = segments.nodes
        self.slots = Slots()
        self.loops: list[Loop] = []
        self.tiled = segments.buffers > 0
        self.width = WIDE if self._streams() else TILE
        self.draws: tuple[str, ...] = ()
        self.totals: set[tuple[str, str]] = set()
        self.remainders: set[tuple[str, bool]] = set()
        self.w = Writer()
        self._loaded: dict[int, tuple[str, str]] = {}
        self.stretch: Stretch | None = None
        self.direct = self._direct()
        self.text = self._module()

    def _streams(self) -> bool:
        serial, found = self.segments.serial, self.segments
        if not serial or found.buffers > FEW or any(s.calls for s in found.found):
            return False
        loads = [node.over for node in self.nodes if node.op == "load"]
        return any(over & serial and over & ~serial for over in loads)

    # -- the whole

    def _module(self) -> str:
        w = self.w
        self._body()
        body, w.lines = w.lines, []
        w.add("%zero = alloca i64, align 8")
        w.add("store i64 0, ptr %zero")
        w.add("%data = alloca [4 x ptr], align 8")
        w.add("%strides = alloca [4 x i64], align 8")
        w.add("%count = alloca i64, align 8")
        for bit in self._bits():
            w.add(f"%bit{bit} = alloca i8, align 1")
            w.add(f"store i8 0, ptr %bit{bit}")
        for number, node in enumerate(self.nodes):
            if node.op == "running":
                w.add(f"%state{number} = alloca {MEMORY[node.dtype]}, align 8")
        for k in range(self.segments.buffers):
            w.add(f"%buffer{k} = alloca [{self.width} x i64], align 64")
        for slot, (name, kind) in sorted(self._loaded.items()):
            address = w.let(f"getelementptr inbounds i64, ptr %args, i64 {slot}")
            w.add(f"{name} = load {kind}, ptr {address}")
        for k in range(self.pattern.ndim):
            for which in ("starts", "stops"):
                address = w.let(f"getelementptr inbounds i64, ptr %{which}, i64 {k}")
                w.add(f"%{which}{k} = load i64, ptr {address}")
        head, w.lines = w.lines, []
        lines = [
            "define void @run(ptr noalias %args, ptr noalias %starts, ptr noalias %stops)",
            "nounwind {",
            "entry:",
            *head,
            *body,
            "  ret void",
            "}",
            "!0 = distinct !{}",
            '!1 = !{!"llvm.loop.parallel_accesses", !0}',
            '!2 = !{!"llvm.loop.mustprogress"}',
            "!3 = distinct !{!3, !2, !1}",
        ]
        functions = [totals.function(*what) for what in sorted(self.totals)]
        functions += [remainders.function(*what) for what in sorted(self.remainders)]
        return "".join(functions) + "\n".join(lines) + "\n"

    def _bits(self) -> list[int]:
        return sorted(
            {
                self.nodes[r].attr
                for s in self.segments.found
                for r in s.roots
                if self.nodes[r].op == "guard"
            }
        )

    def _word(self, *what: Any, kind: str = "i64") -> str:
        """Return the value of a word of ``args``."""
        slot = self.slots(*what)
        self._loaded.setdefault(slot, (f"%arg{slot}", kind))
        return f"%arg{slot}"

    @contextmanager
    def _loop(
        self, start: str, stop: str, step: str = "1", parallel: bool = False
    ) -> Iterator[str]:
        """Write a loop around what is written inside; its variable."""
        w = self.w
        before, head, body, latch, after = (
            w.name(s) for s in ("pre", "head", "body", "latch", "end")
        )
        iv, following = f"%{w.name('i')}", f"%{w.name('next')}"
        w.add(f"br label %{before}")
        w.label(before)
        w.add(f"br label %{head}")
        w.label(head)
        w.add(f"{iv} = phi i64 [{start}, %{before}], [{following}, %{latch}]")
        more = w.let(f"icmp slt i64 {iv}, {stop}")
        mark = len(w.lines)
        w.add(f"br i1 {more}, label %{body}, label %{after}")
        w.label(body)
        self._phis: list[tuple[str, str]] = []
        yield iv
        phis = (
            [f"  {old} = phi i1 [false, %{before}], [{new}, %{latch}]" for old, new in self._phis]
            if parallel
            else []
        )
        w.lines[mark - 1 : mark - 1] = phis
        w.add(f"br label %{latch}")
        w.label(latch)
        w.add(f"{following} = add nuw nsw i64 {iv}, {step}")
        tail = ", !llvm.loop !3" if parallel else ""
        w.add(f"br label %{head}{tail}")
        w.label(after)

    def _body(self) -> None:
        w, ndim = self.w, self.pattern.ndim
        self.at: list[str] = [""] * ndim
        self._outer(ndim - 1)
        for bit in self._bits():
            flag = w.let(f"load i8, ptr %bit{bit}")
            some = w.let(f"icmp ne i8 {flag}, 0")
            yes, no = w.name("set"), w.name("unset")
            w.add(f"br i1 {some}, label %{yes}, label %{no}")
            w.label(yes)
            status = self._word("status", kind="ptr")
            w.add(f"atomicrmw or ptr {status}, i64 {1 << bit} monotonic")
            w.add(f"br label %{no}")
            w.label(no)

    def _outer(self, axis: int) -> None:
        if axis >= 2:
            with self._loop(f"%starts{axis}", f"%stops{axis}") as self.at[axis]:
                self._outer(axis - 1)
            return
        if axis == 1:
            step = self._word("rows")
            with self._loop("%starts1", "%stops1", step) as first:
                self.at[1] = first
                self.rows = self._least(step, "%stops1", first)
                self._outer(0)
            return
        if self.pattern.reduced:
            self._nodes()
            return
        if self.pattern.scanned:
            self._line()
            return
        step = self._word("columns")
        with self._loop("%starts0", "%stops0", step) as first:
            self.at[0] = first
            self.columns = self._least(step, "%stops0", first)
            self._tile()

    def _nodes(self) -> None:
        """Write the loop over the nodes of the reduced axis."""
        w, bounds = self.w, self._word("bounds", kind="ptr")
        with self._loop("%starts0", "%stops0") as self.node:
            first, stop = (
                w.let(f"load i64, ptr {w.let(f'getelementptr i64, ptr {bounds}, i64 {k}')}")
                for k in (self.node, w.let(f"add i64 {self.node}, 1"))
            )
            self.at[0] = first
            self.columns = w.let(f"sub i64 {stop}, {first}")
            self._tile()

    def _line(self) -> None:
        """Write the loop along the scanned axis, whose tiles hand on the states of scans."""
        w = self.w
        for number, node in enumerate(self.nodes):
            if node.op == "running":
                start = literal(node.attr.init[0], node.dtype)
                w.store(start, MEMORY[node.dtype], f"%state{number}")
        step, extent = self._word("columns"), self._word("extent")
        with self._loop("0", extent, step) as self.at[0]:
            self.columns = self._least(step, extent, self.at[0])
            self._tile()

    def _running(self, number: int) -> None:
        """Write the running values of a row of a tile."""
        w, node = self.w, self.nodes[number]
        if self.pattern.ndim > 1:
            self.row, self.before = self.at[1], "0"
        (a,) = node.args
        kind, count = MEMORY[node.dtype], self.columns
        source, target = self._buffer(a), self._buffer(number)
        state = w.let(f"load {kind}, ptr %state{number}")
        before, head, body, after = (w.name(s) for s in ("pre", "head", "body", "end"))
        i, value = f"%{w.name('i')}", f"%{w.name('running')}"
        w.add(f"br label %{before}")
        w.label(before)
        w.add(f"br label %{head}")
        w.label(head)
        mark = len(w.lines)
        more = w.let(f"icmp slt i64 {i}, {count}")
        w.add(f"br i1 {more}, label %{body}, label %{after}")
        w.label(body)
        new = self._read(source, node.dtype, i)
        step = Instr(scalars.STEP[node.attr.name], (), node.dtype, 0)
        written = scalars.rule_for(step, (node.dtype, node.dtype))
        assert written is not None
        following = written(w, (node.dtype, node.dtype), node.dtype, (value, new))
        self._write(following, node.dtype, target, i)
        past = w.let(f"add nuw nsw i64 {i}, 1")
        w.add(f"br label %{head}")
        w.lines[mark:mark] = [
            f"  {i} = phi i64 [0, %{before}], [{past}, %{body}]",
            f"  {value} = phi {kind} [{state}, %{before}], [{following}, %{body}]",
        ]
        w.label(after)
        w.store(value, kind, f"%state{number}")

    def _least(self, step: str, stop: str, first: str) -> str:
        left = self.w.let(f"sub i64 {stop}, {first}")
        small = self.w.let(f"icmp slt i64 {left}, {step}")
        return self.w.let(f"select i1 {small}, i64 {left}, i64 {step}")

    def _tile(self) -> None:
        found = self.segments.found
        if self.pattern.ndim > 1:
            self.points = self.w.let(f"mul i64 {self.rows}, {self.columns}")
        else:
            self.points = self.columns
        self.trip = ""
        for phase in range(3):
            numbers = [k for k, s in enumerate(found) if s.phase == phase]
            if phase != 1 or not numbers:
                for k in numbers:
                    self._segment(k, found[k])
                continue
            with self._loop("0", self._word("trips")) as self.trip:
                for k in numbers:
                    self._segment(k, found[k])
            last = self.w.let(f"sub i64 {self._word('trips')}, 1")
            self.trip = last

    # -- a segment

    def _segment(self, k: int, segment: Segment) -> None:
        if segment.kept or segment.roots or segment.turns:
            if self.pattern.ndim > 1:
                with self._loop("0", self.rows) as row:
                    self.row = self.w.let(f"add i64 {self.at[1]}, {row}")
                    self.before = self.w.let(f"mul i64 {row}, {self.columns}")
                    self._row(k, segment)
            else:
                self._row(k, segment)
        for number in segment.calls:
            self._call(number)

    def _position(self, view: int, what: str) -> str:
        """Return where a view is at the start of a row of the tile, in elements."""
        w, total = self.w, ""
        for axis in range(self.pattern.ndim):
            step = self.pattern.steps[view] if axis == 0 else "n"
            if step == "0":
                continue
            here = self.row if axis == 1 else self.at[axis]
            if step in ("n", "b"):
                here = w.let(f"mul i64 {here}, {self._word('stride', view, axis)}")
            total = w.let(f"add i64 {total}, {here}") if total else here
        if self.trip:
            moved = w.let(f"mul i64 {self.trip}, {self._word('stride', view, 'serial')}")
            total = w.let(f"add i64 {total}, {moved}") if total else moved
        if what == "index":
            offset = self._word("offset", view)
            return w.let(f"add i64 {total}, {offset}") if total else offset
        return total or "0"

    def _pointer(self, view: int, kind: str) -> str:
        """Return the address of a view at the start of a row of the tile."""
        address = self._word("address", view, kind="ptr")
        return self.w.let(f"getelementptr {kind}, ptr {address}, i64 {self._position(view, '')}")

    def _along(self, view: int, i: str) -> str:
        """Return how far an element of a row is from its start."""
        if self.pattern.steps[view] == "1":
            return i
        return self.w.let(f"mul i64 {i}, {self._word('stride', view, 0)}")

    def _row(self, k: int, segment: Segment) -> None:
        """Write the loop over the elements of one row of a tile."""
        values: dict[int, str] = {}
        start: dict[int, str] = {}
        for n in segment.nodes:  # what is the same for the whole row, and where rows start
            node, source = self.nodes[n], self.segments.reads(k, n)
            if source is not None:
                if n in self.direct:
                    start[n] = self._pointer(self.direct[n], MEMORY[node.dtype])
                else:
                    start[n] = self._buffer(source)
            elif node.op == "scalar":
                values[n] = self._scalar(n)
            elif node.op == "load":
                start[n] = self._pointer(node.attr, MEMORY[node.dtype])
                if self.pattern.steps[node.attr] == "0":
                    values[n] = self._read(start[n], node.dtype, "")
            elif node.op == "index":
                start[n] = self._position(node.attr, "index")
        targets = {
            n: self._pointer(self.nodes[n].attr, MEMORY[self.nodes[n].dtype])
            for n in segment.roots
            if self.nodes[n].op == "store"
        }
        kept = {n: self._buffer(n) for n in segment.kept if not self._is_passed(n)}
        turns = [(self._buffer(carry), value) for carry, value in segment.turns]
        lines = Lines(self.nodes, self._made(k, segment), self.pattern.steps)
        if self.pattern.long and lines.gathers:
            with self._stretches(k, lines, values, start) as (first, stop):
                self._points(k, segment, values, start, targets, kept, turns, first, stop)
        else:
            self.stretch = None
            self._points(k, segment, values, start, targets, kept, turns, "0", self.columns)

    def _made(self, k: int, segment: Segment) -> list[int]:
        """Return what a segment computes itself."""
        return [n for n in segment.nodes if self.segments.reads(k, n) is None]

    @contextmanager
    def _stretches(
        self, k: int, lines: Lines, values: dict[int, str], start: dict[int, str]
    ) -> Iterator[tuple[str, str]]:
        """Write a loop over the stretches of a row; where each begins and ends."""
        w = self.w
        names = ("pre", "stretch", "body", "ends", "half", "found", "over")
        before, head, body, ends, half, found, after = (w.name(s) for s in names)
        lo, hi, less = (f"%{w.name(s)}" for s in ("lo", "hi", "less"))

        def at(n: int, known: dict[int, str], i: str) -> str:
            return values[n] if n in values else self._value(k, n, known, start, i)

        def memory(n: int) -> tuple[str, str]:
            buffer = self.program.kernel.views[self.nodes[n].attr].buffer
            return self._word("buffer", buffer, kind="ptr"), self._word("size", buffer)

        def stride(view: int) -> str:
            return self._word("stride", view, 0)

        self.stretch = Stretch(w, lines, at, stride, memory)
        w.add(f"br label %{before}")
        w.label(before)
        w.add(f"br label %{head}")
        w.label(head)
        mark = len(w.lines)
        more = w.let(f"icmp slt i64 {lo}, {self.columns}")
        w.add(f"br i1 {more}, label %{body}, label %{after}")
        w.label(body)
        end = self.stretch.begin(lo, self.columns)
        w.add(f"br label %{ends}")
        w.label(ends)
        w.add(f"{hi} = phi i64 [{end}, %{body}], [{less}, %{half}]")
        good = self.stretch.check(hi)
        w.add(f"br i1 {good}, label %{found}, label %{half}")
        w.label(half)
        length = w.let(f"sub i64 {hi}, {lo}")
        w.add(f"{less} = add i64 {lo}, {w.let(f'lshr i64 {length}, 1')}")
        w.add(f"br label %{ends}")
        w.label(found)
        yield lo, hi
        latch = w.name("latch")
        w.add(f"br label %{latch}")
        w.label(latch)
        w.lines[mark:mark] = [f"  {lo} = phi i64 [0, %{before}], [{hi}, %{latch}]"]
        w.add(f"br label %{head}")
        w.label(after)

    def _points(
        self,
        k: int,
        segment: Segment,
        shared: dict[int, str],
        start: dict[int, str],
        targets: dict[int, str],
        kept: dict[int, str],
        turns: list[tuple[str, int]],
        first: str,
        stop: str,
    ) -> None:
        """Write the loop over some elements of a row."""
        w, values, stretch = self.w, dict(shared), self.stretch
        if stretch is not None:
            values |= {n: stretch.first[n] for n in stretch.lines.flags}
        with self._loop(first, stop, parallel=True) as i:
            for n in segment.nodes:
                if n not in values and n not in segment.roots:
                    if stretch is not None and n in stretch.loads:
                        values[n] = stretch.value(n, i)
                    else:
                        values[n] = self._value(k, n, values, start, i)
            for n, buffer in kept.items():
                self._write(values[n], self.nodes[n].dtype, buffer, i)
            phis = []
            for n in segment.roots:
                node = self.nodes[n]
                value = values[node.args[0]]
                if node.op == "store":
                    along = "0"
                    if self.pattern.steps[node.attr] != "0":
                        along = self._along(node.attr, i)
                    self._write(value, node.dtype, targets[n], along)
                else:
                    old = f"%{w.name('old')}"
                    new = w.let(f"or i1 {old}, {value}")
                    phis.append((old, new, node.attr))
            for buffer, n in turns:
                self._write(values[n], self.nodes[n].dtype, buffer, i)
            self._phis = [(old, new) for old, new, _ in phis]
        for old, _, bit in phis:
            wide = w.let(f"zext i1 {old} to i8")
            before = w.let(f"load i8, ptr %bit{bit}")
            w.store(w.let(f"or i8 {before}, {wide}"), "i8", f"%bit{bit}")

    def _value(self, k: int, n: int, values: dict[int, str], start: dict[int, str], i: str) -> str:
        w, node = self.w, self.nodes[n]
        if self.segments.reads(k, n) is not None:
            return self._read(start[n], node.dtype, i)
        if node.op == "load":
            return self._read(start[n], node.dtype, self._along(node.attr, i))
        if node.op == "index":
            if self.pattern.steps[node.attr] == "0":
                return start[n]
            return w.let(f"add i64 {start[n]}, {self._along(node.attr, i)}")
        args = [values[a] for a in node.args]
        if node.op == "gather":
            return self._gather(node, args[0])
        written = rule(node)
        assert written is not None, node.op
        return written(w, node.types, node.dtype, args)

    def _gather(self, node: Node, number: str) -> str:
        """Return an element by number, 0 where there is none."""
        w, kind = self.w, MEMORY[node.dtype]
        source = node.types[0]
        if ITEMSIZE[source] < 8:
            number = w.let(
                f"{'sext' if source[0] == 'i' else 'zext'} {TYPE[source]} {number} to i64"
            )
        buffer = self.program.kernel.views[node.attr].buffer
        address = self._word("buffer", buffer, kind="ptr")
        inside = w.let(f"icmp ult i64 {number}, {self._word('size', buffer)}")
        there = w.let(f"getelementptr {kind}, ptr {address}, i64 {number}")
        there = w.let(f"select i1 {inside}, ptr {there}, ptr %zero")
        return self._read(there, node.dtype, "")

    def _read(self, address: str, dtype: str, i: str) -> str:
        w, kind = self.w, MEMORY[dtype]
        if i:
            address = w.let(f"getelementptr {kind}, ptr {address}, i64 {i}")
        value = w.let(f"load {kind}, ptr {address}, align {ITEMSIZE[dtype]}, !llvm.access.group !0")
        return w.let(f"icmp ne i8 {value}, 0") if dtype == "bool" else value

    def _write(self, value: str, dtype: str, address: str, i: str) -> None:
        w, kind = self.w, MEMORY[dtype]
        if dtype == "bool":
            value = w.let(f"zext i1 {value} to i8")
        address = w.let(f"getelementptr {kind}, ptr {address}, i64 {i}")
        w.store(value, kind, address, f", align {ITEMSIZE[dtype]}, !llvm.access.group !0")

    def _buffer(self, number: int) -> str:
        """Return where a row of a tile's buffer starts."""
        buffer = f"%buffer{self.segments.buffer[number]}"
        if self.pattern.ndim == 1:
            return buffer
        kind = MEMORY[self.nodes[number].dtype]
        return self.w.let(f"getelementptr {kind}, ptr {buffer}, i64 {self.before}")

    def _scalar(self, number: int) -> str:
        """Return a value that is the same in the whole launch."""
        node = self.nodes[number]
        instr = self.program.kernel.code[node.attr]
        if instr.op == "const":
            return literal(instr.attr, node.dtype)
        if node.dtype == "bool":
            return self.w.let(f"icmp ne i8 {self._word('scalar', node.attr, kind='i8')}, 0")
        return self._word("scalar", node.attr, kind=TYPE[node.dtype])

    # -- NumPy's loops

    def _direct(self) -> dict[int, int]:
        """Return views through which calls read or write instead of a buffer, by node."""
        if self.pattern.reduced:
            return self._direct_totals()
        pattern = self.pattern
        if pattern.ndim > 1 or pattern.serial or pattern.late or pattern.scanned:
            return {}
        found = {}
        for segment in self.segments.found:
            for number in segment.calls:
                for a in self.nodes[number].args:
                    node = self.nodes[a]
                    if node.op == "load" and self.pattern.steps[node.attr] == "1":
                        found[a] = node.attr
        return found

    def _direct_totals(self) -> dict[int, int]:
        """Return views whose neighbours are reduced where they are."""
        found: dict[int, int] = {}
        called: set[int] = set()
        for segment in self.segments.found:
            for number in segment.calls:
                if self.nodes[number].op == "call":
                    called.update(self.nodes[number].args)
                    continue
                (a,) = self.nodes[number].args
                node = self.nodes[a]
                if node.op == "load" and self.pattern.steps[node.attr] == "1":
                    found[a] = node.attr
        return {a: view for a, view in found.items() if a not in called}

    def _total(self, number: int) -> None:
        """Write calls of a reduction of neighbours, one for each row of a tile."""
        if self.pattern.ndim > 1:
            with self._loop("0", self.rows) as row:
                self.row = self.w.let(f"add i64 {self.at[1]}, {row}")
                self.before = self.w.let(f"mul i64 {row}, {self.columns}")
                self._row_total(number)
        else:
            self._row_total(number)

    def _row_total(self, number: int) -> None:
        w, node = self.w, self.nodes[number]
        reducer, view = node.attr
        (a,) = node.args
        kind = MEMORY[node.dtype]
        source = self._pointer(self.direct[a], kind) if a in self.direct else self._buffer(a)
        self.totals.add((reducer, node.dtype))
        given = f"ptr {source}, i64 {self.columns}"
        value = w.let(f"call {kind} {totals.name(reducer, node.dtype)}({given})")
        if reducer == "sum":  # as NumPy does, which makes -0 to 0
            value = w.let(f"fadd {kind} {value}, {literal(0, node.dtype)}")
        first, self.at[0] = self.at[0], self.node
        w.store(value, kind, self._pointer(view, kind))
        self.at[0] = first

    def _is_passed(self, number: int) -> bool:
        return number in self.direct

    def _call(self, number: int) -> None:
        """Write a call of one of NumPy's loops over the points of a tile."""
        w, node = self.w, self.nodes[number]
        if node.op == "total":
            self._total(number)
            return
        if node.op == "running":
            self._running(number)
            return
        if isinstance(node.attr, Draw):
            self._draw(number, node, node.attr)
            return
        strides, addresses = [], []
        for a in node.args:
            operand = self.nodes[a]
            if operand.op == "scalar":
                slot = self.slots("operand", operand.attr)
                addresses.append(w.let(f"getelementptr inbounds i64, ptr %args, i64 {slot}"))
                strides.append(0)
                continue
            strides.append(ITEMSIZE[operand.dtype])
            if a in self.direct:
                addresses.append(self._pointer(self.direct[a], MEMORY[operand.dtype]))
            else:
                addresses.append(f"%buffer{self.segments.buffer[a]}")
        addresses.append(f"%buffer{self.segments.buffer[number]}")
        strides.append(ITEMSIZE[node.dtype])
        loop = Loop(node.attr, (*node.types, node.dtype), tuple(strides))
        if loop not in self.loops:
            self.loops.append(loop)
        for k, (address, stride) in enumerate(zip(addresses, strides, strict=True)):
            there = w.let(f"getelementptr inbounds ptr, ptr %data, i64 {k}")
            w.store(address, "ptr", there)
            there = w.let(f"getelementptr inbounds i64, ptr %strides, i64 {k}")
            w.store(str(stride), "i64", there)
        w.store(self.points, "i64", "%count")
        name, *rest = (self._word("loop", *loop, k, kind="ptr") for k in range(3))
        if node.attr == "fmod" and strides[0] and addresses[-1] not in addresses[:-1]:
            self.remainders.add(what := (node.dtype, not strides[1]))
            given = (name, *rest, "%data", "%count", "%strides")
            w.let(f"call i32 {remainders.name(*what)}({', '.join(f'ptr {v}' for v in given)})")
            return
        w.let(f"call i32 {name}(ptr {rest[0]}, ptr %data, ptr %count, ptr %strides, ptr {rest[1]})")

    def _draw(self, number: int, node: Node, draw: Draw) -> None:
        """Write calls of a function of the random stream, one for each row of a tile."""
        if self.pattern.steps[draw.view] != "1":
            raise DeclinedError("elements of the stream that are not neighbours")
        if self.pattern.ndim > 1:
            with self._loop("0", self.rows) as row:
                self.row = self.w.let(f"add i64 {self.at[1]}, {row}")
                self.before = self.w.let(f"mul i64 {row}, {self.columns}")
                self._drawn(number, node, draw)
        else:
            self._drawn(number, node, draw)

    def _drawn(self, number: int, node: Node, draw: Draw) -> None:
        w = self.w
        if draw.name not in self.draws:
            self.draws = (*self.draws, draw.name)
        function = self._word("stream", draw.name, kind="ptr")
        low, high, *position = (self._scalar(a) for a in node.args)
        wide = [w.let(f"zext i32 {word} to i64") for word in position]
        start = w.let(f"or i64 {wide[0]}, {w.let(f'shl i64 {wide[1]}, 32')}")
        first = self._position(draw.view, "index")
        first = w.let(f"mul i64 {first}, {ITEMSIZE[node.dtype] // 4}")
        word = w.let(f"add i64 {start}, {first}")
        given = f"i32 {low}, i32 {high}, i64 {word}, ptr {self._buffer(number)}, i64 {self.columns}"
        if draw.name.startswith("normal"):
            given += f", ptr {self._word('stream', 'loops', kind='ptr')}"
        w.add(f"call void {function}({given})")


def steps_of(strides: Sequence[int], long: bool) -> str:
    """Return the letters of a pattern for the strides of views along the fastest axis."""
    letters = {0: "0", 1: "1", -1: "b" if long else "n"}
    return "".join(letters.get(s, "n") for s in strides)


def is_there(loops: Sequence[Loop]) -> bool:
    """Return whether this NumPy hands out all of some loops."""
    with np.errstate(all="ignore"):
        return all(loop.find() is not None for loop in loops)
