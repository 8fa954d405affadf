"""What generators make and the device runs: shaders, and the dispatches of a launch.

A generator turns a unit into a `Template` once. A template turns each launch's sizes and addressing
into a `Prepared`: dispatches in order, all scalars and sizes packed as bytes. The device keeps a
pipeline for each `Shader` and a `Prepared` for each launch that it has seen, so a launch that comes
again costs a few bindings. Nothing here knows wgpu.

Conventions of the text, the same for every generator:

- the entry point is ``main``; storage buffers are group 0, bindings from 0 on, one for each of
  `Shader.access`; a buffer that is written is ``read_write``;
- the words of a dispatch are ``@group(1) @binding(0) var<uniform> p: P``; the first member of ``P``
  is ``zero: u32``, which is 0 at run time and unknown to the compiler (see `opaque` in
  `codegen.scalars`); where they are few the device makes immediates of them (`device.pipelines`);
- element types lie in buffers as `STORAGE` says: 8 and 16 bit integers and logicals take a whole
  word each, which uploads widen and downloads narrow; complex elements are vectors of two;
- element numbers are u32 (`Target.i64` tells whether wider ones may be computed).
"""

from __future__ import annotations

from typing import Literal, Protocol

import attrs

from runmat_core.api.device import Addressing
from runmat_core.api.ir import Unit

#: How an element lies in a buffer, as a WGSL type.
STORAGE: dict[str, str] = {
    "bool": "u32",
    "i8": "i32",
    "i16": "i32",
    "i32": "i32",
    "i64": "i64",
    "u8": "u32",
    "u16": "u32",
    "u32": "u32",
    "u64": "u64",
    "f32": "f32",
    "f64": "f64",
    "c64": "vec2<f32>",
    "c128": "vec2<f64>",
}

#: Bytes that an element takes in a buffer.
STORED_BYTES: dict[str, int] = {
    dtype: 8 if wgsl in ("i64", "u64", "f64") else 4 for dtype, wgsl in STORAGE.items()
} | {"c64": 8, "c128": 16}


@attrs.frozen
class Target:
    """What a generator may rely on.

    Attributes:
        f64, i64, subgroups: features of the device.
        software: the device is emulated: barriers and memory are slow there.
        invocations: the most in a workgroup.
        subgroup: invocations of every subgroup, at most 32; 0 where shaders may differ.
        workgroup_bytes: of ``var<workgroup>``.
        groups: the most workgroups along a dimension of a grid.
        bindings: the most storage buffers of a shader.
        binding_bytes: the most bytes of a binding; larger arrays are bound as windows.
        alignment: of a binding's offset in bytes.
        fused: ``fma`` of singles, and of doubles where there are any, rounds once.
        rounds: quotients and square roots of singles are rounded correctly.
        subnormals: singles below the smallest normal number are not taken for zero.
        wide: operations on doubles take at most three times as long as those on singles.
        powers: `exp2` of singles up to 2 in size errs by at most two units in the last place.
        waits: a workgroup may wait for what another one, which began before it, has yet to do.
        tuned: what tuning found for this device, as sorted pairs.
    """

    f64: bool = True
    i64: bool = True
    subgroups: bool = False
    subgroup: int = 0
    software: bool = False
    invocations: int = 256
    workgroup_bytes: int = 16384
    groups: int = 65535
    bindings: int = 8
    binding_bytes: int = 128 << 20
    alignment: int = 256
    fused: bool = False
    rounds: bool = True
    subnormals: bool = True
    wide: bool = False
    powers: bool = False
    waits: bool = False
    tuned: tuple[tuple[str, int], ...] = ()

    @property
    def iterations(self) -> int:
        """The most loop iterations of one invocation, those of all its loops added up.

        Mesa's llvmpipe leaves every loop, without an error, when an invocation has made 65,535.
        """
        return 60_000 if self.software else 1 << 40

    def grid(self, groups: int) -> tuple[int, int, int]:
        """Return a grid of at least a number of workgroups, numbered along x, then y."""
        wide = min(max(groups, 1), self.groups)
        return wide, -(-max(groups, 1) // wide), 1

    def tuning(self, name: str, default: int) -> int:
        return dict(self.tuned).get(name, default)


@attrs.frozen
class Shader:
    """A compute shader; equal shaders are one pipeline.

    Attributes:
        source: WGSL.
        access: of each storage buffer.
        words: bytes of ``P``, a multiple of 16.
    """

    source: str
    access: tuple[Literal["read", "write"], ...]
    words: int


@attrs.frozen
class Bind:
    """What a storage binding shows.

    Attributes:
        source: a slot of the launch, memory of the launch's own, or the status word.
        index: which slot (position in `Launch.slots`) or which of `Prepared.scratch`.
        offset: in bytes, a multiple of `Target.alignment`.
        size: in bytes; None to the end, or as far as a binding reaches (`Target.binding_bytes`).
    """

    source: Literal["slot", "scratch", "status"]
    index: int = 0
    offset: int = 0
    size: int | None = None


@attrs.frozen
class Dispatch:
    """One dispatch.

    Attributes:
        grid: workgroups; none is zero, none above `Target.groups`.
        binds: for each of `Shader.access`.
        words: the contents of ``P``; zeros where parameters go.
        params: triples (byte of `words`, element type, index into the launch's params). Logicals
            go in as u32, small integers widened.
        offsets: pairs (byte of `words`, view): where a view's offset stands as i32, so that a
            repeated launch may move it. A view that no dispatch of a launch names here cannot be
            moved so: the launch is prepared anew for other offsets.
        multiples: pairs (view, elements): views of `offsets` that may be moved by a multiple of so
            many elements only; for other moves too the launch is prepared anew.
        counts: pairs (byte of `words`, index into `Launch.slots`): where the number of elements of
            the array in that slot goes, as u32.
    """

    shader: Shader
    grid: tuple[int, int, int]
    binds: tuple[Bind, ...]
    words: bytes
    params: tuple[tuple[int, str, int], ...] = ()
    offsets: tuple[tuple[int, int], ...] = ()
    counts: tuple[tuple[int, int], ...] = ()
    multiples: tuple[tuple[int, int], ...] = ()


@attrs.frozen
class Prepared:
    """A launch of known sizes, ready to be bound.

    Attributes:
        dispatches: in order; each sees what those before it wrote.
        scratch: bytes of each array of the launch's own, contents undefined.
        cleared: which of `scratch` must be zero before the first dispatch.
        reads, writes: bytes of arrays that it moves, for telemetry.
    """

    dispatches: tuple[Dispatch, ...]
    scratch: tuple[int, ...] = ()
    cleared: tuple[int, ...] = ()
    reads: int = 0
    writes: int = 0


class Template(Protocol):
    """A unit; text is generated as somebody asks for it, or for launches."""

    @property
    def source(self) -> str:
        """WGSL for people: of the form that a launch of ordinary sizes takes.

        Raises:
            DeclinedError: the unit is not for this target.
        """

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """Return the dispatches of a launch; none where there is nothing to do.

        Raises:
            DeclinedError: the unit is not for this target.
        """


class DeclinedError(Exception):
    """This unit is not generated for this target; the core computes it another way."""


class Generator(Protocol):
    """Makes templates of units of one kind."""

    def __call__(self, unit: Unit, target: Target) -> Template:
        """Return the template.

        Raises:
            DeclinedError: the unit is not for this target.
        """


def halves(threads: int, line: str) -> str:
    """Return a tree of steps in a workgroup; `line` joins ``t`` with ``t + half``."""
    steps, half = [], threads // 2
    while half:
        own = line.replace("half", f"{half}u")
        steps.append(f"  if (t < {half}u) {{ {own} }}\n  workgroupBarrier();\n")
        half //= 2
    return "".join(steps)
