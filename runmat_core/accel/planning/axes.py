"""The last step of lowering: axes that every view runs through without a turn become one."""

from __future__ import annotations

from typing import Protocol

from runmat_core.accel.graph.addressing import StridedLayout
from runmat_core.accel.graph.node import Shape
from runmat_core.accel.planning.plan import BufferRef, KernelCall, ParamRef
from runmat_core.api.device import Addressing
from runmat_core.api.ir import Axis, Buffer, Builder, Instr, Kernel, Known, Param, View

#: Most axes of a kernel.
AXES = 8

_PARALLEL, _REDUCE, _SCAN, _SERIAL = Axis(), Axis("reduce"), Axis("scan"), Axis("serial")


class Work(Protocol):
    """What a lowering has written; `lowering.Lowering` tells what each is."""

    builder: Builder
    reduced: list[int]
    scanned: int | None
    serial: int | None
    extents: Shape
    views: dict[tuple[int | None, StridedLayout], int]
    buffers: dict[BufferRef, tuple[int, str]]
    writes: set[int]
    guards: int
    params: dict[ParamRef, tuple[int, Known]]

    def param_list(self) -> tuple[Param, ...]:
        """Return the params of the kernel."""

    def label(self) -> str:
        """Return the operations in the kernel, for people."""


def finished(work: Work, join: bool = True) -> KernelCall | None:
    """Return the kernel of what `work` has written; None where it needs too many axes.

    Args:
        join: whether axes may be joined.
    """
    kinds = [
        _REDUCE if k in work.reduced else _SCAN if k == work.scanned else _PARALLEL
        for k in range(len(work.extents))
    ]
    if work.serial is not None:
        kinds[work.serial] = _SERIAL
    addresses = [address for _, address in work.views]
    heads = _heads(work.extents, kinds, addresses) if join else list(range(len(kinds)))
    if len(heads) > AXES:
        return None
    extents, addresses = _joined(heads, work.extents, addresses)
    axes = tuple([kinds[k] for k in heads])
    code = work.builder.code
    kernel = Kernel(
        axes,
        tuple(
            [
                Buffer(dtype, "write" if k in work.writes else "read")
                for k, dtype in work.buffers.values()
            ]
        ),
        tuple(
            [
                View(buffer, tuple([bool(s) for s in address[1]]), _contiguous(extents, address))
                for (buffer, _), address in zip(work.views, addresses, strict=True)
            ]
        ),
        work.param_list(),
        tuple(code) if len(heads) == len(kinds) else _renumbered(code, heads, len(kinds)),
        bool(work.guards),
        work.label(),
    )
    return KernelCall(
        kernel,
        tuple(work.buffers),
        frozenset(work.writes),
        extents,
        tuple([Addressing(*address) for address in addresses]),
        tuple(work.params),
        kernel.name,
    )


def _heads(
    extents: tuple[int, ...], kinds: list[Axis], addresses: list[StridedLayout]
) -> list[int]:
    """Return the first of each run of axes to be joined."""
    heads = [0]
    for k in range(1, len(extents)):
        before = extents[k - 1]
        if kinds[k] is not kinds[k - 1] or kinds[k] is _SCAN:
            heads.append(k)
            continue
        for _, strides in addresses:
            if strides[k] != strides[k - 1] * before:
                heads.append(k)
                break
    return heads


def _joined(
    heads: list[int], extents: tuple[int, ...], addresses: list[StridedLayout]
) -> tuple[tuple[int, ...], list[StridedLayout]]:
    if len(heads) == len(extents):
        return extents, addresses
    ends = [*heads[1:], len(extents)]
    joined = []
    for head, end in zip(heads, ends, strict=True):
        extent = 1
        for k in range(head, end):
            extent *= extents[k]
        joined.append(extent)
    return tuple(joined), [(o, tuple([s[k] for k in heads])) for o, s in addresses]


def _renumbered(code: list[Instr], heads: list[int], rank: int) -> tuple[Instr, ...]:
    """Return the code with masks over the joined axes."""
    ends = [*heads[1:], rank]
    masks: dict[int, int] = {0: 0}
    result = []
    for instr in code:
        over = instr.over
        new = masks.get(over)
        if new is None:
            new = 0
            for place, (head, end) in enumerate(zip(heads, ends, strict=True)):
                if over >> head & ((1 << (end - head)) - 1):
                    new |= 1 << place
            masks[over] = new
        result.append(
            instr if new == over else Instr(instr.op, instr.args, instr.dtype, new, instr.attr)
        )
    return tuple(result)


def _contiguous(extents: tuple[int, ...], address: StridedLayout) -> bool:
    offset, strides = address
    if offset:
        return False
    step = 1
    for extent, stride in zip(extents, strides, strict=True):
        if stride:
            if stride != step:
                return False
            step *= extent
    return True
