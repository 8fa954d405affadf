"""Capture that nobody asked for starts when host rules have worked for a while, and not before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import runmat_core as rm
from runmat_core.accel import context, packages
from runmat_core.accel.capture import starting
from runmat_core.accel.devices import discovery, known
from runmat_core.session.config import Config, load

#: Runs a statement so many times, in a process of its own, and prints after which time capture had
#: started, a sum, and how many loops were captured.
PROGRAM = """
import sys
import runmat_core as rm
s = rm.Session()
s.run("x = ones(1, 1e5);")
at = 0
for k in range(int(sys.argv[2])):
    s["k"] = k + 1.0
    s.run(sys.argv[1])
    if not at and "runmat_core.accel.running.engine" in sys.modules:
        at = k + 1
seat = s.interp.seat
print(at, s.eval("sum(x(1:7))"), seat.engine.loops.captured if at else 0)
"""


class Outcome(NamedTuple):
    """What a program of `PROGRAM` printed."""

    at: int
    total: float
    loops: int


def outcome(statement: str, times: int, folder: Path, **settings: str) -> Outcome:
    """Run a statement so many times on a row `x` of 100,000 ones."""
    environment = {name: text for name, text in os.environ.items() if "RUNMAT_ACCEL" not in name}
    environment |= {f"RUNMAT_ACCEL_{name}": text for name, text in settings.items()}
    environment |= {"RUNMAT_CACHE_DIR": str(folder), "RUNMAT_ACCEL_OFFLOAD_CALIBRATE": "never"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, statement, str(times)],
        env=environment, cwd=folder, capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    at, total, loops = done.stdout.split()
    return Outcome(int(at), float(total), int(loops))


BODIES = {
    "operators": "x = x * 1.25 - 0.25;",
    "builtins": "x = cos(x); x = abs(x) + 0.1;",
    "products": "p = reshape(x(1:40000), 200, 200); q = p * p / 200; x(1) = q(2);",
    "made": "y = zeros(1, 1e5); z = rand(1, 1e5);",
    "nested": "try, x = eval('x + 1'); error('stop'); catch, x = x - 1; end",
    "selected": "y = x([1:50000 50000:99999]); z = [x x];",
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("kind", BODIES)
def test_work_on_large_arrays_starts_capture_at_one_operation(kind: str, tmp_path: Path) -> None:
    never = outcome(BODIES[kind], 60, tmp_path, START_AFTER="1e6")
    late = outcome(BODIES[kind], 60, tmp_path, START_AFTER="0.01")
    assert never.at == 0
    assert 1 < late.at <= 60
    # by the same estimate in every run
    assert outcome(BODIES[kind], 60, tmp_path, START_AFTER="0.01").at == late.at
    assert late.total == pytest.approx(never.total, rel=1e-12)


def test_small_arrays_and_scalars_never_count(tmp_path: Path) -> None:
    body = "for j = 1:50, v = zeros(1, 1000); v(3) = k; w = v * 2; x(k) = x(k) + sum(w); end"
    assert outcome(body, 60, tmp_path, START_AFTER="1e-3").at == 0


def test_a_loop_is_captured_from_the_iteration_on_that_starts(tmp_path: Path) -> None:
    loop = "for j = 1:200, x = x * 0.5 + j; end"
    never = outcome(loop, 1, tmp_path, START_AFTER="1e6")
    late = outcome(loop, 1, tmp_path, START_AFTER="0.002")
    assert (never.at, never.loops) == (0, 0)
    assert (late.at, late.loops) == (1, 1)
    assert late.total == never.total


def test_a_loop_without_work_that_counts_is_soon_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(context, "loaded", lambda: False)
    with context.running(context.CaptureContext(1000, lambda seat: None, 1.0)):
        seat = context.later()
        assert seat is not None
        loop, another = (lambda: None), (lambda: None)
        idle = [seat.is_idle(loop) for _ in range(1000)]
        assert not idle[0]
        assert idle.count(False) < 5
        assert not loop.asks  # type: ignore[attr-defined]
        assert context.before_start(0.1)
        assert not seat.is_idle(loop)
        assert not seat.is_idle(another)
        assert seat.is_idle(loop) or seat.is_idle(loop)
        context.start()
        assert loop.asks  # type: ignore[attr-defined]


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    "settings",
    [{"START_AFTER": "0"}, {"PROVIDER": "inprocess"}, {"THRESHOLD": "1000"}],
    ids=lambda settings: next(iter(settings)).lower(),
)
def test_who_asks_for_capture_has_it_at_once(settings: dict[str, str], tmp_path: Path) -> None:
    assert outcome("x = x * 1.25; y = x(3);", 2, tmp_path, **settings).at == 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize("statement", ["g = gpuArray(5);", "d = gpuDevice;"])
def test_who_asks_for_the_device_starts_capture(statement: str, tmp_path: Path) -> None:
    assert outcome(statement, 2, tmp_path).at == 1


def test_the_first_process_that_starts_looks_for_a_device(tmp_path: Path) -> None:
    """Later ones know, though what is captured may be too little for any provider."""
    (tmp_path / "accel").mkdir(mode=0o700)
    heavy = "for j = 1:3000, x = x * 1; end"  # 0.6 s by the estimate
    assert outcome(heavy, 1, tmp_path).at == 1
    assert (tmp_path / "accel" / "device").read_text().endswith(" none\n")
    assert outcome(heavy, 1, tmp_path).at == 0


def config(**values: Any) -> Config:
    return load(os.getcwd()).replace(**values)


def test_the_wait_is_longer_where_the_last_search_found_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"there": discovery.Installed("there", "package", "1", "nowhere:Class")}
    monkeypatch.setattr(discovery, "installed", lambda: found)
    monkeypatch.setattr(discovery, "declared", lambda origin: discovery.Declared("device", 0))
    folder = str(tmp_path)
    assert known.device(folder) == ""
    known.keep(folder, False)
    assert known.device(folder) == "none"
    found["there"] = discovery.Installed("there", "package", "2", "nowhere:Class")
    assert known.device(folder) == "none"  # no folder of packages changed: nothing is looked at
    monkeypatch.setattr(packages, "state", lambda path: [("site", 2)])
    assert known.device(folder) == ""  # another version may find one
    known.keep(folder, False)
    known.keep(folder, True)
    assert known.device(folder) == "found"
    (tmp_path / "accel" / "device").write_bytes(b"\xff\xfe broken")
    assert known.device(folder) == known.device("") == ""
    known.keep(folder, False)
    assert known.device(folder) == "none"
    monkeypatch.setattr(packages, "state", lambda path: [("site", 3)])
    assert known.device(folder) == "none"  # the same providers in a folder that changed
    monkeypatch.setattr(discovery, "installed", lambda: pytest.fail("known without them"))
    assert known.device(folder) == "none"
    monkeypatch.setattr(discovery, "installed", lambda: found)
    monkeypatch.setattr(discovery, "declared", lambda origin: discovery.Declared("host", 0))
    assert known.device(folder + "/none") == "none"

    monkeypatch.setattr(starting, "captures_late", lambda settings: True)
    seat = starting.seat_for(config(), folder)
    assert seat is not None
    assert seat.delay == starting.DELAYS["found"]
    assert not seat.worked(0.15)
    assert seat.delay == pytest.approx(starting.DELAYS["none"] - 0.15)
    assert seat.worked(2.0)


def test_settings_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    (tmp_path / "runmat.toml").write_text("[accel]\nstart_after = -1\n")
    with pytest.raises(rm.MatlabError, match=r"start_after.*at least 0"):
        load(str(tmp_path))
    for text in ('"soon"', "true", "inf", "nan"):
        (tmp_path / "runmat.toml").write_text(f"[accel]\nstart_after = {text}\n")
        with pytest.raises(rm.MatlabError, match="start_after"):
            load(str(tmp_path))
