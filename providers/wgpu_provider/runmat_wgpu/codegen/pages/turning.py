"""Sweeps over pages: rotations of pairs of rows and columns (see `codegen.linear.turning`).

A round is three steps, angles, columns and rows, with a barrier after each.
"""

from __future__ import annotations

import attrs

from runmat_wgpu.codegen.linear.text import Writer
from runmat_wgpu.codegen.linear.turning import FAR
from runmat_wgpu.codegen.pages.layout import Layout

#: Sweeps of both stages, at most. They end when one turns nothing, which takes long where values
#: are graded or equal; where the last one of all still turns much, host rules are asked.
SWEEPS = {"f32": (16, 6), "f64": (18, 6)}
#: Pairs of a page, at most, and what is kept of one: sine, what the cosine lacks to one, and both
#: new elements of the diagonal.
PAIRS, KEPT = 32, 4
#: Columns of a page, at most, and elements that are kept beside it.
COLUMNS = 64
BESIDE = PAIRS * KEPT + COLUMNS
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
        let z = apart / (2 * xy);
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
class Turning:
    """Sweeps over ``w`` from ``base`` on: columns of ``rows`` elements, which are a matrix of ``n``
    columns without its diagonal, and below it the product without the identity.

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
{_indented(PAIR)}\
        let at = (q * {PAIRS}u + g) * {KEPT}u;
        let s = kept[at];
        let h = kept[at + 1u];
        if (other < n && s != 0) {{
          let u = w[base + one * rows + i];
          let v = w[base + other * rows + i];
          let whole = u + select({t}(0), {t}(1), i == n + one);
          let along = v + select({t}(0), {t}(1), i == n + other);
          w[base + one * rows + i] = u - s * (along + h * whole);
          w[base + other * rows + i] = v + s * (whole - h * along);
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
{_indented(PAIR)}\
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
{_indented(ANGLE.format(t=t))}\
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


def _indented(text: str) -> str:
    """Two blanks more before every line."""
    return "".join(f"  {line}\n" for line in text.splitlines())
