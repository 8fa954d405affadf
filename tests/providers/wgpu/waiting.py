"""Scans whose workgroups wait for one another, run by `test_scans_waiting` in a process of its own.

Mesa's llvmpipe leaves loops that go on for long, so it may run one workgroup at a time only: then
whatever a workgroup waits for is there already.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np
from runmat_provider_tests.device import Draft
from runmat_wgpu.device.facts import in_turn

from runmat_core.api import ir
from tests.providers.wgpu.drawn import check
from tests.providers.wgpu.machine import adapter_device
from tests.providers.wgpu.sliced import named
from tests.providers.wgpu.test_scans import scan, weights

#: Tiles of 128 singles or 64 doubles, so that there are several teams and leagues.
WAITS: dict[str, Any] = {
    "software": False,
    "waits": True,
    "invocations": 32,
    "tuned": (("scan.held", 16),),
}
TOLERANCE = {"f32": 2e-4, "f64": 1e-9}


def vectors() -> None:
    """Lengths that vectors of lanes divide and do not, from both ends, over several leagues."""
    cases = [("f32", 1000), ("f32", 140_004), ("f32", 140_003), ("f64", 70_002), ("f64", 70_001)]
    for dtype, size in cases:
        for reverse in (False, True):
            draft = scan("sum", (size,), ["scan"], reverse, dtype)
            check(draft, TOLERANCE[dtype], 1e-4, **WAITS)


def reducers() -> None:
    """Reducers with and without a state of nothing, and one whose runs must keep their order."""
    for name in ("prod", "max", "min", "recurrence", "two largest"):
        draft = scan(name, (66_003,), ["scan"], name == "min", "f64")
        check(draft, 1e-9, 1e-9, **WAITS)


def slices() -> None:
    for shape, kinds in (((70_000, 3), ["scan", "parallel"]), ((3, 9000), ["parallel", "scan"])):
        check(scan("sum", shape, kinds), 2e-4, 1e-4, **WAITS)


def several() -> None:
    """Two scans of two types in one kernel, whose states are told side by side."""
    x = np.random.default_rng(3).integers(0, 9, 70_002).astype(np.float32)
    draft = Draft(x.shape, ["scan"])
    value = draft.load(x)
    draft.store(ir.scan(named("sum", "f32"), value)[0])
    draft.store(ir.scan(named("max", "f64"), ir.cast(value, "f64") * 2.0)[0])
    machine = check(draft, **WAITS)
    np.testing.assert_array_equal(machine.result(1), np.cumsum(x, dtype=float))


def seams() -> None:
    """A running sum of weights does not fall where a thread, team, tile or league ends."""
    for reverse in (False, True):
        for changes in (WAITS, {"software": False, "waits": True}):
            machine = check(weights((300_003,), ["scan"], reverse), 2e-3, **changes)
            found = machine.result(1)
            assert (np.diff(found[::-1] if reverse else found) >= 0).all()


def bits() -> str:
    """A digest of a result that rounds, in tiles of ordinary size."""
    machine = check(scan("sum", (300_000,), ["scan"]), 2e-4, 1e-4, software=False, waits=True)
    return hashlib.sha256(machine.result(1).tobytes()).hexdigest()


def main() -> None:
    runs = {run.__name__: run for run in (vectors, reducers, slices, several, seams)}
    for name in sys.argv[1:] or runs:
        runs[name]()
        print(name)
    assert bits() == bits()
    print("bits")
    assert in_turn(adapter_device())
    print("in_turn")


if __name__ == "__main__":
    main()
