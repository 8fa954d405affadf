"""Calibrations that are kept: for their device alone, and measured anew where that is due."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runmat_core.accel.placement import calibrate, load, measure
from runmat_core.accel.placement.costs import Rates
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
