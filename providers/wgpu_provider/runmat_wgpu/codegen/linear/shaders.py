"""The shaders of elimination and substitution.

``w`` is the matrix with the right-hand sides beside it, columns ``ld`` elements apart.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_wgpu.codegen.linear.text import FEW, FIRE, WIDE, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Shader

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
NOWHERE = "0xffffffffu"
#: Joins the largest elements of two threads, of equal ones the first.
LARGER = (
    "if (best[t + half] > best[t] || (best[t + half] == best[t] && "
    "found[t + half] < found[t])) { best[t] = best[t + half]; found[t] = found[t + half]; }"
)
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
class Held:
    """A panel in registers: threads, rows of each, and the panel's columns."""

    threads: int
    rows: int
    columns: int


@attrs.frozen
class Shaders:
    """The shaders for an element type."""

    writer: Writer

    @property
    def _block(self) -> str:
        return f"var<workgroup> d: array<{self.writer.type}, {WIDE * WIDE}>;\n"

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

    def held(self, form: Held) -> Shader:
        """What `panel` does, with the panel in registers."""
        t, threads = self.writer.type, form.threads
        rows, columns = range(form.rows), range(form.columns)
        lines = []
        for k in rows:
            lines.append(f"let i{k} = p.j + t + {k * threads}u;")
            lines.append(f"let from{k} = min(i{k}, p.r1 - 1u);")
        for c in columns:
            lines.append(f"let at{c} = (p.j + min({c}u, p.b - 1u)) * p.ld;")
            lines += [f"var a{k}_{c} = w[at{c} + from{k}];" for k in rows]
        steps = "".join(self._step(form, c) for c in columns)
        stores = "".join(
            f"  if (i{k} < p.r1 && {c}u < p.b) {{ w[at{c} + i{k}] = a{k}_{c}; }}\n"
            for c in columns
            for k in rows
        )
        body = "".join(f"  {line}\n" for line in lines) + steps + stores
        declared = f"""\
var<workgroup> best: array<{t}, {threads}>;
var<workgroup> found: array<u32, {threads}>;
var<workgroup> line: array<{t}, {form.columns}>;
var<workgroup> own: array<{t}, {form.columns}>;
"""
        return self.writer.shader(body, (), ("w", "places"), declared, threads)

    def _step(self, form: Held, c: int) -> str:
        """One column of `held`: the thread that has the pivot's row gives it to all others."""
        t, rows, columns = self.writer.type, range(form.rows), range(form.columns)
        search = "".join(
            f"    if (i{k} >= at && i{k} < p.r1 && abs(a{k}_{c}) > largest) "
            f"{{ largest = abs(a{k}_{c}); place = i{k}; }}\n"
            for k in rows
        )
        give = "".join(
            f"    if (i{k} == pivoting) {{ "
            + " ".join(f"line[{q}u] = a{k}_{q};" for q in columns)
            + " }\n"
            for k in rows
        )
        first = " ".join(f"own[{q}u] = a0_{q};" for q in columns)
        take = " ".join(f"a0_{q} = line[{q}u];" for q in columns)
        exchange = "".join(
            f"    if (i{k} == pivoting && pivoting != at) {{ "
            + " ".join(f"a{k}_{q} = own[{q}u];" for q in columns)
            + " }\n"
            for k in rows
        )
        eliminate = "".join(
            f"    if (i{k} > at) {{\n"
            f"      a{k}_{c} = select(a{k}_{c} / pivot, {t}(0), pivot == 0);\n"
            + "".join(f"      a{k}_{q} -= a{k}_{c} * line[{q}u];\n" for q in columns[c + 1 :])
            + "    }\n"
            for k in rows
        )
        return f"""\
  if ({c}u < p.b) {{
    let at = p.j + {c}u;
    var largest = {t}(-1);
    var place = at;
{search}\
{self._search(form.threads)}\
{give}\
    if (t == {c}u) {{ {first} }}
    if (t == 0u) {{ places[at] = pivoting; }}
    workgroupBarrier();
    if (t == {c}u) {{ {take} }}
{exchange}\
    let pivot = line[{c}u];
{eliminate}  }}
"""

    def _search(self, threads: int) -> str:
        """The row ``pivoting`` of the largest element among those that threads have found."""
        if not self.writer.target.subgroups or self.writer.dtype != "f32":
            return f"""\
    best[t] = largest;
    found[t] = place;
    workgroupBarrier();
    for (var half = {threads // 2}u; half > 0u; half = half >> 1u) {{
      if (t < half) {{ {LARGER} }}
      workgroupBarrier();
    }}
    let pivoting = found[0];
"""
        # every subgroup joins what all of them have told: one barrier instead of ten
        return f"""\
    let high = subgroupMax(largest);
    let first = subgroupMin(select({NOWHERE}, place, largest == high));
    if (invocation_id == 0u) {{
      best[id] = high;
      found[id] = first;
    }}
    workgroupBarrier();
    var top = f32(-1);
    var row = {NOWHERE};
    for (var e = invocation_id; e < {threads}u / size; e += size) {{
      if (best[e] > top || (best[e] == top && found[e] < row)) {{ top = best[e]; row = found[e]; }}
    }}
    let all = subgroupMax(top);
    let pivoting = subgroupMin(select({NOWHERE}, row, top == all));
"""

    def panel(self) -> Shader:
        """Eliminate the columns of the panel, with the rows that become pivots in ``places``."""
        t, threads = self.writer.type, self.writer.threads
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
{halves(threads, LARGER)}\
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
