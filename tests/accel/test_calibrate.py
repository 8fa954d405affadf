"""Calibration against a device whose times are made up, so that its rates are known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices.providers import Choice
from runmat_core.accel.placement import calibrate, costs, load, measure, work
from runmat_core.accel.placement.costs import Link, Rates
from runmat_core.accel.placement.probes import probes
from runmat_core.accel.planning.plan import Lowered
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
            lowered = Lowered(unit, (), frozenset(), step.extents, step.views, (), "")
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


# -- measuring -------------------------------------------------------------------------------------


def test_rates_are_found_from_times(clock: Clock) -> None:
    device: Any = Simulated(clock)
    rates = measure.measure(device, budget=1e9)
    # the work on a single element is in it
    assert rates.launch == pytest.approx(TRUE.launch, rel=1e-2)
    for key, seconds in TRUE.seconds.items():
        assert rates.seconds[key] == pytest.approx(seconds, rel=1e-2), key
    assert rates.upload.latency == pytest.approx(TRUE.upload.latency, rel=1e-3)
    assert rates.upload.per_byte == pytest.approx(TRUE.upload.per_byte)
    assert rates.download.latency == pytest.approx(TRUE.download.latency, rel=1e-3)
    assert rates.download.per_byte == pytest.approx(TRUE.download.per_byte)
    assert rates.measured
    assert device.live == 0


def test_what_is_declined_keeps_typical_rates(clock: Clock) -> None:
    device: Any = Simulated(clock, declines=("scan", "matmul"))
    rates = measure.measure(device, budget=1e9)
    usual = costs.typical("device")
    for key in ("scan.f32", "scan.f64", "matmul.f64", "sort.f32"):
        assert rates.seconds[key] == usual.seconds[key]
    assert rates.seconds["heavy.f64"] == pytest.approx(TRUE.seconds["heavy.f64"], rel=1e-2)


def test_types_that_a_device_lacks_are_not_tried(clock: Clock) -> None:
    device: Any = Simulated(clock, dtypes=frozenset({"f32"}))
    rates = measure.measure(device, budget=1e9)
    assert rates.seconds["light.f32"] == pytest.approx(TRUE.seconds["light.f32"], rel=1e-2)
    # and are taken to be slower in the usual proportion
    usual = costs.typical("device").seconds
    ratio = usual["light.f64"] / usual["light.f32"]
    assert rates.seconds["light.f64"] == pytest.approx(ratio * rates.seconds["light.f32"])


def test_a_host_provider_has_no_link(clock: Clock) -> None:
    device: Any = Simulated(clock, kind="host")
    rates = measure.measure(device, budget=1e9)
    assert (rates.upload, rates.download) == (Link(), Link())


def test_time_has_a_bound(clock: Clock) -> None:
    device: Any = Simulated(clock)
    started = clock.now
    rates = measure.measure(device, budget=1e-3)
    # what had begun is finished: nothing is measured five times any more
    assert clock.now - started < 1.0
    assert rates.seconds["heavy.f32"] == costs.typical("device").seconds["heavy.f32"]
    assert device.live == 0


def test_small_devices_get_small_arrays(clock: Clock) -> None:
    device: Any = Simulated(clock, max_buffer_bytes=1 << 20)
    largest = 0
    upload = device.upload

    def watching(arrays: tuple[Any, ...]) -> Any:
        nonlocal largest
        largest = max(largest, *(array.nbytes for array in arrays))
        return upload(arrays)

    device.upload = watching
    measure.measure(device, budget=1e9)
    assert 0 < largest <= (1 << 20)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_probes_fit_their_launches(dtype: str) -> None:
    for name, probe in probes(dtype).items():
        unit = probe.unit
        if isinstance(unit, Kernel):
            assert len(probe.slots) == len(unit.buffers), name
            assert len(probe.views(1 << 20)) == len(unit.views), name
            assert len(probe.extents(1 << 20)) == len(unit.axes), name
            assert len(probe.params) == len(unit.params), name
        assert work.fused(Lowered(unit, (), frozenset(), probe.extents(1 << 20), (), (), ""))


def test_host_rules_are_measured(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "REPEATS", 1)

    def ticking() -> float:
        clock.now += 1e-3
        return clock.now

    clock.perf_counter = ticking  # type: ignore[method-assign]
    rates = measure.measure_rules(budget=1e9)
    usual = costs.typical("rules")
    assert set(rates.seconds) == set(usual.seconds)
    assert all(rates.seconds[key] != usual.seconds[key] for key in usual.seconds)


# -- keeping ---------------------------------------------------------------------------------------


def test_a_calibration_is_kept_for_its_device_alone(clock: Clock, tmp_path: Path) -> None:
    device: Any = Simulated(clock)
    made = calibrate.calibration(device, "once", str(tmp_path))
    assert made.rates.measured
    launches = device.launches
    again = calibrate.calibration(device, "once", str(tmp_path))
    assert again == made
    assert device.launches == launches
    other: Any = Simulated(clock, driver="2.0")
    calibrate.calibration(other, "once", str(tmp_path))
    assert other.launches > 0


def test_always_measures_and_never_does_not(clock: Clock, tmp_path: Path) -> None:
    device: Any = Simulated(clock)
    typical = calibrate.calibration(device, "never", str(tmp_path))
    assert (device.launches, typical.rates.measured) == (0, False)
    assert list(tmp_path.iterdir()) == []
    calibrate.calibration(device, "once", str(tmp_path))
    launches = device.launches
    calibrate.calibration(device, "always", str(tmp_path))
    assert device.launches > launches
    # what was measured earlier is better than what is typical
    assert calibrate.calibration(device, "never", str(tmp_path)).rates.measured


class Crowd:
    """Other work that makes a simulated device slower, for some of its measurements."""

    def __init__(self, device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slower: list[float] = []
        self.measured = 0
        self.loaded = False
        self.factor = 0.0
        measured, execute = measure.measure, device.execute

        def execute_slowly(*arguments: Any) -> None:
            started = device.clock.now
            execute(*arguments)
            device.clock.now += (device.clock.now - started) * self.factor

        def measuring(provider: Any) -> Rates:
            self.factor = self.slower.pop(0) if self.slower else 0.0
            self.measured += 1
            return measured(provider, budget=1e9)

        device.execute = execute_slowly
        monkeypatch.setattr(measure, "measure", measuring)
        monkeypatch.setattr(calibrate, "is_loaded", lambda: self.loaded)


def test_on_a_busy_machine_the_best_of_several_counts(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device: Any = Simulated(clock)
    crowd = Crowd(device, monkeypatch)
    crowd.loaded, crowd.slower = True, [3.0, 1.0, 2.0, 4.0]
    made = calibrate.calibration(device, "always", str(tmp_path))
    assert (crowd.measured, made.busy, made.attempts) == (4, True, 4)
    assert made.rates.seconds["heavy.f32"] == pytest.approx(2 * TRUE.seconds["heavy.f32"], rel=1e-2)
    # it stays so while the machine is busy, and for those who never measure
    assert calibrate.calibration(device, "once", str(tmp_path)) == made
    crowd.loaded = False
    assert calibrate.calibration(device, "never", str(tmp_path)) == made
    assert crowd.measured == 4
    # and is measured again on a quiet one, once
    again = calibrate.calibration(device, "once", str(tmp_path))
    assert (crowd.measured, again.busy) == (5, False)
    assert again.rates.seconds["heavy.f32"] == pytest.approx(TRUE.seconds["heavy.f32"], rel=1e-2)
    assert calibrate.calibration(device, "once", str(tmp_path)) == again
    assert crowd.measured == 5


def test_a_machine_that_is_never_quiet_is_not_measured_for_ever(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device: Any = Simulated(clock)
    crowd = Crowd(device, monkeypatch)
    crowd.loaded = True
    made = calibrate.calibration(device, "once", str(tmp_path))
    assert (crowd.measured, made.busy) == (calibrate.ATTEMPTS["once"], True)
    crowd.loaded = False
    monkeypatch.setattr(calibrate, "STEADY", -1.0)  # no times are steady enough
    for _ in range(5):
        made = calibrate.calibration(device, "once", str(tmp_path))
    assert made.busy
    assert crowd.measured == made.attempts == calibrate.PATIENCE


def test_times_that_differ_tell_of_a_busy_machine(clock: Clock, tmp_path: Path) -> None:
    device: Any = Simulated(clock)
    execute, count = device.execute, 0

    def now_and_then(*arguments: Any) -> None:
        nonlocal count
        count += 1
        started = clock.now
        execute(*arguments)
        clock.now += (clock.now - started) * (count % 3)

    device.execute = now_and_then
    rates = measure.measure(device, budget=1e9)
    assert rates.spread > load.STEADY
    # the least of the times is what the device takes
    assert rates.seconds["heavy.f32"] == pytest.approx(TRUE.seconds["heavy.f32"], rel=0.05)


def test_units_are_compiled_once_to_be_measured() -> None:
    from runmat_inprocess import InprocessProvider

    from runmat_core.api.device import CompileRequest, StartRequest, WarmupRequest

    provider = InprocessProvider()
    provider.capabilities(StartRequest(name="here"))
    units = tuple(probe.unit for probe in probes("f32").values())
    provider.warmup(WarmupRequest(units=units))
    made = provider.compile(CompileRequest(units=units))
    assert provider.counters.compiles == sum(one is not None for one in made) == len(units)
    provider.compile(CompileRequest(units=units[:1]))
    assert provider.counters.compiles == len(units) + 1
    provider.close()


def _cut(path: Path) -> None:
    path.write_text(path.read_text()[:50])


def _edit(**changes: Any) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return edit


@pytest.mark.parametrize(
    "spoil",
    [
        _cut,
        _edit(format=0),
        _edit(key="another"),
        _edit(rates=None),
        _edit(rates={"launch": -1, "seconds": {}, "upload": [0, 0], "download": [0, 0]}),
        _edit(rates={"launch": 1, "seconds": {"stream": "x"}, "upload": [0], "download": [0]}),
        lambda path: path.write_text("[]"),
        lambda path: path.write_bytes(b"\xff\xfe"),
    ],
)
def test_a_spoilt_file_is_no_calibration(
    clock: Clock, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    device: Any = Simulated(clock)
    made = calibrate.calibration(device, "once", str(tmp_path))
    (path,) = tmp_path.iterdir()
    spoil(path)
    assert calibrate.load(made.key, str(tmp_path)) is None
    assert calibrate.calibration(device, "once", str(tmp_path)).rates.measured


def test_without_a_folder_nothing_is_kept(clock: Clock, tmp_path: Path) -> None:
    device: Any = Simulated(clock)
    assert calibrate.calibration(device, "once", None).rates.measured
    assert calibrate.calibration(device, "once", str(tmp_path / "missing")).rates.measured


# -- what a session reckons with -------------------------------------------------------------------


def test_a_session_without_a_device_measures_nothing(clock: Clock, tmp_path: Path) -> None:
    host: Any = Simulated(clock, kind="host")
    known = calibrate.session_costs(Choice(None, host), "once", str(tmp_path))
    assert set(known.rates) == {"host", "rules"}
    assert host.launches == 0


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Rates:
    """Rates of host rules that take no time to measure."""
    rates = Rates(1e-6, {"stream": 1e-10}, measured=True)
    monkeypatch.setattr("runmat_core.accel.placement.measure.measure_rules", lambda: rates)
    return rates


def test_a_device_is_measured_with_the_host_beside_it(
    clock: Clock, rules: Rates, tmp_path: Path
) -> None:
    device: Any = Simulated(clock)
    host: Any = Simulated(clock, kind="host", name="cores")
    known = calibrate.session_costs(Choice(device, host), "once", str(tmp_path))
    assert all(rates.measured for rates in known.rates.values())
    assert known.upload(0) == pytest.approx(TRUE.upload.latency, rel=1e-3)


def test_a_device_that_fails_while_measured_has_typical_rates(
    clock: Clock, rules: Rates, tmp_path: Path
) -> None:
    device: Any = Simulated(clock)
    device.fails = True
    known = calibrate.session_costs(Choice(device, None), "once", str(tmp_path))
    assert not known.rates["device"].measured
    assert device.live == 0
