"""The shaders of sorting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from runmat_wgpu.codegen.shader import STORED_BYTES, Shader
from runmat_wgpu.codegen.sorting.ranking import Ranking, running_sums

#: A buffer of a shader: its name, and the type of its elements where that is not u32.
Array = str | tuple[str, str]

#: Bits in which keys of an element type differ.
KEY_BITS = {"bool": 1, "i8": 8, "u8": 8, "i16": 16, "u16": 16}
#: Counters of a digit in a tile, so that fewer threads meet at one.
COUNTERS = 2
#: Counts that a thread adds up at a time.
ADDED = 4

_WORDS = """\
struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  // elements between neighbours of a slice, where they are read and written
  from_: u32, to: u32,
  // the lowest bit of the digit, and whether elements have not moved yet
  bit: u32, first: u32,
}
@group(1) @binding(0) var<uniform> p: P;
"""

#: What one element is to be ordered by, for each kind of element; `e` holds its bits.
_KEYS = {
    "f32": """\
fn key(e: u32, high: bool) -> u32 {
  if ((e & 0x7fffffffu) > 0x7f800000u) { return 0xffffffffu; }
  let b = select(e, 0u, e == 0x80000000u);
  return select(b | 0x80000000u, ~b, (b >> 31u) == 1u);
}
""",
    "f64": """\
fn key(e: vec2<u32>, high: bool) -> u32 {
  let magnitude = e.y & 0x7fffffffu;
  if (magnitude > 0x7ff00000u || (magnitude == 0x7ff00000u && e.x != 0u)) { return 0xffffffffu; }
  let upper = select(e.y, 0u, e.x == 0u && magnitude == 0u);
  let flip = select(0u, 0xffffffffu, (upper >> 31u) == 1u);
  return select(e.x ^ flip, upper ^ (flip | 0x80000000u), high);
}
""",
    "i8": "fn key(e: u32, high: bool) -> u32 { return e ^ 0x80u; }\n",
    "i16": "fn key(e: u32, high: bool) -> u32 { return e ^ 0x8000u; }\n",
    "i32": "fn key(e: u32, high: bool) -> u32 { return e ^ 0x80000000u; }\n",
    "u32": "fn key(e: u32, high: bool) -> u32 { return e; }\n",
    "i64": """\
fn key(e: vec2<u32>, high: bool) -> u32 { return select(e.x, e.y ^ 0x80000000u, high); }
""",
    "u64": "fn key(e: vec2<u32>, high: bool) -> u32 { return select(e.x, e.y, high); }\n",
}

_PLACE = """\
// where element k of a slice lies, whose neighbours are so far apart
fn place(slice: u32, k: u32, apart: u32) -> u32 {
  let row = slice / apart;
  return row * apart * p.n + (slice - row * apart) + k * apart;
}
"""

_HEAD = """\
@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32{more}) {{
  let g = wg.y * groups.x + wg.x;
"""


@attrs.frozen
class Shaders:
    """The shaders that sort elements of a type.

    Attributes:
        places: whether the places of the elements are wanted, too.
        ranking: of the elements of a tile.
    """

    dtype: str
    descending: bool
    places: bool
    ranking: Ranking

    @property
    def threads(self) -> int:
        return self.ranking.threads

    @property
    def tile(self) -> int:
        """Elements of a tile."""
        return self.threads * self.ranking.per

    @property
    def digits(self) -> int:
        return 1 << self.ranking.bits

    @property
    def bits(self) -> int:
        """Bits in which keys differ."""
        return KEY_BITS.get(self.dtype, 8 * STORED_BYTES[self.dtype])

    @property
    def wide(self) -> bool:
        """Whether an element is two words."""
        return STORED_BYTES[self.dtype] == 8

    @property
    def element(self) -> str:
        """The type that elements are read and written as: their bits."""
        return "vec2<u32>" if self.wide else "u32"

    @property
    def arrays(self) -> list[tuple[str, str]]:
        """Names and types of what moves: elements, and their numbers where wanted."""
        return [("x", self.element), *([("numbers", "u32")] if self.places else [])]

    def count(self) -> Shader:
        """How often each digit occurs in each tile."""
        size, per = self.digits * COUNTERS, range(self.ranking.per)
        loaded = "".join(
            f"  let k{j} = tile * {self.tile}u + {j * self.threads}u + t;\n"
            f"  let d{j} = digit(x[place(slice, min(k{j}, p.n - 1u), p.from_)]);\n"
            for j in per
        )
        counted = "".join(
            f"  if (k{j} < p.n) {{ "
            f"atomicAdd(&found[d{j} * {COUNTERS}u + (t & {COUNTERS - 1}u)], 1u); }}\n"
            for j in per
        )
        source = f"""\
{_WORDS}{_buffers(("x", self.element), out=["counts"])}\
var<workgroup> found: array<atomic<u32>, {size}>;
{self._key()}{_PLACE}{self._head()}\
  let slice = g / p.tiles;
  if (slice >= p.slices) {{ return; }}
  let tile = g - slice * p.tiles;
  for (var j = t; j < {size}u; j += {self.threads}u) {{ atomicStore(&found[j], 0u); }}
  workgroupBarrier();
{loaded}{counted}  workgroupBarrier();
  for (var d = t; d < {self.digits}u; d += {self.threads}u) {{
    var sum = 0u;
    for (var j = 0u; j < {COUNTERS}u; j++) {{ sum += atomicLoad(&found[d * {COUNTERS}u + j]); }}
    counts[(slice * {self.digits}u + d) * p.tiles + tile] = sum;
  }}
}}
"""
        return Shader(source, ("read", "write"), 32)

    def total(self) -> Shader:
        """Count become sums over the tiles before, for each digit of each slice."""
        read = "".join(
            f"    let own{j} = select(0u, counts[min(row + {j}u, end)], at + {j}u < p.tiles);\n"
            for j in range(ADDED)
        )
        written = "".join(
            f"    if (at + {j}u < p.tiles) {{ counts[row + {j}u] = next; }}\n    next += own{j};\n"
            for j in range(ADDED)
        )
        source = f"""\
{_WORDS}{_buffers(out=["counts", "totals"])}\
{running_sums(self.threads)}{_HEAD.format(threads=self.threads, more="")}\
  if (g >= p.slices * {self.digits}u) {{ return; }}
  let end = g * p.tiles + p.tiles - 1u;
  var before = 0u;
  for (var start = 0u; start < p.tiles; start += {self.threads * ADDED}u) {{
    let at = start + t * {ADDED}u;
    let row = g * p.tiles + at;
{read}    let sum = {" + ".join(f"own{j}" for j in range(ADDED))};
    let upto = summed(t, sum);
    var next = before + upto - sum;
{written}    before += sums[{self.threads - 1}];
    workgroupBarrier();
  }}
  if (t == 0u) {{ totals[g] = before; }}
}}
"""
        return Shader(source, ("write", "write"), 32)

    def scatter(self, last: bool) -> Shader:
        """Return the elements of each tile in order of the digit, where they belong in a slice.

        Args:
            last: whether numbers become places.
        """
        ranking, per = self.ranking, range(self.ranking.per)
        loaded = "".join(
            f"  let e{j} = {ranking.element(j)};\n"
            f"  let from{j} = min(start + e{j}, p.n - 1u);\n"
            f"  let x{j} = x[place(slice, from{j}, p.from_)];\n  var n{j} = from{j};\n"
            + self._if_places(f"  if (p.first == 0u) {{ n{j} = numbers[base + from{j}]; }}\n")
            for j in per
        )
        loaded += "".join(
            f"  var r{j} = 0u;\n"
            f"  let d{j} = select({self.digits - 1}u, digit(x{j}), e{j} < size);\n"
            for j in per
        )
        if self.wide:
            moved = self._spread("x{}.x", "low{}") + self._spread("x{}.y", "high{}")
        else:
            moved = self._spread("x{}", "low{}")
        sorted_ = "vec2<u32>(low{0}, high{0})" if self.wide else "low{0}"
        written = "".join(
            f"  let k{j} = {j * self.threads}u + t;\n"
            f"  let y{j} = {sorted_.format(j)};\n"
            f"  let to{j} = k{j} + lower[digit(y{j})];\n"
            f"  if (k{j} < size) {{ y[place(slice, to{j}, p.to)] = y{j}; }}\n"
            for j in per
        )
        number = (
            "where_[place(slice, to{0}, p.to)] = f64(number{0} + 1u);"
            if last
            else "numbers_out[base + to{0}] = number{0};"
        )
        numbers = self._spread("n{}", "number{}") + "".join(
            f"  if (k{j} < size) {{ {number.format(j)} }}\n" for j in per
        )
        outputs: list[Array] = [("y", self.element)]
        if self.places:
            outputs.append(("where_", "f64") if last else "numbers_out")
        source = f"""\
{_WORDS}{_buffers(*self.arrays, "counts", "totals", out=outputs)}\
{ranking.declarations(self.tile)}\
// of each digit: how far its elements move from where they are in the sorted tile
var<workgroup> lower: array<u32, {self.digits}>;
{self._key()}{_PLACE}{self._head()}\
  let slice = g / p.tiles;
  if (slice >= p.slices) {{ return; }}
  let tile = g - slice * p.tiles;
  let base = slice * p.n;
  let start = tile * {self.tile}u;
  let size = min({self.tile}u, p.n - start);
{loaded}{ranking.ranks()}\
  let mine = {ranking.digit};
  var total = 0u;
  if (mine < {self.digits}u) {{ total = totals[slice * {self.digits}u + mine]; }}
{ranking.before("under", "total")}\
  if (mine < {self.digits}u) {{
    lower[mine] = counts[(slice * {self.digits}u + mine) * p.tiles + tile] + under - starts[mine];
  }}
{moved}{written}{self._if_places(numbers)}}}
"""
        return Shader(
            source, (*_access("read", len(self.arrays) + 2), *_access("write", len(outputs))), 32
        )

    def local(self) -> Shader:
        """Slices that are one tile, each in one workgroup."""
        ranking, per, mask = self.ranking, range(self.ranking.per), self.digits - 1
        begun = "".join(
            f"  let e{j} = {ranking.element(j)};\n  var n{j} = e{j};\n  var x{j} = 0u;\n"
            f"  var r{j} = 0u;\n"
            for j in per
        )
        loaded = "".join(
            f"    if (e{j} < p.n) {{\n"
            f"      x{j} = key_of(x[place(slice, n{j}, p.from_)], word == 1u);\n    }}\n"
            for j in per
        )
        digits = "".join(
            f"  let d{j} = select({mask}u, (x{j} >> bit) & {mask}u, e{j} < p.n);\n" for j in per
        )
        moved = self._exchange("x{}") + self._exchange("n{}")
        outputs: list[Array] = [("y", self.element)]
        where = ""
        if self.places:
            outputs.append(("where_", "f64"))
            where = " where_[place(slice, e{0}, p.to)] = f64(n{0} + 1u);"
        written = "".join(
            f"  if (e{j} < p.n) {{ y[place(slice, e{j}, p.to)] = x[place(slice, n{j}, p.from_)];"
            f"{where.format(j)} }}\n"
            for j in per
        )
        source = f"""\
{_WORDS}{_buffers(("x", self.element), out=outputs)}\
{ranking.declarations(self.tile)}\
{self._key()}{_PLACE}{self._head()}\
  let slice = g;
  if (slice >= p.slices) {{ return; }}
{begun}\
  for (var word = 0u; word < {1 + self.wide}u; word++) {{
{loaded}\
    for (var bit = 0u; bit < {min(self.bits, 32)}u; bit += {ranking.bits}u) {{
{digits}{ranking.ranks()}{moved}\
    }}
  }}
{written}}}
"""
        return Shader(source, ("read", *_access("write", len(outputs))), 32)

    def _head(self) -> str:
        return _HEAD.format(threads=self.threads, more=self.ranking.builtins)

    def _key(self) -> str:
        """``key_of``: words whose order is the one asked for; ``digit``: of a pass."""
        return f"""\
{_KEYS.get(self.dtype, _KEYS["u32"])}\
fn key_of(e: {self.element}, high: bool) -> u32 {{ return {"~" * self.descending}key(e, high); }}
fn digit(e: {self.element}) -> u32 {{
  return (key_of(e, p.bit >= 32u) >> (p.bit & 31u)) & {self.digits - 1}u;
}}
"""

    def _spread(self, word: str, name: str) -> str:
        """Statements that let neighbouring threads have neighbours of the sorted tile.

        Args:
            word: of the elements, with a gap for the number of the element.
            name: declared for a word of the sorted elements, with the same gap.
        """
        per, ranking = range(self.ranking.per), self.ranking
        put = "".join(f"  {ranking.put(f'r{j}', word.format(j))}\n" for j in per)
        got = "".join(
            f"  let {name.format(j)} = {ranking.get(f'{j * self.threads}u + t')};\n" for j in per
        )
        return f"{put}  workgroupBarrier();\n{got}  workgroupBarrier();\n"

    def _exchange(self, name: str) -> str:
        """Statements that let threads have a word of the elements of the sorted tile."""
        per, ranking = range(self.ranking.per), self.ranking
        put = "".join(f"  {ranking.put(f'r{j}', name.format(j))}\n" for j in per)
        got = "".join(f"  {name.format(j)} = {ranking.get(f'e{j}')};\n" for j in per)
        return f"{put}  workgroupBarrier();\n{got}  workgroupBarrier();\n"

    def _if_places(self, text: str) -> str:
        return text if self.places else ""


def _access(kind: Literal["read", "write"], count: int) -> tuple[Literal["read", "write"], ...]:
    return (kind,) * count


def _buffers(*read: Array, out: Sequence[Array] = ()) -> str:
    """Return declarations of storage buffers, those that are read first."""
    lines = []
    for binding, array in enumerate((*read, *out)):
        name, element = (array, "u32") if isinstance(array, str) else array
        access = "read" if binding < len(read) else "read_write"
        lines.append(
            f"@group(0) @binding({binding}) var<storage, {access}> {name}: array<{element}>;\n"
        )
    return "".join(lines)
