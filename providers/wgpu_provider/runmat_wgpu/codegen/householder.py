"""``qr``: thin factors by Householder reflections, with LAPACK's signs.

The reflection of column j is ``I - scale * v * v'`` where `v` has the column's own elements below
row j, and `lead` in it. What the column is multiplied with there, and with every column that
follows, are sums over the same rows, so that one pass over the matrix makes all of them. A pass
over `q`, which starts as columns of the identity, applies the reflections backwards.

A matrix of moderate size is one workgroup's work and one dispatch. Of larger ones each reflection
is two dispatches over all columns and blocks of rows: partial sums, then what is done with them. No
element is read in a dispatch that writes it for others: row j of `r` goes to its own array.
"""

from __future__ import annotations

import struct
from typing import Literal

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import LibraryCall, Unit
from runmat_wgpu.codegen.shader import (
    STORAGE,
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Shader,
    Target,
)

#: Threads that share the sums of one column, and columns at a time in a workgroup.
LANES = 32
#: Elements up to which one workgroup does everything.
ALONE = 1 << 16
#: Rows that a workgroup of the large form takes, at least, and most blocks of rows.
ROWS = 1024
BLOCKS = 64

_WORDS = """\
struct P { zero: u32, m: u32, n: u32, k: u32, j: u32, blocks: u32, rows: u32, columns: u32 }
@group(1) @binding(0) var<uniform> p: P;
"""

_REFLECTION = """\
struct Reflection {{ lead: {t}, scale: {t}, diagonal: {t} }}
// of a column with `alpha` in its row and squares of sum `below` under it
fn reflection(alpha: {t}, below: {t}) -> Reflection {{
  if (below == 0) {{ return Reflection(0, 0, alpha); }}
  let length = sqrt(alpha * alpha + below);
  let diagonal = select(length, -length, alpha >= 0);
  let lead = alpha - diagonal;
  return Reflection(lead, 2 / (lead * lead + below), diagonal);
}}
"""


@attrs.frozen
class Factors:
    """A template of ``qr``: see `runmat_core.api.ir.calls`."""

    dtype: str
    orthogonal: bool
    threads: int
    target: Target

    @property
    def source(self) -> str:
        return self.alone().source

    # -- text -------------------------------------------------------------------------------------

    def _declared(self, *names: str, written: int) -> tuple[str, list[Literal["read", "write"]]]:
        """Declarations of the buffers, the last `written` of them written, and their access."""
        lines, access = [], []
        for binding, name in enumerate(names):
            out = binding >= len(names) - written
            lines.append(
                f"@group(0) @binding({binding}) var<storage, {'read_write' if out else 'read'}> "
                f"{name}: array<{STORAGE[self.dtype]}>;\n"
            )
            kind: Literal["read", "write"] = "write" if out else "read"
            access.append(kind)
        return _WORDS + "".join(lines) + _REFLECTION.format(t=STORAGE[self.dtype]), access

    def _sums(self) -> str:
        """``summed``: the sum over the lanes of a column; all threads must call it."""
        t, halves = STORAGE[self.dtype], []
        half = LANES // 2
        while half:
            halves.append(
                f"  if (lane < {half}u) {{ sums[at] += sums[at + {half}u]; }}\n"
                "  workgroupBarrier();\n"
            )
            half //= 2
        return f"""\
var<workgroup> sums: array<{t}, {self.threads}>;
fn summed(column: u32, lane: u32, own: {t}) -> {t} {{
  let at = column * {LANES}u + lane;
  workgroupBarrier();
  sums[at] = own;
  workgroupBarrier();
{"".join(halves)}  return sums[column * {LANES}u];
}}
"""

    def alone(self) -> Shader:
        """Everything in one workgroup; `w` is a copy of the matrix that it works on."""
        t = STORAGE[self.dtype]
        names = ("a", "w", "leads", "scales", *(("q",) if self.orthogonal else ()), "r")
        text, access = self._declared(*names, written=len(names) - 1)
        columns = self.threads // LANES
        backwards = f"""\
  for (var e = t; e < p.m * p.k; e += {self.threads}u) {{
    q[e] = select({t}(0), {t}(1), e % p.m == e / p.m);
  }}
  for (var step = 0u; step < p.k; step++) {{
    let j = p.k - 1u - step;
    storageBarrier();
    for (var first = j; first < p.k; first += {columns}u) {{
      let c = first + column;
      var dot = {t}(0);
      if (c < p.k) {{
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          dot += w[j * p.m + i] * q[c * p.m + i];
        }}
      }}
      dot = summed(column, lane, dot);
      if (c < p.k) {{
        let own = select({t}(0), {t}(1), c == j);
        let share = scales[j] * (leads[j] * own + dot);
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          q[c * p.m + i] -= w[j * p.m + i] * share;
        }}
        if (lane == 0u) {{ q[c * p.m + j] = own - leads[j] * share; }}
      }}
    }}
  }}
"""
        source = f"""\
{text}{self._sums()}\
@compute @workgroup_size({self.threads})
fn main(@builtin(local_invocation_index) t: u32) {{
  let column = t / {LANES}u;
  let lane = t % {LANES}u;
  for (var e = t; e < p.m * p.n; e += {self.threads}u) {{ w[e] = a[e]; }}
  for (var e = t; e < p.k * p.n; e += {self.threads}u) {{ r[e] = {t}(0); }}
  for (var j = 0u; j < p.k; j++) {{
    storageBarrier();
    var below = {t}(0);
    for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
      let e = w[j * p.m + i];
      below += e * e;
    }}
    below = summed(column, lane, below);
    let found = reflection(w[j * p.m + j], below);
    if (t == 0u) {{
      leads[j] = found.lead;
      scales[j] = found.scale;
      r[j * p.k + j] = found.diagonal;
    }}
    for (var first = j + 1u; first < p.n; first += {columns}u) {{
      let c = first + column;
      var dot = {t}(0);
      if (c < p.n) {{
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          dot += w[j * p.m + i] * w[c * p.m + i];
        }}
      }}
      dot = summed(column, lane, dot);
      if (c < p.n) {{
        let own = w[c * p.m + j];
        let share = found.scale * (found.lead * own + dot);
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          w[c * p.m + i] -= w[j * p.m + i] * share;
        }}
        if (lane == 0u) {{ r[c * p.k + j] = own - found.lead * share; }}
      }}
    }}
  }}
{backwards if self.orthogonal else ""}}}
"""
        return Shader(source, tuple(access), 32)

    def begin(self) -> Shader:
        """`w` is the matrix, `r` is zero, `q` has columns of the identity."""
        t = STORAGE[self.dtype]
        names = ("a", "w", "r", *(("q",) if self.orthogonal else ()))
        text, access = self._declared(*names, written=len(names) - 1)
        unit = f"  if (e < p.m * p.k) {{ q[e] = select({t}(0), {t}(1), e % p.m == e / p.m); }}\n"
        source = f"""\
{text}{self._head()}\
  let e = g * {self.threads}u + t;
  if (e < p.m * p.n) {{ w[e] = a[e]; }}
  if (e < p.k * p.n) {{ r[e] = {t}(0); }}
{unit if self.orthogonal else ""}}}
"""
        return Shader(source, tuple(access), 32)

    def dots(self, of: Literal["w", "q"]) -> Shader:
        """Sums over each block of rows of the products of column j with columns from j on."""
        t = STORAGE[self.dtype]
        names = ("w", *(("q",) if of == "q" else ()), "parts")
        text, access = self._declared(*names, written=1)
        halves, half = [], self.threads // 2
        while half:
            halves.append(
                f"  if (t < {half}u) {{ sums[t] += sums[t + {half}u]; }}\n  workgroupBarrier();\n"
            )
            half //= 2
        source = f"""\
{text}var<workgroup> sums: array<{t}, {self.threads}>;
{self._head()}\
  let count = p.columns - p.j;
  if (g >= count * p.blocks) {{ return; }}
  let c = p.j + g / p.blocks;
  let block = g % p.blocks;
  let stop = min(p.m, (block + 1u) * p.rows);
  var dot = {t}(0);
  for (var i = max(p.j + 1u, block * p.rows) + t; i < stop; i += {self.threads}u) {{
    dot += w[p.j * p.m + i] * {of}[c * p.m + i];
  }}
  sums[t] = dot;
  workgroupBarrier();
{"".join(halves)}  if (t == 0u) {{ parts[c * p.blocks + block] = sums[0]; }}
}}
"""
        return Shader(source, tuple(access), 32)

    def _head(self) -> str:
        return f"""\
@compute @workgroup_size({self.threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let g = wg.y * groups.x + wg.x;
"""

    def reflect(self) -> Shader:
        """Apply the reflection of column j to the columns that follow, and write row j of `r`."""
        t = STORAGE[self.dtype]
        text, access = self._declared("parts", "w", "leads", "scales", "r", written=4)
        source = f"""\
{text}{self._head()}\
  let count = p.n - p.j;
  if (g >= count * p.blocks) {{ return; }}
  let c = p.j + g / p.blocks;
  let block = g % p.blocks;
  var below = {t}(0);
  var dot = {t}(0);
  for (var b = 0u; b < p.blocks; b++) {{
    below += parts[p.j * p.blocks + b];
    dot += parts[c * p.blocks + b];
  }}
  let found = reflection(w[p.j * p.m + p.j], below);
  if (c == p.j) {{
    if (block == 0u && t == 0u) {{
      leads[p.j] = found.lead;
      scales[p.j] = found.scale;
      r[p.j * p.k + p.j] = found.diagonal;
    }}
    return;
  }}
  let own = w[c * p.m + p.j];
  let share = found.scale * (found.lead * own + dot);
  let stop = min(p.m, (block + 1u) * p.rows);
  for (var i = max(p.j + 1u, block * p.rows) + t; i < stop; i += {self.threads}u) {{
    w[c * p.m + i] -= w[p.j * p.m + i] * share;
  }}
  if (block == 0u && t == 0u) {{ r[c * p.k + p.j] = own - found.lead * share; }}
}}
"""
        return Shader(source, tuple(access), 32)

    def unwind(self) -> Shader:
        """Apply the reflection of column j to `q`, whose row j is still that of the identity."""
        t = STORAGE[self.dtype]
        text, access = self._declared("parts", "w", "leads", "scales", "q", written=1)
        source = f"""\
{text}{self._head()}\
  let count = p.k - p.j;
  if (g >= count * p.blocks) {{ return; }}
  let c = p.j + g / p.blocks;
  let block = g % p.blocks;
  var dot = {t}(0);
  for (var b = 0u; b < p.blocks; b++) {{ dot += parts[c * p.blocks + b]; }}
  let own = select({t}(0), {t}(1), c == p.j);
  let share = scales[p.j] * (leads[p.j] * own + dot);
  let stop = min(p.m, (block + 1u) * p.rows);
  for (var i = max(p.j + 1u, block * p.rows) + t; i < stop; i += {self.threads}u) {{
    q[c * p.m + i] -= w[p.j * p.m + i] * share;
  }}
  if (block == 0u && t == 0u) {{ q[c * p.m + p.j] = own - leads[p.j] * share; }}
}}
"""
        return Shader(source, tuple(access), 32)

    # -- launches ---------------------------------------------------------------------------------

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n)."""
        m, n = extents
        k, width = min(m, n), STORED_BYTES[self.dtype]
        if not k:
            return Prepared(())
        if m * n * width > self.target.binding_bytes:
            raise DeviceFault(f"A {m}x{n} matrix is too large to factorise on this device.")
        sizes = [m * n * width, k * width, k * width]
        wrote = (k * n + m * k * self.orthogonal) * width
        if m * n <= ALONE and self._iterations(m, n) <= self.target.iterations:
            words = struct.pack("<8I", 0, m, n, k, 0, 1, m, n)
            outputs = [Bind("slot", 1 + place) for place in range(1 + self.orthogonal)]
            scratch = [Bind("scratch", place) for place in range(3)]
            binds = (Bind("slot", 0), *scratch, *outputs)
            only = Dispatch(self.alone(), (1, 1, 1), binds, words)
            return Prepared((only,), tuple(sizes), (), sizes[0], wrote)
        blocks = max(1, min(BLOCKS, -(-m // ROWS)))
        sizes.append(max(n, k) * blocks * width)
        steps = tuple(self._reflections(m, n, blocks))
        return Prepared(steps, tuple(sizes), (), sizes[0], wrote)

    def _iterations(self, m: int, n: int) -> int:
        """How often a thread of the lone workgroup goes round its loops, at most."""
        columns, k = self.threads // LANES, min(m, n)
        groups = -(-n // columns) + 1
        passes = 2 if self.orthogonal else 1
        copied = (m * n + k * n + m * k) // self.threads
        return copied + passes * k * groups * (2 * (-(-m // LANES)) + 1)

    def _reflections(self, m: int, n: int, blocks: int) -> list[Dispatch]:
        k, rows = min(m, n), -(-m // blocks)
        w, leads, scales, parts = (Bind("scratch", place) for place in range(4))
        q = [Bind("slot", 1)] if self.orthogonal else []
        r = Bind("slot", 1 + len(q))

        def words(j: int, columns: int) -> bytes:
            return struct.pack("<8I", 0, m, n, k, j, blocks, rows, columns)

        points = max(m * n, k * n, m * k)
        grid = self._grid(-(-points // self.threads))
        steps = [Dispatch(self.begin(), grid, (Bind("slot", 0), w, r, *q), words(0, n))]
        dots, reflect = self.dots("w"), self.reflect()
        for j in range(k):
            grid = self._grid((n - j) * blocks)
            steps.append(Dispatch(dots, grid, (w, parts), words(j, n)))
            steps.append(Dispatch(reflect, grid, (parts, w, leads, scales, r), words(j, n)))
        if q:
            dots, unwind = self.dots("q"), self.unwind()
            for j in reversed(range(k)):
                grid = self._grid((k - j) * blocks)
                steps.append(Dispatch(dots, grid, (w, *q, parts), words(j, k)))
                steps.append(Dispatch(unwind, grid, (parts, w, leads, scales, *q), words(j, k)))
        return steps

    def _grid(self, groups: int) -> tuple[int, int, int]:
        wide = min(groups, self.target.groups)
        return wide, -(-groups // wide), 1


def template(unit: Unit, target: Target) -> Factors:
    """The template of a ``qr``.

    Raises:
        DeclinedError: it has an epilogue, or its type is not one of the device's floating types.
    """
    assert isinstance(unit, LibraryCall)
    dtype = unit.dtypes[0]
    if unit.epilogue is not None or set(unit.dtypes) != {dtype} or dtype not in ("f32", "f64"):
        raise DeclinedError(f"qr of {', '.join(unit.dtypes)}")
    if dtype == "f64" and not target.f64:
        raise DeclinedError("no doubles on this device")
    return Factors(dtype, bool(unit.attribute("q")), min(256, target.invocations), target)
