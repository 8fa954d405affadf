"""Results with `accel.offload.pin` do not depend on what was measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import attrs

from runmat_core.accel.devices import calibrate
from runmat_core.accel.devices.providers import Choice
from runmat_core.accel.placement import costs
from runmat_core.accel.placement.probes import probes
from runmat_core.accel.planning.plan import KernelCall

#: Sums whose order differs between host rules and the host provider.
PROGRAM = """
rng(4); x = rand(1000); y = single(x);
for k = 1:4
    r = sum(exp(x) .* x + k); s = mean(exp(y) .* y + k, 2); t = std(x(:) * k);
    fprintf('%s %s %s\\n', num2hex(r(7)), num2hex(s(9)), num2hex(t));
end
"""


def forged(folder: Path, rules: float) -> dict[str, str]:
    """An environment in whose caches host rules were measured as so many times as slow."""
    kept = folder / "accel"
    kept.mkdir(parents=True, mode=0o700)
    typical = costs.typical("rules")
    rates = attrs.evolve(
        typical,
        launch=typical.launch * rules,
        seconds={name: unit * rules for name, unit in typical.seconds.items()},
        measured=True,
    )
    made = calibrate.Calibration(calibrate.key_of(None), rates, time.time(), 1.0)
    calibrate.store(made, str(kept))
    plain = {k: v for k, v in os.environ.items() if not k.startswith("RUNMAT_ACCEL")}
    return {**plain, "RUNMAT_CACHE_DIR": str(folder), "RUNMAT_ACCEL_PROVIDER": "inprocess"}


def ran(environment: dict[str, str], record: Path, **more: str) -> tuple[str, list[str]]:
    """What the program printed, and where the steps of its evaluations ran."""
    program = record.with_suffix(".m")
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "runmat_core", "run", "--telemetry", str(record), str(program)]
    found = subprocess.run(
        command,
        env={**environment, **more},
        capture_output=True,
        text=True,
        check=True,
        timeout=250,
    )
    runs = json.loads(record.read_text())["runs"]
    return found.stdout, [step["target"] for run in runs for step in run["steps"]]


def test_forged_calibrations_change_no_bit(tmp_path: Path) -> None:
    slow, fast = forged(tmp_path / "slow", 100.0), forged(tmp_path / "fast", 0.001)
    record = tmp_path / "record.json"
    pinned = {"RUNMAT_ACCEL_OFFLOAD_PIN": "1"}
    assert ran(slow, record, **pinned) == ran(fast, record, **pinned)
    # what is measured decides otherwise
    assert ran(slow, record)[1] != ran(fast, record)[1]


def test_pinned_costs_learn_nothing() -> None:
    made = calibrate.pinned_costs(Choice(None, None))
    probe = probes("f64")["light"]
    extents, views = probe.extents(1 << 20), probe.views(1 << 20)
    unit = KernelCall(probe.unit, (), frozenset(), extents, views, (), "")
    before = made.estimate(unit, "rules")
    for _ in range(20):
        made.observe(unit, "rules", 1e3)
    assert made.estimate(unit, "rules") == before
    assert made.version == 0
