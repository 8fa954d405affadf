"""Regions with gaps that loops write to on a device: drawn at random, against runs step by step."""

from __future__ import annotations

import numpy as np
import pytest

from tests.accel.loops import Outcome, same

#: An iteration that is several kernels, so that regions are written by kernels of their own.
PROGRAM = """
K = single([0 1 0; 1 -4 1; 0 1 0])/8; U = single(reshape(mod((1:{m}*{n})*7, 11), {m}, {n})); V = U;
for t = 1:7
    W = 2*U - V + conv2(U, K, 'same');
    V = U;
    U = W/2;
    {writes}
end
"""


def subscript(rng: np.random.Generator, extent: int) -> tuple[str, int]:
    """A subscript with or without gaps, and how many positions it has."""
    kind = rng.integers(5)
    if kind == 0:
        return ":", extent
    if kind == 1:
        return "[1 end]", 2
    if kind == 2:
        return "[end 1]", 2
    step = int(rng.integers(1, 4))
    first = int(rng.integers(1, extent // 2))
    count = len(range(first, extent + 1, step))
    last = first + (count - 1) * step
    return (f"{first}:{step}:end", count) if kind == 3 else (f"{last}:-{step}:{first}", count)


@pytest.mark.parametrize("seed", range(6))
def test_regions_with_gaps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = (int(k) for k in rng.integers(9, 24, 2))
    writes = []
    for _ in range(int(rng.integers(1, 4))):
        (rows, r), (columns, c) = subscript(rng, m), subscript(rng, n)
        values = [f"{rng.integers(9)}", f"V(1:{r}, 1:{c})", f"U({rows}, {columns})*0.5 + 1"]
        writes.append(f"U({rows}, {columns}) = {values[rng.integers(3)]};")
    if rng.integers(2):
        writes.append("U(2:3:end) = 1;")
    program = PROGRAM.format(m=m, n=n, writes=" ".join(writes))
    found = Outcome(program, "null", True)
    assert found.captured == 1, (writes, found.reasons)
    same(found, Outcome(program, "none", False), False)
    found.close()
