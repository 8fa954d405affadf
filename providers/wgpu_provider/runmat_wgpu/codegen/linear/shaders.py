"""The shaders of elimination and substitution.

``w`` is the matrix with the right-hand sides beside it, columns ``ld`` elements apart.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_wgpu.codegen.linear.text import FEW, FIRE, WIDE, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Shader, halves

#: An element of the vector without structure: of either sign, its size between 1/2 and 1.
ODD = """\
fn odd(row: u32) -> {t} {{
  var h = (row + 1u) * 2654435769u;
  h = (h ^ (h >> 15u)) * 2246822519u;
  h = (h ^ (h >> 13u)) * 3266489917u;
  h ^= h >> 16u;
  let size = {t}(0.5) + {t}(h >> 9u) / {t}(16777216.0);
  return select(size, -size, (h & 1u) == 1u);
}}
"""
#: Times the precision, the reciprocal condition from which on host rules look.
DOUBT = 4.0


@attrs.frozen
class Shaders:
    """The shaders for an element type."""

    writer: Writer

    @property
    def _block(self) -> str:
        return f"var<workgroup> d: array<{self.writer.type}, {WIDE * WIDE}>;\n"

    def begin(self, name: str) -> Shader:
        """Return the matrix, ``b`` right-hand sides beside it, and the vector without structure."""
        t = self.writer.type
        own = {
            "solve": "b[e - p.ld * p.ld]",
            "inv": f"select({t}(0), {t}(1), row == column - p.ld)",
        }
        side = f"""\
    else if (column < p.ld + p.b) {{ one = {own.get(name)}; }}
    else {{ one = odd(row); }}
"""
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.ld;
  let column = e / p.ld;
  if (column < p.q1) {{
    var one = {t}(0);
    if (column < p.ld) {{ one = a[e]; }}
{"" if name == "det" else side}    w[e] = one;
  }}
"""
        reads = ("a", "b") if name == "solve" else ("a",)
        return self.writer.shader(body, reads, ("w",), ODD.format(t=t))

    def norms(self) -> Shader:
        """Return sums of magnitudes of the columns of the matrix."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
  if (g >= p.ld) {{ return; }}
  var sum = {t}(0);
  for (var i = t; i < p.ld; i += {threads}u) {{ sum += abs(w[g * p.ld + i]); }}
  sums[t] = sum;
  workgroupBarrier();
{halves(threads, "sums[t] += sums[t + half];")}\
  if (t == 0u) {{ norms[g] = sums[0]; }}
"""
        declared = f"var<workgroup> sums: array<{t}, {threads}>;\n"
        return self.writer.shader(body, ("w",), ("norms",), declared)

    def across(self) -> Shader:
        """Exchange rows of the columns after the panel, and eliminate in the panel's rows.

        A thread has a column: all that is exchanged, read at once, the panel's rows first and then
        those that they are exchanged with. A row may be exchanged several times.
        """
        t, columns = self.writer.type, self.columns
        w = "w[column + p.j + {c}]"
        if self.writer.target.software:
            load = "for (var c = 0u; c < p.b; c++) { LINE }\n"
        else:  # so that no load waits for another
            load = "".join(f"{{ let c = {c}u; LINE }}\n  " for c in range(WIDE))
        within = w.replace("{c}", "min(c, p.b - 1u)")
        body = f"""\
{self.writer.block(columns)}\
  for (var c = t; c < {WIDE}u; c += {columns}u) {{
    let place = places[p.j + min(c, p.b - 1u)];
    var same = c;
    for (var q = 0u; q < c; q++) {{
      if (same == c && places[p.j + q] == place) {{ same = q; }}
    }}
    from_[c] = place;
    slots[c] = select({WIDE}u + same, place - p.j, place < p.j + p.b);
    kept[c] = u32(same == c && place >= p.j + p.b);
  }}
  workgroupBarrier();
  let column = (p.q0 + g * {columns}u + t) * p.ld;
  if (p.q0 + g * {columns}u + t >= p.q1) {{ return; }}
  {load.replace("LINE", f"rows[c * {columns}u + t] = {within};")}\
  {load.replace("LINE", f"rows[({WIDE}u + c) * {columns}u + t] = w[column + from_[c]];")}\
  for (var c = 0u; c < p.b; c++) {{
    let own = rows[c * {columns}u + t];
    let slot = slots[c] * {columns}u + t;
    rows[c * {columns}u + t] = rows[slot];
    rows[slot] = own;
  }}
  for (var c = 0u; c < p.b; c++) {{
    if (kept[c] > 0u) {{ w[column + from_[c]] = rows[({WIDE}u + c) * {columns}u + t]; }}
  }}
{self.writer.through(f"rows[{{c}} * {columns}u + t]", w, False)}"""
        declared = f"""\
{self._block}\
var<workgroup> rows: array<{t}, {2 * WIDE * columns}>;
var<workgroup> from_: array<u32, {WIDE}>;
var<workgroup> slots: array<u32, {WIDE}>;
var<workgroup> kept: array<u32, {WIDE}>;
"""
        return self.writer.shader(body, ("places",), ("w",), declared, columns)

    @property
    def columns(self) -> int:
        """Columns, and threads, of a workgroup that keeps two panels' rows of them in memory."""
        width = STORED_BYTES[self.writer.dtype]
        most = self.writer.target.workgroup_bytes - 1024 - WIDE * WIDE * width
        return WIDE if most >= 2 * WIDE * WIDE * width else WIDE // 4

    def back(self) -> Shader:
        """Substitute in the rows of the panel, through the upper triangle on the diagonal."""
        w = "w[column + p.j + {c}]"
        body = f"""\
{self.writer.block(FEW)}\
  let column = (p.q0 + g * {FEW}u + t) * p.ld;
  if (p.q0 + g * {FEW}u + t >= p.q1) {{ return; }}
{self.writer.through(w, w, True, backwards=True)}"""
        return self.writer.shader(body, (), ("w",), self._block, FEW)

    def column(self, size: int, threads: int) -> Shader:
        """All of the substitution in a column of at most `size` numbers: a workgroup's own."""
        sums = "".join(
            f"      one -= w[first + {c}u * p.ld + i] * x[j + {c}u];\n" for c in range(WIDE)
        )
        body = f"""\
  let column = (p.q0 + g) * p.ld;
  if (p.q0 + g >= p.q1) {{ return; }}
  for (var i = t; i < p.ld; i += {threads}u) {{ x[i] = w[column + i]; }}
  for (var k = (p.ld - 1u) / {WIDE}u + 1u; k > 0u; k--) {{
    let j = (k - 1u) * {WIDE}u;
    let b = min({WIDE}u, p.ld - j);
    let first = j * p.ld;
    for (var e = t; e < {WIDE * WIDE}u; e += {threads}u) {{
      let row = min(e % {WIDE}u, b - 1u);
      d[e] = w[first + min(e / {WIDE}u, b - 1u) * p.ld + j + row];
    }}
    workgroupBarrier();
    for (var c = b; c > 0u; c--) {{
      if (t == c - 1u) {{ x[j + t] /= d[t * {WIDE + 1}u]; }}
      workgroupBarrier();
      if (t + 1u < c) {{ x[j + t] -= d[(c - 1u) * {WIDE}u + t] * x[j + c - 1u]; }}
    }}
    // only the last panel, which comes first, may be narrow
    for (var i = t; i < j; i += {threads}u) {{
      var one = x[i];
      if (b == {WIDE}u) {{
{sums}      }} else {{
        for (var c = 0u; c < b; c++) {{ one -= w[first + c * p.ld + i] * x[j + c]; }}
      }}
      x[i] = one;
    }}
    workgroupBarrier();
  }}
  for (var i = t; i < p.ld; i += {threads}u) {{ w[column + i] = x[i]; }}
"""
        declared = f"{self._block}var<workgroup> x: array<{self.writer.type}, {size}>;\n"
        return self.writer.shader(body, (), ("w",), declared, threads)

    def update(self) -> Shader:
        return self.writer.update("(p.j + c) * p.ld + row", "column * p.ld + p.j + c", "true")

    def store(self) -> Shader:
        """Write the solutions; the bit is set where one is not finite."""
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  if (e < p.ld * p.b) {{
    let one = w[p.ld * p.ld + e];
    x[e] = one;
    if (finite(one)) {{
    }} else if (atomicLoad(&status[0]) == 0u) {{
      {FIRE}
    }}
  }}
"""
        return self.writer.shader(body, ("w",), ("x", "status"))

    def check(self) -> Shader:
        """Set the bit where ``j`` times worse than usual may be singular."""
        t, threads = self.writer.type, self.writer.threads
        kind = np.float32 if self.writer.dtype == "f32" else np.float64
        doubt = DOUBT * float(np.finfo(kind).eps)
        body = f"""\
  var sum = {t}(0);
  var norm = {t}(0);
  for (var i = t; i < p.ld; i += {threads}u) {{
    sum += abs(w[(p.ld + p.b) * p.ld + i]);
    norm = max(norm, norms[i]);
    if (finite(norms[i])) {{ }} else {{ {FIRE} }}
  }}
  sums[t] = sum;
  most[t] = norm;
  workgroupBarrier();
{halves(threads, "sums[t] += sums[t + half]; most[t] = max(most[t], most[t + half]);")}\
  if (t == 0u) {{
    let worst = sums[0] * most[0] * {t}({doubt!r}) * {t}(p.j);
    if (finite(worst) && worst < 1) {{ }} else {{ {FIRE} }}
  }}
"""
        declared = f"""\
var<workgroup> sums: array<{t}, {threads}>;
var<workgroup> most: array<{t}, {threads}>;
"""
        return self.writer.shader(body, ("w", "norms"), ("status",), declared)

    def determinant(self) -> Shader:
        """Return the product of the pivots, negative after an odd number of exchanges."""
        body = f"""\
  if (t > 0u) {{ return; }}
  var product = {self.writer.type}(1);
  for (var i = 0u; i < p.ld; i++) {{
    let one = w[i * p.ld + i];
    product *= select(one, -one, places[i] != i);
  }}
  x[0] = product;
  if (finite(product)) {{ }} else {{ {FIRE} }}
"""
        return self.writer.shader(body, ("w", "places"), ("x", "status"))
