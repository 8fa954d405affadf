"""Shaders written by hand on a started provider: the device's side without generators."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
from runmat_wgpu import WgpuProvider
from runmat_wgpu.codegen.shader import Bind, Dispatch, Prepared, Shader
from runmat_wgpu.device.plans import Compiled

from runmat_core.api.device import (
    AllocateRequest,
    DownloadRequest,
    Executable,
    ExecuteRequest,
    FreeRequest,
    Launch,
    StartRequest,
    UploadRequest,
)
from runmat_core.api.ir import LibraryCall

#: b = a * scale + shift, element by element; the words hold n, where a begins, and the scalars.
AFFINE = """
struct P { zero: u32, n: u32, from_: i32, shift: f32, scale: f32, low: u32, high: u32, pad: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(1) @binding(0) var<uniform> p: P;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
    if (g.x >= p.n) { return; }
    b[g.x] = a[u32(i32(g.x) + p.from_)] * p.scale + p.shift + f32(p.low) + f32(p.high) * 100.0;
}
"""


@attrs.frozen
class Affine:
    """A template of `AFFINE`; params: shift, scale and the two words of a counter."""

    source: str = AFFINE
    views: int = 1

    def prepare(self, extents: tuple[int, ...], views: tuple[Any, ...]) -> Prepared:
        (n,) = extents
        start = views[0].offset if views else 0
        words = struct.pack("<IIiffIII", 0, n, start, 0, 1, 0, 0, 0)
        params = ((12, "f32", 0), (16, "f32", 1), (20, "u32", 2), (24, "u32", 3))
        return Prepared(
            (
                Dispatch(
                    Shader(self.source, ("read", "write"), 32),
                    (-(-n // 64), 1, 1),
                    (Bind("slot", 0), Bind("slot", 1)),
                    words,
                    params,
                    ((8, 0),) if self.views else (),
                ),
            ),
            reads=4 * n,
            writes=4 * n,
        )


class Hand:
    """A started provider and short ways to its hooks."""

    def __init__(self, cache_folder: str = "", **options: Any) -> None:
        self.provider = WgpuProvider()
        self.capabilities = self.provider.capabilities(
            StartRequest(
                name="wgpu", options=tuple(sorted(options.items())), cache_folder=cache_folder
            )
        )

    def upload(self, *arrays: Any) -> tuple[Any, ...]:
        ready = tuple(np.asfortranarray(array) for array in arrays)
        return self.provider.upload(UploadRequest(arrays=ready))

    def allocate(self, *arrays: tuple[tuple[int, ...], str]) -> tuple[Any, ...]:
        return self.provider.allocate(AllocateRequest(arrays=arrays))

    def download(self, *handles: Any) -> tuple[Any, ...]:
        return self.provider.download(DownloadRequest(arrays=handles)).arrays

    def free(self, *handles: Any) -> None:
        self.provider.free(FreeRequest(arrays=handles))

    def executable(self, template: Any, name: str = "by hand") -> Executable:
        unit = LibraryCall(name, ())
        return Executable(unit, "wgpu", Compiled(unit, lambda: template))

    def execute(
        self,
        steps: Sequence[Any],
        slots: Sequence[Any],
        params: Sequence[Any],
        read_next: bool = False,
    ) -> None:
        request = ExecuteRequest(
            steps=tuple(steps), slots=tuple(slots), params=tuple(params), read_next=read_next
        )
        assert self.provider.execute(request)

    def affine(
        self, n: int, slots: tuple[int, int] = (0, 1), views: tuple[Any, ...] = (), **more: Any
    ) -> Launch:
        """A launch of `AFFINE` with the first four params."""
        executable = self.executable(Affine(**more), "affine")
        return Launch(executable, slots, (n,), views, (0, 1, 2, 3), "affine")


Make = Callable[..., Hand]
