"""Calibration against a device whose times are made up, so that its rates are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runmat_core.accel.devices import calibrate, measure
from runmat_core.accel.devices.providers import Choice
from runmat_core.accel.placement import costs, work
from runmat_core.accel.placement.costs import Link, Rates
from runmat_core.accel.placement.probes import probes
from runmat_core.accel.planning.plan import KernelCall
from runmat_core.api.ir import Kernel
from tests.accel.simulated import TRUE, Clock, Simulated, clock

__all__ = ["clock"]


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
        assert work.fused(KernelCall(unit, (), frozenset(), probe.extents(1 << 20), (), (), ""))


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
    monkeypatch.setattr("runmat_core.accel.devices.measure.measure_rules", lambda *_: rates)
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
