"""Results that several blocks compute: threads are held in step, so that they meet every time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_inprocess.frames import Frame

from runmat_core.api import ir

#: Rows, columns and pages; results have not all of them.
EXTENTS = (6, 8, 5)


@pytest.fixture
def in_step(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let two threads go on together wherever one makes element numbers; what it was called for."""
    gate = threading.Barrier(2)
    met: list[int] = []
    ramp = Frame.ramp

    def wait(self: Frame, axis: int, stride: int, dtype: Any) -> Any:
        found = ramp(self, axis, stride, dtype)
        with contextlib.suppress(threading.BrokenBarrierError):
            gate.wait(0.5 if met else 100)  # a busy machine wakes threads late
            met.append(axis)
        return found

    monkeypatch.setattr(Frame, "ramp", wait)
    return met


@pytest.mark.parametrize(("kinds", "still"), [("ppp", 2), ("rpr", 1)])
def test_threads_that_compute_the_same_numbers_do_not_disturb_each_other(
    kinds: str, still: int, new_device: Callable[..., Any], write: Any, in_step: list[int]
) -> None:
    strides = [0 if axis == still else -2 for axis in range(3)]
    w = write(kinds, EXTENTS)
    numbers = ir.cast(w.index(strides, 1), "f64")
    w.store(numbers)
    w.store(w.load(np.ones(EXTENTS)) + numbers)
    wanted = 1.0 + sum(g * s for g, s in zip(np.indices(EXTENTS), strides, strict=True))
    found, sums = new_device(block=48, threads=2).outputs(w)
    assert in_step
    assert np.array_equal(found, wanted.take([0], still))
    assert np.array_equal(sums, 1 + wanted)
