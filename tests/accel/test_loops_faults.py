"""Providers that fail in the middle of captured loops: never a half-updated variable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import DeviceFault, DeviceLost, OutOfDeviceMemory
from runmat_core.session import Session
from tests.accel.loops import session
from tests.accel.machine import recorder

#: Loops of one kernel, of several, with rows that are written, and with random numbers.
LOOPS = {
    "state": "for t = 1:30, Y = 0.9*Y + B; end",
    "two states": "for t = 1:30, Y = 0.9*Y + B; Z = Z + Y.*B; end",
    "rows": "for t = 1:30, y = 0.5*y + sum(B.*y, 1); R(t,:) = y; end",
    "product": "for t = 1:6, Y = G*Y; Y = Y/norm(Y(:)); end",
    "random": "rng(4); for t = 1:30, Y = Y + rand(60,50); end",
}
VARIABLES = ("t", "Y", "Z", "y", "R")


def prepared(loops: bool) -> Session:
    made = session("null", loops)
    rng = np.random.default_rng(5)
    for name in "BYZ":
        made[name] = rng.random((60, 50))
    made["G"] = rng.random((60, 60))
    made["y"], made["R"] = rng.random((60, 50)), np.zeros((30, 3000))
    if loops:  # the provider is there before anything fails
        made.run("for t = 1:12, Y = 0.5*Y + B; end, s = sum(Y(:));")
    made["Y"] = np.array(made["Z"])
    return made


def failing(made: Session, hook: str, nth: int, fault: type[DeviceFault]) -> list[str]:
    """Let a hook fail at its `nth` call from now on, once, or for good where the device is lost.

    Returns:
        What failed, filled as it does.
    """
    plugin = recorder(made.interp.seat.engine)  # type: ignore[union-attr]
    count = 0
    failed: list[str] = []

    def record(name: str, request: Any) -> None:
        nonlocal count
        count += name == hook
        if (name == hook and count == nth) or (count >= nth and fault is DeviceLost):
            failed.append(name)
            raise fault("It was told to fail.")

    plugin._record = record
    return failed


@pytest.mark.sweep
@pytest.mark.parametrize("fault", [DeviceLost, OutOfDeviceMemory, DeviceFault])
@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("hook", ["execute", "allocate"])
@pytest.mark.parametrize("name", LOOPS)
def test_a_fault_in_a_loop_changes_no_number(
    name: str, hook: str, nth: int, fault: type[DeviceFault], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = LOOPS[name].replace("R(t,:) = y", "R(t,:) = y(:)'")
    plain = prepared(loops=False)
    plain.run(program)
    # pieces of a few trips each
    monkeypatch.setattr("runmat_core.accel.loops.book.SECONDS", 1e-9)
    made = prepared(loops=True)
    failed = failing(made, hook, nth, fault)
    made.run(program)
    for variable in VARIABLES:
        np.testing.assert_allclose(made[variable], plain[variable], rtol=1e-10, atol=1e-12)
    # everything was one request, and the memory for it one more
    assert failed or nth > 1
    made.run("after = rand(1, 3);")
    plain.run("after = rand(1, 3);")
    np.testing.assert_array_equal(made["after"], plain["after"])
