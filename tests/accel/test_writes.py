"""Regions of arrays on a device that are written where they lie, and that nobody else sees it."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.api.device import DeviceFault
from tests.accel.everywhere import adapter, session

DEVICES = ("null", "wgpu")
#: What makes `A` an array on the device: asked for, and computed there.
RESIDENT = "A = rand(40, 30) + 1; wait(gpuDevice);"
PLACED = "A = gpuArray(rand(40, 30) + 1); wait(gpuDevice);"


def opened(provider: str) -> Session:
    if provider == "wgpu":
        adapter()
    return session(provider, threshold=16)


class Counted:
    """What a program does besides its results: bytes written by plans, sent and brought."""

    def __init__(self, made: Session, code: str) -> None:
        engine = made.interp.seat.engine  # type: ignore[union-attr]
        before = (engine.counters.written, *engine.places.moved())
        made.run(code)
        after = (engine.counters.written, *engine.places.moved())
        self.written, self.sent, self.brought = (a - b for a, b in zip(after, before, strict=True))


#: write -> bytes of the region.
WRITES = {
    "A(:, 3) = 5;": 40,
    "A(:, 3) = v;": 40,
    "A(7, :) = 2.5;": 30,
    "A(7, :) = w;": 30,
    "A(2:5, 4:6) = q;": 12,
    "A(1:3:40, 2) = -1;": 14,
    "A(10:-1:4, 1) = u;": 7,
    "A(11:20) = 9;": 10,
    "A(:, :) = 1;": 1200,
    # what is written is computed first
    "A(:, 29:30) = reshape(v2, 40, 2) + 1;": 2 * 80,
}
VALUES = "v = (1:40)'; w = 1:30; q = ones(4, 3); u = (1:7)'; v2 = (1:80)';"


@pytest.mark.sweep
@pytest.mark.parametrize("provider", DEVICES)
@pytest.mark.parametrize("setup", [RESIDENT, PLACED], ids=["resident", "placed"])
@pytest.mark.parametrize("write", WRITES)
def test_what_is_written_is_the_region(provider: str, setup: str, write: str) -> None:
    made, plain = opened(provider), session("none")
    for one in (made, plain):
        one.run(f"rng(2); {VALUES}")
        one.capture(setup)
    if setup is PLACED:
        made.run("A(1, 1:20) = 1;")  # brought to the device where it was not
        plain.run("A(1, 1:20) = 1;")
    counted = Counted(made, write)
    plain.run(write)
    assert counted.written == 8 * WRITES[write]
    assert counted.brought == 0
    assert counted.sent <= 8 * WRITES[write]
    np.testing.assert_array_equal(made["A"], plain["A"])


#: What happens before `A(:, 3) = 5`, and what is read after it.
SHARED = {
    "B = A;": "B",
    "c = {A}; ": "c{1}",
    "p.x = A;": "p.x",
    "B = A(:, 2:4);": "B",
    "B = A';": "B",
    "B = A + 1;": "B",
    "B = reshape(A, 30, 40);": "B",
    "f = @() sum(A(:));": "f()",
    "B = A; A(:, 4) = 7;": "B",
    "B = A; clear B; B = A(:, 3);": "B",
    "B = sum(A); B(1:10) = 3;": "[A(1:10) B]",
    "B = gather(A);": "B",
    "B = double(A);": "B",
    "B = sqrt(A - 1.5);": "abs(B)",
    "global G; G = A;": "G",
    "B = A(:); B(5:20) = 0;": "A(5:20)",
    "B = 2; A(:, 3) = A(:, 4) + A(:, 3);": "A",
    "A(:, 2:3) = A(:, 3:4);": "A",
    "A(1:20) = A(2:21);": "A",
    "x = A(:, 3) * 2; A(:, 3) = x; y = x + 1;": "[x y]",
}


@pytest.mark.sweep
@pytest.mark.parametrize("provider", DEVICES)
@pytest.mark.parametrize("setup", [RESIDENT, PLACED], ids=["resident", "placed"])
@pytest.mark.parametrize("before", SHARED)
def test_nobody_else_sees_a_write(provider: str, setup: str, before: str) -> None:
    made, plain = opened(provider), session("none")
    for one in (made, plain):
        one.run("rng(2);")
        one.capture(setup)
        one.run(f"A(:, 1) = 3; {before} A(:, 3) = 5; A(2, :) = 8; r = {SHARED[before]};")
        one.run("r = gather(r); t = gather(A);")
    np.testing.assert_allclose(made["r"], plain["r"], rtol=1e-14)
    np.testing.assert_allclose(made["t"], plain["t"], rtol=1e-14)


def test_functions_write_to_arrays_of_their_own(tmp_path: object) -> None:
    with open(f"{tmp_path}/changed.m", "w") as file:
        file.write("function A = changed(A, k)\nA(:, k) = k;\nend\n")
    made, plain = opened("null"), session("none")
    for one in (made, plain):
        one.run(f"addpath('{tmp_path}'); rng(2);")
        one.capture(RESIDENT)
        one.run("B = changed(A, 2); A = changed(A, 3); r = [A B];")
    np.testing.assert_array_equal(made["r"], plain["r"])


def test_a_loop_of_writes_moves_no_array() -> None:
    made = opened("null")
    made.capture(PLACED)
    made.run("A(1, 1:20) = 1;")
    # with a break it is not captured
    code = "k = 0; while k < 29, k = k + 1; A(:, k) = A(:, k + 1) * 0.5; if k > 99, break, end, end"
    counted = Counted(made, code)
    assert counted.written == 29 * 2 * 40 * 8  # the values, and the region
    assert (counted.sent, counted.brought) == (0, 0)


def test_facts_of_what_was_overwritten_are_void() -> None:
    made = opened("null")
    made.capture("A = rand(40, 30); wait(gpuDevice);")
    made.run("A(:, 3) = -4; r = sqrt(A); z = isreal(r); q = r(1, 3);")
    assert made["z"] is False
    assert made["q"] == 2j


def test_what_the_host_writes_again_and_again_goes_there() -> None:
    made = opened("null")
    made.capture(RESIDENT)
    made.run("for k = 1:30, A(:, k) = k; A(1:5, k) = 2 * k; A(6:9, k) = 0; end")
    made.run("r = A(3, 7);")
    assert made["r"] == 14
    assert type(made.interp.variables["A"]).__name__ == "Array"


def test_a_device_that_fails_costs_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    made, plain = opened("null"), session("none")
    for one in (made, plain):
        one.run("rng(2);")
        one.capture(RESIDENT)
    provider = made.interp.seat.engine.places.device.store.provider  # type: ignore[union-attr]
    execute = provider.execute

    def failing(*arguments: object) -> None:
        monkeypatch.setattr(provider, "execute", execute)
        raise DeviceFault("It does not write.")

    monkeypatch.setattr(provider, "execute", failing)
    for one in (made, plain):
        one.run("A(:, 3) = 5;")
    np.testing.assert_array_equal(made["A"], plain["A"])
    made.run("[~, id] = lastwarn;")
    assert made["id"] == DeviceFault.identifier


@pytest.mark.parametrize("provider", DEVICES)
def test_edges_of_a_pending_array_are_written_where_it_is_made(provider: str) -> None:
    code = "A = ones(40, 30); A(3, :) = -2; A(:, 1) = 5; A(end, 2:9) = 2:9; s = sum(A(:));"
    made, plain = opened(provider), session("none")
    counted = Counted(made, f"{code} wait(gpuDevice);")
    plain.run(code)
    assert counted.brought == 0
    assert counted.sent <= 8 * 8  # no more than 2:9
    assert made["s"] == plain["s"]
    np.testing.assert_array_equal(made["A"], plain["A"])


def test_many_small_writes_of_a_pending_array_are_the_host_s() -> None:
    code = "A = rand(40, 30) + 1; for k = 1:40, A(k, 2:3) = [k 1]; t = sprintf('%d', k); end"
    made, plain = opened("null"), session("none")
    for one in (made, plain):
        one.run("rng(2);")
    counted = Counted(made, code)
    plain.run(code)
    assert counted.brought == 8 * 1200
    assert counted.sent <= 4 * 16
    np.testing.assert_array_equal(made["A"], plain["A"])
