"""The shaders of Householder reflections."""

from __future__ import annotations

from typing import Literal

import attrs

from runmat_wgpu.codegen.powers import NEAR
from runmat_wgpu.codegen.shader import STORAGE, STORED_BYTES, Shader, Target, halves

#: Threads that share the sums of one column.
LANES = 32
#: A subgroup has at least so many invocations.
FEWEST = 4
#: Columns up to which one workgroup does everything.
MOST = 128

_WORDS = """\
struct P { zero: u32, m: u32, n: u32, k: u32, j: u32, blocks: u32, rows: u32, columns: u32 }
@group(1) @binding(0) var<uniform> p: P;
"""

_REFLECTION = """\
struct Reflection {{ lead: {t}, scale: {t}, diagonal: {t} }}
// of a column with `alpha` in its row and squares of sum `below` under it
fn reflection(alpha: {t}, below: {t}) -> Reflection {{
  let squares = alpha * alpha + below;
  if (below == 0 || squares < {t}({least!r})) {{ return Reflection(0, 0, alpha); }}
  let length = sqrt(squares);
  let diagonal = select(length, -length, alpha >= 0);
  let lead = alpha - diagonal;
  return Reflection(lead, 2 / (lead * lead + below), diagonal);
}}
"""
#: Squares below this have lost digits. Of columns near to one they are no more than rounding.
_LEAST = {"f32": 2.0**-80, "f64": 2.0**-900}


def reflection(dtype: str) -> str:
    """Return the function ``reflection`` of a shader."""
    return _REFLECTION.format(t=STORAGE[dtype], least=_LEAST[dtype])


@attrs.frozen
class Shaders:
    """The shaders that factorise matrices of an element type.

    Attributes:
        orthogonal: whether `q` is wanted, too.
        threads: of a workgroup.
    """

    dtype: str
    orthogonal: bool
    threads: int
    target: Target

    @property
    def columns(self) -> int:
        """Columns that the lone workgroup takes at a time."""
        return self.threads // LANES

    def declared(self, *names: str, written: int) -> tuple[str, list[Literal["read", "write"]]]:
        """Return declarations of the buffers, of which the last `written` are written."""
        lines, access = [], []
        for binding, name in enumerate(names):
            out = binding >= len(names) - written
            lines.append(
                f"@group(0) @binding({binding}) var<storage, {'read_write' if out else 'read'}> "
                f"{name}: array<{STORAGE[self.dtype]}>;\n"
            )
            kind: Literal["read", "write"] = "write" if out else "read"
            access.append(kind)
        return _WORDS + "".join(lines) + NEAR[self.dtype] + reflection(self.dtype), access

    def sums(self, threads: int) -> str:
        """Return ``summed``: the sum over the lanes of a column, for each of them.

        All must call it.
        """
        t, exchanged, halves = STORAGE[self.dtype], [], []
        for step in (1 << k for k in range((LANES - 1).bit_length())):
            line = f"value += subgroupShuffleXor(value, {step}u);"
            always = step < FEWEST
            exchanged.append(f"  {line}\n" if always else f"  if (size > {step}u) {{ {line} }}\n")
        half = LANES // 2
        while half:
            halves.append(
                f"  if (lane < {half}u) {{ sums[at] += sums[at + {half}u]; }}\n"
                "  workgroupBarrier();\n"
            )
            half //= 2
        through_memory = f"""\
  let at = column * {LANES}u + lane;
  workgroupBarrier();
  sums[at] = own;
  workgroupBarrier();
{"".join(halves)}  return sums[column * {LANES}u];
"""
        if self.exchanges:
            through_memory = f"""\
  var value = own;
  if (size < {LANES}u) {{
{through_memory}  }}
{"".join(exchanged)}  return value;
"""
        return f"""\
var<workgroup> sums: array<{t}, {threads}>;
fn summed(column: u32, lane: u32, own: {t}, size: u32) -> {t} {{
{through_memory}}}
"""

    @property
    def exchanges(self) -> bool:
        """Whether lanes exchange numbers without memory."""
        return self.target.subgroups and not self.target.software and self.dtype == "f32"

    @property
    def room(self) -> int:
        """Elements that workgroup memory holds besides the sums."""
        whole = self.target.workgroup_bytes // STORED_BYTES[self.dtype]
        return whole - self.threads - 2 * MOST

    def alone(self, shared: bool) -> Shader:
        """Everything in one workgroup, on a copy of the matrix that becomes `q`.

        Args:
            shared: the copy is in workgroup memory.
        """
        t = STORAGE[self.dtype]
        scratch = ("units",) if shared else ("w", "units")
        names = ("a", *scratch, *(("q",) if self.orthogonal else ()), "r")
        text, access = self.declared(*names, written=len(names) - 1)
        if shared:
            text += f"var<workgroup> w: array<{t}, {self.room}>;\n"
        barrier = "workgroupBarrier();" if shared else "storageBarrier();"
        source = f"""\
{text}{self.sums(self.threads)}\
var<workgroup> leads: array<{t}, {MOST}>;
var<workgroup> scales: array<{t}, {MOST}>;
{self.lone_head(self.threads)}\
  for (var first = 0u; first < p.n; first += {self.columns}u) {{
    let c = first + column;
    var sum = {t}(0);
    if (c < p.n) {{
      for (var i = lane; i < p.m; i += {LANES}u) {{ sum += abs(a[c * p.m + i]); }}
    }}
    let unit = near(summed(column, lane, sum, size));
    if (c < p.n) {{
      for (var i = lane; i < p.m; i += {LANES}u) {{ w[c * p.m + i] = a[c * p.m + i] * unit; }}
      if (lane == 0u) {{ units[c] = inverse(unit); }}
    }}
  }}
  for (var e = t; e < p.k * p.n; e += {self.threads}u) {{ r[e] = {t}(0); }}
  storageBarrier();
  for (var j = 0u; j < p.k; j++) {{
    {barrier}
    var below = {t}(0);
    for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
      let e = w[j * p.m + i];
      below += e * e;
    }}
    below = summed(column, lane, below, size);
    let found = reflection(w[j * p.m + j], below);
    if (t == 0u) {{
      leads[j] = found.lead;
      scales[j] = found.scale;
      r[j * p.k + j] = found.diagonal * units[j];
    }}
    for (var first = j + 1u; first < p.n; first += {self.columns}u) {{
      let c = first + column;
      var dot = {t}(0);
      if (c < p.n) {{
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          dot += w[j * p.m + i] * w[c * p.m + i];
        }}
      }}
      dot = summed(column, lane, dot, size);
      if (c < p.n) {{
        let own = w[c * p.m + j];
        let share = found.scale * (found.lead * own + dot);
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          w[c * p.m + i] -= w[j * p.m + i] * share;
        }}
        if (lane == 0u) {{ r[c * p.k + j] = (own - found.lead * share) * units[c]; }}
      }}
    }}
  }}
{self._backwards(barrier) if self.orthogonal else ""}}}
"""
        return Shader(source, tuple(access), 32)

    def lone_head(self, threads: int) -> str:
        """Return the beginning of a lone workgroup: which column and lane a thread is."""
        builtins, numbered = "", "let size = 1u;\n  let t = index;"
        if self.exchanges:
            builtins = (
                ",\n        @builtin(subgroup_id) group: u32, @builtin(subgroup_size) size: u32,"
                "\n        @builtin(subgroup_invocation_id) place: u32"
            )
            numbered = "let t = group * size + place;"
        return f"""\
@compute @workgroup_size({threads})
fn main(@builtin(local_invocation_index) index: u32{builtins}) {{
  {numbered}
  let column = t / {LANES}u;
  let lane = t % {LANES}u;
"""

    def _backwards(self, barrier: str) -> str:
        """`q` from the reflections, the last one first, each in place of its column."""
        t = STORAGE[self.dtype]
        return f"""\
  for (var step = 0u; step < p.k; step++) {{
    let j = p.k - 1u - step;
    {barrier}
    let lead = leads[j];
    let scale = scales[j];
    for (var first = j + 1u; first < p.k; first += {self.columns}u) {{
      let c = first + column;
      var dot = {t}(0);
      if (c < p.k) {{
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          dot += w[j * p.m + i] * w[c * p.m + i];
        }}
      }}
      dot = summed(column, lane, dot, size);
      if (c < p.k) {{
        let share = scale * dot;
        for (var i = j + 1u + lane; i < p.m; i += {LANES}u) {{
          w[c * p.m + i] -= w[j * p.m + i] * share;
        }}
        if (lane == 0u) {{ w[c * p.m + j] = -lead * share; }}
      }}
    }}
    {barrier}
    for (var i = t; i < p.m; i += {self.threads}u) {{
      let at = j * p.m + i;
      if (i < j) {{
        w[at] = {t}(0);
      }} else if (i == j) {{
        w[at] = 1 - lead * lead * scale;
      }} else {{
        w[at] = -w[at] * (lead * scale);
      }}
    }}
  }}
  {barrier}
  for (var e = t; e < p.m * p.k; e += {self.threads}u) {{ q[e] = w[e]; }}
"""

    def units(self) -> Shader:
        """Return the power of two that each column is divided by, so that squares are near one."""
        t = STORAGE[self.dtype]
        text, access = self.declared("a", "units", written=1)
        source = f"""\
{text}var<workgroup> sums: array<{t}, {self.threads}>;
{self._head()}\
  if (g >= p.n) {{ return; }}
  var sum = {t}(0);
  for (var i = t; i < p.m; i += {self.threads}u) {{ sum += abs(a[g * p.m + i]); }}
  sums[t] = sum;
  workgroupBarrier();
{halves(self.threads, "sums[t] += sums[t + half];")}\
  if (t == 0u) {{ units[g] = inverse(near(sums[0])); }}
}}
"""
        return Shader(source, tuple(access), 32)

    def begin(self) -> Shader:
        """`w` is the matrix in its units, `r` is zero, `q` has columns of the identity."""
        t = STORAGE[self.dtype]
        names = ("a", "units", "w", "r", *(("q",) if self.orthogonal else ()))
        text, access = self.declared(*names, written=len(names) - 2)
        unit = f"  if (e < p.m * p.k) {{ q[e] = select({t}(0), {t}(1), e % p.m == e / p.m); }}\n"
        source = f"""\
{text}{self._head()}\
  let e = g * {self.threads}u + t;
  if (e < p.m * p.n) {{ w[e] = a[e] * inverse(units[e / p.m]); }}
  if (e < p.k * p.n) {{ r[e] = {t}(0); }}
{unit if self.orthogonal else ""}}}
"""
        return Shader(source, tuple(access), 32)

    def dots(self, of: Literal["w", "q"]) -> Shader:
        """Return sums, by block of rows, of products of column j with columns from j on."""
        t = STORAGE[self.dtype]
        names = ("w", *(("q",) if of == "q" else ()), "parts")
        text, access = self.declared(*names, written=1)
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
{halves(self.threads, "sums[t] += sums[t + half];")}\
  if (t == 0u) {{ parts[c * p.blocks + block] = sums[0]; }}
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
        text, access = self.declared("parts", "units", "w", "leads", "scales", "r", written=4)
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
      r[p.j * p.k + p.j] = found.diagonal * units[p.j];
    }}
    return;
  }}
  let own = w[c * p.m + p.j];
  let share = found.scale * (found.lead * own + dot);
  let stop = min(p.m, (block + 1u) * p.rows);
  for (var i = max(p.j + 1u, block * p.rows) + t; i < stop; i += {self.threads}u) {{
    w[c * p.m + i] -= w[p.j * p.m + i] * share;
  }}
  if (block == 0u && t == 0u) {{ r[c * p.k + p.j] = (own - found.lead * share) * units[c]; }}
}}
"""
        return Shader(source, tuple(access), 32)

    def unwind(self) -> Shader:
        """Apply the reflection of column j to `q`, whose row j is still that of the identity."""
        t = STORAGE[self.dtype]
        text, access = self.declared("parts", "w", "leads", "scales", "q", written=1)
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
