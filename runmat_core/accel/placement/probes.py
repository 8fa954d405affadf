"""The kernels that a calibration times, one or two for each family of work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from runmat_core.api import ir
from runmat_core.api.device import Addressing
from runmat_core.api.ir import Builder, Unit, V, reducers

#: Cheap operations in the kernel that tells them from the way to memory, and the dear ones in
#: the kernel that tells those.
MANY_LIGHT = 17
MANY_HEAVY = 4
#: Extent of the scanned axis, and of square matrices.
SCANNED = 1024
ORDER = 512


@attrs.frozen
class Probe:
    """A unit over `n` elements, how to launch it, and what it does.

    Attributes:
        slots: letters: ``a`` and ``b`` hold numbers in (0, 1), ``p`` element numbers in disorder,
            ``y`` takes results.
        extents, views: for `n` elements.
        share: the part of the elements of the first probe that it is run with.
    """

    unit: Unit
    slots: str
    extents: Callable[[int], tuple[int, ...]]
    views: Callable[[int], tuple[Addressing, ...]]
    params: tuple[int, ...] = ()
    share: int = 1


def vector(n: int) -> tuple[int, ...]:
    """Return the extents of a kernel over a vector."""
    return (n,)


def along(slots: int) -> Callable[[int], tuple[Addressing, ...]]:
    """Return views of vectors from end to end."""
    return lambda n: (Addressing(0, (1,)),) * slots


def probes(dtype: str) -> dict[str, Probe]:
    """Return the probes for an element type, by the rate that they measure."""
    return {
        "add": _map(dtype, 2, lambda a, b: a + b),
        "light": _map(dtype, 2, _many_light),
        "heavy": _map(dtype, 1, _many_heavy, share=8),
        "reduce": _sum(dtype),
        "scan": _cumulative_sum(dtype),
        "random": _random(dtype),
        "gather": _gather(dtype),
        "matmul": Probe(
            ir.LibraryCall("matmul", (dtype,) * 3), "aby", lambda n: (ORDER,) * 3, lambda n: ()
        ),
    }


def _many_light(a: V, b: V) -> V:
    value = a
    for k in range(MANY_LIGHT):
        value = value * b if k % 2 else value + b
    return value


def _many_heavy(a: V) -> V:
    value = a
    for _ in range(MANY_HEAVY):
        value = ir.exp(-value)
    return value


def _map(dtype: str, inputs: int, function: Callable[..., V], share: int = 1) -> Probe:
    builder = Builder()
    values = [V(builder, builder.emit("load", (), dtype, 1, k)) for k in range(inputs)]
    _store(builder, function(*values), inputs)
    unit = _kernel(builder, ("parallel",), (dtype,) * inputs, dtype)
    return Probe(unit, "ab"[:inputs] + "y", vector, along(inputs + 1), share=share)


def _sum(dtype: str) -> Probe:
    builder = Builder(reduce_mask=1)
    value = V(builder, builder.emit("load", (), dtype, 1, 0))
    _store(builder, ir.reduce(reducers.sum_(dtype), value)[0], 1)
    unit = _kernel(builder, ("reduce",), (dtype,), dtype, moves=((True,), (False,)))
    return Probe(unit, "ay", vector, lambda n: (Addressing(0, (1,)), Addressing(0, (0,))))


def _cumulative_sum(dtype: str) -> Probe:
    builder = Builder(scan_mask=1)
    value = V(builder, builder.emit("load", (), dtype, 3, 0))
    _store(builder, ir.scan(reducers.sum_(dtype), value)[0], 1)
    unit = _kernel(builder, ("scan", "parallel"), (dtype,), dtype, moves=((True, True),) * 2)
    columns = (Addressing(0, (1, SCANNED)),) * 2
    return Probe(unit, "ay", lambda n: (SCANNED, n // SCANNED), lambda n: columns, share=8)


def _random(dtype: str) -> Probe:
    builder = Builder()
    words = [builder.emit("param", (), "u32", 0, k) for k in range(4)]
    number = builder.emit("index", (), "i64", 1, 0)
    value = builder.emit("random", (number, *words), dtype, 1, ("uniform", dtype))
    _store(builder, V(builder, value), 1)
    views = (ir.View(None, (True,), True), ir.View(0, (True,), True))
    unit = ir.Kernel(
        (ir.Axis(),),
        (ir.Buffer(dtype, "write"),),
        views,
        (ir.Param("u32"),) * 4,
        tuple(builder.code),
        name="calibration",
    )
    return Probe(unit, "y", vector, along(2), params=(1, 2, 0, 0), share=8)


def _gather(dtype: str) -> Probe:
    builder = Builder()
    place = V(builder, builder.emit("load", (), dtype, 1, 0))
    number = ir.cast(place, "i64")
    _store(builder, V(builder, builder.emit("load", (number.position,), dtype, 1, 1)), 2)
    unit = _kernel(builder, ("parallel",), (dtype, dtype), dtype)
    return Probe(unit, "pay", vector, along(3), share=8)


def _store(builder: Builder, value: V, view: int) -> None:
    builder.emit("store", (value.position,), value.dtype, value.over, view)


def _kernel(
    builder: Builder,
    kinds: tuple[Any, ...],
    reads: tuple[str, ...],
    writes: str,
    moves: tuple[tuple[bool, ...], ...] = (),
) -> ir.Kernel:
    """Return a kernel with a view of each buffer, the last one written."""
    count = len(reads) + 1
    moves = moves or ((True,) * len(kinds),) * count
    buffers = (*map(ir.Buffer, reads), ir.Buffer(writes, "write"))
    views = tuple(ir.View(k, moves[k], all(moves[k])) for k in range(count))
    axes = tuple(map(ir.Axis, kinds))
    return ir.Kernel(axes, buffers, views, (), tuple(builder.code), name="calibration")
