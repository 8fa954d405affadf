"""Large products that start before anybody asks for them."""

from __future__ import annotations

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.capture import early
from tests.accel.everywhere import session


def started(provider: str, dear: float, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(early, "DEAR", dear)
    made = session(provider, threshold=2)
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
