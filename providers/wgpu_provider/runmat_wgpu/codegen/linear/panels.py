"""The shaders that eliminate a panel of columns, in registers or in memory."""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.linear.text import WIDE, Writer
from runmat_wgpu.codegen.shader import Shader, halves

NOWHERE = "0xffffffffu"
#: Joins the largest elements of two threads, of equal ones the first.
LARGER = (
    "if (best[t + half] > best[t] || (best[t + half] == best[t] && "
    "found[t + half] < found[t])) { best[t] = best[t + half]; found[t] = found[t + half]; }"
)


@attrs.frozen
class Held:
    """A panel in registers: threads, rows of each, and the panel's columns."""

    threads: int
    rows: int
    columns: int


@attrs.frozen
class Panels:
    """The shaders for an element type."""

    writer: Writer

    def held(self, form: Held) -> Shader:
        """Return what `panel` does, with the panel in registers."""
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
        """Return the row ``pivoting`` of the largest element that threads have found."""
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
