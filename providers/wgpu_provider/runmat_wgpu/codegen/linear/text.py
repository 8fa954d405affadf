"""What the shaders of linear algebra share: their words, bindings, and the update of a block.

The words of every dispatch are a range of rows, a range of columns, and a panel: ``b`` columns from
``j`` on of a matrix whose columns are ``ld`` elements apart.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Literal

import attrs

from runmat_wgpu.codegen.shader import STORAGE, Shader, Target

#: Columns of a panel, at most.
WIDE = 32
#: Side of the tile that a workgroup updates, and how deep it goes at a time.
TILE = 64
DEEP = 8
#: Threads of workgroups whose threads take a row or a column each.
FEW = 64

_WORDS = """\
struct P { zero: u32, ld: u32, j: u32, b: u32, r0: u32, r1: u32, q0: u32, q1: u32 }
@group(1) @binding(0) var<uniform> p: P;
"""
#: Whether a number is finite, told by its bits: compilers may take NaN for something that is not.
FINITE = {
    "f32": """\
fn finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
""",
    "f64": """\
fn finite(x: f64) -> bool {
  return (bitcast<u64>(x) & 0x7ff0000000000000lu) != 0x7ff0000000000000lu;
}
""",
}
#: Elements of buffers of these names; those of others have the type of the matrix.
_ELEMENT = {"status": "atomic<u32>", "turned": "atomic<u32>", "places": "u32"}
#: What sets the bit that host rules are to see the inputs.
FIRE = "atomicOr(&status[0], 1u);"


@attrs.frozen
class Area:
    """The words of a dispatch."""

    ld: int
    j: int = 0
    b: int = 0
    rows: tuple[int, int] = (0, 0)
    columns: tuple[int, int] = (0, 0)

    @property
    def words(self) -> bytes:
        return struct.pack("<8I", 0, self.ld, self.j, self.b, *self.rows, *self.columns)


@attrs.frozen
class Writer:
    """Writes shaders for an element type.

    Attributes:
        told: whether an output has a number for each page, and no bit is set.
    """

    dtype: str
    target: Target
    told: bool = False

    @property
    def fire(self) -> str:
        """What tells that host rules are to see the inputs, or of pages `told`, that ``page``."""
        return f"told[page] = {self.type}(1);" if self.told else FIRE

    @property
    def type(self) -> str:
        """The element type in WGSL."""
        return STORAGE[self.dtype]

    @property
    def threads(self) -> int:
        """Of a workgroup that does much."""
        return 256 if self.target.invocations >= 256 else FEW

    def shader(
        self,
        body: str,
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
        declared: str = "",
        threads: int = 0,
    ) -> Shader:
        """Return a shader of `body`, where ``t`` is the thread and ``g`` the workgroup.

        If it joins what subgroups have, ``id`` is the subgroup, ``size`` and ``invocation_id`` its
        own.

        Args:
            reads, writes: names of buffers; ``status`` is the status word.
        """
        lines, access = [], []
        for binding, name in enumerate((*reads, *writes)):
            kind: Literal["read", "write"] = "write" if name in writes else "read"
            element = _ELEMENT.get(name, self.type)
            mode = "read_write" if kind == "write" else "read"
            lines.append(
                f"@group(0) @binding({binding}) var<storage, {mode}> {name}: array<{element}>;\n"
            )
            access.append(kind)
        asked = FINITE[self.dtype] if "finite(" in body else ""
        of = "".join(
            f"\n        @builtin(subgroup_{name}) {name}: u32,"
            for name in ("id", "size", "invocation_id")
            if "subgroupM" in body
        )
        source = f"""\
{_WORDS}{"".join(lines)}{asked}{declared}\
@compute @workgroup_size({threads or self.threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,{of}
        @builtin(local_invocation_index) t: u32) {{
  let g = wg.y * groups.x + wg.x;
{body}}}
"""
        return Shader(source, tuple(access), 32)

    def grid(self, groups: int) -> tuple[int, int, int]:
        """Return a grid of at least so many workgroups."""
        return self.target.grid(groups)

    def over(self, points: int) -> tuple[int, int, int]:
        """Return a grid with a thread for each point."""
        return self.grid(-(-points // self.threads))

    def block(self, threads: int) -> str:
        """Return statements that bring the panel's block on the diagonal of ``w`` into ``d``.

        It is filled up to `WIDE` columns with those of an identity matrix.
        """
        return f"""\
  for (var e = t; e < {WIDE * WIDE}u; e += {threads}u) {{
    let row = e % {WIDE}u;
    let column = e / {WIDE}u;
    d[e] = select({self.type}(0), {self.type}(1), row == column);
    if (row < p.b && column < p.b) {{ d[e] = w[(p.j + column) * p.ld + p.j + row]; }}
  }}
  workgroupBarrier();
"""

    def through(self, own: str, place: str, divided: bool, backwards: bool = False) -> str:
        """Statements that take ``p.b`` numbers of a thread through the triangle in ``d``.

        Where code may be long, the numbers are registers: arrays with computed subscripts lie in
        memory.

        Args:
            own: what number ``{c}`` is; there is one for each column of a panel, however wide.
            place: where it goes to.
            divided: whether by the diagonal; it is all ones otherwise.
            backwards: whether from the last number to the first, through the upper triangle.
        """
        if self.target.software:
            start, other = "step", "0u; q < c"
            if backwards:
                start, other = "p.b - 1u - step", "c + 1u; q < p.b"
            by = f"    one /= d[c * {WIDE + 1}u];\n" if divided else ""
            return f"""\
  var x: array<{self.type}, {WIDE}>;
  for (var step = 0u; step < p.b; step++) {{
    let c = {start};
    var one = {own.replace("{c}", "c")};
    for (var q = {other}; q++) {{ one -= x[q] * d[q * {WIDE}u + c]; }}
{by}    x[c] = one;
    {place.replace("{c}", "c")} = one;
  }}
"""
        every = range(WIDE)
        zero = f"{self.type}(0)"
        lines = []
        for c in every:
            inside = own.replace("{c}", f"min({c}u, p.b - 1u)")
            lines.append(f"var x{c} = select({zero}, {inside}, {c}u < p.b);")
        for c in reversed(every) if backwards else every:
            if divided:
                lines.append(f"x{c} /= d[{c * WIDE + c}u];")
            for q in range(c) if backwards else range(c + 1, WIDE):
                lines.append(f"x{q} -= x{c} * d[{c * WIDE + q}u];")
        for c in every:
            lines.append(f"if ({c}u < p.b) {{ {place.replace('{c}', f'{c}u')} = x{c}; }}")
        return "".join(f"  {line}\n" for line in lines)

    def update(self, left: str, right: str, inside: str, outside: str = "false") -> Shader:
        """Subtract the product of two sides of a panel from the block of rows and columns.

        Args:
            left: where in ``w`` the factor of a ``row`` lies, for column ``c`` of the panel.
            right: where that of a ``column`` lies.
            inside: the places of the block that count.
            outside: true of tiles, from ``first`` and ``start`` on, in which none does.
        """
        t, side, each = self.type, TILE, TILE // 16
        cells = [(u, v) for v in range(each) for u in range(each)]
        zeros = "".join(f"  var s{u}{v} = {t}(0);\n" for u, v in cells)
        loads = "".join(
            f"      let l{u} = l[c * {side}u + x + {16 * u}u];\n"
            f"      let r{u} = r[c * {side}u + y + {16 * u}u];\n"
            for u in range(each)
        )
        sums = "".join(f"      s{u}{v} += l{u} * r{v};\n" for u, v in cells)
        stores = "".join(f"  put(x0 + {16 * u}u, y0 + {16 * v}u, s{u}{v});\n" for u, v in cells)
        body = f"""\
  let tall = (p.r1 - p.r0 + {side - 1}u) / {side}u;
  let first = p.r0 + (g % tall) * {side}u;
  let start = p.q0 + (g / tall) * {side}u;
  if (start >= p.q1 || {outside}) {{ return; }}
  let x = t % 16u;
  let y = t / 16u;
{zeros}\
  for (var depth = 0u; depth < p.b; depth += {DEEP}u) {{
    workgroupBarrier();
    for (var e = t; e < {side * DEEP}u; e += 256u) {{
      let c = depth + e / {side}u;
      let row = first + e % {side}u;
      let column = start + e % {side}u;
      var one = {t}(0);
      var other = {t}(0);
      if (c < p.b && row < p.r1) {{ one = w[{left}]; }}
      if (c < p.b && column < p.q1) {{ other = w[{right}]; }}
      l[e] = one;
      r[e] = other;
    }}
    workgroupBarrier();
    for (var c = 0u; c < {DEEP}u; c++) {{
{loads}{sums}    }}
  }}
  let x0 = first + x;
  let y0 = start + y;
{stores}"""
        declared = f"""\
var<workgroup> l: array<{t}, {side * DEEP}>;
var<workgroup> r: array<{t}, {side * DEEP}>;
fn put(row: u32, column: u32, sum: {t}) {{
  if (row < p.r1 && column < p.q1 && {inside}) {{ w[column * p.ld + row] -= sum; }}
}}
"""
        return self.shader(body, (), ("w",), declared, 256)

    def tiles(self, area: Area) -> tuple[int, int, int]:
        """Return the grid of an update."""
        rows, columns = area.rows[1] - area.rows[0], area.columns[1] - area.columns[0]
        return self.grid(-(-rows // TILE) * -(-columns // TILE))
