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
    """The parts of a device, each the only one of its kind."""

    gpu: Gpu
    memory: Memory
    pipelines: Pipelines
    groups: Groups
    words: Words
    clock: Clock
    counters: Counters
    profile: bool = False
