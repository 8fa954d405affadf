"""``eig`` of symmetric matrices by rotations of pairs of rows and columns (Jacobi).

In every round each index meets another one, and all the pairs turn at once until the element that
joins them is zero: first both columns of each pair, then both rows. A sweep is over when all have
met; when one turned nothing, the diagonal holds the eigenvalues. The rotations, which lie below the
matrix as further rows, have become the eigenvectors.

Source of the method: Golub and Van Loan, Matrix Computations, section 8.5.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.linear.text import FIRE, Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader, halves

#: Sweeps, at most; where the last one still turns something, host rules are asked.
SWEEPS = {"f32": 10, "f64": 13}
#: What is kept of a pair: sine, its part of the cosine that is lost to one, and both new elements
#: of the diagonal.
KEPT = 4


@attrs.frozen
class Symmetric:
    """A template of ``eig``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    vectors: bool

    @property
    def source(self) -> str:
        return self._columns().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n)."""
        n = extents[0]
        writer, width = self.writer, STORED_BYTES[self.writer.dtype]
        ld = n * (2 if self.vectors else 1)
        if ld * n * width > writer.target.binding_bytes:
            raise DeviceFault(f"A {n}x{n} matrix is too large for this device.")
        rounds, pairs = n - 1 + n % 2, (n + 1) // 2
        w, norms, limit, kept, turned = (Bind("scratch", i) for i in range(5))
        a, status = Bind("slot", 0), Bind("status")
        area = Area(ld, rows=(0, n), columns=(0, n))
        steps = [
            Dispatch(self._checks(), writer.grid(n), (a, norms, status), area.words),
            Dispatch(self._limit(), (1, 1, 1), (norms, limit), area.words),
            Dispatch(self._begin(), writer.over(ld * n), (a, w), area.words),
        ]
        columns, rows, grid = self._columns(), self._rows(), writer.grid(pairs)
        for sweep in range(SWEEPS[writer.dtype]):
            for k in range(rounds):
                words = attrs.evolve(area, j=k, b=sweep).words
                steps.append(Dispatch(columns, grid, (limit, w, kept, turned), words))
                steps.append(Dispatch(rows, grid, (kept, w), words))
        outputs = [Bind("slot", 1 + k) for k in range(1 + self.vectors)]
        last = attrs.evolve(area, b=SWEEPS[writer.dtype])
        binds = (w, *outputs, turned, status)
        steps.append(Dispatch(self._finish(), writer.grid(n), binds, last.words))
        sizes = (ld * n, n, 1, KEPT * pairs)
        scratch = (*[size * width for size in sizes], 4 * SWEEPS[writer.dtype])
        wrote = 2 * n * n if self.vectors else n
        return Prepared(tuple(steps), scratch, (4,), n * n * width, wrote * width)

    def _checks(self) -> Shader:
        """The sums of squares of columns, scaled; the bit where an element is not finite, or not
        that on the other side of the diagonal."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
  if (g >= p.q1) {{ return; }}
  var most = {t}(0);
  for (var i = t; i < p.r1; i += {threads}u) {{
    let one = a[g * p.r1 + i];
    most = max(most, abs(one));
    if (finite(one) && one == a[i * p.r1 + g]) {{ }} else {{ {FIRE} }}
  }}
  sums[t] = most;
  workgroupBarrier();
{halves(threads, "sums[t] = max(sums[t], sums[t + half]);")}\
  if (t == 0u) {{ norms[g] = sums[0]; }}
"""
        return self.writer.shader(body, ("a",), ("norms", "status"), self._sums())

    def _sums(self) -> str:
        return f"var<workgroup> sums: array<{self.writer.type}, {self.writer.threads}>;\n"

    def _limit(self) -> Shader:
        """What counts as zero: elements that are small beside the largest one."""
        t, threads = self.writer.type, self.writer.threads
        eps = float(np.finfo(np.float32 if self.writer.dtype == "f32" else np.float64).eps) / 4
        body = f"""\
  var most = {t}(0);
  for (var i = t; i < p.q1; i += {threads}u) {{ most = max(most, norms[i]); }}
  sums[t] = most;
  workgroupBarrier();
{halves(threads, "sums[t] = max(sums[t], sums[t + half]);")}\
  if (t == 0u) {{ limit[0] = sums[0] * {t}({eps!r}); }}
"""
        return self.writer.shader(body, ("norms",), ("limit",), self._sums())

    def _begin(self) -> Shader:
        """The matrix with the identity below it."""
        t = self.writer.type
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.ld;
  let column = e / p.ld;
  if (column < p.q1) {{
    if (row < p.r1) {{
      w[e] = a[column * p.r1 + row];
    }} else {{
      w[e] = select({t}(0), {t}(1), row - p.r1 == column);
    }}
  }}
"""
        return self.writer.shader(body, ("a",), ("w",))

    def _pair(self) -> str:
        """Which indices meet in round ``j`` in a workgroup; no ``other`` past the last one."""
        return """\
  let players = p.q1 + (p.q1 & 1u) - 1u;
  if (g > players / 2u) { return; }
  let first = select((p.j + g) % players, players, g == 0u);
  let second = (p.j + players - g) % players;
  let one = min(first, second);
  let other = max(first, second);
"""

    def _columns(self) -> Shader:
        """Round ``j`` of sweep ``b``: both columns of each pair, and what turns its rows."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
{self._pair()}\
  var rows = p.ld;
  if (other >= p.q1) {{ rows = 0u; }}
  if (p.b > 0u) {{
    if (atomicLoad(&turned[p.b - 1u]) == 0u) {{ rows = 0u; }}
  }}
  let x = one * p.ld;
  let y = other * p.ld;
  var xx = {t}(0);
  var yy = {t}(0);
  var xy = {t}(0);
  if (rows > 0u) {{
    xx = w[x + one];
    yy = w[y + other];
    xy = w[y + one];
  }}
  storageBarrier();
  workgroupBarrier();
  var s = {t}(0);
  var h = {t}(0);
  if (abs(xy) > limit[0]) {{
    let z = (yy - xx) / (2 * xy);
    var tangent = 1 / (abs(z) + sqrt(1 + z * z));
    if (abs(z) > {t}(1e8)) {{ tangent = {t}(0.5) / abs(z); }}
    if (z < 0) {{ tangent = -tangent; }}
    let c = 1 / sqrt(1 + tangent * tangent);
    s = c * tangent;
    // so, what is lost to rounding is in proportion to the angle
    h = s / (1 + c);
    xx -= tangent * xy;
    yy += tangent * xy;
    for (var i = t; i < rows; i += {threads}u) {{
      let u = w[x + i];
      let v = w[y + i];
      w[x + i] = u - s * (v + h * u);
      w[y + i] = v + s * (u - h * v);
    }}
    if (t == 0u) {{ atomicStore(&turned[p.b], 1u); }}
  }}
  if (t == 0u) {{
    kept[g * {KEPT}u] = s;
    kept[g * {KEPT}u + 1u] = h;
    kept[g * {KEPT}u + 2u] = xx;
    kept[g * {KEPT}u + 3u] = yy;
  }}
"""
        return self.writer.shader(body, ("limit",), ("w", "kept", "turned"))

    def _rows(self) -> Shader:
        """The rows of each pair; what joins the pair is zero then."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
{self._pair()}\
  let s = kept[g * {KEPT}u];
  let h = kept[g * {KEPT}u + 1u];
  if (s == 0 || other >= p.q1) {{ return; }}
  for (var j = t; j < p.q1; j += {threads}u) {{
    let at = j * p.ld;
    let u = w[at + one];
    let v = w[at + other];
    var low = u - s * (v + h * u);
    var high = v + s * (u - h * v);
    if (j == one) {{
      low = kept[g * {KEPT}u + 2u];
      high = {t}(0);
    }} else if (j == other) {{
      low = {t}(0);
      high = kept[g * {KEPT}u + 3u];
    }}
    w[at + one] = low;
    w[at + other] = high;
  }}
"""
        return self.writer.shader(body, ("kept",), ("w",))

    def _finish(self) -> Shader:
        """Each eigenvalue to its place in ascending order, with its vector."""
        t, threads = self.writer.type, self.writer.threads
        vectors = f"""\
  for (var i = t; i < p.r1; i += {threads}u) {{
    v[place * p.r1 + i] = w[g * p.ld + p.r1 + i];
    d[place * p.r1 + i] = select({t}(0), own, i == place);
  }}
"""
        values = "  if (t == 0u) { d[place] = own; }\n"
        body = f"""\
  if (g >= p.q1) {{ return; }}
  let own = w[g * p.ld + g];
  var before = 0u;
  for (var i = t; i < p.q1; i += {threads}u) {{
    let one = w[i * p.ld + i];
    if (one < own || (one == own && i < g)) {{ before++; }}
  }}
  counts[t] = before;
  workgroupBarrier();
{halves(threads, "counts[t] += counts[t + half];")}\
  let place = counts[0];
{vectors if self.vectors else values}\
  if (t == 0u) {{
    let turning = atomicLoad(&turned[p.b - 1u]) != 0u;
    if (turning || !finite(own)) {{ {FIRE} }}
  }}
"""
        declared = f"var<workgroup> counts: array<u32, {threads}>;\n"
        outputs = ("v", "d") if self.vectors else ("d",)
        return self.writer.shader(body, ("w",), (*outputs, "turned", "status"), declared)
