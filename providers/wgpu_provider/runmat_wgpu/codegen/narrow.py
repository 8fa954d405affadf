"""Elements of 8 and 16 bits on their way to the device and back: side by side, as on hosts.

In buffers each takes a whole word, so that any invocation may write any element. Over the link four
or two of them share a word: `Spread` makes words of their own of them, `Press` does the reverse.
Every invocation reads and writes whole words and vectors, and what is beyond the last element is
padding of both arrays.
"""

from __future__ import annotations

import struct
from typing import Literal

import attrs

from runmat_core.api.device import NUMPY_DTYPE, Addressing
from runmat_wgpu.codegen.shader import (
    STORED_BYTES,
    Bind,
    Dispatch,
    Prepared,
    Shader,
    Target,
)

#: Elements of a word, for the types that are narrower than one.
IN_WORD: dict[str, int] = {
    dtype: 4 // NUMPY_DTYPE[dtype].itemsize
    for dtype in STORED_BYTES
    if NUMPY_DTYPE[dtype].itemsize < 4
}
#: Invocations of a workgroup.
THREADS = 256


@attrs.frozen
class Narrow:
    """A template over words: slots are the words of several elements, and those of one each.

    Attributes:
        way: ``spread`` reads the first slot and writes the second, ``press`` the reverse.
    """

    dtype: str
    way: Literal["spread", "press"]
    target: Target

    @property
    def source(self) -> str:
        return self._shader().source

    def prepare(self, extents: tuple[int, ...], views: tuple[Addressing, ...]) -> Prepared:
        """See `Template`; the only extent is the number of words that hold several elements."""
        (words,) = extents
        if not words:
            return Prepared(())
        threads = min(THREADS, self.target.invocations)
        grid = self.target.grid(-(-words // threads))
        binds = (Bind("slot", 0), Bind("slot", 1))
        packed = struct.pack("<4I", 0, words, 0, 0)
        one, several = 4 * words * IN_WORD[self.dtype], 4 * words
        read, wrote = (several, one) if self.way == "spread" else (one, several)
        only = Dispatch(self._shader(), grid, binds, packed)
        return Prepared((only,), (), (), read, wrote)

    def _shader(self) -> Shader:
        count = IN_WORD[self.dtype]
        bits = 32 // count
        kind = f"vec{count}<u32>"
        if self.way == "spread":
            shifted = [f"(w << {32 - bits * (k + 1)}u)" for k in range(count)]
            if self.dtype[0] == "i":
                parts = [f"bitcast<u32>(bitcast<i32>{one} >> {32 - bits}u)" for one in shifted]
            else:
                parts = [f"({one} >> {32 - bits}u)" for one in shifted]
            body = f"let w = words[k];\n    elements[k] = {kind}({', '.join(parts)});"
        else:
            mask = (1 << bits) - 1
            parts = [f"((e.{'xyzw'[k]} & {mask}u) << {bits * k}u)" for k in range(count)]
            body = f"let e = elements[k];\n    words[k] = {' | '.join(parts)};"
        words, elements = "read", "read_write"
        if self.way == "press":
            words, elements = elements, words
        source = f"""\
struct P {{ zero: u32, n: u32, unused: u32, more: u32 }}
@group(0) @binding(0) var<storage, {words}> words: array<u32>;
@group(0) @binding(1) var<storage, {elements}> elements: array<{kind}>;
@group(1) @binding(0) var<uniform> p: P;
@compute @workgroup_size({min(THREADS, self.target.invocations)})
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {{
  let k = (wg.y * groups.x + wg.x) * {min(THREADS, self.target.invocations)}u + t;
  if (k < p.n) {{
    {body}
  }}
}}
"""
        access: tuple[Literal["read", "write"], Literal["read", "write"]] = ("read", "write")
        return Shader(source, access if self.way == "spread" else ("write", "read"), 16)
