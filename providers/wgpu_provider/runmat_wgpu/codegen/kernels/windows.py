"""Dispatches over a space: arrays bound whole, or as windows where they are too large."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import attrs

from runmat_core.api.device import Addressing, DeviceFault
from runmat_wgpu.codegen.kernels.addressing import Space
from runmat_wgpu.codegen.kernels.draft import Written
from runmat_wgpu.codegen.shader import STORED_BYTES, Bind, Dispatch, Target


def bound(
    written: Written,
    space: Space,
    grid: tuple[int, int, int],
    others: dict[str, int | float],
    target: Target,
) -> Dispatch:
    """Return a dispatch over a space with its arrays bound.

    They are bound whole, or as windows where a binding does not reach as far as its views.
    """
    binds, views = list(written.binds), list(space.views)
    windowed = outreaches(space, target)
    if windowed:
        for n, bind in enumerate(binds):
            if bind.source == "slot":
                binds[n] = window(bind, space, views, target)
    # what was decided by an offset must be decided again when it moves
    offsets = [o for o in written.words.offsets if not windowed and o[1] not in written.fixed]
    return Dispatch(
        written.shader,
        grid,
        tuple(binds),
        written.words.pack(space.extents, views, others),
        written.words.params,
        tuple(offsets),
        written.words.counts,
        written.multiples,
    )


def window(bind: Bind, space: Space, views: list[Addressing], target: Target) -> Bind:
    """Return a binding of what the views of a buffer reach; `views` are made relative to it."""
    kernel = space.kernel
    mine = [v for v, view in enumerate(kernel.views) if view.buffer == bind.index]
    gathered = {i.attr for i in kernel.code if i.op == "load" and i.args}
    if not mine or gathered & {*mine}:
        return bind
    size = STORED_BYTES[kernel.buffers[bind.index].dtype]
    low = min(space.span(v)[0] for v in mine) * size // target.alignment * target.alignment
    high = (max(space.span(v)[1] for v in mine) + 1) * size
    for v in mine:
        views[v] = attrs.evolve(views[v], offset=views[v].offset - low // size)
    return Bind("slot", bind.index, low, -(-(high - low) // 16) * 16)


def strips(space: Space, most: int) -> Iterator[Space]:
    """Parts of a space of at most so many points along axis 0."""
    extent = space.extents[0]
    for first in range(0, extent, most):
        yield space if extent <= most else space.part(0, first, min(most, extent - first))


def pieces(space: Space, target: Target) -> Iterator[Space]:
    """Parts of a space whose arrays can be bound: the whole, or windows of it.

    Raises:
        DeviceFault: a single point reaches too far.
    """
    if outreaches(space, target):
        yield from _halves(space, target)
    else:
        yield space


def outreaches(space: Space, target: Target) -> bool:
    """Whether a view ends behind what a binding of a whole array shows."""
    kernel = space.kernel
    return any(
        (space.span(v)[1] + 1) * STORED_BYTES[kernel.buffers[view.buffer].dtype]
        > target.binding_bytes
        for v, view in enumerate(kernel.views)
        if view.buffer is not None
    )


def _halves(space: Space, target: Target) -> Iterator[Space]:
    worst: tuple[int, int] | None = None
    kernel = space.kernel
    for buffer in range(len(kernel.buffers)):
        mine = [v for v, view in enumerate(kernel.views) if view.buffer == buffer]
        if not mine:
            continue
        low = min(space.span(v)[0] for v in mine)
        high = max(space.span(v)[1] for v in mine)
        bytes_ = (high - low + 1) * STORED_BYTES[kernel.buffers[buffer].dtype] + target.alignment
        if bytes_ > target.binding_bytes and (worst is None or bytes_ > worst[0]):
            worst = bytes_, buffer
    if worst is None:
        yield space
        return
    mine = [v for v, view in enumerate(kernel.views) if view.buffer == worst[1]]
    axis = max(
        range(len(space.extents)),
        key=lambda k: max(abs(space.views[v].strides[k]) * (space.extents[k] - 1) for v in mine),
    )
    extent = space.extents[axis]
    if extent < 2:
        raise DeviceFault("An array is too large for this device to address in one kernel.")
    unit = 1024 if extent > 2048 else 1
    half = extent // 2 // unit * unit
    yield from _halves(space.part(axis, 0, half), target)
    yield from _halves(space.part(axis, half, extent - half), target)


def traffic(space: Space) -> tuple[int, int]:
    """Bytes that a launch reads and writes, each element of a view once."""
    moved = {"read": 0, "write": 0}
    for view, where in zip(space.kernel.views, space.views, strict=True):
        if view.buffer is not None:
            buffer = space.kernel.buffers[view.buffer]
            moving = (e for e, s in zip(space.extents, where.strides, strict=True) if s)
            moved[buffer.access] += prod(moving) * STORED_BYTES[buffer.dtype]
    return moved["read"], moved["write"]
