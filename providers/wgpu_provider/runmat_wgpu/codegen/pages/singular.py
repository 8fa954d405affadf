"""``svd`` of pages by rotations of pairs of columns (one-sided Jacobi).

The method is that of `codegen.linear.jacobi`. Several threads share a pair: each has the sums over
some of the rows, and after a barrier all add up those of the others. A wide page is transposed.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.linear.text import FIRE, Area, Writer
from runmat_wgpu.codegen.pages.layout import LANES, Layout, check, layout, power
from runmat_wgpu.codegen.pages.rotations import AGAIN, ANGLE, FLAGS, PAIR, SWEEPS
from runmat_wgpu.codegen.pages.scaling import scaled
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader

#: Columns of a page, at most: a transposed one has no fewer rows.
COLUMNS = 64


@attrs.frozen
class Singular:
    """A template of ``svd_pages``.

    Attributes:
        vectors: whether all three factors are wanted.
        largest: whether the largest value alone is.
    """

    writer: Writer
    vectors: bool
    largest: bool

    @property
    def source(self) -> str:
        return self._shader(layout(self.writer, 16, 2 * 8 * 8, COLUMNS), 4).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n, pages)."""
        m, n, count = extents
        check(m, n)
        tall, k = max(m, n), min(m, n)
        rows, pairs = tall + k * self.vectors, power((k + 1) // 2)
        lanes = min(max(pairs * power(tall // 8), 8), LANES, self.writer.target.invocations)
        found = layout(self.writer, lanes, rows * k, COLUMNS)
        area = Area(rows, b=tall, rows=(int(m < n), 0), columns=(k, k))
        slots = ((3, 2, 1) if m < n else (1, 2, 3)) if self.vectors else (1,)
        binds = [Bind("slot", 0)], [*[Bind("slot", s) for s in slots], Bind("status")]
        wrote = max(m, n) * k if self.vectors else (1 if self.largest else k)
        shader = self._shader(found, found.lanes // pairs)
        return found.prepared(shader, area, count, binds, (m * n * count, wrote * count))

    def _shader(self, found: Layout, share: int) -> Shader:
        """The shader in which `share` threads have a pair."""
        scale, declared = scaled(found, "a[page * p.b * p.q0 + e]", "p.b * p.q0")
        declared += found.shared("lengths", each=COLUMNS) + FLAGS
        declared += found.shared("sums", each=3 * found.lanes)
        body = scale + self._begin(found) + self._sweeps(found, share) + self._finish(found)
        outputs = ("u", "s", "v") if self.vectors else ("s",)
        return found.shader(body, ("a",), (*outputs, "status"), declared)

    def _begin(self, found: Layout) -> str:
        """The scaled matrix with the identity below it."""
        t = self.writer.type
        return f"""\
  let m = p.b;
  let n = p.q0;
  let rows = p.ld;
  for (var e = lane; e < rows * n; e += {found.lanes}u) {{
    let row = e % rows;
    let column = e / rows;
    var one = select({t}(0), {t}(1), row - m == column);
    if (row < m) {{
      let at = select(column * m + row, row * n + column, p.r0 == 1u);
      one = a[page * m * n + at] * scale;
    }}
    w[base + e] = one;
  }}
  {found.sync}
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
"""

    def _sweeps(self, found: Layout, share: int) -> str:
        t = self.writer.type
        eps = float(np.finfo(np.float32 if self.writer.dtype == "f32" else float).eps)
        return f"""\
  let pair = lane / {share}u;
  let part = lane % {share}u;
  var turned = false;
  for (var sweep = 0u; sweep < {SWEEPS[self.writer.dtype]}u; sweep++) {{
    turned = false;
    for (var round = 0u; round < players; round++) {{
      let g = pair;
{PAIR}\
      let here = g < pairs && other < n;
      let x = base + one * rows;
      let y = base + other * rows;
      var xx = {t}(0);
      var yy = {t}(0);
      var xy = {t}(0);
      for (var i = part; i < select(0u, m, here); i += {share}u) {{
        let u = w[x + i];
        let v = w[y + i];
        xx += u * u;
        yy += v * v;
        xy += u * v;
      }}
      sums[3u * t] = xx;
      sums[3u * t + 1u] = yy;
      sums[3u * t + 2u] = xy;
      {found.sync}
      xx = {t}(0);
      yy = {t}(0);
      xy = {t}(0);
      for (var i = t - part; i < t - part + {share}u; i++) {{
        xx += sums[3u * i];
        yy += sums[3u * i + 1u];
        xy += sums[3u * i + 2u];
      }}
      let bound = {t}({eps!r}) * sqrt({t}(m)) * sqrt(xx) * sqrt(yy);
      if (here && abs(xy) > bound) {{
        var tangent = {t}(0);
        var s = {t}(0);
        var h = {t}(0);
{ANGLE.format(t=t)}\
        for (var i = part; i < rows; i += {share}u) {{
          let u = w[x + i];
          let v = w[y + i];
          w[x + i] = u - s * (v + h * u);
          w[y + i] = v + s * (u - h * v);
        }}
        turned = true;
        atomicOr(&moving, 1u);
      }}
      {found.sync}
    }}
{AGAIN}\
  }}
  if (turned) {{ {FIRE} }}
"""

    def _finish(self, found: Layout) -> str:
        """Each column to its place in the order of lengths."""
        t, lanes = self.writer.type, found.lanes
        vectors = f"""\
      for (var i = 0u; i < m; i++) {{
        u[(page * n + place) * m + i] = w[base + c * rows + i] / own;
      }}
      for (var i = 0u; i < n; i++) {{
        v[(page * n + place) * n + i] = w[base + c * rows + m + i];
        s[(page * n + place) * n + i] = select({t}(0), own / scale, i == place);
      }}
      if (own == 0) {{ {FIRE} }}
"""
        values = "      s[page * n + place] = own / scale;\n"
        if self.largest:
            values = "      if (place == 0u) { s[page] = own / scale; }\n"
        return f"""\
  for (var c = lane; c < n; c += {lanes}u) {{
    var sum = {t}(0);
    for (var i = 0u; i < m; i++) {{
      let one = w[base + c * rows + i];
      sum += one * one;
    }}
    lengths[q * {COLUMNS}u + c] = sqrt(sum);
  }}
  workgroupBarrier();
  if (inside) {{
    for (var c = lane; c < n; c += {lanes}u) {{
      let own = lengths[q * {COLUMNS}u + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {{
        let one = lengths[q * {COLUMNS}u + i];
        if (one > own || (one == own && i < c)) {{ place++; }}
      }}
      if (!finite(own / scale)) {{ {FIRE} }}
{vectors if self.vectors else values}\
    }}
  }}
"""
