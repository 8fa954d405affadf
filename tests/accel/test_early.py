"""Large products that start before anybody asks for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.capture import early
from tests.accel.everywhere import session
from tests.accel.loops import remembered


def started(provider: str, dear: float, monkeypatch: pytest.MonkeyPatch, **more: str) -> Session:
    monkeypatch.setattr(early, "DEAR", dear)
    made = session(provider, threshold=2, **more)
    made.run("A = rand(40, 12); v = rand(12, 3); wait(gpuDevice);")
    return made


def runs(made: Session) -> int:
    count: int = made.interp.seat.engine.counters.runs
    return count


GRAM = "G = (A' * A) / 39 + 1; Q = G * v;"


def test_a_dear_operand_of_a_product_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = started("null", 2 * 40 * 12 * 12, monkeypatch)
    before = runs(made)
    made.run(GRAM)
    assert runs(made) == before + 1
    made.run("R = G * Q;")  # nothing is left to start
    assert runs(made) == before + 1
    a, v = made["A"], made["v"]
    gram = a.T @ a / 39 + 1
    np.testing.assert_allclose(made["R"], gram @ (gram @ v), rtol=1e-12)


@pytest.mark.parametrize(("provider", "dear"), [("null", 1e9), ("inprocess", 1.0)])
def test_cheap_products_and_those_of_the_host_wait(
    provider: str, dear: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = started(provider, dear, monkeypatch)
    before = runs(made)
    made.run(GRAM)
    assert runs(made) == before


def test_a_dear_variable_is_started_by_a_factorisation(monkeypatch: pytest.MonkeyPatch) -> None:
    made = started("null", 2 * 40 * 12 * 12, monkeypatch)
    before = runs(made)
    made.run("G = (A' * A) / 39 + 1; S = G .* 2; [q, ~] = qr(v, 0);")
    assert runs(made) == before + 1
    made.run("[r, ~] = qr(v + 1, 0);")  # nothing is left to start
    assert runs(made) == before + 1
    a = made["A"]
    np.testing.assert_allclose(made["S"], (a.T @ a / 39 + 1) * 2, rtol=1e-12)


def test_reductions_and_factors_are_not_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = started("null", 1.0, monkeypatch)
    before = runs(made)
    made.run("[q, ~] = qr(A + 1, 0); t = q * v; s = sum(A, 1) * v;")
    assert runs(made) == before


@pytest.mark.parametrize("on", ["true", "false"])
def test_products_of_what_is_remembered_are_started_after_it(
    on: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = "G = (A' * A) / 39 + k;\n[q, ~] = qr(v, 0);\nE = G * q;\nE = E + 1;\n"
    (tmp_path / "f.m").write_text(f"function E = f(A, v, k)\n{body}end\n")
    made = started("null", 2 * 40 * 12 * 12, monkeypatch, RUNMAT_ACCEL_PASSAGES=on)
    made.run(f"addpath('{tmp_path}');")
    for turn in range(6):
        before = runs(made)
        made.run("E = f(A, v, 1);")
        assert runs(made) == before + 1, turn
        made["E"]
        assert runs(made) == before + 2, turn
    assert remembered(made) == (3 if on == "true" else 0)
    a, q = made["A"], np.linalg.qr(made["v"])[0]
    wanted = (a.T @ a / 39 + 1) @ q
    np.testing.assert_allclose(abs(made["E"] - 1), abs(wanted), rtol=1e-12)


def test_a_factorisation_after_what_is_remembered_starts_products(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "f.m").write_text("function G = f(A, k)\nB = A + k;\nG = (B' * B) / 39 + k;\nend\n")
    made = started("null", 2 * 40 * 12 * 12, monkeypatch)
    made.run(f"addpath('{tmp_path}');")
    for turn in range(6):
        before = runs(made)
        made.run("G = f(A, 1);")
        assert runs(made) == before, turn
        made.run("[q, ~] = qr(v, 0);")
        assert runs(made) == before + 1, turn
    assert remembered(made) == 3
