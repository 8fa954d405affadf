"""What all parts of an opened device share."""

from __future__ import annotations

import attrs

from runmat_wgpu.device.clock import Clock
from runmat_wgpu.device.gpu import Gpu
from runmat_wgpu.device.groups import Groups
from runmat_wgpu.device.memory import Memory
from runmat_wgpu.device.pipelines import Pipelines
from runmat_wgpu.device.words import Words
from runmat_wgpu.telemetry import Counters


@attrs.frozen(eq=False)
class Shared:
    """The parts of a device, each the only one of its kind.

    Attributes:
        words: of rows that run once, `trips`: of those that repeats run, which take many more.
        profile: take the time of every dispatch.
    """

    gpu: Gpu
    memory: Memory
    pipelines: Pipelines
    groups: Groups
    words: Words
    trips: Words
    clock: Clock
    counters: Counters
    profile: bool = False
