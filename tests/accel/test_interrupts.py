"""Interrupts that come where Python drops what is raised."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from runmat_core.accel.running.handles import Held
from runmat_core.api.device import DeviceArray


class Interrupted:
    """A store in which giving back is interrupted."""

    def give_back(self, handle: Any) -> None:
        raise KeyboardInterrupt


def wait_for_it() -> None:
    handle = DeviceArray((2, 3), "f64", "null", np.zeros((2, 3)))
    Held(handle, (2, 3), Interrupted())  # type: ignore[arg-type]  # nobody holds it
    time.sleep(60)  # cut short, however long a busy machine takes to come to it


def test_one_that_comes_while_an_array_is_freed_comes_again() -> None:
    with pytest.raises(KeyboardInterrupt):
        wait_for_it()
