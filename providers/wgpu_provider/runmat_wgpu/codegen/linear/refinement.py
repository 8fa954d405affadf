"""Products that undo what rotations lost to rounding.

Each rotation rounds what it turns, and after many of them that is much more than the precision.
The product of all rotations is made orthogonal again by a step of Newton's method, and the matrix
that it makes diagonal is computed anew from the original one. What is not zero there yet is small,
and so is what rotations lose that remove it.

What is lost when few terms are added to a sum is kept beside it. So rounding does not depend on how
many there are, and what a sum differs from one by is known to the precision of the difference.

Source of the step: Higham, Functions of Matrices, section 8.3.
"""

from __future__ import annotations

from textwrap import indent

import attrs

from runmat_wgpu.codegen.linear.text import TILE, Area, Writer
from runmat_wgpu.codegen.scalars import library
from runmat_wgpu.codegen.shader import Bind, Dispatch, Shader

#: How deep a product goes at a time, and how many terms are added without care.
_DEEP, _FEW = 8, 2
#: Rows that are summed in one dispatch where columns are multiplied by one another.
SLICE = 2048


def added(dtype: str, term: str, lost: str = "") -> str:
    """Statements that add a term to ``sum``, and to ``rest`` what that loses, or was `lost`."""
    return f"""\
let both = sum_{dtype}(sum, {term});
sum = both.x;
rest += both.y{lost and f" + {lost}"};
"""


@attrs.frozen
class Part:
    """Where a factor lies: columns `ld` elements apart from `offset` on."""

    bind: Bind
    ld: int
    offset: int = 0


@attrs.frozen
class Refinement:
    """Writes the dispatches for a matrix of `n` columns.

    Words of a dispatch: the left factor has its columns ``ld`` apart from ``r0`` on, the right one
    ``j`` apart from ``q0`` on, and ``b`` terms are summed for ``r1`` rows and ``q1`` columns.
    """

    writer: Writer
    n: int

    def orthogonal(
        self,
        v: Part,
        own: tuple[Bind, Bind],
        out: Bind,
        rows: int,
        whole: bool = False,
        first: bool = False,
    ) -> list[Dispatch]:
        """Return a matrix with columns nearer to orthogonal than those of `v`.

        Args:
            own: memory for `parts` numbers, and for what products of columns lack to the identity.
            rows: how many `v` has.
            whole: the identity is to be added to `v`.
            first: of two columns the first one stays and the other one moves; otherwise both do.
        """
        parts, g = own
        return [
            *self._products(v, v, parts, (g,), rows, whole, first),
            self.moved(v, Part(g, self.n), out, rows, half=True, whole=whole),
        ]

    def moved(
        self, x: Part, e: Part, out: Bind, rows: int, half: bool = False, whole: bool = False
    ) -> Dispatch:
        """``x + x * e``, or of `half` of ``e``; with `whole` the identity is to be added to x."""
        own = "a[p.r0 + column * p.ld + row]"
        if whole:
            t = self.writer.type
            own = f"({own} + select({t}(0), {t}(1), row == column))"
        text = f"c[column * p.r1 + row] = {own} + (sum + rest){' / 2' if half else ''};"
        shader = self._shader(text, whole=whole)
        return self._dispatch(shader, x, e, out, (rows, self.n, self.n))

    def product(self, a: Part, v: Bind, out: Bind, sizes: tuple[int, int]) -> Dispatch:
        """Return ``a * v``, of so many rows and terms."""
        shader = self._shader("c[column * p.r1 + row] = sum + rest;")
        return self._dispatch(shader, a, Part(v, self.n), out, (sizes[0], self.n, sizes[1]))

    def parts(self, rows: int) -> int:
        """How many numbers `apart` keeps for a matrix of so many rows."""
        return 2 * -(-rows // SLICE) * self.n * self.n

    def apart(
        self, x: Part, y: Part, parts: Bind, outs: tuple[Bind, Bind], rows: int
    ) -> list[Dispatch]:
        """``x' * y``, which is symmetric: its diagonal, and the rest above zeros.

        Args:
            parts: memory for sums over slices of rows.
            outs: the diagonal, and the matrix.
        """
        return self._products(x, y, parts, outs, rows)

    def _products(
        self,
        x: Part,
        y: Part,
        parts: Bind,
        outs: tuple[Bind, ...],
        rows: int,
        whole: bool = False,
        first: bool = False,
    ) -> list[Dispatch]:
        n, count = self.n, -(-rows // SLICE)
        text = "let at = 2 * ((slice * p.q1 + column) * p.r1 + row); c[at] = sum; c[at + 1] = rest;"
        shader = self._shader(text, across=True, same=x == y, sliced=True, whole=whole)
        begun = self._dispatch(shader, x, y, parts, (n, n, rows), count)
        area = Area(n, b=count, rows=(0, n), columns=(0, n))
        if len(outs) == 1:
            lacking = self._lacking(first)
            last = Dispatch(lacking, self.writer.over(n * n), (parts, *outs), area.words)
        else:
            last = Dispatch(self._joined(), self.writer.over(2 * n * n), (parts, *outs), area.words)
        return [begun, last]

    def _dispatch(
        self,
        shader: Shader,
        left: Part,
        right: Part,
        out: Bind,
        sizes: tuple[int, int, int],
        slices: int = 1,
    ) -> Dispatch:
        rows, columns, terms = sizes
        area = Area(left.ld, right.ld, terms, (left.offset, rows), (right.offset, columns))
        tiles = -(-rows // TILE) * -(-columns // TILE)
        binds = (left.bind, *((right.bind,) if len(shader.access) > 2 else ()), out)
        return Dispatch(shader, self.writer.grid(tiles * slices), binds, area.words)

    def _shader(
        self,
        put: str,
        across: bool = False,
        same: bool = False,
        sliced: bool = False,
        whole: bool = False,
    ) -> Shader:
        """Return the product of factors ``a`` and ``r`` in tiles, each element of which is ``put``.

        Args:
            put: a statement; the element of a ``row`` and a ``column`` is ``sum``, but for a small
                ``rest``.
            across: the left factor is transposed.
            same: both are one.
            sliced: a workgroup has the terms of a slice, not all.
            whole: the left factor lacks the identity, and so does the right one where it is the
                same.
        """
        t, side, each = self.writer.type, TILE, TILE // 16
        cells = [f"{u}{v}" for v in range(each) for u in range(each)]
        zeros = "".join(f"  var s{c} = {t}(0);\n  var e{c} = {t}(0);\n" for c in cells)
        few = "".join(f"      var n{c} = {t}(0);\n" for c in cells)
        loads = "".join(
            f"        let l{u} = lefts[c * {side}u + x + {16 * u}u];\n"
            f"        let r{u} = rights[c * {side}u + y + {16 * u}u];\n"
            for u in range(each)
        )
        sums = "".join(f"        n{c} += l{c[0]} * r{c[1]};\n" for c in cells)
        joined = "".join(
            f"      let t{c} = sum_{self.writer.dtype}(s{c}, n{c});\n"
            f"      s{c} = t{c}.x;\n      e{c} += t{c}.y;\n"
            for c in cells
        )
        stores = "".join(
            f"  put(x0 + {16 * int(c[0])}u, y0 + {16 * int(c[1])}u, slice, s{c}, e{c});\n"
            for c in cells
        )
        ones = [
            f" + select({t}(0), {t}(1), k == {name})" if there else ""
            for name, there in (("row", whole), ("column", whole and same))
        ]
        right = "a" if same else "r"
        left = "row * p.ld + k" if across else "k * p.ld + row"
        body = f"""\
  let tall = (p.r1 + {side - 1}u) / {side}u;
  let wide = (p.q1 + {side - 1}u) / {side}u;
  let slice = g / (tall * wide);
  let begin = slice * {SLICE if sliced else 0}u;
  if ({"begin >= p.b" if sliced else "slice > 0u"}) {{ return; }}
  let end = {f"min(p.b, begin + {SLICE}u)" if sliced else "p.b"};
  let x0 = (g % tall) * {side}u + t % 16u;
  let y0 = (g / tall % wide) * {side}u + t / 16u;
  let x = t % 16u;
  let y = t / 16u;
{zeros}\
  for (var depth = begin; depth < end; depth += {_DEEP}u) {{
    workgroupBarrier();
    for (var e = t; e < {side * _DEEP}u; e += 256u) {{
      let k = depth + e / {side}u;
      let row = x0 - x + e % {side}u;
      let column = y0 - y + e % {side}u;
      var one = {t}(0);
      var other = {t}(0);
      if (k < end && row < p.r1) {{ one = a[p.r0 + {left}]{ones[0]}; }}
      if (k < end && column < p.q1) {{ other = {right}[p.q0 + column * p.j + k]{ones[1]}; }}
      lefts[e] = one;
      rights[e] = other;
    }}
    workgroupBarrier();
    for (var c0 = 0u; c0 < {_DEEP}u; c0 += {_FEW}u) {{
{few}\
      for (var c = c0; c < c0 + {_FEW}u; c++) {{
{loads}{sums}      }}
{joined}    }}
  }}
{stores}"""
        declared = f"""\
{self._sums}\
var<workgroup> lefts: array<{t}, {side * _DEEP}>;
var<workgroup> rights: array<{t}, {side * _DEEP}>;
fn put(row: u32, column: u32, slice: u32, sum: {t}, rest: {t}) {{
  if (row < p.r1 && column < p.q1) {{ {put} }}
}}
"""
        reads = ("a",) if same else ("a", "r")
        return self.writer.shader(body, reads, ("c",), declared, 256)

    def _joined(self) -> Shader:
        """Return the diagonal of products, and the others, the same on both sides, above zeros."""
        t = self.writer.type
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % (2 * p.ld);
  let column = e / (2 * p.ld);
  if (column >= p.q1) {{ return; }}
  var sum = {t}(0);
  var rest = {t}(0);
  if (row < p.ld) {{
{self._whole()}  }}
  if (row == column) {{
    diagonal[row] = sum;
    sum = {t}(0);
  }}
  w[e] = sum + rest;
"""
        return self.writer.shader(body, ("parts",), ("diagonal", "w"), self._sums)

    def _lacking(self, first: bool) -> Shader:
        """Return what products lack to the identity.

        Where the `first` ones stay, it is twice that above the diagonal.
        """
        t = self.writer.type
        kept = f"select(select({t}(0), 2 * lacking, row < column), lacking, row == column)"
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.ld;
  let column = e / p.ld;
  if (column >= p.q1) {{ return; }}
  var sum = {t}(0);
  var rest = {t}(0);
{self._whole()}\
  let lacking = (select({t}(0), {t}(1), row == column) - sum) - rest;
  c[e] = {kept if first else "lacking"};
"""
        return self.writer.shader(body, ("parts",), ("c",), self._sums)

    def _whole(self) -> str:
        """Statements that add up the parts of an element, the same on both sides."""
        return f"""\
    let place = max(row, column) * p.ld + min(row, column);
    for (var slice = 0u; slice < p.b; slice++) {{
      let at = 2 * (slice * p.ld * p.ld + place);
{indent(added(self.writer.dtype, "parts[at]", "parts[at + 1u]"), " " * 6)}\
    }}
"""

    @property
    def _sums(self) -> str:
        """The function that adds, and tells what is lost."""
        return library.closure([f"sum_{self.writer.dtype}"], library.layers(self.writer.target))
