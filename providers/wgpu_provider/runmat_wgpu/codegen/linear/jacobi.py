"""``svd`` by rotations of pairs of columns (one-sided Jacobi).

In every round each column meets another one, and all the pairs turn at once until they are
orthogonal; after as many rounds as there are other columns a sweep is over. When a sweep turned
nothing, the columns are left vectors times singular values. The rotations, which lie below the
matrix as further rows, have become the right vectors. A wide matrix is taken transposed.

Source of the method: Golub and Van Loan, Matrix Computations, section 8.6.3.
"""

from __future__ import annotations

import attrs
import numpy as np

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.linear.text import FIRE, Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader, halves

#: Sweeps, at most; where the last one still turns something, host rules are asked.
SWEEPS = {"f32": 11, "f64": 14}
#: How often a scale is doubled or halved, at most: no further than what is normal reaches.
DOUBLINGS = {"f32": 120, "f64": 1000}


@attrs.frozen
class Jacobi:
    """A template of ``svd``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    vectors: bool

    @property
    def source(self) -> str:
        return self._turn().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n)."""
        tall, short = max(extents), min(extents)
        wide = extents[0] < extents[1]
        ld = tall + short * self.vectors
        writer, width = self.writer, STORED_BYTES[self.writer.dtype]
        if ld * short * width > writer.target.binding_bytes:
            raise DeviceFault(f"A {extents[0]}x{extents[1]} matrix is too large for this device.")
        w, norms, scale, turned = (Bind("scratch", i) for i in range(4))
        a, status = Bind("slot", 0), Bind("status")
        source = Area(tall, rows=(0, tall), columns=(0, short))
        area = Area(ld, rows=(int(wide), tall), columns=(0, short))
        steps = [
            Dispatch(self._sizes(), writer.grid(short), (a, norms, status), source.words),
            Dispatch(self._scale(), (1, 1, 1), (norms, scale), source.words),
            Dispatch(self._begin(), writer.over(ld * short), (a, scale, w), area.words),
            *self._sweeps(area, w, turned),
            Dispatch(self._lengths(), writer.grid(short), (w, norms), area.words),
        ]
        outputs = [Bind("slot", 1)]
        if self.vectors:
            left, right = (3, 1) if wide else (1, 3)
            outputs = [Bind("slot", 2), Bind("slot", left), Bind("slot", right)]
        binds = (w, norms, scale, *outputs, turned, status)
        last = attrs.evolve(area, b=SWEEPS[writer.dtype])
        steps.append(Dispatch(self._finish(), writer.grid(short), binds, last.words))
        sizes = (ld * short * width, short * width, width, 4 * SWEEPS[writer.dtype])
        wrote = (tall + 2 * short) * short if self.vectors else short
        return Prepared(tuple(steps), sizes, (3,), tall * short * width, wrote * width)

    def _sweeps(self, area: Area, w: Bind, turned: Bind) -> list[Dispatch]:
        short = area.columns[1]
        rounds, turn = short - 1 + short % 2, self._turn()
        grid = self.writer.grid((rounds + 1) // 2)
        return [
            Dispatch(turn, grid, (w, turned), attrs.evolve(area, j=k, b=sweep).words)
            for sweep in range(SWEEPS[self.writer.dtype])
            for k in range(rounds)
        ]

    def _sizes(self) -> Shader:
        """The largest magnitude in each part of the matrix; the bit where one is not finite."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
  if (g >= p.q1) {{ return; }}
  var most = {t}(0);
  for (var i = t; i < p.ld; i += {threads}u) {{
    let one = abs(a[g * p.ld + i]);
    most = max(most, one);
    if (finite(one)) {{ }} else {{ {FIRE} }}
  }}
  sums[t] = most;
  workgroupBarrier();
{halves(threads, "sums[t] = max(sums[t], sums[t + half]);")}\
  if (t == 0u) {{ norms[g] = sums[0]; }}
"""
        return self.writer.shader(body, ("a",), ("norms", "status"), self._sums())

    def _sums(self, count: int = 1) -> str:
        lanes = self.writer.threads * count
        return f"var<workgroup> sums: array<{self.writer.type}, {lanes}>;\n"

    def _scale(self) -> Shader:
        """A power of two that brings the largest magnitude near to one."""
        t, most = self.writer.type, DOUBLINGS[self.writer.dtype]
        body = f"""\
  if (t > 0u) {{ return; }}
  var most = {t}(0);
  for (var i = 0u; i < p.q1; i++) {{ most = max(most, norms[i]); }}
  var factor = {t}(1);
  for (var k = 0u; k < {most}u && most * factor > 2; k++) {{ factor *= {t}(0.5); }}
  for (var k = 0u; k < {most}u && most * factor < 1; k++) {{ factor *= {t}(2); }}
  scale[0] = factor;
"""
        return self.writer.shader(body, ("norms",), ("scale",))

    def _begin(self) -> Shader:
        """The scaled matrix, transposed where ``r0`` says so, with the identity below it."""
        t = self.writer.type
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.ld;
  let column = e / p.ld;
  if (column < p.q1) {{
    var one = {t}(0);
    if (row < p.r1) {{
      one = a[select(column * p.r1 + row, row * p.q1 + column, p.r0 == 1u)] * scale[0];
    }} else if (row - p.r1 == column) {{
      one = {t}(1);
    }}
    w[e] = one;
  }}
"""
        return self.writer.shader(body, ("a", "scale"), ("w",))

    def _turn(self) -> Shader:
        """Round ``j`` of sweep ``b``, a workgroup for each pair of columns."""
        t, threads = self.writer.type, self.writer.threads
        lines = "".join(
            f"sums[t + {k * threads}u] += sums[t + {k * threads}u + half]; " for k in range(3)
        )
        body = f"""\
  let players = p.q1 + (p.q1 & 1u) - 1u;
  if (g > players / 2u) {{ return; }}
  let one = select((p.j + g) % players, players, g == 0u);
  let other = (p.j + players - g) % players;
  var rows = p.r1;
  if (max(one, other) >= p.q1) {{ rows = 0u; }}
  if (p.b > 0u) {{
    if (atomicLoad(&turned[p.b - 1u]) == 0u) {{ rows = 0u; }}
  }}
  let x = min(one, other) * p.ld;
  let y = max(one, other) * p.ld;
  var xx = {t}(0);
  var yy = {t}(0);
  var xy = {t}(0);
  for (var i = t; i < rows; i += {threads}u) {{
    let u = w[x + i];
    let v = w[y + i];
    xx += u * u;
    yy += v * v;
    xy += u * v;
  }}
  sums[t] = xx;
  sums[t + {threads}u] = yy;
  sums[t + {2 * threads}u] = xy;
  workgroupBarrier();
{halves(threads, lines)}\
  xx = sums[0];
  yy = sums[{threads}];
  xy = sums[{2 * threads}];
{self._rotation()}"""
        return self.writer.shader(body, (), ("w", "turned"), self._sums(3))

    def _rotation(self) -> str:
        """Turn columns ``x`` and ``y``, of whose products the sums are known."""
        t, threads = self.writer.type, self.writer.threads
        eps = float(np.finfo(np.float32 if self.writer.dtype == "f32" else np.float64).eps)
        return f"""\
  let bound = {t}({eps!r}) * sqrt({t}(p.r1)) * sqrt(xx) * sqrt(yy);
  if (abs(xy) > bound) {{
    let z = (yy - xx) / (2 * xy);
    var tangent = 1 / (abs(z) + sqrt(1 + z * z));
    if (abs(z) > {t}(1e8)) {{ tangent = {t}(0.5) / abs(z); }}
    if (z < 0) {{ tangent = -tangent; }}
    let c = 1 / sqrt(1 + tangent * tangent);
    let s = c * tangent;
    // so, what is lost to rounding is in proportion to the angle
    let h = s / (1 + c);
    for (var i = t; i < p.ld; i += {threads}u) {{
      let u = w[x + i];
      let v = w[y + i];
      w[x + i] = u - s * (v + h * u);
      w[y + i] = v + s * (u - h * v);
    }}
    if (t == 0u) {{ atomicStore(&turned[p.b], 1u); }}
  }}
"""

    def _lengths(self) -> Shader:
        """The lengths of the columns."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
  if (g >= p.q1) {{ return; }}
  var sum = {t}(0);
  for (var i = t; i < p.r1; i += {threads}u) {{
    let one = w[g * p.ld + i];
    sum += one * one;
  }}
  sums[t] = sum;
  workgroupBarrier();
{halves(threads, "sums[t] += sums[t + half];")}\
  if (t == 0u) {{ norms[g] = sqrt(sums[0]); }}
"""
        return self.writer.shader(body, ("w",), ("norms",), self._sums())

    def _finish(self) -> Shader:
        """Each column to its place in the order of lengths."""
        t, threads = self.writer.type, self.writer.threads
        vectors = f"""\
  for (var i = t; i < p.r1; i += {threads}u) {{ u[place * p.r1 + i] = w[g * p.ld + i] / own; }}
  for (var i = t; i < p.q1; i += {threads}u) {{
    v[place * p.q1 + i] = w[g * p.ld + p.r1 + i];
    s[place * p.q1 + i] = select({t}(0), own / scale[0], i == place);
  }}
"""
        values = "  if (t == 0u) { s[place] = own / scale[0]; }\n"
        body = f"""\
  if (g >= p.q1) {{ return; }}
  let own = norms[g];
  var before = 0u;
  for (var i = t; i < p.q1; i += {threads}u) {{
    if (norms[i] > own || (norms[i] == own && i < g)) {{ before++; }}
  }}
  counts[t] = before;
  workgroupBarrier();
{halves(threads, "counts[t] += counts[t + half];")}\
  let place = counts[0];
{vectors if self.vectors else values}\
  if (t == 0u) {{
    let turning = atomicLoad(&turned[p.b - 1u]) != 0u;
    if (turning || !finite(own){" || own == 0" if self.vectors else ""}) {{ {FIRE} }}
  }}
"""
        declared = f"var<workgroup> counts: array<u32, {threads}>;\n"
        outputs = ("s", "u", "v") if self.vectors else ("s",)
        reads = ("w", "norms", "scale")
        return self.writer.shader(body, reads, (*outputs, "turned", "status"), declared)
