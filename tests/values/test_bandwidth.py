"""How far the diagonals of a matrix reach, which decides how systems are solved."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from runmat_core.values.lapack import bandwidth


def reach(a: Any) -> int:
    down, across = a[:, : len(a)].nonzero()
    return max(0, int((down - across).max(initial=0)))


@pytest.mark.parametrize("kind", ["band", "spots"])
def test_bandwidth_of_any_matrix(kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(150):
        n, below, above = rng.integers(1, 200), *rng.integers(0, 200, 2)
        a: Any = rng.random((n, n))
        a = np.tril(np.triu(a, -below), above) if kind == "band" else (a < 3 / n**2) * 1.0
        if rng.random() < 0.3:
            a[rng.integers(n), rng.integers(n)] = np.nan
        a = np.asfortranarray(a)
        assert bandwidth(a) == (reach(a), reach(a.T))


def test_a_triangle_takes_few_passes() -> None:
    triangle = np.asfortranarray(np.tril(np.ones((256, 256))))
    bandwidth(triangle)
    made = []
    sys.setprofile(lambda frame, event, argument: made.append(event == "c_call"))
    try:
        assert bandwidth(triangle) == (255, 0)
    finally:
        sys.setprofile(None)
    assert sum(made) < 60
