"""Conjugate symmetry over axes: whether an array has it, and arrays that are given it.

The partner of a point is the point at minus its coordinates along the axes, modulo their extents.
An array is the spectrum of a real one if partners are conjugates.
"""

from __future__ import annotations

import math
import struct
from typing import Literal

import attrs

from runmat_wgpu.codegen.shader import Bind, Dispatch, Shader, Target

#: Threads of a workgroup.
THREADS = 64

_HEAD = """\
struct P {{ zero: u32, points: u32{extents} }}
@group(1) @binding(0) var<uniform> p: P;
alias V = vec2<{dtype}>;
{buffers}@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let at = (wg.y * groups.x + wg.x) * {threads}u + t;
  if (at >= p.points) {{ return; }}
{body}}}
"""


@attrs.frozen
class Symmetry:
    """Over which axes, and of which elements.

    Attributes:
        dtype: of the parts of numbers.
        real: whether elements are real; they are symmetric if partners are equal.
    """

    dtype: str
    real: bool
    axes: tuple[int, ...]
    target: Target


def test(over: Symmetry, given: tuple[int, ...], made: tuple[int, ...], flag: Bind) -> Dispatch:
    """Sets the flag unless the first slot, padded with zeros or cut to `made`, is symmetric."""
    rank = len(made)
    lines = ["var rest = at;", "var one = 0u;", "var other = 0u;"]
    lines += ["var step = 1u;", "var kept = true;", "var kept_other = true;"]
    for k in range(rank):
        lines += [f"let c{k} = rest % p.n{k};", f"rest = rest / p.n{k};"]
        lines.append(f"let d{k} = {_partner(k, over)};")
        lines += [f"kept = kept && c{k} < p.m{k};", f"kept_other = kept_other && d{k} < p.m{k};"]
        lines += [f"one += c{k} * step;", f"other += d{k} * step;", f"step *= p.m{k};"]
    zero = f"{over.dtype}(0)" if over.real else f"V({over.dtype}(0))"
    lines += [f"var a = {zero};", f"var b = {zero};"]
    lines += ["if (kept) { a = x[one]; }", "if (kept_other) { b = x[other]; }"]
    same = "a == b" if over.real else "a.x == b.x && a.y == -b.y"
    lines.append(f"if (!({same})) {{ atomicOr(&flag[0], 1u); }}")
    element = over.dtype if over.real else "V"
    buffers = (
        f"@group(0) @binding(0) var<storage, read> x: array<{element}>;\n"
        "@group(0) @binding(1) var<storage, read_write> flag: array<atomic<u32>>;\n"
    )
    names = [f"n{k}" for k in range(rank)] + [f"m{k}" for k in range(rank)]
    return _dispatch(over, buffers, lines, names, (*made, *given), (Bind("slot", 0), flag))


def mirror(over: Symmetry, made: tuple[int, ...]) -> Dispatch:
    """Make the second slot symmetric: of partners, the first in memory counts."""
    rank = len(made)
    lines = ["var rest = at;", "var other = 0u;", "var step = 1u;"]
    for k in range(rank):
        lines += [f"let c{k} = rest % p.n{k};", f"rest = rest / p.n{k};"]
        lines += [f"other += ({_partner(k, over)}) * step;", f"step *= p.n{k};"]
    lines += [
        "if (other < at) { y[at] = V(y[other].x, -y[other].y); }",
        f"if (other == at) {{ y[at].y = {over.dtype}(0); }}",
    ]
    buffers = "@group(0) @binding(0) var<storage, read_write> y: array<V>;\n"
    names = [f"n{k}" for k in range(rank)]
    return _dispatch(over, buffers, lines, names, made, (Bind("slot", 1),))


def _partner(k: int, over: Symmetry) -> str:
    return f"select(p.n{k} - c{k}, 0u, c{k} == 0u)" if k in over.axes else f"c{k}"


def _dispatch(
    over: Symmetry,
    buffers: str,
    lines: list[str],
    names: list[str],
    extents: tuple[int, ...],
    binds: tuple[Bind, ...],
) -> Dispatch:
    points = math.prod(extents[: len(extents) // len(binds)])
    body = "".join(f"  {line}\n" for line in lines)
    members = "".join(f", {name}: u32" for name in names)
    source = _HEAD.format(
        extents=members, dtype=over.dtype, buffers=buffers, threads=THREADS, body=body
    )
    words = struct.pack(f"<{2 + len(extents)}I", 0, points, *extents)
    words += bytes(-len(words) % 16)
    grid = over.target.grid(-(-points // THREADS))
    access: tuple[Literal["read", "write"], ...] = ("write",)
    if len(binds) > 1:
        access = ("read", "write")
    return Dispatch(Shader(source, access, len(words)), grid, binds, words)
