"""``svd`` by rotations of pairs of columns (one-sided Jacobi).

Reflections leave a triangle of the matrix, whose rows are turned: they are nearer to orthogonal
than the columns of the matrix, and no longer. In every round each one meets another one, and all
the pairs turn at once until they are orthogonal; after as many rounds as there are other ones a
sweep is over. When a sweep turned nothing, they are right vectors times singular values, as good as
so many rotations are rounded.

The products of the matrix and these vectors, as an orthogonal matrix, are columns that are nearly
orthogonal. Rotations that make the products of these with one another diagonal remove what is left.
Left vectors are the columns by their lengths, the longest first. Where a column is short or zero,
reflections of all make one that is orthogonal to the others. A wide matrix is taken transposed.

Source of the method: Golub and Van Loan, Matrix Computations, section 8.6.3.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen import householder
from runmat_wgpu.codegen.householder.shaders import Shaders as Reflections
from runmat_wgpu.codegen.linear import rotation
from runmat_wgpu.codegen.linear.refinement import Part, Refinement
from runmat_wgpu.codegen.linear.rotation import KEPT
from runmat_wgpu.codegen.linear.text import FIRE, Area, Writer
from runmat_wgpu.codegen.linear.turning import FAR, Turning, precision
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Prepared, Shader, halves

#: Sweeps of both stages, at most; where the last one of all still turns much, host rules are asked.
SWEEPS = {"f32": (12, 6), "f64": (14, 6)}
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
        writer, width = self.writer, STORED_BYTES[self.writer.dtype]
        square, parts = short * short, Refinement(writer, short).parts(tall)
        if max(tall * short, 2 * square, parts) * width > writer.target.binding_bytes:
            raise DeviceFault(f"A {extents[0]}x{extents[1]} matrix is too large for this device.")
        lengths = [tall * short, short, 1, 2, square, square, square, tall * short, parts]
        lengths += [2 * square, short, KEPT * ((short + 1) // 2)]
        scratch = [4 * sum(SWEEPS[writer.dtype]), *[size * width for size in lengths]]
        steps = [
            *self._begun(tall, short, wide),
            *self._rights(tall, short, scratch),
            *self._refined(tall, short, wide),
        ]
        if self.vectors:
            steps += self._lefts(tall, short, wide, scratch)
        wrote = (tall + 2 * short) * short if self.vectors else short
        moved = tall * short * width, wrote * width
        return Prepared(tuple(steps), tuple(scratch), (0,), *moved)

    def _begun(self, tall: int, short: int, wide: bool) -> Iterator[Dispatch]:
        """Yield the scaled matrix, and what counts as zero."""
        writer, a = self.writer, Bind("slot", 0)
        _, p, norms, scale, limit = (Bind("scratch", i) for i in range(5))
        area = Area(tall, rows=(int(wide), tall), columns=(0, short))
        grid, lone = writer.grid(short), (1, 1, 1)
        yield Dispatch(self._sizes(), grid, (a, norms, Bind("status")), area.words)
        yield Dispatch(self._scale(), lone, (norms, scale), area.words)
        yield Dispatch(self._begin(), writer.over(tall * short), (a, scale, p), area.words)
        yield Dispatch(self._lengths(), grid, (p, norms), area.words)
        limits = self._turning.limits("2 / sqrt(n)")
        yield Dispatch(limits, lone, (norms, limit), area.words)

    @property
    def _turning(self) -> Turning:
        return Turning(self.writer, squares=True)

    def _rights(self, tall: int, short: int, scratch: list[int]) -> list[Dispatch]:
        """Return the first stage: right vectors; its own arrays are put to `scratch`."""
        writer, better = self.writer, Refinement(self.writer, short)
        turned, p, norms, _, limit, v, g, b, _, sums = (Bind("scratch", i) for i in range(10))
        area = Area(short, rows=(0, short), columns=(0, short))
        over = writer.over(short * short)
        steps = self._reflected((tall, short), (p, g), scratch)
        steps.append(Dispatch(self._transposed(), over, (g, v), area.words))
        turn, grid = self._turn(), writer.grid((short + 1) // 2)
        for sweep in range(SWEEPS[writer.dtype][0]):
            for k in range(short - 1 + short % 2):
                words = attrs.evolve(area, j=k, b=sweep).words
                steps.append(Dispatch(turn, grid, (limit, v, turned), words))
        steps.append(Dispatch(self._lengths(), writer.grid(short), (v, norms), area.words))
        steps.append(Dispatch(self._ordered(), writer.grid(short), (norms, v, b), area.words))
        steps += self._reflected((short, short), (b, v, g), scratch)
        steps += better.orthogonal(Part(v, short), (sums, g), b, short)
        return steps

    def _reflected(
        self, sizes: tuple[int, int], binds: tuple[Bind, ...], scratch: list[int]
    ) -> list[Dispatch]:
        """``qr`` of a matrix: its factors; its own arrays are put to `scratch`.

        Args:
            binds: the matrix, and the triangle or both factors.
        """
        writer, first = self.writer, len(scratch)
        inside = Reflections(writer.dtype, len(binds) > 2, writer.threads, writer.target)
        factors = householder.Factors(inside).prepare(sizes, ())
        scratch += factors.scratch

        def moved(bind: Bind) -> Bind:
            if bind.source == "slot":
                return binds[bind.index]
            return attrs.evolve(bind, index=bind.index + first)

        return [
            attrs.evolve(step, binds=tuple(map(moved, step.binds))) for step in factors.dispatches
        ]

    def _refined(self, tall: int, short: int, wide: bool) -> Iterator[Dispatch]:
        """Yield the second stage: right vectors and columns as they should be, in their order."""
        writer, better = self.writer, Refinement(self.writer, short)
        turned, p, norms, scale, limit, v, g, b, x, sums, f, diagonal, kept = (
            Bind("scratch", i) for i in range(13)
        )
        columns, last = Part(x, tall), Part(f, 2 * short, short)
        yield better.product(Part(p, tall), b, x, (tall, short))
        yield from better.apart(columns, columns, sums, (diagonal, f), tall)
        state = (limit, diagonal, f, kept, turned)
        yield from self._turning.sweeps(short, state, *SWEEPS[writer.dtype])
        yield better.moved(Part(b, short), last, v, short)
        yield better.moved(columns, last, p, tall)
        yield from better.orthogonal(Part(v, short), (sums, g), b, short)
        yield better.moved(Part(p, tall), Part(g, short), x, tall, half=True)
        area = Area(tall, b=sum(SWEEPS[writer.dtype]), rows=(0, tall), columns=(0, short))
        yield Dispatch(self._lengths(), writer.grid(short), (x, norms), area.words)
        binds = [norms, scale]
        outputs = [Bind("slot", 1)]
        if self.vectors:
            binds += [x, b]
            outputs = [Bind("slot", 2), p, Bind("slot", 1 if wide else 3)]
        binds += [*outputs, turned, Bind("status")]
        yield Dispatch(self._finish(), writer.grid(short), tuple(binds), area.words)

    def _lefts(self, tall: int, short: int, wide: bool, scratch: list[int]) -> list[Dispatch]:
        """Left vectors of the columns in their order; its own arrays are put to `scratch`."""
        p, limit, g, b, x, sums = (Bind("scratch", i) for i in (1, 4, 6, 7, 8, 9))
        steps = self._reflected((tall, short), (p, x, b), scratch)
        area = Area(tall, columns=(0, short))
        grid = self.writer.over(tall * short)
        steps.append(Dispatch(self._long(), grid, (x, b, limit, p), area.words))
        left = Bind("slot", 3 if wide else 1)
        better = Refinement(self.writer, short)
        return steps + better.orthogonal(Part(p, tall), (sums, g), left, tall, first=True)

    def _sizes(self) -> Shader:
        """Return the largest magnitude in each part of the matrix.

        The bit where one is not finite.
        """
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
        """Return a power of two that brings the largest magnitude near to one."""
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
        """Return the scaled matrix, transposed where ``r0`` says so."""
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let row = e % p.r1;
  let column = e / p.r1;
  if (column < p.q1) {{
    w[e] = a[select(e, row * p.q1 + column, p.r0 == 1u)] * scale[0];
  }}
"""
        return self.writer.shader(body, ("a", "scale"), ("w",))

    def _transposed(self) -> Shader:
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  if (e < p.ld * p.ld) {{ w[e] = r[e % p.ld * p.ld + e / p.ld]; }}
"""
        return self.writer.shader(body, ("r",), ("w",))

    def _turn(self) -> Shader:
        """Round ``j`` of sweep ``b``, a workgroup for each pair of columns."""
        t, threads = self.writer.type, self.writer.threads
        lines = "".join(
            f"sums[t + {k * threads}u] += sums[t + {k * threads}u + half]; " for k in range(3)
        )
        body = f"""\
  let players = p.q1 + (p.q1 & 1u) - 1u;
  if (g > players / 2u) {{ return; }}
{rotation.pair("p.j", 1)}\
  var rows = p.r1;
  if (other >= p.q1) {{ rows = 0u; }}
  if (p.b > 0u) {{
    if (atomicLoad(&turned[p.b - 1u]) == 0u) {{ rows = 0u; }}
  }}
  let x = one * p.ld;
  let y = other * p.ld;
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
        return self.writer.shader(body, ("limit",), ("w", "turned"), self._sums(3))

    def _rotation(self) -> str:
        """Turn columns ``x`` and ``y``, of whose products the sums are known."""
        t, threads = self.writer.type, self.writer.threads
        near = 16 * precision(self.writer.dtype)
        return f"""\
  let far = sqrt(max(xx, yy));
  if (abs(xy) > far * max({t}({near!r}) * sqrt(min(xx, yy)), limit[0])) {{
    let apart = yy - xx;
    var tangent = {t}(0);
    var s = {t}(0);
    var h = {t}(0);
{rotation.angle(t, 2)}\
    for (var i = t; i < rows; i += {threads}u) {{
{rotation.columns("x", "y", 3)}\
    }}
    if (t == 0u) {{ atomicStore(&turned[p.b], 1u); }}
  }}
"""

    def _lengths(self) -> Shader:
        """Return the lengths of the columns."""
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

    def _place(self) -> str:
        """Statements that find the ``place`` of a workgroup's column in the order of lengths."""
        threads = self.writer.threads
        return f"""\
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
"""

    def _counts(self) -> str:
        return f"var<workgroup> counts: array<u32, {self.writer.threads}>;\n"

    def _ordered(self) -> Shader:
        """Return the columns in the order of their lengths."""
        body = f"""\
{self._place()}\
  for (var i = t; i < p.r1; i += {self.writer.threads}u) {{
    sorted[place * p.r1 + i] = w[g * p.r1 + i];
  }}
"""
        return self.writer.shader(body, ("norms", "w"), ("sorted",), self._counts())

    def _finish(self) -> Shader:
        """Each value to its place, and the columns that belong to them where those are wanted."""
        t, threads = self.writer.type, self.writer.threads
        vectors = f"""\
  for (var i = t; i < p.r1; i += {threads}u) {{ sorted[place * p.r1 + i] = w[g * p.r1 + i]; }}
  for (var i = t; i < p.q1; i += {threads}u) {{
    right[place * p.q1 + i] = v[g * p.q1 + i];
    s[place * p.q1 + i] = select({t}(0), own / scale[0], i == place);
  }}
"""
        values = "  if (t == 0u) { s[place] = own / scale[0]; }\n"
        body = f"""\
{self._place()}\
{vectors if self.vectors else values}\
  if (t == 0u) {{
    let turning = atomicLoad(&turned[p.b - 1u]) > {FAR}u;
    if (turning || !finite(own)) {{ {FIRE} }}
  }}
"""
        outputs = ("s", "sorted", "right") if self.vectors else ("s",)
        reads = ("norms", "scale", "w", "v") if self.vectors else ("norms", "scale")
        return self.writer.shader(body, reads, (*outputs, "turned", "status"), self._counts())

    def _long(self) -> Shader:
        """Return the left vectors: columns by their lengths where these give directions well.

        The lengths are in the triangle. Of other columns it is what reflections made of them.
        """
        # what such columns lack to orthogonal ones has a square below the precision
        long = 2 * precision(self.writer.dtype) ** -0.5
        body = f"""\
  let e = g * {self.writer.threads}u + t;
  let column = e / p.ld;
  if (column >= p.q1) {{ return; }}
  let own = r[column * (p.q1 + 1u)];
  let least = limit[1] * {self.writer.type}({long!r}) * {self.writer.type}(p.q1);
  w[e] = select(select(q[e], -q[e], own < 0), w[e] / abs(own), abs(own) > least);
"""
        return self.writer.shader(body, ("q", "r", "limit"), ("w",))
