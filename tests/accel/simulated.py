"""A device whose times are made up, so that its rates are known, and a clock that it moves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices import calibrate, measure
from runmat_core.accel.placement import work
from runmat_core.accel.placement.costs import Link, Rates
from runmat_core.accel.planning.plan import KernelCall
from runmat_core.api.device import (
    Capabilities,
    DeviceArray,
    DeviceFault,
    Downloaded,
    Executable,
    Launch,
)
from runmat_core.api.ir import ITEMSIZE, Kernel, Unit

TRUE = Rates(
    5e-6,
    {
        "stream": 1e-10,
        **{
            f"{family}.{wide}": rate * (2 if wide == "f64" else 1)
            for family, rate in {
                "light": 3e-10,
                "heavy": 2e-9,
                "reduce": 1e-9,
                "scan": 4e-9,
                "random": 5e-9,
                "gather": 2e-9,
                "matmul": 1e-11,
            }.items()
            for wide in ("f32", "f64")
        },
    },
    Link(1e-4, 2e-10),
    Link(3e-4, 4e-10),
)


class Clock:
    """Time that passes only where it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now

    def time(self) -> float:
        return 1e9 + self.now


class Simulated:
    """A device that takes the time that `TRUE` says, and keeps count of its arrays."""

    installed = SimpleNamespace(name="simulated", package="runmat-simulated", version="1")

    def __init__(self, clock: Clock, declines: tuple[str, ...] = (), **can: Any) -> None:
        self.clock = clock
        self.declines = declines
        self.name = "simulated"
        self.capabilities = Capabilities(
            **{"name": "chip", "kind": "device", "dtypes": frozenset({"f32", "f64"}), **can}
        )
        self.live = self.launches = 0
        self.fails = False

    def compile(self, units: tuple[Unit, ...]) -> tuple[Executable | None, ...]:
        return tuple(None if self._declined(unit) else Executable(unit, "s") for unit in units)

    def warmup(self, units: tuple[Unit, ...] = (), tune: float = 0.0) -> None:
        assert not self.launches or units

    def _declined(self, unit: Unit) -> bool:
        code = unit.code if isinstance(unit, Kernel) else ()
        names = {instr.op for instr in code} or {getattr(unit, "name", "")}
        return not names.isdisjoint(self.declines)

    def execute(self, steps: Any, slots: Any, params: Any = (), status: Any = None) -> None:
        if self.fails:
            raise DeviceFault("burnt")
        for step in steps:
            assert isinstance(step, Launch)
            assert len(step.params) == len(params)
            unit = step.executable.unit
            lowered = KernelCall(unit, (), frozenset(), step.extents, step.views, (), "")
            self.clock.now += TRUE.estimate(work.fused(lowered))
            self.launches += 1

    def synchronize(self) -> None:
        pass

    def upload(self, arrays: tuple[Any, ...]) -> tuple[DeviceArray, ...]:
        self.live += len(arrays)
        self.clock.now += sum(TRUE.upload.seconds(array.nbytes) for array in arrays)
        return tuple(DeviceArray(array.shape, "f32", "s") for array in arrays)

    def allocate(self, arrays: Any) -> tuple[DeviceArray, ...]:
        self.live += len(arrays)
        return tuple(DeviceArray(shape, dtype, "s") for shape, dtype in arrays)

    def download(self, arrays: tuple[DeviceArray, ...], status: Any = None) -> Downloaded:
        size = sum(array.size * ITEMSIZE[array.dtype] for array in arrays)
        self.clock.now += TRUE.download.seconds(size)
        return Downloaded(arrays=tuple(np.zeros(array.shape) for array in arrays))

    def free(self, arrays: tuple[DeviceArray, ...]) -> None:
        self.live -= len(arrays)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(measure, "time", made)
    monkeypatch.setattr(calibrate, "time", made)
    monkeypatch.setattr(calibrate, "is_loaded", lambda: False)
    # how large arrays are matters to real devices alone
    monkeypatch.setattr(measure, "MOST", 1 << 20)
    return made
