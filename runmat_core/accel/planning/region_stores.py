"""Kernels that store into a region of an array, which keeps its other elements."""

from __future__ import annotations

from runmat_core.api.ir import Axis, Buffer, Builder, Kernel, Param, View

#: Bytes of a word of memory: smaller elements share one with their neighbours on some devices.
WORD = 4


def stored_region(rank: int, dtype: str, loads: bool, single: bool) -> Kernel:
    """Return the kernel that stores an array, or a scalar, in a region of another array."""
    builder = Builder()
    moves = (True,) * rank
    mask = (1 << rank) - 1
    views = [View(1 if loads else 0, moves)]
    buffers = [Buffer(dtype, "write")]
    params: tuple[Param, ...] = ()
    if loads:
        views.insert(0, View(0, (not single,) * rank))
        buffers.insert(0, Buffer(dtype))
        value = builder.emit("load", (), dtype, 0 if single else mask, 0)
    else:
        params = (Param(dtype),)
        value = builder.emit("param", (), dtype, 0, 0)
    builder.emit("store", (value,), dtype, mask, len(views) - 1)
    axes = (Axis(),) * rank
    code = tuple(builder.code)
    return Kernel(axes, tuple(buffers), tuple(views), params, code, name="subsasgn")
