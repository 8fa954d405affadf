"""Providers that fail in the middle of programs and captured loops: no half-updated variable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runmat_core.api.device import DeviceFault, DeviceLost, OutOfDeviceMemory
from runmat_core.api.errors import MatlabError
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
    "run ahead": "d = 1; while d > 1e-2, Y = Y*0.8; d = mean(Y(:)); n = n + 1; end",
    "run ahead, random": "d = 0; while d < 9, Y = Y + rand(60,50); d = mean(Y(:)); n = n + 1; end",
    "left by a break": "for t = 1:40, Y = Y*0.9 + B*1e-3; "
    "d = mean(Y(:)); if d < 0.1, break, end, end",
}
#: What is no loop: ends of products, windows, sizes that elements decide, calls that guard.
PROGRAMS = {
    "end of a product": "Y = (G*Y + B) ./ sum(Z, 1); d = norm(Y(:));",
    "scaled columns": "Y = G*Y; Y = Y ./ vecnorm(Y); Z = exp(Y)*2;",
    "moments": "wait(gpuDevice); d = gather(mean(Y(:))); n = gather(std(Y(:))); "
    "Z = (Z - mean(Y)) ./ std(Y); y = y*d; wait(gpuDevice); d = d + gather(var(Y(:)));",
    "windows": "Y = movvar(Y, 20); Z = movmean(Z, [3 0], 2); d = sum(Y(:)) + sum(Z(:));",
    "selected": "k = find(Y > 0.5); Z(k) = -Y(k); n = numel(k); d = sum(B(Y > 0.5));",
    "sorted": "[Y, k] = sort(Y, 2); Z = Z + k; d = median(Z(:));",
    "guarded": "Y = chol(G'*G + eye(60)) \\ Y; Z = sqrt(Z - 0.5); Z = abs(Z);",
}
VARIABLES = ("t", "Y", "Z", "y", "R", "d", "n")


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
    made["t"] = made["d"] = made["n"] = 0.0
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


def left_by(made: Session, program: str) -> dict[str, Any] | str:
    """Run a program; return its variables, or the identifier of an error."""
    try:
        made.run(program)
        return {variable: made[variable] for variable in VARIABLES}
    except MatlabError as error:
        return error.identifier


@pytest.mark.sweep
@pytest.mark.parametrize("fault", [DeviceLost, OutOfDeviceMemory, DeviceFault])
@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("hook", ["execute", "allocate"])
@pytest.mark.parametrize("name", [*LOOPS, *PROGRAMS])
def test_a_fault_changes_no_number(
    name: str, hook: str, nth: int, fault: type[DeviceFault], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = {**LOOPS, **PROGRAMS}[name].replace("R(t,:) = y", "R(t,:) = y(:)'")
    plain = prepared(loops=False)
    plain.run(program)
    # pieces of a few trips each
    monkeypatch.setattr("runmat_core.accel.running.loop_registry.SECONDS", 1e-9)
    made = prepared(loops=True)
    failed = failing(made, hook, nth, fault)
    found = left_by(made, program)
    if isinstance(found, str):
        # what lay on the device alone is gone with it, and the session goes on
        assert (found, fault, nth) == ("RunMat:accel:deviceLost", DeviceLost, 2)
        made.run("after = sum(ones(60, 50) .* 2, 'all');")
        assert made["after"] == 6000
        return
    for variable in VARIABLES:
        np.testing.assert_allclose(found[variable], plain[variable], rtol=1e-10, atol=1e-12)
    # everything was one request, and the memory for it one more
    assert failed or nth > 1
    made.run("after = rand(1, 3);")
    plain.run("after = rand(1, 3);")
    np.testing.assert_array_equal(made["after"], plain["after"])
