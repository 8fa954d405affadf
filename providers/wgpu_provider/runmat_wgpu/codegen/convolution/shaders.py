"""The shaders of convolution.

A workgroup computes a tile of results, each thread EACH of them side by side: along the first
dimension where there is only one, else along the second. The taps of the kernel come in blocks; for
each, the block and what it meets of the array are brought into the workgroup's memory. A thread
goes through a column of taps with the elements that they meet in registers, so that each element
that is read takes part in several products. Sums of blocks are added up, which rounds less than one
sum of all products.

Only products that there are count: where a block reaches beyond the kernel its taps are skipped,
and beyond the array there are zeros. These are multiplied too, for that is faster than to ask,
unless a tap is infinite or NaN: the products of such blocks are made one by one.
"""

from __future__ import annotations

import struct

import attrs

from runmat_wgpu.codegen.linear.text import FINITE
from runmat_wgpu.codegen.shader import Shader

#: Results of a thread.
EACH = 8
#: Threads of a workgroup.
THREADS = 256
#: Along one dimension: taps of a block, and results of a workgroup.
TAPS = 128
LINE = THREADS * EACH
#: Along two: columns of taps of a block, rows of results of a workgroup, and columns of threads.
WIDE = 8
ROWS = 32
COLUMNS = THREADS // ROWS

_WORDS = """\
struct P {
  zero: u32, first: u32, last: u32, more: u32,
  nx: i32, ny: i32, nz: i32, pages: u32,
  mx: i32, my: i32, mz: i32, turned: i32,
  px: u32, py: u32, pz: u32, spare: u32,
  sx: i32, sy: i32, sz: i32, rest: i32,
}
@group(1) @binding(0) var<uniform> p: P;
"""


@attrs.frozen
class Words:
    """The words of a dispatch.

    Attributes:
        first, last: blocks of taps, numbered along x, then y, then z.
        more: whether results are added to what is there.
        n: extents of the array, `m` of the kernel, `made` of the result, in three dimensions.
        start: which point of the full convolution the first result is.
        pages: how many arrays of these extents follow one another.
        turned: whether the kernel is read from its end.
    """

    first: int
    last: int
    more: bool
    n: tuple[int, int, int]
    m: tuple[int, int, int]
    made: tuple[int, int, int]
    start: tuple[int, int, int]
    pages: int
    turned: bool

    def packed(self) -> bytes:
        """As bytes of ``P``."""
        head = (0, self.first, self.last, int(self.more))
        body = (*self.n, self.pages, *self.m, int(self.turned), *self.made, 0, *self.start, 0)
        return struct.pack("<20i", *head, *body)


@attrs.frozen
class Convolution:
    """The shader of a convolution along one dimension or several.

    Attributes:
        flat: whether there is one dimension.
        deep: taps of a block along the dimension that threads go along, EACH at most.
    """

    dtype: str
    flat: bool
    deep: int

    @property
    def tile(self) -> tuple[int, int]:
        """Results of a workgroup."""
        return (LINE, 1) if self.flat else (ROWS, COLUMNS * EACH)

    @property
    def block(self) -> tuple[int, int]:
        """Taps of a block."""
        return (TAPS, 1) if self.flat else (WIDE, self.deep)

    @property
    def staged(self) -> tuple[int, int]:
        """Elements of the array that a block meets."""
        (x, y), (kx, ky) = self.tile, self.block
        return (x + kx, 1) if self.flat else (x + kx - 1, y + ky - 1)

    @property
    def memory(self) -> int:
        """Elements that a workgroup holds."""
        rows, columns = self.staged
        return rows * columns * (9 if self.flat else 8) // 8 + self.block[0] * self.block[1] + 1

    def iterations(self) -> int:
        """How often a thread goes round loops for a block of taps, at most."""
        rows, columns = self.staged
        taps = self.block[0] * self.block[1]
        return rows * columns // THREADS + taps // THREADS + 4 + self.block[0] + EACH * taps

    def shader(self) -> Shader:
        """Return the shader; its buffers are the array, the kernel and the result."""
        (kx, ky), (tx, ty) = self.block, self.tile
        sums = {
            mark: "".join(f"{indent}var {mark}{q} = {self.dtype}(0);\n" for q in range(EACH))
            for mark, indent in (("s", "  "), ("r", "    "))
        }
        adds = "".join(f"    s{q} += r{q};\n" for q in range(EACH))
        puts = "".join(
            "  put(x0 + {}, y0 + {}, z, page, s{});\n".format(*self._result(q), q)
            for q in range(EACH)
        )
        source = f"""\
{self._declared()}@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  var g = wg.y * groups.x + wg.x;
  let tall = (p.px + {tx - 1}u) / {tx}u;
  let broad = (p.py + {ty - 1}u) / {ty}u;
  let x0 = (g % tall) * {tx}u;
  g = g / tall;
  let y0 = (g % broad) * {ty}u;
  g = g / broad;
  let z = g % p.pz;
  let page = g / p.pz;
  if (page >= p.pages) {{ return; }}
  let across = (u32(p.mx) + {kx - 1}u) / {kx}u;
  let along = (u32(p.my) + {ky - 1}u) / {ky}u;
{sums["s"]}  for (var number = p.first; number < p.last; number++) {{
{self._staging()}{self._one_by_one()}{sums["r"]}{self._products()}{adds}  }}
{puts}}}
"""
        return Shader(source, ("read", "read", "write"), 80)

    def _result(self, q: int) -> tuple[str, str]:
        """Where in the tile a result of a thread lies."""
        if self.flat:
            return f"{EACH}u * t + {q}u", "0u"
        return f"t % {ROWS}u", f"{EACH}u * (t / {ROWS}u) + {q}u"

    def _declared(self) -> str:
        """Words, buffers, memory, and how elements are read and results written."""
        (rows, columns), (kx, ky), t = self.staged, self.block, self.dtype
        held = rows + rows // EACH if self.flat else rows * columns
        return f"""\
{_WORDS}@group(0) @binding(0) var<storage, read> a: array<{t}>;
@group(0) @binding(1) var<storage, read> b: array<{t}>;
@group(0) @binding(2) var<storage, read_write> c: array<{t}>;
{FINITE[t]}var<workgroup> met_by: array<{t}, {held}>;
var<workgroup> taps: array<{t}, {kx * ky}>;
var<workgroup> odd: atomic<u32>;
fn inside(x: i32, y: i32, z: i32) -> bool {{
  return x >= 0 && x < p.nx && y >= 0 && y < p.ny && z >= 0 && z < p.nz;
}}
fn element(x: i32, y: i32, z: i32, page: u32) -> {t} {{
  if (!inside(x, y, z)) {{ return {t}(0); }}
  return a[((page * u32(p.nz) + u32(z)) * u32(p.ny) + u32(y)) * u32(p.nx) + u32(x)];
}}
fn met(x: i32, y: i32, z: i32, page: u32, tap: {t}) -> {t} {{
  if (!inside(x, y, z)) {{ return {t}(0); }}
  return element(x, y, z, page) * tap;
}}
fn put(x: u32, y: u32, z: u32, page: u32, sum: {t}) {{
  if (x >= p.px || y >= p.py || page >= p.pages) {{ return; }}
  let at = ((page * p.pz + z) * p.py + y) * p.px + x;
  if (p.more == 1u) {{ c[at] += sum; }} else {{ c[at] = sum; }}
}}
"""

    def _staging(self) -> str:
        """Return a block of taps, and what it meets, into the workgroup's memory."""
        (rows, columns), (kx, ky), t = self.staged, self.block, self.dtype
        place = f"e + e / {EACH}u" if self.flat else "e"
        return f"""\
    let jx0 = i32(number % across) * {kx};
    let jy0 = i32((number / across) % along) * {ky};
    let jz = i32(number / (across * along));
    let left_x = min(p.mx - jx0, {kx});
    let left_y = min(p.my - jy0, {ky});
    let az = i32(z) + p.sz - jz;
    workgroupBarrier();
    if (t == 0u) {{ atomicStore(&odd, 0u); }}
    workgroupBarrier();
    for (var e = t; e < {kx * ky}u; e += {THREADS}u) {{
      let jx = jx0 + i32(e % {kx}u);
      let jy = jy0 + i32(e / {kx}u);
      var tap = {t}(0);
      if (jx < p.mx && jy < p.my) {{
        let j = (jz * p.my + jy) * p.mx + jx;
        tap = b[select(j, p.mx * p.my * p.mz - 1 - j, p.turned == 1)];
        if (!finite(tap)) {{ atomicOr(&odd, 1u); }}
      }}
      taps[e] = tap;
    }}
    let ax0 = i32(x0) + p.sx - jx0 - {kx - 1};
    let ay0 = i32(y0) + p.sy - jy0 - {ky - 1};
    for (var e = t; e < {rows * columns}u; e += {THREADS}u) {{
      met_by[{place}] = element(ax0 + i32(e % {rows}u), ay0 + i32(e / {rows}u), az, page);
    }}
    workgroupBarrier();
"""

    def _one_by_one(self) -> str:
        """Return a block with taps that are not finite, which must not meet zeros outside."""
        kx = self.block[0]
        products = "".join(
            "          s{} += met(i32(x0 + {}) + p.sx - jx, i32(y0 + {}) + p.sy - jy, "
            "az, page, tap);\n".format(q, *self._result(q))
            for q in range(EACH)
        )
        return f"""\
    if (atomicLoad(&odd) == 1u) {{
      for (var jy = jy0; jy < jy0 + left_y; jy++) {{
        for (var jx = jx0; jx < jx0 + left_x; jx++) {{
          let tap = taps[(jy - jy0) * {kx} + jx - jx0];
{products}        }}
      }}
      continue;
    }}
"""

    def _products(self) -> str:
        """Return a block of taps on what is in the workgroup's memory."""
        rows, (kx, ky) = self.staged[0], self.block
        deep = EACH if self.flat else ky
        reach = range(EACH + deep - 1)
        if self.flat:
            # element e lies at e + e / 8, so that threads EACH apart do not meet in a bank
            head = [f"for (var k = 0; k < left_x; k += {EACH}) {{"]
            head.append(f"  let at = 9u * (t + u32({kx // EACH - 1} - k / {EACH}));")
            loads = [f"  let w{c} = met_by[at + {c + c // EACH}u];" for c in reach]
            taps = [f"  let b{u} = taps[k + {u}];" for u in range(deep)]
            left = "left_x - k"
        else:
            head = ["for (var k = 0; k < left_x; k++) {"]
            head.append(
                f"  let at = {EACH}u * (t / {ROWS}u) * {rows}u + t % {ROWS}u + u32({kx - 1} - k);"
            )
            loads = [f"  let w{c} = met_by[at + {c * rows}u];" for c in reach]
            taps = [f"  let b{u} = taps[k + {u * kx}];" for u in range(deep)]
            left = "left_y"
        sums = []
        for u in range(deep):
            products = [f"r{q} += w{deep - 1 + q - u} * b{u};" for q in range(EACH)]
            sums.append(f"  if ({left} > {u}) {{")
            sums += [f"    {product}" for product in products]
            sums.append("  }")
        return "".join(f"    {line}\n" for line in [*head, *loads, *taps, *sums, "}"])
