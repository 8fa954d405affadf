"""Interrupts that come where Python drops what is raised."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.devices import handles
from runmat_core.accel.devices.handles import DeviceBuffer
from runmat_core.api.device import DeviceArray


class Interrupted:
    """A store in which giving back is interrupted."""

    def give_back(self, handle: Any) -> None:
        raise KeyboardInterrupt


def wait_for_it() -> None:
    handle = DeviceArray((2, 3), "f64", "null", np.zeros((2, 3)))
    DeviceBuffer(handle, (2, 3), Interrupted())  # type: ignore[arg-type]  # nobody holds it
    time.sleep(60)  # cut short, however long a busy machine takes to come to it


def test_one_that_comes_while_an_array_is_freed_comes_again() -> None:
    with pytest.raises(KeyboardInterrupt):
        wait_for_it()


def test_it_waits_until_the_array_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the one that comes again may find the destructor still running."""
    plain = handles.Timer.start

    def started(timer: threading.Timer) -> None:
        plain(timer)
        time.sleep(20 * handles.AGAIN)  # in the destructor, where Python drops what is raised

    monkeypatch.setattr(handles.Timer, "start", started)
    with pytest.raises(KeyboardInterrupt):
        wait_for_it()
