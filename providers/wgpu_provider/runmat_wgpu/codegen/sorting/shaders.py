"""The shaders of sorting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs

from runmat_wgpu.codegen.shader import STORED_BYTES, Shader

#: A buffer of a shader: its name, and the type of its elements where that is not u32.
Array = str | tuple[str, str]

#: Bits that a pass sorts by, and how many digits these make.
DIGIT = 4
DIGITS = 1 << DIGIT
LAST = DIGITS - 1
#: Elements of a tile that a thread ranks.
PER = 8
#: Bits in which keys of an element type differ.
KEY_BITS = {"bool": 1, "i8": 8, "u8": 8, "i16": 16, "u16": 16}

_WORDS = """\
struct P {
  zero: u32, n: u32, tiles: u32, slices: u32,
  inner: u32, shift: u32, first: u32, word: u32,
}
@group(1) @binding(0) var<uniform> p: P;
"""

#: What one element is to be ordered by, for each kind of element; `e` holds its bits.
_KEYS = {
    "f32": """\
fn key(e: u32) -> u32 {
  if ((e & 0x7fffffffu) > 0x7f800000u) { return 0xffffffffu; }
  let b = select(e, 0u, e == 0x80000000u);
  return select(b | 0x80000000u, ~b, (b >> 31u) == 1u);
}
""",
    "f64": """\
fn key(e: vec2<u32>) -> u32 {
  let magnitude = e.y & 0x7fffffffu;
  if (magnitude > 0x7ff00000u || (magnitude == 0x7ff00000u && e.x != 0u)) { return 0xffffffffu; }
  let high = select(e.y, 0u, e.x == 0u && magnitude == 0u);
  let flip = select(0u, 0xffffffffu, (high >> 31u) == 1u);
  return select(e.x ^ flip, high ^ (flip | 0x80000000u), p.word == 1u);
}
""",
    "i8": "fn key(e: u32) -> u32 { return e ^ 0x80u; }\n",
    "i16": "fn key(e: u32) -> u32 { return e ^ 0x8000u; }\n",
    "i32": "fn key(e: u32) -> u32 { return e ^ 0x80000000u; }\n",
    "u32": "fn key(e: u32) -> u32 { return e; }\n",
    "i64": """\
fn key(e: vec2<u32>) -> u32 { return select(e.x, e.y ^ 0x80000000u, p.word == 1u); }
""",
    "u64": "fn key(e: vec2<u32>) -> u32 { return select(e.x, e.y, p.word == 1u); }\n",
}

_PLACE = """\
// where element k of a slice lies
fn place(slice: u32, k: u32) -> u32 {
  let row = slice / p.inner;
  return row * p.inner * p.n + (slice - row * p.inner) + k * p.inner;
}
"""

_HEAD = """\
@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let g = wg.y * groups.x + wg.x;
"""


def running_sums(threads: int) -> str:
    """``summed``: the sum of the values of all threads up to this one; all must call it."""
    steps = []
    step = 1
    while step < threads:
        steps.append(
            f"  if (t >= {step}u) {{ value += sums[t - {step}u]; }}\n"
            "  workgroupBarrier();\n  sums[t] = value;\n  workgroupBarrier();\n"
        )
        step *= 2
    return f"""\
var<workgroup> sums: array<u32, {threads}>;
fn summed(t: u32, own: u32) -> u32 {{
  var value = own;
  sums[t] = value;
  workgroupBarrier();
{"".join(steps)}  return value;
}}
"""


@attrs.frozen
class Shaders:
    """The shaders that sort elements of a type.

    Attributes:
        places: whether the places of the elements are wanted, too.
        threads: of a workgroup.
    """

    dtype: str
    descending: bool
    places: bool
    threads: int

    @property
    def tile(self) -> int:
        return self.threads * PER

    def elements(self) -> str:
        """The type that elements are read and written as: their bits."""
        return "vec2<u32>" if STORED_BYTES[self.dtype] == 8 else "u32"

    def key(self) -> str:
        text = _KEYS.get(self.dtype, _KEYS["u32"])
        turned = "~" if self.descending else ""
        return f"{text}fn ordered(e: {self.elements()}) -> u32 {{ return {turned}key(e); }}\n"

    def head(self) -> str:
        return _HEAD.format(threads=self.threads)

    def encode(self) -> Shader:
        """Keys of all elements, slice after slice, in the order that the numbers have by now."""
        source = f"""\
{_WORDS}{_buffers(("x", self.elements()), "numbers", out=["keys"])}{self.key()}\
{_PLACE}{self.head()}\
  let slice = g / p.tiles;
  if (slice >= p.slices) {{ return; }}
  let start = (g - slice * p.tiles) * {self.tile}u;
  for (var j = 0u; j < {PER}u; j++) {{
    let k = start + j * {self.threads}u + t;
    if (k < p.n) {{
      var from_ = k;
      if (p.first == 0u) {{ from_ = numbers[slice * p.n + k]; }}
      keys[slice * p.n + k] = ordered(x[place(slice, from_)]);
    }}
  }}
}}
"""
        return Shader(source, ("read", "read", "write"), 32)

    def count(self) -> Shader:
        """How often each digit occurs in each tile."""
        source = f"""\
{_WORDS}{_buffers("keys", out=["counts"])}\
// several counters for a digit, so that fewer threads meet at one
var<workgroup> found: array<atomic<u32>, {DIGITS * 8}>;
{self.head()}\
  let slice = g / p.tiles;
  if (slice >= p.slices) {{ return; }}
  let tile = g - slice * p.tiles;
  for (var j = t; j < {DIGITS * 8}u; j += {self.threads}u) {{ atomicStore(&found[j], 0u); }}
  workgroupBarrier();
  for (var j = 0u; j < {PER}u; j++) {{
    let k = tile * {self.tile}u + j * {self.threads}u + t;
    if (k < p.n) {{
      let digit = (keys[slice * p.n + k] >> p.shift) & {LAST}u;
      atomicAdd(&found[digit * 8u + (t & 7u)], 1u);
    }}
  }}
  workgroupBarrier();
  if (t < {DIGITS}u) {{
    var sum = 0u;
    for (var j = 0u; j < 8u; j++) {{ sum += atomicLoad(&found[t * 8u + j]); }}
    counts[(slice * {DIGITS}u + t) * p.tiles + tile] = sum;
  }}
}}
"""
        return Shader(source, ("read", "write"), 32)

    def total(self) -> Shader:
        """Counts become sums over the tiles before, for each digit of each slice."""
        chunk = self.threads * 4
        source = f"""\
{_WORDS}{_buffers(out=["counts", "totals"])}\
{running_sums(self.threads)}{self.head()}\
  if (g >= p.slices * {DIGITS}u) {{ return; }}
  var before = 0u;
  for (var start = 0u; start < p.tiles; start += {chunk}u) {{
    let at = start + t * 4u;
    let row = g * p.tiles;
    var own = vec4<u32>(0u);
    if (at < p.tiles) {{ own.x = counts[row + at]; }}
    if (at + 1u < p.tiles) {{ own.y = counts[row + at + 1u]; }}
    if (at + 2u < p.tiles) {{ own.z = counts[row + at + 2u]; }}
    if (at + 3u < p.tiles) {{ own.w = counts[row + at + 3u]; }}
    let sum = own.x + own.y + own.z + own.w;
    let upto = summed(t, sum);
    var next = before + upto - sum;
    if (at < p.tiles) {{ counts[row + at] = next; }}
    next += own.x;
    if (at + 1u < p.tiles) {{ counts[row + at + 1u] = next; }}
    next += own.y;
    if (at + 2u < p.tiles) {{ counts[row + at + 2u] = next; }}
    next += own.z;
    if (at + 3u < p.tiles) {{ counts[row + at + 3u] = next; }}
    before += sums[{self.threads - 1}];
    workgroupBarrier();
  }}
  if (t == 0u) {{ totals[g] = before; }}
}}
"""
        return Shader(source, ("write", "write"), 32)

    def scatter(self) -> Shader:
        """The elements of each tile in order of the digit, each where it belongs in its slice."""
        source = f"""\
{_WORDS}{_buffers("keys", "numbers", "counts", "totals", out=["keys_out", "numbers_out"])}\
{self._ranking()}\
var<workgroup> starts: array<u32, {DIGITS}>;
{self.head()}\
  let slice = g / p.tiles;
  if (slice >= p.slices) {{ return; }}
  let tile = g - slice * p.tiles;
  let base = slice * p.n;
  let start = tile * {self.tile}u;
  let size = min({self.tile}u, p.n - start);
  for (var j = 0u; j < {PER}u; j++) {{
    let e = j * {self.threads}u + t;
    if (e < size) {{
      tile_keys[e] = keys[base + start + e];
      var number = start + e;
      if (p.first == 0u) {{ number = numbers[base + start + e]; }}
      tile_numbers[e] = number;
    }}
  }}
  if (t < {DIGITS}u) {{
    var lower = counts[(slice * {DIGITS}u + t) * p.tiles + tile];
    for (var d = 0u; d < t; d++) {{ lower += totals[slice * {DIGITS}u + d]; }}
    starts[t] = lower;
  }}
  workgroupBarrier();
  rank(t, p.shift, size);
  for (var j = 0u; j < {PER}u; j++) {{
    let e = j * {self.threads}u + t;
    if (e < size) {{
      let digit = (tile_keys[e] >> p.shift) & {LAST}u;
      let to = base + starts[digit] + e - first_of(digit);
      keys_out[to] = tile_keys[e];
      numbers_out[to] = tile_numbers[e];
    }}
  }}
}}
"""
        return Shader(source, ("read", "read", "read", "read", "write", "write"), 32)

    def finish(self) -> Shader:
        """The elements in their order, and where they stood."""
        source = f"""\
{_WORDS}{_buffers(("x", self.elements()), "numbers", out=self._outputs())}{_PLACE}{self.head()}\
  let slice = g / p.tiles;
  if (slice >= p.slices) {{ return; }}
  let start = (g - slice * p.tiles) * {self.tile}u;
  for (var j = 0u; j < {PER}u; j++) {{
    let k = start + j * {self.threads}u + t;
    if (k < p.n) {{
      let number = numbers[slice * p.n + k];
{self._written(6)}    }}
  }}
}}
"""
        return Shader(source, ("read", "read", *self._written_access()), 32)

    def local(self) -> Shader:
        """Slices that are one tile, each in one workgroup."""
        bits = min(KEY_BITS.get(self.dtype, 32), 32)
        words = 2 if self.elements() != "u32" else 1
        key = self.key().replace("p.word", "word")
        source = f"""\
{_WORDS}{_buffers(("x", self.elements()), out=self._outputs())}\
// which half of a key the tile is sorted by
var<private> word: u32;
{key}{_PLACE}{self._ranking()}{self.head()}\
  let slice = g;
  if (slice >= p.slices) {{ return; }}
  for (var e = t; e < {self.tile}u; e += {self.threads}u) {{ tile_numbers[e] = e; }}
  for (word = 0u; word < {words}u; word++) {{
    workgroupBarrier();
    for (var e = t; e < p.n; e += {self.threads}u) {{
      tile_keys[e] = ordered(x[place(slice, tile_numbers[e])]);
    }}
    for (var shift = 0u; shift < {bits}u; shift += {DIGIT}u) {{
      workgroupBarrier();
      rank(t, shift, p.n);
    }}
  }}
  for (var k = t; k < p.n; k += {self.threads}u) {{
    let number = tile_numbers[k];
{self._written(4)}  }}
}}
"""
        return Shader(source, ("read", *self._written_access()), 32)

    def _outputs(self) -> list[Array]:
        places: list[Array] = [("where_", "f64")] if self.places else []
        return [("y", self.elements()), *places]

    def _written_access(self) -> tuple[Literal["write"], ...]:
        return ("write", "write") if self.places else ("write",)

    def _written(self, indent: int) -> str:
        lines = ["y[place(slice, k)] = x[place(slice, number)];"]
        if self.places:
            lines.append("where_[place(slice, k)] = f64(number + 1u);")
        return "".join(f"{' ' * indent}{line}\n" for line in lines)

    def _ranking(self) -> str:
        """``rank`` puts a tile in order of a digit; ``first_of`` tells where a digit begins."""
        threads = self.threads
        read, counted, moved = [], [], []
        for j in range(PER):
            read.append(
                f"  let e{j} = t * {PER}u + {j}u;\n"
                f"  let k{j} = tile_keys[e{j}];\n  let i{j} = tile_numbers[e{j}];\n"
                f"  let d{j} = select({LAST}u, (k{j} >> shift) & {LAST}u, e{j} < size);\n"
                f"  let c{j} = (d{j} & 7u) * {threads}u + t;\n  let h{j} = (d{j} >> 3u) * 16u;\n"
            )
            counted.append(
                f"  let r{j} = (columns[c{j}] >> h{j}) & 0xffffu;\n  columns[c{j}] += 1u << h{j};\n"
            )
            moved.append(
                f"  let to{j} = ((columns[c{j}] >> h{j}) & 0xffffu) + r{j};\n"
                f"  tile_keys[to{j}] = k{j};\n  tile_numbers[to{j}] = i{j};\n"
            )
        cleared = "".join(f"  columns[{j * threads}u + t] = 0u;\n" for j in range(8))
        total = " + ".join(f"columns[t * 8u + {j}u]" for j in range(8))
        spread = "".join(
            f"  let own{j} = columns[t * 8u + {j}u];\n  columns[t * 8u + {j}u] = next;\n"
            f"  next += own{j};\n"
            for j in range(8)
        )
        return f"""\
{running_sums(self.threads)}\
var<workgroup> tile_keys: array<u32, {self.tile}>;
var<workgroup> tile_numbers: array<u32, {self.tile}>;
// counts of digits d and d + 8 of each thread, in the halves of a word
var<workgroup> columns: array<u32, {8 * threads}>;
fn first_of(digit: u32) -> u32 {{
  return (columns[(digit & 7u) * {threads}u] >> ((digit >> 3u) * 16u)) & 0xffffu;
}}
fn rank(t: u32, shift: u32, size: u32) {{
{cleared}{"".join(read)}{"".join(counted)}  workgroupBarrier();
  let own = {total};
  let upto = summed(t, own);
  // digits from 8 on come after all of the lower ones
  var next = upto - own + ((sums[{threads - 1}] & 0xffffu) << 16u);
{spread}  workgroupBarrier();
{"".join(moved)}  workgroupBarrier();
}}
"""


def _buffers(*read: Array, out: Sequence[Array] = ()) -> str:
    """Declarations of storage buffers, those that are read first."""
    lines = []
    for binding, array in enumerate((*read, *out)):
        name, element = (array, "u32") if isinstance(array, str) else array
        access = "read" if binding < len(read) else "read_write"
        lines.append(
            f"@group(0) @binding({binding}) var<storage, {access}> {name}: array<{element}>;\n"
        )
    return "".join(lines)
