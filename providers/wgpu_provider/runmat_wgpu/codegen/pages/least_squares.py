"""``lstsq`` of pages: reflections, each thread's of a column, then substitution.

Columns that wait for the reflection of another one are all that a barrier is for. The matrix is
scaled by a power of two, so that squares neither overflow nor vanish. The last column is a vector
without structure, as in `elimination`; it meets the triangle alone.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.householder.shaders import reflection
from runmat_wgpu.codegen.linear.shaders import DOUBT, ODD
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.pages.layout import Layout, check, layout, power
from runmat_wgpu.codegen.pages.scaling import scaled
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader

#: Columns of a page, at most: it has more rows.
COLUMNS = 64


@attrs.frozen
class LeastSquares:
    """A template of ``lstsq_pages``."""

    writer: Writer

    @property
    def source(self) -> str:
        return self._shader(layout(self.writer, 8, 9 * 10, COLUMNS)).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n, pages, m, k, pages)."""
        m, n, pages, _, k, others = extents
        check(m, n)
        count, columns = max(pages, others), n + k + 1
        found = layout(self.writer, power(columns), m * columns, COLUMNS)
        area = Area(m, b=k, rows=((pages > 1) + 2 * (others > 1), 0), columns=(n, columns))
        binds = [Bind("slot", 0), Bind("slot", 1)], [Bind("slot", 2), found.answered(3)]
        moved = max(m * n * pages, m * k * others), n * k * count
        return found.prepared(self._shader(found), area, count, binds, moved)

    def _shader(self, found: Layout) -> Shader:
        t = self.writer.type
        scale, declared = scaled(found, "a[(page * (p.r0 & 1u) * p.q0) * p.ld + e]", "p.ld * p.q0")
        declared += found.shared("diagonals", each=COLUMNS)
        declared += ODD.format(t=t) + reflection(found.writer.dtype)
        body = scale + self._begin(found) + self._reflected(found) + self._substituted(found)
        return found.shader(body, ("a", "b"), ("x", found.answer), declared)

    def _begin(self, found: Layout) -> str:
        t = self.writer.type
        return f"""\
  let m = p.ld;
  let n = p.q0;
  let columns = p.q1;
  for (var e = lane; e < m * columns; e += {found.lanes}u) {{
    let row = e % m;
    let column = e / m;
    var one = {t}(0);
    if (column < n) {{
      one = a[(page * (p.r0 & 1u) * n) * m + e] * scale;
    }} else if (column < n + p.b) {{
      one = b[(page * ((p.r0 >> 1u) & 1u) * p.b + column - n) * m + row];
    }} else {{
      one = odd(row);
    }}
    if (!finite(one)) {{ {self.writer.fire} }}
    w[base + e] = one;
  }}
  {found.sync}
"""

    def _reflected(self, found: Layout) -> str:
        """Return the triangle: above the diagonal in place, the diagonal by itself."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  for (var j = 0u; j < n; j++) {{
    let line = base + j * m;
    var below = {t}(0);
    for (var i = j + 1u; i < m; i++) {{
      let one = w[line + i];
      below += one * one;
    }}
    let found = reflection(w[line + j], below);
    if (lane == 0u) {{ diagonals[q * {COLUMNS}u + j] = found.diagonal; }}
    for (var c = j + 1u + lane; c < n + p.b; c += {lanes}u) {{
      let column = base + c * m;
      var dot = {t}(0);
      for (var i = j + 1u; i < m; i++) {{ dot += w[line + i] * w[column + i]; }}
      let own = w[column + j];
      let share = found.scale * (found.lead * own + dot);
      for (var i = j + 1u; i < m; i++) {{ w[column + i] -= w[line + i] * share; }}
      w[column + j] = own - found.lead * share;
    }}
    {found.sync}
  }}
"""

    def _substituted(self, found: Layout) -> str:
        t, lanes = self.writer.type, found.lanes
        doubt = DOUBT * float(np.finfo(np.float32 if self.writer.dtype == "f32" else float).eps)
        return f"""\
  var norm = {t}(0);
  for (var c = lane; c < n; c += {lanes}u) {{
    var sum = abs(diagonals[q * {COLUMNS}u + c]);
    for (var i = 0u; i < c; i++) {{ sum += abs(w[base + c * m + i]); }}
    norm = max(norm, sum);
  }}
  parts[t] = norm;
  workgroupBarrier();
  for (var c = n + lane; c < columns; c += {lanes}u) {{
    let column = base + c * m;
    var sum = {t}(0);
    for (var step = 1u; step <= n; step++) {{
      let k = n - step;
      let one = w[column + k] / diagonals[q * {COLUMNS}u + k];
      w[column + k] = one;
      for (var i = 0u; i < k; i++) {{ w[column + i] -= w[base + k * m + i] * one; }}
      sum += abs(one);
      if (c < n + p.b) {{
        if (inside) {{ x[(page * p.b + c - n) * n + k] = one * scale; }}
        if (!finite(one * scale)) {{ {self.writer.fire} }}
      }}
    }}
    if (c == n + p.b) {{
      for (var i = 0u; i < {lanes}u; i++) {{ norm = max(norm, parts[q * {lanes}u + i]); }}
      // host rules take a column for dependent where its pivot is so many times the precision
      let worst = sum * norm * {t}({doubt!r}) * {t}(m);
      if (!(finite(worst) && worst < 1)) {{ {self.writer.fire} }}
    }}
  }}
"""
