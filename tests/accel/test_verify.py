"""Comparing plans with host rules: rounding of what was cancelled is no difference, the rest is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from runmat_core import Session
from runmat_core.accel.graph import rules
from runmat_core.accel.running.verify import Magnitudes, alike
from runmat_core.session import config


@pytest.fixture(params=["null", "inprocess"])
def s(request: pytest.FixtureRequest) -> Iterator[Session]:
    """A session that computes everything by plans and by host rules."""
    settings = config.load().replace(
        accel__threshold=1,
        accel__provider=request.param,
        accel__offload__force="device" if request.param == "null" else "host",
        accel__verify=True,
    )
    with Session(config=settings) as session:
        yield session


@pytest.mark.parametrize(
    "code",
    [
        "A = rand(20); [Q, R, P] = qr(A); n = norm(A * P - Q * R);",
        "A = rand(20); B = rand(20); n = sum(sum((A * B)' - B' * A'));",
        "x = rand(1, 999); n = sum(x) - sum(x(end:-1:1));",
        "x = rand(1, 999, 'single'); n = sum((x - mean(x)) .* 2);",
        "x = rand(1, 99); y = exp(x) .* exp(-x) - 1; n = sqrt(sum(y .^ 2));",
        "x = rand(9); y = abs(x * x' - (x * x')'); n = max(y(:)) * 3;",
    ],
)
def test_what_is_left_of_equal_numbers_may_differ(s: Session, code: str) -> None:
    s.run("rng(1);" + code)
    assert abs(s["n"]) < 1e-3
    assert s.interp.seat.engine.counters.plans_made > 0


def magnitude(s: Session, code: str) -> float:
    """The size of the numbers that the value of `code` was made from."""
    s.run("x = [3 -4 1] + 0; y = x * 2;")
    s.run(f"z = {code};")
    node = s.interp.variables["z"].promise.node
    sizes = Magnitudes()
    rules.compute([node], sizes.note)
    return sizes.of(node)


@pytest.mark.parametrize(
    ("code", "size"),
    [
        ("x - x", 4),
        ("x + y", 12),
        ("x .* y", 32),
        ("(x - x) .* y", 32),
        ("sum(x - x)", 12),
        ("abs(x)", 4),
        ("[x y]", 8),
        ("x'", 4),
        ("(x - x)'", 4),
        ("exp(x * 0)", 1),
        ("x * y'", 96),
    ],
)
def test_sizes_follow_the_operations(code: str, size: float) -> None:
    settings = config.load().replace(accel__threshold=1, accel__provider="none")
    with Session(config=settings) as session:
        assert magnitude(session, code) == size


def test_sizes_bound_the_difference() -> None:
    found, wanted = np.array([[1.0, 1e-12]]), np.array([[1.0, 2e-12]])
    assert alike(found, wanted, 1.0)
    assert not alike(found, wanted, 1e-4)
    nan: Any = np.array([[np.nan, np.inf]])
    assert alike(nan, nan.copy(), 0.0)
    assert not alike(nan, np.array([[np.inf, np.nan]]), 1e9)
    assert not alike(found, wanted.astype(np.float32), 1.0)
    assert not alike(np.array([[1]]), np.array([[2]]), 1e9)
