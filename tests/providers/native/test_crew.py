"""Threads that share launches without the interpreter."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runmat_native import launches

from tests.providers.inprocess import conftest as plain
from tests.providers.native.conftest import Native


@pytest.fixture(autouse=True)
def _small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launches, "SHARED", 0)
    monkeypatch.setattr(launches, "TASK", 1)


def squares(device: Native, count: int, times: int = 1) -> Any:
    writer = plain.Writer("p", (count,))
    loaded = writer.load(np.arange(count, dtype=float))
    writer.store(loaded * loaded)
    return device.outputs(writer, times)[0]


def waiting() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name.startswith("runmat-native-")]


def test_every_box_is_computed_once_by_any_number_of_threads(
    new_native: Callable[..., Native],
) -> None:
    for count in (2, 3, 5):
        device = new_native(threads=count)
        for size in (3000, 64_000):
            np.testing.assert_array_equal(squares(device, size, 40), np.arange(size) ** 2.0)
        assert device.provider.pool.shared >= 80  # type: ignore[attr-defined]


def test_threads_end_with_the_provider(new_native: Callable[..., Native]) -> None:
    before = len(waiting())
    device = new_native(threads=3)
    squares(device, 5000)
    assert len(waiting()) == before + 2
    device.provider.close()
    assert len(waiting()) == before


def test_a_long_launch_comes_back_in_between(
    new_native: Callable[..., Native], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launches, "LONGEST", 1)
    monkeypatch.setattr(launches, "TASK", 200)
    device = new_native(threads=2)
    np.testing.assert_array_equal(squares(device, 64_000), np.arange(64_000) ** 2.0)
    assert device.provider.pool.shared > 10  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_has_threads_of_its_own(new_native: Callable[..., Native]) -> None:
    device = new_native(threads=2)
    squares(device, 5000)
    child = os.fork()
    if not child:
        right = bool((squares(device, 6000) == np.arange(6000) ** 2.0).all())
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_without_threads_of_the_c_library_tasks_are_pythons(
    new_native: Callable[..., Native], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Missing:
        """A library without these functions."""

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Missing())
    device = new_native(threads=2)
    np.testing.assert_array_equal(squares(device, 5000), np.arange(5000) ** 2.0)
    assert not device.provider.pool.shared  # type: ignore[attr-defined]
