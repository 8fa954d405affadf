"""``lstsq``: reflections of the matrix and the right-hand sides beside it, then substitution."""

from __future__ import annotations

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen import householder
from runmat_wgpu.codegen.householder.shaders import Shaders as Reflections
from runmat_wgpu.codegen.linear.elimination import substituted, told
from runmat_wgpu.codegen.linear.shaders import ODD, Shaders
from runmat_wgpu.codegen.linear.text import Area, Writer
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader

#: Arrays of the launch's own before those of the reflections.
_OWN = 4


@attrs.frozen
class LeastSquares:
    """A template of ``lstsq``: see `runmat_core.api.ir.calls`."""

    writer: Writer

    @property
    def source(self) -> str:
        return self._triangle().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are (m, n, m, k)."""
        m, n, _, k = extents
        writer, width = self.writer, STORED_BYTES[self.writer.dtype]
        most = max(m * (n + k), n * (n + k + 1))
        if most * width > writer.target.binding_bytes:
            raise DeviceFault(f"A {m}x{n} system is too large for this device.")
        whole, r, w, norms = (Bind("scratch", i) for i in range(_OWN))
        inside = Reflections(writer.dtype, False, writer.threads, writer.target)
        factors = householder.Factors(inside).prepare((m, n + k), ())

        def moved(bind: Bind) -> Bind:
            if bind.source == "slot":
                return (whole, r)[bind.index]
            return attrs.evolve(bind, index=bind.index + _OWN)

        area = Area(n, m, k, (0, min(m, n + k)), (n, n + k + 1))
        binds = (Bind("slot", 0), Bind("slot", 1), whole)
        steps = [Dispatch(self._beside(), writer.over(m * (n + k)), binds, area.words)]
        steps += [
            attrs.evolve(step, binds=tuple(map(moved, step.binds))) for step in factors.dispatches
        ]
        grid = writer.over(n * (n + k + 1))
        steps.append(Dispatch(self._triangle(), grid, (r, w), area.words))
        steps.append(Dispatch(Shaders(writer).norms(), writer.grid(n), (w, norms), area.words))
        steps += substituted(writer, n, n + k + 1, w)
        # host rules take a column for dependent where its pivot is so many times the precision
        steps += told(writer, n, k, (w, norms, Bind("slot", 2), Bind("status")), m)
        sizes = (m * (n + k), min(m, n + k) * (n + k), n * (n + k + 1), n)
        scratch = (*[size * width for size in sizes], *factors.scratch)
        return Prepared(tuple(steps), scratch, (), m * (n + k) * width, n * k * width)

    def _beside(self) -> Shader:
        """Return the right-hand sides beside the matrix; ``j`` is how many rows there are."""
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  if (e < p.j * (p.ld + p.b)) {{
    if (e < p.j * p.ld) {{ w[e] = a[e]; }} else {{ w[e] = b[e - p.j * p.ld]; }}
  }}
"""
        return self.writer.shader(body, ("a", "b"), ("w",))

    def _triangle(self) -> Shader:
        """Return the triangle, the changed right-hand sides, and the vector without structure."""
        t = self.writer.type
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.ld;
  let column = e / p.ld;
  if (column < p.q1) {{
    var one = odd(row);
    if (column < p.ld + p.b) {{ one = r[column * p.r1 + row]; }}
    w[e] = one;
  }}
"""
        return self.writer.shader(body, ("r",), ("w",), ODD.format(t=t))
