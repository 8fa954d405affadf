"""Sweeps over pages: rotations of pairs of rows and columns (see `codegen.linear.turning`).

A round is three steps, angles, columns and rows, with a barrier after each.
"""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.linear import rotation
from runmat_wgpu.codegen.linear.rotation import KEPT
from runmat_wgpu.codegen.linear.text import Writer
from runmat_wgpu.codegen.linear.turning import FAR
from runmat_wgpu.codegen.pages.layout import Layout

#: Sweeps of both stages, at most. They end when one turns nothing, which takes long where values
#: are graded or equal; where the last one of all still turns much, host rules are asked.
SWEEPS = {"f32": (16, 6), "f64": (18, 6)}
#: Pairs of a page, at most.
PAIRS = 32
#: Columns of a page, at most, and elements that are kept beside it.
COLUMNS = 64
BESIDE = PAIRS * KEPT + COLUMNS
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
class Turning:
    """Sweeps over ``w`` from ``base`` on, by columns of ``rows`` elements.

    These are a matrix of ``n`` columns without its diagonal, and below it the product without the
    identity.

    Attributes:
        squares: the matrix has products of columns, so what counts as zero is told by the length of
            the longer one.
    """

    writer: Writer
    squares: bool

    def sweeps(self, found: Layout, count: int, times: str) -> str:
        """So many sweeps; elements count as zero up to so many times what is `small`."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  for (var sweep = 0u; sweep < {count}u; sweep++) {{
    let limit = small * {t}({times});
    turned = false;
    for (var round = 0u; round < players; round++) {{
{self._angles(found)}\
      {found.sync}
      for (var e = lane; e < pairs * rows; e += {lanes}u) {{
        let g = e / rows;
        let i = e % rows;
{rotation.pair("round", 4)}\
        let at = (q * {PAIRS}u + g) * {KEPT}u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {{
          let x = base + one * rows;
          let y = base + other * rows;
{rotation.columns_above(t, "n", "x", "y", 5)}\
        }}
      }}
      {found.sync}
{self._rows(found)}\
      {found.sync}
    }}
{AGAIN}\
  }}
"""

    def _angles(self, found: Layout) -> str:
        t = self.writer.type
        longer = " * sqrt(max(max(own + xx, after + yy), 0))" if self.squares else ""
        return f"""\
      for (var g = lane; g < pairs; g += {found.lanes}u) {{
{rotation.pair("round", 4)}\
        var xx = {t}(0);
        var yy = {t}(0);
        var xy = {t}(0);
        var own = {t}(0);
        var after = {t}(0);
        if (other < n) {{
          xx = w[base + one * rows + one];
          yy = w[base + other * rows + other];
          xy = w[base + other * rows + one];
          own = diagonals[at_page + one];
          after = diagonals[at_page + other];
        }}
        let apart = (after - own) + (yy - xx);
        var tangent = {t}(0);
        var s = {t}(0);
        var h = {t}(0);
        if (abs(xy) > limit{longer}) {{
{rotation.angle(t, 5)}\
          turned = turned || abs(xy) > {FAR} * limit{longer};
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
        """Return the rows of each pair; what joins the pair is zero then."""
        t = self.writer.type
        return f"""\
      for (var e = lane; e < pairs * n; e += {found.lanes}u) {{
        let g = e % pairs;
        let j = e / pairs;
{rotation.pair("round", 4)}\
        let at = (q * {PAIRS}u + g) * {KEPT}u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {{
          let column = base + j * rows;
{rotation.rows(t, "column", "at", 5)}\
        }}
      }}
"""
