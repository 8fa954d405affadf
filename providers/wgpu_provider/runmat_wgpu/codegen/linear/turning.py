"""Rotations of pairs of rows and columns that make a symmetric matrix diagonal (Jacobi).

In every round each index meets another one, and all the pairs turn at once until the element that
joins them is zero: first both columns of each pair, then both rows. A sweep is over when all have
met.

What has a large part that stays the same is kept as what differs from it: the diagonal from the
one that a stage began with, the product of the rotations from the identity. When rotations become
small, so does what they lose to rounding.

Source of the method: Golub and Van Loan, Matrix Computations, section 8.5.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np

from runmat_wgpu.codegen.linear import rotation
from runmat_wgpu.codegen.linear.rotation import KEPT
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.shader import Bind, Dispatch, Shader, halves

#: Elements that are so many times what counts as zero in the last sweep of all tell that rotations
#: did not come to an end; what smaller ones leave is less than what counts.
FAR = 32


def precision(dtype: str) -> float:
    """Return the distance from one to the next number of a type."""
    return float(np.finfo(np.float32 if dtype == "f32" else np.float64).eps)


@attrs.frozen
class Turning:
    """Sweeps over ``w``: a matrix without its diagonal, and the product without the identity.

    Words of a dispatch: ``ld`` is twice the ``r1`` rows and ``q1`` columns; round ``j`` of sweep
    ``b``, of a stage whose first one is ``r0``.

    Attributes:
        squares: the matrix has products of columns, so what counts as zero is told by the length of
            the longer one.
    """

    writer: Writer
    squares: bool

    def sweeps(
        self, n: int, binds: tuple[Bind, Bind, Bind, Bind, Bind], first: int, count: int
    ) -> Iterator[Dispatch]:
        """Yield the dispatches of so many sweeps; one of them turns where the one before it did.

        Args:
            binds: what counts as zero in both stages, the diagonal, the matrix, what is kept of
                pairs, and what each sweep turned.
            first: the number of the first one of the stage.
        """
        limit, diagonal, w, kept, turned = binds
        columns, rows = self.columns(), self._rows()
        grid = self.writer.grid((n + 1) // 2)
        area = Area(2 * n, rows=(first, n), columns=(0, n))
        for sweep in range(first, first + count):
            for k in range(n - 1 + n % 2):
                words = attrs.evolve(area, j=k, b=sweep).words
                yield Dispatch(columns, grid, (limit, diagonal, w, kept, turned), words)
                yield Dispatch(rows, grid, (kept, w), words)

    def _pair(self) -> str:
        """Which indices meet in round ``j`` in a workgroup; no ``other`` past the last one."""
        return f"""\
  let players = p.q1 + (p.q1 & 1u) - 1u;
  if (g > players / 2u) {{ return; }}
{rotation.pair("p.j", 1)}"""

    def columns(self) -> Shader:
        """Both columns of each pair, and what turns its rows."""
        t, threads = self.writer.type, self.writer.threads
        longer = "sqrt(max(max(own + xx, after + yy), 0))" if self.squares else f"{t}(1)"
        body = f"""\
{self._pair()}\
  var rows = p.ld;
  if (other >= p.q1) {{ rows = 0u; }}
  if (p.b > p.r0) {{
    if (atomicLoad(&turned[p.b - 1u]) == 0u) {{ rows = 0u; }}
  }}
  let x = one * p.ld;
  let y = other * p.ld;
  var xx = {t}(0);
  var yy = {t}(0);
  var xy = {t}(0);
  var own = {t}(0);
  var after = {t}(0);
  if (rows > 0u) {{
    xx = w[x + one];
    yy = w[y + other];
    xy = w[y + one];
    own = diagonal[one];
    after = diagonal[other];
  }}
  storageBarrier();
  workgroupBarrier();
  var tangent = {t}(0);
  var s = {t}(0);
  var h = {t}(0);
  let bound = limit[select(0u, 1u, p.r0 > 0u)] * {longer};
  if (abs(xy) > bound) {{
    let apart = (after - own) + (yy - xx);
{rotation.angle(t, 2)}\
    for (var i = t; i < rows; i += {threads}u) {{
{rotation.columns_above(t, "p.r1", "x", "y", 3)}\
    }}
    if (t == 0u) {{
      // how many times what counts as zero the largest element was
      atomicMax(&turned[p.b], max(u32(min(abs(xy) / bound, {t}(1 << 20))), 1u));
    }}
    xx -= tangent * xy;
    yy += tangent * xy;
  }}
  if (t == 0u) {{
    kept[g * {KEPT}u] = s;
    kept[g * {KEPT}u + 1u] = h;
    kept[g * {KEPT}u + 2u] = xx;
    kept[g * {KEPT}u + 3u] = yy;
  }}
"""
        return self.writer.shader(body, ("limit", "diagonal"), ("w", "kept", "turned"))

    def _rows(self) -> Shader:
        """Return the rows of each pair; what joins the pair is zero then."""
        t, threads = self.writer.type, self.writer.threads
        body = f"""\
{self._pair()}\
  let s = kept[g * {KEPT}u];
  let h = kept[g * {KEPT}u + 1u];
  if (s == 0 || other >= p.q1) {{ return; }}
  for (var j = t; j < p.q1; j += {threads}u) {{
    let at = j * p.ld;
{rotation.rows(t, "at", f"g * {KEPT}u", 2)}\
  }}
"""
        return self.writer.shader(body, ("kept",), ("w",))

    def limits(self, first: str) -> Shader:
        """Return what counts as zero.

        In the second stage these are elements that would together be half of the precision times
        the norm of the matrix; the lengths of its columns are in ``norms``.

        Args:
            first: what that times ``n`` is multiplied by for the first stage.
        """
        t, threads = self.writer.type, self.writer.threads
        eps = precision(self.writer.dtype)
        body = f"""\
  var most = {t}(0);
  for (var i = t; i < p.q1; i += {threads}u) {{ most = max(most, norms[i]); }}
  sums[t] = most;
  workgroupBarrier();
{halves(threads, "sums[t] = max(sums[t], sums[t + half]);")}\
  most = sums[0];
  workgroupBarrier();
  var sum = {t}(0);
  if (most > 0) {{
    for (var i = t; i < p.q1; i += {threads}u) {{
      let part = norms[i] / most;
      sum += part * part;
    }}
  }}
  sums[t] = sum;
  workgroupBarrier();
{halves(threads, "sums[t] += sums[t + half];")}\
  if (t == 0u) {{
    let norm = most * {t}({eps!r}) * sqrt(sums[0]);
    let n = {t}(p.q1);
    limit[0] = norm * {first};
    limit[1] = norm / (2 * n);
  }}
"""
        sums = f"var<workgroup> sums: array<{t}, {threads}>;\n"
        return self.writer.shader(body, ("norms",), ("limit",), sums)
