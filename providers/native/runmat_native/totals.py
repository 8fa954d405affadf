"""Reductions of neighbours as LLVM functions: ``value name(pointer, count)`` for at least one.

Sums keep to the order of `runmat_core.api.sums`, which is NumPy's: eight interleaved sums up to
128 elements, halves beyond. The others give the same whatever the order is; they keep many running
values, so that no step waits for the one before.
"""

from __future__ import annotations

from runmat_core.api import sums
from runmat_core.api.ir import FLOATS, ITEMSIZE
from runmat_native.text import MEMORY, Writer, literal

#: Element types of the reducers that there are functions for.
_REALS = frozenset("f32 f64 i8 i16 i32 i64 u8 u16 u32 u64".split())
TYPES: dict[str, frozenset[str]] = {
    "sum": FLOATS,
    "min": _REALS,
    "max": _REALS,
    "any": frozenset({"bool"}),
    "all": frozenset({"bool"}),
}
#: Neighbours of a node at most.
NODE = 1024
#: Bytes of the running values of an extremum.
_WIDE = 256


def name(reducer: str, dtype: str) -> str:
    return f"@{reducer}_{dtype}"


def function(reducer: str, dtype: str) -> str:
    """Return the text of a function."""
    w = Writer()
    head = f"define internal {MEMORY[dtype]} {name(reducer, dtype)}(ptr %x, i64 %n) nounwind {{"
    if reducer == "sum":
        _sum(w, dtype)
    else:
        _best(w, reducer, dtype)
    return "\n".join([head, "entry:", *w.lines, "}"]) + "\n"


def _sum(w: Writer, dtype: str) -> None:
    kind, lanes = MEMORY[dtype], sums.LANES
    wide = f"<{lanes} x {kind}>"
    align = f", align {ITEMSIZE[dtype]}"
    w.add(f"%small = icmp slt i64 %n, {lanes}")
    w.add("br i1 %small, label %few, label %some")
    w.label("few")
    w.add("br label %tail")
    w.label("some")
    w.add(f"%short = icmp sle i64 %n, {sums.UNIT}")
    w.add("br i1 %short, label %unit, label %halves")

    w.label("halves")
    half = w.let("lshr i64 %n, 1")
    half = w.let(f"and i64 {half}, {-lanes}")
    there = w.let(f"getelementptr {kind}, ptr %x, i64 {half}")
    rest = w.let(f"sub i64 %n, {half}")
    one = w.let(f"call {kind} {name('sum', dtype)}(ptr %x, i64 {half})")
    other = w.let(f"call {kind} {name('sum', dtype)}(ptr {there}, i64 {rest})")
    w.add(f"ret {kind} {w.let(f'fadd {kind} {one}, {other}')}")

    w.label("unit")
    w.add(f"%whole = and i64 %n, {-lanes}")
    w.add(f"%first = load {wide}, ptr %x{align}")
    w.add("br label %head")
    w.label("head")
    w.add(f"%i = phi i64 [{lanes}, %unit], [%next, %body]")
    w.add(f"%acc = phi {wide} [%first, %unit], [%sum, %body]")
    w.add("%more = icmp slt i64 %i, %whole")
    w.add("br i1 %more, label %body, label %fold")
    w.label("body")
    w.add(f"%at = getelementptr {kind}, ptr %x, i64 %i")
    w.add(f"%next8 = load {wide}, ptr %at{align}")
    w.add(f"%sum = fadd {wide} %acc, %next8")
    w.add(f"%next = add nuw nsw i64 %i, {lanes}")
    w.add("br label %head")
    w.label("fold")
    acc, count = "%acc", lanes
    while count > 1:
        half = str(count // 2)
        sides = []
        for first in (0, 1):
            places = ", ".join(f"i32 {k}" for k in range(first, count, 2))
            vector = f"<{count} x {kind}>"
            mask = f"<{half} x i32> <{places}>"
            sides.append(w.let(f"shufflevector {vector} {acc}, {vector} poison, {mask}"))
        acc = w.let(f"fadd <{half} x {kind}> {sides[0]}, {sides[1]}")
        count //= 2
    w.add(f"%folded = extractelement <1 x {kind}> {acc}, i64 0")
    w.add("br label %tail")

    w.label("tail")
    w.add("%from = phi i64 [0, %few], [%whole, %fold]")
    w.add(f"%start = phi {kind} [{literal(-0.0, dtype)}, %few], [%folded, %fold]")
    w.add("br label %each")
    w.label("each")
    w.add("%k = phi i64 [%from, %tail], [%k1, %one]")
    w.add(f"%total = phi {kind} [%start, %tail], [%added, %one]")
    w.add("%left = icmp slt i64 %k, %n")
    w.add("br i1 %left, label %one, label %done")
    w.label("one")
    w.add(f"%place = getelementptr {kind}, ptr %x, i64 %k")
    w.add(f"%value = load {kind}, ptr %place{align}")
    w.add(f"%added = fadd {kind} %total, %value")
    w.add("%k1 = add nuw nsw i64 %k, 1")
    w.add("br label %each")
    w.label("done")
    w.add(f"ret {kind} %total")


def _better(w: Writer, reducer: str, dtype: str, kind: str, test: str, a: str, b: str) -> str:
    """Write the better of two values, or of two vectors of so many."""
    if reducer in ("any", "all"):
        return w.let(f"{'or' if reducer == 'any' else 'and'} {kind} {a}, {b}")
    above = "gt" if reducer == "max" else "lt"
    if dtype in FLOATS:
        better = w.let(f"fcmp o{above} {kind} {a}, {b}")
        missing = w.let(f"fcmp uno {kind} {b}, {b}")
        take = w.let(f"or {test} {better}, {missing}")
    else:
        take = w.let(f"icmp {'s' if dtype[0] == 'i' else 'u'}{above} {kind} {a}, {b}")
    return w.let(f"select {test} {take}, {kind} {a}, {kind} {b}")


def _best(w: Writer, reducer: str, dtype: str) -> None:
    kind, size = MEMORY[dtype], ITEMSIZE[dtype]
    lanes = _WIDE // size
    wide, align = f"<{lanes} x {kind}>", f", align {size}"
    w.add(f"%whole = and i64 %n, {-lanes}")
    w.add("%some = icmp ne i64 %whole, 0")
    w.add("br i1 %some, label %many, label %few")
    w.label("few")
    w.add(f"%alone = load {kind}, ptr %x{align}")
    w.add("br label %tail")
    w.label("many")
    w.add(f"%first = load {wide}, ptr %x{align}")
    w.add("br label %head")
    w.label("head")
    w.add(f"%i = phi i64 [{lanes}, %many], [%next, %body]")
    w.add(f"%acc = phi {wide} [%first, %many], [%kept, %body]")
    w.add("%more = icmp slt i64 %i, %whole")
    w.add("br i1 %more, label %body, label %fold")
    w.label("body")
    w.add(f"%at = getelementptr {kind}, ptr %x, i64 %i")
    w.add(f"%new = load {wide}, ptr %at{align}")
    better = _better(w, reducer, dtype, wide, f"<{lanes} x i1>", "%acc", "%new")
    w.add(f"%kept = freeze {wide} {better}")
    w.add(f"%next = add nuw nsw i64 %i, {lanes}")
    w.add("br label %head")
    w.label("fold")
    acc, count = "%acc", lanes
    while count > 1:
        half = count // 2
        sides = []
        for first in (0, half):
            places = ", ".join(f"i32 {k}" for k in range(first, first + half))
            vector = f"<{count} x {kind}>"
            mask = f"<{half} x i32> <{places}>"
            sides.append(w.let(f"shufflevector {vector} {acc}, {vector} poison, {mask}"))
        acc = _better(w, reducer, dtype, f"<{half} x {kind}>", f"<{half} x i1>", *sides)
        count = half
    w.add(f"%folded = extractelement <1 x {kind}> {acc}, i64 0")
    w.add("br label %tail")
    w.label("tail")
    w.add("%from = phi i64 [1, %few], [%whole, %fold]")
    w.add(f"%start = phi {kind} [%alone, %few], [%folded, %fold]")
    w.add("br label %each")
    w.label("each")
    w.add("%k = phi i64 [%from, %tail], [%k1, %one]")
    w.add(f"%best = phi {kind} [%start, %tail], [%following, %one]")
    w.add("%left = icmp slt i64 %k, %n")
    w.add("br i1 %left, label %one, label %done")
    w.label("one")
    w.add(f"%place = getelementptr {kind}, ptr %x, i64 %k")
    w.add(f"%value = load {kind}, ptr %place{align}")
    best = _better(w, reducer, dtype, kind, "i1", "%best", "%value")
    w.add(f"%following = freeze {kind} {best}")
    w.add("%k1 = add nuw nsw i64 %k, 1")
    w.add("br label %each")
    w.label("done")
    w.add(f"ret {kind} %best")
