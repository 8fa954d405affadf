"""Calibrations that are kept: for their device alone, and measured anew where that is due."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest

from runmat_core.accel.devices import calibrate, measure
from runmat_core.accel.devices.providers import Choice
from runmat_core.accel.placement import samples
from runmat_core.accel.placement.costs import Rates
from runmat_core.accel.placement.probes import probes
from runmat_core.api.device import DeviceFault
from tests.accel.simulated import TRUE, Clock, Simulated, clock

__all__ = ["clock"]


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
        self.launched: list[Any] = []
        measured, execute = measure.measure, device.execute

        def execute_slowly(steps: Any, *arguments: Any) -> None:
            started = device.clock.now
            execute(steps, *arguments)
            self.launched += [step.executable.unit for step in steps]
            device.clock.now += (device.clock.now - started) * self.factor

        def measuring(provider: Any, budget: float, again: Rates | None, begin: Any) -> Rates:
            self.factor = self.slower.pop(0) if self.slower else 0.0
            self.measured += 1
            # nothing is left out the first time
            return measured(provider, 1e9 if again is None else budget, again, begin)

        device.execute = execute_slowly
        monkeypatch.setattr(measure, "measure", measuring)
        monkeypatch.setattr(calibrate, "is_loaded", lambda: self.loaded)


def test_on_a_busy_machine_the_best_of_several_counts(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "BUDGET", 1e9)
    device: Any = Simulated(clock)
    crowd = Crowd(device, monkeypatch)
    crowd.loaded, crowd.slower = True, [3.0, 1.0, 2.0, 4.0]
    made = calibrate.calibration(device, "always", str(tmp_path))
    assert (crowd.measured, made.busy, made.attempts) == (4, True, 4)
    assert made.rates.seconds["heavy.f32"] == pytest.approx(2 * TRUE.seconds["heavy.f32"], rel=1e-2)
    # those who never measure take it as it is
    crowd.loaded = False
    clock.now += calibrate.PAUSE
    assert calibrate.calibration(device, "never", str(tmp_path)) == made
    assert crowd.measured == 4


@pytest.fixture
def flagged(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, Crowd, calibrate.Calibration]:
    """A device that was measured on a busy machine, and three times as slow."""
    device: Any = Simulated(clock)
    crowd = Crowd(device, monkeypatch)
    crowd.loaded, crowd.slower = True, [2.0]
    made = calibrate.calibration(device, "once", str(tmp_path))
    assert (crowd.measured, made.busy) == (1, True)
    assert made.doubtful == len(made.rates.samples) > 20
    return device, crowd, made


def test_doubtful_times_are_taken_again_by_later_sessions(
    flagged: Any, clock: Clock, tmp_path: Path
) -> None:
    device, crowd, made = flagged
    crowd.loaded = False
    # not at once, and not while the machine is busy
    assert calibrate.calibration(device, "once", str(tmp_path)) == made
    clock.now += calibrate.PAUSE
    crowd.loaded = True
    assert calibrate.calibration(device, "once", str(tmp_path)) == made
    assert crowd.measured == 1
    crowd.loaded = False
    left = [made.doubtful]
    while left[-1]:
        started = clock.now
        made = calibrate.calibration(device, "once", str(tmp_path))
        # the last time that is taken is finished
        assert clock.now - started < calibrate.BRIEF + 0.5
        left.append(made.doubtful)
        assert left[-1] < left[-2]
        # one attempt in a while
        assert calibrate.calibration(device, "once", str(tmp_path)) == made
        clock.now += calibrate.PAUSE
    assert len(left) > 2
    assert not made.busy
    for key, seconds in TRUE.seconds.items():
        assert made.rates.seconds[key] == pytest.approx(seconds, rel=1e-2), key
    assert made.rates.launch == pytest.approx(TRUE.launch, rel=1e-2)
    launches = device.launches
    assert calibrate.calibration(device, "once", str(tmp_path)) == made
    assert (device.launches, device.live) == (launches, 0)


def test_what_there_was_no_time_for_is_measured_by_later_sessions(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "BUDGET", 0.15)
    device: Any = Simulated(clock)
    made = calibrate.calibration(device, "once", str(tmp_path))
    assert (made.busy, made.doubtful > 10) == (False, True)
    for _ in range(samples.PATIENCE * made.doubtful):
        clock.now += calibrate.PAUSE
        made = calibrate.calibration(device, "once", str(tmp_path))
        if not made.doubtful:
            break
    for key, seconds in TRUE.seconds.items():
        assert made.rates.seconds[key] == pytest.approx(seconds, rel=1e-2), key
    assert device.live == 0


def test_only_what_is_doubtful_is_taken_again(flagged: Any, clock: Clock, tmp_path: Path) -> None:
    device, crowd, made = flagged
    samples = {
        name: one._replace(loaded=name in ("f32.heavy", "upload.latency"))
        for name, one in made.rates.samples.items()
    }
    calibrate.store(made._replace(rates=attrs.evolve(made.rates, samples=samples)), str(tmp_path))
    crowd.loaded = False
    crowd.launched.clear()
    clock.now += calibrate.PAUSE
    again = calibrate.calibration(device, "once", str(tmp_path))
    roused, heavy = probes("f32")["add"].unit, probes("f32")["heavy"].unit
    assert {*crowd.launched} == {roused, heavy}
    now, before = again.rates.samples, made.rates.samples
    faster = {name for name in now if now[name].seconds < 0.9 * before[name].seconds}
    assert faster == {"f32.heavy"}
    assert {name for name in now if now[name].tries == 2} == {"f32.heavy", "upload.latency"}
    assert (again.busy, again.doubtful) == (False, 0)


def test_a_machine_that_is_never_quiet_is_not_measured_for_ever(
    flagged: Any, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, crowd, made = flagged
    crowd.loaded = False
    monkeypatch.setattr("runmat_core.accel.placement.samples.STEADY", -1.0)  # no time is steady
    bound = samples.PATIENCE * len(made.rates.samples)
    for _ in range(bound):
        clock.now += calibrate.PAUSE
        made = calibrate.calibration(device, "once", str(tmp_path))
    assert (made.busy, made.doubtful, made.attempts) == (True, 0, samples.PATIENCE)
    assert {one.tries for one in made.rates.samples.values()} == {samples.PATIENCE}
    assert crowd.measured < bound


def test_a_device_that_fails_when_measured_again_is_not_tried_for_ever(
    flagged: Any, clock: Clock, tmp_path: Path
) -> None:
    device, crowd, made = flagged
    crowd.loaded, device.fails = False, True
    tried = 0
    for _ in range(2 * samples.PATIENCE):
        clock.now += calibrate.PAUSE
        with suppress(DeviceFault):
            calibrate.calibration(device, "once", str(tmp_path))
            continue
        tried += 1
    assert tried == samples.PATIENCE - 1
    kept = calibrate.calibration(device, "once", str(tmp_path))
    assert kept.rates == made.rates


def test_without_a_device_what_is_kept_of_the_host_is_mended_too(
    flagged: Any, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, crowd, made = flagged
    crowd.loaded = False
    clock.now += calibrate.PAUSE
    calibrate.session_costs(Choice(None, device), "never", str(tmp_path))
    assert crowd.measured == 1
    calibrate.session_costs(Choice(None, device), "once", str(tmp_path))
    assert crowd.measured == 2
    kept = calibrate.load(made.key, str(tmp_path))
    assert kept is not None
    assert kept.doubtful < made.doubtful


def test_host_rules_are_measured_again_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "REPEATS", 1)
    ran: list[str] = []

    def work(dtype: str) -> dict[str, Any]:
        names = ("light", "whole", "heavy")
        return {name: (lambda n=f"{dtype}.{name}": ran.append(n), 8) for name in names}

    monkeypatch.setattr(measure, "_host_work", work)
    rates = measure.measure_rules(1e9)
    made = {n: one._replace(spread=0.0) for n, one in rates.samples.items()}
    made["f64.heavy"] = made["f64.heavy"]._replace(loaded=True)
    ran.clear()
    again = measure.measure_rules(1e9, attrs.evolve(rates, samples=made))
    assert {*ran} == {"f64.heavy"}
    assert again.samples["f64.heavy"].tries == 2
    assert not samples.is_busy(again.samples)


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
    assert samples.is_busy(rates.samples)
    # the least of the times is what the device takes
    assert rates.seconds["heavy.f32"] == pytest.approx(TRUE.seconds["heavy.f32"], rel=0.05)


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
        _edit(rates={"launch": 1, "seconds": {}, "upload": [0, 0], "download": [0, 0]}),
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
