"""How much there is to do in transforms, convolutions and filters: a part of `work`.

On a provider both move arrays a few times and compute at a part of the rate of products, for which
devices are measured. Host rules compute on one core: what they do is counted in cheap operations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runmat_core.api.ir import ITEMSIZE, PART_OF, LibraryCall

#: Points that a provider transforms in one pass over memory.
PASS = 1 << 10
#: How many times as long an operation of a transform takes as one of a product: its numbers are
#: exchanged between threads. And one of a convolution.
EXCHANGED = 8.0
SLID = 4.0
#: Cheap operations for a point and a doubling of the length by host rules, and for a product.
POINT = 6.0
PRODUCT = 2.0
#: Taps from which host rules convolve by transforms.
TAPS = 256
#: Cheap operations that a device could do while a thread of it waits for one step of a recursion.
STEP = 6e4


def on_provider(unit: LibraryCall, extents: Sequence[int]) -> dict[str, float]:
    """Amounts of an ``fft``, ``conv`` or ``filter`` on a provider, by family."""
    wide = _part(unit)
    if unit.name == "filter":
        order, taps, steps, points = _filtered(unit, extents)
        moved = 2.0 * points * ITEMSIZE[wide]
        if not order:
            return {f"matmul.{wide}": 2.0 * SLID * points * taps, "stream": moved}
        return {f"light.{wide}": points * (4.0 * order + 2.0) + STEP * steps, "stream": moved}
    if unit.name == "conv":
        sizes = _convolved(unit, extents)
        _, taps, points = sizes
        read = float(sum(sizes) * ITEMSIZE[wide])
        return {f"matmul.{wide}": 2.0 * SLID * points * taps, "stream": read}
    flops, moved = 0.0, 0.0
    for size, n in _transforms(unit, extents):
        passes = max(1, math.ceil(math.log(n, PASS)))
        times = 1 if _is_smooth(n) else 5
        flops += 5.0 * size * math.log2(n) * times
        moved += 4.0 * size * passes * ITEMSIZE[wide] * times
    return {f"matmul.{wide}": EXCHANGED * flops, "stream": moved}


def transforms_take_less(n: Sequence[int], m: Sequence[int]) -> bool:
    """Whether a provider convolves arrays of these extents faster by transforms than by sums.

    Two forward transforms and one back; twice as much, for what is read on the way.
    """
    full = [a + b - 1 for a, b in zip(n, m, strict=True)]
    points = math.prod(full)
    sums = 2.0 * SLID * points * min(math.prod(n), math.prod(m))
    steps = math.log2(max(points, 2))
    return 2.0 * 3.0 * EXCHANGED * 5.0 * points * steps < sums


def by_rules(unit: LibraryCall, extents: Sequence[int]) -> dict[str, float]:
    """Amounts of such a call by host rules."""
    wide = _part(unit)
    if unit.name == "filter":
        order, taps, _, points = _filtered(unit, extents)
        each = 4.0 * order + 8.0 if order else PRODUCT * taps
        return {f"light.{wide}": each * points}
    if unit.name == "conv":
        array, taps, points = _convolved(unit, extents)
        whole = float(array + taps)
        operations = PRODUCT * points * taps
        if taps > TAPS:
            operations = min(operations, 3.0 * POINT * whole * math.log2(whole))
        return {f"light.{wide}": operations}
    operations = sum([POINT * size * math.log2(n) for size, n in _transforms(unit, extents)])
    return {f"light.{wide}": operations, "stream": 2.0 * _last(extents) * ITEMSIZE[wide]}


def _part(unit: LibraryCall) -> str:
    return PART_OF.get(unit.dtypes[-1], unit.dtypes[-1])


def _last(extents: Sequence[int]) -> int:
    return math.prod(extents[len(extents) // 2 :])


def _transforms(unit: LibraryCall, extents: Sequence[int]) -> list[tuple[float, int]]:
    """For each axis how many points there are, and how long slices are."""
    axes: Any = unit.attribute("axes", (0,))
    half = len(extents) // 2
    made = extents[half:]
    return [(float(math.prod(made)), max(made[axis], 2)) for axis in axes]


def _convolved(unit: LibraryCall, extents: Sequence[int]) -> tuple[int, int, int]:
    """Elements of the array, of the kernel, and of the result."""
    half = len(extents) // 2
    n, m = extents[:half], extents[half:]
    part = unit.attribute("part", "full")
    made = [
        {"full": a + b - 1, "same": a}.get(str(part), max(a - b + 1, 0))
        for a, b in zip(n, m, strict=True)
    ]
    return math.prod(n), math.prod(m), math.prod(made)


def _filtered(unit: LibraryCall, extents: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the order of a recursion, 0 for none; taps without one; steps of a slice; elements."""
    axis: Any = unit.attribute("axis", 0)
    above, below, *shape = extents
    order = max(above, below) - 1 if unit.attribute("recursive") else 0
    return order, above, shape[axis], math.prod(shape)


def _is_smooth(n: int) -> bool:
    for prime in (2, 3, 5, 7, 11, 13):
        while n % prime == 0:
            n //= prime
    return n == 1
