"""What comes to the host together with what was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from runmat_core import Session
from tests.accel.everywhere import session


@pytest.fixture
def made() -> Iterator[Session]:
    with session("null", threshold=2) as opened:
        yield opened


def downloads(made: Session) -> list[tuple[int, ...]]:
    """How many elements each array of each transfer has had so far."""
    requests = [
        request
        for store in made.interp.seat.engine.stores.values()
        for request in store.provider._compile.get_hookimpls()[0].plugin.requests
    ]
    return [tuple(a.size for a in r.arrays) for hook, r in requests if hook == "download"]


def test_arguments_of_a_call_come_in_one_transfer(made: Session) -> None:
    made.run("A = rand(40, 30); B = A * 2; wait(gpuDevice);")
    before = len(downloads(made))
    made.run("t = sprintf('%.6f ', sum(A(:)), max(B(:)), mean(B, 'all'));")
    (transfer,) = downloads(made)[before:]
    assert transfer == (1, 1, 1)
    a = made["A"]
    expected = " ".join(f"{v:.6f}" for v in (a.sum(), 2 * a.max(), 2 * a.mean()))
    assert str(made["t"]).strip() == expected


def test_large_results_that_nobody_asked_for_stay(made: Session) -> None:
    made.run(
        "A = rand(80) / 80; x = rand(80, 60); y = rand(80, 60);\n"
        "for k = 1:20\nx = A * x + 1; y = A * y - x;\nend"
    )
    before = len(downloads(made))
    made.run("s = sum(x(:)); disp(s)")
    assert downloads(made)[before:] == [(1,)]
    np.testing.assert_allclose(made["s"], made["x"].sum(), rtol=1e-12)
