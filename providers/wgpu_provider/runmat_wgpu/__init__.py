"""The wgpu provider: WGSL generated from kernels (`codegen`), run on a GPU (`device`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runmat_wgpu.provider import WgpuProvider

__all__ = ["WgpuProvider"]


def __getattr__(name: str) -> Any:
    # `runmat_wgpu.codegen` can be used, and tested, without a device or wgpu
    if name == "WgpuProvider":
        from runmat_wgpu.provider import WgpuProvider

        return WgpuProvider
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
