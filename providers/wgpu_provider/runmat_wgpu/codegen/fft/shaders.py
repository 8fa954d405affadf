"""The shader of a pass of a transform.

A transform of n points is a chain of passes, one for each factor of n. A pass of length R takes
lines of R points, n / R apart, transforms each in a workgroup's memory, and writes it where the
next pass wants it: passes are to n what butterflies are to R (Stockham's order, which needs no
reversal of digits). With `before` the product of the factors so far, line ``i`` of a pass is::

    in:   i + j * (n / R), times root(i % before * j, before * R), for j = 0 .. R - 1
    out:  (i / before) * before * R + i % before + j * before

and the same with R for n and the radix for R describes the stages within a line.

Where several lines lie side by side in memory, a workgroup takes enough of them that neighbouring
threads read, or write, neighbouring elements.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Literal

import attrs

from runmat_wgpu.codegen.fft.butterflies import butterfly, functions
from runmat_wgpu.codegen.fft.factors import radices
from runmat_wgpu.codegen.shader import Shader

#: Bytes of a complex number, by the type of its parts.
PAIR_BYTES = {"f32": 8, "f64": 16}

#: What a pass reads: real or complex elements of the input, what another pass wrote, or nothing:
#: the chirp that lengths without small factors are convolved with.
Source = Literal["real", "complex", "pass", "chirp"]
#: What a pass writes: for another pass, all elements of the result, those of a spectrum that the
#: first half determines, or real parts; or what goes back through another transform: the product
#: with the spectrum of the chirp.
Sink = Literal["pass", "complex", "hermitian", "real", "product"]

_WORDS = """\
struct P {{
  zero: u32, lines: u32, inner: u32, apart: u32, before: u32,
  kept: u32, from_: u32, to_: u32, n: u32, spare: u32, scale: {dtype},
}}
@group(1) @binding(0) var<uniform> p: P;
"""

_HEAD = """\
@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let g = wg.y * groups.x + wg.x;
"""

#: exp(-i*pi*k*k/n): k*k modulo 2n, four bits of k at a time, for n <= 2^26.
_CHIRP = """\
fn chirp(k: u32) -> V {
  let m = 2u * p.n;
  var square = 0u;
  for (var digit = 28u; digit < 32u; digit -= 4u) {
    square = (square * 16u + k * ((k >> digit) & 15u)) % m;
  }
  return turn(square, m);
}
"""


def pitch(abreast: int) -> int:
    """Numbers from a point to the next in a workgroup's memory, where lines lie abreast.

    It is odd where that matters: threads that go along a line would meet in the same banks.
    """
    return abreast + 1 if abreast > 2 else abreast


def room(length: int, abreast: int) -> int:
    """Numbers that a pass keeps in a workgroup's memory: those of its lines, and roots."""
    return length * (pitch(abreast) + 1)


@attrs.frozen
class Words:
    """The words of a dispatch.

    Attributes:
        lines: of the pass, all slices together.
        inner: elements between neighbouring points of a slice.
        apart: points between neighbouring points of a line: lines of a slice.
        before: the product of the lengths of earlier passes.
        kept: points that the source has; others are zero.
        from_, to_: points of a slice of the source and of the sink.
        n: points of the transform that is asked for.
        scale: what results are multiplied with.
    """

    lines: int
    inner: int
    apart: int
    before: int
    kept: int
    from_: int
    to_: int
    n: int
    scale: float = 1.0

    def packed(self, dtype: str) -> bytes:
        """As bytes of ``P``."""
        whole = struct.pack("<I8II", 0, *attrs.astuple(self)[:8], 0)
        scale = (
            struct.pack("<d", self.scale) if dtype == "f64" else struct.pack("<ff", self.scale, 0)
        )
        return whole + scale


@attrs.frozen
class Pass:
    """What a pass does, as far as its text shows it.

    Attributes:
        dtype: of the parts of numbers.
        length: of its lines.
        abreast: lines of a workgroup.
        threads: of a workgroup.
        turned: whether lines of earlier passes are multiplied with roots.
        side_reads, side_writes: whether lines that follow one another lie side by side in the
            source, or in the sink.
        swaps: whether real and imaginary parts change places in the source, and in the sink: a
            transform between two exchanges is the inverse one but for the scale.
        chirps: whether elements are multiplied with the chirp in the source, and in the sink.
        settles: whether imaginary parts are zero unless a flag is set.
    """

    dtype: str
    length: int
    abreast: int
    threads: int
    turned: bool
    source: Source
    sink: Sink
    side_reads: bool
    side_writes: bool
    swaps: tuple[bool, bool] = (False, False)
    chirps: tuple[bool, bool] = (False, False)
    settles: bool = False

    def shader(self) -> Shader:
        """Return the shader; its buffers are the source, the spectrum or the flag, and the sink."""
        buffers: list[str] = []
        access: list[Literal["read", "write"]] = []
        for name, element in self._buffers():
            kind: Literal["read", "write"] = "write" if name == "y" else "read"
            mode = "read_write" if name == "y" else "read"
            buffers.append(
                f"@group(0) @binding({len(buffers)}) var<storage, {mode}> {name}: "
                f"array<{element}>;\n"
            )
            access.append(kind)
        text = "".join(
            [
                _WORDS.format(dtype=self.dtype),
                *buffers,
                functions(self.dtype),
                _CHIRP if any(self.chirps) or self.source == "chirp" else "",
                self._fetch(),
                self._put(),
                self._shared(),
                _HEAD.format(threads=self.threads),
                *[f"  {line}\n" for line in self._body()],
                "}\n",
            ]
        )
        return Shader(text, tuple(access), 48)

    def _buffers(self) -> Iterable[tuple[str, str]]:
        pair = f"vec2<{self.dtype}>"
        if self.source != "chirp":
            yield "x", self.dtype if self.source == "real" else pair
        if self.sink == "product":
            yield "spectrum", pair
        if self.settles:
            yield "flag", "u32"
        yield "y", self.dtype if self.sink == "real" else pair

    @property
    def _stages(self) -> tuple[int, ...]:
        return radices(self.length) or (1,)

    def _shared(self) -> str:
        if len(self._stages) < 2:
            return ""
        return (
            f"var<workgroup> held: array<V, {self.length * pitch(self.abreast)}>;\n"
            f"var<workgroup> roots: array<V, {self.length}>;\n"
        )

    # -- memory -----------------------------------------------------------------------------------

    def _fetch(self) -> str:
        """``fetch``: point ``j`` of a line, as the transform takes it."""
        zero = f"V({self.dtype}(0))"
        if self.source == "chirp":
            lines = [
                # the chirp on both sides of zero, as a cyclic convolution has it
                "var near = k;",
                "if (k >= p.n) { near = p.from_ - k; }",
                f"if (near >= p.n) {{ return {zero}; }}",
                "let c = chirp(near);",
                "var v = V(c.x, -c.y);",
            ]
        else:
            lines = [
                f"if (k >= p.kept) {{ return {zero}; }}",
                "let at = (outer * p.from_ + k) * p.inner + in_;",
                f"var v = V(x[at], {self.dtype}(0));"
                if self.source == "real"
                else "var v = x[at];",
            ]
        if self.swaps[0]:
            lines.append("v = v.yx;")
        if self.chirps[0]:
            lines.append("v = times(v, chirp(k));")
        if self.turned:
            lines.append(f"v = times(v, turn((i % p.before) * j, p.before * {self.length}u));")
        body = "".join(f"  {line}\n" for line in [*lines, "return v;"])
        return f"""\
fn fetch(line: u32, j: u32) -> V {{
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let k = i + j * p.apart;
{body}}}
"""

    def _put(self) -> str:
        """``put``: point ``j`` of a line that was transformed."""
        lines = []
        if self.sink == "product":
            # real and imaginary parts change places, for the transform that follows is inverse
            lines.append("v = times(v, spectrum[k]).yx;")
        if self.chirps[1]:
            lines += ["if (k >= p.n) { return; }", "v = times(v.yx, chirp(k));"]
        if self.swaps[1]:
            lines.append("v = v.yx;")
        if self.settles:
            lines.append(f"if (flag[0] == 0u) {{ v.y = {self.dtype}(0); }}")
        lines += {"real": ["y[at] = v.x;"], "hermitian": self._mirrored()}.get(
            self.sink, ["y[at] = v;"]
        )
        body = "".join(f"  {line}\n" for line in lines)
        return f"""\
fn put(line: u32, j: u32, given: V) {{
  let row = line / p.inner;
  let in_ = line - row * p.inner;
  let outer = row / p.apart;
  let i = row - outer * p.apart;
  let low = i % p.before;
  let k = (i - low) * {self.length}u + low + j * p.before;
  let at = (outer * p.to_ + k) * p.inner + in_;
  var v = given * p.scale;
{body}}}
"""

    def _mirrored(self) -> list[str]:
        """Return the spectrum of real numbers, whose second half mirrors the first exactly."""
        return [
            "if (2u * k > p.n) { return; }",
            f"if (k == 0u || 2u * k == p.n) {{ y[at] = V(v.x, {self.dtype}(0)); return; }}",
            "y[at] = v;",
            "y[(outer * p.to_ + p.n - k) * p.inner + in_] = V(v.x, -v.y);",
        ]

    # -- stages -----------------------------------------------------------------------------------

    def _body(self) -> list[str]:
        stages = self._stages
        lines: list[str] = []
        if len(stages) > 1:
            lines += [
                f"for (var k = t; k < {self.length}u; k += {self.threads}u) "
                f"{{ roots[k] = turn(k, {self.length}u); }}"
            ]
        before = 1
        for number, radix in enumerate(stages):
            first, last = number == 0, number == len(stages) - 1
            lines.append(f"// {radix} points of each {before * radix}")
            lines += self._stage(radix, before, first, last, f"s{number}")
            before *= radix
        return lines

    def _stage(self, radix: int, before: int, first: bool, last: bool, mark: str) -> list[str]:
        """Return a stage: all butterflies of the lines of a workgroup, several a thread."""
        each = self.length // radix
        count = each * self.abreast
        across = self.side_reads if first else self.side_writes or not last
        read: list[str] = []
        write: list[str] = []
        for q in range(-(-count // self.threads)):
            m = f"{mark}_{q}"
            names = [f"v{m}_{j}" for j in range(radix)]
            lines, points = (f"b{m} % {self.abreast}u", f"b{m} / {self.abreast}u")
            if not across:
                lines, points = f"b{m} / {each}u", f"b{m} % {each}u"
            read += [f"let b{m} = t + {q * self.threads}u;"]
            read += [f"let l{m} = {lines};", f"let u{m} = {points};"]
            read += [f"var {name}: V;" for name in names]
            work = (
                self._held(names, m, each, before) if not first else self._fetched(names, m, each)
            )
            if radix > 1:
                work += butterfly(radix, names, self.dtype, f"w{m}_")
            out = self._written(names, m, before, last)
            guard = f"b{m} < {count}u" if (q + 1) * self.threads > count else ""
            inside = f"g * {self.abreast}u + l{m} < p.lines"
            read += _guarded(" && ".join(filter(None, (guard, inside if first else ""))), work)
            write += _guarded(" && ".join(filter(None, (guard, inside if last else ""))), out)
        barrier = ["workgroupBarrier();"]
        return [
            *read,
            *(barrier if not first and not last else []),
            *write,
            *([] if last else barrier),
        ]

    def _fetched(self, names: Sequence[str], m: str, each: int) -> list[str]:
        line = f"g * {self.abreast}u + l{m}"
        return [f"{name} = fetch({line}, u{m} + {j * each}u);" for j, name in enumerate(names)]

    def _held(self, names: Sequence[str], m: str, each: int, before: int) -> list[str]:
        apart = each // before
        lines = [f"let k{m} = u{m} % {before}u;"]
        for j, name in enumerate(names):
            held = f"held[(u{m} + {j * each}u) * {pitch(self.abreast)}u + l{m}]"
            root = f"roots[k{m} * {j * apart}u]"
            lines.append(f"{name} = {f'times({held}, {root})' if j else held};")
        return lines

    def _written(self, names: Sequence[str], m: str, before: int, last: bool) -> list[str]:
        radix = len(names)
        lines = [f"let k{m}o = u{m} % {before}u;", f"let o{m} = (u{m} - k{m}o) * {radix}u + k{m}o;"]
        for j, name in enumerate(names):
            at = f"o{m} + {j * before}u"
            if last:
                lines.append(f"put(g * {self.abreast}u + l{m}, {at}, {name});")
            else:
                lines.append(f"held[({at}) * {pitch(self.abreast)}u + l{m}] = {name};")
        return lines


def _guarded(condition: str, lines: list[str]) -> list[str]:
    if not condition:
        return lines
    return [f"if ({condition}) {{", *[f"  {line}" for line in lines], "}"]
