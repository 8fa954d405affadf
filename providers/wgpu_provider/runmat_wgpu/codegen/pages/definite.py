"""``chol`` of pages: column by column, over a copy of the triangle that is read.

Square roots of the diagonal are taken in the end: until then they are made where they are needed,
for what is written while others read it would take a barrier more.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.pages.layout import Layout, check, layout, power
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader


@attrs.frozen
class Cholesky:
    """A template of ``chol_pages``."""

    writer: Writer
    lower: bool

    @property
    def source(self) -> str:
        return self._shader(layout(self.writer, 8, 8 * 8)).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n, pages)."""
        n, _, count = extents
        check(n, n)
        found = layout(self.writer, power(n * n // 8), n * n)
        area = Area(n, columns=(n, n))
        binds = [Bind("slot", 0)], [Bind("slot", 1), found.answered(2)]
        return found.prepared(self._shader(found), area, count, binds, (n * n * count,) * 2)

    def _shader(self, found: Layout) -> Shader:
        t, lanes = self.writer.type, found.lanes
        place = "e" if self.lower else "row * n + column"
        body = f"""\
  let n = p.ld;
  for (var e = lane; e < n * n; e += {lanes}u) {{
    let row = e % n;
    let column = e / n;
    w[base + e] = a[page * n * n + {place}];
  }}
  {found.sync}
  for (var k = 0u; k < n; k++) {{
    let line = base + k * n;
    let pivot = w[line + k];
    if (!(finite(pivot) && pivot > 0)) {{ {self.writer.fire} }}
    let root = sqrt(pivot);
    for (var i = k + 1u + lane; i < n; i += {lanes}u) {{ w[line + i] /= root; }}
    {found.sync}
    let below = n - k - 1u;
    for (var e = lane; e < below * below; e += {lanes}u) {{
      let i = k + 1u + e % below;
      let c = k + 1u + e / below;
      if (i >= c) {{ w[base + c * n + i] -= w[line + i] * w[line + c]; }}
    }}
    {found.sync}
  }}
  if (inside) {{
    for (var e = lane; e < n * n; e += {lanes}u) {{
      let row = e % n;
      let column = e / n;
      var one = {t}(0);
      if (row > column) {{ one = w[base + e]; }}
      if (row == column) {{ one = sqrt(w[base + e]); }}
      r[page * n * n + {place}] = one;
    }}
  }}
"""
        return found.shader(body, ("a",), ("r", found.answer))
