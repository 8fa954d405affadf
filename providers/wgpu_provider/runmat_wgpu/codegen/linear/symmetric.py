"""``eig`` of symmetric matrices by rotations of pairs of rows and columns (Jacobi).

A first stage has rotations make the matrix diagonal. Their product, as an orthogonal matrix, makes
it nearly diagonal once more, without what rotations lost to rounding, and rotations of a second
stage remove what is left. The diagonal holds the eigenvalues then, and the product of all has the
eigenvectors.
"""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.linear.refinement import Part, Refinement
from runmat_wgpu.codegen.linear.rotation import KEPT
from runmat_wgpu.codegen.linear.text import FIRE, Area, Writer
from runmat_wgpu.codegen.linear.turning import FAR, Turning
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader, halves

#: Sweeps of both stages, at most; where the last one of all still turns much, host rules are asked.
SWEEPS = {"f32": (13, 6), "f64": (15, 6)}


@attrs.frozen
class Symmetric:
    """A template of ``eig``: see `runmat_core.api.ir.calls`."""

    writer: Writer
    vectors: bool

    @property
    def source(self) -> str:
        return self._turning.columns().source

    @property
    def _turning(self) -> Turning:
        return Turning(self.writer, squares=False)

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (n, n)."""
        n = extents[0]
        writer, width, made = self.writer, STORED_BYTES[self.writer.dtype], self._turning
        parts = Refinement(writer, n).parts(n)
        if max(2 * n * n, parts) * width > writer.target.binding_bytes:
            raise DeviceFault(f"A {n}x{n} matrix is too large for this device.")
        w, diagonal, limit, kept, turned, v, g, b, sums = (Bind("scratch", i) for i in range(9))
        a, status = Bind("slot", 0), Bind("status")
        area = Area(2 * n, rows=(0, n), columns=(0, n))
        first, last = SWEEPS[writer.dtype]
        state = (limit, diagonal, w, kept, turned)
        steps = [
            Dispatch(self._checks(), writer.grid(n), (a, diagonal, status), area.words),
            Dispatch(
                made.limits(f"8 / {writer.type}(p.q1)"), (1, 1, 1), (diagonal, limit), area.words
            ),
            Dispatch(self._begin(), writer.over(2 * n * n), (a, diagonal, w), area.words),
            *made.sweeps(n, state, 0, first),
        ]
        better, e = Refinement(writer, n), Part(w, 2 * n, n)
        steps += better.orthogonal(e, (sums, g), v, n, whole=True)
        steps.append(better.product(Part(a, n), v, b, (n, n)))
        steps += better.apart(Part(v, n), Part(b, n), sums, (diagonal, w), n)
        steps += made.sweeps(n, state, first, last)
        binds = [w, diagonal]
        if self.vectors:
            steps.append(better.moved(Part(v, n), e, b, n))
            steps += better.orthogonal(Part(b, n), (sums, g), v, n)
            binds.append(v)
        outputs = [Bind("slot", 1 + k) for k in range(1 + self.vectors)]
        area = attrs.evolve(area, b=first + last)
        binds += [*outputs, turned, status]
        steps.append(Dispatch(self._finish(), writer.grid(n), tuple(binds), area.words))
        sizes = [2 * n * n, n, 2, KEPT * ((n + 1) // 2)]
        scratch = [size * width for size in sizes] + [4 * (first + last)]
        scratch += [size * width for size in (n * n, n * n, n * n, parts)]
        wrote = 2 * n * n if self.vectors else n
        return Prepared(tuple(steps), tuple(scratch), (4,), n * n * width, wrote * width)

    def _checks(self) -> Shader:
        """Return the lengths of columns, and the bit if an element is not finite or symmetric."""
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
  most = sums[0];
  workgroupBarrier();
  var sum = {t}(0);
  if (most > 0) {{
    for (var i = t; i < p.r1; i += {threads}u) {{
      let part = a[g * p.r1 + i] / most;
      sum += part * part;
    }}
  }}
  sums[t] = sum;
  workgroupBarrier();
{halves(threads, "sums[t] += sums[t + half];")}\
  if (t == 0u) {{ norms[g] = most * sqrt(sums[0]); }}
"""
        sums = f"var<workgroup> sums: array<{t}, {threads}>;\n"
        return self.writer.shader(body, ("a",), ("norms", "status"), sums)

    def _begin(self) -> Shader:
        """Return the matrix without its diagonal above zeros, and the diagonal."""
        t = self.writer.type
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.ld;
  let column = e / p.ld;
  if (column < p.q1) {{
    var one = {t}(0);
    if (row < p.r1) {{ one = a[column * p.r1 + row]; }}
    if (row == column) {{
      diagonal[row] = one;
      one = {t}(0);
    }}
    w[e] = one;
  }}
"""
        return self.writer.shader(body, ("a",), ("diagonal", "w"))

    def _finish(self) -> Shader:
        """Each eigenvalue to its place in ascending order, with its vector."""
        t, threads = self.writer.type, self.writer.threads
        vectors = f"""\
  for (var i = t; i < p.r1; i += {threads}u) {{
    v[place * p.r1 + i] = whole[g * p.r1 + i];
    d[place * p.r1 + i] = select({t}(0), own, i == place);
  }}
"""
        values = "  if (t == 0u) { d[place] = own; }\n"
        body = f"""\
  if (g >= p.q1) {{ return; }}
  let own = diagonal[g] + w[g * p.ld + g];
  var before = 0u;
  for (var i = t; i < p.q1; i += {threads}u) {{
    let one = diagonal[i] + w[i * p.ld + i];
    if (one < own || (one == own && i < g)) {{ before++; }}
  }}
  counts[t] = before;
  workgroupBarrier();
{halves(threads, "counts[t] += counts[t + half];")}\
  let place = counts[0];
{vectors if self.vectors else values}\
  if (t == 0u) {{
    let turning = atomicLoad(&turned[p.b - 1u]) > {FAR}u;
    if (turning || !finite(own)) {{ {FIRE} }}
  }}
"""
        declared = f"var<workgroup> counts: array<u32, {threads}>;\n"
        reads = ("w", "diagonal", "whole") if self.vectors else ("w", "diagonal")
        outputs = ("v", "d") if self.vectors else ("d",)
        return self.writer.shader(body, reads, (*outputs, "turned", "status"), declared)
