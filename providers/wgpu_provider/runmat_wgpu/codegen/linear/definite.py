"""``chol``: factors of positive definite matrices, panel by panel.

The factor is written over a copy of the triangle that is read. Of each panel every workgroup
factorises the block on the diagonal for itself, which takes as long as one of them would and no
dispatch of its own; then each row below the block is a thread's, in registers. A second dispatch
updates what follows. Blocks are put in place in the end, for while a panel runs, others read them.
The upper factor is the lower one with rows and columns exchanged.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.linear.text import FIRE, TILE, WIDE, Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader


@attrs.frozen
class Cholesky:
    """A template of ``chol``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    lower: bool

    @property
    def source(self) -> str:
        return self._panel().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n)."""
        n, writer = extents[0], self.writer
        width = STORED_BYTES[writer.dtype]
        whole = n * n * width
        if whole > writer.target.binding_bytes:
            raise DeviceFault(f"A {n}x{n} matrix is too large to factorise on this device.")
        a, w, status = Bind("slot", 0), Bind("slot", 1), Bind("status")
        blocks = Bind("scratch", 0)
        steps = [Dispatch(self._begin(), writer.over(n * n), (a, w), Area(n).words)]
        for j in range(0, n, WIDE):
            b = min(WIDE, n - j)
            rest = (j + b, n)
            area = Area(n, j, b, rest, rest)
            grid = writer.over(n - j - b)
            steps.append(Dispatch(self._panel(), grid, (w, blocks, status), area.words))
            if j + b < n:
                steps.append(Dispatch(self._update(), writer.tiles(area), (w,), area.words))
        steps.append(Dispatch(self._finish(), writer.over(n * WIDE), (blocks, w), Area(n).words))
        return Prepared(tuple(steps), (n * WIDE * width,), (), whole, whole)

    def _at(self, row: str, column: str) -> str:
        """Where an element of the lower factor lies."""
        return f"({column}) * p.ld + {row}" if self.lower else f"({row}) * p.ld + {column}"

    def _begin(self) -> Shader:
        kept = "e % p.ld >= e / p.ld" if self.lower else "e % p.ld <= e / p.ld"
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  if (e < p.ld * p.ld) {{
    var one = {self.writer.type}(0);
    if ({kept}) {{ one = a[e]; }}
    w[e] = one;
  }}
"""
        return self.writer.shader(body, ("a",), ("w",))

    def _panel(self) -> Shader:
        """Return the factor of the block, and rows below times the inverse of its transpose."""
        t, threads = self.writer.type, self.writer.threads
        own = f"w[{self._at('row', 'p.j + {c}')}]"
        through = self.writer.through(own, own, True)
        body = f"""\
  let k = t % {WIDE}u;
  let group = t / {WIDE}u;
  for (var c = group; c < p.b; c += {threads // WIDE}u) {{
    if (k >= c && k < p.b) {{ d[c * {WIDE}u + k] = w[{self._at("p.j + k", "p.j + c")}]; }}
  }}
  for (var c = 0u; c < p.b; c++) {{
    workgroupBarrier();
    let pivot = d[c * {WIDE + 1}u];
    if (finite(pivot) && pivot > 0) {{
    }} else if (t == 0u && g == 0u) {{
      {FIRE}
    }}
    let root = sqrt(pivot);
    if (group == 0u) {{ line[k] = select(d[c * {WIDE}u + k] / root, root, k == c); }}
    workgroupBarrier();
    for (var q = c + 1u + group; q < p.b; q += {threads // WIDE}u) {{
      d[q * {WIDE}u + k] -= line[k] * line[q];
    }}
    if (group == 0u) {{ d[c * {WIDE}u + k] = line[k]; }}
  }}
  workgroupBarrier();
  if (g == 0u) {{
    for (var e = t; e < p.b * {WIDE}u; e += {threads}u) {{ blocks[p.j * {WIDE}u + e] = d[e]; }}
  }}
  let row = p.r0 + g * {threads}u + t;
  if (row >= p.r1) {{ return; }}
{through}"""
        declared = f"""\
var<workgroup> d: array<{t}, {WIDE * WIDE}>;
var<workgroup> line: array<{t}, {WIDE}>;
"""
        return self.writer.shader(body, (), ("w", "blocks", "status"), declared)

    def _finish(self) -> Shader:
        """Return the blocks into their places."""
        place = self._at("column / wide * wide + row", "column")
        body = f"""\
  let wide = {WIDE}u;
  let e = g * {self.writer.threads}u + t;
  let column = e / wide;
  let row = e % wide;
  if (row >= column % wide && column < p.ld && column / wide * wide + row < p.ld) {{
    w[{place}] = blocks[e];
  }}
"""
        return self.writer.shader(body, ("blocks",), ("w",))

    def _update(self) -> Shader:
        if self.lower:
            left, right = "(p.j + c) * p.ld + row", "(p.j + c) * p.ld + column"
            outside = f"first + {TILE - 1}u < start"
            return self.writer.update(left, right, "row >= column", outside)
        left, right = "row * p.ld + p.j + c", "column * p.ld + p.j + c"
        outside = f"first > start + {TILE - 1}u"
        return self.writer.update(left, right, "row <= column", outside)
