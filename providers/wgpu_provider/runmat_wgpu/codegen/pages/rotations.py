"""``eig`` of symmetric pages by rotations of pairs of rows and columns (Jacobi).

The method is that of `codegen.linear.symmetric`. A stage is over when a sweep turned nothing in any
page of the workgroup.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.linear.rotation import KEPT
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.linear.turning import precision
from runmat_wgpu.codegen.pages.layout import Layout, check, layout, power
from runmat_wgpu.codegen.pages.refinement import Square, orthogonal, product, sums
from runmat_wgpu.codegen.pages.turning import (
    BESIDE,
    COLUMNS,
    FLAGS,
    PAIRS,
    SWEEPS,
    Turning,
)
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader


@attrs.frozen
class Symmetric:
    """A template of ``eig_pages``."""

    writer: Writer
    vectors: bool

    @property
    def source(self) -> str:
        return self._shader(layout(self.writer, 8, 4 * 16 * 16, BESIDE)).source

    @property
    def _turning(self) -> Turning:
        return Turning(self.writer, squares=False)

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n, pages)."""
        n, _, count = extents
        check(n, n)
        found = layout(self.writer, power(n * n // 8), 4 * n * n, BESIDE)
        area = Area(2 * n, columns=(n, 2 * n))
        outputs = [Bind("slot", 1 + k) for k in range(1 + self.vectors)]
        binds = [Bind("slot", 0)], [*outputs, found.answered(2 + self.vectors)]
        wrote = n * n if self.vectors else n
        moved = n * n * count, wrote * count
        return found.prepared(self._shader(found), area, count, binds, moved)

    def _shader(self, found: Layout) -> Shader:
        declared = found.shared("kept", each=PAIRS * KEPT) + FLAGS + sums(self.writer)
        declared += found.shared("parts", each=found.lanes)
        declared += found.shared("diagonals", each=COLUMNS)
        first, last = SWEEPS[self.writer.dtype]
        body = self._begin(found) + self._turning.sweeps(found, first, "8") + self._again(found)
        body += self._turning.sweeps(found, last, "0.5") + self._ended(found) + self._finish(found)
        outputs = ("v", "d") if self.vectors else ("d",)
        return found.shader(body, ("a",), (*outputs, found.answer), declared)

    def _begin(self, found: Layout) -> str:
        """Return the matrix without its diagonal above zeros, and its norm."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  let n = p.q0;
  let rows = p.ld;
  let at_page = q * {COLUMNS}u;
  var most = {t}(0);
  for (var e = lane; e < rows * n; e += {lanes}u) {{
    let row = e % rows;
    let column = e / rows;
    var one = {t}(0);
    if (row < n) {{
      one = a[(page * n + column) * n + row];
      most = max(most, abs(one));
      if (!(finite(one) && one == a[(page * n + row) * n + column])) {{ {self.writer.fire} }}
    }}
    if (row == column) {{
      diagonals[at_page + row] = one;
      one = {t}(0);
    }}
    w[base + e] = one;
  }}
  parts[t] = most;
  {found.sync}
  for (var i = 0u; i < {lanes}u; i++) {{ most = max(most, parts[q * {lanes}u + i]); }}
  workgroupBarrier();
  var squares = {t}(0);
  if (most > 0) {{
    for (var e = lane; e < n * n; e += {lanes}u) {{
      let one = a[page * n * n + e] / most;
      squares += one * one;
    }}
  }}
  parts[t] = squares;
  workgroupBarrier();
  squares = {t}(0);
  for (var i = 0u; i < {lanes}u; i++) {{ squares += parts[q * {lanes}u + i]; }}
  let small = most * {t}({precision(self.writer.dtype)!r}) * sqrt(squares) / {t}(n);
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
  var turned = false;
"""

    def _again(self, found: Layout) -> str:
        """Return the matrix from the original one and the rotations as they should be."""
        v, x = Square("2u * n * n", "n"), Square("3u * n * n", "n")
        above, below = Square("0u", "rows"), Square("n", "rows")
        lines = orthogonal(found, below, x, v, whole=True)
        lines += product(
            found, "a[(page * n + k) * n + row]", v.at("k", "column"), f"{x.at()} = sum + rest;"
        )
        own = f"""\
    if (row == column) {{
      diagonals[at_page + row] = sum;
      {above.at()} = rest;
    }} else if (row < column) {{
      {above.at()} = sum + rest;
      {above.at("column", "row")} = sum + rest;
    }}
    {below.at()} = {self.writer.type}(0);
"""
        return lines + product(found, v.at("k", "row"), x.at("k", "column"), own)

    def _ended(self, found: Layout) -> str:
        """All of the diagonal, and vectors in the lower half."""
        v, x = Square("2u * n * n", "n"), Square("3u * n * n", "n")
        above, below = Square("0u", "rows"), Square("n", "rows")
        lines = f"""\
  if (turned) {{ {self.writer.fire} }}
  for (var i = lane; i < n; i += {found.lanes}u) {{
    diagonals[at_page + i] += {above.at("i", "i")};
  }}
  {found.sync}
"""
        if not self.vectors:
            return lines
        lines += product(
            found, v.at("row", "k"), below.at("k", "column"), f"{x.at()} = {v.at()} + (sum + rest);"
        )
        return lines + orthogonal(found, x, above, below)

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
      let own = diagonals[at_page + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {{
        let one = diagonals[at_page + i];
        if (one < own || (one == own && i < c)) {{ place++; }}
      }}
      if (!finite(own)) {{ {self.writer.fire} }}
      place = min(place, n - 1u);
{vectors if self.vectors else values}\
    }}
  }}
"""
