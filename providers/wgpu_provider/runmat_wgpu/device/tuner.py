"""Finding the fastest of several forms on the device at hand."""

from __future__ import annotations

import time
from collections.abc import Callable

import attrs
import numpy as np

from runmat_core.api.device import (
    NUMPY_DTYPE,
    DeviceArray,
    DeviceFault,
    Executable,
    ExecuteRequest,
    Launch,
)
from runmat_wgpu.codegen import template
from runmat_wgpu.codegen.shader import Target
from runmat_wgpu.codegen.tunable import Tunable, tunables
from runmat_wgpu.device.device import Device
from runmat_wgpu.device.plans import Compiled

#: A candidate is timed in rows of launches that take at least so long, and the best row counts.
ROW_SECONDS = 0.01
ROWS = 3
#: How much faster than what is used now a candidate must be.
WORTH = 0.97


def tune(device: Device, target: Target, seconds: float) -> dict[str, int]:
    """Return the choices that are faster than those of `target`, by name.

    Args:
        seconds: after which no further candidate is tried.
    """
    end = time.perf_counter() + seconds
    found: dict[str, int] = {}
    for choice in tunables(target):
        best = _best(device, target, choice, end)
        if best is not None:
            found[choice.name] = best
    return found


def _best(device: Device, target: Target, choice: Tunable, end: float) -> int | None:
    """Return the fastest candidate; None where what is used now is as fast, or time is up."""
    kind = NUMPY_DTYPE[choice.call.dtypes[0]]
    rng = np.random.default_rng(1)
    arrays = [np.asfortranarray(rng.random(size).astype(kind)) for size in choice.inputs]
    slots = (
        *device.upload(arrays),
        *device.allocate(((choice.output, choice.call.dtypes[-1]),)),
    )
    try:
        best, least = None, WORTH * _seconds(device, target, choice, slots)
        for candidate in choice.candidates:
            if time.perf_counter() > end:
                break
            others = tuple(pair for pair in target.tuned if pair[0] != choice.name)
            tried = attrs.evolve(target, tuned=(*others, (choice.name, candidate)))
            spent = _seconds(device, tried, choice, slots)
            if spent < least:
                best, least = candidate, spent
        return best
    finally:
        device.free(slots)


def _seconds(
    device: Device, target: Target, choice: Tunable, slots: tuple[DeviceArray, ...]
) -> float:
    """Seconds of one launch; infinite where this form does not run."""
    call = choice.call
    unit = Executable(call, device.owner, Compiled(call, lambda: template(call, target)))
    launch = Launch(unit, tuple(range(len(slots))), choice.extents)

    def run(count: int) -> None:
        device.execute(ExecuteRequest(steps=(launch,) * count, slots=slots))
        device.synchronize()

    try:
        run(1)
    except DeviceFault:
        return float("inf")
    once = _timed(lambda: run(1))
    count = max(1, round(ROW_SECONDS / max(once, 1e-6)))
    return min(_timed(lambda: run(count)) for _ in range(ROWS)) / count


def _timed(work: Callable[[], None]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
