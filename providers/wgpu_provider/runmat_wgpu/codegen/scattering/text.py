"""What the shaders of scattered results share: words and buffers.

Elements are moved as their bits, so results are the very elements, NaN and signed zeros included.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Literal

import attrs

from runmat_core.api.device import DeviceFault
from runmat_wgpu.codegen.shader import STORAGE, STORED_BYTES, Shader, Target

#: Elements of a tile that a thread takes.
PER = 8

#: A buffer of a shader: its name and the type of its elements.
Array = tuple[str, str]

_WORDS = """\
struct P { zero: u32, n: u32, tiles: u32, rows: u32, skipped: u32, kept: u32, m: u32, other: u32 }
@group(1) @binding(0) var<uniform> p: P;
"""

#: Whether an element, as its bits, is not zero.
_NONZERO = {
    "f32": "(e & 0x7fffffffu) != 0u",
    "f64": "(e.x | (e.y & 0x7fffffffu)) != 0u",
    "i64": "(e.x | e.y) != 0u",
    "u64": "(e.x | e.y) != 0u",
}


def packed(
    n: int, tiles: int = 0, rows: int = 0, skipped: int = 0, kept: int = 0, m: int = 0
) -> bytes:
    """Return the words of a dispatch."""
    return struct.pack("<8I", 0, n, tiles, rows, skipped, kept, m, 0)


def bits(dtype: str) -> str:
    """Return the type that elements are read and written as."""
    return "vec2<u32>" if STORED_BYTES[dtype] == 8 else "u32"


def nonzero(dtype: str) -> str:
    """Return the function ``nonzero`` of an element's bits."""
    test = _NONZERO.get(dtype, "e != 0u")
    return f"fn nonzero(e: {bits(dtype)}) -> bool {{ return {test}; }}\n"


def number(dtype: str, kind: str) -> str:
    """Return the function ``number``: a stored element of a type as a number of the type `kind`."""
    return f"fn number(e: {STORAGE[dtype]}) -> {kind} {{ return {kind}(e); }}\n"


@attrs.frozen
class Writer:
    """Writes shaders for a target.

    Attributes:
        threads: of a workgroup.
    """

    target: Target
    threads: int

    @property
    def tile(self) -> int:
        """Elements of a workgroup that takes `PER` for each thread."""
        return self.threads * PER

    def tiles(self, n: int) -> int:
        """How many tiles there are of `n` elements, at least one."""
        return max(-(-n // self.tile), 1)

    def over(self, points: int) -> tuple[int, int, int]:
        """Return a grid with a thread for each point."""
        return self.target.grid(-(-points // self.threads))

    def fits(self, size: int, dtype: str) -> None:
        """See that an array can be bound as a whole.

        Raises:
            DeviceFault: it cannot.
        """
        if size * STORED_BYTES[dtype] > self.target.binding_bytes:
            raise DeviceFault(f"An array of {size} elements is too large for this on this device.")

    def shader(
        self,
        body: str,
        reads: Sequence[Array] = (),
        writes: Sequence[Array] = (),
        declared: str = "",
    ) -> Shader:
        """Return a shader of `body`: ``t`` is the thread, ``g`` the workgroup, ``k`` the point."""
        lines = []
        access: list[Literal["read", "write"]] = []
        for binding, (name, element) in enumerate((*reads, *writes)):
            mode = "read" if binding < len(reads) else "read_write"
            lines.append(
                f"@group(0) @binding({binding}) var<storage, {mode}> {name}: array<{element}>;\n"
            )
            access.append("read" if binding < len(reads) else "write")
        source = f"""\
{_WORDS}{"".join(lines)}{declared}\
@compute @workgroup_size({self.threads})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let g = wg.y * groups.x + wg.x;
  let k = g * {self.threads}u + t;
{body}}}
"""
        return Shader(source, tuple(access), 32)
