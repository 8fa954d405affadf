"""``chol``: factors of positive definite matrices, panel by panel.

The factor is written over a copy of the triangle that is read. Of each panel one workgroup
factorises the block on the diagonal, then each row below it is a thread's, then what follows is
updated. The upper factor is the lower one with rows and columns exchanged.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.linear.text import FEW, FIRE, WIDE, Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader


@attrs.frozen
class Cholesky:
    """A template of ``chol``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    lower: bool

    @property
    def source(self) -> str:
        return self._diagonal().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n)."""
        n, writer = extents[0], self.writer
        whole = n * n * STORED_BYTES[writer.dtype]
        if whole > writer.target.binding_bytes:
            raise DeviceFault(f"A {n}x{n} matrix is too large to factorise on this device.")
        a, w, status = Bind("slot", 0), Bind("slot", 1), Bind("status")
        steps = [Dispatch(self._begin(), writer.over(n * n), (a, w), Area(n).words)]
        for j in range(0, n, WIDE):
            b = min(WIDE, n - j)
            rest = (j + b, n)
            area = Area(n, j, b, rest, rest)
            steps.append(Dispatch(self._diagonal(), (1, 1, 1), (w, status), area.words))
            if j + b < n:
                grid = writer.grid(-(-(n - j - b) // FEW))
                steps.append(Dispatch(self._panel(), grid, (w,), area.words))
                steps.append(Dispatch(self._update(), writer.tiles(area), (w,), area.words))
        return Prepared(tuple(steps), (), (), whole, whole)

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

    def _diagonal(self) -> Shader:
        t, threads = self.writer.type, self.writer.threads
        place = self._at("p.j + row", "p.j + column")
        body = f"""\
  for (var e = t; e < p.b * p.b; e += {threads}u) {{
    let row = e % p.b;
    let column = e / p.b;
    if (row >= column) {{ d[column * {WIDE}u + row] = w[{place}]; }}
  }}
  for (var c = 0u; c < p.b; c++) {{
    workgroupBarrier();
    let pivot = d[c * {WIDE + 1}u];
    if (finite(pivot) && pivot > 0) {{
    }} else if (t == 0u) {{
      {FIRE}
    }}
    let root = sqrt(pivot);
    workgroupBarrier();
    if (t == c) {{
      d[c * {WIDE + 1}u] = root;
    }} else if (t > c && t < p.b) {{
      d[c * {WIDE}u + t] /= root;
    }}
    workgroupBarrier();
    for (var e = t; e < p.b * p.b; e += {threads}u) {{
      let row = e % p.b;
      let column = e / p.b;
      if (row >= column && column > c) {{
        d[column * {WIDE}u + row] -= d[c * {WIDE}u + row] * d[c * {WIDE}u + column];
      }}
    }}
  }}
  workgroupBarrier();
  for (var e = t; e < p.b * p.b; e += {threads}u) {{
    let row = e % p.b;
    let column = e / p.b;
    if (row >= column) {{ w[{place}] = d[column * {WIDE}u + row]; }}
  }}
"""
        declared = f"var<workgroup> d: array<{t}, {WIDE * WIDE}>;\n"
        return self.writer.shader(body, (), ("w", "status"), declared)

    def _panel(self) -> Shader:
        """Rows below the diagonal block times the inverse of its transpose."""
        t = self.writer.type
        block = self._at("p.j + row", "p.j + column")
        own = self._at("row", "p.j + c")
        body = f"""\
  for (var e = t; e < p.b * p.b; e += {FEW}u) {{
    let row = e % p.b;
    let column = e / p.b;
    d[column * {WIDE}u + row] = w[{block}];
  }}
  workgroupBarrier();
  let row = p.r0 + g * {FEW}u + t;
  if (row >= p.r1) {{ return; }}
  var x: array<{t}, {WIDE}>;
  for (var c = 0u; c < p.b; c++) {{
    var one = w[{own}];
    for (var q = 0u; q < c; q++) {{ one -= x[q] * d[q * {WIDE}u + c]; }}
    one /= d[c * {WIDE + 1}u];
    x[c] = one;
    w[{own}] = one;
  }}
"""
        declared = f"var<workgroup> d: array<{t}, {WIDE * WIDE}>;\n"
        return self.writer.shader(body, (), ("w",), declared, FEW)

    def _update(self) -> Shader:
        if self.lower:
            left, right = "(p.j + c) * p.ld + row", "(p.j + c) * p.ld + column"
            return self.writer.update(left, right, "row >= column")
        left, right = "row * p.ld + p.j + c", "column * p.ld + p.j + c"
        return self.writer.update(left, right, "row <= column")
