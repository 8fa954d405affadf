"""``inv``, ``solve`` and ``det`` of pages: elimination with partial pivoting.

The right-hand sides are columns beside the matrix, and the last one is a vector without structure:
how much the inverse enlarges it tells whether the page may be singular to working precision, as for
single matrices (`codegen.linear.elimination`). Every thread looks for the pivot by itself, which
takes no barrier; then there are two for each step, and one more.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.linear.shaders import DOUBT, ODD
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.pages.layout import Layout, check, layout, power
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader


@attrs.frozen
class Elimination:
    """A template of ``inv_pages``, ``solve_pages`` or ``det_pages``."""

    writer: Writer
    name: str

    @property
    def source(self) -> str:
        return self._shader(layout(self.writer, 8, 8 * 10)).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n, pages), of ``solve`` (n, n, pages, n, k, pages)."""
        n, counts = extents[0], extents[2::3]
        check(n, n)
        count, det = max(counts), self.name == "det"
        k = {"det": 0, "inv": n}.get(self.name, extents[-2])
        columns = n + k + (not det)
        found = layout(self.writer, power(n * columns // 8), n * columns)
        paged = sum(1 << i for i, pages in enumerate(counts) if pages > 1)
        area = Area(n, b=k, rows=(paged, 0), columns=(n, columns))
        inputs = [Bind("slot", i) for i in range(len(counts))]
        outputs = [Bind("slot", len(inputs)), found.answered(len(inputs) + 1)]
        read = max(n * n * counts[0], n * k * counts[-1] if self.name == "solve" else 0)
        wrote = count * (1 if det else n * k)
        shader = self._shader(found)
        return found.prepared(shader, area, count, (inputs, outputs), (read, wrote))

    def _shader(self, found: Layout) -> Shader:
        reads = ("a", "b") if self.name == "solve" else ("a",)
        last = self._product() if self.name == "det" else self._solutions(found)
        body = self._begin(found) + self._eliminated(found) + last
        declared = found.shared("norms", each=found.lanes) + ODD.format(t=self.writer.type)
        return found.shader(body, reads, ("x", found.answer), declared)

    def _begin(self, found: Layout) -> str:
        """Return the augmented matrix, and the largest sum of magnitudes of its columns."""
        t, lanes = self.writer.type, found.lanes
        beside = {
            "solve": "b[(page * ((p.r0 >> 1u) & 1u) * p.b + column - n) * n + row]",
            "inv": f"select({t}(0), {t}(1), row == column - n)",
        }.get(self.name, f"{t}(0)")
        return f"""\
  let n = p.ld;
  let columns = p.q1;
  var norm = {t}(0);
  for (var column = lane; column < columns; column += {lanes}u) {{
    var sum = {t}(0);
    for (var row = 0u; row < n; row++) {{
      var one = {t}(0);
      if (column < n) {{
        one = a[(page * (p.r0 & 1u) * n + column) * n + row];
        sum += abs(one);
      }} else if (column < n + p.b) {{
        one = {beside};
      }} else {{
        one = odd(row);
      }}
      if (!finite(one)) {{ {self.writer.fire} }}
      w[base + column * n + row] = one;
    }}
    norm = max(norm, sum);
  }}
  norms[t] = norm;
  {found.sync}
"""

    def _eliminated(self, found: Layout) -> str:
        """Return the upper triangle, and the right-hand sides as elimination leaves them."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  var odd_times = false;
  for (var k = 0u; k < n; k++) {{
    let line = base + k * n;
    var at = k;
    var largest = {t}(-1);
    for (var i = k; i < n; i++) {{
      let one = abs(w[line + i]);
      if (one > largest) {{
        largest = one;
        at = i;
      }}
    }}
    let pivot = w[line + at];
    let own = w[line + k];
    odd_times = odd_times != (at != k);
    {found.sync}
    for (var i = k + lane; i < n; i += {lanes}u) {{
      let one = select(w[line + i], own, i == at);
      w[line + i] = select(select(one / pivot, {t}(0), pivot == 0), pivot, i == k);
    }}
    for (var c = k + 1u + lane; c < columns; c += {lanes}u) {{
      let one = w[base + c * n + k];
      w[base + c * n + k] = w[base + c * n + at];
      w[base + c * n + at] = one;
    }}
    {found.sync}
    let below = n - k - 1u;
    for (var e = lane; e < below * (columns - k - 1u); e += {lanes}u) {{
      let i = k + 1u + e % below;
      let c = base + (k + 1u + e / below) * n;
      w[c + i] -= w[line + i] * w[c + k];
    }}
    {found.sync}
  }}
"""

    def _product(self) -> str:
        return f"""\
  if (lane == 0u && inside) {{
    var product = {self.writer.type}(1);
    for (var i = 0u; i < n; i++) {{ product *= w[base + i * n + i]; }}
    if (odd_times) {{ product = -product; }}
    x[page] = product;
    if (!finite(product)) {{ {self.writer.fire} }}
  }}
"""

    def _solutions(self, found: Layout) -> str:
        """Substitution, and whether what it gives may be wrong."""
        t, lanes = self.writer.type, found.lanes
        doubt = DOUBT * float(np.finfo(np.float32 if self.writer.dtype == "f32" else float).eps)
        return f"""\
  for (var step = 1u; step <= n; step++) {{
    let k = n - step;
    let line = base + k * n;
    let pivot = w[line + k];
    for (var c = n + lane; c < columns; c += {lanes}u) {{ w[base + c * n + k] /= pivot; }}
    {found.sync}
    for (var e = lane; e < k * (columns - n); e += {lanes}u) {{
      let i = e % k;
      let c = base + (n + e / k) * n;
      w[c + i] -= w[line + i] * w[c + k];
    }}
    {found.sync}
  }}
  if (inside) {{
    for (var e = lane; e < n * p.b; e += {lanes}u) {{
      let one = w[base + n * n + e];
      x[page * n * p.b + e] = one;
      if (!finite(one)) {{ {self.writer.fire} }}
    }}
  }}
  if (lane == 0u) {{
    var sum = {t}(0);
    for (var i = 0u; i < n; i++) {{ sum += abs(w[base + (n + p.b) * n + i]); }}
    for (var i = 1u; i < {lanes}u; i++) {{ norm = max(norm, norms[t + i]); }}
    let worst = sum * norm * {t}({doubt!r});
    if (!(finite(worst) && worst < 1)) {{ {self.writer.fire} }}
  }}
"""
