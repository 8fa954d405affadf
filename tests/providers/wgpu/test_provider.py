"""The provider in a session: found, opened when needed, lost, and gone without a word."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_wgpu import codegen, tuning
from runmat_wgpu.device import gpu

from runmat_core.accel.devices.orphans import close_orphans
from runmat_core.api.device import (
    StartRequest,
    SynchronizeRequest,
    TelemetryRequest,
    WarmupRequest,
)
from runmat_core.session import Session, config
from tests.providers.wgpu.hand import Hand
from tests.providers.wgpu.machine import adapter_device


@pytest.fixture
def hand() -> Hand:
    adapter_device()  # skips where there is none
    return Hand(probe="never")


def test_abilities_follow_the_adapter(hand: Hand) -> None:
    can = hand.capabilities
    assert can is not None
    device = adapter_device()
    info = device.adapter.info
    assert (can.name, can.kind, can.driver) == (info["device"], "device", info["description"])
    assert can.software == (info["adapter_type"] == "CPU")
    assert can.libraries == frozenset(codegen.LIBRARIES)
    assert ("f64" in can.dtypes) == ("shader-f64" in device.adapter.features)
    assert (can.loops, can.scans) == (codegen.LOOPS, codegen.SCANS)
    assert can.max_buffer_bytes is not None
    assert can.max_buffer_bytes <= device.adapter.limits["max-buffer-size"]


def test_nothing_is_opened_before_it_is_needed(hand: Hand) -> None:
    provider = hand.provider
    assert provider.synchronize(SynchronizeRequest())
    assert provider.telemetry(TelemetryRequest()).live_arrays == 0
    assert provider._device is None
    assert provider.warmup(WarmupRequest())
    provider.close()
    assert provider._device is None


def test_tuned_numbers_reach_the_generators(tmp_path: Path) -> None:
    adapter_device()
    plain = Hand(str(tmp_path), probe="never")
    assert plain.capabilities is not None
    name, driver = plain.capabilities.name, plain.capabilities.driver
    tuning.write(str(tmp_path), name, driver, {"tile": 128})
    tuning.write(str(tmp_path), name, driver, {"depth": 16})
    tuning.write(str(tmp_path), "other", driver, {"tile": 1})
    tuned = Hand(str(tmp_path), probe="never")
    assert tuned.provider._target.tuned == (("depth", 16), ("tile", 128))
    (tmp_path / "tuned.json").write_text("nonsense")
    assert Hand(str(tmp_path), probe="never").provider._target.tuned == ()


PROGRAM = """
import json, sys
from runmat_core.session import Session
from runmat_core.session.config import load

config = load().replace(accel__provider="wgpu", accel__offload__force="device")
session = Session(config=config)
warned = []
told = {}
for name, code in json.loads(sys.argv[1]).items():
    if name.startswith("lose"):
        from runmat_wgpu.device import gpu
        for one in tuple(gpu._watched):
            one.device.destroy()
        continue
    try:
        session.run(code)
        told[name] = "done"
    except Exception as problem:
        told[name] = getattr(problem, "identifier", repr(problem))
told["values"] = {name: float(session.eval(f"gather({name})")) for name in sys.argv[2:]}
from runmat_core.accel.devices import providers
told["started"] = providers._started["wgpu"]
session.close()
print("\\n" + json.dumps(told))
"""


def run(tmp_path: Path, codes: dict[str, str], *names: str) -> tuple[dict[str, Any], str]:
    """How each code ended and the values of variables; and what was said on stderr."""
    environment = {**os.environ, "RUNMAT_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(codes), *names],
        capture_output=True,
        text=True,
        env=environment,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1]), done.stderr + done.stdout


MAKE = (
    "x = single(reshape(1:90000, 300, 300)) / 90000; "
    "y = tanh(x) .* 2 + x; gpu = gpuArray(y); wait(gpuDevice);"
)


def test_a_session_computes_on_the_device_and_ends_quietly(tmp_path: Path) -> None:
    adapter_device()
    codes = {"make": MAKE, "sum": "s = double(gather(sum(gpu(:))));"}
    told, said = run(tmp_path, codes, "s")
    x = np.arange(1, 90001, dtype=np.float32) / np.float32(90000)
    assert told["values"]["s"] == pytest.approx(float((np.tanh(x) * 2 + x).sum()), rel=1e-4)
    assert "Warning" not in said
    assert "rror" not in said
    assert len(list((tmp_path / "providers" / "wgpu").glob("adapter-*.json"))) == 1


def test_a_session_outlives_its_device(tmp_path: Path) -> None:
    adapter_device()
    codes = {
        "make": MAKE,
        "use": "before = double(gather(sum(gpu(:))));",
        "lose": "",
        "again": MAKE + " after = double(gather(sum(gpu(:))));",
        "then": "third = double(gather(sum(gpu(:) .* 2)));",
    }
    told, said = run(tmp_path, codes, "before", "after", "third")
    assert told["make"] == told["use"] == told["again"] == told["then"] == "done"
    assert told["values"]["after"] == pytest.approx(told["values"]["before"], rel=1e-6)
    assert told["values"]["third"] == pytest.approx(2 * told["values"]["before"], rel=1e-6)
    assert told["started"] == 2
    assert said.count("was lost") == 1


def test_auto_prefers_the_host_to_an_emulated_device(tmp_path: Path) -> None:
    if adapter_device().adapter.info["adapter_type"] != "CPU":
        pytest.skip("this adapter is hardware")
    program = (
        "import sys; from runmat_core.session import Session; s = Session(provider='auto')\n"
        "s.run('x = single(rand(2000)); y = sum(sum(tanh(x)));'); s['y']\n"
        "print('wgpu' in sys.modules, 'runmat_inprocess' in sys.modules); s.close()"
    )
    environment = {**os.environ, "RUNMAT_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.stdout.split() == ["False", "True"], done.stderr
    assert done.stderr == ""


def test_the_name_of_an_instance_is_in_its_handles() -> None:
    from runmat_wgpu import WgpuProvider

    from runmat_core.api.device import AllocateRequest

    adapter_device()
    provider = WgpuProvider()
    provider.capabilities(StartRequest(name="wgpu#2", options=(("probe", "never"),)))
    (handle,) = provider.allocate(AllocateRequest(arrays=(((2, 2), "f32"),)))
    assert handle.owner == "wgpu#2"
    provider.close()


def test_devices_of_dropped_sessions_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter_device()
    monkeypatch.setenv("RUNMAT_ACCEL_THRESHOLD", "100")
    monkeypatch.setenv("RUNMAT_CACHE_DIR", "")
    settings = config.load().replace(accel__offload__force="device")

    def watched() -> int:
        gc.collect()
        close_orphans()
        return len(gpu._watched)

    devices: list[gpu.Gpu] = []
    before = watched()
    others = {*gpu._watched}
    for _ in range(4):
        session = Session(config=settings, provider="wgpu")
        session.run("x = rand(300, 'single'); y = 2*x + 1; t = sum(y(:)); if t > 0, z = y; end")
        (opened,) = gpu._watched - others
        assert session.interp.seat is not None
        assert session.interp.seat.engine.live_handles
        devices.append(opened)
        del session
        assert watched() == before
    assert [one.device for one in devices] == [None] * 4
