"""``svd`` of pages by rotations of pairs of columns (one-sided Jacobi).

The method is that of `codegen.linear.jacobi`: reflections of the columns, the longest first,
leave a triangle, whose rows are turned, and what they become has the directions of right vectors,
which are refined. Several threads share a pair: each has the sums over some of the elements, and
after a barrier all add up those of the others. A wide page is transposed.
"""

from __future__ import annotations

from textwrap import indent

import attrs

from runmat_core.api.device import Addressing
from runmat_wgpu.codegen.householder.shaders import reflection
from runmat_wgpu.codegen.linear import rotation
from runmat_wgpu.codegen.linear.refinement import added
from runmat_wgpu.codegen.linear.rotation import KEPT
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.linear.turning import precision
from runmat_wgpu.codegen.pages.directions import directions, near
from runmat_wgpu.codegen.pages.layout import FEWEST, LANES, Layout, check, layout, power
from runmat_wgpu.codegen.pages.lefts import Lefts
from runmat_wgpu.codegen.pages.refinement import Square, orthogonal, product, sums
from runmat_wgpu.codegen.pages.scaling import scaled
from runmat_wgpu.codegen.pages.turning import (
    AGAIN,
    BESIDE,
    COLUMNS,
    FLAGS,
    PAIRS,
    SWEEPS,
    Turning,
)
from runmat_wgpu.codegen.shader import Bind, Prepared, Shader

#: In memory after the columns and what turned them: their products, and what turns those below
#: them, and two more squares.
_TURNED = Square("rows * n", "2u * n")
_BELOW = Square("rows * n + n", "2u * n")
_RIGHT, _BESIDE = Square("rows * n + 2u * n * n", "n"), Square("rows * n + 3u * n * n", "n")
#: Where an element of the page is, which may be transposed.
_AT = "select(column * m + row, row * n + column, p.r0 == 1u)"
#: The ``place`` of a column in the order of lengths.
_PLACE = """\
      let own = lengths[at_page + c];
      var place = 0u;
      for (var i = 0u; i < n; i++) {
        let one = lengths[at_page + i];
        if (one > own || (one == own && i < c)) { place++; }
      }
"""


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
        return self._shader(layout(self.writer, 16, 6 * 16 * 16, BESIDE + COLUMNS), 4).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n, pages)."""
        m, n, count = extents
        check(m, n)
        tall, k = max(m, n), min(m, n)
        rows, wide = tall + k, 3 * k
        # small pages of up to four columns share their shaders
        pairs = max(power((k + 1) // 2), 2 if tall < 2 * FEWEST else 1)
        lanes = min(max(pairs * power(tall // 8), 8), LANES, self.writer.target.invocations)
        found = layout(self.writer, lanes, rows * wide, BESIDE + COLUMNS)
        area = Area(rows, b=tall, rows=(int(m < n), 0), columns=(k, wide))
        slots = ((3, 2, 1) if m < n else (1, 2, 3)) if self.vectors else (1,)
        binds = (
            [Bind("slot", 0)],
            [*[Bind("slot", s) for s in slots], found.answered(1 + len(slots))],
        )
        wrote = tall * k if self.vectors else (1 if self.largest else k)
        shader = self._shader(found, found.lanes // pairs)
        made = found.prepared(shader, area, count, binds, (m * n * count, wrote * count))
        if not self.vectors:
            return made
        return Lefts(self.writer).after(made, (tall, k, count), Bind("slot", slots[0]))

    def _shader(self, found: Layout, share: int) -> Shader:
        """Return the shader in which `share` threads have a pair."""
        scale, declared = scaled(found, "a[page * p.b * p.q0 + e]", "p.b * p.q0")
        declared += found.shared("lengths", each=COLUMNS) + FLAGS
        declared += found.shared("sums", each=3 * found.lanes)
        declared += found.shared("kept", each=PAIRS * KEPT)
        declared += found.shared("diagonals", each=COLUMNS) + sums(self.writer)
        declared += reflection(self.writer.dtype)
        body = scale + self._begin(found) + self._norm(found) + self._triangle(found)
        body += self._sweeps(found, share) + self._directed(found)
        body += self._again(found) + self._finish(found)
        outputs = ("u", "s", "v") if self.vectors else ("s",)
        return found.shader(body, ("a",), (*outputs, found.answer), declared)

    def _norm(self, found: Layout) -> str:
        """Return what counts as small: the precision times the norm, by the number of columns."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  var squares = {t}(0);
  for (var e = lane; e < m * n; e += {lanes}u) {{
    let one = a[page * m * n + e] * scale;
    squares += one * one;
  }}
  parts[t] = squares;
  workgroupBarrier();
  squares = {t}(0);
  for (var i = 0u; i < {lanes}u; i++) {{ squares += parts[q * {lanes}u + i]; }}
  let small = {t}({precision(self.writer.dtype)!r}) * sqrt(squares) / {t}(n);
"""

    def _again(self, found: Layout) -> str:
        """Right vectors as they should be, and the columns that are their products."""
        zero = f"{self.writer.type}(0)"
        w = Square("0u", "rows")
        own = f"""\
    if (row == column) {{
      diagonals[at_page + row] = sum;
      {_TURNED.at()} = rest;
    }} else if (row < column) {{
      {_TURNED.at()} = sum + rest;
      {_TURNED.at("column", "row")} = sum + rest;
    }}
    {_BELOW.at()} = {zero};
"""
        columns = product(
            found,
            f"a[page * m * n + {_AT.replace('column', 'k')}] * scale",
            _RIGHT.at("k", "column"),
            f"{w.at()} = sum + rest;",
            rows="m",
        )
        lines = orthogonal(found, _BESIDE, _TURNED, _RIGHT) + columns
        lines += product(found, w.at("k", "row"), w.at("k", "column"), own, terms="m")
        turned = Turning(self.writer, squares=True).sweeps(
            found, SWEEPS[self.writer.dtype][1], "0.5"
        )
        lines += f"""\
  {{
    let from_ = base + rows * n;
    let base = from_;
    let rows = 2u * n;
{turned}\
  }}
  if (turned) {{ {self.writer.fire} }}
"""
        put = f"{_BESIDE.at()} = {_RIGHT.at()} + (sum + rest);"
        lines += product(found, _RIGHT.at("row", "k"), _BELOW.at("k", "column"), put)
        return lines + orthogonal(found, _BESIDE, _TURNED, _RIGHT) + columns

    def _begin(self, found: Layout) -> str:
        """Return the scaled matrix, and its columns in the order of lengths above the rest."""
        t, lanes = self.writer.type, found.lanes
        own = f"a[page * m * n + {_AT}] * scale"
        return f"""\
  let m = p.b;
  let n = p.q0;
  let rows = p.ld;
  let at_page = q * {COLUMNS}u;
  for (var column = lane; column < n; column += {lanes}u) {{
    var sum = {t}(0);
    for (var row = 0u; row < m; row++) {{
      let one = {own};
      sum += one * one;
    }}
    lengths[at_page + column] = sqrt(sum);
  }}
  workgroupBarrier();
  for (var c = lane; c < n; c += {lanes}u) {{
{_PLACE}\
    kept[at_page + c] = {t}(place);
  }}
  workgroupBarrier();
  for (var e = lane; e < m * n; e += {lanes}u) {{
    let row = e % m;
    let column = e / m;
    w[base + u32(kept[at_page + column]) * rows + row] = {own};
  }}
  {found.sync}
  let players = n + (n & 1u) - 1u;
  let pairs = (n + 1u) / 2u;
"""

    def _triangle(self, found: Layout) -> str:
        """Below the columns, the transposed triangle that reflections make of them."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  for (var j = 0u; j < n; j++) {{
    let line = base + j * rows;
    var below = {t}(0);
    for (var i = j + 1u; i < m; i++) {{ below += w[line + i] * w[line + i]; }}
    let made = reflection(w[line + j], below);
    if (lane == 0u) {{ diagonals[at_page + j] = made.diagonal; }}
    for (var c = j + 1u + lane; c < n; c += {lanes}u) {{
      let column = base + c * rows;
      let own = w[column + j];
      var dot = {t}(0);
      for (var i = j + 1u; i < m; i++) {{ dot += w[line + i] * w[column + i]; }}
      let share = made.scale * (made.lead * own + dot);
      for (var i = j + 1u; i < m; i++) {{ w[column + i] -= w[line + i] * share; }}
      w[column + j] = own - made.lead * share;
    }}
    {found.sync}
  }}
  for (var e = lane; e < n * n; e += {lanes}u) {{
    let row = e % n;
    let column = e / n;
    var one = {t}(0);
    let from_ = u32(kept[at_page + row]);
    if (from_ > column) {{ one = w[base + from_ * rows + column]; }}
    if (from_ == column) {{ one = diagonals[at_page + column]; }}
    w[base + column * rows + m + row] = one;
  }}
  {found.sync}
"""

    def _directed(self, found: Layout) -> str:
        """Return what was turned, by lengths and in their order, as an orthogonal matrix."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  if (turned) {{ {self.writer.fire} }}
{self._lengths(found, "m", "n")}\
  for (var c = lane; c < n; c += {lanes}u) {{
{_PLACE}\
    diagonals[at_page + place] = own;
    for (var i = 0u; i < n; i++) {{
      let one = w[base + c * rows + m + i];
      {_BESIDE.at("i", "place")} = select({t}(0), one / own, own > 0);
    }}
  }}
  {found.sync}
  {{
    let from_ = base + {_BESIDE.start};
    let base = from_;
    let m = n;
    let least = {t}({1 / near(self.writer.dtype)!r}) * small * {t}(n);
{directions(found, "diagonals", "kept")}\
  }}
"""

    def _lengths(self, found: Layout, first: str, count: str) -> str:
        """Return the lengths of so many elements of each column."""
        t, lanes = self.writer.type, found.lanes
        return f"""\
  for (var c = lane; c < n; c += {lanes}u) {{
    var sum = {t}(0);
    var rest = {t}(0);
    for (var i = {first}; i < {first} + {count}; i++) {{
      let one = w[base + c * rows + i];
{indent(added(self.writer.dtype, "one * one"), " " * 6)}\
    }}
    lengths[at_page + c] = sqrt(sum + rest);
  }}
  workgroupBarrier();
"""

    def _sweeps(self, found: Layout, share: int) -> str:
        t, near = self.writer.type, 16 * precision(self.writer.dtype)
        return f"""\
  let pair = lane / {share}u;
  let part = lane % {share}u;
  var turned = false;
  for (var sweep = 0u; sweep < {SWEEPS[self.writer.dtype][0]}u; sweep++) {{
    turned = false;
    for (var round = 0u; round < players; round++) {{
      let g = pair;
{rotation.pair("round", 3)}\
      let here = g < pairs && other < n;
      let x = base + one * rows + m;
      let y = base + other * rows + m;
      var xx = {t}(0);
      var yy = {t}(0);
      var xy = {t}(0);
      for (var i = part; i < select(0u, n, here); i += {share}u) {{
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
      let far = sqrt(max(xx, yy));
      let bound = far * max({t}({near!r}) * sqrt(min(xx, yy)), 2 * small * sqrt({t}(n)));
      if (here && abs(xy) > bound) {{
        var tangent = {t}(0);
        var s = {t}(0);
        var h = {t}(0);
        let apart = yy - xx;
{rotation.angle(t, 4)}\
        for (var i = part; i < n; i += {share}u) {{
{rotation.columns("x", "y", 5)}\
        }}
        turned = true;
        atomicOr(&moving, 1u);
      }}
      {found.sync}
    }}
{AGAIN}\
  }}
"""

    def _finish(self, found: Layout) -> str:
        """Each column to its place in the order of lengths, as it is: left vectors follow."""
        t, lanes = self.writer.type, found.lanes
        vectors = f"""\
      for (var i = 0u; i < m; i++) {{
        u[(page * n + place) * m + i] = w[base + c * rows + i];
      }}
      for (var i = 0u; i < n; i++) {{
        v[(page * n + place) * n + i] = {_RIGHT.at("i", "c")};
        s[(page * n + place) * n + i] = select({t}(0), own / scale, i == place);
      }}
"""
        values = "      s[page * n + place] = own / scale;\n"
        if self.largest:
            values = "      if (place == 0u) { s[page] = own / scale; }\n"
        return f"""\
{self._lengths(found, "0u", "m")}\
  if (inside) {{
    for (var c = lane; c < n; c += {lanes}u) {{
{_PLACE}\
      if (!finite(own / scale)) {{ {self.writer.fire} }}
{vectors if self.vectors else values}\
    }}
  }}
"""
