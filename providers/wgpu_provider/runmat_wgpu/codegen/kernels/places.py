"""Element numbers of views at a point, as WGSL: of memory in 32 bits, of streams in 64.

Addresses are computed modulo 2^32 from words that are packed modulo 2^32, so that negative strides
and offsets need nothing special. Numbers that an ``index`` view gives may exceed 32 bits; they are
pairs of words (``vec2<u32>``, low first) until something asks for an integer value.
"""

from __future__ import annotations

from typing import Any, Protocol

import attrs

from runmat_core.api.ir import Instr
from runmat_wgpu.codegen.kernels.draft import Draft

_ADD = """\
fn pair_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}
"""
_MULTIPLY = """\
fn pair_mul(a: vec2<u32>, b: u32) -> vec2<u32> {
  let al = a.x & 0xffffu; let ah = a.x >> 16u; let bl = b & 0xffffu; let bh = b >> 16u;
  let ll = al * bl; let lh = al * bh; let hl = ah * bl;
  let middle = (ll >> 16u) + (lh & 0xffffu) + (hl & 0xffffu);
  let high = ah * bh + (lh >> 16u) + (hl >> 16u) + (middle >> 16u);
  return vec2<u32>(a.x * b, high + a.y * b);
}
"""
_MULTIPLY_WIDE = """\
fn pair_mul(a: vec2<u32>, b: u32) -> vec2<u32> {
  let low = u64(a.x) * u64(b);
  return vec2<u32>(u32(low), u32(low >> 32u) + a.y * b);
}
"""


@attrs.frozen
class Layout:
    """What the text may take for granted of a launch's addressing.

    Attributes:
        unit: pairs (view, axis): the stride is 1.
        vectors: views read and written as vectors along the axis of the lanes: their stride there
            is 1, and the element of the first lane is at a multiple of 16 bytes.
        narrow: every number of an ``index`` view is at least 0 and less than 2^31.
        even: ``index`` views whose number at the first lane is a multiple of the lanes.
    """

    unit: frozenset[tuple[int, int]] = frozenset()
    vectors: frozenset[int] = frozenset()
    narrow: bool = True
    even: frozenset[int] = frozenset()


#: Nothing but 32-bit numbers of index views.
PLAIN = Layout()


class Point(Protocol):
    """The point, or the lanes, that statements are written for; `emit.Body` is one."""

    draft: Draft
    coords: tuple[str, ...]
    layout: Layout
    lanes: int
    axis: int
    lines: list[str]
    memo: dict[Any, Any]

    @property
    def code(self) -> tuple[Instr, ...]:
        """Return the instructions of the kernel."""

    def lane(self, position: int, lane: int) -> str:
        """Return the name of a value in one lane."""

    def let(self, expression: str, stem: str = "t") -> str:
        """Return a new name for an expression."""


def place(body: Point, view: int, lane: int = 0) -> str:
    """Return the element number of a view in a lane, as a name or a sum of names (u32)."""
    if body.draft.kernel.views[view].buffer is None:
        body.draft.fixed.add(view)  # that its numbers are small was found out for its offset
    first: str | None = body.memo.get(("place", view))
    if first is None:
        first = body.memo["place", view] = body.let(_sum(body, view), f"at{view}")
    if lane == 0 or not body.draft.kernel.views[view].moves[body.axis]:
        return first
    if (view, body.axis) in body.layout.unit:
        return f"{first} + {lane}u"
    return f"{first} + {lane}u * {body.draft.words.stride(view, body.axis)}"


def _sum(body: Point, view: int) -> str:
    words = body.draft.words
    terms = [words.offset(view)]
    for axis, moves in enumerate(body.draft.kernel.views[view].moves):
        if moves and (view, axis) in body.layout.unit:
            terms.append(body.coords[axis])
        elif moves:
            terms.append(f"{body.coords[axis]} * {words.stride(view, axis)}")
    return " + ".join(terms)


def pair(body: Point, position: int, lane: int = 0) -> str:
    """Return a number of the code (i64 or i32) as a pair of words, modulo 2^64."""
    instr = body.code[position]
    scalars = body.draft.scalars
    if instr.op != "index":
        name = body.lane(position, lane)
        if instr.dtype == "i64":
            wide = f"bitcast<u64>({name})"
            return f"vec2<u32>(u32({wide} & 0xfffffffflu), u32({wide} >> 32u))"
        if instr.dtype != "i32":
            wide = scalars.call("cast", "i32", [name], [instr.dtype], "i32")
            name = body.let(wide)
        return f"vec2<u32>(bitcast<u32>({name}), bitcast<u32>({name} >> 31u))"
    view: Any = instr.attr
    if body.layout.narrow:
        return f"vec2<u32>({place(body, view, lane)}, 0u)"
    first: str | None = body.memo.get(("pair", view))
    if first is None:
        first = body.memo["pair", view] = body.let(_wide_sum(body, view), f"number{view}")
    if lane == 0 or not body.draft.kernel.views[view].moves[body.axis]:
        return first
    return f"pair_add({first}, pair_mul({_wide_stride(body, view, body.axis)}, {lane}u))"


def use_pairs(body: Point) -> None:
    """Make ``pair_add`` and ``pair_mul`` available: sum, and product with a u32, modulo 2^64."""
    body.draft.function("pair_add", _ADD)
    body.draft.function("pair_mul", _MULTIPLY_WIDE if body.draft.target.i64 else _MULTIPLY)


def _wide_sum(body: Point, view: int) -> str:
    use_pairs(body)
    body.draft.fixed.add(view)
    words = body.draft.words
    total = f"vec2<u32>({words.field(f'o{view}')}, {words.field(f'h{view}')})"
    for axis, moves in enumerate(body.draft.kernel.views[view].moves):
        if moves:
            part = f"pair_mul({_wide_stride(body, view, axis)}, {body.coords[axis]})"
            total = f"pair_add({total}, {part})"
    return total


def _wide_stride(body: Point, view: int, axis: int) -> str:
    words = body.draft.words
    return f"vec2<u32>({words.stride(view, axis)}, {words.field(f'h{view}_{axis}')})"


def integers(body: Point, position: int) -> tuple[str, ...]:
    """Return the numbers of an ``index`` instruction as values of its type, one for each lane."""
    instr = body.code[position]
    type_ = body.draft.scalars.type(instr.dtype)
    moves = instr.over >> body.axis & 1
    made = []
    for lane in range(body.lanes if moves else 1):
        if body.layout.narrow:
            made.append(body.let(f"{type_}({place(body, int(instr.attr), lane)})", "n"))  # type: ignore[call-overload]
            continue
        both = body.let(pair(body, position, lane))
        made.append(body.let(f"bitcast<i64>(u64({both}.x) | (u64({both}.y) << 32u))", "n"))
    return tuple(made)


def gather(body: Point, position: int, buffer: int) -> tuple[str, ...]:
    """Return the elements of computed numbers, 0 where there is none; a name for each lane."""
    instr = body.code[position]
    draft = body.draft
    count = draft.words.count(buffer)
    zero = draft.scalars.literal(0, instr.dtype)
    many = body.lanes if body.code[instr.args[0]].over >> body.axis & 1 else 1
    made = []
    for lane in range(many):
        number = body.let(pair(body, instr.args[0], lane), "g")
        inside = body.let(f"{number}.y == 0u && {number}.x < {count}")
        word = draft.element(buffer, f"select(0u, {number}.x, {inside})")
        element = body.let(draft.scalars.load(word, instr.dtype))
        name = f"v{position}" if many == 1 else f"v{position}_{lane}"
        body.lines.append(f"let {name} = select({zero}, {element}, {inside});")
        made.append(name)
    return tuple(made)
