"""The first use of an adapter happens in a process of its own, once; its end is a verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest
from runmat_wgpu.device import adapter as adapters
from runmat_wgpu.device import probe
from runmat_wgpu.options import Options

from runmat_core.api.device import DeviceFault, DeviceLost, NoDevice
from tests.providers.wgpu.hand import Hand
from tests.providers.wgpu.machine import adapter_device, facts

GOOD: dict[str, Any] = {
    "found": True,
    "name": "a card",
    "backend": "Vulkan",
    "kind": "DiscreteGPU",
    "driver": "1.2.3",
    "features": ["shader-f64"],
    "limits": {
        "max-compute-invocations-per-workgroup": 1024,
        "max-compute-workgroup-size-x": 512,
        "max-compute-workgroup-storage-size": 49152,
        "max-compute-workgroups-per-dimension": 65535,
        "max-storage-buffers-per-shader-stage": 16,
        "max-storage-buffer-binding-size": 2147483644,
        "min-storage-buffer-offset-alignment": 16,
        "max-buffer-size": 1 << 32,
    },
    "memory": 10_000_000_000,
    "problem": "",
}


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "_known", {})


class Trials:
    """Trials that run a program of the test instead."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *programs: str) -> None:
        self.requests: list[dict[str, Any]] = []
        self.programs = list(programs)
        self.run = subprocess.run
        monkeypatch.setattr(subprocess, "run", self)

    def __call__(self, command: list[str], **options: Any) -> Any:
        self.requests.append(json.loads(command[-1]))
        program = self.programs[min(len(self.requests), len(self.programs)) - 1]
        return self.run([sys.executable, "-c", program], **options)


def says(told: dict[str, Any]) -> str:
    return f"print('noise'); print({json.dumps(json.dumps(told))})"


def test_a_good_adapter_is_tried_out_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trials = Trials(monkeypatch, says(GOOD))
    first = probe.verdict(Options(), str(tmp_path))
    probe._known.clear()
    second = probe.verdict(Options(), str(tmp_path))
    assert first == second
    assert (second.name, second.features) == ("a card", ("shader-f64",))
    assert len(trials.requests) == 1
    probe.verdict(Options(probe="always"), str(tmp_path))
    assert len(trials.requests) == 2
    probe.verdict(Options(adapter="other"), str(tmp_path))
    assert len(trials.requests) == 3


def test_abilities_are_told_without_loading_wgpu(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trials = Trials(monkeypatch, says(GOOD))
    can = Hand(str(tmp_path)).capabilities
    assert can is not None
    assert (can.name, can.driver, can.software) == ("a card", "1.2.3", False)
    assert can.memory_bytes == 9_000_000_000
    assert {"f64", "f32"} <= can.dtypes
    assert not {"i64", "u64"} & can.dtypes
    assert ("adapter", "DiscreteGPU through Vulkan") in can.details
    program = (
        "import sys; from runmat_wgpu import WgpuProvider; from runmat_core.api.device import *\n"
        f"p = WgpuProvider(); c = p.capabilities(StartRequest(name='w', "
        f"cache_folder={str(tmp_path)!r})); print(c.name, 'wgpu' in sys.modules)"
    )
    done = trials.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["a", "card", "False"], done.stderr


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import os; os.abort()", "killed by signal 6"),
        ("raise SystemExit('no such thing')", "no such thing"),
        ("import time; time.sleep(60)", "hung for 1 seconds"),
        ("pass", "said nothing"),
        (says({**GOOD, "problem": "it computes wrongly with f32"}), "wrongly with f32"),
    ],
)
def test_a_bad_adapter_costs_a_warning_and_no_second_trial(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str, reason: str
) -> None:
    trials = Trials(monkeypatch, program)
    # a busy machine takes its time to start the other programs
    seconds = 1 if "hung" in reason else 100
    for _ in range(2):
        with pytest.raises(DeviceFault, match=reason):
            Hand(str(tmp_path), probe_seconds=seconds)
        probe._known.clear()
    assert len(trials.requests) == 2  # with and without what is risky, and never again


def test_features_that_break_a_driver_are_left_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trials = Trials(monkeypatch, "import os; os.abort()", says({**GOOD, "features": []}))
    can = Hand(str(tmp_path)).capabilities
    assert can is not None
    assert "f64" not in can.dtypes
    assert ("left off", "shader-f64 shader-int64 subgroup immediates") in can.details
    assert trials.requests[1]["without"] == ["shader-f64", "shader-int64", "subgroup", "immediates"]


def test_no_adapter_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen = ['a card (CPU through Vulkan): accel.wgpu.adapter is "b"']
    Trials(monkeypatch, says({"found": False, "seen": seen}))
    with pytest.raises(NoDevice, match=r"device files: .*; drivers of Vulkan: .* seen: a card"):
        Hand(str(tmp_path))


def test_each_adapter_is_told_with_why_it_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(name: str, backend: str, kind: str) -> adapters.Adapter:
        return adapters.Adapter(name, backend, kind, "1", frozenset(), None)

    there = [
        made("old", "OpenGL", "DiscreteGPU"),
        made("small", "Vulkan", "IntegratedGPU"),
        made("large", "Vulkan", "DiscreteGPU"),
    ]
    monkeypatch.setattr(adapters, "adapters", lambda folder: there)
    taken, seen = adapters.survey(Options())
    assert taken is there[2]
    assert seen == [
        "old (DiscreteGPU through OpenGL): OpenGL lacks what kernels need",
        "small (IntegratedGPU through Vulkan): large is preferred",
        "large (DiscreteGPU through Vulkan): taken",
    ]
    taken, seen = adapters.survey(Options(adapter="SMALL", backend="metal"))
    assert taken is None
    assert seen[2] == 'large (DiscreteGPU through Vulkan): accel.wgpu.backend is "metal"'
    assert adapters.survey(Options(adapter="SMALL"))[0] is there[1]


def test_a_spoilt_file_is_made_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trials = Trials(monkeypatch, says(GOOD))
    probe.verdict(Options(), str(tmp_path))
    (file,) = tmp_path.glob("adapter-*.json")
    file.write_text('{"found": 1, "nonsense": 2}')
    probe._known.clear()
    assert probe.verdict(Options(), str(tmp_path)).name == "a card"
    assert len(trials.requests) == 2


def test_another_adapter_than_the_one_tried_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Drivers may change without a trace; what was told of the old one then holds no more."""
    adapter_device()  # skips where there is none
    Trials(monkeypatch, says(GOOD))
    hand = Hand(str(tmp_path))
    with pytest.raises(DeviceLost, match="a card is not there any more"):
        hand.allocate(((1, 1), "f32"))
    assert not list(tmp_path.glob("adapter-*.json"))


def test_the_real_trial(tmp_path: Path) -> None:
    adapter_device()  # skips where there is none
    found = probe.verdict(Options(), str(tmp_path))
    assert found.found
    assert found.problem == ""
    assert found.name == adapters.find(Options()).name  # type: ignore[union-attr]
    plain = probe.verdict(Options(probe="never"), "")
    # how long doubles take is measured, and other work on the device tells in that
    assert {**found.facts, "wide": None} == {**facts(), "wide": None}
    # a display that another test opened lets this process see one adapter more
    assert plain.seen[:1] == found.seen[:1]
    rest = {"memory": None, "seen": ()}
    assert attrs.evolve(plain, **rest) == attrs.evolve(found, **rest, facts={})
    request = {"options": attrs.asdict(Options()), "without": ["shader-f64"], "cache_folder": ""}
    done = subprocess.run(
        [sys.executable, "-m", "runmat_wgpu.device.trial", json.dumps(request)],
        capture_output=True,
        text=True,
    )
    assert "shader-f64" not in json.loads(done.stdout)["features"]
    assert done.stderr == ""


def test_auto_asks_no_driver_where_no_hardware_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from runmat_wgpu import WgpuProvider

    from runmat_core.api.device import StartRequest

    trials = Trials(monkeypatch, says(GOOD))
    monkeypatch.setattr(adapters, "_DEVICE_FILES", ("no-such-device*",))
    monkeypatch.setattr(adapters.sys, "platform", "linux")
    with pytest.raises(NoDevice, match="no driver was asked"):
        WgpuProvider().capabilities(StartRequest(name="wgpu", auto=True))
    assert trials.requests == []
    assert WgpuProvider().capabilities(StartRequest(name="wgpu")) is not None


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("colour", "red", "wgpu has no option colour; it has adapter, backend"),
        ("power_preference", "lots", "one of high-performance, low-power, not 'lots'"),
        ("backend", "opengl", "one of auto, vulkan, metal, dx12"),
        ("memory", -1, "an integer of at least 0"),
        ("memory", True, "an integer of at least 0"),
        ("adapter", 3, "is text, not 3"),
        ("profile", 1, "true or false"),
        ("probe", "sometimes", "one of once, always, never"),
    ],
)
def test_options_are_checked(key: str, value: Any, told: str) -> None:
    with pytest.raises(DeviceFault, match=told):
        Hand(**{key: value})


def test_adapters_are_chosen_by_name_and_backend() -> None:
    adapter_device()  # skips where there is none
    there = adapters.find(Options())
    assert there is not None
    assert there.backend in ("Vulkan", "Metal", "D3D12")
    part = there.name.upper()[: len(there.name) // 2]
    assert adapters.find(Options(adapter=part)) == there
    assert adapters.find(Options(adapter="no such card")) is None
    other = "metal" if there.backend == "Vulkan" else "vulkan"
    assert adapters.find(Options(backend=other)) is None


def test_the_adapter_of_the_wanted_kind_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(kind: str) -> adapters.Adapter:
        return adapters.Adapter(kind, "Vulkan", kind, "1", frozenset(), None)

    kinds = ("CPU", "IntegratedGPU", "DiscreteGPU")
    monkeypatch.setattr(adapters, "adapters", lambda folder: [made(kind) for kind in kinds])
    fast = adapters.find(Options())
    frugal = adapters.find(Options(power_preference="low-power"))
    assert fast is not None
    assert frugal is not None
    assert (fast.kind, frugal.kind) == ("DiscreteGPU", "IntegratedGPU")
