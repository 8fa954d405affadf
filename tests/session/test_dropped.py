"""Sessions that are dropped without being closed: what they had on devices is given back, once."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runmat_provider_tests.null import NullProvider

from runmat_core.accel.devices import orphans
from runmat_core.session import Session, config

CODE = "x = reshape(1:60000, 300, 200); y = 2*x + 1; t = sum(y(:)); if t > 0, z = y + x; end"


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can be captured is, and nothing of the user's own counts."""
    monkeypatch.setenv("RUNMAT_ACCEL_THRESHOLD", "100")
    monkeypatch.setenv("RUNMAT_ACCEL_FALLBACK", "none")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("RUNMAT_CACHE_DIR", "")
    gc.collect()
    orphans.close_orphans()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[NullProvider]]:
    """The null devices that were started, which outlive their sessions here."""
    made: list[NullProvider] = []
    start = NullProvider.__init__

    def starting(self: NullProvider, *arguments: Any) -> None:
        start(self, *arguments)
        made.append(self)

    monkeypatch.setattr(NullProvider, "__init__", starting)
    yield made
    gc.collect()
    orphans.close_orphans()


def on_null(code: str = CODE) -> Session:
    session = Session(config=config.load().replace(accel__offload__force="device"), provider="null")
    session.run(code)
    return session


def closed(device: NullProvider) -> int:
    return sum(hook == "close" for hook, _ in device.requests)


def test_a_dropped_session_is_closed_when_another_one_runs(opened: list[NullProvider]) -> None:
    other = Session(provider="none")
    session = on_null()
    (device,) = opened
    assert device.live
    del session
    gc.collect()
    # not while Python looks for garbage: that may be anywhere
    assert closed(device) == 0
    other.run("1;")
    assert closed(device) == 1
    other.run("1;")
    gc.collect()
    assert closed(device) == 1


def test_a_dropped_session_is_closed_when_a_device_starts(opened: list[NullProvider]) -> None:
    for count in range(4):
        session = on_null()
        del session
        gc.collect()
        assert [closed(device) for device in opened] == [1] * count + [0]


def test_nothing_is_asked_of_a_device_after_it_was_closed(opened: list[NullProvider]) -> None:
    session = on_null()
    del session
    gc.collect()
    orphans.close_orphans()
    (device,) = opened
    assert device.requests[-1][0] == "close"


def test_what_was_closed_is_not_closed_again(opened: list[NullProvider]) -> None:
    with on_null():
        pass
    session = on_null()
    session.close()
    del session
    gc.collect()
    assert not orphans.ORPHANS
    assert [closed(device) for device in opened] == [1, 1]


def test_a_device_stays_open_as_long_as_anybody_has_an_array_on_it(
    opened: list[NullProvider],
) -> None:
    session, other = on_null(), Session(provider="none")
    other.interp.base().set("kept", session.interp.base().get("z"))
    del session
    gc.collect()
    other.run("1;")
    (device,) = opened
    assert closed(device) == 0
    expected = 3.0 * np.arange(1, 60001).reshape(300, 200, order="F") + 1
    assert np.array_equal(other["kept"], expected)
    other.run("clear kept")
    gc.collect()
    other.run("1;")
    assert closed(device) == 1


def test_devices_of_former_providers_are_closed_with_their_session(
    opened: list[NullProvider],
) -> None:
    session = on_null()
    session.provider("null")
    session.run(CODE)
    assert len(opened) == 2
    del session
    gc.collect()
    orphans.close_orphans()
    assert [closed(device) for device in opened] == [1, 1]


def test_garbage_may_be_collected_in_another_thread(opened: list[NullProvider]) -> None:
    session = on_null()
    del session
    thread = threading.Thread(target=gc.collect)
    thread.start()
    thread.join()
    orphans.close_orphans()
    assert [closed(device) for device in opened] == [1]


def test_a_device_that_does_not_close_is_told(opened: list[NullProvider]) -> None:
    sessions = [on_null(), on_null()]
    first, second = opened
    first.requests = None  # type: ignore[assignment] # what closing writes to
    sessions.clear()
    gc.collect()
    with pytest.warns(ResourceWarning, match="did not close"):
        orphans.close_orphans()
    assert closed(second) == 1


def test_a_fork_leaves_to_its_parent_what_is_its_own(
    opened: list[NullProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = on_null()
    monkeypatch.setattr("os.getpid", lambda: -1)
    del session
    gc.collect()
    orphans.close_orphans()
    assert not orphans.ORPHANS
    assert [closed(device) for device in opened] == [0]


def test_threads_of_a_dropped_session_end() -> None:
    def threads() -> int:
        names = [thread.name for thread in threading.enumerate()]
        return sum(re.fullmatch(r"runmat-\d+", name) is not None for name in names)

    before = threads()
    settings = config.load().replace(accel__offload__force="host", accel__inprocess__threads=3)
    for _ in range(3):
        session = Session(config=settings, provider="inprocess")
        session.run("x = rand(1000); y = exp(x) + 1; t = sum(y(:)); if t > 0, z = 1; end")
        assert threads() == before + 2
        del session
        gc.collect()
    orphans.close_orphans()
    assert threads() == before


ENDING = """
import gc, sys
from runmat_core.session import Session
from runmat_core.session import config
settings = config.load().replace(accel__offload__force="device")
sessions = [Session(config=settings, provider=sys.argv[1]) for _ in range(3)]
for session in sessions:
    session.run("x = rand(300, 300, 'single'); y = 2*x + 1; t = sum(y(:)); if t > 0, z = y'; end")
sessions[0].close()
del sessions[1], session
gc.collect()
print("ran")
"""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("provider", ["null", "inprocess", "wgpu"])
def test_a_process_ends_with_sessions_open_and_dropped(provider: str) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", ENDING, provider],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran\n", "")
