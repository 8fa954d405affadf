"""``filter``: rational digital filters of real arrays along an axis.

Without a denominator it is the first part of a convolution. With one, each result depends on the
one before: a thread goes along a slice with the filter's state in registers, all slices at once
(transposed direct form II). Where a device bounds the loops of a thread the state is kept between
dispatches.
"""

from __future__ import annotations

import math
import struct
from typing import Any, Literal

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_core.api.ir import LibraryCall, Unit
from runmat_wgpu.codegen import convolution
from runmat_wgpu.codegen.scalars.types import literal
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    DeclinedError,
    Dispatch,
    Prepared,
    Shader,
    Target,
)

#: Threads of a workgroup: a slice each.
THREADS = 64
#: The largest order: numbers that a thread keeps are three times as many.
ORDER = 32

_WORDS = """\
struct P {
  zero: u32, first: u32, last: u32, lines: u32,
  inner: u32, n: u32, nb: u32, na: u32,
}
@group(1) @binding(0) var<uniform> p: P;
"""


@attrs.frozen
class Recursive:
    """A template of a ``filter`` with a denominator: see `runmat_core.api.ir.calls`.

    Attributes:
        gain: the numerator where it is a number.
    """

    dtype: str
    axis: int
    gain: float | None
    target: Target

    @property
    def source(self) -> str:
        return self._shader(2, kept=False).source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; `extents` are the numbers of coefficients, then extents of the array."""
        nb, na, *shape = extents
        size = math.prod(shape)
        if not size:
            return Prepared(())
        order = max(nb, na) - 1
        if order > ORDER or size * STORED_BYTES[self.dtype] > self.target.binding_bytes:
            raise DeviceFault(f"A filter of order {order} of {size} elements is too large here.")
        n, inner = shape[self.axis], math.prod(shape[: self.axis])
        lines = size // n
        step = min(max(self.target.iterations - 4 * ORDER, 1), n)
        kept = step < n
        arrays = 2 + (self.gain is None)
        binds = tuple([Bind("slot", k) for k in range(arrays + 1)])
        if kept:
            binds = (*binds, Bind("scratch"))
        dispatches = []
        for first in range(0, n, step):
            last = min(first + step, n)
            words = struct.pack("<8I", 0, first, last, lines, inner, n, nb, na)
            grid = self.target.grid(-(-lines // THREADS))
            dispatches.append(Dispatch(self._shader(order, kept), grid, binds, words))
        moved = size * STORED_BYTES[self.dtype]
        scratch = (max(order, 1) * lines * STORED_BYTES[self.dtype],) if kept else ()
        return Prepared(tuple(dispatches), scratch, (), moved, moved)

    def _shader(self, order: int, kept: bool) -> Shader:
        """Return the shader of an order; `kept`: the state comes from, and goes to, an array."""
        t, states = self.dtype, range(order)
        reads = [*(["b"] if self.gain is None else []), "a", "x"]
        writes = ["y", *(["state"] if kept else [])]
        buffers = "".join(
            f"@group(0) @binding({k}) var<storage, {'read' if name in reads else 'read_write'}> "
            f"{name}: array<{t}>;\n"
            for k, name in enumerate((*reads, *writes))
        )
        gain = "" if self.gain is None else literal(self.gain, t, self.target)
        numerator = f"select({t}(0), {gain}, k == 0u)" if gain else "b[min(k, p.nb - 1u)]"
        lines = [f"let b{k} = above({k}u);" for k in range(order + 1)]
        lines += [f"let a{k} = below({k}u);" for k in range(1, order + 1)]
        lines += [f"var z{k} = {t}(0);" for k in states]
        if kept and order:
            loads = [f"  z{k} = state[line + {k}u * p.lines];" for k in states]
            lines += ["if (p.first > 0u) {", *loads, "}"]
        lines += [
            "let row = line / p.inner;",
            "let start = row * p.inner * p.n + (line - row * p.inner);",
            "for (var k = p.first; k < p.last; k++) {",
            "  let at = start + k * p.inner;",
            "  let v = x[at];",
            f"  let r = b0 * v{' + z0' if order else ''};",
        ]
        for k in states:
            further = f"z{k + 1} + " if k + 1 < order else ""
            lines.append(f"  z{k} = ({further}b{k + 1} * v) - a{k + 1} * r;")
        lines += ["  y[at] = r;", "}"]
        if kept:
            lines += [f"state[line + {k}u * p.lines] = z{k};" for k in states]
        body = "".join(f"  {line}\n" for line in lines)
        source = f"""\
{_WORDS}{buffers}// coefficients for a leading denominator of one
fn above(k: u32) -> {t} {{
  if (k >= p.nb) {{ return {t}(0); }}
  return {numerator} / a[0];
}}
fn below(k: u32) -> {t} {{
  if (k >= p.na) {{ return {t}(0); }}
  return a[k] / a[0];
}}
@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let line = (wg.y * groups.x + wg.x) * {THREADS}u + t;
  if (line >= p.lines) {{ return; }}
{body}}}
"""
        access: list[Literal["read", "write"]] = ["read" for _ in reads]
        access += ["write" for _ in writes]
        return Shader(source, tuple(access), 32)


@attrs.frozen
class Finite:
    """A template of a ``filter`` without a denominator: a convolution along the axis."""

    whole: convolution.Direct
    axis: int

    @property
    def source(self) -> str:
        return self.whole.source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Recursive.prepare`."""
        nb, _, *shape = extents
        taps = [nb if k == self.axis else 1 for k in range(len(shape))]
        return self.whole.prepare((*shape, *taps), views)


def template(unit: Unit, target: Target) -> Finite | Recursive:
    """Return the template of a ``filter``.

    Raises:
        DeclinedError: it has an epilogue, its type is not one of the device's floating types, or
            the device has small workgroups.
    """
    assert isinstance(unit, LibraryCall)
    dtype = unit.dtypes[0]
    if unit.epilogue is not None or set(unit.dtypes) != {dtype} or dtype not in ("f32", "f64"):
        raise DeclinedError(f"filter of {', '.join(unit.dtypes)}")
    if dtype == "f64" and not (target.f64 and target.i64):
        raise DeclinedError("no doubles on this device")
    axis: Any = unit.attribute("axis", 0)
    gain: Any = unit.attribute("gain", None)
    if not unit.attribute("recursive"):
        call = LibraryCall("conv", unit.dtypes, (("part", "causal"), ("swapped", True)))
        return Finite(convolution.template(call, target), axis)
    return Recursive(dtype, axis, gain, target)
