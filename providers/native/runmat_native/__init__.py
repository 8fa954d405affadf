"""The native provider: kernels as machine code, made by LLVM, on the threads of the CPU."""

from __future__ import annotations

from runmat_native.provider import NativeProvider

__all__ = ["NativeProvider"]
