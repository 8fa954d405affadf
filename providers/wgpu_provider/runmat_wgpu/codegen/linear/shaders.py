"""The shaders of elimination and substitution.

``w`` is the matrix with the right-hand sides beside it, columns ``ld`` elements apart.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_wgpu.codegen.linear.text import FEW, FIRE, WIDE, Writer
from runmat_wgpu.codegen.shader import Shader

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


def halves(threads: int, line: str) -> str:
    """A tree of steps in a workgroup; `line` joins ``t`` with ``t + half``."""
    steps, half = [], threads // 2
    while half:
        own = line.replace("half", f"{half}u")
        steps.append(f"  if (t < {half}u) {{ {own} }}\n  workgroupBarrier();\n")
        half //= 2
    return "".join(steps)


@attrs.frozen
class Shaders:
    """The shaders for an element type."""

    writer: Writer

    @property
    def _block(self) -> str:
        return f"var<workgroup> d: array<{self.writer.type}, {WIDE * WIDE}>;\n"

    def _load(self) -> str:
        """The diagonal block of the panel into ``d``."""
        return f"""\
  for (var e = t; e < p.b * p.b; e += {FEW}u) {{
    let row = e % p.b;
    let column = e / p.b;
    d[column * {WIDE}u + row] = w[(p.j + column) * p.ld + p.j + row];
  }}
  workgroupBarrier();
"""

    def begin(self, name: str) -> Shader:
        """The matrix, ``b`` right-hand sides beside it, and the vector without structure."""
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
        """Sums of magnitudes of the columns of the matrix."""
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

    def panel(self) -> Shader:
        """Eliminate the columns of the panel, with the rows that become pivots in ``places``."""
        t, threads = self.writer.type, self.writer.threads
        larger = (
            "if (best[t + half] > best[t] || (best[t + half] == best[t] && "
            "found[t + half] < found[t])) { best[t] = best[t + half]; found[t] = found[t + half]; }"
        )
        body = f"""\
  for (var c = 0u; c < p.b; c++) {{
    let at = p.j + c;
    var size = {t}(-1);
    var place = at;
    for (var i = at + t; i < p.r1; i += {threads}u) {{
      let one = abs(w[at * p.ld + i]);
      if (one > size) {{ size = one; place = i; }}
    }}
    best[t] = size;
    found[t] = place;
    workgroupBarrier();
{halves(threads, larger)}\
    let pivoting = found[0];
    if (t < p.b) {{
      let column = (p.j + t) * p.ld;
      let own = w[column + at];
      let fresh = w[column + pivoting];
      w[column + pivoting] = own;
      w[column + at] = fresh;
      line[t] = fresh;
    }}
    if (t == 0u) {{ places[at] = pivoting; }}
    workgroupBarrier();
    storageBarrier();
    let pivot = line[c];
    for (var i = at + 1u + t; i < p.r1; i += {threads}u) {{
      var share = w[at * p.ld + i];
      if (pivot == 0) {{ share = {t}(0); }} else {{ share /= pivot; }}
      w[at * p.ld + i] = share;
      for (var q = c + 1u; q < p.b; q++) {{ w[(p.j + q) * p.ld + i] -= share * line[q]; }}
    }}
    workgroupBarrier();
    storageBarrier();
  }}
"""
        declared = f"""\
var<workgroup> best: array<{t}, {threads}>;
var<workgroup> found: array<u32, {threads}>;
var<workgroup> line: array<{t}, {WIDE}>;
"""
        return self.writer.shader(body, (), ("w", "places"), declared)

    def across(self) -> Shader:
        """Exchange rows of the columns after the panel, and eliminate in the panel's rows."""
        body = f"""\
{self._load()}\
  let column = (p.q0 + g * {FEW}u + t) * p.ld;
  if (p.q0 + g * {FEW}u + t >= p.q1) {{ return; }}
  for (var c = p.j; c < p.j + p.b; c++) {{
    let place = places[c];
    let own = w[column + c];
    w[column + c] = w[column + place];
    w[column + place] = own;
  }}
  var x: array<{self.writer.type}, {WIDE}>;
  for (var c = 0u; c < p.b; c++) {{
    var one = w[column + p.j + c];
    for (var q = 0u; q < c; q++) {{ one -= x[q] * d[q * {WIDE}u + c]; }}
    x[c] = one;
    w[column + p.j + c] = one;
  }}
"""
        return self.writer.shader(body, ("places",), ("w",), self._block, FEW)

    def back(self) -> Shader:
        """Substitute in the rows of the panel, through the upper triangle on the diagonal."""
        body = f"""\
{self._load()}\
  let column = (p.q0 + g * {FEW}u + t) * p.ld;
  if (p.q0 + g * {FEW}u + t >= p.q1) {{ return; }}
  var x: array<{self.writer.type}, {WIDE}>;
  for (var step = 0u; step < p.b; step++) {{
    let c = p.b - 1u - step;
    var one = w[column + p.j + c];
    for (var q = c + 1u; q < p.b; q++) {{ one -= x[q] * d[q * {WIDE}u + c]; }}
    one /= d[c * {WIDE + 1}u];
    x[c] = one;
    w[column + p.j + c] = one;
  }}
"""
        return self.writer.shader(body, (), ("w",), self._block, FEW)

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
        """The product of the pivots, negative where rows were exchanged an odd number of times."""
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
