"""Left vectors of pages, from columns that are nearly orthogonal, the longest first.

Most columns tell their direction, and what they lack to orthogonal ones is small: the later one of
two gives way. Directions of short ones are found by `directions`.
"""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.pages.directions import directions, near
from runmat_wgpu.codegen.pages.layout import Layout, layout, power
from runmat_wgpu.codegen.pages.refinement import Square, product, sums
from runmat_wgpu.codegen.pages.turning import COLUMNS
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader


@attrs.frozen
class Lefts:
    """What follows the columns of ``svd_pages``."""

    writer: Writer

    def after(self, made: Prepared, sizes: tuple[int, int, int], u: Bind) -> Prepared:
        """Return a launch with dispatches that make left vectors of the columns that it writes.

        Args:
            sizes: rows, columns and pages of `u`.
        """
        m, n, count = sizes
        found = layout(self.writer, power(m * n // 8), 2 * m * n, 2 * COLUMNS)
        area = Area(m, columns=(n, 2 * n))
        more = found.prepared(self._shader(found), area, count, ([], [u]), (0, m * n * count))
        steps = [
            attrs.evolve(
                step,
                binds=tuple(
                    attrs.evolve(b, index=len(made.scratch)) if b.source == "scratch" else b
                    for b in step.binds
                ),
            )
            for step in more.dispatches
        ]
        scratch = (*made.scratch, *more.scratch)
        return attrs.evolve(made, dispatches=(*made.dispatches, *steps), scratch=scratch)

    def _shader(self, found: Layout) -> Shader:
        declared = found.shared("lengths", "dots", each=COLUMNS) + sums(self.writer)
        body = self._begin(found) + directions(found, "lengths", "dots") + self._ended(found)
        return found.shader(body, (), ("u",), declared)

    def _begin(self, found: Layout) -> str:
        """Return the columns by their lengths."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  let m = p.ld;
  let n = p.q0;
  let at_page = q * {COLUMNS}u;
  for (var c = lane; c < n; c += {lanes}u) {{
    var sum = {t}(0);
    for (var i = 0u; i < m; i++) {{
      let one = u[(page * n + c) * m + i];
      sum += one * one;
    }}
    lengths[at_page + c] = sqrt(sum);
  }}
  workgroupBarrier();
  var squares = {t}(0);
  for (var c = 0u; c < n; c++) {{ squares += lengths[at_page + c] * lengths[at_page + c]; }}
  // what longer ones lack to orthogonal ones has a square below the precision
  let least = {t}({near(self.writer.dtype)!r}) * sqrt(squares);
  for (var e = lane; e < m * n; e += {lanes}u) {{
    let length = lengths[at_page + e / m];
    w[base + e] = select({t}(0), u[page * m * n + e] / length, length > 0);
  }}
  {found.sync}
"""

    def _ended(self, found: Layout) -> str:
        t = self.writer.type
        w, g = Square("0u", "m"), Square("m * n", "n")
        lacking = f"""\
    let lacking = (select({t}(0), {t}(1), row == column) - sum) - rest;
    {g.at()} = select(select({t}(0), lacking, row < column), lacking / 2, row == column);
"""
        lines = product(found, w.at("k", "row"), w.at("k", "column"), lacking, terms="m")
        put = f"if (inside) {{ u[page * m * n + e] = {w.at()} + (sum + rest); }}"
        return lines + product(found, w.at("row", "k"), g.at("k", "column"), put, rows="m")
