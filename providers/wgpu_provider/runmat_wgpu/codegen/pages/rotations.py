"""``eig`` of symmetric pages by rotations of pairs of rows and columns (Jacobi).

The method is that of `codegen.linear.symmetric`: in every round each index meets another one, and
all pairs turn at once. A round is three steps here, angles, columns and rows, with a barrier after
each. When a sweep turned nothing in any page of the workgroup, the diagonals hold the eigenvalues.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.linear.text import FIRE, Area, Writer
from runmat_wgpu.codegen.pages.layout import Layout, check, layout, power
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader

#: Sweeps, at most. They end when one turns nothing, which takes long where values are graded or
#: equal; where the last one still does, host rules are asked.
SWEEPS = {"f32": 16, "f64": 20}
#: Pairs of a page, at most, and what is kept of one: sine, what the cosine lacks to one, and both
#: new elements of the diagonal.
PAIRS, KEPT = 32, 4
#: Which indices meet in a round; no ``other`` past the last one.
PAIR = """\
      let lower = select((round + g) % players, players, g == 0u);
      let upper = (round + players - g) % players;
      let one = min(lower, upper);
      let other = max(lower, upper);
"""
#: The angle that makes ``xy`` vanish, by its sine and what the cosine lacks to one, so that what is
#: lost to rounding is in proportion to the angle.
ANGLE = """\
        let z = (yy - xx) / (2 * xy);
        tangent = 1 / (abs(z) + sqrt(1 + z * z));
        if (abs(z) > {t}(1e8)) {{ tangent = {t}(0.5) / abs(z); }}
        if (z < 0) {{ tangent = -tangent; }}
        let c = 1 / sqrt(1 + tangent * tangent);
        s = c * tangent;
        h = s / (1 + c);
"""
#: Whether a page of the workgroup turned in a sweep; every thread gets the answer.
AGAIN = """\
    workgroupBarrier();
    if (t == 0u) {
      again = atomicLoad(&moving);
      atomicStore(&moving, 0u);
    }
    if (workgroupUniformLoad(&again) == 0u) { break; }
"""
FLAGS = "var<workgroup> moving: atomic<u32>;\nvar<workgroup> again: u32;\n"


@attrs.frozen
class Symmetric:
    """A template of ``eig_pages``."""

    writer: Writer
    vectors: bool

    @property
    def source(self) -> str:
        return self._shader(layout(self.writer, 8, 2 * 8 * 8, PAIRS * KEPT)).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n, pages)."""
        n, _, count = extents
        check(n, n)
        rows = n * (1 + self.vectors)
        found = layout(self.writer, power(n * n // 8), rows * n, PAIRS * KEPT)
        area = Area(rows, columns=(n, n))
        outputs = [Bind("slot", 1 + k) for k in range(1 + self.vectors)]
        binds = [Bind("slot", 0)], [*outputs, Bind("status")]
        wrote = n * n if self.vectors else n
        return found.prepared(
            self._shader(found), area, count, binds, (n * n * count, wrote * count)
        )

    def _shader(self, found: Layout) -> Shader:
        declared = found.shared("kept", each=PAIRS * KEPT) + FLAGS
        declared += found.shared("parts", each=found.lanes)
        body = self._begin(found) + self._sweeps(found) + self._finish(found)
        outputs = ("v", "d") if self.vectors else ("d",)
        return found.shader(body, ("a",), (*outputs, "status"), declared)

    def _begin(self, found: Layout) -> str:
        """The matrix with the identity below it, and what counts as zero."""
        t, lanes = self.writer.type, found.lanes
        eps = float(np.finfo(np.float32 if self.writer.dtype == "f32" else float).eps) / 4
        return f"""\
  let n = p.q0;
  let rows = p.ld;
  var most = {t}(0);
  for (var e = lane; e < rows * n; e += {lanes}u) {{
    let row = e % rows;
    let column = e / rows;
    var one = select({t}(0), {t}(1), row - n == column);
    if (row < n) {{
      one = a[(page * n + column) * n + row];
      most = max(most, abs(one));
      if (!(finite(one) && one == a[(page * n + row) * n + column])) {{ {FIRE} }}
    }}
    w[base + e] = one;
  }}
  parts[t] = most;
  {found.sync}
  for (var i = 0u; i < {lanes}u; i++) {{ most = max(most, parts[q * {lanes}u + i]); }}
  let limit = most * {t}({eps!r});
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
"""

    def _sweeps(self, found: Layout) -> str:
        lanes = found.lanes
        return f"""\
  var turned = false;
  for (var sweep = 0u; sweep < {SWEEPS[self.writer.dtype]}u; sweep++) {{
    turned = false;
    for (var round = 0u; round < players; round++) {{
{self._angles(found)}\
      {found.sync}
      for (var e = lane; e < pairs * rows; e += {lanes}u) {{
        let g = e / rows;
        let i = e % rows;
{_indented(PAIR)}\
        let at = (q * {PAIRS}u + g) * {KEPT}u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {{
          let u = w[base + one * rows + i];
          let v = w[base + other * rows + i];
          w[base + one * rows + i] = u - s * (v + h * u);
          w[base + other * rows + i] = v + s * (u - h * v);
        }}
      }}
      {found.sync}
{self._rows(found)}\
      {found.sync}
    }}
{AGAIN}\
  }}
  if (turned) {{ {FIRE} }}
"""

    def _angles(self, found: Layout) -> str:
        t = self.writer.type
        return f"""\
      for (var g = lane; g < pairs; g += {found.lanes}u) {{
{_indented(PAIR)}\
        var xx = {t}(0);
        var yy = {t}(0);
        var xy = {t}(0);
        if (other < n) {{
          xx = w[base + one * rows + one];
          yy = w[base + other * rows + other];
          xy = w[base + other * rows + one];
        }}
        var tangent = {t}(0);
        var s = {t}(0);
        var h = {t}(0);
        if (abs(xy) > limit) {{
{_indented(ANGLE.format(t=t))}\
          turned = true;
          atomicOr(&moving, 1u);
        }}
        let at = (q * {PAIRS}u + g) * {KEPT}u;
        kept[at] = s;
        kept[at + 1u] = h;
        kept[at + 2u] = xx - tangent * xy;
        kept[at + 3u] = yy + tangent * xy;
      }}
"""

    def _rows(self, found: Layout) -> str:
        """The rows of each pair; what joins the pair is zero then."""
        t = self.writer.type
        return f"""\
      for (var e = lane; e < pairs * n; e += {found.lanes}u) {{
        let g = e % pairs;
        let j = e / pairs;
{_indented(PAIR)}\
        let at = (q * {PAIRS}u + g) * {KEPT}u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {{
          let u = w[base + j * rows + one];
          let v = w[base + j * rows + other];
          var low = u - s * (v + h * u);
          var high = v + s * (u - h * v);
          if (j == one) {{
            low = kept[at + 2u];
            high = {t}(0);
          }} else if (j == other) {{
            low = {t}(0);
            high = kept[at + 3u];
          }}
          w[base + j * rows + one] = low;
          w[base + j * rows + other] = high;
        }}
      }}
"""

    def _finish(self, found: Layout) -> str:
        """Each eigenvalue to its place in ascending order, with its vector."""
        t = self.writer.type
        vectors = f"""\
      for (var i = 0u; i < n; i++) {{
        v[(page * n + place) * n + i] = w[base + c * rows + n + i];
        d[(page * n + place) * n + i] = select({t}(0), own, i == place);
      }}
"""
        values = "      d[page * n + place] = own;\n"
        return f"""\
  if (inside) {{
    for (var c = lane; c < n; c += {found.lanes}u) {{
      let own = w[base + c * rows + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {{
        let one = w[base + i * rows + i];
        if (one < own || (one == own && i < c)) {{ place++; }}
      }}
      if (!finite(own)) {{ {FIRE} }}
      place = min(place, n - 1u);
{vectors if self.vectors else values}\
    }}
  }}
"""


def _indented(text: str) -> str:
    """Two blanks more before every line."""
    return "".join(f"  {line}\n" for line in text.splitlines())
